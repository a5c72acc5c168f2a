"""A first table of Advanced Civilization for the rehearsal: four nations with hands, and trading open."""

from __future__ import annotations

from bot.api import Rehearsal, RehearsalSeat, Try

REHEARSAL = Rehearsal(
    channel="market",
    seats={
        "alice": RehearsalSeat("egypt", "Egypt", "3 salt, grain, oil, silver, epidemic"),
        "bob": RehearsalSeat("crete", "Crete", "3 grain, 2 salt, iron, bronze"),
        "carol": RehearsalSeat("babylon", "Babylon", "2 oil, 2 iron, hides, cloth, famine"),
        "dave": RehearsalSeat("italy", "Italy", "2 silver, bronze, gems, ochre, timber"),
    },
    begins=(("alice", "trading open", {"minutes": 60}),),
    tries=(
        Try(
            "alice.table",
            "offer post",
            (("to", "Bob", True), ("give", "grain, oil, ? (silver)", False), ("want", "2 salt, ?", False)),
            "Bob accepts in his DM; then both hand over. What the third card really is, Alice alone decides.",
        ),
        Try(
            "carol.table",
            "offer post",
            (("want", "silver", False),),
            "A wish, open to all. Dave can answer it with Counter.",
        ),
        Try("bob.table", "cards sets", (("mining", "bronze", False),), "What Bob's sets are worth, with Mining."),
    ),
)
