"""Combat in the active system: opponents count as neighbours while it lasts (94 note 3.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bot.api import (
    Action,
    Caller,
    Command,
    Entry,
    Feature,
    Refused,
    Table,
    is_host,
    pair,
    part,
    require_host,
    seat_meant,
    taken_seat,
    with_part,
)
from bot.games.ti4.entries import OfPair
from bot.games.ti4.neighbors import players_declare, require_one_of
from bot.games.ti4.state import Combat, active_seat, in_combat


@dataclass(frozen=True, slots=True)
class BeginCombat(Command):
    """Say that two seats fight in the active system. ``first`` None: the caller's own seat."""

    kind = "ti4.fight"
    first: str | None
    second: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` outside turns, unless the active player fights, unless a fighter or host asks, and if the
        two fight already.
        """
        active = active_seat(table)
        if active is None:
            raise Refused("", "Combat happens only during a turn.", "/turn start begins one.")
        first, second = seat_meant(table, self.first, caller), taken_seat(table, self.second)
        if first.id == second.id:
            raise Refused("", "You can't fight yourself.", "Name the opponent.")
        if active not in (first.id, second.id):
            raise Refused("", f"It is <seat:{active}>'s turn, so they must be one of the two.")
        if not players_declare(table):
            require_host(table, caller, "say who fights")
        require_one_of(table, (first.person, second.person), caller)
        if in_combat(table, first.id, second.id):
            raise Refused("", f"<seat:{first.id}> and <seat:{second.id}> are already fighting.", "/turn peace ends it.")
        return [CombatBegun(first=first.id, second=second.id)]


@dataclass(frozen=True, slots=True)
class AskWhomToFight(Action):
    """The board's button **Combat**, which asks whom the presser fights."""

    name = "ti4.ask.combat"


class CombatBegun(OfPair):
    """Two players fight in the active system."""

    kind: Literal["ti4.turn.combat"] = "ti4.turn.combat"

    def sentence(self, ruler: str) -> str:
        return (
            f"⚔️ <seat:{self.first}> and <seat:{self.second}> are fighting in the active system. During the combat, "
            "they can trade."
        )

    def apply(self, table: Table) -> Table:
        return with_part(table, Combat(part(table, Combat).pairs | {pair(self.first, self.second)}))


@dataclass(frozen=True, slots=True)
class EndCombat(Command):
    """End all combat in the active system."""

    kind = "ti4.peace"

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` unless a fighter or host asks, and if there is no combat."""
        fighting = {seat for two in part(table, Combat).pairs for seat in two}
        if not fighting:
            raise Refused("", "There is no combat now.", "/turn combat begins one.")
        seat = table.seat_of(caller.person)
        if not is_host(table, caller) and (seat is None or seat.id not in fighting):
            raise Refused(
                "", "You are not in this combat.", f"A player in this combat or <person:{table.host}> can end it."
            )
        return [CombatEnded()]


class CombatEnded(Entry):
    """All combat in the active system is over."""

    kind: Literal["ti4.turn.peace"] = "ti4.turn.peace"

    def sentence(self, ruler: str) -> str:
        return "The combat is over."

    def apply(self, table: Table) -> Table:
        return with_part(table, Combat())


FEATURE = Feature(
    state=Combat, commands=(BeginCombat, EndCombat), entries=(CombatBegun, CombatEnded), opens=(AskWhomToFight,)
)
