"""The planner: what Discord should show of a table, as a pure function of a briefing.

Each step is about one message or thread and succeeds or fails alone, so their order only says what begins first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from bot.delivery.answers import answers
from bot.delivery.deals import deals, is_about_deal
from bot.delivery.desired import (
    ArchiveThread,
    Closed,
    Desired,
    DirectMessages,
    Fallback,
    NegotiationRoom,
    OpenThread,
    Place,
    Priority,
    Retired,
    Step,
    TableChannel,
)
from bot.delivery.headlines import headlines
from bot.delivery.messages import Shown
from bot.delivery.offers import offers
from bot.delivery.subjects import (
    Board,
    ChainHead,
    Correction,
    FollowUp,
    HiddenFollowUp,
    HiddenPrompt,
    NegotiationSummary,
    NegotiationThread,
    Prompt,
    Replaced,
    Result,
    SetUp,
    Subject,
    TransactionCard,
)
from bot.rules.features.audits import Looked
from bot.rules.features.holdings import Corrected
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.tables import TableClosed
from bot.rules.model.calls import CallKind
from bot.rules.registry import game_named
from bot.rules.views import EntryView, FollowUpView, PromptView, TableView
from bot.service import Briefing, SeatBriefing
from bot.show.board import board_card
from bot.show.cards import Card
from bot.show.history import correction_card, head_card
from bot.show.negotiations import summary_card, thread_name
from bot.show.prompts import follow_up_card, overheard_card, prompt_card, replaced_card, settled_card, undelivered_card
from bot.show.results import public_result_card, result_card
from bot.show.setup import begun_card, setup_card

ShownMessages = Mapping[Subject, Shown]


def plan(briefing: Briefing, shown: ShownMessages) -> list[Step]:
    """Return the steps that bring all messages up to date and send the news of the entries."""
    return [
        *headlines(briefing),
        *_negotiations(briefing, shown),
        *offers(briefing, shown),
        *deals(briefing, shown),
        *_prompts(briefing, shown),
        *_news(briefing),
        *answers(briefing),
        *_heads(briefing),
        *(Closed(subject, replaced_card(briefing.public)) for subject in shown if isinstance(subject, Replaced)),
        *_archives(briefing, shown),
        *_setup(briefing.public, shown),
        _board(briefing.public),
    ]


def _board(public: TableView) -> Desired:
    """Plan the board. In a new window it is sent again, so that it moves down to where people are reading."""
    anchor = f"{public.window.number}{public.board.moves}" if public.open else None
    wanted = public.open and public.setup is None
    return Desired(Board(), TableChannel(), board_card(public), wanted=wanted, anchor=anchor, priority=Priority.BOARD)


def _setup(public: TableView, shown: ShownMessages) -> Iterator[Desired]:
    """Plan the set-up, which replaces the board until play begins, and then becomes a line that says who plays."""
    if public.setup is not None:
        yield Desired(SetUp(), TableChannel(), setup_card(public))
    elif SetUp() in shown:
        card = begun_card(public)
        yield Desired(SetUp(), TableChannel(), card, wanted=False, priority=Priority.LEISURE, final=True)


# ---------------------------------------------------------------- negotiations


def _negotiations(briefing: Briefing, shown: ShownMessages) -> Iterator[Step]:
    """Plan a private thread with a summary for each open negotiation, and the final summary of a closed one."""
    for number, room in briefing.rooms.items():
        talks, thread = room.negotiations.get(number), shown.get(NegotiationThread(number))
        if talks is None:  # closed before these entries; the briefing has its room because of an offer
            continue
        if talks.open and thread is None:
            users = tuple(briefing.seats[seat].user_id for seat in (talks.seat, talks.other) if seat in briefing.seats)
            yield OpenThread(NegotiationThread(number), thread_name(room, talks), users)
        if talks.open or (thread is not None and thread.state == "open"):
            card = summary_card(room, talks)
            yield Desired(NegotiationSummary(number), NegotiationRoom(number), card, wanted=talks.open)


def _archives(briefing: Briefing, shown: ShownMessages) -> Iterator[ArchiveThread]:
    """Archive the threads of closed negotiations."""
    talks = (negotiation for room in briefing.rooms.values() for negotiation in room.negotiations.values())
    ongoing = {negotiation.number for negotiation in talks if negotiation.open}
    for subject, thread in shown.items():
        if isinstance(subject, NegotiationThread) and thread.state == "open" and subject.negotiation not in ongoing:
            yield ArchiveThread(subject)


# ---------------------------------------------------------------- prompts


def _prompts(briefing: Briefing, shown: ShownMessages) -> Iterator[Step]:
    """Plan the prompts of all seats. A prompt that needs no answer any more loses its buttons."""
    pending = [_prompt(seat, prompt) for seat in briefing.seats.values() for prompt in seat.view.prompts]
    yield from pending
    asked = {step.subject for step in pending}
    yield from (
        _settled(briefing, subject)
        for subject in shown
        if isinstance(subject, Prompt | HiddenPrompt) and subject not in asked and not is_about_deal(subject)
    )


def _prompt(seat: SeatBriefing, prompt: PromptView) -> Desired:
    card, place = prompt_card(seat.view, prompt), DirectMessages(seat.user_id)
    if not prompt.evident:
        return Desired(HiddenPrompt(prompt.key, seat.user_id), place, card, priority=Priority.ACT, call="confirm")
    fallback = Fallback(TableChannel(), partial(overheard_card, seat.view, prompt), partial(replaced_card, seat.view))
    subject = Prompt(prompt.key, seat.user_id, prompt.deal)
    return Desired(subject, place, card, fallback=fallback, priority=Priority.ACT, call="confirm")


def _settled(briefing: Briefing, subject: Prompt | HiddenPrompt) -> Retired:
    return Retired(subject, settled_card(briefing.public), settled_card(briefing.public))


# ---------------------------------------------------------------- news


def _news(briefing: Briefing) -> Iterator[Desired]:
    """Plan the news of the entries: results and follow-ups for individuals, corrections for everybody."""
    for entry in briefing.entries:
        match entry.entry:
            case Transaction() as transaction:
                yield from _transaction_card(briefing, entry, transaction)
                yield from _results(briefing, entry.seq)
            case Corrected(reason=reason) if reason:
                yield _news_of(entry, Correction(entry.seq), TableChannel(), correction_card(entry))
        yield from _follow_ups(briefing, entry.seq)


def _heads(briefing: Briefing) -> Iterator[Desired]:
    """Post the chain's head when a phase begins, the table closes, or somebody verified the ledger.

    Each command posts at most one, although its entries may end a phase and begin another.
    """
    ends = {briefing.commands.get(entry.seq, entry.seq): entry for entry in briefing.entries if _shows_head(entry)}
    for entry in ends.values():
        yield _news_of(entry, ChainHead(entry.seq), TableChannel(), head_card(briefing.public, entry))


def _shows_head(entry: EntryView) -> bool:
    match entry.entry:
        case TableClosed() | Looked(what="verify"):
            return True
        case each:
            return bool(each.begins_phase())


def _news_of(
    entry: EntryView,
    subject: Subject,
    place: Place,
    card: Card,
    *,
    fallback: Fallback | None = None,
    call: CallKind | None = None,
) -> Desired:
    """Return the news of an entry: a message that is sent once and never edited."""
    return Desired(
        subject, place, card, fallback=fallback, priority=Priority.NEWS, final=True, entry=entry.seq, call=call
    )


def _transaction_card(briefing: Briefing, entry: EntryView, transaction: Transaction) -> Iterator[Desired]:
    """Announce a transaction that was negotiated in private, unless the game keeps such transactions private."""
    if transaction.negotiation is not None and not game_named(briefing.public.game).trade.private_offers:
        card = public_result_card(briefing.public, entry, transaction)
        yield _news_of(entry, TransactionCard(transaction.number), TableChannel(), card)


def _results(briefing: Briefing, seq: int) -> Iterator[Desired]:
    """Tell both sides of a transaction what they gave, received and have now.

    The person who caused it has read that in the reply. A person who took over the seat must not learn of it.
    """
    for seat in briefing.seats.values():
        entry = _as_seen(seat, seq)
        card, done = result_card(seat.view, entry, seat.entries), entry.entry
        if card is not None and isinstance(done, Transaction) and entry.by != seat.person:
            subject = Result(done.number, seat.user_id)
            ping = _ping(seat.view, entry)
            yield _news_of(entry, subject, DirectMessages(seat.user_id), card, fallback=ping, call="answer")


def _follow_ups(briefing: Briefing, seq: int) -> Iterator[Desired]:
    """Tell each person their follow-ups. Secret ones have no fallback in the channel."""
    for seat in briefing.seats.values():
        entry = _as_seen(seat, seq)
        own = [each for each in entry.follow_ups if each.seat == seat.seat]
        place, ping = DirectMessages(seat.user_id), _ping(seat.view, entry)
        for number, each in enumerate(each for each in own if each.evident):
            subject = FollowUp(seq, number, seat.user_id)
            card, call = follow_up_card(seat.view, each), _asks(each)
            yield _news_of(entry, subject, place, card, fallback=ping, call=call)
        for number, each in enumerate(each for each in own if not each.evident):
            hidden = HiddenFollowUp(seq, number, seat.user_id)
            yield _news_of(entry, hidden, place, follow_up_card(seat.view, each), call=_asks(each))


def _asks(follow_up: FollowUpView) -> CallKind | None:
    """Return "confirm" for a follow-up with buttons, which asks for an answer; None otherwise."""
    return "confirm" if follow_up.buttons else None


def _as_seen(seat: SeatBriefing, seq: int) -> EntryView:
    """Return the entry ``seq`` as this seat may see it."""
    return next(entry for entry in seat.entries if entry.seq == seq)


def _ping(view: TableView, entry: EntryView) -> Fallback:
    """Return the fallback for news: a ping that only says that there is something for the person."""
    return Fallback(TableChannel(), partial(undelivered_card, view, entry), partial(replaced_card, view))
