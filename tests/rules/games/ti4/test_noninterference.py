"""Who learns what in Twilight Imperium 4: nobody learns anything of what is not theirs.

Two worlds are played side by side. What a viewer may know is the same in both; the promissory notes in other hands and
in the trades of others, what others say and offer in private, and their private deals differ. Everything this viewer
can see must be equal after every step.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.games.ti4.twins import PLAY, begun
from tests.rules.machines import laws
from tests.rules.machines.looks import assert_open
from tests.rules.machines.twins import WHOS, Who, closed, played, same

LIFE, AT_LENGTH, PROBES = 120, 60, 3
"""Commands at a pair, after how many all that is long is read, and what the viewer tries after each step."""

SEEDS = range(4 * laws.SCALE)


@cache
def met(seed: int, who: Who, swaps: bool) -> Counter[str]:
    """Play a pair of worlds to its end; return what came about there."""
    pair = begun(who, Random(f"{seed} {who} {swaps}"), swaps=swaps)
    played(pair, PLAY, LIFE, at_length=AT_LENGTH, probes=PROBES)
    return pair.met


@settings(max_examples=5 * laws.SCALE, deadline=None, phases=laws.PHASES)
@given(st.sampled_from(WHOS), st.booleans(), st.integers(0, 2**32))
def test_whatever_happens_a_viewer_learns_nothing(who: Who, swaps: bool, seed: int) -> None:
    pair = begun(who, Random(seed), swaps=swaps)
    played(pair, PLAY, 25, at_length=25, probes=1)


@settings(max_examples=5 * laws.SCALE, deadline=None, phases=laws.PHASES)
@given(st.sampled_from(WHOS), st.booleans(), st.integers(0, 2**32))
def test_nor_when_the_table_is_closed_and_its_secrets_stay(who: Who, swaps: bool, seed: int) -> None:
    pair = begun(who, Random(seed), swaps=swaps, open_on_close="no")
    played(pair, PLAY, 25, at_length=100, probes=0)
    closed(pair, PLAY)
    same(pair, 0, at_length=True)


@settings(max_examples=5 * laws.SCALE, deadline=None, phases=laws.PHASES)
@given(st.sampled_from(WHOS), st.booleans(), st.integers(0, 2**32))
def test_all_is_open_to_all_when_the_table_is_closed_and_they_open(who: Who, swaps: bool, seed: int) -> None:
    pair = begun(who, Random(seed), swaps=swaps)
    played(pair, PLAY, 25, at_length=100, probes=0)
    closed(pair, PLAY)
    assert_open(pair.one, pair.viewer(pair.one))


@pytest.mark.slow
@pytest.mark.parametrize("swaps", [True, False])
@pytest.mark.parametrize("who", WHOS)
@pytest.mark.parametrize("seed", SEEDS)
def test_two_worlds_look_the_same_to_who_may_not_know(seed: int, who: Who, swaps: bool) -> None:
    assert met(seed, who, swaps)


@pytest.mark.slow
def test_the_worlds_did_differ() -> None:
    """So that the test above speaks of something: others traded other notes, and the viewer traded too."""
    found: Counter[str] = Counter()
    for seed, who, swaps in product(SEEDS, WHOS, (True, False)):
        found.update(met(seed, who, swaps))
    assert found["trades: others, other cards"] > 10, found
    assert found["trades: mine, the same"] > 5, found
    assert found["other entries"] > 100, found
    assert found["other hands"] > 500, found
    assert found["took over"] > 2, found
