"""``python -m bot``, and the entry point of ``bourse``; see `bot.cli`."""

import sys


def main() -> int:
    """Run the command line of this process, and return the exit code."""
    try:
        # Loading takes a moment, in which Ctrl-C should end the program as quietly as later.
        from bot.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 0


__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
