"""Trade Agreement: its holder may play it when its owner replenishes [69.1.1], and is asked so in private.

That a seat has just replenished is known to all and is all that the table remembers. Who is asked follows from whose
hand holds the note, which nobody else may know: so the question is shown to the holder alone, never pings, and to leave
it unanswered leaves no trace.
"""

from __future__ import annotations

from bot.api import Change, Entry, Goods, LabelledAction, PromptView, Refused, Seat, Table, replace
from bot.games.ti4.actions import AgreementAnswer
from bot.games.ti4.commodities import Replenished
from bot.games.ti4.components import COMMODITY, commodities, describe, describe_token, note_owner, trade_goods
from bot.games.ti4.entries import NotePlayed
from bot.games.ti4.holdings import unlimited
from bot.games.ti4.state import Replenishing, state_of
from bot.games.ti4.take_back.entries import TradeTakenBack

NOTE = "trade_agreement"

# ---------------------------------------------------------------- when it can be played


def followed(table: Table, entry: Entry) -> Table:
    """Return the table with the replenishings to which a Trade Agreement can still be played, after an entry.

    They are over with the turn, agenda or phase in which they took place, when the seat replenishes once more, and when
    the note was played. Of the commodities that the seat had then, those count that have not left it since.
    """
    state = state_of(table)
    if not state.replenished and not isinstance(entry, Replenished):
        return table
    before = (each for each in state.replenished if each.window == table.window.number)
    match entry:
        case Replenished(seat=seat):
            held = entry.amount if unlimited(table, seat) else _held(table, seat)  # Age of Commerce
            others = (each for each in before if each.seat != seat)
            now = (*others, Replenishing(seat, table.seq, table.window.number, held=held, left=held))
        case TradeTakenBack(changes=changes):
            back = {seat: change.gained.count(COMMODITY) for seat, change in changes.items()}
            now = tuple(replace(each, left=min(each.held, each.left + back.get(each.seat, 0))) for each in before)
        case NotePlayed(note=token) if note_owner(token)[0] == NOTE:
            now = tuple(each for each in before if each.seat != note_owner(token)[1])
        case _:
            now = tuple(before)
    now = tuple(replace(each, left=min(each.left, _held(table, each.seat))) for each in now)
    return table if now == state.replenished else table.with_state(replace(state, replenished=now))


def _held(table: Table, seat: str) -> int:
    return table.seats[seat].holdings.count(COMMODITY)


# ---------------------------------------------------------------- playing it


def agreement_of(owner: str) -> str:
    """Return the Trade Agreement of this seat."""
    return f"note:{NOTE}:{owner}"


def is_agreement(token: str) -> bool:
    """Return whether this note is a Trade Agreement."""
    return note_owner(token)[0] == NOTE


def played(table: Table, holder: Seat, token: str) -> NotePlayed:
    """Play a Trade Agreement: the owner's commodities go to its holder as trade goods, the note to its owner.

    They are those that the owner had on replenishing and still has, maybe none. 21.6: commodities that an effect gives
    become trade goods too. It is no transaction, so the two need not be neighbours. Raises `Refused` by 69.1 unless the
    owner has just replenished.
    """
    owner = note_owner(token)[1]
    just = next((each for each in state_of(table).replenished if each.seat == owner), None)
    if just is None:
        raise Refused(
            "69.1", f"{describe_token(token)} is played when <seat:{owner}> replenishes, and they have not just now.",
            "I ask you when they do; then it can be played until the next turn, agenda or phase.",
        )  # fmt: skip
    card = Goods({token: 1})
    changes = {
        owner: Change(lost=commodities(just.left), gained=card),
        holder.id: Change(lost=card, gained=trade_goods(just.left)),
    }
    return NotePlayed(seat=holder.id, note=token, stays=False, changes=changes)


# ---------------------------------------------------------------- asking its holder


def prompts(table: Table) -> list[PromptView]:
    """Return the questions to those who hold the Trade Agreement of a seat that has just replenished."""
    return [
        _prompt(table.id, each, seat.id)
        for each in state_of(table).replenished
        for seat in table.seats.values()
        if seat.id != each.seat and agreement_of(each.seat) in seat.holdings
    ]


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
