"""Errors that end the program."""


class OperatorError(Exception):
    """The operator of this bot must fix something: the text is a sentence for them, and the program exits with 2."""
