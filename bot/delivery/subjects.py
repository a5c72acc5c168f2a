"""Subjects: what each message of the bot is about. A table has at most one message about each subject.

A subject is a value here and text in the store of messages. Only `encode` and `decode` know the text: the subject's
name and its fields, separated by colons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, fields
from typing import ClassVar, Literal, get_args, get_type_hints

OfferRole = Literal["poster", "addressed"]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a message is about. ``name`` is unique among subjects; fields are int, int or None, str, or a Literal."""

    name: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Board(Subject):
    """The table's board."""

    name = "board"


@dataclass(frozen=True, slots=True)
class BoardWindow(Subject):
    """Not a message: the window for which the board was sent. When it changes, the board moves down."""

    name = "board-window"


@dataclass(frozen=True, slots=True)
class OfferCard(Subject):
    """An offer in the table's channel or in a negotiation's thread."""

    name = "offer"
    offer: int


@dataclass(frozen=True, slots=True)
class PersonalOffer(Subject):
    """An offer for one person: its poster, or the one it is addressed to."""

    name = "personal"
    offer: int
    role: OfferRole
    user: int


@dataclass(frozen=True, slots=True)
class Missed(Subject):
    """The news for a person who accepted an offer to all that went to another."""

    name = "missed"
    offer: int
    user: int


@dataclass(frozen=True, slots=True)
class Prompt(Subject):
    """A question to one person. ``deal`` is the deal it is about, if any."""

    name = "prompt"
    key: str
    user: int
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class Result(Subject):
    """What a transaction gave and took, for one of its two people."""

    name = "result"
    transaction: int
    user: int


@dataclass(frozen=True, slots=True)
class FollowUp(Subject):
    """A follow-up of the entry ``seq`` for one person; ``number`` counts that person's follow-ups from 0."""

    name = "follow-up"
    seq: int
    number: int
    user: int


@dataclass(frozen=True, slots=True)
class TransactionCard(Subject):
    """A transaction that was negotiated in private, as everybody may read it."""

    name = "transaction"
    number: int


@dataclass(frozen=True, slots=True)
class DealCard(Subject):
    """The answer to a deal, for the person who proposed it."""

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
class ClockNews(Subject):
    """What the clock caused with this entry."""

    name = "clock"
    seq: int


@dataclass(frozen=True, slots=True)
class Correction(Subject):
    """The correction of this entry."""

    name = "correction"
    seq: int


@dataclass(frozen=True, slots=True)
class ChainHead(Subject):
    """The head of the ledger's chain, as of this entry."""

    name = "head"
    seq: int


SUBJECTS: tuple[type[Subject], ...] = (
    Board, BoardWindow, OfferCard, PersonalOffer, Missed, Prompt, Result, FollowUp, TransactionCard, DealCard,
    NegotiationThread, NegotiationSummary, ClockNews, Correction, ChainHead,
)  # fmt: skip
"""Every kind of subject."""


def encode(subject: Subject) -> str:
    """Return the subject as the store keeps it. Raises ``ValueError`` when one of its texts holds a colon."""
    values = ["" if value is None else str(value) for value in astuple(subject)]
    if broken := [value for value in values if ":" in value]:
        raise ValueError(f"a subject can't hold {broken[0]!r}")
    return ":".join((subject.name, *values))


def decode(text: str) -> Subject | None:
    """Return the subject of an encoded text, or None for a text that `encode` does not produce."""
    name, *values = text.split(":")
    kind = _BY_NAME.get(name)
    if kind is None:
        return None
    try:
        return kind(*(read(value) for read, value in zip(_READERS[name], values, strict=True)))
    except ValueError:
        return None


def prefix(kind: type[Subject], *values: int) -> str:
    """Return the beginning of the encoded subjects of this kind, with the values of its first fields if given."""
    return ":".join((kind.name, *map(str, values), ""))


Reader = Callable[[str], object]
"""Reads a field of a subject. Raises ``ValueError``."""


def _readers(kind: type[Subject]) -> tuple[Reader, ...]:
    hints = get_type_hints(kind)
    return tuple(_reader(hints[field.name]) for field in fields(kind))


def _reader(hint: object) -> Reader:
    if hint is int:
        return int
    if hint == int | None:
        return _int_or_none
    choices = get_args(hint)
    return _one_of(choices) if choices else str


def _int_or_none(text: str) -> int | None:
    return int(text) if text else None


def _one_of(choices: tuple[str, ...]) -> Reader:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(text)
        return text

    return read


_BY_NAME: Mapping[str, type[Subject]] = {kind.name: kind for kind in SUBJECTS}
_READERS: Mapping[str, tuple[Reader, ...]] = {kind.name: _readers(kind) for kind in SUBJECTS}
