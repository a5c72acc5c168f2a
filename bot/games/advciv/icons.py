"""The icon of each trade card of Advanced Civilization: its commodity with its value, a calamity, or unnamed."""

from __future__ import annotations

from functools import cache

from bot.api import Icon, kind_of
from data.advciv import commodities

SYMBOLS = {
    "ochre": ("🟠", "#c8651b"), "hides": ("🦌", "#9b6b43"), "iron": ("⛏️", "#7d8796"), "papyrus": ("📃", "#a9b665"),
    "salt": ("🧂", "#dfe3e8"), "timber": ("🪵", "#8a5a2b"), "grain": ("🌾", "#e2b93b"), "oil": ("🫒", "#7d8f3a"),
    "cloth": ("🧵", "#c74f7a"), "wine": ("🍷", "#8e2b4f"), "bronze": ("🥉", "#b8733a"), "silver": ("🥈", "#c3ccd8"),
    "spices": ("🌶️", "#d9432f"), "resin": ("🍯", "#d99a2b"), "gems": ("💎", "#35b8e0"), "dye": ("🎨", "#7b4fd0"),
    "gold": ("🪙", "#f0c419"), "ivory": ("🐘", "#efe6cf"),
}  # fmt: skip
"""A Unicode symbol and a colour for each commodity."""

CALAMITY = Icon("advciv_calamity", "🌋", "card", "#e5484d", "!")
CARD = Icon("advciv_card", "🎴", "card", "#5c6474", "?")
"""A card that nobody named, whatever is said of it."""


@cache
def commodity_icons() -> dict[str, Icon]:
    """Return the icon of each commodity: a card in its colour, with the value of one."""
    return {
        each.id: Icon(f"advciv_{each.id}", SYMBOLS[each.id][0], "card", SYMBOLS[each.id][1], str(each.value))
        for each in commodities().values()
    }


def icon(token: str) -> Icon:
    """Return the icon of a trade card."""
    kind, _, card = token.partition(":")
    if kind == "commodity":
        return commodity_icons()[card]
    return CALAMITY if kind_of(token) == "calamity" else CARD


def icons() -> tuple[Icon, ...]:
    """Return all icons."""
    return (*commodity_icons().values(), CALAMITY, CARD)
