"""Custom ids: actions as Discord's buttons, selects and forms carry them, such as ``offer:1:12:3:more``.

A button that carries a command has ``do``, the table, and the command: ``do:1:offer.sign:12:3``. Buttons
work after a restart, since nothing about them is kept in memory.
"""

from __future__ import annotations

from functools import cache

from bot.rules.commands import Command, Press
from bot.rules.model.actions import Action
from bot.rules.model.codec import CUSTOM_ID_MAX, SEPARATOR, Codec, read_int
from bot.rules.registry import actions
from bot.rules.vocabulary import pressed_commands
from bot.show.actions import PRESENTATION_ACTIONS


def encode(action: Action) -> str:
    """Return the action as a custom_id.

    Raises ``ValueError`` if `decode` would not know the action, or the result is longer than `CUSTOM_ID_MAX`.

    >>> encode(Press(table.id, SetPhase("market")))
    'do:7:table.phase:market'
    """
    if isinstance(action, Press):
        custom_id = SEPARATOR.join((Press.name, str(action.table), commands().encode(action.command)))
    else:
        custom_id = codec().encode(action)
    if len(custom_id) > CUSTOM_ID_MAX:
        raise ValueError(f"{custom_id} has more than {CUSTOM_ID_MAX} characters")
    return custom_id


def decode(custom_id: str) -> Action | None:
    """Return the action of a custom_id; None if this version does not know it."""
    name, _, rest = custom_id.partition(SEPARATOR)
    if name != Press.name:
        return codec().decode(custom_id)
    table, _, payload = rest.partition(SEPARATOR)
    command = commands().decode(payload)
    try:
        return Press(read_int(table), command) if command is not None else None
    except ValueError:
        return None


def table_in(custom_id: str) -> int | None:
    """Return the table of a custom_id, even if this version does not know its action; None if it has none.

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
