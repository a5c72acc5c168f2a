"""Holds requests against Discord's published OpenAPI description, where a copy of it is at hand.

The copy is looked for where OPENAPI_DISCORD says (Bourse refuses names beginning BOURSE_ that are not its own
settings), then beside the repository, in a folder named shared. Two liberties are taken with it:
ids may be integers, which Discord takes and discord.py sends; and objects are closed, so that a key nobody
described is found.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

SPEC = Path(os.environ.get("OPENAPI_DISCORD") or Path(__file__).parents[3] / "shared" / "discord-openapi.json")
ABSENT = f"{SPEC.name} is not here; OPENAPI_DISCORD says where it is"

# What discord.py always sends along and Discord takes, though its description leaves it out.
UNDESCRIBED = {
    "ApplicationCommandUpdateRequest": {"nsfw": {"type": "boolean"}},
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": {"tts": {"const": False}},
    "IncomingWebhookUpdateRequestPartial": {"tts": {"const": False}},
    "MessageEditRequestPartial": {"tts": {"const": False}},
}


def available() -> bool:
    """Whether there is a description to hold anything against."""
    return SPEC.is_file()


def problems(method: str, path: str, body: object) -> list[str]:
    """What Discord's description says against one request; `path` is below /api/v10."""
    method = method.lower()
    template = _template(method, path)
    if template is None:
        return [f"{method} {path}: no such route"]
    request = _spec()["paths"][template][method].get("requestBody")
    if request is None:
        return [] if body is None else [f"{method} {template}: takes no body"]
    if body is None:
        return [f"{method} {template}: sent without its body"] if request.get("required") else []
    return [
        f"{method} {template} {'/'.join(map(str, error.absolute_path))}: {error.message[-160:]}"
        for error in map(_leaf, _validator(method, template).iter_errors(body))
    ]


@cache
def _spec() -> dict[str, Any]:
    spec: dict[str, Any] = json.loads(SPEC.read_text())
    schemas = spec["components"]["schemas"]
    schemas["SnowflakeType"] = {"type": ["string", "integer"]}
    for name, more in UNDESCRIBED.items():
        schemas[name]["properties"] |= more
    operations = (operation for path in spec["paths"].values() for operation in path.values())
    bodies = (one["requestBody"]["content"] for one in operations if "requestBody" in one)
    inline = [content["application/json"]["schema"] for content in bodies if "application/json" in content]
    for schema in [*schemas.values(), *inline]:
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return spec


@cache
def _registry() -> Registry[Any]:
    resource: Resource[Any] = Resource.from_contents(_spec(), default_specification=DRAFT202012)
    empty: Registry[Any] = Registry()
    registry: Registry[Any] = empty.with_resource("spec:", resource)
    return registry


@cache
def _routes() -> list[tuple[re.Pattern[str], str]]:
    """The most literal first: @me and @original before {id}."""
    templates = sorted(_spec()["paths"], key=lambda template: template.count("{"))
    return [(re.compile(re.sub(r"\\{[^/]+?\\}", "[^/]+", re.escape(t))), t) for t in templates]


def _template(method: str, path: str) -> str | None:
    fitting = (template for pattern, template in _routes() if pattern.fullmatch(path))
    return next((template for template in fitting if method in _spec()["paths"][template]), None)


@cache
def _validator(method: str, template: str) -> Draft202012Validator:
    pointer = template.replace("~", "~0").replace("/", "~1")
    ref = f"spec:#/paths/{pointer}/{method}/requestBody/content/application~1json/schema"
    return Draft202012Validator({"$ref": ref}, registry=_registry())


def _leaf(error: ValidationError) -> ValidationError:
    """Descends a union into the branch the value meant: whose `type` it has, then the one it nearly met."""
    while error.context:
        branches: dict[object, list[ValidationError]] = defaultdict(list)
        for cause in error.context:
            branches[cause.schema_path[0]].append(cause)
        error = min(branches.values(), key=_distance)[0]
    return error


def _distance(errors: list[ValidationError]) -> tuple[bool, int]:
    wrong_kind = any(
        list(error.relative_path)[-1:] == ["type"] or (error.validator == "type" and not error.relative_path)
        for error in errors
    )
    return wrong_kind, len(errors)
