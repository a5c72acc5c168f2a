"""Tests of the planner: what Discord should show, without Discord."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any, TypeVar

import pytest
from discord.utils import DISCORD_EPOCH

from bot.delivery.desired import (
    ArchiveThread,
    Board,
    ChainHead,
    Closing,
    DealCard,
    Departed,
    Desired,
    FollowUp,
    Headlines,
    HiddenFollowUp,
    HiddenPrompt,
    NegotiationSummary,
    NegotiationThread,
    NotChosen,
    OfferCard,
    OpenThread,
    PersonalOffer,
    Priority,
    Prompt,
    Replaced,
    Result,
    Retired,
    Step,
    Subject,
    TableChannel,
    TakenAway,
    ToConfirm,
    user_of,
)
from bot.delivery.life import NO_LONGER_THERE, OLD, Life, Stage
from bot.delivery.offer_messages import no_longer_undone
from bot.delivery.planner import evening, plan
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
from tests.show.playing import labels_of

NOT_NOW = Violation("94.1", "Not now.", "Later.")
DURING = Period("turn", "action", "hacan")
BETWEEN = ("hacan", "sol")
THEIRS, OWN = PersonalOffer(1, "addressed", BOB), PersonalOffer(1, "poster", ALICE)
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


def sent_by_dm(subject: Subject) -> Life:
    return sent(subject, 77)


def retired(*offers: OfferView, shown: Iterable[Life] = (), **options: Any) -> list[Retired]:
    """Return what is retired at such a table, as in `desired_at`."""
    return of(Retired, planned(briefing(*offers, **options), *shown))


def overheard(step: Desired) -> str:
    """Return what others read in the place of a DM."""
    assert step.fallback is not None
    return words(step.fallback.card)


def words(card: Card) -> str:
    return "\n".join(card.blocks)


def labels(card: Card) -> list[str]:
    return list(chain.from_iterable(labels_of(card)))


def posted(number: int = 1) -> Entry:
    return OfferPosted(offer=number, seat="hacan", to="sol", give=Goods(), want=Goods())


def signed(seat: str) -> Signed:
    return Signed(offer=1, seat=seat, between=BETWEEN, revision=1, window=3, during=DURING)


def traded(**changes: object) -> Transaction:
    good = Goods({"trade_good": 1})
    moved = {"hacan": Change(lost=good), "sol": Change(gained=good)}
    plain = Transaction(
        offer=1,
        number=4,
        revision=1,
        window=3,
        during=DURING,
        first="hacan",
        second="sol",
        given={"hacan": good, "sol": Goods()},
        changes=moved,
    )
    return plain.model_copy(update=changes)


RUNG = entry(PhaseSet(phase="status", window=4), by=None)
PRESSED = replace(RUNG, by=1)
POSTED = entry(posted())
AGREED = entry(signed("sol"), by=2)
"""Bob agrees to offer 1."""
TRADED = entry(traded(), by=2)
RESOLVED = offer(status="resolved", transaction=4)
AGREED_DEAL = deal(status="agreed")


# ---------------------------------------------------------------- offers

BOARD = Life(Board(), CHANNEL, 1, anchor="3")
SENT_TO_BOTH = sent_by_dm(THEIRS), sent_by_dm(OWN)


def test_an_offer_is_shown_to_all_and_to_the_one_who_must_answer() -> None:
    """It asks nothing of its poster."""
    steps = desired_at(offer(), entries=[POSTED])
    assert list(steps) == [OfferCard(1), THEIRS, Board()]
    public, theirs, _board = steps.values()
    assert (public.place, public.wanted) == (TableChannel(), True)
    assert (user_of(theirs), theirs.wanted) == (BOB, True)


def test_what_nobody_wants_and_is_not_there_is_not_made() -> None:
    """A table with many offers would otherwise spend much of a click on cards that are thrown
    away.
    """
    binding = deal(status="binding")
    steps = desired_at(offer(), offer(2), deals=[binding], entries=[POSTED])
    assert all(step.wanted for step in steps.values())


def test_what_is_there_is_kept_up_to_date() -> None:
    steps = desired_at(offer(), shown=SENT_TO_BOTH)
    assert steps[THEIRS].wanted
    assert not steps[OWN].wanted


def test_an_offer_that_is_over_is_only_kept_up_to_date() -> None:
    gone = entry(OfferWithdrawn(offer=1, seat="hacan", between=BETWEEN))
    steps = desired_at(offer(status="withdrawn"), entries=[gone])
    del steps[Board()]
    assert steps
    assert not any(step.wanted for step in steps.values())
    assert all(step.final for step in steps.values())


def test_a_card_is_drawn_again_for_its_reader_for_the_newest_five_offers_and_an_hour() -> None:
    offers = [offer(number, why_not=NOT_NOW) for number in range(1, 8)]
    steps = desired_at(*offers)
    redrawn = []
    for number in range(1, 8):
        if "Not now." in words(steps[PersonalOffer(number, "addressed", BOB)].card):
            redrawn.append(number)
    assert redrawn == [3, 4, 5, 6, 7]
    newest = PersonalOffer(7, "addressed", BOB)
    shown = {newest: sent_by_dm(newest)}
    an_hour_later = desired(plan(briefing(*offers), shown, now=DISCORD_EPOCH + OLD))
    assert "Not now." not in words(an_hour_later[newest].card)


@pytest.mark.parametrize(
    ("anchor", "forgotten"),
    [
        ("3", set()),
        ("3~8", set()),
        ("2", {OfferCard(9)}),
    ],
)
def test_the_record_of_a_trade_is_kept_until_it_can_not_be_taken_back_any_more(
    anchor: str, forgotten: set[Subject]
) -> None:
    board = replace(BOARD, anchor=anchor)
    # the bot was thrown out before it could send this, and brings it with the invitation
    owed = Life(Result(8, BOB), stage="given_up", reason=NO_LONGER_THERE)
    lives = [board, sent(OfferCard(9)), sent_by_dm(THEIRS), owed]
    shown = {life.subject: life for life in lives}
    assert no_longer_undone(briefing(offer()), shown) == forgotten


def test_a_person_who_must_hand_over_is_asked_with_a_new_message() -> None:
    steps = desired_at(offer(handing_over=("hacan",)), entries=[AGREED])
    own = steps[OWN]
    assert own.wanted
    assert own.anchor == "9"
    assert own.priority == Priority.ACT
    assert steps[THEIRS].anchor is None


def test_without_news_nobody_is_asked_anew() -> None:
    steps = desired_at(offer(handing_over=("hacan", "sol")), shown=SENT_TO_BOTH)
    del steps[Board()]
    assert [step.anchor for step in steps.values()] == [None] * 3


def test_a_person_is_not_asked_anew_because_of_what_they_did() -> None:
    steps = desired_at(offer(handing_over=("hacan", "sol")), entries=[AGREED])
    assert steps[THEIRS].anchor is None
    assert steps[OWN].anchor == "9"


def handing_over() -> Briefing:
    """Return the briefing in which alice must hand over, since bob has agreed."""
    return briefing(offer(handing_over=("hacan",)), entries=[AGREED])


def test_after_a_crash_nobody_is_asked_anew() -> None:
    """What the last process was working on is planned from entries that were planned before."""
    again = replace(handing_over(), after=9)
    assert desired(planned(handing_over()))[OWN].anchor == "9"
    assert OWN not in desired(planned(again))
    kept = desired(planned(again, sent(OWN, 78)))[OWN]
    assert (kept.anchor, kept.wanted) == (None, False)


def test_but_what_was_being_sent_is_sent() -> None:
    again = replace(handing_over(), after=9)
    sending = Life(OWN, stage="sending", entry=9)
    shown = replace(sending, message_id=5, stage="shown")
    assert desired(planned(again, sending))[OWN].wanted
    assert not desired(planned(again, shown))[OWN].wanted


def test_that_the_other_side_handed_over_asks_for_nothing_new() -> None:
    handed = entry(HandedOver(offer=1, seat="hacan", between=BETWEEN, revision=1))
    agreed = entry(signed("hacan"), seq=8)
    waits = offer(handing_over=("sol",))
    assert desired_at(waits, entries=[handed])[THEIRS].anchor is None
    assert desired_at(waits, entries=[agreed, handed])[THEIRS].anchor == "9"


def test_a_poster_is_told_of_those_who_accepted() -> None:
    to_all = offer(to=None, takers=("sol", "letnev"))
    assert desired_at(to_all, entries=[AGREED])[OWN].wanted


def done(*, confirmed: bool = False) -> Briefing:
    """Return the briefing about a transaction that bob has completed."""
    return briefing(RESOLVED, entries=[entry(traded(confirmed=confirmed), by=2)])


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
    there = sent_by_dm(subject)
    behind = replace(there, stage="given_up", reason=NO_LONGER_THERE)
    later = briefing(RESOLVED)
    assert subject not in {step.subject for step in planned(later, there)}
    assert subject in {step.subject for step in planned(later, behind)}


# ---------------------------------------------------------------- confirming


def test_there_is_one_receipt() -> None:
    """The question that was answered is the one, if there was a question."""
    asked = sent_by_dm(ToConfirm(1, BOB))
    steps = planned(done(confirmed=True), asked, *SENT_TO_BOTH)
    [answered] = of(Retired, steps)
    assert answered.subject == ToConfirm(1, BOB)
    assert "✅ You got" in words(answered.card)
    assert "✅ You got" not in words(desired(steps)[THEIRS].card)


def test_there_is_no_second_receipt_once_the_question_is_forgotten() -> None:
    """A process that ended between the two messages must not leave its successor another answer."""
    steps = desired(planned(done(confirmed=True), sent_by_dm(THEIRS)))
    assert "✅ You got" not in words(steps[THEIRS].card)


def test_those_who_have_agreed_are_asked_to_confirm_with_a_message_of_its_own() -> None:
    steps = desired_at(offer(agreed_by_both=True, confirming=("hacan", "sol")))
    asked = steps[ToConfirm(1, ALICE)]
    assert user_of(asked) == ALICE
    assert asked.wanted
    assert asked.priority == Priority.ACT
    assert asked.anchor == "1.3"  # the revision, and the window in which it can be confirmed
    assert ToConfirm(1, BOB) in steps
    assert ToConfirm(1, CAROL) not in steps


def test_they_are_asked_anew_in_another_window() -> None:
    first = briefing(offer(confirming=("hacan",)))
    seat = first.seats["hacan"]
    window = replace(seat.view.window, number=4)
    moved = replace(seat, view=replace(seat.view, window=window))
    later = replace(first, seats={**first.seats, "hacan": moved})
    question = ToConfirm(1, ALICE)
    assert desired(planned(first, sent(question)))[question].anchor == "1.3"
    assert desired(planned(later, sent(question)))[question].anchor == "1.4"


def test_when_the_time_has_passed_the_question_loses_its_buttons() -> None:
    [question] = retired(offer(), shown=[sent_by_dm(ToConfirm(1, ALICE))])
    assert question.subject == ToConfirm(1, ALICE)
    assert "Not possible now" in words(question.card)
    assert retired(offer()) == []


def test_a_public_card_of_an_offer_that_became_private_is_kept_up_to_date() -> None:
    steps = desired_at(offer(private=True), shown=[sent(OfferCard(1))])
    assert labels(steps[OfferCard(1)].card) == ["Show me"]


def test_a_private_offer_has_no_card_for_others_and_makes_no_view_of_what_they_read() -> None:
    made = briefing(offer(private=True))
    assert OfferCard(1) not in desired(planned(made))
    assert all("shared_view" not in vars(seat) for seat in made.seats.values())


def test_a_person_who_left_their_seat_has_nothing_to_press() -> None:
    of_former = PersonalOffer(1, "addressed", 99)
    [card] = retired(offer(), shown=[sent_by_dm(of_former)])
    assert card.subject == of_former
    assert card.card.rows == ()


def test_cards_of_other_offers_are_left_alone() -> None:
    another = sent(PersonalOffer(12, "poster", ALICE))
    assert retired(offer(), shown=[another]) == []


def test_those_who_accepted_an_offer_that_another_one_got_are_told_once() -> None:
    missed = offer(status="resolved", missed=("letnev",), transaction=4)
    told = desired_at(missed, entries=[entry(traded())])[NotChosen(1, CAROL)]
    assert told.fallback is None
    assert told.final
    assert told.entry == 9
    assert NotChosen(1, CAROL) not in desired_at(missed)


def test_a_successor_of_one_who_accepted_missed_nothing() -> None:
    """Somebody else had carol's seat when another one was picked."""
    missed = offer(status="resolved", missed=("letnev",), transaction=4)
    then = replace(NAMES, holders={**NAMES.holders, "letnev": 9})
    done = entry(traded(), names=then)
    assert NotChosen(1, CAROL) not in desired_at(missed, entries=[done])


# ---------------------------------------------------------------- negotiations


def room(*, opened: bool, private: bool = True) -> TableView:
    inside = table("hacan", [offer(private=private, negotiation=2)])
    close = Press(1, CloseNegotiation(2))
    talks = NegotiationView(
        table=1, number=2, seat="hacan", other="sol", topic="the planet", open=opened, close=close
    )
    return replace(inside, seat=None, negotiations={2: talks})


OPEN = {2: room(opened=True)}
THREAD = NegotiationThread(2)


@pytest.mark.parametrize(("thread", "state"), [(8, "open"), (0, "none")])
def test_a_thread_is_opened_once(thread: int, state: str) -> None:
    steps = planned(briefing(rooms=OPEN), sent(THREAD, thread, state))
    assert of(OpenThread, steps) == []


@pytest.mark.parametrize("stage", ["new", "sending", "looking", "editing"])
def test_a_thread_that_is_not_open_yet_is_still_to_be_opened(stage: Stage) -> None:
    [opened] = of(OpenThread, planned(briefing(rooms=OPEN)))
    begun = Life(THREAD, CHANNEL, 8 if stage == "editing" else 0, stage=stage)
    assert of(OpenThread, planned(briefing(rooms=OPEN), begun)) == [opened]


def test_a_thread_that_waits_for_an_invitation_is_still_to_be_opened() -> None:
    [opened] = of(OpenThread, planned(briefing(rooms=OPEN)))
    left = Life(THREAD, CHANNEL, stage="given_up", shows="none", reason=NO_LONGER_THERE)
    assert of(OpenThread, planned(briefing(rooms=OPEN), left)) == [opened]


def test_a_thread_is_archived_after_everything_in_it_was_shown() -> None:
    void = offer(private=True, negotiation=2, status="void")
    ended = briefing(void, rooms={2: room(opened=False)})
    steps = planned(ended, sent(THREAD, 8, "open"))
    summary = desired(steps)[NegotiationSummary(2)]
    assert of(ArchiveThread, steps) == [ArchiveThread(THREAD)]
    assert steps.index(ArchiveThread(THREAD)) > steps.index(summary)
    assert not summary.wanted
    assert "**Closed.**" in words(summary.card)
    assert of(ArchiveThread, planned(ended, sent(THREAD, 8, "closed"))) == []


# ---------------------------------------------------------------- prompts


QUESTION = Prompt("deal-1", BOB, deal=1)


def question(*, secret: bool = False, evident: bool = True) -> PromptView:
    answer = LabelledAction("Accept", Press(1, AnswerDeal(1, agreed=True)))
    return PromptView(1, "deal-1", "sol", "Will you?", (answer,), secret=secret, evident=evident)


def test_a_question_of_which_others_may_not_know_has_no_ping_and_is_settled_all_the_same() -> None:
    hidden = HiddenPrompt("deal-1", BOB)
    step = desired_at(prompts=[question(secret=True, evident=False)])[hidden]
    assert (user_of(step), step.fallback) == (BOB, None)
    [settled] = retired(shown=[sent_by_dm(hidden)])
    assert settled.subject == hidden


def test_a_deal_that_was_answered_stands_on_the_question() -> None:
    """It is edited as its two say whether it was kept; where others read the question, they are not
    told.
    """
    asked = sent_by_dm(QUESTION)
    kept = desired_at(deals=[AGREED_DEAL], shown=[asked])[QUESTION]
    assert not kept.wanted
    assert not kept.final
    assert "peace" in words(kept.card)
    assert "peace" not in overheard(kept)
    assert QUESTION not in {step.subject for step in planned(briefing(), asked)}
    marked = deal(status="agreed", marks={"hacan": "kept", "sol": "broken"})
    assert desired_at(deals=[marked], shown=[asked])[QUESTION].final


def test_a_question_shows_the_same_whether_the_newer_message_is_still_known_or_forgotten() -> None:
    """The newer message of a deal that is over is forgotten once it is sent."""
    asked, newer = sent_by_dm(QUESTION), sent_by_dm(DealCard(1, BOB))
    agreed = desired_at(deals=[AGREED_DEAL], shown=[asked, newer])
    assert QUESTION not in agreed, "it is taken away"
    over = deal(status="agreed", marks={"hacan": "kept", "sol": "kept"})
    known = desired_at(deals=[over], shown=[asked, newer])
    forgotten = desired_at(deals=[over], shown=[asked])
    assert known[QUESTION].card == forgotten[QUESTION].card


def test_who_left_has_no_deal_to_press() -> None:
    of_former, of_alice = sent_by_dm(DealCard(1, 99)), sent_by_dm(DealCard(1, ALICE))
    [card] = retired(deals=[AGREED_DEAL], shown=[of_former])
    assert card.subject == DealCard(1, 99)
    assert retired(deals=[AGREED_DEAL], shown=[of_alice]) == []


# ---------------------------------------------------------------- news


def test_what_happened_is_announced_first() -> None:
    first, *_ = planned(briefing(offer(), entries=[RUNG]))
    assert isinstance(first, Desired)
    assert first.subject == Headlines(9)
    assert first.place == TableChannel()
    assert first.priority == Priority.BELL
    assert first.final
    assert first.entry == 9


def test_only_what_the_clock_brought_has_a_frame() -> None:
    """What somebody typed or pressed is answered with the very message."""
    by_clock, by_alice = desired_at(entries=[RUNG]), desired_at(entries=[PRESSED])
    assert not by_clock[Headlines(9)].card.plain
    assert by_alice[Headlines(9)].card.plain


def test_a_phase_that_the_board_shows_is_no_message() -> None:
    status = entry(PhaseSet(phase="status", window=4), seq=8)
    agenda = entry(PhaseSet(phase="agenda", window=4), seq=9)
    steps = desired(planned(briefing(entries=[status, agenda])))
    assert Headlines(9) not in steps
    *_, head = words(steps[Headlines(8)].card).splitlines()
    assert head == f"-# Ledger `#8 {'0' * 20}`", "once a round, with the head of that moment"


def test_what_one_command_brought_is_announced_at_once() -> None:
    status = PhaseSet(phase="status", window=4)
    brief = briefing(entries=[entry(status, seq=8), entry(status, seq=9)])
    together = desired(planned(replace(brief, commands={8: 8, 9: 8})))
    assert Headlines(9) not in together
    *lines, head = words(together[Headlines(8)].card).splitlines()
    assert (len(lines), head) == (2, f"-# Ledger `#9 {'0' * 20}`"), "the last phase that began"
    apart = desired(planned(replace(brief, commands={8: 8, 9: 9})))
    assert {Headlines(8), Headlines(9)} <= apart.keys()


def test_a_successor_in_the_seat_learns_nothing_of_it() -> None:
    brief = briefing(entries=[TRADED])
    seat = brief.seats["hacan"]
    entries = tuple(replace(each, mine=frozenset()) for each in seat.entries)
    successor = replace(seat, user_id=99, entries=entries)
    later = replace(brief, seats={**brief.seats, "hacan": successor})
    assert Result(4, 99) not in desired(planned(later))


def test_follow_ups_are_told_to_the_seat_they_are_for_alone() -> None:
    told = (
        FollowUpView("sol", "one", True),
        FollowUpView("sol", "two", True),
        FollowUpView("letnev", "three", True),
    )
    steps = desired_at(entries=[entry(Corrected(seat="sol"), follow_ups=told)])
    follow_ups = [subject for subject in steps if isinstance(subject, FollowUp)]
    assert follow_ups == [
        FollowUp(9, 0, BOB),
        FollowUp(9, 1, BOB),
        FollowUp(9, 0, CAROL),
    ]
    assert all(steps[subject].fallback for subject in follow_ups)


def test_what_a_trade_brings_is_a_line_of_its_receipt_unless_it_asks() -> None:
    answer = LabelledAction("Answer", Press(1, AnswerDeal(1, agreed=True)))
    asks = FollowUpView("sol", "two", True, (answer,))
    told = (FollowUpView("sol", "one", True), asks)
    steps = desired_at(entries=[entry(traded(), by=1, follow_ups=told)])
    assert FollowUp(9, 1, BOB) not in steps
    assert "one" in words(steps[Result(4, BOB)].card)
    assert "two" in words(steps[FollowUp(9, 0, BOB)].card)


def test_a_follow_up_of_which_others_may_not_know_has_no_ping() -> None:
    told = (FollowUpView("sol", "a hand"), FollowUpView("sol", "what everybody sees", True))
    steps = desired_at(entries=[entry(Corrected(seat="sol"), follow_ups=told)])
    assert "what everybody sees" in words(steps[FollowUp(9, 0, BOB)].card)
    assert "a hand" in words(steps[HiddenFollowUp(9, 0, BOB)].card)
    assert steps[HiddenFollowUp(9, 0, BOB)].fallback is None


ANSWER = DealAnswered(deal=1, seat="sol", other="hacan", agreed=True, binding=False)
ANSWERED = entry(ANSWER, by=2)


def test_the_person_who_proposed_a_deal_learns_the_answer() -> None:
    steps = desired_at(entries=[ANSWERED], deals=[AGREED_DEAL])
    assert steps[DealCard(1, ALICE)].fallback is None
    left = desired_at(entries=[ANSWERED], deals=[AGREED_DEAL], empty=["hacan"])
    assert DealCard(1, ALICE) not in left


def test_a_successor_of_the_person_who_proposed_a_deal_does_not() -> None:
    """When the answer is delivered late, somebody else may have the seat."""
    of_another = replace(AGREED_DEAL, mine=False)
    steps = desired_at(entries=[ANSWERED], deals=[of_another])
    assert DealCard(1, ALICE) not in steps


def test_one_silent_message_says_who_has_left_the_server_and_who_waits_for_them() -> None:
    offers = offer(1), offer(2, private=True)
    step = desired(plan(briefing(*offers), {}, departed={BOB}))[Departed(BOB)]
    assert (step.place, step.call, step.rings) == (TableChannel(), None, ())
    assert "**bob (Sol)** has left this server" in words(step.card)
    assert "alice waits for their answer to" in words(step.card)
    assert words(step.card).count("waits for") == 1, "of a private offer it says nothing"


@pytest.mark.parametrize("departed", [{CAROL}, set[int]()])
def test_it_goes_when_they_are_back_or_another_has_their_seat(departed: set[int]) -> None:
    shown = {Departed(BOB): sent(Departed(BOB), state="shown")}
    steps = plan(briefing(), shown, departed=departed)
    assert TakenAway(Departed(BOB)) in steps


def test_one_message_says_that_the_table_is_closed_with_the_head_of_the_chain() -> None:
    brief = briefing(entries=[entry(TableClosed())])
    brief = replace(brief, open=False, public=replace(brief.public, open=False))
    shown = [sent(each, state="shown") for each in (Board(), Closing())]
    steps = planned(brief, *shown)
    assert {each.subject for each in of(TakenAway, steps)} >= {Board(), Closing()}
    assert ChainHead(9) not in desired(steps)
    [news] = evening(brief)
    assert isinstance(news, Desired)
    assert "-# Ledger `#9 " in words(news.card)
    assert len(news.card.rows[0]) == 2, "the same table again, and a reminder"


# ---------------------------------------------------------------- the board


def board_at(
    anchor: str, message: int = 1, *, buried: bool = False
) -> tuple[str | None, tuple[int, ...], Priority]:
    shown = {Board(): replace(BOARD, message_id=message, anchor=anchor)}
    step = desired(plan(briefing(), shown, buried=buried))[Board()]
    return step.anchor, step.rings if step.call == "turn" else (), step.priority


def test_the_board_of_a_new_turn_calls_its_player_once() -> None:
    assert desired_at()[Board()].rings == (ALICE,)
    assert board_at("2") == ("3", (ALICE,), Priority.ACT)
    assert board_at("3", message=0) == ("3", (ALICE,), Priority.ACT), "it is being sent"
    assert board_at("3") == ("3", (), Priority.BOARD)


def test_an_edit_keeps_the_mark_of_the_player_whom_the_board_called() -> None:
    step = desired_at(shown=[BOARD])[Board()]
    assert step.call is None
    assert step.rings == (ALICE,)


def test_a_buried_board_moves_down_and_calls_nobody() -> None:
    assert board_at("3", buried=True) == ("3~9", (), Priority.BOARD)
    being_sent = board_at("3~9", message=0, buried=True)
    assert being_sent == ("3~9", (), Priority.BOARD)
    assert board_at("3~9") == ("3~9", (), Priority.BOARD)
    assert board_at("3~9", buried=True)[0] == "3~9"
    assert board_at("2~8", buried=True) == ("3", (ALICE,), Priority.ACT), (
        "a new window moves it anyway"
    )


def test_the_board_comes_last() -> None:
    steps = planned(briefing(offer(), entries=[POSTED]), BOARD)
    assert steps[-1].subject == Board()
    priorities = [step.priority for step in of(Desired, steps)]
    assert priorities[-1] == max(priorities)


# ---------------------------------------------------------------- what goes first


def test_what_somebody_must_act_on_goes_first_and_what_is_over_last() -> None:
    steps = desired_at(offer(), entries=[POSTED], prompts=[question()])
    assert steps[THEIRS].priority == Priority.ACT
    assert steps[Prompt("deal-1", BOB)].priority == Priority.ACT
    assert steps[OfferCard(1)].priority == Priority.CARD
    over = desired_at(offer(status="withdrawn"), shown=SENT_TO_BOTH)
    assert over[OfferCard(1)].priority == over[THEIRS].priority == Priority.LEISURE
    done = desired_at(RESOLVED, entries=[TRADED])
    assert done[Result(4, ALICE)].priority == Priority.NEWS
    assert done[OfferCard(1)].priority == Priority.CARD


def test_what_nobody_touched_goes_after_what_is_new() -> None:
    second = entry(posted(2))
    steps = desired_at(offer(), offer(2), entries=[second])
    assert steps[THEIRS].priority == Priority.REFRESH
    assert steps[PersonalOffer(2, "addressed", BOB)].priority == Priority.ACT


def test_what_a_process_that_is_gone_was_sending_goes_first() -> None:
    unsent = Life(THEIRS, stage="sending")
    assert desired_at(offer(), shown=[unsent])[THEIRS].priority == Priority.ACT


def test_what_time_has_ended_goes_before_everything_else() -> None:
    over = desired_at(offer(status="expired"), shown=SENT_TO_BOTH)
    assert over[OfferCard(1)].priority == Priority.BELL
    assert over[THEIRS].priority == Priority.LEISURE
    assert desired_at(entries=[RUNG])[Headlines(9)].priority == Priority.BELL
    assert desired_at(entries=[PRESSED])[Headlines(9)].priority == Priority.ACT


# ---------------------------------------------------------------- messages in whose place there are


def test_every_message_that_was_replaced_is_deleted() -> None:
    old = sent(Replaced(CHANNEL, 12, 0), state="close")
    assert TakenAway(old.subject) in planned(briefing(), old)
    assert of(TakenAway, planned(briefing())) == []


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
