"""Errors that end the program."""


class OperatorError(Exception):
    """An error that the operator must fix. Its text is a sentence for them, and the program exits with code 2."""


class TryAgain(OperatorError):
    """An error that may pass by itself, such as a database that is not up yet. The program exits with code 75.

    A service manager should start it again then, but not after any other `OperatorError`.
    """
