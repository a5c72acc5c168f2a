"""/any: what is played, as a text; phases, the bank and events. The board's buttons do the same."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated

import discord
from discord import app_commands
from discord.ext import commands

from bot.api import Command, Goods, Outdated, Refused, TableView
from bot.api.discord import (
    Card,
    Choices,
    Form,
    Menu,
    Outcome,
    Request,
    Router,
    Text,
    headlines_text,
    in_dms_too,
    read_goods,
    slash,
    spent_goods,
    text_card,
    words,
)
from bot.games.any import deeds
from bot.games.any.definition import TEXT_MAX, Definition, toml_value
from bot.games.any.goods import Language
from cogs.any.questions import (
    answer_card,
    good_card,
    good_form,
    good_lines,
    played,
    rules_card,
    text_of,
)
from data.any import presets

WRITTEN_MAX = 4000
"""The most characters of a text in a form, whose field has the id ``text``."""

SHOWN_MAX = 3500
"""The most characters of a text that stand in a message; a longer one is a file."""


def _names_of_events(view: TableView, typed: str) -> Choices:
    found = played(view)
    return words(list(found.events) if found else [], typed)


def _from_bank(view: TableView, typed: str) -> Choices:
    found = played(view)
    if not found:
        return []
    language = Language(found)
    return words([language.called(token, 1) for token in deeds.bank_gives(found)], typed)


def _phases(view: TableView, typed: str) -> Choices:
    found = played(view)
    return words(found.phases if found else [], typed)


def _presets(view: TableView, typed: str) -> Choices:
    return words(list(presets()), typed)


async def play(request: Request, command: Command) -> None:
    """Play another game, and say which, once: the table is called like it."""
    await request.respond(command, lambda outcome: headlines_text(outcome.entries))


@in_dms_too
class OwnGame(
    commands.GroupCog, group_name="any", group_description="A game of your own, by a short text"
):
    """The /any commands, and what the board's buttons open."""

    def __init__(self, router: Router) -> None:
        router.on(deeds.Play, play)
        router.on(deeds.Alter, self.changed)
        router.on(deeds.ChooseRule, self.rule_chosen)
        router.on(deeds.ChooseGood, self.good_chosen)
        router.on(deeds.Ask, self.asked)
        router.on(deeds.Written, self.written)

    async def asked(self, request: Request, press: deeds.Ask) -> None:
        """Show or open what was asked for."""
        match press.what:
            case "rules":
                await self.rules(request)
            case "show":
                await self.show_text(request)
            case "text":
                await self.text_asked(request)
            case "last":
                await self.last_played(request)
            case "good":
                await self.good_asked(request, press.good)
            case "bank":
                await self.bank_asked(request)

    async def written(self, request: Request, form: deeds.Written) -> None:
        """Do what was written in a form."""
        match form.what:
            case "text":
                await play(request, deeds.Define(request.text_submitted("text")))
            case "good":
                await self.good_written(request, form.good)
            case "bank":
                await self.bank_chosen(request)

    # ------------------------------------------------------------ the text

    @slash("use", "Play one of the games that are ready", play)
    def use(
        self, preset: Annotated[app_commands.Range[str, 1, 40], "Which one", _presets]
    ) -> Command:
        return deeds.Play(preset)

    @slash("text", "Play the game of a text file")
    async def text(
        self, request: Request, file: Annotated[discord.Attachment, "A text in TOML, up to 8 kB"]
    ) -> None:
        if file.size > TEXT_MAX:
            raise Refused(f"That file has {file.size} bytes.", f"Use at most {TEXT_MAX}.")
        await request.answer.defer()
        try:
            text = (await file.read()).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Refused("That file is no plain text.", "Save it as UTF-8.") from None
        await play(request, deeds.Define(text))

    async def last_played(self, request: Request) -> None:
        """Play what the last table played that the person hosted on this server."""
        view = await request.view()
        text = await request.service.last_variant(view.id, request.requester)
        if not text:
            reason = "You have hosted no game of your own on this server."
            raise Refused(reason, "Choose one, or press **Write a text**.")
        await play(request, deeds.Define(text))

    async def text_asked(self, request: Request) -> None:
        """Open the form with the whole text. Raises `Refused` for one that is too long for it."""
        request.accepts_cached = True
        view = await request.view()
        text, most = text_of(view), WRITTEN_MAX
        if len(text) > most:
            reason = f"The text has {len(text)} characters, and a form takes {most}."
            raise Refused(reason, "Send it as a file: /any text.")
        hint = 'name = "Harbour night"'
        field = Text("text", "The whole text", text, hint, max_length=most, long=True)
        await request.answer.open(Form("What is played", deeds.Written(view.id, "text"), (field,)))

    @slash("change", "Change a line of what is played")
    def change(
        self,
        line: Annotated[str, "As the text has it, for example: trade.gifts = false"],
    ) -> Command:
        return deeds.Alter(line)

    @slash("show", "The whole text of what is played")
    async def show(self, request: Request) -> None:
        await self.show_text(request)

    async def show_text(self, request: Request) -> None:
        """Show the text that is played, as a file where it is long."""
        text = text_of(await request.view())
        if not text:
            raise Refused("No game is chosen yet.", "The host does that: /any use.", rule="H0")
        if len(text) <= SHOWN_MAX:
            await request.reply(text_card(f"```toml\n{text}\n```"))
            return
        await request.answer.defer()
        file = discord.File(BytesIO(text.encode()), "game.toml")
        await request.interaction.followup.send("What is played.", file=file, ephemeral=True)

    # ------------------------------------------------------------ playing

    @slash("begin", "Begin the game: everybody gets what they begin with")
    def begin(self) -> Command:
        return deeds.Begin()

    @slash("next", "Go on to the next phase or turn, or to this phase")
    def next(
        self, phase: Annotated[app_commands.Range[str, 1, 30], "Which phase", _phases] = ""
    ) -> Command:
        return deeds.Next(phase)

    @slash("event", "Let something happen that gives goods to players")
    def event(
        self, name: Annotated[app_commands.Range[str, 1, 30], "Which", _names_of_events]
    ) -> Command:
        return deeds.Happen(name)

    @slash("bank", "Trade with the bank")
    async def bank(
        self,
        request: Request,
        give: Annotated[str, "What you give, for example: 4 wool", spent_goods],
        get: Annotated[str, "What you get, for example: 1 ore", _from_bank],
    ) -> None:
        view = await request.view()
        gives, gets = read_goods(view, give, view.seat), read_goods(view, get, None)
        await request.respond(deeds.Bank(gives, gets))

    async def bank_asked(self, request: Request) -> None:
        """Open the form with what the bank takes and gives."""
        request.accepts_cached = True
        view = await request.view()
        found = _needed(view)
        language, takes, gives = Language(found), [], []
        for token in deeds.bank_gives(found):
            gives.append((language.called(token, 1), token, ""))
            if rate := deeds.rate_of(found, token):
                takes.append((language.called(token, rate), token, ""))
        fields = (
            Menu("give", "You give", tuple(takes)),
            Menu("get", "You get", tuple(gives)),
        )
        await request.answer.open(Form("The bank", deeds.Written(view.id, "bank"), fields))

    async def bank_chosen(self, request: Request) -> None:
        """Trade with the bank by what was chosen."""
        view = await request.view()
        found, chosen = _needed(view), request.submitted()
        gives, gets = chosen.get("give", [""])[0], chosen.get("get", [""])[0]
        if not gives or not gets:
            raise Refused(
                "Choose what you give and what you get.", "Press **The bank** again.", rule="H9"
            )
        if not found.kinds.keys() >= {gives, gets}:
            raise Outdated
        rate = deeds.rate_of(found, gives)
        if not rate:
            raise Refused("The bank doesn't take that.", deeds.bank_text(found), rule="H9")
        await request.respond(deeds.Bank(Goods({gives: rate}), Goods({gets: 1})))

    # ------------------------------------------------------------ the rules

    async def rules(self, request: Request) -> None:
        view = await request.view()
        await request.answer.update(rules_card(view, _needed(view)))

    async def rule_chosen(self, request: Request, select: deeds.ChooseRule) -> None:
        """Show what would change, with the button that changes it."""
        path, _, value = request.chosen()[0].partition("=")
        view = await request.view()
        card = answer_card(view, _needed(view), path, value)
        if card is None:
            raise Outdated
        await request.answer.update(card)

    async def good_chosen(self, request: Request, select: deeds.ChooseGood) -> None:
        view, token = await request.view(), request.chosen()[0]
        await request.answer.update(good_card(view, _known(view, token), token))

    async def good_asked(self, request: Request, good: str) -> None:
        """Open the form for a kind of goods."""
        request.accepts_cached = True
        view = await request.view()
        await request.answer.open(good_form(view, _known(view, good), good))

    async def good_written(self, request: Request, good: str) -> None:
        view = await request.view()
        said = {name: texts[0].strip() for name, texts in request.submitted().items()}
        goods = good_lines(_known(view, good), good, said)
        await self.changed(request, deeds.SetGoods(toml_value(goods)))

    async def changed(self, request: Request, command: Command) -> None:
        """Change the rules, and show them again, to go on."""

        def rules(outcome: Outcome) -> Card:
            view = outcome.view
            return rules_card(view, _needed(view), headlines_text(outcome.public))

        await request.respond(command, rules)


def _needed(view: TableView) -> Definition:
    """Return what a table plays. Raises `Refused` before that is chosen."""
    found = played(view)
    if found is None:
        raise Refused("No game is chosen yet.", "The host does that: /any use.", rule="H0")
    return found


def _known(view: TableView, token: str) -> Definition:
    """Return what a table plays, if it has this kind of goods. Raises `Outdated`."""
    found = _needed(view)
    if token and token not in found.kinds:
        raise Outdated
    return found
