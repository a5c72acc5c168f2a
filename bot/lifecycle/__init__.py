"""Starting and stopping: retries while Discord has trouble, error messages for the operator, orderly shutdown."""

from bot.lifecycle.arrivals import guard_arrivals
from bot.lifecycle.discord_time import DiscordTime
from bot.lifecycle.failures import is_passing, sentence
from bot.lifecycle.garbage import collect_now_and_then, seldom_collected
from bot.lifecycle.interactions import Interactions
from bot.lifecycle.patience import Patience
from bot.lifecycle.signals import stop_signals

__all__ = [
    "DiscordTime",
    "Interactions",
    "Patience",
    "collect_now_and_then",
    "guard_arrivals",
    "is_passing",
    "seldom_collected",
    "sentence",
    "stop_signals",
]
