"""Prompts: questions put to one person, with the buttons that answer them, and what is said to one person alone."""

from __future__ import annotations

from bot.rules.model.actions import LabelledAction
from bot.rules.offers.entries import Transaction
from bot.rules.views import DealView, EntryView, FollowUpView, PromptView, TableView
from bot.show.actions import RevealPrompt, TellEntry
from bot.show.cards import Button, Card
from bot.show.deals import deal_card, deal_text
from bot.show.names import Named, escape, format_text
from bot.show.offers import offer_line


def prompt_card(view: TableView, prompt: PromptView) -> Card:
    """Return a question for the person it is put to."""
    answers = tuple(_button(option, first=number == 0) for number, option in enumerate(prompt.buttons))
    return Card("waiting", (_text(view, prompt), _table(view)), (answers,) if answers else ())


def overheard_card(view: TableView, prompt: PromptView) -> Card:
    """Return a question where others read too: of a secret one, only that there is something."""
    if not prompt.secret:
        return prompt_card(view, prompt)
    button = Button("Show me", RevealPrompt(view.id, prompt.key), "primary")
    return Card("waiting", ("There is something private for you.", _table(view)), ((button,),))


def settled_card(view: TableView, deal: DealView | None = None) -> Card:
    """Return what stands where a question stood that needs no answer any more: a deal, or that it is settled."""
    return deal_card(view, deal) if deal else Card("over", ("This question is settled.", _table(view)))


def replaced_card(view: TableView) -> Card:
    """Return what stands where a personal card stood that a newer message has taken the place of."""
    return Card("over", ("A newer message has what stood here.", _table(view)))


def follow_up_card(view: TableView, follow_up: FollowUpView, named: Named | None = None) -> Card:
    """Return what may follow from a transaction, for the one it matters to."""
    return Card("waiting", (format_text(named or view, follow_up.text), f"{_table(view)} · only you were told"))


def told_card(view: TableView, entry: EntryView) -> Card:
    """Return what stands in place of a DM that was not taken, with a button that tells what was in it."""
    button = Button("Tell me", TellEntry(view.id, entry.seq), "primary")
    about = f" about transaction {entry.entry.number}" if isinstance(entry.entry, Transaction) else ""
    told = f"There is something{about} that only you are told."
    return Card("waiting", (told,), ((button,),))


def _text(view: TableView, prompt: PromptView) -> str:
    """Return the question, with the deal or the offer it is about."""
    deal = view.deals.get(prompt.deal or 0)
    if deal is not None:
        return deal_text(view, deal)
    offer = view.offers.get(prompt.offer or 0)
    told = format_text(view, prompt.text)
    return f"{told}\n{escape(offer_line(view, offer))}" if offer else told


def _button(option: LabelledAction, *, first: bool) -> Button:
    return Button(option.label, option.action, "success" if first else "secondary")


def _table(view: TableView) -> str:
    return f"-# {escape(view.name)}"
