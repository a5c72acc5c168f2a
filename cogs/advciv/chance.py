"""Randomness for what chance decides at a table that committed to no seed."""

from __future__ import annotations

import secrets

CHANCE_BYTES = 32
"""Bytes of randomness for a shuffle: nobody can guess 256 bits."""


def new_chance() -> str:
    """Return new randomness, in hex."""
    return secrets.token_hex(CHANCE_BYTES)
