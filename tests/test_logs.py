"""Tests of log lines, as text and as JSON: what they are about, and that they hold no secret."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import sys
from collections.abc import Iterator

import pytest

from bot.logs import OWN_LOGGERS, Lines, configure, note

TOKEN = "MTE2NzI4OTQ1MTIzNDU2Nzg5.GaBcDe." + "x" * 38
INTERACTION_TOKEN = "aW50ZXJhY3Rpb246MTIzNDU2"


@pytest.fixture
def lines() -> Iterator[tuple[logging.Logger, io.StringIO, logging.Handler]]:
    """A logger, what it writes, and its handler."""
    logger, written = logging.getLogger("bot.told"), io.StringIO()
    handler = logging.StreamHandler(written)
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield logger, written, handler
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


Told = tuple[logging.Logger, io.StringIO, logging.Handler]


def test_text(lines: Told) -> None:
    logger, written, handler = lines
    handler.setFormatter(Lines("text"))
    logger.warning("a message waits", extra={"table": 7, "offer": None})
    assert written.getvalue().endswith(" WARNING bot.told: a message waits [table 7]\n")


def test_json(lines: Told) -> None:
    logger, written, handler = lines
    handler.setFormatter(Lines("json"))
    try:
        raise KeyError("two\nlines")
    except KeyError:
        logger.exception("%d waits", 1, extra={"table": 7, "offer": 3})
    (line,) = written.getvalue().splitlines()
    found = json.loads(line)
    assert found.pop("time").endswith("+00:00")
    assert "Traceback" in found.pop("error")
    assert found == {
        "level": "error",
        "logger": "bot.told",
        "message": "1 waits",
        "table": 7,
        "offer": 3,
    }


async def test_a_task_is_about_what_it_noted_and_what_it_starts_is_not(lines: Told) -> None:
    logger, written, handler = lines
    handler.setFormatter(Lines("json"))

    async def handle(interaction: int, table: int) -> None:
        note(interaction=interaction)
        logger.info("began")
        note(table=table)
        await asyncio.sleep(0)
        logger.info("ended")
        asyncio.get_running_loop().call_soon(logger.info, "later")
        await asyncio.create_task(delivered())
        await asyncio.to_thread(logger.info, "in a thread")

    async def delivered() -> None:
        logger.info("delivered")
        note(table=9)
        logger.info("delivered at 9")

    await asyncio.gather(handle(1, 7), handle(2, 8))
    said = [
        (each["message"], each.get("interaction"), each.get("table"))
        for each in map(json.loads, written.getvalue().splitlines())
    ]
    for interaction, table in ((1, 7), (2, 8)):
        assert said.count(("began", interaction, None)) == 1
        assert said.count(("ended", interaction, table)) == 1
    for message, at in (
        ("later", None),
        ("delivered", None),
        ("delivered at 9", 9),
        ("in a thread", None),
    ):
        assert said.count((message, None, at)) == 2, said


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_line_has_a_secret(lines: Told, form: str) -> None:
    logger, written, handler = lines
    handler.setFormatter(Lines("json" if form == "json" else "text", [TOKEN]))
    logger.warning("GET /interactions/123/%s/callback failed with %s", INTERACTION_TOKEN, TOKEN)
    try:
        raise ValueError(
            f"404, url='https://discord.com/api/v10/webhooks/12/{INTERACTION_TOKEN}?wait=true' "
            f"{TOKEN}"
        )
    except ValueError:
        logger.exception("it failed")
    assert TOKEN not in written.getvalue()
    assert INTERACTION_TOKEN not in written.getvalue()
    assert "/interactions/123/***/callback failed with ***" in written.getvalue()


@pytest.mark.parametrize(
    ("level", "ours", "theirs"),
    [("debug", "debug", "warning"), ("error", "error", "error")],
)
def test_of_libraries_only_warnings_are_logged(
    monkeypatch: pytest.MonkeyPatch, level: str, ours: str, theirs: str
) -> None:
    """Below that they log their data, such as SQL."""
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    monkeypatch.setattr(sys, "stderr", written := io.StringIO())
    quiet = logging.getLogger("discord")  # a rehearsal in this process leaves it quieter
    before = quiet.level
    quiet.setLevel(logging.NOTSET)
    try:
        configure(level, "text", [])
        for name in (
            "bot.ledger",
            "cogs.tree",
            "bourse",
            "sqlalchemy.engine",
            "aiosqlite",
            "discord.http",
            "asyncio",
        ):
            for each in ("debug", "warning", "error"):
                logging.getLogger(name).log(
                    logging.getLevelName(each.upper()), "%s of %s", each, name
                )
    finally:
        for name in OWN_LOGGERS:
            logging.getLogger(name).setLevel(logging.NOTSET)
        quiet.setLevel(before)
        root.setLevel(logging.WARNING)
    said = written.getvalue()
    for name in ("bot.ledger", "cogs.tree", "bourse"):
        assert (f"debug of {name}\n" in said) is (ours == "debug")
    for name in ("sqlalchemy.engine", "aiosqlite", "discord.http", "asyncio"):
        assert f"debug of {name}\n" not in said
        assert (f"warning of {name}\n" in said) is (theirs == "warning")
        assert f"error of {name}\n" in said
