"""Words: people write an offer to the bot as they would say it, by DM or in the table's channel.

Nothing happens without a press. By DM the answer is the offer's card with **Offer it**, or the
question that waits for them. In the channel, where all read, there is only **See it**; what stands
there follows from what everybody may know. `bot.lifecycle.messages` drops all other messages.
"""

from __future__ import annotations

import logging
from dataclasses import replace

import discord
from discord.ext import commands

from bot.delivery import Delivery, Notice
from bot.lifecycle import mentions_of
from bot.logs import note
from bot.rules.model.actions import OfferAction
from bot.rules.model.debts import OWED, PAYS
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.people import Names
from bot.rules.model.stamps import Stamp, newest_stamp
from bot.rules.model.text import TYPED_MAX, characters, visible
from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.service import Recent, Requester
from bot.show.actions import DraftPress, RevealPrompt, SeeIt
from bot.show.cards import Card, Select, text_card
from bot.show.drafts import OfferDraft, answer_draft, draft_of, holds
from bot.show.goods import all_hidden
from bot.show.guide import guide_card
from bot.show.hand_drafts import hand_answer_draft
from bot.show.hand_over import hands_over
from bot.show.menu import waiting, with_waiting
from bot.show.names import escape, format_text, game_of
from bot.show.notices import prompt_card
from bot.show.offer_cards import offer_card
from bot.show.offer_sides import as_viewer, other_side
from bot.show.results import refusal_text
from bot.show.said import Said, read_side
from bot.show.words import (
    ANSWERS_BY_DM,
    BY_DM,
    HELP_HERE,
    NOTHING_WAITS,
    WHICH_ONE,
    by_role,
    example,
    not_understood,
    see_it,
    without_mentions,
)
from bot.tasks import loop_time
from cogs.answers import Answers
from cogs.errors import explanation
from cogs.fair_use import too_much
from cogs.inputs import own_seat
from cogs.inquiry import Inquiry, InquiryPlace
from cogs.new_offers import ready_card, require_trade
from cogs.request import Request
from cogs.router import Router
from cogs.sentences import (
    Sentence,
    as_command,
    asks_for_help,
    counter_in,
    is_answer,
    read_sentence,
)

log = logging.getLogger(__name__)

AGAIN_AFTER = 5.0
"""Seconds for which a line is not repeated in a channel."""

LINES_KEPT = 1024
"""The most lines whose time is remembered."""

SILENTLY = Notice(silent=True)


class Message(Inquiry):
    """What somebody wrote to the bot. ``text`` is without the mention of the bot."""

    def __init__(self, client: discord.Client, message: discord.Message) -> None:
        super().__init__(client, message.channel, message.channel.id, None)
        self.message = message
        self.names: Names | None = None
        self.stamp: Stamp | None = None  # the newest of the table that was looked at
        own, text = client.user.id if client.user else 0, visible(message.content)
        for mention in mentions_of(own):
            text = text.replace(mention, " ")
        self.text = text.strip(" ,:\n")
        self.by_role = not self.in_dm and not message.content

    @property
    def in_dm(self) -> bool:
        return self.message.guild is None

    @property
    def requester(self) -> Requester:
        """The person who wrote. Only names from a server are stored, where they may be
        nicknames.
        """
        author, guild = self.message.author, self.message.guild
        if guild is None:
            return Requester(user_id=author.id, name="")
        may = discord.Permissions.none()
        if isinstance(author, discord.Member):
            may = author.guild_permissions
        return Requester(
            user_id=author.id,
            name=author.display_name,
            guild_id=guild.id,
            manages_guild=may.manage_guild,
            reads_threads=may.manage_threads or may.administrator or guild.owner_id == author.id,
        )

    async def table_here(self) -> InquiryPlace | None:
        """Return the table of this very channel or negotiation; None where there is none."""
        row = await self.table_at(self.message.channel.id)
        if row is not None:
            return InquiryPlace(row.id)
        try:
            place = await self.place()
        except Refused:
            return None
        return place if place.negotiation is not None else None

    def require_short(self) -> None:
        """Raise `Refused` for a text that is too long, before anything reads it."""
        if (length := characters(self.text)) > TYPED_MAX:
            raise Refused(f"That is {length} characters long.", f"Use at most {TYPED_MAX}.")

    def _looked(self, view: TableView) -> None:
        self.names = view.names
        self.stamp = newest_stamp(view)


class Words(commands.Cog):
    """Reads what people write to the bot, and answers with its own messages."""

    def __init__(
        self, client: discord.Client, delivery: Delivery, answers: Answers, router: Router
    ) -> None:
        self._client = client
        self._delivery = delivery
        self._answers = answers
        self._said = Recent[tuple[int, str], float](LINES_KEPT)
        router.on(SeeIt, show_said)

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Answer what is for the bot. While it stops, nobody could press what it answers."""
        if self._answers.interactions.closed:
            return
        note(message=message.id)
        with self._answers.interactions.running():
            if wait := self._answers.fair_use.wait(message):
                await self._tell(message, too_much(wait), what="too much")
            else:
                await self._answers.fair_use.metered(message, self._answer(message))

    async def _answer(self, message: discord.Message) -> None:
        """Answer a message, by DM in any case."""
        said = Message(self._client, message)
        told: str | Card | None
        try:
            told = await (_by_dm(said) if said.in_dm else _in_channel(said))
        except Exception as error:  # noqa: BLE001  cogs.errors handles all of them
            told = explanation(error, message.id, said.names)
            if isinstance(error, Refused) and not said.in_dm:
                told = refusal_text(error, said.names)  # a button there would be everybody's
        if isinstance(told, Card) and said.in_dm and said.names is not None:
            told = without_mentions(said.names, told)
        if told is not None:
            if isinstance(told, Card):
                told = told.stamped(said.stamp)
            await self._tell(message, told)

    async def _tell(self, message: discord.Message, told: str | Card, what: str = "") -> None:
        """Send an answer, silently; a line that was just sent there, or another about the same
        (``what``), is not repeated.
        """
        if isinstance(told, str):
            key, now = (message.channel.id, what or told), loop_time()
            if now - self._said.get(key, -AGAIN_AFTER) < AGAIN_AFTER:
                return
            self._said[key] = now
        card = text_card(told) if isinstance(told, str) else told
        announced = await self._delivery.announce(
            message.channel.id, card, f"said-{message.id}", notice=SILENTLY
        )
        if announced != "sent":
            log.info("channel %d: an answer was not taken: %s", message.channel.id, announced)


# ---------------------------------------------------------------- by DM


async def _by_dm(said: Message) -> str | Card:
    """Return the answer to words by DM. Raises `Refused`."""
    said.require_short()
    view = await said.view()
    if asks_for_help(said.text):
        return _guide(view)
    own_seat(view)
    if is_answer(said.text):
        return _question(view)
    if instead := counter_in(said.text):
        return _counter(view, instead)
    require_trade(view)
    if not said.text:
        return not_understood(view, in_dm=True)
    sentence = read_sentence(view, said.text)
    if suggestion := sentence.trade.suggestion:
        meant = _draft(view, read_sentence(view, suggestion), None)
        card = ready_card(view, meant)
        question = f"Did you mean “{escape(suggestion)}”?"
        return replace(card, blocks=(question, *card.blocks))
    _require_understood(view, sentence)
    return ready_card(view, _draft(view, sentence, None))


def _guide(view: TableView) -> Card:
    """Return what the viewer can do next. It stays, so it has no menus: in Discord's app nobody
    can choose the same line again.
    """
    card = guide_card(view, {}, room=None, in_dm=True)
    rows = tuple(row for row in card.rows if not isinstance(row, Select))
    return replace(card, blocks=(*card.blocks, "-# **/help** has more to read."), rows=rows)


def _require_understood(view: TableView, sentence: Sentence) -> None:
    """Raise `Refused` for words that were not understood, with an example."""
    refused = sentence.trade.refused
    if refused is not None:
        said = refused.violation
        remedy = f"{said.remedy} For example: {example(view)}".strip()
        raise Refused(said.reason, remedy, options=refused.options, rule=said.rule)


def _question(view: TableView) -> str | Card:
    """Return the question that waits for the viewer, with its buttons; their list if there are
    several.
    """
    items = waiting(view)
    if not items:
        return NOTHING_WAITS
    if len(items) > 1:
        return with_waiting(view, Card("waiting", WHICH_ONE))
    match items[0].button.action:
        case OfferAction(offer=number):
            return offer_card(view, view.offers[number], now=True)
        case RevealPrompt(key=key):
            [prompt] = [each for each in view.prompts if each.key == key]
            return prompt_card(view, prompt)
        case action:
            raise AssertionError(action)


def _counter(view: TableView, text: str) -> str | Card:
    """Return the counter to the offer that waits for the viewer, filled in with what they want
    instead; the list of what waits if there are several. Raises `Refused`.
    """
    actions = [item.button.action for item in waiting(view)]
    numbers = [action.offer for action in actions if isinstance(action, OfferAction)]
    offers = [view.offers[number] for number in numbers]
    offers = [offer for offer in offers if offer.role == "addressed"]
    if len(offers) != 1:
        return _question(view)
    [offer] = offers
    require_trade(view)
    sentence = read_sentence(view, text, other_side(offer))
    _require_understood(view, sentence)
    by_hand = hands_over(view)
    draft = hand_answer_draft(view, offer) if by_hand else answer_draft(offer)
    draft = _instead(view, offer, draft, sentence.trade)
    if sentence.terms or not holds(view, draft):
        raise Refused(
            "That is more than the buttons can hold.",
            f"Type it: {as_command(view, sentence, offer.number)}",
        )
    return ready_card(view, draft)


def _instead(view: TableView, offer: OfferView, draft: OfferDraft, trade: Said) -> OfferDraft:
    """Return a counter with what the viewer says. Goods alone take the place of those of their
    kind, or else of what the viewer would get.
    """
    give, want = trade.give, trade.get
    if trade.plain:
        gives, gets = as_viewer(offer)
        for_own = set(give) & set(gives) and not set(give) & set(gets)
        if not for_own:
            give, want = NOTHING, read_side(view, trade.text, other_side(offer))
    if give:
        draft = replace(draft, give=give, rest=NOTHING)
    return replace(draft, want=want) if want else draft


# ---------------------------------------------------------------- in the channel


async def _in_channel(said: Message) -> str | None:
    """Put **See it** under words in a table's channel, and return None; or return the line that
    says why not, which depends on nothing hidden. Raises `Refused`.
    """
    place = await said.table_here()
    if place is None:
        return None
    view = await said.service.view(place.table_id, said.requester, shared=True)
    said.names = view.names
    if said.by_role:
        return by_role(view)
    if asks_for_help(said.text):
        return HELP_HERE
    seat = own_seat(view)
    said.require_short()
    if is_answer(said.text) or counter_in(said.text):
        return ANSWERS_BY_DM
    if all_hidden(view):
        return BY_DM
    require_trade(view)
    partner = None
    if place.negotiation is not None:  # its two know it, and only they read there
        own = await said.service.view(place.table_id, said.requester)
        talks = own.negotiations.get(place.negotiation)
        partner = talks.partner(seat) if talks else None
    sentence = read_sentence(view, said.text, partner)
    if sentence.trade.refused is not None:
        return not_understood(view, in_dm=False)
    if _is_hidden(view, sentence.trade.give + sentence.trade.get):
        return BY_DM
    draft = _draft(view, sentence, place.negotiation)
    await said.delivery.ask_to_see(view.id, said.message.id, see_it(view, draft))
    return None


def _is_hidden(view: TableView, goods: Goods) -> bool:
    """Return whether goods name cards of a hidden hand."""
    hands = game_of(view).hidden
    if hands is None:
        return False
    moved = goods.without_kind(OWED, PAYS)
    return hands.open(moved) != moved or hands.redact(moved) != moved


async def show_said(request: Request, press: SeeIt) -> None:
    """Handle **See it**: show who wrote the words the offer that they say, and others a
    sentence.
    """
    view = await request.view()
    seat = own_seat(view)
    if view.names.holders.get(seat) != press.person:
        text = f"<person:{press.person}> wrote that to me. You read it here once it is an offer."
        await request.reply(format_text(view, text))
        return
    require_trade(view)
    draft = draft_of(
        view, DraftPress(view.id, "build", press.to, press.negotiation, press.give, press.want)
    )
    if draft is None:
        raise Refused(
            "The player or the goods of this offer are no longer here.", "Write it to me again."
        )
    await request.reply(ready_card(view, draft))


# ---------------------------------------------------------------- both


def _draft(view: TableView, sentence: Sentence, negotiation: int | None) -> OfferDraft:
    """Return the offer that a sentence says. Raises `Refused` for what a draft can't hold, with the
    command that takes all of it.
    """
    trade = sentence.trade
    draft = OfferDraft(trade.to, negotiation or 0, trade.give, trade.get)
    if not trade.give and not trade.get:
        raise Refused("That offers nothing and asks for nothing.", "Name some goods.")
    if sentence.terms or not holds(view, draft):
        what = "Promises" if sentence.terms else "So many goods"
        raise Refused(
            f"{what} are more than the buttons can hold.",
            f"Type it, or choose **Write it…** after /trade: {as_command(view, sentence)}",
        )
    return draft
