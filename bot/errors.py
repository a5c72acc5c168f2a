"""Errors that end the program."""

import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires


class OperatorError(Exception):
    """An error that the operator must fix. Its text is a sentence for them, and the program exits
    with code 2.
    """


class TryAgain(OperatorError):
    """An error that may pass by itself, such as a database that is not up yet. The program exits
    with code 75.

    A service manager should start it again then, but not after any other `OperatorError`.
    """


def how_to_add(extra: str) -> str:
    """Return the command that installs the packages of an extra beside this Bourse, wherever it
    came from.

    They are named one by one: "bourse-bot" itself need not be on the index that pip asks.
    """
    try:
        found = [
            re.fullmatch(rf"(.+?) *; *extra == ['\"]{extra}['\"]", each)
            for each in requires("bourse-bot") or ()
        ]
    except PackageNotFoundError:  # it runs from its source
        found = []
    packages = [each[1].replace(" ", "") for each in found if each] or [f".[{extra}]"]
    return shlex.join([sys.executable, "-m", "pip", "install", *packages])
