"""Rule 15.62: a nation whose player leaves keeps one card for each of its cities, picked at random.

The other cards go back to the stacks, unseen, at the end of the turn.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    NOTHING,
    Action,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    FollowUpView,
    GoodsOfSeat,
    Refused,
    Table,
    Violation,
    own_seat,
    part,
    replace,
    require_host,
    require_tracked,
    with_part,
)
from bot.api.chance import with_draw
from bot.games.advciv.cards import count_cards, count_cities, describe
from bot.games.advciv.chance import from_hand, may_be_taken, wrong_pick
from bot.games.advciv.holdings import has_played
from bot.games.advciv.state import NINTH, Stacks, cards_stay, dealt


class LosePrompt(Action):
    """The item **Lose cards** of the board's menu: opens the form."""

    name = "advciv.lose"


class LoseForm(Action):
    """The form for the number of cards that the person loses at random."""

    name = "advciv.lose_form"


class LoseCards(Command):
    """Lose cards at random, which go back to the stacks [15.62]; not while hands may hold
    calamities.

    Either ``cards`` is the number of the caller's own cards to lose, or all but one for each of
    ``cities`` are lost. ``seat``: the seat that loses them, if a host gives the command.
    """

    cards: int | None = None
    cities: int | None = None
    seat: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """A host says only how many cities are left: whether another's hand has as many cards is
        secret.
        """
        require_tracked(table)
        own = table.seat_of(caller.person)
        by_host = self.seat is not None and (own is None or self.seat != own.id)
        if by_host:
            require_host(table, caller, "say that another player loses cards")
        seat = table.seats.get(self.seat or "") if by_host else own_seat(table, caller)
        if seat is None:
            raise Refused(
                "Nobody has played that nation here.",
                "**Who has what** under **Menu** lists the players.",
            )
        if by_host and seat.person is not None and has_played(table, caller):
            raise Refused(
                f"You play, too, so you can't say which cards <seat:{seat.id}> loses.",
                "They can: **Lose cards** under **Menu**. So can a moderator who doesn't play.",
                rule="15.62",
            )
        if cards_stay(table):
            raise Refused(
                "Calamities of this turn have not been shown, and till then they leave a hand only "
                "in a trade.",
                "So no card is lost now. Say it again once they have.",
                rule="29.3",
            )
        if (self.cards is None) == (self.cities is None):
            raise Refused(
                "How many cards go?",
                "Try cards:2, or cities:3 to keep one for each of three cities.",
            )
        if self.cities is not None:
            if not 0 <= self.cities <= NINTH:
                raise Refused(
                    f"Nobody has {self.cities} cities.",
                    f"Try the number that is left, from 0 to {NINTH}.",
                )
            count = beyond(table, seat.id, self.cities)
        else:
            count = self.cards or 0
            if count < 1:
                raise Refused(f"You can't lose {count_cards(count)}.", "Try 1 or more.")
            if by_host:
                reason = (
                    "How many cards another player has is secret, so you can't say how many go."
                )
                raise Refused(
                    reason, "Say how many cities are left. Try /cards lose cities:2.", rule="15.62"
                )
            most = may_be_taken(table, seat.id).total()
            if count > most:
                stay = ": your calamities stay" if most < seat.holdings.total() else ""
                reason = f"You hold {count_cards(most)}, so you can't lose {count}{stay}."
                raise Refused.because(
                    Violation("15.62", reason, "**My hand** shows what you have.", known_to=seat.id)
                )
        hidden = {seat.id: Change(lost=from_hand(table, seat.id, count, caller.chance))}
        return [
            CardsLost(
                seat=seat.id, count=self.cards, cities=self.cities, by_host=by_host, hidden=hidden
            )
        ]


def beyond(table: Table, seat: str, cities: int) -> int:
    """Return how many cards this hand loses: those beyond one for each city that chance may take
    [15.62].
    """
    excess = max(0, table.seats[seat].holdings.total() - cities)
    return min(excess, may_be_taken(table, seat).total())


class CardsLost(GoodsOfSeat):
    """A seat lost cards at random, which go back to the stacks [15.62]. Only it knows which cards.

    It lost ``count`` cards, or all but one for each of ``cities``; in that case only it knows how
    many. ``by_host``: a host gave the command.
    """

    kind = "advciv.cards.lost"
    count: int | None = None
    cities: int | None = None
    by_host: bool = False

    def sentence(self, ruler: str) -> str:
        says = f"{ruler.capitalize()} says: " if self.by_host else ""
        if self.count is not None:
            return (
                f"{says}<player:{self.seat}> loses {count_cards(self.count)}, picked by chance "
                "[15.62]."
            )
        kept = f"at most one card for each of {count_cities(self.cities or 0)}"
        return (
            f"{says}<player:{self.seat}> keeps {kept}, picked by chance, <and:{self.seat}> loses "
            "the rest [15.62]."
        )

    def apply(self, table: Table) -> Table:
        table = with_draw(super().apply(table))
        if not dealt(table):
            return table
        stacks = part(table, Stacks)
        lost = (self.hidden or {})[self.seat].lost
        return with_part(table, replace(stacks, returned=(stacks.returned or NOTHING) + lost))


def follow_ups(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a player what they lost, if a host gave the command. Otherwise the reply says it."""
    if isinstance(entry, CardsLost) and entry.by_host:
        lost = describe((entry.hidden or {})[entry.seat].lost)
        yield FollowUpView(seat=entry.seat, text=f"You lost **{lost}** [15.62].", evident=True)


def verify(table: Table, entry: Entry) -> str:
    """Return a fault if the lost cards are not those that the seed picks; else empty."""
    if not isinstance(entry, CardsLost) or not entry.hidden:
        return ""
    due = entry.count
    if due is None:
        due = beyond(table, entry.seat, entry.cities or 0)
    return wrong_pick(table, entry.seat, entry.hidden[entry.seat].lost, due)


FEATURE = Feature(
    commands=(LoseCards,),
    entries=(CardsLost,),
    opens=(LosePrompt, LoseForm),
    hears=(CardsLost,),
    follow_ups=follow_ups,
)
