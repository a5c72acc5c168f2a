"""JSON Lines: a head, then each entry as the hash chain covers it. SCHEMA.md has a program that
verifies it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from bot.exports.source import format_time
from bot.rules.uninstalled import id_in
from bot.service import ExportSource

SCHEMA = "bourse-ledger/1"


def write(source: ExportSource) -> bytes:
    """Return the ledger as JSON Lines."""
    view, published = source.view, source.published
    people = view.names.people.values()
    lines: list[Mapping[str, Any]] = [
        {
            "schema": SCHEMA,
            "table": view.id,
            "game": id_in(view.game),
            "name": view.name,
            "people": {str(person.number): person.name for person in people},
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
