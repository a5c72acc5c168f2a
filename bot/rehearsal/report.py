"""A play's outcome, line by line, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.rehearsal.script import Play


@dataclass(frozen=True, slots=True)
class LineResult:
    """The outcome of one line. ``ok`` is None if it was not reached; ``reason`` says what is wrong.

    Set for actions only: ``saw`` is what each person saw, ``records`` the kinds of entries that were recorded, ``ms``
    the duration.
    """

    file: str
    line: int
    text: str
    ok: bool | None
    reason: str = ""
    saw: dict[str, list[str]] = field(default_factory=dict)
    records: tuple[str, ...] = ()
    ms: float | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a play. ``skipped`` says why it was not run. ``ms`` is its duration."""

    play: Play
    lines: tuple[LineResult, ...] = ()
    skipped: str | None = None
    ms: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether everything happened as expected, or the play was skipped."""
        return all(line.ok for line in self.lines)

    def __str__(self) -> str:
        """Return one line if all is well, else what failed where."""
        if self.skipped is not None:
            return f"skipped  {self.play.file}: {self.skipped}"
        if self.ok:
            return f"ok       {self.play.file}  ({len(self.lines)} lines, {self.ms:.0f} ms)"
        return "\n".join(_failures(self.lines))


def _failures(lines: Sequence[LineResult]) -> Iterator[str]:
    """Yield each failed line with its expectation, and at the end what each person saw there."""
    action = lines[0]
    for line in lines:
        if line.ms is not None:
            action = line
        if line.ok is not False:
            continue
        yield f"{line.file}:{line.line}: {line.text}"
        yield from (f"    {each}" for each in line.reason.splitlines())
    yield f"  What was seen after line {action.line}, {action.text}"
    for who, texts in action.saw.items():
        yield f"    {who}:" + ("" if texts else " nothing")
        for text in texts:
            first, *rest = text.splitlines()
            yield f"      - {first}"
            yield from (f"        {each}" for each in rest)
    yield f"    the ledger grew by: {', '.join(action.records) or 'nothing'}"


def objects(report: Report) -> Iterator[str]:
    """Yield a play's lines as JSON objects."""
    lines = report.lines
    if report.skipped is not None:
        lines = (LineResult(report.play.file, 0, "", None, report.skipped),)
    for line in lines:
        fields: dict[str, Any] = {"file": line.file, "line": line.line, "text": line.text, "ok": line.ok}
        if line.reason:
            fields["why"] = line.reason
        if line.ms is not None:
            fields |= {"ms": round(line.ms, 1), "saw": line.saw, "records": line.records}
        yield json.dumps(fields, ensure_ascii=False)
