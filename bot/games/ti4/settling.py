"""**Not so**: a player denies a Pillage or what a note brought, and a third, a host, settles it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bot.api import Caller, Command, PromptView, Refused, Table, button

STANDS, BACK = "It stands", "Give it back"
"""The labels of a host's rulings."""

A_THIRD = "A host or moderator who is neither of the two settles it: **Menu**, **Host…**."
"""Who settles an appeal, and where."""


class Appeal(NamedTuple):
    """An appeal that waits for a ruling.

    ``about`` names it in the board's menu, ``text`` asks the host about it. ``two`` are the seats
    that disagree, ``rulings`` what a host may say, by the labels of the buttons.
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
            "You are one of the two, so another host or a moderator settles it.",
            "**Seats** under **Menu**, **Host…** makes another player the host.",
            rule=rule,
        )


def asked(table: Table, appeals: Iterable[Appeal]) -> Iterator[PromptView]:
    """Yield the questions to the host about appeals, unless they are one of the two."""
    host = table.seat_of(table.host)
    for appeal in appeals:
        if host is None or host.id in appeal.two:
            continue
        rulings = appeal.rulings.items()
        yield PromptView(
            table=table.id,
            key=appeal.key,
            seat=host.id,
            evident=True,
            text=appeal.text,
            buttons=tuple(button(label, table, ruling) for label, ruling in rulings),
        )
