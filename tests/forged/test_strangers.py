"""Tests of every command, button, select and form, used by people without a place at the table.

To whoever may not come to it, a table is as one that does not exist: the same answer, word for
word. Others may see what everybody may see. Nobody of them changes anything, or learns what is said
in private.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from discord import AppCommandType
from simcord import interactions
from simcord.backend import serializers
from simcord.interactions import command_leaves
from sqlalchemy import select

from bot.ledger.schema import entries, key_values, people, removals, tables
from bot.rules.model.codec import SEPARATOR
from bot.service import gate
from bot.show.custom_ids import codec
from tests.cogs.evening import Evening, slash
from tests.forged.payloads import COMMAND, COMPONENT, FORM, GROUP, SUBCOMMAND, TYPING, USER, Json
from tests.forged.playing import GAMES, begin
from tests.scale import SCALE

TABLE, NO_TABLE = 1, 4242
ELSEWHERE, NOWHERE = "777", "4242424242"
"""Another server, and a channel that does not exist."""

SECRET = "zqsecret"
STRING, INTEGER = 3, 4


@dataclass(frozen=True)
class Act:
    """An interaction as somebody would make it at a table: its kind, its data, and whether it names
    the table.
    """

    what: str
    type: int
    data: Json
    named: bool = False

    def at(self, table: int) -> Act:
        """Return the same at another table, for one that names its table."""
        text = json.dumps(self.data).replace(f":{TABLE}|", f":{table}|")
        return replace(self, data=json.loads(text.replace("|", "")))


@dataclass
class Stranger:
    """Somebody who acts: who they are, and how what they send differs from what a client sends."""

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    in_dm: bool = False
    permissions: str | None = None
    bot: bool = False


# ---------------------------------------------------------------- everything that can be done


Users = Mapping[str, Json]


def commands(tree: Any, users: Users) -> Iterator[Act]:
    """Yield every command with what it needs, and with all that it takes; and every completion."""
    for command in tree.get_commands(type=AppCommandType.chat_input):
        for path, leaf in command_leaves(command.to_dict(tree)):
            options = [_option(each, users) for each in leaf.get("options") or []]
            needed = [
                each
                for each, of in zip(options, leaf.get("options") or [], strict=True)
                if of.get("required")
            ]
            for given in [needed] if needed == options else [needed, options]:
                yield Act(f"/{' '.join(path)}", COMMAND, _data(path, given, users))
            for one, of in zip(options, leaf.get("options") or [], strict=True):
                if of.get("autocomplete"):
                    typed = [
                        *(each for each in needed if each is not one),
                        one | {"focused": True, "value": ""},
                    ]
                    yield Act(f"/{' '.join(path)} {one['name']}", TYPING, _data(path, typed, users))


def _option(option: Json, users: Users) -> Json:
    values = {STRING: "1 tg", INTEGER: 1, USER: next(iter(users))}
    value: Any = values.get(option["type"], True)
    if option["name"] in ("seat", "faction"):
        value = "arborec"
    if option.get("choices"):
        value = option["choices"][0]["value"]
    return {"name": option["name"], "type": option["type"], "value": value}


def _data(path: Sequence[str], options: list[Json], users: Users) -> Json:
    name, *below = path
    for place, word in enumerate(reversed(below)):
        options = [{"name": word, "type": GROUP if place else SUBCOMMAND, "options": options}]
    return {
        "id": "1",
        "name": name,
        "type": 1,
        "options": options,
        "resolved": {"users": dict(users), "members": {}},
    }


def menus(tree: Any, users: Users, message: Json) -> Iterator[Act]:
    """Yield every user command, on each of these people, and every message command, on a card about
    an offer.
    """
    for menu in tree.get_commands(type=AppCommandType.user):
        for user in users:
            data = _menu(menu)
            data["target_id"] = user
            data["resolved"] = {"users": dict(users), "members": {}}
            yield Act(menu.name, COMMAND, data)
    for menu in tree.get_commands(type=AppCommandType.message):
        button = {"type": 2, "style": 1, "label": "More…", "custom_id": f"offer:{TABLE}|:1:1:more"}
        card = {**message, "components": [{"type": 1, "components": [button]}]}
        resolved = {"messages": {message["id"]: card}}
        yield Act(
            menu.name,
            COMMAND,
            {**_menu(menu), "target_id": message["id"], "resolved": resolved},
            named=True,
        )


def _menu(menu: Any) -> Json:
    return {"id": "1", "name": menu.name, "type": menu.type.value}


def presses() -> Iterator[Act]:
    """Yield a press, a choice and a form for every kind of action at the table, with each of its
    words.
    """
    for kind in codec().kinds.values():
        hints = get_type_hints(kind)
        named = [each.name for each in fields(kind)]  # type: ignore[arg-type]
        for values in product(*(_values(name, hints[name]) for name in named)):
            custom_id = SEPARATOR.join((kind.name, *values))
            yield Act(
                custom_id,
                COMPONENT,
                {"custom_id": custom_id, "component_type": 2},
                "table" in named,
            )
            chosen = {"custom_id": custom_id, "component_type": 3, "values": [str(TABLE)]}
            yield Act(custom_id, COMPONENT, chosen, "table" in named)
            row = {"type": 18, "component": {"type": 4, "custom_id": "give", "value": "1 tg"}}
            yield Act(
                custom_id, FORM, {"custom_id": custom_id, "components": [row]}, "table" in named
            )


def _values(name: str, hint: object) -> list[str]:
    if name == "table":
        return [f"{TABLE}|"]  # marked, so that the same can be done at another
    if name == "game":
        return ["chess"]  # with one that is installed, anybody may open a table of their own
    if get_origin(hint) is Literal:
        return [str(each) for each in get_args(hint)]
    if hint is bool:
        return ["0", "1"]
    return ["hacan"] if hint is str else ["1"]


# ---------------------------------------------------------------- doing it


class Trespass:
    """A table at which something is said in private, and those who have no business there."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        store = evening.env.backend
        self.users = {
            str(one.id): dict(serializers.user_payload(store.get_user(one.id)))
            for one in map(evening.stage.person, ("bob", "alice"))
        }
        stored = next(
            one for one in store.messages[evening.stage.channel.id].values() if one.components
        )
        message = dict(serializers.message_payload(store, stored))
        tree = evening.bot.tree
        self.acts = [*commands(tree, self.users)]
        self.acts += menus(tree, self.users, message)
        self.acts += presses()

    async def answers(self, act: Act, who: Stranger, **also: Any) -> list[Any]:
        """Have somebody do it, and return what they are answered."""
        env, person = self.evening.env, self.evening.stage.person(who.name)
        channel = person.user.dm_channel if who.in_dm else self.evening.stage.channel
        record, payload = interactions.base_payload(
            env.backend,
            type=act.type,
            channel_id=channel.id,
            user_id=person.id,
            data=act.data,
            guild_id=None if who.in_dm else self.evening.stage.guild.id,
        )
        payload |= {**who.changes, **also}
        for key in [key for key, value in payload.items() if value is None]:
            del payload[key]
        if who.permissions is not None:
            payload["member"]["permissions"] = who.permissions
        if who.bot:
            payload["member"]["user"]["bot"] = True
        if act.type in (COMPONENT, FORM):
            stored = next(
                one
                for one in env.backend.messages[self.evening.stage.channel.id].values()
                if one.components
            )
            payload["message"] = dict(serializers.message_payload(env.backend, stored))
        before = len(env.http_requests)
        env.backend.emit("INTERACTION_CREATE", payload)
        await env._settle_internal(dispatch="INTERACTION_CREATE")
        assert self.evening.errors() == ()
        answers = []
        for request in env.http_requests[before:]:
            if f"/interactions/{record.id}/" in request.path or f"/{record.token}" in request.path:
                answers.append(request.json)
        return answers

    async def ledger(self, who: Stranger) -> str:
        """Return everything that the ledger holds of tables, and of everybody but what notifies
        this person.

        That belongs to a person and no table, so anybody may choose it for themselves.
        """
        own = f"muted:{self.evening.stage.person(who.name).id}"

        access = self.evening.bot.ledger._access

        async def every(query: Any) -> Any:
            return await access.run(lambda db: db.execute(query).all())

        kept = key_values.c.key
        # the former are delivery's
        chosen = select(key_values).where(~kept.startswith("dm-channel:"), kept != own)
        return repr(
            [
                await every(query)
                for query in (*map(select, (tables, entries, people, removals)), chosen)
            ]
        )


@pytest.fixture
async def trespass(evening: Evening, game: str, monkeypatch: pytest.MonkeyPatch) -> Trespass:
    """The table of a game, of which bob has just been banned. Nobody's membership is taken on
    trust.
    """
    await begin(evening, game)
    told = {"with": "@bob", "terms": SECRET, "when": "later"}
    offered = {"to": "@bob", **_something(game)}
    await evening.stage.slash("alice", slash("offer post", offered, in_dm=True))
    await evening.stage.slash("alice", slash("deal propose", told, in_dm=True))
    await evening.types("dave", "help")
    evening.stage.person("erin")
    monkeypatch.setattr(gate, "KEPT_FOR", 0.0)
    guild = evening.env.backend.guilds[evening.stage.guild.id]
    del guild.members[evening.stage.person("bob").id]
    return Trespass(evening)


def _something(game: str) -> Mapping[str, str]:
    """Return an offer to one; where such offers are for the two, with words that nobody else may
    read.
    """
    return (
        {"give": "1 tg"}
        if game == "ti4"
        else {"give": "3 salt", "want": "2 grain, 1 hides", "terms": SECRET}
    )


MANAGES = str(1 << 5 | 1 << 3)

COMES_NOT: dict[str, Stranger] = {
    "the moderator of another server": Stranger(
        "dave", {"guild_id": ELSEWHERE, "channel": None}, permissions=MANAGES
    ),
    "the host, from another server": Stranger(
        "alice", {"guild_id": ELSEWHERE, "channel": None}, permissions=MANAGES
    ),
    "a player who was banned": Stranger("bob", in_dm=True),
    "somebody unknown, by DM": Stranger("dave", in_dm=True),
}
"""Those to whom there is no such table."""

LOOKS_ON: dict[str, Stranger] = {
    "somebody who does not sit there": Stranger("erin"),
    "a bot that sits there": Stranger("carol", bot=True),
}
"""Those who may see what everybody sees."""

WELCOME = {"/table sit", "/table open"}
"""What anybody may do in a channel."""


@dataclass(frozen=True)
class Visit:
    """Somebody at the table of a game, and which of all acts they try: every so-many-th."""

    who: Stranger
    game: str
    begin: int = 0
    step: int = 1


def visits(people: Mapping[str, Stranger]) -> list[Any]:
    """Return who comes to which table: in `make long` each to all, with everything.

    In `make test` each comes to one, and together they do each act once.
    """
    chosen = []
    for number, (name, who) in enumerate(people.items()):
        for turn, game in enumerate(GAMES):
            if SCALE > 1:
                chosen.append(pytest.param(Visit(who, game), id=f"{name}-{game}"))
            elif number % len(GAMES) == turn:
                visit = Visit(who, game, number, len(people))
                chosen.append(pytest.param(visit, id=f"{name}-{game}"))
    return chosen


@pytest.fixture
def game(visit: Visit) -> str:
    return visit.game


@pytest.mark.slow
@pytest.mark.parametrize("visit", visits(COMES_NOT))
async def test_to_a_stranger_there_is_no_such_table(trespass: Trespass, visit: Visit) -> None:
    who = visit.who
    before = await trespass.ledger(who)
    for act in trespass.acts[visit.begin :: visit.step]:
        if act.what == "/table open":  # anybody may on a server of theirs
            continue
        there = await trespass.answers(act.at(TABLE), who)
        assert there, act
        # else it names neither a table nor a channel, and would be done twice alike
        if act.named or not who.in_dm:
            place = {} if act.named else {"channel_id": NOWHERE}
            nowhere = await trespass.answers(act.at(NO_TABLE), who, **place)
            assert _words(there) == _words(nowhere), act
        assert SECRET not in _words(there), act
        typed = json.dumps(act.data).casefold()
        assert "hacan" not in _words(there).casefold().replace(typed, ""), act
    assert await trespass.ledger(who) == before


@pytest.mark.slow
@pytest.mark.parametrize("visit", visits(LOOKS_ON))
async def test_who_only_looks_on_changes_nothing_and_learns_no_secret(
    trespass: Trespass, visit: Visit
) -> None:
    who = visit.who
    before = await trespass.ledger(who)
    some: list[Act] = []  # since the ledger was last read, which takes as long as what is done
    for act in trespass.acts[visit.begin :: visit.step]:
        if act.what in WELCOME and not who.bot:
            continue
        answers = await trespass.answers(act.at(TABLE), who)
        assert answers, act
        assert SECRET not in _words(answers), act
        some.append(act)
        if len(some) == 20:
            assert await trespass.ledger(who) == before, some
            some.clear()
    assert await trespass.ledger(who) == before, some


def _words(answers: list[Any]) -> str:
    """Return what is said, without the number of the table that was asked for."""
    return json.dumps(answers).replace(f":{NO_TABLE}:", f":{TABLE}:")


@pytest.mark.parametrize("game", ["ti4"])
@pytest.mark.parametrize("what", ["/table sit", "/table host"])
async def test_only_who_is_on_the_server_is_seated_or_made_host(
    trespass: Trespass, what: str
) -> None:
    """Discord's client takes the id of anybody as a user."""
    host = Stranger("alice")
    before = await trespass.ledger(host)
    act = [each for each in trespass.acts if each.what == what][-1]
    assert "is not on this server" in _words(await trespass.answers(act, host))
    assert await trespass.ledger(host) == before
