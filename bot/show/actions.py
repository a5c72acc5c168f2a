"""Actions of presentation: turning pages, submitting forms, setting up, revealing what a DM could not deliver.

The actions of the rules (accept, withdraw, a game's own buttons) are in `bot.rules.model.actions` and in the games.
`bot.show.custom_ids` writes both into custom_ids, so a name or the order of fields must not change: messages that
were sent earlier carry them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.rules.model.actions import Action, Choice
from bot.rules.model.calls import CallKind

# ---------------------------------------------------------------- pages


@dataclass(frozen=True, slots=True)
class TurnHistory(Action):
    """Turn to a page of /history. ``until_seq`` is the newest entry; ``person`` and ``offer`` filter, 0 for all.

    ``beside``: one person's page is the one before this entry, or if it is negative after it; 0 for the newest.
    """

    name = "history"
    until_seq: int
    page: int
    person: int = 0
    offer: int = 0
    beside: int = 0


@dataclass(frozen=True, slots=True)
class TurnDetails(Action):
    """The same with entry numbers, kinds and a hash, in the ledger's own words. Fields as of `TurnHistory`."""

    name = "history-details"
    until_seq: int
    page: int
    person: int = 0
    offer: int = 0
    beside: int = 0


@dataclass(frozen=True, slots=True)
class TurnLedger(Action):
    """Turn to a page of /audit ledger. ``since`` is the first entry's number, ``kind`` is empty for every kind.

    ``beside`` as of `TurnHistory`.
    """

    name = "audit.ledger"
    until_seq: int
    page: int
    person: int = 0
    kind: str = ""
    since: int = 0
    beside: int = 0


@dataclass(frozen=True, slots=True)
class TurnTrade(Action):
    """Turn to a page of /audit trade, about one transaction."""

    name = "audit.trade"
    until_seq: int
    page: int
    transaction: int


@dataclass(frozen=True, slots=True)
class TurnPlayer(Action):
    """Turn to a page of /audit player, about one person."""

    name = "audit.player"
    until_seq: int
    page: int
    person: int


# ---------------------------------------------------------------- forms


@dataclass(frozen=True, slots=True)
class PostForm(Action):
    """The form of a new offer. ``to`` is a Discord user's id, 0 for everybody; ``negotiation`` is 0 for none.
    ``card``: its terms rest on an action card's result.

    It names the user, not the seat: a person who takes over the seat before the form is submitted must not get the
    offer.
    """

    name = "form.post"
    to: int = 0
    negotiation: int = 0
    card: bool = False


@dataclass(frozen=True, slots=True)
class AlterForm(Action):
    """The form of an altered offer, opened at this revision."""

    name = "form.alter"
    offer: int
    revision: int


@dataclass(frozen=True, slots=True)
class CounterForm(Action):
    """The form of a counter-offer. ``card`` as of `PostForm`."""

    name = "form.counter"
    offer: int
    card: bool = False


# ---------------------------------------------------------------- handing over


@dataclass(frozen=True, slots=True)
class PickCards(Choice):
    """A menu with the cards to hand over for an offer. Several have a hand that is too large for one; ``part`` counts
    them from 0.

    ``picked`` and ``hand`` as of `GiveCards`, for what is picked in the others.
    """

    name = "hand-pick"
    offer: int
    revision: int
    part: int
    picked: str
    hand: str


@dataclass(frozen=True, slots=True)
class GiveCards(Action):
    """**Hand over** these cards for an offer.

    ``picked`` has a digit for each kind of card in the hand, and ``hand`` is a digest of that hand: with another one
    the digits would mean other cards.
    """

    name = "hand-give"
    offer: int
    revision: int
    picked: str
    hand: str


@dataclass(frozen=True, slots=True)
class OfferAgain(Action):
    """**Offer again**, under the news that an offer was declined: open its form, filled with what it was."""

    name = "offer-again"
    offer: int


@dataclass(frozen=True, slots=True)
class AcceptAsShown(Action):
    """**Accept** or **Confirm** under the private card that says what goes and what comes, at this revision."""

    name = "accept-shown"
    offer: int
    revision: int


# ---------------------------------------------------------------- pings


@dataclass(frozen=True, slots=True)
class MutePing(Action):
    """The presser is notified of this kind of call no more, or again; at all tables, so ``table`` is 0."""

    name = "mute"
    kind: CallKind
    muted: bool


@dataclass(frozen=True, slots=True)
class RuleForm(Action):
    """The form with the number or words of a rule."""

    name = "form.rule"


# ---------------------------------------------------------------- the board

BoardMove = Literal[
    "new", "goods", "partners", "offers", "more", "table", "rules", "phase", "undo", "settings", "seats",
]  # fmt: skip
"""What a button of the board, its menu, or a private reply that leads on shows to the presser."""


@dataclass(frozen=True, slots=True)
class BoardPress(Action):
    """A button of the board or its menu that shows something to the presser alone, or asks back."""

    name = "board"
    what: BoardMove


@dataclass(frozen=True, slots=True)
class ChoosePlayer(Choice):
    """A select with the players, to look at what lies open before one; its values are their seats."""

    name = "board-player"


@dataclass(frozen=True, slots=True)
class BeginPhase(Action):
    """A phase begins."""

    name = "phase"
    phase: str


@dataclass(frozen=True, slots=True)
class ChooseSetting(Choice):
    """A select with the settings that could be otherwise; its values are ``name=value``."""

    name = "setting-choose"


@dataclass(frozen=True, slots=True)
class ChangeSetting(Action):
    """The table plays with this setting from now on."""

    name = "setting"
    setting: str
    value: str


@dataclass(frozen=True, slots=True)
class ChooseSeat(Choice):
    """A select with the seats that are taken, of which one is to become free."""

    name = "seat-choose"


@dataclass(frozen=True, slots=True)
class FreeSeat(Action):
    """The player of this seat leaves it."""

    name = "seat-free"
    seat: str


# ---------------------------------------------------------------- a new offer

TermsKind = Literal["later", "now", "both", "card"]
"""What the terms of a new offer are: a promise for later, done now with the trade, some of each, or resting on an
action card's result."""


@dataclass(frozen=True, slots=True)
class OfferTo(Action):
    """The presser opens the form of an offer to a Discord user, 0 for everybody."""

    name = "new-to"
    to: int
    terms: TermsKind


@dataclass(frozen=True, slots=True)
class ChoosePartner(Choice):
    """A select with the players one can't trade with now; its values are their user ids. It opens the form too."""

    name = "new-other"
    terms: TermsKind


@dataclass(frozen=True, slots=True)
class ChooseTerms(Choice):
    """A select with the kinds of terms that a new offer can have."""

    name = "new-terms"


# ---------------------------------------------------------------- looking


@dataclass(frozen=True, slots=True)
class BrowseOffers(Choice):
    """A select with offers to look at; its values are their numbers."""

    name = "browse"


@dataclass(frozen=True, slots=True)
class RevealPrompt(Action):
    """**Show me**, in place of a secret prompt: show the prompt to the presser, if it is for them."""

    name = "reveal"
    key: str


@dataclass(frozen=True, slots=True)
class TellEntry(Action):
    """**Tell me**, in place of a DM that could not be delivered: show what the entry means for the presser."""

    name = "tell"
    seq: int


@dataclass(frozen=True, slots=True)
class ChooseTable(Choice):
    """A select with the tables that a person's DMs can be about; its values are the tables' ids."""

    name = "dm-table"
    table: int = 0


# ---------------------------------------------------------------- arriving and setting up


@dataclass(frozen=True, slots=True)
class SetUpHere(Action):
    """**Set up a table** in the channel where it is pressed: asks which game. ``table`` is 0."""

    name = "arrive"


@dataclass(frozen=True, slots=True)
class WhatIsThis(Action):
    """**What is this?** ``table`` is 0."""

    name = "what"


@dataclass(frozen=True, slots=True)
class OpenGame(Action):
    """A table of this game opens in the channel; the presser is its host. ``table`` is 0."""

    name = "open"
    game: str


@dataclass(frozen=True, slots=True)
class SeatPage(Action):
    """Turn to a page of the seats that can be taken."""

    name = "seats"
    page: int


@dataclass(frozen=True, slots=True)
class SeatOrder(Action):
    """The order in which people sit, as far as it is ``picked``: a sign for each seat, see `bot.show.seating`.

    ``sure``: it is taken over.
    """

    name = "order"
    picked: str
    sure: bool = False


@dataclass(frozen=True, slots=True)
class AskGoods(Action):
    """A button that opens the form for what a seat has."""

    name = "goods"
    seat: str


@dataclass(frozen=True, slots=True)
class GoodsForm(Action):
    """The form for what a seat has."""

    name = "form.goods"
    seat: str


@dataclass(frozen=True, slots=True)
class AskOption(Action):
    """A button that shows the values of a setting of the game's own."""

    name = "option"
    option: str


@dataclass(frozen=True, slots=True)
class ShowTopic(Choice):
    """A select with the topics of /help. ``table`` is 0 where there is none."""

    name = "topic"


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
    TurnHistory, TurnDetails, TurnLedger, TurnTrade, TurnPlayer,
    PostForm, AlterForm, CounterForm, PickCards, GiveCards, OfferAgain, AcceptAsShown, MutePing, RuleForm,
    BoardPress, ChoosePlayer, BeginPhase, ChooseSetting, ChangeSetting, ChooseSeat, FreeSeat,
    OfferTo, ChoosePartner, ChooseTerms,
    BrowseOffers, RevealPrompt, TellEntry, ChooseTable,
    SetUpHere, WhatIsThis, OpenGame, SeatPage, SeatOrder, AskGoods, GoodsForm, AskOption, ShowTopic,
    ForgetMe, RemoveTable,
)  # fmt: skip
"""Every action of this module."""
