"""What Discord refuses though its OpenAPI description does not say so, or says so in words only.

The numbers are those of Discord's developer documentation on messages, components, interactions and commands.
Each rule yields sentences; `problems` tells which rules a request is under.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

# Component types
ROW, BUTTON, SELECT, TEXT_INPUT, SECTION, TEXT, LABEL = 1, 2, 3, 4, 9, 10, 18
OF_V2 = frozenset({9, 10, 11, 12, 13, 14, 17})  # only in a message that carries the flag
SELECTS = frozenset({3, 5, 6, 7, 8})
LINK, PREMIUM = 5, 6  # styles of buttons that send no interaction
V2 = 1 << 15

# Kinds of interaction callback
MESSAGE, UPDATE, CHOICES, MODAL = 4, 7, 8, 9
# Types of command option
SUBCOMMAND, GROUP = 1, 2

# Types of command: of the menu of a person, of the menu of a message
USER_MENU, MESSAGE_MENU = 2, 3

CONTENT, EMBEDS, V2_TEXT, COMPONENTS, ROWS = 2000, 6000, 4000, 40, 5
CUSTOM_ID, BUTTON_LABEL, OPTIONS, OPTION_TEXT, PLACEHOLDER = 100, 80, 25, 100, 150
MODAL_TITLE, MODAL_ITEMS, MODAL_LABEL, INPUT = 45, 5, 45, 4000
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


# -- messages --------------------------------------------------------------------------------------


def message(body: Json, *, new: bool) -> Iterator[str]:
    """A message as it is sent (`new`), or the change of one."""
    content, embeds, components = (body.get(key) or [] for key in ("content", "embeds", "components"))
    every = list(_walk(components))
    if len(content) > CONTENT:
        yield f"content of {len(content)} characters, {CONTENT} at most"
    if (embedded := sum(map(_embedded, embeds))) > EMBEDS:
        yield f"embeds of {embedded} characters together, {EMBEDS} at most"
    if len(every) > COMPONENTS:
        yield f"{len(every)} components, {COMPONENTS} at most"
    if (body.get("flags") or 0) & V2:
        said = [key for key in ("content", "embeds", "poll", "sticker_ids") if body.get(key)]
        if said:
            yield f"flagged as Components V2 and yet has {' and '.join(said)}"
        if (shown := sum(len(item.get("content") or "") for item in every if item["type"] == TEXT)) > V2_TEXT:
            yield f"text of {shown} characters in all, {V2_TEXT} at most"
    else:
        if new and (found := sorted({item["type"] for item in every} & OF_V2)):
            yield f"components of type {found} without the flag for Components V2"
        if not any(item["type"] in OF_V2 for item in every) and len(components) > ROWS:
            yield f"{len(components)} rows of components, {ROWS} at most"
    if new and not any(body.get(k) for k in ("content", "embeds", "components", "attachments", "poll")):
        yield "empty message"
    yield from _items(every)


def _embedded(embed: Json) -> int:
    texts = [embed.get("title"), embed.get("description"), (embed.get("footer") or {}).get("text")]
    texts.append((embed.get("author") or {}).get("name"))
    texts += [field[key] for field in embed.get("fields") or [] for key in ("name", "value")]
    return sum(len(text or "") for text in texts)


# -- components ------------------------------------------------------------------------------------


def _walk(components: list[Json]) -> Iterator[Json]:
    for item in components:
        yield item
        yield from _walk(item.get("components") or [])
        yield from _walk([item[key] for key in ("accessory", "component") if item.get(key)])


def _items(every: list[Json]) -> Iterator[str]:
    """What holds for components wherever they stand."""
    for key in ("custom_id", "id"):
        seen = Counter(item[key] for item in every if item.get(key))
        yield from (f"{key} {value!r} stands {times} times" for value, times in seen.items() if times > 1)
    for item in every:
        custom_id = item.get("custom_id")
        if custom_id is not None and not 1 <= len(custom_id) <= CUSTOM_ID:
            yield f"custom_id of {len(custom_id)} characters, 1 to {CUSTOM_ID} are right"
        if item["type"] == BUTTON:
            yield from _button(item)
        elif item["type"] in SELECTS:
            yield from _select(item)
        elif item["type"] == TEXT_INPUT:
            yield from _text_input(item)
        elif item["type"] == ROW:
            kinds = [child["type"] for child in item["components"]]
            if len(kinds) > 1 and SELECTS & set(kinds):
                yield "a select shares its row"


def _button(item: Json) -> Iterator[str]:
    label = item.get("label") or ""
    if len(label) > BUTTON_LABEL:
        yield f"button label of {len(label)} characters, {BUTTON_LABEL} at most: {label[:20]!r}"
    if not label and not item.get("emoji") and item["style"] != PREMIUM:
        yield "button without label or emoji"
    if item["style"] == LINK:
        if not item.get("url") or item.get("custom_id"):
            yield f"link button {label!r} needs a url and takes no custom_id"
    elif item["style"] != PREMIUM and (item.get("url") or not item.get("custom_id")):
        yield f"button {label!r} needs a custom_id and takes no url"


def _select(item: Json) -> Iterator[str]:
    options = item.get("options") or []
    if item.get("custom_id") is None:
        yield "select without custom_id"
    if len(item.get("placeholder") or "") > PLACEHOLDER:
        yield f"select placeholder of {len(item['placeholder'])} characters, {PLACEHOLDER} at most"
    least, most = _given(item, "min_values", 1), _given(item, "max_values", 1)
    if least > most:
        yield f"select of at least {least} and at most {most}"
    if item["type"] != SELECT:
        return
    if not 1 <= len(options) <= OPTIONS:
        yield f"select with {len(options)} options, 1 to {OPTIONS} are right"
    if 0 < len(options) < most:
        yield f"select of up to {most} with {len(options)} options"
    if (chosen := sum(bool(option.get("default")) for option in options)) > most:
        yield f"select of up to {most} with {chosen} chosen beforehand"
    values = Counter(option["value"] for option in options)
    yield from (f"select value {value!r} stands {n} times" for value, n in values.items() if n > 1)
    for option in options:
        for key in ("label", "value", "description"):
            text = option.get(key)
            if text is not None and not 1 <= len(text) <= OPTION_TEXT:
                yield f"select {key} of {len(text)} characters, 1 to {OPTION_TEXT} are right"


def _text_input(item: Json) -> Iterator[str]:
    least, most = _given(item, "min_length", 0), _given(item, "max_length", INPUT)
    if not 0 <= least <= most <= INPUT:
        yield f"text input of {least} to {most} characters, {INPUT} at most"
    if len(value := item.get("value") or "") > most:
        yield f"text input filled in with {len(value)} characters, {most} at most"
    if len(placeholder := item.get("placeholder") or "") > OPTION_TEXT:
        yield f"text input placeholder of {len(placeholder)} characters, {OPTION_TEXT} at most"


def _given(item: Json, key: str, otherwise: int) -> int:
    value: int | None = item.get(key)
    return otherwise if value is None else value


def modal(data: Json) -> Iterator[str]:
    """A modal as it is opened."""
    items = data["components"]
    if not 1 <= len(data["title"]) <= MODAL_TITLE:
        yield f"modal title of {len(data['title'])} characters, 1 to {MODAL_TITLE} are right"
    if not 1 <= len(items) <= MODAL_ITEMS:
        yield f"modal with {len(items)} items, 1 to {MODAL_ITEMS} are right"
    if not 1 <= len(data["custom_id"]) <= CUSTOM_ID:
        yield f"modal custom_id of {len(data['custom_id'])} characters, 1 to {CUSTOM_ID} are right"
    for item in items:
        if item["type"] == LABEL and not 1 <= len(item["label"]) <= MODAL_LABEL:
            yield f"modal label of {len(item['label'])} characters, 1 to {MODAL_LABEL} are right"
    yield from _items(list(_walk(items)))


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
