"""The buttons under an offer and the forms they open: accept, counter, alter, suspend, confirm, pick, again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord

from bot.desk import Here, Look, Outcome
from bot.paint import form
from bot.rules.commands import (
    Agree,
    AlterOffer,
    Command,
    CounterOffer,
    Declare,
    EndOffer,
    PauseOffer,
    PickTaker,
    PostOffer,
    Sign,
)
from bot.rules.entries import OfferVoided, Transaction
from bot.rules.goods import NOTHING, Goods
from bot.rules.offer_state import asked, exchange_of, standing, to_confirm
from bot.rules.ruling import Refused, Ruling
from bot.show import names
from bot.show.asks import follow_card
from bot.show.cards import Audience, Button, Card, mends, offer_card, taken_card
from bot.show.forms import Form, offer_form, picked_goods
from bot.show.results import change_text, result_card
from cogs.door import Door, answer, goods, require_seat, submitted
from cogs.hand_overs import HandOvers
from cogs.router import Router

OFFER = r"offer:(?P<table>\d+):(?P<offer>\d+):(?P<revision>\d+)"
FORM = r"form:(?P<table>\d+)"


class OfferButtons:
    """What happens when a button under an offer is pressed, or a form for an offer is sent."""

    def __init__(self, door: Door, router: Router) -> None:
        self._door = door
        self.hands = HandOvers(door, router, self.act)
        router.route(
            rf"{OFFER}:(?P<what>sign|decline|withdraw|suspend|resume|again|agree|alter|counter|show|hand)", self.pressed
        )
        router.route(r"ask:(?P<table>\d+):match:\d+:(?P<offer>\d+):(?P<said>show|sign:\d+)", self.matched)
        router.route(r"board:(?P<table>\d+):offer", self.browsed)
        router.route(rf"{OFFER}:pick:(?P<taker>\w+)", self.picked)
        router.route(r"declare:(?P<table>\d+):(?P<offer>\d+)", self.declared)
        router.route(r"told:(?P<table>\d+):(?P<number>\d+)", self.told)
        router.route(rf"{FORM}:post:(?P<to>\d+):(?P<talks>\d+)", self.sent_post)
        router.route(rf"{FORM}:alter:(?P<offer>\d+):(?P<revision>\d+)", self.sent_alter)
        router.route(rf"{FORM}:counter:(?P<offer>\d+)", self.sent_counter)

    async def pressed(self, interaction: discord.Interaction, table: str, offer: str, revision: str, what: str) -> None:
        """A button under an offer."""
        table_id, number, seen = int(table), int(offer), int(revision)
        match what:
            case "sign":
                await self.sign(interaction, table_id, number, seen)
            case "alter":
                await self.ask_alter(interaction, table_id, number, seen)
            case "counter":
                await self.ask_counter(interaction, table_id, number, seen)
            case "show":
                await self.show(interaction, table_id, number)
            case "hand":
                await self.hands.ask(interaction, table_id, number, seen)
            case "again":
                await self.posted(interaction, lambda here: _again(here, number), table_id=table_id)
            case "agree":
                await self.act(interaction, table_id, lambda here: Agree(by=here.me, offer=number, revision=seen))
            case "suspend" | "resume":
                paused = what == "suspend"
                await self.act(interaction, table_id, lambda here: PauseOffer(by=here.me, offer=number, paused=paused))
            case _:
                how = "decline" if what == "decline" else "withdraw"
                await self.act(
                    interaction,
                    table_id,
                    lambda here: EndOffer.model_validate({"by": here.me, "offer": number, "how": how}),
                )

    async def sign(self, interaction: discord.Interaction, table_id: int, offer: int, revision: int) -> None:
        """**Accept** or **Confirm**. A refusal that somebody could mend at one tap has the button for it."""
        try:
            await self.act(interaction, table_id, lambda here: Sign(by=here.me, offer=offer, revision=revision))
        except Refused as refused:
            look = await self._door.desk.look(table_id)
            seat = look.seat(interaction.user.id)
            buttons = _after_refusal(look, refused.ruling, seat, offer, revision)
            shown = await self._as_it_stands(look, seat, offer, revision)
            if not buttons and shown is None:
                raise
            card = Card("waiting", (f"🚫 {refused.ruling.sentence()}",), (buttons,) if buttons else ())
            await answer(interaction, replace(shown, blocks=(*card.blocks, *shown.blocks)) if shown else card)

    async def _as_it_stands(self, look: Look, seat: str | None, number: int, revision: int) -> Card | None:
        """Who pressed a button of an older revision is shown the newest."""
        offer = look.table.offers.get(number)
        if offer is None or offer.status != "open" or offer.revision == revision or seat is None:
            return None
        return offer_card(look, offer, "addressed") if offer.to in (None, seat) else None

    async def show(self, interaction: discord.Interaction, table_id: int, number: int) -> None:
        """**Show me**, where a DM did not reach one of the two; or an offer to all that was picked out of a list."""
        look = await self._door.desk.look(table_id)
        offer, seat = look.table.offers.get(number), look.seat(interaction.user.id)
        if offer is None or not (offer.known_to(seat) or offer.to is None):
            raise Refused("", "That is for somebody else.", "/offer list shows what stands for you.")
        audience: Audience = "channel" if seat is None else "poster" if seat == offer.seat else "addressed"
        await answer(interaction, offer_card(look, offer, audience, reader=seat))

    async def matched(self, interaction: discord.Interaction, table: str, offer: str, said: str) -> None:
        """Under the word that somebody's offer fits one's own: accept theirs, or look at it."""
        what, _, revision = said.partition(":")
        if what == "show":
            await self.show(interaction, int(table), int(offer))
        else:
            await self.sign(interaction, int(table), int(offer), int(revision))

    async def browsed(self, interaction: discord.Interaction, table: str) -> None:
        """An offer was picked out of the board's list."""
        data: Any = interaction.data
        await self.show(interaction, int(table), int(data["values"][0]))

    async def picked(self, interaction: discord.Interaction, table: str, offer: str, revision: str, taker: str) -> None:
        """Who posted an offer to all picks one of those who accepted it."""
        await self.act(
            interaction,
            int(table),
            lambda here: PickTaker(by=here.me, offer=int(offer), revision=int(revision), taker=taker),
        )

    async def declared(self, interaction: discord.Interaction, table: str, offer: str) -> None:
        """**I do have them**, under the refusal of an offer."""
        outcome = await self._door.do(
            interaction,
            lambda here: Declare(by=here.me, moderator=here.asker.moderator, offer=int(offer)),
            table_id=int(table),
        )
        await answer(interaction, change_text(outcome.after, outcome.entries[-1].entry), public=True)
        await self._door.tell(interaction, outcome)

    async def told(self, interaction: discord.Interaction, table: str, number: str) -> None:
        """**Tell me**: what a transaction means for who asks, where a DM did not reach them."""
        look = await self._door.desk.look(int(table))
        seat = look.seat(interaction.user.id)
        cards: list[Card] = []
        for recorded in await self._door.desk.ledger.read(int(table)):
            entry = recorded.entry
            if isinstance(entry, Transaction) and entry.number == int(number):
                cards = _private_cards(look, entry, seat)
        if not cards:
            raise Refused("", "That is for somebody else.", "/history tells what you may know.")
        for card in cards:
            await answer(interaction, card)

    async def posted(
        self, interaction: discord.Interaction, make: Callable[[Here], Command], *, table_id: int | None = None
    ) -> None:
        """Post, alter or counter: who does it sees the offer with their own buttons, then the others are told."""
        outcome = await self._door.do(interaction, make, table_id=table_id)
        number: int = outcome.entries[0].entry.model_dump()["offer"]
        await answer(interaction, offer_card(outcome.after, outcome.after.table.offers[number], "poster"))
        await self._door.tell(interaction, outcome)

    async def act(
        self, interaction: discord.Interaction, table_id: int | None, make: Callable[[Here], Command]
    ) -> None:
        """Anything else that is done to an offer: say what came of it, then tell the others."""
        outcome = await self._door.do(interaction, make, table_id=table_id)
        number: int = outcome.entries[0].entry.model_dump()["offer"]
        seat = outcome.after.seat(interaction.user.id)
        await answer(interaction, _said(outcome, number, seat, in_dm=interaction.guild_id is None))
        await self._door.tell(interaction, outcome)

    # ---------------------------------------------------------------- forms

    async def ask_post(self, interaction: discord.Interaction, to: discord.User | None, terms: str) -> None:
        """/offer post without goods: a form with what each side has."""
        place = await self._door.place(interaction)
        look = await self._door.desk.look(place.table_id)
        seat = require_seat(look, interaction.user.id)
        if to is not None and to.bot:
            raise Refused("", f"{to.mention} is a bot, and bots don't play.", "Name a person.")
        other = look.seat(to.id) if to else _partner(look, place.negotiation, seat)
        if to is not None and other is None:
            raise Refused("", f"{to.mention} has no seat at this table.", "They can take one with /table sit.")
        if other == seat:
            raise Refused("", "You can't trade with yourself.", "Name another player, or nobody to ask everybody.")
        title = f"An offer to {names.name(look, other)}" if other else "An offer to everybody"
        action = f"form:{look.table_id}:post:{to.id if to else 0}:{place.negotiation or 0}"
        await self._ask(
            interaction,
            offer_form(look, title, action, seat=seat, other=other, give=NOTHING, want=NOTHING, terms=terms),
        )

    async def ask_alter(
        self, interaction: discord.Interaction, table_id: int, number: int, revision: int | None
    ) -> None:
        """The form of one's own offer, as it stands."""
        look, offer, seat = await self._door.stands(interaction, table_id, number, revision)
        if offer.seat != seat:
            raise Refused("", f"Offer #{number} is not yours to alter.", "Counter it instead.")
        action = f"form:{table_id}:alter:{number}:{offer.revision}"
        await self._ask(
            interaction,
            offer_form(
                look, f"Alter offer #{number}", action,
                seat=seat, other=offer.to, give=offer.give, want=offer.want, terms=offer.terms,
            ),
        )  # fmt: skip

    async def ask_counter(
        self, interaction: discord.Interaction, table_id: int, number: int, revision: int | None, terms: str = ""
    ) -> None:
        """The form of an offer in answer, filled with what the other one offers."""
        look, offer, seat = await self._door.stands(interaction, table_id, number, revision)
        if offer.seat == seat:
            raise Refused("", f"Offer #{number} is your own.", "Alter it instead.")
        if offer.to is not None and offer.to != seat:
            raise Refused(
                "", names.tell(look, f"Offer #{number} is for <seat:{offer.to}>."), "You can post one of your own."
            )
        action = f"form:{table_id}:counter:{number}"
        await self._ask(
            interaction,
            offer_form(
                look, f"Counter offer #{number}", action,
                seat=seat, other=offer.seat, give=offer.want, want=offer.give, terms=terms or offer.terms,
            ),
        )  # fmt: skip

    async def sent_post(self, interaction: discord.Interaction, table: str, to: str, talks: str) -> None:
        """The form of a new offer was sent."""

        def make(here: Here) -> PostOffer:
            other = here.look.person(int(to)) if int(to) else None
            sits = here.table.seat_of(other.number) if other else None
            number = int(talks) or None
            partner = _partner(here.look, number, here.look.seat(here.asker.user_id))
            give, want, terms = _filled(interaction, here, sits.id if sits else partner)
            to_person = other.number if other else None
            return PostOffer(by=here.me, to=to_person, give=give, want=want, terms=terms, negotiation=number)

        await self.posted(interaction, make, table_id=int(table))

    async def sent_alter(self, interaction: discord.Interaction, table: str, offer: str, revision: str) -> None:
        """The form of an altered offer was sent."""

        def make(here: Here) -> AlterOffer:
            give, want, terms = _filled(interaction, here, standing(here.table, int(offer)).to)
            return AlterOffer(by=here.me, offer=int(offer), revision=int(revision), give=give, want=want, terms=terms)

        await self.posted(interaction, make, table_id=int(table))

    async def sent_counter(self, interaction: discord.Interaction, table: str, offer: str) -> None:
        """The form of a counter-offer was sent."""

        def make(here: Here) -> CounterOffer:
            give, want, terms = _filled(interaction, here, standing(here.table, int(offer)).seat)
            return CounterOffer(by=here.me, offer=int(offer), give=give, want=want, terms=terms)

        await self.posted(interaction, make, table_id=int(table))

    async def _ask(self, interaction: discord.Interaction, asked: Form) -> None:
        await interaction.response.send_modal(form(asked))


def _private_cards(look: Look, entry: Transaction, seat: str | None) -> list[Card]:
    """What a transaction means for one seat alone; nothing for who took it over since."""
    party = seat in (entry.first, entry.second)
    if party and not look.table.offers[entry.offer].known_to(seat):
        return []
    follows = names.game_of(look).follows(look.table, entry)
    told = [follow_card(look, follow) for follow in follows if follow.seat == seat]
    return [result_card(look, entry, seat or ""), *told] if party else told


def _partner(look: Look, negotiation: int | None, seat: str | None) -> str | None:
    """The other one of a negotiation."""
    talks = look.table.negotiations.get(negotiation or 0)
    if talks is None:
        return None
    return talks.other if seat == talks.seat else talks.seat


def _filled(interaction: discord.Interaction, here: Here, other: str | None) -> tuple[Goods, Goods, str]:
    """What was written and picked in an offer's form: given, wanted, terms. Raises `Refused`."""
    values = submitted(interaction)
    mine = here.look.seat(here.asker.user_id)
    give = goods(here.look, values.get("give", [""])[0], mine) + picked_goods(values.get("give_also", []))
    want = goods(here.look, values.get("want", [""])[0], other) + picked_goods(values.get("want_also", []))
    return give, want, values.get("terms", [""])[0].strip()


def _again(here: Here, number: int) -> PostOffer:
    """The same offer once more, from whichever of the two asks for it."""
    offer = here.table.offers[number]
    seat = here.look.seat(here.asker.user_id)
    if seat is None or not offer.party(seat) or offer.to is None:
        raise Refused("", f"Offer #{number} was between others.", "/offer post makes one of your own.")
    mine = seat == offer.seat
    other = here.table.seats[offer.to if mine else offer.seat].person
    if other is None:
        raise Refused("", "Nobody plays that seat any more.", "/offer post makes a new one.")
    give, want = (offer.give, offer.want) if mine else (offer.want, offer.give)
    talks = here.table.negotiations.get(offer.negotiation or 0)
    private = talks.number if talks and talks.open else None
    if offer.negotiation is not None and private is None:
        raise Refused(
            "", "That was agreed in private, and those negotiations are closed.", "/negotiate open begins new ones."
        )
    return PostOffer(by=here.me, to=other, give=give, want=want, terms=offer.terms, negotiation=private)


def _after_refusal(look: Look, ruling: Ruling, seat: str | None, number: int, revision: int) -> tuple[Button, ...]:
    """What can be done about a refusal: mend it at one tap, or agree for when it is possible."""
    offer = look.table.offers.get(number)
    if offer is None or offer.status != "open" or offer.revision != revision or seat is None:
        return ()
    if offer.to is not None and not offer.party(seat):
        return ()
    later: tuple[Button, ...] = ()
    ahead = exchange_of(look.table) is None and offer.to is not None
    if ruling.rule and not ruling.short and not ruling.lasting and ahead:
        later = (Button("Agree for later", f"offer:{look.table_id}:{number}:{revision}:agree"),)
    return (*mends(look, [ruling], seat, number), *later)


def _said(outcome: Outcome, number: int, seat: str | None, *, in_dm: bool) -> str | Card:
    """What came of it, for who did it."""
    look, offer = outcome.after, outcome.after.table.offers[number]
    for recorded in outcome.entries:
        if isinstance(recorded.entry, Transaction):
            return result_card(look, recorded.entry, seat or recorded.entry.first)
        if isinstance(recorded.entry, OfferVoided):
            return offer_card(look, offer, "poster" if seat == offer.seat else "addressed", reader=seat)
    match outcome.entries[-1].entry.kind:
        case "offer.withdrawn":
            return f"Offer #{number} is withdrawn."
        case "offer.declined":
            return f"You declined offer #{number}."
        case "offer.suspended":
            held_back = f"Offer #{number} is suspended: nobody can accept it until you resume it."
            if not offer.private:
                return held_back
            card = offer_card(look, offer, "poster")
            return replace(card, blocks=(held_back, *card.blocks))
        case "offer.resumed":
            return f"Offer #{number} stands again."
        case "offer.agreed" if not to_confirm(look.table, offer):
            return f"You agree to offer #{number}. That binds nobody; once it is possible, I ask you both to confirm."
    if seat is not None and seat == offer.seat and offer.to is None:
        return f"Your part of offer #{number} is handed over, sealed. Whoever hands over theirs first has the trade."
    if offer.to is None and seat in offer.handed:
        return f"You accept offer #{number}; your cards are sealed with it. {names.mention(look, offer.seat)} picks."
    if offer.to is None:
        accepted = f"You accept offer #{number}. {names.mention(look, offer.seat)} picks one of those who do."
        return accepted if exchange_of(look.table) is None or seat is None else taken_card(look, offer, seat, accepted)
    if seat is not None and seat in asked(look.table, offer) and exchange_of(look.table) is not None:
        if in_dm:
            return f"You agree to offer #{number}. Now hand over, with the card below."
        return offer_card(look, offer, "poster" if seat == offer.seat else "addressed", reader=seat)
    waiting = " and ".join(names.mention(look, waits) for waits in asked(look.table, offer))
    if outcome.entries[-1].entry.kind == "offer.handed":
        waits = waiting or names.mention(look, offer.to if seat == offer.seat else offer.seat)
        return f"Your part of offer #{number} is handed over, sealed. It moves once {waits} has handed over theirs."
    what = "confirm it" if exchange_of(look.table) is None else "hand over"
    return f"You agree to offer #{number}. It waits for {waiting} to {what}; I asked by DM."
