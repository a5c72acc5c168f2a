"""Empty databases that are up to date: copying one takes a sixth of the time of making one."""

from __future__ import annotations

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.ledger import Ledger


def prepared(file: Path) -> Path:
    """Put an empty database here, with its key beside it, unless there is one. Return the file."""
    if file.exists():
        return file
    made = Path(_folder().name) / "bourse.db"
    shutil.copy(f"{made}.key", f"{file}.key")
    return Path(shutil.copy(made, file))


@cache
def _folder() -> TemporaryDirectory[str]:
    """Make the database that is copied, once in this process."""
    folder = TemporaryDirectory(prefix="bourse-prepared-")
    with ThreadPoolExecutor(1) as thread:  # an event loop may be running in this one
        thread.submit(asyncio.run, _make(f"sqlite:///{folder.name}/bourse.db")).result()
    return folder


async def _make(url: str) -> None:
    await (await Ledger.open(url)).close()
