"""The state of an offer: who has signed it, who is asked for what, and why it can't resolve now.

Each `require_...` raises `Refused` with what would have worked.
"""

from __future__ import annotations

from dataclasses import replace

from bot.rules.commands import NOBODY
from bot.rules.features.offers import debts
from bot.rules.game import Exchange, GiversChoice, Trade
from bot.rules.model.actions import LabelledAction, OfferAction
from bot.rules.model.debts import is_word, without_words, words_of
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Offer
from bot.rules.model.table import Seat, Table
from bot.rules.model.violation import Refused, Violation
from bot.rules.registry import game_of


def live_offer(
    table: Table, number: int, *, suspended: bool = False, countered: bool = False
) -> Offer:
    """Return the offer of this number.

    Raises `Refused` when there is none or it is over, and, unless such ones will do, when it is
    ``suspended`` or ``countered``; then with a button to the offer in its place.

    >>> live_offer(table, 1).seat
    'red'
    """
    offer, info = table.offers.get(number), game_of(table).info
    if offer is None:
        raise Refused(
            f"There is no offer {number} at this table.",
            "**Offers** on the board shows the open ones.",
        )
    if offer.status == "resolved":
        final = not game_of(table).commands.can_take_back(table.settings)
        raise Refused(
            f"Offer {number} has been resolved.",
            "That can't be undone." if final else "",
            rule=info.rule_number("irrevocable"),
        )
    if offer.status == "suspended" and not suspended:
        raise Refused(f"Offer {number} is suspended.", f"<seat:{offer.seat}> can resume it.")
    if offer.status == "countered" and not countered:
        answer = table.offers[offer.answer or 0]
        action = OfferAction(table.id, answer.number, answer.revision, "more")
        raise Refused(
            f"Offer {number} is countered: offer {answer.number} stands in its place.",
            f"If that is declined or withdrawn, offer {number} stands again.",
            options=(LabelledAction(f"Look at offer {answer.number}", action),),
        )
    if offer.status == "void" and game_of(table).trade.offers_end and table.window.kind == "none":
        raise Refused(
            f"Offer {number} ended when time ran out.",
            "Anything you had agreed is off.",
            rule=info.rule_number("time_up"),
        )
    if not offer.live:
        ended = {
            "void": "is void",
            "expired": "has run out",
            "superseded": f"ended with offer {offer.answer}",
        }
        over = ended.get(offer.status, f"was {offer.status}")
        raise Refused(f"Offer {number} {over}.", "**Offers** on the board shows the open ones.")
    return offer


def sides_for(offer: Offer, seat: str) -> tuple[Goods, Goods]:
    """Return what this seat gives and gets by an offer, if it is the poster's or takes it up."""
    if seat == offer.seat:
        return offer.give, offer.want
    return offer.want, offer.give


def for_two(table: Table, to: str | None, negotiation: int | None) -> bool:
    """Return whether such an offer is for its two only: in a negotiation, or to one seat where that
    is private.
    """
    return negotiation is not None or (to is not None and game_of(table).trade.private_offers)


def choice_of(table: Table, offer: Offer, seat: str) -> GiversChoice | None:
    """Return what this seat chooses from when it agrees last, where the offer leaves open what it
    gives.
    """
    gives, _ = sides_for(offer, seat)
    return game_of(table).trade.choice(table, seat, without_words(gives))


def signed_now(table: Table, offer: Offer, seat: str) -> bool:
    """Return whether this seat's signature stands: given to this revision, in this window unless
    nothing moves.

    Where the offer leaves open what the seat gives, none stands.
    """
    signature = offer.signatures.get(seat)
    if signature is None or signature.revision != offer.revision:
        return False
    in_time = signature.window == table.window.number or only_says(offer)
    return in_time and choice_of(table, offer, seat) is None


def only_says(offer: Offer) -> bool:
    """Return whether nothing moves in an offer, since its sides only owe."""
    named = (*offer.give, *offer.want)
    return bool(named) and all(map(is_word, named))


def agrees(offer: Offer, seat: str) -> bool:
    """Return whether this seat has agreed to this revision, ahead of time or by a signature that
    may have lapsed.

    >>> agrees(table.offers[1], "red"), agrees(table.offers[1], "green")
    (True, False)
    """
    signature = offer.signatures.get(seat)
    return offer.agreed.get(seat) == offer.revision or (
        signature is not None and signature.revision == offer.revision
    )


def accepted(offer: Offer) -> tuple[str, ...]:
    """Return the seats other than its poster's that agreed to the offer at its revision, also when
    it is over.
    """
    said = dict.fromkeys((*offer.signatures, *offer.agreed))
    return tuple(seat for seat in said if seat != offer.seat and agrees(offer, seat))


def both_agree(offer: Offer) -> bool:
    """Return whether both have agreed to the offer at its revision, and it is not resolved."""
    return (
        offer.status == "open"
        and offer.to is not None
        and agrees(offer, offer.seat)
        and agrees(offer, offer.to)
    )


def ahead(offer: Offer) -> bool:
    """Return whether both have agreed to the offer without signing it, so that both must
    confirm.
    """
    agreed = (offer.agreed.get(seat) for seat in (offer.seat, offer.to or ""))
    return both_agree(offer) and all(revision == offer.revision for revision in agreed)


def to_confirm(table: Table, offer: Offer, *, for_two: bool = True) -> tuple[str, ...]:
    """Return the seats that are asked to confirm now.

    Both agree, the offer is legal as far as both of the two can see, and their signature does not
    stand. Whether a hidden hand has what it promised comes out when its owner confirms. Unless
    ``for_two``, as far as everybody can see.
    """
    if not both_agree(offer) or _seen(table, offer, for_two=for_two):
        return ()
    two = (offer.seat, offer.to or "")
    missing = tuple(seat for seat in two if not signed_now(table, offer, seat))
    if len(missing) == 1:
        return missing
    # Who chooses what they give does it last.
    return tuple(seat for seat in missing if choice_of(table, offer, seat) is None)


def stopped(table: Table, offer: Offer) -> bool:
    """Return whether everybody can see that the offer can't resolve now."""
    return bool(_seen(table, offer, for_two=False))


def _seen(table: Table, offer: Offer, *, for_two: bool) -> list[Violation]:
    """Return what forbids the offer as far as everybody can see, or both of the two."""
    forbids = forbidding(table, trade_of(offer))
    public = [violation for violation in forbids if not violation.known_to]
    if not for_two:
        return public
    by_one = [violation for violation in forbids if violation.known_to == offer.seat]
    by_both = []
    for violation in by_one:
        if replace(violation, known_to=offer.to or "") in forbids:
            by_both.append(violation)
    return [*public, *by_both]


def uncovered(table: Table, offer: Offer, *, for_two: bool = True) -> tuple[str, ...]:
    """Return the seats that are short for what both agreed on, where nothing else stands against
    it or it lasts: as far as both of the two can see, or else everybody.
    """
    if not both_agree(offer) or exchange_of(table) is not None:
        return ()
    seen = _seen(table, offer, for_two=for_two)
    lasting = [violation for violation in seen if violation.lasts]
    if not lasting and not all(violation.short and violation.about for violation in seen):
        return ()
    return tuple(dict.fromkeys(violation.about for violation in lasting or seen))


def lapsed(table: Table, offer: Offer) -> dict[str, str | None]:
    """Return the seats whose acceptance of an open offer to all is gone with the turn of another,
    and that seat.
    """
    if offer.to is not None or offer.status != "open":
        return {}
    standing = (offer.seat, *takers(table, offer))
    turns = dict[str, str | None]()
    for seat, signature in offer.signatures.items():
        if seat not in standing and agrees(offer, seat):
            turns[seat] = signature.holder
    return turns


def altered_for(offer: Offer) -> tuple[str, ...]:
    """Return the seats whose acceptance is gone since the offer was altered, and who can give it
    again.
    """
    if offer.status != "open":
        return ()
    gone = offer.earlier - {offer.seat, *offer.signatures, *offer.agreed}
    return tuple(sorted(seat for seat in gone if offer.to in (None, seat)))


def agreed_deals(table: Table) -> tuple[int, ...]:
    """Return the offers on which both have agreed, so that only the goods are still to be handed
    over.

    >>> agreed_deals(table)
    ()
    """
    if exchange_of(table) is None:
        return ()
    return tuple(offer.number for offer in table.live_offers() if both_agree(offer))


def promiser(table: Table, offer: Offer) -> str:
    """Return the seat that promises the terms for later: the poster, or of a counter with the same
    words, whoever said them first. Empty for none, and where that offer is no longer known.
    """
    if not offer.terms or offer.parent is None:
        return offer.seat if offer.terms else ""
    answered = table.offers.get(offer.parent)
    if answered is None:
        return ""
    return promiser(table, answered) if answered.terms == offer.terms else offer.seat


def exchange_of(table: Table) -> Exchange | None:
    """Return how goods are handed over at this table, where that is a step of its own and holdings
    are counted.
    """
    return game_of(table).exchange if table.tracked else None


def is_wish(offer: Offer) -> bool:
    """Return whether an offer to everybody says what its poster wants, and leaves open what they
    give. Its answers are offers to them alone.
    """
    return offer.to is None and bool(offer.want) and not offer.give and not offer.has_terms


def opens(table: Table, offer: Offer) -> bool:
    """Return whether this offer only opens talks: it is answered with another offer, and can't be
    accepted.
    """
    exchange = game_of(table).exchange
    return is_wish(offer) or (exchange is not None and exchange.opens(table, offer))


def to_hand_over(table: Table, offer: Offer) -> tuple[str, ...]:
    """Return the seats that are asked to hand over now: both have agreed, the rules allow it as far
    as everybody can see, and their part is not there yet.
    """
    if exchange_of(table) is None or not table.running:
        return ()
    if offer.status != "open" or offer.to is None:
        return ()
    both = (offer.seat, offer.to)
    if not all(signed_now(table, offer, seat) for seat in both):
        return ()
    if stopped(table, offer):  # the host has changed a setting since
        return ()
    return tuple(seat for seat in both if seat not in offer.handed)


def takers(table: Table, offer: Offer) -> tuple[str, ...]:
    """Return the seats whose acceptance of an offer to all stands."""
    return pickable(table, offer) if offer.to is None else ()


def pickable(table: Table, offer: Offer) -> tuple[str, ...]:
    """Return the seats that the poster of an offer to all can pick: those whose acceptance stands.

    After a pick these are the others, while neither of the two has handed over.
    """
    if offer.to is not None:
        handed = offer.seat in offer.handed or offer.to in offer.handed
        if not offer.picked or offer.status != "open" or handed:
            return ()
    standing = []
    for seat in dict.fromkeys((*offer.signatures, *offer.agreed)):
        agreed = offer.agreed.get(seat) == offer.revision
        if not offer.party(seat) and (agreed or signed_now(table, offer, seat)):
            standing.append(seat)
    return tuple(standing)


def trade_of(offer: Offer, taker: str | None = None) -> Trade:
    """Return the transaction this offer would be, with the seat that takes it up when it is open to
    all.
    """
    second = offer.to
    if second is None and taker != offer.seat:
        second = taker
    gives, wants = offer.give, offer.want
    return Trade(
        offer.seat,
        second or "",
        without_words(gives),
        without_words(wants),
        words_of(gives),
        words_of(wants),
    )


def declarable(table: Table, offer: Offer, seat: str) -> Goods:
    """Return what this seat lacks of what it would give and may say that it has: the part that lies
    open.
    """
    gives = trade_of(offer, seat).gives(seat)
    missing = table.seats[seat].holdings.missing(gives)
    return game_of(table).self_reportable(missing)


def violations(table: Table, trade: Trade) -> list[Violation]:
    """Return everything that forbids this trade at this table now, the most telling first.

    This is the only source of "why not": refusals, cards and /table show all ask here.
    """
    found = list[Violation]()
    if trade.first_says or trade.second_says:
        found += debts.violations(table, trade)
        if trade.only_says:
            return found
    return found + game_of(table).trade.violations(table, trade)


def forbidding(table: Table, trade: Trade) -> list[Violation]:
    """Return the violations that stop this trade here.

    A table may be set only to warn, but nobody can give what is not there.

    >>> trade = Trade("red", "green", Goods({"silk": 9}), NOTHING)
    >>> [violation.rule for violation in forbidding(table, trade)]
    ['1']
    """
    found = violations(table, trade)
    if table.settings.rulings != "warn":
        return found
    return [violation for violation in found if violation.short]


def later(table: Table, trade: Trade, *, private: bool = False) -> str:
    """Return when a trade between two is possible, if it is not now, in words that stay true; see
    `Violation.when`.

    Empty if it is possible now, or if something else than the time is the first thing to stand
    against it. Since everybody may read it, nothing that a ``private`` offer says bears on it.
    """
    if private:
        trade = Trade(trade.first, trade.second, NOTHING, NOTHING)
    found = forbidding(table, trade) if trade.second else []
    if private:
        found = [violation for violation in found if not violation.of_goods]
    return found[0].when if found and not found[0].known_to else ""


# ---------------------------------------------------------------- what a command about an offer mus


def require_legal(
    table: Table, trade: Trade, seat: str, offer: Offer, *, closes: bool
) -> tuple[str, ...]:
    """Raise `Refused` for the violation that stops this trade for ``seat``; else return
    `overruled`.

    ``closes`` as of `blocking`.
    """
    violation = blocking(table, trade, seat, offer, closes=closes)
    if violation is not None:
        raise Refused.because(violation)
    return overruled(table, trade, offer)


def overruled(table: Table, trade: Trade, offer: Offer) -> tuple[str, ...]:
    """Return the numbers of the rules that this trade breaks and this table lets pass, for the
    transaction's entry.
    """
    if table.settings.rulings != "warn":
        return ()  # it lets nothing pass
    hidden = offer.private and game_of(table).trade.private_offers
    # The entry is public: which rule a private offer breaks would tell what it holds, as another's
    # hand might.
    public = (found for found in violations(table, trade) if not found.known_to)
    return tuple(found.rule for found in public if not (hidden and found.of_goods))


def blocking(
    table: Table, trade: Trade, seat: str, offer: Offer, *, closes: bool
) -> Violation | None:
    """Return the violation that stops this trade here, as this seat may read it.

    ``closes``: both have agreed, so that the exchange comes about now or can't. Only then does it
    come out, in other words, that another's hidden hand stands against it; until then nobody is
    stopped by what they may not know.
    """
    found = forbidding(table, trade)
    seen = [violation for violation in found if violation.known_to in ("", seat)]
    if closes and not seen:
        seen = [violation.redacted(seat) for violation in found]
    if not seen:
        return None
    violation = seen[0]
    if not offer.has_terms:
        return violation
    # D2: a deal that includes a transaction follows the rules for it.
    terms = f"The terms don't change that{game_of(table).info.cite('mixed')}."
    return replace(violation, remedy=f"{violation.remedy} {terms}".strip())


def require_worth_posting(table: Table, offer: Offer) -> None:
    """Raise `Refused` for goods that nothing could make legal, or that may not even be named.

    What another's hidden hand holds stops nobody from posting.
    """
    for violation in forbidding(table, trade_of(offer)):
        known = violation.known_to in ("", offer.seat)
        if known and (violation.permanent or violation.blocks_posting):
            raise Refused.because(violation)


def require_party(table: Table, offer: Offer, seat: Seat) -> None:
    """Raise `Refused` when the offer is for another seat.

    >>> require_party(table, table.offers[1], table.seats["green"])
    """
    party = offer.to is None or offer.parties.include(seat.person or NOBODY, seat.id)
    if not party:
        raise Refused(
            f"Offer {offer.number} is for <seat:{offer.to}>.",
            "You can post one of your own.",
            rule=game_of(table).info.rule_number("two_parties"),
        )


def require_poster(offer: Offer, seat: Seat, what: str) -> None:
    """Raise `Refused` unless this seat posted the offer."""
    if seat.id != offer.seat:
        raise Refused(
            f"Offer {offer.number} is not yours to {what}.",
            f"Only <seat:{offer.seat}>, who posted it, can.",
        )


def readable_by_all(table: Table, offer: Offer) -> bool:
    """Return whether everybody may read all that the offer gives and wants."""
    game = game_of(table)
    goods = (without_words(offer.give), without_words(offer.want))
    return not offer.private and all(game.redact(each) == each for each in goods)


def require_revision(offer: Offer, revision: int | None) -> None:
    """Raise `Refused` for another revision than the newest; None means the newest."""
    if revision not in (None, offer.revision):
        raise Refused(
            f"Offer {offer.number} has been altered: it is now at revision {offer.revision}.",
            "Look at the new version.",
        )


def runs_out(table: Table, offer: Offer) -> int | None:
    """Return when an offer ends by itself, in milliseconds since 1970; None for never.

    Where cards are handed over, a deal that both have agreed on waits for its cards.
    """
    until = offer.until
    if until is not None and exchange_of(table) is not None and both_agree(offer):
        return None
    return until


def require_in_time(table: Table, offer: Offer, now: int) -> None:
    """Raise `Refused` when the offer's time is up, at ``now`` in milliseconds since 1970."""
    until = runs_out(table, offer)
    if until is not None and until <= now:
        raise Refused(f"Offer {offer.number} has run out.", "Ask for a new offer.")
