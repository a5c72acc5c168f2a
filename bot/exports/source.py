"""What all formats share: author names and times."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.rules.views import EntryView


def author(entry: EntryView) -> str:
    """Return the plain name of the entry's author; empty if it was the clock."""
    person = entry.names.people.get(entry.by or 0)
    return person.name if person else ""


def format_time(at: int) -> str:
    """Convert milliseconds since 1970 to ISO 8601 in UTC: ``2026-01-02T12:00:00.000Z``."""
    return (
        datetime.fromtimestamp(at / 1000, UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )
