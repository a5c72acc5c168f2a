"""The limits on open tables on one server and for one person. The operator sets both."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ledger import Ledger
from bot.rules.model.violation import Refused
from bot.service.requests import Requester


@dataclass(frozen=True, slots=True)
class Room:
    """The most open tables on one server, and the most at which one person sits or hosts. A channel has one."""

    server: int = 2500
    person: int = 25


async def require_room(ledger: Ledger, room: Room, requester: Requester, own: int) -> None:
    """Raise `Refused` if the server, or the person with ``own`` open tables, has reached its limit."""
    if own >= room.person:
        reason = f"You are at {own} open tables, and {room.person} are the most that one person has here."
        raise Refused("", reason, "Close or leave one first: /table close, /table leave.")
    if requester.guild_id is None:
        return
    there = await ledger.open_tables_on(requester.guild_id)
    if there >= room.server:
        reason = f"{there} tables are open on this server, and {room.server} are the most it has."
        raise Refused("", reason, "Close one that is over: /table close.")
