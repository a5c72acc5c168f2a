"""Invariants of every table, after every command. Those of one game are in its ``witness.py``."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain

from bot.api.chance import Seed, seed_of
from bot.rules import snapshots
from bot.rules.apply import apply, replay
from bot.rules.engine import decide
from bot.rules.entries import Entry, Recorded, Reference, reference, sealed_fields, split
from bot.rules.features.negotiations import NegotiationClosed
from bot.rules.features.offers.entries import OfferEntry
from bot.rules.features.offers.state import live_offer
from bot.rules.features.seats import SeatTaken
from bot.rules.model.deals import Deal, Negotiation
from bot.rules.model.goods import NOTHING
from bot.rules.model.offer import LIVE, Offer
from bot.rules.model.parts import name_of, with_part
from bot.rules.model.people import Parties, Tenure
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.recall import recalled, with_ended
from bot.rules.registry import game_of
from bot.rules.views import Viewer
from bot.rules.visible_entry import redact
from bot.rules.vocabulary import read_entry
from bot.testing.world import Ask, Decision, World

SENTENCE_MAX = 1000
"""A refusal must fit into a Discord message of 2000 characters with everybody's names in it."""

_MARK = re.compile(r"<=?(seat|person|name|faction|player|[Tt]hey|them|[Tt]heir|and):([^>]*)>")


def there(table: Table) -> Counter[str]:
    """Return every component at the table, in hand or in play."""
    every: Counter[str] = Counter()
    for seat in table.seats.values():
        every.update(seat.holdings)
        every.update(seat.in_play)
    return every


# ---------------------------------------------------------------- a table between commands


def sound(table: Table) -> None:
    """Check the invariants of a table between commands."""
    sitting = [seat.person for seat in table.seats.values() if seat.person is not None]
    assert len(sitting) == len(set(sitting)), "somebody sits twice"
    for count in there(table).values():
        assert type(count) is int
        assert count > 0
    _nothing_over(table)
    assert table.open or not (table.offers or table.negotiations)
    _between_those_who_sit(table)
    _one_of_a_chain(table)
    assert not table.looked & set(sitting), "somebody who has looked at what is hidden plays"
    going_on = {each.seat: each.person for each in table.tenures if each.until is None}
    assert going_on == {seat: table.seats[seat].person for seat in table.seated()}


def _between_those_who_sit(table: Table) -> None:
    """Offers, deals and negotiations are between people who sit now."""
    for offer in table.offers.values():
        _sit_now(table, offer.parties, offer.seat, offer.to)
    for deal in table.deals.values():
        _sit_now(table, deal.parties, deal.seat, deal.to)
    for talks in table.negotiations.values():
        _sit_now(table, talks.parties, talks.seat, talks.other)


def _sit_now(table: Table, parties: Parties, *seats: str | None) -> None:
    people = {seat: table.seats[seat].person for seat in seats if seat}
    assert None not in people.values()
    assert parties.people == people


def _one_of_a_chain(table: Table) -> None:
    """Each countered offer has one live counter, between the same two seats."""
    countered = [offer for offer in table.offers.values() if offer.status == "countered"]
    for offer in countered:
        answer = table.offers[offer.answer or 0]
        assert not offer.to_all, "an offer to all stays open beside its counters"
        assert {answer.seat, answer.to} == {offer.seat, offer.to}
        assert answer.number > offer.number
        try:
            live_offer(table, offer.number)
        except Refused as refused:
            assert f"offer {answer.number} stands in its place" in str(refused)  # noqa: PT017
        else:
            raise AssertionError("a countered offer is live")
    places = [offer.answer for offer in countered]
    assert len(places) == len(set(places)), "two offers are countered by one"
    for offer in table.offers.values():
        first = table.offers.get(offer.parent or 0)
        assert first is None or first.to_all or first.status == "countered", (
            "a chain has two that stand"
        )


def _nothing_over(table: Table) -> None:
    """The table holds only live offers, deals and negotiations, each under its number."""
    assert all(offer.status in LIVE for offer in table.offers.values())
    assert all(deal.status == "proposed" for deal in table.deals.values())
    assert all(talks.open for talks in table.negotiations.values())
    _numbered(table.offers, table.offers_posted)
    _numbered(table.deals, table.deals_proposed)
    _numbered(table.negotiations, table.negotiations_opened)


def _numbered(kept: Mapping[int, Offer | Deal | Negotiation], count: int) -> None:
    for number, proposal in kept.items():
        assert 0 < number <= count
        assert proposal.number == number


def pictured(table: Table) -> None:
    """The board's picture can be drawn, twice alike: it shows public state only."""
    game = game_of(table)
    if game.draw is not None and game.commands.board(table).pictured:
        public = game.public(table)
        nameless = "what `public` returns has no repr that says what is in it"
        assert " at 0x" not in repr(public), nameless
        again = game.draw(game.public(table))
        assert game.draw(public) == again, "the picture is another one the next time"


# ---------------------------------------------------------------- deciding and applying


def pure(world: World, ask: Ask) -> None:
    """Deciding and applying change neither the table nor the command, and do the same again."""
    table = world.recall(ask.command.subjects())
    was, asked = snapshots.dump(table), repr(ask)
    answer, again = _decided(table, ask), _decided(table, ask)
    if isinstance(answer, Refused):
        assert str(answer) == str(again), "another refusal the next time"
        entries: tuple[Entry, ...] = ()
    else:
        assert answer == again, "another answer the next time"
        entries = answer
    as_json = [entry.model_dump_json() for entry in entries]
    here = world.table
    for entry in entries:
        then = apply(here, entry)
        assert then == apply(here, entry)
        here = then
    assert as_json == [entry.model_dump_json() for entry in entries]
    assert snapshots.dump(table) == was
    assert repr(ask) == asked


def _decided(table: Table, ask: Ask) -> Decision:
    try:
        return decide(table, ask.command, ask.caller)
    except Refused as refused:
        return refused


def deals_in_secret(world: World, ask: Ask, other_chance: str) -> None:
    """Goods that chance puts into a hidden hand are in no public field.

    The command is decided again with other chance, and another secret if the table has committed to
    one. Where the public fields differ, they name no hidden goods that somebody gained. No public
    field holds the secret.
    """
    table, game = world.recall(ask.command.subjects()), game_of(world.table)
    committed = getattr(table.state, name_of(Seed), Seed())
    other_table = table
    if committed.secret:
        other_table = with_part(table, replace(committed, secret=other_chance))
    other_ask = replace(ask, caller=replace(ask.caller, chance=other_chance))
    first, second = _decided(table, ask), _decided(other_table, other_ask)
    if isinstance(first, Refused) or isinstance(second, Refused):
        return
    if committed.secret:
        seeds = {committed.secret, seed_of(table, "")}
        for entry in first:
            public = set(leaves(split(entry)[0]))
            assert public.isdisjoint(seeds), f"{ask.command} tells the seed: seal it"
    if game.hidden is None:
        return
    here = world.table
    for entry, other in zip(first, second, strict=False):
        here = apply(here, entry)
        differing = set(places(split(entry)[0]))
        differing -= set(places(split(other)[0]))
        public = set(chain.from_iterable(differing))
        for seat in here.seats.values():
            before = world.table.seats.get(seat.id)
            gained = (before.holdings if before else NOTHING).missing(seat.holdings)
            hidden = game.open_goods(gained).missing(gained)
            shown = sorted(public & set(hidden))
            fault = f"{entry.kind} says publicly that {seat.id} has {', '.join(shown)}"
            assert not shown, f"{fault}: seal that field"


def places(value: object, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every text and number in a value, with the keys that lead to it."""
    match value:
        case Mapping():
            for key, each in value.items():
                yield from places(each, (*above, str(key)))
        case list() | tuple():
            for each in value:
                yield from places(each, above)
        case _:
            yield (*above, str(value))


def leaves(value: object) -> Iterator[str]:
    """Yield every text in a value, keys included."""
    match value:
        case str():
            yield value
        case Mapping():
            for key, each in value.items():
                yield from (str(key), *leaves(each))
        case list() | tuple():
            for each in value:
                yield from leaves(each)


def told_well(table: Table, refused: Refused) -> None:
    """A refusal is a sentence, and names only people and seats of the table."""
    violation = refused.violation
    assert violation.reason.endswith((".", "?")), violation.reason
    assert len(violation.sentence()) <= SENTENCE_MAX
    for mark, which in _MARK.findall(violation.sentence()):
        known = which.isdigit() if mark == "person" else which in table.seats
        assert known, f"<{mark}:{which}> is nobody here"
    if table.game and violation.rule:
        rulebook = game_of(table).info.rulebook()
        fault = f"“{violation.reason}” cites [{violation.rule}], which the rulebook lacks"
        assert violation.rule in rulebook, fault


# ---------------------------------------------------------------- storage


def stored(entry: Entry) -> Entry:
    """Return the entry as it comes back from the ledger: split, written, read and joined."""
    public, sealed = json.loads(json.dumps(split(entry), sort_keys=True))
    return read_entry(public, sealed)


def survives_storage(entry: Entry) -> None:
    """The entry is the same after JSON."""
    assert stored(entry) == entry


def replays(world: World) -> None:
    """Entries read from the ledger lead to the same table, also when replayed in two halves."""
    entries = [stored(entry) for entry in world.entries]
    begun = Table(id=world.table.id)
    assert replay(entries, begun) == world.table
    half = len(entries) // 2
    then = replay(entries[:half], begun)
    assert replay(entries[half:], then) == world.table


def survives_a_snapshot(table: Table) -> None:
    """A snapshot loads as the same table, and only at its own entry."""
    text = snapshots.dump(table)
    assert snapshots.load(table.seq, text) == table
    assert snapshots.load(table.seq + 1, text) is None


# ---------------------------------------------------------------- recalled offers, deals and negoti


class Memory:
    """Compares each recalled offer, deal and negotiation with its state when it ended."""

    def __init__(self) -> None:
        self._recorded: dict[Reference, list[Recorded]] = {}
        self._came_back: set[str] = set()

    def saw(self, before: Table, entry: Entry, after: Table) -> None:
        """One entry was applied."""
        if isinstance(entry, SeatTaken) and entry.seat in before.seats and not entry.takes_over:
            self._came_back.add(entry.seat)
        subject = entry.subject() or Reference("")
        self._recorded.setdefault(subject, []).append(
            Recorded(after.id, after.seq, 0, None, entry, "")
        )
        kind, _, number = subject.partition(":")
        if kind in ("offer", "deal"):
            self._compare(before, entry, after, kind, int(number))
        elif isinstance(entry, NegotiationClosed):
            again = recalled(after, {subject: self._recorded[subject]})
            closed = entry.change(before.negotiations[entry.negotiation])
            assert again.negotiations[entry.negotiation] == closed

    def _compare(self, before: Table, entry: Entry, after: Table, kind: str, number: int) -> None:
        subject = reference(kind, number)
        again = recalled(after, {subject: self._recorded[subject]})
        put_back = with_ended(before, after, [entry])
        # what is said of a trade that is done
        if kind == "offer" and number not in put_back.offers:
            assert not isinstance(entry, OfferEntry), "an offer changed that was over"
            without_it = recalled(after, {subject: self._recorded[subject][:-1]})
            taken_back = again.offers[number].taken_back
            offer = replace(without_it.offers[number], taken_back=taken_back)
            expected = {**without_it.offers, number: offer}
            assert again.offers == expected, "it changed by another entry"
        elif kind == "offer":
            assert self._plain(again.offers[number]) == self._plain(put_back.offers[number])
        elif number in put_back.deals:  # a deal is marked when it is over
            assert again.deals[number] == put_back.deals[number]

    def _plain(self, offer: Offer) -> Offer:
        """Return the offer without the agreement of people who left, which is not recorded."""
        for seat in self._came_back:
            offer = offer.without(seat)
        return offer


# ---------------------------------------------------------------- who sees what


@cache
def of_seat(seat: str, *, shared: bool = False) -> Viewer:
    """Return a viewer who has always sat in this seat."""
    return Viewer(person=1, seat=seat, tenures=(Tenure(seat, 1, 0),), shared=shared)


def seals(table: Table, entry: Entry) -> None:
    """Only parties see the fields sealed for them, and nobody sees the keeper's. Of what is
    confided to its seats, others see nothing.
    """
    public, sealed = split(entry)
    stored, fields = entry.as_stored(), sealed_fields(type(entry))
    sealed_whole = sealed_fields(type(stored))
    assert public.keys().isdisjoint(sealed_whole)
    assert set(chain.from_iterable(sealed.values())) == set(sealed_whole)
    everybody = redact(entry, Viewer(), 1)
    assert read_entry(public, {}) == everybody
    parties = entry.parties()
    for seat in table.seats:
        seen = redact(entry, of_seat(seat), 1)
        shared = redact(entry, of_seat(seat, shared=True), 1)
        assert shared == everybody, "who reads along learns more than everybody"
        if stored is not entry and seat not in parties | entry.seats():
            assert seen == everybody, f"{seat} learns of what is confided to others"
            continue
        for name, part in fields.items():
            if part != "parties" or seat not in parties:
                assert getattr(seen, name) is None
        if seat in parties:
            own = seen.redacted(frozenset({seat}))
            assert seen == own, f"{entry.kind} tells {seat} what other parties alone know"
    audited = redact(entry, Viewer(person=1, hosts=True, audits=True), 1)
    for name, part in fields.items():
        if part == "keeper":
            assert getattr(audited, name) is None
    assert redact(entry, Viewer(opened=True), 1) == entry
