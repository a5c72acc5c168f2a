"""Rule 31: after trading, players turn in cards, and may keep only a few for the next turn.

Only its owner may know whether a hand exceeds the limit. So the next turn begins anyway, and an
owner who kept too many cards can't do anything with them until they turn in the excess.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Annotated, ClassVar

from bot.api import (
    NOTHING,
    Action,
    Apply,
    Caller,
    Change,
    Choice,
    Command,
    Corrected,
    Entry,
    Feature,
    Goods,
    GoodsOfSeat,
    LabelledAction,
    PhaseSet,
    Press,
    PromptView,
    Reads,
    Refused,
    Sealed,
    Since,
    Table,
    Violation,
    digest_of_hand,
    frozen,
    mentions,
    own_seat,
    part,
    read_picked,
    replace,
    require_tracked,
    with_part,
    write_picked,
)
from bot.games.advciv.cards import card_of, count_cards, describe
from bot.games.advciv.losing import CardsLost
from bot.games.advciv.sets import mined, worth
from bot.games.advciv.stacks import set_aside
from bot.games.advciv.state import (
    ACQUIRE,
    AFTER,
    Calamities,
    Draws,
    OfTurn,
    Status,
    over_limit,
    require_now,
)
from bot.games.advciv.taking import CardTaken
from data.advciv import HAND_LIMIT

COUNT_NAMES = dict(enumerate(("one", "two", "three", "four", "five", "six"), start=1))
"""Small numbers as words."""


@frozen
class TurnedIn:
    """Cards that were turned in at once, and the token of the commodity to which Mining was
    applied, if any.
    """

    cards: Goods
    mining: str = ""


@frozen
class Surrenders(OfTurn):
    """``mined`` are the seats that have used Mining this turn.

    ``over`` maps a seat to the number of commodity cards from last turn that it must still turn in
    [31.71]. Only that seat may know it. ``given`` maps a seat to what it has turned in since
    trading ended, and can take back.
    """

    mined: frozenset[str] = frozenset()
    over: Mapping[str, int] = field(default_factory=dict)
    given: Mapping[str, tuple[TurnedIn, ...]] = field(default_factory=dict)

    def turn_over(self) -> Surrenders:
        return replace(self, mined=frozenset(), given={})

    def with_given(self, seat: str, *turned_in: TurnedIn) -> Surrenders:
        """Return the part with what this seat has turned in and can take back."""
        return replace(self, given={**self.given, seat: turned_in})


class SurrenderPrompt(Action):
    """The button **Turn in cards**: opens the form."""

    name = "advciv.surrender"


class SurrenderForm(Choice):
    """The form to choose the cards to turn in. A button then turns them in."""

    name = "advciv.surrender_form"


class SurrenderCards(Command):
    """Turn in commodity cards after trading, in public [31.71].

    ``mining`` is the commodity to which Mining is applied, as typed; empty for none.
    """

    cards: Goods
    mining: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Before trading is over, only excess cards from last turn can be turned in."""
        require_tracked(table)
        seat = own_seat(table, caller)
        given = self.cards
        surrenders = part(table, Surrenders)
        if table.phase != AFTER:
            over = owed(table, seat.id)
            if not over:
                raise Refused(
                    "Cards are turned in after trading.",
                    "Keep them in hand until then.",
                    rule="31.1",
                )
            if given.total() > over or self.mining:
                remedy = f"Until then you can turn in at most {over} [31.71]."
                raise Refused("You can pay with cards only after trading.", remedy, rule="31.1")
        if calamities := given.of_kind("calamity"):
            reason = f"{describe(calamities)} can't be turned in: calamities are resolved."
            raise Refused(reason, "/calamities show lists them all.", rule="31.72")
        if table.phase == AFTER and part(table, Calamities).shown is None:
            raise Refused(
                "Calamities come first; then cards are turned in.",
                "Press **Show calamities** on the board.",
                rule="29.1",
            )
        no_card = given.without_kind("commodity")
        if not given or no_card:
            what = describe(no_card) if given else "nothing"
            raise Refused(f"You can't turn in {what}.", "Name commodity cards. Try: 3 salt, grain.")
        if missing := seat.holdings.missing(given):
            raise Refused(
                f"You don't have {describe(missing)}.", "**My hand** shows what you have."
            )
        if self.mining and seat.id in surrenders.mined:
            raise Refused(
                "You have already used Mining this turn.",
                "It counts for one set, once a turn.",
                rule="28.53",
            )
        mining = mined(given, self.mining) if self.mining else ""
        number = 0
        before: tuple[TurnedIn, ...] = ()
        if table.phase == AFTER:
            before = surrenders.given.get(seat.id, ())
            number = len(before) + 1
        turned_in = CardsSurrendered(
            seat=seat.id,
            changes={seat.id: Change(lost=given)},
            worth=worth(given, mining),
            mining=mining,
            number=number,
            before=sum(lot.cards.total() for lot in before),
            together=worth_together(before, TurnedIn(given, mining)),
        )
        return [turned_in]


def worth_together(before: Sequence[TurnedIn], last: TurnedIn) -> int:
    """Return the worth of all that was turned in, if it is for one purchase [28.51]; 0 if the last
    cards are worth no more with those before than by themselves.
    """
    earlier = sum((lot.cards for lot in before), NOTHING)
    mined = "".join(lot.mining for lot in before)  # one of them at most
    together = worth(earlier + last.cards, mined or last.mining)
    apart = worth(earlier, mined) + worth(last.cards, last.mining)
    return together if together > apart else 0


class SurrenderPicked(Command):
    """Turn in the cards that were picked in the form.

    ``picked`` has a digit for each kind of commodity in the hand; ``hand`` is the digest of these
    commodities. ``mining`` is the id of the commodity to which Mining is applied, empty for none.
    """

    kind = "advciv.surrender.picked"
    picked: str
    hand: str
    mining: str

    @classmethod
    def picking(cls, held: Goods, given: Goods, mining: str) -> SurrenderPicked:
        """Return the command to turn in ``given`` of the commodities ``held``. ``mining`` is a
        token or empty.
        """
        commodity = mining.partition(":")[2]
        return cls(write_picked(held, given), digest_of_hand(held), commodity)

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` as `SurrenderCards`, and if the hand has changed."""
        require_tracked(table)
        held = own_seat(table, caller).holdings.of_kind("commodity")
        given = read_picked(held, self.picked, self.hand)
        if given is None:
            raise Refused(
                "Your hand has changed since I showed you this.", "Press Turn in cards again."
            )
        return SurrenderCards(given, self.mining).decide(table, caller)


class CardsSurrendered(GoodsOfSeat):
    """A seat turned in cards, in public [31.71].

    ``worth`` is the worth of their sets; ``mining`` is the token of the commodity to which Mining
    was applied. ``number`` counts what the seat has turned in since trading ended and can take
    back; 0 for what it can't. ``before`` is how many cards it turned in since then, and
    ``together`` the worth of all, if these add more to it than by themselves; else 0.
    """

    kind = "advciv.cards.surrendered"
    v: int = 2  # 2: before, together
    reads: ClassVar[Reads] = {("advciv.cards.surrendered", 1): None}
    worth: int
    mining: str = ""
    number: int = 0
    before: int = 0
    together: int = 0

    def sentence(self, ruler: str) -> str:
        with_mining = f" with Mining on {card_of(self.mining).name}" if self.mining else ""
        if self.together:
            before = COUNT_NAMES.get(self.before, self.before)
            with_mining += (
                f"; **{self.together}** with the {before} before, if for one purchase [28.51]"
            )
        given = describe(self.changes[self.seat].lost)
        return f"<player:{self.seat}> turns in **{given}**, worth **{self.worth}**{with_mining}."

    def apply(self, table: Table) -> Table:
        table = set_aside(super().apply(table), self)
        lost = self.changes[self.seat].lost
        surrenders = part(table, Surrenders)
        if self.mining:
            surrenders = replace(surrenders, mined=surrenders.mined | {self.seat})
        if self.number:
            earlier = surrenders.given.get(self.seat, ())
            surrenders = surrenders.with_given(self.seat, *earlier, TurnedIn(lost, self.mining))
        table = with_part(table, surrenders)
        if self.seat not in surrenders.over:
            return table
        return _still_over(table, self.seat, surrenders.over[self.seat] - lost.total())


class TakeBackCards(Command):
    """Take back the cards that the caller turned in last, by mistake. ``number``: only if that is
    the newest. ``since``: what goes on.
    """

    kind = "advciv.surrender.back"
    number: int | None = None
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        seat = own_seat(table, caller)
        given = part(table, Surrenders).given.get(seat.id, ())
        again = Press(table.id, TakeBackCards(len(given), table.window.since))
        require_now(table, self.since, again, "Take back cards I turned in")
        if not given and seat.id in part(table, Draws).bought:
            raise Refused(
                "You bought a card this turn, and a card that is bought is never given back.",
                "Only cards that you turn in are taken back.",
                rule="27.5",
            )
        if table.phase == ACQUIRE:
            raise Refused(
                "Cards that were turned in come back only until the next turn begins.",
                "By then everybody has bought, and they are under the stacks.",
                rule="31.1",
            )
        if table.phase != AFTER:
            raise Refused(
                "Cards are turned in after trading, so there are none to take back.",
                "Then **Spend cards** on the board turns them in.",
                rule="31.1",
            )
        if not given:
            raise Refused(
                "You have turned in no cards since trading ended.",
                "**Spend cards** on the board turns them in.",
            )
        if self.number not in (None, len(given)):
            raise Refused(
                "These are not the cards you turned in last.",
                "**Take back cards I turned in** under **Menu** takes back the last ones.",
            )
        last = given[-1]
        changes = {seat.id: Change(gained=last.cards)}
        return [CardsTakenBack(seat=seat.id, changes=changes, mining=last.mining)]


class CardsTakenBack(GoodsOfSeat):
    """A seat took back the cards that it turned in last, and its Mining, if ``mining`` was applied
    to them.
    """

    kind = "advciv.cards.returned"
    mining: str = ""

    def sentence(self, ruler: str) -> str:
        return f"<player:{self.seat}> takes back **{describe(self.changes[self.seat].gained)}**."

    def apply(self, table: Table) -> Table:
        table = set_aside(super().apply(table), self)
        surrenders = part(table, Surrenders)
        if self.mining:
            surrenders = replace(surrenders, mined=surrenders.mined - {self.seat})
        earlier = surrenders.given[self.seat][:-1]
        return with_part(table, surrenders.with_given(self.seat, *earlier))


class CardsKept(Entry):
    """The public numbers of commodity cards that each seat keeps for the next turn [31.71].

    They do not exceed the limit, because cards beyond it must still be turned in. At a table that
    only warns they may, and ``more`` has how many each seat keeps beyond it.
    """

    kind = "advciv.cards.kept"
    kept: dict[str, int]
    more: Annotated[dict[str, int] | None, Sealed("parties")] = None

    def parties(self) -> frozenset[str]:
        """Return all taken seats at a table that only warns: each knows its own number."""
        return frozenset(self.more or ())

    def redacted(self, seats: frozenset[str]) -> Entry:
        if self.more is None or self.more.keys() <= seats:
            return self
        own = {seat: many for seat, many in self.more.items() if seat in seats}
        return self.model_copy(update={"more": own})

    def seats(self) -> frozenset[str]:
        """Return all taken seats, including those that keep no cards."""
        return frozenset(self.kept)

    def sentence(self, ruler: str) -> str:
        if not self.kept:
            return ""
        hands = []
        for seat, count in sorted(self.kept.items()):
            hands.append(f"<=player:{seat}> {count_cards(count)}")
        lines = [f"Kept for the next turn: {', '.join(hands)}."]
        for seat, many in sorted((self.more or {}).items()):
            if many:
                lines.append(
                    f"⚠️ The limit is {HAND_LIMIT} cards. <player:{seat}> keeps {many} more than "
                    "that, against [31.71]: this table only warns."
                )
        return "\n".join(lines)


def kept(table: Table) -> CardsKept:
    """Return how many commodity cards each player keeps, and at a table that only warns how many
    beyond the limit.
    """
    seats = table.seated()
    held = {seat: _commodities(table, seat) for seat in seats}
    if only_warns(table):
        return CardsKept(kept=held, more={seat: over_limit(table, seat) for seat in seats})
    return CardsKept(kept={seat: min(many, HAND_LIMIT) for seat, many in held.items()})


# ---------------------------------------------------------------- excess cards


def _commodities(table: Table, seat: str) -> int:
    """Return how many commodity cards a seat holds."""
    return table.seats[seat].holdings.of_kind("commodity").total()


def only_warns(table: Table) -> bool:
    """Return whether players may keep any number of cards here, by a house rule."""
    return table.settings.rulings == "warn"


def owed(table: Table, seat: str) -> int:
    """Return how many commodity cards from last turn this seat must still turn in [31.71]."""
    return 0 if only_warns(table) else part(table, Surrenders).over.get(seat, 0)


def kept_too_many(table: Table, seat: str) -> Violation | None:
    """Return why this seat can't use its cards: it kept too many from last turn [31.71]. None if it
    did not.
    """
    over = owed(table, seat)
    if not over or table.phase == AFTER:  # in that phase, all excess cards are turned in anyway
        return None
    return Violation(
        rule="31.71",
        reason=f"You kept {count_cards(over)} too many from last turn: you may keep {HAND_LIMIT}.",
        remedy="First choose which go: **My hand** asks you. A house rule? The host: "
        "**Settings** under **Menu**, **Host…**.",
        blocks_posting=True,
        of_goods=False,
        known_to=seat,
    )


def excess_counted(table: Table, entry: Entry) -> Table:
    """Update the number of excess cards that each seat kept at the beginning of the turn
    [31.71].
    """
    over = part(table, Surrenders).over
    match entry:
        case PhaseSet(phase=phase) if phase == ACQUIRE and table.tracked:
            seats = () if only_warns(table) else table.seats
            kept = {seat: many for seat in seats if (many := over_limit(table, seat))}
            return with_part(table, replace(part(table, Surrenders), over=kept))
        case CardTaken(other=seat) if seat in over:
            return _still_over(table, seat, min(over[seat], _commodities(table, seat)))
        case Corrected(seat=seat) | CardsLost(seat=seat) if seat in over:
            return _still_over(table, seat, min(over[seat], over_limit(table, seat)))
    return table


def no_excess_lost(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Raise `Refused` by 31.71 if players lose cards by chance of which they must turn some in, for
    all to see.
    """
    for entry in entries:
        if not isinstance(entry, CardsLost) or entry.by_host:
            continue
        too_many = kept_too_many(table, entry.seat)
        if too_many is not None:
            raise Refused.because(too_many)
        if table.phase != AFTER or only_warns(table):
            continue
        if over := over_limit(table, entry.seat):
            reason = (
                f"You have {over} commodity cards more than you may keep, and everybody sees which "
                "ones go."
            )
            remedy = "First choose them: **Spend cards** on the board."
            raise Refused.because(Violation("31.71", reason, remedy, known_to=entry.seat))
    return entries


def _still_over(table: Table, seat: str, many: int) -> Table:
    """Return the table in which this seat must still turn in so many cards."""
    surrenders = part(table, Surrenders)
    over = {**surrenders.over, seat: many}
    if many <= 0:
        del over[seat]
    return with_part(table, replace(surrenders, over=over))


def prompts(table: Table) -> Iterable[PromptView]:
    """After calamities have been shown, ask players with too many cards which ones to turn in
    [31.71].

    The question is secret, because it reveals something about a hand.
    """
    if not table.tracked or only_warns(table):
        return
    turn_in = LabelledAction("Turn in cards", SurrenderPrompt(table.id))
    if table.phase != AFTER:
        excess = owed
        has = "kept"
        first = "Choose which go before you do anything else with your cards."
    elif part(table, Calamities).shown is not None:
        excess = over_limit
        has = "have"
        first = "First turn in what you spend, then choose which others go."
    else:
        return
    for seat in table.seated():
        over = excess(table, seat)
        if over:
            yield PromptView(
                table=table.id,
                key=f"advciv-surrender-{seat}",
                seat=seat,
                text=f"You may keep {HAND_LIMIT} commodity cards [31.71] and {has} "
                f"{HAND_LIMIT + over}. {first}",
                buttons=(turn_in,),
                secret=True,
            )


def _mined(table: Table) -> str:
    return f"Have used Mining this turn: {mentions(sorted(part(table, Surrenders).mined))}."


STATUS: Status = {"28.53": _mined}

FEATURE = Feature(
    state=Surrenders,
    commands=(SurrenderCards, SurrenderPicked, TakeBackCards),
    entries=(CardsSurrendered, CardsTakenBack, CardsKept),
    opens=(SurrenderPrompt, SurrenderForm),
    hears=(PhaseSet, CardTaken, Corrected, CardsLost),
    after=excess_counted,
    brings=no_excess_lost,
    prompts=prompts,
)
