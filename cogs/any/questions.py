"""The rules of a table as questions with answers, and its goods as a list."""

from __future__ import annotations

import tomllib
from typing import Any, NamedTuple

from bot.api import Press, TableView
from bot.api.discord import LABEL_MAX, Button, Card, Form, Menu, Text, names, selects
from bot.games.any.deeds import Alter, Ask, ChooseGood, ChooseRule, Written
from bot.games.any.definition import Definition, Good, definition_of, toml_value


class Question(NamedTuple):
    """A question about a rule. ``answers`` are the values as TOML has them, and in words."""

    path: str
    asks: str
    answers: tuple[tuple[str, str], ...]


YES_NO = (("true", "Yes"), ("false", "No"))
QUESTIONS = (
    Question(
        "trade.who",
        "Who trades with each other?",
        (
            ('"all"', "Everybody"),
            ('"turn"', "With the player on turn"),
            ('"neighbours"', "Neighbours"),
        ),
    ),
    Question(
        "trade.per_partner",
        "How often do two trade in a turn or phase?",
        (("0", "As often as they like"), ("1", "Once"), ("2", "Twice"), ("3", "Three times")),
    ),
    Question("trade.gifts", "May one side give nothing?", YES_NO),
    Question("trade.same", "May the same kind stand on both sides?", YES_NO),
    Question(
        "trade.least",
        "How many goods does a side give at least?",
        (("0", "Any number"), ("2", "Two"), ("3", "Three")),
    ),
    Question("trade.equal", "Must both sides give the same number?", YES_NO),
    Question("trade.one_kind", "Is it one kind of goods on each side?", YES_NO),
    Question(
        "trade.promises",
        "What are promises worth?",
        (
            ('"free"', "Nobody must keep them"),
            ('"bind"', "They bind"),
            ('"none"', "There are none"),
        ),
    ),
    Question(
        "trade.bell",
        "When does a bell end trading?",
        (("0", "Never"), ("5", "After 5 minutes"), ("10", "After 10 minutes")),
    ),
    Question(
        "bank.any",
        "What does the bank take for one of another kind?",
        (('""', "There is none for all kinds"), ("4", "Four"), ("3", "Three"), ("2", "Two")),
    ),
    Question(
        "hand",
        "How many goods can a hand hold?",
        (("0", "Any number"), ("7", "Seven"), ("10", "Ten"), ("20", "Twenty")),
    ),
)


def played(view: TableView) -> Definition | None:
    """Return what a table plays; None before that is chosen."""
    text = text_of(view)
    return definition_of(text) if text else None


def text_of(view: TableView) -> str:
    """Return the text that a table plays; empty before one is chosen."""
    return view.public.text if view.public else ""


def questions_of(found: Definition) -> list[Question]:
    """Return the questions about a definition, that about its phases included."""
    phases = [(toml_value([phase]), f"Only in: {phase}") for phase in found.phases]
    when = Question("trade.when", "When do people trade?", (("[]", "At any time"), *phases))
    return [QUESTIONS[0], when, *QUESTIONS[1:]]


def now(found: Definition, question: Question) -> str:
    """Return the value of a question now, as TOML has it."""
    value: Any = found.model_dump(mode="json")
    for name in question.path.split("."):
        value = value.get(name, "")
    return toml_value(value)


def in_words(question: Question, value: str) -> str:
    """Return an answer in words; one that is not among the usual ones as it is written."""
    return dict(question.answers).get(value, value.strip('"[]').replace('", "', " or "))


def rules_card(view: TableView, found: Definition, news: str = "") -> Card:
    """Return the rules as questions with their answers, below this news; for hosts, also what to
    change.
    """
    lines, options = [], []
    for question in questions_of(found):
        value = now(found, question)
        lines.append(f"{question.asks} **{names.escape(in_words(question, value))}**")
        for other, answer in question.answers:
            if other != value:
                options.append(
                    (f"{question.asks} {answer}"[:LABEL_MAX], f"{question.path}={other}")
                )
    title = f"### {names.escape(found.name)}"
    goods = ", ".join(found.goods)
    blocks = (news, title, "\n".join(lines), f"Goods: {names.escape(goods)}")
    whole = Button("The whole text", Ask(view.id, "show"))
    if not view.hosts:
        return Card("open", blocks, ((whole,),))
    kinds = [(good.name, token) for token, good in found.kinds.items()]
    more = "/any text changes everything"
    rows: list[Any] = [*selects("Change what?", ChooseRule(view.id), options, more)]
    rows += selects("Change which goods?", ChooseGood(view.id), kinds, more)
    write = Button("Write the text", Ask(view.id, "text"))
    rows.append((Button("Add goods", Ask(view.id, "good")), write, whole))
    return Card("open", blocks, tuple(rows))


def answer_card(view: TableView, found: Definition, path: str, value: str) -> Card | None:
    """Ask whether to play with this answer; None for one that is not offered."""
    for question in questions_of(found):
        if question.path == path and value in dict(question.answers):
            before, after = in_words(question, now(found, question)), in_words(question, value)
            alter = Press(view.id, Alter(f"{path} = {value}", view.public.number))
            use = Button(f"Play with: {after}", alter, "primary")
            text = f"### {question.asks}\n{names.escape(before)} → **{names.escape(after)}**"
            return Card("waiting", text, ((use, Button("Back", Ask(view.id, "rules"))),))
    return None


# ---------------------------------------------------------------- goods

SEEN = (("Everybody", "open", ""), ("Only who has them", "hidden", ""))


def good_card(view: TableView, found: Definition, token: str) -> Card:
    """Return what is known of a kind of goods, with what can be changed."""
    good = found.kinds[token]
    special = toml_value(good.model_dump(exclude_defaults=True, mode="json"))
    text = f"### {names.escape(good.name)}\n`{names.escape(special)}`"
    change = Button("Change", Ask(view.id, "good", token), "primary")
    return Card("waiting", text, ((change, Button("Back", Ask(view.id, "rules"))),))


def good_form(view: TableView, found: Definition, token: str) -> Form:
    """Return the form for a kind of goods: a new one, or one to change."""
    good = found.kinds[token] if token else Good()
    fields = (
        Text("name", "Its name", good.name, "For example: wool", max_length=24),
        Text("plural", "Several of it", good.plural, "For example: bales of wool", max_length=24),
        Text("total", "How many there are", str(good.total or ""), "Empty: any number"),
        Menu("seen", "Who sees how many somebody has?", SEEN),
    )
    return Form("Goods", Written(view.id, "good", token), fields)


def good_lines(found: Definition, token: str, said: dict[str, str]) -> dict[str, Any]:
    """Return the goods of a definition with one that was written in the form."""
    goods = tomllib.loads(found.text())["goods"]
    old = found.kinds[token].name if token else ""
    good = dict(goods.get(old, {}))
    good["plural"], good["total"] = said.get("plural", ""), said.get("total") or 0
    if said.get("seen"):
        good["hidden"] = said["seen"] == "hidden"
    name = said.get("name") or old
    changed = {name if each == old else each: value for each, value in goods.items()}
    return changed | {name: good}
