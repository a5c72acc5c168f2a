"""Hands: how to describe them, and how they change outside of trade, as with physical cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from bot.api import (
    LOOKED,
    NOTHING,
    Action,
    Caller,
    Change,
    Command,
    Corrected,
    Entry,
    Feature,
    FollowUpView,
    Gained,
    Goods,
    LabelledAction,
    Moves,
    Refused,
    SeatView,
    SetHoldings,
    Spent,
    Table,
    TableView,
    Violation,
    is_host,
    part,
    replace,
    with_part,
)
from bot.games.advciv.cards import (
    TRADE_CARDS,
    box,
    calamity_of,
    card_of,
    count_cards,
    describe,
    with_icon,
)
from bot.games.advciv.sets import describe_sets, worth
from bot.games.advciv.state import ACQUIRE, CARDS, Stack, Stacks, cards_stay, dealt

SECRET = Violation(
    "27.4", "What other players hold is secret.", "A host who doesn't sit at the table can look."
)


def nothing(goods: Goods) -> Goods:
    """Return the open part of a hand: nothing [27.4]."""
    return NOTHING


def describe_holdings(seat: SeatView) -> list[str]:
    """Describe a hand: one set on each line (``Salt x3 = 27``), then calamities, and the worth of
    all sets. Each has its icon.

    If the viewer may not see the hand, there are no lines.
    """
    if seat.hidden is None:
        return []
    if not (held := seat.known):
        return ["No cards"]
    calamities = []
    for token in held.of_kind("calamity"):
        card = calamity_of(token)
        line = f"{card.name}: calamity, {'can be traded' if card.tradable else 'stays with you'}"
        calamities.append(with_icon(line, token))
    return [
        *describe_sets(held),
        *calamities,
        f"{count_cards(held.total())}, sets worth {worth(held)}",
    ]


def nameable(seat: SeatView) -> Goods:
    """Return the cards of a hand that an offer may name, as far as the view shows the hand."""
    return (seat.hidden or NOTHING).of_kind("commodity")


# ---------------------------------------------------------------- changes outside of trade


def may(table: Table, command: Command, caller: Caller) -> None:
    """Raise `Refused` if a person who plays or has played sets a hand: by 27.4 if the bot deals,
    since it would reveal the hand, and by 29.3 until calamities have been shown, since they leave a
    hand only in a trade. Raise it by 27.1 for a hand before the first draw.
    """
    sets = isinstance(command, SetHoldings) and is_host(table, caller) and table.tracked
    if sets and CARDS.of(table.settings) == "dealt" and not dealt(table):
        raise Refused(
            "I deal the cards here, and nobody has drawn yet.",
            "**My cities** on the board draws, once a turn.",
            rule="27.1",
        )
    if not sets or not has_played(table, caller):
        return
    if dealt(table):
        raise Refused(
            "I deal the cards here, so a player can't set a hand: they would learn what is in it.",
            "A moderator who doesn't play can.",
            rule="27.4",
        )
    if cards_stay(table):
        raise Refused(
            "Till calamities have been shown, they leave a hand only in a trade, so no player sets "
            "a hand.",
            "A moderator who doesn't play can. Opened too early? **Undo a slip** under **Menu**, "
            "**Host…**.",
            rule="29.3",
        )


def correct(table: Table, seat: str, goods: Goods) -> Moves:
    """Return the change to this hand only.

    It replaces the whole hand: nobody learns how much of it was right. Raises `Refused` for more
    cards of a kind than were printed and, if the bot deals, for cards that are not in the stacks.
    """
    _require_possible(goods)
    held = table.seats[seat].holdings
    if dealt(table):
        # Only people who have looked into hands get here. Cards set aside can't be taken: everybody
        # knows them, and would learn who got them.
        there = Goods.of(chain.from_iterable(part(table, Stacks).stacks))
        if missing := there.missing(held.missing(goods)):
            reason = f"{describe(missing)} is not in the stacks."
            remedy = "It is in another hand, or goes back at the end of the turn."
            raise Refused.because(Violation("", reason, remedy, known_to=LOOKED))
    return Moves({seat: Change()}, {seat: Change(lost=held, gained=goods)})


def gain(table: Table, seat: str, goods: Goods) -> Moves:
    """Return the change for physical cards that were drawn or received.

    Raises `Refused` by 27.1 if the bot deals, and for more cards of a kind than were printed.
    """
    if _i_deal(table):
        raise Refused(
            "I deal the cards here.",
            "Each turn, **My cities** on the board draws yours.",
            rule="27.1",
        )
    _require_possible(table.seats[seat].holdings + goods)
    return Moves({seat: Change()}, {seat: Change(gained=goods)})


def spend(table: Table, seat: str, goods: Goods) -> Moves:
    """Return the change for physical cards that left the hand.

    Raises `Refused` by 31.1 if the bot deals, by 29.3 for calamities once trading has opened, and
    for cards that are not in the hand. Until then a player can mend what they typed by mistake.
    """
    if _i_deal(table):
        raise Refused(
            "I deal the cards here, so you return them through me.",
            "After trading, **Spend cards** on the board turns them in.",
            rule="31.1",
        )
    if table.phase != ACQUIRE and (calamities := goods.of_kind("calamity")):
        raise Refused(
            f"{describe(calamities)} can't be put away: the player who has it when trading is over "
            "shows it.",
            "What was typed by mistake can be put right until trading opens. Now it leaves a hand "
            "only in a trade. If a trade moved it by mistake, trade exactly the same cards back: "
            "then it was never traded [29.61].",
            rule="29.3",
        )
    if missing := table.seats[seat].holdings.missing(goods):
        raise Refused(f"You don't have {describe(missing)}.", "**My hand** shows what you have.")
    return Moves({seat: Change()}, {seat: Change(lost=goods)})


def _i_deal(table: Table) -> bool:
    """Return whether people can't report physical cards, since the bot deals."""
    return dealt(table) or CARDS.of(table.settings) == "dealt"


def _require_possible(goods: Goods) -> None:
    if no_card := goods.without_kind(*TRADE_CARDS):
        raise Refused(
            f"A hand can't hold {describe(no_card)}.", "Name each card. Try: 2 salt, famine."
        )
    if too_many := box().missing(goods):
        token = next(iter(too_many))
        printed = box()[token]
        there_are = "There is only one." if printed == 1 else f"There are only {printed}."
        raise Refused(f"That makes {describe(Goods({token: goods[token]}))}.", there_are)


# ---------------------------------------------------------------- state and sentences


def has_played(table: Table, caller: Caller) -> bool:
    """Return whether the caller plays here, or ever has."""
    return any(each.person == caller.person and each.counts for each in table.tenures)


def changed(table: Table, entry: Entry) -> Table:
    """Record that hands are reported by their players.

    If the bot deals, a corrected hand exchanges cards with the stacks.
    """
    match entry:
        case Corrected(hidden=hidden) if dealt(table):
            stacks = part(table, Stacks)
            return with_part(
                table, replace(stacks, stacks=_exchanged(stacks.stacks, (hidden or {}).values()))
            )
        case Corrected(seat=seat) | Gained(seat=seat) | Spent(seat=seat):
            stacks = part(table, Stacks)
            typed = stacks.typed - {seat} if isinstance(entry, Spent) else stacks.typed | {seat}
            return with_part(table, replace(stacks, by_hand=True, typed=typed))
    return table


def hand_set(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell a player what their hand is now that the host has set it."""
    if not isinstance(entry, Corrected) or table.seats[entry.seat].person == table.host:
        return
    hand = (entry.hidden or {}).get(entry.seat, Change()).gained
    now = f"**{describe(hand)}**" if hand else "it is empty"
    yield FollowUpView(entry.seat, f"Your hand was set: {now}.")


def _exchanged(stacks: tuple[Stack, ...], changes: Iterable[Change]) -> tuple[Stack, ...]:
    """Return the stacks after a hand was corrected.

    Cards that left the hand go under their stacks. Cards that came are taken from their lowest
    position.
    """
    piles = [list(stack) for stack in stacks]
    for change in changes:
        for token in change.gained.missing(change.lost).tokens():
            piles[card_of(token).stack - 1].append(token)
        for token in change.lost.missing(change.gained).tokens():
            pile = piles[card_of(token).stack - 1]
            del pile[len(pile) - 1 - pile[::-1].index(token)]
    return tuple(map(tuple, piles))


# ---------------------------------------------------------------- real cards: saying by a picker wh


class AskCardsCame(Action):
    """**Cards came…** under a player's own hand, at a table of real cards: open the form."""

    name = "advciv.ask.came"


class CardsCameForm(Action):
    """The form in which a player picks the cards that came to their hand."""

    name = "advciv.form.came"


class AskCardsWent(Action):
    """**Cards went…** under a player's own hand, at a table of real cards: open the form."""

    name = "advciv.ask.went"


class CardsWentForm(Action):
    """The form in which a player picks the cards that left their hand other than by a trade."""

    name = "advciv.form.went"


def buttons(view: TableView) -> Sequence[Sequence[LabelledAction]]:
    """Return the buttons under the viewer's own hand at a table of real cards."""
    if CARDS.of(view.settings) != "real":
        return ()
    came = LabelledAction("Cards came…", AskCardsCame(view.id))
    went = LabelledAction("Cards went…", AskCardsWent(view.id))
    return ((came, went),) if view.seat and view.seats[view.seat].known else ((came,),)


FEATURE = Feature(
    opens=(AskCardsCame, CardsCameForm, AskCardsWent, CardsWentForm),
    hears=(Corrected, Gained, Spent),
    after=changed,
    follow_ups=hand_set,
)
