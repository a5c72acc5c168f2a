"""Apply entries to a table. Never fails for an entry that was decided, and never reads the
clock.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from bot.rules.entries import Entry, Recorded
from bot.rules.guard import blamed
from bot.rules.model.deals import Deal
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.registry import game_of, games
from bot.rules.uninstalled import ANOTHER_VERSION, id_in, unread

log = logging.getLogger(__name__)


def apply(table: Table, entry: Entry) -> Table:
    """Return the table after this entry. The core applies it first, then the game."""
    with blamed(table.game, f"{type(entry).__name__}.apply"):
        return _applied(table, entry)


def _applied(table: Table, entry: Entry) -> Table:
    is_unread = ANOTHER_VERSION in table.game and entry.kind.startswith(f"{id_in(table.game)}.")
    # without the state of the game, its entries can't be applied
    before = game_of(table).features.before(table, entry) if table.game else table
    after = table if is_unread else entry.apply(before)
    # Take the game from ``after``, because the first entry sets it.
    after = game_of(after).features.after(after, entry)
    if (after.deals or after.ending) and not entry.undoes():
        after = _with_ends(table, after)
    return replace(_with_since(table, after, entry), seq=table.seq + 1)


def _with_since(before: Table, table: Table, entry: Entry) -> Table:
    """Return the table with the number of this entry where the entry began something.

    That is a window, a phase, or that the table is open, about to close, or paused.
    """
    number = before.seq + 1
    if not table.window.since:
        table = replace(table, window=replace(table.window, since=number))
    if (before.phase != table.phase or entry.begins_phase()) and not entry.undoes():
        table = replace(table, phase_since=number)
    if (before.open, before.closing, before.paused) != (table.open, table.closing, table.paused):
        table = replace(table, since=number)
    return table


def _with_ends(before: Table, table: Table) -> Table:
    """Return the table with the deals that name what is over now, so that both are asked until the
    round is over.
    """
    turn = before.window.number != table.window.number
    rounds = before.phase != table.phase == game_of(table).info.phases[0]
    if not (turn or rounds) and before.became == table.became:
        return table

    def now(deal: Deal) -> Deal:
        over = bool(deal.by) and (rounds or (turn and deal.by != "round"))
        return replace(deal, over=True) if over and not deal.over else deal

    ending = {number: now(deal).renamed(table.became) for number, deal in table.ending.items()}
    ending = {
        number: deal
        for number, deal in ending.items()
        if not (rounds and table.ending[number].over)
    }
    return replace(
        table, deals={number: now(deal) for number, deal in table.deals.items()}, ending=ending
    )


def replay(entries: Iterable[Entry], table: Table | None = None) -> Table:
    """Apply these entries in order, to an empty table by default.

    >>> replay([SeatLeft(seat="red", person=1)], table).seq - table.seq
    1
    """
    table = table or Table()
    for entry in entries:
        table = apply(table, entry)
    return table


def restored(entries: Iterable[Recorded], table: Table) -> Table:
    """Apply entries of the ledger as `replay` does, and note their stamps.

    If the game fails, the installed version is not the one that decided them: then a stand-in takes
    its place from that entry on. See `bot.rules.uninstalled`.
    """
    for recorded in entries:
        entry = recorded.entry
        try:
            table = apply(table, entry)
        except Exception:  # a game may raise anything
            if table.game not in games():
                raise
            log.exception(
                "table %d can't be read from entry %d on (%s)", table.id, table.seq + 1, entry.kind
            )
            table = apply(unread(table), entry)
        table = table.recorded(recorded.at)
    return table
