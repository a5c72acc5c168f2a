"""Tests that every message arrives once, whatever Discord does."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.process import START_WITHIN
from tests.loopback.world import CHANNEL
from tests.scale import variants
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Here, Ledger, Shared, Table

pytestmark = pytest.mark.wire
sharing = pytest.mark.asyncio(loop_scope="module")

DELIVERY = r"^/(channels|users/@me/channels)"
CALLBACK = r"/callback$"


def dm_of(discord: Loopback, person: Person) -> str:
    """The path below which messages to this person's DMs are."""
    return rf"^/channels/{discord.world.dm_with(str(person.id))}/messages"


def seen(discord: Loopback, person: Person, text: str, *, at: str = "") -> list[screen.Json]:
    """The messages this person sees that hold this text, in one channel if it is named; no
    replies.
    """
    return [
        message
        for message in discord.world.visible(person)
        if text in screen.text_of(message)
        and at in ("", message["channel_id"])
        and not screen.is_ephemeral(message)
    ]


def by_dm(discord: Loopback, person: Person, text: str) -> list[screen.Json]:
    return seen(discord, person, text, at=discord.world.dm_with(str(person.id)))


# ---------------------------------------------------------------- each message has its own fate


@sharing
@pytest.mark.parametrize(
    ("status", "code"),
    [
        *((400, 50033), (400, 50035), (400, 20026)),
        *((400, 40003), (404, 10013), (500, 0)),
    ],
)
async def test_one_refused_message_delays_no_other(table: Table, status: int, code: int) -> None:
    """All DMs to one of the two players are refused."""
    discord, alice, bob = table.discord, table.alice, table.bob
    discord.fail("POST", dm_of(discord, bob), status, code=code, times=math.inf)
    await table.slash("offer post", user=alice, to=bob, give="1 tg")
    await table.slash("offer post", user=bob, to=alice, give="1 c")
    await discord.until(lambda: by_dm(discord, alice, "Offer 2"))
    await discord.until(lambda: seen(discord, bob, "Offer 1", at=table.at))
    await discord.press("Accept", user=bob, on="Offer 1")
    assert table.recorded("offer.transaction") == ["offer.transaction"]
    await discord.until(lambda: by_dm(discord, alice, "transaction 1"))


@sharing
async def test_an_archived_thread_does_not_silence_the_table(table: Table) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    thread = await negotiating(table)
    discord.world.archive(thread)
    await discord.slash("offer post", user=alice, to=bob, give="1 tg", at=thread)
    await table.slash("offer post", user=alice, to=bob, give="2 tg")
    await discord.until(lambda: by_dm(discord, bob, "Offer 2"))
    await discord.until(lambda: by_dm(discord, bob, "Offer 1"))


@sharing
async def test_a_deleted_thread_leaves_the_dms(table: Table) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    thread = await negotiating(table)
    await discord.quiet()
    await discord.slash("offer post", user=alice, to=bob, give="1 tg", at=thread)
    await discord.until(lambda: by_dm(discord, bob, "Offer 1"))
    discord.world.remove_channel(thread)
    await discord.press("Accept", user=bob, on=by_dm(discord, bob, "Offer 1")[0])
    await discord.until(lambda: by_dm(discord, alice, "transaction 1"))


async def negotiating(table: Table) -> str:
    """Alice and Bob have a thread for themselves, with the bot's first message in it."""
    discord, before = table.discord, set(table.discord.world.threads())
    await table.slash("negotiate open", user=table.alice, with_=table.bob)
    (thread,) = await discord.until(lambda: set(discord.world.threads()) - before)
    await discord.until(lambda: seen(discord, table.bob, "", at=thread))
    return thread


@sharing
async def test_a_deleted_channel_leaves_the_dms(table: Table) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    discord.world.remove_channel(table.at)
    await discord.slash("offer post", user=alice, to=bob, give="1 tg", dm=True)
    card = await discord.sees(bob, "Offer 1", button="Accept", dm=True)
    await discord.press("Accept", user=bob, on=card)
    await discord.until(lambda: by_dm(discord, alice, "transaction 1"))


@sharing
async def test_one_server_that_threw_us_out_stops_no_other(table: Table, shared: Shared) -> None:
    discord, elsewhere = table.discord, await shared.table()
    await table.slash("offer post", user=table.alice, to=table.bob, give="1 tg")
    await discord.quiet()
    await discord.gateway.kick(table.guild)
    told = await discord.slash("offer post", user=table.alice, to=table.bob, give="2 tg", dm=True)
    assert "I am no longer on this table's server" in told.text
    before = len(discord.calls)  # one request may have been on its way before the bot knew
    await elsewhere.slash("offer post", user=elsewhere.alice, to=elsewhere.bob, give="ceasefire")
    await discord.until(lambda: seen(discord, elsewhere.bob, "Offer 1"))
    await discord.quiet()
    asked = [
        call for call in discord.calls[before:] if table.at in call.path or table.guild in call.path
    ]
    assert [call.status for call in asked] == [], "there is nothing to ask for"


@sharing
async def test_a_ping_that_is_refused_too_delays_no_other(table: Table) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    discord.closed_dms.add(bob)
    discord.world.refuse(table.at, 403, 50013, "Missing Permissions")
    await discord.slash("offer post", user=alice, to=bob, give="1 tg", dm=True)
    await discord.slash("offer post", user=bob, to=alice, give="1 c", dm=True)
    await discord.until(lambda: by_dm(discord, alice, "Offer 2"))
    discord.closed_dms.clear()
    discord.world.readmit(table.at)
    await table.slash("offer post", user=alice, to=bob, give="2 tg")
    await discord.until(lambda: by_dm(discord, bob, "Offer 3"))


# ---------------------------------------------------------------- everything owed arrives, nobody a


@sharing
@pytest.mark.parametrize("status", variants(503, 500, 502, 504))
async def test_what_a_burst_of_errors_kept_back_arrives_by_itself(
    table: Table, status: int
) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    async with discord.burst(status, path=DELIVERY) as burst:
        await table.slash("offer post", user=alice, to=bob, give="1 tg")
        await table.slash("offer post", user=bob, to=alice, give="1 c")
        await discord.until(lambda: burst.met > 3)
    await discord.until(lambda: by_dm(discord, bob, "Offer 1") and by_dm(discord, alice, "Offer 2"))
    await discord.until(
        lambda: all(seen(discord, bob, f"Offer {n} ·", at=table.at) for n in (1, 2))
    )

    def on_the_board() -> bool:
        boards = [
            each
            for each in seen(discord, alice, "#2", at=table.at)
            if "End turn" in screen.labels(each)
        ]
        return bool(boards)

    await discord.until(on_the_board)


@sharing
async def test_what_was_sent_though_discord_said_503_is_there_once(table: Table) -> None:
    discord, bob = table.discord, table.bob
    async with discord.burst(503, path=DELIVERY, effect=True) as burst:
        await table.slash("offer post", user=table.alice, to=bob, give="1 tg")
        await discord.until(lambda: burst.met > 2)
    await discord.until(lambda: by_dm(discord, bob, "Offer 1"))
    await discord.until(lambda: seen(discord, bob, "Offer 1 ·", at=table.at))
    await discord.quiet(1.5)
    assert len(by_dm(discord, bob, "Offer 1")) == 1
    assert len(seen(discord, bob, "Offer 1 ·", at=table.at)) == 1


@sharing
async def test_a_limit_over_all_routes_is_waited_for(table: Table) -> None:
    discord, bob = table.discord, table.bob
    discord.fail("POST", r"^/channels/\d+/messages$", 429, times=2, retry_after=1.0).overall = True
    await table.slash("offer post", user=table.alice, to=bob, give="1 tg")
    await discord.until(lambda: by_dm(discord, bob, "Offer 1"))
    assert len(by_dm(discord, bob, "Offer 1")) == 1


@sharing
async def test_a_crowded_market_stays_below_the_limits(table: Table) -> None:
    discord, bob = table.discord, table.bob
    discord.limits.enforced = True
    for number in range(1, 13):
        await table.slash(
            "offer post", user=table.alice, to=bob, give="1 tg", terms=f"number {number}"
        )
    await discord.until(lambda: by_dm(discord, bob, "number 12"))
    await discord.until(
        lambda: all(seen(discord, bob, f"Offer {n} ·", at=table.at) for n in range(1, 13))
    )
    assert sum(discord.limits.refused.values()) == 0, discord.limits.refused


@sharing
async def test_a_card_that_somebody_deleted_is_there_again_after_the_next_change(
    table: Table,
) -> None:
    discord, alice, bob = table.discord, table.alice, table.bob
    await table.slash("offer post", user=alice, to=bob, give="1 tg")
    await discord.until(lambda: seen(discord, bob, "Offer 1 ·", at=table.at))
    await discord.quiet()
    discord.world.delete(seen(discord, bob, "Offer 1 ·", at=table.at)[0]["id"])
    await table.slash("offer alter", user=alice, offer=1, give="2 tg")
    await discord.until(
        lambda: seen(discord, bob, "Offer 1 · alice (Hacan) → bob (Sol) · revision 2", at=table.at)
    )
    assert len(seen(discord, bob, "Offer 1 ·", at=table.at)) == 1


# ---------------------------------------------------------------- answers


@sharing
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("effect", [False, True], ids=["in vain", "though it was taken"])
async def test_an_answer_that_met_an_error(table: Table, *, effect: bool, times: int) -> None:
    discord, bob = table.discord, table.bob
    await table.slash("offer post", user=table.alice, to=bob, give="1 tg")
    card = await discord.sees(bob, "Offer 1", button="Accept", dm=True)
    discord.fail("POST", CALLBACK, 503, effect=effect, times=times)
    accepted = await discord.press("Accept", user=bob, on=card, wait=False)
    await discord.until(lambda: by_dm(discord, table.alice, "transaction 1"))
    assert table.recorded("offer.transaction") == ["offer.transaction"]
    await discord.until(lambda: accepted.answered_at is not None)
    texts = {m["id"]: screen.text_of(m) for m in discord.world.visible(bob)}
    told = {id for id, text in texts.items() if "· transaction 1\n✅ You" in text}
    assert len(told) == 1


async def test_a_locked_database_is_answered_in_time(
    discord: Loopback, here: Here, recorded: Ledger, tmp_path: Path
) -> None:
    async with here(constants={"cogs.answers:DEFER_AFTER": 1.5}):
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


@sharing
@pytest.mark.parametrize("what", ["reconnect", "resumable", "not resumable"])
async def test_the_gateway_asks_us_to_come_again(table: Table, what: str) -> None:
    discord, gateway, bob = table.discord, table.discord.gateway, table.bob
    before = gateway.identified + gateway.resumed
    if what == "reconnect":
        await gateway.reconnect()
    else:
        await gateway.invalidate(resumable=what == "resumable")
    await discord.until(lambda: gateway.identified + gateway.resumed > before)
    await table.slash("offer post", user=table.alice, to=bob, give="1 tg")
    await discord.until(lambda: by_dm(discord, bob, "Offer 1"))
    assert len(by_dm(discord, bob, "Offer 1")) == 1


async def test_a_connection_that_fell_silent_is_noticed(discord: Loopback, here: Here) -> None:
    discord.gateway.heartbeats = 1000
    async with here(constants={"bot.app:SILENT_FOR": 4.0}):
        await sit_down(discord)
        discord.gateway.fall_silent()
        await discord.until(lambda: discord.gateway.resumed, START_WITHIN)
        await discord.quiet(1.0)  # a machine that is busy may have it connect more than once
        shown = await discord.slash("holdings show", user=ALICE)
        assert "Trade goods: 5" in shown.text.replace("*", "")
