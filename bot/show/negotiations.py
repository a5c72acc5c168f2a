"""A negotiation's thread: its name and its summary."""

from __future__ import annotations

from bot.rules.model.text import one_line
from bot.rules.views import NegotiationView, TableView
from bot.show.cards import Button, Card
from bot.show.names import escape, mention, name
from bot.show.offers import offer_line
from bot.show.truncation import TEXT_MAX, truncate_lines

NAME_MAX = 100
"""Discord's limit on a thread's name, in characters."""


def thread_name(view: TableView, negotiation: NegotiationView) -> str:
    """Return a thread's name: ``alice and bob: the artifact planet``."""
    two = f"{name(view, negotiation.seat)} and {name(view, negotiation.other)}"
    return (f"{two}: {one_line(negotiation.topic)}" if negotiation.topic else two)[:NAME_MAX]


def summary_card(view: TableView, negotiation: NegotiationView) -> Card:
    """Return the negotiation's open and resolved offers.

    The view is the thread's, which moderators can read too, so it holds no hidden cards.
    """
    two = f"{mention(view, negotiation.seat)} and {mention(view, negotiation.other)}"
    blocks = [f"### {escape(negotiation.topic) or 'A negotiation'}\n{two}", _offers(view, negotiation)]
    if negotiation.resolved:
        blocks.append(f"Resolved: {', '.join(f'#{offer}' for offer in sorted(negotiation.resolved))}")
    blocks.append("-# Moderators of the server can read this thread; which hidden cards are meant I say by DM only.")
    if not negotiation.open:
        return Card("over", (*blocks, "**Closed.**"))
    return Card("open", tuple(blocks), ((Button("Close", negotiation.close),),))


def _offers(view: TableView, negotiation: NegotiationView) -> str:
    offers = [offer for offer in view.offers.values() if offer.live and offer.links.negotiation == negotiation.number]
    newest_first = sorted(offers, key=lambda offer: -offer.number)
    lines = truncate_lines([escape(offer_line(view, offer)) for offer in newest_first], TEXT_MAX // 2)
    return "**On the table**\n" + "\n".join(lines) if lines else "Nothing is offered yet: **/offer post** here."
