"""/history: one line for each event, under its turn or phase; exact details on request.

Each press draws the page anew from the entries, as the presser may see them; see `bot.show.history`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from bot.rules.model.actions import Action
from bot.rules.views import EntryView
from bot.service import Filter, HistoryPage
from bot.show import accounts
from bot.show.actions import TurnDetails, TurnHistory
from bot.show.cards import Button, Card
from bot.show.history import filtered_text, promises_text, tenure_lines
from bot.show.names import escape, format_text
from bot.show.narration import sentence
from bot.show.stories import is_told, story
from bot.show.truncation import truncate

LINES = 8
"""Entries on a page."""

STORY_MAX, SHORTER, PAGE_MAX = 700, 260, 2600
"""Limits in characters: of one event; of each event if the page would be too long; of a page.

An icon is drawn with more characters than it has here; a message holds 4000.
"""

DETAIL_MAX = 360
"""The limit on one event in detail, in characters."""

SET_UP = "Setting up"
"""The heading of events before the first turn or phase."""


def history_card(found: HistoryPage, only: Filter, every: Sequence[EntryView] = ()) -> Card:
    """Return a page of events in sentences, newest first.

    ``every`` are all entries of the kinds `accounts.STANDING` up to the newest shown. A filter by person needs them to
    count the person's promises.
    """
    stories = _stories(found)
    groups = [_group(begun, entries, stories) for begun, entries in _by_period(found)]
    text = "\n".join(group for group in groups if group) or _nothing(found)
    foot = [f"-# {_page(found)}"] if _page(found) else []
    details = Button("Details", _turn(TurnDetails, found, only, found.page, _same_page(found)))
    hint = [_NO_TRADE] if _waits_for_first_trade(found, only) else []
    return Card(
        "open", (*_head(found, only, every), text, *hint, *foot), ((*_turns(TurnHistory, found, only), details),)
    )


def details_card(found: HistoryPage, only: Filter, every: Sequence[EntryView] = ()) -> Card:
    """Return the same entries in the ledger's exact words, with numbers and kinds, and the newest entry's hash.

    /audit verify reads the hash in this form.
    """
    text = "\n".join(map(_detail, found.entries)) or _nothing(found)
    foot = " · ".join((*filter(None, [_page(found)]), f"as of entry {found.until_seq}"))
    hashed = [f"-# `#{entry.seq} {entry.hash}`" for entry in found.entries[:1] if entry.hash]
    short = Button("In short", _turn(TurnHistory, found, only, found.page, _same_page(found)))
    rows = ((*_turns(TurnDetails, found, only), short),)
    return Card("open", (*_head(found, only, every), text, *hashed, f"-# {foot}"), rows)


def _head(found: HistoryPage, only: Filter, every: Sequence[EntryView]) -> tuple[str, ...]:
    view = found.view
    head = [f"### What happened at {escape(view.name)}{filtered_text(view, only)}"]
    seat = accounts.seat_of(every, only.person) if only.person else None
    if seat is not None:
        head += [promises_text(every, only.person), *tenure_lines(every, only.person, seat)]
    return tuple(head)


# ---------------------------------------------------------------- in short


def _by_period(found: HistoryPage) -> Iterator[tuple[EntryView | None, list[EntryView]]]:
    """Yield each turn or phase, as the entry that began it, with its entries; newest first."""

    def begun(entry: EntryView) -> int:
        return found.begun[entry.seq].seq if entry.seq in found.begun else 0

    for _, entries in groupby(found.entries, begun):
        every = list(entries)
        yield found.begun.get(every[0].seq), every


def _stories(found: HistoryPage) -> dict[int, str]:
    """Return the story of each entry that gets a line, by entry number."""
    newer = dict(zip((entry.seq for entry in found.entries[1:]), found.entries, strict=False))
    begins = {begun.seq for begun in found.begun.values()}  # the headings tell these
    told = (entry for entry in found.entries if entry.seq not in begins and is_told(entry, newer.get(entry.seq)))
    stories = {entry.seq: truncate(story(entry), STORY_MAX) for entry in told}
    if sum(map(len, stories.values())) <= PAGE_MAX:
        return stories
    return {seq: truncate(text, SHORTER) for seq, text in stories.items()}


def _group(begun: EntryView | None, entries: Sequence[EntryView], stories: Mapping[int, str]) -> str:
    """Return the events of a turn or phase under its name; only the name if there are none."""
    lines = [f"- {stories[entry.seq]} · {_when(entry)}" for entry in entries if entry.seq in stories]
    if begun is not None:
        return "\n".join((f"**{format_text(begun, begun.entry.heading())}** · {_when(begun)}", *lines))
    return "\n".join((f"**{SET_UP}**", *lines)) if lines else ""


def _when(entry: EntryView) -> str:
    return f"<t:{entry.at // 1000}:R>"


_NO_TRADE = "-# No trade yet. **/offer post** makes the first offer; without options it opens a form."


def _waits_for_first_trade(found: HistoryPage, only: Filter) -> bool:
    view = found.view
    return view.open and not view.offers_posted and not only.person and not only.offer


def _nothing(found: HistoryPage) -> str:
    if found.older:
        return "Nothing here, but there is more to look through: **More**."
    return "Nothing of theirs yet. What they offer, trade and promise will stand here."


# ---------------------------------------------------------------- in detail


def _detail(entry: EntryView) -> str:
    line = f"**#{entry.seq}** <t:{entry.at // 1000}:f> {sentence(entry)}"
    return f"{truncate(line, DETAIL_MAX)}\n-# `{entry.kind}`"


# ---------------------------------------------------------------- pages


def _page(found: HistoryPage) -> str:
    """Return the page number; empty for a single page, or if pages are not counted."""
    last = -(-(found.total or 0) // LINES)  # rounded up
    return f"Page {found.page} of {last}" if last > 1 else ""


def _turns(kind: type[TurnHistory] | type[TurnDetails], found: HistoryPage, only: Filter) -> tuple[Button, ...]:
    """Return the buttons to newer and older entries."""
    if found.total is None:
        back = [Button("Back", _turn(kind, found, only, max(1, found.page - 1), -found.newer))] if found.newer else []
        more = [Button("More", _turn(kind, found, only, found.page + 1, found.older))] if found.older else []
        return (*back, *more)
    last = -(-found.total // LINES)
    pages = (("Back", found.page - 1), ("More", found.page + 1))
    return tuple(Button(label, _turn(kind, found, only, page)) for label, page in pages if 1 <= page <= last)


def _turn(
    kind: type[TurnHistory] | type[TurnDetails], found: HistoryPage, only: Filter, page: int, beside: int = 0
) -> Action:
    return kind(found.view.id, found.until_seq, page, only.person, only.offer, beside)


def _same_page(found: HistoryPage) -> int:
    """Return the ``beside`` that finds this page again, if pages are not counted."""
    return found.newer + 1 if found.total is None and found.newer else 0
