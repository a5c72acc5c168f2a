"""Twilight Imperium 4 as the core sees it: its names, and that everything it lists is there."""

from __future__ import annotations

from typing import Literal, get_origin, get_type_hints

import pytest

from bot.rules.commands import Command
from bot.rules.entries import Entry, Recorded, split
from bot.rules.games.ti4 import GAME, commands
from bot.rules.games.ti4.entries import (
    AgendaResolved,
    AgendaRevealed,
    CombatBegun,
    CombatEnded,
    CommoditiesGained,
    Converted,
    NeighborsClaimed,
    NeighborsDenied,
    NeighborsJoined,
    NeighborsParted,
    NoteAsked,
    NotePlayed,
    NoteReturned,
    OrderSet,
    PassUndone,
    PermitGranted,
    ReplenishAsked,
    Replenished,
    RequestDenied,
    TurnEnded,
    TurnPassed,
    TurnStarted,
)
from bot.rules.games.ti4.state import Permit
from bot.rules.model.actions import Action
from bot.rules.model.goods import Goods
from bot.rules.model.seats import Change
from bot.rules.registry import check
from bot.rules.visibility import see_entry
from bot.rules.vocabulary import read_entry
from tests.rules.games.ti4.tables import everybody_at, table_of

NOTE = "note:ceasefire:hacan"
CARD = Goods({NOTE: 1})


def sample(entry: Entry, seats: str, sentence: str) -> tuple[Entry, set[str], str]:
    return entry, set(seats.split()), sentence


ENTRIES = [
    sample(TurnStarted(seat="sol", window=3), "sol", "It is <player:sol>'s turn."),
    sample(TurnEnded(seat="sol", window=4), "sol", "<player:sol>'s turn is over."),
    sample(
        TurnStarted(seat="sol", window=3, again=True, used=(("hacan", "sol"),)), "sol",
        "It is <player:sol>'s turn again, the same one; who has traded in it has had their transaction [94.1].",
    ),
    sample(TurnStarted(seat="sol", window=3, again=True), "sol", "It is <player:sol>'s turn again, the same one."),
    sample(TurnPassed(seat="sol"), "sol", "<player:sol> passes."),
    sample(
        TurnPassed(seat="sol", stays=True), "sol",
        "<player:sol> passes. Their turn stays open for a last transaction [94.1.1], until they end it.",
    ),
    sample(PassUndone(seat="sol", passed=()), "sol", "The host takes it back: <player:sol> has not passed."),
    sample(
        PassUndone(seat="sol", passed=(), reopens=True), "sol",
        "The host takes it back: <player:sol> has not passed, and the action phase goes on.",
    ),
    sample(OrderSet(order=("sol", "hacan")), "", "They play in this order: <player:sol>, <player:hacan>."),
    sample(
        CombatBegun(first="sol", second="hacan"), "sol hacan",
        "⚔️ <seat:sol> and <seat:hacan> fight in the active system; meanwhile they can trade.",
    ),
    sample(CombatEnded(), "", "The combat is over."),
    sample(
        AgendaRevealed(title="", window=1), "",
        "An agenda is revealed. Each pair may trade once, neighbours or not [94.6]."
    ),
    sample(
        AgendaRevealed(title="", window=1, replaces=True), "",
        "The agenda is replaced. Each pair may trade once, neighbours or not [94.6].",
    ),
    sample(
        AgendaRevealed(title="", window=1, in_turn=True), "",
        "An agenda is revealed. It is voted on within this turn and brings no transactions of its own [94.6].",
    ),
    sample(AgendaResolved(title="", window=2), "", "The agenda is resolved."),
    sample(
        NeighborsClaimed(seat="sol", other="hacan"), "sol hacan", "<seat:sol> said to be <seat:hacan>'s neighbour."
    ),
    sample(
        NeighborsDenied(seat="sol", other="hacan"), "sol hacan", "<seat:sol> said not to be <seat:hacan>'s neighbour."
    ),
    sample(
        NeighborsJoined(first="sol", second="hacan"), "sol hacan", "<seat:sol> and <seat:hacan> are neighbours now."
    ),
    sample(
        NeighborsParted(first="sol", second="hacan"), "sol hacan",
        "<seat:sol> and <seat:hacan> are no longer neighbours.",
    ),
    sample(Replenished(seat="sol", amount=1), "sol", "<player:sol> replenishes **1 commodity**."),
    sample(Replenished(seat="sol", amount=0), "sol", "<player:sol> replenishes **nothing**."),
    sample(
        Replenished(seat="sol", amount=1, by_host=True), "sol",
        "<player:sol> replenishes **1 commodity**, as the host says.",
    ),
    sample(
        ReplenishAsked(seat="sol", other="hacan"), "sol hacan", "<seat:sol> lets <seat:hacan> replenish, who is asked."
    ),
    sample(RequestDenied(seat="hacan", other="sol"), "sol hacan", "<seat:hacan> does not replenish now."),
    sample(
        Converted(seat="sol", amount=2), "sol", "<player:sol> turns **2** of their commodities into trade goods."
    ),
    sample(CommoditiesGained(seat="sol", amount=2), "sol", "<player:sol> gains **2 commodities**."),
    sample(
        NotePlayed(
            seat="sol", note=NOTE, stays=False, changes={"sol": Change(lost=CARD), "hacan": Change(gained=CARD)}
        ),
        "sol hacan", "<player:sol> plays **Hacan's Ceasefire<beside:hacan>**, and it goes back to its owner.",
    ),
    sample(
        NotePlayed(seat="sol", note=NOTE, stays=True, changes={"sol": Change(gained=Goods({"trade_good": 2}))}), "sol",
        "<player:sol> plays **Hacan's Ceasefire<beside:hacan>**, and it stays in play. They receive **2 trade goods**.",
    ),
    sample(
        NoteReturned(seat="sol", note=NOTE, said_by="sol"), "sol",
        "<player:sol> gives **Hacan's Ceasefire<beside:hacan>** back to its owner.",
    ),
    sample(
        NoteAsked(seat="hacan", other="sol", note="ceasefire"), "sol hacan",
        "<seat:hacan> asks <seat:sol> for **Hacan's Ceasefire<beside:hacan>** back.",
    ),
    sample(RequestDenied(seat="sol", other="hacan", note="ceasefire"), "sol hacan", "<seat:sol> keeps it."),
    sample(
        NoteReturned(seat="sol", note=NOTE), "sol",
        "The host has **Hacan's Ceasefire<beside:hacan>** go back from <seat:sol> to its owner.",
    ),
    sample(
        PermitGranted(permit=Permit(number=1, pair=("hacan", "sol"), lifts="limit", once=True, reason="")), "sol hacan",
        "The host allows <seat:hacan> and <seat:sol> for one trade: they may trade once more. \ue000\ue001",
    ),
]  # fmt: skip


def test_every_kind_of_entry_has_a_sample() -> None:
    assert {type(entry) for entry, _, _ in ENTRIES} == set(GAME.info.entries)


@pytest.mark.parametrize(("entry", "seats", "sentence"), ENTRIES)
def test_an_entry_is_stored_read_again_and_narrated(entry: Entry, seats: set[str], sentence: str) -> None:
    assert read_entry(*split(entry)) == entry
    assert entry.seats() == seats
    view = see_entry(Recorded(1, 1, 0, 1, entry, ""), everybody_at(table_of()), "ti4")
    assert GAME.commands.narrate(view) == sentence


def test_a_permit_is_the_subject_of_its_entry() -> None:
    permit = Permit(number=7, pair=("hacan", "sol"), lifts="limit", once=True, reason="")
    assert PermitGranted(permit=permit).subject() == "permit:7"


def test_its_names_are_its_own() -> None:
    check(GAME, [])


def test_every_command_has_a_handler() -> None:
    kinds = {
        kind
        for kind in vars(commands).values()
        if isinstance(kind, type) and issubclass(kind, Command) and kind.__module__ == commands.__name__
    }
    assert kinds == set(GAME.commands.handlers)


@pytest.mark.parametrize("action", GAME.info.actions)
def test_actions_have_fields_that_a_custom_id_can_hold(action: type[Action]) -> None:
    for kind in (kind for name, kind in get_type_hints(action).items() if name != "name"):
        assert kind in (int, str, bool) or get_origin(kind) is Literal


def test_the_rehearsal_can_be_set_up() -> None:
    rehearsal = GAME.info.rehearsal
    assert rehearsal is not None
    seats = [each.seat for each in rehearsal.seats.values()]
    for each in rehearsal.seats.values():
        assert GAME.seats.find(each.seat)
        assert GAME.goods.read(each.goods, seats, each.seat, {})


def test_its_example_is_understood() -> None:
    assert GAME.goods.read(GAME.info.example, ["sol"], "sol", {}) == Goods({"trade_good": 2, "commodity": 1})


@pytest.mark.parametrize("number", GAME.info.rule_numbers.values())
def test_the_rules_it_cites_are_in_its_rulebook(number: str) -> None:
    assert number in GAME.info.rulebook()
