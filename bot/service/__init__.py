"""The service: one door for every change and every look. What comes out is redacted for the requester."""

from bot.ledger import Message, TableRow
from bot.service.messages import MessageStore
from bot.service.requests import (
    Briefing,
    CommandFactory,
    ExportSource,
    Filter,
    HistoryPage,
    Outcome,
    People,
    Requester,
    SeatBriefing,
    TradeStory,
    Verification,
)
from bot.service.service import Service

__all__ = [
    "Briefing",
    "CommandFactory",
    "ExportSource",
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
    "TradeStory",
    "Verification",
]
