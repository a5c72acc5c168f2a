"""Tests that no regular expression takes quadratic time for typed text.

How long a search takes can't be counted, so this looks at how each pattern is made. Two things make
one quadratic: it begins with a repeat and is tried at every place (`\\s+x` in a text of spaces), or
two repeats beside each other take the same characters (`.+\\s+x`).
"""

from __future__ import annotations

import ast
import importlib
import re._compiler as compiler
import re._constants as codes
import re._parser as parser
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("bot/rules", "bot/show", "bot/delivery", "bot/service", "bot/exports", "cogs", "data")
"""Where text from people is read; the rehearsal, the command line and the settings read their
owner's.
"""

ANCHORED = ("match", "fullmatch")
SAMPLE = " \n\tax1_.,;:-+()<>@é\u2003"
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


class Item(NamedTuple):
    """A part of a pattern, as Python's parser has it; ``optional``: which group it is in that may
    be left out, or 0.
    """

    code: Any
    value: Any
    optional: int = 0


class Found(NamedTuple):
    """A pattern in the sources, with its flags, and the methods by which it is used."""

    where: str
    pattern: str
    flags: int
    ways: frozenset[str]

    @property
    def searched(self) -> bool:
        """Whether it is tried at every place of a text."""
        return not self.ways <= {*ANCHORED}

    @property
    def whole(self) -> bool:
        """Whether it must take all of a text."""
        return "fullmatch" in self.ways


def patterns() -> Iterator[Found]:
    """Yield the patterns that are written in the sources, as they are once their module is
    imported.
    """
    for path in chain.from_iterable(sorted((ROOT / folder).rglob("*.py")) for folder in FOLDERS):
        source = path.read_text(encoding="utf-8")
        if "import re\n" not in source:
            continue
        tree = ast.parse(source)
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        space = vars(importlib.import_module(name))
        uses = _uses(tree)
        for call in ast.walk(tree):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=how),
                    args=[first, *more],
                    keywords=kw,
                ):
                    given = [
                        *(each.value for each in kw if each.arg == "flags"),
                        *more[: how == "compile"],
                    ]
                    flags = int(_evaluated(given[0], space)) if given else 0
                    ways = (
                        uses.get(id(call), frozenset({"search"}))
                        if how == "compile"
                        else frozenset({how})
                    )
                    yield Found(
                        f"{path.relative_to(ROOT)}:{call.lineno}",
                        _evaluated(first, space),
                        flags,
                        ways,
                    )


def _uses(tree: ast.Module) -> dict[int, frozenset[str]]:
    """Return by which methods compiled patterns are used, by the id of the call that compiles
    them.
    """
    names: dict[str, set[str]] = {}
    found: dict[int, frozenset[str]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=method):
                names.setdefault(name, set()).add(method)
            case ast.Attribute(value=ast.Call() as call, attr=method):  # re.compile(...).match
                found[id(call)] = frozenset({method})
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                if name in names:
                    found[id(call)] = frozenset(names[name])
    return found


def _evaluated(node: ast.expr, space: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "pattern", "eval"), space)


# ---------------------------------------------------------------- how a pattern is made


def faults(found: Found) -> list[str]:
    """Return what makes a pattern quadratic."""
    parsed = parser.parse(found.pattern, found.flags)
    faults = set[str]()
    for items in _sequences(parsed):
        faults.update(_faults_of(items, parsed.state, found))
    return sorted(faults)


def _faults_of(items: list[Item], state: Any, found: Found) -> Iterator[str]:
    repeats = [place for place, item in enumerate(items) if _unbounded(item)]
    if found.searched and 0 in repeats and _can_fail(items[1:], items[0]):
        yield "begins with a repeat"
    for place, beside in combinations(repeats, 2):
        one, other = items[place], items[beside]
        first, second = (_characters(each, state, found.flags) for each in (one, other))
        fails = _can_fail(items[beside + 1 :], one, other)
        fails = fails or (found.whole and second != {*SAMPLE})
        if fails and not _can_fail(items[place + 1 : beside], one, other) and first & second:
            yield "has two repeats of the same beside each other"
    for place in repeats:  # what a repeat repeats is a pattern too
        for inner in _sequences(items[place].value[2]):
            if len(inner) > 1:
                yield from _faults_of(inner, state, found._replace(ways=frozenset({"match"})))


def _sequences(items: Iterable[tuple[Any, Any]]) -> Iterator[list[Item]]:
    """Yield a pattern as the sequences it may stand for, without its groups and alternatives."""
    ways: list[list[list[Item]]] = []
    for code, value in items:
        match code, value:
            case codes.SUBPATTERN, (*_, inner):
                ways.append(list(_sequences(inner)))
            case codes.BRANCH, (_, branches):
                ways.append(list(chain.from_iterable(map(_sequences, branches))))
            case _, (0, 1, inner) if code in REPEATS:
                ways.append([_optional(items, inner) for items in _sequences(inner)])
            case _:
                ways.append([[Item(code, value)]])
    for parts in product(*ways):
        yield list(chain.from_iterable(parts))


def _optional(items: list[Item], group: Any) -> list[Item]:
    """Mark those that aren't marked yet as missing or there together."""
    return [item._replace(optional=item.optional or id(group)) for item in items]


def _unbounded(item: Item) -> bool:
    return item.code in REPEATS and item.value[1] is codes.MAXREPEAT


def _can_fail(items: Iterable[Item], *beside: Item) -> bool:
    """Return whether any of these needs a character, as far as what is ``beside`` them is not left
    out.
    """
    inside = {0, *(each.optional for each in beside)}
    return any(
        each.optional in inside and not (each.code in REPEATS and each.value[0] == 0)
        for each in items
    )


def _characters(item: Item, state: Any, flags: int) -> set[str]:
    """Return the characters of the sample of which a repeat may take one."""
    one = compiler.compile(parser.SubPattern(state, list(item.value[2])), flags)  # type: ignore[arg-type]
    return {letter for letter in SAMPLE if one.match(letter)}


# ---------------------------------------------------------------- the tests

EVERY = list(patterns())


def test_there_are_patterns() -> None:
    assert len(EVERY) > 30
    assert len([each for each in EVERY if each.searched]) > 15


def test_no_pattern_takes_the_square_of_a_text() -> None:
    for each in EVERY:
        assert faults(each) == [], (each.where, each.pattern)


def test_what_is_quadratic_is_told_from_what_is_not(subtests: pytest.Subtests) -> None:
    for pattern, way, quadratic in [
        (r"\s+(?=<@)", "split", True),
        (r"\s+(?=<@)", "match", False),
        (r"(?<!\s)\s+(?=<@)", "split", False),
        (r"\s*\([^()]*\)", "sub", True),
        (r"[,;]|\s*x", "search", True),
        (r"(?:\s*)x", "finditer", True),
        (r"\s+", "sub", False),
        (r"[^A-Z]+", "sub", False),
        (r"a.*b", "search", False),
        (r"(a+x)?", "search", True),
        (r"(.+?)\s+x", "match", True),
        (r"(.*?\S)\s+x", "match", False),
        (r"\d+\s*x?\s*y", "match", True),
        (r"\d+\s*x?\s*", "match", False),
        (r"\d+\s*x?\s*", "fullmatch", True),
        (r"\d+\s*,\s*y", "match", False),
        (r"(a\s*)?\s*b", "match", True),
        (r"\s*(.*)", "fullmatch", True),
        (r"(?s)\s*(.*)", "fullmatch", False),
        (r"\d+(?: of \d+)?x", "match", False),
        (r"\s*(?:\([^()]*\))?", "fullmatch", False),
    ]:
        with subtests.test(f"{pattern} {way}"):
            assert bool(faults(Found("", pattern, 0, frozenset({way})))) is quadratic
