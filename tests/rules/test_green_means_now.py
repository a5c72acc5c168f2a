"""Tests that a green button works now: at random tables, and in earlier mistakes."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.features.offers.posting import PostOffer
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Table
from bot.testing.buttons import green_means_now
from tests.games.advciv import machine as advciv
from tests.games.advciv.playing import cards, held
from tests.games.any import machine as any_game
from tests.games.ti4 import machine as ti4
from tests.games.ti4.tables import after, all_done, having, table_of
from tests.scale import SCALE, seeds

LETNEV, SOL, XXCHA = 1, 2, 3
PLAIN = having(table_of(("letnev", "sol", "xxcha")), "letnev", {"trade_good": 3})
JOINED = all_done(PLAIN, [JoinNeighbors("letnev", "sol"), StartTurn("letnev")])


def offered(table: Table, want: Goods = NOTHING) -> Table:
    return after(table, PostOffer("sol", Goods({"trade_good": 1}), want), by=LETNEV)


def short_of_cards() -> Table:
    trading = held({1: "3 salt, iron", 2: "3 gold, oil"}).table
    return after(trading, PostOffer("crete", cards("2 salt, ?"), cards("2 iron, ?")), by=1)


def test_no_green_button_promises_too_much() -> None:
    third_players_turn = offered(after(JOINED, StartTurn("xxcha")))
    green_means_now(third_players_turn)
    agreed_ahead = after(third_players_turn, StartTurn("letnev"))
    green_means_now(agreed_ahead)
    short_of_goods = offered(JOINED, Goods({"commodity": 1}))
    green_means_now(short_of_goods)
    green_means_now(short_of_cards())


@pytest.mark.parametrize("seed", seeds(3 * SCALE))
@pytest.mark.parametrize("game", ["ti4", "advciv"])
def test_green_buttons_keep_their_word_at_random_tables(game: str, seed: int) -> None:
    dice = Random(seed)
    machine = ti4 if game == "ti4" else advciv
    world = machine.opened(4, dice)
    for _ in range(250):
        before = world.table
        world.tries(machine.MACHINE.any(world.table, dice))
        if world.table is not before:
            green_means_now(world.table)


@pytest.mark.parametrize("seed", seeds(2))
def test_green_buttons_keep_their_word_where_a_text_is_played(seed: int) -> None:
    dice = Random(seed)
    world = any_game.opened(dice, 4)
    for _ in range(120):
        before = world.table
        world.tries(any_game.made(world.table, dice))
        if world.table is not before:
            green_means_now(world.table)
