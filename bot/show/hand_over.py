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
from bot.show.cards import (
    BUTTONS_MAX,
    LABEL_MAX,
    ROWS_MAX,
    Button,
    Card,
    Rows,
    Select,
    Style,
    drawn,
    listed,
    plural,
    rows_of,
)
from bot.show.goods import goods_text, short_goods_text
from bot.show.names import escaped, format_text, game_of, name, name_text, plain_text
from bot.show.offer_sides import other_side, terms_text, title
from bot.show.picker import card_options, in_parts, menus, repicked

# ---------------------------------------------------------------- the card

SHORT = 38
"""The longest label for a phone, in characters."""


@drawn
def hand_over_card(
    view: TableView, offer: OfferView, picked: Goods | None = None, *, details: bool = False
) -> Card:
    """Return the card to hand over for an offer, with these cards picked.

    The default is what was handed over before, or else what is `suggested`. ``details``: also what
    the trade depends on.
    """
    choices = offer.own.choices
    assert choices is not None, "only for a seat that may hand over"
    likely = suggested(view, offer, choices)
    chosen = (likely if picked is None else picked).common(choices.hand)
    fits, chose = is_complete(choices, chosen), chosen != likely
    lines = [
        f"You give {what_to_give(view, choices)}",
        f"You get {short_goods_text(view, choices.gets)}",
    ]
    if fits and chose:
        worth = exchange_of(view).outlook(choices.hand, choices.promised, choices.gets, chosen)
        lines += [format_text(view, worth.line)] if worth else []
    else:
        lines += [format_text(view, line) for line in offer.own.advice]
    notes = handed_lines(view, offer)
    if offer.to is None and offer.role == "addressed":
        agrees = "" if view.seat in offer.progress.takers else "This agrees to the offer. "
        notes.append(agrees + what_handing_over_does(view, offer))
    what_to_do = _what_to_do(view, offer, choices, done=fits and chose)
    blocks = [
        f"### {what_to_do}\n-# {title(view, offer)}",
        "\n".join(lines),
        "" if fits else f"👉 {_missing(view, choices, chosen)}",
        terms_text(view, offer),
        "\n".join(notes),
        "\n".join(_details(view, offer, choices, chosen)) if details else "",
    ]
    rows = _rows(view, offer, choices, chosen, details=details)
    return Card("waiting", blocks, rows)


def _missing(view: TableView, choices: HandOverView, chosen: Goods) -> str:
    """Return why these cards can't be handed over."""
    describe = game_of(view).goods.describe
    if gone := choices.hand.missing(choices.named):  # promised, but no longer in the hand
        return f"You don't have {format_text(view, describe(gone))}."
    if named := chosen.missing(choices.named):
        cards = format_text(view, describe(named))
        return f"{cards} must be among them, because the offer names it."
    return f"You chose {chosen.total()}, and this trade takes {choices.total}."


def _rows(
    view: TableView, offer: OfferView, choices: HandOverView, chosen: Goods, *, details: bool
) -> Rows:
    rows: list[tuple[Button, ...] | Select | str] = []
    if is_complete(choices, chosen):
        label = cards_label(view, HAND_OVER, choices.named, chosen)
        first = Button(label, _give(offer, choices, chosen), "success")
        rows.append((first, *_with_others(view, offer, choices, chosen)))
    rows += _menus(view, offer, choices, chosen)
    last = list(picks(view, offer))
    end = []
    if "back_out" in offer.buttons.actions:
        end.append(Button("Back out", press(offer, "back_out")))
    if not details:
        end.append(Button("Details", _give(offer, choices, chosen, details=True)))
    more = rows_of(last + end)
    if not details and len(rows) + len(more) > ROWS_MAX:  # **Details** shows all of it
        rows, more = rows[: ROWS_MAX - 1], rows_of(end)
    return (*rows, *more)


OTHERS_MAX = 2
"""The most buttons that hand over another third card."""


def _with_others(
    view: TableView, offer: OfferView, choices: HandOverView, chosen: Goods
) -> list[Button]:
    """Return buttons that hand over other likely cards in place of the only one that is free."""
    if choices.total - choices.named.total() != 1:
        return []
    buttons = list[Button]()
    for given in _others(view, choices, chosen)[:OTHERS_MAX]:
        (other,) = given - choices.named
        label = cards_label(view, HAND_OVER, choices.named, given)
        if other not in choices.named:
            label = f"{HAND_OVER} with {plain_text(view, game_of(view).goods.describe_card(other))}"
        buttons.append(Button(label, _give(offer, choices, given)))
    return buttons


def _others(view: TableView, choices: HandOverView, chosen: Goods) -> list[Goods]:
    """Return what else the viewer likely hands over: one more of the only kind that they named,
    which they may have meant, then the next likely cards.
    """
    others, kinds = list[Goods](), list(choices.named)
    one_more = choices.named + Goods(dict.fromkeys(kinds[:1], 1))
    if len(kinds) == 1 and one_more != chosen and not choices.hand.missing(one_more):
        others.append(one_more)
    hand, given = choices.hand, chosen
    for _ in range(OTHERS_MAX):
        (free,) = given - choices.named
        hand -= Goods({free: hand.count(free) - choices.named.count(free)})
        given = exchange_of(view).likely(hand, choices.promised, choices.gets) or NOTHING
        if not is_complete(choices, given):
            break
        if given not in others:
            others.append(given)
    return others


def suggested(view: TableView, offer: OfferView, choices: HandOverView) -> Goods:
    """Return the cards to hand over before the viewer has picked: with their `last_third`, or the
    most likely ones.
    """
    free = choices.hand - choices.named.common(choices.hand)
    cards = choices.named + last_third(view, free)
    return cards if offer.own.handed is None and is_complete(choices, cards) else choices.chosen


def last_third(view: TableView, hand: Goods) -> Goods:
    """Return the cards that the viewer handed over last beside those named, as far as this hand
    still has them.
    """
    for number in sorted(view.offers, reverse=True):
        own = view.offers[number].own
        if own.handed is not None and own.choices is not None:
            return (own.handed - own.choices.named.common(own.handed)).common(hand)
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
    to = f" to {escaped(offer, other)}" if other else ""
    return f"{HAND_OVER} {plural(choices.total, 'card')}{to}"


def handed_lines(view: TableView, offer: OfferView) -> list[str]:
    """Return what the viewer has handed over, or that it has left their hand; and who has for an
    offer of theirs.
    """
    handed, choices, lines = offer.own.handed, offer.own.choices, []
    gone = NOTHING
    if handed is not None and choices is not None:
        gone = choices.hand.missing(handed)
    reason = offer.ruling.end_reason
    if gone and not reason:
        reason = f"You no longer have {goods_text(view, gone)}, which you had handed over."
    if gone or (handed is None and reason):
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
    lines = [format_text(view, line) for line in offer.own.details]
    if chosen and (cost := exchange_of(view).cost(choices.hand, chosen)):
        lines.append(f"What you give from your sets: {cost}.")
    other = other_side(offer)
    too = f", and before {escaped(offer, other)} has too" if other else ""
    return [*lines, f"Nothing moves before you press{too}."]


TAKERS_MAX = 2 * BUTTONS_MAX
"""The most takers of an offer to all with a button each; the card says how to pick the others."""


def picks(view: TableView, offer: OfferView) -> tuple[Button, ...]:
    """Return buttons for the poster of an offer to all to pick a taker, or to turn to another. None
    where handing over already picks the only one.
    """
    if offer.role != "poster" or offer.status != "open" or picked_by_handing_over(offer):
        return ()
    row = []
    style: Style = "primary" if offer.to is None else "secondary"
    turns = offer.to is not None and "hand_over" in offer.buttons.actions
    for taker in offer.progress.pickable[:TAKERS_MAX]:
        pick = Press(offer.table, PickTaker(offer.number, offer.revision, taker))
        label = f"{name(view, taker)} instead" if turns else f"Trade with {name(view, taker)}"
        row.append(Button(label, pick, style))
    return tuple(row)


def picked_by_handing_over(offer: OfferView) -> bool:
    """Return whether the trade with the only taker is done as soon as the poster hands over."""
    progress = offer.progress
    one = offer.to is None and len(progress.pickable) == 1
    may = "hand_over" in offer.buttons.actions and offer.own.handed is None
    return one and may and progress.sealed_takers == progress.pickable


# ---------------------------------------------------------------- the menus


def _menus(view: TableView, offer: OfferView, choices: HandOverView, picked: Goods) -> Rows:
    """Return the selects with the hand; none if there is nothing to choose."""
    if nothing_to_choose(choices):
        return ()
    parts = in_parts(card_options(view, choices.hand, picked))
    carried = _picked(choices, picked)

    def pick(part: int) -> PickCards:
        return PickCards(offer.table, offer.number, offer.revision, part, *carried)

    what = f"Choose {plural(choices.total, 'card')}"
    cost = partial(exchange_of(view).cost, choices.hand)
    return menus(what, parts, pick, cost, least=1 if len(parts) == 1 else 0)


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
    if picked != suggested(view, offer, choices):
        return now
    kept = picked.common(now)
    free = kept - kept.common(choices.named)
    surplus = max(0, now.total() - choices.total)
    return now - Goods.of(list(free.tokens())[:surplus])


# ---------------------------------------------------------------- the button


def cards_label(view: TableView, verb: str, named: Goods, picked: Goods) -> str:
    """Return a label with these cards by name, the ``named`` first; with their number if that is
    too long.
    """
    singly, in_short = list[str](), []
    describe = game_of(view).goods.describe_card
    for token in sorted(picked, key=lambda token: token not in named):
        card, count = plain_text(view, describe(token)), picked[token]
        singly += [card] * count
        in_short.append(card if count == 1 else f"{card} ×{count}")
    label = f"{verb} {', '.join(singly)}"
    if len(label) > SHORT:
        label = f"{verb} {', '.join(in_short)}"
    return label if len(label) <= LABEL_MAX else f"{verb} {picked.total()} cards"


def _picked(choices: HandOverView, picked: Goods) -> tuple[str, str]:
    """Return the picked cards as actions carry them, and the digest of the hand they are from."""
    return write_picked(choices.hand, picked), digest_of_hand(choices.hand)


def _give(
    offer: OfferView, choices: HandOverView, picked: Goods, *, details: bool = False
) -> GiveCards:
    cards = _picked(choices, picked)
    return GiveCards(offer.table, offer.number, offer.revision, *cards, details)


@drawn
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
    if len(offer.progress.pickable) > 1:
        return f"👉 {who} already. Pick one, then hand over too."
    return f"👉 {who} already. Hand over too, and the trade is done."


def _sealed_others(view: TableView, offer: OfferView) -> list[str]:
    return [seat for seat in offer.progress.sealed_takers if seat != view.seat]


def _has(seats: Sequence[str]) -> str:
    return "has" if len(seats) == 1 else "have"


def _names(offer: OfferView, seats: Sequence[str]) -> str:
    return listed([escaped(offer, seat) for seat in seats])
