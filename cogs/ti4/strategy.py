"""/strategy: who takes which strategy card. For the host, buttons for everybody's cards."""

from __future__ import annotations

from typing import Annotated

from discord import app_commands
from discord.ext import commands

from bot.api import Command, LabelledAction, Press, Refused, TableView, require_since
from bot.api.discord import (
    BoardPress,
    Button,
    Card,
    Choices,
    Outcome,
    Request,
    Router,
    Seat,
    choices,
    headlines_text,
    names,
    rows_of,
    seat_choices,
    slash,
)
from bot.games.ti4.boxes import find_seat
from bot.games.ti4.state import GameRound
from bot.games.ti4.strategy_cards import (
    GOODS_MAX,
    AskCards,
    PutCardBack,
    SetCardGoods,
    Step,
    SwapCards,
    TakeCard,
    begun_since,
    in_order,
    numbered,
)
from data.ti4 import find_strategy_card, strategy_cards

AMOUNTS = range(6)
"""The numbers of trade goods on a card that have a button."""

Text = app_commands.Range[str, 1, 40]


async def _cards(request: Request, typed: str) -> Choices:
    return choices(((numbered(card), card) for card in strategy_cards()), typed)


def _empty(view: TableView, typed: str) -> Choices:
    seats = []
    for seat in view.seats.values():
        if seat.person is None and not seat.barred:
            seats.append((names.seat_name(view, seat.id), seat.id))
    return seat_choices(view, seats, typed)


def _card(text: str) -> str:
    """Return the strategy card that a text names, or the text, which the rules refuse."""
    card = find_strategy_card(text)
    return card.id if card else text


def _whose(player: str | None, seat: str | None) -> str | None:
    """Return the seat of a player, or the empty one; None for the person's own."""
    option = find_seat(seat or "")
    return option.id if option else player


@app_commands.guild_only()
class StrategyCards(
    commands.GroupCog, group_name="strategy", group_description="Strategy cards: who has which"
):
    """The /strategy commands."""

    def __init__(self, router: Router) -> None:
        router.on(AskCards, self.ask)
        for command in (TakeCard, PutCardBack, SwapCards, SetCardGoods):
            router.on(command, self.change)

    @slash("take", "Take a strategy card. The order of play follows from the cards")
    def take(
        self,
        card: Annotated[Text, "Which card, by name or number", _cards],
        player: Annotated[Seat | None, "For hosts: who takes it"] = None,
        seat: Annotated[Text | None, "For hosts: a seat that nobody plays now", _empty] = None,
        chooser: Annotated[
            Seat | None, "For hosts: who chose it for them (Checks and Balances)"
        ] = None,
    ) -> Command:
        return TakeCard(_card(card), _whose(player, seat), chooser=chooser or "")

    @slash("back", "Put a strategy card back that was taken by mistake")
    def back(
        self,
        card: Annotated[Text, "Which card, by name or number", _cards],
        player: Annotated[Seat | None, "For hosts: who has it"] = None,
        seat: Annotated[Text | None, "For hosts: a seat that nobody plays now", _empty] = None,
    ) -> Command:
        return PutCardBack(_card(card), _whose(player, seat))

    @slash("swap", "Host: two players' strategy cards change places")
    def swap(
        self,
        card: Annotated[Text, "One card", _cards],
        other: Annotated[Text, "The other card", _cards],
    ) -> Command:
        return SwapCards(_card(card), _card(other))

    @slash("goods", "Host: so many trade goods lie on a strategy card")
    def goods(
        self,
        card: Annotated[Text, "Which card, by name or number", _cards],
        amount: Annotated[app_commands.Range[int, 0, GOODS_MAX], "How many"],
    ) -> Command:
        return SetCardGoods(_card(card), amount)

    async def ask(self, request: Request, press: AskCards) -> None:
        """Handle **Strategy cards…** of the host, and each step of it."""
        view = await request.view()
        if not view.hosts:
            ask = f"Ask <person:{view.host}>."
            raise Refused("Only the host changes the strategy cards of others.", ask)
        if press.step != "list":
            again = LabelledAction("Strategy cards…", AskCards(view.id))
            require_since(press.since, view.phase_since, begun_since(view), again)
        await request.answer.update(cards_card(view, press))

    async def change(self, request: Request, command: Command) -> None:
        """Handle a press about a strategy card; the host reads then where all of them lie."""

        def said(outcome: Outcome) -> Card | None:
            if getattr(command, "seat", "") is None:
                return None
            happened = headlines_text(outcome.entries)
            return cards_card(outcome.view, AskCards(outcome.view.id), happened)

        await request.respond(command, said)


def cards_card(view: TableView, asked: AskCards, happened: str = "") -> Card:
    """Return a step of the host's **Strategy cards…**; the first tells where all of them lie."""
    now: GameRound = view.public.round
    card = numbered(asked.card) if asked.card in strategy_cards() else ""
    match asked.step:
        case "take":
            text = f"### Which card has {names.mention(view, asked.seat)}?"
            buttons = _to_take(view, now, asked.seat)
        case "swap":
            text = f"### With which card does {card} change places?"
            if not card:
                text = "### Which card changes places?"
            buttons = _to_swap(view, now, asked.card)
        case "goods" if card:
            text = f"### How many trade goods lie on {card}?\n-# More: **/strategy goods**"
            buttons = _amounts(view, asked.card)
        case "goods":
            text = "### On which card?"
            buttons = _each(view, now, [*strategy_cards()], "goods")
        case _:
            text = f"### Strategy cards\n{_where(view, now)}\n**Whose card do you change?**"
            buttons = _whose_card(view, now)
            return Card("waiting", (happened, text), (*rows_of(buttons), _further(view, now)))
    back = (Button("Back", AskCards(view.id)),)
    return Card("waiting", text, (*rows_of(buttons), back))


def _where(view: TableView, now: GameRound) -> str:
    lines = []
    for card in strategy_cards():
        holder, goods = now.holder(card), now.goods_on(card)
        who = names.name_text(view, f"<=name:{holder}>") if holder else "nobody"
        lines.append(f"{numbered(card)} · {who}{f' · {goods} tg' if goods else ''}")
    return "\n".join(lines)


def _whose_card(view: TableView, now: GameRound) -> list[Button]:
    buttons = []
    for seat in view.seats.values():
        if not seat.barred and (seat.person is not None or now.cards_of(seat.id)):
            label = names.plain_player(view, seat.id)
            buttons.append(
                Button(label, AskCards(view.id, "take", seat.id, since=view.phase_since))
            )
    return buttons


def _further(view: TableView, now: GameRound) -> tuple[Button, ...]:
    row = []
    if len(now.taken) > 1:
        row.append(Button("Two change places", AskCards(view.id, "swap", since=view.phase_since)))
    row.append(Button("Trade goods on them", AskCards(view.id, "goods", since=view.phase_since)))
    row.append(Button("Back", BoardPress(view.id, "host")))
    return tuple(row)


def _to_take(view: TableView, now: GameRound, seat: str) -> list[Button]:
    buttons = []
    for card in strategy_cards():
        own = now.holder(card) == seat
        label = f"✓ {numbered(card)}" if own else numbered(card)
        press = Press(view.id, TakeCard(card, seat, view.phase_since))
        buttons.append(Button(label, press, "primary" if own else "secondary"))
    return buttons


def _to_swap(view: TableView, now: GameRound, first: str) -> list[Button]:
    held = in_order(taken.card for taken in now.taken)
    if not first:
        return _each(view, now, held, "swap")
    buttons = []
    for card in held:
        if now.holder(card) != now.holder(first):
            swap = Press(view.id, SwapCards(first, card, now.changed))
            buttons.append(Button(_with_holder(view, now, card), swap))
    return buttons


def _each(view: TableView, now: GameRound, cards: list[str], step: Step) -> list[Button]:
    buttons = []
    for card in cards:
        ask = AskCards(view.id, step, card=card, since=view.phase_since)
        buttons.append(Button(_with_holder(view, now, card), ask))
    return buttons


def _with_holder(view: TableView, now: GameRound, card: str) -> str:
    holder = now.holder(card)
    who = f" ({names.bare_name(view, holder)})" if holder else ""
    return f"{numbered(card)}{who}"


def _amounts(view: TableView, card: str) -> list[Button]:
    buttons = []
    for amount in AMOUNTS:
        press = Press(view.id, SetCardGoods(card, amount, view.phase_since))
        buttons.append(Button(str(amount), press))
    return buttons
