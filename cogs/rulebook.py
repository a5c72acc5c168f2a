"""/rules, and **Rules** in the board's menu: what a rule says, and the status of this table under
it.
"""

from __future__ import annotations

from typing import Annotated

from discord import app_commands
from discord.ext import commands

from bot.rules.commands import Command
from bot.rules.features.house_rules import WORDS_MAX, Number, WriteRule
from bot.rules.views import DealView, TableView
from bot.show.actions import RuleForm
from bot.show.forms import Form, Text
from bot.show.guide import find_rule, gone_rule, house_rule_meant, rule_card, titles
from cogs.completion import Choices, choices
from cogs.request import Request
from cogs.router import Router
from cogs.slash import in_dms_too, slash

WHICH = "Its number, as refusals show it, or what it is about"


def _numbers(view: TableView, typed: str) -> Choices:
    return choices(titles(view), typed)


@in_dms_too
class Rulebook(
    commands.GroupCog, group_name="rules", group_description="The rules by their numbers"
):
    """The /rules command and its form."""

    def __init__(self, router: Router) -> None:
        router.on(RuleForm, rule_asked)

    @slash("show", "A rule in our own words, and how it applies at this table now")
    async def show(
        self, request: Request, number: Annotated[app_commands.Range[str, 1, 80], WHICH, _numbers]
    ) -> None:
        await show_rule(request, number)

    @slash("write", "Write a house rule, R1 to R9, or take it away with no words")
    def write(
        self,
        number: Annotated[Number, "Which one"],
        words: Annotated[app_commands.Range[str, 0, WORDS_MAX], "What it says"] = "",
    ) -> Command:
        return WriteRule(number, words)


async def ask_rule(request: Request) -> None:
    """Open the form that asks which rule. Raises `Refused` for a person who may not see the
    table.
    """
    request.accepts_cached = True
    view = await request.view()
    field = Text("number", "Which rule?", max_length=80, description=WHICH)
    await request.answer.open(Form("Rules", RuleForm(view.id), (field,)))


async def rule_asked(request: Request, form: RuleForm) -> None:
    """Show the rule of a submitted form."""
    await show_rule(request, request.text_submitted("number"))


async def show_rule(request: Request, number: str) -> None:
    """Show a rule, by its number or what it is about. Raises `Refused` if there is none."""
    view, deals = await request.view(), list[DealView]()
    house_rule = house_rule_meant(number)
    if house_rule:
        known = await request.service.deals(view.id, request.requester)
        deals = [deal for deal in known if house_rule in deal.rules]
    gone = bool(deals) and house_rule not in view.house_rules
    rule = gone_rule(house_rule) if gone else find_rule(view, number)
    status = await request.service.rule_status(view.id, request.requester, rule.number)
    await request.reply(rule_card(view, rule, status, deals))
