"""How the loopback's REST side misbehaves: errors with and without effect, requests held back, slow
answers.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.loopback.answers import banned, rate_limited, refused

Serve = Callable[[], Awaitable[web.StreamResponse]]


@dataclass(kw_only=True)
class Fault:
    """Something that happens to the requests that fit: so many of them, until a time, or a share by
    chance.
    """

    method: str = ""  # empty for all
    path: str = ""  # a regex, searched for
    text: str = ""  # what the body contains
    times: float = math.inf
    until: float = math.inf  # on time.monotonic()
    share: float = 1.0
    chance: random.Random = field(default_factory=random.Random)
    met: int = 0  # how many requests it happened to

    def takes(self, method: str, path: str, body: Any) -> bool:
        """Whether it happens to this request; if so, it counts."""
        fits = self.method in ("", method) and re.search(self.path, path) is not None
        if fits and self.text:
            fits = self.text in json.dumps(body, ensure_ascii=False)
        if (
            not fits
            or self.met >= self.times
            or time.monotonic() >= self.until
            or self.chance.random() >= self.share
        ):
            return False
        self.met += 1
        return True

    def over(self) -> None:
        """It happens no more."""
        self.times = 0

    async def answer(self, serve: Serve) -> web.StreamResponse:
        """Answer a request it happens to; `serve` does what was asked for."""
        return await serve()


@dataclass(kw_only=True)
class Error(Fault):
    """Answered with an error. With `effect`, what was asked for is done all the same."""

    status: int
    code: int = 0
    effect: bool = False
    retry_after: float | None = 0.05  # seconds; of a 429. None: its body does not say
    header: float | None = None  # seconds; of the same: what its header says
    overall: bool = False  # of a 429: for all routes
    html: bool = False  # of a 429 that does not say how long to wait: a page, not JSON
    via: bool = False  # of the same: it came through Discord's proxy

    async def answer(self, serve: Serve) -> web.StreamResponse:
        """Do what was asked for only with `effect`, and say no."""
        if self.effect:
            await serve()
        if self.status == web.HTTPTooManyRequests.status_code:
            if self.retry_after is None:
                return banned(html=self.html, via=self.via, header=self.header, code=self.code)
            return rate_limited(self.retry_after, overall=self.overall, code=self.code)
        return refused(self.status, self.code)


@dataclass(kw_only=True)
class Held(Fault):
    """A request that waits: for its effect, or (`late`) only for the answer. `arrived` is set when
    it has come.

    `answered` is set when it has been, also where nobody waits for the answer any more. One that is
    `lost` when it is released has no effect any more.
    """

    late: bool = False
    lost: bool = False
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, serve: Serve) -> web.StreamResponse:
        """Wait, before or after doing what was asked for."""
        early = await serve() if self.late else None
        self.arrived.set()
        await self.released.wait()
        try:
            if early is not None:
                return early
            return (
                refused(web.HTTPServiceUnavailable.status_code, 0) if self.lost else await serve()
            )
        finally:
            self.answered.set()


@dataclass(kw_only=True)
class Slow(Fault):
    """Takes so many seconds: half on the way to Discord, half on the way back."""

    seconds: float

    async def answer(self, serve: Serve) -> web.StreamResponse:
        """Wait half of the time, do it, and wait again."""
        await asyncio.sleep(self.seconds / 2)
        response = await serve()
        await asyncio.sleep(self.seconds / 2)
        return response


async def through(
    faults: Iterable[Fault], method: str, path: str, body: Any, serve: Serve
) -> web.StreamResponse:
    """Serves a request, with every slowness and the first other fault that takes it."""
    slow, other = list[Fault](), None
    for fault in faults:
        if isinstance(fault, Slow):
            if fault.takes(method, path, body):
                slow.append(fault)
        elif other is None and fault.takes(method, path, body):  # the others don't count it
            other = fault
    if other is not None:
        serve = _around(other, serve)
    for fault in slow:
        serve = _around(fault, serve)
    return await serve()


def _around(fault: Fault, serve: Serve) -> Serve:
    async def answer() -> web.StreamResponse:
        return await fault.answer(serve)

    return answer
