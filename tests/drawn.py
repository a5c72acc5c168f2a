"""Cards as Discord gets them."""

from __future__ import annotations

from typing import Any

from bot.delivery.desired import Way
from bot.delivery.render import payload
from bot.rehearsal import limits
from bot.rehearsal.limits import COMPONENTS_V2_FLAG
from bot.show.cards import Card

Json = dict[str, Any]

WAYS: tuple[Way, ...] = ("classical", "v2")


def refused(message: Json) -> list[str]:
    """Return what Discord would hold against a message."""
    return limits.problems("POST", "/channels/1/messages", message)


def message(card: Card, way: Way = "v2", marker: int | None = None) -> Json:
    """Return the message that shows a card. Its picture, if any, must be drawn."""
    said = payload(card, way, marker=marker)
    shown = {"components": said["view"].to_components()}
    if way == "v2":
        return shown | {"flags": COMPONENTS_V2_FLAG}
    return shown | {
        "content": said["content"],
        "embeds": [embed.to_dict() for embed in said["embeds"]],
    }
