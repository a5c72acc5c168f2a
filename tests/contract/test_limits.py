"""Tests of Discord's limits: a request at the limit passes, one step over it does not."""

from __future__ import annotations

from typing import Any

import pytest

from bot.rehearsal import limits
from bot.rehearsal.limits import COMPONENTS_V2_FLAG as V2
from bot.rehearsal.limits import Json

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


def choice(characters: int = 4, value: Any = 1) -> Json:
    return {"name": "x" * characters, "value": value}


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


# (where, at the limit, over it, what is said)
CASES: list[tuple[tuple[str, str], Any, Any, str]] = [
    # What SimCord knows: that it is asked, of every kind of request that has a message or a modal.
    *(
        (where, long_content(2000), long_content(2001), "content must be")
        for where in (POST, EDIT, FOLLOW, ORIGINAL)
    ),
    *(
        (
            ANSWER,
            {"type": kind, "data": long_content(2000)},
            {"type": kind, "data": long_content(2001)},
            "content must",
        )
        for kind in (4, 7)
    ),
    (POST, {"embeds": [{"title": "x"}]}, {"embeds": [{"title": "x" * 257}]}, "embeds[0].title"),
    (POST, v2(*[text(1)] * 40), v2(*[text(1)] * 41), "at most 40 components"),
    (POST, v2(text(3999), text(1)), v2(text(4000), text(1)), "4000-character total"),
    (POST, v2(text(1), content=""), v2(text(1), content="x"), "cannot contain content"),
    (
        EDIT,
        v2(text(1), embeds=[]),
        v2(text(1), embeds=[{"title": "x"}]),
        "cannot contain content, embeds",
    ),
    (
        POST,
        {"components": [row(button())]},
        {"components": [text(1)]},
        "require the components_v2 message flag",
    ),
    (POST, rows(button()), {"components": [], "content": ""}, "Cannot send an empty message"),
    (
        ANSWER,
        {"type": 4, "data": {"content": "x"}},
        {"type": 4, "data": {"flags": 64}},
        "Cannot send an empty",
    ),
    (
        POST,
        rows(button("a"), button("b")),
        rows(button("a"), button("a")),
        "custom_id 'a' is not unique",
    ),
    (
        POST,
        v2(text(1) | {"id": 1}, text(1) | {"id": 2}),
        v2(*[text(1) | {"id": 1}] * 2),
        "id 1 is not unique",
    ),
    (
        POST,
        rows(button(label="x" * 80)),
        rows(button(label="x" * 81)),
        "label: must be 80 or fewer",
    ),
    (
        ANSWER,
        modal(field(), title="x" * 45),
        modal(field(), title="x" * 46),
        "title: must be 45 or fewer",
    ),
    (
        ANSWER,
        modal(field(custom_id="a"), field(custom_id="b")),
        modal(*[field()] * 2),
        "'terms' is not unique",
    ),
    # What SimCord takes.
    (
        POST,
        rows(button(label="", emoji={"name": "🪙"})),
        rows(button(label="")),
        "button without label",
    ),
    (POST, rows(select(max_values=2)), rows(select(3, max_values=4)), "up to 4 with 3"),
    (
        POST,
        rows(select(options=[ON, OFF])),
        rows(select(options=[ON, ON | {"value": "b"}])),
        "2 chosen beforehand",
    ),
    (ANSWER, modal(field(value="x" * 4000)), modal(field(value="x" * 4001)), "with 4001"),
    (
        ANSWER,
        modal(field(value="abc", max_length=3)),
        modal(field(value="abcd", max_length=3)),
        "with 4 characters, 3",
    ),
    (ANSWER, modal(radios(2)), modal(radios(1)), "between 2 and 10 items"),
    (ANSWER, modal(radios(10)), modal(radios(11)), "between 2 and 10 items"),
    (
        ANSWER,
        modal(radios(options=[ON, OFF])),
        modal(radios(options=[ON, ON | {"value": "b"}])),
        "with 2 chosen",
    ),
    (
        ANSWER,
        modal(radios(options=[ON, OFF])),
        modal(radios(options=[OFF, OFF])),
        "value 'off' is not unique",
    ),
    # What autocomplete answers.
    (ANSWER, offered(*[choice()] * 25), offered(*[choice()] * 26), "26 autocomplete"),
    (ANSWER, offered(choice(100)), offered(choice(101)), "name of 101"),
    (ANSWER, offered(choice(1)), offered(choice(0)), "name of 0"),
    (ANSWER, offered(choice(4, "x" * 100)), offered(choice(4, "x" * 101)), "value of 101"),
    (ANSWER, offered(choice(4, "x")), offered(choice(4, "")), "value of 0"),
    # Commands.
    (
        REGISTER,
        command(description="x" * 100),
        command(description="x" * 101),
        "description of 101",
    ),
    (FOR_GUILD, long(8000), long(8001), "8001 characters"),
    (("POST", REGISTER[1]), long(8000)[0], long(8001)[0], "8001 characters"),
    # Options.
    (REGISTER, command(opt()), command(opt(description="")), "description of 0"),
    (REGISTER, command(*opts(25)), command(*opts(26)), "26 options or subcommands"),
    (
        REGISTER,
        command(opt(choices=[choice(100)])),
        command(opt(choices=[choice(101)])),
        "/offer give: choice name of",
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


def test_translations_count_by_the_longest() -> None:
    plain = {"name": "a", "description": "d"}
    translated = plain | {"description_localizations": {"de": "x" * 90, "fr": "x" * 50}}
    assert limits._characters(translated) == 1 + 90


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/channels/1/messages/2", None),
        ("DELETE", "/channels/1/messages/2", None),
        ("POST", "/users/@me/channels", {"recipient_id": "1"}),
        ("POST", "/interactions/1/token/callback", {"type": 5, "data": {"flags": 64}}),
        ("POST", "/interactions/1/token/callback", {"type": 6}),
        ("PATCH", "/channels/1/messages/2", {"content": None, "components": [], "embeds": None}),
        ("PATCH", "/channels/1/messages/2", {"components": [text(1)]}),
    ],
)
def test_the_rest_is_let_through(method: str, path: str, body: Any) -> None:
    assert limits.problems(method, path, body) == []
