"""`python -m tests.loopback.bot CONSTANTS ARGS`: `python -m bot ARGS` with other values for some
constants.

CONSTANTS is a JSON object: values by `module:NAME`.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping

from bot.__main__ import main


def put(constants: Mapping[str, float]) -> None:
    """Give constants of modules other values."""
    for name, value in constants.items():
        module_name, _, constant = name.partition(":")
        module = importlib.import_module(module_name)
        assert isinstance(getattr(module, constant), int | float), name
        setattr(module, constant, value)


if __name__ == "__main__":
    put(json.loads(sys.argv.pop(1)))
    sys.exit(main())
