"""`python -m tests.loopback.bot CONSTANTS ARGS`: `python -m bot ARGS` with other values for some
constants.

CONSTANTS is a JSON object: values by `module:NAME`.
"""

from __future__ import annotations

import importlib
import json
import sys

from bot.__main__ import main

if __name__ == "__main__":
    for name, value in json.loads(sys.argv.pop(1)).items():
        module, _, constant = name.partition(":")
        found = importlib.import_module(module)
        assert isinstance(getattr(found, constant), int | float), name
        setattr(found, constant, value)
    sys.exit(main())
