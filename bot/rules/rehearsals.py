"""How a game's table in the rehearsal is set up, and what the page suggests trying there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.rules.model.values import frozen_by_name


class Try(NamedTuple):
    """Something to try at the rehearsal table: in which channel, which command, and what happens
    then.

    Each option is its name, the typed text, and whether to pick the suggestion with that text.

    >>> Try("bazaar", "offer post", (("give", "1 silk", False),), "Everybody sees it.").command
    'offer post'
    """

    place: str
    command: str
    options: tuple[tuple[str, str, bool], ...]
    then: str


class Tap(NamedTuple):
    """Something to try at the rehearsal table by tapping: in which channel, which buttons, and what
    happens then.

    Each button is the beginning of its label. The page presses the first, and points out the others
    one by one.

    >>> Tap("bazaar", ("New offer",), "A private list of partners.").buttons
    ('New offer',)
    """

    place: str
    buttons: tuple[str, ...]
    then: str


class RehearsalSeat(NamedTuple):
    """What one of the four people in the rehearsal plays: the seat, its name, and the starting
    goods, empty for those of the game.

    >>> RehearsalSeat("red", "Red stall", "2 silk").goods
    '2 silk'
    """

    seat: str
    plays: str
    goods: str


@frozen_by_name
class Rehearsal:
    """How to set up a table of this game for the rehearsal. ``seats`` maps people's names to their
    seats. ``chooses`` is typed before they sit, ``begins`` afterwards.

    >>> Rehearsal(
    ...     channel="bazaar",
    ...     seats={"alice": RehearsalSeat("red", "Red stall", "2 silk")},
    ...     begins=(),
    ...     tries=(Try("bazaar", "offer post", (("give", "1 silk", False),), "All see it."),),
    ... ).channel
    'bazaar'
    """

    channel: str
    seats: Mapping[str, RehearsalSeat]
    begins: tuple[tuple[str, str, Mapping[str, str | int]], ...]
    tries: tuple[Tap | Try, ...]
    chooses: tuple[tuple[str, str, Mapping[str, str | int]], ...] = ()
