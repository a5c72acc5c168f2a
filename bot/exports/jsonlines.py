"""JSON Lines: a head, then each entry as the hash chain covers it. The file can be verified without the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from bot.exports.source import format_time
from bot.ledger import BadEntry, Published, check_published
from bot.rules.uninstalled import id_in
from bot.service import ExportSource

SCHEMA = "bourse-ledger/1"


def write(source: ExportSource) -> bytes:
    """Return the ledger as JSON Lines."""
    lines = [_head(source), *_entries(source)]
    return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines)


def read(content: bytes) -> tuple[dict[str, Any], list[Published]]:
    """Return a file's head and entries. Raises ``ValueError`` for a file of another schema."""
    lines = [orjson.loads(line) for line in content.splitlines() if line.strip()]
    if not lines or lines[0].get("schema") != SCHEMA:
        raise ValueError(f"This is not a file of the schema {SCHEMA}.")
    keys = ("seq", "at", "by", "entry", "sealed", "hash", "interaction", "command_size")
    return lines[0], [Published(*(line[key] for key in keys)) for line in lines[1:]]


def check(content: bytes) -> BadEntry | None:
    """Return the first entry of a file at which the chain is broken; None if it is intact. Raises as `read`."""
    head, entries = read(content)
    if (bad := check_published(head["table"], entries)) is not None:
        return bad
    if len(entries) < head["entries"]:
        return BadEntry(len(entries) + 1, "the entry is missing")
    return None


def _head(source: ExportSource) -> Mapping[str, Any]:
    view, published = source.view, source.published
    return {
        "schema": SCHEMA,
        "table": view.id,
        "game": id_in(view.game),
        "name": view.name,
        "people": {str(person.number): person.name for person in view.names.people.values()},
        "entries": len(published),
        "head": published[-1].hash if published else None,
    }


def _entries(source: ExportSource) -> Iterator[Mapping[str, Any]]:
    for public in source.published:
        yield {
            "seq": public.seq,
            "at": public.at,
            "time": format_time(public.at),
            "by": public.by,
            "entry": public.public,
            "sealed": public.digests,
            "opened": source.disclosed.get(public.seq, {}),
            "hash": public.hash,
            "interaction": public.interaction,
            "command_size": public.command_size,
        }
