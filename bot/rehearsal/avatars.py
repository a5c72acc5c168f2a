"""Avatars for the people of the rehearsal page, drawn here because the machine may be offline."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont
from simcord.backend.cdn import CDN_BASE

SIDE: Final = 128
"""Width and height of an avatar in pixels."""
HASH: Final = "face"
"""Stands for the picture's hash in an avatar's address."""
DRAWN: Final[set[bytes]] = set()
"""Every avatar drawn in this process."""

_INK = "#16171a"
_BRAND = "#5865f2"


def address(user_id: int) -> str:
    """Return the address of a user's avatar in SimCord."""
    return f"{CDN_BASE}/avatars/{user_id}/{HASH}.png"


@cache
def letter(initial: str, colour: str) -> bytes:
    """Draw an initial on a colour, as PNG."""
    picture = Image.new("RGB", (SIDE, SIDE), colour)
    font = ImageFont.load_default(size=SIDE * 0.56)
    ImageDraw.Draw(picture).text(
        (SIDE / 2, SIDE / 2), initial, fill=_INK, font=font, anchor="mm", stroke_width=2
    )
    return _png(picture)


@cache
def mark() -> bytes:
    """Draw the mark of Bourse, two arrows in opposite directions, as PNG."""
    picture = Image.new("RGB", (SIDE, SIDE), _BRAND)
    draw = ImageDraw.Draw(picture)
    for top, way, ink in ((34, 1, "#ffffff"), (74, -1, "#d5d9ff")):
        ends = [(32, top + 4), (96, top + 4)]
        head = ends[1] if way == 1 else ends[0]
        draw.line(ends, fill=ink, width=10)
        draw.line(
            [(head[0] - way * 20, top - 15), head, (head[0] - way * 20, top + 23)],
            fill=ink,
            width=10,
            joint="curve",
        )
    return _png(picture)


def _png(picture: Image.Image) -> bytes:
    written = BytesIO()
    picture.save(written, "PNG")
    DRAWN.add(written.getvalue())
    return written.getvalue()
