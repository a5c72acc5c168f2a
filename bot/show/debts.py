"""Debts as people read them: what they owe and are owed, what they can do about it, and what a
trade owes and pays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.rules.commands import Press
from bot.rules.features.offers.debts import ForgiveDebt, UnforgiveDebt
from bot.rules.features.offers.entries import OfferBecameDeal, Transaction
from bot.rules.model.debts import PAYS, Debt, debt_paid
from bot.rules.model.goods import Goods, kind_of
from bot.rules.views import TableView
from bot.show.actions import (
    AskDispute,
    AskForgive,
    AskPay,
    AskSetOff,
    ForgivePart,
)
from bot.show.board import board_button
from bot.show.cards import (
    BUTTONS_MAX,
    LABEL_MAX,
    SELECT_MAX,
    Button,
    Card,
    Rows,
    Select,
    button_rows,
    drawn,
)
from bot.show.names import (
    Named,
    bare_name,
    escape,
    format_text,
    game_of,
    plain_text,
    player,
)

OWN_MAX, OTHERS_MAX = 4, 6
"""The most debts of one's own with buttons, and the most of others that are listed."""

NOTHING_OWED = (
    "Nobody owes anybody anything. In **Build it…** and **Write it…** a side can be given later."
)


@drawn
def debts_card(view: TableView) -> Card:
    """Return what the viewer owes and is owed, and what others owe each other, as far as they may
    know.
    """
    blocks = ["### Debts", debts_text(view) or NOTHING_OWED]
    if view.debts:
        blocks.append(f"-# A debt is a promise: it binds nobody{game_of(view).info.cite('later')}.")
    again = []
    for debt in view.slips if view.open else ():
        if debt.private:
            words = plain_text(view, amount(view, debt.slip))
            label = f"I owe {bare_name(view, debt.creditor)} {words} again"
            again.append(_slip_button(view, debt, label))
    slips = button_rows(again, BUTTONS_MAX, "press one of these first")
    return Card("open", blocks, (*debt_rows(view), *slips))


def debts_text(view: TableView) -> str:
    """Return a line for each debt, the viewer's first; empty for none."""
    others = [debt for debt in view.debts if not debt.between(view.seat)]
    listed = own_debts(view) + others[:OTHERS_MAX]
    lines = [_line(view, debt) for debt in listed]
    if len(others) > OTHERS_MAX:
        lines.append(f"-# and {len(others) - OTHERS_MAX} more")
    return "\n".join(lines)


def own_debts(view: TableView) -> list[Debt]:
    """Return what the viewer owes, then what they are owed; a card that others read has none of
    these.
    """
    mine = [debt for debt in view.debts if view.seat and debt.between(view.seat)]
    return sorted(mine, key=lambda debt: (debt.debtor != view.seat, debt.number))


def _line(view: TableView, debt: Debt) -> str:
    who = "You owe" if debt.debtor == view.seat else f"{player(view, debt.debtor)} owes"
    whom = "you" if debt.creditor == view.seat else player(view, debt.creditor)
    paid = f" of {debt.owed}" if debt.left < debt.owed else ""
    parts = [f"{who} {whom} **{amount(view, debt.left)}**{paid}", f"debt {debt.number}"]
    if debt.private:
        parts.append("only you two know")
    if debt.disputed:
        parts.append(f"disputed: {escape(debt.disputed)}")
    return " · ".join(parts)


def amount(view: Named, count: int) -> str:
    """Return so much of what is owed in this game, in words."""
    game = game_of(view)
    if game.debts is None:
        return str(count)
    goods = Goods({game.debts.token: count})
    return format_text(view, game.goods.describe(goods))


def debt_rows(view: TableView) -> Rows:
    """Return a row of buttons for each of the viewer's own debts; if there are several, they say
    which.
    """
    mine = own_debts(view) if view.open else []
    rows: list[tuple[Button, ...]] = []
    for debt in mine[:OWN_MAX]:
        name = bare_name(view, _other(view, debt))
        other = _whom(view, debt) if len(mine) > 1 else ""
        if debt.debtor != view.seat:
            words = f"Forgive{_whom(view, debt)} {plain_text(view, amount(view, debt.left))}"
            rows.append((Button(_label(words, ""), AskForgive(view.id, debt.number)),))
            continue
        row = [_pay_button(view, debt, other)]
        if (theirs := _against(mine, debt)) is not None:
            set_off = AskSetOff(view.id, debt.number, theirs.number)
            count = min(debt.left, theirs.left)
            row.append(Button(_label(f"Set off {count} with", f" {name}"), set_off))
        row.append(Button(_label("Dispute", other), AskDispute(view.id, debt.number)))
        rows.append(tuple(row))
    if (left := len(mine) - OWN_MAX) > 0:
        return (*rows, f"{left} more: /debt pay, /debt forgive, /debt dispute")
    return tuple(rows)


def _against(mine: Sequence[Debt], debt: Debt) -> Debt | None:
    """Return the oldest debt that the viewer is owed by the one whom they owe this; None for
    none.
    """
    for other in mine:
        if (other.debtor, other.creditor) == (debt.creditor, debt.debtor):
            return other
    return None


@drawn
def forgive_card(view: TableView, debt: Debt, count: int) -> Card:
    """Ask whether to forgive so much of a debt to the viewer."""
    whom, left = player(view, debt.debtor), debt.left
    what = amount(view, count) if count == left else f"{amount(view, count)} of {left}"
    text = f"**Not forgiven yet.** Forgive {whom} **{what}** (debt {debt.number})?"
    known = "Only the two of you read it." if debt.private else "Everybody reads it."
    label = f"Forgive {count} of {left}" if left > 1 else "Forgive it"
    forgive = Press(view.id, ForgiveDebt(debt.number, count, left))
    row = (Button(label, forgive, "danger"), board_button(view, "Back", "debts"))
    return Card("waiting", (text, f"-# {known}"), (*_parts(view, debt, count), row))


def _parts(view: TableView, debt: Debt, count: int) -> Rows:
    """Return the menu of how much to forgive: each number, but of a large debt only the lowest and
    all.
    """
    numbers = [*range(1, min(debt.left, SELECT_MAX)), debt.left]
    options = [(plain_text(view, amount(view, number)), str(number)) for number in numbers]
    menu = Select(
        "How much you forgive",
        ForgivePart(view.id, debt.number),
        tuple(options),
        chosen=(str(count),),
    )
    if debt.left == 1:
        return ()
    return (menu, "Any other number: /debt forgive") if debt.left > SELECT_MAX else (menu,)


def slip_buttons(view: TableView) -> list[Button]:
    """Return the buttons by which a host says of public debts that they were forgiven by
    mistake.
    """
    row = []
    for debt in view.slips:
        if not debt.private:
            two = (bare_name(view, debt.debtor), bare_name(view, debt.creditor))
            words = plain_text(view, amount(view, debt.slip))
            row.append(_slip_button(view, debt, f"{two[0]} owes {two[1]} {words} again"))
    return row


def _slip_button(view: TableView, debt: Debt, label: str) -> Button:
    undo = UnforgiveDebt(debt.number, debt.debtor, debt.slip)
    return Button(label, Press(view.id, undo))


def _pay_button(view: TableView, debt: Debt, other: str) -> Button:
    return Button(_label("Pay", other), AskPay(view.id, debt.number), "primary")


def _other(view: TableView, debt: Debt) -> str:
    """Return the other of the two of one of the viewer's debts."""
    return debt.creditor if debt.debtor == view.seat else debt.debtor


def _whom(view: TableView, debt: Debt) -> str:
    """Return the other of the two as a label says it, with the debt's number if the viewer owes
    them several.
    """
    owed = [(each.debtor, each.creditor) for each in view.debts]
    number = f" (debt {debt.number})" if owed.count((debt.debtor, debt.creditor)) > 1 else ""
    return f" {bare_name(view, _other(view, debt))}{number}"


def _label(verb: str, other: str) -> str:
    return f"{verb}{other}"[: LABEL_MAX - 1] + "…"


def pay_buttons(view: TableView, now: Sequence[str]) -> list[Button]:
    """Return a button to pay each debt that the viewer owes to one of the seats ``now``, whom they
    can trade with.
    """
    row = []
    for debt in own_debts(view):
        if debt.debtor == view.seat and debt.creditor in now:
            row.append(_pay_button(view, debt, _whom(view, debt)))
    return row


def goods_rows(view: TableView) -> Rows:
    """Return the buttons under the viewer's own goods: those of their only debt, or what leads to
    all.
    """
    match own_debts(view):
        case []:
            return ()
        case [_]:
            return debt_rows(view)
        case _:
            return ((board_button(view, "Debts…", "debts"),),)


def reminder(view: TableView, debt: Debt) -> str:
    """Return the line that reminds the viewer of what they owe to somebody they can trade with
    now.
    """
    return f"{_line(view, debt)} · you two can trade now: **Pay…** is in **My goods**"


def debt_choices(view: TableView, *, debtor: bool) -> list[tuple[str, int]]:
    """Return a sentence and the number of each debt that the viewer owes (``debtor``), or is
    owed.
    """
    choices = []
    for debt in own_debts(view):
        if (debt.debtor == view.seat) == debtor:
            other = bare_name(view, _other(view, debt))
            choices.append((f"Debt {debt.number} with {other}: {debt.left}", debt.number))
    return choices


# ---------------------------------------------------------------- what a trade owes and pays


def said_in(named: Named, done: Transaction | OfferBecameDeal, reader: str = "") -> list[str]:
    """Return what the two of a trade or a deal owe by it and pay with it, as far as the viewer may
    know, as markup.

    The seat ``reader`` is called *you*.
    """
    said: Mapping[str, Goods] = done.promised if done.said is None else done.said
    sentences = []
    for seat, words in said.items():
        who, verb = ("You", "") if seat == reader else (f"<seat:{seat}>", "s")
        other = done.other(seat)
        whom = "you" if other == reader else f"<seat:{other}>"
        for word, count in words.items():
            if kind_of(word) == PAYS:
                debt = f"{word.split(':')[2]} owed (debt {debt_paid(word)})"
                sentences.append(f"{who} pay{verb} **{count}** of {debt}.")
            else:
                token = word.partition(":")[2]
                goods = game_of(named).goods.describe(Goods({token: count}))
                sentences.append(f"{who} owe{verb} {whom} **{goods}** (debt {done.offer}).")
    return sentences
