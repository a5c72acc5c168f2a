"""Cards: an offer as people see it, and the buttons under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.desk import Look
from bot.rules.goods import Goods
from bot.rules.offers import rulings, signed_now, trade_of
from bot.rules.ruling import Ruling
from bot.rules.table import Offer
from bot.show import names

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
    """One choice out of a list of (label, value); at most 25."""

    placeholder: str
    action: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Card:
    """A message of text blocks, read top to bottom, with rows of buttons or a choice under them."""

    mood: Mood
    blocks: tuple[str, ...]
    rows: tuple[tuple[Button, ...] | Select, ...] = ()


def offer_card(look: Look, offer: Offer, audience: Audience = "channel") -> Card:
    """An offer: who gives what for what, its terms, whether it is legal now, and what the reader may press.

    The channel's card is for everybody; a card sent to one person has only that person's buttons.
    """
    blocks = [_title(look, offer), *_sides(look, offer, known=audience != "channel")]
    if offer.terms:
        blocks.append(f"> {names.escape(offer.terms)}\n-# The trade binds; these words are a promise [D6].")
    blocks.append(_state(look, offer))
    return Card(_mood(look, offer), tuple(blocks), _buttons(look, offer, audience))


def offer_line(look: Look, offer: Offer, viewer: str | None) -> str:
    """An offer in one line of plain text, for the seat that reads it: ``#3 alice: 3 tg for 2 commodities (to bob)``."""
    to = f"to {names.name(look, offer.to)}" if offer.to else "to all"
    known = viewer is not None and offer.party(viewer)
    give, want = (_goods(look, goods, offer, known) for goods in (offer.give, offer.want))
    return names.plain(look, f"#{offer.number} {names.name(look, offer.seat)}: {give} for {want} ({to})")


def _title(look: Look, offer: Offer) -> str:
    to = names.mention(look, offer.to) if offer.to else "everybody"
    return f"### Offer #{offer.number} · {names.mention(look, offer.seat)} to {to}"


def _sides(look: Look, offer: Offer, *, known: bool) -> list[str]:
    taker = names.player(look, offer.to) if offer.to else "Whoever takes it up"
    return [
        f"{names.player(look, offer.seat)} gives **{names.tell(look, _goods(look, offer.give, offer, known))}**",
        f"{taker} gives **{names.tell(look, _goods(look, offer.want, offer, known))}**",
    ]


def _goods(look: Look, goods: Goods, offer: Offer, known: bool) -> str:
    """Goods in words: to the two they are between as they are, to others with what is secret left open."""
    game = names.game_of(look)
    return game.tell_goods(goods if known or offer.to is None else game.masked(goods))


def _state(look: Look, offer: Offer) -> str:
    """Legal now, or why not; or how it ended. With the revision, so that no look-alike can pass for it."""
    small = f"-# Offer #{offer.number}, revision {offer.revision} · {names.escape(look.table.name)}"
    match offer.status:
        case "resolved":
            return f"✅ **Done: transaction {offer.transaction}.** It can't be undone [94.4.1].\n{small}"
        case "declined":
            return f"✖️ **Declined** by {names.mention(look, offer.to or offer.seat)}.\n{small}"
        case "withdrawn":
            return f"✖️ **Withdrawn** by {names.mention(look, offer.seat)}.\n{small}"
        case "void":
            return f"✖️ **No longer possible.**\n{small}"
    found = [ruling for ruling in rulings(look.table, trade_of(offer)) if not ruling.known_to]
    if found:
        return f"⏳ **Not now.** {names.tell(look, found[0].sentence())}\n{small}"
    if waits_for_poster(look, offer):
        return f"⏳ **Agreed.** Waits for {names.mention(look, offer.seat)} to confirm it for this turn.\n{small}"
    return f"🟢 **Possible now.**\n{small}"


def _mood(look: Look, offer: Offer) -> Mood:
    if offer.status == "resolved":
        return "done"
    if offer.status != "open":
        return "over"
    return "waiting" if rulings(look.table, trade_of(offer)) else "open"


def _buttons(look: Look, offer: Offer, audience: Audience) -> tuple[tuple[Button, ...], ...]:
    if offer.status != "open":
        return ()

    def button(label: str, what: str, style: Style) -> Button:
        return Button(label, f"offer:{look.table_id}:{offer.number}:{offer.revision}:{what}", style)

    found = rulings(look.table, trade_of(offer))
    # Grey while it would be refused; it can still be pressed, and then says why not.
    accept = button("Accept", "sign", "secondary" if found else "success")
    decline = button("Decline", "decline", "secondary")
    withdraw = button("Withdraw", "withdraw", "danger")
    confirm, back_out = button("Confirm", "sign", "success"), button("Back out", "withdraw", "secondary")
    theirs = (accept, decline) if offer.to else (accept,)
    match audience:
        case "channel":
            return ((*theirs, withdraw),)
        case "addressed":
            return (theirs,)
        case "poster":
            if waits_for_poster(look, offer):
                return ((confirm, back_out),)
            return ((withdraw, *mends(look, found, offer.seat, offer.number)),)


def mends(look: Look, found: Sequence[Ruling], seat: str | None, offer: int) -> tuple[Button, ...]:
    """What this seat could say at one tap to mend the first of these rulings, where the host lets players say so."""
    settings = look.table.settings
    for ruling in found[:1]:
        if ruling.mend == "neighbors" and settings.declare_neighbors == "players" and seat:
            return (Button("We are neighbours now", f"claim:{look.table_id}:{offer}", "primary"),)
        if ruling.mend == "holdings" and settings.declare_holdings == "players" and seat == ruling.about:
            return (Button("I do have them", f"declare:{look.table_id}:{offer}", "primary"),)
    return ()


def waits_for_poster(look: Look, offer: Offer) -> bool:
    """Whether the other has agreed in this window and only the poster's signature has lapsed."""
    return (
        offer.status == "open"
        and offer.to is not None
        and signed_now(look.table, offer, offer.to)
        and not signed_now(look.table, offer, offer.seat)
    )
