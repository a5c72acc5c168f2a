"""The ledger: a durable record of every table, in which any later change is detected."""

from bot.ledger.chain import check_published
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
)
from bot.ledger.files import copy_ledger
from bot.ledger.keys import KeySource
from bot.ledger.messages import FLUSH_INTERVAL
from bot.ledger.opening import Ledger
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
    "Removal",
    "Repeated",
    "Snapshot",
    "TableRow",
    "Tampered",
    "check_published",
    "claimed",
    "copy_ledger",
    "database_name",
]
