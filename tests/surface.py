"""What a game's author may use: each name of `bot.api` with its modules, and of `bot.testing`.

    python -m tests.surface

writes `surface.txt`: a line for each name, with its parameters (``=``: may be left out) and the
further public members of a class. While `API` is 1, a line may get more names, which those who
wrote a game can do without, and loses none.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot import api, testing
from bot.api import Entry, chance, pictures
from bot.api import discord as for_cogs

FILE = Path(__file__).with_suffix(".txt")
EMPTY = inspect.Parameter.empty


def surface() -> Iterator[str]:
    """Yield the lines, in alphabetical order for each namespace."""
    yield f"bot.api.API = {api.API}"
    for namespace in (api, chance, for_cogs, pictures, testing):
        for name in sorted(namespace.__all__):
            yield from _described(f"{namespace.__name__}.{name}", getattr(namespace, name))


def _described(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        parameters = _parameters(value)
        known = set(parameters.strip("()").replace("=", "").split(", "))
        more = (each for each in dir(value) if each not in known and _is_ours(value, each))
        members = (
            f"{each}{_parameters(inspect.getattr_static(value, each))}" for each in sorted(more)
        )
        yield f"{name}{parameters}: {' '.join(members)}".rstrip(": ")
    elif not inspect.ismodule(value):
        yield f"{name}{_parameters(value)}"


def _is_ours(kind: type, member: str) -> bool:
    """Return whether a public member of a class comes from this program, not from a package."""
    owner = next((each for each in kind.__mro__ if member in vars(each)), object)
    return (
        not member.startswith("_")
        and not member.startswith("model_")
        and owner.__module__.startswith("bot.")
    )


def _parameters(value: Any) -> str:
    """Return the parameters by name; ``=`` for those that may be left out. Empty where there is no
    signature.
    """
    if inspect.isclass(value) and issubclass(value, Entry):  # pydantic makes its signature late
        fields = value.model_fields.items()
        return (
            "(*, "
            + ", ".join(name if each.is_required() else f"{name}=" for name, each in fields)
            + ")"
        )
    function = getattr(value, "__func__", value)  # of a static or class method
    if not inspect.isclass(value) and not inspect.isfunction(function):
        return ""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    names, keyword = list[str](), False
    for each in signature.parameters.values():
        if each.kind is inspect.Parameter.KEYWORD_ONLY and not keyword:
            names.append("*")
            keyword = True
        keyword = keyword or each.kind is inspect.Parameter.VAR_POSITIONAL
        names.append(f"{stars.get(each.kind, '')}{each.name}{'' if each.default is EMPTY else '='}")
    return f"({', '.join(names)})"


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for line in surface()), encoding="utf-8")
