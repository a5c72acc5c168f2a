"""Swaps of Support for the Throne, which a table may refuse: each side would have a point of the
other.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import Feature, SettingOption, Table, Trade, Violation

SWAPS = SettingOption(
    "support_swaps",
    ("allowed", "refused"),
    "refused: no Support for the Throne for another's, at once or one after the other",
    question="May two players swap Support for the Throne?",
    answers=("Yes, as the rules have it", "No"),
)
"""The table setting for swaps of Support for the Throne."""

RULE = "Support swaps"


def violations(table: Table, trade: Trade) -> Iterable[Violation]:
    """Refuse a Support for a Support, and one to a player whose own lies before its giver.

    Both are public.
    """
    if SWAPS.of(table.settings) != "refused":
        return
    gives_first = _support(trade.first) in trade.first_gives
    gives_second = _support(trade.second) in trade.second_gives
    if gives_first and gives_second:
        yield Violation(
            RULE,
            "Each of you would give a Support for the Throne.",
            "This table doesn't swap them.",
            permanent=True,
        )
        return
    for giver, gives in ((trade.first, gives_first), (trade.second, gives_second)):
        receiver = trade.other(giver)
        if gives and receiver and _support(receiver) in table.seats[giver].in_play:
            yield Violation(
                RULE,
                f"<seat:{receiver}>'s own Support for the Throne is in play before <seat:{giver}>.",
                "This table doesn't swap them. Once it has gone home, it can be given.",
            )


def _support(seat: str) -> str:
    return f"note:support_for_the_throne:{seat}"


FEATURE = Feature(options=(SWAPS,))
