"""Tests of messages as people read them: markdown, mentions, times, components, embeds, modals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simcord.enums import ComponentType

from bot.rehearsal.reading import (
    Control,
    ModalField,
    SelectChoice,
    controls,
    fields,
    images,
    plain,
    read_message,
    read_modal,
    when,
)

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


KNOWN = {
    ("user", 12): "bob",
    ("user", 13): "_al_",
    ("channel", 30): "table",
    ("role", 40): "Moderators",
}


def known(kind: str, id: int) -> str | None:
    return KNOWN.get((kind, id))


def read(**message: Any) -> str:
    return read_message(message, known, NOW)


@pytest.mark.parametrize(
    ("text", "as_read"),
    [
        ("plain", "plain"),
        ("**bold** and *slanted* and _so_", "bold and slanted and so"),
        ("***both***", "both"),
        ("**bold with *slant* in it**", "bold with slant in it"),
        ("__under__ ~~struck~~ ||hidden||", "under struck hidden"),
        ("**Trade goods:** 3", "Trade goods: 3"),
        ("snake_case and a_b_c", "snake_case and a_b_c"),
        ("3 * 4 * 5 and 2*3", "3 * 4 * 5 and 2*3"),
        ("`**code**` and ``a ` b``", "**code** and a ` b"),
        ("```py\nx = **y**\n```", "x = **y**"),
        ("```just this```", "just this"),
        ("# One\n## Two\n### Three\n-# small", "One\nTwo\nThree\nsmall"),
        ("#table is no heading", "#table is no heading"),
        ("> quoted\n>>> and more", "quoted\nand more"),
        ("- one\n* two\n  - three", "• one\n• two\n  • three"),
        ("1. one\n2. two", "1. one\n2. two"),
        ("\\*not slanted\\* \\[94.1\\]", "*not slanted* [94.1]"),
        ("**No.** [94.1] Once a turn", "No. [94.1] Once a turn"),
        ("[the rule](https://x.org/a_b_c) (here)", "the rule (here)"),
        ("[[94.1]](https://x.org)", "[94.1]"),
        ("[not a link](nowhere)", "[not a link](nowhere)"),
        ("<https://x.org/a_b_c> https://x.org/_d_", "https://x.org/a_b_c https://x.org/_d_"),
        ("<@12> <@!12> <@99>", "@bob @bob @unknown-user"),
        ("_<@13>_", "@_al_"),
        ("**<@12>** gives", "@bob gives"),
        ("<#30> <#99> <@&40> <@&99>", "#table #unknown @Moderators @unknown-role"),
        ("</offer post:123> <:tg:55> <a:spin:56>", "/offer post :tg: :spin:"),
        ("a < b > c", "a < b > c"),
        ("`<@12>`", "<@12>"),
    ],
)
def test_markdown(text: str, as_read: str) -> None:
    assert plain(text, known, NOW) == as_read


@pytest.mark.parametrize(
    ("style", "as_read"),
    [
        ("", "2 January 2026 12:00"),
        (":f", "2 January 2026 12:00"),
        (":F", "Friday, 2 January 2026 12:00"),
        (":t", "12:00"),
        (":T", "12:00:00"),
        (":d", "02/01/2026"),
        (":D", "2 January 2026"),
        (":R", "in 1 day"),
        (":s", "02/01/2026, 12:00"),
        (":S", "02/01/2026, 12:00:00"),
    ],
)
def test_times(style: str, as_read: str) -> None:
    at = int((NOW + timedelta(days=1)).timestamp())
    assert plain(f"ends <t:{at}{style}>", known, NOW) == f"ends {as_read}"


@pytest.mark.parametrize(
    ("seconds", "as_read"),
    [
        (0, "in 0 seconds"),
        (1, "in 1 second"),
        (-45, "45 seconds ago"),
        (60, "in 1 minute"),
        (300, "in 5 minutes"),
        (-7200, "2 hours ago"),
        (3 * 86400, "in 3 days"),
        (61 * 86400, "in 2 months"),
        (-800 * 86400, "2 years ago"),
    ],
)
def test_relative_times(seconds: int, as_read: str) -> None:
    assert when(int(NOW.timestamp()) + seconds, "R", NOW) == as_read


def button(label: str, custom_id: str = "x", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": label, "custom_id": custom_id, **more}


CARD: list[dict[str, Any]] = [
    {
        "type": 17,
        "components": [
            {"type": 10, "content": "## Offer 12"},
            {"type": 10, "content": "**Trade** 1\nby <@12>"},
            {"type": 14, "divider": True},
            {
                "type": 12,
                "items": [
                    {"media": {"url": "u2"}, "description": "A map"},
                    {"media": {"url": "u2"}},
                ],
            },
            {
                "type": 1,
                "components": [
                    button("Accept", "accept"),
                    button("Decline", "decline", disabled=True, emoji={"name": "✖"}),
                    button("", "tg", emoji={"name": "tg", "id": "5"}),
                ],
            },
            {
                "type": 1,
                "components": [
                    {
                        "type": 3,
                        "custom_id": "goods",
                        "placeholder": "Goods",
                        "options": [
                            {"label": "Salt", "value": "0", "description": "worth 3"},
                            {"label": "Salt", "value": "1", "default": True},
                        ],
                    }
                ],
            },
        ],
    },
    {"type": 10, "content": "Below"},
]


def test_components_are_read_top_to_bottom() -> None:
    assert read(content="", components=CARD, flags=1 << 15) == "\n".join(
        (
            "Offer 12",
            "Trade 1",
            "by @bob",
            "A map",
            "[Accept] [✖ Decline] [:tg:]",
            "Goods",
            "Salt: worth 3",
            "Salt",
            "Below",
        )
    )


def test_controls() -> None:
    assert controls({"components": CARD}) == (
        Control(ComponentType.BUTTON, "Accept", "accept", True),
        Control(ComponentType.BUTTON, "Decline", "decline", False),
        Control(ComponentType.BUTTON, ":tg:", "tg", True),
        Control(
            ComponentType.STRING_SELECT,
            "Goods",
            "goods",
            True,
            (SelectChoice("Salt", "0"), SelectChoice("Salt", "1", True)),
        ),
    )


def test_unknown_kinds_do_no_harm() -> None:
    components = [
        {"type": 99},
        {"type": 5, "custom_id": "who", "placeholder": "Whom?"},
        {"type": 2, "style": 5, "label": "Rules", "url": "https://x.org"},
    ]
    assert read(components=components) == "Whom?\n[Rules]"
    assert controls({"components": components}) == ()
    modal = {
        "title": "Files",
        "components": [
            {"type": 99},
            {"type": 18, "label": "Which?", "component": {"type": 19, "custom_id": "files"}},
        ],
    }
    assert read_modal(modal, known, NOW) == "Files\nWhich?"
    assert fields(modal) == (ModalField(19, "Which?", "files", ()),)


def test_a_reply_that_is_still_to_come() -> None:
    assert read(content="", flags=1 << 7) == "(thinking)"
    assert controls({"flags": 1 << 7, "components": CARD}) == ()


def test_content_attachments_embeds() -> None:
    embed = {"description": "**Table** of <@12>", "image": {"url": "u4"}}
    attachments = [
        {"filename": "a.png", "url": "u1", "content_type": "image/png"},
        {"filename": "b.csv", "url": "u2", "content_type": "text/csv"},
    ]
    assert read(content="*Hello*\n\n", attachments=attachments, embeds=[embed]) == (
        "Hello\na.png\nb.csv\nTable of @bob"
    )
    assert images({"attachments": attachments, "embeds": [embed], "components": CARD}) == (
        "u1",
        "u4",
        "u2",
    )


def test_invisible_characters_do_not_count() -> None:
    assert read(content="3\u00a0trade\u200b goods  \n\n\u200b\nx") == "3 trade goods\nx"


MODAL: dict[str, Any] = {
    "title": "Counter offer 3",
    "custom_id": "counter:3",
    "components": [
        {"type": 10, "content": "What do you **give**?"},
        {
            "type": 18,
            "label": "Terms",
            "description": "In words",
            "component": {
                "type": 4,
                "custom_id": "terms",
                "value": "3 tg",
                "placeholder": "anything",
            },
        },
        {
            "type": 18,
            "label": "Goods",
            "component": {
                "type": 3,
                "custom_id": "goods",
                "required": False,
                "options": [
                    {"label": "Salt", "value": "0"},
                    {"label": "Iron", "value": "1", "default": True},
                ],
            },
        },
        {
            "type": 18,
            "label": "Whose",
            "component": {
                "type": 21,
                "custom_id": "whose",
                "options": [{"label": "Mine", "value": "m"}],
            },
        },
    ],
}


def test_modals() -> None:
    assert read_modal(MODAL, known, NOW) == "\n".join(
        (
            "Counter offer 3",
            "What do you give?",
            "Terms",
            "In words",
            "anything",
            "3 tg",
            "Goods",
            "Salt",
            "Iron",
            "Whose",
            "Mine",
        )
    )


def test_the_fields_of_a_modal() -> None:
    assert fields(MODAL) == (
        ModalField(ComponentType.TEXT_INPUT, "Terms", "terms", ("3 tg",)),
        ModalField(
            ComponentType.STRING_SELECT,
            "Goods",
            "goods",
            ("1",),
            (SelectChoice("Salt", "0"), SelectChoice("Iron", "1", True)),
        ),
        ModalField(ComponentType.RADIO_GROUP, "Whose", "whose", (), (SelectChoice("Mine", "m"),)),
    )


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    plain(text, known, NOW)


@given(st.text("abc 123.,:;!?()+=/\n'"))
def test_plain_words_stay(text: str) -> None:
    assert plain(text, known, NOW) == text
