"""Tests of each note's moment; only what the table has said rules a note out [69.1]."""

from __future__ import annotations

from dataclasses import replace

from bot.games.ti4.agendas import RevealAgenda
from bot.games.ti4.combat import BeginCombat, EndCombat
from bot.games.ti4.components import note_owner
from bot.games.ti4.notes import PlayNote
from bot.games.ti4.turns import EndTurn, PassTurn, StartTurn
from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.features.tables import SetPhase
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from data.ti4 import promissory_notes
from tests.games.ti4.tables import after
from tests.games.ti4.test_note_returns import HOLDER, OF_OTHERS, held, token

SITUATIONS: dict[str, tuple[Command, ...]] = {
    "nothing said": (),
    "holder's turn": (StartTurn("sol"),),
    "owner's turn": (StartTurn("OWNER"),),
    "another's turn": (StartTurn("OTHER"),),
    "between turns": (StartTurn("OTHER"), EndTurn()),
    "holder has passed": (StartTurn("sol"), PassTurn(), EndTurn()),
    "holder fights another": (StartTurn("sol"), BeginCombat("sol", "OTHER")),
    "holder fights the owner": (StartTurn("sol"), BeginCombat("sol", "OWNER")),
    "others fight": (StartTurn("OWNER"), BeginCombat("OWNER", "OTHER")),
    "combat over": (StartTurn("sol"), BeginCombat("sol", "OTHER"), EndCombat()),
    "agenda": (SetPhase("agenda"), RevealAgenda()),
    "agenda in a turn": (StartTurn("sol"), RevealAgenda(during="turn")),
    "no agenda": (SetPhase("agenda"),),
    "strategy": (SetPhase("status"), SetPhase("strategy")),
    "status": (SetPhase("status"),),
}
"""What a table can have said. ``OWNER`` stands for the note's owner, ``OTHER`` for a third
player.
"""

FIGHTS = {"holder fights another", "holder fights the owner"}
FREE = {"nothing said", "holder's turn", "between turns", "combat over"}
OWNERS = {"nothing said", "owner's turn", "between turns", "holder has passed"}

ALLOWED = {
    "any": set(SITUATIONS),
    "action": FREE,
    "own_turn_start": FREE - {"combat over"},
    "own_turn": FREE | FIGHTS | {"agenda in a turn"},
    "owner_turn_start": OWNERS,
    "owner_turn": OWNERS | {"others fight"},
    "other_turn": OWNERS | {"another's turn", "others fight"},
    "any_turn": set(SITUATIONS) - {"agenda", "no agenda", "strategy", "status"},
    "combat_end": FIGHTS | {"combat over"},
    "own_combat": FIGHTS,
    "rival_combat": {"holder fights another"},
    "agenda": {"agenda", "agenda in a turn"},
    "strategy": {"nothing said", "strategy"},
    "status": {"nothing said", "status"},
    "never": set[str](),
}
"""The situations that do not rule a moment out."""

MOMENTS = {
    "action": {
        "stymie",
        "fires_of_the_gashlai",
        "trade_convoys",
        "promise_of_protection",
        "dark_pact",
        "blood_pact",
        "black_market_forgery",
        "terraform",
        "share_knowledge",
        "sever",
    },
    "own_turn_start": {"creuss_iff", "cybernetic_enhancements", "spy_net"},
    "own_turn": {"raghs_call", "crucible", "nano_link_permit"},
    "owner_turn_start": {"military_support"},
    "owner_turn": {"ceasefire", "acquiescence_omega"},
    "other_turn": {"stymie_omega"},
    "any_turn": {"greyfire_mutagen", "strike_wing_ambuscade"},
    "combat_end": {"raise_the_standard"},
    "own_combat": {"antivirus", "war_funding", "war_funding_omega", "tekklar_legion"},
    "rival_combat": {"the_cavalry", "greyfire_mutagen_omega"},
    "agenda": {"political_secret", "political_favor", "keleres_rider"},
    "strategy": {"gift_of_prescience", "acquiescence", "scepter_of_dominion"},
    "status": {"cybernetic_enhancements_omega"},
    "never": {"malevolency", "black_ops"},
}
"""The moment of each note, as its text says. The others are played when the bot sees nothing of
it.
"""


def in_situation(table: Table, situation: str, owner: str) -> Table:
    """Return the table after what it says there."""
    seats = {"OWNER": owner, "OTHER": "hacan" if owner == "letnev" else "letnev"}
    for command in SITUATIONS[situation]:
        named = {}
        for field in ("seat", "first", "second"):
            role = getattr(command, field, "")
            if role in seats:
                named[field] = seats[role]
        table = after(table, replace(command, **named))
    return table


def test_every_note_has_a_considered_moment() -> None:
    moments = {note.id: note.moment for note in promissory_notes().values()}
    expected = dict.fromkeys(moments, "any")
    for moment, ids in MOMENTS.items():
        expected |= dict.fromkeys(ids, moment)
    assert moments == expected


def test_a_note_is_refused_only_when_something_rules_its_moment_out() -> None:
    wrong = []
    for note in OF_OTHERS:
        if note.id == "trade_agreement":
            continue  # `test_trade_agreements`
        for situation in SITUATIONS:
            table = in_situation(held(note), situation, note_owner(token(note))[1])
            try:
                decide(table, PlayNote(token(note)), Caller(HOLDER))
                rule = ""
            except Refused as refusal:
                rule = refusal.violation.rule
            if rule != ("" if situation in ALLOWED[note.moment] else "69.1"):
                wrong.append(f"{note.id}: {situation}")
    assert wrong == []
