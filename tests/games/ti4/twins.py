"""Pairs of tables of Twilight Imperium 4 that differ in what one viewer may not know.

That is: which promissory notes lie in other hands and are given in trades of others, what others
offer one another in private negotiations, what these are about, and deals made in private.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

from bot.games.ti4.components import note_named, open_goods, public, secret
from bot.games.ti4.departures import ChangeFaction, Eliminated
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.note_gifts import GiveNote
from bot.games.ti4.note_shows import LookAtNotes, ShowNotes
from bot.games.ti4.notes import NotePlayed, PlayNote, ReturnNote
from bot.games.ti4.requests import Replenish
from bot.games.ti4.turns import StartTurn
from bot.rules.commands import Caller, Command
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.holdings import Corrected, Gain, SetHoldings
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.debts import DisputeDebt, ForgiveDebt, UnforgiveDebt, open_debts
from bot.rules.features.offers.posting import (
    AlterOffer,
    CounterOffer,
    PauseOffer,
    PostOffer,
    RepeatOffer,
    SameOffer,
)
from bot.rules.features.offers.signing import (
    Agree,
    Declare,
    EndOffer,
    HaveThem,
    OfferCommand,
    PickTaker,
    Sign,
)
from bot.rules.features.offers.state import only_says
from bot.rules.features.seats import Sit
from bot.rules.features.tables import CloseTable, OpenTable, SetPhase
from bot.rules.model.debts import owed, without_private, without_words
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Offer
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of
from bot.testing.makers import likely
from bot.testing.twins import (
    HOST,
    LOOKS_ON,
    MODERATOR,
    ROOM,
    Pair,
    PairMoves,
    Who,
)
from bot.testing.world import Ask, Decision
from tests.games.pairs import looks_first, of_deal, other_words, own
from tests.games.ti4.machine import DEALT, MACHINE, SEATS, goods_of, held_goods

USUAL = (
    PostOffer,
    PostOffer,
    Sign,
    Sign,
    OpenNegotiation,
    StartTurn,
    JoinNeighbors,
    ProposeDeal,
    SetHoldings,
    GiveNote,
    Replenish,
)
"""What comes more often than at other random tables."""

ANY_OFFER = (EndOffer, PauseOffer, AlterOffer, CounterOffer)
"""What can be done about an offer whose open goods differ: it does not make them public."""


def begun(who: Who, dice: Random, *, swaps: bool, open_on_close: str = "yes") -> Pair:
    """Return two tables with turns under way, where one hand holds another note.

    ``swaps``: two notes of one owner have changed places, and stay so; else notes differ as it
    comes.
    """
    pair, many = Pair(who, dice), dice.randint(3, 5)
    host = LOOKS_ON if who == "host who looks on" else HOST
    assert _both(pair, host, OpenTable("ti4", "Friday", open_on_close))  # type: ignore[arg-type]
    looks_first(pair, PLAY)
    seats = dice.sample(SEATS, many)
    for person, seat in enumerate(seats, start=1):
        assert _both(pair, host, Sit(seat, person))
        assert _both(pair, host, SetHoldings(seat, DEALT))
    for first, second in pairwise(seats):
        assert _both(pair, host, JoinNeighbors(first, second))
    assert _both(pair, host, StartTurn(seats[0]))
    if who != "moderator":
        _differ(pair, [seat for seat in seats if seat != pair.seat], swaps=swaps)
    if who == "room":
        assert _both(pair, HOST, OpenNegotiation(seats[1], "peace"))
    elif pair.seat is None or likely(dice, 50):
        one, other = dice.sample([seat for seat in seats if seat != pair.seat], 2)
        assert _both(pair, pair.one.table.seats[one].person or HOST, OpenNegotiation(other))
    return pair


def _both(pair: Pair, person: int, command: Command) -> bool:
    return pair.both(PLAY, Ask(command, Caller(person)))


def _differ(pair: Pair, seats: list[str], *, swaps: bool) -> None:
    """A moderator puts a note into another's hand; in the other world, another of its owner's."""
    owner, holder = pair.dice.sample(seats, 2)
    notes = sorted(secret(pair.one.table.seats[owner].holdings))
    one, other = pair.dice.sample(notes, 2)
    here = SetHoldings(holder, DEALT + Goods({one: 1}))
    there = SetHoldings(holder, DEALT + Goods({other: 1}))
    moderator = Caller(MODERATOR, moderator=True)
    assert pair.both(PLAY, Ask(here, moderator), Ask(there, moderator))
    pair.swapped = (one, other) if swaps else None


# ---------------------------------------------------------------- what is done in the other world


def made(pair: Pair) -> Ask:
    """Return a random command, mostly of those that have secrets."""
    table, dice = pair.one.table, pair.dice
    if likely(dice, 25) and (traded := _trade_of_a_secret(pair)) is not None:
        return traded
    if pair.seat and likely(dice, 35):
        return _trade_of_mine(pair, pair.seat)
    ahead = [offer for offer in table.open_offers() if offer.private and offer.stands]
    if ahead and likely(dice, 40):
        return Ask(StartTurn(dice.choice(ahead).seat), Caller(table.host))
    if likely(dice, 50):
        ask = MACHINE.of(dice.choice(USUAL), table, dice)
    else:
        ask = MACHINE.any(table, dice)
    command = ask.command
    if isinstance(command, PostOffer) and command.negotiation is None and likely(dice, 30):
        ask = ask.with_fields(give=_a_note(table, ask.person, dice))
    if isinstance(command, PostOffer) and pair.seat and likely(dice, 15):
        ask = ask.with_fields(to=pair.seat, negotiation=None)
    talks = [number for number, each in table.negotiations.items() if each.open]
    if isinstance(command, PostOffer) and talks and likely(dice, 30):
        ask = _ahead_in_private(table, dice.choice(talks), command, dice)
    in_room = pair.who == "room" and ROOM in table.negotiations
    if isinstance(command, PostOffer) and in_room and likely(dice, 40):
        ask = _in_the_room(pair, command.want)
    if isinstance(command, SetHoldings):
        ask = Ask(ask.command, Caller(MODERATOR, moderator=True))
    return ask


def _ahead_in_private(table: Table, number: int, offer: PostOffer, dice: Random) -> Ask:
    """Return this offer, made in a negotiation, to stand for its poster's turn."""
    talks = table.negotiations[number]
    person = table.seats[dice.choice([talks.seat, talks.other])].person or HOST
    ahead = replace(offer, to=None, negotiation=number, stands=True)
    return Ask(ahead, Caller(person))


def _signs(table: Table, offer: Offer) -> Ask:
    """Return the acceptance of an offer by the player whom it is to."""
    signer = table.seats[offer.to or ""].person or HOST
    return Ask(Sign(offer.number), Caller(signer))


def _in_the_room(pair: Pair, want: Goods) -> Ask:
    """Return an offer by one of the two who negotiate."""
    table, dice = pair.one.table, pair.dice
    talks = table.negotiations[ROOM]
    person = table.seats[dice.choice([talks.seat, talks.other])].person or HOST
    give = goods_of(table, pair.one.seat(person), dice)
    give = _each_once(give + _a_note(table, person, dice))
    words = dice.choice(["", "words"])
    offer = PostOffer(give=give, want=want, terms=words, negotiation=ROOM)
    return Ask(offer, Caller(person))


def _trade_of_a_secret(pair: Pair) -> Ask | None:
    """Return the next step of a trade of a hidden note: its turn, its offer, its acceptance."""
    table, dice = pair.one.table, pair.dice
    addressed = [offer for offer in table.open_offers() if offer.to]
    waiting = [offer for offer in addressed if secret(offer.give + offer.want)]
    if waiting and likely(dice, 60):
        return _signs(table, dice.choice(waiting))
    if pair.swapped:
        note = pair.swapped[0]
    else:
        somebody = table.seats[dice.choice(table.seated())].person or 0
        note = next(iter(_a_note(table, somebody, dice)), "")
    holders = [seat for seat in table.seats.values() if note in seat.holdings and seat.person]
    if not holders:
        return None
    holder = holders[0]
    if table.window.holder != holder.id:
        return Ask(StartTurn(holder.id), Caller(table.host))
    others = [seat for seat in table.seated() if seat != holder.id] or [holder.id]
    offer = PostOffer(to=dice.choice(others), give=Goods({note: 1}))
    return Ask(offer, Caller(holder.person or 0))


def _trade_of_mine(pair: Pair, mine: str) -> Ask:
    """Return the next step of a trade of the viewer's: an acceptance, a turn, or an offer."""
    table, dice = pair.one.table, pair.dice
    accepted = []
    for offer in table.open_offers():
        if offer.to and pair.mine(offer.seat, offer.to):
            accepted.append(_signs(table, offer))
            accepted.append(Ask(Sign(offer.number), Caller(table.seats[offer.seat].person or HOST)))
    possible = [ask for ask in accepted if not isinstance(pair.one.answer(ask), Refused)]
    if possible or (accepted and likely(dice, 20)):
        return possible[-1] if possible else dice.choice(accepted)
    if table.window.holder != mine:
        return Ask(StartTurn(mine), Caller(table.host))
    others = [seat for seat in table.seated() if seat != mine]
    parties = [mine, dice.choice(others or [mine])]
    dice.shuffle(parties)
    poster, other = parties
    given = open_goods(held_goods(table, poster, dice)) or Goods({"trade_good": 1})
    offer = PostOffer(to=other, give=given)
    return Ask(offer, Caller(table.seats[poster].person or 0))


def _each_once(goods: Goods) -> Goods:
    """Return goods with no promissory note twice."""
    return goods.without_kind("note") + Goods(dict.fromkeys(goods.of_kind("note"), 1))


def _a_note(table: Table, person: int, dice: Random) -> Goods:
    seat = table.seat_of(person)
    notes = sorted(secret(seat.holdings)) if seat else []
    return Goods({dice.choice(notes): 1}) if notes else NOTHING


def steps(pair: Pair, asked: Ask) -> bool:
    """Do a command in the one world, and in the other what it is when all that the viewer may not
    know differs.
    """
    if isinstance(asked.command, CloseTable) or _makes_public(pair, asked):
        return False
    instead = _instead(pair, asked)
    seen = [
        _seen(world.answer(ask), pair.seat)
        for world, ask in zip(pair.worlds, (asked, instead), strict=True)
    ]
    done = seen[0] == seen[1] and pair.both(PLAY, asked, instead)
    if done and pair.swapped and isinstance(asked.command, ChangeFaction):
        pair.swapped = tuple(note.replace(":firmament", ":obsidian") for note in pair.swapped)  # type: ignore[assignment]
    return done


def _seen(answer: Decision, me: str | None) -> list[object]:
    """Return how many notes a correction or an elimination moves, for each hand: everybody may
    count them. And notes that are played, or that come home to this seat by rule 33.4.
    """
    seen: list[object] = []
    for entry in () if isinstance(answer, Refused) else answer:
        if isinstance(entry, NotePlayed):
            seen.append(entry)
        elif isinstance(entry, Corrected | Eliminated):
            hidden = (entry.hidden or {}).items()
            seen.append(
                (entry.hidden or {}).get(me or "") if isinstance(entry, Eliminated) else None
            )
            seen += sorted(
                (seat, each.gained.total(), each.lost.total(), repr(each.left_play))
                for seat, each in hidden
            )
    return seen


def _makes_public(pair: Pair, asked: Ask) -> bool:
    """Return whether this would make public what was different: open goods of a private offer, or a
    hidden note.
    """
    command = asked.command
    if isinstance(command, PlayNote | ReturnNote):
        return secret(Goods({command.note: 1})) != NOTHING and command.note in (
            pair.swapped or (command.note,)
        )
    if isinstance(command, GiveNote) and note_named(command.note).passes_on:
        return True  # whoever passes it on by its own text shows it
    if isinstance(command, ShowNotes | LookAtNotes):
        asks = own(pair.one.table, asked.caller)
        shown, sees = command.seat if isinstance(command, LookAtNotes) else asks, asks
        if isinstance(command, ShowNotes):
            sees = command.to
        if shown is None or not pair.mine(sees):
            return False
        return len({*map(repr, _notes_of(pair, shown))}) > 1
    if isinstance(command, RepeatOffer):
        return _differ_in_public(*_recalled(pair, command))
    if not isinstance(command, OfferCommand) or isinstance(command, ANY_OFFER):
        return False
    one, other = (world.table.offers.get(command.offer) for world in pair.worlds)
    return _differ_in_public(one, other)


def _recalled(pair: Pair, command: OfferCommand) -> list[Offer | None]:
    """Return the offer that a command is about in each world, also when it has ended."""
    subjects, number = command.subjects(), command.offer
    return [world.recall(subjects).offers.get(number) for world in pair.worlds]


def _differ_in_public(one: Offer | None, other: Offer | None) -> bool:
    return one is not None and other is not None and _open(one) != _open(other)


def _open(offer: Offer) -> object:
    """Return what becomes public of an offer when it resolves."""
    sides = (offer.give, offer.want)
    # of what is owed and paid in private, others learn at most that nothing else moves
    if offer.private:
        sides, moves = tuple(map(without_words, sides)), not only_says(offer)
        return *map(redacted, sides), moves, bool(offer.terms), bool(offer.terms_now)
    return *map(redacted, map(without_private, sides)), bool(offer.terms), bool(offer.terms_now)


def redacted(goods: Goods) -> Goods:
    hidden = secret(goods)
    shown = hidden.missing(goods)
    return shown + Goods({"note": hidden.total()}) if hidden else shown


def _instead(pair: Pair, asked: Ask) -> Ask:
    if pair.is_me(asked) or pair.who == "moderator":
        return asked
    table, command, dice = pair.one.table, asked.command, pair.dice
    mine = own(table, asked.caller)
    match command:
        case PostOffer(negotiation=number) if number in table.negotiations:
            talks = table.negotiations[number or 0]
            return (
                asked
                if pair.mine(talks.seat, talks.other)
                else _private(pair, asked, pair.room_of(number))
            )
        case PostOffer(to=to) if to is not None and not pair.mine(to, mine):
            return _other_notes(pair, asked)
        case CounterOffer(offer=number) | AlterOffer(offer=number) if number in table.offers:
            offer = table.offers[number]
            if pair.mine(offer.seat, offer.to, mine) or (
                offer.to is None and isinstance(command, AlterOffer)
            ):
                return asked
            if offer.private:
                return _private(pair, asked, pair.room_of(offer.negotiation))
            return _other_notes(pair, asked)
        case OpenNegotiation(other=other, topic=topic) if (
            not pair.mine(other) and 0 < len(topic) <= 60
        ):
            return (
                asked
                if pair.room_of(table.negotiations_opened + 1)
                else asked.with_fields(topic=str(dice.random()))
            )
        case DisputeDebt(reason=reason) if 0 < len(reason) <= 300 and _secret_debt(pair, asked):
            return asked.with_fields(reason=str(dice.random()))
        case ProposeDeal() | AnswerDeal() | MarkDeal():
            return of_deal(pair, asked) or asked
        case SetHoldings(seat=seat) if not pair.mine(seat):
            return _other_notes(pair, asked)
        case ShowNotes(note=str(note), to=to) if not pair.mine(mine, to):
            return asked.with_fields(note=_another_note(pair, asked.person, note))
        case GiveNote(note=note, to=to) if not pair.mine(mine, to) and secret(Goods({note: 1})):
            return asked.with_fields(note=_another_note(pair, asked.person, note))
    return asked


def _secret_debt(pair: Pair, asked: Ask) -> bool:
    number = asked.command.debt  # type: ignore[attr-defined]
    for debt in open_debts(pair.one.table):
        if debt.number == number:
            return debt.private and not pair.mine(debt.debtor, debt.creditor)
    return False


def _private(pair: Pair, asked: Ask, shared: bool) -> Ask:
    """Return the same with other notes and, where the words are not heard, with other goods and
    words too.
    """
    if shared:
        return _other_notes(pair, asked)
    asked = _owing_other(pair, asked)
    terms = getattr(asked.command, "terms", "") or ""
    now = getattr(asked.command, "terms_now", "") or ""
    words = other_words(terms, pair.dice, may_be_none=False) if terms else terms
    words_now = other_words(now, pair.dice, may_be_none=False) if now else now
    if likely(pair.dice, 40):
        return _other_notes(pair, asked.with_fields(terms=words, terms_now=words_now))
    seat = own(pair.other.table, asked.caller)
    give = goods_of(pair.other.table, seat, pair.dice)
    want = goods_of(pair.other.table, seat, pair.dice)
    if likely(pair.dice, 60):  # more than is there
        give += Goods({"trade_good": pair.dice.randint(1, 9)})
    words, words_now = other_words(terms, pair.dice), other_words(now, pair.dice)
    card = asked.command.terms_card and likely(pair.dice, 50)  # type: ignore[attr-defined]
    asked = asked.with_fields(give=give, want=want)
    return asked.with_fields(terms=words, terms_now=words_now, terms_card=card)


def _owing_other(pair: Pair, asked: Ask) -> Ask:
    """Return the same with other amounts where goods are owed."""
    owes, changed = owed("trade_good"), {}
    for name in ("give", "want"):
        goods = getattr(asked.command, name, None) or Goods()
        if owes in goods:
            amount = pair.dice.randint(1, 4)
            changed[name] = goods.without_kind("owed") + Goods({owes: amount})
    return asked.with_fields(**changed) if changed else asked


def _other_notes(pair: Pair, asked: Ask) -> Ask:
    """Return the same with the two notes in each other's place; or, where worlds differ as it
    comes, any others.
    """
    swapped = {
        name: _turned(pair, goods)
        for name in ("give", "want", "goods")
        if isinstance(goods := getattr(asked.command, name, None), Goods)
    }
    return asked.with_fields(**swapped)


def _another_note(pair: Pair, person: int, note: str) -> str:
    """Return which hidden note this person gives in the other world, where they give this one
    here.
    """
    if pair.swapped:
        one, other = pair.swapped
        return {one: other, other: one}.get(note, note)
    seat = pair.other.table.seat_of(person)
    notes: list[str] = sorted(secret(seat.holdings)) if seat else []
    return pair.dice.choice(notes or [note])


def _turned(pair: Pair, goods: Goods) -> Goods:
    if pair.swapped:
        one, other = pair.swapped
        to = {one: other, other: one}
        return Goods({to.get(token, token): count for token, count in goods.items()})
    hidden = secret(goods)
    table, there = pair.one.table, set[str]()
    for seat in table.seats:
        there.update(game_of(table).seats.start(seat))
    others = sorted(token for token in there if not public(token))
    chosen = pair.dice.sample(others, min(hidden.total(), len(others)))
    return hidden.missing(goods) + Goods(dict.fromkeys(chosen, 1))


# ---------------------------------------------------------------- hands, refusals


def evens(pair: Pair, seat: str) -> bool:
    """A moderator takes out of both hands of a seat what the other has not, and puts it into
    another hand.
    """
    one, other = _notes_of(pair, seat)
    holders = [each for each in pair.one.table.seated() if each != seat]
    if one == other or not holders:
        return one == other
    holder = pair.dice.choice(holders)
    lies_open = open_goods(pair.one.table.seats[holder].holdings)
    asks = [
        Ask(SetHoldings(holder, lies_open + goods), Caller(MODERATOR, moderator=True))
        for goods in (other.missing(one), one.missing(other))
    ]
    pair.both(PLAY, *asks)
    one, other = _notes_of(pair, seat)
    return one == other


def _notes_of(pair: Pair, seat: str) -> list[Goods]:
    return [world.table.seats[seat].holdings.of_kind("note") for world in pair.worlds]


def rests_on_secrets(pair: Pair, asked: Ask, answers: list[Decision]) -> bool:
    """Return whether this may be refused in one world only: for a hidden note, or a word said in
    private.
    """
    command = asked.command
    if isinstance(
        command,
        PlayNote
        | ReturnNote
        | GiveNote
        | ShowNotes
        | SetHoldings
        | PostOffer
        | CounterOffer
        | AlterOffer
        | MarkDeal
        | ForgiveDebt
        | UnforgiveDebt
        | DisputeDebt,
    ):
        return True
    return tells(pair, asked)


def tells(pair: Pair, asked: Ask) -> bool:
    """94.2: who agrees to what the other has agreed to learns whether a hidden note is there."""
    command = asked.command
    if isinstance(command, Sign | Agree | HaveThem | PickTaker):
        for offer in filter(None, _recalled(pair, command)):
            if (offer.give + offer.want).of_kind("note", "pays"):
                return True
    return False


def probes(pair: Pair) -> list[Ask]:
    """Return what the viewer could try: everything on every offer, and on everybody."""
    return [Ask(command, pair.caller) for command in _probes(pair)] if pair.me else []


def _probes(pair: Pair) -> Iterator[Command]:
    table, dice, one = pair.one.table, pair.dice, Goods({"trade_good": 1})
    start, notes = game_of(table).seats.start, list[str]()
    for seat in table.seats:
        notes += start(seat).of_kind("note")
    notes.sort()
    for number in range(max(1, table.offers_posted - 8), table.offers_posted + 1):
        if pair.who == "overheard" and number in table.offers and table.offers[number].private:
            continue  # in the other world it may say other things to the very one who is overheard
        revision = table.offers[number].revision if number in table.offers else 1
        yield Sign(number, revision)
        yield Sign(number, revision + 1)
        yield Agree(number, revision)
        yield EndOffer(number, dice.choice(["withdraw", "decline", "back_out"]))
        yield PauseOffer(number, paused=likely(dice, 50))
        yield PickTaker(number, revision, dice.choice(list(table.seats)))
        yield CounterOffer(number, one, one)
        yield AlterOffer(number, revision, one, one)
        yield RepeatOffer(number)
        yield SameOffer(number, revision)
        yield Declare(number)
        yield HaveThem(number, 1)
    for seat in table.seated():
        yield PostOffer(seat, one)
        yield SetHoldings(seat, one)
        two = dice.sample(notes, min(2, len(notes)))
        yield SetHoldings(seat, one + Goods.of(two))
        yield SetHoldings(seat, Goods(dict.fromkeys(notes, 1)))
        yield OpenNegotiation(seat)
    yield Gain(one)
    yield SetPhase(dice.choice(["strategy", "agenda"]))


PLAY = PairMoves(
    made=made,
    steps=steps,
    evens=evens,
    probes=probes,
    rests_on_secrets=rests_on_secrets,
    tells=tells,
)
