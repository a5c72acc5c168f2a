"""A dealer who cheats: writes other entries than chance gives, and lists what must be found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.advciv.calamities import CalamitiesShown
from bot.games.advciv.drawing import CardBought, CardsDrawn
from bot.games.advciv.losing import CardsLost
from bot.games.advciv.stacks import Shuffle, StacksRestored, StacksShuffled
from bot.games.advciv.state import ShownCalamity
from bot.games.advciv.taking import CardTaken
from bot.rules.entries import Entry
from bot.rules.model.goods import Change, Goods

each_cheat = pytest.mark.parametrize(
    ("kind", "doubt"),
    [
        (StacksShuffled, "the stacks are not in the order that their seed gives"),
        (CardsDrawn, "the cards drawn were not on top"),
        (CardBought, "the card bought was not on top"),
        (CardTaken, "the cards picked from a hand are not those that the seed picks"),
        (CardsLost, "the cards picked from a hand are not those that the seed picks"),
        (CalamitiesShown, "the calamities that take effect are not those that the seed picks"),
        (StacksRestored, "what went back is not in the order that the seed gives"),
    ],
)
"""Each kind of entry that chance has a part in, and what is said of one that is cheated."""


def cheat(entries: list[Entry], kind: type[Entry]) -> int:
    """Put a cheated entry in the place of the last of its kind; return where that is."""
    at = max(number for number, entry in enumerate(entries) if isinstance(entry, kind))
    entries[at] = cheated(entries[at])
    return at


def cheated(entry: Entry) -> Entry:
    """Return the same entry as a dealer would have it who helps chance along."""
    if isinstance(entry, StacksShuffled | StacksRestored):
        assert entry.secret is not None
        return entry.model_copy(update={"secret": swapped(entry.secret)})
    if isinstance(entry, CalamitiesShown):
        return entry.model_copy(
            update={"spared": (ShownCalamity(calamity="calamity:piracy", seat="egypt"),)}
        )
    if isinstance(entry, CardTaken):
        other = Goods({"commodity:ivory": 1})
        return entry.model_copy(
            update={"hidden": {entry.seat: Change(gained=other), entry.other: Change(lost=other)}}
        )
    if isinstance(entry, CardsLost):
        return entry.model_copy(update={"hidden": {entry.seat: Change()}})
    assert isinstance(entry, CardsDrawn | CardBought)
    better = Change(gained=Goods({"commodity:ivory": 1, "commodity:gold": 1}))
    return entry.model_copy(update={"hidden": {entry.seat: better}})


def swapped(shuffle: Shuffle) -> Shuffle:
    """Return the stacks with two cards of one of them in each other's place."""
    number = next(n for n, stack in enumerate(shuffle.stacks) if len(set(stack)) > 1)
    stack = list(shuffle.stacks[number])
    other = next(n for n, card in enumerate(stack) if card != stack[0])
    stack[0], stack[other] = stack[other], stack[0]
    return replace(
        shuffle, stacks=(*shuffle.stacks[:number], tuple(stack), *shuffle.stacks[number + 1 :])
    )
