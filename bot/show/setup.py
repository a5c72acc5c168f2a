"""A table's set-up: one message that changes step by step, and becomes one line when play begins."""

from __future__ import annotations

from bot.rules.model.actions import LabelledAction, SetupAction, TakeSeat
from bot.rules.registry import game_named
from bot.rules.views import StepView, TableView
from bot.show.actions import AskOption
from bot.show.board import new_offer_button
from bot.show.cards import LABEL_MAX, Button, Card, Rows, Style, rows_of
from bot.show.names import escape, format_text, plain_text, player, seat_name
from bot.show.seating import free_seats

SEATS_ON_CARD = 10
"""The most seats of a game with a button for each on the card; with more, a button shows them."""

DONE, NOW = "✅", "👉"

READY = "👍 **Everything is ready.** The first offer begins the game."

# ---------------------------------------------------------------- the message


def setup_card(view: TableView) -> Card:
    """Return the set-up for everybody: what is done, the next step with its buttons, what follows."""
    assert view.setup is not None
    now = view.setup.next
    done = "\n".join(_done(view, step) for step in view.setup.steps if step.done)
    later = ", ".join(step.title.lower() for step in view.setup.steps if not step.done and step != now)
    blocks = (_heading(view), done, _now(view, now) if now else READY, f"-# Then: {later}" if later else "")
    return Card("waiting" if now else "open", tuple(filter(None, blocks)), setup_rows(view))


def begun_card(view: TableView) -> Card:
    """Return the replacement for the set-up message once play has begun or the table is closed."""
    seated = " · ".join(player(view, seat) for seat in view.seated())
    how = "is set up. Have fun!" if view.open else "is closed."
    return Card("over", (f"**{escape(view.name)}** {how}\n-# {seated or 'Nobody sat down.'}",))


def setup_rows(view: TableView) -> Rows:
    """Return the buttons for the next step, and those for seats and changes."""
    assert view.setup is not None
    now = view.setup.next
    step = _step_buttons(view, now) if now else [new_offer_button(view)]
    change = Button("Change…", SetupAction(view.id, "change"))
    last = [change] if view.seated() else []
    seats = _seat_buttons(view, taken=view.setup.steps[0].done)
    if len(seats) > 1:
        return (*rows_of(step), *rows_of(seats), *rows_of(last))
    return (*rows_of(step), *rows_of([*seats, *last]))


def next_rows(view: TableView) -> Rows:
    """Return the viewer's buttons for the next step, as /help shows them."""
    assert view.setup is not None
    now = view.setup.next
    own = [] if now is None or (now.hosts and not view.hosts) else _step_buttons(view, now)
    if now is None and view.seat:
        own = [new_offer_button(view)]
    seats = [] if view.seat else _seat_buttons(view, taken=view.setup.steps[0].done)
    return (*rows_of(own), *rows_of(seats))


def _heading(view: TableView) -> str:
    game = game_named(view.game).info.name
    named = "" if view.name == game else f"{game} · "
    plays = f" · {changed}" if (changed := _settings(view)) else ""
    return f"### {escape(view.name)}\n-# {named}{mention_host(view)} leads{plays}"


def _settings(view: TableView) -> str:
    """Return the settings that differ from the defaults."""
    options = game_named(view.game).info.options
    first = {**type(view.settings)().items(), **{option.name: option.values[0] for option in options}}
    changed = {name: value for name, value in view.settings.items().items() if value != first.get(name)}
    return ", ".join(f"{name}: {value}" for name, value in changed.items())


def _done(view: TableView, step: StepView) -> str:
    return f"{DONE} **{step.title}** · {_lines(view, step)}"


def _now(view: TableView, step: StepView) -> str:
    who = f" · {mention_host(view)} presses" if step.hosts else ""
    return f"{NOW} **{step.title}**{who}\n{_lines(view, step)}".strip()


def _lines(view: TableView, step: StepView) -> str:
    return " · ".join(format_text(view, line) for line in step.lines)


def _step_buttons(view: TableView, step: StepView) -> list[Button]:
    """Return a step's buttons, the first in colour, without the button for seats."""
    own = [each for each in step.buttons if not _asks_for_seat(each)]
    return [_button(view, each, "primary" if place == 0 else "secondary") for place, each in enumerate(own)]


def mention_host(view: TableView) -> str:
    """Return a mention of the host."""
    return format_text(view, f"<person:{view.host}>")


def _seat_buttons(view: TableView, *, taken: bool) -> list[Button]:
    """Return a button for each free seat of a small game, else a button to show them. ``taken``: enough are taken."""
    free = free_seats(view)
    if not free:
        return []
    style: Style = "secondary" if taken else "success"
    if len(game_named(view.game).seats.every()) > SEATS_ON_CARD:
        return [Button("Take a seat", SetupAction(view.id, "seat"), style)]
    return [Button(seat_name(view, seat)[:LABEL_MAX], TakeSeat(view.id, seat), style) for seat in free]


def _asks_for_seat(each: LabelledAction) -> bool:
    return isinstance(each.action, SetupAction) and each.action.what == "seat"


def _button(view: TableView, each: LabelledAction, style: Style = "secondary") -> Button:
    return Button(plain_text(view, each.label)[:LABEL_MAX], each.action, style)


# ---------------------------------------------------------------- what can be changed


def change_card(view: TableView) -> Card:
    """Return what the viewer may change in the set-up: a player their seat, a host everything."""
    assert view.setup is not None
    own: list[Button] = []
    if view.seat is None and free_seats(view):
        own.append(Button("Take a seat", SetupAction(view.id, "seat"), "primary"))
    now = view.setup.next
    steps = [each for step in view.setup.steps if step != now and (step.done or view.hosts) for each in step.buttons]
    own += [_button(view, each) for each in steps if not _asks_for_seat(each)]
    if view.hosts:
        options = game_named(view.game).info.options
        own += [Button(_titled(option.name), AskOption(view.id, option.name)) for option in options]
        text = "What do you want to change?\n-# **/table sit** `player:` seats somebody else, **/table leave** frees a "
        text += "seat, **/table host** hands the table over, **/table settings** has the rest."
    else:
        text = f"What do you want to change?\n-# The rest is for the host, {mention_host(view)}."
    if view.seat is not None:
        own.append(Button(f"Leave {seat_name(view, view.seat)}"[:LABEL_MAX], SetupAction(view.id, "leave"), "danger"))
    return Card("waiting", (text,), rows_of(own))


def _titled(name: str) -> str:
    return name.replace("_", " ").capitalize()


def took_text(view: TableView, seat: str) -> str:
    """Return the public news that a person has taken a seat."""
    return format_text(view, f"<seat:{seat}> plays **<faction:{seat}>**.")
