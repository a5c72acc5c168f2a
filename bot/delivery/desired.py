"""What Discord should show of a table: places and steps as plain values, made by the planner."""

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
    """The private thread of a negotiation, or no place at all where none could be opened."""

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
    """Where a person is pinged who takes no DMs, and what others may read there along with them.

    ``replaced`` is what stands in its place once a newer message has been sent.
    """

    place: SharedPlace
    card: Card
    replaced: Card


@dataclass(frozen=True, slots=True)
class Desired:
    """A message that should show this card.

    ``wanted``: it is sent where there is none; otherwise only one that exists is kept up to date. ``fresh``: a person
    has to act on it, so a card that changed is sent as a new message, for Discord notifies nobody of an edit. Without a
    ``fallback``, a person who takes no DMs is not told.
    """

    subject: Subject
    place: Place
    card: Card
    wanted: bool = True
    fresh: bool = False
    fallback: Fallback | None = None


@dataclass(frozen=True, slots=True)
class Retired:
    """A message that is kept up to date no more: it shows this card once again, and then it is forgotten.

    ``overheard`` is the card where others read it than the person it was for.
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
    """A private thread that is needed no more."""

    negotiation: int


Step = Desired | Retired | OpenThread | ArchiveThread


@dataclass(frozen=True, slots=True)
class DesiredBoard:
    """The table's board. ``window``: with another one than before, the board moves down to where people are reading."""

    card: Card
    window: str
    wanted: bool
