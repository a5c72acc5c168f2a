"""Counts the requests of each act: `python -m tests.soak.timing`. `make bench` measures how soon
the other knows.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import MODERATOR, Person
from tests.loopback.process import connected
from tests.loopback.world import CHANNEL
from tests.tools.bench.requests import Cost, cost
from tests.wire.club import ALICE, BOB, CAROL, sit_down

SETTLED = 1.4  # seconds without a request; a board may wait a second
# seconds without a request after which none waits for a channel's limit of five in five seconds
DRAINED = 5.5


async def acts(
    discord: Loopback,
    found: list[Cost],
    name: str,
    allowed: int,
    what: Callable[[], Awaitable[object]],
) -> None:
    """Do something, and add its requests to those found."""
    before = len(discord.calls)
    await what()
    await discord.quiet(SETTLED)
    found.append(cost(name, allowed, discord.calls[before:]))


async def costs(folder: Path, *, standing: int = 10) -> list[Cost]:
    """What each act of a turn costs, while so many other offers stand."""
    found: list[Cost] = []
    # else a slow machine would draw such cards again at acts that are further apart
    constants = {"bot.delivery.send:REDRAWN_EVERY": 600.0}
    async with (
        Loopback.running() as discord,
        connected(discord, folder, _database(folder), aloud=False, constants=constants),
    ):
        await sit_down(discord)
        await discord.slash("holdings set", user=ALICE, player=ALICE, goods="50 tg")
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")  # now both DMs are known
        await discord.slash("offer post", user=BOB, to=ALICE, give="1 c")
        for number in range(standing):  # half of them by each: nobody has more than 12 to all
            poster: dict[str, Any] = (
                {"user": ALICE, "give": "1 tg"} if number % 2 else {"user": BOB}
            )
            await discord.slash("offer post", **poster, want="1 c", terms=f"{number}")
        await discord.quiet(DRAINED)

        act = partial(acts, discord, found)
        last = standing + 3
        await act(
            "post to one", 3, lambda: discord.slash("offer post", user=ALICE, to=BOB, give="3 tg")
        )
        counter = {"user": BOB, "offer": last, "give": "1 c", "want": "4 tg"}
        await act("counter", 5, lambda: discord.slash("offer counter", **counter))
        card = await discord.sees(ALICE, f"Offer {last + 1}", button="Accept", dm=True)
        # Each of the two has one more offer in their DMs, which shows their goods before and after:
        # of more, at most five each would be drawn again.
        await act("accept a counter", 7, lambda: discord.press("Accept", user=ALICE, on=card))
        await act(
            "end of turn, typed", 2, lambda: discord.slash("turn start", user=ALICE, player=BOB)
        )
        await act("end of turn, pressed", 1, lambda: discord.press("End turn", user=BOB))
        await act("look at the offers", 0, lambda: discord.slash("offer list", user=BOB))
    return found


async def hidden_costs(folder: Path) -> list[Cost]:
    """What each act of a trade costs where hands are hidden and cards are handed over, with offers
    to all standing.
    """
    found: list[Cost] = []
    async with (
        Loopback.running() as discord,
        connected(discord, folder, _database(folder), aloud=False),
    ):
        await discord.slash("table open", user=ALICE, game="advciv")
        hands = {
            ALICE: ("egypt", "7 salt, 6 hides"),
            BOB: ("crete", "7 grain, 7 iron"),
            CAROL: ("italy", "6 wine"),
        }
        for person, (seat, _) in hands.items():
            await discord.slash("table sit", user=person, seat=seat)
        for person, (_, cards) in hands.items():
            await discord.slash("holdings set", user=ALICE, player=person, goods=cards)
        await discord.slash("trading open", user=ALICE)

        def offered() -> dict[str, Any]:
            """Return an offer that differs from those before, since the same one would be asked
            about.
            """
            return {
                "user": ALICE,
                "give": "2 salt, ?",
                "want": "grain, iron, ?",
                "terms": f"{len(discord.calls)}",
            }

        for _ in range(4):
            await discord.slash("offer post", **offered())
        await discord.slash("offer post", **offered(), to=BOB)  # now the DMs are known
        await discord.slash("offer counter", user=BOB, offer=5, give="2 grain, ?", want="2 salt, ?")
        await discord.quiet(DRAINED)

        act = partial(acts, discord, found)

        async def press(label: str, user: Person, offer: int) -> None:
            await discord.press(label, user=user, on=f"Offer {offer}")

        async def hand_over(user: Person, offer: int, cards: str) -> None:
            await discord.slash("offer hand", user=user, offer=offer, cards=cards)

        await act(
            "post to one, privately", 1, lambda: discord.slash("offer post", **offered(), to=BOB)
        )
        # One tells what it is worth to you.
        await act("post to all", 2, lambda: discord.slash("offer post", **offered()))
        await act("accept", 1, lambda: press("Agree", BOB, 7))
        await act("the first hands over", 1, lambda: hand_over(ALICE, 7, "2 salt, hides"))
        await act("the second hands over", 3, lambda: hand_over(BOB, 7, "grain, 2 iron"))
        await act("accept an offer to all", 1, lambda: press("Agree", BOB, 8))
        await act("post another", 1, lambda: discord.slash("offer post", **offered(), to=BOB))
        await act("decline", 1, lambda: press("Decline", BOB, 9))
        await act("post another", 1, lambda: discord.slash("offer post", **offered(), to=BOB))
        await act("withdraw", 1, lambda: discord.slash("offer withdraw", user=ALICE, offer=10))
        await act(
            "withdraw an offer to all",
            2,
            lambda: discord.slash("offer withdraw", user=ALICE, offer=4),
        )
    return found


async def bell(folder: Path, *, offers: int = 20, minute: float = 6.0) -> Cost:
    """What it takes until everybody knows that trading is over, with so many offers that stand.

    A minute of trading takes ``minute`` seconds, in which the bot comes to rest after the bell was
    set.
    """
    people = [Person(31 + number, f"trader{number}") for number in range(6)]
    seats = ("egypt", "crete", "italy", "babylon", "asia", "assyria")
    host = Person(30, "host", MODERATOR)
    constants = {"bot.games.advciv.trading:MINUTE": round(1000 * minute)}
    async with (
        Loopback.running() as discord,
        connected(discord, folder, _database(folder), aloud=False, constants=constants),
    ):
        await discord.slash("table open", user=host, game="advciv")
        for person, seat in zip(people, seats, strict=True):
            await discord.slash("table sit", user=person, seat=seat)
        await discord.slash("trading open", user=host, minutes=60)
        for number in range(offers):
            await discord.slash(
                "offer post", user=people[number % 6], want="2 salt, ?", terms=f"{number}"
            )
        await discord.quiet(DRAINED)
        await discord.slash("trading open", user=host, minutes=1)  # the bell is set anew
        await discord.quiet(SETTLED)
        before = len(discord.calls)
        await discord.until(lambda: _rung(discord, before), 90)
        return cost(f"the bell, {offers} offers", 10, discord.calls[before:])


def _rung(discord: Loopback, before: int) -> bool:
    """Whether the channel says that trading is over."""
    channel = [
        m
        for m in discord.world.messages.values()
        if m["channel_id"] == CHANNEL and not screen.is_ephemeral(m)
    ]
    return len(discord.calls) > before and any(
        "trading is over" in screen.text_of(m).lower() for m in channel
    )


def _database(folder: Path) -> str:
    return f"sqlite:///{folder / 'bourse.db'}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.timing", description=__doc__)
    parser.add_argument("--bell", action="store_true", help="the bell too")
    given = parser.parse_args()

    async def measure() -> None:
        with tempfile.TemporaryDirectory() as hidden:
            print(*await hidden_costs(Path(hidden)), sep="\n")
        with tempfile.TemporaryDirectory() as plain:
            print(*await costs(Path(plain)), sep="\n")
        if given.bell:
            with tempfile.TemporaryDirectory() as third:
                print(await bell(Path(third)))

    asyncio.run(measure())
    return 0


if __name__ == "__main__":
    sys.exit(main())
