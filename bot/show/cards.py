"""Cards: an offer as people see it, and the buttons under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.desk import Look
from bot.rules.goods import Goods
from bot.rules.offer_state import (
    asked,
    both_agree,
    exchange_of,
    forbidding,
    rulings,
    takers,
    to_confirm,
    to_hand_over,
    trade_of,
)
from bot.rules.ruling import Ruling
from bot.rules.table import Offer
from bot.show import names
from bot.show.pictures import Picture

Style = Literal["primary", "secondary", "success", "danger"]
Mood = Literal["open", "waiting", "done", "over"]
Audience = Literal["channel", "poster", "addressed"]


@dataclass(frozen=True)
class Button:
    """``action`` is what the router reads when it is pressed; at most 100 characters."""

    label: str
    action: str
    style: Style = "secondary"


@dataclass(frozen=True)
class Select:
    """A choice out of a list of (label, value); at most 25. ``most``: how many may be chosen. ``chosen`` are the values
    that are chosen already.
    """

    placeholder: str
    action: str
    options: tuple[tuple[str, str], ...]
    most: int = 1
    chosen: tuple[str, ...] = ()


Rows = tuple[tuple[Button, ...] | Select, ...]
"""What stands under a card: rows of buttons, or a choice."""


@dataclass(frozen=True)
class Card:
    """A message of text blocks, read top to bottom, with rows of buttons or a choice under them.

    A picture stands below the text. It never says more than its own words and the blocks do.
    """

    mood: Mood
    blocks: tuple[str, ...]
    rows: Rows = ()
    picture: Picture | None = None


def offer_card(
    look: Look, offer: Offer, audience: Audience = "channel", *, overheard: bool = False, reader: str | None = None
) -> Card:
    """An offer: who gives what for what, its terms, whether it is legal now, and what the reader may press.

    The channel's card is for everybody; a card sent to one person has only that person's buttons. ``overheard``: it is
    for one person, but others will read it, so it tells no more than the channel's. ``reader`` is who reads an offer
    to all as if it were to them.
    """
    if audience == "channel" and not names.game_of(look).pairs:
        return _market_card(look, offer)
    public = overheard or audience == "channel"
    blocks = [_title(look, offer), *_sides(look, offer, known=not public)]
    if offer.terms and not (public and offer.private and offer.negotiation is None):
        promise = f"The trade binds; these words are a promise{names.game_of(look).cite('later')}."
        blocks.append(f"> {names.escape(offer.terms)}\n-# {promise}")
    seat = None if public else reader or {"poster": offer.seat, "addressed": offer.to, "channel": None}[audience]
    if seat is not None:
        blocks += _for_one(look, offer, seat)
    found = seen_rulings(look, offer, seat) if offer.status == "open" else []
    blocks.append(_state(look, offer, found, seat))
    rows: Rows = _buttons(look, offer, audience, found)
    if seat is not None and seat in to_hand_over(look.table, offer):
        rows = (*hand_rows(look, offer, seat), *rows)
    return Card(_mood(offer, found), tuple(blocks), rows)


def _market_card(look: Look, offer: Offer) -> Card:
    """An offer for everybody in a crowded market, as small as it goes: several have to fit on a phone."""
    game = names.game_of(look)
    tell = game.short_goods or game.tell_goods
    shown = (goods if offer.to is None else game.masked(goods) for goods in (offer.give, offer.want))
    give, want = (names.tell(look, tell(goods)) for goods in shown)
    asks = asks_only(look, offer) and offer.to is None
    sides = f"asks for **{want}**" if asks else f"gives **{give}** for **{want}**"
    terms = f"\n> {names.escape(offer.terms)}" if offer.terms and not offer.private else ""
    found = seen_rulings(look, offer, None) if offer.status == "open" else []
    blocks = (f"{_title(look, offer)}\n{sides}{terms}", _state(look, offer, found, None))
    return Card(_mood(offer, found), blocks, _buttons(look, offer, "channel", found))


def _for_one(look: Look, offer: Offer, seat: str) -> list[str]:
    """What an offer means for one seat alone, where hands are hidden: what it has handed over, what it would have."""
    exchange = exchange_of(look.table)
    if exchange is None or offer.status not in ("open", "suspended"):
        return []
    lines = []
    if (handed := offer.handed.get(seat)) is not None:
        told = names.tell(look, names.game_of(look).tell_goods(handed))
        lines.append(f"🔒 You have handed over **{told}**. It moves when the other's part is there too.")
    lines += [names.tell(look, line) for line in exchange.tells(look.table, offer, seat)]
    if seat in to_hand_over(look.table, offer):
        lines.append(_to_choose(look, exchange.named(promised := trade_of(offer, seat).gives(seat)), promised.total()))
    return ["\n".join(lines)] if lines else []


def _to_choose(look: Look, named: Goods, many: int) -> str:
    picked = names.tell(look, names.game_of(look).tell_goods(named))
    free = many - named.total()
    rest = f", {'one more is' if free == 1 else f'{free} more are'} up to you" if free else ""
    return f"👉 **Choose {many} cards**: {picked}, as named{rest}."


SELECT_MOST = 25
"""Discord's limit for the options of one choice."""


def hand_options(look: Look, offer: Offer, seat: str) -> list[tuple[str, str, bool]]:
    """What this seat could hand over, card by card, as (label, value, chosen already): the named ones are chosen."""
    exchange = exchange_of(look.table)
    if exchange is None:
        return []
    chosen = offer.handed.get(seat) or exchange.named(trade_of(offer, seat).gives(seat))
    options = card_options(look, exchange.hand(look.table, seat), chosen)
    return sorted(options, key=lambda option: (not option[2], option[0]))


def card_options(look: Look, cards: Goods, chosen: Goods) -> list[tuple[str, str, bool]]:
    """Each of these cards to pick, as (label, value, chosen already); the value tells copies of one apart."""
    tell = names.game_of(look).tell_card
    return [
        (names.plain(look, tell(token)), f"{token}#{copy}", copy <= chosen.count(token))
        for token, held in cards.items()
        for copy in range(1, held + 1)
    ]


def hand_rows(look: Look, offer: Offer, seat: str) -> Rows:
    """The choice of what to hand over, for one seat alone; more than fits into one is chosen in the form."""
    options = hand_options(look, offer, seat)
    if not 1 <= len(options) <= SELECT_MOST:
        return ()
    action = f"hand:{look.table_id}:{offer.number}:{offer.revision}"
    return (
        Select(
            HAND_OVER, action, tuple((label, value) for label, value, _ in options), len(options),
            tuple(value for _, value, chosen in options if chosen),
        ),
    )  # fmt: skip


def taken_card(look: Look, offer: Offer, seat: str, accepted: str) -> Card:
    """For who has accepted an offer to all: to be quick, they may hand over at once."""
    card = offer_card(look, offer, "addressed", reader=seat)
    button = Button(HAND_OVER, f"offer:{look.table_id}:{offer.number}:{offer.revision}:hand", "success")
    quick = f"{accepted} Hand over now, and it is done at once if {names.mention(look, offer.seat)} has done so too."
    return Card(card.mood, (quick, *card.blocks), (*hand_rows(look, offer, seat), (button,)))


HAND_OVER, ACCEPT_AND_HAND_OVER = "Hand over", "Accept and hand over"
"""The name of the choice, and of the button for it; and of the one that does both at once."""


def private_offer_card(look: Look, offer: Offer) -> Card:
    """In place of a DM that somebody does not take, where there is no thread either: that something is there."""
    button = Button("Show me", f"offer:{look.table_id}:{offer.number}:{offer.revision}:show", "primary")
    return Card("waiting", ("There is something private for you.", f"-# {names.escape(look.table.name)}"), ((button,),))


def missed_card(look: Look, offer: Offer) -> Card:
    """Told to those who accepted an offer to all, when its poster picked somebody else."""
    told = f"Offer #{offer.number} went to somebody else. Thank you for your answer."
    return Card("over", (told, f"-# {names.escape(look.table.name)}"))


def offer_line(look: Look, offer: Offer, viewer: str | None) -> str:
    """An offer in one line of plain text, for the seat that reads it: ``#3 alice: 3 tg for 2 commodities (to bob)``."""
    crowd = not names.game_of(look).pairs
    to = f" (to {names.typed(names.name(look, offer.to))})" if offer.to else "" if crowd else " (to all)"
    known = viewer is not None and offer.known_to(viewer)
    game, shown = names.game_of(look), known or offer.to is None
    tell = game.short_goods or game.tell_goods
    give, want = (tell(goods if shown else game.masked(goods)) for goods in (offer.give, offer.want))
    asks = asks_only(look, offer) and shown
    told = f"asks for {want}" if asks else f"{give} for {want}"
    return names.plain(look, f"#{offer.number} {names.typed(names.name(look, offer.seat))}: {told}{to}")


def seen_rulings(look: Look, offer: Offer, seat: str | None) -> list[Ruling]:
    """Why this offer is not legal now, as far as this seat may know it; None is everybody."""
    found = forbidding(look.table, trade_of(offer))
    return [ruling for ruling in found if not ruling.known_to or ruling.known_to == seat]


def _title(look: Look, offer: Offer) -> str:
    to = names.mention(look, offer.to) if offer.to else "everybody"
    answers = f" · answers #{offer.parent}" if offer.parent else ""
    return f"### Offer #{offer.number} · {names.mention(look, offer.seat)} to {to}{answers}"


def asks_only(look: Look, offer: Offer) -> bool:
    """Whether this only asks for something and waits for offers, in a game where that is no offer yet."""
    return not offer.give and names.game_of(look).exchange is not None


def _sides(look: Look, offer: Offer, *, known: bool) -> list[str]:
    if asks_only(look, offer) and (known or offer.to is None):
        asked = names.tell(look, names.game_of(look).tell_goods(offer.want))
        return [f"{names.player(look, offer.seat)} asks for **{asked}**"]
    taker = names.player(look, offer.to) if offer.to else "Whoever takes it up"
    return [
        f"{names.player(look, offer.seat)} gives **{names.tell(look, _goods(look, offer.give, offer, known))}**",
        f"{taker} gives **{names.tell(look, _goods(look, offer.want, offer, known))}**",
    ]


def _goods(look: Look, goods: Goods, offer: Offer, known: bool) -> str:
    """Goods in words: to the two they are between as they are, to others with what is secret left open."""
    game = names.game_of(look)
    return game.tell_goods(goods if known or offer.to is None else game.masked(goods))


def _state(look: Look, offer: Offer, found: Sequence[Ruling], seat: str | None) -> str:
    """Legal now, or why not; or how it ended. With the revision, so that no look-alike can pass for it."""
    small = f"-# Offer #{offer.number}, revision {offer.revision} · {names.escape(look.table.name)}"
    return f"{_how(look, offer, found, seat)}\n{small}"


def _how(look: Look, offer: Offer, found: Sequence[Ruling], seat: str | None) -> str:
    match offer.status:
        case "resolved":
            undone = f"It can't be undone{names.game_of(look).cite('irrevocable')}."
            return f"✅ **Done: transaction {offer.transaction}.** {undone}"
        case "declined":
            return f"✖️ **Declined** by {names.mention(look, offer.to or offer.seat)}."
        case "withdrawn":
            return f"✖️ **Withdrawn** by {names.mention(look, offer.seat)}."
        case "expired":
            return "✖️ **Its time is up.**"
        case "void":
            because = names.tell(look, offer.reasons.get(seat or "", ""))
            return f"✖️ **No longer possible.** {because}".strip()
        case "suspended":
            return f"⏸️ **Suspended** by {names.mention(look, offer.seat)}."
    ends = f" It ends <t:{offer.until // 1000}:R>." if offer.until else ""
    agreed = "🤝 **Agreed** by both, binding nobody yet. " if both_agree(offer) else ""
    if asks_only(look, offer) and found and not found[0].at_once:
        return f"🔎 **Wanted.** Answer with an offer: **Counter**.{ends}"
    if found:
        return f"{agreed}⏳ **Not now.** {names.tell(look, found[0].sentence())}{ends}"
    if waiting := to_confirm(look.table, offer):
        who = " and ".join(names.mention(look, each) for each in waiting)
        return f"{agreed}Waits for {who} to confirm it.{ends}"
    if waiting := to_hand_over(look.table, offer):
        who = " and ".join(names.mention(look, each) for each in waiting)
        return f"🤝 **Agreed.** Waits for {who} to hand over.{ends}"
    if taken := takers(look.table, offer):
        who = ", ".join(names.mention(look, each) for each in taken)
        return f"🟢 **Accepted** by {who}. {names.mention(look, offer.seat)} picks one.{ends}"
    if against := [ruling for ruling in rulings(look.table, trade_of(offer)) if not ruling.known_to]:
        return f"⚠️ **Possible here**, though against [{against[0].rule}]: this table only warns.{ends}"
    return f"🟢 **Possible now.**{ends}"


def _mood(offer: Offer, found: Sequence[Ruling]) -> Mood:
    if offer.status == "resolved":
        return "done"
    if offer.status == "suspended" or (offer.status == "open" and found):
        return "waiting"
    return "open" if offer.status == "open" else "over"


def _buttons(look: Look, offer: Offer, audience: Audience, found: Sequence[Ruling]) -> tuple[tuple[Button, ...], ...]:
    def button(label: str, what: str, style: Style = "secondary") -> Button:
        return Button(label, f"offer:{look.table_id}:{offer.number}:{offer.revision}:{what}", style)

    withdraw, alter = button("Withdraw", "withdraw", "danger"), button("Alter", "alter")
    again = (button("Again", "again", "primary"),)
    if offer.status == "resolved":
        crowd = audience == "channel" and not names.game_of(look).pairs
        return () if crowd else (again,)
    if offer.status == "suspended":
        return () if audience == "addressed" else ((button("Resume", "resume", "primary"), withdraw),)
    if offer.status != "open":
        return ()
    # Grey while it would be refused; it can still be pressed, and then says why not.
    accept = button("Accept", "sign", "secondary" if found else "success")
    by_hand = exchange_of(look.table) is not None
    early = by_hand and not found
    at_once = (button(ACCEPT_AND_HAND_OVER, "hand"),) if early and audience != "channel" else ()
    prepare = (button(HAND_OVER, "hand"),) if early and audience == "poster" else ()
    theirs = (accept, button("Counter", "counter"), *((button("Decline", "decline"),) if offer.to else ()), *at_once)
    own = (alter, button("Suspend", "suspend"), withdraw, *prepare)
    seat = {"poster": offer.seat, "addressed": offer.to, "channel": None}[audience]
    back_out = button("Back out", "withdraw" if audience == "poster" else "decline")
    if seat is not None and seat in asked(look.table, offer):
        act = button(HAND_OVER, "hand", "success") if by_hand else button("Confirm", "sign", "success")
        return ((act, back_out),)
    if to_hand_over(look.table, offer):  # the other's part is still to come
        return () if audience == "channel" else ((button("Choose again", "hand"), back_out),)
    if offer.private and audience == "channel" and names.game_of(look).private_offers:
        return ((button("Show me", "show", "primary"),),)
    match audience:
        case "channel":  # in a crowded market everybody's card has no room for one person's buttons
            return (theirs, own) if names.game_of(look).pairs else (theirs,)
        case "addressed":
            return (theirs,)
        case "poster":
            picks = tuple(
                button(f"Trade with {names.name(look, taker)}"[:80], f"pick:{taker}", "success")
                for taker in takers(look.table, offer)
            )
            return tuple(
                row for row in (picks[:5], picks[5:10], (*own, *mends(look, found, offer.seat, offer.number))) if row
            )


def mends(look: Look, found: Sequence[Ruling], seat: str | None, offer: int) -> tuple[Button, ...]:
    """What this seat could say at one tap to mend the first of these rulings, where the host lets players say so."""
    settings = look.table.settings
    for ruling in found[:1]:
        if ruling.mend == "neighbors" and settings.declare_neighbors == "players" and seat:
            return (Button("We are neighbours now", f"claim:{look.table_id}:{offer}", "primary"),)
        if ruling.mend == "holdings" and settings.declare_holdings == "players" and seat == ruling.about:
            return (Button("I do have them", f"declare:{look.table_id}:{offer}", "primary"),)
    return ()
