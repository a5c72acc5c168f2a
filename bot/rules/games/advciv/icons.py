"""The icon of each trade card of Advanced Civilization: its commodity, a calamity, or a card that nobody named."""

from __future__ import annotations

from bot.rules.game import Icon
from bot.rules.model.goods import kind_of

COMMODITIES = {
    "ochre": "🟠", "hides": "🦌", "iron": "⛏️", "papyrus": "📃", "salt": "🧂", "timber": "🪵", "grain": "🌾",
    "oil": "🫒", "cloth": "🧵", "wine": "🍷", "bronze": "🥉", "silver": "🥈", "spices": "🌶️", "resin": "🍯",
    "gems": "💎", "dye": "🎨", "gold": "🪙", "ivory": "🐘",
}  # fmt: skip
"""A Unicode symbol for each commodity."""

CALAMITY = Icon("advciv_calamity", "🌋")
CARD = Icon("advciv_card", "🎴")
"""A card that nobody named, whatever is said of it."""


def icon(token: str) -> Icon:
    """Return the icon of a trade card."""
    kind, _, card = token.partition(":")
    if kind == "commodity":
        return Icon(f"advciv_{card}", COMMODITIES[card])
    return CALAMITY if kind_of(token) == "calamity" else CARD
