"""Counts the requests of an act at the loopback Discord."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tests.loopback.rest import Call

LOOK_UPS = re.compile(r"^/(guilds/\d+/members|users)/\d+$")
BY_TOKEN = re.compile(r"^/(interactions|webhooks)/")
"""Requests with an interaction's token, which Discord does not count."""

ICONS = re.compile(r"^/applications/\d+/emojis")
"""Requests for the icons of goods, which are uploaded in the background after a start. No act
causes them.
"""


@dataclass(frozen=True)
class Cost:
    """The requests of one act that Discord counts, by route. ``look_ups`` are counted apart.

    ``by_token`` are those that it does not count, the response included.
    """

    act: str
    routes: Counter[str]
    look_ups: int
    allowed: int
    by_token: int = 0

    @property
    def requests(self) -> int:
        """How many Discord counted, without look-ups."""
        return sum(self.routes.values())

    def __str__(self) -> str:
        routes = ", ".join(f"{count} {route}" for route, count in sorted(self.routes.items()))
        return (
            f"{self.act:<38}{self.requests:>4} of {self.allowed:<4}+ {self.by_token} by token   "
            f"{routes}"
        )


def cost(act: str, allowed: int, calls: Iterable[Call]) -> Cost:
    """Return what these requests of the bot come to."""
    every = [call for call in calls if not ICONS.search(call.path)]
    counted = [call for call in every if not BY_TOKEN.search(call.path)]
    look_ups = [call for call in counted if LOOK_UPS.search(call.path)]
    routes = Counter(_route(call) for call in counted if call not in look_ups)
    return Cost(act, routes, len(look_ups), allowed, len(every) - len(counted))


def _route(call: Call) -> str:
    return f"{call.method} {re.sub(r'[0-9]+', 'N', call.path)}"
