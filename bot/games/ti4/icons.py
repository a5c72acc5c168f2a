"""The icon of each kind of component of Twilight Imperium 4."""

from __future__ import annotations

from bot.api import Icon, kind_of

ICONS = {
    "trade_good": Icon("ti4_trade_good", "🟡", "coin", "#f2c230"),
    "commodity": Icon("ti4_commodity", "📦", "crate", "#c98f4e"),
    "note": Icon("ti4_note", "📜", "scroll", "#ead9b0"),
    "fragment": Icon("ti4_fragment", "🔷", "shard", "#4f9dff"),
    "action_card": Icon("ti4_action_card", "⚡", "bolt", "#ff8a3d"),
    "secret_objective": Icon("ti4_secret_objective", "🎯", "target", "#e5484d"),
    "captured": Icon("ti4_captured", "🚀", "ship", "#a0a9b8"),
    "planet": Icon("ti4_planet", "🪐", "globe", "#8f7ce6"),
    "relic": Icon("ti4_relic", "🏺", "urn", "#d9a441"),
    "zone": Icon("ti4_zone", "🏳️", "flag", "#3ddc97"),
    "station": Icon("ti4_station", "📡", "satellite", "#5fc9d8"),
}
"""The icon of each kind of component."""


def icon(token: str) -> Icon:
    """Return the icon of a component."""
    return ICONS[kind_of(token)]
