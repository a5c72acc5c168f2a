"""What agreements are worth: nothing binds before cards have been exchanged [28.1], and words never do."""

from __future__ import annotations

from bot.api import Agreements

AGREEMENTS = Agreements(
    deal={"never": "**Words only**: nothing binds before the exchange [28.1], and words never do."},
    terms="Nothing binds before the exchange [28.1], and words never do.",
    terms_hint="Words only: nothing binds before the exchange",
    ahead="Nothing binds before the exchange [28.1]; once it is possible, I ask you both to confirm.",
    ahead_mark="; nothing binds before the exchange [28.1]",
    to_be_exchanged="Nothing binds before the exchange [28.1].",
)
