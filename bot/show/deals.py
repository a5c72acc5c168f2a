"""Deals as people read them: the terms, whether they bind, and what was said of them since."""

from __future__ import annotations

from bot.desk import Look
from bot.rules.deals import why_not_binding
from bot.rules.table import Deal
from bot.show import names
from bot.show.cards import Card


def deal_text(look: Look, deal: Deal) -> str:
    """A deal with its number, its two people, its terms and whether it binds."""
    came = f" (with offer #{deal.offer})" if deal.offer else ""
    return (
        f"### Deal #{deal.number} · {names.mention(look, deal.seat)} and {names.mention(look, deal.to)}{came}\n"
        f"> {names.escape(deal.terms)}\n{_binding(look, deal)} {_status(look, deal)}".rstrip()
    )


def deal_card(look: Look, deal: Deal) -> Card:
    """A deal as a card, for its two."""
    return Card("over" if deal.status == "declined" else "open", (deal_text(look, deal),))


def _binding(look: Look, deal: Deal) -> str:
    cite, why = names.game_of(look).cite, why_not_binding(deal)
    if why is None:
        return f"**Binding**: all of it is resolved at once{cite('binding')}, and it must be kept{cite('kept')}."
    because = "an action card's result can't be promised" if why == "card" else "it can't all be resolved at once"
    return f"**Not binding**: {because}{cite(why)}. Nobody has to keep it."


def _status(look: Look, deal: Deal) -> str:
    if deal.status == "proposed":
        return f"Waits for {names.mention(look, deal.to)}."
    if deal.status == "declined":
        return "**Declined.**"
    said = [f"{names.mention(look, seat)} says the other **{_kept(mark)}** it" for seat, mark in deal.marks.items()]
    return f"**Agreed.** {'; '.join(said)}".strip()


def _kept(mark: str) -> str:
    return "kept" if mark == "kept" else "broke"
