"""A play as written, in plain frozen values. The language stands in tests/plays/README.md; `grammar` reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass

NAME = r"[^\W\d_](?:[\w-]*\w)?"
"""What a person's name looks like."""
_MENTION = re.compile(rf"(?<![\w@/])@(?!(?:everyone|here)\b)({NAME})")


@dataclass(frozen=True, slots=True)
class Option:
    """One ``name:value`` of a command, as typed. What it becomes depends on the command's own description."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Slash:
    """``/command sub option:value``; ``in_dm`` when it is typed to the bot in private, ``in_thread`` in the newest
    thread this person can see.
    """

    path: str
    options: tuple[Option, ...]
    in_dm: bool = False
    in_thread: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """``press "LABEL"``, with ``on "TEXT"`` the newest message that also holds the text."""

    label: str
    on: str | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """``choose "A", "B"``, with ``from "PLACEHOLDER"`` in the select so labelled."""

    labels: tuple[str, ...]
    placeholder: str | None = None


@dataclass(frozen=True, slots=True)
class Fill:
    """``fill "FIELD": "A", "B"``: sets a field of the open modal."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Submit:
    """``submit``: sends the open modal."""


@dataclass(frozen=True, slots=True)
class Type:
    """``type "TEXT" in OPTION of /command ...``: asks for autocomplete."""

    text: str
    option: str
    command: Slash


@dataclass(frozen=True, slots=True)
class Dms:
    """``closes dms`` and ``opens dms``."""

    open: bool


Deed = Slash | Press | Choose | Fill | Submit | Type | Dms


@dataclass(frozen=True, slots=True)
class Act:
    """``NAME: ACTION``: somebody does something."""

    who: str
    deed: Deed


@dataclass(frozen=True, slots=True)
class Wait:
    """``wait 5m``. In seconds."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Restart:
    """``restart``: the bot is thrown away and a new one starts on the same database."""


@dataclass(frozen=True, slots=True)
class Moderators:
    """``moderators: carol, dave``: they have Manage Server from here on."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A text that must stand in what is read, letter for letter."""

    text: str

    def found_in(self, reading: str) -> bool:
        """Say whether it stands there."""
        return self.text in reading

    def __str__(self) -> str:
        return f'"{self.text}"'


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that must be found in what is read; ``^`` and ``$`` are the ends of a line."""

    pattern: str

    def found_in(self, reading: str) -> bool:
        """Say whether it is found there."""
        return re.search(self.pattern, reading, re.MULTILINE) is not None

    def __str__(self) -> str:
        return f"/{self.pattern}/"


Sought = Text | Pattern


@dataclass(frozen=True, slots=True)
class Sees:
    """``sees ...`` (``who`` is None: the reply to the person who acted) and ``bob sees ...``."""

    who: str | None
    sought: Sought


@dataclass(frozen=True, slots=True)
class NeverSees:
    """``bob never sees ...``."""

    who: str
    sought: Sought


@dataclass(frozen=True, slots=True)
class SeesNothing:
    """``bob sees nothing``."""

    who: str


@dataclass(frozen=True, slots=True)
class IsRefused:
    """``refused`` and ``refused 94.1``."""

    rule: str | None


@dataclass(frozen=True, slots=True)
class Records:
    """``records KIND``; ``kind`` is None for ``records nothing``."""

    kind: str | None


@dataclass(frozen=True, slots=True)
class Has:
    """``bob has "LABEL"`` and ``bob has no "LABEL"``."""

    who: str
    label: str
    wanted: bool


@dataclass(frozen=True, slots=True)
class Pictured:
    """``pictured``: an image came that decodes."""


Hope = Sees | NeverSees | SeesNothing | IsRefused | Records | Has | Pictured


@dataclass(frozen=True, slots=True)
class Expectation:
    """One indented line: what must hold after the action above it."""

    line: int
    text: str
    hope: Hope


@dataclass(frozen=True, slots=True)
class Step:
    """One line at the margin, with the expectations under it."""

    line: int
    text: str
    deed: Act | Wait | Restart | Moderators
    expectations: tuple[Expectation, ...] = ()


@dataclass(frozen=True, slots=True)
class Play:
    """A whole play. ``database`` is None where the play does not care, else ``postgres`` or ``sqlite``."""

    file: str
    rules: tuple[str, ...]
    database: str | None
    steps: tuple[Step, ...]


class PlayError(Exception):
    """A line of a play that cannot be read. Its text is whole sentences that begin with ``file:line``."""

    def __init__(self, file: str, line: int, text: str, why: str, understood: tuple[str, ...] = ()) -> None:
        self.file = file
        self.line = line
        self.text = text
        self.why = why
        self.understood = understood
        hint = "".join(f"\n    {form}" for form in understood)
        hint = f"\n  This would have been understood:{hint}" if hint else ""
        super().__init__(f"{file}:{line}: {why}\n  {text.strip()}{hint}")


# ---------------------------------------------------------------- people in its texts


def people_in(text: str) -> tuple[str, ...]:
    """Give the names written ``@name`` in a text, in order, each once; not ``@everyone`` and ``@here``."""
    names = (match.group(1) for match in _MENTION.finditer(text))
    return tuple(dict.fromkeys(name for name in names if name == name.lower()))


def with_people(text: str, of: dict[str, str]) -> str:
    """Put for every ``@name`` of a text what ``of`` gives for the name; names it lacks stay as they are."""
    return _MENTION.sub(lambda match: of.get(match.group(1), match.group(0)), text)
