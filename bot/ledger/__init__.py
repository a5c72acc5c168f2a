"""The ledger: what happened at every table, stored so that nothing is lost and every later change is found."""

from bot.ledger.chain import REMOVALS_GENESIS, check_published, check_removals
from bot.ledger.errors import ChannelTaken, LedgerError, LostRace, Repeated
from bot.ledger.store import Ledger
from bot.ledger.values import (
    GENESIS,
    UNCHANGED,
    Bad,
    Head,
    Message,
    Published,
    Removal,
    TableRow,
    Unchanged,
)
from bot.rules.model.people import Person

__all__ = [
    "GENESIS",
    "REMOVALS_GENESIS",
    "UNCHANGED",
    "Bad",
    "ChannelTaken",
    "Head",
    "Ledger",
    "LedgerError",
    "LostRace",
    "Message",
    "Person",
    "Published",
    "Removal",
    "Repeated",
    "TableRow",
    "Unchanged",
    "check_published",
    "check_removals",
]
