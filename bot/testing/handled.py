"""Handle presses at a table in memory, by the handlers of the cogs. Nothing is recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NoReturn, cast

import discord
from discord.ext import commands

from bot.app import core_cogs
from bot.rules.commands import Caller, Command, Press
from bot.rules.entries import Entry, reference
from bot.rules.game import Game
from bot.rules.model.actions import Action
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.viewers import everybody, person_viewer
from bot.rules.views import DealView, EntryView, OfferView, PairView, TableView
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import TableViews, see_pairs
from bot.service import Filter
from bot.show.cards import Card
from bot.show.forms import Form, Menu, MultiSelect, Radio, Text
from bot.testing.world import EVERYONE, Ask, World
from cogs.games import add_commands
from cogs.inquiry import InquiryPlace
from cogs.request import Request
from cogs.router import Router, carry_out


class NotHere(Exception):
    """The handler asks for something that a table in memory has not, such as a page of history."""


class Decided(Exception):
    """The handler executes a command: it is decided, and nothing follows."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__()
        self.entries = entries


@dataclass
class Answered:
    """What comes of a press: cards, a form, or the ``entries`` that a command would record."""

    cards: list[Card] = field(default_factory=list)
    form: Form | None = None
    entries: Sequence[Entry] = ()


async def router_of(game: Game) -> Router:
    """Return the router with the handlers of the core and of a game."""
    router, nothing = Router(cast(Any, None)), cast(Any, None)
    core_cogs(nothing, nothing, router)
    bot = commands.Bot(command_prefix=(), intents=discord.Intents(guilds=True), help_command=None)
    await add_commands(bot, game, router)
    return router


class Hands:
    """Presses what people are shown at a table."""

    def __init__(self, game: Game) -> None:
        self._handlers = asyncio.run(router_of(game)).handlers()
        self._views: dict[int, TableViews] = {}

    def press(
        self, world: World, person: int, action: Action, data: dict[str, Any] | None = None
    ) -> Answered:
        """Return what comes of this person's press. ``data`` is what was chosen or filled in."""
        answered = Answered()
        pressed: Any = action.command if isinstance(action, Press) else action
        handler: Any = self._handlers.get(type(pressed), carry_out)
        request = _Request(world, self._seen(world.table), person, answered, data or {})
        try:
            _finished(handler(request, pressed))
        except Decided as decided:
            answered.entries = decided.entries
        except (NotHere, Refused):
            pass
        return answered

    def _seen(self, table: Table) -> TableViews:
        """Return the views of a table, made once: many press there."""
        views = self._views.get(table.seq)
        if views is None or views.table is not table:
            views = self._views[table.seq] = TableViews(table)
        return views

    def done(
        self, world: World, person: int, action: Action, data: dict[str, Any] | None = None
    ) -> Answered:
        """Return what comes of this person's press and of the form that it opens, if it opens one,
        sent as it is.
        """
        answered = self.press(world, person, action, data)
        if answered.form is None:
            return answered
        filled = [*_filled(answered.form)]
        return self.press(world, person, answered.form.action, {"components": filled})


def _finished(handling: Coroutine[Any, Any, None]) -> None:
    """Run a handler, which waits for nothing."""
    try:
        handling.send(None)
    except StopIteration:
        return
    except RuntimeError as error:
        raise NotHere from error  # it draws a picture in a thread
    handling.close()
    raise NotHere


def _filled(form: Form) -> Iterable[dict[str, Any]]:
    """Yield the fields of a form as Discord sends them, with a value where there is none, and other
    terms where there are some.
    """
    for each in form.fields:
        match each:
            case Text(id="terms"):
                values = [f"{each.value}!"[-each.max_length :]]
            case Text():
                values = [each.value or "1"]
            case Radio():
                values = [each.chosen]
            case MultiSelect():
                values = [value for _, value, picked in each.options if picked]
                values = values or [each.options[0][1]]
            case Menu():
                values = [each.options[0][1]]
        yield {"component": {"custom_id": each.id, "values": values}}


class _Elsewhere:
    """A part of the bot that is not here."""

    def __getattr__(self, name: str) -> NoReturn:
        raise NotHere(name)


class _Answer(_Elsewhere):
    """Takes what a handler answers."""

    pressed_ephemeral = False
    outcome = rule = ""

    def __init__(self, answered: Answered) -> None:
        self._answered = answered

    async def send(self, message: str | Card) -> None:
        if isinstance(message, Card):
            self._answered.cards.append(message)

    update = replace = send

    async def open(self, form: Form) -> None:
        self._answered.form = form


class _NoEntries(_Elsewhere):
    """A page of history with nothing on it."""

    entries = ()


class _Delivery(_Elsewhere):
    """Reaches everybody."""

    def reaches(self, user: int) -> bool:
        return True


class _Service(_Elsewhere):
    """Answers what little handlers ask beside the table."""

    def __init__(self, world: World) -> None:
        self._world = world

    def now(self) -> int:
        return 0

    async def muted(self, requester: object) -> frozenset[str]:
        return frozenset()

    async def history(self, *asked: object, filter: Filter, **only: object) -> _NoEntries:
        """Return no earlier trades to offer again."""
        if not filter.kind:
            raise NotHere
        return _NoEntries()

    async def entries(self, *asked: object, kinds: Collection[str]) -> list[EntryView]:
        world, viewer = self._world, everybody(self._world.table, EVERYONE)
        game, found = world.table.game, []
        for recorded in world.recorded:
            if recorded.entry.kind in kinds:
                table = world.tables[recorded.seq - 1]
                found.append(see_entry(recorded, viewer, game, table))
        return found


class _Request(Request):
    """A press by a person of a table in memory, in a DM: nothing is shown first."""

    def __init__(
        self,
        world: World,
        views: TableViews,
        person: int,
        answered: Answered,
        data: dict[str, Any],
    ) -> None:
        components = "components" in data
        kind = discord.InteractionType
        self.interaction = cast(
            Any,
            SimpleNamespace(
                type=kind.modal_submit if components else kind.component,
                data=data,
                user=SimpleNamespace(id=EVERYONE[person - 1].user_id, bot=False),
                channel_id=1,
                guild_id=None,
                message=None,
            ),
        )
        self.accepts_cached = False
        self.service = cast(Any, _Service(world))
        self.delivery = cast(Any, _Delivery())
        self._world, self._views = world, views
        self._caller = Caller(person, at=world.at, chance="chance")
        self._answered = cast(Any, _Answer(answered))

    @property
    def requester(self) -> Any:
        return None

    @property
    def answer(self) -> Any:
        return self._answered

    async def place(self) -> InquiryPlace:
        return InquiryPlace(self._world.table.id, private=True)

    async def table_id(self) -> int:
        return self._world.table.id

    async def view(
        self, offers: Iterable[int] = (), *, unread: bool = False, acts: bool = True
    ) -> TableView:
        views = self._views
        if recalled := [reference("offer", number) for number in offers]:
            views = TableViews(self._world.recall(recalled))
        return views.see(person_viewer(views.table, EVERYONE, self._caller))

    async def pairs(self) -> tuple[PairView, ...]:
        table = self._world.table
        return see_pairs(table, person_viewer(table, EVERYONE, self._caller))

    async def execute(self, command: Any) -> NoReturn:
        if not isinstance(command, Command):
            raise NotHere  # it names a Discord user
        raise Decided(self._world.decided(Ask(command, self._caller)))

    async def respond(self, command: Any, *said: object, **more: object) -> NoReturn:
        await self.execute(command)

    def keep_answer(self, view: TableView, about: OfferView | DealView) -> None:
        """Nothing changes the answer later."""
