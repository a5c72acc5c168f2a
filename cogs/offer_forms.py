"""The forms of an offer: opened by a command or a button without goods, and what is done when they are sent."""

from __future__ import annotations

import discord

from bot.delivery.render import render_form
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.violation import Refused
from bot.rules.offers.commands import AlterOffer, CounterOffer, PostOffer
from bot.rules.views import OfferView, TableView
from bot.show import names
from bot.show.actions import AlterForm, CounterForm, PostForm
from bot.show.forms import offer_form, picked_goods
from cogs.context import CommandContext
from cogs.inputs import own_seat, read_goods, seat_of, seat_of_id, submitted
from cogs.offer_replies import OfferReplies
from cogs.router import Router


class OfferForms:
    """Opens the forms, filled with what is known, and takes what is sent."""

    def __init__(self, context: CommandContext, router: Router, replies: OfferReplies) -> None:
        self._context = context
        self._replies = replies
        router.on(PostForm, self.sent_post)
        router.on(AlterForm, self.sent_alter)
        router.on(CounterForm, self.sent_counter)

    # ---------------------------------------------------------------- opening

    async def ask_post(
        self,
        interaction: discord.Interaction,
        view: TableView,
        negotiation: int | None,
        to: discord.User | None,
        terms: str,
    ) -> None:
        """/offer post without goods: a form with what each side has."""
        seat = own_seat(view)
        other = seat_of(view, to) if to else _partner(view, negotiation)
        if other == seat:
            raise Refused("", "You can't trade with yourself.", "Name another player, or nobody to ask everybody.")
        title = f"An offer to {names.name(view, other)}" if other else "An offer to everybody"
        action = PostForm(view.id, to.id if to else 0, negotiation or 0)
        form = offer_form(view, title, action, other=other, give=NOTHING, want=NOTHING, terms=terms)
        await interaction.response.send_modal(render_form(form))

    async def ask_alter(
        self, interaction: discord.Interaction, table_id: int, number: int, revision: int | None = None
    ) -> None:
        """The form of the presser's own offer, filled with how it stands."""
        view, offer = await self.standing(interaction, table_id, number, revision)
        if offer.role != "poster":
            raise Refused("", f"Offer #{number} is not yours to alter.", "Counter it instead.")
        form = offer_form(
            view, f"Alter offer #{number}", AlterForm(table_id, number, offer.revision), other=offer.to,
            give=offer.gives, want=offer.wants, terms=offer.terms or "",
        )  # fmt: skip
        await interaction.response.send_modal(render_form(form))

    async def ask_counter(
        self,
        interaction: discord.Interaction,
        table_id: int,
        number: int,
        revision: int | None = None,
        terms: str = "",
    ) -> None:
        """The form of an offer in answer, filled with what the other one offers."""
        view, offer = await self.standing(interaction, table_id, number, revision)
        if offer.role == "poster":
            raise Refused("", f"Offer #{number} is your own.", "Alter it instead.")
        if offer.role is None:
            reason = names.format_text(view, f"Offer #{number} is for <seat:{offer.to}>.")
            raise Refused("", reason, "You can post one of your own.")
        form = offer_form(
            view, f"Counter offer #{number}", CounterForm(table_id, number), other=offer.poster,
            give=offer.wants, want=offer.gives, terms=terms or offer.terms or "",
        )  # fmt: skip
        await interaction.response.send_modal(render_form(form))

    async def standing(
        self, interaction: discord.Interaction, table_id: int, number: int, revision: int | None
    ) -> tuple[TableView, OfferView]:
        """Return the open offer that a form is to be about, at a table where the presser sits.

        Raises `Refused`, also for a button of an older revision.
        """
        view = await self._context.view(interaction, table_id)
        offer = view.offers.get(number)
        if offer is None or offer.status != "open":
            # Altering nothing is always refused; the rules then say what became of the offer.
            await self._context.execute(interaction, AlterOffer(number), table_id=table_id)
            raise Refused("", f"There is no offer #{number} at this table.", "/offer list shows those that stand.")
        if revision is not None and revision != offer.revision:
            raise Refused("", f"Offer #{number} has been altered since.", "Look at it as it stands now.")
        own_seat(view)
        return view, offer

    # ---------------------------------------------------------------- sent

    async def sent_post(self, interaction: discord.Interaction, form: PostForm) -> None:
        """The form of a new offer was sent."""
        view = await self._context.view(interaction, form.table)
        negotiation = form.negotiation or None
        to = seat_of_id(view, form.to) if form.to else None
        give, want, terms = _filled(interaction, view, to or _partner(view, negotiation))
        command = PostOffer(to=to, give=give, want=want, terms=terms, negotiation=negotiation)
        await self._replies.posted(interaction, command, table_id=form.table)

    async def sent_alter(self, interaction: discord.Interaction, form: AlterForm) -> None:
        """The form of an altered offer was sent."""
        view = await self._context.view(interaction, form.table)
        offer = view.offers.get(form.offer)
        give, want, terms = _filled(interaction, view, offer.to if offer else None)
        command = AlterOffer(form.offer, form.revision, give=give, want=want, terms=terms)
        await self._replies.posted(interaction, command, table_id=form.table)

    async def sent_counter(self, interaction: discord.Interaction, form: CounterForm) -> None:
        """The form of a counter-offer was sent."""
        view = await self._context.view(interaction, form.table)
        offer = view.offers.get(form.offer)
        give, want, terms = _filled(interaction, view, offer.poster if offer else None)
        command = CounterOffer(form.offer, give=give, want=want, terms=terms)
        await self._replies.posted(interaction, command, table_id=form.table)


def _partner(view: TableView, negotiation: int | None) -> str | None:
    """Return the other one of a negotiation of the person who acts."""
    talks = view.negotiations.get(negotiation or 0)
    return talks.partner(view.seat) if talks and view.seat else None


def _filled(interaction: discord.Interaction, view: TableView, other: str | None) -> tuple[Goods, Goods, str]:
    """Return what was written and picked in an offer's form: given, wanted, terms. Raises `Refused`."""
    values = submitted(interaction)

    def side(field: str, giver: str | None) -> Goods:
        typed, picked = values.get(field, [""])[0], values.get(f"{field}_also", [])
        return read_goods(view, typed, giver) + picked_goods(picked)

    return side("give", view.seat), side("want", other), values.get("terms", [""])[0].strip()
