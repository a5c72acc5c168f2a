"""Results as text and as JSON."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from tests.tools.bench.measure import Effort, Line, Result

LIBRARIES = ("aiosqlite", "pydantic", "SQLAlchemy")
"""Libraries whose versions belong to a result."""


def as_text(result: Result) -> str:
    """Return a result in two lines: name, ratio, lowest and highest of its rounds, both figures;
    what it is.
    """
    line, ratios = result.line, result.ratios
    spread = f"{figure(ratios[0])}–{figure(ratios[-1])} in {len(ratios)} rounds"
    sides = f"{figure(result.over)} {line.over} / {figure(result.under)} {line.under}"
    notes = [f"{figure(value)} {name}" for name, value in result.notes.items()]
    head = f"{line.name:<10} {figure(result.ratio):>7}  ({spread})"
    return f"{head:<38} {'; '.join([sides, *notes])}\n{'':<11}{line.about}"


def skipped(line: Line, why: str) -> str:
    """Return the sentence that stands for a line which can't be measured here."""
    return f"{line.name:<10} skipped: {why}"


def as_json(
    results: Sequence[Result], left_out: Mapping[str, str], effort: Effort
) -> dict[str, Any]:
    """Return the results with every round, what was left out and why, the effort and the machine,
    as plain values.
    """
    return {
        "machine": machine(),
        "effort": asdict(effort),
        "lines": [_plain(result) for result in results],
        "skipped": dict(left_out),
    }


def machine() -> dict[str, str | int]:
    """Return what the figures depend on: processors and versions, but no name of the machine."""
    return {
        "processors": os.cpu_count() or 1,
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        **{name.lower(): version(name) for name in LIBRARIES},
    }


def machine_text() -> str:
    """Return the same in a line."""
    found = machine()
    names = ("python", "sqlite", *(name.lower() for name in LIBRARIES))
    versions = ", ".join(f"{name} {found[name]}" for name in names)
    return (
        f"{found['processors']} processors ({found['architecture']}, {found['system']}); {versions}"
    )


def figure(value: float) -> str:
    """Return a number with three significant digits, or as a whole number from 1,000 on."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def _plain(result: Result) -> dict[str, Any]:
    line, ratios = result.line, result.ratios
    return {
        "line": line.name,
        "about": line.about,
        "ratio": result.ratio,
        "low": ratios[0],
        "high": ratios[-1],
        "over": {
            "unit": line.over,
            "median": result.over,
            "rounds": [over for over, _ in result.rounds],
        },
        "under": {
            "unit": line.under,
            "median": result.under,
            "rounds": [under for _, under in result.rounds],
        },
        "notes": dict(result.notes),
    }
