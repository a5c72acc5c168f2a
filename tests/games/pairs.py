"""Makers that both games share, and steps of pairs of tables; see `bot.testing.twins`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bot.rules.commands import Caller, Command
from bot.rules.features.audits import Audit
from bot.rules.features.deals import AnswerDeal, DealCommand, MarkDeal, ProposeDeal
from bot.rules.features.tables import BeginClosing, CloseTable, ReopenTable
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from bot.rules.views import Viewer
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import TableViews
from bot.testing.makers import Maker, likely
from bot.testing.twins import MODERATOR, Pair, PairMoves, same
from bot.testing.world import Ask, World


def alone(kind: type[Command], who: Callable[[Table, Random], Caller]) -> Maker:
    """Return a maker of commands of a kind that needs no field. ``who`` gives them."""
    return lambda table, dice: (kind(), who(table, dice))


def own(table: Table, caller: Caller) -> str | None:
    """Return the caller's seat."""
    seat = table.seat_of(caller.person)
    return seat.id if seat else None


def looks_first(pair: Pair, play: PairMoves) -> None:
    """The moderator who sets hands looks at them first."""
    assert pair.both(play, Ask(Audit("ledger"), Caller(MODERATOR, moderator=True)))


def closed(pair: Pair, play: PairMoves) -> None:
    """The host closes both tables."""
    assert pair.both(play, Ask(CloseTable(), Caller(pair.one.table.host)))
    pair.met["closed"] += 1


def closed_and_opened_again(pair: Pair, play: PairMoves) -> None:
    """The host closes both tables, the two are compared, and the host opens them again."""
    host = pair.one.table.host
    assert pair.both(play, Ask(BeginClosing(), Caller(host)))
    assert pair.one.table.closing is not None
    same(pair, 0, at_length=True)
    assert pair.both(play, Ask(ReopenTable(), Caller(host)))


def assert_open(world: World, viewer: Viewer) -> None:
    """Assert that nothing is hidden from this viewer any more."""
    seen = TableViews(world.recall_all()).see(viewer)
    assert all(
        see_entry(recorded, viewer, world.table.game).complete for recorded in world.recorded
    )
    assert all(seat.hidden is not None for seat in seen.seats.values())
    assert seen.offers.keys() == set(range(1, world.table.offers_posted + 1))
    assert all(offer.exact for offer in seen.offers.values())
    assert seen.deals.keys() == set(range(1, world.table.deals_proposed + 1))
    assert seen.negotiations.keys() == set(range(1, world.table.negotiations_opened + 1))


def of_deal(pair: Pair, asked: Ask) -> Ask | None:
    """Return a command about others' deal with other secrets; None for any other command."""
    command, dice = asked.command, pair.dice
    match command:
        case ProposeDeal(to=to, terms=terms) if terms and not pair.mine(to):
            if command.private or game_of(pair.one.table).trade.private_offers:
                words = other_words(terms, dice, may_be_none=False)
                later = likely(dice, 50)
                by = command.by if later else ""
                return asked.with_fields(terms=words, later=later, card=likely(dice, 20), by=by)
        case AnswerDeal() if _secret_deal(pair, command):
            return asked.with_fields(agreed=likely(dice, 50))
        case MarkDeal() if _secret_deal(pair, command):
            return asked.with_fields(mark=dice.choice(["kept", "broken"]))
    return None


def _secret_deal(pair: Pair, command: DealCommand) -> bool:
    deal = pair.one.recall(command.subjects()).deals.get(command.deal)
    return deal is not None and deal.private and not pair.mine(deal.seat, deal.to)


def other_words(words: str, dice: Random, *, may_be_none: bool = True) -> str:
    """Return other secret words, or none."""
    if len(words) > 300:
        return words
    return "" if may_be_none and likely(dice, 50) else f"promised {dice.random()}"
