"""`python -m tests.soak --kills 300 --seed 1`: prints a table; exits with 0 if all but the first
two are zero.

With `--processes 4`, as many bots run on PostgreSQL: the server at POSTGRES_FOR_TESTS, or one from
a wheel.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tests.postgresql import fresh_database, postgresql
from tests.soak.soak import WRONG, Options, soak

HOSTILITIES = (
    "limits",
    "errors",
    "callbacks",
    "overall",
    "codes",
    "slow",
    "very-slow",
    "deleted",
    "archived",
    "dms",
    "spells",
    "thrown-out",
    "gateway",
    "odd",
    "login",
    "lost",
    "tokens",
    "nonces",
    "points",
    "paused",
    "locked",
    "full",
    "cut",
    "stopped",
    "repeated",
)
SHOWN = 8  # findings of a kind


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="how often the bot is killed (300)")
    parser.add_argument("--minutes", type=float, default=0.0, help="go on at least so long (0)")
    parser.add_argument(
        "--seed", type=int, default=1, help="the same seed throws the same dice (1)"
    )
    parser.add_argument(
        "--tables",
        type=int,
        default=6,
        help="tables; of four or more two lose their channel (6)",
    )
    parser.add_argument(
        "--pace", type=float, default=2.0, help="seconds between two acts of one person (2.0)"
    )
    parser.add_argument("--round", type=int, default=10, help="kills between two looks (10)")
    parser.add_argument(
        "--without", action="append", choices=HOSTILITIES, default=[], help="leave a hostility out"
    )
    parser.add_argument(
        "--patience", type=float, default=1.0, help="times as long for all, on a busy machine (1.0)"
    )
    parser.add_argument(
        "--processes", type=int, default=1, help="bots; with more than one, on PostgreSQL (1)"
    )
    parser.add_argument(
        "--keep",
        type=Path,
        help="a folder for the ledger, the bot's log and a trace of its requests",
    )
    given = parser.parse_args()
    if (
        given.keep is not None
        and given.keep.exists()
        and (not given.keep.is_dir() or any(given.keep.iterdir()))
    ):
        parser.error(f"--keep {given.keep}: what works is a folder that is empty or not there yet")
    options = Options(
        kills=given.kills,
        minutes=given.minutes,
        seed=given.seed,
        tables=given.tables,
        pace=given.pace,
        a_round=given.round,
        without=frozenset(given.without),
        processes=given.processes,
        patience=given.patience,
    )
    with ExitStack() as stack:
        temporary = stack.enter_context(tempfile.TemporaryDirectory())
        if given.processes > 1:
            server = stack.enter_context(postgresql(os.environ.get("POSTGRES_FOR_TESTS")))
            options = replace(options, database=fresh_database(server, "bourse_soak"))
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        report = asyncio.run(
            soak(options, folder, lambda line: print(line, file=sys.stderr, flush=True))
        )
    print(report.table())
    for name in WRONG:
        for finding in sorted(report.findings[name])[:SHOWN]:
            print(f"{name}: {finding}")
    return 0 if report.clean else 1


if __name__ == "__main__":
    sys.exit(main())
