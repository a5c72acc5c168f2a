"""A small Discord on 127.0.0.1, REST and gateway, for a bot that runs as a process of its own.

    async with Loopback.running() as discord:
        async with connected(discord, folder, database):          # process.py
            reply = await discord.slash("offer post", user=ALICE, to=BOB, give="3 tg")
            assert "bob" in reply.text
            await discord.press("Accept", user=BOB)

It answers as Discord does where a bot can tell the difference, and misbehaves on demand: see
`fail`, `hold`, `slow`, `burst`, `drop`, `redeliver` and `limits` here, what `world` (`places.py`)
can close, archive and take away, and what `gateway` can do. Everything the bot asked for over REST
is in `calls`.
"""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from aiohttp import web
from discord import Permissions

from tests.loopback import screen
from tests.loopback.exchange import Exchange, snowflake
from tests.loopback.faults import Error, Fault, Held, Slow
from tests.loopback.gateway import Gateway
from tests.loopback.limits import Limits
from tests.loopback.people import Person, typed
from tests.loopback.rest import API, CALLBACK_WITHIN, Call, Rest
from tests.loopback.screen import Json
from tests.loopback.world import BOT, CHANNEL, FINISH_WITHIN, World

TOKEN = "a-token-discord-accepts"
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5  # kinds of interaction

_Found = TypeVar("_Found")
_Fault = TypeVar("_Fault", bound=Fault)


class Silent(Exception):
    """A client sends nothing for this."""


class Loopback:
    """The server, and the people in front of it. Messages are plain JSON, read with `screen`."""

    def __init__(self, shards: int = 1, world: World | None = None) -> None:
        self.world = world or World()
        self.gateway = Gateway(self.world, TOKEN)
        self.rest = Rest(self.world, self.gateway, TOKEN, shards)
        self.processes = set[int]()
        """Of the bots that are connected."""
        self._port = 0

    @classmethod
    @asynccontextmanager
    async def running(cls, shards: int = 1, world: World | None = None) -> AsyncIterator[Loopback]:
        """A Discord on a port of its own, until the block ends; by default one where nothing has
        happened yet.
        """
        self = cls(shards, world)
        app = web.Application(middlewares=[self.rest.front_door])
        app.add_routes([web.get("/gateway", self.gateway.serve)])
        app.add_routes(self.rest.routes())
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
            self._port = runner.addresses[0][1]
            self.gateway.url = self.settings["DISCORD_GATEWAY_URL"]
            yield self
        finally:
            for fault in self.rest.faults:
                if isinstance(fault, Held):
                    fault.released.set()
            await self.gateway.drop(resumable=False)
            await runner.cleanup()

    @property
    def settings(self) -> dict[str, str]:
        """The environment that points a bot here."""
        return {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": f"http://127.0.0.1:{self._port}{API}",
            "DISCORD_GATEWAY_URL": f"ws://127.0.0.1:{self._port}/gateway",
            # People here press as fast as it goes.
            **dict.fromkeys(
                ("BOURSE_BURST", "BOURSE_ENTRIES_PER_DAY", "BOURSE_TABLES_PER_DAY"), "1000000"
            ),
        }

    @property
    def calls(self) -> list[Call]:
        """Every request of the bot, oldest first."""
        return self.rest.calls

    @property
    def limits(self) -> Limits:
        """Discord's rate limits; a test has them `enforced`."""
        return self.rest.limits

    @property
    def closed_dms(self) -> set[Person]:
        """Whose DMs answer 50007; a test adds people."""
        return self.world.closed_dms

    async def until(
        self, what: Callable[[], _Found | None], within: float = FINISH_WITHIN
    ) -> _Found:
        """The first truthy answer of `what`, asked again whenever the bot did something; or
        TimeoutError.
        """
        return await self.world.until(what, within)

    async def quiet(self, seconds: float = 0.2) -> None:
        """Returns once the bots have asked for nothing for that long, and had nothing to do: how to
        see that nothing comes.
        """
        await self.world.quiet(seconds, self.processes)

    # -- what people do ----------------------------------------------------------------------------

    async def slash(
        self,
        words: str,
        *,
        user: Person,
        dm: bool = False,
        at: str = CHANNEL,
        times: int = 1,
        wait: bool = True,
        **options: Any,
    ) -> Exchange:
        """Types a slash command in the channel `at`, or by DM, and waits until the bot has
        answered.

        `times=2` delivers it twice at once; `wait=False` returns when it is sent (the bot is to be
        killed).
        """
        others = [value for value in options.values() if isinstance(value, Person)]
        self.world.meet(user, *others)
        place = self.world.dm_with(str(user.id)) if dm else at
        data = typed(self.world.offered(place), words, options)
        return await self._interact(COMMAND, data, user, place, times=times, wait=wait)

    async def say(
        self,
        text: str,
        *,
        user: Person,
        dm: bool = False,
        at: str = CHANNEL,
        roles: Sequence[str] = (),
    ) -> None:
        """Writes a message in the channel `at`, or by DM to the bot, with mentions of `roles`."""
        self.world.meet(user)
        place = self.world.dm_with(str(user.id)) if dm else at
        message = {
            "id": snowflake(),
            "channel_id": place,
            "author": user.user(),
            "content": text,
            "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": list(roles),
            "attachments": [],
            "embeds": [],
            "components": [],
            "pinned": False,
            "type": 0,
            "flags": 0,
        }
        if not dm:
            message |= {"guild_id": self.world.channel(place)["guild_id"], "member": user.member()}
        await self.gateway.written(message, self.world.me)

    async def suggest(
        self,
        words: str,
        option: str,
        text: str,
        *,
        user: Person,
        at: str = CHANNEL,
        wait: bool = True,
        **options: Any,
    ) -> list[str]:
        """What autocomplete offers while `text` is being typed into an option; nothing without
        `wait`.
        """
        options[option] = text
        data = typed(self.world.offered(at), words, options, focused=option.rstrip("_"))
        asked = await self._interact(AUTOCOMPLETE, data, user, at, wait=wait)
        return asked.choices if wait else []

    async def press(
        self, label: str, *, user: Person, on: str | Json = "", times: int = 1, wait: bool = True
    ) -> Exchange:
        """Presses the newest enabled button of that label this person sees on a message that holds
        `on`.

        Waits for such a button to appear. `on` may be a message itself, as it once was: an old
        card.
        """
        message = await self.sees(user, on, button=label) if isinstance(on, str) else on
        button = next(one for one in screen.buttons(message) if one.get("label") == label)
        return await self.use(button, message, user, times=times, wait=wait)

    async def choose(self, *chosen: str, user: Person, on: str = "") -> Exchange:
        """Picks options by label in the newest select this person sees, on a message that holds
        `on`.
        """

        def fitting() -> tuple[Json, Json, list[str]] | None:
            for message in reversed(self.world.visible(user)):
                for select in screen.selects(message):
                    values = {option["label"]: option["value"] for option in select["options"]}
                    if on in screen.text_of(message) and values.keys() >= set(chosen):
                        return message, select, [values[label] for label in chosen]
            return None

        message, select, values = await self.until(fitting)
        return await self.use(select, message, user, values=values)

    async def use(
        self,
        item: Json,
        message: Json,
        user: Person,
        *,
        values: Sequence[str] | None = None,
        times: int = 1,
        wait: bool = True,
    ) -> Exchange:
        """Uses this very button, or these values of a select, of a message as it is or once was.

        Raises Silent for what a select shows already.
        """
        data = {"custom_id": item["custom_id"], "id": item["id"]}
        data["component_type"] = item["type"]
        if values is not None:
            data["values"] = list(values)
            if not self.world.pick(str(user.id), message["id"], item, data["values"]):
                raise Silent(f"the menu {item.get('placeholder')!r} shows {data['values']} already")
        place = message["channel_id"]
        return await self._interact(
            COMPONENT, data, user, place, source=message, times=times, wait=wait
        )

    async def submit(self, opened: Exchange, *, wait: bool = True, **fields: Any) -> Exchange:
        """Sends the modal an exchange opened; fields by label or custom_id, for a select a list of
        labels or values.

        What is not named is sent as the bot had filled it in.
        """
        left = dict(fields)
        sent = [_filled(item, left) for item in opened.data["components"]]
        if left:
            raise ValueError(f"the modal {opened.data['title']!r} has no field {', '.join(left)}")
        data = {"custom_id": opened.data["custom_id"], "components": sent}
        return await self._interact(
            MODAL, data, opened.user, opened.channel, source=opened.source, wait=wait
        )

    async def sees(
        self, person: Person, text: str, *, button: str | None = None, dm: bool = False
    ) -> Json:
        """Waits for a message this person sees (by DM) that holds `text` and such a button,
        enabled: the newest.
        """

        def fitting() -> Json | None:
            for message in reversed(self.world.visible(person)):
                pressable = button is None or button in screen.labels(message)
                here = self.world.is_dm(message["channel_id"]) or not dm
                if text in screen.text_of(message) and pressable and here:
                    return message
            return None

        try:
            return await self.until(fitting)
        except TimeoutError:
            last = self.world.visible(person)[-6:]
            shown = "\n---\n".join(
                f"{screen.text_of(message)} {screen.labels(message)}" for message in last
            )
            wanted = repr(text) + (f" with a button {button!r}" if button else "")
            raise AssertionError(f"{person.name} never saw {wanted}; last seen:\n{shown}") from None

    # -- how Discord misbehaves --------------------------------------------------------------------

    def fail(
        self,
        method: str,
        path: str,
        status: int,
        *,
        times: float = 1,
        code: int = 0,
        retry_after: float = 0.05,
        effect: bool = False,
    ) -> Error:
        """Answers the next `times` requests that fit (`path` is a regex) with an error.

        With `effect`, what was asked for is done all the same: the message is there, the callback
        is taken.
        """
        found = Error(
            method=method,
            path=path,
            times=times,
            status=status,
            code=code,
            retry_after=retry_after,
            effect=effect,
        )
        return self.add(found)

    def hold(self, method: str, path: str, *, text: str = "", late: bool = False) -> Held:
        """Keeps the next fitting request waiting, without effect, until its `released` is set.

        It fits with this text in its body. `late`: it takes effect, and only the answer is kept
        back. `await held.arrived.wait()` is the moment to kill the bot in.
        """
        held = Held(method=method, path=path, text=text, times=1)
        held.late = late
        return self.add(held)

    def slow(
        self, seconds: float, method: str = "", path: str = "", *, times: float = math.inf
    ) -> Slow:
        """Every request that fits takes so long."""
        return self.add(Slow(method=method, path=path, times=times, seconds=seconds))

    def add(self, fault: _Fault) -> _Fault:
        """Has a fault happen until it is `over()`."""
        self.rest.faults.append(fault)
        return fault

    @asynccontextmanager
    async def burst(
        self,
        status: int = 503,
        method: str = "",
        path: str = "",
        *,
        share: float = 1.0,
        effect: bool = False,
    ) -> AsyncIterator[Error]:
        """As long as the block lasts, requests that fit (or a share of them) are answered with an
        error.
        """
        error = Error(method=method, path=path, status=status, share=share)
        error.effect = effect
        fault = self.add(error)
        try:
            yield fault
        finally:
            fault.over()

    async def delete_channel(self, channel: str) -> None:
        """Somebody deletes a channel, with its threads, or a thread."""
        place = self.world.channel(channel)
        self.world.remove_channel(channel)
        told = "THREAD_DELETE" if "thread_metadata" in place else "CHANNEL_DELETE"
        await self.gateway.dispatch(told, place)

    async def drop(self, *, resumable: bool = True) -> None:
        """Closes every gateway connection; a bot that may resume gets what it missed when it is
        back.
        """
        await self.gateway.drop(resumable=resumable)

    async def redeliver(self, exchange: Exchange) -> None:
        """Sends the same interaction, id and token and all, once more."""
        await self.gateway.dispatch("INTERACTION_CREATE", exchange.body)

    # -- interactions ------------------------------------------------------------------------------

    async def _interact(
        self,
        kind: int,
        data: Json,
        user: Person,
        channel: str,
        *,
        source: Json | None = None,
        times: int = 1,
        wait: bool = True,
    ) -> Exchange:
        self.world.meet(user)
        iid = snowflake()
        exchange = Exchange(self.world.messages, iid, f"token-{iid}", kind, user, channel, source)
        body: Json = {
            "id": iid,
            "application_id": self.world.application,
            "type": kind,
            "token": exchange.token,
            "version": 1,
            "data": data,
            "locale": "en-US",
            "entitlements": [],
            "app_permissions": str(
                (BOT.permissions & ~self.world.denied.get(channel, Permissions.none())).value
            ),
            "attachment_size_limit": 10_485_760,
            "channel_id": channel,
            "channel": self.world.pressed_in(channel),
        }
        if self.world.is_dm(channel):
            body |= {
                "context": 1,
                "user": user.user(),
                "authorizing_integration_owners": {"0": "0"},
            }
        else:
            here = body["channel"]["guild_id"]
            guild = {"id": here, "locale": "en-US", "features": []}
            body |= {"context": 0, "guild_id": here, "guild_locale": "en-US", "guild": guild}
            body |= {
                "member": {"user": user.user(), **user.member()},
                "authorizing_integration_owners": {"0": here},
            }
        if source is not None:
            body["message"] = source
        exchange.body = json.loads(json.dumps(body))
        self.world.exchanges[exchange.token] = exchange
        for _ in range(times):
            await self.gateway.dispatch("INTERACTION_CREATE", exchange.body)
        if wait:
            await self._answered(exchange)
        return exchange

    async def _answered(self, exchange: Exchange) -> None:
        try:
            await self.until(lambda: exchange.callbacks, CALLBACK_WITHIN)
        except TimeoutError:
            raise AssertionError(
                f"no answer in {CALLBACK_WITHIN:g} s to {exchange.body['data']}"
            ) from None
        try:
            await self.until(exchange.finished)
        except TimeoutError:
            raise AssertionError(f"still thinking about {exchange.body['data']}") from None


RADIO_GROUP = 21


def _filled(item: Json, fields: dict[str, Any]) -> Json:
    """A modal's component as Discord sends it back; takes what it uses out of `fields`."""
    if item["type"] != screen.LABEL:
        return {"type": item["type"], "id": 0}
    inner = item["component"]
    name = None
    if item["label"] in fields:
        name = item["label"]
    elif inner["custom_id"] in fields:
        name = inner["custom_id"]
    sent: Json = {"type": inner["type"], "id": 0, "custom_id": inner["custom_id"]}
    if inner["type"] == screen.TEXT_INPUT:
        sent["value"] = inner.get("value", "") if name is None else fields.pop(name)
    # one value, by its label or value; none where nothing is chosen
    elif inner["type"] == RADIO_GROUP:
        chosen = None if name is None else fields.pop(name)
        fitting = (
            option["value"]
            for option in inner["options"]
            if (
                option.get("default")
                if chosen is None
                else chosen in (option["label"], option["value"])
            )
        )
        sent["value"] = next(fitting, None)
    else:
        chosen = None if name is None else fields.pop(name)
        sent["values"] = [
            option["value"]
            for option in inner["options"]
            if (
                option.get("default")
                if chosen is None
                else {option["label"], option["value"]} & set(chosen)
            )
        ]
    return {"type": screen.LABEL, "id": 0, "component": sent}
