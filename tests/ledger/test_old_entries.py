"""Tests that entries of earlier programs lead to the same tables as then.

``entries_of_23_november.jsonl`` has a table a line: its entries, a digest of what the program of that day made of each,
and what the table became in the end. They are some of our plays, with nearly every kind of entry. Its entries
are never edited; another format gets another file. The digests hold no sentences, since words may change.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bot.rules.apply import replay
from bot.rules.model.table import Table
from bot.rules.registry import game_of
from bot.rules.vocabulary import entry_kinds, read_entry

LINES = (Path(__file__).parent / "entries_of_23_november.jsonl").read_text(encoding="utf-8").splitlines()
TABLES: list[dict[str, Any]] = [json.loads(line) for line in LINES]


def became(table: Table) -> dict[str, Any]:
    """What the file says of a table, as the program of today has it."""
    game, window = game_of(table), table.window
    return {
        "open": table.open,
        "phase": table.phase,
        "window": [window.number, window.kind, window.holder, sorted(map(list, window.used))],
        "seats": {
            seat.id: [seat.person, dict(seat.holdings.items()), dict(seat.in_play.items())]
            for seat in table.seats.values()
        },
        "offers": {
            str(number): [offer.status, sorted(offer.signatures), sorted(offer.agreed)]
            for number, offer in table.offers.items()
        },
        "prompts": sorted(f"{each.key} {each.seat}" for each in game.features.prompts(table)) if table.open else [],
        "board": len(game.commands.board(table).lines) if table.open else 0,
    }


@pytest.mark.parametrize("written", TABLES, ids=[each["play"] for each in TABLES])
def test_a_table_is_what_it_was(written: dict[str, Any]) -> None:
    table = Table(id=1)
    for entry, digest in zip(written["entries"], written["steps"], strict=True):
        table = replay([read_entry(entry, {})], table)
        now = json.dumps(became(table), sort_keys=True).encode()
        assert sha256(now).hexdigest()[:8] == digest, (entry, became(table))
    assert became(table) == written["became"]


def test_nearly_every_kind_is_among_them() -> None:
    there = {entry["kind"] for written in TABLES for entry in written["entries"]}
    assert there <= set(entry_kinds()), "a kind that was written is still read"
    assert len(there) == 86
