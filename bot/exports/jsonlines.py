"""JSON Lines: a head, then each entry as the chain covers it. Who has the file can verify it with nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from bot.exports.source import Source, time_of
from bot.ledger import Bad, Published, check_published
from bot.rules.books import Step
from bot.rules.entries import sealed_fields, split
from bot.rules.views import may_see, view

SCHEMA = "bourse-ledger/1"


def write(source: Source) -> bytes:
    """The ledger as JSON Lines."""
    return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in _lines(source))


def read(content: bytes) -> tuple[dict[str, Any], list[Published]]:
    """The head and the entries of such a file. Raises ``ValueError`` when it is none, or of another schema."""
    lines = [orjson.loads(line) for line in content.splitlines() if line.strip()]
    if not lines or lines[0].get("schema") != SCHEMA:
        raise ValueError(f"This is no file of the schema {SCHEMA}.")
    keys = ("seq", "at", "by", "entry", "sealed", "hash")
    return lines[0], [Published(*(line[key] for key in keys)) for line in lines[1:]]


def check(content: bytes) -> Bad | None:
    """Verify such a file on its own: the first entry at which the chain does not hold, or None."""
    head, entries = read(content)
    if (bad := check_published(head["table"], entries)) is not None:
        return bad
    if len(entries) < head["entries"]:
        return Bad(len(entries) + 1, "the entry is missing")
    return None


def _lines(source: Source) -> Iterator[Mapping[str, Any]]:
    table = source.table
    yield {
        "schema": SCHEMA,
        "table": source.table_id,
        "game": table.game,
        "name": table.name,
        "people": {str(person.number): person.name for person in source.people.values()},
        "entries": len(source.published),
        "head": source.published[-1].hash if source.published else None,
    }
    for step, public in zip(source.life, source.published, strict=True):
        yield {
            "seq": public.seq,
            "at": public.at,
            "time": time_of(public.at),
            "by": public.by,
            "entry": public.public,
            "sealed": public.digests,
            "opened": _opened(source, step),
            "hash": public.hash,
        }


def _opened(source: Source, step: Step) -> dict[str, Any]:
    """The sealed parts that the viewer may see; where they see all of one, with its salt, to check it by."""
    entry, seq = step.entry, step.recorded.seq
    parts = sorted({part for part in sealed_fields(type(entry)).values() if may_see(entry, part, source.viewer, seq)})
    if source.sees_all:
        stored = source.sealed.get(seq, {})
        return {part: stored[part] for part in parts if part in stored}
    _, seen = split(view(entry, source.viewer, seq))
    return {part: {"data": seen[part]} for part in parts}
