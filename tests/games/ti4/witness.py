"""Keeps independent books of a table of Twilight Imperium 4, and compares.

The rules are told another way here than they are written. When a new kind of entry may make or
unmake goods, add it to ``MAKES_GOODS``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from bot.games.ti4 import GAME
from bot.games.ti4.boxes import NotesReprinted
from bot.games.ti4.commodities import CommoditiesGained, Replenished, TradeFollowed
from bot.games.ti4.components import captured_unit
from bot.games.ti4.components import public as seen_by_all
from bot.games.ti4.counting import GoodsCounted
from bot.games.ti4.departures import Eliminated, FactionChanged
from bot.games.ti4.entries import GainedByEffect
from bot.games.ti4.hand_limit import CardsDiscarded
from bot.games.ti4.losses import CommoditiesLost
from bot.games.ti4.note_claims import ClaimSettled, NoteClaimed
from bot.games.ti4.note_gifts import NoteGiven
from bot.games.ti4.notes import NotePlayed
from bot.games.ti4.pillage import PillageSettled
from bot.games.ti4.slips import GoodsPutBack
from bot.games.ti4.state import (
    Combat,
    GameRound,
    InForce,
    Map,
    OutOfGame,
    Permit,
    Questions,
    Round,
    are_neighbors,
    in_combat,
)
from bot.games.ti4.strategy_cards import CardPutBack, CardTaken
from bot.games.ti4.take_back import TradeTakenBack
from bot.games.ti4.trade_card import TradePlayed
from bot.rules.entries import Entry, split
from bot.rules.features.holdings import Corrected, Gained, GoodsMoved, Spent
from bot.rules.features.offers.debts import DebtSaid, open_debts
from bot.rules.features.offers.entries import (
    OfferAltered,
    OfferBecameDeal,
    OfferPosted,
    OfferStands,
    Signed,
    Transaction,
)
from bot.rules.features.seats import SeatTaken
from bot.rules.model.debts import without_words
from bot.rules.model.goods import NOTHING, Change, Goods, kind_of
from bot.rules.model.parts import part
from bot.rules.model.table import Seat, Table
from bot.rules.model.windows import pair
from bot.testing import laws

MAKES_GOODS = (
    Gained,
    Spent,
    Corrected,
    Replenished,
    TradePlayed,
    TradeFollowed,
    CommoditiesGained,
    CommoditiesLost,
    GoodsCounted,
    GainedByEffect,
    PillageSettled,
    CardsDiscarded,
    Eliminated,
    CardTaken,
    CardPutBack,
    GoodsPutBack,
    NotePlayed,
    NoteClaimed,
    ClaimSettled,
)
"""The entries that may change how many trade goods and commodities there are, or any other
component but notes.

What a note may change, `Witness` says card by card.
"""

CHANGES_NOTES = (Eliminated, FactionChanged, NotesReprinted)
"""The entries after which there are other promissory notes. `sound` says which there must be."""

_NOTE = re.compile(r"note:\w+:\w+")


def matter(goods: Mapping[str, int]) -> Counter[str]:
    """Return goods with each commodity counted as the trade good on its other side (21.5)."""
    counted = Counter(goods)
    counted["trade_good"] += counted.pop("commodity", 0)
    return +counted


def notes(goods: Mapping[str, int]) -> dict[str, int]:
    """Return the promissory notes among these."""
    return {token: count for token, count in goods.items() if kind_of(token) == "note"}


def _comes_home(token: str, receiver: str) -> bool:
    return kind_of(token) == "captured" and captured_unit(token)[1] == receiver


PURGED, TERRAFORM = "note:black_ops:firmament", "note:terraform:titans"


def _brought(given: Mapping[str, int], receiver: str) -> Goods:
    """Return what the supply gives with these goods: 2 trade goods with Black Ops."""
    return Goods({"trade_good": 2} if PURGED in given and receiver != "firmament" else {})


def _goes(token: str, receiver: str) -> bool:
    return _comes_home(token, receiver) or (token == PURGED and receiver != "firmament")


Moved = dict[str, dict[str, int]]
"""What each seat gets (more than 0) and loses (less) of each component."""


class Owed(NamedTuple):
    """So much that is owed, or was paid (less than 0), with a transaction."""

    number: int
    debtor: str
    creditor: str
    amount: int
    transaction: int

    def renamed(self, before: str, now: str) -> Owed:
        debtor = now if self.debtor == before else self.debtor
        creditor = now if self.creditor == before else self.creditor
        return self._replace(debtor=debtor, creditor=creditor)


class Witness:
    """Its own books of one table."""

    def __init__(self) -> None:
        self.memory = laws.Memory()
        self.signed: set[tuple[int, str, int, int]] = set()
        self.traded: set[tuple[int, tuple[str, str]]] = set()
        self.transactions = 0
        self.stand: list[tuple[Transaction, dict[str, Goods]]] = []
        self.claimed: dict[int, Moved] = {}
        self.owed: list[Owed] = []

    def saw(self, before: Table, entry: Entry, after: Table) -> None:
        """One entry was applied."""
        assert after.seq == before.seq + 1
        if isinstance(entry, Signed | OfferStands):
            short = isinstance(entry, OfferStands) and entry.short
            if not short:
                self.signed.add((entry.offer, entry.seat, entry.revision, entry.window))
        if isinstance(entry, Transaction):
            self._transaction(before, entry, after)
        if isinstance(entry, TradeTakenBack):
            self._taken_back(before, entry, after)
        if isinstance(entry, NotePlayed | NoteClaimed | ClaimSettled):
            self.says(before, entry)
        self._debts(before, entry, after)
        _goods(before, entry, after)
        self.memory.saw(before, entry, after)

    def _debts(self, before: Table, entry: Entry, after: Table) -> None:
        """28.4: what is owed is what was said in offers, less what was paid and forgiven."""
        owed = self.owed
        if isinstance(entry, Transaction | OfferBecameDeal):
            offer = before.offers[entry.offer]
            done = entry.number if isinstance(entry, Transaction) else 0
            self._owes(entry.offer, entry.first, entry.second, offer.give, done)
            self._owes(entry.offer, entry.second, entry.first, offer.want, done)
        elif isinstance(entry, TradeTakenBack):
            self.owed = [debt for debt in owed if debt.transaction != entry.transaction]
        elif isinstance(entry, DebtSaid):
            said = entry.statement()
            if said is not None and said.word != "disputes":
                less = said.amount if said.word == "slipped" else -said.amount
                self.owed.append(Owed(said.debt, said.other, said.seat, less, 0))
        elif isinstance(entry, Eliminated):
            seat = entry.seat
            self.owed = [debt for debt in owed if seat not in (debt.debtor, debt.creditor)]
        elif isinstance(entry, FactionChanged):
            self.owed = [debt.renamed(entry.seat, entry.becomes) for debt in owed]
        left = Counter[tuple[int, str]]()
        for debt in self.owed:
            left[debt.number, debt.debtor] += debt.amount
        assert {(debt.number, debt.debtor): debt.left for debt in open_debts(after)} == +left

    def _owes(self, offer: int, giver: str, other: str, goods: Goods, trade: int) -> None:
        """A side of an offer was agreed: what its giver says they owe, and pay."""
        if count := goods.count("owed:trade_good"):
            self.owed.append(Owed(offer, giver, other, count, trade))
        most = goods.count("trade_good") + goods.count("commodity")
        for word, count in goods.of_kind("pays").items():
            number = int(word.split(":")[1])
            assert count <= most or not most, "21.5: each good pays one, or a debt does"
            left = 0
            for debt in self.owed:
                if debt.number == number and debt.debtor == giver:
                    left += debt.amount
            self.owed.append(Owed(number, giver, other, -min(count, left), trade))

    def says(self, before: Table, entry: NotePlayed | NoteClaimed | ClaimSettled) -> None:
        """A note does what its card says."""
        moved = _moved(entry)
        assert moved == self._by_note(before, entry), f"{entry.note} did not do what its card says"
        if isinstance(entry, NoteClaimed):
            self.claimed[entry.number] = moved

    def _by_note(self, before: Table, entry: NotePlayed | NoteClaimed | ClaimSettled) -> Moved:
        """Return what each seat gets and loses, beside notes, by what the note's card says."""
        note, owner = entry.note.split(":")[1:]
        holder, moved, held = entry.seat, _moved(entry), before.seats[owner].holdings
        match entry, note:
            case NotePlayed(), "trade_agreement":  # as much as the owner loses
                paid = moved.get(holder, {}).get("trade_good", 0)
                assert 0 <= paid <= held.count("trade_good") + held.count("commodity")
                return _some({holder: {"trade_good": paid}, owner: {"trade_good": -paid}})
            case NotePlayed(), "war_funding":
                return _some({owner: {"trade_good": -min(2, held.count("trade_good"))}})
            case NotePlayed(), "black_market_forgery":
                purged = moved.get(holder, {})
                assert sum(purged.values()) == -2, "two fragments are purged"
                assert len(set(purged) - {"fragment:unknown"}) <= 1, "they are of one kind"
                assert all(kind_of(token) == "fragment" for token in purged)
                return {holder: purged}
            case NoteClaimed(), "spy_net":
                paid = min(1, held.count("action_card"))
                return _some({holder: {"action_card": 1}, owner: {"action_card": -paid}})
            case NoteClaimed(), "keleres_rider":
                return {holder: {"action_card": 1, "trade_good": 2}}
            case ClaimSettled(stands=False), _ if before.tracked:
                back: Moved = {}
                claimed = self.claimed[entry.number]
                for seat in claimed.keys() - part(before, OutOfGame).seats:
                    hand, back[seat] = before.seats[seat].holdings, {}
                    for token, count in claimed[seat].items():
                        back[seat][token] = -min(count, hand.count(token))
                return _some(back)
        return {}

    def _taken_back(self, before: Table, entry: TradeTakenBack, after: Table) -> None:
        """Two have back what they gave in a trade of this window, and may trade anew. What either
        has traded since was taken back before.
        """
        numbers = [trade.number for trade, _ in self.stand]
        place = numbers.index(entry.transaction)
        done, holdings = self.stand.pop(place)
        two = {entry.first, entry.second}
        assert two == {done.first, done.second}
        for later, _ in self.stand[place:]:
            assert two.isdisjoint((later.first, later.second)), "a later trade stands"
        assert before.settings.options["take_back"] == "on", "94.4.1"
        assert (entry.transaction, entry.offer) == (done.number, done.offer)
        assert done.window == before.window.number, "a transaction of another turn was taken back"
        assert before.transactions == after.transactions
        self.traded.discard((done.window, pair(done.first, done.second)))
        assert (pair(done.first, done.second) in after.window.used) <= (not done.counts)
        for seat in (entry.first, entry.second) if before.tracked else ():
            moved = _all_of(before.seats[seat])
            now = _all_of(after.seats[seat])
            whole = moved + gave(done, seat)
            assert now + got(done, seat) == whole, "not all that was given came back"
            if moved == holdings[seat]:  # nothing else moved since
                assert now + got(done, seat) == holdings[seat] + gave(done, seat)

    def _transaction(self, before: Table, entry: Transaction, after: Table) -> None:
        self.transactions += 1
        has = {seat: _all_of(after.seats[seat]) for seat in (entry.first, entry.second)}
        self.stand.append((entry, has))
        offer, both = before.offers[entry.offer], pair(entry.first, entry.second)
        assert entry.first != entry.second
        assert entry.number == after.transactions == self.transactions
        assert offer.status == "open", "an offer resolved that was suspended"
        assert entry.offer not in after.offers
        assert entry.window == before.window.number
        for seat in both:
            signature = (entry.offer, seat, offer.revision, before.window.number)
            assert signature in self.signed, f"{seat} did not sign"
        lifted = "limit" in _lifted(_permits(before, set(both)))
        again = (entry.window, both) in self.traded
        assert not again or entry.overruled or lifted, "two transactions of a pair in one window"
        permits = part(before, InForce).permits
        used = [permit for permit in permits if permit.number in entry.permits]
        assert entry.counts != ("limit" in _lifted(used))
        if entry.counts:
            self.traded.add((entry.window, both))
        assert set(entry.changes) == set(both)
        assert gave(entry, offer.seat) == without_words(offer.give)
        assert gave(entry, entry.second) == without_words(offer.want)
        for seat, other in (both, both[::-1]):
            given, received = gave(entry, seat), got(entry, other)
            # At its owner a captured unit goes back to the supply, and Black Ops is purged where
            # another receives it.
            kept = Goods({token: given[token] for token in given if not _goes(token, other)})
            assert matter(kept + _brought(given, other)) == matter(received)
            assert "commodity" not in received, "21.5: a received commodity is a trade good"
        if not entry.overruled:
            _legal(before, entry)


def _all_of(seat: Seat) -> Goods:
    """Return what a seat has, in hand and in play."""
    return seat.holdings + seat.in_play


def _some(moved: Mapping[str, Mapping[str, int]]) -> Moved:
    """Return these without zeros."""
    counts: Moved = {}
    for seat, goods in moved.items():
        for token, count in goods.items():
            if count:
                counts.setdefault(seat, {})[token] = count
    return counts


def _moved(entry: GoodsMoved) -> Moved:
    """Return what each seat got and lost beside notes; commodities count as trade goods."""
    moved: Moved = {}
    for changes in (entry.changes, entry.hidden or {}):
        for seat, change in changes.items():
            came, went = change.gained + change.entered_play, change.lost + change.left_play
            goods = matter(came.without_kind("note"))
            goods.subtract(matter(went.without_kind("note")))
            moved[seat] = {**moved.get(seat, {}), **goods}
    return _some(moved)


def gave(entry: Transaction, seat: str) -> Goods:
    """Return all that a seat gave, in the open and in secret."""
    return sum((change.lost for change in _of_seat(entry, seat)), Goods())


def got(entry: Transaction, seat: str) -> Goods:
    """Return all that a seat received, in hand and in play."""
    changes = _of_seat(entry, seat)
    return sum((change.gained + change.entered_play for change in changes), Goods())


def _of_seat(entry: GoodsMoved, seat: str) -> list[Change]:
    """Return what an entry changes for a seat, in the open and in secret."""
    sides = (entry.changes, entry.hidden or {})
    return [changes[seat] for changes in sides if seat in changes]


def _legal(table: Table, entry: Transaction) -> None:
    """Rule 94 told another way than `bot.games.ti4.transactions` does."""
    both = {entry.first, entry.second}
    lifted = _lifted(_permits(table, both))
    agenda = table.window.kind == "agenda"
    in_play = table.seats[entry.first].in_play + table.seats[entry.second].in_play
    convoys = any(token.startswith("note:trade_convoys") for token in in_play)
    neighbors = are_neighbors(table, entry.first, entry.second)
    met = neighbors or in_combat(table, entry.first, entry.second)
    combat = part(table, Combat)
    active = {table.window.holder, combat.acting if combat.may_trade else None} - {None}
    assert agenda or active & both or "window" in lifted, "94.1"
    assert agenda or met or convoys or "hacan" in both or "neighbors" in lifted, "94.1"
    assert gave(entry, entry.first) or gave(entry, entry.second), "94.4"
    for seat in both:
        goods = gave(entry, seat)
        if "notes" not in lifted:
            assert goods.of_kind("note").total() <= 1, "94.2: one note, whatever else is lifted"
        if table.tracked and "action_card" in goods:
            most = int(table.settings.options["hand_limit"])
            assert table.seats[seat].holdings.count("action_card") <= most, "2.4"
        (other,) = both - {seat}
        for token in goods.without_kind("trade_good", "commodity", "note", "fragment"):
            if any(_allows(permit, token) for permit in _permits(table, both)):
                continue
            cards = kind_of(token) == "action_card" and "hacan" in both
            kenara = token == "planet:Arretze" and seat == "hacan"
            assert cards or kenara or token == f"captured:cruiser:{other}", "94.3"


def _permits(table: Table, both: set[str]) -> list[Permit]:
    """Return the permits that these two may use: theirs, and those for everybody."""
    return [permit for permit in part(table, InForce).permits if both.issuperset(permit.seats)]


def _lifted(permits: Iterable[Permit]) -> set[str]:
    """Return what these permits lift."""
    return set(chain.from_iterable(permit.lifts for permit in permits))


def _allows(permit: Permit, token: str) -> bool:
    if permit.card == "black_market_dealings":
        dealt_in = kind_of(token) in ("relic", "action_card", "secret_objective")
        return "goods" in permit.lifts and dealt_in
    return "goods" in permit.lifts


def _goods(before: Table, entry: Entry, after: Table) -> None:
    """Goods move as the entry says and in no other way."""
    if not isinstance(entry, GoodsMoved | SeatTaken):
        for id, seat in before.seats.items():
            assert _same(seat, after.seats[id]), f"{entry.kind} moved goods"
        return
    was, now = laws.there(before), laws.there(after)
    expected = Counter(was)
    if isinstance(entry, SeatTaken) and entry.seat not in before.seats:
        expected.update(entry.start)
    elif isinstance(entry, GoodsMoved) and (before.tracked or entry.always):
        for changes in (entry.changes, entry.hidden or {}):
            for change in changes.values():
                expected.subtract(change.lost + change.left_play)
                expected.update(change.gained + change.entered_play)
        if not isinstance(entry, MAKES_GOODS):
            lasting = _lasting(was) + Counter(_made(entry))
            assert _lasting(now) == lasting, f"{entry.kind} made or lost goods"
        if not isinstance(entry, CHANGES_NOTES):
            unpurged = _unpurged(entry, notes(was))
            assert notes(now) == unpurged, f"{entry.kind} made or lost a promissory note"
        others = set(before.seats) - {*entry.changes, *(entry.hidden or {})}
        assert all(after.seats[seat].holdings == before.seats[seat].holdings for seat in others)
    assert now == +expected, f"{entry.kind} moved other goods than it says"
    assert all(count == 1 for count in notes(now).values()), "a promissory note exists twice"


def _lasting(goods: Mapping[str, int]) -> Counter[str]:
    """Return what no trade and no note makes or unmakes: all but notes and captured units."""
    return matter(Goods(goods).without_kind("captured", "note"))


def _given(entry: NoteGiven) -> Goods:
    """Return the note that an effect moves, from a hand or from the play area."""
    changes = _of_seat(entry, entry.seat)
    return sum((change.lost + change.left_play for change in changes), NOTHING)


def _made(entry: Entry) -> Goods:
    """Return what a trade or an effect brings from the supply."""
    if isinstance(entry, NoteGiven):
        return _brought(_given(entry), entry.to)
    if isinstance(entry, Transaction):
        to_second = _brought(gave(entry, entry.first), entry.second)
        return to_second + _brought(gave(entry, entry.second), entry.first)
    return NOTHING


def _unpurged(entry: Entry, there: dict[str, int]) -> dict[str, int]:
    """Return the notes that are left of these: Black Ops is purged as another receives it.

    Purged by mistake, it can come back by a correction.
    """
    left = dict(there)
    if isinstance(entry, Corrected):
        for change in (entry.hidden or {}).values():
            if PURGED in change.gained:
                left[PURGED] = 1
    moves: list[tuple[Goods, str]] = []
    if isinstance(entry, NoteGiven):
        moves = [(_given(entry), entry.to)]
    if isinstance(entry, Transaction):
        moves.append((gave(entry, entry.first), entry.second))
        moves.append((gave(entry, entry.second), entry.first))
    for goods, receiver in moves:
        for token in goods.of_kind("note"):
            if _goes(token, receiver):
                left.pop(token, None)
    return left


def _same(seat: Seat, then: Seat) -> bool:
    return seat is then or (seat.holdings == then.holdings and seat.in_play == then.in_play)


def sound(table: Table) -> None:
    """Invariants of a table between commands: each promissory note is there exactly once."""
    laws.sound(table)
    eliminated = part(table, OutOfGame).seats
    out = eliminated | set(table.became)
    expected: Counter[str] = Counter()
    for seat in set(table.seats) - out:
        expected.update(GAME.seats.start(seat, table.settings))
    if "titans" in out and any(TERRAFORM in seat.in_play for seat in table.seats.values()):
        expected[TERRAFORM] += 1  # 33.10.4
    there = notes(laws.there(table))
    assert there.items() <= notes(expected).items(), "a promissory note is twice there, or foreign"
    assert set(expected) - set(there) <= {PURGED}, "a promissory note is lost"
    sets = [token for token in there if "ceasefire" in token]
    assert len(sets) == len(set(table.seats) - out), "a colour has not one set"
    for id in out:
        assert table.seats[id].person is None
        assert not _all_of(table.seats[id]), "something is left on an empty seat"
    near = set(chain.from_iterable(part(table, Map).neighbors))
    for question in part(table, Questions).waiting:
        near |= {question.seat, question.other}
    assert not eliminated & near
    assert table.window.holder not in eliminated
    named: set[str | None] = {*near, table.window.holder}
    named.update(*part(table, Combat).pairs, *table.window.used)
    play = part(table, Round)
    named.update(play.order, play.passed)
    if play.last:
        named.add(play.last.seat)
    taken = part(table, GameRound).taken
    assert len({each.card for each in taken}) == len(taken), "a strategy card is twice there"
    holders = {each.seat for each in taken}
    assert not eliminated & holders  # 33.6
    named |= holders
    assert not set(table.became) & named


def seals(table: Table, entry: Entry) -> None:
    """Beside `laws.seals`: what is public names no sealed note, and nothing offered in private."""
    laws.seals(table, entry)
    public, sealed = split(entry)
    if isinstance(entry, OfferPosted) and entry.negotiation is not None:
        for field in ("give", "want", "terms"):
            assert not public[field], "what is offered in private is told"
    if isinstance(entry, OfferPosted | OfferAltered) and entry.to is None:
        return
    text = json.dumps(public)
    secret_notes = set(_NOTE.findall(json.dumps(sealed)))
    if isinstance(entry, Corrected):
        for change in entry.changes.values():  # in play, for all to see
            secret_notes -= set(change.left_play + change.entered_play)
    else:
        secret_notes = {note for note in secret_notes if not seen_by_all(note)}
    for note in secret_notes:
        assert note not in text, f"{note} is told"
