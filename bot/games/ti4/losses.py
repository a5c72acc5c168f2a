"""Commodities that a player loses by an effect, such as Salvage or Law's Order. This is not a
transaction.

Nobody takes another's goods: the player who loses them, or a host, gives the command. For Pillage,
see `pillage`.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    GoodsOfSeat,
    Refused,
    Seat,
    Table,
    is_host,
    require_tracked,
    seat_meant,
    taken_seat,
)
from bot.games.ti4.commodities import require_amount
from bot.games.ti4.components import COMMODITY, commodities, describe
from bot.games.ti4.entries import by_effect
from bot.games.ti4.pillage import PILLAGE, given_by_effect, open_chance, require_kept
from data.ti4 import CommodityLoss, factions, find_commodity_loss


class LoseCommodities(Command):
    """Lose commodities by an effect, to the seat ``to`` or (None) to the supply.

    ``seat`` None: the caller's own seat. ``effect`` is the name of the effect, maybe empty.
    """

    words = ("effect",)
    amount: int
    to: str | None = None
    effect: str = ""
    seat: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """The receiver gets trade goods (21.6)."""
        require_tracked(table)
        seat, amount = seat_meant(table, self.seat, caller), self.amount
        by_host = seat.person != caller.person
        if by_host and not is_host(table, caller):
            raise Refused("Only they or the host can say what they lose.", "Leave out the player.")
        require_amount(amount)
        held = seat.holdings.count(COMMODITY)
        if amount > held:
            who = f"<seat:{seat.id}> has" if by_host else "You have"
            has = describe(commodities(held)) if held else "no commodities"
            raise Refused(f"{who} {has}.", "Write how many were lost.")
        effect = find_commodity_loss(self.effect) if self.effect else None
        to = _receiver(table, seat, self.to, effect)
        if effect is not None:
            _require_what_it_takes(effect, amount, held)
        name, lost = effect.name if effect else self.effect, commodities(amount)
        if to is not None:
            chance = open_chance(table, seat.id) if name == PILLAGE else None
            since = chance.seq if chance else None
            return [given_by_effect(seat.id, to, lost, name, by_host=by_host, since=since)]
        change = Change(lost=lost)
        if effect is not None and not by_host:
            require_kept(table, seat.id, change)
        return [
            CommoditiesLost(
                seat=seat.id,
                amount=amount,
                effect=name,
                by_host=by_host,
                changes={seat.id: change},
            )
        ]


def _require_what_it_takes(effect: CommodityLoss, amount: int, held: int) -> None:
    """Raise `Refused` unless a seat that holds so many loses as many as the effect takes."""
    takes = held if effect.all else effect.amount or amount
    if amount != takes:
        them = "all of them" if effect.all else describe(commodities(takes))
        raise Refused(f"{effect.name} takes {them}.", f"Write {takes}.")


def _receiver(
    table: Table, seat: Seat, named: str | None, effect: CommodityLoss | None
) -> str | None:
    """Return the seat that receives the commodities, None for none.

    Raises `Refused` if the effect says otherwise.
    """
    if effect is not None and effect.given:
        only = effect.to_faction
        if named is None and only is None:
            to_another = f"{effect.name} gives them to another player."
            raise Refused(to_another, "Name that player: `to`.", rule="21.6")
        if only is not None and (named or only) != only:
            raise Refused(
                f"{effect.name} is {factions()[only].short}'s ability.",
                "Name that player, or leave out `to`.",
            )
        named = named or only
    elif effect is not None and named is not None:
        raise Refused(f"{effect.name} doesn't give them to anybody.", "Leave out `to`.")
    if named is None:
        return None
    if named == seat.id:
        raise Refused(
            "You can't give commodities to yourself.", "/commodities convert turns them over."
        )
    return taken_seat(table, named).id


class CommoditiesLost(GoodsOfSeat):
    """A player lost commodities to the supply by an effect, whose name may be empty.

    ``by_host``: the host did it for them.
    """

    kind = "ti4.commodities.lost"
    amount: int
    effect: str = ""
    by_host: bool = False

    def sentence(self, ruler: str) -> str:
        how = by_effect(self.effect, ruler if self.by_host else "")
        return f"<player:{self.seat}> loses **{describe(commodities(self.amount))}** {how}."


FEATURE = Feature(commands=(LoseCommodities,), entries=(CommoditiesLost,))
