"""Tests of the container, compose files and systemd unit, without running them."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from bot.cli.program import EXIT_AGAIN, EXIT_ERROR, EXIT_OK
from bot.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SETTINGS = {name.upper() for name in Settings.model_fields}


def test_they_set_what_is_a_setting() -> None:
    texts = "\n".join(file.read_text() for file in DEPLOY.iterdir())
    names = set(re.findall(r"\b(?:(?:BOURSE|DISCORD|SHARD)_[A-Z_]+|DATABASE_URL)\b", texts))
    assert {"DATABASE_URL", "BOURSE_HTTP_PORT", "BOURSE_KEY_FILE"} <= names <= SETTINGS


def test_the_container_copies_what_the_build_needs_and_what_may_come_along() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    copied = set(" ".join(re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)).split())
    ignored = (ROOT / ".dockerignore").read_text().split()
    allowed = {line[1:] for line in ignored if line.startswith("!")}
    assert copied == allowed
    assert all((ROOT / name).exists() for name in copied)


def test_the_container_has_only_what_running_needs() -> None:
    """What builds the wheel is installed elsewhere, and stays in the stage that builds."""
    stages = re.split(r"^FROM ", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    building, running = stages[1:]
    locks = re.findall(r"/opt/bourse/bin/pip install .*--requirement (\S+)", building)
    assert locks == ["requirements.lock"]
    assert "pip install" not in running
    assert re.findall(r"^COPY .*", running, re.MULTILINE) == [
        "COPY --from=build /opt/bourse /opt/bourse"
    ]


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::1"])
def test_the_health_check_asks_at_the_port_of_the_settings(host: str) -> None:
    """A BOURSE_HTTP_PORT in the container's .env takes the place of the image's own."""
    joined = (DEPLOY / "Dockerfile").read_text().replace("\\\n", "")
    command = json.loads(re.findall(r"^HEALTHCHECK .*CMD (\[.*\])$", joined, re.MULTILINE)[0])
    asked: list[str] = []

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200 if len(asked) == 1 else 503)
            self.end_headers()

    class Server(HTTPServer):
        address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

    with Server((host, 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = {"BOURSE_HTTP_PORT": str(server.server_address[1]), "BOURSE_HTTP_HOST": host}
        codes = []
        for _ in range(2):
            look = [sys.executable, *command[1:]]
            done = subprocess.run(look, env=environment, check=False)
            codes.append(done.returncode)
        server.shutdown()
    assert (codes, asked) == ([0, 1], ["/healthz", "/healthz"])
    unknown = subprocess.run(
        [sys.executable, *command[1:]], env={"BOURSE_HTTP_PORT": "0"}, check=False
    )
    assert unknown.returncode == 0


def test_nobody_starts_the_bot_for_ever_after_what_only_a_person_can_mend() -> None:
    assert f"RestartPreventExitStatus={EXIT_ERROR}\n" in (DEPLOY / "bourse.service").read_text()
    assert EXIT_AGAIN not in (EXIT_OK, EXIT_ERROR)
    assert 'ENTRYPOINT ["bourse"]' in (image := (DEPLOY / "Dockerfile").read_text())
    assert 'CMD ["--stay"]' in image
    for file in DEPLOY.glob("compose*.yaml"):
        assert "command:" not in file.read_text()


def test_the_container_is_as_hadolint_asks() -> None:
    hadolint = Path(sys.executable).parent / "hadolint"
    subprocess.run([hadolint, DEPLOY / "Dockerfile"], check=True)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_reads_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    unit = (DEPLOY / "bourse.service").read_text()
    there = tmp_path / "bourse.service"
    there.write_text(unit.replace("/usr/local/bin/bourse", shutil.which("true") or ""))
    read = subprocess.run(
        ["systemd-analyze", "verify", there], capture_output=True, text=True, check=False
    )
    assert (read.returncode, read.stderr) == (0, "")
    call = ["systemd-analyze", "security", "--offline=true", "--threshold=15", there]
    subprocess.run(call, check=True, capture_output=True)
