"""Tests of what the bot answers to people who write to it."""

from __future__ import annotations

import asyncio
from textwrap import dedent

import discord
import pytest

from bot.app import Bourse
from bot.ledger import Ledger
from bot.rehearsal.grammar import read_play
from bot.rehearsal.plays import bourse, run_play
from cogs.fair_use import FairUse
from tests.scale import long

OPENED = """
    alice: /table open game:ti4
    alice: /table sit seat:hacan
    bob: /table sit seat:sol
    carol: /table sit seat:letnev
    alice: /holdings set player:@alice goods:"{hand}"
    alice: /turn start player:@alice
"""


def played(text: str) -> dict[int, dict[str, list[str]]]:
    """Run a play, and return what each person saw after each line; it must go as it says."""
    report = run_play(read_play(dedent(text)))
    assert report.ok, str(report)
    return {line.line: line.saw for line in report.lines}


@pytest.mark.parametrize(
    "words",
    [
        "all my notes",
        "my ceasefire for 2 tg",
        *long(["2 tg to bob", "ur ta", "hello", "ok", "2 tg ta"]),
    ],
)
def test_the_channel_answers_alike_whatever_is_in_the_hand(words: str) -> None:
    saw = []
    for hand in ("5 tg, trade agreement, ceasefire", "5 tg, political secret"):
        text = OPENED.format(hand=hand) + f'    alice: says "@Bourse {words}"\n'
        saw.append(list(played(text).values())[-1])
    assert saw[0] == saw[1]


def test_a_private_thread_is_a_place_for_its_two() -> None:
    played(
        OPENED.format(hand="5 tg")
        + """
    alice: /negotiate open with:@bob
    alice: in thread says "@Bourse 2 tg for 1 c"
      alice has "See it"
      carol sees nothing
    alice: press "See it"
      sees "Offer to bob"
    alice: press "Offer it"
      records offer.posted
      carol sees nothing
      alice has no "See it"
    """
    )


async def test_words_are_counted_like_presses() -> None:
    """A person over budget reads so once; others are heard."""

    async def factory(url: str, word: str) -> tuple[discord.Client, Ledger]:
        bot, ledger = await bourse(url, word)
        assert isinstance(bot, Bourse)
        # on a busy machine an answer may take more of the processor than its token pays for
        bot.answers.fair_use = FairUse(10, clock=lambda: 0.0, used=lambda: 0.0)
        return bot, ledger

    text = OPENED.format(hand="5 tg") + '    bob: in dm says "2 tg"\n' * 10
    text += '      sees "That was a lot at once"\n'
    text += '    bob: in dm says "2 tg"\n      bob sees nothing\n'
    text += '    carol: in dm says "2 tg"\n      sees "Offer to everyone"\n'
    report = await asyncio.to_thread(run_play, read_play(dedent(text)), factory=factory)
    assert report.ok, str(report)


def test_without_messages_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """``BOURSE_MESSAGES=off``: Discord is not asked for messages."""
    monkeypatch.setenv("BOURSE_MESSAGES", "off")
    text = (
        OPENED.format(hand="5 tg")
        + """
    alice: in dm says "2 tg to bob"
      alice sees nothing
    alice: says "@Bourse 2 tg to bob"
      alice sees nothing
    alice: /privacy
      sees "I can't read messages"
    alice: /offer post to:@bob give:"1 tg"
      records offer.posted
    """
    )
    played(text)
