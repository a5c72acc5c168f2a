"""Tests that after an update of the program, what was drawn before it is drawn anew, once."""

from __future__ import annotations

import pytest

from bot import app
from bot.delivery.desired import Board, encode
from bot.games.ti4 import board
from bot.games.ti4.turns import NextTurn
from bot.rules.commands import Press
from bot.rules.model.table import Table
from tests.cogs.evening import TABLE, Evening

OLD, NEW = f"do:{TABLE}:ti4.turn.next:::0", f"ti4.ask.next:{TABLE}:0:sol:"


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


async def test_a_start_of_the_same_version_draws_nothing(playing: Evening) -> None:
    await playing.stage.restart()
    playing.requests()
    await playing.stage.restart()
    assert playing.requests("PATCH") == []
