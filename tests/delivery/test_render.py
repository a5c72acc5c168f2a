"""Cards as Discord takes them: the same as discord.py's own classes make of them."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import ui

from bot.delivery.render import ACCENTS, render_card
from bot.rules.model.actions import OfferAction
from bot.show.cards import Button, Card, Mood, Style
from bot.show.custom_ids import encode
from bot.show.pictures import Picture

ACCEPT, DECLINE = OfferAction(1, 2, 3, "accept"), OfferAction(1, 2, 3, "decline")
STYLES: tuple[Style, ...] = ("primary", "secondary", "success", "danger")
MOODS: tuple[Mood, ...] = ("open", "waiting", "done", "over")
PICTURE = Picture(b"png", "chart.png", "A chart")


def by_discord_py(card: Card, marker: int | None) -> list[dict[str, Any]]:
    """Draw a card without selects with discord.py's classes."""
    view = ui.LayoutView(timeout=None)
    if card.plain:
        view.add_item(ui.TextDisplay("\n".join(card.blocks), id=marker))
        return list(view.to_components())
    box: ui.Container[ui.LayoutView] = ui.Container(accent_colour=discord.Colour(ACCENTS[card.mood]), id=marker)
    items: list[ui.Item[ui.LayoutView]] = [ui.TextDisplay(block) for block in card.blocks]
    if card.picture:
        shown = discord.MediaGalleryItem(f"attachment://{card.picture.name}", description=card.picture.alt)
        items.insert(len(items) if card.picture_after is None else card.picture_after, ui.MediaGallery(shown))
    for item in items:
        box.add_item(item)
    for row in card.rows:
        assert isinstance(row, tuple)
        drawn = (
            ui.Button[ui.LayoutView](
                label=each.label, custom_id=encode(each.action), style=discord.ButtonStyle[each.style]
            )
            for each in row
        )
        box.add_item(ui.ActionRow(*drawn))
    view.add_item(box)
    return list(view.to_components())


@pytest.mark.parametrize("marker", [None, 2**30])
@pytest.mark.parametrize(
    "card",
    [
        *(Card(mood, ("One", "Two")) for mood in MOODS),
        Card("open", ("One", "Two"), plain=True),
        Card("open", ("One",), (tuple(Button(style, ACCEPT, style) for style in STYLES), (Button("No", DECLINE),))),
        Card("done", ("One", "Two"), ((Button("Yes", ACCEPT),),), PICTURE),
        Card("done", ("One", "Two"), ((Button("Yes", ACCEPT),),), PICTURE, picture_after=1),
    ],
    ids=[*MOODS, "plain", "buttons", "picture", "picture between"],
)
async def test_a_card_is_drawn_as_by_discord_py(card: Card, marker: int | None) -> None:
    assert render_card(card, marker).to_components() == by_discord_py(card, marker)


async def test_discord_py_neither_keeps_a_card_nor_dispatches_its_presses() -> None:
    view = render_card(Card("open", ("One",), ((Button("Yes", ACCEPT),),)))

    assert view.timeout is None
    assert view.is_finished()
    assert not view.is_dispatchable()
    assert view.has_components_v2()
