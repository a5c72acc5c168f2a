"""Tests that the same line of a menu can be chosen again, although the client keeps the choice."""

from __future__ import annotations

import pytest

from tests.loopback import screen
from tests.loopback.exchange import OPEN_MODAL, UPDATE, Exchange
from tests.loopback.loopback import Loopback, Silent
from tests.wire.club import ALICE, BOB, sit_down
from tests.wire.conftest import Here

pytestmark = pytest.mark.wire


def menu(exchange: Exchange) -> str:
    """The custom_id of the first menu of the message that an exchange came to."""
    return str(screen.selects(exchange.messages[0])[0]["custom_id"])


async def test_each_choice_updates_its_message(discord: Loopback, here: Here) -> None:
    async with here():
        await sit_down(discord)
        await discord.slash("offer post", user=BOB, to=ALICE, give="1 c", want="1 tg")
        offer = "#1 bob: 1 commodity for 1 trade good (to alice)"
        for words, options, chosen in (
            ("table show", {}, "bob (Sol)"),
            ("offer list", {}, offer),
            ("help", {}, offer),
            ("help", {"topic": "offers"}, "When you disagree"),
        ):
            shown = (await discord.slash(words, user=ALICE, **options)).messages[0]
            first = await discord.choose(chosen, user=ALICE)
            assert (first.type, first.answers) == (UPDATE, [shown["id"]])
            assert menu(first) != screen.selects(shown)[0]["custom_id"]
            with pytest.raises(Silent):
                await discord.choose(chosen, user=ALICE)  # it is what the menu shows now

        await discord.slash("table show", user=ALICE)
        for _ in range(3):
            await discord.choose("bob (Sol)", user=ALICE)
            await discord.press("Back", user=ALICE)


async def test_a_refused_choice_leaves_the_message_and_can_be_made_again(
    discord: Loopback, here: Here
) -> None:
    async with here():
        await sit_down(discord)
        shown = (await discord.slash("table show", user=ALICE)).messages[0]
        await discord.slash("table leave", user=BOB)
        for _ in range(2):
            refused = await discord.choose("bob (Sol)", user=ALICE)
            await discord.until(lambda refused=refused: len(refused.messages) == 2)
            updated, told = refused.messages
            assert (refused.type, updated["id"]) == (UPDATE, shown["id"])
            assert screen.text_of(updated) == screen.text_of(shown)
            assert updated["attachments"] == shown["attachments"]
            assert "Nobody plays that seat any more" in screen.text_of(told)


async def test_the_kind_of_words_is_chosen_by_radio_buttons(discord: Loopback, here: Here) -> None:
    async with here():
        await sit_down(discord)
        card = await discord.slash("trade", user=ALICE, with_=BOB)
        assert screen.selects(card.messages[0]) == []
        for _ in range(2):
            form = await discord.press("Write it…", user=ALICE)
            assert form.type == OPEN_MODAL
            kinds = [label["component"]["type"] for label in form.data["components"]]
            assert kinds.count(21) == 1
        done = "Done now, with the trade"
        await discord.submit(form, give="1 tg", terms="you retreat", kind=done)
        await discord.sees(BOB, "this binds")
