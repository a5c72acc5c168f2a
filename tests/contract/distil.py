"""Distils Discord's OpenAPI description: `python -m tests.contract.distil PATH_TO_DISCORD_OPENAPI`.

Writes `bot/rehearsal/discord.json`, which `bot.rehearsal.description` reads. The description itself
is `specs/openapi.json` in the GitHub repository discord/discord-api-spec. From it are taken the
operations in `OPERATIONS`, what their bodies look like, and the schemas these refer to: types,
keys, values and limits, none of Discord's sentences.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha1
from pathlib import Path
from typing import Any

from bot.rehearsal.description import DESCRIPTION

Json = dict[str, Any]

SOURCE = "https://github.com/discord/discord-api-spec, specs/openapi.json"
MADE = "python -m tests.contract.distil PATH_TO_DISCORD_OPENAPI"

_COMMANDS = (
    "/applications/{application_id}/commands",
    "/applications/{application_id}/guilds/{guild_id}/commands",
)
_REPLIES = "/webhooks/{webhook_id}/{webhook_token}"

OPERATIONS: Mapping[str, Sequence[str]] = {
    "/applications/@me": ("get",),
    "/applications/{application_id}/emojis": ("get", "post"),
    "/oauth2/applications/@me": ("get",),
    "/gateway/bot": ("get",),
    "/users/@me": ("get",),
    "/users/@me/channels": ("post",),
    "/users/{user_id}": ("get",),
    "/guilds/{guild_id}/members/search": ("get",),
    "/guilds/{guild_id}/members/{user_id}": ("get",),
    "/guilds/{guild_id}/threads/active": ("get",),
    **dict.fromkeys(_COMMANDS, ("get", "post", "put")),
    **dict.fromkeys(
        [f"{commands}/{{command_id}}" for commands in _COMMANDS], ("get", "patch", "delete")
    ),
    "/interactions/{interaction_id}/{interaction_token}/callback": ("post",),
    _REPLIES: ("post",),
    f"{_REPLIES}/messages/@original": ("get", "patch", "delete"),
    f"{_REPLIES}/messages/{{message_id}}": ("get", "patch", "delete"),
    "/channels/{channel_id}": ("get", "patch", "delete"),
    "/channels/{channel_id}/messages": ("get", "post"),
    "/channels/{channel_id}/messages/pins": ("get",),
    "/channels/{channel_id}/messages/pins/{message_id}": ("put", "delete"),
    "/channels/{channel_id}/messages/{message_id}": ("get", "patch", "delete"),
    "/channels/{channel_id}/messages/{message_id}/threads": ("post",),
    "/channels/{channel_id}/pins": ("get",),
    "/channels/{channel_id}/pins/{message_id}": ("put", "delete"),
    "/channels/{channel_id}/thread-members": ("get",),
    "/channels/{channel_id}/thread-members/@me": ("put", "delete"),
    "/channels/{channel_id}/thread-members/{user_id}": ("get", "put", "delete"),
    "/channels/{channel_id}/threads": ("post",),
    "/channels/{channel_id}/threads/archived/private": ("get",),
    "/channels/{channel_id}/threads/archived/public": ("get",),
    "/channels/{channel_id}/typing": ("post",),
}
"""What the bot can ask: every path with its methods. A request to any other is a finding."""

CHECKED = (
    *("type", "const", "enum", "allOf", "oneOf", "anyOf"),
    *("properties", "required", "additionalProperties", "minProperties", "maxProperties"),
    *("items", "uniqueItems", "minItems", "maxItems"),
    *("pattern", "minLength", "maxLength", "minimum", "maximum"),
)
"""Keywords that requests are checked against, in the order they are written and checked: a wrong
type comes first.
"""

UNCHECKED = frozenset(
    {
        "title",
        "description",
        "example",
        "examples",
        "default",
        "deprecated",
        "format",
        "contentEncoding",
    }
)
"""Keywords that are left out: prose, and what JSON Schema treats as a comment."""

_REF, _OURS = "#/components/schemas/", "#/schemas/"


def distil(
    description: Json,
    operations: Mapping[str, Sequence[str]] = OPERATIONS,
    *,
    version: str,
    date: str,
) -> Json:
    """Return what `operations` need of a description, under a header that says where it is from.

    `version` names the description, `date` (YYYY-MM-DD) is the day this was done. A method maps to
    the body it takes, or to None for none at all.

    Raises LookupError for an operation or a schema that is not described, ValueError for a keyword
    that is neither in `CHECKED` nor in `UNCHECKED`: dropping one unseen would make the checks
    weaker.
    """
    paths = {path: _methods(description, path, methods) for path, methods in operations.items()}
    return {
        "source": SOURCE,
        "version": version,
        "date": date,
        "made": MADE,
        "paths": paths,
        "schemas": _closure(description["components"]["schemas"], paths),
    }


def written(distilled: Json) -> str:
    """Return the text of the file: one line for each path and each schema, sorted, so that diffs
    are short.
    """
    parts = [
        f"{_line(key)}: {_block(value) if isinstance(value, dict) else _line(value)}"
        for key, value in distilled.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def keywords(schema: Any) -> set[str]:
    """Return every keyword that a schema or a schema inside it uses."""
    found = set(schema) if isinstance(schema, dict) else set()
    for key, value in schema.items() if isinstance(schema, dict) else ():
        below = (
            value.values() if key == "properties" else value if isinstance(value, list) else [value]
        )
        found = found.union(*map(keywords, below))
    return found


def version_of(raw: bytes, revision: str = "") -> str:
    """Name a description by the API's version and by the git object id that its repository has it
    under.
    """
    blob = sha1(b"blob %d\0%s" % (len(raw), raw), usedforsecurity=False).hexdigest()
    api = json.loads(raw)["info"]["version"]
    return f"API v{api}, git object {blob}" + (f", {revision}" if revision else "")


def _methods(description: Json, path: str, methods: Sequence[str]) -> Json:
    described = description["paths"].get(path, {})
    if missing := [method for method in methods if method not in described]:
        raise LookupError(f"{path}: {' and '.join(missing)} is not described")
    return {method: _body(described[method].get("requestBody")) for method in sorted(methods)}


def _body(body: Json | None) -> Json | None:
    if body is None:
        return None
    schema = body["content"]["application/json"]["schema"]
    return {"required": bool(body.get("required")), "schema": _shape(schema)}


def _closure(schemas: Json, paths: Json) -> Json:
    """The schemas that `paths` refer to, those that these refer to, and so on."""
    found: Json = {}
    waiting = list(_refs(paths))
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        if name not in schemas:
            raise LookupError(f"{name}: no such schema")
        found[name] = _shape(schemas[name])
        waiting += _refs(found[name])
    return found


def _refs(shape: Any) -> Iterator[str]:
    for value in (
        shape.values() if isinstance(shape, dict) else shape if isinstance(shape, list) else ()
    ):
        yield from _refs(value)
    if isinstance(shape, dict) and isinstance(shape.get("$ref"), str):
        yield shape["$ref"].removeprefix(_OURS)


def _shape(schema: Any) -> Any:
    """A schema reduced to what is checked; a union of constants becomes an enum."""
    if isinstance(schema, bool):
        return schema
    if "$ref" in schema:
        return {"$ref": schema["$ref"].replace(_REF, _OURS)}
    for keyword in schema:
        if keyword not in CHECKED and keyword not in UNCHECKED and not keyword.startswith("x-"):
            raise ValueError(f"{keyword!r} is not known: is it something to check?")
    shape = {key: _value(key, schema[key]) for key in CHECKED if key in schema}
    for union in ("oneOf", "anyOf"):
        branches = shape.get(union, ())
        if branches and all(set(branch) == {"const"} for branch in branches):
            del shape[union]
            shape["enum"] = [branch["const"] for branch in branches]
    return shape


def _value(keyword: str, value: Any) -> Any:
    """What a keyword holds, reduced. Of properties `type` comes first: a finding about it explains
    the others.
    """
    if keyword == "properties":
        return {
            name: _shape(value[name])
            for name in sorted(value, key=lambda name: (name != "type", name))
        }
    if keyword in ("oneOf", "anyOf", "allOf"):
        return [_shape(schema) for schema in value]
    if keyword in ("items", "additionalProperties"):
        return _shape(value)
    return value


def _block(entries: Json) -> str:
    return (
        "{\n"
        + ",\n".join(f"{_line(key)}: {_line(entries[key])}" for key in sorted(entries))
        + "\n}"
    )


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def main(arguments: Sequence[str], target: Path = DESCRIPTION) -> int:
    """Read a description, write what is needed of it, and print how much that is."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.contract.distil", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("path", type=Path, help="Discord's OpenAPI description")
    parser.add_argument(
        "--revision", default="", help="the commit the description is from, for the header"
    )
    parser.add_argument(
        "--date", default=f"{datetime.now(UTC):%Y-%m-%d}", help="the day for the header; today"
    )
    given = parser.parse_args(arguments)
    raw = given.path.read_bytes()
    version = version_of(raw, given.revision)
    text = written(distil(json.loads(raw), version=version, date=given.date))
    target.write_text(text, encoding="utf-8")
    print(f"{target.name}: {len(text.encode()) // 1000} kB of {len(raw) // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
