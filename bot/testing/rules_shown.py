"""Which plays show each rule of a game kept, and which show it refused.

A play shows a rule kept when its header names it (``rules: 94.1``) and it records something; it
shows it refused when one of its lines is ``refused 94.1``, or cites another number that says the
same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.rehearsal.grammar import read_file
from bot.rehearsal.script import Condition, IsRefused, Play, RecordsEntries
from bot.rules.registry import installed_game
from data import Rule, other_numbers


@dataclass(frozen=True)
class Shown:
    """One rule of a game, with the plays that show it, by their names."""

    game: str
    rule: Rule
    kept: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def gap(self) -> str:
        """The missing plays, in words; empty for none."""
        missing = ([] if self.kept else ["kept"]) + (
            ["refused"] if self.rule.refusable and not self.refused else []
        )
        if not self.rule.refusable and self.refused:
            missing.append("anything to refuse in its text")
        return " and ".join(missing)


def plays_in(folder: Path) -> list[Play]:
    """Return every play of a folder."""
    return [read_file(path) for path in sorted(folder.rglob("*.play"))]


def shown(game: str, plays: Iterable[Play], folder: Path) -> list[Shown]:
    """Return every rule of a game with the plays of that game that show it. Texts of cards are left
    out.
    """
    mine = [play for play in plays if any(f"game:{game}" in step.text for step in play.steps)]
    rulebook = installed_game(game).info.rulebook()

    def names(found: Iterable[Play]) -> tuple[str, ...]:
        return tuple(
            Path(play.file).relative_to(folder).with_suffix("").as_posix() for play in found
        )

    return [
        Shown(
            game,
            rule,
            kept=names(play for play in mine if rule.number in play.rules and _records(play)),
            refused=names(
                play
                for play in mine
                if _refusals(play) & {rule.number, *other_numbers(rulebook, rule.number)}
            ),
        )
        for rule in rulebook.values()
        if not rule.card
    ]


def _records(play: Play) -> bool:
    return any(isinstance(each, RecordsEntries) and each.kind for each in _conditions(play))


def _refusals(play: Play) -> set[str]:
    return {each.rule for each in _conditions(play) if isinstance(each, IsRefused) and each.rule}


def _conditions(play: Play) -> Iterator[Condition]:
    return (expectation.condition for step in play.steps for expectation in step.expectations)
