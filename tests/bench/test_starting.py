"""A warm process of `bourse bench` is to all appearances a new one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bot.bench.starting import loading, process

ROOT = Path(__file__).resolve().parents[2]
EITHER = pytest.mark.parametrize("warm", [False, True], ids=["new", "warm"])


@EITHER
async def test_a_process_has_arguments_a_folder_and_an_environment_of_its_own(tmp_path: Path, warm: bool) -> None:
    errors, environment = tmp_path / "errors", {"PYTHONPATH": str(ROOT), "SAID": "this"}
    async with process(
        "tests.bench.echo", "one", "two", warm=warm, folder=tmp_path, environment=environment, errors=errors
    ) as started:
        # Nothing of the benchmarks is loaded that another process has as well: their numbers are drawn when it is.
        assert json.loads(await started.line())[:-1] == [["one", "two"], str(tmp_path), "this", None, []]
        for said in ("a line", "and another"):
            started.tell(said)
            assert await started.line() == said
    assert errors.read_text() == "no more\n"  # so it has ended by itself


@EITHER
async def test_a_process_that_ends_early_is_noticed(tmp_path: Path, warm: bool) -> None:
    errors, environment = tmp_path / "errors", {"PYTHONPATH": str(ROOT)}
    async with process("tests.bench.echo", warm=warm, environment=environment, errors=errors) as started:
        await started.line()
        started.tell("fail")
        assert await started.line() == "fail"
        with pytest.raises(RuntimeError, match="ended early"):
            await started.line()
    assert errors.read_text().endswith("RuntimeError: as it was told\n")


async def test_warm_processes_are_forked_from_one() -> None:
    parents = []
    for warm in (False, True, True):
        async with process("tests.bench.echo", warm=warm) as started:
            parents.append(json.loads(await started.line())[-1])
    new, one, other = parents
    assert new == os.getpid() != one == other
    assert await loading() == await loading() > 0
