"""CSV (RFC 4180) for spreadsheets: one row per component that an entry moved, or one row if it
moved nothing.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from io import StringIO

from bot.exports.source import author, format_time
from bot.service import ExportSource
from bot.show.accounts import moves_by_entry
from bot.show.narration import plain_sentence

SCHEMA = "bourse-csv/1"

COLUMNS = (
    "schema",
    "table",
    "seq",
    "at",
    "by",
    "kind",
    "what",
    "seat",
    "place",
    "component",
    "gained",
    "lost",
    "hash",
    "by_person",
    "person",
)

_NOTHING_MOVED = ("", "", "", "", "")
"""The columns from ``seat`` to ``lost`` of an entry that moved no goods."""

_FORMULA = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠]")
_AFTER_A_SEPARATOR = re.compile(r"([;\t|]\s*)(?=[=+\-@＝＋－＠])")


def write(source: ExportSource) -> bytes:
    """Return the ledger as CSV, in UTF-8 with a byte order mark; Excel needs the mark to recognise
    UTF-8.
    """
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for entry, moves in moves_by_entry(source.entries):
        common: Sequence[str | int] = [
            SCHEMA,
            entry.table,
            entry.seq,
            format_time(entry.at),
            "" if entry.secret else harmless(author(entry)),
            "sealed" if entry.secret else entry.kind,
            harmless(plain_sentence(entry)),
        ]
        cells: list[tuple[str | int, ...]] = []
        for move in moves:
            token = harmless(move.token)
            cells.append((move.seat, move.area, token, move.gained, move.lost))
        for goods in cells or [_NOTHING_MOVED]:
            holder = entry.names.holders.get(str(goods[0])) or ""
            by = "" if entry.secret else entry.by or ""
            writer.writerow([*common, *goods, entry.hash, by, holder])
    return text.getvalue().encode("utf-8-sig")


def harmless(text: str) -> str:
    """Put an apostrophe before everything in the text that a spreadsheet could take for a formula.

    That includes a sign after ``;``, ``|`` or a tab, where some spreadsheets begin a new cell.
    """
    text = _AFTER_A_SEPARATOR.sub(r"\1'", text)
    return f"'{text}" if _FORMULA.match(text) else text
