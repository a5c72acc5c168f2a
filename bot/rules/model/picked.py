"""Encode cards picked from a hand for a button: a digit for each kind of card, in order of tokens, and a digest.

The digest identifies the hand, because the digits would mean other cards in another hand.
"""

from __future__ import annotations

import hashlib

from bot.rules.model.goods import Goods

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The digits for the number of picked cards of a kind. No hand has more than 35 of one."""

DIGEST = 6
"""The length of the digest of a hand, in characters."""


def write_picked(hand: Goods, picked: Goods) -> str:
    """Encode the cards picked from a hand, without the digest."""
    return "".join(DIGITS[min(picked.count(token), len(DIGITS) - 1)] for token in hand)


def read_picked(hand: Goods, picked: str, digest: str) -> Goods | None:
    """Return the picked cards; None if the hand has changed or the text is invalid."""
    if digest != digest_of_hand(hand) or len(picked) != len(hand) or not set(picked) <= set(DIGITS):
        return None
    goods = Goods({token: count for token, digit in zip(hand, picked, strict=True) if (count := DIGITS.index(digit))})
    return None if hand.missing(goods) else goods


def digest_of_hand(hand: Goods) -> str:
    """Return the digest of a hand."""
    text = ",".join(f"{token}*{count}" for token, count in hand.items())
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST]
