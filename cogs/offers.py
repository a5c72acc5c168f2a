"""/offer: posts, alters, counters, accepts and ends offers. The buttons are in
`cogs.offer_buttons`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from discord import Interaction, User, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PauseOffer, PostOffer
from bot.rules.features.offers.signing import EndOffer, HandOver, PickTaker, Sign
from bot.rules.model.goods import Goods
from bot.rules.views import TableView
from bot.show import stock
from bot.show.choices import OfferUse, offers_for
from bot.show.offers import offers_card
from cogs.completion import choices, goods_of_stock, seat_in, spans
from cogs.inputs import own_seat, read_goods, read_span, require_person, seat_of
from cogs.offer_forms import open_answer, open_post
from cogs.offer_replies import execute_offer, execute_posting
from cogs.offer_terms import DESCRIBED, NO_TERMS, Card, When, read_terms
from cogs.request import Request


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Offers(
    commands.GroupCog,
    group_name="offer",
    group_description="Offers: post, alter, counter, accept, list",
):
    """The /offer commands."""

    @app_commands.command(name="post", description="Offer a trade to one player or to everyone")
    @app_commands.rename(lasts="for")
    @app_commands.describe(
        to="Who you offer it to. Leave out for everyone",
        give="What you give, for example: 3 tg, 1 commodity. Leave out both sides to fill in a "
        "form",
        want="What you want, for example: 2 c, ceasefire",
        **DESCRIBED,
        lasts="How long it stays open, for example: 10m",
        hand="Where hands are hidden: the cards you hand over with it, sealed. Only you see them",
        stands="turn: posted ahead, it stands for your next turn, and you are not asked to confirm "
        "it then",
    )
    async def post(
        self,
        interaction: Interaction,
        to: User | None = None,
        give: str | None = None,
        want: str | None = None,
        terms: str | None = None,
        when: When | None = None,
        now: str | None = None,
        card: Card | None = None,
        lasts: str | None = None,
        hand: str | None = None,
        stands: Literal["turn"] | None = None,
    ) -> None:
        """Post an offer. Without goods, open a form for one."""
        request = Request(interaction)
        words = read_terms(terms, when, now, card)
        opens_form = request.accepts_cached = give is None and want is None
        place = await request.place()
        view = await request.view()
        require_person(to)
        if opens_form:
            await open_post(request, view, to.id if to else 0, place.negotiation, words.sides())
            return
        draft = PostOffer(
            give=read_goods(view, give, view.seat),
            want=read_goods(view, want, view.seat_of_user(to.id) if to else None),
            terms=words.later or "",
            terms_now=words.now or "",
            terms_card=bool(words.card),
            lasts=read_span(lasts),
            negotiation=place.negotiation,
            handed=read_goods(view, hand, view.seat) if hand else None,
            stands=stands == "turn",
        )
        if to is not None:
            own_seat(view)  # a person without a seat is told so first
            draft = replace(draft, to=seat_of(view, to))
        await execute_posting(request, draft)

    @app_commands.command(name="alter", description="Change your offer")
    @app_commands.describe(
        offer="Which offer",
        give="What you give instead",
        want="What you want instead",
        **DESCRIBED,
        hand="Where hands are hidden: the cards you hand over with it, sealed. Only you see them",
    )
    async def alter(
        self,
        interaction: Interaction,
        offer: int,
        give: str | None = None,
        want: str | None = None,
        terms: str | None = None,
        when: When | None = None,
        now: str | None = None,
        card: Card | None = None,
        hand: str | None = None,
    ) -> None:
        """Alter an offer. Without changes, open a form for them."""
        request = Request(interaction)
        words = read_terms(terms, when, now, card)
        if give is None and want is None and hand is None and words == NO_TERMS:
            await open_answer(request, offer, alters=True)
            return
        view = await request.view()
        command = AlterOffer(
            offer=offer,
            give=_side(view, give, view.seat),
            want=_side(view, want, _other_side(view, offer)),
            terms=words.later,
            terms_now=words.now,
            terms_card=words.card,
            handed=read_goods(view, hand, view.seat) if hand else None,
        )
        await execute_posting(request, command)

    @app_commands.command(
        name="counter", description="Answer an offer with another, which stands in its place"
    )
    @app_commands.rename(lasts="for")
    @app_commands.describe(
        offer="Which offer",
        give="What you give",
        want="What you want",
        **DESCRIBED,
        lasts="How long it stays open, for example: 10m",
        hand="Where hands are hidden: the cards you hand over with it, sealed. Only you see them",
    )
    async def counter(
        self,
        interaction: Interaction,
        offer: int,
        give: str | None = None,
        want: str | None = None,
        terms: str | None = None,
        when: When | None = None,
        now: str | None = None,
        card: Card | None = None,
        lasts: str | None = None,
        hand: str | None = None,
    ) -> None:
        """Counter an offer. Without goods, open a form. A side left out stays as in the other
        offer.
        """
        request = Request(interaction)
        words = read_terms(terms, when, now, card)
        if give is None and want is None:
            await open_answer(request, offer, words=words)
            return
        view = await request.view()
        command = CounterOffer(
            offer=offer,
            give=_side(view, give, view.seat),
            want=_side(view, want, _other_side(view, offer)),
            terms=words.later or "",
            terms_now=words.now or "",
            terms_card=bool(words.card),
            lasts=read_span(lasts),
            handed=read_goods(view, hand, view.seat) if hand else None,
        )
        await execute_posting(request, command)

    @app_commands.command(name="list", description="The open offers at this table")
    async def list_offers(self, interaction: Interaction) -> None:
        """List the open and suspended offers, those most interesting for the person first."""
        request = Request(interaction)
        card = offers_card(await request.view())
        await request.reply(
            card or "There are no open offers at this table. /offer post makes one."
        )

    @app_commands.command(
        name="accept", description="Accept an offer, as its button Accept or Agree does"
    )
    @app_commands.describe(
        offer="Which offer", gives="What you give, where the offer leaves that to you"
    )
    async def accept(self, interaction: Interaction, offer: int, gives: str | None = None) -> None:
        """Accept an offer at its newest revision."""
        request = Request(interaction)
        view = await request.view()
        chosen = next(iter(read_goods(view, gives, view.seat)), "")
        await execute_offer(request, Sign(offer, gives=chosen))

    @app_commands.command(
        name="hand", description="Hand over cards for an offer, as its Hand over button does"
    )
    @app_commands.describe(
        offer="Which offer", cards="Every card you give, for example: 2 salt, grain"
    )
    async def hand(self, interaction: Interaction, offer: int, cards: str) -> None:
        """Hand over the cards of one side, sealed until the other side hands over too."""
        request = Request(interaction)
        view = await request.view()
        await execute_offer(request, HandOver(offer, read_goods(view, cards, view.seat)))

    @app_commands.command(
        name="pick", description="Pick one of the players who agreed to your offer to everyone"
    )
    @app_commands.describe(offer="Which offer", taker="Who you trade with")
    async def pick(self, interaction: Interaction, offer: int, taker: User) -> None:
        """Pick one of those who accepted an offer to all."""
        request = Request(interaction)
        require_person(taker)
        view = await request.view()
        own_seat(view)  # a person without a seat is told so first
        await execute_offer(request, PickTaker(offer, None, seat_of(view, taker)))

    @app_commands.command(name="decline", description="Decline an offer that was made to you")
    @app_commands.describe(offer="Which offer")
    async def decline(self, interaction: Interaction, offer: int) -> None:
        await execute_offer(Request(interaction), EndOffer(offer, "decline"))

    @app_commands.command(name="withdraw", description="Take back your offer")
    @app_commands.describe(offer="Which offer")
    async def withdraw(self, interaction: Interaction, offer: int) -> None:
        await execute_offer(Request(interaction), EndOffer(offer, "withdraw"))

    @app_commands.command(name="suspend", description="Suspend your offer for a while")
    @app_commands.describe(offer="Which offer")
    async def suspend(self, interaction: Interaction, offer: int) -> None:
        await execute_offer(Request(interaction), PauseOffer(offer, paused=True))

    @app_commands.command(name="resume", description="Open your suspended offer again")
    @app_commands.describe(offer="Which offer")
    async def resume(self, interaction: Interaction, offer: int) -> None:
        await execute_offer(Request(interaction), PauseOffer(offer, paused=False))

    # ---------------------------------------------------------------- autocomplete

    @post.autocomplete("hand")
    @counter.autocomplete("hand")
    @alter.autocomplete("hand")
    @hand.autocomplete("cards")
    @accept.autocomplete("gives")
    async def _hand(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        request = Request(interaction)
        view = await request.view()
        return goods_of_stock(view, stock.in_hand(view, _offer_in(request)), typed)

    @post.autocomplete("give")
    @counter.autocomplete("give")
    @alter.autocomplete("give")
    async def _give(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        request = Request(interaction)
        view = await request.view()
        return goods_of_stock(view, stock.own(view, _partner_in(view, request)), typed)

    @post.autocomplete("want")
    @counter.autocomplete("want")
    @alter.autocomplete("want")
    async def _want(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        request = Request(interaction)
        view = await request.view()
        return goods_of_stock(view, stock.of_others(view, _partner_in(view, request)), typed)

    @post.autocomplete("lasts")
    @counter.autocomplete("lasts")
    async def _spans(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return spans(typed)

    @accept.autocomplete("offer")
    @hand.autocomplete("offer")
    @counter.autocomplete("offer")
    @decline.autocomplete("offer")
    @alter.autocomplete("offer")
    @pick.autocomplete("offer")
    @withdraw.autocomplete("offer")
    @suspend.autocomplete("offer")
    @resume.autocomplete("offer")
    async def _offer(self, interaction: Interaction, typed: int | str) -> list[Choice[int]]:
        view = await Request(interaction).view()
        # a use is called as its command
        what = interaction.command.name if interaction.command else ""
        return choices(offers_for(view, cast(OfferUse, what)), str(typed))


def _side(view: TableView, text: str | None, giver: str | None) -> Goods | None:
    """Parse one side of an offer; None if it was left out. Raises `Refused`."""
    return None if text is None else read_goods(view, text, giver)


def _other_side(view: TableView, number: int) -> str | None:
    """Return the seat on the other side of an offer; None if the offer is unknown or the viewer's
    own to all.
    """
    offer = view.offers.get(number)
    if offer is None:
        return None
    return offer.to if offer.role == "poster" else offer.poster


def _offer_in(request: Request) -> int | None:
    """Return the offer's number in the command being typed; None if it is not filled in."""
    number = request.option("offer")
    return number if isinstance(number, int) else None


def _partner_in(view: TableView, request: Request) -> str | None:
    """Return the seat that the command being typed is for: that of ``to``, or the other side of its
    offer.
    """
    return seat_in(view, request, "to") or _other_side(view, _offer_in(request) or 0)
