"""The planner: what Discord should show of a table, as a pure function of a briefing.

Each step is about one message or thread and succeeds or fails alone, so their order only says what
begins first. `bot.delivery.offer_messages` and `deal_messages` plan those about offers and deals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain

from bot.delivery.deal_messages import deals
from bot.delivery.desired import (
    MOVED,
    SAID_STANDS,
    ArchiveThread,
    Board,
    ChainHead,
    Closing,
    Correction,
    CounterpartNews,
    Declined,
    Departed,
    Desired,
    EveningPicture,
    Fallback,
    FollowUp,
    GameNotice,
    Headlines,
    HiddenFollowUp,
    HiddenPrompt,
    Meeting,
    NegotiationRoom,
    NegotiationSummary,
    NegotiationThread,
    OpenThread,
    Priority,
    Prompt,
    Reminder,
    Replaced,
    Result,
    Retired,
    SaidOffer,
    SameTable,
    SetUp,
    SharedPlace,
    Step,
    Subject,
    TableChannel,
    TakenAway,
    ToHost,
    TransactionCard,
    Welcome,
)
from bot.delivery.life import Life
from bot.delivery.offer_messages import offers, place_of
from bot.delivery.records import absent
from bot.rules.entries import CallKind
from bot.rules.features.audits import Looked
from bot.rules.features.holdings import Corrected
from bot.rules.features.next_time import Reminded
from bot.rules.features.offers.debts import DebtSaid
from bot.rules.features.offers.entries import (
    OfferAltered,
    OfferDeclined,
    OfferExpired,
    OfferPosted,
    OfferSuperseded,
    OfferVoided,
    OfferWithdrawn,
    Transaction,
)
from bot.rules.features.seats import SeatTaken
from bot.rules.features.tables import PlayedAgain, TableClosed
from bot.rules.guard import presented, safely
from bot.rules.model.replacing import replace
from bot.rules.reporting import shown_by_board, shown_by_steps
from bot.rules.views import EntryView, FollowUpView, OfferView
from bot.service import Briefing, SeatBriefing
from bot.show.actions import SeeIt
from bot.show.board import board_card, closing_card, gone_card, paused_card
from bot.show.cards import Card, text_card
from bot.show.deals import summary_card, thread_name
from bot.show.evening import evening_card
from bot.show.names import escape, game_of
from bot.show.narration import headline_text
from bot.show.next_time import call_card, met_card, next_time_card, reminder_card
from bot.show.notices import (
    backed_out_card,
    declined_card,
    departed_card,
    follow_up_card,
    lapsed_card,
    news_card,
    notice_card,
    passed_over_card,
    prompt_card,
    settled_card,
    shared_prompt_card,
    undelivered_card,
    welcome_card,
    withdrawn_card,
)
from bot.show.offer_cards import private_offer_card
from bot.show.results import follow_ups_of, public_result_card, result_card
from bot.show.setup import begun_card, setup_card
from bot.show.timeline import correction_card, head_card, head_text
from bot.show.words import see_it_card

ShownMessages = Mapping[Subject, Life]


def plan(
    briefing: Briefing,
    shown: ShownMessages,
    *,
    buried: bool = False,
    now: int = 0,
    said: Collection[SaidOffer] = (),
    unreached: Collection[int] = (),
    departed: Collection[int] = (),
) -> list[Step]:
    """Return the steps that bring all messages up to date and send the news of the entries.

    ``buried``: so many messages have come below the board that it moves down. ``now`` is the time
    in milliseconds since 1970. ``said`` are offers that somebody has just said in the channel,
    ``unreached`` the users whose DMs Discord has refused, ``departed`` those who have left the
    server.
    """
    parts: list[Iterable[Step]] = [
        headlines(briefing),
        _notices(briefing, shown),
        _negotiations(briefing, shown),
        offers(briefing, shown, now, unreached),
        deals(briefing, shown),
        _prompts(briefing, shown),
        _news(briefing),
        _counterparts(briefing),
        _heads(briefing),
        _replaced(shown),
        _archives(briefing, shown),
        _set_up(briefing, shown),
        _next_time(briefing, shown),
        _to_host(briefing, shown),
        _departed(briefing, shown, departed),
        _said_offers(briefing, shown, said, now),
        _board(briefing, shown.get(Board()), buried=buried),
    ]
    steps: list[Step] = []
    for part in parts:
        # whatever a part meets, the others go on: else the table would never hear anything again
        safely(briefing.public.game, None, steps.extend, part)
    return steps


def _replaced(shown: ShownMessages) -> Iterator[TakenAway]:
    for subject in shown:
        if isinstance(subject, Replaced):
            yield TakenAway(subject)


def _set_up(briefing: Briefing, shown: ShownMessages) -> Iterator[Step]:
    """Plan the set-up, which replaces the board until play begins and then becomes a line that says
    who plays.

    Plan the news that the table was closed, too, while it can be opened again.
    """
    public = briefing.public
    if public.setup is not None:
        card = setup_card(public) if public.paused is None else paused_card(public)
        yield Desired(SetUp(), card)
    elif not briefing.open:
        yield TakenAway(SetUp())
    elif SetUp() in shown:
        card = begun_card(public)
        yield Desired(SetUp(), card, wanted=False, priority=Priority.LEISURE, final=True)
    if public.closing is not None:
        yield Desired(Closing(), closing_card(public))
    elif Closing() in shown:
        yield TakenAway(Closing())


def _next_time(briefing: Briefing, shown: ShownMessages) -> Iterator[Desired]:
    """Plan the card of the next time, which everybody reads, and an hour before a DM to each who
    said that they come.

    At a table at which play goes on by then, nobody is reminded. When a table is played again, call
    its people.
    """
    public = briefing.public
    if (found := public.next_time) is not None:
        yield Desired(Meeting(), next_time_card(public), anchor=str(found.at))
    elif Meeting() in shown:
        card = met_card(public)
        yield Desired(Meeting(), card, wanted=False, priority=Priority.LEISURE, final=True)
    rests = not public.open or public.paused is not None
    for entry in briefing.entries:
        match entry.entry:
            case Reminded(at=at, coming=coming) if rests and entry.at < at:
                ping = Fallback(TableChannel(), reminder_card(public, at))
                for user in (
                    briefing.users[person] for person in coming if person in briefing.users
                ):
                    card = reminder_card(public, at)
                    yield _news_of(
                        entry, Reminder(entry.seq, user), card, fallback=ping, call="opens"
                    )
            case PlayedAgain(earlier=earlier):
                called = [each.person for each in earlier if each.person != entry.by]
                rings = tuple(
                    briefing.users[person] for person in called if person in briefing.users
                )
                if rings:
                    news = _news_of(entry, SameTable(), call_card(public, called), call="chance")
                    yield replace(news, rings=rings)


def _to_host(briefing: Briefing, shown: ShownMessages) -> Iterator[Step]:
    """Plan DMs to the host about what the channel may be unable to show: some phones' buttons do
    nothing in a thread that is archived or locked.
    """
    public, asked = briefing.public, set[Subject]()
    if briefing.host is not None and public.open and public.closing is None:
        if briefing.gone:
            asked.add(gone := ToHost("gone", briefing.host))
            yield Desired(gone, gone_card(public), priority=Priority.ACT, call="confirm")
        elif public.paused is not None:
            asked.add(paused := ToHost("paused", briefing.host))
            yield Desired(paused, paused_card(public), priority=Priority.LEISURE)
    for subject in shown:
        if isinstance(subject, ToHost) and subject not in asked:
            state = "goes on" if public.open else "is closed"
            over = text_card(f"**{escape(public.name)}** {state}.")
            yield Retired(subject, over, over)


def _departed(
    briefing: Briefing, shown: ShownMessages, departed: Collection[int]
) -> Iterator[Step]:
    """Plan the news of people in seats who have left the server. It goes when they come back or
    somebody else takes the seat.
    """
    told = set[Subject]()
    for seat in briefing.seats.values():
        if seat.user_id in departed and briefing.open:
            news = Departed(seat.user_id)
            told.add(news)
            card = departed_card(briefing.public, seat.seat)
            yield Desired(news, card, priority=Priority.NEWS)
    for subject in shown:
        if isinstance(subject, Departed) and subject not in told:
            yield TakenAway(subject)


def _said_offers(
    briefing: Briefing, shown: ShownMessages, said: Collection[SaidOffer], now: int
) -> Iterator[Step]:
    """Plan **See it** under what people said in the channel. It goes with the offer that comes of
    it, or when its time is over.
    """
    stands = {subject for subject in shown if isinstance(subject, SaidOffer)}
    for subject in sorted({*stands, *said}, key=lambda each: each.message):
        over = not briefing.public.open or now >= subject.until or _posted(briefing, subject)
        if over:
            yield TakenAway(subject)
            continue
        place: SharedPlace = TableChannel()
        if subject.negotiation:
            place = NegotiationRoom(subject.negotiation)
        see = SeeIt(
            briefing.table_id,
            subject.person,
            subject.to,
            subject.negotiation,
            subject.give,
            subject.want,
        )
        card = see_it_card(briefing.public, see)
        yield Desired(subject, card, place, priority=Priority.ACT)


def _posted(briefing: Briefing, said: SaidOffer) -> bool:
    """Return whether, as everybody may know, somebody has posted an offer to whom they said one."""
    holders = briefing.public.names.holders
    for recorded in briefing.entries:
        entry = recorded.entry
        if not isinstance(entry, OfferPosted) or recorded.at < said.until - SAID_STANDS:
            continue
        to = holders.get(entry.to) if entry.to else 0
        same_place = (entry.negotiation or 0) == said.negotiation
        if (holders.get(entry.seat), to) == (said.person, said.to) and same_place:
            return True
    return False


PAUSED = "paused:"
"""With what the anchor of a paused table's board begins. After the pause it is sent again,
silently.
"""


def _board(briefing: Briefing, life: Life | None, *, buried: bool) -> Iterator[Step]:
    """Plan the board. In a new window it is sent again, and notifies the person whose turn it is;
    once per window. `evening` takes its place.

    It is also sent again, silently, when it is ``buried``. So it stays where people are reading.
    One that says that time has run out goes first.
    """
    public = briefing.public
    if not public.open:
        yield TakenAway(Board())
        return
    window = str(public.window.number)
    unsent = life is None or not life.message_id
    if public.paused is not None:
        anchor = f"{PAUSED}{public.paused}"
    elif life is not None and life.anchor.startswith(PAUSED):
        anchor = f"{window}{MOVED}{briefing.seq}"
    elif life is None or life.anchor.partition(MOVED)[0] != window:
        anchor = window
    else:
        anchor = f"{window}{MOVED}{briefing.seq}" if buried and not unsent else life.anchor
    new = anchor == window and (unsent or life is None or life.anchor != window)
    holder = public.window.holder if anchor == window else None
    rings = tuple(seat.user_id for seat in briefing.seats.values() if seat.seat == holder)
    by_clock = any(
        entry.by is None and presented(public.game, entry.entry.begins_phase)
        for entry in briefing.entries
    )
    priority = (
        Priority.BELL if new and by_clock else Priority.ACT if new and rings else Priority.BOARD
    )
    yield Desired(
        Board(),
        board_card(public),
        wanted=public.setup is None,
        anchor=anchor,
        priority=priority,
        call="turn" if new and rings else None,
        rings=rings,
    )


# ---------------------------------------------------------------- headlines


def headlines(briefing: Briefing) -> Iterator[Desired]:
    """Plan one message for each command with headlines. It notifies the people whom the command's
    last call is for.

    The message is about the first entry with one. News from the clock has a frame. When a phase
    begins, the head of the ledger's chain stands below, where nobody can change it.
    """
    # by command: its headlines, by entry
    public, commands = briefing.public, dict[int, dict[int, str]]()
    for entry in briefing.entries:
        shown_by = shown_by_board if public.setup is None else shown_by_steps
        # it has a card of its own
        corrected = isinstance(entry.entry, Corrected) and bool(entry.entry.reason)
        shown = corrected or shown_by(game_of(public), entry)
        if not shown and (text := headline_text(entry)):
            commands.setdefault(briefing.commands.get(entry.seq, entry.seq), {})[entry.seq] = text
    for seq, entries in commands.items():
        text = "\n".join(entries.values())
        by_clock = any(entry.by is None for entry in briefing.entries if entry.seq in entries)
        calls = (
            presented(public.game, entry.entry.calls)
            for entry in reversed(briefing.entries)
            if entry.seq in entries
        )
        call = next((call for call in calls if call), None)
        begins = [
            entry
            for entry in briefing.entries
            if entry.seq in entries and presented(public.game, entry.entry.begins_phase)
        ]
        text = "\n".join((text, *map(head_text, begins[-1:])))
        seats = [
            seat
            for seat in briefing.seats.values()
            if call and (not call.seats or seat.seat in call.seats)
        ]
        card = news_card(public, text, [seat.seat for seat in seats], framed=by_clock)
        yield Desired(
            Headlines(seq),
            card,
            final=True,
            entry=seq,
            call=call.kind if call else None,
            priority=Priority.BELL if by_clock else Priority.ACT,
            rings=tuple(seat.user_id for seat in seats),
        )


def _notices(briefing: Briefing, shown: ShownMessages) -> Iterator[Step]:
    """Plan the game's own messages in the channel. One that is not current any more loses its
    buttons and stays.
    """
    every = {GameNotice(each.number): each for each in briefing.public.board.notices}
    for subject, notice in every.items():
        users = tuple(
            briefing.seats[seat].user_id for seat in notice.seats if seat in briefing.seats
        )
        yield Desired(
            subject,
            notice_card(briefing.public, notice),
            wanted=notice.current,
            final=not notice.current,
            entry=notice.number,
            priority=Priority.ACT,
            call="confirm" if users else None,
            rings=users,
        )
    for each in shown:
        if isinstance(each, GameNotice) and each not in every:
            settled = settled_card(briefing.public)
            yield Retired(each, settled, settled)


# ---------------------------------------------------------------- negotiations


def _negotiations(briefing: Briefing, shown: ShownMessages) -> Iterator[Step]:
    """Plan a private thread with a summary for each open negotiation, and the final summary of a
    closed one.

    A negotiation may be closed while its thread is being opened.
    """
    for number, room in briefing.rooms.items():
        talks, thread = room.negotiations.get(number), shown.get(NegotiationThread(number))
        # closed before these entries; the briefing has its room because of an offer
        if talks is None:
            continue
        if not talks.open and thread is not None and not thread.resting and not thread.message_id:
            yield ArchiveThread(NegotiationThread(number), thread_name(room, talks))
        if talks.open and (thread is None or not thread.resting):
            users = tuple(
                briefing.seats[seat].user_id
                for seat in (talks.seat, talks.other)
                if seat in briefing.seats
            )
            yield OpenThread(NegotiationThread(number), thread_name(room, talks), users)
        if talks.open or (thread is not None and thread.shows == "open"):
            card = summary_card(room, talks, absent(thread))
            yield Desired(
                NegotiationSummary(number), card, NegotiationRoom(number), wanted=talks.open
            )


def _archives(briefing: Briefing, shown: ShownMessages) -> Iterator[ArchiveThread]:
    """Archive the threads of closed negotiations."""
    talks = chain.from_iterable(room.negotiations.values() for room in briefing.rooms.values())
    ongoing = {negotiation.number for negotiation in talks if negotiation.open}
    for subject, thread in shown.items():
        if (
            isinstance(subject, NegotiationThread)
            and thread.shows == "open"
            and subject.negotiation not in ongoing
        ):
            yield ArchiveThread(subject)


# ---------------------------------------------------------------- prompts


def _prompts(briefing: Briefing, shown: ShownMessages) -> Iterator[Step]:
    """Plan the prompts of all seats. A prompt that needs no answer any more loses its buttons.

    `deals` plans an answered question about a deal, since it becomes the deal's card.
    """
    asked = set[Subject]()
    for seat in briefing.seats.values():
        for prompt in seat.view.prompts:
            fallback: Fallback | None = None
            subject: Prompt | HiddenPrompt = HiddenPrompt(prompt.key, seat.user_id)
            if prompt.evident:
                shared_card = partial(shared_prompt_card, seat.view, prompt)
                fallback = Fallback(TableChannel(), shared_card)
                subject = Prompt(prompt.key, seat.user_id, prompt.deal)
            asked.add(subject)
            yield Desired(
                subject,
                prompt_card(seat.view, prompt),
                fallback=fallback,
                priority=Priority.ACT,
                call="confirm",
            )
    game = briefing.public.game
    back = any(presented(game, entry.entry.takes_back) for entry in briefing.entries)
    for each in shown:
        about_deal = isinstance(each, Prompt) and each.deal is not None
        if isinstance(each, Prompt | HiddenPrompt) and each not in asked and not about_deal:
            settled = settled_card(briefing.public, "↩️ It is taken back." if back else "")
            yield Retired(each, settled, settled)


# ---------------------------------------------------------------- news


def _news(briefing: Briefing) -> Iterator[Desired]:
    """Plan the news of the entries: results and follow-ups for individuals, corrections for
    everybody.
    """
    for entry in briefing.entries:
        match entry.entry:
            case Transaction() as done:
                # A transaction of a private offer, unless the game keeps such transactions
                # private, or the card of the wish that it fulfilled shows it.
                shown = any(
                    isinstance(each.entry, OfferSuperseded) and each.entry.by == done.offer
                    for each in briefing.entries
                )
                no_card = done.negotiation is not None or (done.private and not shown)
                if no_card and not game_of(briefing.public).trade.private_offers:
                    card = public_result_card(briefing.public, entry, done)
                    yield _news_of(entry, TransactionCard(done.number), card)
                for seat in briefing.seats.values():
                    yield from _result(seat, entry.seq)
            case SeatTaken(seat=taken, person=person) if entry.seq in briefing.newcomers:
                sits = briefing.seats.get(taken)
                if sits is not None and sits.person == person:
                    yield _news_of(entry, Welcome(sits.user_id), welcome_card(sits.view))
            case Corrected(reason=reason) if reason:
                yield _news_of(entry, Correction(entry.seq), correction_card(entry))
        for seat in briefing.seats.values():
            yield from _follow_ups(seat, entry.seq)


def evening(briefing: Briefing) -> list[Step]:
    """Plan the message that ends an evening. Its picture is drawn here, so call this in a thread.

    It is the one place in the channel that says so, with the head of the ledger.
    """
    for entry in briefing.entries:
        if isinstance(entry.entry, TableClosed):
            card = evening_card(briefing.public, briefing.evening, head_text(entry))
            return [_news_of(entry, EveningPicture(), card)]
    return []


def _heads(briefing: Briefing) -> Iterator[Desired]:
    """Post the chain's head when somebody verified the ledger. See also `headlines` and
    `evening`.
    """
    for entry in briefing.entries:
        if isinstance(entry.entry, Looked) and entry.entry.what == "verify":
            yield _news_of(entry, ChainHead(entry.seq), head_card(entry))


def _news_of(
    entry: EntryView,
    subject: Subject,
    card: Card,
    *,
    fallback: Fallback | None = None,
    call: CallKind | None = None,
) -> Desired:
    """Return the news of an entry: a message that is sent once and never edited."""
    return Desired(
        subject,
        card,
        fallback=fallback,
        priority=Priority.NEWS,
        final=True,
        entry=entry.seq,
        call=call,
    )


def _result(seat: SeatBriefing, seq: int) -> Iterator[Desired]:
    """Tell one side of a transaction what they gave, received and have now.

    The person who caused it has read that in the reply. A person who took over the seat must not
    learn of it.
    """
    entry = _as_seen(seat, seq)
    done = entry.entry
    if not isinstance(done, Transaction) or entry.by == seat.person:
        return
    if (card := result_card(seat.view, entry, seat.entries)) is not None:
        subject = Result(done.number, seat.user_id)
        news = _news_of(entry, subject, card, fallback=_ping(seat, entry), call="answer")
        yield replace(news, final=entry.take_back is None)


def _follow_ups(seat: SeatBriefing, seq: int) -> Iterator[Desired]:
    """Tell a person their follow-ups. Only evident ones have a fallback; those with buttons ask for
    an answer.

    What a trade brings and asks for no answer stands in its receipt.
    """
    entry = _as_seen(seat, seq)
    for evident in (True, False):
        own = [
            each
            for each in follow_ups_of(entry, seat.seat, in_receipt=False)
            if each.evident == evident
        ]
        for number, each in enumerate(own):
            subject = (FollowUp if evident else HiddenFollowUp)(seq, number, seat.user_id)
            yield _news_of(
                entry,
                subject,
                follow_up_card(seat.view, each),
                fallback=_ping(seat, entry) if evident else None,
                call="chance" if each.buttons else None,
            )


def _as_seen(seat: SeatBriefing, seq: int) -> EntryView:
    """Return the entry ``seq`` as this seat may see it."""
    return next(entry for entry in seat.entries if entry.seq == seq)


def _ping(seat: SeatBriefing, entry: EntryView) -> Fallback:
    """Return the fallback for news: a ping that only says that there is something for the
    person.
    """
    return Fallback(TableChannel(), partial(undelivered_card, seat.view, entry))


# ---------------------------------------------------------------- what the counterpart did


def _counterparts(briefing: Briefing) -> Iterator[Desired]:
    """Plan DMs about what the counterpart did: declined an offer, or withdrew what the person
    accepted, or altered it for another, or said something of a private debt.

    Each is a new message, since Discord notifies nobody of an edit. A person who took over the seat
    later gets none.
    """
    lapsed: dict[tuple[int, str], tuple[EntryView, list[OfferView]]] = {}
    for seat in briefing.seats.values():
        for entry in seat.entries:
            if entry.by == seat.person or entry.names.holders.get(seat.seat) != seat.person:
                continue
            match entry.entry:
                case (
                    OfferExpired(offer=number)
                    | OfferVoided(offer=number)
                    | OfferSuperseded(offer=number)
                ):
                    offer = seat.view.offers.get(number)
                    if offer is not None and _waited(seat, offer, entry):
                        command = briefing.commands.get(entry.seq, entry.seq)
                        lapsed.setdefault((command, seat.seat), (entry, []))[1].append(offer)
                case OfferAltered(passed_over=passed_over) if seat.seat in passed_over:
                    yield _silently(seat, entry, passed_over_card(seat.view, entry.entry))
                case OfferDeclined(offer=number, seat=other):
                    offer = seat.view.offers.get(number)
                    if offer is not None and offer.role == "poster":
                        yield _declined(seat, entry, offer, other)
                case OfferWithdrawn(offer=number):
                    offer = seat.view.offers.get(number)
                    if offer is not None and seat.seat in offer.progress.accepted:
                        yield _silently(seat, entry, withdrawn_card(seat.view, offer))
                case DebtSaid(secret=said) if said is not None:
                    told = FollowUpView(seat.seat, entry.entry.sentence(entry.ruler))
                    yield _silently(seat, entry, follow_up_card(seat.view, told))
    for (_, id), (entry, offers_over) in lapsed.items():
        seat = briefing.seats[id]
        yield _silently(seat, entry, lapsed_card(seat.view, offers_over))


def _waited(seat: SeatBriefing, offer: OfferView, entry: EntryView) -> bool:
    """Return whether a seat waited for an offer that ended by itself: it had accepted it, or posted
    a counter.

    The two of a trade know that it ended what they had offered one another before.
    """
    if not isinstance(entry.entry, OfferSuperseded):
        return seat.seat in offer.progress.accepted
    by = seat.view.offers.get(entry.entry.by)
    return seat.seat in (*offer.progress.accepted, offer.poster) and not (
        by is not None and by.party(seat.seat)
    )


def _declined(seat: SeatBriefing, entry: EntryView, offer: OfferView, other: str) -> Desired:
    """Tell the poster who declined their offer. An offer to all stays open when one taker backs
    out.
    """
    if offer.live:
        return _silently(seat, entry, backed_out_card(seat.view, offer, other))

    def shared_card() -> Card:
        """Return the card for a place that others read: it names no note that only the two parties
        may know of.
        """
        if offer.private:
            return private_offer_card(seat.view, offer)
        return declined_card(seat.shared_view, seat.shared_view.offers[offer.number], other)

    subject = Declined(entry.seq, seat.user_id)
    fallback = Fallback(place_of(offer), shared_card)
    return _news_of(
        entry,
        subject,
        declined_card(seat.view, offer, other),
        fallback=fallback,
        call="answer",
    )


def _silently(seat: SeatBriefing, entry: EntryView, card: Card) -> Desired:
    return _news_of(entry, CounterpartNews(entry.seq, seat.user_id), card)
