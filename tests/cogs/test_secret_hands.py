"""Hands are secret [27.4]: two worlds that differ only in what a player may not know look the same to that player.

Two bots on two databases go through the same random evening. Where others act among themselves, the worlds differ:
in their hands, in what they offer one another, say and hand over, in the order of the stacks. Everything that one
player sees, is offered while typing or can download as a file must be the same, and so must what the bot logs.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.cogs.secret_evening import Script
from tests.cogs.two_worlds import HOST, SEATS, two_worlds
from tests.scale import SCALE, seeds

pytestmark = pytest.mark.slow

ACTIONS = 50
"""Actions in each evening, beside what is looked at when it ends."""

# ---------------------------------------------------------------- the evenings


@pytest.mark.parametrize("seed", seeds(4 * SCALE))
def test_a_player_cannot_tell_worlds_apart_by_what_others_hold(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    """The cards lie on the table, or the bot deals, or it begins to deal later. The viewer is the host or another."""
    random = Random(seed)
    viewer = HOST if seed % 2 else random.choice([name for name in SEATS if name != HOST])
    with two_worlds(tmp_path, viewer, caplog) as worlds:
        script = Script(worlds, random)
        if seed % 4 == 3:
            worlds.types(HOST, "table settings", {"rulings": "warn", "name_calamities": "yes"})
        if seed % 3 != 1:
            script.set_hands()
        if seed % 3 != 0:
            script.deal()
        worlds.types(HOST, "trading open", {"minutes": "20", "anyway": "yes"})
        script.promise_twice()
        for count in range(ACTIONS):
            if count == ACTIONS // 2:
                script.restart()
            script.act()
        script.look_about()
        worlds.types(HOST, "trading close")
        one, other = worlds.tables()
        assert any(one.seats[seat].holdings != other.seats[seat].holdings for seat in SEATS.values())
        assert one.offers_posted > 10
        assert one.transactions


# ---------------------------------------------------------------- former leaks


def test_nobody_sees_that_what_another_handed_over_is_gone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Bob has promised the same card twice in the one world, and takes no DMs."""
    with two_worlds(tmp_path, "dave", caplog) as worlds:
        for who, hand in (("bob", "2 salt, 2 iron, hides, oil"), ("carol", "3 iron"), ("erin", "3 cloth")):
            worlds.hold(who, hand)
        worlds.types(HOST, "trading open")
        first = {"to": "@carol", "give": "2 salt, ?", "want": "3 iron"}
        worlds.types("bob", "offer post", *(first | {"hand": hand} for hand in ("2 salt, oil", "2 salt, hides")))
        second = {"to": "@erin", "give": "2 iron, ?", "want": "3 cloth", "hand": "2 iron, oil"}
        worlds.types("bob", "offer post", second)
        worlds.dms("bob", opened=False)
        worlds.types("erin", "offer hand", {"offer": "2", "cards": "3 cloth"})


def test_a_host_who_plays_cannot_tell_how_many_cards_were_traded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the table only warns, two cards a side can be traded."""
    with two_worlds(tmp_path, HOST, caplog) as worlds:
        worlds.types(HOST, "table settings", {"rulings": "warn"})
        worlds.hold("bob", "3 salt")
        worlds.hold("carol", "3 iron")
        worlds.types(HOST, "trading open")
        sides = [("2 salt", "2 iron"), ("3 salt", "3 iron")]
        worlds.types("bob", "offer post", *({"to": "@carol", "give": give, "want": want} for give, want in sides))
        worlds.types("carol", "offer hand", *({"offer": "1", "cards": want} for _, want in sides))
        worlds.types("bob", "offer hand", *({"offer": "1", "cards": give} for give, _ in sides))
        assert worlds.tables()[0].transactions == 1
        worlds.types(HOST, "audit trade", {"number": "1"})
