"""The scenes of the gallery: each is lines of a play, and where to look afterwards.

To add one, write a `Scene` below. Its lines are those of tests/plays/README.md, expectations
included: a line that no longer does what it did ends the gallery with the line and the reason.
People have names as on Discord: Alice, Bob.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.rehearsal.grammar import read_play
from bot.rehearsal.places import Place, Places
from bot.rehearsal.plays import Performance, performed
from tests.plays.played import on_a_copy


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene with a name, which its pictures have too.

    ``look``: the places whose pictures are taken, such as ``bob.dm``, ``alice.table`` or
    ``alice.thread``, the newest one. ``presses``: afterwards, in the browser, who presses which
    button, the last one of that label in the place; the picture then shows what opened, such as a
    form.
    """

    name: str
    steps: str
    look: tuple[str, ...]
    presses: tuple[str, str] | None = None


TI4 = """
alice: /table open game:ti4 name:"Friday night"
alice: /table sit seat:hacan
bob: /table sit seat:sol
carol: /table sit seat:xxcha
alice: /holdings set player:@alice goods:"4 tg, 6 c"
alice: /holdings set player:@bob goods:"2 tg, 4 c"
alice: /holdings set player:@carol goods:"3 tg, 1 cultural fragment"
alice: /neighbors join first:@alice second:@bob
alice: /neighbors join first:@bob second:@carol
alice: /turn start player:@alice
"""
"""Three people at a table of Twilight Imperium 4, Alice's turn."""

SIX = """
alice: /table open game:ti4 name:"Friday night"
alice: /table sit seat:hacan
bob: /table sit seat:sol
carol: /table sit seat:naalu
dave: /table sit seat:xxcha
erin: /table sit seat:mentak
fay: /table sit seat:winnu
alice: press "Neighbours as you sit"
"""
"""Six people at a table of Twilight Imperium 4, ready for the first turn."""

FIVE_CARDS = """
alice: press "8 Imperial"
bob: press "5 Trade"
carol: press "7 Technology"
dave: press "1 Leadership"
erin: press "4 Construction"
"""
"""All but Fay take a strategy card."""

SIX_PASS = """
fay: press "2 Diplomacy"
alice: press "Begin the action phase"
carol: /turn pass
dave: /turn pass
fay: /turn pass
erin: /turn pass
bob: /turn pass
alice: /turn pass
"""
"""Fay takes a card too, and all pass: the status phase begins."""

OWED = """
alice: /offer post to:@bob give:"1 tg, owe 2 tg" want:"4 c"
bob: press "Accept"
carol: /offer post to:@bob give:"owe 1 tg"
bob: press "Accept"
alice: /turn end
bob: /turn start player:@bob
"""
"""Alice owes Bob, who owes nobody, and it is his turn."""

ADVCIV = """
alice: /table open game:advciv name:"Saturday"
alice: /table sit seat:egypt
bob: /table sit seat:crete
carol: /table sit seat:babylon
alice: /holdings set player:@alice goods:"3 salt, grain, oil, silver, epidemic"
alice: /holdings set player:@bob goods:"3 grain, 2 salt, iron, bronze"
alice: /holdings set player:@carol goods:"2 oil, 2 iron, hides, cloth, famine"
alice: /trading open minutes:30
"""
"""Three nations with hands, and trading open."""

SHOPS = """
alice: /table open game:any
alice: press "Shops and lots"
alice: /table sit seat:Red
bob: /table sit seat:Green
carol: /table sit seat:Yellow
alice: press "Begin"
"""
"""Three people at a game of the host's own, in its first phase."""

SUMMIT = """
alice: /table open game:any
alice: press "Summit of thirty"
alice: /table sit seat:"Norland lead"
bob: /table sit seat:"Sudland general"
carol: /table sit seat:"Norland spy"
dave: /table sit seat:"Trader one"
alice: press "Begin"
"""
"""Four of thirty people in teams, who trade twice with each other."""

EVENING = (
    (Path(__file__).parents[1] / "plays/table/an_evening.play")
    .read_text("utf-8")
    .split("# a pause")[0]
)
"""An evening of four with five trades and a promise."""

OFFER = """
alice: /offer post to:@bob give:"2 tg, ceasefire" want:"3 c"
"""

DONE = f"""{OFFER}
bob: press "Accept" on "You get"
  records transaction
"""

HIDDEN = """
alice: /offer post to:@bob give:"grain, oil, ? (silver)" want:"2 salt, ?"
"""

SEATED = """
alice: /table open game:ti4 name:"Friday night"
alice: /table sit seat:hacan
bob: /table sit seat:sol
carol: /table sit seat:xxcha
"""
"""Three people who have just sat down at a table of Twilight Imperium 4."""

ASKED_AGAIN = (
    TI4
    + """
bob: closes dms
alice: /turn end
carol: /turn start
alice: /offer post to:@bob give:"2 tg" want:"1 c"
bob: /offer accept offer:1
bob: press "Agree for later"
alice: /turn start player:@alice
alice: /turn start player:@bob
"""
)
"""Bob takes no DMs, so the channel asks him to confirm, once in Alice's turn and again in his."""

BOB_LOSES_A_CARD = """
alice: /table open game:advciv name:"Saturday"
alice: /table sit seat:egypt
bob: /table sit seat:crete
carol: /table sit seat:italy
bob: closes dms
bob: /cards cities cities:1
alice: /cards cities cities:0
carol: /cards cities cities:0
alice: /trading open
alice: /trading close
alice: /calamities show
alice: /phase set phase:acquire
carol: /cards take from:@bob
"""
"""Bob takes no DMs, so the channel asks him whether Carol takes a card with his city."""

TWO_TAKERS = """
alice: /table open game:advciv name:"Saturday"
alice: /table sit seat:egypt
bob: /table sit seat:crete
carol: /table sit seat:italy
alice: /holdings set player:@alice goods:"2 salt, hides"
alice: /holdings set player:@bob goods:"2 grain, ochre"
alice: /holdings set player:@carol goods:"2 grain, oil"
alice: /trading open
alice: /offer post give:"2 salt, ?" want:"2 grain, ?"
bob: /offer hand offer:1 cards:"2 grain, ochre"
carol: press "Agree"
"""
"""An offer to everyone that two have agreed to, one of them with sealed cards."""

COMPOSED = """
alice: /trade with:@bob
alice: choose "Oil", "Grain", "Epidemic" from "You give"
alice: choose "Get Salt" from "You get"
"""

SCENES = (
    # ------------------------------------------------------------ Twilight Imperium 4
    Scene("ti4-set-up", TI4, ("alice.table",)),
    Scene(
        "ti4-board",
        TI4
        + 'alice: /offer post give:"1 tg"\ncarol: /offer post to:@bob give:"1 tg" want:"1 c"\n'
        + OFFER
        + "wait 1m\n",
        ("alice.table", "bob.table"),
    ),
    Scene("ti4-offer", TI4 + OFFER, ("alice.table", "bob.dm")),
    Scene(
        "ti4-offer-with-terms",
        TI4 + 'alice: /offer post to:@bob give:"1 tg" terms:"keep your mechs out of Abyz"\n',
        ("alice.table", "bob.dm"),
    ),
    Scene(
        "ti4-not-accepted-yet",
        TI4 + OFFER + 'bob: press "Accept" on "Bob gives"\n  records nothing\n',
        ("bob.table",),
    ),
    Scene(
        "ti4-done",
        TI4 + DONE,
        ("alice.table", "alice.dm", "bob.dm"),
    ),
    Scene(
        "ti4-declined",
        TI4 + OFFER + 'bob: press "Decline"\n',
        ("alice.table", "alice.dm", "bob.dm"),
    ),
    Scene(
        "ti4-refused",
        TI4 + DONE + 'alice: /offer post to:@bob give:"1 tg"\n'
        'bob: press "Accept"\n  refused 94.1\n',
        ("alice.table", "bob.dm"),
    ),
    Scene(
        "ti4-not-now",
        TI4 + 'bob: /offer post to:@carol give:"1 c" want:"1 tg"\n',
        ("bob.table", "carol.dm"),
    ),
    Scene(
        "ti4-bad-input",
        TI4 + 'alice: /offer post to:@bob give:"2 bananas"\n  refused\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-counter", TI4 + OFFER + 'bob: press "Counter"\nbob: press "Get +1 tg"\n', ("bob.dm",)
    ),
    Scene(
        "ti4-who-gives",
        TI4 + 'alice: /offer post want:"3 c"\nbob: press "For 3 tg"\n'
        'carol: /offer counter offer:1 give:"1 tg, 1 c" want:"2 c"\n',
        ("alice.dm", "bob.table"),
    ),
    Scene(
        "ti4-note-they-choose",
        TI4 + 'alice: /offer post to:@bob give:"2 tg" want:"any note"\nbob: press "Accept"\n',
        ("bob.dm",),
    ),
    Scene(
        "ti4-second-accepts",
        TI4 + 'alice: /offer post give:"1 tg"\nbob: press "Accept"\ncarol: press "Accept"\n',
        ("alice.dm",),
    ),
    Scene(
        "ti4-passed-over",
        TI4
        + "alice: /table settings confirm:twice\n"
        + 'alice: /offer post give:"2 tg"\nbob: press "Agree"\ncarol: press "Agree"\n'
        + 'alice: press "Trade with Bob"\nalice: /offer alter offer:1 give:"1 tg"\n',
        ("carol.dm",),
    ),
    Scene("ti4-new-offer", TI4 + 'alice: press "New offer"\n', ("alice.table",)),
    Scene("ti4-said", TI4 + 'alice: in dm says "2 tg to bob for 3 c"\n', ("alice.dm",)),
    Scene(
        "ti4-said-here",
        TI4 + 'alice: says "@Bourse 2 tg to @bob for 3 c"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-both-sides",
        TI4 + 'alice: /offer post to:@bob give:"2 tg for 3 c"\n',
        ("alice.table",),
    ),
    Scene("ti4-proposals", TI4 + "alice: /trade with:@bob\n", ("alice.table",)),
    Scene(
        "ti4-build-it",
        TI4 + 'alice: /trade with:@bob\nalice: press "Build it…"\nalice: press "Give +1 tg"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-write-it", TI4 + "alice: /trade with:@bob\n", ("alice.table",), ("alice", "Write it…")
    ),
    Scene(
        "ti4-holdings",
        TI4 + "alice: /holdings show\nbob: /holdings show player:@alice\n",
        ("alice.table", "bob.table"),
    ),
    Scene("ti4-my-goods", TI4 + 'alice: press "My goods"\n', ("alice.table",)),
    Scene(
        "ti4-debts",
        TI4 + OWED + 'alice: press "My goods"\nbob: /debt list\n',
        ("alice.table", "bob.table", "bob.dm"),
    ),
    Scene(
        "ti4-forgive",
        TI4 + OWED + 'bob: /debt list\nbob: press "Forgive Alice 2 trade goods…"\n',
        ("bob.table",),
    ),
    Scene("ti4-debt-paid", TI4 + OWED + "alice: /debt pay debt:1\n", ("alice.table",)),
    Scene("ti4-set-goods", TI4 + 'alice: press "My goods"\n', ("alice.table",), ("alice", "Set…")),
    Scene(
        "ti4-notes",
        TI4 + 'alice: /holdings set player:@alice goods:"4 tg, bob\'s ceasefire"\n'
        'alice: press "My goods"\nalice: press "Notes…"\nalice: choose "Sol\'s Ceasefire (Bob)" '
        'from "Which note?"\n'
        'alice: choose "Bob (Sol)" from "Show to whom?"\n',
        ("alice.table",),
    ),
    Scene("ti4-table-show", TI4 + OFFER + "carol: /table show\n", ("carol.table",)),
    Scene("ti4-partners", TI4 + 'bob: press "Who can I trade with?"\n', ("bob.table",)),
    Scene(
        "ti4-more", TI4 + 'alice: press "Menu"\nbob: press "Menu"\n', ("alice.table", "bob.table")
    ),
    Scene("ti4-host", TI4 + 'alice: press "Menu"\nalice: press "Host…"\n', ("alice.table",)),
    Scene(
        "ti4-say-it",
        TI4 + OFFER + 'alice: press "My goods"\nalice: press "Say it"\nbob: /table say\n',
        ("alice.table", "bob.table"),
    ),
    Scene(
        "ti4-settings",
        TI4 + 'alice: press "Menu"\nalice: press "Host…"\nalice: press "Settings"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-change-setting",
        TI4 + 'alice: press "Menu"\nalice: press "Host…"\nalice: press "Settings"\n'
        'alice: choose "What if the rules forbid a trade? It is done, with a warning"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-seats",
        TI4 + 'alice: press "Menu"\nalice: press "Host…"\nalice: press "Seats"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-free-seat",
        TI4 + 'alice: press "Menu"\nalice: press "Host…"\n'
        'alice: press "Seats"\nalice: choose "Carol (Xxcha)"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-phase",
        TI4 + 'alice: press "Menu"\nalice: press "Host…"\nalice: press "Begin a phase"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-undo",
        TI4 + 'alice: /turn end\nbob: /turn start\nalice: press "Menu"\n'
        'alice: press "Host…"\nalice: press "Undo a slip"\n',
        ("alice.table", "bob.dm"),
    ),
    Scene("ti4-offers", TI4 + OFFER + "carol: /offer list\n", ("carol.table",)),
    Scene("ti4-offer-more", TI4 + OFFER + 'alice: press "More…" on "Offer 1"\n', ("alice.table",)),
    Scene(
        "ti4-counter-chain",
        TI4 + OFFER + 'bob: press "Counter"\nbob: press "Get +1 tg"\nbob: press "Offer it"\n'
        'alice: press "Counter"\nalice: press "Get +1 c"\nalice: press "Offer it"\n',
        ("alice.table", "bob.dm", "alice.dm"),
    ),
    Scene(
        "ti4-withdrawn", TI4 + OFFER + "alice: /offer withdraw offer:1\n", ("alice.table", "bob.dm")
    ),
    Scene(
        "ti4-for-everybody",
        TI4 + 'alice: /offer post give:"1 tg" want:"1 c"\nbob: press "Accept"\n',
        ("alice.table", "bob.dm", "alice.dm"),
    ),
    Scene(
        "ti4-choose-taker",
        TI4 + 'bob: /offer post give:"bob\'s ceasefire"\nalice: press "Accept"\n',
        ("alice.table", "alice.dm", "bob.dm"),
    ),
    Scene(
        "ti4-agreed-for-later",
        TI4 + 'bob: /offer post to:@carol give:"1 c" want:"1 tg"\ncarol: /offer accept offer:1\n',
        ("carol.table", "carol.dm", "bob.dm"),
    ),
    Scene(
        "ti4-lapsed",
        TI4 + 'alice: /offer post give:"1 tg" for:10m\nbob: press "Accept"\nwait 11m\n',
        ("bob.dm", "alice.table"),
    ),
    Scene(
        "ti4-gone-yes",
        TI4 + 'alice: /offer post give:"1 tg"\nbob: press "Accept"\nalice: /turn end\n'
        "bob: /turn start\n",
        ("bob.dm",),
    ),
    Scene(
        "ti4-uncovered",
        TI4 + 'bob: /offer post to:@carol give:"1 c" want:"1 tg"\n'
        'carol: press "Agree" on "You get"\ncarol: /holdings spend goods:"3 tg"\nalice: /turn end\n'
        "bob: /turn start\n",
        ("carol.dm", "bob.dm"),
    ),
    Scene("ti4-paused", TI4 + OFFER + "alice: /table pause\n", ("bob.table",)),
    Scene(
        "ti4-confirm",
        TI4
        + 'bob: /offer post to:@carol give:"1 c" want:"1 tg"\ncarol: press "Agree" on "You get"\n'
        'alice: /turn end\nbob: /turn start\nbob: press "Confirm"\n',
        ("carol.dm", "bob.dm"),
    ),
    Scene(
        "ti4-backed-out",
        'alice: /table open game:ti4 name:"Friday night"\nalice: /table sit seat:hacan\n'
        'bob: /table sit seat:sol\nalice: /holdings set player:@alice goods:"5 tg"\n'
        'alice: /offer post to:@bob give:"2 tg"\nalice: /turn start\nbob: press "Accept"\n'
        'alice: press "Back out"\n',
        ("bob.dm", "alice.dm"),
    ),
    Scene("ti4-asked-again", ASKED_AGAIN, ("bob.table",)),
    Scene(
        "ti4-left-the-server",
        TI4 + 'bob: leaves server\nalice: says "@Bourse 1 tg to bob for 1 c"\n'
        'alice: press "See it"\nalice: press "Offer it"\n',
        ("carol.table",),
    ),
    Scene(
        "ti4-trade",
        TI4 + 'alice: press "Menu" on "Action phase"\nalice: press "Play the Trade card"\n'
        'alice: press "Bob"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-trade-played",
        TI4 + 'alice: press "Menu" on "Action phase"\nalice: press "Play the Trade card"\n'
        'alice: press "Bob"\nalice: press "Play Trade: Bob"\n',
        ("bob.table",),
    ),
    Scene(
        "ti4-agenda",
        TI4 + 'alice: /phase set phase:agenda\nalice: press "Agenda"\nalice: press "Reveal"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-pillage",
        TI4.replace("seat:xxcha", "seat:mentak") + 'bob: /offer post to:@alice give:"1 c" '
        'want:"4 tg"\nalice: press "Accept"\n',
        ("carol.dm", "carol.table"),
    ),
    Scene(
        "ti4-take-back",
        TI4 + "alice: /table settings take_back:on\n" + DONE + "bob: /undo trade transaction:1\n",
        ("alice.dm", "bob.table"),
    ),
    Scene(
        "ti4-deal",
        TI4 + 'alice: /deal propose with:@bob terms:"I leave Abyz alone" when:later\n'
        'bob: press "Agree"\nalice: /deal broken deal:1\nalice: /deal list\n',
        ("alice.table", "bob.dm"),
    ),
    Scene(
        "ti4-negotiation",
        TI4 + 'alice: /negotiate open with:@bob topic:"the plan"\n'
        'alice: in thread /offer post give:"3 tg" terms:"between us"\nbob: press "Accept"\n'
        "bob: in thread /negotiate close\n",
        ("alice.thread", "alice.table", "bob.dm"),
    ),
    Scene("ti4-closed-dms", TI4 + "bob: closes dms\n" + OFFER, ("alice.table", "bob.table")),
    Scene("ti4-history", TI4 + DONE + "alice: /history\n", ("alice.table",)),
    Scene(
        "ti4-details",
        TI4 + DONE + 'alice: /history offer:1\nalice: press "Details"\n',
        ("alice.table",),
    ),
    Scene(
        "ti4-offer-history",
        TI4 + DONE + 'alice: press "More…" on "transaction 1"\nalice: press "Details"\n',
        ("alice.dm",),
    ),
    Scene("ti4-audit", TI4 + DONE + "alice: /audit ledger\n", ("alice.table",)),
    Scene(
        "ti4-audit-trade",
        TI4 + DONE + "alice: /audit trade number:1\n",
        ("alice.table",),
    ),
    Scene(
        "ti4-audit-player",
        TI4 + DONE + "alice: /audit player player:@bob\n",
        ("alice.table",),
    ),
    Scene("ti4-verify", TI4 + "alice: /audit verify\n", ("alice.table",)),
    Scene(
        "ti4-correction",
        TI4 + 'alice: /audit correct player:@bob goods:"4 tg" reason:"miscounted"\n',
        ("alice.table", "bob.dm"),
    ),
    Scene("ti4-rule", TI4 + "alice: /rules show number:94.1\n", ("alice.table",)),
    Scene(
        "ti4-closing",
        TI4 + DONE + "alice: /table close sure:yes\n",
        ("alice.table",),
    ),
    Scene(
        "ti4-closed",
        TI4 + DONE + "alice: /table close sure:yes\nwait 11m\n",
        ("alice.table",),
    ),
    # ------------------------------------------------------------ setting a table up
    Scene("no-table-yet", "alice: /trade\n", ("alice.table",)),
    Scene("set-up-game", 'alice: /help\nalice: press "Set up a table"\n', ("alice.table",)),
    Scene(
        "set-up-asks",
        TI4 + 'alice: /table close sure:yes\nalice: /help\nalice: press "Set up a table"\n',
        ("alice.table",),
    ),
    Scene("set-up", 'alice: /table open game:ti4 name:"Friday night"\n', ("alice.table",)),
    Scene(
        "set-up-seats",
        'alice: /table open game:ti4 name:"Friday night"\n',
        ("alice.table",),
        ("alice", "Take a seat"),
    ),
    Scene("set-up-neighbours", SEATED, ("alice.table", "alice.dm")),
    Scene(
        "set-up-order",
        SEATED + 'alice: press "You sit otherwise"\nalice: press "Alice"\n',
        ("alice.table",),
    ),
    Scene("ti4-leave", TI4 + 'bob: press "Menu"\nbob: press "Leave…"\n', ("bob.table",)),
    Scene("ti4-deal-with", TI4 + 'bob: press "Menu"\nbob: press "Deal…"\n', ("bob.table",)),
    Scene(
        "ti4-deal-form",
        TI4 + 'bob: press "Menu"\nbob: press "Deal…"\n',
        ("bob.table",),
        ("bob", "Alice (Hacan)"),
    ),
    Scene(
        "ti4-permit",
        TI4 + 'alice: press "Menu"\nalice: press "Host…"\n',
        ("alice.table",),
        ("alice", "Permit…"),
    ),
    Scene("ti4-set-up-cards", SIX + FIVE_CARDS, ("bob.table",)),
    Scene(
        "ti4-strategy-phase",
        SIX + FIVE_CARDS + SIX_PASS + 'alice: press "Next round"\n',
        ("bob.table",),
    ),
    Scene(
        "ti4-strategy-cards",
        SIX
        + FIVE_CARDS
        + SIX_PASS
        + 'alice: press "Next round"\nalice: press "5 Trade"\nbob: press "6 Warfare +1 tg"\n'
        + 'alice: press "Menu"\nalice: press "Host…"\nalice: press "Strategy cards…"\n',
        ("bob.table", "alice.table"),
    ),
    Scene(
        "ti4-order-by-cards",
        SIX + FIVE_CARDS + 'fay: press "2 Diplomacy"\n',
        ("bob.table",),
    ),
    Scene("ti4-status-phase", SIX + FIVE_CARDS + SIX_PASS, ("bob.table",)),
    Scene("set-up-change", SEATED + 'alice: press "Change…"\n', ("alice.table",)),
    Scene(
        "set-up-whose-goods",
        SEATED + 'alice: press "Change…"\nalice: press "Enter goods"\n',
        ("alice.table",),
    ),
    Scene(
        "set-up-option",
        SEATED + 'alice: press "Change…"\nalice: press "Which boxes do you play with?"\n',
        ("alice.table",),
    ),
    # ------------------------------------------------------------ for everybody
    Scene("newcomer", TI4, ("bob.dm",)),
    Scene("paused", TI4 + OFFER + 'alice: /table pause\nbob: press "Accept"\n', ("bob.table",)),
    Scene(
        "next-time",
        TI4 + 'alice: /table pause\nalice: /table remind when:"in 3 days 19:30" zone:Berlin\n'
        'alice: press "Yes, then"\nbob: press "Coming"\nwait 71h\nwait 2h\n',
        ("alice.table", "bob.dm"),
    ),
    Scene(
        "next-time-form", TI4 + "alice: /table pause\n", ("alice.table",), ("alice", "Remind us…")
    ),
    Scene(
        "same-table-again",
        TI4 + "alice: /table close sure:yes\nwait 11m\nalice: /table again\n",
        ("bob.table",),
    ),
    Scene(
        "same-table-again-asks",
        TI4 + "alice: /table close sure:yes\nalice: /table again\n",
        ("alice.table",),
    ),
    Scene(
        "evenings",
        EVENING + "alice: /table close sure:yes\nwait 11m\nbob: /evenings\n",
        ("bob.table",),
    ),
    Scene("evening", EVENING + "alice: /table close sure:yes\nwait 11m\n", ("bob.table",)),
    Scene("help", "alice: /help\n", ("alice.table",)),
    Scene("help-at-a-table", TI4 + "alice: /help\n", ("alice.table",)),
    Scene("help-topic", "alice: /help topic:offers\n", ("alice.table",)),
    Scene("about", "alice: /about\n", ("alice.table",)),
    Scene("pings", TI4 + "alice: /pings\n", ("alice.table",)),
    Scene(
        "privacy",
        TI4 + "alice: /table close sure:yes\nwait 11m\nalice: /privacy\n",
        ("alice.table",),
    ),
    Scene(
        "privacy-me",
        TI4 + "alice: /table close sure:yes\nwait 11m\nalice: /privacy forget:me\n",
        ("alice.table",),
    ),
    Scene(
        "privacy-table",
        TI4 + "alice: /table close sure:yes\nwait 11m\nalice: /privacy forget:table\n",
        ("alice.table",),
    ),
    # ------------------------------------------------------------ Advanced Civilization
    Scene(
        "advciv-board",
        ADVCIV + "carol: /offer post want:silver\n" + HIDDEN,
        ("alice.table", "carol.table"),
    ),
    Scene(
        "advciv-compose-empty",
        ADVCIV + 'alice: press "New offer"\nalice: press "Bob (Crete)"\n',
        ("alice.table",),
    ),
    Scene("advciv-offer", ADVCIV + HIDDEN, ("alice.table", "bob.dm", "alice.dm")),
    Scene(
        "advciv-counter",
        ADVCIV + HIDDEN + 'bob: press "Counter"\nbob: choose "Bronze", "Salt", "Salt"\n',
        ("bob.dm",),
    ),
    Scene(
        "advciv-hand-over",
        ADVCIV + HIDDEN + 'bob: press "Agree"\n',
        ("bob.dm", "alice.dm", "carol.table"),
    ),
    Scene(
        "advciv-for-everybody",
        ADVCIV + 'alice: /offer post give:"2 salt, ?" want:"2 grain, ?"\n'
        'bob: /offer hand offer:1 cards:"2 grain, iron"\n',
        ("bob.table", "alice.dm", "bob.dm"),
    ),
    Scene("advciv-two-takers", TWO_TAKERS, ("alice.dm", "carol.dm")),
    Scene(
        "advciv-missed",
        TWO_TAKERS + 'alice: /offer hand offer:1 cards:"2 salt, hides"\n',
        ("carol.dm", "alice.dm", "bob.dm", "carol.table"),
    ),
    Scene(
        "advciv-one-left",
        TWO_TAKERS + 'carol: /offer hand offer:1 cards:"2 grain, oil"\n'
        'alice: /offer hand offer:1 cards:"2 salt, hides"\ncarol: /offer decline offer:1\n',
        ("alice.dm",),
    ),
    Scene(
        "advciv-back-out",
        ADVCIV + HIDDEN + 'bob: press "Agree"\nbob: press "Back out"\n',
        ("alice.dm", "bob.dm"),
    ),
    Scene("advciv-asked-in-the-channel", BOB_LOSES_A_CARD, ("bob.table",)),
    Scene(
        "advciv-answered",
        BOB_LOSES_A_CARD + 'bob: press "Let them take it"\n',
        ("bob.table", "carol.dm"),
    ),
    Scene(
        "advciv-new-offer",
        ADVCIV + "bob: /offer post want:silver\nalice: /trade with:@bob\n",
        ("alice.table",),
    ),
    Scene("advciv-compose", ADVCIV + COMPOSED, ("alice.table",)),
    Scene(
        "advciv-said",
        ADVCIV + 'alice: in dm says "2 salt, grain to bob for 2 iron, ?"\n',
        ("alice.dm",),
    ),
    Scene(
        "advciv-composed",
        ADVCIV + COMPOSED + 'alice: press "Offer it, hand over Grain, Oil, Epidemic"\n',
        ("alice.table", "bob.dm"),
    ),
    Scene(
        "advciv-hand-over-details",
        ADVCIV + HIDDEN + 'bob: press "Agree"\nbob: press "Details"\n',
        ("bob.dm",),
    ),
    Scene(
        "advciv-hand-over-chosen",
        ADVCIV + HIDDEN + 'bob: press "Agree"\nbob: choose "Salt", "Salt", "Bronze"\n',
        ("bob.dm",),
    ),
    Scene("advciv-hand", ADVCIV + "alice: /cards hand\n", ("alice.table",)),
    Scene(
        "advciv-gained",
        ADVCIV + 'alice: /holdings gain goods:"2 salt, treachery"\n',
        ("alice.table",),
    ),
    Scene(
        "advciv-refused",
        ADVCIV + 'alice: /offer post to:@bob give:"grain" want:"salt"\n',
        ("alice.table",),
    ),
    Scene(
        "advciv-closed-dms",
        ADVCIV.replace("alice: /trading", "bob: closes dms\nalice: /trading") + HIDDEN,
        ("bob.table", "alice.table"),
    ),
    Scene(
        "advciv-calamities",
        ADVCIV + "alice: /trading close\nalice: /calamities show\n",
        ("alice.table", "carol.dm"),
    ),
    Scene(
        "any-board",
        SHOPS + 'alice: press "Event: income"\nalice: press "Menu"\nalice: press "Host…"\n',
        ("alice.table",),
    ),
    Scene(
        "any-rules",
        'alice: /table open game:any\nalice: press "Settlers\' island"\nalice: press "Change…"\n'
        'alice: press "Change the rules"\n',
        ("alice.table",),
    ),
    Scene("any-ring", SUMMIT + 'alice: press "Menu"\nalice: /table show\n', ("alice.table",)),
    Scene(
        "any-seats",
        'alice: /table open game:any\nalice: press "Summit of thirty"\n',
        ("alice.table",),
        ("alice.table", "Take a seat"),
    ),
)


class Broken(Exception):
    """A line of a scene did not do what it should; the text says which, and why."""


@asynccontextmanager
async def played(scene: Scene, folder: Path) -> AsyncIterator[Performance]:
    """Play a scene, and give the stage as it is then. Raises `Broken`."""
    play = read_play(scene.steps, scene.name)
    async with performed(
        play, f"sqlite:///{folder}/{scene.name}.db", factory=on_a_copy
    ) as performance:
        performance.stage.display = str.title
        for step in play.steps:
            for line in await performance.take(step):
                if not line.ok:
                    raise Broken(f"line {line.line}, {line.text.strip()}: {line.reason}")
        if scene.presses is not None and not performance.stage.has(*scene.presses):
            raise Broken(f"{scene.presses[0]} sees no button {scene.presses[1]}")
        yield performance


def place_of(places: Places, key: str) -> Place:
    """Return a place where a scene looks. Raises `Broken`."""
    who, _, kind = key.partition(".")
    found = [each for each in places if each.who == who and each.kind == kind]
    if not found:
        raise Broken(f"there is no place {key}")
    return found[-1]
