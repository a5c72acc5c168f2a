"""Tests of what mypy accepts and rejects of code outside the repository that uses Bourse.

Each line of a sample that mypy must reject ends with ``# E: `` and a part of the message; every
other line must pass.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SAMPLES = sorted(HERE.glob("samples/*.py"))
PLUGINS = [
    ROOT / "tests/plugin/bazaar/bourse_bazaar.py",
    ROOT / "examples/auction/bourse_auction/bidding.py",
]

Errors = Mapping[str, Mapping[int, list[str]]]
"""The messages for each line of each file, by the file's name."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Errors:
    """The errors of one run of mypy over all files.

    It checks copies in another directory, so that it takes bot, cogs and data from where they are
    installed: then they have types only if their ``py.typed`` says so.
    """
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    files = [shutil.copy(file, elsewhere) for file in (*SAMPLES, *PLUGINS)]
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(HERE / "mypy.ini"),
        "--no-error-summary",
        "--cache-dir",
        str(ROOT / ".mypy_cache" / "samples"),
        *map(str, files),
    ]
    done = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return _by_line(done.stdout)


def _by_line(output: str) -> Errors:
    errors: dict[str, dict[int, list[str]]] = {}
    for line in output.splitlines():
        if match := re.fullmatch(r"(.+?):(\d+): error: (.+)", line):
            name = Path(match[1]).name
            errors.setdefault(name, {}).setdefault(int(match[2]), []).append(match[3])
        else:
            assert ": note: " in line, line
    return errors


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_mypy_rejects_what_it_must_and_nothing_else(found: Errors, sample: Path) -> None:
    errors = dict(found.get(sample.name, {}))
    lines = sample.read_text(encoding="utf-8").splitlines()
    expected = {}
    for number, line in enumerate(lines, start=1):
        if "# E: " in line:
            # A comment on a line of its own is about the next.
            at = number + 1 if line.lstrip().startswith("#") else number
            expected[at] = line.split("# E: ")[1]
    assert expected, "a sample shows something that mypy must reject"
    assert errors.keys() == expected.keys(), (errors, expected)
    for number, message in expected.items():
        assert any(message in each for each in errors[number]), errors[number]


@pytest.mark.slow
@pytest.mark.parametrize("plugin", PLUGINS, ids=lambda path: path.stem)
def test_a_game_of_an_outside_package_is_typed_strictly(found: Errors, plugin: Path) -> None:
    """Nothing that it imports from Bourse is without types."""
    assert plugin.name not in found, found[plugin.name]


@pytest.mark.slow
def test_errors_are_in_the_samples_only(found: Errors) -> None:
    assert found.keys() == {sample.name for sample in SAMPLES}


@pytest.mark.parametrize("package", ["bot", "cogs", "data"])
def test_every_package_says_that_it_has_types(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
