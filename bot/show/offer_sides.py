"""The words of an offer: its two sides and its terms.

A single reader is told what they get and give. An altered offer also shows its sides and terms from
before, until it is answered. The terms say which words bind with the exchange, and which are a
promise; if words never bind in a game, nothing is said about binding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain

from bot.rules.model.goods import Goods
from bot.rules.model.offer import Sides
from bot.rules.model.text import quoted, rules_then
from bot.rules.registry import games
from bot.rules.views import OfferView, TableView
from bot.show.cards import plural, truncate, truncate_list
from bot.show.goods import goods_text, short_goods_text
from bot.show.names import Named, escape, escaped, game_of, name_text, who_plays

# ---------------------------------------------------------------- the two sides

SIDE_MAX, WAS_MAX = 500, 150
"""The most characters of one side of a card, and of its version before."""

EMOJI_MAX = 45
"""Characters of an icon once drawn: an emoji's name and id."""

_ICON = re.compile(r"<icon:[^>]*>")


def reads_alone(view: TableView, offer: OfferView) -> bool:
    """Return whether only one of the offer's two people reads the card, which then says *you* to
    them.
    """
    return offer.role is not None and not view.shared


def other_side(offer: OfferView) -> str | None:
    """Return the seat on the other side of an offer, as its reader sees it; None for the viewer's
    own to all.
    """
    return offer.to if offer.role == "poster" else offer.poster


def as_viewer(offer: OfferView) -> tuple[Goods, Goods]:
    """Return what the viewer, one of its two, gives and gets in an offer."""
    gives, gets = offer.sides.give, offer.sides.want
    return (gives, gets) if offer.role == "poster" else (gets, gives)


def chains(offers: Iterable[OfferView]) -> list[OfferView]:
    """Return the offers of a list that have a line of their own: a counter stands for what it
    answers.

    Counters to an offer to all stand under it.
    """
    live = [offer for offer in offers if offer.live and offer.status != "countered"]
    under = set(chain.from_iterable(offer.links.counters for offer in live))
    return [offer for offer in live if offer.number not in under]


# ---------------------------------------------------------------- who to whom


def title(view: TableView, offer: OfferView) -> str:
    """Return the offer's number and its two people, with what distinguishes it from similar
    offers.
    """
    marks = [
        f"answers {offer.links.parent}" if offer.links.parent and offer.live else "",
        f"revision {offer.revision}" if offer.revision > 1 and offer.live else "",
    ]
    # cards are handed over unseen
    if game_of(view).exchange is not None and offer.exact and not offer.opens:
        marks.append(f"{plural(offer.sides.give.total(), 'card')} for {offer.sides.want.total()}")
    if not reads_alone(view, offer):
        people = (
            f"{who_plays(offer, offer.poster)} → "
            f"{who_plays(offer, offer.to) if offer.to else 'everyone'}"
        )
        return " · ".join([f"Offer {offer.number}", people, *filter(None, marks)])
    other = f"from {who_plays(offer, offer.poster)}{'' if offer.to else ' to everyone'}"
    if offer.role == "poster":
        other = f"to {who_plays(offer, offer.to) if offer.to else 'everyone'}"
    return " · ".join([f"Offer {offer.number} {other}", *filter(None, marks)])


# ---------------------------------------------------------------- what for what


def sides(view: TableView, offer: OfferView) -> list[str]:
    """Return a line for each side; none for a side that an offer which only opens talks leaves
    open.
    """
    before = offer.was
    give, want = offer.sides.give, offer.sides.want
    if reads_alone(view, offer):
        to_giver = game_of(view).goods.to_giver
        mine = offer.role == "poster"
        give, want = (to_giver(give), want) if mine else (give, to_giver(want))
    gives, wants = gives_text(offer, _goods(view, give)), wants_text(offer, _goods(view, want))
    if before is not None:
        gives = _after(view, give, before.give, gives)
        wants = _after(view, want, before.want, wants)
    if reads_alone(view, offer):
        got, given = ("You get", wants), ("You give", gives)
        if offer.role == "addressed":
            got, given = ("You get", gives), ("You give", wants)
        lines = [got, given]
    elif offer.to is None:
        lines = [("Gives", gives), ("Wants", wants)]
    else:
        lines = [
            (f"{escaped(offer, offer.poster)} gives", gives),
            (f"{escaped(offer, offer.to)} gives", wants),
        ]
    if offer.asks_only:
        mine = reads_alone(view, offer) and offer.role == "poster"
        lines = [("You want" if mine else "Wants", wants)]
    elif offer.opens and not offer.sides.want:
        lines = [line for line in lines if line[1] is not wants]
    return [f"{label} {goods}" for label, goods in lines]


def short_sides(view: TableView, offer: OfferView) -> tuple[str, str]:
    """Return what an offer gives and what it wants, abbreviated, as markup."""
    describe = game_of(view).goods.describe_short
    give, want = offer.sides.give, offer.sides.want
    return gives_text(offer, describe(give)), wants_text(offer, describe(want))


def gives_text(offer: OfferView, words: str) -> str:
    """Return what an offer gives, in these words; *a promise* if it gives words alone."""
    return words if offer.sides.give else _promised(offer, offer.poster) or words


def wants_text(offer: OfferView, words: str) -> str:
    """Return what an offer wants, in these words; *a promise* if it wants words alone."""
    return words if offer.sides.want else _promised(offer, offer.to or "") or words


def _promised(offer: OfferView, seat: str) -> str:
    return "a promise" if seat and seat == offer.promised_by else ""


def wanted(offer: OfferView, words: str) -> str:
    """Return what an offer wants, in these words; ``offers`` if it leaves that open."""
    return words if offer.sides.want or not offer.opens else "offers"


def moved(view: TableView, offer: OfferView) -> str:
    """Return what a resolved offer moved, in one line; empty if that was chosen when handing
    over.
    """
    sides = offer.sides
    if game_of(view).exchange is not None or not (sides.give or sides.want):
        return ""
    gives = gives_text(offer, _goods(view, sides.give))
    wants = wants_text(offer, _goods(view, sides.want))
    if reads_alone(view, offer):
        got, gave = (gives, wants) if offer.role == "addressed" else (wants, gives)
        return f"You got {got} · You gave {gave}"
    taker = escaped(offer, offer.to) if offer.to else "the other"
    return f"{escaped(offer, offer.poster)} gave {gives} · {taker} gave {wants}"


def _after(view: TableView, goods: Goods, before: Goods, now: str) -> str:
    """Return a side, whose words are ``now``, after what it was before an alteration."""
    if before == goods:
        return now
    return f"~~{truncate_list(_words(view, before), WAS_MAX)}~~ → {now}"


def _goods(view: TableView, goods: Goods) -> str:
    """Return goods with their icons; without icons if the text would be too long; ? if their game
    is not here.
    """
    if view.game not in games():
        return "?"
    text = short_goods_text(view, goods) if not view.pairwise else goods_text(view, goods)
    if len(_ICON.sub("x" * EMOJI_MAX, text)) <= SIDE_MAX:
        return text
    return f"**{truncate_list(_words(view, goods), SIDE_MAX)}**"


def _words(view: TableView, goods: Goods) -> str:
    return name_text(view, game_of(view).goods.describe_short(goods))


# ---------------------------------------------------------------- the terms

TERMS_WAS_MAX = 80
"""The most characters of terms from before an alteration, before escaping."""


def terms_text(view: TableView, offer: OfferView) -> str:
    """Return the terms for a card, each half with whether it binds and by which rule; empty for
    none.

    For an altered offer, also the terms before.
    """
    sides, was, info = offer.sides, offer.was, game_of(view).info
    worth = f"Now, with the trade: this binds, and must be kept{info.cite('binding')}."
    if sides.terms_card:
        never = "an action card's result can't be promised"
        worth = f"Now, but not binding: {never}{info.cite('card')}."
    said = f"> {escape(sides.terms_now)}"
    now = _half(said, sides.terms_now, was.terms_now if was else "", worth)
    said, of_later = _promise(view, offer), _of_later(view, offer)
    later = _half(said, sides.terms, was.terms if was else "", of_later)
    return "\n".join((*now, *later, *rules_quoted(sides.rules)))


def terms_quote(view: TableView, offer: OfferView) -> str:
    """Return the terms of an offer, as they were written, and who promises those for later; empty
    for none.
    """
    lines = []
    if offer.sides.terms_now:
        lines.append(f"> {escape(offer.sides.terms_now)}")
    if offer.sides.terms:
        lines.append(_promise(view, offer))
    lines += rules_quoted(offer.sides.rules)
    return "\n".join(lines)


def _promise(view: TableView, offer: OfferView) -> str:
    reader = view.seat if reads_alone(view, offer) else None
    return promise_text(offer, offer.sides.terms, offer.promised_by, reader)


def promise_text(named: Named, words: str, seat: str, reader: str | None) -> str:
    """Return what a seat promises, which the seat ``reader`` reads as their own word; a quotation
    where it is not known whose words these are.
    """
    if not seat:
        return f"> {escape(words)}"
    who = "You promise" if seat == reader else f"{escaped(named, seat)} promises"
    return f"> **{who}**: {escape(words)}"


RULES_MAX = 300
"""The most characters of all house rules that a promise names, before escaping."""


def rules_quoted(rules: Mapping[str, str]) -> list[str]:
    """Return a line for each house rule that a promise names, as it was when that was made."""
    lines = []
    for number, words in rules.items():
        short = truncate(words, RULES_MAX // len(rules))
        lines.append(f"-# {number}: “{escape(short)}”")
    return lines


def _half(said: str, words: str, before: str, worth: str) -> list[str]:
    """Return one half of the terms, with its version before if that differs."""
    lines = []
    if before and before != words:
        lines.append(f"> ~~{escape(truncate(before, TERMS_WAS_MAX))}~~")
    if words:
        lines += [said, f"-# {worth}"]
    return lines


def _of_later(view: TableView, offer: OfferView) -> str:
    info = game_of(view).info
    if not info.agreements.deals_bind:
        return info.agreements.terms
    if offer.sides.terms_card:
        return (
            f"Later, and it depends on an action card's result: it binds nobody{info.cite('card')}."
        )
    if offer.sides.terms_now:
        return f"Later: a promise, which binds nobody{info.cite('later')}."
    return f"The trade binds; these words are a promise [{info.rule_number('later')}]."


def terms_sentence(sides: Sides) -> str:
    """Return the terms for a sentence, as markup; empty for none."""
    rules = rules_then(sides.rules)
    if not sides.terms_now:
        return f" Terms: “{quoted(sides.terms)}”{rules}" if sides.terms else ""
    rests = ", depending on an action card" if sides.terms_card else ""
    later = f" Later: “{quoted(sides.terms)}”" if sides.terms else ""
    return f" Terms for now{rests}: “{quoted(sides.terms_now)}”{later}{rules}"


def irrevocable_text(view: TableView) -> str:
    """Return that a trade can't be undone; empty if the table lets two players take one back."""
    game = game_of(view)
    if game.commands.can_take_back(view.settings):
        return ""
    return f"It can't be undone{game.info.cite('irrevocable')}."
