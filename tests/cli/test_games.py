"""Tests of bourse games: the list of installed games, and the check of a package."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from bot.cli.games import check_apart, check_package, list_games
from bot.errors import OperatorError
from bot.rules import guard, registry
from bot.testing import kept
from tests.plugin.bazaar.installing import installed

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BAZAAR = ROOT / "tests" / "plugin" / "bazaar" / "bourse_bazaar.py"

CORRECT = "correct(table: Table, seat: str, goods: Goods) -> Moves"

SLOW = "import time; until = time.thread_time() + 0.3\n    while time.thread_time() < until: pass"

PLAY = """\
alice: /help
    sees "7 silk"
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory in which the bazaar is installed, as pip leaves it, with a play that goes
    wrong.
    """
    info = tmp_path / "bourse_bazaar-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bourse-bazaar\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("[bourse.games]\nbazaar = bourse_bazaar:GAME\n")
    (info / "RECORD").write_text("bourse_bazaar.py,,\nsold.play,,\n")
    shutil.copy(BAZAAR, tmp_path)
    (tmp_path / "sold.play").write_text(PLAY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with installed(*Distribution.at(info).entry_points):
        yield tmp_path
    sys.modules.pop("bourse_bazaar", None)


def changed(site: Path, old: str, new: str) -> None:
    """Have the author make a mistake."""
    text = (site / BAZAAR.name).read_text(encoding="utf-8")
    assert old in text
    (site / BAZAAR.name).write_text(text.replace(old, new), encoding="utf-8")


def listed() -> tuple[int, list[str]]:
    """Return the exit code of `bourse games` and its lines."""
    lines: list[str] = []
    return list_games(lines.append), lines


def checked(name: str, plays: Path | None = None) -> tuple[int, list[str]]:
    """Return the exit code of `bourse games check` and its lines."""
    lines: list[str] = []
    return check_package(name, plays, lines.append), lines


def test_the_games_here_with_their_versions_and_packages(site: Path) -> None:
    code, lines = listed()
    assert code == 0
    assert [line.split() for line in lines] == [
        ["game", "name", "version", "package", "API"],
        ["bazaar", "Bazaar", "1.5", "bourse-bazaar", "1"],
    ]


def test_what_is_left_out_and_why(site: Path) -> None:
    changed(site, "api=1", "api=2")
    code, lines = listed()
    assert code == 1
    assert lines[-1].startswith(
        "bazaar (of bourse-bazaar 1.5) is left out: it is for bot.api 2, and this Bourse has 1"
    )
    code, lines = checked("bourse-bazaar")
    assert code == 1
    assert [line.partition(": ")[0] for line in lines] == [
        "bazaar (of bourse-bazaar 1.5) is left out"
    ]


def test_a_press_that_breaks_its_word_is_a_warning(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "breaches", lambda *table: iter(["“Ring” rings twice"]))
    (site / "no_plays").mkdir()
    code, lines = checked("bourse-bazaar", site / "no_plays")
    assert code == 0
    told = "Warning: bazaar: a press does something else than it said: “Ring” rings twice."
    assert told in lines


def test_presses_that_could_not_all_be_tried_are_told(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaches(*table: object) -> Iterator[str]:
        yield "“Ring” rings twice"
        raise KeyError("silk")

    monkeypatch.setattr(kept, "breaches", breaches)
    (site / "no_plays").mkdir()
    code, lines = checked("bourse-bazaar", site / "no_plays")
    assert code == 0
    told = "Warning: bazaar: a press does something else than it said: “Ring” rings twice."
    short = "Warning: bazaar: not every press was tried again: "
    assert lines[:2] == [told, f"{short}the check broke off (KeyError('silk'))."]


def test_slash_commands_that_are_left_out(site: Path) -> None:
    changed(site, 'example="2 silk",', 'example="2 silk", command_groups=frozenset({"stall"}),')
    assert (
        listed()[1][-1]
        == "the slash commands of bazaar are left out: its command group /stall has no commands."
    )


def test_a_play_that_goes_wrong(site: Path) -> None:
    """`test_new_game.py` has plays that go well."""
    code, [line] = checked("bazaar")
    assert code == 1
    assert line.startswith('sold.play, line 2: sees "7 silk": ')


def test_a_call_that_does_not_end_ends_the_check_and_is_named(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(site, f"def {CORRECT}:\n", f"def {CORRECT}:\n    import time; time.sleep(600)\n")
    lines: list[str] = []
    limit = 15  # a busy machine takes some seconds until that call
    code = check_apart("bazaar", None, limit, lines.append)
    assert (code, capsys.readouterr().err) == (1, "")
    [line] = lines
    assert line.startswith(
        "bazaar: a call did not end within 15 s. It was in correct (bourse_bazaar.py, line "
    )


def test_without_plays_a_random_table_finds_what_is_slow(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (site / "bourse_bazaar-1.5.dist-info" / "RECORD").write_text("bourse_bazaar.py,,\n")
    assert checked("Bourse_Bazaar") == (
        0,
        [
            "bazaar (of bourse-bazaar 1.5) can be used: Bazaar, made for API 1.",
            "It has no plays; bourse play runs them.",
        ],
    )
    changed(site, f"def {CORRECT}:\n", f"def {CORRECT}:\n    {SLOW}\n")
    monkeypatch.setattr(guard, "SLOW", 0.05)
    sys.modules.pop("bourse_bazaar")
    registry.games.cache_clear()
    code, lines = checked("bazaar")
    assert code == 1
    slow = r"the game bazaar is slow: .+ took \d+ ms, and 250 ms of processor time are the most\."
    assert all(re.fullmatch(slow, line) for line in lines), lines
    assert sum("holdings.correct took " in line for line in lines) == 1


MISTAKES = {
    "a description": (
        "def describe(goods: Goods) -> str:\n",
        "def describe(goods: Goods) -> str:\n    goods.fly()\n",
        "the game bazaar failed in goods.describe",
    ),
    "an index": (
        "    left = beside",
        "    (0,)[len(beside)]\n    left = beside",
        "the game bazaar failed in goods.suggest",
    ),
    "texts for suggestions": (
        "usual=count) for token, count in left.items()",
        "usual=count).one for token, count in left.items()",
        "bazaar: goods.suggest returned 'silk', which is no Suggestion.",
    ),
    "a reader that fails": (
        "    goods = NOTHING\n",
        "    goods = [][0]\n",
        "bazaar fails at a random table in the game bazaar: goods.read ",
    ),
    "cards": (
        "cards=lambda _: NOTHING",
        "cards=lambda _: ()",
        "bazaar: goods.cards returned (), which is no Goods.",
    ),
    "an order": (
        "cards=lambda _: NOTHING",
        "cards=lambda _: NOTHING, listed=lambda goods: []",
        "bazaar: goods.listed lists other components than",
    ),
    "an icon": (
        "cards=lambda _: NOTHING",
        "cards=lambda _: NOTHING, icon=lambda token: '🧵'",
        "bazaar: goods.icon: 🧵 is not in icons.",
    ),
    "proposals": (
        "api=1,",
        "api=1, proposals=lambda view, partner: [view.fly],",
        "the game bazaar failed in proposals",
    ),
    "matches": (
        "api=1,",
        "api=1, matches=lambda *_: None,",
        "bazaar: matches returned None, which is no bool.",
    ),
    "buttons for goods": (
        "correct=correct)",
        "correct=correct, buttons=lambda view: [[view.fly]])",
        "the game bazaar failed in holdings.buttons",
    ),
    "no rules": (
        'rulebook=lambda: {"1": HAVE_IT}',
        "rulebook=dict",
        "bazaar: its rulebook has no rules, so /rules shows nothing.",
    ),
    "other rules": (
        'rulebook=lambda: {"1": HAVE_IT}',
        "rulebook=list",
        "bazaar (of bourse-bazaar 1.5) is left out: its rulebook is not",
    ),
    "a command without a kind": (
        'heading="The market is open")',
        'buttons=(button("Ring", table, Ring()),))',
        "bazaar: the button “Ring” can't be made: Ring is not one of the registered classes.",
    ),
    "a command with a long text": (
        'heading="The market is open")',
        'menu=(MenuItem("Shout", Press(table.id, SetPhase("hey" * 40))),))',
        "bazaar: the button “Shout” can't be made: do:7:table.phase:hey",
    ),
}

RING = """
from dataclasses import dataclass
from bot.api import Command, MenuItem, Press, SetPhase, button

@dataclass(frozen=True, slots=True)
class Ring(Command):
    pass

GAME = """


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_an_author_did_not_see_is_found_and_named(site: Path, mistake: str) -> None:
    old, new, told = MISTAKES[mistake]
    (site / "bourse_bazaar-1.5.dist-info" / "RECORD").write_text("bourse_bazaar.py,,\n")
    changed(site, old, new)
    changed(site, "\nGAME = ", RING)
    code, lines = checked("bazaar")
    assert code == 1
    assert any(line.startswith(told) for line in lines), lines


def test_there_is_no_such_package(site: Path) -> None:
    known = "No game comes from a package bourse-souk. Packages with games: bourse-bazaar."
    with pytest.raises(OperatorError, match=re.escape(known)):
        checked("bourse-souk")
    with pytest.raises(OperatorError, match=r"There is no folder .*none\."):
        checked("bazaar", site / "none")
