"""Tests of an evening on phones: what people tap and type, what stays in the channel, and whom it
pings.

`pytest -s` prints it. Only messages that all can read are counted, and those in DMs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import pytest
from simcord.backend.models import Message

from bot.rehearsal.grammar import read_file
from bot.rehearsal.plays import Performance
from bot.rehearsal.report import LineResult
from bot.rehearsal.script import Act, Choose, Fill, PlayStep, PressStep, Slash, Submit
from tests.plays.played import EVENINGS, HERE, goes

pytestmark = pytest.mark.slow

EVENING, OF_SIX, FIVE_MINUTES, ONE_MINUTE = EVENINGS

SILENT = 1 << 12
"""Discord's flag of a message that notifies nobody."""


@dataclass
class Counts:
    """What an evening took, for each person, and what is left of it in the channel."""

    taps: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)
    typed: Counter[str] = field(default_factory=Counter)
    pings: list[tuple[str, str, str]] = field(default_factory=list)
    stays: list[str] = field(default_factory=list)


@cache
def counted(evening: str) -> Counts:
    """Play an evening and count."""
    counts, known, take = Counts(), set[int](), Performance.take

    async def counting(performance: Performance, step: PlayStep) -> list[LineResult]:
        lines, stage = await take(performance, step), performance.stage
        _count(counts, step)
        for message in _messages(performance):
            if message.id not in known:
                known.add(message.id)
                text = stage.message(message.id).text
                for name in _notified(performance, message):
                    counts.pings.append((name, step.text, text))
            if step is performance.play.steps[-1] and message.channel_id == stage.channel.id:
                counts.stays.append(stage.message(message.id).text)
        return lines

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Performance, "take", counting)
        goes(evening)
    return counts


def _count(counts: Counts, step: PlayStep) -> None:
    match step.action:
        case Act(who, PressStep() | Choose() | Submit()):
            counts.taps[who] += 1
        case Act(who, Fill()):
            counts.fields[who] += 1
        case Act(who, Slash()):
            counts.typed[who] += 1


def _messages(performance: Performance) -> Iterator[Message]:
    """Yield every message that is not for one person's eyes in a channel, oldest first."""
    stored = performance.stage.env.backend.messages.values()
    shown = []
    for messages in stored:
        shown += [message for message in messages.values() if not message.is_ephemeral]
    return iter(sorted(shown, key=lambda message: message.id))


def _notified(performance: Performance, message: Message) -> Iterator[str]:
    """Yield the people whom a new message notifies."""
    stage = performance.stage
    for name, person in stage.people.items():
        if stage.is_dm(message.channel_id):
            if message.channel_id == person.user.dm_channel.id and not message.flags & SILENT:
                yield name
        elif message.allowed_mentions.users and person.id in message.allowed_mentions.users:
            yield name


@pytest.mark.parametrize("evening", EVENINGS)
def test_play(evening: str) -> None:
    """It goes as it says; the tests below count what it took."""
    counted(evening)


# ---------------------------------------------------------------- what an evening may cost

SIX_STAY, HOST_TAPS = 12, 35
"""The most messages that may stay of an evening of six in two rounds, and the host's taps."""

MOST_STAY = 12
"""The most messages that may stay in the channel."""

BEFORE = {"taps": 30, "fields": 6, "typed": 7}
"""What the host of such an evening tapped, filled in and typed before everything had a button."""

ACTS = re.compile(
    r"press \"(End turn|.* passes for this round|.* begins|.*, then .*)\""  # it is their turn
    r"|press \"(.* commodit.*|.* trade goods?.*|Offer it|Accept.*|Trade with "
    r".*|Decline.*|Agree.*)\"|submit"
)
"""Acts after which somebody must act, or hears what they wait for: a turn begins, an offer is
posted or answered.
"""


def test_nothing_is_typed_and_buttons_cost_no_more() -> None:
    counts = counted(EVENING)
    print(f"\ntaps {dict(counts.taps)}\nfields {dict(counts.fields)}\ntyped {dict(counts.typed)}")
    assert counts.typed == {"alice": 1}, "/help, which sets the table up"
    assert counts.taps["alice"] <= sum(BEFORE.values())
    assert counts.fields.total() <= 2 + 4, "a seat each, and a promise, which has words"


def test_the_channel_stays_quiet() -> None:
    stays = counted(EVENING).stays
    print(f"\n{len(stays)} stay", *stays, sep="\n--\n")
    assert len(stays) <= MOST_STAY
    assert sum("End turn" in each or "Agenda" in each.splitlines()[-1] for each in stays) == 1, (
        "one board, at the end"
    )
    assert len({*stays}) == len(stays), "nothing is said twice"


def test_nobody_is_pinged_who_need_not_act() -> None:
    pings = counted(EVENING).pings
    for name, act, text in pings:
        print(f"{name} <- {act}: {text.splitlines()[0]}")
        actor = act.partition(":")[0]
        assert name != actor or ", then " in act, "nobody is pinged about what they did themselves"
        assert ACTS.search(act), act
    turns = [name for name, act, text in pings if "'s turn" in text]
    assert turns == [
        "alice",
        "bob",
        "carol",
        "dave",
        "alice",
        "bob",
        "carol",
        "dave",
        "alice",
        "bob",
    ]


def test_an_evening_of_six_says_everything_once() -> None:
    counts = counted(OF_SIX)
    print(f"\ntaps {dict(counts.taps)}\n{len(counts.stays)} stay", *counts.stays, sep="\n--\n")
    assert len(counts.stays) <= SIX_STAY
    assert counts.taps["alice"] <= HOST_TAPS
    assert len({*counts.stays}) == len(counts.stays), "nothing is said twice"


@pytest.mark.parametrize("evening", [OF_SIX, FIVE_MINUTES])
def test_no_phone_of_a_bystander_rings(evening: str) -> None:
    """A phone rings when it is somebody's turn, when trading opens for all, or when the other side
    of their own trade has done something.
    """
    for name, act, text in counted(evening).pings:
        actor, first = act.partition(":")[0], text.splitlines()[0]
        called = f"@{name}" in first and ("your turn" in first or "Trading is open" in first)
        assert called or actor in first or "Agreed: hand over" in first, (name, act, text)


def test_a_single_minute_of_trading_rings_once() -> None:
    """It needs no warning that one minute is left."""
    rung = Counter[tuple[str, str]]()
    for name, act, text in counted(ONE_MINUTE).pings:
        assert "One minute left" not in text
        if "Trading is open" in text:
            rung[name, act] += 1
    done = Counter(step.text for step in read_file(HERE / ONE_MINUTE).steps)
    assert all(times == done[act] for (_, act), times in rung.items())
    assert {name for name, _ in rung} == {"alice", "bob", "carol"}
