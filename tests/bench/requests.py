"""What an act costs in requests, counted at the loopback Discord."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tests.loopback.rest import Call

LOOK_UPS = re.compile(r"^/(guilds/\d+/members|users)/\d+$")
RESPONSE = re.compile(r"^/interactions/|/messages/@original$")


@dataclass(frozen=True)
class Cost:
    """The requests of one act beside the interaction's own response, by route. ``look_ups`` are counted apart."""

    act: str
    routes: Counter[str]
    look_ups: int
    allowed: int

    @property
    def requests(self) -> int:
        """How many there were, without look-ups."""
        return sum(self.routes.values())

    def __str__(self) -> str:
        routes = ", ".join(f"{count} {route}" for route, count in sorted(self.routes.items()))
        return f"{self.act:<38}{self.requests:>4} of {self.allowed:<4}{routes}"


def cost(act: str, allowed: int, calls: Iterable[Call]) -> Cost:
    """Return what these requests of the bot come to."""
    counted = [call for call in calls if not RESPONSE.search(call.path)]
    look_ups = [call for call in counted if LOOK_UPS.search(call.path)]
    routes = Counter(_route(call) for call in counted if call not in look_ups)
    return Cost(act, routes, len(look_ups), allowed)


def _route(call: Call) -> str:
    path = re.sub(r"/webhooks/.*", "/webhooks", re.sub(r"\d+", "N", call.path))
    return f"{call.method} {path}"
