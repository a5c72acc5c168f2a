"""Offers as people see them: cards, single lines, and lists.

`offer_card` draws every card of an offer, for the viewer of its view. A single reader is called
*you* and gets their own buttons; a channel gets names, and the buttons for everybody. The view does
the redaction: a card from a view with several readers shows only what all of them may know.

Green means now: a press moves the goods. Only a card for one reader can know that, so a shared
card's **Accept** is blue and never depends on the turn. The reader's card is drawn again when their
own goods or right to trade change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from bot.rules.commands import Press
from bot.rules.features.offers.signing import EndOffer
from bot.rules.model.actions import OfferAction
from bot.rules.model.debts import is_private
from bot.rules.model.goods import Goods
from bot.rules.model.replacing import replace
from bot.rules.model.text import quoted
from bot.rules.model.violation import Violation
from bot.rules.views import OfferMove, OfferView, TableView
from bot.show.actions import BrowseOffers, press
from bot.show.board import board_button
from bot.show.cards import (
    TEXT_MAX,
    Button,
    Card,
    Mood,
    Rows,
    Style,
    buttons_of,
    clipped,
    drawn,
    link,
    listed,
    plural,
    rows_of,
    rules_last,
    selects,
    truncate_lines,
)
from bot.show.goods import balances_text, goods_text
from bot.show.hand_over import (
    HAND_OVER,
    TAKERS_MAX,
    hand_over_card,
    handed_lines,
    hands_over,
    picked_by_handing_over,
    picks,
)
from bot.show.names import (
    escape,
    escaped,
    format_text,
    game_of,
    mention,
    name,
    name_text,
    phone_line,
    plain_text,
)
from bot.show.offer_sides import (
    as_viewer,
    chains,
    irrevocable_text,
    moved,
    other_side,
    reads_alone,
    short_sides,
    sides,
    terms_quote,
    terms_text,
    title,
    wanted,
)
from bot.show.wishes import (
    ANOTHER_PRICE,
    WISH,
    answer_lines,
    answer_rows,
    is_wish,
    lists_answers,
    price_buttons,
)

# ---------------------------------------------------------------- cards


@drawn
def offer_card(view: TableView, offer: OfferView, *, now: bool = False) -> Card:
    """Return an offer as a card: who gives what for what, its state, and the viewer's buttons.

    ``now``: also why it is not possible now, and what would help. Use it only in a reply; in a
    message that stays, the next turn or trade would make it untrue.
    """
    line = phone_line(view, _news(view, offer))
    if offer.own.hand_over is not None:
        return replace(hand_over_card(view, offer), line=line)
    listed = lists_answers(view, offer)
    under = answer_lines(view, offer) if listed else counter_lines(view, offer)
    mood, counters = _mood(offer, now=now), "\n".join(under)
    blocks = [_offered(view, offer, now=now), counters]
    if offer.status != "resolved":
        blocks.append(status_text(view, offer, now=now))
    chain = _chain_rows(view, offer, now=now)
    return Card(mood, blocks, (*offer_rows(view, offer, now=now), *chain), line=line)


def timeless(view: TableView, offer: OfferView) -> OfferView:
    """Return an offer whose card is not drawn again for its reader: a blue **Accept**, and no
    numbers.
    """
    actions, own = offer.buttons.actions, offer.own
    asked = "decline" in actions and not offer.opens
    actions = tuple(move for move in actions if move not in ("accept", "agree", "have"))
    if asked:
        actions = ("accept", *actions)
    if asked or not hands_over(view):
        own = replace(own, balances=(), advice=())
    buttons = replace(offer.buttons, actions=actions, settles=False)
    ruling = replace(offer.ruling, why_not=None, when="")
    return replace(offer, buttons=buttons, own=own, ruling=ruling)


@drawn
def more_card(view: TableView, offer: OfferView) -> Card:
    """Return the card of **More…**: the offer with everything that the presser can do about it."""
    card = offer_card(view, offer, now=True)
    rows = card.rows if offer.role and offer.live else ()
    return replace(card, rows=(*rows, *more_rows(offer)))


@drawn
def posted_receipt_card(view: TableView, offer: OfferView, done: str) -> Card:
    """Return the receipt for the poster of an offer that was ``done`` (posted, changed) a moment
    ago.

    It says what they could hand over, what the trade would mean for them, and why it is not
    possible now.
    """
    to = escaped(offer, offer.to) if offer.to else "everyone"
    _, *marks = title(view, offer).split(" · ")
    look = link(f"offer:{offer.number}", "look at it")
    details = " · ".join((*marks, escape(view.name), look))
    receipt = f"✅ **Offer {offer.number} to {to} is {done}**\n-# {details}"
    if offer.own.hand_over is not None:
        card = hand_over_card(view, offer)
        return replace(card, blocks=(receipt, *card.blocks))
    lines = [
        *sides(view, offer),
        balances_text(view, offer.own.balances),
        *_said_of_it(view, offer),
    ]
    blocks = [receipt, "\n".join(filter(None, lines))]
    unlike = offer.ruling.why_not is not None or offer.ruling.overruled
    if unlike and not offer.opens:
        blocks.append(status_text(view, offer, now=True))
    else:
        blocks.append(_ends(offer))
    row: list[Button] = []
    if (mirror := _mirror(view, offer)) is not None:
        agree = move_button(mirror, "accept")
        row.append(agree)
        who = escaped(mirror, mirror.poster)
        blocks.append(f"{who} offers you this already: **{agree.label}** to offer {mirror.number}")
    kept = {"hand_over", "choose_again"}
    if not view.pairwise:
        # If all trade with all, offers change often, so their poster has these at hand.
        kept |= {"alter", "suspend"}
    row += _buttons(offer, [move for move in offer.buttons.actions if move in kept])
    row += buttons_of(view, offer.buttons.remedies, "primary")
    row.append(withdraw_button(view, offer.number))
    row.append(board_button(view, "Another", "new"))
    return Card(_mood(offer, now=True), blocks, rows_of(row))


def _ends(offer: OfferView) -> str:
    return f"Ends <t:{offer.until // 1000}:R>." if offer.until else ""


def _mirror(view: TableView, offer: OfferView) -> OfferView | None:
    """Return an open offer to the viewer that is the mirror image of one they posted, if there is
    one.
    """
    exchange = game_of(view).exchange

    def alike(goods: Goods, others: Goods) -> bool:
        if exchange is None:
            return goods == others
        same_names = exchange.named(goods) == exchange.named(others)
        return same_names and goods.total() == others.total()

    for other in view.offers.values():
        theirs, ours = other.sides, offer.sides
        can_accept = other.role == "addressed" and "accept" in other.buttons.actions
        if not can_accept or not other.exact or offer.to not in (None, other.poster):
            continue
        if theirs.terms or theirs.terms_now:
            continue
        if alike(theirs.give, ours.want) and alike(theirs.want, ours.give):
            return other
    return None


def something_private(view: TableView, button: Button) -> Card:
    """Return the card, for a place with other readers, in place of something private that this
    button shows.
    """
    line = phone_line(view, "Something private for you")
    return Card("waiting", "I have something private for you.", ((button,),), line=line)


@drawn
def private_offer_card(view: TableView, offer: OfferView) -> Card:
    """Return the card in place of an undelivered DM about a private offer."""
    show = OfferAction(offer.table, offer.number, offer.revision, "show")
    return something_private(view, Button("Show me", show, "primary"))


@drawn
def missed_card(view: TableView, offer: OfferView) -> Card:
    """Return the news for a taker of an offer to all that its poster picked somebody else."""
    free = " Any cards you handed over for it are free again." if hands_over(view) else ""
    news = f"Offer {offer.number} went to {escaped(offer, offer.to or '')}"
    text = f"{news}.{free} Thanks for your answer."
    return Card("over", text, line=phone_line(view, news))


@drawn
def confirm_card(view: TableView, offer: OfferView) -> Card:
    """Return the question to confirm an offer. It stays for a turn, so it does not count the
    reader's goods.
    """
    uncounted = replace(offer.own, balances=())
    card = offer_card(view, replace(offer, own=uncounted), now=True)
    return replace(card, line=phone_line(view, f"Confirm offer {offer.number}"))


@drawn
def confirmed_card(view: TableView, offer: OfferView) -> Card:
    """Return what replaces the question to confirm: the offer was confirmed, is over, or can't be
    confirmed now.
    """
    card = offer_card(view, offer)
    if not offer.live or offer.status == "countered":
        return card
    waiting = offer.role is not None and view.seat in offer.progress.confirmed
    text = "You have confirmed it." if waiting else "⏳ Not possible now. I ask again when it is."
    return Card("waiting", (_offered(view, offer, now=False), text), line=card.line)


@drawn
def uncovered_card(view: TableView, offer: OfferView) -> Card:
    """Return the news for one of two who have agreed that an open shortage is all that stands
    against it.

    The one who is short reads what of; the other reads no number.
    """
    uncovered, why_not = offer.progress.uncovered, offer.ruling.why_not
    if why_not is not None and not why_not.missing:
        why = name_text(view, why_not.sentence())
    elif view.seat in uncovered and why_not is not None:
        goods = format_text(view, game_of(view).goods.describe(why_not.missing))
        why = f"You are short of {goods}."
    else:
        others = [seat for seat in uncovered if seat != view.seat]
        verb = "is" if len(others) == 1 else "are"
        why = f"{_who(view, offer, others)} {verb} short of what it takes."
    news = f"Offer {offer.number} can't be carried out now"
    text = f"-# {title(view, offer)}\n{rules_last(f'⏳ {news}: {why}')}"
    remedies = buttons_of(view, offer.buttons.remedies, "primary")
    row = (*remedies, move_button(offer, "back_out"))
    return Card("waiting", text, (row,), line=phone_line(view, news))


@drawn
def gone_yes_card(view: TableView, offer: OfferView) -> Card:
    """Return the news that the reader's acceptance of an offer is gone: with the turn, or since the
    offer was altered.
    """
    turn, whose = offer.progress.lapsed.get(view.seat or "") or "", "The"
    if turn in view.seats:
        whose = "Your" if turn == view.seat else f"{escaped(view, turn)}'s"
    why = f"{whose} turn ended"
    if view.seat in offer.progress.altered:
        why = f"{escaped(offer, offer.poster)} changed it"
    gone = f"{why}: your yes to offer {offer.number} is gone."
    text = "\n".join((f"-# {title(view, offer)}", gone, *sides(view, offer)))
    verb = "Agree" if offer.buttons.only_agrees else "Accept"
    again = replace(move_button(offer, "accept", "primary"), label=f"{verb} again")
    line = phone_line(view, f"Your yes to offer {offer.number} is gone")
    return Card("waiting", text, ((again,),), line=line)


# ---------------------------------------------------------------- parts of a card


def _news(view: TableView, offer: OfferView) -> str:
    """Return an offer's state without its goods, for a locked phone."""
    which, progress = f"offer {offer.number}", offer.progress
    match offer.status:
        case "resolved" if offer.links.taken_back:
            return f"Offer {offer.number} was taken back"
        case "resolved":
            return f"Offer {offer.number} is done"
        case "open" if view.seat is not None and view.seat in progress.handing_over:
            return f"Agreed: hand over for {which}"
        case "open" if progress.agreed_by_both:
            return f"Agreed: {which}"
        case "open" if offer.role == "poster" and progress.takers:
            takers = listed([escaped(offer, seat) for seat in progress.takers])
            return f"{takers} {_agreed_to(offer)} {which}"
        case "open" if lists_answers(view, offer) and offer.links.counters:
            return f"{plural(len(offer.links.counters), 'answer')} to your wish"
        case "open" if is_wish(offer) and offer.role != "poster":
            return f"{escaped(offer, offer.poster)} asks who gives"
        case "open" if offer.links.parent:
            return f"{escaped(offer, offer.poster)} counters offer {offer.links.parent}"
        case "open":
            to = escaped(offer, offer.to) if offer.to else "everyone"
            if offer.role == "addressed":
                to = "you"
            return f"{escaped(offer, offer.poster)} offers {to} a trade"
        case "suspended" | "countered" as status:
            return f"Offer {offer.number} is {status}"
        case _:
            return f"Offer {offer.number} is over"


def _offered(view: TableView, offer: OfferView, *, now: bool) -> str:
    """Return everything but the offer's state."""
    head = f"-# {title(view, offer)}"
    if offer.status == "countered":
        return f"{head}: {_in_words(view, offer)}"
    if offer.status == "resolved":
        went = "" if offer.links.taken_back else moved(view, offer)
        lines = [head, status_text(view, offer, now=now), went, terms_quote(view, offer)]
    elif not offer.live:
        return f"-# ~~{title(view, offer)}: {_in_words(view, offer)}~~"
    else:
        lines = [head, *sides(view, offer)]
        if reads_alone(view, offer):
            lines.append(balances_text(view, offer.own.balances))
        lines += _said_of_it(view, offer)
    return "\n".join(filter(None, lines))


def _in_words(view: TableView, offer: OfferView) -> str:
    """Return what was offered for what, in plain text: the offer is over, or another stands in its
    place.
    """
    give, want = short_sides(view, offer)
    words = plain_text(view, want if offer.asks_only else f"{give} for {wanted(offer, want)}")
    return escape(clipped(words, OVER_MAX))


OVER_MAX = 160
"""The most characters of an offer that came to nothing."""


LEFT_OPEN = (
    "-# Others don't read that a choice is left, but “Agreed by both”, while nothing is chosen, "
    "lets them guess it."
)


def _said_of_it(view: TableView, offer: OfferView) -> list[str]:
    """Return the terms, what the viewer has handed over, what the trade would mean for them,
    the game's remark, and what others can tell.
    """
    advice = [format_text(view, line) for line in offer.own.advice]
    remark = f"-# {name_text(view, offer.ruling.remark)}" if offer.ruling.remark else ""
    left_open = LEFT_OPEN if offer.ruling.left_open else ""
    return [terms_text(view, offer), *handed_lines(view, offer), *advice, remark, left_open]


def _mood(offer: OfferView, *, now: bool) -> Mood:
    match offer.status:
        case "resolved" if not offer.links.taken_back:
            return "done"
        case "suspended" | "countered":
            return "waiting"
        case "open":
            return "waiting" if now and offer.ruling.why_not else "open"
        case _:
            return "over"


# ---------------------------------------------------------------- lines


def offer_line(view: TableView, offer: OfferView) -> str:
    """Return an offer in one line of plain text: ``#3 alice: 3 tg for 2 commodities (to bob)``."""
    give, want = short_sides(view, offer)
    line = f"#{offer.number} {quoted(name(offer, offer.poster))}: "
    line += f"asks for {want}" if offer.asks_only else f"{give} for {wanted(offer, want)}"
    if offer.to:
        line += f" (to {quoted(name(offer, offer.to))})"
    elif view.pairwise:
        line += " (to all)"
    if offer.links.parent is not None and offer.live and not offer.links.of_many:
        line += f" (answers #{offer.links.parent})"
    if offer.status == "suspended":
        line += " (suspended)"
    return plain_text(view, line)


def counter_lines(view: TableView, offer: OfferView) -> list[str]:
    """Return a line for each counter under an offer to all that the viewer may know of."""
    every = [escape(offer_line(view, each)) for each in _counters(view, offer)]
    more = [f"and {len(every) - COUNTERS} more"] if len(every) > COUNTERS else []
    return [f"-# ↪️ {line}" for line in (*every[:COUNTERS], *more)]


def _counters(view: TableView, offer: OfferView) -> list[OfferView]:
    return [view.offers[number] for number in offer.links.counters if number in view.offers]


COUNTERS = 5
"""The most counters under an offer to all, each in a line."""


@drawn
def offers_card(view: TableView) -> Card | None:
    """Return a list of the offers that are not over, the most interesting first; None if there are
    none.
    """
    heads = chains(view.offers[number] for number in view.by_interest)
    if not heads:
        return None
    lines = []
    for offer in heads:
        lines += [escape(offer_line(view, offer)), *counter_lines(view, offer)]
    text = "\n".join(truncate_lines(lines, TEXT_MAX))
    return Card("open", (f"**{plural(len(heads), 'open offer')}**", text), browse_rows(view))


def browse_rows(view: TableView, now: int = 0) -> Rows:
    """Return the select of the offers that the viewer can look at, if any. ``now`` is the one that
    is shown.
    """
    offers = []
    for offer in (view.offers[number] for number in view.by_interest):
        theirs = view.seat and (offer.to is None or offer.role is not None)
        if theirs and offer.live and offer.status != "countered":
            offers.append(offer)
    return browse_selects(view, offers, now)


def browse_selects(view: TableView, offers: list[OfferView], now: int = 0) -> Rows:
    """Return the menus of these offers, if any. ``now`` is the one that is shown."""
    options = [(offer_line(view, offer), str(offer.number)) for offer in offers]
    more = "their cards stand in the channel, and /offer accept names them"
    return selects("Look at an offer", BrowseOffers(view.id), options, more, chosen=(str(now),))


# ---------------------------------------------------------------- before an acceptance that moves h


def moves_hidden(view: TableView, offer: OfferView) -> bool:
    """Return whether accepting would move goods that the shared card does not show.

    False if cards are handed over in a separate step, or if accepting only agrees and a
    confirmation follows.
    """
    game = game_of(view)
    only_agrees = view.settings.confirm == "twice" and not offer.progress.agreed_by_both
    named_in_public = offer.to is None and not offer.private
    if game.exchange is not None or only_agrees or named_in_public:
        return False
    for goods in (offer.sides.give, offer.sides.want):
        # A note that its giver chooses later names none.
        names_hidden = game.open_goods(goods) != goods or any(map(is_private, goods))
        if names_hidden and game.redact(goods) != goods:
            return True
    return False


@drawn
def accept_card(view: TableView, offer: OfferView, what: Literal["accept", "confirm"]) -> Card:
    """Return what the viewer would get and give, with a button that accepts exactly this
    revision.

    It begins with that nothing is accepted yet, so that nobody takes it for a receipt.
    """
    move: OfferMove = what
    for action in offer.buttons.actions:
        if action in ("agree", "have"):
            move = action
            break
    button = move_button(offer, move)
    if move == "agree":
        # What this card shows was seen: another press of Agree would only show it again.
        button = replace(button, action=press(offer, "accept"))
    did = "confirmed" if move == "confirm" else "accepted"
    gives, gets = as_viewer(offer)
    other = mention(offer, other_side(offer) or offer.poster)
    small = (irrevocable_text(view), f"revision {offer.revision}", escape(view.name))
    blocks = (
        f"**Not {did} yet.** Only you see what it is. **{button.label}** below does it.",
        f"### Offer {offer.number} with {other}",
        f"You get {goods_text(view, gets)}\nYou give {goods_text(view, gives)}",
        terms_text(view, offer),
        f"-# {' · '.join(filter(None, small))}",
    )
    return Card("waiting", blocks, ((button,),))


# ---------------------------------------------------------------- the state in one line

OPEN = "🔎 This opens a trade: press **Counter** to answer it with an offer."
ANSWERED = "🔎 Others answer it with **Counter**."
ASKED = "🔎 Others answer it, and only you read what they want."


def status_text(view: TableView, offer: OfferView, *, now: bool) -> str:
    """Return the offer's state, as far as the viewer may know; empty for an open offer without
    news.

    ``now``: also whether it is possible now.
    """
    if offer.status != "open":
        again = f" {stands_again_text(view, offer)}" if offer.links.stands_again else ""
        return f"{_suspended_or_over(view, offer)}{again}"
    stands = _now(view, offer) if now else _standing(view, offer)
    return rules_last(" ".join(filter(None, (stands, _ends(offer)))))


def stands_again_text(view: TableView, offer: OfferView) -> str:
    """Return which offer stands again now that this counter to it is over; its poster is the one
    who got this one.
    """
    mine = reads_alone(view, offer) and offer.role == "addressed"
    return f"{'Your offer' if mine else 'Offer'} {offer.links.stands_again} stands again."


def _suspended_or_over(view: TableView, offer: OfferView) -> str:
    match offer.status:
        case "resolved":
            if offer.links.transaction is None:
                return f"🤝 Agreed: a deal, no transaction{game_of(view).info.cite('later')}"
            done = "↩️ Taken back" if offer.links.taken_back else "✅ Done"
            return f"{done} · transaction {offer.links.transaction}"
        case "declined" | "withdrawn" if is_backed_out(offer):
            return f"✖️ {_backed_out(view, offer)} Nothing has moved."
        case "declined":
            return f"✖️ {_did(view, offer, offer.to or offer.poster, 'Declined', 'declined it')}"
        case "withdrawn":
            return f"✖️ {_did(view, offer, offer.poster, 'Withdrawn', 'withdrew it')}"
        case "expired":
            return "✖️ Time is up."
        case "void":
            return f"✖️ No longer possible. {name_text(view, offer.ruling.end_reason)}".strip()
        case "superseded" if offer.ruling.end_reason:
            return f"✖️ {name_text(view, offer.ruling.end_reason)}"
        case "superseded":
            return f"✖️ It ended with offer {offer.links.answer}."
        case "countered":
            return f"↪️ Countered: offer {offer.links.answer} stands in its place."
        case _:
            return f"⏸️ {_did(view, offer, offer.poster, 'Suspended', 'suspended it')}"


def is_backed_out(offer: OfferView) -> bool:
    """Return whether an offer is over because one of its two took their yes back."""
    return not offer.live and offer.to in offer.progress.accepted


def _backed_out(view: TableView, offer: OfferView) -> str:
    seat = offer.poster if offer.status == "withdrawn" else offer.to or ""
    if reads_alone(view, offer) and seat == view.seat:
        return "You backed out."
    return f"{escaped(offer, seat)} backed out."


def _did(view: TableView, offer: OfferView, seat: str, what: str, you: str) -> str:
    if reads_alone(view, offer) and seat == view.seat:
        return f"You {you}."
    return f"{what} by {escaped(offer, seat)}."


def _standing(view: TableView, offer: OfferView) -> str:
    """Return the state that lasts until somebody acts on the offer; empty if nobody has yet."""
    if offer.opens:
        return "" if offer.role == "poster" else _opens(view, offer)
    if offer.progress.agreed_by_both:
        agreed = _agreed(view, offer)
        if offer.progress.handing_over:
            # omits who has handed over, so that the message needs no edit then
            return agreed
        if hands_over(view):
            return f"{agreed} You both hand over once it is possible."
        if offer.progress.ahead:
            return f"{agreed} It counts once it is confirmed; I ask when it is possible."
        return f"{agreed} It counts once it is confirmed; I ask by DM."
    if offer.ruling.warns_of:
        return f"⚠️ Against [{offer.ruling.warns_of}]: this table only warns."
    return _taken_up(view, offer) or _when(view, offer)


def _when(view: TableView, offer: OfferView) -> str:
    """Return for one of its two when an offer that can't settle yet can; true whoever's turn it
    is.
    """
    other, when = other_side(offer), offer.ruling.when
    if not reads_alone(view, offer) or other is None:
        return ""
    if offer.role == "addressed" and not hands_over(view):
        why_not = offer.ruling.why_not
        if why_not is None:
            confirms = f"⏳ {escaped(offer, other)} confirms it after you."
            return confirms if "agree" in offer.buttons.actions else ""
        if not why_not.when:
            return _why_not(view, why_not)
        when = why_not.when
    return f"⏳ {name_text(view, when.format(other=f'<seat:{other}>'))}" if when else ""


def _why_not(view: TableView, why_not: Violation) -> str:
    """Return a reason that does not pass by itself, for the one who may accept."""
    if why_not.missing and why_not.about == view.seat:
        goods = format_text(view, game_of(view).goods.describe(why_not.missing))
        return f"👉 You are short of {goods}."
    return f"{'👉' if why_not.known_to else '⏳'} {name_text(view, why_not.reason)}"


def _opens(view: TableView, offer: OfferView) -> str:
    if offer.role == "poster" and reads_alone(view, offer):
        return ASKED if is_wish(offer) else ANSWERED
    if is_wish(offer):
        return WISH.format(poster=escaped(offer, offer.poster))
    return OPEN


def _now(view: TableView, offer: OfferView) -> str:
    """Return why an open offer is not possible now, or else what it waits for."""
    why_not, progress = offer.ruling.why_not, offer.progress
    if offer.opens and (why_not is None or not why_not.blocks_posting):
        return _opens(view, offer)
    if why_not is not None:
        return f"{_agreed(view, offer)} ⏳ Not now. {name_text(view, why_not.sentence())}".strip()
    if progress.confirming:
        who = _who(view, offer, progress.confirming)
        return f"{_agreed(view, offer)} Waiting for {who} to confirm."
    if offer.ruling.overruled and not progress.handing_over and not progress.takers:
        return f"⚠️ Possible here, but against [{offer.ruling.overruled}]: this table only warns."
    if taken_up := _taken_up(view, offer):
        return taken_up
    # Where goods are secret, it does not say whether both sides have theirs.
    game, goods = game_of(view), offer.sides.give + offer.sides.want
    known = view.tracked and game.redact(goods) == goods and game.open_goods(goods) == goods
    return "✅ Possible now." if known else "✅ The rules allow it now."


def _taken_up(view: TableView, offer: OfferView) -> str:
    """Return who has agreed and who must act; empty if nobody has agreed."""
    if offer.progress.handing_over:
        who = _who(view, offer, offer.progress.handing_over)
        exchanged = game_of(view).info.agreements.to_be_exchanged
        return f"🤝 Agreed. Waiting for {who} to hand over. {exchanged}".rstrip()
    if not offer.progress.takers:
        return ""
    takers = listed([_one(view, offer, seat) for seat in offer.progress.takers])
    by_whom = f"🤝 {_agreed_to(offer).capitalize()} by {takers}."
    if not _is_you(view, offer, offer.poster):
        return f"{by_whom} {escaped(offer, offer.poster)} picks one."
    if offer.progress.sealed_takers and hands_over(view):  # `handed_lines` says what to do
        return by_whom
    if len(offer.progress.takers) == 1:
        return f"{by_whom} Trade with them, or wait for others."
    left = len(offer.progress.takers) - TAKERS_MAX
    rest = f" For {left} of them: **/offer pick**." if left > 0 else ""
    return f"{by_whom} You pick one.{rest}"


def _agreed_to(offer: OfferView) -> str:
    return "agreed to" if offer.buttons.only_agrees else "accepted"


def _agreed(view: TableView, offer: OfferView) -> str:
    if not offer.progress.agreed_by_both:
        return ""
    return f"🤝 Agreed by both{game_of(view).info.agreements.ahead_mark}."


def _who(view: TableView, offer: OfferView, seats: Sequence[str]) -> str:
    names = [_one(view, offer, seat) for seat in seats]
    return listed(sorted(names, key=lambda name: name != "you"))


def _one(view: TableView, offer: OfferView, seat: str) -> str:
    return "you" if _is_you(view, offer, seat) else escaped(offer, seat)


def _is_you(view: TableView, offer: OfferView, seat: str) -> bool:
    return reads_alone(view, offer) and seat == view.seat


# ---------------------------------------------------------------- the buttons

Row = tuple[Button, ...]

BUTTONS: dict[OfferMove, tuple[str, Style]] = {
    "accept": ("Accept", "primary"),
    "have": ("I have them, accept", "primary"),
    "agree": ("Agree", "primary"),
    "counter": ("Counter", "secondary"),
    "decline": ("Decline", "secondary"),
    "accept_and_hand_over": ("Accept and hand over", "secondary"),
    "confirm": ("Confirm", "success"),
    "choose_again": ("Choose again", "secondary"),
    "show": ("Show me", "primary"),
    "alter": ("Alter", "secondary"),
    "suspend": ("Suspend", "secondary"),
    "resume": ("Resume", "primary"),
    "withdraw": ("Withdraw", "danger"),
    "hand_over": (HAND_OVER, "secondary"),
    "back_out": ("Back out", "secondary"),
    "again": ("Again", "primary"),
    "same": ("Offer the same", "primary"),
    "details": ("Details", "secondary"),
    "more": ("More…", "secondary"),
}
"""The label and style of each button, in the order within a row. **Accept** is green where it
settles now.
"""

AGREES: dict[OfferMove, str] = {
    "accept": "Agree",
    "have": "I have them, agree",
    "accept_and_hand_over": "Agree and hand over",
}
"""The labels used while accepting moves nothing yet and binds nobody."""


def offer_rows(view: TableView, offer: OfferView, *, now: bool) -> Rows:
    """Return the rows of buttons under an offer's card.

    ``now``: include buttons that the next turn may invalidate: confirming, and remedies for a
    violation.
    """
    moves = [each for each in offer.buttons.actions if now or each != "confirm"]
    pick = picks(view, offer)
    if pick and offer.to is None and "hand_over" in moves:
        moves.remove("hand_over")  # one step at a time: the pick comes first
    row = _buttons(offer, moves)
    if is_wish(offer):
        first = answer_rows(view, offer, now=now) if lists_answers(view, offer) else ()
        if "counter" in moves:
            first, row = (), (*price_buttons(view, offer), *row)
        return (*first, *rows_of(row))
    if now and row and offer.role == "poster" and offer.status == "open":
        row += buttons_of(view, offer.buttons.remedies, "primary")
    return (*rows_of(pick), *rows_of(row))


def _chain_rows(view: TableView, offer: OfferView, *, now: bool) -> Rows:
    """Return what leads along a chain of counters.

    A countered offer has a button to what stands in its place. An offer to all has a select of its
    counters, for one reader. A counter that is over leads the poster of the offer that stands again
    to that one: a reply, ``now``, has **Withdraw** for it.
    """
    links = offer.links
    if offer.status == "countered" and offer.role is not None and links.answer is not None:
        return ((look_button(view, links.answer),),)
    if not reads_alone(view, offer):
        return ()
    if links.stands_again is not None and offer.role == "addressed":
        button = withdraw_button if now else look_button
        return ((button(view, links.stands_again),),)
    theirs = [counter for counter in _counters(view, offer) if counter.role is not None]
    return browse_selects(view, theirs) if now else ()


def look_button(view: TableView, number: int) -> Button:
    """Return the button that shows an offer to one of its two sides."""
    return Button(f"Look at offer {number}", OfferAction(view.id, number, 1, "show"), "primary")


def withdraw_button(view: TableView, number: int) -> Button:
    """Return the button that withdraws the presser's own offer."""
    label, style = BUTTONS["withdraw"]
    offer = view.offers.get(number)
    revision = offer.revision if offer is not None else None
    return Button(label, Press(view.id, EndOffer(number, "withdraw", revision)), style)


def more_rows(offer: OfferView) -> tuple[Row, ...]:
    """Return the buttons behind **More…**."""
    return rows_of(_buttons(offer, offer.buttons.more))


def move_button(offer: OfferView, move: OfferMove, style: Style | None = None) -> Button:
    """Return one button of an offer; ``style`` overrides its usual one."""
    label, usual = BUTTONS[move]
    if move == "counter" and is_wish(offer):
        label = ANOTHER_PRICE
    if offer.buttons.only_agrees or (move == "have" and not offer.buttons.settles):
        label = AGREES.get(move, label)
    if offer.buttons.settles and move in ("accept", "have"):
        usual = "success"
    return Button(label, press(offer, move), style or usual)


def _buttons(offer: OfferView, moves: Iterable[OfferMove]) -> Row:
    """Return buttons of an offer, in their order.

    **Hand over** is green once it is the next step.
    """
    ordered, row = sorted(moves, key=list(BUTTONS).index), []
    for move in ordered:
        is_next = move == "hand_over" and ("back_out" in ordered or picked_by_handing_over(offer))
        row.append(move_button(offer, move, "success" if is_next else None))
    return tuple(row)
