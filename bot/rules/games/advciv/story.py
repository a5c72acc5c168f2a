"""What happened, in a sentence for each of the game's own kinds of entry, as everybody may read it."""

from __future__ import annotations

from bot.rules.entries import Corrected, Entry, Gained, Spent
from bot.rules.games.advciv import entries
from bot.rules.games.advciv.cards import card_of, tell
from bot.rules.games.advciv.state import Shown
from bot.rules.words import typed
from data import NINTH_STACK_PRICE, Calamity

CLOSED = {"bell": "The bell has rung", "host": "The host has closed trading", "done": "Everybody is done"}
"""Why trading is over."""


def tells(entry: Entry) -> str:
    """The sentence for an entry seen through `view`, with the marks of `bot.rules.words`; ``""`` for other kinds."""
    match entry:
        case entries.TradingOpened(bell=bell) | entries.BellSet(bell=bell):
            until = f" until <t:{bell // 1000}:T>, <t:{bell // 1000}:R>" if bell else ", without a time limit"
            return f"🔔 **Trading is open**{until}."
        case entries.TradingWarned():
            return "⏳ **One minute left to trade.** What has not changed hands when the bell rings does not happen."
        case entries.TradingDone(seat=seat, done=done):
            return f"<seat:{seat}> is {'done trading' if done else 'trading again'}."
        case entries.TradingClosed(why=why):
            return f"🔔 **{CLOSED[why]}: trading is over.** Offers that still stood have ended."
        case Corrected(seat=seat, reason=reason):
            because = f" Why: “{typed(reason)}”" if reason else ""
            return f"The host set the hand of <player:{seat}>; only they know what it is.{because}"
        case Gained(seat=seat):
            return f"<player:{seat}> took cards into their hand."
        case Spent(seat=seat):
            return f"<player:{seat}> put cards out of their hand."
    return _cards(entry)


def _cards(entry: Entry) -> str:
    match entry:
        case entries.StacksShuffled(players=players, secret=secret):
            opens = f"Their seed was `{secret.seed}`." if secret else "The seed opens when the table closes."
            return f"The nine stacks are shuffled for {players} players. {opens}"
        case entries.StacksRestored():
            return "What was turned in and resolved is back under its stacks, shuffled."
        case entries.CardsDrawn(seat=seat, cities=cities, stacks=stacks):
            short = f"; {cities - len(stacks)} of the stacks had none" if len(stacks) < cities else ""
            every = f"{cities} {'city' if cities == 1 else 'cities'}"
            return f"<player:{seat}> draws {_count(len(stacks))} for {every}{short}."
        case entries.CardBought(seat=seat):
            return f"<player:{seat}> buys a card from the ninth stack, for {NINTH_STACK_PRICE} treasury tokens."
        case entries.CardsSurrendered(seat=seat, worth=worth, mining=mining):
            with_mining = f" with Mining on {card_of(mining).name}" if mining else ""
            given = tell(entry.changes[seat].lost)
            return f"<player:{seat}> turns in **{given}**, worth **{worth}**{with_mining}."
        case entries.CalamitiesShown(effects=effects, spared=spared):
            return "\n".join(told_calamities(effects, spared))
    return ""


def told_calamities(effects: tuple[Shown, ...], spared: tuple[Shown, ...], *, reminded: bool = True) -> list[str]:
    """Who has which calamity and who traded it to them, in order of resolution; then those without effect.

    ``reminded``: with a word on what each does.
    """
    if not effects and not spared:
        return ["Nobody has a calamity."]
    lines = [
        f"{number}. {_one(one)} {_reminder(one) if reminded else ''}".rstrip()
        for number, one in enumerate(effects, start=1)
    ]
    return [*lines, *(f"Without effect, for two are the most a player suffers [29.5]: {_one(one)}" for one in spared)]


def _one(one: Shown) -> str:
    came = f"traded to them by <seat:{one.trader}> [29.61]" if one.trader else "drawn, and never traded"
    return f"**{card_of(one.calamity).name}**: <player:{one.seat}>, {came}."


def _reminder(one: Shown) -> str:
    card = card_of(one.calamity)
    assert isinstance(card, Calamity)
    return card.reminder


def _count(cards: int) -> str:
    return f"**{cards} card{'' if cards == 1 else 's'}**"
