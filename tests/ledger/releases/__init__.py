"""The ledger of each release, as `python -m tests.ledger.golden` made it. Its files are never made
again.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
RELEASES = sorted(each.name.removesuffix(".json") for each in HERE.glob("*.json"))
"""The versions, such as `1.0.0`."""


class Release(NamedTuple):
    """A release's ledger in a file, its key, and a digest of what everybody saw after every few
    entries of a table.
    """

    file: Path
    key: str
    tables: Mapping[str, Sequence[str]]


def unpacked(version: str, file: Path) -> Release:
    """Put the ledger of a release here."""
    file.write_bytes(lzma.decompress((HERE / f"{version}.db.xz").read_bytes()))
    return Release(file, **json.loads((HERE / f"{version}.json").read_text(encoding="utf-8")))
