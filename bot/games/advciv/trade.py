"""Rules 28.1 to 28.3: what may be offered, and what a trade does.

A violation that depends on a hand is shown to its owner only.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from itertools import chain

from bot.api import (
    NOTHING,
    Apply,
    Caller,
    Change,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    GoodsMoved,
    LabelledAction,
    Offer,
    OfferAction,
    SettingOption,
    SettingsChanged,
    Settlement,
    Table,
    Trade,
    Transaction,
    Violation,
    part,
    with_part,
    with_window,
)
from bot.games.advciv.cards import (
    HIDDEN,
    TRADE_CARDS,
    alternatives,
    card_of,
    claimed,
    count_cards,
    describe,
    may_be_traded,
    named,
    tradable,
)
from bot.games.advciv.state import Calamities, Status, Trades, trading, why_closed
from bot.games.advciv.surrendering import kept_too_many, only_warns
from data.advciv import CARDS_A_SIDE, NAMED_A_SIDE

NAME_CALAMITIES = SettingOption(
    "name_calamities",
    ("no", "yes"),
    "Whether a calamity may be one of the named cards in an offer",
    question="May a calamity be one of the named cards in an offer?",
    answers=("No", "Yes"),
)
"""The table setting for whether offers may name calamities."""


def may_name_calamities(table: Table) -> bool:
    """Return whether offers at this table may name calamities."""
    return NAME_CALAMITIES.of(table.settings) == "yes"


def violations(table: Table, trade: Trade) -> list[Violation]:
    """Return everything that forbids this trade now, most important first."""
    return [
        *_barred(table, trade),
        *_unnameable(table, trade),
        *_misshapen(trade),
        *_missing(table, trade),
    ]


def _barred(table: Table, trade: Trade) -> Iterable[Violation]:
    """Yield what forbids any trade of these two, whatever the cards. Reasons that depend on a hand
    are for its owner.

    28.4, 28.41: cards are traded while trading is open, until all are done or the bell rings.
    31.71: a player who kept too many cards from last turn must turn them in first. 28.3: a player
    needs at least three cards to trade.
    """
    if not trading(table):
        reason, remedy = why_closed(table)
        yield Violation("28.4", reason, remedy, blocks_posting=True, of_goods=False)
    seats = [seat for seat in (trade.first, trade.second) if seat and table.tracked]
    yield from (found for seat in seats if (found := kept_too_many(table, seat)) is not None)
    for seat in seats:
        if (have := hand(table, seat).total()) < CARDS_A_SIDE:
            yield Violation(
                rule="28.3",
                remedy="You can trade once you have three. Until then you can ask for cards: want "
                "alone.",
                short=not only_warns(table),
                blocks_posting=bool(trade.gives(seat)),
                reason=f"You have {count_cards(have)} that can be traded, and each side gives at "
                "least three.",
                known_to=seat,
            )


def _unnameable(table: Table, trade: Trade) -> Iterable[Violation]:
    """29.2: some calamities can't be traded. The others can't be named, unless the host allows
    it.
    """
    for goods in (trade.first_gives, trade.second_gives):
        for token in named(goods).of_kind("calamity"):
            name = card_of(token).name
            if not may_be_traded(token):
                yield Violation(
                    rule="29.2",
                    reason=f"{name} can't be traded: it stays with the player who drew it.",
                    remedy="Name commodities instead.",
                    permanent=True,
                    # nobody can give it, so a table that only warns refuses it too
                    short=table.tracked,
                )
            elif not may_name_calamities(table):
                yield Violation(
                    rule="28.3",
                    reason=f"At this table, {name} can't be one of the named cards.",
                    remedy="It can be an unnamed card: ?. The host can allow it: "
                    "**Settings** under **Menu**, **Host…**.",
                    permanent=True,
                )


def _misshapen(trade: Trade) -> Iterable[Violation]:
    """28.3: each side gives at least three cards and names two of them, once they agree.

    Until then an offer may leave open what it wants. A wish need not say yet what it gives.
    """
    gives, wants = trade.first_gives, trade.second_gives
    if not gives and not wants:
        yield Violation(
            rule="28.3",
            reason="This offer names no cards.",
            remedy="Say what you give or want. Try: salt, iron, ?.",
            permanent=True,
        )
    elif not gives:
        yield Violation(
            rule="28.3",
            reason="This is only a wish: it does not say yet which cards it gives.",
            remedy="Press Counter to answer with an offer of your own.",
        )
    elif (found := _unsettled(gives)) is not None:
        reason, remedy = found
        yield Violation(
            rule="28.3", reason=f"You would give {reason}.", remedy=remedy, permanent=True
        )
    elif _unsettled(wants):
        yield Violation(
            rule="28.3",
            reason="This only opens a trade: both sides must name two of their cards before they "
            "agree.",
            remedy="Press Counter to answer with an offer of your own.",
        )


def _unsettled(goods: Goods) -> tuple[str, str] | None:
    """Return what keeps these cards from being one side of a trade, and what would help; None if
    they can be.
    """
    if choices := goods.of_kind("either"):
        return (
            f"{describe(choices)}, and it must be clear which",
            "A choice can only stand in what you want.",
        )
    if (count := goods.total()) < CARDS_A_SIDE:
        each = "each side gives at least three"
        return f"{count_cards(count)}, and {each}", "Add some: ? is a card that is not named."
    if (names := named(goods).total()) < NAMED_A_SIDE:
        claims = "A claim in brackets after a ? doesn't count as a name."
        return (
            f"{count_cards(count)} and name {names}; two must be named",
            f"Try: salt, iron, ?. {claims}",
        )
    return None


def opens(table: Table, offer: Offer) -> bool:
    """Return whether an offer only opens talks: two cards of each side must be named before anybody
    agrees [28.3].

    At a table that only warns, they may agree on less, but not on a choice.
    """
    if not offer.give or not offer.want or offer.want.of_kind("either"):
        return True
    return table.settings.rulings != "warn" and _unsettled(offer.want) is not None


def _missing(table: Table, trade: Trade) -> Iterable[Violation]:
    """28.3: players must have the cards that they name. Only their own hand is checked."""
    for seat, goods in ((trade.first, trade.first_gives), (trade.second, trade.second_gives)):
        if not (table.tracked and seat and goods):
            continue
        have = hand(table, seat)
        if missing := have.missing(named(goods)):
            yield Violation(
                rule="28.3",
                reason=f"You are short of {describe(missing)}, and named cards must be true.",
                remedy="**My hand** shows the cards you have.",
                short=True,
                missing=missing,
                blocks_posting=True,
                known_to=seat,
            )
        elif goods.total() > have.total():
            yield Violation(
                rule="28.3",
                reason=f"You would give {count_cards(goods.total())}, and can trade only "
                f"{have.total()}.",
                remedy="The number of cards must be true.",
                short=True,
                blocks_posting=True,
                known_to=seat,
            )


def hand(table: Table, seat: str) -> Goods:
    """Return the cards that this seat could hand over: all except the calamities that can't be
    traded.
    """
    return tradable(table.seats[seat].holdings)


# ---------------------------------------------------------------- handing over


def why_not(table: Table, seat: str, promised: Goods, actual: Goods) -> Violation | None:
    """Return why this seat can't hand over ``actual`` for what it promised; None if it can."""
    if fixed := [token for token in actual.of_kind("calamity") if not may_be_traded(token)]:
        reason = f"{card_of(fixed[0]).name} can't be traded: it stays with the player who drew it."
        return Violation("29.2", reason, "Choose another card.")
    if no_card := actual.without_kind(*TRADE_CARDS):
        return Violation("28.3", f"You can't hand over {describe(no_card)}.", "Name each card.")
    if choices := promised.of_kind("either"):
        return Violation(
            "28.3", f"It is still open which: {describe(choices)}.", "Press Counter and say which."
        )
    if actual.total() != promised.total():
        reason = (
            f"You chose {count_cards(actual.total())}, but in this trade you give "
            f"{promised.total()}."
        )
        free = promised.total() - named(promised).total()
        takes = (
            f"{describe(named(promised))} and {free} more."
            if free
            else f"That is {describe(promised)}."
        )
        return Violation("28.3", reason, takes)
    if missing := actual.missing(named(promised)):
        reason = f"{describe(missing)} must be among them, because the offer names it."
        return Violation("28.3", reason, "The unnamed cards may be any card.")
    if missing := hand(table, seat).missing(actual):
        return Violation(
            "28.3",
            f"You don't have {describe(missing)} to give.",
            "**My hand** shows what you have.",
        )
    return None


# ---------------------------------------------------------------- the market


def redact(goods: Goods) -> Goods:
    """Return goods as others may read them: cards, but neither which nor how many."""
    return Goods({HIDDEN: 1})


def matches(wanted: Goods, given: Goods, exactly: bool) -> bool:
    """Return whether ``given`` names or claims all cards that ``wanted`` names; ``exactly``: and
    has as many cards.
    """
    if exactly and wanted.total() != given.total():
        return False
    left, asked = dict(_named_or_claimed(given)), _asked(wanted)
    for choices in asked:
        for token, count in choices:
            if left.get(token, 0) >= count:
                left[token] -= count
                break
        else:
            return False
    return bool(asked)


@lru_cache(maxsize=1024)
def _named_or_claimed(goods: Goods) -> Goods:
    return named(goods) + claimed(goods)


@lru_cache(maxsize=1024)
def _asked(wanted: Goods) -> list[list[tuple[str, int]]]:
    """Return what is wanted, each as the cards of which one will do: every named card, then every
    choice.
    """
    asked = [[card] for card in named(wanted).items()]
    for token in wanted.of_kind("either").tokens():
        commodities = (goods.items() for goods in alternatives(token))
        asked.append(list(chain.from_iterable(commodities)))
    return asked


def match_keys(goods: Goods) -> set[str]:
    """Return the cards that these goods name or claim, or leave a choice among."""
    asked = chain.from_iterable(_asked(goods))
    return {*_named_or_claimed(goods), *(token for token, _ in asked)}


# ---------------------------------------------------------------- resolving


def settle(table: Table, trade: Trade) -> Settlement:
    """Return the exchange: each side gets the other's cards. Only the two learn which and how many
    [28.3].
    """
    hidden = {
        seat: Change(lost=trade.gives(seat), gained=trade.gives(trade.other(seat)))
        for seat in (trade.first, trade.second)
    }
    return Settlement(changes={seat: Change() for seat in hidden}, hidden=hidden)


def traded(table: Table, entry: Entry) -> Table:
    """Remember that cards were traded this turn."""
    return with_part(table, Trades(traded=True)) if isinstance(entry, Transaction) else table


def follow_ups(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a player that cards which they handed over for an offer have left their hand other than
    by a trade.

    After a trade, the trade's result says so instead. ``table`` may be later than the entry, so
    only cards that the entry took count.
    """
    if not isinstance(entry, GoodsMoved) or isinstance(entry, Transaction):
        return
    for seat, change in {**entry.changes, **(entry.hidden or {})}.items():
        # a correction loses the whole hand and gains the new one
        taken = change.gained.missing(change.lost)
        for offer in table.live_offers():
            if missing := taken.common(hand(table, seat).missing(offer.handed.get(seat, NOTHING))):
                number, given = offer.number, offer.give if seat == offer.seat else offer.want
                gone = hand(table, seat).missing(named(given))
                then = (
                    "As it is, it can't be closed."
                    if gone
                    else "Choose again, and the deal stands."
                )
                # Its card has the buttons; one here would stay when the offer is over.
                look = OfferAction(table.id, number, offer.revision, "show")
                button = LabelledAction(f"Look at offer {number}", look)
                text = (
                    f"You no longer have all the cards you handed over for offer {number}: "
                    f"{describe(missing)}. {then}"
                )
                yield FollowUpView(seat=seat, text=text, buttons=(button,))


def strict_again(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """End all offers if the host, once calamities have been shown, lets nothing against the rules
    pass any more: trading can't open again.
    """
    if not only_warns(table):
        return entries
    after = reduce(apply, entries, table)
    shown = part(after, Calamities).shown is not None
    if only_warns(after) or not shown:
        return entries
    return (*entries, *with_window(after))


def _named(table: Table) -> str:
    may = "may" if may_name_calamities(table) else "can't"
    return f"A calamity {may} be one of the named cards."


STATUS: Status = {"28.3": _named}

FEATURE = Feature(
    state=Trades,
    options=(NAME_CALAMITIES,),
    hears=(GoodsMoved,),
    after=traded,
    follow_ups=follow_ups,
)

STRICT_AGAIN = Feature(hears=(SettingsChanged,), brings=strict_again)
