"""The table as a ring of seats: who can trade with whom now, who is a neighbour only, what is used up.

Every word and line comes from what everybody may know: rulings on a trade of nothing, neighbours, who has traded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import cos, hypot, pi, sin
from typing import Literal

from bot.desk import Look
from bot.rules.table import Pair, pair
from bot.show import names
from bot.show.pictures import ALT_MOST, Picture
from bot.show.pictures.canvas import (
    AMBER,
    BLUE,
    CARD,
    DARK,
    FELT,
    GREEN,
    GREY,
    MUTED,
    TEXT,
    YELLOW,
    Canvas,
    Point,
    Sign,
    Stroke,
    drawable,
    drawn,
    fitted,
    mixed,
)
from bot.show.tables import why_not

Tie = Literal["now", "neighbors", "used", "none"]


@dataclass(frozen=True)
class Chair:
    """A seat of the ring: who sits in it and what they play. ``active``: it is their turn."""

    id: str
    player: str
    short: str
    active: bool = False


@dataclass(frozen=True)
class Ring:
    """A table as it stands, for one who looks: ``viewer`` is their seat, who then sits at the bottom."""

    title: str
    subtitle: str
    chairs: tuple[Chair, ...]
    ties: Mapping[Pair, Tie]
    viewer: str | None = None


@dataclass(frozen=True)
class Style:
    """How a tie is drawn, and what the legend says of it."""

    colour: str
    stroke: Stroke
    sign: Sign
    told: str


STYLES: dict[Tie, Style] = {
    "now": Style(GREEN, "solid", "tick", "can trade now"),
    "used": Style(AMBER, "dotted", "cross", "already traded"),
    "neighbors": Style(BLUE, "dashed", "dots", "neighbours only"),
    "none": Style(GREY, "solid", "bar", "no trade now"),
}

WIDTH, MARGIN = 800, 20
HEAD, LEGEND = 122, 146
LABEL = 84
"""The height of a name and what they play, above or below a seat."""


def ring_of(look: Look, asker: str | None) -> Ring | None:
    """The table as it is now, for the seat that asks; None where there is nobody to trade with, or all trade with
    all.
    """
    table = look.table
    sitting = [seat.id for seat in table.seats.values() if seat.person is not None]
    if not table.open or len(sitting) < 2 or not names.game_of(look).pairs:
        return None
    title, _, subtitle = names.game_of(look).board(table).lines[0].replace("**", "").partition(" · ")
    chairs = tuple(
        Chair(seat, names.name(look, seat), names.seat_name(look, seat), table.window.holder == seat)
        for seat in sitting
    )
    ties = {pair(first, second): _tie(look, first, second) for first, second in combinations(sitting, 2)}
    return Ring(
        names.plain(look, title), names.plain(look, subtitle), chairs, ties, asker if asker in sitting else None
    )


def picture(ring: Ring) -> Picture:
    """The ring as a picture."""
    return Picture(drawn(lambda: _draw(ring)), "table.png", alt(ring))


def alt(ring: Ring) -> str:
    """What the ring shows, in words: with people's names if that is short enough, else with the seats' own."""
    told = _alt(ring, {chair.id: chair.player for chair in ring.chairs})
    return told if len(told) <= ALT_MOST else _alt(ring, {chair.id: chair.short for chair in ring.chairs})[:ALT_MOST]


def _tie(look: Look, first: str, second: str) -> Tie:
    """What there is between two seats. A game whose board knows no neighbours has none to show."""
    two = pair(first, second)
    if why_not(look, first, second, None) is None:
        return "now"
    if two in look.table.window.used:
        return "used"
    return "neighbors" if names.game_of(look).neighbors(look.table, first, second) else "none"


# ---------------------------------------------------------------- in words


def _alt(ring: Ring, called: Mapping[str, str]) -> str:
    where = ". ".join(part for part in (ring.title, ring.subtitle[:200]) if part)
    seats = ", ".join(f"{called[chair.id]} ({chair.short})" for chair in _from_viewer(ring))
    seen = f", as {called[ring.viewer]} sees it" if ring.viewer else ""
    told = [f"The table as a ring of {len(ring.chairs)} seats{seen}. {where}. Around it: {seats}."]
    told += [_pairs(ring, tie, lead, called) for tie, lead in LEADS.items()]
    if "none" in ring.ties.values():
        told.append("All other pairs: no trade now.")
    return " ".join(told)


LEADS: dict[Tie, str] = {
    "now": "Can trade now",
    "used": "Have traded, so used up",
    "neighbors": "Neighbours only",
}


def _pairs(ring: Ring, tie: Tie, lead: str, called: Mapping[str, str]) -> str:
    """Every pair with this tie, told from the first of the two."""
    if all(other == tie for other in ring.ties.values()):
        return f"{lead}: everybody with everybody."
    order = [chair.id for chair in _from_viewer(ring)]
    told = []
    for number, first in enumerate(order):
        if others := [second for second in order[number + 1 :] if ring.ties[pair(first, second)] == tie]:
            told.append(f"{called[first]} with {', '.join(called[other] for other in others)}")
    return f"{lead}: {'; '.join(told) or 'nobody'}."


# ---------------------------------------------------------------- drawn


def _from_viewer(ring: Ring) -> tuple[Chair, ...]:
    """The seats in the order in which they sat down, round from who looks."""
    start = next((number for number, chair in enumerate(ring.chairs) if chair.id == ring.viewer), 0)
    return ring.chairs[start:] + ring.chairs[:start]


def _draw(ring: Ring) -> Canvas:
    count = len(ring.chairs)
    radius = 54 if count <= 6 else 46
    across, down = (258 if count <= 6 else 240), (190 if count <= 3 else 235 if count <= 5 else 270)
    middle = (WIDTH / 2, HEAD + LABEL + radius + down)
    canvas = Canvas(WIDTH, round(HEAD + 2 * (LABEL + radius + down) + LEGEND))
    places = {
        chair.id: (
            middle[0] + across * cos(pi / 2 + 2 * pi * number / count),
            middle[1] + down * sin(pi / 2 + 2 * pi * number / count),
        )
        for number, chair in enumerate(_from_viewer(ring))
    }
    canvas.text((MARGIN + 8, 44), ring.title, 40, bold=True, anchor="left", most=WIDTH - 2 * MARGIN - 16)
    canvas.text((MARGIN + 8, 90), ring.subtitle, 31, MUTED, anchor="left", most=WIDTH - 2 * MARGIN - 16)
    canvas.oval(middle, across, down, FELT)
    _lines(canvas, ring, places, radius)
    for chair in ring.chairs:
        _seat(canvas, ring, chair, places[chair.id], middle, radius)
    _legend(canvas, canvas.height - LEGEND + 32, ring.viewer is not None)
    return canvas


def _lines(canvas: Canvas, ring: Ring, places: Mapping[str, Point], radius: float) -> None:
    """Between every two with a tie; those of who looks on top, and thick."""
    active = {chair.id for chair in ring.chairs if chair.active}
    for two, tie in sorted(ring.ties.items(), key=lambda item: ring.viewer in item[0]):
        if tie != "none":
            style, own = STYLES[tie], ring.viewer in two
            thick = (11 if own else 5) + (2 if style.stroke == "dotted" else 0)
            colour = style.colour if own or ring.viewer is None else mixed(style.colour, FELT, 0.3)
            start, end = (places[seat] for seat in two)
            gap, other = (radius + (24 if seat in active else 9) for seat in two)
            canvas.line(_toward(start, end, gap), _toward(end, start, other), colour, thick, style.stroke)


def _seat(canvas: Canvas, ring: Ring, chair: Chair, at: Point, middle: Point, radius: float) -> None:
    """A disc with what there is between this seat and who looks; name and seat beside it, away from the middle."""
    if chair.active:
        canvas.disc(at, radius + 13, CARD, YELLOW, 6)
    if chair.id == ring.viewer:
        canvas.disc(at, radius, TEXT)
        canvas.text(at, "You", 34, DARK, bold=True)
    elif ring.viewer is None:
        canvas.disc(at, radius, FELT, MUTED, 5)
        canvas.text(at, (drawable(chair.player) or chair.short)[:1].upper(), 44, bold=True)
    else:
        _badge(canvas, ring.ties[pair(ring.viewer, chair.id)], at, radius)
    _label(canvas, ring, chair, at, middle, radius + (16 if chair.active else 4))


def _badge(canvas: Canvas, tie: Tie, at: Point, radius: float) -> None:
    style = STYLES[tie]
    canvas.disc(at, radius, style.colour if tie == "now" else FELT, style.colour, radius * 0.11)
    colour = {"now": DARK, "none": MUTED}.get(tie, style.colour)
    canvas.sign(style.sign, at, radius * 0.95, colour, radius * 0.2)


def _label(canvas: Canvas, ring: Ring, chair: Chair, at: Point, middle: Point, radius: float) -> None:
    """Above the seats of the far half, below the others; at the sides it grows outward."""
    above = at[1] < middle[1] - 40
    side = 0 if abs(at[0] - middle[0]) < 60 else (1 if at[0] > middle[0] else -1)
    room, inward = WIDTH / 2 - 80, radius
    if side:
        # Of many seats one at the very side has a neighbour just below: its label must not lie on their line.
        inward = 24 if len(ring.chairs) > 6 and abs(at[1] - middle[1]) < 40 else radius + 12
        room = WIDTH / 2 - MARGIN - abs(at[0] - WIDTH / 2) + inward
    top = at[1] - radius - 78 if above else at[1] + radius + 2
    turn = ("your turn" if chair.id == ring.viewer else "turn") if chair.active else ""
    name = drawable(chair.player)
    small = " · ".join(part for part in (chair.short if name else "", turn) if part)
    lines = ((name or chair.short, 35, TEXT, True), (small, 28, YELLOW if turn else MUTED, False))
    wide = max(fitted(text, size, room, bold)[2] for text, size, _, bold in lines)
    x = at[0] + side * max(0.0, wide / 2 - min(radius, inward))
    x = min(max(x, MARGIN + wide / 2), WIDTH - MARGIN - wide / 2)
    for (text, size, colour, bold), height in zip(lines, (20, 58) if small or not above else (58, 58), strict=True):
        canvas.text((x, top + height), text, size, colour, bold=bold, most=room, halo=CARD)


def _legend(canvas: Canvas, top: float, signs: bool) -> None:
    """What each line, and each sign in a seat, stands for."""
    for number, (tie, style) in enumerate(STYLES.items()):
        x, y = MARGIN + 8 + 392 * (number % 2), top + 26 + 50 * (number // 2)
        if signs:
            _badge(canvas, tie, (x + 20, y), 20)
            x += 54
        if tie != "none":
            canvas.line((x + 4, y), (x + 56, y), style.colour, 6 if tie != "used" else 8, style.stroke)
            x += 72
        elif not signs:
            canvas.text((x, y), "no line", 29, MUTED, anchor="left", most=100)
            x += 112
        canvas.text((x, y), style.told, 29, anchor="left", most=WIDTH - MARGIN - x if number % 2 else 392 + MARGIN - x)


def _toward(start: Point, end: Point, far: float) -> Point:
    """The point that lies so far from the start on the way to the end."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    return (start[0] + (end[0] - start[0]) * far / length, start[1] + (end[1] - start[1]) * far / length)
