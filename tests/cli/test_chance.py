"""Tests that `bourse verify` lays the stacks again from the seed and finds a dealer who cheated."""

from __future__ import annotations

from pathlib import Path

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.drawing import BuyCard, DrawCards
from bot.games.advciv.losing import LoseCards
from bot.games.advciv.surrendering import SurrenderCards
from bot.games.advciv.taking import AnswerTake, TakeCard
from bot.ledger import Ledger
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable, OpenTable, SetPhase
from bot.rules.model.table import Table
from tests.cli import files
from tests.cli.files import new_table
from tests.games.advciv.cheating import cheat, each_cheat

SEED = "a" * 64


def dealt() -> list[Entry]:
    """A turn of three, from the first draw to the cards that go back."""
    table, entries = Table(), list[Entry]()

    def do(command: Command, by: int = 1) -> None:
        nonlocal table
        made = decide(table, command, Caller(by, chance="unused"))
        entries.extend(made)
        table = replay(made, table)

    do(OpenTable(game="advciv", name="Friday", chance=SEED))
    for person, seat in enumerate(("egypt", "crete", "italy"), start=1):
        do(Sit(seat), person)
    for person in (1, 2, 3):
        do(DrawCards(cities=7), person)
    do(BuyCard(), 3)
    do(SetPhase("after"))
    do(ShowCalamities())
    do(TakeCard("crete"), 1)
    do(AnswerTake("egypt", True), 2)
    do(LoseCards(cards=2), 3)
    for person, seat in enumerate(("egypt", "crete", "italy"), start=1):
        do(SurrenderCards(table.seats[seat].holdings), person)
    do(SetPhase("acquire"))
    do(DrawCards(cities=2), 2)
    do(CloseTable())
    return entries


async def verified(ledger: Ledger, file: Path, entries: list[Entry]) -> tuple[int, str]:
    await new_table(ledger, entries, "advciv")
    return await files.verified(file)


async def test_an_honest_dealer(ledger: Ledger, file: Path) -> None:
    code, told = await verified(ledger, file, dealt())
    assert (code, "entries, head" in told) == (0, True)


@each_cheat
async def test_a_dealer_who_helps_chance_along(
    ledger: Ledger, file: Path, kind: type[Entry], doubt: str
) -> None:
    """The chain is sound, for the entry was never changed: it was written so."""
    entries = dealt()
    at = cheat(entries, kind)
    assert await verified(ledger, file, entries) == (
        1,
        f"table 1 (Friday): entry {at + 1}: {doubt}",
    )
