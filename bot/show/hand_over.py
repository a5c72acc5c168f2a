"""What handing over means for an offer, in words, for games with hidden hands."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.model.goods import Goods
from bot.rules.views import HandOverView, OfferView, TableView
from bot.show.goods import goods_text
from bot.show.names import Named, game_of, mention, plain_text

HAND_OVER = "Hand over"
"""The label of the button that begins it."""

CardOption = tuple[str, str, bool]
"""A card to pick: label, value, whether it is picked already.

Values are ``token#copy``, since Discord requires them to differ within a list.
"""


def hands_over(view: TableView) -> bool:
    """Return whether this table hands goods over in a separate step, which also means that hands are secret."""
    return view.tracked and game_of(view).exchange is not None


def card_options(named: Named, cards: Goods, chosen: Goods) -> list[CardOption]:
    """Return an option for each copy of each of these cards."""
    describe = game_of(named).goods.describe_card
    return [
        (plain_text(named, describe(token)), f"{token}#{copy}", copy <= chosen.count(token))
        for token, held in cards.items()
        for copy in range(1, held + 1)
    ]


def what_to_choose(view: TableView, asked: HandOverView) -> str:
    """Return which cards are required, and how many more the player may choose freely."""
    free = asked.total - asked.named.total()
    named = [goods_text(view, asked.named)] if asked.named else []
    more = [f"{'one more' if named else 'one card'} of your choice" if free == 1 else _several(free, bool(named))]
    return f"You promised {' and '.join((*named, *(more if free else ())))}."


def _several(free: int, named: bool) -> str:
    return f"{free} {'more' if named else 'cards'} of your choice"


# ---------------------------------------------------------------- an offer to all
#
# The offer closes by itself with the only taker who has handed over, once the poster has too. With several takers, the
# poster picks.


def what_handing_over_does(view: TableView, offer: OfferView) -> str:
    """Return what follows if the viewer, a taker of an offer to all, hands over now."""
    poster, others = mention(offer, offer.poster), _sealed_others(view, offer)
    if offer.poster in offer.progress.sealed:
        if not others:
            return "Hand over now, and it is done at once."
        return f"{poster} has handed over, and so {_have(offer, others)}: {poster} picks one of those who do."
    if not others:
        return f"Hand over now, and it is done as soon as {poster} hands over too, if nobody else has by then."
    return f"{_mentions(offer, others)} {_has(others)} handed over already: {poster} picks one of those who do."


def what_sealed_waits_for(view: TableView, offer: OfferView) -> str:
    """Return what an offer to all waits for, for a taker who has handed over."""
    poster, others = mention(offer, offer.poster), _sealed_others(view, offer)
    if others:
        return f"{_mentions(offer, others)} {_has(others)} handed over too, so {poster} picks."
    return f"It is done as soon as {poster} hands over theirs, if nobody else has by then."


def sealed_with_poster(offer: OfferView) -> str:
    """Return what the poster of an offer to all must do once one or more takers have handed over."""
    sealed = offer.progress.sealed_takers
    who = f"{_mentions(offer, sealed)} {_has(sealed)} handed over"
    if offer.poster in offer.progress.sealed:
        return f"👉 {who} too. Pick one, and it is done."
    if len(sealed) > 1:
        return f"👉 {who} already. Hand over too, and pick one."
    return f"👉 {who} already. Hand over too, and it is done."


def _sealed_others(view: TableView, offer: OfferView) -> list[str]:
    return [seat for seat in offer.progress.sealed_takers if seat != view.seat]


def _have(offer: OfferView, seats: Sequence[str]) -> str:
    return f"{_has(seats)} {_mentions(offer, seats)}"


def _has(seats: Sequence[str]) -> str:
    return "has" if len(seats) == 1 else "have"


def _mentions(offer: OfferView, seats: Sequence[str]) -> str:
    return " and ".join(mention(offer, seat) for seat in seats)
