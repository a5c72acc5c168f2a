"""The page that says what follows from what: which features hear each kind of entry.

    python -m tests.follows

writes `docs/follows.md` from the features of our games. A test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.rules.entries import Entry
from bot.rules.feature import all_of
from bot.rules.game import Game
from bot.rules.registry import games
from bot.rules.vocabulary import CORE

FILE = Path(__file__).parents[1] / "docs" / "follows.md"

BEGINNING = """\
# What follows from what

A feature names the kinds of entries that it hears (`hears` of `Feature`, `bot/rules/feature.py`).
For each kind, this page lists the modules of the features that are called: `after` changes the
table, `brings` adds entries to those of the command or refuses it, `follow_ups` tells seats what
they may do. Kinds that nobody hears are left out. `python -m tests.follows` writes the page."""

HOOKS = ("after", "brings", "follow_ups")


def page() -> str:
    """Return the page."""
    lines = [BEGINNING]
    for game in sorted(games().values(), key=lambda game: game.info.name):
        lines += ["", f"## {game.info.name}", "", *_table(game)]
    return "\n".join(lines) + "\n"


def _table(game: Game) -> Iterator[str]:
    yield f"| entry | {' | '.join(f'`{hook}`' for hook in HOOKS)} |"
    yield "|---|---|---|---|"
    for kind in (*CORE.entries, *game.features.entries):
        cells = [_called(game, kind, hook) for hook in HOOKS]
        if any(cells):
            yield f"| `{kind.kind}` | {' | '.join(cells)} |"


def _called(game: Game, kind: type[Entry], hook: str) -> str:
    """Return the modules whose function is called for this kind."""
    hearers = game.features.hearers(kind)
    functions = [all_of(getattr(feature, hook))[:1] for feature in hearers]
    modules = (function.__module__ for (function,) in filter(None, functions))
    return ", ".join(module.rpartition(".")[2] for module in modules)


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
