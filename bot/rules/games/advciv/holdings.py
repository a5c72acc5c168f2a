"""What is in a hand: how it is told and suggested, and how it changes where the cards lie on a real table."""

from __future__ import annotations

from bot.rules.commands import Command
from bot.rules.game import Moves
from bot.rules.games.advciv import cards, sets
from bot.rules.games.advciv.cards import card_of
from bot.rules.games.advciv.stacks import box, counted
from bot.rules.games.advciv.state import dealt, state_of
from bot.rules.goods import NOTHING, Goods
from bot.rules.ruling import Refused
from bot.rules.table import Change, Table
from data import Calamity, commodities


def start(seat: str) -> Goods:
    """Nobody begins with cards in hand."""
    return NOTHING


def open_goods(goods: Goods) -> Goods:
    """Nothing of a hand is open to others [27.4]."""
    return NOTHING


def tell(table: Table, seat: str) -> list[str]:
    """A hand, a set a line: ``Salt x3 = 27``; then calamities, and what all sets are worth."""
    held = table.seats[seat].holdings
    if not held:
        return ["No cards"]
    lines = sets.told_sets(held)
    for token in held.of_kind("calamity"):
        card = card_of(token)
        assert isinstance(card, Calamity)
        lines.append(f"{card.name}: calamity, {'can be traded' if card.tradable else 'stays with you'}")
    count = held.total()
    return [*lines, f"{count} card{'' if count == 1 else 's'}, sets worth {sets.worth(held)}"]


def suggest(table: Table, seat: str | None, own: bool) -> list[str]:
    """Cards as one would write them: of one's own hand those there are, of anybody else's any there could be."""
    if own and seat is not None:
        held = cards.tradable(table.seats[seat].holdings)
        return [*(f"{count} {card_of(token).name.lower()}" for token, count in held.items()), "1 ?"]
    return [*(f"1 {card.name.lower()}" for card in commodities().values()), "1 ?"]


def may_correct(table: Table, command: Command) -> None:
    """Where the bot deals, nobody who plays or did may say what is in a hand: they would learn what it holds."""
    if dealt(table) and command.by in state_of(table).sat:
        raise Refused(
            "27.4", "I deal the cards here, and who plays can't set a hand: they would learn what is in it.",
            "A moderator who does not play can.",
        )  # fmt: skip


def correct(table: Table, seat: str, goods: Goods) -> Moves:
    """This hand and no other. All of it is exchanged, so that nobody learns how much of it was right."""
    _require_possible(goods)
    held = table.seats[seat].holdings
    if dealt(table):
        _require_there(table, held.missing(goods))
    return Moves({seat: Change()}, {seat: Change(lost=held, gained=goods)})


def gain(table: Table, seat: str, goods: Goods) -> Moves:
    """Cards that were drawn or received on a real table."""
    if dealt(table):
        raise Refused("27.1", "I deal the cards here.", "/cards draw collects yours, once a turn.")
    _require_possible(table.seats[seat].holdings + goods)
    return Moves({seat: Change()}, {seat: Change(gained=goods)})


def spend(table: Table, seat: str, goods: Goods) -> Moves:
    """Cards that left the hand on a real table."""
    if dealt(table):
        raise Refused("31.1", "I deal the cards here, so they go back through me.", "/cards surrender turns them in.")
    if missing := table.seats[seat].holdings.missing(goods):
        raise Refused("", f"You don't have {cards.tell(missing)}.", "/cards hand tells what you have.")
    return Moves({seat: Change()}, {seat: Change(lost=goods)})


def _require_possible(goods: Goods) -> None:
    if no_card := goods.without_kind(*cards.TRADE_CARDS):
        raise Refused("", f"{cards.tell(no_card)} is nothing a hand can hold.", "Name each card: 2 salt, famine.")
    if too_many := box().missing(goods):
        token = next(iter(too_many))
        raise Refused("", f"That makes {cards.tell(Goods({token: goods[token]}))}.", f"There are {box()[token]}.")


def _require_there(table: Table, wanted: Goods) -> None:
    """Raises `Refused` where the stacks don't hold these cards; who may ask does not play, and may know. Out of what
    was set aside none is taken: everybody knows what lies there, and would learn whose it became.
    """
    there = counted(token for stack in state_of(table).stacks for token in stack)
    if missing := there.missing(wanted):
        raise Refused(
            "", f"{cards.tell(missing)} is not in the stacks.", "It is in another hand, or goes back at the turn's end."
        )
