"""Commands of either side about an offer: accept, confirm, agree ahead of time, pick, decline,
withdraw, back out.

    posted -> open <-> suspended -> agreed -> resolved
        open <-> countered, while another stands in its place
                 altered (next revision) | withdrawn | declined | expired | void | superseded

A *signature* is good for one revision and for the window it was given in; when another window has
opened since, it must be given again. With both signatures standing and no violation, the
transaction resolves at once and as a whole. Before it is legal, two can only *agree*: that binds
nobody, and when the time comes both are asked to confirm. Offers reserve nothing: both sides' goods
are checked in the very decision that resolves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.rules.access import is_host, own_seat, require_tracked
from bot.rules.apply import apply, replay
from bot.rules.commands import Caller, Command, button
from bot.rules.entries import Entry, Reference, reference
from bot.rules.feature import Feature
from bot.rules.features.deals import DealProposed, proposed
from bot.rules.features.holdings import Gained
from bot.rules.features.house_rules import rules_named
from bot.rules.features.offers.entries import (
    HandedOver,
    HandOverUndone,
    OfferAgreed,
    OfferBecameDeal,
    OfferDeclined,
    OfferExpired,
    OfferPicked,
    OfferStands,
    OfferSuperseded,
    OfferVoided,
    OfferWithdrawn,
    Period,
    Signed,
    Transaction,
    between,
)
from bot.rules.features.offers.state import (
    accepted,
    agrees,
    blocking,
    both_agree,
    choice_of,
    declarable,
    exchange_of,
    forbidding,
    is_wish,
    live_offer,
    overruled,
    pickable,
    promiser,
    require_in_time,
    require_legal,
    require_party,
    require_poster,
    require_revision,
    sides_for,
    signed_now,
    takers,
    trade_of,
)
from bot.rules.game import GiversChoice, Trade
from bot.rules.model.actions import LabelledAction
from bot.rules.model.deals import Wording
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Offer
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.model.text import quoted
from bot.rules.model.violation import Refused, Undecided, Violation
from bot.rules.registry import game_of


class OfferCommand(Command):
    """A command about an offer by its number, which may be over.

    >>> class Praise(OfferCommand):
    ...     kind = "bazaar.praise"
    >>> Praise(1).subjects()
    ('offer:1',)
    """

    offer: int

    def subjects(self) -> tuple[Reference, ...]:
        """Return the offer."""
        return (reference("offer", self.offer),)


class Sign(OfferCommand):
    """Agree to an offer at ``revision`` (None: the newest): **Accept** for the one side,
    **Confirm** for both.

    ``gives``: the token that the caller chooses, where the offer leaves open what they give.
    """

    kind = "offer.sign"
    revision: int | None = None
    gives: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """If the other's signature stands too, the transaction resolves.

        At a table where everything is confirmed, accepting is only agreeing, and both are asked to
        confirm. Raises `Undecided` while the caller is to choose what they give.
        """
        offer, seat = live_offer(table, self.offer), own_seat(table, caller)
        require_revision(offer, self.revision)
        require_party(table, offer, seat)
        require_in_time(table, offer, caller.at)
        if self.revision is None:
            _require_last_word(table, offer, seat.id)
        other = offer.other(seat.id)
        if other is None:
            raise Refused(
                f"Offer {offer.number} is open to everyone.",
                "Pick one of the players who agree.",
            )
        if is_wish(offer) and exchange_of(table) is None:
            raise Refused(
                f"Offer {offer.number} is a wish: <seat:{other}> leaves open what they give.",
                "Say what you want for it: **Another price…** on its card.",
            )
        choice = choice_of(table, offer, seat.id)
        last = offer.to is not None and signed_now(table, offer, other)
        chooses_later = choice is not None and not last
        if signed_now(table, offer, seat.id) or (chooses_later and agrees(offer, seat.id)):
            picks = f"<seat:{offer.seat}> picks one of the players who agree."
            waits = f"Now <seat:{other}> must answer." if offer.to else picks
            raise Refused(f"You have already agreed to offer {offer.number}.", waits)
        asks_again = confirms_twice(table) and not both_agree(offer)
        closes = not asks_again and last
        trade = trade_of(offer, seat.id)
        settles = closes and exchange_of(table) is None
        violation = blocking(table, trade, seat.id, offer, closes=settles)
        if violation is not None:
            raise Refused.because(violation, after_refusal(table, violation, offer, seat.id))
        if asks_again and agrees(offer, seat.id):
            raise Refused(
                f"You have already agreed to offer {offer.number}.",
                f"Now <seat:{other}> must answer.",
            )
        gives: Goods | None = None
        if choice is not None and (closes or self.gives):
            gives = self._chosen(table, offer, seat.id, choice, closes=closes)
        if asks_again or (gives is not None and not closes):
            return [agreement(offer, seat.id, gives)]
        if gives is not None:
            trade = trade.giving(seat.id, gives)
        signed = signature(table, offer, seat.id)
        if not closes:
            return [signed]
        now = apply(table, signed)
        confirmed, broken = both_agree(offer), overruled(table, trade, offer)
        follows = resolution(now, offer.number, broken, confirmed=confirmed, trade=trade)
        return [signed, *follows]

    def _chosen(
        self, table: Table, offer: Offer, seat: str, choice: GiversChoice, *, closes: bool
    ) -> Goods:
        """Return what this seat gives by its choice, now or when it agreed. Raises `Undecided`
        while there is none, and `Refused` where nothing that it could choose may be given.
        """
        trade, options = trade_of(offer, seat), list[LabelledAction]()
        refused = Refused("You have nothing to choose from.", rule=choice.rule)
        for token, goods in choice.options.items():
            violation = blocking(table, trade.giving(seat, goods), seat, offer, closes=closes)
            if violation is not None:
                refused = Refused.because(violation)
                continue
            if token == self.gives or (not self.gives and goods == offer.picks.get(seat)):
                return goods
            label = game_of(table).goods.describe_card(token)
            options.append(button(label, table, replace(self, gives=token)))
        if not options:
            raise refused
        raise Undecided(choice.question, options=tuple(options), rule=choice.rule)


def _require_last_word(table: Table, offer: Offer, seat: str) -> None:
    """Raise `Refused` if this seat last agreed to an earlier revision. A button agrees to the
    newest.
    """
    if seat not in offer.earlier or seat in offer.signatures or seat in offer.agreed:
        return
    describe = game_of(table).goods.describe
    give, get = (describe(goods) or "nothing" for goods in sides_for(offer, seat))
    terms = " and ".join(f"“{quoted(each)}”" for each in (offer.terms_now, offer.terms) if each)
    words = f", with {terms}" if terms else ""
    raise Refused(
        f"Offer {offer.number} has changed since you agreed to it. Now you give {give} and get "
        f"{get}{words}.",
        f"Is that fine? Press {accept_label(table)} first.",
        options=(button(accept_label(table), table, Agree(offer.number, offer.revision)),),
    )


class Agree(OfferCommand):
    """Agree to an offer: at once where it is legal now, else for later.

    Agreeing for later binds nobody; once it is legal, both are asked to confirm.
    """

    kind = "offer.agree"
    revision: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        offer, seat = live_offer(table, self.offer), own_seat(table, caller)
        require_revision(offer, self.revision)
        require_party(table, offer, seat)
        trade = trade_of(offer, seat.id)
        violation = blocking(table, trade, seat.id, offer, closes=False)
        if violation is None or not only_for_now(violation):
            return Sign(self.offer, self.revision).decide(table, caller)
        if exchange_of(table) is not None:
            raise Refused.because(violation)  # nobody agrees ahead of time
        if offer.to is None:
            raise Refused(
                f"Offer {offer.number} is open to everyone.",
                "It can be accepted once it is possible.",
            )
        require_in_time(table, offer, caller.at)
        if agrees(offer, seat.id):
            raise Refused(
                f"You have already agreed to offer {offer.number}.",
                "I ask you once it is possible.",
            )
        return [agreement(offer, seat.id)]


class PickTaker(OfferCommand):
    """Pick this seat among those that accepted the caller's offer to all. ``revision`` None: the
    newest.
    """

    kind = "offer.pick"
    revision: int | None
    taker: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """The transaction resolves, unless something is still to be handed over or confirmed."""
        offer, seat = live_offer(table, self.offer), own_seat(table, caller)
        require_poster(offer, seat, "settle")
        require_in_time(table, offer, caller.at)
        require_revision(offer, self.revision)
        if offer.picked and offer.to == self.taker:
            raise Refused(
                f"You trade with <seat:{self.taker}> already.",
                "You can still turn to another taker.",
            )
        if offer.picked and (offer.seat in offer.handed or offer.to in offer.handed):
            raise Refused(
                f"Cards are handed over for offer {offer.number} with <seat:{offer.to}> already.",
                "To trade with another, withdraw it and post it again.",
            )
        if self.taker not in pickable(table, offer):
            did = "agreed to" if only_agrees(table) else "accepted"
            this_turn = " this turn" if table.window.kind == "turn" else ""
            can = f"<They:{self.taker}> can press {accept_label(table)}."
            if offer.picked:
                can = f"It is for <seat:{offer.to}> now. Withdraw it, and post it again."
            raise Refused(
                f"<seat:{self.taker}> has not {did} offer {offer.number}{this_turn}.",
                can,
            )
        picked = OfferPicked(offer=offer.number, seat=seat.id, taker=self.taker)
        now = apply(table, picked)
        taken = now.offers[offer.number]
        closes = not confirms_twice(table) and signed_now(now, taken, self.taker)
        settles = closes and exchange_of(table) is None
        broken = require_legal(now, trade_of(taken), seat.id, taken, closes=settles)
        if not closes:
            return [picked, agreement(taken, seat.id)]
        signed = signature(now, taken, seat.id)
        return [picked, signed, *resolution(apply(now, signed), taken.number, broken)]


class EndOffer(OfferCommand):
    """Withdraw the caller's own offer, decline one made to them, or back out of either, at this
    revision; None: the newest.
    """

    kind = "offer.end"
    how: Literal["withdraw", "decline", "back_out"]
    revision: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        offer = live_offer(table, self.offer, suspended=True, countered=True)
        require_revision(offer, self.revision)
        seat = own_seat(table, caller)
        if self.how == "withdraw" or (self.how == "back_out" and seat.id == offer.seat):
            require_poster(offer, seat, "withdraw")
            return [
                OfferWithdrawn(
                    offer=offer.number,
                    seat=seat.id,
                    between=between(offer),
                    backed_out=offer.to in accepted(offer),
                )
            ]
        if seat.id == offer.seat:
            raise Refused(f"Offer {offer.number} is your own.", "Withdraw it instead.")
        if offer.to is None and seat.id not in takers(table, offer):
            raise Refused(
                f"Offer {offer.number} is open to everyone.",
                "If you don't want it, just ignore it.",
            )
        require_party(table, offer, seat)
        return [
            OfferDeclined(
                offer=offer.number,
                seat=seat.id,
                between=between(offer),
                backed_out=agrees(offer, seat.id),
            )
        ]


class Declare(OfferCommand):
    """Say that the open goods the caller is short of for an offer do lie before them.

    **I do have them** on the poster's own offer; another accepts in the same press, see `HaveThem`.
    """

    kind = "offer.declare"
    revision: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        offer, seat = live_offer(table, self.offer), own_seat(table, caller)
        require_revision(offer, self.revision)
        if table.settings.declare_holdings == "host" and not is_host(table, caller):
            raise Refused(
                "At this table, only the host says what a player has.",
                f"Ask <person:{table.host}>.",
            )
        require_party(table, offer, seat)
        missing = declarable(table, offer, seat.id)
        if not missing:
            raise Refused(
                f"You have everything that you need for offer {offer.number}.",
                f"Press {accept_label(table)} again.",
            )
        moves = game_of(table).holdings.gain(table, seat.id, missing)
        return [Gained(seat=seat.id, changes=moves.changes, declared=True)]


class HaveThem(OfferCommand):
    """**I do have them**: say that the goods one is short of lie before one, and accept the offer
    with them.

    When it can't be accepted for another reason, only the goods are recorded.
    """

    kind = "offer.have"
    revision: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_revision(live_offer(table, self.offer), self.revision)
        declared = list(Declare(self.offer).decide(table, caller))
        now, agree = replay(declared, table), Agree(self.offer, self.revision)
        try:
            return [*declared, *agree.decide(now, caller)]
        except Refused:
            return declared


# ---------------------------------------------------------------- what cures a violation


def remedies(
    table: Table, violation: Violation, offer: Offer, seat: str
) -> tuple[LabelledAction, ...]:
    """Return what this seat can press to cure the violation, where the host lets players declare
    such things.
    """
    if violation.action == "holdings":
        may = table.settings.declare_holdings == "players" and seat == violation.about
        accepts = seat != offer.seat or both_agree(offer)
        command = (HaveThem if accepts else Declare)(offer.number, offer.revision)
        declare = button("I do have them", table, command)
        return (declare,) if may and declarable(table, offer, seat) else ()
    if not violation.action:
        return ()
    remedy = game_of(table).commands.remedy(table, violation, offer.number, seat)
    if isinstance(remedy, tuple):
        return remedy
    return (remedy,) if remedy else ()


def after_refusal(
    table: Table, violation: Violation, offer: Offer, seat: str
) -> tuple[LabelledAction, ...]:
    """Return what can be done when accepting was refused: cure it with one press, or agree for
    later.
    """
    cures = remedies(table, violation, offer, seat)
    ahead = exchange_of(table) is None and offer.to is not None
    if not ahead or not only_for_now(violation) or agrees(offer, seat):
        return cures
    agree = Agree(offer.number, offer.revision)
    return (*cures, button("Agree for later", table, agree))


def only_for_now(violation: Violation) -> bool:
    """Return whether the trade may become legal with time, the goods being what they are."""
    return bool(violation.rule) and not violation.short and not violation.permanent


# ---------------------------------------------------------------- handing over, sealed until the ot


class HandOver(OfferCommand):
    """Hand over what the caller gives for an offer, agreeing to it if they have not. ``revision``
    None: the newest.
    """

    goods: Goods
    revision: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Goods handed over are sealed until both sides have handed over; until then each may
        choose again.

        An offer to all goes to its only taker who has handed over, once its poster has too. Among
        several, the poster picks.
        """
        offer, seat = live_offer(table, self.offer), own_seat(table, caller)
        exchange = exchange_of(table)
        if exchange is None:
            raise Refused(
                "In this game, goods change hands as soon as both agree.",
                f"Press {accept_label(table)}.",
            )
        require_revision(offer, self.revision)
        require_party(table, offer, seat)
        require_in_time(table, offer, caller.at)
        if self.revision is None:
            _require_last_word(table, offer, seat.id)
        trade = trade_of(offer, seat.id)
        # each looks into their own hand alone
        broken = require_legal(table, trade, seat.id, offer, closes=False)
        violation = exchange.why_not(table, seat.id, trade.gives(seat.id), self.goods)
        if violation is not None:
            raise Refused.because(violation)
        done = list[Entry]()
        if not signed_now(table, offer, seat.id):
            done.append(signature(table, offer, seat.id))
        done.append(
            HandedOver(
                offer=offer.number,
                revision=offer.revision,
                seat=seat.id,
                goods=self.goods,
                between=between(offer),
            )
        )
        now = replay(done, table)
        taken = now.offers[offer.number]
        ready = [taker for taker in takers(now, taken) if taker in taken.handed]
        if len(ready) == 1 and offer.seat in taken.handed:
            [taker] = ready
            possible = trade_of(taken, taker)
            if blocking(now, possible, seat.id, taken, closes=False) is None:
                picked = OfferPicked(offer=offer.number, seat=offer.seat, taker=taker)
                done.append(picked)
                now = apply(now, picked)
                taken = now.offers[offer.number]
        other = taken.other(seat.id)
        if taken.to is not None and other is not None and signed_now(now, taken, other):
            done += resolution(now, offer.number, broken)
        return done


# ---------------------------------------------------------------- what follows when both have signe


def period(table: Table) -> Period:
    """Return what is going on at the table now."""
    window = table.window
    return Period(kind=window.kind, phase=table.phase, holder=window.holder)


def signature(table: Table, offer: Offer, seat: str) -> Signed:
    """Return this seat's signature to the offer, good for this window."""
    return Signed(
        offer=offer.number,
        revision=offer.revision,
        seat=seat,
        window=table.window.number,
        during=period(table),
        between=between(offer),
    )


def agreement(offer: Offer, seat: str, gives: Goods | None = None) -> OfferAgreed:
    """Return that this seat agrees to the offer without signing it. ``gives``: what it chose."""
    return OfferAgreed(
        offer=offer.number,
        revision=offer.revision,
        seat=seat,
        between=between(offer),
        gives=gives,
    )


def confirms_twice(table: Table) -> bool:
    """Return whether everything is confirmed once more; handing over is a confirmation in
    itself.
    """
    return table.settings.confirm == "twice" and exchange_of(table) is None


def only_agrees(table: Table) -> bool:
    """Return whether accepting moves nothing yet: goods are then handed over, or everything is
    confirmed.
    """
    return exchange_of(table) is not None or table.settings.confirm == "twice"


def accept_label(table: Table) -> str:
    """Return the label of the button that accepts an offer at this table."""
    return "Agree" if only_agrees(table) else "Accept"


def resolution(
    table: Table,
    number: int,
    overruled: tuple[str, ...],
    *,
    confirmed: bool = False,
    trade: Trade | None = None,
) -> list[Entry]:
    """Return what follows once both have signed: the transaction, or nothing while a part is to be
    handed over.

    Where something that one side handed over has left its hand since, that side hands over again;
    if a card that the offer names has, the offer is void. ``confirmed``: the last signature
    confirms what both had agreed to. ``trade``: the trade with what was chosen, where the offer
    leaves that open.
    """
    offer, exchange = table.offers[number], exchange_of(table)
    trade = trade or trade_of(offer)
    if exchange is None:
        return list(_resolved(table, offer, trade, overruled, confirmed=confirmed))
    two, describe = (trade.first, trade.second), game_of(table).goods.describe
    if not offer.handed.keys() >= {*two}:
        return []
    reasons, void = dict[str, str](), False
    for seat in two:
        hand = exchange.hand(table, seat)
        if gone := hand.missing(offer.handed[seat]):
            reasons[seat] = f"You no longer have {describe(gone)}, which you had handed over."
            void = void or bool(hand.missing(exchange.named(trade.gives(seat))))
    if void:
        return [OfferVoided(offer=number, between=two, reasons=reasons)]
    if reasons:
        return [
            HandOverUndone(offer=number, seat=seat, between=two, gone=reason)
            for seat, reason in reasons.items()
        ]
    first, second = (offer.handed[seat] for seat in two)
    actual = replace(trade, first_gives=first, second_gives=second)
    return list(_resolved(table, offer, actual, overruled))


def _resolved(
    table: Table,
    offer: Offer,
    trade: Trade,
    overruled: tuple[str, ...],
    *,
    confirmed: bool = False,
) -> Iterable[Entry]:
    """Yield the transaction, and its terms as the deals that remain."""
    game = game_of(table)
    said, promised = dict[str, Goods](), dict[str, Goods]()
    sides = ((trade.first, trade.first_says), (trade.second, trade.second_says))
    for seat, words in sides:
        if not words:
            continue
        said[seat] = words
        # No empty words: they would tell of a private debt.
        if not offer.private and (public := game.redact(words)):
            promised[seat] = public
    if trade.only_says:
        yield OfferBecameDeal(
            offer=offer.number,
            revision=offer.revision,
            first=trade.first,
            second=trade.second,
            private=offer.private,
            negotiation=offer.negotiation,
            promised=promised,
            said=said,
        )
        yield from promises(table, offer, trade.second)
        return
    settled = game.trade.settle(table, trade)
    yield Transaction(
        number=table.transactions + 1,
        offer=offer.number,
        revision=offer.revision,
        window=table.window.number,
        during=period(table),
        first=trade.first,
        second=trade.second,
        given={
            trade.first: game.redact(trade.first_gives),
            trade.second: game.redact(trade.second_gives),
        },
        changes=settled.changes,
        hidden=settled.hidden,
        permits=settled.permits,
        counts=settled.counts,
        overruled=overruled,
        negotiation=offer.negotiation,
        private=offer.private,
        confirmed=confirmed,
        promised=promised,
        said=said,
    )
    # else all would learn that there were any terms
    if not (offer.private and game.trade.private_offers):
        yield from promises(table, offer, trade.second)


def with_standing(table: Table, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries of a command, with the offers that stand for the turn that it begins.

    Only what everybody can see decides whether their poster has what they give.
    """
    if not any(offer.stands for offer in table.offers.values()):
        return entries
    now = replay(entries, table)
    window = now.window
    if window.number == table.window.number or window.kind != "turn" or confirms_twice(now):
        return entries
    standing = list[Entry]()
    for offer in now.open_offers():
        if not offer.stands or offer.seat != window.holder:
            continue
        public = [each for each in forbidding(now, trade_of(offer)) if not each.known_to]
        stands = OfferStands(
            offer=offer.number,
            seat=offer.seat,
            between=between(offer),
            revision=offer.revision,
            window=window.number,
            short=any(violation.short and violation.about == offer.seat for violation in public),
        )
        standing.append(stands)
    return (*entries, *standing)


def promises(table: Table, offer: Offer, to: str) -> Iterable[DealProposed]:
    """Yield the terms of an offer that resolves, as the deals that remain: what binds, then what is
    a promise.

    What was said in private stays private.
    """
    number, private, card = offer.number, offer.private, offer.terms_card
    for terms, later in ((offer.terms_now, False), (offer.terms, True)):
        if terms:
            words = Wording(terms, later, card, rules=rules_named(offer.rules, terms))
            seat = (promiser(table, offer) if later else "") or offer.seat
            other = offer.seat if seat == to else to
            deal = proposed(table, seat, other, words, offer=number, private=private)
            yield deal
            table = replace(table, deals_proposed=deal.deal)


FEATURE = Feature(
    commands=(Sign, Agree, PickTaker, EndOffer, Declare, HaveThem, HandOver),
    entries=(
        OfferAgreed,
        Signed,
        OfferPicked,
        OfferStands,
        OfferDeclined,
        OfferWithdrawn,
        OfferExpired,
        OfferVoided,
        OfferSuperseded,
        HandedOver,
        HandOverUndone,
        Transaction,
        OfferBecameDeal,
    ),
)
