"""The people of the wire tests, and the table they sit at."""

from __future__ import annotations

from tests.loopback.loopback import Loopback
from tests.loopback.people import MODERATOR, Person
from tests.loopback.world import CHANNEL

ALICE, BOB = Person(11, "alice"), Person(12, "bob")
CAROL = Person(13, "carol", MODERATOR)


async def sit_down(
    discord: Loopback, alice: Person = ALICE, bob: Person = BOB, *, at: str = CHANNEL
) -> None:
    """Alice is the Hacan with 5 trade goods, Bob is Sol with 2 commodities, and it is Alice's
    turn.
    """
    await discord.slash("table open", user=alice, game="ti4", at=at)
    await discord.slash("table sit", user=alice, seat="hacan", at=at)
    await discord.slash("table sit", user=bob, seat="sol", at=at)
    await discord.slash("holdings set", user=alice, player=alice, goods="5 tg", at=at)
    await discord.slash("holdings set", user=alice, player=bob, goods="2 c", at=at)
    await discord.slash("turn start", user=alice, player=alice, at=at)
