"""JSON Lines: a head, then each entry as the hash chain covers it. The file can be verified without the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from bot.exports.source import format_time
from bot.ledger import BadEntry, Published, check_published
from bot.rules.uninstalled import id_in
from bot.service import ExportSource

SCHEMA = "bourse-ledger/1"


def write(source: ExportSource) -> bytes:
    """Return the ledger as JSON Lines."""
    view, published = source.view, source.published
    lines: list[Mapping[str, Any]] = [
        {
            "schema": SCHEMA,
            "table": view.id,
            "game": id_in(view.game),
            "name": view.name,
            "people": {str(person.number): person.name for person in view.names.people.values()},
            "entries": len(published),
            "head": published[-1].hash if published else None,
        }
    ]
    lines += [
        {
            "seq": each.seq,
            "at": each.at,
            "time": format_time(each.at),
            "by": each.by,
            "entry": each.public,
            "sealed": each.digests,
            "opened": source.disclosed.get(each.seq, {}),
            "hash": each.hash,
            "interaction": each.interaction,
            "command_size": each.command_size,
        }
        for each in published
    ]
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
