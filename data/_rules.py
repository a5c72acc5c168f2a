"""The rules of each game in our own words, by the number that a refusal cites."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field

from data._read import read


class Rule(BaseModel):
    """One rule, told in our own words.

    ``number`` is how it is cited in square brackets: ``94 note 3.1``, ``D2``, ``Hubris``. ``also`` are other ways to
    ask for it. ``refusable``: a player can try to break it, and is then refused; otherwise it grants something, or
    the bot sees to it. ``source`` is where it stands; ``doubt`` is where the sources leave a question, and how it is
    played here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: str = Field(min_length=1)
    title: str = Field(min_length=1, max_length=80)
    text: str = Field(min_length=1, max_length=600)
    refusable: bool
    source: str = Field(min_length=1)
    doubt: str = Field(default="", max_length=400)
    also: tuple[str, ...] = ()


@cache
def rules(game: str) -> Mapping[str, Rule]:
    """Every rule of a game by its number, in the order of the file.

    Raises FileNotFoundError when the game has no rules, pydantic's ValidationError when one is misshapen.
    """
    return MappingProxyType({number: Rule(number=number, **row) for number, row in read(game, "rules").items()})


def find_rule(game: str, text: str) -> Rule | None:
    """The rule somebody means by its number, title or another name, or None. Case and brackets do not matter."""
    number = _index(game).get(_asked(text))
    return None if number is None else rules(game)[number]


def nearest_rule(game: str, text: str) -> Rule | None:
    """The rule that is closest to what was typed: one that has it in its title, or is spelt like it; or None."""
    asked = _asked(text)
    titled = next((rule for rule in rules(game).values() if asked and asked in rule.title.casefold()), None)
    if titled is not None:
        return titled
    close = get_close_matches(asked, _index(game), n=1, cutoff=0.6)
    return rules(game)[_index(game)[close[0]]] if close else None


@cache
def _index(game: str) -> Mapping[str, str]:
    """From every way to ask for a rule to its number; numbers come before other names, and those before titles."""
    found: dict[str, str] = {}
    every = rules(game).values()
    for names in (
        ((rule.number,) for rule in every),
        (rule.also for rule in every),
        ((rule.title,) for rule in every),
    ):
        for rule, texts in zip(every, names, strict=True):
            for text in texts:
                found.setdefault(_asked(text), rule.number)
    return found


def _asked(text: str) -> str:
    return " ".join(text.replace("[", " ").replace("]", " ").casefold().split())
