"""Custom ids: actions as Discord's buttons, selects and forms carry them, such as
``offer:1:12:3:more``.

A button that carries a command has ``do``, the table, and the command: ``do:1:offer.sign:12:3:``.
Buttons work after a restart, since nothing about them is kept in memory.

The custom_id of a menu may end with a number, as in ``board-player:1%4``, which says nothing: it
only changes, and it differs for two menus of one message with the same action. Before that stands
the stamp of the newest entry that the button is about, as in ``offer:1:12:3:more%kV3d``: one of
another table, or of 1.0.0, has none.
"""

from __future__ import annotations

import re
from functools import cache

from bot.rules.commands import Command, Press
from bot.rules.model.actions import Action, Choice
from bot.rules.model.codec import CUSTOM_ID_MAX, SEPARATOR, Codec, read_int
from bot.rules.model.stamps import STAMP, Stamp
from bot.rules.registry import actions
from bot.rules.vocabulary import pressed_commands
from bot.show.actions import PRESENTATION_ACTIONS

_NUMBER = re.compile(r"%([0-9])$")
"""A menu's number. No encoded action ends like that: a percent sign has two characters after it
there.
"""

_STAMP = re.compile(rf"%([A-Za-z][\w-]{{{STAMP - 1}}})$", re.ASCII)
"""A stamp. It begins with a letter, and what follows a percent sign in an action with a digit."""

ROOM = CUSTOM_ID_MAX - len("%") - STAMP
"""The most characters of a custom_id before its stamp."""


def encode(action: Action, stamp: Stamp | None = None) -> str:
    """Return the action as a custom_id, which for a menu leaves room for a number. It has the stamp
    if that is of the action's table, and there is room.

    Raises ``ValueError`` if `decode` would not know the action, or the result is longer than
    `CUSTOM_ID_MAX`.

    >>> encode(Press(table.id, SetPhase("market")))
    'do:7:table.phase:market:'
    """
    if isinstance(action, Press):
        custom_id = SEPARATOR.join(
            (Press.name, str(action.table), commands().encode(action.command))
        )
    else:
        custom_id = codec().encode(action)
    most = CUSTOM_ID_MAX - (len("%0") if isinstance(action, Choice) else 0)
    if len(custom_id) > most:
        raise ValueError(f"{custom_id} has more than {CUSTOM_ID_MAX} characters")
    if stamp is None or stamp.table != action.table:
        return custom_id
    stamped = f"{custom_id}%{stamp.text}"
    return stamped if len(stamped) <= most else custom_id


def decode(custom_id: str) -> Action | None:
    """Return the action of a custom_id; None if this version does not know it."""
    custom_id = _STAMP.sub("", custom_id)
    name, _, rest = custom_id.partition(SEPARATOR)
    if name != Press.name:
        return codec().decode(custom_id)
    table, _, payload = rest.partition(SEPARATOR)
    command = commands().decode(payload)
    try:
        return Press(read_int(table), command) if command is not None else None
    except ValueError:
        return None


def stamp_on(custom_id: str) -> str:
    """Return the stamp of a custom_id without a number; empty if it has none.

    >>> stamp_on("offer:1:12:3:more%kV3d"), stamp_on("offer:1:12:3:more")
    ('kV3d', '')
    """
    found = _STAMP.search(custom_id)
    return found[1] if found else ""


def without_number(custom_id: str) -> str:
    """Return the custom_id of a menu as `encode` wrote it."""
    return _NUMBER.sub("", custom_id)


def placed(custom_id: str, place: int) -> str:
    """Return the custom_id of a menu at this place among those with the same action.

    >>> placed("board-player:1", 0), placed("board-player:1", 1)
    ('board-player:1', 'board-player:1%5')
    """
    return f"{custom_id}%{place * RENUMBERINGS}" if place else custom_id


def renumbered(custom_id: str, before: str) -> str:
    """Return the custom_id of a menu with another number than the custom_id ``before`` has, at the
    same place.

    >>> renumbered("board-player:1", before="browse:1%9")
    'board-player:1%0'
    >>> renumbered("board-player:1%5", before="board-player:1%1")
    'board-player:1%7'
    """
    place, now = _number(custom_id) // RENUMBERINGS, _number(before) + 1
    return f"{without_number(custom_id)}%{place * RENUMBERINGS + now % RENUMBERINGS}"


RENUMBERINGS = 5
"""How many numbers a menu at one place takes in turn."""


def _number(custom_id: str) -> int:
    found = _NUMBER.search(custom_id)
    return int(found[1]) if found else 0


def table_in(custom_id: str) -> int | None:
    """Return the table of a custom_id, even if this version does not know its action; None if it
    has none.

    >>> table_in("do:7:bazaar.gone:red")
    7
    """
    _, _, rest = custom_id.partition(SEPARATOR)
    try:
        return read_int(rest.partition(SEPARATOR)[0]) or None
    except ValueError:
        return None


@cache
def codec() -> Codec[Action]:
    """Return the codec for all actions: the core's, presentation's and the installed games'."""
    return Codec((*actions(), *PRESENTATION_ACTIONS))


@cache
def commands() -> Codec[Command]:
    """Return the codec for all commands that a button can carry."""
    return Codec(pressed_commands(), named_by="kind")
