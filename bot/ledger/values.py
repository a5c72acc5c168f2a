"""The plain values that the ledger accepts and returns, apart from entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

from bot.rules.entries import Recorded
from bot.rules.model.people import Person
from bot.rules.model.values import frozen

GENESIS: Final = sha256(b"bourse ledger").hexdigest()
"""The previous hash of every table's first entry."""


class Head(NamedTuple):
    """The end of a table's chain: number and hash of its last entry; 0 and `GENESIS` before the
    first.
    """

    seq: int = 0
    hash: str = GENESIS


class Unchanged(Enum):
    """The type of `UNCHANGED`."""

    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED
"""In place of a deadline: keep the stored deadline, or lack of one."""


class Deadline(NamedTuple):
    """When a table needs the clock next, in milliseconds since 1970. ``guild_id`` is its server,
    None in a DM.
    """

    table_id: int
    guild_id: int | None
    at: int


@frozen
class TableRow:
    """A table as the directory lists it. ``guild_id`` is None for a table opened in a direct
    message.
    """

    id: int
    guild_id: int | None
    channel_id: int
    game: str
    name: str
    closed: bool


class Snapshot(NamedTuple):
    """A table's saved state: the state as text, its server and channel, and the highest number of
    its people.
    """

    state: str
    guild_id: int | None
    channel_id: int
    people: int


class StoredTable(NamedTuple):
    """A stored table: its last snapshot, as (entry number, text), and the entries after it up to
    the head.
    """

    row: TableRow
    head: Head
    snapshot: tuple[int, str] | None
    entries: Sequence[Recorded]
    people: Sequence[Person]


Fate = Literal["sending", "editing", "edited", "shown", "given_up"]
"""The state of a message, see `bot.delivery.life`. ``sending``: a request to send it has begun.
``editing``: an edit or a deletion has begun or is still to be made. ``edited``: the edit was made,
but is repeated in case another edit arrives late. ``shown``: it is up to date. ``given_up``: it
failed for a reason.
"""


@frozen
class Message:
    """A message that delivery keeps up to date: its subject, its place, and a digest of what it
    shows.

    ``message_id`` is 0 until the message is known to exist. ``entry`` is the entry that caused the
    current request, and ``at`` the time when the request began, in milliseconds since 1970.
    ``generation`` counts earlier messages about the same subject; ``anchor`` names the occasion it
    was sent for. ``reason`` says why it was given up.
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


@frozen
class Published:
    """The public form of an entry: enough to recompute its hash, without any sealed part.

    ``digests`` contains the salted digests of its sealed parts and commitments, by name.
    ``interaction`` and ``command_size`` are set only on the first entry of a command that came from
    an interaction.
    """

    seq: int
    at: int
    by: int | None
    public: Mapping[str, Any]
    digests: Mapping[str, str]
    hash: str
    interaction: int | None = None
    command_size: int | None = None


class TableEnd(NamedTuple):
    """A table with its last entry. ``at`` is when that was recorded, and ``opened_at`` when the
    first was, in milliseconds since 1970.
    """

    table_id: int
    channel_id: int
    seq: int
    hash: str
    at: int
    opened_at: int


@frozen
class Removal:
    """The record of a removed table: the time, in milliseconds since 1970, and its last entry.

    Removals form a chain of their own; ``seq`` and ``hash`` are this removal's number and hash in
    it.
    """

    seq: int
    table_id: int
    at: int
    last_seq: int
    head: str
    hash: str


@frozen
class BadEntry:
    """The first entry (or removal) that does not verify, and the reason."""

    seq: int
    reason: str
