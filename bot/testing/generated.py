"""Random commands made up from the types and names of their fields; and opened tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from bot.rules.commands import NOBODY, Caller, Command
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver, Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import ChangeSettings, OpenTable, Tick, next_deadline
from bot.rules.game import Game
from bot.rules.guard import Misshapen
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of, installed_game
from bot.rules.views import Viewer
from bot.rules.visible_table import see
from bot.rules.vocabulary import CORE
from bot.testing.makers import (
    OF_ALL_GAMES,
    PLAYERS,
    SELDOM,
    Maker,
    Makers,
    an_offer,
    asker,
    likely,
    one_of_latest,
    ruler,
    seated,
    sits_in,
)
from bot.testing.presented import presented
from bot.testing.world import Ask, World

OFTEN: Mapping[type[Command], int] = {PostOffer: 4, Sign: 6, HandOver: 4, Gain: 3}
"""How often a command of the core comes, if not once."""

OWN = 4
"""How often one of the game's own commands comes."""


def opened(game: str, players: int, dice: Random, *, host: int = 1, **settings: str | int) -> World:
    """Return a table of this game with people 1, 2, 3 and so on in its first seats, as many as
    there are or may play.

    >>> opened("bazaar", 2, Random(1)).table.seated()
    ['red', 'green']
    """
    world = World()
    world.do(host, OpenTable(game, "Friday", chance=secret(dice)))
    if settings:
        world.do(host, ChangeSettings(settings))
    seats = installed_game(game).seats
    places = [seat.id for seat in seats.every()]
    if seats.offered:
        offered = seats.offered(world.table.settings)
        places = [seat for seat in places if seat in offered]
    for seat in places:
        sitting = len(world.table.seated())
        if sitting < min(players, seats.most or players):
            world.tries(Ask(Sit(seat, sitting + 1), Caller(host)))  # a seat may bar another
    return world


def makers_of(game: Game, own: Makers) -> Makers:
    """Return a maker for each kind of command: its author's, or one made from the fields."""
    known = {**OF_ALL_GAMES.by_kind, **TRADES.by_kind, **own.by_kind}
    made = Makers()
    for kind in (*CORE.commands, *game.features.commands):
        if kind in SELDOM or kind is ChangeSettings:
            continue
        usual = OWN if kind in game.features.commands else OFTEN.get(kind, 1)
        weight = own.weighted.count(kind) or usual
        made.makes(kind, weight)(known.get(kind) or maker_of(kind))
    return made


def maker_of(kind: type[Command]) -> Maker:
    """Return a maker that fills in the fields of this kind of command by their types and names.

    It raises `NotMadeUp` for a field of another type than those a command may have.
    """
    hints = get_type_hints(kind)

    def made(table: Table, dice: Random) -> tuple[Command, Caller]:
        if kind is Tick:
            at = next_deadline(table) or dice.choice([0, 400_000])
            return kind(), Caller(NOBODY, at=at)
        caller = asker(table, dice) if likely(dice, 75) else ruler(table, dice)
        return kind(**filled(kind, hints, table, caller, dice)), caller

    return made


TRADES = Makers()
"""Makers of the core's commands whose fields depend on one another."""


@TRADES.makes(PostOffer)
def _post_offer(table: Table, dice: Random) -> tuple[Command, Caller]:
    caller = asker(table, dice)
    to = seated(table, dice) if likely(dice, 75) else None
    other = Caller(table.seats[to].person or NOBODY) if to else caller
    give, want = some_goods(table, caller, dice), some_goods(table, other, dice)
    terms = dice.choice(["", "", "", "words"])
    lasts = dice.choice([None, None, 60_000])
    handed = give if game_of(table).exchange and likely(dice, 30) else None
    return PostOffer(to, give, want, terms, lasts=lasts, handed=handed), caller


@TRADES.makes(HandOver)
def _hand_over(table: Table, dice: Random) -> tuple[Command, Caller]:
    offer = an_offer(table, dice)
    if offer is None:
        return HandOver(one_of_latest(table.offers_posted, dice), NOTHING), asker(table, dice)
    caller = sits_in(table, dice.choice([offer.seat, offer.to]), dice)
    goods = offer.give if caller.person == table.seats[offer.seat].person else offer.want
    if not likely(dice, 60):
        goods = some_goods(table, caller, dice)
    return HandOver(offer.number, goods), caller


def made_by(makers: Makers, table: Table, dice: Random) -> Ask:
    """Return a random command, with fresh randomness for its caller."""
    ask = makers.any(table, dice)
    return Ask(ask.command, replace(ask.caller, chance=secret(dice)))


def at_random(game: str, acts: int, enough: Callable[[], object]) -> World:
    """Play a random table of an installed game until ``enough``. Show it after each command.

    Raises what the game raises when it applies or shows entries, and `Misshapen`. Other errors
    while it decides are ignored: with made-up fields, a command may be one that no button and no
    slash command gives.
    """
    dice = Random(game)
    world, makers = opened(game, 3, dice), makers_of(installed_game(game), Makers())
    for _ in range(acts):
        if enough():
            break
        ask = made_by(makers, world.table, dice)
        try:
            answer = world.answer(ask)
        except Misshapen:
            raise
        except Exception:  # noqa: BLE001  (it may raise anything)
            continue
        if not isinstance(answer, Refused):
            since = world.table.seq
            world.add(answer, ask.caller)
            presented(world, since)
    return world


def secret(dice: Random) -> str:
    """Return what a service would draw for a command."""
    return f"{dice.getrandbits(256):064x}"


# ---------------------------------------------------------------- fields


class NotMadeUp(TypeError):
    """No value of this type can be made up: the command needs a maker of its own."""


def filled(
    kind: type, hints: Mapping[str, Any], table: Table, caller: Caller, dice: Random
) -> dict[str, Any]:
    """Return values for the fields of a class. Fields with a default are left out at times."""
    values = {}
    for field in fields(kind):
        needed = field.default is MISSING and field.default_factory is MISSING
        if needed or likely(dice, 60):
            values[field.name] = value_of(hints[field.name], field.name, table, caller, dice)
    return values


def value_of(hint: Any, name: str, table: Table, caller: Caller, dice: Random) -> Any:
    """Return a value for a field of this type and name. Raises `NotMadeUp` for other types."""

    def of(type: Any, name: str = name) -> Any:
        return value_of(type, name, table, caller, dice)

    inner = get_args(hint)
    origin = get_origin(hint)
    if origin is Literal:
        return dice.choice(inner)
    if origin in (Union, UnionType):
        if NoneType in inner and likely(dice, 30):
            return None
        return of(dice.choice([type for type in inner if type is not NoneType]))
    if hint is bool:
        return likely(dice, 50)
    if hint is int:
        return _number(name, table, dice)
    if hint is str:
        return _text(name, table, caller, dice)
    if hint is Goods:
        return some_goods(table, caller, dice)
    if origin is tuple and inner[-1] is not Ellipsis:
        return tuple(map(of, inner))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        pairs = range(dice.randint(0, 3))
        return {of(inner[0], ""): of(inner[1], "") for _ in pairs}
    if isinstance(origin, type) and issubclass(origin, Collection):
        if inner[0] is str and likely(dice, 50):
            return tuple(dice.sample(table.seated(), len(table.seated())))
        return tuple(of(inner[0]) for _ in range(dice.randint(0, 3)))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return dice.choice(list(hint))
    if is_dataclass(hint) and isinstance(hint, type):
        return hint(**filled(hint, get_type_hints(hint), table, caller, dice))
    raise NotMadeUp(
        f"I can't make up a value of {hint} for the field {name}: give its command a maker."
    )


def _number(name: str, table: Table, dice: Random) -> int:
    counts = {
        "offer": table.offers_posted,
        "deal": table.deals_proposed,
        "negotiation": table.negotiations_opened,
    }
    if name in counts:
        return one_of_latest(counts[name], dice)
    if name == "revision":
        return max((offer.revision for offer in table.live_offers()), default=1)
    if name == "person":
        return dice.choice(PLAYERS)
    few, some = dice.randint(1, 3), dice.randint(0, 12)
    odd = dice.choice([-1, 100, 60_000])
    return dice.choice([few, some, odd])


def _text(name: str, table: Table, caller: Caller, dice: Random) -> str:
    """Return a seat where the name asks for one; else a seat, a phase, goods, or words."""
    if name in ("seat", "to", "other", "taker", "player") and likely(dice, 90):
        return seated(table, dice)
    kinds: Sequence[Sequence[str]] = (
        list(table.seats),
        game_of(table).info.phases,
        list(_held(table, caller)) or [""],
        tokens(table),
        ("", "words", "x" * 60, "x" * 301),
    )
    weights = (2, 1, 4, 2, 1)
    if name == "phase":
        weights = (1, 6, 1, 1, 1)
    return dice.choice(dice.choices(kinds, weights)[0] or [""])


def _held(table: Table, caller: Caller) -> Goods:
    seat = table.seat_of(caller.person)
    return seat.holdings if seat else NOTHING


def some_goods(table: Table, caller: Caller, dice: Random) -> Goods:
    """Return a few goods: mostly some that the caller holds, else any."""
    held = sorted(_held(table, caller).tokens())
    own = held != [] and likely(dice, 60)
    pool = held if own else tokens(table)
    wanted = dice.choice([0, 1, 1, 2, 3])
    many = min(wanted, len(pool))
    if own:
        return Goods.of(dice.sample(pool, many))
    return Goods.of(dice.choice(pool) for _ in range(many))


def tokens(table: Table) -> list[str]:
    """Return every component that somebody holds here or could have."""
    view = see(table, Viewer())
    found = {suggestion.token for suggestion in game_of(table).goods.every(view)}
    for seat in table.seats.values():
        found.update(seat.holdings)
    return sorted(found)
