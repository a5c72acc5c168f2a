"""What the shorthands of all games share: counts as people write them, and mistakes quoted back."""

from __future__ import annotations

import re

from bot.rules.model.goods import COUNT_MAX
from bot.rules.model.violation import Refused

NUMBER = r"[-+]?\d[\d.,]*(?:e\d+)?"
"""What looks like a number, as a regular expression: `read_count` refuses what is not one that goods can have."""


def read_count(number: str | None, part: str) -> int:
    """Return the count that is written before goods, 1 for None. Raises `Refused`, naming the quoted ``part``."""
    if number is None:
        return 1
    # The length comes first: Python refuses to convert thousands of digits.
    if len(number) > len(str(COUNT_MAX)) or not re.fullmatch(r"\d+", number) or not 1 <= int(number) <= COUNT_MAX:
        raise Refused("", f"“{part}” is no amount I can move.", f"Write a whole number from 1 to {COUNT_MAX}.")
    return int(number)
