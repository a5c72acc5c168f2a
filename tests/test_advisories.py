"""Tests that `make audit` fails for known vulnerabilities only, and says what it did not check."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import advisories
from tests.advisories import LOCK, OWN, main

FINE = {"name": "rich", "version": "14.0", "vulns": []}
BAD = {
    "name": "pillow",
    "version": "9.0",
    "vulns": [{"id": "PYSEC-2023-175", "fix_versions": ["10.0.1"]}],
}
UNMENDED = {"name": "orjson", "version": "3.0", "vulns": [{"id": "GHSA-x", "fix_versions": []}]}
UNKNOWN = {"name": "bourse-bot", "skip_reason": "not found"}

ROOT = Path(__file__).parent.parent


def answering(**answers: object) -> Callable[[str], str]:
    """Sources that answer so; the others can't be reached."""
    known = {OWN if source == "own" else source: answer for source, answer in answers.items()}
    return lambda source: json.dumps({"dependencies": known[source]}) if source in known else ""


@pytest.mark.parametrize(
    ("ask", "code", "said"),
    [
        (answering(osv=[FINE]), 0, "1 packages looked up, known vulnerabilities: 0."),
        (answering(osv=[FINE, BAD]), 1, "VULNERABLE: pillow 9.0: PYSEC-2023-175, mended in 10.0.1"),
        (answering(own=[UNMENDED]), 1, "VULNERABLE: orjson 3.0: GHSA-x, mended in none"),
        (answering(osv=[UNKNOWN, BAD]), 1, "SKIPPED: no source knows of bourse-bot."),
        (answering(osv=[FINE, UNKNOWN]), 0, "SKIPPED: no source knows of bourse-bot."),
        # a mirror that knows of no package says of none that it is vulnerable
        (answering(osv=[UNKNOWN], own=[BAD]), 1, "VULNERABLE: pillow"),
        (
            answering(osv=[UNKNOWN], own=[UNKNOWN]),
            0,
            "SKIPPED: known vulnerabilities were not looked for",
        ),
        (answering(), 0, "SKIPPED: known vulnerabilities were not looked for, since no source"),
        (
            lambda source: "Traceback: no network",
            0,
            "SKIPPED: known vulnerabilities were not looked for",
        ),
        (lambda source: '["odd"]', 0, "SKIPPED: known vulnerabilities were not looked for"),
    ],
)
def test_what_is_found_and_said(
    ask: Callable[[str], str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(ask, installed=True) == code
    assert said in capsys.readouterr().out


def test_without_pip_audit_it_is_skipped_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(answering(osv=[BAD]), installed=False) == 0
    assert "SKIPPED: " in capsys.readouterr().out


def test_what_does_not_concern_bourse_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        advisories, "ACCEPTED", {"PYSEC-2023-175": "no images from strangers are opened"}
    )
    assert main(answering(osv=[BAD]), installed=True) == 0


def test_a_source_that_does_not_answer_in_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_args: object, **_options: object) -> None:
        raise subprocess.TimeoutExpired("pip-audit", advisories.LONGEST)

    monkeypatch.setattr(subprocess, "run", late)
    assert main(installed=True) == 0


def test_pip_audit_understands_the_lock() -> None:
    """Else each run would skip everything."""
    if importlib.util.find_spec("pip_audit") is None:
        pytest.skip("pip-audit is not installed")
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--dry-run",
        "--requirement",
        str(LOCK),
        "--require-hashes",
    ]
    done = subprocess.run(
        [*command, "--disable-pip"], capture_output=True, text=True, timeout=600, check=False
    )
    assert "would have audited" in done.stderr, done.stderr
    assert done.returncode == 0
