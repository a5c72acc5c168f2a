"""Handing over cards for an offer, in games with hidden hands: the card to choose them, and what it
means in words.

Choosing in the card's selects only redraws it. The choice travels in its custom_ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bot.rules.commands import Press
from bot.rules.features.offers.signing import PickTaker
from bot.rules.game import Exchange
from bot.rules.model.codec import digest_of_hand, write_picked
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.views import HandOverView, OfferView, TableView
from bot.show.actions import GiveCards, PickCards, press
from bot.show.cards import BUTTONS_MAX, LABEL_MAX, ROWS_MAX, Button, Card, Rows, plural, rows_of
from bot.show.goods import goods_text, short_goods_text
from bot.show.names import escaped, format_text, game_of, name, name_text, plain_text
from bot.show.offer_sides import other_side, terms_text, title
from bot.show.picker import card_options, in_parts, menus, repicked

# ---------------------------------------------------------------- the card

SHORT = 38
"""The longest label for a phone, in characters."""


def hand_over_card(
    view: TableView, offer: OfferView, picked: Goods | None = None, *, details: bool = False
) -> Card:
    """Return the card to hand over for an offer, with these cards picked.

    The default is what was handed over before, or else what is `suggested`. ``details``: also what
    the trade depends on.
    """
    choices = offer.own.choices
    assert choices is not None, "only for a seat that may hand over"
    chosen = (suggested(view, offer, choices) if picked is None else picked).common(choices.hand)
    fits, chose = is_complete(choices, chosen), chosen != suggested(view, offer, choices)
    sides = [
        f"You give {what_to_give(view, choices)}",
        f"You get {short_goods_text(view, choices.gets)}",
    ]
    missing, describe = "", game_of(view).goods.describe
    if not fits:
        missing = f"👉 You chose {chosen.total()}, and this trade takes {choices.total}."
        if gone := choices.hand.missing(choices.named):  # promised, but no longer in the hand
            missing = f"👉 You don't have {format_text(view, describe(gone))}."
        elif named := chosen.missing(choices.named):
            missing = (
                f"👉 {format_text(view, describe(named))} must be among them, because the offer "
                "names it."
            )
    worth = [format_text(view, line) for line in offer.own.advice]
    if fits and chose:
        seen = exchange_of(view).outlook(choices.hand, choices.promised, choices.gets, chosen)
        worth = [format_text(view, seen.line)] if seen else []
    notes = handed_lines(view, offer)
    if offer.to is None and offer.role == "addressed":
        accepted = view.seat in offer.progress.takers
        notes.append(
            f"{'' if accepted else 'This agrees to the offer. '}"
            f"{what_handing_over_does(view, offer)}"
        )
    blocks = [
        f"### {_what_to_do(view, offer, choices, done=fits and chose)}\n-# {title(view, offer)}",
        "\n".join((*sides, *worth)),
        missing,
        terms_text(view, offer),
        "\n".join(notes),
        "\n".join(_details(view, offer, choices, chosen)) if details else "",
    ]
    label = cards_label(view, HAND_OVER, choices.named, chosen)
    give = (Button(label, _give(offer, choices, chosen), "success"),) if fits else ()
    more = () if details else (Button("Details", _give(offer, choices, chosen, details=True)),)
    rows = (*((give,) if give else ()), *_menus(view, offer, choices, chosen))
    last = rows_of((*picks(view, offer), *_back_out(offer), *more))
    if more and len(rows) + len(last) > ROWS_MAX:  # **Details** shows all of it
        rows, last = rows[: ROWS_MAX - 1], rows_of((*_back_out(offer), *more))
    return Card("waiting", tuple(filter(None, blocks)), (*rows, *last))


def suggested(view: TableView, offer: OfferView, choices: HandOverView) -> Goods:
    """Return the cards to hand over before the viewer has picked: with their `last_third`, or the
    most likely ones.
    """
    cards = choices.named + last_third(view, choices.hand - choices.named.common(choices.hand))
    return cards if offer.own.handed is None and is_complete(choices, cards) else choices.chosen


def last_third(view: TableView, hand: Goods) -> Goods:
    """Return the cards that the viewer handed over last beside those named, as far as this hand
    still has them.
    """
    for offer in sorted(view.offers.values(), key=lambda each: -each.number):
        if offer.own.handed is not None and offer.own.choices is not None:
            return (offer.own.handed - offer.own.choices.named.common(offer.own.handed)).common(
                hand
            )
    return NOTHING


def is_complete(choices: HandOverView, picked: Goods) -> bool:
    """Return whether the right number of cards is picked, with all named cards among them."""
    return picked.total() == choices.total and not picked.missing(choices.named)


def nothing_to_choose(choices: HandOverView) -> bool:
    """Return whether the offer names every card to hand over."""
    return choices.named.total() == choices.total


def _what_to_do(view: TableView, offer: OfferView, choices: HandOverView, *, done: bool) -> str:
    """Return the title: to choose the cards that are free, or to hand over once that is
    ``done``.
    """
    free = choices.total - choices.named.total()
    if free and not done and offer.own.handed is None:
        return f"Choose {plural(free, 'more card' if choices.named else 'card')}"
    other = other_side(offer)
    return (
        f"{HAND_OVER} {plural(choices.total, 'card')}"
        f"{f' to {escaped(offer, other)}' if other else ''}"
    )


def handed_lines(view: TableView, offer: OfferView) -> list[str]:
    """Return what the viewer has handed over, or that it has left their hand; and who has for an
    offer of theirs.
    """
    handed, choices, reason, lines = (
        offer.own.handed,
        offer.own.choices,
        offer.ruling.end_reason,
        list[str](),
    )
    gone = choices.hand.missing(handed) if handed is not None and choices is not None else NOTHING
    if gone or (handed is None and reason):
        reason = (
            reason or f"You no longer have {goods_text(view, gone)}, which you had handed over."
        )
        lines.append(f"⚠️ {name_text(view, reason)}")
    elif handed is not None:
        moves = "They move when the other player has handed over too."
        lines.append(f"🔒 You have handed over {goods_text(view, handed)}. {moves}")
    if offer.role == "poster" and offer.live and offer.progress.sealed_takers:
        lines.append(_sealed_with_poster(offer))
    return lines


def _details(view: TableView, offer: OfferView, choices: HandOverView, chosen: Goods) -> list[str]:
    """Return what the worth depends on, what the chosen cards take from it, and when the goods
    move.

    It omits whether the other side has handed over: the card then needs no edit.
    """
    other = other_side(offer)
    cost = exchange_of(view).cost(choices.hand, chosen) if chosen else ""
    return [
        *(format_text(view, line) for line in offer.own.details),
        *([f"What you give from your sets: {cost}."] if cost else []),
        "Nothing moves before you press"
        f"{f', and before {escaped(offer, other)} has too' if other else ''}.",
    ]


def picks(view: TableView, offer: OfferView) -> tuple[Button, ...]:
    """Return buttons for the poster of an offer to all to pick a taker, or to turn to another."""
    picking = offer.role == "poster" and offer.status == "open"
    return tuple(
        Button(
            f"Trade with {name(view, taker)}"[:LABEL_MAX],
            Press(offer.table, PickTaker(offer.number, offer.revision, taker)),
            "primary" if offer.to is None else "secondary",
        )
        for taker in (offer.progress.pickable[: 2 * BUTTONS_MAX] if picking else ())
    )


def _back_out(offer: OfferView) -> tuple[Button, ...]:
    return (
        (Button("Back out", press(offer, "back_out")),)
        if "back_out" in offer.buttons.actions
        else ()
    )


# ---------------------------------------------------------------- the menus


def _menus(view: TableView, offer: OfferView, choices: HandOverView, picked: Goods) -> Rows:
    """Return the selects with the hand; none if there is nothing to choose."""
    parts = [] if nothing_to_choose(choices) else in_parts(card_options(view, choices.hand, picked))
    carried = _picked(choices, picked)
    return menus(
        f"Choose {plural(choices.total, 'card')}",
        parts,
        lambda part: PickCards(offer.table, offer.number, offer.revision, part, *carried),
        partial(exchange_of(view).cost, choices.hand),
        least=1 if len(parts) == 1 else 0,
    )


def chosen_anew(
    view: TableView,
    offer: OfferView,
    choices: HandOverView,
    picked: Goods,
    part: int,
    values: Sequence[str],
) -> Goods:
    """Return the picked cards after a choice in one select. It takes the place of what was only
    suggested.
    """
    now = repicked(picked, in_parts(card_options(view, choices.hand, picked)), part, values)
    kept = picked.common(now)
    free = kept - kept.common(choices.named)
    surplus = (
        max(0, now.total() - choices.total) if picked == suggested(view, offer, choices) else 0
    )
    return now - Goods.of(list(free.tokens())[:surplus])


# ---------------------------------------------------------------- the button


def cards_label(view: TableView, verb: str, named: Goods, picked: Goods) -> str:
    """Return a label with these cards by name, the ``named`` first; with their number if that is
    too long.
    """
    describe = game_of(view).goods.describe_card
    tokens = [*named.common(picked), *(each for each in picked if each not in named)]
    names = {token: plain_text(view, describe(token)) for token in tokens}
    each = ", ".join(names[token] for token in tokens for _ in range(picked[token]))
    in_short = ", ".join(
        names[token] if picked[token] == 1 else f"{names[token]} ×{picked[token]}"
        for token in tokens
    )
    labels = (f"{verb} {each}", f"{verb} {in_short}")
    short = next((label for label in labels if len(label) <= SHORT), labels[1])
    return short if len(short) <= LABEL_MAX else f"{verb} {picked.total()} cards"


def _picked(choices: HandOverView, picked: Goods) -> tuple[str, str]:
    """Return the picked cards as actions carry them, and the digest of the hand they are from."""
    return write_picked(choices.hand, picked), digest_of_hand(choices.hand)


def _give(
    offer: OfferView, choices: HandOverView, picked: Goods, *, details: bool = False
) -> GiveCards:
    return GiveCards(offer.table, offer.number, offer.revision, *_picked(choices, picked), details)


def accepted_card(view: TableView, offer: OfferView, accepted: str) -> Card:
    """Return the reply to accepting an offer to all, from which the seat can hand over at once."""
    card = hand_over_card(view, offer)
    return replace(card, blocks=(accepted, *card.blocks))


# ---------------------------------------------------------------- what it means for the offer

HAND_OVER = "Hand over"
"""The label of the button that begins it."""


def hands_over(view: TableView) -> bool:
    """Return whether this table hands goods over in a separate step, which also means that hands
    are secret.
    """
    return view.tracked and game_of(view).exchange is not None


def exchange_of(view: TableView) -> Exchange:
    """Return how goods are handed over at a table where they are."""
    exchange = game_of(view).exchange
    assert exchange is not None, "only where goods are handed over"
    return exchange


def what_to_give(view: TableView, asked: HandOverView) -> str:
    """Return which cards are required, and how many more the player may choose freely."""
    free = asked.total - asked.named.total()
    named = [short_goods_text(view, asked.named)] if asked.named else []
    if free == 1:
        named.append("one of your choice" if named else "one card of your choice")
    elif free:
        named.append(f"{free} {'' if named else 'cards '}of your choice")
    return " and ".join(named) or "nothing"


# ---------------------------------------------------------------- an offer to all
#
# The offer closes by itself with the only taker who has handed over, once the poster has too. With
# several takers, the poster picks.


def what_handing_over_does(view: TableView, offer: OfferView) -> str:
    """Return what follows if the viewer, a taker of an offer to all, hands over now."""
    poster, others = escaped(offer, offer.poster), _sealed_others(view, offer)
    if offer.poster in offer.progress.sealed:
        if not others:
            return "Hand over now, and the trade is done."
        so = f"and so {_has(others)} {_names(offer, others)}"
        return f"{poster} has handed over, {so}: {poster} picks one of the players who do."
    if not others:
        return (
            f"Hand over now, and the trade is done as soon as {poster} does too, unless somebody "
            "else was first."
        )
    return (
        f"{_names(offer, others)} {_has(others)} handed over already: {poster} picks one of the "
        "players who do."
    )


def what_sealed_waits_for(view: TableView, offer: OfferView) -> str:
    """Return what an offer to all waits for, for a taker who has handed over."""
    poster, others = escaped(offer, offer.poster), _sealed_others(view, offer)
    if others:
        return f"{_names(offer, others)} {_has(others)} handed over too, so {poster} picks."
    return f"The trade is done as soon as {poster} hands over too, unless somebody else was first."


def _sealed_with_poster(offer: OfferView) -> str:
    """Return what the poster of an offer to all must do once one or more takers have handed
    over.
    """
    sealed = offer.progress.sealed_takers
    who = f"{_names(offer, sealed)} {_has(sealed)} handed over"
    if offer.poster in offer.progress.sealed:
        return f"👉 {who} too. Pick one, and the trade is done."
    if len(sealed) > 1:
        return f"👉 {who} already. Hand over too, and pick one."
    return f"👉 {who} already. Hand over too, and the trade is done."


def _sealed_others(view: TableView, offer: OfferView) -> list[str]:
    return [seat for seat in offer.progress.sealed_takers if seat != view.seat]


def _has(seats: Sequence[str]) -> str:
    return "has" if len(seats) == 1 else "have"


def _names(offer: OfferView, seats: Sequence[str]) -> str:
    return " and ".join(escaped(offer, seat) for seat in seats)
