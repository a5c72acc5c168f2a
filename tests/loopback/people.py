"""Who is at the table, and what they type, as Discord writes it into an interaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discord import Permissions

from tests.loopback.screen import Json

PLAYER = Permissions(
    view_channel=True,
    read_message_history=True,
    send_messages=True,
    send_messages_in_threads=True,
    use_application_commands=True,
)
MODERATOR = PLAYER | Permissions(manage_guild=True)

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, NUMBER = 1, 2, 3, 4, 5, 6, 10


@dataclass(frozen=True)
class Person:
    """A Discord user and what the guild lets them do."""

    id: int
    name: str
    permissions: Permissions = PLAYER
    bot: bool = False

    def user(self) -> Json:
        """The user as Discord writes them."""
        return {
            "id": str(self.id),
            "username": self.name,
            "discriminator": "0",
            "avatar": None,
            "global_name": None,
            "bot": self.bot,
        }

    def member(self) -> Json:
        """As in `resolved.members`: without the user."""
        return {
            "roles": [],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "premium_since": None,
            "nick": None,
            "pending": False,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "permissions": str(self.permissions.value),
        }


def typed(
    commands: list[Json], words: str, given: Mapping[str, Any], focused: str | None = None
) -> Json:
    """The `data` of a slash command as Discord sends it, e.g. `typed(commands, "offer post", {"to":
    BOB})`.

    Options take their type from the registered command; a trailing underscore is dropped (`with_`).
    Raises ValueError for what the client would not let anybody send: an unknown command or option,
    a required one left out, a value that is no choice. While one option is `focused` (autocomplete)
    nothing is required.
    """
    name, *path = words.split()
    slash = {}
    for command in commands:
        if command.get("type", 1) == 1:
            slash[command["name"]] = command
    if name not in slash:
        raise ValueError(f"no command /{name} is registered")
    node, wrappers = slash[name], []
    for word in path:
        below = {}
        for option in node.get("options") or []:
            if option["type"] in (SUBCOMMAND, GROUP):
                below[option["name"]] = option
        if word not in below:
            raise ValueError(
                f"/{words}: {node['name']} has no subcommand {word}; it has {', '.join(below)}"
            )
        node = below[word]
        wrappers.append(node)
    known = {option["name"]: option for option in node.get("options") or []}
    if any(option["type"] in (SUBCOMMAND, GROUP) for option in known.values()):
        raise ValueError(f"/{words} wants a subcommand: {', '.join(known)}")
    values = {key.rstrip("_"): value for key, value in given.items()}
    if unknown := values.keys() - known.keys():
        has = ", ".join(known) or "none"
        raise ValueError(f"/{words} has no option {', '.join(sorted(unknown))}; it has {has}")
    required = {key for key, option in known.items() if option.get("required")}
    missing = sorted(required - values.keys())
    if missing and focused is None:
        raise ValueError(f"/{words} requires {', '.join(missing)}")

    options: list[Json] = []
    for key, value in values.items():
        option = known[key]
        sent = _value(option, value, words)
        options.append({"name": key, "type": option["type"], "value": sent})
        if key == focused:
            options[-1] |= {"focused": True, "value": str(value)}
    for wrapper in reversed(wrappers):
        options = [{"name": wrapper["name"], "type": wrapper["type"], "options": options}]
    data: Json = {"id": slash[name]["id"], "name": name, "type": 1}
    data["options"] = options
    if named := [value for value in values.values() if isinstance(value, Person)]:
        data["resolved"] = {
            "users": {str(person.id): person.user() for person in named},
            "members": {str(person.id): person.member() for person in named},
        }
    return data


def _value(option: Json, value: Any, words: str) -> Any:
    """One value in the type the option was registered with."""
    kind = option["type"]
    if kind == USER:
        if not isinstance(value, Person):
            raise ValueError(f"/{words} {option['name']}: wants a person, not {value!r}")
        return str(value.id)
    if choices := option.get("choices"):
        chosen = [
            choice["value"] for choice in choices if value in (choice["name"], choice["value"])
        ]
        if not chosen:
            names = ", ".join(choice["name"] for choice in choices)
            raise ValueError(f"/{words} {option['name']}: {value!r} is none of {names}")
        return chosen[0]
    wanted = {INTEGER: int, BOOLEAN: bool, STRING: str}.get(kind)
    if wanted is not None and type(value) is not wanted:
        raise ValueError(f"/{words} {option['name']}: wants {wanted.__name__}, not {value!r}")
    return value
