"""**Show me** and **Tell me**, in a ping in the channel: show a person whom DMs do not reach what a
DM would say.
"""

from __future__ import annotations

from bot.rules.model.violation import Refused
from bot.show.actions import RevealPrompt, TellEntry
from bot.show.cards import Card
from bot.show.notices import follow_up_card, prompt_card
from bot.show.results import follow_ups_of, result_card
from cogs.request import Request
from cogs.router import Router


def bind(router: Router) -> None:
    """Bind the handlers of both buttons."""
    router.on(RevealPrompt, reveal)
    router.on(TellEntry, tell)


async def reveal(request: Request, press: RevealPrompt) -> None:
    """Handle **Show me**: show a prompt that others must not read to the person it is for."""
    view = await request.view()
    prompt = next((each for each in view.prompts if each.key == press.key), None)
    if prompt is None:
        raise Refused(
            "That is for another player, or already answered.",
            "**History** under **Menu** shows what you may know.",
        )
    await request.reply(prompt_card(view, prompt))


async def tell(request: Request, press: TellEntry) -> None:
    """Handle **Tell me**: show the presser what an entry means for them."""
    view = await request.view()
    entry = await request.service.entry(view.id, request.requester, press.seq)
    seat, cards = view.seat, list[Card]()
    # else their predecessor traded it
    if seat is not None and (seat not in entry.seats or seat in entry.mine):
        result = result_card(view, entry, now=True)
        follow_ups = [
            follow_up_card(view, each, entry)
            for each in follow_ups_of(entry, seat, in_receipt=False)
        ]
        cards = follow_ups if result is None else [result, *follow_ups]
    if not cards:
        raise Refused(
            "That is for another player.", "**History** under **Menu** shows what you may know."
        )
    for card in cards:
        await request.reply(card)
