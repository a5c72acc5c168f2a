"""Tests that only their owner, or the host by decision, changes goods, a seat or a word.

Every command of random evenings, whoever asks for it: where the one who asks plays and does not
host, what comes of it moves their own goods, takes and frees their own chair, and answers for them
alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
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
from tests.games.ti4 import machine as ti4
from tests.games.ti4.tables import after, done, refused, table_of
from tests.scale import SCALE, seeds

ACTS = 1500
"""Commands of one evening."""

SEEDS = seeds(4 * SCALE)

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


def _in_ti4(dice: Random) -> tuple[World, Callable[[Table, Random], Ask]]:
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
        # goods are counted
        return ti4.MACHINE.of(ti4.PlayNote if kind is ChangeSettings else kind, table, dice)

    return ti4.opened(5, dice), made


def _in_advciv(dice: Random) -> tuple[World, Callable[[Table, Random], Ask]]:
    return advciv.opened(5, dice, dealt=likely(dice, 50)), advciv.made


GAMES: Mapping[str, Callable[[Random], tuple[World, Callable[[Table, Random], Ask]]]] = {
    "advciv": _in_advciv,
    "ti4": _in_ti4,
}

in_each_game = pytest.mark.parametrize("game", GAMES)


@cache
def met(game: str, seed: int) -> Counter[str]:
    """Play an evening; return how often plain players brought about which kind of entry."""
    dice, found = Random(f"{game} {seed}"), Counter[str]()
    world, made = GAMES[game](dice)
    for _ in range(ACTS):
        ask, before = made(world.table, dice), world.table
        entries = world.tries(ask)
        if isinstance(entries, Refused) or is_host(before, ask.caller) or not ask.person:
            continue
        own = before.seat_of(ask.person)
        now = before
        for entry in entries:
            found[entry.kind] += 1
            assert not (fault := _fault(now, ask, own.id if own else None, entry)), (
                fault,
                ask,
                entry,
            )
            now = apply(now, entry)
        if not world.table.open:
            break
    return found


def _fault(table: Table, ask: Ask, own: str | None, entry: Entry) -> str:
    """Return what of another's this entry touches, as a plain player in this seat brought it
    about.
    """
    match entry:
        case SeatTaken(person=person) | SeatLeft(person=person) if person != ask.person:
            return "another's chair"
        case PermitGranted() | PermitRevoked():
            return "a permit"
        case Transaction(offer=offer, first=first, second=second):
            agreed = own in (first, second) and _agrees(
                table, offer, first if own == second else second
            )
            return "" if agreed else "goods of somebody who has not agreed"
        case DealProposed(offer=int()):  # the words of an offer that both have signed
            return ""
        case CalamitiesShown():  # 29.3: all show theirs, by rule, when trading is over
            return ""
        # 27.1: they said so, to draw when all have
        case CardsDrawn(seat=seat) if seat in part(table, Draws).said:
            return ""
        case CardTaken(seat=seat, other=other):  # 24.51: both want it, or the host says so
            return (
                ""
                if own == other and CardRequest(seat, other) in part(table, Requests).waiting
                else "another's card"
            )
        case TradeTakenBack(transaction=number, first=first, second=second):  # the other has asked
            asked = {
                each.seat for each in questions(table, "take_back") if each.which == str(number)
            }
            return (
                ""
                if own in (first, second) and asked == {first, second} - {own}
                else "a trade of others"
            )
        case GoodsMoved(changes=changes, hidden=hidden):
            every = [*changes.items(), *(hidden or {}).items()]
            return next(
                (
                    f"goods of {seat}"
                    for seat, change in every
                    if not _may(own, seat, change, entry)
                ),
                "",
            )
    if isinstance(entry, OF_ONE_SEAT) and entry.seat != own:
        return f"a word of {entry.seat}"
    return ""


def _agrees(table: Table, number: int, seat: str) -> bool:
    offer = table.offers[number]
    return seat in (*offer.handed, *offer.signatures) or agrees(offer, seat)


def _may(own: str | None, seat: str, change: Change, entry: Entry) -> bool:
    """Return whether a player may bring this about: for themselves, or another gets back no more
    than their own note.

    A Trade Agreement is what its owner has given away: its holder gets their commodities, or trade
    goods in their place, for the note. War Funding costs its owner up to two trade goods, and Spy
    Net an action card. A note that an effect makes somebody give away comes to another; and what
    ends by anybody's word may bring notes home.
    """
    if seat == own or change == Change():
        return True
    if isinstance(entry, NotePlayed) and is_agreement(entry.note) and entry.seat == own:
        return (
            seat == note_owner(entry.note)[1]
            and set(change.lost) <= {"commodity", "trade_good"}
            and not change.left_play
        )
    if (
        isinstance(entry, NotePlayed)
        and entry.seat == own
        and note_owner(entry.note) == ("war_funding", seat)
    ):
        return (
            set(change.lost) <= {"trade_good"} and change.lost.total() <= 2 and not change.left_play
        )
    if (
        isinstance(entry, NoteClaimed)
        and entry.seat == own
        and note_owner(entry.note) == ("spy_net", seat)
    ):
        return change == Change(lost=Goods({"action_card": 1}))
    if isinstance(entry, NoteGiven | NoteMovedWithPlanet) and entry.seat == own:
        return seat == entry.to and not change.lost and not change.left_play
    if isinstance(entry, GainedByEffect):  # Dark Pact: both gain
        return not change.lost and not change.left_play
    # 92.4.1; Carth
    if isinstance(entry, Replenished) and (entry.due or (entry.let_by == own and entry.effect)):
        return not change.lost and not change.left_play
    if isinstance(entry, GivenByEffect) and entry.taken and entry.to == own:  # Pillage asks nobody
        return change.lost.total() == 1 and set(change.lost) <= {"commodity", "trade_good"}
    if isinstance(entry, GivenByEffect) and entry.seat == own:  # they give, the other only receives
        return not change.lost and not change.left_play
    if isinstance(entry, NoteReturned) and entry.after:
        return not change.lost and not change.entered_play
    comes_home = all(
        token.startswith("note:") and note_owner(token)[1] == seat for token in change.gained
    )
    return comes_home and not change.lost and not change.left_play


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
        if missing := missing - met(game, seed).keys():
            continue
        return
    assert not missing


# ---------------------------------------------------------------- replenishing


def test_the_active_player_chooses_others_for_trade() -> None:
    table = after(table_of(), ti4.StartTurn("sol"))
    asked = after(table, Replenish("letnev"), by=2)
    assert asked.seats == table.seats
    assert refused(asked, Replenish("letnev"), by=2).rule == "92.4.1"
    assert "Only the active player" in refused(table, Replenish("sol"), by=3).reason
    pressed = after(asked, AnswerRequest("sol", "", agreed=True), by=3)
    assert pressed.seats["letnev"].holdings.count("commodity")
    assert refused(asked, AnswerRequest("sol", "", agreed=False), by=3).rule == "92.4.1"
    for again in (Replenish(), Replenish("letnev")):
        assert refused(pressed, again, by=3 if again.seat is None else 2).rule == "92.4.2"
    for ends in (ti4.EndTurn(), ti4.StartTurn("hacan"), ti4.SetPhase("status")):
        over = after(asked, ends)
        assert over.seats == pressed.seats, "it happens when the turn ends"
        assert (
            "already answered" in refused(over, AnswerRequest("sol", "", agreed=True), by=3).reason
        )
        assert done(over, Replenish(), by=3)


def test_the_host_says_so_for_them_and_the_entry_tells() -> None:
    for by, seat, said in ((1, "sol", True), (1, "hacan", False), (2, "sol", False)):
        (entry, *_) = done(table_of(), Replenish(seat), by=by)
        assert isinstance(entry, Replenished)
        assert entry.by_host == said
