"""Tests that the distilled description keeps what matters of Discord's."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bot.rehearsal.description import DESCRIPTION
from tests.contract import distil
from tests.contract.distil import OPERATIONS, Json

pytestmark = pytest.mark.contract

REF = "#/components/schemas/"

MADE_UP: Json = {
    "info": {"version": "10", "description": "Prose."},
    "paths": {
        "/letters": {
            "parameters": [],
            "get": {"description": "Prose.", "responses": {}},
            "post": {
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": f"{REF}Letter"}},
                        "multipart/form-data": {"schema": {"$ref": f"{REF}Upload"}},
                    },
                },
            },
        },
        "/letters/{letter_id}": {
            "patch": {
                "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}
            },
            "delete": {},
        },
        "/parcels": {"get": {}},
    },
    "components": {
        "schemas": {
            "Letter": {
                "type": "object",
                "title": "A letter",
                "x-internal": True,
                "properties": {
                    "title": {
                        "type": "string",
                        "description": "Prose.",
                        "maxLength": 5,
                        "format": "text",
                    },
                    "ink": {"oneOf": [{"type": "null"}, {"$ref": f"{REF}Ink"}]},
                    "pages": {"type": "array", "items": {"$ref": f"{REF}Page"}, "maxItems": 2},
                    "marks": {"type": "object", "additionalProperties": {"$ref": f"{REF}Mark"}},
                },
                "required": ["title", "ink"],
                "additionalProperties": False,
            },
            "Ink": {
                "type": "integer",
                "oneOf": [
                    {"title": "BLUE", "description": "Prose.", "const": 1},
                    {"title": "BLACK", "const": 2},
                ],
            },
            "Page": {"allOf": [{"$ref": f"{REF}Mark"}], "description": "Prose."},
            "Mark": {"type": ["string", "null"], "pattern": "^[a-z]$"},
            "Upload": {"type": "string"},
            "Parcel": {"type": "string"},
        }
    },
}
WANTED = {"/letters": ("get", "post"), "/letters/{letter_id}": ("patch", "delete")}


def distilled(description: Json = MADE_UP, **more: Any) -> Json:
    return distil.distil(description, WANTED, version="1", date="2000-01-01", **more)


def with_letter(**more: Any) -> Json:
    description = deepcopy(MADE_UP)
    description["components"]["schemas"]["Letter"] |= more
    return description


def backwards(value: Any) -> Any:
    """The same JSON, every object with its keys in the opposite order."""
    if isinstance(value, dict):
        return {key: backwards(each) for key, each in reversed(value.items())}
    return [backwards(each) for each in value] if isinstance(value, list) else value


def test_the_operations_that_were_asked_for_with_their_bodies() -> None:
    assert distilled()["paths"] == {
        "/letters": {
            "get": None,
            "post": {"required": True, "schema": {"$ref": "#/schemas/Letter"}},
        },
        "/letters/{letter_id}": {
            "patch": {"required": False, "schema": {"type": "object"}},
            "delete": None,
        },
    }


def test_the_schemas_they_refer_to_without_prose() -> None:
    assert distilled()["schemas"] == {
        "Letter": {
            "type": "object",
            "properties": {
                "title": {"type": "string", "maxLength": 5},
                "ink": {"oneOf": [{"type": "null"}, {"$ref": "#/schemas/Ink"}]},
                "pages": {"type": "array", "items": {"$ref": "#/schemas/Page"}, "maxItems": 2},
                "marks": {"type": "object", "additionalProperties": {"$ref": "#/schemas/Mark"}},
            },
            "required": ["title", "ink"],
            "additionalProperties": False,
        },
        "Ink": {"type": "integer", "enum": [1, 2]},
        "Page": {"allOf": [{"$ref": "#/schemas/Mark"}]},
        "Mark": {"type": ["string", "null"], "pattern": "^[a-z]$"},
    }


def test_the_same_description_gives_the_same_text() -> None:
    text = distil.written(distilled())
    assert distil.written(distilled()) == text
    assert distil.written(distilled(backwards(MADE_UP))) == text
    assert json.loads(text) == distilled()


def test_a_line_for_each_path_and_each_schema() -> None:
    lines = distil.written(distilled()).splitlines()
    assert sum(line.startswith('"/letters') for line in lines) == 2
    schemas = lines[lines.index('"schemas": {') + 1 : -2]
    names = [line.split('"')[1] for line in schemas]
    assert names == ["Ink", "Letter", "Mark", "Page"]


def test_nothing_is_changed_in_the_description() -> None:
    before = deepcopy(MADE_UP)
    distilled()
    assert before == MADE_UP


def test_an_operation_that_is_gone_is_said() -> None:
    for path, methods in (("/letters", ("get", "put")), ("/stamps", ("put",))):
        with pytest.raises(LookupError, match=f"{path}: put is not described"):
            distil.distil(MADE_UP, {path: methods}, version="1", date="2000-01-01")


def test_a_schema_that_is_missing_is_said() -> None:
    with pytest.raises(LookupError, match="Stamp: no such schema"):
        distilled(with_letter(items={"$ref": f"{REF}Stamp"}))


@pytest.mark.parametrize("keyword", ["exclusiveMinimum", "not", "patternProperties"])
def test_a_keyword_that_nobody_decided_on_is_said(keyword: str) -> None:
    with pytest.raises(ValueError, match=f"'{keyword}' is not known"):
        distilled(with_letter(**{keyword: {}}))


def test_a_description_is_named_by_its_git_object() -> None:
    raw = b'{"info": {"version": "10"}}'  # git hash-object gives the same
    named = "API v10, git object a422fd38c440bef825bbbf419f374b321f08b8f4"
    assert distil.version_of(raw) == named
    assert distil.version_of(raw, "commit 1") == f"{named}, commit 1"


def test_the_command_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    description = deepcopy(MADE_UP)
    body = MADE_UP["paths"]["/letters"]["post"]
    description["paths"] = {
        path: dict.fromkeys(methods, body) for path, methods in OPERATIONS.items()
    }
    given, target = tmp_path / "openapi.json", tmp_path / "discord.json"
    given.write_text(json.dumps(description), encoding="utf-8")
    assert distil.main([str(given), "--date", "2000-01-01", "--revision", "commit 1"], target) == 0
    made = json.loads(target.read_text(encoding="utf-8"))
    assert list(made) == ["source", "version", "date", "made", "paths", "schemas"]
    assert made["date"] == "2000-01-01"
    assert made["version"].endswith(", commit 1")
    assert made["schemas"] == distilled()["schemas"]
    assert capsys.readouterr().out.startswith("discord.json: ")


# -- the file in the repository --------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept() -> Json:
    found: Json = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    return found


def test_it_is_laid_out_as_the_script_does(kept: Json) -> None:
    assert DESCRIPTION.read_text(encoding="utf-8") == distil.written(kept)


def test_it_has_every_operation_and_no_schema_too_many_or_too_few(kept: Json) -> None:
    assert {path: set(methods) for path, methods in kept["paths"].items()} == {
        path: set(methods) for path, methods in OPERATIONS.items()
    }
    used = set(distil._refs(kept["paths"]))
    used |= set(distil._refs(kept["schemas"]))
    assert used == set(kept["schemas"])
    assert len(used) > 100


def test_it_says_where_it_is_from(kept: Json) -> None:
    assert kept["source"] == distil.SOURCE
    assert kept["made"] == distil.MADE
    assert kept["version"].startswith("API v10, git object ")
    assert kept["date"] >= "2026-11-21"


def test_it_holds_facts_only_and_stays_small(kept: Json) -> None:
    used = set().union(*map(distil.keywords, kept["schemas"].values()))
    assert used <= {*distil.CHECKED, "$ref"}
    assert DESCRIPTION.stat().st_size < 100_000
