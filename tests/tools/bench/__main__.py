"""How fast Bourse is on this machine: `make bench`, or `python -m tests.tools.bench`.

Each line is a ratio of two figures, measured in turns. `lines` holds the lines by subject, one
function each; `workload` is the only module here that knows a game.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import uvloop

from bot.cli.output import progress
from bot.errors import OperatorError
from tests.tools.bench.run import run

EXAMPLES = """\
examples:
  make bench ARGS=--quick                    less exact, in a minute or two
  make bench ARGS='--only settle-1,hop'      these lines only
  make bench ARGS='--plot bench.svg'         also a picture of the results"""


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks. Return 2 for an unknown line, or where no picture can be written."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.bench",
        description="Measure how fast Bourse is here, as ratios.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--only", default="", metavar="LINE[,LINE]", help="measure these lines only"
    )
    parser.add_argument("--quick", action="store_true", help="less exact, in a minute or two")
    parser.add_argument("--json", action="store_true", help="print one object with every round")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="also draw the results, as an SVG"
    )
    options = parser.parse_args(arguments)
    only = [name.strip() for name in options.only.split(",") if name.strip()]
    try:
        with progress() as tell:
            uvloop.run(
                run(only, say, json=options.json, quick=options.quick, plot=options.plot, tell=tell)
            )
    except OperatorError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def say(line: str) -> None:
    """Print a line at once, even into a pipe."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
