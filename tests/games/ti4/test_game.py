"""Twilight Imperium 4 as the core sees it: its names, and that everything it lists is there."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Literal, get_origin, get_type_hints

import pytest

from bot.games import ti4
from bot.games.ti4 import GAME
from bot.games.ti4.agendas import AgendaResolved, AgendaRevealed
from bot.games.ti4.boxes import NotesReprinted
from bot.games.ti4.colors import ColorSaid
from bot.games.ti4.combat import CombatBegun, CombatEnded, SystemActivated
from bot.games.ti4.commodities import CommoditiesGained, Converted, Replenished, TradeFollowed
from bot.games.ti4.counting import GoodsCounted
from bot.games.ti4.departures import Eliminated, FactionChanged
from bot.games.ti4.hand_limit import CardsDiscarded
from bot.games.ti4.losses import CommoditiesLost
from bot.games.ti4.neighbors import (
    NeighborsClaimed,
    NeighborsCleared,
    NeighborsDenied,
    NeighborsJoined,
    NeighborsParted,
    NeighborsSet,
)
from bot.games.ti4.note_gifts import NoteGiven
from bot.games.ti4.note_moments import MomentOverruled
from bot.games.ti4.note_returns import NoteReturned, NotesPutBack
from bot.games.ti4.note_shows import NotesShown
from bot.games.ti4.notes import NoteMovedWithPlanet, NotePlayed
from bot.games.ti4.permits import PermitGranted, PermitRevoked
from bot.games.ti4.pillage import (
    GainedByEffect,
    GivenByEffect,
    PillageAppealed,
    PillageAsked,
    PillageDenied,
    PillageSettled,
)
from bot.games.ti4.requests import NoteAsked, ReplenishAsked, RequestDenied
from bot.games.ti4.state import Permit
from bot.games.ti4.take_back import TakeBackAsked, TakeBackDenied, TradeTakenBack
from bot.games.ti4.trade_card import TradePlayed
from bot.games.ti4.turns import OrderSet, PassUndone, TurnEnded, TurnPassed, TurnStarted
from bot.rules.commands import Command
from bot.rules.entries import Entry, Recorded, split
from bot.rules.model.goods import Change, Goods
from bot.rules.registry import check
from bot.rules.visibility import see_entry
from bot.rules.vocabulary import read_entry
from tests.games.ti4.tables import everybody_at, table_of

NOTE = "note:ceasefire:hacan"
CARD = Goods({NOTE: 1})
SUPPORT = "note:support_for_the_throne:hacan"
DEALINGS = Permit(
    number=2, seats=("sol",), lifts=("goods",), once=True, reason="Dealings", components=("relic", "action_card"),
    until="window",
)  # fmt: skip
COMMERCE = Permit(number=3, seats=(), lifts=("neighbors", "commodities"), once=False, reason="Age")


def sample(entry: Entry, seats: str, sentence: str) -> tuple[Entry, set[str], str]:
    return entry, set(seats.split()), sentence


ENTRIES = [
    sample(
        TakeBackAsked(transaction=5, offer=7, seat="sol", other="hacan"), "sol hacan",
        "<seat:sol> asks <seat:hacan> to take back transaction 5, made by mistake.",
    ),
    sample(
        TakeBackDenied(transaction=5, offer=7, seat="hacan", other="sol"), "sol hacan",
        "<seat:hacan> keeps transaction 5 as it is.",
    ),
    sample(
        TradeTakenBack(transaction=5, offer=7, first="sol", second="hacan", counted=True), "sol hacan",
        "↩️ **<seat:sol> and <seat:hacan> took transaction 5 back.** Both have back what they gave. "
        "They can trade once more in this turn or agenda.",
    ),
    sample(TurnStarted(seat="sol", window=3), "sol", "It is <player:sol>'s turn."),
    sample(TurnEnded(seat="sol", window=4), "sol", "<player:sol>'s turn is over."),
    sample(
        TurnStarted(seat="sol", window=3, again=True, used=(("hacan", "sol"),)), "sol",
        "It is <player:sol>'s turn again, the same one; players who have traded in it can't trade again [94.1].",
    ),
    sample(TurnStarted(seat="sol", window=3, again=True), "sol", "It is <player:sol>'s turn again, the same one."),
    sample(TurnPassed(seat="sol"), "sol", "<player:sol> passes."),
    sample(
        TurnPassed(seat="sol", stays=True), "sol",
        "<player:sol> passes. Their turn stays open for a last transaction [94.1.1], until they end it.",
    ),
    sample(
        TurnPassed(seat="sol", stays=True, offers=(4,)), "sol",
        "<player:sol> passes. Offer 4 is open, so their turn stays open for a last transaction [94.1.1], until they "
        "end it.",
    ),
    sample(PassUndone(seat="sol", passed=()), "sol", "The host takes it back: <player:sol> has not passed."),
    sample(
        PassUndone(seat="sol", passed=(), reopens=True), "sol",
        "The host takes it back: <player:sol> has not passed, and the action phase goes on.",
    ),
    sample(OrderSet(order=("sol", "hacan")), "", "They play in this order: <player:sol>, <player:hacan>."),
    sample(
        CombatBegun(first="sol", second="hacan"), "sol hacan",
        "⚔️ <seat:sol> and <seat:hacan> are fighting in the active system. During the combat, they can trade.",
    ),
    sample(CombatEnded(), "", "The combat is over."),
    sample(
        SystemActivated(seat="sol", other="hacan"), "sol hacan",
        "<player:sol> activates a system with units of <seat:hacan>.",
    ),
    sample(
        NoteReturned(
            seat="sol", note=SUPPORT, after="activation", changes={"hacan": Change(gained=Goods({SUPPORT: 1}))}
        ),
        "sol hacan",
        "**Hacan's Support for the Throne<beside:hacan>** goes back from <seat:sol> to its owner, whose units are in "
        "the system that <seat:sol> activated. <seat:sol> loses 1 victory point.",
    ),
    sample(
        NotesPutBack(
            seat="sol", owner="hacan",
            changes={"sol": Change(entered_play=Goods({SUPPORT: 1})), "hacan": Change(lost=Goods({SUPPORT: 1}))},
        ),
        "sol hacan",
        "The host takes it back: <player:sol> has activated no system of <seat:hacan>. In play before them again: "
        "**Hacan's Support for the Throne<beside:hacan>**. They have 1 victory point back.",
    ),
    sample(
        AgendaRevealed(title="", window=1), "",
        "An agenda was revealed. Each pair may trade once, neighbours or not [94.6]."
    ),
    sample(
        AgendaRevealed(title="", window=1, replaces=True), "",
        "The agenda was replaced. Each pair may trade once, neighbours or not [94.6].",
    ),
    sample(
        AgendaRevealed(title="", window=1, in_turn=True), "",
        "An agenda was revealed. It is voted on within this turn and doesn't allow extra transactions [94.6].",
    ),
    sample(AgendaResolved(title="", window=2), "", "The agenda is resolved."),
    sample(
        NeighborsClaimed(seat="sol", other="hacan"), "sol hacan",
        "<seat:sol> said that they are <seat:hacan>'s neighbour."
    ),
    sample(ColorSaid(seat="sol", color="red"), "sol", "<player:sol> plays red."),
    sample(
        NeighborsCleared(parted=(("letnev", "sol"),)), "sol letnev", "Nobody is a neighbour of anybody yet."
    ),
    sample(
        NeighborsDenied(seat="sol", other="hacan"), "sol hacan",
        "<seat:sol> said that they are not <seat:hacan>'s neighbour."
    ),
    sample(
        NeighborsJoined(first="sol", second="hacan"), "sol hacan", "<seat:sol> and <seat:hacan> are neighbours now."
    ),
    sample(
        NeighborsParted(first="sol", second="hacan"), "sol hacan",
        "<seat:sol> and <seat:hacan> are no longer neighbours.",
    ),
    sample(
        NeighborsSet(seat="sol", order=("hacan",), joined=(("hacan", "sol"),), parted=(("letnev", "sol"),)),
        "sol hacan letnev",
        "<seat:sol>'s neighbours now: <seat:hacan>. New: <seat:hacan>. No longer: <seat:letnev>.",
    ),
    sample(
        NeighborsSet(order=("sol", "hacan", "letnev"), joined=(("hacan", "sol"),)), "sol hacan letnev",
        "Neighbours by the order of seats: <seat:sol> – <seat:hacan> – <seat:letnev> – <seat:sol>.",
    ),
    sample(Replenished(seat="sol", amount=1), "sol", "<player:sol> replenishes **1 commodity**."),
    sample(Replenished(seat="sol", amount=0), "sol", "<player:sol> replenishes **nothing**."),
    sample(
        Replenished(seat="sol", amount=1, by_host=True), "sol",
        "<player:sol> replenishes **1 commodity**, as the host says.",
    ),
    sample(
        Replenished(seat="sol", amount=1, let_by="hacan", effect="Carth"), "sol",
        "<player:sol> replenishes **1 commodity** by **\ue000Carth\ue001**, as <seat:hacan> says.",
    ),
    sample(
        ReplenishAsked(seat="sol", other="hacan"), "sol hacan",
        "<seat:sol> chooses <seat:hacan> for **Trade**. They replenish, at the latest when this turn ends [92.4.1].",
    ),
    sample(RequestDenied(seat="hacan", other="sol"), "sol hacan", "<seat:hacan> does not replenish now."),
    sample(
        Converted(seat="sol", amount=2), "sol", "<player:sol> turns **2** of their commodities into trade goods."
    ),
    sample(
        GoodsCounted(
            seat="sol", first=3, at=0, why=("turned",),
            changes={"sol": Change(lost=Goods({"commodity": 2}), gained=Goods({"trade_good": 2}))},
        ),
        "sol", "<player:sol> counts **+2 trade goods, −2 commodities (turned over)**.",
    ),
    sample(
        GoodsCounted(seat="sol", first=3, at=0, changes={"sol": Change()}), "sol",
        "<player:sol> counts **their goods: there are as many as before**.",
    ),
    sample(
        GoodsCounted(
            seat="sol", first=3, at=0, why=("replenished",), changes={"sol": Change(gained=Goods({"commodity": 2}))}
        ),
        "sol", "<player:sol> counts **+2 commodities (replenished)**.",
    ),
    sample(
        GoodsCounted(seat="sol", first=3, at=0, why=("replenished",), changes={"sol": Change()}), "sol",
        "<player:sol> counts **replenished, to as many as before**.",
    ),
    sample(
        TradePlayed(
            seat="sol", chosen=("hacan",),
            changes={"sol": Change(gained=Goods({"trade_good": 3, "commodity": 1}))},
        ),
        "sol hacan",
        "<player:sol> plays **Trade** and gains **3 trade goods, 1 commodity**. They choose <seat:hacan> to replenish "
        "too.",
    ),
    sample(
        TradeFollowed(seat="hacan", after="sol", amount=2, chosen=True), "hacan",
        "<player:hacan> replenishes **2 commodities**, as <seat:sol> chose them for **Trade**.",
    ),
    sample(
        TradeFollowed(seat="hacan", after="sol", amount=2, chosen=False), "hacan",
        "<player:hacan> replenishes **2 commodities**, with a token, after <seat:sol>'s **Trade**.",
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
        NoteReturned(seat="sol", note=NOTE, after="status", changes={"hacan": Change(gained=CARD)}), "sol hacan",
        "**Hacan's Ceasefire<beside:hacan>** goes back from <seat:sol> to its owner, because the status phase is over.",
    ),
    sample(
        MomentOverruled(seat="sol", note="note:ceasefire:hacan"),
        "sol",
        "The host says that this is the moment of **Hacan's Ceasefire<beside:hacan>**: <player:sol> may play it now, "
        "until the next turn, agenda or phase.",
    ),
    sample(
        NoteMovedWithPlanet(seat="sol", to="hacan", note="note:terraform:titans"),
        "sol",
        "The planet with **Titans' Terraform<beside:titans>** is <player:hacan>'s now and no longer <seat:sol>'s. The "
        "note stays with it [12.2].",
    ),
    sample(
        NotesShown(seat="sol", other="hacan", count=2, every=False),
        "sol hacan",
        "<player:sol> shows <seat:hacan> 2 promissory notes.",
    ),
    sample(
        NotesShown(seat="sol", other="naalu", count=1, every=True, ability="M'aban", notes=CARD),
        "sol naalu",
        "<player:naalu> looks at <seat:sol>'s promissory notes [M'aban].",
    ),
    sample(
        NoteGiven(
            seat="sol", to="hacan", reason="Spies", hidden={"sol": Change(lost=CARD), "hacan": Change(gained=CARD)}
        ),
        "sol hacan",
        "<player:sol> gives <seat:hacan> **a promissory note** because of an effect: “\ue000Spies\ue001”",
    ),
    sample(
        NoteGiven(
            seat="sol", to="letnev", reason="Spies",
            changes={"sol": Change(lost=CARD), "letnev": Change(entered_play=CARD)},
        ),
        "sol letnev",
        "<player:sol> gives <seat:letnev> **Hacan's Ceasefire<beside:hacan>** because of an effect, where it is "
        "in play: “\ue000Spies\ue001”",
    ),
    sample(
        NoteAsked(seat="hacan", other="sol", note="ceasefire"), "sol hacan",
        "<seat:hacan> asks <seat:sol> for **Hacan's Ceasefire<beside:hacan>** back.",
    ),
    sample(RequestDenied(seat="sol", other="hacan", note="ceasefire"), "sol hacan", "<seat:sol> keeps it."),
    sample(
        NoteReturned(seat="sol", note=NOTE), "sol",
        "The host returns **Hacan's Ceasefire<beside:hacan>** from <seat:sol> to its owner.",
    ),
    sample(
        NotesReprinted(hidden={"sol": Change(lost=CARD)}), "",
        "Promissory notes now match the boxes that this table plays with.",
    ),
    sample(
        Eliminated(
            seat="sol", person=2, hidden={"hacan": Change(gained=CARD)},
            changes={
                "sol": Change(lost=Goods({"trade_good": 1, "action_card": 2, "relic:The Codex": 1})),
                "hacan": Change(left_play=Goods({"note:alliance:sol": 1})),
            },
        ),
        "sol hacan",
        "**<player:sol> is out of the game** [33.2].\n"
        "Their own promissory notes leave the game, wherever they are, "
        "from play: Sol's Alliance<beside:sol> [33.4.1].\n"
        "Other players' notes that they have go back to their owners [33.4].\n"
        "Discarded: 2 action cards [33.5].\nPurged: relic \ue000The Codex\ue001.\nBack to the box: 1 trade good.",
    ),
    sample(
        FactionChanged(seat="firmament", becomes="obsidian", person=2), "firmament obsidian",
        "<person:2> plays **<faction:obsidian>** now, with everything <faction:firmament> had.",
    ),
    sample(
        PermitGranted(permit=Permit(number=1, seats=("hacan", "sol"), lifts=("limit",), once=True, reason="")),
        "sol hacan",
        "The host allows <seat:hacan> and <seat:sol> for one trade: they may trade one more time. \ue000\ue001",
    ),
    sample(
        Replenished(seat="sol", amount=2, let_by="hacan"), "sol",
        "<player:sol> replenishes **2 commodities**, as <seat:hacan> chose them for Trade.",
    ),
    sample(
        CommoditiesLost(seat="sol", amount=1, effect="Law's Order"), "sol",
        "<player:sol> loses **1 commodity** by **\ue000Law's Order\ue001**.",
    ),
    sample(
        CommoditiesLost(seat="sol", amount=2, by_host=True), "sol",
        "<player:sol> loses **2 commodities** by an effect, as the host says.",
    ),
    sample(
        GivenByEffect(
            seat="sol", to="hacan", goods=Goods({"commodity": 2}), effect="Salvage",
            changes={"sol": Change(lost=Goods({"commodity": 2})), "hacan": Change(gained=Goods({"trade_good": 2}))},
        ),
        "sol hacan",
        "<player:sol> loses **2 commodities** by **\ue000Salvage\ue001**; <player:hacan> gets **2 trade goods**. "
        "This is not a transaction.",
    ),
    sample(
        GainedByEffect(seat="sol", goods=Goods({"trade_good": 1}), effect="Dark Pact", since=3), "sol",
        "<player:sol> gains **1 trade good** by **\ue000Dark Pact\ue001**.",
    ),
    sample(
        PillageAsked(seat="mentak", other="sol", take="commodity", since=3), "sol mentak",
        "<seat:mentak> pillages **1 commodity** from <seat:sol>, who is asked to hand it over.",
    ),
    sample(
        NeighborsJoined(first="sol", second="hacan", already=True), "sol hacan",
        "<seat:sol> and <seat:hacan> are neighbours, and were so already.",
    ),
    sample(
        PillageAppealed(seat="sol", other="mentak", since=3), "sol mentak",
        "<seat:sol> says that <seat:mentak> can't pillage them. A host or moderator who is neither of the two settles "
        "it: **More…** on the board, or /commodities appeal.",
    ),
    sample(
        PillageSettled(seat="sol", other="mentak", since=3, stands=True, goods=Goods({"trade_good": 1})), "sol mentak",
        "**Pillage** of <seat:sol> stands, as the host says: <seat:mentak> keeps what they took.",
    ),
    sample(
        PillageSettled(
            seat="sol", other="mentak", since=3, stands=False, goods=Goods({"commodity": 1}),
            changes={"sol": Change(gained=Goods({"commodity": 1})), "mentak": Change()},
        ),
        "sol mentak",
        "<player:sol> gets **1 commodity** back from <player:mentak>, as the host says. It comes from the supply, "
        "since they have none left.",
    ),
    sample(
        PillageDenied(seat="sol", other="mentak", since=3), "sol mentak",
        "<seat:sol> says that <seat:mentak> can't pillage them now.",
    ),
    sample(
        CardsDiscarded(seat="sol", amount=2), "sol",
        "<player:sol> discards **2 action cards**, down to the hand limit [2.4].",
    ),
    sample(
        PermitGranted(permit=DEALINGS), "sol",
        "The host allows <seat:sol> and anybody for one trade: they may give relics and action cards too. "
        "It ends with this turn or agenda. \ue000Dealings\ue001",
    ),
    sample(PermitRevoked(permit=COMMERCE), "", "The host ends \ue000Age\ue001 for everybody."),
]  # fmt: skip


def test_every_kind_of_entry_has_a_sample() -> None:
    assert {type(entry) for entry, _, _ in ENTRIES} == set(GAME.features.entries)


def test_an_entry_is_stored_read_again_and_narrated(subtests: pytest.Subtests) -> None:
    for entry, seats, sentence in ENTRIES:
        with subtests.test(sentence):
            assert read_entry(*split(entry)) == entry
            assert entry.seats() == seats
            view = see_entry(Recorded(1, 1, 0, 1, entry, ""), everybody_at(table_of()), "ti4")
            assert view.entry.sentence(view.ruler) == sentence


def test_a_permit_is_the_subject_of_its_entry() -> None:
    permit = Permit(number=7, seats=("hacan", "sol"), lifts=("limit",), once=True, reason="")
    assert PermitGranted(permit=permit).subject() == "permit:7"


def test_its_names_are_its_own() -> None:
    check(GAME, [])


def test_every_command_has_a_handler() -> None:
    folder = Path(ti4.__file__).parent
    modules = [import_module(f"bot.games.ti4.{file.stem}") for file in folder.glob("[!_]*.py")]
    kinds = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Command) and kind.__module__ == module.__name__
    }
    assert kinds == set(GAME.features.commands)


def test_actions_have_fields_that_a_custom_id_can_hold() -> None:
    for action in GAME.features.opens:
        for kind in (kind for name, kind in get_type_hints(action).items() if name != "name"):
            assert kind in (int, str, bool) or get_origin(kind) is Literal, action


def test_the_rehearsal_can_be_set_up() -> None:
    rehearsal = GAME.info.rehearsal
    assert rehearsal is not None
    seats = [each.seat for each in rehearsal.seats.values()]
    for each in rehearsal.seats.values():
        assert GAME.seats.find(each.seat)
        assert GAME.goods.read(each.goods, seats, each.seat, {})


def test_its_example_is_understood() -> None:
    assert GAME.goods.read(GAME.info.example, ["sol"], "sol", {}) == Goods({"trade_good": 2, "commodity": 1})
