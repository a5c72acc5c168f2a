"""Converts what people type and choose into what Discord's client sends: options, selects, modal fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import simcord
from simcord.builders import ChannelHandle
from simcord.enums import ComponentType, OptionType
from simcord.interactions import parse_option_input, walk_to_subcommand

from bot.rehearsal.reading import Control, ModalField, SelectChoice
from bot.rehearsal.script import NAME, Slash, people_in, with_people
from bot.rehearsal.simulated_server import ImpossibleAction, PlayPerson, SimulatedServer, listing


def mentioning(server: SimulatedServer, text: str) -> str:
    """Replace people in a text by Discord's markup for mentions."""
    return with_people(text, {name: server.person(name).user.mention for name in people_in(text)})


def options(server: SimulatedServer, person: PlayPerson, command: Slash) -> dict[str, Any]:
    """Convert typed options into what Discord's client sends, following the command's description."""
    words = command.path.split()
    guild = None if command.in_dm else server.guild.id
    root = server.env.backend.find_command(words[0], guild)
    try:
        spec = walk_to_subcommand(root, words[1:])[0] if root is not None else {}
    except simcord.SetupError:
        spec = {}  # calling the command raises the error
    described = {each["name"]: each for each in spec.get("options") or ()}
    return {
        option.name: _typed(server, person, command, described[option.name], option.value)
        if option.name in described
        else option.value
        for option in command.options
    }


def _typed(server: SimulatedServer, person: PlayPerson, command: Slash, option: dict[str, Any], value: str) -> Any:
    """Convert the value of one option. Raises `ImpossibleAction` if the client would not accept it."""
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
        case OptionType.USER | OptionType.MENTIONABLE:
            found = _named(server, value)
            if found is None:
                raise ImpossibleAction(f"{where} must be a person, written @name, not {value!r}.")
            return found.user if command.in_dm else found.member
        case OptionType.CHANNEL:
            return _channel(server, person, value, where)
        case _:
            raise ImpossibleAction(f"A play can't fill in {where}.")


def _fixed(option: dict[str, Any], value: str) -> Any:
    """Return the value of an option's fixed choice with this name."""
    names = {choice["name"]: choice["value"] for choice in option.get("choices") or ()}
    return names.get(value, value)


def _named(server: SimulatedServer, value: str) -> PlayPerson | None:
    """Return the person written ``@name``."""
    return server.person(value[1:]) if re.fullmatch(f"@{NAME}", value) else None


def _channel(server: SimulatedServer, person: PlayPerson, value: str, where: str) -> ChannelHandle:
    """Return the channel written ``#name``."""
    for id in server.channels_of(person):
        channel = server.env.backend.channels[id]
        if channel.guild_id is not None and value == f"#{channel.name}":
            return ChannelHandle(server.env, server.guild, channel)
    raise ImpossibleAction(f"{where} must be a channel, written #name, and {person.name} sees no {value!r}.")


def chosen(
    server: SimulatedServer, person: PlayPerson, select: Control | ModalField, labels: Sequence[str], channel: int
) -> list[Any]:
    """Convert labels into what a select sends: its options' values, people, or channels."""
    if select.kind in (ComponentType.USER_SELECT, ComponentType.MENTIONABLE_SELECT):
        named = [_named(server, label) for label in labels]
        if None in named:
            raise ImpossibleAction(f"In the select {select.label!r} you choose people, written @name.")
        return [server.actor(each, channel) for each in named if each is not None]
    if select.kind == ComponentType.CHANNEL_SELECT:
        return [_channel(server, person, label, f"The choice in {select.label!r}") for label in labels]
    if select.kind == ComponentType.ROLE_SELECT:
        raise ImpossibleAction("A play can't choose roles.")
    values = pick(select.choices, labels)
    if values is None:
        offered = dict.fromkeys(choice.label for choice in select.choices)
        raise ImpossibleAction(f"The select {select.label!r} does not have that. {listing('Its options', offered)}")
    return list(values)


def pick(choices: Sequence[SelectChoice], labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return the values of options by their labels, None if any is missing.

    A label given twice is two options so labelled, or the one that says "2 of" it.
    """
    values = []
    for label, times in Counter(labels).items():
        found = [choice.value for choice in choices if choice.label == label]
        if len(found) < times:
            found = [choice.value for choice in choices if choice.label == f"{times} of {label}"]
        if not found:
            return None
        values += found[:times]
    return tuple(values)


def filling(
    server: SimulatedServer, person: PlayPerson, field: ModalField, values: Sequence[str], channel: int
) -> tuple[str, ...]:
    """Check a person's input to a modal's field, and return it as stored: texts, values, or ids."""
    match field.kind:
        case ComponentType.TEXT_INPUT:
            if len(values) != 1:
                raise ImpossibleAction(f"The field {field.label!r} takes one value.")
            return (values[0],)
        case ComponentType.CHECKBOX:
            if len(values) != 1 or values[0] not in ("yes", "no"):
                raise ImpossibleAction(f'Tick the box {field.label!r} with "yes" or clear it with "no".')
            return tuple(value for value in values if value == "yes")
        case ComponentType.FILE_UPLOAD:
            raise ImpossibleAction("A play can't upload files.")
        case _:
            found = chosen(server, person, field, values, channel)
            return tuple(each if isinstance(each, str) else str(each.id) for each in found)


def sending(server: SimulatedServer, field: ModalField, values: tuple[str, ...], channel: int) -> Any:
    """Convert a stored modal field into what SimCord sends."""
    match field.kind:
        case ComponentType.TEXT_INPUT:
            return values[0] if values else ""
        case ComponentType.CHECKBOX:
            return bool(values)
        case ComponentType.RADIO_GROUP:
            return values[0]
        case ComponentType.USER_SELECT | ComponentType.MENTIONABLE_SELECT:
            known = {each.id: each for each in server.people.values()}
            return [server.actor(known[int(value)], channel) for value in values]
        case ComponentType.CHANNEL_SELECT:
            store = server.env.backend
            found = [store.get_channel(int(value)) for value in values]
            return [ChannelHandle(server.env, server.guild, each) for each in found]
        case _:
            return list(values)
