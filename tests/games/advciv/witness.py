"""Keeps independent books of a table of Advanced Civilization from its entries, and compares.

The rules are told another way here than they are written.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain

from bot.games.advciv.calamities import CalamitiesShown
from bot.games.advciv.cards import box
from bot.games.advciv.drawing import CardsDrawn
from bot.games.advciv.losing import CardsLost
from bot.games.advciv.stacks import StacksRestored, StacksShuffled
from bot.games.advciv.state import (
    Bell,
    Calamities,
    Draws,
    ShownCalamity,
    Stacks,
    dealt,
    state_of,
    trading,
)
from bot.games.advciv.surrendering import CardsKept, CardsSurrendered, CardsTakenBack, Surrenders
from bot.games.advciv.taking import CardTaken, Requests
from bot.games.advciv.trading import DealRenewed, TradingClosed, TradingUndone
from bot.rules.entries import Entry, split
from bot.rules.features.holdings import Corrected, Gained, GoodsMoved
from bot.rules.features.offers.entries import (
    HandedOver,
    HandOverUndone,
    OfferAltered,
    OfferCountered,
    OfferDeclined,
    OfferExpired,
    OfferPosted,
    OfferSuperseded,
    OfferVoided,
    OfferWithdrawn,
    Signed,
    Transaction,
)
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.features.tables import PhaseSet
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.offer import Offer
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.views import Viewer
from bot.rules.visible_entry import redact
from bot.testing import laws
from data.advciv import Calamity, calamities

BOX = Counter(box())
"""All the trade cards there are."""

STAYS = frozenset(f"calamity:{card.id}" for card in calamities().values() if not card.tradable)
"""29.2: the calamities that stay with who drew them."""


Steps = list[tuple[str, str | None]]
"""How one calamity came to where it is: each holder, and who traded it to them."""


@dataclass
class Witness:
    """Its own books of one table: who signed and handed over what, and how each calamity came to
    where it is.

    ``drawn`` and ``traded`` are of this turn. ``lapsing`` are the offers that end with the next
    entry of another kind. ``steps`` has for each calamity who came to hold it this turn, and from
    whom in a trade; ``moved`` what moved with it in its last trade. ``cards`` are all there are:
    those of the box, and what people had named beyond it when the bot began to
    deal.
    """

    memory: laws.Memory = field(default_factory=laws.Memory)
    signed: set[tuple[int, str, int, int]] = field(default_factory=set)
    handed: dict[int, dict[str, Goods]] = field(default_factory=dict)
    lapsing: set[int] = field(default_factory=set)
    steps: dict[str, Steps] = field(default_factory=dict)
    moved: dict[str, dict[str, Change]] = field(default_factory=dict)
    transactions: int = 0
    drawn: dict[str, int] = field(default_factory=dict)
    traded: bool = False
    cards: Counter[str] = field(default_factory=lambda: Counter(BOX))

    def saw(self, before: Table, entry: Entry, after: Table) -> None:
        """One entry was applied."""
        assert after.seq == before.seq + 1
        self.memory.saw(before, entry, after)
        _moves(before, entry, after)
        if isinstance(entry, StacksShuffled):
            in_hands = Counter[str]()
            for hand in before.seats.values():
                in_hands.update(hand.holdings)
            self.cards = BOX | in_hands
        _all_cards(after, self.cards)
        if after.tracked:
            self._went(before, entry, after)
        if isinstance(entry, OfferPosted | OfferAltered | Signed | HandedOver):
            warns = before.settings.rulings == "warn"
            assert warns or trading(before), "28.4: a step towards a trade after its time"
        match entry:
            case Signed(offer=number, seat=seat, revision=revision, window=window):
                self.signed.add((number, seat, revision, window))
            case HandedOver(offer=number, seat=seat, goods=goods):
                assert goods is not None
                assert goods.keys() <= BOX.keys() - STAYS, "29.2: handed over what can't be traded"
                self.handed.setdefault(number, {})[seat] = goods
            case HandOverUndone(offer=number, seat=seat):
                goods = self.handed[number].pop(seat)
                missing = before.seats[seat].holdings.missing(goods)
                assert missing, "28.3: all that was handed over is in the hand"
            case OfferAltered(offer=number) | OfferVoided(offer=number):
                self.handed.pop(number, None)
            case OfferExpired(offer=number):
                self.handed.pop(number, None)
            case OfferCountered(offer=number, seat=seat) if seat != before.offers[number].seat:
                # it answers with another, so that is off
                self.handed.get(number, {}).pop(seat, None)
            case OfferWithdrawn(offer=number) | OfferSuperseded(offer=number):
                self.handed.pop(number, None)
            case OfferDeclined(offer=number, seat=seat):
                # Where it was open to all, it is again: only this one's part is back in hand.
                if before.offers[number].to is None or number in after.offers:
                    self.handed.get(number, {}).pop(seat, None)
                else:
                    self.handed.pop(number, None)
            case SeatLeft(seat=seat):
                for parts in self.handed.values():
                    parts.pop(seat, None)
            case Transaction():
                self._traded(before, entry, after)
            case CalamitiesShown():
                self._last_chance(before, after)
                self._shown(before, entry, after)
            case CardsKept(kept=kept):
                most = 99 if before.settings.rulings == "warn" else 8
                held = {}
                for id, holder in before.seats.items():
                    if holder.person is not None:
                        commodities = holder.holdings.of_kind("commodity").total()
                        held[id] = min(commodities, most)
                assert kept == held, "31.71: how many are kept"
            case CardsDrawn():
                self._drew(before, entry)
            case CardTaken():
                self._may_go(before)
                _took(before, entry)
            case CardsLost():
                self._may_go(before)
                _lost(before, entry)
            case TradingUndone():
                assert not self.traded, "28.1: cards had changed hands"
                assert not after.live_offers(), "an offer outlived that trading was taken back"
                assert state_of(after).turn == state_of(before).turn, "a turn began"
                assert part(after, Bell) == Bell(), "trading left something"
            case DealRenewed(offer=renewed, window=window):
                for number, seat, revision, _ in list(self.signed):
                    if number == renewed:
                        self.signed.add((number, seat, revision, window))
            case TradingClosed():
                self._outlived(after)
            case PhaseSet(phase=phase):
                self._outlived(after)
                if phase == "acquire":
                    self._new_turn(before, after)
        if isinstance(entry, OfferVoided) and entry.reasons is None:
            self.lapsing.add(entry.offer)
        else:
            self.lapsing.clear()
        _handed_over(after, self.handed)

    def _outlived(self, after: Table) -> None:
        """28.41: what outlives the time for trade has been agreed on by both, and no turn."""
        if after.phase == "acquire":
            assert not after.live_offers(), "28.4: an offer outlived its turn"
        signatures = {(number, seat, revision) for number, seat, revision, _ in self.signed}
        for offer in after.live_offers():
            for seat in (offer.seat, offer.to):
                signature = (offer.number, seat, offer.revision)
                assert signature in signatures, "28.4: an offer outlived the time for trade"

    def _last_chance(self, before: Table, after: Table) -> None:
        """28.41: nothing is open once calamities are shown. One that is typed late ends no more:
        offers made since then are of a table that only warns.
        """
        if part(before, Calamities).shown is None:
            assert not after.live_offers(), "28.41: a deal outlived the last chance to trade"
        else:
            assert not self.lapsing, "29.3: a calamity typed late ended an offer"

    def _traded(self, before: Table, entry: Transaction, after: Table) -> None:
        self.transactions += 1
        self.traded = True
        offer, two = before.offers[entry.offer], (entry.first, entry.second)
        assert entry.number == after.transactions == self.transactions
        assert offer.status == "open", "an offer resolved that was suspended"
        assert entry.first == offer.seat != entry.second
        assert entry.second == offer.to, "28.2: a third one traded"
        for seat in two:
            signature = (entry.offer, seat, offer.revision, before.window.number)
            assert signature in self.signed, f"{seat} did not sign"
        hidden = entry.hidden
        assert hidden is not None
        assert hidden.keys() == set(two)
        for shown in entry.changes.values():
            assert shown == Change(), "28.3: cards were traded in the open"
        if before.settings.rulings == "refuse":
            assert before.window.kind == "trade", "28.4"
        handed = self.handed.pop(entry.offer, {})
        if not before.tracked:
            return
        for seat, other in (two, two[::-1]):
            assert hidden[seat] == Change(lost=handed[seat], gained=handed[other])
        if before.settings.rulings == "refuse":
            _rule_28_3(before, offer, handed)

    def _shown(self, before: Table, entry: CalamitiesShown, after: Table) -> None:
        """29.3, 29.5, 29.61: all that were in a hand are shown; of more than two in one, two take
        effect.
        """
        shown = [(one.seat, one.calamity) for one in (*entry.effects, *entry.spared)]
        assert Counter(shown) == Counter(set(_calamities(before)))
        earlier = part(before, Calamities).shown or ()
        suffered = Counter(one.seat for one in (*earlier, *entry.effects))
        assert max(suffered.values(), default=0) <= 2, "29.5: more than two calamities for one"
        orders = []
        for one in entry.effects:
            assert one.trader == self._trader(one), "29.61"
            assert not _barbarians_upon_crete(one), "30.52"
            orders.append(_calamity(one).order)
        assert orders == sorted(orders), "29.6"
        for one in entry.spared:
            assert not one.trader, "28.3: a trade was told of without need"
            if one.never:
                assert _barbarians_upon_crete(one), "30.52: no effect without need"
            else:
                assert suffered[one.seat] == 2, "29.5: spared without need"
        for holder in after.seats.values():
            assert not holder.holdings.of_kind("calamity"), "29.3: not all were shown"

    def _may_go(self, before: Table) -> None:
        """29.3: a hand that may hold a calamity of this turn loses no card by chance."""
        if part(before, Calamities).shown is None:
            assert not self.drawn
            assert before.phase == "acquire"

    def _trader(self, one: ShownCalamity) -> str | None:
        """28.3: who traded it is told only where that changes what it does."""
        if not _calamity(one).trader_matters:
            return None
        trader: str | None = ""
        for holder, giver in self.steps.get(one.calamity, []):
            if holder == one.seat:
                trader = giver
        return trader

    def _went(self, before: Table, entry: Entry, after: Table) -> None:
        """Note how each calamity came to where it is now; a correction takes trades back."""
        for seat, token in Counter(_calamities(after)) - Counter(_calamities(before)):
            steps = self.steps.setdefault(token, [])
            had = [place for place, (holder, _) in enumerate(steps) if holder == seat]
            if isinstance(entry, Transaction):
                self._passed_on(token, seat, entry, real=not part(before, Stacks).stacks)
            elif isinstance(entry, Corrected) and had:
                del steps[had[-1] + 1 :]
            else:
                untold = isinstance(entry, Corrected | Gained) and before.phase != "acquire"
                steps.append((seat, "" if untold else None))

    def _passed_on(self, token: str, seat: str, entry: Transaction, *, real: bool) -> None:
        """Note who traded a calamity; with real cards, what is traded back whole was a slip."""
        assert entry.hidden is not None
        giver, steps = entry.other(seat), self.steps[token]
        moved = {giver: entry.hidden[giver], seat: entry.hidden[seat]}
        swapped = {seat: entry.hidden[giver], giver: entry.hidden[seat]}
        if real and steps[-1:] == [(giver, seat)] and self.moved.get(token) == swapped:
            steps.pop()
        else:
            steps.append((seat, giver))
        self.moved[token] = moved

    def _drew(self, before: Table, entry: CardsDrawn) -> None:
        """27.1: once a turn, and of those who draw together, who has fewer cities first."""
        assert entry.seat not in self.drawn, "27.1: a second draw"
        assert part(before, Calamities).shown is None, "27.1: drawn after the showing"
        said = part(before, Draws).said
        for other in entry.before:
            assert other not in self.drawn, "27.1: told of somebody who had drawn"
            assert said[other] < entry.cities, "27.1: told of somebody who has as many"
        self.drawn[entry.seat] = entry.cities
        assert entry.hidden is not None
        drawn = entry.hidden[entry.seat].gained
        assert drawn.total() == len(entry.stacks) <= entry.cities

    def _new_turn(self, before: Table, after: Table) -> None:
        self.steps.clear()
        self.moved.clear()
        self.drawn.clear()
        self.traded = False
        if not before.tracked:
            return
        shown = part(before, Calamities).shown
        assert shown is not None, "29.3: a turn began before calamities were shown"
        warns = before.settings.rulings == "warn"
        over = part(after, Surrenders).over
        for id, seat in before.seats.items():
            commodities = seat.holdings.of_kind("commodity").total()
            too_many = 0 if warns else max(0, commodities - 8)
            assert over.get(id, 0) == too_many, "31.71: who keeps too much still owes it"


def _calamity(one: ShownCalamity) -> Calamity:
    return calamities()[one.calamity.removeprefix("calamity:")]


def _barbarians_upon_crete(one: ShownCalamity) -> bool:
    return (one.calamity, one.seat) == ("calamity:barbarian_hordes", "crete")


def _took(before: Table, entry: CardTaken) -> None:
    """24.51: one card went from hand to hand, or none where there was none; nobody else knows."""
    assert entry.hidden is not None
    taken, given = entry.hidden[entry.seat], entry.hidden[entry.other]
    assert (taken.gained, taken.lost) == (given.lost, given.gained)
    assert not taken.lost
    assert taken.gained.total() == min(1, before.seats[entry.other].holdings.total())
    assert not entry.changes
    waiting = [(request.seat, request.other) for request in part(before, Requests).waiting]
    asked = (entry.seat, entry.other) in waiting
    assert asked or entry.by_host, "24.51: nobody was asked"


def _lost(before: Table, entry: CardsLost) -> None:
    """15.62: so many cards went as was said, or all beyond the cities."""
    assert entry.hidden is not None
    change = entry.hidden[entry.seat]
    if entry.count is None:
        held = before.seats[entry.seat].holdings.total()
        assert change.lost.total() == max(0, held - (entry.cities or 0))
    else:
        assert change.lost.total() == entry.count
    assert not change.gained
    assert not entry.changes


def _calamities(table: Table) -> list[tuple[str, str]]:
    """Return each calamity in a hand, after the seat."""
    calamities_held = []
    for seat in table.seats.values():
        for token in seat.holdings.of_kind("calamity").tokens():
            calamities_held.append((seat.id, token))
    return calamities_held


def _rule_28_3(before: Table, offer: Offer, handed: dict[str, Goods]) -> None:
    """Three cards a side or more, as many as was said; two of them named, those are there, and all
    can be traded.
    """
    promises = {offer.seat: offer.give, offer.to or "": offer.want}
    for seat, promised in promises.items():
        firm = promised.of_kind("commodity") + promised.of_kind("calamity")
        gave = handed[seat]
        assert gave.total() == promised.total() >= 3
        assert firm.total() >= 2
        assert not gave.missing(firm)
        assert not STAYS & gave.keys()
        assert not before.seats[seat].holdings.missing(gave)


def _moves(before: Table, entry: Entry, after: Table) -> None:
    """Cards move in and out of hands as the entry says and in no other way."""
    said: dict[str, tuple[Goods, Goods]] = {}
    if isinstance(entry, GoodsMoved) and before.tracked:
        for changes in (entry.changes, entry.hidden or {}):
            for seat, change in changes.items():
                lost, gained = said.get(seat, (NOTHING, NOTHING))
                said[seat] = (lost + change.lost, gained + change.gained)
                assert not change.entered_play + change.left_play, "there is no play area here"
    for id, holder in after.seats.items():
        if id not in before.seats:
            assert isinstance(entry, SeatTaken)
            assert not holder.holdings, "nobody begins with cards"
        elif holder.holdings is not before.seats[id].holdings:
            lost, gained = said.get(id, (NOTHING, NOTHING))
            moved = before.seats[id].holdings - lost + gained
            assert holder.holdings == moved, f"{entry.kind} moved other cards"


def _all_cards(table: Table, cards: Counter[str]) -> None:
    """Where the bot deals, every card is in a stack, set aside, or in a hand."""
    if not table.game or not dealt(table):
        return
    stacks = part(table, Stacks)
    there = Counter(chain(*stacks.stacks))
    there.update(stacks.aside)
    there.update(stacks.returned or NOTHING)
    for seat in table.seats.values():
        there.update(seat.holdings)
    assert there == cards


def _handed_over(table: Table, handed: dict[int, dict[str, Goods]]) -> None:
    """What is handed over lies with offers that stand, as the books say, and with no other."""
    for offer in table.offers.values():
        assert offer.handed == handed.get(offer.number, {})
    for number, parts in handed.items():
        assert not parts or number in table.offers, "what was handed over stayed"


# ---------------------------------------------------------------- who may see

SHOWN_TO_ALL = (CardsSurrendered, CardsTakenBack, CalamitiesShown, StacksRestored)
"""31.71, 29.3: what names cards for everybody; beside what is offered to all."""

SEALED = (HandedOver, HandOverUndone, OfferVoided, GoodsMoved, StacksShuffled, StacksRestored)
"""What not everybody may read whole."""


def seals(after: Table, entry: Entry) -> None:
    """Nobody but the parties sees what is sealed, of two each only their own, and what is public
    names no card.
    """
    laws.seals(after, entry)
    if isinstance(entry, SEALED):
        for seat in after.seats:
            _seen_by(seat, redact(entry, laws.of_seat(seat), 1))
    if isinstance(entry, StacksShuffled | StacksRestored):
        auditor = Viewer(person=1, hosts=True, audits=True)
        seen = redact(entry, auditor, 1)
        assert getattr(seen, "secret", None) is None, "somebody knows how the stacks lie"
    told_to_all = isinstance(entry, SHOWN_TO_ALL)
    if isinstance(entry, OfferPosted | OfferAltered):
        told_to_all = entry.to is None
    if not told_to_all:
        public = json.dumps(split(entry)[0])
        for kind in ("commodity", "calamity", "claim"):
            assert f"{kind}:" not in public, f"{entry.kind} names cards"
        assert '"unnamed"' not in public, f"{entry.kind} tells a number of cards"


def _seen_by(seat: str, seen: Entry) -> None:
    """Assert that this seat, to which an entry is shown like this, sees only what is its own."""
    match seen:
        case HandedOver(goods=goods):
            assert (goods is not None) == (seat == seen.seat), "28.3: shown before it is traded"
        case HandOverUndone(gone=gone):
            assert (gone is not None) == (seat == seen.seat)
        case OfferVoided(reasons=reasons):
            assert set(reasons or {}) <= {seat}
        case StacksShuffled(secret=secret) | StacksRestored(secret=secret):
            assert secret is None, "somebody knows how the stacks lie"
        case Transaction():
            pass
        case GoodsMoved(hidden=hidden):
            assert set(hidden or {}) <= {seat}
