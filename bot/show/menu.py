"""The board's menu **More…**: what else the presser can do, and what only hosts can.

It is private. Everything in it is also a slash command.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.rules.views import MenuItem, TableView
from bot.show.actions import (
    BeginPhase,
    BoardMove,
    BoardPress,
    ChangeSetting,
    ChooseSeat,
    ChooseSetting,
    FreeSeat,
    TurnHistory,
)
from bot.show.board import STEPS_MAX
from bot.show.cards import LABEL_MAX, SELECT_MAX, Button, Card, Select, rows_of
from bot.show.names import escape, format_text, game_of, plain_player, plain_text, player
from bot.show.waiting import with_waiting

ROWS_MAX = 5
"""The most rows of buttons that fit on a card beside its text."""


def menu_card(view: TableView) -> Card:
    """Return the menu for the viewer: the game's part, what there is to look at, and the hosts' part."""
    more = (MenuItem(each.label, each.action) for each in view.board.buttons[STEPS_MAX:])
    items = [*more, *view.board.menu]
    game = [_item(view, each) for each in items if each.part == "game" and _theirs(view, each)]
    look = [
        _press(view, "Offers", "offers"), _press(view, "Table", "table"),
        Button("History", TurnHistory(view.id, until_seq=view.seq, page=1)), _press(view, "Rules", "rules"),
    ]  # fmt: skip
    host = _host(view) if view.hosts else []
    text = f"### {escape(view.name)} · more"
    if host:
        text += "\n-# The last row is yours as the host."
    return with_waiting(view, Card("open", (text,), (*rows_of(game), *rows_of(look), *rows_of(host))[:ROWS_MAX]))


def _host(view: TableView) -> list[Button]:
    """Return the hosts' buttons: the game's, phases, undo, settings, seats."""
    own = [_item(view, each) for each in view.board.menu if each.part == "host"]
    phase = [_press(view, "Phase", "phase")] if len(game_of(view).info.phases) > 1 else []
    slips = any(each.part == "undo" for each in view.board.menu)
    undo = [_press(view, "Undo a slip", "undo")] if slips else []
    return [*own, *phase, *undo, _press(view, "Settings", "settings"), _press(view, "Seats", "seats")]


def _theirs(view: TableView, item: MenuItem) -> bool:
    return item.seat is None or item.seat == view.seat or view.hosts


def undo_card(view: TableView) -> Card:
    """Ask a host what to undo."""
    every = [_item(view, each) for each in view.board.menu if each.part == "undo"]
    if not every:
        text = "There is no slip to take back now. **/audit correct** mends what somebody has."
        return Card("waiting", (text,), (_back(view),))
    text = "### What was a slip?\n-# It is recorded, for all to see."
    return Card("waiting", (text,), (*rows_of(every)[: ROWS_MAX - 1], _back(view)))


def phase_card(view: TableView) -> Card:
    """Ask which phase begins. Whether the presser may set it is decided later."""
    phases = [each for each in game_of(view).info.phases if each != view.phase]
    every = [Button(f"Begin the {phase} phase", BeginPhase(view.id, phase)) for phase in phases]
    text = f"### Which phase begins?\nNow it is the **{view.phase}** phase."
    return Card("waiting", (text,), (*rows_of(every)[: ROWS_MAX - 1], _back(view)))


# ---------------------------------------------------------------- settings


def settings_card(view: TableView, values: Mapping[str, tuple[str, ...]]) -> Card:
    """Return the table's settings; for hosts, also the select to change them.

    ``values`` are the suggestions for each setting.
    """
    now = {name: value for name, value in view.settings.items().items() if name in game_of(view).info.settings}
    lines = [f"**{name}: {value}**" for name, value in now.items()]
    blocks = [f"### Settings of {escape(view.name)}", "\n".join(lines)]
    if not view.hosts:
        return Card("open", tuple(blocks))
    options = [
        (f"{name}: {value}", f"{name}={value}") for name in now for value in values.get(name, ()) if value != now[name]
    ][:SELECT_MAX]
    blocks.append("-# Choosing shows what it means; **/table settings** changes all of them, numbers too.")
    select = Select("What should be otherwise?", ChooseSetting(view.id), tuple(options))
    return Card("open", tuple(blocks), (*((select,) if options else ()), _back(view)))


def change_setting_card(view: TableView, name: str, value: str, description: str) -> Card:
    """Ask whether to change this setting."""
    button = Button(f"Play with {name}: {value}"[:LABEL_MAX], ChangeSetting(view.id, name, value), "primary")
    before = view.settings.items().get(name, "")
    return Card(
        "waiting",
        (f"### {name}: {before} → {value}\n{escape(description)}",),
        ((button, _press(view, "Back", "settings")),),
    )


# ---------------------------------------------------------------- seats


def seats_card(view: TableView) -> Card:
    """Return who sits where; for hosts, also the select to free a seat."""
    seated = view.seated()
    lines = [player(view, seat) for seat in seated] or ["Nobody sits here yet."]
    blocks = [
        "### Seats\n" + "\n".join(lines),
        "-# **/table sit** takes a seat, or as host gives somebody one; **/table order** sets who follows whom; "
        "**/table host** hands the table over.",
    ]
    options = tuple((plain_player(view, seat), seat) for seat in seated[:SELECT_MAX])
    select = (Select("Whose seat becomes free?", ChooseSeat(view.id), options),) if options and view.hosts else ()
    return Card("open", tuple(blocks), (*select, _back(view)))


def free_seat_card(view: TableView, seat: str) -> Card:
    """Ask whether to remove a player from the table."""
    text = format_text(view, f"<player:{seat}> leaves the table? What is offered to or by them ends.")
    button = Button(f"Free the seat of {plain_player(view, seat)}"[:LABEL_MAX], FreeSeat(view.id, seat), "danger")
    return Card("waiting", (text,), ((button, _press(view, "Back", "seats")),))


# ---------------------------------------------------------------- rows


def _back(view: TableView) -> tuple[Button, ...]:
    """Return the row that leads back to the menu."""
    return (_press(view, "Back", "more"),)


def _item(view: TableView, item: MenuItem) -> Button:
    return Button(plain_text(view, item.label)[:LABEL_MAX], item.action)


def _press(view: TableView, label: str, what: BoardMove) -> Button:
    return Button(label, BoardPress(view.id, what))
