"""Random tables: one generator of commands, for every test that wants a table that has lived.

A *maker* makes one kind of command, likely to be allowed but not sure to be. Whoever adds a command adds its maker
with `makes`; ``test_every_kind_of_command_is_made`` names those that have none. Dice are a `random.Random`:
hypothesis hands in one that it can shrink, the long loop one with a seed. The tables here play Twilight Imperium;
`tests.rules.advciv_machine` has those of Advanced Civilization.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from bot.rules.apply import apply
from bot.rules.commands import (
    Agree,
    AlterOffer,
    AnswerDeal,
    Audit,
    ChangeSettings,
    CloseNegotiation,
    CloseTable,
    Command,
    CounterOffer,
    Declare,
    EndOffer,
    Gain,
    Leave,
    MarkDeal,
    OpenNegotiation,
    OpenTable,
    PauseOffer,
    PickTaker,
    PostOffer,
    ProposeDeal,
    SetHoldings,
    SetHost,
    SetPhase,
    Sign,
    Sit,
    Spend,
    Tick,
)
from bot.rules.decide import decide
from bot.rules.entries import CORE, Entry, HandedOver
from bot.rules.games.ti4 import GAME
from bot.rules.games.ti4.commands import (
    AnswerClaim,
    BeginCombat,
    ClaimNeighbor,
    Convert,
    EndCombat,
    EndTurn,
    GainCommodities,
    GrantPermit,
    JoinNeighbors,
    NextTurn,
    PartNeighbors,
    PassTurn,
    PlayNote,
    Replenish,
    ResolveAgenda,
    ReturnNote,
    RevealAgenda,
    SetOrder,
    StartTurn,
)
from bot.rules.games.ti4.state import Lift, state_of
from bot.rules.goods import NOTHING, Goods, kind_of
from bot.rules.offer_state import takers
from bot.rules.ruling import Refused
from bot.rules.table import Settings, Table

C = TypeVar("C", bound=Command)
Maker = Callable[[Table, Random], Command]

PEOPLE = range(1, 11)
"""People of the table by number. More than there are seats for: some only look on."""

SEATS = ("hacan", "sol", "letnev", "mahact", "xxcha", "l1z1x", "nekro", "naaz")
"""Hacan trades with everybody, Mahact has no Alliance; the others are ordinary."""

DEALT = Goods({"trade_good": 4, "commodity": 1, "fragment:unknown": 1})
"""What each seat begins with at a table of `opened`."""

KINDS = frozenset({*CORE, *GAME.entries} - {HandedOver})
"""The kinds of entry that come about here: nothing is handed over in a game that has no `Exchange`."""

MAKERS: dict[type[Command], Maker] = {}
WEIGHTED: list[type[Command]] = []
"""Every kind as often as it should come."""


def makes(
    kind: type[C],
    weight: int,
    makers: dict[type[Command], Maker] = MAKERS,
    weighted: list[type[Command]] = WEIGHTED,
) -> Callable[[Callable[[Table, Random], C]], Callable[[Table, Random], C]]:
    """Register the maker of a kind of command. ``weight``: how often it comes, beside the others of its game."""

    def register(maker: Callable[[Table, Random], C]) -> Callable[[Table, Random], C]:
        makers[kind] = maker
        weighted.extend([kind] * weight)
        return maker

    return register


# ---------------------------------------------------------------- the world


@dataclass
class World:
    """A table, what happened at it, and what was refused."""

    table: Table = field(default_factory=Table)
    entries: list[Entry] = field(default_factory=list)

    def do(self, command: Command) -> tuple[Entry, ...]:
        """Decide and apply. Raises `Refused`, and then nothing has changed."""
        decided = decide(self.table, command)
        for entry in decided:
            self.table = apply(self.table, entry)
        self.entries += decided
        return decided

    def tries(self, command: Command) -> tuple[Entry, ...] | Refused:
        """Like `do`, with the refusal as an answer."""
        try:
            return self.do(command)
        except Refused as refused:
            return refused


def opened(seats: int, dice: Random, settings: Settings | None = None) -> World:
    """A table at which so many sit, goods dealt, each a neighbour of the next; person 1 is the host."""
    world = World()
    world.do(OpenTable(by=1, game="ti4", name="Friday"))
    chosen = dice.sample(SEATS, seats)
    for person, seat in enumerate(chosen, start=1):
        world.do(Sit(by=1, seat=seat, person=person))
        world.do(SetHoldings(by=1, person=person, goods=DEALT))
    for person in range(2, seats + 1):
        world.do(JoinNeighbors(by=1, first=person - 1, second=person))
    if settings is not None and settings != world.table.settings:
        world.do(ChangeSettings(by=1, settings=settings))
    return world


def commands(world: World, dice: Random, many: int) -> Iterator[Command]:
    """So many random commands, each made for the table as it is when it is asked for."""
    for _ in range(many):
        yield command(world.table, dice)


def command(table: Table, dice: Random) -> Command:
    """A random command of a random kind."""
    return MAKERS[dice.choice(WEIGHTED)](table, dice)


# ---------------------------------------------------------------- dice


def likely(dice: Random, percent: int) -> bool:
    """True so often in a hundred."""
    return dice.randint(1, 100) <= percent


def seated(table: Table, dice: Random) -> int:
    """Somebody who sits here; anybody when nobody does."""
    sitting = [seat.person for seat in table.seats.values() if seat.person is not None]
    return dice.choice(sitting or list(PEOPLE))


def asker(table: Table, dice: Random) -> int:
    """Whoever asks: mostly somebody seated."""
    return seated(table, dice) if likely(dice, 90) else dice.choice(PEOPLE)


def ruler(table: Table, dice: Random) -> dict[str, object]:
    """Who asks for what only a host may: mostly one who may."""
    if likely(dice, 80):
        return {"by": table.host or 1}
    return {"by": asker(table, dice), "moderator": likely(dice, 50)}


def two(table: Table, dice: Random) -> tuple[int, int]:
    """Two people, nearly always two different ones."""
    return seated(table, dice), seated(table, dice)


def some_goods(table: Table, dice: Random) -> Goods:
    """Goods of any kind, whoever has them."""
    tokens = [
        "trade_good", "trade_good", "commodity", "fragment:cultural", "fragment:unknown", "action_card",
        "planet:Arretze", "relic:The Codex",
    ]  # fmt: skip
    for seat in table.seats:
        tokens += [f"captured:cruiser:{seat}", f"captured:infantry:{seat}", *GAME.start(seat)]
    goods = NOTHING
    for _ in range(dice.randint(0, 3)):
        goods += unlike(goods, dice.choice(tokens), dice.randint(1, 4))
    return goods


def held_goods(table: Table, person: int | None, dice: Random) -> Goods:
    """Some of what this person has."""
    seat = table.seat_of(person) if person else None
    tokens = list(seat.holdings) if seat else []
    goods = NOTHING
    for token in dice.sample(tokens, min(len(tokens), dice.randint(0, 2))):
        assert seat is not None
        goods += unlike(goods, token, dice.randint(1, min(3, seat.holdings[token])))
    return goods


def unlike(goods: Goods, token: str, count: int) -> Goods:
    """So many of a component, but only one of what there is one of in the box."""
    if kind_of(token) in ("note", "planet", "relic"):
        return NOTHING if token in goods else Goods({token: 1})
    return Goods({token: count})


def goods_of(table: Table, person: int | None, dice: Random) -> Goods:
    """What somebody might give: mostly what they have."""
    return held_goods(table, person, dice) if likely(dice, 85) else some_goods(table, dice)


# ---------------------------------------------------------------- the makers, one a kind


@makes(Sit, 3)
def _sit(table: Table, dice: Random) -> Sit:
    person = dice.choice(PEOPLE)
    return Sit(by=person if likely(dice, 60) else table.host, seat=dice.choice(SEATS), person=person)


@makes(Leave, 1)
def _leave(table: Table, dice: Random) -> Leave:
    person = seated(table, dice)
    return Leave(by=person if likely(dice, 20) else dice.choice(PEOPLE), person=person)


@makes(SetHost, 1)
def _set_host(table: Table, dice: Random) -> SetHost:
    return SetHost.model_validate({**ruler(table, dice), "person": dice.choice(PEOPLE)})


@makes(ChangeSettings, 1)
def _change_settings(table: Table, dice: Random) -> ChangeSettings:
    settings = Settings(
        rulings="warn" if likely(dice, 25) else "refuse", inventory="untracked" if likely(dice, 20) else "tracked",
        declare_neighbors="host" if likely(dice, 20) else "players",
        declare_holdings="host" if likely(dice, 20) else "players", confirm="twice" if likely(dice, 15) else "once",
    )  # fmt: skip
    return ChangeSettings.model_validate({**ruler(table, dice), "settings": settings})


@makes(SetPhase, 1)
def _set_phase(table: Table, dice: Random) -> SetPhase:
    return SetPhase.model_validate({**ruler(table, dice), "phase": dice.choice([*GAME.phases, "lunch"])})


@makes(SetHoldings, 2)
def _set_holdings(table: Table, dice: Random) -> SetHoldings:
    return SetHoldings.model_validate(
        {**ruler(table, dice), "person": seated(table, dice), "goods": some_goods(table, dice)}
    )


@makes(Gain, 4)
def _gain(table: Table, dice: Random) -> Gain:
    return Gain(by=asker(table, dice), goods=some_goods(table, dice).without_kind("note"))


@makes(Spend, 3)
def _spend(table: Table, dice: Random) -> Spend:
    by = asker(table, dice)
    return Spend(by=by, goods=goods_of(table, by, dice).without_kind("note"))


@makes(PostOffer, 18)
def _post_offer(table: Table, dice: Random) -> PostOffer:
    by = asker(table, dice)
    active = table.seats[table.window.holder].person if table.window.holder else None
    to = (active if active != by and likely(dice, 50) else seated(table, dice)) if likely(dice, 85) else None
    return PostOffer(
        by=by, to=to, give=goods_of(table, by, dice), want=goods_of(table, to or seated(table, dice), dice),
        terms="x" * dice.choice([0, 3, 300, 301]), lasts=dice.choice([None, None, None, 10_000, 1]),
        negotiation=number_of(table.negotiations, dice) if likely(dice, 10) else None,
    )  # fmt: skip


@makes(Sign, 24)
def _sign(table: Table, dice: Random) -> Sign:
    standing = table.open_offers()
    if not standing or likely(dice, 5):
        return Sign(by=asker(table, dice), offer=dice.randint(1, len(table.offers) + 1), revision=1)
    offer = standing[-dice.randint(1, min(4, len(standing)))]
    parties = [table.seats[seat].person for seat in (offer.seat, offer.to) if seat]
    other = parties[-1] if offer.to and likely(dice, 80) else dice.choice([*parties, seated(table, dice)])
    return Sign(by=other or table.host, offer=offer.number, revision=offer.revision + (not likely(dice, 97)))


@makes(EndOffer, 2)
def _end_offer(table: Table, dice: Random) -> EndOffer:
    number = dice.randint(1, len(table.offers) + 1)
    return EndOffer(by=asker(table, dice), offer=number, how="withdraw" if likely(dice, 50) else "decline")


@makes(StartTurn, 3)
def _start_turn(table: Table, dice: Random) -> StartTurn:
    return StartTurn.model_validate({**ruler(table, dice), "person": seated(table, dice)})


@makes(EndTurn, 1)
def _end_turn(table: Table, dice: Random) -> EndTurn:
    return EndTurn.model_validate(ruler(table, dice))


@makes(JoinNeighbors, 3)
def _join_neighbors(table: Table, dice: Random) -> JoinNeighbors:
    first, second = two(table, dice)
    return JoinNeighbors.model_validate({**ruler(table, dice), "first": first, "second": second})


@makes(PartNeighbors, 1)
def _part_neighbors(table: Table, dice: Random) -> PartNeighbors:
    first, second = two(table, dice)
    return PartNeighbors.model_validate({**ruler(table, dice), "first": first, "second": second})


@makes(CounterOffer, 3)
def _counter_offer(table: Table, dice: Random) -> CounterOffer:
    by = asker(table, dice)
    return CounterOffer(
        by=by, offer=number_of(table.offers, dice), give=goods_of(table, by, dice), want=some_goods(table, dice)
    )


@makes(AlterOffer, 4)
def _alter_offer(table: Table, dice: Random) -> AlterOffer:
    number = number_of(table.offers, dice)
    by, revision = poster(table, number, dice)
    give, want = goods_of(table, by, dice), some_goods(table, dice)
    return AlterOffer(by=by, offer=number, revision=revision, give=give, want=want, terms="")


@makes(PauseOffer, 3)
def _pause_offer(table: Table, dice: Random) -> PauseOffer:
    number = number_of(table.offers, dice)
    return PauseOffer(by=poster(table, number, dice)[0], offer=number, paused=likely(dice, 40))


@makes(PickTaker, 4)
def _pick_taker(table: Table, dice: Random) -> PickTaker:
    accepted = [offer for offer in table.open_offers() if takers(table, offer)]
    if not accepted or likely(dice, 5):
        return PickTaker(
            by=asker(table, dice), offer=number_of(table.offers, dice), revision=1, taker=dice.choice(list(table.seats))
        )
    offer = dice.choice(accepted)
    by, revision = poster(table, offer.number, dice)
    return PickTaker(by=by, offer=offer.number, revision=revision, taker=dice.choice(takers(table, offer)))


@makes(Agree, 2)
def _agree(table: Table, dice: Random) -> Agree:
    number = number_of(table.offers, dice)
    return Agree(by=asker(table, dice), offer=number, revision=poster(table, number, dice)[1])


@makes(Tick, 1)
def _tick(table: Table, dice: Random) -> Tick:
    return Tick(by=asker(table, dice), at=dice.choice([0, 9_999, 10_000]))


@makes(OpenNegotiation, 1)
def _open_negotiation(table: Table, dice: Random) -> OpenNegotiation:
    return OpenNegotiation(by=asker(table, dice), other=seated(table, dice), topic="x" * dice.choice([0, 60, 61]))


@makes(CloseNegotiation, 1)
def _close_negotiation(table: Table, dice: Random) -> CloseNegotiation:
    return CloseNegotiation(by=asker(table, dice), negotiation=number_of(table.negotiations, dice))


@makes(Audit, 1)
def _audit(table: Table, dice: Random) -> Audit:
    return Audit.model_validate({**ruler(table, dice), "what": dice.choice(["ledger", "verify"])})


@makes(Declare, 2)
def _declare(table: Table, dice: Random) -> Declare:
    return Declare(by=asker(table, dice), offer=number_of(table.offers, dice))


@makes(ProposeDeal, 1)
def _propose_deal(table: Table, dice: Random) -> ProposeDeal:
    terms = "x" * dice.choice([0, 3, 300, 301])
    return ProposeDeal(
        by=asker(table, dice), to=seated(table, dice), terms=terms, later=likely(dice, 50), card=likely(dice, 20)
    )


@makes(AnswerDeal, 1)
def _answer_deal(table: Table, dice: Random) -> AnswerDeal:
    return AnswerDeal(by=asker(table, dice), deal=number_of(table.deals, dice), agreed=likely(dice, 70))


@makes(MarkDeal, 1)
def _mark_deal(table: Table, dice: Random) -> MarkDeal:
    return MarkDeal(
        by=asker(table, dice), deal=number_of(table.deals, dice), mark="kept" if likely(dice, 50) else "broken"
    )


@makes(NextTurn, 1)
def _next_turn(table: Table, dice: Random) -> NextTurn:
    return NextTurn.model_validate(ruler(table, dice))


@makes(PassTurn, 1)
def _pass_turn(table: Table, dice: Random) -> PassTurn:
    return PassTurn.model_validate(ruler(table, dice))


@makes(SetOrder, 1)
def _set_order(table: Table, dice: Random) -> SetOrder:
    people = tuple(seated(table, dice) for _ in range(dice.randint(0, 3)))
    return SetOrder.model_validate({**ruler(table, dice), "people": people})


@makes(BeginCombat, 1)
def _begin_combat(table: Table, dice: Random) -> BeginCombat:
    first, second = two(table, dice)
    return BeginCombat.model_validate({**ruler(table, dice), "first": first, "second": second})


@makes(EndCombat, 1)
def _end_combat(table: Table, dice: Random) -> EndCombat:
    return EndCombat.model_validate(ruler(table, dice))


@makes(RevealAgenda, 1)
def _reveal_agenda(table: Table, dice: Random) -> RevealAgenda:
    return RevealAgenda(by=asker(table, dice), title=dice.choice(["", "Mutiny"]), replaces=likely(dice, 30))


@makes(ResolveAgenda, 1)
def _resolve_agenda(table: Table, dice: Random) -> ResolveAgenda:
    return ResolveAgenda(by=asker(table, dice))


@makes(ClaimNeighbor, 2)
def _claim_neighbor(table: Table, dice: Random) -> ClaimNeighbor:
    return ClaimNeighbor(by=asker(table, dice), other=dice.choice(SEATS))


@makes(AnswerClaim, 2)
def _answer_claim(table: Table, dice: Random) -> AnswerClaim:
    claims = sorted(state_of(table).claims)
    if not claims or likely(dice, 10):
        return AnswerClaim(by=asker(table, dice), other=dice.choice(SEATS), agreed=True)
    seat, other = dice.choice(claims)
    return AnswerClaim(by=table.seats[other].person or table.host, other=seat, agreed=likely(dice, 50))


@makes(Replenish, 2)
def _replenish(table: Table, dice: Random) -> Replenish:
    by = asker(table, dice)
    return Replenish(by=by, person=by if likely(dice, 70) else seated(table, dice))


@makes(Convert, 1)
def _convert(table: Table, dice: Random) -> Convert:
    return Convert(by=asker(table, dice), amount=dice.randint(0, 3))


@makes(GainCommodities, 1)
def _gain_commodities(table: Table, dice: Random) -> GainCommodities:
    return GainCommodities(by=asker(table, dice), amount=dice.randint(0, 3))


@makes(PlayNote, 2)
def _play_note(table: Table, dice: Random) -> PlayNote:
    by = seated(table, dice)
    return PlayNote(by=by, note=_note(table, by, dice))


@makes(ReturnNote, 2)
def _return_note(table: Table, dice: Random) -> ReturnNote:
    by = seated(table, dice)
    return ReturnNote(by=by, note=_note(table, by, dice))


@makes(GrantPermit, 1)
def _grant_permit(table: Table, dice: Random) -> GrantPermit:
    first, second = two(table, dice)
    lifts: list[Lift] = ["neighbors", "limit", "window", "goods"]
    asked = {"first": first, "second": second, "lifts": dice.choice(lifts), "once": likely(dice, 70)}
    return GrantPermit.model_validate({**ruler(table, dice), **asked, "reason": dice.choice(["", "a card"])})


def poster(table: Table, number: int, dice: Random) -> tuple[int, int]:
    """Who posted this offer, nearly always, and its revision; anybody and 1 when there is none such."""
    offer = table.offers.get(number)
    person = table.seats[offer.seat].person if offer else None
    return (person if person and likely(dice, 90) else asker(table, dice)), offer.revision if offer else 1


def number_of(of: Mapping[int, object], dice: Random) -> int:
    """The number of one of the latest, or one too many."""
    return max(1, len(of) + 1 - dice.randint(0, 4))


def _note(table: Table, person: int, dice: Random) -> str:
    """A note that this person holds of somebody else's, if any; else any note of this table."""
    seat = table.seat_of(person)
    tokens = (*seat.holdings.of_kind("note"), *seat.in_play) if seat else ()
    held: list[str] = [token for token in tokens if seat and not token.endswith(f":{seat.id}")]
    if held and likely(dice, 90):
        return dice.choice(held)
    return dice.choice([token for other in table.seats for token in GAME.start(other)])


SELDOM: dict[type[Command], Maker] = {
    OpenTable: lambda table, dice: OpenTable(by=1, game="ti4"),
    CloseTable: lambda table, dice: CloseTable.model_validate(ruler(table, dice)),
}
"""The beginning and the end of a table: the tests bring these about themselves."""
