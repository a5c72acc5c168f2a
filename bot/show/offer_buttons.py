"""The buttons under an offer: labels, styles and rows for the actions open to the viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.rules.model.actions import Action, OfferAction, OfferMove, PickTaker
from bot.rules.views import OfferView, TableView
from bot.show.cards import BUTTONS_MAX, LABEL_MAX, Button, Style, buttons
from bot.show.hand_over import HAND_OVER
from bot.show.names import name

Row = tuple[Button, ...]

BUTTONS: dict[OfferMove, tuple[str, Style]] = {
    "accept": ("Accept", "success"),
    "counter": ("Counter", "secondary"),
    "decline": ("Decline", "secondary"),
    "accept_and_hand_over": ("Accept and hand over", "secondary"),
    "confirm": ("Confirm", "success"),
    "choose_again": ("Choose again", "secondary"),
    "show": ("Show me", "primary"),
    "agree": ("Agree for later", "secondary"),
    "alter": ("Alter", "secondary"),
    "suspend": ("Suspend", "secondary"),
    "resume": ("Resume", "primary"),
    "withdraw": ("Withdraw", "danger"),
    "hand_over": (HAND_OVER, "secondary"),
    "back_out": ("Back out", "secondary"),
    "again": ("Again", "primary"),
    "same": ("Offer the same", "primary"),
    "details": ("Details", "secondary"),
    "more": ("More…", "secondary"),
}
"""The label and style of each button, in the order within a row."""

AGREES: dict[OfferMove, str] = {"accept": "Agree", "accept_and_hand_over": "Agree and hand over"}
"""The labels used while accepting moves nothing yet and binds nobody."""


def offer_rows(view: TableView, offer: OfferView, *, now: bool) -> tuple[Row, ...]:
    """Return the rows of buttons under an offer's card.

    ``now``: include buttons that the next turn may invalidate: confirming, and remedies for a violation.
    """
    moves = [each for each in _moves(offer.buttons.actions) if now or each.what != "confirm"]
    row = _buttons(offer, moves, now=now)
    if now and row and offer.role == "poster" and offer.status == "open":
        row += buttons(offer.buttons.remedies, "primary")
    return (*_picks(view, offer), *_rows(row))


def more_rows(offer: OfferView) -> tuple[Row, ...]:
    """Return the buttons behind **More…**."""
    return tuple(_rows(_buttons(offer, _moves(offer.buttons.more), now=False)))


def own_rows(offer: OfferView) -> tuple[Row, ...]:
    """Return a row of buttons for the poster alone: remedies, and handing over along with the offer."""
    early = [each for each in _moves(offer.buttons.actions) if each.what == "hand_over"]
    row = (*_buttons(offer, early, now=False), *buttons(offer.buttons.remedies, "primary"))
    return (row,) if row and offer.role == "poster" and offer.status == "open" else ()


def move_button(offer: OfferView, move: OfferMove, style: Style | None = None) -> Button:
    """Return one button of an offer; ``style`` overrides its usual one."""
    label, usual = BUTTONS[move]
    if offer.buttons.only_agrees:
        label = AGREES.get(move, label)
    return Button(label, OfferAction(offer.table, offer.number, offer.revision, move), style or usual)


def _moves(actions: Iterable[Action]) -> list[OfferAction]:
    return sorted((each for each in actions if isinstance(each, OfferAction)), key=lambda move: _ORDER[move.what])


_ORDER = {move: number for number, move in enumerate(BUTTONS)}


def _buttons(offer: OfferView, moves: Sequence[OfferAction], *, now: bool) -> Row:
    asked = any(move.what == "back_out" for move in moves)
    grey = now and offer.ruling.why_not is not None
    return tuple(move_button(offer, move.what, _style(move.what, asked=asked, grey=grey)) for move in moves)


def _style(move: OfferMove, *, asked: bool, grey: bool) -> Style | None:
    """Return the style of a button that differs from the usual; None for the usual one.

    **Accept** is grey while it would be refused, but stays enabled: a press shows the reason and the remedy. **Hand
    over** is green once both have agreed, since it is the next step.
    """
    if move == "accept" and grey:
        return "secondary"
    return "success" if move == "hand_over" and asked else None


def _picks(view: TableView, offer: OfferView) -> Iterable[Row]:
    """Return up to two rows of buttons to pick a taker of an offer to all."""
    picks = [
        Button(f"Trade with {name(view, action.taker)}"[:LABEL_MAX], action, "success")
        for action in offer.buttons.actions
        if isinstance(action, PickTaker)
    ]
    return _rows(tuple(picks[: 2 * BUTTONS_MAX]))


def _rows(row: Row) -> Iterable[Row]:
    for first in range(0, len(row), BUTTONS_MAX):
        yield row[first : first + BUTTONS_MAX]
