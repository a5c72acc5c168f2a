"""Tests of what Discord would refuse: a request at a limit passes, one step over it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from bot.rehearsal import limits
from bot.rehearsal.description import DESCRIPTION
from bot.rehearsal.limits import COMPONENTS_V2_FLAG as V2
from bot.rehearsal.limits import Json
from tests.contract.distil import keywords

pytestmark = pytest.mark.contract

POST = ("POST", "/channels/1/messages")
EDIT = ("PATCH", "/channels/1/messages/2")
FOLLOW = ("POST", "/webhooks/1/token")
ORIGINAL = ("PATCH", "/webhooks/1/token/messages/@original")
ANSWER = ("POST", "/interactions/1/token/callback")
REGISTER = ("PUT", "/applications/1/commands")
FOR_GUILD = ("PUT", "/applications/1/guilds/2/commands")


def text(characters: int) -> Json:
    return {"type": 10, "content": "x" * characters}


def button(custom_id: str = "accept", **more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Accept", "custom_id": custom_id, **more}


def row(*items: Json) -> Json:
    return {"type": 1, "components": list(items)}


def option(name: str, **more: Any) -> Json:
    return {"label": name, "value": name, **more}


ON, OFF = option("on", default=True), option("off")


def select(count: int = 2, **more: Any) -> Json:
    return {
        "type": 3,
        "custom_id": "cards",
        "options": [option(str(n)) for n in range(count)],
        **more,
    }


def radios(count: int = 2, **more: Any) -> Json:
    options = [option(str(n)) for n in range(count)]
    return {
        "type": 18,
        "label": "Kind",
        "component": {"type": 21, "custom_id": "kind", "options": options, **more},
    }


def rows(*items: Json) -> Json:
    return {"components": [row(item) for item in items]}


def v2(*items: Json, **more: Any) -> Json:
    return {"flags": V2, "components": list(items), **more}


def field(**more: Any) -> Json:
    return {
        "type": 18,
        "label": "Terms",
        "component": {"type": 4, "style": 1, "custom_id": "terms", **more},
    }


def modal(*items: Json, **more: Any) -> Json:
    return {
        "type": 9,
        "data": {"title": "Alter", "custom_id": "alter", "components": list(items), **more},
    }


def offered(*choices: Json) -> Json:
    return {"type": 8, "data": {"choices": list(choices)}}


def choice(value: str = "x") -> Json:
    return {"name": "x", "value": value}


def command(*options: Json, **more: Any) -> list[Json]:
    declared = {"name": "offer", "description": "d", "type": 1, "options": list(options)}
    return [declared | more]


def opt(name: str = "give", **more: Any) -> Json:
    return {"name": name, "description": "d", "type": 3, **more}


def opts(count: int, **more: Any) -> list[Json]:
    return [opt(f"o{n}", **more) for n in range(count)]


def long_content(characters: int) -> Json:
    return {"content": "x" * characters}


def long(characters: int) -> list[Json]:
    """A command of that many characters in all; a full choice has 100 in its name and 100 in its
    value.
    """
    full = [{"name": f"{n:>0100}", "value": f"{n:>0100}"} for n in range(25)]
    rest = characters - len("offer") - 1 - 5000 - 2 * (len("a") + 1)
    last = full[: rest // 200]
    half = rest % 200 // 2
    last.append({"name": "x" * half, "value": "x" * (rest % 200 - half)})
    return command(opt("a", choices=full), opt("b", choices=last))


def reply(data: Json) -> Json:
    return {"type": 4, "data": data}


TWICE = v2(row(button(), button()))
CONTAINER = {"type": 17, "components": [text(5), row(button())]}
CARD = v2(CONTAINER)
NUMBERED = text(1) | {"id": 1}
SILVER = {"name": "🪙"}

# A keyword of Discord's description, (where, a request, one in which only that is wrong, what is
# said).
DESCRIBED: dict[str, tuple[tuple[str, str], Any, Any, str]] = {
    "type": (POST, long_content(1) | {"tts": True}, {"tts": "yes"}, "tts: 'yes' is not of type"),
    "enum": (
        POST,
        long_content(1) | {"allowed_mentions": {"parse": ["users"]}},
        {"allowed_mentions": {"parse": ["all"]}},
        "allowed_mentions/parse/0: 'all' is not one of",
    ),
    "required": (
        POST,
        long_content(1) | {"message_reference": {"message_id": 5}},
        {"message_reference": {}},
        "message_reference: 'message_id' is missing",
    ),
    "properties": (
        POST,
        {"embeds": [{"footer": {"text": "x"}}]},
        {"embeds": [{"footer": {"text": 5}}]},
        "embeds/0/footer/text: 5 is not of type",
    ),
    "additionalProperties": (
        REGISTER,
        command(name_localizations={"de": "x"}),
        command(name_localizations={"de": 5}),
        "0/name_localizations/de: 5 is not of type",
    ),
    "maxProperties": (
        REGISTER,
        command(name_localizations={str(n): "x" for n in range(34)}),
        command(name_localizations={str(n): "x" for n in range(35)}),
        "35 keys, 34 at most",
    ),
    "items": (
        POST,
        {"embeds": [{"fields": []}], "content": "x"},
        {"embeds": [{"fields": [5]}]},
        "embeds/0/fields/0: 5 is not of type object",
    ),
    "uniqueItems": (REGISTER, command(contexts=[0]), command(contexts=[0, 0]), "an item twice"),
    "minItems": (ANSWER, modal(radios(2)), modal(radios(1)), "options: 1 items, 2 at least"),
    "maxItems": (REGISTER, command(*opts(25)), command(*opts(26)), "26 items, 25 at most"),
    "minLength": (REGISTER, command(opt()), command(opt(description="")), "0 characters, 1 at"),
    "maxLength": (
        REGISTER,
        command(description="x" * 100),
        command(description="x" * 101),
        "0/description: 101 characters, 100 at most",
    ),
    "minimum": (
        REGISTER,
        command(default_member_permissions=0),
        command(default_member_permissions=-1),
        "permissions: -1, 0 at least",
    ),
    "maximum": (
        REGISTER,
        command(default_member_permissions=(1 << 54) - 1),
        command(default_member_permissions=1 << 54),
        "at most",
    ),
    "oneOf": (POST, long_content(1) | {"nonce": "1:2"}, {"nonce": 1.5}, "nonce: 1.5 is not"),
    "anyOf": (FOLLOW, long_content(2000), long_content(2001), "content: 2001 characters, 2000"),
}

# References are resolved first. The only pattern is that of ids, which may be integers. allOf
# stands only beside an enum that is narrower.
NO_FINDINGS_OF_THEIR_OWN = {"$ref", "pattern", "allOf"}

# (where, a request, one that is wrong, what is said)
CASES: list[tuple[tuple[str, str], Any, Any, str]] = [
    *DESCRIBED.values(),
    # Routes, bodies and the type of a component.
    (POST, CARD, None, "sent without its body"),
    (("DELETE", EDIT[1]), None, long_content(1), "takes no body"),
    (("PUT", "/channels/1/thread-members/2"), None, {}, "takes no body"),
    (POST, CARD, {"contents": "hi"}, "'contents' is not described"),
    (
        ("POST", "/users/@me/channels"),
        {"recipient_id": 12},
        {"recipient_id": 12, "name": "x"},
        "'n",
    ),
    (POST, long_content(1) | {"flags": 4}, {"flags": True}, "flags: True is not of type"),
    (POST, CARD, {"components": [{"type": 99}]}, "components/0: {'type': 99} is not described"),
    (POST, CARD, {"components": [{"type": {}}]}, "components/0: {'type': {}} is not described"),
    (POST, CARD, {"components": [None]}, "components/0: None is not described"),
    (POST, CARD, v2(row(button(style=9))), "components/0/components/0/style: 9 is not one of"),
    (ANSWER, reply(CARD), reply({"ephemeral": True}), "'ephemeral'"),
    # What SimCord knows: that it is asked, of every kind of request that has a message or a modal.
    (POST, long_content(2000), long_content(2001), "content must be"),
    (EDIT, long_content(2000), long_content(2001), "content must be"),
    (ORIGINAL, rows(button("a"), button("b")), rows(button(), button()), "'accept' is not unique"),
    (FOLLOW, v2(text(3999), text(1)), v2(text(4000), text(1)), "4000-character total"),
    (POST, v2(text(1), content=""), v2(text(1), content="x"), "cannot contain content"),
    (EDIT, CARD | {"embeds": []}, CARD | {"embeds": [{"title": "x"}]}, "content, embeds"),
    (POST, rows(button()), {"components": [text(1)]}, "the components_v2 message"),
    (POST, rows(button()), {"components": [], "content": ""}, "Cannot send an empty message"),
    (ANSWER, reply(CARD), reply(TWICE), "'accept' is not unique"),
    (ANSWER, reply(CARD) | {"type": 7}, reply(TWICE) | {"type": 7}, "'accept' is not unique"),
    (ANSWER, reply(CARD), reply({"flags": 64}), "Cannot send an empty"),
    (POST, v2(NUMBERED), v2(NUMBERED, NUMBERED), "id 1 is not unique"),
    (
        ANSWER,
        modal(field(custom_id="a"), field(custom_id="b")),
        modal(*[field()] * 2),
        "'terms' is not unique",
    ),
    (
        ANSWER,
        modal(radios(options=[ON, OFF])),
        modal(radios(options=[OFF, OFF])),
        "value 'off' is not unique",
    ),
    # What SimCord takes.
    (POST, rows(button(label="", emoji=SILVER)), rows(button(label="")), "without label"),
    (POST, rows(select(max_values=2)), rows(select(3, max_values=4)), "up to 4 with 3"),
    (
        POST,
        rows(select(options=[ON, OFF])),
        rows(select(options=[ON, ON | {"value": "b"}])),
        "2 chosen beforehand",
    ),
    (
        ANSWER,
        modal(field(value="abc", max_length=3)),
        modal(field(value="abcd", max_length=3)),
        "with 4 characters, 3",
    ),
    (
        ANSWER,
        modal(radios(options=[ON, OFF])),
        modal(radios(options=[ON, ON | {"value": "b"}])),
        "with 2 chosen",
    ),
    # What autocomplete answers, and commands.
    (ANSWER, offered(choice("x" * 100)), offered(choice("x" * 101)), "value of 101"),
    (ANSWER, offered(choice("x")), offered(choice("")), "value of 0"),
    (FOR_GUILD, long(8000), long(8001), "8001 characters"),
    (("POST", REGISTER[1]), long(8000)[0], long(8001)[0], "8001 characters"),
    (
        REGISTER,
        command(opt(choices=[choice("x" * 100)])),
        command(opt(choices=[choice("x" * 101)])),
        "/offer give: choice value of 101",
    ),
    (
        REGISTER,
        command(opt(choices=[choice()])),
        command(opt(choices=[choice()], autocomplete=True)),
        "choices and autocomplete together",
    ),
]


def test_limit(subtests: pytest.Subtests) -> None:
    for where, right, wrong, says in CASES:
        with subtests.test(says):
            assert limits.problems(*where, right) == []
            found = limits.problems(*where, wrong)
            assert len(found) == 1, found
            assert says in found[0]
            assert found[0].startswith(f"{where[0].lower()} {where[1]}: ")


def test_no_keyword_of_the_description_is_left_out() -> None:
    schemas = orjson.loads(DESCRIPTION.read_bytes())["schemas"]
    found = set().union(*map(keywords, schemas.values()))
    assert set(DESCRIBED) | NO_FINDINGS_OF_THEIR_OWN == found


def test_translations_count_by_the_longest() -> None:
    plain = {"name": "a", "description": "d"}
    translated = plain | {"description_localizations": {"de": "x" * 90, "fr": "x" * 50}}
    assert limits._characters(translated) == 1 + 90


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/channels/1/messages/2", None),
        ("POST", "/users/@me/channels", {"recipient_id": "1"}),
        ("POST", "/interactions/1/token/callback", {"type": 5, "data": {"flags": 64}}),
        ("POST", "/interactions/1/token/callback", {"type": 6}),
        ("PATCH", "/channels/1/messages/2", {"content": None, "components": [], "embeds": None}),
        ("PATCH", "/channels/1/messages/2", {"components": [text(1)]}),
        ("PUT", "/applications/1/commands", command(nsfw=False)),
    ],
)
def test_the_rest_is_let_through(method: str, path: str, body: Any) -> None:
    assert limits.problems(method, path, body) == []


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/channels/1/letters"), ("PUT", "/users/@me")]
)
def test_a_request_that_the_bot_has_no_use_for(method: str, path: str) -> None:
    (found,) = limits.problems(method, path, {})
    assert "no such route" in found


def test_each_finding_is_told_once() -> None:
    @dataclass
    class Sent:
        json: Any
        method, path = POST

    long = Sent(long_content(2001))
    requests = [Sent(CARD), long, long, Sent({"contents": "hi"})]
    limit, unknown = limits.refused(requests)
    assert "content must be a string of 2000 or fewer characters" in limit
    assert "'contents' is not described" in unknown
