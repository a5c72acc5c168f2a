"""Tests that each name of `bot.api` has an example in its docstring, and that the examples run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal

import pytest

from bot import api
from bot.api import chance
from bot.api import discord as for_cogs
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.people import Person
from bot.rules.views import Viewer
from bot.rules.visible_table import see
from tests.plugin.bazaar.bourse_bazaar import GAME
from tests.plugin.bazaar.installing import installed, point
from tests.surface import FILE, surface

NAMESPACES = (api, chance, for_cogs)
UNDER_WAY = re.compile(r"\bawait\b|\brequest\b|\brouter\b|\binteraction\b")
"""What only a bot that is connected to Discord has. Such an example is compiled, not run."""


def test_the_surface_is_the_one_of_the_list() -> None:
    """A game that was written for API 1 loads as long as the number is 1. What is new: `python -m
    tests.surface`.
    """
    assert api.API == 1
    assert list(surface()) == FILE.read_text(encoding="utf-8").splitlines()


def documented(namespace: Any) -> Iterator[tuple[str, str]]:
    """Yield each name with its docstring, for a constant the text under it."""
    origins = dict(imported(namespace))
    for name in namespace.__all__:
        found = getattr(namespace, name)
        explained = inspect.isclass(found) or inspect.isfunction(found) or inspect.ismodule(found)
        yield (
            name,
            inspect.cleandoc(found.__doc__ or "") if explained else text_under(origins[name], name),
        )


def imported(namespace: Any) -> Iterator[tuple[str, str]]:
    """Yield each name with the module that it comes from."""
    for node in ast.parse(inspect.getsource(namespace)).body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, node.module or ""


def text_under(module: str, name: str) -> str:
    """Return the text under a constant where it is defined."""
    body = ast.parse(inspect.getsource(importlib.import_module(module))).body
    for node, after in pairwise(body):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(each, ast.Name) and each.id == name for each in targets):
            return ast.literal_eval(after.value) if isinstance(after, ast.Expr) else ""
    raise LookupError(name)


NAMES = dict[str, str]()
for place in NAMESPACES:
    NAMES |= {f"{place.__name__}.{name}": text for name, text in documented(place)}


class Committed(chance.SeedCommitted):
    kind = "dealing.seed"


@pytest.fixture(scope="module")
def world() -> Iterator[Mapping[str, Any]]:
    """What stands in the examples: everything of the API, and the table that the docstring of
    `bot.api` describes.
    """
    dealing = replace(
        GAME,
        info=replace(GAME.info, id="dealing", name="Dealing"),
        features=api.Features((chance.feature(Committed),)),
        chance=api.Chance(commit=Committed.to, verify=lambda table, entry: ""),
    )
    caller = api.Caller(person=1, interaction=1001)
    other = api.Caller(person=2, interaction=1002)
    offer = PostOffer(to="green", give=api.Goods({"silk": 1}), want=api.Goods({"spice": 1}))
    with installed(point(GAME), point(dealing)):
        table = api.Table(id=7)
        for command, who in (
            (OpenTable("bazaar", "Friday"), caller),
            (Sit("red"), caller),
            (Sit("green"), other),
            (api.SetHoldings("red", api.Goods({"silk": 2})), caller),
            (api.SetHoldings("green", api.Goods({"spice": 1})), caller),
            (offer, caller),
        ):
            table = api.replay(tuple(command.decide(table, who)), table)
        alice, bob = Person(1, 101, "alice"), Person(2, 102, "bob")
        viewer = Viewer(1, "red", table.tenures, hosts=True, people={1: alice, 2: bob})
        view = see(table, viewer)
        dealt = api.Table(id=8)
        for dealing_command in (OpenTable("dealing", "Saturday", chance="lamp"), Sit("red")):
            dealt = api.replay(tuple(dealing_command.decide(dealt, caller)), dealt)
        names = dict[str, Any]()
        for namespace in NAMESPACES:
            names |= {name: getattr(namespace, name) for name in namespace.__all__}
        more = {"GAME": GAME, "own_seat": api.own_seat}
        more |= {"dataclass": dataclass, "ClassVar": ClassVar, "Literal": Literal, "re": re}
        yield {**names, **more, "table": table, "caller": caller, "view": view, "dealt": dealt}


@pytest.mark.parametrize("name", NAMES)
def test_each_name_has_an_example_that_holds(name: str, world: Mapping[str, Any]) -> None:
    parser = doctest.DocTestParser()
    example = parser.get_doctest(NAMES[name], {**world}, name, None, None)
    assert example.examples, f"{name} has no example in its docstring"
    assert re.search(
        rf"\b{name.rpartition('.')[2]}\b", "".join(each.source for each in example.examples)
    ), name
    assert not NAMES[name].startswith(">>>"), f"the docstring of {name} begins with what it is"
    if any(UNDER_WAY.search(each.source) for each in example.examples):
        for each in example.examples:
            compile(each.source, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        return
    if name.startswith(for_cogs.__name__):
        example.globs.update({each: getattr(for_cogs, each) for each in for_cogs.__all__})
    told: list[str] = []
    failed = doctest.DocTestRunner(verbose=False).run(example, out=told.append).failed
    assert not failed, "".join(told)


def test_a_namespace_names_what_it_imports() -> None:
    for namespace in NAMESPACES:
        own = {name for name in vars(namespace) if not name.startswith("_")} - {"annotations"}
        assert {*namespace.__all__} <= own, namespace.__name__
        assert sorted(namespace.__all__) == sorted({*namespace.__all__}), namespace.__name__
