"""Shards: Discord's division of a bot's servers among its connections, and so among processes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of this process, as numbers from 0, of ``count`` in all. By default it has the only one there is."""

    ids: tuple[int, ...] = (0,)
    count: int = 1

    def owns(self, guild_id: int | None) -> bool:
        """Return whether this process is the one that delivers for a server and keeps its clocks.

        A table that was opened in a direct message has no server (None) and belongs to shard 0, as direct messages do.
        """
        return ((guild_id or 0) >> 22) % self.count in self.ids

    @property
    def all(self) -> bool:
        """Return whether this process owns every server, so that there is no other process."""
        return len(self.ids) == self.count

    def __str__(self) -> str:
        """Return the shards in words, such as "shards 0 and 1 of 4"."""
        *most, last = map(str, self.ids)
        names = f"shards {', '.join(most)} and {last}" if most else f"shard {last}"
        return f"{names} of {self.count}"
