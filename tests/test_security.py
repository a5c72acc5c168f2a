"""Tests that the tests named in SECURITY.md exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
LINES = re.findall(r"^\| (.+) \|$", TEXT, re.MULTILINE)
ROWS = [line.split(" | ") for line in LINES]
PROMISES = [row for row in ROWS if row != ["promise", "held by"]]


def test_a_promise_is_held_by_tests_that_are_there(subtests: pytest.Subtests) -> None:
    for promise in PROMISES:
        with subtests.test(promise[0]):
            _, held_by = promise
            named = re.findall(r"`(tests/[^`:]+)(?:::(\w+))?`", held_by)
            assert named
            for path, test in named:
                text = (ROOT / path).read_text(encoding="utf-8")
                assert not test or f"def {test}(" in text


def test_nothing_is_promised_elsewhere() -> None:
    assert len(PROMISES) > 15
    assert all(len(row) == 2 for row in PROMISES)
