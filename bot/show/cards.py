"""Cards: messages as plain values, with typed actions under them. `bot.delivery` draws them on Discord."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bot.rules.model.actions import Action, LabelledAction
from bot.show.pictures import Picture

Style = Literal["primary", "secondary", "success", "danger"]
Mood = Literal["open", "waiting", "done", "over"]

SELECT_MOST = 25
"""Discord's limit for the options of one select."""

BUTTONS_MOST = 5
"""Discord's limit for the buttons in one row."""

LABEL_MOST = 80
"""Discord's limit for the label of a button, in characters."""


@dataclass(frozen=True)
class Button:
    """A button and the action it stands for."""

    label: str
    action: Action
    style: Style = "secondary"


@dataclass(frozen=True)
class Select:
    """A choice from a list of (label, value), at most `SELECT_MOST`.

    ``most`` is how many may be chosen, ``chosen`` are the values that are chosen already.
    """

    placeholder: str
    action: Action
    options: tuple[tuple[str, str], ...]
    most: int = 1
    chosen: tuple[str, ...] = ()


Rows = tuple[tuple[Button, ...] | Select, ...]
"""What stands under a card: rows of buttons, or selects."""


@dataclass(frozen=True)
class Card:
    """A message of text blocks, read top to bottom, with rows of buttons or selects under them.

    A picture stands below the text. It never says more than its own words and the blocks do.
    """

    mood: Mood
    blocks: tuple[str, ...]
    rows: Rows = ()
    picture: Picture | None = None


def buttons(options: Iterable[LabelledAction], style: Style = "secondary") -> tuple[Button, ...]:
    """Return a button of this style for each of these actions."""
    return tuple(Button(option.label, option.action, style) for option in options)
