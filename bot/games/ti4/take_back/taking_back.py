"""Taking a transaction back: one of the two asks, the other agrees, and all is as it was before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.api import (
    NOTHING,
    Caller,
    Change,
    Entry,
    Goods,
    Handlers,
    LabelledAction,
    PromptView,
    Refused,
    Table,
    Transaction,
    handler,
    own_seat,
)
from bot.games.ti4.actions import TakeBackTrade
from bot.games.ti4.components import COMMODITY, describe
from bot.games.ti4.holdings import commodity_value, unlimited
from bot.games.ti4.state import Undoable, state_of
from bot.games.ti4.take_back.commands import TakeTradeBack
from bot.games.ti4.take_back.entries import TakeBackAsked, TakeBackDenied, TradeTakenBack
from bot.games.ti4.take_back.option import is_on

CORRECT = "If you all agree that it was a slip, the host can mend it: /holdings set."


def take_back(table: Table, command: TakeTradeBack, caller: Caller) -> Iterable[Entry]:
    """Ask to take a transaction back, agree to that, or don't.

    Raises `Refused` by 94.4.1 where the table does not allow it, for a transaction of others, of another turn or
    agenda, after which the two have traded again, which led to something that can't be taken back, or whose goods are
    not there any more.
    """
    seat = own_seat(table, caller).id
    done = _found(table, command.transaction, seat)
    other = done.other(seat)
    if not command.agreed:
        if not done.asked:
            raise Refused("", "That question is settled already.", "/holdings show tells what you have.")
        return [TakeBackDenied(transaction=done.transaction, offer=done.offer, seat=seat, other=other)]
    _require_whole(table, done)
    if done.asked == seat:
        raise Refused("", "You have asked for that already.", f"It waits for <seat:{other}>.")
    if done.asked != other:
        return [TakeBackAsked(transaction=done.transaction, offer=done.offer, seat=seat, other=other)]
    return [
        TradeTakenBack(
            transaction=done.transaction, offer=done.offer, first=done.first, second=done.second, counted=done.counted,
            changes=_reversed(done.changes), hidden=_reversed(done.hidden),
        )
    ]  # fmt: skip


def _found(table: Table, number: int, seat: str) -> Undoable:
    """Return what is remembered of a transaction of this seat. Raises `Refused` where it can't be taken back now."""
    if not is_on(table.settings):
        raise Refused(
            "94.4.1", "What is traded at this table stays traded.",
            "The host can allow to take a slip back: /table settings take_back:on.",
        )  # fmt: skip
    done = next((each for each in state_of(table).undoable if each.transaction == number), None)
    if done is None:
        known = 1 <= number <= table.transactions
        why = "can't be taken back any more" if known else "is none of this table"
        raise Refused(
            "94.4.1" if known else "", f"Transaction {number} {why}.",
            "That is for the turn or agenda in which it was made, and until one of the two trades again.",
        )  # fmt: skip
    if seat not in done.seats:
        raise Refused("", f"Transaction {number} was between others.", "The two who made it can take it back.")
    return done


def _require_whole(table: Table, done: Undoable) -> None:
    """Raise `Refused` for what can't be put back as it was; all of it follows from what everybody may know."""
    if done.words:
        raise Refused("94.4.1", "Words were agreed on with it, and they can't be unsaid.", CORRECT)
    if done.permitted:
        raise Refused("94.4.1", "It used up what a card allowed.", CORRECT)
    if done.gone:
        raise Refused("94.4.1", "Something of it has left the game.", CORRECT)
    if not table.tracked:
        return
    closed = done.touched and (done.hidden or _commodities(done))
    if closed:
        raise Refused("94.4.1", "Goods of one of you have come or gone since.", CORRECT)
    for seat, change in done.changes.items():
        holder = table.seats[seat]
        missing = holder.holdings.missing(change.gained) + holder.in_play.missing(change.entered_play)
        if missing:
            raise Refused("94.4.1", f"<seat:{seat}> does not have {describe(missing)} any more.", CORRECT)
        held = holder.holdings.count(COMMODITY) + change.lost.count(COMMODITY)
        if held > commodity_value(holder) and change.lost.count(COMMODITY) and not unlimited(table, seat):
            raise Refused("94.4.1", f"<seat:{seat}> has no room for those commodities any more.", CORRECT)


def _commodities(done: Undoable) -> bool:
    return any(change.lost.count(COMMODITY) for change in done.changes.values())


def _reversed(changes: Mapping[str, Change]) -> dict[str, Change]:
    return {
        seat: Change(lost=change.gained, gained=change.lost, left_play=change.entered_play)
        for seat, change in changes.items()
    }


# ---------------------------------------------------------------- asking


def offered(table: Table, entry: Entry, seat: str) -> LabelledAction | None:
    """Return what one of the two may press under the receipt of their transaction, where it can be taken back."""
    if not isinstance(entry, Transaction) or not is_on(table.settings) or seat not in (entry.first, entry.second):
        return None
    return LabelledAction("Take back", TakeBackTrade(table.id, entry.number, agreed=True))


def prompts(table: Table) -> list[PromptView]:
    """Return the questions to those who are asked to take a transaction back."""
    return [_prompt(table.id, each) for each in state_of(table).undoable if each.asked]


def _prompt(table: int, done: Undoable) -> PromptView:
    other = done.other(done.asked)
    back = _gained(done, other)
    gets = _gained(done, done.asked)
    buttons = tuple(
        LabelledAction(label, TakeBackTrade(table, done.transaction, agreed))
        for label, agreed in (("Take it back", True), ("Leave it", False))
    )
    return PromptView(
        table=table, key=f"ti4-takeback-{done.transaction}-{done.asked}", seat=other, buttons=buttons, evident=True,
        secret=bool(done.hidden),
        text=f"<seat:{done.asked}> asks to take back transaction {done.transaction}, as a slip. You would give back "
        f"**{describe(back)}**, and what you gave comes back to you in place of **{describe(gets)}**.",
    )  # fmt: skip


def _gained(done: Undoable, seat: str) -> Goods:
    both = [changes[seat] for changes in (done.changes, done.hidden) if seat in changes]
    return sum((change.gained + change.entered_play for change in both), NOTHING)


HANDLERS: Handlers = dict([handler(TakeTradeBack, take_back)])
