"""The kinds of messages that players read, from the code itself, and which of them a play really sends.

A kind is a function of `bot.show` that returns a card (``card notices.declined_card``), a place in the rules that asks
or tells one person something (``prompt ti4.pillage.prompts``, ``hint ti4.pillage.hints``), or a subject of delivery
(``subject declined``). A play sends a kind if one of its requests has all the text of such a card.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, wraps
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import pytest

from bot.delivery.desired import SUBJECTS, Desired, NegotiationThread, Replaced
from bot.rehearsal.grammar import read_file
from bot.rehearsal.plays import run_play
from bot.rules.views import FollowUpView, PromptView
from bot.show.cards import Card
from tests.plays.played import HERE, on_a_copy, texts_in

ROOT = Path(__file__).parents[2]

OF_ONE_PERSON = {"PromptView": "prompt", "FollowUpView": "hint"}
"""What a feature makes to ask or tell one person something."""

MADE_OF = {"prompt_card": PromptView, "follow_up_card": FollowUpView}
"""The cards that show it."""

NO_MESSAGES = (NegotiationThread, Replaced)
"""Subjects without a card: a thread, and an old message that only loses its buttons."""


@cache
def kinds() -> frozenset[str]:
    """Every kind of message there is."""
    subjects = {f"subject {kind.name}" for kind in SUBJECTS if kind not in NO_MESSAGES}
    return frozenset({*_cards(), *_places().values(), *subjects})


def _cards() -> Iterator[str]:
    for path in sorted((ROOT / "bot" / "show").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and re.fullmatch(r"[a-z]\w*_card", node.name):
                yield f"card {path.stem}.{node.name}"


@cache
def _places() -> dict[tuple[str, int], str]:
    """Return the kind that is made in each line of the rules where one is."""
    found: dict[tuple[str, int], str] = {}
    for path in sorted((ROOT / "bot").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(f"{name}(" in text for name in OF_ONE_PERSON):
            continue
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("bot.").removeprefix("games.")
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef):
                calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
                made = [(call, call.func.id) for call in calls if isinstance(call.func, ast.Name)]
                made = sorted((each for each in made if each[1] in OF_ONE_PERSON), key=lambda each: each[0].lineno)
                for number, (call, name) in enumerate(made, start=1):
                    kind = f"{OF_ONE_PERSON[name]} {module}.{function.name}{f' {number}' if len(made) > 1 else ''}"
                    lines = range(call.lineno, (call.end_lineno or call.lineno) + 1)
                    found |= {(str(path), line): kind for line in lines}
    return found


# ---------------------------------------------------------------- what a play sends


@dataclass
class Made:
    """What was made in a play: for each kind the texts of its cards, and where a prompt or hint comes from."""

    texts: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    places: dict[int, tuple[object, str]] = field(default_factory=dict)

    def card(self, kind: str, card: object) -> None:
        if isinstance(card, Card):
            pieces = (piece.strip() for block in card.blocks for piece in re.split(r"<icon:[^>]*>", block))
            self.texts.add((kind, tuple(filter(None, pieces))))


def sent(name: str) -> frozenset[str]:
    """Every kind of message that the bot sends in a play. Fail if the play does not go as it says."""
    made = Made()
    with TemporaryDirectory() as folder, noting(made):
        report = run_play(read_file(HERE / name), factory=on_a_copy, keep=Path(folder))
        if report.skipped is not None:
            pytest.skip(report.skipped)
        assert report.ok, f"\n{report}"
        rows = map(orjson.loads, Path(folder, "requests.jsonl").read_bytes().splitlines())
        bodies = {"\n".join(texts_in(row["json"])) for row in rows}
    return frozenset(
        kind for kind, pieces in made.texts if any(all(piece in body for piece in pieces) for body in bodies)
    )


@contextmanager
def noting(made: Made) -> Iterator[None]:
    """Note each card, prompt, hint and desired message that is made meanwhile."""
    for point in entry_points(group="bourse.cogs"):
        point.load()  # a module imported later would keep what it imports from patched ones
    with pytest.MonkeyPatch.context() as patch:
        modules = [module for name, module in sys.modules.items() if name.startswith(("bot.", "cogs."))]
        for kind in _cards():
            module, _, function = kind.removeprefix("card ").partition(".")
            plain = getattr(sys.modules[f"bot.show.{module}"], function)
            noting = _noting_card(made, kind, function, plain)
            for each in modules:
                for name in [name for name, value in vars(each).items() if value is plain]:
                    patch.setattr(each, name, noting)
        for view in MADE_OF.values():
            patch.setattr(view, "__init__", _noting_place(made, view.__init__))
        patch.setattr(Desired, "__init__", _noting_subject(made, Desired.__init__))
        yield


def _noting_card(made: Made, kind: str, name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(plain)
    def card(*args: Any, **options: Any) -> Any:
        result = plain(*args, **options)
        made.card(kind, result)
        for each in args:
            if isinstance(each, MADE_OF.get(name, ())) and id(each) in made.places:
                made.card(made.places[id(each)][1], result)
        return result

    return card


def _noting_place(made: Made, plain: Callable[..., None]) -> Callable[..., None]:
    def init(self: object, *args: Any, **options: Any) -> None:
        plain(self, *args, **options)
        caller = sys._getframe(1)
        if kind := _places().get((caller.f_code.co_filename, caller.f_lineno)):
            made.places[id(self)] = (self, kind)

    return init


def _noting_subject(made: Made, plain: Callable[..., None]) -> Callable[..., None]:
    def init(self: Desired, *args: Any, **options: Any) -> None:
        plain(self, *args, **options)
        made.card(f"subject {self.subject.name}", self.card)

    return init
