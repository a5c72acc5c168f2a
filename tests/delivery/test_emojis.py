"""Tests of icons of goods: the application's emojis where it has them, symbols elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import chain, product
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from PIL import Image

from bot.delivery import render
from bot.delivery.render import have_icons, know, with_icons
from bot.rules.game import Icon
from bot.rules.registry import games
from bot.show.cards import Card
from bot.show.pictures.icons import icon_png
from tests.drawn import WAYS, message

COIN = Icon("toy_coin", "🟡", "coin", "#f2c230")
PLAIN = Icon("toy_word", "🔤")
KIB_256 = 256 * 1024
"""Discord's limit for an emoji's file, in bytes."""


class Application:
    """A client whose application has emojis, as far as `have_icons` uses it."""

    def __init__(self, *names: str, fails: bool = False) -> None:
        self.names = list(names)
        self.fails = fails

    async def fetch_application_emojis(self) -> list[Any]:
        return [_emoji(name) for name in self.names]

    async def create_application_emoji(self, *, name: str, image: bytes) -> Any:
        if self.fails:
            raise discord.HTTPException(
                cast("Any", SimpleNamespace(status=400, reason="Bad Request")), "too many"
            )
        assert Image.open(BytesIO(image)).size == (128, 128)
        self.names.append(name)
        return _emoji(name)


def _emoji(name: str) -> Any:
    return discord.Emoji(
        guild=discord.Object(0),
        state=cast("Any", None),
        data=cast("Any", {"id": "77", "name": name}),
    )


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(render, "AFTER_START", 0.0)
    monkeypatch.setattr(render, "BETWEEN", 0.0)
    yield
    know([])


async def has(
    application: Application, icons: Sequence[Icon] = (COIN, PLAIN), *, upload: bool = True
) -> None:
    await have_icons(cast("discord.Client", application), icons, upload=upload)


async def test_what_the_application_lacks_is_drawn_and_uploaded_once() -> None:
    application = Application("other")
    await has(application)
    await has(application)
    assert application.names == ["other", "toy_coin"]
    assert with_icons(["<icon:toy_coin:🟡> 3"]) == ["<:toy_coin:77> 3"]


async def test_another_process_uses_them_and_uploads_none() -> None:
    application = Application("toy_coin")
    await has(application, (COIN, Icon("toy_crate", "📦", "crate")), upload=False)
    assert with_icons(["<icon:toy_coin:🟡><icon:toy_crate:📦>"]) == ["<:toy_coin:77>📦"]
    assert application.names == ["toy_coin"]


async def test_where_uploading_fails_it_is_the_symbol_and_the_owner_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    await has(Application(fails=True))
    assert with_icons(["<icon:toy_coin:🟡> 3"]) == ["🟡 3"]
    assert "appear as symbols" in caplog.text


async def test_what_a_person_typed_is_no_icon() -> None:
    assert with_icons([r"\<icon:toy_coin:🟡>"]) == [r"\<icon:toy_coin:🟡>"]


async def test_a_message_that_would_become_too_long_has_symbols() -> None:
    await has(Application("toy_coin"))
    blocks = ["<icon:toy_coin:🟡> 1 " * 100] * 3
    assert "<:toy_coin:77>" in with_icons(blocks[:1])[0]
    assert "<:toy_coin:77>" not in "".join(with_icons([each * 3 for each in blocks]))


async def test_a_card_is_drawn_with_them() -> None:
    await has(Application("toy_coin"))
    for way, plain in product(WAYS, (False, True)):
        assert "<:toy_coin:77> 3" in str(
            message(Card("open", "<icon:toy_coin:🟡> 3", plain=plain), way)
        )


def all_icons() -> list[Icon]:
    return list(chain.from_iterable(game.goods.icons for game in games().values()))


def test_every_icon_can_be_an_emoji(subtests: pytest.Subtests) -> None:
    for icon in all_icons():
        with subtests.test(icon.name):
            assert re.fullmatch(r"[a-z0-9_]{2,32}", icon.name)
            assert re.fullmatch(r"#[0-9a-f]{6}", icon.colour)
            assert with_icons([f"<icon:{icon.name}:{icon.symbol}>"]) == [icon.symbol]
            png = icon_png(icon)
            assert len(png) < KIB_256
            assert Image.open(BytesIO(png)).mode == "RGBA"


def test_no_two_icons_share_a_name_or_look_alike() -> None:
    icons = all_icons()
    assert len({icon.name for icon in icons}) == len(icons)
    assert len({icon.symbol for icon in icons}) == len(icons)
    assert len({icon_png(icon) for icon in icons}) == len(icons)


def test_what_has_no_shape_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="no shape"):
        icon_png(PLAIN)
