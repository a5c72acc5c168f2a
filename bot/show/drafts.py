"""An offer that is being made, after its partner is chosen: proposals for one tap, and **Build
it…** with buttons.

A counter, or an alteration, begins with the goods of the offer that it answers.

The draft is kept in the custom_ids of the card's buttons, so it survives a restart. Every button
but **Offer it** and the proposals only shows the card again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from bot.rules.commands import Press
from bot.rules.features.offers.posting import RepeatOffer, SameOffer
from bot.rules.game import Suggestion
from bot.rules.model.actions import Action, OfferAction
from bot.rules.model.codec import DIGIT_MAX, read_goods, write_goods
from bot.rules.model.debts import PAYS, is_word, owed
from bot.rules.model.goods import NOTHING, Goods, kind_of
from bot.rules.views import OfferView, TableView
from bot.show.actions import DraftMove, DraftPick, DraftPress, PickSide
from bot.show.board import short_goods
from bot.show.cards import LABEL_MAX, SELECT_MAX, Button, Card, Rows, clipped, rows_of
from bot.show.goods import all_hidden, goods_text, short_goods_text
from bot.show.names import game_of, name, plain_player, plain_text, player
from bot.show.offer_sides import as_viewer, other_side, terms_quote
from bot.show.picker import CardOption, card_options, in_parts, menus, repicked
from bot.show.stock import Stock, of_others, own, vocabulary

KINDS_MAX = 11
"""The most kinds of goods in a draft: as many as fit into a custom_id."""

COUNTED_MAX = 2
"""The most kinds of goods with buttons on each side: a row has two buttons for each."""

PARTS = 2
"""The most selects on each side."""

ONE = "~"
"""Begins the goods that a draft wants if it wants one kind of them; no goods are written with
it.
"""

ASKED_MAX = 3
"""The most offers of the partner to show."""

UNASKED_MAX = 3
"""The most proposals before a partner is chosen."""

DraftSide = Literal["give", "want"]


@dataclass(frozen=True)
class OfferDraft:
    """An offer that is being made, to a seat; None for everybody. ``negotiation`` is 0 for none.

    ``rest`` are cards that its poster picked to hand over and the offer does not name; nobody else
    may know them. ``answers`` is the offer that it counters, or alters if it is the viewer's own,
    at ``revision``; 0 for none. It also has that offer's negotiation and terms. ``one``: it wants
    one of the kinds of goods in ``want``, not all.
    """

    to: str | None
    negotiation: int = 0
    give: Goods = NOTHING
    want: Goods = NOTHING
    rest: Goods = NOTHING
    answers: int = 0
    revision: int = 0
    one: bool = False

    def side(self, side: DraftSide) -> Goods:
        """Return the goods of a side."""
        return self.give if side == "give" else self.want

    def with_side(self, side: DraftSide, goods: Goods) -> OfferDraft:
        """Return the draft with these goods on a side."""
        return replace(self, give=goods) if side == "give" else replace(self, want=goods)

    @property
    def fits(self) -> bool:
        """Whether a custom_id can hold the draft."""
        parts = (self.give, self.want, self.rest)
        few = sum(map(len, parts)) <= KINDS_MAX
        few = few and (not self.one or sum(map(len, parts)) < KINDS_MAX)
        return few and all(count <= DIGIT_MAX for goods in parts for count in goods.values())


# ---------------------------------------------------------------- in custom_ids


def press_of(view: TableView, draft: OfferDraft, what: DraftMove, place: int = 0) -> DraftPress:
    """Return the action of a button of this draft."""
    to, (give, want, rest) = _person(view, draft.to), _written(draft)
    return DraftPress(
        view.id, what, to, draft.negotiation, give, want, place, rest, draft.answers, draft.revision
    )


def pick_of(view: TableView, draft: OfferDraft, side: PickSide, part: int = 0) -> DraftPick:
    """Return the action of a select of this draft."""
    to, written = _person(view, draft.to), _written(draft)
    return DraftPick(
        view.id, side, part, to, draft.negotiation, *written, draft.answers, draft.revision
    )


def _written(draft: OfferDraft) -> tuple[str, str, str]:
    return (
        write_goods(draft.give),
        f"{ONE if draft.one else ''}{write_goods(draft.want)}",
        write_goods(draft.rest),
    )


def draft_of(view: TableView, action: DraftPress | DraftPick) -> OfferDraft | None:
    """Return the draft of an action. None if the person has left their seat or the goods are
    unknown here.
    """
    to, answers = action.to, action.answers
    seat = (
        next((seat for seat, person in view.names.holders.items() if person == to), None)
        if to
        else None
    )
    if to and (seat is None or seat == view.seat):
        return None
    answered, tokens = view.offers.get(answers), vocabulary(view)
    tokens |= {*answered.sides.give, *answered.sides.want} if answered is not None else set()
    goods = [
        read_goods(text, tokens)
        for text in (action.give, action.want.removeprefix(ONE), action.rest)
    ]
    if goods[0] is None or goods[1] is None or goods[2] is None:
        return None
    one = action.want.startswith(ONE)
    return OfferDraft(
        seat, action.negotiation, goods[0], goods[1], goods[2], answers, action.revision, one
    )


def answer_draft(offer: OfferView) -> OfferDraft:
    """Return the draft of an alteration or a counter: what the viewer gives and gets in the offer,
    as they read it.
    """
    give, want = as_viewer(offer)
    return OfferDraft(
        other_side(offer), give=give, want=want, answers=offer.number, revision=offer.revision
    )


def _person(view: TableView, seat: str | None) -> int:
    return (view.names.holders.get(seat) or 0) if seat else 0


# ---------------------------------------------------------------- proposals


def proposals_card(view: TableView, draft: OfferDraft, earlier: Sequence[OfferView]) -> Card:
    """Return what the viewer can offer with one tap, and the two ways to make any other offer.

    ``earlier`` are offers that can be repeated: that of the last trade of the two, and the viewer's
    own that lapsed.
    """
    proposals = rows_of(list(proposal_buttons(view, draft, earlier)))
    ways = (
        Button(
            "Build it…", press_of(view, draft, "build"), "secondary" if proposals else "primary"
        ),
        Button("Write it…", press_of(view, draft, "write")),
    )
    hint = "-# One tap posts it. You can withdraw it until they accept." if proposals else ""
    text = "\n".join(filter(None, (f"### {draft_title(view, draft)}", hint)))
    return Card("open", (text,), (*proposals, ways))


def can_repeat(view: TableView, draft: OfferDraft, offer: OfferView) -> bool:
    """Return whether an offer that is over can be posted again with this draft, as far as the
    viewer may know.
    """
    if offer.role is None or "again" not in offer.buttons.more:
        return False
    other = offer.names.holder(draft.to) if draft.to is not None else None
    same = other is not None and other.number == view.names.holders.get(draft.to or "")
    give, want = as_viewer(offer)
    return (
        offer.exact
        and (same if draft.to is not None else offer.to is None)
        and not any(
            (each.to, each.sides) == (offer.to, offer.sides)
            for each in view.offers.values()
            if each.live
        )
        and (offer.links.negotiation or 0) == draft.negotiation
        and own(view, draft.to).has(give)
        and of_others(view, draft.to).has(want)
    )


def proposal_buttons(
    view: TableView, draft: OfferDraft, earlier: Sequence[OfferView]
) -> Iterator[Button]:
    """Yield what the game proposes, what was offered before, and what the partner asks for, legal
    now or not.
    """
    for each in game_of(view).proposals(view, draft.to):
        offered = replace(draft, give=each.give, want=each.want, rest=NOTHING)
        if offered.fits:
            yield _button(plain_text(view, each.label), press_of(view, offered, "post"), "primary")
    for offer in earlier:
        give, want = as_viewer(offer)
        terms = ", with its terms" if offer.sides.terms or offer.sides.terms_now else ""
        when = "As last time" if offer.status == "resolved" else "Again"
        label = f"{when}: {label_goods(view, give)} for {label_goods(view, want)}{terms}"
        yield _button(label, Press(view.id, RepeatOffer(offer.number)), "primary")
    offers = [view.offers[number] for number in view.by_interest]
    theirs = [each for each in offers if each.poster == draft.to and each.status == "open"]
    for offer in theirs[:ASKED_MAX]:  # those that the viewer could accept, or make the same
        wants, gives = label_goods(view, offer.sides.want), label_goods(view, offer.sides.give)
        goods = f"{wants} for {gives}" if offer.sides.want else f"they give {gives}"
        if offer.asks_only:
            goods = f"they want {wants}"
        if "same" in offer.buttons.more and offer.to is not None:
            same = Press(view.id, SameOffer(offer.number, offer.revision))
            yield _button(f"As they asked {plain_player(view, offer.to)}: {goods}", same, "primary")
        elif offer.role == "addressed" and not offer.progress.agreed_by_both:
            look = OfferAction(view.id, offer.number, offer.revision, "show")
            yield _button(f"Look at offer {offer.number}: {goods}", look)


def unasked_buttons(view: TableView, now: Sequence[str]) -> list[Button]:
    """Return the usual trades with anybody, posted with one tap, and what somebody asks everybody
    for.

    ``now`` are the seats that the viewer can trade with now. The largest swap comes first; nothing
    is proposed that one of the two offers the other already.
    """
    live = (each for each in view.offers.values() if each.live and each.role is not None)
    offered = {(each.to, each.sides.give, each.sides.want) for each in live}
    swaps: dict[Button, int] = {}
    for other in now if view.pairwise else (None,) if now else ():
        for each in game_of(view).proposals(view, other):
            there = {(other, each.give, each.want), (view.seat, each.want, each.give)}
            if each.unasked and not there & offered:
                label = (
                    f"{plain_text(view, each.label)}{f' with {name(view, other)}' if other else ''}"
                )
                press = press_of(view, OfferDraft(other, give=each.give, want=each.want), "post")
                swaps[_button(label, press, "primary")] = each.give.total()
    first = sorted(swaps, key=lambda each: -swaps[each])
    asked = [
        _button(
            f"{name(view, each.poster)} asks for {label_goods(view, each.sides.want)}",
            OfferAction(view.id, each.number, each.revision, "show"),
        )
        for each in map(view.offers.__getitem__, view.by_interest)
        if each.status == "open"
        and each.to is None
        and each.role == "addressed"
        and each.poster in now
        and each.sides.want
        and not each.progress.takers
    ]
    return [*first[: UNASKED_MAX - 1], *asked, *first[UNASKED_MAX - 1 :]][:UNASKED_MAX]


# ---------------------------------------------------------------- **Build it…**


def build_card(view: TableView, draft: OfferDraft) -> Card:
    """Return the draft with buttons and menus that change it, and **Offer it**."""
    sides = f"You give {goods_text(view, draft.give)}\nYou get {goods_text(view, draft.want)}"
    offer = Button(
        "Offer it",
        press_of(view, draft, "post"),
        "success",
        disabled=not says_something(view, draft),
    )
    write = Button("Write it…", press_of(view, draft, "write"))
    rows = (*_side_rows(view, draft, "give"), *_side_rows(view, draft, "want"), (offer, write))
    debts, paid = game_of(view).debts, PAYS in map(kind_of, (*draft.give, *draft.want))
    used_up = (
        f"-# {debts.one_trade.format(other=player(view, draft.to))}"
        if debts and draft.to and paid
        else ""
    )
    blocks = (
        f"### {draft_title(view, draft)}",
        sides,
        answered(view, draft),
        _held(view, draft),
        used_up,
    )
    return Card("open", tuple(filter(None, blocks)), rows)


def says_something(view: TableView, draft: OfferDraft) -> bool:
    """Return whether the draft can be posted: an offer with goods, or an answer that changes what
    it answers.
    """
    first = view.offers.get(draft.answers)
    if first is None:
        return bool(draft.give or draft.want)
    return draft.one or (draft.give, draft.want) != as_viewer(first)


def answered(view: TableView, draft: OfferDraft) -> str:
    """Return what the answered offer says, for comparison, and its terms, which stay; empty for a
    new offer.
    """
    first = view.offers.get(draft.answers)
    if first is None:
        return ""
    give, get = (short_goods_text(view, goods) for goods in as_viewer(first))
    said = (
        ""
        if not says_something(view, draft)
        else f"-# Offer {first.number}: you give {give}, get {get}"
    )
    return "\n".join(filter(None, (terms_quote(first), said)))


def picked(
    view: TableView, draft: OfferDraft, side: PickSide, part: int, values: Sequence[str]
) -> OfferDraft:
    """Return the draft after a choice in one of its selects."""
    if side == "name" or side == "say":  # only a hidden hand has those
        return draft
    return draft.with_side(
        side, repicked(draft.side(side), _options(view, draft, side), part, values)
    )


def _side_rows(view: TableView, draft: OfferDraft, side: DraftSide) -> Rows:
    """Return a row of buttons that change amounts, and selects of cards."""
    word, first = ("Give", 0) if side == "give" else ("Get", 2 * COUNTED_MAX)
    buttons: list[Button] = []
    for each in _counted(view, draft, side):
        count, most = draft.side(side).count(each.token), min(each.most, DIGIT_MAX)
        for step in (-1, 1):
            changed = (
                _with_count(view, draft, side, each.token, count + step)
                if 0 <= count + step <= most
                else draft
            )
            place = first + len(buttons)
            buttons.append(
                step_button(view, draft, changed, each.token, step * each.step, place, f"{word} ")
            )
    buttons += _later(view, draft, side)
    selects = menus(
        f"You also {word.lower()}", _options(view, draft, side), partial(pick_of, view, draft, side)
    )
    return (*rows_of(buttons), *selects)


def _later(view: TableView, draft: OfferDraft, side: DraftSide) -> Iterator[Button]:
    """Yield the switch between goods given now and owed, in a game that counts debts; one is owed
    if there are none.
    """
    debts, goods = game_of(view).debts, draft.side(side)
    if debts is None or draft.to is None:
        return
    later, now = goods.count(owed(debts.token)), goods.count(debts.token)
    most = next(
        (each.most for each in _suggestions(view, draft, side) if each.token == debts.token), 0
    )
    then, given = (0, min(later, most)) if later else (max(1, now), 0)
    changed = _with_count(view, draft, side, owed(debts.token), then)
    changed = _with_count(view, changed, side, debts.token, given)
    press = press_of(
        view, changed if changed.fits else draft, "build", 4 * COUNTED_MAX + (side == "want")
    )
    yield Button(f"{'Give' if side == 'give' else 'Get'} {'now' if later else 'later'}", press)


def _with_count(
    view: TableView, draft: OfferDraft, side: DraftSide, token: str, count: int
) -> OfferDraft:
    """Return the draft with this number of a component on a side; what it pays of a debt changes
    with that.
    """
    counts, debts = {**draft.side(side), token: count}, game_of(view).debts
    goods = Goods({each: number for each, number in counts.items() if number})
    if debts is not None and (paid := next(iter(goods.of_kind(PAYS)), None)):
        goods = goods.without_kind(PAYS) + Goods(
            {paid: max(1, min(debts.worth(goods), int(paid.split(":")[2])))}
        )
    return draft.with_side(side, goods)


def _suggestions(view: TableView, draft: OfferDraft, side: DraftSide) -> Sequence[Suggestion]:
    """Return what a side could give, as far as the viewer may know, and what the draft has on it
    already.
    """
    stock: Stock = own(view, draft.to) if side == "give" else of_others(view, draft.to)
    return [
        each
        for each in stock.suggest(NOTHING)
        if not each.uncommon or each.token in draft.side(side)
    ]


def _counted(view: TableView, draft: OfferDraft, side: DraftSide) -> list[Suggestion]:
    """Return the goods that are all alike, such as unnamed cards; what is owed, in place of what
    would be given.
    """
    found, debts = (
        [each for each in _suggestions(view, draft, side) if ":" not in each.token],
        game_of(view).debts,
    )
    if debts is not None and owed(debts.token) in draft.side(side):
        later = Suggestion(owed(debts.token), "", most=DIGIT_MAX)
        found = [later, *(each for each in found if each.token != debts.token)]
    return found[:COUNTED_MAX]


def _options(view: TableView, draft: OfferDraft, side: DraftSide) -> list[list[CardOption]]:
    """Return every other card of a side as options of selects: as many copies of each as there is
    room for.
    """
    debts = game_of(view).debts
    counted = [
        *(each.token for each in _counted(view, draft, side)),
        *([debts.token] if debts else []),
    ]
    most = {
        each.token: each.most
        for each in _suggestions(view, draft, side)
        if each.token not in counted
    }
    chosen = {
        token: n
        for token, n in draft.side(side).items()
        if token not in counted and not is_word(token)
    }
    copies = next(
        (
            cap
            for cap in range(max(most.values(), default=1), 1, -1)
            if sum(min(count, cap) for count in most.values()) <= PARTS * SELECT_MAX
        ),
        1,
    )
    cards = Goods(
        {
            token: max(min(most.get(token, 1), copies), chosen.get(token, 0))
            for token in {**most, **chosen}
        }
    )
    return in_parts(card_options(view, cards, Goods(chosen)))[:PARTS]


def _held(view: TableView, draft: OfferDraft) -> str:
    """Return what lies open before the two, in small print; empty if nothing is counted or all is
    hidden.
    """
    if not view.tracked or all_hidden(view) or view.seat is None:
        return ""
    mine = f"You have {short_goods(view, view.seats[view.seat].open)}"
    theirs = f" · they have {short_goods(view, view.seats[draft.to].open)}" if draft.to else ""
    return f"-# {mine}{theirs}"


# ---------------------------------------------------------------- words


def draft_title(view: TableView, draft: OfferDraft) -> str:
    """Return to whom the draft goes, and what it answers."""
    first = view.offers.get(draft.answers)
    other = player(view, draft.to) if draft.to else "everyone"
    if first is not None and first.role == "poster":
        return f"Alter offer {first.number} to {other}"
    return (
        f"Counter to offer {draft.answers} from {other}" if draft.answers else f"Offer to {other}"
    )


def _button(
    label: str, action: Action, style: Literal["primary", "secondary"] = "secondary"
) -> Button:
    return Button(clipped(label, LABEL_MAX), action, style)


def label_goods(view: TableView, goods: Goods) -> str:
    """Return goods for a button's label, in words: ``2 tg, Sol's Ceasefire (bob)``."""
    language = game_of(view).goods
    parts = (language.describe_shortest(token, goods[token]) for token in language.listed(goods))
    return ", ".join(plain_text(view, part) for part in parts) or "nothing"


def step_button(
    view: TableView,
    draft: OfferDraft,
    changed: OfferDraft,
    token: str,
    step: int,
    place: int,
    verb: str = "",
) -> Button:
    """Return the button that makes a draft ``changed`` by one step of a component: ``+1 tg``,
    ``Give −10 coins``.

    It is disabled if nothing changes or the change does not fit.
    """
    possible = changed != draft and changed.fits
    language, sign = game_of(view).goods, "−" if step < 0 else "+"
    words = language.words.get(token) or plain_text(view, language.describe_card(token))
    # The words for one of goods in steps have the number: “10 coins”.
    amount = words if words.startswith(f"{abs(step)} ") else f"{abs(step)} {words}"
    press = press_of(view, changed if possible else draft, "build", place)
    return Button(f"{verb}{sign}{amount}", press, disabled=not possible, icon=language.icon(token))
