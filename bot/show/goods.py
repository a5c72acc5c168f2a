"""Goods as cards show them, each kind with its icon: ``🟡 3 trade goods · 📜 Sol's Ceasefire (bob)``.

An icon is written ``<icon:name:symbol>``. `bot.delivery.render` puts in its place the emoji of this name that the bot's
application has, or else the symbol, so that a card is the same value whichever of them is drawn.
"""

from __future__ import annotations

from bot.rules.model.goods import Goods
from bot.show.names import Named, format_text, game_of


def goods_text(named: Named, goods: Goods) -> str:
    """Return goods in words, each kind with its icon and in bold; ``nothing`` for none."""
    language = game_of(named).goods
    parts = []
    for token in language.listed(goods):
        words = format_text(named, language.describe(Goods({token: goods[token]})))
        parts.append(f"{icon_text(named, token)}**{words}**")
    return " · ".join(parts) or "nothing"


def icon_text(named: Named, token: str) -> str:
    """Return the icon of a component, with a space after it; empty where it has none."""
    icon = game_of(named).goods.icon(token)
    return f"<icon:{icon.name}:{icon.symbol}> " if icon else ""
