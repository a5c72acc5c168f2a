"""Tests that after an update of the program, what was drawn before it is drawn anew, once."""

from __future__ import annotations

import json
import re

import pytest

from bot import app
from bot.delivery import render
from bot.delivery.desired import Board, encode
from bot.games.ti4 import board
from bot.games.ti4.turns import NextTurn
from bot.rules.commands import Press
from bot.rules.model.actions import Action
from bot.rules.model.stamps import Stamp
from bot.rules.model.table import Table
from bot.show import cards
from bot.show.custom_ids import encode as encode_action
from bot.show.custom_ids import stamp_on
from tests.cogs.evening import TABLE, Evening, pinged
from tests.cogs.test_buttons_of_1_0 import RECORDED

OLD, NEW = f"do:{TABLE}:ti4.turn.next:::0", f"ti4.ask.next:{TABLE}:0:sol:"


CUSTOM_ID = re.compile(r'"custom_id": "([^"]+)"')


def of_1_0_0(table: Table) -> Press:
    """Return what **End turn** carried in 1.0.0."""
    return Press(table.id, NextTurn())


async def board_of(playing: Evening) -> tuple[int, str]:
    """Return the number of the board's message, and what its buttons carry."""
    stored = await playing.bot.ledger.messages.of_table(TABLE)
    [life] = [each for each in stored if each.subject == encode(Board())]
    sent = playing.env.backend.get_message(playing.stage.channel.id, life.message_id)
    carried = []
    for row in sent.components:
        carried += [button["custom_id"] for button in row["components"]]
    return life.message_id, " ".join(carried)


async def test_a_board_of_1_0_0_gets_its_new_buttons_silently(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(board, "_next_turn", of_1_0_0)
        before.setattr(app, "__version__", "1.0.0 as it was")
        await playing.stage.restart()
        await playing.types("alice", "turn start", player="@bob")
        first, carried = await board_of(playing)
        assert OLD in carried
        messages = playing.channel()
        direct = playing.direct("bob")
    await playing.stage.restart()
    now, carried = await board_of(playing)
    assert now == first
    assert NEW in carried
    assert playing.channel() == messages
    assert playing.direct("bob") == direct


def as_1_0_0_wrote_it(action: Action, stamp: Stamp | None = None) -> str:
    """Return the custom_id that 1.0.0 made, as far as one is recorded that begins the same."""
    written = encode_action(action)
    for recorded in RECORDED:
        if f"{written}:".startswith(f"{recorded}:"):
            return recorded
    return written


def written_on(playing: Evening) -> dict[int, list[str]]:
    """Return the custom_ids on each message but the private answers, by the message's id."""
    found = {}
    for messages in playing.env.backend.messages.values():
        for message in messages.values():
            ids = CUSTOM_ID.findall(json.dumps(message.components))
            if ids and not message.is_ephemeral:
                found[message.id] = ids
    return found


async def test_all_that_lives_gets_stamps_by_one_edit_each(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(render, "encode", as_1_0_0_wrote_it)
        before.setattr(cards, "stamp_of", lambda *about: None)
        before.setattr(app, "__version__", "1.0.0 as it was")
        await playing.stage.restart()
        await playing.types("alice", "offer post", to="@bob", give="1 tg")
        deal = {"with": "@carol", "terms": "I stay", "when": "later"}
        await playing.types("bob", "deal propose", **deal)
        await playing.types("alice", "turn end")
        old = [id for id, ids in written_on(playing).items() if {*ids} <= {*RECORDED}]
    assert len(old) == 5, "the board, and two cards each of the offer and of the deal"
    messages = [*written_on(playing)]
    playing.requests()
    await playing.stage.restart()
    now, asked = written_on(playing), playing.requests()
    assert [*now] == messages
    for id in old:
        assert all(map(stamp_on, now[id])), now[id]
    edited = [request.path for request in asked if request.method == "PATCH"]
    assert len(edited) == len({*edited}) == len(old)
    assert pinged(asked) == []


async def test_a_start_of_the_same_version_draws_nothing(playing: Evening) -> None:
    await playing.stage.restart()
    playing.requests()
    await playing.stage.restart()
    assert playing.requests("PATCH") == []
