"""CSV as of RFC 4180, for spreadsheets: a row for each component that an entry moved, one for an entry that moved none.

By default it begins with a byte order mark, without which Excel takes UTF-8 for something else.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO

from bot.exports.source import Source, time_of
from bot.rules.books import Move, Step
from bot.show.story import plain_sentence

SCHEMA = "bourse-csv/1"

COLUMNS = (
    "schema", "table", "seq", "at", "by", "kind", "what", "seat", "place", "component", "gained", "lost", "hash",
)  # fmt: skip

_FORMULA = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠]")
_AFTER_A_SEPARATOR = re.compile(r"([;\t|]\s*)(?=[=+\-@＝＋－＠])")


def write(source: Source, *, bom: bool = True) -> bytes:
    """The ledger as CSV."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for step in source.life:
        writer.writerows(_rows(source, step))
    return text.getvalue().encode("utf-8-sig" if bom else "utf-8")


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe stands before what could be one.

    Also within the text, for a spreadsheet that takes another sign than the comma for the end of a cell.
    """
    text = _AFTER_A_SEPARATOR.sub(r"\1'", text)
    return f"'{text}" if _FORMULA.match(text) else text


def _rows(source: Source, step: Step) -> Iterator[list[str | int]]:
    recorded = step.recorded
    begin: list[str | int] = [
        SCHEMA,
        source.table_id,
        recorded.seq,
        time_of(recorded.at),
        harmless(source.name_of(recorded.by)),
        recorded.entry.kind,
        harmless(plain_sentence(source.table_id, source.people, step, source.viewer)),
    ]
    moves: list[Move | None] = [*source.moves(step)] or [None]
    for move in moves:
        moved: list[str | int] = [""] * 5
        if move is not None:
            moved = [move.seat, move.place, harmless(move.token), move.gained, move.lost]
        yield [*begin, *moved, recorded.hash]
