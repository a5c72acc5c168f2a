"""Known vulnerabilities of the packages that our locks pin: `make audit`.

pip-audit asks a source of advisories. Without a network there is none to ask, which is said aloud
and is no failure; a known vulnerability is one.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

LOCK = Path(__file__).parent.parent / "requirements-dev.lock"
"""The longest lock: it has what the other two have."""

OWN = "its own"
"""The source that pip-audit asks when none is named."""

SOURCES = ("osv", OWN)
"""The sources in the order in which they are asked. The first that answers is believed."""

LONGEST = 300
"""Seconds after which a source is given up."""

ACCEPTED: Mapping[str, str] = {}
"""Vulnerabilities that do not concern Bourse, by their id, with the reason."""


class Found(NamedTuple):
    """What a source answered: how many packages it knows, which ones it does not, and a line for
    each vulnerability.
    """

    known: int
    unknown: tuple[str, ...]
    vulnerable: tuple[str, ...]


def asked(source: str) -> str:
    """Return pip-audit's answer from a source as it prints it; empty when there was none."""
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--requirement",
        str(LOCK),
        "--require-hashes",
        "--disable-pip",
        "--format",
        "json",
        "--progress-spinner",
        "off",
        "--timeout",
        "15",
    ]
    if source != OWN:
        command += ["--vulnerability-service", source]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def read(answer: str) -> Found | None:
    """Return what pip-audit found; None where it could not ask, or its source knows none of the
    packages.
    """
    try:
        packages: list[dict[str, Any]] = json.loads(answer)["dependencies"]
    except (ValueError, TypeError, KeyError):
        return None
    unknown = tuple(str(each["name"]) for each in packages if "skip_reason" in each)
    lines = tuple(chain.from_iterable(map(_vulnerabilities, packages)))
    known = len(packages) - len(unknown)
    return Found(known, unknown, lines) if known else None


def _vulnerabilities(package: dict[str, Any]) -> list[str]:
    return [
        f"{package['name']} {package['version']}: {found['id']}, mended in "
        f"{', '.join(found['fix_versions']) or 'none'}"
        for found in package.get("vulns", ())
        if found["id"] not in ACCEPTED
    ]


def main(ask: Callable[[str], str] = asked, *, installed: bool | None = None) -> int:
    """Look for known vulnerabilities and print what was found. Return 1 if there are any, else
    0.
    """
    if installed is None:
        installed = importlib.util.find_spec("pip_audit") is not None
    if not installed:
        print(
            "SKIPPED: known vulnerabilities were not looked for, since pip-audit is not installed "
            "here."
        )
        return 0
    for source in SOURCES:
        found = read(ask(source))
        if found is not None:
            break
    else:
        print(
            "SKIPPED: known vulnerabilities were not looked for, since no source of advisories can "
            "be reached."
        )
        return 0
    if found.unknown:
        print(f"SKIPPED: no source knows of {', '.join(found.unknown)}.")
    for line in found.vulnerable:
        print(f"VULNERABLE: {line}")
    print(f"{found.known} packages looked up, known vulnerabilities: {len(found.vulnerable)}.")
    return 1 if found.vulnerable else 0


if __name__ == "__main__":
    sys.exit(main())
