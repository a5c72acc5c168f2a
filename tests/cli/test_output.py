"""Tests of the line of progress on a terminal."""

from __future__ import annotations

import sys

import pytest

from bot.cli.output import CLEARED, progress


def test_a_terminal_shows_a_line_that_is_cleared_at_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress() as tell:
        tell("table 7", 3, 3)
        tell("pages", 9, 0)  # too soon after the last
    assert capsys.readouterr().err == f"{CLEARED}table 7 · 3 of 3\r{CLEARED}"


def test_a_file_gets_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as tell:
        tell("table 7", 3, 3)
    assert capsys.readouterr().err == ""
