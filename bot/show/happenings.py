"""/history: what happened, a line for each happening, under the turn or phase in which it was; in detail on request.

A page is drawn from the entries each time its buttons are pressed, as the presser may see it; see `bot.show.history`.
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
"""Characters of one happening, of each where all of them together are longer than a page takes, and that length.

An icon is drawn with more characters than it is written with here; a message holds 4000.
"""

DETAIL_MAX = 360
"""Characters of one happening in detail."""

SET_UP = "Setting up"
"""What stands over what happened before anything had begun."""


def history_card(found: HistoryPage, only: Filter, every: Sequence[EntryView] = ()) -> Card:
    """Return a page of what happened, newest first, in sentences.

    ``every`` are all entries up to the newest one shown of the kinds `accounts.STANDING`. A filter by person needs
    them, to count the person's promises.
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
    """Return the same entries with their numbers and kinds in the exact words of the ledger, and the newest one's hash.

    That one is written as /audit verify reads it.
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
    """Yield the entries of each turn or phase with the one with which it began, newest first."""

    def begun(entry: EntryView) -> int:
        return found.begun[entry.seq].seq if entry.seq in found.begun else 0

    for _, entries in groupby(found.entries, begun):
        every = list(entries)
        yield found.begun.get(every[0].seq), every


def _stories(found: HistoryPage) -> dict[int, str]:
    """Return the story of each entry that is a happening of its own, by its number."""
    newer = dict(zip((entry.seq for entry in found.entries[1:]), found.entries, strict=False))
    begins = {begun.seq for begun in found.begun.values()}  # those are told by the heading
    told = (entry for entry in found.entries if entry.seq not in begins and is_told(entry, newer.get(entry.seq)))
    stories = {entry.seq: truncate(story(entry), STORY_MAX) for entry in told}
    if sum(map(len, stories.values())) <= PAGE_MAX:
        return stories
    return {seq: truncate(text, SHORTER) for seq, text in stories.items()}


def _group(begun: EntryView | None, entries: Sequence[EntryView], stories: Mapping[int, str]) -> str:
    """Return the happenings of a turn or phase under its name; of one in which nothing has happened, the name alone."""
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
    """Return which page it is; empty for the only one, and where pages are not counted."""
    last = -(-(found.total or 0) // LINES)  # rounded up
    return f"Page {found.page} of {last}" if last > 1 else ""


def _turns(kind: type[TurnHistory] | type[TurnDetails], found: HistoryPage, only: Filter) -> tuple[Button, ...]:
    """Return the buttons to newer and to older entries."""
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
    """Return the entry beside which this page is found again, where pages are not counted."""
    return found.newer + 1 if found.total is None and found.newer else 0
