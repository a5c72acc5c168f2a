"""Autocomplete: which of many names a person means after typing its beginning; lists of people, offers and deals.

Matches rank in this order: the name itself, another name, its beginning, the beginning of a word, any part. Only if
nothing matches, names with similar spelling are suggested, to allow for typing errors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from rapidfuzz import fuzz

from bot.rules.model.text import quoted, visible
from bot.rules.views import DealView, OfferView, TableView
from bot.show.cards import truncate
from bot.show.names import bare_name, game_of, name, plain_text, seat_name
from bot.show.offer_sides import wanted

T = TypeVar("T")

ALIKE = 75.0
"""The least similarity, out of 100, of typed text and a name."""

INSIDE_MIN = 2
"""The fewest characters to look for inside words: nearly every name contains any single character."""

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
    """Return the matches, the best first, else in their order. ``names`` gives the name itself, then other names."""
    ranks = [(rank(typed, names(each)), each) for each in found]
    fitting = [(how, each) for how, each in ranks if how is not None]
    surely = [(how, each) for how, each in fitting if how.fit is not MatchQuality.ALIKE]
    return [each for _, each in sorted(surely or fitting, key=lambda pair: pair[0])]


def rank(typed: str, names: Sequence[str]) -> Rank | None:
    """Return how well the names of one thing match; None for no match. Everything matches an empty text."""
    wanted = folded(typed)
    if not wanted:
        return Rank(MatchQuality.PREFIX)
    every = [folded(name) for name in names]
    return next(_match_ranks(wanted, every), None) or _similarity(wanted, every)


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """Return text for comparison: without case, accents, apostrophes and possessives, and with spaces for hyphens."""
    letters = unicodedata.normalize("NFKD", visible(text).casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    without = re.sub(r"['’#]", "", re.sub(r"['’]s\b", "", plain))
    return " ".join(re.sub(r"[-–—_]", " ", without).split())


def _match_ranks(wanted: str, names: Sequence[str]) -> Iterator[Rank]:
    """Yield the exact ways in which the names match, the best first."""
    squeezed, words = wanted.replace(" ", ""), re.findall(r"[\w.]+", wanted)
    if wanted == names[0]:
        yield Rank(MatchQuality.EXACT)
    if wanted in names:
        yield Rank(MatchQuality.ALIAS)
    if any(name.replace(" ", "").startswith(squeezed) for name in names):
        yield Rank(MatchQuality.PREFIX)
    if words and any(all(_begins_one(word, name) for word in words) for name in names):
        yield Rank(MatchQuality.WORDS)
    if len(wanted) >= INSIDE_MIN and any(wanted in name for name in names):
        yield Rank(MatchQuality.INSIDE)


def _begins_one(word: str, name: str) -> bool:
    return any(each.startswith(word) for each in re.split(r"[^\w.]+", name))


def _similarity(wanted: str, names: Sequence[str]) -> Rank | None:
    """Return the similarity to the most similar beginning of a word in these names."""
    if len(wanted) < TYPED_MIN:
        return None
    best = max((fuzz.ratio(wanted, part, score_cutoff=ALIKE) for part in _parts(wanted, names)), default=0.0)
    return Rank(MatchQuality.ALIKE, 100 - best) if best else None


def _parts(wanted: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the parts of these names that begin with a word and are about as long as the typed text."""
    for each in names:
        for start in re.finditer(r"\b\w", each):
            yield from {each[start.start() : start.start() + len(wanted) + more] for more in (-1, 0, 1)}


# ---------------------------------------------------------------- people

CHOICES, LENGTH_MAX = 25, 100
"""Discord's limits: the number of choices, and the characters of each."""


def people_choices(view: TableView, typed: str, seats: Sequence[str], *, everybody: bool = False) -> list[str]:
    """Return lists of these seats that continue the typed text. ``everybody``: each list names all seats."""
    kept, _, last = typed.rpartition(",")
    named = [seat for part in kept.split(",") if (seat := _named(view, part, seats)) is not None]
    left = [seat for seat in seats if seat not in named]
    fitting = ranked(last, left, lambda seat: _names(view, seat))
    lists = (_written(view, (*named, *(_from(left, seat) if everybody else (seat,)))) for seat in fitting)
    return [each for each in lists if len(each) <= LENGTH_MAX][:CHOICES]


def _from(seats: Sequence[str], first: str) -> Sequence[str]:
    """Return these seats in their order, beginning with ``first``."""
    place = seats.index(first)
    return [*seats[place:], *seats[:place]]


def _named(view: TableView, part: str, seats: Sequence[str]) -> str | None:
    """Return the seat that matches a part of the list best."""
    plain = re.sub(r"\([^()]*\)$", "", part.strip()).strip()
    return next(iter(ranked(plain, seats, lambda seat: _names(view, seat))), None) if plain else None


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


def _written(view: TableView, seats: Iterable[str]) -> str:
    """Return the list with people's names; without them if it is too long."""
    every = list(seats)
    long = ", ".join(f"{seat_name(view, seat)} ({_readable(bare_name(view, seat))})" for seat in every)
    return long if len(long) <= LENGTH_MAX else ", ".join(seat_name(view, seat) for seat in every)


def _readable(name: str) -> str:
    """Return a name without the characters that separate names from seats."""
    return re.sub(r"[(),;\n]", " ", name).strip()


# ---------------------------------------------------------------- offers and deals

LABEL_MAX = 100
"""Discord's limit on a choice, in characters."""

OfferUse = Literal["accept", "hand", "counter", "decline", "alter", "pick", "withdraw", "suspend", "resume"]

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
"""What can be done with an offer while a counter stands in its place."""


def offers_for(view: TableView, use: OfferUse) -> list[tuple[str, int]]:
    """Return a sentence and the number of each offer that this command may be about, the likely ones first."""
    every = [offer for offer in view.offers.values() if offer.live and (offer.status != "countered" or use in ENDINGS)]
    found = [offer for offer in every if _may_be(view, offer, use)]
    found.sort(
        key=lambda offer: (
            not _has_button(offer, use),
            use == "accept" and offer.ruling.why_not is not None,
            -offer.number,
        )
    )
    return [(offer_choice(view, offer), offer.number) for offer in found]


def _may_be(view: TableView, offer: OfferView, use: OfferUse) -> bool:
    """Return whether the viewer has the role in this offer that the command needs."""
    match use:
        case "hand":
            return offer.role is not None
        case "accept" | "counter" | "decline":
            return offer.role == "addressed" or (use == "accept" and view.seat in offer.progress.confirming)
        case "pick":
            return offer.role == "poster" and (offer.to is None or bool(offer.progress.pickable))
        case "suspend" | "resume":
            return offer.role == "poster" and (offer.status == "suspended") == (use == "resume")
        case _:
            return offer.role == "poster"


def _has_button(offer: OfferView, use: OfferUse) -> bool:
    if use == "pick":
        return bool(offer.progress.pickable)
    return any(move in _MOVES[use] for move in offer.buttons.actions)


def offer_choice(view: TableView, offer: OfferView) -> str:
    """Return an offer as a sentence of a choice's length: ``Offer 12: you offer bob 3 trade goods for 1 commodity``."""
    sentence = plain_text(view, f"Offer {offer.number}: {_offered(view, offer)}{_ended(offer)}")
    return truncate(sentence, LABEL_MAX)


def _offered(view: TableView, offer: OfferView) -> str:
    give, want = (game_of(view).goods.describe_short(goods) for goods in (offer.sides.give, offer.sides.want))
    mine = view.seat == offer.poster
    who = "you" if mine else quoted(name(offer, offer.poster))
    to = _to(view, offer)
    if not offer.sides.give:
        return f"{who} {'ask' if mine else 'asks'} {to} for {want}"
    what = f"{give} for {wanted(offer, want)}"
    return f"{who} {'offer' if mine else 'offers'} {to} {what}"


def _to(view: TableView, offer: OfferView) -> str:
    if offer.to is None:
        return "everybody"
    return "you" if offer.to == view.seat else quoted(name(offer, offer.to))


def _ended(offer: OfferView) -> str:
    match offer.status:
        case "open":
            return ""
        case "resolved":
            return " (done)"
        case "void":
            return " (no longer possible)"
        case status:
            return f" ({status})"


def deals_among(view: TableView, deals: Iterable[DealView]) -> list[tuple[str, int]]:
    """Return a sentence and the number of each of the viewer's deals, in this order."""
    return [(deal_choice(view, deal), deal.number) for deal in deals]


def deal_choice(view: TableView, deal: DealView) -> str:
    """Return a deal as a sentence of a choice's length: ``Deal 4 with bob: I leave Vega to you``."""
    other = deal.to if view.seat == deal.seat else deal.seat
    words = f": {quoted(deal.terms)}" if deal.terms else ""
    return truncate(plain_text(view, f"Deal {deal.number} with {quoted(name(deal, other))}{words}"), LABEL_MAX)
