"""Chance that can be verified afterwards: a secret that a table commits to, and everything random
that follows from it.

When the table opens, a random secret is sealed and its SHA-256 is published. Each person who sits
down mixes in Discord's id of their command's interaction. The seed is the SHA-256 of
``SECRET:ID:ID...``, in the order in which people sat down. Nobody can change it after the first
draw. The players don't know the secret, and the owner of the bot can't choose the ids, but could
let commands fail until an id suits; SECURITY.md says who can do what.

A game names its own kind of `SeedCommitted` and adds its `feature`; its `Chance` commits with
`SeedCommitted.to` and verifies with `doubt`. Each draw needs a text of its own after the seed, such
as the number of the draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Annotated, TypeVar

from bot.rules.entries import Entry, Sealed
from bot.rules.feature import Feature
from bot.rules.features.seats import SeatTaken
from bot.rules.model.parts import StatePart, part, with_part
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.values import frozen

__all__ = [
    "Seed",
    "SeedCommitted",
    "SeedSecret",
    "committed",
    "doubt",
    "feature",
    "picked",
    "seed_of",
    "shuffled",
    "with_draw",
]


@frozen
class Seed(StatePart):
    """The secret that the table committed to, its ``digest``, and the ids that people mixed in.

    ``mixed`` are the ids of the interactions by which people sat down. ``draws`` counts the draws
    that `with_draw` recorded, for games that draw again and again.

    >>> Seed(secret="lamp").draws
    0
    """

    digest: str = ""
    secret: str = ""
    mixed: tuple[int, ...] = ()
    draws: int = 0


@frozen
class SeedSecret:
    """The secret part of the seed.

    >>> SeedSecret(secret="lamp").secret
    'lamp'
    """

    secret: str


C = TypeVar("C", bound="SeedCommitted")


class SeedCommitted(Entry):
    """The table committed to a secret before anybody sat down. ``digest`` is its SHA-256, in hex.

    The secret is sealed until the table closes. Each game has a subclass with its own kind. The
    set-up message and the history show the digest; see `committed`.

    >>> class Committed(SeedCommitted):
    ...     kind = "bazaar.seed"
    >>> Committed.to("lamp").digest[:8]
    'c98e85f2'
    """

    announced = False
    digest: str
    secret: Annotated[SeedSecret | None, Sealed("keeper")] = None

    @classmethod
    def to(cls: type[C], secret: str) -> C:
        """Return the entry that commits to a secret."""
        return cls.model_validate({"digest": _digest(secret), "secret": SeedSecret(secret)})

    def apply(self, table: Table) -> Table:
        if not self.secret:
            return table
        return with_part(
            table, replace(part(table, Seed), digest=self.digest, secret=self.secret.secret)
        )

    def sentence(self, ruler: str) -> str:
        return _told(self.digest, self.secret.secret if self.secret else "")


def committed(table: Table, *, whole: bool = False) -> str:
    """Return the sentence about the secret that decides the shuffle, for all to keep:
    `BoardView.small`. ``whole``: with its SHA-256, as the history has it.

    >>> committed(dealt)[74:108]
    'I reveal it when the table closes.'
    """
    digest = part(table, Seed).digest
    if not digest:
        return ""
    return _told(digest) if whole else f"{SHUFFLED} {REVEALED}"


SHUFFLED = "A secret of mine, mixed with who sits down and when, decides the shuffle."
REVEALED = "I reveal it when the table closes."


def _told(digest: str, secret: str = "") -> str:
    opens = f"It was `{secret}`." if secret else REVEALED
    return f"{SHUFFLED} {opens} Its SHA-256: `{digest}`"


def feature(committed: type[SeedCommitted]) -> Feature:
    """Return the feature that remembers the seed of a table. ``committed`` is the game's own kind
    of entry.

    >>> class Committed(SeedCommitted):
    ...     kind = "bazaar.seed"
    >>> Features((feature(Committed),)).entries == (Committed,)
    True
    """
    return Feature(state=Seed, entries=(committed,), hears=(SeatTaken,), after=_mixed_in)


def _mixed_in(table: Table, entry: Entry) -> Table:
    """Mix in the interaction id of a person who sits down."""
    if not isinstance(entry, SeatTaken) or entry.interaction is None:
        return table
    seed = part(table, Seed)
    return with_part(table, replace(seed, mixed=(*seed.mixed, entry.interaction)))


def seed_of(table: Table, chance: str) -> str:
    """Return the seed of a table with the ids mixed in so far.

    A table without a commitment uses ``chance``, that of the caller, and `doubt` reports it.

    >>> seed_of(dealt, caller.chance)[:8]
    'ba0d9b69'
    """
    seed = part(table, Seed)
    return _digest(":".join((seed.secret, *map(str, seed.mixed)))) if seed.secret else chance


def with_draw(table: Table) -> Table:
    """Return the table with one more draw counted. The entry that draws applies it.

    >>> part(with_draw(dealt), Seed).draws
    1
    """
    seed = part(table, Seed)
    return with_part(table, replace(seed, draws=seed.draws + 1))


def doubt(table: Table, seed: str) -> str:
    """Return what is wrong with a seed that was used; empty if the table committed to it.

    >>> doubt(dealt, seed_of(dealt, ""))
    ''
    >>> doubt(dealt, "a seed of my own")
    'the seed is not the one that was committed to, mixed with those who sat down'
    """
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


# ---------------------------------------------------------------- numbers from a seed


def shuffled(cards: Sequence[str], seed: str) -> tuple[str, ...]:
    """Shuffle the cards with this seed. Every order has the same probability.

    This is a Fisher-Yates shuffle: from the last position down to the second, swap the card with
    one at or before its position, chosen by the next number of `_numbers`, modulo the count of
    positions. Numbers that would favour some positions are skipped.

    >>> shuffled(["oil", "silk", "spice"], "lamp")
    ('oil', 'spice', 'silk')
    """
    order = list(cards)
    numbers = _numbers(seed)
    for last in range(len(order) - 1, 0, -1):
        fair = _WORD - _WORD % (last + 1)
        other = next(number for number in numbers if number < fair) % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def picked(cards: Sequence[str], count: int, seed: str) -> tuple[str, ...]:
    """Pick ``count`` of the cards with equal probability.

    >>> picked(["oil", "silk", "spice"], 1, "lamp")
    ('oil',)
    """
    return shuffled(cards, seed)[:count]


_WORD = 2**64


def _numbers(seed: str) -> Iterator[int]:
    """Yield numbers below 2^64: the first eight bytes of SHA-256 over ``seed:0``, ``seed:1`` and so
    on.
    """
    count = 0
    while True:
        yield int.from_bytes(sha256(f"{seed}:{count}".encode()).digest()[:8], "big")
        count += 1
