"""`python -m tests.soak --kills 300 --seed 1`: prints a table; exits with 0 if all but the first two are zero."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.soak.soak import WRONG, Options, soak

HOSTILITIES = (
    "limits", "errors", "callbacks", "overall", "slow", "very-slow", "deleted", "archived", "dms", "gateway", "odd",
    "login", "lost", "nonces", "points",
)  # fmt: skip
SHOWN = 8  # findings of a kind


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="how often the bot is killed (300)")
    parser.add_argument("--minutes", type=float, default=0.0, help="go on at least so long (0)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed throws the same dice (1)")
    parser.add_argument(
        "--tables",
        type=int,
        default=6,
        help="tables; of four or more two lose their channel (6)",
    )
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two acts of one person (2.0)")
    parser.add_argument("--round", type=int, default=10, help="kills between two looks (10)")
    parser.add_argument("--without", action="append", choices=HOSTILITIES, default=[], help="leave a hostility out")
    parser.add_argument("--keep", type=Path, help="a folder for the ledger, the bot's log and a trace of its requests")
    given = parser.parse_args()
    if given.keep is not None and given.keep.exists() and (not given.keep.is_dir() or any(given.keep.iterdir())):
        parser.error(f"--keep {given.keep}: what works is a folder that is empty or not there yet")
    options = Options(
        kills=given.kills,
        minutes=given.minutes,
        seed=given.seed,
        tables=given.tables,
        pace=given.pace,
        a_round=given.round,
        without=frozenset(given.without),
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        report = asyncio.run(soak(options, folder, lambda line: print(line, file=sys.stderr, flush=True)))
    print(report.table())
    for name in WRONG:
        for finding in sorted(report.findings[name])[:SHOWN]:
            print(f"{name}: {finding}")
    return 0 if report.clean else 1


if __name__ == "__main__":
    sys.exit(main())
