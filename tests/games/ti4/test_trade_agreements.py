"""Tests of Trade Agreement: what its holder gets and until when, and that nobody else sees more."""

from __future__ import annotations

from dataclasses import replace

from bot.games.ti4.agendas import ResolveAgenda, RevealAgenda
from bot.games.ti4.commodities import Convert, GainCommodities
from bot.games.ti4.components import trade_goods
from bot.games.ti4.notes import PlayNote
from bot.games.ti4.requests import Replenish
from bot.games.ti4.trade_agreements import agreement_of
from bot.games.ti4.turns import EndTurn, StartTurn
from bot.rules.commands import Command
from bot.rules.entries import split
from bot.rules.features.holdings import Gain, Spend
from bot.rules.features.tables import SetPhase
from bot.rules.model.goods import Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from tests.games.ti4.tables import after, done, having, refused, seen, table_of, with_goods

HACAN, SOL, LETNEV, XXCHA = 1, 2, 3, 4
SEATS = ("hacan", "sol", "letnev", "xxcha")
NOTE = agreement_of("sol")


def held_by(seat: str) -> Table:
    """Return a table on Sol's turn, with Sol's Trade Agreement in this hand, and another of Sol's
    notes in another's: how many notes a hand holds everybody can see.
    """
    table = after(table_of(SEATS), StartTurn("sol"))
    owner, other = table.seats["sol"], {"letnev": "xxcha", "xxcha": "letnev"}.get(seat)
    lent = {seat: NOTE, **({other: "note:ceasefire:sol"} if other else {})}
    table = table.with_seat(
        replace(owner, holdings=Goods(dict.fromkeys(lent.values(), 1)).missing(owner.holdings))
    )
    for holder, note in lent.items():
        table = with_goods(table, holder, Goods({note: 1}))
    return table


def labels(table: Table, person: int) -> list[str]:
    return [button.label for prompt in seen(table, person).prompts for button in prompt.buttons]


def replenished(seat: str = "letnev", *more: Command) -> Table:
    table = after(held_by(seat), Replenish(), by=SOL)
    for command in more:
        table = after(table, command, by=SOL)
    return table


def test_everybody_else_sees_the_same_whoever_holds_it() -> None:
    """What comes of replenishing, and all that is refused meanwhile, is the same for everybody but
    the holder.
    """
    asks: list[tuple[int, Command]] = [
        (SOL, Replenish()),
        (HACAN, Replenish("sol")),
        (SOL, Convert(2)),
        (HACAN, PlayNote(NOTE)),
        (SOL, PlayNote(NOTE)),
        (SOL, EndTurn()),
        (HACAN, SetPhase("status")),
        (SOL, GainCommodities(1)),
    ]
    one, other = held_by("letnev"), held_by("xxcha")
    assert [split(entry) for entry in done(one, Replenish(), SOL)] == [
        split(entry) for entry in done(other, Replenish(), SOL)
    ]
    one, other = replenished("letnev"), replenished("xxcha")
    for person in (HACAN, SOL):
        assert seen(one, person) == seen(other, person)
    assert seen(one) == seen(other)
    for person, command in asks:
        answers = [_answer(table, command, person) for table in (one, other)]
        assert answers[0] == answers[1]


def _answer(table: Table, command: Command, person: int) -> object:
    try:
        return [split(entry) for entry in done(table, command, person)]
    except Refused as refusal:
        return refusal.violation


def test_what_the_holder_gets() -> None:
    def got(table: Table) -> tuple[int, int]:
        played = after(table, PlayNote(NOTE), by=LETNEV)
        assert NOTE in played.seats["sol"].holdings
        assert not labels(played, LETNEV)
        return played.seats["letnev"].holdings.count("trade_good"), played.seats[
            "sol"
        ].holdings.count("commodity")

    assert got(replenished()) == (4, 0)
    assert got(replenished("letnev", Convert(1))) == (4, 0)  # the trade good makes up for it
    # nobody owes the rest
    assert got(replenished("letnev", Convert(4), Spend(trade_goods(3)))) == (1, 0)
    # what came later stays
    assert got(replenished("letnev", Convert(3), GainCommodities(2))) == (4, 2)
    assert got(replenished("letnev", Gain(trade_goods(5)))) == (4, 0)  # more than there were never
    full = after(having(held_by("letnev"), "sol", {"commodity": 4}), Replenish(), by=SOL)
    assert got(full) == (4, 0)  # 21 note 2
    assert got(replenished("letnev", Convert(4), Replenish())) == (4, 0)  # asked anew


def test_when_the_question_is_over() -> None:
    """With another's next turn or the next agenda, whatever its owner ends; it's Sol's turn when
    they replenish.
    """
    sols = StartTurn("sol", "new")
    for ends in (
        (EndTurn(), StartTurn("hacan"), EndTurn()),
        (StartTurn("hacan"), StartTurn("xxcha")),
        (EndTurn(), sols, EndTurn(), StartTurn("hacan"), SetPhase("status")),
        (RevealAgenda(), ResolveAgenda()),
        (SetPhase("status"), SetPhase("agenda"), RevealAgenda(), ResolveAgenda()),
    ):
        over = replenished()
        for command in ends:
            assert labels(over, LETNEV) == ["Play", "Not now"], ends
            over = after(over, command)
        assert not labels(over, LETNEV), ends
        assert refused(over, PlayNote(NOTE), by=LETNEV).rule == "69.1"
    assert refused(held_by("letnev"), PlayNote(NOTE), by=LETNEV).rule == "69.1"
    # It is answered once: the owner can give the note away again, but not to be played to the same
    # replenishing.
    played = after(replenished(), PlayNote(NOTE), by=LETNEV)
    owner = played.seats["sol"]
    again = played.with_seat(replace(owner, holdings=Goods({NOTE: 1}).missing(owner.holdings)))
    assert (
        refused(with_goods(again, "xxcha", Goods({NOTE: 1})), PlayNote(NOTE), by=XXCHA).rule
        == "69.1"
    )
