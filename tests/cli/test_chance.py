"""A dealer nobody need trust: with the seed, the stacks can be laid again, and `bourse verify` does so."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bot.ledger import Ledger
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry
from bot.rules.games.advciv.commands import BuyCard, DrawCards, ShowCalamities, SurrenderCards
from bot.rules.games.advciv.entries import (
    CalamitiesShown,
    CardBought,
    CardsDrawn,
    Shuffle,
    StacksRestored,
    StacksShuffled,
)
from bot.rules.games.advciv.stacks import shuffled
from bot.rules.games.advciv.state import Shown
from bot.rules.model.goods import Goods
from bot.rules.model.seats import Change
from bot.rules.model.table import Table
from bot.rules.seats.commands import Sit
from bot.rules.tables.commands import CloseTable, OpenTable, SetPhase
from tests.cli import files
from tests.cli.files import new_table

SEED = "a" * 64


def dealt() -> list[Entry]:
    """A turn of three, from the first draw to the cards that go back."""
    table, entries = Table(), list[Entry]()

    def do(command: Command, by: int = 1) -> None:
        nonlocal table
        made = decide(table, command, Caller(by))
        entries.extend(made)
        table = replay(made, table)

    do(OpenTable(game="advciv", name="Friday"))
    for person, seat in enumerate(("egypt", "crete", "italy"), start=1):
        do(Sit(seat), person)
    for person in (1, 2, 3):
        do(DrawCards(cities=7, chance=SEED), person)
    do(BuyCard(), 3)
    do(SetPhase("after"))
    do(ShowCalamities("b"))
    for person, seat in enumerate(("egypt", "crete", "italy"), start=1):
        do(SurrenderCards(table.seats[seat].holdings), person)
    do(SetPhase("acquire"))
    do(DrawCards(cities=2, chance="c"), 2)
    do(CloseTable())
    return entries


async def verified(ledger: Ledger, file: Path, entries: list[Entry]) -> tuple[int, str]:
    await new_table(ledger, entries, "advciv")
    return await files.verified(file)


async def test_an_honest_dealer(ledger: Ledger, file: Path) -> None:
    code, told = await verified(ledger, file, dealt())
    assert (code, "entries, head" in told) == (0, True)


def swapped(shuffle: Shuffle) -> Shuffle:
    """Two cards of one stack change places."""
    number = next(n for n, stack in enumerate(shuffle.stacks) if len(set(stack)) > 1)
    stack = list(shuffle.stacks[number])
    other = next(n for n, card in enumerate(stack) if card != stack[0])
    stack[0], stack[other] = stack[other], stack[0]
    stacks = (*shuffle.stacks[:number], tuple(stack), *shuffle.stacks[number + 1 :])
    return replace(shuffle, stacks=stacks)


def cheated(entry: Entry) -> Entry:
    """The same entry as a dealer would have it who helps chance along."""
    if isinstance(entry, StacksShuffled | StacksRestored):
        assert entry.secret is not None
        return entry.model_copy(update={"secret": swapped(entry.secret)})
    if isinstance(entry, CalamitiesShown):
        return entry.model_copy(update={"spared": (Shown(calamity="calamity:piracy", seat="egypt"),)})
    assert isinstance(entry, CardsDrawn | CardBought)
    better = Change(gained=Goods({"commodity:ivory": 1, "commodity:gold": 1}))
    return entry.model_copy(update={"hidden": {entry.seat: better}})


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (StacksShuffled, "the stacks do not lie as their seed says"),
        (CardsDrawn, "the cards drawn were not on top"),
        (CardBought, "the card bought was not on top"),
        (CalamitiesShown, "the calamities that take effect are not those that the seed picks"),
        (StacksRestored, "what went back does not lie as the seed says"),
    ],
)
async def test_a_dealer_who_helps_chance_along(ledger: Ledger, file: Path, kind: type[Entry], why: str) -> None:
    """The chain is sound, for the entry was never changed: it was written so."""
    entries = dealt()
    at = max(number for number, entry in enumerate(entries) if isinstance(entry, kind))
    entries[at] = cheated(entries[at])
    assert await verified(ledger, file, entries) == (1, f"table 1 (Friday): entry {at + 1}: {why}")


def test_every_order_is_as_likely() -> None:
    """Of four cards all 24 orders come, none of them half as often again as it should."""
    orders = Counter(shuffled("abcd", f"seed {number}") for number in range(4800))
    assert len(orders) == 24
    assert max(orders.values()) < 300 > 1.5 * min(orders.values())


def test_a_seed_says_one_order_for_ever() -> None:
    """Written down once, so that no later version shuffles an old seed in another way."""
    assert "".join(shuffled("abcdefghij", "for ever")) == "ehgcfijabd"
