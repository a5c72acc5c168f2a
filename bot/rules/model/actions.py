"""Actions: what people can press, choose or submit, as typed values.

The rules say which actions a viewer has; `bot.show.custom_ids` encodes them into buttons. Games add
subclasses, whose names begin with the game's id and a dot.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from bot.rules.model.values import Value, frozen


class Action(Value):
    """A button, select or form of a table. ``name`` is unique among all actions.

    >>> class ShowStalls(Action):
    ...     name = "bazaar.stalls"
    >>> LabelledAction("Stalls", ShowStalls(table.id)).action.table
    7
    """

    name: ClassVar[str] = ""
    table: int


class Choice(Action):
    """A choice in a select or form. It changes nothing, only shows what would follow; a button then
    does it.

    >>> class PickStall(Choice):
    ...     name = "bazaar.pick"
    >>> PickStall(table.id).table
    7
    """


@frozen
class LabelledAction:
    """An action with the label of its button. ``token``: the component whose icon stands on it,
    empty for none.

    >>> LabelledAction("Ring", Press(table.id, SetPhase("market"))).label
    'Ring'
    """

    label: str
    action: Action
    token: str = ""


OfferStep = Literal[
    "show",
    "more",
    "details",
    "alter",
    "counter",
    "hand_over",
    "accept_and_hand_over",
    "choose_again",
]


class OfferAction(Action):
    """A button under an offer, for this revision of it, that shows something or opens a form.

    ``more`` shows the other buttons, ``details`` what happened to the offer.

    >>> LabelledAction("Look at offer 1", OfferAction(table.id, 1, 1, "show")).action.offer
    1
    """

    name = "offer"
    offer: int
    revision: int
    what: OfferStep


SetupQuestion = Literal["seat", "order", "goods", "change"]


class SetupAction(Action):
    """A button of the set-up that first asks the presser something.

    ``seat``: which seat they take. ``order``: the order in which all sit. ``goods``: who has which
    goods. ``change``: what to change in the set-up.

    >>> LabelledAction("Take a seat", SetupAction(table.id, "seat")).action.what
    'seat'
    """

    name = "setup"
    what: SetupQuestion


def take_a_seat(table: int) -> tuple[LabelledAction, ...]:
    """Return the button for a person who has no seat."""
    return (LabelledAction("Take a seat", SetupAction(table, "seat")),)


CORE_ACTIONS: tuple[type[Action], ...] = (OfferAction, SetupAction)
"""The core's actions."""
