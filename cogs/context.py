"""The steps of every command and button: find the table, call the service, reply, and let delivery tell the others.

    place        return which table an interaction is about
    view         return that table as the person may see it; commands are built from it and name seats by their ids
    execute      change a table, or raise `Refused`; `execute_publicly` and `execute_privately` also reply
    reply        respond to the person, or to everybody

Cogs decide nothing: the rules decide what may be done, and views hold what a person may know.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.delivery import Claim, Delivery, Headlines, OfferCard, PublicDeal, SetUp, Subject, Turn, Where
from bot.ledger import LedgerError
from bot.rules.commands import Command
from bot.rules.model.actions import LabelledAction
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.reporting import told
from bot.rules.views import TableView
from bot.service import CommandFactory, Outcome, Requester, Service, TableRow
from bot.show.actions import SetUpHere
from bot.show.cards import Card, text_card
from bot.show.narration import headlines_text
from cogs.answers import answer_to

log = logging.getLogger(__name__)

SNOWFLAKE_MAX = 20
"""The most digits of a Discord id."""


@dataclass(frozen=True)
class Place:
    """Where an interaction comes from: the table, and the negotiation if it is in one's thread.

    ``private``: the other players do not read there, since it is a DM or a private thread.
    """

    table_id: int
    negotiation: int | None = None
    private: bool = False


SET_UP = (LabelledAction("Set up a table", SetUpHere(0)),)
"""The button to show where there is no table."""


class SeveralTables(Refused):
    """A person at several tables used a command in a DM. `cogs.errors` asks which table they mean."""

    def __init__(self, rows: Sequence[TableRow]) -> None:
        super().__init__("", "You sit at several tables.", "Choose which one your DMs are about.")
        self.rows = rows


class CommandContext:
    """Gives the cogs the service and delivery."""

    def __init__(self, service: Service, delivery: Delivery) -> None:
        self.service = service
        self.delivery = delivery

    # ---------------------------------------------------------------- which table

    async def place(self, interaction: discord.Interaction, *, from_memory: bool = False) -> Place:
        """Return the place of an interaction: by its channel or thread, or in a DM by the person's tables.

        ``from_memory``: see `view`. Raises `Refused` when there is no table, and `SeveralTables` in a DM when the
        person has not chosen among several.
        """
        hurried = from_memory or _cannot_wait(interaction)
        if interaction.guild_id is None:
            return Place(await self._dm_table(requester(interaction), from_memory=hurried), private=True)
        row = await self.service.table_at(interaction.channel_id or 0, requester(interaction), from_memory=hurried)
        if row is not None:
            return Place(row.id)
        return await self._thread(interaction, from_memory=hurried)

    async def table_id(self, interaction: discord.Interaction, *, from_memory: bool = False) -> int:
        """Return the id of the table of an interaction; see `place`."""
        return (await self.place(interaction, from_memory=from_memory)).table_id

    async def last_table_id(self, interaction: discord.Interaction) -> int:
        """Return the id of the channel's open table, or of its last one. For commands that look back."""
        channel = interaction.channel
        parent = channel.parent_id if isinstance(channel, discord.Thread) else None
        for channel_id in (interaction.channel_id, parent) if interaction.guild_id is not None else ():
            if channel_id and (row := await self.service.last_table_at(channel_id, requester(interaction))):
                return row.id
        return await self.table_id(interaction)

    async def _thread(self, interaction: discord.Interaction, *, from_memory: bool) -> Place:
        channel, who = interaction.channel, requester(interaction)
        parent_id = channel.parent_id if isinstance(channel, discord.Thread) else 0
        parent = await self.service.table_at(parent_id, who, from_memory=from_memory) if parent_id else None
        if parent is None or not isinstance(channel, discord.Thread):
            raise Refused("", "There is no table in this channel.", "/table open opens one.", SET_UP)
        negotiation = await self.delivery.negotiation_in(parent.id, channel.id)
        return Place(parent.id, negotiation, private=negotiation is not None or channel.is_private())

    async def _dm_table(self, who: Requester, *, from_memory: bool) -> int:
        rows = await self.service.tables_of(who, from_memory=from_memory)
        if not rows:
            raise Refused("", "You sit at no table.", "Open one in a channel with /table open.")
        if len(rows) == 1:
            return rows[0].id
        chosen = await self.service.dm_choice(who, from_memory=from_memory)
        if chosen is None or all(row.id != chosen for row in rows):
            raise SeveralTables(rows)
        return chosen

    # ---------------------------------------------------------------- looking and acting

    async def view(
        self,
        interaction: discord.Interaction,
        table_id: int | None = None,
        *,
        offers: Iterable[int] = (),
        deals: Iterable[int] = (),
        from_memory: bool = False,
    ) -> TableView:
        """Return the table as the person who acts may see it, including these offers and deals even if they are over.

        ``from_memory``: do not wait for the database, because a form can't be deferred. Completions never wait.
        """
        hurried = from_memory or _cannot_wait(interaction)
        at = await self.table_id(interaction, from_memory=hurried) if table_id is None else table_id
        return await self.service.view(at, requester(interaction), offers=offers, deals=deals, from_memory=hurried)

    async def last_view(self, interaction: discord.Interaction) -> TableView:
        """Return the view of the last open table of the channel; see `last_table_id`."""
        return await self.view(interaction, await self.last_table_id(interaction))

    async def execute(
        self,
        interaction: discord.Interaction,
        command: Command | CommandFactory,
        *,
        table_id: int | None = None,
    ) -> Outcome:
        """Execute a command at a table, by default that of `place`, without a reply. Raises `Refused`.

        Delivery shows others what the command changes.
        """
        at = await self.table_id(interaction) if table_id is None else table_id
        return await self.service.execute(at, requester(interaction), command)

    async def execute_publicly(
        self,
        interaction: discord.Interaction,
        command: Command | CommandFactory,
        *,
        table_id: int | None = None,
        text: Callable[[Outcome], str] | None = None,
        privately: Callable[[Outcome], Card | None] = lambda outcome: None,
    ) -> None:
        """Execute a command and reply to everybody. Raises `Refused`.

        In the table's channel, the reply is the message with the command's headlines, or with ``text`` in their place.
        Elsewhere the reply appears there, and delivery sends the headlines to the channel. ``privately`` returns a card
        for the person alone. During the set-up, changes that the set-up's message shows are told to the person alone.
        """
        at = await self.table_id(interaction) if table_id is None else table_id
        async with self.delivery.turn(at) as turn:
            outcome = await self.execute(interaction, command, table_id=at)
            claim = await _claimed(turn, interaction, (Headlines,), outcome)
        said = text(outcome) if text else headlines_text(outcome.public)
        if claim is not None and isinstance(claim.subject, SetUp):
            await answer_to(interaction).show(claim)
        elif claim is not None:
            await answer_to(interaction).show(claim.saying(text_card(said)) if text else claim)
        elif shown_by_setup(outcome):
            await answer_to(interaction).update(text_card(said))
        else:
            await reply(interaction, said, public=True)
        if (card := privately(outcome)) is not None:
            await reply(interaction, card)
        await self._tell_unreached(interaction, turn)

    async def execute_in_setup(
        self,
        interaction: discord.Interaction,
        command: Command | CommandFactory,
        *,
        table_id: int,
        text: Callable[[Outcome], str],
    ) -> None:
        """Execute a command of the set-up. Raises `Refused`.

        The response to a press in the set-up's message updates that message. Otherwise the person gets the text; after
        play has begun, everybody gets it.
        """
        async with self.delivery.turn(table_id) as turn:
            outcome = await self.execute(interaction, command, table_id=table_id)
            claim = await _claimed(turn, interaction, (), outcome)
        if claim is not None and isinstance(claim.subject, SetUp):
            await answer_to(interaction).show(claim)
            return
        private = interaction.message is not None and interaction.message.flags.ephemeral
        if private or shown_by_setup(outcome):
            await answer_to(interaction).update(text_card(text(outcome)))
        if not shown_by_setup(outcome):
            await reply(interaction, text(outcome), public=True)

    async def execute_privately(
        self,
        interaction: discord.Interaction,
        command: Command | CommandFactory,
        message: Callable[[Outcome], str | Card],
        *,
        table_id: int | None = None,
        beside: Callable[[Outcome, Claim, Turn], str | Card | None] = lambda outcome, claim, turn: None,
    ) -> None:
        """Execute a command. Reply with the shared message that it changes, or with ``message`` to the person.

        A press updates the pressed message; a new offer in the channel is the reply to posting it. In these cases
        ``beside`` returns what to tell the person as well. Raises `Refused`.
        """
        at = await self.table_id(interaction) if table_id is None else table_id
        async with self.delivery.turn(at) as turn:
            outcome = await self.execute(interaction, command, table_id=at)
            claim = await _claimed(turn, interaction, (OfferCard, PublicDeal), outcome)
        if claim is None:
            await _in_place(interaction, message(outcome))
        elif interaction.guild_id is None:  # only the person reads the pressed message, so it shows the result
            await answer_to(interaction).show(_with_answer(claim, message(outcome)))
        else:
            await answer_to(interaction).show(claim)
            more = message(outcome) if claim.retires else beside(outcome, claim, turn)
            if more is not None:
                await reply(interaction, more)
        await self._tell_unreached(interaction, turn)

    async def _tell_unreached(self, interaction: discord.Interaction, turn: Turn) -> None:
        """Tell the person who acted which users were not reached by DM."""
        if unreached := [user for user in await turn.unreached() if user != interaction.user.id]:
            await reply(interaction, _pinged(unreached))


def shown_by_setup(outcome: Outcome) -> bool:
    """Return whether the set-up's message shows everything that a command did."""
    game = game_named(outcome.view.game)
    return outcome.view.setup is not None and all(told(game, entry) for entry in outcome.public)


def requester(interaction: discord.Interaction) -> Requester:
    """Return the requester of an interaction. Only names from a server are stored, where they may be nicknames.

    Raises `Refused` for a bot.
    """
    if interaction.user.bot:
        raise Refused("", "Bots don't play.", "A person can.")
    on_server = interaction.guild_id is not None
    return Requester(
        user_id=interaction.user.id,
        name=interaction.user.display_name if on_server else "",
        guild_id=interaction.guild_id,
        manages_guild=on_server and interaction.permissions.manage_guild,
        interaction=interaction.id,
        present=_present(interaction) if on_server else (),
    )


def _present(interaction: discord.Interaction) -> tuple[int, ...]:
    """Return the users named in a command who are on the server, according to Discord."""
    data: Any = interaction.data
    resolved = data.get("resolved") if isinstance(data, dict) else None
    members = resolved.get("members") if isinstance(resolved, dict) else None
    named = [str(user) for user in members] if isinstance(members, dict) else []
    return tuple(int(user) for user in named if user.isdecimal() and len(user) <= SNOWFLAKE_MAX)


async def reply(interaction: discord.Interaction, message: str | Card, *, public: bool = False) -> None:
    """Respond, or send a follow-up if there is a response. Only the person sees it, unless ``public``."""
    await answer_to(interaction).send(message, public=public)


async def _in_place(interaction: discord.Interaction, message: str | Card) -> None:
    """Replace the pressed message if only this person sees it; otherwise reply."""
    pressed = interaction.message
    if pressed is None or not pressed.flags.ephemeral:
        await reply(interaction, message)
    else:
        await answer_to(interaction).update(message if isinstance(message, Card) else text_card(message))


def _cannot_wait(interaction: discord.Interaction) -> bool:
    """Return whether this is a completion: Discord waits three seconds for one, and it can't be deferred."""
    return interaction.type is discord.InteractionType.autocomplete


async def _claimed(
    turn: Turn, interaction: discord.Interaction, kinds: tuple[type[Subject], ...], outcome: Outcome
) -> Claim | None:
    """Return the message that the response is to show. If planning fails, delivery plans the messages later."""
    pressed = interaction.message.id if interaction.message is not None else None
    first = outcome.entries[0].seq if outcome.entries else 0
    try:
        return await turn.answer(Where(interaction.channel_id or 0, pressed), kinds, first)
    except LedgerError as error:  # the command itself is recorded
        log.error("table %d: its messages could not be planned", outcome.table_id, exc_info=error)
    except Exception:  # a defect in planning must not make the command look failed
        log.exception("table %d: its messages could not be planned", outcome.table_id)
    return None


def _with_answer(claim: Claim, answer: str | Card) -> Claim:
    """Return the claim with the answer, which replaces a settled prompt or becomes a line above the card."""
    if isinstance(answer, Card):
        return claim.saying(answer) if claim.retires else claim
    if claim.retires:
        return claim.saying(Card("over", (answer,)))
    card = claim.card
    return claim.saying(Card(card.mood, (answer, *card.blocks), card.rows, card.picture))


def _pinged(unreached: Sequence[int]) -> str:
    users = " and ".join(f"<@{user}>" for user in unreached)
    return f"{users} can't be reached by DM, so I pinged them in the channel."
