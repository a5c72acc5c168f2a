"""Goods as cards show them, each kind with its icon: ``🟡 3 trade goods · 📜 Sol's Ceasefire (bob)``.

An icon is written ``<icon:name:symbol>``. `bot.delivery.render` replaces it by the application's emoji of that name, or
by the symbol if there is none. So the card's value does not depend on which is drawn.
"""

from __future__ import annotations

from bot.rules.model.goods import Goods
from bot.show.names import Named, format_text, game_of


def goods_text(named: Named, goods: Goods) -> str:
    """Return goods in words, each kind in bold with its icon; ``nothing`` for none."""
    language = game_of(named).goods
    parts = []
    for token in language.listed(goods):
        words = format_text(named, language.describe(Goods({token: goods[token]})))
        parts.append(f"{icon_text(named, token)}**{words}**")
    return " · ".join(parts) or "nothing"


def icon_text(named: Named, token: str) -> str:
    """Return a component's icon with a space after it; empty if it has none."""
    icon = game_of(named).goods.icon(token)
    return f"<icon:{icon.name}:{icon.symbol}> " if icon else ""
