"""The browser of this machine in which the page is tested and its pictures are taken."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Chromium without a window comes first: the same pages take a quarter less of the processor in it."""


def chromium() -> str | None:
    """Return where Chromium is, or ``None`` if this machine has none."""
    return next(filter(None, map(shutil.which, NAMES)), None)
