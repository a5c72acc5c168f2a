"""Tests of how the page draws what stands in an embed."""

from __future__ import annotations

from simcord.preview._markdown import markdown_tokens

import bot.rehearsal.places


def test_small_print_in_an_embed_is_drawn_as_on_discord() -> None:
    assert bot.rehearsal.places, "importing it is enough"
    [paragraph] = markdown_tokens("-# small", "embed_description")
    assert [each["type"] for each in paragraph["children"]] == ["subtext"]
