"""A negotiation's thread: its name, and the running summary at its head."""

from __future__ import annotations

from bot.desk import Look
from bot.rules.table import Negotiation
from bot.show import names
from bot.show.cards import Button, Card, offer_line
from bot.show.fits import TEXT_MOST, fitting

NAME_MOST = 100
"""Discord's limit for a thread's name, in characters."""


def thread_name(look: Look, talks: Negotiation) -> str:
    """``alice and bob: the artifact planet``."""
    two = f"{names.name(look, talks.seat)} and {names.name(look, talks.other)}"
    return (f"{two}: {talks.topic}" if talks.topic else two)[:NAME_MOST]


def summary_card(look: Look, talks: Negotiation) -> Card:
    """What the two have on the table between them. Moderators can read a private thread, so hidden cards stay out."""
    offers = [offer for offer in look.table.offers.values() if offer.negotiation == talks.number]
    live = [offer for offer in offers if offer.status in ("open", "suspended")]
    done = [offer for offer in offers if offer.status == "resolved"]
    two = f"{names.mention(look, talks.seat)} and {names.mention(look, talks.other)}"
    blocks = [f"### {names.escape(talks.topic) or 'A negotiation'}\n{two}"]
    lines = fitting([names.escape(offer_line(look, offer, None)) for offer in live[::-1]], TEXT_MOST // 2)
    blocks.append("**On the table**\n" + "\n".join(lines) if lines else "Nothing is offered yet: **/offer post** here.")
    if done:
        blocks.append(f"Resolved: {', '.join(f'#{offer.number}' for offer in done)}")
    blocks.append("-# Moderators of the server can read this thread; which hidden cards are meant I say by DM only.")
    if not talks.open:
        return Card("over", (*blocks, "**Closed.**"))
    return Card("open", tuple(blocks), ((Button("Close", f"talks:{look.table_id}:{talks.number}:close"),),))
