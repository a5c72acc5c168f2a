"""Commands about offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.rules.commands import Command
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.references import Reference, reference


@dataclass(frozen=True, slots=True)
class PostOffer(Command):
    """Post an offer to the seat ``to``, or to all (None). ``lasts``: milliseconds until it expires, None for never.

    ``terms`` are words that come later, ``terms_now`` what is done at once with the exchange; ``terms_card``: they rest
    on an action card's result. ``handed`` is what is handed over along with it, in a game with that step; None to do so
    later.
    """

    to: str | None = None
    give: Goods = NOTHING
    want: Goods = NOTHING
    terms: str = ""
    terms_now: str = ""
    terms_card: bool = False
    lasts: int | None = None
    negotiation: int | None = None
    handed: Goods | None = None


@dataclass(frozen=True, slots=True)
class OfferCommand(Command):
    """A command about an offer by its number, which may be over."""

    offer: int

    def subjects(self) -> tuple[Reference, ...]:
        """Return the offer."""
        return (reference("offer", self.offer),)


@dataclass(frozen=True, slots=True)
class CounterOffer(OfferCommand):
    """Answer an offer with another one to its poster. A side that is None is as the first offer has it."""

    give: Goods | None = None
    want: Goods | None = None
    terms: str = ""
    terms_now: str = ""
    terms_card: bool = False
    lasts: int | None = None


@dataclass(frozen=True, slots=True)
class AlterOffer(OfferCommand):
    """Change the caller's own offer. What is None stays; ``revision`` None means the newest one."""

    revision: int | None = None
    give: Goods | None = None
    want: Goods | None = None
    terms: str | None = None
    terms_now: str | None = None
    terms_card: bool | None = None


@dataclass(frozen=True, slots=True)
class PauseOffer(OfferCommand):
    """Suspend the caller's own offer, or resume it."""

    paused: bool


@dataclass(frozen=True, slots=True)
class PickTaker(OfferCommand):
    """Pick this seat among those that accepted the caller's open offer. ``revision`` None: the newest."""

    revision: int | None
    taker: str


@dataclass(frozen=True, slots=True)
class Agree(OfferCommand):
    """Agree to an offer before it is legal."""

    revision: int


@dataclass(frozen=True, slots=True)
class HandOver(OfferCommand):
    """Hand over what the caller gives for an offer, agreeing to it if they have not. ``revision`` None: the newest."""

    goods: Goods
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Sign(OfferCommand):
    """Agree to an offer at ``revision`` (None: the newest): **Accept** for the one side, **Confirm** for both."""

    revision: int | None = None


@dataclass(frozen=True, slots=True)
class EndOffer(OfferCommand):
    """Withdraw the caller's own offer, decline one made to them, or back out of either."""

    how: Literal["withdraw", "decline", "back_out"]


@dataclass(frozen=True, slots=True)
class RepeatOffer(OfferCommand):
    """Post a resolved offer once more, from whichever of the two asks."""


@dataclass(frozen=True, slots=True)
class Declare(OfferCommand):
    """Say that the open goods the caller is short of for an offer do lie before them."""
