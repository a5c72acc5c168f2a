"""What Discord should show of a table, as plain values: places, and the steps that the planner returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from bot.delivery.subjects import NegotiationThread, Replaced, Subject
from bot.rules.model.calls import CallKind
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


class Priority(IntEnum):
    """Which messages go first when Discord's limits make some of them wait."""

    BELL = 0
    """Everybody must know at once, since time has run out."""
    ACT = 1
    """Somebody must act on it, or everybody sees something happen."""
    NEWS = 2
    """What happened, for a person who did not see it happen."""
    CARD = 3
    """A card that others may act on."""
    LEISURE = 4
    """A card on which nobody can act any more."""
    REFRESH = 5
    """A card of which only the figures have changed, such as what it would make of a hand."""
    BOARD = 6
    AGAIN = 7
    """An edit that changes nothing as far as is known: one made once more, or to see whether the message exists."""


# ---------------------------------------------------------------- steps


class Fallback:
    """Where to ping a person whom DMs do not reach, with the card that others may read there too.

    ``replaced`` is the card that it shows once a newer message has been sent. Either card may be given as a function,
    which is called when it is first needed: nearly everybody's DMs are open.
    """

    def __init__(
        self, place: SharedPlace, card: Card | Callable[[], Card], replaced: Card | Callable[[], Card]
    ) -> None:
        self.place = place
        self._card, self._replaced = card, replaced

    @property
    def card(self) -> Card:
        """What is shown there."""
        self._card = made = self._card if isinstance(self._card, Card) else self._card()
        return made

    @property
    def replaced(self) -> Card:
        """What is shown there once a newer message has been sent."""
        self._replaced = made = self._replaced if isinstance(self._replaced, Card) else self._replaced()
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fallback):
            return NotImplemented
        return (self.place, self.card, self.replaced) == (other.place, other.card, other.replaced)

    def __hash__(self) -> int:
        return hash(self.place)

    def __repr__(self) -> str:
        return f"Fallback({self.place!r}, {self.card!r}, {self.replaced!r})"


@dataclass(frozen=True, slots=True)
class Desired:
    """A message that should show this card.

    ``wanted``: send it if there is none; otherwise only an existing message is kept up to date. ``anchor`` names the
    occasion for which the message is sent; with another one it is sent anew, since Discord notifies nobody of an edit,
    and the older message is closed. None keeps whatever there is. Without a ``fallback``, nothing is sent to a person
    whom DMs do not reach; only a subject that ``pings`` may have one. ``final``: it will not change any more, so it
    need not be remembered. ``entry`` is the number of the entry that it tells of, 0 for a message about how things are.
    ``call`` is why it notifies the person in whose DMs it is, or in a shared place the users ``rings`` whom it
    mentions. Without one it comes silently.
    """

    subject: Subject
    place: Place
    card: Card
    wanted: bool = True
    anchor: str | None = None
    fallback: Fallback | None = None
    priority: Priority = Priority.CARD
    final: bool = False
    entry: int = 0
    call: CallKind | None = None
    rings: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.fallback is not None and not self.subject.pings:
            raise ValueError(f"{self.subject} must not be pinged about: that would tell others that it is there")


@dataclass(frozen=True, slots=True)
class Retired:
    """A message that is no longer kept up to date: it is edited to this card, without buttons, and then forgotten.

    ``overheard`` is the card to show instead where others read the message too.
    """

    subject: Subject
    card: Card
    overheard: Card


@dataclass(frozen=True, slots=True)
class Closed:
    """A message in whose place a newer one was sent: it is edited to this card, without buttons, or deleted."""

    subject: Replaced
    card: Card


@dataclass(frozen=True, slots=True)
class OpenThread:
    """A private thread that should exist, with these users in it."""

    subject: NegotiationThread
    name: str
    users: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ArchiveThread:
    """A private thread that should be archived."""

    subject: NegotiationThread


Step = Desired | Retired | Closed | OpenThread | ArchiveThread
