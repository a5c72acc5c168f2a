"""A request: one interaction with its requester, its table and its answer.

`cogs.slash` makes one for each command and completion, and the router for each press, and gives
it to the handler. What is below passes the request on.

    view         return the table as the person may see it; commands name seats by its ids
    respond      change the table, or raise `Refused`, and answer the person
    execute      the same, and leave the answer to the caller
    reply        answer the person

Cogs decide nothing: the rules decide what may be done, and views hold what a person may know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import discord

from bot.delivery import CommandDelivery, PressedMessage
from bot.logs import note
from bot.rules.commands import Command
from bot.rules.model.stamps import newest_stamp
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named, games
from bot.rules.uninstalled import refusal
from bot.rules.views import DealView, OfferView, TableView
from bot.service import CommandFactory, Outcome, Requester, TableRow
from bot.show.cards import Card
from bot.show.debts import reminder
from bot.show.guide import PERMISSIONS, unseen_text
from bot.show.narration import told_text
from cogs.answers import Answer, answer_to
from cogs.inquiry import Inquiry

SNOWFLAKE_MAX = 20
"""The most digits of a Discord id."""


Said = Callable[[Outcome], str | Card | None]
"""What the person who acted reads; None for what happened."""

Beside = Callable[[Outcome, CommandDelivery], str | Card | None]
"""What they read beside a pressed message that others read too; None for nothing."""

REMINDED_MAX = 10_000
"""How many reminders to remember, before all are forgotten."""


class Request(Inquiry):
    """An interaction, from the person who acts.

    ``table`` is the table of a pressed button; without it, `place` finds the table.
    ``accepts_cached``: answer from memory, without waiting for the database, because the answer
    can't be deferred. Completions always are; set it before a form is opened.

    >>> async def next_phase(request: Request, press: NextPhase) -> None:
    ...     await request.respond(SetPhase("trade"))
    """

    def __init__(self, interaction: discord.Interaction, table: int | None = None) -> None:
        super().__init__(interaction.client, interaction.channel, interaction.channel_id, table)
        self.interaction = interaction
        self.accepts_cached = interaction.type is discord.InteractionType.autocomplete

    @property
    def types(self) -> bool:
        return self.interaction.type is discord.InteractionType.autocomplete

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
        user, guild = self.interaction.user, self.interaction.guild
        on_server, may = not self.in_dm, self.interaction.permissions
        if user.bot:
            raise Refused("Bots don't play.", "Name a person.")
        owns_guild = guild is not None and guild.owner_id == user.id
        return Requester(
            user_id=user.id,
            name=user.display_name if on_server else "",
            guild_id=self.interaction.guild_id,
            manages_guild=on_server and may.manage_guild,
            interaction=self.interaction.id,
            present=_present(self.interaction) if on_server else (),
            reads_threads=may.manage_threads or may.administrator or owns_guild,
            accepts_cached=self.accepts_cached,
        )

    # ---------------------------------------------------------------- which table

    async def hosted(self) -> list[TableRow]:
        """Return the tables in other channels that the person hosts, or moderates with a seat."""
        hosted: list[TableRow] = []
        for row in await self.service.tables_of(self.requester):
            if row.channel_id != self.interaction.channel_id:
                view = await self.service.view(row.id, self.requester)
                if view.hosts:
                    hosted.append(row)
        return hosted

    async def last_table_id(self) -> int:
        """Return the id of the channel's open table, or of its last one.

        From then on the request is about that table.
        """
        if not self.in_dm:
            channel = self.interaction.channel
            parent = channel.parent_id if isinstance(channel, discord.Thread) else None
            for channel_id in filter(None, (self.interaction.channel_id, parent)):
                row = await self.service.last_table_at(channel_id, self.requester)
                if row is not None:
                    self._table = row.id
                    note(table=row.id)
                    return row.id
        return await self.table_id()

    # ---------------------------------------------------------------- acting

    def _looked(self, view: TableView) -> None:
        self.answer.names = view.names
        self.answer.stamp = newest_stamp(view)
        self._remind(view)

    async def last_view(self) -> TableView:
        """Return the view of `last_table_id`, even if its game is not here."""
        await self.last_table_id()
        return await self.view(unread=True)

    async def execute(self, command: Command | CommandFactory) -> Outcome:
        """Execute a command without a reply; delivery shows others what it changes."""
        if offer := getattr(command, "offer", None):
            note(offer=offer)
        table_id = await self.table_id()
        try:
            outcome = await self.service.execute(table_id, self.requester, command)
        finally:  # a refusal has buttons too
            self.answer.stamp = self.service.newest_stamp(table_id) or self.answer.stamp
        self.answer.counts = outcome.recorded
        self.answer.repeated = outcome.repeated
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
            lines = [line for line in lines if line.partition(" · ")[0] not in said]
            if not lines:
                return message
            if isinstance(message, str):
                return "\n".join((message, *lines))
            return replace(message, blocks=(*message.blocks, "\n".join(lines)))

        def taken() -> None:
            if len(told) > REMINDED_MAX:
                told.clear()
            told.update(keys.values())

        if mine:
            self.answer.beside, self.answer.beside_taken = beside, taken

    async def respond(
        self,
        command: Command | CommandFactory,
        said: Said = lambda outcome: None,
        *,
        beside: Beside = lambda outcome, messages: None,
        over: str = "",
    ) -> None:
        """Execute a command, and answer the person. Raises `Refused`.

        Delivery shows others what changes. The person gets what ``said`` returns, or else what
        happened. It replaces the message that they pressed if that is theirs alone. A pressed
        message that others read, and that the command changes, is updated instead; the person then
        also gets what ``beside`` returns. ``over`` takes the place of a message in their DMs whose
        buttons must not work again, if the answer has buttons of its own.
        """
        before = self.interaction.message
        changeable = before.id if before is not None else None
        # What opened a form in a channel may be everybody's: the response may not update that.
        if self.interaction.type is discord.InteractionType.modal_submit and not self.in_dm:
            changeable = None
        async with self.delivery.for_command(await self.table_id(), changeable) as messages:
            async with messages.lock:
                outcome = await self.execute(command)
                if self.answer.pressed_ephemeral and before is not None:
                    self.delivery.receipts.forget(before.id)  # the answer takes its place
                await messages.plan()
            pressed = messages.pressed
            if pressed is not None and not self.in_dm:
                # Others read it.
                await (self.answer.defer() if pressed.replaced else self.answer.show(pressed))
                more: str | Card | None
                if pressed.retires:
                    more = said(outcome) or what_happened(outcome)
                else:
                    more = beside(outcome, messages)
                if more is not None:
                    await self.answer.send(messages.linked(more))
            else:
                answer = said(outcome) or what_happened(outcome)
                if pressed is not None and not pressed.replaced:
                    await self.answer.show(_with_answer(pressed, answer))
                else:
                    await self._answer_alone(messages.linked(answer), over)
        self._keep_answer(outcome)
        if unseen := "" if self.in_dm else unseen_text(self.lacking):
            await self.answer.send(unseen)
        await self._tell_unreached(messages)

    async def _answer_alone(self, answer: str | Card, over: str) -> None:
        """Answer in the place of what was pressed.

        Nobody keeps an answer up to date, so one with buttons never takes the place of a message
        that stays.
        """
        stays = isinstance(answer, Card) and bool(answer.rows)
        if stays and over and self.in_dm and not self.answer.pressed_ephemeral:
            await self.answer.replace(over)
            await self.answer.send(answer)
        elif stays:
            await self.answer.update(answer)
        else:
            await self.answer.replace(answer)

    def _keep_answer(self, outcome: Outcome) -> None:
        """Keep the private answer to a command about an offer or a deal up to date."""
        for recorded in outcome.entries:
            offer = outcome.view.offers.get(getattr(recorded.entry, "offer", None) or 0)
            if offer is not None:
                self.keep_answer(outcome.view, offer)
                return
            deal = outcome.view.deals.get(getattr(recorded.entry, "deal", 0))
            if deal is not None and deal.offer is None:  # else it leads back to the offer's receipt
                self.keep_answer(outcome.view, deal)
                return

    def keep_answer(self, view: TableView, about: OfferView | DealView) -> None:
        """Keep the private answer up to date, if it is about an offer or a deal of the person."""
        if self.answer.private is not None:
            user = self.interaction.user.id
            self.delivery.receipts.keep(view, about, user, self.answer.private)

    @property
    def lacking(self) -> list[str]:
        """The permissions that the bot lacks here, as far as Discord says."""
        has, channel = self.interaction.app_permissions, self.interaction.channel
        if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
            elsewhere = ("send_messages_in_threads", "create_private_threads")
        elif isinstance(channel, discord.Thread):
            elsewhere = ("connect", "send_messages")
        else:
            elsewhere = ("connect", "send_messages_in_threads")
        if not has.value:
            return []
        needed = [permission for permission in PERMISSIONS if permission not in elsewhere]
        return [permission for permission in needed if not getattr(has, permission)]

    # ---------------------------------------------------------------- replying

    async def reply(self, message: str | Card) -> None:
        """Respond to the person alone, or send a follow-up if there is a response."""
        await self.answer.send(message)

    async def _tell_unreached(self, messages: CommandDelivery) -> None:
        """Tell the person who acted who was not reached by DM, or not at all."""
        unreached = await messages.unreached()
        if unreached.channel and (self.in_dm or not self.lacking):  # else they have read why
            await self.reply(
                "Discord did not take my message in the channel, so others may not see it."
            )
        for users, what in (
            (unreached.pinged, "can't be reached by DM, so I pinged them in the channel."),
            (unreached.left, "left this server, so nothing of it reaches them. Their seat stays."),
            (unreached.users, "can't be reached now, by DM or in the channel. Please tell them."),
        ):
            if others := [f"<@{user}>" for user in users if user != self.interaction.user.id]:
                await self.reply(f"{' and '.join(others)} {what}")

    # ---------------------------------------------------------------- what was typed and chosen

    def option(self, name: str) -> Any:
        """Return the value of another option of the command being typed; None if there is none."""
        return getattr(self.interaction.namespace, name, None)

    def submitted(self) -> dict[str, list[str]]:
        """Return the values of a submitted form by field id, without empty fields.

        A text is a list of one value. Raises `Refused` if the data is malformed or not a form's.
        """
        data: Any = self.interaction.data
        is_form = self.interaction.type is discord.InteractionType.modal_submit
        rows = data.get("components") if is_form else None
        if not isinstance(rows, list):
            raise _not_mine()
        fields = chain.from_iterable(map(_field, rows))
        return {id: values for id, values in fields if values}

    def text_submitted(self, field: str) -> str:
        """Return the text of a field of a submitted form; empty if it was left empty."""
        return self.submitted().get(field, [""])[0]

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
        """Return the first value chosen in a select. Raises `Refused` if it is not a number."""
        text = self.chosen()[0]
        if not re.fullmatch(r"[0-9]{1,18}", text):
            raise _not_mine()
        return int(text)


async def require_game(
    interaction: discord.Interaction, game: str = "", table: int | None = None
) -> None:
    """Raise `Refused` if an interaction that only ``game`` knows is about another game's table.

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
            f"That is for {wanted}, and this table plays {there}.",
            "/help explains how to trade here.",
        )


def what_happened(outcome: Outcome) -> str:
    """Return what happened, for the person who did it."""
    return told_text(outcome.entries) or "Done."


def _present(interaction: discord.Interaction) -> tuple[int, ...]:
    """Return the users named in a command who are on the server, according to Discord."""
    match interaction.data:
        case {"resolved": {"members": dict(members)}}:
            ids = [str(user) for user in members]
            return tuple(int(id) for id in ids if id.isdecimal() and len(id) <= SNOWFLAKE_MAX)
        case _:
            return ()


def _with_answer(pressed: PressedMessage, answer: str | Card) -> PressedMessage:
    """Return the message with the answer.

    It replaces a settled prompt, or a text becomes a line above the card.
    """
    if pressed.retires:
        return pressed.with_card(answer if isinstance(answer, Card) else Card("over", answer))
    if isinstance(answer, Card):
        return pressed
    blocks = (answer, *pressed.card.blocks)
    return pressed.with_card(replace(pressed.card, blocks=blocks))


def _field(row: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the id and the values of the field in a row of a form, if it has one.

    Discord puts a field into "component" of a label, in older forms into "components" of a row.
    """
    match row:
        case {"component": {"custom_id": str(id), **field}} | {
            "components": [{"custom_id": str(id), **field}, *_]
        }:
            yield id, _texts(field.get("values") or [field.get("value") or ""])
        case {"component": _} | {"components": [_, *_]}:
            raise _not_mine()


def _texts(values: Any) -> list[str]:
    """Return the values, which must be texts, without empty ones. Raises `Refused` otherwise."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise _not_mine()
    return [value for value in values if value]


def _not_mine() -> Refused:
    return Refused(
        "I didn't understand that answer.", "Press the button or type the command again."
    )
