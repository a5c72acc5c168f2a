"""Custom ids: actions as Discord's buttons, selects and forms carry them, such as ``offer:1:12:3:accept``.

Buttons work after a restart, since nothing about them is kept in memory.
"""

from __future__ import annotations

from functools import cache

from bot.rules.model.actions import Action
from bot.rules.model.codec import Codec
from bot.rules.registry import actions
from bot.show.actions import PRESENTATION_ACTIONS

LENGTH_MAX = 100
"""Discord's limit for a custom_id, in characters."""


def encode(action: Action) -> str:
    """Return the action as a custom_id.

    Raises ``ValueError`` for an action that `decode` would not know, a text that holds a colon, or a result of more
    than 100 characters.
    """
    custom_id = codec().encode(action)
    if len(custom_id) > LENGTH_MAX:
        raise ValueError(f"{custom_id} has more than {LENGTH_MAX} characters")
    return custom_id


def decode(custom_id: str) -> Action | None:
    """Return the action of a custom_id; None for one that an older version wrote and this one does not know."""
    return codec().decode(custom_id)


@cache
def codec() -> Codec[Action]:
    """Return the codec for every kind of action: those of the core, the installed games and presentation."""
    return Codec((*actions(), *PRESENTATION_ACTIONS))
