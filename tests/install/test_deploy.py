"""The container, compose files and systemd unit, as far as they can be checked without running them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SETTINGS = {name.upper() for name in Settings.model_fields}


def test_they_set_what_is_a_setting() -> None:
    names = {
        name
        for file in DEPLOY.iterdir()
        for name in re.findall(r"\b(?:(?:BOURSE|DISCORD|SHARD)_[A-Z_]+|DATABASE_URL)\b", file.read_text())
    }
    assert {"DATABASE_URL", "BOURSE_HTTP_PORT", "BOURSE_KEY_FILE"} <= names <= SETTINGS


def test_the_container_copies_what_the_build_needs_and_what_may_come_along() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    copied = {name for line in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE) for name in line.split()}
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line.startswith("!")}
    assert copied == allowed
    assert all((ROOT / name).exists() for name in copied)


def test_the_container_is_as_hadolint_asks() -> None:
    subprocess.run([Path(sys.executable).parent / "hadolint", DEPLOY / "Dockerfile"], check=True)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_reads_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    unit = (DEPLOY / "bourse.service").read_text()
    there = tmp_path / "bourse.service"
    there.write_text(unit.replace("/usr/local/bin/bourse", shutil.which("true") or ""))
    read = subprocess.run(["systemd-analyze", "verify", there], capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, "")
    call = ["systemd-analyze", "security", "--offline=true", "--threshold=15", there]
    subprocess.run(call, check=True, capture_output=True)
