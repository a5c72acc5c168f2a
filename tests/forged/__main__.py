"""`python -m tests.forged --count 100000 --seed 1`: forged interactions at tables of both games;
exits with 0 if none of them was lost, answered twice or broke anything.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from itertools import cycle
from pathlib import Path

from tests.cogs.conftest import evening_on
from tests.forged.playing import GAMES, Forging, begin

A_ROUND = 2500
"""Interactions at one table, before there is a new one: what SimCord keeps of them grows."""

SHOWN = 10
"""Findings that are printed."""


async def play(game: str, count: int, seed: float) -> Forging:
    """Send so many to a table of this game, at a bot of its own."""
    with tempfile.TemporaryDirectory() as folder:
        async with evening_on(f"sqlite:///{Path(folder) / 'bourse.db'}") as evening:
            await begin(evening, game)
            forging = Forging(evening, random.Random(seed))
            await forging.send(count)
            forging.close()
            return forging


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.forged", description=__doc__)
    parser.add_argument(
        "--count", type=int, default=100_000, help="how many interactions are sent (100000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="the same seed forges the same (1)")
    given = parser.parse_args()
    logging.getLogger().addHandler(logging.NullHandler())  # what is wrong is found, not printed
    chance, began = random.Random(given.seed), time.monotonic()
    sent, found, grew = Counter[str](), list[str](), 0
    games = cycle(GAMES)
    while (left := given.count - sent.total()) > 0:
        count = min(left, A_ROUND)
        forging = asyncio.run(play(next(games), count, chance.random()))
        sent += forging.sent
        found += forging.found
        grew += forging.grew
        print(f"{sent.total()} sent, {len(found)} findings", file=sys.stderr, flush=True)
    took = time.monotonic() - began
    print(
        f"{sent.total()} forged interactions of {len(sent)} kinds in {took:.0f} s; {grew} entries "
        "came of them"
    )
    print(f"{len(found)} were lost, answered twice, too late or broke something")
    print("\n".join(found[:SHOWN]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
