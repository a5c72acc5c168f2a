"""/commodities: records commodities gained and lost outside of trade."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

from discord import User, app_commands
from discord.ext import commands

from bot.api import Command, LabelledAction, Press, Refused, TableView
from bot.api.discord import (
    BoardPress,
    Button,
    Card,
    Choices,
    Form,
    Menu,
    Request,
    Router,
    Seat,
    Text,
    change_goods,
    choices,
    in_dms_too,
    names,
    own_seat,
    people,
    rows_of,
    seat_of,
    seats_written,
    slash,
)
from bot.games.ti4.commodities import Convert, GainCommodities
from bot.games.ti4.components import COMMODITY, TRADE_GOOD, icon
from bot.games.ti4.counting import Count, GoodsCounted
from bot.games.ti4.losses import LoseCommodities
from bot.games.ti4.my_goods import COSTS, AskCount, AskSpent, CountForm, buttons, spending
from bot.games.ti4.neighbors import seats_digest
from bot.games.ti4.pillage import AppealPillage, CallMentak, LetPillageGo, Pillage, SettlePillage
from bot.games.ti4.requests import Replenish
from bot.games.ti4.state import require_now
from bot.games.ti4.trade_card import GAIN, AskTrade, PickTrade, PlayTrade
from data.ti4 import commodity_losses

LABELS = {TRADE_GOOD: "Trade goods", COMMODITY: "Commodities"}
"""The fields of the form by which players count their own goods."""

MENU_MAX = 24
"""The highest number in a menu of that form: Discord's limit is 25 options."""

MORE_THAN = f"More than {MENU_MAX} trade goods"

OFTEN = 3
"""How many sums **Spent…** remembers."""

Amount = app_commands.Range[int, 1, 99]
Effect = app_commands.Range[str, 1, 60]
NAMES_MAX = 25
"""The most characters of names on the button that plays Trade. A phone shows that many."""

Players = app_commands.Range[str, 1, 300]


def _chosen(view: TableView, typed: str) -> Choices:
    others = view.others(view.seat)
    return people(view, typed, others)


async def _effects(request: Request, typed: str) -> Choices:
    losses = commodity_losses().values()
    also = {loss.name: loss.aliases for loss in losses}
    return choices(((loss.name, loss.name) for loss in losses), typed, also)


@in_dms_too
class Commodities(
    commands.GroupCog,
    group_name="commodities",
    group_description="Commodities: replenish, convert, gain, lose",
):
    """The /commodities commands, and the buttons of a player's own goods."""

    def __init__(self, router: Router) -> None:
        router.on(Count, change_goods)
        router.on(Replenish, change_goods)
        router.on(AskCount, self.ask_count)
        router.on(AskSpent, self.ask_spent)
        router.on(CountForm, self.count_submitted)
        router.on(AskTrade, self.ask_trade)
        router.on(PickTrade, change_goods)

    @slash("replenish", "Take commodities up to your commodity value")
    def replenish(
        self,
        player: Annotated[
            Seat | None,
            "Who replenishes: the active player chooses for Trade, Hacan uses Carth, hosts say so",
        ] = None,
        effect: Annotated[
            Effect | None,
            "What lets them replenish, if not Trade, for example: Carth of Golden Sands",
        ] = None,
    ) -> Command:
        return Replenish(player, (effect or "").strip())

    @slash("trade", "Play Trade: 3 trade goods, replenish, and choose who else does")
    async def trade(
        self,
        request: Request,
        players: Annotated[
            Players | None,
            "Who replenishes without a token: @bob @carol. Leave out for nobody else",
            _chosen,
        ] = None,
    ) -> None:
        await change_goods(request, PlayTrade(seats_written(await request.view(), players or "")))

    @slash("convert", "An effect lets you turn your commodities into trade goods")
    def convert(self, amount: Annotated[Amount, "How many"]) -> Command:
        return Convert(amount)

    @slash("gain", "You gained commodities in another way than replenishing")
    def gain(self, amount: Annotated[Amount, "How many"]) -> Command:
        return GainCommodities(amount)

    @slash("lose", "An effect such as Salvage takes commodities from you, without a trade")
    async def lose(
        self,
        request: Request,
        amount: Annotated[Amount, "How many"],
        to: Annotated[User | None, "Who receives them as trade goods, if anybody"] = None,
        effect: Annotated[Effect | None, "What takes them, for example: Salvage", _effects] = None,
        player: Annotated[User | None, "For hosts: who loses them"] = None,
        slip: Annotated[
            Literal["yes", "no"], "yes: you never had them; somebody counted wrong"
        ] = "no",
    ) -> None:
        if slip == "yes":
            if to or effect or player:
                raise Refused(
                    "A slip has no effect and no receiver.", "Leave out the other options."
                )
            await change_goods(request, Count(0, -amount, "slip"))
            return
        view = await request.view()
        receiver, loser = seat_of(view, to), seat_of(view, player)
        await request.respond(LoseCommodities(amount, receiver, (effect or "").strip(), loser))

    @slash("pillage", "Mentak: take 1 from a neighbour who has traded or gained trade goods")
    def pillage(
        self,
        player: Annotated[Seat, "Who you pillage"],
        take: Annotated[Literal["trade good", "commodity"], "What you take"] = "trade good",
        let_go: Annotated[Literal["yes"] | None, "Mentak: let the chance go"] = None,
        ask: Annotated[
            Literal["yes"] | None, "Everybody: ask Mentak to take 1 or let it go"
        ] = None,
    ) -> Command:
        if let_go:
            return LetPillageGo(player)
        if ask:
            return CallMentak(player)
        return Pillage(player, "commodity" if take == "commodity" else "trade_good")

    appeal = slash("appeal", "Say that Mentak could not pillage you")(AppealPillage)

    @slash("settle", "Host: settle what a player says against a Pillage")
    def settle(
        self,
        player: Annotated[Seat, "Who was pillaged"],
        ruling: Annotated[Literal["it stands", "give it back"], "Whether it stands"],
    ) -> Command:
        return SettlePillage(player, ruling == "it stands")

    async def ask_trade(self, request: Request, press: AskTrade) -> None:
        """Handle **Trade** in a menu, and the buttons of the others: ask who replenishes too."""
        view = await request.view()
        own_seat(view)
        require_now(view, press.since or None)
        card = trade_card(view, press.picked, press.among, view.window.since)
        await request.answer.update(card)

    async def ask_count(self, request: Request, press: AskCount) -> None:
        """Handle **Set…** under a player's own goods: open the form."""
        request.accepts_cached = True
        view = await request.view()
        held = view.seats[own_seat(view)].open
        numbers = tuple((str(number), str(number), "") for number in range(MENU_MAX + 1))
        fields: list[Menu | Text] = []
        for token, label in LABELS.items():
            now = f"You have {held.count(token)}. Leave it open if that is right"
            fields.append(Menu(token, label, numbers, now))
        fields.append(Text("more", MORE_THAN, max_length=3))
        await request.answer.open(Form("What you have now", CountForm(view.id), tuple(fields)))

    async def ask_spent(self, request: Request, press: AskSpent) -> None:
        """Handle **Spent…** under a player's own goods: ask how many trade goods."""
        view = await request.view()
        seat = own_seat(view)
        held = view.seats[seat].open.count(TRADE_GOOD)
        often = await _often(request, view, seat)
        usual = "\n".join(f"-# {cost}: {what}" for cost, what in COSTS.items())
        back = Button("Back", BoardPress(view.id, "goods"))
        text = f"### How much did you spend?\nYou have **{held} tg**.\n{usual}"
        rows = (*rows_of(_row(spending(view, held, often))), (back,))
        await request.answer.replace(Card("waiting", text, rows))

    async def count_submitted(self, request: Request, form: CountForm) -> None:
        """Count up or down to the whole numbers in the form."""
        view = await request.view()
        held = view.seats[own_seat(view)].open
        change: dict[str, int] = {}
        for token in LABELS:
            text = request.text_submitted(token).strip()
            if token == TRADE_GOOD:
                text = request.text_submitted("more").strip() or text
            if not re.fullmatch("[0-9]{0,3}", text):
                raise Refused(
                    f"{MORE_THAN}: that is not a whole number.",
                    f"Write how many you have now, such as {MENU_MAX + 1}.",
                )
            change[token] = int(text) - held.count(token) if text else 0
        await change_goods(request, Count(change[TRADE_GOOD], change[COMMODITY]))


async def _often(request: Request, view: TableView, seat: str) -> list[int]:
    """Return the sums of trade goods that the viewer has spent most often of late."""
    sums = Counter[int]()
    for counted in await request.recent(view, "ti4.goods.counted"):
        if isinstance(counted, GoodsCounted) and counted.seat == seat:
            sums[counted.changes[seat].lost.count(TRADE_GOOD)] += 1
    del sums[0]
    return [amount for amount, _ in sums.most_common(OFTEN)]


def still_card(view: TableView) -> Card:
    """Return the question whether the viewer, whose turn is over, still has what is counted."""
    held = view.seats[own_seat(view)].open
    first, second, third = buttons(view)
    asks = Button("Don't ask…", BoardPress(view.id, "pings"))
    over = "Your turn is over."
    if view.window.holder:
        over = f"It is {names.player(view, view.window.holder)}'s turn."
    tg, c = held.count(TRADE_GOOD), held.count(COMMODITY)
    text = f"{over} Do you still have **{tg} tg** and **{c} c**?"
    rows = (_row(first), _row(second[:2]), (*_row(third[1:]), asks))
    return Card("waiting", text, rows)


def _row(actions: Sequence[LabelledAction]) -> tuple[Button, ...]:
    row = []
    for each in actions:
        picture = icon(each.token) if each.token else None
        row.append(Button(each.label, each.action, icon=picture))
    return tuple(row)


def trade_card(view: TableView, picked: str, among: str, since: int) -> Card:
    """Return the question whom the viewer lets replenish by Trade.

    ``picked`` has a digit for each other player, which a press on that player changes. Nothing
    happens before the last button.
    """
    others = view.others(view.seat)
    now = seats_digest(others)
    # Somebody has left or come since, or the custom_id is not ours.
    if among != now or len(picked) != len(others) or set(picked) - {*"01"}:
        picked = "0" * len(others)
    chosen = [other for other, digit in zip(others, picked, strict=True) if digit == "1"]

    def asks(picked: str) -> AskTrade:
        return AskTrade(view.id, picked, now, since)

    toggles = []
    for place, other in enumerate(others):
        before, after = picked[:place], picked[place + 1 :]
        name = names.bare_name(view, other)
        if other in chosen:
            button = Button(f"✓ {name}", asks(f"{before}0{after}"), "primary")
        else:
            button = Button(name, asks(f"{before}1{after}"))
        toggles.append(button)
    if len(others) > 1 and not chosen:
        toggles.append(Button("Everybody", asks("1" * len(others))))
    listed = ", ".join(names.bare_name(view, seat) for seat in chosen) or "nobody else"
    if len(chosen) == len(others) > 1:
        listed = "everybody"
    elif len(listed) > NAMES_MAX:
        listed = f"{len(chosen)} others"
    play = Press(view.id, PickTrade(picked, now, since))
    plays = Button(f"Play Trade: {listed}", play, "success")
    text = (
        f"### Trade\nYou gain **{GAIN} trade goods** and replenish. Who else replenishes, without "
        "a token?\n"
        "-# They must, at the latest when this turn ends; others spend a token [92.4]"
    )
    return Card("waiting", text, (*rows_of(toggles), (plays,)))
