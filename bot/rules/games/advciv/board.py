"""What Advanced Civilization adds to a table's board, and the question it asks after trading."""

from __future__ import annotations

from bot.rules.games.advciv.actions import BoardAction, BoardMove, SurrenderPrompt
from bot.rules.games.advciv.state import ACQUIRE, AFTER, TRADE, over_limit, state_of, trading
from bot.rules.model.actions import LabelledAction
from bot.rules.model.markup import mentions
from bot.rules.model.table import Table
from bot.rules.views import BoardView, PromptView
from data.advciv import HAND_LIMIT

CARDS_BELOW = 6
"""After this many offers to all the board moves down to where people read: as many cards as a phone shows."""

TITLES = {ACQUIRE: "Drawing trade cards", TRADE: "Trading", AFTER: "The time after trading"}
"""What each phase is called on the board."""

LABELS: dict[BoardMove, str] = {
    "open_trading": "Open trading", "done": "Done", "ask_close": "Close", "show_calamities": "Show calamities",
    "ask_next_turn": "Next turn",
}  # fmt: skip
"""What is written on the buttons of the board."""


def board(table: Table) -> BoardView:
    """Return the state of play in a few lines, and the buttons that move it on."""
    if trading(table):
        return BoardView(
            lines=tuple(_trading(table)), buttons=_buttons(table, "done", "ask_close"), browse=True,
            moves=str(state_of(table).posted_to_all // CARDS_BELOW),
        )  # fmt: skip
    lines = [f"**{TITLES[table.phase]}** · turn {state_of(table).turn}"]
    if table.phase == ACQUIRE:
        return BoardView(lines=(*lines, *_drawing(table)), buttons=_buttons(table, "open_trading"))
    if state_of(table).shown is None and table.tracked:
        shown = _buttons(table, "show_calamities")
        return BoardView(lines=(*lines, "Now everybody shows their calamities."), buttons=shown)
    # For everybody, and so also for players whom DMs do not reach: a ping would tell who has too many cards.
    spend = (LabelledAction("Spend cards", SurrenderPrompt(table.id)),) if table.tracked else ()
    return BoardView(lines=tuple(lines), buttons=(*spend, *_buttons(table, "ask_next_turn")))


def _trading(table: Table) -> list[str]:
    state = state_of(table)
    ends = f" · ends <t:{state.bell // 1000}:R>" if state.bell else ""
    lines = [f"**Trading is open**{ends}"]
    if state.done:
        lines.append(f"Done: {mentions(seat for seat in table.seats if seat in state.done)}")
        lines.append(f"Still trading: {mentions(seat for seat in table.seated() if seat not in state.done)}")
    return lines


def _drawing(table: Table) -> list[str]:
    drawn = state_of(table).drawn
    if not drawn:
        return []
    have = ", ".join(f"<seat:{seat}> {cities}" for seat, cities in drawn.items())
    left = mentions(seat for seat in table.seated() if seat not in drawn)
    return [f"Have drawn, by cities: {have}", f"Still to draw: {left}"]


def _buttons(table: Table, *moves: BoardMove) -> tuple[LabelledAction, ...]:
    return tuple(LabelledAction(LABELS[move], BoardAction(table.id, move)) for move in moves)


def prompts(table: Table) -> list[PromptView]:
    """Ask players with more cards than they may keep which go, from when calamities have been shown [31.71].

    Others must not learn who is asked: that tells of a hand.
    """
    if not table.tracked:
        return []
    return [_prompt(table, seat, over) for seat in table.seated() if (over := _too_many(table, seat))]


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
