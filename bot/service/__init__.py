"""The service: the only way to change or read a table. It redacts its results for the requester."""

from bot.ledger import Fate, Message, TableRow
from bot.service.auditing import (
    HEAD_DIGITS,
    PostedHead,
    UnknownPerson,
    check_table,
    export_for,
    has_head,
    ledger_faults,
    read_head,
)
from bot.service.briefing import GREETED, MessageStore
from bot.service.clock import DeadlineClock
from bot.service.gate import BotRemoved, LookUp, Members, Membership, MembershipUnknown
from bot.service.peers import Peers
from bot.service.records import Recent
from bot.service.requests import (
    Briefing,
    CommandFactory,
    ExportSource,
    Filter,
    HistoryPage,
    Quotas,
    Requester,
    SeatBriefing,
    Shards,
    TableChange,
    TradeHistory,
    Verification,
)
from bot.service.service import Outcome, Service

__all__ = [
    "GREETED",
    "HEAD_DIGITS",
    "BotRemoved",
    "Briefing",
    "CommandFactory",
    "DeadlineClock",
    "ExportSource",
    "Fate",
    "Filter",
    "HistoryPage",
    "LookUp",
    "Members",
    "Membership",
    "MembershipUnknown",
    "Message",
    "MessageStore",
    "Outcome",
    "Peers",
    "PostedHead",
    "Quotas",
    "Recent",
    "Requester",
    "SeatBriefing",
    "Service",
    "Shards",
    "TableChange",
    "TableRow",
    "TradeHistory",
    "UnknownPerson",
    "Verification",
    "check_table",
    "export_for",
    "has_head",
    "ledger_faults",
    "read_head",
]
