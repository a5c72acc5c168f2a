"""The buttons under a player's own goods: counting them, and **Notes…**, which leads to their
promissory notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from bot.api import Action, Choice, Feature, LabelledAction, Press, TableView
from bot.games.ti4.components import COMMODITY, TRADE_GOOD, note_named, note_owner
from bot.games.ti4.counting import Count
from bot.games.ti4.note_shows import ShowNotes
from bot.games.ti4.notes import PlayNote, ReturnNote, notes_in_hand, notes_to_return
from bot.games.ti4.requests import Replenish
from bot.games.ti4.trade_agreements import asked_since, is_agreement


class AskCount(Action):
    """**Set…**: open the form for the numbers of trade goods and commodities."""

    name = "ti4.ask.count"


class CountForm(Action):
    """The form for the numbers of trade goods and commodities."""

    name = "ti4.form.count"


class AskSpent(Action):
    """**Spent…**: ask how many trade goods the viewer spent."""

    name = "ti4.ask.spent"


class AskNotes(Action):
    """**Notes…**: show the viewer's notes with what they can do with them."""

    name = "ti4.ask.notes"


class PickNote(Choice):
    """The choice of a note, or of the player to show it to. ``note`` and ``to`` are chosen already,
    or empty.
    """

    name = "ti4.pick.note"
    what: Literal["note", "to"]
    note: str = ""
    to: str = ""


def buttons(view: TableView) -> Sequence[Sequence[LabelledAction]]:
    """Return the buttons under the viewer's own goods in rows, each at the same place whatever they
    have.
    """

    def press(label: str, command: Count | Replenish, token: str = "") -> LabelledAction:
        return LabelledAction(label, Press(view.id, command), token)

    return (
        (press("−1 tg", Count(-1, 0), TRADE_GOOD), press("+1 tg", Count(1, 0), TRADE_GOOD)),
        (
            press("−1 c", Count(0, -1), COMMODITY),
            press("+1 c", Count(0, 1), COMMODITY),
            press("Replenish", _replenish(view)),
        ),
        (
            LabelledAction("Notes…", AskNotes(view.id)),
            LabelledAction("Spent…", AskSpent(view.id)),
            LabelledAction("Set…", AskCount(view.id)),
        ),
    )


def _replenish(view: TableView) -> Replenish:
    """Return the command by which the viewer replenishes: by the Trade of this turn, if somebody
    played it.
    """
    for notice in view.board.notices:
        for button in notice.buttons:
            command = button.action.command if isinstance(button.action, Press) else None
            if isinstance(command, Replenish):
                return replace(command, quiet=True)
    return Replenish(quiet=True)


COSTS = {
    1: "a destroyer, 2 fighters or 2 infantry",
    2: "a cruiser or a mech",
    3: "a carrier, or a token with Leadership",
    4: "a dreadnought, a space dock, or Technology as the second to use it",
    6: "a second technology",
    8: "a flagship",
}
"""Usual sums, and the components that they buy."""


SUMS = (1, 2, 3, 4, 5, 6, 8)


def spending(view: TableView, held: int, often: Sequence[int] = ()) -> Sequence[LabelledAction]:
    """Return a button for each usual sum that the viewer can have spent, and for all ``held`` trade
    goods. Those that they spend ``often`` come first.
    """
    sums = [each for each in dict.fromkeys((*often, *SUMS)) if each < held]
    every = [(f"−{each} tg", each) for each in sums] + ([(f"All {held}", held)] if held else [])
    return [
        LabelledAction(label, Press(view.id, Count(-each, 0)), TRADE_GOOD) for label, each in every
    ]


def notes_of(view: TableView) -> list[str]:
    """Return the notes that the viewer can do something with: those in hand, those in play before
    them, their own.
    """
    if view.seat is None:
        return []
    mine = view.seats[view.seat]
    in_play = (
        token
        for token in notes_to_return(view)
        if note_owner(token)[1] == mine.id or token in mine.in_play
    )
    return list(dict.fromkeys((*mine.known.of_kind("note"), *in_play)))


def where(view: TableView, token: str) -> str:
    """Return where a note of `notes_of` is, and when it is played, with markup for names."""
    holder = next((seat.id for seat in view.seats.values() if token in seat.in_play), None)
    if holder is not None:
        return (
            "in play in front of you"
            if holder == view.seat
            else f"in play in front of <name:{holder}>"
        )
    return (
        "yours, in hand"
        if note_owner(token)[1] == view.seat
        else f"in hand; played {note_named(token).timing}"
    )


def deeds(view: TableView, note: str, to: str) -> Sequence[LabelledAction]:
    """Return what the viewer can do with a note of `notes_of`, and with the player ``to``, if one
    is chosen.
    """
    mine = view.seats[view.seat or ""]
    found = list[tuple[str, PlayNote | ReturnNote | ShowNotes]]()
    if note in notes_in_hand(view):
        since = asked_since(view, note) if is_agreement(note) else view.window.since
        found.append((f"Play {note_named(note).name}", PlayNote(note, since=since)))
    if note and note not in mine.known:
        found.append(
            ("Give it back" if note in mine.in_play else "Ask for it back", ReturnNote(note))
        )
    if to and note in mine.known:
        found.append((f"Show it to <name:{to}>", ShowNotes(note, to)))
    if to and not note and mine.known.of_kind("note"):
        found.append((f"Show all to <name:{to}>", ShowNotes(None, to)))
    return tuple(LabelledAction(label, Press(view.id, command)) for label, command in found)


FEATURE = Feature(opens=(AskCount, AskSpent, CountForm, AskNotes, PickNote))
