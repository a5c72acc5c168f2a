"""One interaction and everything the bot answered to it; ids, and how Discord says no."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tests.loopback import screen
from tests.loopback.people import Person
from tests.loopback.screen import Json

# The callbacks that answer an interaction
MESSAGE, THINKING, LATER, UPDATE, CHOICES, OPEN_MODAL = 4, 5, 6, 7, 8, 9


def ids(clock: Callable[[], float] = time.time) -> Iterator[int]:
    """Ids that tell the time of a clock, in seconds since 1970."""
    last = 0
    while True:
        last = max(last + 1, int(clock() * 1000 - 1_420_070_400_000) << 22)
        yield last


_snowflakes = ids()


def snowflake() -> str:
    """The next id. Ids grow, so that of two messages the later one has the larger, and they tell
    the time.
    """
    return str(next(_snowflakes))


class Refusal(Exception):
    """Discord says no: its words, its code, the HTTP status."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


@dataclass
class Exchange:
    """One interaction and everything the bot answered to it."""

    shown: Mapping[str, Json]  # all messages there are, by id, as they are now
    id: str
    token: str
    kind: int
    user: Person
    channel: str
    source: Json | None = None  # the message whose button or select this was, as it was then
    body: Json = field(default_factory=dict)  # as it was delivered
    callbacks: list[Json] = field(default_factory=list)  # all the bot sent; Discord took the first
    loading: str = ""  # the message that says "thinking"
    # ids: the message that answers, then follow-ups
    answers: list[str] = field(default_factory=list)
    asked_at: float = field(default_factory=time.monotonic)  # seconds
    answered_at: float | None = None  # when Discord took the first callback
    answered: asyncio.Event = field(default_factory=asyncio.Event)  # that it did
    too_late: bool = False  # an answer came when Discord took none any more

    @property
    def type(self) -> int:
        """The type of the callback Discord took."""
        return int(self.callbacks[0]["type"])

    @property
    def data(self) -> Json:
        """The data of the callback Discord took."""
        return self.callbacks[0].get("data") or {}

    @property
    def original(self) -> str:
        """The id of ``@original``: of the answer, or of the pressed message if the answer was to
        update that.
        """
        if self.type in (LATER, UPDATE) and self.source is not None:
            return str(self.source["id"])
        return self.loading or next(iter(self.answers), "")

    def reaches(self, message: str) -> bool:
        """Whether the token may read, edit and delete this message: ``@original``, or a follow-up
        that it made.
        """
        return message in (self.original, *self.answers)

    @property
    def messages(self) -> list[Json]:
        """What it came to, as it is now: the answer and its follow-ups, or the card it changed."""
        return [self.shown[mid] for mid in self.answers if mid in self.shown]

    @property
    def text(self) -> str:
        """What its messages say."""
        return "\n".join(screen.text_of(message) for message in self.messages)

    @property
    def ephemeral(self) -> bool:
        """Whether there was an answer and all of it was for this person only."""
        return bool(self.messages) and all(map(screen.is_ephemeral, self.messages))

    @property
    def choices(self) -> list[str]:
        """What autocomplete offered."""
        return [choice["name"] for choice in self.data.get("choices") or []]

    def finished(self) -> bool:
        """Whether a deferred answer has come, or has been taken back."""
        return self.type != THINKING or bool(self.answers) or self.loading not in self.shown

    def age(self) -> float:
        """Seconds since it was sent."""
        return time.monotonic() - self.asked_at

    def metadata(self) -> Json:
        """How a message tells which interaction it answers."""
        owners = self.body.get("authorizing_integration_owners", {})
        found: Json = {"id": self.id, "type": self.kind, "user": self.user.user()}
        if self.source is not None:
            found["interacted_message_id"] = self.source["id"]
        return found | {"authorizing_integration_owners": owners}
