"""Rule 2.4: the limit of action cards in a hand. A player with more, as after a trade with Hacan,
discards at once.

The number of action cards in a hand is public, so the reminder reveals nothing. The bot does not
know which cards they discard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.api import (
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    Goods,
    GoodsMoved,
    GoodsOfSeat,
    LabelledAction,
    PromptView,
    Refused,
    Seat,
    SeatId,
    SettingOption,
    SettingsChanged,
    Since,
    StatePart,
    Table,
    Trade,
    Violation,
    button,
    frozen,
    own_seat,
    part,
    require_since,
    require_tracked,
    with_part,
)
from bot.games.ti4.components import ACTION_CARD, describe
from bot.games.ti4.state import Status, each_seat
from data.ti4 import factions

CARD_LIMIT = SettingOption(
    "hand_limit",
    ("7", "3"),
    "The most action cards in a hand: 7, or 3 while the law Executive Sanctions is in force",
    question="How many action cards may a hand hold?",
    answers=("7", "3 (Executive Sanctions)"),
)
"""The table setting for the limit."""


def limit(table: Table, seat: str) -> int | None:
    """Return the most action cards that a seat may hold; None for no limit (Yssaril)."""
    if factions()[seat].any_hand:
        return None
    return int(CARD_LIMIT.of(table.settings))


def excess(table: Table, seat: Seat) -> int:
    """Return how many action cards a seat must discard now."""
    most = limit(table, seat.id)
    return (
        0 if most is None or not table.tracked else max(0, seat.holdings.count(ACTION_CARD) - most)
    )


def violations(table: Table, trade: Trade) -> Iterable[Violation]:
    """Yield why a side can't give action cards: it holds too many, and must discard before it
    trades any.
    """
    for giver in (trade.first, trade.second):
        if (
            giver
            and trade.gives(giver).count(ACTION_CARD)
            and (over := excess(table, table.seats[giver]))
        ):
            yield Violation(
                "2.4",
                f"<seat:{giver}> has {_cards(over)} too many for one hand, and must discard first.",
                f"/holdings spend goods:{_cards(over)} records the discard.",
            )


def prompts(table: Table) -> Iterator[PromptView]:
    """Yield the reminder for each seat that must discard."""
    for seat in table.seats.values():
        if over := excess(table, seat):
            held, most = seat.holdings.count(ACTION_CARD), limit(table, seat.id)
            yield PromptView(
                table=table.id,
                key=f"ti4-hand-limit-{seat.id}",
                seat=seat.id,
                evident=True,
                text=f"You have {held} action cards, and you can hold {most}. Choose {over} to "
                "discard now [2.4].",
                buttons=(_discarded(table, seat.id, over),),
            )


@frozen
class TooMany(StatePart):
    """The seats that must discard action cards, how many, and the entry since which it is so."""

    rows: tuple[tuple[SeatId, int, int], ...] = ()

    def since(self, seat: str) -> int:
        """Return the number of the entry since which a seat has so many too many."""
        return max((since for of, _, since in self.rows if of == seat), default=0)


def after(table: Table, entry: Entry) -> Table:
    """Note since when each seat has how many action cards too many."""
    before = {row[:2]: row for row in part(table, TooMany).rows}
    rows = []
    for seat in table.seats.values():
        if over := excess(table, seat):
            rows.append(before.get((seat.id, over), (seat.id, over, table.seq + 1)))
    return with_part(table, TooMany(tuple(rows))) if rows or before else table


def _discarded(table: Table, seat: str, over: int) -> LabelledAction:
    command = DiscardCards(part(table, TooMany).since(seat))
    return button(f"I have discarded {over}", table, command)


class DiscardCards(Command):
    """Discard the caller's action cards that are too many for a hand.

    ``since`` is the entry that last changed how many.
    """

    kind = "ti4.discard"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        seat = own_seat(table, caller)
        over = excess(table, seat)
        if not over:
            raise Refused(
                "You don't have too many action cards.",
                "To discard others: /holdings spend.",
                rule="2.4",
            )
        since = part(table, TooMany).since(seat.id)
        again = _discarded(table, seat.id, over)
        require_since(self.since, since, f"You have {_cards(over)} too many now.", again)
        change = Change(lost=Goods({ACTION_CARD: over}))
        return [CardsDiscarded(seat=seat.id, amount=over, changes={seat.id: change})]


class CardsDiscarded(GoodsOfSeat):
    """A player discarded the action cards that were too many for a hand (2.4)."""

    kind = "ti4.cards.discarded"
    amount: int

    def sentence(self, ruler: str) -> str:
        return (
            f"<player:{self.seat}> discards **{_cards(self.amount)}**, down to the hand limit "
            "[2.4]."
        )


def _cards(count: int) -> str:
    return describe(Goods({ACTION_CARD: count}))


def _held(table: Table, seat: Seat) -> str:
    most = limit(table, seat.id)
    return f"{seat.holdings.count(ACTION_CARD)} of {'any number' if most is None else most}"


STATUS: Status = {"2.4": (each_seat("Action cards", _held),)}

FEATURE = Feature(
    state=TooMany,
    commands=(DiscardCards,),
    entries=(CardsDiscarded,),
    options=(CARD_LIMIT,),
    hears=(GoodsMoved, SettingsChanged),
    after=after,
    prompts=prompts,
)
