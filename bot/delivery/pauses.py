"""The pauses before a message is tried again."""

from __future__ import annotations

FIRST_PAUSE, LONGEST_PAUSE, LATE_PAUSE = 0.5, 8.0, 60.0
"""Seconds before the second attempt, the most that they double up to, and the pause after `PATIENT` attempts. Discord
is often down for a minute and seldom for an hour.
"""

PATIENT = 40

SOON, SOON_AT_MOST, SOON_FOR, NOT_AT_ALL = 2.0, 8.0, 6, 600.0
"""For a message that Discord refuses, which may never succeed: seconds before the second attempt, the most that they
double up to, the number of attempts after which they double further, and the most then.
"""


def after_outage(attempts: int) -> float:
    """Return the pause in seconds after this many attempts that met a server error or got no answer."""
    return min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE) if attempts < PATIENT else LATE_PAUSE


def after_refusal(attempts: int) -> float:
    """Return the pause in seconds after this many attempts that Discord refused."""
    if attempts <= SOON_FOR:
        return min(SOON * 2.0 ** (attempts - 1), SOON_AT_MOST)
    return min(SOON_AT_MOST * 2.0 ** (attempts - SOON_FOR), NOT_AT_ALL)
