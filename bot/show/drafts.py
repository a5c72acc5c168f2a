"""An offer that is being made, after its partner is chosen: proposals for one tap, and **Build
it…** with buttons.

A counter, or an alteration, begins with the goods of the offer that it answers.

The draft is kept in the custom_ids of the card's buttons, so it survives a restart. Every button
but **Offer it** and the proposals only shows the card again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from bot.rules.commands import Press
from bot.rules.features.offers.posting import RepeatOffer, SameOffer
from bot.rules.game import Suggestion
from bot.rules.model.actions import Action, OfferAction
from bot.rules.model.codec import DIGIT_MAX, read_goods, write_goods
from bot.rules.model.debts import PAYS, is_word, owed
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.values import frozen
from bot.rules.views import OfferView, TableView
from bot.show.actions import DraftMove, DraftPick, DraftPress, PickSide
from bot.show.board import short_goods
from bot.show.cards import (
    LABEL_MAX,
    SELECT_MAX,
    Button,
    Card,
    Rows,
    Select,
    Style,
    clipped,
    drawn,
    rows_of,
)
from bot.show.goods import all_hidden, goods_text, short_goods_text
from bot.show.names import game_of, name, plain_player, plain_text, player, who_plays
from bot.show.offer_sides import as_viewer, other_side, terms_quote
from bot.show.picker import CardOption, card_options, in_parts, kind_in, menus, repicked
from bot.show.stock import Stock, of_others, own, vocabulary

KINDS_MAX = 10
"""The most kinds of goods in a draft: as many as fit into a custom_id."""

COUNTED_MAX = 2
"""The most kinds of goods with buttons on each side: a row has two buttons for each."""

PARTS = 2
"""The most selects on each side."""

NUMBERS = 10
"""The numbers of each counted kind in one page of a menu: 0 to 9, then 10 to 19."""

NEXT_PAGE = "page"
"""Begins the value of an option that shows another page of numbers, in place of a kind."""

ONE = "~"
"""Begins the goods that a draft wants if it wants one kind of them; no goods are written with
it.
"""

ASKED_MAX = 3
"""The most offers of the partner to show."""

UNASKED_MAX = 3
"""The most proposals before a partner is chosen."""

DraftSide = Literal["give", "want"]


@frozen
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
        kinds = [*self.give.items(), *self.want.items(), *self.rest.items()]
        room = KINDS_MAX - 1 if self.one else KINDS_MAX
        return len(kinds) <= room and all(count <= DIGIT_MAX for _, count in kinds)


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


def holds(view: TableView, draft: OfferDraft) -> bool:
    """Return whether a custom_id can hold the draft, and the draft is read from it again."""
    return draft.fits and draft_of(view, press_of(view, draft, "post")) == draft


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
    seat = None
    if action.to:
        seat = view.names.seat_of(action.to)
        if seat is None or seat == view.seat:
            return None
    tokens = vocabulary(view)
    if (offer := view.offers.get(action.answers)) is not None:
        tokens |= {*offer.sides.give, *offer.sides.want}
    give = read_goods(action.give, tokens)
    want = read_goods(action.want.removeprefix(ONE), tokens)
    rest = read_goods(action.rest, tokens)
    if give is None or want is None or rest is None:
        return None
    one = action.want.startswith(ONE)
    return OfferDraft(
        seat, action.negotiation, give, want, rest, action.answers, action.revision, one
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


@drawn
def proposals_card(view: TableView, draft: OfferDraft, earlier: Sequence[OfferView]) -> Card:
    """Return what the viewer can offer with one tap, and the two ways to make any other offer.

    ``earlier`` are offers that can be repeated: that of the last trade of the two, and the viewer's
    own that lapsed.
    """
    proposals = rows_of(list(proposal_buttons(view, draft, earlier)))
    text = f"### {draft_title(view, draft)}"
    if proposals:
        text += "\n-# One tap posts it. You can withdraw it until they accept."
    build = press_of(view, draft, "build")
    ways = (
        Button("Build it…", build, "secondary" if proposals else "primary"),
        Button("Write it…", press_of(view, draft, "write")),
    )
    return Card("open", text, (*proposals, ways))


def can_repeat(view: TableView, draft: OfferDraft, offer: OfferView) -> bool:
    """Return whether an offer that is over can be posted again with this draft, as far as the
    viewer may know.
    """
    if offer.role is None or "again" not in offer.buttons.more or not offer.exact:
        return False
    if (offer.links.negotiation or 0) != draft.negotiation:
        return False
    stands = [other for other in view.offers.values() if other.live and _alike(other, offer)]
    if stands or not _same_partner(view, draft, offer):
        return False
    give, want = as_viewer(offer)
    theirs = of_others(view, draft.to)
    return own(view, draft.to).has(give) and theirs.has(want)


def _same_partner(view: TableView, draft: OfferDraft, offer: OfferView) -> bool:
    """Return whether the person who plays the draft's partner is the one of the offer's time."""
    if draft.to is None:
        return offer.to is None
    person = offer.names.holder(draft.to)
    return person is not None and person.number == view.names.holders.get(draft.to)


def _alike(offer: OfferView, other: OfferView) -> bool:
    return (offer.to, offer.sides) == (other.to, other.sides)


def proposal_buttons(
    view: TableView, draft: OfferDraft, earlier: Sequence[OfferView]
) -> Iterator[Button]:
    """Yield what the game proposes, what was offered before, and what the partner asks for, legal
    now or not.
    """
    for proposal in game_of(view).proposals(view, draft.to):
        ready = replace(draft, give=proposal.give, want=proposal.want, rest=NOTHING)
        if ready.fits:
            label = plain_text(view, proposal.label)
            yield _button(label, press_of(view, ready, "post"), "primary")
    for offer in earlier:
        give, want = (label_goods(view, goods) for goods in as_viewer(offer))
        terms = ", with its terms" if offer.sides.terms or offer.sides.terms_now else ""
        when = "As last time" if offer.status == "resolved" else "Again"
        again = Press(view.id, RepeatOffer(offer.number))
        yield _button(f"{when}: {give} for {want}{terms}", again, "primary")
    offers = [view.offers[number] for number in view.by_interest]
    theirs = [offer for offer in offers if offer.poster == draft.to and offer.status == "open"]
    for offer in theirs[:ASKED_MAX]:
        yield from _answer_buttons(view, offer)


def _answer_buttons(view: TableView, offer: OfferView) -> Iterator[Button]:
    """Yield the button to make the same offer as the partner's, or to look at it and accept."""
    give, want = offer.sides.give, offer.sides.want
    gives, wants = label_goods(view, give), label_goods(view, want)
    if offer.asks_only:
        goods = f"they want {wants}"
    elif want:
        goods = f"{wants} for {gives}"
    else:
        goods = f"they give {gives}"
    if "same" in offer.buttons.more and offer.to is not None:
        same = Press(view.id, SameOffer(offer.number, offer.revision))
        yield _button(f"As they asked {plain_player(view, offer.to)}: {goods}", same, "primary")
    elif offer.role == "addressed" and not offer.progress.agreed_by_both:
        look = OfferAction(view.id, offer.number, offer.revision, "show")
        yield _button(f"Look at offer {offer.number}: {goods}", look)


def unasked_buttons(view: TableView, now: Sequence[str]) -> list[Button]:
    """Return the usual trades with anybody, posted with one tap, and what somebody asks everybody
    for.

    ``now`` are the seats that the viewer can trade with now. The largest swap comes first.
    """
    partners: Sequence[str | None] = now
    if now and not view.pairwise:
        partners = [None]
    swaps: dict[Button, int] = {}
    for partner in partners:
        swaps |= _swaps(view, partner)
    largest = sorted(swaps, key=lambda button: -swaps[button])
    wishes = []
    for number in view.by_interest:
        offer = view.offers[number]
        if offer.poster in now and _asks_all(offer):
            label = f"{name(view, offer.poster)} asks for {label_goods(view, offer.sides.want)}"
            look = OfferAction(view.id, offer.number, offer.revision, "show")
            wishes.append(_button(label, look))
    usual = UNASKED_MAX - 1  # as many before the wishes: one wish is shown in any case
    return [*largest[:usual], *wishes, *largest[usual:]][:UNASKED_MAX]


def _swaps(view: TableView, partner: str | None) -> dict[Button, int]:
    """Return the usual trades with a seat, and how much is given in each; none that one of the two
    offers the other already.
    """
    offered = set()
    for offer in view.offers.values():
        if offer.live and offer.role is not None:
            offered.add((offer.to, offer.sides.give, offer.sides.want))
    swaps = {}
    for proposal in game_of(view).proposals(view, partner):
        give, want = proposal.give, proposal.want
        stands = (partner, give, want) in offered or (view.seat, want, give) in offered
        if proposal.unasked and not stands:
            label = plain_text(view, proposal.label)
            label += f" with {name(view, partner)}" if partner else " to all"
            post = press_of(view, OfferDraft(partner, give=give, want=want), "post")
            swaps[_button(label, post, "primary")] = give.total()
    return swaps


def _asks_all(offer: OfferView) -> bool:
    """Return whether an offer asks everybody for goods, and nobody has answered it."""
    if offer.status != "open" or offer.to is not None or offer.role != "addressed":
        return False
    return bool(offer.sides.want) and not offer.progress.takers


# ---------------------------------------------------------------- **Build it…**


@drawn
def build_card(
    view: TableView, draft: OfferDraft, side: PickSide | None = None, page: int = 0
) -> Card:
    """Return the draft with buttons and menus that change it, and **Offer it**. ``page``: which
    numbers the menu of ``side`` shows.
    """
    offer, write = _posts(view, draft)
    gives = _side_rows(view, draft, "give", page if side == "gives" else 0)
    gets = _side_rows(view, draft, "want", page if side == "wants" else 0)
    title = draft_title(view, draft)
    return Card("open", _blocks(view, draft, title), (*gives, *gets, (offer, write)))


@drawn
def ready_card(view: TableView, draft: OfferDraft) -> Card:
    """Return the draft as it would be posted, with **Offer it** and the ways to change it."""
    offer, write = _posts(view, draft)
    title = draft_title(view, draft, who_plays)  # Discord may not know a mention in a DM
    row = (offer, change_button(view, draft), write)
    return Card("open", _blocks(view, draft, title), (row,))


def change_button(view: TableView, draft: OfferDraft) -> Button:
    """Return the button that shows the draft with the controls that change it."""
    return Button("Change it…", press_of(view, draft, "build"))


def _posts(view: TableView, draft: OfferDraft) -> tuple[Button, Button]:
    """Return the button that posts the draft, and the one that opens the form."""
    empty = not says_something(view, draft)
    post = press_of(view, draft, "post")
    offer = Button(post_label(draft), post, "success", disabled=empty)
    return offer, Button("Write it…", press_of(view, draft, "write"))


def post_label(draft: OfferDraft) -> str:
    """Return the label of the button that posts the draft: it asks who gives what is wanted, where
    it offers nothing to everybody.
    """
    wish = draft.to is None and not draft.negotiation and draft.want and not draft.give
    return "Who gives?" if wish else "Offer it"


def _blocks(view: TableView, draft: OfferDraft, title: str) -> list[str]:
    """Return the draft in words."""
    blocks = [
        f"### {title}",
        f"You give {goods_text(view, draft.give)}\nYou get {goods_text(view, draft.want)}",
        answered_text(view, draft),
        _held(view, draft),
    ]
    debts = game_of(view).debts
    pays = draft.give.of_kind(PAYS) or draft.want.of_kind(PAYS)
    sets_off = all(map(is_word, (*draft.give, *draft.want)))  # no goods move
    if debts and draft.to and pays and not sets_off:
        blocks.append(f"-# {debts.one_trade.format(other=player(view, draft.to))}")
    return blocks


def says_something(view: TableView, draft: OfferDraft) -> bool:
    """Return whether the draft can be posted: an offer with goods, or an answer that changes what
    it answers.
    """
    first = view.offers.get(draft.answers)
    if first is None:
        return bool(draft.give or draft.want)
    return draft.one or (draft.give, draft.want) != as_viewer(first)


def answered_text(view: TableView, draft: OfferDraft) -> str:
    """Return what the answered offer says, for comparison, and its terms, which stay; empty for a
    new offer.
    """
    offer = view.offers.get(draft.answers)
    if offer is None:
        return ""
    lines = [terms_quote(view, offer)]
    if says_something(view, draft):
        give, get = (short_goods_text(view, goods) for goods in as_viewer(offer))
        lines.append(f"-# Offer {offer.number}: you give {give}, get {get}")
    return "\n".join(filter(None, lines))


def picked(
    view: TableView, draft: OfferDraft, side: PickSide, part: int, values: Sequence[str]
) -> OfferDraft:
    """Return the draft after a choice in one of its selects."""
    if side == "name" or side == "say":  # only a hidden hand has those
        return draft
    if side == "gives" or side == "wants":
        return _numbered(view, draft, "give" if side == "gives" else "want", values)
    goods = repicked(draft.side(side), _options(view, draft, side), part, values)
    return draft.with_side(side, goods)


def page_in(values: Sequence[str]) -> int:
    """Return the page of numbers that a choice asks for; 0 for the first, and for any other."""
    kind, _, page = "".join(values).partition("#")
    return int(page) if kind == NEXT_PAGE and page.isdecimal() else 0


def _numbered(
    view: TableView, draft: OfferDraft, side: DraftSide, values: Sequence[str]
) -> OfferDraft:
    """Return the draft after the choice of a number of a counted kind; as it was for a page."""
    chosen = number_in(_counted(view, draft, side), values)
    return _with_count(view, draft, side, *chosen) if chosen else draft


def number_in(kinds: Sequence[Suggestion], values: Sequence[str]) -> tuple[str, int] | None:
    """Return the kind and the number that were chosen in a menu of numbers; None for a page."""
    token, _, number = "".join(values).rpartition("#")
    for kind in kinds:
        if kind.token == token and number.isdecimal():
            return token, min(int(number), kind.most, DIGIT_MAX)
    return None


def number_menu(
    view: TableView, draft: OfferDraft, side: DraftSide, kinds: Sequence[Suggestion], page: int
) -> Rows:
    """Return the menu of how many of each of these kinds a side has, as far as it is on this
    page.
    """
    numbers = min(NUMBERS, (SELECT_MAX - 2) // max(1, len(kinds)))
    first, options, beyond = page * numbers, list[tuple[str, str]](), False
    for kind in kinds:
        most = min(kind.most, DIGIT_MAX)
        for count in range(first, min(most + 1, first + numbers)):
            label = _counted_out(view, kind, count)
            options.append((label, f"{kind.token}#{count}"))
        beyond = beyond or most >= first + numbers
    if beyond:
        options.append((f"{first + numbers} and more…", f"{NEXT_PAGE}#{page + 1}"))
    if page:
        options.append((f"0 to {numbers - 1}…", f"{NEXT_PAGE}#0"))
    if len(options) < 2:
        return ()
    pick = pick_of(view, draft, "gives" if side == "give" else "wants", page)
    what = "give" if side == "give" else "get"
    return (Select(f"How many you {what}", pick, tuple(options)),)


def _counted_out(view: TableView, kind: Suggestion, count: int) -> str:
    """Return a number of a kind in the words of a menu: “3 tg”, “3 coins”, “30 marks” in tens."""
    language = game_of(view).goods
    if kind.token in language.words:
        return _amount(view, kind.token, count * kind.step)
    # None of a kind is said as several are: “0 coins”.
    several = plain_text(view, language.describe(Goods({kind.token: count or 2})))
    return re.sub(r"^\d+", str(count * kind.step), several)


def _side_rows(view: TableView, draft: OfferDraft, side: DraftSide, page: int) -> Rows:
    """Return a row of buttons that change amounts, a menu of amounts, and selects of cards."""
    verb, first = ("Give", 0) if side == "give" else ("Get", 2 * COUNTED_MAX)
    buttons: list[Button] = []
    for kind in _counted(view, draft, side):
        count, most = draft.side(side).count(kind.token), min(kind.most, DIGIT_MAX)
        for step in (-1, 1):
            changed, place = draft, first + len(buttons)
            if 0 <= count + step <= most:
                changed = _with_count(view, draft, side, kind.token, count + step)
            amount = step * kind.step
            buttons.append(step_button(view, draft, changed, kind.token, amount, place, f"{verb} "))
    if (switch := _later_button(view, draft, side)) is not None:
        buttons.append(switch)
    pick = partial(pick_of, view, draft, side)
    parts = _options(view, draft, side)
    menus_of_cards = menus(f"You also {verb.lower()}", parts[:PARTS], pick)
    left = sum(len(part) for part in parts[PARTS:])
    rest = (f"{left} more to {verb.lower()}: Write it… takes everything",) if left else ()
    numbers = number_menu(view, draft, side, _counted(view, draft, side), page)
    return (*rows_of(buttons), *numbers, *menus_of_cards, *rest)


def _later_button(view: TableView, draft: OfferDraft, side: DraftSide) -> Button | None:
    """Return the switch between goods given now and owed, in a game that counts debts; one is owed
    if there are none.
    """
    debts, goods = game_of(view).debts, draft.side(side)
    if debts is None or draft.to is None:
        return None
    later, now = goods.count(owed(debts.token)), goods.count(debts.token)
    if later:
        most = _stock(view, draft, side).most(debts.token)
        label, later, now = "now", 0, min(later, most)
    else:
        label, later, now = "later", max(1, now), 0
    changed = _with_count(view, draft, side, owed(debts.token), later)
    changed = _with_count(view, changed, side, debts.token, now)
    place = 4 * COUNTED_MAX + (side == "want")
    press = press_of(view, changed if changed.fits else draft, "build", place)
    return Button(f"{'Give' if side == 'give' else 'Get'} {label}", press)


def _with_count(
    view: TableView, draft: OfferDraft, side: DraftSide, token: str, count: int
) -> OfferDraft:
    """Return the draft with this number of a component on a side; what it pays of a debt changes
    with that.
    """
    counts = {**draft.side(side), token: count}
    if not count:
        del counts[token]
    goods, debts = Goods(counts), game_of(view).debts
    payments = list(goods.of_kind(PAYS))
    if debts is not None and payments:
        left = int(payments[0].split(":")[2])
        paid = max(1, min(debts.worth(goods), left))
        goods = goods.without_kind(PAYS) + Goods({payments[0]: paid})
    return draft.with_side(side, goods)


def _stock(view: TableView, draft: OfferDraft, side: DraftSide) -> Stock:
    """Return what a side could give, as far as the viewer may know, and what the draft has on it
    already.
    """
    stock, goods = own(view, draft.to), draft.side(side)
    if side == "want":
        stock = of_others(view, draft.to)
    return stock.only(lambda component: not component.uncommon or component.token in goods)


def _counted(view: TableView, draft: OfferDraft, side: DraftSide) -> list[Suggestion]:
    """Return the goods that are all alike, such as unnamed cards; what is owed, in place of what
    would be given.
    """
    components = _stock(view, draft, side).suggest(NOTHING)
    kinds = [component for component in components if ":" not in component.token]
    debts = game_of(view).debts
    if debts is not None and owed(debts.token) in draft.side(side):
        later = Suggestion(owed(debts.token), "", most=DIGIT_MAX)
        kinds = [later, *(kind for kind in kinds if kind.token != debts.token)]
    return kinds[:COUNTED_MAX]


def _options(view: TableView, draft: OfferDraft, side: DraftSide) -> list[list[CardOption]]:
    """Return every other card of a side as options of selects: as many copies of each as there is
    room for. If not all have room, those that are chosen come first.
    """
    with_buttons = {kind.token for kind in _counted(view, draft, side)}
    if (debts := game_of(view).debts) is not None:
        with_buttons.add(debts.token)
    most: dict[str, int] = {}
    for component in _stock(view, draft, side).suggest(NOTHING):
        if component.token not in with_buttons:
            most[component.token] = component.most
    chosen: dict[str, int] = {}
    for token, count in draft.side(side).items():
        if token not in with_buttons and not is_word(token):
            chosen[token] = count
    copies = _copies(most.values())
    cards: dict[str, int] = {}
    for token in {**most, **chosen}:
        shown = min(most.get(token, 1), copies)
        cards[token] = max(shown, chosen.get(token, 0))
    options = card_options(view, Goods(cards), Goods(chosen))
    if len(in_parts(options)) > PARTS:
        options.sort(key=lambda option: kind_in(option) not in chosen)
    return in_parts(options)


def _copies(most: Collection[int]) -> int:
    """Return how many copies of each card there is room for, if there are so many of each."""
    copies = max((1, *most))
    while copies > 1 and sum(min(count, copies) for count in most) > PARTS * SELECT_MAX:
        copies -= 1
    return copies


def _held(view: TableView, draft: OfferDraft) -> str:
    """Return what lies open before the two, in small print; empty if nothing is counted or all is
    hidden.
    """
    if not view.tracked or all_hidden(view) or view.seat is None:
        return ""
    held = []
    for who, seat in (("You", view.seats[view.seat]), ("they", view.seats.get(draft.to or ""))):
        if seat is not None and (seat.open or not seat.hidden_count):
            held.append(f"{who} have {short_goods(view, seat.open)}")
    return f"-# {' · '.join(held)}" if held else ""


# ---------------------------------------------------------------- words


def draft_title(
    view: TableView, draft: OfferDraft, called: Callable[[TableView, str], str] = player
) -> str:
    """Return to whom the draft goes, ``called`` by a mention or a name, and what it answers."""
    other = called(view, draft.to) if draft.to else "everyone"
    if not draft.answers:
        return f"Offer to {other}"
    offer = view.offers.get(draft.answers)
    if offer is not None and offer.role == "poster":
        return f"Alter offer {offer.number} to {other}"
    return f"Counter to offer {draft.answers} from {other}"


def _button(label: str, action: Action, style: Style = "secondary") -> Button:
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
    amount, sign = _amount(view, token, abs(step)), "−" if step < 0 else "+"
    press = press_of(view, changed if possible else draft, "build", place)
    icon = game_of(view).goods.icon(token)
    return Button(f"{verb}{sign}{amount}", press, disabled=not possible, icon=icon)


def _amount(view: TableView, token: str, number: int) -> str:
    """Return a number of a component in the words of a button."""
    language = game_of(view).goods
    words = language.words.get(token) or plain_text(view, language.describe_card(token))
    # The words for one of goods in steps have the number: “10 coins”.
    bare = re.sub(r"^\d+ ", "", words)
    return f"{number} {bare}"
