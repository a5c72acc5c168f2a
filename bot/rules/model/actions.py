"""Actions: what people can press, choose or submit, as typed values.

The rules say which actions a viewer has; `bot.show.custom_ids` encodes them into buttons. Games add subclasses, whose
names begin with the game's id and a dot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from bot.rules.model.deals import Mark


@dataclass(frozen=True, slots=True)
class Action:
    """A button, select or form of a table. ``name`` is unique among all actions."""

    name: ClassVar[str] = ""
    table: int


@dataclass(frozen=True, slots=True)
class Choice(Action):
    """A choice in a select or form. It changes nothing, only shows what would follow; a button then does it."""


@dataclass(frozen=True, slots=True)
class LabelledAction:
    """An action with the label of its button."""

    label: str
    action: Action


OfferMove = Literal[
    "accept", "confirm", "counter", "decline", "alter", "suspend", "resume", "withdraw", "back_out", "again", "agree",
    "show", "hand_over", "accept_and_hand_over", "choose_again", "more", "details", "same",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class OfferAction(Action):
    """A button under an offer, for this revision of it.

    ``more`` shows the other actions, ``details`` what happened to the offer. With ``same``, a third player makes the
    poster the same offer.
    """

    name = "offer"
    offer: int
    revision: int
    what: OfferMove


@dataclass(frozen=True, slots=True)
class PickTaker(Action):
    """Pick one of the players who accepted an offer to all."""

    name = "pick"
    offer: int
    revision: int
    taker: str


@dataclass(frozen=True, slots=True)
class DeclareHoldings(Action):
    """Declare that the presser has the open goods that an offer says they lack."""

    name = "declare"
    offer: int


@dataclass(frozen=True, slots=True)
class DealAction(Action):
    """Agree to a proposed deal, or decline it."""

    name = "deal"
    deal: int
    agreed: bool


@dataclass(frozen=True, slots=True)
class MarkAction(Action):
    """Say that the other side kept or broke its part of a deal."""

    name = "deal.mark"
    deal: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class MatchAction(Action):
    """Accept or show an offer that matches the presser's own."""

    name = "match"
    offer: int
    revision: int
    what: Literal["accept", "show"]


@dataclass(frozen=True, slots=True)
class EndUnmet(Action):
    """End another offer that the presser can't fulfil after a trade, whatever its revision.

    The button stays under the trade's result, so a press after the offer has ended gets an answer that says so.
    """

    name = "takeback"
    offer: int
    what: Literal["withdraw", "back_out"]


@dataclass(frozen=True, slots=True)
class NegotiationAction(Action):
    """Close a negotiation, from its thread."""

    name = "talks"
    negotiation: int


@dataclass(frozen=True, slots=True)
class TakeSeat(Action):
    """Take this seat."""

    name = "sit"
    seat: str


@dataclass(frozen=True, slots=True)
class LookAtHand(Action):
    """Look at the hand of this person, as a host or moderator. It is recorded, and the presser can never play here."""

    name = "look"
    person: int


SetupQuestion = Literal["seat", "order", "goods", "change", "leave"]


@dataclass(frozen=True, slots=True)
class SetupAction(Action):
    """A button of the set-up that first asks the presser something.

    ``seat``: which seat they take. ``order``: the order in which all sit. ``goods``: who has which goods. ``change``:
    what to change in the set-up. ``leave`` asks nothing: they leave their seat.
    """

    name = "setup"
    what: SetupQuestion


def take_a_seat(table: int) -> tuple[LabelledAction, ...]:
    """Return the button for a person who has no seat."""
    return (LabelledAction("Take a seat", SetupAction(table, "seat")),)


CORE_ACTIONS: tuple[type[Action], ...] = (
    OfferAction, PickTaker, DeclareHoldings, DealAction, MarkAction, MatchAction, EndUnmet,
    NegotiationAction, TakeSeat, LookAtHand, SetupAction,
)  # fmt: skip
"""The core's actions."""
