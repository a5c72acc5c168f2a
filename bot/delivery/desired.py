"""What Discord should show of a table, as plain values: places, and the steps that the planner returns."""

from __future__ import annotations

from dataclasses import dataclass

from bot.delivery.subjects import Subject
from bot.show.cards import Card

# ---------------------------------------------------------------- places


@dataclass(frozen=True, slots=True)
class TableChannel:
    """The table's own channel or thread."""


@dataclass(frozen=True, slots=True)
class NegotiationRoom:
    """The private thread of a negotiation. Where no thread could be opened, messages to it are not sent."""

    negotiation: int


@dataclass(frozen=True, slots=True)
class DirectMessages:
    """The DMs of one Discord user."""

    user: int


SharedPlace = TableChannel | NegotiationRoom
Place = SharedPlace | DirectMessages


# ---------------------------------------------------------------- steps


@dataclass(frozen=True, slots=True)
class Fallback:
    """Where to ping a person whom DMs do not reach, with the card that others may read there too.

    ``replaced`` is the card that it shows once a newer message has been sent.
    """

    place: SharedPlace
    card: Card
    replaced: Card


@dataclass(frozen=True, slots=True)
class Desired:
    """A message that should show this card.

    ``wanted``: send it if there is none; otherwise only an existing message is kept up to date. ``fresh``: a person has
    to act on it, so a changed card is sent as a new message, since Discord notifies nobody of an edit. Without a
    ``fallback``, nothing is sent to a person whom DMs do not reach.
    """

    subject: Subject
    place: Place
    card: Card
    wanted: bool = True
    fresh: bool = False
    fallback: Fallback | None = None


@dataclass(frozen=True, slots=True)
class Retired:
    """A message that is no longer kept up to date: it is edited to this card, without buttons, and then forgotten.

    ``overheard`` is the card to show instead where others read the message too.
    """

    subject: Subject
    card: Card
    overheard: Card


@dataclass(frozen=True, slots=True)
class OpenThread:
    """A private thread that should exist, with these users in it."""

    negotiation: int
    name: str
    users: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ArchiveThread:
    """A private thread that should be archived."""

    negotiation: int


Step = Desired | Retired | OpenThread | ArchiveThread


@dataclass(frozen=True, slots=True)
class DesiredBoard:
    """The table's board. When ``window`` changes it is sent anew, so that it moves down to where people are reading."""

    card: Card
    window: str
    wanted: bool
