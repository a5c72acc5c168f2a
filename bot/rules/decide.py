"""Decide: what follows from a command. Entries, or `Refused` and nothing has changed."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules import audits, deals, negotiations, offers, seats, time
from bot.rules.commands import (
    Agree,
    AlterOffer,
    AnswerDeal,
    Audit,
    ChangeSettings,
    CloseNegotiation,
    CloseTable,
    Command,
    CounterOffer,
    Declare,
    EndOffer,
    Gain,
    HandOver,
    Leave,
    MarkDeal,
    OpenNegotiation,
    OpenTable,
    PauseOffer,
    PickTaker,
    PostOffer,
    ProposeDeal,
    SetHoldings,
    SetHost,
    SetPhase,
    Sign,
    Sit,
    Spend,
    Tick,
)
from bot.rules.entries import Entry
from bot.rules.game import game_named
from bot.rules.ruling import Refused
from bot.rules.table import Table


def decide(table: Table, command: Command) -> tuple[Entry, ...]:
    """The entries that this command leads to at this table.

    Raises `Refused` when it may not be done; then nothing has happened.
    """
    if isinstance(command, OpenTable):
        return tuple(seats.open_table(command))
    if isinstance(command, Audit):  # also of a closed table
        return tuple(audits.look(table, command))
    if not table.open:
        raise Refused("", "This table is closed.", "Open a new one with /table open.")
    return tuple(_decided(table, command))


def _decided(table: Table, command: Command) -> Iterable[Entry]:
    match command:
        case Sit():
            return seats.sit(table, command)
        case Leave():
            return seats.leave(table, command)
        case CloseTable():
            return seats.close_table(table, command)
        case SetHost():
            return seats.set_host(table, command)
        case ChangeSettings():
            return seats.change_settings(table, command)
        case SetPhase():
            return seats.set_phase(table, command)
        case SetHoldings():
            return seats.set_holdings(table, command)
        case Gain():
            return seats.gain(table, command)
        case Spend():
            return seats.spend(table, command)
        case PostOffer():
            return offers.post(table, command)
        case Sign():
            return offers.sign(table, command)
        case EndOffer():
            return offers.end(table, command)
        case AlterOffer():
            return offers.alter(table, command)
        case CounterOffer():
            return offers.counter(table, command)
        case PauseOffer():
            return offers.pause(table, command)
        case PickTaker():
            return offers.pick(table, command)
        case Agree():
            return offers.agree(table, command)
        case HandOver():
            return offers.hand_over(table, command)
        case Tick():
            return time.tick(table, command)
        case OpenNegotiation():
            return negotiations.open_negotiation(table, command)
        case CloseNegotiation():
            return negotiations.close_negotiation(table, command)
        case Declare():
            return offers.declare(table, command)
        case ProposeDeal():
            return deals.propose(table, command)
        case AnswerDeal():
            return deals.answer(table, command)
        case MarkDeal():
            return deals.mark(table, command)
        case _:
            return game_named(table.game).decide(table, command)
