"""Plans the messages about deals: the card in the channel, the question to the other party, and the news for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from bot.delivery.desired import Desired, DirectMessages, Fallback, Priority, Retired, Step, TableChannel
from bot.delivery.messages import Shown
from bot.delivery.subjects import DealCard, HiddenPrompt, Prompt, PublicDeal, Subject
from bot.rules.features.deals import DealAnswered, DealMarked
from bot.rules.views import DealView
from bot.service import Briefing, SeatBriefing
from bot.show.deals import deal_card
from bot.show.prompts import replaced_card, settled_card


def deals(briefing: Briefing, shown: Mapping[Subject, Shown]) -> Iterator[Step]:
    """Plan the messages about deals that wait for an answer, and about those that the entries concern.

    The question to the other party is planned with the prompts until it is answered.
    """
    yield from _public(briefing)
    told = [step for seat in briefing.seats.values() for step in _news(briefing, seat)]
    yield from told
    kept = {step.subject for step in told}
    for subject in shown:
        if isinstance(subject, DealCard) and subject not in kept:
            yield from _of_who_left(briefing, subject)
        if isinstance(subject, Prompt) and is_about_deal(subject):
            yield from _answered(briefing, subject)


def is_about_deal(subject: Prompt | HiddenPrompt) -> bool:
    """Return whether a prompt asks a person to agree to a deal."""
    return isinstance(subject, Prompt) and subject.deal is not None


def _public(briefing: Briefing) -> Iterator[Desired]:
    """Plan the card in the channel for each deal that was proposed in public."""
    for deal in briefing.public.deals.values():
        if not deal.private:
            card, proposed = deal_card(briefing.public, deal), deal.status == "proposed"
            yield Desired(
                PublicDeal(deal.number), TableChannel(), card, wanted=proposed and briefing.open, final=deal.over
            )


def _news(briefing: Briefing, seat: SeatBriefing) -> Iterator[Desired]:
    """Tell a person by DM only what the other party answered or marked; /deal list shows it too."""
    for deal in seat.view.deals.values():
        if deal.mine:
            told = _told(briefing, seat, deal)
            yield Desired(
                DealCard(deal.number, seat.user_id), DirectMessages(seat.user_id), deal_card(seat.view, deal),
                wanted=told is not None, anchor=None if told is None else str(told), priority=Priority.NEWS,
                final=deal.over, entry=told or 0,
            )  # fmt: skip


def _told(briefing: Briefing, seat: SeatBriefing, deal: DealView) -> int | None:
    """Return the last new entry in which the other party answered or marked a deal; None when there is none."""
    said = [
        each.seq
        for each in seat.entries
        if isinstance(each.entry, DealAnswered | DealMarked)
        and each.entry.deal == deal.number
        and each.seq > briefing.after
        and each.by != seat.person
    ]
    return max(said, default=None)


def _answered(briefing: Briefing, subject: Prompt) -> Iterator[Step]:
    """Plan an answered prompt: it becomes the deal's card for the person who was asked."""
    seat = next((each for each in briefing.seats.values() if each.user_id == subject.user), None)
    deal = seat.view.deals.get(subject.deal or 0) if seat else None
    asked = seat is not None and any(prompt.key == subject.key for prompt in seat.view.prompts)
    settled = settled_card(briefing.public)
    if seat is None or (deal is not None and not deal.mine):
        yield Retired(subject, settled, settled)
    elif deal is not None and not asked:
        yield Desired(
            subject, DirectMessages(subject.user), deal_card(seat.view, deal), wanted=False, final=deal.over,
            fallback=Fallback(TableChannel(), settled, partial(replaced_card, seat.view)),
        )  # fmt: skip


def _of_who_left(briefing: Briefing, subject: DealCard) -> Iterator[Retired]:
    """Remove the buttons for a person who no longer holds the seat."""
    if all(seat.user_id != subject.user for seat in briefing.seats.values()):
        settled = settled_card(briefing.public)
        yield Retired(subject, settled, settled)
