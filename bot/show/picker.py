"""The one picker for goods: selects with the amounts of each kind as options, and the choice read
back.

An option's value is ``token#amount``. Of two amounts of a kind, the newly ticked one counts, so
ticking a set is one tap: "3 of Iron".
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
    [('silk', 'silk#1', False), ('2 of silk', 'silk#2', False)]
    """
    describe = game_of(named).goods.describe_card
    labels = sorted((plain_text(named, describe(token)), token) for token in cards)
    return [
        (
            f"{prefix}{label if amount == 1 else f'{amount} of {label}'}"[:OPTION_MAX],
            f"{token}#{amount}",
            amount == chosen.count(token),
        )
        for label, token in labels
        for amount in range(1, cards[token] + 1)
    ]


def in_parts(options: Sequence[CardOption]) -> list[list[CardOption]]:
    """Return the options in as many selects as they need. All amounts of a kind are in one."""
    parts: list[list[CardOption]] = []
    for token in dict.fromkeys(value.rpartition("#")[0] for _, value, _ in options):
        kind = [each for each in options if each[1].rpartition("#")[0] == token][:SELECT_MAX]
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
    return tuple(
        Select(
            f"{what} ({place + 1} of {len(parts)})" if len(parts) > 1 else what,
            action(place),
            tuple((label, value) for label, value, _ in part),
            min(most, len(part)),
            tuple(value for _, value, on in part if on),
            min(least, len(part)),
            tuple(detail(picked_goods([value])) for _, value, _ in part) if detail else (),
        )
        for place, part in enumerate(parts)
    )


def repicked(
    goods: Goods, parts: Sequence[Sequence[CardOption]], part: int, values: Iterable[str]
) -> Goods:
    """Return the picked goods after a choice in one select. Picks of other selects stay."""
    ticked, shown = set(values), parts[part] if 0 <= part < len(parts) else ()
    before = picked_goods(value for _, value, on in shown if on)
    kept, new = (
        picked_goods(value for _, value, on in shown if value in ticked and on == was)
        for was in (True, False)
    )
    return goods - before + Goods({**kept, **new})


def picked_goods(values: Iterable[str]) -> Goods:
    """Return the goods picked in a form, from the values of its options: the largest amount of each
    kind.
    """
    counts: dict[str, int] = {}
    for value in values:
        found = re.fullmatch(r"(.+)#([1-9]\d?)", value)
        token, count = (found[1], int(found[2])) if found else (value, 1)
        counts[token] = max(count, counts.get(token, 0))
    return Goods(counts)
