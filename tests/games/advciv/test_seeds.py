"""Tests that nobody picks the seed: the table commits to a secret, and each player adds
randomness.
"""

from __future__ import annotations

from hashlib import sha256

import pytest

from bot.api.chance import SeedSecret, seed_of
from bot.games.advciv import GAME
from bot.games.advciv.chance import TableSeedCommitted, current_seed
from bot.games.advciv.drawing import DrawCards
from bot.games.advciv.stacks import StacksShuffled
from bot.rules.apply import replay
from bot.rules.commands import Caller
from bot.rules.engine import decide
from bot.rules.entries import Entry, split
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused

SECRET = "5e" * 32


def shuffled(*interactions: int, secret: str = SECRET, chance: str = "c") -> list[Entry]:
    """The entries up to the shuffle, of a table at which people sat down by these interactions."""
    entries = list(decide(Table(), OpenTable(game="advciv", chance=secret), Caller(1)))
    for person, (interaction, seat) in enumerate(
        zip(interactions, ("egypt", "crete", "italy"), strict=False), start=1
    ):
        entries += decide(replay(entries), Sit(seat), Caller(person, interaction=interaction))
    return [*entries, decide(replay(entries), DrawCards(cities=3), Caller(1, chance=chance))[0]]


def seed(entries: list[Entry]) -> str:
    assert isinstance(entries[-1], StacksShuffled)
    assert entries[-1].secret is not None
    return entries[-1].secret.seed


def doubts(entries: list[Entry]) -> list[str]:
    assert GAME.chance is not None
    tables = [replay(entries[:number]) for number in range(1, len(entries))]
    found = (
        GAME.chance.verify(table, entry) for table, entry in zip(tables, entries[1:], strict=True)
    )
    return [doubt for doubt in found if doubt]


def test_the_table_commits_before_the_first_seat_and_keeps_the_secret() -> None:
    committed = shuffled(11, 12)[1]
    assert isinstance(committed, TableSeedCommitted)
    public, sealed = split(committed)
    assert public["digest"] == sha256(SECRET.encode()).hexdigest()
    assert SECRET not in str(public)
    assert SECRET in str(sealed["keeper"])


def test_the_seed_is_of_the_secret_and_of_who_sat_down_in_order() -> None:
    assert seed(shuffled(11, 12)) == sha256(f"{SECRET}:11:12".encode()).hexdigest()
    others = {seed(shuffled(*ids)) for ids in ((11, 12), (12, 11), (11, 13), (11, 12, 14))}
    assert len(others) == 4


def test_whoever_draws_first_picks_nothing() -> None:
    assert seed(shuffled(11, 12, chance="a wish")) == seed(shuffled(11, 12, chance="another"))


def test_only_seats_that_were_taken_before_the_first_draw_are_mixed_in() -> None:
    """SECURITY.md rests on it: a refused command, or one after the draw, changes nothing about the
    deal.
    """
    entries = shuffled(11, 12)
    table = replay(entries)
    late = [*entries, *decide(table, Sit("italy"), Caller(3, interaction=13))]
    assert current_seed(replay(late), "") == current_seed(table, "") == seed(entries)
    open_table = replay(entries[:-1])
    with pytest.raises(Refused):
        decide(open_table, Sit("egypt"), Caller(3, interaction=14))
    assert seed_of(open_table, "") == seed(entries)


def test_who_leaves_and_sits_down_again_mixes_in_another_id_and_all_can_read_it() -> None:
    """SECURITY.md says so of a player who knows the secret."""
    table = replay(shuffled(11, 12)[:-1])
    left = decide(table, Leave(), Caller(2))
    table = replay(left, table)
    back = decide(table, Sit("crete"), Caller(2, interaction=15))
    assert seed_of(replay(back, table), "") == sha256(f"{SECRET}:11:12:15".encode()).hexdigest()
    assert [split(each)[0]["kind"] for each in (*left, *back)] == ["seat.left", "seat.taken"]


def test_an_honest_dealer_leaves_no_doubt() -> None:
    assert doubts(shuffled(11, 12)) == []


@pytest.mark.parametrize(
    ("tampered", "doubt"),
    [
        ("uncommitted", "nobody committed to the seed before the first seat was taken"),
        ("another secret", "the secret is not the one that was committed to"),
        (
            "another seed",
            "the seed is not the one that was committed to, mixed with those who sat down",
        ),
    ],
)
def test_a_dealer_who_picks_the_seed(tampered: str, doubt: str) -> None:
    entries = shuffled(11, 12)
    match tampered:
        case "uncommitted":
            entries = shuffled(11, 12, secret="")
        case "another secret":
            entries[1] = entries[1].model_copy(update={"secret": SeedSecret("picked")})
        case _:
            entries[-1] = shuffled(11, 13)[-1]
    assert doubts(entries) == [doubt]
