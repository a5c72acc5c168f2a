"""House rules: R1 to R9, in the host's words. They stand in /rules beside those of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from bot.rules.access import require_host
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry
from bot.rules.feature import Feature
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.text import one_line, quoted
from bot.rules.model.violation import Refused

Number = Literal["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9"]

WORDS_MAX = 300
"""The most characters of a house rule."""


class WriteRule(Command):
    """Write a house rule, or take it away with no words. Needs the host.

    >>> [entry] = WriteRule("R1", "No shouting.").decide(table, caller)
    >>> entry.apply(table).house_rules
    {'R1': 'No shouting.'}
    """

    words = ("text",)
    number: Number
    text: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "write a house rule")
        text = one_line(self.text)
        if self.number not in get_args(Number):
            raise Refused(f"There is no house rule {self.number}.", "Write R1 to R9.")
        if len(text) > WORDS_MAX:
            raise Refused(f"That has {len(text)} characters.", f"Use at most {WORDS_MAX}.")
        if text == table.house_rules.get(self.number, ""):
            raise Refused(f"{self.number} says that already.", "Write other words: /rules write.")
        return [RuleWritten(number=self.number, text=text)]


class RuleWritten(Entry):
    """A house rule was written, or taken away where ``text`` is empty."""

    kind = "table.rule"
    number: str
    text: str

    def sentence(self, ruler: str) -> str:
        if not self.text:
            return f"{ruler.capitalize()} took house rule **{self.number}** away."
        return f"{ruler.capitalize()} wrote house rule **{self.number}**: “{quoted(self.text)}”"

    def apply(self, table: Table) -> Table:
        return with_rule(table, self.number, self.text)


def with_rule(table: Table, number: str, text: str) -> Table:
    """Return the table with this house rule; without it where ``text`` is empty."""
    rules = {**table.house_rules, number: text}
    written = {each: rules[each] for each in sorted(rules) if rules[each]}
    return replace(table, house_rules=written)


_NUMBER = re.compile(r"\bR[1-9]\b", re.IGNORECASE)


def rules_named(rules: Mapping[str, str], *words: str) -> Mapping[str, str]:
    """Return those of the house rules that these words name."""
    numbers = {number.upper() for number in _NUMBER.findall(" ".join(words))}
    return {number: text for number, text in rules.items() if number in numbers}


FEATURE = Feature(commands=(WriteRule,), entries=(RuleWritten,))
