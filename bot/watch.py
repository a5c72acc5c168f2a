"""What the operator's monitoring reads: /healthz, /readyz and /metrics, over HTTP.

The parts of the bot report to a `Watch` as things happen; what changes by itself, such as messages
owed, is asked for when somebody looks. A label's values are names of ours, numbers of rules and
Discord's reasons, never ids or anything that people type, so there are few of them and none is a
secret.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import re
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from time import monotonic
from typing import Literal
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    GC_COLLECTOR,
    PLATFORM_COLLECTOR,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from bot import __version__
from bot.errors import OperatorError
from bot.ledger import LedgerError
from bot.tasks import Tasks

log = logging.getLogger(__name__)

disable_created_metrics()  # type: ignore[no-untyped-call]  # a second line for each counter, which nobody needs

Ending = Literal[
    "done",
    "refused",
    "turned_away",
    "late",
    "unanswered",
    "discord",
    "ledger",
    "outdated",
    "defect",
    "stopped",
]
"""How an interaction ended. ``refused``: by a rule, or for a mistake in the input. ``turned_away``:
before a command was looked at, such as for too many at once. ``late``: Discord no longer waited.
``unanswered``: Discord took no answer. ``discord``, ``ledger``: that failed. ``outdated``: a
command of another version. ``stopped``: the bot was stopped.
"""

WITHIN = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0)
"""Bounds of the histogram of answers, in seconds. Discord waits for three."""

WAITS = (0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
LAGS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
"""Bounds of the histograms of waits for a rate limit and of the loop's lag, in seconds."""

LAG_EVERY = 0.5
"""Seconds between two measurements of the loop's lag."""

MINUTE = 60.0

DATABASE_WITHIN = 2.0
"""Seconds to wait for the database's answer."""


class Watch:
    """Counts and times of this process since its start.

    ``troubles`` are functions that return why the bot is not ready, or an empty string.
    ``open_tables`` counts the open tables in the database, and may raise `LedgerError`. ``shards``
    says of each shard whether it is connected.
    """

    def __init__(self) -> None:
        self.troubles: list[Callable[[], str]] = []
        self.open_tables: Callable[[], Awaitable[int]] | None = None
        self.shards: dict[int, bool] = {}
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        registry.register(PLATFORM_COLLECTOR)
        registry.register(GC_COLLECTOR)
        Info("bourse", "The version that runs.", registry=registry).info({"version": __version__})
        self._interactions = Counter(
            "bourse_interactions",
            "Interactions by kind, command and outcome.",
            ("kind", "command", "outcome"),
            registry=registry,
        )
        self._refusals = Counter(
            "bourse_refusals",
            "Refused commands by the number of the rule; none for a mistake in the input.",
            ("rule",),
            registry=registry,
        )
        self._answers = Histogram(
            "bourse_answer_seconds",
            "From the time that Discord made an interaction until it took the first answer: a "
            "reply, or a deferral.",
            ("kind", "answer"),
            buckets=WITHIN,
            registry=registry,
        )
        self._given_up = Counter(
            "bourse_given_up", "Messages given up, by reason.", ("reason",), registry=registry
        )
        self._waits = Histogram(
            "bourse_request_wait_seconds",
            "How long requests waited for their turn within Discord's rate limits.",
            buckets=WAITS,
            registry=registry,
        )
        self._limited = Counter(
            "bourse_rate_limited",
            "Answers 429 to requests that waited for their turn.",
            ("limit",),
            registry=registry,
        )
        self._refused = Counter(
            "bourse_refused_requests",
            "Requests of any kind that Discord refused with 401, 403 or 429.",
            ("status",),
            registry=registry,
        )
        self._elsewhere = Counter(
            "bourse_answered_elsewhere",
            "Interactions that another program with this bot's token answered.",
            registry=registry,
        )
        self._elsewhere_at = deque[float](maxlen=16)
        self._lag = Histogram(
            "bourse_loop_lag_seconds",
            "How late the event loop wakes a task.",
            buckets=LAGS,
            registry=registry,
        )
        self._owes: Callable[[], tuple[int, float]] = lambda: (0, 0.0)
        self._owed = Gauge(
            "bourse_messages_owed",
            "Messages that are not as they should be for five seconds.",
            registry=registry,
        )
        self._oldest = Gauge(
            "bourse_messages_owed_oldest_seconds",
            "The age of the oldest message owed.",
            registry=registry,
        )
        self._shards = Gauge(
            "bourse_gateway_connected",
            "1 for a shard that is connected to Discord, else 0.",
            ("shard",),
            registry=registry,
        )
        self._tables = Gauge(
            "bourse_open_tables", "Open tables of this process's shards.", (), registry=registry
        )
        self._ready = Gauge(
            "bourse_ready", "1 if the bot answers people, else 0, as /readyz.", registry=registry
        )

    # ---------------------------------------------------------------- what happens

    def interaction(
        self, kind: str, command: str, outcome: Ending, rule: str | None = None
    ) -> None:
        """Count an interaction that has ended. ``rule`` is that of a refusal, None if nothing was
        refused.
        """
        self._interactions.labels(kind, command, outcome).inc()
        if rule is not None:
            self._refusals.labels(rule or "none").inc()

    def answered(self, kind: str, seconds: float, *, deferred: bool) -> None:
        """Note how old an interaction was when Discord took the first answer."""
        self._answers.labels(kind, "deferral" if deferred else "reply").observe(seconds)

    def given_up(self, reason: str) -> None:
        """Count a message that was given up."""
        self._given_up.labels(reason).inc()

    def waited(self, seconds: float) -> None:
        """Note how long a request waited for its turn."""
        self._waits.observe(seconds)

    def limited(self, *, overall: bool) -> None:
        """Count an answer 429: the whole bot's limit, or a route's."""
        self._limited.labels("bot" if overall else "route").inc()

    def refused(self, status: int) -> None:
        """Count a request that Discord refused in a way that it counts towards a ban."""
        self._refused.labels(str(status)).inc()

    def answered_elsewhere(self) -> int:
        """Count an interaction that another program with this token answered. Return how many there
        were within a minute.
        """
        self._elsewhere.inc()
        now = monotonic()
        self._elsewhere_at.append(now)
        return sum(now - at < MINUTE for at in self._elsewhere_at)

    def owes(self, owed: Callable[[], tuple[int, float]]) -> None:
        """Ask ``owed`` for the number of messages owed and the age of the oldest, in seconds, when
        somebody looks.
        """
        self._owes = owed
        self._owed.set_function(lambda: owed()[0])
        self._oldest.set_function(lambda: owed()[1])

    # ---------------------------------------------------------------- who looks

    async def why_not_ready(self) -> list[str]:
        """Return a sentence for each reason why the bot can't answer people now; none if it can."""
        if not self.troubles:
            return ["I am starting."]
        said = [said for trouble in self.troubles if (said := trouble())]
        return (
            said
            if await self._counted()
            else [*said, "The database does not answer; the log may say why."]
        )

    async def page(self) -> bytes:
        """Return the metrics as Prometheus reads them."""
        for shard, connected in self.shards.items():
            self._shards.labels(str(shard)).set(connected)
        self._ready.set(not await self.why_not_ready())
        return generate_latest(self._registry)

    async def _counted(self) -> bool:
        """Count the open tables, NaN without an answer. Return whether the database, if any,
        answered.
        """
        found = math.nan
        try:
            async with asyncio.timeout(DATABASE_WITHIN):
                found = await self.open_tables() if self.open_tables else math.nan
        except (LedgerError, TimeoutError) as error:
            log.debug("the open tables could not be counted: %s", error)
        self._tables.set(found)
        return self.open_tables is None or not math.isnan(found)

    @asynccontextmanager
    async def served(self, host: str, port: int) -> AsyncIterator[int]:
        """Serve the three pages until the block ends, and yield the port. Raises `OperatorError` if
        it is taken.
        """
        app, tasks = web.Application(middlewares=[_guard(host)]), Tasks()
        app.add_routes([web.get("/healthz", self._healthz), web.get("/readyz", self._readyz)])
        app.add_routes([web.get("/metrics", self._metrics)])
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await runner.setup()
        try:
            try:
                await web.TCPSite(runner, host, port).start()
            except OSError as problem:
                # The system's words: asyncio adds the address to them. A name that is not found has
                # a negative number.
                code = problem.errno or 0
                why = os.strerror(code) if code > 0 else str(problem.strerror or problem)
                raise OperatorError(
                    f"I can't listen on {host}, port {port} ({why}). Set BOURSE_HTTP_PORT and "
                    "BOURSE_HTTP_HOST to a free port and an address of this machine."
                ) from problem
            port = runner.addresses[0][1]
            log.info("/healthz, /readyz and /metrics are at http://%s:%d", host, port)
            tasks.keep("measuring the loop's lag", self._measure_lag)
            yield port
        finally:
            await tasks.close()
            await runner.cleanup()

    async def _healthz(self, _request: web.Request) -> web.Response:
        return web.Response(text="I run.\n")

    async def _readyz(self, _request: web.Request) -> web.Response:
        why, (owed, oldest) = await self.why_not_ready(), self._owes()
        said = why or ["I answer people."]
        if owed:
            said.append(f"Messages owed: {owed}, the oldest for {oldest:.0f} s.")
        if self._elsewhere_at:
            ago = monotonic() - self._elsewhere_at[-1]
            said.append(f"Another program with my token answered in my place {ago:.0f} s ago.")
        return web.Response(text="\n".join(said) + "\n", status=503 if why else 200)

    async def _metrics(self, _request: web.Request) -> web.Response:
        return web.Response(
            body=await self.page(), headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4}
        )

    async def _measure_lag(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_EVERY
            await asyncio.sleep(LAG_EVERY)
            self._lag.observe(max(0.0, loop.time() - due))


def _guard(own: str) -> Middleware:
    """Refuse requests whose Host is a name of the internet, other than our ``own``.

    A page on the internet could make its name lead to this machine, and read ours in a browser.
    """

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not _is_local(request.headers.get("Host", ""), own):
            raise web.HTTPForbidden(text="Ask by my address, or the name in BOURSE_HTTP_HOST.\n")
        return await handler(request)

    return guard


def _is_local(host: str, own: str) -> bool:
    """Return whether a Host header has an address, a name without a dot, or our ``own`` name."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == own.lower() or not re.search("[.:]", name):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
