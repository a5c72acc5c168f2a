"""Tests of what each error of Discord means for its message."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot.delivery.verdicts import BY_CODE, ChannelClosed, FailureAction, Limited, is_outage, judge
from tests.errors import error

EXPECTED = {
    # code: (the status that Discord sends it with, what to do)
    10003: (404, FailureAction.GIVE_UP),  # unknown channel
    10004: (404, FailureAction.GIVE_UP),  # unknown server
    10008: (404, FailureAction.RECREATE),  # unknown message
    10013: (404, FailureAction.GIVE_UP),  # unknown user
    20026: (403, FailureAction.FALL_BACK),  # flagged for spam
    20028: (429, FailureAction.RETRY),  # the channel's write limit
    30046: (429, FailureAction.RETRY),  # too many edits of an old message
    40003: (400, FailureAction.FALL_BACK),  # opening DMs too fast
    40062: (429, FailureAction.RETRY),
    50001: (403, FailureAction.CLOSED),  # missing access
    50005: (403, FailureAction.RECREATE),  # another author's message
    50007: (403, FailureAction.FALL_BACK),  # no DMs to this user
    50013: (403, FailureAction.CLOSED),  # missing permissions
    50033: (400, FailureAction.FALL_BACK),  # invalid recipients
    50035: (400, FailureAction.GIVE_UP),  # invalid form body
    50083: (400, FailureAction.REOPEN),  # archived thread
    50278: (403, FailureAction.FALL_BACK),  # no mutual servers
    160005: (400, FailureAction.GIVE_UP),  # locked thread
}


def test_what_each_code_means(subtests: pytest.Subtests) -> None:
    for code, (status, act) in EXPECTED.items():
        with subtests.test(str(code)):
            verdict = judge(error(status, code))
            assert verdict.act is act
            assert verdict.reason == BY_CODE[code][1]


def test_no_code_is_left_out_here() -> None:
    assert EXPECTED.keys() == BY_CODE.keys()


@pytest.mark.parametrize("status", [500, 502, 503, 504, 524, 429])
def test_what_may_pass_is_tried_again(status: int) -> None:
    assert judge(error(status, 0)).act is FailureAction.RETRY


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413])
def test_any_other_refusal_is_not(status: int) -> None:
    verdict = judge(error(status, 0))
    assert verdict.act is FailureAction.GIVE_UP
    assert str(status) in verdict.reason


@pytest.mark.parametrize(
    "failure",
    [
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientConnectionError(),
        aiohttp.ClientPayloadError(),
        ConnectionResetError(),
        TimeoutError(),
    ],
)
def test_no_answer_is_tried_again(failure: Exception) -> None:
    assert judge(failure).act is FailureAction.RETRY
    assert is_outage(failure)


def test_a_limit_is_waited_for() -> None:
    verdict = judge(discord.RateLimited(31.5))
    assert (verdict.act, verdict.wait) == (FailureAction.RETRY, 31.5)
    assert not is_outage(discord.RateLimited(31.5))


def test_what_a_channel_refused_a_moment_ago_is_put_off_unless_it_is_gone() -> None:
    verdict = judge(ChannelClosed(50001, 7.0))
    assert verdict.act is FailureAction.PUT_OFF
    assert verdict.wait == 7.0
    assert judge(ChannelClosed(10003, 7.0)).act is FailureAction.GIVE_UP


def test_in_a_dm_every_final_refusal_but_of_our_own_fault_leaves_the_channel(
    subtests: pytest.Subtests,
) -> None:
    final = (FailureAction.GIVE_UP, FailureAction.CLOSED, FailureAction.FALL_BACK)
    for code in (*EXPECTED, 0, 50278, 50095, 200000):
        with subtests.test(str(code)):
            here = judge(error(403, code)).act
            there = judge(error(403, code), in_dm=True).act
            if code in (10003, 50001):
                assert there is FailureAction.OPEN_ANEW
            else:
                assert there is (
                    FailureAction.FALL_BACK if here in final and code != 50035 else here
                )


@pytest.mark.parametrize("code", [0, 1, 20028, 30046, 40062])
def test_a_limit_is_waited_for_whatever_its_code(code: int) -> None:
    """Discord may say it to any request, also to one that sends a message or opens a thread."""
    limited = Limited(6.0, code=code)
    for verdict in (judge(limited), judge(limited, in_dm=True)):
        assert verdict.act is FailureAction.RETRY
        assert verdict.wait == 6.0


def test_a_code_counts_before_the_status() -> None:
    assert judge(error(503, 50007)).act is FailureAction.FALL_BACK


@pytest.mark.parametrize(
    ("status", "outage"),
    [
        (403, False),
        (429, False),
        (499, False),
        (500, True),
        (503, True),
    ],
)
def test_only_server_errors_are_an_outage(status: int, outage: bool) -> None:
    response = cast(Any, SimpleNamespace(status=status, reason=""))
    refused = discord.HTTPException(response, {"code": 0, "message": ""})
    assert is_outage(refused) is outage


def test_reasons_are_for_people_to_read(subtests: pytest.Subtests) -> None:
    """The owner reads them in the log, after a colon."""
    for code in EXPECTED:
        with subtests.test(str(code)):
            _, reason = BY_CODE[code]
            assert reason[0].islower() or reason.startswith(("I ", "Discord"))
            assert not reason.endswith(".")
