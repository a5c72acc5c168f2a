"""The table as a ring of seats: which pairs can trade now, are only neighbours, or have traded
already.

It shows nothing beyond the views it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Literal

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
    drawable,
    drawn,
    fitted,
    mixed,
)

Tie = Literal["now", "neighbors", "used", "none"]


@dataclass(frozen=True)
class RingSeat:
    """A seat of the ring: its player and the seat's short name. ``active``: it is their turn.

    ``label`` is the player's unambiguous name.
    """

    id: str
    player: str
    short: str
    label: str
    active: bool = False


@dataclass(frozen=True)
class Ring:
    """A table as one viewer sees it. ``viewer`` is their seat, drawn at the bottom."""

    title: str
    subtitle: str
    seats: tuple[RingSeat, ...]
    ties: Mapping[Pair, Tie]
    viewer: str | None = None


@dataclass(frozen=True)
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
    return (
        text
        if len(text) <= ALT_MAX
        else _alt(ring, {seat.id: seat.short for seat in ring.seats})[:ALT_MAX]
    )


def _tie(two: PairView) -> Tie:
    """Return the tie between two seats. It is never ``neighbors`` in a game without neighbours."""
    if two.why_not is None:
        return "now"
    if two.used:
        return "used"
    return "neighbors" if two.neighbors else "none"


# ---------------------------------------------------------------- in words


def _alt(ring: Ring, called: Mapping[str, str]) -> str:
    where = ". ".join(part for part in (ring.title, ring.subtitle[:200]) if part)
    # An unambiguous name has the seat's short name beside it; others have it in their label
    # already.
    around = ", ".join(
        f"{called[seat.id]} ({seat.short})" if seat.label == seat.player else called[seat.id]
        for seat in _from_viewer(ring)
    )
    seen = f", as {called[ring.viewer]} sees it" if ring.viewer else ""
    parts = [
        f"The table as a ring of {len(ring.seats)} seats, not in order of play{seen}. {where}. "
        f"Around it: {around}."
    ]
    parts += [_pairs(ring, tie, lead, called) for tie, lead in LEADS.items()]
    if "none" in ring.ties.values():
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
        if others := [
            second for second in order[number + 1 :] if ring.ties[pair(first, second)] == tie
        ]:
            groups.append(f"{called[first]} with {', '.join(called[other] for other in others)}")
    return f"{lead}: {'; '.join(groups) or 'nobody'}."


# ---------------------------------------------------------------- drawn


def _from_viewer(ring: Ring) -> tuple[RingSeat, ...]:
    """Return the seats in the order in which they were taken, beginning with the viewer's."""
    start = next((number for number, seat in enumerate(ring.seats) if seat.id == ring.viewer), 0)
    return ring.seats[start:] + ring.seats[:start]


def _draw(ring: Ring) -> Canvas:
    count = len(ring.seats)
    radius = 54 if count <= 6 else 46
    across, down = (258 if count <= 6 else 240), (190 if count <= 3 else 235 if count <= 5 else 270)
    middle = (WIDTH / 2, HEAD + LABEL + radius + down)
    canvas = Canvas(WIDTH, round(HEAD + 2 * (LABEL + radius + down) + LEGEND))
    places = {
        seat.id: (
            middle[0] + across * cos(pi / 2 + 2 * pi * number / count),
            middle[1] + down * sin(pi / 2 + 2 * pi * number / count),
        )
        for number, seat in enumerate(_from_viewer(ring))
    }
    canvas.text(
        (MARGIN + 8, 44),
        ring.title,
        40,
        bold=True,
        anchor="left",
        max_width=WIDTH - 2 * MARGIN - 16,
    )
    canvas.text(
        (MARGIN + 8, 90), ring.subtitle, 31, MUTED, anchor="left", max_width=WIDTH - 2 * MARGIN - 16
    )
    canvas.oval(middle, across, down, FELT)
    _lines(canvas, ring, places, radius)
    for seat in ring.seats:
        _seat(canvas, ring, seat, places[seat.id], middle, radius)
    _legend(canvas, canvas.height - LEGEND + 32, ring.viewer is not None)
    return canvas


def _lines(canvas: Canvas, ring: Ring, places: Mapping[str, Point], radius: float) -> None:
    """Draw a line for each tie; the viewer's are thick and on top."""
    active = {seat.id for seat in ring.seats if seat.active}
    for two, tie in sorted(ring.ties.items(), key=lambda item: ring.viewer in item[0]):
        if tie != "none":
            style, own = STYLES[tie], ring.viewer in two
            thick = (11 if own else 5) + (2 if style.stroke == "dotted" else 0)
            colour = style.colour if own or ring.viewer is None else mixed(style.colour, FELT, 0.3)
            start, end = (places[id] for id in two)
            gap, other = (radius + (24 if id in active else 9) for id in two)
            canvas.line(
                _toward(start, end, gap), _toward(end, start, other), colour, thick, style.stroke
            )


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
        canvas.text(at, (drawable(seat.player) or seat.short)[:1].upper(), 44, bold=True)
    else:
        _badge(canvas, ring.ties[pair(ring.viewer, seat.id)], at, radius)
    _label(canvas, ring, seat, at, middle, radius + (16 if seat.active else 4))


def _badge(canvas: Canvas, tie: Tie, at: Point, radius: float) -> None:
    style = STYLES[tie]
    canvas.disc(at, radius, style.colour if tie == "now" else FELT, style.colour, radius * 0.11)
    colour = {"now": DARK, "none": MUTED}.get(tie, style.colour)
    canvas.sign(style.sign, at, radius * 0.95, colour, radius * 0.2)


def _label(
    canvas: Canvas, ring: Ring, seat: RingSeat, at: Point, middle: Point, radius: float
) -> None:
    """Write a seat's names above or below it, away from the middle."""
    above = at[1] < middle[1] - 40
    side = 0 if abs(at[0] - middle[0]) < 60 else (1 if at[0] > middle[0] else -1)
    room, inward = WIDTH / 2 - 80, radius
    if side:
        # With many seats, a seat at the far side has another just below: the label must not cover
        # the line between them.
        inward = 24 if len(ring.seats) > 6 and abs(at[1] - middle[1]) < 40 else radius + 12
        room = WIDTH / 2 - MARGIN - abs(at[0] - WIDTH / 2) + inward
    top = at[1] - radius - 78 if above else at[1] + radius + 2
    turn = ("your turn" if seat.id == ring.viewer else "turn") if seat.active else ""
    called = drawable(seat.player)
    small = " · ".join(part for part in (seat.short if called else "", turn) if part)
    lines = ((called or seat.short, 35, TEXT, True), (small, 28, YELLOW if turn else MUTED, False))
    wide = max(fitted(text, size, room, bold)[2] for text, size, _, bold in lines)
    x = at[0] + side * max(0.0, wide / 2 - min(radius, inward))
    x = min(max(x, MARGIN + wide / 2), WIDTH - MARGIN - wide / 2)
    for (text, size, colour, bold), height in zip(
        lines, (20, 58) if small or not above else (58, 58), strict=True
    ):
        canvas.text((x, top + height), text, size, colour, bold=bold, max_width=room, halo=CARD)


def _legend(canvas: Canvas, top: float, signs: bool) -> None:
    """Draw the legend of lines and, with ``signs``, of the signs in the seats."""
    canvas.text(
        (MARGIN + 8, top + 122),
        "The ring shows seats, not the order of play.",
        27,
        MUTED,
        anchor="left",
        max_width=WIDTH - 2 * MARGIN - 16,
    )
    for number, (tie, style) in enumerate(STYLES.items()):
        x, y = MARGIN + 8 + 392 * (number % 2), top + 26 + 50 * (number // 2)
        if signs:
            _badge(canvas, tie, (x + 20, y), 20)
            x += 54
        if tie != "none":
            canvas.line(
                (x + 4, y), (x + 56, y), style.colour, 6 if tie != "used" else 8, style.stroke
            )
            x += 72
        elif not signs:
            canvas.text((x, y), "no line", 29, MUTED, anchor="left", max_width=100)
            x += 112
        canvas.text(
            (x, y),
            style.label,
            29,
            anchor="left",
            max_width=WIDTH - MARGIN - x if number % 2 else 392 + MARGIN - x,
        )


def _toward(start: Point, end: Point, far: float) -> Point:
    """Return the point at this distance from ``start`` towards ``end``."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    return (
        start[0] + (end[0] - start[0]) * far / length,
        start[1] + (end[1] - start[1]) * far / length,
    )
