"""Hands are secret [27.4]: two worlds that differ only in what a player may not know look the same to that player.

Two bots on two databases go through the same random evening. Where others act among themselves, the worlds differ:
in their hands, in what they offer one another, say and hand over, in how the stacks lie. Whatever one player sees,
reads, is offered while typing or can take home as a file has to be the same, and so has what the bot logs.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import re
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import permutations, zip_longest
from operator import is_
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from discord import app_commands
from simcord.backend import serializers
from simcord.results import ResponseMessage

from bot.desk import Look
from bot.rehearsal import reading
from bot.rehearsal.plays import bourse
from bot.rehearsal.reading import Control
from bot.rehearsal.stage import staged
from bot.rules.apply import replay
from bot.rules.commands import (
    AlterOffer,
    Command,
    CounterOffer,
    EndOffer,
    HandOver,
    PauseOffer,
    PickTaker,
    PostOffer,
    SetHoldings,
    Sign,
)
from bot.rules.decide import decide
from bot.rules.games.advciv.cards import card_of, named, tell, tradable
from bot.rules.games.advciv.commands import DoneTrading, DrawCards
from bot.rules.games.advciv.stacks import box
from bot.rules.games.advciv.state import AdvCivState, Stack
from bot.rules.goods import NOTHING, Goods
from bot.rules.offer_state import takers, trade_of
from bot.rules.ruling import Refused
from bot.rules.table import Offer, Table
from data import rules
from tests.discord.evening import TABLE, Evening, slash

SCALE = int(os.environ.get("SCALE_OF_TESTS", "1"))
"""How many times the usual number of evenings: SCALE_OF_TESTS=50 for a long night."""

ACTIONS = 70
"""In each evening, beside what is looked at when it ends."""

SEATS = {
    "alice": "egypt", "bob": "crete", "carol": "italy", "dave": "asia", "erin": "babylon", "frank": "assyria",
}  # fmt: skip
HOST, MODERATOR = "alice", "gina"
"""Who opens the table, and plays; who types in what others hold, and does not."""

T = TypeVar("T")
Two = tuple[T, T]
"""Something in the one world and in the other."""


# ---------------------------------------------------------------- a world, and what one player sees of it


class World:
    """One of the two. It has a loop of its own, since SimCord runs once a loop; only one of them turns at a time."""

    def __init__(self, url: str, viewer: str) -> None:
        self.viewer = viewer
        self.chance = ""
        """What the bot is given for randomness when it makes up the stacks."""
        self._runner = asyncio.Runner()
        self._over = asyncio.Event()
        self.evening = self.run(self._begin(url))
        self._seen: dict[int, tuple[Sequence[object], str]] = {}
        self._numbers: dict[int, int] = {}
        for name in (*SEATS, MODERATOR):
            self.evening.stage.person(name)
        self.evening.stage.moderate(MODERATOR)

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(what)

    async def _begin(self, url: str) -> Evening:
        """SimCord wants to be left by the task that entered it, so that one lives as long as the world."""
        begun: asyncio.Future[Evening] = asyncio.get_running_loop().create_future()

        async def lives() -> None:
            async with staged(bourse, url) as stage:
                begun.set_result(Evening(stage))
                await self._over.wait()

        self._life = asyncio.create_task(lives())
        await asyncio.wait([self._life, begun], return_when=asyncio.FIRST_COMPLETED)  # type: ignore[type-var]
        return begun.result()

    async def _end(self) -> None:
        self._over.set()
        await self._life

    def close(self) -> None:
        with closing(self._runner):
            self.run(self._end())

    def look(self) -> Look:
        return self.run(self.evening.bot.desk.look(TABLE))

    def now(self) -> int:
        return int(self.evening.env.now().timestamp() * 1000)

    # ------------------------------------------------------------ seen

    def news(self) -> list[str]:
        """Every message that came, changed or went for the viewer since this was last asked, and every request of the
        bot's that their client is told of, though it may show nothing.
        """
        stage, viewer = self.evening.stage, self.evening.stage.person(self.viewer)
        store, read = self.evening.env.backend, stage.channels_of(viewer)
        now = {
            message.id: message
            for channel in sorted(read)
            for message in store.messages.get(channel, {}).values()
            if message.visible_to(viewer.id)
        }
        for id in sorted(now):
            self._numbers.setdefault(id, len(self._numbers) + 1)
        lines = [f"gone: message {self._numbers[id]}" for id in self._seen if id not in now]
        self._seen = {id: seen for id, seen in self._seen.items() if id in now}
        for id, message in now.items():
            # An edit puts new lists in place of the old.
            parts = (message.content, message.flags, message.components, message.embeds, message.attachments)
            before, text = self._seen.get(id, ((), ""))
            if len(before) == len(parts) and all(map(is_, before, parts)):
                continue
            whole = self._whole(serializers.message_payload(store, message, for_user=viewer.id))
            if whole != text:
                lines.append(f"{'changed' if text else 'new'}: message {self._numbers[id]}: {whole}")
            self._seen[id] = (parts, whole)
        places = {f"/channels/{id}/" for id in read}
        for request in self.evening.requests():
            if request.method != "GET" and any(request.path.startswith(place) for place in places):
                # The nonce is a digest of the message before, by its id.
                body = {key: value for key, value in (request.json or {}).items() if key != "nonce"}
                lines.append(f"{request.method} {self.plain(request.path)} {self.plain(body)}")
        return lines

    def plain(self, told: object) -> str:
        """As it is, but for what differs without telling anything: Discord's ids, which count what is written to others
        too, and the hashes of the ledger, which are commitments with salt.
        """
        text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, default=str)
        return re.sub(r"\b[0-9a-f]{64}\b", "<hash>", re.sub(r"\b\d{17,20}\b", self._what, text))

    def _what(self, found: re.Match[str]) -> str:
        store, id = self.evening.env.backend, int(found[0])
        if id in store.users:
            return f"<user {store.users[id].name}>"
        if id in store.channels:
            return f"<channel {store.channels[id].name}>"
        return f"<message {self._numbers[id]}>" if id in self._numbers else "<id>"

    def _whole(self, payload: Any) -> str:
        """A message to the last field; of people their names, since the rest of them is Discord's."""
        files = [self._file(one) for one in payload["attachments"]]
        mentions = [one["username"] for one in payload["mentions"]]
        asked = payload.get("interaction_metadata")
        by = {"by": asked["user"]["username"], "name": asked.get("name")} if asked else None
        author = payload["author"]["username"]
        people = {"author": author, "mentions": mentions, "interaction_metadata": by}
        return self.plain({**payload, **people, "attachments": files})

    def _file(self, attachment: Mapping[str, Any]) -> dict[str, Any]:
        """A file by its bytes."""
        content = self.evening.env.backend.cdn.get(attachment["url"]) or b""
        image = str(attachment["content_type"]).startswith("image/")
        return {**attachment, "content": hashlib.md5(content).hexdigest() if image else content.decode()}

    # ------------------------------------------------------------ done

    def types(self, who: str, path: str, options: Mapping[str, str], *, in_dm: bool = False) -> list[str]:
        """Type a command; gives the form that it opened, if any."""
        reply = self.run(self.evening.stage.slash(who, slash(path, options, in_dm=in_dm)))
        return [f"form: {reply.modal}"] if reply.modal is not None else []

    def completes(self, path: str, option: str, typed: str, filled: Mapping[str, str]) -> list[str]:
        """What the viewer is offered while typing, with what each choice stands for."""
        stage = self.evening.stage
        person = stage.person(self.viewer)
        given = {
            name: int(value) if value.isdigit() else stage.person(value[1:]).member if value[0] == "@" else value
            for name, value in filled.items()
        }
        found = self.run(person.member.autocomplete(stage.channel, path, option, typed, **given))
        return [f"choices: {self.plain(found)}"]

    def controls(self, who: str) -> list[tuple[int, Control]]:
        """What somebody could press or choose from now, by the message it is in."""
        stage = self.evening.stage
        person, store = stage.person(who), self.evening.env.backend
        return [
            (message.id, control)
            for channel in sorted(stage.channels_of(person))
            for message in store.messages.get(channel, {}).values()
            if message.visible_to(person.id)
            for control in reading.controls({"components": message.components}, stage.names, self.evening.env.now())
            if control.enabled
        ]

    def clicks(self, who: str, id: int, control: Control, values: Sequence[str]) -> list[str]:
        """Press a button or choose; gives the form that it opened, if any."""
        stage = self.evening.stage
        message = next(found for each in self.evening.env.backend.messages.values() if (found := each.get(id)))
        actor, pressed = stage.actor(stage.person(who), message.channel_id), ResponseMessage(self.evening.env, message)
        if control.is_button:
            result = self.run(actor.click(pressed, custom_id=control.custom_id))
        else:
            result = self.run(actor.select(pressed, list(values), custom_id=control.custom_id))
        stage.look()
        return [f"form: {self.plain(result.modal)}"] if result.modal else []


class Worlds:
    """Both, and what is held against them after everything that happens."""

    def __init__(self, folder: Path, viewer: str, caplog: pytest.LogCaptureFixture) -> None:
        self.viewer, self._caplog = viewer, caplog
        self.both = tuple(World(f"sqlite:///{folder / name}.db", viewer) for name in ("one", "other"))
        self.turning = self.both[0]
        self.looks: Two[Look] = (Look(0, Table(), {}), Look(0, Table(), {}))
        """The table in each world, as it was after what was done last."""
        self.told: list[str] = []

    def tables(self) -> Two[Table]:
        return self.looks[0].table, self.looks[1].table

    def person(self, name: str) -> int:
        """Somebody's number at the table, the same in both worlds."""
        id = self.both[0].evening.stage.person(name).id
        found = self.looks[0].person(id)
        assert found is not None
        return found.number

    def do(self, what: str, *deeds: Any) -> None:
        """Have something done in each world: ``deeds`` are two functions of a world, or one for both."""
        seen: list[list[str]] = []
        for world, deed in zip(self.both, deeds * (2 // len(deeds)), strict=True):
            self._caplog.clear()
            self.turning = world
            lines = deed(world)
            errors = world.evening.errors()
            assert not errors, f"{what}: {errors}"
            logged = [
                f"log: {record.name} {record.levelname} {world.plain(record.getMessage())}"
                for record in self._caplog.records
                if record.name.split(".")[0] in ("bot", "cogs")
            ]
            seen.append([*(lines or []), *world.news(), *logged])
        self.told.append(what)
        if seen[0] != seen[1]:
            pytest.fail(self._difference(what, *seen))
        self.looks = (self.both[0].look(), self.both[1].look())

    def types(self, who: str, path: str, *options: Mapping[str, str], in_dm: bool = False) -> None:
        """Have a command typed, with the same options in both worlds or others in each."""
        one, other = options * (2 // len(options)) if options else ({}, {})
        self.do(
            f"{who}: /{path} {dict(one)}{'' if one == other else f' and {dict(other)}'}",
            lambda world: world.types(who, path, one, in_dm=in_dm),
            lambda world: world.types(who, path, other, in_dm=in_dm),
        )

    def dms(self, who: str, *, opened: bool) -> None:
        """Have somebody open or close their DMs."""

        def done(world: World) -> None:
            stage = world.evening.stage
            (stage.open_dms if opened else stage.close_dms)(who)
            stage.look()

        self.do(f"{who} {'opens' if opened else 'closes'} dms", done)

    def hold(self, who: str, *hands: str) -> None:
        """Have the moderator type in a hand, or another in each world."""
        self.types(MODERATOR, "holdings set", *({"player": f"@{who}", "goods": goods} for goods in hands))
        self.in_step()

    def in_step(self) -> None:
        """The ledgers are of one length: what was done was allowed in both worlds or refused in both."""
        assert self.looks[0].table.seq == self.looks[1].table.seq, self.told[-1]

    def _difference(self, what: str, one: list[str], other: list[str]) -> str:
        parts = next(two for two in zip_longest(one, other, fillvalue="nothing") if two[0] != two[1])
        same = next(place for place, (a, b) in enumerate(zip_longest(*parts)) if a != b)
        told = "\n".join(f"  …{line[max(0, same - 200) : same + 300]}…" for line in parts)
        return f"{self.viewer} can tell the worlds apart by {what}\n{told}\nBefore: " + "\n".join(self.told[-6:-1])

    def close(self) -> None:
        for world in self.both:
            world.close()


@contextmanager
def two_worlds(
    folder: Path, viewer: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Worlds]:
    """Two tables of Advanced Civilization with six people; in each, the stacks lie by a chance of its own."""
    with caplog.at_level(logging.INFO, "bot"), caplog.at_level(logging.INFO, "cogs"):
        worlds = Worlds(folder, viewer, caplog)
        chance = SimpleNamespace(token_hex=lambda size: worlds.turning.chance)
        monkeypatch.setattr("cogs.advciv.cards.secrets", chance)
        try:
            worlds.types(HOST, "table open", {"game": "advciv", "name": "Thursday"})
            for name, seat in SEATS.items():
                worlds.types(name, "table sit", {"seat": seat})
            worlds.types(MODERATOR, "holdings show", {"player": f"@{HOST}"})
            yield worlds
        finally:
            worlds.close()


# ---------------------------------------------------------------- what people do


@dataclass(frozen=True)
class Deed:
    """A command as it is typed in each world, and the wish that it is, by which to foresee what comes of it."""

    who: str
    path: str
    options: Two[dict[str, str]]
    wishes: Two[Command] | None = None


class Script:
    """An evening made up as it goes. Whatever others do among themselves is another thing in each world; whatever the
    viewer has a part in, and all that everybody can see, is the same.

    What comes of a wish must be the same too, for that everybody sees: each is tried on both tables before.
    """

    def __init__(self, worlds: Worlds, random: Random) -> None:
        self.worlds, self.random = worlds, random
        self.viewer = worlds.viewer
        self.closed: set[str] = set()
        self.dealt = False

    # ------------------------------------------------------------ hands

    def seat_of(self, name: str) -> str:
        return SEATS[name]

    def name_of(self, seat: str) -> str:
        return next(name for name, id in SEATS.items() if id == seat)

    def hands(self, name: str) -> Two[Goods]:
        """What somebody could hand over, in each world."""
        one, other = (tradable(table.seats[self.seat_of(name)].holdings) for table in self.worlds.tables())
        return one, other

    def common(self, name: str) -> Goods:
        """What somebody could hand over in either world."""
        one, other = self.hands(name)
        return _both(one, other)

    def set_hands(self) -> None:
        """A moderator types in what lies on the table. Of what others hold, some is the same: that can be traded with
        the viewer.
        """
        cards = _each(box())
        self.random.shuffle(cards)
        shared = {name: _goods(cards.pop() for _ in range(8 if name == self.viewer else 5)) for name in SEATS}
        rest = [self.random.sample(cards, len(cards)) for _ in range(2)]
        for name, same in shared.items():
            hands = [
                same + _goods(deck.pop() for _ in range(0 if name == self.viewer else self.random.randint(2, 5)))
                for deck in rest
            ]
            self.worlds.hold(name, *map(tell, hands))

    def deal(self) -> None:
        """The bot deals. The stacks lie otherwise in each world, but for what the viewer draws."""
        cities = self.random.randint(4, 6)
        host, viewer = self.worlds.person(HOST), self.worlds.person(self.viewer)
        wish = [
            DrawCards(by=host, person=viewer, cities=cities, chance=self.random.randbytes(32).hex())
            for _ in range(4000)
        ]
        drawn = [_drawn(table, wish[0]) for table in self.worlds.tables()]
        found = (each for each in wish[1:] if _drawn(self.worlds.tables()[1], each) == drawn[0])
        for world, each in zip(self.worlds.both, (wish[0], next(found)), strict=True):
            world.chance = each.chance
        self.worlds.types(HOST, "cards draw", {"cities": str(cities), "player": f"@{self.viewer}"})
        for name in SEATS:
            if name != self.viewer:
                cities = min(9, cities + self.random.randint(0, 1))
                # That a stack has run out everybody sees.
                if all(len(stack) > 1 for table in self.worlds.tables() for stack in _stacks(table)[:cities]):
                    self.worlds.types(name, "cards draw", {"cities": str(cities)})
                    self.worlds.in_step()
                    self._buys(name)
        self._buys(self.viewer)
        self.dealt = True

    def _buys(self, name: str) -> None:
        """Buy from the ninth stack; the viewer only where the same card lies on top of it."""
        one, other = (_stacks(table)[8] for table in self.worlds.tables())
        if min(len(one), len(other)) > 1 and (name != self.viewer or one[0] == other[0]):
            self.worlds.types(name, "cards buy")
            self.worlds.in_step()

    # ------------------------------------------------------------ cards that are promised twice

    def promise_twice(self) -> None:
        """Of three others, one hands over the same cards to both; with the one they are traded, with the other it is
        void. Which cards, is another thing in each world.
        """
        parts = {name: [_goods(_plain(hand)[:3]) for hand in self.hands(name)] for name in SEATS if name != self.viewer}
        able = [name for name, both in parts.items() if min(part.total() for part in both) == 3]
        threes = list(permutations(able, 3))
        self.random.shuffle(threes)
        who, *both = next(
            three
            for three in threes
            if all(
                (hand - given + comes).missing(given)
                for hand, given, comes in zip(self.hands(three[0]), parts[three[0]], parts[three[1]], strict=True)
            )
        )
        for to in both:
            posts = [
                {"to": f"@{to}", "give": tell(give), "want": tell(want), "hand": tell(give)}
                for give, want in zip(parts[who], parts[to], strict=True)
            ]
            self.worlds.types(who, "offer post", *posts)
        for number, to in enumerate(both, start=1):
            offer = {"offer": str(number)}
            self.worlds.types(to, "offer hand", *(offer | {"cards": tell(want)} for want in parts[to]))
            self.worlds.in_step()
            self.worlds.types(self.viewer, "history", offer)
        self.worlds.types(self.viewer, "audit trade", {"number": "1"})
        one, other = self.worlds.tables()
        assert [offer.status for offer in one.offers.values()] == ["resolved", "void"]
        assert [offer.status for offer in other.offers.values()] == ["resolved", "void"]

    # ------------------------------------------------------------ one thing after another

    def act(self) -> None:
        """Something that somebody does."""
        kinds = {
            self._trades: 60, self._looks: 12, self._completes: 6, self._clicks: 12, self._closes_dms: 3,
            self._audits: 3, self._waits: 1,
        }  # fmt: skip
        self.random.choices(list(kinds), list(kinds.values()))[0]()

    def _trades(self) -> None:
        for _ in range(40):
            deed = self._wish()
            if deed is None or deed.wishes is None:
                continue
            one, other = self._foreseen(deed.wishes)
            if one == other and (one != "refused" or self.random.random() < 0.1):
                in_dm = self.random.random() < 0.1 and deed.who not in self.closed and deed.path.startswith("offer")
                self.worlds.types(deed.who, deed.path, *deed.options, in_dm=in_dm)
                self.worlds.in_step()
                return

    def _foreseen(self, wishes: Two[Command]) -> Two[object]:
        one, other = (self._outcome(look, wish) for look, wish in zip(self.worlds.looks, wishes, strict=True))
        return one, other

    def _outcome(self, look: Look, wish: Command) -> object:
        """What everybody sees of what comes of a wish, now or later: which entries there are; and of all that is handed
        over, whether it will still be there, for else its offer is void.
        """
        try:
            entries = decide(look.table, wish.model_copy(update={"at": self.worlds.both[0].now()}))
        except Refused:
            return "refused"
        after = replay(entries, look.table)
        there = [
            (offer.number, seat, not tradable(after.seats[seat].holdings).missing(goods))
            for offer in after.live_offers()
            for seat, goods in offer.handed.items()
        ]
        return [entry.kind for entry in entries], there

    # ------------------------------------------------------------ wishes

    def _wish(self) -> Deed | None:
        makers = {
            self._posts: 14, self._counters: 4, self._alters: 4, self._pauses: 4, self._ends: 5, self._accepts: 16,
            self._hands: 26, self._done: 2, self._corrected: 2,
        }  # fmt: skip
        return self.random.choices(list(makers), list(makers.values()))[0]()

    def _posts(self) -> Deed | None:
        who = self._anybody()
        to = None if self.random.random() < 0.35 else self._anybody(but=who)
        sides = self._sides(who, to)
        if sides is None:
            return None
        lasts = {"for": self.random.choice(("30s", "1m", "1h"))} if self.random.random() < 0.15 else {}
        early = self._early(who, to, sides) if self.random.random() < 0.3 else None
        options, wishes = [], []
        for world in range(2):
            give, want, terms = sides[world]
            told = {"give": tell(give), "want": tell(want), "terms": terms, **lasts}
            if to is not None:
                told["to"] = f"@{to}"
            if early is not None:
                told["hand"] = tell(early[world])
            options.append({name: value for name, value in told.items() if value and value != "nothing"})
            wishes.append(
                PostOffer(
                    by=self.worlds.person(who), to=self.worlds.person(to) if to else None, give=give, want=want,
                    terms=terms, handed=early[world] if early else None,
                )
            )  # fmt: skip
        return Deed(who, "offer post", _two(options), _two(wishes))

    def _counters(self) -> Deed | None:
        offer = self._offer(lambda offer: offer.to is None or self.random.random() < 0.8)
        if offer is None:
            return None
        poster = self.name_of(offer.seat)
        who = self.name_of(offer.to) if offer.to else self._anybody(but=poster)
        sides = self._sides(who, poster)
        if sides is None:
            return None
        options = [{"offer": str(offer.number), "give": tell(give), "want": tell(want)} for give, want, _ in sides]
        wishes = [
            CounterOffer(by=self.worlds.person(who), offer=offer.number, give=give, want=want)
            for give, want, _ in sides
        ]
        return Deed(who, "offer counter", _two(options), _two(wishes))

    def _alters(self) -> Deed | None:
        offer = self._offer(lambda offer: True)
        if offer is None:
            return None
        who, to = self.name_of(offer.seat), self.name_of(offer.to) if offer.to else None
        sides = self._sides(who, to if offer.private else None)
        if sides is None:
            return None
        options = [{"offer": str(offer.number), "give": tell(give), "want": tell(want)} for give, want, _ in sides]
        wishes = [
            AlterOffer(
                by=self.worlds.person(who), offer=offer.number, revision=offer.revision, give=give, want=want,
                terms=table.offers[offer.number].terms,
            )
            for (give, want, _), table in zip(sides, self.worlds.tables(), strict=True)
        ]  # fmt: skip
        return Deed(who, "offer alter", _two(options), _two(wishes))

    def _pauses(self) -> Deed | None:
        offer = self._offer(lambda offer: offer.status == "suspended" or self.random.random() < 0.4)
        if offer is None:
            return None
        who, paused = self.name_of(offer.seat), offer.status != "suspended"
        wish = PauseOffer(by=self.worlds.person(who), offer=offer.number, paused=paused)
        return self._alike(who, f"offer {'suspend' if paused else 'resume'}", {"offer": str(offer.number)}, wish)

    def _ends(self) -> Deed | None:
        """Withdraw, decline, back out."""
        offer = self._offer(lambda offer: True)
        if offer is None:
            return None
        taken = [*takers(self.worlds.tables()[0], offer), *([offer.to] if offer.to else [])]
        declines = bool(taken) and self.random.random() < 0.5
        who = self.name_of(self.random.choice(taken) if declines else offer.seat)
        how = "decline" if declines else "withdraw"
        wish = EndOffer.model_validate({"by": self.worlds.person(who), "offer": offer.number, "how": how})
        return self._alike(who, f"offer {how}", {"offer": str(offer.number)}, wish)

    def _accepts(self) -> Deed | None:
        offer = self._offer(lambda offer: offer.status == "open")
        if offer is None:
            return None
        if picked := takers(self.worlds.tables()[0], offer):
            self._picks(offer, self.random.choice(picked))
            return None
        who = self.name_of(offer.to) if offer.to else self._anybody(but=self.name_of(offer.seat))
        wish = Sign(by=self.worlds.person(who), offer=offer.number, revision=offer.revision)
        return self._alike(who, "offer accept", {"offer": str(offer.number)}, wish)

    def _picks(self, offer: Offer, taker: str) -> None:
        """Whoever posted an offer to all picks one of those who accept it, under their own card."""
        who = self.name_of(offer.seat)
        wish = PickTaker(by=self.worlds.person(who), offer=offer.number, revision=offer.revision, taker=taker)
        one, other = self._foreseen((wish, wish))
        action = f"offer:{TABLE}:{offer.number}:{offer.revision}:pick:{taker}"
        found = [
            next(((id, control) for id, control in world.controls(who) if control.custom_id == action), None)
            for world in self.worlds.both
        ]
        if one == other and found[0] and found[1]:
            self.worlds.do(
                f"{who} picks {taker} for #{offer.number}",
                *(lambda world, at=at: world.clicks(who, *at, []) for at in found),
            )
            self.worlds.in_step()

    def _hands(self) -> Deed | None:
        """Hand over what is promised: whatever one likes beside what is named; to the viewer the same in both."""
        offer = self._offer(lambda offer: offer.status == "open" and (bool(offer.signatures) or bool(offer.handed)))
        if offer is None:
            return None
        parties = [offer.seat, offer.to or self.seat_of(self._anybody(but=self.name_of(offer.seat)))]
        waits = [seat for seat in parties if seat not in offer.handed] or parties
        who = self.name_of(self.random.choice(waits if self.random.random() < 0.9 else parties))
        sides = [
            trade_of(table.offers[offer.number], self.seat_of(who)).gives(self.seat_of(who))
            for table in self.worlds.tables()
        ]
        known = self.seat_of(self.viewer) in parties or (offer.to is None and who == self.name_of(offer.seat))
        chosen = self._chosen(who, _two(sides), alike=known)
        if chosen is None:
            return None
        options = [{"offer": str(offer.number), "cards": tell(goods)} for goods in chosen]
        wishes = [
            HandOver(by=self.worlds.person(who), offer=offer.number, revision=offer.revision, goods=goods)
            for goods in chosen
        ]
        return Deed(who, "offer hand", _two(options), _two(wishes))

    def _done(self) -> Deed | None:
        who = self._anybody()
        state = self.worlds.tables()[0].state
        if not isinstance(state, AdvCivState) or len(state.done) > len(SEATS) - 3:
            return None
        return self._alike(who, "trading done", {}, DoneTrading(by=self.worlds.person(who)))

    def _corrected(self) -> Deed | None:
        """The moderator mends a hand, and says why; what it is now stays between the two."""
        who = self._anybody(but=self.viewer)
        if self.dealt:
            return None
        stays = [table.seats[self.seat_of(who)].holdings for table in self.worlds.tables()]
        extra = [card for card in box() if not any(card in hand for hand in stays)]
        goods = [hand + Goods({self.random.choice(extra): 1}) for hand in stays]
        options = [{"player": f"@{who}", "goods": tell(each), "reason": "Miscounted"} for each in goods]
        wishes = [
            SetHoldings(
                by=self.worlds.person(MODERATOR), moderator=True, person=self.worlds.person(who), goods=each,
                reason="Miscounted",
            )
            for each in goods
        ]  # fmt: skip
        return Deed(MODERATOR, "audit correct", _two(options), _two(wishes))

    # ------------------------------------------------------------ what a wish is made of

    def _alike(self, who: str, path: str, options: dict[str, str], wish: Command) -> Deed:
        return Deed(who, path, (options, options), (wish, wish))

    def _anybody(self, but: str | None = None) -> str:
        return self.random.choice([name for name in SEATS if name != but])

    def _offer(self, wanted: Any) -> Offer | None:
        """Some offer that stands, the same in both worlds but for its goods."""
        found = [offer for offer in self.worlds.tables()[0].live_offers() if wanted(offer)]
        return self.random.choice(found) if found else None

    def _sides(self, who: str, to: str | None) -> Two[tuple[Goods, Goods, str]] | None:
        """What an offer gives and wants, and its terms: of one between two others another in each world."""
        terms = "" if self.random.random() < 0.7 else "."
        if to is not None and self.viewer not in (who, to):
            made = [self._side(who, hand, theirs) for hand, theirs in zip(self.hands(who), self.hands(to), strict=True)]
            return _two([(give, want, terms and self._words()) for give, want in made])
        give, want = self._side(who, self.common(who), self.common(to or self._anybody(but=who)))
        same = (give, want, terms and self._words())
        return same, same

    def _words(self) -> str:
        return " ".join(self.random.choices(("peace", "for", "two", "turns", "or", "war", "ships"), k=4))

    def _side(self, who: str, hand: Goods, theirs: Goods) -> tuple[Goods, Goods]:
        """Gives what is in the hand, asks for what the other has, mostly."""
        want = self._asked(theirs if theirs and self.random.random() < 0.85 else box())
        return (NOTHING if self.random.random() < 0.1 else self._asked(hand)), want

    def _asked(self, of: Goods) -> Goods:
        """Two or three cards by name, and some that are not named, with a claim or without."""
        cards = _plain(of)
        few = self.random.random() < 0.1
        firm = self.random.sample(cards, min(len(cards), 1 if few else self.random.randint(2, 3)))
        asked = _goods(firm)
        for _ in range(self.random.randint(0 if len(firm) > 2 else 1, 2)):
            claim = self.random.choice(("unnamed", f"claim:{card_of(self.random.choice(list(box()))).id}"))
            asked += Goods({claim: 1})
        return asked

    def _early(self, who: str, to: str | None, sides: Two[tuple[Goods, Goods, str]]) -> Two[Goods] | None:
        """What is handed over as an offer is posted."""
        known = to is None or self.viewer in (who, to)
        return self._chosen(who, (sides[0][0], sides[1][0]), alike=known)

    def _chosen(self, who: str, promised: Two[Goods], *, alike: bool) -> Two[Goods] | None:
        """What somebody hands over for what they promised: out of their hand in each world."""
        if alike:
            goods = self._out_of(self.common(who), promised[0])
            return (goods, goods) if goods else None
        one, other = (self._out_of(hand, each) for hand, each in zip(self.hands(who), promised, strict=True))
        return (one, other) if one and other else None

    def _out_of(self, hand: Goods, promised: Goods) -> Goods | None:
        firm = named(promised)
        if hand.missing(firm):
            return None
        rest, free = _each(hand - firm), promised.total() - firm.total()
        # Calamities are what one gives away.
        rest.sort(key=lambda card: (not card.startswith("calamity:"), self.random.random()))
        return firm + _goods(rest[:free]) if len(rest) >= free and promised else None

    # ------------------------------------------------------------ looking, pressing, and the rest

    def looks(self) -> list[tuple[str, dict[str, str]]]:
        """Everything at which the viewer can look."""
        numbers = [str(number) for number in self.worlds.tables()[0].offers][-6:]
        return [
            ("offer list", {}), ("table show", {}), ("cards hand", {}), ("cards sets", {}), ("holdings show", {}),
            ("deal list", {}), ("history", {}), *(("history", {"player": f"@{name}"}) for name in SEATS),
            *(("history", {"offer": number}) for number in numbers),
            *(("rules show", {"number": number}) for number in rules("advciv")),
            ("holdings show", {"player": f"@{self._anybody(but=self.viewer)}"}),
            *(("offer accept", {"offer": number}) for number in numbers if self._of_others(int(number))),
            *(("offer counter", {"offer": number}) for number in numbers),
        ]  # fmt: skip

    def audits(self) -> list[tuple[str, dict[str, str]]]:
        """Everything that the host can look up, who is a player like any other."""
        trades = self.worlds.tables()[0].transactions
        return [
            ("audit ledger", {}), ("audit verify", {}), *(("audit export", {"format": form}) for form in FORMATS),
            *(("audit player", {"player": f"@{name}"}) for name in SEATS),
            *(("audit trade", {"number": str(number)}) for number in range(1, trades + 1)),
        ]  # fmt: skip

    def _of_others(self, number: int) -> bool:
        offer = self.worlds.tables()[0].offers[number]
        return offer.private and not offer.party(self.seat_of(self.viewer))

    def _looks(self) -> None:
        looks = self.looks()
        path = self.random.choice(sorted({path for path, _ in looks}))
        self.worlds.types(self.viewer, path, self.random.choice([options for each, options in looks if each == path]))

    def _audits(self) -> None:
        self.worlds.types(HOST, *self.random.choice(self.audits()))
        self.worlds.in_step()

    def _completes(self) -> None:
        path, option, others = self.random.choice(self.completed())
        self._complete(path, option, others)

    def completed(self) -> list[tuple[str, str, list[str]]]:
        """Every option that is completed, with the others of its command."""
        tree = self.worlds.both[0].evening.bot.tree
        return [
            (command.qualified_name, option.display_name, [one.display_name for one in command.parameters])
            for command in tree.walk_commands()
            if isinstance(command, app_commands.Command)
            for option in command.parameters
            if option.autocomplete
        ]

    def _complete(self, path: str, option: str, others: Sequence[str]) -> None:
        offers = len(self.worlds.tables()[0].offers)
        given = {
            "offer": str(self.random.randint(1, offers + 1)), "to": f"@{self._anybody()}",
            "player": f"@{self._anybody()}", "with": f"@{self._anybody()}",
        }  # fmt: skip
        filled = {name: value for name, value in given.items() if name in others and name != option}
        numeric = option in ("offer", "number", "deal") and path != "rules show"
        typed = "" if numeric else self.random.choice(("", "", "s", "2 ", "2 salt, ", "? (", "of"))
        self.worlds.do(
            f"{self.viewer} types {typed!r} in {option} of /{path} {filled}",
            lambda world: world.completes(path, option, typed, filled),
        )

    def _clicks(self) -> None:
        """The viewer presses or chooses whatever they see; not what would end the trading."""
        found = [world.controls(self.viewer) for world in self.worlds.both]
        assert [each.label for _, each in found[0]] == [each.label for _, each in found[1]]
        fitting = [place for place, (_, each) in enumerate(found[0]) if not re.match(ENDS_IT, each.custom_id)]
        place = self.random.choice(fitting)
        control = found[0][place][1]
        values = [one.value for one in self.random.sample(control.choices, min(len(control.choices), 1))]
        if not self._same_by_rule(control.custom_id):
            return
        self.worlds.do(
            f"{self.viewer} presses {control.label!r} ({control.custom_id}) {values}",
            *(lambda world, at=each[place]: world.clicks(self.viewer, *at, values) for each in found),
        )
        self.worlds.in_step()

    def _same_by_rule(self, action: str) -> bool:
        """Whether what a hand-over leads to is the same in both worlds, where a button leads to one."""
        found = re.fullmatch(r"offer:\d+:(\d+):(\d+):hand", action)
        offer = self.worlds.tables()[0].offers.get(int(found[1])) if found else None
        if found is None or offer is None:
            return True
        goods = named(trade_of(offer, self.seat_of(self.viewer)).gives(self.seat_of(self.viewer)))
        me = self.worlds.person(self.viewer)
        wish = HandOver(by=me, offer=offer.number, revision=int(found[2]), goods=goods)
        one, other = self._foreseen((wish, wish))
        return one == other

    def _closes_dms(self) -> None:
        """Somebody closes their DMs, or opens them again."""
        who = self._anybody()
        self.closed ^= {who}
        self.worlds.dms(who, opened=who not in self.closed)

    def _waits(self) -> None:
        self.worlds.do("wait 20s", lambda world: world.run(world.evening.stage.wait(20)))

    def restart(self) -> None:
        self.worlds.do("restart", lambda world: world.run(world.evening.stage.restart()))

    def look_about(self) -> None:
        """At the end: many a look, every file for a host who plays, many an option as one types."""
        looks = [*(look for look in self.looks() if look[0] != "rules show"), *self.random.sample(self.looks(), 6)]
        for path, options in self.random.sample(looks, min(len(looks), 12)):
            self.worlds.types(self.viewer, path, options)
        files = [("audit export", {"format": form}) for form in FORMATS] if self.viewer == HOST else []
        for path, options in (*files, *self.random.sample(self.audits(), 4)):
            self.worlds.types(self.viewer, path, options)
        for path, option, others in self.random.sample(self.completed(), 10):
            self._complete(path, option, others)
        self.worlds.in_step()


ENDS_IT = r"board:\d+:(?!offer|done)|trading:"
"""What would end trading, or begin something new."""

FORMATS = ("csv", "json", "beancount")


def _stacks(table: Table) -> tuple[Stack, ...]:
    assert isinstance(table.state, AdvCivState)
    return table.state.stacks


def _drawn(table: Table, wish: DrawCards) -> Goods:
    """What somebody would draw."""
    person = table.seat_of(wish.person)
    assert person is not None
    hidden = getattr(decide(table, wish)[-1], "hidden", None) or {}
    return hidden[person.id].gained


def _both(one: Goods, other: Goods) -> Goods:
    return Goods({token: least for token, count in one.items() if (least := min(count, other.count(token)))})


def _each(goods: Goods) -> list[str]:
    return [token for token, count in goods.items() for _ in range(count)]


def _plain(hand: Goods) -> list[str]:
    """The commodity cards of a hand, which anybody may name."""
    return [card for card in _each(hand) if card.startswith("commodity:")]


def _goods(cards: Iterable[str]) -> Goods:
    goods = NOTHING
    for card in cards:
        goods += Goods({card: 1})
    return goods


def _two(found: Sequence[T]) -> Two[T]:
    one, other = found
    return one, other


# ---------------------------------------------------------------- the evenings


@pytest.mark.parametrize("seed", range(4 * SCALE))
def test_a_player_cannot_tell_worlds_apart_by_what_others_hold(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The cards lie on the table, or the bot deals, or it does so from some time on; it is the host, or another."""
    random = Random(seed)
    viewer = HOST if seed % 2 else random.choice([name for name in SEATS if name != HOST])
    with two_worlds(tmp_path, viewer, caplog, monkeypatch) as worlds:
        script = Script(worlds, random)
        if seed % 4 == 3:
            worlds.types(HOST, "table settings", {"rulings": "warn", "name_calamities": "yes"})
        if seed % 3 != 1:
            script.set_hands()
        if seed % 3 != 0:
            script.deal()
        worlds.types(HOST, "trading open", {"minutes": "20"})
        script.promise_twice()
        for count in range(ACTIONS):
            if count == ACTIONS // 2:
                script.restart()
            script.act()
        script.look_about()
        worlds.types(HOST, "trading close")
        one, other = worlds.tables()
        assert any(one.seats[seat].holdings != other.seats[seat].holdings for seat in SEATS.values())
        assert len(one.offers) > 10
        assert one.transactions


# ---------------------------------------------------------------- leaks that there were


def test_nobody_sees_that_what_somebody_handed_over_is_gone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob has promised the same card twice in the one world, and takes no DMs."""
    with two_worlds(tmp_path, "dave", caplog, monkeypatch) as worlds:
        for who, hand in (("bob", "2 salt, 2 iron, hides, oil"), ("carol", "3 iron"), ("erin", "3 cloth")):
            worlds.hold(who, hand)
        worlds.types(HOST, "trading open")
        first = {"to": "@carol", "give": "2 salt, ?", "want": "3 iron"}
        worlds.types("bob", "offer post", *(first | {"hand": hand} for hand in ("2 salt, oil", "2 salt, hides")))
        second = {"to": "@erin", "give": "2 iron, ?", "want": "3 cloth", "hand": "2 iron, oil"}
        worlds.types("bob", "offer post", second)
        worlds.dms("bob", opened=False)
        worlds.types("erin", "offer hand", {"offer": "2", "cards": "3 cloth"})


def test_a_host_who_plays_cannot_tell_how_many_cards_were_traded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the table only warns, two cards a side can be traded."""
    with two_worlds(tmp_path, HOST, caplog, monkeypatch) as worlds:
        worlds.types(HOST, "table settings", {"rulings": "warn"})
        worlds.hold("bob", "3 salt")
        worlds.hold("carol", "3 iron")
        worlds.types(HOST, "trading open")
        sides = [("2 salt", "2 iron"), ("3 salt", "3 iron")]
        worlds.types("bob", "offer post", *({"to": "@carol", "give": give, "want": want} for give, want in sides))
        worlds.types("carol", "offer hand", *({"offer": "1", "cards": want} for _, want in sides))
        worlds.types("bob", "offer hand", *({"offer": "1", "cards": give} for give, _ in sides))
        assert worlds.tables()[0].transactions == 1
        worlds.types(HOST, "audit trade", {"number": "1"})
