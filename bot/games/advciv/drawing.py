"""Rule 27: drawing trade cards [27.1, 27.2], and buying one from the ninth stack [27.5]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from bot.api import (
    NOTHING,
    Action,
    Caller,
    Change,
    Command,
    Corrected,
    Entry,
    Feature,
    FollowUpView,
    Gained,
    GoodsOfSeat,
    LabelledAction,
    Refused,
    Seat,
    Spent,
    Table,
    digest_of_hand,
    is_host,
    mentions,
    own_seat,
    part,
    replace,
    replay,
    require_tracked,
    seat_meant,
    together,
    with_part,
)
from bot.api.chance import seed_of
from bot.games.advciv.cards import count_cards, count_cities, describe
from bot.games.advciv.stacks import STACKS, made_up, require_not_real, tops, without_tops
from bot.games.advciv.state import (
    ACQUIRE,
    CARDS,
    NINTH,
    TITLES,
    Calamities,
    Draws,
    Stacks,
    Status,
    deals,
    dealt,
    state_of,
)
from bot.games.advciv.surrendering import kept_too_many
from data.advciv import NINTH_STACK_PRICE, nations

NEXT_TURN = "The next turn begins with /phase set phase:acquire."
"""The remedy if it is too late in this turn."""

# ---------------------------------------------------------------- who may draw, and in which order


def in_order(cities: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return these seats with their cities in the order in which they draw: fewest first, ties by
    the A.S.T.
    """
    return tuple(sorted(cities.items(), key=lambda each: (each[1], nations()[each[0]].ast)))


def said_by(table: Table) -> dict[str, int]:
    """Return the numbers of cities of the players who have said theirs and not drawn yet."""
    return {
        seat: cities for seat, cities in part(table, Draws).said.items() if seat in table.seated()
    }


def all_have_said(table: Table, said: Mapping[str, int]) -> bool:
    """Return whether ``said`` has a number for everybody who has not drawn yet."""
    waiting = [seat for seat in table.seated() if seat not in part(table, Draws).drawn]
    return bool(waiting) and all(seat in said for seat in waiting)


def yet_to_draw(table: Table) -> list[str]:
    """Return the seats that still have cards to draw this turn, according to public facts.

    With physical cards, the game may already be under way. So in the first turn, nobody is listed
    until somebody has said how many cities they have.
    """
    draws = part(table, Draws)
    if not table.tracked or (state_of(table).turn == 1 and not draws.said and not dealt(table)):
        return []
    if deals(table):
        return [seat for seat in table.seated() if seat not in draws.drawn]
    return [
        seat for seat in table.seated() if seat not in draws.typed and draws.said.get(seat) != 0
    ]


def require_all_drawn(table: Table, rule: str, remedy: str, *options: LabelledAction) -> None:
    """Raise `Refused` by this rule while somebody still has cards to draw. ``options`` are buttons
    to go on anyway.
    """
    if waiting := yet_to_draw(table):
        has = "still has" if len(waiting) == 1 else "still have"
        raise Refused(rule, f"{together(waiting)} {has} cards to draw.", remedy, options)


def require_may_draw(table: Table, seat: Seat, cities: int, caller: Caller) -> None:
    """Raise `Refused` for an impossible number of cities, for a second draw in a turn [27.1], and
    if calamities have been shown. By 31.71, raise it also for a player with too many cards, but not
    for a host who draws for them.

    If the bot deals, players can still draw after trading was opened.
    """
    if not 0 <= cities <= NINTH:
        raise Refused("", f"Nobody has {cities} cities.", f"Try a number from 0 to {NINTH}.")
    if (drew := part(table, Draws).drawn.get(seat.id)) is not None:
        reason = f"<seat:{seat.id}> has drawn for {count_cities(drew)} this turn."
        raise Refused(
            "27.1", reason, "You draw again next turn." if table.phase == ACQUIRE else NEXT_TURN
        )
    if part(table, Calamities).shown is not None:
        raise Refused(
            "27.1", "Calamities have been shown, so nobody can draw any more this turn.", NEXT_TURN
        )
    if table.phase != ACQUIRE and not deals(table):
        raise Refused("27.1", "Cards are drawn before trading.", NEXT_TURN)
    if seat.person == caller.person and (found := kept_too_many(table, seat.id)) is not None:
        raise Refused.because(found)


def hand_said(table: Table, entry: Entry) -> Table:
    """Record that somebody reported a hand, or cards for it, in place of drawing, or mended that
    before trading.
    """
    draws = part(table, Draws)
    if not isinstance(entry, Gained | Corrected | Spent):
        return table
    if isinstance(entry, Spent) and entry.seat not in draws.typed:
        return table
    change = (entry.hidden or {}).get(entry.seat, Change())
    came = draws.typed.get(entry.seat, NOTHING) + change.lost.missing(change.gained)
    if table.phase == ACQUIRE:  # later, cards may go by a trade at the table
        came -= came.common(change.gained.missing(change.lost))
    return with_part(table, replace(draws, typed={**draws.typed, entry.seat: came}))


def missing(table: Table) -> dict[str, int]:
    """Return how many cards each seat has typed fewer than it said cities, with physical cards. It
    is secret.
    """
    draws = part(table, Draws)
    said = {} if deals(table) or not table.tracked else said_by(table)
    missing = {seat: said.get(seat, 0) - came.total() for seat, came in draws.typed.items()}
    return {seat: many for seat, many in missing.items() if many > 0}


# ---------------------------------------------------------------- drawing


@dataclass(frozen=True, slots=True)
class DrawCards(Command):
    """Draw a card for each city, for the caller or (hosts) for another seat.

    If all others have said how many cities they have, all draw in order. Otherwise only this seat
    draws, early or late.
    """

    cities: int
    seat: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        seat = seat_meant(table, self.seat, caller)
        if seat.person != caller.person and not is_host(table, caller):
            raise Refused(
                "", "Only the host can draw for another player.", f"Ask <person:{table.host}>."
            )
        require_may_draw(table, seat, self.cities, caller)
        said = {**said_by(table), seat.id: self.cities}
        draws = (
            said
            if table.phase == ACQUIRE and all_have_said(table, said)
            else {seat.id: self.cities}
        )
        asked = seat.id if seat.person == caller.person else ""
        return draw_all(table, draws, caller.chance, asked=asked, hosts=is_host(table, caller))


def draw_all(
    table: Table, cities: Mapping[str, int], chance: str, *, asked: str = "", hosts: bool = False
) -> list[Entry]:
    """Return the draws of these seats for their cities, in the order of 27.1, after making up the
    stacks if needed.

    Each draws one card from each stack, from the first up [27.2]; an empty stack gives nothing
    [27.21]. ``asked`` is the seat of the caller, who reads their cards in the reply.
    """
    entries: list[Entry] = []
    if cities and not dealt(table):
        entries.append(made_up(table, seed_of(table, chance), hosts=hosts))
        table = replay(entries, table)
    for seat, many in in_order(cities):
        stacks = part(table, Stacks).stacks
        filled = tuple(number for number in STACKS if number <= many and stacks[number - 1])
        before = tuple(
            each for each, fewer in in_order(said_by(table)) if each != seat and fewer < many
        )
        drawn = CardsDrawn(
            seat=seat,
            cities=many,
            stacks=filled,
            before=before,
            told=seat != asked,
            hidden={seat: Change(gained=tops(table, filled))},
        )
        table = replay([drawn], table)
        entries.append(drawn)
    return entries


class CardsDrawn(GoodsOfSeat):
    """A seat drew the top card of each of these ``stacks`` [27.2]. Only it knows which cards.

    ``before`` are seats with fewer cities that had not drawn yet [27.1]. ``told``: the seat's
    player did not give the command, so they get a private message.
    """

    kind: Literal["advciv.cards.drawn"] = "advciv.cards.drawn"
    cities: int
    stacks: tuple[int, ...]
    before: tuple[str, ...] = ()
    told: bool = False

    def apply(self, table: Table) -> Table:
        table, draws = without_tops(super().apply(table), self.stacks), part(table, Draws)
        said = {each: many for each, many in draws.said.items() if each != self.seat}
        late = draws.late if table.phase == ACQUIRE else draws.late | {self.seat}
        return with_part(
            table,
            replace(draws, said=said, drawn={**draws.drawn, self.seat: self.cities}, late=late),
        )

    def sentence(self, ruler: str) -> str:
        came = len(self.stacks)
        short = f"; {self.cities - came} of the stacks had run out" if came < self.cities else ""
        have = "has" if len(self.before) == 1 else "have"
        early = f", before {together(self.before)}, who {have} fewer [27.1]" if self.before else ""
        return (
            f"<player:{self.seat}> draws **{count_cards(came)}** for "
            f"{count_cities(self.cities)}{short}{early}."
        )


def follow_ups(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a player what they drew, if they did not give the command."""
    if isinstance(entry, CardsDrawn) and entry.told:
        drew = describe((entry.hidden or {})[entry.seat].gained)
        yield FollowUpView(
            seat=entry.seat,
            text=f"You drew **{drew}**. /cards hand shows your whole hand.",
            evident=True,
        )


# ---------------------------------------------------------------- the ninth stack


@dataclass(frozen=True, slots=True)
class AskBuy(Action):
    """The item **Buy a card** of the board's menu: asks the presser to confirm, because a card is
    never put back.
    """

    name = "advciv.ask_buy"


@dataclass(frozen=True, slots=True)
class BuyCard(Command):
    """Buy a card from the ninth stack. ``hand`` is the digest of the hand when the bot asked;
    empty: it did not ask.
    """

    kind = "advciv.buy"
    hand: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Only seats that drew after trading had opened can buy then."""
        require_tracked(table)
        require_not_real(table)
        seat, draws = own_seat(table, caller), part(table, Draws)
        if (found := kept_too_many(table, seat.id)) is not None:
            raise Refused.because(found)
        if self.hand and self.hand != digest_of_hand(seat.holdings):
            raise Refused("", "Your hand has changed since I asked you.", "Press Buy a card again.")
        if table.phase != ACQUIRE and (
            seat.id not in draws.late or part(table, Calamities).shown is not None
        ):
            raise Refused(
                "27.5",
                "Cards are bought before trading.",
                "You can next turn, once you have drawn.",
            )
        if seat.id not in draws.drawn:
            raise Refused(
                "27.5", "Draw for your cities first, then you can buy.", "/cards draw draws them."
            )
        if not part(table, Stacks).stacks[NINTH - 1]:
            raise Refused(
                "27.5",
                "The ninth stack is empty [27.21], so keep your tokens this turn.",
                "Cards come back to it at the end of the turn.",
            )
        return [CardBought(seat=seat.id, hidden={seat.id: Change(gained=tops(table, (NINTH,)))})]


class CardBought(GoodsOfSeat):
    """A seat bought the top card of the ninth stack [27.5]."""

    kind: Literal["advciv.cards.bought"] = "advciv.cards.bought"

    def apply(self, table: Table) -> Table:
        table, draws = without_tops(super().apply(table), (NINTH,)), part(table, Draws)
        return with_part(table, replace(draws, bought=draws.bought | {self.seat}))

    def sentence(self, ruler: str) -> str:
        return (
            f"<player:{self.seat}> buys a card from the ninth stack, for {NINTH_STACK_PRICE} "
            "treasury tokens."
        )


def verify(table: Table, entry: Entry) -> str:
    """Return a fault if cards were not taken from the top of their stacks; else empty."""
    match entry:
        case CardsDrawn(seat=seat, stacks=on, hidden=hidden) if hidden and hidden[
            seat
        ].gained != tops(table, on):
            return "the cards drawn were not on top"
        case CardBought(seat=seat, hidden=hidden) if hidden and hidden[seat].gained != tops(
            table, (NINTH,)
        ):
            return "the card bought was not on top"
    return ""


def _drawn(table: Table) -> str:
    drawn, said, late = part(table, Draws).drawn, said_by(table), yet_to_draw(table)
    if table.phase != ACQUIRE:
        now = f"Cards are drawn before trading; now it is {TITLES[table.phase].lower()}."
        return (
            f"{now} Can still draw: {mentions(late)}."
            if late and part(table, Calamities).shown is None
            else now
        )
    have = f"Have drawn, by cities: {_by_cities(drawn)}. "
    if said:
        waits = mentions(seat for seat in table.seated() if seat not in {**drawn, **said})
        return (
            f"{have}Have said, by cities: {_by_cities(dict(in_order(said)))}. Still to say: "
            f"{waits}."
        )
    return f"{have}Still to draw: {mentions(seat for seat in table.seated() if seat not in drawn)}."


def _by_cities(cities: Mapping[str, int]) -> str:
    return ", ".join(f"<=seat:{seat}> for {many}" for seat, many in cities.items()) or "nobody"


STATUS: Status = {"27.1": _drawn, "27.5": _drawn}

FEATURE = Feature(
    state=Draws,
    commands=(DrawCards, BuyCard),
    entries=(CardsDrawn, CardBought),
    opens=(AskBuy,),
    options=(CARDS,),
    after=hand_said,
    follow_ups=follow_ups,
)
