"""Whom the viewer can trade with now, and the first step of a new offer: to whom.

`bot.show.drafts` has the second step.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.model.violation import Violation
from bot.rules.model.windows import Pair, pair
from bot.rules.views import PairView, TableView
from bot.show.actions import BoardPress, ChoosePartner, DraftPress, OfferTo
from bot.show.board import new_offer_button
from bot.show.cards import (
    BUTTONS_MAX,
    LABEL_MAX,
    SELECT_MAX,
    Button,
    Card,
    Rows,
    Select,
    buttons_of,
    rows_of,
)
from bot.show.debts import pay_buttons
from bot.show.drafts import UNASKED_MAX, unasked_buttons
from bot.show.goods import all_hidden
from bot.show.menu import with_waiting
from bot.show.names import escape, format_text, game_of, name, plain_player, plain_text, player

# ---------------------------------------------------------------- **Who can I trade with?**

REMEDIES_MAX = 2 * BUTTONS_MAX
"""The most buttons that would let the viewer trade."""


def with_viewer(view: TableView, pairs: Sequence[PairView]) -> dict[str, PairView]:
    """Return the viewer's pair with each other player; players they can trade with now come
    first.
    """
    by_seats: dict[Pair, PairView] = {each.seats: each for each in pairs}
    others = [seat for seat in view.seated() if seat != view.seat]
    found = {seat: by_seats[pair(view.seat or "", seat)] for seat in others}
    return dict(sorted(found.items(), key=lambda each: each[1].why_not is not None))


def partners_now(view: TableView, pairs: Sequence[PairView]) -> list[str]:
    """Return the seats that the viewer can trade with now."""
    return [other for other, each in with_viewer(view, pairs).items() if each.why_not is None]


def partners_card(view: TableView, pairs: Sequence[PairView]) -> Card:
    """Return whom the viewer can trade with now, why not with the others, and buttons that change
    that.

    Without a seat: who can trade with whom.
    """
    if view.seat is None:
        lines = []  # whom each player can trade with now, as far as everybody may know
        for seat in view.seated():
            possible = [each for each in pairs if seat in each.seats and each.why_not is None]
            others = [
                escape(name(view, other))
                for each in possible
                for other in each.seats
                if other != seat
            ]
            listed = ", ".join(others) or "nobody"
            lines.append(f"{'🤝' if others else '⏳'} {player(view, seat)} · {listed}")
        text = "\n".join(lines) or "Nobody sits here yet. **/table sit** takes a seat."
        return Card("open", ("### Who can trade with whom now", text))
    mine = with_viewer(view, pairs)
    if not mine:
        return Card("waiting", ("Nobody else sits here yet. **/table sit** takes a seat.",))
    lines = [
        f"⏳ {player(view, other)} · {format_text(view, why_not_in_short(each.why_not))}"
        if each.why_not is not None
        else f"🤝 {player(view, other)} · now"
        for other, each in mine.items()
    ]
    now = any(each.why_not is None for each in mine.values())
    blocks = ["### Who can you trade with?", "\n".join(lines)]
    if not now:
        blocks.append("-# You can post an offer anyway: it stays open until you two can trade.")
    remedies = buttons_of(
        view, [each.remedy for each in mine.values() if each.remedy is not None][:REMEDIES_MAX]
    )
    rows = (*rows_of(remedies), *(((new_offer_button(view),),) if view.board.trades else ()))
    return with_waiting(view, Card("open" if now else "waiting", tuple(blocks), rows))


def why_not_in_short(why_not: Violation) -> str:
    """Return the reason and its rule, as markup. The remedy is left out, since a button has it."""
    cited = f" [{why_not.rule}]" if why_not.rule else ""
    return f"{why_not.reason.removesuffix('.')}{cited}"


# ---------------------------------------------------------------- a new offer


def new_offer_card(view: TableView, pairs: Sequence[PairView]) -> Card:
    """Ask the viewer whom to trade with: a button for each possible player now, a list of the
    others, everybody.

    The usual trades come first, each posted with one tap.
    """
    mine, now = with_viewer(view, pairs), partners_now(view, pairs)
    later = {other: each for other, each in mine.items() if each.why_not is not None}
    text = ["### New offer · with whom?"]
    if not mine:
        text.append("Nobody else sits here yet. An offer to everyone will wait for them.")
    elif not now:
        text.append("You can't trade with anybody now. Your offer stays open until you can.")
    if no_offer := game_of(view).info.no_offer:
        text.append(f"-# {no_offer}")
    options = []
    for other, each in list(later.items())[:SELECT_MAX]:
        why = plain_text(view, why_not_in_short(each.why_not)) if each.why_not else ""
        options.append((f"{plain_player(view, other)} · {why}", str(user_of(view, other))))
    others = Select("The others, and why not now", ChoosePartner(view.id), tuple(options))
    rows: Rows = (*_people(view, now), *((others,) if options else ()))
    usual = [*pay_buttons(view, now)[:1], *unasked_buttons(view, now)][:UNASKED_MAX]
    if any(isinstance(each.action, DraftPress) for each in usual):
        text.append("-# One tap on a trade posts it. You can withdraw it until they accept.")
    rows = (*rows_of(usual), *rows)
    if view.tracked and not all_hidden(view) and not any(seat.open for seat in view.seats.values()):
        text.append("Nobody has goods yet, so there is little to trade.")
        gains = view.board.gains if view.window.holder in (None, view.seat) else None
        steps = (Button(gains.label, gains.action),) if gains else ()
        rows = ((*steps, Button(view.board.goods, BoardPress(view.id, "goods"))), *rows)
    return with_waiting(view, Card("open" if now else "waiting", ("\n".join(text),), rows))


def _people(view: TableView, now: Sequence[str]) -> Rows:
    """Return a button for each of these players and one for everybody, which comes first if all
    trade with all.
    """
    people = [
        Button(
            plain_player(view, other)[:LABEL_MAX], OfferTo(view.id, user_of(view, other)), "primary"
        )
        for other in now
    ]
    market = not view.pairwise
    everyone = Button("Everyone", OfferTo(view.id, to=0), "primary" if market else "secondary")
    return rows_of([everyone, *people] if market else [*people, everyone])


def user_of(view: TableView, seat: str) -> int:
    """Return the Discord user in a seat; 0 if the person has no user id any more."""
    person = view.names.holder(seat)
    return (person.user_id or 0) if person else 0
