"""Pictures: plain values in, PNG bytes out. A picture's ``alt`` says in words what it shows.

Pictures have a dark background, and look the same in Discord's dark and light themes. Colour is
never the only sign: a line style, a symbol or a number says the same. Drawing takes some tens of
milliseconds: do it in a thread.
"""

from __future__ import annotations

from bot.rules.model.values import frozen

ALT_MAX = 1024
"""Discord's limit on the description of a picture, in characters."""


@frozen
class Picture:
    """A PNG, its file name, and its description of at most `ALT_MAX` characters.

    >>> picture = Picture(drawn(lambda: Canvas(200, 100)), "map.png", "A map of the three stalls.")
    >>> Card("open", ("The stalls",), picture=picture).picture.alt
    'A map of the three stalls.'
    """

    png: bytes
    name: str
    alt: str


@frozen
class Sketch:
    """A picture that a game draws of its public state, not drawn yet:
    `bot.delivery.render.with_picture` does that.

    So a board is drawn only when it is sent, and two boards are compared by what their pictures are
    ``of``.
    """

    game: str
    of: object
    alt: str

    name = "board.png"
