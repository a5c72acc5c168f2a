"""Random tables that play random definitions: the makers of the game's own commands."""

from __future__ import annotations

from functools import cache
from random import Random

from bot.games.any import GAME
from bot.games.any.book import Book, definition
from bot.games.any.deeds import (
    Alter,
    Bank,
    Begin,
    Define,
    Happen,
    Next,
    Play,
    SetGoods,
    rate_of,
)
from bot.games.any.definition import Definition, toml_value
from bot.games.any.trade import trading_at
from bot.rules.commands import Caller, Command
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Agree, PickTaker, Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.goods import NOTHING, Goods, kind_of
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.vocabulary import CORE
from bot.testing.generated import made_by, makers_of, secret
from bot.testing.makers import Makers, asker, likely, ruler, seated
from bot.testing.world import Ask, World
from data.any import presets
from tests.games.any import definitions

Made = tuple[Command, Caller]
MACHINE = Makers()
MACHINE.of_all_games({Sign: 24, Agree: 4, PickTaker: 3})
KINDS = frozenset({*CORE.entries, *GAME.features.entries})

CHANGES = (
    "trade.gifts = false",
    "trade.gifts = true",
    "trade.per_partner = 1",
    "trade.per_partner = 0",
    'trade.who = "all"',
    "trade.when = []",
    "hand = 0",
    'rules.R2 = "No shouting."',
    "goods.pearl = {}",
    "nonsense = 1",
    "trade.gifts = maybe",
)


def opened(
    dice: Random, players: int, *, host: int = 1, begun: bool = True, limited: bool = False
) -> World:
    """Return a table that plays a random definition, most often begun. ``limited``: one that limits
    hidden goods.
    """
    world = World()
    world.do(host, OpenTable("any", "Friday", chance=secret(dice)))
    found = definitions.definition(dice, secret=limited)
    world.do(host, Define(found.text()))
    for place in range(min(players, len(found.seats))):
        world.tries(Ask(Sit(f"s{place + 1}", place + 1), Caller(host)))
    if begun:
        world.do(host, Begin())
    return world


def made(table: Table, dice: Random) -> Ask:
    """Return a random command of the core or the game; mostly offers, and answers to them."""
    return made_by(_all_makers(), table, dice)


@cache
def _all_makers() -> Makers:
    return makers_of(GAME, MACHINE)


@MACHINE.makes(PostOffer, 16)
def _post_offer(table: Table, dice: Random) -> Made:
    """What two have, most often, in which case it can come about."""
    caller = asker(table, dice)
    seat, to = table.seat_of(caller.person), seated(table, dice)
    sides = []
    for each in (seat, table.seats.get(to)):
        held = list(each.holdings) if each else []
        sides.append(Goods.of(dice.sample(held, min(len(held), dice.randint(0, 2)))))
    terms = dice.choice(["", "", "peace", "by R2"])
    return PostOffer(to if likely(dice, 85) else None, *sides, terms), caller


@MACHINE.makes(Play)
def _play(table: Table, dice: Random) -> Made:
    return Play(dice.choice([*presets(), "nothing"])), ruler(table, dice)


@MACHINE.makes(Define)
def _define(table: Table, dice: Random) -> Made:
    found = definition(table)
    if found is None or likely(dice, 50):
        return Define(definitions.definition(dice).text()), ruler(table, dice)
    return Define(_longer(found, dice)), ruler(table, dice)


def _longer(found: Definition, dice: Random) -> str:
    """Return a definition with other rules, and the same goods and seats."""
    other = definitions.definition(dice)
    changed = found.model_copy(update={"name": other.name, "rules": other.rules})
    return changed.text()


@MACHINE.makes(Alter)
def _alter(table: Table, dice: Random) -> Made:
    return Alter(dice.choice(CHANGES)), ruler(table, dice)


@MACHINE.makes(SetGoods)
def _set_goods(table: Table, dice: Random) -> Made:
    found = definition(table)
    goods = {} if found is None else found.model_dump(mode="json", exclude_defaults=True)["goods"]
    if goods and likely(dice, 50):
        old = dice.choice(list(goods))
        goods = {"renamed" if name == old else name: good for name, good in goods.items()}
    else:
        goods = {**goods, dice.choice(["pearl", "shell", "two"]): {"hidden": likely(dice, 50)}}
    return SetGoods(toml_value(goods)), ruler(table, dice)


@MACHINE.makes(Begin)
def _begin(table: Table, dice: Random) -> Made:
    return Begin(), ruler(table, dice)


@MACHINE.makes(Next)
def _next(table: Table, dice: Random) -> Made:
    phase = dice.choice(["", "", "", *definitions.PHASES])
    since = table.window.since if likely(dice, 70) else dice.choice([None, 1])
    holder = table.window.holder
    person = table.seats[holder].person if holder else None
    caller = Caller(person) if person and likely(dice, 50) else ruler(table, dice)
    return Next(phase, since), caller


@MACHINE.makes(Bank, 4)
def _bank(table: Table, dice: Random) -> Made:
    caller = asker(table, dice)
    seat = table.seat_of(caller.person)
    if not part(table, Book).text or seat is None:
        return Bank(NOTHING, NOTHING), caller
    found = trading_at(table).found
    tokens = list(seat.holdings) or ["g1"]
    give = dice.choice(tokens)
    many = rate_of(found, kind_of(give)) or 1
    get = f"g{dice.randint(1, len(found.goods))}"
    if found.kinds[get].numbered:
        get = f"{get}:1"
    return Bank(Goods({give: many}), Goods({get: 1})), caller


@MACHINE.makes(Happen)
def _happen(table: Table, dice: Random) -> Made:
    event = dice.choice(["harvest", "gift", "Harvest", "flood"])
    return Happen(event, dice.choice([None, table.window.since])), ruler(table, dice)
