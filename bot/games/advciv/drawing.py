"""Rule 27: drawing trade cards [27.1, 27.2], and buying one from the ninth stack [27.5]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
    Since,
    Spent,
    Table,
    Transaction,
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
    require_now,
    state_of,
    trading,
)
from bot.games.advciv.surrendering import kept_too_many
from data.advciv import NINTH_STACK_PRICE, nations

NEXT_TURN = "The host begins the next one: **Next turn** on the board."
"""The remedy if it is too late in this turn."""

# ---------------------------------------------------------------- who may draw, and in which order


def drawing_order(cities: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return these seats with their cities in the order in which they draw: fewest first, ties by
    the A.S.T.
    """
    by_ast = sorted(cities, key=lambda seat: nations()[seat].ast)
    fewest_first = sorted(by_ast, key=lambda seat: cities[seat])
    return tuple((seat, cities[seat]) for seat in fewest_first)


def said_by(table: Table) -> dict[str, int]:
    """Return the numbers of cities of the players who have said theirs and not drawn yet."""
    said = part(table, Draws).said
    return {seat: said[seat] for seat in said if seat in table.seated()}


def all_have_said(table: Table, said: Mapping[str, int]) -> bool:
    """Return whether ``said`` has a number for everybody who has not drawn yet."""
    waiting = set(table.seated()) - part(table, Draws).drawn.keys()
    return bool(waiting) and waiting <= said.keys()


def yet_to_draw(table: Table) -> list[str]:
    """Return the seats that still have cards to draw this turn, according to public facts.

    With physical cards, the game may already be under way. So in the first turn, nobody is listed
    until somebody has said how many cities they have.
    """
    draws = part(table, Draws)
    perhaps_under_way = state_of(table).turn == 1 and not draws.said and not dealt(table)
    if not table.tracked or perhaps_under_way:
        return []
    if deals(table):
        return [seat for seat in table.seated() if seat not in draws.drawn]
    waiting = [seat for seat in table.seated() if seat not in draws.typed]
    return [seat for seat in waiting if draws.said.get(seat) != 0]


def require_all_drawn(table: Table, rule: str, remedy: str, *options: LabelledAction) -> None:
    """Raise `Refused` by this rule while somebody still has cards to draw. ``options`` are buttons
    to go on anyway.
    """
    if waiting := yet_to_draw(table):
        has = "still has" if len(waiting) == 1 else "still have"
        raise Refused(
            f"{together(waiting)} {has} cards to draw.", remedy, options=options, rule=rule
        )


def require_may_draw(table: Table, seat: Seat, cities: int, caller: Caller) -> None:
    """Raise `Refused` for an impossible number of cities, for a second draw in a turn [27.1], and
    if calamities have been shown. By 31.71, raise it also for a player with too many cards, but not
    for a host who draws for them.

    If the bot deals, players can still draw after trading was opened.
    """
    if not 0 <= cities <= NINTH:
        raise Refused(f"Nobody has {cities} cities.", f"Try a number from 0 to {NINTH}.")
    if (drew := part(table, Draws).drawn.get(seat.id)) is not None:
        reason = f"<seat:{seat.id}> has drawn for {count_cities(drew)} this turn."
        raise Refused(
            reason,
            "You draw again next turn." if table.phase == ACQUIRE else NEXT_TURN,
            rule="27.1",
        )
    if part(table, Calamities).shown is not None:
        raise Refused(
            "Calamities have been shown, so nobody can draw any more this turn.",
            NEXT_TURN,
            rule="27.1",
        )
    if table.phase != ACQUIRE and not deals(table):
        raise Refused("Cards are drawn before trading.", NEXT_TURN, rule="27.1")
    too_many = kept_too_many(table, seat.id)
    if too_many is not None and seat.person == caller.person:
        raise Refused.because(too_many)


def after(table: Table, entry: Entry) -> Table:
    """Record what an entry means for the draws of this turn."""
    if isinstance(entry, Transaction):
        return _traded(table, entry)
    return _hand_said(table, entry)


def _traded(table: Table, entry: Transaction) -> Table:
    """Record that those who drew late have traded, so that they buy no card any more [27.51]."""
    draws = part(table, Draws)
    return with_part(table, replace(draws, late=draws.late - entry.seats()))


def _hand_said(table: Table, entry: Entry) -> Table:
    """Record that somebody reported a hand, or cards for it, in place of drawing, or mended that
    before trading.
    """
    draws = part(table, Draws)
    if not isinstance(entry, Gained | Corrected | Spent):
        return table
    if isinstance(entry, Spent) and entry.seat not in draws.typed:
        return table
    change = (entry.hidden or {}).get(entry.seat, Change())
    gained = change.lost.missing(change.gained)
    lost = change.gained.missing(change.lost)
    came = draws.typed.get(entry.seat, NOTHING) + gained
    if table.phase == ACQUIRE:  # later, cards may go by a trade at the table
        came -= came.common(lost)
    return with_part(table, draws.with_typed(entry.seat, came))


def missing(table: Table) -> dict[str, int]:
    """Return how many cards each seat has typed fewer than it said cities, with physical cards. It
    is secret.
    """
    if deals(table) or not table.tracked:
        return {}
    said = said_by(table)
    fewer = {}
    for seat, typed in part(table, Draws).typed.items():
        many = said.get(seat, 0) - typed.total()
        if many > 0:
            fewer[seat] = many
    return fewer


# ---------------------------------------------------------------- drawing


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
                "Only the host can draw for another player.", f"Ask <person:{table.host}>."
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
    for seat, many in drawing_order(cities):
        stacks = part(table, Stacks).stacks
        filled = tuple(number for number in STACKS[:many] if stacks[number - 1])
        waiting = drawing_order(said_by(table))
        before = tuple(other for other, fewer in waiting if other != seat and fewer < many)
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

    kind = "advciv.cards.drawn"
    cities: int
    stacks: tuple[int, ...]
    before: tuple[str, ...] = ()
    told: bool = False

    def apply(self, table: Table) -> Table:
        table = without_tops(super().apply(table), self.stacks)
        draws = part(table, Draws).vacated(self.seat)
        draws = replace(draws, drawn={**draws.drawn, self.seat: self.cities})
        if table.phase != ACQUIRE:
            draws = replace(draws, late=draws.late | {self.seat})
        return with_part(table, draws)

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
            text=f"You drew **{drew}**. **My hand** shows your whole hand.",
            evident=True,
        )


# ---------------------------------------------------------------- the ninth stack


class AskBuy(Action):
    """The item **Buy a card** of the board's menu: asks the presser to confirm, because a card is
    never put back.
    """

    name = "advciv.ask_buy"


class BuyCard(Command):
    """Buy a card from the ninth stack. ``hand`` is the digest of the hand when the bot asked;
    empty: it did not ask. ``since``: what goes on.
    """

    kind = "advciv.buy"
    hand: str = ""
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Only seats that drew after trading had opened can buy then, until they trade."""
        require_tracked(table)
        require_not_real(table)
        seat, draws = own_seat(table, caller), part(table, Draws)
        require_now(table, self.since, AskBuy(table.id), "Buy a card")
        too_many = kept_too_many(table, seat.id)
        if too_many is not None:
            raise Refused.because(too_many)
        if self.hand and self.hand != digest_of_hand(seat.holdings):
            raise Refused("Your hand has changed since I asked you.", "Press Buy a card again.")
        just_drew = trading(table) and seat.id in draws.late
        if table.phase != ACQUIRE and not just_drew:
            raise Refused(
                "Cards are bought right after the draw, before trading.",
                "You can next turn, once you have drawn.",
                rule="27.5",
            )
        if seat.id not in draws.drawn:
            raise Refused(
                "Draw for your cities first, then you can buy.",
                "**My cities** on the board draws them.",
                rule="27.5",
            )
        if not part(table, Stacks).stacks[NINTH - 1]:
            raise Refused(
                "The ninth stack is empty [27.21], so keep your tokens this turn.",
                "Cards come back to it at the end of the turn.",
                rule="27.5",
            )
        top = Change(gained=tops(table, (NINTH,)))
        return [CardBought(seat=seat.id, hidden={seat.id: top})]


class CardBought(GoodsOfSeat):
    """A seat bought the top card of the ninth stack [27.5]."""

    kind = "advciv.cards.bought"

    def apply(self, table: Table) -> Table:
        table = without_tops(super().apply(table), (NINTH,))
        draws = part(table, Draws)
        return with_part(table, replace(draws, bought=draws.bought | {self.seat}))

    def sentence(self, ruler: str) -> str:
        return (
            f"<player:{self.seat}> buys a card from the ninth stack, for {NINTH_STACK_PRICE} "
            "treasury tokens."
        )


def verify(table: Table, entry: Entry) -> str:
    """Return a fault if cards were not taken from the top of their stacks; else empty."""
    match entry:
        case CardsDrawn(seat=seat, stacks=stacks, hidden=hidden) if hidden:
            if hidden[seat].gained != tops(table, stacks):
                return "the cards drawn were not on top"
        case CardBought(seat=seat, hidden=hidden) if hidden:
            if hidden[seat].gained != tops(table, (NINTH,)):
                return "the card bought was not on top"
    return ""


def _drawn(table: Table) -> str:
    drawn, said = part(table, Draws).drawn, said_by(table)
    if table.phase != ACQUIRE:
        now = f"Cards are drawn before trading; now it is {TITLES[table.phase].lower()}."
        late = yet_to_draw(table)
        if late and part(table, Calamities).shown is None:
            return f"{now} Can still draw: {mentions(late)}."
        return now
    have = f"Have drawn, by cities: {_by_cities(drawn)}."
    rest = [seat for seat in table.seated() if seat not in drawn]
    if not said:
        return f"{have} Still to draw: {mentions(rest)}."
    have_said = f"Have said, by cities: {_by_cities(dict(drawing_order(said)))}."
    silent = mentions(seat for seat in rest if seat not in said)
    return f"{have} {have_said} Still to say: {silent}."


def _by_cities(cities: Mapping[str, int]) -> str:
    return ", ".join(f"<=seat:{seat}> for {many}" for seat, many in cities.items()) or "nobody"


STATUS: Status = {"27.1": _drawn, "27.5": _drawn}

FEATURE = Feature(
    state=Draws,
    commands=(DrawCards, BuyCard),
    entries=(CardsDrawn, CardBought),
    opens=(AskBuy,),
    options=(CARDS,),
    hears=(Transaction, CardsDrawn, Gained, Corrected, Spent),
    after=after,
    follow_ups=follow_ups,
)
