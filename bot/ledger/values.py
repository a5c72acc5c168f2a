"""The plain values that the ledger takes and gives, beside the entries themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of one table. ``number`` is what entries call them; ``user_id`` is None once erased."""

    number: int
    user_id: int | None
    name: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as the directory lists it. ``guild_id`` is None for a table opened in a direct message."""

    id: int
    guild_id: int | None
    channel_id: int
    game: str
    name: str
    closed: bool


@dataclass(frozen=True, slots=True)
class Message:
    """A message the herald keeps up to date: what it is about, where it is, and a digest of what it shows."""

    subject: str
    channel_id: int
    message_id: int
    shown: str


@dataclass(frozen=True, slots=True)
class Published:
    """What anybody may have of an entry: enough to recompute its hash, nothing of what is sealed.

    ``digests`` are the salted digests of the sealed parts, by the part's name.
    """

    seq: int
    at: int
    by: int | None
    public: Mapping[str, Any]
    digests: Mapping[str, str]
    hash: str


@dataclass(frozen=True, slots=True)
class Removal:
    """What is left of a table that was removed: when, in milliseconds since 1970, and its last entry."""

    table_id: int
    at: int
    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class Bad:
    """The first entry of a table at which the chain does not hold, and why."""

    seq: int
    why: str
