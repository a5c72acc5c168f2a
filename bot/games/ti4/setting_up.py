"""The set-up of a Twilight Imperium 4 table (neighbours, first turn), and the table for the
rehearsal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from bot.api import (
    LabelledAction,
    Rehearsal,
    RehearsalSeat,
    Setup,
    SetupAction,
    StepView,
    Table,
    Tap,
    Try,
    button,
    part,
)
from bot.games.ti4 import strategy_cards
from bot.games.ti4.initiative import order_said
from bot.games.ti4.neighbors import (
    NeighborsAction,
    NeighborsCleared,
    NeighborsJoined,
    NeighborsParted,
    NeighborsSet,
    NobodyYet,
    SeatAround,
    SeatNeighbors,
    between_seated,
    ring,
    ring_pairs,
    seats_digest,
)
from bot.games.ti4.state import GameRound, Map
from bot.games.ti4.turns import AskOrder, NextTurn, OrderSet, StartTurn


def _begun(table: Table) -> bool:
    """Return whether play has begun: there was a turn, an agenda, another phase or a trade."""
    return bool(table.window.number or table.window.kind != "none" or table.transactions)


def _first_turn(table: Table) -> StepView:
    """Return the step by which the first turn begins: by the order of play, or without one."""
    order, taken = order_said(table), part(table, GameRound).taken
    since, asks_order = table.window.since, LabelledAction("Order of play", AskOrder(table.id))
    begins = []
    for seat in order[:1] or table.seated():
        begins.append(button(f"<seat:{seat}> begins", table, StartTurn(seat, since=since)))
    asked = "In which order do you play this round? The first turn begins then."
    if strategy_cards.choices(table):
        asked = f"In which order do you play this round? {strategy_cards.BY_CARDS}"
    if taken:
        asked = strategy_cards.each_takes(table).capitalize()
        begins = [button("Begin the action phase", table, NextTurn(since=since))] if order else []
    if order:
        asked = f"You play: {' – '.join(f'<=seat:{seat}>' for seat in order)}"
    elif len(table.seated()) > 2:
        begins.insert(0, asks_order)
    lines = "\n".join((asked, *strategy_cards.lines(table)))
    return StepView("First turn", (lines,), False, tuple(begins), hosts=True)


def _steps(table: Table) -> Sequence[StepView]:
    """Return the steps: neighbours [60.1] and the first turn."""
    seated, there, first_turn = table.seated(), between_seated(table), _first_turn(table)
    if len(seated) < 2:
        return (StepView("Neighbours", (), False), first_turn)
    lines = [f"<=seat:{first}> and <=seat:{second}>" for first, second in sorted(there)]
    done = part(table, Map).said or set(chain.from_iterable(there)) == {*seated}
    if there == ring_pairs(seated):
        lines = [ring(seated)]
    elif done:
        lines = lines or ["nobody yet"]
    else:
        before = "On a standard map nobody is a neighbour before units have met [60.1]."
        lines += [f"{before} You sit: {ring(seated)}"]
    declared = part(table, Map).since
    buttons = (
        button("Nobody yet", table, NobodyYet(declared)),
        button("Neighbours as you sit", table, SeatNeighbors(declared, seats_digest(seated))),
        LabelledAction("You sit otherwise", SetupAction(table.id, "order")),
        LabelledAction("Other neighbours", NeighborsAction(table.id, declared)),
    )
    return (StepView("Neighbours", tuple(lines), done, buttons), first_turn)


def _seated(table: Table) -> Sequence[str]:
    """Return the taken seats as they go round the table, as far as that was said."""
    around = part(table, Map).around
    return sorted(
        table.seated(), key=lambda seat: around.index(seat) if seat in around else len(around)
    )


SETUP = Setup(
    begun=_begun,
    steps=_steps,
    around=SeatAround,
    seated=_seated,
    shown_kinds=(NeighborsCleared, NeighborsJoined, NeighborsParted, NeighborsSet, OrderSet),
)
"""The steps are seats, neighbours, goods and the first turn."""

# ---------------------------------------------------------------- the rehearsal's table

_NEIGHBORS = (("alice", "bob"), ("bob", "carol"), ("carol", "dave"), ("dave", "alice"))

REHEARSAL = Rehearsal(
    channel="table",
    seats={
        "alice": RehearsalSeat("hacan", "Emirates of Hacan", "4 tg, 6 c"),
        "bob": RehearsalSeat("sol", "Federation of Sol", "2 tg, 4 c"),
        "carol": RehearsalSeat("xxcha", "Xxcha Kingdom", "3 tg, 4 c"),
        "dave": RehearsalSeat("letnev", "Barony of Letnev", "5 tg, 2 c"),
    },
    begins=(
        *(
            ("alice", "neighbors join", {"first": f"@{one}", "second": f"@{other}"})
            for one, other in _NEIGHBORS
        ),
        ("alice", "turn start", {"player": "@alice"}),
    ),
    tries=(
        Tap(
            "alice.table",
            ("New offer", "Bob", "Swap"),
            "Then press Accept in the DM that is highlighted.",
        ),
        Try(
            "alice.table",
            "offer post",
            (("to", "Dave", True), ("give", "2 tg", False), ("want", "2 c", False)),
            "The same as a command. Dave might rather press Counter.",
        ),
        Try(
            "bob.table",
            "offer post",
            (("to", "Carol", True), ("give", "1 c", False), ("want", "1 c", False)),
            "But it is Alice's turn. See what happens.",
        ),
    ),
)
"""Four neighbours in a ring, each with something to trade, and Alice's turn."""
