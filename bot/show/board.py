"""The table's board: the one message at the end of the channel that says what is going on and leads everywhere else.

It is the same for everybody and holds nothing secret. What a button shows, its presser alone sees.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.model.goods import Goods
from bot.rules.views import OfferView, TableView
from bot.show.actions import BoardMove, BoardPress
from bot.show.cards import BUTTONS_MAX, LABEL_MAX, Button, Card, Rows
from bot.show.names import escape, format_text, game_of, name, plain_text
from bot.show.truncation import TEXT_MAX, truncate

BOARD_OFFERS = 5
"""Offers on the board: as many as a phone shows without scrolling."""

STEPS_MAX = 3
"""Next steps of the game for which there is room; any others are in the menu."""

KINDS, WORDS = 3, 60
"""In a short line: the most kinds of goods on each side, and characters of one."""

NEW_OFFER, PARTNERS, MORE = "New offer", "Who can I trade with?", "More…"


def board_card(view: TableView) -> Card:
    """Return the table's board: the state of the game, the open offers, and what can be pressed."""
    offers = on_board(view)
    title = " · ".join(filter(None, (escape(view.name), format_text(view, view.board.heading))))
    blocks = [f"### {title}", "\n".join(state_lines(view))]
    if offers:
        blocks.append("**Open offers**\n" + "\n".join(_offer_lines(view, offers)))
    elif view.open and view.board.trades and len(view.seated()) > 1:
        blocks.append("-# No offer stands. **New offer** makes one.")
    shown = tuple(filter(None, blocks))
    return Card("open", shown, board_rows(view, len(offers))) if view.open else Card("over", shown)


def state_lines(view: TableView) -> list[str]:
    """Return the game's own lines: the turn and the like."""
    return [format_text(view, line) for line in view.board.lines] if view.open else ["This table is **closed**."]


def board_rows(view: TableView, offers: int) -> Rows:
    """Return the board's buttons, two rows at most: what concerns the presser's own trade, then the game.

    Where all trade with all, nobody asks with whom, and the next steps of the game take that place.
    """
    steps = tuple(
        Button(plain_text(view, each.label)[:LABEL_MAX], each.action) for each in view.board.buttons[:STEPS_MAX]
    )
    rest = (*_offers_button(view, offers), Button(MORE, _press(view, "more")))
    goods = Button(view.board.goods, _press(view, "goods"))
    if not view.board.trades:
        return _in_rows((*steps, goods), rest)
    new = new_offer_button(view)
    if not view.pairwise:
        return _in_rows((new, goods, *steps), rest)
    return (new, goods, Button(PARTNERS, _press(view, "partners"))), (*steps, *rest)


def _offers_button(view: TableView, offers: int) -> tuple[Button, ...]:
    """Return the button to all offers: where there are more of them, or their cards are too small to say it all."""
    if offers > BOARD_OFFERS:
        return (Button(f"+{offers - BOARD_OFFERS} more", _press(view, "offers")),)
    return (Button("Look at offers", _press(view, "offers")),) if offers and not view.pairwise else ()


def _in_rows(first: tuple[Button, ...], second: tuple[Button, ...]) -> Rows:
    """Return one row where all of them fit into it, else two."""
    return ((*first, *second),) if len(first) + len(second) <= BUTTONS_MAX else (first, second)


def new_offer_button(view: TableView) -> Button:
    """Return the button with which an offer begins."""
    return Button(NEW_OFFER, _press(view, "new"), "primary")


def _press(view: TableView, what: BoardMove) -> BoardPress:
    return BoardPress(view.id, what)


# ---------------------------------------------------------------- offers


def on_board(view: TableView) -> list[OfferView]:
    """Return the offers of the board: those that match another one first, then the newest.

    Where all trade with all, offers to one seat are left out: they concern nobody else.
    """
    shown = [offer for offer in view.offers.values() if offer.live and (view.pairwise or offer.to is None)]
    return sorted(shown, key=lambda offer: (offer.fits, offer.number), reverse=True)


def _offer_lines(view: TableView, offers: Sequence[OfferView]) -> list[str]:
    """Return the first offers, a line each, as many as there is room for beside the game's own lines."""
    lines, room = [], TEXT_MAX // 2
    for line in (short_line(view, offer) for offer in offers[:BOARD_OFFERS]):
        room -= len(line)
        if room > 0:
            lines.append(line)
    return lines


def short_line(view: TableView, offer: OfferView) -> str:
    """Return an offer in one short line: whether it is possible now, who offers it to whom, and what for what."""
    to = f" → {escape(name(offer, offer.to))}" if offer.to else " → all" if view.pairwise else ""
    wants = short_goods(view, offer.wants)
    sides = f"asks for {wants}" if offer.asks_only else f"{short_goods(view, offer.gives)} for {wants}"
    sign, fits = _sign(view, offer), " 🧩" if offer.fits else ""
    return f"{sign}#{offer.number} {escape(name(offer, offer.poster))}{to} · {sides}{fits}"


def short_goods(view: TableView, goods: Goods) -> str:
    """Return goods as short as can be, each kind with its icon: ``🟡 3, 📦 1, 📜 Sol's Ceasefire (bob)``.

    What is counted and all alike needs no words beside its icon.
    """
    listed = game_of(view).goods.listed(goods)
    parts = [_short_kind(view, token, goods[token]) for token in listed[:KINDS]]
    more = f", +{len(listed) - KINDS}" if len(listed) > KINDS else ""
    return f"{', '.join(parts) or 'nothing'}{more}"


def _short_kind(view: TableView, token: str, count: int) -> str:
    language = game_of(view).goods
    words = truncate(format_text(view, language.describe_short(Goods({token: count}))), WORDS)
    icon = language.icon(token)
    if icon is None:
        return words
    alike = ":" not in token and language.describe_short(Goods({token: 1})).startswith("1 ")
    return f"<icon:{icon.name}:{icon.symbol}> {count if alike else words}"


def _sign(view: TableView, offer: OfferView) -> str:
    """Return a sign that tells whether an offer is possible now; where all trade with all, the phase tells it."""
    if offer.status == "suspended":
        return "⏸️ "
    if not view.pairwise:
        return ""
    if offer.why_not is None:
        return "🟢 "
    return f"⏳ [{offer.why_not.rule}] " if offer.why_not.rule else "⏳ "
