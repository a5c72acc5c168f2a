"""The active system: whose units are there, and combat. Opponents count as neighbours while it
lasts (94 note 3.2).

A combat shows that the active player has activated a system with the opponent's units, which sends
notes home (`bot.games.ti4.note_returns`). Where nobody fights, the active player says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Action,
    Caller,
    Command,
    Entry,
    Feature,
    LabelledAction,
    OfSeat,
    Press,
    Refused,
    Since,
    Table,
    ToAnother,
    is_host,
    pair,
    part,
    quoted,
    replace,
    require_host,
    require_since,
    require_tracked,
    seat_meant,
    taken_seat,
    with_part,
)
from bot.games.ti4.entries import OfPair
from bot.games.ti4.neighbors import players_declare, require_one_of
from bot.games.ti4.state import Combat, Map, acting_seat, in_combat, require_now, require_turn


class BeginCombat(Command):
    """Say that two seats fight in the active system. ``first`` None: the caller's own seat."""

    kind = "ti4.fight"
    first: str | None
    second: str
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        ask = AskWhomToFight(table.id, table.window.since)
        require_now(table, self.since, ask, "There was combat")
        active = part(table, Combat).acting
        active = active or require_turn(table, "Combat happens only during a turn.")
        first, second = seat_meant(table, self.first, caller), taken_seat(table, self.second)
        if first.id == second.id:
            raise Refused("You can't fight yourself.", "Name the opponent.")
        if active not in (first.id, second.id):
            raise Refused(
                f"It is <seat:{active}>'s turn, so <they:{active}> must be one of the two."
            )
        if not players_declare(table):
            require_host(table, caller, "say who fights")
        require_one_of(table, (first.person, second.person), caller)
        if in_combat(table, first.id, second.id):
            raise Refused(
                f"<seat:{first.id}> and <seat:{second.id}> are already fighting.",
                "**The combat is over** under **Menu** ends it.",
            )
        return [CombatBegun(first=first.id, second=second.id)]


class AskWhomToFight(Action):
    """The board's button **Combat**, which asks whom the presser fights."""

    name = "ti4.ask.combat"
    since: Since = None


class CombatBegun(OfPair):
    """Two players fight in the active system."""

    kind = "ti4.turn.combat"

    def sentence(self, ruler: str) -> str:
        return (
            f"⚔️ <seat:{self.first}> and <seat:{self.second}> are fighting in the active system. "
            "During the combat, "
            "the two can trade."
        )

    def apply(self, table: Table) -> Table:
        now = part(table, Combat)
        opponents = {self.first, self.second} - {acting_seat(table)}
        pairs = now.pairs | {pair(self.first, self.second)}
        activated = now.activated | opponents
        changed = replace(now, pairs=pairs, activated=activated, since=table.seq + 1)
        return with_part(table, changed)


class EndCombat(Command):
    """End all combat in the active system. ``since`` is the entry that began the last one."""

    kind = "ti4.peace"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        fighting = part(table, Combat).fighting()
        if not fighting:
            raise Refused(
                "There is no combat now.", "**There was combat** under **Menu** begins one."
            )
        again = LabelledAction(COMBAT_IS_OVER, end_combat(table))
        now = part(table, Combat).since
        require_since(self.since, now, "Another combat has begun since.", again)
        seat = table.seat_of(caller.person)
        if not is_host(table, caller) and (seat is None or seat.id not in fighting):
            raise Refused(
                "You are not in this combat.",
                f"A player in this combat or <person:{table.host}> can end it.",
            )
        return [CombatEnded()]


COMBAT_IS_OVER = "The combat is over"


def end_combat(table: Table) -> Press:
    """Return the press that ends the combat of now."""
    return Press(table.id, EndCombat(part(table, Combat).since))


class CombatEnded(Entry):
    """All combat in the active system is over."""

    kind = "ti4.turn.peace"

    def sentence(self, ruler: str) -> str:
        return "The combat is over."

    def apply(self, table: Table) -> Table:
        now = part(table, Combat)
        fought = now.fought | now.fighting()
        return with_part(table, replace(now, pairs=frozenset(), fought=fought))


# ---------------------------------------------------------------- activation


class ActivateSystem(Command):
    """Say that the active player has activated a system with units of another seat.

    ``seat`` is who did it, None for whoever acts now.
    """

    kind = "ti4.activate"
    owner: str
    since: Since = None
    seat: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """A host who owns the units is refused too, since their notes would come home by their own
        word.
        """
        if not any(seat.in_play for seat in table.seats.values()):
            require_tracked(table)  # it only sends notes home
        owner = taken_seat(table, self.owner)
        require_now(table, self.since, ask_whose_units(table), "I activated a system of …")
        active = part(table, Combat).acting
        active = active or require_turn(table, "Systems are activated only during a turn.")
        if self.seat not in (None, active):
            raise Refused(f"That was <name:{self.seat}>'s action; now <name:{active}> acts.")
        if owner.id == active:
            raise Refused(
                "A player's own units don't count here.",
                "Name another player whose units are there.",
            )
        if table.seats[active].person != caller.person:
            if not is_host(table, caller):
                raise Refused(
                    f"It is <seat:{active}>'s turn, so only they or the host can say what they "
                    "activated.",
                    "You can ask for a note back: **Notes…** under **My goods**.",
                )
            if owner.person == caller.person:
                raise Refused(
                    f"These are your own units, so <seat:{active}> or another host says it.",
                    "The owner of a note asks for it back: **Notes…** under **My goods**.",
                )
        return [SystemActivated(seat=active, other=owner.id)]


class AskWhoseUnits(Action):
    """The board's button **I activated a system of …**, which asks whose units are there."""

    name = "ti4.ask.activated"
    since: Since = None
    seat: str | None = None


def ask_whose_units(table: Table) -> AskWhoseUnits:
    """Return the action that asks whose units are in the system that is activated now."""
    return AskWhoseUnits(table.id, table.window.since, acting_seat(table))


class SystemActivated(ToAnother):
    """The active player, ``seat``, activated a system with units of ``other``."""

    kind = "ti4.turn.activated"

    def sentence(self, ruler: str) -> str:
        return f"<player:{self.seat}> activates a system with <seat:{self.other}>'s units."

    def apply(self, table: Table) -> Table:
        now = part(table, Combat)
        return with_part(table, replace(now, activated=now.activated | {self.other}))


# ---------------------------------------------------------------- acting out of turn


class ActOutOfTurn(Command):
    """Say that a seat acts out of turn by this effect, or that it has done so. Needs the host.

    ``trades``: others may trade with it meanwhile, as with the active player.
    """

    words = ("effect",)
    seat: str
    effect: str = "Z'eu"
    trades: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Nothing that comes at the start of a turn follows."""
        require_host(table, caller, "say who acts out of turn")
        seat, now = taken_seat(table, self.seat).id, part(table, Combat)
        if require_turn(table, "Actions are taken only during a turn.") == seat:
            raise Refused(f"It is <seat:{seat}>'s turn.", "Name who acts out of turn.")
        if now.pairs:
            ends = "**The combat is over** under **Menu**, **Host…** ends it."
            raise Refused("A combat is going on.", ends)
        if now.acting not in (None, seat):
            first = "Say that it is over first: /turn act with the same player."
            raise Refused(f"<seat:{now.acting}> acts out of turn already.", first)
        over = now.acting == seat
        trades = self.trades and not over
        return [ActsOutOfTurn(seat=seat, effect=self.effect, trades=trades, over=over)]


class ActsOutOfTurn(OfSeat):
    """A seat is the active player of an action, though it is not its turn; or that is ``over``.

    ``trades``: the host lets others trade with it meanwhile; the sources don't say which.
    """

    kind = "ti4.turn.acting"
    effect: str
    trades: bool = False
    over: bool = False

    def sentence(self, ruler: str) -> str:
        by = f"**{quoted(self.effect)}**"
        if self.over:
            return f"<player:{self.seat}>'s action by {by} is over."
        trades = f"{ruler.capitalize()} lets others trade with <them:{self.seat}> meanwhile"
        if not self.trades:
            trades = f"That lets nobody trade with <them:{self.seat}>"
        doubt = "the sources don't say which"
        return f"<player:{self.seat}> acts out of turn, by {by}. {trades}: {doubt}."

    def apply(self, table: Table) -> Table:
        acting = None if self.over else self.seat
        now = replace(part(table, Combat), acting=acting, may_trade=self.trades)
        return with_part(table, replace(now, activated=frozenset()))


def after(table: Table, entry: Entry) -> Table:
    """Ships move into a system that is activated, so the board asks again who is next to whom."""
    if not isinstance(entry, SystemActivated | CombatBegun):
        return table
    return with_part(table, replace(part(table, Map), quiet=False))


def activation(table: Table, entry: Entry) -> tuple[str, str] | None:
    """Return who activates a system with this entry, and whose units are there; None if it is no
    activation.

    When two fight again in the same turn, as ground forces do after ships, it is the same system.
    """
    if isinstance(entry, SystemActivated):
        return entry.seat, entry.other
    if not isinstance(entry, CombatBegun):
        return None
    active = acting_seat(table)
    other = entry.first if active == entry.second else entry.second
    return (active, other) if active and other not in part(table, Combat).activated else None


FEATURE = Feature(
    state=Combat,
    commands=(BeginCombat, EndCombat, ActivateSystem, ActOutOfTurn),
    entries=(CombatBegun, CombatEnded, SystemActivated, ActsOutOfTurn),
    opens=(AskWhomToFight, AskWhoseUnits),
    hears=(CombatBegun, SystemActivated),
    after=after,
)
