"""The order of play [48]: as the host has said it for this round, else by the strategy cards.

Until all have taken their cards, nobody knows the order. A seat that the order leaves out comes
after it.
"""

from __future__ import annotations

from bot.api import SettingOption, Table, TableView, part
from bot.games.ti4.state import GameRound, Round
from data.ti4 import PLAYERS_MAX, strategy_cards, two_cards_each, zero_token

PLAYERS_MIN = 3
"""With fewer players nobody asks for the order of play."""

_NUMBERS = tuple(str(number) for number in range(PLAYERS_MIN, PLAYERS_MAX + 1))

PLAYERS = SettingOption(
    "players",
    ("seated", *_NUMBERS),
    "How many began the game, if not all sit here. Each of 3 or 4 takes two strategy cards",
    question="How many players began the game?",
    answers=("As many as sit here", *_NUMBERS),
)
"""The table setting for the number of players."""


def players(table: Table) -> int:
    """Return how many players began the game, or begin it."""
    said = PLAYERS.of(table.settings)
    if said in _NUMBERS:
        return int(said)
    return max(part(table, GameRound).began, len(table.seated()))


def cards_each(table: Table) -> int:
    """Return how many strategy cards each player takes [84.1.3, 33.9]."""
    return 2 if players(table) in two_cards_each() else 1


def missing(table: Table) -> list[str]:
    """Return the taken seats that have not taken all their strategy cards."""
    now, each = part(table, GameRound), cards_each(table)
    return [seat for seat in table.seated() if len(now.cards_of(seat)) < each]


def cards_known(table: Table) -> bool:
    """Return whether everybody's strategy cards are known: the order of play is theirs."""
    now = part(table, GameRound)
    if table.phase != "strategy":
        return now.known
    return bool(now.taken) and not missing(table)


def has_zero(table: Table | TableView) -> str:
    """Return the seat with the initiative 0: who has the note in play, else its owner."""
    token = zero_token()
    for seat in table.seats.values():
        if token.token in seat.in_play:
            return seat.id
    return token.faction


def initiative(table: Table, seat: str) -> int | None:
    """Return the number of a seat in the order of play; None for a seat without cards."""
    cards = part(table, GameRound).cards_of(seat)
    if not cards:
        return None
    if seat == (part(table, GameRound).zero or has_zero(table)):
        return 0
    return min(strategy_cards()[card].initiative for card in cards)


def by_cards(table: Table) -> list[str]:
    """Return the seats with strategy cards in order of play; none while a card is missing."""
    if not cards_known(table):
        return []
    numbers = dict[str, int]()
    for seat in table.seats:
        number = initiative(table, seat)
        if number is not None:
            numbers[seat] = number
    return sorted(numbers, key=lambda seat: numbers[seat])


def order_said(table: Table) -> list[str]:
    """Return the taken seats in this round's order of play; none if nobody knows it."""
    seated = table.seated()
    return [seat for seat in part(table, Round).order or by_cards(table) if seat in seated]


def turn_order(table: Table) -> list[str]:
    """Return the taken seats: those of this round's order of play, then the others as they sat
    down.
    """
    order = order_said(table)
    return order + [seat for seat in table.seated() if seat not in order]


def up_next(table: Table, after: str | None) -> list[str]:
    """Return the seats that may have the next turn: none when all have passed.

    Where the order of play is known, it is the next in order that has not passed; else every other
    that has not passed. It is ``after`` itself when it is the only one left.
    """
    order, now = turn_order(table), part(table, Round)
    if not order_said(table):
        left = [seat for seat in order if seat not in now.passed]
        return [seat for seat in left if seat != after] or left
    start = order.index(after) + 1 if after in order else 0
    following = order[start:] + order[:start]
    return [seat for seat in following if seat not in now.passed][:1]
