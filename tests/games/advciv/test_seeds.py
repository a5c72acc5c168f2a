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
from tests.games.advciv.playing import SEATS

SECRET = "5e" * 32


def shuffled(*interactions: int, secret: str = SECRET, chance: str = "c") -> list[Entry]:
    """Return the entries up to the shuffle, where people sat down by these interactions."""
    opened = OpenTable(game="advciv", chance=secret)
    entries = list(decide(Table(), opened, Caller(1)))
    for number, interaction in enumerate(interactions):
        caller = Caller(number + 1, interaction=interaction)
        entries += decide(replay(entries), Sit(SEATS[number]), caller)
    draw = DrawCards(cities=3)
    shuffle, *_ = decide(replay(entries), draw, Caller(1, chance=chance))
    return [*entries, shuffle]


def seed(entries: list[Entry]) -> str:
    assert isinstance(entries[-1], StacksShuffled)
    assert entries[-1].secret is not None
    return entries[-1].secret.seed


def mixed(interactions: str) -> str:
    """Return the seed that the secret makes with these interactions."""
    return sha256(f"{SECRET}:{interactions}".encode()).hexdigest()


def doubts(entries: list[Entry]) -> list[str]:
    assert GAME.chance is not None
    doubts = []
    for number in range(1, len(entries)):
        table = replay(entries[:number])
        doubts.append(GAME.chance.verify(table, entries[number]))
    return list(filter(None, doubts))


def test_the_table_commits_before_the_first_seat_and_keeps_the_secret() -> None:
    committed = shuffled(11, 12)[1]
    assert isinstance(committed, TableSeedCommitted)
    public, sealed = split(committed)
    assert public["digest"] == sha256(SECRET.encode()).hexdigest()
    assert SECRET not in str(public)
    assert SECRET in str(sealed["keeper"])


def test_the_seed_is_of_the_secret_and_of_who_sat_down_in_order() -> None:
    assert seed(shuffled(11, 12)) == mixed("11:12")
    assert seed(shuffled(12, 11)) == mixed("12:11")
    assert seed(shuffled(11, 13)) == mixed("11:13")
    assert seed(shuffled(11, 12, 14)) == mixed("11:12:14")


def test_whoever_draws_first_picks_nothing() -> None:
    wished = shuffled(11, 12, chance="a wish")
    assert seed(wished) == seed(shuffled(11, 12, chance="another"))


def test_only_seats_that_were_taken_before_the_first_draw_are_mixed_in() -> None:
    """SECURITY.md rests on it: a refused command, or one after the draw, changes nothing about the
    deal.
    """
    entries = shuffled(11, 12)
    table = replay(entries)
    assert current_seed(table, "") == seed(entries)
    late = decide(table, Sit("italy"), Caller(3, interaction=13))
    assert current_seed(replay(late, table), "") == seed(entries)
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
    assert seed_of(replay(back, table), "") == mixed("11:12:15")
    assert [entry.kind for entry in left] == ["seat.left"]
    assert [entry.kind for entry in back] == ["seat.taken"]


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
