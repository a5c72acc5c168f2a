"""The rules of each game in our own words, by the number that refusals cite."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field

from data._read import read


class Rule(BaseModel):
    """One rule in our own words.

    ``number`` is how refusals cite it in square brackets: ``94 note 3.1``, ``D2``, ``Hubris``.
    ``also`` are other names for it. ``same_as`` are other numbers in this game with the same
    content, or whose content includes it. ``refusable``: a player can try to break it and is
    refused; any other rule grants something, or the bot applies it by itself. ``card``: it only
    tells what a card does. ``source`` is where it is printed. ``doubt`` is a question that the
    sources leave open, and how it is played here.

    >>> text = "Give what you have."
    >>> Rule(number="1", title="Have it", text=text, refusable=True, source="The bazaar").number
    '1'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: str = Field(min_length=1)
    title: str = Field(min_length=1, max_length=80)
    text: str = Field(min_length=1, max_length=600)
    refusable: bool
    source: str = Field(min_length=1)
    doubt: str = Field(default="", max_length=400)
    also: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    card: bool = False


@cache
def rules(game: str) -> Mapping[str, Rule]:
    """Return every rule of a game by its number, in the order of the file.

    Raises FileNotFoundError when the game has no rules, ValueError (pydantic's included) when a
    rule is malformed.
    """
    found = {}
    other_numbers: set[str] = set()
    for number, row in read(game, "rules").items():
        found[number] = Rule(number=number, **row)
        other_numbers.update(found[number].same_as)
    if unknown := other_numbers - found.keys():
        raise ValueError(f"{unknown} are no numbers that a rule could be the same as")
    return MappingProxyType(found)


def other_numbers(rules: Mapping[str, Rule], number: str) -> tuple[str, ...]:
    """Return the other numbers of the same rule, whichever of the two names the other in
    ``same_as``.
    """
    mine = rules[number].same_as if number in rules else ()
    others = [other.number for other in rules.values() if number in other.same_as]
    return tuple(dict.fromkeys([*mine, *others]))
