"""A seat's hand in words, as far as a view shows it."""

from __future__ import annotations

from collections.abc import Callable

from bot.api import NOTHING, Goods, SeatView, quoted
from bot.games.ti4.components import (
    ACTION_CARD,
    COMMODITY,
    SECRET_OBJECTIVE,
    TRADE_GOOD,
    describe_one,
    in_order,
)
from bot.games.ti4.limits import value_with
from bot.games.ti4.seats import start

_LISTS: tuple[tuple[str, tuple[str, ...], Callable[[str, int], str]], ...] = (
    ("Relic fragments", ("fragment",), lambda token, count: f"{count} {token.partition(':')[2]}"),
    ("Captured units", ("captured",), lambda token, count: describe_one(token, count).replace("captured ", "")),
    ("Planets", ("planet", "zone", "station"), describe_one),
    ("Relics", ("relic",), lambda token, count: quoted(token.partition(":")[2])),
)
"""The lists of open goods: their title, kinds, and how one component is described in them."""


def describe_holdings(seat: SeatView) -> list[str]:
    """Describe a hand, a kind a line; the last says in which tokens its trade goods and commodities lie (21.8)."""
    lines = [
        f"Trade goods: {seat.open.count(TRADE_GOOD)}",
        f"Commodities: {_of_value(seat)}",
    ]
    if cards := seat.open.count(ACTION_CARD):
        lines.append(f"Action cards: {cards}")
    if objectives := seat.open.count(SECRET_OBJECTIVE):
        lines.append(f"Secret objectives: {objectives}")
    if seat.hidden is None and seat.hidden_count is not None:
        lines.append(f"Promissory notes: {seat.hidden_count} in hand")
    lines += _listed("Promissory notes", (seat.hidden or NOTHING).of_kind("note"), describe_one)
    lines += _listed("In play", seat.in_play, describe_one)
    for title, kinds, described in _LISTS:
        lines += _listed(title, seat.open.of_kind(*kinds), described)
    return [*lines, *_tokens(seat.open)]


def cards(seat: SeatView) -> Goods:
    """Return what a seat could give card by card: fragments, and notes; of a hand not in view, every note of theirs."""
    return seat.open.of_kind("fragment") + notes(seat)


def _of_value(seat: SeatView) -> str:
    """Return the commodities beside the value, which they exceed only while a card has lifted the limit."""
    held, value = seat.open.count(COMMODITY), value_with(seat.id, seat.open + seat.in_play)
    return f"{held} of {value}" if held <= value else f"{held}, beyond your value of {value}"


def tokens(count: int) -> str:
    """21.8: return so many in the fewest tokens of three and of one: ``1×3 + 2×1``."""
    return " + ".join(f"{n}×{size}" for n, size in ((count // 3, 3), (count % 3, 1)) if n) or "none"


def _listed(title: str, goods: Goods, described: Callable[[str, int], str]) -> list[str]:
    listed = ", ".join(described(token, goods[token]) for token in in_order(goods))
    return [f"{title}: {listed}"] if goods else []


def _tokens(goods: Goods) -> list[str]:
    sides = (("trade goods", TRADE_GOOD), ("commodities", COMMODITY))
    lying = ", ".join(f"{side} {tokens(goods.count(token))}" for side, token in sides if token in goods)
    return [f"Tokens: {lying}"] if lying else []


def notes(seat: SeatView) -> Goods:
    """Return the notes in a hand as far as the view has it; else all that are this seat's own."""
    return (start(seat.id, seat.settings) if seat.hidden is None else seat.hidden).of_kind("note")
