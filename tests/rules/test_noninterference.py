"""Tests that nobody learns what is not theirs until the rules reveal it, in every game.

Two worlds are played side by side. What a viewer may know is the same in both: what everybody saw,
their own hand, what was offered to them and what they traded. All else differs, as ``twins.py`` of
each game has it. Everything this viewer can see must be equal after every step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.testing.twins import WHOS, Pair, PairMoves, Who, play_pair, same
from tests.games.advciv import twins as advciv
from tests.games.pairs import assert_open, closed, closed_and_opened_again
from tests.games.ti4 import twins as ti4
from tests.scale import PHASES, SCALE, at_scale, long, seeds


@dataclass(frozen=True)
class Twins:
    """The pairs of tables of one game.

    ``begun`` begins a pair, ``play`` is how it is played. Of the pairs that hypothesis draws and of
    those of the long loop: ``short`` and ``long`` are the commands at a pair, ``tries`` and
    ``probes`` what the viewer tries after each step. ``differed`` is what must come about in the
    long loop, each more often than that.
    """

    begun: Callable[..., Pair]
    play: PairMoves
    short: int
    tries: int
    long: int
    probes: int
    differed: Mapping[str, int]


GAMES: Mapping[str, Twins] = {
    "advciv": Twins(
        advciv.begun,
        advciv.PLAY,
        short=30,
        tries=2,
        long=160,
        probes=6,
        differed={
            "trades: others, other cards": 12,
            "trades: mine, the same": 3,
            "hands of other sizes": 125,
            "took over": 0,
        },
    ),
    "ti4": Twins(
        ti4.begun,
        ti4.PLAY,
        short=25,
        tries=1,
        long=140,
        probes=3,
        differed={
            "trades: others, other cards": 5,
            "trades: mine, the same": 3,
            "other entries": 25,
            "other hands": 125,
            "took over": 0,
        },
    ),
}

SHARE = 1.0 if SCALE > 1 else 0.65
"""How much of the long loop `make test` plays, and of what comes about there it asks for."""

AT_LENGTH = 60
"""After how many commands of the long loop all that is long is read."""

SEEDS = seeds(at_scale(1, 3))

TURNS = product(enumerate(reversed(GAMES)), enumerate(WHOS))
PAIRS = [(game, who, (turn + place) % 2 == 0) for (turn, game), (place, who) in TURNS]
"""The pairs of the long loop that `make test` plays: game, viewer, and whether hidden goods change
places, in turns.
"""

OTHER_PAIRS = [(game, who, not swaps) for game, who, swaps in PAIRS]
"""The others, for `make long`."""

in_each_game = pytest.mark.parametrize("game", GAMES)


@cache
def met(game: str, seed: int, who: Who, swaps: bool) -> Counter[str]:
    """Play a pair of worlds to its end; return what came about there."""
    twins = GAMES[game]
    pair = twins.begun(who, Random(f"{seed} {who} {swaps}"), swaps=swaps)
    commands = round(twins.long * SHARE)
    play_pair(pair, twins.play, commands, at_length=AT_LENGTH, probes=twins.probes)
    return pair.met


SEED = st.integers(0, 2**32)
any_pair = given(who=st.sampled_from(WHOS), swaps=st.booleans(), seed=SEED)


@in_each_game
@settings(max_examples=at_scale(3, 5), phases=PHASES)
@any_pair
def test_whatever_happens_a_viewer_learns_nothing(
    game: str, who: Who, swaps: bool, seed: int
) -> None:
    twins = GAMES[game]
    pair = twins.begun(who, Random(seed), swaps=swaps)
    play_pair(pair, twins.play, twins.short, at_length=twins.short, probes=twins.tries)


@in_each_game
@settings(max_examples=at_scale(3, 5), phases=PHASES)
@any_pair
def test_nor_when_the_table_is_closed_and_its_secrets_stay(
    game: str, who: Who, swaps: bool, seed: int
) -> None:
    twins = GAMES[game]
    pair = twins.begun(who, Random(seed), swaps=swaps, open_on_close="no")
    play_pair(pair, twins.play, 25, at_length=100, probes=0)
    closed(pair, twins.play)
    same(pair, 0, at_length=True)


@in_each_game
@settings(max_examples=at_scale(3, 5), phases=PHASES)
@any_pair
def test_nor_while_a_closed_table_can_be_opened_again(
    game: str, who: Who, swaps: bool, seed: int
) -> None:
    twins = GAMES[game]
    pair = twins.begun(who, Random(seed), swaps=swaps)
    play_pair(pair, twins.play, 15, at_length=100, probes=0)
    closed_and_opened_again(pair, twins.play)
    play_pair(pair, twins.play, 10, at_length=10, probes=0)


@in_each_game
@settings(max_examples=at_scale(3, 5), phases=PHASES)
@any_pair
def test_all_is_open_to_all_when_the_table_is_closed_and_they_open(
    game: str, who: Who, swaps: bool, seed: int
) -> None:
    twins = GAMES[game]
    pair = twins.begun(who, Random(seed), swaps=swaps)
    play_pair(pair, twins.play, 25, at_length=100, probes=0)
    closed(pair, twins.play)
    assert_open(pair.one, pair.viewer(pair.one))


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("game", "who", "swaps"), [*PAIRS, *long(OTHER_PAIRS)])
def test_two_worlds_look_the_same_to_who_may_not_know(
    game: str, seed: int, who: Who, swaps: bool
) -> None:
    """They are compared while they are played. Other hands differ, but for a moderator."""
    differed = met(game, seed, who, swaps)["other hands"] > 0
    assert differed == (who != "moderator")


@pytest.mark.slow
@in_each_game
def test_the_worlds_did_differ(game: str) -> None:
    """So that the test above can fail: others traded other cards, and the viewer traded too."""
    pairs = PAIRS if SCALE == 1 else [*PAIRS, *OTHER_PAIRS]
    what_came: Counter[str] = Counter()
    for (other_game, who, swaps), seed in product(pairs, SEEDS):
        if other_game == game:
            what_came.update(met(game, seed, who, swaps))
    for what, often in GAMES[game].differed.items():
        assert what_came[what] > often * SHARE, (what, what_came)
