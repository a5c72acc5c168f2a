"""The short form of `make soak`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.soak import Options, soak

pytestmark = [pytest.mark.wire, pytest.mark.slow]


async def test_everybody_is_told_once_whatever_happens(tmp_path: Path) -> None:
    report = await soak(Options(kills=6, a_round=6, tables=4, pace=1.5), tmp_path)
    assert report.clean, f"{report.table()}\n{report.findings}"
