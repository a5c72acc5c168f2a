"""Why not: the one shape in which anything is refused."""

from __future__ import annotations

from typing import Literal

from bot.rules.table import Value


class Ruling(Value):
    """Why something may not be done now: the rule's number, the reason, and what would make it legal.

    ``rule`` is cited as the table's rulebook numbers it, ``""`` for a mistake in the input, which no rule speaks of.
    ``lasting`` is True when no turn, neighbour or gain can mend it: the goods themselves may not change hands.
    ``at_once`` is True when an offer that runs against it is not even posted, though that may change.
    ``of_goods`` is False where it does not rest on what is offered, and so tells nothing of it.
    ``short`` is True when somebody would give what they do not have.
    ``known_to`` is the one seat that may read it in full, ``""`` when everybody may.
    ``mend`` is what the seat ``about``, or either one, could say at one tap to mend it.
    Seats and people stand in the sentences as ``<seat:sol>`` and ``<person:3>``; who shows them puts in the names.
    """

    rule: str
    why: str
    remedy: str = ""
    lasting: bool = False
    at_once: bool = False
    of_goods: bool = True
    short: bool = False
    known_to: str = ""
    mend: Literal["", "neighbors", "holdings"] = ""
    about: str = ""

    def seen_by(self, seat: str | None) -> Ruling:
        """This ruling as a seat may read it: what rests on another's hidden hand is said without saying why."""
        if not self.known_to or self.known_to == seat:
            return self
        blurred = {"why": f"<seat:{self.known_to}> can't give all of that now.", "remedy": "Ask what would do instead."}
        return self.model_copy(update=blurred)

    def sentence(self) -> str:
        """The whole of it as one line: ``[94.1] Why. What would make it legal.``"""
        cited = f"[{self.rule}] " if self.rule else ""
        return f"{cited}{self.why} {self.remedy}".strip()


class Refused(Exception):
    """A command was refused and changed nothing. Carries the `Ruling` that says why."""

    def __init__(self, rule: str, why: str, remedy: str = "") -> None:
        self.ruling = Ruling(rule=rule, why=why, remedy=remedy)
        super().__init__(self.ruling.sentence())

    @classmethod
    def by(cls, ruling: Ruling) -> Refused:
        """The refusal that this ruling leads to."""
        refused = cls(ruling.rule, ruling.why, ruling.remedy)
        refused.ruling = ruling
        return refused
