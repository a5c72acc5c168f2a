"""Tests of a transaction's effects: where goods go, and what stays secret."""

from __future__ import annotations

from bot.games.ti4 import GAME
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.transactions import received
from bot.games.ti4.turns import StartTurn
from bot.rules.game import Trade
from bot.rules.model.goods import NOTHING, Change, Goods
from tests.games.ti4.tables import all_done, having, table_of

CEASEFIRE, SUPPORT = "note:ceasefire:sol", "note:support_for_the_throne:sol"
TABLE = table_of(("letnev", "sol", "mentak"))
SUPPLIED = having(TABLE, "sol", {"commodity": 2, "action_card": 1})
TURN = all_done(
    having(SUPPLIED, "letnev", {"trade_good": 4}),
    [JoinNeighbors("letnev", "sol"), StartTurn("letnev")],
)


def trade(first_gives: Goods, second_gives: Goods = NOTHING) -> Trade:
    return Trade(first="sol", second="letnev", first_gives=first_gives, second_gives=second_gives)


def test_what_commodities_units_and_purged_notes_become() -> None:
    given = Goods(
        {"commodity": 2, "trade_good": 1, "captured:cruiser:sol": 1, "captured:mech:hacan": 1}
    )
    assert received(given, "sol") == Goods({"trade_good": 3, "captured:mech:hacan": 1})


def test_a_note_that_lies_open_as_it_is_received_is_public() -> None:
    settled = GAME.trade.settle(TURN, trade(Goods({SUPPORT: 1})))
    assert not settled.hidden
    assert settled.changes["letnev"] == Change(entered_play=Goods({SUPPORT: 1}))


def test_notes_are_redacted_but_counted() -> None:
    redacted = GAME.redact(Goods({CEASEFIRE: 1, SUPPORT: 1, "trade_good": 2}))
    assert redacted == Goods({"note": 1, SUPPORT: 1, "trade_good": 2})
    assert GAME.redact(redacted) == redacted


def test_while_nobody_has_taken_it_up_an_offer_is_judged_by_what_it_offers() -> None:
    cards = Trade("letnev", "", Goods({"action_card": 9}), NOTHING)
    kind, missing = GAME.trade.violations(TURN, cards)
    assert kind.rule == "94.3"
    assert missing.rule == "94.2"
    with_hacan = all_done(table_of(("letnev", "hacan")), [StartTurn("letnev")])
    (missing,) = GAME.trade.violations(with_hacan, cards)
    assert missing.rule == "94.2"


def test_notes_that_are_missing_are_for_their_own_seat_to_know() -> None:
    gives = Goods({"trade_good": 9, "note:ceasefire:letnev": 1})
    open_goods, note = GAME.trade.violations(TURN, trade(gives))
    assert open_goods.short
    assert open_goods.known_to == ""
    assert open_goods.action == "holdings"
    assert open_goods.about == "sol"
    assert note.short
    assert note.known_to == "sol"
    assert note.action == ""
    assert "Ceasefire" not in note.redacted("letnev").sentence()
