"""What Advanced Civilization shows on a table's board, and the question it asks after trading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.api import BoardView, LabelledAction, MenuItem, PromptView, Table
from bot.games.advciv import taking
from bot.games.advciv.actions import (
    BoardAction,
    BoardMove,
    CitiesPrompt,
    LosePrompt,
    SurrenderPrompt,
    TakePrompt,
)
from bot.games.advciv.order import said_by, yet_to_draw
from bot.games.advciv.state import ACQUIRE, AFTER, TRADE, over_limit, state_of, trading
from data.advciv import HAND_LIMIT

CARDS_BELOW = 6
"""After this many offers to all the board moves down to where people read: as many cards as a phone shows."""

TITLES = {ACQUIRE: "Drawing trade cards", TRADE: "Trading", AFTER: "The time after trading"}
"""What each phase is called on the board."""

LABELS: dict[BoardMove, str] = {
    "open_trading": "Open trading", "undo_trading": "Back to drawing", "done": "Done trading",
    "ask_close": "Close trading", "show_calamities": "Show calamities", "ask_next_turn": "Next turn",
    "buy": "Buy a card",
}  # fmt: skip
"""What is written on the buttons of the board and its menu."""

GOODS = "My hand"


def board(table: Table) -> BoardView:
    """Return the state of play in a few lines, the next steps, and the menu of everything else."""
    menu = tuple(_menu(table))
    if trading(table):
        return BoardView(
            heading=f"Trading{_ends(table)}", lines=(*_trading(table), *_late(table)), buttons=_buttons(table, "done"),
            menu=menu, goods=GOODS, moves=str(state_of(table).posted_to_all // CARDS_BELOW),
        )  # fmt: skip
    heading = f"{TITLES[table.phase]} · turn {state_of(table).turn}"
    if table.phase == ACQUIRE:
        cities = LabelledAction("My cities", CitiesPrompt(table.id)) if table.tracked else None
        buttons = (*((cities,) if cities else ()), *_buttons(table, "open_trading"))
        return BoardView(tuple(_drawing(table)), buttons, heading, menu, trades=False, goods=GOODS, gains=cities)
    if state_of(table).shown is None and table.tracked:
        lines = ("Now everybody shows their calamities.", *_late(table))
        return BoardView(lines, _buttons(table, "show_calamities"), heading, menu, trades=False, goods=GOODS)
    # For everybody, and so also for players whom DMs do not reach: a ping would tell who has too many cards.
    spend = (LabelledAction("Spend cards", SurrenderPrompt(table.id)),) if table.tracked else ()
    buttons = (*spend, *_buttons(table, "ask_next_turn"))
    return BoardView(
        ("Spend your cards; then the host begins the next turn.",), buttons, heading, menu, trades=False, goods=GOODS
    )


def _menu(table: Table) -> Iterable[MenuItem]:
    """Yield what else can be done in the game, what is the host's, and what the host can take back."""
    if table.tracked and table.phase == ACQUIRE:
        yield MenuItem(LABELS["buy"], BoardAction(table.id, "buy"))
    if table.tracked and not trading(table):
        yield MenuItem("Take a card: you eliminated a city", TakePrompt(table.id))
    if table.tracked:
        yield MenuItem("Lose cards", LosePrompt(table.id))
    if trading(table):
        yield MenuItem(LABELS["ask_close"], BoardAction(table.id, "ask_close"), "host")
    if opened_too_early(table):
        yield MenuItem(LABELS["undo_trading"], BoardAction(table.id, "undo_trading"), "undo")


def _ends(table: Table) -> str:
    """Return when trading ends, as Discord counts it down; empty where there is no time limit."""
    bell = state_of(table).bell
    return f" ends <t:{bell // 1000}:R>" if bell else " is open"


def _trading(table: Table) -> list[str]:
    state, lines = state_of(table), []
    if state.done:
        lines.append(f"Done: {_names(seat for seat in table.seats if seat in state.done)}")
        lines.append(f"Still trading: {_names(seat for seat in table.seated() if seat not in state.done)}")
    return lines


def _drawing(table: Table) -> list[str]:
    drawn, said = state_of(table).drawn, said_by(table)
    if not table.seated():
        return ["Nobody sits here yet. **/table sit** takes a seat."]
    if not drawn and not said:
        return ["Say how many cities you have: **My cities**. When all have, everybody draws."] if table.tracked else []
    lines = [f"Have drawn, by cities: {_by_cities(drawn)}"] if drawn else []
    silent = [seat for seat in table.seated() if seat not in {**drawn, **said}]
    if said:
        lines.append(f"Have said, by cities: {_by_cities(said)}")
        waits = f"Still to say: {_names(silent)}" if silent else f"Still to draw: {_names(yet_to_draw(table))}"
        lines.append(waits)
    elif drawn:
        lines.append(f"Still to draw: {_names(seat for seat in table.seated() if seat not in drawn)}")
    return lines


def _names(seats: Iterable[str]) -> str:
    """Return the plain names of these players, since nobody on the board is called; ``nobody`` for none."""
    return ", ".join(f"<name:{seat}>" for seat in seats) or "nobody"


def _by_cities(cities: Mapping[str, int]) -> str:
    return ", ".join(f"<name:{seat}> {many}" for seat, many in cities.items())


def _late(table: Table) -> list[str]:
    """Return who still has cards to draw after trading was opened."""
    late = yet_to_draw(table)
    return [f"Can still draw: {_names(late)}"] if late else []


def opened_too_early(table: Table) -> bool:
    """Return whether trading was opened before all had drawn, and that can still be taken back."""
    state = state_of(table)
    return table.phase != ACQUIRE and bool(yet_to_draw(table)) and not state.traded and state.shown is None


def _buttons(table: Table, *moves: BoardMove) -> tuple[LabelledAction, ...]:
    return tuple(LabelledAction(LABELS[move], BoardAction(table.id, move)) for move in moves)


def prompts(table: Table) -> list[PromptView]:
    """Ask players with more cards than they may keep which go, from when calamities have been shown [31.71].

    That question others must not see, since it tells of a hand. Those whose cards are taken are asked whether that is
    right [24.51].
    """
    if not table.tracked:
        return []
    too_many = [_prompt(table, seat, over) for seat in table.seated() if (over := _too_many(table, seat))]
    return [*too_many, *taking.prompts(table)]


def _too_many(table: Table, seat: str) -> int:
    """Return how many cards this seat has to turn in now: they can't stay, or it kept them all the same."""
    state = state_of(table)
    if table.phase != AFTER:
        return state.over.get(seat, 0)
    return over_limit(table, seat) if state.shown is not None else 0


def _prompt(table: Table, seat: str, over: int) -> PromptView:
    first = (
        "Turn in what you spend first, then choose which others go."
        if table.phase == AFTER
        else "Before you do anything else with your cards, choose which go."
    )
    has = "have" if table.phase == AFTER else "kept"
    text = f"You may keep {HAND_LIMIT} commodity cards [31.71] and {has} {HAND_LIMIT + over}. {first}"
    button = LabelledAction("Turn in cards", SurrenderPrompt(table.id))
    return PromptView(
        table=table.id, key=f"advciv-surrender-{seat}", seat=seat, text=text, buttons=(button,), secret=True
    )
