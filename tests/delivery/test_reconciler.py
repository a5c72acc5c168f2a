"""The reconciler: what Discord is asked, and what it answers, on a Discord of a few lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import discord
import pytest

from bot.delivery.desired import (
    ArchiveThread,
    Desired,
    DesiredBoard,
    DirectMessages,
    Fallback,
    NegotiationRoom,
    Retired,
    TableChannel,
)
from bot.delivery.messages import Messages, Shown
from bot.delivery.reconciler import NOWHERE, DeliveryPass, Reconciler, digest_of
from bot.delivery.subjects import Board, BoardWindow, NegotiationThread, OfferCard, PersonalOffer, Prompt, Subject
from bot.rules.model.actions import OfferAction
from bot.service import Message, MessageStore
from bot.show.cards import Button, Card
from tests.delivery.briefings import ALICE, BOB, CHANNEL
from tests.delivery.fake import DMS, Discord, Request

CARD = Card("open", ("one",), ((Button("Accept", OfferAction(1, 1, 1, "accept")),),))
OTHER = replace(CARD, blocks=("two",))
THEIRS = PersonalOffer(1, "addressed", BOB)


class Store:
    """A message store in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, Message] = {}

    async def save_message(self, table_id: int, message: Message) -> None:
        self.kept[message.subject] = message

    async def forget_message(self, table_id: int, subject: str) -> None:
        del self.kept[subject]


class Passes:
    """A reconciler on that Discord, one pass after another."""

    def __init__(self, client: Discord) -> None:
        self.discord, self.store = client, Store()
        self.reconciler = Reconciler(cast(discord.Client, client), Messages(cast(MessageStore, self.store)))
        self.shown: dict[Subject, Shown] = {}
        self.seq = 0

    def begin(self, *, check: bool = False) -> DeliveryPass:
        self.seq += 1
        return DeliveryPass(1, 7, CHANNEL, self.seq, self.shown, check)

    async def carry_out(self, *steps: Any, check: bool = False) -> list[Request]:
        """Carry the steps out, and return what that asked of Discord."""
        before = len(self.discord.requests)
        await self.reconciler.carry_out(self.begin(check=check), steps)
        return self.discord.requests[before:]


@pytest.fixture
def passes() -> Passes:
    return Passes(Discord())


def public(card: Card = CARD, *, wanted: bool = True) -> Desired:
    return Desired(OfferCard(1), TableChannel(), card, wanted=wanted)


def personal(card: Card = CARD, *, fresh: bool = False, wanted: bool = True) -> Desired:
    fallback = Fallback(TableChannel(), replace(card, blocks=("overheard",)), Card("over", ("replaced",)))
    return Desired(THEIRS, DirectMessages(BOB), card, wanted=wanted, fresh=fresh, fallback=fallback)


# ---------------------------------------------------------------- one message about each subject


async def test_a_message_is_sent_once_and_edited_when_it_changes(passes: Passes) -> None:
    assert [each.what for each in await passes.carry_out(public())] == ["send"]
    assert await passes.carry_out(public()) == []
    [edited] = await passes.carry_out(public(OTHER))
    assert (edited.what, edited.message, edited.text) == ("edit", 101, "two")
    assert passes.shown[OfferCard(1)].state == digest_of(OTHER)
    assert passes.store.kept["offer:1"].shown == digest_of(OTHER)


async def test_what_is_not_wanted_is_not_sent_but_kept_up_to_date(passes: Passes) -> None:
    assert await passes.carry_out(public(wanted=False)) == []
    await passes.carry_out(public())
    assert [each.what for each in await passes.carry_out(public(OTHER, wanted=False))] == ["edit"]


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (400, 30046)])
async def test_a_message_that_can_not_be_redrawn_is_sent_anew(passes: Passes, status: int, code: int) -> None:
    [first] = await passes.carry_out(public())
    passes.discord.refusing["edit", CHANNEL] = (status, code)
    _, second = await passes.carry_out(public(OTHER))
    assert second.what == "send"
    assert second.nonce != first.nonce


async def test_a_look_finds_out_that_a_message_was_deleted(passes: Passes) -> None:
    await passes.carry_out(public())
    passes.discord.refusing["edit", CHANNEL] = (404, 10008)
    assert await passes.carry_out(public()) == []
    assert [each.what for each in await passes.carry_out(public(), check=True)] == ["edit", "send"]


async def test_what_is_sent_in_place_of_a_deleted_message_has_another_nonce(passes: Passes) -> None:
    """Discord would answer the old nonce with the message that is gone."""
    [first] = await passes.carry_out(public())
    passes.discord.refusing["edit", CHANNEL] = (404, 10008)
    passes.seq -= 1
    _, second = await passes.carry_out(public(), check=True)
    assert second.nonce != first.nonce


async def test_the_same_news_has_the_same_nonce(passes: Passes) -> None:
    """After a crash between sending and remembering, Discord gives the message back that it has."""
    [first] = await passes.carry_out(public())
    passes.shown.clear()
    passes.seq -= 1
    [again] = await passes.carry_out(public())
    assert again.nonce == first.nonce
    assert len(first.nonce) <= 25
    passes.shown.clear()
    [later] = await passes.carry_out(public())
    assert later.nonce != first.nonce


# ---------------------------------------------------------------- Discord will not


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (403, 50013), (404, 10003)])
async def test_a_channel_closed_to_us_does_not_keep_the_dms_from_coming(passes: Passes, status: int, code: int) -> None:
    passes.discord.refusing["send", CHANNEL] = (status, code)
    assert [each.channel for each in await passes.carry_out(public(), personal())] == [CHANNEL, BOB + DMS]


async def test_a_server_error_is_raised_and_nothing_is_remembered(passes: Passes) -> None:
    passes.discord.refusing["send", CHANNEL] = (503, 0)
    with pytest.raises(discord.HTTPException):
        await passes.carry_out(public(), personal())
    assert passes.store.kept == {}


# ---------------------------------------------------------------- one person


async def test_a_person_who_must_act_anew_gets_a_new_message_and_the_old_one_is_closed(passes: Passes) -> None:
    await passes.carry_out(personal())
    closed, new = await passes.carry_out(personal(OTHER, fresh=True))
    assert (closed.what, closed.message, closed.buttons) == ("edit", 101, False)
    assert (new.what, new.channel, new.buttons) == ("send", BOB + DMS, True)
    assert await passes.carry_out(personal(OTHER, fresh=True)) == []


async def test_a_look_asks_nobody_anew(passes: Passes) -> None:
    await passes.carry_out(personal())
    assert [each.what for each in await passes.carry_out(personal(OTHER, fresh=True), check=True)] == ["edit"]


@pytest.mark.parametrize("code", [50007, 50278])
async def test_a_person_who_takes_no_dms_is_pinged_where_others_read(passes: Passes, code: int) -> None:
    passes.discord.refusing["send", BOB + DMS] = (403, code)
    _, ping = await passes.carry_out(personal())
    assert (ping.channel, ping.pings) == (CHANNEL, (BOB,))
    assert ping.text == f"<@{BOB}>, I can't reach you by DM, so this waits for you here. overheard"
    assert await passes.carry_out(personal()) == []  # their DMs are not tried again


async def test_where_they_were_pinged_a_newer_message_leaves_only_that_there_is_one(passes: Passes) -> None:
    passes.discord.refusing["send", BOB + DMS] = (403, 50007)
    await passes.carry_out(personal())
    closed, *_, ping = await passes.carry_out(personal(OTHER, fresh=True))
    assert (closed.channel, closed.text) == (CHANNEL, "replaced")
    assert (ping.channel, ping.pings) == (CHANNEL, (BOB,))


async def test_what_only_one_person_may_know_is_not_told_elsewhere(passes: Passes) -> None:
    passes.discord.refusing["send", BOB + DMS] = (403, 50007)
    [tried] = await passes.carry_out(replace(personal(), fallback=None))
    assert tried.channel == BOB + DMS
    assert passes.shown == {}


async def test_any_other_refusal_is_raised(passes: Passes) -> None:
    passes.discord.refusing["send", BOB + DMS] = (403, 20026)
    with pytest.raises(discord.Forbidden):
        await passes.carry_out(personal())


# ---------------------------------------------------------------- the end of a message


async def test_a_retired_message_loses_its_buttons_and_is_forgotten(passes: Passes) -> None:
    await passes.carry_out(personal())
    [closed] = await passes.carry_out(Retired(THEIRS, OTHER, CARD))
    assert (closed.text, closed.buttons) == ("two", False)
    assert passes.shown == {}
    assert passes.store.kept == {}


async def test_where_others_read_it_says_no_more_than_they_may_know(passes: Passes) -> None:
    question = Prompt("deal-1", ALICE, 1)
    passes.shown[question] = Shown(question, CHANNEL, 5, "")
    passes.store.kept["prompt:deal-1:11:1"] = Message("prompt:deal-1:11:1", CHANNEL, 5, "")
    [closed] = await passes.carry_out(Retired(question, CARD, OTHER))
    assert closed.text == "two"


# ---------------------------------------------------------------- threads and boards


async def test_where_no_thread_could_be_opened_nothing_is_sent_there(passes: Passes) -> None:
    passes.shown[NegotiationThread(2)] = Shown(NegotiationThread(2), NOWHERE, 0, "none")
    assert await passes.carry_out(replace(public(), place=NegotiationRoom(2))) == []


async def test_a_thread_is_archived_once_its_negotiation_is_over(passes: Passes) -> None:
    passes.shown[NegotiationThread(2)] = Shown(NegotiationThread(2), 8, 0, "open")
    [there, archived] = await passes.carry_out(replace(public(), place=NegotiationRoom(2)), ArchiveThread(2))
    assert (there.channel, archived.what, archived.channel) == (8, "archive", 8)
    assert passes.shown[NegotiationThread(2)].state == "closed"


async def test_the_board_moves_down_with_each_window(passes: Passes) -> None:
    await passes.reconciler.show_board(passes.begin(), DesiredBoard(CARD, "1", wanted=True))
    await passes.reconciler.show_board(passes.begin(), DesiredBoard(OTHER, "1", wanted=True))
    await passes.reconciler.show_board(passes.begin(), DesiredBoard(OTHER, "2", wanted=True))
    assert [each.what for each in passes.discord.requests] == ["send", "edit", "delete", "send"]
    assert passes.shown[BoardWindow()].state == "2"


async def test_the_board_of_a_closed_table_stays_where_it_is(passes: Passes) -> None:
    await passes.reconciler.show_board(passes.begin(), DesiredBoard(CARD, "1", wanted=True))
    await passes.reconciler.show_board(passes.begin(), DesiredBoard(OTHER, "2", wanted=False))
    assert [each.what for each in passes.discord.requests] == ["send", "edit"]
    assert passes.shown[Board()].message_id == 101
