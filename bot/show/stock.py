"""Stock: the goods that autocomplete suggests for one side, as far as the viewer may know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from bot.rules.game import Suggestion
from bot.rules.model.debts import owed
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.values import frozen
from bot.rules.views import OfferView, SeatView, TableView
from bot.show.names import game_of

HAVE = "all you have"
THEY_HAVE = "all they have"
ANYBODY_HAS = "all anybody has"
CUT = "the maximum"
"""The remarks on an amount that was cut to the maximum."""


@frozen
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
        return replace(self, suggest=lambda beside: [*filter(passes, self.suggest(beside))])

    def most(self, token: str, beside: Goods = NOTHING) -> int:
        """Return the highest number of a component that this stock has."""
        for suggestion in self.suggest(beside):
            if suggestion.token == token:
                return suggestion.most
        return 0

    def has(self, goods: Goods) -> bool:
        """Return whether the suggestions cover all of these goods together."""
        for token, count in goods.items():
            if count > self.most(token, beside=goods - Goods({token: count})):
                return False
        return True


def own(view: TableView, partner: str | None = None) -> Stock:
    """Return what the viewer could offer, hidden goods included. ``partner`` is the recipient."""
    seat = view.seats.get(view.seat or "")
    if seat is None:
        return Stock(None, lambda beside: ())
    if not view.tracked:
        return _uncounted(view, seat.id, [seat])
    suggest = partial(game_of(view).goods.suggest, seat)
    stock = Stock(seat.id, suggest, recent=_asked_of(view, seat.id, partner))
    return stock.only(_may_be_offered)


def in_hand(view: TableView, offer: int | None = None) -> Stock:
    """Return everything that the viewer could hand over, whether or not an offer may name it.

    If this offer names every card to hand over, those cards come first.
    """
    seat = view.seats.get(view.seat or "")
    if seat is None or not view.tracked:
        return own(view)
    first: tuple[Goods, ...] = ()
    if (asked := view.offers.get(offer or 0)) is not None and asked.own.choices is not None:
        named = asked.own.choices.named
        if named.total() == asked.own.choices.total:
            first = (named,)
    suggest = partial(game_of(view).goods.suggest, seat)
    return Stock(seat.id, suggest, first=first).only(partial(_can_be_held, view))


def of_others(view: TableView, giver: str | None) -> Stock:
    """Return what another seat (None: any other) could give, as far as everybody knows.

    It leaves out unique cards that the viewer can see elsewhere.
    """
    givers = [seat for seat in view.seats.values() if giver in (None, seat.id)]
    seats = [_as_all_see(seat) for seat in givers if seat.id != view.seat]
    if not view.tracked:
        return _uncounted(view, giver, seats)
    seen_elsewhere = set(chain.from_iterable(seat.in_play for seat in view.seats.values()))
    if view.seat and view.seat != giver:
        seen_elsewhere |= {*view.seats[view.seat].known}

    def suggest(beside: Goods) -> Sequence[Suggestion]:
        best: dict[str, Suggestion] = {}
        for seat in seats:
            for suggestion in game_of(view).goods.suggest(seat, beside):
                token, known = suggestion.token, best.get(suggestion.token)
                if not suggestion.several and token in seen_elsewhere:
                    continue
                if suggestion.offered and (known is None or known.most < suggestion.most):
                    best[token] = suggestion
        return list(best.values())

    return Stock(giver, suggest, THEY_HAVE if giver else ANYBODY_HAS, _given_by(view, giver))


def everything(view: TableView, giver: str | None) -> Stock:
    """Return everything that a seat could have: for goods that are set or gained, or if nobody
    counts.
    """
    components = game_of(view).goods.every(view)
    return Stock(giver, lambda beside: components, CUT)


def _uncounted(view: TableView, giver: str | None, seats: Sequence[SeatView]) -> Stock:
    """Return what can be offered if nobody counts: everything, and goods that exist only in
    offers.
    """
    language = game_of(view).goods
    components: dict[str, Suggestion] = {}
    for seat in seats:
        for suggestion in language.suggest(_as_all_see(seat), NOTHING):
            components[suggestion.token] = suggestion
    components |= {suggestion.token: suggestion for suggestion in language.every(view)}
    suggestions = list(components.values())
    return Stock(giver, lambda beside: suggestions, CUT).only(_may_be_offered)


def vocabulary(view: TableView) -> set[str]:
    """Return every component that a list, or a draft, of the viewer's may name at this table."""
    components = list(game_of(view).goods.every(view))
    components += own(view).suggest(NOTHING)
    components += of_others(view, None).suggest(NOTHING)
    tokens = {component.token for component in components}
    for seat in view.seats.values():
        tokens |= {*seat.known, *seat.in_play}
    debts = game_of(view).debts
    if debts:
        tokens |= {owed(debts.token), *(debt.payment for debt in view.debts)}
    return tokens


def to_set(view: TableView, seat: str | None) -> Stock:
    """Return everything that a seat's goods could be set to, beginning with all that lies open
    before it now.
    """
    present = view.seats[seat].open if seat is not None else NOTHING
    suggestions = []
    for component in game_of(view).goods.every(view):
        if not _can_be_held(view, component):
            continue
        usual = present.count(component.token) or component.usual
        suggestions.append(component._replace(usual=usual))
    first = (present,) if len(present) > 1 else ()
    return Stock(seat, lambda beside: suggestions, CUT, first=first)


def _may_be_offered(suggestion: Suggestion) -> bool:
    return suggestion.offered


def _can_be_held(view: TableView, suggestion: Suggestion) -> bool:
    return game_of(view).goods.can_be_held(Goods({suggestion.token: 1}))


# ---------------------------------------------------------------- what the viewer knows


def _as_all_see(seat: SeatView) -> SeatView:
    return replace(seat, hidden=None)


def _asked_of(view: TableView, seat: str, partner: str | None) -> tuple[Goods, ...]:
    """Return what open offers, or the partner's, ask of a seat, newest first, then what it offers
    itself.
    """
    asked, offered = [], []
    for offer in _open_offers(view):
        if offer.poster == seat:
            offered.append(offer.sides.give)
        elif partner in (None, offer.poster) and offer.to in (None, seat):
            asked.append(offer.sides.want)
    return tuple(dict.fromkeys(filter(None, asked + offered)))


def _given_by(view: TableView, giver: str | None) -> tuple[Goods, ...]:
    """Return what a seat (None: any other) offers, newest first, then what the viewer asks for."""
    given, asked = [], []
    for offer in _open_offers(view):
        if offer.poster != view.seat and giver in (None, offer.poster):
            given.append(offer.sides.give)
        elif offer.poster == view.seat and offer.to in (None, giver):
            asked.append(offer.sides.want)
    return tuple(dict.fromkeys(filter(None, given + asked)))


def _open_offers(view: TableView) -> list[OfferView]:
    """Return the open offers, newest first."""
    offers = [offer for offer in view.offers.values() if offer.status == "open"]
    return sorted(offers, key=lambda offer: -offer.number)
