"""Whom the viewer can trade with now, and the first step of a new offer: to whom.

`bot.show.drafts` has the second step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.rules.model.violation import Violation
from bot.rules.model.windows import Pair, pair
from bot.rules.views import PairView, TableView
from bot.show.actions import ChoosePartner, DraftPress, OfferTo
from bot.show.board import board_button, new_offer_button
from bot.show.cards import (
    BUTTONS_MAX,
    Button,
    Card,
    Rows,
    button_rows,
    buttons_of,
    drawn,
    rows_of,
    selects,
)
from bot.show.debts import pay_buttons
from bot.show.drafts import UNASKED_MAX, unasked_buttons
from bot.show.goods import all_hidden
from bot.show.menu import with_waiting
from bot.show.names import escape, format_text, game_of, name, plain_player, plain_text, player

# ---------------------------------------------------------------- **Who can I trade with?**

PEOPLE_MAX = 20
"""The most people who have a button each; more stand in menus, by team."""

REMEDIES_MAX = 2 * BUTTONS_MAX
"""The most buttons that would let the viewer trade."""


def with_viewer(view: TableView, pairs: Sequence[PairView]) -> dict[str, PairView]:
    """Return the viewer's pair with each other player; players they can trade with now come
    first.
    """
    by_seats: dict[Pair, PairView] = {two.seats: two for two in pairs}
    mine = {}
    for other in view.others(view.seat):
        # The pairs are read after the view: somebody may have left in between.
        if (two := by_seats.get(pair(view.seat or "", other))) is not None:
            mine[other] = two
    now_first = sorted(mine, key=lambda other: mine[other].why_not is not None)
    return {other: mine[other] for other in now_first}


def partners_now(view: TableView, pairs: Sequence[PairView]) -> list[str]:
    """Return the seats that the viewer can trade with now."""
    mine = with_viewer(view, pairs)
    return [other for other, two in mine.items() if two.why_not is None]


@drawn
def partners_card(view: TableView, pairs: Sequence[PairView]) -> Card:
    """Return whom the viewer can trade with now, why not with the others, and buttons that change
    that.

    Without a seat: who can trade with whom.
    """
    if view.seat is None:
        text = "\n".join(_whom_with_whom(view, pairs))
        text = text or "Nobody sits here yet. **/table sit** takes a seat."
        return Card("open", ("### Who can trade with whom now", text))
    mine = with_viewer(view, pairs)
    if not mine:
        return Card("waiting", "Nobody else sits here yet. **/table sit** takes a seat.")
    lines, remedies = [], []
    for other, two in mine.items():
        if two.why_not is None:
            lines.append(f"🤝 {player(view, other)} · now")
        else:
            why_not = format_text(view, why_not_in_short(two.why_not))
            lines.append(f"⏳ {player(view, other)} · {why_not}")
        if two.remedy is not None:
            remedies.append(two.remedy)
    blocks = ["### Who can you trade with?", "\n".join(lines)]
    now = bool(partners_now(view, pairs))
    if not now:
        blocks.append("-# You can post an offer anyway: it stays open until you two can trade.")
    more = "an offer to them has the same button"
    rows: Rows = button_rows(buttons_of(view, remedies), REMEDIES_MAX, more)
    if view.board.trades:
        rows = (*rows, (new_offer_button(view),))
    return with_waiting(view, Card("open" if now else "waiting", blocks, rows))


def _whom_with_whom(view: TableView, pairs: Sequence[PairView]) -> list[str]:
    """Return whom each player can trade with now, a line each, as far as everybody may know."""
    lines = []
    for seat in view.seated():
        others = []
        for two in pairs:
            if seat in two.seats and two.why_not is None:
                others += [escape(name(view, other)) for other in two.seats if other != seat]
        sign, listed = ("🤝", ", ".join(others)) if others else ("⏳", "nobody")
        lines.append(f"{sign} {player(view, seat)} · {listed}")
    return lines


def why_not_in_short(why_not: Violation) -> str:
    """Return the reason and its rule, as markup. The remedy is left out, since a button has it."""
    cited = f" [{why_not.rule}]" if why_not.rule else ""
    return f"{why_not.reason.removesuffix('.')}{cited}"


# ---------------------------------------------------------------- a new offer


@drawn
def new_offer_card(view: TableView, pairs: Sequence[PairView]) -> Card:
    """Ask the viewer whom to trade with: a button for each possible player now, a list of the
    others, everybody.

    The usual trades come first, each posted with one tap.
    """
    mine, now = with_viewer(view, pairs), partners_now(view, pairs)
    text = ["### New offer · with whom?"]
    if not mine:
        text.append("Nobody else sits here yet. An offer to everyone will wait for them.")
    elif not now:
        text.append("You can't trade with anybody now. Your offer stays open until you can.")
    no_offer, gains = game_of(view).info.no_offer, view.board.gains
    if no_offer and gains is not None and view.window.holder == view.seat:
        text.append(f"-# {no_offer}")
    usual = [*pay_buttons(view, now)[:1], *unasked_buttons(view, now)][:UNASKED_MAX]
    if any(isinstance(button.action, DraftPress) for button in usual):
        text.append("-# One tap on a trade posts it. You can withdraw it until they accept.")
    many = len(mine) > PEOPLE_MAX
    rows: Rows = (*rows_of(usual), *_people(view, [] if many else now))
    listed = _by_team(view, mine) if many else [other for other in mine if other not in now]
    options, teams = [], {}
    for other in listed:
        why_not, user = mine[other].why_not, str(user_of(view, other))
        why = f" · {plain_text(view, why_not_in_short(why_not))}" if why_not else ""
        options.append((f"{plain_player(view, other)}{why}", user))
        teams[user] = _team(view, other)
    if options:
        what = "With whom?" if many else "Others, and why not now"
        details, more = (teams if any(teams.values()) else None), "/offer post to:"
        rows = (*rows, *selects(what, ChoosePartner(view.id), options, more, details=details))
    setup = game_of(view).setup
    dealt = setup is not None and not setup.goods  # each hand has what it began with
    nobody_has = not dealt and not any(seat.open for seat in view.seats.values())
    if nobody_has and view.tracked and not all_hidden(view):
        text.append("Nobody has goods yet, so there is little to trade.")
        row = [board_button(view, view.board.goods, "goods")]
        gains = view.board.gains
        if gains and view.window.holder in (None, view.seat):
            row.insert(0, Button(gains.label, gains.action))
        rows = (tuple(row), *rows)
    card = Card("open" if now else "waiting", "\n".join(text), rows)
    return with_waiting(view, card)


def _people(view: TableView, now: Sequence[str]) -> Rows:
    """Return a button for each of these players and one for everybody, which comes first if all
    trade with all.
    """
    row = []
    for other in now:
        label = plain_player(view, other)
        to = OfferTo(view.id, user_of(view, other))
        row.append(Button(label, to, "primary"))
    if view.pairwise:
        row.append(Button("Everyone", OfferTo(view.id, to=0)))
    else:
        row.insert(0, Button("Everyone", OfferTo(view.id, to=0), "primary"))
    return rows_of(row)


def _by_team(view: TableView, seats: Iterable[str]) -> list[str]:
    """Return these seats, those of a team together, in the order of the game."""
    order = [option.id for option in game_of(view).seats.every()]
    return sorted(seats, key=lambda seat: (_team(view, seat), order.index(seat)))


def _team(view: TableView, seat: str) -> str:
    option = game_of(view).seats.find(seat)
    return option.group if option else ""


def user_of(view: TableView, seat: str) -> int:
    """Return the Discord user in a seat; 0 if the person has no user id any more."""
    person = view.names.holder(seat)
    return (person.user_id or 0) if person else 0
