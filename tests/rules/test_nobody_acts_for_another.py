"""Tests that only their owner, or the host by decision, changes goods, a seat or a word.

Every command of random evenings, whoever asks for it: where the one who asks plays and does not
host, what comes of it moves their own goods, takes and frees their own chair, and answers for them
alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import chain
from random import Random

import pytest

from bot.games.advciv.calamities import CalamitiesShown
from bot.games.advciv.drawing import CardsDrawn
from bot.games.advciv.state import Draws
from bot.games.advciv.taking import CardRequest, CardTaken, Requests
from bot.games.ti4.commodities import Replenished
from bot.games.ti4.components import note_owner
from bot.games.ti4.entries import GainedByEffect
from bot.games.ti4.losses import LoseCommodities
from bot.games.ti4.note_claims import NoteClaimed
from bot.games.ti4.note_gifts import GiveNote, NoteGiven
from bot.games.ti4.note_returns import NoteReturned
from bot.games.ti4.notes import NoteMovedWithPlanet, NotePlayed, ReturnNote
from bot.games.ti4.permits import PermitGranted, PermitRevoked
from bot.games.ti4.pillage import AppealPillage, GivenByEffect, Pillage
from bot.games.ti4.requests import AnswerRequest, Replenish
from bot.games.ti4.state import questions
from bot.games.ti4.take_back import TradeTakenBack
from bot.games.ti4.trade_agreements import is_agreement
from bot.rules.access import is_host
from bot.rules.apply import apply
from bot.rules.entries import Entry
from bot.rules.features.deals import DealAnswered, DealMarked, DealProposed
from bot.rules.features.holdings import GoodsMoved
from bot.rules.features.offers.entries import (
    HandedOver,
    OfferAgreed,
    OfferAltered,
    OfferPosted,
    Signed,
    Transaction,
)
from bot.rules.features.offers.state import agrees
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.features.tables import ChangeSettings
from bot.rules.model.goods import Change, Goods
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.testing.makers import likely
from bot.testing.world import Ask, World
from tests.games.advciv import machine as advciv
from tests.games.any import machine as any_game
from tests.games.ti4 import machine as ti4
from tests.games.ti4.tables import done, table_of
from tests.scale import SCALE, at_scale, seeds

ACTS = 1500
"""Commands of one evening."""

SEEDS = seeds(at_scale(2, 4))

OF_ONE_SEAT = (
    OfferPosted,
    OfferAltered,
    OfferAgreed,
    Signed,
    HandedOver,
    DealProposed,
    DealAnswered,
    DealMarked,
)
"""What somebody says or signs: ``seat`` is who."""


Maker = Callable[[Table, Random], Ask]


def _in_ti4(dice: Random) -> tuple[World, Maker]:
    def made(table: Table, dice: Random) -> Ask:
        kinds = (
            Replenish,
            LoseCommodities,
            Pillage,
            AppealPillage,
            ReturnNote,
            GiveNote,
            AnswerRequest,
            ti4.StartTurn,
            ti4.SetHoldings,
            ti4.PlayNote,
        )
        kind = dice.choice(kinds if likely(dice, 40) else ti4.MACHINE.weighted)
        if kind is ChangeSettings:  # goods are counted all evening
            kind = ti4.PlayNote
        return ti4.MACHINE.of(kind, table, dice)

    return ti4.opened(5, dice), made


def _in_advciv(dice: Random) -> tuple[World, Maker]:
    return advciv.opened(5, dice, dealt=likely(dice, 50)), advciv.made


def _in_any(dice: Random) -> tuple[World, Maker]:
    return any_game.opened(dice, 5), any_game.made


GAMES = {"advciv": _in_advciv, "any": _in_any, "ti4": _in_ti4}

in_each_game = pytest.mark.parametrize("game", GAMES)


@cache
def met(game: str, seed: int) -> Counter[str]:
    """Play an evening; return how often plain players brought about which kind of entry."""
    dice, kinds = Random(f"{game} {seed}"), Counter[str]()
    world, made = GAMES[game](dice)
    for _ in range(ACTS):
        ask, before = made(world.table, dice), world.table
        entries = world.tries(ask)
        if isinstance(entries, Refused) or is_host(before, ask.caller) or not ask.person:
            continue
        own = before.seat_of(ask.person)
        now = before
        for entry in entries:
            kinds[entry.kind] += 1
            fault = _fault(now, ask, own.id if own else None, entry)
            assert not fault, (fault, ask, entry)
            now = apply(now, entry)
        if not world.table.open:
            break
    return kinds


def _fault(table: Table, ask: Ask, own: str | None, entry: Entry) -> str:
    """Return what of another's this entry of a plain player in the seat ``own`` touches."""
    match entry:
        case SeatTaken(person=person) | SeatLeft(person=person) if person != ask.person:
            return "another's chair"
        case PermitGranted() | PermitRevoked():
            return "a permit"
        case Transaction(offer=offer, first=first, second=second):
            other = first if own == second else second
            if own in (first, second) and _agrees(table, offer, other):
                return ""
            return "goods of somebody who has not agreed"
        case DealProposed(offer=int()):  # the words of an offer that both have signed
            return ""
        case CalamitiesShown():  # 29.3: all show theirs, by rule, when trading is over
            return ""
        # 27.1: they said so, to draw when all have
        case CardsDrawn(seat=seat) if seat in part(table, Draws).said:
            return ""
        case CardTaken(seat=seat, other=other):  # 24.51: both want it, or the host says so
            wanted = CardRequest(seat, other) in part(table, Requests).waiting
            return "" if own == other and wanted else "another's card"
        case TradeTakenBack(transaction=number, first=first, second=second):  # the other has asked
            requests = questions(table, "take_back")
            asked_by = {each.seat for each in requests if each.which == str(number)}
            if own in (first, second) and asked_by == {first, second} - {own}:
                return ""
            return "a trade of others"
        case GoodsMoved(changes=changes, hidden=hidden):
            for seat, change in chain(changes.items(), (hidden or {}).items()):
                if not _may(own, seat, change, entry):
                    return f"goods of {seat}"
    if isinstance(entry, OF_ONE_SEAT) and entry.seat != own:
        return f"a word of {entry.seat}"
    return ""


def _agrees(table: Table, number: int, seat: str) -> bool:
    offer = table.offers[number]
    return seat in (*offer.handed, *offer.signatures) or agrees(offer, seat)


def _may(own: str | None, seat: str, change: Change, entry: Entry) -> bool:
    """Return whether a player in the seat ``own`` may bring about this change of a seat.

    A Trade Agreement is what its owner has given away: its holder gets their commodities, or trade
    goods in their place, for the note. War Funding costs its owner up to two trade goods, and Spy
    Net an action card. A note that an effect makes somebody give away comes to another. What ends
    by anybody's word may bring notes home.
    """
    if seat == own or change == Change():
        return True
    lost = set(change.lost)
    only_gains = not change.lost and not change.left_play
    match entry:
        case NotePlayed(note=note, seat=by) if by == own and is_agreement(note):
            pays = lost <= {"commodity", "trade_good"} and not change.left_play
            return seat == note_owner(note)[1] and pays
        case NotePlayed(note=note, seat=by) if by == own and _is(note, "war_funding", seat):
            return lost <= {"trade_good"} and change.lost.total() <= 2 and not change.left_play
        case NoteClaimed(note=note, seat=by) if by == own and _is(note, "spy_net", seat):
            return change == Change(lost=Goods({"action_card": 1}))
        case NoteGiven() | NoteMovedWithPlanet() if entry.seat == own:
            return seat == entry.to and only_gains
        case GainedByEffect():  # Dark Pact: both gain
            return only_gains
        case Replenished(due=True):  # 92.4.1
            return only_gains
        case Replenished(let_by=by, effect=effect) if by == own and effect:  # Carth
            return only_gains
        case GivenByEffect(taken=taken, to=to) if taken and to == own:  # Pillage asks nobody
            return change.lost.total() == 1 and lost <= {"commodity", "trade_good"}
        case GivenByEffect(seat=by) if by == own:  # they give, the other only receives
            return only_gains
        case NoteReturned(after=after) if after:
            return not change.lost and not change.entered_play
    comes_home = all(_is_note_of(token, seat) for token in change.gained)
    return comes_home and only_gains


def _is(note: str, card: str, owner: str) -> bool:
    return note_owner(note) == (card, owner)


def _is_note_of(token: str, seat: str) -> bool:
    return token.startswith("note:") and note_owner(token)[1] == seat


@in_each_game
@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_player_does_touches_nobody_else(game: str, seed: int) -> None:
    assert met(game, seed)


@in_each_game
def test_players_brought_about_most_kinds_of_entry(game: str) -> None:
    """In as many evenings as it takes: a new note or command changes all of them."""
    wanted = {
        "ti4": {
            "ti4.commodities.asked",
            "ti4.commodities.replenished",
            "ti4.note.asked",
            "ti4.note.returned",
            "ti4.trade.played",
            "ti4.trade.followed",
            "ti4.note.played",
            "ti4.note.given",
            "ti4.request.denied",
            "ti4.goods.given",
            "ti4.pillage.appealed",
            "offer.transaction",
        },
        "any": {"any.banked", "offer.transaction"},
        "advciv": {
            "advciv.cards.drawn",
            "advciv.cards.surrendered",
            "advciv.cards.taken",
            "advciv.cards.lost",
            "offer.transaction",
            "offer.handed",
        },
    }
    missing = wanted[game]
    for seed in seeds(20 * SCALE):
        missing -= met(game, seed).keys()
        if not missing:
            return
    raise AssertionError(missing)


# ---------------------------------------------------------------- replenishing


def test_the_host_says_so_for_them_and_the_entry_tells() -> None:
    def by_host(person: int, seat: str) -> bool:
        entry = done(table_of(), Replenish(seat), by=person)[0]
        assert isinstance(entry, Replenished)
        return entry.by_host

    assert by_host(1, "sol")
    assert not by_host(1, "hacan")
    assert not by_host(2, "sol")
