"""The contract with Discord: every request the bot sends must be one Discord would take."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Protocol

from tests.contract import limits, specval


class Request(Protocol):
    """A request of the bot, `path` below /api/v10: a log entry of SimCord's, a call of the loopback's."""

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def json(self) -> Any: ...


def check(requests: Iterable[Request]) -> list[str]:
    """Return what Discord would refuse in these requests, each finding once, in the order they were sent."""
    found: dict[str, None] = {}
    seen: set[tuple[str, str, str]] = set()
    for request in requests:
        key = (request.method, request.path, json.dumps(request.json, sort_keys=True, default=str))
        if key in seen:
            continue
        seen.add(key)
        body = json.loads(json.dumps(request.json, default=str))
        problems = limits.problems(request.method, request.path, body)
        problems += specval.problems(request.method, request.path, body)
        found |= dict.fromkeys(problems)
    return list(found)
