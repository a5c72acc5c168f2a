"""Tests that posting the same offer twice within a minute asks first."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.rules.commands import Press
from bot.rules.features.offers.posting import PostOffer, RepeatOffer
from bot.rules.model.goods import Goods
from bot.rules.model.table import MINUTE
from bot.rules.model.violation import Refused
from bot.testing.world import World
from tests.games.ti4 import machine as ti4

TWO, ONE = Goods({"trade_good": 2}), Goods({"commodity": 1})
OFFER = PostOffer(to=None, give=TWO, want=ONE)
POSTED = 1_000_000


def evening() -> World:
    world = ti4.opened(3, Random(1))
    world.do(1, OFFER, at=POSTED)
    return world


def slip(world: World, at: int, command: PostOffer = OFFER) -> Refused:
    with pytest.raises(Refused) as refused:
        world.do(1, command, at=at)
    return refused.value


@pytest.mark.parametrize("later", [0, 1, MINUTE - 1])
def test_within_a_minute_it_is_asked_about(later: int) -> None:
    world = evening()
    question = slip(world, POSTED + later)
    same = "You posted the same offer a moment ago: offer 1, and it is still open."
    assert question.violation.reason == same
    (again,) = question.options
    assert again.label == "Post it again"
    assert again.action == Press(world.table.id, RepeatOffer(1))


def test_after_a_minute_it_is_meant() -> None:
    evening().do(1, OFFER, at=POSTED + MINUTE)


@pytest.mark.parametrize(
    "other",
    [
        replace(OFFER, lasts=60_000),
        replace(OFFER, terms_now="please"),
    ],
)
def test_another_offer_is_not_the_same(other: PostOffer) -> None:
    evening().do(1, other, at=POSTED)


def test_nor_is_anothers_nor_one_to_another_player() -> None:
    world = evening()
    world.do(2, OFFER, at=POSTED)
    _, second, third = world.table.seated()
    world.do(1, replace(OFFER, to=second), at=POSTED)
    world.do(1, replace(OFFER, to=third), at=POSTED)
    assert "offer 3," in slip(world, POSTED, replace(OFFER, to=second)).violation.reason
