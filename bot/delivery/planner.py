"""The planner: what Discord should show of a table, as a pure function of a briefing.

Each step is about one message or thread and has its own fate, so their order says only what begins first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
from bot.delivery.messages import Shown
from bot.delivery.offers import offers
from bot.delivery.subjects import (
    Board,
    ChainHead,
    Correction,
    DealCard,
    FollowUp,
    Headlines,
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
from bot.rules.audits.entries import Looked
from bot.rules.deals.entries import DealAnswered
from bot.rules.holdings.entries import Corrected
from bot.rules.offers.entries import Transaction
from bot.rules.registry import game_named
from bot.rules.reporting import told
from bot.rules.tables.entries import TableClosed
from bot.rules.views import EntryView, PromptView, TableView
from bot.service import Briefing, SeatBriefing
from bot.show.cards import Card, text_card
from bot.show.deals import deal_card
from bot.show.history import correction_card, head_card
from bot.show.narration import headline_text
from bot.show.negotiations import summary_card, thread_name
from bot.show.prompts import follow_up_card, overheard_card, prompt_card, replaced_card, settled_card, undelivered_card
from bot.show.results import public_result_card, result_card
from bot.show.setup import begun_card, setup_card
from bot.show.tables import board_card

ShownMessages = Mapping[Subject, Shown]


def plan(briefing: Briefing, shown: ShownMessages) -> list[Step]:
    """Return the steps that bring all messages up to date and deliver the news of the entries."""
    return [
        *_headlines(briefing),
        *_negotiations(briefing, shown),
        *offers(briefing, shown),
        *_prompts(briefing, shown),
        *_news(briefing),
        *_heads(briefing),
        *(Closed(subject, replaced_card(briefing.public)) for subject in shown if isinstance(subject, Replaced)),
        *_archives(briefing, shown),
        *_setup(briefing.public, shown),
        _board(briefing.public),
    ]


def _board(public: TableView) -> Desired:
    """Plan the board. In a new window it is sent anew, so that it moves down to where people are reading."""
    anchor = f"{public.window.number}{public.board.moves}" if public.open else None
    wanted = public.open and public.setup is None
    return Desired(Board(), TableChannel(), board_card(public), wanted=wanted, anchor=anchor, priority=Priority.BOARD)


def _setup(public: TableView, shown: ShownMessages) -> Iterator[Desired]:
    """Plan the set-up, in place of the board until play begins; then it becomes a line that says who plays."""
    if public.setup is not None:
        yield Desired(SetUp(), TableChannel(), setup_card(public))
    elif SetUp() in shown:
        card = begun_card(public)
        yield Desired(SetUp(), TableChannel(), card, wanted=False, priority=Priority.LEISURE, final=True)


def _headlines(briefing: Briefing) -> Iterator[Desired]:
    """Announce what happened. The public reply to a command is this message; only the clock's has a frame."""
    lines: dict[int, list[str]] = {}
    for entry in briefing.entries:
        if not _has_its_own_card(briefing, entry) and (text := headline_text(entry)):
            lines.setdefault(briefing.commands.get(entry.seq, entry.seq), []).append(text)
    clock = {entry.seq for entry in briefing.entries if entry.by is None}
    for seq, texts in lines.items():
        text = "\n".join(texts)
        rung = seq in clock
        card, priority = (Card("waiting", (text,)), Priority.BELL) if rung else (text_card(text), Priority.ACT)
        yield Desired(Headlines(seq), TableChannel(), card, priority=priority, final=True, entry=seq)


def _has_its_own_card(briefing: Briefing, entry: EntryView) -> bool:
    if briefing.public.setup is not None and told(game_named(briefing.public.game), entry):
        return True  # the set-up shows it
    return isinstance(entry.entry, Corrected) and bool(entry.entry.reason)


# ---------------------------------------------------------------- negotiations


def _negotiations(briefing: Briefing, shown: ShownMessages) -> Iterator[Step]:
    """Plan a private thread with a summary for each negotiation; of a closed one, the last state of the summary."""
    for number, room in briefing.rooms.items():
        talks, thread = room.negotiations.get(number), shown.get(NegotiationThread(number))
        if talks is None:  # closed before these entries; the room is here because of an offer
            continue
        if talks.open and thread is None:
            users = tuple(briefing.seats[seat].user_id for seat in (talks.seat, talks.other) if seat in briefing.seats)
            yield OpenThread(NegotiationThread(number), thread_name(room, talks), users)
        if talks.open or (thread is not None and thread.state == "open"):
            card = summary_card(room, talks)
            yield Desired(NegotiationSummary(number), NegotiationRoom(number), card, wanted=talks.open)


def _archives(briefing: Briefing, shown: ShownMessages) -> Iterator[ArchiveThread]:
    """Plan the archiving of the threads of closed negotiations."""
    talks = (negotiation for room in briefing.rooms.values() for negotiation in room.negotiations.values())
    ongoing = {negotiation.number for negotiation in talks if negotiation.open}
    for subject, thread in shown.items():
        if isinstance(subject, NegotiationThread) and thread.state == "open" and subject.negotiation not in ongoing:
            yield ArchiveThread(subject)


# ---------------------------------------------------------------- prompts


def _prompts(briefing: Briefing, shown: ShownMessages) -> Iterator[Step]:
    """Plan the prompts of all seats; one that needs no answer any more loses its buttons."""
    pending = [_prompt(seat, prompt) for seat in briefing.seats.values() for prompt in seat.view.prompts]
    yield from pending
    asked = {step.subject for step in pending}
    yield from (
        _settled(briefing, subject)
        for subject in shown
        if isinstance(subject, Prompt | HiddenPrompt) and subject not in asked
    )


def _prompt(seat: SeatBriefing, prompt: PromptView) -> Desired:
    card, place = prompt_card(seat.view, prompt), DirectMessages(seat.user_id)
    if not prompt.evident:
        return Desired(HiddenPrompt(prompt.key, seat.user_id), place, card, priority=Priority.ACT)
    fallback = Fallback(TableChannel(), overheard_card(seat.view, prompt), replaced_card(seat.view))
    subject = Prompt(prompt.key, seat.user_id, prompt.deal)
    return Desired(subject, place, card, fallback=fallback, priority=Priority.ACT)


def _settled(briefing: Briefing, subject: Prompt | HiddenPrompt) -> Retired:
    """Show that a prompt is settled. In the person's DMs, a deal is shown as it is now."""
    view = next((seat.view for seat in briefing.seats.values() if seat.user_id == subject.user), briefing.public)
    deal = subject.deal or 0 if isinstance(subject, Prompt) else 0
    return Retired(subject, settled_card(view, view.deals.get(deal)), settled_card(briefing.public))


# ---------------------------------------------------------------- news


def _news(briefing: Briefing) -> Iterator[Desired]:
    """Plan the news of the entries: results, follow-ups and answers; corrections for everybody."""
    for entry in briefing.entries:
        match entry.entry:
            case Transaction() as transaction:
                yield from _transaction_card(briefing, entry, transaction)
                yield from _results(briefing, entry.seq)
            case Corrected(reason=reason) if reason:
                yield _news_of(entry, Correction(entry.seq), TableChannel(), correction_card(entry))
            case DealAnswered() as answered:
                yield from _answered(briefing, entry, answered)
        yield from _follow_ups(briefing, entry.seq)


def _heads(briefing: Briefing) -> Iterator[Desired]:
    """Post the chain's head at the end of each phase and of the table, and when the ledger was verified.

    One for a command, whose entries may end a phase and begin what comes in the next.
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
    entry: EntryView, subject: Subject, place: Place, card: Card, *, fallback: Fallback | None = None
) -> Desired:
    """Return the news of an entry: a message that is sent once and then left as it is."""
    return Desired(subject, place, card, fallback=fallback, priority=Priority.NEWS, final=True, entry=entry.seq)


def _transaction_card(briefing: Briefing, entry: EntryView, transaction: Transaction) -> Iterator[Desired]:
    """Announce a transaction that was negotiated in private, unless the game keeps those private."""
    if transaction.negotiation is not None and not game_named(briefing.public.game).trade.private_offers:
        card = public_result_card(briefing.public, entry, transaction)
        yield _news_of(entry, TransactionCard(transaction.number), TableChannel(), card)


def _results(briefing: Briefing, seq: int) -> Iterator[Desired]:
    """Tell the two of a transaction what they gave, received and have now.

    The person who caused it has read that in the reply. A successor in the seat must not learn of it.
    """
    for seat in briefing.seats.values():
        entry = _as_seen(seat, seq)
        card, done = result_card(seat.view, entry), entry.entry
        if card is not None and isinstance(done, Transaction) and entry.by != seat.person:
            subject = Result(done.number, seat.user_id)
            yield _news_of(entry, subject, DirectMessages(seat.user_id), card, fallback=_ping(seat.view, entry))


def _follow_ups(briefing: Briefing, seq: int) -> Iterator[Desired]:
    """Tell each person their follow-ups; those that not everybody may know of only by DM."""
    for seat in briefing.seats.values():
        entry = _as_seen(seat, seq)
        own = [each for each in entry.follow_ups if each.seat == seat.seat]
        place, ping = DirectMessages(seat.user_id), _ping(seat.view, entry)
        for number, each in enumerate(each for each in own if each.evident):
            subject = FollowUp(seq, number, seat.user_id)
            yield _news_of(entry, subject, place, follow_up_card(seat.view, each), fallback=ping)
        for number, each in enumerate(each for each in own if not each.evident):
            hidden = HiddenFollowUp(seq, number, seat.user_id)
            yield _news_of(entry, hidden, place, follow_up_card(seat.view, each))


def _as_seen(seat: SeatBriefing, seq: int) -> EntryView:
    """Return an entry of the briefing as this seat may see it."""
    return next(entry for entry in seat.entries if entry.seq == seq)


def _ping(view: TableView, entry: EntryView) -> Fallback:
    """Return the ping for a person whom DMs do not reach: it only says that there is something for them."""
    return Fallback(TableChannel(), undelivered_card(view, entry), replaced_card(view))


def _answered(briefing: Briefing, entry: EntryView, answered: DealAnswered) -> Iterator[Desired]:
    """Tell the person who proposed a deal the answer, by DM only; /deal list shows it too.

    A successor in that seat is told nothing.
    """
    seat = briefing.seats.get(answered.other)
    deal = seat.view.deals.get(answered.deal) if seat else None
    if seat and deal and deal.mine:
        subject = DealCard(deal.number, seat.user_id)
        yield _news_of(entry, subject, DirectMessages(seat.user_id), deal_card(seat.view, deal))
