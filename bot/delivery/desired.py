"""The messages that Discord should show of a table, as plain values: subjects, places, and the
planner's steps.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import cached_property
from typing import ClassVar, Literal

from bot.rules.entries import CallKind
from bot.rules.model.codec import Codec, kinds_in
from bot.rules.model.values import Value, frozen
from bot.show.cards import Card

# ---------------------------------------------------------------- subjects

Way = Literal["classical", "v2"]
"""How a message is drawn. A phone that is locked shows the ``content`` of a message and nothing
else, and Components V2 have none. So what may ring is ``classical``: a line for the phone, an
embed, rows of buttons.
"""

MOVED = "~"
"""In the anchor of a board, what stands after the window's number if it has moved down within that
window.
"""

OfferRole = Literal["poster", "addressed"]
ROLES: tuple[OfferRole, ...] = ("addressed", "poster")


class Subject(Value):
    """The subject of a message. A table has at most one message about each subject. ``name`` is
    unique among subjects.

    A subject is a value here and text in the store: its name and its fields, separated by colons.

    ``pings``: see `PingedSubject`. ``silent``: nobody's client counts it as unread news. ``drawn``:
    how its messages are drawn, also where one of them is silent.
    """

    name: ClassVar[str] = ""
    pings: ClassVar[bool] = False
    silent: ClassVar[bool] = False
    drawn: ClassVar[Way] = "v2"


class RingingSubject(Subject):
    """A subject whose messages may ring: they are sent by DM, or notify somebody in a channel."""

    drawn = "classical"


class PingedSubject(RingingSubject):
    """A subject about which a person is pinged in a channel if DMs do not reach them.

    A ping shows everybody that the message exists and when it came, so it must not be about
    anything secret.
    """

    pings = True


class Board(RingingSubject):
    """The table's board."""

    name = "board"


class SetUp(Subject):
    """The table's set-up, until play begins."""

    name = "setup"


class Closing(Subject):
    """The news that the table was closed, and until when it can be opened again."""

    name = "closing"


class OfferCard(Subject):
    """An offer in the table's channel or in a negotiation's thread."""

    name = "offer"
    offer: int


class PersonalOffer(PingedSubject):
    """An offer for one person: its poster or its addressee."""

    name = "personal"
    offer: int
    role: OfferRole
    user: int


class ToConfirm(PingedSubject):
    """The notice to one side that an agreed offer can be confirmed now."""

    name = "confirm"
    offer: int
    user: int


class GoneYes(RingingSubject):
    """The news for a person that their acceptance of an offer to all is gone with the turn."""

    name = "gone-yes"
    offer: int
    user: int


class NotChosen(RingingSubject):
    """The news for a person who accepted an offer to all, that the poster picked another."""

    name = "missed"
    offer: int
    user: int


class Declined(PingedSubject):
    """The news of the entry ``seq`` for the poster of an offer: the addressee declined it."""

    name = "declined"
    seq: int
    user: int


class CounterpartNews(RingingSubject):
    """The news of the entry ``seq`` for a person who waited for another and need not act on it."""

    name = "told"
    seq: int
    user: int


class Prompt(PingedSubject):
    """A question to one person that everybody may know of. ``deal`` is the deal it is about, if
    any.
    """

    name = "prompt"
    key: str
    user: int
    deal: int | None = None


class HiddenPrompt(RingingSubject):
    """A question to one person whose existence would reveal what only they may know."""

    name = "hidden-prompt"
    key: str
    user: int


class Result(PingedSubject):
    """A transaction's result for one of its two sides."""

    name = "result"
    transaction: int
    user: int


class FollowUp(PingedSubject):
    """A follow-up of the entry ``seq`` for one person, which everybody may know of.

    ``number`` counts that person's follow-ups from 0.
    """

    name = "follow-up"
    seq: int
    number: int
    user: int


class HiddenFollowUp(RingingSubject):
    """A follow-up for one person whose existence would reveal what only they may know. Fields as in
    `FollowUp`.
    """

    name = "hidden-follow-up"
    seq: int
    number: int
    user: int


class ToHost(RingingSubject):
    """The host's buttons by DM, for a table that is paused or whose channel was deleted."""

    name = "host"
    about: Literal["paused", "gone"]
    user: int


class EveningPicture(Subject):
    """The picture of an evening, once its table is closed for good."""

    name = "evening"


class Meeting(Subject):
    """The next meeting, in the table's channel."""

    name = "next"


class Reminder(PingedSubject):
    """The reminder, an hour before, for a person who said that they come."""

    name = "reminder"
    seq: int
    user: int


class SameTable(RingingSubject):
    """The call to the people of an earlier table that this one repeats."""

    name = "again"


class Welcome(RingingSubject):
    """The first message to a person who sits down for the first time at any of the bot's tables."""

    name = "welcome"
    user: int


class Departed(Subject):
    """The news for the table that a person in a seat has left the server."""

    name = "departed"
    person: int


class TransactionCard(Subject):
    """The public card of a transaction that was negotiated in private."""

    name = "transaction"
    number: int


class PublicDeal(Subject):
    """A deal in the table's channel."""

    name = "public-deal"
    deal: int


class DealCard(RingingSubject):
    """A deal for one of its two parties, once the other has answered or marked it."""

    name = "deal"
    deal: int
    user: int


class NegotiationThread(Subject):
    """Not a message: the private thread of a negotiation."""

    name = "thread"
    negotiation: int


class NegotiationSummary(Subject):
    """The summary in a negotiation's thread."""

    name = "summary"
    negotiation: int


class Headlines(RingingSubject):
    """The headlines of a command, or of what the clock did; ``seq`` is the first entry with one."""

    name = "headlines"
    seq: int


class Correction(Subject):
    """The correction of this entry."""

    name = "correction"
    seq: int


class GameNotice(RingingSubject):
    """A message of the game in the table's channel, about the entry ``seq``."""

    name = "notice"
    seq: int


class ChainHead(Subject):
    """The head of the ledger's chain at this entry."""

    name = "head"
    seq: int


SAID_STANDS = 600_000
"""For how many milliseconds **See it** stands under what somebody said."""


class SaidOffer(Subject):
    """**See it** under the ``message`` in which somebody said an offer, ``until`` this time.

    Times are in milliseconds since 1970. The other fields are those of `bot.show.actions.SeeIt`.
    The ledger knows nothing of it: this is all that is stored, and only while it stands.
    """

    name = "said"
    silent = True
    message: int
    until: int
    person: int
    to: int
    negotiation: int
    give: str
    want: str


class Replaced(Subject):
    """A message to delete, since a newer one replaces it. ``user``: whose it was; 0 for all's."""

    name = "replaced"
    channel: int
    message: int
    user: int


SUBJECTS = kinds_in(vars(), Subject)

_CODEC = Codec[Subject](SUBJECTS)


encode = _CODEC.encode
"""Return a subject as text for the store. Raises ``ValueError`` when one of its fields contains a
colon.
"""

decode = _CODEC.decode
"""Return the subject of an encoded text; None for a text that `encode` does not produce."""


# ---------------------------------------------------------------- places


@frozen
class TableChannel:
    """The table's own channel or thread."""


@frozen
class NegotiationRoom:
    """The private thread of a negotiation. If it could not be opened, messages to it are not
    sent.
    """

    negotiation: int


SharedPlace = TableChannel | NegotiationRoom


class Priority(IntEnum):
    """The order of messages when Discord's limits make some of them wait; the lowest number goes
    first.
    """

    BELL = 0
    """Everybody must know at once, since time has run out."""
    ACT = 1
    """Somebody must act on it, or it announces something to everybody."""
    NEWS = 2
    """News for a person who did not see it happen."""
    CARD = 3
    """A card that others may act on."""
    LEISURE = 4
    """A card that nobody can act on any more."""
    REFRESH = 5
    """A card on which only figures have changed, such as what a hand would be after the trade."""
    BOARD = 6
    AGAIN = 7
    """An edit that probably changes nothing: a repeated one, or one that checks that the message
    exists.
    """


# ---------------------------------------------------------------- steps


class Fallback:
    """Where to ping a person whom DMs do not reach, and the card to show there, which others may
    read.

    ``card`` may be a function that is called when the card is first needed: nearly everybody's DMs
    are open. None: a ping that stands there is deleted.
    """

    def __init__(self, place: SharedPlace, card: Card | Callable[[], Card] | None) -> None:
        self.place, self._card = place, card

    @cached_property
    def card(self) -> Card | None:
        return self._card() if callable(self._card) else self._card

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fallback):
            return NotImplemented
        return (self.place, self.card) == (other.place, other.card)

    def __hash__(self) -> int:
        return hash(self.place)


@frozen
class Desired:
    """A message that should show this card: in the DMs of its subject's ``user``, or else in
    ``place``.

    - ``wanted``: send the message if there is none. Otherwise only an existing message is kept up
      to date.
    - ``anchor``: the occasion for which the message is sent. When it changes, the message is sent
      again, since Discord notifies nobody of an edit, and the older message is closed. None keeps
      any existing message.
    - ``fallback``: without it, a person whom DMs do not reach gets nothing. Only a subject that
      ``pings`` may have one.
    - ``final``: the message will not change any more, so its record is dropped.
    - ``entry``: the number of the entry that the message reports, 0 for a message about the present
      state.
    - ``call``: why the message notifies its recipient or, in a shared place, the users in
      ``rings``, whom it mentions. Without a call it is silent, and an edit keeps the mark of those
      mentions.
    """

    subject: Subject
    card: Card
    place: SharedPlace = TableChannel()
    wanted: bool = True
    anchor: str | None = None
    fallback: Fallback | None = None
    priority: Priority = Priority.CARD
    final: bool = False
    entry: int = 0
    call: CallKind | None = None
    rings: tuple[int, ...] = ()

    @property
    def recipients(self) -> tuple[int, ...]:
        """The users whom the message notifies if it has a call and they have not muted it."""
        return (user_of(self),) if user_of(self) else self.rings

    def __post_init__(self) -> None:
        if self.fallback is not None and not self.subject.pings:
            raise ValueError(
                f"{self.subject} must not be pinged about: that would tell others that it is there"
            )
        if (user_of(self) or self.call) and self.subject.drawn != "classical":
            raise ValueError(
                f"{self.subject} may ring, and a locked phone shows nothing of Components V2"
            )


@frozen
class Retired:
    """A message to edit to this card, without buttons, and then to forget.

    ``public_card`` is the card to show instead in a place that others read; None: there it is
    deleted.
    """

    subject: Subject
    card: Card
    public_card: Card | None


@frozen
class TakenAway:
    """A message to delete, wherever it stands."""

    subject: Subject


@frozen
class OpenThread:
    """A private thread that should exist, with these users in it."""

    subject: NegotiationThread
    name: str
    users: tuple[int, ...]


@frozen
class ArchiveThread:
    """A private thread that should be archived. ``name``: find it by this, since it may have been
    opened or not.
    """

    subject: NegotiationThread
    name: str = ""


Step = Desired | Retired | TakenAway | OpenThread | ArchiveThread


def user_of(step: Step) -> int:
    """Return the user whose DMs a message is for; 0 if it is for a shared place."""
    user: int = getattr(step.subject, "user", 0)
    return user
