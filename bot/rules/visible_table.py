"""The visible table: the only code that turns a table into something a person may see.

`see` returns a `TableView`, and `see_pairs` says who can trade with whom. Both are pure: if two
tables agree on everything a viewer may know, their views are equal. Entries: `visible_entry`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations

from bot.rules.commands import NOBODY, Press, button
from bot.rules.entries import Recorded
from bot.rules.feature import gathered
from bot.rules.features.deals import deal_answers, deal_buttons, marks, not_binding
from bot.rules.features.negotiations import CloseNegotiation
from bot.rules.features.offers import market, menu
from bot.rules.features.offers.chains import counters
from bot.rules.features.offers.debts import open_debts, slips
from bot.rules.features.offers.menu import balances
from bot.rules.features.offers.signing import Sign, accept_label, only_agrees, remedies
from bot.rules.features.offers.state import (
    accepted,
    ahead,
    altered_for,
    both_agree,
    choice_of,
    exchange_of,
    forbidding,
    is_wish,
    lapsed,
    only_says,
    opens,
    pickable,
    promiser,
    runs_out,
    signed_now,
    takers,
    to_confirm,
    to_hand_over,
    trade_of,
    uncovered,
    violations,
)
from bot.rules.game import Trade
from bot.rules.guard import blamed, presented, safely
from bot.rules.model.actions import LabelledAction, OfferAction
from bot.rules.model.deals import Deal, DealFacts, NegotiationFacts
from bot.rules.model.goods import NOTHING
from bot.rules.model.offer import Offer, Sides
from bot.rules.model.people import Names, Parties
from bot.rules.model.replacing import facts_of, replace
from bot.rules.model.table import Seat, Table, TableFacts
from bot.rules.model.text import quoted
from bot.rules.model.violation import Violation
from bot.rules.model.windows import pair
from bot.rules.registry import game_of
from bot.rules.setup import setup_view
from bot.rules.views import (
    DealView,
    EntryView,
    HandOverView,
    NegotiationView,
    OfferButtons,
    OfferLinks,
    OfferProgress,
    OfferRuling,
    OfferView,
    OwnPart,
    PairView,
    PromptView,
    SeatView,
    TableView,
    Viewer,
)
from bot.rules.visible_entry import follow_ups_of, see_entry


def see(table: Table, viewer: Viewer) -> TableView:
    """Return the table as this viewer may see it."""
    return TableViews(table).see(viewer)


class TableViews:
    """Make the views of one table for several viewers. Everything independent of the viewer is
    computed once.

    ``recorded`` are the last entries. Finished views are cached, because one person may need theirs
    in a reply and in a message.
    """

    def __init__(self, table: Table, recorded: Sequence[Recorded] = ()) -> None:
        self.table, self._recorded = table, recorded
        self._game = game_of(table)
        self._redacted: dict[int, Offer] = {}
        self._forbidding: dict[int, list[Violation]] = {}
        self._progress: dict[tuple[int, bool], OfferProgress] = {}
        # What those read of an offer who have no part in it, by its number and whether they sit.
        self._for_others: dict[tuple[int, bool], OfferView] = {}
        self._views: list[tuple[Viewer, TableView]] = []
        self._entries: list[tuple[Viewer, tuple[EntryView, ...]]] = []
        with blamed(table.game, "see"):
            self._see_for_all()

    def _see_for_all(self) -> None:
        """Compute what is the same for every viewer."""
        table, game = self.table, self._game
        self._holders = table.holders()
        self._board = game.commands.board(table)
        self._public = game.public(table)
        self._setup = setup_view(table)
        barred, every = game.seats.barred, game.seats.every()
        self._barred = frozenset(option.id for option in every if barred(table, option.id))
        self._follow_ups = [follow_ups_of(each, table) for each in self._recorded]
        self._asked: list[PromptView] = []
        if table.running:
            self._asked = presented(table.game, game.features.prompts, table)
        self._only_agrees = only_agrees(table)
        self._matches = market.matching(table)
        self._announced = market.announced(self._matches)
        self._fitting = set(chain.from_iterable(self._matches))
        self._counters = counters(table)
        every_counter = chain.from_iterable(self._counters.values())
        self._of_many = {counter.number for counter in every_counter}
        # The offers that stand again, by the number of their counter that came to nothing.
        self._standing_again = {each.answer: each.number for each in reversed(table.open_offers())}
        self._seats = {seat.id: self._open_seat(seat) for seat in table.seats.values()}
        self._deals_of_others = {
            number: self._deal_of_others(deal) for number, deal in table.deals.items()
        }

    def see(self, viewer: Viewer) -> TableView:
        """Return the table as this viewer may see it."""
        for known, view in self._views:
            if known == viewer:
                return view
        with blamed(self.table.game, "see"):
            view = self._see(viewer) if viewer.room is None else self._see_in_room(viewer)
        self._views.append((viewer, view))
        return view

    def entries(self, viewer: Viewer) -> tuple[EntryView, ...]:
        """Return the last entries as this viewer may see them, with their follow-ups."""
        for known, entries in self._entries:
            if known == viewer:
                return entries
        entries = tuple(
            see_entry(each, viewer, self.table.game, self.table, follow_ups)
            for each, follow_ups in zip(self._recorded, self._follow_ups, strict=True)
        )
        self._entries.append((viewer, entries))
        return entries

    def _see(self, viewer: Viewer) -> TableView:
        table, seat = self.table, viewer.knowing_seat
        shown = [offer for offer in table.offers.values() if _sees_offer(offer, viewer)]
        read = {offer.number: self._read(offer, viewer) for offer in shown}
        live = [offer for offer in read.values() if offer.live]
        ordered = market.by_interest(table, live, seat, self._matches)
        # Of private debts the two alone know, whoever sits there now.
        debts = [
            each
            for each in open_debts(table)
            if not each.private or viewer.sees_all or each.between(seat)
        ]
        mine = (
            each for each in debts if each.debtor == seat and each.window != table.window.number
        )
        return TableView(
            **facts_of(table, TableFacts),
            open=table.running,
            pairwise=self._game.trade.pairwise,
            seat=viewer.seat,
            hosts=viewer.hosts,
            names=viewer.names(table.game, self._holders),
            seats={id: self._seat(id, viewer) for id in table.seats},
            offers={
                offer.number: self._offer(offer, read[offer.number], viewer) for offer in shown
            },
            by_interest=tuple(offer.number for offer in ordered),
            deals=self._deals(viewer),
            negotiations=_negotiations(table, viewer),
            prompts=tuple(self._prompts(viewer)),
            board=self._board,
            shared=viewer.shared,
            setup=self._setup,
            barred=self._barred,
            public=self._public,
            debts=tuple(debts),
            slips=slips(table, None if viewer.shared else viewer.seat),
            given=viewer.given,
            due=frozenset(
                each.number
                for each in mine
                if not _pair(table, viewer, each.debtor, each.creditor).why_not
            ),
        )

    def _see_in_room(self, viewer: Viewer) -> TableView:
        """Return the view of a negotiation's thread: that of the channel, with the negotiation and
        its offers.
        """
        table, channel = self.table, self.see(replace(viewer, room=None))
        own = {
            offer.number: self._offer(offer, self._read(offer, viewer), viewer)
            for offer in table.offers.values()
            if _in_room(offer, viewer)
        }
        seen = replace(channel, negotiations=_negotiations(table, viewer))
        if not own:
            return seen
        both = {**channel.offers, **own}
        offers = {number: both[number] for number in table.offers if number in both}
        live = [table.offers[number] for number, offer in offers.items() if offer.live]
        ordered = market.by_interest(table, live, None, self._matches)
        return replace(seen, offers=offers, by_interest=tuple(offer.number for offer in ordered))

    def _read(self, offer: Offer, viewer: Viewer) -> Offer:
        """Return an offer with its sides redacted to what this viewer may know."""
        offer = offer.settled()
        if viewer.belongs_to(offer.parties):
            offer = offer.picked_by(viewer.knowing_seat)
        if _exact(offer, viewer):
            return offer
        if offer.private and not _in_room(offer, viewer):
            nothing = self._game.redact(NOTHING)
            return replace(offer, **facts_of(Sides(nothing, nothing), Sides), before=None)
        if offer.number not in self._redacted:
            redact, before = self._game.redact, offer.before
            if before is not None:
                before = replace(before, give=redact(before.give), want=redact(before.want))
            read = replace(offer, give=redact(offer.give), want=redact(offer.want), before=before)
            self._redacted[offer.number] = read
        return self._redacted[offer.number]

    def _seat(self, id: str, viewer: Viewer) -> SeatView:
        """Return a seat, with its hidden goods if this viewer may know them."""
        view, mine = self._seats[id], viewer.knowing_seat == id
        if not viewer.sees_all and not mine:
            return view
        hidden, exchange = view.open.missing(self.table.seats[id].holdings), exchange_of(self.table)
        return replace(
            view,
            hidden=hidden,
            hidden_count=hidden.total(),
            mine=mine,
            exchangeable=exchange.hand(self.table, id) if exchange else None,
        )

    def _open_seat(self, seat: Seat) -> SeatView:
        """Return a seat as everybody may see it."""
        game, option = self._game, self._game.seats.find(seat.id)
        lies_open, counted = (
            game.open_goods(seat.holdings),
            game.hidden is not None and game.hidden.counted,
        )
        return SeatView(
            id=seat.id,
            name=option.name if option else seat.id,
            short=option.short if option else seat.id,
            person=seat.person,
            open=lies_open,
            in_play=seat.in_play,
            hidden_count=lies_open.missing(seat.holdings).total() if counted else None,
            settings=self.table.settings,
            barred=seat.person is None and game.seats.barred(self.table, seat.id) is not None,
        )

    def _offer(self, offer: Offer, sides: Offer, viewer: Viewer) -> OfferView:
        """Return an offer as this viewer may read it, with their buttons. ``sides`` is the result
        of `_read`.
        """
        if not self._is_others(offer, viewer):
            return self._offer_of(offer, sides, viewer)
        key = (offer.number, viewer.seat is None)
        if key not in self._for_others:
            self._for_others[key] = self._offer_of(offer, sides, viewer)
        return replace(self._for_others[key], names=self._names_of(offer.parties, viewer))

    def _is_others(self, offer: Offer, viewer: Viewer) -> bool:
        """Return whether this viewer reads what all others read who have no part in an offer, but
        for the names.
        """
        seat = viewer.seat
        if offer.to is None or offer.party(seat) or self._counters.get(offer.number):
            return False
        if viewer.sees_all or viewer.room is not None:
            return False
        if offer.parties.include(viewer.person, seat):
            return False
        return all(violation.known_to != seat for violation in self._forbidding_of(offer))

    def _offer_of(self, offer: Offer, sides: Offer, viewer: Viewer) -> OfferView:
        table, knows = self.table, _exact(offer, viewer)
        progress = self._progress_of(offer, for_two=knows)
        role, seat = _role(offer, viewer), viewer.knowing_seat
        readable = not offer.private or knows or _in_room(offer, viewer)
        # If the goods are hidden, naming the rule that forbids them would reveal them.
        known = knows or offer.to is None
        judged = readable and (knows or not (offer.private and self._game.trade.private_offers))
        # A seat that another gave tells its person nothing of the hand before they act in it.
        in_hand = None if viewer.given else seat
        found = self._seen_violations(offer, in_hand, of_goods=judged)
        if progress.uncovered:
            found = sorted(found, key=lambda violation: not violation.lasts)
        own = seat is not None and role is not None and offer.live
        if self._game.exchange is not None:
            own = own and in_hand is not None
        asked = (
            seat is not None and seat == offer.to and role == "addressed" and offer.status == "open"
        )
        answer = menu.acceptance(table, offer, seat, found) if asked and seat is not None else None
        hands = self._game.exchange is not None
        under = self._counters.get(offer.number, ())
        return OfferView(
            table=table.id,
            number=offer.number,
            revision=offer.revision,
            made=offer.made,
            status=offer.status,
            poster=offer.seat,
            to=offer.to,
            sides=sides.sides,
            exact=knows,
            private=offer.private,
            names=self._names_of(offer.parties, viewer),
            role=role,
            was=sides.before if readable and offer.live and not progress.accepted else None,
            asks_only=known and not offer.give and (hands or is_wish(offer)),
            opens=known and opens(table, offer),
            promised_by=promiser(table, sides),
            until=runs_out(table, offer) if table.paused is None else None,
            links=OfferLinks(
                parent=offer.parent,
                negotiation=offer.negotiation,
                transaction=offer.transaction,
                fits=offer.number in self._fitting,
                answer=offer.answer,
                counters=tuple(each.number for each in under if _sees_offer(each, viewer)),
                of_many=offer.number in self._of_many,
                taken_back=offer.taken_back,
                stands_again=None if offer.live else self._standing_again.get(offer.number),
            ),
            progress=progress
            if readable
            else replace(
                progress,
                confirming=(),
                confirmed=(),
                accepted=(),
                sealed=(),
                uncovered=(),
                lapsed={},
                altered=(),
            ),
            ruling=OfferRuling(
                why_not=found[0] if found else None,
                overruled=self._overruled(offer, of_goods=judged),
                warns_of=self._overruled(offer, of_goods=True, of_turns=False) if judged else "",
                end_reason=_end_reason(offer, viewer),
                when=offer.when if readable and not only_says(offer) else "",
                remark=self._game.commands.remark(table, trade_of(offer))
                if judged and offer.status == "open"
                else "",
                left_open=role is not None and knows and self._leaves_open(offer),
            ),
            buttons=OfferButtons(
                actions=menu.actions(
                    table,
                    offer,
                    role,
                    viewer.seat,
                    answer,
                    lacks=any(menu.short_of(each, seat) for each in found),
                    alone=knows,
                )
                if readable
                else menu.only_show(offer),
                settles=answer is not None and answer.settles,
                more=menu.more(table, offer, role, viewer.seat) if readable else (),
                remedies=remedies(table, found[0], offer, seat or offer.seat)
                if found and (role == "poster" or (role is not None and seat in progress.uncovered))
                else (),
                only_agrees=self._only_agrees,
            ),
            own=self._own_part(offer, seat) if own and seat is not None else OwnPart(),
        )

    def _deals(self, viewer: Viewer) -> dict[int, DealView]:
        """Return the deals that the viewer may know of: only the parties know of a private deal."""
        table, found = self.table, dict[int, DealView]()
        for number, deal in table.deals.items():
            mine = viewer.belongs_to(deal.parties)
            if deal.private and not viewer.sees_all and not mine:
                continue
            presses = mine or (viewer.person == NOBODY and not deal.private)
            found[number] = replace(
                self._deals_of_others[number],
                mine=mine,
                names=self._names_of(deal.parties, viewer),
                buttons=deal_buttons(table, deal, viewer.seat if mine else None) if presses else (),
            )
        return found

    def _deal_of_others(self, deal: Deal) -> DealView:
        """Return a deal as those read it who have no part in it, but for the names."""
        return DealView(
            **facts_of(deal, DealFacts),
            table=self.table.id,
            not_binding=not_binding(self.table, deal),
            names=Names(self.table.game, {}, {}),
        )

    def _names_of(self, parties: Parties, viewer: Viewer) -> Names:
        """Return names in which the parties' seats are called by the parties, even if others sit
        there now.
        """
        people, holders = parties.people, self._holders
        if not people.items() <= holders.items():
            holders = {**holders, **people}
        return viewer.names(self.table.game, holders)

    def _leaves_open(self, offer: Offer) -> bool:
        """Return whether one of the two of an open offer chooses what they give, so that it takes
        longer than others' offers do.
        """
        if offer.status != "open" or offer.to is None or only_agrees(self.table):
            return False
        two = (offer.seat, offer.to)
        return any(choice_of(self.table, offer, seat) is not None for seat in two)

    def _own_part(self, offer: Offer, seat: str) -> OwnPart:
        """Return what a live offer means for the goods of this seat, a party or any seat that may
        accept it.
        """
        exchange = exchange_of(self.table)
        changes = safely(self.table.game, (), balances, self.table, offer, seat)
        if exchange is None:
            return OwnPart(changes)
        trade, handed, hand = (
            trade_of(offer, seat),
            offer.handed.get(seat),
            exchange.hand(self.table, seat),
        )
        promised, gets = trade.gives(seat), trade.gives(trade.other(seat))
        named = exchange.named(promised)
        choices = HandOverView(
            named=named,
            total=promised.total(),
            hand=hand,
            promised=promised,
            gets=gets,
            chosen=handed or exchange.likely(hand, promised, gets) or named,
        )
        outlook = exchange.outlook(self.table.seats[seat].holdings, promised, gets, handed)
        return OwnPart(
            balances=changes,
            handed=handed,
            choices=choices,
            hand_over=choices if seat in to_hand_over(self.table, offer) else None,
            advice=(outlook.line,) if outlook else (),
            details=(outlook.details,) if outlook and outlook.details else (),
        )

    def _seen_violations(
        self, offer: Offer, seat: str | None, *, of_goods: bool
    ) -> list[Violation]:
        """Return the violations of an open offer that this seat (None: everybody) may know.

        ``of_goods``: include violations that depend on the goods offered.
        """
        every = (found for found in self._forbidding_of(offer) if of_goods or not found.of_goods)
        return [found for found in every if found.known_to in ("", seat)]

    def _forbidding_of(self, offer: Offer) -> list[Violation]:
        """Return all violations of an open offer, whoever may know them."""
        if offer.status != "open":
            return []
        if offer.number not in self._forbidding:
            self._forbidding[offer.number] = forbidding(self.table, trade_of(offer))
        return self._forbidding[offer.number]

    def _progress_of(self, offer: Offer, *, for_two: bool) -> OfferProgress:
        """Return how far an offer has come, as its two know it or as everybody does."""
        key = (offer.number, for_two)
        if key not in self._progress:
            table, agreed, said = (
                self.table,
                both_agree(offer),
                dict.fromkeys((*offer.signatures, *offer.agreed)),
            )
            self._progress[key] = OfferProgress(
                agreed_by_both=agreed,
                ahead=ahead(offer),
                confirming=to_confirm(table, offer, for_two=for_two),
                confirmed=tuple(
                    seat
                    for seat in (offer.seat, offer.to)
                    if agreed and seat and signed_now(table, offer, seat)
                ),
                handing_over=to_hand_over(table, offer),
                takers=takers(table, offer),
                accepted=accepted(offer),
                missed=tuple(
                    seat for seat in said if offer.status == "resolved" and not offer.party(seat)
                ),
                pickable=pickable(table, offer),
                uncovered=uncovered(table, offer, for_two=for_two),
                lapsed=lapsed(table, offer),
                altered=altered_for(offer),
                sealed=tuple(offer.handed),
            )
        return self._progress[key]

    def _overruled(self, offer: Offer, *, of_goods: bool, of_turns: bool = True) -> str:
        """Return the rule that an open offer publicly breaks at a table that only warns; empty for
        none.

        ``of_goods``: include rules about the goods offered; ``of_turns``: include rules about who
        may trade now.
        """
        if offer.status != "open" or self.table.settings.rulings != "warn":
            return ""
        every = violations(self.table, trade_of(offer))
        public = [violation for violation in every if not violation.known_to]
        if of_goods and any(violation.short for violation in public):
            return ""  # nobody can give what is not there, so this table does more than warn
        for violation in public:
            if of_goods if violation.of_goods else of_turns:
                return violation.rule
        return ""

    def _prompts(self, viewer: Viewer) -> list[PromptView]:
        """Return the questions that wait for the viewer's answer."""
        seat = viewer.knowing_seat
        if seat is None or not self.table.running:
            return []
        prompts = gathered(PROMPTS, self, viewer, seat)
        return prompts + [prompt for prompt in self._asked if prompt.seat == seat]

    def proposed_deals(self, viewer: Viewer, seat: str) -> Iterable[PromptView]:
        """Ask whether the viewer agrees to the deals that others propose."""
        for deal in self.table.deals.values():
            if deal.status == "proposed" and deal.to == seat and viewer.belongs_to(deal.parties):
                yield _deal_prompt(self.table, deal)

    def kept_deals(self, viewer: Viewer, seat: str) -> Iterable[PromptView]:
        """Ask whether the other kept a promise whose end has come."""
        for deal in self.table.ending.values():
            people = deal.parties.people
            both_sit = all(self.table.seats[each].person == people[each] for each in people)
            unmarked = deal.over and seat not in deal.marks
            if unmarked and both_sit and viewer.belongs_to(deal.parties):
                yield _kept_prompt(self.table, deal, seat)

    def matches(self, viewer: Viewer, seat: str) -> Iterable[PromptView]:
        """Tell the viewer which offers of others fit their own."""
        offers = self.table.offers
        # by the number of another's offer, one's own that fit it
        fitting: dict[int, list[Offer]] = {}
        for match in self._announced:
            for mine, theirs in (match, (match.second, match.first)):
                if offers[mine].seat == seat:
                    fitting.setdefault(theirs, []).append(offers[mine])
        for theirs, own in fitting.items():
            yield _match_prompt(self.table, own, offers[theirs])


PROMPTS = (TableViews.proposed_deals, TableViews.kept_deals, TableViews.matches)
"""The questions of the core, each kind with a function."""


def _sees_offer(offer: Offer, viewer: Viewer) -> bool:
    """Return whether the viewer may know that an offer exists. Only the parties know of a private
    offer.
    """
    # also where others read along: then it is blank
    mine = offer.parties.include(viewer.person, viewer.seat)
    return not offer.private or viewer.sees_all or _in_room(offer, viewer) or mine


def _end_reason(offer: Offer, viewer: Viewer) -> str:
    """Return why an offer ended, or why what the viewer handed over is undone."""
    for_all = offer.reasons.get("", "")
    # A successor in the seat may not know why it became void: that may reveal a hand.
    if viewer.seat is None or not viewer.belongs_to(offer.parties):
        return for_all
    return offer.reasons.get(viewer.seat, for_all)


def _in_room(offer: Offer, viewer: Viewer) -> bool:
    """Return whether the viewer is the thread of the negotiation that the offer belongs to."""
    return offer.negotiation is not None and viewer.room == offer.negotiation


def _exact(offer: Offer, viewer: Viewer) -> bool:
    """Return whether the viewer may know the exact goods. In a public offer to all, everybody
    may.
    """
    return (
        viewer.sees_all
        or (offer.to is None and not offer.private)
        or viewer.belongs_to(offer.parties)
    )


def _role(offer: Offer, viewer: Viewer) -> menu.Role:
    """Return the viewer's role in an offer. An offer to all is addressed to every seat but its
    poster's.

    A successor in a party's seat has no role.
    """
    if viewer.seat is None:
        return None
    if offer.party(viewer.seat):
        part: menu.Role = "poster" if viewer.seat == offer.seat else "addressed"
        return part if offer.parties.include(viewer.person, viewer.seat) else None
    return "addressed" if offer.to is None else None


def _negotiations(table: Table, viewer: Viewer) -> dict[int, NegotiationView]:
    """Return the negotiations that the viewer may know of: the parties and its thread know of
    one.
    """
    return {
        talks.number: NegotiationView(
            **facts_of(talks, NegotiationFacts),
            table=table.id,
            close=Press(table.id, CloseNegotiation(talks.number)),
        )
        for talks in table.negotiations.values()
        if viewer.sees_all or viewer.room == talks.number or viewer.belongs_to(talks.parties)
    }


def _deal_prompt(table: Table, deal: Deal) -> PromptView:
    return PromptView(
        table=table.id,
        key=f"deal-{deal.number}",
        seat=deal.to,
        text="",
        secret=deal.private,
        evident=True,
        deal=deal.number,
        buttons=deal_answers(table, deal),
    )


def _kept_prompt(table: Table, deal: Deal, seat: str) -> PromptView:
    """Ask one of the two whether the other kept a promise whose end has come."""
    text = (
        f"The {deal.by} is over. Did <seat:{deal.other(seat)}> keep deal {deal.number}: "
        f"“{quoted(deal.terms)}”?"
    )
    return PromptView(
        table=table.id,
        key=f"kept-{deal.number}",
        seat=seat,
        text=text,
        secret=deal.private,
        evident=not deal.private,
        buttons=marks(table, deal),
    )


def _match_prompt(table: Table, own: list[Offer], theirs: Offer) -> PromptView:
    """Tell the poster of offers that another offer matches them: once, however many they are."""
    look = LabelledAction(
        "Look at it", OfferAction(table.id, theirs.number, theirs.revision, "show")
    )
    accept = button(accept_label(table), table, Sign(theirs.number, theirs.revision))
    numbers = ", ".join(str(offer.number) for offer in own)
    offers = "Your offers" if len(own) > 1 else "Your offer"
    return PromptView(
        table=table.id,
        key=f"match-{theirs.number}",
        seat=own[0].seat,
        secret=True,
        evident=True,
        offer=theirs.number,
        text=f"🧩 **{offers} {numbers} and <seat:{theirs.seat}>'s #{theirs.number} fit together.**",
        buttons=(accept, look)
        if any(offer.give for offer in own) and not opens(table, theirs)
        else (look,),
    )


def see_pairs(table: Table, viewer: Viewer) -> tuple[PairView, ...]:
    """Return whether each pair of taken seats can trade now, as far as the viewer may know."""
    return tuple(
        _pair(table, viewer, first, second) for first, second in combinations(table.seated(), 2)
    )


def _pair(table: Table, viewer: Viewer, first: str, second: str) -> PairView:
    """Return whether two seats can trade now, whatever the goods. Private reasons are shown for
    one's own seat only.
    """
    seat = viewer.knowing_seat
    one, other = (second, first) if second == seat else (first, second)
    nothing = Trade(first=one, second=other, first_gives=NOTHING, second_gives=NOTHING)
    knows = seat if seat in (first, second) else None
    every = (
        each
        for each in forbidding(table, nothing)
        if not each.permanent and each.known_to in ("", knows)
    )
    found, game = next(every, None), game_of(table)
    return PairView(
        seats=pair(first, second),
        why_not=found,
        used=pair(first, second) in table.window.used,
        neighbors=game.trade.neighbors(table, first, second),
        remedy=game.commands.pair_remedy(table, found, one, other) if found and knows else None,
    )
