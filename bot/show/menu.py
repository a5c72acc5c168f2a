"""Private replies to the board's buttons: what waits for the person, their goods, and **Menu**.

All of it is private. Everything in the menu is also a slash command.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from bot.rules.commands import Press
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSetting, PauseTable, SetHost, SetPhase
from bot.rules.model.actions import LabelledAction, OfferAction
from bot.rules.views import STEPS_MAX, MenuItem, OfferView, TableView
from bot.show.actions import (
    AskDeal,
    AskTalk,
    BoardMove,
    ChooseSeat,
    ChooseSetting,
    RevealPrompt,
    TurnHistory,
)
from bot.show.board import NEW_OFFER, PARTNERS, board_button, short_goods
from bot.show.cards import (
    BUTTONS_MAX,
    LINE_MAX,
    ROWS_MAX,
    TEXT_MAX,
    Button,
    Card,
    Rows,
    Select,
    button_of,
    button_rows,
    drawn,
    fitting,
    rows_of,
    rules_last,
    selects,
    truncate,
    truncate_list,
)
from bot.show.deals import proposal
from bot.show.debts import debts_text, goods_rows, slip_buttons
from bot.show.drafts import unasked_buttons
from bot.show.names import (
    bare_name,
    escape,
    format_text,
    game_of,
    mention,
    name_text,
    plain_player,
    player,
    seat_name,
)
from bot.show.offer_cards import offer_line
from bot.show.offer_sides import gives_text, other_side, wants_text

# ---------------------------------------------------------------- what waits for a person

WAITING_MAX, WAITING_ROOM = 5, 1800
"""The most items to list, as many as a row has buttons; and the most characters for them."""


class WaitingItem(NamedTuple):
    """Something that waits for a person: a line, and the button that opens it."""

    line: str
    button: Button


def waiting(view: TableView) -> list[WaitingItem]:
    """Return what waits for the viewer, for a card that nobody else reads. Agreed trades come
    first.
    """
    offers = [offer for offer in view.offers.values() if offer.role is not None]
    offers.sort(key=lambda offer: (view.seat not in offer.progress.waits_for, offer.number))
    items = []
    for offer in offers:
        task = _task(view, offer) if offer.status == "open" else None
        if task is not None:
            verb, line = task
            look = OfferAction(offer.table, offer.number, offer.revision, "show")
            button = Button(f"{verb} offer {offer.number}", look, "primary")
            items.append(WaitingItem(line, button))
    for number, prompt in enumerate(view.prompts, start=1):
        offer_asked_about = view.offers.get(prompt.offer or 0)
        label, line = (
            f"Answer question {number}",
            truncate(format_text(view, prompt.text), LINE_MAX),
        )
        if offer_asked_about is not None:
            line = rules_last(f"{line}\n-# {escape(offer_line(view, offer_asked_about))}")
        if (deal := proposal(view, prompt)) is not None:
            label = f"Answer deal {deal.number}"
            line = f"Deal {deal.number}, proposed by {mention(deal, deal.seat)}."
        reveal = RevealPrompt(view.id, prompt.key)
        items.append(WaitingItem(line, Button(label, reveal, "primary")))
    return items


def with_waiting(view: TableView, card: Card) -> Card:
    """Return a private card with what waits for its reader on top."""
    first = waiting_block(view)
    if not first:
        return card
    # each shows the item as it is then
    row = [item.button for item in waiting(view)[:WAITING_MAX]]
    rows = (*rows_of(row), *card.rows)
    return replace(card, mood="waiting", blocks=(first, *card.blocks), rows=rows)


def waiting_block(view: TableView) -> str:
    """Return what waits for the viewer as a block of text; empty for nothing."""
    items = waiting(view)
    if not items:
        return ""
    lines = fitting((item.line for item in items[:WAITING_MAX]), WAITING_ROOM)
    left = len(items) - len(lines)
    if left:
        lines.append(f"-# and {left} more")
    return "\n".join(("**Waiting for you**", *lines))


def _task(view: TableView, offer: OfferView) -> tuple[str, str] | None:
    """Return the viewer's task in an offer, as a word for the button and as a line; None for no
    task.
    """
    number, progress = f"Offer {offer.number}", offer.progress
    other = mention(offer, other_side(offer) or offer.poster)
    both = f"{number} with {other}: both have agreed, and now you"
    if view.seat in progress.confirming:
        return "Confirm", f"{both} **confirm** it."
    if view.seat in progress.handing_over:
        return "Hand over for", f"{both} **hand over**."
    if offer.role == "poster" and progress.takers:
        who = ", ".join(mention(offer, taker) for taker in progress.takers)
        agreed = "agreed to" if offer.buttons.only_agrees else "accepted"
        return "Pick for", f"{number} is {agreed} by {who}: **pick** who you trade with."
    # one line for all of them; the offer's card leads to each
    if offer.role == "poster" and offer.links.counters:
        counters = [view.offers[counter] for counter in offer.links.counters]
        who = ", ".join(mention(counter, counter.poster) for counter in counters)
        return "Answers to", f"{number} is answered with another offer by {who}."
    if offer.role != "addressed" or offer.to is None or progress.agreed_by_both:
        return None
    if offer.links.of_many:
        return None
    sides = offer.sides
    get = gives_text(offer, short_goods(view, sides.give))
    give = wants_text(offer, short_goods(view, sides.want))
    words = ", with terms" if sides.terms or sides.terms_now else ""
    return "Answer", f"{number} from {other}: you get {get} for {give}{words}"


# ---------------------------------------------------------------- their goods

_AMOUNT = re.compile(r"^([^:]*: )(\d+(?: of \d+)?)(?=$|[^\w])")
"""The amount after a kind of goods: ``Trade goods: 4``."""


SHORTEST = 60
"""The fewest characters of a line of goods, however little room there is."""


@drawn
def my_goods_card(
    view: TableView, seat: str, now: Sequence[str] = (), *, reached: bool = True
) -> Card:
    """Return the viewer's holdings, under the usual trades with the seats ``now``, those they can
    trade with.

    ``seat`` is the viewer's own. ``reached``: DMs reach them, as far as is known.
    """
    title = f"### {view.board.goods} · {seat_name(view, seat)}\n-# Only you see this."
    if not reached:
        title += (
            "\n✉️ I can't reach you by DM. What waits for you is here, and your news is in "
            "**History** under **Menu**."
        )
    owed, goods = debts_text(view), "This table does not keep count of holdings."
    if view.tracked:
        room = TEXT_MAX - len(waiting_block(view)) - len(title) - len(owed)
        goods = "\n".join(_goods_lines(view, seat, room))
    rows: list[tuple[Button, ...] | Select | str] = []
    rows += rows_of(unasked_buttons(view, now))
    if view.open and view.tracked:
        for taps in game_of(view).holdings.buttons(view):
            rows.append(tuple(_goods_button(view, tap) for tap in taps))
    rows += [*goods_rows(view), *next_rows(view)]
    if view.tracked:
        rows.append((board_button(view, "Say it", "mine"),))
    return with_waiting(view, Card("open", (title, goods, owed), tuple(rows)))


def _goods_lines(view: TableView, seat: str, room: int) -> list[str]:
    """Return a line for each kind of a seat's goods, the amount in bold, together in this many
    characters.
    """
    lines = []
    for kind in game_of(view).goods.describe_holdings(view.seats[seat]):
        line = truncate_list(format_text(view, kind), max(room, SHORTEST))
        lines.append(_AMOUNT.sub(r"\1**\2**", line))
        room -= len(lines[-1]) + 1
    return lines


def _goods_button(view: TableView, tap: LabelledAction) -> Button:
    icon = game_of(view).goods.icon(tap.token) if tap.token else None
    return Button(tap.label, tap.action, icon=icon)


@drawn
def own_said_card(view: TableView, seat: str) -> Card:
    """Return the viewer's own goods in a plain sentence, their hand included. ``seat`` is their
    own.
    """
    goods = "what you keep"
    if view.tracked:
        known = view.seats[seat].known
        goods = name_text(view, game_of(view).goods.describe(known))
    text = f"### Only for you\nYou play {seat_name(view, seat)} and have {goods}."
    return Card("open", text, next_rows(view))


def next_rows(view: TableView) -> tuple[tuple[Button, ...], ...]:
    """Return the next buttons: to a trade; before trading begins, to what brings goods."""
    row, gains = [], view.board.gains
    if view.open and view.board.trades:
        row.append(board_button(view, NEW_OFFER, "new"))
        if view.pairwise:
            row.append(board_button(view, PARTNERS, "partners"))
    elif view.open and gains:
        row.append(Button(gains.label, gains.action))
    return (tuple(row),) if row else ()


# ---------------------------------------------------------------- the menu


@drawn
def menu_card(view: TableView) -> Card:
    """Return the menu for the viewer under small headings: this turn, the table, the viewer; hosts'
    is one button.
    """
    further = view.board.buttons[STEPS_MAX:]  # the board has the others
    items = [MenuItem(step.label, step.action) for step in further]
    items += [item for item in view.board.menu if _may_use(view, item)]
    game = _buttons_of_part(view, items, "game")
    table = [
        board_button(view, "See the offers", "offers"),
        board_button(view, "Who has what", "table"),
        Button("History", TurnHistory(view.id, until_seq=view.seq, page=1)),
        board_button(view, "Look at the rules", "rules"),
        board_button(view, "Say it", "say"),
    ]
    if view.seat is not None:
        table += [board_button(view, label, what) for label, what in OF_PLAYERS.items()]
    mine = [item for item in items if item.seat in (None, view.seat)]
    own = [*_buttons_of_part(view, mine, "you"), board_button(view, "Pings", "pings")]
    if view.hosts:
        own.append(board_button(view, "Host…", "host"))
    rows: list[tuple[Button, ...] | str] = []
    if game:
        rows += ["This turn", *button_rows(game, 2 * BUTTONS_MAX, COMMANDS)]
    left = len(own) - BUTTONS_MAX
    rows += ["The table", *rows_of(table), "You", *rows_of(own[-BUTTONS_MAX:])]
    if left > 0:
        rows.append(f"{left} more: {COMMANDS}")
    return with_waiting(view, Card("open", f"### {escape(view.name)} · more", tuple(rows)))


OF_PLAYERS: Mapping[str, BoardMove] = {
    "Deal…": "deal",
    "Negotiate…": "talk",
    "Leave…": "leave",
}
"""What only a player can do, with somebody whom they name then, or after a question."""

COMMANDS = "/help names the commands"
"""Where to find what has no button."""


def _buttons_of_part(view: TableView, items: Iterable[MenuItem], part: str) -> list[Button]:
    return [button_of(view, item) for item in items if item.part == part]


@drawn
def host_card(view: TableView) -> Card:
    """Return the hosts' part of the menu: the game's, phases, undo, settings, seats, a pause."""
    others = [item for item in view.board.menu if item.seat not in (None, view.seat)]
    row = _buttons_of_part(view, view.board.menu, "host")
    if {*game_of(view).info.host_phases} - {view.phase}:
        row.append(board_button(view, "Begin a phase", "phase"))
    if _slips(view):
        row.append(board_button(view, "Undo a slip", "undo"))
    row += [board_button(view, "Settings", "settings"), board_button(view, "Seats", "seats")]
    row.append(Button("Pause", Press(view.id, PauseTable(view.since))))
    row.append(board_button(view, "Close…", "close"))
    row += _buttons_of_part(view, others, "you")
    back = board_button(view, "Back", "more")
    rows = (*button_rows(row, ROWS_MAX * BUTTONS_MAX, COMMANDS), (back,))
    return Card("open", f"### {escape(view.name)} · for the host", rows)


def _may_use(view: TableView, item: MenuItem) -> bool:
    return item.seat in (None, view.seat) or (item.hosts and view.hosts)


def _slips(view: TableView) -> list[Button]:
    return [*_buttons_of_part(view, view.board.menu, "undo"), *slip_buttons(view)]


@drawn
def undo_card(view: TableView) -> Card:
    """Ask a host what to undo."""
    slips = _slips(view)
    text = "### What do you want to undo?\n-# It is recorded, and everybody sees it."
    if not slips:
        text = "There is no slip to undo now. **/audit correct** fixes what a player has."
    return Card("waiting", text, _rows(view, slips))


@drawn
def phase_card(view: TableView) -> Card:
    """Ask which phase begins. Whether the presser may set it is decided later."""
    row, info = [], game_of(view).info
    for phase in info.host_phases:
        if phase != view.phase:
            begin = Press(view.id, SetPhase(phase, view.phase_since))
            row.append(Button(f"Begin {info.in_phase_words(phase)}", begin))
    now = f"It is the **{view.phase}** phase now."
    if title := info.phase_titles.get(view.phase):
        now = f"Now: **{title}**."
    text = f"### Which phase begins?\n{now}"
    return Card("waiting", text, _rows(view, row))


# ---------------------------------------------------------------- settings


CORE_WORDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "rulings": (
        "What if the rules forbid a trade?",
        {"refuse": "It can't be done", "warn": "It is done, with a warning"},
    ),
    "inventory": (
        "Who counts what everybody has?",
        {"tracked": "Bourse does", "untracked": "You do, at the table"},
    ),
    "declare_holdings": (
        "Who may say that goods changed?",
        {"players": "Each player", "host": "Only the host"},
    ),
    "confirm": (
        "Is accepting an offer enough?",
        {"once": "Yes", "twice": "No, I ask both again by DM"},
    ),
    "timer": ("How many minutes does an offer or a trade phase last?", {"0": "No limit"}),
    "open_on_close": (
        "Who sees what is hidden once the table is closed?",
        {"yes": "Everybody", "no": "Each only their own"},
    ),
}
"""The core's settings as questions, and their values as answers."""


def setting_words(view: TableView, name: str, value: str) -> tuple[str, str]:
    """Return a setting as a question and a value of it as the answer; name and value if there are
    no such words.
    """
    if name in CORE_WORDS:
        question, answers = CORE_WORDS[name]
        return question, answers.get(value, value)
    for option in game_of(view).info.options:
        if option.name == name and option.question:
            return option.question, option.said(value)
    return name, value


@drawn
def settings_card(view: TableView, values: Mapping[str, tuple[str, ...]]) -> Card:
    """Return the table's settings; for hosts, also the select to change them.

    ``values`` are the suggestions for each setting.
    """
    honoured = game_of(view).info.settings
    now = {name: value for name, value in view.settings.items().items() if name in honoured}
    now |= {name: possible[0] for name, possible in view.board.settings.items()}
    lines, options = [], []
    for name, value in now.items():
        question, answer = setting_words(view, name, value)
        lines.append(f"{question} **{escape(answer)}**")
        for other in values.get(name, ()):
            if other != value:
                words = " ".join(setting_words(view, name, other))
                options.append((words, f"{name}={other}"))
    blocks = [f"### Settings of {escape(view.name)}", "\n\n".join(lines)]
    if not view.hosts:
        return Card("open", blocks)
    how = "**/table settings** changes all of them, also numbers."
    blocks.append(f"-# Choose one to see what it means. {how}")
    if not options:
        return Card("open", blocks, (_back(view),))
    what, more = "Change what?", "/table settings has all"
    rows = selects(what, ChooseSetting(view.id), options, more)
    return Card("open", blocks, (*rows, _back(view)))


@drawn
def change_setting_card(view: TableView, name: str, value: str, description: str) -> Card:
    """Ask whether to change this setting."""
    question, answer = setting_words(view, name, value)
    now = view.settings.items().get(name, "")
    _, before = setting_words(view, name, now)
    change = Press(view.id, ChangeSetting(name, value))
    button = Button(f"Play with: {answer}", change, "primary")
    text = f"### {question}\n{escape(before)} → **{escape(answer)}**\n-# {escape(description)}"
    row = (button, board_button(view, "Back", "settings"))
    return Card("waiting", text, (row,))


# ---------------------------------------------------------------- seats


@drawn
def seats_card(view: TableView) -> Card:
    """Return who sits where; for hosts, also the select to free a seat or make a host."""
    seated = view.seated()
    lines = [player(view, seat) for seat in seated] or ["Nobody sits here yet."]
    blocks = (
        "\n".join(("### Seats", *lines)),
        "-# **/table sit** takes a seat; hosts can seat others.",
    )
    if not seated or not view.hosts:
        return Card("open", blocks, (_back(view),))
    options = [(plain_player(view, seat), seat) for seat in seated]
    what, more = "Free a seat, or a new host", "/table leave player:"
    rows = selects(what, ChooseSeat(view.id), options, more)
    return Card("open", blocks, (*rows, _back(view)))


@drawn
def free_seat_card(view: TableView, seat: str) -> Card:
    """Ask whether to remove a player from the table, or make them its host."""
    question = f"<player:{seat}> leaves the table? Offers to them and by them end."
    text = format_text(view, f"{question} Or do they become its host?")
    free = f"Free the seat of {plain_player(view, seat)}"
    lead = f"{bare_name(view, seat)} becomes the host"
    person = view.names.holders[seat] or 0
    row = (
        Button(free, Press(view.id, Leave(seat, person)), "danger"),
        Button(lead, Press(view.id, SetHost(person))),
        board_button(view, "Back", "seats"),
    )
    return Card("waiting", text, (row,))


@drawn
def leave_card(view: TableView, seat: str) -> Card:
    """Ask a player whether to leave their seat."""
    text = (
        f"### Leave {seat_name(view, seat)}?\nYour open offers and proposed deals end. Your goods "
        "stay with the seat, and somebody else can take it."
    )
    label = f"Leave {seat_name(view, seat)}"
    leave = Leave(seat, view.names.holders[seat], sure=True)
    row = (Button(label, Press(view.id, leave), "danger"), board_button(view, "Back", "more"))
    return Card("waiting", text, (row,))


@drawn
def with_whom_card(view: TableView, what: Literal["deal", "talk"]) -> Card:
    """Ask a player with whom they agree on something, or talk in private."""
    text = "### With whom do you agree on something?\n-# A deal is words without goods."
    if what == "talk":
        text = "### With whom do you talk in private?\n-# I open a thread for you two."
    row = []
    for seat in view.others(view.seat):
        ask = AskTalk(view.id, seat) if what == "talk" else AskDeal(view.id, seat)
        row.append(Button(plain_player(view, seat), ask))
    return Card("waiting", text, (*rows_of(row), (board_button(view, "Back", "more"),)))


# ---------------------------------------------------------------- rows


def _rows(view: TableView, row: Sequence[Button]) -> Rows:
    """Return these buttons in rows, and the row that leads back."""
    return (*button_rows(row, (ROWS_MAX - 1) * BUTTONS_MAX, COMMANDS), _back(view))


def _back(view: TableView) -> tuple[Button, ...]:
    """Return the row that leads back to the menu; for hosts, to their part of it."""
    return (board_button(view, "Back", "host" if view.hosts else "more"),)
