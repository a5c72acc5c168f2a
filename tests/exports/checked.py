"""Verifies what is published of a table with the program in SCHEMA.md, which knows nothing of this
one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import bot.exports
from bot.exports import jsonlines
from bot.exports.source import format_time
from bot.ledger import Published

SCHEMA = Path(bot.exports.__file__).with_name("SCHEMA.md")


@cache
def program() -> dict[str, Any]:
    [code] = re.findall(r"```python\n(.*?)```", SCHEMA.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {"__name__": "stranger"}
    exec(compile(code, str(SCHEMA), "exec"), names)
    return names


def fault(lines: Iterable[str]) -> str:
    """Return which entry of a file is not as it was recorded; empty for none."""
    try:
        program()["verify"](lines)
    except AssertionError as error:
        return str(error)
    except (AttributeError, TypeError, ValueError) as error:  # something of another kind
        return f"unreadable: {error}"
    return ""


def fault_in(content: bytes) -> str:
    """Return the same of an export."""
    return fault(content.decode().rstrip("\n").split("\n"))


def fault_of(table: int, entries: Sequence[Published]) -> str:
    """Return the same of what the ledger publishes."""
    begun = entries[0].public if entries else {}
    head = entries[-1].hash if entries else None
    first = {"schema": jsonlines.SCHEMA, "table": table, "entries": len(entries), "head": head}
    lines: list[dict[str, Any]] = [first | {name: begun.get(name) for name in ("game", "name")}]
    keys = ("seq", "at", "by", "sealed", "entry", "hash", "interaction", "command_size")
    values = attrgetter(
        "seq", "at", "by", "digests", "public", "hash", "interaction", "command_size"
    )
    for entry in entries:
        line = dict(zip(keys, values(entry), strict=True))
        lines.append(line | {"time": format_time(entry.at), "opened": {}})
    return fault(map(json.dumps, lines))
