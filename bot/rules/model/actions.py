"""Actions: what can be pressed, chosen or submitted, as typed values.

The rules say which actions are open to a viewer; `bot.show.custom_ids` writes them into buttons. A game adds its own
subclasses, with names that begin with its id and a dot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from bot.rules.model.deals import Mark


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person can do at a table with one press. ``name`` is unique among all actions."""

    name: ClassVar[str] = ""
    table: int


@dataclass(frozen=True, slots=True)
class Choice(Action):
    """What a person picks in a menu. It only shows what would follow, and changes nothing: a button does that."""


@dataclass(frozen=True, slots=True)
class LabelledAction:
    """An action with the words on its button."""

    label: str
    action: Action


OfferMove = Literal[
    "accept", "confirm", "counter", "decline", "alter", "suspend", "resume", "withdraw", "back_out", "again", "agree",
    "show", "hand_over", "accept_and_hand_over", "choose_again", "more", "details", "same",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class OfferAction(Action):
    """A button under an offer, drawn for this revision of it.

    ``more`` shows the presser what they may do about it, ``details`` what became of it; with ``same`` a third player
    offers its poster the same.
    """

    name = "offer"
    offer: int
    revision: int
    what: OfferMove


@dataclass(frozen=True, slots=True)
class PickTaker(Action):
    """The poster of an offer to all picks one of those who accepted it."""

    name = "pick"
    offer: int
    revision: int
    taker: str


@dataclass(frozen=True, slots=True)
class DeclareHoldings(Action):
    """The presser does have the open goods that they are short of for an offer."""

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
    """Say of the other side's part in a deal that it was kept, or broken."""

    name = "deal.mark"
    deal: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class MatchAction(Action):
    """A button of the notice that another's offer fits the presser's own: accept it or look at it."""

    name = "match"
    offer: int
    revision: int
    what: Literal["accept", "show"]


@dataclass(frozen=True, slots=True)
class EndUnmet(Action):
    """Under the result of a trade: the presser takes back an offer that they can't keep any more, at any revision.

    That message stays as it is, so a press after the offer has ended is answered with that.
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
    """The presser takes this seat."""

    name = "sit"
    seat: str


@dataclass(frozen=True, slots=True)
class LookAtHand(Action):
    """A host or moderator who does not play looks at what this person holds. It is recorded, and has its price."""

    name = "look"
    person: int


SetupQuestion = Literal["seat", "order", "goods", "change", "leave"]


@dataclass(frozen=True, slots=True)
class SetupAction(Action):
    """A button of the set-up that asks the presser something first.

    ``seat``: which seat they take. ``order``: in which order all sit. ``goods``: who has what. ``change``: what of the
    set-up they want to change. ``leave`` asks nothing: they leave their seat.
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
"""The actions that the rules of the core hand out."""
