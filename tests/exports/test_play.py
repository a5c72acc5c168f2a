"""Tests of tables exported as plays: they end as the table did and show only what their reader may
know.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from random import Random

import pytest

from bot.exports import export
from bot.rehearsal.grammar import read_play
from bot.service import ExportSource
from tests.exports.replayed import kept, replayed, tables_of
from tests.exports.tables import lived, source
from tests.plays.played import HERE
from tests.scale import variants
from tests.show.playing import World

PLAYS = (
    "first_trade",
    "ti4/22_what_a_note_costs",
    "ti4/94.1_once_a_turn",
    "ti4/94.1_given_back",
    "offers/life",
    "offers/confirm_twice",
    "advciv/a_whole_trading_phase",
    "advciv/15.2_seed",
    "advciv/27.1_ties_in_ast_order",
    "advciv/27.4_host_who_plays",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYS)
def test_a_closed_table_ends_the_same_when_it_is_played_again(name: str, tmp_path: Path) -> None:
    tables = asyncio.run(tables_of(kept(HERE / f"{name}.play", tmp_path)))
    assert tables
    for was, ledger in tables:
        found = replayed(ledger, was, tmp_path / "again")
        assert found.report.ok, f"{found.report}\n{found.text}"
        assert not found.unlike, f"{found.unlike}\n{found.text}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(3)))
def test_a_random_evening_ends_the_same_when_it_is_played_again(seed: int, tmp_path: Path) -> None:
    world = lived(Random(seed), 120, closed=True)
    found = replayed(of(world), world.table, tmp_path)
    assert found.report.ok, f"{found.report}\n{found.text}"
    assert not found.unlike, f"{found.unlike}\n{found.text}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(3)))
def test_of_an_open_table_a_player_can_replay_what_they_know(seed: int, tmp_path: Path) -> None:
    world = lived(Random(seed), 120)
    person = next(n for n in world.people if world.table.seat_of(n) is not None)
    seat = world.seat(person)
    found = replayed(of(world, person), world.table, tmp_path)
    assert "# Not shown, since its reader may not see it: what" in found.text
    assert found.report.ok, f"{found.report}\n{found.text}"
    assert theirs(found.now.held, seat) == theirs(found.was.held, seat), found.text


@pytest.mark.parametrize("seed", variants(*range(3)))
def test_what_is_exported_is_a_play_and_names_nobody(seed: int) -> None:
    world = lived(Random(seed), 60)
    world.called({1: "Ottoline von Bern", 2: "sol", 3: "<@123456789>"})
    for person in (0, 1, 2):
        text = export("play", of(world, person)).decode()
        read_play(text)
        assert "Ottoline" not in text
        assert "123456789" not in text


def of(world: World, person: int = 0) -> ExportSource:
    """Return what a person may read of a table, or everybody for 0. What happened at one time is
    one command's.
    """
    made = source(world, world.viewer(person))
    sizes = {
        min(each.seq for each in some): len(some)
        for some in (list(g) for _, g in groupby(made.published, lambda each: each.at))
    }
    return replace(
        made, published=[replace(each, command_size=sizes.get(each.seq)) for each in made.published]
    )


def theirs(held: dict[tuple[str, str, str], int], seat: str) -> dict[tuple[str, str, str], int]:
    return {key: number for key, number in held.items() if key[0] == seat}
