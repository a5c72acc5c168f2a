"""Cards: messages as plain values, with typed actions. `bot.delivery.render` draws them on Discord."""

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
"""The state of what a card shows. It decides the card's colour."""

SELECT_MAX = 25
"""Discord's limit on the options of a select."""

BUTTONS_MAX = 5
"""Discord's limit on the buttons in a row."""

LABEL_MAX = 80
"""Discord's limit on a button's label, in characters."""


@dataclass(frozen=True)
class Button:
    """A button with its action."""

    label: str
    action: Action
    style: Style = "secondary"


@dataclass(frozen=True)
class Select:
    """A choice from a list of (label, value), at most `SELECT_MAX`. Choosing changes nothing; buttons do.

    ``min_values`` and ``max_values`` bound the number of choices; ``chosen`` are the values already chosen. ``details``
    are small lines under the labels, one for each option, or none.
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
    """A message: text blocks from top to bottom, then a picture, then rows of buttons or selects.

    ``picture_after`` is the number of blocks above the picture; None for all. Everything in the picture is also in
    words, in its ``alt`` or the blocks. A ``plain`` card is drawn without a frame, like a person's message; it has
    blocks only.
    """

    mood: Mood
    blocks: tuple[str, ...]
    rows: Rows = ()
    picture: Picture | None = None
    plain: bool = False
    picture_after: int | None = None

    @cached_property
    def digest(self) -> str:
        """A digest of everything the card shows, to tell whether a message needs an edit."""
        return sha256(repr(self).encode()).hexdigest()[:16]


def text_card(text: str) -> Card:
    """Return the text as a card without a frame."""
    return Card("open", (text,), plain=True)


def buttons(options: Iterable[LabelledAction], style: Style = "secondary") -> tuple[Button, ...]:
    """Return a button for each of these actions."""
    return tuple(Button(option.label, option.action, style) for option in options)


def rows_of(every: Sequence[Button]) -> Rows:
    """Return these buttons in rows of Discord's maximum length."""
    return tuple(tuple(every[first : first + BUTTONS_MAX]) for first in range(0, len(every), BUTTONS_MAX))
