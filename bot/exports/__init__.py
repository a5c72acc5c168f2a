"""Exports: a table's ledger as a file for one viewer. SCHEMA.md in this folder describes each
format.

Every writer gets an `ExportSource`, which is already redacted for the viewer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from bot.exports import csv, jsonlines
from bot.service import ExportSource

Format = Literal["csv", "json"]

FORMATS: Mapping[Format, str] = {"csv": "csv", "json": "jsonl"}
"""Format to file suffix."""

_WRITERS: Mapping[Format, Callable[[ExportSource], bytes]] = {
    "csv": csv.write,
    "json": jsonlines.write,
}


def export(file_format: Format, source: ExportSource) -> bytes:
    """Return the ledger as a file, encoded as UTF-8."""
    return _WRITERS[file_format](source)


__all__ = ["FORMATS", "ExportSource", "Format", "export"]
