"""The table as a ring of seats: which pairs can trade now, are only neighbours, or have traded
already.

It shows nothing beyond the views it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import copysign, cos, hypot, pi, sin
from typing import Literal

from bot.rules.model.values import frozen
from bot.rules.model.windows import Pair, pair
from bot.rules.views import PairView, TableView
from bot.show.names import bare_name, name, plain_text, seat_name
from bot.show.pictures import ALT_MAX, Picture
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
    between,
    drawable,
    drawn,
    fitted,
    left,
    mixed,
)

Tie = Literal["now", "neighbors", "used", "none"]


@frozen
class RingSeat:
    """A seat of the ring: its player and the seat's short name. ``active``: it is their turn.

    ``label`` is the player's unambiguous name.
    """

    id: str
    player: str
    short: str
    label: str
    active: bool = False


@frozen
class Ring:
    """A table as one viewer sees it. ``viewer`` is their seat, drawn at the bottom."""

    title: str
    subtitle: str
    seats: tuple[RingSeat, ...]
    ties: Mapping[Pair, Tie]
    viewer: str | None = None


@frozen
class TieStyle:
    """How a tie is drawn, and its label in the legend."""

    colour: str
    stroke: Stroke
    sign: Sign
    label: str


STYLES: dict[Tie, TieStyle] = {
    "now": TieStyle(GREEN, "solid", "tick", "can trade now"),
    "used": TieStyle(AMBER, "dotted", "cross", "already traded"),
    "neighbors": TieStyle(BLUE, "dashed", "dots", "neighbours only"),
    "none": TieStyle(GREY, "solid", "bar", "no trade now"),
}

WIDTH, MARGIN = 800, 20
LEFT, ROOM = MARGIN + 8, WIDTH - 2 * MARGIN - 16
HEAD, LEGEND = 122, 190
LABEL = 84
"""The height of a seat's two lines of text."""


def ring_of(view: TableView, pairs: Sequence[PairView]) -> Ring | None:
    """Return the table as a ring; None if it is closed, has fewer than two players, or all trade
    with all.

    ``pairs`` are all pairs of taken seats.
    """
    seated = view.seated()
    if not view.open or len(seated) < 2 or not view.pairwise:
        return None
    title, _, subtitle = view.board.lines[0].replace("**", "").partition(" · ")
    turn = view.window.holder
    seats = tuple(
        RingSeat(id, bare_name(view, id), seat_name(view, id), name(view, id), id == turn)
        for id in seated
    )
    ties = {each.seats: _tie(each) for each in pairs}
    viewer = view.seat if view.seat in seated else None
    return Ring(plain_text(view, title), plain_text(view, subtitle), seats, ties, viewer)


def ring_picture(ring: Ring) -> Picture:
    """Draw the ring. Takes some tens of milliseconds."""
    return Picture(drawn(lambda: _draw(ring)), "table.png", alt(ring))


def alt(ring: Ring) -> str:
    """Return what the ring shows in words, with people's names, or with the seats' names if too
    long.
    """
    text = _alt(ring, {seat.id: seat.label for seat in ring.seats})
    if len(text) <= ALT_MAX:
        return text
    return _alt(ring, {seat.id: seat.short for seat in ring.seats})[:ALT_MAX]


def _tie(two: PairView) -> Tie:
    """Return the tie between two seats. It is never ``neighbors`` in a game without neighbours."""
    if two.why_not is None:
        return "now"
    if two.used:
        return "used"
    return "neighbors" if two.neighbors else "none"


# ---------------------------------------------------------------- in words


def _alt(ring: Ring, called: Mapping[str, str]) -> str:
    around = []
    for seat in _from_viewer(ring):
        # An unambiguous name has the seat's short name beside it; others have it in their label
        # already.
        short = f" ({seat.short})" if seat.label == seat.player else ""
        around.append(f"{called[seat.id]}{short}")
    where = ". ".join(text.rstrip(".") for text in (ring.title, ring.subtitle[:200]) if text)
    seen = f", as {called[ring.viewer]} sees it" if ring.viewer else ""
    parts = [
        f"The table as a ring of {len(ring.seats)} seats, not in order of play{seen}. {where}. "
        f"Around it: {', '.join(around)}."
    ]
    ties = {"now", *ring.ties.values()}
    parts += [_pairs(ring, tie, lead, called) for tie, lead in LEADS.items() if tie in ties]
    if "none" in ties:
        parts.append("All other pairs can't trade now.")
    return " ".join(parts)


LEADS: dict[Tie, str] = {
    "now": "Can trade now",
    "used": "Have already traded",
    "neighbors": "Neighbours only",
}


def _pairs(ring: Ring, tie: Tie, lead: str, called: Mapping[str, str]) -> str:
    """Return all pairs with this tie, grouped by the first seat."""
    if all(other == tie for other in ring.ties.values()):
        return f"{lead}: everybody with everybody."
    order = [seat.id for seat in _from_viewer(ring)]
    groups = []
    for number, first in enumerate(order):
        others = []
        for seat in order[number + 1 :]:
            if ring.ties[pair(first, seat)] == tie:
                others.append(called[seat])
        if others:
            groups.append(f"{called[first]} with {', '.join(others)}")
    return f"{lead}: {'; '.join(groups) or 'nobody'}."


# ---------------------------------------------------------------- drawn


def _from_viewer(ring: Ring) -> tuple[RingSeat, ...]:
    """Return the seats in the order in which they were taken, beginning with the viewer's."""
    ids = [seat.id for seat in ring.seats]
    start = ids.index(ring.viewer) if ring.viewer in ids else 0
    return ring.seats[start:] + ring.seats[:start]


def _draw(ring: Ring) -> Canvas:
    count = len(ring.seats)
    radius, across, down = (54, 258, 235) if count <= 6 else (46, 240, 270)
    if count <= 3:
        down = 190
    elif count > 5:
        down = 270
    x, y = WIDTH / 2, HEAD + LABEL + radius + down
    canvas = Canvas(WIDTH, HEAD + 2 * (LABEL + radius + down) + LEGEND)
    places: dict[str, Point] = {}
    for number, seat in enumerate(_from_viewer(ring)):
        angle = pi / 2 + 2 * pi * number / count
        right, below = across * cos(angle), down * sin(angle)
        places[seat.id] = (x + right, y + below)
    left(canvas, (LEFT, 44), ring.title, 40, bold=True, room=ROOM)
    left(canvas, (LEFT, 90), ring.subtitle, 31, MUTED, room=ROOM)
    canvas.oval((x, y), across, down, FELT)
    _lines(canvas, ring, places, radius)
    for seat in ring.seats:
        _seat(canvas, ring, seat, places[seat.id], (x, y), radius)
    _legend(canvas, ring, canvas.height - LEGEND + 32)
    return canvas


def _lines(canvas: Canvas, ring: Ring, places: Mapping[str, Point], radius: float) -> None:
    """Draw a line for each tie; the viewer's are thick and on top."""
    gaps = {seat.id: radius + (24 if seat.active else 9) for seat in ring.seats}
    for two in sorted(ring.ties, key=lambda two: ring.viewer in two):
        tie = ring.ties[two]
        if tie == "none":
            continue
        style, own = STYLES[tie], ring.viewer in two
        thick = (11 if own else 5) + (2 if style.stroke == "dotted" else 0)
        colour = style.colour if own or ring.viewer is None else mixed(style.colour, FELT, 0.3)
        first, second = two
        start = _toward(places[first], places[second], gaps[first])
        end = _toward(places[second], places[first], gaps[second])
        canvas.line(start, end, colour, thick, style.stroke)


def _seat(
    canvas: Canvas, ring: Ring, seat: RingSeat, at: Point, middle: Point, radius: float
) -> None:
    """Draw a seat: a disc that shows its tie with the viewer's seat, and its label."""
    if seat.active:
        canvas.disc(at, radius + 13, CARD, YELLOW, 6)
    if seat.id == ring.viewer:
        canvas.disc(at, radius, TEXT)
        canvas.text(at, "You", 34, DARK, bold=True)
    elif ring.viewer is None:
        canvas.disc(at, radius, FELT, MUTED, 5)
        initial = (drawable(seat.player) or seat.short)[:1].upper()
        canvas.text(at, initial, 44, bold=True)
    else:
        _badge(canvas, ring.ties[pair(ring.viewer, seat.id)], at, radius)
    _label(canvas, ring, seat, at, middle, radius + (16 if seat.active else 4))


def _badge(canvas: Canvas, tie: Tie, at: Point, radius: float) -> None:
    style = STYLES[tie]
    fill = style.colour if tie == "now" else FELT
    canvas.disc(at, radius, fill, style.colour, radius * 0.11)
    colour = {"now": DARK, "none": MUTED}.get(tie, style.colour)
    canvas.sign(style.sign, at, radius * 0.95, colour, radius * 0.2)


def _label(
    canvas: Canvas, ring: Ring, seat: RingSeat, at: Point, middle: Point, radius: float
) -> None:
    """Write a seat's names above or below it, away from the middle."""
    right, down = at[0] - middle[0], at[1] - middle[1]
    above, beside = down < -40, abs(right) >= 60
    room, inward = WIDTH / 2 - 80, radius
    if beside:
        # With many seats, a seat at the far side has another just below: the label must not cover
        # the line between them.
        inward = 24 if len(ring.seats) > 6 and abs(down) < 40 else radius + 12
        room = WIDTH / 2 - MARGIN - abs(right) + inward
    turn = ("your turn" if seat.id == ring.viewer else "turn") if seat.active else ""
    called = drawable(seat.player)
    small = " · ".join(filter(None, (seat.short if called else "", turn)))
    big = called or seat.short
    _, _, wide = fitted(big, 35, room, bold=True)
    wide = max(wide, fitted(small, 28, room)[2])
    x = at[0]
    if beside:
        x += copysign(max(0.0, wide / 2 - min(radius, inward)), right)
    x = min(max(x, MARGIN + wide / 2), WIDTH - MARGIN - wide / 2)
    top = at[1] - radius - 78 if above else at[1] + radius + 2
    first = 20 if small or not above else 58
    canvas.text((x, top + first), big, 35, TEXT, bold=True, max_width=room, halo=CARD)
    ink = YELLOW if turn else MUTED
    canvas.text((x, top + 58), small, 28, ink, max_width=room, halo=CARD)


def _legend(canvas: Canvas, ring: Ring, top: float) -> None:
    """Draw the legend of the ties in this ring: the lines and, for a viewer, the signs of seats."""
    signs, used = ring.viewer is not None, {*ring.ties.values()}
    note = "The ring shows seats, not the order of play."
    left(canvas, (LEFT, top + 122), note, 27, MUTED, room=ROOM)
    for number, tie in enumerate(tie for tie in STYLES if tie in used):
        style = STYLES[tie]
        column, row = number % 2, number // 2
        x, y = LEFT + 392 * column, top + 26 + 50 * row
        if signs:
            _badge(canvas, tie, (x + 20, y), 20)
            x += 54
        if tie != "none":
            thick = 6 if tie != "used" else 8
            canvas.line((x + 4, y), (x + 56, y), style.colour, thick, style.stroke)
            x += 72
        elif not signs:
            left(canvas, (x, y), "no line", 29, MUTED, room=100)
            x += 112
        end = WIDTH - MARGIN if column else 392 + MARGIN
        left(canvas, (x, y), style.label, 29, room=end - x)


def _toward(start: Point, end: Point, far: float) -> Point:
    """Return the point at this distance from ``start`` towards ``end``."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    return between(start, end, far / length)
