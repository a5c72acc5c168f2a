"""Agendas: an agenda of the agenda phase opens a window (94.6); an agenda voted on within a turn
does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.api import (
    Action,
    Caller,
    Command,
    Entry,
    Feature,
    LabelledAction,
    PhaseSet,
    Refused,
    Since,
    Table,
    Window,
    is_host,
    open_window,
    part,
    quoted,
    require_seat_or_host,
    require_since,
    with_part,
)
from bot.games.ti4.phases import PhaseUndone
from bot.games.ti4.state import (
    Agenda,
    Round,
    active_seat,
    gone_on,
    require_turn,
    titled,
    voted_on,
)
from bot.games.ti4.turns import TurnEnded, TurnStarted


class RevealAgenda(Command):
    """Reveal an agenda, or (``replaces``) put another in its place. ``during``: the agenda phase,
    or a turn. ``since``: what is under way, or the agenda that is replaced.
    """

    words = ("title",)
    kind = "ti4.agenda"
    title: str = ""
    replaces: bool = False
    during: Literal["agenda", "turn"] = "agenda"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """94.6: an agenda opens a window for every pair. Note 5: a replacement opens a new one.

        An agenda voted on within a turn (Executive Order) opens none: the turn goes on. In the
        action phase, only hosts may reveal an agenda of the agenda phase, and the active player too
        one for their turn.
        """
        require_seat_or_host(table, caller)
        now, active, number = part(table, Agenda).title, active_seat(table), table.window.number
        if self.replaces and now is None:
            raise Refused(
                "There is no agenda to replace.",
                "**An agenda comes up** under **Menu** reveals one.",
            )
        if not self.replaces and now is not None:
            raise Refused(
                f"An agenda is already being resolved{titled(now)}.",
                "**An agenda comes up** under **Menu** ends or replaces it.",
            )
        _require_as_asked(table, self.since)
        if voted_on(table) is not None or (self.during == "turn" and not self.replaces):
            active = require_turn(table, "There is no turn in which to vote on it.")
            if table.seats[active].person != caller.person and not is_host(table, caller):
                how = "Only they or the host can say what is voted on during it."
                raise Refused(f"It is <seat:{active}>'s turn.", how)
            yield AgendaRevealed(
                title=self.title, window=number, replaces=self.replaces, in_turn=True
            )
            return
        how = (
            f"When the agenda phase begins, <person:{table.host}> can say so: **Begin a phase** "
            "under **Menu**, **Host…**."
        )
        if table.phase == "strategy":
            raise Refused(
                "Agendas come in the agenda phase, and this is the strategy phase.",
                how,
                rule="94.6",
            )
        if (active is not None or table.phase == "action") and not is_host(table, caller):
            raise Refused(
                "This is the action phase: an agenda now doesn't allow extra transactions.",
                how,
                rule="94.6",
            )
        yield AgendaRevealed(title=self.title, window=number + 1, replaces=self.replaces)


class AskAboutAgenda(Action):
    """The board's button **Agenda**, which asks what happens to it; ``voted_on``: an agenda within
    this turn. ``since``: what is under way, or the agenda.
    """

    name = "ti4.ask.agenda"
    voted_on: bool
    since: Since = None


def ask_about_agenda(table: Table) -> AskAboutAgenda:
    """Return the action that asks about the agenda, or about the next one."""
    since = part(table, Agenda).since or table.window.since
    return AskAboutAgenda(table.id, voted_on(table) is not None, since)


def _require_as_asked(table: Table, since: Since) -> None:
    """Raise `Refused` unless a button is about this agenda or, between two, about this time."""
    title, ask = part(table, Agenda).title, ask_about_agenda(table)
    over = gone_on(table)
    if title is not None:
        over = f"Another agenda has come up since{titled(title)}."
    require_since(since, ask.since or 0, over, LabelledAction("Agenda", ask))


class AgendaRevealed(Entry):
    """An agenda is being resolved, and every pair may trade once (94.6). ``replaces``: in place of
    another (note 5).

    ``in_turn``: it is voted on within a turn, whose window goes on; ``window`` is then the number
    of that window. The board shows it.
    """

    announced = False
    kind = "ti4.agenda.revealed"
    title: str
    window: int
    replaces: bool = False
    in_turn: bool = False

    def heading(self) -> str:
        """An agenda voted on within a turn begins no section."""
        titled = f"Agenda: {quoted(self.title)}" if self.title else "Agenda"
        return "" if self.in_turn else titled

    def sentence(self, ruler: str) -> str:
        how = (
            f"{'The agenda was replaced' if self.replaces else 'An agenda was revealed'}"
            f"{titled(self.title, '**')}"
        )
        if self.in_turn:
            return (
                f"{how}. It is voted on within this turn and doesn't allow extra transactions "
                "[94.6]."
            )
        return f"{how}. Each pair may trade once, neighbours or not [94.6]."

    def apply(self, table: Table) -> Table:
        if not self.in_turn:
            if table.phase != "agenda":
                table = with_part(table, Round())
            table = open_window(table, Window(number=self.window, kind="agenda"), phase="agenda")
        return with_part(table, Agenda(self.title, since=table.seq + 1))


class ResolveAgenda(Command):
    """Say that the agenda is resolved."""

    kind = "ti4.agenda.resolve"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_seat_or_host(table, caller)
        title = part(table, Agenda).title
        if title is None:
            raise Refused(
                "No agenda is being resolved.",
                "**An agenda comes up** under **Menu** reveals one.",
            )
        _require_as_asked(table, self.since)
        in_turn = voted_on(table) is not None
        return [
            AgendaResolved(title=title, window=table.window.number + (not in_turn), in_turn=in_turn)
        ]


class AgendaResolved(Entry):
    """The agenda is resolved, and its window is over. ``in_turn`` is as in `AgendaRevealed`."""

    announced = False
    kind = "ti4.agenda.resolved"
    title: str
    window: int
    in_turn: bool = False

    def sentence(self, ruler: str) -> str:
        return f"The agenda is resolved{titled(self.title, '**')}."

    def apply(self, table: Table) -> Table:
        return (
            with_part(table, Agenda(since=table.seq + 1))
            if self.in_turn
            else open_window(table, Window(number=self.window))
        )


class AgendaUndone(Entry):
    """An agenda was revealed, replaced or resolved by a slip. ``title`` is the one that goes on;
    None for none. See `bot.games.ti4.slips`.
    """

    kind = "ti4.agenda.undone"
    title: str | None
    window: int

    def undoes(self) -> bool:
        return True

    def sentence(self, ruler: str) -> str:
        takes_back = f"{ruler.capitalize()} takes it back:"
        if self.title is None:
            return f"{takes_back} no agenda has come up."
        agenda = f"**{quoted(self.title)}**" if self.title else "the agenda"
        return f"{takes_back} {agenda} is still being resolved."


BEGIN_WINDOWS = (
    PhaseSet,
    PhaseUndone,
    TurnStarted,
    TurnEnded,
    AgendaRevealed,
    AgendaResolved,
    AgendaUndone,
)
"""The entries that begin a window."""

FEATURE = Feature(
    state=Agenda,
    commands=(RevealAgenda, ResolveAgenda),
    entries=(AgendaRevealed, AgendaResolved, AgendaUndone),
    opens=(AskAboutAgenda,),
)
