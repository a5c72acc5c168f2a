"""A request: one interaction with its requester, its table and its answer.

A slash command or completion makes one in its first line, `Request(interaction)`; the router makes
one for each press and gives it to the handler. What is below passes the request on.

    view         return the table as the person may see it; commands are built from it and name
    seats by their ids respond      change the table, or raise `Refused`, and answer the person;
    `execute` leaves the answer to the caller reply        answer the person

Cogs decide nothing: the rules decide what may be done, and views hold what a person may know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import discord

from bot.delivery import CommandDelivery, Delivery, PressedMessage
from bot.logs import note
from bot.rules.commands import Command
from bot.rules.model.actions import LabelledAction
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named, games
from bot.rules.uninstalled import refusal
from bot.rules.views import PairView, TableView
from bot.service import CommandFactory, Outcome, Requester, Service, TableRow
from bot.show.actions import SetUpHere
from bot.show.cards import Card
from bot.show.debts import reminder
from bot.show.guide import PERMISSIONS, unseen_text
from bot.show.narration import told_text
from cogs.answers import Answer, answer_to

SNOWFLAKE_MAX = 20
"""The most digits of a Discord id."""


@dataclass(frozen=True)
class InteractionPlace:
    """Where an interaction comes from: the table, and the negotiation if it is in one's thread.

    ``private``: the other players do not read there, since it is a DM or a private thread.
    """

    table_id: int
    negotiation: int | None = None
    private: bool = False


SET_UP = (LabelledAction("Set up a table", SetUpHere(0)),)
"""The button to show where there is no table."""


class AmbiguousTable(Refused):
    """A person at several tables used a command in a DM. `cogs.errors` asks which table they
    mean.
    """

    def __init__(self, rows: Sequence[TableRow]) -> None:
        super().__init__("", "You sit at several tables.", "Choose which one your DMs are about.")
        self.rows = rows


REMINDED_MAX = 10_000
"""How many reminders to remember, before all are forgotten."""


class ServiceClient(Protocol):
    """The part of the client that requests need."""

    service: Service
    delivery: Delivery


class Request:
    """An interaction, from the person who acts.

    ``table`` is the table of a pressed button; without it, `place` finds the table.
    ``accepts_cached``: answer from memory, without waiting for the database, because the answer
    can't be deferred. Completions always are; set it before a form is opened.

    >>> async def phase(self, interaction: discord.Interaction, name: str) -> None:
    ...     await Request(interaction).respond(SetPhase(name))
    """

    def __init__(self, interaction: discord.Interaction, table: int | None = None) -> None:
        client = cast(ServiceClient, interaction.client)
        self.interaction = interaction
        self.service = client.service
        self.delivery = client.delivery
        self.accepts_cached = interaction.type is discord.InteractionType.autocomplete
        self._table = table
        if table:
            note(table=table)

    @property
    def answer(self) -> Answer:
        return answer_to(self.interaction)

    @property
    def in_dm(self) -> bool:
        return self.interaction.guild_id is None

    @property
    def requester(self) -> Requester:
        """The person who acts. Only names from a server are stored, where they may be nicknames.

        Raises `Refused` for a bot.
        """
        user, on_server = self.interaction.user, not self.in_dm
        may, guild = self.interaction.permissions, self.interaction.guild
        if user.bot:
            raise Refused("", "Bots don't play.", "Name a person.")
        return Requester(
            user_id=user.id,
            name=user.display_name if on_server else "",
            guild_id=self.interaction.guild_id,
            manages_guild=on_server and may.manage_guild,
            interaction=self.interaction.id,
            present=_present(self.interaction) if on_server else (),
            reads_threads=may.manage_threads
            or may.administrator
            or (guild is not None and guild.owner_id == user.id),
            accepts_cached=self.accepts_cached,
        )

    # ---------------------------------------------------------------- which table

    async def place(self) -> InteractionPlace:
        """Return the place of the interaction: by its channel or thread, or in a DM by the person's
        tables.

        From then on the request is about that table. Raises `Refused` when there is no table, and
        `AmbiguousTable` in a DM when the person has not chosen among several.
        """
        place = await self._place()
        self._table = place.table_id
        note(table=place.table_id)
        return place

    async def _place(self) -> InteractionPlace:
        if self.in_dm:
            return InteractionPlace(await self._dm_table(), private=True)
        channel = self.interaction.channel
        if (row := await self.table_at(self.interaction.channel_id)) is not None:
            return InteractionPlace(row.id)
        parent = (
            await self.table_at(channel.parent_id) if isinstance(channel, discord.Thread) else None
        )
        if parent is None or not isinstance(channel, discord.Thread):
            raise Refused("", "There is no table in this channel.", "Try /table open.", SET_UP)
        negotiation = await self.delivery.negotiation_in(parent.id, channel.id)
        return InteractionPlace(
            parent.id, negotiation, private=negotiation is not None or channel.is_private()
        )

    async def table_at(self, channel_id: int | None) -> TableRow | None:
        """Return the open table of a channel; None if there is none."""
        return await self.service.table_at(channel_id or 0, self.requester)

    async def _dm_table(self) -> int:
        rows = await self.service.tables_of(self.requester)
        if not rows:
            raise Refused(
                "", "You don't sit at a table.", "Open one in a channel with /table open."
            )
        if len(rows) > 1:
            gone = self.service.messages.gone
            rows = [row for row in rows if not await gone(row.channel_id)] or rows
        if len(rows) == 1:
            return rows[0].id
        chosen = await self.service.dm_choice(self.requester)
        if chosen is None or all(row.id != chosen for row in rows):
            raise AmbiguousTable(rows)
        return chosen

    async def hosted(self) -> list[TableRow]:
        """Return the tables on this server that the person hosts, or moderates with a seat, in
        other channels.
        """
        rows, here = await self.service.tables_of(self.requester), self.interaction.channel_id
        elsewhere = [row for row in rows if row.channel_id != here]
        return [row for row in elsewhere if (await self.service.view(row.id, self.requester)).hosts]

    async def table_id(self) -> int:
        """Return the id of the table that the request is about; see `place`."""
        return (await self.place()).table_id if self._table is None else self._table

    async def last_table_id(self) -> int:
        """Return the id of the channel's open table, or of its last one. For commands that look
        back.

        From then on the request is about that table.
        """
        channel = self.interaction.channel
        parent = channel.parent_id if isinstance(channel, discord.Thread) else None
        for channel_id in (self.interaction.channel_id, parent) if not self.in_dm else ():
            if channel_id and (row := await self.service.last_table_at(channel_id, self.requester)):
                self._table = row.id
                note(table=row.id)
                return row.id
        return await self.table_id()

    # ---------------------------------------------------------------- looking and acting

    async def view(self, offers: Iterable[int] = (), *, unread: bool = False) -> TableView:
        """Return the table as the person may see it, including these offers even if they are over.

        Raises `Refused` if its game is not installed, or can't read it, unless ``unread``.
        """
        view = await self.service.view(await self.table_id(), self.requester, offers=offers)
        self.answer.names = view.names
        self._remind(view)
        if view.game not in games() and not unread:
            raise refusal(view.game)
        return view

    async def last_view(self) -> TableView:
        """Return the view of the last open table of the channel, even if its game is not here; see
        `last_table_id`.
        """
        await self.last_table_id()
        return await self.view(unread=True)

    async def pairs(self) -> Sequence[PairView]:
        """Return who can trade with whom."""
        return await self.service.pairs(await self.table_id(), self.requester)

    async def execute(self, command: Command | CommandFactory) -> Outcome:
        """Execute a command without a reply. Raises `Refused`. Delivery shows others what the
        command changes.
        """
        if offer := getattr(command, "offer", None):
            note(offer=offer)
        outcome = await self.service.execute(await self.table_id(), self.requester, command)
        self.answer.counts = outcome.recorded
        self._remind(outcome.view)
        return outcome

    def _remind(self, view: TableView) -> None:
        """Add to the answer what the person owes and can pay now, once in a window; after a restart
        maybe once more.
        """
        told, mine = self.service.reminded, [each for each in view.debts if each.number in view.due]
        keys = {each.number: (view.id, view.window.number, view.seat, each.number) for each in mine}

        def beside(message: str | Card) -> str | Card:
            said = message if isinstance(message, str) else "\n".join(message.blocks)
            lines = [reminder(view, each) for each in mine if keys[each.number] not in told]
            if len(told) > REMINDED_MAX:
                told.clear()
            told.update(keys.values())
            lines = [line for line in lines if line.partition(" · ")[0] not in said]
            if not lines:
                return message
            if isinstance(message, str):
                return "\n".join((message, *lines))
            return replace(message, blocks=(*message.blocks, "\n".join(lines)))

        if mine:
            self.answer.beside = beside

    async def respond(
        self,
        command: Command | CommandFactory,
        said: Callable[[Outcome], str | Card | None] = lambda outcome: None,
        *,
        beside: Callable[
            [Outcome, CommandDelivery], str | Card | None
        ] = lambda outcome, messages: None,
    ) -> None:
        """Execute a command, and answer the person; delivery shows others what it changes. Raises
        `Refused`.

        The person gets what ``said`` returns, or else what happened. It replaces the message that
        they pressed if that is theirs alone. A pressed message that others read, and that the
        command changes, is updated instead; what ``beside`` returns is then told to the person as
        well.
        """
        # The response may update what was pressed, or what opened a form if it is the person's
        # alone.
        before, form = (
            self.interaction.message,
            self.interaction.type is discord.InteractionType.modal_submit,
        )
        changeable = before.id if before is not None and (self.in_dm or not form) else None
        async with self.delivery.for_command(await self.table_id(), changeable) as messages:
            async with messages.lock:
                outcome = await self.execute(command)
                await messages.plan()
            pressed = messages.pressed
            if pressed is not None and not self.in_dm:
                await (self.answer.defer() if pressed.replaced else self.answer.show(pressed))
                more = (
                    said(outcome) or told(outcome) if pressed.retires else beside(outcome, messages)
                )
                if more is not None:
                    await self.answer.send(messages.linked(more))
            elif pressed is not None and not pressed.replaced:
                await self.answer.show(_with_answer(pressed, said(outcome) or told(outcome)))
            else:
                answer = messages.linked(said(outcome) or told(outcome))
                # Nobody keeps an answer up to date, so one with buttons never takes the place of a
                # message that stays.
                stays = isinstance(answer, Card) and bool(answer.rows)
                await (self.answer.update(answer) if stays else self.answer.replace(answer))
        if unseen := "" if self.in_dm else unseen_text(self.lacking):
            await self.answer.send(unseen)
        await self._tell_unreached(messages)

    @property
    def lacking(self) -> list[str]:
        """The permissions that the bot lacks in this channel, by Discord's names; none if Discord
        does not say.
        """
        has, channel = self.interaction.app_permissions, self.interaction.channel
        if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
            # what does not matter here
            elsewhere = ["send_messages_in_threads", "create_private_threads"]
        else:
            thread = isinstance(channel, discord.Thread)
            elsewhere = ["connect", "send_messages" if thread else "send_messages_in_threads"]
        return [
            each
            for each in PERMISSIONS
            if has.value and each not in elsewhere and not getattr(has, each)
        ]

    # ---------------------------------------------------------------- replying

    async def reply(self, message: str | Card) -> None:
        """Respond to the person alone, or send a follow-up if there is a response."""
        await self.answer.send(message)

    async def _tell_unreached(self, messages: CommandDelivery) -> None:
        """Tell the person who acted which users were not reached by DM, or not at all, and if
        others see nothing.
        """
        unreached = await messages.unreached()
        if unreached.channel and (self.in_dm or not self.lacking):  # else they have read why
            await self.reply(
                "Discord did not take my message in the channel, so others may not see it."
            )
        for users, what in (
            (unreached.pinged, "can't be reached by DM, so I pinged them in the channel."),
            (unreached.users, "can't be reached now, by DM or in the channel. Please tell them."),
        ):
            if others := [f"<@{user}>" for user in users if user != self.interaction.user.id]:
                await self.reply(f"{' and '.join(others)} {what}")

    # ---------------------------------------------------------------- what was typed and chosen

    def option(self, name: str) -> Any:
        """Return the value of another option of the command being typed; None if it is not filled
        in.
        """
        return getattr(self.interaction.namespace, name, None)

    def submitted(self) -> dict[str, list[str]]:
        """Return the values of a submitted form by field id, without empty fields. A text is a list
        of one value.

        Raises `Refused` if the data is malformed or not a form's.
        """
        data: Any = self.interaction.data
        is_form = self.interaction.type is discord.InteractionType.modal_submit
        rows = data.get("components") if is_form else None
        if not isinstance(rows, list):
            raise _not_mine()
        return {id: values for row in rows for id, values in _field(row) if values}

    def chosen(self) -> list[str]:
        """Return the values chosen in a select, at least one. Raises `Refused` if there is none."""
        values = self.values_chosen()
        if not values:
            raise _not_mine()
        return values

    def values_chosen(self) -> list[str]:
        """Return the values chosen in a select that may be left empty.

        Raises `Refused` if the data is not a select's.
        """
        data: Any = self.interaction.data
        if self.interaction.type is not discord.InteractionType.component:
            raise _not_mine()
        return _texts(data.get("values"))

    def chosen_number(self) -> int:
        """Return the value of the first option chosen in a select, a number. Raises `Refused` if it
        is not one.
        """
        text = self.chosen()[0]
        if not re.fullmatch(r"[0-9]{1,18}", text):
            raise _not_mine()
        return int(text)


async def require_game(
    interaction: discord.Interaction, game: str = "", table: int | None = None
) -> None:
    """Raise `Refused` if this interaction, which only ``game`` knows, is about a table of another
    game.

    ``game`` is empty if no installed one knows it; then only a table whose game is not here raises
    `Refused`. Without a table that the person may know of, do nothing: the handler says what is
    missing. Answers from memory, since a table never changes its game.
    """
    request = Request(interaction, table)
    request.accepts_cached = True
    try:
        played = await request.service.game(await request.table_id(), request.requester)
    except Refused:
        return
    if played not in games():
        raise refusal(played)
    if game and played != game:
        wanted, there = game_named(game).info.name, game_named(played).info.name
        raise Refused(
            "",
            f"That is for {wanted}, and this table plays {there}.",
            "/help explains how to trade here.",
        )


def told(outcome: Outcome) -> str:
    """Return what happened, for the person who did it."""
    return told_text(outcome.entries) or "Done."


def _present(interaction: discord.Interaction) -> tuple[int, ...]:
    """Return the users named in a command who are on the server, according to Discord."""
    match interaction.data:
        case {"resolved": {"members": dict(members)}}:
            named = [str(user) for user in members]
            return tuple(
                int(user) for user in named if user.isdecimal() and len(user) <= SNOWFLAKE_MAX
            )
        case _:
            return ()


def _with_answer(pressed: PressedMessage, answer: str | Card) -> PressedMessage:
    """Return the message with the answer, which replaces a settled prompt or becomes a line above
    the card.
    """
    if isinstance(answer, Card):
        return pressed.with_card(answer) if pressed.retires else pressed
    if pressed.retires:
        return pressed.with_card(Card("over", (answer,)))
    return pressed.with_card(replace(pressed.card, blocks=(answer, *pressed.card.blocks)))


def _field(row: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the id and the values of the field in a row of a form, if it has one.

    Discord puts a field into "component" of a label, in older forms into "components" of a row.
    """
    match row:
        case {"component": {"custom_id": str(id), **field}} | {
            "components": [{"custom_id": str(id), **field}, *_]
        }:
            yield (
                id,
                _texts(field["values"])
                if field.get("values")
                else _texts([field.get("value") or ""]),
            )
        case {"component": _} | {"components": [_, *_]}:
            raise _not_mine()


def _texts(values: Any) -> list[str]:
    """Return the values, which must be texts, without empty ones. Raises `Refused` otherwise."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise _not_mine()
    return [value for value in values if value]


def _not_mine() -> Refused:
    return Refused(
        "", "I didn't understand that answer.", "Press the button or type the command again."
    )
