"""/cards: draw and buy trade cards, show the hand and the value of its sets, and turn cards in."""

from __future__ import annotations

import re

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.api import NOTHING, QUOTE_MAX, Goods, Refused, TableView, game_named, quoted
from bot.api.discord import (
    LABEL_MAX,
    Button,
    Card,
    CommandContext,
    Form,
    Outcome,
    Router,
    Text,
    answer_to,
    card_options,
    choices,
    digest_of_hand,
    goods_text,
    holdings_card,
    holdings_text,
    own_seat,
    picked,
    picks,
    read_goods,
    read_picked,
    reply,
    seat_choices,
    seat_of,
    spent_goods,
    submitted,
    write_picked,
)
from bot.games.advciv.actions import (
    CitiesForm,
    CitiesPrompt,
    SurrenderForm,
    SurrenderPicked,
    SurrenderPrompt,
    TakeAnswer,
)
from bot.games.advciv.cards import card_of
from bot.games.advciv.commands import (
    AnswerTake,
    BuyCard,
    DrawCards,
    LoseCards,
    SayCities,
    SurrenderCards,
    TakeCard,
)
from bot.games.advciv.entries import CardBought, CardsDrawn, CardsLost, CardTaken
from bot.games.advciv.sets import describe_sets, mined, worth
from cogs.advciv.chance import new_chance
from data.advciv import commodities

MINEABLE = [(card.name, card.id) for card in commodities().values() if card.mineable]

FIELDS = ("cards", "more")
"""The ids of the fields for cards to turn in; no hand fills more."""


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Cards(commands.GroupCog, group_name="cards", group_description="Trade cards: draw, buy, look, turn in"):
    """The /cards commands."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(CitiesPrompt, self.asked_for_cities)
        router.on(CitiesForm, self.said_cities)
        router.on(TakeAnswer, self.answered)
        router.on(SurrenderPrompt, self.asked)
        router.on(SurrenderForm, self.sent)
        router.on(SurrenderPicked, self.turned_in)

    @app_commands.command(name="draw", description="You draw a trade card for each of your cities")
    @app_commands.describe(cities="How many cities you have", player="For hosts: who draws")
    async def draw(
        self,
        interaction: discord.Interaction,
        cities: app_commands.Range[int, 0, 9],
        player: discord.User | None = None,
    ) -> None:
        """Draw cards, and show them to the person who drew."""
        view = await self._context.view(interaction)
        seat = seat_of(view, player) if player else None
        command = DrawCards(cities, new_chance(), seat)
        await self._context.execute_publicly(interaction, command, table_id=view.id, privately=_drawn)

    @app_commands.command(name="cities", description="You say how many cities you have. When all have, all draw")
    @app_commands.describe(cities="How many cities you have", player="For hosts: whose cities")
    async def cities(
        self,
        interaction: discord.Interaction,
        cities: app_commands.Range[int, 0, 9],
        player: discord.User | None = None,
    ) -> None:
        """Say how many cities the person has, and if all draw now, show them what they drew."""
        view = await self._context.view(interaction)
        seat = seat_of(view, player) if player else None
        command = SayCities(cities, new_chance(), seat)
        await self._context.execute_publicly(interaction, command, table_id=view.id, privately=_drawn)

    async def asked_for_cities(self, interaction: discord.Interaction, press: CitiesPrompt) -> None:
        """Handle **My cities** of the board."""
        own_seat(await self._context.view(interaction, press.table, from_memory=True))
        number = Text("cities", "How many cities you have", "", "0 to 9. You can change it until all have said")
        await answer_to(interaction).open(Form("My cities", CitiesForm(press.table), (number,)))

    async def said_cities(self, interaction: discord.Interaction, form: CitiesForm) -> None:
        """Say how many cities the person has, as they wrote in the form."""
        command = SayCities(_number(submitted(interaction).get("cities", [""])[0]), new_chance())
        await self._context.execute_publicly(interaction, command, table_id=form.table, privately=_drawn)

    @app_commands.command(name="buy", description="You buy a card from the ninth stack for 18 tokens of your treasury")
    async def buy(self, interaction: discord.Interaction) -> None:
        """Buy a card, and show it to the buyer."""
        await self.buy_at(interaction)

    async def buy_at(self, interaction: discord.Interaction, table_id: int | None = None) -> None:
        """Do the same at a table, by default that of the channel."""
        await self._context.execute_publicly(interaction, BuyCard(), table_id=table_id, privately=_drawn)

    @app_commands.command(name="hand", description="The trade cards you hold. Only you see them")
    async def hand(self, interaction: discord.Interaction) -> None:
        """Show the person's own hand."""
        view, seat = await self._own(interaction)
        await reply(interaction, holdings_card(view, seat))

    @app_commands.command(name="sets", description="What your sets are worth. Only you see it")
    @app_commands.describe(mining="If you have Mining: the set it is to count for")
    async def sets(self, interaction: discord.Interaction, mining: str | None = None) -> None:
        """Show what the person's sets are worth, with or without Mining."""
        view, seat = await self._own(interaction)
        _require_tracked(view)
        await reply(interaction, _sets_card(view.seats[seat].known, mining))

    @app_commands.command(name="take", description="You eliminated a city: a card from its owner's hand, by chance")
    @app_commands.rename(loser="from")
    @app_commands.describe(
        loser="Whose city it was. They are asked",
        player="For hosts: who takes it; then nobody is asked",
        nation="For hosts: a nation that nobody plays any more, in place of a player",
    )
    async def take(
        self,
        interaction: discord.Interaction,
        loser: discord.User | None = None,
        player: discord.User | None = None,
        nation: str | None = None,
    ) -> None:
        """Ask for a card of another's hand, or as a host say that it is taken."""
        view = await self._context.view(interaction)
        other = _hand_meant(view, loser, nation)
        if other is None:
            raise Refused("", "Whose city was it?", "Name its player: /cards take from.")
        command = TakeCard(other, new_chance(), seat_of(view, player) if player else None)
        await self._context.execute_publicly(interaction, command, table_id=view.id)

    @app_commands.command(name="keep", description="You say that somebody who asks for a card of yours gets none")
    @app_commands.rename(taker="from")
    @app_commands.describe(taker="Who asks")
    async def keep(self, interaction: discord.Interaction, taker: discord.User) -> None:
        """Decline to have a card taken."""
        view = await self._context.view(interaction)
        await self._answer(interaction, view.id, seat_of(view, taker), agreed=False)

    @app_commands.command(name="lose", description="You lose cards, picked by chance: when you leave, or to who asks")
    @app_commands.describe(
        cards="How many go back to the stacks",
        cities="Or how many cities are left: all but one card for each goes",
        to="Or who eliminated your city, and asks for a card",
        player="For hosts: whose cards go; say how many cities are left",
        nation="For hosts: a nation that nobody plays any more, in place of a player",
    )
    async def lose(
        self,
        interaction: discord.Interaction,
        cards: app_commands.Range[int, 1, 99] | None = None,
        cities: app_commands.Range[int, 0, 9] | None = None,
        to: discord.User | None = None,
        player: discord.User | None = None,
        nation: str | None = None,
    ) -> None:
        """Lose cards at random, to the stacks or to a player who asks for one."""
        view = await self._context.view(interaction)
        if to is not None:
            if not cards == cities == player == nation is None:
                raise Refused("", "A card that a player takes goes by itself.", "Leave out all but to.")
            await self._answer(interaction, view.id, seat_of(view, to), agreed=True)
            return
        command = LoseCards(new_chance(), cards, cities, _hand_meant(view, player, nation))
        await self._context.execute_publicly(interaction, command, table_id=view.id, privately=lost_card)

    async def answered(self, interaction: discord.Interaction, press: TakeAnswer) -> None:
        """Handle the answer to the question whether a card is taken."""
        await self._answer(interaction, press.table, press.seat, agreed=press.agreed)

    async def _answer(self, interaction: discord.Interaction, table_id: int, seat: str, *, agreed: bool) -> None:
        """Let this seat take a card of the person's hand, and show them which it was; or don't."""
        command = AnswerTake(seat, agreed, new_chance())
        await self._context.execute_publicly(interaction, command, table_id=table_id, privately=lost_card)

    @app_commands.command(name="surrender", description="After trading: turn in cards you spend, or have too many of")
    @app_commands.rename(written="cards")
    @app_commands.describe(
        written="Which, for example: 3 salt, grain. Leave out to pick them",
        mining="If you have Mining: the set it counts for, once a turn",
    )
    async def surrender(
        self, interaction: discord.Interaction, written: str | None = None, mining: str | None = None
    ) -> None:
        """Turn in cards, or without any open a form to pick them."""
        if written is None:
            view, seat = await self._own(interaction)
            await _ask(interaction, view, seat)
            return
        view = await self._context.view(interaction)
        command = SurrenderCards(read_goods(view, written, None), mining or "")
        await self._context.execute_publicly(interaction, command, table_id=view.id)

    async def asked(self, interaction: discord.Interaction, press: SurrenderPrompt) -> None:
        """Handle **Turn in cards** under the prompt, and **Spend cards** of the board."""
        view = await self._context.view(interaction, press.table, from_memory=True)
        await _ask(interaction, view, own_seat(view))

    async def sent(self, interaction: discord.Interaction, form: SurrenderForm) -> None:
        """Show what a submitted form turns in, and what that makes of the sets, with the button that does it."""
        values = submitted(interaction)
        view = await self._context.view(interaction, form.table)
        given = picked(view, [value for field in FIELDS for value in values.get(field, [])])
        await reply(interaction, _turn_in_card(view, own_seat(view), given, values.get("mining", [""])[0]))

    async def turned_in(self, interaction: discord.Interaction, press: SurrenderPicked) -> None:
        """Handle **Turn in** with the cards on its label."""
        view = await self._context.view(interaction, press.table)
        given = read_picked(_commodities(view, own_seat(view)), press.picked, press.hand)
        if given is None:
            raise Refused("", "Your hand has changed since this was drawn.", "Press Turn in cards once more.")
        await self._context.execute_publicly(interaction, SurrenderCards(given, press.mining), table_id=press.table)

    async def _own(self, interaction: discord.Interaction) -> tuple[TableView, str]:
        """Return the table and the person's own seat. Raises `Refused`, also at a table of another game."""
        view = await self._context.view(interaction, from_memory=True)  # it may open a form
        if view.game != "advciv":
            raise Refused("", "There are no trade cards in this game.", "/holdings show tells what you have.")
        return view, own_seat(view)

    # ---------------------------------------------------------------- autocomplete

    @take.autocomplete("nation")
    @lose.autocomplete("nation")
    async def _nations(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        view = await self._context.view(interaction)
        left = (seat for seat in view.seats.values() if seat.person is None)
        return seat_choices(view, ((seat.name, seat.id) for seat in left), typed)

    @sets.autocomplete("mining")
    @surrender.autocomplete("mining")
    async def _mineable(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return choices(MINEABLE, typed)

    @surrender.autocomplete("written")
    async def _own_cards(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
        return spent_goods(await self._context.view(interaction), typed)


def _number(text: str) -> int:
    """Return a number of cities as a person wrote it. Raises `Refused` for anything else."""
    if not re.fullmatch(r"\s*[0-9]\s*", text):
        raise Refused("", f"“{quoted(text[:QUOTE_MAX])}” is no number of cities.", "Write one from 0 to 9.")
    return int(text)


def _hand_meant(view: TableView, user: discord.User | None, nation: str | None) -> str | None:
    """Return the seat of a user, or of a nation that nobody plays; None for neither. Raises `Refused`."""
    if user is not None:
        return seat_of(view, user)
    if nation is None:
        return None
    option = game_named(view.game).seats.find(nation)
    if option is None or option.id not in view.seats:
        name = quoted(nation[:QUOTE_MAX])
        raise Refused("", f"Nobody has played “{name}” here.", "Pick one from the list as you type.")
    return option.id


async def _ask(interaction: discord.Interaction, view: TableView, seat: str) -> None:
    """Open the form with the commodities that can be turned in. Raises `Refused` when there are none."""
    held = _commodities(view, seat)
    if not held:
        raise Refused("", "You have no commodity cards.", "/cards hand tells what you have.")
    cards = picks(FIELDS, "Which cards go", card_options(view, held, NOTHING))
    mining = Text("mining", "Mining counts for", "", "If you have it")
    form = Form("Turn in cards", SurrenderForm(view.id), (*cards, mining))
    await answer_to(interaction).open(form)


def _commodities(view: TableView, seat: str) -> Goods:
    return view.seats[seat].known.of_kind("commodity")


def _turn_in_card(view: TableView, seat: str, given: Goods, mining: str) -> Card:
    """Return what turning these cards in means. Raises `Refused` for nothing, for cards that are not in the hand, and
    where Mining can't count.
    """
    held = _commodities(view, seat)
    if not given:
        raise Refused("", "You chose no cards.", "Press Turn in cards once more.")
    if missing := held.missing(given):
        what = game_named(view.game).goods.describe(missing)
        raise Refused("", f"You don't have {what}.", "/cards hand tells what you have.")
    token = mined(given, mining) if mining else None
    with_mining = f", with Mining on {card_of(token).name}" if token else ""
    goods = game_named(view.game).goods.describe(given)
    lines = (
        f"### Turn in {given.total()} card{'' if given.total() == 1 else 's'}",
        f"{goods_text(view, given)} go back to the stacks, worth **{worth(given, token)}**{with_mining}. "
        f"Your sets: **{worth(held)}** now, **{worth(held - given)}** then.",
        "-# Everybody sees it, and it can't be taken back.",
    )
    press = SurrenderPicked(
        view.id, write_picked(held, given), digest_of_hand(held), token.partition(":")[2] if token else ""
    )
    label = f"Turn in {goods}"
    button = Button(label if len(label) <= LABEL_MAX else f"Turn in {given.total()} cards", press, "danger")
    return Card("waiting", lines, ((button,),))


def _sets_card(held: Goods, mining: str | None) -> Card:
    """Return what the sets of a hand are worth. Raises `Refused` if Mining can't count for the named set."""
    token = mined(held, mining) if mining else None
    lines = [f"**{line}**" for line in describe_sets(held, token)] or ["You hold no commodities."]
    more = f" With Mining on {card_of(token).name}; without it {worth(held)}." if token else ""
    return Card("open", ("\n".join(lines), f"Together **{worth(held, token)}**.{more}"))


def _require_tracked(view: TableView) -> None:
    if not view.tracked:
        raise Refused("", "This table does not keep count of holdings.", "The host can change that: /table settings.")


def _drawn(outcome: Outcome) -> Card | None:
    """Return the cards that the viewer drew or bought, and what they have now; None if only others did."""
    view = outcome.view
    for drawn in outcome.entries:
        entry, mine = drawn.entry, view.seat in drawn.mine
        if view.seat and isinstance(entry, CardsDrawn | CardBought) and entry.seat == view.seat and mine:
            gained = game_named(view.game).goods.describe((entry.hidden or {})[view.seat].gained)
            how = "bought" if isinstance(entry, CardBought) else "drew"
            return Card("open", (f"### You {how} {gained}\n-# Only you see this.", holdings_text(view, view.seat)))
    return None


def lost_card(outcome: Outcome) -> Card | None:
    """Return the cards that the viewer lost by chance, and what they have now; None if only others did."""
    view = outcome.view
    for lost in outcome.entries:
        entry = lost.entry
        if not isinstance(entry, CardTaken | CardsLost) or entry.by_host:
            continue
        seat = entry.other if isinstance(entry, CardTaken) else entry.seat
        if seat == view.seat and seat in lost.mine:
            gone = game_named(view.game).goods.describe((entry.hidden or {})[seat].lost)
            knows = "you two see" if isinstance(entry, CardTaken) else "you see"
            return Card("open", (f"### You lost {gone}\n-# Only {knows} this.", holdings_text(view, seat)))
    return None
