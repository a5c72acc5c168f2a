"""Converts what people type and choose into what Discord's client sends."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import simcord
from simcord.enums import ComponentType, OptionType
from simcord.interactions import parse_option_input, walk_to_subcommand

from bot.rehearsal.reading import Control, ModalField, SelectChoice
from bot.rehearsal.script import NAME, Slash, people_in, with_people
from bot.rehearsal.simulated_server import ImpossibleAction, SimulatedServer, listing

UPLOAD = "game.toml"
"""The name of every file that a play sends: the value of the option is what is in it."""

BOT = "Bourse"
"""The bot's name after an @ in a play."""


def mentioning(server: SimulatedServer, text: str) -> str:
    """Replace people in a text, and ``@Bourse``, by Discord's markup for mentions."""
    mentions = {name: server.person(name).user.mention for name in people_in(text)}
    mentions[BOT] = f"<@{server.env.backend.bot_user.id}>"
    return with_people(text, mentions)


def options(server: SimulatedServer, command: Slash) -> dict[str, Any]:
    """Convert typed options into what Discord's client sends, by the command's description."""
    words = command.path.split()
    guild = None if command.in_dm else server.guild.id
    root = server.env.backend.find_command(words[0], guild)
    try:
        spec = walk_to_subcommand(root, words[1:])[0] if root is not None else {}
    except simcord.SetupError:
        spec = {}  # calling the command raises the error
    described = {each["name"]: each for each in spec.get("options") or ()}
    values: dict[str, Any] = {}
    for option in command.options:
        values[option.name] = option.value
        if option.name in described:
            values[option.name] = _typed(server, command, described[option.name], option.value)
    return values


def _typed(server: SimulatedServer, command: Slash, option: dict[str, Any], value: str) -> Any:
    """Convert the value of one option. Raises `ImpossibleAction` if the client refuses it."""
    where = f"The option {option['name']} of /{command.path}"
    match option["type"]:
        case OptionType.STRING:
            return _fixed(option, mentioning(server, value))
        case OptionType.BOOLEAN:
            words = {"true": True, "yes": True, "false": False, "no": False}
            if value.lower() not in words:
                raise ImpossibleAction(f"{where} must be true or false, not {value!r}.")
            return words[value.lower()]
        case OptionType.INTEGER | OptionType.NUMBER:
            fixed = _fixed(option, value)
            if fixed is not value:
                return fixed
            try:
                return parse_option_input(command.path, option, value)
            except simcord.OptionError as error:
                raise ImpossibleAction(f"{error}.") from error
        case OptionType.USER:
            if not re.fullmatch(f"@{NAME}", value):
                raise ImpossibleAction(f"{where} must be a person, written @name, not {value!r}.")
            found = server.person(value[1:])
            return found.user if command.in_dm else found.member
        case OptionType.ATTACHMENT:
            return UPLOAD, value.encode()
        case _:
            raise ImpossibleAction(
                f"A play can't fill in the option {option['name']} of /{command.path}."
            )


def _fixed(option: dict[str, Any], value: str) -> Any:
    """Return the value of an option's fixed choice with this name."""
    for choice in option.get("choices") or ():
        if choice["name"] == value:
            return choice["value"]
    return value


def chosen(select: Control | ModalField, labels: Sequence[str]) -> tuple[str, ...]:
    """Convert labels into the values of a select's options."""
    values = pick(select.choices, labels)
    if values is None:
        offered = dict.fromkeys(choice.label for choice in select.choices)
        raise ImpossibleAction(
            f"The select {select.label!r} does not have that. {listing('Its options', offered)}"
        )
    return values


def pick(choices: Sequence[SelectChoice], labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return the values of options by their labels, None if any is missing.

    A label given twice is two options so labelled, or the one whose value is two of it.
    """
    values = []
    for label, times in Counter(labels).items():
        found = [choice.value for choice in choices if choice.label == label]
        if 0 < len(found) < times:
            kind, _, amount = found[0].rpartition("#")
            several = f"{kind}#{times}" if amount == "1" else ""
            found = [choice.value for choice in choices if choice.value == several]
        if not found:
            return None
        values += found[:times]
    return tuple(values)


def filling(field: ModalField, values: Sequence[str]) -> tuple[str, ...]:
    """Check an input to a modal's field, and return it as stored: a text, or options' values."""
    if field.kind != ComponentType.TEXT_INPUT:
        return chosen(field, values)
    if len(values) != 1:
        raise ImpossibleAction(f"The field {field.label!r} takes one value.")
    return (values[0],)


def sending(field: ModalField, values: tuple[str, ...]) -> Any:
    """Convert a stored modal field into what SimCord sends."""
    match field.kind:
        case ComponentType.TEXT_INPUT:
            return values[0] if values else ""
        case ComponentType.RADIO_GROUP:
            return values[0]
        case _:
            return list(values)
