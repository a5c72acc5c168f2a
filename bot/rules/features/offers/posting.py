"""What the poster of an offer does: post, counter, alter, suspend, resume, repeat."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.apply import replay
from bot.rules.caps import require_room_for_offer
from bot.rules.commands import Caller
from bot.rules.entries import Entry
from bot.rules.features.offers.checks import require_party, require_poster, require_revision, require_worth_posting
from bot.rules.features.offers.commands import AlterOffer, CounterOffer, HandOver, PauseOffer, PostOffer, RepeatOffer
from bot.rules.features.offers.ends import between
from bot.rules.features.offers.entries import OfferAltered, OfferPosted, OfferResumed, OfferSuspended
from bot.rules.features.offers.handing import hand_over
from bot.rules.features.offers.resolving import agreement, confirms_twice, signature
from bot.rules.features.offers.slips import require_meant
from bot.rules.features.offers.state import for_two, live_offer
from bot.rules.features.offers.terms import require_fitting, with_changes
from bot.rules.game import Game
from bot.rules.lookup import ongoing, own_seat, taken_seat
from bot.rules.model.offers import Offer, Sides
from bot.rules.model.people import Parties
from bot.rules.model.replacing import replace
from bot.rules.model.table import MINUTE, Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of

SHORTEST, LONGEST = 10_000, 7 * 24 * 3600 * 1000
"""How long an offer may be set to stand, in milliseconds: ten seconds to a week."""


def post(table: Table, command: PostOffer, caller: Caller) -> Iterable[Entry]:
    """Post an offer, signed by its poster.

    Raises `Refused` for an offer to oneself, to an empty seat, or from a negotiation to a third; for one offer too many
    (`bot.rules.caps`); for terms or a time that are too long; and for what could never change hands.
    """
    seat = own_seat(table, caller)
    if command.to == seat.id:
        raise Refused("", "You can't trade with yourself.", "Name another player, or nobody to ask everybody.")
    to = taken_seat(table, command.to).id if command.to is not None else None
    if command.negotiation is not None:
        to = _partner(table, command.negotiation, seat.id, to)
    posted = _posted(table, _draft(table, command, seat.id, to), command.lasts, caller)
    if command.handed is None:
        return posted
    handed = HandOver(offer=table.offers_posted + 1, revision=1, goods=command.handed)
    return [*posted, *hand_over(replay(posted, table), handed, caller)]


def _partner(table: Table, number: int, seat: str, to: str | None) -> str:
    """Return the other side of a negotiation. Raises `Refused` when it is over, or the offer is for a third."""
    negotiation = ongoing(table, number)
    if not negotiation.party(seat) or (to is not None and not negotiation.party(to)):
        raise Refused("", "Here only the two of you trade.", "Offers to others go to the table's channel.")
    return negotiation.partner(seat)


def counter(table: Table, command: CounterOffer, caller: Caller) -> Iterable[Entry]:
    """Answer an offer with another one to its poster. The first one stays open.

    Raises `Refused` for the poster's own offer, for one to another seat, and as `post`.
    """
    first, seat = live_offer(table, command.offer), own_seat(table, caller)
    if seat.id == first.seat:
        raise Refused("", f"Offer {first.number} is your own.", "Alter it instead: /offer alter.")
    require_party(table, first, seat)
    answer = PostOffer(
        give=first.want if command.give is None else command.give,
        want=first.give if command.want is None else command.want,
        terms=command.terms, terms_now=command.terms_now, terms_card=command.terms_card,
        negotiation=first.negotiation,
    )  # fmt: skip
    draft = replace(_draft(table, answer, seat.id, first.seat), parent=first.number)
    return _posted(table, draft, command.lasts, caller)


def repeat(table: Table, command: RepeatOffer, caller: Caller) -> Iterable[Entry]:
    """Post the same offer once more: a resolved one from either of the two that it was between, one that still stands
    from its poster, who was asked whether that is meant.

    Raises `Refused` for others, successors among them, when the other person has left that seat, since their successor
    must not learn what was traded, when the negotiation is closed, and as `post`.
    """
    offer, seat = table.offers.get(command.offer), own_seat(table, caller)
    if offer is not None and offer.live and offer.seat == seat.id:
        return _second(table, offer, caller)
    if offer is None or offer.to is None or not offer.parties.include(caller.person, seat.id):
        raise Refused("", f"Offer {command.offer} was between others.", "/offer post makes one of your own.")
    mine = seat.id == offer.seat
    other = table.seats[offer.to if mine else offer.seat]
    if other.person is None or not offer.parties.include(other.person, other.id):
        then = offer.parties.people[other.id]
        raise Refused("", f"<person:{then}> has left that seat.", "/offer post makes a new offer.")
    if offer.negotiation is not None and offer.negotiation not in table.negotiations:
        raise Refused(
            "", "That was agreed in private, and those negotiations are closed.", "/negotiate open begins new ones."
        )
    give, want = (offer.give, offer.want) if mine else (offer.want, offer.give)
    again = PostOffer(
        to=other.id, give=give, want=want, terms=offer.terms, terms_now=offer.terms_now, terms_card=offer.terms_card,
        negotiation=offer.negotiation,
    )  # fmt: skip
    return post(table, again, caller)


def _second(table: Table, offer: Offer, caller: Caller) -> list[Entry]:
    """Return the posting of a second offer like this one, which stands; it lasts as long as the first did."""
    to = None if offer.picked else offer.to
    lasts = offer.until - offer.posted_at if offer.until is not None and offer.posted_at is not None else None
    again = PostOffer(
        to=to, give=offer.give, want=offer.want, terms=offer.terms, terms_now=offer.terms_now,
        terms_card=offer.terms_card, negotiation=offer.negotiation,
    )  # fmt: skip
    draft = replace(_draft(table, again, offer.seat, to), parent=offer.parent)
    return _posted(table, draft, lasts, caller, twice=True)


def alter(table: Table, command: AlterOffer, caller: Caller) -> Iterable[Entry]:
    """Change the caller's own offer: a new revision, for which every signature must be given anew.

    Raises `Refused` for another's offer, for another revision than the newest, when nothing changes, and as `post`.
    """
    offer, seat = live_offer(table, command.offer), own_seat(table, caller)
    require_poster(offer, seat, "alter")
    require_revision(offer, command.revision)
    changed = replace(
        with_changes(offer, command),
        give=offer.give if command.give is None else command.give,
        want=offer.want if command.want is None else command.want,
        revision=offer.revision + 1,
        private=for_two(table, offer.to, offer.negotiation),
    )
    if changed.sides == offer.sides:
        raise Refused("", f"That is how offer {offer.number} stands already.", "Change what is given, wanted or said.")
    require_fitting(table, changed)
    require_worth_posting(table, changed)
    public = _public(game_of(table), changed)
    yield OfferAltered(
        offer=offer.number, revision=changed.revision, seat=seat.id, to=offer.to, give=public.give, want=public.want,
        terms=public.terms, terms_now=public.terms_now, terms_card=public.terms_card, exact=changed.sides,
        private=changed.private,
    )  # fmt: skip
    yield _consent(table, changed, seat.id)


def pause(table: Table, command: PauseOffer, caller: Caller) -> Iterable[Entry]:
    """Suspend the caller's own offer, or resume it. Raises `Refused` for another's, and when it is so already."""
    offer, seat = live_offer(table, command.offer, suspended=True), own_seat(table, caller)
    require_poster(offer, seat, "suspend" if command.paused else "resume")
    if command.paused == (offer.status == "suspended"):
        now = "suspended" if command.paused else "open"
        raise Refused("", f"Offer {offer.number} is {now} already.")
    kind = OfferSuspended if command.paused else OfferResumed
    return [kind(offer=offer.number, seat=seat.id, between=between(offer))]


def _draft(table: Table, command: PostOffer, seat: str, to: str | None) -> Offer:
    """Return the offer that would be posted."""
    return Offer(
        number=table.offers_posted + 1, seat=seat, to=to, give=command.give, want=command.want, terms=command.terms,
        terms_now=command.terms_now, terms_card=command.terms_card,
        negotiation=command.negotiation, private=for_two(table, to, command.negotiation),
        parties=Parties.of((seat, to), table.holders()),
    )  # fmt: skip


def _posted(table: Table, offer: Offer, lasts: int | None, caller: Caller, *, twice: bool = False) -> list[Entry]:
    """Return the posting of a draft and its poster's consent. Raises `Refused` for what may not be posted.

    ``twice``: also if they posted the same a moment ago.
    """
    require_room_for_offer(table, offer.seat, offer.to)
    require_fitting(table, offer)
    until = _until(table, lasts, caller.at)
    require_worth_posting(table, offer)
    if not twice:
        require_meant(table, replace(offer, posted_at=caller.at, until=until), caller.at)
    public = _public(game_of(table), offer)
    return [
        OfferPosted(
            offer=offer.number, seat=offer.seat, to=offer.to, give=public.give, want=public.want, terms=public.terms,
            terms_now=public.terms_now, terms_card=public.terms_card,
            exact=offer.sides, parent=offer.parent, until=until, posted_at=caller.at, negotiation=offer.negotiation,
            private=offer.private,
        ),
        _consent(table, offer, offer.seat),
    ]  # fmt: skip


def _until(table: Table, lasts: int | None, now: int) -> int | None:
    """Return when the offer expires: as the poster says, else as the table is set, else never.

    Raises `Refused` for less than `SHORTEST` or more than `LONGEST`.
    """
    if lasts is not None:
        if not SHORTEST <= lasts <= LONGEST:
            raise Refused("", "An offer can stand for ten seconds to a week.", "For example: 10m, 2h or 1d.")
        return now + lasts
    if table.settings.timer and not game_of(table).trade.offers_end:
        return now + table.settings.timer * MINUTE
    return None


def _public(game: Game, offer: Offer) -> Sides:
    """Return what everybody may read: all of an offer to all, nothing of a private one, else no hidden cards."""
    if offer.private:
        return Sides()
    if offer.to is None:
        return offer.sides
    return replace(offer.sides, give=game.redact(offer.give), want=game.redact(offer.want))


def _consent(table: Table, offer: Offer, seat: str) -> Entry:
    """Return what posting and altering imply for the poster: a signature, or agreement where all is confirmed."""
    return agreement(offer, seat) if confirms_twice(table) else signature(table, offer, seat)
