"""Commands about deals."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.commands import Command
from bot.rules.model.deals import Mark
from bot.rules.model.references import Reference, reference


@dataclass(frozen=True, slots=True)
class ProposeDeal(Command):
    """Propose an agreement in words to the seat ``to``. ``private``: it was said where only the two read along."""

    to: str
    terms: str
    later: bool
    card: bool = False
    private: bool = False


@dataclass(frozen=True, slots=True)
class DealCommand(Command):
    """A command about a deal by its number, which may have been answered."""

    deal: int

    def subjects(self) -> tuple[Reference, ...]:
        """Return the deal."""
        return (reference("deal", self.deal),)


@dataclass(frozen=True, slots=True)
class AnswerDeal(DealCommand):
    """Agree to a proposed deal, or decline it."""

    agreed: bool


@dataclass(frozen=True, slots=True)
class MarkDeal(DealCommand):
    """Say of the other side's part in a deal that it was kept, or broken."""

    mark: Mark
