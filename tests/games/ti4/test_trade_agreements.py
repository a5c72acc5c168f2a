"""Tests of Trade Agreement: what its holder gets and until when, and that nobody else sees more."""

from __future__ import annotations

from itertools import chain

from bot.games.ti4.agendas import ResolveAgenda, RevealAgenda
from bot.games.ti4.commodities import Convert, GainCommodities
from bot.games.ti4.components import trade_goods
from bot.games.ti4.notes import PlayNote
from bot.games.ti4.requests import Replenish
from bot.games.ti4.trade_agreements import AgreementAnswer, agreement_of
from bot.games.ti4.turns import EndTurn, StartTurn
from bot.rules.commands import Command
from bot.rules.features.holdings import Gain, Spend
from bot.rules.features.tables import SetPhase
from bot.rules.model.table import Table
from tests.games.ti4.tables import after, having, lent, refused, seen, table_of

HACAN, SOL, LETNEV, XXCHA = 1, 2, 3, 4
SEATS = ("hacan", "sol", "letnev", "xxcha")
NOTE = agreement_of("sol")


def held_by(seat: str) -> Table:
    """Return a table on Sol's turn, with Sol's Trade Agreement in this hand.

    Another note of Sol's lies in another's, since all can see how many notes a hand holds.
    """
    table = after(table_of(SEATS), StartTurn("sol"))
    other = "xxcha" if seat == "letnev" else "letnev"
    return lent(lent(table, NOTE, seat), "note:ceasefire:sol", other)


def labels(table: Table, person: int) -> list[str]:
    buttons = chain.from_iterable(prompt.buttons for prompt in seen(table, person).prompts)
    return [button.label for button in buttons]


def replenished(seat: str = "letnev", *more: Command) -> Table:
    table = after(held_by(seat), Replenish(), by=SOL)
    for command in more:
        table = after(table, command, by=SOL)
    return table


def test_the_question_says_by_which_entry_its_owner_replenished() -> None:
    table = replenished()
    [prompt] = seen(table, LETNEV).prompts
    for answer in prompt.buttons:
        assert isinstance(answer.action, AgreementAnswer)
        assert answer.action.since == table.seq


def got(table: Table) -> tuple[int, int]:
    """Return the holder's trade goods and the owner's commodities after the note."""
    played = after(table, PlayNote(NOTE), by=LETNEV)
    letnev, sol = played.seats["letnev"].holdings, played.seats["sol"].holdings
    assert NOTE in sol
    assert not labels(played, LETNEV)
    return letnev.count("trade_good"), sol.count("commodity")


def test_what_the_holder_gets() -> None:
    assert got(replenished()) == (4, 0)
    assert got(replenished("letnev", Convert(1))) == (4, 0)  # the trade good makes up for it
    spent = Spend(trade_goods(3))
    assert got(replenished("letnev", Convert(4), spent)) == (1, 0)  # nobody owes the rest
    # what came later stays
    assert got(replenished("letnev", Convert(3), GainCommodities(2))) == (4, 2)
    assert got(replenished("letnev", Gain(trade_goods(5)))) == (4, 0)  # more than there were never
    full = having(held_by("letnev"), "sol", {"commodity": 4})
    assert got(after(full, Replenish(), by=SOL)) == (4, 0)  # 21 note 2
    assert got(replenished("letnev", Convert(4), Replenish())) == (4, 0)  # asked anew


def test_when_the_question_is_over() -> None:
    """With another's next turn or the next agenda, whatever its owner ends. It's Sol's turn."""
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


def test_a_replenishing_is_answered_once() -> None:
    """The owner can give the note away again, but not to be played to the same replenishing."""
    played = after(replenished(), PlayNote(NOTE), by=LETNEV)
    again = lent(played, NOTE, "xxcha")
    assert refused(again, PlayNote(NOTE), by=XXCHA).rule == "69.1"
