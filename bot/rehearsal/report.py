"""A play's outcome, line by line, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from bot.rehearsal.script import Play
from bot.rules.model.values import frozen


@frozen
class LineResult:
    """The outcome of one line. ``ok`` is None if it was not reached; ``reason`` says what is wrong.

    Set for actions only: ``saw`` is what each person saw, ``records`` the kinds of entries that
    were recorded, ``ms`` the duration.
    """

    line: int
    text: str
    ok: bool | None
    reason: str = ""
    saw: dict[str, list[str]] = field(default_factory=dict)
    records: tuple[str, ...] = ()
    ms: float | None = None


@frozen
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
        """Return one line if all is well, else each failed line, and what each person saw there."""
        if self.skipped is not None:
            return f"skipped  {self.play.file}: {self.skipped}"
        if self.ok:
            return f"ok       {self.play.file}  ({len(self.lines)} lines, {self.ms:.0f} ms)"
        said, action = list[str](), self.lines[0]
        for line in self.lines:
            if line.ms is not None:
                action = line
            if line.ok is False:
                said.append(f"{self.play.file}:{line.line}: {line.text}")
                said += [f"    {each}" for each in line.reason.splitlines()]
        said.append(f"  What was seen after line {action.line}, {action.text}")
        for who, texts in action.saw.items():
            said.append(f"    {who}:" + ("" if texts else " nothing"))
            for text in texts:
                first, *rest = text.splitlines()
                said += [f"      - {first}", *(f"        {each}" for each in rest)]
        said.append(f"    the ledger grew by: {', '.join(action.records) or 'nothing'}")
        return "\n".join(said)


def objects(report: Report) -> Iterator[str]:
    """Yield a play's lines as JSON objects."""
    lines = report.lines
    if report.skipped is not None:
        lines = (LineResult(0, "", None, report.skipped),)
    for line in lines:
        fields: dict[str, Any] = {
            "file": report.play.file,
            "line": line.line,
            "text": line.text,
            "ok": line.ok,
        }
        if line.reason:
            fields["why"] = line.reason
        if line.ms is not None:
            fields |= {"ms": round(line.ms, 1), "saw": line.saw, "records": line.records}
        yield json.dumps(fields, ensure_ascii=False)
