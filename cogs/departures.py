"""Previews of /table eliminate and /table change: the host sees what would happen, with a button to go ahead."""

from __future__ import annotations

from collections.abc import Callable

from bot.rules.game import Departures, Preview
from bot.rules.model.violation import Refused
from bot.rules.registry import game_named
from bot.rules.views import TableView
from bot.show import names
from bot.show.cards import LABEL_MAX, Button, Card


def preview_card(view: TableView, what: str, make: Callable[[Departures], Preview]) -> Card:
    """Return the card of a game's preview. Raises `Refused` in a game without ``what``."""
    game = game_named(view.game)
    if game.departures is None:
        raise Refused("", f"{game.info.name} has no {what}.", "/table leave frees a seat.")
    try:
        preview = make(game.departures)
    except Refused as refused:
        refused.names = view.names
        raise
    label = names.plain_text(view, preview.button.label)[:LABEL_MAX]
    lines = [names.format_text(view, line) for line in preview.lines]
    return Card("waiting", ("\n".join(lines),), ((Button(label, preview.button.action, "danger"),),))
