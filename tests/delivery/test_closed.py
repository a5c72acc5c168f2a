"""Tests of the reconciler in channels that are closed to the bot, and with people who left the
server.
"""

from __future__ import annotations

import pytest

from bot.delivery import life, verdicts
from bot.delivery.budget import Budget, RateLimit
from bot.delivery.desired import (
    CounterpartNews,
    Departed,
    Desired,
    HiddenPrompt,
    OfferCard,
    Result,
    Retired,
)
from bot.rules.model.replacing import replace
from bot.service import gate
from tests.delivery.briefings import BOB, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS, SERVER
from tests.delivery.steps import (
    CARD,
    OTHER,
    OVER,
    THEIRS,
    THIRD,
    board,
    channels,
    fate,
    news,
    personal,
    public,
    whats,
)

SAID = (
    "I am no longer on this table's server. Somebody who manages it can add me again; then the "
    "table goes on."
)

# ---------------------------------------------------------------- channels that are closed to us


def a_minute_passes(display: Display) -> None:
    closed = display.delivery._reconciler._sender.closed_channels.until
    for channel, (until, code) in closed.items():
        closed[channel] = until - verdicts.SHUT_FOR, code


async def the_bot_is(display: Display, *, here: bool) -> None:
    """Let the bot be removed from the server, or invited again."""
    display.service.members.note_bot(SERVER, here=here)
    await display.idle()


def leaves(display: Display, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bob leave the server; a minute later that is known."""
    display.discord.refuses("member", SERVER, 404, 10007)
    monkeypatch.setattr(gate, "KEPT_FOR", 0.0)


@pytest.mark.parametrize("code", [10003, 10004])
async def test_a_channel_that_is_gone_is_left_alone_for_a_minute(
    display: Display, code: int
) -> None:
    """10,000 invalid requests in ten minutes bring a ban."""
    display.discord.refuses("send", CHANNEL, 404, code)
    assert whats(await display.shows(public())) == ["send"]
    assert await display.shows(public(OTHER), public(offer=2)) == []
    assert channels(await display.shows(public(OTHER), personal())) == [BOBS]
    assert fate(display, OfferCard(1)) == ("editing" if code == life.LEFT_SERVER else "given_up")
    a_minute_passes(display)
    assert whats(await display.shows(public(THIRD))) == ["send"]


async def test_that_a_channel_was_deleted_is_not_learned_one_by_one(display: Display) -> None:
    """Discord takes five messages in five seconds, and a table may have a hundred for it."""
    budget = Budget(None, RateLimit(2, 600.0))
    display.delivery._budget = display.delivery._transport._budget = budget
    display.discord.refuses("send", CHANNEL, 404, 10003)
    steps = [public(offer=number) for number in range(1, 7)]
    assert whats(await display.shows(*steps)) == ["send"] * 2
    assert {fate(display, step.subject) for step in steps} == {"given_up"}


async def test_nor_is_it_by_looking_for_what_may_be_there(display: Display) -> None:
    steps = [public(offer=number) for number in range(1, 7)]
    display.discord.fails("send", CHANNEL, 500, times=6)
    await display.shows(*steps)
    display.discord.refuses("history", CHANNEL, 404, 10003)
    assert whats(await display.restart(*steps)) == ["history"]
    assert {fate(display, step.subject) for step in steps} == {"given_up"}


@pytest.mark.parametrize("code", [50001, 50013])
async def test_what_is_for_a_channel_that_is_closed_for_a_while_waits(
    display: Display, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    """One request a minute finds out. When it succeeds, all the others follow at once."""
    display.discord.refuses("send", CHANNEL, 403, code)
    assert whats(await display.shows(public(), news())) == ["send", "send"]
    assert await display.shows(public(OTHER), news(), public(offer=2)) == []
    assert channels(await display.shows(*display.wanted, personal())) == [BOBS]
    a_minute_passes(display)
    assert whats(await display.later()) == ["send"]
    assert len([each for each in caplog.records if "waits" in each.getMessage()]) == 1
    display.discord.works()
    a_minute_passes(display)
    display.waiting[0].fire()
    await display.idle()
    assert len(display.seen(CHANNEL)) == 3
    assert display.pauses == []


@pytest.mark.parametrize("code", [10003, 50001])
async def test_a_refusal_from_before_an_invitation_that_comes_after_it_closes_no_channel(
    display: Display, code: int
) -> None:
    world = display.discord.world
    world.refuse(str(CHANNEL), 403, code)
    slow = await display.hangs("send", CHANNEL, public(), done=True)
    world.readmit(str(CHANNEL))
    for here in (False, True):
        display.service.members.note_bot(SERVER, here=here)
    slow.released.set()
    await display.idle()
    assert display.seen(CHANNEL) == ["one"]
    assert display.pauses == []


@pytest.mark.parametrize("code", [50001, 50007, 50033, 50035])
async def test_a_message_that_shows_what_is_over_is_edited_stubbornly(
    display: Display, code: int
) -> None:
    """Its buttons must go, so a refusal is not the end of it."""
    await display.shows(personal())
    display.discord.fails("edit", BOBS, 403, code, times=3)
    await display.shows(Retired(THEIRS, OTHER, OTHER))
    for _ in range(3):
        display.delivery._reconciler._sender.closed_channels.until.clear()
        await display.later()
    assert display.seen(BOBS) == ["two, closed"]
    assert fate(display, THEIRS) == "forgotten"


async def test_any_other_refusal_shuts_no_channel(display: Display) -> None:
    display.discord.fails("send", CHANNEL, 400, 50035)
    assert whats(await display.shows(public(), public(offer=2))) == ["send", "send"]
    assert whats(await display.shows(public(OTHER))) == ["send"]


async def test_a_replaced_message_in_closed_dms_holds_up_no_other(display: Display) -> None:
    """For a spell Discord says 50001 of somebody's DMs. Only a channel of a server is left alone
    for a minute then.
    """
    await display.shows(personal(anchor="1"))
    display.discord.fails("delete", BOBS, 403, 50001, times=1)
    assert whats(await display.shows(personal(OTHER, anchor="2"))) == ["send", "delete"]
    assert not display.delivery._reconciler._sender.closed_channels.until
    first, *_ = await display.shows(personal(THIRD, anchor="3"))
    assert first.channel == BOBS


# ---------------------------------------------------------------- who has left the server


async def test_nothing_is_sent_to_a_person_who_has_left_the_server(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    display.discord.refuses("member", SERVER, 404, 10007)
    assert await display.shows(personal()) == []
    assert display.seen(CHANNEL) == display.seen(BOBS) == []
    assert fate(display, THEIRS) == "given_up"
    assert "this person has left the server" in caplog.text
    assert await display.shows(personal()) == []  # and nothing is tried again by itself
    assert display.pauses == []


async def test_what_a_person_has_is_not_kept_up_to_date_once_they_have_left(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    await display.shows(personal())
    leaves(display, monkeypatch)
    assert await display.shows(personal(OTHER)) == []
    assert display.seen(BOBS) == ["one"]


async def test_a_ping_is_no_way_around_it(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their DMs are closed, so they were pinged in the channel, which they can't read any more."""
    display.closes_dms()
    await display.shows(personal(anchor="1"))
    leaves(display, monkeypatch)
    assert "send" not in whats(await display.shows(personal(OTHER, anchor="2")))


async def test_the_last_edit_tells_a_person_who_has_left_nothing(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    await display.shows(personal())
    leaves(display, monkeypatch)
    await display.shows(Retired(THEIRS, OTHER, OTHER))
    assert display.seen(BOBS) == ["You are no longer on this table's server., closed"]


async def test_a_person_who_comes_back_is_told_what_is_new(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    display.discord.refuses("member", SERVER, 404, 10007)
    await display.shows(personal())
    display.discord.works()
    monkeypatch.setattr(gate, "KEPT_FOR", 0.0)  # a minute passes
    await display.shows(personal(OTHER))
    assert display.seen(BOBS) == ["two"]


async def test_the_table_is_told_of_a_person_who_has_left(
    display: Display, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as minutes:
        leaves(display, minutes)
        await display.shows(personal())
    assert display.departed == {BOB}
    display.discord.works()
    display.service.members.forget(SERVER, BOB)  # a minute passes
    await display.shows(personal(OTHER))
    await display.idle()
    assert display.departed == set(), "they are back"


async def test_it_is_still_told_after_a_restart(display: Display) -> None:
    display.discord.refuses("member", SERVER, 404, 10007)
    told = Desired(Departed(BOB), CARD)
    await display.shows(personal(), told)
    assert display.departed == {BOB}
    await display.restart()
    assert display.departed == {BOB}
    assert display.seen(CHANNEL) == ["one"], "once"


async def test_by_what_is_hidden_the_table_learns_nothing(display: Display) -> None:
    display.discord.refuses("member", SERVER, 404, 10007)
    hidden = replace(personal(), subject=HiddenPrompt("?", BOB), fallback=None)
    await display.shows(hidden)
    assert display.departed == set()


# ---------------------------------------------------------------- where the bot is not any more


@pytest.mark.parametrize("gone", ["left", "guilds"])
async def test_removed_from_a_server_it_says_so_by_dm_and_asks_for_nothing_more(
    display: Display, gone: str, caplog: pytest.LogCaptureFixture
) -> None:
    await display.shows(public(), personal(), public(offer=2))
    world, calls = display.discord.world, display.discord.rest.calls
    with pytest.MonkeyPatch.context() as patch:
        # 403 50001, or 404 10004
        patch.setattr(world, gone, {str(SERVER)} if gone == "left" else {})
        display.service.members._known.clear()  # a minute passes
        await display.shows(personal(OTHER))
        assert calls[-2].path == f"/guilds/{SERVER}/members/{BOB}"
    await the_bot_is(display, here=False)
    assert display.seen(BOBS) == [f"{SAID}, closed"]
    before = len(calls)
    withdrawn = Retired(OfferCard(2), OVER, OVER)
    await display.shows(public(OTHER), personal(THIRD), withdrawn, news(5), board())
    await display.later()
    assert len(calls) == before
    assert display.works == {}
    assert display.pauses == []
    assert display.delivery.owed()[0] == 0
    assert caplog.messages == []

    await the_bot_is(display, here=True)
    assert display.seen(BOBS) == ["three"]
    assert display.pauses == []
    assert display.seen(CHANNEL) == ["two", "two, closed", "news", "one"]


async def test_removed_from_a_server_it_says_so_once_to_each_person(display: Display) -> None:
    """Each further card would be an edit, and another when the bot is invited again."""
    cards = [personal(offer=offer) for offer in (1, 2, 3)]
    await display.shows(*cards)
    display.service.members.note_bot(SERVER, here=False)
    await display.shows(*cards, check=True)
    assert display.seen(BOBS) == ["one", "one", f"{SAID}, closed"]
    display.service.members.note_bot(SERVER, here=True)
    before = len(display.discord.requests)
    await display.idle()
    assert display.seen(BOBS) == ["one"] * 3
    assert len(display.discord.requests) == before + 1


async def test_what_waits_for_a_pause_goes_at_once_when_the_bot_is_back(display: Display) -> None:
    display.closes_dms()
    display.discord.refuses("send", CHANNEL, 403, 50001)
    await display.shows(personal(), public())
    assert len(display.pauses) == 2
    display.discord.works()
    await the_bot_is(display, here=True)
    assert display.seen(BOBS) == ["one"]
    assert display.seen(CHANNEL) == ["one"]
    assert display.pauses == []


async def test_whom_neither_way_reached_is_told_at_once_when_the_channel_is_open_again(
    display: Display,
) -> None:
    """Their DMs are tried sooner than a minute later, whatever the channel says."""
    display.closes_dms()
    display.discord.refuses("send", CHANNEL, 403, 50001)
    await display.shows(personal(), public())
    assert min(display.pauses) < verdicts.SHUT_FOR / 10
    display.discord.works()
    display.closes_dms()
    a_minute_passes(display)
    await display.shows(personal(), public(), public(offer=2))
    assert len(display.seen(CHANNEL)) == 3
    assert display.pauses == []


async def test_back_on_a_server_it_edits_only_what_has_changed_there(display: Display) -> None:
    """A channel takes five edits in five seconds: forty cards that are as they should be would hold
    up the news.
    """
    await display.shows(public(), public(offer=2), public(offer=3))
    await the_bot_is(display, here=False)
    changed = public(OTHER, offer=2)
    await display.shows(public(), changed, public(offer=3))
    before = len(display.discord.rest.calls)
    await the_bot_is(display, here=True)
    assert len(display.discord.rest.calls) == before + 1
    assert display.seen(CHANNEL) == ["one", "two", "one"]
    assert all(each.fate == "shown" for each in display.store.kept.values())


async def test_news_of_just_before_the_throwing_out_come_with_the_invitation(
    display: Display,
) -> None:
    """A trade was made while Discord had not said yet that the bot is out."""
    told = Desired(Result(1, BOB), CARD, final=True, entry=2, call="answer")
    await display.shows(board())
    await the_bot_is(display, here=False)
    assert await display.shows(board(), news(2), told) == []
    await the_bot_is(display, here=True)
    assert display.seen(CHANNEL) == ["one", "news"]
    assert display.seen(BOBS) == ["one"]


async def test_a_dm_refused_because_the_bot_was_thrown_out_comes_with_the_invitation(
    display: Display,
) -> None:
    """Discord refuses it since the two share no server any more. Nobody may be pinged about it."""
    told = Desired(CounterpartNews(1, BOB), CARD, final=True, entry=1)
    sending = await display.hangs("send", BOBS, told)
    display.service.members.note_bot(SERVER, here=False)
    display.discord.world.refuse(str(BOBS), 403, verdicts.NO_COMMON_SERVER)
    sending.released.set()
    await display.idle()
    display.discord.world.readmit(str(BOBS))
    await the_bot_is(display, here=True)
    assert display.seen(BOBS) == ["one"]


async def test_a_dm_refused_while_the_bot_was_out_is_sent_if_it_is_back_by_the_answer(
    display: Display,
) -> None:
    told = Desired(CounterpartNews(1, BOB), CARD, final=True, entry=1)
    sending = await display.hangs("send", BOBS, told)
    display.discord.world.refuse(str(BOBS), 403, verdicts.NO_COMMON_SERVER)
    asking = display.discord.hangs("member", SERVER)
    sending.released.set()
    await asking.arrived.wait()
    display.discord.world.readmit(str(BOBS))
    for here in (False, True):
        display.service.members.note_bot(SERVER, here=here)
    asking.released.set()
    await display.idle()
    assert display.seen(BOBS) == ["one"]


async def test_an_edit_in_doubt_at_the_throwing_out_is_made_again(display: Display) -> None:
    await display.shows(public())
    display.discord.fails("edit", CHANNEL, 503, times=1)
    await display.shows(public(OTHER))
    await the_bot_is(display, here=False)
    assert await display.shows(public()) == []
    await the_bot_is(display, here=True)
    assert display.seen(CHANNEL) == ["one"]
    assert "PATCH" in display.discord.rest.calls[-1].method


async def test_an_invitation_while_it_says_goodbye(display: Display) -> None:
    await display.shows(personal())
    goodbye = display.discord.hangs("edit", BOBS, done=True)
    display.service.members.note_bot(SERVER, here=False)
    await goodbye.arrived.wait()
    display.service.members.note_bot(SERVER, here=True)
    await display.until(lambda: not display.delivery._tasks._tasks)
    goodbye.released.set()
    await display.idle()
    assert display.seen(BOBS) == ["one"]


async def test_a_goodbye_that_discord_refuses_is_given_up(display: Display) -> None:
    await display.shows(personal())
    display.discord.refuses("edit", BOBS, 403, 50278)
    await the_bot_is(display, here=False)
    assert display.seen(BOBS) == ["one"]
    assert display.pauses == []
    assert fate(display, THEIRS) == "editing"


async def test_while_nobody_says_who_is_on_the_server_dms_wait(display: Display) -> None:
    display.discord.refuses("member", SERVER, 503)
    assert channels(await display.shows(personal(), public())) == [CHANNEL]
    display.discord.works()
    await display.later()
    assert display.seen(BOBS) == ["one"]
