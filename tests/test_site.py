"""The documentation site: its pages are complete, and the examples on them run."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from bot.rehearsal.grammar import read_play
from bot.rehearsal.plays import run_play
from tests.plays.played import HERE, on_a_copy
from tests.rules_table import plays, shown, with_rules
from tests.site import DOCS, ROOT, gather

PAGES = {page.stem: page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md"))}
EXAMPLES = {name: "\n".join(re.findall(r"```play\n(.*?)```", text, re.DOTALL)) for name, text in PAGES.items()}


def test_the_pages_for_people_at_the_table_have_examples() -> None:
    assert {name for name, text in EXAMPLES.items() if text} == {"players", "players-advciv", "hosts", "moderators"}


@pytest.mark.parametrize("name", [name for name, text in EXAMPLES.items() if text])
def test_the_examples_of_a_page_are_a_play_that_runs(name: str) -> None:
    report = run_play(read_play(EXAMPLES[name], f"docs/{name}.md"), factory=on_a_copy)
    assert report.ok, f"\n{report}"


def test_a_command_written_with_options_stands_in_a_play() -> None:
    played = "\n".join([*EXAMPLES.values(), *(path.read_text(encoding="utf-8") for path in HERE.rglob("*.play"))])
    named = {each for text in PAGES.values() for each in re.findall(r"`(/[a-z]+ [a-z]+ [a-z_]+:[^`]+)`", text)}
    assert len(named) > 1
    assert {each for each in named if each not in played} == set()


def test_all_pages_are_in_the_contents(tmp_path: Path) -> None:
    gather(tmp_path / "docs")
    text = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    tomllib.loads(text)
    assert {page.name for page in (tmp_path / "docs").glob("*.md")} == set(re.findall(r'= "([\w-]+\.md)"', text))


def test_the_page_of_all_rules_has_each_rule(tmp_path: Path) -> None:
    gather(tmp_path / "docs")
    text, every = (tmp_path / "docs" / "rules.md").read_text(encoding="utf-8"), plays()
    rules = [each.rule for game in with_rules() for each in shown(game, every)]
    assert len(rules) > 50
    assert [rule for rule in rules if f"\n### {rule.number} {rule.title}\n" not in text] == []


def test_the_pictures_are_small() -> None:
    assert sum(picture.stat().st_size for picture in (DOCS / "pictures").iterdir()) < 1_000_000
