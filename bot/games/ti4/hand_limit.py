"""Rule 2.4: the most action cards in a hand. Who has more, by a trade with Hacan for example, discards at once.

How many action cards a hand holds is public, so everybody may know that its player is reminded. Which ones they
discard is for the table to see.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Caller,
    Change,
    Entry,
    Goods,
    Handlers,
    LabelledAction,
    PromptView,
    Refused,
    Seat,
    SettingOption,
    Table,
    Trade,
    Violation,
    handler,
    own_seat,
    require_tracked,
)
from bot.games.ti4.actions import DiscardAction
from bot.games.ti4.commands import DiscardCards
from bot.games.ti4.components import ACTION_CARD, describe
from bot.games.ti4.entries import CardsDiscarded
from data.ti4 import factions

OPTION = SettingOption(
    "hand_limit", ("7", "3"), "The most action cards in a hand: 7, or 3 while the law Executive Sanctions is in force"
)
"""The table setting for the limit."""


def limit(table: Table, seat: str) -> int | None:
    """Return the most action cards that a seat may hold; None for the Yssaril, whom nothing limits."""
    if factions()[seat].any_hand:
        return None
    return int(table.settings.options.get(OPTION.name, OPTION.values[0]))


def excess(table: Table, seat: Seat) -> int:
    """Return how many action cards a seat must discard now."""
    most = limit(table, seat.id)
    return 0 if most is None or not table.tracked else max(0, seat.holdings.count(ACTION_CARD) - most)


def violations(table: Table, trade: Trade) -> Iterable[Violation]:
    """Yield, for each side that gives action cards, why it can't while it holds too many: they are not its to trade."""
    for giver in (trade.first, trade.second):
        if giver and trade.gives(giver).count(ACTION_CARD) and (over := excess(table, table.seats[giver])):
            yield Violation(
                "2.4", f"<seat:{giver}> has {_cards(over)} more than a hand may hold, and discards first.",
                f"/holdings spend goods:{_cards(over)} says that it is done.",
            )  # fmt: skip


def prompts(table: Table) -> list[PromptView]:
    """Return the reminder for each seat that must discard."""
    return [_prompt(table, seat, over) for seat in table.seats.values() if (over := excess(table, seat))]


def discard(table: Table, command: DiscardCards, caller: Caller) -> Iterable[Entry]:
    """Record that the caller has discarded down to the limit. Raises `Refused` when they have no card too many."""
    require_tracked(table)
    seat = own_seat(table, caller)
    over = excess(table, seat)
    if not over:
        raise Refused("2.4", "You have no action card too many.", "/holdings spend is for any others you discard.")
    change = Change(lost=Goods({ACTION_CARD: over}))
    return [CardsDiscarded(seat=seat.id, amount=over, changes={seat.id: change})]


def _prompt(table: Table, seat: Seat, over: int) -> PromptView:
    held, most = seat.holdings.count(ACTION_CARD), limit(table, seat.id)
    return PromptView(
        table=table.id, key=f"ti4-hand-limit-{seat.id}", seat=seat.id,
        text=f"You have {held} action cards, and a hand holds {most} at most: choose {over} to discard at once [2.4].",
        buttons=(LabelledAction(f"I have discarded {over}", DiscardAction(table.id, seat.id)),), evident=True,
    )  # fmt: skip


def _cards(count: int) -> str:
    return describe(Goods({ACTION_CARD: count}))


HANDLERS: Handlers = dict([handler(DiscardCards, discard)])
