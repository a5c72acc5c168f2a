"""What tests of several folders need, and what makes all of them quicker.

Bourse is imported where it is needed: the process that hands out the tests needs nothing of it.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import chain, zip_longest
from pathlib import Path

import pytest

from tests.shared import shared_folder

NOT_DURABLE = "PRAGMA synchronous = OFF"
"""A test's database need not survive power loss, and waiting for the disk takes most of a commit."""

PAGE = "tests/page/"
"""Where the tests are that need a browser."""

YOUNG = 50_000
"""Objects made before garbage is looked for; Python's own 700 costs a tenth of the processor's time here."""


def pytest_configure(config: pytest.Config) -> None:
    """Make what all processes of the run share: a folder, and where the environment forbids them, compiled modules.

    The latter are kept in pytest's cache then. Else workers, their tests and bots would all compile over again.
    """
    shared_folder()
    if sys.dont_write_bytecode and (cache := getattr(config, "cache", None)):
        sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(cache.mkdir("bytecode"))
        sys.dont_write_bytecode = False
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many workers `-n auto` means: two more than processors, since tests of whole programs often wait."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object | None:
    """Make `--dist loadfile` count all files of the page as one: each worker with some of them starts a browser."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return PAGE if file.startswith(PAGE) else file

    return Scheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Leave out of every collection of garbage what all tests share: modules, compiled models, the tests themselves."""
    gc.disable()
    try:
        _import_in_another_order(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(YOUNG)
        gc.enable()


def _import_in_another_order(config: pytest.Config) -> None:
    """Import the modules of the tests, each worker beginning with another one.

    All workers collect the same modules in the same order, so in a fresh clone each of them would compile each module.
    This way it finds most of them compiled by another.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        return
    number = int(worker.removeprefix("gw"))
    asked = [Path(each.partition("::")[0]).absolute() for each in config.args]
    modules = [file for each in asked for file in sorted(each.rglob("test_*.py") if each.is_dir() else [each])]
    first = number * len(modules) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for file in (*modules[first:], *modules[:first]):
        # What is wrong with a module is told when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(file.relative_to(config.rootpath).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first: what comes last should be short, or one processor waits for the other.

    Some files mostly wait, as those with tests of whole bots do, so every other file is one of theirs: then somebody
    works meanwhile.
    """
    waiting = dict.fromkeys(item.path for item in items if _is(item, "wire", "waits"))
    working = dict.fromkeys(item.path for item in items if _is(item, "slow") and item.path not in waiting)
    first = filter(None, chain.from_iterable(zip_longest(working, waiting)))
    places = {path: place for place, path in enumerate(first)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


def _is(item: pytest.Item, *markers: str) -> bool:
    return any(map(item.get_closest_marker, markers))


@pytest.fixture(scope="session", autouse=True)
def not_durable() -> Iterator[None]:
    """Let commits on SQLite in this process not wait for the disk; programs that tests start do."""
    from bot.ledger import engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_PRAGMAS", (*engine._PRAGMAS, NOT_DURABLE))
        yield


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the disk as the program does."""
    from bot.ledger import engine

    monkeypatch.setattr(engine, "_PRAGMAS", tuple(each for each in engine._PRAGMAS if each != NOT_DURABLE))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server: POSTGRES_FOR_TESTS, or a server of our own, which all workers share.

    `tests.ledger.samples.fresh_database` makes a database there.
    """
    from tests.bench.server import postgresql

    try:
        with postgresql(os.environ.get("POSTGRES_FOR_TESTS"), shared_folder() / "postgresql") as server:
            yield server
    except LookupError as missing:
        pytest.skip(f"no PostgreSQL: {missing}")
