"""Cards picked from a hand, as a button carries them: a digit for each kind of card, in order of tokens, and a digest.

With another hand the digits would mean other cards, so a choice that was made for one is not read for another.
"""

from __future__ import annotations

import hashlib

from bot.rules.model.goods import Goods

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""How many cards of one kind are picked; no hand has more of them."""

DIGEST = 6
"""Characters of the digest of a hand."""


def write_picked(hand: Goods, picked: Goods) -> str:
    """Return what is picked of a hand as text."""
    return "".join(DIGITS[min(picked.count(token), len(DIGITS) - 1)] for token in hand)


def read_picked(hand: Goods, picked: str, digest: str) -> Goods | None:
    """Return what was picked; None when the hand is another one now, or the text is none of ours."""
    if digest != digest_of_hand(hand) or len(picked) != len(hand) or not set(picked) <= set(DIGITS):
        return None
    goods = Goods({token: count for token, digit in zip(hand, picked, strict=True) if (count := DIGITS.index(digit))})
    return None if hand.missing(goods) else goods


def digest_of_hand(hand: Goods) -> str:
    """Return a digest of a hand."""
    text = ",".join(f"{token}*{count}" for token, count in hand.items())
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST]
