"""Tests of the check against Discord's description: which requests it accepts and refuses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from tests.contract import specval
from tests.contract.check import check
from tests.contract.distil import DISTILLED, keywords

pytestmark = pytest.mark.contract

CARD = {
    "flags": 1 << 15,
    "components": [
        {
            "type": 17,
            "components": [
                {"type": 10, "content": "## Offer 1"},
                {
                    "type": 1,
                    "components": [
                        {"type": 2, "style": 3, "label": "Accept", "custom_id": "offer:1"}
                    ],
                },
            ],
        }
    ],
}


@dataclass
class Sent:
    method: str
    path: str
    json: Any


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/channels/1/messages", CARD),
        ("POST", "/channels/1/messages", {"content": "hi", "nonce": "1:2", "enforce_nonce": True}),
        ("PATCH", "/webhooks/1/token/messages/@original", {"content": "hi"}),
        (
            "PATCH",
            "/channels/1/messages/2",
            {"content": None, "embeds": None, "allowed_mentions": None},
        ),
        ("GET", "/users/@me", None),
        ("POST", "/users/@me/channels", {"recipient_id": 12}),
        ("PUT", "/channels/1/thread-members/2", None),
        (
            "POST",
            "/interactions/1/token/callback",
            {"type": 4, "data": {"content": "hi", "flags": 64}},
        ),
        (
            "PUT",
            "/applications/1/commands",
            [{"name": "offer", "description": "d", "type": 1, "nsfw": False}],
        ),
    ],
)
def test_takes(method: str, path: str, body: Any) -> None:
    assert specval.problems(method, path, body) == []


@pytest.mark.parametrize(
    ("method", "path", "body", "says"),
    [
        ("POST", "/channels/1/letters", {}, "no such route"),
        ("PUT", "/users/@me", {}, "no such route"),
        ("DELETE", "/channels/1/messages/2", {"content": "hi"}, "takes no body"),
        ("POST", "/channels/1/messages", None, "without its body"),
        ("POST", "/channels/1/messages", {"contents": "hi"}, "'contents' was unexpected"),
        ("POST", "/channels/1/messages", {"content": 5}, "not of type"),
        ("POST", "/channels/1/messages", {"nonce": "x" * 26}, "too long"),
        ("POST", "/channels/1/messages", {"components": [{"type": 99}]}, "none of the types"),
        ("POST", "/channels/1/messages", {"components": [{"type": {}}]}, "none of the types"),
        ("POST", "/channels/1/messages", {"components": [None]}, "none of the types"),
        ("POST", "/users/@me/channels", {"recipient_id": 12, "name": "x"}, "'name' was unexpected"),
        (
            "POST",
            "/interactions/1/t/callback",
            {"type": 4, "data": {"ephemeral": True}},
            "'ephemeral'",
        ),
        (
            "PUT",
            "/applications/1/commands",
            [{"description": "d"}],
            "'name' is a required property",
        ),
        ("PUT", "/applications/1/commands", [{"name": "a", "description": "x" * 101}], "too long"),
    ],
)
def test_refuses(method: str, path: str, body: Any, says: str) -> None:
    found = specval.problems(method, path, body)
    assert len(found) == 1, found
    assert says in found[0]


MESSAGES, COMMANDS, HOOK = "/channels/1/messages", "/applications/1/commands", "/webhooks/1/token"


def command(**more: Any) -> list[Any]:
    return [{"name": "offer", "description": "d", **more}]


# A keyword of the description, a request in which only that is wrong, and what is said.
KINDS: dict[str, tuple[str, str, Any, str]] = {
    "type": ("POST", MESSAGES, {"tts": "yes"}, "tts: 'yes' is not of type 'boolean'"),
    "enum": (
        "POST",
        MESSAGES,
        {"allowed_mentions": {"parse": ["all"]}},
        "parse/0: 'all' is not one of",
    ),
    "required": (
        "POST",
        MESSAGES,
        {"message_reference": {}},
        "'message_id' is a required property",
    ),
    "additionalProperties": (
        "PUT",
        COMMANDS,
        command(name_localizations={"de": 5}),
        "de: 5 is not of type",
    ),
    "uniqueItems": ("PUT", COMMANDS, command(contexts=[0, 0]), "0/contexts: [0, 0] has non-unique"),
    "minLength": ("PUT", COMMANDS, command(name=""), "0/name: '' should be non-empty"),
    "maxLength": ("PUT", COMMANDS, command(name="x" * 33), "is too long"),
    "minimum": (
        "PUT",
        COMMANDS,
        command(default_member_permissions=-1),
        "less than the minimum of 0",
    ),
    "maximum": (
        "PUT",
        COMMANDS,
        command(default_member_permissions=1 << 55),
        "greater than the maximum",
    ),
    "minItems": ("PUT", COMMANDS, command(contexts=[]), "0/contexts: [] should be non-empty"),
    "maxItems": ("POST", MESSAGES, {"embeds": [{}] * 11}, "is too long"),
    "maxProperties": (
        "PUT",
        COMMANDS,
        command(name_localizations={str(n): "x" for n in range(35)}),
        "has too many properties",
    ),
    "items": (
        "POST",
        MESSAGES,
        {"embeds": [{"fields": [5]}]},
        "embeds/0/fields/0: 5 is not of type 'object'",
    ),
    "properties": (
        "POST",
        MESSAGES,
        {"embeds": [{"footer": {"text": 5}}]},
        "embeds/0/footer/text: 5 is not",
    ),
    "oneOf": ("POST", MESSAGES, {"nonce": 1.5}, "nonce: 1.5 is not of type"),
    "anyOf": ("POST", HOOK, {"content": 5}, "content: 5 is not of type"),
}
# References are resolved first. The only pattern is that of ids, which may be integers here. allOf
# stands only beside an enum that is narrower.
NO_FINDINGS_OF_THEIR_OWN = {"$ref", "pattern", "allOf"}


def test_each_kind_of_finding(subtests: pytest.Subtests) -> None:
    for method, path, body, says in KINDS.values():
        with subtests.test(says):
            found = specval.problems(method, path, body)
            assert len(found) == 1, found
            assert says in found[0]


def test_no_kind_of_finding_is_left_out() -> None:
    distilled = json.loads(DISTILLED.read_text(encoding="utf-8"))
    assert set(KINDS) | NO_FINDINGS_OF_THEIR_OWN == set().union(
        *map(keywords, distilled["schemas"].values())
    )


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"label": "x" * 81}, "components/0/components/1/components/0/label"),
        ({"custom_id": "x" * 101}, "components/0/components/1/components/0/custom_id"),
        ({"style": 9}, "components/0/components/1/components/0/style"),
        ({"colour": "red"}, "'colour' was unexpected"),
    ],
)
def test_a_finding_names_the_place(wrong: dict[str, Any], says: str) -> None:
    button = {"type": 2, "style": 3, "label": "Accept", "custom_id": "offer:1", **wrong}
    text, row = {"type": 10, "content": "x"}, {"type": 1, "components": [button]}
    box = {"type": 17, "components": [text, row]}
    found = specval.problems(
        "POST", "/channels/1/messages", {"flags": 1 << 15, "components": [box]}
    )
    assert len(found) == 1, found
    assert says in found[0]


def test_check_tells_each_finding_once() -> None:
    sent = [
        Sent("POST", "/channels/1/messages", CARD),
        Sent("POST", "/channels/1/messages", {"content": "x" * 2001}),
        Sent("POST", "/channels/1/messages", {"content": "x" * 2001}),
        Sent("POST", "/channels/1/messages", {"contents": "hi", "content": "hi"}),
    ]
    limit, unknown = check(sent)
    assert "content must be a string of 2000 or fewer characters" in limit
    assert "'contents' was unexpected" in unknown
