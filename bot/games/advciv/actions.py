"""What can be pressed or submitted at a table of Advanced Civilization, beyond what all games share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.api import Action, Choice

BoardMove = Literal[
    "open_trading", "undo_trading", "done", "ask_close", "close", "show_calamities", "show_anyway", "ask_next_turn",
    "next_turn", "buy",
]  # fmt: skip
"""What a button of the board does. ``ask_close`` and ``ask_next_turn`` ask the host once more before what can't be
taken back; ``close`` and ``next_turn`` are the answers."""


@dataclass(frozen=True, slots=True)
class BoardAction(Action):
    """A button of the board that moves the game on, or the host's answer when asked whether they mean it."""

    name = "advciv.board"
    what: BoardMove


@dataclass(frozen=True, slots=True)
class OpenAnyway(Action):
    """**Open anyway**, where somebody still has cards to draw: opens trading for so many minutes, 0 for no limit."""

    name = "advciv.open_anyway"
    minutes: int


@dataclass(frozen=True, slots=True)
class CitiesPrompt(Action):
    """**My cities** of the board: opens the form."""

    name = "advciv.cities"


@dataclass(frozen=True, slots=True)
class CitiesForm(Action):
    """The form with the number of cities that the person has."""

    name = "advciv.cities_form"


@dataclass(frozen=True, slots=True)
class TakePrompt(Action):
    """**Take a card** of the board's menu: asks whose city it was."""

    name = "advciv.take_from"


@dataclass(frozen=True, slots=True)
class TakeAction(Action):
    """The presser eliminated a city of this seat, so a card of its hand is theirs [24.51]."""

    name = "advciv.take_card"
    other: str


@dataclass(frozen=True, slots=True)
class LosePrompt(Action):
    """**Lose cards** of the board's menu: opens the form."""

    name = "advciv.lose"


@dataclass(frozen=True, slots=True)
class LoseForm(Action):
    """The form with how many cards the person loses by chance."""

    name = "advciv.lose_form"


@dataclass(frozen=True, slots=True)
class TakeAnswer(Action):
    """The answer of ``other``, of whose hand ``seat`` takes a card [24.51]."""

    name = "advciv.take"
    seat: str
    other: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class SurrenderPrompt(Action):
    """**Turn in cards**, under the question which cards go: opens the form."""

    name = "advciv.surrender"


@dataclass(frozen=True, slots=True)
class SurrenderForm(Choice):
    """The form in which the cards that go are chosen; a button then turns them in."""

    name = "advciv.surrender_form"


@dataclass(frozen=True, slots=True)
class SurrenderPicked(Action):
    """The presser turns in these cards, for all to see.

    ``picked`` has a digit for each kind of commodity in the hand, ``hand`` is a digest of these; ``mining`` is the id
    of the commodity that Mining counts for, empty for none.
    """

    name = "advciv.surrender_picked"
    picked: str
    hand: str
    mining: str


ACTIONS: tuple[type[Action], ...] = (
    BoardAction, OpenAnyway, CitiesPrompt, CitiesForm, TakePrompt, TakeAction, LosePrompt, LoseForm, TakeAnswer,
    SurrenderPrompt, SurrenderForm, SurrenderPicked,
)  # fmt: skip
