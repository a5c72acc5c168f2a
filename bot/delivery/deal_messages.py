"""Plans the messages about deals.

A deal has a card in the channel, a question to the other party, and news for each party.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.delivery.desired import (
    DealCard,
    Desired,
    Fallback,
    Priority,
    Prompt,
    PublicDeal,
    Retired,
    Step,
    Subject,
    TableChannel,
    TakenAway,
)
from bot.delivery.life import Life
from bot.rules.features.deals import DealAnswered, DealMarked
from bot.service import Briefing, SeatBriefing
from bot.show.deals import deal_card
from bot.show.notices import settled_card


def deals(briefing: Briefing, shown: Mapping[Subject, Life]) -> Iterator[Step]:
    """Plan the messages about deals that wait for an answer, or that the entries concern.

    The question to the other party is planned with the prompts until it is answered. A person gets
    a DM only about what the other party answered or marked; /deal list shows it too.
    """
    yield from _public(briefing, shown)
    seats = list(briefing.seats.values())
    for seat in seats:
        yield from _own(briefing, shown, seat)
    seated = {seat.user_id for seat in seats}
    asked = set[tuple[int, str]]()
    for seat in seats:
        asked.update((seat.user_id, prompt.key) for prompt in seat.view.prompts)
    for subject in shown:
        if isinstance(subject, DealCard):
            if subject.user not in seated:
                settled = settled_card(briefing.public)
                yield Retired(subject, settled, settled)
        elif not isinstance(subject, Prompt) or subject.deal is None:
            continue
        elif (subject.user, subject.key) not in asked:
            yield from _answered(briefing, shown, subject, subject.deal)


def _public(briefing: Briefing, shown: Mapping[Subject, Life]) -> Iterator[Desired]:
    for deal in briefing.public.deals.values():
        subject = PublicDeal(deal.number)
        wanted = deal.status == "proposed" and briefing.open
        if not deal.private and (wanted or subject in shown):  # it was proposed in public
            card = deal_card(briefing.public, deal)
            yield Desired(subject, card, wanted=wanted, final=deal.over)


def _own(
    briefing: Briefing, shown: Mapping[Subject, Life], seat: SeatBriefing
) -> Iterator[Desired]:
    for deal in seat.view.deals.values():
        if not deal.mine:
            continue
        subject = DealCard(deal.number, seat.user_id)
        news = _last_news(briefing, seat, deal.number)
        if news is not None or subject in shown:
            yield Desired(
                subject,
                deal_card(seat.view, deal),
                wanted=news is not None,
                anchor=None if news is None else str(news),
                priority=Priority.NEWS,
                final=deal.over,
                entry=news or 0,
            )


def _last_news(briefing: Briefing, seat: SeatBriefing, deal: int) -> int | None:
    """Return the last new entry in which the other party answered or marked a deal, or None."""
    for entry in reversed(seat.entries):
        if entry.seq <= briefing.after or entry.by == seat.person:
            continue
        if isinstance(entry.entry, DealAnswered | DealMarked) and entry.entry.deal == deal:
            return entry.seq
    return None


def _answered(
    briefing: Briefing, shown: Mapping[Subject, Life], subject: Prompt, number: int
) -> Iterator[Step]:
    """Plan an answered prompt: it becomes the deal's card for the person who was asked."""
    settled = settled_card(briefing.public)
    seats = [seat for seat in briefing.seats.values() if seat.user_id == subject.user]
    if not seats:
        yield Retired(subject, settled, settled)
        return
    seat = seats[0]
    deal = seat.view.deals.get(number)
    if deal is None:
        return
    if not deal.mine:
        yield Retired(subject, settled, settled)
        return
    # The newer message of a deal that is over is forgotten, so nothing may depend on it.
    if not deal.over:
        newer = DealCard(number, subject.user)
        if newer in shown or _last_news(briefing, seat, number) is not None:
            yield TakenAway(subject)
            return
    yield Desired(
        subject,
        deal_card(seat.view, deal),
        wanted=False,
        final=deal.over,
        fallback=Fallback(TableChannel(), settled),
    )
