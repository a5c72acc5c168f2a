"""The trade cards of Advanced Civilization as tokens, how they are described, and their icons.

| token | what it is |
|---|---|
| ``commodity:salt`` ``calamity:epidemic`` | a trade card; in an offer a named card, which binds |
| ``either:2*grain/1*oil`` | in an offer, a choice that its taker makes |
| ``claim:silver`` ``claim:silver/gold`` | an unnamed card claimed to be one of these; not binding |
| ``said:no calamity`` | in an offer, an unnamed card with other words about it |
| ``unnamed`` | in an offer, a card about which nothing is said |
| ``cards`` | trade cards, for viewers who may not know how many and which |
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain, islice, product

from bot.api import NOTHING, Goods, Icon, kind_of, quoted
from data.advciv import Calamity, Commodity, TradeCard, calamities, commodities

UNNAMED, HIDDEN = "unnamed", "cards"

TRADE_CARDS = ("commodity", "calamity")
"""The kinds of tokens that are real cards."""


def token_of(card: TradeCard) -> str:
    """Return the token of a card."""
    return f"{'commodity' if isinstance(card, Commodity) else 'calamity'}:{card.id}"


@cache
def card_of(token: str) -> TradeCard:
    """Return the card that a token or a claim is about."""
    id = token.partition(":")[2]
    return commodities().get(id) or calamities()[id]


def calamity_of(token: str) -> Calamity:
    """Return the calamity of a token. Raises ``KeyError`` if it is not a calamity."""
    return calamities()[token.partition(":")[2]]


def commodity_of(token: str) -> Commodity:
    """Return the commodity of a token. Raises ``KeyError`` if it is not a commodity."""
    return commodities()[token.partition(":")[2]]


@cache
def box() -> Goods:
    """Return all trade cards of the game."""
    return Goods({token_of(card): card.count for card in commodities().values()}) + Goods(
        {token_of(card): 1 for card in calamities().values()}
    )


@cache
def may_be_traded(token: str) -> bool:
    """Return whether this card may ever be traded [29.2]."""
    card = card_of(token)
    return not isinstance(card, Calamity) or card.tradable


def tradable(goods: Goods) -> Goods:
    """Return the cards of a hand that may be traded: all except some calamities [29.2]."""
    if stay := {token: count for token, count in goods.items() if not may_be_traded(token)}:
        return goods - Goods(stay)
    return goods


def named(goods: Goods) -> Goods:
    """Return the named cards of one side of an offer. They must be among the cards handed over
    [28.3].
    """
    return goods.of_kind(*TRADE_CARDS)


def either(alternatives: Iterable[Goods]) -> str:
    """Return the token of a choice among these commodities, each a number of one kind."""
    pairs = chain.from_iterable(goods.items() for goods in alternatives)
    choices = (f"{count}*{card_of(token).id}" for token, count in pairs)
    return f"either:{'/'.join(choices)}"


def alternatives(token: str) -> list[Goods]:
    """Return the commodities among which this token leaves the choice."""
    pairs = (choice.split("*") for choice in token.partition(":")[2].split("/"))
    return [Goods({f"commodity:{id}": int(count)}) for count, id in pairs]


def count_at_least(goods: Goods) -> int:
    """Return how many cards these are; where a choice is left, the fewest that it can be."""
    count = goods.without_kind("either").total()
    for token in goods.of_kind("either").tokens():
        count += min(map(Goods.total, alternatives(token)))
    return count


def claim(cards: Iterable[TradeCard]) -> str:
    """Return the token of a card that is claimed to be one of these."""
    return f"claim:{'/'.join(card.id for card in cards)}"


def claim_of(token: str) -> list[TradeCard]:
    """Return the cards of which a card is claimed to be one."""
    return [card_of(f"claim:{id}") for id in token.partition(":")[2].split("/")]


def claimed(goods: Goods) -> Goods:
    """Return the cards that one side of an offer claims, with every card that a claim leaves
    possible.
    """
    cards = NOTHING
    for token, count in goods.of_kind("claim").items():
        for card in claim_of(token):
            cards += Goods({token_of(card): count})
    return cards


def claim_ways(goods: Goods) -> list[Goods]:
    """Return what the claims of one side of an offer can mean: the cards claimed, in each possible
    way.
    """
    choices = [claim_of(token) for token in goods.of_kind("claim").tokens()]
    ways = islice(product(*choices), WAYS_MAX)
    return [Goods.of(map(token_of, way)) for way in ways]


WAYS_MAX = 64
"""The most ways to read the claims of an offer; further ones are not reckoned with."""


# ---------------------------------------------------------------- descriptions


def describe(goods: Goods) -> str:
    """Describe cards in words: ``2 Salt, 1 Iron, 1 unnamed card (said to be Silver)``; ``nothing``
    for none.
    """
    return ", ".join(_described(token, goods[token]) for token in in_order(goods)) or "nothing"


def describe_short(goods: Goods) -> str:
    """Describe cards as people write them: ``2 Salt, Iron, unnamed (Silver)``."""
    return (
        ", ".join(_described(token, goods[token], short=True) for token in in_order(goods))
        or "nothing"
    )


def _described(token: str, count: int, *, short: bool = False) -> str:
    many = f"{count} " if count > 1 or not short else ""
    unnamed = f"{many}unnamed" if short else count_cards(count, "unnamed ")
    match kind_of(token):
        case "cards":
            return "trade cards"
        case "unnamed":
            return f"{count} unnamed" if short else unnamed
        case "claim":
            names = " or ".join(card.name for card in claim_of(token))
            return f"{unnamed} ({'' if short else 'said to be '}{names})"
        case "said":
            return f"{unnamed} (“{quoted(token.partition(':')[2])}”)"
        case "calamity" if not short:
            return card_of(token).name
        case "either":
            choices = alternatives(token)
            single = all(goods.total() == 1 for goods in choices)
            words = map(describe_short if short and single else describe, choices)
            return ", ".join([" or ".join(words)] * count)
        case _:
            return f"{many}{card_of(token).name}"


def in_order(goods: Goods) -> list[str]:
    """Return the tokens of these cards in display order."""
    return sorted(goods, key=_order)


def _order(token: str) -> tuple[int, int, str]:
    """Return the sort key: commodities by stack, then calamities, choices, and unnamed cards."""
    kind = kind_of(token)
    if kind in (UNNAMED, HIDDEN, "said"):
        return (3, 0, token)
    if kind == "either":
        return (1, 9, token)
    place = ("commodity", "calamity", "claim").index(kind)
    return (place, (claim_of(token)[0] if place == 2 else card_of(token)).stack, token)


def count_cards(count: int, what: str = "") -> str:
    """Return a number of cards in words: ``1 card``, ``3 cards``, ``3 unnamed cards``."""
    return f"{count} {what}card{'' if count == 1 else 's'}"


def count_cities(count: int) -> str:
    """Return a number of cities in words: ``1 city``, ``3 cities``."""
    return f"{count} {'city' if count == 1 else 'cities'}"


# ---------------------------------------------------------------- icons

SYMBOLS = {
    "ochre": ("🟠", "#c8651b"),
    "hides": ("🦌", "#9b6b43"),
    "iron": ("⛏️", "#7d8796"),
    "papyrus": ("📃", "#a9b665"),
    "salt": ("🧂", "#dfe3e8"),
    "timber": ("🪵", "#8a5a2b"),
    "grain": ("🌾", "#e2b93b"),
    "oil": ("🫒", "#7d8f3a"),
    "cloth": ("🧵", "#c74f7a"),
    "wine": ("🍷", "#8e2b4f"),
    "bronze": ("🥉", "#b8733a"),
    "silver": ("🥈", "#c3ccd8"),
    "spices": ("🌶️", "#d9432f"),
    "resin": ("🍯", "#d99a2b"),
    "gems": ("💎", "#35b8e0"),
    "dye": ("🎨", "#7b4fd0"),
    "gold": ("🪙", "#f0c419"),
    "ivory": ("🐘", "#efe6cf"),
}
"""A Unicode symbol and a colour for each commodity."""

CALAMITY = Icon("advciv_calamity", "🌋", "card", "#e5484d", "!")
CARD = Icon("advciv_card", "🎴", "card", "#5c6474", "?")
"""The icon of a card that is not named, whatever is claimed."""


@cache
def commodity_icons() -> dict[str, Icon]:
    """Return the icon of each commodity: a card in its colour, with the value of a single card."""
    return {
        each.id: Icon(
            f"advciv_{each.id}", SYMBOLS[each.id][0], "card", SYMBOLS[each.id][1], str(each.value)
        )
        for each in commodities().values()
    }


def icon(token: str) -> Icon:
    """Return the icon of a trade card."""
    kind, _, card = token.partition(":")
    if kind == "commodity":
        return commodity_icons()[card]
    return CALAMITY if kind_of(token) == "calamity" else CARD


def with_icon(words: str, token: str) -> str:
    """Return words about a trade card with its icon after them, on the same line."""
    shown = icon(token)
    return f"{words}\u00a0<icon:{shown.name}:{shown.symbol}>"


def icons() -> tuple[Icon, ...]:
    """Return all icons."""
    return (*commodity_icons().values(), CALAMITY, CARD)
