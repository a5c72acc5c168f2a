"""Actions of presentation: turn pages, submit forms, set up a table, reveal an undelivered DM.

Those of the rules are in `bot.rules.model.actions` and in the games; what changes a table is a
command in a `Press`. `bot.show.custom_ids` encodes all as custom_ids. Earlier messages carry those,
so names and the order of fields must not change.
"""

from __future__ import annotations

from typing import Literal

from bot.rules.commands import Press
from bot.rules.entries import CallKind
from bot.rules.features.offers.posting import PauseOffer, RepeatOffer, SameOffer
from bot.rules.features.offers.signing import Agree, EndOffer, HaveThem, Sign
from bot.rules.model.actions import Action, Choice, OfferAction
from bot.rules.model.codec import kinds_in
from bot.rules.views import OfferMove, OfferView

# ---------------------------------------------------------------- pages


class TurnHistory(Action):
    """Turn to a page of /history. ``until_seq`` is the newest entry, 0 for the table's newest;
    ``person`` and ``offer`` filter, 0 for all.

    ``cursor`` locates a page of a filter by person: the page before entry ``cursor``, or after it
    if negative; 0 for the newest page. ``details``: in the ledger's own words, with entry numbers,
    kinds and a hash.
    """

    name = "history"
    flagged = ("details", "history-details")
    until_seq: int
    page: int
    person: int = 0
    offer: int = 0
    cursor: int = 0
    details: bool = False


class TurnLedger(Action):
    """Turn to a page of /audit ledger. ``since`` is the first entry's number; ``kind`` is empty for
    all kinds.

    ``cursor`` as in `TurnHistory`.
    """

    name = "audit.ledger"
    until_seq: int
    page: int
    person: int = 0
    kind: str = ""
    since: int = 0
    cursor: int = 0


class TurnAccount(Action):
    """Turn to a page of /audit player, about this person; ``trade``: of /audit trade, about this
    transaction.
    """

    name = "audit.player"
    flagged = ("trade", "audit.trade")
    until_seq: int
    page: int
    number: int
    trade: bool = False


# ---------------------------------------------------------------- forms


class PostForm(Action):
    """The form of a new offer. ``to`` is a Discord user's id, 0 for everybody; ``negotiation`` is 0
    for none.

    ``card``: its terms rest on an action card's result. ``to`` is a user, not a seat: a person who
    takes over the seat before the form is submitted must not get the offer.
    """

    name = "form.post"
    to: int = 0
    negotiation: int = 0
    card: bool = False


class AlterForm(Action):
    """The form of an altered offer. ``revision`` is the offer's revision when the form was
    opened.
    """

    name = "form.alter"
    offer: int
    revision: int


class CounterForm(Action):
    """The form of a counter-offer. ``card`` as in `PostForm`, ``revision`` as in `AlterForm`; None
    for one of a version without it.
    """

    name = "form.counter"
    offer: int
    card: bool = False
    revision: int | None = None


# ---------------------------------------------------------------- handing over


class PickCards(Choice):
    """A select of cards to hand over for an offer. A large hand needs several, counted by ``part``
    from 0.

    ``picked`` and ``hand``, as in `GiveCards`, hold what is picked in the other selects.
    """

    name = "hand-pick"
    offer: int
    revision: int
    part: int
    picked: str
    hand: str


class GiveCards(Action):
    """**Hand over** these cards for an offer; ``details``: **Details**, what the trade depends on.

    ``picked`` has a digit for each kind of card in the hand. ``hand`` is a digest of that hand,
    since the digits would mean other cards with another hand.
    """

    name = "hand-give"
    flagged = ("details", "hand-details")
    offer: int
    revision: int
    picked: str
    hand: str
    details: bool = False


class OfferAgain(Action):
    """**Offer again**, in the news of a declined offer: open a form filled with that offer."""

    name = "offer-again"
    offer: int


# ---------------------------------------------------------------- pings


class MutePing(Action):
    """Turn the presser's notifications of this kind off, or on again. At all tables, so ``table``
    is 0.
    """

    name = "mute"
    kind: CallKind
    muted: bool


class RuleForm(Action):
    """The form that asks for a rule's number or words."""

    name = "form.rule"


# ---------------------------------------------------------------- the board

BoardMove = Literal[
    "new",
    "goods",
    "partners",
    "offers",
    "more",
    "table",
    "rules",
    "phase",
    "undo",
    "settings",
    "seats",
    "host",
    "say",
    "pings",
    "deal",
    "talk",
    "leave",
    "close",
    "closed",
    "mine",
    "debts",
]
"""The subjects that a button of the board, its menu or a private reply can show."""


class BoardPress(Action):
    """A button of the board or its menu that only shows something to the presser, or asks for
    confirmation.

    >>> Button("My goods", BoardPress(table.id, "goods")).label
    'My goods'
    """

    name = "board"
    what: BoardMove


class ChoosePlayer(Choice):
    """A select of players, to see what lies open before one. Its values are seats."""

    name = "board-player"


class ChooseSetting(Choice):
    """A select of settings that can be changed. Its values are ``name=value``."""

    name = "setting-choose"


class ChooseSeat(Choice):
    """A select of taken seats, to free one."""

    name = "seat-choose"


# ---------------------------------------------------------------- a new offer

TermsKind = Literal["none", "later", "now", "both", "card"]
"""The kinds of terms: none, promised for later, done now with the trade, both, or on an action
card's result.
"""


class OfferTo(Action):
    """Begin an offer to a Discord user; 0 for everybody."""

    name = "offer-to"
    to: int


class ChoosePartner(Choice):
    """A select of the players that the presser can't trade with now, or of all where they are many.
    Its values are user ids. Begins an offer too.
    """

    name = "offer-other"


DraftMove = Literal["build", "write", "post", "hand"]
"""The buttons of an offer that is being made; see `DraftPress`."""

PickSide = Literal["give", "want", "name", "say", "gives", "wants"]
"""The selects of an offer that is being made; see `DraftPick`."""


class DraftPress(Action):
    """A button of an offer that is being made: show it with these goods, open the form with them,
    or post it.

    ``hand`` posts it and hands over the cards picked. ``to`` is a person's number at the table, 0
    for everybody; ``negotiation`` is 0 for none. ``give``, ``want`` and ``rest`` (cards picked that
    the offer does not name) are goods as `bot.show.drafts` writes them. ``place`` distinguishes
    buttons of one card that are otherwise the same. ``answers`` is the offer that it counters, 0
    for none, and ``revision`` that offer's revision.
    """

    name = "draft"
    what: DraftMove
    to: int
    negotiation: int
    give: str
    want: str
    place: int = 0
    rest: str = ""
    answers: int = 0
    revision: int = 0


class DraftPick(Choice):
    """A select of cards of one side of an offer that is being made. Many cards need several,
    counted by ``part``.

    ``name`` and ``say``: which of the cards to give it names, and what it says of the others.
    ``gives`` and ``wants``: how many of the counted goods a side has; ``part`` is the page.

    The other fields are those of `DraftPress`.
    """

    name = "draft-pick"
    side: PickSide
    part: int
    to: int
    negotiation: int
    give: str
    want: str
    rest: str = ""
    answers: int = 0
    revision: int = 0


class SeeIt(Action):
    """**See it**, under words that somebody wrote in the channel: show them the offer that they
    say.

    ``person`` is the number of who wrote them. The other fields are those of `DraftPress`.
    """

    name = "see"
    person: int
    to: int
    negotiation: int
    give: str
    want: str


# ---------------------------------------------------------------- looking


class BrowseOffers(Choice):
    """A select of offers to look at. Its values are offer numbers."""

    name = "browse"


class RevealPrompt(Action):
    """**Show me**, in place of a secret prompt: show the prompt to the presser, if it is theirs."""

    name = "reveal"
    key: str


class TellEntry(Action):
    """**Tell me**, in place of an undelivered DM: show the presser what the entry means for
    them.
    """

    name = "tell"
    seq: int


class ChooseTable(Choice):
    """A select of tables, to choose what a person's DMs are about. Its values are table ids."""

    name = "dm-table"
    table: int = 0


# ---------------------------------------------------------------- arriving and setting up


class SetUpHere(Action):
    """**Set up a table** in the channel of the button: asks for the game. ``table`` is 0."""

    name = "arrive"


class WhatIsThis(Action):
    """**What is this?** ``table`` is 0."""

    name = "what"


class OpenGame(Action):
    """Open a table of this game in the channel, with the presser as host.

    ``table`` is 0, or the one there that can be opened again; ``since`` is the closing that this
    makes final.
    """

    name = "open"
    game: str
    since: int = 0


class WithoutChannel(Action):
    """For a host whose table has lost its channel: bring it to the channel of the button, say how,
    or close it.

    ``since``: of a table there that can be opened again, the closing that this makes final.
    """

    name = "place"
    what: Literal["bring", "how", "close"]
    since: int = 0


class PlayAgain(Action):
    """**Same table again…**: open a table with the people and settings of this closed one.

    ``since``: of a table that can be opened again, the closing that this makes final.
    """

    name = "again"
    since: int = 0


class AskWhen(Action):
    """**Remind us…**: open the form for the next time."""

    name = "when"


class WhenForm(Action):
    """The form for the next time and the time zone."""

    name = "form.when"


class SeatForm(Action):
    """The form for the seat that a person takes."""

    name = "form.seat"


class SeatOrder(Action):
    """The seating order so far. ``picked`` has a sign for each seat, see `bot.show.setup`.

    ``sure``: apply it.
    """

    name = "order"
    picked: str
    sure: bool = False


class AskGoods(Action):
    """Open the form for a seat's goods."""

    name = "goods"
    seat: str


class GoodsForm(Action):
    """The form for a seat's goods."""

    name = "form.goods"
    seat: str


class AskOption(Action):
    """Show the values of one of the game's settings."""

    name = "option"
    option: str


class ShowTopic(Choice):
    """A select of /help topics. ``table`` is 0 where there is none."""

    name = "topic"


# ---------------------------------------------------------------- words


class AskDeal(Action):
    """Open the form of a deal with this seat."""

    name = "deal.with"
    seat: str


class DealForm(Action):
    """The form of a deal with this seat."""

    name = "form.deal"
    seat: str


class AskTalk(Action):
    """Open a private thread with this seat."""

    name = "negotiation.with"
    seat: str


# ---------------------------------------------------------------- debts


class AskPay(Action):
    """**Pay…**: show an offer with what the presser owes."""

    name = "debt.pay"
    debt: int


class AskForgive(Action):
    """**Forgive…**: ask whether to forgive a debt."""

    name = "debt.ask"
    debt: int


class ForgivePart(Choice):
    """The menu of how much of a debt to forgive. Its values are numbers."""

    name = "debt.part"
    debt: int


class AskSetOff(Action):
    """**Set off…**: show an offer that pays a debt of the presser's with one of the other's."""

    name = "debt.off"
    debt: int
    against: int


class AskDispute(Action):
    """**Dispute…**: open the form for what the presser says against a debt."""

    name = "debt.dispute"
    debt: int


class DisputeForm(Action):
    """The form for what a player says against a debt."""

    name = "debt.form"
    debt: int


# ---------------------------------------------------------------- privacy


class ShowPrivacy(Action):
    """**Privacy** under /help: show what is stored about the presser. ``table`` may be 0."""

    name = "privacy"


class ForgetMe(Action):
    """Erase the presser's name from closed tables; ask first unless ``sure``."""

    name = "privacy.me"
    table: int = 0
    sure: bool = False


class RemoveTable(Action):
    """Remove a closed table with all its entries; ask first unless ``sure``."""

    name = "privacy.table"
    sure: bool = False


def press(offer: OfferView, move: OfferMove) -> Action:
    """Return what the button of a move carries: a command, or an action that only shows or opens
    something.
    """
    match move:
        case "accept" | "confirm":
            return Press(offer.table, Sign(offer.number, offer.revision))
        case "agree":
            return Press(offer.table, Agree(offer.number, offer.revision))
        case "have":
            return Press(offer.table, HaveThem(offer.number, offer.revision))
        case "decline" | "withdraw" | "back_out":
            return Press(offer.table, EndOffer(offer.number, move, offer.revision))
        case "suspend" | "resume":
            return Press(offer.table, PauseOffer(offer.number, move == "suspend", offer.revision))
        case "again":
            return Press(offer.table, RepeatOffer(offer.number))
        case "same":
            return Press(offer.table, SameOffer(offer.number, offer.revision))
        case step:
            return OfferAction(offer.table, offer.number, offer.revision, step)


class OfferMeant(Action):
    """Post an offer as it was probably meant, or its two sides as they were read, with all that was
    typed beside them.

    ``to`` is a person's number at the table, 0 for everybody; ``answers`` is the offer that it
    counters or alters at ``revision``, 0 for none. ``offer`` is the rest, as `bot.show.meant`
    writes it.
    """

    name = "meant"
    to: int
    answers: int
    revision: int
    offer: str


PRESENTATION_ACTIONS = kinds_in(vars(), Action)
