"""Advanced Civilization: rule 28 (trade), and what it needs of 27 (drawing), 29 (calamities) and 31 (turning in)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.game import Chair, Exchange, Game
from bot.rules.games.advciv import after, board, cards, commands, holdings, stacks, standing, story, trade, trading
from bot.rules.games.advciv.apply import applied
from bot.rules.games.advciv.entries import ADVCIV
from bot.rules.games.advciv.help import HELP
from bot.rules.games.advciv.state import AdvCivState
from bot.rules.goods import NOTHING
from bot.rules.ruling import Refused
from bot.rules.table import Table
from data import Nation, find_nation, nations

__all__ = ["GAME"]


def _chairs() -> Sequence[Chair]:
    return [_chair(nation) for nation in nations().values()]


def _chair_named(text: str) -> Chair | None:
    nation = find_nation(text)
    return _chair(nation) if nation else None


def _chair(nation: Nation) -> Chair:
    return Chair(id=nation.id, name=nation.name, short=nation.short)


def _decide(table: Table, command: Command) -> Iterable[Entry]:
    match command:
        case commands.DrawCards():
            return stacks.draw(table, command)
        case commands.BuyCard():
            return stacks.buy(table, command)
        case commands.SurrenderCards():
            return after.surrender(table, command)
        case commands.ShowCalamities():
            return after.show_calamities(table, command)
        case commands.OpenTrading():
            return trading.open_trading(table, command)
        case commands.DoneTrading():
            return trading.done(table, command)
        case commands.CloseTrading():
            return trading.close_trading(table, command)
    raise Refused("", "Advanced Civilization knows nothing of that kind.", "/help tells how to trade here.")


GAME = Game(
    id="advciv",
    name="Advanced Civilization",
    state=AdvCivState,
    entries=ADVCIV,
    phases=(after.ACQUIRE, "trade", after.AFTER),
    chairs=_chairs,
    chair=_chair_named,
    start=holdings.start,
    suggest=holdings.suggest,
    read_goods=cards.read,
    tell_goods=cards.tell,
    short_goods=cards.short,
    tell_holdings=holdings.tell,
    cards=lambda table, seat, own: NOTHING,
    open_goods=holdings.open_goods,
    declarable=holdings.open_goods,
    masked=trade.masked,
    rulings=trade.rulings,
    neighbors=lambda table, first, second: False,
    settle=trade.settle,
    board=board.board,
    standing=standing.standing,
    asks=board.asks,
    follows=trade.follows,
    may_correct=holdings.may_correct,
    correct=holdings.correct,
    gain=holdings.gain,
    spend=holdings.spend,
    decide=_decide,
    tells=story.tells,
    apply=applied,
    answers=trade.answers,
    example="2 salt, iron, ?",
    help=HELP,
    settings=frozenset({"rulings", "inventory", "name_calamities", "timer", "open_on_close"}),
    cites={"irrevocable": "28.1", "two_parties": "28.2", "time_up": "28.41"},
    pairs=False,
    private_offers=True,
    offers_end=True,
    exchange=Exchange(hand=trade.hand, named=cards.named, why_not=trade.why_not, tells=trade.tells),
    doubts=after.doubts,
    before_phase=after.before_phase,
    begins=trading.begins,
    deadline=trading.deadline,
    clock=trading.clock,
)
