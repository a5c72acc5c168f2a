"""Tests that each command says which of its fields hold words of the person's own.

Whoever is in time-out on the server sends none by DM (`bot/service/gate.py`), so a field that is
forgotten here would let them speak.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import chain
from typing import get_type_hints

from bot.games.advciv import GAME as ADVCIV
from bot.games.any import GAME as ANY
from bot.games.ti4 import GAME as TI4
from bot.rules.commands import Command
from bot.rules.features.offers.posting import CounterOffer, PostOffer
from bot.rules.model.goods import Goods
from bot.rules.vocabulary import CORE
from bot.service.gate import new_words
from tests.show.playing import table_of

FEATURES = (CORE, ADVCIV.features, ANY.features, TI4.features)

CHOSEN = {
    "among": "seats",
    "by": "the turn or round that ends",
    "card": "cards",
    "chance": "the order of a play's stacks",
    "changes": "settings",
    "chooser": "seats",
    "chosen": "seats",
    "color": "colours of plastic",
    "debtor": "seats",
    "event": "events of the game that is played",
    "first": "seats",
    "game": "games",
    "gives": "tokens",
    "hand": "a digest",
    "holder": "seats",
    "instead": "cards",
    "mining": "cards",
    "note": "notes",
    "of": "seats",
    "order": "seats",
    "other": "seats",
    "others": "seats",
    "owner": "seats",
    "phase": "phases",
    "number": "R1 to R9",
    "picked": "seats or cards",
    "preset": "games that are ready",
    "purged": "fragments",
    "seat": "seats",
    "seats": "seats",
    "second": "seats",
    "setting": "settings",
    "stamp": "a digest",
    "taker": "seats",
    "to": "seats",
    "value": "values of settings",
    "zone": "time zones",
}
"""Fields whose texts are chosen from what the table knows."""


def texts(kind: type[Command]) -> Iterator[str]:
    """Yield the fields of a command that can hold a text."""
    hints = get_type_hints(kind)
    for field in fields(kind):
        if "str" in str(hints[field.name]):
            yield field.name


def test_every_text_is_chosen_or_the_persons_own_word() -> None:
    for kind in chain.from_iterable(each.commands for each in FEATURES):
        own = {name for name in texts(kind) if name not in CHOSEN}
        if kind.__name__ == "RevokePermit":
            own.remove("reason")  # that of a permit in force
        assert set(kind.words) == own, kind


def test_words_that_stand_at_the_table_are_not_new() -> None:
    world = table_of(2)
    tg = Goods({"trade_good": 1})
    world.do(PostOffer("sol", tg, terms="peace"))
    assert not new_words(world.table, CounterOffer(1, want=tg, terms="peace"))
    assert new_words(world.table, CounterOffer(1, want=tg, terms="war"))
    assert new_words(world.table, PostOffer("sol", tg, terms="peace", terms_now="war"))
    assert not new_words(world.table, PostOffer("sol", tg))


def test_a_name_that_can_be_anything_is_a_word() -> None:
    table = table_of(2).table
    assert new_words(table, PostOffer("sol", Goods({"relic:you are all cheaters": 1})))
    assert not new_words(table, PostOffer("sol", Goods({"note:ceasefire:hacan": 1})))
