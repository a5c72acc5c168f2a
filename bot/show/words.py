"""What the bot says to people who write to it: in the channel never more than everybody may
know.
"""

from __future__ import annotations

from dataclasses import replace

from bot.rules.model.people import Names
from bot.rules.views import TableView
from bot.show.actions import SeeIt
from bot.show.cards import Button, Card, drawn
from bot.show.drafts import OfferDraft, press_of
from bot.show.names import bare_name, escape, escaped, game_of, player

BY_DM = "Cards of a hand are for us two: write me that by DM. The others read along here."
"""The line in a channel for words that name a card of a hand."""

ANSWERS_BY_DM = "Answers are for us two: write me that by DM, or press the offer's button."
"""The line in a channel for words that only say yes or no, or ask for something else."""

HELP_HERE = "**/help** says what you can do next, and only you read it."
"""The line in a channel for a greeting, or the question what one can do."""

NOTHING_WAITS = "Nothing waits for your answer now. **Offers** on the board shows the open ones."

WHICH_ONE = "-# Which one do you mean?"


def example(view: TableView) -> str:
    """Return a sentence that people can write at this table."""
    give, *others = game_of(view).info.example.split(", ")
    seats = view.others(view.seat)
    to = escape(bare_name(view, seats[0])) if seats else "everyone"
    return f"{give} to {to} for {others[0] if others else give}"


def not_understood(view: TableView, *, in_dm: bool) -> str:
    """Return the line about words that say no offer, with an example."""
    if in_dm:
        return f"I did not understand that. Write it like this: **{example(view)}**"
    return (
        f"I did not understand that. Write it like this: **@Bourse {example(view)}**. "
        "By DM I can say more."
    )


def by_role(view: TableView) -> str:
    """Return the line for a mention of the bot's role."""
    return (
        "That names my role, and then Discord does not give me your words. Pick me among the "
        f"people instead: **@Bourse {example(view)}**. Or write to me by DM."
    )


@drawn
def see_it_card(view: TableView, see: SeeIt) -> Card:
    """Return the button under words in the channel. It names who wrote them, and no more."""
    seat = view.names.seat_of(see.person)
    who = player(view, seat) if seat else "somebody who has left"
    return Card("open", f"-# For {who}", ((Button("See it", see),),))


def without_mentions(names: Names, card: Card) -> Card:
    """Return a card for a DM, where Discord's app may not know whom a mention means."""
    blocks = list(card.blocks)
    for seat in names.holders:
        person = names.holder(seat)
        if person is not None and person.user_id is not None:
            called = escaped(names, seat)
            blocks = [block.replace(f"<@{person.user_id}>", called) for block in blocks]
    return replace(card, blocks=tuple(blocks))


def see_it(view: TableView, draft: OfferDraft) -> SeeIt:
    """Return the action of that button, for the viewer's words."""
    press = press_of(view, draft, "build")
    person = view.names.holders[view.seat or ""] or 0
    return SeeIt(view.id, person, press.to, press.negotiation, press.give, press.want)
