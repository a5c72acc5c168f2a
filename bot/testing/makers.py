"""Random commands: one generator for every test that wants a table with a past.

A *maker* makes commands of one kind that are likely, not sure, to be allowed. A new command needs a
maker, registered with `Makers.makes`: here if all games have it, else in ``machine.py`` of its
game. The test ``test_every_kind_of_command_is_made`` names kinds without one. Dice are a
`random.Random`, with a seed or from hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeVar, get_args

from bot.rules.commands import Caller, Command
from bot.rules.features.audits import Audit, What
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.house_rules import Number, WriteRule
from bot.rules.features.negotiations import CloseNegotiation, OpenNegotiation
from bot.rules.features.next_time import Come, SetNextTime
from bot.rules.features.offers.posting import PauseOffer, RepeatOffer, SameOffer
from bot.rules.features.offers.signing import Agree, Declare, EndOffer, HaveThem, PickTaker, Sign
from bot.rules.features.offers.state import takers
from bot.rules.features.seats import Leave, TakeUp
from bot.rules.features.tables import (
    BeginClosing,
    ChangeSetting,
    CloseTable,
    MoveTable,
    OpenTable,
    PauseTable,
    ReopenTable,
    ResumeTable,
    SetHost,
)
from bot.rules.model.deals import ROUND
from bot.rules.model.offer import Offer
from bot.rules.model.table import Table
from bot.testing.world import Ask

C = TypeVar("C", bound=Command)
Maker = Callable[[Table, Random], tuple[Command, Caller]]

PLAYERS = range(1, 11)
"""The people who come and go at random tables."""

SELDOM: tuple[type[Command], ...] = (
    OpenTable,
    CloseTable,
    BeginClosing,
    ReopenTable,
    PauseTable,
    ResumeTable,
    MoveTable,
    ChangeSetting,
    SetNextTime,
    Come,
    TakeUp,
)
"""Commands without a maker. Tests open, pause and close tables; `ChangeSetting` decides as
`ChangeSettings`.
"""


class Makers:
    """The makers of one game's commands. ``weighted`` has every kind as often as it should come."""

    def __init__(self) -> None:
        self.by_kind: dict[type[Command], Maker] = {}
        self.weighted: list[type[Command]] = []

    def makes(self, kind: type[Command], weight: int = 1) -> Callable[[Maker], Maker]:
        """Register the maker of a kind of command. ``weight``: how often it comes."""

        def register(maker: Maker) -> Maker:
            self.by_kind[kind] = maker
            self.weighted.extend([kind] * weight)
            return maker

        return register

    def of_all_games(self, weights: Mapping[type[Command], int]) -> None:
        """Register makers that are the same for every game."""
        for kind, weight in weights.items():
            self.makes(kind, weight)(OF_ALL_GAMES.by_kind[kind])

    def of(self, kind: type[Command], table: Table, dice: Random) -> Ask:
        """Return a random command of this kind."""
        return Ask(*self.by_kind[kind](table, dice))

    def any(self, table: Table, dice: Random) -> Ask:
        """Return a random command of a random kind."""
        return self.of(dice.choice(self.weighted), table, dice)


# ---------------------------------------------------------------- dice


def likely(dice: Random, percent: int) -> bool:
    """Return True with this probability."""
    return dice.randint(1, 100) <= percent


def seated(table: Table, dice: Random) -> str:
    """Return a taken seat, or any seat if none is taken."""
    return dice.choice(table.seated() or list(table.seats))


def sits_in(table: Table, seat: str | None, dice: Random) -> Caller:
    """Return the person in this seat as the caller, nearly always; somebody else if it is empty."""
    person = table.seats[seat].person if seat and seat in table.seats else None
    return Caller(person) if person and likely(dice, 95) else asker(table, dice)


def asker(table: Table, dice: Random) -> Caller:
    """Return a caller, mostly one who is seated."""
    person = table.seats[seated(table, dice)].person
    return Caller(person if person and likely(dice, 90) else dice.choice(PLAYERS))


def ruler(table: Table, dice: Random) -> Caller:
    """Return a caller for a command of hosts: mostly the host."""
    if likely(dice, 80):
        return Caller(table.host)
    return Caller(asker(table, dice).person, moderator=likely(dice, 50))


def one_of_latest(count: int, dice: Random) -> int:
    """Return a number among the latest of this count, or one above it."""
    return max(1, count + 1 - dice.randint(0, 4))


def an_offer(table: Table, dice: Random) -> Offer | None:
    """Return one of the latest live offers, most of the time."""
    standing = table.live_offers()[-4:]
    return dice.choice(standing) if standing and likely(dice, 85) else None


def offer_of_poster(table: Table, dice: Random) -> tuple[int, int, Caller]:
    """Return the number and revision of an offer, and nearly always its poster."""
    offer = an_offer(table, dice)
    if offer is None:
        return one_of_latest(table.offers_posted, dice), 1, asker(table, dice)
    return offer.number, offer.revision, sits_in(table, offer.seat, dice)


# ---------------------------------------------------------------- the makers that are the same for

OF_ALL_GAMES = Makers()


@OF_ALL_GAMES.makes(Leave)
def _leave(table: Table, dice: Random) -> tuple[Command, Caller]:
    seat = seated(table, dice)
    if likely(dice, 30):
        return Leave(None if likely(dice, 70) else seat), asker(table, dice)
    if likely(dice, 10):
        return Leave(seat), ruler(table, dice)
    return Leave(seat), Caller(dice.choice(PLAYERS))


@OF_ALL_GAMES.makes(SetHost)
def _set_host(table: Table, dice: Random) -> tuple[Command, Caller]:
    return SetHost(dice.choice(PLAYERS)), ruler(table, dice)


@OF_ALL_GAMES.makes(Sign)
def _sign(table: Table, dice: Random) -> tuple[Command, Caller]:
    standing = table.open_offers()
    if not standing or likely(dice, 5):
        return Sign(dice.randint(1, table.offers_posted + 1), 1), asker(table, dice)
    offer = standing[-dice.randint(1, min(4, len(standing)))]
    if offer.to and likely(dice, 80):
        seat = offer.to
    else:
        parties = [seat for seat in (offer.seat, offer.to) if seat]
        seat = dice.choice([*parties, seated(table, dice)])
    revision = None if likely(dice, 5) else offer.revision + (not likely(dice, 97))
    return Sign(offer.number, revision), sits_in(table, seat, dice)


@OF_ALL_GAMES.makes(EndOffer)
def _end_offer(table: Table, dice: Random) -> tuple[Command, Caller]:
    how = dice.choice(["withdraw", "decline", "back_out"])
    offer = an_offer(table, dice)
    if offer is None or likely(dice, 40):
        return EndOffer(one_of_latest(table.offers_posted, dice), how), asker(table, dice)  # type: ignore[arg-type]
    seat: str | None = offer.seat
    if how != "withdraw":
        seat = dice.choice([offer.to, *takers(table, offer), offer.seat])
    return EndOffer(offer.number, how), sits_in(table, seat, dice)  # type: ignore[arg-type]


@OF_ALL_GAMES.makes(PauseOffer)
def _pause_offer(table: Table, dice: Random) -> tuple[Command, Caller]:
    number, _, caller = offer_of_poster(table, dice)
    return PauseOffer(number, paused=likely(dice, 40)), caller


@OF_ALL_GAMES.makes(PickTaker)
def _pick_taker(table: Table, dice: Random) -> tuple[Command, Caller]:
    accepted = [offer for offer in table.open_offers() if takers(table, offer)]
    if not accepted or likely(dice, 5):
        number = one_of_latest(table.offers_posted, dice)
        taker = dice.choice(list(table.seats))
        return PickTaker(number, 1, taker), asker(table, dice)
    offer = dice.choice(accepted)
    taker = dice.choice(takers(table, offer))
    return PickTaker(offer.number, offer.revision, taker), sits_in(table, offer.seat, dice)


@OF_ALL_GAMES.makes(Agree)
def _agree(table: Table, dice: Random) -> tuple[Command, Caller]:
    number, revision, _ = offer_of_poster(table, dice)
    return Agree(number, revision), asker(table, dice)


@OF_ALL_GAMES.makes(RepeatOffer)
def _repeat_offer(table: Table, dice: Random) -> tuple[Command, Caller]:
    return RepeatOffer(one_of_latest(table.offers_posted, dice)), asker(table, dice)


@OF_ALL_GAMES.makes(SameOffer)
def _same_offer(table: Table, dice: Random) -> tuple[Command, Caller]:
    number, revision, _ = offer_of_poster(table, dice)
    return SameOffer(number, revision), asker(table, dice)


@OF_ALL_GAMES.makes(OpenNegotiation)
def _open_negotiation(table: Table, dice: Random) -> tuple[Command, Caller]:
    seat, topic = seated(table, dice), "x" * dice.choice([0, 3, 60, 61])
    return OpenNegotiation(seat, topic), asker(table, dice)


@OF_ALL_GAMES.makes(CloseNegotiation)
def _close_negotiation(table: Table, dice: Random) -> tuple[Command, Caller]:
    ongoing = list(table.negotiations.values())
    if not ongoing or likely(dice, 20):
        return CloseNegotiation(one_of_latest(table.negotiations_opened, dice)), asker(table, dice)
    talks = dice.choice(ongoing)
    return CloseNegotiation(talks.number), sits_in(table, talks.other, dice)


@OF_ALL_GAMES.makes(Audit)
def _audit(table: Table, dice: Random) -> tuple[Command, Caller]:
    what: What = dice.choice(["ledger", "verify", "trade", "player", "holdings", "export"])
    return Audit(what, dice.choice([None, 1, 2])), ruler(table, dice)


@OF_ALL_GAMES.makes(Declare)
def _declare(table: Table, dice: Random) -> tuple[Command, Caller]:
    offer = an_offer(table, dice)
    if offer is None:
        return Declare(one_of_latest(table.offers_posted, dice)), asker(table, dice)
    seat = dice.choice([offer.seat, offer.to])
    return Declare(offer.number), sits_in(table, seat, dice)


@OF_ALL_GAMES.makes(HaveThem)
def _have_them(table: Table, dice: Random) -> tuple[Command, Caller]:
    declare, caller = _declare(table, dice)
    number = getattr(declare, "offer", 0)
    offer = table.offers.get(number)
    return HaveThem(number, offer.revision if offer else 1), caller


@OF_ALL_GAMES.makes(ProposeDeal)
def _propose_deal(table: Table, dice: Random) -> tuple[Command, Caller]:
    words = "x" * dice.choice([0, 3, 300, 301])
    later, card = likely(dice, 50), likely(dice, 20)
    by = ("", ROUND, table.window.kind)[table.seq % 3] if later else ""
    to, private = seated(table, dice), likely(dice, 40)
    return ProposeDeal(to, words, later, card, private, by), asker(table, dice)


@OF_ALL_GAMES.makes(AnswerDeal)
def _answer_deal(table: Table, dice: Random) -> tuple[Command, Caller]:
    waiting = list(table.deals.values())
    if not waiting or likely(dice, 20):
        number = one_of_latest(table.deals_proposed, dice)
        return AnswerDeal(number, agreed=True), asker(table, dice)
    deal = dice.choice(waiting)
    answer = AnswerDeal(deal.number, agreed=likely(dice, 70))
    return answer, sits_in(table, deal.to, dice)


@OF_ALL_GAMES.makes(MarkDeal)
def _mark_deal(table: Table, dice: Random) -> tuple[Command, Caller]:
    mark = dice.choice(["kept", "broken"])
    return MarkDeal(one_of_latest(table.deals_proposed, dice), mark), asker(table, dice)  # type: ignore[arg-type]


@OF_ALL_GAMES.makes(WriteRule)
def _write_rule(table: Table, dice: Random) -> tuple[Command, Caller]:
    number = dice.choice(get_args(Number))
    words = "x" * dice.choice([0, 3, 300, 301])
    return WriteRule(number, words), ruler(table, dice)
