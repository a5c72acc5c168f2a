"""``python -m bot``, and the entry point of ``bourse``; see `bot.cli`."""

import gc
import sys

from bot import cli

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run a command line, by default that of the process, and return the exit code. The process
    ends afterwards.
    """
    try:
        return cli.main(arguments)
    finally:
        # Without this, Python ends by taking every module apart, which is half a second of the
        # processor's time.
        gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
