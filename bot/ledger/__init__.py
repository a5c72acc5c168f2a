"""The ledger: what happened at every table, kept so that nothing is lost and nothing is changed unseen."""

from bot.ledger.chain import GENESIS, check_published
from bot.ledger.errors import ChannelTaken, LedgerError, LostRace, Repeated
from bot.ledger.store import Ledger
from bot.ledger.values import Bad, Message, Person, Published, Removal, TableRow

__all__ = [
    "GENESIS",
    "Bad",
    "ChannelTaken",
    "Ledger",
    "LedgerError",
    "LostRace",
    "Message",
    "Person",
    "Published",
    "Removal",
    "Repeated",
    "TableRow",
    "check_published",
]
