"""Chance: the seed of a table, and everything random that follows from it.

When the table opens, a random secret is sealed and its SHA-256 is published. Each person who sits down mixes in
Discord's id of their command's interaction. The seed is the SHA-256 of ``SECRET:ID:ID...``, in the order in which
people sat down. Nobody can change it after the first draw. The players don't know the secret, and the owner of the bot
can't choose the ids, but could let commands fail until an id suits; SECURITY.md says who can do what.

The order of the stacks, the cards picked from a hand [24.51, 15.62] and the calamities that take effect [29.5] follow
from the seed, so anybody can verify them when the table has closed.
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
    """The secret that the table committed to, its ``digest``, and the ids that people mixed in.

    ``mixed`` are the ids of the interactions by which people sat down. ``picks`` counts the times that cards were
    picked from a hand.
    """

    digest: str = ""
    secret: str = ""
    mixed: tuple[int, ...] = ()
    picks: int = 0


@dataclass(frozen=True, slots=True)
class SeedSecret:
    """The secret part of the seed."""

    secret: str


class SeedCommitted(Entry):
    """The table committed to a secret before anybody sat down. ``digest`` is its SHA-256, in hex.

    The secret is sealed until the table closes.
    """

    kind: Literal["advciv.seed.committed"] = "advciv.seed.committed"
    digest: str
    secret: Annotated[SeedSecret | None, Sealed("keeper")] = None

    def apply(self, table: Table) -> Table:
        if not self.secret:
            return table
        return with_part(table, replace(part(table, Seed), digest=self.digest, secret=self.secret.secret))

    def sentence(self, ruler: str) -> str:
        opens = f"It was `{self.secret.secret}`." if self.secret else "I reveal it when the table closes."
        return (
            "-# A secret of mine, mixed with who sits down and when, decides the shuffle. "
            f"{opens} Its SHA-256: `{self.digest}`"
        )


def committed(secret: str) -> SeedCommitted:
    """Return the entry that commits to a secret."""
    return SeedCommitted(digest=_digest(secret), secret=SeedSecret(secret=secret))


def mixed_in(table: Table, entry: Entry) -> Table:
    """Mix in the interaction id of a person who sits down."""
    if not isinstance(entry, SeatTaken) or entry.interaction is None:
        return table
    seed = part(table, Seed)
    return with_part(table, replace(seed, mixed=(*seed.mixed, entry.interaction)))


def seed_of(table: Table, chance: str) -> str:
    """Return the seed of a table with the ids mixed in so far.

    A table without a commitment uses ``chance``, and `doubt` reports it.
    """
    seed = part(table, Seed)
    return _digest(":".join((seed.secret, *map(str, seed.mixed)))) if seed.secret else chance


def current_seed(table: Table, chance: str) -> str:
    """Return the seed of the stacks if the bot deals, else `seed_of`."""
    return part(table, Stacks).seed or seed_of(table, chance)


def has_seed(table: Table) -> bool:
    """Return whether the table has a seed of its own, so that it needs no ``chance`` of a command."""
    return bool(part(table, Stacks).seed or part(table, Seed).secret)


def doubt(table: Table, seed: str) -> str:
    """Return what is wrong with the seed of the stacks; empty if the table committed to it."""
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


# ---------------------------------------------------------------- picking cards from a hand


def from_hand(table: Table, seat: str, count: int, chance: str) -> Goods:
    """Pick ``count`` cards of a hand with equal probability, or all if it has fewer.

    ``chance`` is the seed of a table without a commitment.
    """
    seed = f"{current_seed(table, chance)}:hand:{part(table, Seed).picks}:{seat}"
    return Goods.of(picked(list(table.seats[seat].holdings.tokens()), count, seed))


def with_pick(table: Table) -> Table:
    """Return the table with one more pick counted."""
    seed = part(table, Seed)
    return with_part(table, replace(seed, picks=seed.picks + 1))


def wrong_pick(table: Table, seat: str, lost: Goods, due: int) -> str:
    """Return a fault if ``lost`` are not the ``due`` cards that the seed picks from this hand; else empty."""
    if has_seed(table) and (lost != from_hand(table, seat, lost.total(), "") or lost.total() != due):
        return "the cards picked from a hand are not those that the seed picks"
    return ""


# ---------------------------------------------------------------- numbers from a seed


def shuffled(cards: Sequence[str], seed: str) -> Stack:
    """Shuffle the cards with this seed. Every order has the same probability.

    This is a Fisher-Yates shuffle: from the last position down to the second, swap the card with one at or before its
    position, chosen by the next number of `_numbers`.
    """
    order = list(cards)
    numbers = _numbers(seed)
    for last in range(len(order) - 1, 0, -1):
        other = _random_below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def picked(cards: Sequence[str], count: int, seed: str) -> Stack:
    """Pick ``count`` of the cards with equal probability."""
    return shuffled(cards, seed)[:count]


_WORD = 2**64


def _numbers(seed: str) -> Iterator[int]:
    """Yield numbers below 2^64: the first eight bytes of SHA-256 over ``seed:0``, ``seed:1`` and so on."""
    count = 0
    while True:
        yield int.from_bytes(sha256(f"{seed}:{count}".encode()).digest()[:8], "big")
        count += 1


def _random_below(limit: int, numbers: Iterator[int]) -> int:
    """Return the next number modulo ``limit``. Numbers that would favour some results are skipped."""
    fair = _WORD - _WORD % limit
    return next(number for number in numbers if number < fair) % limit


FEATURE = Feature(state=Seed, entries=(SeedCommitted,), after=mixed_in)
