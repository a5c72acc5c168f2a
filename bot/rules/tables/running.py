"""Running a table: opening, closing, its host, settings and phases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bot.rules.access import require_host
from bot.rules.commands import Caller, Handlers, handler
from bot.rules.entries import Entry
from bot.rules.game import Game
from bot.rules.model.markup import QUOTE_MAX, quoted
from bot.rules.model.table import Table, TableSettings
from bot.rules.model.text import one_line
from bot.rules.model.violation import Refused
from bot.rules.negotiations.closing import closed
from bot.rules.offers.ends import voided, with_window
from bot.rules.registry import game_of, installed_game
from bot.rules.tables.commands import ChangeSettings, CloseTable, OpenTable, SetHost, SetPhase
from bot.rules.tables.entries import HostChanged, PhaseSet, SettingsChanged, TableClosed, TableOpened


def open_table(table: Table, command: OpenTable, caller: Caller) -> Iterable[Entry]:
    """Open a new table; the caller is its host. Raises `Refused` for a game that is not installed."""
    game = installed_game(command.game)
    info = game.info
    options = {option.name: option.values[0] for option in info.options}
    settings = TableSettings(open_on_close=command.open_on_close, options=options)
    name = one_line(command.name) or info.name
    yield TableOpened(game=info.id, name=name, host=caller.person, settings=settings)
    if game.chance and command.chance:
        yield game.chance.commit(command.chance)


def close_table(table: Table, command: CloseTable, caller: Caller) -> Iterable[Entry]:
    """End a table, and every offer and negotiation that is open. Raises `Refused` unless a host asks."""
    require_host(table, caller, "close the table")
    yield from (voided(offer) for offer in table.live_offers())
    yield from (closed(each) for each in table.negotiations.values() if each.open)
    yield TableClosed()


def set_host(table: Table, command: SetHost, caller: Caller) -> Iterable[Entry]:
    """Hand the table to another host. Raises `Refused` unless a host asks, and for the host of the table."""
    require_host(table, caller, "hand the table over")
    if command.person == table.host:
        raise Refused("", f"<person:{table.host}> is the host already.", "Name somebody else.")
    return [HostChanged(person=command.person)]


def change_settings(table: Table, command: ChangeSettings, caller: Caller) -> Iterable[Entry]:
    """Change how this table plays.

    Raises `Refused` unless a host asks, when nothing changes, for a setting or value that the game does not have, and
    for what can't be changed any more.
    """
    require_host(table, caller, "change the settings")
    game, settings = game_of(table), _with_changes(table.settings, command.changes, game_of(table))
    before, after = table.settings.items(), settings.items()
    changed = tuple(name for name, value in after.items() if value != before[name])
    if not changed:
        raise Refused("", "That is how this table is set already.", "Name what should change.")
    if "open_on_close" in changed:
        raise Refused("", "Whether secrets open at the end was chosen when the table opened.", "It holds to its end.")
    if game.exchange is not None and "inventory" in changed and table.live_offers():
        raise Refused("", "Offers stand that would be caught between.", "Change this when no offer stands.")
    brought = tuple(game.commands.resettled(table, settings))
    return [SettingsChanged(settings=settings, changed=changed), *brought]


def _with_changes(settings: TableSettings, changes: Mapping[str, str | int], game: Game) -> TableSettings:
    """Return the settings with these changes. Raises `Refused` for a name or value that means nothing here."""
    options, core = dict(settings.options), dict[str, Any]()
    for name, value in changes.items():
        if name not in game.info.settings and str(value) != settings.items().get(name):
            known = ", ".join(sorted(game.info.settings))
            raise Refused("", f"{game.info.name} has no use for “{name}”.", f"It has {known}.")
        if name in options:
            options[name] = _read(game, name, str(value))
        elif name in game.info.settings:
            core[name] = value
    try:
        checked: TableSettings = TypeAdapter(TableSettings).validate_python({**asdict(settings), **core})
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        raise Refused(
            "", f"“{quoted(str(core[name])[:QUOTE_MAX])}” is no value of “{name}”.", "Pick one of those offered."
        ) from None
    for option in game.info.options:
        if option.read is None and options.get(option.name, option.values[0]) not in option.values:
            raise Refused(
                "", f"“{quoted(options[option.name][:QUOTE_MAX])}” is no value of “{option.name}”.",
                f"It has {', '.join(option.values)}.",
            )  # fmt: skip
    return replace(checked, options=options)


def _read(game: Game, name: str, value: str) -> str:
    """Return the value of an option of the game's own as it is kept. Raises `Refused` for one that it can't read."""
    read = next((option.read for option in game.info.options if option.name == name), None)
    return read(value) if read else value


def set_phase(table: Table, command: SetPhase, caller: Caller) -> Iterable[Entry]:
    """Begin a phase; a window that was open is over.

    Raises `Refused` unless a host asks, for a phase that the game does not have, and while it can't begin yet.
    """
    require_host(table, caller, "set the phase")
    game = game_of(table)
    if command.phase not in game.info.phases:
        raise Refused(
            "",
            f"There is no {quoted(command.phase[:QUOTE_MAX])} phase.",
            f"The phases are {', '.join(game.info.phases)}.",
        )
    if game.phases:
        yield from game.phases.before(table, command.phase)
    yield from with_window(table)
    yield PhaseSet(phase=command.phase, window=table.window.number + 1)
    if game.phases:
        yield from game.phases.begin(table, command.phase, caller.at)


HANDLERS: Handlers = dict(
    [
        handler(OpenTable, open_table), handler(CloseTable, close_table), handler(SetHost, set_host),
        handler(ChangeSettings, change_settings), handler(SetPhase, set_phase),
    ]
)  # fmt: skip
