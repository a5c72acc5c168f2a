"""Debts as people read them: what they owe and are owed, what they can do about it, and what a
trade owes and pays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.rules.commands import Press
from bot.rules.features.offers.debts import ForgiveDebt
from bot.rules.features.offers.entries import OfferBecameDeal, Transaction
from bot.rules.model.debts import PAYS, Debt, debt_paid
from bot.rules.model.goods import Goods, kind_of
from bot.rules.views import TableView
from bot.show.actions import AskDispute, AskPay, BoardPress
from bot.show.cards import LABEL_MAX, Button, Card, Rows
from bot.show.names import Named, bare_name, escape, format_text, game_of, player

OWN_MAX, OTHERS_MAX = 4, 6
"""The most debts of one's own with buttons, and the most of others that are listed."""

NOTHING_OWED = (
    "Nobody owes anybody anything. In **/offer post** and **Build it…** a side can be given later."
)


def debts_card(view: TableView) -> Card:
    """Return what the viewer owes and is owed, and what others owe each other, as far as they may
    know.
    """
    note = (
        (f"-# A debt is a promise: it binds nobody{game_of(view).info.cite('later')}.",)
        if view.debts
        else ()
    )
    return Card("open", ("### Debts", debts_text(view) or NOTHING_OWED, *note), debt_rows(view))


def debts_text(view: TableView) -> str:
    """Return a line for each debt, the viewer's first; empty for none."""
    mine, others = own_debts(view), [each for each in view.debts if not each.between(view.seat)]
    more = len(others) - OTHERS_MAX
    rest = [f"-# and {more} more"] if more > 0 else []
    return "\n".join([*(_line(view, each) for each in (*mine, *others[:OTHERS_MAX])), *rest])


def own_debts(view: TableView) -> list[Debt]:
    """Return what the viewer owes, then what they are owed; a card that others read has none of
    these.
    """
    mine = [each for each in view.debts if view.seat and each.between(view.seat)]
    return sorted(mine, key=lambda each: (each.debtor != view.seat, each.number))


def _line(view: TableView, debt: Debt) -> str:
    who = "You owe" if debt.debtor == view.seat else f"{player(view, debt.debtor)} owes"
    whom = "you" if debt.creditor == view.seat else player(view, debt.creditor)
    what = f"{who} {whom} **{amount(view, debt.left)}**"
    paid = f" of {debt.owed}" if debt.left < debt.owed else ""
    small = ["only you two know"] if debt.private else []
    small += [f"disputed: {escape(debt.disputed)}"] if debt.disputed else []
    return " · ".join((f"{what}{paid}", f"debt {debt.number}", *small))


def amount(view: Named, count: int) -> str:
    """Return so much of what is owed in this game, in words."""
    game = game_of(view)
    return (
        format_text(view, game.goods.describe(Goods({game.debts.token: count})))
        if game.debts
        else str(count)
    )


def debt_rows(view: TableView) -> Rows:
    """Return a row of buttons for each of the viewer's own debts, with the other's name if there
    are several.
    """
    mine = own_debts(view) if view.open else []
    rows: list[tuple[Button, ...]] = []
    for debt in mine[:OWN_MAX]:
        owes = debt.debtor == view.seat
        other = (
            f" {bare_name(view, debt.creditor if owes else debt.debtor)}" if len(mine) > 1 else ""
        )
        if owes:
            pay = Button(
                f"Pay{other}"[: LABEL_MAX - 1] + "…", AskPay(view.id, debt.number), "primary"
            )
            rows.append(
                (
                    pay,
                    Button(
                        f"Dispute{other}"[: LABEL_MAX - 1] + "…", AskDispute(view.id, debt.number)
                    ),
                )
            )
        else:
            rows.append(
                (
                    Button(
                        f"Forgive{other}"[: LABEL_MAX - 1], Press(view.id, ForgiveDebt(debt.number))
                    ),
                )
            )
    return tuple(rows)


def pay_buttons(view: TableView, now: Sequence[str]) -> list[Button]:
    """Return a button to pay each debt that the viewer owes to one of the seats ``now``, whom they
    can trade with.
    """
    mine = [each for each in own_debts(view) if each.debtor == view.seat and each.creditor in now]
    return [
        Button(
            f"Pay {bare_name(view, each.creditor)}"[: LABEL_MAX - 1] + "…",
            AskPay(view.id, each.number),
            "primary",
        )
        for each in mine
    ]


def goods_rows(view: TableView) -> Rows:
    """Return the buttons under the viewer's own goods: those of their only debt, or what leads to
    all.
    """
    mine = own_debts(view)
    return (
        debt_rows(view)
        if len(mine) == 1
        else ((Button("Debts…", BoardPress(view.id, "debts")),),)
        if mine
        else ()
    )


def reminder(view: TableView, debt: Debt) -> str:
    """Return the line that reminds the viewer of what they owe to somebody they can trade with
    now.
    """
    return f"{_line(view, debt)} · you two can trade now: **/debt pay**"


def debt_choices(view: TableView, *, debtor: bool) -> list[tuple[str, int]]:
    """Return a sentence and the number of each debt that the viewer owes (``debtor``), or is
    owed.
    """
    mine = [each for each in own_debts(view) if (each.debtor == view.seat) == debtor]
    other = [bare_name(view, each.creditor if debtor else each.debtor) for each in mine]
    return [
        (f"Debt {each.number} with {who}: {each.left}", each.number)
        for each, who in zip(mine, other, strict=True)
    ]


# ---------------------------------------------------------------- what a trade owes and pays


def said_in(named: Named, done: Transaction | OfferBecameDeal, reader: str = "") -> list[str]:
    """Return what the two of a trade or a deal owe by it and pay with it, as far as the viewer may
    know, as markup.

    The seat ``reader`` is called *you*.
    """
    said: Mapping[str, Goods] = done.promised if done.said is None else done.said
    found = []
    for seat, words in said.items():
        who, verb = ("You", "") if seat == reader else (f"<seat:{seat}>", "s")
        whom = "you" if done.other(seat) == reader else f"<seat:{done.other(seat)}>"
        for word, count in words.items():
            if kind_of(word) == PAYS:
                found.append(
                    f"{who} pay{verb} **{count}** of {word.split(':')[2]} owed (debt "
                    f"{debt_paid(word)})."
                )
            else:
                goods = game_of(named).goods.describe(Goods({word.partition(":")[2]: count}))
                found.append(f"{who} owe{verb} {whom} **{goods}** (debt {done.offer}).")
    return found
