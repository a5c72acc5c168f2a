"""The first step of a new offer: to whom, and with which kind of terms. `bot.show.forms` has the second, the form."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.views import PairView, TableView
from bot.show.actions import ChoosePartner, ChooseTerms, OfferTo, TermsKind
from bot.show.cards import LABEL_MAX, SELECT_MAX, Button, Card, Rows, Select, rows_of
from bot.show.forms import OPTION_MAX
from bot.show.names import game_of, plain_player, plain_text
from bot.show.partners import why_not_in_short, with_viewer
from bot.show.waiting import with_waiting

EVERYBODY = 0
"""In place of a user's id: offer to everybody."""


def new_offer_card(view: TableView, pairs: Sequence[PairView], terms: TermsKind = "later") -> Card:
    """Ask the viewer whom to trade with: a button for each possible player now, a list of the others, everybody.

    A choice opens the form; nothing is offered yet. If words can bind, the kind of terms is chosen here.
    """
    mine = with_viewer(view, pairs)
    now = [other for other, each in mine.items() if each.why_not is None]
    later = {other: each for other, each in mine.items() if each.why_not is not None}
    text = ["### New offer · with whom?"]
    if not mine:
        text.append("Nobody else sits here yet. An offer to everyone waits for them.")
    elif not now:
        text.append("You can trade with nobody now. What you offer stands until you may.")
    rows = (*_people(view, now, terms), *_others(view, later, terms), *_kinds(view, terms))
    return with_waiting(view, Card("open" if now else "waiting", ("\n".join(text),), rows))


def _people(view: TableView, now: Sequence[str], terms: TermsKind) -> Rows:
    """Return a button for each of these players and one for everybody, which comes first if all trade with all."""
    people = [
        Button(plain_player(view, other)[:LABEL_MAX], OfferTo(view.id, user_of(view, other), terms), "primary")
        for other in now
    ]
    market = not view.pairwise
    everyone = Button("Everyone", OfferTo(view.id, EVERYBODY, terms), "primary" if market else "secondary")
    return rows_of([everyone, *people] if market else [*people, everyone])


def _others(view: TableView, later: dict[str, PairView], terms: TermsKind) -> Rows:
    """Return a select of the players that the viewer can't trade with now, each with the reason."""
    options = []
    for other, each in list(later.items())[:SELECT_MAX]:
        why = plain_text(view, why_not_in_short(each.why_not)) if each.why_not else ""
        options.append((_cut(f"{plain_player(view, other)} · {why}"), str(user_of(view, other))))
    return (Select("The others, and why not now", ChoosePartner(view.id, terms), tuple(options)),) if options else ()


def _kinds(view: TableView, terms: TermsKind) -> Rows:
    """Return the choice of the kind of terms, if words can bind."""
    info = game_of(view).info
    if not info.agreements.deals_bind:
        return ()
    binds, later, card = (info.cite(topic) for topic in ("binding", "later", "card"))
    kinds: dict[TermsKind, str] = {
        "later": f"Terms, if any: a promise for later{later}",
        "now": f"Terms done now, with the trade: they bind{binds}",
        "both": f"Terms done now{binds}, and a promise for later{later}",
        "card": f"Terms that rest on an action card's result{card}",
    }
    options = tuple((_cut(label), kind) for kind, label in kinds.items())
    return (Select("What kind of offer?", ChooseTerms(view.id), options, chosen=(terms,)),)


def user_of(view: TableView, seat: str) -> int:
    """Return the Discord user in a seat; 0 if the person has no user id any more."""
    person = view.names.holder(seat)
    return (person.user_id or 0) if person else 0


def _cut(label: str) -> str:
    return label if len(label) <= OPTION_MAX else f"{label[: OPTION_MAX - 1]}…"
