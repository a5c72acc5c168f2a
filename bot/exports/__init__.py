"""Exports: a table's ledger as a file, for one viewer. What each file holds is written down in SCHEMA.md beside this.

Everything goes through `view`, so a file holds no more than its reader may see. Nothing here knows Discord or SQL.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from bot.exports import beancount, csv, jsonlines
from bot.exports.source import Source

Format = Literal["csv", "json", "beancount"]

FORMATS: Mapping[Format, str] = {"csv": "csv", "json": "jsonl", "beancount": "beancount"}
"""What can be written, and how a file of it is called."""


def export(form: Format, source: Source) -> bytes:
    """A ledger as a file of this format, in UTF-8."""
    match form:
        case "csv":
            return csv.write(source)
        case "json":
            return jsonlines.write(source)
        case "beancount":
            return beancount.write(source)


__all__ = ["FORMATS", "Format", "Source", "export"]
