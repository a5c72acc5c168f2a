"""The seed of a table: nobody picks it, and nobody can change it afterwards.

As the table opens, a random secret is sealed and its SHA-256 is said in public. Whoever sits down then mixes in the id
that Discord gave to their command. The seed is the SHA-256 of ``SECRET:ID:ID...`` in the order in which people sat
down: the owner of the bot can't choose the ids, and the players don't know the secret.
"""

from __future__ import annotations

from hashlib import sha256

from bot.games.advciv.entries import SeedCommitted, SeedSecret, StacksShuffled
from bot.games.advciv.state import AdvCivState


def committed(secret: str) -> SeedCommitted:
    """Return the entry that commits to a secret."""
    return SeedCommitted(digest=_digest(secret), secret=SeedSecret(secret=secret))


def seed_of(state: AdvCivState, chance: str) -> str:
    """Return the seed of a table with those who have sat down so far.

    A table that committed to nothing takes ``chance``, and `doubt` remarks on it.
    """
    return _digest(":".join((state.secret, *map(str, state.mixed)))) if state.secret else chance


def has_seed(state: AdvCivState) -> bool:
    """Return whether the seed of a table is settled without the chance that a command brings."""
    return bool(state.seed or state.secret)


def current_seed(state: AdvCivState, chance: str) -> str:
    """Return the seed of a table: that of the stacks where the bot deals, else `seed_of`."""
    return state.seed or seed_of(state, chance)


def doubt(state: AdvCivState, shuffled: StacksShuffled) -> str:
    """Return what is wrong with the seed of the stacks; empty when it is the one that was committed to."""
    if not state.secret:
        return "nobody committed to the seed before the first seat was taken"
    if _digest(state.secret) != state.digest:
        return "the secret is not the one that was committed to"
    if shuffled.secret is not None and shuffled.secret.seed != seed_of(state, ""):
        return "the seed is not the one that was committed to, mixed with those who sat down"
    return ""


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
