"""Tests of notifications on a locked phone: one line that everybody at the table may read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from random import Random

import pytest

from bot.delivery.desired import Desired, Headlines, Subject, user_of
from bot.delivery.life import Life
from bot.delivery.planner import plan
from bot.delivery.records import TableMessages
from bot.delivery.render import with_picture
from bot.rules.model.table import Table
from bot.rules.registry import game_named
from bot.service.requests import Briefing
from bot.show.cards import Card
from bot.testing.looks import at_once
from bot.testing.twins import play_pair
from tests.delivery.test_pings import briefed
from tests.drawn import message, refused
from tests.rules.test_noninterference import GAMES
from tests.scale import at_scale, seeds

HOME = 500

MENTIONS = re.compile(r"(<@\d+> )+")


def cards(
    brief: Briefing, shown: dict[Subject, Life]
) -> Iterator[tuple[Desired, Card, tuple[int, ...]]]:
    """Yield all that may be sent: the step, the card in its place or as a ping, and the users that
    it mentions.
    """
    table = TableMessages(brief.table_id, channel_id=HOME, read=shown)
    for step in plan(brief, shown):
        if not isinstance(step, Desired) or not step.wanted:
            continue
        if user := user_of(step):
            yield step, table.card_for(step, HOME + 1), ()
            if step.fallback is not None:
                yield step, table.card_for(step, table.home_of(step) or HOME), (user,)
        else:
            yield step, table.card_for(step, HOME), step.rings


def wrong(step: Desired, card: Card, rings: tuple[int, ...], names: set[str]) -> Iterator[str]:
    """Yield what is wrong with a card that may be sent. ``names`` are those of the goods at the
    table.
    """
    way = step.subject.drawn
    yield from refused(message(at_once(with_picture(card)), way))
    if way == "v2":
        if rings or step.call or user_of(step):
            yield "it may ring, and has no line"
        return
    if not card.line.strip():
        yield "it has no line"
    if not card.rows:
        yield "it has no row to be found by"
    called = MENTIONS.match(card.line)
    if any(f"<@{user}>" not in (called[0] if called else "") for user in rings):
        yield "its line does not begin with those whom it calls"
    if not isinstance(step.subject, Headlines):  # everybody reads those
        yield from (
            f"its line names {name}"
            for name in names
            if re.search(rf"\b{name}\b", card.line.casefold())
        )


def goods_names(table: Table) -> set[str]:
    """Return what the goods that lie at a table or are in a hand are called there."""
    held = set(chain.from_iterable(seat.holdings for seat in table.seats.values()))
    names = (game_named(table.game).goods.describe_card(token) for token in held)
    return {re.escape(re.sub(r"<[^>]*>", "", name).casefold()) for name in names}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", seeds(at_scale(1, 3)))
def test_what_rings_has_a_line_that_names_no_goods(game: str, seed: int) -> None:
    twins, dice = GAMES[game], Random(seed)
    pair = twins.begun("everybody", dice, swaps=False)
    faults, after = set[str](), [0]

    def look() -> None:
        brief, names = briefed(pair.one, after[0]), goods_names(pair.one.table)
        for step, card, rings in cards(brief, {}):
            for fault in wrong(step, card, rings, names):
                faults.add(f"{step.subject.name}: {fault}: {card.line}")
        after[0] = brief.seq

    play_pair(pair, twins.play, 60, at_length=60, probes=0, after=look)
    assert faults == set()
