"""What Advanced Civilization adds to a table's board: who has drawn, the bell, who is done; and its questions."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.game import Answer, Ask, Board
from bot.rules.games.advciv.after import over_limit
from bot.rules.games.advciv.state import seated, state_of, trading
from bot.rules.table import Table
from data import HAND_LIMIT

CARDS_BELOW = 6
"""After so many offers the board moves down to where people read: as many cards as a phone shows."""


TITLES = {"acquire": "Drawing trade cards", "trade": "Trading", "after": "The time after trading"}
"""What each phase is called on the board."""


def board(table: Table) -> Board:
    """The state of play in a few lines; buttons for whoever they concern."""
    state = state_of(table)
    if trading(table):
        ends = f" · ends <t:{state.bell // 1000}:R>" if state.bell else ""
        lines = [f"**Trading is open**{ends}"]
        if state.done:
            lines.append(f"Done: {_seats(seat for seat in table.seats if seat in state.done)}")
            lines.append(f"Still trading: {_seats(seat for seat in seated(table) if seat not in state.done)}")
        posted = sum((offer.to is None or offer.picked) and not offer.private for offer in table.offers.values())
        return Board(
            lines=tuple(lines), answers=(Answer(label="Done", action="done"), Answer(label="Close", action="bell")),
            browse=True, moves=str(posted // CARDS_BELOW),
        )  # fmt: skip
    lines = [f"**{TITLES[table.phase]}** · turn {state.turn}"]
    answers: tuple[Answer, ...] = ()
    if table.phase == "acquire":
        if state.drawn:
            drawn = ", ".join(f"<seat:{seat}> {cities}" for seat, cities in state.drawn.items())
            lines.append(f"Have drawn, by cities: {drawn}")
            lines.append(f"Still to draw: {_seats(seat for seat in seated(table) if seat not in state.drawn)}")
        answers = (Answer(label="Open trading", action="trade"),)
    elif state.shown is None and table.settings.inventory == "tracked":
        lines.append("Now everybody shows their calamities.")
        answers = (Answer(label="Show calamities", action="calamities"),)
    else:
        answers = (Answer(label="Next turn", action="turn"),)
    return Board(lines=tuple(lines), answers=answers)


def asks(table: Table) -> list[Ask]:
    """31.71: whoever has more than they may keep is asked which go, once calamities have been shown."""
    if table.phase != "after" or state_of(table).shown is None or table.settings.inventory == "untracked":
        return []
    return [
        Ask(
            key="surrender", seat=seat, secret=True,
            text=f"You may keep {HAND_LIMIT} commodity cards [31.71] and have {HAND_LIMIT + over}. Turn in what you "
            "spend first, then choose which others go.",
            answers=(Answer(label="Turn in cards", action="choose"),),
        )
        for seat in seated(table)
        if (over := over_limit(table, seat))
    ]  # fmt: skip


def _seats(seats: Iterable[str]) -> str:
    return ", ".join(f"<seat:{seat}>" for seat in seats) or "nobody"
