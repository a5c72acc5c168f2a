"""Goods in words: the holdings that a view shows, and what autocomplete suggests."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from bot.api import (
    COUNT_MAX,
    NOTHING,
    Goods,
    Proposal,
    Refused,
    SeatView,
    Suggestion,
    TableView,
    excerpt,
    kind_of,
    quoted,
)
from bot.games.ti4.boxes import lacks, printed, start
from bot.games.ti4.components import (
    ACTION_CARD,
    ANY_NOTE,
    COMMODITY,
    FRAGMENTS,
    NAMED,
    SECRET_OBJECTIVE,
    TRADE_GOOD,
    UNITS,
    captured_unit,
    commodities,
    describe,
    describe_one,
    describe_token,
    in_order,
    note_named,
    note_owner,
    trade_goods,
)
from bot.games.ti4.holdings import value_with
from bot.games.ti4.shorthand import WORDS, own_words, read

_LISTS: tuple[tuple[str, tuple[str, ...], Callable[[str, int], str]], ...] = (
    ("Relic fragments", ("fragment",), lambda token, count: f"{count} {token.partition(':')[2]}"),
    (
        "Captured units",
        ("captured",),
        lambda token, count: describe_one(token, count).replace("captured ", ""),
    ),
    ("Planets", ("planet", "zone", "station"), describe_one),
    ("Relics", ("relic",), lambda token, count: quoted(token.partition(":")[2])),
)
"""The lists of open goods: title, kinds, and the function that describes one component."""


def describe_holdings(seat: SeatView) -> list[str]:
    """Describe holdings, one kind on each line; the last line has the tokens for trade goods and
    commodities (21.8).
    """
    held, value = seat.open.count(COMMODITY), value_with(seat.id, seat.open + seat.in_play)
    lines = [
        f"Trade goods: {seat.open.count(TRADE_GOOD)}",
        # A card may have lifted the limit.
        f"Commodities: {held} of {value}"
        if held <= value
        else f"Commodities: {held}, beyond your value of {value}",
    ]
    if cards := seat.open.count(ACTION_CARD):
        lines.append(f"Action cards: {cards}")
    if objectives := seat.open.count(SECRET_OBJECTIVE):
        lines.append(f"Secret objectives: {objectives}")
    if seat.hidden is None and seat.hidden_count is not None:
        lines.append(f"Promissory notes: {seat.hidden_count} in hand")
    lines += _notes_line(seat)
    lines += _listed("In play", seat.in_play, describe_one)
    for title, kinds, described in _LISTS:
        lines += _listed(title, seat.open.of_kind(*kinds), described)
    sides = (("trade goods", TRADE_GOOD), ("commodities", COMMODITY))
    if lying := [
        f"{side} {tokens(seat.open.count(token))}" for side, token in sides if token in seat.open
    ]:
        lines.append(f"Tokens: {', '.join(lying)}")
    return lines


def _notes_line(seat: SeatView) -> list[str]:
    """Return the line of the notes in a hand; for its player, their own by name alone, and then
    those of others.
    """
    notes = (seat.hidden or NOTHING).of_kind("note")
    if not seat.mine:
        return _listed("Promissory notes", notes, describe_one)
    held = in_order(notes)
    own = [note_named(token).name for token in held if note_owner(token)[1] == seat.id]
    others = [describe_token(token) for token in held if note_owner(token)[1] != seat.id]
    parts = [("yours", own), ("others'", others)]
    listed = "; ".join(f"{whose}: {', '.join(names)}" for whose, names in parts if names)
    return [f"Promissory notes: {listed}"] if listed else []


def cards(seat: SeatView) -> Goods:
    """Return the single cards that a seat could give: fragments and notes (if the hand is hidden,
    all it owns).
    """
    return seat.open.of_kind("fragment") + notes(seat)


def tokens(count: int) -> str:
    """Return a count in the fewest tokens of three and one: ``1×3 + 2×1`` (21.8)."""
    return " + ".join(f"{n}×{size}" for n, size in ((count // 3, 3), (count % 3, 1)) if n) or "none"


def _listed(title: str, goods: Goods, described: Callable[[str, int], str]) -> list[str]:
    listed = ", ".join(described(token, goods[token]) for token in in_order(goods))
    return [f"{title}: {listed}"] if goods else []


def notes(seat: SeatView) -> Goods:
    """Return the notes in a hand, or all that the seat owns if the view does not show the hand."""
    return (start(seat.id, seat.settings) if seat.hidden is None else seat.hidden).of_kind("note")


# ---------------------------------------------------------------- typed at a table

_BETWEEN = re.compile(r"([,;+&\n]| and )", re.IGNORECASE)
_ALL = re.compile(r"all (?:of )?(?:(?:my|our|your|their|the) )?([^\W\d].*)", re.IGNORECASE)


def read_here(view: TableView, text: str, giver: str | None, aliases: Mapping[str, str]) -> Goods:
    """Parse goods as `read`, with what is known here: colours, who “my” and “your” mean, “all
    commodities”, cards in force.

    Notes get the printing that the table plays with. Raises `Refused` as `read`, for components of
    missing boxes, and for “all” where it is unknown how many that is.
    """
    colors = {
        color: seat for color, seat in view.board.called.items() if aliases.get(color, seat) == seat
    }
    called = {
        word: seat for word, seat in aliases.items() if word not in view.board.called
    } | colors
    called |= own_words(view.seat)
    if giver is not None and giver != view.seat:
        called |= dict.fromkeys(("your", "their", "his", "her"), giver)

    def read_part(part: str) -> Goods:
        return read(part, tuple(view.seats), giver, called, view.board.in_force)

    def counted(piece: str) -> str:
        found = _ALL.fullmatch(piece.strip())
        if found is None:
            return piece
        tokens = list(read_part(f"1 {found[1]}"))
        if giver is None or not view.tracked or len(tokens) != 1:
            raise Refused(
                "", f"I don't know how many that is: “{excerpt(found[0])}”.", "Write a number."
            )
        held = view.seats[giver].open.count(tokens[0])
        if not held:
            raise Refused(
                "",
                f"<seat:{giver}> has none: “{excerpt(found[0])}”.",
                f"Write what <they:{giver}> can give.",
            )
        return f"{held} {found[1]}"

    return printed(view, read_part("".join(counted(piece) for piece in _BETWEEN.split(text))))


def proposals(view: TableView, partner: str | None) -> Sequence[Proposal]:
    """Propose to swap commodities, and one trade good for one commodity, by what lies open before
    the two.
    """
    if not view.tracked or view.seat is None or partner is None:
        return ()
    mine, theirs = view.seats[view.seat].open, view.seats[partner].open
    found, both = [], min(mine.count(COMMODITY), theirs.count(COMMODITY))
    good, commodity = trade_goods(1), commodities(1)
    if both:
        label = f"Swap {both} ⇄ {describe(commodities(both))}"
        found.append(Proposal(label, commodities(both), commodities(both), unasked=True))
    if mine.count(TRADE_GOOD) and theirs.count(COMMODITY):
        found.append(Proposal("1 trade good for 1 commodity", good, commodity))
    if mine.count(COMMODITY) and theirs.count(TRADE_GOOD):
        found.append(Proposal("1 commodity for 1 trade good", commodity, good))
    return found


# ---------------------------------------------------------------- autocomplete

COUNTED = (
    TRADE_GOOD,
    COMMODITY,
    *(f"fragment:{kind}" for kind in FRAGMENTS),
    ACTION_CARD,
    SECRET_OBJECTIVE,
)
"""Components that are counted instead of being unique."""


def suggest(seat: SeatView, beside: Goods) -> Sequence[Suggestion]:
    """Suggest what a seat could give beside the goods written already: open goods, and one note
    [94.2].

    If the view does not show the hand, suggests all notes that the seat owns.
    """
    left = beside.common(seat.open).missing(seat.open)
    return [
        *(_open(token, left[token], left[token]) for token in in_order(left)),
        *(_note(token) for token in in_order(notes(seat)) if not beside.of_kind("note", "any")),
        *(
            [Suggestion(ANY_NOTE, "any note")]
            if notes(seat) and not beside.of_kind("note", "any")
            else ()
        ),
    ]


def suggest_every(view: TableView) -> Sequence[Suggestion]:
    """Suggest everything that exists at a table with these settings and seats."""
    counted = (_open(token, COUNT_MAX, 1) for token in COUNTED if not lacks(token, view.settings))
    own = (token for seat in view.seats for token in in_order(start(seat, view.settings)))
    captured = (
        f"captured:{unit}:{seat}"
        for seat in view.seats
        for unit in UNITS
        if not lacks("captured", view.settings)
    )
    return [*counted, *map(_note, own), *(_open(token, COUNT_MAX, 1) for token in captured)]


def gains(token: str) -> bool:
    """Return whether this can be gained; notes only come from other players."""
    return kind_of(token) != "note"


def spends(token: str) -> bool:
    """Return whether this can be spent; notes and commodities can't [21.7]."""
    return token != COMMODITY and kind_of(token) != "note"


def _note(token: str) -> Suggestion:
    """Suggest a note by its description. Autocomplete also finds it by its own name and aliases."""
    return Suggestion(
        token, describe_token(token), also=(note_named(token).name, *note_named(token).aliases)
    )


def _open(token: str, most: int, usual: int) -> Suggestion:
    """Suggest an open component as the shorthand writes it: ``trade goods``, ``captured mech of
    Sol``.
    """
    kind = kind_of(token)
    if kind in NAMED:
        return Suggestion(token, NAMED[kind] + token.partition(":")[2], uncommon=True)
    one, many = (describe_one(token, count).removeprefix(f"{count} ") for count in (1, 2))
    uncommon = kind == "captured" or token in (ACTION_CARD, SECRET_OBJECTIVE)
    words = (word for word, meant in WORDS.items() if meant == token)
    also = (captured_unit(token)[0],) if kind == "captured" else tuple(words)
    return Suggestion(token, one, many, most, usual, also, uncommon)
