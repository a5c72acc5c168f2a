"""Blame for a game that fails or is slow, and plain words in place of what it can't show.

The core decides, applies and sees within `blamed`: an error there names the game and what it was
doing, and a block that takes more processor time than `SLOW` is logged. The time decides nothing.

Where a function only presents, what it presents is recorded already: `presented` logs its error,
and the plain value in `FALLBACKS` takes the place of the game's. `safely` does so where the core
makes words or cards of what a game returned. What a game says of goods that move is different: it
is checked before anything is recorded (`Misshapen`).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from time import perf_counter, thread_time
from typing import Any, ParamSpec, TypeVar

from bot.rules.commands import Command
from bot.rules.entries import Call, Entry
from bot.rules.feature import Features
from bot.rules.game import Game, Moves, Settlement
from bot.rules.model.goods import NOTHING, Change, Goods, plainly
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused, SecretViolation
from bot.rules.views import BoardView, FollowUpView, PromptView, StepView

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

SLOW = 0.05
"""The most processor time that a block should take, in seconds: nobody gets an answer meanwhile.
Time that others use does not count.
"""

CLOCK_STALE_AFTER = 0.01
"""How old a reading of the processor's time may be, in seconds: a block counts longer by that."""

FAILED = "the game %s failed in %s; what it should have shown counts"

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
    "hidden.audited": lambda view: (),
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
    "setup.first": lambda table: (),
    "proposals": lambda view, partner: (),
    "prices": lambda wanted: (),
    "worth": lambda goods: goods.total(),
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
    "is_news": lambda entry: True,
    "begins_phase": lambda entry: "",
    "by_itself": lambda entry: True,
    "grants": lambda entry: None,
    "takes_back": lambda entry: None,
    "heading": lambda entry: "",
    "merged": lambda entry, later: None,
    "calls": lambda entry: None,
    "reply": lambda command, entries: "It counts, but the game can't say what it did.",
}
"""The plain values that take the place of what only presents: of functions by capability, and of
methods of entries and commands.
"""

SHAPES: Mapping[str, type | tuple[type, ...] | list[type]] = {
    "commands.board": BoardView,
    "setup.steps": [StepView],
    "setup.first": [StepView],
    "words": Mapping,
    "prompts": [PromptView],
    "follow_ups": [FollowUpView],
    "sentence": str,
    "heading": str,
    "begins_phase": str,
    "merged": (Entry, type(None)),
    "calls": (Call, type(None)),
    "reply": str,
}
"""What these return, since each view of the table is made with it; a list: several of that type."""

MOVES = ("holdings.gain", "holdings.spend", "holdings.correct", "trade.settle")
"""The functions that say which goods move. What they return is recorded."""


class Misshapen(TypeError):
    """A game says of goods that move what can't be recorded. The message names the game."""


class blamed:
    """Name the game and where it happened in an error of this block, and log the block if it is
    slow.
    """

    def __init__(self, game: str, where: str) -> None:
        self._game, self._where = game, where

    def __enter__(self) -> None:
        self._begun = _now()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        refused = isinstance(error, Refused | SecretViolation)
        if error is not None and not refused and not getattr(error, "__notes__", ()):
            error.add_note(f"in the game {self._game}: {self._where}")
        _log_if_slow(self._game, self._where, self._begun)


class _Clock(threading.local):
    """When this thread's processor time was last read, and what it was."""

    at = 0.0
    used = 0.0


_clock = _Clock()


def _now() -> tuple[float, float]:
    """Return the time, and the processor time of this thread, up to `CLOCK_STALE_AFTER` old.

    Reading the latter is a system call, which may take a hundred times as long as the former.
    """
    at = perf_counter()
    if at - _clock.at > CLOCK_STALE_AFTER:
        _clock.at, _clock.used = at, thread_time()
    return at, _clock.used


def _log_if_slow(
    game: str, place: str, begun: tuple[float, float], args: Sequence[object] = ()
) -> None:
    at, used = begun
    limit = SLOW_PICTURE if place == "draw" else SLOW
    if perf_counter() - at > limit and (taken := thread_time() - used) > limit:
        where = _named(place, args)
        log.warning("the game %s is slow: %s took %d ms", game, where, int(taken * 1000))


def presented(game: str, method: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Return what a method of an entry, a command or the features presents, or else plain words."""
    bound: Any = method
    shown: T = _presented(game, method.__name__, bound.__func__, bound.__self__, *args, **options)
    return shown


def safely(game: str, plain: T, make: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Return what the core makes of what a game returned; ``plain``, and a line in the log, if that
    fails.
    """
    try:
        return make(*args, **options)
    except (Refused, SecretViolation):
        raise
    except Exception:
        log.exception(FAILED, game, make.__name__)
        return plain


def presenting(game: Game) -> Game:
    """Return the game in which plain words take the place of what its functions can't present."""
    return _with_guards(game, FALLBACKS, _presented)


def checking(game: Game) -> Game:
    """Return the game in which the functions of `MOVES` raise `Misshapen` rather than return what
    can't be recorded.
    """
    return _with_guards(game, MOVES, _moved)


def _with_guards(game: Game, places: Iterable[str], guarded: Callable[..., Any]) -> Game:
    """Return the game with these of its functions called through ``guarded``, which is given the
    game's id, the place and the function first.
    """
    changes: dict[str, Any] = {}
    for where in places:
        capability, _, function = where.rpartition(".")
        record = changes.get(capability, getattr(game, capability)) if capability else game
        call = getattr(record, function, None)
        if call is None or call is getattr(type(record), function, None):
            continue  # the game does not have it, or what everybody has by default
        call = wraps(call)(partial(guarded, game.info.id, where, call))
        if capability:
            changes[capability] = replace(record, **{function: call})
        else:
            changes[function] = call
    return replace(game, **changes)


def _presented(game: str, place: str, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    begun = _now()
    try:
        shown = call(*args, **options)
        if isinstance(shown, Iterator):
            shown = list(shown)  # a generator fails only while it runs
        if place in SHAPES:
            _require_shape(SHAPES[place], shown)
        return shown
    except (Refused, SecretViolation):
        raise
    except Exception:
        log.exception(FAILED, game, _named(place, args))
        return FALLBACKS[place](*args)
    finally:
        _log_if_slow(game, place, begun, args)


def _named(place: str, args: Sequence[object]) -> str:
    """Return the place in a game, after the name of the entry or command whose method it is."""
    if args and isinstance(args[0], Command | Entry | Features):
        return f"{type(args[0]).__name__}.{place}"
    return place


def _require_shape(shape: type | tuple[type, ...] | list[type], shown: Any) -> None:
    """Raise ``TypeError`` for what is not of this shape."""
    for each in shown if isinstance(shape, list) else [shown]:
        if not isinstance(each, shape[0] if isinstance(shape, list) else shape):
            raise TypeError(f"it returned a {type(each).__name__}")


# ---------------------------------------------------------------- goods that move


def _moved(game: str, where: str, call: Callable[..., Any], table: Table, *args: Any) -> Any:
    """Return which goods move. Raises `Misshapen` if the ledger can't record that."""
    moved = call(table, *args)
    kind = Settlement if where == "trade.settle" else Moves
    if not isinstance(moved, kind):
        raise Misshapen(f"{where} of the game {game} returned {_a(moved)}, not {kind.__name__}")
    for name in ("changes", "hidden"):
        if wrong := _wrong_changes(table, getattr(moved, name)):
            raise Misshapen(f"{where} of the game {game} returned {wrong} in `{name}`")
    return moved


def _wrong_changes(table: Table, changes: Any) -> str:
    """Return what is wrong with the changes by seat; empty for nothing. A seat may be left out."""
    if not isinstance(changes, Mapping):
        return _a(changes)
    for seat, change in changes.items():
        if seat not in table.seats:
            return f"a seat {seat!r} that the table does not have"
        if not isinstance(change, Change):
            return f"{_a(change)} for {seat}"
        for goods in (change.lost, change.gained, change.entered_play, change.left_play):
            if not isinstance(goods, Goods):
                return f"{_a(goods)} among the goods of {seat}"
    return ""


def _a(value: object) -> str:
    """Return the type of a value in words. The value itself may be secret."""
    return f"a {type(value).__name__}"
