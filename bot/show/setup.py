"""A table's set-up: one message that changes step by step, and becomes one line when play
begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bot.rules.commands import Press
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSetting
from bot.rules.game import SeatOption
from bot.rules.model.actions import Action, LabelledAction, SetupAction
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.views import StepView, TableView
from bot.show.actions import AskGoods, AskOption, BoardPress, GoodsForm, SeatForm, SeatOrder
from bot.show.board import new_offer_button
from bot.show.cards import (
    LABEL_MAX,
    SELECT_MAX,
    Button,
    Card,
    Rows,
    Style,
    buttons_of,
    rows_of,
    rules_last,
    truncate,
)
from bot.show.forms import FIELDS_MAX, HINT_MAX, TITLE_MAX, Form, Menu, Text
from bot.show.names import (
    bare_name,
    escape,
    format_text,
    mention,
    name,
    name_text,
    plain_text,
    player,
    seat_name,
)

HALF_LABEL_MAX = 25
"""The most characters of a name of two on a button, so that a phone shows both."""

DONE, NOW = "✅", "👉"

READY = "👍 **Everything is ready.** The first offer begins the game."

# ---------------------------------------------------------------- the message


def setup_card(view: TableView) -> Card:
    """Return the set-up for everybody: what is done, the next step with its buttons, what
    follows.
    """
    assert view.setup is not None
    now, sitting = view.setup.next, still_sitting(view)
    seats = view.setup.steps[:1] if sitting and sitting.done else ()
    done = [
        f"{DONE} **{step.title}** · {_lines(view, step)}" for step in view.setup.steps if step.done
    ]
    done = done[len(seats) :]
    # Those of the table that this one repeats who have no seat yet, and whom they played there.
    seated, find = {seat.person for seat in view.seats.values()}, game_named(view.game).seats.find
    left = [
        (each.person, option)
        for each in view.earlier
        if each.person not in seated and (option := find(each.seat))
    ]
    told = ", ".join(
        f"{name_text(view, f'<person:{person}>')} (last time {option.short})"
        for person, option in left
    )
    waits = f"-# Still to choose: {told}" if told else ""
    later = ", ".join(
        step.title.lower() for step in view.setup.steps if not step.done and step != now
    )
    blocks = (
        _heading(view),
        waits,
        *(_now(view, step) for step in seats),
        "\n".join(done),
        _now(view, now, "when all of you sit, " if seats else "") if now else READY,
        f"-# Then: {later}" if later else "",
        *_small(view),
    )
    return Card("waiting" if now else "open", tuple(filter(None, blocks)), setup_rows(view))


def still_sitting(view: TableView) -> StepView | None:
    """Return the step for seats while people may still sit down: until the step after it is
    done.
    """
    assert view.setup is not None
    seats, *others = view.setup.steps
    return seats if view.setup.next in (seats, *others[:1]) and free_seats(view) else None


def begun_card(view: TableView) -> Card:
    """Return the replacement for the set-up message once play has begun or the table is closed."""
    seated = " · ".join(player(view, seat) for seat in view.seated())
    how = "is set up. Have fun!" if view.open else "is closed."
    return Card(
        "over",
        (f"**{escape(view.name)}** {how}\n-# {seated or 'Nobody took a seat.'}", *_small(view)),
    )


def _small(view: TableView) -> tuple[str, ...]:
    """Return what the game wants all to keep, in small print."""
    return (f"-# {view.board.small}",) if view.board.small else ()


def setup_rows(view: TableView) -> Rows:
    """Return the button for seats and those for the next step and for changes. Seats come first
    while people sit.
    """
    assert view.setup is not None
    now = view.setup.next
    step = _step_buttons(view, now) if now else [new_offer_button(view)]
    last = [Button("Change…", SetupAction(view.id, "change"))] if view.seated() else []
    seats = seat_buttons(view, "success" if still_sitting(view) else "secondary")
    if still_sitting(view):
        return (*rows_of([*seats, *last]), *rows_of(step))
    return (*rows_of(step), *rows_of([*seats, *last]))


def next_rows(view: TableView) -> Rows:
    """Return the viewer's buttons for the next step, as /help shows them."""
    assert view.setup is not None
    now = view.setup.next
    own = [] if now is None or (now.hosts and not view.hosts) else _step_buttons(view, now)
    if now is None and view.seat:
        own = [new_offer_button(view)]
    seats = (
        [] if view.seat else seat_buttons(view, "success" if still_sitting(view) else "secondary")
    )
    return (*rows_of(own), *rows_of(seats))


def _heading(view: TableView) -> str:
    game = game_named(view.game).info.name
    named = "" if view.name == game else f"{game} · "
    options = game_named(view.game).info.options
    first = {**type(view.settings)().items(), **{option.name: option.first for option in options}}
    changed = [
        f"{name}: {value}"
        for name, value in view.settings.items().items()
        if value != first.get(name)
    ]
    plays = f" · {', '.join(changed)}" if changed else ""
    return f"### {escape(view.name)}\n-# {named}{mention_host(view)} leads{plays}"


def _now(view: TableView, step: StepView, when: str = "") -> str:
    who = f" · {when}{mention_host(view)} presses" if step.hosts or when else ""
    return rules_last(f"{NOW} **{step.title}**{who}\n{_lines(view, step)}".strip())


def _lines(view: TableView, step: StepView) -> str:
    return " · ".join(format_text(view, line) for line in step.lines)


def _step_buttons(view: TableView, step: StepView) -> list[Button]:
    """Return a step's buttons, the first in colour, without the button for seats."""
    own = [each for each in step.buttons if not _asks_for_seat(each)]
    return [*buttons_of(view, own[:1], "primary"), *buttons_of(view, own[1:])]


def mention_host(view: TableView) -> str:
    """Return a mention of the host."""
    return format_text(view, f"<=person:{view.host}>")


def seat_buttons(view: TableView, style: Style) -> list[Button]:
    """Return the button that asks the presser for their seat; none if the table is full."""
    return [Button("Take a seat", SetupAction(view.id, "seat"), style)] if free_seats(view) else []


def _asks_for_seat(each: LabelledAction) -> bool:
    return isinstance(each.action, SetupAction) and each.action.what == "seat"


# ---------------------------------------------------------------- what can be changed


def change_card(view: TableView) -> Card:
    """Return what the viewer may change in the set-up: a player their seat, a host everything."""
    assert view.setup is not None
    own = seat_buttons(view, "primary") if view.seat is None else []
    now = view.setup.next
    steps = [
        each
        for step in view.setup.steps
        if step != now and (step.done or view.hosts)
        for each in step.buttons
    ]
    own += buttons_of(view, [each for each in steps if not _asks_for_seat(each)])
    if view.hosts:
        options = game_named(view.game).info.options
        own += [
            Button(option.name.replace("_", " ").capitalize(), AskOption(view.id, option.name))
            for option in options
        ]
        own += [
            Button("Settings", BoardPress(view.id, "settings")),
            Button("Seats and host", BoardPress(view.id, "seats")),
        ]
        text = "What do you want to change?"
    else:
        text = (
            f"What do you want to change?\n-# Only the host, {mention_host(view)}, can change the "
            "rest."
        )
    if view.seat is not None:
        own.append(
            Button(
                f"Leave {seat_name(view, view.seat)}"[:LABEL_MAX], Press(view.id, Leave()), "danger"
            )
        )
    return Card("waiting", (text,), rows_of(own))


def took_text(view: TableView, seat: str) -> str:
    """Return the answer to taking a seat."""
    return format_text(view, f"<seat:{seat}> plays **<faction:{seat}>**.")


# ---------------------------------------------------------------- seats

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""A sign for each seat of a table, by its place among all seats ever taken."""


def free_seats(view: TableView) -> list[str]:
    """Return the seats that can be taken at this table; none if it is full."""
    seats = game_named(view.game).seats
    if seats.most is not None and len(view.seated()) >= seats.most:
        return []
    taken = {seat.id for seat in view.seats.values() if seat.person is not None or seat.barred}
    return [option.id for option in offered_seats(view) if option.id not in taken]


def offered_seats(view: TableView) -> list[SeatOption]:
    """Return the seats that this table's settings allow, taken or not."""
    seats = game_named(view.game).seats
    offered = None if seats.offered is None else {*seats.offered(view.settings)}
    return [option for option in seats.every() if offered is None or option.id in offered]


def earlier_seats(view: TableView, user_id: int) -> list[str]:
    """Return the seats of the table that this one repeats, this user's own first; none if it
    repeats none.
    """
    own = view.person_of_user(user_id)
    mine = [each.seat for each in view.earlier if own is not None and each.person == own.number]
    return [*mine, *(each.seat for each in view.earlier if each.seat not in mine)]


def seat_form(view: TableView, before: Sequence[str] = ()) -> Form:
    """Return the form for the seat that the viewer takes: menus of the free seats, sorted by name.

    A menu of those that were played ``before`` comes first.

    Raises `Refused` if there are none.
    """
    free = free_seats(view)
    if not free:
        raise Refused("", "Every seat is taken.", "/table leave frees one.")
    every = sorted(offered_seats(view), key=lambda each: each.short.casefold())
    size = -(-len(every) // -(-len(every) // SELECT_MAX))
    menus = [every[first : first + size] for first in range(0, len(every), size)]
    fields = [
        Menu(
            f"seat{place}",
            f"{menu[0].short} to {menu[-1].short}" if len(menus) > 1 else "Your seat",
            options,
        )
        for place, menu in enumerate(menus)
        if (
            options := tuple((each.short, each.id, each.symbol) for each in menu if each.id in free)
        )
    ]
    found = {each.id: each for each in every if each.id in free}
    again = tuple(
        (each.short, each.id, each.symbol)
        for seat in before
        if (each := found.get(seat)) is not None
    )
    fields = [*([Menu("before", "As last time", again)] if again else []), *fields]
    return Form("Who do you play?", SeatForm(view.id), tuple(fields[:FIELDS_MAX]))


# ---------------------------------------------------------------- the order in which all sit


class OrderQuestion(NamedTuple):
    """A question for an order. ``step`` makes the action of a button from the seats picked and
    whether all are.

    >>> @dataclass(frozen=True, slots=True)
    ... class Queue(Action):
    ...     name = "bazaar.queue"
    ...     picked: str
    ...     all: bool
    >>> OrderQuestion(Queue, "**Who is first in the queue?**", "**The queue:**").first
    '**Who is first in the queue?**'
    """

    step: Callable[[int, str, bool], Action]
    first: str
    all: str


SEATING = OrderQuestion(
    SeatOrder, "**Who sits first?** Then go round the table.", "**You sit in this order:**"
)


def order_card(view: TableView, picked: str = "", asked: OrderQuestion = SEATING) -> Card:
    """Ask who is next. Of the last two, a button has both and uses the order. Unknown signs are
    ignored.

    >>> order_card(view).mood
    'waiting'
    """
    order = seats_of(view, picked)
    left = [seat for seat in view.seated() if seat not in order]
    again = Button("Start over", asked.step(view.id, "", False))
    if order and len(left) < 2:  # somebody has left meanwhile
        sure = Button(
            "Use this order", asked.step(view.id, _signs(view, *order, *left), True), "primary"
        )
        so_far = " – ".join(mention(view, seat) for seat in (*order, *left))
        return Card("waiting", (f"{asked.all}\n{so_far}",), ((sure, again),))
    if len(left) == 2:
        next_ones = [
            Button(
                f"{truncate(name(view, seat), HALF_LABEL_MAX)}, then "
                f"{truncate(name(view, last), HALF_LABEL_MAX)}",
                asked.step(view.id, _signs(view, *order, seat, last), True),
                "primary",
            )
            for seat, last in (left, left[::-1])
        ]
    else:
        next_ones = [
            Button(
                name(view, seat)[:LABEL_MAX], asked.step(view.id, _signs(view, *order, seat), False)
            )
            for seat in left
        ]
    asks = (
        f"{' – '.join(mention(view, seat) for seat in order)} – **who is next?**"
        if order
        else asked.first
    )
    return Card("waiting", (asks,), (*rows_of(next_ones), *(((again,),) if order else ())))


def _signs(view: TableView, *seats: str) -> str:
    return "".join(sign(view, seat) for seat in seats)


def seats_of(view: TableView, picked: str) -> list[str]:
    """Return the occupied seats that these signs stand for, each once.

    >>> seats_of(view, sign(view, "green") + sign(view, "red"))
    ['green', 'red']
    """
    every, seated = list(view.seats), view.seated()
    places = [SIGNS.find(each) for each in picked]
    found = [every[place] for place in places if 0 <= place < len(every)]
    return [seat for seat in dict.fromkeys(found) if seat in seated]


def sign(view: TableView, seat: str) -> str:
    """Return the sign of a seat.

    >>> sign(view, "red") == sign(view, "green")
    False
    """
    return SIGNS[list(view.seats).index(seat)]


# ---------------------------------------------------------------- goods and settings


def whose_goods_card(view: TableView) -> Card:
    """Ask a host whose goods to enter."""
    whose = [
        Button(name(view, seat)[:LABEL_MAX], AskGoods(view.id, seat)) for seat in view.seated()
    ]
    return Card(
        "waiting",
        ("**Whose goods?** The rulebook's starting goods are already there.",),
        rows_of(whose),
    )


def goods_form(view: TableView, seat: str) -> Form:
    """Return the form for everything that lies open before a seat."""
    game = game_named(view.game)
    own = seat == view.seat
    has = (
        plain_text(view, game.goods.describe(view.seats[seat].open))
        if view.seats[seat].open
        else ""
    )
    title = "What you have" if own else f"What {bare_name(view, seat)} has"
    field = Text(
        "goods", "All of it, as it is now", has, f"For example: {game.info.example}"[:HINT_MAX]
    )
    return Form(title[:TITLE_MAX], GoodsForm(view.id, seat), (field,))


def option_card(view: TableView, name: str) -> Card | None:
    """Return the values of one of the game's settings, the current one in colour; None for an
    unknown setting.
    """
    option = next((each for each in game_named(view.game).info.options if each.name == name), None)
    if option is None:
        return None
    now = view.settings.items().get(name, option.values[0])
    values = [
        Button(
            option.said(value)[:LABEL_MAX],
            Press(view.id, ChangeSetting(name, value)),
            "primary" if value == now else "secondary",
        )
        for value in view.board.settings.get(name, option.values)
    ]
    asked = option.question or name.replace("_", " ").capitalize()
    means = "" if option.answers else f"\n-# {option.description}"
    text = f"**{asked}** Now: **{option.said(now)}**{means}"
    return Card("waiting", (text,), rows_of(values))
