"""Rule 31: after trading, cards are turned in, and few are kept for the next turn."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import Caller, Change, Entry, Goods, Refused, Seat, Table, Violation, own_seat, require_tracked
from bot.games.advciv.cards import count_cards, describe
from bot.games.advciv.commands import SurrenderCards
from bot.games.advciv.entries import CardsSurrendered
from bot.games.advciv.sets import mined, worth
from bot.games.advciv.state import AFTER, state_of
from data.advciv import HAND_LIMIT


def surrender(table: Table, command: SurrenderCards, caller: Caller) -> Iterable[Entry]:
    """Turn in commodity cards, for all to see [31.71].

    Raises `Refused` by 31.1 before trading is over, but for what was kept too many of last turn; by 31.72 for
    calamities, by 28.53 where Mining can't count, and for cards that the seat does not have.
    """
    require_tracked(table)
    seat, given = own_seat(table, caller), command.cards
    _require_time(table, seat, command)
    _require_commodities(given)
    if missing := seat.holdings.missing(given):
        raise Refused("", f"You don't have {describe(missing)}.", "/cards hand tells what you have.")
    mining = _mined(table, seat, command) if command.mining else ""
    changes = {seat.id: Change(lost=given)}
    return [CardsSurrendered(seat=seat.id, changes=changes, worth=worth(given, mining), mining=mining)]


def _require_commodities(given: Goods) -> None:
    """Raise `Refused` for anything but commodity cards; calamities can't be turned in [31.72]."""
    if calamities := given.of_kind("calamity"):
        reason = f"{describe(calamities)} can't be turned in: it is resolved."
        raise Refused("31.72", reason, "/calamities show shows them all.")
    no_card = given.without_kind("commodity")
    if not given or no_card:
        what = describe(no_card) if given else "nothing"
        raise Refused("", f"You can't turn in {what}.", "Name commodity cards: 3 salt, grain.")


def _mined(table: Table, seat: Seat, command: SurrenderCards) -> str:
    if seat.id in state_of(table).mined:
        raise Refused("28.53", "You have used Mining this turn.", "It counts for one set, once a turn.")
    return mined(command.cards, command.mining)


def kept(table: Table) -> dict[str, int]:
    """Return how many commodity cards each player keeps [31.71]: what is beyond the limit still has to go."""
    counts = {seat: table.seats[seat].holdings.of_kind("commodity").total() for seat in table.seated()}
    return {seat: min(count, HAND_LIMIT) for seat, count in counts.items()}


# ---------------------------------------------------------------- kept beyond the limit
#
# Whether a hand holds more than may be kept, only its owner may know. So the next turn begins whatever hands hold, and
# an owner who kept too much is stopped alone, until it is turned in.


def kept_too_many(table: Table, seat: str) -> Violation | None:
    """Return why this seat does nothing with its cards yet: it kept more than it may from last turn [31.71]."""
    over = state_of(table).over.get(seat, 0)
    if not over or table.phase == AFTER:  # then all that is too much goes
        return None
    return Violation(
        rule="31.71", reason=f"You kept {count_cards(over)} too many from last turn: {HAND_LIMIT} may stay.",
        remedy="Choose first what goes: /cards surrender.", blocks_posting=True, of_goods=False, known_to=seat,
    )  # fmt: skip


def _require_time(table: Table, seat: Seat, command: SurrenderCards) -> None:
    """Raise `Refused` before trading is over, but for what this seat kept too many of."""
    if table.phase == AFTER:
        return
    over = state_of(table).over.get(seat.id, 0)
    if not over:
        raise Refused("31.1", "Cards are turned in after trading.", "Until then they stay in hand.")
    if command.cards.total() > over or command.mining:
        raise Refused("31.1", "Cards are bought with after trading.", f"Until then, turn in {over} at most [31.71].")
