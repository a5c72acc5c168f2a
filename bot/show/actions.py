"""Actions of presentation: turning pages, sending forms, revealing what a DM could not carry.

What the rules hand out (accept, withdraw, a game's own buttons) are actions of `bot.rules.model.actions` and of the
games. These here only concern how things are shown. All of them are written into a custom_id by
`bot.show.custom_ids`, so their names and fields stay what they are as long as messages with them may exist.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.rules.model.actions import Action

# ---------------------------------------------------------------- pages


@dataclass(frozen=True, slots=True)
class TurnHistory(Action):
    """Turn to a page of /history. ``upto`` is the last entry read; ``person`` and ``offer`` filter, 0 for all."""

    name = "history"
    upto: int
    page: int
    person: int = 0
    offer: int = 0


@dataclass(frozen=True, slots=True)
class TurnLedger(Action):
    """Turn to a page of /audit ledger. ``since`` is the first entry's number, ``kind`` is empty for every kind."""

    name = "audit.ledger"
    upto: int
    page: int
    person: int = 0
    kind: str = ""
    since: int = 0


@dataclass(frozen=True, slots=True)
class TurnTrade(Action):
    """Turn to a page of /audit trade, about one transaction."""

    name = "audit.trade"
    upto: int
    page: int
    transaction: int


@dataclass(frozen=True, slots=True)
class TurnPlayer(Action):
    """Turn to a page of /audit player, about one person."""

    name = "audit.player"
    upto: int
    page: int
    person: int


# ---------------------------------------------------------------- forms


@dataclass(frozen=True, slots=True)
class PostForm(Action):
    """The form of a new offer. ``to`` is a Discord user's id, 0 for everybody; ``negotiation`` is 0 for none.

    The user is named, not the seat: a person who takes the seat over before the form is sent must not get it.
    """

    name = "form.post"
    to: int = 0
    negotiation: int = 0


@dataclass(frozen=True, slots=True)
class AlterForm(Action):
    """The form of an altered offer, opened at this revision."""

    name = "form.alter"
    offer: int
    revision: int


@dataclass(frozen=True, slots=True)
class CounterForm(Action):
    """The form of an offer in answer to another."""

    name = "form.counter"
    offer: int


@dataclass(frozen=True, slots=True)
class HandOverForm(Action):
    """The form with the cards to hand over for an offer."""

    name = "form.hand"
    offer: int
    revision: int


# ---------------------------------------------------------------- looking


@dataclass(frozen=True, slots=True)
class BrowseOffers(Action):
    """A select with offers to look at; its values are their numbers."""

    name = "browse"


@dataclass(frozen=True, slots=True)
class RevealPrompt(Action):
    """**Show me** under a secret question that others read too: put it to the presser, if it is for them."""

    name = "reveal"
    key: str


@dataclass(frozen=True, slots=True)
class TellEntry(Action):
    """**Tell me** where a DM was not taken: what an entry means for the presser alone."""

    name = "told"
    seq: int


@dataclass(frozen=True, slots=True)
class ChooseTable(Action):
    """A select with the tables that a person's DMs can be about; its values are the tables' numbers."""

    name = "dm-table"
    table: int = 0


# ---------------------------------------------------------------- privacy


@dataclass(frozen=True, slots=True)
class ForgetMe(Action):
    """Take the presser's name out of closed tables; ask first unless ``sure``."""

    name = "privacy.me"
    table: int = 0
    sure: bool = False


@dataclass(frozen=True, slots=True)
class RemoveTable(Action):
    """Remove a closed table with all its entries; ask first unless ``sure``."""

    name = "privacy.table"
    sure: bool = False


PRESENTATION_ACTIONS: tuple[type[Action], ...] = (
    TurnHistory, TurnLedger, TurnTrade, TurnPlayer,
    PostForm, AlterForm, CounterForm, HandOverForm,
    BrowseOffers, RevealPrompt, TellEntry, ChooseTable,
    ForgetMe, RemoveTable,
)  # fmt: skip
"""Every action of this module."""
