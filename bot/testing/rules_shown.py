"""Which plays show each rule of a game kept, and which show it refused.

A play shows a rule kept when its header names it (``rules: 94.1``) and it records something; it
shows it refused when one of its lines is ``refused 94.1``, or cites another number that says the
same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.rehearsal.grammar import read_file
from bot.rehearsal.script import Condition, IsRefused, Play, RecordsEntries
from bot.rules.model.values import frozen
from bot.rules.registry import installed_game
from data import Rule, other_numbers


@frozen
class RuleShown:
    """One rule of a game, with the plays that show it, by their names."""

    game: str
    rule: Rule
    kept: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def gap(self) -> str:
        """The missing plays, in words; empty for none."""
        missing = []
        if not self.kept:
            missing.append("kept")
        if self.rule.refusable and not self.refused:
            missing.append("refused")
        if not self.rule.refusable and self.refused:
            missing.append("anything to refuse in its text")
        return " and ".join(missing)


def plays_in(folder: Path) -> list[Play]:
    """Return every play of a folder."""
    return [read_file(path) for path in sorted(folder.rglob("*.play"))]


def rules_with_plays(game: str, plays: Iterable[Play], folder: Path) -> list[RuleShown]:
    """Return every rule of a game with the plays that show it. Texts of cards are left out."""
    of_game = [play for play in plays if _is_of(game, play)]
    rulebook = installed_game(game).info.rulebook()
    rows = []
    for rule in rulebook.values():
        if rule.card:
            continue
        numbers = {rule.number, *other_numbers(rulebook, rule.number)}
        kept, refused = [], []
        for play in of_game:
            name = Path(play.file).relative_to(folder).with_suffix("").as_posix()
            if rule.number in play.rules and _records(play):
                kept.append(name)
            if _refusals(play) & numbers:
                refused.append(name)
        rows.append(RuleShown(game, rule, tuple(kept), tuple(refused)))
    return rows


def _is_of(game: str, play: Play) -> bool:
    return any(f"game:{game}" in step.text for step in play.steps)


def _records(play: Play) -> bool:
    return any(isinstance(each, RecordsEntries) and each.kind for each in _conditions(play))


def _refusals(play: Play) -> set[str]:
    return {each.rule for each in _conditions(play) if isinstance(each, IsRefused) and each.rule}


def _conditions(play: Play) -> Iterator[Condition]:
    for step in play.steps:
        for expectation in step.expectations:
            yield expectation.condition
