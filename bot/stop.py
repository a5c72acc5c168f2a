"""What stops the program."""


class Stop(Exception):
    """Something that the owner of this bot must mend. Its text is the one sentence they read; the program ends with 2."""
