"""Autocomplete: suggests what the table allows and the person may know, the most likely first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from discord.app_commands import Choice

from bot.rules.views import TableView
from bot.show import stock
from bot.show.choices import CHOICES, LENGTH_MAX, people_choices, ranked
from bot.show.goods_choices import goods_choices
from bot.show.names import game_of
from bot.show.stock import Stock
from cogs.inputs import read_goods
from cogs.request import Request

V = TypeVar("V", str, int)

Choices = list[Choice[Any]]
"""The values that are suggested for an option.

>>> def suggest_stalls(view: TableView, typed: str) -> Choices:
...     return words(view.seated(), typed)
"""


def choices(
    found: Iterable[tuple[str, V]], typed: str, also: Mapping[V, Sequence[str]] | None = None
) -> list[Choice[V]]:
    """Return the choices that match the typed text, the best first.

    ``also`` holds other words for a value.

    >>> [each.value for each in choices([("Red stall", "red"), ("Green stall", "green")], "gre")]
    ['green']
    """

    def words_of(choice: tuple[str, V]) -> tuple[str, ...]:
        label, value = choice
        other_words: Sequence[str] = also.get(value, ()) if also else ()
        return (label, str(value), *other_words)

    # Discord refuses a choice with a longer value, and a label can be cut.
    short = [(label, value) for label, value in found if len(str(value)) <= LENGTH_MAX]
    best = ranked(typed, short, words_of)[:CHOICES]
    return [Choice(name=label[:LENGTH_MAX], value=value) for label, value in best]


def words(found: Iterable[str], typed: str) -> list[Choice[str]]:
    """Return suggestions for an option that takes any text. The last one is the typed text itself.

    >>> [each.value for each in words(["market", "auction"], "auc")]
    ['auction', 'auc']
    """
    suggested = choices(((word, word) for word in found), typed)
    own = typed.strip()
    if not own or own in [each.value for each in suggested]:
        return suggested
    return [*suggested[: CHOICES - 1], *choices([(own, own)], "")]


def spans(typed: str) -> list[Choice[str]]:
    """Return spans of time: common ones, or for a typed number that number in several units."""
    number = typed.strip()
    if number.isdecimal() and 0 < len(number) <= 4:
        return choices(((f"{number}{unit}", f"{number}{unit}") for unit in ("m", "h", "d")), "")
    return words(("5m", "10m", "30m", "1h", "12h", "1d"), typed)


def seat_choices(
    view: TableView, found: Iterable[tuple[str, str]], typed: str
) -> list[Choice[str]]:
    """Return choices for seats, given as label and id. Every name of a seat matches.

    >>> stalls = [("Red stall", "red"), ("Green stall", "green")]
    >>> [choice.value for choice in seat_choices(view, stalls, "gre")]
    ['green']
    """
    all_seats = list(found)
    also: dict[str, Sequence[str]] = {}
    for _, id in all_seats:
        if option := game_of(view).seats.find(id):
            also[id] = (option.short, *option.also)
    return choices(all_seats, typed, also)


def people(
    view: TableView, typed: str, seats: Sequence[str], *, everybody: bool = False
) -> list[Choice[str]]:
    """Complete the last name in a list of people in these seats.

    ``everybody`` also suggests the whole list.

    >>> [each.value for each in people(view, "bo", ["red", "green"])]
    ['Green (bob)']
    """
    texts = people_choices(view, typed, seats, everybody=everybody)
    return [Choice(name=text, value=text) for text in texts]


def goods_of_stock(view: TableView, goods: Stock, typed: str) -> list[Choice[str]]:
    """Complete goods among these."""
    found = goods_choices(view, goods, typed, read_goods)
    return [Choice(name=each.label, value=each.text) for each in found]


def spent_goods(view: TableView, typed: str) -> list[Choice[str]]:
    """Complete goods that the person who types can spend or turn in.

    >>> [each.value for each in spent_goods(view, "2 si")]
    ['2 silk']
    """
    spends = game_of(view).holdings.spends
    spendable = stock.in_hand(view).only(lambda each: spends(each.token))
    return goods_of_stock(view, spendable, typed)


EVERYTHING = "Everything they have now, with commas between. Cards you name go into their hand"
"""The description of an option that `goods_to_set` completes."""


async def goods_to_set(request: Request, typed: str) -> list[Choice[str]]:
    """Complete any goods that exist, for the ``player`` in another option of the command."""
    view = await request.view()
    return goods_of_stock(view, stock.to_set(view, seat_in(view, request, "player")), typed)


def seat_in(view: TableView, request: Request, option: str) -> str | None:
    """Return the seat of the user in another option of the command; None if there is none yet.

    >>> async def complete(self, interaction: discord.Interaction, typed: str) -> list[Choice[str]]:
    ...     request = Request(interaction)
    ...     view = await request.view()
    ...     return words([seat_in(view, request, "player") or "nobody"], typed)
    """
    user = request.option(option)
    return view.seat_of_user(user.id) if user else None
