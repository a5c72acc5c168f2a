"""/agenda: the agenda being resolved. In the action phase the host is asked which kind of agenda it
is.
"""

from __future__ import annotations

from typing import Annotated, Literal

from discord import app_commands
from discord.ext import commands

from bot.api import Command, LabelledAction, Press, Since, TableView, require_since
from bot.api.discord import Button, Card, Choices, Request, Router, encode, slash, words
from bot.games.ti4.agendas import AskAboutAgenda, ResolveAgenda, RevealAgenda
from bot.games.ti4.boxes import titles_of
from bot.games.ti4.state import gone_on

Title = app_commands.Range[str, 1, 80]

DURING: dict[str, Literal["agenda", "turn"]] = {"agenda phase": "agenda", "this turn": "turn"}
"""The values of the option ``during``, and their meanings."""


def _titles(view: TableView, typed: str) -> Choices:
    return words(titles_of(view.settings), typed)


@app_commands.guild_only()
class Agendas(
    commands.GroupCog, group_name="agenda", group_description="The agenda that is being resolved"
):
    """The /agenda commands."""

    def __init__(self, router: Router) -> None:
        router.on(AskAboutAgenda, self.asked)

    @slash("reveal", "Reveal an agenda. Each pair can trade once")
    async def reveal(
        self,
        request: Request,
        title: Annotated[Title | None, "What it is called", _titles] = None,
        during: Annotated[
            Literal["agenda phase", "this turn"] | None,
            "In the action phase: the agenda phase begins, or you vote within this turn "
            "(Executive Order)",
        ] = None,
    ) -> None:
        """Reveal an agenda. During a turn, first ask the host which kind it is."""
        view = await request.view()
        if during is None and view.hosts and view.window.kind == "turn":
            await request.reply(which_card(view, title or "", _asks(view).since))
        else:
            await request.respond(
                RevealAgenda(title or "", during=DURING[during or "agenda phase"])
            )

    async def asked(self, request: Request, press: AskAboutAgenda) -> None:
        """Handle **Agenda** on the board: ask what happens to the agenda, or which kind of agenda
        begins.
        """
        view = await request.view()
        now = _asks(view)
        since = now.since or 0
        require_since(press.since, since, gone_on(view), LabelledAction("Agenda", now))
        if view.window.kind == "turn" and not now.voted_on:
            card = which_card(view, "", since)
        elif view.window.kind != "agenda" and not now.voted_on:
            reveal = Button("Reveal", Press(view.id, RevealAgenda(since=since)), "primary")
            card = Card(
                "waiting",
                "Has an agenda been revealed? Then each pair can trade once.",
                ((reveal,),),
            )
        else:
            resolve = Button("Resolve", Press(view.id, ResolveAgenda(since)), "primary")
            again = RevealAgenda(replaces=True, since=since)
            replace = Button("Replace", Press(view.id, again))
            text = "Has the agenda been resolved, or replaced by another?"
            card = Card("waiting", text, ((resolve, replace),))
        await request.reply(card)

    @slash("replace", "Replace the agenda. Each pair can trade again")
    def replace(
        self, title: Annotated[Title | None, "What the new one is called", _titles] = None
    ) -> Command:
        return RevealAgenda(title or "", replaces=True)

    resolve = slash("resolve", "The agenda is resolved")(ResolveAgenda)


def _asks(view: TableView) -> AskAboutAgenda:
    """Return what the board's menu asks about the agenda now."""
    for item in view.board.menu:
        if isinstance(item.action, AskAboutAgenda):
            return item.action
    return AskAboutAgenda(view.id, False, view.window.since)


def which_card(view: TableView, title: str, since: Since) -> Card:
    """Ask which kind of agenda is revealed during a turn. The rules check later whether the presser
    may answer.
    """
    text = (
        "This is the action phase. Does the **agenda phase** begin, or do you vote **within this "
        "turn**, as with "
        "Executive Order? Only in the agenda phase does an agenda allow extra transactions [94.6]."
    )
    whole = Button("Agenda phase", Press(view.id, RevealAgenda(title, since=since)), "primary")
    within = RevealAgenda(title, during="turn", since=since)
    vote = Button("Votes within this turn", Press(view.id, within))
    try:
        encode(whole.action)
    except ValueError:  # the title is too long for a button
        return Card("waiting", f"{text}\nSay which with **during:**.")
    return Card("waiting", text, ((whole, vote),))
