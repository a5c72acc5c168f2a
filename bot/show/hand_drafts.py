"""An offer that is being made from a hidden hand: the cards to give, what it says of them, and what
is wanted.

Its poster picks real cards. The offer names some of them; the others stay unnamed, and can be
handed over with it. Only the poster sees this card. `bot.show.drafts` keeps the draft in its
buttons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.rules.game import Exchange
from bot.rules.model.goods import NOTHING, Goods, kind_of
from bot.rules.views import OfferView, TableView
from bot.show.actions import PickSide
from bot.show.cards import SELECT_MAX, Button, Card, Rows, Style, plural, rows_of, rules_last
from bot.show.drafts import (
    OfferDraft,
    answer_draft,
    answered_text,
    draft_title,
    pick_of,
    press_of,
    proposal_buttons,
    says_something,
    step_button,
)
from bot.show.goods import short_goods_text
from bot.show.hand_over import cards_label, exchange_of, last_third
from bot.show.names import format_text, game_of, mention, plain_text
from bot.show.picker import CardOption, card_options, in_parts, menus, repicked
from bot.show.stock import of_others, own

COUNTED_MAX = 4
"""The most kinds of wanted cards with buttons for their number."""

ALL, ONE = "All of these", "One of these"
"""The labels of the buttons for a wish with several kinds of cards."""

OFFER_IT, AND_HAND_OVER, ONLY = "Offer it", "Offer it, hand over", "Only offer it"
"""The labels of the buttons that post."""


def hand_draft_card(
    view: TableView, draft: OfferDraft, earlier: Sequence[OfferView] = (), *, first: bool = False
) -> Card:
    """Return the draft with selects that change it, and the buttons that post it.

    ``first``: nothing is chosen yet, so it begins with proposals, among them the ``earlier``
    offers.
    """
    exchange, cards = exchange_of(view), picked_cards(view, draft)
    proposals = rows_of(list(proposal_buttons(view, draft, earlier))) if first else ()
    ready = ", or post an offer that is ready" if proposals else ""
    title = (
        f"### {_what_to_do(view, draft)}{ready}\n-# {draft_title(view, draft)} · only you see this"
    )
    blocks = [title, _offer(view, draft), answered_text(view, draft)]
    if first:
        blocks[1] = rules_last(
            f"-# {exchange.in_short}{' One tap on a proposal posts it.' if proposals else ''}"
        )
    rows = (*_give_rows(view, draft, cards), *_want_rows(view, draft))
    return Card(
        "open", tuple(filter(None, blocks)), (*proposals, *rows, _posts(view, draft, cards))
    )


def hand_answer_draft(view: TableView, offer: OfferView) -> OfferDraft:
    """Return the draft of an alteration or a counter. Of the cards to give, it gives those that the
    viewer has.

    What they have handed over for the offer goes with it.
    """
    draft, exchange = answer_draft(offer), exchange_of(view)
    named, hand = exchange.named(draft.give), _in_hand(view)
    cards = named.common(hand)
    give = draft.give if cards == named else exchange.promise(cards, cards)
    left = hand - cards
    handed = offer.own.handed
    rest = (
        last_third(view, left) if handed is None else (handed - handed.common(cards)).common(left)
    )
    return replace(
        draft, give=give, rest=rest if cards.total() + rest.total() <= give.total() else NOTHING
    )


def hand_new_draft(view: TableView, to: str | None, negotiation: int) -> OfferDraft:
    """Return the draft of a new offer. The card that the viewer handed over unnamed before is
    picked already.
    """
    return OfferDraft(to, negotiation, rest=last_third(view, _in_hand(view)))


def picked_cards(view: TableView, draft: OfferDraft) -> Goods:
    """Return the cards that the poster picked to give."""
    return exchange_of(view).named(draft.give) + draft.rest


def hand_picked(
    view: TableView, draft: OfferDraft, side: PickSide, part: int, values: Sequence[str]
) -> OfferDraft:
    """Return the draft after a choice in one of its selects."""
    exchange, cards = exchange_of(view), picked_cards(view, draft)
    named = exchange.named(draft.give)
    claims = draft.give.of_kind("claim", "said")
    if side == "want":
        tokens = [token for _, token, _ in _wanted(view, draft) if token in values]
        one = draft.one and len(tokens) > 1
        return _wanting(
            exchange, draft, {token: max(1, draft.want.count(token)) for token in tokens}, one=one
        )
    if side == "name":
        return _giving(
            exchange,
            draft,
            cards,
            repicked(named, [_names(view, draft, cards)], 0, values) + claims,
        )
    if side == "say":
        return _giving(
            exchange,
            draft,
            cards,
            named + Goods({token: 1 for token in _claims(view) if token in values}),
        )
    cards = repicked(cards, _hand_options(view, cards), part, values)
    kept = named if not cards.missing(named) and not exchange.to_name(draft.give) else NOTHING
    return _giving(exchange, draft, cards, kept + claims)


def _giving(exchange: Exchange, draft: OfferDraft, cards: Goods, said: Goods) -> OfferDraft:
    give = exchange.promise(cards, said)
    return replace(draft, give=give, rest=cards - exchange.named(give))


def _wanting(
    exchange: Exchange, draft: OfferDraft, counts: Mapping[str, int], *, one: bool
) -> OfferDraft:
    """Return the draft that wants so many of each of these cards, all of them or ``one``: then
    enough to name.
    """
    goods = Goods({token: count for token, count in counts.items() if count})
    least = (
        Goods(dict.fromkeys(exchange.named(goods), exchange.to_name(NOTHING))) if one else NOTHING
    )
    return replace(draft, want=exchange.wish(goods + goods.missing(least)), one=one)


def want_of(view: TableView, draft: OfferDraft) -> Goods:
    """Return what the draft's offer wants: all of its cards, or one kind of them."""
    return exchange_of(view).one_of(draft.want) if draft.one else draft.want


# ---------------------------------------------------------------- words


def _what_to_do(view: TableView, draft: OfferDraft) -> str:
    """Return the title: the next step."""
    exchange = exchange_of(view)
    if not draft.give and not draft.want:
        return "Choose the cards you give"
    short = exchange.to_name(draft.give) if draft.give else 0
    if short:
        return f"Choose {plural(short, 'more card')} that you name"
    if not draft.give:
        return "Choose the cards you give, or just ask"
    if not draft.want:
        return "Choose what you get"
    return "Your offer" if says_something(view, draft) else "Change what you give or get"


def _offer(view: TableView, draft: OfferDraft) -> str:
    """Return what the offer says, and what it is worth to its poster."""
    exchange, me = exchange_of(view), view.seats[view.seat or ""]
    lines = [f"You give {short_goods_text(view, draft.give)}"] if draft.give else []
    gets = want_of(view, draft)
    lines += [f"You get {short_goods_text(view, gets)}"] if gets else []
    handed = picked_cards(view, draft)
    whole = handed if handed.total() == draft.give.total() else None
    if (seen := exchange.outlook(me.known, draft.give, gets, whole)) is not None:
        lines.append(format_text(view, seen.line))
    if draft.rest and draft.give:
        other = mention(view, draft.to) if draft.to else "Others"
        hidden = short_goods_text(view, draft.rest)
        lines.append(
            f"-# {other} {'reads' if draft.to else 'read'} only what you name, not {hidden}."
        )
    return "\n".join(lines)


# ---------------------------------------------------------------- what is given


def _give_rows(view: TableView, draft: OfferDraft, cards: Goods) -> Rows:
    """Return the selects of the cards to give, of those to name, and of what to say about the
    others.
    """
    exchange, pick = exchange_of(view), partial(pick_of, view, draft)
    rows = menus(
        "You give",
        _hand_options(view, cards),
        partial(pick, "give"),
        partial(exchange.cost, _in_hand(view)),
    )
    least = exchange.to_name(NOTHING)
    if sum(count for token, count in cards.items() if token in _nameable(view)) > least:
        rows += menus(
            "Cards you name, truly", [_names(view, draft, cards)], partial(pick, "name"), least=1
        )
    unnamed, claims = draft.give.total() - exchange.named(draft.give).total(), _claims(view)
    if cards and unnamed and claims:
        options = [(label, token, token in draft.give) for token, label in claims.items()][
            :SELECT_MAX
        ]
        what = "the other card" if unnamed == 1 else f"the other {unnamed} cards"
        rows += menus(f"Say of {what}, true or not", [options], partial(pick, "say"), most=unnamed)
    return rows


def _hand_options(view: TableView, cards: Goods) -> list[list[CardOption]]:
    return in_parts(card_options(view, _in_hand(view), cards))


def _names(view: TableView, draft: OfferDraft, cards: Goods) -> list[CardOption]:
    """Return an option for each amount of these cards that the offer can name."""
    nameable = Goods({token: count for token, count in cards.items() if token in _nameable(view)})
    return card_options(view, nameable, exchange_of(view).named(draft.give), "Name ")[:SELECT_MAX]


def _in_hand(view: TableView) -> Goods:
    return view.seats[view.seat or ""].exchangeable or NOTHING


def _nameable(view: TableView) -> set[str]:
    return {each.token for each in own(view).suggest(NOTHING)}


def _claims(view: TableView) -> dict[str, str]:
    """Return what can be said of a card that is not named, with words for each."""
    short = game_of(view).goods.describe_short
    tokens = [each.token for each in own(view).suggest(NOTHING) if each.uncommon]
    return {token: plain_text(view, short(Goods({token: 1}))) for token in tokens}


# ---------------------------------------------------------------- what is wanted


def _want_rows(view: TableView, draft: OfferDraft) -> Rows:
    """Return the select of the cards that are wanted, and buttons for their numbers."""
    if not (wanted := _wanted(view, draft)):
        return ()
    exchange, me = exchange_of(view), view.seats[view.seat or ""]
    several = max(1, exchange.to_name(NOTHING))
    rows: Rows = menus(
        "You get",
        [wanted],
        partial(pick_of, view, draft, "want"),
        lambda goods: exchange.gain(me.known, Goods(dict.fromkeys(goods, several))),
    )
    found = {each.token: each for each in of_others(view, draft.to).suggest(NOTHING)}
    kinds = {token: draft.want.count(token) for token in exchange.named(draft.want)}
    buttons: list[Button] = []
    if len(kinds) > 1:
        every = (
            draft
            if not draft.one
            else _wanting(exchange, draft, dict.fromkeys(kinds, 1), one=False)
        )
        some = _wanting(exchange, draft, kinds, one=True)
        for place, (label, to) in enumerate(((ALL, every), (ONE, some if some.fits else draft))):
            on: Style = "primary" if draft.one == (to is some) else "secondary"
            buttons.append(Button(label, press_of(view, to, "build", COUNTED_MAX * 2 + place), on))
    tokens = [token for token in draft.want if kind_of(token) not in ("claim", "said")]
    for token in tokens[:COUNTED_MAX]:
        count = draft.want.count(token)
        most, unit = (found[token].most, found[token].step) if token in found else (count, 1)
        for step in (-1, 1):
            now, changed = count + step, draft
            if now <= most:
                changed = _wanting(
                    exchange, draft, {**draft.want, token: now}, one=draft.one and now > 0
                )
            buttons.append(step_button(view, draft, changed, token, step * unit, len(buttons)))
    return (*rows, *rows_of(buttons))


def _wanted(view: TableView, draft: OfferDraft) -> list[CardOption]:
    """Return an option for each card that can be wanted, those of the viewer's biggest sets
    first.
    """
    describe, hand = game_of(view).goods.describe_card, _in_hand(view)
    every = [each.token for each in of_others(view, draft.to).suggest(NOTHING) if ":" in each.token]
    tokens = [token for token in every if kind_of(token) != "claim"][:SELECT_MAX]
    tokens.sort(key=lambda token: -hand.count(token))
    return [
        (f"Get {plain_text(view, describe(token))}", token, token in draft.want) for token in tokens
    ]


# ---------------------------------------------------------------- posting


def _posts(view: TableView, draft: OfferDraft, cards: Goods) -> tuple[Button, ...]:
    """Return the buttons that post, the likely one in green, and the way to the form."""
    exchange = exchange_of(view)
    settled = not exchange.to_name(draft.give) and not exchange.to_name(want_of(view, draft))
    write = Button("Write it…", press_of(view, draft, "write"))
    nothing = not says_something(view, draft)
    if settled and cards.total() == draft.give.total() and not nothing:
        label = cards_label(view, AND_HAND_OVER, exchange.named(draft.give), cards)
        only = Button(ONLY, press_of(view, draft, "post"))
        return (Button(label, press_of(view, draft, "hand"), "success"), only, write)
    label = OFFER_IT if draft.give or not draft.want else "Ask for it"
    offer = Button(
        label,
        press_of(view, draft, "post"),
        "success" if settled else "secondary",
        disabled=nothing,
    )
    return (offer, write)
