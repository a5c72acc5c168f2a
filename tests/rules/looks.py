"""Everything that a viewer can look at, as values to compare, and what they can try, to read how it is refused.

Whoever adds a place where people read adds it to `shown` or `told_at_length`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from bot.desk import Look
from bot.exports import FORMATS, Source, export
from bot.rules.audits import table_viewer
from bot.rules.books import Step, steps
from bot.rules.commands import (
    Agree,
    AlterOffer,
    Command,
    CounterOffer,
    EndOffer,
    HandOver,
    OpenNegotiation,
    PauseOffer,
    PickTaker,
    PostOffer,
    SetHoldings,
    SetPhase,
    Sign,
)
from bot.rules.entries import Entry, Transaction
from bot.rules.games.advciv import GAME
from bot.rules.games.advciv.commands import OpenTrading
from bot.rules.goods import NOTHING
from bot.rules.market import by_interest, matching_first
from bot.rules.offer_state import trade_of
from bot.rules.ruling import Refused
from bot.rules.table import Table
from bot.rules.views import PUBLIC, Viewer, view
from bot.show import names
from bot.show.asks import ask_card, asks, follow_card
from bot.show.audit import Filter, Page, history_card, ledger_card, player_card, trade_card
from bot.show.cards import Card, offer_card, offer_line
from bot.show.deals import deal_text
from bot.show.forms import hand_form, offer_form
from bot.show.happened import line
from bot.show.negotiations import summary_card, thread_name
from bot.show.pictures.ring import ring_of
from bot.show.pictures.wealth import story_of
from bot.show.results import holdings_text, public_result_card, result_card
from bot.show.rulebook import rule_card
from bot.show.story import plain_sentence, sentence
from bot.show.tables import board_card, table_card
from data import rules
from tests.audit.world import PEOPLE, recorded
from tests.rules.advciv_machine import hand_of, handed_for, side, some_cards
from tests.rules.machine import World, likely

_COMMITTED = re.compile(r"\b[0-9a-f]{32,}\b")
"""Hashes and digests: they are made with random salts, so that they are others each time and tell nothing. The seeds in
these tests look otherwise, so none is passed over."""

# ---------------------------------------------------------------- what they can read


def shown(world: World, person: int, new: Sequence[Step]) -> Iterator[tuple[str, object]]:
    """Everything short that this person can read, by what it is; ``new`` are the steps since they looked last."""
    look, table = _look(world), world.table
    viewer = table_viewer(table, person)
    seat = viewer.seat
    yield "board", board_card(look)
    yield "table", table_card(look, seat)
    yield "ring", ring_of(look, seat)
    for step in new:
        yield "entry", view(step.entry, viewer, step.recorded.seq).model_dump_json()
        yield "story", sentence(1, PEOPLE, step, viewer)
        yield "plain story", plain_sentence(1, PEOPLE, step, viewer)
        yield "said in the channel", names.tell(look, line(Look(1, step.after, PEOPLE), view(step.entry, PUBLIC)))
        if isinstance(step.entry, Transaction):
            yield "result", public_result_card(look, step.entry)
            follows = GAME.follows(step.after, step.entry)
            yield "follows", [follow_card(look, follow) for follow in follows if follow.seat == seat]
            if seat in step.entry.parties():
                yield "own result", result_card(look, step.entry, seat or "")
    yield from _offers(look, seat)
    yield "asks", [ask_card(look, ask) for ask in asks(look) if ask.seat == seat]
    yield "rules", [rule_card(look, number) for number in rules("advciv")]
    yield "suggested of others", [GAME.suggest(table, other, False) for other in (None, *table.seats)]
    yield "deals", [deal_text(look, deal) for deal in table.deals.values() if deal.shown_to(seat)]
    for talks in table.negotiations.values():
        if seat in (talks.seat, talks.other):
            yield "negotiation", (thread_name(look, talks), summary_card(look, talks))
    if seat is not None:
        yield "own hand", holdings_text(look, seat)
        yield "suggested", GAME.suggest(table, seat, True)
        for other in (None, *table.seats):
            yield "form", offer_form(look, "x", "x", seat=seat, other=other, give=NOTHING, want=NOTHING, terms="")


def _offers(look: Look, seat: str | None) -> Iterator[tuple[str, object]]:
    table = look.table
    for offer in table.offers.values():
        if offer.shown_to(None):
            yield "offer in the channel", offer_card(look, offer)
            yield "offer looked at", offer_card(look, offer, "addressed", reader=seat) if offer.to is None else None
        if seat is not None and offer.known_to(seat):
            yield "own offer", offer_card(look, offer, "poster" if seat == offer.seat else "addressed")
            yield "overheard", offer_card(look, offer, "poster" if seat == offer.seat else "addressed", overheard=True)
            if offer.status == "open":
                yield "form to hand over", hand_form(look, offer, seat)
    listed = [offer for offer in table.live_offers() if offer.shown_to(seat)]
    yield "list", [offer_line(look, offer, seat) for offer in by_interest(table, listed, seat)]
    public = [offer for offer in table.live_offers() if offer.shown_to(None)]
    yield "matching first", [offer_line(look, offer, seat) for offer in matching_first(table, public)]


def told_at_length(world: World, person: int, by: Sequence[int]) -> Iterator[tuple[str, object]]:
    """Everything long that this person can read: the pages of what happened, books and files."""
    look = _look(world)
    viewer = table_viewer(world.table, person)
    made, published, sealed = recorded(world.entries, by=by)
    life = steps(made)
    yield "whole story", [(sentence(1, PEOPLE, step, viewer), plain_sentence(1, PEOPLE, step, viewer)) for step in life]
    for about in (0, *range(1, len(world.table.seats) + 1)):
        yield "history", _pages(history_card, look, life, viewer, Filter(person=about))
        yield "player", _pages(player_card, look, life, viewer, about)
    for offer in list(world.table.offers)[-5:]:
        yield "history of an offer", _pages(history_card, look, life, viewer, Filter(offer=offer))
    for number in range(1, world.table.transactions + 1):
        yield "trade", _pages(trade_card, look, life, viewer, number)
    yield "ledger", _pages(ledger_card, look, life, viewer, Filter())
    yield "wealth", story_of(look, made)
    source = Source(1, PEOPLE, life, published, sealed, viewer)
    for form in FORMATS:
        yield form, _COMMITTED.sub("#", export(form, source).decode())


def _pages(make: Callable[..., Card], look: Look, life: Sequence[Step], viewer: Viewer, about: object) -> list[Card]:
    pages: list[Card] = []
    while not pages or "More" in repr(pages[-1].rows):
        pages.append(make(look, life, viewer, Page("x", len(life), len(pages) + 1, ""), about))
    return pages


# ---------------------------------------------------------------- what they can try


def probes(table: Table, person: int, dice: Random) -> Iterator[Command]:
    """What this person could try, to learn from how it is refused: everything on every offer, and on everybody."""
    hand, sits = hand_of(table, person), table.seat_of(person)
    mine = sits.id if sits else ""
    for offer in table.offers.values():
        number, revision = offer.number, offer.revision
        give, want = side(hand, dice), some_cards(dice, 3)
        promised = trade_of(offer, mine).gives(mine) if offer.party(mine) else offer.want
        yield Sign(by=person, offer=number, revision=revision)
        yield Sign(by=person, offer=number, revision=revision + 1)
        yield Agree(by=person, offer=number, revision=revision)
        yield EndOffer(by=person, offer=number, how=dice.choice(["withdraw", "decline"]))
        yield PauseOffer(by=person, offer=number, paused=likely(dice, 50))
        yield PickTaker(by=person, offer=number, revision=revision, taker=dice.choice(list(table.seats)))
        yield CounterOffer(by=person, offer=number, give=give, want=want)
        yield AlterOffer(by=person, offer=number, revision=revision, give=give, want=want, terms="")
        if offer.to is None or offer.party(mine):
            yield HandOver(by=person, offer=number, revision=revision, goods=handed_for(hand, promised, dice))
        yield HandOver(by=person, offer=number, revision=revision, goods=some_cards(dice, 3))
    for seat in table.seats.values():
        if seat.person is not None:
            yield PostOffer(by=person, to=seat.person, give=side(hand, dice), want=some_cards(dice, dice.randint(2, 9)))
            yield SetHoldings(by=person, person=seat.person, goods=some_cards(dice, 3))
            yield OpenNegotiation(by=person, other=seat.person)
    yield PostOffer(by=person, give=side(hand, dice), want=some_cards(dice, 3), handed=some_cards(dice, 3))
    yield SetPhase(by=person, phase=dice.choice(["acquire", "trade", "after"]))
    yield OpenTrading(by=person)


def told(world: World, answer: Sequence[Entry] | Refused) -> object:
    """What who asked is told: the refusal, or that it was done."""
    if isinstance(answer, Refused):
        return names.tell(_look(world), answer.ruling.sentence()), answer.ruling
    return [entry.kind for entry in answer]


def _look(world: World) -> Look:
    return Look(1, world.table, PEOPLE)
