"""The timeline: pages of what happened at a table, as far as the reader may know it.

`history_card` tells it as friends would, under each turn or phase; `details_card` and `ledger_card`
in the ledger's exact words; `trade_card`, `player_card` and `offer_history_card` tell of one
transaction, player or offer. The cards about the chain of hashes and corrections are at the end.

Each press draws its page anew from the entries, as the presser may see them. The buttons carry the
table, the newest entry to show, the page and the filters, so new entries do not shift pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from bot.rules.features.holdings import Corrected
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.seats import SeatLeft
from bot.rules.guard import presented
from bot.rules.model.goods import Goods
from bot.rules.views import EntryView, OfferView, TableView
from bot.service import HEAD_DIGITS, Filter, HistoryPage, TradeHistory, Verification
from bot.show import accounts
from bot.show.accounts import Move
from bot.show.actions import TurnAccount, TurnHistory, TurnLedger
from bot.show.cards import Button, Card, drawn, plural, text_card, truncate
from bot.show.names import escape, format_text, game_of, name_text, player, seat_name
from bot.show.narration import has_line, heading_text, headline_text, narrate, sentence, story
from bot.show.offer_cards import more_rows
from bot.show.offer_sides import irrevocable_text, title

LINES, LINE_MAX = 8, 400
"""Entries on a page, and characters of an entry: together well under a message's 4000."""

AUDITED_MAX = 8
"""The most lines about hidden goods that are over their limits."""

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

SET_UP_PERIOD = "Setting up"
"""The heading of events before the first turn or phase."""

NO_TRADE = "-# No trade yet. **New offer** on the board makes the first offer."
NOTHING_HERE = "There is nothing here. **/help** says what you can do next."
NOTHING_OF_THEIRS = (
    "They have nothing you may see. **History** under **Menu** tells what has happened."
)


# ---------------------------------------------------------------- the history


def history_card(page: HistoryPage, only: Filter, every: Sequence[EntryView] = ()) -> Card:
    """Return a page of events in sentences, newest first, under the turn or phase in which they
    happened.

    ``every`` are all entries of the kinds `accounts.SEAT_AND_DEAL_KINDS` up to the newest shown. A
    filter by person needs them to count the person's promises.
    """
    view, stories = page.view, _stories(page)
    lines: list[str] = []
    under = -1  # the entry that began the period of the last heading; 0 before the first period
    for entry in page.entries:
        begun = page.period_starts.get(entry.seq)
        if begun is not None and begun.seq != under:
            lines.append(f"**{heading_text(begun)}** · {_when(begun)}")
            under = begun.seq
        if entry.seq not in stories:
            continue
        if begun is None and under != 0:
            lines.append(f"**{SET_UP_PERIOD}**")
            under = 0
        lines.append(f"- {stories[entry.seq]} · {_when(entry)}")
    blocks = _head(page, only, every, lines)
    if view.open and not view.offers_posted and not only.person and not only.offer:
        blocks.append(NO_TRADE)
    if number := _numbered(page):
        blocks.append(f"-# {number}")
    return Card("open", blocks, (_history_row(page, only, details=False),))


def details_card(page: HistoryPage, only: Filter, every: Sequence[EntryView] = ()) -> Card:
    """Return the same entries in the ledger's exact words, with numbers and kinds, and the newest
    entry's hash.

    /audit verify reads the hash in this form.
    """
    lines = []
    for each in page.entries:
        kind = "sealed" if each.secret else f"`{each.kind}`"
        lines.append(f"{truncate(_line(each, 'f'), DETAIL_MAX)}\n-# {kind}")
    blocks = _head(page, only, every, lines)
    if page.entries and page.entries[0].hash:
        blocks.append(head_text(page.entries[0]))
    foot = [_numbered(page), f"as of entry {page.until_seq}"]
    blocks.append(f"-# {' · '.join(filter(None, foot))}")
    return Card("open", blocks, (_history_row(page, only, details=True),))


def _head(
    page: HistoryPage, only: Filter, every: Sequence[EntryView], lines: Sequence[str]
) -> list[str]:
    """Return the blocks of a page: its title, what is to be said of a person, and its lines."""
    head = [f"### What happened at {escape(page.view.name)}{_filtered(page.view, only)}"]
    seat = accounts.seat_of(every, only.person) if only.person else None
    if seat is not None:
        head += [_promises(every, only.person), *_tenure(every, only.person, seat)]
    return [*head, "\n".join(lines) or _nothing(page)]


def _history_row(page: HistoryPage, only: Filter, *, details: bool) -> tuple[Button, ...]:
    """Return the buttons to other pages, and to the same page told in the other way."""
    view = page.view
    turn = TurnHistory(view.id, page.until_seq, page.page, only.person, only.offer, details=details)
    other_way = replace(turn, cursor=_same_page(page), details=not details)
    return (*_turns(page, turn), Button("In short" if details else "Details", other_way))


def _stories(page: HistoryPage) -> dict[int, str]:
    """Return the story of each entry that gets a line, by entry number."""
    newer = {older.seq: entry for entry, older in pairwise(page.entries)}
    on_page = {entry.seq for entry in page.entries}
    on_page -= {begun.seq for begun in page.period_starts.values()}  # the headings tell these
    entries = sorted((*page.entries, *page.beside), key=lambda entry: -entry.seq)
    stories: dict[int, str] = {}
    for entry in _merged(entries):
        if entry.seq in on_page and has_line(entry, newer.get(entry.seq)):
            stories[entry.seq] = truncate(story(entry), STORY_MAX)
    if sum(map(len, stories.values())) <= PAGE_MAX:
        return stories
    return {seq: truncate(text, SHORTER) for seq, text in stories.items()}


def _merged(entries: Sequence[EntryView]) -> list[EntryView]:
    """Return these entries, the newest first, with those that are told in one sentence as one,
    where the last stood.
    """
    result: list[EntryView] = []
    for earlier in entries:
        for place, later in enumerate(result):
            both = presented(earlier.names.game, earlier.entry.merged, later.entry)
            if both is not None:
                result[place] = replace(later, entry=both)
                break
        else:
            result.append(earlier)
    return result


def _nothing(page: HistoryPage) -> str:
    if page.older:
        return "Nothing here, but there is more to look through: **More**."
    return "Nothing of theirs yet. What they offer, trade and promise will stand here."


def _numbered(page: HistoryPage) -> str:
    """Return the page number; empty for a single page, or if pages are not counted."""
    last = _pages(page.total or 0, LINES)
    return f"Page {page.page} of {last}" if last > 1 else ""


def _same_page(page: HistoryPage) -> int:
    """Return the ``cursor`` that finds this page again, if pages are not counted."""
    return page.newer + 1 if page.total is None and page.newer else 0


# ---------------------------------------------------------------- the ledger


def ledger_card(page: HistoryPage, only: Filter) -> Card:
    """Return a page of the entries that pass the filter, newest first."""
    view, nothing = page.view, NOTHING_HERE
    head = f"### Ledger of {escape(view.name)}{_filtered(view, only)}"
    text = "\n".join(truncate(_line(entry, "R"), LINE_MAX) for entry in page.entries)
    if page.total is not None:
        foot = _foot(page.page, page.total, LINES, page.until_seq)
    else:
        foot = f"-# The newest first · as of entry {page.until_seq}"
        if page.older:
            nothing = "Nothing yet, but there is more to look through."
    turn = TurnLedger(view.id, page.until_seq, page.page, only.person, only.kind, only.since)
    row = _turns(page, turn)
    rows = (row,) if row else ()
    return Card("open", (head, text or nothing, foot), rows)


def _filtered(view: TableView, only: Filter) -> str:
    """Return the filter in words, to follow a title; empty for no filter."""
    filters = [only.kind] if only.kind else []
    if only.person:
        filters.append(format_text(view, f"<=person:{only.person}>"))
    if only.offer:
        filters.append(f"offer {only.offer}")
    if only.since:
        filters.append(f"from #{only.since} on")
    return "".join(f" · {text}" for text in filters)


# ---------------------------------------------------------------- one offer


@drawn
def offer_history_card(view: TableView, offer: OfferView, entries: Sequence[EntryView]) -> Card:
    """Return an offer's history in sentences. ``entries`` are those about it, oldest first."""
    lines = []
    newer = [*entries[1:], None]
    for entry, after in zip(entries, newer, strict=True):
        if has_line(entry, after):
            told = name_text(entry, narrate(entry, "story"))
            lines.append(f"{_when(entry)} {truncate(told, OFFER_LINE_MAX)}")
    between = len(lines) - OFFER_LINES
    if between > 0:
        lines[1 : between + 1] = [f"-# {between} more steps in between"]
    done = offer.status == "resolved"
    if done and (undone := irrevocable_text(view)):
        lines.append(f"-# {undone}")
    rows = []
    for row in more_rows(offer):
        if len(row) > 1:
            rows.append(tuple(button for button in row if button.label != "Details"))
    blocks = (f"-# {title(view, offer)}", "\n".join(lines))
    return Card("done" if done else "open", blocks, tuple(rows))


# ---------------------------------------------------------------- one transaction


def trade_card(history: TradeHistory, until_seq: int, page: int = 1) -> Card:
    """Return a page of a transaction's history, from its first offer to its consequences."""
    view, done = history.view, history.done.entry
    assert isinstance(done, Transaction)
    two = f"{player(view, done.first)} and {player(view, done.second)}"
    when = f"resolved <t:{history.done.at // 1000}:f>"
    head = (f"### Transaction {history.number}\n{two} · {when}",)
    lines: list[Line] = []
    for entry in history.entries:
        lines.append(partial(_trade_line, entry, history.violations.get(entry.seq)))
    for news in history.done.follow_ups:
        said = f"↳ Said to <seat:{news.seat}> only: {news.text}"
        lines.append(partial(format_text, history.done, said))
    turn = TurnAccount(view.id, until_seq, page, history.number, trade=True)
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


@drawn
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
        no_seat = "They have had no seat at this table, and so no goods."
        return Card("open", (f"### {name}", no_seat))
    head = [f"### {name} · {seat_name(view, seat)}", _promises(every, person)]
    head += _tenure(every, person, seat)
    if not view.tracked:
        head.append("This table does not keep count of holdings.")
    if seat not in accounts.known_seats(view):
        unless = "It opens when the table closes, unless the host chose not so."
        head.append(f"-# Without what only they may know. {unless}")
    hidden = game_of(view).hidden
    if hidden and accounts.known_seats(view) >= view.seats.keys():
        head += [f"⚠️ {name_text(view, line)}" for line in hidden.audited(view)[:AUDITED_MAX]]
    own = {entry.seq for entry in accounts.entries_in_seat(every, person, seat)}
    # A balance includes what earlier holders left in the seat; the lines below are only this
    # person's.
    until_left = [entry for entry in every if entry.seq <= max(own)]
    moved = _moved_in(view, until_left, seat)
    balances = _balances(view, moved) or [NOTHING_OF_THEIRS]
    lines: list[Line] = [partial(str, balance) for balance in balances]
    for entry, moves in reversed(moved):
        if moves and entry.seq in own:
            lines.append(partial(_moves_line, view, entry, moves))
    turn = TurnAccount(view.id, until_seq, page, person)
    return _paged(tuple(head), lines, LINES, turn)


def _moved_in(
    view: TableView, entries: Sequence[EntryView], seat: str
) -> list[tuple[EntryView, list[Move]]]:
    """Return each entry with what it moved in this seat, as far as the viewer can see all of it."""
    known = seat in accounts.known_seats(view)

    def is_seen(move: Move) -> bool:
        return known or (move.area == "hand" and accounts.lies_open(view, move.token))

    result = []
    for entry, moves in accounts.moves_by_entry(entries):
        here = [move for move in moves if move.seat == seat]
        result.append((entry, list(filter(is_seen, here))))
    return result


def _promises(every: Sequence[EntryView], person: int) -> str:
    """Return how many promises a person kept and broke, according to the other sides."""
    kept, broken, unmarked = accounts.promises(every, person)
    texts = []
    groups = {"kept": kept, "broken": broken, "nothing said yet": unmarked}
    for what, deals in groups.items():
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
    first, last = own[0], own[-1]
    left = isinstance(last.entry, SeatLeft) or last.seq < every[-1].seq
    until = f" and left it with entry {last.seq}" if left else ""
    tenure = f"They took this seat with entry {first.seq}{until}; only that counts for them."
    return [f"-# Others have sat here too. {tenure}"]


def _balances(view: TableView, moved: Sequence[tuple[EntryView, Sequence[Move]]]) -> list[str]:
    """Return each component that a seat has, with the entries that add up to it."""
    traced = defaultdict[tuple[str, str], list[tuple[int, int]]](list)
    for entry, moves in moved:
        for move in moves:
            if change := move.gained - move.lost:
                traced[move.area, move.token].append((entry.seq, change))

    def hidden_last(slot: tuple[str, str]) -> tuple[bool, tuple[str, str]]:
        # Most questions are about open goods.
        return not accounts.lies_open(view, slot[1]), slot

    lines = []
    for area, token in sorted(traced, key=hidden_last):
        changes = traced[area, token]
        total = sum(change for _, change in changes)
        if not total:
            continue
        goods = game_of(view).goods.describe(Goods({token: total}))
        refs = " ".join(f"#{seq} {change:+d}" for seq, change in changes[-TRACED:])
        earlier = "… " if len(changes) > TRACED else ""
        in_play = " in play" if area == "play" else ""
        lines.append(f"**{format_text(view, goods)}**{in_play} = {earlier}{refs}")
    return lines


def _moves_line(view: TableView, entry: EntryView, moves: Sequence[Move]) -> str:
    parts = []
    for move in moves:
        for sign, count in (("−", move.lost), ("+", move.gained)):
            if count:
                goods = game_of(view).goods.describe(Goods({move.token: count}))
                parts.append(f"{sign}{format_text(view, goods)}")
    return _line(entry, "R", f"{truncate(', '.join(parts), MOVES_MAX)} · ")


# ---------------------------------------------------------------- the chain


def verify_card(table: int, checked: Verification) -> Card:
    """Return the result of verifying a table."""
    title = f"### Ledger of {escape(checked.name)}"
    if checked.bad is not None:
        fault = f"❌ **The chain does not hold.** Entry {checked.bad.seq}: {checked.bad.reason}. "
        return Card("over", (title, f"{fault}Nothing from there on can be relied upon."))
    up_to = f"from the first entry to number {checked.seq}"
    blocks = [title, f"✅ **The chain holds**, {up_to}. Its head:\n`{checked.head}`"]
    if checked.held:
        blocks.append(f"✅ It has `{checked.held}`, which was posted.")
    if checked.unread:
        blocks.append(f"⚠️ What the entries lead to can't be checked {checked.unread}")
    if checked.other_faults:
        more = "`bourse verify` tells my operator what."
        blocks.append(f"⚠️ Something else in my database was changed: {more}")
    command = f"`bourse verify --head {table}:{checked.head}`"
    blocks.append(f"-# Later, {command} shows whether anything up to here was changed or cut.")
    return Card("done", blocks)


@drawn
def head_card(entry: EntryView) -> Card:
    """Return the news that somebody had the ledger checked, with the chain's head."""
    news = f"-# {format_text(entry, f'<person:{entry.by}>')} had the ledger checked."
    return text_card(f"{news}\n{head_text(entry)}")


def head_text(entry: EntryView) -> str:
    """Return the chain's head in small print, as `bot.service.read_head` reads it.

    Nobody can change it on Discord, so `bourse verify` and `/audit verify` can compare the ledger
    with it.
    """
    return _head_line(entry.seq, entry.hash)


def _head_line(seq: int, hash: str) -> str:
    return f"-# Ledger `#{seq} {hash[:HEAD_DIGITS]}`"


def put_back_card(until: int, seq: int, hash: str) -> Card:
    """Return what a table's channel reads after its ledger was put back from a copy.

    The copy reaches ``until`` this time, in milliseconds since 1970; the table to its entry
    ``seq``.
    """
    return text_card(
        f"My ledger was put back from a copy. It ends <t:{until // 1000}:f>. What happened here "
        "after that is not in it, and my cards from then do nothing: please do it again. "
        f"/table show shows how the table is now.\n{_head_line(seq, hash)}"
    )


@drawn
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


def _line(entry: EntryView, style: str, moved: str = "") -> str:
    return f"**#{entry.seq}** <t:{entry.at // 1000}:{style}> {moved}{sentence(entry)}"


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
    foot = _foot(turn.page, len(lines), size, turn.until_seq)
    return Card("open", (*head, text, foot), (row,) if row else ())


def _foot(page: int, total: int, size: int, until_seq: int) -> str:
    last = max(1, _pages(total, size))
    return f"-# Page {page} of {last} · {plural(total, 'line')} · as of entry {until_seq}"


def _pages(total: int, size: int) -> int:
    return -(-total // size)  # rounded up


def _turns(page: HistoryPage, turn: TurnHistory | TurnLedger) -> tuple[Button, ...]:
    """Return the buttons to newer and older entries. ``turn`` leads to this page."""
    if page.total is not None:
        return _counted_turns(turn, page.total, LINES)
    row = []
    if page.newer:
        back = replace(turn, page=max(1, page.page - 1), cursor=-page.newer)
        row.append(Button("Back", back))
    if page.older:
        more = replace(turn, page=page.page + 1, cursor=page.older)
        row.append(Button("More", more))
    return tuple(row)


def _counted_turns(
    turn: TurnHistory | TurnLedger | TurnAccount, total: int, size: int
) -> tuple[Button, ...]:
    row = []
    if turn.page > 1:
        row.append(Button("Back", replace(turn, page=turn.page - 1)))
    if turn.page < _pages(total, size):
        row.append(Button("More", replace(turn, page=turn.page + 1)))
    return tuple(row)
