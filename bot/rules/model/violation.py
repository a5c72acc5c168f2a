"""Violation: why something is not allowed. Refusals, cards and hints all use it."""

from __future__ import annotations

from dataclasses import replace

from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.people import Names
from bot.rules.model.values import frozen

LOOKED = "*"
"""Stands in for a seat in ``known_to``: only people with a recorded look into hands may know. No
seat has this id.

>>> Violation("1", "Together your hands forbid it.", known_to=LOOKED).known_to
'*'
"""


@frozen
class Violation:
    """The rule's number, the reason, and what would make it legal.

    ``rule`` is the number in the table's rulebook, ``""`` for a mistake in the input.
    ``permanent``: no turn, neighbour or gain can cure it, because these goods may not change hands.
    ``blocks_posting``: the offer can't even be posted, although the violation may end later.
    ``of_goods``: it depends on the goods offered, so that citing it reveals something about them.
    ``when`` is when it ends, true whoever's turn it is: ``on {other}'s turn, or yours``, with the
    other side's name in place of ``{other}``. It follows from what everybody knows of the two, not
    from goods; empty if nothing can be said. ``short``: a side would give what it does not have;
    ``missing`` are these goods, if they can be named. ``known_to`` is the only seat that may read
    it in full, ``""`` for every seat, `LOOKED` for none. People with a recorded look may always
    read it. ``action`` names what the seat ``about`` (empty: either side) can press to cure it:
    ``holdings``, or a name that the game defines. Seats and people appear in sentences as markup;
    see `bot.rules.model.text`.

    >>> Violation("1", "You have no silk.", "Gain some first.").sentence()
    'You have no silk. Gain some first. [1]'
    """

    rule: str
    reason: str
    remedy: str = ""
    permanent: bool = False
    blocks_posting: bool = False
    of_goods: bool = True
    when: str = ""
    short: bool = False
    missing: Goods = NOTHING
    known_to: str = ""
    action: str = ""
    about: str = ""

    @property
    def lasts(self) -> bool:
        """Whether no turn and no gain cures it, since what one seat would give is gone for a while:
        a note that lies in play, a debt that is paid.
        """
        return self.short and bool(self.about) and not self.missing

    def for_each(self, *seats: str) -> tuple[Violation, ...]:
        """Return the violation once for each of these seats, so that only they know it."""
        return tuple(replace(self, known_to=seat) for seat in seats if seat)

    def redacted(self, seat: str | None) -> Violation:
        """Return the violation as this seat may read it, for an exchange to which both have agreed.

        It does not explain the other side's hidden hand.
        """
        if self.known_to in ("", seat):
            return self
        return replace(
            self,
            reason=f"<seat:{self.known_to}> can't give all of that now.",
            remedy="Ask them what they could give instead.",
            known_to="",
            missing=NOTHING,
        )

    def sentence(self) -> str:
        """Return one line: ``Reason. Remedy. [94.1]``"""
        return " ".join(
            filter(None, (self.reason, self.remedy, f"[{self.rule}]" if self.rule else ""))
        )


class SecretViolation(Exception):
    """A refusal would reveal to its caller what only another seat may know. This is a bug in the
    rules.
    """


class Refused(Exception):
    """A command was refused and changed nothing.

    ``violation`` says why; ``options`` are buttons for what to do instead. ``names`` fill in its
    markup, if the table is known.

    >>> str(Refused("You have no silk.", "Gain some first.", rule="1"))
    'You have no silk. Gain some first. [1]'
    """

    names: Names | None = None

    def __init__(
        self,
        reason: str,
        remedy: str = "",
        *,
        rule: str = "",
        options: tuple[LabelledAction, ...] = (),
    ) -> None:
        self.violation = Violation(rule=rule, reason=reason, remedy=remedy)
        self.options = options
        super().__init__(self.violation.sentence())

    @classmethod
    def because(cls, violation: Violation, options: tuple[LabelledAction, ...] = ()) -> Refused:
        """Return the refusal for this violation."""
        refused = cls(violation.reason, violation.remedy, rule=violation.rule, options=options)
        refused.violation = violation
        return refused


class Undecided(Refused):
    """A command needs an answer first: the ``options`` are the answers. Nothing has changed.

    >>> market = SetPhase("market")
    >>> both = (button("Silk", table, market), button("Spice", table, market))
    >>> [option.label for option in Undecided("Which one?", options=both).options]
    ['Silk', 'Spice']
    """


class Outdated(Refused):
    """A button or a list names something that this version does not know: another version made it,
    or nobody did.

    >>> str(Outdated())
    'This button is from an older version of me. **Offers** on the board shows the open offers.'
    """

    def __init__(self) -> None:
        super().__init__(
            "This button is from an older version of me.",
            "**Offers** on the board shows the open offers.",
        )
