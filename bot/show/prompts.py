"""Prompts, which ask one person a question and have buttons to answer it, and notices to one person."""

from __future__ import annotations

from bot.rules.features.offers.entries import Transaction
from bot.rules.model.actions import LabelledAction
from bot.rules.views import DealView, EntryView, FollowUpView, PromptView, TableView
from bot.show.actions import RevealPrompt, TellEntry
from bot.show.cards import Button, Card, buttons
from bot.show.deals import deal_card
from bot.show.names import Named, escape, format_text
from bot.show.offers import offer_line


def prompt_card(view: TableView, prompt: PromptView) -> Card:
    """Return a prompt for its recipient; if it is about a deal, the deal's card."""
    if (deal := view.deals.get(prompt.deal or 0)) is not None:
        return deal_card(view, deal)
    answers = tuple(_button(option, first=number == 0) for number, option in enumerate(prompt.buttons))
    return Card("waiting", (_text(view, prompt), _table(view)), (answers,) if answers else ())


def overheard_card(view: TableView, prompt: PromptView) -> Card:
    """Return a prompt for a place with other readers. A secret prompt only says that there is something."""
    if not prompt.secret:
        return prompt_card(view, prompt)
    button = Button("Show me", RevealPrompt(view.id, prompt.key), "primary")
    return Card("waiting", ("There is something private for you.", _table(view)), ((button,),))


def settled_card(view: TableView, deal: DealView | None = None) -> Card:
    """Return the replacement for a prompt that needs no answer any more: its deal, or that it is settled."""
    return deal_card(view, deal) if deal else Card("over", ("This question is settled.", _table(view)))


def replaced_card(view: TableView) -> Card:
    """Return the replacement for a personal card after a newer message was sent."""
    return Card("over", ("A newer message has what stood here.", _table(view)))


def follow_up_card(view: TableView, follow_up: FollowUpView, named: Named | None = None) -> Card:
    """Return a follow-up for its seat. ``named`` gives the names; the default is the view's."""
    text = format_text(named or view, follow_up.text)
    rows = (buttons(follow_up.buttons),) if follow_up.buttons else ()
    return Card("waiting", (text, f"{_table(view)} · only you were told"), rows)


def undelivered_card(view: TableView, entry: EntryView) -> Card:
    """Return the card in place of an undelivered DM, with a button that shows its text."""
    button = Button("Tell me", TellEntry(view.id, entry.seq), "primary")
    about = f" about transaction {entry.entry.number}" if isinstance(entry.entry, Transaction) else ""
    text = f"There is something{about} that only you are told."
    return Card("waiting", (text,), ((button,),))


def _text(view: TableView, prompt: PromptView) -> str:
    """Return the question with the offer it is about."""
    offer = view.offers.get(prompt.offer or 0)
    text = format_text(view, prompt.text)
    return f"{text}\n{escape(offer_line(view, offer))}" if offer else text


def _button(option: LabelledAction, *, first: bool) -> Button:
    return Button(option.label, option.action, "success" if first else "secondary")


def _table(view: TableView) -> str:
    return f"-# {escape(view.name)}"
