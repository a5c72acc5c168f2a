"""Converters for arguments of the command line, which raise ``argparse.ArgumentTypeError``."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.service.checking import PostedHead


def posted_head(text: str) -> PostedHead:
    """Convert ``TABLE:HASH``, or a line with a head that was copied from the channel."""
    from bot.service.checking import read_head  # it loads the database's library, which few commands need

    head = read_head(text)
    if head is None:
        raise argparse.ArgumentTypeError(f"{text!r} holds no head such as TABLE:HASH, the hash being 64 of 0-9 and a-f")
    return head


def viewer(text: str) -> int | None:
    """Convert ``public`` to None, and a Discord id to a number."""
    if text == "public":
        return None
    if not re.fullmatch(r"\d{1,20}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is neither public nor a Discord id such as 81384788765712384")
    return int(text)


def names(text: str) -> list[str]:
    """Convert ``NAME`` or ``NAME,NAME``."""
    return [name.strip() for name in text.split(",") if name.strip()]
