"""Tests that the core names no game, and no word that only one game has.

Examples may be taken from a game: what stands in ``double backticks`` in a docstring, or after "for
example:" in what a player reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from bot.rules.registry import games
from data import read
from data.advciv import calamities, nations
from data.ti4 import abilities, factions, promissory_notes

ROOT = Path(__file__).parent.parent
GAMES = tuple(games())

TERMS = {
    "ti4": (
        "agenda",
        "commodity value",
        "planet",
        "promissory",
        "relic",
        "space station",
        "trade good",
    ),
    "advciv": ("calamit", "civilization card", "ninth stack"),
    "any": ("definition", "summit"),
}
"""Beginnings of words of a game that stand in no file of its data by themselves."""

EXAMPLES = re.compile(r"``[^`]*``|for example: [^\"]*|Such as: [^\"]*")


def core_sources() -> Iterator[Path]:
    """Every source of the core, and what the packages ``cogs`` and ``data`` have for all games."""
    for package in ("bot", "cogs", "data"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).parts
            own = parts[:2] == ("bot", "games")
            if not own and not (parts[0] in ("cogs", "data") and parts[1] in GAMES):
                yield path


def names_of(things: Iterable[object]) -> Iterator[str]:
    for thing in things:
        names = getattr(thing, "name", ""), getattr(thing, "short", "")
        yield from filter(None, names)


def words() -> list[str]:
    """What a source of the core may not hold, in lower case."""
    ids = set(GAMES) - {"any"}  # a word of every day
    found = {game.info.name for game in games().values()} | {
        *ids,
        "twilight imperium",
        "civilization",
    }
    found.update(*TERMS.values())
    for things in (factions(), promissory_notes(), nations(), calamities()):
        found.update(names_of(things.values()))
    found.update(names_of(abilities()))
    return sorted({word.casefold() for word in found if len(word) > 2})


FORBIDDEN = re.compile(
    "|".join(
        rf"\b{re.escape(word)}" + ("" if word in sum(TERMS.values(), ()) else r"\b")
        for word in words()
    )
)


def found_in(text: str) -> list[str]:
    """The words in a text that the core may not hold, with their lines."""
    plain = EXAMPLES.sub("", text).casefold().replace("_", " ")
    found = list[str]()
    for number, line in enumerate(plain.splitlines(), start=1):
        found += [f"{number}: {match[0]}" for match in FORBIDDEN.finditer(line)]
    return found


def test_the_core_names_no_game() -> None:
    sources = list(core_sources())
    assert len(sources) > 100
    for path in sources:
        assert not found_in(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("game", GAMES)
def test_the_words_are_found_where_they_belong(game: str) -> None:
    """So that the test above can fail."""
    folders = (ROOT / "bot" / "games" / game, ROOT / "cogs" / game, ROOT / "data" / game)
    for folder in folders:
        texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
        assert any(map(found_in, texts)), folder
    assert read(game, "rules")


def test_every_game_is_listed_here() -> None:
    assert set(TERMS) == set(GAMES)
