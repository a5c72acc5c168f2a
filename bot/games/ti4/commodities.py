"""Rule 21, commodities: replenishing, converting, gaining. Trading them is in `transactions`.

The command to replenish is `bot.games.ti4.requests.Replenish`, because it may ask another player.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    COUNT_MAX,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    GoodsOfSeat,
    Refused,
    Seat,
    Table,
    own_seat,
    quoted,
    require_tracked,
)
from bot.games.ti4.components import COMMODITY, TRADE_GOOD, commodities, describe, trade_goods
from bot.games.ti4.holdings import commodity_value, gained, replenishment, unlimited
from bot.games.ti4.language import tokens
from bot.games.ti4.permits import that_lift, who_has
from bot.games.ti4.state import Status, each_seat, each_with


class MayReplenish(GoodsOfSeat):
    """A player's goods changed, perhaps by replenishing. That sets off their Trade Agreement
    (`trade_agreements`).
    """

    def replenishes(self) -> bool:
        """Return whether the player replenished."""
        return True


class Replenished(MayReplenish):
    """A player replenished commodities up to their commodity value; maybe none were missing (21.3,
    21 note 2).

    ``by_host``: the host did it for them. ``let_by``: who chose them for Trade or, with an
    ``effect``, used it on them; "" for nobody. ``due``: chosen for Trade, they had not done it when
    the turn ended.
    """

    kind = "ti4.commodities.replenished"
    amount: int
    by_host: bool = False
    let_by: str = ""
    effect: str = ""
    due: bool = False

    def by_itself(self) -> bool:
        return self.due

    def sentence(self, ruler: str) -> str:
        how = f" by **{quoted(self.effect)}**" if self.effect else ""
        if self.by_host:
            how += f", as {ruler} says"
        elif self.let_by:
            how += (
                f", as <seat:{self.let_by}> "
                f"{'says' if self.effect else f'chose <them:{self.seat}> for Trade'}"
            )
        return f"<player:{self.seat}> replenishes **{describe(commodities(self.amount))}**{how}."


class TradeFollowed(MayReplenish):
    """A player replenished after ``after`` has played Trade: ``chosen`` by them, which follows from
    the table, else by a command token of their own.

    The message about Trade shows it, so the channel reads no line.
    """

    announced = False
    kind = "ti4.trade.followed"
    after: str
    amount: int
    chosen: bool = False

    def sentence(self, ruler: str) -> str:
        why = (
            f"as <seat:{self.after}> chose <them:{self.seat}> for"
            if self.chosen
            else f"with a token, after <seat:{self.after}>'s"
        )
        # empty: goods are not counted
        amount = f" **{describe(commodities(self.amount))}**" if self.changes else ""
        return f"<player:{self.seat}> replenishes{amount}, {why} **Trade**."


def replenished(
    table: Table,
    seat: Seat,
    *,
    by_host: bool = False,
    let_by: str = "",
    effect: str = "",
    due: bool = False,
) -> Replenished:
    """Return the entry by which a seat replenishes (21.3). At the maximum it gets none, but it
    counts [note 2].

    The holder of the player's Trade Agreement may then play it (`trade_agreements`).
    """
    amount = replenishment(table, seat)
    changes = {seat.id: Change(gained=commodities(amount))}
    return Replenished(
        seat=seat.id,
        amount=amount,
        by_host=by_host,
        let_by=let_by,
        effect=effect,
        due=due,
        changes=changes,
    )


def followed(table: Table, seat: Seat, after: str, *, chosen: bool) -> TradeFollowed:
    """Return the entry by which a seat replenishes after another has played Trade."""
    amount = replenishment(table, seat) if table.tracked else 0
    changes = {seat.id: Change(gained=commodities(amount))} if table.tracked else {}
    return TradeFollowed(seat=seat.id, after=after, amount=amount, chosen=chosen, changes=changes)


class Convert(Command):
    """Turn the caller's own commodities over into trade goods."""

    amount: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """21.5.3: this is not a gain, so nothing follows from it. Raises `Refused` for more than
        they have.
        """
        require_tracked(table)
        seat, amount = own_seat(table, caller), self.amount
        require_amount(amount)
        held = seat.holdings.count(COMMODITY)
        if amount > held:
            raise Refused(
                f"You have {held} commodities.", "You can turn over only your own.", rule="21.5.3"
            )
        change = Change(lost=commodities(amount), gained=trade_goods(amount))
        return [Converted(seat=seat.id, amount=amount, changes={seat.id: change})]


class Converted(GoodsOfSeat):
    """A player turned their own commodities over. The trade goods are not gained (21.5.3)."""

    kind = "ti4.commodities.converted"
    amount: int

    def sentence(self, ruler: str) -> str:
        return (
            f"<player:{self.seat}> turns **{self.amount}** of <their:{self.seat}> commodities into "
            "trade goods."
        )


class GainCommodities(Command):
    """Gain commodities other than by replenishing."""

    amount: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """A Trade Agreement can't be played on it. Raises `Refused` beyond the commodity value
        (21.2).
        """
        require_tracked(table)
        seat, amount = own_seat(table, caller), self.amount
        require_amount(amount)
        change = gained(table, seat.id, commodities(amount))
        return [CommoditiesGained(seat=seat.id, amount=amount, changes={seat.id: change})]


class CommoditiesGained(GoodsOfSeat):
    """A player gained commodities, other than by replenishing."""

    kind = "ti4.commodities.gained"
    amount: int

    def sentence(self, ruler: str) -> str:
        return f"<player:{self.seat}> gains **{describe(commodities(self.amount))}**."


def require_amount(amount: int) -> None:
    """Raise `Refused` unless this is a valid number of commodities."""
    if not 1 <= amount <= COUNT_MAX:
        raise Refused(f"I can't move {amount}.", f"Write a whole number from 1 to {COUNT_MAX}.")


# ---------------------------------------------------------------- what /rules show says


def _of_value(table: Table, seat: Seat) -> str:
    most = "no limit" if unlimited(table, seat.id) else commodity_value(seat)
    return f"{seat.holdings.count(COMMODITY)} of {most}"


def _tokens(table: Table, seat: Seat) -> str:
    return f"{tokens(seat.holdings.count(TRADE_GOOD))} and {tokens(seat.holdings.count(COMMODITY))}"


_HELD, _UNLIMITED = each_seat("Commodities", _of_value), that_lift("commodities")
_ROOM = each_seat(
    "Replenishing now would give", lambda table, seat: str(replenishment(table, seat))
)
_SEEN = each_with("Everybody sees", TRADE_GOOD, COMMODITY)

STATUS: Status = {
    **dict.fromkeys(
        ("21.5", "21.5.3", "21.6", "21.7", "21 note 1", "21 note 2", "69.1.1"), (_HELD,)
    ),
    **dict.fromkeys(("21.1", "21.5.1"), (_SEEN,)),
    "21.2": (_HELD, _UNLIMITED),
    "21.3": (_HELD, _ROOM, _UNLIMITED),
    "21.4": (_ROOM,),
    "21.5.2": (_HELD, _ROOM),
    "21.8": (each_seat("Tokens as trade goods and as commodities", _tokens),),
    "Space stations": (who_has("station"), _HELD),
}

FEATURE = Feature(
    commands=(Convert, GainCommodities),
    entries=(Replenished, TradeFollowed, Converted, CommoditiesGained),
)
