"""Tests of the reconciler's DMs, and of pings in the channel in place of DMs that fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.delivery.desired import (
    PersonalOffer,
    Result,
    Retired,
)
from bot.delivery.verdicts import BY_CODE, FailureAction, judge
from bot.show.cards import Card
from tests.delivery.briefings import BOB, CAROL, CHANNEL
from tests.delivery.display import Display
from tests.delivery.near import BOBS, CAROLS
from tests.delivery.steps import (
    CARD,
    OTHER,
    OVER,
    THEIRS,
    THIRD,
    channels,
    fate,
    personal,
    public,
    whats,
)
from tests.errors import error
from tests.test_watch import figures

# ---------------------------------------------------------------- one person


async def test_a_person_who_must_act_anew_gets_a_new_message_and_the_old_one_is_deleted(
    display: Display,
) -> None:
    await display.shows(personal(anchor="1"))
    requests = await display.shows(personal(OTHER, anchor="2"))
    assert sorted(whats(requests)) == ["delete", "send"]
    assert display.seen(BOBS) == ["two"]
    assert "send" not in whats(await display.shows(personal(OTHER, anchor="2")))
    assert display.subjects() == {THEIRS}


async def test_without_an_anchor_the_message_stays_where_it_is(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    assert whats(await display.shows(personal(OTHER))) == ["edit"]
    assert await display.shows(personal(OTHER, anchor="1")) == []


async def test_deleting_the_old_one_survives_a_restart(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    display.discord.fails("delete", BOBS, 503)
    await display.shows(personal(OTHER, anchor="2"))
    await display.restart(personal(OTHER, anchor="2"))
    assert display.seen(BOBS) == ["two"]
    assert display.subjects() == {THEIRS}


async def test_of_several_old_ones_each_is_deleted(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    display.discord.fails("delete", BOBS, 503, times=2)
    await display.shows(personal(OTHER, anchor="2"))
    await display.shows(personal(THIRD, anchor="3"))
    await display.later()
    await display.later()
    assert display.seen(BOBS) == ["three"]
    assert display.subjects() == {THEIRS}


async def test_an_old_one_that_was_deleted_needs_no_closing(display: Display) -> None:
    await display.shows(personal(anchor="1"))
    display.discord.world.messages.clear()
    await display.shows(personal(OTHER, anchor="2"))
    assert display.seen(BOBS) == ["two"]
    assert display.subjects() == {THEIRS}


@pytest.mark.parametrize("card", [OTHER, CARD])
async def test_a_message_asked_anew_while_the_first_is_being_sent_deletes_the_first(
    display: Display, card: Card
) -> None:
    """In the same words too: an edit would notify nobody, and a question would be asked in an
    earlier turn only.
    """
    gate = await display.hangs("send", BOBS, personal(anchor="1"))
    await display.plans(personal(card, anchor="2"))
    gate.released.set()
    await display.idle()
    assert display.seen(BOBS) == [card.blocks[0]]
    assert "send" not in whats(await display.shows(personal(card, anchor="2")))


def falls_back(code: int) -> bool:
    return judge(error(403, code), in_dm=True).act is FailureAction.FALL_BACK


@pytest.mark.parametrize("code", [*filter(falls_back, BY_CODE), 0, 50095])
async def test_a_person_who_takes_no_dms_is_pinged_where_others_read(
    display: Display, code: int
) -> None:
    display.discord.refuses("send", BOBS, 403, code)
    refused, ping = await display.shows(personal())
    assert (ping.channel, ping.pings) == (CHANNEL, (BOB,))
    assert (
        ping.text
        == f"<@{BOB}> <@{BOB}>, I can't reach you by DM, so your message is here. overheard"
    )
    assert ping.nonce != refused.nonce
    assert await display.shows(personal()) == []  # their DMs are not tried again
    assert display.pauses == []


async def test_a_person_whose_dms_can_not_be_opened_is_pinged_too(display: Display) -> None:
    display.discord.refuses("dm", BOB, 400, 50033)
    [ping] = await display.shows(personal())
    assert (ping.channel, ping.pings) == (CHANNEL, (BOB,))


async def test_the_place_of_the_ping_is_remembered_before_it_is_sent(display: Display) -> None:
    """Else, after a crash, the person's DMs would be tried again, and they would have it twice."""
    display.closes_dms()
    await display.hangs("send", CHANNEL, personal(), done=True)
    display.discord.works()
    assert channels(await display.restart()) == [CHANNEL]
    assert display.seen(BOBS) == []
    assert len(display.seen(CHANNEL)) == 1


async def test_where_they_were_pinged_a_newer_message_leaves_nothing(
    display: Display,
) -> None:
    display.closes_dms()
    await display.shows(personal(anchor="1"))
    display.discord.works()
    await display.shows(personal(OTHER, anchor="2"))
    assert display.seen(CHANNEL) == []
    assert display.seen(BOBS) == ["two"]


async def test_what_only_one_person_may_know_is_not_told_elsewhere(
    display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot.delivery")
    display.closes_dms()
    [tried] = await display.shows(replace(personal(), fallback=None))
    assert tried.channel == BOBS
    assert (display.seen(CHANNEL), display.pauses) == ([], [])
    found = await figures(display.delivery._reconciler._transport.watch)
    assert caplog.records == []
    assert [name for name in found if name[0] == "bourse_given_up_total"] == []


async def test_a_person_whom_neither_way_reaches_is_tried_again_now_and_then(
    display: Display,
) -> None:
    """Soon at first, then once a minute, when the channel's turn has come too."""
    display.discord.fails("send", BOBS, 403, 50007, times=7)
    display.discord.refuses("send", CHANNEL, 403, 50013)
    assert channels(await display.shows(personal())) == [BOBS, CHANNEL]
    waited = []
    for _ in range(7):
        waited += display.pauses
        await display.later()
    assert [*map(round, waited)] == [4, 8, 8, 32, 60, 60, 60]
    assert display.seen(BOBS) == ["one"]
    assert (fate(display, THEIRS), display.pauses) == ("shown", [])


async def test_once_a_refused_dm_reaches_its_reader_the_table_is_planned_again(
    display: Display,
) -> None:
    """A ping was to be the offer's card, so it has none of its own. Another table's message may be
    the first to reach them.
    """
    display.discord.refuses("send", BOBS, 403, 50007)
    display.discord.refuses("send", CHANNEL, 403, 50001)
    await display.shows(personal())
    display.discord.works()
    display.delivery._reconciler.unreached.clear()
    before = len(display.service.briefed)
    await display.later()
    assert display.seen(BOBS) == ["one"]
    assert len(display.service.briefed) == before + 1


async def test_once_a_dm_takes_the_place_of_a_deleted_ping_the_table_is_planned_again(
    display: Display,
) -> None:
    """The ping was the offer's card. By then another table's message has reached its reader, or the
    bot was started again.
    """
    display.closes_dms()
    await display.shows(personal())
    display.discord.works()
    display.delivery._reconciler.unreached.clear()
    display.discord.world.messages.clear()
    before = len(display.service.briefed)
    await display.shows(personal(), check=True)
    assert display.seen(BOBS) == ["one"]
    assert len(display.service.briefed) == before + 2


async def test_dms_that_are_opened_too_fast_are_opened_later(display: Display) -> None:
    display.discord.fails("dm", BOB, 400, 40003, times=2)
    await display.shows(replace(personal(), fallback=None))
    assert display.pauses == [30.0]
    await display.later()
    assert display.pauses == [60.0]
    await display.later()
    assert display.seen(BOBS) == ["one"]


async def test_when_one_can_be_opened_again_whoever_pauses_is_tried_at_once(
    display: Display,
) -> None:
    carols = replace(personal(), subject=PersonalOffer(1, "addressed", CAROL))
    display.discord.fails("dm", BOB, 500)
    display.discord.fails("dm", CAROL, 500)
    await display.shows(personal(), carols)
    assert len(display.pauses) == 2
    display.waiting[0].fire()
    await display.idle()
    assert display.pauses == []
    assert display.seen(BOBS) == display.seen(CAROLS) == ["one"]


async def test_what_is_wrong_with_the_message_itself_would_be_so_in_the_channel_too(
    display: Display,
) -> None:
    display.discord.refuses("send", BOBS, 400, 50035)
    assert channels(await display.shows(personal())) == [BOBS]
    assert display.seen(CHANNEL) == []
    assert display.pauses == []
    assert fate(display, THEIRS) == "given_up"


# ---------------------------------------------------------------- DM channels that are another one


async def test_another_application_has_dms_of_its_own(display: Display) -> None:
    """As when a test bot's ledger becomes the real one's."""
    told = replace(personal(), subject=Result(1, BOB))
    await display.shows(personal(), told, public())
    display.discord.world.application = "77"
    await display.restart()
    theirs = int(display.discord.world.dm_with(str(BOB)))
    another = replace(personal(THIRD), subject=Result(2, BOB))
    await display.shows(*display.wanted, another)
    assert display.seen(theirs) == ["three"]
    over = Retired(told.subject, OVER, OVER)
    await display.shows(personal(OTHER), public(OTHER), over)
    await display.later()
    await display.later()
    assert display.seen(theirs) == ["three", "two"]
    assert display.seen(CHANNEL) == ["one", "two"], "nobody can take the other's message away"
    assert (display.pauses, told.subject in display.subjects()) == ([], False)


async def test_what_a_newer_one_replaces_is_deleted_in_a_channel_that_was_forgotten_too(
    display: Display,
) -> None:
    """Whose it was is not known, so no channel is opened for it."""
    await display.shows(personal(anchor="1"))
    await display.restart()
    display.discord.fails("send", BOBS, 403, 50001)
    display.discord.fails("delete", BOBS, 503)
    requests = await display.shows(personal(OTHER, anchor="2"))
    for _ in range(4):
        requests += await display.later()
    assert {each.channel for each in requests if each.what == "dm"} <= {BOB}
    assert display.seen(BOBS) == ["two"]
    assert display.pauses == []


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10003)])
async def test_a_dm_channel_that_is_closed_for_a_spell_is_opened_anew_once(
    display: Display, status: int, code: int
) -> None:
    display.store.dms[BOB] = BOBS, int(display.discord.world.application)
    display.discord.refuses("send", BOBS, status, code)
    assert channels(await display.shows(personal())) == [BOBS, BOBS, CHANNEL]
    another = replace(personal(), subject=Result(2, BOB))
    assert channels(await display.shows(personal(), another)) == [BOBS, CHANNEL]
    assert whats(display.discord.requests).count("dm") == 1


async def test_what_only_one_person_may_know_waits_for_the_spell_to_pass(display: Display) -> None:
    display.discord.fails("send", BOBS, 403, 50001, times=2)
    await display.shows(replace(personal(), fallback=None))
    assert not display.delivery.reaches(BOB)
    await display.later()
    await display.later()
    assert display.seen(BOBS) == ["one"]
    assert display.seen(CHANNEL) == []
    assert display.delivery.reaches(BOB)
