"""The rulebook: a rule in our own words, with the table's status under it."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from bot.rules.model.markup import quoted
from bot.rules.model.violation import Refused
from bot.rules.views import TableView
from bot.show.cards import Card
from bot.show.names import Named, format_text, game_of
from data import Rule, other_numbers


def rule_card(view: TableView, rule: Rule, status: str) -> Card:
    """Return a rule, its doubtful points, and the table's status."""
    blocks = [f"### [{rule.number}] {rule.title}", rule.text]
    if others := other_numbers(game_of(view).info.rulebook(), rule.number):
        blocks.append(f"-# Also told as {', '.join(f'[{number}]' for number in others)}")
    if rule.doubt:
        blocks.append(f"**In doubt:** {rule.doubt}")
    if status:
        blocks.append(f"**At this table:** {format_text(view, status)}")
    blocks.append(f"-# {rule.source}, in our own words")
    return Card("open", tuple(blocks))


def titles(named: Named) -> list[tuple[str, str]]:
    """Return a label and the number of every rule of the table's game, for autocomplete."""
    return [(f"{rule.number} · {rule.title}", rule.number) for rule in game_of(named).info.rulebook().values()]


def find_rule(named: Named, text: str) -> Rule:
    """Return the rule with this number, title or other name. Raises `Refused`, which suggests the nearest rule."""
    rules = game_of(named).info.rulebook()
    index = _index(rules)
    if (number := index.get(_folded(text))) is not None:
        return rules[number]
    near = _nearest(rules, index, _folded(text))
    remedy = f"Did you mean {near.number}: {near.title}?" if near else "Pick one from the list as you type."
    raise Refused("", f"I know no rule “{quoted(text)}”.", remedy)


def _nearest(rules: Mapping[str, Rule], index: Mapping[str, str], text: str) -> Rule | None:
    """Return the first rule with this text in its title, else the rule with the most similar spelling."""
    titled = next((rule for rule in rules.values() if text and text in rule.title.casefold()), None)
    if titled is not None:
        return titled
    close = get_close_matches(text, index, n=1, cutoff=0.6)
    return rules[index[close[0]]] if close else None


def _index(rules: Mapping[str, Rule]) -> Mapping[str, str]:
    """Return the rule number for each way to write it. Numbers win over other names, and those over titles."""
    found: dict[str, str] = {}
    for names in (lambda rule: (rule.number,), lambda rule: rule.also, lambda rule: (rule.title,)):
        for rule in rules.values():
            for text in names(rule):
                found.setdefault(_folded(text), rule.number)
    return found


def _folded(text: str) -> str:
    return " ".join(text.replace("[", " ").replace("]", " ").casefold().split())
