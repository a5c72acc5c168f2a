"""How long a message waits before it is tried again."""

from __future__ import annotations

FIRST_PAUSE, LONGEST_PAUSE, LATE_PAUSE = 0.5, 8.0, 60.0
"""Seconds before a second attempt; they double up to the longest. Discord is often down for a minute and seldom for an
hour, so after `PATIENT` attempts the pauses become long ones.
"""

PATIENT = 40

SOON, SOON_AT_MOST, SOON_FOR, NOT_AT_ALL = 2.0, 8.0, 6, 600.0
"""Seconds until a message is tried again that Discord refuses, so that it may never succeed: they double up to the
second figure, after so many attempts up to the last one.
"""


def after_outage(attempts: int) -> float:
    """Return the pause in seconds after so many attempts that met a server error, or nothing at all."""
    return min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE) if attempts < PATIENT else LATE_PAUSE


def after_refusal(attempts: int) -> float:
    """Return the pause in seconds after so many attempts that Discord refused."""
    if attempts <= SOON_FOR:
        return min(SOON * 2.0 ** (attempts - 1), SOON_AT_MOST)
    return min(SOON_AT_MOST * 2.0 ** (attempts - SOON_FOR), NOT_AT_ALL)
