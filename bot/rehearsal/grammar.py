"""The grammar of plays: parses a play's text. tests/plays/README.md describes the language.

Nothing here runs anything: `read_play` returns the whole play or raises `PlayError`, which names the file and line and
shows the forms that would be understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import discord

from bot.rehearsal.cursor import Cursor, LineError
from bot.rehearsal.script import (
    NAME,
    Act,
    Action,
    Choose,
    Condition,
    Dms,
    Expectation,
    Fill,
    Has,
    IsRefused,
    Moderators,
    NeverSees,
    Option,
    Permission,
    Pick,
    Pictured,
    Play,
    PlayError,
    PressStep,
    RecordsEntries,
    Restart,
    Sees,
    SeesNothing,
    Slash,
    Step,
    StepAction,
    Submit,
    Type,
    Wait,
)

_PERSON = re.compile(NAME)
_MENTION = re.compile(f"@{NAME}")
_WORD = re.compile(r"[^\s:\"]+")
_BARE = re.compile(r"[^\s\"]+")
_RULE = re.compile(r"[^\s\",#]+(?: [^\s\",#]+)*")  # 94.1, 94 note 3.1, a card's name
_OPTION = re.compile(r"([^\s:\"/@]+):")
_SPAN = re.compile(r"(\d+)([smhd])(?!\w)")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}

_COMMAND_FORMS = (
    '/command sub option:value option:"two words" player:@bob',
    "in dm /command ...",
    "in thread /command ...",
)
_ACTION_FORMS = (
    *_COMMAND_FORMS,
    'press "LABEL"',
    'press "LABEL" on "TEXT"',
    'menu "NAME" on @bob',
    'menu "NAME" on "TEXT"',
    'choose "A", "B"',
    'choose "A" from "PLACEHOLDER"',
    'fill "FIELD": "A", "B"',
    "submit",
    'type "TEXT" in OPTION of /command ...',
    "closes dms",
    "opens dms",
)
_MARGIN_FORMS = (
    "name: ACTION",
    "wait 5m",
    "restart",
    "moderators: carol, dave",
    'bot: loses "Send Messages"',
    'bot: gets "Send Messages"',
    "rules: 94.1, 69.1",
    "database: postgres",
    "chance: WORD",
    "# a comment",
)
_EXPECTATION_FORMS = (
    'sees "TEXT"',
    "sees /REGEX/",
    'bob sees "TEXT"',
    "bob sees /REGEX/",
    "bob sees nothing",
    'bob never sees "TEXT"',
    "refused 94.1",
    "refused",
    "records KIND",
    "records nothing",
    'bob has "LABEL"',
    'bob has no "LABEL"',
    "pictured",
)
_SETTINGS = ("rules", "database", "chance", "moderators")
_NO_NAMES = {*_SETTINGS, "bot", "wait", "restart"}
_DATABASES = ("sqlite", "postgres")


def read_file(path: Path) -> Play:
    """Parse a play file.

    Raises `PlayError` when the file cannot be read, or one of its lines not parsed.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PlayError(str(path), 0, "", f"The file cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise PlayError(str(path), line, "", "The file is not UTF-8 text.") from error
    return read_play(text, str(path))


def read_play(text: str, file: str = "play") -> Play:
    """Parse a play's text. ``file`` is its name in errors and reports.

    Raises `PlayError` at the first line that is not in the language.
    """
    return _Reader(file).play(text)


# ---------------------------------------------------------------- the whole play


class _Reader:
    """Parses a play line by line."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.rules: list[str] = []
        self.database: str | None = None
        self.chance: str | None = None

    def play(self, text: str) -> Play:
        steps: list[Step] = []
        under: list[Expectation] = []
        for number, line in _lines(text):
            try:
                self._line(number, line, steps, under)
            except LineError as error:
                raise PlayError(self.file, number, line, error.reason, error.forms) from error
        _attach(steps, under)
        return Play(self.file, tuple(self.rules), self.database, tuple(steps), self.chance or "play")

    def _line(self, number: int, line: str, steps: list[Step], under: list[Expectation]) -> None:
        """Parse one line: an expectation if indented, else an action or a setting."""
        if line[0].isspace():
            if not steps or isinstance(steps[-1].action, Moderators):
                raise LineError("An expectation must stand below its action, and there is no action above.")
            under.append(Expectation(number, line.strip(), _expectation(line, steps[-1].action)))
            return
        _attach(steps, under)
        action = self._margin(line, steps)
        if action is not None:
            steps.append(Step(number, line.strip(), action))

    def _margin(self, text: str, before: list[Step]) -> StepAction | None:
        """Parse a line that is not indented; None for a setting."""
        line = Cursor(text)
        if line.word("restart"):
            line.end(("restart",))
            return Restart()
        if line.word("wait"):
            return Wait(_span(line))
        name, colon, _ = text.partition(":")
        if not colon or not _PERSON.fullmatch(name.strip()):
            raise LineError("A line that is not indented must be an action.", _margin_forms(text))
        line.at = len(name) + 1
        line.skip()
        return self._named(name.strip(), line, before)

    def _named(self, name: str, line: Cursor, before: list[Step]) -> StepAction | None:
        """Parse the rest after ``name:``, a setting or a person's action."""
        if name == "rules":
            self.rules += _names(line, _RULE, "A rule's number or name", ("rules: 94.1, 94 note 1",))
            return None
        if name == "database":
            self._set_database(line, before)
            return None
        if name == "chance":
            self._set_chance(line, before)
            return None
        if name == "moderators":
            return Moderators(tuple(map(_person, _names(line, _PERSON, "A name", ("moderators: carol, dave",)))))
        if name == "bot":
            return _permission(line)
        return Act(_person(name), _action(line))

    def _set_database(self, line: Cursor, before: list[Step]) -> None:
        forms = tuple(f"database: {name}" for name in _DATABASES)
        chosen = line.word(*_DATABASES)
        if chosen is None:
            raise LineError(f"There is no database {line.rest!r}.", forms)
        line.end(forms)
        if before:
            raise LineError("Name the database before the first action.")
        if self.database not in (None, chosen):
            raise LineError(f"The database is already {self.database}.")
        self.database = chosen

    def _set_chance(self, line: Cursor, before: list[Step]) -> None:
        [word, *others] = _names(line, _WORD, "A word", ("chance: WORD",))
        if others:
            raise LineError("Everything is drawn from one word.", ("chance: WORD",))
        if before:
            raise LineError("Give chance its word before the first action.")
        if self.chance is not None:
            raise LineError(f"Chance has the word {self.chance} already.")
        self.chance = word


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither blank nor comments, with their numbers."""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.rstrip()


def _attach(steps: list[Step], under: list[Expectation]) -> None:
    """Attach the expectations read so far to the last action."""
    if under:
        last = steps[-1]
        steps[-1] = Step(last.line, last.text, last.action, tuple(under))
        under.clear()


def _margin_forms(text: str) -> tuple[str, ...]:
    """Return the forms to show for a line at the margin; it may be an expectation without its indent."""
    try:
        _expectation(text, Act("somebody", Submit()))
    except LineError:
        return _MARGIN_FORMS
    return (f"  {text.strip()}    (indented under the action it is about)",)


# ---------------------------------------------------------------- actions of a person


def _action(line: Cursor) -> Action:
    """Parse what a person does."""
    if line.rest.startswith("/") or line.word("in"):
        return _slash(line)
    word = line.take(_WORD)
    verb = word.group(0) if word else ""
    if verb in ("closes", "opens"):
        return _dms(line, verb)
    if verb not in _VERBS:
        raise LineError(f"Nobody can {verb!r}." if verb else "I don't know this action.", _ACTION_FORMS)
    return _VERBS[verb](line)


def _press(line: Cursor) -> PressStep:
    label = line.quoted("The label")
    on = line.quoted("The text") if line.word("on") else None
    line.end(('press "LABEL"', 'press "LABEL" on "TEXT"'))
    return PressStep(label, on)


def _menu(line: Cursor) -> Pick:
    forms = ('menu "NAME" on @bob', 'menu "NAME" on "TEXT"')
    name = line.quoted("The command's name")
    if not line.word("on"):
        raise LineError("Say on whom or what.", forms)
    person = line.take(_MENTION)
    on = person.group(0) if person else line.quoted("The text")
    line.end(forms)
    return Pick(name, on)


def _choose(line: Cursor) -> Choose:
    labels = line.quoted_list("A label")
    placeholder = line.quoted("The placeholder") if line.word("from") else None
    line.end(('choose "A", "B"', 'choose "A" from "PLACEHOLDER"'))
    return Choose(labels, placeholder)


def _fill(line: Cursor) -> Fill:
    forms = ('fill "FIELD": "A", "B"',)
    field = line.quoted("The field")
    if not line.rest.startswith(":"):
        raise LineError("Put a colon after the field's name.", forms)
    line.at += 1
    line.skip()
    values = line.quoted_list("A value")
    line.end(forms)
    return Fill(field, values)


def _submit(line: Cursor) -> Submit:
    line.end(("submit",))
    return Submit()


def _dms(line: Cursor, verb: str) -> Dms:
    """Parse the rest after ``closes`` or ``opens``."""
    forms = (f"{verb} dms",)
    if not line.word("dms"):
        raise LineError(f"After “{verb}” write dms.", forms)
    line.end(forms)
    return Dms(open=verb == "opens")


def _permission(line: Cursor) -> Permission:
    """Parse the rest after ``bot:``."""
    forms = ('bot: loses "Send Messages"', 'bot: gets "Send Messages"')
    verb = line.word("loses", "gets")
    if verb is None:
        raise LineError("The bot can only lose and get permissions.", forms)
    label = line.quoted("The permission")
    line.end(forms)
    name = label.lower().replace(" ", "_")
    if name not in discord.Permissions.VALID_FLAGS:
        raise LineError(f"Discord has no permission {label!r}.", forms)
    return Permission(name, granted=verb == "gets")


def _type(line: Cursor) -> Type:
    forms = ('type "TEXT" in OPTION of /command ...',)
    text = line.quoted("The text")
    if not line.word("in"):
        raise LineError("Say in which option.", forms)
    option = line.take(_WORD)
    if option is None or not line.word("of"):
        raise LineError("Say in which option of which command.", forms)
    line.word("in")
    command = _slash(line)
    return Type(text, option.group(0), command)


_VERBS: Mapping[str, Callable[[Cursor], Action]] = {
    "press": _press,
    "menu": _menu,
    "choose": _choose,
    "fill": _fill,
    "submit": _submit,
    "type": _type,
}


def _slash(line: Cursor) -> Slash:
    """Parse a command from its slash on, or from ``dm`` or ``thread`` if ``in`` was taken already."""
    in_dm = line.word("dm") is not None
    in_thread = not in_dm and line.word("thread") is not None
    if not line.rest.startswith("/"):
        raise LineError("A command begins with a slash.", _COMMAND_FORMS)
    line.at += 1
    path: list[str] = []
    options: dict[str, str] = {}
    while not line.at_end:
        name = line.text[line.at :]
        match = _OPTION.match(line.text, line.at)
        if match is None:
            word = line.take(_WORD)
            if word is None or options:
                raise LineError(
                    f"I don't understand {name.split()[0]!r} among the options. Put several words in quotes.",
                    _COMMAND_FORMS,
                )
            path.append(word.group(0))
            continue
        line.at = match.end()
        option = match.group(1)
        if option in options:
            raise LineError(f"The option {option} is given twice.")
        options[option] = _value(line, option)
    if not path:
        raise LineError("The command has no name.", _COMMAND_FORMS)
    return Slash(" ".join(path), tuple(Option(*item) for item in options.items()), in_dm, in_thread)


def _value(line: Cursor, option: str) -> str:
    """Parse the value directly after ``option:``."""
    if line.rest.startswith('"'):
        return line.quoted(f"The value of {option}")
    match = line.take(_BARE)
    if match is None:
        forms = (f"{option}:value", f'{option}:"two words"', f"{option}:@bob")
        raise LineError(f"The option {option} has no value.", forms)
    return match.group(0)


# ---------------------------------------------------------------- expectations


def _expectation(text: str, about: StepAction) -> Condition:
    """Parse an indented line: what must hold after this action."""
    line = Cursor(text)
    acted = isinstance(about, Act)
    if line.word("refused"):
        return _refused(line, acted)
    if line.word("records"):
        return _records(line)
    if line.word("pictured"):
        line.end(("pictured",))
        return Pictured()
    if line.word("sees"):
        return _sees(line, acted)
    return _expectation_of(line)


def _refused(line: Cursor, acted: bool) -> IsRefused:
    if not acted:
        raise LineError("Only an action can be refused.")
    rule = line.take(_RULE) if not line.at_end else None
    line.end(("refused 94.1", "refused 94 note 1", "refused"))
    return IsRefused(rule.group(0) if rule else None)


def _records(line: Cursor) -> RecordsEntries:
    forms = ("records KIND", "records nothing")
    kind = line.take(_BARE)
    if kind is None:
        raise LineError("Say what it records.", forms)
    line.end(forms)
    return RecordsEntries(None if kind.group(0) == "nothing" else kind.group(0))


def _sees(line: Cursor, acted: bool) -> Sees:
    """Parse the rest after ``sees``, about the reply."""
    if not acted:
        raise LineError("Nobody acted, so there is no reply. Say who sees it.", ('bob sees "TEXT"',))
    if line.word("nothing"):
        raise LineError("Say who sees nothing.", ("bob sees nothing",))
    sought = line.text_or_pattern()
    line.end(('sees "TEXT"', "sees /REGEX/"))
    return Sees(None, sought)


def _expectation_of(line: Cursor) -> Condition:
    """Parse an expectation that begins with a person's name."""
    name = line.take(_PERSON)
    if name is None or line.rest.startswith(":"):
        raise LineError("An indented line is an expectation; actions are not indented.", _EXPECTATION_FORMS)
    who = name.group(0)
    if line.word("never"):
        return _never_sees(line, who)
    if line.word("sees"):
        return _person_sees(line, who)
    if line.word("has"):
        return _has(line, who)
    raise LineError("I don't know this expectation.", _EXPECTATION_FORMS)


def _never_sees(line: Cursor, who: str) -> NeverSees:
    """Parse the rest after ``bob never``."""
    forms = (f'{who} never sees "TEXT"',)
    if not line.word("sees"):
        raise LineError("After “never” write sees.", forms)
    sought = line.text_or_pattern()
    line.end(forms)
    return NeverSees(_person(who), sought)


def _person_sees(line: Cursor, who: str) -> Sees | SeesNothing:
    """Parse the rest after ``bob sees``."""
    if line.word("nothing"):
        line.end((f"{who} sees nothing",))
        return SeesNothing(_person(who))
    sought = line.text_or_pattern()
    line.end((f'{who} sees "TEXT"', f"{who} sees /REGEX/", f"{who} sees nothing"))
    return Sees(_person(who), sought)


def _has(line: Cursor, who: str) -> Has:
    """Parse the rest after ``bob has``."""
    wanted = not line.word("no")
    label = line.quoted("The label")
    line.end((f'{who} has "LABEL"', f'{who} has no "LABEL"'))
    return Has(_person(who), label, wanted)


# ---------------------------------------------------------------- names and times


def _span(line: Cursor) -> int:
    """Parse a span of time, in seconds."""
    forms = ("wait 30s", "wait 5m", "wait 2h", "wait 1d")
    match = line.take(_SPAN)
    if match is None:
        raise LineError(f"{line.rest!r} is not a length of time." if line.rest else "How long?", forms)
    line.end(forms)
    return int(match.group(1)) * _SECONDS[match.group(2)]


def _names(line: Cursor, pattern: re.Pattern[str], what: str, forms: tuple[str, ...]) -> list[str]:
    """Parse names separated by commas."""
    names = [name.strip() for name in line.rest.split(" #")[0].split(",")]
    if any(not pattern.fullmatch(name) for name in names):
        raise LineError(f"{what} goes without quotes, with commas between several.", forms)
    return names


def _person(name: str) -> str:
    """Return the person's name. Raises `LineError` if nobody can have it."""
    if name != name.lower():
        raise LineError(f"Write names in lower case: {name.lower()}.", (f"{name.lower()}: ACTION",))
    if name in _NO_NAMES:
        raise LineError(f"Nobody can be called {name}: that word has a special meaning in plays.")
    return name
