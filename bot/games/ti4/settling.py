"""**Not so**: a player says that a Pillage or what a note brought isn't so, and a host who is
neither settles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bot.api import Caller, Command, PromptView, Refused, Table, button

STANDS, BACK = "It stands", "Give it back"
"""The labels of a host's rulings."""


class Appeal(NamedTuple):
    """An appeal that waits for a ruling. ``about`` names it in the board's menu, ``text`` asks the
    host about it.

    ``two`` are the seats that disagree, ``rulings`` what a host may say, with the labels of the
    buttons.
    """

    key: str
    about: str
    text: str
    two: tuple[str, str]
    rulings: Mapping[str, Command]


def require_third(table: Table, caller: Caller, rule: str, two: tuple[str, str]) -> None:
    """Raise `Refused` by ``rule`` for a host who sits in one of these two seats."""
    own = table.seat_of(caller.person)
    if own is not None and own.id in two:
        raise Refused(
            rule,
            "You are one of the two, so another host or a moderator settles it.",
            "/table host makes another player the host.",
        )


def asked(table: Table, appeals: Iterable[Appeal]) -> Iterator[PromptView]:
    """Yield the questions to the host about these appeals, unless the host sits in one of the two
    seats.
    """
    host = table.seat_of(table.host)
    for each in appeals:
        if host is not None and host.id not in each.two:
            buttons = tuple(
                button(label, table, command) for label, command in each.rulings.items()
            )
            yield PromptView(
                table=table.id,
                key=each.key,
                seat=host.id,
                evident=True,
                text=each.text,
                buttons=buttons,
            )
