"""Every way to write goods, drawn by hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from bot.rules.shorthand import NUMBER_WORDS

BETWEEN = (", ", ",", "+", " + ", " & ", "&", " and ", ", and ", "\n", "; ", " AND ")
"""What people put between two goods."""

Named = tuple[str, int, bool]
"""One component: its name, how many, and whether a number may stand before it."""


def counted(name: str, count: int) -> list[str]:
    """Every way to say so many of a thing."""
    words = [word for word, number in NUMBER_WORDS.items() if number == count]
    ways = [f"{number} {name}" for number in (count, *words)]
    ways += [f"{count}x {name}", f"{count} x {name}", f"{name} x{count}"]
    if words:
        ways.append(f"{words[-1].title()} {name}")
    if count == 1:
        ways.append(name)
    return ways


CASES: tuple[Callable[[str], str], ...] = (str, str.lower, str.upper)


@st.composite
def written(draw: st.DrawFn, parts: Sequence[Named], between: Sequence[str] = BETWEEN) -> str:
    """These components in any order and writing, with anything that separates between them."""
    said = []
    for name, count, numbered in draw(st.permutations(parts)):
        way = draw(st.sampled_from(counted(name, count) if numbered else [name]))
        case = draw(st.sampled_from(CASES))
        said.append(case(way))
    text = said[0] if said else "nothing"
    for more in said[1:]:
        text += draw(st.sampled_from(between)) + more
    return text
