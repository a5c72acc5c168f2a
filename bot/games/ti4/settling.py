"""**Not so**: a player says that a Pillage or what a note brought isn't so, and a host who is neither settles it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.api import Caller, Command, PromptView, Refused, Table, button

STANDS, BACK = "It stands", "Give it back"
"""What a host may say."""


def require_third(table: Table, caller: Caller, rule: str, two: tuple[str, str]) -> None:
    """Raise `Refused` by ``rule`` for a host who sits in one of these two seats."""
    own = table.seat_of(caller.person)
    if own is not None and own.id in two:
        raise Refused(
            rule, "You are one of the two, so another host or a moderator settles it.",
            "/table host makes another player the host.",
        )  # fmt: skip


def asked(
    table: Table, key: str, text: str, two: tuple[str, str], rulings: Mapping[str, Command]
) -> Iterator[PromptView]:
    """Yield the question to the host, if they sit in neither of the two seats. ``rulings`` are what they may say."""
    host = table.seat_of(table.host)
    if host is not None and host.id not in two:
        buttons = tuple(button(label, table, command) for label, command in rulings.items())
        yield PromptView(table=table.id, key=key, seat=host.id, evident=True, text=text, buttons=buttons)
