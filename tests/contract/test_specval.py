"""Requests held against Discord's own description: what it takes, and what it would refuse."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.contract import specval
from tests.contract.check import check

pytestmark = pytest.mark.contract
needs_spec = pytest.mark.skipif(not specval.available(), reason=specval.ABSENT)

CARD = {
    "flags": 1 << 15,
    "components": [
        {
            "type": 17,
            "components": [
                {"type": 10, "content": "## Offer 1"},
                {
                    "type": 1,
                    "components": [{"type": 2, "style": 3, "label": "Accept", "custom_id": "offer:1"}],
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


@needs_spec
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/channels/1/messages", CARD),
        ("POST", "/channels/1/messages", {"content": "hi", "nonce": "1:2", "enforce_nonce": True}),
        ("PATCH", "/webhooks/1/token/messages/@original", {"content": "hi"}),
        ("PATCH", "/channels/1/messages/2", {"content": None, "embeds": None, "allowed_mentions": None}),
        ("GET", "/users/@me", None),
        ("POST", "/users/@me/channels", {"recipient_id": 12}),
        ("PUT", "/channels/1/thread-members/2", None),
        ("POST", "/interactions/1/token/callback", {"type": 4, "data": {"content": "hi", "flags": 64}}),
        (
            "PUT",
            "/applications/1/commands",
            [{"name": "offer", "description": "d", "type": 1, "nsfw": False}],
        ),
    ],
)
def test_takes(method: str, path: str, body: Any) -> None:
    assert specval.problems(method, path, body) == []


@needs_spec
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
        ("POST", "/interactions/1/t/callback", {"type": 4, "data": {"ephemeral": True}}, "'ephemeral'"),
        ("PUT", "/applications/1/commands", [{"description": "d"}], "'name' is a required property"),
        ("PUT", "/applications/1/commands", [{"name": "a", "description": "x" * 101}], "too long"),
    ],
)
def test_refuses(method: str, path: str, body: Any, says: str) -> None:
    found = specval.problems(method, path, body)
    assert len(found) == 1, found
    assert says in found[0]


@needs_spec
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
    box = {"type": 17, "components": [{"type": 10, "content": "x"}, {"type": 1, "components": [button]}]}
    found = specval.problems("POST", "/channels/1/messages", {"flags": 1 << 15, "components": [box]})
    assert len(found) == 1, found
    assert says in found[0]


@needs_spec
def test_check_tells_each_finding_once() -> None:
    sent = [
        Sent("POST", "/channels/1/messages", CARD),
        Sent("POST", "/channels/1/messages", {"content": "x" * 2001}),
        Sent("POST", "/channels/1/messages", {"content": "x" * 2001}),
        Sent("POST", "/channels/1/messages", {"contents": "hi", "content": "hi"}),
    ]
    limit, unknown = check(sent)
    assert "content of 2001 characters" in limit
    assert "'contents' was unexpected" in unknown


def test_without_the_description_the_limits_still_hold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(specval, "SPEC", tmp_path / "discord-openapi.json")
    assert not specval.available()
    found = check([Sent("POST", "/channels/1/messages", {"contents": "hi", "content": "x" * 2001})])
    assert found == ["post /channels/1/messages: content of 2001 characters, 2000 at most"]
