"""The folder of the benchmarks' databases."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def folder() -> Iterator[Path]:
    """Give an empty folder on the disk of the system's temporary files; TMPDIR names another."""
    with tempfile.TemporaryDirectory(prefix="bourse-bench-") as path:
        yield Path(path)
