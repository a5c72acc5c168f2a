"""The people of the wire tests, and the table they sit at."""

from __future__ import annotations

from tests.loopback.loopback import Loopback
from tests.loopback.people import MODERATOR, Person

ALICE, BOB = Person(11, "alice"), Person(12, "bob")
CAROL = Person(13, "carol", MODERATOR)


async def sit_down(discord: Loopback) -> None:
    """Alice is the Hacan with 5 trade goods, Bob is Sol with 2 commodities, and it is Alice's turn."""
    await discord.slash("table open", user=ALICE, game="ti4")
    await discord.slash("table sit", user=ALICE, seat="hacan")
    await discord.slash("table sit", user=BOB, seat="sol")
    await discord.slash("holdings set", user=ALICE, player=ALICE, goods="5 tg")
    await discord.slash("holdings set", user=ALICE, player=BOB, goods="2 c")
    await discord.slash("turn start", user=ALICE, player=ALICE)
