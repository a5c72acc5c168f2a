"""Rules 28.1 to 28.3: what may be offered, what must be handed over for it, and what becomes of it.

Nobody is ever judged by what another's hand holds: a ruling that rests on a hand is for its owner alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.entries import Transaction
from bot.rules.game import Follow, Settlement, Trade
from bot.rules.games.advciv import cards
from bot.rules.games.advciv.cards import HIDDEN, named, tradable
from bot.rules.games.advciv.sets import prospect
from bot.rules.games.advciv.state import state_of, trading
from bot.rules.goods import Goods, kind_of
from bot.rules.ruling import Ruling
from bot.rules.table import Change, Offer, Table
from data import CARDS_A_SIDE, NAMED_A_SIDE


def rulings(table: Table, trade: Trade) -> list[Ruling]:
    """Everything that forbids this trade now, the most telling first."""
    checks = (_window, _few, _kinds, _shape, _held)
    return [ruling for check in checks for ruling in check(table, trade)]


def _window(table: Table, trade: Trade) -> Iterable[Ruling]:
    """28.4: cards change hands while trading is open; 28.41: which lasts until all are done, or the bell."""
    if not trading(table):
        over = "over" if table.phase == "after" else "not open"
        yield Ruling(
            rule="28.4", why=f"Trading is {over}.", at_once=True, of_goods=False,
            remedy="It lasts from when the host opens it until all are done or the bell rings [28.41]: /trading open.",
        )  # fmt: skip


def _few(table: Table, trade: Trade) -> Iterable[Ruling]:
    """28.3: who has fewer than three cards to trade can't; only they are told."""
    if table.settings.inventory == "untracked":
        return
    for seat in (trade.first, trade.second):
        if seat and (have := hand(table, seat).total()) < CARDS_A_SIDE:
            yield Ruling(
                rule="28.3", why=f"You have {_cards(have)} that can be traded, and a trade takes three from each side.",
                remedy="You can trade once you have three.", short=True, at_once=True, known_to=seat,
            )  # fmt: skip


def _kinds(table: Table, trade: Trade) -> Iterable[Ruling]:
    """29.2: some calamities stay where they are. Others can't be among the cards one names, unless the host says so."""
    for goods in (trade.first_gives, trade.second_gives):
        for token in named(goods).of_kind("calamity"):
            name = cards.card_of(token).name
            if not cards.may_be_traded(token):
                yield Ruling(
                    rule="29.2", why=f"{name} can't be traded: it stays with who drew it.",
                    remedy="Name commodities.", lasting=True,
                )  # fmt: skip
            elif table.settings.name_calamities == "no":
                yield Ruling(
                    rule="28.3", why=f"{name} can't be one of the cards that are named at this table.",
                    remedy="It can be an unnamed one: ?. The host can allow it: /table settings name_calamities:yes.",
                    lasting=True,
                )  # fmt: skip


def _shape(table: Table, trade: Trade) -> Iterable[Ruling]:
    """28.3: three cards a side at least, and two of them named. Who only asks need not say yet what they give."""
    gives, wants = trade.first_gives, trade.second_gives
    if not gives and wants:
        yield Ruling(
            rule="28.3", why="This only asks: it does not say yet which three cards or more it gives.",
            remedy="Answer it with an offer of yours: Counter.",
        )  # fmt: skip
        return
    if not wants:
        yield Ruling(
            rule="28.3", why="This does not say what you want for it.", lasting=True,
            remedy="Each side gives three cards at least and names two of them: grain, iron, ?.",
        )  # fmt: skip
        return
    for side, goods in (("You would give", gives), ("They would give", wants)):
        if goods.total() < CARDS_A_SIDE:
            yield Ruling(
                rule="28.3", why=f"{side} {_cards(goods.total())}, and each side gives three at least.",
                remedy="Add some: ? is one that is not named.", lasting=True,
            )  # fmt: skip
        elif (count := named(goods).total()) < NAMED_A_SIDE:
            yield Ruling(
                rule="28.3", why=f"{side} {_cards(goods.total())}, of which this names {count}; two have to be named.",
                remedy="For example: salt, iron, ?. What stands in brackets behind a ? binds nobody.", lasting=True,
            )  # fmt: skip


def _held(table: Table, trade: Trade) -> Iterable[Ruling]:
    """28.3: what one says of one's cards has to be true. Each is held to what is in their own hand."""
    if table.settings.inventory == "untracked":
        return
    for seat, goods in ((trade.first, trade.first_gives), (trade.second, trade.second_gives)):
        if not seat or not goods:
            continue
        have = hand(table, seat)
        if missing := have.missing(named(goods)):
            yield Ruling(
                rule="28.3", why=f"You are short of {cards.tell(missing)}, and what is named has to be true.",
                remedy="Name what you have: /cards hand.", short=True, at_once=True, known_to=seat,
            )  # fmt: skip
        elif goods.total() > have.total():
            yield Ruling(
                rule="28.3", why=f"You would give {_cards(goods.total())}, and can trade {have.total()}.",
                remedy="How many there are has to be true.", short=True, at_once=True, known_to=seat,
            )  # fmt: skip


# ---------------------------------------------------------------- handed over


def hand(table: Table, seat: str) -> Goods:
    """What this seat could hand over: every card but the calamities that can't be traded."""
    return tradable(table.seats[seat].holdings)


def why_not(table: Table, seat: str, promised: Goods, actual: Goods) -> Ruling | None:
    """28.3: the number has to be right, and what was named among it; the rest may be any card that can be traded."""
    fixed = [token for token in actual.of_kind("calamity") if not cards.may_be_traded(token)]
    if fixed:
        return Ruling(
            rule="29.2", why=f"{cards.card_of(fixed[0]).name} can't be traded: it stays with who drew it.",
            remedy="Choose another card.",
        )  # fmt: skip
    if no_card := actual.without_kind(*cards.TRADE_CARDS):
        return Ruling(rule="28.3", why=f"{cards.tell(no_card)} is no card you can hand over.", remedy="Name each card.")
    if actual.total() != promised.total():
        return Ruling(
            rule="28.3", why=f"You chose {_cards(actual.total())}, and this trade takes {promised.total()} from you.",
            remedy=f"{cards.tell(named(promised))} and {promised.total() - named(promised).total()} more."
            if promised.total() > named(promised).total()
            else f"That is {cards.tell(named(promised))}.",
        )  # fmt: skip
    if missing := actual.missing(named(promised)):
        return Ruling(
            rule="28.3", why=f"{cards.tell(missing)} has to be among them: that is what was named.",
            remedy="What was not named may be any card.",
        )  # fmt: skip
    if missing := hand(table, seat).missing(actual):
        return Ruling(
            rule="28.3", why=f"You don't have {cards.tell(missing)} to give.", remedy="/cards hand tells what you have."
        )
    return None


def tells(table: Table, offer: Offer, seat: str) -> list[str]:
    """28.5: what this seat's sets are worth now, and after the trade: for sure, and if the claims are true."""
    gives, gets = (offer.give, offer.want) if seat == offer.seat else (offer.want, offer.give)
    if not gives or not gets:
        return []
    seen = prospect(table.seats[seat].holdings, gives, gets, offer.handed.get(seat))
    if seen is None:
        return ["Your sets: you don't have what this takes."]
    if_true = f", **{seen.claimed}** if what is claimed is true" if seen.claimed != seen.sure else ""
    return [f"Your sets: **{seen.now}** now; after this trade **{seen.sure}** for sure{if_true}."]


# ---------------------------------------------------------------- resolved


def settle(table: Table, trade: Trade) -> Settlement:
    """Each gets the cards the other gave; only the two ever learn which and how many [28.3]."""
    hidden = {
        seat: Change(lost=trade.gives(seat), gained=trade.gives(trade.other(seat)))
        for seat in (trade.first, trade.second)
    }
    return Settlement(changes={seat: Change() for seat in hidden}, hidden=hidden)


def masked(goods: Goods) -> Goods:
    """As others may read it: that it is cards, not which, and not how many."""
    return Goods({HIDDEN: 1})


def answers(wanted: Goods, given: Goods, exact: bool) -> bool:
    """Whether an offer gives what another wants: all that it names, in name or by claim; as many, where it says."""
    if not wanted or (exact and wanted.total() != given.total()):
        return False
    said = named(given) + cards.claimed(given)
    return bool(named(wanted)) and not said.missing(named(wanted))


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def last_traders(table: Table, given: dict[str, Goods]) -> dict[str, str]:
    """Who traded each calamity last, after seats gave these: the one thing that outlives the secret of a trade."""
    passed = {token: seat for seat, goods in given.items() for token in goods if kind_of(token) == "calamity"}
    return state_of(table).traders | passed


def follows(table: Table, entry: Transaction) -> list[Follow]:
    """Who gave away what they had handed over for another offer is told, so that they can alter it."""
    return [
        Follow(
            seat=seat,
            text=f"What you handed over for offer #{offer.number} is not all in your hand any more: "
            f"{cards.tell(missing)} has gone. Alter or withdraw it; as it is, it can't be closed.",
        )
        for seat in (entry.first, entry.second)
        for offer in table.live_offers()
        if seat in offer.handed and (missing := hand(table, seat).missing(offer.handed[seat]))
    ]
