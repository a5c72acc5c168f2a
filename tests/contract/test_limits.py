"""Every limit is seen to fail: a request at the limit passes, one step over it does not."""

from __future__ import annotations

from typing import Any

import pytest

from bot.rehearsal import limits
from bot.rehearsal.limits import V2, Json

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


def select(count: int = 2, **more: Any) -> Json:
    return {"type": 3, "custom_id": "cards", "options": [option(str(n)) for n in range(count)], **more}


def rows(*items: Json) -> Json:
    return {"components": [row(item) for item in items]}


def v2(*items: Json, **more: Any) -> Json:
    return {"flags": V2, "components": list(items), **more}


def field(**more: Any) -> Json:
    return {"type": 18, "label": "Terms", "component": {"type": 4, "style": 1, "custom_id": "terms", **more}}


def modal(*items: Json, **more: Any) -> Json:
    return {"type": 9, "data": {"title": "Alter", "custom_id": "alter", "components": list(items), **more}}


def offered(*choices: Json) -> Json:
    return {"type": 8, "data": {"choices": list(choices)}}


def choice(characters: int = 4, value: Any = 1) -> Json:
    return {"name": "x" * characters, "value": value}


def menu(name: str, kind: int = 2) -> dict[str, Any]:
    """A user command, or with 3 a message command."""
    return {"name": name, "type": kind}


def command(*options: Json, **more: Any) -> list[Json]:
    return [{"name": "offer", "description": "d", "type": 1, "options": list(options), **more}]


def opt(name: str = "give", **more: Any) -> Json:
    return {"name": name, "description": "d", "type": 3, **more}


def opts(count: int) -> list[Json]:
    return [opt(f"o{n}") for n in range(count)]


def long(characters: int) -> list[Json]:
    """A command of that many characters in all; a full choice has 100 in its name and 100 in its value."""
    full = [{"name": f"{n:>0100}", "value": f"{n:>0100}"} for n in range(25)]
    rest = characters - len("offer") - 1 - 5000 - 2 * (len("a") + 1)
    last = [{"name": f"{n:>0100}", "value": f"{n:>0100}"} for n in range(rest // 200)]
    last.append({"name": "x" * (rest % 200 // 2), "value": "x" * (rest % 200 - rest % 200 // 2)})
    return command(opt("a", choices=full), opt("b", choices=last))


# (what it is about, where, at the limit, over it, what is said)
CASES: list[tuple[str, tuple[str, str], Any, Any, str]] = [
    ("content", POST, {"content": "x" * 2000}, {"content": "x" * 2001}, "content of 2001"),
    ("content edited", EDIT, {"content": "x" * 2000}, {"content": "x" * 2001}, "content of 2001"),
    ("content followed up", FOLLOW, {"content": "x" * 2000}, {"content": "x" * 2001}, "content of 2001"),
    ("content of an answer", ORIGINAL, {"content": "x" * 2000}, {"content": "x" * 2001}, "content of 2001"),
    (
        "content answered",
        ANSWER,
        {"type": 4, "data": {"content": "x" * 2000}},
        {"type": 4, "data": {"content": "x" * 2001}},
        "content of 2001",
    ),
    (
        "content of an update",
        ANSWER,
        {"type": 7, "data": {"content": "x" * 2000}},
        {"type": 7, "data": {"content": "x" * 2001}},
        "content of 2001",
    ),
    (
        "embeds",
        POST,
        {"embeds": [{"description": "x" * 4000}, {"fields": [{"name": "x" * 1000, "value": "x" * 1000}]}]},
        {"embeds": [{"description": "x" * 4000}, {"title": "x", "footer": {"text": "x" * 2000}}]},
        "embeds of 6001",
    ),
    ("components", POST, v2(*[text(1)] * 40), v2(*[text(1)] * 41), "41 components"),
    (
        "components nested",
        POST,
        v2({"type": 17, "components": [text(1)] * 39}),
        v2({"type": 17, "components": [{"type": 9, "components": [text(1)] * 39, "accessory": button()}]}),
        "42 components",
    ),
    ("text in all", POST, v2(text(2000), text(2000)), v2(text(2000), text(2001)), "text of 4001"),
    ("V2 with content", POST, v2(text(1), content=""), v2(text(1), content="hi"), "yet has content"),
    ("V2 with embeds", EDIT, v2(text(1), embeds=[]), v2(text(1), embeds=[{"title": "hi"}]), "yet has embeds"),
    ("V2 without its flag", POST, v2(text(1)), {"components": [text(1)]}, "without the flag"),
    (
        "rows",
        POST,
        rows(*[button(str(n)) for n in range(5)]),
        rows(*[button(str(n)) for n in range(6)]),
        "6 rows",
    ),
    ("empty", POST, {"content": "x"}, {"content": ""}, "empty message"),
    ("empty answer", ANSWER, {"type": 7, "data": {"content": ""}}, {"type": 4, "data": {}}, "empty message"),
    (
        "custom_id twice",
        POST,
        rows(button("a"), button("b")),
        rows(button("a"), button("a")),
        "stands 2 times",
    ),
    (
        "id twice",
        POST,
        rows(button("a", id=1), button("b", id=2)),
        rows(button("a", id=1), button("b", id=1)),
        "id 1 stands 2 times",
    ),
    ("custom_id long", POST, rows(button("x" * 100)), rows(button("x" * 101)), "custom_id of 101"),
    ("custom_id of a select", POST, rows(select()), rows(select(custom_id="x" * 101)), "custom_id of 101"),
    ("custom_id empty", POST, rows(select(custom_id="x")), rows(select(custom_id="")), "custom_id of 0"),
    ("select unnamed", POST, rows(select()), rows({"type": 3, "options": [option("a")]}), "without custom_id"),
    ("label", POST, rows(button(label="x" * 80)), rows(button(label="x" * 81)), "label of 81"),
    ("no label", POST, rows(button(label="", emoji={"name": "x"})), rows(button(label="")), "without label"),
    ("no custom_id", POST, rows(button()), rows({"type": 2, "style": 1, "label": "x"}), "needs a custom_id"),
    (
        "link",
        POST,
        {"components": [row({"type": 2, "style": 5, "label": "Rules", "url": "https://example.org"})]},
        rows(button(style=5, url="https://example.org")),
        "takes no custom_id",
    ),
    ("select options", POST, rows(select(25)), rows(select(26)), "26 options"),
    ("select empty", POST, rows(select(1)), rows(select(0)), "0 options"),
    ("select too many", POST, rows(select(3, max_values=3)), rows(select(3, max_values=4)), "up to 4 with 3"),
    (
        "select least",
        POST,
        rows(select(3, min_values=0, max_values=1)),
        rows(select(3, min_values=2, max_values=1)),
        "at least 2 and at most 1",
    ),
    (
        "select chosen",
        POST,
        rows(select(options=[option("a", default=True), option("b")])),
        rows(select(options=[option("a", default=True), option("b", default=True)])),
        "2 chosen beforehand",
    ),
    (
        "select label",
        POST,
        rows(select(options=[option("a", label="x" * 100)])),
        rows(select(options=[option("a", label="x" * 101)])),
        "label of 101",
    ),
    (
        "select value",
        POST,
        rows(select(options=[option("a", value="x" * 100)])),
        rows(select(options=[option("a", value="")])),
        "value of 0",
    ),
    (
        "select description",
        POST,
        rows(select(options=[option("a", description="x" * 100)])),
        rows(select(options=[option("a", description="x" * 101)])),
        "description of 101",
    ),
    (
        "select value twice",
        POST,
        rows(select(options=[option("a"), option("b")])),
        rows(select(options=[option("a"), option("a")])),
        "value 'a' stands 2 times",
    ),
    (
        "select placeholder",
        POST,
        rows(select(placeholder="x" * 150)),
        rows(select(placeholder="x" * 151)),
        "placeholder of 151",
    ),
    (
        "select shares",
        POST,
        {"components": [row(select()), row(button())]},
        {"components": [row(select(), button())]},
        "shares its row",
    ),
    ("modal title", ANSWER, modal(field(), title="x" * 45), modal(field(), title="x" * 46), "title of 46"),
    ("modal custom_id", ANSWER, modal(field(), custom_id="x" * 100), modal(field(), custom_id=""), "of 0"),
    (
        "modal items",
        ANSWER,
        modal(*[field(custom_id=str(n)) for n in range(5)]),
        modal(*[field(custom_id=str(n)) for n in range(6)]),
        "6 items",
    ),
    ("modal untitled", ANSWER, modal(field(), title="x"), modal(field(), title=""), "title of 0"),
    ("modal id long", ANSWER, modal(field(), custom_id="x"), modal(field(), custom_id="x" * 101), "of 101"),
    ("modal unlabelled", ANSWER, modal(field() | {"label": "x"}), modal(field() | {"label": ""}), "label of 0"),
    ("choice without value", ANSWER, offered(choice(4, "x")), offered(choice(4, "")), "value of 0"),
    (
        "fixed choices",
        REGISTER,
        command(opt(choices=[choice(100)])),
        command(opt(choices=[choice(101)])),
        "/offer give: choice name of 101",
    ),
    ("modal empty", ANSWER, modal(field()), modal(), "0 items"),
    (
        "modal label",
        ANSWER,
        modal(field() | {"label": "x" * 45}),
        modal(field() | {"label": "x" * 46}),
        "label of 46",
    ),
    (
        "modal custom_id twice",
        ANSWER,
        modal(field(custom_id="a"), field(custom_id="b")),
        modal(field(custom_id="a"), field(custom_id="a")),
        "stands 2 times",
    ),
    (
        "modal select",
        ANSWER,
        modal({"type": 18, "label": "Cards", "component": select(25)}),
        modal({"type": 18, "label": "Cards", "component": select(26)}),
        "26 options",
    ),
    ("input", ANSWER, modal(field(max_length=4000)), modal(field(max_length=4001)), "0 to 4001"),
    ("input value", ANSWER, modal(field(value="x" * 4000)), modal(field(value="x" * 4001)), "with 4001"),
    (
        "input value of its own",
        ANSWER,
        modal(field(value="abc", max_length=3)),
        modal(field(value="abcd", max_length=3)),
        "with 4 characters, 3 at most",
    ),
    (
        "input placeholder",
        ANSWER,
        modal(field(placeholder="x" * 100)),
        modal(field(placeholder="x" * 101)),
        "placeholder of 101",
    ),
    ("autocomplete", ANSWER, offered(*[choice()] * 25), offered(*[choice()] * 26), "26 autocomplete"),
    ("choice name", ANSWER, offered(choice(100)), offered(choice(101)), "name of 101"),
    ("choice unnamed", ANSWER, offered(choice(1)), offered(choice(0)), "name of 0"),
    ("choice value", ANSWER, offered(choice(4, "x" * 100)), offered(choice(4, "x" * 101)), "value of 101"),
    (
        "commands",
        REGISTER,
        [command(name=f"c{n}")[0] for n in range(100)],
        [command(name=f"c{n}")[0] for n in range(101)],
        "101 commands",
    ),
    ("menus", REGISTER, [menu(f"Do {n}…") for n in range(5)], [menu(f"Do {n}…") for n in range(6)], "6 commands in a"),
    ("menu name", REGISTER, [menu("X" * 32)], [menu("X" * 33)], "is no name in a menu"),
    ("menu twice", REGISTER, [menu("A"), menu("A", 3)], [menu("A"), menu("A")], "'A' stands 2 times"),
    ("menu described", REGISTER, [menu("A")], [{**menu("A"), "description": "x"}], "has a description"),
    ("commands twice", REGISTER, command(), command() + command(), "'offer' stands 2 times"),
    ("command name", REGISTER, command(name="über-1"), command(name="Offer"), "'Offer' is no name"),
    ("command name long", REGISTER, command(name="x" * 32), command(name="x" * 33), "is no name"),
    ("command name space", FOR_GUILD, command(name="a_b"), command(name="a b"), "is no name"),
    ("option name", REGISTER, command(opt("to")), command(opt("To")), "/offer To: 'To' is no name"),
    (
        "description",
        REGISTER,
        command(description="x" * 100),
        command(description="x" * 101),
        "description of 101",
    ),
    ("no description", REGISTER, command(opt()), command(opt(description="")), "description of 0"),
    ("options", REGISTER, command(*opts(25)), command(*opts(26)), "26 options or subcommands"),
    (
        "subcommands",
        REGISTER,
        command(*[opt(f"s{n}", type=1) for n in range(25)]),
        command(*[opt(f"s{n}", type=1) for n in range(26)]),
        "26 options or subcommands",
    ),
    (
        "options twice",
        REGISTER,
        command(opt("a"), opt("b")),
        command(opt("a"), opt("a")),
        "option 'a' stands 2",
    ),
    (
        "options beside subcommands",
        REGISTER,
        command(opt("a", type=1), opt("b", type=1)),
        command(opt("a", type=1), opt("b")),
        "beside subcommands",
    ),
    (
        "required last",
        REGISTER,
        command(opt("a", required=True), opt("b")),
        command(opt("a"), opt("b", required=True)),
        "required option after",
    ),
    (
        "choices and autocomplete",
        REGISTER,
        command(opt(choices=[choice()])),
        command(opt(choices=[choice()], autocomplete=True)),
        "together",
    ),
    ("characters", REGISTER, long(8000), long(8001), "8001 characters"),
    ("characters of one", ("POST", REGISTER[1]), long(8000)[0], long(8001)[0], "8001 characters"),
]


def test_limit(subtests: pytest.Subtests) -> None:
    for name, where, right, wrong, says in CASES:
        with subtests.test(name):
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
    ],
)
def test_the_rest_is_let_through(method: str, path: str, body: Any) -> None:
    assert limits.problems(method, path, body) == []
