"""Checks requests against Discord's OpenAPI description, of which `discord.json` has the relevant
part.

`distil` makes that file. It is read with three changes:

- ids may be integers, which Discord takes and discord.py sends;
- objects are closed, so that an undescribed key is found;
- where null or the `type` of an object decides a union, only the branch that was meant is checked:
  findings are about that branch, and come much sooner.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson
from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]

from tests.contract.distil import DISTILLED

Json = dict[str, Any]
CHOICE, ELSE = "x-choice", "else"

# What discord.py always sends and Discord takes, though its description leaves it out.
UNDESCRIBED = {
    "ApplicationCommandUpdateRequest": {"nsfw": {"type": "boolean"}},
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": {"tts": {"const": False}},
    "IncomingWebhookUpdateRequestPartial": {"tts": {"const": False}},
    "MessageEditRequestPartial": {"tts": {"const": False}},
    "RichEmbed": {"flags": {"const": 0}},
}


def problems(method: str, path: str, body: object) -> list[str]:
    """Return what Discord's description says against one request; `path` is below /api/v10."""
    method = method.lower()
    template = _template(method, path)
    if template is None:
        return [f"{method} {path}: no such route among those the bot uses"]
    request = _spec()["paths"][template][method]
    if request is None:
        return [] if body is None else [f"{method} {template}: takes no body"]
    if body is None:
        return [f"{method} {template}: sent without its body"] if request["required"] else []
    return [
        f"{method} {template} {'/'.join(map(str, error.absolute_path))}: {error.message[-160:]}"
        for error in map(_leaf, _validator(method, template).iter_errors(body))
    ]


@cache
def _spec() -> Json:
    spec: Json = json.loads(DISTILLED.read_text(encoding="utf-8"))
    schemas = spec["schemas"]
    schemas["SnowflakeType"] = {"type": ["string", "integer"]}
    for name, more in UNDESCRIBED.items():
        schemas[name]["properties"] |= more
    return spec


@cache
def _routes() -> list[tuple[re.Pattern[str], str]]:
    """The most literal first: @me and @original before {id}."""
    templates = sorted(_spec()["paths"], key=lambda template: template.count("{"))
    routes = []
    for template in templates:
        pattern = re.sub(r"\\{[^/]+?\\}", "[^/]+", re.escape(template))
        routes.append((re.compile(pattern), template))
    return routes


def _template(method: str, path: str) -> str | None:
    for pattern, template in _routes():
        if pattern.fullmatch(path) and method in _spec()["paths"][template]:
            return template
    return None


@cache
def _validator(method: str, template: str) -> Any:
    return _Validator(_resolved(_spec()["paths"][template][method]["schema"]))


@cache
def _named(ref: str) -> Any:
    """The schema a $ref stands for, resolved. No schema of a request contains itself."""
    return _resolved(_spec()["schemas"][ref.removeprefix("#/schemas/")])


def _resolved(schema: Any) -> Any:
    """A schema without references, closed, its unions decided where they can be."""
    if isinstance(schema, list):
        return [_resolved(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _named(schema["$ref"])
    resolved = {key: _resolved(value) for key, value in schema.items()}
    if isinstance(resolved.get("properties"), dict):
        resolved.setdefault("additionalProperties", False)
    for union in ("oneOf", "anyOf"):
        branches = resolved.get(union)
        choice = _choice(branches) if isinstance(branches, list) else None
        if choice:
            del resolved[union]
            resolved[CHOICE] = choice
    return resolved


def _choice(branches: list[Json]) -> dict[int | str | None, Json] | None:
    """A union by what decides it: None for null, the value of `type`, and ELSE for the only other
    branch.

    None when several branches are left and not all of them are objects with distinct types.
    """
    others = [branch for branch in branches if branch.get("type") != "null"]
    choice: dict[int | str | None, Json] = {}
    if len(others) < len(branches):
        choice[None] = {}
    if len(others) == 1:
        return choice | {ELSE: others[0]}
    kinds = [_types(branch) for branch in others]
    every = [kind for types in kinds for kind in types]
    if not all(kinds) or len(set(every)) < len(every):
        return None
    return choice | {
        kind: other for types, other in zip(kinds, others, strict=True) for kind in types
    }


def _types(branch: Json) -> list[int]:
    """The values of `type` that select this branch."""
    found = branch.get("properties", {}).get("type", {})
    if not isinstance(found, dict):
        return []
    types: list[int] = found.get("enum", [])
    return types


def _chosen(
    validator: Any, choice: dict[int | str | None, Json], value: Any, _: Json
) -> Iterator[ValidationError]:
    """The keyword CHOICE: checks a value against the one branch that is meant."""
    if value is None and None in choice:
        return
    kind = ELSE if ELSE in choice else value.get("type") if isinstance(value, dict) else None
    if kind is None or not isinstance(kind, int | str) or kind not in choice:
        known = sorted(each for each in choice if isinstance(each, int))
        yield ValidationError(f"{value!r} is of none of the types {known}")
        return
    branch = choice[kind]
    _, faultless = _faultless.setdefault(id(branch), (branch, set()))
    text = hashlib.sha256(orjson.dumps(value)).digest()
    if text not in faultless:
        faults = list(validator.descend(value, branch))
        if not faults:
            faultless.add(text)
        yield from faults


_faultless: dict[int, tuple[Json, set[bytes]]] = {}
"""What a branch has found faultless, so that a button or text that stands in many messages is
checked once.

By the branch's `id`, with the branch itself, which keeps that number from being given away.
"""

_Validator = extend(Draft202012Validator, {CHOICE: _chosen})


def _leaf(error: ValidationError) -> ValidationError:
    """Descend a union into the branch that the value nearly met."""
    while error.context:
        branches: dict[object, list[ValidationError]] = defaultdict(list)
        for cause in error.context:
            branches[cause.schema_path[0]].append(cause)
        error = min(branches.values(), key=_distance)[0]
    return error


def _distance(errors: list[ValidationError]) -> tuple[bool, int]:
    """Another kind of value altogether is further away than any number of faults in the right
    kind.
    """
    return any(error.validator == "type" and not error.relative_path for error in errors), len(
        errors
    )
