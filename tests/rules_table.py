"""Lists the plays that show each rule kept and refused: `python -m tests.rules_table`, or `make
rules`.

`bot.testing.rules_shown` says when a play shows a rule. With ``--gaps``, only the rules
that lack one; the exit code is 1 then.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from bot.rehearsal.script import Play
from bot.rules.registry import games
from bot.testing import rules_shown
from bot.testing.rules_shown import RuleShown
from data import rules

PLAYS = Path(__file__).parent / "plays"


def shown(game: str, plays: Iterable[Play]) -> list[RuleShown]:
    """Every rule of a game with the plays that show it. Plays of another game do not count."""
    return rules_shown.rules_with_plays(game, plays, PLAYS)


@cache
def plays() -> list[Play]:
    """Every play of this repository."""
    return rules_shown.plays_in(PLAYS)


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
                kept = _cell(row.kept, "NONE")
                refused = _cell(row.refused, "NONE" if row.rule.refusable else "-")
                print(_row(row.rule.number, row.rule.title, kept, refused))
    print(
        f"\n{f'{missing} rules lack a play.' if missing else 'Every rule has its plays.'} A dash: "
        "nobody can break it."
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
