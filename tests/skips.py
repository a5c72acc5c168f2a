"""Reports skipped tests in the last line of a run, with the reasons.

What is installed and does not start skips the tests that need it, and fails them where
`WHOLE_MACHINE_FOR_TESTS` is set, as in `.ci/run`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from typing import NoReturn

import pytest


def broken(reason: str) -> NoReturn:
    """Skip a test because something of this machine is there but does not start, or fail it in
    `.ci/run`.
    """
    if os.environ.get("WHOLE_MACHINE_FOR_TESTS"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """Write the line after pytest's own last line. Workers of xdist have no terminal; their
    controller writes it.
    """
    yield
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and (skipped := terminal.stats.get("skipped")):
        terminal.write_line(
            line([report.longrepr[-1].removeprefix("Skipped: ") for report in skipped])
        )


def line(reasons: list[str]) -> str:
    """Return the line for tests that were skipped for these reasons."""
    tests = "1 test was" if len(reasons) == 1 else f"{len(reasons)} tests were"
    counted = Counter(reason.rstrip(".") for reason in reasons).most_common()
    why = [reason if len(counted) == 1 else f"{reason} ({number})" for reason, number in counted]
    return f"{tests} skipped: {'; '.join(why)}."
