"""The service: the only way to change or read a table. It redacts its results for the requester."""

from bot.ledger import Fate, Message, TableRow
from bot.service.checking import PostedHead, read_head
from bot.service.clock import Clock
from bot.service.elsewhere import Elsewhere
from bot.service.members import LookUp, Members, MembershipUnknown
from bot.service.messages import MessageStore
from bot.service.requests import (
    Briefing,
    Change,
    CommandFactory,
    ExportSource,
    Filter,
    HistoryPage,
    Outcome,
    People,
    Requester,
    SeatBriefing,
    TradeHistory,
    Verification,
)
from bot.service.room import Room
from bot.service.service import Service
from bot.service.shards import Shards

__all__ = [
    "Briefing",
    "Change",
    "Clock",
    "CommandFactory",
    "Elsewhere",
    "ExportSource",
    "Fate",
    "Filter",
    "HistoryPage",
    "LookUp",
    "Members",
    "MembershipUnknown",
    "Message",
    "MessageStore",
    "Outcome",
    "People",
    "PostedHead",
    "Requester",
    "Room",
    "SeatBriefing",
    "Service",
    "Shards",
    "TableRow",
    "TradeHistory",
    "Verification",
    "read_head",
]
