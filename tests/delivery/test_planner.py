"""Tests of the planner: what Discord should show, without Discord."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from discord.utils import DISCORD_EPOCH

from bot.delivery.desired import (
    ArchiveThread,
    Board,
    ChainHead,
    Closed,
    Correction,
    DealCard,
    Desired,
    DirectMessages,
    FollowUp,
    Headlines,
    HiddenFollowUp,
    HiddenPrompt,
    NegotiationRoom,
    NegotiationSummary,
    NegotiationThread,
    NotChosen,
    OfferCard,
    OpenThread,
    PersonalOffer,
    Priority,
    Prompt,
    PublicDeal,
    Replaced,
    Result,
    Retired,
    Step,
    Subject,
    TableChannel,
    ToConfirm,
    TransactionCard,
)
from bot.delivery.life import NO_LONGER_THERE, OLD, Life
from bot.delivery.offer_messages import no_longer_undone
from bot.delivery.planner import plan
from bot.rules.commands import Press
from bot.rules.entries import Entry
from bot.rules.features.deals import AnswerDeal, DealAnswered
from bot.rules.features.holdings import Corrected
from bot.rules.features.negotiations import CloseNegotiation
from bot.rules.features.offers.entries import (
    HandedOver,
    OfferPosted,
    OfferWithdrawn,
    Period,
    Signed,
    Transaction,
)
from bot.rules.features.tables import PhaseSet, TableClosed
from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import Change, Goods
from bot.rules.model.violation import Violation
from bot.rules.views import (
    EntryView,
    FollowUpView,
    NegotiationView,
    OfferView,
    PromptView,
    TableView,
)
from bot.service import Briefing, Fate
from bot.show.cards import Card
from bot.show.deals import thread_name
from tests.delivery.briefings import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    NAMES,
    briefing,
    deal,
    entry,
    offer,
    table,
)

DURING = Period("turn", "action", "hacan")
T = TypeVar("T", bound=Step)


def planned(brief: Briefing, *shown: Life) -> list[Step]:
    return plan(brief, {each.subject: each for each in shown})


def of(kind: type[T], steps: Iterable[Step]) -> list[T]:
    return [step for step in steps if isinstance(step, kind)]


def desired(steps: Iterable[Step]) -> dict[Subject, Desired]:
    return {step.subject: step for step in of(Desired, steps)}


def desired_at(
    *offers: OfferView, shown: Iterable[Life] = (), **options: Any
) -> dict[Subject, Desired]:
    """Return the messages of a table with these offers. ``options``: see `briefing`."""
    return desired(planned(briefing(*offers, **options), *shown))


def sent(subject: Subject, channel_id: int = CHANNEL, state: str = "") -> Life:
    return Life(subject, channel_id, 1, state)


def words(card: Card) -> str:
    return "\n".join(card.blocks)


def labels(card: Card) -> list[str]:
    return [button.label for row in card.rows if isinstance(row, tuple) for button in row]


def posted(number: int = 1) -> Entry:
    return OfferPosted(offer=number, seat="hacan", to="sol", give=Goods(), want=Goods())


def agreed() -> EntryView:
    """Return the entry in which bob agrees to offer 1."""
    between = ("hacan", "sol")
    signed = Signed(offer=1, seat="sol", between=between, revision=1, window=3, during=DURING)
    return entry(signed, by=2)


def traded(**changes: object) -> Transaction:
    given = {"hacan": Goods({"trade_good": 1}), "sol": Goods()}
    moved = {"hacan": Change(lost=given["hacan"]), "sol": Change(gained=given["hacan"])}
    plain = Transaction(
        offer=1,
        number=4,
        revision=1,
        window=3,
        during=DURING,
        first="hacan",
        second="sol",
        given=given,
        changes=moved,
    )
    return plain.model_copy(update=changes)


# ---------------------------------------------------------------- offers

THEIRS, OWN = PersonalOffer(1, "addressed", BOB), PersonalOffer(1, "poster", ALICE)
SENT_TO_BOTH = sent(THEIRS, 77), sent(OWN, 78)


def test_an_offer_is_shown_to_all_and_to_the_one_who_must_answer() -> None:
    """It asks nothing of its poster."""
    steps = desired_at(offer(), entries=[entry(posted())])
    assert list(steps) == [OfferCard(1), THEIRS, Board()]
    public, theirs, _board = steps.values()
    assert (public.place, public.wanted) == (TableChannel(), True)
    assert (theirs.place, theirs.wanted) == (DirectMessages(BOB), True)


def test_what_nobody_wants_and_is_not_there_is_not_made() -> None:
    """A table with many offers would otherwise spend much of a click on cards that are thrown
    away.
    """
    brief = briefing(offer(), offer(2), deals=[deal(status="binding")], entries=[entry(posted())])
    assert [step.subject for step in of(Desired, planned(brief)) if not step.wanted] == []
    kept = desired_at(offer(), shown=SENT_TO_BOTH)
    assert (kept[THEIRS].wanted, kept[OWN].wanted) == (True, False), (
        "what is there is kept up to date"
    )


def test_an_offer_to_all_is_shown_in_the_channel_only() -> None:
    steps = desired_at(offer(to=None), entries=[entry(posted())])
    assert {subject for subject, step in steps.items() if step.wanted} == {OfferCard(1), Board()}


def test_an_offer_that_is_over_is_only_kept_up_to_date() -> None:
    gone = entry(OfferWithdrawn(offer=1, seat="hacan", between=("hacan", "sol")))
    steps = desired_at(offer(status="withdrawn"), entries=[gone])
    del steps[Board()]
    assert steps
    assert not any(step.wanted for step in steps.values())
    assert all(step.final for step in steps.values())


def test_an_offer_that_stands_is_remembered() -> None:
    steps = desired_at(offer(), entries=[entry(posted())])
    assert not any(step.final for step in steps.values())


def test_only_the_card_of_the_one_it_is_for_says_whether_the_offer_is_possible_now() -> None:
    """Else every turn would change every card."""
    not_now = offer(why_not=Violation("94.1", "Not now.", "Later."))
    now, later = (desired_at(each, shown=SENT_TO_BOTH) for each in (offer(), not_now))
    for subject in (OfferCard(1), OWN):
        assert later[subject].card == now[subject].card
    assert later[THEIRS].card != now[THEIRS].card


def test_a_card_is_drawn_again_for_its_reader_for_the_newest_five_offers_and_an_hour() -> None:
    every = [
        offer(number, why_not=Violation("94.1", "Not now.", "Later.")) for number in range(1, 8)
    ]
    theirs = [PersonalOffer(number, "addressed", BOB) for number in range(1, 8)]
    steps = desired_at(*every)
    assert [each.offer for each in theirs if "Not now." in str(steps[each].card)] == [3, 4, 5, 6, 7]
    shown = {theirs[6]: sent(theirs[6], 77)}
    old = desired(plan(briefing(*every), shown, now=DISCORD_EPOCH + OLD))
    assert "Not now." not in str(old[theirs[6]].card)


def test_the_record_of_a_trade_is_kept_until_it_can_not_be_taken_back_any_more() -> None:
    done = sent(OfferCard(9), 79)
    for anchor, forgotten in (("3", False), ("3~8", False), ("2", True)):
        shown = {
            each.subject: each
            for each in (Life(Board(), 80, 1, anchor=anchor), done, sent(THEIRS, 77))
        }
        assert no_longer_undone(briefing(offer()), shown) == (
            {OfferCard(9)} if forgotten else set()
        )


def test_a_person_who_must_hand_over_is_asked_with_a_new_message() -> None:
    signed = agreed()
    steps = desired_at(offer(handing_over=("hacan",)), entries=[signed])
    own = steps[PersonalOffer(1, "poster", ALICE)]
    assert (own.wanted, own.anchor, own.priority) == (True, "9", Priority.ACT)
    assert steps[PersonalOffer(1, "addressed", BOB)].anchor is None


def test_without_news_nobody_is_asked_anew() -> None:
    steps = desired_at(offer(handing_over=("hacan", "sol")), shown=SENT_TO_BOTH)
    del steps[Board()]
    assert [step.anchor for step in steps.values()] == [None] * 3


def test_a_person_is_not_asked_anew_because_of_what_they_did() -> None:
    signed = agreed()
    steps = desired_at(offer(handing_over=("hacan", "sol")), entries=[signed])
    assert steps[PersonalOffer(1, "addressed", BOB)].anchor is None
    assert steps[PersonalOffer(1, "poster", ALICE)].anchor == "9"


def handing_over() -> Briefing:
    """Return the briefing in which alice must hand over, since bob has agreed."""
    signed = agreed()
    return briefing(offer(handing_over=("hacan",)), entries=[signed])


def test_after_a_crash_nobody_is_asked_anew() -> None:
    """What the last process was working on is planned from entries that were planned before."""
    again = replace(handing_over(), after=9)
    assert desired(planned(handing_over()))[OWN].anchor == "9"
    assert OWN not in desired(planned(again))
    kept = desired(planned(again, sent(OWN, 78)))[OWN]
    assert (kept.anchor, kept.wanted) == (None, False)


def test_but_what_was_being_sent_is_sent() -> None:
    own = PersonalOffer(1, "poster", ALICE)
    again, sending = replace(handing_over(), after=9), Life(own, stage="sending", entry=9)
    assert desired(planned(again, sending))[own].wanted
    assert not desired(planned(again, replace(sending, message_id=5, stage="shown")))[own].wanted


def test_that_the_other_side_handed_over_asks_for_nothing_new() -> None:
    handed = HandedOver(offer=1, seat="hacan", between=("hacan", "sol"), revision=1)
    signed = Signed(
        offer=1, seat="hacan", between=("hacan", "sol"), revision=1, window=3, during=DURING
    )
    waits = offer(handing_over=("sol",))
    theirs = PersonalOffer(1, "addressed", BOB)
    assert desired_at(waits, entries=[entry(handed)])[theirs].anchor is None
    both = briefing(waits, entries=[entry(signed, seq=8), entry(handed)])
    assert desired(planned(both))[theirs].anchor == "9"


def test_a_poster_is_told_of_those_who_accepted() -> None:
    accepted = agreed()
    brief = briefing(offer(to=None, takers=("sol", "letnev")), entries=[accepted])
    assert desired(planned(brief))[PersonalOffer(1, "poster", ALICE)].wanted


def done(*, confirmed: bool = False) -> Briefing:
    """Return the briefing about a transaction that bob has completed."""
    return briefing(
        offer(status="resolved", transaction=4), entries=[entry(traded(confirmed=confirmed), by=2)]
    )


def test_for_the_person_who_completed_it_the_card_becomes_the_receipt() -> None:
    steps = desired(planned(done(), *SENT_TO_BOTH))
    assert "✅ You got" in words(steps[THEIRS].card)
    assert "✅ You got" not in words(steps[OWN].card)


@pytest.mark.parametrize("subject", [THEIRS, ToConfirm(1, BOB)])
def test_a_receipt_rests_unless_the_bot_was_thrown_out_before_it_was_there(
    subject: Subject,
) -> None:
    """An edit that was lost, and then the server: at the next invitation the old buttons must still
    go.
    """
    later, there = briefing(offer(status="resolved", transaction=4)), sent(subject, channel_id=77)
    behind = replace(there, stage="given_up", reason=NO_LONGER_THERE)
    assert subject not in {step.subject for step in planned(later, there)}
    assert subject in {step.subject for step in planned(later, behind)}


# ---------------------------------------------------------------- confirming


def test_there_is_one_receipt() -> None:
    """The question that was answered is the one, if there was a question."""
    steps = planned(done(confirmed=True), sent(ToConfirm(1, BOB), channel_id=77), *SENT_TO_BOTH)
    [retired] = of(Retired, steps)
    assert retired.subject == ToConfirm(1, BOB)
    told = (words(retired.card), words(desired(steps)[THEIRS].card))
    assert ["✅ You got" in each for each in told] == [True, False]


def test_there_is_no_second_receipt_once_the_question_is_forgotten() -> None:
    """A process that ended between the two messages must not leave its successor another answer."""
    steps = desired(
        planned(done(confirmed=True), sent(PersonalOffer(1, "addressed", BOB), channel_id=77))
    )
    assert "✅ You got" not in words(steps[PersonalOffer(1, "addressed", BOB)].card)


def test_those_who_have_agreed_are_asked_to_confirm_with_a_message_of_its_own() -> None:
    steps = planned(briefing(offer(agreed_by_both=True, confirming=("hacan", "sol"))))
    asked = desired(steps)[ToConfirm(1, ALICE)]
    assert asked.place == DirectMessages(ALICE)
    assert asked.wanted
    assert asked.priority == Priority.ACT
    assert asked.anchor == "1.3"  # the revision, and the window in which it can be confirmed
    assert ToConfirm(1, BOB) in desired(steps)
    assert ToConfirm(1, CAROL) not in desired(steps)


def test_they_are_asked_anew_in_another_window() -> None:
    first = briefing(offer(confirming=("hacan",)))
    seat = first.seats["hacan"]
    moved = replace(seat, view=replace(seat.view, window=replace(seat.view.window, number=4)))
    later = replace(first, seats={**first.seats, "hacan": moved})
    asked = [
        desired(planned(brief, sent(ToConfirm(1, ALICE))))[ToConfirm(1, ALICE)]
        for brief in (first, first, later)
    ]
    assert [each.anchor for each in asked] == ["1.3", "1.3", "1.4"]


def test_when_the_time_has_passed_the_question_loses_its_buttons() -> None:
    steps = planned(briefing(offer()), sent(ToConfirm(1, ALICE), channel_id=77))
    [retired] = of(Retired, steps)
    assert retired.subject == ToConfirm(1, ALICE)
    assert "Not possible now" in words(retired.card)
    assert of(Retired, planned(briefing(offer()))) == []


def test_of_a_private_offer_others_read_only_that_there_is_something() -> None:
    steps = planned(briefing(offer(private=True, confirming=("hacan",))))
    fallback = desired(steps)[ToConfirm(1, ALICE)].fallback
    assert fallback is not None
    assert "trade good" not in words(fallback.card)


def test_a_private_offer_leaves_no_trace_where_others_read() -> None:
    steps = desired_at(offer(private=True), entries=[entry(posted())])
    assert OfferCard(1) not in steps
    theirs = steps[PersonalOffer(1, "addressed", BOB)]
    assert theirs.fallback is not None
    assert "private for you" in words(theirs.fallback.card)
    assert "trade good" not in words(theirs.fallback.card)


def test_a_public_card_of_an_offer_that_became_private_is_kept_up_to_date() -> None:
    steps = desired_at(offer(private=True), shown=[sent(OfferCard(1))])
    assert labels(steps[OfferCard(1)].card) == ["Show me"]


def test_a_person_who_left_their_seat_has_nothing_to_press() -> None:
    former = 99
    old = sent(PersonalOffer(1, "addressed", former), channel_id=77)
    [retired] = of(Retired, planned(briefing(offer()), old))
    assert retired.subject == old.subject
    assert retired.card.rows == ()


def test_cards_of_other_offers_are_left_alone() -> None:
    assert of(Retired, planned(briefing(offer()), sent(PersonalOffer(12, "poster", ALICE)))) == []


def test_those_who_accepted_an_offer_that_another_one_got_are_told_once() -> None:
    missed = offer(status="resolved", missed=("letnev",), transaction=4)
    told = desired_at(missed, entries=[entry(traded())])[NotChosen(1, CAROL)]
    assert (told.fallback, told.final, told.entry) == (None, True, 9)
    assert NotChosen(1, CAROL) not in desired_at(missed)


def test_a_successor_of_one_who_accepted_missed_nothing() -> None:
    """Somebody else had carol's seat when another one was picked."""
    missed = offer(status="resolved", missed=("letnev",), transaction=4)
    done = entry(traded(), names=replace(NAMES, holders={**NAMES.holders, "letnev": 9}))
    assert NotChosen(1, CAROL) not in desired_at(missed, entries=[done])


# ---------------------------------------------------------------- negotiations


def room(*, opened: bool, private: bool = True) -> TableView:
    seen = replace(table("hacan", [offer(private=private, negotiation=2)]), seat=None)
    talks = NegotiationView(
        1, 2, "hacan", "sol", "the planet", opened, (), Press(1, CloseNegotiation(2))
    )
    return replace(seen, negotiations={2: talks})


def test_a_negotiation_has_a_thread_with_a_summary() -> None:
    steps = planned(briefing(rooms={2: room(opened=True)}))
    assert of(OpenThread, steps) == [
        OpenThread(NegotiationThread(2), "alice and bob: the planet", (ALICE, BOB))
    ]
    assert desired(steps)[NegotiationSummary(2)].place == NegotiationRoom(2)


def test_its_offers_are_shown_there() -> None:
    steps = planned(briefing(offer(private=True, negotiation=2), rooms={2: room(opened=True)}))
    assert desired(steps)[OfferCard(1)].place == NegotiationRoom(2)
    theirs = desired(steps)[PersonalOffer(1, "addressed", BOB)]
    assert theirs.fallback is not None
    assert theirs.fallback.place == NegotiationRoom(2)


def test_a_thread_is_opened_once() -> None:
    assert (
        of(
            OpenThread,
            planned(briefing(rooms={2: room(opened=True)}), sent(NegotiationThread(2), 8, "open")),
        )
        == []
    )
    assert (
        of(
            OpenThread,
            planned(briefing(rooms={2: room(opened=True)}), sent(NegotiationThread(2), 0, "none")),
        )
        == []
    )


def test_a_thread_is_archived_after_everything_in_it_was_shown() -> None:
    ended = briefing(
        offer(private=True, negotiation=2, status="void"), rooms={2: room(opened=False)}
    )
    steps = planned(ended, sent(NegotiationThread(2), 8, "open"))
    assert of(ArchiveThread, steps) == [ArchiveThread(NegotiationThread(2))]
    assert steps.index(ArchiveThread(NegotiationThread(2))) > steps.index(
        desired(steps)[NegotiationSummary(2)]
    )
    assert not desired(steps)[NegotiationSummary(2)].wanted
    assert "**Closed.**" in words(desired(steps)[NegotiationSummary(2)].card)
    assert of(ArchiveThread, planned(ended, sent(NegotiationThread(2), 8, "closed"))) == []


# ---------------------------------------------------------------- prompts


def question(*, secret: bool = False, evident: bool = True) -> PromptView:
    answer = LabelledAction("Accept", Press(1, AnswerDeal(1, agreed=True)))
    return PromptView(1, "deal-1", "sol", "Will you?", (answer,), secret=secret, evident=evident)


def test_a_question_is_put_to_its_person() -> None:
    step = desired_at(prompts=[question()])[Prompt("deal-1", BOB)]
    assert (step.place, labels(step.card)) == (DirectMessages(BOB), ["Accept"])


def test_a_question_of_which_others_may_not_know_has_no_ping_and_is_settled_all_the_same() -> None:
    hidden = HiddenPrompt("deal-1", BOB)
    step = desired_at(prompts=[question(secret=True, evident=False)])[hidden]
    assert (step.place, step.fallback) == (DirectMessages(BOB), None)
    [retired] = of(Retired, planned(briefing(), sent(hidden, channel_id=77)))
    assert retired.subject == hidden


def test_of_a_secret_question_others_read_only_that_there_is_one() -> None:
    step = desired_at(prompts=[question(secret=True)])[Prompt("deal-1", BOB)]
    assert step.fallback is not None
    assert "Will you?" not in words(step.fallback.card)


def test_a_question_that_needs_no_answer_any_more_is_retired() -> None:
    settled = sent(Prompt("ti4-replenish", BOB), channel_id=77)
    [retired] = of(Retired, planned(briefing(), settled))
    assert retired.card.rows == ()


def test_a_deal_that_was_answered_stands_on_the_question() -> None:
    """It is edited as its two say whether it was kept; where others read the question, they are not
    told.
    """
    asked = sent(Prompt("deal-1", BOB, deal=1), channel_id=77)
    kept = desired_at(deals=[deal(status="agreed")], shown=[asked])[asked.subject]
    assert (kept.wanted, kept.final) == (False, False)
    assert "peace" in words(kept.card)
    assert kept.fallback is not None
    assert "peace" not in words(kept.fallback.card)
    assert asked.subject not in {step.subject for step in planned(briefing(), asked)}
    marked = deal(status="agreed", marks={"hacan": "kept", "sol": "broken"})
    assert desired_at(deals=[marked], shown=[asked])[asked.subject].final


def test_a_question_shows_the_same_whether_the_newer_message_is_still_known_or_forgotten() -> None:
    """The newer message of a deal that is over is forgotten once it is sent."""
    asked, newer = (
        sent(Prompt("deal-1", BOB, deal=1), channel_id=77),
        sent(DealCard(1, BOB), channel_id=77),
    )
    agreed = deal(status="agreed")
    assert "newer message" in words(
        desired_at(deals=[agreed], shown=[asked, newer])[asked.subject].card
    )
    over = deal(status="agreed", marks={"hacan": "kept", "sol": "kept"})
    cards = [
        desired_at(deals=[over], shown=shown)[asked.subject].card
        for shown in ([asked, newer], [asked])
    ]
    assert cards[0] == cards[1]


def test_a_deal_said_in_private_has_no_card_in_the_channel() -> None:
    assert desired_at(deals=[deal()])[PublicDeal(1)].wanted
    assert PublicDeal(1) not in desired_at(deals=[deal(private=True)])


def test_who_left_has_no_deal_to_press() -> None:
    old = sent(DealCard(1, 99), channel_id=77)
    [retired] = of(Retired, planned(briefing(deals=[deal(status="agreed")]), old))
    assert retired.subject == old.subject
    assert (
        of(
            Retired,
            planned(
                briefing(deals=[deal(status="agreed")]), sent(DealCard(1, ALICE), channel_id=77)
            ),
        )
        == []
    )


# ---------------------------------------------------------------- news


def test_what_happened_is_announced_first() -> None:
    rung = entry(PhaseSet(phase="status", window=4), by=None)
    first, *_ = planned(briefing(offer(), entries=[rung]))
    assert isinstance(first, Desired)
    assert (first.subject, first.place) == (Headlines(9), TableChannel())
    assert (first.priority, first.final, first.entry) == (Priority.BELL, True, 9)


def test_only_what_the_clock_brought_has_a_frame() -> None:
    """What somebody typed or pressed is answered with the very message."""
    rung = entry(PhaseSet(phase="status", window=4), by=None)
    assert not desired_at(entries=[rung])[Headlines(9)].card.plain
    assert desired_at(entries=[replace(rung, by=1)])[Headlines(9)].card.plain


def test_what_one_command_brought_is_announced_at_once() -> None:
    entries = [
        entry(PhaseSet(phase=phase, window=4), seq=seq)
        for seq, phase in ((8, "status"), (9, "agenda"))
    ]
    brief = briefing(entries=entries)
    together = desired(planned(replace(brief, commands={8: 8, 9: 8})))
    assert [subject for subject in together if isinstance(subject, Headlines)] == [Headlines(8)]
    *lines, head = words(together[Headlines(8)].card).splitlines()
    assert (len(lines), head) == (2, f"-# Ledger `#9 {'0' * 20}`"), "the last phase that began"
    apart = desired(planned(replace(brief, commands={8: 8, 9: 9})))
    assert [subject for subject in apart if isinstance(subject, Headlines)] == [
        Headlines(8),
        Headlines(9),
    ]


def test_a_correction_with_a_reason_has_a_card_and_no_headline() -> None:
    assert Headlines(9) not in desired_at(entries=[entry(Corrected(seat="sol", reason="typo"))])


def test_the_one_who_did_not_press_is_told_the_result() -> None:
    steps = desired_at(entries=[entry(traded(), by=2)])
    assert Result(4, ALICE) in steps
    assert Result(4, BOB) not in steps
    fallback = steps[Result(4, ALICE)].fallback
    assert fallback is not None
    assert "trade good" not in words(fallback.card)


def test_a_successor_in_the_seat_learns_nothing_of_it() -> None:
    brief = briefing(entries=[entry(traded(), by=2)])
    seat = brief.seats["hacan"]
    later = replace(
        seat, user_id=99, entries=tuple(replace(each, mine=frozenset()) for each in seat.entries)
    )
    assert Result(4, 99) not in desired(
        planned(replace(brief, seats={**brief.seats, "hacan": later}))
    )


def test_what_was_negotiated_in_private_is_told_to_all_when_it_resolves() -> None:
    assert TransactionCard(4) in desired_at(entries=[entry(traded(negotiation=2))])
    assert TransactionCard(4) not in desired_at(entries=[entry(traded())])


def test_follow_ups_are_told_to_the_seat_they_are_for_alone() -> None:
    told = (
        FollowUpView("sol", "one", True),
        FollowUpView("sol", "two", True),
        FollowUpView("letnev", "three", True),
    )
    steps = desired_at(entries=[entry(Corrected(seat="sol"), follow_ups=told)])
    found = [subject for subject in steps if isinstance(subject, FollowUp)]
    assert found == [FollowUp(9, 0, BOB), FollowUp(9, 1, BOB), FollowUp(9, 0, CAROL)]
    assert all(steps[subject].fallback for subject in found)


def test_what_a_trade_brings_is_a_line_of_its_receipt_unless_it_asks() -> None:
    asks = FollowUpView(
        "sol", "two", True, (LabelledAction("Answer", Press(1, AnswerDeal(1, agreed=True))),)
    )
    told = (FollowUpView("sol", "one", True), asks)
    steps = desired_at(entries=[entry(traded(), by=1, follow_ups=told)])
    assert [subject for subject in steps if isinstance(subject, FollowUp)] == [FollowUp(9, 0, BOB)]
    assert "one" in "".join(steps[Result(4, BOB)].card.blocks)
    assert "two" in "".join(steps[FollowUp(9, 0, BOB)].card.blocks)


def test_a_follow_up_of_which_others_may_not_know_has_no_ping() -> None:
    told = (FollowUpView("sol", "a hand"), FollowUpView("sol", "what everybody sees", True))
    steps = desired_at(entries=[entry(Corrected(seat="sol"), follow_ups=told)])
    found = [subject for subject in steps if isinstance(subject, FollowUp | HiddenFollowUp)]
    assert found == [FollowUp(9, 0, BOB), HiddenFollowUp(9, 0, BOB)]
    assert steps[HiddenFollowUp(9, 0, BOB)].fallback is None


def test_the_person_who_proposed_a_deal_learns_the_answer() -> None:
    said = entry(DealAnswered(deal=1, seat="sol", other="hacan", agreed=True, binding=False), by=2)
    step = desired_at(entries=[said], deals=[deal(status="agreed")])[DealCard(1, ALICE)]
    assert step.fallback is None
    empty = briefing(entries=[said], deals=[deal(status="agreed")], empty=["hacan"])
    assert DealCard(1, ALICE) not in desired(planned(empty))


def test_a_successor_of_the_person_who_proposed_a_deal_does_not() -> None:
    """When the answer is delivered late, somebody else may have the seat."""
    said = entry(DealAnswered(deal=1, seat="sol", other="hacan", agreed=True, binding=False), by=2)
    steps = desired_at(entries=[said], deals=[deal(status="agreed", mine=False)])
    assert DealCard(1, ALICE) not in steps


def test_a_correction_is_told_with_its_reason() -> None:
    assert Correction(9) in desired_at(entries=[entry(Corrected(seat="sol", reason="typo"))])
    assert Correction(9) not in desired_at(entries=[entry(Corrected(seat="sol"))])


def test_the_head_of_the_chain_is_told_when_the_table_closes() -> None:
    assert ChainHead(9) in desired_at(entries=[entry(TableClosed())])


# ---------------------------------------------------------------- the board


def test_the_board_moves_down_with_each_window() -> None:
    brief = briefing()

    def board(**changes: object) -> Desired:
        return desired(planned(replace(brief, public=replace(brief.public, **changes))))[Board()]  # type: ignore[arg-type]

    assert board().place == TableChannel()
    assert board().wanted
    assert board().anchor == "3"
    assert board(window=replace(brief.public.window, number=4)).anchor == "4"
    assert not board(open=False).wanted
    assert board(open=False).anchor is None


def board_at(
    anchor: str, message: int = 1, *, buried: bool = False
) -> tuple[str | None, tuple[int, ...], Priority]:
    now = Life(Board(), CHANNEL, message, anchor=anchor)
    (step,) = (
        each for each in plan(briefing(), {Board(): now}, buried=buried) if each.subject == Board()
    )
    assert isinstance(step, Desired)
    return step.anchor, step.rings if step.call == "turn" else (), step.priority


def test_the_board_of_a_new_turn_calls_its_player_once() -> None:
    assert desired_at()[Board()].rings == (ALICE,)
    assert board_at("2") == ("3", (ALICE,), Priority.ACT)
    assert board_at("3", message=0) == ("3", (ALICE,), Priority.ACT), "it is being sent"
    assert board_at("3") == ("3", (), Priority.BOARD)


def test_an_edit_keeps_the_mark_of_the_player_whom_the_board_called() -> None:
    steps = plan(briefing(), {Board(): Life(Board(), CHANNEL, 1, anchor="3")})
    [step] = (each for each in steps if each.subject == Board())
    assert isinstance(step, Desired)
    assert (step.call, step.rings) == (None, (ALICE,))


def test_a_buried_board_moves_down_and_calls_nobody() -> None:
    assert board_at("3", buried=True) == ("3~9", (), Priority.BOARD)
    assert board_at("3~9", message=0, buried=True) == ("3~9", (), Priority.BOARD), (
        "it is being sent"
    )
    assert board_at("3~9") == ("3~9", (), Priority.BOARD)
    assert board_at("3~9", buried=True)[0] == "3~9"
    assert board_at("2~8", buried=True) == ("3", (ALICE,), Priority.ACT), (
        "a new window moves it anyway"
    )


def test_the_board_comes_last() -> None:
    steps = planned(
        briefing(offer(), entries=[entry(posted())]), Life(Board(), CHANNEL, 1, anchor="3")
    )
    assert steps[-1].subject == Board()
    assert max(of(Desired, steps), key=lambda step: step.priority).subject == Board()


# ---------------------------------------------------------------- what goes first


def test_what_somebody_must_act_on_goes_first_and_what_is_over_last() -> None:
    steps = desired_at(offer(), entries=[entry(posted())], prompts=[question()])
    assert steps[PersonalOffer(1, "addressed", BOB)].priority == Priority.ACT
    assert steps[Prompt("deal-1", BOB)].priority == Priority.ACT
    assert steps[OfferCard(1)].priority == Priority.CARD
    over = desired_at(offer(status="withdrawn"), shown=SENT_TO_BOTH)
    assert over[OfferCard(1)].priority == over[THEIRS].priority == Priority.LEISURE
    untouched = desired_at(offer(), offer(2), entries=[entry(posted(2))])
    personal = (PersonalOffer(1, "addressed", BOB), PersonalOffer(2, "addressed", BOB))
    assert [untouched[each].priority for each in personal] == [Priority.REFRESH, Priority.ACT]
    unsent = Life(personal[0], stage="sending")
    left = desired_at(offer(), shown=[unsent])
    assert left[personal[0]].priority == Priority.ACT, "what a process that is gone was sending"
    done = desired_at(offer(status="resolved", transaction=4), entries=[entry(traded(), by=2)])
    assert done[Result(4, ALICE)].priority == Priority.NEWS
    assert done[OfferCard(1)].priority == Priority.CARD


def test_what_time_has_ended_goes_before_everything_else() -> None:
    over = desired_at(offer(status="expired"), shown=SENT_TO_BOTH)
    assert over[OfferCard(1)].priority == Priority.BELL
    assert over[THEIRS].priority == Priority.LEISURE
    rung, done = (
        entry(PhaseSet(phase="status", window=4), by=None),
        entry(PhaseSet(phase="status", window=4)),
    )
    told = [planned(briefing(entries=[each]))[0] for each in (rung, done)]
    assert [each.priority for each in told if isinstance(each, Desired)] == [
        Priority.BELL,
        Priority.ACT,
    ]


# ---------------------------------------------------------------- messages in whose place there are


def test_every_message_that_was_replaced_is_closed() -> None:
    old = sent(Replaced(CHANNEL, 12, 0), state="close")
    [closed] = of(Closed, planned(briefing(), old))
    assert closed.subject == old.subject
    assert closed.card.rows == ()
    assert of(Closed, planned(briefing())) == []


@pytest.mark.parametrize("fate", ["sending", "shown"])
def test_a_thread_that_was_being_opened_when_its_negotiation_closed_is_found_and_archived(
    fate: Fate,
) -> None:
    closed = room(opened=False)
    shown = Life(NegotiationThread(2), CHANNEL, stage=fate, entry=5)
    steps = planned(briefing(rooms={2: closed}), shown)
    name = thread_name(closed, closed.negotiations[2])
    assert of(ArchiveThread, steps) == [ArchiveThread(NegotiationThread(2), name)] * (
        fate == "sending"
    )
    assert of(OpenThread, steps) == []
