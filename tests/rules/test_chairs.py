"""Tests of who may take and free a seat: not who knows another hand."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from bot.games.advciv.cards import box
from bot.games.advciv.drawing import DrawCards
from bot.games.ti4.boxes import start
from bot.rules.commands import Caller, Command
from bot.rules.features.audits import Audit, What
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.violation import Refused, SecretViolation, Violation
from bot.rules.viewers import person_viewer
from bot.testing.world import EVERYONE, Ask, World
from tests.games.ti4.machine import opened
from tests.plugin.bazaar.bourse_bazaar import GAME as BAZAAR
from tests.plugin.bazaar.installing import installed, point

LOOKS: tuple[What, ...] = ("ledger", "player", "holdings", "export")


def refusal(world: World, by: int, command: Command, *, moderator: bool = False) -> Violation:
    with pytest.raises(Refused) as refused:
        world.ask(Ask(command, Caller(by, moderator=moderator)))
    return refused.value.violation


def moderates(world: World, person: int, command: Command) -> None:
    world.ask(Ask(command, Caller(person, moderator=True)))


def free_seat(world: World) -> str:
    return next(seat for seat in ("nomad", "titans", "argent") if seat not in world.table.seats)


def test_one_may_go_back_to_the_seat_one_left_last_and_to_no_earlier_one() -> None:
    world = opened(3, Random(1))
    first, fresh = world.seat(2), free_seat(world)
    world.do(2, Leave())
    world.do(2, Sit(first))
    world.do(2, Leave())
    world.do(2, Sit(fresh))
    world.do(2, Leave())
    assert "another seat at this table" in refusal(world, 2, Sit(first)).reason
    world.do(2, Sit(fresh))


def test_where_nothing_is_hidden_chairs_are_free() -> None:
    with installed(point(BAZAAR)):
        world = World()
        world.do(1, OpenTable("bazaar"))
        for person, seat in ((1, "red"), (2, "green")):
            world.do(person, Sit(seat))
        world.do(1, Leave("green"))
        world.do(1, Leave())
        moderates(world, 9, Audit("ledger"))
        world.do(1, Sit("green"))
        world.do(9, Sit("red"))
        assert (world.seat(1), world.seat(9)) == ("green", "red")


@pytest.mark.parametrize("what", LOOKS)
def test_who_has_looked_sits_nowhere(what: What) -> None:
    """Not in a seat that nobody has played either, and not by another's hand."""
    world = opened(3, Random(1))
    fresh = free_seat(world)
    moderates(world, 9, Audit(what, 2))
    assert "You have looked" in refusal(world, 9, Sit(fresh)).reason
    assert "<person:9> has looked" in refusal(world, 1, Sit(fresh, 9)).reason
    moderates(world, 8, Audit("verify"))
    world.do(1, Sit(fresh, 8))


@pytest.mark.parametrize("person", [1, 9], ids=["host", "moderator"])
@pytest.mark.parametrize("table", ["ti4", "advciv, dealt", "advciv, real cards"])
def test_who_sets_a_hand_has_looked_before(table: str, person: int) -> None:
    """To a host without a seat, or a moderator, every refusal is the same."""
    game = table.partition(",")[0]
    world, goods = _played(game, dealt=table == "advciv, dealt")
    ask = Caller(person, moderator=person != 1)
    told = set()
    for seat in world.table.seated():
        for named in goods:
            refused = world.tries(Ask(SetHoldings(seat, named), ask))
            assert isinstance(refused, Refused)
            told.add((refused.violation, len(refused.options)))
    assert len(told) == 1
    assert not world.table.looked
    world.ask(Ask(Audit("holdings", 2), ask))
    world.ask(Ask(SetHoldings(world.seat(2), goods[0]), ask))
    free = next(seat for seat in FREE[game] if seat not in world.table.seats)
    assert "You have looked" in refusal(world, person, Sit(free)).reason


def _played(game: str, *, dealt: bool) -> tuple[World, list[Goods]]:
    """Return a table whose host has no seat, and hands: possible, all there is, and nothing."""
    world = World()
    world.do(1, OpenTable(game))  # type: ignore[arg-type]
    for person, seat in zip((2, 3, 4), FREE[game], strict=False):
        world.do(person, Sit(seat))
    if game == "ti4":
        notes = [Goods.of(start(seat).of_kind("note")) for seat in world.table.seated()]
        return world, [notes[1], sum(notes, NOTHING)]
    if dealt:
        for seat in world.table.seated():
            world.do(1, DrawCards(3, seat))
    one_salt = Goods({"commodity:salt": 1})
    all_salt = Goods({"commodity:salt": box()["commodity:salt"]})
    return world, [NOTHING, one_salt, all_salt, box()]


FREE: Mapping[str, tuple[str, ...]] = {
    "ti4": ("hacan", "sol", "letnev", "nomad"),
    "advciv": ("egypt", "crete", "italy", "babylon"),
}


def test_what_lies_open_anybody_who_runs_the_table_sets() -> None:
    """And it costs nothing, also where the same command could set what is hidden."""
    world, _ = _played("ti4", dealt=False)
    world.do(1, SetHoldings("sol", Goods({"trade_good": 3})))
    moderates(world, 9, SetHoldings("sol", Goods({"trade_good": 4, "planet:Arretze": 1})))
    world.do(1, Sit("nomad"))
    assert not world.table.looked


def test_a_refusal_that_would_tell_a_hand_reaches_nobody_who_has_not_looked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even if nothing stopped them before."""
    world, _ = _played("advciv", dealt=True)
    too_much = SetHoldings("crete", box())
    moderates(world, 9, Audit("holdings", 2))
    assert "not in the stacks" in refusal(world, 9, too_much, moderator=True).reason
    monkeypatch.setattr("bot.rules.features.holdings.require_look", lambda *_: None)
    with pytest.raises(SecretViolation):
        moderates(world, 8, too_much)


def test_hands_open_to_the_very_person_whose_look_is_recorded() -> None:
    world = opened(3, Random(1))
    looks = {}
    for person, what in ((9, "ledger"), (8, "verify"), (1, "ledger")):
        moderates(world, person, Audit(what))
        looks[person] = world.recorded[-1]
    for person in (9, 8, 7, 1):
        for look in (*looks.values(), world.recorded[0], None):
            seen = person_viewer(world.table, EVERYONE, Caller(person, moderator=True), look=look)
            assert seen.audits == (person == 9 and look is looks[9])
            assert not person_viewer(world.table, EVERYONE, Caller(person), look=look).audits
