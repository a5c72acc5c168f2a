"""What agreements in words are worth in a game, and in which words people are told.

Every text about whether something binds is here, since each game has its own answer. Where the rulebook has a number
for it the text cites it, in square brackets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

NotBinding = Literal["", "card", "later", "never"]
"""Why a deal binds nobody: it rests on an action card's result, part of it comes later, or words never do here.

Empty when it binds.
"""

_PROMISE = "**A promise**: nobody has to keep it."


@dataclass(frozen=True, kw_only=True)
class Agreements:
    """The worth of agreements in a game. What is said by default suits a game in which words are only words.

    ``deals_bind``: a deal binds if all of it can be done at once and nothing of it is an action card's result. ``deal``
    says what a deal is worth, for each reason. ``unbreakable`` is why nobody can call a binding deal broken, for
    ``{deal}``, its number.

    ``terms`` stands beside the terms of an offer, ``terms_hint`` in the empty field for them. ``ahead`` is said to who
    agrees to an offer before it is possible, ``ahead_mark`` of an offer on which both have. ``to_be_exchanged`` is said
    of one on which both have agreed and whose goods are to be handed over.
    """

    deals_bind: bool = False
    deal: Mapping[NotBinding, str] = field(default_factory=lambda: {"never": _PROMISE})
    unbreakable: str = ""
    terms: str = "These words are a promise."
    terms_hint: str = "What you promise besides"
    ahead: str = "Once it is possible, I ask you both to confirm."
    ahead_mark: str = ""
    to_be_exchanged: str = ""

    def of_deal(self, why: NotBinding) -> str:
        """Return what a deal is worth that binds nobody for this reason, or binds."""
        return self.deal.get(why, _PROMISE)
