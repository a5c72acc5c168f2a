"""What every format needs of an `ExportSource`: moves by entry, names and times."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from bot.rules.model.goods import Goods
from bot.rules.views import EntryView
from bot.service import ExportSource
from bot.show.accounts import Move, moved
from bot.show.names import game_of, plain_text


def moves_by_entry(source: ExportSource) -> Mapping[int, list[Move]]:
    """Return the goods that each entry moved, by the entry's number, as far as the viewer may know."""
    return {entry.seq: moves for entry, moves in moved(source.view, source.entries)}


def author(entry: EntryView) -> str:
    """Return the plain name of the person who made the entry; empty for the clock."""
    person = entry.names.people.get(entry.by or 0)
    return person.name if person else ""


def describe_component(source: ExportSource, token: str) -> str:
    """Return a component in words: ``1 trade good``."""
    return plain_text(source.view, game_of(source.view).goods.describe(Goods({token: 1})))


def lies_open(source: ExportSource, token: str) -> bool:
    """Return whether everybody can see this component in a hand."""
    return bool(game_of(source.view).open_goods(Goods({token: 1})))


def format_time(at: int) -> str:
    """Return milliseconds since 1970 as ISO 8601 in UTC: ``2026-01-02T12:00:00.000Z``."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
