"""Features: everything that belongs to one action or rule, declared in one module. A game is a list
of features.

Commands decide (`Command.decide`); entries apply and describe themselves (`Entry.apply`,
`Entry.sentence`). A `Feature` declares the rest. Features run in the order of the game's list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, make_dataclass
from itertools import chain
from typing import NamedTuple, ParamSpec, TypeVar

from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry
from bot.rules.model.actions import Action
from bot.rules.model.parts import StatePart, name_of
from bot.rules.model.table import GameState, Table, TableSettings
from bot.rules.model.values import frozen_by_name
from bot.rules.views import FollowUpView, PromptView

Apply = Callable[[Table, Entry], Table]
"""Returns the table after an entry, which may be of any kind. Never fails.

>>> def rains(table: Table, entry: Entry) -> Table:
...     return replace(table, phase="rain") if isinstance(entry, PhaseSet) else table
>>> after: Apply = rains
>>> after(table, PhaseSet(phase="market", window=1)).phase
'rain'
"""

Brings = Callable[[Table, tuple[Entry, ...], Caller, Apply], tuple[Entry, ...]]
"""Returns the entries of a command with those that follow from them. May raise `Refused`."""

Asks = Callable[[Table], Iterable[PromptView]]
Tells = Callable[[Table, Entry], Iterable[FollowUpView]]

F = TypeVar("F", bound=Callable[..., object])
P = ParamSpec("P")
View = TypeVar("View")


def all_of(functions: F | tuple[F, ...] | None) -> tuple[F, ...]:
    """Return what a feature has in a place for none, one or several functions."""
    if functions is None:
        return ()
    return functions if isinstance(functions, tuple) else (functions,)


def gathered(
    functions: tuple[Callable[P, Iterable[View]], ...], *args: P.args, **kwargs: P.kwargs
) -> list[View]:
    """Return what these functions return, one after the other."""
    views: list[View] = []
    for function in functions:
        views += function(*args, **kwargs)
    return views


class SettingOption(NamedTuple):
    """A table setting that a game adds. Tables that are older than it have the first of its
    ``values``.

    ``read`` turns typed text into a value, or raises `Refused`. With it, the ``values`` are only
    suggestions. ``new`` is what new tables begin with, if that is not the first value. People read
    the ``question`` and, for each of the values, one of the ``answers``; where these are empty,
    name and value.

    >>> SettingOption("stalls", ("few", "many"), "How many stalls").of(table.settings)
    'few'
    """

    name: str
    values: tuple[str, ...]
    description: str
    read: Callable[[str], str] | None = None
    new: str = ""
    question: str = ""
    answers: tuple[str, ...] = ()

    @property
    def first(self) -> str:
        """The value that a new table begins with."""
        return self.new or self.values[0]

    def said(self, value: str) -> str:
        """Return a value as people read it."""
        return dict(zip(self.values, self.answers, strict=False)).get(value, value)

    def of(self, settings: TableSettings) -> str:
        """Return the value at a table with these settings; the first where the table is older than
        the setting.
        """
        return settings.options.get(self.name, self.values[0])


@frozen_by_name
class Feature:
    """One action or rule of a game. The core's features (`bot.rules.vocabulary`) have only commands
    and entries.

    >>> Feature(options=(SettingOption("stalls", ("few", "many"), "How many stalls"),)).entries
    ()
    """

    state: type[StatePart] | None = None
    """The feature's part of the table's state."""

    commands: tuple[type[Command], ...] = ()
    entries: tuple[type[Entry], ...] = ()

    opens: tuple[type[Action], ...] = ()
    """Buttons and selects that change nothing: they show or ask something. A cog handles them."""

    options: tuple[SettingOption, ...] = ()
    """The table settings that the feature adds."""

    hears: tuple[type[Entry], ...] = (Entry,)
    """The kinds of entries that ``before``, ``after``, ``brings`` and ``follow_ups`` are called
    for, with their subclasses; by default, all.
    """

    before: Apply | None = None
    """Called for each entry that it hears, with the table before it. Returns the table to which the
    entry is applied; never fails.
    """

    after: Apply | None = None
    """Called for each entry that it hears, with the table after it. Returns the changed table;
    never fails.
    """

    brings: Brings | None = None
    """Called with all entries of a command, if it hears any of them, and its caller. Returns them
    with the entries that follow from them, inserted in place; or raises `Refused`, and the command
    changes nothing."""

    prompts: Asks | tuple[Asks, ...] | None = None
    """Returns the questions that wait for an answer: a function for each kind of question."""

    follow_ups: Tells | tuple[Tells, ...] | None = None
    """Returns what seats may do after an entry that it hears, given the table after its command,
    with the entry's number as `seq`: a function for each kind of message.
    """


class Features:
    """All features of a game, called as one. ``state`` is a subclass of ``base`` with the part of
    each feature.

    >>> stalls = SettingOption("stalls", ("few", "many"), "How many")
    >>> Features((Feature(options=(stalls,)),)).options[0].name
    'stalls'
    """

    def __init__(self, features: Sequence[Feature] = (), base: type[GameState] = GameState) -> None:
        self.features = tuple(features)
        self._hearers: dict[type[Entry], tuple[Feature, ...]] = {}
        self.commands = tuple(chain.from_iterable(each.commands for each in features))
        self.entries = tuple(chain.from_iterable(each.entries for each in features))
        self.opens = tuple(chain.from_iterable(each.opens for each in features))
        self.options = tuple(chain.from_iterable(each.options for each in features))
        self.state = base
        if parts := [each.state for each in features if each.state is not None]:
            fields = [(name_of(kind), kind, field(default_factory=kind)) for kind in parts]
            self.state = make_dataclass(
                base.__name__, fields, bases=(base,), frozen=True, slots=True
            )
            self.state.__module__ = base.__module__

    def hearers(self, kind: type[Entry]) -> tuple[Feature, ...]:
        """Return the features that hear entries of this kind, in order."""
        if kind not in self._hearers:
            hearers = (each for each in self.features if issubclass(kind, each.hears))
            self._hearers[kind] = tuple(hearers)
        return self._hearers[kind]

    def before(self, table: Table, entry: Entry) -> Table:
        """Return the table after each feature's ``before``. The entry itself is applied next."""
        for feature in self.hearers(type(entry)):
            if feature.before:
                table = feature.before(table, entry)
        return table

    def after(self, table: Table, entry: Entry) -> Table:
        """Return the table after each feature's ``after``. The entry itself has been applied
        already.
        """
        for feature in self.hearers(type(entry)):
            if feature.after:
                table = feature.after(table, entry)
        return table

    def brings(self, table: Table, entries: tuple[Entry, ...], caller: Caller) -> tuple[Entry, ...]:
        """Return the entries of a command with all entries that follow from them. May raise
        `Refused`.
        """

        def apply(before: Table, entry: Entry) -> Table:
            return self.after(entry.apply(self.before(before, entry)), entry)

        for feature in self.features:
            # what an earlier feature brought is heard too
            hears = any(issubclass(type(entry), feature.hears) for entry in entries)
            if feature.brings and hears:
                entries = feature.brings(table, entries, caller, apply)
        return entries

    def prompts(self, table: Table) -> list[PromptView]:
        """Return the questions that wait for an answer."""
        prompts: list[PromptView] = []
        for feature in self.features:
            if feature.prompts:
                prompts += gathered(all_of(feature.prompts), table)
        return prompts

    def follow_ups(self, table: Table, entry: Entry) -> list[FollowUpView]:
        """Return what seats may do after an entry."""
        views: list[FollowUpView] = []
        for feature in self.hearers(type(entry)):
            if feature.follow_ups:
                views += gathered(all_of(feature.follow_ups), table, entry)
        return views
