"""Steps for the reconciler's tests, and short forms of their results."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.delivery.desired import (
    Board,
    Desired,
    Fallback,
    Headlines,
    OfferCard,
    PersonalOffer,
    TableChannel,
    encode,
)
from bot.rules.commands import Press
from bot.rules.features.offers.signing import Sign
from bot.show.cards import Button, Card
from tests.delivery.briefings import BOB
from tests.delivery.display import Display
from tests.delivery.near import LoggedRequest

ACCEPT = Button("Accept", Press(1, Sign(1, 1)))
CARD = Card("open", "one", ((ACCEPT,),))
OTHER = replace(CARD, blocks=("two",))
THIRD = replace(CARD, blocks=("three",))
OVER = Card("over", "two")
THEIRS = PersonalOffer(1, "addressed", BOB)
ROOM = 8
LATER = timedelta(seconds=61)
"""Longer than Discord surely remembers a nonce."""


def public(card: Card = CARD, *, offer: int = 1, wanted: bool = True) -> Desired:
    return Desired(OfferCard(offer), card, wanted=wanted)


def personal(
    card: Card = CARD, *, offer: int = 1, anchor: str | None = None, wanted: bool = True
) -> Desired:
    overheard = replace(card, blocks=("overheard",))
    fallback = Fallback(TableChannel(), overheard)
    return Desired(
        replace(THEIRS, offer=offer),
        card,
        wanted=wanted,
        anchor=anchor,
        fallback=fallback,
        call="offer",
    )


def news(seq: int = 1, *, text: str = "news") -> Desired:
    card = Card("open", text, plain=True)
    return Desired(Headlines(seq), card, final=True, entry=seq)


def board(card: Card = CARD, anchor: str = "1", *, wanted: bool = True) -> Desired:
    return Desired(Board(), card, anchor=anchor, wanted=wanted)


def channels(requests: list[LoggedRequest]) -> list[int]:
    return [each.channel for each in requests]


def whats(requests: list[LoggedRequest]) -> list[str]:
    return [each.what for each in requests]


def fate(display: Display, subject: Any) -> str:
    record = display.store.kept.get(encode(subject))
    return record.fate if record else "forgotten"
