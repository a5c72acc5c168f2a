"""The forms to post, alter and counter an offer. A button opens them, or a command without goods."""

from __future__ import annotations

import discord

from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PostOffer
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.show import names
from bot.show.actions import AlterForm, CounterForm, PostForm, TermsKind
from bot.show.forms import offer_form, offer_title
from cogs.answers import answer_to
from cogs.context import CommandContext
from cogs.inputs import own_seat, picked, read_goods, require_person, seat_of_id, submitted
from cogs.offer_replies import execute_offer, posted_card
from cogs.offer_terms import NO_TERMS, Terms
from cogs.router import Router


class OfferForms:
    """Opens the forms, and executes the submitted ones."""

    def __init__(self, context: CommandContext, router: Router) -> None:
        self._context = context
        router.on(PostForm, self.post_submitted)
        router.on(AlterForm, self.alter_submitted)
        router.on(CounterForm, self.counter_submitted)

    # ---------------------------------------------------------------- opening

    async def open_post(
        self,
        interaction: discord.Interaction,
        view: TableView,
        negotiation: int | None,
        to: discord.User | None,
        words: Terms,
    ) -> None:
        """Open the form of a new offer, which lists what each side has. Raises `Refused`."""
        require_person(to)
        kind: TermsKind | None = "card" if words.card else None
        await self._open(interaction, view, to.id if to else 0, negotiation, words, kind)

    async def open_new(
        self, interaction: discord.Interaction, view: TableView, to: int, kind: TermsKind, negotiation: int | None
    ) -> None:
        """Open that form for a Discord user, 0 for everybody, with fields for terms of this kind. Raises `Refused`."""
        await self._open(interaction, view, to, negotiation, Terms(card=kind == "card"), kind)

    async def _open(
        self,
        interaction: discord.Interaction,
        view: TableView,
        to: int,
        negotiation: int | None,
        words: Terms,
        kind: TermsKind | None,
    ) -> None:
        seat = own_seat(view)
        other = seat_of_id(view, to) if to else _partner(view, negotiation)
        if other == seat:
            raise Refused("", "You can't trade with yourself.", "Name another player, or nobody to ask everybody.")
        action = PostForm(view.id, to, negotiation or 0, bool(words.card))
        form = offer_form(
            view, offer_title(view, other), action, other=other, give=NOTHING, want=NOTHING,
            terms=words.later or "", terms_now=words.now or "", kind=kind,
        )  # fmt: skip
        await answer_to(interaction).open(form)

    async def open_alter(
        self, interaction: discord.Interaction, table_id: int, number: int, revision: int | None = None
    ) -> None:
        """Open the form to alter the person's own offer, filled with its goods and terms. Raises `Refused`."""
        view, offer = await self.find_open_offer(interaction, table_id, number, revision)
        if offer.role != "poster":
            raise Refused("", f"Offer {number} is not yours to alter.", "Counter it instead.")
        form = offer_form(
            view, f"Alter offer {number}", AlterForm(table_id, number, offer.revision), other=offer.to,
            give=offer.gives, want=offer.wants, terms=offer.terms or "", terms_now=offer.terms_now or "",
        )  # fmt: skip
        await answer_to(interaction).open(form)

    async def open_counter(
        self,
        interaction: discord.Interaction,
        table_id: int,
        number: int,
        revision: int | None = None,
        words: Terms = NO_TERMS,
    ) -> None:
        """Open the form to counter an offer, filled with that offer's goods and terms. Raises `Refused`."""
        view, offer = await self.find_open_offer(interaction, table_id, number, revision)
        if offer.role == "poster":
            raise Refused("", f"Offer {number} is your own.", "Alter it instead.")
        if offer.role is None:
            reason = names.format_text(view, f"Offer {number} is for <seat:{offer.to}>.")
            raise Refused("", reason, "You can post one of your own.")
        if words == NO_TERMS:
            words = Terms(offer.terms, offer.terms_now, offer.terms_card)
        form = offer_form(
            view, f"Counter offer {number}", CounterForm(table_id, number, bool(words.card)),
            other=offer.poster, give=offer.wants, want=offer.gives, terms=words.later or "", terms_now=words.now or "",
        )  # fmt: skip
        await answer_to(interaction).open(form)

    async def find_open_offer(
        self, interaction: discord.Interaction, table_id: int, number: int, revision: int | None
    ) -> tuple[TableView, OfferView]:
        """Return the table and one of its open offers, for a person with a seat.

        ``revision`` is the button's, or None for a command. Raises `Refused`, also for an older revision.
        """
        view = await self._context.view(interaction, table_id, from_memory=True)
        offer = view.offers.get(number)
        if offer is None or offer.status != "open":
            # An alteration without changes is always refused, with a reason that says what became of the offer.
            await self._context.execute(interaction, AlterOffer(number), table_id=table_id)
            raise Refused("", f"There is no offer {number} at this table.", "/offer list shows those that stand.")
        if revision is not None and revision != offer.revision:
            raise Refused("", f"Offer {number} has been altered since.", "Look at it as it stands now.")
        own_seat(view)
        return view, offer

    # ---------------------------------------------------------------- submitted

    async def post_submitted(self, interaction: discord.Interaction, form: PostForm) -> None:
        view = await self._context.view(interaction, form.table)
        negotiation = form.negotiation or None
        to = seat_of_id(view, form.to) if form.to else None
        give, want, terms, now = _filled(interaction, view, to or _partner(view, negotiation))
        command = PostOffer(
            to=to, give=give, want=want, terms=terms, terms_now=now, terms_card=form.card and bool(terms or now),
            negotiation=negotiation,
        )  # fmt: skip
        await execute_offer(self._context, interaction, command, posted_card, table_id=form.table)

    async def alter_submitted(self, interaction: discord.Interaction, form: AlterForm) -> None:
        view = await self._context.view(interaction, form.table)
        offer = view.offers.get(form.offer)
        give, want, terms, now = _filled(interaction, view, offer.to if offer else None)
        command = AlterOffer(form.offer, form.revision, give=give, want=want, terms=terms, terms_now=now)
        await execute_offer(self._context, interaction, command, posted_card, table_id=form.table)

    async def counter_submitted(self, interaction: discord.Interaction, form: CounterForm) -> None:
        view = await self._context.view(interaction, form.table)
        offer = view.offers.get(form.offer)
        give, want, terms, now = _filled(interaction, view, offer.poster if offer else None)
        card = form.card and bool(terms or now)
        command = CounterOffer(form.offer, give=give, want=want, terms=terms, terms_now=now, terms_card=card)
        await execute_offer(self._context, interaction, command, posted_card, table_id=form.table)


def _partner(view: TableView, negotiation: int | None) -> str | None:
    """Return the viewer's partner in a negotiation; None if there is none."""
    talks = view.negotiations.get(negotiation or 0)
    return talks.partner(view.seat) if talks and view.seat else None


def _filled(interaction: discord.Interaction, view: TableView, other: str | None) -> tuple[Goods, Goods, str, str]:
    """Return the goods given, goods wanted, terms for later and terms for now of a submitted form. Raises `Refused`."""
    values = submitted(interaction)

    def side(field: str, giver: str | None) -> Goods:
        typed, also = values.get(field, [""])[0], values.get(f"{field}_also", [])
        return read_goods(view, typed, giver) + picked(view, also)

    terms, now = (values.get(field, [""])[0].strip() for field in ("terms", "terms_now"))
    return side("give", view.seat), side("want", other), terms, now
