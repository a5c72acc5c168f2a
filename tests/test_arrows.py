"""The house's arrows: a file imports only from floors below it, and the rules stay pure.

What may import what stands in pyproject.toml, under `tool.importlinter`. Import-linter reads the sources; the other
test asks a running Python, which also sees what is imported by name at run time.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

IMPORT_ALL = """
import importlib, pkgutil, sys
name, *banned = sys.argv[1:]
package = importlib.import_module(name)
for module in pkgutil.walk_packages(getattr(package, "__path__", []), name + "."):
    if ".migrations" not in module.name:  # those are run by Alembic, never imported
        importlib.import_module(module.name)
print(*(module for module in banned if module in sys.modules))
"""


def test_every_import_points_down() -> None:
    lint = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-cache"]
    done = subprocess.run(lint, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("floor", "banned"),
    [
        # pydantic itself gets by without asyncio, so nothing stands between the rules and the whole promise.
        ("bot.rules", ["discord", "sqlalchemy", "aiosqlite", "asyncpg", "alembic", "asyncio", "simcord"]),
        ("data", ["discord", "sqlalchemy", "aiosqlite", "asyncpg", "alembic", "asyncio", "simcord"]),
        ("bot.ledger", ["discord", "simcord"]),
        ("bot.desk", ["discord", "simcord"]),
        ("bot.show", ["discord", "simcord"]),
        # The bot proper runs without the extra `rehearsal`, and on SQLite without the extra `postgres`.
        ("bot.app", ["simcord", "asyncpg"]),
        ("bot.__main__", ["simcord", "asyncpg"]),
        ("cogs", ["simcord", "asyncpg"]),
    ],
)
def test_what_a_floor_does_without_is_not_even_loaded(floor: str, banned: list[str]) -> None:
    command = [sys.executable, "-c", IMPORT_ALL, floor, *banned]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr
