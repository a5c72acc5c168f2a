"""The rulebook: a rule in our own words, and where a table stands towards it."""

from __future__ import annotations

from bot.desk import Look
from bot.rules.ruling import Refused
from bot.show import names
from bot.show.cards import Card
from data import Rule, find_rule, nearest_rule, rules


def rule_card(look: Look, text: str) -> Card:
    """The rule that somebody asks for, its doubt, and where this table stands. Raises `Refused` for none such."""
    rule = _rule(look, text)
    blocks = [f"### [{rule.number}] {rule.title}", rule.text]
    if rule.doubt:
        blocks.append(f"**In doubt:** {rule.doubt}")
    if stands := names.game_of(look).standing(look.table, rule.number):
        blocks.append(f"**At this table:** {names.tell(look, stands)}")
    blocks.append(f"-# {rule.source}, in our own words")
    return Card("open", tuple(blocks))


def titles(look: Look) -> list[tuple[str, str]]:
    """Every rule of this table's game as people pick it, with its number."""
    return [(f"{rule.number} · {rule.title}", rule.number) for rule in rules(look.table.game).values()]


def _rule(look: Look, text: str) -> Rule:
    game = look.table.game
    if (rule := find_rule(game, text)) is not None:
        return rule
    near = nearest_rule(game, text)
    remedy = f"Did you mean {near.number}: {near.title}?" if near else "Pick one from the list as you type."
    raise Refused("", f"I know no rule “{names.escape(text)}”.", remedy)
