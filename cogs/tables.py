"""/table: opens a table, takes and frees seats, and holds the host's commands. /phase: sets the
phase of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from discord import User, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.rules.commands import Command
from bot.rules.features.next_time import Come
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import (
    BeginClosing,
    ChangeSettings,
    PauseTable,
    ReopenTable,
    ResumeTable,
    SetHost,
    SetPhase,
)
from bot.rules.game import Departures, Preview
from bot.rules.model.violation import Refused
from bot.rules.registry import games
from bot.rules.views import TableView
from bot.show import names
from bot.show.actions import WithoutChannel
from bot.show.board import closing_question
from bot.show.cards import Card, button_of
from bot.show.choices import CHOICES
from bot.show.guide import HOW_TO_MOVE, bring_card
from bot.show.names import game_of
from bot.show.narration import settings_text
from bot.show.setup import earlier_seats, offered_seats
from cogs import next_time
from cogs.arrival import bring, offered_to_bring, open_table
from cogs.boards import close, say, show_table
from cogs.completion import Choices, choices, people, seat_choices
from cogs.inputs import require_member, seat_of, seats_written
from cogs.request import Request
from cogs.router import Router, carry_out
from cogs.settings import with_every_option
from cogs.setup import take_seat
from cogs.slash import Seat, slash
from cogs.zones import zone_key, zones

GAMES = [Choice(name=game.info.name, value=game.info.id) for game in games().values()]


def _orders(view: TableView, typed: str) -> Choices:
    if game_of(view).order is None:
        return []
    return people(view, typed, view.seated(), everybody=True)


def _empty(view: TableView, typed: str) -> Choices:
    empty = [seat for seat in view.seats.values() if seat.person is None and not seat.barred]
    if game_of(view).departures is None:
        return []
    return seat_choices(view, ((seat.name, seat.id) for seat in empty), typed)


def _changeable(view: TableView, typed: str) -> Choices:
    departures = game_of(view).departures
    found = departures.changeable(view) if departures is not None else ()
    return seat_choices(view, ((seat.name, seat.id) for seat in found), typed)


async def _zones(request: Request, typed: str) -> Choices:
    part = typed.strip().casefold().replace(" ", "_")
    begun = zone_key(typed)
    found = [zone for zone in sorted({*zones().values()}) if part in zone.casefold()]
    found += [zone for name, zone in sorted(zones().items()) if name.startswith(begun)]
    found = list(dict.fromkeys(found))
    return [Choice(name=zone, value=zone) for zone in found[:CHOICES]]


async def _seats(request: Request, typed: str) -> Choices:
    view = await request.view()
    gone = {seat.id for seat in view.seats.values() if seat.person is not None or seat.barred}
    free = [seat for seat in offered_seats(view) if seat.id not in gone]
    before = earlier_seats(view, request.interaction.user.id)
    free.sort(key=lambda seat: before.index(seat.id) if seat.id in before else len(before))
    return seat_choices(view, ((seat.name, seat.id) for seat in free), typed)


@app_commands.guild_only()
class TableCommands(
    commands.GroupCog, group_name="table", group_description="The game table of this channel"
):
    """The /table commands."""

    @slash("open", "Open a table in this channel; you are its host")
    async def open(
        self,
        request: Request,
        game: Annotated[str, "Which game you play", GAMES],
        name: Annotated[app_commands.Range[str, 1, 60], "What to call the table"] = "",
        open_on_close: Annotated[
            Literal["yes", "no"],
            "Whether everybody sees all secrets once the table closes (default: yes)",
        ] = "yes",
    ) -> None:
        played = [each for each in games().values() if each.info.id == game]
        if open_on_close == "no" or not await offered_to_bring(request, played, name):
            await open_table(request, game=game, name=name, open_on_close=open_on_close)

    @slash("sit", "Take a seat at the table")
    async def sit(
        self,
        request: Request,
        seat: Annotated[str, "Your seat, such as your faction or nation", _seats],
        player: Annotated[User | None, "For hosts: who takes the seat"] = None,
    ) -> None:
        """Take a seat. A host can give a seat to another person."""
        require_member(player)
        await take_seat(
            request,
            lambda people: Sit(
                seat, people.number(player.id, player.display_name) if player else None
            ),
        )

    @slash("leave", "Leave your seat")
    def leave(
        self, player: Annotated[Seat | None, "For hosts: whose seat to free"] = None
    ) -> Command:
        return Leave(player)

    @slash("show", "The table as it is, and who you can trade with now")
    async def show(self, request: Request) -> None:
        await show_table(request)

    @slash("say", "The table in plain sentences, to hear or to read out. Only you see it")
    async def say(self, request: Request) -> None:
        await say(request)

    @slash("close", "Host: close this table. Its ledger stays")
    async def close(
        self,
        request: Request,
        sure: Annotated[Literal["yes", "no"], "Close it without being asked first"] = "no",
    ) -> None:
        """Close the table. Where goods are hidden, ask first what will be shown to whom."""
        await ask_to_close(request, sure=sure == "yes")

    @slash("reopen", "Host: open a table again that was closed a moment ago")
    async def reopen(self, request: Request) -> None:
        """Open the channel's table again. Where a new one took its place, that is not the one that
        is meant.
        """
        view = await request.last_view()
        last = await request.service.last_closed_at(
            request.interaction.channel_id or 0, request.requester
        )
        if view.closing is None and last is not None:
            earlier = f"{names.escape(last.name)} is closed for good."
            raise Refused(
                f"This table is open, and the one before it is over: {earlier}"
                if view.open
                else earlier,
                "A table can be opened again for ten minutes, unless its channel has a new one.",
            )
        await request.respond(ReopenTable())

    pause = slash(
        "pause", "Host: pause the game; no clocks, no pings, until it goes on", carry_out
    )(PauseTable)

    resume = slash("resume", "Host: go on with a paused game, as it was", carry_out)(ResumeTable)

    @slash("again", "The same people and settings at a new table, once this one is closed")
    async def again(self, request: Request) -> None:
        await next_time.again(request)

    @slash("remind", "Say when you meet again; whoever is coming is reminded")
    async def remind(
        self,
        request: Request,
        when: Annotated[str, "As you would say it: Friday 19:30"] = "",
        zone: Annotated[
            str, "Your time zone: a city, or a name such as Europe/Berlin", _zones
        ] = "",
    ) -> None:
        """Ask whether the time is the one that was meant. Without one, open the form that asks for
        it.
        """
        if when:
            await next_time.ask_sure(request, await request.last_view(), when, zone)
        else:
            await next_time.ask_when(request)

    @slash("coming", "Say that you come the next time; you get a DM an hour before")
    async def coming(
        self,
        request: Request,
        coming: Annotated[Literal["yes", "no"], "no: you are not coming after all"] = "yes",
    ) -> None:
        """Answer for the channel's table, or for the one before it if only that one has a next
        time.
        """
        if (await request.last_view()).next_time is None:
            last = await request.service.last_closed_at(
                request.interaction.channel_id or 0, request.requester
            )
            request = request if last is None else Request(request.interaction, last.id)
        await next_time.come(request, Come(comes=coming == "yes"))

    @slash("move", "Host: bring your table to this channel")
    async def move(self, request: Request) -> None:
        """Bring the person's table here: the only one, or the only one without a channel. Otherwise
        ask which.
        """
        hosted = await request.hosted()
        lost = [row for row in hosted if await request.service.messages.gone(row.channel_id)]
        found = lost if len(lost) == 1 else hosted
        if not found:
            raise Refused(
                "You host no table in another channel of this server.",
                "/table open opens one here.",
            )
        if len(found) == 1:
            await bring(request, found[0].id)
        else:
            await request.reply(bring_card(request.told_apart(found)))

    @slash("host", "Host: name a new host")
    async def host(self, request: Request, player: Annotated[User, "The new host"]) -> None:
        require_member(player)
        await request.respond(lambda people: SetHost(people.number(player.id, player.display_name)))

    @slash("settings", "Host: change this table's settings. Without options, shows them")
    @with_every_option
    async def settings(self, request: Request, /, **options: Any) -> None:
        """Show or change the table's settings."""
        changes = {name: value for name, value in options.items() if value is not None}
        if not changes:
            view = await request.view()
            await request.reply(
                f"This table's settings: {settings_text(view, view.settings.items())}."
            )
            return
        await request.respond(ChangeSettings(changes))

    @slash("order", "Host: the order in which the players take turns")
    async def order(
        self,
        request: Request,
        players: Annotated[
            str, "Everybody, in order of play: @alice @bob @carol, or by their seats", _orders
        ],
    ) -> None:
        view = await request.view()
        order = game_of(view).order
        if order is None:
            raise Refused("This game has no order of play.", "/help explains how to trade here.")
        await request.respond(order(seats_written(view, players)))

    @slash("eliminate", "Host: take a player out of the game. First shows what will happen")
    async def eliminate(
        self,
        request: Request,
        player: Annotated[User | None, "Who is out"] = None,
        seat: Annotated[str | None, "Or a seat that nobody plays any more", _empty] = None,
    ) -> None:
        """Show what eliminating a player would change, with the button that does it."""
        view = await request.view()
        await request.reply(
            preview_card(
                view, "elimination", lambda game: game.eliminate(view, _out(view, player, seat))
            )
        )

    @slash("change", "Host: turn a faction into another. First shows what will happen")
    async def change(
        self,
        request: Request,
        seat: Annotated[str, "The faction, as it is now or as it will be", _changeable],
    ) -> None:
        """Show what would change when a faction becomes another, with the button that does it."""
        view = await request.view()
        await request.reply(
            preview_card(view, "factions that become others", lambda game: game.change(view, seat))
        )


def bind(router: Router) -> None:
    """Bind the handler of the buttons for a table without a channel."""
    router.on(WithoutChannel, without_channel)


async def without_channel(request: Request, press: WithoutChannel) -> None:
    """Bring the table to the channel of the button, say how that is done, or close it. Raises
    `Refused`.
    """
    match press.what:
        case "bring":
            await bring(request, press.table, press.since)
        case "how":
            await request.reply(HOW_TO_MOVE)
        case "close":
            await ask_to_close(request)


async def ask_to_close(request: Request, *, sure: bool = False) -> None:
    """Close the table. Where goods are hidden, ask first what will be shown to whom, unless
    ``sure``.
    """
    view = await request.view(unread=True)
    if (
        not sure
        and view.hosts
        and view.open
        and BeginClosing.hides_goods(game_of(view), view.seats)
    ):
        await request.reply(closing_question(view))
    else:
        await close(request, BeginClosing())


def _out(view: TableView, player: User | None, seat: str | None) -> str:
    """Return the seat to eliminate: a player's, or an empty one. Raises `Refused` for neither or
    both.
    """
    if (player is None) == (seat is None):
        raise Refused("Who is out?", "Name a player, or a seat that nobody plays any more.")
    if player is not None:
        return seat_of(view, player)
    option = game_of(view).seats.find(seat or "")
    there = view.seats.get(option.id) if option else None
    if there is None or there.barred:
        raise Refused("There is no such seat at this table.", "Pick one from the list as you type.")
    if there.person is not None:
        raise Refused(f"<seat:{there.id}> plays that seat.", "Name the player.")
    return there.id


def preview_card(view: TableView, what: str, make: Callable[[Departures], Preview]) -> Card:
    """Return the card of a game's preview. Raises `Refused` in a game without ``what``."""
    game = game_of(view)
    if game.departures is None:
        raise Refused(f"{game.info.name} has no {what}.", "**Leave…** under **Menu** frees a seat.")
    preview = make(game.departures)
    lines = [names.format_text(view, line) for line in preview.lines]
    return Card("waiting", "\n".join(lines), ((button_of(view, preview.button, "danger"),),))


def _phases(view: TableView, typed: str) -> Choices:
    info = game_of(view).info
    phases = [(info.phase_titles.get(phase, phase), phase) for phase in info.host_phases]
    return choices(phases, typed)


@app_commands.guild_only()
class PhaseCommands(
    commands.GroupCog, group_name="phase", group_description="The phase of the game"
):
    """The /phase command."""

    @slash("set", "Host: begin a phase of the game")
    def set(self, phase: Annotated[str, "Which phase begins", _phases]) -> Command:
        return SetPhase(phase.strip().casefold())
