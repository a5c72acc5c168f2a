"""Tests that every kind of entry has its sentence, which shows nobody what is not theirs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.rules.entries import Entry
from bot.rules.features.audits import Looked
from bot.rules.features.deals import DealAnswered, DealMarked, DealProposed, DealVoided
from bot.rules.features.holdings import Corrected, Gained, Spent
from bot.rules.features.house_rules import RuleWritten
from bot.rules.features.negotiations import NegotiationClosed, NegotiationOpened
from bot.rules.features.next_time import Coming, NextTimeSet, Reminded
from bot.rules.features.offers.debts import DebtSaid, Statement
from bot.rules.features.offers.entries import (
    HandedOver,
    HandOverUndone,
    OfferAgreed,
    OfferAltered,
    OfferBecameDeal,
    OfferConfided,
    OfferCountered,
    OfferDeclined,
    OfferExpired,
    OfferPicked,
    OfferPosted,
    OfferRestored,
    OfferResumed,
    OfferStands,
    OfferSuperseded,
    OfferSuspended,
    OfferVoided,
    OfferWithdrawn,
    Period,
    Signed,
    Transaction,
)
from bot.rules.features.seats import SeatLeft, SeatTaken, TakenUp
from bot.rules.features.tables import (
    HostChanged,
    PhaseSet,
    PlayedAgain,
    SettingsChanged,
    TableClosed,
    TableClosing,
    TableMoved,
    TableNamed,
    TableOpened,
    TablePaused,
    TableReopened,
    TableResumed,
)
from bot.rules.model.deals import Wording
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.offer import Sides
from bot.rules.model.people import Names, Person
from bot.rules.model.text import quoted
from bot.rules.views import EntryView, TableSettings
from bot.rules.vocabulary import CORE
from bot.show.narration import (
    headline,
    headlines_text,
    narrate,
    plain_sentence,
    sentence,
    settings_text,
)
from tests.scale import variants
from tests.show.playing import lived

PEOPLE = {1: Person(1, 11, "alice"), 2: Person(2, 12, "bob"), 3: Person(3, 13, "carol")}
NAMES = Names("ti4", PEOPLE, {"hacan": 1, "sol": 2, "letnev": None})

TRADE_GOOD, COMMODITY = Goods({"trade_good": 1}), Goods({"commodity": 1})
NOTE, REDACTED = Goods({"note:ceasefire:hacan": 1}), Goods({"note": 1})
TURN = Period("turn", "action", "hacan")
TWO = ("hacan", "sol")


def seen(entry: Entry, by: int | None = 1) -> EntryView:
    return EntryView(1, 9, 0, by, entry.kind, entry, NAMES, complete=True)


def told(entry: Entry, by: int | None = 1) -> str:
    return plain_sentence(seen(entry, by))


def transaction(**changes: object) -> Transaction:
    """alice gave bob a trade good for a commodity."""
    whole = {
        "number": 3,
        "offer": 7,
        "revision": 2,
        "window": 4,
        "during": TURN,
        "first": "hacan",
        "second": "sol",
        "changes": {"hacan": Change(TRADE_GOOD, TRADE_GOOD), "sol": Change(COMMODITY, TRADE_GOOD)},
        "given": {"hacan": TRADE_GOOD, "sol": COMMODITY},
    }
    return Transaction.model_validate(whole | changes)


SENTENCES: list[tuple[Entry, str]] = [
    (
        TableOpened(game="ti4", name="Friday", host=1, settings=TableSettings()),
        "alice opened the table Friday.",
    ),
    (TableClosing(until=0), "The host closed the table. It could be opened again until <t:0:t>."),
    (TablePaused(at=0), "The host paused the game."),
    (PlayedAgain(earlier=()), "The same people as at the table before."),
    (NextTimeSet(at=5_000, zone="UTC", person=1), "alice said when you meet again: <t:5:F>."),
    (Coming(person=1, comes=True), "alice is coming the next time."),
    (Reminded(at=5_000, coming=(1,)), "An hour before <t:5:F>, I reminded 1."),
    (TableResumed(lasted=1), "The game went on."),
    (
        TableReopened(),
        "The host opened the table again. All is as it was, but offers and negotiations that were "
        "open have ended.",
    ),
    (TableClosed(), "The table was closed."),
    (HostChanged(person=2), "bob became the host. (alice did it.)"),
    (PhaseSet(phase="agenda", window=1), "The agenda phase begins."),
    (TableMoved(), "The host brought the table to this channel."),
    (TableNamed(name="Harbour night"), "The table is called Harbour night."),
    (SeatTaken(seat="hacan", person=1), "alice took the seat The Emirates of Hacan."),
    (SeatTaken(seat="sol", person=2), "bob took the seat The Federation of Sol. (alice did it.)"),
    (SeatLeft(seat="sol", person=2), "bob left the seat The Federation of Sol. (alice did it.)"),
    (
        Gained(seat="hacan", changes={"hacan": Change(gained=TRADE_GOOD)}),
        "alice (Hacan) gains 1 trade good.",
    ),
    (
        Gained(seat="hacan", declared=True, changes={"hacan": Change(gained=TRADE_GOOD)}),
        "alice (Hacan) declares 1 trade good.",
    ),
    (
        Gained(seat="hacan", changes={"hacan": Change()}, hidden={"hacan": Change(gained=NOTE)}),
        "alice (Hacan) took cards into their hand. "
        "In secret: alice gained Hacan's Ceasefire (alice).",
    ),
    (
        Spent(seat="hacan", changes={"hacan": Change(lost=COMMODITY)}),
        "alice (Hacan) spends 1 commodity.",
    ),
    (Corrected(seat="hacan", after=TRADE_GOOD), "Set by the host: alice (Hacan) has 1 trade good."),
    (
        Corrected(
            seat="hacan", before=COMMODITY, after=TRADE_GOOD, hidden_named=2, reason="mis*counted*"
        ),
        "Correction: alice (Hacan) had 1 commodity, and has 1 trade good now. "
        "Promissory notes that came to their hand: 2. Why: “mis*counted*”",
    ),
    (Looked(person=1, what="trade", about=3, hidden=True), "alice looked up transaction 3."),
    (Looked(person=1, what="player", about=2, hidden=True), "alice looked up what bob did."),
    (Looked(person=1, what="holdings", about=2, hidden=True), "alice looked at what bob holds."),
    (
        NegotiationOpened(negotiation=1, seat="hacan", other="sol"),
        "alice and bob began to negotiate in private.",
    ),
    (
        NegotiationOpened(negotiation=1, seat="hacan", other="sol", topic="planets"),
        "alice and bob began to negotiate in private about “planets”.",
    ),
    (
        NegotiationClosed(negotiation=1, seat="sol", other="hacan"),
        "bob and alice ended the negotiation.",
    ),
    (
        DealProposed(deal=4, seat="hacan", to="sol", terms="peace", later=True),
        "Deal 4: alice proposed to bob: “peace”",
    ),
    (
        DealProposed(deal=4, seat="hacan", to="sol", private=True),
        "Deal 4: alice proposed to bob: in private.",
    ),
    (
        DealProposed(
            deal=4, seat="hacan", to="sol", private=True, secret=Wording("war", later=True), offer=7
        ),
        "Deal 4: alice and bob promised each other, with offer 7: “war”",
    ),
    (
        DealAnswered(deal=4, seat="hacan", other="sol", agreed=True, binding=True),
        "alice agreed to deal 4.",
    ),
    (
        DealAnswered(deal=4, seat="hacan", other="sol", agreed=False, binding=True),
        "alice declined deal 4.",
    ),
    (
        DealVoided(deal=4, seat="hacan", other="sol"),
        "Deal 4 ended unanswered, because one of the two left.",
    ),
    (
        DealMarked(deal=4, seat="hacan", other="sol", promised_by=2, mark="broken"),
        "alice said that bob broke deal 4.",
    ),
    (
        DealAnswered(deal=4, seat="hacan", other="sol", private=True, secret=False),
        "alice declined deal 4.",
    ),
    (
        DealAnswered(deal=4, seat="hacan", other="sol", private=True),
        "alice answered deal 4 in private.",
    ),
    (
        DealMarked(deal=4, seat="hacan", other="sol", promised_by=2, private=True, secret="kept"),
        "alice said that bob kept deal 4.",
    ),
    (
        DealMarked(deal=4, seat="hacan", other="sol", promised_by=2, private=True),
        "alice said in private what became of deal 4 with bob.",
    ),
    (
        OfferPosted(offer=7, seat="hacan", to=None, give=TRADE_GOOD, want=NOTHING),
        "alice offered everybody #7: 1 trade good for nothing.",
    ),
    (
        OfferPosted(
            offer=7,
            seat="hacan",
            to="sol",
            give=REDACTED,
            want=COMMODITY,
            parent=5,
            until=60_000,
            exact=Sides(NOTE, COMMODITY, "soon"),
        ),
        "alice offered bob, in answer to #5, #7: Hacan's Ceasefire (alice) for 1 commodity. Terms: "
        "“soon” "
        "It stood until <t:60:f>.",
    ),
    (
        OfferPosted(offer=7, seat="hacan", to="sol", give=NOTHING, want=NOTHING, private=True),
        "alice offered bob #7: in private.",
    ),
    (OfferConfided(), "Something was said in private."),
    (
        OfferAltered(offer=7, revision=2, seat="hacan", to="sol", give=TRADE_GOOD, want=COMMODITY),
        "alice altered offer 7 to revision 2: 1 trade good for 1 commodity.",
    ),
    (
        OfferAgreed(offer=7, revision=2, seat="sol", between=TWO),
        "bob agreed to offer 7, revision 2, to be confirmed later.",
    ),
    (
        Signed(offer=7, revision=2, seat="sol", window=4, during=TURN),
        "bob signed offer 7, revision 2, in alice's turn (window 4).",
    ),
    (
        Signed(offer=7, revision=2, seat="sol", window=4, during=Period("none", "status")),
        "bob signed offer 7, revision 2, in the status phase (window 4).",
    ),
    (
        Signed(offer=7, revision=2, seat="sol", window=4, during=Period("agenda", "agenda")),
        "bob signed offer 7, revision 2, in the agenda (window 4).",
    ),
    (OfferSuspended(offer=7, seat="hacan"), "alice suspended offer 7."),
    (OfferResumed(offer=7, seat="hacan"), "alice resumed offer 7."),
    (OfferPicked(offer=7, seat="hacan", taker="sol"), "alice picked bob for offer 7."),
    (
        OfferStands(offer=7, seat="hacan", revision=1, window=2, short=False),
        "Offer 7 stands for alice's turn.",
    ),
    (
        TakenUp(person=2, seat="sol"),
        "bob took up the seat The Federation of Sol, given by another. (alice did it.)",
    ),
    (OfferDeclined(offer=7, seat="sol"), "bob declined offer 7. (alice did it.)"),
    (OfferWithdrawn(offer=7, seat="hacan"), "alice withdrew offer 7."),
    (OfferExpired(offer=7), "Offer 7 ran out."),
    (OfferCountered(offer=7, by=8, seat="sol", between=TWO), "Offer 8 stands in place of offer 7."),
    (OfferRestored(offer=7, between=TWO), "Offer 7 stands again."),
    (OfferSuperseded(offer=7, by=8, between=TWO), "Offer 7 ended with offer 8."),
    (OfferVoided(offer=7, between=TWO), "Offer 7 became void."),
    (
        OfferVoided(offer=7, between=TWO, reasons={"sol": "You left."}),
        "Offer 7 became void. You left.",
    ),
    (
        HandedOver(offer=7, revision=2, seat="hacan"),
        "alice handed over their part of offer 7, revision 2, sealed.",
    ),
    (
        HandedOver(offer=7, revision=2, seat="hacan", goods=NOTE),
        "alice handed over their part of offer 7, revision 2, sealed: Hacan's Ceasefire (alice).",
    ),
    (
        OfferBecameDeal(
            offer=7,
            revision=2,
            first="hacan",
            second="sol",
            promised={"hacan": Goods({"owed:trade_good": 2})},
        ),
        "🤝 Offer 7 is a deal of alice and bob. alice owes bob 2 trade goods (debt 7).",
    ),
    (DebtSaid(said=Statement(7, "sol", "hacan", "forgave")), "bob forgave alice debt 7."),
    (DebtSaid(), "Something was said in private."),
    (RuleWritten(number="H1", text="No gifts."), "The host wrote house rule H1: “No gifts.”"),
    (RuleWritten(number="H1", text=""), "The host took house rule H1 away."),
    (OfferConfided(), "Something was said in private."),
    (HandOverUndone(offer=7, seat="hacan"), "alice has not handed over for offer 7 yet."),
    (
        HandOverUndone(offer=7, seat="hacan", gone="It left."),
        "alice has not handed over for offer 7 yet. It left.",
    ),
    (
        transaction(overruled=("94.1",), permits=(1, 2)),
        "Transaction 3 from offer 7, revision 2, in alice's turn (window 4). alice gave 1 trade "
        "good and received "
        "1 trade good. bob gave 1 commodity and received 1 trade good. Against [94.1], which this "
        "table only warns of. "
        "By permit 1, 2.",
    ),
]


def test_each_kind_has_its_sentence() -> None:
    assert {
        entry.kind: told(entry) for entry, expected in SENTENCES if told(entry) != expected
    } == {}


def test_what_a_moderator_did_is_not_told_as_the_hosts() -> None:
    others = [entry for entry, _ in SENTENCES if not isinstance(entry, HostChanged)]
    theirs = {}
    for entry in others:
        theirs[entry.kind] = plain_sentence(replace(seen(entry), by_host=False))
    for text in theirs.values():
        assert "the host" not in text.lower()


def test_no_kind_is_forgotten() -> None:
    assert {type(entry) for entry, _ in SENTENCES} | {SettingsChanged} == set(CORE.entries)


# ---------------------------------------------------------------- settings


def test_the_settings_that_changed_are_told() -> None:
    entry = SettingsChanged(
        settings=TableSettings(rulings="warn", timer="60"), changed=("rulings", "timer")
    )
    assert (
        headline(seen(entry))
        == "From now on this table plays with **rulings: warn**, **timer: 60**."
    )


def test_a_setting_of_the_game_has_its_default() -> None:
    assert "**declare_neighbors: players**" in settings_text(NAMES, TableSettings().items())
    changed = TableSettings(options={"declare_neighbors": "host"})
    assert "**declare_neighbors: host**" in settings_text(NAMES, changed.items())


# ---------------------------------------------------------------- who knows what


def test_an_exchange_of_notes_names_them_to_those_who_may_know() -> None:
    hidden = {"hacan": Change(lost=NOTE), "sol": Change(gained=NOTE)}
    given = {"hacan": REDACTED, "sol": TRADE_GOOD}
    changes = {"hacan": Change(gained=TRADE_GOOD), "sol": Change(lost=TRADE_GOOD)}
    exact, blind = (
        transaction(given=given, changes=changes, hidden=each) for each in (hidden, None)
    )
    assert (
        "alice gave Hacan's Ceasefire (alice) and received 1 trade good. bob gave 1 trade good"
        in told(exact)
    )
    assert "bob gave 1 trade good and received Hacan's Ceasefire (alice)." in told(exact)
    assert "Ceasefire" not in told(blind)
    assert "alice gave 1 promissory note and received 1 trade good." in told(blind)
    assert "bob gave 1 trade good and received 1 promissory note." in told(blind)


def test_who_did_it_is_said_where_it_was_another() -> None:
    gained = Gained(seat="sol", changes={"sol": Change(gained=TRADE_GOOD)})
    assert told(gained, by=2).endswith("1 trade good.")
    assert told(gained, by=1).endswith("1 trade good. (alice did it.)")
    assert told(gained, by=None).endswith("1 trade good.")


def test_words_that_were_typed_are_no_markup() -> None:
    entry = DealProposed(deal=4, seat="hacan", to="sol", terms="<seat:sol> **wins**", later=True)
    assert sentence(seen(entry)).endswith("“\\<seat:sol\\> \\*\\*wins\\*\\*”")
    assert told(entry).endswith("“<seat:sol> **wins**”")
    assert quoted("<seat:sol> **wins**") in narrate(seen(entry), "exact")


def test_headlines_are_a_line_each() -> None:
    kinds = [
        PhaseSet(phase="agenda", window=1),
        TableClosed(),
        OfferWithdrawn(offer=1, seat="hacan"),
        PhaseSet(phase="action", window=2),
    ]
    assert (
        headlines_text(map(seen, kinds))
        == "The **agenda phase** begins.\nThe **action phase** begins."
    )


def test_the_channel_reads_only_what_no_card_or_reply_reports() -> None:
    announced = {type(entry) for entry, _ in SENTENCES if headline(seen(entry))}
    announced.add(SettingsChanged)
    assert announced == {
        Corrected,
        Gained,
        Spent,
        SettingsChanged,
        PhaseSet,
        TableMoved,
        TableReopened,
        SeatTaken,
        SeatLeft,
        HostChanged,
        DebtSaid,
        RuleWritten,
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(3)))
def test_at_a_table_that_has_lived_everything_is_told(seed: int) -> None:
    world = lived(seed)
    for audits in (False, True):
        for entry in world.entries(10 if audits else 0, audits=audits):
            for text in (sentence(entry), plain_sentence(entry)):
                assert text.strip()
                assert not re.search(
                    r"<=?(seat|person|name|faction|player|whose|[Tt]hey|them|[Tt]heir|and):", text
                ), text
                assert "\ue000" not in text
                assert "None" not in text, text
