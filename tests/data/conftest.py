"""Facts to hold the data against."""

from __future__ import annotations

import json
from typing import Any

import pytest


@pytest.fixture(scope="module")
def facts(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Facts compiled from published sources, which the file names; none of them is from `data/`."""
    file = request.path.with_name(f"{request.path.stem.replace('test', 'facts')}.json")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
