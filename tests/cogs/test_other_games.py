"""Tests that a table refuses the commands of other games with a sentence, before their code runs.

It is tried in every way: slash commands with all their options, completions, buttons, choices and
forms.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from simcord import interactions
from simcord.backend import serializers

from bot.rules.game import Game
from bot.rules.model.codec import SEPARATOR
from bot.rules.registry import games
from bot.show.custom_ids import decode
from cogs import router, tree
from tests.cogs.evening import Evening, text_of
from tests.forged.payloads import COMMAND, COMPONENT, FORM, TYPING
from tests.forged.playing import begin
from tests.forged.test_strangers import Act, commands
from tests.scale import long
from tests.tools.bench.counting import counting

TEXTS = {
    "note": "carol's ceasefire",
    "cards": "3 salt",
    "goods": "1 tg",
    "card": "salt",
    "reason": "Diplomatic Pressure",
    "calamity": "flood",
    "agenda": "Mutiny",
    "mining": "salt",
    "faction": "sol",
    "people": "bob, carol",
}
"""What is typed into text options: words that the other game knows."""


def theirs(evening: Evening, game: Game) -> Iterator[Act]:
    """Yield every command, completion, press, choice and form of a game."""
    store = evening.env.backend
    person = evening.stage.person("bob")
    users = {str(person.id): dict(serializers.user_payload(store.get_user(person.id)))}
    for act in commands(evening.bot.tree, users):
        if act.data["name"] in game.info.command_groups:
            for option in act.data["options"][0]["options"]:
                if option["value"] == "1 tg":
                    option["value"] = TEXTS.get(option["name"], "1 tg")
            yield act
    pressed = [(f"do:1:{kind.kind}", kind) for kind in game.features.commands if kind.kind]
    pressed += [(kind.name, kind) for kind in game.features.opens]
    for name, kind in pressed:
        custom_id = SEPARATOR.join((name, *map(_text, _fields(kind).items())))
        assert decode(custom_id) is not None, custom_id
        yield Act(custom_id, COMPONENT, {"custom_id": custom_id, "component_type": 2})
        yield Act(
            custom_id, COMPONENT, {"custom_id": custom_id, "component_type": 3, "values": ["1"]}
        )
        row = {"type": 18, "component": {"type": 4, "custom_id": "cities", "value": "3"}}
        yield Act(custom_id, FORM, {"custom_id": custom_id, "components": [row]})


def _fields(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind)}


def _text(named: tuple[str, Any]) -> str:
    """Return a value for a field of this name and type, as a custom_id has it."""
    name, hint = named
    if get_origin(hint) in (Union, UnionType):
        hint = get_args(hint)[0]
    if get_origin(hint) is Literal:
        return str(get_args(hint)[0])
    return "ceasefire" if name == "note" else "1" if hint in (int, bool) else "sol"


async def answers(evening: Evening, act: Act) -> list[Any]:
    """Have the host do it, and return what they are answered."""
    env, person = evening.env, evening.stage.person("alice")
    record, payload = interactions.base_payload(
        env.backend,
        type=act.type,
        channel_id=evening.stage.channel.id,
        user_id=person.id,
        data=act.data,
        guild_id=evening.stage.guild.id,
    )
    if act.type in (COMPONENT, FORM):
        messages = env.backend.messages[evening.stage.channel.id].values()
        stored = next(message for message in messages if message.components)
        payload["message"] = dict(serializers.message_payload(env.backend, stored))
    before = len(env.http_requests)
    env.backend.emit("INTERACTION_CREATE", payload)
    await env._settle_internal(dispatch="INTERACTION_CREATE")
    mine = re.compile(f"/interactions/{record.id}/|/{re.escape(record.token)}")
    return [one.json for one in env.http_requests[before:] if mine.search(one.path)]


@pytest.mark.parametrize("game", ["ti4", "advciv", *long(["any"])])
async def test_a_game_s_commands_are_refused_at_another_game_s_table(
    evening: Evening, game: str
) -> None:
    await begin(evening, game)
    before = await evening.table()
    played = games()[game].info.name
    for other in (each for each in games().values() if each.info.id != game):
        acts = list(theirs(evening, other))
        assert {each.type for each in acts} == {COMMAND, TYPING, COMPONENT, FORM}
        refusal = f"That is for {other.info.name}, and this table plays {played}."
        wrong = []
        for act in acts:
            found = await answers(evening, act)
            if act.type == TYPING:
                refused = [each["data"]["choices"] for each in found] == [[]]
            else:
                refused = refusal in json.dumps(found)
            if not refused or evening.errors():
                wrong.append(f"{act.what}: {evening.errors()} {json.dumps(found)[:300]}")
        assert not wrong, "\n".join(wrong)
    assert await evening.table() == before


async def test_also_by_dm(evening: Evening) -> None:
    await begin(evening, "advciv")
    for who in ("bob", "alice"):
        reply = await evening.types(who, "note return", note="carol's ceasefire", in_dm=True)
        assert (
            "That is for Twilight Imperium 4, and this table plays Advanced Civilization."
            in text_of(reply)
        )
    assert evening.errors() == ()


async def test_where_there_is_no_table_the_command_says_so(evening: Evening) -> None:
    await evening.types("alice", "help")
    assert "There is no table in this channel." in text_of(
        await evening.types("alice", "note return", note="x")
    )


async def test_the_right_game_s_command_costs_no_statement_more(
    playing: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def costs() -> int:
        with counting() as counts:
            await playing.types("alice", "neighbors show")
        return counts.statements

    await costs()
    with_check = await costs()
    for module in (router, tree):
        monkeypatch.setattr(module, "require_game", lambda *_: asyncio.sleep(0))
    assert with_check == await costs()
