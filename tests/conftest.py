"""Fixtures of several folders."""

from __future__ import annotations

import gc
import logging
import os
import sys
import tomllib
from collections.abc import Generator, Iterator, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from bot.delivery import render
from bot.ledger import engine
from bot.rules import guard
from bot.service import gate
from tests.postgresql import DoesNotStart, postgresql
from tests.scale import SCALE, SEED
from tests.skips import broken, pytest_sessionfinish  # noqa: F401  # a hook

# Where Python may not keep compiled modules, each worker and each program compiles them again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples everywhere, however slow the machine; in `make long`, others each time.
settings.register_profile(
    "bourse",
    deadline=None,
    derandomize=not SEED,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("bourse")

# no test depends on time, and on a busy machine every function of a game may be slow
guard.SLOW = 60.0

ALLOCATED = 50_000
"""Objects between two collections of garbage. With Python's own 700 they take a tenth of the
processor's time.
"""


PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def pytest_configure() -> None:
    """Refuse an environment that was made before a game was added: it would not know the game."""
    written = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["entry-points"]
    for group in ("bourse.games", "bourse.cogs"):
        known = {point.name for point in entry_points(group=group)}
        if missing := sorted(written[group].keys() - known):
            raise pytest.UsageError(
                f"This environment does not know {', '.join(missing)} of {group}. Bring it up to "
                f"date: {sys.executable} -m pip install --no-deps --no-build-isolation -e ."
            )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what lives as long as the tests (modules, models, the tests themselves) out of garbage
    collection.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(ALLOCATED)
        gc.enable()


WAITING = "wire"
"""The marker of tests that mostly wait."""

LENGTHY = (WAITING, "browser", "slow")
"""Markers of tests that take long."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is marked `long` to `make long`, and put the files in an order in which no
    processor has nothing to do.
    """
    if SCALE == 1:
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    turns = _turns(items)
    items.sort(key=lambda item: turns[item.path])


def _turns(items: Sequence[pytest.Item]) -> dict[Path, float]:
    """Return when each file has its turn, from 0 to 1; quick ones at the end.

    What begins last would otherwise keep one worker busy while the others have nothing left. Files
    that wait have turns between those that work: next to each other, all workers would wait.
    """
    waiting, working = dict[Path, None](), dict[Path, None]()
    turns = {}
    for item in items:
        turns[item.path] = 1.0
        if item.path in waiting or item.path in working:
            continue
        if item.get_closest_marker(WAITING):
            waiting[item.path] = None
        elif any(item.get_closest_marker(name) for name in LENGTHY):
            working[item.path] = None
    for files in (working, waiting):
        for number, file in enumerate(files):
            turns[file] = number / len(files)
    return turns


def pytest_runtest_teardown() -> None:
    """Take away the filters that a program run in this process added to pytest's log handlers,
    which outlive a test.
    """
    for handler in logging.getLogger().handlers:
        handler.filters.clear()


NOT_DURABLE = "PRAGMA synchronous = OFF"
"""A test's database need not survive power loss, and waiting for the disk takes most of a
commit.
"""


@pytest.fixture(scope="session", autouse=True)
def not_durable() -> Iterator[None]:
    """Let commits on SQLite in this process not wait for the disk; programs that tests start do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_PRAGMAS", (*engine._PRAGMAS, NOT_DURABLE))
        yield


@pytest.fixture(scope="session", autouse=True)
def without_icons() -> Iterator[None]:
    """Let no bot in this process upload its icons: where the machine is busy, a test takes the
    minute after which it does, and the cards of all later tests would have them.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "AFTER_START", 86_400.0)
        yield


@pytest.fixture(autouse=True)
def same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards each time, so that a red test is red again."""
    dice = Random(SEED)
    monkeypatch.setattr(gate, "random_chance", lambda: dice.randbytes(32).hex())


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the disk as the program does."""
    monkeypatch.setattr(
        engine, "_PRAGMAS", tuple(each for each in engine._PRAGMAS if each != NOT_DURABLE)
    )


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server: POSTGRES_FOR_TESTS, or a server of this process.

    `tests.ledger.samples.fresh_database` makes a database there.
    """
    try:
        with postgresql(os.environ.get("POSTGRES_FOR_TESTS")) as server:
            yield server
    except DoesNotStart as why:
        broken(f"no PostgreSQL: {why}")
    except LookupError as missing:
        pytest.skip(f"no PostgreSQL: {missing}")
