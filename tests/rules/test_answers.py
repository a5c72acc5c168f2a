"""Tests that no answer depends on another's hidden hand.

Whatever somebody asks for, they get the same answer, and with it the same refusal or none, whatever
the hands hold that they may not look into. Each command of a random evening is decided twice more,
with other cards in those hands: more, fewer, none. The one exception is an exchange to which both
have agreed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, product
from random import Random

import pytest

from bot.games.advciv.calamities import ShowCalamities
from bot.games.advciv.cards import box
from bot.games.advciv.cities import SayCities
from bot.games.advciv.drawing import DrawCards
from bot.games.advciv.stacks import StacksShuffled
from bot.games.advciv.state import AFTER, dealt
from bot.games.advciv.surrendering import CardsKept, Surrenders
from bot.games.advciv.taking import TakeCard
from bot.games.ti4.components import secret
from bot.games.ti4.departures import Eliminate
from bot.games.ti4.note_shows import LookAtNotes
from bot.rules.engine import decide
from bot.rules.entries import split
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import SetHoldings, Spend
from bot.rules.features.offers.entries import OfferVoided, Transaction
from bot.rules.features.seats import SeatTaken, Sit
from bot.rules.features.tables import SetPhase, Tick
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.parts import part, with_part
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.recall import recalled
from bot.rules.viewers import everybody, person_viewer
from bot.rules.visible_entry import redact
from bot.testing.makers import likely
from bot.testing.twins import kinds_of
from bot.testing.world import EVERYONE, Ask, Decision, World
from tests.games.advciv import machine as advciv
from tests.games.ti4 import machine as ti4
from tests.scale import SCALE, seeds

ACTS = 150
"""Commands of one evening."""

SEEDS = seeds(16 * SCALE)

BYSTANDER = 12
"""A moderator who tries every command, and has no seat and has never looked."""


@dataclass(frozen=True)
class Evenings:
    """How evenings of one game are played.

    ``otherwise`` returns a table with other cards in all hands but the one in this seat. ``told``:
    the rules of the game reveal by this answer what hands hold.
    """

    opened: Callable[[Random], World]
    made: Callable[[Table, Random], Ask]
    otherwise: Callable[[Table, str | None, Random], Table]
    told: Callable[[Table, Ask, list[Decision]], bool]


# ---------------------------------------------------------------- Advanced Civilization


def _opened_advciv(dice: Random) -> World:
    """Return a table at which the bot deals, or one of real cards, where some have none left."""
    settings = {"rulings": "warn"} if likely(dice, 25) else {}
    real = likely(dice, 50)
    world = advciv.opened(dice.randint(2, 5), dice, settings, dealt=not real)
    if not real:
        return world
    for seat in world.table.seats.values():
        if seat.person and likely(dice, 60):
            world.do(seat.person, Spend(seat.holdings.of_kind("commodity")))
    return world


def _made_in_advciv(table: Table, dice: Random) -> Ask:
    if likely(dice, 10):
        return advciv.MACHINE.of(SetHoldings, table, dice)
    return advciv.made(table, dice)


def _other_cards(table: Table, knows: str | None, dice: Random) -> Table:
    """Return the table with other cards in other hands, any number of them.

    They still have what they handed over. Some may have cards to turn in.
    """
    most = 0 if likely(dice, 30) else 14
    surrenders = part(table, Surrenders)
    over = {seat: count for seat, count in surrenders.over.items() if seat == knows}
    for seat in table.seats.values():
        if seat.id != knows:
            cards = advciv.some_cards(dice, dice.randint(0, most))
            hand = _handed(table, seat.id) + cards
            table = table.with_seat(replace(seat, holdings=hand.common(box())))
            if likely(dice, 30) and table.phase != AFTER:
                over[seat.id] = dice.randint(1, 5)
    return with_part(table, replace(surrenders, over=over))


def _handed(table: Table, seat: str) -> Goods:
    handed = NOTHING
    for offer in table.live_offers():
        handed += handed.missing(offer.handed.get(seat, NOTHING))
    return handed


def _told_in_advciv(table: Table, ask: Ask, answers: list[Decision]) -> bool:
    """What the rules reveal of hands.

    29.3: calamities are shown. 31.71: how many cards are kept, and no more, is told as the turn
    ends. 15.2: the stacks hold what no hand does. 24.51: a host who takes a card learns which. Who
    has looked into hands may be told.
    """
    if isinstance(ask.command, SetHoldings):
        return dealt(table) and ask.person in table.looked
    done = [answer for answer in answers if not isinstance(answer, Refused)]
    if len(done) < len(answers):
        return False
    if isinstance(ask.command, SetPhase):
        tell_kept = all(isinstance(entries[0], CardsKept) for entries in done)
        beside = {tuple(map(str, entries[1:])) for entries in done}
        return tell_kept and len(beside) == 1
    if isinstance(ask.command, DrawCards | SayCities | Tick):
        return all(StacksShuffled in map(type, entries) for entries in done)
    return isinstance(ask.command, ShowCalamities | TakeCard)


# ---------------------------------------------------------------- Twilight Imperium 4


def _opened_ti4(dice: Random) -> World:
    settings = {"confirm": "twice"} if likely(dice, 25) else {}
    world = ti4.opened(dice.randint(2, 5), dice, settings)
    world.do(1, ti4.StartTurn(world.table.seated()[0]))
    return world


def _made_in_ti4(table: Table, dice: Random) -> Ask:
    kinds = (ti4.PostOffer, ti4.Sign, ti4.Replenish, SetHoldings)
    if likely(dice, 30):
        return ti4.MACHINE.of(dice.choice(kinds), table, dice)
    return ti4.MACHINE.any(table, dice)


def _other_notes(table: Table, knows: str | None, dice: Random) -> Table:
    """Return the table with the secret notes of all other hands in any of them, however many."""
    others = [seat for seat in table.seats.values() if seat.id != knows]
    hands: dict[str, list[str]] = {seat.id: [] for seat in others}
    for note in chain.from_iterable(secret(seat.holdings) for seat in others):
        hands[dice.choice(others).id].append(note)
    for seat in others:
        rest = secret(seat.holdings).missing(seat.holdings)
        hand = rest + Goods.of(hands[seat.id])
        table = table.with_seat(replace(seat, holdings=hand))
    return table


def _told_in_ti4(table: Table, ask: Ask, answers: list[Decision]) -> bool:
    """33.4: notes come home to who asks. M'aban looks into a hand. No other rule tells of hands."""
    tells = isinstance(ask.command, Eliminate | LookAtNotes)
    return tells and not any(isinstance(answer, Refused) for answer in answers)


GAMES: Mapping[str, Evenings] = {
    "advciv": Evenings(_opened_advciv, _made_in_advciv, _other_cards, _told_in_advciv),
    "ti4": Evenings(_opened_ti4, _made_in_ti4, _other_notes, _told_in_ti4),
}

in_each_game = pytest.mark.parametrize("game", GAMES)


# ---------------------------------------------------------------- answers


@cache
def met(game: str, seed: int) -> Counter[str]:
    """Play an evening in which hands matter to nobody; return how often each kind was asked for."""
    evenings, dice = GAMES[game], Random(f"{game} {seed}")
    kinds = Counter[str]()
    world = evenings.opened(dice)
    for _ in range(ACTS):
        ask = evenings.made(world.table, dice)
        if likely(dice, 20) and not isinstance(ask.command, Audit | Sit):
            ask = Ask(ask.command, replace(ask.caller, person=BYSTANDER, moderator=True))
        answer = world.answer(ask)
        heard = _heard(world.table, ask, answer)
        for _ in range(2):
            _same_answer(evenings, world, ask, answer, heard, dice)
        kinds[type(ask.command).__name__] += 1
        if not isinstance(answer, Refused):
            world.add(answer, ask.caller)
        if not world.table.open:
            break
    return kinds


def _same_answer(
    evenings: Evenings, world: World, ask: Ask, answer: Decision, heard: object, dice: Random
) -> None:
    own = world.table.seat_of(ask.person)
    table = evenings.otherwise(world.table, own.id if own else None, dice)
    other = _answer(world, table, ask)
    answers = [answer, other]
    if _both_agreed(answers) or evenings.told(world.table, ask, answers):
        return
    assert heard == _heard(world.table, ask, other), (ask, world.table.seats, table.seats)


def _answer(world: World, table: Table, ask: Ask) -> Decision:
    subjects = {}
    for subject in ask.command.subjects():
        subjects[subject] = world.by_subject.get(subject, [])
    try:
        return decide(recalled(table, subjects), ask.command, ask.caller)
    except Refused as refused:
        return refused


def _both_agreed(answers: list[Decision]) -> bool:
    """Return whether both agreed to an exchange that is possible in one world only."""
    kinds = [kinds_of(answer) for answer in answers]
    if kinds[0] == kinds[1]:
        return False
    return any(kind in (Transaction, OfferVoided) for kind in chain(*kinds))


def _heard(table: Table, ask: Ask, answer: Decision) -> object:
    """Return the refusal, or what everybody and the one who asks may know of what happened."""
    if isinstance(answer, Refused):
        return answer.violation, answer.options
    viewers = everybody(table, EVERYONE), person_viewer(table, EVERYONE, ask.caller)
    # a successor learns what is theirs now
    told = [entry for entry in answer if not isinstance(entry, SeatTaken)]
    # not that of the entry before, with which the one who asks may have left their seat
    seq = table.seq + 1
    parts = [split(entry)[0] for entry in answer]
    return parts, [redact(entry, viewer, seq) for entry, viewer in product(told, viewers)]


@in_each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_no_answer_rests_on_anothers_hidden_hand(game: str, seed: int) -> None:
    assert met(game, seed)


@in_each_game
def test_many_kinds_of_command_were_asked_for(game: str) -> None:
    asked_for = set(chain.from_iterable(met(game, seed) for seed in SEEDS))
    machine = {"advciv": advciv.MACHINE, "ti4": ti4.MACHINE}[game]
    assert asked_for == {kind.__name__ for kind in machine.by_kind}
