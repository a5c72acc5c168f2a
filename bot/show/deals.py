"""Deals as people read them: the terms, whether they bind, and whether they were kept.
Negotiations' threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.rules.model.text import one_line
from bot.rules.views import DealView, NegotiationView, PromptView, TableView
from bot.show.board import new_offer_button
from bot.show.cards import (
    TEXT_MAX,
    Button,
    Card,
    Mood,
    Rows,
    Style,
    buttons_of,
    drawn,
    truncate_lines,
)
from bot.show.names import (
    escape,
    escaped,
    game_of,
    mention,
    mention_user,
    name,
    phone_line,
    who_plays,
)
from bot.show.offer_cards import offer_line
from bot.show.offer_sides import chains, promise_text, rules_quoted

# ---------------------------------------------------------------- deals

DEALS_MAX = 10
"""The most deals in one list; the newest are shown."""


def deal_text(view: TableView, deal: DealView) -> str:
    """Return a deal with its number, players, terms, whether they bind, and outcome."""
    head = f"Deal {deal.number}"
    if deal.mine:
        other = deal.to if view.seat == deal.seat else deal.seat
        head += f" with {who_plays(deal, other)}"
    else:
        head += f" · {who_plays(deal, deal.seat)} and {who_plays(deal, deal.to)}"
    if deal.offer:
        head += f" · with offer {deal.offer}"
    elif deal.by:
        head += f" · by the end of the {deal.by}"
    if deal.status in ("declined", "void"):
        return f"-# ~~{head}: {escape(deal.terms)}~~\n{_status(view, deal)}"
    promiser = deal.seat if deal.offer and deal.not_binding in ("later", "never") else ""
    reader = view.seat if deal.mine else None
    lines = [f"-# {head}", promise_text(deal, deal.terms, promiser, reader)]
    lines += rules_quoted(deal.rules)
    lines.append(f"-# {game_of(view).info.agreements.of_deal(deal.not_binding)}")
    lines.append(_status(view, deal))
    return "\n".join(filter(None, lines))


def proposal(view: TableView, prompt: PromptView) -> DealView | None:
    """Return the deal that a question proposes; None for another question, such as whether a deal
    was kept. A view has that deal only if somebody recalled it.
    """
    deal = view.deals.get(prompt.deal or 0)
    return deal if deal is not None and deal.status == "proposed" else None


@drawn
def deal_card(view: TableView, deal: DealView) -> Card:
    """Return a deal as a card, with the buttons open to its reader."""
    mood: Mood = "done"
    first: Style = "secondary"
    if deal.status == "proposed":
        mood, first = "open", "success"
    elif deal.status in ("declined", "void"):
        mood = "over"
    elif "broken" in deal.marks.values():
        mood = "waiting"
    proposed = deal.status == "proposed" and view.seat == deal.to
    news = f"{escaped(deal, deal.seat)} proposes a deal" if proposed else f"Deal {deal.number}"
    row = buttons_of(view, deal.buttons[:1], first) + buttons_of(view, deal.buttons[1:])
    rows: Rows = (row,) if row else ()
    return Card(mood, deal_text(view, deal), rows, line=phone_line(view, news))


@drawn
def deals_card(view: TableView, deals: Sequence[DealView]) -> Card:
    """Return a list of the first of these deals."""
    blocks = tuple(deal_text(view, deal) for deal in deals[:DEALS_MAX])
    more = (f"-# and {len(deals) - DEALS_MAX} older ones",) if len(deals) > DEALS_MAX else ()
    return Card("open", blocks + more)


def _status(view: TableView, deal: DealView) -> str:
    """Return what a deal waits for, how it ended, or how its two sides marked it; empty if its
    buttons say enough.
    """
    match deal.status:
        case "proposed" if deal.mine and view.seat == deal.to:
            return ""
        case "proposed":
            return f"Waiting for {escaped(deal, deal.to)} to answer."
        case "declined":
            return f"✖️ Declined by {_one(view, deal, deal.to)}."
        case "void":
            return "✖️ Ended: one of the two left the table."
        case _:
            said = ["🤝 Agreed."]
            for seat, mark in deal.marks.items():
                say = (
                    "You say" if deal.mine and seat == view.seat else f"{escaped(deal, seat)} says"
                )
                other = _one(view, deal, deal.other(seat))
                said.append(f"{say} that {other} **{'kept' if mark == 'kept' else 'broke'}** it.")
            return " ".join(said)


def _one(view: TableView, deal: DealView, seat: str) -> str:
    return "you" if deal.mine and seat == view.seat else escaped(deal, seat)


# ---------------------------------------------------------------- a negotiation's thread: its name

THREAD_NAME_MAX = 100
"""Discord's limit on a thread's name, in characters."""


def thread_name(view: TableView, negotiation: NegotiationView) -> str:
    """Return a thread's name: ``alice and bob: the artifact planet``."""
    two = f"{name(view, negotiation.seat)} and {name(view, negotiation.other)}"
    return (f"{two}: {one_line(negotiation.topic)}" if negotiation.topic else two)[:THREAD_NAME_MAX]


def absent_text(view: TableView, users: Iterable[int]) -> str:
    """Return that these Discord users could not be added to a thread, and what to do; empty for
    nobody.
    """
    who = " and ".join(mention_user(view, user) for user in users)
    return who and (
        f"⚠️ I couldn't add {who}: they can't see this channel, or have left the server. Offers to "
        "them still go by DM. "
        "Once they are let in, close this and open it again: **Close** here, **Negotiate…** under "
        "**Menu** on the board."
    )


def readers_text(view: TableView, seats: Iterable[str]) -> str:
    """Return that the players in these seats can read a thread of two others; empty for nobody."""
    who = " and ".join(escaped(view, seat) for seat in seats)
    return who and (
        f"⚠️ {who} can read this thread too: they may manage threads here. Private offers by DM "
        "are read by nobody else."
    )


@drawn
def summary_card(view: TableView, negotiation: NegotiationView, absent: Iterable[int] = ()) -> Card:
    """Return the negotiation's open and resolved offers. ``absent`` are users who could not be
    added.

    The view is the thread's, which whoever may manage threads can read too, so it holds no hidden
    cards.
    """
    two = f"{mention(view, negotiation.seat)} and {mention(view, negotiation.other)}"
    blocks = [f"### {escape(negotiation.topic) or 'A negotiation'}\n{two}"]
    blocks += filter(None, [absent_text(view, absent)])
    of_theirs = []
    for offer in view.offers.values():
        if offer.links.negotiation == negotiation.number:
            of_theirs.append(offer)
    newest_first = sorted(chains(of_theirs), key=lambda offer: -offer.number)
    lines = [escape(offer_line(view, offer)) for offer in newest_first]
    if lines:
        blocks.append("\n".join(("**Open offers**", *truncate_lines(lines, TEXT_MAX // 2))))
    else:
        blocks.append("No offers yet: **New offer** makes one that only you two read.")
    if negotiation.resolved:
        numbers = ", ".join(f"#{offer}" for offer in sorted(negotiation.resolved))
        blocks.append(f"Resolved: {numbers}")
    reading = "Whoever may manage threads here can read this; DMs with me nobody else can."
    blocks.append(f"-# {reading} I name hidden cards only there.")
    if not negotiation.open:
        return Card("over", (*blocks, "**Closed.**"))
    close = Button("Close", negotiation.close)
    return Card("open", blocks, ((new_offer_button(view), close),))
