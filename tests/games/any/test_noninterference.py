"""Tests that nobody learns what is hidden, whatever a text says of it: two worlds side by side, in
which hands reach different limits.

`tests/games/test_checks.py` plays such pairs with any definition.
"""

from __future__ import annotations

from random import Random

import pytest

from bot.games.any import GAME
from bot.games.any.deeds import Begin, Define
from bot.rules.commands import Caller, Command
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Sit
from bot.rules.features.tables import OpenTable
from bot.rules.model.goods import Goods
from bot.testing.generated import makers_of
from bot.testing.secrets import Secrets, host_of
from bot.testing.twins import HOST, PLAYER, Pair, Who, play_pair, same
from bot.testing.world import Ask
from tests.games.any.machine import MACHINE, opened
from tests.scale import at_scale, seeds

SECRETS = Secrets(makers_of(GAME, MACHINE))
PLAY = SECRETS.play()
VIEWERS: tuple[Who, ...] = ("player", "everybody", "host who looks on", "overheard")

LETTERS = """
name = "Letters"
seats = ["Ada", "Ben", "Cleo"]
hand = 6
[goods]
salt = {}
letter = { plural = "letters", hidden = true, most = 2, total = 3 }
note = { plural = "notes", hidden = true, most = 9 }
[start]
all = "3 salt"
[trade]
same = false
"""
LETTER, NOTE, SALT = Goods({"g2": 1}), Goods({"g3": 1}), Goods({"g1": 1})


@pytest.mark.parametrize("seed", seeds(at_scale(2, 6)))
@pytest.mark.parametrize("who", VIEWERS)
def test_limits_of_hidden_goods_tell_nobody_anything(who: Who, seed: int) -> None:
    dice = Random(f"{who} {seed}")
    pair = SECRETS.begun(who, opened(dice, 4, host=host_of(who), limited=True), dice)
    play_pair(pair, PLAY, 40, at_length=20, probes=2)


@pytest.mark.parametrize("who", VIEWERS)
def test_a_gain_or_a_trade_over_a_limit_looks_like_any_other(who: Who) -> None:
    """Person 3 holds three letters, which is one too many, or three notes, which is not."""
    host = host_of(who)
    pair = Pair(who, Random(1))
    both(pair, host, OpenTable("any"))
    both(pair, host, Define(LETTERS))
    for person, seat in enumerate(("s1", "s2", "s3"), start=1):
        both(pair, host, Sit(seat, person))
    both(pair, host, Begin())
    for _ in range(3):
        both(pair, 3, Gain(LETTER), Gain(NOTE))
    both(pair, HOST, PostOffer("s3", SALT, LETTER), PostOffer("s3", SALT, NOTE))
    both(pair, 3, Sign(1, 1))
    both(pair, PLAYER, Gain(LETTER))
    both(pair, PLAYER, PostOffer("s3", LETTER, SALT))
    both(pair, 3, Sign(2, 1))
    assert pair.one.table.transactions == 2
    same(pair, 0, at_length=True)


def both(pair: Pair, person: int, one: Command, other: Command | None = None) -> None:
    caller = Caller(person)
    assert pair.both(PLAY, Ask(one, caller), Ask(other or one, caller))
