"""``python -m bot``, and the entry point of ``bourse``; see `bot.cli`."""

import sys

from bot.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
