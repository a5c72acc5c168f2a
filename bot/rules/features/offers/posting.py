"""Posting offers: post, counter, repeat, alter, suspend and resume.

Of the terms of an offer, those for now bind with the exchange, where the game says so; those for
later do not. Words that are not said to be for now are for later: nobody is bound by a word that
they did not mean to bind them.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.access import ongoing, own_seat, taken_seat
from bot.rules.apply import replay
from bot.rules.commands import NOBODY, Caller, Command, button
from bot.rules.entries import Entry
from bot.rules.feature import Feature
from bot.rules.features.deals import require_short
from bot.rules.features.house_rules import rules_named
from bot.rules.features.offers.chains import countered
from bot.rules.features.offers.debts import written
from bot.rules.features.offers.entries import (
    OfferAltered,
    OfferConfided,
    OfferCountered,
    OfferPosted,
    OfferRestored,
    OfferResumed,
    OfferSuspended,
    between,
)
from bot.rules.features.offers.signing import (
    HandOver,
    OfferCommand,
    agreement,
    confirms_twice,
    only_agrees,
    signature,
)
from bot.rules.features.offers.state import (
    accepted,
    for_two,
    is_wish,
    later,
    live_offer,
    readable_by_all,
    require_party,
    require_poster,
    require_revision,
    require_worth_posting,
    sides_for,
    trade_of,
)
from bot.rules.game import Game
from bot.rules.limits import require_room_for_offer
from bot.rules.model.debts import PAYS
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Offer, Sides
from bot.rules.model.people import Parties
from bot.rules.model.replacing import facts_of, replace
from bot.rules.model.table import MINUTE, Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of

SHORTEST, LONGEST = 10_000, 7 * 24 * 3600 * 1000
"""How long an offer may be set to stand, in milliseconds: ten seconds to a week."""


class PostOffer(Command):
    """Post an offer to the seat ``to``, or to all (None). ``lasts``: milliseconds until it expires,
    None for never.

    ``terms`` are words that come later, ``terms_now`` what is done at once with the exchange;
    ``terms_card``: they rest on an action card's result. ``handed`` is what is handed over along
    with it, in a game with that step; None to do so later. ``stands``: posted ahead, it stands for
    the caller's next turn, and they are not asked to confirm it then.
    """

    words = ("terms", "terms_now")
    to: str | None = None
    give: Goods = NOTHING
    want: Goods = NOTHING
    terms: str = ""
    terms_now: str = ""
    terms_card: bool = False
    lasts: int | None = None
    negotiation: int | None = None
    handed: Goods | None = None
    stands: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Post an offer, signed by its poster."""
        seat = own_seat(table, caller)
        if self.to == seat.id:
            raise Refused(
                "You can't trade with yourself.",
                "Name another player, or leave it empty to ask everybody.",
            )
        to = taken_seat(table, self.to).id if self.to is not None else None
        if self.negotiation is not None:
            talks = ongoing(table, self.negotiation)
            if not talks.party(seat.id) or (to is not None and not talks.party(to)):
                raise Refused(
                    "Only the two of you can trade here.",
                    "Post offers to others in the table's channel.",
                )
            to = talks.partner(seat.id)
        draft = _draft(table, self, seat.id, to)
        posted = _posted(table, draft, self.lasts, caller)
        return _with_cards(table, posted, self.handed, caller)


def _with_cards(
    table: Table,
    posted: list[Entry],
    goods: Goods | None,
    caller: Caller,
    altered: Offer | None = None,
) -> list[Entry]:
    """Return the posting or altering of an offer, with what its poster hands over along with it.
    Raises `Refused`.
    """
    if goods is None:
        return posted
    if altered:
        handed = HandOver(altered.number, goods, altered.revision)
    else:
        handed = HandOver(table.offers_posted + 1, goods, revision=1)
    return [*posted, *handed.decide(replay(posted, table), caller)]


class CounterOffer(OfferCommand):
    """Answer an offer with another one to its poster, which stands in its place; an offer to all
    stays open too.

    A side that is None is as the first offer has it. ``handed`` as in `PostOffer`; ``revision`` is
    that of the first offer, None for the newest.
    """

    words = ("terms", "terms_now")
    give: Goods | None = None
    want: Goods | None = None
    terms: str = ""
    terms_now: str = ""
    terms_card: bool = False
    lasts: int | None = None
    handed: Goods | None = None
    revision: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        first, seat = live_offer(table, self.offer), own_seat(table, caller)
        require_revision(first, self.revision)
        if seat.id == first.seat:
            raise Refused(
                f"Offer {first.number} is your own.", "Alter it instead: **Alter** on its card."
            )
        require_party(table, first, seat)
        answer = PostOffer(
            give=first.want if self.give is None else self.give,
            want=first.give if self.want is None else self.want,
            terms=self.terms,
            terms_now=self.terms_now,
            terms_card=self.terms_card,
            negotiation=first.negotiation,
        )
        draft = _draft(table, answer, seat.id, first.seat)
        private = draft.private or first.private or is_wish(first)
        draft = replace(draft, parent=first.number, private=private)
        posted = _posted(table, draft, self.lasts, caller)
        posted += countered(first, draft)
        return _with_cards(table, posted, self.handed, caller)


class RepeatOffer(OfferCommand):
    """Post an offer once more: one that is over from either of its two, one to all or that stands
    from its poster.
    """

    kind = "offer.repeat"

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """A successor in a seat must not learn what was traded there before."""
        offer, seat = table.offers.get(self.offer), own_seat(table, caller)
        if offer is not None and offer.live and offer.seat == seat.id:
            return _second(table, offer, caller)
        mine = offer is not None and seat.id == offer.seat
        known = offer is not None and offer.parties.include(caller.person, seat.id)
        if offer is None or not known or (offer.to is None and not mine):
            raise Refused(
                f"Offer {self.offer} was between others.",
                "**New offer** makes one of your own.",
            )
        to = offer.to if mine else offer.seat
        there = table.seats[to].person if to is not None else None
        if to is not None and not offer.parties.include(there or NOBODY, to):
            then = offer.parties.people[to]
            raise Refused(f"<person:{then}> has left that seat.", "**New offer** makes a new one.")
        if offer.negotiation is not None and offer.negotiation not in table.negotiations:
            raise Refused(
                "That was posted in private negotiations that are now closed.",
                "**Negotiate…** under **Menu** starts new ones.",
            )
        give, want = sides_for(offer, seat.id)
        wish = table.offers.get(offer.parent or 0)
        if mine and wish is not None and is_wish(wish):
            words = (offer.terms, offer.terms_now, offer.terms_card)
            return CounterOffer(wish.number, give, want, *words).decide(table, caller)
        again = _like(offer, to, give, want)
        if not offer.confided:
            return again.decide(table, caller)
        draft = replace(_draft(table, again, seat.id, to), private=True)
        posted = _posted(table, draft, None, caller)
        return [entry.model_copy(update={"confided": True}) for entry in posted]


def _second(table: Table, offer: Offer, caller: Caller) -> list[Entry]:
    """Return the posting of a second offer like this one, which stands; it lasts as long as the
    first did.
    """
    to = None if offer.picked else offer.to
    again = _like(offer, to, offer.give, offer.want)
    first = table.offers.get(offer.parent or 0)
    # another's place is taken
    parent = first.number if first is not None and first.to_all else None
    draft = _draft(table, again, offer.seat, to)
    draft = replace(draft, parent=parent, private=offer.private or draft.private)
    return _posted(table, draft, _duration(offer), caller, twice=True)


def _duration(offer: Offer) -> int | None:
    """Return how long an offer stands from its posting, in milliseconds; None for no limit."""
    if offer.until is None or offer.posted_at is None:
        return None
    return offer.until - offer.posted_at


class SameOffer(OfferCommand):
    """Offer the poster of an offer to another player the same trade."""

    kind = "offer.same"
    revision: int

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        offer, seat = table.offers.get(self.offer), own_seat(table, caller)
        if offer is None or offer.private:
            raise Refused("That is for another player.", "**Offers** on the board shows yours.")
        require_revision(offer, self.revision)
        for_others = offer.to is not None and not offer.parties.include(caller.person, seat.id)
        if offer.status != "open" or not for_others or not readable_by_all(table, offer):
            raise Refused(
                f"Offer {offer.number} is not one you can match.",
                "You can post one of your own.",
            )
        give, want = offer.want.without_kind(PAYS), offer.give.without_kind(PAYS)
        return _like(offer, offer.seat, give, want).decide(table, caller)


def _like(offer: Offer, to: str | None, give: Goods, want: Goods) -> PostOffer:
    """Return the posting of these goods with the words of another offer, in the negotiation of that
    one.
    """
    return PostOffer(
        to=to,
        give=give,
        want=want,
        terms=offer.terms,
        terms_now=offer.terms_now,
        terms_card=offer.terms_card,
        negotiation=offer.negotiation,
    )


class AlterOffer(OfferCommand):
    """Change the caller's own offer: a new revision, for which every signature must be given anew.

    What is None stays; ``revision`` None means the newest one. ``handed`` as in `PostOffer`.
    """

    words = ("terms", "terms_now")
    revision: int | None = None
    give: Goods | None = None
    want: Goods | None = None
    terms: str | None = None
    terms_now: str | None = None
    terms_card: bool | None = None
    handed: Goods | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        offer, seat = live_offer(table, self.offer), own_seat(table, caller)
        require_poster(offer, seat, "alter")
        require_revision(offer, self.revision)
        changed = replace(
            offer,
            give=offer.give if self.give is None else self.give,
            want=offer.want if self.want is None else self.want,
            terms=offer.terms if self.terms is None else self.terms,
            terms_now=offer.terms_now if self.terms_now is None else self.terms_now,
            revision=offer.revision + 1,
            private=offer.private or for_two(table, offer.to, offer.negotiation),
        )
        # With the last word goes that they rest on a card.
        card = offer.terms_card and changed.has_terms
        if self.terms_card is not None:
            card = self.terms_card
        changed = _worded(table, replace(changed, terms_card=card))
        if changed.sides == offer.sides:
            raise Refused(
                f"Offer {offer.number} already says exactly that.",
                "Change what is given, what is wanted or the terms.",
            )
        pays = changed.give.of_kind(PAYS) or changed.want.of_kind(PAYS)
        for_all = readable_by_all(table, changed) and not pays
        if offer.picked and not changed.private and not for_all:
            raise Refused(
                f"If <seat:{offer.to}> declines, offer {offer.number} is open to all again, so it "
                "can't have what is for you two.",
                f"Withdraw it, and post one to <seat:{offer.to}>.",
            )
        require_fitting(table, changed)
        require_worth_posting(table, changed)
        public = _public(game_of(table), changed)
        passed_over: tuple[str, ...] = ()
        if offer.picked:
            passed_over = tuple(taker for taker in accepted(offer) if not offer.party(taker))
        altered = OfferAltered(
            offer=offer.number,
            revision=changed.revision,
            seat=seat.id,
            to=offer.to,
            **facts_of(public, Sides),
            exact=changed.sides,
            private=changed.private,
            when=later(table, trade_of(changed), private=changed.private),
            passed_over=passed_over,
        )
        entries: list[Entry] = [altered, _consent(table, changed, seat.id)]
        return _with_cards(table, entries, self.handed, caller, changed)


class PauseOffer(OfferCommand):
    """Suspend the caller's own offer at this revision, None for the newest, or resume it."""

    kind = "offer.pause"
    paused: bool
    revision: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        offer, seat = live_offer(table, self.offer, suspended=True), own_seat(table, caller)
        require_revision(offer, self.revision)
        require_poster(offer, seat, "suspend" if self.paused else "resume")
        if self.paused == (offer.status == "suspended"):
            now = "suspended" if self.paused else "open"
            raise Refused(f"Offer {offer.number} is already {now}.")
        kind = OfferSuspended if self.paused else OfferResumed
        return [kind(offer=offer.number, seat=seat.id, between=between(offer))]


# ---------------------------------------------------------------- what every one of them checks and


def _draft(table: Table, command: PostOffer, seat: str, to: str | None) -> Offer:
    """Return the offer that would be posted."""
    ahead = to is not None and table.window.holder != seat
    return Offer(
        number=table.offers_posted + 1,
        seat=seat,
        to=to,
        give=command.give,
        want=command.want,
        terms=command.terms,
        terms_now=command.terms_now,
        terms_card=command.terms_card,
        negotiation=command.negotiation,
        private=for_two(table, to, command.negotiation),
        parties=Parties.of((seat, to), table.holders()),
        stands=command.stands and ahead and not only_agrees(table),
    )


def _posted(
    table: Table, offer: Offer, lasts: int | None, caller: Caller, *, twice: bool = False
) -> list[Entry]:
    """Return the posting of a draft and its poster's consent. Raises `Refused` for what may not be
    posted.

    It expires as its poster says, else as the table is set, else never. ``twice``: also if they
    posted the same a moment ago.
    """
    require_room_for_offer(table, offer.seat, offer.to)
    require_fitting(table, offer)
    offer = _worded(table, offer)
    if lasts is not None and not SHORTEST <= lasts <= LONGEST:
        raise Refused("An offer can stay open from ten seconds to a week.", "Try 10m, 2h or 1d.")
    if lasts is None and table.settings.timer and not game_of(table).trade.offers_end:
        lasts = table.settings.timer * MINUTE
    until = None if lasts is None else caller.at + lasts
    require_worth_posting(table, offer)
    if not twice:
        require_meant(table, replace(offer, posted_at=caller.at, until=until), caller.at)
    public = _public(game_of(table), offer)
    return [
        OfferPosted(
            offer=offer.number,
            seat=offer.seat,
            to=offer.to,
            **facts_of(public, Sides),
            exact=offer.sides,
            parent=offer.parent,
            until=until,
            posted_at=caller.at,
            negotiation=offer.negotiation,
            private=offer.private,
            when=later(table, trade_of(offer), private=offer.private),
            stands=offer.stands,
        ),
        _consent(table, offer, offer.seat),
    ]


def _worded(table: Table, offer: Offer) -> Offer:
    """Return an offer with the debts that it pays and the house rules that it names as they are
    now.
    """
    rules = rules_named(table.house_rules, offer.terms_now, offer.terms)
    return written(table, replace(offer, rules=rules))


def _public(game: Game, offer: Offer) -> Sides:
    """Return what everybody may read: all of an offer to all, nothing of a private one, else no
    hidden cards.
    """
    if offer.private:
        return Sides()
    if offer.to is None:
        return offer.sides
    give, want = game.redact(offer.give), game.redact(offer.want)
    return replace(offer.sides, give=give, want=want)


def _consent(table: Table, offer: Offer, seat: str) -> Entry:
    """Return what posting and altering imply for the poster: a signature, or agreement where all is
    confirmed.
    """
    return agreement(offer, seat) if confirms_twice(table) else signature(table, offer, seat)


def require_fitting(table: Table, offer: Offer) -> None:
    """Raise `Refused` for terms that are too long, and for terms for now where words never bind."""
    require_short(offer.terms)
    require_short(offer.terms_now)
    if (offer.terms_now or offer.terms_card) and not game_of(table).info.agreements.deals_bind:
        raise Refused("In this game, terms never bind, now or later.", "Write them as terms only.")
    if offer.terms_card and not offer.has_terms:
        raise Refused(
            "You wrote no terms that could depend on an action card.",
            "Write what you agree on.",
        )


# ---------------------------------------------------------------- the same twice, as by pressing tw


A_MOMENT = MINUTE
"""Milliseconds within which the same offer is likely to be posted twice by mistake."""


def require_meant(table: Table, offer: Offer, at: int) -> None:
    """Raise `Refused`, with a button to post it all the same, if the same offer was posted a moment
    before ``at``.

    ``at`` is in milliseconds since 1970. An offer that is over stands in nobody's way.
    """
    standing = (each for each in table.live_offers() if each.status != "countered")
    same = [each for each in standing if _identity(each) == _identity(offer)]
    for earlier in reversed(same):
        if earlier.posted_at is not None and 0 <= at - earlier.posted_at < A_MOMENT:
            number = earlier.number
            raise Refused(
                f"You posted the same offer a moment ago: offer {number}, and it is still open.",
                "Did you mean to? Then post it again.",
                options=(button("Post it again", table, RepeatOffer(number)),),
            )


def _identity(offer: Offer) -> object:
    """Return everything that makes two offers the same to those who read them."""
    return (
        offer.seat,
        offer.to,
        offer.parties,
        offer.give,
        offer.want,
        offer.terms,
        offer.terms_now,
        offer.terms_card,
        offer.negotiation,
        _duration(offer),
    )


FEATURE = Feature(
    commands=(PostOffer, CounterOffer, RepeatOffer, SameOffer, AlterOffer, PauseOffer),
    entries=(
        OfferConfided,
        OfferPosted,
        OfferAltered,
        OfferCountered,
        OfferRestored,
        OfferSuspended,
        OfferResumed,
    ),
)
