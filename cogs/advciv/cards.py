"""/cards: draw and buy trade cards, show the hand and the value of its sets, and turn cards in."""

from __future__ import annotations

import re
from itertools import chain
from typing import Annotated

from discord import User, app_commands
from discord.ext import commands

from bot.api import (
    NOTHING,
    QUOTE_MAX,
    Command,
    Gain,
    Goods,
    Press,
    Refused,
    Spend,
    TableView,
    digest_of_hand,
    game_named,
    quoted,
)
from bot.api.discord import (
    LABEL_MAX,
    Button,
    Card,
    Choices,
    Form,
    Menu,
    MultiSelect,
    Outcome,
    Request,
    Router,
    Seat,
    Text,
    card_options,
    change_goods,
    choices,
    holdings_card,
    holdings_text,
    in_dms_too,
    names,
    own_seat,
    picks,
    read_goods,
    rows_of,
    seat_choices,
    seat_of,
    selected_goods,
    slash,
    spent_goods,
)
from bot.games.advciv.cards import box, card_of, count_cities, in_order
from bot.games.advciv.cities import CitiesForm, CitiesPrompt, SayCities
from bot.games.advciv.drawing import AskBuy, BuyCard, CardBought, CardsDrawn, DrawCards
from bot.games.advciv.holdings import AskCardsCame, AskCardsWent, CardsCameForm, CardsWentForm
from bot.games.advciv.losing import CardsLost, LoseCards, LoseForm, LosePrompt
from bot.games.advciv.sets import describe_sets, mined, worth
from bot.games.advciv.surrendering import (
    CardsSurrendered,
    SurrenderCards,
    SurrenderPicked,
    TakeBackCards,
)
from bot.games.advciv.taking import AnswerTake, CardTaken, TakeCard, TakePrompt
from cogs.advciv.surrendering import ask
from data.advciv import NINTH_STACK_PRICE, commodities

MINEABLE = [(card.name, card.id) for card in commodities().values() if card.mineable]

WRITTEN = Text("written", "Or write them", hint="3 salt, famine")
"""The field of a form of cards for what its lists don't hold, as three of a kind."""

Cities = app_commands.Range[int, 0, 9]


def _nations(view: TableView, typed: str) -> Choices:
    left = (seat for seat in view.seats.values() if seat.person is None)
    return seat_choices(view, ((seat.name, seat.id) for seat in left), typed)


async def _mineable(request: Request, typed: str) -> Choices:
    return choices(MINEABLE, typed)


async def _respond(request: Request, command: Command) -> None:
    """Execute a command, and show the person what it did to their own hand, or else what
    happened.
    """
    await request.respond(command, _own_card, beside=lambda outcome, _: _own_card(outcome))


@in_dms_too
class Cards(
    commands.GroupCog, group_name="cards", group_description="Trade cards: draw, buy, look, turn in"
):
    """The /cards commands."""

    def __init__(self, router: Router) -> None:
        router.on(CitiesPrompt, self.asked_for_cities)
        router.on(CitiesForm, self.said_cities)
        router.on(TakePrompt, self.asked_whose)
        router.on(LosePrompt, self.asked_how_many)
        router.on(LoseForm, self.lost)
        router.on(AskBuy, self.ask_buy)
        router.on(AskCardsCame, self.ask_came)
        router.on(CardsCameForm, self.picked)
        router.on(AskCardsWent, self.ask_went)
        router.on(CardsWentForm, self.picked)
        router.on(BuyCard, _respond)
        router.on(SurrenderPicked, _respond)
        router.on(TakeBackCards, Request.respond)
        router.on(AnswerTake, _respond)

    @slash("draw", "Draw a trade card for each of your cities", _respond)
    def draw(
        self,
        cities: Annotated[Cities, "How many cities you have"],
        player: Annotated[Seat | None, "For hosts: who draws"] = None,
    ) -> Command:
        return DrawCards(cities, player)

    @slash("cities", "Say how many cities you have. Once everybody has, all draw", _respond)
    def cities(
        self,
        cities: Annotated[Cities, "How many cities you have"],
        player: Annotated[Seat | None, "For hosts: whose cities"] = None,
    ) -> Command:
        return SayCities(cities, player)

    async def asked_for_cities(self, request: Request, press: CitiesPrompt) -> None:
        request.accepts_cached = True
        own_seat(await request.view())
        numbers = tuple((count_cities(many), str(many), "") for many in range(10))
        field = Menu(
            "cities",
            "How many cities you have",
            numbers,
            "You can change it until everybody has said.",
        )
        await request.answer.open(Form("My cities", CitiesForm(press.table, press.since), (field,)))

    async def said_cities(self, request: Request, form: CitiesForm) -> None:
        text = request.text_submitted("cities")
        if not re.fullmatch(r"\s*[0-9]\s*", text):
            raise Refused("How many cities do you have?", "Pick a number from 0 to 9.")
        await _respond(request, SayCities(int(text), since=form.since))

    buy = slash("buy", "Buy a card from the ninth stack for 18 treasury tokens", _respond)(BuyCard)

    async def ask_buy(self, request: Request, press: AskBuy) -> None:
        """Handle **Buy a card** of the board's menu: ask the person to confirm."""
        view = await request.view()
        hand = digest_of_hand(view.seats[own_seat(view)].known)
        text = (
            f"Buy a card from the ninth stack? It costs {NINTH_STACK_PRICE} tokens of your "
            "treasury, and it is never "
            "put back.\n-# [27.5]"
        )
        button = Button("Buy it", Press(view.id, BuyCard(hand, view.window.since)), "primary")
        await request.reply(Card("waiting", text, ((button,),)))

    async def ask_came(self, request: Request, press: AskCardsCame) -> None:
        """Handle **Cards came…** under a player's own hand: open the form with every card in the
        box.
        """
        request.accepts_cached = True
        view = await request.view()
        own_seat(view)
        kinds = [card_options(view, Goods({token: 2}), NOTHING) for token in in_order(box())]
        goods = [each for each in kinds if each[0][1].startswith("commodity:")]
        fields: tuple[MultiSelect | Text, ...] = (
            *picks(("cards",), "Which cards came", [each[0] for each in goods]),
            *picks(
                ("more",),
                "Two of a kind: which is the second",
                [(each[0][0], *each[1][1:]) for each in goods],
            ),
            *picks(("calamities",), "Calamities", [each[0] for each in kinds if each not in goods]),
            WRITTEN,
        )
        await request.answer.open(Form("Cards came to your hand", CardsCameForm(view.id), fields))

    async def ask_went(self, request: Request, press: AskCardsWent) -> None:
        """Handle **Cards went…** under a player's own hand: open the form with every card in it."""
        request.accepts_cached = True
        view = await request.view()
        options = card_options(view, view.seats[own_seat(view)].known, NOTHING)
        if not options:
            raise Refused("You have no cards.", "**Cards came…** adds those you draw.")
        lists = picks(("cards", "more", "rest"), "Which cards went", options)
        fields: tuple[MultiSelect | Text, ...] = (*lists, WRITTEN)
        await request.answer.open(Form("Cards left your hand", CardsWentForm(view.id), fields))

    async def picked(self, request: Request, form: CardsCameForm | CardsWentForm) -> None:
        """Add the cards picked or written in either form to the person's hand, or take them.
        Raises `Refused` for none.
        """
        values = request.submitted()
        written = "".join(values.pop(WRITTEN.id, ()))
        view = await request.view()
        goods = selected_goods(view, chain.from_iterable(values.values()))
        goods += read_goods(view, written, view.seat)
        change = Gain if isinstance(form, CardsCameForm) else Spend
        await change_goods(request, change(goods))

    @slash("hand", "The trade cards you hold. Only you see them")
    async def hand(self, request: Request) -> None:
        """Show the person's own hand."""
        view, seat = await self._own(request)
        await request.reply(holdings_card(view, seat))

    @slash("sets", "What your sets are worth. Only you see it")
    async def sets(
        self,
        request: Request,
        mining: Annotated[
            str | None, "If you have Mining: the set it counts for", _mineable
        ] = None,
    ) -> None:
        """Show what the person's sets are worth, with or without Mining."""
        view, seat = await self._own(request)
        if not view.tracked:
            remedy = "The host can change that: **Settings** under **Menu**, **Host…**."
            raise Refused("This table does not keep count of holdings.", remedy)
        held = view.seats[seat].known
        token = mined(held, mining) if mining else None
        lines = describe_sets(held, token) or ["You hold no commodities."]
        more = f" With Mining on {card_of(token).name}; without it {worth(held)}." if token else ""
        await request.reply(
            Card("open", ("\n".join(lines), f"Together **{worth(held, token)}**.{more}"))
        )

    @slash("take", "You eliminated a city: take a card from its owner's hand, by chance")
    async def take(
        self,
        request: Request,
        from_: Annotated[User | None, "Whose city it was. They are asked"] = None,
        player: Annotated[User | None, "For hosts: who takes it. Nobody is asked then"] = None,
        nation: Annotated[
            str | None,
            "For hosts: instead of a player, a nation that nobody plays any more",
            _nations,
        ] = None,
    ) -> None:
        """Ask for a card from another's hand, or confirm as a host that it is taken."""
        view = await request.view()
        other = _hand_meant(view, from_, nation)
        if other is None:
            raise Refused("Whose city was it?", "Name its player.")
        await request.respond(TakeCard(other, seat_of(view, player)))

    async def asked_whose(self, request: Request, press: TakePrompt) -> None:
        """Handle **Take a card** of the board's menu: ask whose city was eliminated."""
        view = await request.view()
        own_seat(view)
        buttons = []
        for seat in view.others(view.seat):
            label = f"Take a card of {names.plain_player(view, seat)}"
            buttons.append(Button(label, Press(view.id, TakeCard(seat))))
        text = (
            "### Whose city did you eliminate?\nThey are asked; then you take a card of theirs by "
            "chance.\n-# [24.51]"
        )
        await request.reply(Card("waiting", text, rows_of(buttons)))

    @slash("keep", "Refuse somebody who asks for one of your cards")
    def keep(self, from_: Annotated[Seat, "Who asked"]) -> Command:
        return AnswerTake(from_, agreed=False)

    @slash("lose", "Lose cards, picked by chance: when you leave, or to a player who asks")
    async def lose(
        self,
        request: Request,
        cards: Annotated[
            app_commands.Range[int, 1, 99] | None, "How many go back to the stacks"
        ] = None,
        cities: Annotated[
            Cities | None, "Or how many cities are left: you keep one card for each"
        ] = None,
        to: Annotated[User | None, "Or who eliminated your city and asks for a card"] = None,
        player: Annotated[
            User | None, "For hosts: whose cards go. Say how many cities are left"
        ] = None,
        nation: Annotated[
            str | None,
            "For hosts: instead of a player, a nation that nobody plays any more",
            _nations,
        ] = None,
    ) -> None:
        """Lose cards at random, to the stacks or to a player who asks for one."""
        view = await request.view()
        if to is not None:
            if not cards == cities == player == nation is None:
                raise Refused("Give a card to a player separately.", "Leave out everything but to.")
            await _respond(request, AnswerTake(seat_of(view, to), agreed=True))
        else:
            await _respond(request, LoseCards(cards, cities, _hand_meant(view, player, nation)))

    async def asked_how_many(self, request: Request, press: LosePrompt) -> None:
        """Handle **Lose cards** of the board's menu: open the form for the number of cards."""
        own_seat(await request.view())
        fields = (
            Text(
                "cards",
                "How many cards go",
                description="They go back to the stacks, picked by chance",
            ),
            Text(
                "cities",
                "Or how many cities are left",
                description="You keep one card for each [15.62]",
            ),
        )
        await request.answer.open(Form("Lose cards", LoseForm(press.table), fields))

    async def lost(self, request: Request, form: LoseForm) -> None:
        """Handle the submitted form: lose this number of cards, and show the person which ones."""
        values = request.submitted()
        cards, cities = (_number(values.get(field, [""])[0]) for field in ("cards", "cities"))
        await _respond(request, LoseCards(cards, cities))

    @slash("surrender", "After trading: turn in cards that you spend or have too many of")
    async def surrender(
        self,
        request: Request,
        cards_: Annotated[
            str | None,
            "Which cards, for example: 3 salt, grain. Leave out to pick them",
            spent_goods,
        ] = None,
        mining: Annotated[
            str | None, "If you have Mining: the set it counts for, once a turn", _mineable
        ] = None,
    ) -> None:
        """Turn in cards, or open a form to pick them if none are given."""
        if cards_ is None:
            view, seat = await self._own(request)
            await ask(request, view, seat)
        else:
            view = await request.view()
            goods = read_goods(view, cards_, view.seat)
            await _respond(request, SurrenderCards(goods, mining or ""))

    undo = slash("undo", "Take back the cards you turned in last, until the next turn begins")(
        TakeBackCards
    )

    async def _own(self, request: Request) -> tuple[TableView, str]:
        """Return the table and the person's own seat. Raises `Refused` without a seat or at a table
        of another game.
        """
        view = await request.view()  # it may open a form
        if view.game != "advciv":
            raise Refused(
                "There are no trade cards in this game.", "**My hand** lists what you have."
            )
        # what is one's own can be read while the table is paused
        return view, view.seat or own_seat(view)


def _number(text: str) -> int | None:
    """Parse a number, None for an empty text. Raises `Refused` for anything else."""
    if not text.strip():
        return None
    if not re.fullmatch(r"\s*[0-9]{1,2}\s*", text):
        raise Refused("That is not a number of cards or cities.", "Fill in one of the two. Try 2.")
    return int(text)


def _hand_meant(view: TableView, user: User | None, nation: str | None) -> str | None:
    """Return the seat of a user or nation; None if neither is given. Raises `Refused` if the seat
    can't be found.
    """
    if user is not None:
        return seat_of(view, user)
    if nation is None:
        return None
    option = game_named(view.game).seats.find(nation)
    if option is None or option.id not in view.seats:
        name = quoted(nation[:QUOTE_MAX])
        raise Refused(f"Nobody has played “{name}” here.", "Pick one from the list as you type.")
    return option.id


def _own_card(outcome: Outcome) -> Card | None:
    """Return a card with what the viewer drew, bought or lost, and their hand; None if only others
    did.

    For cards that they turned in, it has the button that takes them back.
    """
    view, seat = outcome.view, outcome.view.seat
    describe = game_named(view.game).goods.describe
    for each in outcome.entries:
        match each.entry:
            case CardsSurrendered(number=number, changes=changes) if (
                number and each.entry.seat == seat
            ):
                label = f"Take back {describe(changes[seat].lost)}"
                label = label if len(label) <= LABEL_MAX else "Take them back"
                button = Button(label, Press(view.id, TakeBackCards(number, view.window.since)))
                return Card(
                    "open",
                    "By mistake? You can take them back until the next turn begins.",
                    ((button,),),
                )
            case CardsDrawn(seat=whose, hidden=hidden) | CardBought(seat=whose, hidden=hidden):
                did, knows = "bought" if isinstance(each.entry, CardBought) else "drew", "you see"
            case (
                CardTaken(other=whose, hidden=hidden, by_host=False)
                | CardsLost(seat=whose, hidden=hidden, by_host=False)
            ):
                did, knows = (
                    "lost",
                    "you two see" if isinstance(each.entry, CardTaken) else "you see",
                )
            case _:
                continue
        if whose == seat and seat in each.mine:
            change = (hidden or {})[seat]
            goods = describe(change.lost if did == "lost" else change.gained)
            return Card(
                "open", (f"### You {did} {goods}\n-# Only {knows} this.", holdings_text(view, seat))
            )
    return None
