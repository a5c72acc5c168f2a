"""Cards: messages as plain values, with typed actions under them. `bot.delivery.render` draws them on Discord."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Literal

from bot.rules.model.actions import Action, Choice, LabelledAction
from bot.show.pictures import Picture

Style = Literal["primary", "secondary", "success", "danger"]
Mood = Literal["open", "waiting", "done", "over"]
"""The state of what a card shows; it decides the card's colour."""

SELECT_MAX = 25
"""Discord's limit for the options of one select."""

BUTTONS_MAX = 5
"""Discord's limit for the buttons in one row."""

LABEL_MAX = 80
"""Discord's limit for the label of a button, in characters."""


@dataclass(frozen=True)
class Button:
    """A button and the action it stands for."""

    label: str
    action: Action
    style: Style = "secondary"


@dataclass(frozen=True)
class Select:
    """A choice from a list of (label, value), at most `SELECT_MAX`. Choosing changes nothing: buttons do.

    ``min_values`` and ``max_values`` are how few and how many may be chosen; ``chosen`` are the values that are chosen
    already. ``details`` are small lines under the labels, one for each option, or none.
    """

    placeholder: str
    action: Choice
    options: tuple[tuple[str, str], ...]
    max_values: int = 1
    chosen: tuple[str, ...] = ()
    min_values: int = 1
    details: tuple[str, ...] = ()


Rows = tuple[tuple[Button, ...] | Select, ...]
"""The components under a card: rows of buttons, or selects."""


@dataclass(frozen=True)
class Card:
    """A message of text blocks from top to bottom, then a picture, then rows of buttons or selects.

    ``picture_after`` is how many blocks stand above the picture; None for all of them. The picture shows nothing that
    its ``alt`` and the blocks do not say in words. A ``plain`` one is drawn without a frame, as if somebody had written
    it; it has blocks only.
    """

    mood: Mood
    blocks: tuple[str, ...]
    rows: Rows = ()
    picture: Picture | None = None
    plain: bool = False
    picture_after: int | None = None

    @cached_property
    def digest(self) -> str:
        """A digest of all that it shows, to tell whether a message shows it already."""
        return sha256(repr(self).encode()).hexdigest()[:16]


def text_card(text: str) -> Card:
    """Return a text as a card without a frame."""
    return Card("open", (text,), plain=True)


def buttons(options: Iterable[LabelledAction], style: Style = "secondary") -> tuple[Button, ...]:
    """Return a button of this style for each of these actions."""
    return tuple(Button(option.label, option.action, style) for option in options)


def rows_of(every: Sequence[Button]) -> Rows:
    """Return these buttons in as many rows as Discord's limit requires."""
    return tuple(tuple(every[first : first + BUTTONS_MAX]) for first in range(0, len(every), BUTTONS_MAX))
