"""Starting and stopping: retries while Discord has trouble, error messages for the operator, orderly shutdown."""

from bot.lifecycle.failures import Retries, is_passing, sentence
from bot.lifecycle.interactions import DiscordTime, Interactions, guard_arrivals
from bot.lifecycle.signals import stop_signals

__all__ = ["DiscordTime", "Interactions", "Retries", "guard_arrivals", "is_passing", "sentence", "stop_signals"]
