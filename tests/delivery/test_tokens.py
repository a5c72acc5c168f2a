"""Tests of interactions' tokens: their requests are not counted, and the bot's own route follows at
once.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord
import pytest

from bot.delivery import tokens
from bot.rules.views import BoardView
from bot.show.cards import Card
from bot.show.pictures import Sketch
from tests.delivery.briefings import CHANNEL
from tests.delivery.test_transport import MARKER, Wire, wire
from tests.loopback.exchange import LATER, MESSAGE, UPDATE, Exchange
from tests.loopback.faults import Error
from tests.loopback.people import Person
from tests.loopback.screen import Json
from tests.loopback.world import BOT
from tests.plugin.bazaar.bourse_bazaar import GAME
from tests.plugin.bazaar.installing import installed, point

__all__ = ("wire",)

PERSON = Person(77, "somebody")
PNG = b"\x89PNG and what is in it: "
BY_TOKEN = r"^/webhooks/"


def answered(wire: Wire, kind: int, pressed: Json | None = None) -> Exchange:
    """Return an interaction that was answered: with a new message of ours, or with an update of the
    pressed one.
    """
    world = wire.discord.world
    made = Exchange(
        world.messages, "1", f"token-{len(world.exchanges)}", 3, PERSON, str(CHANNEL), pressed
    )
    world.exchanges[made.token] = made
    made.callbacks.append({"type": kind})
    return made


def webhook(wire: Wire, exchange: Exchange) -> discord.Webhook:
    return discord.Webhook.partial(BOT.id, exchange.token, client=wire.client)


async def shown(wire: Wire, kind: int = MESSAGE, age: float = 0.0) -> int:
    """Show a message as the response to an interaction, and keep its token. Return the message's
    id.
    """
    message = await wire.sends(nonce=f"nonce-{len(wire.discord.world.exchanges)}")
    made = answered(wire, kind, wire.discord.world.messages[str(message)])
    if kind == MESSAGE:
        made.answers.append(str(message))
    wire.transport.tokens.keep(message, CHANNEL, webhook(wire, made), age)
    return message


def sketched(of: bytes) -> Card:
    return Card("open", "The board", picture=Sketch("bazaar", of, "Three stalls."))


async def edits(wire: Wire, message: int, text: str = "two") -> None:
    await wire.edits(message, Card("over", text))


def ways(wire: Wire) -> list[str]:
    """Return by which way each edit and deletion was asked for."""
    calls = [call for call in wire.discord.rest.calls if call.method in ("PATCH", "DELETE")]
    return ["token" if call.path.startswith("/webhooks/") else "counted" for call in calls]


@pytest.mark.parametrize("kind", [MESSAGE, LATER, UPDATE])
async def test_a_message_shown_by_an_interaction_is_edited_and_deleted_by_its_token(
    wire: Wire, kind: int
) -> None:
    message = await shown(wire, kind)
    await edits(wire, message)
    [seen] = wire.discord.seen(CHANNEL)
    assert (seen.text, seen.marker) == ("two", MARKER)
    await wire.transport.delete(CHANNEL, message, priority=0)
    assert wire.discord.seen(CHANNEL) == []
    assert ways(wire) == ["token", "token"]
    assert ("edit", CHANNEL) not in [route for route, _ in wire.budget.taken]


async def test_a_picture_is_drawn_and_goes_with_the_message_by_each_way(wire: Wire) -> None:
    """It is replaced by the picture of the next edit, and is gone after an edit without one."""
    board = BoardView((), pictured="Three stalls.")
    drawn = replace(
        GAME,
        commands=replace(GAME.commands, board=lambda table: board),
        draw=lambda of: PNG + (of or b""),
    )
    world = wire.discord.world
    with installed(point(drawn)):
        sent = await wire.transport.send(
            CHANNEL, sketched(b"one"), marker=MARKER, nonce="n", priority=0
        )
        for message in (sent, await shown(wire)):
            for of in (b"two", b"three"):
                await wire.edits(message, sketched(of))
                [attached] = world.messages[str(message)]["attachments"]
                assert world.files[attached["id"]] == PNG + of
            await edits(wire, message)
            assert world.messages[str(message)]["attachments"] == []
    assert ways(wire) == ["counted"] * 3 + ["token"] * 3


async def test_a_message_that_no_interaction_showed_is_edited_by_the_bot(wire: Wire) -> None:
    await shown(wire)
    await edits(wire, await wire.sends(nonce="another"))
    assert ways(wire) == ["counted"]


async def test_a_token_reaches_neither_the_pressed_message_after_a_new_response_nor_others(
    wire: Wire,
) -> None:
    """Discord says 404, as if the message did not exist; the bot's own route shows that it does."""
    pressed = await wire.sends(nonce="pressed")
    made = answered(wire, MESSAGE, wire.discord.world.messages[str(pressed)])
    made.answers.append(str(await wire.sends(nonce="response")))
    for message in (pressed, await wire.sends(nonce="other")):
        with pytest.raises(discord.NotFound):
            await webhook(wire, made).edit_message(message, content="no")
        assert made.original != str(message)


@pytest.mark.parametrize("status", [401, 403, 404, 429])
async def test_what_discord_refuses_by_token_is_asked_for_by_the_bot_at_once_and_from_then_on(
    wire: Wire, status: int
) -> None:
    message = await shown(wire)
    wire.discord._add(Error(path=BY_TOKEN, status=status, retry_after=60.0))
    await edits(wire, message)
    await edits(wire, message, "three")
    assert [each.text for each in wire.discord.seen(CHANNEL)] == ["three"]
    assert ways(wire) == ["token", "counted", "counted"]


async def test_that_a_message_is_gone_is_told_by_the_bots_own_route(wire: Wire) -> None:
    message = await shown(wire)
    wire.discord.world.delete(str(message))
    with pytest.raises(discord.NotFound) as refused:
        await edits(wire, message)
    assert refused.value.code == 10008
    assert ways(wire) == ["token", "counted"]


async def test_a_server_error_is_an_outage_as_by_the_bots_own_route(wire: Wire) -> None:
    """The edit may have taken effect, so the reconciler makes it again; it does not matter by which
    way.
    """
    message = await shown(wire)
    wire.discord._add(Error(path=BY_TOKEN, status=503, times=1, effect=True))
    with pytest.raises(discord.DiscordServerError):
        await edits(wire, message)
    assert wire.budget.told[-1] == "failed"
    await edits(wire, message, "three")
    assert [each.text for each in wire.discord.seen(CHANNEL)] == ["three"]


async def test_a_token_is_left_alone_before_it_expires(wire: Wire) -> None:
    """One that has expired is answered with 401, and ten thousand of those bring a ban."""
    await edits(wire, await shown(wire, age=tokens.USED_FOR - 5))
    await edits(wire, await shown(wire, age=tokens.USED_FOR))
    assert ways(wire) == ["token", "counted"]


async def test_a_request_that_would_have_to_wait_is_made_by_the_bot(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await shown(wire)
    for number in range(7):
        await edits(wire, message, f"{number}")
    assert ways(wire) == ["token"] * 5 + ["counted"] * 2
    before = len(ways(wire))
    monkeypatch.setattr(tokens, "IN_CHANNEL", replace_limit(tokens.IN_CHANNEL, 8))
    wire.transport.tokens._channels.clear()
    for _ in range(10):
        await edits(wire, await shown(wire))
    assert ways(wire)[before:] == ["token"] * 8 + ["counted"] * 2
    wire.transport.tokens._channels.clear()
    wire.transport.tokens._overall = tokens.RateWindow(replace_limit(tokens.OVERALL, 1))
    before = len(ways(wire))
    first, second = await shown(wire), await shown(wire)
    await asyncio.gather(edits(wire, first), edits(wire, second))
    assert sorted(ways(wire)[before:]) == ["counted", "token"]


def replace_limit(limit: tokens.RateLimit, requests: int) -> tokens.RateLimit:
    return limit._replace(requests=requests)


async def test_while_discord_is_down_only_the_bots_own_route_probes_it(wire: Wire) -> None:
    message = await shown(wire)
    for _ in range(3):
        wire.budget.failed()
    await edits(wire, message)
    assert ways(wire) == ["counted"]


async def test_no_more_tokens_are_kept_than_some_thousands_and_none_is_shown(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "TOKENS_KEPT", 2)
    first, *later = [await shown(wire) for _ in range(3)]
    assert wire.transport.tokens.take(first) is None
    assert all(wire.transport.tokens.take(each) is not None for each in later)
    assert "token-" not in repr(wire.transport.tokens.__dict__)
