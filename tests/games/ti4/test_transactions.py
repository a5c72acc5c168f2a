"""What a transaction does: what becomes of the goods, what stays secret, which permits it uses up, what may follow."""

from __future__ import annotations

from dataclasses import replace

from bot.games.ti4 import GAME
from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.permits import GrantPermit
from bot.games.ti4.requests import Replenish
from bot.games.ti4.state import InForce
from bot.games.ti4.transactions import received
from bot.games.ti4.turns import StartTurn
from bot.rules.apply import replay
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.game import Trade
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from tests.games.ti4.tables import after, all_done, done, having, table_of, with_goods

CEASEFIRE, SUPPORT = "note:ceasefire:sol", "note:support_for_the_throne:sol"
TABLE = table_of(("letnev", "sol", "mentak"))
TURN = all_done(
    having(having(TABLE, "letnev", {"trade_good": 4}), "sol", {"commodity": 2, "action_card": 1}),
    [JoinNeighbors("letnev", "sol"), StartTurn("letnev")],
)


def trade(first_gives: Goods, second_gives: Goods = NOTHING) -> Trade:
    return Trade(first="sol", second="letnev", first_gives=first_gives, second_gives=second_gives)


def resolved(table: Table, give: Goods, want: Goods = NOTHING) -> tuple[Table, list[tuple[str, str]]]:
    """The table after Letnev and Sol have traded, and what may follow from it, to whom."""
    offered = after(table, PostOffer(to="sol", give=give, want=want))
    entries = done(offered, Sign(offered.offers_posted), by=2)
    traded = replay(entries, offered)
    follow_ups = [
        each
        for seq, entry in enumerate(entries, offered.seq + 1)
        for each in GAME.features.follow_ups(replace(traded, seq=seq), entry)
    ]
    return traded, [(each.seat, each.text) for each in follow_ups]


def test_what_commodities_units_and_purged_notes_become() -> None:
    given = Goods({"commodity": 2, "trade_good": 1, "captured:cruiser:sol": 1, "captured:mech:hacan": 1})
    assert received(given, "sol") == Goods({"trade_good": 3, "captured:mech:hacan": 1})


def test_which_note_changes_hands_is_for_the_two() -> None:
    settled = GAME.trade.settle(TURN, trade(Goods({CEASEFIRE: 1, "commodity": 1})))
    note = Goods({CEASEFIRE: 1})
    assert settled.hidden == {"sol": Change(lost=note), "letnev": Change(gained=note)}
    assert settled.changes["sol"].lost == Goods({"commodity": 1})


def test_a_note_that_lies_open_as_it_is_received_is_public() -> None:
    settled = GAME.trade.settle(TURN, trade(Goods({SUPPORT: 1})))
    assert not settled.hidden
    assert settled.changes["letnev"] == Change(entered_play=Goods({SUPPORT: 1}))


def test_notes_are_redacted_but_counted() -> None:
    assert GAME.redact(Goods({CEASEFIRE: 1, SUPPORT: 1, "trade_good": 2})) == Goods(
        {"note": 1, SUPPORT: 1, "trade_good": 2}
    )
    assert GAME.redact(GAME.redact(Goods({CEASEFIRE: 1}))) == Goods({"note": 1})


def test_a_permit_is_used_up_only_by_a_trade_that_needs_it() -> None:
    table = TURN
    for lifts in ("neighbors", "goods", "goods"):
        table = after(table, GrantPermit("letnev", "sol", lifts=lifts, reason="a card"))
    assert GAME.trade.settle(table, trade(Goods({"commodity": 1}))).permits == ()
    needs = Goods({"action_card": 1})
    assert GAME.trade.settle(table, trade(needs)).permits == (2,), "the older of two alike"
    traded, _ = resolved(table, NOTHING, needs)
    assert [permit.number for permit in part(traded, InForce).permits] == [1, 3]


def test_a_permit_that_is_not_for_once_stays() -> None:
    table = after(TURN, GrantPermit("letnev", "sol", lifts="goods", once=False, reason="a card"))
    assert GAME.trade.settle(table, trade(Goods({"action_card": 1}))).permits == ()


def test_while_nobody_has_taken_it_up_an_offer_is_judged_by_what_it_offers() -> None:
    cards = Trade(first="letnev", second="", first_gives=Goods({"action_card": 9}), second_gives=NOTHING)
    assert [found.rule for found in GAME.trade.violations(TURN, cards)] == ["94.3", "94.2"]
    with_hacan = all_done(table_of(("letnev", "hacan")), [StartTurn("letnev")])
    assert [found.rule for found in GAME.trade.violations(with_hacan, cards)] == ["94.2"]


def test_notes_that_are_missing_are_for_their_own_seat_to_know() -> None:
    open_goods, note = GAME.trade.violations(TURN, trade(Goods({"trade_good": 9, "note:ceasefire:letnev": 1})))
    assert (open_goods.short, open_goods.known_to, open_goods.action, open_goods.about) == (True, "", "holdings", "sol")
    assert (note.short, note.known_to, note.action) == (True, "sol", "")
    assert "Ceasefire" not in note.redacted("letnev").sentence()


def test_mentak_hears_of_a_neighbour_with_three_trade_goods() -> None:
    table = after(TURN, JoinNeighbors("letnev", "mentak"))
    [(seat, text)] = resolved(table, Goods({"trade_good": 1}))[1]
    assert (seat, "**Pillage**" in text) == ("mentak", True)
    assert not resolved(table, Goods({"trade_good": 2}))[1]
    protected = with_goods(table, "letnev", NOTHING, in_play=Goods({"note:promise_of_protection:mentak": 1}))
    assert not resolved(protected, Goods({"trade_good": 1}))[1]


def test_the_receiver_of_a_note_hears_that_it_may_be_played_now() -> None:
    [(seat, text)] = resolved(TURN, NOTHING, Goods({CEASEFIRE: 1}))[1]
    assert (seat, "Ceasefire" in text) == ("letnev", True)
    assert not resolved(TURN, NOTHING, Goods({SUPPORT: 1}))[1], "it lies in play already"


def test_nothing_follows_from_replenishing() -> None:
    """Commodities are no trade goods, so that Mentak hears nothing."""
    entries = done(TURN, Replenish(), by=2)
    assert not [each for entry in entries for each in GAME.features.follow_ups(replay(entries, TURN), entry)]
