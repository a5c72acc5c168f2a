"""Tests of texts: what they say, what is wrong with them, and how they are written."""

from __future__ import annotations

import re
import tomllib
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.games.any import variant
from bot.games.any.book import Book
from bot.games.any.deeds import SetGoods, checked_all
from bot.games.any.definition import (
    TEXT_MAX,
    Definition,
    Good,
    definition_of,
    differences,
    merged,
    read,
    toml_value,
)
from bot.games.any.goods import Language
from bot.games.any.trade import trading_by
from bot.rules.game_checks import faults
from bot.rules.model.goods import Goods
from bot.rules.model.parts import part
from bot.rules.model.text import unquoted
from bot.rules.model.violation import Refused
from bot.testing.world import World
from data.any import presets
from tests.games.any.definitions import definition
from tests.games.any.machine import opened

PAGE = (Path(__file__).parents[3] / "docs" / "own-game.md").read_text(encoding="utf-8")

MARKET = 'name = "Market"\nseats = ["Ada", "Ben"]\n[goods]\nsalt = {}\n'


@pytest.mark.parametrize("name", presets())
def test_a_preset_is_a_game_and_is_written_as_it_was_read(name: str) -> None:
    found = checked_all(read(presets()[name]))
    assert definition_of(found.text()) == found
    assert len(presets()[name].splitlines()) <= 52


@pytest.mark.parametrize("seed", range(60))
def test_random_texts_make_whole_games(seed: int) -> None:
    found = definition(Random(seed))
    text = found.text()
    assert definition_of(text).text() == text
    game = variant(text)
    assert not list(faults(game, [], lambda other: ""))


def test_the_page_has_the_texts_of_the_presets() -> None:
    texts = dict(re.findall(r"<!-- data/any/(\w+)\.toml -->\n```toml\n(.*?)```", PAGE, re.DOTALL))
    assert texts == dict(presets())


def test_the_example_of_the_page_is_a_game() -> None:
    example = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
    assert len(example.splitlines()) <= 30
    assert checked_all(read(example)).name == "Harbour night"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = Market\n", "line 1"),
        (MARKET + "silk = { totl = 4 }\n", "Line 5"),
        (MARKET + "silk = { total = -4 }\n", "Line 5"),
        (MARKET + 'silk = { plural = "salt" }\n', "look alike"),
        (MARKET + '"salt, pepper" = {}\n', "is no name"),
        ('debts = "salt"\n' + MARKET + "debt = { numbered = 5 }\n", "I would not understand"),
        (MARKET + '[trade]\nwho = "evrybody"\n', "Line 6"),
        (MARKET + '[trade]\nwho = "pairs"\n', "who trades with whom"),
        (MARKET + "[trade]\nbell = 5\n", "which phase it ends"),
        (MARKET + "[bank]\nsilk = 4\n", "Try any, salt"),
        (MARKET + '[start]\nCleo = "1 salt"\n', "no seat or team"),
        (MARKET + '[start]\nall = "1 solt"\n', "salt"),
        (MARKET + '[rules]\nR10 = "Peace."\n', "R10"),
        ("x" * (TEXT_MAX + 1), "at most"),
        (MARKET.replace("[goods]", "[good]"), "Line 3, good: did you mean goods?"),
        (MARKET + "silk = 3\n", "Line 5, goods.silk: write in braces"),
        (MARKET + '[events]\nrain = "2 salt"\n', "Line 6, events.rain: write a line for each"),
        (MARKET.replace('["Ada", "Ben"]', '"Ada, Ben"'), "Line 2, seats: write names in brackets"),
        (MARKET.replace(', "Ben"', ""), "write at least 2"),
        (MARKET + "silk = { total = 5000 }\n", "write at most 999"),
        (MARKET + "[start]\nall = 5\n", "write a text in quotes"),
    ],
)
def test_what_is_wrong_is_told_with_what_would_work(text: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        checked_all(read(text), text)
    assert said in unquoted(str(refused.value))


def test_all_bounds_are_kept() -> None:
    letters = [f"{first}{second}" for first, second in product("abcdef", "uvwxyz")]
    seats = ", ".join(f'"Seat {each}"' for each in letters[:31])
    with pytest.raises(Refused, match="at most 30"):
        checked_all(read(f'name = "Crowd"\nseats = [{seats}]\n[goods]\nsalt = {{}}\n'))


def test_a_change_is_told_before_and_after() -> None:
    old = tomllib.loads(MARKET)
    new = merged(old, read('trade.gifts = false\nname = "Fair"'))
    assert list(differences(old, new)) == [
        'name: "Market" → "Fair"',
        "trade.gifts: none → false",
    ]
    assert merged(new, {"trade": {"gifts": ""}})["trade"] == {}


def test_goods_are_read_as_they_are_described() -> None:
    for seed in range(40):
        language = trading_by(definition(Random(seed)).text()).language
        goods = Goods({"g1:1" if language.kinds["g1"].numbered else "g1": 1})
        assert language.read(language.describe(goods)) == goods


def test_goods_are_renamed_wherever_a_text_names_them() -> None:
    for seed in range(40):
        world = opened(Random(seed), 3, begun=False)
        old = _played(world)
        first, *others = old.goods
        goods = {"pearl": _plain(old.goods[first]) | {"plural": ""}}
        for name in others:
            goods[name] = _plain(old.goods[name])
        world.do(1, SetGoods(toml_value(goods)))
        new = _played(world)
        assert list(new.goods) == ["pearl", *others]
        assert _given(new) == _given(old)
        assert list(new.bank.values()) == list(old.bank.values())


def _given(found: Definition) -> list[dict[str, Goods]]:
    """Return what a text gives at the beginning, and by each event."""
    language = Language(found)
    shares = (found.start, *found.events.values())
    return [language.given(each, found.seat_ids()) for each in shares]


def _plain(good: Good) -> dict[str, Any]:
    return good.model_dump(exclude_defaults=True, mode="json")


def _played(world: World) -> Definition:
    return definition_of(part(world.table, Book).text)
