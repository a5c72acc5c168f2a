"""Tests that whom a moderator has put in time-out sends no words to the server by DM, and trades
on.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.loopback import screen
from tests.loopback.loopback import Loopback
from tests.loopback.people import Person
from tests.loopback.screen import Json
from tests.loopback.world import CHANNEL
from tests.wire.club import ALICE, BOB, CAROL, sit_down
from tests.wire.conftest import Here

pytestmark = pytest.mark.wire

UNTIL = datetime(2030, 1, 1, tzinfo=UTC)
WORDS = "you are all cheaters"


@pytest.fixture
def bob_is_in_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Person.member

    def member(person: Person) -> Json:
        silent = {"communication_disabled_until": UNTIL.isoformat()}
        return plain(person) | (silent if person.id == BOB.id else {})

    monkeypatch.setattr(Person, "member", member)


def asked_of_bob(discord: Loopback) -> int:
    return len([call for call in discord.calls if call.path.endswith(f"/members/{BOB.id}")])


@pytest.mark.usefixtures("bob_is_in_time_out")
async def test_no_words_by_dm_while_in_time_out_but_trades(discord: Loopback, here: Here) -> None:
    async with here():
        await sit_down(discord)
        await discord.quiet(1)
        for words, options in (
            ("offer post", {"to": ALICE, "give": "1 c", "terms": WORDS}),
            ("deal propose", {"with": ALICE, "terms": WORDS, "when": "later"}),
            ("offer post", {"to": ALICE, "give": f"relic {WORDS}"}),
        ):
            refused = await discord.slash(words, user=BOB, dm=True, **options)
            assert "You are in time-out on the server until" in refused.text
            assert f"<t:{int(UNTIL.timestamp())}:f>" in refused.text
        assert asked_of_bob(discord) == 1, "one request, kept for a minute"

        await discord.slash("offer post", user=BOB, to=ALICE, give="1 c", want="1 tg", dm=True)
        await discord.quiet(1)
        await discord.press("Accept", user=ALICE, on="Offer 1")
        await discord.quiet(1)
        read = [screen.text_of(message) for message in discord.world.visible(CAROL)]
        assert not [text for text in read if "cheaters" in text]
        assert [text for text in read if "transaction 1" in text]
        assert asked_of_bob(discord) == 1


async def test_who_is_not_in_time_out_speaks(discord: Loopback, here: Here) -> None:
    async with here():
        await sit_down(discord)
        await discord.slash("offer post", user=BOB, to=ALICE, give="1 c", terms="peace", dm=True)
        await discord.quiet(1)
        channel = [each for each in discord.world.visible(CAROL) if each["channel_id"] == CHANNEL]
        assert any("bob promises" in screen.text_of(message) for message in channel)
