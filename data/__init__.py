"""What is printed on cards and in rulebooks: TOML, read once, validated by pydantic.

This module has what every game has: rules by number, and words for what its rules keep out of a
trade. The package of each game has the rest, beside its TOML. Nothing in here knows of a table.
"""

from data._not_traded import NotTraded, not_traded
from data._read import read
from data._rules import Rule, other_numbers, rules
from data._words import words

__all__ = ["NotTraded", "Rule", "not_traded", "other_numbers", "read", "rules", "words"]
