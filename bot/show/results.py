"""Replies to commands: what a trade moved, what still stands after it, what a seat holds, and why
one was refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.commands import Press
from bot.rules.features.audits import Audit
from bot.rules.features.deals import DealProposed
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.offers.signing import Agree
from bot.rules.model.actions import LabelledAction, OfferAction
from bot.rules.model.people import Names
from bot.rules.model.replacing import replace
from bot.rules.model.text import convert
from bot.rules.model.violation import Refused, Undecided
from bot.rules.views import EntryView, FollowUpView, OtherOfferView, TableView
from bot.show.cards import (
    BUTTONS_MAX,
    LABEL_MAX,
    TEXT_MAX,
    Button,
    Card,
    Rows,
    buttons_of,
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
from bot.show.offer_cards import look_button

# ---------------------------------------------------------------- what a transaction moved, and wha


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
    did = (
        f"Your trade with {escaped(entry, other)} is done"
        if own
        else _who_did_it(view, entry, done, seat)
    )
    gave, got = goods_given(done, seat), goods_received(done, seat)
    parts = [
        f"{what} {goods_text(entry, goods)}"
        for what, goods in (("gave", gave), ("got", got))
        if goods
    ]
    both = f"You {', '.join(parts)}." if parts else ""
    said = f"{'✅' if own else f'🤝 {did}.'} {both}".rstrip()
    head = (
        f"-# Offer {done.offer} · {who_plays(entry, other)} · transaction {done.number} · "
        f"{escape(view.name)}"
    )
    balances = balances_of(view, entry, later)
    exchange, worth = game_of(view).exchange, ""
    if balances and exchange is not None:  # what the hand was worth before and is now
        seen = exchange.outlook(got.missing(view.seats[seat].known) + gave, gave, got, gave)
        worth = format_text(view, seen.line) if seen else ""
    owes = [name_text(entry, each) for each in said_in(entry, done, seat)]
    deals = [
        each.entry
        for each in later
        if isinstance(each.entry, DealProposed) and each.entry.offer == done.offer
    ]
    agreed = [
        f"> {escape(words.terms)}\n-# {'Promised' if words.later else 'Agreed'} with it."
        for words in (deal.wording() for deal in deals)
        if words is not None
    ]
    lines = (head, said, *owes, *agreed, balances_text(view, balances), worth)
    button = Button("More…", OfferAction(view.id, done.offer, done.revision, "more"))
    text = "\n".join(filter(None, lines))
    rows = end_rows(view, entry, button, now=now)
    beside = [
        rules_last(name_text(entry, each.text))
        for each in follow_ups_of(entry, seat, in_receipt=True)
    ]
    return Card("done", (text, *beside, *standing_lines(entry)), rows, line=phone_line(view, did))


def follow_ups_of(entry: EntryView, seat: str, *, in_receipt: bool) -> list[FollowUpView]:
    """Return a seat's follow-ups of an entry that are lines of the receipt of a trade, or those
    that are messages of their own: those that ask for an answer, and all of other entries.
    """
    trade = isinstance(entry.entry, Transaction) and seat in entry.mine
    return [
        each
        for each in entry.follow_ups
        if each.seat == seat and (trade and not each.buttons) == in_receipt
    ]


def public_result_card(view: TableView, entry: EntryView, done: Transaction) -> Card:
    """Return a transaction as everybody may read it, with the names of the time."""
    head = (
        f"-# {who_plays(entry, done.first)} ↔ {who_plays(entry, done.second)} · transaction "
        f"{done.number}"
    )
    gave = [
        f"{escaped(entry, seat)} gave {goods_text(entry, done.given[seat])}"
        for seat in (done.first, done.second)
    ]
    owes = [format_text(entry, each) for each in said_in(entry, done)]
    return Card("done", ("\n".join((head, *gave, *owes)),))


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


def holdings_card(view: TableView, seat: str) -> Card:
    """Return a seat's holdings as the viewer may see them.

    >>> holdings_card(view, "red").mood
    'open'
    """
    title = f"### {seat_name(view, seat)} · only you see this"
    has = view.seats[seat]
    hint = (
        ()
        if has.known or has.in_play or not view.tracked
        else ("-# **/help** explains how to get some.",)
    )
    return Card("open", (title, holdings_text(view, seat), *hint))


def others_holdings_card(view: TableView, seat: str) -> Card:
    """Return what lies open before another player; for a host who does not play, also how to see
    the rest.
    """
    title = f"### {mention(view, seat)} · {seat_name(view, seat)} · what everybody sees"
    if view.seats[seat].hidden is not None:  # the table is closed, and its secrets are public
        title = f"### {mention(view, seat)} · {seat_name(view, seat)}"
    blocks = [title, holdings_text(view, seat)]
    if (
        view.hosts
        and view.seat is None
        and view.tracked
        and view.seats[seat].hidden_count
        and view.open
    ):
        blocks.append(
            "-# A host who does not play can see the hand too: `hidden: yes`. That is recorded."
        )
    return Card("open", tuple(blocks))


def look_question(view: TableView, seat: str, look: Audit) -> Card:
    """Ask a host who does not play whether to look at a hidden hand, which is recorded."""
    text = (
        f"{mention(view, seat)} keeps everything hidden. If you look, that is recorded, and you "
        "can't play here."
    )
    return Card(
        "waiting", (text,), ((Button("Look at the hand", Press(view.id, look), "danger"),),)
    )


def holdings_text(view: TableView, seat: str) -> str:
    """Return a seat's holdings, one kind on each line, as far as the viewer may know.

    >>> holdings_text(view, "red")
    '**2 silk**'
    """
    if not view.tracked:
        return "This table does not keep count of holdings."
    lines = [
        format_text(view, line) for line in game_of(view).goods.describe_holdings(view.seats[seat])
    ]
    left = TEXT_MAX - 800  # the rest of the card is its title, and what was given and received
    most = left
    # the long lines share what the short ones leave
    for number, line in enumerate(sorted(lines, key=len)):
        most = left // (len(lines) - number)
        left -= min(len(line), most)
    return "\n".join(f"**{truncate_list(line, most)}**" for line in lines)


# ---------------------------------------------------------------- the person's other offers after a

UNMET_MAX = BUTTONS_MAX
"""The most unkeepable offers with a reason and a button each; further ones appear by number."""


def standing_lines(entry: EntryView) -> list[str]:
    """Return what became of the viewer's other offers after this trade, as one block; empty if
    there are none.
    """
    still = [each for each in entry.other_offers if not each.unmet]
    unmet = [each for each in entry.other_offers if each.unmet]
    lines = [f"Still open: {_list(still)}."] if still else []
    for each in unmet[:UNMET_MAX]:
        what = "Choose again for" if each.again else "Can't be met any more:"
        lines.append(f"⚠️ {what} {_called(each)}. {name_text(entry, each.unmet)}")
    if rest := unmet[UNMET_MAX:]:
        lines.append(f"⚠️ Nor can {_list(rest)}: /offer withdraw.")
    return ["\n".join(lines)] if lines else []


def end_rows(view: TableView, entry: EntryView, last: Button, *, now: bool) -> Rows:
    """Return a receipt's rows: the offers that can't be kept, to look at or ``now`` to end; **Take
    back**; ``last``.
    """
    unmet = [each for each in entry.other_offers if each.unmet][:UNMET_MAX]
    ends = []
    for each in unmet:
        which, of_several = f"offer {each.offer}", len(unmet) > 1
        if each.again is not None:
            ends.append(
                Button(
                    f"Choose again for {which}" if of_several else "Choose again",
                    each.again,
                    "primary",
                )
            )
        elif each.posted:
            ends.append(
                Button(f"Withdraw {which}" if of_several else "Withdraw", each.end, "danger")
            )
        else:
            ends.append(
                Button(f"Back out of {which}" if of_several else "Back out", each.end, "danger")
            )
    row = (
        tuple(ends)
        if now
        else tuple(replace(look_button(view, each.offer), style="secondary") for each in unmet)
    )
    take_back = buttons_of(view, [entry.take_back]) if entry.take_back else ()
    return (*((row,) if row else ()), (*take_back, last))


def _list(offers: Sequence[OtherOfferView]) -> str:
    return ", ".join(map(_called, offers))


def _called(each: OtherOfferView) -> str:
    what = (
        "your wish" if each.wish else "your offer" if each.posted else "what you agreed to, offer"
    )
    return f"{what} {each.offer}{' (suspended)' if each.suspended else ''}"


# ---------------------------------------------------------------- why a command was refused


def refusal_text(refused: Refused, names: Names | None) -> str:
    """Return a refusal with its rule's number in small print. Without names, as outside a table,
    its markup stays.

    ⏳ stands before what can be agreed to for later.
    """
    found = refused.violation
    later = bool(found.rule) and any(map(_is_for_later, refused.options))
    sign = "❓" if isinstance(refused, Undecided) else "⏳" if later else "🚫"
    words = f"{found.reason} {found.remedy}".strip()
    text = f"{sign} {format_text(names, words) if names else convert(words, str, escape)}"
    return rules_last(text, found.rule)


def refusal_card(refused: Refused, names: Names | None, shown: Card | None = None) -> Card:
    """Return a refusal with its options as buttons; with ``shown``, above that card."""
    text = refusal_text(refused, names)
    if shown is not None:
        return Card(shown.mood, (text, *shown.blocks), shown.rows, shown.picture)
    buttons = [
        # Agreeing for later is less prominent than a remedy.
        Button(
            (plain_text(names, each.label) if names else each.label)[:LABEL_MAX],
            each.action,
            "secondary" if _is_for_later(each) else "primary",
        )
        for each in refused.options
    ]
    return Card("waiting", (text,), rows_of(buttons))


def _is_for_later(option: LabelledAction) -> bool:
    return isinstance(option.action, Press) and isinstance(option.action.command, Agree)
