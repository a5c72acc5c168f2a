"""The visible entry: the only code that turns an entry into something a person may see.

`see_entry` returns an `EntryView`, and `redact` the entry without what is sealed for others.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.entries import Entry, Part, Recorded, may_be_all_sealed, public_fields, sealed_fields
from bot.rules.features.offers.entries import OfferConfided, OfferEntry, Transaction
from bot.rules.features.offers.menu import other_offers
from bot.rules.guard import blamed, presented
from bot.rules.model.people import holders_at, host_at
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from bot.rules.views import EntryView, FollowUpView, Viewer


def see_entry(
    recorded: Recorded,
    viewer: Viewer,
    game: str,
    after: Table | None = None,
    follow_ups: Sequence[FollowUpView] | None = None,
) -> EntryView:
    """Return an entry as this viewer may see it. Sealed fields that they may not know are None.

    People are named as they were at that entry. ``after`` is the table right after the entry, if
    available; without it, the view has no follow-ups and no buttons. ``follow_ups``: those of all
    seats, if they are known.
    """
    entry, seq, seat = recorded.entry, recorded.seq, viewer.knowing_seat
    if after is not None and follow_ups is None:
        follow_ups = follow_ups_of(recorded, after)
    with blamed(game, f"{type(entry).__name__}.redacted"):
        seen = redact(entry, viewer, seq)
    held = viewer.held(seq)
    mine = held & (entry.seats() | entry.parties())
    then = seat if seat in held else None
    traded = isinstance(entry, Transaction) and then in (entry.first, entry.second)
    own = viewer.seat if viewer.seat in mine else None
    return EntryView(
        table=recorded.table_id,
        seq=seq,
        at=recorded.at,
        by=recorded.by,
        kind=seen.kind,
        entry=seen,
        names=viewer.names(game, holders_at(viewer.roster, seq)),
        complete=seen is entry,
        seats=seen.seats() | seen.parties(),
        mine=mine,
        hash=recorded.hash,
        # Each is for the person who held its seat then: it may reveal the hand, as their other
        # offers do.
        follow_ups=tuple(each for each in follow_ups or () if viewer.sees_all or each.seat == then),
        other_offers=other_offers(after, then) if traded and after and then else (),
        take_back=game_of(after).commands.take_back(after, entry, own) if after and own else None,
        by_host=recorded.by == host_at(viewer.hosted, seq),
        secret=seen is not entry and _is_all_sealed(seen),
    )


def _is_all_sealed(entry: Entry) -> bool:
    """Return whether what others may read of an entry says nothing at all."""
    if not may_be_all_sealed(type(entry)):
        return False
    return all(getattr(entry, name) is None for name in public_fields(type(entry)))


def redact(entry: Entry, viewer: Viewer, seq: int) -> Entry:
    """Return the entry with None in every sealed field that the viewer may not know; see
    `_parts_known`.

    Where the fields sealed for parties are open to the viewer as one of several, `Entry.redacted`
    takes away what only the other parties may know, also from an entry that has a field for the
    keeper besides.
    """
    if viewer.opened:
        return entry
    if not _confided_to(entry, viewer, seq):
        return OfferConfided()
    sealed, parts = sealed_fields(type(entry)), _parts_known(entry, viewer, seq)
    closed = {name: None for name, part in sealed.items() if part not in parts}
    seen = entry.model_copy(update=closed) if closed else entry
    if viewer.sees_all or ("parties" in sealed.values() and "parties" not in parts):
        return seen
    return seen.redacted(_parties_held(entry, viewer, seq))


def open_parts(entry: Entry, viewer: Viewer, seq: int) -> frozenset[Part]:
    """Return the sealed parts of entry ``seq``, as it is stored, of which the viewer may know
    something.
    """
    stored = entry.as_stored()
    if stored is entry:
        return _parts_known(entry, viewer, seq)
    known = viewer.opened or _confided_to(entry, viewer, seq)
    return frozenset(sealed_fields(type(stored)).values()) if known else frozenset()


def _parts_known(entry: Entry, viewer: Viewer, seq: int) -> frozenset[Part]:
    """Return the parts of the entry's sealed fields that the viewer may know.

    The parties and auditors know the part sealed for parties. Nobody knows the part sealed for the
    keeper. Both open when the table closes.
    """
    parts = frozenset(sealed_fields(type(entry)).values())
    if not parts or viewer.opened:
        return parts
    if viewer.audits or _parties_held(entry, viewer, seq):
        return parts & {"parties"}
    return frozenset()


def _confided_to(entry: Entry, viewer: Viewer, seq: int) -> bool:
    """Return whether the viewer may know that there is this entry."""
    if viewer.sees_all or not isinstance(entry, OfferEntry) or not entry.confided:
        return True
    held = viewer.held(seq) & (entry.seats() | entry.parties())
    return bool(held) and not viewer.shared


def _parties_held(entry: Entry, viewer: Viewer, seq: int) -> frozenset[str]:
    """Return which of the entry's parties the viewer was; none if others can read the card."""
    return frozenset() if viewer.shared else viewer.held(seq) & entry.parties()


def follow_ups_of(recorded: Recorded, after: Table) -> list[FollowUpView]:
    """Return the follow-ups of an entry for all seats.

    The features find the entry's number in ``seq``, though the table may be that after later
    entries of the command.
    """
    then = replace(after, seq=recorded.seq)
    return presented(after.game, game_of(after).features.follow_ups, then, recorded.entry)
