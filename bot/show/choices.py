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
from functools import lru_cache
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


def ranked(typed: str, found: Iterable[T], names: Callable[[T], Sequence[str]]) -> list[T]:
    """Return the matches, the best first, else in their order. ``names`` gives the name itself,
    then other names.
    """
    ranks = [(rank(typed, names(each)), each) for each in found]
    fitting = [(how, each) for how, each in ranks if how is not None]
    surely = [(how, each) for how, each in fitting if how.fit is not MatchQuality.ALIKE]
    return [each for _, each in sorted(surely or fitting, key=lambda pair: pair[0])]


def rank(typed: str, names: Sequence[str]) -> Rank | None:
    """Return how well the names of one thing match; None for no match. Everything matches an empty
    text.
    """
    wanted = folded(typed)
    if not wanted:
        return Rank(MatchQuality.PREFIX)
    every = [folded(name) for name in names]
    squeezed, words = wanted.replace(" ", ""), re.findall(r"[\w.]+", wanted)
    if wanted == every[0]:
        return Rank(MatchQuality.EXACT)
    if wanted in every:
        return Rank(MatchQuality.ALIAS)
    if any(name.replace(" ", "").startswith(squeezed) for name in every):
        return Rank(MatchQuality.PREFIX)
    if words and any(
        all(any(part.startswith(word) for part in re.split(r"[^\w.]+", name)) for word in words)
        for name in every
    ):
        return Rank(MatchQuality.WORDS)
    if len(wanted) >= INSIDE_MIN and any(wanted in name for name in every):
        return Rank(MatchQuality.INSIDE)
    if len(wanted) < TYPED_MIN:
        return None
    parts = {  # those that begin with a word and are about as long as the typed text
        name[start.start() : start.start() + len(wanted) + more]
        for name in every
        for start in re.finditer(r"\b\w", name)
        for more in (-1, 0, 1)
    }
    best = max((fuzz.ratio(wanted, part, score_cutoff=ALIKE) for part in parts), default=0.0)
    return Rank(MatchQuality.ALIKE, 100 - best) if best else None


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
    kept, _, last = typed.rpartition(",")
    named = [seat for part in kept.split(",") if (seat := _named(view, part, seats)) is not None]
    left = [seat for seat in seats if seat not in named]
    lists = []
    for seat in ranked(last, left, lambda seat: _names(view, seat)):
        place = left.index(seat)
        added = [*left[place:], *left[:place]] if everybody else [seat]
        lists.append(_written(view, [*named, *added]))
    return [each for each in lists if len(each) <= LENGTH_MAX][:CHOICES]


def _named(view: TableView, part: str, seats: Sequence[str]) -> str | None:
    """Return the seat that matches a part of the list best."""
    plain = re.sub(r"\([^()]*\)$", "", part.strip()).strip()
    return (
        next(iter(ranked(plain, seats, lambda seat: _names(view, seat))), None) if plain else None
    )


def _names(view: TableView, seat: str) -> Sequence[str]:
    option = game_of(view).seats.find(seat)
    user = view.names.holder(seat)
    mention = f"<@{user.user_id}>" if user is not None and user.user_id is not None else seat
    return (
        seat_name(view, seat),
        bare_name(view, seat),
        seat,
        mention,
        *((option.name, *option.also) if option else ()),
    )


def _written(view: TableView, seats: Sequence[str]) -> str:
    """Return the list with people's names; without them if it is too long."""
    # Names are written without the characters that separate them from seats.
    called = [re.sub(r"[(),;\n]", " ", bare_name(view, seat)).strip() for seat in seats]
    long = ", ".join(
        f"{seat_name(view, seat)} ({who})" for seat, who in zip(seats, called, strict=True)
    )
    return long if len(long) <= LENGTH_MAX else ", ".join(seat_name(view, seat) for seat in seats)


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
    every = [
        offer
        for offer in view.offers.values()
        if offer.live and (offer.status != "countered" or use in ENDINGS)
    ]
    found = [offer for offer in every if _may_be(view, offer, use)]

    def unlikely(offer: OfferView) -> tuple[bool, bool, int]:
        if use == "pick":
            can = bool(offer.progress.pickable)
        else:
            can = any(move in _MOVES[use] for move in offer.buttons.actions)
        return (not can, use == "accept" and offer.ruling.why_not is not None, -offer.number)

    return [(offer_choice(view, offer), offer.number) for offer in sorted(found, key=unlikely)]


def _may_be(view: TableView, offer: OfferView, use: OfferUse) -> bool:
    """Return whether the viewer has the role in this offer that the command needs."""
    match use:
        case "hand":
            return offer.role is not None
        case "accept" | "counter" | "decline":
            return offer.role == "addressed" or (
                use == "accept" and view.seat in offer.progress.confirming
            )
        case "pick":
            return offer.role == "poster" and (offer.to is None or bool(offer.progress.pickable))
        case "suspend" | "resume":
            return offer.role == "poster" and (offer.status == "suspended") == (use == "resume")
        case _:
            return offer.role == "poster"


def offer_choice(view: TableView, offer: OfferView) -> str:
    """Return an offer as a sentence of a choice's length: ``Offer 12: you offer bob 3 trade goods
    for 1 commodity``.
    """
    give, want = short_sides(view, offer)
    mine = view.seat == offer.poster
    who, s = ("you", "") if mine else (quoted(name(offer, offer.poster)), "s")
    to = (
        "everybody"
        if offer.to is None
        else "you"
        if offer.to == view.seat
        else quoted(name(offer, offer.to))
    )
    does = (
        f"offer{s} {to} {give} for {wanted(offer, want)}"
        if offer.sides.give
        else f"ask{s} {to} for {want}"
    )
    words = {"open": "", "resolved": "done", "void": "no longer possible"}
    ended = words.get(offer.status, offer.status)
    sentence = f"Offer {offer.number}: {who} {does}{f' ({ended})' if ended else ''}"
    return truncate(plain_text(view, sentence), LENGTH_MAX)


def deals_among(view: TableView, deals: Iterable[DealView]) -> list[tuple[str, int]]:
    """Return a sentence and the number of each of the viewer's deals: ``Deal 4 with bob: I leave
    Vega to you``.
    """
    found = []
    for deal in deals:
        other = deal.to if view.seat == deal.seat else deal.seat
        words = f": {quoted(deal.terms)}" if deal.terms else ""
        sentence = plain_text(view, f"Deal {deal.number} with {quoted(name(deal, other))}{words}")
        found.append((truncate(sentence, LENGTH_MAX), deal.number))
    return found
