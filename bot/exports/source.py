"""What several formats need: names and times."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.rules.views import EntryView


def author(entry: EntryView) -> str:
    """Return the plain name of the person who made the entry; empty for the clock."""
    person = entry.names.people.get(entry.by or 0)
    return person.name if person else ""


def format_time(at: int) -> str:
    """Return milliseconds since 1970 as ISO 8601 in UTC: ``2026-01-02T12:00:00.000Z``."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
