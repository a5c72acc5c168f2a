"""Private replies to the board's buttons: what waits for the person, their goods, and the menu
**More…**.

All of it is private. Everything in the menu is also a slash command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.rules.commands import Press
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSetting, PauseTable, SetHost, SetPhase
from bot.rules.model.actions import OfferAction
from bot.rules.views import STEPS_MAX, MenuItem, OfferView, TableView
from bot.show.actions import (
    BoardMove,
    BoardPress,
    ChooseSeat,
    ChooseSetting,
    RevealPrompt,
    TurnHistory,
)
from bot.show.board import NEW_OFFER, PARTNERS, short_goods
from bot.show.cards import (
    BUTTONS_MAX,
    LABEL_MAX,
    LINE_MAX,
    SELECT_MAX,
    TEXT_MAX,
    Button,
    Card,
    Select,
    button_of,
    fitting,
    rows_of,
    rules_last,
    truncate,
    truncate_list,
)
from bot.show.debts import debts_text, goods_rows
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
from bot.show.offer_sides import other_side

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
    found = []
    offers = [
        offer for offer in view.offers.values() if offer.status == "open" and offer.role is not None
    ]
    for offer in sorted(
        offers, key=lambda each: (view.seat not in each.progress.waits_for, each.number)
    ):
        if (what := _task(view, offer)) is not None:
            look = OfferAction(offer.table, offer.number, offer.revision, "show")
            found.append(
                WaitingItem(what[1], Button(f"{what[0]} offer {offer.number}", look, "primary"))
            )
    for number, prompt in enumerate(view.prompts, start=1):
        about, deal = view.offers.get(prompt.offer or 0), view.deals.get(prompt.deal or 0)
        label, line = (
            f"Answer question {number}",
            truncate(format_text(view, prompt.text), LINE_MAX),
        )
        line = rules_last(f"{line}\n-# {escape(offer_line(view, about))}" if about else line)
        if deal is not None:
            label, line = (
                f"Answer deal {deal.number}",
                f"Deal {deal.number}, proposed by {mention(deal, deal.seat)}.",
            )
        found.append(WaitingItem(line, Button(label, RevealPrompt(view.id, prompt.key), "primary")))
    return found


def with_waiting(view: TableView, card: Card) -> Card:
    """Return a private card with what waits for its reader on top."""
    first = waiting_block(view)
    if not first:
        return card
    # each shows the item as it is then
    rows = rows_of([each.button for each in waiting(view)[:WAITING_MAX]])
    return replace(card, mood="waiting", blocks=(first, *card.blocks), rows=(*rows, *card.rows))


def waiting_block(view: TableView) -> str:
    """Return what waits for the viewer as a block of text; empty for nothing."""
    found = waiting(view)
    if not found:
        return ""
    lines = fitting((each.line for each in found[:WAITING_MAX]), WAITING_ROOM)
    more = f"\n-# and {len(found) - len(lines)} more" if len(found) > len(lines) else ""
    return "**Waiting for you**\n" + "\n".join(lines) + more


def _task(view: TableView, offer: OfferView) -> tuple[str, str] | None:
    """Return the viewer's task in an offer, as a word for the button and as a line; None for no
    task.
    """
    number, other = f"Offer {offer.number}", mention(offer, other_side(offer) or offer.poster)
    if view.seat in offer.progress.confirming:
        return "Confirm", f"{number} with {other}: both have agreed, and now you **confirm** it."
    if view.seat in offer.progress.handing_over:
        return (
            "Hand over for",
            f"{number} with {other}: both have agreed, and now you **hand over**.",
        )
    if offer.role == "poster" and offer.progress.takers:
        who = ", ".join(mention(offer, taker) for taker in offer.progress.takers)
        agreed = "agreed to" if offer.buttons.only_agrees else "accepted"
        return "Pick for", f"{number} is {agreed} by {who}: **pick** who you trade with."
    # one line for all of them; the offer's card leads to each
    if offer.role == "poster" and offer.links.counters:
        who = ", ".join(
            mention(each, each.poster)
            for each in map(view.offers.__getitem__, offer.links.counters)
        )
        return "Answers to", f"{number} is answered with another offer by {who}."
    if offer.role == "addressed" and offer.to is not None and not offer.progress.agreed_by_both:
        if offer.links.of_many:
            return None
        get, give = short_goods(view, offer.sides.give), short_goods(view, offer.sides.want)
        words = ", with terms" if offer.sides.terms or offer.sides.terms_now else ""
        return "Answer", f"{number} from {other}: you get {get} for {give}{words}"
    return None


# ---------------------------------------------------------------- their goods

_AMOUNT = re.compile(r"^([^:=]*[:=] )(\d+(?: of \d+)?)(?=$|[^\w])")
"""The amount after a kind of goods: ``Trade goods: 4``, ``Salt x3 = 27``."""


SHORTEST = 60
"""The fewest characters of a line of goods, however little room there is."""


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
            "**/history**."
        )
    owed = debts_text(view)
    lines, room = [], TEXT_MAX - len(waiting_block(view)) - len(title) - len(owed)
    for each in game_of(view).goods.describe_holdings(view.seats[seat]) if view.tracked else ():
        # The amount after a kind of goods is bold.
        lines.append(
            _AMOUNT.sub(r"\1**\2**", truncate_list(format_text(view, each), max(room, SHORTEST)))
        )
        room -= len(lines[-1]) + 1
    goods = "\n".join(lines) if view.tracked else "This table does not keep count of holdings."
    counts = view.open and view.tracked
    changing = game_of(view).holdings.buttons(view) if counts else ()
    icon = game_of(view).goods.icon
    rows = (
        *rows_of(unasked_buttons(view, now)),
        *(
            tuple(
                Button(each.label, each.action, icon=icon(each.token) if each.token else None)
                for each in row
            )
            for row in changing
        ),
        *goods_rows(view),
        *next_rows(view),
    )
    said = ((_press(view, "Say it", "mine"),),) if view.tracked else ()
    return with_waiting(
        view, Card("open", tuple(filter(None, (title, goods, owed))), (*rows, *said))
    )


def own_said_card(view: TableView, seat: str) -> Card:
    """Return the viewer's own goods in a plain sentence, their hand included. ``seat`` is their
    own.
    """
    has = (
        name_text(view, game_of(view).goods.describe(view.seats[seat].known))
        if view.tracked
        else "what you keep"
    )
    return Card(
        "open",
        (f"### Only for you\nYou play {seat_name(view, seat)} and have {has}.",),
        next_rows(view),
    )


def next_rows(view: TableView) -> tuple[tuple[Button, ...], ...]:
    """Return the next buttons: to a trade; before trading begins, to what brings goods."""
    gains = view.board.gains
    if not view.open or not view.board.trades:
        return ((Button(gains.label, gains.action),),) if view.open and gains else ()
    new = Button(NEW_OFFER, BoardPress(view.id, "new"))
    return (
        (new, *((Button(PARTNERS, BoardPress(view.id, "partners")),) if view.pairwise else ())),
    )


# ---------------------------------------------------------------- the menu

ROWS_MAX = 5
"""The most rows of buttons that fit on a card beside its text."""


def menu_card(view: TableView) -> Card:
    """Return the menu for the viewer under small headings: this turn, the table, the viewer; hosts'
    is one button.
    """
    more = (MenuItem(each.label, each.action) for each in view.board.buttons[STEPS_MAX:])
    items = [*more, *view.board.menu]
    game = [button_of(view, each) for each in items if each.part == "game" and _may_use(view, each)]
    look = [
        _press(view, "See the offers", "offers"),
        _press(view, "Who has what", "table"),
        Button("History", TurnHistory(view.id, until_seq=view.seq, page=1)),
        _press(view, "Look at the rules", "rules"),
        _press(view, "Say it", "say"),
    ]
    own = [button_of(view, each) for each in items if each.part == "you" and _may_use(view, each)]
    own += [
        _press(view, "Pings", "pings"),
        *([_press(view, "Host…", "host")] if view.hosts else []),
    ]
    groups = (
        ("This turn", game[: 2 * BUTTONS_MAX]),
        ("The table", look),
        ("You", own[-BUTTONS_MAX:]),
    )
    rows: list[tuple[Button, ...] | str] = []
    for heading, every in groups:
        rows += [heading, *rows_of(every)] if every else []
    return with_waiting(view, Card("open", (f"### {escape(view.name)} · more",), tuple(rows)))


def host_card(view: TableView) -> Card:
    """Return the hosts' part of the menu: the game's, phases, undo, settings, seats, a pause."""
    text = f"### {escape(view.name)} · for the host"
    items = view.board.menu
    has_phases = bool({*game_of(view).info.host_phases} - {view.phase})
    host = [
        *(button_of(view, each) for each in items if each.part == "host"),
        *([_press(view, "Begin a phase", "phase")] if has_phases else []),
        *(
            [_press(view, "Undo a slip", "undo")]
            if any(each.part == "undo" for each in items)
            else []
        ),
        _press(view, "Settings", "settings"),
        _press(view, "Seats", "seats"),
        Button("Pause", Press(view.id, PauseTable())),
    ]
    return Card("open", (text,), (*rows_of(host)[:ROWS_MAX], (_press(view, "Back", "more"),)))


def _may_use(view: TableView, item: MenuItem) -> bool:
    return item.seat in (None, view.seat) or (item.hosts and view.hosts)


def undo_card(view: TableView) -> Card:
    """Ask a host what to undo."""
    every = [button_of(view, each) for each in view.board.menu if each.part == "undo"]
    if not every:
        text = "There is no slip to undo now. **/audit correct** fixes what a player has."
        return Card("waiting", (text,), (_back(view),))
    text = "### What do you want to undo?\n-# It is recorded, and everybody sees it."
    return Card("waiting", (text,), (*rows_of(every)[: ROWS_MAX - 1], _back(view)))


def phase_card(view: TableView) -> Card:
    """Ask which phase begins. Whether the presser may set it is decided later."""
    phases = [each for each in game_of(view).info.host_phases if each != view.phase]
    every = [
        Button(f"Begin the {phase} phase", Press(view.id, SetPhase(phase))) for phase in phases
    ]
    text = f"### Which phase begins?\nIt is the **{view.phase}** phase now."
    return Card("waiting", (text,), (*rows_of(every)[: ROWS_MAX - 1], _back(view)))


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
    option = next((each for each in game_of(view).info.options if each.name == name), None)
    if option is None or not option.question:
        return name, value
    return option.question, option.said(value)


def settings_card(view: TableView, values: Mapping[str, tuple[str, ...]]) -> Card:
    """Return the table's settings; for hosts, also the select to change them.

    ``values`` are the suggestions for each setting.
    """
    now = {
        name: value
        for name, value in view.settings.items().items()
        if name in game_of(view).info.settings
    }
    now |= {name: possible[0] for name, possible in view.board.settings.items()}
    words = [setting_words(view, name, value) for name, value in now.items()]
    lines = [f"{question} **{escape(answer)}**" for question, answer in words]
    blocks = [f"### Settings of {escape(view.name)}", "\n\n".join(lines)]
    if not view.hosts:
        return Card("open", tuple(blocks))
    options = [
        (" ".join(setting_words(view, name, value)), f"{name}={value}")
        for name in now
        for value in values.get(name, ())
        if value != now[name]
    ][:SELECT_MAX]
    blocks.append(
        "-# Choose one to see what it means. **/table settings** changes all of them, also numbers."
    )
    select = Select("What do you want to change?", ChooseSetting(view.id), tuple(options))
    return Card("open", tuple(blocks), (*((select,) if options else ()), _back(view)))


def change_setting_card(view: TableView, name: str, value: str, description: str) -> Card:
    """Ask whether to change this setting."""
    question, answer = setting_words(view, name, value)
    _, before = setting_words(view, name, view.settings.items().get(name, ""))
    button = Button(
        f"Play with: {answer}"[:LABEL_MAX], Press(view.id, ChangeSetting(name, value)), "primary"
    )
    return Card(
        "waiting",
        (f"### {question}\n{escape(before)} → **{escape(answer)}**\n-# {escape(description)}",),
        ((button, _press(view, "Back", "settings")),),
    )


# ---------------------------------------------------------------- seats


def seats_card(view: TableView) -> Card:
    """Return who sits where; for hosts, also the select to free a seat."""
    seated = view.seated()
    lines = [player(view, seat) for seat in seated] or ["Nobody sits here yet."]
    blocks = [
        "### Seats\n" + "\n".join(lines),
        "-# **/table sit** takes a seat (hosts can seat others), **/table order** sets the order, "
        "**/table "
        "host** names a "
        "new host.",
    ]
    options = tuple((plain_player(view, seat), seat) for seat in seated[:SELECT_MAX])
    select = (
        (Select("Whose seat becomes free?", ChooseSeat(view.id), options),)
        if options and view.hosts
        else ()
    )
    return Card("open", tuple(blocks), (*select, _back(view)))


def free_seat_card(view: TableView, seat: str) -> Card:
    """Ask whether to remove a player from the table, or make them its host."""
    text = format_text(
        view,
        f"<player:{seat}> leaves the table? Offers to them and by them end. Or do they lead it?",
    )
    button = Button(
        f"Free the seat of {plain_player(view, seat)}"[:LABEL_MAX],
        Press(view.id, Leave(seat)),
        "danger",
    )
    leads = Button(
        f"{bare_name(view, seat)} becomes the host"[:LABEL_MAX],
        Press(view.id, SetHost(view.names.holders[seat] or 0)),
    )
    return Card("waiting", (text,), ((button, leads, _press(view, "Back", "seats")),))


# ---------------------------------------------------------------- rows


def _back(view: TableView) -> tuple[Button, ...]:
    """Return the row that leads back to the menu; for hosts, to their part of it."""
    return (_press(view, "Back", "host" if view.hosts else "more"),)


def _press(view: TableView, label: str, what: BoardMove) -> Button:
    return Button(label, BoardPress(view.id, what))
