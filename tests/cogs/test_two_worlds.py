"""Tests that two worlds that differ in two hands look the same to everybody else: the whole bot.

`tests/rules/test_noninterference.py` and `tests/rules/test_answers.py` show it of views and of
answers, over random tables. Here one evening of each game goes through commands, completions,
buttons, DMs, the log and the ledger. All viewers look at once: the host, who plays; a player; the
one who takes over that seat; a moderator who has not looked into hands; and one who only reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from discord import app_commands

from bot.rules.commands import Press
from bot.rules.features.tables import BeginClosing
from bot.show.actions import ForgetMe, RemoveTable, TurnHistory
from bot.show.custom_ids import decode
from tests.cogs.evening import ADVCIV_SEATS, SEATS, Typed, opened
from tests.cogs.two_worlds import Two, World, Worlds
from tests.scale import SCALE

HOST, PLAYER, COMER, MODERATOR, ONLOOKER = "alice", "dave", "frank", "gina", "henry"
VIEWERS = (HOST, PLAYER, COMER, MODERATOR, ONLOOKER)

SOME = VIEWERS if SCALE > 1 else (COMER, ONLOOKER)
"""Those who look around at the end, where the game is not the first: of the core they see the same.
"""

KNOWERS = ("bob", "carol")
"""The two whose hands differ between the worlds."""

SETTER = "ivan"
"""A moderator who says what hands hold; he has looked, so what he sees is not compared."""

Options = Mapping[str, str | Two[str]]
"""What is typed into the options of a command. A pair differs between the worlds."""

CEASEFIRE, AGREEMENT = "carol's ceasefire", "carol's trade agreement"
BOBS = (f"9 tg, {CEASEFIRE}", f"9 tg, {AGREEMENT}")

TI4: tuple[Typed, ...] = (
    *opened("ti4", *SEATS),
    ("ivan", "audit ledger", {}),
    ("alice", "holdings set", {"player": "@carol", "goods": "9 tg, 1 cultural fragment"}),
    ("alice", "holdings set", {"player": "@dave", "goods": "9 tg, 2 c"}),
    ("ivan", "holdings set", {"player": "@bob", "goods": BOBS}),
    ("alice", "neighbors join", {"first": "@bob", "second": "@carol"}),
    ("alice", "neighbors join", {"first": "@bob", "second": "@dave"}),
    ("alice", "turn start", {"player": "@bob"}),
    # In one world Bob is asked about the Trade Agreement, which nobody else may notice.
    ("carol", "commodities replenish", {}),
    ("dave", "offer post", {"to": "@bob", "give": "1 tg", "want": AGREEMENT}),
    ("bob", "offer decline", {"offer": "1"}),
    ("bob", "offer post", {"to": "@carol", "give": (CEASEFIRE, AGREEMENT), "want": "1 tg"}),
    ("carol", "offer accept", {"offer": "2"}),
    ("dave", "offer post", {"to": "@bob", "give": "1 tg", "want": "2 tg"}),
    ("bob", "offer accept", {"offer": "3"}),
    ("gina", "holdings set", {"player": "@bob", "goods": f"9 tg, {CEASEFIRE}, {AGREEMENT}"}),
    ("ivan", "holdings set", {"player": "@bob", "goods": BOBS}),
    ("alice", "note play", {"note": CEASEFIRE, "player": "@carol"}),
    ("alice", "holdings show", {"player": "@carol"}),
    ("dave", "negotiate open", {"with": "@bob"}),
    ("bob", "turn end", {}),
)

ADVCIV: tuple[Typed, ...] = (
    *opened("advciv", *ADVCIV_SEATS),
    ("ivan", "audit ledger", {}),
    ("bob", "holdings gain", {"goods": ("3 iron, 3 salt", "3 grain, 3 salt")}),
    ("carol", "holdings gain", {"goods": ("3 grain, 3 hide", "3 iron, 3 hide")}),
    ("dave", "holdings gain", {"goods": "3 ochre, papyrus"}),
    ("alice", "trading open", {"minutes": "60"}),
    (
        "bob",
        "offer post",
        {
            "to": "@carol",
            "give": ("3 iron", "3 grain"),
            "want": ("3 grain", "3 iron"),
            "hand": ("3 iron", "3 grain"),
        },
    ),
    ("dave", "offer post", {"to": "@bob", "give": "3 ochre", "want": "3 salt"}),
    ("bob", "offer accept", {"offer": "2"}),
    ("dave", "offer hand", {"offer": "2", "cards": "3 ochre"}),
    ("bob", "offer hand", {"offer": "2", "cards": "3 salt"}),
    ("carol", "offer accept", {"offer": "1"}),
    ("carol", "offer hand", {"offer": "1", "cards": ("3 grain", "3 iron")}),
    ("gina", "holdings set", {"player": "@bob", "goods": "3 iron, 3 grain"}),
    ("alice", "cards take", {"from": "@carol"}),
    ("dave", "negotiate open", {"with": "@bob"}),
    ("alice", "trading close", {}),
    ("alice", "calamities show", {"anyway": "yes"}),
)

GAME = """
name = "Night market"
seats = ["Ada", "Ben", "Cleo", "Dan"]
hand = 9
[goods]
salt = {}
gem = { plural = "gems", hidden = true, total = 5, most = 2 }
ore = { hidden = true, total = 1 }
map = { plural = "maps", hidden = true, numbered = 3 }
[start]
all = "gem, 3 salt"
[bank]
any = 2
[events]
rain = { all = "gem" }
"""
"""Hidden goods with limits: in one world two hands are over them, in the other those of two others
would be.
"""

ANY: tuple[Typed, ...] = (
    *opened("any", "Ada", "Ben", "Cleo", "Dan", also=[("alice", "any text", {"file": GAME})]),
    ("ivan", "audit ledger", {}),
    ("alice", "any begin", {}),
    ("bob", "holdings gain", {"goods": ("2 gems", "2 ore")}),
    ("carol", "holdings gain", {"goods": ("2 ore, map 1", "2 gems, map 2")}),
    ("dave", "holdings gain", {"goods": "map 1"}),
    ("dave", "offer post", {"to": "@bob", "give": "1 salt", "want": "1 gem"}),
    ("bob", "offer accept", {"offer": "1"}),
    ("dave", "offer post", {"to": "@bob", "give": "1 salt", "want": "2 gems"}),
    ("bob", "offer decline", {"offer": "2"}),
    ("bob", "offer post", {"to": "@carol", "give": ("gem", "ore"), "want": "1 salt"}),
    ("carol", "offer accept", {"offer": "3"}),
    ("carol", "any bank", {"give": ("2 ore", "2 gems"), "get": "1 salt"}),
    ("alice", "any event", {"name": "rain"}),
    ("alice", "any change", {"line": "goods.gem.most = 1"}),
    ("alice", "any change", {"line": "goods.map.numbered = 2"}),
    ("alice", "any use", {"preset": "market"}),
    ("bob", "holdings gain", {"goods": ("gem", "map 3")}),
    ("gina", "holdings set", {"player": "@bob", "goods": "5 salt"}),
    ("alice", "holdings show", {"player": "@carol"}),
    ("dave", "negotiate open", {"with": "@bob"}),
    ("alice", "any next", {}),
)

LOOKS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("offer list", {}),
    ("table show", {}),
    ("table say", {}),
    ("deal list", {}),
    ("debt list", {}),
    ("history", {"player": "@bob"}),
    ("holdings show", {"player": "@carol"}),
)

AUDITS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("audit ledger", {}),
    ("audit player", {"player": "@bob"}),
    ("audit verify", {}),
    ("audit export", {"format": "csv"}),
    ("audit export", {"format": "json"}),
)


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("steps", "viewers"),
    [(TI4, VIEWERS), (ADVCIV, SOME), (ANY, SOME)],
    ids=["ti4", "advciv", "any"],
)
def test_nobody_else_can_tell_what_two_hands_hold(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    steps: tuple[Typed, ...],
    viewers: tuple[str, ...],
) -> None:
    caplog.set_level("INFO", "bot")
    caplog.set_level("INFO", "cogs")
    worlds = Worlds(tmp_path, VIEWERS, caplog, (*KNOWERS, *VIEWERS), (MODERATOR, SETTER))
    try:
        for who, path, options in steps:
            types(worlds, who, path, options)
        assert differ(worlds)
        completes(worlds, PLAYER)
        presses(worlds)
        types(worlds, PLAYER, "table leave", {})
        [seat] = [step[2]["seat"] for step in steps if step[:2] == (PLAYER, "table sit")]
        types(worlds, COMER, "table sit", {"seat": seat})
        worlds.do("restart", lambda world: world.run(world.evening.stage.restart()))
        for who in viewers:
            for path, options in LOOKS if who != MODERATOR else LOOKS[:-1]:
                types(worlds, who, path, options)
        for path, options in AUDITS:
            types(worlds, HOST, path, options)
        assert differ(worlds)
        assert [table.transactions for table in worlds.tables()] == [2, 2]
    finally:
        worlds.close()


def types(worlds: Worlds, who: str, path: str, options: Options) -> None:
    """Have a command typed; it is allowed in both worlds, or refused in both."""
    one: dict[str, str] = {}
    other: dict[str, str] = {}
    for name, value in options.items():
        one[name], other[name] = (value, value) if isinstance(value, str) else value
    worlds.types(who, path, one, other)
    worlds.in_step()


def differ(worlds: Worlds) -> bool:
    one, other = worlds.tables()
    hands = [seat.holdings for seat in one.seats.values()]
    return hands != [seat.holdings for seat in other.seats.values()]


def completes(worlds: Worlds, who: str) -> None:
    """Ask for suggestions in every option of every command that has some."""
    for command in worlds.both[0].evening.bot.tree.walk_commands():
        if not isinstance(command, app_commands.Command):
            continue
        for option in command.parameters:
            if option.autocomplete:
                path, name = command.qualified_name, option.display_name
                worlds.do(
                    f"{who} begins {name} of /{path}",
                    partial(World.completes, who=who, path=path, option=name, typed="", filled={}),
                )


def presses(worlds: Worlds) -> None:
    """Press every button that a player and the host see and that only shows something.

    One presses the *Details* of every second entry, the other those of the rest.
    """
    for turn, who in enumerate((HOST, PLAYER)):
        one, other = (world.controls(who) for world in worlds.both)
        labels = [control.label for _, control in one]
        assert labels == [control.label for _, control in other], who
        for (first, control), (second, same) in zip(one, other, strict=True):
            still_there = (first, control) in worlds.both[0].controls(who)
            action = decode(control.custom_id)
            others = isinstance(action, TurnHistory) and action.until_seq % 2 != turn
            if still_there and control.is_button and not (others or isinstance(action, ACTS)):
                worlds.do(
                    f"{who} presses {control.label!r}",
                    partial(World.clicks, who=who, id=first, control=control, values=()),
                    partial(World.clicks, who=who, id=second, control=same, values=()),
                )


ACTS = (Press, BeginClosing, ForgetMe, RemoveTable)
"""What changes something."""
