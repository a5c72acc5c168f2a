"""Checks requests as Discord does: everything that checks a request of the bot asks `problems`.

First by Discord's OpenAPI description. What that omits is checked by SimCord (the limits of a whole
message or modal; SimCord refuses such requests, but the bot may ignore that) and here. The numbers
here are from Discord's developer documentation on components, interactions and commands.
discord.py itself raises where a command is declared with a wrong name, one name twice, or too many
commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Protocol

import orjson
from simcord.components import (
    COMPONENTS_V2_FLAG,
    ComponentValidationError,
    validate_message_state,
    validate_modal,
    walk_components,
)
from simcord.enums import AppCommandType, CallbackType, ComponentType

from bot.rehearsal import description

Json = dict[str, Any]

PREMIUM = 6  # a style of buttons, whose label is Discord's
ONLY_V2 = frozenset(
    {
        ComponentType.SECTION,
        ComponentType.TEXT_DISPLAY,
        ComponentType.THUMBNAIL,
        ComponentType.MEDIA_GALLERY,
        ComponentType.FILE,
        ComponentType.SEPARATOR,
        ComponentType.CONTAINER,
    }
)
"""Components that only a message with the flag may have."""

MENU_TYPES = (AppCommandType.USER, AppCommandType.MESSAGE)
COMMAND_CHARACTERS, CHOICE_VALUE = 8000, 100

_SENDS = re.compile(r"/channels/\d+/messages|/webhooks/\d+/[^/]+")
_EDITS = re.compile(r"/channels/\d+/messages/\d+|/webhooks/\d+/[^/]+/messages/(\d+|@original)")
_CALLBACK = re.compile(r"/interactions/\d+/[^/]+/callback")
_REGISTERS = re.compile(r"/applications/\d+(/guilds/\d+)?/commands")


class Request(Protocol):
    """A request of the bot, ``path`` below /api/v10."""

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def json(self) -> Any: ...


def refused(requests: Iterable[Request]) -> list[str]:
    """Return what Discord would refuse in these requests, each finding once."""
    found: dict[str, None] = {}
    for request in requests:
        found |= dict.fromkeys(problems(request.method, request.path, request.json))
    return list(found)


def problems(method: str, path: str, body: Any) -> list[str]:
    """Return a sentence for each thing that Discord would refuse in a request. ``path`` is below
    /api/v10.
    """
    # A bot registers the same commands, its longest request, whenever it starts.
    if _REGISTERS.fullmatch(path):
        found = _of_commands(method, path, orjson.dumps(body))
    else:
        found = _found(method, path, body)
    return [f"{method.lower()} {path}: {problem}" for problem in found]


@lru_cache(maxsize=4)
def _of_commands(method: str, path: str, body: bytes) -> list[str]:
    return _found(method, path, orjson.loads(body))


def _found(method: str, path: str, body: Any) -> list[str]:
    return description.faults(method, path, body) or [*_undescribed(method, path, body)]


def _undescribed(method: str, path: str, body: Any) -> Iterator[str]:
    """Check what the description omits, in a request that is as described."""
    match method.upper():
        case "POST" if _SENDS.fullmatch(path):
            yield from message(body, new=True)
        case "PATCH" if _EDITS.fullmatch(path):
            yield from message(body, new=False)
        case "POST" if _CALLBACK.fullmatch(path):
            kind, data = body["type"], body.get("data") or {}
            if kind in (CallbackType.CHANNEL_MESSAGE_WITH_SOURCE, CallbackType.UPDATE_MESSAGE):
                yield from message(data, new=kind == CallbackType.CHANNEL_MESSAGE_WITH_SOURCE)
            elif kind == CallbackType.APPLICATION_COMMAND_AUTOCOMPLETE_RESULT:
                yield from choice_faults(data.get("choices") or [])
            elif kind == CallbackType.MODAL:
                yield from modal(data)
        case "PUT" if _REGISTERS.fullmatch(path):
            yield from commands(body or [])
        case "POST" if _REGISTERS.fullmatch(path):
            yield from command(body)


# -- messages and modals ---------------------------------------------------------------------------


def message(body: Json, *, new: bool) -> Iterator[str]:
    """Check a message that is sent (``new``), or the change of one."""
    components = body.get("components") or []
    every = list(walk_components(components))
    flags = body.get("flags") or 0
    if not new and any(item["type"] in ONLY_V2 for item in every):
        flags |= COMPONENTS_V2_FLAG  # the message has it
    try:
        validate_message_state(
            components,
            flags=flags,
            content=body.get("content"),
            embeds=body.get("embeds") or [],
            poll=body.get("poll"),
            stickers=body.get("sticker_ids"),
            attachments=body.get("attachments"),
            require_nonempty=new,
        )
    except ComponentValidationError as error:
        yield _said(error)
    yield from _items(every)


def modal(data: Json) -> Iterator[str]:
    """Check a modal."""
    try:
        validate_modal(data)
    except ComponentValidationError as error:
        yield _said(error)
    yield from _items(list(walk_components(data["components"])))


def _said(error: ComponentValidationError) -> str:
    """Return what is wrong and where; SimCord begins with `components.` even where that is the
    message itself.
    """
    return str(error).removeprefix("components.: ").removeprefix("components.")


def _items(every: list[Json]) -> Iterator[str]:
    """Check what SimCord does not check of components."""
    for item in every:
        options = item.get("options") or []
        chosen = sum(bool(option.get("default")) for option in options)
        match item["type"]:
            case ComponentType.BUTTON if item["style"] != PREMIUM:
                if not item.get("label") and not item.get("emoji"):
                    yield "button without label or emoji"
            case ComponentType.SELECT:
                most = _given(item, "max_values", 1)
                if 0 < len(options) < most:
                    yield f"select of up to {most} with {len(options)} options"
                if chosen > most:
                    yield f"select of up to {most} with {chosen} chosen beforehand"
            case ComponentType.RADIO_GROUP if chosen > 1:
                yield f"radio buttons with {chosen} chosen beforehand"
            case ComponentType.TEXT_INPUT:
                length = len(item.get("value") or "")
                most = _given(item, "max_length", length)
                if length > most:
                    yield f"text input filled in with {length} characters, {most} at most"


def _given(item: Json, key: str, otherwise: int) -> int:
    value: int | None = item.get(key)
    return otherwise if value is None else value


def choice_faults(offered: list[Json]) -> Iterator[str]:
    """Check the choices of an option, fixed or suggested."""
    for choice in offered:
        value = choice["value"]
        if isinstance(value, str) and not 1 <= len(value) <= CHOICE_VALUE:
            yield f"choice value of {len(value)} characters, 1 to {CHOICE_VALUE} are right"


# -- application commands --------------------------------------------------------------------------


def commands(registered: list[Json]) -> Iterator[str]:
    """Check all commands that are registered together, for everybody or for one server."""
    for declared in registered:
        if declared.get("type") not in MENU_TYPES:
            yield from command(declared)


def command(declared: Json) -> Iterator[str]:
    """Check a slash command with its subcommands and options."""
    where = f"/{declared['name']}"
    characters = _characters(declared)
    if characters > COMMAND_CHARACTERS:
        yield f"{where} is {characters} characters in all, {COMMAND_CHARACTERS} at most"
    yield from _node(declared, where)


def _characters(node: Json) -> int:
    """Count the characters of names, descriptions and values. The longest translation counts."""
    count = 0
    for key in ("name", "description"):
        translations = node.get(f"{key}_localizations") or {}
        texts = [node.get(key) or "", *translations.values()]
        count += max(map(len, texts))
    if isinstance(node.get("value"), str):
        count += len(node["value"])
    below = (node.get("options") or []) + (node.get("choices") or [])
    return count + sum(map(_characters, below))


def _node(node: Json, where: str) -> Iterator[str]:
    """Check a command, a subcommand or an option, and what is below it."""
    fixed = node.get("choices") or []
    if fixed and node.get("autocomplete"):  # discord.py lets both be declared
        yield f"{where}: choices and autocomplete together"
    for problem in choice_faults(fixed):
        yield f"{where}: {problem}"
    for option in node.get("options") or []:
        yield from _node(option, f"{where} {option['name']}")
