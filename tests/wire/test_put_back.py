"""A ledger that was put back gives numbers twice: cards of the lost hour do nothing any more."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from bot.cli.backups import back_up, restore
from tests.loopback import screen
from tests.loopback.inside import Inside, inside
from tests.loopback.loopback import Loopback
from tests.loopback.world import CHANNEL, GUILD
from tests.wire.club import ALICE, BOB, CAROL, sit_down

pytestmark = pytest.mark.wire

FROM_BEFORE = "This card is from before the ledger was put back."


class Shelf:
    """A database file, and a copy of it."""

    def __init__(self, discord: Loopback, folder: Path) -> None:
        self.discord, self.file, self._copy = discord, folder / "bourse.db", folder / "copy.db"
        self._url = f"sqlite:///{self.file}"

    @asynccontextmanager
    async def bot(self) -> AsyncIterator[Inside]:
        async with inside(self.discord, self._url) as bot:
            await bot.online()
            yield bot
            await bot.stop()

    def copy(self) -> None:
        with (
            closing(sqlite3.connect(self.file)) as here,
            closing(sqlite3.connect(self._copy)) as to,
        ):
            here.backup(to)

    def put_back(self) -> None:
        for left in ("-wal", "-shm"):
            self.file.with_name(f"{self.file.name}{left}").unlink(missing_ok=True)
        self._copy.replace(self.file)

    @property
    def mark(self) -> Path:
        return self.file.with_name("bourse.db.put-back")

    def back_up(self) -> None:
        assert back_up(self._url, self._copy, None, print) == 0

    def restore(self) -> None:
        assert restore(self._url, self._copy, None, print) == 0

    def entries(self) -> int:
        with closing(sqlite3.connect(self.file)) as database:
            return int(database.execute("SELECT count(*) FROM entries").fetchone()[0])


@pytest.fixture
def shelf(discord: Loopback, tmp_path: Path) -> Shelf:
    return Shelf(discord, tmp_path)


async def test_what_is_about_a_lost_offer_deal_or_trade_does_nothing(
    discord: Loopback, shelf: Shelf
) -> None:
    async with shelf.bot():
        await sit_down(discord)
        shelf.copy()
        await discord.slash("offer post", user=ALICE, to=BOB, give="5 tg")
        offer = await discord.sees(BOB, "You get **5 trade goods**", button="Accept", dm=True)
        public = await discord.sees(CAROL, "gives **5 trade goods**", button="Accept")
        form = await discord.slash("offer alter", user=ALICE, offer=1)
        await discord.slash("deal propose", user=ALICE, with_=BOB, terms="I stay", when="later")
        deal = await discord.sees(BOB, "I stay", button="Agree", dm=True)
        draft = await discord.slash("trade", user=ALICE, with_=BOB, goods="1 tg for 1 c")
        await discord.slash("offer post", user=BOB, to=ALICE, give="1 c")
        await discord.press("Accept", user=ALICE, on="1 commodity")
        receipt = await discord.sees(ALICE, "got **1 commodity**", button="Take back", dm=True)
    shelf.put_back()
    async with shelf.bot():
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg", want="1 c")
        await discord.slash("deal propose", user=ALICE, with_=BOB, terms="I go", when="later")
        await discord.slash("offer post", user=BOB, to=ALICE, give="2 c")
        await discord.press("Accept", user=ALICE, on="2 commodities")
        await discord.quiet()
        before = shelf.entries()
        for done in (
            await discord.press("Take back", user=ALICE, on=receipt),
            await discord.press("Accept", user=BOB, on=offer),
            await discord.press("Accept", user=BOB, on=public),
            await discord.press("Agree", user=BOB, on=deal),
            await discord.press("Offer it", user=ALICE, on=draft.messages[0]),
            await discord.submit(form),
        ):
            assert FROM_BEFORE in done.text
        assert shelf.entries() == before


async def test_an_earlier_revision_of_the_same_number_is_another_offer(
    discord: Loopback, shelf: Shelf
) -> None:
    async with shelf.bot():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        kept = await discord.sees(BOB, "You get **1 trade good**", button="Accept", dm=True)
        shelf.copy()
        await discord.slash("offer alter", user=ALICE, offer=1, give="5 tg")
        lost = await discord.sees(BOB, "5 trade goods", button="Accept", dm=True)
    shelf.put_back()
    async with shelf.bot():
        await discord.slash("offer alter", user=ALICE, offer=1, give="1 tg", want="2 c")
        assert FROM_BEFORE in (await discord.press("Accept", user=BOB, on=lost)).text
        assert FROM_BEFORE not in (await discord.press("Decline", user=BOB, on=kept)).text


async def test_another_table_of_the_same_number(discord: Loopback, shelf: Shelf) -> None:
    other = discord.world.add_channel(GUILD)
    async with shelf.bot():
        await sit_down(discord)
        shelf.copy()
        await discord.slash("table open", user=ALICE, game="advciv", at=other)
        lost = await discord.sees(ALICE, "Advanced Civilization", button="Take a seat")
    shelf.put_back()
    async with shelf.bot():
        await discord.slash("table open", user=BOB, game="ti4", at=other)
        assert FROM_BEFORE in (await discord.press("Take a seat", user=ALICE, on=lost)).text


async def test_what_nothing_was_lost_of_goes_on(discord: Loopback, shelf: Shelf) -> None:
    async with shelf.bot():
        await sit_down(discord)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        kept = await discord.sees(BOB, "You get **1 trade good**", button="Accept", dm=True)
        await discord.quiet()
        shelf.copy()
    shelf.put_back()
    async with shelf.bot():
        done = await discord.press("Accept", user=BOB, on=kept)
        assert "1 trade good" in done.text
        assert FROM_BEFORE not in done.text


# ---------------------------------------------------------------- what the channel reads

PUT_BACK = "My ledger was put back from a copy."


def told(discord: Loopback, channel: str = CHANNEL) -> list[str]:
    """What the bot has said in a channel of the ledger that was put back."""
    texts = []
    for message in discord.world.visible(ALICE):
        if message["channel_id"] == channel:
            texts.append(screen.text_of(message))
    return [text for text in texts if PUT_BACK in text]


async def test_each_open_table_reads_once_where_the_ledger_ends(
    discord: Loopback, shelf: Shelf
) -> None:
    other = discord.world.add_channel(GUILD)
    async with shelf.bot():
        await sit_down(discord)
        await discord.slash("table open", user=BOB, game="ti4", at=other)
        await asyncio.to_thread(shelf.back_up)
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        await discord.quiet()
    await asyncio.to_thread(shelf.restore)
    assert shelf.mark.exists()
    async with shelf.bot():
        await discord.until(lambda: told(discord) and told(discord, other))
        await discord.until(lambda: not shelf.mark.exists())
    async with shelf.bot():
        await discord.quiet(1)
    assert len(told(discord)) == len(told(discord, other)) == 1


async def test_a_channel_whose_newest_head_the_ledger_lacks_reads_it_too(
    discord: Loopback, shelf: Shelf
) -> None:
    async with shelf.bot():
        await sit_down(discord)
        shelf.copy()
        await discord.slash("audit verify", user=CAROL)
        await discord.sees(ALICE, "had the ledger checked")
        await discord.quiet()
    async with shelf.bot():
        await discord.quiet(1)
    assert not told(discord)
    shelf.put_back()
    async with shelf.bot():
        await discord.until(lambda: told(discord))
    async with shelf.bot():
        await discord.quiet(1)
    assert len(told(discord)) == 1


async def test_a_card_of_a_lost_entry_tells_it_where_no_head_was_posted(
    discord: Loopback, shelf: Shelf
) -> None:
    async with shelf.bot():
        await sit_down(discord)
        await discord.quiet()
        shelf.copy()
        await discord.slash("offer post", user=ALICE, to=BOB, give="1 tg")
        await discord.sees(CAROL, "gives **1 trade good**", button="Accept")
        await discord.quiet()
    async with shelf.bot():
        await discord.quiet(1)
    assert not told(discord)
    shelf.put_back()
    for _ in range(2):
        async with shelf.bot():
            await discord.until(lambda: told(discord))
            await discord.quiet(1)
    assert len(told(discord)) == 1


async def test_a_restart_reads_each_channel_once(discord: Loopback, shelf: Shelf) -> None:
    async with shelf.bot():
        await sit_down(discord)
        await discord.quiet()
    began = len(discord.calls)
    async with shelf.bot():
        await discord.quiet(1)
    assert sum(call.path.endswith("/messages") for call in discord.calls[began:]) == 1
