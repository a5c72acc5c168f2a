"""Reading what Discord would show: messages and modals as plain JSON, components walked top to
bottom.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

BUTTON, SELECT, TEXT_INPUT, TEXT, LABEL = 2, 3, 4, 10, 18
EPHEMERAL, LOADING, SUPPRESS_NOTIFICATIONS, COMPONENTS_V2 = 1 << 6, 1 << 7, 1 << 12, 1 << 15
ONLY_V2 = frozenset({9, TEXT, 11, 12, 13, 14, 17})  # components of messages that carry that flag


def walk(components: list[Json]) -> Iterator[Json]:
    """Every component, nested ones and accessories included, in the order a person reads them."""
    for item in components:
        yield item
        yield from walk(item.get("components") or [])
        for key in ("accessory", "component"):
            if item.get(key):
                yield from walk([item[key]])


def text_of(message: Json) -> str:
    """What a person reads in a message, a line a part; buttons are left out (see `labels`)."""
    parts = [message.get("content") or ""]
    for embed in message.get("embeds") or []:
        parts += [embed.get("title") or "", embed.get("description") or ""]
        parts += [f"{field['name']}: {field['value']}" for field in embed.get("fields") or []]
        parts.append((embed.get("footer") or {}).get("text") or "")
    parts += [
        item["content"] for item in walk(message.get("components") or []) if item["type"] == TEXT
    ]
    return "\n".join(part for part in parts if part)


def push(message: Json) -> str:
    """What a locked phone shows of a new message: its content. Components V2 have none, and an
    embed is left out.
    """
    return message.get("content") or ""


def buttons(message: Json, *, enabled: bool = True) -> list[Json]:
    """The buttons of a message; only those that can be pressed, unless told otherwise."""
    return [
        item
        for item in walk(message.get("components") or [])
        if item["type"] == BUTTON and not (enabled and item.get("disabled"))
    ]


def labels(message: Json, *, enabled: bool = True) -> list[str]:
    """The labels of a message's buttons, in reading order."""
    return [button.get("label") or "" for button in buttons(message, enabled=enabled)]


def selects(message: Json) -> list[Json]:
    """The select menus of a message that can be used."""
    every = walk(message.get("components") or [])
    return [item for item in every if item["type"] == SELECT and not item.get("disabled")]


def is_silent(message: Json) -> bool:
    """Whether it was sent so that nobody's client rings."""
    return bool((message.get("flags") or 0) & SUPPRESS_NOTIFICATIONS)


def is_ephemeral(message: Json) -> bool:
    """Whether one person alone sees it."""
    return bool((message.get("flags") or 0) & EPHEMERAL)
