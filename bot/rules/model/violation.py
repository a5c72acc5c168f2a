"""Violation: why something may not be done, in the one shape that every refusal, card and hint uses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.people import Names

LOOKED = "*"
"""In place of a seat: only people with a recorded look into hands may know. No seat has this id."""


@dataclass(frozen=True, slots=True)
class Violation:
    """The rule's number, the reason, and what would make it legal.

    ``rule`` is cited as the table's rulebook numbers it, ``""`` for a mistake in the input.
    ``permanent``: no turn, neighbour or gain can cure it, because these goods may not change hands.
    ``blocks_posting``: an offer that violates it is not even posted, although that may change later.
    ``of_goods``: it depends on what is offered, so that citing it tells something about the offer.
    ``short``: a side would give what it does not have; ``missing`` is that, where it can be named.
    ``known_to`` is the only seat that may read it in full, ``""`` for every seat, `LOOKED` for none. People with a
    recorded look may read it too.
    ``action`` names what the seat ``about`` (or either side, if empty) can press to cure it: ``holdings``, or a
    name of the game's own.
    Seats and people appear in sentences as markup, see `bot.rules.model.markup`.
    """

    rule: str
    reason: str
    remedy: str = ""
    permanent: bool = False
    blocks_posting: bool = False
    of_goods: bool = True
    short: bool = False
    missing: Goods = NOTHING
    known_to: str = ""
    action: str = ""
    about: str = ""

    def redacted(self, seat: str | None) -> Violation:
        """Return the violation as this seat may read it, of an exchange to which both have agreed.

        Another's hidden hand is not explained.
        """
        if self.known_to in ("", seat):
            return self
        return replace(
            self, reason=f"<seat:{self.known_to}> can't give all of that now.", remedy="Ask what would do instead.",
            known_to="", missing=NOTHING,
        )  # fmt: skip

    def sentence(self) -> str:
        """Return it as one line: ``[94.1] Reason. Remedy.``"""
        cited = f"[{self.rule}] " if self.rule else ""
        return f"{cited}{self.reason} {self.remedy}".strip()


class SecretViolation(Exception):
    """A refusal would tell its caller what only another seat may know. That is a mistake in the rules' code."""


class Refused(Exception):
    """A command was refused and changed nothing.

    ``violation`` says why; ``options`` are what can be pressed instead. ``names`` are for its sentences, where the
    table is known.
    """

    names: Names | None = None

    def __init__(self, rule: str, reason: str, remedy: str = "", options: tuple[LabelledAction, ...] = ()) -> None:
        self.violation = Violation(rule=rule, reason=reason, remedy=remedy)
        self.options = options
        super().__init__(self.violation.sentence())

    @classmethod
    def because(cls, violation: Violation, options: tuple[LabelledAction, ...] = ()) -> Refused:
        """Return the refusal that this violation leads to."""
        refused = cls(violation.rule, violation.reason, violation.remedy, options)
        refused.violation = violation
        return refused
