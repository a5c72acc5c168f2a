"""The rehearsal's table: four people on the settlers' island, and what to try there."""

from __future__ import annotations

from bot.api import Rehearsal, RehearsalSeat, Tap, Try

REHEARSAL = Rehearsal(
    channel="own-game",
    chooses=(("alice", "any use", {"preset": "island"}),),
    seats={
        "alice": RehearsalSeat("Red", "Red", ""),
        "bob": RehearsalSeat("Blue", "Blue", ""),
        "carol": RehearsalSeat("White", "White", ""),
        "dave": RehearsalSeat("Orange", "Orange", ""),
    },
    begins=(
        ("alice", "any begin", {}),
        ("alice", "holdings gain", {"goods": "3 bricks"}),
        ("bob", "holdings gain", {"goods": "3 ore"}),
    ),
    tries=(
        Tap("alice.table", ("New offer", "Bob"), "Then say what you give, and what you want."),
        Tap("alice.table", ("Menu", "Host…", "Change the rules"), "The rules, as questions."),
        Try(
            "bob.table",
            "any show",
            (),
            "The whole text. Alice can send another one, as a file: /any text.",
        ),
    ),
)
