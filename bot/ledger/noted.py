"""What is written later: the outcomes of requests to Discord, with the next commit or by itself after a moment.

An outcome need not be durable at once. What is about to be sent was stored before; if an outcome is lost in a crash, it
is only found out once more. So a click costs two commits, and not one more for each message that was shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from bot.ledger.values import Message

About = tuple[int, str]
"""A message, by its table and its subject."""

NOTED_FOR = 0.5
"""Seconds after which an outcome is written by itself. After a crash, so much has to be found out once more."""

MANY = 16
"""Outcomes that are written at once: after a start there may be many, and the program may be restarted soon."""


class Noted:
    """Messages that are still to be stored, or forgotten (None), by what they are about. The newest counts."""

    def __init__(self) -> None:
        self._noted: dict[About, Message | None] = {}
        self._taken: list[dict[About, Message | None]] = []

    def __len__(self) -> int:
        return len(self._noted)

    def add(self, changes: Mapping[About, Message | None]) -> None:
        """Note these in place of what was noted about the same."""
        self.supersede(changes)
        self._noted.update(changes)

    def supersede(self, changes: Mapping[About, Message | None]) -> None:
        """Drop what was noted about the same as these, which are written now."""
        for noted in (self._noted, *self._taken):
            for about in changes:
                noted.pop(about, None)

    @contextmanager
    def taken(self) -> Iterator[Mapping[About, Message | None]]:
        """Take what is noted to write it inside. If that fails, it is noted again, unless something newer is."""
        taken, self._noted = self._noted, {}
        left = dict(taken)
        self._taken.append(left)
        try:
            yield taken
        except BaseException:
            self._noted = {**left, **self._noted}
            raise
        finally:
            self._taken = [each for each in self._taken if each is not left]
