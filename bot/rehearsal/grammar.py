"""The grammar of plays: parses a play's text. tests/plays/README.md describes the language.

Nothing here runs anything: `read_play` returns the whole play or raises `PlayError`, which names
the file and line and shows the forms that would be understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import chain
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
    OnServer,
    Option,
    Permission,
    Pick,
    Pictured,
    Play,
    PlayError,
    PlayStep,
    PressStep,
    RecordsEntries,
    Restart,
    Say,
    Sees,
    SeesNothing,
    Slash,
    StepAction,
    Submit,
    Type,
    WaitStep,
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
_SAY_FORMS = ('says "@Bourse TEXT"', 'in dm says "TEXT"', 'in thread says "@Bourse TEXT"')
_FORMS_BY_VERB = {
    "says": _SAY_FORMS,
    "press": ('press "LABEL"', 'press "LABEL" on "TEXT"'),
    "menu": ('menu "NAME" on @bob', 'menu "NAME" on "TEXT"'),
    "choose": ('choose "A", "B"', 'choose "A" from "PLACEHOLDER"'),
    "fill": ('fill "FIELD": "A", "B"',),
    "submit": ("submit",),
    "type": ('type "TEXT" in OPTION of /command ...',),
    "closes": ("closes dms",),
    "opens": ("opens dms",),
    "leaves": ("leaves server",),
    "joins": ("joins server",),
}
_ACTION_FORMS = (*_COMMAND_FORMS, *chain.from_iterable(_FORMS_BY_VERB.values()))
_BOT_FORMS = ('bot: loses "Send Messages"', 'bot: gets "Send Messages"')
_MARGIN_FORMS = (
    "name: ACTION",
    "wait 5m",
    "restart",
    "moderators: carol, dave",
    *_BOT_FORMS,
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
        raise PlayError(
            str(path), 0, "", f"The file cannot be read: {error.strerror or error}."
        ) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise PlayError(str(path), line, "", "The file is not UTF-8 text.") from error
    return read_play(text, str(path))


def read_play(text: str, file: str = "play") -> Play:
    """Parse a play's text. ``file`` is its name in errors and reports.

    Raises `PlayError` at the first line that is not in the language.
    """
    settings, steps = _Settings(), list[PlayStep]()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            if line[0].isspace():
                if not steps or isinstance(steps[-1].action, Moderators):
                    raise LineError(
                        "An expectation must stand below its action, and there is no action above."
                    )
                last = steps[-1]
                expected = Expectation(number, line.strip(), _expectation(line, last.action))
                steps[-1] = replace(last, expectations=(*last.expectations, expected))
            elif (action := _margin(line.rstrip(), settings, begun=bool(steps))) is not None:
                steps.append(PlayStep(number, line.strip(), action))
        except LineError as error:
            raise PlayError(file, number, line.rstrip(), error.reason, error.forms) from error
    return Play(
        file, tuple(settings.rules), settings.database, tuple(steps), settings.chance or "play"
    )


# ---------------------------------------------------------------- lines at the margin


@dataclass(slots=True)
class _Settings:
    """The settings of a play that were parsed so far."""

    rules: list[str] = field(default_factory=list)
    database: str | None = None
    chance: str | None = None


def _margin(text: str, settings: _Settings, *, begun: bool) -> StepAction | None:
    """Parse a line that is not indented; None for a setting. ``begun``: an action stands above."""
    line = Cursor(text)
    if line.word("restart"):
        line.end(("restart",))
        return Restart()
    if line.word("wait"):
        match = line.take(_SPAN)
        forms: tuple[str, ...] = ("wait 30s", "wait 5m", "wait 2h", "wait 1d")
        if match is None:
            raise LineError(
                f"{line.rest!r} is not a length of time." if line.rest else "How long?", forms
            )
        line.end(forms)
        return WaitStep(int(match.group(1)) * _SECONDS[match.group(2)])
    name, colon, _ = text.partition(":")
    if not colon or not _PERSON.fullmatch(name.strip()):
        try:
            _expectation(text, Act("somebody", Submit()))
        except LineError:
            forms = _MARGIN_FORMS
        else:  # only its indent is missing
            forms = (f"  {text.strip()}    (indented under the action it is about)",)
        raise LineError("A line that is not indented must be an action.", forms)
    line.at = len(name) + 1
    line.skip()
    match name.strip():
        case "rules":
            settings.rules += _names(
                line, _RULE, "A rule's number or name", ("rules: 94.1, 94 note 1",)
            )
        case "database":
            forms = tuple(f"database: {name}" for name in _DATABASES)
            chosen = line.word(*_DATABASES)
            if chosen is None:
                raise LineError(f"There is no database {line.rest!r}.", forms)
            line.end(forms)
            if begun:
                raise LineError("Name the database before the first action.")
            if settings.database not in (None, chosen):
                raise LineError(f"The database is already {settings.database}.")
            settings.database = chosen
        case "chance":
            [word, *others] = _names(line, _WORD, "A word", ("chance: WORD",))
            if others:
                raise LineError("Everything is drawn from one word.", ("chance: WORD",))
            if begun:
                raise LineError("Give chance its word before the first action.")
            if settings.chance is not None:
                raise LineError(f"Chance has the word {settings.chance} already.")
            settings.chance = word
        case "moderators":
            return Moderators(
                tuple(map(_person, _names(line, _PERSON, "A name", ("moderators: carol, dave",))))
            )
        case "bot":
            verb = line.word("loses", "gets")
            if verb is None:
                raise LineError("The bot can only lose and get permissions.", _BOT_FORMS)
            label = line.quoted("The permission")
            line.end(_BOT_FORMS)
            permission = label.lower().replace(" ", "_")
            if permission not in discord.Permissions.VALID_FLAGS:
                raise LineError(f"Discord has no permission {label!r}.", _BOT_FORMS)
            return Permission(permission, granted=verb == "gets")
        case who:
            return Act(_person(who), _action(line))
    return None


# ---------------------------------------------------------------- actions of a person


def _action(line: Cursor) -> Action:
    """Parse what a person does."""
    where = _place(line)
    if where or line.rest.startswith("/"):
        return _say(line, where) if line.word("says") else _slash(line, where)
    verb = line.taken(_WORD)
    forms = _FORMS_BY_VERB.get(verb, ())
    action: Action
    match verb:
        case "says":
            action = _say(line, None)
        case "press":
            label = line.quoted("The label")
            action = PressStep(label, line.quoted("The text") if line.word("on") else None)
        case "menu":
            name = line.quoted("The command's name")
            if not line.word("on"):
                raise LineError("Say on whom or what.", forms)
            action = Pick(name, line.taken(_MENTION) or line.quoted("The text"))
        case "choose":
            labels = line.quoted_list("A label")
            action = Choose(labels, line.quoted("The placeholder") if line.word("from") else None)
        case "fill":
            name = line.quoted("The field")
            if not line.rest.startswith(":"):
                raise LineError("Put a colon after the field's name.", forms)
            line.at += 1
            line.skip()
            action = Fill(name, line.quoted_list("A value"))
        case "submit":
            action = Submit()
        case "type":
            text = line.quoted("The text")
            if not line.word("in"):
                raise LineError("Say in which option.", forms)
            option = line.taken(_WORD)
            if not option or not line.word("of"):
                raise LineError("Say in which option of which command.", forms)
            action = Type(text, option, _slash(line, _place(line)))
        case "closes" | "opens":
            if not line.word("dms"):
                raise LineError(f"After “{verb}” write dms.", forms)
            action = Dms(open=verb == "opens")
        case "leaves" | "joins":
            if not line.word("server"):
                raise LineError(f"After “{verb}” write server.", forms)
            action = OnServer(member=verb == "joins")
        case _:
            raise LineError(
                f"Nobody can {verb!r}." if verb else "I don't know this action.", _ACTION_FORMS
            )
    line.end(forms)
    return action


def _place(line: Cursor) -> str | None:
    """Take ``in dm`` or ``in thread``, and return the second word; None without ``in``."""
    if not line.word("in"):
        return None
    where = line.word("dm", "thread")
    if where is None:
        raise LineError("A command begins with a slash.", (*_COMMAND_FORMS, *_SAY_FORMS))
    return where


def _say(line: Cursor, where: str | None) -> Say:
    """Parse what somebody says, after the verb."""
    text = line.quoted("The text")
    return Say(text, in_dm=where == "dm", in_thread=where == "thread")


def _slash(line: Cursor, where: str | None) -> Slash:
    """Parse a command from its slash on. ``where`` stands before it: ``dm`` or ``thread``."""
    if not line.rest.startswith("/"):
        raise LineError("A command begins with a slash.", _COMMAND_FORMS)
    line.at += 1
    path: list[str] = []
    options: dict[str, str] = {}
    while not line.at_end:
        rest = line.rest
        match = _OPTION.match(line.text, line.at)
        if match is None:
            word = line.taken(_WORD)
            if not word or options:
                raise LineError(
                    f"I don't understand {rest.split()[0]!r} among the options. Put several words "
                    "in quotes.",
                    _COMMAND_FORMS,
                )
            path.append(word)
            continue
        line.at = match.end()  # the value follows directly, without a blank
        option = match.group(1)
        if option in options:
            raise LineError(f"The option {option} is given twice.")
        if line.rest.startswith('"'):
            options[option] = line.quoted(f"The value of {option}")
        elif value := line.taken(_BARE):
            options[option] = value
        else:
            forms = (f"{option}:value", f'{option}:"two words"', f"{option}:@bob")
            raise LineError(f"The option {option} has no value.", forms)
    if not path:
        raise LineError("The command has no name.", _COMMAND_FORMS)
    given = tuple(Option(*item) for item in options.items())
    return Slash(" ".join(path), given, in_dm=where == "dm", in_thread=where == "thread")


# ---------------------------------------------------------------- expectations


def _expectation(text: str, about: StepAction) -> Condition:
    """Parse an indented line: what must hold after this action."""
    line = Cursor(text)
    acted = isinstance(about, Act)
    if line.word("refused"):
        if not acted:
            raise LineError("Only an action can be refused.")
        rule = line.taken(_RULE) if not line.at_end else ""
        line.end(("refused 94.1", "refused 94 note 1", "refused"))
        return IsRefused(rule or None)
    if line.word("records"):
        forms = ("records KIND", "records nothing")
        kind = line.taken(_BARE)
        if not kind:
            raise LineError("Say what it records.", forms)
        line.end(forms)
        return RecordsEntries(None if kind == "nothing" else kind)
    if line.word("pictured"):
        line.end(("pictured",))
        return Pictured()
    if line.word("sees"):  # the reply
        if not acted:
            raise LineError(
                "Nobody acted, so there is no reply. Say who sees it.", ('bob sees "TEXT"',)
            )
        if line.word("nothing"):
            raise LineError("Say who sees nothing.", ("bob sees nothing",))
        sought = line.text_or_pattern()
        line.end(('sees "TEXT"', "sees /REGEX/"))
        return Sees(None, sought)
    who = line.taken(_PERSON)
    if not who or line.rest.startswith(":"):
        raise LineError(
            "An indented line is an expectation; actions are not indented.", _EXPECTATION_FORMS
        )
    if line.word("never"):
        if not line.word("sees"):
            raise LineError("After “never” write sees.", (f'{who} never sees "TEXT"',))
        sought = line.text_or_pattern()
        line.end((f'{who} never sees "TEXT"',))
        return NeverSees(_person(who), sought)
    if line.word("sees"):
        if line.word("nothing"):
            line.end((f"{who} sees nothing",))
            return SeesNothing(_person(who))
        sought = line.text_or_pattern()
        line.end((f'{who} sees "TEXT"', f"{who} sees /REGEX/", f"{who} sees nothing"))
        return Sees(_person(who), sought)
    if line.word("has"):
        wanted = not line.word("no")
        label = line.quoted("The label")
        line.end((f'{who} has "LABEL"', f'{who} has no "LABEL"'))
        return Has(_person(who), label, wanted)
    raise LineError("I don't know this expectation.", _EXPECTATION_FORMS)


# ---------------------------------------------------------------- names


def _names(line: Cursor, pattern: re.Pattern[str], what: str, forms: tuple[str, ...]) -> list[str]:
    """Parse names separated by commas."""
    written, _, _comment = line.rest.partition(" #")
    names = [name.strip() for name in written.split(",")]
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
