"""Checks requests against Discord's OpenAPI description, of which `discord.json` has the part that
the bot uses.

`tests/contract/distil.py` makes that file. It is read with two changes: ids may be integers, which
Discord takes and discord.py sends; objects are closed, so that an undescribed key is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import orjson

Json = dict[str, Any]

DESCRIPTION = Path(__file__).with_name("discord.json")

UNDESCRIBED = {
    "ApplicationCommandUpdateRequest": {"nsfw": {"type": "boolean"}},
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": {"tts": {"enum": [False]}},
    "IncomingWebhookUpdateRequestPartial": {"tts": {"enum": [False]}},
    "MessageEditRequestPartial": {"tts": {"enum": [False]}},
    "RichEmbed": {"flags": {"enum": [0]}},
}
"""What discord.py always sends and Discord takes, though its description leaves it out."""

TYPES: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}


def faults(method: str, path: str, body: object) -> list[str]:
    """Return what Discord's description says against a request. ``path`` is below /api/v10."""
    method = method.lower()
    for pattern, methods in _routes():
        if pattern.fullmatch(path) and method in methods:
            request = methods[method]
            break
    else:
        return ["no such route among those the bot uses"]
    if request is None:
        return [] if body is None else ["takes no body"]
    if body is None:
        return ["sent without its body"] if request["required"] else []
    found = _faults(request["schema"], body, "")
    return [fault.lstrip("/: ") for fault in found]


@cache
def _described() -> Json:
    described: Json = orjson.loads(DESCRIPTION.read_bytes())
    schemas = described["schemas"]
    schemas["SnowflakeType"] = {"type": ["string", "integer"]}
    for name, properties in UNDESCRIBED.items():
        schemas[name]["properties"] |= properties
    _resolve(described, schemas)
    return described


def _resolve(node: Any, schemas: Json) -> None:
    """Put the schemas in place of the references to them."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(value, dict) and "$ref" in value:
            node[key] = schemas[value["$ref"].removeprefix("#/schemas/")]
        elif isinstance(value, dict | list):
            _resolve(value, schemas)


@cache
def _routes() -> list[tuple[re.Pattern[str], Json]]:
    """Return the routes, the most literal first: @me and @original before {id}."""
    paths = _described()["paths"]
    routes = []
    for template in sorted(paths, key=lambda template: template.count("{")):
        pattern = re.sub(r"\\{[^/]+?\\}", "[^/]+", re.escape(template))
        routes.append((re.compile(pattern), paths[template]))
    return routes


def _faults(schema: Json, value: Any, where: str) -> Iterator[str]:
    """Yield what a schema says against a value. ``where`` is its place in the request."""
    if branches := schema.get("oneOf") or schema.get("anyOf"):
        meant = [branch for branch in branches if _means(branch, value)]
        found = [list(_faults(branch, value, where)) for branch in meant]
        yield from min(found, key=len, default=[f"{where}: {value!r:.60} is not described"])
    elif not _is_of(schema, value):
        yield f"{where}: {value!r:.60} is not of type {schema['type']}"
    elif value not in schema.get("enum", [value]):
        yield f"{where}: {value!r:.60} is not one of {schema['enum']}"
    elif isinstance(value, str):
        yield from _size(schema, "Length", len(value), " characters", where)
    elif isinstance(value, list):
        yield from _size(schema, "Items", len(value), " items", where)
        if schema.get("uniqueItems") and any(value.count(item) > 1 for item in value):
            yield f"{where}: {value!r:.60} has an item twice"
        for number, item in enumerate(value):
            yield from _faults(schema.get("items", {}), item, f"{where}/{number}")
    elif isinstance(value, dict):
        yield from _object_faults(schema, value, where)
    elif isinstance(value, int | float):
        yield from _size(schema, "imum", value, "", where)


def _object_faults(schema: Json, value: Json, where: str) -> Iterator[str]:
    yield from _size(schema, "Properties", len(value), " keys", where)
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{where}: {key!r} is missing"
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", False)
    for key, item in value.items():
        if key in properties:
            yield from _faults(properties[key], item, f"{where}/{key}")
        elif others:
            yield from _faults(others, item, f"{where}/{key}")
        elif properties:
            yield f"{where}: {key!r} is not described"


def _size(schema: Json, of: str, size: float, unit: str, where: str) -> Iterator[str]:
    """Yield a sentence for a size that is outside of the bounds that end with ``of``."""
    least, most = schema.get(f"min{of}", size), schema.get(f"max{of}", size)
    if size < least:
        yield f"{where}: {size}{unit}, {least} at least"
    if size > most:
        yield f"{where}: {size}{unit}, {most} at most"


def _is_of(schema: Json, value: Any) -> bool:
    """Return whether a schema is about values of this type."""
    kinds = schema.get("type")
    if kinds is None:
        return True
    for kind in kinds if isinstance(kinds, list) else (kinds,):
        if isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool)):
            return True
    return False


def _means(branch: Json, value: Any) -> bool:
    """Return whether a value is meant by a branch of a union: by its own type, and by the ``type``
    that it names if it is an object.
    """
    if branches := branch.get("oneOf") or branch.get("anyOf"):
        return any(_means(each, value) for each in branches)
    if not _is_of(branch, value):
        return False
    kinds = branch.get("properties", {}).get("type", {}).get("enum")
    return not isinstance(value, dict) or not kinds or value.get("type") in kinds
