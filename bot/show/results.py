"""Replies to commands: what a trade moved, what still stands after it, what a seat holds, and why
one was refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.commands import Press
from bot.rules.features.audits import Audit
from bot.rules.features.deals import DealProposed, MarkDeal
from bot.rules.features.holdings import Gained, Spent
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.offers.signing import Agree
from bot.rules.model.actions import LabelledAction, OfferAction
from bot.rules.model.deals import MARKS, Wording
from bot.rules.model.goods import Change
from bot.rules.model.people import Names
from bot.rules.model.replacing import replace
from bot.rules.model.text import convert
from bot.rules.model.violation import Refused, Undecided
from bot.rules.views import EntryView, FollowUpView, OtherOfferView, TableView
from bot.show.cards import (
    BUTTONS_MAX,
    TEXT_MAX,
    Button,
    Card,
    Rows,
    Style,
    button_of,
    drawn,
    rows_of,
    rules_last,
    truncate_list,
)
from bot.show.debts import said_in
from bot.show.goods import balances_of, balances_text, goods_text
from bot.show.names import (
    escape,
    escaped,
    format_text,
    game_of,
    mention,
    name_text,
    phone_line,
    plain_text,
    seat_name,
    who_plays,
)
from bot.show.narration import goods_given, goods_received
from bot.show.offer_cards import Row, look_button
from bot.show.offer_sides import promise_text, rules_quoted

# ---------------------------------------------------------------- what a transaction moved, and wha


@drawn
def result_card(
    view: TableView, entry: EntryView, later: Sequence[EntryView] = (), *, now: bool = False
) -> Card | None:
    """Return a transaction for a viewer who took part: what they gave and got, and what that
    changed.

    The player who completed it reads a receipt; the other reads who completed it. None for anybody
    else, and for a person who has left that seat, which may be another's now. ``later`` as in
    `balances_of`. ``now``: with buttons that end other offers. Use it only in a reply: in a message
    that stays, they would outlive those offers.
    """
    done, seat = entry.entry, view.seat
    if not isinstance(done, Transaction) or seat is None or seat not in entry.mine:
        return None
    own = entry.by is not None and entry.by == entry.names.holders.get(seat)
    other = done.other(seat)
    if own:
        did = f"Your trade with {escaped(entry, other)} is done"
    else:
        did = _who_did_it(view, entry, done, seat)
    gave, got = goods_given(done, seat), goods_received(done, seat)
    parts = []
    if gave:
        parts.append(f"gave {goods_text(entry, gave)}")
    if got:
        parts.append(f"got {_received_text(entry, done, seat)}")
    both = f"You {', '.join(parts)}." if parts else ""
    sign = "✅" if own else "🤝"
    if not own and (now or not both):  # else the message's first line says it
        sign = f"🤝 {did}."
    which = f"Offer {done.offer} · {who_plays(entry, other)} · transaction {done.number}"
    lines = [
        f"-# {which}",
        f"{sign} {both}".rstrip(),
    ]
    lines += [name_text(entry, sentence) for sentence in said_in(entry, done, seat)]
    promises = _promises(done, later)
    for deal, words in promises:
        promiser = deal.seat if words.later else ""
        lines.append(promise_text(entry, words.terms, promiser, seat))
        lines += rules_quoted(words.rules)
        lines.append(f"-# {'Promised' if words.later else 'Agreed'} with it.")
    balances = balances_of(view, entry, later)
    lines.append(balances_text(view, balances))
    exchange = game_of(view).exchange
    if balances and exchange is not None:  # what the hand was worth before and is now
        before = got.missing(view.seats[seat].known) + gave
        if worth := exchange.outlook(before, gave, got, gave):
            lines.append(format_text(view, worth.line))
    blocks = ["\n".join(filter(None, lines))]
    for news in follow_ups_of(entry, seat, in_receipt=True):
        blocks.append(rules_last(name_text(entry, news.text)))
    blocks += standing_lines(entry)
    more = Button("More…", OfferAction(view.id, done.offer, done.revision, "more"))
    rows = end_rows(view, entry, more, now=now)
    marks = _mark_row(view, seat, promises)
    return Card("done", blocks, (*rows, marks) if marks else rows, line=phone_line(view, did))


def _promises(done: Transaction, later: Sequence[EntryView]) -> list[tuple[DealProposed, Wording]]:
    """Return the deals that a trade made of its terms, as far as the viewer may know."""
    promises = []
    for entry in later:
        deal = entry.entry
        if not isinstance(deal, DealProposed) or deal.offer != done.offer:
            continue
        if (words := deal.wording()) is not None:
            promises.append((deal, words))
    return promises


def _mark_row(view: TableView, seat: str, promises: Sequence[tuple[DealProposed, Wording]]) -> Row:
    """Return the buttons that say whether the other kept what they promised for later."""
    for deal, words in promises:
        if words.later and deal.seat != seat:
            kept, broken = (MarkDeal(deal.deal, mark) for mark in MARKS)
            return (
                Button("They kept it", Press(view.id, kept)),
                Button("They broke it", Press(view.id, broken)),
            )
    return ()


def _received_text(entry: EntryView, done: Transaction, seat: str) -> str:
    """Return what a seat got as it was given, and what that is for it now."""
    given, got = goods_given(done, done.other(seat)), goods_received(done, seat)
    same, turned, now = given.common(got), got.missing(given), given.missing(got)
    if not turned or now.total() != turned.total():  # nothing, or something else came with it
        return goods_text(entry, got)
    words = format_text(entry, game_of(entry).goods.describe(now)).removeprefix(f"{now.total()} ")
    became = f"{goods_text(entry, turned)} ({words} now)"
    return f"{goods_text(entry, same)} · {became}" if same else became


def follow_ups_of(entry: EntryView, seat: str, *, in_receipt: bool) -> list[FollowUpView]:
    """Return a seat's follow-ups of an entry that are lines of the receipt of a trade, or those
    that are messages of their own: those that ask for an answer, and all of other entries.
    """
    trade = isinstance(entry.entry, Transaction) and seat in entry.mine
    own = [news for news in entry.follow_ups if news.seat == seat]
    return [news for news in own if (trade and not news.buttons) == in_receipt]


@drawn
def public_result_card(view: TableView, entry: EntryView, done: Transaction) -> Card:
    """Return a transaction as everybody may read it, with the names of the time."""
    two = f"{who_plays(entry, done.first)} ↔ {who_plays(entry, done.second)}"
    lines = [f"-# {two} · transaction {done.number}"]
    for seat in (done.first, done.second):
        lines.append(f"{escaped(entry, seat)} gave {goods_text(entry, done.given[seat])}")
    lines += [format_text(entry, sentence) for sentence in said_in(entry, done)]
    return Card("done", "\n".join(lines))


def _who_did_it(view: TableView, entry: EntryView, done: Transaction, seat: str) -> str:
    """Return how the other side completed it, for the player who waited."""
    other = escaped(entry, done.other(seat))
    if game_of(view).exchange is not None and view.tracked:
        handed = f"{other} handed over for offer {done.offer}" if seat == done.first else ""
        return handed or f"Offer {done.offer} with {other} is done"
    if done.confirmed:
        return f"{other} confirmed offer {done.offer}"
    if seat == done.first:
        return f"{other} accepted offer {done.offer}"
    return f"{other} picked you for offer {done.offer}"


@drawn
def holdings_card(view: TableView, seat: str) -> Card:
    """Return a seat's holdings as the viewer may see them.

    >>> holdings_card(view, "red").mood
    'open'
    """
    seated = view.seats[seat]
    blocks = [f"### {seat_name(view, seat)} · only you see this", holdings_text(view, seat)]
    if view.tracked and not seated.known and not seated.in_play:
        blocks.append("-# **/help** explains how to get some.")
    return Card("open", blocks)


@drawn
def hand_changed_card(view: TableView, entry: Gained | Spent) -> Card:
    """Return what the reader gained or spent, of which others may not see all, and what they have
    now.
    """
    hidden = (entry.hidden or {}).get(entry.seat, Change())
    lies_open = entry.changes.get(entry.seat, Change())
    if isinstance(entry, Gained):
        did, goods = "gained", lies_open.gained + hidden.gained
    else:
        did, goods = "spent", lies_open.lost + hidden.lost
    title = f"### You {did} {game_of(view).goods.describe(goods)}\n-# Only you see this."
    return Card("open", (title, holdings_text(view, entry.seat)))


@drawn
def others_holdings_card(view: TableView, seat: str) -> Card:
    """Return what lies open before another player; for a host who does not play, also how to see
    the rest.
    """
    seated = view.seats[seat]
    title = f"### {mention(view, seat)} · {seat_name(view, seat)}"
    if seated.hidden is None:  # else the table is closed, and its secrets are public
        title += " · what everybody sees"
    blocks = [title, holdings_text(view, seat)]
    may_look = view.hosts and view.seat is None and view.open
    if may_look and view.tracked and seated.hidden_count:
        how = "A host who does not play can see the hand too: `hidden: yes`. That is recorded."
        blocks.append(f"-# {how}")
    return Card("open", blocks)


@drawn
def look_question(view: TableView, seat: str, look: Audit) -> Card:
    """Ask a host who does not play whether to look at a hidden hand, which is recorded."""
    text = (
        f"{mention(view, seat)} keeps everything hidden. If you look, that is recorded, and you "
        "can't play here."
    )
    button = Button("Look at the hand", Press(view.id, look), "danger")
    return Card("waiting", text, ((button,),))


def holdings_text(view: TableView, seat: str) -> str:
    """Return a seat's holdings, one kind on each line, as far as the viewer may know.

    >>> holdings_text(view, "red")
    '2 silk'
    """
    if not view.tracked:
        return "This table does not keep count of holdings."
    described = game_of(view).goods.describe_holdings(view.seats[seat])
    lines = [format_text(view, line) for line in described]
    room = TEXT_MAX - 800  # the rest of the card is its title, and what was given and received
    most = room
    # the long lines share what the short ones leave
    for number, line in enumerate(sorted(lines, key=len)):
        most = room // (len(lines) - number)
        room -= min(len(line), most)
    return "\n".join(truncate_list(line, most) for line in lines)


# ---------------------------------------------------------------- the person's other offers after a

UNMET_MAX = BUTTONS_MAX
"""The most unkeepable offers with a reason and a button each; further ones appear by number."""


def standing_lines(entry: EntryView) -> list[str]:
    """Return what became of the viewer's other offers after this trade, as one block; empty if
    there are none. It stays true when they have ended.
    """
    lines = []
    if still := [offer for offer in entry.other_offers if not offer.unmet]:
        lines.append(f"Still open then: {_list(still)}.")
    unmet = [offer for offer in entry.other_offers if offer.unmet]
    for offer in unmet[:UNMET_MAX]:
        what = "Choose again for" if offer.again else "Can't be met any more:"
        lines.append(f"⚠️ {what} {_called(offer)}. {name_text(entry, offer.unmet)}")
    if rest := unmet[UNMET_MAX:]:
        lines.append(f"⚠️ Nor can {_list(rest)}. **Offers** on the board shows them.")
    return ["\n".join(lines)] if lines else []


def end_rows(view: TableView, entry: EntryView, last: Button, *, now: bool) -> Rows:
    """Return a receipt's rows: the offers that can't be kept, to look at or ``now`` to end; **Take
    back**; ``last``.
    """
    unmet = [offer for offer in entry.other_offers if offer.unmet][:UNMET_MAX]
    if now:
        row = [_end_button(offer, several=len(unmet) > 1) for offer in unmet]
    else:
        row = [replace(look_button(view, offer.offer), style="secondary") for offer in unmet]
    last_row = [button_of(view, entry.take_back)] if entry.take_back else []
    last_row.append(last)
    return tuple(tuple(buttons) for buttons in (row, last_row) if buttons)


def _end_button(offer: OtherOfferView, *, several: bool) -> Button:
    """Return the button that ends an offer that can't be kept, or chooses again for it."""
    label = "Withdraw" if offer.posted else "Back out"
    if offer.again is not None:
        which = f" for offer {offer.offer}" if several else ""
        return Button(f"Choose again{which}", offer.again, "primary")
    of = "" if offer.posted else " of"
    which = f"{of} offer {offer.offer}" if several else ""
    return Button(f"{label}{which}", offer.end, "danger")


def _list(offers: Sequence[OtherOfferView]) -> str:
    return ", ".join(map(_called, offers))


def _called(offer: OtherOfferView) -> str:
    what = "your offer" if offer.posted else "what you agreed to, offer"
    if offer.wish:
        what = "your wish"
    return f"{what} {offer.offer}{' (suspended)' if offer.suspended else ''}"


# ---------------------------------------------------------------- why a command was refused


def refusal_text(refused: Refused, names: Names | None) -> str:
    """Return a refusal with its rule's number in small print. Without names, as outside a table,
    its markup stays.

    ⏳ stands before what can be agreed to for later.
    """
    violation, sign = refused.violation, "🚫"
    if isinstance(refused, Undecided):
        sign = "❓"
    elif violation.rule and any(map(_is_for_later, refused.options)):
        sign = "⏳"
    words = f"{violation.reason} {violation.remedy}".strip()
    text = format_text(names, words) if names else convert(words, str, escape)
    return rules_last(f"{sign} {text}", violation.rule)


def refusal_card(refused: Refused, names: Names | None, shown: Card | None = None) -> Card:
    """Return a refusal with its options as buttons; with ``shown``, above that card."""
    text = refusal_text(refused, names)
    if shown is not None:
        return Card(shown.mood, (text, *shown.blocks), shown.rows, shown.picture)
    row = []
    for option in refused.options:
        label = plain_text(names, option.label) if names else option.label
        # Agreeing for later is less prominent than a remedy.
        style: Style = "secondary" if _is_for_later(option) else "primary"
        row.append(Button(label, option.action, style))
    return Card("waiting", text, rows_of(row))


def _is_for_later(option: LabelledAction) -> bool:
    return isinstance(option.action, Press) and isinstance(option.action.command, Agree)
