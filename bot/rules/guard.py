"""Where calls into a game pass: every function of an installed game is wrapped once, when the game
is loaded.

A call that takes more processor time than `SLOW` is a warning with game, capability and
milliseconds, since nobody gets an answer meanwhile. An error carries game and capability as a note.
Where a function only presents, what it presents is recorded already: the error is logged, and the
plain value in `FALLBACKS` takes the place of the game's.

A call that does not end would hold the whole bot. After `CUT` it is interrupted by a signal, which
only the main thread gets: there it fails with `TooSlow`, like any other error.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import fields, is_dataclass, replace
from functools import cache, wraps
from threading import get_ident, main_thread
from time import thread_time
from types import FrameType, GeneratorType
from typing import Any

from bot.rules.game import Game
from bot.rules.model.goods import NOTHING, plainly
from bot.rules.model.violation import Refused, SecretViolation
from bot.rules.views import BoardView

log = logging.getLogger(__name__)

SLOW = 0.05
"""The most processor time that a call into a game should take, in seconds. Time that others use
does not count.
"""

CUT = 2.0
"""The processor time of the process after which a call into a game is interrupted, in seconds."""

OURS = ("bot.rules.", "bot.api.")
"""The beginnings of the modules whose functions are not a game's own."""

METHODS = ("decide", "reply"), ("apply", "sentence", "heading", "merged", "calls", "redacted")
"""The methods of a game's commands and entries that are wrapped."""

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
    "features.prompts": lambda table: (),
    "features.follow_ups": lambda table, entry: (),
    "proposals": lambda view, partner: (),
    "public": lambda table: None,
    "words": lambda table: {},
    "draw": lambda public: b"",
    "matches": lambda wants, gives, both: False,
    "match_keys": lambda goods: (),
    "typed": lambda entries, at, seat: None,
    "sentence": lambda entry, ruler: (
        f"{entry.kind} is recorded. It counts, but its game can't say what it did."
    ),
    "heading": lambda entry: "",
    "merged": lambda entry, later: None,
    "calls": lambda entry: None,
    "reply": lambda command, entries: "It counts, but the game can't say what it did.",
}
"""The plain values that take the place of functions that only present, by capability."""


DRAWING = 0.25
"""As `SLOW`, for pictures: they are drawn in a thread."""

TOO_SLOW = 250
"""The most processor time that a call may take where a game is checked, in milliseconds."""


class TooSlow(Exception):
    """A call into a game took too long."""


_watching: list[list[str]] = []
"""The lists of those who check games now."""


@contextmanager
def watched() -> Iterator[list[str]]:
    """Yield a list to which a sentence is added for each call that fails or takes more than
    `TOO_SLOW`; none is logged.

    A call that takes more raises `TooSlow`, to end the check. For those who check a game, alone in
    their process.
    """
    findings: list[str] = []
    _watching.append(findings)
    try:
        yield findings
    finally:
        _watching.pop()


def guarded(game: Game) -> Game:
    """Return the game with its functions wrapped. The methods of its commands and entries are
    wrapped in place.
    """
    id, changes = game.info.id, dict[str, Any]()
    for each in fields(game):
        value = getattr(game, each.name)
        if is_dataclass(value) and not isinstance(value, type):
            found = {one.name: getattr(value, one.name) for one in fields(value)}
            calls = {
                name: _wrapped(id, f"{each.name}.{name}", call)
                for name, call in found.items()
                if _is_own(call)
            }
            changes[each.name] = replace(value, **calls) if calls else value
        elif _is_own(value):
            changes[each.name] = _wrapped(id, each.name, value)
    for kinds, methods in zip(
        (game.features.commands, game.features.entries), METHODS, strict=True
    ):
        for kind in kinds:
            for method in methods:
                _wrap_method(id, kind, method)
    for entry in game.features.entries:
        if reads := vars(entry).get("reads"):
            entry.reads = {
                written: call
                if call is None or hasattr(call, "guarded")
                else _wrapped(id, "reads", call, entry.__name__)
                for written, call in reads.items()
            }
    features = copy(game.features)  # with the same class of the state
    # each as one: `after` is called for each entry
    for name in ("after", "brings", "prompts", "follow_ups"):
        setattr(features, name, _wrapped(id, f"features.{name}", getattr(features, name)))
    return replace(game, **changes, features=features)


def _is_own(value: object) -> bool:
    """Return whether this is a function of the game: neither a class nor what `bot.rules.game` has
    by default.
    """
    return (
        callable(value)
        and not isinstance(value, type)
        and getattr(value, "__module__", "") != Game.__module__
    )


def _wrap_method(id: str, kind: type, name: str) -> None:
    owner = next(each for each in kind.__mro__ if name in vars(each))
    method = vars(owner)[name]
    if not owner.__module__.startswith(OURS) and not hasattr(method, "guarded"):
        setattr(owner, name, _wrapped(id, name, method, owner.__name__))


def _wrapped(
    id: str, capability: str, call: Callable[..., Any], owner: str = ""
) -> Callable[..., Any]:
    """Return the function with its time and its errors watched. A generator is run to its end."""
    fallback, named = FALLBACKS.get(capability), f"{owner}.{capability}" if owner else capability

    @wraps(call)
    def called(*args: Any, **options: Any) -> Any:
        outermost = get_ident() == _MAIN and not _within and _can_interrupt()
        begun = thread_time()
        try:
            if outermost:
                _within.append(call)
                # again, if the game catches every error
                signal.setitimer(signal.ITIMER_VIRTUAL, CUT, CUT)
            result = call(*args, **options)
            return list(result) if type(result) is GeneratorType else result
        except (Refused, SecretViolation):
            raise
        except Exception as error:
            if not getattr(error, "__notes__", ()):
                error.add_note(f"in the game {id}: {named}")
            if fallback is None:
                raise
            failed = f"the game {id} failed in {named}; what it should have shown counts"
            if _watching:
                _watching[-1].append(f"{failed} ({error!r}).")
            else:
                log.exception(failed)
            return fallback(*args)
        finally:
            if outermost:
                _within.clear()
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            if (taken := thread_time() - begun) > (DRAWING if capability == "draw" else SLOW):
                ms = int(taken * 1000)
                slow = f"the game {id} is slow: {named} took {ms} ms"
                if not _watching:
                    log.warning(slow)
                elif ms > TOO_SLOW:
                    _watching[-1].append(
                        f"{slow}, and {TOO_SLOW} ms of processor time are the most."
                    )
                    raise TooSlow(slow)

    called.guarded = True  # type: ignore[attr-defined]  # it is not wrapped twice
    return called


# ---------------------------------------------------------------- calls that do not end

_within: list[object] = []
"""The outermost call into a game that the main thread is in; empty for none."""

_MAIN = main_thread().ident


@cache
def _can_interrupt() -> bool:
    """Handle the signal of the timer, and return whether there is one. For the main thread."""
    if not hasattr(signal, "setitimer"):  # on Windows
        return False
    signal.signal(signal.SIGVTALRM, _interrupt)
    return True


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    if _within:  # it may come when the call has just ended
        raise TooSlow(f"interrupted after {CUT:g} s of processor time")
