"""Tests of user and message commands, and of who may see which command."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import interactions
from simcord.backend import serializers

from tests.cogs.evening import Evening, text_of
from tests.forged.payloads import COMMAND


async def look(evening: Evening, who: str, message: Any, **changes: Any) -> str:
    """Choose **Look at this offer** on a message in whatever channel it is, and return what is
    answered.
    """
    env, person = evening.env, evening.stage.person(who)
    shown = {**serializers.message_payload(env.backend, message), **changes}
    resolved = {"messages": {shown["id"]: shown}}
    data = {
        "id": "1",
        "name": "Look at this offer",
        "type": 3,
        "target_id": shown["id"],
        "resolved": resolved,
    }
    guild = env.backend.get_channel(message.channel_id).guild_id
    _, payload = interactions.base_payload(
        env.backend,
        type=COMMAND,
        channel_id=message.channel_id,
        user_id=person.id,
        data=data,
        guild_id=guild,
    )
    before = len(env.http_requests)
    env.backend.emit("INTERACTION_CREATE", payload)
    await env._settle_internal(dispatch="INTERACTION_CREATE")
    assert evening.errors() == ()
    return repr([each.json for each in env.http_requests[before:]])


def card_in(evening: Evening, channel: int, text: str) -> Any:
    stored = evening.env.backend.messages[channel].values()
    return next(each for each in stored if text in repr(each.components))


async def test_an_offer_s_card_in_a_dm(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    dms = playing.stage.person("bob").user.dm_channel.id
    card = card_in(playing, dms, "offer:1:1:1")
    assert "Accept" in await look(playing, "bob", card)


async def test_a_message_that_is_not_mine_names_no_offer(playing: Evening) -> None:
    """People can't make buttons, but another bot could make them look like mine."""
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    card = card_in(playing, playing.stage.channel.id, "offer:1:1:1")
    user = dict(
        serializers.user_payload(playing.env.backend.get_user(playing.stage.person("alice").id))
    )
    assert "shows no open offer" in await look(playing, "bob", card, author=user)
    assert "1 trade good" in await look(playing, "bob", card)


@pytest.mark.parametrize("name", ["Trade with…", "What has…"])
async def test_a_bot_is_no_partner(playing: Evening, name: str) -> None:
    person = playing.stage.person("alice")
    bot = playing.env.backend.get_user(playing.bot.user.id)
    users = {str(bot.id): dict(serializers.user_payload(bot))}
    data = {
        "id": "1",
        "name": name,
        "type": 2,
        "target_id": str(bot.id),
        "resolved": {"users": users, "members": {}},
    }
    record, payload = interactions.base_payload(
        playing.env.backend,
        type=COMMAND,
        channel_id=playing.stage.channel.id,
        user_id=person.id,
        data=data,
        guild_id=playing.stage.guild.id,
    )
    playing.env.backend.emit("INTERACTION_CREATE", payload)
    await playing.env._settle_internal(dispatch="INTERACTION_CREATE")
    assert playing.errors() == ()
    answers = [
        each.json
        for each in playing.env.http_requests
        if f"/interactions/{record.id}/" in each.path
    ]
    assert "is a bot, and bots don't play" in repr(answers)


async def test_no_command_hides_from_a_host_without_manage_server(playing: Evening) -> None:
    """The default permissions of a command would hide it from hosts; the rules check who may use
    it.
    """
    tree = playing.bot.tree
    commands = [command.to_dict(tree) for command in tree.get_commands()]
    assert {command["default_member_permissions"] for command in commands} == {None}
    assert "Only the host may" in text_of(await playing.types("bob", "audit ledger"))
    assert "Only the host may" in text_of(
        await playing.types("bob", "permit card", card="Age of Commerce")
    )
