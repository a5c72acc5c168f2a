"""Tests that long texts are refused before anything reads them, and that no text is slow to
read.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.delivery import render_form
from bot.rules.features.deals import TERMS_MAX
from bot.rules.model.text import TYPED_MAX, characters
from bot.show.actions import BrowseOffers, PostForm
from bot.show.custom_ids import encode
from bot.show.forms import Form, Text
from cogs.fair_use import FairUse
from cogs.tree import Tree
from tests.cogs.conftest import evening_on
from tests.cogs.evening import Evening
from tests.cogs.test_completion import options
from tests.forged.payloads import COMMAND, COMPONENT, FORM, GROUP, SUBCOMMAND, TYPING, Forged, Json
from tests.forged.playing import GAMES, Forging, begin
from tests.scale import SCALE, variants

OURS = tuple(str(Path(__file__).parents[2] / folder) for folder in ("bot", "cogs", "data"))

REFUSED_WITHIN, READ_WITHIN = 1_000, 220_000
"""The most calls of our functions that a refused text may take, and one that is read and
answered.
"""

PIECES = (
    "\ufdfa",
    " ",
    " <@",
    ",",
    "a,",
    "1(",
    "\U0001f469e\u0301",
    "1 tg and ",
    "peace and a of ",
    "sol's ",
    "3 salt ",
    "half my ",
    "pn: ",
    "captured ",
    "ceasfire ",
    "tgx2 for ",
    "qwertyuiop ",
)
"""What the texts are made of: letters that stand for several, and what the parsers split at or look
for.
"""


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count the calls of our own functions and the steps of our generators, in this thread."""
    calls = [0]

    def called(frame: FrameType, event: str, arg: object) -> None:
        if (
            event == "call"
            and frame.f_code.co_filename.startswith(OURS)
            and "delivery" not in frame.f_code.co_filename
        ):
            calls[0] += 1

    sys.setprofile(called)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def typed(type: int, command: app_commands.Command[Any, ..., Any], *values: Json) -> Forged:
    """Return a command with these options, or a completion of the last of them."""
    name, *below = command.qualified_name.split()
    inside = list(values)
    for place, word in enumerate(reversed(below)):
        inside = [{"name": word, "type": GROUP if place else SUBCOMMAND, "options": inside}]
    data = {"id": "1", "name": name, "type": 1, "options": inside}
    return Forged(
        type, data, impossible=True, what=f"{command.qualified_name} {values[-1]['name']}"
    )


def option(parameter: app_commands.Parameter, value: str) -> Json:
    return {"name": parameter.display_name, "type": parameter.type.value, "value": value}


def texts(
    evening: Evening,
) -> Iterator[tuple[app_commands.Command[Any, Any, Any], app_commands.Parameter]]:
    """Yield the options of all commands into which text is typed."""
    kind = discord.AppCommandOptionType.string
    for command, each in options(evening):
        if each.type is kind and not each.choices:
            yield command, each


def answer(evening: Evening) -> Json:
    """Return the one response since the last time."""
    [one] = [one.json for one in evening.requests("POST", "callback")]
    assert one is not None
    return dict(one)


@pytest.fixture
async def forging(evening: Evening) -> Forging:
    await begin(evening, "ti4")
    evening.bot.answers.fair_use = FairUse(None)
    evening.requests()
    return Forging(evening, random.Random(1))


async def refused(forging: Forging, forged: Forged, length: int, most: int = TYPED_MAX) -> None:
    """Fail unless the text is refused with its length and the limit, unread, or gets no choices."""
    with counted() as calls:
        await forging.one(forged)
    assert forging.found == []
    assert calls[0] < REFUSED_WITHIN, forged.what
    said = answer(forging.evening)
    if forged.type == TYPING:
        assert said == {"type": 8, "data": {"choices": []}}, forged.what
    else:
        assert f"That is {length} characters long" in said["data"]["content"], forged.what
        assert f"Use at most {most}." in said["data"]["content"]


# ---------------------------------------------------------------- too long


@pytest.mark.slow
async def test_a_text_that_is_too_long_is_refused_unread_wherever_it_is_typed(
    forging: Forging,
) -> None:
    tried = 0
    for command, each in texts(forging.evening):
        for piece in ("\ufdfa", "1,") if SCALE == 1 else ("\ufdfa", " ", "<@", "1,"):
            value = option(each, (piece * 6000)[:6000])
            await refused(forging, typed(COMMAND, command, value), 6000)
            await refused(forging, typed(TYPING, command, value | {"focused": True}), 6000)
            tried += 1
    assert tried > 100
    forging.close()


async def test_so_is_one_beside_the_option_that_is_completed(forging: Forging) -> None:
    [post] = [
        each
        for each in forging.evening.bot.tree.walk_commands()
        if each.qualified_name == "offer post"
    ]
    assert isinstance(post, app_commands.Command)
    beside = {"name": "want", "type": 3, "value": "x" * (TYPED_MAX + 1)}
    await refused(
        forging,
        typed(TYPING, post, beside, {"name": "give", "type": 3, "value": "1", "focused": True}),
        401,
    )
    forging.close()


def _written(field: str, length: int) -> Json:
    return {"type": 4, "custom_id": field, "value": "\ufdfa" * length}


@pytest.mark.parametrize(
    ("most", "component"),
    [
        (601, {"type": 18, "component": _written("terms", 4000)}),
        (601, {"type": 1, "components": [_written("terms", 4000)]}),
        (TYPED_MAX, {"type": 18, "component": _written("give", 4000)}),
        (4000, {"type": 18, "component": _written("text", 4001)}),
        (
            TYPED_MAX,
            {
                "type": 18,
                "component": {"type": 3, "custom_id": "also", "values": ["a", " " * 4000]},
            },
        ),
    ],
)
async def test_so_is_one_in_any_field_of_a_form(
    forging: Forging, most: int, component: Json
) -> None:
    data = {"custom_id": encode(PostForm(1, 0, 0)), "components": [component]}
    length = 4001 if most == 4000 else 4000
    await refused(forging, Forged(FORM, data, impossible=True, what="form"), length, most)
    forging.close()


async def test_so_is_a_value_of_a_select(forging: Forging) -> None:
    data = {"component_type": 3, "custom_id": encode(BrowseOffers(1)), "values": [" " * 6000]}
    await refused(forging, Forged(COMPONENT, data, impossible=True, what="select"), 6000)
    forging.close()


async def test_letters_that_stand_for_several_count_as_those(forging: Forging) -> None:
    for command, each in texts(forging.evening):
        if command.qualified_name in ("audit ledger", "deal propose"):
            value = option(each, "\ufdfa" * TYPED_MAX)
            await refused(forging, typed(COMMAND, command, value), TYPED_MAX * 18)
            await refused(
                forging, typed(TYPING, command, value | {"focused": True}), TYPED_MAX * 18
            )
    forging.close()


def test_what_people_write_is_not_longer_than_it_looks() -> None:
    for text in (
        "é" * 400,
        "e\u0301" * 200,
        "각" * 400,
        "👩\u200d🚀" * 100,
        "ữ" * 400,
        "1 tg, " * 60,
    ):
        assert characters(text) <= TYPED_MAX
    assert characters("ﷺ" * 23) > TYPED_MAX
    assert characters("x" * 401) == 401


# ---------------------------------------------------------------- what the options and fields take


async def test_discord_lets_nobody_type_more_into_an_option(evening: Evening) -> None:
    """Of both games and the core; and of commands from anywhere else, since the tree sees to it."""
    found = list(texts(evening))
    assert len(found) > 50
    for command, each in found:
        assert 0 < (each.max_value or 0) <= TYPED_MAX, f"{command.qualified_name} {each.name}"


async def test_an_option_of_any_game_has_the_limit_too() -> None:
    group = app_commands.Group(name="fair", description="A fair")
    inner = app_commands.Group(name="stall", description="A stall", parent=group)

    @inner.command(description="Call")
    async def call(
        interaction: discord.Interaction,
        words: str,
        more: app_commands.Range[str, 1, 6000],
        short: app_commands.Range[str, 2, 60],
        many: app_commands.Range[int, 1, 6000],
    ) -> None: ...

    @app_commands.command(description="Shout")
    async def shout(interaction: discord.Interaction, words: str | None) -> None: ...

    tree = Tree(discord.Client(intents=discord.Intents.none()))
    tree.add_command(group)
    tree.add_command(shout)
    assert [each.max_value for each in call.parameters] == [TYPED_MAX, TYPED_MAX, 60, 6000]
    assert [each.max_value for each in shout.parameters] == [TYPED_MAX]
    assert shout.to_dict(tree)["options"][0]["max_length"] == TYPED_MAX


def test_a_field_of_a_form_takes_no_more() -> None:
    form = Form(
        "A form",
        PostForm(1, 0, 0),
        (Text("a", "A", "x" * 900, max_length=4000), Text("b", "B", max_length=9)),
    )
    first, second = (each["component"] for each in render_form(form).to_dict()["components"])
    assert (first["max_length"], len(first["value"]), second["max_length"]) == (
        TYPED_MAX,
        TYPED_MAX,
        9,
    )


def test_terms_of_both_kinds_fit_into_their_field() -> None:
    words = f"{'a' * TERMS_MAX}\n{'b' * TERMS_MAX}"
    form = Form("A form", PostForm(1, 0, 0), (Text("terms", "Terms", words, max_length=601),))
    [field] = (each["component"] for each in render_form(form).to_dict()["components"])
    assert field["value"] == words


# ---------------------------------------------------------------- what is read


@pytest.mark.slow
@pytest.mark.parametrize("game", variants(*GAMES))
async def test_what_is_read_takes_little_work_whatever_is_typed(tmp_path: Path, game: str) -> None:
    async with evening_on(f"sqlite:///{tmp_path / 'bourse.db'}") as evening:
        await begin(evening, game)
        evening.bot.answers.fair_use = FairUse(None)
        forging, work = Forging(evening, random.Random(1)), dict[str, int]()
        for place, (command, each) in enumerate(texts(evening)):
            # In `make test` the pieces take turns, each at several options.
            pieces = PIECES if SCALE > 1 else PIECES[place % len(PIECES) :][:1]
            for piece in pieces:
                text = (piece * TYPED_MAX)[: int(each.max_value or TYPED_MAX)]
                if characters(text) > TYPED_MAX:
                    text = piece * (TYPED_MAX // characters(piece))
                value = option(each, text)
                for way in (COMMAND, TYPING) if each.autocomplete else (COMMAND,):
                    focused = {"focused": True} if way == TYPING else {}
                    forged = typed(way, command, value | focused)
                    with counted() as calls:
                        await forging.one(Forged(forged.type, forged.data, what=forged.what))
                    work[f"{way} {forged.what} {piece!r}"] = calls[0]
        forging.close()
        assert forging.found == []
        assert len(work) > 70
        most = sorted(work.items(), key=lambda each: -each[1])
        assert [each for each in most if each[1] > READ_WITHIN] == [], most[:5]
