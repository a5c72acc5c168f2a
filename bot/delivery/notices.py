"""Notices: whom a new message notifies. People can mute a kind of call; they still get the message."""

from __future__ import annotations

from dataclasses import dataclass

from bot.delivery.desired import Desired, DirectMessages
from bot.service import MessageStore


@dataclass(frozen=True, slots=True)
class Notice:
    """The users whom a message in a channel notifies, or for a DM whether it is ``silent``."""

    pings: tuple[int, ...] = ()
    silent: bool = False


async def notice(store: MessageStore, step: Desired, *, in_dm: bool) -> Notice:
    """Return whom a message notifies. ``in_dm``: it is sent as a DM, not to a channel as the fallback.

    Raises `bot.ledger.LedgerError`.
    """
    people = (step.place.user,) if isinstance(step.place, DirectMessages) else step.rings
    loud = tuple([user for user in people if step.call and step.call not in await store.muted(user)])
    return Notice(silent=not loud) if in_dm else Notice(pings=loud)
