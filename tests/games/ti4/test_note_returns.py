"""Tests that every note goes home when its own text says so, and at no other time [69.3]."""

from __future__ import annotations

from itertools import product

import pytest

from bot.games.ti4.agendas import ResolveAgenda, RevealAgenda
from bot.games.ti4.combat import ActivateSystem, BeginCombat, EndCombat
from bot.games.ti4.components import note_owner
from bot.games.ti4.note_gifts import GiveNote
from bot.games.ti4.note_returns import NoteReturned, UndoActivation, brings, sent_home
from bot.games.ti4.notes import NotePlayed, PlayNote
from bot.games.ti4.state import PHASES
from bot.games.ti4.turns import EndTurn, NextTurn, PassTurn, SetOrder, StartTurn, TurnEnded
from bot.rules.apply import apply
from bot.rules.commands import Caller, Command
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.tables import ChangeSettings, SetPhase
from bot.rules.model.goods import Change, Goods
from bot.rules.model.table import Table
from data.ti4 import PromissoryNote, promissory_notes
from tests.games.ti4.tables import (
    after,
    all_done,
    done,
    lent,
    refused,
    table_of,
    with_goods,
    with_in_play,
    without_goods,
)

HOST, HOLDER, OTHER = 1, 2, 3

AT_THE_END_OF = {
    "agenda_ends": {"political_secret", "keleres_rider"},
    "combat_ends": {"the_cavalry", "tekklar_legion", "war_funding"},
    "turn_ends": {"greyfire_mutagen"},
    "status_ends": {"gift_of_prescience", "share_knowledge", "sever"},
    "activation": {
        "support_for_the_throne",
        "alliance",
        "stymie",
        "trade_convoys",
        "promise_of_protection",
        "antivirus",
        "dark_pact",
        "blood_pact",
    },
    "never": {"terraform", "malevolency", "black_ops"},
}
"""What each note that does not go back at once waits for, as its text says."""

ENDS: dict[str, tuple[tuple[Command, ...], Command, str]] = {
    "resolved": ((SetPhase("agenda"), RevealAgenda()), ResolveAgenda(), "agenda"),
    "replaced": ((SetPhase("agenda"), RevealAgenda()), RevealAgenda(replaces=True), "agenda"),
    "resolved within a turn": (
        (StartTurn("sol"), RevealAgenda(during="turn")),
        ResolveAgenda(),
        "agenda",
    ),
    "replaced within a turn": (
        (StartTurn("sol"), RevealAgenda(during="turn")),
        RevealAgenda(replaces=True),
        "agenda",
    ),
    "turn over, with its agenda": (
        (StartTurn("sol"), RevealAgenda(during="turn")),
        EndTurn(),
        "turn agenda",
    ),
    "turn in place of an agenda": (
        (SetPhase("agenda"), RevealAgenda()),
        StartTurn("letnev"),
        "agenda",
    ),
    "agenda phase over": ((SetPhase("agenda"),), SetPhase("strategy"), "agenda"),
    "peace": ((StartTurn("sol"), BeginCombat("sol", "letnev")), EndCombat(), "combat"),
    "turn over": ((StartTurn("sol"), BeginCombat("sol", "letnev")), EndTurn(), "turn"),
    "next turn": ((StartTurn("sol"),), NextTurn(), "turn"),
    "passed": ((StartTurn("sol"),), PassTurn(), "turn"),
    "turn of another": ((StartTurn("sol"),), StartTurn("letnev"), "turn"),
    "agenda in a turn": ((StartTurn("sol"),), RevealAgenda(), "turn status"),
    "status over": ((SetPhase("status"),), SetPhase("agenda"), "status"),
    "status over, agenda at once": ((SetPhase("status"),), RevealAgenda(), "status"),
    "next round": ((SetPhase("action"),), SetPhase("strategy"), "status"),
    "a turn at once": ((SetPhase("status"),), StartTurn("letnev"), "status"),
}
"""How something ends: what comes before, the command, and what has ended; an agenda comes after the
status phase.
"""

WAITS_FOR = {
    "agenda": {"agenda_ends"},
    "combat": {"combat_ends"},
    "turn": {"turn_ends", "combat_ends"},
    "status": {"status_ends"},
}


def token(note: PromissoryNote) -> str:
    return f"note:{note.id}:{'hacan' if note.owner == 'any' else note.owner}"


def held(note: PromissoryNote) -> Table:
    """Return a table at which Sol has this note in hand, and two relic fragments of a kind."""
    seats = dict.fromkeys(("hacan", "sol", "letnev", owner_of(note)))
    table = table_of(tuple(seats))
    table = after(table, SetOrder(tuple(table.seated())))
    table = lent(table, token(note), "sol")
    return with_goods(table, "sol", Goods({"fragment:cultural": 2}))


def owner_of(note: PromissoryNote) -> str:
    return note_owner(token(note))[1]


def lies(table: Table, note: PromissoryNote) -> Table:
    """Return the table with this note played before Sol."""
    card = Goods({token(note): 1})
    return with_in_play(without_goods(table, "sol", card), "sol", card)


OF_OTHERS = [note for note in promissory_notes().values() if note.owner != "sol"]


def test_every_note_has_a_considered_return() -> None:
    waits = {note.id: note.returns for note in promissory_notes().values()}
    expected = dict.fromkeys(waits, "at_once")
    for when, ids in AT_THE_END_OF.items():
        expected |= dict.fromkeys(ids, when)
    assert waits == expected


def test_a_played_note_stays_unless_it_goes_back_at_once(subtests: pytest.Subtests) -> None:
    for note in OF_OTHERS:
        if note.id == "trade_agreement" or note.moment == "never":
            continue  # `test_trade_agreements`, `test_note_gifts`
        with subtests.test(note.id):
            table = held(note)
            if note.moment != "any":
                table = after(table, PlayNote(token(note), "sol"), by=HOST)
            played = after(table, PlayNote(token(note)), by=HOLDER)
            lies_there = token(note) in played.seats["sol"].in_play
            is_home = token(note) in played.seats[owner_of(note)].holdings
            assert (lies_there, is_home) == (not is_home, note.returns == "at_once")


def test_it_goes_back_with_what_the_command_that_plays_it_ends() -> None:
    note = promissory_notes()["greyfire_mutagen"]
    table = after(held(note), StartTurn("sol"), by=HOST)
    card = Goods({token(note): 1})
    changes = {"sol": Change(lost=card, entered_play=card)}
    played = NotePlayed(seat="sol", note=token(note), stays=True, changes=changes)
    ended = TurnEnded(seat="sol", window=table.window.number + 1)
    entries = brings(table, (played, ended), Caller(HOST), apply)
    assert [type(entry) for entry in entries] == [NotePlayed, TurnEnded, NoteReturned]


def test_it_goes_back_with_what_it_waits_for_and_with_nothing_else() -> None:
    wrong = []
    for note, how in product(OF_OTHERS, ENDS):
        first, last, ended = ENDS[how]
        table = lies(all_done(held(note), first), note)
        returned = [entry for entry in done(table, last) if isinstance(entry, NoteReturned)]
        at_home = token(note) in after(table, last).seats[owner_of(note)].holdings
        goes = any(note.returns in WAITS_FOR[end] for end in ended.split())
        expected = [token(note)] if goes else []
        if [entry.note for entry in returned] != expected or at_home != goes:
            wrong.append(f"{note.id}: {how}")
        assert all(entry.after for entry in returned)
    assert wrong == []


def test_the_status_phase_is_over_once_the_round_has_gone_past_it() -> None:
    gift = promissory_notes()["gift_of_prescience"]
    stays = {("strategy", "action"), ("strategy", "status"), ("action", "status")}
    stays |= {("agenda", phase) for phase in ("strategy", "action", "status")}
    stays |= {(phase, phase) for phase in PHASES}
    stayed = set()
    for before, then in product(PHASES, PHASES):
        table = held(gift)
        if before != "strategy":
            table = after(table, SetPhase(before))
        if not went_home(lies(table, gift), SetPhase(then)):
            stayed.add((before, then))
    assert stayed == stays


# ---------------------------------------------------------------- activation


def went_home(table: Table, command: Command, by: int = HOST) -> list[str]:
    return [entry.note for entry in done(table, command, by) if isinstance(entry, NoteReturned)]


def test_an_activation_by_the_holder_brings_home_what_waits_for_it(
    subtests: pytest.Subtests,
) -> None:
    for note in OF_OTHERS:
        owner = owner_of(note)
        waits = [token(note)] if note.id in AT_THE_END_OF["activation"] else []
        by = HOST if owner != "hacan" else HOLDER
        table = after(lies(held(note), note), StartTurn("sol"))
        with subtests.test(note.id):
            assert went_home(table, BeginCombat("sol", owner)) == waits
            assert went_home(table, ActivateSystem(owner), by) == waits
            if owner != "letnev":
                assert went_home(table, BeginCombat("sol", "letnev")) == []
            in_hand = after(held(note), StartTurn("sol"))
            assert went_home(in_hand, ActivateSystem(owner), by) == [], "[69.4.1]"
            of_owner = after(lies(held(note), note), StartTurn(owner))
            assert went_home(of_owner, BeginCombat(owner, "sol")) == [], "what its owner activates"


def test_fighting_again_in_a_turn_is_no_new_activation() -> None:
    alliance = promissory_notes()["alliance"]
    fight, card = BeginCombat("sol", "hacan"), token(alliance)
    table = all_done(held(alliance), (StartTurn("sol"), fight, EndCombat()))
    assert went_home(lies(table, alliance), fight) == []
    another_system = ActivateSystem("hacan")
    assert went_home(lies(table, alliance), another_system, HOLDER) == [card]
    later = all_done(table, (EndTurn(), StartTurn("sol", "new")))
    assert went_home(lies(later, alliance), fight) == [card]


def test_the_host_puts_back_only_what_is_surely_with_its_owner() -> None:
    alliance = promissory_notes()["alliance"]
    gone = after(lies(held(alliance), alliance), StartTurn("sol"))
    gone = after(gone, ActivateSystem("hacan"), by=HOLDER)
    undo, card = UndoActivation("hacan"), token(alliance)
    gain = Gain(Goods({"trade_good": 1}))
    assert [note.note for note in sent_home(gone)] == [card]
    assert card in after(gone, undo).seats["sol"].in_play
    assert "Only the host" in refused(gone, undo, by=HOLDER).reason
    nothing = refused(gone, UndoActivation("letnev")).reason
    assert refused(gone, UndoActivation("hacan", "letnev")).reason == nothing
    assert sent_home(after(gone, gain)), "no note of its owner has moved"
    assert sent_home(after(gone, SetHoldings("hacan", Goods({"trade_good": 2}))))
    corrected = after(gone, SetHoldings("letnev", Goods({card: 1})))
    assert not sent_home(corrected), "it lies before another"
    given = GiveNote("note:ceasefire:hacan", "letnev", "Diplomatic Pressure")
    assert not sent_home(after(gone, given)), "it may be the one that was given"
    untracked = ChangeSettings({"inventory": "untracked"})
    assert not sent_home(after(gone, untracked)), "nobody counts hands any more"
    assert sent_home(after(gone, NextTurn()))
    assert not sent_home(all_done(gone, (NextTurn(), NextTurn())))
