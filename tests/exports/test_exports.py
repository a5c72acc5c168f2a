"""Tests of exports: they add up, verify on their own, and tell nobody more than they may know."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.exports import FORMATS, Format, export, jsonlines
from bot.exports import csv as spreadsheet
from bot.games.ti4 import GAME
from bot.games.ti4.turns import StartTurn
from bot.ledger.chain import digest
from bot.rules.entries import split
from bot.rules.features.holdings import Gain, SetHoldings
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import CloseTable
from bot.rules.model.goods import Goods
from bot.rules.views import Viewer
from bot.service.requests import ExportSource
from bot.show.accounts import Move, moves_by_entry
from tests.exports.checked import fault, fault_in, program
from tests.exports.tables import held, shelved, source
from tests.scale import SCALE, seeds, variants
from tests.show.playing import World, balances, lived, table_of


def auditor(world: World) -> Viewer:
    """A moderator who never sat at the table."""
    return replace(world.viewer(), hosts=True, audits=True)


def moves(made: ExportSource) -> list[Move]:
    return list(chain.from_iterable(some for _, some in moves_by_entry(made.entries)))


def json_lines(world: World) -> list[bytes]:
    """Return the lines of a JSON export for an auditor: a head, then the entries."""
    return export("json", source(world, auditor(world))).splitlines()


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(content.decode("utf-8-sig"), newline="")))


def sums(content: bytes) -> dict[tuple[str, str, str], int]:
    """What a reader of the CSV file who knows nothing of us would add up."""
    total: Counter[tuple[str, str, str]] = Counter()
    for row in rows(content):
        if row["seat"]:
            key = row["seat"], row["place"], row["component"]
            total[key] += int(row["gained"]) - int(row["lost"])
    return {key: number for key, number in total.items() if number}


@pytest.mark.parametrize("seed", variants(*seeds(4)))
def test_random_tables_add_up(seed: int) -> None:
    """SCALE_OF_TESTS=100 makes 10,000 of them."""
    dice = Random(seed)
    for _ in range(25 * SCALE):
        seed, commands = dice.randrange(10**6), dice.randint(0, 60)
        world = lived(seed, commands, tracked=dice.random() < 0.75)
        if dice.random() < 0.3:
            world.do(CloseTable(), world.table.host)
        shelf = shelved(world)
        full = source(world, auditor(world), shelf)
        assert sums(export("csv", full)) == held(world.table)
        summed = {}
        for key, goods in balances(moves(full)).items():
            summed |= {(*key, token): number for token, number in goods.items()}
        assert summed == held(world.table)
        public = sums(export("csv", source(world, world.viewer(), shelf)))
        lies_open = {
            key
            for key in held(world.table)
            if key[1] == "hand" and GAME.open_goods(Goods({key[2]: 1}))
        }
        assert {key: n for key, n in public.items() if key in lies_open} == {
            key: n for key, n in held(world.table).items() if key in lies_open
        }


@pytest.mark.parametrize("seed", variants(*seeds(6)))
def test_json_lines_verify_on_their_own(seed: int) -> None:
    dice, world = Random(seed), lived(seed, 80)
    shelf = shelved(world)
    for viewer in (world.viewer(), auditor(world)):
        content = export("json", source(world, viewer, shelf))
        assert fault_in(content) == ""
        head, *entries = map(json.loads, content.splitlines())
        assert (head["schema"], head["entries"]) == ("bourse-ledger/1", len(world.recorded))
        assert head["head"] == entries[-1]["hash"]
    lines = content.splitlines(keepends=True)
    changed = dice.randrange(1, len(lines))
    left_out = b"".join(lines[:changed] + lines[changed + 1 :])
    assert fault_in(left_out).startswith(f"entry {changed}")
    broken = json.loads(lines[changed])
    broken["at"] += 1
    lines[changed] = json.dumps(broken).encode() + b"\n"
    assert fault_in(b"".join(lines)) == f"entry {changed}"


def test_what_is_opened_fits_what_was_committed_to() -> None:
    """A digest was published before; who may see the secret now holds it against that."""
    world = lived(5, 200)
    opened_parts = 0
    for line in json_lines(world)[1:]:
        entry = json.loads(line)
        for part, cell in entry["opened"].items():
            salt = bytes.fromhex(cell["salt"])
            assert digest(salt, cell["data"]) == entry["sealed"][part]
            opened_parts += 1
    assert opened_parts > 10


def test_the_program_notices_every_change_but_those_it_says_it_cant_check() -> None:
    """An auditor's file has the salts; a player's has not, and the program lists those parts."""
    world = lived(5, 40)
    shelf = shelved(world)
    missed = set[str]()
    for viewer in (auditor(world), world.viewer(1)):
        lines = export("json", source(world, viewer, shelf)).decode().splitlines()
        _, unchecked = program()["verify"](lines)
        unsure = {where.partition(",")[0] for where in unchecked}
        for number, line in enumerate(lines):
            for path, changed in changed_values(json.loads(line)):
                other = [*lines[:number], json.dumps(changed), *lines[number + 1 :]]
                if fault(other):
                    continue
                listed = path.startswith("opened.") and f"entry {number}" in unsure
                missed.add("a part without its salt" if listed else path)
    names = {f"people.{person}" for person in json.loads(lines[0])["people"]}
    assert missed == names | {"a part without its salt"}


def changed_values(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield where a value is within this one, and the whole with another in its place."""
    if not isinstance(value, dict | list) or not value:
        yield path, f"not {value}"
        return
    within = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in within:
        for where, changed in changed_values(part, f"{path}.{key}" if path else str(key)):
            copy = value.copy()
            copy[key] = changed
            yield where, copy


@pytest.mark.parametrize("seed", variants(*seeds(6)))
@pytest.mark.parametrize("form", FORMATS)
def test_a_file_tells_nobody_more_than_they_may_know(form: Format, seed: int) -> None:
    """Two tables that differ only in which note is in a hand give a third person the same file."""
    files = []
    for note in ("ceasefire", "political_secret"):
        world = table_of(4)
        seats = list(world.table.seats)
        gift = Goods({f"note:{note}:{seats[1]}": 1})
        world.do(SetHoldings(seats[2], gift + Goods({"trade_good": 4})))
        world.do(PostOffer(to=seats[1], give=gift), 3)
        shelf = shelved(world)
        for viewer in (world.viewer(), world.viewer(1), world.viewer(4)):
            files.append(_without_hashes(export(form, source(world, viewer, shelf))))
    assert files[:3] == files[3:]
    told = export(form, source(world, world.viewer(3), shelf)).decode()
    assert "political_secret" in told.lower().replace(" ", "_").replace("-", "_")


def _without_hashes(content: bytes) -> str:
    return re.sub(r"[0-9a-f]{64}", "", content.decode())


def test_commitments_are_published_and_never_opened() -> None:
    world = table_of(3)
    first = json.loads(json_lines(world)[1])
    assert {"place", "person:1", "person:2"} <= first["sealed"].keys()
    assert not first["opened"].keys() - {"parties", "keeper"}


@pytest.mark.parametrize("form", FORMATS)
def test_no_file_names_a_person_by_their_discord_id(form: Format) -> None:
    world = lived(3, 60)
    content = export(form, source(world, auditor(world))).decode()
    assert "10000000000000000" not in content
    assert "<@" not in content
    assert "<seat" not in content
    assert "\ue000" not in content


def test_no_file_holds_what_was_said_before_its_reader_took_the_seat() -> None:
    world = table_of(4)
    seats = list(world.table.seats)
    note, other = (f"note:{name}:{seats[2]}" for name in ("ceasefire", "political_secret"))
    world.do(StartTurn(seats[0]))
    holdings = Goods({"trade_good": 4, note: 1, other: 1})
    world.do(SetHoldings(seats[2], holdings))
    world.do(OpenNegotiation(seats[0], "SECRETTOPIC"), 3)
    gift = Goods({note: 1})
    offer = PostOffer(to=seats[0], give=gift, terms="SECRETTERMS", negotiation=1)
    world.do(offer, 3)
    world.do(Sign(1, 1), 1)
    assert world.table.transactions == 1
    before = world.viewer(3)
    world.do(Leave(), 3)
    world.do(Sit(seats[2], 5), 5)
    for form in FORMATS:
        told = export(form, source(world, world.viewer(5))).decode()
        assert not re.search("SECRET(TOPIC|TERMS)", told)
        assert "SECRETTERMS" in export(form, source(world, before)).decode()
    made = source(world, world.viewer(5))
    lost = [move.token for move in moves(made) if move.lost]
    assert lost.count(note) == 1
    hand = world.table.seats[seats[2]].holdings
    assert balances(moves(made))[seats[2], "hand"] == hand


@pytest.mark.parametrize("seed", variants(*seeds(6)))
def test_moves_are_those_of_the_view(seed: int) -> None:
    world = lived(seed, 100)
    made = source(world, world.viewer())
    every = {entry.seq: moves for entry, moves in moves_by_entry(made.entries)}
    for entry in made.entries:
        public = json.dumps(split(entry.entry)[0])
        assert all(move.token in public for move in every[entry.seq])


# ---------------------------------------------------------------- CSV

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", " =1", "＝1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text: str) -> None:
    assert spreadsheet.harmless(text) == f"'{text}"


@pytest.mark.parametrize("sign", [";", "\t", "|", "; "])
def test_nor_behind_a_sign_that_may_end_a_cell(sign: str) -> None:
    assert spreadsheet.harmless(f"x{sign}=1+1{sign}y") == f"x{sign}'=1+1{sign}y"


def test_other_text_stays_as_it_is() -> None:
    for text in ("alice", "a=b", "3 + 4", "", "'x", "1-2", "a; b", "a|b"):
        assert spreadsheet.harmless(text) == text


def test_csv_is_as_rfc_4180_says() -> None:
    world = table_of(2)
    gift = Goods({"trade_good": 1})
    terms = '=HYPERLINK("x"), "y"\nz'
    world.do(PostOffer(to=world.seat(2), give=gift, terms=terms))
    world.called({1: "=cmd|'/c calc'!A1"})
    made = source(world, auditor(world))
    content = export("csv", made)
    assert content.startswith(b"\xef\xbb\xbfschema,table,seq,")
    assert content.count(b"\n") == content.count(b"\r\n")
    for row in rows(content):
        assert set(row) == set(spreadsheet.COLUMNS)
        assert row["schema"] == "bourse-csv/1"
        for cell in row.values():
            assert not re.match(r"[=+\-@\t\r]", cell), cell
    assert any(row["by"] == "'=cmd|'/c calc'!A1" for row in rows(content))
    assert any('=HYPERLINK("x"), "y" z' in row["what"] for row in rows(content))


def test_the_schemas_are_written_down() -> None:
    told = (Path(spreadsheet.__file__).parent / "SCHEMA.md").read_text(encoding="utf-8")
    for schema in (spreadsheet.SCHEMA, jsonlines.SCHEMA):
        assert f"`{schema}`" in told
    assert all(f"`{column}`" in told for column in spreadsheet.COLUMNS)
    world = table_of(2)
    line = json.loads(json_lines(world)[1])
    assert all(f"`{key}`" in told for key in line)


# ---------------------------------------------------------------- who is who


def two_bobs() -> World:
    """Return a table at which two people go by one name, and a third one sits where the first of
    them was.
    """
    world = table_of(2)
    world.called({1: "bob", 2: "bob", 3: "carol"})
    seat = world.seat(2)
    world.do(Gain(Goods({"trade_good": 1})), 1)
    world.do(Gain(Goods({"trade_good": 2})), 2)
    world.do(Leave(), 2)
    world.do(Sit(seat, 3))
    world.do(Gain(Goods({"trade_good": 3})), 3)
    return world


def test_two_of_one_name_are_told_apart_by_their_numbers_in_csv() -> None:
    world = two_bobs()
    gained = [
        row
        for row in rows(export("csv", source(world, auditor(world))))
        if row["kind"] == "holdings.gained"
    ]
    assert [(row["by"], row["by_person"], row["person"]) for row in gained] == [
        ("bob", "1", "1"),
        ("bob", "2", "2"),
        ("carol", "3", "3"),
    ]
    first, second, _ = (row["what"].partition(" gains")[0] for row in gained)
    assert {first, second} == {
        f"bob ({seat.capitalize()})" for seat in (gained[0]["seat"], gained[1]["seat"])
    }


def test_and_in_json() -> None:
    world = two_bobs()
    head, *lines = map(json.loads, json_lines(world))
    assert (head["people"]["1"], head["people"]["2"]) == ("bob", "bob")
    gained = [line for line in lines if line["entry"]["kind"] == "holdings.gained"]
    assert [line["by"] for line in gained] == [1, 2, 3]


@pytest.mark.parametrize("file_format", FORMATS)
def test_no_file_holds_what_nobody_sees(file_format: Format) -> None:
    unseen = "\u202e\u200b\x00\u3164"
    world = table_of(3)
    world.called({n: f"{unseen}p{n}{unseen}" for n in range(1, 11)})
    goods = Goods({"trade_good": 1})
    world.do(SetHoldings(world.seat(1), goods, f"a{unseen} reason"))
    content = export(file_format, source(world, auditor(world))).decode()
    content = content.removeprefix("\ufeff")
    for letter in unseen:
        assert letter not in content
        assert repr(letter)[1:-1] not in content
