"""Errors that end the program."""


class OperatorError(Exception):
    """An error that the operator of the bot must fix. Its text is a sentence for them; the program exits with 2."""
