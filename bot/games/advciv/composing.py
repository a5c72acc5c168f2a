"""Composing an offer without typing: what it says of the cards that are picked, and proposals for
one tap [28.3].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from bot.api import NOTHING, Goods, Proposal, TableView
from bot.games.advciv.cards import UNNAMED, box, describe_short, either, named, tradable
from bot.games.advciv.sets import set_worth, worth
from data.advciv import CARDS_A_SIDE, NAMED_A_SIDE

IN_SHORT = (
    "Each side gives three cards or more and names two of them truly; the rest may be anything "
    "[28.3]."
)

PROPOSALS_MAX = 3
"""The most proposals: more would push the pickers off a phone's screen."""


def promise(cards: Goods, said: Goods) -> Goods:
    """Return what an offer says of the cards that its poster picked to give.

    ``said`` are the cards to name, and claims about the others; without cards to name, the offer
    names two. Unnamed cards fill a side up to three.
    """
    if not cards:
        return NOTHING
    name = named(said).common(cards)
    if not name:  # two of one commodity if there are, else the two of the highest value
        sets = cards.of_kind("commodity")
        pairs = [token for token in sets if sets[token] >= NAMED_A_SIDE]
        best = sorted(pairs or sets, key=lambda token: -set_worth(token, 1))
        two = best[:1] * NAMED_A_SIDE if pairs else best[:NAMED_A_SIDE]
        name = Goods.of(two)
    rest = max(cards.total(), CARDS_A_SIDE) - name.total()
    claimed = list(said.of_kind("claim", "said").tokens())
    claims = Goods.of(claimed[:rest])
    return name + claims + _unnamed(rest - claims.total())


def wish(goods: Goods) -> Goods:
    """Return what an offer wants, completed: one commodity means two of it, and unnamed cards fill
    it up to three.
    """
    name = named(goods)
    if name.total() == 1:
        name = Goods({token: min(NAMED_A_SIDE, box()[token]) for token in name})
    if not name:
        return NOTHING
    return name + _unnamed(max(CARDS_A_SIDE - name.total(), goods.count(UNNAMED)))


def one_of(goods: Goods) -> Goods:
    """Return a wish for one of the commodities named, with unnamed cards up to three cards."""
    commodities = named(goods)
    if not commodities:
        return NOTHING
    options = [Goods({token: count}) for token, count in commodities.items()]
    least = min(commodities.values())
    return Goods({either(options): 1}) + _unnamed(CARDS_A_SIDE - least)


def to_name(goods: Goods) -> int:
    """Return how many more cards a side must name: two at least."""
    return max(0, NAMED_A_SIDE - named(goods).total())


def _unnamed(count: int) -> Goods:
    return Goods({UNNAMED: count} if count > 0 else {})


# ---------------------------------------------------------------- proposals


def proposals(view: TableView, partner: str | None) -> Sequence[Proposal]:
    """Propose trades that help the viewer's sets: for more of those that would grow most, what
    costs them the least.

    They follow from the viewer's hand and from the offers that they can read. ``partner`` is None
    for everybody.
    """
    if view.seat is None or not view.tracked:
        return ()
    hand = tradable(view.seats[view.seat].known)
    sets = hand.of_kind("commodity")
    if hand.total() < CARDS_A_SIDE:
        return ()
    two_more = {token: Goods({token: NAMED_A_SIDE}) for token in sets}
    growing = [token for token in sets if sets[token] + NAMED_A_SIDE <= box()[token]]
    growing.sort(key=lambda token: (-worth(sets + two_more[token]), token))
    trades: dict[tuple[Goods, Goods], Proposal] = {}
    for token in growing[:PROPOSALS_MAX]:
        gives = (goods for goods in _gives(view, partner, sets) if not goods.count(token))
        give = next(gives, None)
        if give is not None:
            get = wish(two_more[token])
            label = f"{describe_short(give)} for {describe_short(get)}"
            trades[give, get] = Proposal(label, give, get, unasked=True)
    return list(trades.values())


def _gives(view: TableView, partner: str | None, sets: Goods) -> Iterator[Goods]:
    """Yield what the viewer could give: what open offers ask for, then two cards that their sets
    miss the least.
    """
    for offer in (view.offers[number] for number in view.by_interest):
        asks = (
            offer.status == "open"
            and offer.exact
            and offer.role == "addressed"
            and partner in (None, offer.poster)
        )
        asked = named(offer.sides.want)
        if asks and asked.total() >= NAMED_A_SIDE and not sets.missing(asked):
            yield promise(asked, asked)
    two = [Goods({token: NAMED_A_SIDE}) for token in sets if sets[token] >= NAMED_A_SIDE]
    two += [Goods.of(tokens) for tokens in combinations(sorted(sets), 2)]
    two.sort(key=lambda cards: -worth(sets - cards))
    for cards in two:
        yield promise(cards, cards)
