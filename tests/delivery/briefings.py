"""Briefings by hand: alice (Hacan, 11), bob (Sol, 12) and carol (Letnev, 13) at table 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bot.rules.entries import Entry
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Sides
from bot.rules.model.people import Names, Person
from bot.rules.model.table import DEFAULT_SETTINGS
from bot.rules.model.windows import Window
from bot.rules.views import (
    BoardView,
    DealView,
    EntryView,
    OfferView,
    PromptView,
    SeatView,
    TableView,
)
from bot.service import Briefing, SeatBriefing
from tests.show.playing import with_changes

SEATS = {"hacan": 11, "sol": 12, "letnev": 13}
ALICE, BOB, CAROL = SEATS.values()
CHANNEL = 500
PEOPLE = {
    number: Person(number, user, name)
    for number, (user, name) in enumerate(
        zip(SEATS.values(), ("alice", "bob", "carol"), strict=True), start=1
    )
}
NAMES = Names("ti4", PEOPLE, dict(zip(SEATS, PEOPLE, strict=True)))


def offer(number: int = 1, **changes: Any) -> OfferView:
    """alice offers bob a trade good for a commodity; ``role`` is filled in by `briefing`."""
    plain = OfferView(
        table=1,
        number=number,
        revision=1,
        status="open",
        poster="hacan",
        to="sol",
        sides=Sides(Goods({"trade_good": 1}), Goods({"commodity": 1})),
        exact=True,
        private=False,
        names=NAMES,
    )
    return with_changes(plain, **changes)


def deal(**changes: Any) -> DealView:
    """alice proposed a deal to bob."""
    plain = DealView(
        table=1,
        number=1,
        seat="hacan",
        to="sol",
        terms="peace",
        status="proposed",
        private=False,
        names=NAMES,
        mine=True,
    )
    return replace(plain, **changes)


def entry(made: Entry, *, seq: int = 9, by: int | None = 1, **changes: Any) -> EntryView:
    view = EntryView(1, seq, 0, by, made.kind, made, NAMES, True)
    return replace(view, **{"seats": made.seats(), "hash": "0" * 64, **changes})


def briefing(
    *offers: OfferView,
    entries: Iterable[EntryView] = (),
    deals: Iterable[DealView] = (),
    prompts: Iterable[PromptView] = (),
    rooms: Mapping[int, TableView] | None = None,
    empty: Iterable[str] = (),
) -> Briefing:
    """The table with these offers, entries, deals and prompts. ``empty`` are the seats that nobody
    sits in.
    """
    public = table(None, offers, deals, prompts)
    taken = dict(SEATS)
    for seat in empty:
        del taken[seat]
    seats = dict[str, SeatBriefing]()
    for seat, user in taken.items():
        seats[seat] = SeatBriefing(
            seat=seat,
            user_id=user,
            person=NAMES.holders[seat] or 0,
            view=table(seat, offers, deals, prompts),
            make_shared_view=partial(table, seat, offers, deals),
            entries=tuple(replace(each, mine=each.seats & {seat}) for each in entries),
        )
    return Briefing(
        table_id=1,
        guild_id=7,
        channel_id=CHANNEL,
        seq=9,
        open=True,
        public=public,
        rooms=rooms or {},
        seats=seats,
        entries=tuple(entries),
    )


def table(
    seat: str | None,
    offers: Iterable[OfferView],
    deals: Iterable[DealView] = (),
    prompts: Iterable[PromptView] = (),
) -> TableView:
    """The table as this seat sees it; None for everybody."""
    readable = [offer for offer in offers if not offer.private or offer.party(seat)]
    seen = {offer.number: _seen(offer, seat) for offer in readable}
    return TableView(
        id=1,
        seq=9,
        game="ti4",
        name="Friday",
        host=1,
        open=True,
        phase="action",
        window=Window(3, "turn", "hacan"),
        settings=DEFAULT_SETTINGS,
        pairwise=True,
        names=NAMES,
        seat=seat,
        hosts=False,
        seats={
            id: SeatView(id, id, id.title(), number, hidden=Goods())
            for number, id in enumerate(SEATS, start=1)
        },
        offers=seen,
        by_interest=tuple(seen),
        deals={each.number: each for each in deals},
        negotiations={},
        prompts=tuple(each for each in prompts if each.seat == seat),
        board=BoardView(("alice's turn",)),
        transactions=0,
        offers_posted=len(seen),
        deals_proposed=0,
    )


def _seen(each: OfferView, seat: str | None) -> OfferView:
    if seat is None or not each.party(seat):
        return each
    return replace(each, role="poster" if seat == each.poster else "addressed")
