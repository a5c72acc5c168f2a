"""The transport: the requests that delivery makes to Discord, each within the budget and tried
once.

discord.py repeats a request that met a server error for up to 25 seconds and blocks its route
meanwhile. `without_retries` turns that off: the reconciler schedules retries for each message
itself, and Discord waits only three seconds for the response to an interaction.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import aiohttp
import discord

from bot.delivery.budget import DMS, OLD, Budget, Recall
from bot.delivery.desired import Desired, Way
from bot.delivery.life import MARKERS_FROM
from bot.delivery.render import payload, with_picture
from bot.delivery.tokens import Tokens
from bot.delivery.verdicts import (
    FAILURES,
    OLD_EDITS,
    REFUSED,
    SERVER_ERROR,
    TOO_MANY,
    WRITES,
    Limited,
    NotAMember,
    is_outage,
)
from bot.discord_hooks import (
    WebhookAdapter,
    delete_original,
    edit_original,
    use_adapter,
    wrap_requests,
)
from bot.rules.model.replacing import replace
from bot.rules.model.values import frozen
from bot.service import (
    BotRemoved,
    LookUp,
    Members,
    Membership,
    MembershipUnknown,
    MessageStore,
    Recent,
)
from bot.show.cards import Card
from bot.tasks import loop_time
from bot.watch import Watch

log = logging.getLogger(__name__)

T = TypeVar("T")

TIMEOUT = aiohttp.ClientTimeout(total=20)
"""How long a request may take. After that its result is unknown, and it is tried again with the
same nonce.
"""

PAGES, PAGE = 5, 100
"""The number of pages of a channel to search for a message, and Discord's page size."""

REMEMBERED = 2.0
"""Seconds for which the result of a search in a channel is reused."""

SLACK = timedelta(seconds=30)
"""The most that the clocks of Discord and of this machine may differ."""


LACKS_PERMISSION = 50013
"""Discord's code for what the bot is not allowed to do in a channel, such as to attach files."""

DMS_KEPT = 8192
"""The most DM channels kept in memory. Others are read from the store again."""

BEFORE_SENDING = 0.5
"""Added to the priority of lookups that precede a send. At equal priority, sends go before lookups:
if all lookups went first, a restart in the middle would find nothing sent.
"""


@frozen
class Notice:
    """The users whom a message in a channel notifies, or for a DM whether it is ``silent``."""

    pings: tuple[int, ...] = ()
    silent: bool = False


QUIET = Notice()
"""The notice of a message in a channel that notifies nobody."""


class _Markers(NamedTuple):
    """The messages of a channel after ``since`` (milliseconds since 1970) by marker, found ``at``
    (loop's clock). ``deleted``: what Discord says if the channel is no longer there.
    """

    at: float
    since: int
    markers: Mapping[int, int]
    deleted: discord.NotFound | None = None


class _Listed(NamedTuple):
    """The newest messages of a channel, read ``at`` this time of the loop's clock."""

    at: float
    messages: frozenset[int]


class Transport:
    """Sends, edits, deletes and finds messages. Every method raises ``discord.HTTPException``, or
    what aiohttp raises.

    ``recovered`` is called when Discord works again after an outage.
    """

    def __init__(
        self,
        client: discord.Client,
        store: MessageStore,
        members: Members,
        budget: Budget,
        watch: Watch | None = None,
    ) -> None:
        self._client = client
        self._store = store
        self._members = members
        self._budget = budget
        self.watch = watch or Watch()
        self.tokens = Tokens()
        # By user: the channel, 0 to open it anew; and whether that was done here.
        self._dms = Recent[int, tuple[int, bool]](DMS_KEPT)
        self._lost = Recent[int, None](DMS_KEPT)  # the DM channels that were forgotten
        # Weak: a lock lives while a DM to that user is being opened.
        self._opening: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._dms_failed = False
        self._found: dict[int, _Markers] = {}
        self._listed: dict[int, _Listed] = {}
        # Weak: a lock lives while a search in that channel uses it.
        self._looking: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.recovered: Callable[[], None] = lambda: None

    def close(self) -> None:
        """Cancel all requests that wait for the budget."""
        self._budget.close()

    async def send(
        self,
        channel_id: int,
        card: Card,
        way: Way = "v2",
        *,
        marker: int | None,
        nonce: str,
        notice: Notice = QUIET,
        priority: int,
        recall: Recall | None = None,
    ) -> int:
        """Send a card and return the message's id: for a recently used nonce, the id of the earlier
        message.

        Raises `Recalled` when ``recall`` withdraws the request before it is made; so do those
        below.
        """
        channel = self._client.get_partial_messageable(channel_id)

        async def ask(card: Card) -> int:
            said = payload(card, way, marker=marker, pings=notice.pings)
            async with self._request(("send", channel_id), priority, recall):
                return (await channel.send(**said, nonce=nonce, silent=notice.silent)).id

        return await _pictured(card, ask)

    async def notice(self, step: Desired, *, in_dm: bool) -> Notice:
        """Return whom a new message notifies. People can mute a kind of call; they still get the
        message.

        ``in_dm``: it is sent as a DM, not to a channel as the fallback. Raises
        `bot.ledger.LedgerError`.
        """
        loud = []
        for user in step.recipients if step.call else ():
            if step.call not in await self._store.muted(user):
                loud.append(user)
        if in_dm:
            return Notice(silent=not loud)
        return Notice(pings=tuple(loud), silent=step.subject.silent)

    async def read_recipients(self, steps: Iterable[Desired]) -> None:
        """Read what the people have muted whom these messages are for.

        Requests are then made in the order of their priorities: none waits for that read first.
        Raises `bot.ledger.LedgerError`.
        """
        users = set[int]()
        for step in steps:
            users.update(step.recipients if step.call else ())
        await asyncio.gather(*[self._store.muted(user) for user in users])

    async def edit(
        self,
        channel_id: int,
        message_id: int,
        card: Card,
        way: Way,
        *,
        marker: int,
        old: bool = False,
        priority: int,
        recall: Recall | None = None,
    ) -> None:
        """Edit a message to show a card: by an interaction's token if one reaches it, else by the
        bot's own route.

        ``old``: it is over an hour old.
        """

        async def ask(card: Card) -> None:
            def said() -> dict[str, Any]:  # made anew for each request, which uses up the files
                return payload(card, way, marker=marker, edit=True)

            if await self._by_token(
                channel_id, message_id, lambda webhook: edit_original(webhook, **said())
            ):
                return
            message = self._client.get_partial_messageable(channel_id).get_partial_message(
                message_id
            )
            async with self._request((OLD if old else "edit", channel_id), priority, recall):
                await message.edit(**said())

        await _pictured(card, ask)

    async def look(self, channel_id: int, message_id: int, *, priority: int) -> None:
        """See whether a message is there; if it is not, Discord's answer is raised.

        After a start all messages of a channel are looked for, so the newest of the channel are
        read at once, and remembered for `REMEMBERED` seconds.
        """
        async with self._looking.setdefault(channel_id, asyncio.Lock()):
            now, listed = loop_time(), self._listed.get(channel_id)
            if listed is None or listed.at < now - REMEMBERED:
                async with self._request(None, priority):
                    newest = await self._client.http.logs_from(channel_id, PAGE)
                listed = _Listed(now, frozenset(int(message["id"]) for message in newest))
                self._listed = {
                    each: one for each, one in self._listed.items() if one.at > now - REMEMBERED
                }
                self._listed[channel_id] = listed
        if message_id not in listed.messages:  # it is older, or was deleted
            async with self._request(None, priority):
                await self._client.http.get_message(channel_id, message_id)

    async def newest(self, channel_id: int, *, priority: int) -> Sequence[Mapping[str, Any]]:
        """Return the bot's newest messages of a channel as Discord has them, newest first."""
        async with self._request(None, priority):
            messages = await self._client.http.logs_from(channel_id, PAGE)
        own = str(self._client.user.id) if self._client.user else ""
        return [message for message in messages if message["author"]["id"] == own]

    async def delete(self, channel_id: int, message_id: int, *, priority: int) -> None:
        """Delete a message: by an interaction's token if one reaches it, else by the bot's own
        route.
        """
        if not await self._by_token(channel_id, message_id, delete_original):
            message = self._client.get_partial_messageable(channel_id).get_partial_message(
                message_id
            )
            async with self._request(None, priority):
                await message.delete()
        self.tokens.forget(message_id)

    async def _by_token(
        self,
        channel_id: int,
        message_id: int,
        request: Callable[[discord.Webhook], Awaitable[object]],
    ) -> bool:
        """Make a request with the token that reaches a message. Return whether it was made.

        If there is none, it would have to wait, or Discord refuses it, the caller makes the counted
        request at once. Only that one tells whether the message still exists: a token that does not
        reach it has the same answer.
        """
        if self._budget.stopped or (webhook := self.tokens.take(message_id)) is None:
            return False
        try:
            with tried_once():
                await request(webhook)
        except (discord.HTTPException, discord.RateLimited, *FAILURES) as error:
            if is_outage(error):
                self._noted(error)
                raise
            if isinstance(error, Limited) and error.code:
                self._limited(("edit", channel_id), error)
            self.tokens.forget(message_id)
            return False
        self._noted(None)
        return True

    async def dm_channel(self, user_id: int, priority: int, recall: Recall | None = None) -> int:
        """Return the id of a user's DM channel, opening it the first time.

        When opening works again after it failed, messages that wait because of the failure are
        tried at once.
        """
        lock = self._opening.setdefault(user_id, asyncio.Lock())
        async with lock:
            application = self._client.application_id or 0
            known, opened = self._dms.get(user_id, (None, False))
            if known is None:
                known = await self._store.dm_channel(user_id, application)
            if not known:
                try:
                    async with self._request(DMS, priority + BEFORE_SENDING, recall):
                        known = (await self._client.create_dm(discord.Object(user_id))).id
                except (discord.DiscordException, *FAILURES) as error:
                    if isinstance(error, discord.RateLimited) or is_outage(error):
                        self._dms_failed = True
                    raise
                await self._store.set_dm_channel(user_id, known, application)
                opened = True
                if self._dms_failed:
                    self._dms_failed = False
                    self.recovered()
            self._dms[user_id] = known, opened
        return known

    def forget_dm(self, user_id: int, channel_id: int) -> bool:
        """Forget a DM channel that Discord refused. Return False if it was opened by this process:
        that is the one.
        """
        known, opened = self._dms.get(user_id, (channel_id, False))
        if not channel_id or (opened and known == channel_id):
            return False
        self._lost[channel_id] = None
        if known == channel_id:
            self._dms[user_id] = 0, False
        return True

    def is_lost(self, channel_id: int) -> bool:
        """Return whether a DM channel was forgotten; the user's may be another one now."""
        return channel_id in self._lost

    def removed(self, guild_id: int | None) -> bool:
        """Return whether the bot is known not to be on a server any more."""
        return guild_id is not None and self._members.removed(guild_id)

    async def require_member(
        self, guild_id: int | None, user_id: int, *, priority: int, recall: Recall | None = None
    ) -> None:
        """Raise `NotAMember` for a user who is not on the server. ``guild_id`` is None for a table
        without a server.

        ``user_id`` is 0 for a message to no single user. Raises `BotRemoved` where the bot is no
        longer on the server, and `MembershipUnknown` when Discord does not answer.
        """
        if guild_id is None:
            return
        if self.removed(guild_id):
            raise BotRemoved("the bot is not on this server")
        if not user_id:
            return
        known = self._members.known(guild_id, user_id)
        if known is None:
            async with self._request(None, priority + BEFORE_SENDING, recall):
                known = await self._members.is_member(guild_id, user_id)
        if not known:
            raise NotAMember

    async def has_left(self, guild_id: int | None, user_id: int, *, priority: int) -> bool:
        """Ask Discord anew, and return whether a user is surely not on the server any more. Raises
        `BotRemoved`.
        """
        if guild_id is None:
            return False
        self._members.forget(guild_id, user_id)
        try:
            await self.require_member(guild_id, user_id, priority=priority)
        except NotAMember:
            return True
        except BotRemoved:
            raise
        except MembershipUnknown:
            return False
        return False

    async def find(
        self,
        channel_id: int,
        marker: int,
        since: int,
        *,
        asked: float = float("-inf"),
        priority: int,
    ) -> int | None:
        """Return our message with this marker, sent after ``since`` (milliseconds since 1970); None
        when there is none.

        The search ends after `PAGES` pages. Its result is reused for `REMEMBERED` seconds, since
        after a crash many messages of one channel are looked for. A result from before ``asked``,
        in the loop's clock, is not used.
        """
        lock = self._looking.setdefault(channel_id, asyncio.Lock())
        async with lock:
            now, known = loop_time(), self._found.get(channel_id)
            if known is None or known.at < max(asked, now - REMEMBERED) or known.since > since:
                known = await self._search(channel_id, since, now, priority)
                self._found = {
                    each: found
                    for each, found in self._found.items()
                    if found.at > now - REMEMBERED
                }
                self._found[channel_id] = known
            if known.deleted is not None:
                raise known.deleted
            return known.markers.get(marker)

    async def _search(self, channel_id: int, since: int, now: float, priority: int) -> _Markers:
        after, markers = datetime.fromtimestamp(since / 1000, UTC) - SLACK, dict[int, int]()
        channel = self._client.get_partial_messageable(channel_id)
        try:
            async with self._request(None, priority + BEFORE_SENDING):
                async for message in channel.history(
                    limit=PAGES * PAGE, after=after, oldest_first=True
                ):
                    markers.update((each, message.id) for each in _ids(message))
        except discord.NotFound as error:
            return _Markers(now, 0, {}, deleted=error)  # no message is there, of whatever time
        return _Markers(now, since, markers)

    async def open_thread(self, channel_id: int, name: str, *, priority: int) -> int | None:
        """Open a private thread and return its id; None when the table's channel can't have one."""
        async with self._request(None, priority):
            parent = await self._parent(channel_id)
            if parent is None:
                return None
            kind = discord.ChannelType.private_thread
            return (await parent.create_thread(name=name, type=kind, invitable=False)).id

    async def find_thread(
        self, channel_id: int, name: str, since: int, *, known: Collection[int], priority: int
    ) -> int | None:
        """Return our thread of this name, opened after ``since`` (milliseconds since 1970), that is
        not among the ``known``; None when there is none.
        """
        after = datetime.fromtimestamp(since / 1000, UTC) - SLACK
        async with self._request(None, priority):
            parent = await self._parent(channel_id)
            found = await self._client.http.get_active_threads(parent.guild.id) if parent else None
        # not the application's id, which may be another
        me = self._client.user.id if self._client.user else 0
        for thread in found["threads"] if found else ():
            mine = int(thread["owner_id"]) == me and int(thread["parent_id"] or 0) == (
                parent.id if parent else 0
            )
            if (
                mine
                and thread["name"] == name
                and int(thread["id"]) not in known
                and discord.utils.snowflake_time(int(thread["id"])) > after
            ):
                return int(thread["id"])
        return None

    async def add_to_thread(self, thread_id: int, user_id: int, *, priority: int) -> None:
        async with self._request(None, priority):
            await self._client.http.add_user_to_thread(thread_id, user_id)

    async def archive(self, thread_id: int, *, archived: bool, priority: int) -> None:
        """Archive or unarchive a thread."""
        async with self._request(None, priority):
            # The HTTP client spares the request that `discord.Thread.edit` needs to fetch the
            # thread first.
            await self._client.http.edit_channel(thread_id, archived=archived)

    async def _parent(self, channel_id: int) -> discord.TextChannel | None:
        channel = await self._client.fetch_channel(channel_id)
        # threads can't be nested: use the channel of the table's thread
        if isinstance(channel, discord.Thread):
            channel = await self._client.fetch_channel(channel.parent_id)
        return channel if isinstance(channel, discord.TextChannel) else None

    @asynccontextmanager
    async def _request(
        self, route: Hashable, priority: float, recall: Recall | None = None
    ) -> AsyncIterator[None]:
        """Wait for the turn of one request, to be made in the block, and note how it ended."""
        asked = loop_time()
        slot = await self._budget.take(route, priority, recall)
        self.watch.waited(max(0.0, slot.granted - asked))
        error: BaseException | None = None
        try:
            with tried_once():
                yield
        except BaseException as failure:
            error = failure
            raise
        finally:
            self._budget.answered(slot)
            if isinstance(error, Limited):
                self._limited(slot.route, error)
            else:
                self._noted(error)

    def _limited(self, route: Hashable, error: Limited) -> None:
        """Obey a limit: it may be the whole bot's, the route's, or one of a channel that Discord
        names by a code.
        """
        wants = "no request" if error.overall else "none like this"
        log.warning("Discord wants %s for %.2f s (code %d)", wants, error.retry_after, error.code)
        self.watch.limited(overall=error.overall)
        routes = [route]
        if isinstance(route, tuple) and error.code == OLD_EDITS:
            routes = [(OLD, route[1])]
        elif isinstance(route, tuple) and error.code == WRITES:
            routes = [("send", route[1]), ("edit", route[1])]
        for each in routes:
            self._budget.limited(each, error.retry_after, overall=error.overall)

    def refused(self, status: int, banned_for: float) -> None:
        """Count a request of any kind that Discord refused. ``banned_for``: seconds for which it
        takes none at all.
        """
        self.watch.refused(status)
        if banned_for and self._budget.stop(banned_for):
            log.critical(
                "Discord has shut this machine out for %.0f s, and I make no request till then.",
                banned_for,
            )
        if wait := self._budget.refused():
            log.critical(
                "Discord has refused too many requests: I wait for %.0f s, so that it does not ban "
                "me.",
                wait,
            )

    def _noted(self, error: BaseException | None) -> None:
        """Note whether Discord worked, after a request that met no rate limit."""
        if isinstance(error, Exception) and is_outage(error):
            self._budget.failed()
        elif (
            error is None or isinstance(error, discord.HTTPException)
        ) and self._budget.succeeded():
            self.recovered()


_tried_once = ContextVar("_tried_once", default=False)


@contextmanager
def tried_once() -> Iterator[None]:
    """In this block a request that Discord limits raises `Limited`; elsewhere discord.py waits, and
    repeats it.
    """
    token = _tried_once.set(True)
    try:
        yield
    finally:
        _tried_once.reset(token)


NoteRefusal = Callable[[int, float], None]
"""Called for each request that Discord refused, with the status and the seconds without any
request, or 0.
"""


def without_retries(
    client: discord.Client, refused: NoteRefusal = lambda status, banned_for: None
) -> None:
    """Make this client's requests raise at a server error instead of repeating them.

    discord.py still waits for rate limits, except in requests within the budget. Requests of a
    closed client raise ``aiohttp.ClientConnectionError``. The same holds for responses and
    follow-ups to interactions in the current context and in tasks started from it.
    """
    check = partial(check_response, refused)

    def once(request: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def one_attempt(*route: Any, **options: Any) -> Any:
            with _closed_as_a_failure(client.is_closed):
                return await request(*route, raise_for_status=check, timeout=TIMEOUT, **options)

        return one_attempt

    wrap_requests(client, once)
    use_adapter(_OneAttempt(check))


class _OneAttempt(WebhookAdapter):
    """Makes each request for a response or follow-up only once."""

    def __init__(self, check: Callable[[aiohttp.ClientResponse], Awaitable[None]]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._check = check

    async def request(self, route: Any, session: Any, **options: Any) -> Any:
        with _closed_as_a_failure(lambda: session.closed):
            made = _OneAttemptSession(session, self._check)
            return await super().request(route, made, **options)  # type: ignore[arg-type]


class _OneAttemptSession:
    """A session whose requests raise at a server error."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        check: Callable[[aiohttp.ClientResponse], Awaitable[None]],
    ) -> None:
        self._session, self._check = session, check

    def request(self, method: str, url: str, **options: Any) -> Any:
        return self._session.request(
            method, url, raise_for_status=self._check, timeout=TIMEOUT, **options
        )


@contextmanager
def _closed_as_a_failure(closed: Callable[[], bool]) -> Iterator[None]:
    """Turn the ``RuntimeError`` of a closed session into one of `FAILURES`.

    When Discord ends the connection for good, discord.py closes its session before the bot is told
    to stop.
    """
    try:
        yield
    except RuntimeError as error:
        if not closed():
            raise
        raise aiohttp.ClientConnectionError("The client is closed.") from error


async def check_response(refused: NoteRefusal, response: aiohttp.ClientResponse) -> None:
    """Raise ``discord.DiscordServerError`` for a response with a server error. aiohttp calls this
    for each response.

    For a 429 it raises `Limited` in a `tried_once` block; and ``discord.HTTPException`` if it does
    not say how long to wait, or not where discord.py looks. A 429 that did not come ``Via`` Discord
    is Cloudflare's and is for everything.
    """
    if response.status >= SERVER_ERROR:
        raise discord.DiscordServerError(response, await response.text())
    if response.status in REFUSED and response.status != TOO_MANY:
        refused(response.status, 0.0)
    if response.status == TOO_MANY:
        text = await response.text()
        try:
            said = json.loads(text)
        except ValueError:
            said = text
        about = said if isinstance(said, dict) else {}
        wait = _seconds(about.get("retry_after")) or _seconds(response.headers.get("Retry-After"))
        by_cloudflare = "Via" not in response.headers
        refused(response.status, wait if by_cloudflare else 0.0)
        if wait and _tried_once.get():
            raise Limited(
                wait,
                overall=by_cloudflare or bool(about.get("global")),
                code=about.get("code") or 0,
            )
        if not _seconds(about.get("retry_after")):
            raise discord.HTTPException(response, said)


def _seconds(said: object) -> float:
    """Return a time to wait, 0.0 if none is said."""
    try:
        return max(0.0, float(said))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0.0


def marker_of(message: discord.Message) -> int | None:
    """Return the marker of one of our messages; None when it has none."""
    return next((each for each in sorted(_ids(message)) if each >= MARKERS_FROM), None)


def way_of(message: discord.Message) -> Way:
    """Return how one of our messages was drawn."""
    return "v2" if message.flags.components_v2 else "classical"


async def _pictured(card: Card, ask: Callable[[Card], Awaitable[T]]) -> T:
    """Make a request that shows a card; where files are not allowed, make it again without the
    picture.
    """
    card = await with_picture(card)
    try:
        return await ask(card)
    except discord.Forbidden as error:
        if card.picture is None or error.code != LACKS_PERMISSION:
            raise
        return await ask(replace(card, picture=None))


def _ids(message: discord.Message) -> set[int]:
    """Return the ids of a message's components."""
    found: set[int] = set()
    for component in message.components:
        found.update(
            getattr(each, "id", 0) for each in (component, *getattr(component, "children", ()))
        )
    return found


# ---------------------------------------------------------------- members

MEMBERSHIP_WAIT = 2.0
"""Seconds to wait for Discord's answer about a member. Discord waits three for ours."""

UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
"""Discord's codes for a user who is not on the server, and for a deleted user."""

MISSING_ACCESS, UNKNOWN_GUILD = 50001, 10004
"""Discord's codes for a server that the bot is not on. At a channel the first means only that a
right is missing.
"""


def membership(client: discord.Client) -> LookUp:
    """Return a function that asks Discord whether a user is a member of a server, and until when
    they are in time-out.

    It raises `MembershipUnknown`, and `BotRemoved` for a server that the bot is not on.
    """

    async def look_up(guild_id: int, user_id: int) -> Membership:
        try:
            async with asyncio.timeout(MEMBERSHIP_WAIT):
                member = await client.http.get_member(guild_id, user_id)
        except discord.HTTPException as error:
            if error.code in (UNKNOWN_MEMBER, UNKNOWN_USER):
                return Membership(member=False)
            if error.code in (MISSING_ACCESS, UNKNOWN_GUILD):
                raise BotRemoved(f"Discord answered {error.status} ({error.code})") from error
            raise MembershipUnknown(f"Discord answered {error.status} ({error.code})") from error
        except (discord.RateLimited, *FAILURES) as error:
            raise MembershipUnknown(f"Discord did not answer ({type(error).__name__})") from error
        until = discord.utils.parse_time(member.get("communication_disabled_until"))
        return Membership(True, int(until.timestamp() * 1000) if until else 0)

    return look_up
