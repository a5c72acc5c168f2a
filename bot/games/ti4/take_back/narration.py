"""What is said of a transaction that is taken back."""

from __future__ import annotations

from bot.api import Entry
from bot.games.ti4.take_back.entries import TakeBackAsked, TakeBackDenied, TradeTakenBack


def said(entry: Entry) -> str:
    """Return the sentence for an entry about taking a transaction back; empty for any other."""
    match entry:
        case TakeBackAsked(transaction=number, seat=seat, other=other):
            return f"<seat:{seat}> asks <seat:{other}> to take back transaction {number}, as a slip."
        case TakeBackDenied(transaction=number, seat=seat):
            return f"<seat:{seat}> leaves transaction {number} as it is."
        case TradeTakenBack(transaction=number, first=first, second=second, counted=counted):
            free = " They may trade once more in this turn or agenda." if counted else ""
            return (
                f"↩️ **<seat:{first}> and <seat:{second}> took transaction {number} back.** "
                f"What each gave is theirs again.{free}"
            )
    return ""
