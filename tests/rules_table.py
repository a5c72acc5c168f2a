"""Which play shows each rule kept, and which shows it refused: `python -m tests.rules_table`, or `make rules`.

A play shows a rule kept when its header names it (``rules: 94.1``) and it records something; it shows it refused
when one of its lines is ``refused 94.1``, or cites another number that says the same. With ``--gaps``, only the rules
that lack one; the exit code is 1 then.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.rehearsal.grammar import read_file
from bot.rehearsal.script import Condition, IsRefused, Play, RecordsEntries
from bot.rules.registry import games
from data import Rule, other_numbers, rules

PLAYS = Path(__file__).parent / "plays"


@dataclass(frozen=True)
class Shown:
    """One rule of a game, with the plays that show it, by their names."""

    game: str
    rule: Rule
    kept: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def gap(self) -> str:
        """What is missing, empty for nothing."""
        missing = ([] if self.kept else ["kept"]) + (["refused"] if self.rule.refusable and not self.refused else [])
        if not self.rule.refusable and self.refused:
            missing.append("anything to refuse in its text")
        return " and ".join(missing)


def shown(game: str, plays: Iterable[Play]) -> list[Shown]:
    """Every rule of a game with the plays that show it. Plays of another game do not count."""
    mine = [play for play in plays if _plays(play, game)]
    return [
        Shown(
            game,
            rule,
            kept=tuple(_name(play) for play in mine if rule.number in play.rules and _records(play)),
            refused=tuple(
                _name(play)
                for play in mine
                if _refusals(play) & {rule.number, *other_numbers(rules(game), rule.number)}
            ),
        )
        for rule in rules(game).values()
    ]


def plays() -> list[Play]:
    """Every play of this repository."""
    return [read_file(path) for path in sorted(PLAYS.rglob("*.play"))]


def with_rules() -> list[str]:
    """The installed games whose rules stand in ``data/<game>/rules.toml``."""
    found = []
    for game in games():
        try:
            rules(game)
        except FileNotFoundError:
            continue
        found.append(game)
    return found


def _plays(play: Play, game: str) -> bool:
    return any(f"game:{game}" in step.text for step in play.steps)


def _records(play: Play) -> bool:
    return any(isinstance(each, RecordsEntries) and each.kind for each in _conditions(play))


def _refusals(play: Play) -> set[str]:
    return {each.rule for each in _conditions(play) if isinstance(each, IsRefused) and each.rule}


def _conditions(play: Play) -> Iterator[Condition]:
    return (expectation.condition for step in play.steps for expectation in step.expectations)


def _name(play: Play) -> str:
    return Path(play.file).relative_to(PLAYS).with_suffix("").as_posix()


def main(arguments: list[str]) -> int:
    """Print the table; 1 when a rule lacks a play."""
    every, missing = plays(), 0
    for game in with_rules():
        rows = shown(game, every)
        missing += sum(bool(row.gap) for row in rows)
        print(f"\n{games()[game].info.name}\n")
        print(_row("number", "title", "kept by", "refused by"))
        for row in rows:
            if row.gap or "--gaps" not in arguments:
                refused = _cell(row.refused, "NONE" if row.rule.refusable else "-")
                print(_row(row.rule.number, row.rule.title, _cell(row.kept, "NONE"), refused))
    print(
        f"\n{f'{missing} rules lack a play.' if missing else 'Every rule has its plays.'} A dash: nobody can break it."
    )
    return 1 if missing else 0


def _row(number: str, title: str, kept: str, refused: str) -> str:
    return f"{number:22} {title:46} {kept:44} {refused}".rstrip()


def _cell(names: tuple[str, ...], nobody: str) -> str:
    """The first play and how many more."""
    if not names:
        return nobody
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return f"{names[0].rpartition('/')[2]}{more}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
