"""What came of a play, line by line, and how it is told: to people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.rehearsal.script import Play


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one line. ``ok`` is None where it was not reached. ``ms`` is how long an action took."""

    file: str
    line: int
    text: str
    ok: bool | None
    why: str = ""
    saw: dict[str, list[str]] = field(default_factory=dict)
    records: tuple[str, ...] = ()
    ms: float | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a play. ``skipped`` says why it was not run."""

    play: Play
    lines: tuple[Line, ...] = ()
    skipped: str | None = None
    ms: float = 0.0

    @property
    def ok(self) -> bool:
        """Everything happened as expected, or the play was skipped."""
        return all(line.ok for line in self.lines)

    def __str__(self) -> str:
        """Give what a person is told: one line when all is well, else what happened where."""
        if self.skipped is not None:
            return f"skipped  {self.play.file}: {self.skipped}"
        if self.ok:
            return f"ok       {self.play.file}  ({len(self.lines)} lines, {self.ms:.0f} ms)"
        return "\n".join(_told(self.lines))


def _told(lines: Sequence[Line]) -> Iterator[str]:
    """Tell what failed, each with its line, what was expected, and at the end what everybody saw there."""
    action = lines[0]
    for line in lines:
        if line.ms is not None:
            action = line
        if line.ok is not False:
            continue
        yield f"{line.file}:{line.line}: {line.text}"
        yield from (f"    {each}" for each in line.why.splitlines())
    yield f"  What was seen after line {action.line}, {action.text}"
    for who, texts in action.saw.items():
        yield f"    {who}:" + ("" if texts else " nothing")
        for text in texts:
            first, *rest = text.splitlines()
            yield f"      - {first}"
            yield from (f"        {each}" for each in rest)
    yield f"    the ledger grew by: {', '.join(action.records) or 'nothing'}"


def objects(report: Report) -> Iterator[str]:
    """Give a play's lines as JSON, one object each."""
    lines = report.lines
    if report.skipped is not None:
        lines = (Line(report.play.file, 0, "", None, report.skipped),)
    for line in lines:
        told: dict[str, Any] = {"file": line.file, "line": line.line, "text": line.text, "ok": line.ok}
        if line.why:
            told["why"] = line.why
        if line.ms is not None:
            told |= {"ms": round(line.ms, 1), "saw": line.saw, "records": line.records}
        yield json.dumps(told, ensure_ascii=False)
