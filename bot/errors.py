"""Errors that end the program."""


class OperatorError(Exception):
    """An error that the operator must fix. Its text is a sentence for them, and the program exits with code 2."""
