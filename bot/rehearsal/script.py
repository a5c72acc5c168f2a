"""A play as plain frozen values. tests/plays/README.md describes the language; `grammar` parses
it.
"""

from __future__ import annotations

import re

from bot.rules.model.values import frozen

NAME = r"[^\W\d_](?:[\w-]*\w)?"
"""The pattern of a person's name."""
_MENTION = re.compile(rf"(?<![\w@/])@(?!(?:everyone|here)\b)({NAME})")


@frozen
class Option:
    """One ``name:value`` of a command as typed. The command's description decides its type."""

    name: str
    value: str


@frozen
class Slash:
    """``/command sub option:value``, typed in the game channel.

    ``in_dm``: in the DM with the bot instead; ``in_thread``: in the newest thread this person can
    see.
    """

    path: str
    options: tuple[Option, ...]
    in_dm: bool = False
    in_thread: bool = False


@frozen
class Say:
    """``says "TEXT"``, written in the game channel; ``in_dm`` and ``in_thread`` as in `Slash`.

    ``@name`` mentions a person, and ``@Bourse`` the bot.
    """

    text: str
    in_dm: bool = False
    in_thread: bool = False


@frozen
class PressStep:
    """``press "LABEL"``; with ``on "TEXT"``, on the newest message that also contains the text."""

    label: str
    on: str | None = None


@frozen
class Pick:
    """``menu "NAME" on @bob`` or ``on "TEXT"``: a user command, or a message command on the newest
    such message.
    """

    name: str
    on: str


@frozen
class Choose:
    """``choose "A", "B"``; with ``from "PLACEHOLDER"``, in the select with that placeholder."""

    labels: tuple[str, ...]
    placeholder: str | None = None


@frozen
class Fill:
    """``fill "FIELD": "A", "B"``: sets a field of the open modal."""

    field: str
    values: tuple[str, ...]


@frozen
class Submit:
    """``submit``: sends the open modal."""


@frozen
class Type:
    """``type "TEXT" in OPTION of /command ...``: asks for autocomplete."""

    text: str
    option: str
    command: Slash


@frozen
class Dms:
    """``closes dms`` and ``opens dms``."""

    open: bool


@frozen
class OnServer:
    """``leaves server`` and ``joins server``."""

    member: bool


Action = Slash | Say | PressStep | Pick | Choose | Fill | Submit | Type | Dms | OnServer
"""What a person can do."""


@frozen
class Act:
    """``NAME: ACTION``: a person does something."""

    who: str
    action: Action


@frozen
class WaitStep:
    """``wait 5m``. In seconds."""

    seconds: int


@frozen
class Restart:
    """``restart``: drop the bot without closing it, and start a new one on the same database."""


@frozen
class Moderators:
    """``moderators: carol, dave``: they have Manage Server from here on."""

    names: tuple[str, ...]


@frozen
class Permission:
    """``bot: loses "Send Messages"`` and ``bot: gets "Send Messages"``, in the game channel."""

    name: str
    granted: bool


StepAction = Act | WaitStep | Restart | Moderators | Permission
"""An action at the margin."""


@frozen
class ExactText:
    """A text that must occur exactly as written."""

    text: str

    def found_in(self, reading: str) -> bool:
        """Return whether it occurs there."""
        return self.text in reading

    def __str__(self) -> str:
        return f'"{self.text}"'


@frozen
class Pattern:
    """A regular expression that must match; ``^`` and ``$`` match at the ends of a line."""

    pattern: str

    def found_in(self, reading: str) -> bool:
        """Return whether it matches there."""
        return re.search(self.pattern, reading, re.MULTILINE) is not None

    def __str__(self) -> str:
        return f"/{self.pattern}/"


Sought = ExactText | Pattern


@frozen
class Sees:
    """``sees ...`` (with ``who`` None, about the reply to the person who acted) and ``bob sees
    ...``.
    """

    who: str | None
    sought: Sought


@frozen
class NeverSees:
    """``bob never sees ...``."""

    who: str
    sought: Sought


@frozen
class SeesNothing:
    """``bob sees nothing``."""

    who: str


@frozen
class IsRefused:
    """``refused`` and ``refused 94.1``."""

    rule: str | None


@frozen
class RecordsEntries:
    """``records KIND``; ``kind`` is None for ``records nothing``."""

    kind: str | None


@frozen
class Has:
    """``bob has "LABEL"`` and ``bob has no "LABEL"``."""

    who: str
    label: str
    wanted: bool


@frozen
class Pictured:
    """``pictured``: an image arrived that can be decoded."""


Condition = Sees | NeverSees | SeesNothing | IsRefused | RecordsEntries | Has | Pictured
"""What an expectation can require."""


@frozen
class Expectation:
    """One indented line: what must hold after the action above it."""

    line: int
    text: str
    condition: Condition


@frozen
class PlayStep:
    """One line at the margin, with the expectations under it."""

    line: int
    text: str
    action: StepAction
    expectations: tuple[Expectation, ...] = ()


@frozen
class Play:
    """A whole play. ``database`` is ``postgres`` or ``sqlite``, None when the play runs on either.

    ``chance`` is the word from which everything is drawn; the same word draws the same.
    """

    file: str
    rules: tuple[str, ...]
    database: str | None
    steps: tuple[PlayStep, ...]
    chance: str = "play"


class PlayError(Exception):
    """A play's line that cannot be parsed. The text names file and line and shows the forms that
    would be understood.

    Line 0 stands for the whole file.
    """

    def __init__(
        self, file: str, line: int, text: str, reason: str, forms: tuple[str, ...] = ()
    ) -> None:
        self.file = file
        self.line = line
        self.text = text
        self.reason = reason
        self.forms = forms
        hint = "".join(f"\n    {form}" for form in forms)
        hint = f"\n  Try:{hint}" if hint else ""
        where = f"{file}:{line}" if line else file
        quoted = f"\n  {text.strip()}" if line else ""
        super().__init__(f"{where}: {reason}{quoted}{hint}")


# ---------------------------------------------------------------- people in its texts


def people_in(text: str) -> tuple[str, ...]:
    """Return the names written ``@name`` in a text, in order, each once, without ``@everyone`` and
    ``@here``.
    """
    names = (match.group(1) for match in _MENTION.finditer(text))
    return tuple(dict.fromkeys(name for name in names if name == name.lower()))


def with_people(text: str, replacements: dict[str, str]) -> str:
    """Replace each ``@name`` in a text by its replacement; other names stay."""
    return _MENTION.sub(lambda match: replacements.get(match.group(1), match.group(0)), text)
