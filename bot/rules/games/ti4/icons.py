"""The icon of each kind of component of Twilight Imperium 4."""

from __future__ import annotations

from bot.rules.game import Icon
from bot.rules.model.goods import kind_of

SYMBOLS = {
    "trade_good": "🟡",
    "commodity": "📦",
    "note": "📜",
    "fragment": "🔷",
    "action_card": "⚡",
    "secret_objective": "🎯",
    "captured": "🚀",
    "planet": "🪐",
    "relic": "🏺",
    "zone": "🕊️",
    "station": "🛰️",
}
"""A Unicode symbol for each kind of component."""


def icon(token: str) -> Icon:
    """Return the icon of a component."""
    kind = kind_of(token)
    return Icon(f"ti4_{kind}", SYMBOLS[kind])
