"""Audits: the ledger in pages, one transaction's history, one player's accounts, the chain's head.

Each press draws the page anew from the entries, as the presser may see them. The buttons carry the table, the newest
entry to show, the page and the filters, so new entries do not shift pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from bot.rules.features.holdings import Corrected
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.seats import SeatLeft
from bot.rules.features.tables import TableClosed
from bot.rules.model.actions import Action
from bot.rules.model.goods import Goods
from bot.rules.views import EntryView, TableView
from bot.service import Filter, HistoryPage, TradeHistory, Verification
from bot.show import accounts
from bot.show.accounts import Move
from bot.show.actions import TurnLedger, TurnPlayer, TurnTrade
from bot.show.cards import Button, Card, Rows, text_card
from bot.show.names import escape, format_text, game_of, player, seat_name
from bot.show.narration import headline_text, sentence
from bot.show.truncation import truncate

LINES, LINE_MAX = 8, 400
"""Entries on a page, and characters of an entry: together well under a message's 4000."""

TRADE_LINES, TRADE_LINE_MAX = 6, 540
"""The same for a transaction's history, which shows more of each entry."""

MOVES_MAX = 150
"""In a player's accounts, the characters for what one entry moved."""

TRACED = 12
"""The most references beside a sum: the newest entries, or deals, that it adds up."""

NOTHING_HERE = "There is nothing here. **/help** says what you can do next."
NOTHING_OF_THEIRS = "They have nothing you may see. **/history** tells what has happened."

Line = Callable[[], str]
"""Returns a line of a page. Only lines that are shown are called, since writing thousands takes time."""

Turn = Callable[[int], Action]
"""Returns the action that turns to this page."""


class TurnBeside(Protocol):
    """Returns the action that turns to this page, or to the page beside an entry; see `HistoryPage`."""

    def __call__(self, page: int, beside: int = 0) -> Action:
        """Return the action."""


# ---------------------------------------------------------------- the ledger


def ledger_card(found: HistoryPage, only: Filter) -> Card:
    """Return a page of the entries that pass the filter, newest first."""
    view = found.view

    def turn(page: int, beside: int = 0) -> Action:
        return TurnLedger(view.id, found.until_seq, page, only.person, only.kind, only.since, beside)

    title = f"### Ledger of {escape(view.name)}{filtered_text(view, only)}"
    return _entries_card((title,), found, turn)


def _entries_card(head: tuple[str, ...], found: HistoryPage, turn: TurnBeside) -> Card:
    lines = [partial(_line, entry, "R") for entry in found.entries]
    if found.total is None:
        return _uncounted_card(head, lines, found, turn)
    return _page_card(head, lines, found.total, LINES, found.page, found.until_seq, turn)


def _uncounted_card(head: tuple[str, ...], lines: Sequence[Line], found: HistoryPage, turn: TurnBeside) -> Card:
    """Return a page of one person's entries, with buttons to newer and older entries."""
    nothing = "Nothing yet, but there is more to look through." if found.older else NOTHING_HERE
    text = "\n".join(truncate(line(), LINE_MAX) for line in lines) or nothing
    back = [Button("Back", turn(max(1, found.page - 1), -found.newer))] if found.newer else []
    more = [Button("More", turn(found.page + 1, found.older))] if found.older else []
    row = (*back, *more)
    return Card("open", (*head, text, f"-# The newest first · as of entry {found.until_seq}"), (row,) if row else ())


def filtered_text(view: TableView, only: Filter) -> str:
    """Return the filter in words, to follow a title; empty for no filter."""
    filters = [
        only.kind,
        format_text(view, f"<person:{only.person}>") if only.person else "",
        f"offer {only.offer}" if only.offer else "",
        f"from #{only.since} on" if only.since else "",
    ]
    return "".join(f" · {text}" for text in filters if text)


# ---------------------------------------------------------------- one transaction


def trade_card(found: TradeHistory, until_seq: int, page: int = 1) -> Card:
    """Return a page of a transaction's history, from its first offer to its consequences."""
    view, done = found.view, found.done.entry
    assert isinstance(done, Transaction)

    def turn(page: int) -> Action:
        return TurnTrade(view.id, until_seq, page, found.number)

    two = f"{player(view, done.first)} and {player(view, done.second)}"
    head = (f"### Transaction {found.number}\n{two} · resolved <t:{found.done.at // 1000}:f>",)
    lines: list[Line] = [partial(_trade_line, entry, found.violations.get(entry.seq)) for entry in found.entries]
    lines += [partial(str, line) for line in _follow_ups(found.done)]
    return _paged(head, lines, TRADE_LINES, page, until_seq, turn, TRADE_LINE_MAX)


def _trade_line(entry: EntryView, violation: str | None) -> str:
    """Return an entry with the violation at that time: empty for none, None if the viewer may not know."""
    if isinstance(entry.entry, Corrected):
        return f"{_line(entry, 'f')} This is a correction, not part of the trade."
    if violation:
        return f"{_line(entry, 'f')} The rules said then: {format_text(entry, violation)}"
    allowed = violation is not None and isinstance(entry.entry, Transaction)
    return f"{_line(entry, 'f')}{' Nothing forbade it.' if allowed else ''}"


def _follow_ups(done: EntryView) -> list[str]:
    """Return the transaction's follow-ups, as far as the viewer may know them."""
    return [format_text(done, f"↳ Said to <seat:{each.seat}> only: {each.text}") for each in done.follow_ups]


# ---------------------------------------------------------------- one player


def player_card(view: TableView, every: Sequence[EntryView], person: int, until_seq: int, page: int = 1) -> Card:
    """Return a page of one player's accounts: promises, holdings as sums of entries, and every gain and loss.

    ``every`` are the entries that bear on the person's seat, or the last seat they had (`accounts.bears_on`).
    """
    name, seat = format_text(view, f"<person:{person}>"), accounts.seat_of(every, person)
    if seat is None:
        return Card("open", (f"### {name}", "They have had no seat at this table, and so no goods."))
    head = [f"### {name} · {seat_name(view, seat)}", promises_text(every, person), *tenure_lines(every, person, seat)]
    head += _limits(view, seat)
    own = {entry.seq for entry in accounts.entries_in_seat(every, person, seat)}
    # A balance includes what earlier holders left in the seat; the lines below are only this person's.
    moved = [
        (entry, _readable(view, moves, seat))
        for entry, moves in accounts.moves_by_entry(every)
        if entry.seq <= max(own)
    ]
    lines: list[Line] = [partial(str, line) for line in _balances(view, moved) or [NOTHING_OF_THEIRS]]
    lines += [
        partial(_moves_line, view, entry, moves) for entry, moves in reversed(moved) if moves and entry.seq in own
    ]
    return _paged(tuple(head), lines, LINES, page, until_seq, lambda page: TurnPlayer(view.id, until_seq, page, person))


def promises_text(every: Sequence[EntryView], person: int) -> str:
    """Return how many promises a person kept and broke, according to the other sides."""
    found = accounts.promises(every, person)
    groups = (("kept", found.kept), ("broken", found.broken), ("nothing said yet", found.unmarked))
    return f"Promises {', '.join(_counted(what, numbers) for what, numbers in groups)}"


def _counted(what: str, deals: Sequence[int]) -> str:
    listed = f" (deal {', '.join(map(str, deals[-TRACED:]))})" if deals else ""
    return f"**{what}: {len(deals)}**{listed}"


def tenure_lines(every: Sequence[EntryView], person: int, seat: str) -> list[str]:
    """Return when the person had the seat, if others had it as well. Only that time counts for the person."""
    if accounts.holders(every, seat) == {person}:
        return []
    own = accounts.entries_in_seat(every, person, seat)
    left = isinstance(own[-1].entry, SeatLeft) or own[-1].seq < every[-1].seq
    until = f" and left it with entry {own[-1].seq}" if left else ""
    tenure = f"They took this seat with entry {own[0].seq}{until}; only that counts for them."
    return [f"-# Others have sat here too. {tenure}"]


def _limits(view: TableView, seat: str) -> list[str]:
    """Return what the accounts lack, and why."""
    notes = [] if view.tracked else ["This table does not keep count of holdings."]
    if seat not in accounts.known_seats(view):
        unless = "It opens when the table closes, unless the host chose not so."
        notes.append(f"-# Without what only they may know. {unless}")
    return notes


def _readable(view: TableView, moves: Sequence[Move], seat: str) -> list[Move]:
    """Return a seat's moves; only moves of open goods if the viewer may not see its hand."""
    known, is_open = seat in accounts.known_seats(view), partial(accounts.lies_open, view)
    return [move for move in moves if move.seat == seat and (known or (move.place == "hand" and is_open(move.token)))]


def _balances(view: TableView, moved: Sequence[tuple[EntryView, Sequence[Move]]]) -> list[str]:
    """Return each component that a seat has, with the entries that add up to it."""
    traced: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for entry, moves in moved:
        for move in moves:
            if move.gained != move.lost:
                traced.setdefault((move.place, move.token), []).append((entry.seq, move.gained - move.lost))
    # Open goods first: most questions are about them.
    order = sorted(traced, key=lambda key: (not accounts.lies_open(view, key[1]), key))
    return [_balance(view, *key, traced[key]) for key in order if sum(amount for _, amount in traced[key])]


def _balance(view: TableView, place: str, token: str, parts: Sequence[tuple[int, int]]) -> str:
    total = sum(amount for _, amount in parts)
    goods = format_text(view, game_of(view).goods.describe(Goods({token: total})))
    refs = " ".join(f"#{seq} {amount:+d}" for seq, amount in parts[-TRACED:])
    earlier = "… " if len(parts) > TRACED else ""
    return f"**{goods}**{' in play' if place == 'play' else ''} = {earlier}{refs}"


def _moves_line(view: TableView, entry: EntryView, moves: Sequence[Move]) -> str:
    describe = game_of(view).goods.describe
    parts = [
        f"{sign}{format_text(view, describe(Goods({move.token: count})))}"
        for move in moves
        for sign, count in (("−", move.lost), ("+", move.gained))
        if count
    ]
    return f"**#{entry.seq}** <t:{entry.at // 1000}:R> {truncate(', '.join(parts), MOVES_MAX)} · {sentence(entry)}"


# ---------------------------------------------------------------- the chain


def verify_card(table: int, found: Verification) -> Card:
    """Return the result of verifying a table."""
    title = f"### Ledger of {escape(found.name)}"
    if found.bad is not None:
        fault = f"❌ **The chain does not hold.** Entry {found.bad.seq}: {found.bad.reason}. "
        return Card("over", (title, f"{fault}Nothing from there on can be relied upon."))
    holds = f"✅ **The chain holds**, from the first entry to number {found.seq}. Its head:\n`{found.head}`"
    held = [f"✅ It has `{found.held}`, which was posted."] if found.held else []
    other = ["⚠️ Something else in my database was changed: `bourse verify` tells my operator what."]
    hint = (
        f"-# Later, `bourse verify --head {table}:{found.head}` shows whether anything up to here was changed or cut."
    )
    return Card("done", (title, holds, *held, *(other if found.elsewhere else ()), hint))


def head_card(view: TableView, entry: EntryView) -> Card:
    """Return the chain's head. It is posted at the end of each phase and of the table, and on request.

    Nobody can change it on Discord, so `bourse verify` and `/audit verify` can compare the ledger with it.
    """
    if phase := entry.entry.begins_phase():
        return text_card(f"-# The ledger of {escape(view.name)} as the {phase} phase begins: {_posted(entry)}")
    closed = isinstance(entry.entry, TableClosed)
    why = "This table is closed." if closed else format_text(entry, f"<person:{entry.by}> had the ledger checked.")
    ends = "ledger ends with" if closed else "ledger is now at"
    text = f"{why} Its {ends} entry {entry.seq}, and the head of its chain is\n{_posted(entry)}"
    return Card("done", (f"### {escape(view.name)}", text, "-# Whoever keeps this can show any later change."))


def _posted(entry: EntryView) -> str:
    """Return the line with the head that `bot.service.checking.read_head` reads."""
    return f"`#{entry.seq} {entry.hash}`"


def correction_card(entry: EntryView) -> Card:
    """Return a correction as everybody may read it: who made it, what it changed and why."""
    by = format_text(entry, f"<person:{entry.by}>")
    undone = game_of(entry).info.cite("irrevocable")
    stays = f"Nothing before it was rewritten, and no transaction is undone by it{undone}."
    return Card("waiting", (headline_text(entry), f"-# Entry {entry.seq}, by {by}. {stays}"))


# ---------------------------------------------------------------- pages


def _line(entry: EntryView, style: str) -> str:
    return f"**#{entry.seq}** <t:{entry.at // 1000}:{style}> {sentence(entry)}"


def _paged(
    head: tuple[str, ...],
    lines: Sequence[Line],
    size: int,
    page: int,
    until_seq: int,
    turn: Turn,
    line_max: int = LINE_MAX,
) -> Card:
    """Return one page of these lines."""
    shown = lines[(page - 1) * size : page * size]
    return _page_card(head, shown, len(lines), size, page, until_seq, turn, line_max)


def _page_card(
    head: tuple[str, ...], shown: Sequence[Line], total: int, size: int, page: int, until_seq: int, turn: Turn,
    line_max: int = LINE_MAX,
) -> Card:  # fmt: skip
    """Return these lines under a head, with buttons to the previous and the next page."""
    last = max(1, -(-total // size))  # rounded up
    text = "\n".join(truncate(line(), line_max) for line in shown) or NOTHING_HERE
    foot = f"-# Page {page} of {last} · {total} {'line' if total == 1 else 'lines'} · as of entry {until_seq}"
    return Card("open", (*head, text, foot), _turns(page, last, turn))


def _turns(page: int, last: int, turn: Turn) -> Rows:
    row = tuple(
        Button(label, turn(number)) for label, number in (("Back", page - 1), ("More", page + 1)) if 1 <= number <= last
    )
    return (row,) if row else ()
