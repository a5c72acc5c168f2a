"""How a first table of Twilight Imperium 4 is set up for the rehearsal."""

from __future__ import annotations

from bot.api import Rehearsal, RehearsalSeat, Try

_NEIGHBORS = (("alice", "bob"), ("bob", "carol"), ("carol", "dave"), ("dave", "alice"))

REHEARSAL = Rehearsal(
    channel="table",
    seats={
        "alice": RehearsalSeat("hacan", "Emirates of Hacan", "4 tg, 6 c"),
        "bob": RehearsalSeat("sol", "Federation of Sol", "2 tg, 4 c"),
        "carol": RehearsalSeat("xxcha", "Xxcha Kingdom", "3 tg, 4 c"),
        "dave": RehearsalSeat("letnev", "Barony of Letnev", "5 tg, 2 c"),
    },
    begins=(
        *(("alice", "neighbors join", {"first": f"@{one}", "second": f"@{other}"}) for one, other in _NEIGHBORS),
        ("alice", "turn start", {"player": "@alice"}),
    ),
    tries=(
        Try(
            "alice.table",
            "offer post",
            (("to", "Bob", True), ("give", "2 tg", False), ("want", "2 c", False)),
            "Then press Accept in Bob's DM, which lights up.",
        ),
        Try(
            "alice.table",
            "offer post",
            (("to", "Dave", True), ("give", "3 c", False), ("want", "3 tg", False)),
            "Dave might rather press Counter.",
        ),
        Try(
            "bob.table",
            "offer post",
            (("to", "Carol", True), ("give", "1 c", False), ("want", "1 c", False)),
            "But it is Alice's turn. See what comes of it.",
        ),
    ),
)
"""Four neighbours in a ring, each with something to trade, and Alice's turn."""
