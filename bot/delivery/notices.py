"""Notices: whom a new message notifies. Everybody may silence a kind of call; the message comes all the same."""

from __future__ import annotations

from dataclasses import dataclass

from bot.delivery.desired import Desired, DirectMessages
from bot.service import MessageStore


@dataclass(frozen=True, slots=True)
class Notice:
    """The users that a message in a channel mentions so that they are notified, or whether a DM comes ``silent``."""

    pings: tuple[int, ...] = ()
    silent: bool = False


async def notice(store: MessageStore, step: Desired, *, in_dm: bool) -> Notice:
    """Return whom a message notifies; ``in_dm``: it is sent to its person, and not to a channel in place of that.

    Raises `bot.ledger.LedgerError`.
    """
    people = (step.place.user,) if isinstance(step.place, DirectMessages) else step.rings
    loud = tuple([user for user in people if step.call and step.call not in await store.muted(user)])
    return Notice(silent=not loud) if in_dm else Notice(pings=loud)
