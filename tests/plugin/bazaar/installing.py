"""Which games are installed, for a test: entry points as packages would have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest import mock

from bot.rules import registry, snapshots, vocabulary
from bot.show import custom_ids


class Point(NamedTuple):
    """An entry point: its name, and what loading it does."""

    name: str
    load: Callable[[], Any]


def point(game: Any, name: str | None = None) -> Point:
    """The entry point of a game, named as the game is."""
    return Point(name or game.info.id, lambda: game)


@contextmanager
def installed(*points: Point) -> Iterator[None]:
    """Have these games installed and no others, as in a process of its own."""
    with mock.patch.object(registry, "entry_points", return_value=points):
        _forget()
        try:
            yield
        finally:
            _forget()


def _forget() -> None:
    """Forget what a process finds out about the installed games once."""
    for remembered in (
        registry.games, registry.package_of, vocabulary._adapter, snapshots._states, snapshots._shape,
        custom_ids.codec, custom_ids.commands,
    ):  # fmt: skip
        remembered.cache_clear()
