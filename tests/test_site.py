"""Tests of the documentation site: its pages are complete, and its pictures are current."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from html import unescape
from itertools import chain
from pathlib import Path

import pytest

from bot.rehearsal.plays import Performance
from tests.plays.played import HERE
from tests.rules_table import plays, shown, with_rules
from tests.shots import (
    DOCS,
    HIDDEN,
    PICTURES,
    Shot,
    lines_of,
    message,
    pages,
    perform,
    shots,
    words,
)
from tests.site import ROOT, doubts_elsewhere, gather, groups

pytestmark = pytest.mark.slow

PAGES = {page.stem: page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md"))}


def test_the_pages_for_people_at_the_table_have_plays() -> None:
    assert set(pages()) == {"index", "players", "players-advciv", "hosts", "moderators"}


@pytest.mark.parametrize("name", pages())
async def test_a_page_says_what_happens_and_its_pictures_show_it(name: str, tmp_path: Path) -> None:
    """`make pictures` takes the pictures anew when words on them have changed."""
    now: dict[str, list[list[str]]] = defaultdict(list)

    async def read(performance: Performance, shot: Shot) -> None:
        now[shot.file].append(lines_of(message(performance.stage, shot)))

    assert await perform(name, tmp_path, read) == []
    taken = words()
    assert now == {file: taken.get(file) for file in now}


def test_what_a_page_says_to_press_or_type_is_a_step_of_a_page() -> None:
    """So that a page can't say what its play does not do. ``Pay…`` may go on, as ``Pay Alice…``."""
    people = ("hosts", "players", "players-advciv")
    played = "".join("".join(HIDDEN.findall(PAGES[name])) for name in people)
    steps = set(re.findall(r'(?:press|has|fill|choose) "([^"]+)"', played))
    steps |= {" ".join(words) for words in re.findall(r"(/[a-z]+)(?: ([a-z]+)\b(?!:))?", played)}
    told = set[str]()
    for name in people:
        prose = re.sub(r"<details.*?</details>", "", HIDDEN.sub("", PAGES[name]), flags=re.DOTALL)
        told.update(re.findall(r"\*\*([^*]+)\*\*", prose))
        told.update(re.findall(r"`(/[a-z]+(?: [a-z]+\b(?!:))?)", prose))
    names = {" ".join(each.split()) for each in told}
    assert len(names) > 60
    assert {name for name in names if not _is_among(name, steps)} == set()


def _is_among(name: str, steps: set[str]) -> bool:
    if name.endswith("…"):
        return any(step.startswith(name.rstrip("… ")) for step in steps)
    return name in steps or f"{name} " in steps


def test_each_picture_is_taken_by_a_play_and_shown() -> None:
    taken = {shot.file for shot in chain.from_iterable(map(shots, pages()))}
    shown_somewhere = set(re.findall(r"pictures/([\w-]+\.webp)", "\n".join(PAGES.values())))
    files = {path.name for path in PICTURES.glob("*.webp")}
    assert taken == set(words()) == shown_somewhere == files


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of which the site is made."""
    folder = tmp_path_factory.mktemp("site") / "docs"
    gather(folder)
    return folder


def test_a_page_shows_nobody_its_play(docs: Path) -> None:
    shown = [page.name for page in docs.glob("*.md") if "<!-- play" in page.read_text("utf-8")]
    assert shown == []
    assert [name for name in pages() if "```play" in PAGES[name]] == []


def test_a_command_written_with_options_stands_in_a_play() -> None:
    pages = "\n".join(PAGES.values())
    texts = HIDDEN.findall(pages)
    texts += [path.read_text(encoding="utf-8") for path in HERE.rglob("*.play")]
    played = "\n".join(texts)
    named = set(re.findall(r"`(/[a-z]+ [a-z]+ [a-z_]+:[^`]+)`", pages))
    assert len(named) > 1
    assert {each for each in named if each not in played} == set()


def test_all_pages_are_in_the_contents(docs: Path) -> None:
    text = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    tomllib.loads(text)
    assert {page.name for page in docs.glob("*.md")} == set(re.findall(r'= "([\w-]+\.md)"', text))


def test_the_page_of_all_rules_has_each_rule_and_each_doubt(docs: Path) -> None:
    text = unescape((docs / "rules.md").read_text(encoding="utf-8"))
    every = plays()
    assert with_rules()
    for game in with_rules():
        rules = [row.rule for row in shown(game, every)]
        numbers = [rule.number for rule in rules]
        assert len(numbers) > 10
        assert list(chain.from_iterable(groups(game).values())) == numbers
        for rule in rules:
            assert f"{rule.number} · {rule.title}</h4>" in text
        assert doubts_elsewhere(game).keys() <= set(numbers)
    for path in (ROOT / "data").glob("*/*.toml"):
        for row in tomllib.loads(path.read_text(encoding="utf-8")).values():
            assert not isinstance(row, dict) or row.get("doubt", "") in text


def test_the_pictures_are_small() -> None:
    sizes = {picture.name: picture.stat().st_size for picture in PICTURES.iterdir()}
    assert max(sizes.values()) < 150_000
    assert sum(sizes.values()) < 600_000
