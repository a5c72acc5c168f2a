"""Stock: the goods that autocomplete suggests for one side, as far as the viewer may know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.rules.game import Suggestion
from bot.rules.model.debts import owed
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.views import OfferView, SeatView, TableView
from bot.show.names import game_of

HAVE, THEY_HAVE, ANYBODY_HAS, CUT = (
    "all you have",
    "all they have",
    "all anybody has",
    "the maximum",
)
"""The remarks on an amount that was cut to the maximum."""


@dataclass(frozen=True, slots=True)
class Stock:
    """Goods to choose from. ``giver`` is the seat that would give them; None for any or none.

    ``suggest`` returns what is left beside the goods already written. ``cut`` is the remark on an
    amount that was cut to the maximum. In an empty field ``first`` comes first, and ``recent``, the
    goods of open offers, last.
    """

    giver: str | None
    suggest: Callable[[Goods], Sequence[Suggestion]]
    cut: str = HAVE
    recent: tuple[Goods, ...] = ()
    first: tuple[Goods, ...] = ()

    def only(self, passes: Callable[[Suggestion], bool]) -> Stock:
        """Return a stock with only the suggestions that pass."""
        return replace(
            self, suggest=lambda beside: [each for each in self.suggest(beside) if passes(each)]
        )

    def has(self, goods: Goods) -> bool:
        """Return whether the suggestions cover all of these goods together."""
        for token, count in goods.items():
            beside = Goods({other: some for other, some in goods.items() if other != token})
            if count > next((each.most for each in self.suggest(beside) if each.token == token), 0):
                return False
        return True


def own(view: TableView, partner: str | None = None) -> Stock:
    """Return what the viewer could offer, hidden goods included. ``partner`` is the recipient."""
    seat = view.seats.get(view.seat or "")
    if seat is None:
        return Stock(None, lambda beside: ())
    if not view.tracked:
        return _uncounted(view, seat.id, [seat])
    suggest = game_of(view).goods.suggest
    stock = Stock(
        seat.id, lambda beside: suggest(seat, beside), recent=_asked_of(view, seat.id, partner)
    )
    return stock.only(lambda each: each.offered)


def in_hand(view: TableView, offer: int | None = None) -> Stock:
    """Return everything that the viewer could hand over, whether or not an offer may name it.

    If this offer names every card to hand over, those cards come first.
    """
    seat = view.seats.get(view.seat or "")
    if seat is None or not view.tracked:
        return own(view)
    suggest, can_be_held = game_of(view).goods.suggest, game_of(view).goods.can_be_held
    asked = view.offers[offer].own.choices if offer is not None and offer in view.offers else None
    first = (asked.named,) if asked is not None and asked.named.total() == asked.total else ()
    stock = Stock(seat.id, lambda beside: suggest(seat, beside), first=first)
    return stock.only(lambda each: can_be_held(Goods({each.token: 1})))


def of_others(view: TableView, giver: str | None) -> Stock:
    """Return what another seat (None: any other) could give, as far as everybody knows.

    It leaves out unique cards that the viewer can see elsewhere.
    """
    seats = [
        _as_all_see(seat)
        for seat in view.seats.values()
        if giver in (None, seat.id) and seat.id != view.seat
    ]
    if not view.tracked:
        return _uncounted(view, giver, seats)
    mine = view.seats[view.seat].known if view.seat else NOTHING
    seen_elsewhere = sum(
        (seat.in_play for seat in view.seats.values()), mine if view.seat != giver else NOTHING
    )

    def suggest(beside: Goods) -> Sequence[Suggestion]:
        found: dict[str, Suggestion] = {}
        for each in (each for seat in seats for each in game_of(view).goods.suggest(seat, beside)):
            known = found.get(each.token)
            if (
                each.offered
                and not (each.token in seen_elsewhere and not each.several)
                and (known is None or known.most < each.most)
            ):
                found[each.token] = each
        return list(found.values())

    return Stock(giver, suggest, THEY_HAVE if giver else ANYBODY_HAS, _given_by(view, giver))


def everything(view: TableView, giver: str | None) -> Stock:
    """Return everything that a seat could have: for goods that are set or gained, or if nobody
    counts.
    """
    every = game_of(view).goods.every(view)
    return Stock(giver, lambda beside: every, CUT)


def _uncounted(view: TableView, giver: str | None, seats: Sequence[SeatView]) -> Stock:
    """Return what can be offered if nobody counts: everything, and goods that exist only in
    offers.
    """
    suggest, every = (
        game_of(view).goods.suggest,
        {each.token: each for each in game_of(view).goods.every(view)},
    )
    guessed = {each.token: each for seat in seats for each in suggest(_as_all_see(seat), NOTHING)}
    anything = list({**guessed, **every}.values())
    return Stock(giver, lambda beside: anything, CUT).only(lambda each: each.offered)


def vocabulary(view: TableView) -> set[str]:
    """Return every component that a list, or a draft, of the viewer's may name at this table."""
    every = (
        *game_of(view).goods.every(view),
        *own(view).suggest(NOTHING),
        *of_others(view, None).suggest(NOTHING),
    )
    held = (token for each in view.seats.values() for token in (*each.known, *each.in_play))
    debts = game_of(view).debts
    words = (owed(debts.token), *(each.payment for each in view.debts)) if debts else ()
    return {*(each.token for each in every), *held, *words}


def to_set(view: TableView, seat: str | None) -> Stock:
    """Return everything that a seat's goods could be set to, beginning with all that lies open
    before it now.
    """
    there = view.seats[seat].open if seat is not None else NOTHING
    every, can_be_held = game_of(view).goods.every(view), game_of(view).goods.can_be_held
    can_be = [each for each in every if can_be_held(Goods({each.token: 1}))]
    as_now = [each._replace(usual=there.count(each.token) or each.usual) for each in can_be]
    return replace(
        everything(view, seat),
        suggest=lambda beside: as_now,
        first=(there,) if len(there) > 1 else (),
    )


# ---------------------------------------------------------------- what the viewer knows


def _as_all_see(seat: SeatView) -> SeatView:
    return replace(seat, hidden=None)


def _asked_of(view: TableView, seat: str, partner: str | None) -> tuple[Goods, ...]:
    """Return what open offers, or the partner's, ask of a seat, newest first, then what it offers
    itself.
    """
    offers = _open_offers(view)
    others = [each for each in offers if each.poster != seat and partner in (None, each.poster)]
    asked = [each.sides.want for each in others if each.to in (None, seat)]
    offered = [each.sides.give for each in offers if each.poster == seat]
    return tuple(dict.fromkeys(goods for goods in (*asked, *offered) if goods))


def _given_by(view: TableView, giver: str | None) -> tuple[Goods, ...]:
    """Return what a seat (None: any other) offers, newest first, then what the viewer asks for."""
    offers = _open_offers(view)
    given = [
        each.sides.give
        for each in offers
        if each.poster != view.seat and giver in (None, each.poster)
    ]
    asked = [
        each.sides.want for each in offers if each.poster == view.seat and each.to in (None, giver)
    ]
    return tuple(dict.fromkeys(goods for goods in (*given, *asked) if goods))


def _open_offers(view: TableView) -> list[OfferView]:
    """Return the open offers, newest first."""
    return sorted(
        (each for each in view.offers.values() if each.status == "open"),
        key=lambda each: -each.number,
    )
