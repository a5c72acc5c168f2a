"""The buttons under an offer: labels, styles and rows for the actions that are open to the viewer."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.model.actions import OfferAction, OfferMove, PickTaker
from bot.rules.views import OfferView, TableView
from bot.show.cards import BUTTONS_MAX, LABEL_MAX, Button, Style, buttons
from bot.show.hand_over import HAND_OVER
from bot.show.names import name

Row = tuple[Button, ...]

ACCEPT_AND_HAND_OVER = "Accept and hand over"

BUTTONS: dict[OfferMove, tuple[str, Style]] = {
    "accept": ("Accept", "success"),
    "counter": ("Counter", "secondary"),
    "decline": ("Decline", "secondary"),
    "accept_and_hand_over": (ACCEPT_AND_HAND_OVER, "secondary"),
    "confirm": ("Confirm", "success"),
    "choose_again": ("Choose again", "secondary"),
    "show": ("Show me", "primary"),
    "again": ("Again", "primary"),
    "agree": ("Agree for later", "secondary"),
    "alter": ("Alter", "secondary"),
    "suspend": ("Suspend", "secondary"),
    "resume": ("Resume", "primary"),
    "withdraw": ("Withdraw", "danger"),
    "hand_over": (HAND_OVER, "secondary"),
    "back_out": ("Back out", "secondary"),
}
"""The label and style of each button, in the order within a row."""

POSTER_ROW: frozenset[OfferMove] = frozenset({"alter", "suspend", "resume", "withdraw"})
"""Moves of the poster alone; their buttons have a second row."""


def offer_rows(view: TableView, offer: OfferView, *, now: bool) -> tuple[Row, ...]:
    """Return the rows of buttons under an offer's card.

    ``now``: with those that another turn takes away: confirming, and what cures it where it is not possible.
    """
    every = (each for each in offer.actions if isinstance(each, OfferAction))
    moves = sorted((each for each in every if now or each.what != "confirm"), key=_order)
    asked = any(move.what == "back_out" for move in moves)
    poster = tuple(move for move in moves if _in_poster_row(move, asked))
    grey = now and offer.why_not is not None
    first = tuple(_button(move, asked=asked, grey=grey) for move in moves if move not in poster)
    second = tuple(_button(move, asked=asked, grey=grey) for move in poster)
    if now and second and offer.role == "poster" and offer.status == "open":
        second += buttons(offer.remedies, "primary")
    return tuple(row for row in (first, *_picks(view, offer), second) if row)


def own_rows(offer: OfferView) -> tuple[Row, ...]:
    """Return a row of buttons for its poster alone: what cures it, and handing over along with it."""
    early = [each for each in offer.actions if isinstance(each, OfferAction) and each.what == "hand_over"]
    row = (*(_button(move, asked=False, grey=False) for move in early), *buttons(offer.remedies, "primary"))
    return (row,) if row and offer.role == "poster" and offer.status == "open" else ()


def _order(move: OfferAction) -> int:
    return list(BUTTONS).index(move.what)


def _in_poster_row(move: OfferAction, asked: bool) -> bool:
    """Return whether a button is in the second row. **Hand over** is, until both have agreed and must hand over."""
    return move.what in POSTER_ROW or (move.what == "hand_over" and not asked)


def _button(move: OfferAction, *, asked: bool, grey: bool) -> Button:
    label, style = BUTTONS[move.what]
    if move.what == "accept" and grey:
        # Grey while it would be refused, but not disabled: a press shows the reason and the remedy.
        style = "secondary"
    if move.what == "hand_over" and asked:
        style = "success"
    return Button(label, move, style)


def _picks(view: TableView, offer: OfferView) -> Iterable[Row]:
    """Return at most two rows of buttons to pick one of those who accepted an offer to all."""
    picks = [
        Button(f"Trade with {name(view, action.taker)}"[:LABEL_MAX], action, "success")
        for action in offer.actions
        if isinstance(action, PickTaker)
    ]
    return tuple(picks[:BUTTONS_MAX]), tuple(picks[BUTTONS_MAX : 2 * BUTTONS_MAX])
