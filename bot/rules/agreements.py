"""Whether agreements in words bind in a game, and the texts that say so.

Each game has its own texts. They cite the rulebook's numbers in square brackets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from bot.rules.model.values import frozen_by_name

NotBinding = Literal["", "card", "later", "never"]
"""Why a deal binds nobody; empty if it binds.

``card``: it depends on the result of an action card. ``later``: part of it can't be done at once.
``never``: no deal binds in this game.
"""

_PROMISE = "**A promise**: nobody has to keep it."


@frozen_by_name
class Agreements:
    """Texts about agreements. The defaults suit a game in which no agreement binds.

    ``deals_bind``: a deal binds if all of it can be done at once and none of it depends on the
    result of an action card. ``deal`` has a text for each `NotBinding`. ``unbreakable`` says why a
    binding deal can't be called broken; ``{deal}`` in it is the deal's number.

    ``terms`` stands beside the terms of an offer, ``terms_hint`` in the empty field for them.
    ``ahead`` is shown to a player who agrees to an offer that is not possible yet; ``ahead_mark``
    marks an offer to which both have agreed in this way. ``to_be_exchanged`` marks an offer to
    which both have agreed, before the goods are handed over.

    >>> Agreements(terms="A merchant's word.").of_deal("never")
    '**A promise**: nobody has to keep it.'
    """

    deals_bind: bool = False
    deal: Mapping[NotBinding, str] = field(default_factory=lambda: {"never": _PROMISE})
    unbreakable: str = ""
    terms: str = "These words are a promise."
    terms_hint: str = "What else you promise"
    ahead: str = "Once it is possible, I ask you to confirm."
    ahead_mark: str = ""
    to_be_exchanged: str = ""

    def of_deal(self, why: NotBinding) -> str:
        """Return the text for a deal that binds nobody for this reason (empty: that binds)."""
        return self.deal.get(why, _PROMISE)
