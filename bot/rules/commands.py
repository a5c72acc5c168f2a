"""Commands: what somebody wants. Each is answered by `bot.rules.decide.decide` with entries or a refusal.

``by`` is the number of the person who asks; ``moderator`` says that this person may manage the server.
``at`` is when it was asked, in milliseconds since 1970, UTC; the desk puts it in.
People are numbers of their table, seats the ids of their game; nothing here knows Discord.
"""

from __future__ import annotations

from typing import Literal

from bot.rules.goods import NOTHING, Goods
from bot.rules.table import Settings, Value


class Command(Value):
    """Somebody wants something. The games add their own kinds."""

    by: int
    moderator: bool = False
    at: int = 0


class OpenTable(Command):
    """Open a table; whoever asks becomes its host."""

    game: str
    name: str = ""
    open_on_close: Literal["yes", "no"] = "yes"


class CloseTable(Command):
    """End the table. Needs the host."""


class Sit(Command):
    """Take a seat, or (hosts) have somebody else take it."""

    seat: str
    person: int


class Leave(Command):
    """Free a seat: one's own, or (hosts) somebody else's."""

    person: int


class SetHost(Command):
    """Hand the table over. Needs the host."""

    person: int


class ChangeSettings(Command):
    """Change how the table plays. Needs the host."""

    settings: Settings


class SetPhase(Command):
    """Begin a phase. Needs the host."""

    phase: str


class SetHoldings(Command):
    """Say what a person has now, and why. Needs the host."""

    person: int
    goods: Goods
    reason: str = ""


class Audit(Command):
    """Look into the ledger. Needs the host. ``about`` says at which: a transaction's number, or a person's."""

    what: Literal["ledger", "trade", "player", "verify", "export"]
    about: int | None = None


class Gain(Command):
    """Gain goods other than by trade."""

    goods: Goods


class Spend(Command):
    """Spend goods other than by trade."""

    goods: Goods


class PostOffer(Command):
    """``to`` is a person, or None for everybody. ``lasts``: for how many milliseconds it stands, None for ever.

    ``handed`` is what is handed over along with it, where the game has that; None to do so later.
    """

    to: int | None = None
    give: Goods = NOTHING
    want: Goods = NOTHING
    terms: str = ""
    lasts: int | None = None
    negotiation: int | None = None
    handed: Goods | None = None


class CounterOffer(Command):
    """Answer an offer with another one, to whoever posted it."""

    offer: int
    give: Goods = NOTHING
    want: Goods = NOTHING
    terms: str = ""
    lasts: int | None = None


class AlterOffer(Command):
    """Change one's own offer, as it stood at ``revision``."""

    offer: int
    revision: int
    give: Goods
    want: Goods
    terms: str


class OpenNegotiation(Command):
    """Talk to another person in private."""

    other: int
    topic: str = ""


class CloseNegotiation(Command):
    """Be done with it."""

    negotiation: int


class PauseOffer(Command):
    """Suspend one's own offer, or resume it."""

    offer: int
    paused: bool


class PickTaker(Command):
    """Of those who accepted one's open offer, pick this seat."""

    offer: int
    revision: int
    taker: str


class Agree(Command):
    """Agree to an offer before it is legal."""

    offer: int
    revision: int


class HandOver(Command):
    """Hand over what one gives for an offer, as it stood at ``revision``. Whoever has not agreed to it does so."""

    offer: int
    revision: int
    goods: Goods


class Tick(Command):
    """The clock: end what has run out."""


class Sign(Command):
    """Agree to an offer as it stood at ``revision``: **Accept** for the one, **Confirm** for both."""

    offer: int
    revision: int


class EndOffer(Command):
    """Withdraw one's own offer, or decline one made to oneself."""

    offer: int
    how: Literal["withdraw", "decline"]


class Declare(Command):
    """Say that the open goods one is short of for an offer do lie before one, at one tap."""

    offer: int


class ProposeDeal(Command):
    """An agreement in words with another person."""

    to: int
    terms: str
    later: bool
    card: bool = False
    private: bool = False


class AnswerDeal(Command):
    """Agree to a proposed deal, or do not."""

    deal: int
    agreed: bool


class MarkDeal(Command):
    """Say of the other's part in a deal that it was kept, or broken."""

    deal: int
    mark: Literal["kept", "broken"]
