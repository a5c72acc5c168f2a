"""The one picker for goods: selects with the amounts of each kind as options, and the choice read
back.

An option's value is ``token#amount``. Of two amounts of a kind, the newly ticked one counts, so
ticking a set is one tap: "3 Iron".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from bot.rules.model.actions import Choice
from bot.rules.model.goods import Goods
from bot.show.cards import SELECT_MAX, Select
from bot.show.names import Named, game_of, plain_text

OPTION_MAX = 100
"""Discord's limit on an option's label, in characters."""

CardOption = tuple[str, str, bool]
"""A choice in a picker: label, value, whether it is picked already."""


def card_options(named: Named, cards: Goods, chosen: Goods, prefix: str = "") -> list[CardOption]:
    """Return an option for each amount of each of these cards, the kinds sorted by name.

    >>> card_options(view, Goods({"silk": 2}), chosen=NOTHING)
    [('silk', 'silk#1', False), ('2 silk', 'silk#2', False)]
    """
    goods = game_of(named).goods
    labels = sorted((plain_text(named, goods.describe_card(token)), token) for token in cards)
    options = []
    for label, token in labels:
        for amount in range(1, cards[token] + 1):
            words = label
            if amount > 1:
                words = plain_text(named, goods.describe(Goods({token: amount})))
            is_chosen = amount == chosen.count(token)
            options.append((f"{prefix}{words}"[:OPTION_MAX], f"{token}#{amount}", is_chosen))
    return options


def kind_in(option: CardOption) -> str:
    """Return the token of an option, whose value may have an amount."""
    _, value, _ = option
    return value.rpartition("#")[0] or value


def in_parts(options: Sequence[CardOption]) -> list[list[CardOption]]:
    """Return the options in as many selects as they need. All amounts of a kind are in one: of more
    than fit, the smallest, and the chosen or else the largest.
    """
    kinds: dict[str, list[CardOption]] = {}
    for option in options:
        kinds.setdefault(kind_in(option), []).append(option)
    parts: list[list[CardOption]] = []
    for kind in kinds.values():
        if len(kind) > SELECT_MAX:
            beyond = [option for option in kind[SELECT_MAX - 1 :] if option[2]] or kind[-1:]
            label, value, on = beyond[0]
            left = f"{label} ({len(kind) - SELECT_MAX} more amounts: Write it…)"[:OPTION_MAX]
            kind = [*kind[: SELECT_MAX - 1], (left, value, on)]
        if not parts or len(parts[-1]) + len(kind) > SELECT_MAX:
            parts.append([])
        parts[-1] += kind
    return parts


def menus(
    what: str,
    parts: Sequence[Sequence[CardOption]],
    action: Callable[[int], Choice],
    detail: Callable[[Goods], str] | None = None,
    *,
    least: int = 0,
    most: int = SELECT_MAX,
) -> tuple[Select, ...]:
    """Return a select for each part; ``action`` takes its place. ``detail`` describes the goods of
    an option.
    """
    selects = []
    for place, part in enumerate(parts):
        heading = f"{what} ({place + 1} of {len(parts)})" if len(parts) > 1 else what
        options = tuple((label, value) for label, value, _ in part)
        chosen = tuple(value for _, value, on in part if on)
        details: tuple[str, ...] = ()
        if detail is not None:
            details = tuple(detail(picked_goods([value])) for _, value in options)
        at_least, at_most = min(least, len(part)), min(most, len(part))
        selects.append(Select(heading, action(place), options, at_most, chosen, at_least, details))
    return tuple(selects)


def repicked(
    goods: Goods, parts: Sequence[Sequence[CardOption]], part: int, values: Iterable[str]
) -> Goods:
    """Return the picked goods after a choice in one select. Picks of other selects stay."""
    shown = parts[part] if 0 <= part < len(parts) else ()
    before = {value for _, value, on in shown if on}
    ticked = {value for _, value, _ in shown}.intersection(values)
    # A newly ticked amount of a kind takes the place of an old one.
    picks = {**picked_goods(before & ticked), **picked_goods(ticked - before)}
    return goods - picked_goods(before) + Goods(picks)


def ticked(parts: Sequence[Sequence[CardOption]], part: int, values: Iterable[str]) -> list[str]:
    """Return all ticked values after a choice in one select. Ticks in other selects stay."""
    picks = {*values}
    now = []
    for place, options in enumerate(parts):
        for _, value, on in options:
            if value in picks if place == part else on:
                now.append(value)
    return now


def picked_goods(values: Iterable[str]) -> Goods:
    """Return the goods picked in a form, from the values of its options: the largest amount of each
    kind.
    """
    counts: dict[str, int] = {}
    for value in values:
        token, count = value, 1
        if (option := re.fullmatch(r"(.+)#([1-9]\d?)", value)) is not None:
            token, count = option[1], int(option[2])
        counts[token] = max(count, counts.get(token, 0))
    return Goods(counts)
