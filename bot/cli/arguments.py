"""Converters for command-line arguments. They raise ``argparse.ArgumentTypeError``."""

from __future__ import annotations

import argparse
import re


def viewer(text: str) -> int | None:
    """Convert ``public`` to None, and a Discord id to an int."""
    if text == "public":
        return None
    if not re.fullmatch(r"\d{1,20}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is neither public nor a Discord id such as 81384788765712384")
    return int(text)
