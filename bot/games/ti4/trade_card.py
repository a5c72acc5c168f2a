"""Trade, the strategy card (rule 92): its player gains trade goods, replenishes, and chooses who
else replenishes.

One message in the channel tells of it. With its button those who were chosen replenish, and others
who spend a command token. `bot.games.ti4.requests.Replenish` decides what a press does, and brings
about what isn't pressed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Literal

from bot.api import (
    Action,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    NoticeView,
    Reads,
    Refused,
    Seat,
    Since,
    Table,
    Undecided,
    button,
    own_seat,
    part,
    replace,
    taken_seat,
    together,
    with_part,
)
from bot.games.ti4.commodities import MayReplenish, Replenished, TradeFollowed
from bot.games.ti4.components import COMMODITY, commodities, describe, trade_goods
from bot.games.ti4.holdings import replenishment
from bot.games.ti4.initiative import cards_known
from bot.games.ti4.neighbors import picked_seats, seats_digest
from bot.games.ti4.requests import Replenish, choose
from bot.games.ti4.state import GameRound, TradeCard, active_seat, require_now

GAIN = 3
"""How many trade goods the player of the card gains [92.2]."""

TradeBy = Literal["", "overrule", "effect"]

BY: Mapping[TradeBy, str] = {"": "", "overrule": " by **Overrule**", "effect": " by an effect"}


class PlayTrade(Command):
    """Play Trade in the caller's turn, and let the ``chosen`` seats replenish without a token.

    ``by``: what plays it for whoever does not have the card.
    """

    chosen: tuple[str, ...]
    by: TradeBy = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller)
        if active_seat(table) != seat.id:
            raise Refused(
                "Only the active player can play Trade.", "Wait for your turn.", rule="92.4"
            )
        if part(table, TradeCard).current:
            raise Refused(
                "You have played Trade in this turn.",
                "A slip? The host can fix it: /holdings set.",
                rule="92.4",
            )
        _require_by_what(table, seat, self)
        chosen = tuple(dict.fromkeys(taken_seat(table, each).id for each in self.chosen))
        if self.by == "overrule":
            chosen = ()
        if seat.id in chosen:
            raise Refused("You replenish anyway.", "Name only other players.", rule="92.4")
        got = Change(gained=trade_goods(GAIN) + commodities(replenishment(table, seat)))
        return [
            TradePlayed(
                seat=seat.id,
                chosen=chosen,
                changes={seat.id: got} if table.tracked else {},
                by=self.by,
            )
        ]


def _require_by_what(table: Table, seat: Seat, play: PlayTrade) -> None:
    """Raise `Undecided` if the card is known not to lie before a seat, and nobody has said what
    plays it.
    """
    holder = part(table, GameRound).holder("trade")
    if play.by or holder == seat.id or not cards_known(table):
        return
    others = table.others(seat.id)
    picked = "".join("1" if each in play.chosen else "0" for each in others)
    pick = PickTrade(picked, seats_digest(others), table.window.since)
    effect = "Winnu's hero" if seat.id == "winnu" else "Another effect"
    options = (
        button("Overrule", table, replace(pick, by="overrule")),
        button(effect, table, replace(pick, by="effect")),
    )
    lies = f"**Trade** lies before <seat:{holder}>." if holder else "Nobody has taken **Trade**."
    raise Undecided(f"{lies} What lets you play it?", options=options)


class PickTrade(Command):
    """`PlayTrade` for a button. ``picked`` has a 1 for each other seat that is chosen, else a 0.

    The other seats are in the order in which they were taken; ``among`` is their `seats_digest`.
    ``since``: what is under way. ``by``: as in `PlayTrade`.
    """

    kind = "ti4.trade"
    picked: str
    among: str
    since: Since = None
    by: TradeBy = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` as `PlayTrade`, and if the players have changed."""
        ask = AskTrade(table.id, since=table.window.since)
        require_now(table, self.since, ask, "Play the Trade card")
        seat = own_seat(table, caller)
        others = table.others(seat.id)
        chosen = picked_seats(others, self.picked, self.among, "Trade")
        return PlayTrade(chosen, self.by).decide(table, caller)


class AskTrade(Action):
    """**Trade** in the active player's menu, and each change of whom they choose. Fields as in
    `PickTrade`.
    """

    name = "ti4.ask.trade"
    picked: str = ""
    among: str = ""
    since: Since = None


class TradePlayed(MayReplenish):
    """The active player played Trade: they gained trade goods, replenished, and chose who
    replenishes too.

    Where holdings are not counted, there are no ``changes``. ``by``: what played it, if the card
    did not lie before them. By Overrule nobody else replenishes.
    """

    announced = False
    kind = "ti4.trade.played"
    v: int = 2  # 2: by
    reads: ClassVar[Reads] = {("ti4.trade.played", 1): None}
    chosen: tuple[str, ...]
    by: TradeBy = ""

    def is_news(self) -> bool:
        return self.by == "overrule"  # no message shows who replenishes

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat, *self.chosen})

    def sentence(self, ruler: str) -> str:
        lets = (
            f" <They:{self.seat}> choose {together(self.chosen)} to replenish too."
            if self.chosen
            else ""
        )
        return (
            f"<player:{self.seat}> plays **Trade**{BY[self.by]} "
            f"{_gains(self.seat, self.changes.get(self.seat))}.{lets}"
        )

    def apply(self, table: Table) -> Table:
        number, table = table.seq + 1, super().apply(table)
        table = choose(table, self.seat, *self.chosen)
        own = (self.seat, self.changes.get(self.seat, Change()).gained.count(COMMODITY))
        if self.by == "overrule":
            return table
        return with_part(table, TradeCard(number, self.seat, self.chosen, (own,), current=True))


def _gains(seat: str, change: Change | None) -> str:
    """Return what the card brings its player; None where holdings are not counted."""
    if change is None:
        return f"<and:{seat}> gains **{describe(trade_goods(GAIN))}**, <and:{seat}> replenishes"
    return f"<and:{seat}> gains **{describe(change.gained)}**"


def after(table: Table, entry: Entry) -> Table:
    """Note who has replenished by the card, whichever way."""
    now = part(table, TradeCard)
    match entry:
        case (
            TradeFollowed(seat=seat, amount=amount)
            | Replenished(seat=seat, amount=amount, effect="")
        ):
            if now.current and seat not in dict(now.done):
                return with_part(table, replace(now, done=(*now.done, (seat, amount))))
    return table


def notices(table: Table) -> Iterator[NoticeView]:
    """Yield the message about the last Trade: while its turn lasts, with the button for those who
    replenish.
    """
    now = part(table, TradeCard)
    if not now.number or now.seat not in table.seats:
        return
    did, *others = now.done
    got = Change(gained=trade_goods(GAIN) + commodities(did[1])) if table.tracked else None
    lines = [f"**<player:{now.seat}> plays Trade** {_gains(now.seat, got)}."]
    for seat, amount in others:
        lines.append(
            f"✅ <name:{seat}> replenishes"
            f"{f' **{describe(commodities(amount))}**' if table.tracked else ''}"
        )
    if now.current:
        if waiting := now.waiting:
            who = ", ".join(f"<seat:{seat}>" for seat in waiting)
            lines.append(
                f"⏳ {who}: press **Replenish**, at the latest when this turn ends. You need no "
                "token."
            )
            lines.append(
                "-# You can trade commodities away first. Others press too and spend a token "
                "[92.4.1]"
            )
        else:
            lines.append("-# Others press too and spend a token [92.4]")
    yield NoticeView(
        number=now.number,
        text="\n".join(lines),
        current=now.current,
        seats=tuple(now.waiting),
        buttons=(button("Replenish", table, Replenish(since=now.number)),) if now.current else (),
    )


FEATURE = Feature(
    commands=(PlayTrade, PickTrade),
    entries=(TradePlayed,),
    opens=(AskTrade,),
    hears=(Replenished, TradeFollowed),
    after=after,
    state=TradeCard,
)
