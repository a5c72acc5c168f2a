"""Tests of the router: every action has a handler at the start, and every press is answered."""

from __future__ import annotations

import logging
from dataclasses import fields
from itertools import chain, product
from types import NoneType
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from bot import app
from bot.lifecycle import Interactions
from bot.rehearsal.stage import Reply
from bot.rules.model.actions import CORE_ACTIONS, Action, OfferAction
from bot.rules.model.codec import CUSTOM_ID_MAX
from bot.rules.registry import games
from bot.show.custom_ids import codec, commands
from cogs.answers import Answers
from cogs.request import Request
from cogs.router import Router
from tests.cogs.conftest import evening_on
from tests.cogs.evening import TABLE, Evening, private, text_of
from tests.cogs.exchange import nothing_recorded
from tests.scale import SCALE, at_scale, variants


class Dance(Action):
    """An action of its own."""

    name = "dance"


class Imitate(Action):
    """Another action with the name of the offers' buttons."""

    name = "offer"


async def ignore(request: Request, action: Action) -> None:
    """A handler."""


def bound(*actions: type[Action]) -> Router:
    """Return a router with a handler for each of these."""
    router = Router(Answers(Interactions(), nothing_recorded))
    for action in actions:
        router.on(action, ignore)
    return router


# ---------------------------------------------------------------- the check


def test_every_action_with_a_handler_passes() -> None:
    bound(OfferAction, Dance).check([OfferAction, Dance])


def test_an_action_without_a_handler_is_named() -> None:
    with pytest.raises(LookupError, match=r"no handler is bound to dance$"):
        bound(OfferAction).check([OfferAction, Dance])


def test_a_second_handler_for_an_action_is_refused() -> None:
    with pytest.raises(ValueError, match="OfferAction has a handler already"):
        bound(OfferAction, OfferAction)


@pytest.mark.parametrize(
    ("more", "error", "reason"),
    [
        (Dance, LookupError, "no handler is bound to dance"),
        (Imitate, ValueError, "Imitate and OfferAction are both named offer"),
    ],
)
async def test_the_bot_does_not_start_without_them(
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    more: type[Action],
    error: type[Exception],
    reason: str,
) -> None:
    monkeypatch.setattr(app, "CORE_ACTIONS", (*CORE_ACTIONS, more))
    with pytest.raises(error, match=reason):
        async with evening_on(url):
            pass


async def test_every_action_there_is_has_a_handler(evening: Evening) -> None:
    evening.router.check(codec().kinds.values())
    assert len(codec().kinds) > len(CORE_ACTIONS) + len(games())


async def test_an_action_without_a_handler_is_answered(playing: Evening) -> None:
    """As when a game's commands could not be loaded: its buttons are still there."""
    del playing.router._handlers[OfferAction]
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    reply = await playing.press("bob", "Counter")
    assert "older version of me" in text_of(reply)
    assert private(reply)
    assert playing.errors() == ()
    assert (await playing.table()).transactions == 0


# ---------------------------------------------------------------- forged custom ids

HUGE = (0, 99, 2**63, -1, 2**63 - 1)
"""Numbers of tables, offers and pages that do not exist; some are more than a database can hold."""


AMOUNTS = ("do:1:ti4.count",)
"""Kinds whose numbers are amounts, so that nothing is missing. `tests.forged` sends them."""

ABOUT_NOTHING = ("do:1:ti4.replenish",)
"""Kinds whose number may be 0: it is about no Trade card, and nothing is missing."""

WORDINGS = SCALE
"""With how many of its words each such number is sent; the words are those of buttons that share an
action.
"""

WIDTH = at_scale(1, len(HUGE))
"""How many of the numbers come in one field alone; all of them come in all fields at once."""


def forged() -> list[str]:
    """Return custom ids of every kind of action, and of command with a number, with such a number
    in one field after another, and in all.

    Every number comes in every field, and every word with some of them: all of them with all by
    SCALE_OF_TESTS=9. In `make test`, one of the numbers also comes in a field alone.
    """
    found: dict[str, None] = {}
    kinds: dict[str, type] = {
        **codec().kinds,
        **{f"do:1:{name}": kind for name, kind in commands().kinds.items()},
    }
    for name, kind in kinds.items():
        hints = get_type_hints(kind)
        flag, _ = getattr(kind, "flagged", ("", ""))  # the name says it instead
        names = [field.name for field in fields(kind) if field.name != flag]
        numbers = [each for each in names if hints[each] in (int, int | None)]
        if not numbers or name in AMOUNTS:
            continue  # it asks for nothing that could be missing
        alone = [{number} for number in numbers]
        filled = list[list[tuple[str, ...]]]()
        together = product(HUGE, [set(numbers) - {"table"}])
        for huge, places in chain(product(HUGE[-WIDTH:], alone), together):
            if not huge and name in ABOUT_NOTHING:
                continue
            texts = [_texts(hints[each], huge if each in places else 1) for each in names]
            filled.append(list(product(*texts)))
        wordings = len(filled[0])
        times = range(max(len(filled), wordings))
        for shift, number in product(range(min(WORDINGS, wordings)), times):
            words = filled[number % len(filled)][(number + shift) % wordings]
            found[":".join((name, *words))] = None
    return [custom_id for custom_id in found if len(custom_id) <= CUSTOM_ID_MAX]


def _texts(hint: object, number: int) -> tuple[str, ...]:
    if get_origin(hint) is Literal:
        return tuple(map(str, get_args(hint)))
    if NoneType in get_args(hint):
        return _texts(get_args(hint)[0], number)
    return {int: (str(number),), bool: ("0", "1"), str: ("sol", "")}[hint]  # type: ignore[index]


SELECTS = (
    "hand",
    "browse",
    "dm-table",
    "offer-other",
    "draft-pick",
    "board-player",
    "setting-choose",
    "seat-choose",
)
"""The actions that come from a select."""


async def use(playing: Evening, who: str, custom_id: str) -> Reply:
    """Send a custom_id as Discord would: with a form, a select or a button."""
    name = custom_id.partition(":")[0]
    values = ("7",) if name in SELECTS else ()
    return await playing.forge(who, custom_id, values=values, form="form" in name)


@pytest.mark.slow
@pytest.mark.parametrize("who", variants("bob", "dave"))
async def test_a_forged_custom_id_is_answered(
    playing: Evening, caplog: pytest.LogCaptureFixture, who: str
) -> None:
    """Whether a player sends it or a stranger. Nothing that it asks for is there."""
    await playing.types("alice", "offer post", to="@carol", give="1 tg")
    before = (await playing.bot.ledger.entries.head(TABLE)).seq
    with caplog.at_level(logging.ERROR):
        for custom_id in forged():
            reply = await use(playing, who, custom_id)
            assert reply.answered, custom_id
            assert playing.errors() == (), custom_id
            assert "it is my fault" not in text_of(reply), custom_id
            assert (await playing.bot.ledger.entries.head(TABLE)).seq == before, custom_id
    assert caplog.records == []
