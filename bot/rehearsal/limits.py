"""Discord's limits that its OpenAPI description omits or says in words only.

SimCord knows those of components, embeds and modals, and refuses such requests. The bot may not mind, so a play says
so. The numbers of the rest are those of Discord's developer documentation on components, interactions and commands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from simcord.components import (
    COMPONENTS_V2_FLAG,
    ComponentValidationError,
    validate_message_state,
    validate_modal,
    walk_components,
)

Json = dict[str, Any]

# Component types
BUTTON, SELECT, TEXT_INPUT, RADIO_GROUP = 2, 3, 4, 21
ONLY_V2 = frozenset({9, 10, 11, 12, 13, 14, 17})  # in a message that carries the flag
PREMIUM = 6  # a style of buttons, whose label is Discord's

# Kinds of interaction callback
MESSAGE, UPDATE, CHOICES, MODAL = 4, 7, 8, 9
# Types of command option
SUBCOMMAND, GROUP = 1, 2

# Types of command: of the menu of a person, of the menu of a message
USER_MENU, MESSAGE_MENU = 2, 3

INPUT = 4000
COMMANDS, COMMAND_CHARACTERS, COMMAND_OPTIONS, DESCRIPTION = 100, 8000, 25, 100
AUTOCOMPLETE, CHOICE_NAME = 25, 100
MENUS, MENU_NAME = 5, 32

_SENDS = re.compile(r"/channels/\d+/messages|/webhooks/\d+/[^/]+")
_EDITS = re.compile(r"/channels/\d+/messages/\d+|/webhooks/\d+/[^/]+/messages/(\d+|@original)")
_CALLBACK = re.compile(r"/interactions/\d+/[^/]+/callback")
_REGISTERS = re.compile(r"/applications/\d+(/guilds/\d+)?/commands")
_COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")


def problems(method: str, path: str, body: Any) -> list[str]:
    """What a request breaks; `path` is below /api/v10."""
    return [f"{method.lower()} {path}: {problem}" for problem in _problems(method.upper(), path, body)]


def _problems(method: str, path: str, body: Any) -> Iterator[str]:
    if method == "POST" and _SENDS.fullmatch(path):
        yield from message(body or {}, new=True)
    elif method == "PATCH" and _EDITS.fullmatch(path):
        yield from message(body or {}, new=False)
    elif method == "POST" and _CALLBACK.fullmatch(path):
        data = body.get("data") or {}
        if body["type"] in (MESSAGE, UPDATE):
            yield from message(data, new=body["type"] == MESSAGE)
        elif body["type"] == CHOICES:
            yield from choices(data.get("choices") or [])
        elif body["type"] == MODAL:
            yield from modal(data)
    elif method == "PUT" and _REGISTERS.fullmatch(path):
        yield from commands(body)
    elif method == "POST" and _REGISTERS.fullmatch(path):
        yield from command(body)


# -- messages and modals ---------------------------------------------------------------------------


def message(body: Json, *, new: bool) -> Iterator[str]:
    """A message as it is sent (`new`), or the change of one."""
    components = body.get("components") or []
    every = list(walk_components(components))
    flags = body.get("flags") or 0
    if not new and any(item["type"] in ONLY_V2 for item in every):
        flags |= COMPONENTS_V2_FLAG  # the message has it
    try:
        validate_message_state(
            components, flags=flags, content=body.get("content"), embeds=body.get("embeds") or [],
            poll=body.get("poll"), stickers=body.get("sticker_ids"), attachments=body.get("attachments"),
            require_nonempty=new,
        )  # fmt: skip
    except ComponentValidationError as error:
        yield _said(error)
    yield from _items(every)


def modal(data: Json) -> Iterator[str]:
    """A modal as it is opened."""
    try:
        validate_modal(data)
    except ComponentValidationError as error:
        yield _said(error)
    yield from _items(list(walk_components(data["components"])))


def _said(error: ComponentValidationError) -> str:
    """Return what is wrong and where; SimCord begins with `components.` even where that is the message itself."""
    return str(error).removeprefix("components.: ").removeprefix("components.")


def _items(every: list[Json]) -> Iterator[str]:
    """Components wherever they stand: what SimCord takes."""
    for item in every:
        if item["type"] == BUTTON:
            if not item.get("label") and not item.get("emoji") and item["style"] != PREMIUM:
                yield "button without label or emoji"
        elif item["type"] == SELECT:
            most, options = _given(item, "max_values", 1), item.get("options") or []
            if 0 < len(options) < most:
                yield f"select of up to {most} with {len(options)} options"
            if (chosen := sum(bool(option.get("default")) for option in options)) > most:
                yield f"select of up to {most} with {chosen} chosen beforehand"
        elif item["type"] == RADIO_GROUP:
            if (chosen := sum(bool(option.get("default")) for option in item["options"])) > 1:
                yield f"radio buttons with {chosen} chosen beforehand"
        elif item["type"] == TEXT_INPUT:
            most = _given(item, "max_length", INPUT)
            if len(value := item.get("value") or "") > most:
                yield f"text input filled in with {len(value)} characters, {most} at most"


def _given(item: Json, key: str, otherwise: int) -> int:
    value: int | None = item.get(key)
    return otherwise if value is None else value


def choices(offered: list[Json]) -> Iterator[str]:
    """What autocomplete answers."""
    if len(offered) > AUTOCOMPLETE:
        yield f"{len(offered)} autocomplete choices, {AUTOCOMPLETE} at most"
    for choice in offered:
        if not 1 <= len(choice["name"]) <= CHOICE_NAME:
            yield f"choice name of {len(choice['name'])} characters, 1 to {CHOICE_NAME} are right"
        if isinstance(choice["value"], str) and not 1 <= len(choice["value"]) <= CHOICE_NAME:
            yield f"choice value of {len(choice['value'])} characters, 1 to {CHOICE_NAME} are right"


# -- application commands --------------------------------------------------------------------------


def commands(registered: list[Json]) -> Iterator[str]:
    """All that are registered at once, for everybody or for one guild."""
    slash = [one for one in registered if one.get("type") not in (USER_MENU, MESSAGE_MENU)]
    if len(slash) > COMMANDS:
        yield f"{len(slash)} commands, {COMMANDS} at most"
    yield from _twice("command", [one["name"] for one in slash])
    for one in slash:
        yield from command(one)
    for kind in (USER_MENU, MESSAGE_MENU):
        menus = [one for one in registered if one.get("type") == kind]
        if len(menus) > MENUS:
            yield f"{len(menus)} commands in a menu, {MENUS} at most"
        yield from _twice("command", [one["name"] for one in menus])
        for one in menus:
            if not 1 <= len(one["name"]) <= MENU_NAME:
                yield f"{one['name']!r} is no name in a menu: 1 to {MENU_NAME} characters"
            if one.get("description") or one.get("options"):
                yield f"{one['name']!r} has a description or options, and stands in a menu"


def command(one: Json) -> Iterator[str]:
    """A slash command with all below it."""
    if (characters := _characters(one)) > COMMAND_CHARACTERS:
        yield f"/{one['name']} is {characters} characters in all, {COMMAND_CHARACTERS} at most"
    yield from _node(one, f"/{one['name']}")


def _characters(node: Json) -> int:
    """Names, descriptions and values; of translations the longest counts."""
    longest = sum(
        max(len(text) for text in (node.get(key) or "", *(node.get(f"{key}_localizations") or {}).values()))
        for key in ("name", "description")
    )
    value = len(node["value"]) if isinstance(node.get("value"), str) else 0
    below = (node.get("options") or []) + (node.get("choices") or [])
    return longest + value + sum(map(_characters, below))


def _node(node: Json, where: str) -> Iterator[str]:
    """A command, a subcommand or an option: its name, its description, what is below it."""
    name, options = node["name"], node.get("options") or []
    if not _COMMAND_NAME.fullmatch(name) or name != name.lower():
        yield f"{where}: {name!r} is no name: 1 to 32 letters, digits, - and _, in lower case"
    if not 1 <= len(node.get("description") or "") <= DESCRIPTION:
        yield f"{where}: description of {len(node.get('description') or '')} characters, 1 to {DESCRIPTION}"
    if len(options) > COMMAND_OPTIONS:
        yield f"{where}: {len(options)} options or subcommands, {COMMAND_OPTIONS} at most"
    yield from _twice(f"{where}: option", [option["name"] for option in options])
    if len({option["type"] in (SUBCOMMAND, GROUP) for option in options}) > 1:
        yield f"{where}: options beside subcommands"
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield f"{where}: a required option after one that may be left out"
    fixed = node.get("choices") or []
    if fixed and node.get("autocomplete"):
        yield f"{where}: choices and autocomplete together"
    yield from (f"{where}: {problem}" for problem in choices(fixed))
    for option in options:
        yield from _node(option, f"{where} {option['name']}")


def _twice(what: str, names: list[str]) -> Iterator[str]:
    yield from (f"{what} {name!r} stands {times} times" for name, times in Counter(names).items() if times > 1)
