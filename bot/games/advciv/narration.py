"""What happened, in a sentence for each of the game's own kinds of entry and for changes of a hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.api import Corrected, Entry, EntryView, Gained, PhaseSet, Spent, mentions, quoted
from bot.games.advciv import entries
from bot.games.advciv.cards import calamity_of, card_of, count_cards, count_cities, describe
from bot.games.advciv.state import ACQUIRE, Shown
from data.advciv import NINTH_STACK_PRICE

NEVER = "30.52"
"""The rule by which a nation is never the primary victim of a calamity."""


def narrate(view: EntryView) -> str:
    """Return the sentence for an entry, with markup; empty for kinds that the core narrates."""
    return _trading(view) or _hand(view) or _cards(view.entry) or _picked(view)


def _trading(view: EntryView) -> str:
    match view.entry:
        case entries.TradingOpened(bell=bell) | entries.BellSet(bell=bell):
            until = f" until <t:{bell // 1000}:T>, <t:{bell // 1000}:R>" if bell else ", without a time limit"
            return f"🔔 **Trading is open**{until}."
        case entries.TradingUndone():
            who = view.ruler.capitalize()
            return f"↩️ **{who} takes back that trading opened: back to drawing.** Offers that still stood have ended."
        case entries.TradingWarned():
            return "⏳ **One minute left to trade.** What has not changed hands when the bell rings does not happen."
        case entries.TradingDone(seat=seat, done=done):
            return f"<seat:{seat}> is {'done trading' if done else 'trading again'}."
        case entries.TradingClosed(reason=reason):
            return f"🔔 **{_why_closed(view, reason)}: trading is over.** Offers that still stood have ended."
    return ""


def _why_closed(view: EntryView, reason: Literal["bell", "host", "done"]) -> str:
    match reason:
        case "bell":
            return "The bell has rung"
        case "host":
            return f"{view.ruler.capitalize()} has closed trading"
        case "done":
            return "Everybody is done"


def _hand(view: EntryView) -> str:
    match view.entry:
        case Corrected(seat=seat, reason=reason):
            because = f" Why: “{quoted(reason)}”" if reason else ""
            return f"{view.ruler.capitalize()} set the hand of <player:{seat}>; only they know what it is.{because}"
        case Gained(seat=seat):
            return f"<player:{seat}> took cards into their hand."
        case Spent(seat=seat):
            return f"<player:{seat}> put cards out of their hand."
    return ""


def _cards(entry: Entry) -> str:
    match entry:
        case entries.SeedCommitted(digest=digest, secret=secret):
            opens = f"It was `{secret.secret}`." if secret else "It opens when the table closes."
            return (
                "-# The shuffle is fixed by a secret of mine, mixed with who sits down and when. "
                f"{opens} Its SHA-256: `{digest}`"
            )
        case entries.StacksShuffled(players=players, secret=secret):
            opens = f"Their seed was `{secret.seed}`." if secret else "The seed opens when the table closes."
            return f"The nine stacks are shuffled for {players} players. {opens}"
        case entries.StacksRestored():
            return "What was turned in and resolved is back under its stacks, shuffled."
        case entries.CitiesSaid(seat=seat, cities=cities, order=order):
            in_order = ", ".join(f"<seat:{each}> {many}" for each, many in order)
            told = f"\nAll have said. Draw in this order: {in_order}." if order else ""
            return f"<player:{seat}> has {count_cities(cities)}.{told}"
        case entries.CardsDrawn():
            return _drawn(entry)
        case entries.CardBought(seat=seat):
            return f"<player:{seat}> buys a card from the ninth stack, for {NINTH_STACK_PRICE} treasury tokens."
        case entries.CardsSurrendered(seat=seat, worth=worth, mining=mining):
            with_mining = f" with Mining on {card_of(mining).name}" if mining else ""
            given = describe(entry.changes[seat].lost)
            return f"<player:{seat}> turns in **{given}**, worth **{worth}**{with_mining}."
        case entries.CardsKept(kept=kept):
            each = ", ".join(f"<player:{seat}> {count_cards(count)}" for seat, count in sorted(kept.items()))
            return f"Kept for the next turn: {each}." if kept else ""
        case entries.CalamitiesShown(effects=effects, spared=spared):
            return "\n".join(describe_calamities(effects, spared))
    return ""


def _drawn(entry: entries.CardsDrawn) -> str:
    cities, came = entry.cities, len(entry.stacks)
    short = f"; {cities - came} of the stacks had none" if came < cities else ""
    have = "has" if len(entry.before) == 1 else "have"
    early = f", before {mentions(entry.before)}, who {have} fewer [27.1]" if entry.before else ""
    return f"<player:{entry.seat}> draws **{count_cards(came)}** for {count_cities(cities)}{short}{early}."


def _picked(view: EntryView) -> str:
    ruled = f"{view.ruler.capitalize()} says: "
    match view.entry:
        case entries.CardRequested(seat=seat, other=other):
            return f"<player:{seat}> eliminated a city of <seat:{other}> and takes a card, once they agree [24.51]."
        case entries.CardDenied(seat=seat, other=other):
            return f"<player:{other}> says that <seat:{seat}> takes no card of theirs."
        case entries.CardTaken(seat=seat, other=other, by_host=by_host):
            says = ruled if by_host else ""
            return f"{says}<player:{seat}> takes a card from <seat:{other}>'s hand, picked by chance [24.51]."
        case entries.CardsLost(seat=seat, count=count, cities=cities, by_host=by_host):
            says = ruled if by_host else ""
            if count is not None:
                return f"{says}<player:{seat}> loses {count_cards(count)}, picked by chance [15.62]."
            kept = f"at most one card for each of {count_cities(cities or 0)}"
            return f"{says}<player:{seat}> keeps {kept}, picked by chance, and loses the rest [15.62]."
    return ""


# ---------------------------------------------------------------- calamities


def shown_this_turn(views: Iterable[EntryView]) -> EntryView | None:
    """Return the entry in which the calamities of this turn were shown, if any; ``views`` are oldest first."""
    shown: EntryView | None = None
    for view in views:
        match view.entry:
            case entries.CalamitiesShown():
                shown = view
            case PhaseSet(phase=phase) if phase == ACQUIRE:
                shown = None
    return shown


def describe_calamities(effects: tuple[Shown, ...], spared: tuple[Shown, ...], *, reminded: bool = True) -> list[str]:
    """Describe whose each calamity is, in order of resolution; then those without effect.

    Who traded it is told where that changes what it does. ``reminded``: with a word on what each does.
    """
    if not effects and not spared:
        return ["Nobody has a calamity."]
    lines = [
        f"{number}. {_shown(one)} {calamity_of(one.calamity).reminder if reminded else ''}".rstrip()
        for number, one in enumerate(effects, start=1)
    ]
    return [*lines, *(f"Without effect, for {_why_spared(one)}: {_whose(one)}." for one in spared)]


def _why_spared(one: Shown) -> str:
    if one.never:
        return f"<faction:{one.seat}> can't be its primary victim [{NEVER}]"
    return "two are the most a player suffers [29.5]"


def _shown(one: Shown) -> str:
    card = calamity_of(one.calamity)
    if card.tradable and not card.trader_matters:
        return f"{_whose(one)}."
    came = f"traded to them by <seat:{one.trader}> [29.61]" if one.trader else "drawn, and never traded"
    return f"{_whose(one)}, {came}."


def _whose(one: Shown) -> str:
    return f"**{card_of(one.calamity).name}**: <player:{one.seat}>"
