"""Tests that the server's workflow and the issue templates agree with the program."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from bot.rules.registry import games

ROOT = Path(__file__).parents[1]
WORKFLOW = (ROOT / ".github/workflows/checks.yml").read_text(encoding="utf-8")
TEMPLATE = (ROOT / ".github/ISSUE_TEMPLATE/ruling.yml").read_text(encoding="utf-8")


def test_checks_run_on_the_oldest_and_the_newest_python_that_is_supported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    supported = [
        each.rpartition(" ")[2]
        for each in project["classifiers"]
        if re.search(r"Python :: 3\.\d+$", each)
    ]
    [matrix] = re.findall(r"python: \[(.*)\]", WORKFLOW)
    assert re.findall(r"[\d.]+", matrix) == [supported[0], supported[-1]]
    assert project["requires-python"] == f">={supported[0]}"
    assert "run: .ci/run\n" in WORKFLOW


def test_an_action_of_others_is_pinned_by_its_commit() -> None:
    workflows = [
        path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")
    ]
    used = re.findall(r"uses: (\S+)", "\n".join(workflows))
    assert len(used) > len(workflows) > 1
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each) for each in used)


def test_a_wrong_ruling_can_be_reported_for_each_game_with_a_play() -> None:
    assert {game.info.name for game in games().values()} <= set(
        re.findall(r"^ +- (.+)$", TEMPLATE, re.MULTILINE)
    )
    assert "label: A play\n" in TEMPLATE


def test_whatever_waits_for_make_long_is_in_its_list() -> None:
    """Else it would run nowhere."""
    [listed] = re.findall(
        r"^LONG := ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    long = [ROOT / name for name in listed.replace("\\", " ").split()]
    assert all(path.exists() for path in long)
    waits = re.compile(r"from tests.scale import .*\b(variants|long)\b|mark\.long\b")
    files = [
        path
        for path in (ROOT / "tests").rglob("test_*.py")
        if waits.search(path.read_text(encoding="utf-8"))
    ]
    assert [
        path
        for path in files
        if not any(path.is_relative_to(each) for each in (*long, Path(__file__)))
    ] == []
