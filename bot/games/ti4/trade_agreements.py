"""Trade Agreement: its holder may play it when its owner replenishes [69.1.1], and is asked so in private.

That a seat has just replenished is known to all and is all that the table remembers. Who is asked follows from whose
hand holds the note, which nobody else may know: so the question is shown to the holder alone, never pings, and to leave
it unanswered leaves no trace. It is played as any other note: `bot.games.ti4.notes.PlayNote`.
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
    """A seat replenished in this window, so that its Trade Agreement can be played.

    ``number`` tells one replenishing from another. ``held`` are the commodities it had then, ``left`` those of them
    that have not left it since.
    """

    seat: str
    number: int
    held: int
    left: int


@dataclass(frozen=True, slots=True)
class Replenishings(StatePart):
    """The replenishings to which a Trade Agreement can still be played.

    They are over with the turn, agenda or phase in which they took place, when the seat replenishes once more, and when
    the note was played.
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
    """Return the table after a seat has replenished, or after its commodities may have left it, or come back."""
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
    """Return the Trade Agreement of this seat."""
    return f"note:{NOTE}:{owner}"


def is_agreement(token: str) -> bool:
    """Return whether this note is a Trade Agreement."""
    return note_owner(token)[0] == NOTE


def played(table: Table, holder: str, token: str) -> dict[str, Change]:
    """Return what changes hands: the owner's commodities go to the holder as trade goods, the note to its owner.

    They are those that the owner had on replenishing and still has, maybe none. 21.6: commodities that an effect gives
    become trade goods too. It is no transaction, so the two need not be neighbours. Raises `Refused` by 69.1 unless the
    owner has just replenished.
    """
    owner, card = note_owner(token)[1], Goods({token: 1})
    just = next((each for each in part(table, Replenishings).recent if each.seat == owner), None)
    if just is None:
        raise Refused(
            "69.1", f"{describe_token(token)} is played when <seat:{owner}> replenishes, and they have not just now.",
            "I ask you when they do; then it can be played until the next turn, agenda or phase.",
        )  # fmt: skip
    return {
        owner: Change(lost=commodities(just.left), gained=card),
        holder: Change(lost=card, gained=trade_goods(just.left)),
    }


# ---------------------------------------------------------------- asking its holder


@dataclass(frozen=True, slots=True)
class AgreementAnswer(Action):
    """The presser, in ``seat``, plays the Trade Agreement of ``owner``, who has just replenished, or puts it aside.

    No command: putting it aside is recorded nowhere.
    """

    name = "ti4.agreement"
    owner: str
    seat: str
    plays: bool


def prompts(table: Table) -> Iterable[PromptView]:
    """Yield the questions to those who hold the Trade Agreement of a seat that has just replenished."""
    for each in part(table, Replenishings).recent:
        for holder in table.seats.values():
            if holder.id != each.seat and agreement_of(each.seat) in holder.holdings:
                yield _prompt(table.id, each, holder.id)


def _prompt(table: int, replenished: Replenishing, holder: str) -> PromptView:
    # The text stays the same while the question is open, so that a message that was put aside is not sent once more.
    owner = replenished.seat
    card = describe_token(agreement_of(owner))
    buttons = tuple(
        LabelledAction(label, AgreementAnswer(table, owner, holder, plays))
        for label, plays in (("Play", True), ("Not now", False))
    )
    return PromptView(
        table=table, key=f"ti4-agreement-{owner}-{replenished.number}", seat=holder, secret=True, buttons=buttons,
        text=f"<seat:{owner}> replenished and had {describe(commodities(replenished.held))} then. You may play "
        f"**{card}**: what is left of them comes to you as trade goods. You can until the next turn, agenda or phase.",
    )  # fmt: skip


FEATURE = Feature(state=Replenishings, opens=(AgreementAnswer,), after=followed, prompts=prompts)
