"""The options for an offer's terms: the text, whether it is for now, whether it depends on an
action card.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from bot.rules.model.offer import Sides
from bot.rules.model.violation import Refused

When = Literal["now", "later"]
Card = Literal["yes", "no"]

DESCRIBED = {
    "terms": "Anything else you agree on, in your own words: a promise, unless when: is now",
    "when": "Whether these terms are done now, with the trade, or later (the default)",
    "now": "What is done now, with the trade, in addition to terms for later",
    "card": "The terms depend on an action card's result, so they never bind",
}
"""The description of each option."""


class Terms(NamedTuple):
    """Terms as typed; None for an option left out."""

    later: str | None = None
    now: str | None = None
    card: bool | None = None

    def sides(self) -> Sides:
        """Return the sides of a new offer with these terms, still without goods."""
        return Sides(terms=self.later or "", terms_now=self.now or "", terms_card=bool(self.card))


NO_TERMS = Terms()


def read_terms(terms: str | None, when: When | None, now: str | None, card: Card | None) -> Terms:
    """Return the terms. ``terms`` are for later by default. With ``when``, a part left out is empty
    instead of None.

    Raises `Refused` for a time without terms, and for terms for now in two options.
    """
    rests = None if card is None else card == "yes"
    if when is None:
        return Terms(_stripped(terms), _stripped(now), rests)
    if not _stripped(terms):
        raise Refused(f"You say when:{when}, but no terms.", "Write what you agree on in terms:.")
    if when == "later":
        return Terms(_stripped(terms), _stripped(now) or "", rests)
    if _stripped(now):
        raise Refused("when:now and now: give two texts for now.", "Put both into now:.")
    return Terms("", _stripped(terms), rests)


def _stripped(text: str | None) -> str | None:
    return None if text is None else text.strip()
