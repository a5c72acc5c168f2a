"""The ledger: a durable record of every table, in which any later change is detected."""

from bot.ledger.claims import Claim, claimed
from bot.ledger.engine import database_name
from bot.ledger.errors import (
    ChannelTaken,
    Damaged,
    LedgerError,
    LostRace,
    NotWritten,
    OutcomeUnknown,
    Repeated,
    Tampered,
    Unreachable,
    Unread,
)
from bot.ledger.files import (
    copied,
    database_file,
    heads_in,
    held_alone,
    lacks_log,
    require_whole,
    unfinished,
)
from bot.ledger.keys import KeySource, key_source
from bot.ledger.messages import FLUSH_INTERVAL
from bot.ledger.opening import Ledger, is_current_file, key_fault, stored_format
from bot.ledger.put_back import PutBack, mark_put_back, read_put_back
from bot.ledger.tables import evening_key
from bot.ledger.values import (
    GENESIS,
    UNCHANGED,
    BadEntry,
    Deadline,
    Fate,
    Head,
    Message,
    Published,
    Removal,
    Snapshot,
    TableEnd,
    TableRow,
)
from bot.rules.model.people import Person

__all__ = [
    "FLUSH_INTERVAL",
    "GENESIS",
    "UNCHANGED",
    "BadEntry",
    "ChannelTaken",
    "Claim",
    "Damaged",
    "Deadline",
    "Fate",
    "Head",
    "KeySource",
    "Ledger",
    "LedgerError",
    "LostRace",
    "Message",
    "NotWritten",
    "OutcomeUnknown",
    "Person",
    "Published",
    "PutBack",
    "Removal",
    "Repeated",
    "Snapshot",
    "TableEnd",
    "TableRow",
    "Tampered",
    "Unreachable",
    "Unread",
    "claimed",
    "copied",
    "database_file",
    "database_name",
    "evening_key",
    "heads_in",
    "held_alone",
    "is_current_file",
    "key_fault",
    "key_source",
    "lacks_log",
    "mark_put_back",
    "read_put_back",
    "require_whole",
    "stored_format",
    "unfinished",
]
