"""Tests of the board on Discord: it links to its cards, and is posted again when it is out of
sight.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from aiohttp import ClientTimeout

from bot.delivery import delivery, transport
from bot.delivery.desired import Desired, Result, encode
from bot.delivery.render import linked, with_icons
from bot.show.cards import Card, link
from tests.delivery.briefings import ALICE, BOB, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS, SERVER
from tests.delivery.steps import OTHER, THEIRS, board, news, personal, public, whats
from tests.loopback import screen

LEADS = Card("open", f"{link('offer:1', '#1 alice')} · for nothing")


async def test_the_board_waits_for_a_card_that_is_being_sent_and_links_to_it(
    display: Display,
) -> None:
    card, drawn = await display.shows(public(), board(LEADS))
    sent = display.discord.seen(CHANNEL)[0].id
    assert (card.what, drawn.what) == ("send", "send")
    assert (
        drawn.text == f"[#1 alice](https://discord.com/channels/7/{CHANNEL}/{sent}) · for nothing"
    )


async def test_a_card_that_does_not_come_holds_the_board_up_for_a_moment_only(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    # discord.py sends the messages to a channel one by one, so the board still waits until the
    # card's request ends.
    monkeypatch.setattr(transport, "TIMEOUT", ClientTimeout(sock_read=0.5))
    sending = display.discord.hangs("send", CHANNEL)
    await display.plans(public(), board(LEADS))
    await display.until(sending.arrived.is_set)
    await display.until(lambda: display.pauses)
    for timer in display.timers:
        timer.fire()
    await display.until(lambda: len(display.discord.seen(CHANNEL)) == 1)
    assert display.only(CHANNEL).text == "#1 alice · for nothing"
    sending.released.set()


async def test_a_link_that_becomes_known_is_no_reason_to_edit(display: Display) -> None:
    (drawn,) = await display.shows(board(LEADS))
    assert drawn.text == "#1 alice · for nothing"
    assert whats(await display.shows(public(), board(LEADS))) == ["send"]
    done = replace(LEADS, mood="done")
    (again,) = await display.shows(public(), board(done))
    assert again.text.startswith("[#1 alice](https://discord.com/")


async def test_the_name_of_the_table_in_a_dm_leads_to_its_channel(display: Display) -> None:
    (sent,) = await display.shows(personal(Card("open", f"-# {link('table', 'Friday')}")))
    assert sent.text == f"-# [Friday](https://discord.com/channels/7/{CHANNEL})"


async def test_a_link_to_a_card_in_a_dm_leads_there(display: Display) -> None:
    await display.shows(personal())
    sent = display.discord.seen(BOBS)[0].id
    leads = Card("open", link(encode(THEIRS), "the card"))
    result = Desired(Result(1, BOB), leads, final=True, entry=2)
    (news,) = await display.shows(personal(), result)
    assert f"[the card](https://discord.com/channels/@me/{BOBS}/{sent})" in news.text


def test_links_are_left_out_where_they_do_not_fit_and_nobody_can_type_one() -> None:
    full = Card("open", f"{link('offer:1', '#1')}{'x' * 3990}")
    assert linked(full, lambda subject: "https://discord.com/channels/1/2/3") is full
    assert with_icons(full.blocks) == [f"#1{'x' * 3990}"]
    typed = ("\\<at:offer:1\\>here\\</at\\>",)
    assert linked(Card("open", typed), lambda subject: "https://example.com").blocks == typed
    assert with_icons(typed) == [*typed]


async def test_a_turn_calls_its_player_with_the_board(display: Display) -> None:
    calls = replace(board(), call="turn", rings=(ALICE,))
    (sent,) = await display.shows(calls)
    assert sent.pings == (ALICE,)
    display.store.forgetful = True
    assert await display.shows(replace(calls, card=OTHER, anchor="2")) != []
    found = await display.restart()
    assert not [each for each in found if each.pings], (
        "it is there: after a crash nobody is called twice"
    )


# ---------------------------------------------------------------- coming back


@pytest.fixture
def shown(display: Display, monkeypatch: pytest.MonkeyPatch) -> Display:
    monkeypatch.setattr(delivery, "SCREEN", 2)
    monkeypatch.setattr(delivery, "MOVES_EVERY", 0.0)
    return display


async def buried(display: Display) -> bool:
    """Return whether the next plan finds the board out of sight."""
    await display.shows(*display.wanted)
    return display.buried


async def test_a_board_is_buried_once_more_than_a_screen_was_sent_below_it(shown: Display) -> None:
    await shown.shows(board())
    await shown.shows(board(), news(2), personal())
    await shown.shows(board(OTHER), news(3))
    assert not await buried(shown), "two messages are a screen here; edits, and DMs, are none"
    await shown.shows(board(OTHER), public())
    assert await buried(shown)
    await shown.shows(board(anchor="1~4"), public())
    assert not await buried(shown), "it has moved"


async def test_it_moves_at_most_once_a_minute(
    shown: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MOVES_EVERY", 60.0)
    await shown.shows(board())
    await shown.shows(board(), news(2), news(3), news(4))
    assert not await buried(shown)


async def test_after_a_restart_what_is_remembered_still_counts(shown: Display) -> None:
    await shown.shows(board())
    await shown.shows(board(), public(), public(offer=2), public(offer=3))
    await shown.restart()
    assert await buried(shown)


# ---------------------------------------------------------------- the way back


def texts_in(display: Display, channel: int) -> list[str]:
    messages = display.discord.world.messages.values()
    return [screen.text_of(each) for each in messages if each["channel_id"] == str(channel)]


async def test_a_dm_leads_to_the_table_and_a_message_at_the_table_leads_nowhere(
    display: Display,
) -> None:
    await display.shows(board(), public(), personal())
    way_back = f"\n-# [To the table](https://discord.com/channels/{SERVER}/{CHANNEL})"
    [dm] = texts_in(display, BOBS)
    assert dm.endswith(way_back)
    assert way_back not in "".join(texts_in(display, CHANNEL))
    await display.shows(board(), public(), personal(OTHER))
    [dm] = texts_in(display, BOBS)
    assert dm.count("To the table") == 1
