"""/debt: what is owed at this table, and how it is paid, forgiven or disputed. **Pay…** begins an
offer that pays.
"""

from __future__ import annotations

from typing import Annotated

from discord.ext import commands

from bot.rules.commands import Command
from bot.rules.features.offers.debts import DisputeDebt, ForgiveDebt
from bot.rules.features.offers.posting import PostOffer
from bot.rules.model.codec import DIGIT_MAX
from bot.rules.model.debts import Debt
from bot.rules.model.goods import Goods
from bot.rules.model.text import TYPED_MAX, excerpt
from bot.rules.model.violation import Refused
from bot.rules.shorthand import read_count
from bot.rules.views import TableView
from bot.show.actions import AskDispute, AskForgive, AskPay, AskSetOff, DisputeForm, ForgivePart
from bot.show.debts import debt_choices, debts_card, forgive_card
from bot.show.drafts import OfferDraft, build_card
from bot.show.forms import TERMS_MAX, Form, Text
from bot.show.names import game_of
from cogs.completion import Choices, choices
from cogs.completion import words as suggested
from cogs.inputs import own_seat, read_goods
from cogs.offer_replies import execute_posting
from cogs.request import Request
from cogs.router import Router
from cogs.slash import in_dms_too, slash
from data import words


def _mine(view: TableView, typed: str) -> Choices:
    return choices(debt_choices(view, debtor=True), typed)


def _theirs(view: TableView, typed: str) -> Choices:
    return choices(debt_choices(view, debtor=False), typed)


def _amounts(view: TableView, typed: str) -> Choices:
    return suggested(("all", "half", "1", "2", "3"), typed)


OwnDebt = Annotated[int, "Which debt", _mine]


@in_dms_too
class DebtCommands(
    commands.GroupCog, group_name="debt", group_description="What players owe each other"
):
    """The /debt commands."""

    def __init__(self, router: Router) -> None:
        router.on(AskPay, pay_pressed)
        router.on(AskForgive, forgive_asked)
        router.on(ForgivePart, part_chosen)
        router.on(AskSetOff, set_off_pressed)
        router.on(ForgiveDebt, forgive_pressed)
        router.on(AskDispute, dispute_pressed)
        router.on(DisputeForm, dispute_submitted)

    @slash("list", "What you owe, what you are owed, and what others owe in public")
    async def list_debts(self, request: Request) -> None:
        await request.reply(debts_card(await request.view()))

    @slash("pay", "Pay what you owe: an offer to whom you owe it")
    async def pay(
        self,
        request: Request,
        debt: OwnDebt,
        amount: Annotated[
            str | None,
            "How much, posted at once: 2, all, half. Leave out to put more into the trade",
            _amounts,
        ] = None,
    ) -> None:
        """Begin an offer that pays a debt; with an amount, post it."""
        if amount is None:
            await _begin(request, debt)
            return
        view = await request.view()
        found = _owed(view, debt)
        count = read_amount(view, amount, found.left)
        if count > found.left:
            raise Refused(f"You owe only {found.left}.", "**My goods** shows what is owed.")
        await execute_posting(
            request, PostOffer(found.creditor, _payment(view, found, count), stands=True)
        )

    @slash("forgive", "Forgive what somebody owes you, or a part of it")
    async def forgive(
        self,
        request: Request,
        debt: Annotated[int, "Which debt", _theirs],
        amount: Annotated[
            str | None, "How much: 2, all, half. Leave out for all of it", _amounts
        ] = None,
    ) -> None:
        view = await request.view()
        left = _owed(view, debt, debtor=False).left if amount else 0
        count = read_amount(view, amount, left) if amount else 0
        await request.respond(ForgiveDebt(debt, count))

    @slash("dispute", "Say why you don't owe that. The debt stays, with your words")
    def dispute(self, debt: OwnDebt, reason: Annotated[str, "Why"]) -> Command:
        return DisputeDebt(debt, reason.strip())


def read_amount(view: TableView, text: str, left: int) -> int:
    """Return how much of a debt a text means, of which so much is ``left``: ``2``, ``two tg``,
    ``all``, ``half of it``. Raises `Refused`.
    """
    token = _token(view)
    word = text.strip().casefold().removesuffix(" of it").removesuffix(" it")
    role = words("", "around").get(word, word)
    match role:
        case "all" | "rest":
            return left
        case "half" if left % 2 == 0:
            return left // 2
    if role.lstrip("-").isdecimal():
        return read_count(role, excerpt(text))
    goods = read_goods(view, text, None)
    if set(goods) != {token}:
        name = game_of(view).goods.words.get(token, token)
        raise Refused(f"“{excerpt(text)}” is no amount of this debt.", f"Try 2, 2 {name} or all.")
    return goods.count(token)


async def pay_pressed(request: Request, press: AskPay) -> None:
    """Show an offer that pays a debt, to put more into."""
    await _begin(request, press.debt)


async def _begin(request: Request, number: int) -> None:
    view = await request.view()
    debt = _owed(view, number)
    held = view.seats[debt.debtor].open.count(_token(view)) if view.tracked else 0
    count = min(debt.left, held or debt.left, DIGIT_MAX)
    request.answer.beside = lambda message: message  # they know
    await request.answer.update(
        build_card(view, OfferDraft(debt.creditor, give=_payment(view, debt, count)))
    )


async def forgive_asked(request: Request, press: AskForgive) -> None:
    """Ask whether to forgive a debt."""
    view = await request.view()
    debt = _owed(view, press.debt, debtor=False)
    await request.answer.update(forgive_card(view, debt, debt.left))


async def part_chosen(request: Request, choice: ForgivePart) -> None:
    """Ask whether to forgive so much of a debt."""
    view = await request.view()
    debt = _owed(view, choice.debt, debtor=False)
    count = min(max(1, request.chosen_number()), debt.left)
    await request.answer.update(forgive_card(view, debt, count))


async def forgive_pressed(request: Request, command: ForgiveDebt) -> None:
    """Forgive what the question showed. A button that names no amount is asked about first."""
    if command.amount:
        await request.respond(command)
    else:
        await forgive_asked(request, AskForgive(await request.table_id(), command.debt))


async def set_off_pressed(request: Request, press: AskSetOff) -> None:
    """Show an offer in which each of two debts pays for the other."""
    view = await request.view()
    debt, theirs = _owed(view, press.debt), _owed(view, press.against, debtor=False)
    count = min(debt.left, theirs.left, DIGIT_MAX)
    give, want = Goods({debt.payment: count}), Goods({theirs.payment: count})
    request.answer.beside = lambda message: message  # they know
    await request.answer.update(build_card(view, OfferDraft(debt.creditor, give=give, want=want)))


async def dispute_pressed(request: Request, press: AskDispute) -> None:
    """Open the form for what the person says against a debt."""
    request.accepts_cached = True
    view = await request.view()
    debt = _owed(view, press.debt)
    reason = Text(
        "reason", "Why you don't owe that", max_length=min(TERMS_MAX, TYPED_MAX), long=True
    )
    await request.answer.open(
        Form(f"Dispute debt {debt.number}", DisputeForm(view.id, debt.number), (reason,))
    )


async def dispute_submitted(request: Request, form: DisputeForm) -> None:
    """Record what the person says against a debt."""
    reason = request.text_submitted("reason")
    await request.respond(DisputeDebt(form.debt, reason.strip()))


def _owed(view: TableView, number: int, *, debtor: bool = True) -> Debt:
    """Return what the viewer owes, or is owed if not ``debtor``. Raises `Refused` for others."""
    seat = own_seat(view)
    for debt in view.debts:
        if debt.number == number and seat == (debt.debtor if debtor else debt.creditor):
            return debt
    whose = f"You don't owe a debt {number}." if debtor else f"Nobody owes you a debt {number}."
    raise Refused(whose, "**My goods** shows what is owed.")


def _payment(view: TableView, debt: Debt, count: int) -> Goods:
    return Goods({_token(view): count, debt.payment: count})


def _token(view: TableView) -> str:
    debts = game_of(view).debts
    assert debts is not None, "only such a game has debts"
    return debts.token
