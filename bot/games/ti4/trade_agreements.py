"""Trade Agreement: its holder may play it when its owner replenishes [69.1.1], and is asked in private.

The table only remembers that a seat has just replenished, which is public. Nobody else may learn who holds the note. So
only the holder sees the question, it never pings, and ignoring it leaves no trace. The note is played like any other:
`bot.games.ti4.notes.PlayNote`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.api import (
    Action,
    Change,
    Entry,
    Feature,
    Goods,
    LabelledAction,
    PromptView,
    Refused,
    StatePart,
    Table,
    part,
    replace,
    with_part,
)
from bot.games.ti4.commodities import Replenished
from bot.games.ti4.components import COMMODITY, commodities, describe, describe_token, note_owner, trade_goods
from bot.games.ti4.holdings import unlimited
from bot.games.ti4.take_back import TradeTakenBack

NOTE = "trade_agreement"

# ---------------------------------------------------------------- when it can be played


@dataclass(frozen=True, slots=True)
class Replenishing:
    """A seat replenished in this window, so its Trade Agreement can be played.

    ``number`` identifies this replenishing. ``held`` is the number of commodities it had then, ``left`` the number that
    has not left it since.
    """

    seat: str
    number: int
    held: int
    left: int


@dataclass(frozen=True, slots=True)
class Replenishings(StatePart):
    """The replenishings on which a Trade Agreement can still be played.

    Each ends with its turn, agenda or phase, when the seat replenishes again, or when the note is played.
    """

    recent: tuple[Replenishing, ...] = ()

    def without(self, seat: str) -> Replenishings:
        left = tuple(each for each in self.recent if each.seat != seat)
        return self if left == self.recent else Replenishings(left)

    def renamed(self, before: str, now: str) -> Replenishings:
        return Replenishings(tuple(replace(each, seat=now) if each.seat == before else each for each in self.recent))

    def window_over(self) -> Replenishings:
        return Replenishings()


def followed(table: Table, entry: Entry) -> Table:
    """Update the replenishings after an entry that replenishes a seat or moves its commodities."""
    before = part(table, Replenishings)
    match entry:
        case Replenished(seat=seat):
            held = entry.amount if unlimited(table, seat) else _held(table, seat)  # Age of Commerce
            now = (*before.without(seat).recent, Replenishing(seat, table.seq, held=held, left=held))
        case TradeTakenBack(changes=changes):
            back = {seat: change.gained.count(COMMODITY) for seat, change in changes.items()}
            now = tuple(
                replace(each, left=min(each.held, each.left + back.get(each.seat, 0))) for each in before.recent
            )
        case _:
            now = before.recent
    now = tuple(replace(each, left=min(each.left, _held(table, each.seat))) for each in now)
    return table if now == before.recent else with_part(table, Replenishings(now))


def _held(table: Table, seat: str) -> int:
    return table.seats[seat].holdings.count(COMMODITY)


# ---------------------------------------------------------------- playing it


def agreement_of(owner: str) -> str:
    """Return the token of this seat's Trade Agreement."""
    return f"note:{NOTE}:{owner}"


def is_agreement(token: str) -> bool:
    """Return whether this note is a Trade Agreement."""
    return note_owner(token)[0] == NOTE


def played(table: Table, holder: str, token: str) -> dict[str, Change]:
    """Return the changes: the owner's commodities go to the holder as trade goods (21.6), the note to its owner.

    Only commodities that the owner had on replenishing and still has are given, maybe none. This is not a transaction,
    so the two need not be neighbours. Raises `Refused` by 69.1 unless the owner has just replenished.
    """
    owner, card = note_owner(token)[1], Goods({token: 1})
    just = next((each for each in part(table, Replenishings).recent if each.seat == owner), None)
    if just is None:
        raise Refused(
            "69.1", f"{describe_token(token)} is played when <seat:{owner}> replenishes, and they haven't just now.",
            "I ask you when they do. You can then play it until the next turn, agenda or phase.",
        )  # fmt: skip
    return {
        owner: Change(lost=commodities(just.left), gained=card),
        holder: Change(lost=card, gained=trade_goods(just.left)),
    }


# ---------------------------------------------------------------- asking the holder


@dataclass(frozen=True, slots=True)
class AgreementAnswer(Action):
    """The answer of ``seat``: play the Trade Agreement of ``owner``, who has just replenished, or put it aside.

    It is not a command, because putting it aside is not recorded.
    """

    name = "ti4.agreement"
    owner: str
    seat: str
    plays: bool


def prompts(table: Table) -> Iterable[PromptView]:
    """Yield the questions to the holders of Trade Agreements whose owners have just replenished."""
    for each in part(table, Replenishings).recent:
        for holder in table.seats.values():
            if holder.id != each.seat and agreement_of(each.seat) in holder.holdings:
                yield _prompt(table.id, each, holder.id)


def _prompt(table: int, replenished: Replenishing, holder: str) -> PromptView:
    # The text must not change while the question is open: otherwise a message that was put aside would be sent again.
    owner = replenished.seat
    card = describe_token(agreement_of(owner))
    buttons = tuple(
        LabelledAction(label, AgreementAnswer(table, owner, holder, plays))
        for label, plays in (("Play", True), ("Not now", False))
    )
    return PromptView(
        table=table, key=f"ti4-agreement-{owner}-{replenished.number}", seat=holder, secret=True, buttons=buttons,
        text=f"<seat:{owner}> replenished and then had {describe(commodities(replenished.held))}. You may play "
        f"**{card}**: what is left of them comes to you as trade goods. You have until the next turn, agenda or phase.",
    )  # fmt: skip


FEATURE = Feature(state=Replenishings, opens=(AgreementAnswer,), after=followed, prompts=prompts)
