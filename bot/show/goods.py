"""Goods as cards show them, each kind in words and then its icon: ``3 trade goods 🟡 · Sol's
Ceasefire (bob) 📜``.

An icon is written ``<icon:name:symbol>``. `bot.delivery.render` replaces it by the application's
emoji of that name, or by the symbol if there is none. So the card's value does not depend on which
is drawn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from bot.rules.features.deals import DealEntry
from bot.rules.features.offers.entries import OfferEntry, Transaction
from bot.rules.game import Game, Icon
from bot.rules.model.goods import Change, Goods
from bot.rules.views import BalanceView, EntryView, TableView
from bot.show.names import Named, format_text, game_of, name_text

NO_BREAK = "\N{NO-BREAK SPACE}"


def goods_text(named: Named, goods: Goods) -> str:
    """Return goods in words, each kind in bold with its icon; ``nothing`` for none.

    >>> goods_text(view, Goods({"silk": 2}))
    '**2 silk**'
    """
    game = game_of(named).goods
    return format_text(named, _by_kind(goods, game.describe, game.listed, game.icon))


def short_goods_text(named: Named, goods: Goods) -> str:
    """Return goods with their icons, abbreviated, since several have to fit on a phone's screen."""
    game = game_of(named).goods
    words = game.short or game.describe
    return name_text(named, _by_kind(goods, words, game.listed, game.icon))


# Each plan writes the goods of every open offer again: without the cache, a third of its time.
@lru_cache(maxsize=4096)
def _by_kind(
    goods: Goods,
    words: Callable[[Goods], str],
    listed: Callable[[Goods], Sequence[str]],
    icon: Callable[[str], Icon | None],
) -> str:
    """Return goods as markup, by these functions of their game."""
    parts = []
    for token in listed(goods):
        kind = Goods({token: goods[token]})
        parts.append(_and_icon(f"**{words(kind)}**", icon(token)))
    return " · ".join(parts) or "nothing"


def with_icon(game: Game, token: str, words: str) -> str:
    """Return words for a component with its icon after them, on the same line."""
    return _and_icon(words, game.goods.icon(token))


def _and_icon(words: str, icon: Icon | None) -> str:
    return f"{words}{NO_BREAK}<icon:{icon.name}:{icon.symbol}>" if icon else words


def all_hidden(named: Named) -> bool:
    """Return whether nothing that a player has lies open."""
    hands = game_of(named).hidden
    return hands is not None and hands.nothing_open


# ---------------------------------------------------------------- what a trade changes

BALANCES_MAX = 6
"""The most kinds to list; a larger trade lists none."""


def balances_text(named: Named, balances: Iterable[BalanceView]) -> str:
    """Return the counts of each kind before and after, as small text; empty if nothing is
    counted.
    """
    game, parts = game_of(named), []
    for balance in balances:
        token, before, after = balance.token, balance.before, balance.after
        shown = after or 2
        words = name_text(named, game.goods.describe(Goods({token: shown})))
        number = re.match(r"\d+(?= )", words)
        # it is unique, such as a card, or as many as before
        if number is None or before == after:
            continue
        step = int(number[0]) // shown  # more than 1 for goods in steps
        change = f"{before * step} → {after * step}{words[number.end() :]}"
        parts.append(with_icon(game, token, change))
    return f"-# {' · '.join(parts)}" if 0 < len(parts) <= BALANCES_MAX else ""


def balances_of(view: TableView, entry: EntryView, later: Sequence[EntryView]) -> list[BalanceView]:
    """Return what a transaction changed in the viewer's goods; empty unless it is known that
    nothing has moved since.

    ``later`` are entries after the transaction. The view holds today's goods but a receipt stays,
    so this needs every entry in between to be known and to have moved nothing.
    """
    done, seat = entry.entry, view.seat
    if not isinstance(done, Transaction) or seat is None or not view.tracked:
        return []
    talk = [each for each in later if isinstance(each.entry, OfferEntry | DealEntry)]
    moved_nothing = {each.seq for each in talk if not isinstance(each.entry, Transaction)}
    if not moved_nothing.issuperset(range(entry.seq + 1, view.seq + 1)):
        return []
    growth = Counter[str]()
    for changes in (done.changes, done.hidden or {}):
        change = changes.get(seat, Change())
        growth.update(dict(change.gained))
        growth.subtract(dict(change.lost))
    balances = []
    for token, more in growth.items():
        held = view.seats[seat].known.count(token)
        balances.append(BalanceView(token, held - more, held))
    return balances if all(balance.before >= 0 for balance in balances) else []
