"""Blame for a game that fails or is slow, and plain words in place of what it can't show.

The core decides, applies and sees within `blamed`: an error there names the game and what it was
doing, and a block that takes more processor time than `SLOW` is logged. The time decides nothing.

Where a function only presents, what it presents is recorded already: `presented` logs its error,
and the plain value in `FALLBACKS` takes the place of the game's.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, wraps
from time import perf_counter, thread_time
from types import GeneratorType
from typing import Any, ParamSpec, TypeVar

from bot.rules.game import Game
from bot.rules.model.goods import NOTHING, plainly
from bot.rules.model.violation import Refused, SecretViolation
from bot.rules.views import BoardView

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

SLOW = 0.05
"""The most processor time that a block should take, in seconds: nobody gets an answer meanwhile.
Time that others use does not count.
"""

RECENT = 0.01
"""How old a reading of the processor's time may be, in seconds: a block counts longer by that."""

SLOW_PICTURE = 0.25
"""As `SLOW`, for pictures: they are drawn in a thread."""

FALLBACKS: Mapping[str, Callable[..., Any]] = {
    "goods.describe": plainly,
    "goods.short": plainly,
    "goods.describe_holdings": lambda seat: [plainly(seat.known)],
    "goods.listed": sorted,
    "goods.icon": lambda token: None,
    "goods.suggest": lambda seat, beside: (),
    "goods.every": lambda view: (),
    "goods.cards": lambda seat: NOTHING,
    "holdings.buttons": lambda view: (),
    "commands.board": lambda table: BoardView(
        ("I can't show the board. Whatever you do counts all the same.",)
    ),
    "commands.rule_status": lambda table, number: "",
    "commands.remedy": lambda table, violation, offer, seat: None,
    "commands.remark": lambda table, trade: "",
    "commands.take_back": lambda table, entry, seat: None,
    "commands.pair_remedy": lambda table, violation, seat, other: None,
    "exchange.outlook": lambda hand, gives, gets, handed: None,
    "exchange.cost": lambda hand, given: "",
    "exchange.gain": lambda hand, got: "",
    "setup.steps": lambda table: (),
    "proposals": lambda view, partner: (),
    "public": lambda table: None,
    "words": lambda table: {},
    "draw": lambda public: b"",
    "matches": lambda wants, gives, both: False,
    "match_keys": lambda goods: (),
    "prompts": lambda features, table: (),
    "follow_ups": lambda features, table, entry: (),
    "sentence": lambda entry, ruler: (
        f"{entry.kind} is recorded. It counts, but its game can't say what it did."
    ),
    "heading": lambda entry: "",
    "merged": lambda entry, later: None,
    "calls": lambda entry: None,
    "reply": lambda command, entries: "It counts, but the game can't say what it did.",
}
"""The plain values that take the place of what only presents: of functions by capability, and of
methods of entries and commands.
"""


@contextmanager
def blamed(game: str, where: str) -> Iterator[None]:
    """Name the game and where it happened in an error of this block, and log the block if it is
    slow.
    """
    begun = _now()
    try:
        yield
    except (Refused, SecretViolation):
        raise
    except Exception as error:
        if not getattr(error, "__notes__", ()):
            error.add_note(f"in the game {game}: {where}")
        raise
    finally:
        _log_if_slow(game, where, begun, SLOW)


class _Clock(threading.local):
    """When this thread's processor time was last read, and what it was."""

    at = 0.0
    used = 0.0


_clock = _Clock()


def _now() -> tuple[float, float]:
    """Return the time, and the processor time of this thread, which is up to `RECENT` old.

    Reading the latter is a system call, which may take a hundred times as long as the former.
    """
    at = perf_counter()
    if at - _clock.at > RECENT:
        _clock.at, _clock.used = at, thread_time()
    return at, _clock.used


def _log_if_slow(game: str, where: str, begun: tuple[float, float], limit: float) -> None:
    at, used = begun
    if perf_counter() - at > limit and (taken := thread_time() - used) > limit:
        log.warning("the game %s is slow: %s took %d ms", game, where, int(taken * 1000))


def presented(game: str, method: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Return what a method of an entry, a command or the features presents, or else plain words."""
    owner, name = getattr(method, "__self__", None), method.__name__
    plain = partial(FALLBACKS[name], owner)
    where = f"{type(owner).__name__}.{name}"
    shown: T = _presented(game, where, method, plain, *args, **options)
    return shown


def presenting(game: Game) -> Game:
    """Return the game in which plain words take the place of what its functions can't present."""
    changes: dict[str, Any] = {}
    for where, plain in FALLBACKS.items():
        capability, _, function = where.rpartition(".")
        record = changes.get(capability, getattr(game, capability)) if capability else game
        call = getattr(record, function, None)
        if call is None or call is getattr(type(record), function, None):
            continue  # the game does not have it, or what everybody has by default
        call = wraps(call)(partial(_presented, game.info.id, where, call, plain))
        if capability:
            changes[capability] = replace(record, **{function: call})
        else:
            changes[function] = call
    return replace(game, **changes)


def _presented(
    game: str,
    where: str,
    call: Callable[..., Any],
    plain: Callable[..., Any],
    *args: Any,
    **options: Any,
) -> Any:
    begun = _now()
    try:
        shown = call(*args, **options)
        # a generator fails only while it runs
        return list(shown) if isinstance(shown, GeneratorType) else shown
    except (Refused, SecretViolation):
        raise
    except Exception:
        log.exception("the game %s failed in %s; what it should have shown counts", game, where)
        return plain(*args)
    finally:
        _log_if_slow(game, where, begun, SLOW_PICTURE if where == "draw" else SLOW)
