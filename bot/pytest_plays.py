"""A pytest plugin: each ``.play`` file is a test, which fails as `bourse play` does.

pytest loads it wherever Bourse is installed, so it imports nothing that may be missing, or takes
long, before a play is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


class PlayFailed(Exception):
    """A play did not go as expected. The text says where."""


class PlayItem(pytest.Item):
    """A play as a test."""

    def runtest(self) -> None:
        """Run the play. Raises `PlayFailed`."""
        from bot.rehearsal.grammar import read_file
        from bot.rehearsal.plays import run_play
        from bot.rehearsal.script import PlayError

        try:
            report = run_play(read_file(self.path))
        except PlayError as error:
            raise PlayFailed(str(error)) from error
        if report.skipped is not None:
            pytest.skip(report.skipped)
        if not report.ok:
            raise PlayFailed(str(report))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """Return what went otherwise, without a traceback."""
        return (
            str(excinfo.value)
            if isinstance(excinfo.value, PlayFailed)
            else str(super().repr_failure(excinfo))
        )

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the play is."""
        return self.path, 0, self.name


class PlayFile(pytest.File):
    """A file with a play."""

    def collect(self) -> Iterator[PlayItem]:
        """Yield the play."""
        yield PlayItem.from_parent(self, name=self.path.stem)


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> PlayFile | None:
    """Collect files whose names end in ``.play``."""
    return PlayFile.from_parent(parent, path=file_path) if file_path.suffix == ".play" else None
