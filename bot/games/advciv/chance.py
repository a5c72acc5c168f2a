"""Chance: the seed of a table, and the cards that it picks from a hand.

`bot.api.chance` explains how the seed comes about. The order of the stacks, the cards picked from a
hand [24.51, 15.62] and the calamities that take effect [29.5] follow from it, so anybody can verify
them when the table has closed.
"""

from __future__ import annotations

from bot.api import Goods, Table, chance, part
from bot.api.chance import Seed, picked, seed_of
from bot.games.advciv.state import Stacks


class TableSeedCommitted(chance.SeedCommitted):
    """The table committed to a secret before anybody sat down."""

    kind = "advciv.seed.committed"


def current_seed(table: Table, chance: str) -> str:
    """Return the seed of the stacks if the bot deals, else `seed_of`."""
    return part(table, Stacks).seed or seed_of(table, chance)


def has_seed(table: Table) -> bool:
    """Return whether the table has a seed of its own. It then needs no ``chance`` of a command."""
    return bool(part(table, Stacks).seed or part(table, Seed).secret)


def from_hand(table: Table, seat: str, count: int, chance: str) -> Goods:
    """Pick ``count`` cards of a hand with equal probability, or all that chance may take if they
    are fewer.

    ``chance`` is the seed of a table without a commitment.
    """
    seed = f"{current_seed(table, chance)}:hand:{part(table, Seed).draws}:{seat}"
    cards = list(may_be_taken(table, seat).tokens())
    return Goods.of(picked(cards, count, seed))


def may_be_taken(table: Table, seat: str) -> Goods:
    """Return the cards of a hand that chance may take: no calamities, since these leave a hand only
    in a trade or when they are resolved [29.2, 29.3].
    """
    return table.seats[seat].holdings.of_kind("commodity")


def wrong_pick(table: Table, seat: str, lost: Goods, due: int) -> str:
    """Return a fault if ``lost`` are not the ``due`` cards that the seed picks from this hand; else
    empty.
    """
    if has_seed(table) and (
        lost != from_hand(table, seat, lost.total(), "") or lost.total() != due
    ):
        return "the cards picked from a hand are not those that the seed picks"
    return ""


FEATURE = chance.feature(TableSeedCommitted)
