"""Starting, running and stopping: the daily backup, retries while Discord has trouble, messages for
the operator.
"""

from bot.lifecycle.failures import Retries, is_passing, needs_operator, sentence
from bot.lifecycle.interactions import DiscordTime, Interactions, guard_arrivals, turn_away
from bot.lifecycle.messages import drop_others, intents, mentions_of
from bot.lifecycle.signals import stop_signals
from bot.lifecycle.upkeep import folder_fault, make_backups, remove_old_tables

__all__ = [
    "DiscordTime",
    "Interactions",
    "Retries",
    "drop_others",
    "folder_fault",
    "guard_arrivals",
    "intents",
    "is_passing",
    "make_backups",
    "mentions_of",
    "needs_operator",
    "remove_old_tables",
    "sentence",
    "stop_signals",
    "turn_away",
]
