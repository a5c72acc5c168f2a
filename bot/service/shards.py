"""Shards: Discord divides a bot's servers among its connections, and thereby among processes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of this process, numbered from 0, out of ``count``. By default, it has the only shard."""

    ids: tuple[int, ...] = (0,)
    count: int = 1

    def owns(self, guild_id: int | None) -> bool:
        """Return whether this process delivers for a server and runs its tables' clocks.

        A table that was opened in a direct message has no server (None). It belongs to shard 0, like direct messages.
        """
        return ((guild_id or 0) >> 22) % self.count in self.ids

    @property
    def all(self) -> bool:
        """Whether this process owns every server, so that there is no other process."""
        return len(self.ids) == self.count

    def __str__(self) -> str:
        """Return words such as "shards 0 and 1 of 4"."""
        *most, last = map(str, self.ids)
        names = f"shards {', '.join(most)} and {last}" if most else f"shard {last}"
        return f"{names} of {self.count}"
