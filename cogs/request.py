"""A request: one interaction with its requester, its table and its answer.

A slash command or completion makes one in its first line, `Request(interaction)`; the router makes one for each press
and gives it to the handler. What is below passes the request on.

    view         return the table as the person may see it; commands are built from it and name seats by their ids
    execute      change the table, or raise `Refused`; `execute_publicly` and `execute_privately` also reply
    reply        respond to the person, or to everybody

Cogs decide nothing: the rules decide what may be done, and views hold what a person may know.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import discord

from bot.delivery import (
    Board,
    Closing,
    CommandDelivery,
    Delivery,
    Headlines,
    InteractionSource,
    OfferCard,
    PublicDeal,
    ResponseMessage,
    SetUp,
    Subject,
)
from bot.ledger import LedgerError
from bot.logs import note
from bot.rules.commands import Command
from bot.rules.model.actions import LabelledAction
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named, games
from bot.rules.reporting import shown_by_steps
from bot.rules.uninstalled import refusal
from bot.rules.views import PairView, TableView
from bot.service import CommandFactory, Outcome, Requester, Service, TableRow
from bot.show.actions import SetUpHere
from bot.show.cards import Card, text_card
from bot.show.narration import headlines_text, told_text
from cogs.answers import Answer, answer_to

log = logging.getLogger(__name__)

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
    """A person at several tables used a command in a DM. `cogs.errors` asks which table they mean."""

    def __init__(self, rows: Sequence[TableRow]) -> None:
        super().__init__("", "You sit at several tables.", "Choose which one your DMs are about.")
        self.rows = rows


class ServiceClient(Protocol):
    """The part of the client that requests need."""

    service: Service
    delivery: Delivery


class Request:
    """An interaction, from the person who acts.

    ``table`` is the table of a pressed button; without it, `place` finds the table. ``accepts_cached``: answer from
    memory, without waiting for the database, because the answer can't be deferred. Completions always are; set it
    before a form is opened.

    >>> async def phase(self, interaction: discord.Interaction, name: str) -> None:
    ...     await Request(interaction).execute_publicly(SetPhase(name))
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
        if user.bot:
            raise Refused("", "Bots don't play.", "Name a person.")
        return Requester(
            user_id=user.id,
            name=user.display_name if on_server else "",
            guild_id=self.interaction.guild_id,
            manages_guild=on_server and self.interaction.permissions.manage_guild,
            interaction=self.interaction.id,
            present=_present(self.interaction) if on_server else (),
            accepts_cached=self.accepts_cached,
        )

    # ---------------------------------------------------------------- which table

    async def place(self) -> InteractionPlace:
        """Return the place of the interaction: by its channel or thread, or in a DM by the person's tables.

        From then on the request is about that table. Raises `Refused` when there is no table, and `AmbiguousTable` in a
        DM when the person has not chosen among several.
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
        parent = await self.table_at(channel.parent_id) if isinstance(channel, discord.Thread) else None
        if parent is None or not isinstance(channel, discord.Thread):
            raise Refused("", "There is no table in this channel.", "Try /table open.", SET_UP)
        negotiation = await self.delivery.negotiation_in(parent.id, channel.id)
        return InteractionPlace(parent.id, negotiation, private=negotiation is not None or channel.is_private())

    async def table_at(self, channel_id: int | None) -> TableRow | None:
        """Return the open table of a channel; None if there is none."""
        return await self.service.table_at(channel_id or 0, self.requester)

    async def _dm_table(self) -> int:
        rows = await self.service.tables_of(self.requester)
        if not rows:
            raise Refused("", "You don't sit at a table.", "Open one in a channel with /table open.")
        if len(rows) == 1:
            return rows[0].id
        chosen = await self.service.dm_choice(self.requester)
        if chosen is None or all(row.id != chosen for row in rows):
            raise AmbiguousTable(rows)
        return chosen

    async def table_id(self) -> int:
        """Return the id of the table that the request is about; see `place`."""
        return (await self.place()).table_id if self._table is None else self._table

    async def last_table_id(self) -> int:
        """Return the id of the channel's open table, or of its last one. For commands that look back.

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
        if view.game not in games() and not unread:
            raise refusal(view.game)
        return view

    async def last_view(self) -> TableView:
        """Return the view of the last open table of the channel, even if its game is not here; see `last_table_id`."""
        await self.last_table_id()
        return await self.view(unread=True)

    async def pairs(self) -> Sequence[PairView]:
        """Return who can trade with whom."""
        return await self.service.pairs(await self.table_id(), self.requester)

    async def execute(self, command: Command | CommandFactory) -> Outcome:
        """Execute a command without a reply. Raises `Refused`. Delivery shows others what the command changes."""
        if offer := getattr(command, "offer", None):
            note(offer=offer)
        outcome = await self.service.execute(await self.table_id(), self.requester, command)
        self.answer.counts = outcome.recorded
        return outcome

    async def execute_publicly(
        self,
        command: Command | CommandFactory,
        *,
        text: Callable[[Outcome], str] | None = None,
        privately: Callable[[Outcome], Card | None] = lambda outcome: None,
    ) -> None:
        """Execute a command and reply to everybody. Raises `Refused`.

        In the table's channel, the reply is the message with the command's headlines, or with ``text`` in their place.
        Elsewhere the reply appears there, and delivery sends the headlines to the channel. ``privately`` returns a card
        for the person alone. What the set-up's message or the board shows is told to the person alone; a new board in
        this channel is the reply itself, and a press on a message that everybody reads is acknowledged silently.
        """
        async with self.delivery.for_command(await self.table_id()) as messages:
            outcome = await self.execute(command)
            said = text(outcome) if text else headlines_text(outcome.public)
            kinds = (Headlines, Closing) if said or self.on_private_message else (Closing, Board)
            claim = await self._claimed(messages, kinds, outcome)
            if claim is not None and isinstance(claim.subject, SetUp | Closing | Board):
                await self.answer.show(claim)
            elif claim is not None:
                await self.answer.show(claim.with_card(text_card(said)) if text else claim)
            elif shown_by_setup(outcome) and said:
                await self.answer.update(text_card(said))
            elif said:
                await self.reply(said, public=True)
            elif self.interaction.message is not None and not self.on_private_message:
                await self.answer.defer()
            else:
                await self.answer.update(text_card(told_text(outcome.entries) or "Done."))
            if (card := privately(outcome)) is not None:
                await self.reply(card)
            await self._tell_unreached(messages)

    async def execute_in_setup(self, command: Command | CommandFactory, text: Callable[[Outcome], str]) -> None:
        """Execute a command of the set-up. Raises `Refused`.

        The response to a press in the set-up's message updates that message. Otherwise the person gets the text; after
        play has begun, everybody gets it.
        """
        async with self.delivery.for_command(await self.table_id()) as messages:
            outcome = await self.execute(command)
            claim = await self._claimed(messages, (), outcome)
            if claim is not None and isinstance(claim.subject, SetUp):
                await self.answer.show(claim)
                return
            if self.on_private_message or shown_by_setup(outcome):
                await self.answer.update(text_card(text(outcome)))
            if not shown_by_setup(outcome):
                await self.reply(text(outcome), public=True)

    async def execute_privately(
        self,
        command: Command | CommandFactory,
        message: Callable[[Outcome], str | Card],
        *,
        private_note: Callable[
            [Outcome, ResponseMessage, CommandDelivery], str | Card | None
        ] = lambda outcome, claim, messages: None,
    ) -> None:
        """Execute a command. Reply with the shared message that it changes, or with ``message`` to the person.

        A press updates the pressed message; a new offer in the channel is the reply to posting it. In these cases
        ``private_note`` returns what to tell the person as well. Raises `Refused`.
        """
        async with self.delivery.for_command(await self.table_id()) as messages:
            outcome = await self.execute(command)
            claim = await self._claimed(messages, (OfferCard, PublicDeal), outcome)
            if claim is None:
                said = message(outcome)
                if self.on_private_message:
                    await self.answer.update(said if isinstance(said, Card) else text_card(said))
                else:
                    await self.reply(said)
            elif self.in_dm:  # only the person reads the pressed message, so it shows the result
                await self.answer.show(_with_answer(claim, message(outcome)))
            else:
                await self.answer.show(claim)
                more = message(outcome) if claim.retires else private_note(outcome, claim, messages)
                if more is not None:
                    await self.reply(more)
            await self._tell_unreached(messages)

    async def _claimed(
        self, messages: CommandDelivery, kinds: tuple[type[Subject], ...], outcome: Outcome
    ) -> ResponseMessage | None:
        """Return the message that the response is to show. If planning fails, delivery plans the messages later."""
        pressed = self.interaction.message.id if self.interaction.message is not None else None
        first = outcome.entries[0].seq if outcome.entries else 0
        try:
            return await messages.answer(InteractionSource(self.interaction.channel_id or 0, pressed), kinds, first)
        except LedgerError as error:  # the command itself is recorded
            log.error("a table's messages could not be planned", exc_info=error)
        except Exception:  # a defect in planning must not make the command look failed
            log.exception("a table's messages could not be planned")
        return None

    # ---------------------------------------------------------------- replying

    async def reply(self, message: str | Card, *, public: bool = False) -> None:
        """Respond, or send a follow-up if there is a response. Only the person sees it, unless ``public``."""
        await self.answer.send(message, public=public)

    @property
    def on_private_message(self) -> bool:
        """Whether the pressed message is one that only this person sees in a channel."""
        return self.interaction.message is not None and self.interaction.message.flags.ephemeral

    async def _tell_unreached(self, messages: CommandDelivery) -> None:
        """Tell the person who acted which users were not reached by DM."""
        if unreached := [user for user in await messages.unreachable_users() if user != self.interaction.user.id]:
            users = " and ".join(f"<@{user}>" for user in unreached)
            await self.reply(f"{users} can't be reached by DM, so I pinged them in the channel.")

    # ---------------------------------------------------------------- what was typed and chosen

    def option(self, name: str) -> Any:
        """Return the value of another option of the command being typed; None if it is not filled in."""
        return getattr(self.interaction.namespace, name, None)

    def submitted(self) -> dict[str, list[str]]:
        """Return the values of a submitted form by field id, without empty fields. A text is a list of one value.

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
        """Return the value of the first option chosen in a select, a number. Raises `Refused` if it is not one."""
        text = self.chosen()[0]
        if not re.fullmatch(r"[0-9]{1,18}", text):
            raise _not_mine()
        return int(text)


async def require_game(interaction: discord.Interaction, game: str = "", table: int | None = None) -> None:
    """Raise `Refused` if this interaction, which only ``game`` knows, is about a table of another game.

    ``game`` is empty if no installed one knows it; then only a table whose game is not here raises `Refused`. Without a
    table that the person may know of, do nothing: the handler says what is missing. Answers from memory, since a table
    never changes its game.
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
        raise Refused("", f"That is for {wanted}, and this table plays {there}.", "/help explains how to trade here.")


def shown_by_setup(outcome: Outcome) -> bool:
    """Return whether the set-up's message shows everything that a command did."""
    game = game_named(outcome.view.game)
    return outcome.view.setup is not None and all(shown_by_steps(game, entry) for entry in outcome.public)


def _present(interaction: discord.Interaction) -> tuple[int, ...]:
    """Return the users named in a command who are on the server, according to Discord."""
    data: Any = interaction.data
    resolved = data.get("resolved") if isinstance(data, dict) else None
    members = resolved.get("members") if isinstance(resolved, dict) else None
    named = [str(user) for user in members] if isinstance(members, dict) else []
    return tuple(int(user) for user in named if user.isdecimal() and len(user) <= SNOWFLAKE_MAX)


def _with_answer(claim: ResponseMessage, answer: str | Card) -> ResponseMessage:
    """Return the claim with the answer, which replaces a settled prompt or becomes a line above the card."""
    if isinstance(answer, Card):
        return claim.with_card(answer) if claim.retires else claim
    if claim.retires:
        return claim.with_card(Card("over", (answer,)))
    return claim.with_card(replace(claim.card, blocks=(answer, *claim.card.blocks)))


def _field(row: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield the id and the values of the field in a row of a form, if it has one.

    Discord puts a field into "component" of a label, in older forms into "components" of a row.
    """
    match row:
        case {"component": {"custom_id": str(id), **field}} | {"components": [{"custom_id": str(id), **field}, *_]}:
            yield id, _texts(field["values"]) if field.get("values") else _texts([field.get("value") or ""])
        case {"component": _} | {"components": [_, *_]}:
            raise _not_mine()


def _texts(values: Any) -> list[str]:
    """Return the values, which must be texts, without empty ones. Raises `Refused` otherwise."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise _not_mine()
    return [value for value in values if value]


def _not_mine() -> Refused:
    return Refused("", "I didn't understand that answer.", "Press the button or type the command again.")
