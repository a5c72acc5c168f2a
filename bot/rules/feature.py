"""Features: what belongs to one deed or rule, declared in one module. A game is a list of them.

A command decides for itself (`Command.decide`); an entry applies itself (`Entry.apply`) and tells itself
(`Entry.sentence`). A `Feature` declares the rest. Features are asked in the order of the game's list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, make_dataclass
from typing import NamedTuple

from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.model.actions import Action
from bot.rules.model.parts import StatePart, name_of
from bot.rules.model.table import GameState, Table
from bot.rules.views import FollowUpView, PromptView

Apply = Callable[[Table, Entry], Table]
"""Returns the table after an entry, whatever the entry means for its game. Never fails."""


class SettingOption(NamedTuple):
    """A table setting of the game's own: its values, the first of which is the default, and what each means.

    ``read`` makes a value of what was typed, where more is understood than the ``values``, which are then suggestions.
    It raises `Refused` for what it does not understand.
    """

    name: str
    values: tuple[str, ...]
    description: str
    read: Callable[[str], str] | None = None


@dataclass(frozen=True, kw_only=True)
class Feature:
    """One deed or rule of a game."""

    state: type[StatePart] | None = None
    """What it remembers."""

    commands: tuple[type[Command], ...] = ()
    entries: tuple[type[Entry], ...] = ()

    opens: tuple[type[Action], ...] = ()
    """Buttons and selects that only show or ask; a cog handles them."""

    options: tuple[SettingOption, ...] = ()
    """The table settings that it adds."""

    after: Apply | None = None
    """Returns the table after an entry of another feature, or of its own, has been applied. Never fails."""

    brings: Callable[[Table, tuple[Entry, ...], Apply], tuple[Entry, ...]] | None = None
    """Returns the entries of a command of the game or the core, with those that they bring about in their places."""

    prompts: Callable[[Table], Iterable[PromptView]] | None = None
    """Returns the questions that wait for a seat's answer."""

    follow_ups: Callable[[Table, Entry], Iterable[FollowUpView]] | None = None
    """Returns what a seat may do after an entry, at the table right after it."""


class Features:
    """The features of a game, composed. ``state`` is the class of its state: ``base`` with the part of each feature."""

    def __init__(self, features: Sequence[Feature] = (), base: type[GameState] = GameState) -> None:
        self.every = tuple(features)
        self.state = self._state(base)
        self.commands = tuple(kind for each in self.every for kind in each.commands)
        self.entries = tuple(kind for each in self.every for kind in each.entries)
        self.opens = tuple(action for each in self.every for action in each.opens)
        self.options = tuple(option for each in self.every for option in each.options)
        self._after = [each.after for each in self.every if each.after]
        self._brings = [each.brings for each in self.every if each.brings]

    def _state(self, base: type[GameState]) -> type[GameState]:
        parts = [each.state for each in self.every if each.state is not None]
        if not parts:
            return base
        fields = [(name_of(kind), kind, field(default_factory=kind)) for kind in parts]
        made = make_dataclass(base.__name__, fields, bases=(base,), frozen=True, slots=True)
        made.__module__ = base.__module__
        return made

    def apply(self, table: Table, entry: Entry) -> Table:
        """Return the table after an entry that has been applied already, for what the features make of it."""
        for after in self._after:
            table = after(table, entry)
        return table

    def brings(self, table: Table, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return the entries of a command with all that they bring about."""
        for brings in self._brings:
            entries = brings(table, entries, lambda before, entry: self.apply(entry.apply(before), entry))
        return entries

    def prompts(self, table: Table) -> list[PromptView]:
        """Return the questions that wait for an answer."""
        return [prompt for each in self.every if each.prompts for prompt in each.prompts(table)]

    def follow_ups(self, table: Table, entry: Entry) -> list[FollowUpView]:
        """Return what may follow from an entry."""
        return [view for each in self.every if each.follow_ups for view in each.follow_ups(table, entry)]
