"""The database of a play: a fresh file, or the environment's DATABASE_URL."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot import private
from bot.rehearsal.script import Play

_NO_POSTGRES = "This play needs PostgreSQL: set DATABASE_URL to the address of an empty database."
_LATE_SINCE = 1_735_689_600
"""The beginning of 2025, in seconds since 1970. Any past instant works: the time since then grows
with each play.
"""


class PlaySkipped(Exception):
    """A play cannot run here. The text is a sentence with the reason."""


@contextmanager
def database(play: Play, keep: Path | None) -> Iterator[tuple[str, float]]:
    """Yield a database URL, and the seconds by which to advance the simulated clock (see `staged`).

    Raises `PlaySkipped` when the play needs PostgreSQL and DATABASE_URL does not name it.
    """
    # Only from the environment: a `.env` in this folder names the real bot's database.
    given = os.environ.get("DATABASE_URL", "")
    if play.database == "postgres" and not given.startswith("postgres"):
        raise PlaySkipped(_NO_POSTGRES)
    elif given and not (play.database == "sqlite" and given.startswith("postgres")):
        # Earlier plays left their tables there, so all ids must be new.
        yield given, max(0.0, time.time() - _LATE_SINCE)
    elif keep is not None:
        private.require_folder(keep)
        file = keep / f"{Path(play.file).stem}.play.db"
        for end in ("", "-wal", "-shm", ".key"):
            private.remove(file.with_name(f"{file.name}{end}"))
        yield f"sqlite:///{file.absolute()}", 0.0
    else:
        with tempfile.TemporaryDirectory(prefix="bourse-play-") as folder:
            yield f"sqlite:///{folder}/bourse.db", 0.0
