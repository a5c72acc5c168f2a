"""Converters for command-line arguments. They raise ``argparse.ArgumentTypeError``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path


def viewer(text: str) -> int | None:
    """Convert ``public`` to None, and a Discord id to an int."""
    return None if text == "public" else user_id(text, "is neither public nor")


def user_id(text: str, is_not: str = "is not") -> int:
    """Convert a Discord id to an int."""
    if not re.fullmatch(r"\d{1,20}", text) or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} {is_not} a Discord id such as 81384788765712384")
    return int(text)


def file(text: str) -> Path:
    """Convert the name of a file. A folder is refused, and a name that ends as a folder's does."""
    if text.endswith("/") or Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text} is a folder: name a file in it, such as {Path(text) / 'friday.db'}")
    return Path(text)
