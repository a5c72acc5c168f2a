"""An evening of six by thumb, in which whatever is older than a turn is pressed once by somebody
who saw it: what is over records nothing, and the answer says what is so now.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from simcord.backend import serializers
from simcord.builders import ChannelHandle
from simcord.results import ResponseMessage

from bot.rehearsal.grammar import read_file
from bot.rehearsal.plays import Performance, performed
from bot.rehearsal.reading import Control
from bot.rehearsal.stage import Reply
from bot.show.custom_ids import without_number
from tests.cogs.evening import COMPONENT_USED, Evening
from tests.plays.played import HERE, on_a_copy
from tests.scale import SCALE, at_scale

pytestmark = pytest.mark.slow

OF_SIX = "ti4/evening_of_six_by_thumb.play"

SITS = {
    "hacan": "alice",
    "sol": "bob",
    "xxcha": "carol",
    "letnev": "dave",
    "jolnar": "erin",
    "winnu": "fay",
}

STILL_DOES = {
    r"[−+]\d .*|All \d+|Turned over|Replenish": "ti4.goods.counted",
    r"Swap .*|Offer it|1 .* for 1 .*|Again|Post it again": "offer.posted",
    r"Withdraw": "offer.withdrawn",
    r"They (kept|broke) it": "deal.marked",
    r"Next round": "table.phase",
}
"""What is the same later, by its label, and the kind of entry that it may record."""

PRESSED = at_scale(3, 300)
"""How often something with the same label is pressed."""

NEVER = re.compile("went wrong|my fault|older version|put back|thinking")

WHOSE = re.compile(r"\bit is @?(\w+)'s\b", re.IGNORECASE)
"""Whose turn it is, as answers say it."""

BEGINS = re.compile(r"ti4\.turn|phase|agenda")
"""The kinds of entries after which what was shown before is of an earlier turn."""


@dataclass
class Kept:
    """A button or a menu, where it stands, since which turn, and who has seen it."""

    message: int
    channel: int
    private: bool
    control: Control
    turn: int
    seen_by: list[str] = field(default_factory=list)

    @property
    def records(self) -> str:
        """The kind of entry that it may record; empty if none."""
        for labels, kind in STILL_DOES.items():
            if re.fullmatch(labels, self.control.label):
                return kind
        return ""


class Late:
    """People who press what they saw a turn ago."""

    def __init__(self, performance: Performance) -> None:
        self.stage, self.watching = performance.stage, performance._watching
        self.evening = Evening(self.stage)
        self.turn, self.pressed, self.labels = 0, 0, Counter[str]()
        self.kept: dict[tuple[int, str], Kept] = {}
        self.done: set[tuple[int, str]] = set()
        """What was pressed, or came of a late press."""
        self.wrong: list[str] = []

    def shown(self, name: str) -> Iterator[tuple[tuple[int, str], Kept]]:
        """Yield what a person can press."""
        for shown in self.stage._visible(self.stage.person(name)):
            message = shown.message
            private = message.is_ephemeral or self.stage.is_dm(message.channel_id)
            for control in self.stage._controls(shown):
                if control.enabled:
                    key = message.id, without_number(control.custom_id)
                    yield key, Kept(message.id, message.channel_id, private, control, self.turn)

    def keep(self) -> None:
        """Keep what everybody can press now."""
        for name in self.stage.people:
            for key, kept in self.shown(name):
                if key not in self.done:
                    seen_by = self.kept.setdefault(key, kept).seen_by
                    seen_by += [] if name in seen_by else [name]

    async def begins(self) -> None:
        """Another turn begins: press what is older than the last, and leave a menu open."""
        self.turn += 1
        await self.press_all(lasting=False)
        people = [*self.stage.people]
        await self.stage.press(people[self.turn % len(people)], "Menu")
        self.keep()

    async def press_all(self, *, lasting: bool) -> None:
        """Press what is older than a turn: what still does something (``lasting``), or the rest."""
        for key, kept in [*self.kept.items()]:
            old = kept.turn < self.turn - 1 and key not in self.done
            if old and lasting == bool(kept.records) and self.reachable(key, kept):
                self.done.add(key)
                self.labels[kept.control.label] += 1
                if self.labels[kept.control.label] <= PRESSED:
                    await self.press(kept)

    def reachable(self, key: tuple[int, str], kept: Kept) -> bool:
        """Return whether a phone may still show it: what stands there, and a board that was
        replaced a moment ago.
        """
        replaced = kept.message not in self.stage.env.backend.messages[kept.channel]
        if replaced:
            return not kept.private
        return any(key == each for each, _ in self.shown(kept.seen_by[0]))

    async def press(self, kept: Kept) -> None:
        name = kept.seen_by[self.pressed % len(kept.seen_by)]
        self.pressed += 1
        before = {*self.stage._shown}
        said = "\n".join((await self.use(name, kept)).texts())
        recorded = await self.watching.new_kinds()
        table = await self.evening.table()
        unsaid = {*recorded} - {kept.records, "offer.signature"}
        others = {*WHOSE.findall(said)} - {SITS.get(table.window.holder or "")}
        if unsaid or others or not (said or recorded) or NEVER.search(said):
            label = kept.control.label
            self.wrong.append(f"{name} presses “{label}” of turn {kept.turn}: {recorded}\n{said}")
        for id in self.stage._shown.keys() - before:
            message = self.stage._shown[id].message
            if message.is_ephemeral:  # its reader dismisses it
                del self.stage.env.backend.messages[message.channel_id][id]
        self.stage.look()
        for person in self.stage.people:
            self.done |= {key for key, _ in self.shown(person) if key not in self.kept}

    async def use(self, name: str, kept: Kept) -> Reply:
        person, backend = self.stage.person(name), self.stage.env.backend
        actor = self.stage.actor(person, kept.channel)
        control, stored = kept.control, backend.messages[kept.channel].get(kept.message)
        if stored is not None:
            there = ResponseMessage(self.stage.env, stored)
            if control.is_button:
                used = await actor.click(there, custom_id=control.custom_id)
            else:
                first = control.choices[0].value
                used = await actor.select(there, [first], custom_id=control.custom_id)
            return self.stage._reply(person, used, kept.message)
        stored = [*backend.messages[kept.channel].values()][-1]
        used = await person.member._dispatch_interaction(
            COMPONENT_USED,
            ChannelHandle(self.stage.env, self.stage.guild, backend.get_channel(kept.channel)),
            {"custom_id": control.custom_id, "component_type": control.kind},
            source_message_id=stored.id,
            extra={"message": dict(serializers.message_payload(backend, stored))},
        )
        return self.stage._reply(person, used, stored.id)


async def evening(url: str) -> Late:
    play = read_file(HERE / OF_SIX)
    async with performed(play, url, factory=on_a_copy) as performance:
        late = Late(performance)
        for step in play.steps:
            if "/table close" in step.text:
                break
            lines = await performance.take(step)
            assert all(line.ok for line in lines), [line.reason for line in lines]
            late.keep()
            if any(map(BEGINS.search, lines[0].records)):
                await late.begins()
                assert late.wrong == []
        late.turn += 2
        await late.press_all(lasting=True)
        assert late.stage.errors() == ()
    return late


def test_what_is_older_than_a_turn_does_what_it_says_or_nothing(tmp_path: Path) -> None:
    late = asyncio.run(evening(f"sqlite:///{tmp_path / 'bourse.db'}"))
    assert late.wrong == []
    assert late.pressed > (100 if SCALE == 1 else 300)
