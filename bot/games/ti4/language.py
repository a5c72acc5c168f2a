"""Goods in words: the holdings that a view shows, and what autocomplete suggests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.api import (
    COUNT_MAX,
    NOTHING,
    Goods,
    Proposal,
    SeatView,
    Suggestion,
    TableView,
    kind_of,
    quoted,
)
from bot.games.ti4.boxes import lacks, start
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
from bot.games.ti4.shorthand import WORDS, read

Described = Callable[[str, int], str]
"""Describes so many of a component."""


def _fragment(token: str, count: int) -> str:
    return f"{count} {token.partition(':')[2]}"


def _captured(token: str, count: int) -> str:
    return describe_one(token, count).replace("captured ", "")


def _relic(token: str, count: int) -> str:
    return quoted(token.partition(":")[2])


_LISTS: tuple[tuple[str, tuple[str, ...], Described], ...] = (
    ("Relic fragments", ("fragment",), _fragment),
    ("Captured units", ("captured",), _captured),
    ("Planets", ("planet", "zone", "station"), describe_one),
    ("Relics", ("relic",), _relic),
)
"""The lists of open goods: title, kinds, and the function that describes one component."""


def describe_holdings(seat: SeatView) -> list[str]:
    """Describe holdings, a kind on each line, then the tokens for the counted goods [21.8]."""
    held = seat.open.count(COMMODITY)
    value = value_with(seat.id, seat.open + seat.in_play)
    of = f" of {value}" if held <= value else f", beyond your value of {value}"  # by a card
    lines = [f"Trade goods: {seat.open.count(TRADE_GOOD)}", f"Commodities: {held}{of}"]
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
    lying = []
    for side, token in (("trade goods", TRADE_GOOD), ("commodities", COMMODITY)):
        if count := seat.open.count(token):
            lying.append(f"{side} {tokens(count)}")
    if lying:
        lines.append(f"Tokens: {', '.join(lying)}")
    return lines


def _notes_line(seat: SeatView) -> list[str]:
    """Return the line of the notes in a hand; its player's own come first, by name alone."""
    notes = (seat.hidden or NOTHING).of_kind("note")
    if not seat.mine:
        return _listed("Promissory notes", notes, describe_one)
    own, others = [], []
    for token in in_order(notes):
        if note_owner(token)[1] == seat.id:
            own.append(note_named(token).name)
        else:
            others.append(describe_token(token))
    parts = [("yours", own), ("others'", others)]
    listed = "; ".join(f"{whose}: {', '.join(names)}" for whose, names in parts if names)
    return [f"Promissory notes: {listed}"] if listed else []


def cards(seat: SeatView) -> Goods:
    """Return the single cards that a seat could give: fragments and notes. See `notes`."""
    return seat.open.of_kind("fragment") + notes(seat)


def tokens(count: int) -> str:
    """Return a count in the fewest tokens of three and one: ``1×3 + 2×1`` (21.8)."""
    threes, ones = divmod(count, 3)
    piles = [f"{threes}×3"] if threes else []
    if ones:
        piles.append(f"{ones}×1")
    return " + ".join(piles) or "none"


def _listed(title: str, goods: Goods, described: Described) -> list[str]:
    listed = ", ".join(described(token, goods[token]) for token in in_order(goods))
    return [f"{title}: {listed}"] if goods else []


def notes(seat: SeatView) -> Goods:
    """Return the notes in a hand, or all that the seat owns if the view does not show the hand."""
    hand = start(seat.id, seat.settings) if seat.hidden is None else seat.hidden
    return hand.of_kind("note")


# ---------------------------------------------------------------- typed at a table


def read_here(view: TableView, text: str, giver: str | None, aliases: Mapping[str, str]) -> Goods:
    """Parse goods as `read`, with what is known at this table. Raises `Refused` as `read`, also
    for components of missing boxes.
    """
    return read(text, tuple(view.seats), giver, aliases, view)


def proposals(view: TableView, partner: str | None) -> Sequence[Proposal]:
    """Propose to swap commodities, or one for a trade good, by what lies open before the two."""
    if not view.tracked or view.seat is None or partner is None:
        return ()
    mine, theirs = view.seats[view.seat].open, view.seats[partner].open
    both = commodities(min(mine.count(COMMODITY), theirs.count(COMMODITY)))
    good, commodity, proposals = trade_goods(1), commodities(1), []
    if both:
        label = f"Swap {both.total()} ⇄ {describe(both)}"
        proposals.append(Proposal(label, both, both, unasked=True))
    if mine.count(TRADE_GOOD) and theirs.count(COMMODITY):
        proposals.append(Proposal("1 trade good for 1 commodity", good, commodity))
    if mine.count(COMMODITY) and theirs.count(TRADE_GOOD):
        proposals.append(Proposal("1 commodity for 1 trade good", commodity, good))
    return proposals


def prices(wanted: Goods) -> Sequence[Goods]:
    """Return what is usually given for these goods: for commodities, as many."""
    return () if wanted.without_kind(COMMODITY) else (wanted,)


def worth(goods: Goods) -> int:
    """Return what goods are worth, in trade goods: a promissory note three."""
    return goods.total() + 2 * goods.of_kind("note", "any").total()


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
    """Suggest what a seat could give beside the goods written: open goods, and one note [94.2].

    If the view does not show the hand, suggests all notes that the seat owns.
    """
    left = beside.common(seat.open).missing(seat.open)
    suggestions = [_open(token, left[token], left[token]) for token in in_order(left)]
    hand = notes(seat)
    if hand and not beside.of_kind("note", "any"):
        suggestions += [_note(token) for token in in_order(hand)]
        suggestions.append(Suggestion(ANY_NOTE, "any note"))
    return suggestions


def suggest_every(view: TableView) -> Sequence[Suggestion]:
    """Suggest everything that exists at a table with these settings and seats."""
    counted = [token for token in COUNTED if not lacks(token, view.settings)]
    suggestions = [_open(token, COUNT_MAX, 1) for token in counted]
    for seat in view.seats:
        suggestions += map(_note, in_order(start(seat, view.settings)))
    if lacks("captured", view.settings):
        return suggestions
    for seat in view.seats:
        suggestions += [_open(f"captured:{unit}:{seat}", COUNT_MAX, 1) for unit in UNITS]
    return suggestions


def gains(token: str) -> bool:
    """Return whether this can be gained; notes only come from other players."""
    return kind_of(token) != "note"


def spends(token: str) -> bool:
    """Return whether this can be spent; notes and commodities can't [21.7]."""
    return token != COMMODITY and kind_of(token) != "note"


def _note(token: str) -> Suggestion:
    """Suggest a note by its description. Autocomplete also finds it by its own name and aliases."""
    note = note_named(token)
    return Suggestion(token, describe_token(token), also=(note.name, *note.aliases))


def _open(token: str, most: int, usual: int) -> Suggestion:
    """Suggest an open component as it is written: ``trade goods``, ``captured mech of Sol``."""
    kind = kind_of(token)
    if kind in NAMED:
        return Suggestion(token, NAMED[kind] + token.partition(":")[2], uncommon=True)
    one = describe_one(token, 1).removeprefix("1 ")
    many = describe_one(token, 2).removeprefix("2 ")
    uncommon = kind == "captured" or token in (ACTION_CARD, SECRET_OBJECTIVE)
    words = []
    for word, meant in WORDS.items():
        if meant == token and not word.endswith("token"):
            words.append(word)
    also = (captured_unit(token)[0],) if kind == "captured" else tuple(words)
    return Suggestion(token, one, many, most, usual, also, uncommon)
