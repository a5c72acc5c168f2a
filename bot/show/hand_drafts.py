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
from itertools import chain

from bot.rules.game import Exchange, Suggestion
from bot.rules.model.goods import NOTHING, Goods, kind_of
from bot.rules.views import OfferView, TableView
from bot.show.actions import PickSide
from bot.show.cards import (
    BUTTONS_MAX,
    Button,
    Card,
    Rows,
    Style,
    drawn,
    plural,
    rows_of,
    rules_last,
)
from bot.show.drafts import (
    OfferDraft,
    answer_draft,
    answered_text,
    change_button,
    draft_title,
    number_in,
    number_menu,
    pick_of,
    post_label,
    press_of,
    proposal_buttons,
    says_something,
    step_button,
)
from bot.show.goods import short_goods_text
from bot.show.hand_over import cards_label, exchange_of, last_third
from bot.show.names import format_text, game_of, mention, plain_text, who_plays
from bot.show.picker import CardOption, card_options, in_parts, menus, repicked, ticked
from bot.show.stock import of_others, own

COUNTED_MAX = 4
"""The most kinds of wanted cards with buttons for their number."""

ALL, ONE = "All of these", "One of these"
"""The labels of the buttons for a wish with several kinds of cards."""

AND_HAND_OVER, ONLY = "Offer it, hand over", "Only offer it"
"""The labels of the buttons that post."""


@drawn
def hand_draft_card(
    view: TableView,
    draft: OfferDraft,
    earlier: Sequence[OfferView] = (),
    *,
    first: bool = False,
    page: int = 0,
) -> Card:
    """Return the draft with selects that change it, and the buttons that post it.

    ``first``: nothing is chosen yet, so it begins with proposals, among them the ``earlier``
    offers. ``page``: which numbers the menu of what is wanted shows.
    """
    cards = picked_cards(view, draft)
    proposals = rows_of(list(proposal_buttons(view, draft, earlier))) if first else ()
    ready = ", or post an offer that is ready" if proposals else ""
    small = f"-# {draft_title(view, draft)} · only you see this"
    blocks = [f"### {_what_to_do(view, draft)}{ready}\n{small}"]
    if first:
        tap = " One tap on a proposal posts it." if proposals else ""
        blocks.append(rules_last(f"-# {exchange_of(view).in_short}{tap}"))
    else:
        blocks.append(_offer(view, draft))
    blocks.append(answered_text(view, draft))
    gives, gets = _give_rows(view, draft, cards), _want_rows(view, draft, page)
    return Card("open", blocks, (*proposals, *gives, *gets, _posts(view, draft, cards)))


@drawn
def hand_ready_card(view: TableView, draft: OfferDraft) -> Card:
    """Return the draft as it would be posted, with **Offer it** and the ways to change it."""
    offer = Button(post_label(draft), press_of(view, draft, "post"), "success")
    posts = [replace(offer, disabled=not says_something(view, draft))]
    cards = picked_cards(view, draft)
    if _can_hand_over(view, draft, cards):
        posts = [_hands_over(view, draft, cards), replace(offer, style="secondary")]
    write = Button("Write it…", press_of(view, draft, "write"))
    title = f"### {draft_title(view, draft, who_plays)}"
    blocks = (title, _offer(view, draft), answered_text(view, draft))
    return Card("open", blocks, ((*posts, change_button(view, draft), write),))


def hand_answer_draft(view: TableView, offer: OfferView) -> OfferDraft:
    """Return the draft of an alteration or a counter. Of the cards to give, it gives those that the
    viewer has.

    What they have handed over for the offer goes with it.
    """
    draft, exchange = answer_draft(offer), exchange_of(view)
    named, hand = exchange.named(draft.give), _in_hand(view)
    cards = named.common(hand)
    give = draft.give if cards == named else exchange.promise(cards, cards)
    rest, handed = last_third(view, hand - cards), offer.own.handed
    if handed is not None:
        rest = (handed - handed.common(cards)).common(hand - cards)
    fits = cards.total() + rest.total() <= give.total()
    return replace(draft, give=give, rest=rest if fits else NOTHING)


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
    """Return the draft after a choice in one of its selects.

    More cards to give are filled up by the likely ones, in whose place others come.
    """
    exchange, cards = exchange_of(view), picked_cards(view, draft)
    named, claims = exchange.named(draft.give), draft.give.of_kind("claim", "said")
    adds = False
    match side:
        case "want":
            tokens = ticked(_wanted(view, draft), part, values)
            counts = {token: max(1, draft.want.count(token)) for token in tokens}
            return _wanting(exchange, draft, counts, one=draft.one and len(tokens) > 1)
        case "wants":
            chosen = number_in(_counted(view, draft), values)
            return _chosen(exchange, draft, *chosen) if chosen else draft
        case "name":
            named = repicked(named, _names(view, draft, cards), part, values)
        case "say":
            claims = Goods.of(ticked(_sayable(view, draft), part, values))
        case _:
            before = cards
            cards = repicked(cards, _hand_options(view, cards), part, values)
            adds = bool(before.missing(cards))
            if adds and draft.rest == _likely_rest(view, draft.give, draft.want):
                surplus = max(0, cards.total() - before.total())
                filling = list(draft.rest.common(cards).tokens())
                cards -= Goods.of(filling[:surplus])
            if cards.missing(named) or exchange.to_name(draft.give):
                named = NOTHING
    give = exchange.promise(cards, named + claims)
    changed = replace(draft, give=give, rest=cards - exchange.named(give))
    if adds and not changed.rest:
        filled_up = replace(changed, rest=_likely_rest(view, give, draft.want))
        return filled_up if filled_up.fits else changed
    return changed


def _likely_rest(view: TableView, give: Goods, want: Goods) -> Goods:
    """Return the cards that the viewer most likely gives beside those that an offer names; none
    while it names too few.
    """
    exchange = exchange_of(view)
    if not give or exchange.to_name(give):
        return NOTHING
    likely = exchange.likely(_in_hand(view), give, want) or NOTHING
    return likely - exchange.named(give).common(likely)


def _wanting(
    exchange: Exchange, draft: OfferDraft, counts: Mapping[str, int], *, one: bool
) -> OfferDraft:
    """Return the draft that wants so many of each of these cards, all of them or ``one``: then
    enough to name.
    """
    goods = Goods({token: count for token, count in counts.items() if count})
    if one:
        enough = Goods(dict.fromkeys(exchange.named(goods), exchange.to_name(NOTHING)))
        goods += goods.missing(enough)
    return replace(draft, want=exchange.wish(goods), one=one)


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
    gets, handed = want_of(view, draft), picked_cards(view, draft)
    lines = []
    if draft.give:
        lines.append(f"You give {short_goods_text(view, draft.give)}")
    if gets:
        lines.append(f"You get {short_goods_text(view, gets)}")
    whole = handed if handed.total() == draft.give.total() else None
    hand = view.seats[view.seat or ""].known
    worth = exchange_of(view).outlook(hand, draft.give, gets, whole)
    if worth is not None:
        lines.append(format_text(view, worth.line))
    if draft.rest and draft.give:
        reader = f"{mention(view, draft.to)} reads" if draft.to else "Others read"
        hidden = short_goods_text(view, draft.rest)
        lines.append(f"-# Unnamed: {hidden}. {reader} only what you name.")
    return "\n".join(lines)


# ---------------------------------------------------------------- what is given


def _give_rows(view: TableView, draft: OfferDraft, cards: Goods) -> Rows:
    """Return the selects of the cards to give, of those to name, and of what to say about the
    others.
    """
    exchange, pick = exchange_of(view), partial(pick_of, view, draft)
    cost = partial(exchange.cost, _in_hand(view))
    rows = menus("You give", _hand_options(view, cards), partial(pick, "give"), cost)
    nameable = _nameable(view, cards)
    if nameable.total() > exchange.to_name(NOTHING):
        names = _names(view, draft, cards)
        least = 1 if len(names) == 1 else 0
        rows += menus("Cards you name, truly", names, partial(pick, "name"), least=least)
    unnamed = draft.give.total() - exchange.named(draft.give).total()
    claims = _sayable(view, draft)
    if cards and unnamed and claims:
        rows += menus("Hint, true or not", claims, partial(pick, "say"), most=unnamed)
    return rows


def _hand_options(view: TableView, cards: Goods) -> list[list[CardOption]]:
    return in_parts(card_options(view, _in_hand(view), cards))


def _names(view: TableView, draft: OfferDraft, cards: Goods) -> list[list[CardOption]]:
    """Return an option for each amount of these cards that the offer can name."""
    named = exchange_of(view).named(draft.give)
    return in_parts(card_options(view, _nameable(view, cards), named, "Name "))


def _sayable(view: TableView, draft: OfferDraft) -> list[list[CardOption]]:
    """Return an option for each card that can be said of one that is not named."""
    claims = _claims(view).items()
    return in_parts([(label, token, token in draft.give) for token, label in claims])


def _in_hand(view: TableView) -> Goods:
    return view.seats[view.seat or ""].exchangeable or NOTHING


def _nameable(view: TableView, cards: Goods) -> Goods:
    """Return those of these cards that an offer may name."""
    tokens = {component.token for component in own(view).suggest(NOTHING)}
    return Goods({token: count for token, count in cards.items() if token in tokens})


def _claims(view: TableView) -> dict[str, str]:
    """Return what can be said of a card that is not named, with words for each."""
    describe, claims = game_of(view).goods.describe_short, {}
    for component in own(view).suggest(NOTHING):
        if component.uncommon:
            token = component.token
            claims[token] = plain_text(view, describe(Goods({token: 1})))
    return claims


# ---------------------------------------------------------------- what is wanted


def _want_rows(view: TableView, draft: OfferDraft, page: int) -> Rows:
    """Return the select of the cards that are wanted, and buttons and a menu for their numbers."""
    wanted = _wanted(view, draft)
    if not wanted:
        return ()
    exchange, hand = exchange_of(view), view.seats[view.seat or ""].known
    several = max(1, exchange.to_name(NOTHING))

    def gain(goods: Goods) -> str:
        return exchange.gain(hand, Goods(dict.fromkeys(goods, several)))

    selects = menus("You get", wanted, partial(pick_of, view, draft, "want"), gain)
    likely: list[Button] = []
    if draft.give and not draft.want:
        likely = _likely_wants(view, draft)
    switch = _all_or_one(view, draft)
    steps = rows_of(switch + _want_steps(view, draft, len(switch)))
    numbers = number_menu(view, draft, "want", _counted(view, draft), page)
    return (*rows_of(likely), *selects, *steps, *numbers)


def _likely_wants(view: TableView, draft: OfferDraft) -> list[Button]:
    """Return a button for each of the viewer's biggest sets, to want such cards by one tap; none
    for cards that they give.
    """
    exchange, row = exchange_of(view), list[Button]()
    kept = _in_hand(view) - picked_cards(view, draft)
    for label, token, _ in chain.from_iterable(_wanted(view, draft)):
        wanting = _wanting(exchange, draft, {token: 1}, one=False)
        if kept.count(token) and token not in draft.give and wanting.fits:
            row.append(Button(label, press_of(view, wanting, "build", len(row))))
    return row[:BUTTONS_MAX]


def _all_or_one(view: TableView, draft: OfferDraft) -> list[Button]:
    """Return the switch between all kinds of wanted cards and one of them; none for one kind."""
    exchange = exchange_of(view)
    kinds = {token: draft.want.count(token) for token in exchange.named(draft.want)}
    if len(kinds) < 2:
        return []
    every = draft
    if draft.one:
        every = _wanting(exchange, draft, dict.fromkeys(kinds, 1), one=False)
    one = _wanting(exchange, draft, kinds, one=True)
    first = COUNTED_MAX * 2
    styles: tuple[Style, Style] = (
        ("secondary", "primary") if draft.one else ("primary", "secondary")
    )
    to_one = press_of(view, one if one.fits else draft, "build", first + 1)
    return [
        Button(ALL, press_of(view, every, "build", first), styles[0]),
        Button(ONE, to_one, styles[1]),
    ]


def _counted(view: TableView, draft: OfferDraft) -> list[Suggestion]:
    """Return the kinds of wanted cards whose number can be changed, with the most of each."""
    suggestions = of_others(view, draft.to).suggest(NOTHING)
    known = {component.token: component for component in suggestions}
    tokens = [token for token in draft.want if kind_of(token) not in ("claim", "said")]
    kinds = []
    for token in tokens[:COUNTED_MAX]:
        unknown = Suggestion(token, "", most=draft.want.count(token))
        kinds.append(known.get(token, unknown))
    return kinds


def _with_number(exchange: Exchange, draft: OfferDraft, token: str, count: int) -> OfferDraft:
    """Return the draft that wants so many of one kind of cards."""
    one = draft.one and count > 0
    return _wanting(exchange, draft, {**draft.want, token: count}, one=one)


def _chosen(exchange: Exchange, draft: OfferDraft, token: str, count: int) -> OfferDraft:
    """Return the draft after the choice of a number: more cards with a name take the place of
    those without, which only fill a side up.
    """
    named = exchange.named(draft.want)
    if token in named and count > named.count(token):
        draft = replace(draft, want=named + draft.want.of_kind("claim", "said"))
    return _with_number(exchange, draft, token, count)


def _want_steps(view: TableView, draft: OfferDraft, first: int) -> list[Button]:
    """Return the buttons that change the number of each wanted card."""
    row: list[Button] = []
    for kind in _counted(view, draft):
        count = draft.want.count(kind.token)
        for step in (-1, 1):
            changed = draft
            if count + step <= kind.most:
                changed = _with_number(exchange_of(view), draft, kind.token, count + step)
            place = first + len(row)
            row.append(step_button(view, draft, changed, kind.token, step * kind.step, place))
    return row


def _wanted(view: TableView, draft: OfferDraft) -> list[list[CardOption]]:
    """Return an option for each card that can be wanted, those of the viewer's biggest sets
    first.
    """
    tokens = []
    for component in of_others(view, draft.to).suggest(NOTHING):
        if ":" in component.token and kind_of(component.token) != "claim":
            tokens.append(component.token)
    describe, hand = game_of(view).goods.describe_card, _in_hand(view)
    options = []
    for token in sorted(tokens, key=lambda token: -hand.count(token)):
        options.append((f"Get {plain_text(view, describe(token))}", token, token in draft.want))
    return in_parts(options)


# ---------------------------------------------------------------- posting


def _posts(view: TableView, draft: OfferDraft, cards: Goods) -> tuple[Button, ...]:
    """Return the buttons that post, the likely one in green, and the way to the form."""
    write = Button("Write it…", press_of(view, draft, "write"))
    nothing, post = not says_something(view, draft), press_of(view, draft, "post")
    if _can_hand_over(view, draft, cards):
        return (_hands_over(view, draft, cards), Button(ONLY, post), write)
    label = post_label(draft)
    if draft.to and draft.want and not draft.give:
        label = "Ask for it"
    style: Style = "success" if _is_settled(view, draft) else "secondary"
    return (Button(label, post, style, disabled=nothing), write)


def _is_settled(view: TableView, draft: OfferDraft) -> bool:
    """Return whether enough is named on both sides."""
    exchange = exchange_of(view)
    return not exchange.to_name(draft.give) and not exchange.to_name(want_of(view, draft))


def _can_hand_over(view: TableView, draft: OfferDraft, cards: Goods) -> bool:
    """Return whether all that the draft gives is picked."""
    if not _is_settled(view, draft) or not says_something(view, draft):
        return False
    return cards.total() == draft.give.total() and not _in_hand(view).missing(cards)


def _hands_over(view: TableView, draft: OfferDraft, cards: Goods) -> Button:
    """Return the button that posts the draft and hands its cards over."""
    label = cards_label(view, AND_HAND_OVER, exchange_of(view).named(draft.give), cards)
    return Button(label, press_of(view, draft, "hand"), "success")
