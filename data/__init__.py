"""What is printed on the cards and in the rulebooks: TOML, read once, validated by pydantic.

This module has what every game has: rules by number, and words for what they keep out of a trade. What only one game
has is in the package of its name, beside its TOML. Nothing in this package knows of a table.
"""

from data._not_traded import NotTraded, not_traded
from data._read import read
from data._rules import Rule, other_numbers, rules

__all__ = ["NotTraded", "Rule", "not_traded", "other_numbers", "read", "rules"]
