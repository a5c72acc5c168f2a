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

IVORY = Goods({"commodity:ivory": 1})

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
    match entry:
        case StacksShuffled(secret=shuffle) | StacksRestored(secret=shuffle):
            assert shuffle is not None
            return entry.model_copy(update={"secret": reversed_stacks(shuffle)})
        case CalamitiesShown():
            piracy = ShownCalamity(calamity="calamity:piracy", seat="egypt")
            return entry.model_copy(update={"spared": (piracy,)})
        case CardTaken(seat=seat, other=other):
            hidden = {seat: Change(gained=IVORY), other: Change(lost=IVORY)}
            return entry.model_copy(update={"hidden": hidden})
        case CardsLost(seat=seat):
            return entry.model_copy(update={"hidden": {seat: Change()}})
        case CardsDrawn(seat=seat) | CardBought(seat=seat):
            better = Change(gained=IVORY + Goods({"commodity:gold": 1}))
            return entry.model_copy(update={"hidden": {seat: better}})
    raise AssertionError(f"{entry.kind} has no cheat")


def reversed_stacks(shuffle: Shuffle) -> Shuffle:
    """Return the stacks with the cards of each from the bottom to the top."""
    stacks = tuple(stack[::-1] for stack in shuffle.stacks)
    assert stacks != shuffle.stacks
    return replace(shuffle, stacks=stacks)
