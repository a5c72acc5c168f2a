"""The service: the only way to change or read a table. What it returns is redacted for the requester."""

from bot.ledger import Fate, Message, TableRow
from bot.service.clock import Clock
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
from bot.service.service import Service

__all__ = [
    "Briefing",
    "Change",
    "Clock",
    "CommandFactory",
    "ExportSource",
    "Fate",
    "Filter",
    "HistoryPage",
    "Message",
    "MessageStore",
    "Outcome",
    "People",
    "Requester",
    "SeatBriefing",
    "Service",
    "TableRow",
    "TradeHistory",
    "Verification",
]
