"""What the set-up asks one person: their seat, the seating order, a seat's goods, a setting."""

from __future__ import annotations

from bot.rules.model.actions import SetupAction, TakeSeat
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.views import TableView
from bot.show.actions import AskGoods, ChangeSetting, GoodsForm, SeatOrder, SeatPage
from bot.show.cards import LABEL_MAX, Button, Card, rows_of
from bot.show.forms import HINT_MAX, TITLE_MAX, Form, Text
from bot.show.names import bare_name, mention, name, plain_text, seat_name

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""A sign for each seat of a table, by its place among all seats ever taken."""

PAGE = 20
"""Seats on a page, for a phone."""


def free_seats(view: TableView) -> list[str]:
    """Return the seats that can be taken at this table; none if it is full."""
    seats = game_named(view.game).seats
    if seats.most is not None and len(view.seated()) >= seats.most:
        return []
    offered = {*seats.offered(view.settings)} if seats.offered else {option.id for option in seats.every()}
    taken = {seat.id for seat in view.seats.values() if seat.person is not None or seat.barred}
    return [option.id for option in seats.every() if option.id in offered - taken]


def seats_card(view: TableView, page: int = 0) -> Card:
    """Return the seats that the viewer can take, as buttons sorted by name. Raises `Refused` if there are none."""
    free = free_seats(view)
    if not free:
        raise Refused("", "Every seat is taken.", "/table leave frees one.")
    every = sorted(free, key=lambda seat: seat_name(view, seat).casefold())
    pages = max(1, -(-len(every) // PAGE))
    page = max(0, min(page, pages - 1))
    shown = every[page * PAGE : (page + 1) * PAGE]
    rows = rows_of([Button(seat_name(view, seat)[:LABEL_MAX], TakeSeat(view.id, seat)) for seat in shown])
    if pages > 1:
        other = (page + 1) % pages
        there = every[other * PAGE : (other + 1) * PAGE]
        label = f"{seat_name(view, there[0])} to {seat_name(view, there[-1])}…"
        rows = (*rows, (Button(label[:LABEL_MAX], SeatPage(view.id, other), "primary"),))
    return Card("waiting", ("**Whom do you play?** Press it, and you sit.",), rows)


# ---------------------------------------------------------------- the order in which all sit


def order_card(view: TableView, picked: str = "") -> Card:
    """Ask who sits next; once all are picked, whether the order is right. Unknown signs are ignored."""
    order = seats_of(view, picked)
    left = [seat for seat in view.seated() if seat not in order]
    if len(left) == 1:
        order, left = [*order, *left], []
    signs = "".join(sign(view, seat) for seat in order)
    so_far = " – ".join(mention(view, seat) for seat in order)
    again = Button("Start over", SetupAction(view.id, "order"))
    if not left:
        sure = Button("Use this order", SeatOrder(view.id, signs, sure=True), "primary")
        return Card("waiting", (f"**You sit in this order:**\n{so_far}",), ((sure, again),))
    buttons = [Button(name(view, seat)[:LABEL_MAX], SeatOrder(view.id, signs + sign(view, seat))) for seat in left]
    asks = f"{so_far} – **who is next?**" if order else "**Who begins?** Then go round the table."
    return Card("waiting", (asks,), (*rows_of(buttons), *(((again,),) if order else ())))


def seats_of(view: TableView, picked: str) -> list[str]:
    """Return the occupied seats that these signs stand for, each once."""
    every, seated = list(view.seats), view.seated()
    places = [SIGNS.find(each) for each in picked]
    found = [every[place] for place in places if 0 <= place < len(every)]
    return [seat for seat in dict.fromkeys(found) if seat in seated]


def sign(view: TableView, seat: str) -> str:
    """Return the sign of a seat."""
    return SIGNS[list(view.seats).index(seat)]


# ---------------------------------------------------------------- goods and settings


def whose_goods_card(view: TableView) -> Card:
    """Ask a host whose goods to enter."""
    buttons = [Button(name(view, seat)[:LABEL_MAX], AskGoods(view.id, seat)) for seat in view.seated()]
    return Card("waiting", ("**Whose goods?** What the rules begin with is there already.",), rows_of(buttons))


def goods_form(view: TableView, seat: str) -> Form:
    """Return the form for everything that lies open before a seat."""
    game = game_named(view.game)
    own = seat == view.seat
    has = plain_text(view, game.goods.describe(view.seats[seat].open)) if view.seats[seat].open else ""
    title = "What you have" if own else f"What {bare_name(view, seat)} has"
    field = Text("goods", "All of it, as it is now", has, f"For example: {game.info.example}"[:HINT_MAX])
    return Form(title[:TITLE_MAX], GoodsForm(view.id, seat), (field,))


def option_card(view: TableView, name: str) -> Card | None:
    """Return the values of one of the game's settings, the current one in colour; None for an unknown setting."""
    option = next((each for each in game_named(view.game).info.options if each.name == name), None)
    if option is None:
        return None
    now = view.settings.items().get(name, option.values[0])
    buttons = [
        Button(value[:LABEL_MAX], ChangeSetting(view.id, name, value), "primary" if value == now else "secondary")
        for value in option.values
    ]
    text = f"**{name.replace('_', ' ').capitalize()}**, now **{now}**\n-# {option.description}"
    return Card("waiting", (text,), rows_of(buttons))
