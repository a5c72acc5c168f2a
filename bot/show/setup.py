"""A table's set-up: one message that changes step by step, and becomes one line when play
begins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from bot.rules.commands import Press
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSetting
from bot.rules.game import SeatOption
from bot.rules.model.actions import Action, LabelledAction, SetupAction
from bot.rules.model.violation import Refused
from bot.rules.views import StepView, TableView
from bot.show.actions import (
    AskGoods,
    AskOption,
    GoodsForm,
    SeatForm,
    SeatOrder,
    TurnHistory,
)
from bot.show.board import board_button, new_offer_button
from bot.show.cards import (
    SELECT_MAX,
    Button,
    Card,
    Mood,
    Rows,
    Style,
    button_of,
    buttons_of,
    drawn,
    even_rows,
    rows_of,
    rules_last,
    truncate,
)
from bot.show.forms import FIELDS_MAX, HINT_MAX, TITLE_MAX, Form, Menu, Option, Text
from bot.show.names import (
    bare_name,
    escape,
    format_text,
    game_of,
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


@drawn
def setup_card(view: TableView) -> Card:
    """Return the set-up for everybody: what is done, the next step with its buttons, what
    follows.
    """
    assert view.setup is not None
    next_step, sitting = view.setup.next, still_sitting(view)
    blocks, when = [_heading(view), _still_to_choose(view)], ""
    steps = view.setup.steps
    if sitting and sitting.done:  # people may still sit down, beside the next step
        blocks.append(_now(view, sitting))
        steps = tuple(step for step in steps if step != sitting)
        when = "when all of you sit, "
    done = [step for step in steps if step.done]
    blocks.append("\n".join(f"{DONE} **{step.title}** · {_lines(view, step)}" for step in done))
    blocks.append(_now(view, next_step, when) if next_step else READY)
    later = [step.title.lower() for step in steps if not step.done and step != next_step]
    if later:
        blocks.append(f"-# Then: {', '.join(later)}")
    blocks += _small(view)
    mood: Mood = "waiting" if next_step else "open"
    return Card(mood, blocks, setup_rows(view))


def _still_to_choose(view: TableView) -> str:
    """Return who of the table that this one repeats has no seat yet, and whom they played there."""
    seated = {seat.person for seat in view.seats.values()}
    names = []
    for before in view.earlier:
        option = game_of(view).seats.find(before.seat)
        if before.person not in seated and option:
            person = name_text(view, f"<person:{before.person}>")
            names.append(f"{person} (last time {option.short})")
    return f"-# Still to choose: {', '.join(names)}" if names else ""


def still_sitting(view: TableView) -> StepView | None:
    """Return the step for seats while people may still sit down: until the step after it is
    done.
    """
    assert view.setup is not None
    seats, *others = view.setup.steps[view.setup.before :]
    return seats if view.setup.next in (seats, *others[:1]) and free_seats(view) else None


@drawn
def begun_card(view: TableView) -> Card:
    """Return the replacement for the set-up message once play has begun."""
    seated = " · ".join(player(view, seat) for seat in view.seated()) or "Nobody took a seat."
    news = f"**{escape(view.name)}** is set up. Have fun!\n-# {seated}"
    rows = ((_opening(view),),) if view.board.small else ()
    return Card("over", (news, *_small(view)), rows)


def _small(view: TableView) -> tuple[str, ...]:
    """Return what the game wants all to keep, in small print."""
    return (f"-# {view.board.small}",) if view.board.small else ()


OPENED_BY = 3
"""The number of an entry by which all that opens a table is recorded."""


def _opening(view: TableView) -> Button:
    """Return the button to how the table was opened, for who wants to check the small print."""
    return Button("Details", TurnHistory(view.id, until_seq=OPENED_BY, page=1))


def setup_rows(view: TableView) -> Rows:
    """Return the button for seats and those for the next step and for changes. Seats come first
    while people sit.
    """
    assert view.setup is not None
    step = [new_offer_button(view)]
    choices: Rows = ()
    if view.setup.next:
        step = _step_buttons(view, view.setup.next)
    if view.setup.next == view.setup.steps[-1]:
        choices = even_rows(buttons_of(view, view.board.choices))
    seats = _seat_row(view)
    if view.seated() or view.setup.steps[0].done:
        seats.append(Button("Change…", SetupAction(view.id, "change")))
    if view.board.small:
        seats.append(_opening(view))
    if still_sitting(view):
        return (*rows_of(seats), *rows_of(step), *choices)
    return (*rows_of(step), *choices, *rows_of(seats))


def next_rows(view: TableView) -> Rows:
    """Return the viewer's buttons for the next step, as /help shows them."""
    assert view.setup is not None
    step, own = view.setup.next, list[Button]()
    if step is None and view.seat:
        own = [new_offer_button(view)]
    elif step is not None and (view.hosts or not step.hosts):
        own = _step_buttons(view, step)
    return (*rows_of(own), *rows_of([] if view.seat else _seat_row(view)))


def _seat_row(view: TableView) -> list[Button]:
    return seat_buttons(view, "success" if still_sitting(view) else "secondary")


def _heading(view: TableView) -> str:
    info = game_of(view).info
    small = [] if view.name == info.name else [info.name]
    small.append(f"{mention_host(view)} is the host")
    first = {**type(view.settings)().items()}
    first |= {setting.name: setting.first for setting in info.options}
    changed = []
    for option, value in view.settings.items().items():
        if value != first.get(option):
            changed.append(f"{option}: {value}")
    if changed:
        small.append(", ".join(changed))
    return f"### {escape(view.name)}\n-# {' · '.join(small)}"


def _now(view: TableView, step: StepView, when: str = "") -> str:
    who = f" · {when}{mention_host(view)} presses" if step.hosts or when else ""
    return rules_last(f"{NOW} **{step.title}**{who}\n{_lines(view, step)}".strip())


def _lines(view: TableView, step: StepView) -> str:
    return " · ".join(format_text(view, line) for line in step.lines)


def _step_buttons(view: TableView, step: StepView) -> list[Button]:
    """Return a step's buttons, the first in colour, without the button for seats."""
    row: list[Button] = []
    for option in step.buttons:
        if not _asks_for_seat(option):
            row.append(button_of(view, option, "secondary" if row else "primary"))
    return row


def mention_host(view: TableView) -> str:
    """Return a mention of the host."""
    return format_text(view, f"<=person:{view.host}>")


def seat_buttons(view: TableView, style: Style) -> list[Button]:
    """Return the button that asks the presser for their seat; none if the table is full."""
    if not free_seats(view):
        return []
    return [Button("Take a seat", SetupAction(view.id, "seat"), style)]


def _asks_for_seat(option: LabelledAction) -> bool:
    return isinstance(option.action, SetupAction) and option.action.what == "seat"


# ---------------------------------------------------------------- what can be changed


@drawn
def change_card(view: TableView) -> Card:
    """Return what the viewer may change in the set-up: a player their seat, a host everything."""
    assert view.setup is not None
    own = seat_buttons(view, "primary") if view.seat is None else []
    for step in view.setup.steps:
        if step != view.setup.next and (step.done or view.hosts):
            own += buttons_of(view, [each for each in step.buttons if not _asks_for_seat(each)])
    text = "What do you want to change?"
    if view.hosts:
        for option in game_of(view).info.options:
            label = option.question or _titled(option.name)
            own.append(Button(label, AskOption(view.id, option.name)))
        own.append(board_button(view, "Settings", "settings"))
        own.append(board_button(view, "Seats and host", "seats"))
    else:
        text += f"\n-# Only the host, {mention_host(view)}, can change the rest."
    if view.seat is not None:
        label = f"Leave {seat_name(view, view.seat)}"
        leave = Leave(view.seat, view.names.holders[view.seat])
        own.append(Button(label, Press(view.id, leave)))
    return Card("waiting", text, rows_of(own))


def _titled(option: str) -> str:
    return option.replace("_", " ").capitalize()


def took_text(view: TableView, seat: str) -> str:
    """Return the answer to taking a seat."""
    return format_text(view, f"<seat:{seat}> plays **<faction:{seat}>**.")


# ---------------------------------------------------------------- seats

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""A sign for each seat of a table, by its place among all seats ever taken."""


def free_seats(view: TableView) -> list[str]:
    """Return the seats that can be taken at this table; none if it is full."""
    seats = game_of(view).seats
    if seats.most is not None and len(view.seated()) >= seats.most:
        return []
    taken = {seat.id for seat in view.seats.values() if seat.person is not None}
    return [option.id for option in offered_seats(view) if option.id not in taken | view.barred]


def offered_seats(view: TableView) -> list[SeatOption]:
    """Return the seats that this table's settings allow, taken or not."""
    seats = game_of(view).seats
    offered = None if seats.offered is None else {*seats.offered(view.settings)}
    return [option for option in seats.every() if offered is None or option.id in offered]


def earlier_seats(view: TableView, user_id: int) -> list[str]:
    """Return the seats of the table that this one repeats, this user's own first; none if it
    repeats none.
    """
    own = view.person_of_user(user_id)
    number = own.number if own is not None else None
    own_first = sorted(view.earlier, key=lambda seat: seat.person != number)
    return [earlier.seat for earlier in own_first]


def seat_form(view: TableView, before: Sequence[str] = ()) -> Form:
    """Return the form for the seat that the viewer takes: menus of the free seats, sorted by team
    and name.

    A menu of those that were played ``before`` comes first.

    Raises `Refused` if there are none.
    """
    free = {*free_seats(view)}
    if not free:
        raise Refused("Every seat is taken.", "**Leave…** under **Menu** frees one.")
    seats = sorted(offered_seats(view), key=lambda seat: (seat.group, seat.short.casefold()))
    fields = []
    by_id = {seat.id: seat for seat in seats}
    if again := _options([by_id[seat] for seat in before if seat in by_id], free):
        fields.append(Menu("before", "As last time", again))
    size = -(-len(seats) // -(-len(seats) // SELECT_MAX))  # menus of about the same length
    parts = [seats[first : first + size] for first in range(0, len(seats), size)]
    for place, part in enumerate(parts):
        first, last = (seat.group or seat.short for seat in (part[0], part[-1]))
        label = f"{first} to {last}" if len(parts) > 1 else "Your seat"
        if options := _options(part, free):
            fields.append(Menu(f"seat{place}", label, options))
    fields = fields[:FIELDS_MAX]
    if len(fields) > 1:
        others = "the other list" if len(fields) == 2 else "the other lists"
        one = f"Is yours among these? Pick it here, and leave {others} empty."
        fields = [replace(field, description=one) for field in fields]
    return Form("Who do you play?", SeatForm(view.id), tuple(fields))


def _options(seats: Sequence[SeatOption], free: Collection[str]) -> tuple[Option, ...]:
    options = []
    for seat in seats:
        label = seat.short if seat.group in seat.short else f"{seat.short} · {seat.group}"
        if seat.id in free:
            options.append((label, seat.id, seat.symbol))
    return tuple(options)


# ---------------------------------------------------------------- the order in which all sit


class OrderQuestion(NamedTuple):
    """A question for an order. ``step`` makes the action of a button from the seats picked and
    whether all are.

    >>> class Queue(Action):
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


@drawn
def order_card(view: TableView, picked: str = "", asked: OrderQuestion = SEATING) -> Card:
    """Ask who is next. Of the last two, a button has both and uses the order. Unknown signs are
    ignored. Raises `Refused` as `seats_of`.

    >>> order_card(view).mood
    'waiting'
    """
    order = seats_of(view, picked)
    left = [seat for seat in view.seated() if seat not in order]

    def step(seats: Sequence[str], *, all: bool) -> Action:
        signs = "".join(sign(view, seat) for seat in (*order, *seats))
        return asked.step(view.id, f"{_asked_at(view)}{STAMPED}{signs}" if signs else "", all)

    again = Button("Start over", asked.step(view.id, "", False))
    if order and len(left) < 2:  # somebody has left meanwhile
        sure = Button("Use this order", step(left, all=True), "primary")
        so_far = " – ".join(mention(view, seat) for seat in (*order, *left))
        return Card("waiting", f"{asked.all}\n{so_far}", ((sure, again),))
    row = []
    if len(left) == 2:
        for seat, last in (left, left[::-1]):
            first_name, last_name = (_half_label(view, each) for each in (seat, last))
            use = step([seat, last], all=True)
            row.append(Button(f"{first_name}, then {last_name}", use, "primary"))
    else:
        for seat in left:
            label = name(view, seat)
            row.append(Button(label, step([seat], all=False)))
    if not order:
        return Card("waiting", asked.first, rows_of(row))
    so_far = " – ".join(mention(view, seat) for seat in order)
    return Card("waiting", f"{so_far} – **who is next?**", (*rows_of(row), (again,)))


def _half_label(view: TableView, seat: str) -> str:
    return truncate(name(view, seat), HALF_LABEL_MAX)


def seats_of(view: TableView, picked: str) -> list[str]:
    """Return the occupied seats that these signs stand for, each once.

    Before the signs, a button of `order_card` has a stamp of when it asked. Raises `Refused` if
    somebody has sat down or left since, or what was under way is over.

    >>> seats_of(view, sign(view, "green") + sign(view, "red"))
    ['green', 'red']
    """
    stamp, stamped, picked = picked.rpartition(STAMPED)
    now = _asked_at(view)
    if stamped and stamp != now:
        over = "The game has gone on since."
        if stamp[:STAMP] != now[:STAMP]:
            over = "Somebody has sat down or left since."
        raise Refused(over, "Press the button that asks for the order again.")
    signs = dict(zip(SIGNS, view.seats, strict=False))
    seats = [signs[each] for each in dict.fromkeys(picked) if each in signs]
    return [seat for seat in seats if seat in view.seated()]


STAMPED = "."
"""What divides a stamp from the signs after it."""


def says_when(picked: str) -> bool:
    """Return whether a button of `order_card` says when it asked; one of 1.0.0 does not.

    >>> says_when(sign(view, "green"))
    False
    """
    return STAMPED in picked


def _asked_at(view: TableView) -> str:
    """Return a stamp of whoever sits at the table, and then one of what is under way."""
    seated = sha256(",".join(view.seated()).encode()).hexdigest()
    under_way = sha256(f"{view.window.since}".encode()).hexdigest()
    return seated[:STAMP] + under_way[:STAMP]


STAMP = 3
"""The length of each of the two, in characters."""


def sign(view: TableView, seat: str) -> str:
    """Return the sign of a seat.

    >>> sign(view, "red") == sign(view, "green")
    False
    """
    return SIGNS[list(view.seats).index(seat)]


# ---------------------------------------------------------------- goods and settings


@drawn
def whose_goods_card(view: TableView) -> Card:
    """Ask a host whose goods to enter."""
    row = []
    for seat in view.seated():
        label = name(view, seat)
        row.append(Button(label, AskGoods(view.id, seat)))
    text = "**Whose goods?** The rulebook's starting goods are already there."
    return Card("waiting", text, rows_of(row))


def goods_form(view: TableView, seat: str) -> Form:
    """Return the form for everything that lies open before a seat."""
    game, goods = game_of(view), view.seats[seat].open
    text = plain_text(view, game.goods.describe(goods)) if goods else ""
    title = "What you have" if seat == view.seat else f"What {bare_name(view, seat)} has"
    hint = f"For example: {game.info.example}"[:HINT_MAX]
    field = Text("goods", "All of it, as it is now", text, hint)
    return Form(title[:TITLE_MAX], GoodsForm(view.id, seat), (field,))


@drawn
def option_card(view: TableView, name: str) -> Card | None:
    """Return the values of one of the game's settings, the current one in colour; None for an
    unknown setting.
    """
    options = {option.name: option for option in game_of(view).info.options}
    option = options.get(name)
    if option is None:
        return None
    now = view.settings.items().get(name, option.values[0])
    row = []
    for value in view.board.settings.get(name, option.values):
        change = Press(view.id, ChangeSetting(name, value))
        style: Style = "primary" if value == now else "secondary"
        row.append(Button(option.said(value), change, style))
    text = f"**{option.question or _titled(name)}** Now: **{option.said(now)}**"
    if not option.answers:
        text += f"\n-# {option.description}"
    return Card("waiting", text, rows_of(row))
