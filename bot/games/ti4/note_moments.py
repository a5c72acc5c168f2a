"""The moment of each promissory note: when its own text lets its holder play it (69.1, 22).

The bot sees only what the table says, so a note is refused only if that speaks against it:
another's turn, another phase, no agenda, no combat. Between turns nothing does, since perhaps
nobody has typed the turn. Everything here is public. A host can overrule it for a seat, whose
player then plays the note: a host can't see into hands.
"""

from __future__ import annotations

from bot.api import (
    Feature,
    LabelledAction,
    OfSeat,
    Refused,
    StatePart,
    Table,
    frozen,
    part,
    with_part,
)
from bot.games.ti4.agendas import ask_about_agenda
from bot.games.ti4.combat import COMBAT_IS_OVER, AskWhomToFight, end_combat
from bot.games.ti4.components import describe_token, note_named, note_owner
from bot.games.ti4.state import Agenda, Combat, Round, TurnBegun, acting_seat, active_seat, voted_on
from data.ti4 import Moment

TURN_START: frozenset[Moment] = frozenset({"own_turn_start", "owner_turn_start"})
"""The moments at the start of a turn."""


def require_moment(table: Table, seat: str, token: str) -> None:
    """Raise `Refused` by 69.1 if the table has said something that rules out playing this note
    now.
    """
    note, card = note_named(token), describe_token(token)
    if note.moment == "never":
        how = "**Look at the rules** under **Menu** tells more about it."
        if note.passes_on:
            how = "/note give passes it on."
        raise Refused(f"{card} isn't played. It works {note.timing}.", how, rule="69.1")
    if (seat, token) in part(table, Overruled).notes:
        return
    turn = active_seat(table)
    if (
        note.moment in TURN_START
        and turn is not None
        and (turn, token) in part(table, TurnBegun).played
    ):
        raise Refused(
            f"{card} was played at the start of this turn, and it is played only once in it.",
            "In the next turn it can be played again.",
            rule="F1",
        )
    against, options = rules_out(table, note.moment, seat, note_owner(token)[1])
    if against:
        action = " [22]" if note.moment == "action" else ""
        raise Refused(
            f"{card} is played {note.timing}{action}, and {against}.",
            "If your table sees that otherwise, the host can let you play it: /note play with your "
            "name as player.",
            options=options,
            rule="69.1",
        )


def rules_out(
    table: Table, moment: Moment, holder: str, owner: str
) -> tuple[str, tuple[LabelledAction, ...]]:
    """Return what rules out this moment, and buttons that say otherwise. The reason is empty if
    nothing does.
    """
    combat, begun = part(table, Combat), table.window.number > 0
    turn = active_seat(table) if moment in TURN_START else acting_seat(table)
    match moment:
        case "agenda":
            if part(table, Agenda).title is not None:
                return "", ()
            reveal = LabelledAction("Agenda", ask_about_agenda(table))
            return "no agenda is being resolved", (reveal,)
        case "combat_end" | "own_combat" | "rival_combat":
            ended = combat.fought if moment == "combat_end" else frozenset()
            if not combat.pairs and not ended:
                ask = AskWhomToFight(table.id, table.window.since)
                begin = (LabelledAction("Combat", ask),) if turn else ()
                return "there is no combat now", begin
            if holder not in combat.fighting() | ended:
                return "you are not in the combat", ()
            if moment == "rival_combat" and combat.opponents(holder) == {owner}:
                return "your opponent is its owner", ()
            return "", ()
        case "strategy" | "status" if begun and table.phase != moment:
            return _now(table, holder), ()
        case "any" | "strategy" | "status" | "never":
            return "", ()
    if not begun:
        return "", ()  # this table has said nothing of turns or phases yet
    if table.phase != "action":
        return _now(table, holder), ()
    if moment == "any_turn":
        return "", ()
    if moment == "other_turn":
        return (_now(table, holder) if turn == holder else ""), ()
    whose = owner if moment in ("owner_turn", "owner_turn_start") else holder
    if whose in part(table, Round).passed and whose != combat.acting:
        they_have = "you have" if whose == holder else f"<seat:{whose}> has"
        return f"{they_have} passed for this round", ()
    if turn not in (None, whose):
        return _now(table, holder), ()
    if moment != "action" and moment not in TURN_START:
        return "", ()
    if moment in TURN_START and turn == whose and whose in part(table, TurnBegun).over:
        return "the start of this turn is over", ()
    if combat.pairs:
        return "a combat is going on", (LabelledAction(COMBAT_IS_OVER, end_combat(table)),)
    if voted_on(table) is not None:
        return "an agenda is being voted on", ()
    return "", ()


def _now(table: Table, holder: str) -> str:
    turn = active_seat(table)
    if turn is None:
        return f"this is the {table.phase} phase"
    return "it is your own turn" if turn == holder else f"it is <seat:{turn}>'s turn"


# ---------------------------------------------------------------- the host's word


@frozen
class Overruled(StatePart):
    """The notes, with the seat that may play each, whose moment a host has overruled in this
    window.
    """

    notes: frozenset[tuple[str, str]] = frozenset()

    def without(self, seat: str) -> Overruled:
        return Overruled()

    def renamed(self, before: str, now: str) -> Overruled:
        return Overruled()

    def window_over(self) -> Overruled:
        return Overruled()


class MomentOverruled(OfSeat):
    """A host said that this is a note's moment for a seat. Whether the seat has the note remains
    unknown.
    """

    kind = "ti4.note.allowed"
    note: str

    def sentence(self, ruler: str) -> str:
        return (
            f"{ruler.capitalize()} says that this is the moment of "
            f"**{describe_token(self.note)}**: "
            f"<player:{self.seat}> may play it now, until the next turn, agenda or phase."
        )

    def apply(self, table: Table) -> Table:
        return with_part(table, Overruled(part(table, Overruled).notes | {(self.seat, self.note)}))


FEATURE = Feature(state=Overruled, entries=(MomentOverruled,))
