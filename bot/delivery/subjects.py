"""Subjects: what each message of the bot is about. A table has at most one message about each subject.

A subject is a value here and text in the store of messages: its name and its fields, separated by colons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from bot.rules.model.codec import Codec

OfferRole = Literal["poster", "addressed"]
ROLES: tuple[OfferRole, ...] = ("addressed", "poster")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a message is about. ``name`` is unique among subjects.

    ``pings``: a person whom DMs do not reach is pinged about it in a channel. A ping shows everybody that the message
    exists and when it came, so it must not be about anything secret.
    """

    name: ClassVar[str] = ""
    pings: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Board(Subject):
    """The table's board."""

    name = "board"


@dataclass(frozen=True, slots=True)
class SetUp(Subject):
    """The table's set-up, until play begins."""

    name = "setup"


@dataclass(frozen=True, slots=True)
class OfferCard(Subject):
    """An offer in the table's channel or in a negotiation's thread."""

    name = "offer"
    offer: int


@dataclass(frozen=True, slots=True)
class PersonalOffer(Subject):
    """An offer for one person: its poster or its addressee."""

    name = "personal"
    pings = True
    offer: int
    role: OfferRole
    user: int


@dataclass(frozen=True, slots=True)
class ToConfirm(Subject):
    """The notice to one side that an agreed offer can be confirmed now."""

    name = "confirm"
    pings = True
    offer: int
    user: int


@dataclass(frozen=True, slots=True)
class Missed(Subject):
    """The news for a person who accepted an offer to all, that the poster picked another."""

    name = "missed"
    offer: int
    user: int


@dataclass(frozen=True, slots=True)
class Declined(Subject):
    """The news of the entry ``seq`` for the poster of an offer: the addressee declined it."""

    name = "declined"
    pings = True
    seq: int
    user: int


@dataclass(frozen=True, slots=True)
class Told(Subject):
    """The news of the entry ``seq`` for a person who waited for another and need not act on it."""

    name = "told"
    seq: int
    user: int


@dataclass(frozen=True, slots=True)
class Prompt(Subject):
    """A question to one person that everybody may know of. ``deal`` is the deal it is about, if any."""

    name = "prompt"
    pings = True
    key: str
    user: int
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class HiddenPrompt(Subject):
    """A question to one person whose existence would reveal what only they may know."""

    name = "hidden-prompt"
    key: str
    user: int


@dataclass(frozen=True, slots=True)
class Result(Subject):
    """What a transaction gave and took, for one of its two sides."""

    name = "result"
    pings = True
    transaction: int
    user: int


@dataclass(frozen=True, slots=True)
class FollowUp(Subject):
    """A follow-up of the entry ``seq`` for one person, which everybody may know of.

    ``number`` counts that person's follow-ups from 0.
    """

    name = "follow-up"
    pings = True
    seq: int
    number: int
    user: int


@dataclass(frozen=True, slots=True)
class HiddenFollowUp(Subject):
    """A follow-up for one person whose existence would reveal what only they may know. Fields as in `FollowUp`."""

    name = "hidden-follow-up"
    seq: int
    number: int
    user: int


@dataclass(frozen=True, slots=True)
class TransactionCard(Subject):
    """The public card of a transaction that was negotiated in private."""

    name = "transaction"
    number: int


@dataclass(frozen=True, slots=True)
class PublicDeal(Subject):
    """A deal in the table's channel."""

    name = "public-deal"
    deal: int


@dataclass(frozen=True, slots=True)
class DealCard(Subject):
    """What the other party of a deal answered or marked, for one of the two."""

    name = "deal"
    deal: int
    user: int


@dataclass(frozen=True, slots=True)
class NegotiationThread(Subject):
    """Not a message: the private thread of a negotiation."""

    name = "thread"
    negotiation: int


@dataclass(frozen=True, slots=True)
class NegotiationSummary(Subject):
    """The summary in a negotiation's thread."""

    name = "summary"
    negotiation: int


@dataclass(frozen=True, slots=True)
class Headlines(Subject):
    """The headlines of a command, or of what the clock did; ``seq`` is the first entry with one."""

    name = "headlines"
    seq: int


@dataclass(frozen=True, slots=True)
class Correction(Subject):
    """The correction of this entry."""

    name = "correction"
    seq: int


@dataclass(frozen=True, slots=True)
class ChainHead(Subject):
    """The head of the ledger's chain at this entry."""

    name = "head"
    seq: int


@dataclass(frozen=True, slots=True)
class Replaced(Subject):
    """A message that a newer one replaces; it loses its buttons or is deleted."""

    name = "replaced"
    channel: int
    message: int


SUBJECTS: tuple[type[Subject], ...] = (
    Board, SetUp, OfferCard, PersonalOffer, ToConfirm, Missed, Declined, Told, Prompt, HiddenPrompt, Result, FollowUp,
    HiddenFollowUp, TransactionCard, PublicDeal, DealCard, NegotiationThread, NegotiationSummary, Headlines, Correction,
    ChainHead, Replaced,
)  # fmt: skip


_CODEC = Codec(SUBJECTS)


def encode(subject: Subject) -> str:
    """Return a subject as text for the store. Raises ``ValueError`` when one of its fields contains a colon."""
    return _CODEC.encode(subject)


def decode(text: str) -> Subject | None:
    """Return the subject of an encoded text; None for a text that `encode` does not produce."""
    return _CODEC.decode(text)
