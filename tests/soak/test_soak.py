"""Tests with the short form of `make soak`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.soak.soak import Options, soak

pytestmark = [pytest.mark.wire, pytest.mark.long]


async def test_everybody_is_told_once_whatever_happens(tmp_path: Path) -> None:
    """What is owed comes in ten seconds of a processor that nobody else uses; else it takes so many
    times longer.
    """
    waiting_for_one = os.getloadavg()[0] / (os.cpu_count() or 1)
    options = Options(kills=6, a_round=6, tables=4, pace=1.5, patience=max(1.0, waiting_for_one))
    report = await soak(options, tmp_path)
    assert report.clean, f"{report.table()}\n{report.findings}"
