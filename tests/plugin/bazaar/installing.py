"""Changes which games are installed for a test, by entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest import mock

from bot.rules import registry, snapshots, vocabulary
from bot.show import custom_ids


class Package(NamedTuple):
    """A distribution."""

    name: str
    version: str


class Point(NamedTuple):
    """An entry point: its name, what loading it does, and the distribution that it comes from."""

    name: str
    load: Callable[[], Any]
    dist: Package | None = None


def point(
    game: Any, name: str | None = None, version: str = "", package: str = "bourse-bot"
) -> Point:
    """The entry point of a game, named as the game is; without a version it has no package."""
    dist = Package(package, version) if version else None
    return Point(name or game.info.id, lambda: game, dist)


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
        registry.games,
        registry._varied,
        vocabulary.readers,
        snapshots._states,
        snapshots._shape,
        custom_ids.codec,
        custom_ids.commands,
    ):
        remembered.cache_clear()
