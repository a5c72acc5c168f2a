"""Tests that commands keep no invisible characters."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from bot.games.advciv import GAME as ADVCIV
from bot.games.ti4 import GAME as TI4
from bot.rules import engine
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command, cleaned
from bot.rules.entries import Entry, split
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.seats import Sit
from bot.rules.features.tables import Again, OpenTable
from bot.rules.model.goods import Goods
from bot.rules.vocabulary import CORE

UNSEEN = "\u202e\u200b\u2066\x00\x1b\ue000\u3164\ud800"
DIRTY, CLEAN = f"{UNSEEN}te{UNSEEN}xt", "text"

COMMANDS = sorted(
    {*CORE.commands, *TI4.features.commands, *ADVCIV.features.commands},
    key=lambda kind: f"{kind.__module__}.{kind.__name__}",
)


def made(wanted: Any, text: str) -> Any:
    """Return a value of a field's type, with this text wherever the type has room for one."""
    origin, args = get_origin(wanted), get_args(wanted)
    if origin in (Union, types.UnionType):
        return made(next(arg for arg in args if arg is not type(None)), text)
    if origin is Literal:
        return text  # nothing stops a forged one before the rules
    if origin is tuple:
        return (made(args[0], text),)
    if origin is not None and issubclass(origin, Mapping):
        return {made(args[0], text): made(args[1], text)}
    # what an earlier table had was cleaned there, hence no text in Again
    goods = Goods({f"planet:{text}": 2})
    simple = {str: text, Goods: goods, int: 1, bool: True, Again: None}
    assert wanted in simple, f"{wanted}: say here and in bot.rules.commands what text it may hold"
    return simple[wanted]


def test_every_text_of_every_command_is_cleaned(subtests: pytest.Subtests) -> None:
    for kind in COMMANDS:
        with subtests.test(kind.__name__):
            hints = get_type_hints(kind)
            dirty, clean = {}, {}
            for field in fields(kind):
                dirty[field.name] = made(hints[field.name], DIRTY)
                clean[field.name] = made(hints[field.name], CLEAN)
            command = kind(**clean)
            assert cleaned(kind(**dirty)) == command
            assert cleaned(command) is command


def test_goods_that_become_the_same_are_added_up() -> None:
    goods = Goods({"planet:A\u200b": 1, "planet:A": 2})
    assert cleaned(SetHoldings("sol", goods)) == SetHoldings("sol", Goods({"planet:A": 3}))


def test_no_entry_holds_what_nobody_sees() -> None:
    opened = _decided([], OpenTable("ti4", f"Fri{UNSEEN}day\n### Done"))
    seated = [*opened, *_decided(opened, Sit("hacan"))]
    asked = _decided(seated, PostOffer(None, Goods({f"planet:Arr{UNSEEN}etze": 1}), terms=DIRTY))
    told = repr([split(entry) for entry in (*seated, *asked)])
    assert not any(repr(letter)[1:-1] in told for letter in UNSEEN)
    assert "Friday ### Done" in told, "a table's name is one line"


def _decided(before: list[Entry], command: Command) -> list[Entry]:
    return list(engine.decide(replay(before), command, Caller(person=1)))
