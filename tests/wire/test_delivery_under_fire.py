"""What people must come to see whatever Discord does: each message has its own fate, everything owed arrives, once."""

from __future__ import annotations

import asyncio
import math
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.process import START_WITHIN
from tests.loopback.world import CHANNEL, GUILD, guild_on
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Ledger, Online

pytestmark = pytest.mark.wire

DELIVERY = r"^/(channels|users/@me/channels)"
SENT = r"^/channels/\d+/messages$"
CALLBACK = r"/callback$"


def dm_of(discord: Loopback, person: Person) -> str:
    """The path below which messages to this person's DMs are."""
    return rf"^/channels/{discord.world.dm_with(str(person.id))}/messages"


def seen(discord: Loopback, person: Person, text: str, *, at: str = "") -> list[screen.Json]:
    """The messages this person sees that hold this text, in one channel if it is named; no replies."""
    return [
        message
        for message in discord.world.visible(person)
        if text in screen.text_of(message) and at in ("", message["channel_id"]) and not screen.is_ephemeral(message)
    ]


def by_dm(discord: Loopback, person: Person, text: str) -> list[screen.Json]:
    return seen(discord, person, text, at=discord.world.dm_with(str(person.id)))


def boards(discord: Loopback) -> list[screen.Json]:
    """The messages in the channel that have the board's buttons."""
    return [message for message in seen(discord, ALICE, "", at=CHANNEL) if "End turn" in screen.labels(message)]


# ---------------------------------------------------------------- each message has its own fate


REFUSALS = ((400, 50033), (400, 50035), (400, 20026), (400, 40003), (404, 10013), (500, 0))


async def test_one_refused_message_delays_no_other(discord: Loopback, online: Online, recorded: Ledger) -> None:
    """At a table for each refusal, which meets all DMs to one of its two players."""
    channels = [CHANNEL, *(discord.world.add_channel(GUILD) for _ in REFUSALS[1:])]
    async with online():
        for number, ((status, code), at) in enumerate(zip(REFUSALS, channels, strict=True), start=1):
            alice, bob = Person(100 + number, f"alice{number}"), Person(200 + number, f"bob{number}")
            await sit_down(discord, alice, bob, at=at)
            await discord.quiet()
            refused = discord.fail("POST", dm_of(discord, bob), status, code=code, times=math.inf)
            await discord.slash("offer post", user=alice, to=bob, give="1 tg", at=at)
            await discord.slash("offer post", user=bob, to=alice, give="1 c", at=at)
            await discord.until(lambda: by_dm(discord, alice, "Offer 2"))  # noqa: B023
            await discord.until(lambda: seen(discord, bob, "Offer 1", at=at))  # noqa: B023
            await discord.press("Accept", user=bob, on="Offer 1")
            assert recorded("offer.transaction") == ["offer.transaction"] * number, (status, code)
            await discord.until(lambda: by_dm(discord, alice, "transaction 1"))  # noqa: B023
            refused.over()


async def test_an_archived_thread_does_not_silence_the_table(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        await discord.slash("negotiate open", user=ALICE, with_=BOB)
        await discord.until(discord.world.threads)
        (thread,) = discord.world.threads()
        await discord.until(lambda: seen(discord, BOB, "", at=thread))
        discord.world.archive(thread)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", at=thread)
        await discord.slash("offer post", user=ALICE, to=BOB, give="2 tg")
        await discord.until(lambda: by_dm(discord, BOB, "Offer 2"))
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))


async def test_a_deleted_thread_leaves_the_dms(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        await discord.slash("negotiate open", user=ALICE, with_=BOB)
        await discord.until(discord.world.threads)
        (thread,) = discord.world.threads()
        await discord.quiet()
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", at=thread)
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        discord.world.remove_channel(thread)
        await discord.press("Accept", user=BOB, on=by_dm(discord, BOB, "Offer 1")[0])
        await discord.until(lambda: by_dm(discord, ALICE, "transaction 1"))


async def test_a_deleted_channel_leaves_the_dms(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        await discord.quiet()
        discord.world.remove_channel(CHANNEL)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", dm=True)
        card = await discord.sees(BOB, "Offer 1", button="Accept", dm=True)
        await discord.press("Accept", user=BOB, on=card)
        await discord.until(lambda: by_dm(discord, ALICE, "transaction 1"))


async def test_one_server_that_threw_us_out_stops_no_other(discord: Loopback, online: Online) -> None:
    elsewhere = discord.world.add_channel(guild_on(1, 2))
    carl, dora = Person(21, "carl"), Person(22, "dora")
    async with online():
        await sit_down(discord)
        await discord.slash("table open", user=carl, game="ti4", at=elsewhere)
        await discord.slash("table sit", user=carl, seat="hacan", at=elsewhere)
        await discord.slash("table sit", user=dora, seat="sol", at=elsewhere)
        await discord.quiet()
        await discord.gateway.kick(GUILD)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", dm=True)
        await discord.slash("offer post", user=carl, to=dora, give="ceasefire", at=elsewhere)
        await discord.until(lambda: seen(discord, dora, "Offer 1"))
        await discord.quiet()
        closed = [call for call in discord.calls if call.path.startswith(f"/channels/{CHANNEL}/")]
        await asyncio.sleep(3)
        more = [call for call in discord.calls if call.path.startswith(f"/channels/{CHANNEL}/")]
        assert len(more) - len(closed) <= 2, "what is closed to us is not asked again and again"


async def test_a_ping_that_is_refused_too_delays_no_other(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        await discord.quiet()
        discord.closed_dms.add(BOB)
        discord.world.refuse(CHANNEL, 403, 50013, "Missing Permissions")
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", dm=True)
        await discord.slash("offer post", user=BOB, to=ALICE, give="1 c", dm=True)
        await discord.until(lambda: by_dm(discord, ALICE, "Offer 2"))
        discord.closed_dms.clear()
        discord.world.readmit(CHANNEL)
        await discord.slash("offer post", user=ALICE, to=BOB, give="2 tg")
        await discord.until(lambda: by_dm(discord, BOB, "Offer 3"))


# ---------------------------------------------------------------- everything owed arrives, nobody acting


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_what_a_burst_of_errors_kept_back_arrives_by_itself(
    discord: Loopback, online: Online, status: int
) -> None:
    async with online():
        await sit_down(discord)
        await discord.quiet()
        async with discord.burst(status, path=DELIVERY):
            await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
            await discord.slash("offer post", user=BOB, to=ALICE, give="1 c")
            await asyncio.sleep(1)
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1") and by_dm(discord, ALICE, "Offer 2"))
        await discord.until(lambda: all(seen(discord, BOB, f"Offer {n} ·", at=CHANNEL) for n in (1, 2)))
        await discord.until(lambda: any("#2" in screen.text_of(board) for board in boards(discord)))


async def test_what_was_sent_though_discord_said_503_is_there_once(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        await discord.quiet()
        async with discord.burst(503, path=DELIVERY, effect=True):
            await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
            await asyncio.sleep(1)
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        await discord.quiet(1.5)
        assert len(by_dm(discord, BOB, "Offer 1")) == 1
        assert len(seen(discord, BOB, "Offer 1 ·", at=CHANNEL)) == 1


async def test_a_limit_over_all_routes_is_waited_for(discord: Loopback, online: Online) -> None:
    async with online():
        await sit_down(discord)
        await discord.quiet()
        discord.fail("POST", SENT, 429, times=2, retry_after=1.0).overall = True
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        assert len(by_dm(discord, BOB, "Offer 1")) == 1


async def test_a_crowded_market_stays_below_the_limits(discord: Loopback, online: Online) -> None:
    discord.limits.enforced = True
    async with online():
        await sit_down(discord)
        for number in range(1, 13):
            await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", terms=f"number {number}")
        await discord.until(lambda: by_dm(discord, BOB, "number 12"))
        await discord.until(lambda: all(seen(discord, BOB, f"Offer {n} ·", at=CHANNEL) for n in range(1, 13)))
        assert sum(discord.limits.refused.values()) == 0, discord.limits.refused


async def test_a_card_that_somebody_deleted_is_there_again_after_the_next_change(
    discord: Loopback, online: Online
) -> None:
    async with online():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        await discord.until(lambda: seen(discord, BOB, "Offer 1 ·", at=CHANNEL))
        await discord.quiet()
        discord.world.delete(seen(discord, BOB, "Offer 1 ·", at=CHANNEL)[0]["id"])
        await discord.slash("offer alter", user=ALICE, offer=1, give="2 tg")
        await discord.until(lambda: seen(discord, BOB, "Offer 1 · alice (Hacan) → bob (Sol) · revision 2", at=CHANNEL))
        assert len(seen(discord, BOB, "Offer 1 ·", at=CHANNEL)) == 1


# ---------------------------------------------------------------- once


async def test_a_crash_that_outlasts_the_nonces_doubles_nothing(discord: Loopback, online: Online) -> None:
    discord.world.nonces_last = 0.0
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet(1.5)  # a board may wait a second, and is not what is to be held
        held = discord.hold("POST", SENT, late=True)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", want="2 c", wait=False)
        await held.arrived.wait()
        await bot.kill()
    async with online():
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        await discord.quiet(1.0)
        assert len(by_dm(discord, BOB, "Offer 1")) == 1
        assert len(seen(discord, BOB, "Offer 1 ·", at=CHANNEL)) == 1


async def test_a_result_is_told_once_after_a_crash_that_outlasts_the_nonces(discord: Loopback, online: Online) -> None:
    discord.world.nonces_last = 0.0
    async with online() as bot:
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg")
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        await discord.quiet()
        held = discord.hold("POST", dm_of(discord, ALICE), late=True)
        await discord.press("Accept", user=BOB, on=by_dm(discord, BOB, "Offer 1")[0], wait=False)
        await held.arrived.wait()
        await bot.kill()
    async with online():
        await discord.quiet(1.0)
        assert len(by_dm(discord, ALICE, "· transaction 1 ·")) == 1


async def test_a_command_whose_reply_was_the_card_leaves_one_card_after_a_crash(
    discord: Loopback, online: Online
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.quiet()
        held = discord.hold("POST", CALLBACK, late=True)
        await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg", wait=False)
        await held.arrived.wait()
        await bot.kill()
    async with online():
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        await discord.quiet(1.0)
        assert len(seen(discord, BOB, "Offer 1 ·", at=CHANNEL)) == 1


@pytest.mark.parametrize("route", [("DELETE", r"/messages/\d+$"), ("PATCH", r"/messages/\d+$"), ("POST", SENT)])
@pytest.mark.parametrize("late", [False, True], ids=["before its effect", "after its effect"])
async def test_a_board_that_was_replaced_has_no_buttons(
    discord: Loopback, online: Online, route: tuple[str, str], *, late: bool
) -> None:
    async with online() as bot:
        await sit_down(discord)
        await discord.until(lambda: boards(discord))
        await discord.quiet(1.5)
        held = discord.hold(*route, late=late)
        await discord.slash("turn start", user=ALICE, player=BOB, wait=False)
        arriving = asyncio.create_task(held.arrived.wait())
        await asyncio.wait([arriving, asyncio.create_task(discord.quiet(1.5))], return_when=asyncio.FIRST_COMPLETED)
        if not arriving.done():
            held.over()  # the bot does without such a request
            arriving.cancel()
        discord.world.nonces_last = 0.0
        await bot.kill()
    async with online():
        await discord.until(lambda: boards(discord))
        await discord.quiet(1.5)
        assert len(boards(discord)) == 1


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("effect", [False, True], ids=["in vain", "though it was taken"])
async def test_an_answer_that_met_an_error(
    discord: Loopback, online: Online, recorded: Ledger, *, effect: bool, times: int
) -> None:
    async with online():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        card = await discord.sees(BOB, "Offer 1", button="Accept", dm=True)
        discord.fail("POST", CALLBACK, 503, effect=effect, times=times)
        accepted = await discord.press("Accept", user=BOB, on=card, wait=False)
        await discord.until(lambda: by_dm(discord, ALICE, "transaction 1"))
        assert recorded("offer.transaction") == ["offer.transaction"]
        await discord.until(lambda: accepted.answered_at is not None)
        told = {m["id"] for m in discord.world.visible(BOB) if "· transaction 1 ·" in screen.text_of(m)}
        assert len(told) == 1


async def test_a_locked_database_is_answered_in_time(
    discord: Loopback, online: Online, recorded: Ledger, tmp_path: Path
) -> None:
    async with online(constants={"cogs.answers:DEFER_AFTER": 1.5}):
        await sit_down(discord)
        await discord.quiet()
        with closing(sqlite3.connect(tmp_path / "bourse.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            posted = await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", wait=False)
            await discord.until(lambda: posted.answered_at is not None)
            other.execute("ROLLBACK")
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        assert recorded("offer.posted") == ["offer.posted"]
        await discord.until(lambda: len(seen(discord, BOB, "Offer 1 ·", at=CHANNEL)) == 1)


# ---------------------------------------------------------------- the gateway


@pytest.mark.parametrize("what", ["reconnect", "resumable", "not resumable"])
async def test_the_gateway_asks_us_to_come_again(discord: Loopback, online: Online, what: str) -> None:
    async with online():
        await sit_down(discord)
        await discord.quiet()
        before = discord.gateway.identified + discord.gateway.resumed
        if what == "reconnect":
            await discord.gateway.reconnect()
        else:
            await discord.gateway.invalidate(resumable=what == "resumable")
        await discord.until(lambda: discord.gateway.identified + discord.gateway.resumed > before)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        await discord.until(lambda: by_dm(discord, BOB, "Offer 1"))
        assert len(by_dm(discord, BOB, "Offer 1")) == 1


async def test_a_connection_that_fell_silent_is_noticed(discord: Loopback, online: Online) -> None:
    discord.gateway.heartbeats = 1000
    async with online(constants={"bot.app:SILENT_FOR": 4.0}):
        await sit_down(discord)
        discord.gateway.fall_silent()
        await discord.until(lambda: discord.gateway.resumed, START_WITHIN)
        await discord.quiet(1.0)  # a machine that is busy may have it connect more than once
        shown = await discord.slash("holdings show", user=ALICE)
        assert "Trade goods: 5" in shown.text.replace("*", "")
