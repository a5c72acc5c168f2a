"""The plain values that the ledger takes and gives, beside the entries themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

from bot.rules.entries import Recorded
from bot.rules.model.people import Person

GENESIS: Final = sha256(b"bourse ledger").hexdigest()
"""The hash that the first entry of every table follows."""


class Head(NamedTuple):
    """The end of a table's chain: number and hash of its last entry, 0 and `GENESIS` before the first."""

    seq: int = 0
    hash: str = GENESIS


class Unchanged(Enum):
    """The type of `UNCHANGED`."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED
"""In place of a deadline: the table keeps the one it has, which may be none."""


class Deadline(NamedTuple):
    """When a table needs the clock next, in milliseconds since 1970. ``guild_id`` is its server, None in a DM."""

    table_id: int
    guild_id: int | None
    at: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as the directory lists it. ``guild_id`` is None for a table opened in a direct message."""

    id: int
    guild_id: int | None
    channel_id: int
    game: str
    name: str
    closed: bool


class Snapshot(NamedTuple):
    """A table as it is saved beside its entries: its state as text, where it is played, its people's highest number."""

    state: str
    guild_id: int | None
    channel_id: int
    people: int


class Stored(NamedTuple):
    """What a table is read from: its last snapshot, as number and text, and the entries from there to its head."""

    row: TableRow
    head: Head
    snapshot: tuple[int, str] | None
    entries: Sequence[Recorded]
    people: Sequence[Person]


Fate = Literal["sending", "answering", "editing", "edited", "shown", "given_up"]
"""What has become of a message: a request for it has begun (in answer to an interaction: ``answering``), an edit is
still to be made, it shows what it should, or it was given up for a reason.
"""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that is to be kept up to date: its subject, its place, and a digest of what it shows.

    ``message_id`` is 0 while it is not known to exist. ``entry`` is the entry that caused what is under way, ``at``
    when that began, in milliseconds since 1970. ``generation`` counts the messages about the subject before this one;
    ``anchor`` names the occasion it was sent for. ``reason`` says why it was given up.
    """

    subject: str
    channel_id: int
    message_id: int
    shown: str
    fate: Fate = "shown"
    entry: int = 0
    generation: int = 0
    anchor: str = ""
    at: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """The part of an entry that everybody may read: enough to recompute its hash, nothing that is sealed.

    ``digests`` holds the salted digests of its sealed parts and of its commitments, by name. ``interaction`` and
    ``command_size`` are those of a command's first entry, if it came from an interaction.
    """

    seq: int
    at: int
    by: int | None
    public: Mapping[str, Any]
    digests: Mapping[str, str]
    hash: str
    interaction: int | None = None
    command_size: int | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """The record of a removed table: when, in milliseconds since 1970, and the last entry it had.

    Removals form a chain of their own; ``seq`` and ``hash`` are the removal's place in it.
    """

    seq: int
    table_id: int
    at: int
    last_seq: int
    head: str
    hash: str


@dataclass(frozen=True, slots=True)
class Bad:
    """The first entry (or removal) that does not verify, and the reason."""

    seq: int
    reason: str
