"""The browser for tests of the page and for pictures."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from tests.skips import broken

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Chromium without a window comes first: the same pages take a quarter less of the processor in
it.
"""


def chromium() -> str | None:
    """Return where Chromium is, or ``None`` if this machine has none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def starting() -> Iterator[None]:
    """Skip the test if Chromium does not start in this block, or fail it in `.ci/run`."""
    from playwright.sync_api import Error  # optional

    try:
        yield
    except Error as error:
        broken(f"Chromium does not start: {error.message.partition(chr(10))[0]}")
