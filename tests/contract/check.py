"""Checks the bot's requests against the contract with Discord."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any, Protocol

import orjson

from bot.rehearsal import limits
from tests.contract import specval


class Request(Protocol):
    """A request of the bot, `path` below /api/v10: a log entry of SimCord's, a call of the
    loopback's.
    """

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def json(self) -> Any: ...


def check(requests: Iterable[Request]) -> list[str]:
    """Return what Discord would refuse in these requests, each finding once, in the order they were
    sent.
    """
    found: dict[str, None] = {}
    for request in requests:
        text = orjson.dumps(request.json, option=orjson.OPT_SORT_KEYS, default=str)
        route = IDS.sub("/0", request.path)
        key = (request.method, route, hashlib.sha256(text).digest())
        if key not in _known:
            body = orjson.loads(text)
            problems = limits.problems(request.method, request.path, body)
            problems += specval.problems(request.method, request.path, body)
            _known[key] = tuple(problems)
        found |= dict.fromkeys(_known[key])
    return list(found)


IDS = re.compile(r"/(?:simcord_interaction_|token-)?\d+(?=/|$)")
"""Ids, and the tokens that SimCord and the loopback Discord make of them; which they are decides
nothing.
"""

_known: dict[tuple[str, str, bytes], tuple[str, ...]] = {}
"""The findings of requests that were checked before: most are made again and again, such as
registering commands.
"""
