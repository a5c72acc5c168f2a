"""Autocomplete: which of many names a person means after typing its beginning; lists of people,
offers and deals.

Matches rank in this order: the name itself, another name, its beginning, the beginning of a word,
any part. Only if nothing matches, names with similar spelling are suggested, to allow for typing
errors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache, partial
from operator import itemgetter
from typing import Literal, NamedTuple, TypeVar

from rapidfuzz import fuzz

from bot.rules.model.text import quoted, visible
from bot.rules.views import DealView, OfferView, TableView
from bot.show.cards import truncate
from bot.show.names import bare_name, game_of, name, plain_text, seat_name
from bot.show.offer_sides import short_sides, wanted

T = TypeVar("T")

ALIKE = 75.0
"""The least similarity, out of 100, of typed text and a name."""

INSIDE_MIN = 2
"""The fewest characters to look for inside words: nearly every name contains any single
character.
"""

TYPED_MIN = 3
"""The fewest characters to match by similarity: two are similar to too many names."""


class MatchQuality(IntEnum):
    """How well a name matches typed text, the best first."""

    EXACT = 0
    ALIAS = 1
    PREFIX = 2
    WORDS = 3
    INSIDE = 4
    ALIKE = 5


class Rank(NamedTuple):
    """The rank of a match. Among equal fits, a smaller ``unlike`` is more similar."""

    fit: MatchQuality
    unlike: float = 0.0


def ranked(typed: str, things: Iterable[T], names: Callable[[T], Sequence[str]]) -> list[T]:
    """Return the matches, the best first, else in their order. ``names`` gives the name itself,
    then other names.
    """
    matches = []
    for thing in things:
        match = rank(typed, names(thing))
        if match is not None:
            matches.append((match, thing))
    sure = [pair for pair in matches if pair[0].fit is not MatchQuality.ALIKE]
    return [thing for _, thing in sorted(sure or matches, key=itemgetter(0))]


def rank(typed: str, names: Sequence[str]) -> Rank | None:
    """Return how well the names of one thing match; None for no match. Everything matches an empty
    text.
    """
    wanted = folded(typed)
    if not wanted:
        return Rank(MatchQuality.PREFIX)
    spellings = [folded(name) for name in names]
    if wanted == spellings[0]:
        return Rank(MatchQuality.EXACT)
    if wanted in spellings:
        return Rank(MatchQuality.ALIAS)
    squeezed = wanted.replace(" ", "")
    if any(name.replace(" ", "").startswith(squeezed) for name in spellings):
        return Rank(MatchQuality.PREFIX)
    words = re.findall(r"[\w.]+", wanted)
    if words and any(_begins_words(words, name) for name in spellings):
        return Rank(MatchQuality.WORDS)
    if len(wanted) >= INSIDE_MIN and any(wanted in name for name in spellings):
        return Rank(MatchQuality.INSIDE)
    best = _similarity(wanted, spellings) if len(wanted) >= TYPED_MIN else 0
    return Rank(MatchQuality.ALIKE, 100 - best) if best else None


def _begins_words(words: Sequence[str], name: str) -> bool:
    """Return whether each of these words is the beginning of a word of the name."""
    parts = re.split(r"[^\w.]+", name)

    def begins(word: str) -> bool:
        return any(part.startswith(word) for part in parts)

    return all(map(begins, words))


def _similarity(wanted: str, names: Sequence[str]) -> float:
    """Return how similar a text is to the most similar part of a name, out of 100; 0 below `ALIKE`.

    Parts begin with a word and are about as long as the text.
    """
    parts = set()
    for spelling in names:
        for word in re.finditer(r"\b\w", spelling):
            rest, long = spelling[word.start() :], len(wanted)
            parts |= {rest[: long - 1], rest[:long], rest[: long + 1]}
    similarities = (fuzz.ratio(wanted, part, score_cutoff=ALIKE) for part in parts)
    return max(similarities, default=0.0)


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """Return text for comparison: without case, accents, apostrophes and possessives, and with
    spaces for hyphens.
    """
    letters = unicodedata.normalize("NFKD", visible(text).casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    without = re.sub(r"['’#]", "", re.sub(r"['’]s\b", "", plain))
    return " ".join(re.sub(r"[-–—_]", " ", without).split())


# ---------------------------------------------------------------- people

CHOICES, LENGTH_MAX = 25, 100
"""Discord's limits: the number of choices, and the characters of each."""


def people_choices(
    view: TableView, typed: str, seats: Sequence[str], *, everybody: bool = False
) -> list[str]:
    """Return lists of these seats that continue the typed text. ``everybody``: each list names all
    seats.
    """
    names = partial(_names, view)
    *written, last = typed.split(",")
    named = []
    for part in written:
        # A list that was chosen has people's names behind their seats.
        seat_name_only = re.sub(r"\([^()]*\)$", "", part.strip()).strip()
        if seat_name_only:
            named += ranked(seat_name_only, seats, names)[:1]
    left = [seat for seat in seats if seat not in named]
    lists = []
    for seat in ranked(last, left, names):
        added = [seat]
        if everybody:
            place = left.index(seat)
            added = [*left[place:], *left[:place]]
        lists.append(_written(view, [*named, *added]))
    return [text for text in lists if len(text) <= LENGTH_MAX][:CHOICES]


def _names(view: TableView, seat: str) -> Sequence[str]:
    person, option = view.names.holder(seat), game_of(view).seats.find(seat)
    names = [seat_name(view, seat), bare_name(view, seat), seat]
    if person is not None and person.user_id is not None:
        names.append(f"<@{person.user_id}>")
    if option:
        names += [option.name, *option.also]
    return names


def _written(view: TableView, seats: Sequence[str]) -> str:
    """Return the list with people's names; without them if it is too long."""
    short, long = [], []
    for seat in seats:
        # Names are written without the characters that separate them from seats.
        person = re.sub(r"[(),;\n]", " ", bare_name(view, seat)).strip()
        short.append(seat_name(view, seat))
        long.append(f"{seat_name(view, seat)} ({person})")
    text = ", ".join(long)
    return text if len(text) <= LENGTH_MAX else ", ".join(short)


# ---------------------------------------------------------------- offers and deals

OfferUse = Literal[
    "accept", "hand", "counter", "decline", "alter", "pick", "withdraw", "suspend", "resume"
]

_MOVES: Mapping[OfferUse, tuple[str, ...]] = {
    "accept": ("accept", "agree", "have", "confirm"),
    "hand": ("hand_over", "choose_again", "accept"),
    "counter": ("counter",),
    "decline": ("decline", "back_out"),
    "alter": ("alter",),
    "withdraw": ("withdraw", "back_out"),
    "suspend": ("suspend",),
    "resume": ("resume",),
}
"""The buttons equivalent to each command."""

ENDINGS: tuple[OfferUse, ...] = ("decline", "withdraw")
"""The commands for an offer while a counter stands in its place."""


def offers_for(view: TableView, use: OfferUse) -> list[tuple[str, int]]:
    """Return a sentence and the number of each offer that this command may be about, the likely
    ones first.
    """
    offers = []
    for offer in view.offers.values():
        fits = offer.status != "countered" or use in ENDINGS
        if offer.live and fits and _may_be(view, offer, use):
            offers.append(offer)

    def unlikely(offer: OfferView) -> tuple[bool, bool, int]:
        if use == "pick":
            can = bool(offer.progress.pickable)
        else:
            can = any(move in _MOVES[use] for move in offer.buttons.actions)
        not_now = use == "accept" and offer.ruling.why_not is not None
        return not can, not_now, -offer.number

    offers.sort(key=unlikely)
    return [(offer_choice(view, offer), offer.number) for offer in offers]


def _may_be(view: TableView, offer: OfferView, use: OfferUse) -> bool:
    """Return whether the viewer has the role in this offer that the command needs."""
    match use:
        case "hand":
            return offer.role is not None
        case "accept" if view.seat in offer.progress.confirming:
            return True
        case "accept" | "counter" | "decline":
            return offer.role == "addressed"
        case "pick" if offer.to is not None and not offer.progress.pickable:
            return False
        case "suspend" if offer.status == "suspended":
            return False
        case "resume" if offer.status != "suspended":
            return False
        case _:
            return offer.role == "poster"


def offer_choice(view: TableView, offer: OfferView) -> str:
    """Return an offer as a sentence of a choice's length: ``Offer 12: you offer bob 3 trade goods
    for 1 commodity``.
    """
    give, want = short_sides(view, offer)
    if view.seat == offer.poster:
        who, s = "you", ""
    else:
        who, s = quoted(name(offer, offer.poster)), "s"
    to = quoted(name(offer, offer.to)) if offer.to else "everybody"
    if offer.to is not None and offer.to == view.seat:
        to = "you"
    does = f"ask{s} {to} for {want}"
    if offer.sides.give:
        does = f"offer{s} {to} {give} for {wanted(offer, want)}"
    words = {"open": "", "resolved": "done", "void": "no longer possible"}
    status = words.get(offer.status, offer.status)
    ended = f" ({status})" if status else ""
    sentence = plain_text(view, f"Offer {offer.number}: {who} {does}{ended}")
    return truncate(sentence, LENGTH_MAX)


def deals_among(view: TableView, deals: Iterable[DealView]) -> list[tuple[str, int]]:
    """Return a sentence and the number of each of the viewer's deals: ``Deal 4 with bob: I leave
    Vega to you``.
    """
    choices = []
    for deal in deals:
        seat = deal.to if view.seat == deal.seat else deal.seat
        other = quoted(name(deal, seat))
        terms = f": {quoted(deal.terms)}" if deal.terms else ""
        sentence = plain_text(view, f"Deal {deal.number} with {other}{terms}")
        choices.append((truncate(sentence, LENGTH_MAX), deal.number))
    return choices
