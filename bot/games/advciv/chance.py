"""Chance: the seed of a table, and all that follows from it.

Nobody picks the seed, and nobody can change it afterwards. As the table opens, a random secret is sealed and its
SHA-256 is said in public. Each person who sits down then mixes in the id that Discord gave to their command. The seed
is the SHA-256 of ``SECRET:ID:ID...`` in the order in which people sat down: the owner of the bot can't choose the ids,
and the players don't know the secret.

The order of the stacks, the cards that are picked from a hand [24.51, 15.62] and the calamities that take effect
[29.5] follow from the seed, so anybody can check them when the table has closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Literal

from bot.api import Entry, Feature, Goods, Sealed, SeatTaken, StatePart, Table, part, replace, with_part
from bot.games.advciv.state import Stack, Stacks


@dataclass(frozen=True, slots=True)
class Seed(StatePart):
    """What the table committed to as it opened, ``digest`` and ``secret``, and what people mixed in.

    ``mixed`` are the ids of the commands with which people sat down. ``picks`` counts how often chance has picked cards
    of a hand.
    """

    digest: str = ""
    secret: str = ""
    mixed: tuple[int, ...] = ()
    picks: int = 0


@dataclass(frozen=True, slots=True)
class SeedSecret:
    """What the seed of the stacks follows from, together with those who sit down."""

    secret: str


class SeedCommitted(Entry):
    """The table committed to a secret before anybody sat down: ``digest`` is its SHA-256, in hex.

    The secret stays sealed until the table closes.
    """

    kind: Literal["advciv.seed.committed"] = "advciv.seed.committed"
    digest: str
    secret: Annotated[SeedSecret | None, Sealed("keeper")] = None

    def apply(self, table: Table) -> Table:
        if not self.secret:
            return table
        return with_part(table, replace(part(table, Seed), digest=self.digest, secret=self.secret.secret))

    def sentence(self, ruler: str) -> str:
        opens = f"It was `{self.secret.secret}`." if self.secret else "It opens when the table closes."
        return (
            "-# The shuffle is fixed by a secret of mine, mixed with who sits down and when. "
            f"{opens} Its SHA-256: `{self.digest}`"
        )


def committed(secret: str) -> SeedCommitted:
    """Return the entry that commits to a secret."""
    return SeedCommitted(digest=_digest(secret), secret=SeedSecret(secret=secret))


def mixed_in(table: Table, entry: Entry) -> Table:
    """Return the table with the id of the command by which somebody sat down mixed in."""
    if not isinstance(entry, SeatTaken) or entry.interaction is None:
        return table
    seed = part(table, Seed)
    return with_part(table, replace(seed, mixed=(*seed.mixed, entry.interaction)))


def seed_of(table: Table, chance: str) -> str:
    """Return the seed of a table with those who have sat down so far.

    A table that committed to nothing takes ``chance``, and `doubt` remarks on it.
    """
    seed = part(table, Seed)
    return _digest(":".join((seed.secret, *map(str, seed.mixed)))) if seed.secret else chance


def current_seed(table: Table, chance: str) -> str:
    """Return the seed of a table: that of the stacks where the bot deals, else `seed_of`."""
    return part(table, Stacks).seed or seed_of(table, chance)


def has_seed(table: Table) -> bool:
    """Return whether the seed of a table is settled without the chance that comes with a command."""
    return bool(part(table, Stacks).seed or part(table, Seed).secret)


def doubt(table: Table, seed: str) -> str:
    """Return what is wrong with the seed of the stacks; empty when it is the one that was committed to."""
    committed = part(table, Seed)
    if not committed.secret:
        return "nobody committed to the seed before the first seat was taken"
    if _digest(committed.secret) != committed.digest:
        return "the secret is not the one that was committed to"
    if seed != seed_of(table, ""):
        return "the seed is not the one that was committed to, mixed with those who sat down"
    return ""


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


# ---------------------------------------------------------------- cards picked from a hand


def from_hand(table: Table, seat: str, count: int, chance: str) -> Goods:
    """Return so many cards of this hand, each as likely; all of them where it holds no more.

    ``chance`` is the seed at a table that committed to none.
    """
    seed = f"{current_seed(table, chance)}:hand:{part(table, Seed).picks}:{seat}"
    return Goods.of(picked(list(table.seats[seat].holdings.tokens()), count, seed))


def with_pick(table: Table) -> Table:
    """Return the table after chance has picked cards of a hand."""
    seed = part(table, Seed)
    return with_part(table, replace(seed, picks=seed.picks + 1))


def wrong_pick(table: Table, seat: str, lost: Goods, due: int) -> str:
    """Return what is wrong with cards picked from a hand, of which so many were due; empty when the seed picks them."""
    if has_seed(table) and (lost != from_hand(table, seat, lost.total(), "") or lost.total() != due):
        return "the cards picked from a hand are not those that the seed picks"
    return ""


# ---------------------------------------------------------------- numbers that follow from a seed


def shuffled(cards: Sequence[str], seed: str) -> Stack:
    """Return the cards in an order that follows from the seed, with every order as likely.

    From the last place down to the second, the card there changes places with one of those up to it, chosen by the
    next number of `_numbers`.
    """
    order = list(cards)
    numbers = _numbers(seed)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def picked(cards: Sequence[str], count: int, seed: str) -> Stack:
    """Return this many of the cards, each as likely."""
    return shuffled(cards, seed)[:count]


_WORD = 2**64


def _numbers(seed: str) -> Iterator[int]:
    """Yield numbers below 2^64: the first eight bytes of SHA-256 over ``seed:0``, ``seed:1`` and so on."""
    count = 0
    while True:
        yield int.from_bytes(sha256(f"{seed}:{count}".encode()).digest()[:8], "big")
        count += 1


def _below(limit: int, numbers: Iterator[int]) -> int:
    """Return the next number, reduced below ``limit``; numbers that would favour some results are skipped."""
    fair = _WORD - _WORD % limit
    return next(number for number in numbers if number < fair) % limit


FEATURE = Feature(state=Seed, entries=(SeedCommitted,), after=mixed_in)
