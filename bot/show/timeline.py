"""The timeline: pages of what happened at a table, as far as the reader may know it.

`history_card` tells it as friends would, under each turn or phase; `details_card` and `ledger_card`
in the ledger's exact words; `trade_card`, `player_card` and `offer_history_card` tell of one
transaction, player or offer. The cards about the chain of hashes and corrections are at the end.

Each press draws its page anew from the entries, as the presser may see them. The buttons carry the
table, the newest entry to show, the page and the filters, so new entries do not shift pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from bot.rules.features.holdings import Corrected
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.seats import SeatLeft
from bot.rules.features.tables import TableClosed
from bot.rules.model.goods import Goods
from bot.rules.views import EntryView, OfferView, TableView
from bot.service import HEAD_DIGITS, Filter, HistoryPage, TradeHistory, Verification
from bot.show import accounts
from bot.show.accounts import Move
from bot.show.actions import TurnAccount, TurnHistory, TurnLedger
from bot.show.cards import Button, Card, counted, text_card, truncate
from bot.show.names import escape, format_text, game_of, name_text, player, seat_name
from bot.show.narration import has_line, headline_text, narrate, sentence, story
from bot.show.offer_sides import irrevocable_text, title
from bot.show.offers import more_rows

LINES, LINE_MAX = 8, 400
"""Entries on a page, and characters of an entry: together well under a message's 4000."""

TRADE_LINES, TRADE_LINE_MAX = 6, 540
"""The same for a transaction's history, which shows more of each entry."""

OFFER_LINES, OFFER_LINE_MAX = 12, 270
"""The same for an offer's history."""

STORY_MAX, SHORTER, PAGE_MAX = 700, 260, 2600
"""Limits in characters on /history: of one event; of each event if the page would be too long; of a
page.

An icon is drawn with more characters than it has here.
"""

DETAIL_MAX = 360
"""The limit on one event in detail, in characters."""

MOVES_MAX = 150
"""In a player's accounts, the characters for what one entry moved."""

TRACED = 12
"""The most references beside a sum: the newest entries, or deals, that it adds up."""

SET_UP = "Setting up"
"""The heading of events before the first turn or phase."""

NO_TRADE = (
    "-# No trade yet. **/offer post** makes the first offer; without options it opens a form."
)
NOTHING_HERE = "There is nothing here. **/help** says what you can do next."
NOTHING_OF_THEIRS = "They have nothing you may see. **/history** tells what has happened."


# ---------------------------------------------------------------- the history


def history_card(found: HistoryPage, only: Filter, every: Sequence[EntryView] = ()) -> Card:
    """Return a page of events in sentences, newest first, under the turn or phase in which they
    happened.

    ``every`` are all entries of the kinds `accounts.SEAT_AND_DEAL_KINDS` up to the newest shown. A
    filter by person needs them to count the person's promises.
    """
    stories, lines = _stories(found), list[str]()
    for _, period in groupby(
        found.entries, lambda each: begun.seq if (begun := found.period_starts.get(each.seq)) else 0
    ):
        entries = list(period)
        entry_lines = [
            f"- {stories[entry.seq]} · {_when(entry)}" for entry in entries if entry.seq in stories
        ]
        if begun := found.period_starts.get(entries[0].seq):
            lines += [
                f"**{format_text(begun, begun.entry.heading())}** · {_when(begun)}",
                *entry_lines,
            ]
        elif entry_lines:
            lines += [f"**{SET_UP}**", *entry_lines]
    text = "\n".join(lines) or _nothing(found)
    first_trade = (
        found.view.open and not found.view.offers_posted and not only.person and not only.offer
    )
    hint = [NO_TRADE] if first_trade else []
    foot = [f"-# {page}"] if (page := _numbered(found)) else []
    turn = TurnHistory(found.view.id, found.until_seq, found.page, only.person, only.offer)
    details = Button("Details", replace(turn, cursor=_same_page(found), details=True))
    row = (*_turns(found, turn), details)
    return Card("open", (*_head(found, only, every), text, *hint, *foot), (row,))


def details_card(found: HistoryPage, only: Filter, every: Sequence[EntryView] = ()) -> Card:
    """Return the same entries in the ledger's exact words, with numbers and kinds, and the newest
    entry's hash.

    /audit verify reads the hash in this form.
    """
    lines = [
        f"{truncate(_line(entry, 'f'), DETAIL_MAX)}\n-# `{entry.kind}`" for entry in found.entries
    ]
    foot = " · ".join((*filter(None, [_numbered(found)]), f"as of entry {found.until_seq}"))
    hashed = [head_text(entry) for entry in found.entries[:1] if entry.hash]
    turn = TurnHistory(
        found.view.id, found.until_seq, found.page, only.person, only.offer, details=True
    )
    short = Button("In short", replace(turn, cursor=_same_page(found), details=False))
    row = (*_turns(found, turn), short)
    return Card(
        "open",
        (*_head(found, only, every), "\n".join(lines) or _nothing(found), *hashed, f"-# {foot}"),
        (row,),
    )


def _head(found: HistoryPage, only: Filter, every: Sequence[EntryView]) -> tuple[str, ...]:
    head = [f"### What happened at {escape(found.view.name)}{_filtered(found.view, only)}"]
    seat = accounts.seat_of(every, only.person) if only.person else None
    if seat is not None:
        head += [_promises(every, only.person), *_tenure(every, only.person, seat)]
    return tuple(head)


def _stories(found: HistoryPage) -> dict[int, str]:
    """Return the story of each entry that gets a line, by entry number."""
    newer = dict(zip((entry.seq for entry in found.entries[1:]), found.entries, strict=False))
    begins = {begun.seq for begun in found.period_starts.values()}  # the headings tell these
    here = {entry.seq for entry in found.entries}
    every = sorted((*found.entries, *found.beside), key=lambda entry: -entry.seq)
    entry_lines = (
        entry
        for entry in _merged(every)
        if entry.seq in here - begins and has_line(entry, newer.get(entry.seq))
    )
    stories = {entry.seq: truncate(story(entry), STORY_MAX) for entry in entry_lines}
    if sum(map(len, stories.values())) <= PAGE_MAX:
        return stories
    return {seq: truncate(text, SHORTER) for seq, text in stories.items()}


def _merged(entries: Sequence[EntryView]) -> list[EntryView]:
    """Return these entries, the newest first, with those that are told in one sentence as one,
    where the last stood.
    """
    told = list[EntryView]()
    for each in entries:
        for place, later in enumerate(told):
            if (merged := each.entry.merged(later.entry)) is not None:
                told[place] = replace(later, entry=merged)
                break
        else:
            told.append(each)
    return told


def _nothing(found: HistoryPage) -> str:
    if found.older:
        return "Nothing here, but there is more to look through: **More**."
    return "Nothing of theirs yet. What they offer, trade and promise will stand here."


def _numbered(found: HistoryPage) -> str:
    """Return the page number; empty for a single page, or if pages are not counted."""
    last = -(-(found.total or 0) // LINES)  # rounded up
    return f"Page {found.page} of {last}" if last > 1 else ""


def _same_page(found: HistoryPage) -> int:
    """Return the ``cursor`` that finds this page again, if pages are not counted."""
    return found.newer + 1 if found.total is None and found.newer else 0


# ---------------------------------------------------------------- the ledger


def ledger_card(found: HistoryPage, only: Filter) -> Card:
    """Return a page of the entries that pass the filter, newest first."""
    view = found.view
    turn = TurnLedger(view.id, found.until_seq, found.page, only.person, only.kind, only.since)
    head = f"### Ledger of {escape(view.name)}{_filtered(view, only)}"
    text = "\n".join(truncate(_line(entry, "R"), LINE_MAX) for entry in found.entries)
    if found.total is None:
        nothing = "Nothing yet, but there is more to look through." if found.older else NOTHING_HERE
        foot = f"-# The newest first · as of entry {found.until_seq}"
    else:
        nothing, foot = NOTHING_HERE, _foot(found.page, found.total, LINES, found.until_seq)
    row = _turns(found, turn)
    return Card("open", (head, text or nothing, foot), (row,) if row else ())


def _filtered(view: TableView, only: Filter) -> str:
    """Return the filter in words, to follow a title; empty for no filter."""
    filters = [
        only.kind,
        format_text(view, f"<=person:{only.person}>") if only.person else "",
        f"offer {only.offer}" if only.offer else "",
        f"from #{only.since} on" if only.since else "",
    ]
    return "".join(f" · {text}" for text in filters if text)


# ---------------------------------------------------------------- one offer


def offer_history_card(view: TableView, offer: OfferView, entries: Sequence[EntryView]) -> Card:
    """Return an offer's history in sentences. ``entries`` are those about it, oldest first."""
    newer = (*entries[1:], None)
    entry_lines = [
        f"{_when(entry)} {truncate(name_text(entry, narrate(entry, 'story')), OFFER_LINE_MAX)}"
        for entry, after in zip(entries, newer, strict=False)
        if has_line(entry, after)
    ]
    first, rest = entry_lines[:1], entry_lines[1:]
    left_out = (
        [f"-# {len(rest) - OFFER_LINES + 1} more steps in between"]
        if len(rest) >= OFFER_LINES
        else []
    )
    lines = [*first, *left_out, *rest[-OFFER_LINES + 1 :]]
    undone = irrevocable_text(view) if offer.status == "resolved" else ""
    lines += [f"-# {undone}"] if undone else []
    rows = tuple(
        tuple(button for button in row if button.label != "Details")
        for row in more_rows(offer)
        if len(row) > 1
    )
    return Card(
        "done" if offer.status == "resolved" else "open",
        (f"-# {title(view, offer)}", "\n".join(lines)),
        rows,
    )


# ---------------------------------------------------------------- one transaction


def trade_card(found: TradeHistory, until_seq: int, page: int = 1) -> Card:
    """Return a page of a transaction's history, from its first offer to its consequences."""
    view, done = found.view, found.done.entry
    assert isinstance(done, Transaction)
    two = f"{player(view, done.first)} and {player(view, done.second)}"
    head = (f"### Transaction {found.number}\n{two} · resolved <t:{found.done.at // 1000}:f>",)
    lines: list[Line] = [
        partial(_trade_line, entry, found.violations.get(entry.seq)) for entry in found.entries
    ]
    lines += [
        partial(format_text, found.done, f"↳ Said to <seat:{each.seat}> only: {each.text}")
        for each in found.done.follow_ups
    ]
    turn = TurnAccount(view.id, until_seq, page, found.number, trade=True)
    return _paged(head, lines, TRADE_LINES, turn, TRADE_LINE_MAX)


def _trade_line(entry: EntryView, violation: str | None) -> str:
    """Return an entry with the violation at that time: empty for none, None if the viewer may not
    know.
    """
    said = ""
    if isinstance(entry.entry, Corrected):
        said = " This is a correction, not part of the trade."
    elif violation:
        said = f" The rules said then: {format_text(entry, violation)}"
    elif violation is not None and isinstance(entry.entry, Transaction):
        said = " Nothing forbade it."
    return f"{_line(entry, 'f')}{said}"


# ---------------------------------------------------------------- one player


def player_card(
    view: TableView, every: Sequence[EntryView], person: int, until_seq: int, page: int = 1
) -> Card:
    """Return a page of one player's accounts: promises, holdings as sums of entries, and every gain
    and loss.

    ``every`` are the entries that bear on the person's seat, or the last seat they had
    (`accounts.bears_on`).
    """
    name, seat = format_text(view, f"<=person:{person}>"), accounts.seat_of(every, person)
    if seat is None:
        return Card(
            "open", (f"### {name}", "They have had no seat at this table, and so no goods.")
        )
    known, lies_open = seat in accounts.known_seats(view), partial(accounts.lies_open, view)
    head = [
        f"### {name} · {seat_name(view, seat)}",
        _promises(every, person),
        *_tenure(every, person, seat),
    ]
    if not view.tracked:
        head.append("This table does not keep count of holdings.")
    if not known:
        unless = "It opens when the table closes, unless the host chose not so."
        head.append(f"-# Without what only they may know. {unless}")
    own = {entry.seq for entry in accounts.entries_in_seat(every, person, seat)}
    # A balance includes what earlier holders left in the seat; the lines below are only this
    # person's.
    moved = [
        (
            entry,
            [
                m
                for m in moves
                if m.seat == seat and (known or (m.area == "hand" and lies_open(m.token)))
            ],
        )
        for entry, moves in accounts.moves_by_entry(every)
        if entry.seq <= max(own)
    ]
    lines: list[Line] = [
        partial(str, line) for line in _balances(view, moved) or [NOTHING_OF_THEIRS]
    ]
    lines += [
        partial(_moves_line, view, entry, moves)
        for entry, moves in reversed(moved)
        if moves and entry.seq in own
    ]
    return _paged(tuple(head), lines, LINES, TurnAccount(view.id, until_seq, page, person))


def _promises(every: Sequence[EntryView], person: int) -> str:
    """Return how many promises a person kept and broke, according to the other sides."""
    found = accounts.promises(every, person)
    texts = []
    for what, deals in (
        ("kept", found.kept),
        ("broken", found.broken),
        ("nothing said yet", found.unmarked),
    ):
        listed = f" (deal {', '.join(map(str, deals[-TRACED:]))})" if deals else ""
        texts.append(f"**{what}: {len(deals)}**{listed}")
    return f"Promises {', '.join(texts)}"


def _tenure(every: Sequence[EntryView], person: int, seat: str) -> list[str]:
    """Return when the person had the seat, if others had it as well. Only that time counts for the
    person.
    """
    if accounts.holders(every, seat) == {person}:
        return []
    own = accounts.entries_in_seat(every, person, seat)
    left = isinstance(own[-1].entry, SeatLeft) or own[-1].seq < every[-1].seq
    until = f" and left it with entry {own[-1].seq}" if left else ""
    tenure = f"They took this seat with entry {own[0].seq}{until}; only that counts for them."
    return [f"-# Others have sat here too. {tenure}"]


def _balances(view: TableView, moved: Sequence[tuple[EntryView, Sequence[Move]]]) -> list[str]:
    """Return each component that a seat has, with the entries that add up to it."""
    traced: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for entry, moves in moved:
        for move in moves:
            if move.gained != move.lost:
                traced.setdefault((move.area, move.token), []).append(
                    (entry.seq, move.gained - move.lost)
                )
    # Open goods first: most questions are about them.
    order = sorted(traced, key=lambda key: (not accounts.lies_open(view, key[1]), key))
    lines = []
    for place, token in order:
        parts = traced[place, token]
        if total := sum(amount for _, amount in parts):
            goods = format_text(view, game_of(view).goods.describe(Goods({token: total})))
            refs = " ".join(f"#{seq} {amount:+d}" for seq, amount in parts[-TRACED:])
            earlier = "… " if len(parts) > TRACED else ""
            lines.append(f"**{goods}**{' in play' if place == 'play' else ''} = {earlier}{refs}")
    return lines


def _moves_line(view: TableView, entry: EntryView, moves: Sequence[Move]) -> str:
    describe = game_of(view).goods.describe
    parts = [
        f"{sign}{format_text(view, describe(Goods({move.token: count})))}"
        for move in moves
        for sign, count in (("−", move.lost), ("+", move.gained))
        if count
    ]
    return (
        f"**#{entry.seq}** <t:{entry.at // 1000}:R> {truncate(', '.join(parts), MOVES_MAX)} · "
        f"{sentence(entry)}"
    )


# ---------------------------------------------------------------- the chain


def verify_card(table: int, found: Verification) -> Card:
    """Return the result of verifying a table."""
    title = f"### Ledger of {escape(found.name)}"
    if found.bad is not None:
        fault = f"❌ **The chain does not hold.** Entry {found.bad.seq}: {found.bad.reason}. "
        return Card("over", (title, f"{fault}Nothing from there on can be relied upon."))
    holds = (
        f"✅ **The chain holds**, from the first entry to number {found.seq}. Its "
        f"head:\n`{found.head}`"
    )
    held = [f"✅ It has `{found.held}`, which was posted."] if found.held else []
    other = ["⚠️ Something else in my database was changed: `bourse verify` tells my operator what."]
    hint = (
        f"-# Later, `bourse verify --head {table}:{found.head}` shows whether anything up to here "
        "was changed or cut."
    )
    unread = [f"⚠️ What the entries lead to can't be checked {found.unread}"] if found.unread else []
    return Card(
        "done", (title, holds, *held, *unread, *(other if found.other_faults else ()), hint)
    )


def head_card(view: TableView, entry: EntryView) -> Card:
    """Return the news that the table is closed, or that somebody had its ledger checked, with the
    chain's head.
    """
    if isinstance(entry.entry, TableClosed):
        return text_card(f"**{escape(view.name)}** is closed.\n{head_text(entry)}")
    return text_card(
        f"-# {format_text(entry, f'<person:{entry.by}>')} had the ledger "
        f"checked.\n{head_text(entry)}"
    )


def head_text(entry: EntryView) -> str:
    """Return the chain's head in small print, as `bot.service.read_head` reads it.

    Nobody can change it on Discord, so `bourse verify` and `/audit verify` can compare the ledger
    with it.
    """
    return f"-# Ledger `#{entry.seq} {entry.hash[:HEAD_DIGITS]}`"


def correction_card(entry: EntryView) -> Card:
    """Return a correction as everybody may read it: who made it, what it changed and why."""
    by = format_text(entry, f"<=person:{entry.by}>")
    undone = game_of(entry).info.cite("irrevocable")
    stays = f"Nothing before it was rewritten, and no transaction is undone by it{undone}."
    return Card("waiting", (headline_text(entry), f"-# Entry {entry.seq}, by {by}. {stays}"))


# ---------------------------------------------------------------- pages

Line = Callable[[], str]
"""Returns a line of a page. Only lines that are shown are called, since writing thousands takes
time.
"""


def _line(entry: EntryView, style: str) -> str:
    return f"**#{entry.seq}** <t:{entry.at // 1000}:{style}> {sentence(entry)}"


def _when(entry: EntryView) -> str:
    return f"<t:{entry.at // 1000}:R>"


def _paged(
    head: tuple[str, ...],
    lines: Sequence[Line],
    size: int,
    turn: TurnAccount,
    line_max: int = LINE_MAX,
) -> Card:
    """Return a page of these lines under a head, with buttons to the pages beside it. ``turn``
    leads to this one.
    """
    shown = lines[(turn.page - 1) * size : turn.page * size]
    text = "\n".join(truncate(line(), line_max) for line in shown) or NOTHING_HERE
    row = _counted_turns(turn, len(lines), size)
    return Card(
        "open",
        (*head, text, _foot(turn.page, len(lines), size, turn.until_seq)),
        (row,) if row else (),
    )


def _foot(page: int, total: int, size: int, until_seq: int) -> str:
    last = max(1, -(-total // size))  # rounded up
    return f"-# Page {page} of {last} · {counted(total, 'line')} · as of entry {until_seq}"


def _turns(found: HistoryPage, turn: TurnHistory | TurnLedger) -> tuple[Button, ...]:
    """Return the buttons to newer and older entries. ``turn`` leads to this page."""
    if found.total is not None:
        return _counted_turns(turn, found.total, LINES)
    back = (
        [Button("Back", replace(turn, page=max(1, found.page - 1), cursor=-found.newer))]
        if found.newer
        else []
    )
    more = (
        [Button("More", replace(turn, page=found.page + 1, cursor=found.older))]
        if found.older
        else []
    )
    return (*back, *more)


def _counted_turns(
    turn: TurnHistory | TurnLedger | TurnAccount, total: int, size: int
) -> tuple[Button, ...]:
    last = max(1, -(-total // size))
    pages = (("Back", turn.page - 1), ("More", turn.page + 1))
    return tuple(
        Button(label, replace(turn, page=number)) for label, number in pages if 1 <= number <= last
    )
