"""What is exported adds up to what the bot says, verifies on its own, and tells nobody more than they may know."""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from bot.exports import FORMATS, Source, beancount, export, jsonlines
from bot.exports import csv as spreadsheet
from bot.ledger import Bad
from bot.ledger.chain import digest
from bot.rules.books import balances, moves
from bot.rules.commands import Leave, OpenNegotiation, PostOffer, SetHoldings, Sign, Sit
from bot.rules.entries import split
from bot.rules.games.ti4 import GAME
from bot.rules.games.ti4.commands import StartTurn
from bot.rules.goods import Goods
from bot.rules.views import PUBLIC, Viewer, view
from tests.audit.world import held, lived, source
from tests.rules.machine import opened
from tests.show.looks import USER, look_at

SCALE = int(os.environ.get("SCALE_OF_TESTS", "1"))
ALL = Viewer(moderates=True)
NOTE = re.compile(r"note:\w+:\w+")


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(content.decode("utf-8-sig"), newline="")))


def sums(content: bytes) -> dict[tuple[str, str, str], int]:
    """What a reader of the CSV file who knows nothing of us would add up."""
    total: Counter[tuple[str, str, str]] = Counter()
    for row in rows(content):
        if row["seat"]:
            total[row["seat"], row["place"], row["component"]] += int(row["gained"]) - int(row["lost"])
    return {key: number for key, number in total.items() if number}


@pytest.mark.parametrize("seed", range(4))
def test_random_tables_add_up(seed: int) -> None:
    """SCALE_OF_TESTS=100 makes 10,000 of them."""
    dice = Random(seed)
    for _ in range(25 * SCALE):
        world = lived(dice, dice.randint(0, 60), closed=dice.random() < 0.3)
        full = source(world, ALL)
        assert sums(export("csv", full)) == held(world.table)
        summed = balances(move for step in full.life for move in full.moves(step))
        assert {(*key, t): n for key, goods in summed.items() for t, n in goods.items()} == held(world.table)
        public = sums(export("csv", source(world, PUBLIC)))
        lies_open = {key for key in held(world.table) if key[1] == "hand" and GAME.open_goods(Goods({key[2]: 1}))}
        assert {key: n for key, n in public.items() if key in lies_open} == {
            key: n for key, n in held(world.table).items() if key in lies_open
        }


@pytest.mark.parametrize("seed", range(12))
def test_bean_check_accepts_the_journal_and_its_balances_are_the_tables(seed: int, tmp_path: Path) -> None:
    loader = pytest.importorskip("beancount.loader", reason="bean-check needs beancount: pip install beancount")
    from beancount.core import data, inventory

    dice = Random(seed)
    world = lived(dice, 150, closed=seed % 2 == 0)
    for viewer in (ALL, PUBLIC, Viewer(seat=next(iter(world.table.seats)))):
        made = source(world, viewer)
        file = tmp_path / "table.beancount"
        file.write_bytes(export("beancount", made))
        entries, errors, _ = loader.load_file(str(file))
        assert errors == []
        assert any(isinstance(entry, data.Balance) for entry in entries)
        tokens = {e.currency: e.meta["token"] for e in entries if isinstance(e, data.Commodity)}
        total: dict[str, inventory.Inventory] = {}
        for entry in entries:
            for posting in entry.postings if isinstance(entry, data.Transaction) else ():
                total.setdefault(posting.account, inventory.Inventory()).add_position(posting)
        assert all(number == 0 for number in _over_all(total).values()), "every entry balances"
        if viewer is not ALL:
            continue
        has = {
            (account.split(":")[1].lower(), account.split(":")[2].lower(), tokens[position.units.currency]): int(
                position.units.number
            )
            for account, held_there in total.items()
            for position in held_there
            if account.startswith("Assets:")
        }
        assert has == held(world.table)


def _over_all(total: dict) -> Counter:
    every: Counter = Counter()
    for there in total.values():
        for position in there:
            every[position.units.currency] += position.units.number
    return every


def test_a_journal_that_does_not_add_up_is_found(tmp_path: Path) -> None:
    loader = pytest.importorskip("beancount.loader", reason="bean-check needs beancount: pip install beancount")
    journal = export("beancount", source(opened(3, Random(1)), ALL)).decode()
    file = tmp_path / "table.beancount"
    file.write_text(journal.replace("Hand  4 TRADE-GOOD", "Hand  5 TRADE-GOOD", 1), encoding="utf-8")
    assert loader.load_file(str(file))[1] != []


@pytest.mark.parametrize("seed", range(6))
def test_json_lines_verify_on_their_own(seed: int) -> None:
    dice = Random(seed)
    world = lived(dice, 80)
    for viewer in (PUBLIC, ALL):
        content = export("json", source(world, viewer))
        assert jsonlines.check(content) is None
        head, entries = jsonlines.read(content)
        assert (head["schema"], head["entries"]) == ("bourse-ledger/1", len(world.entries))
        assert head["head"] == entries[-1].hash
    lines = content.splitlines(keepends=True)
    changed = dice.randrange(1, len(lines))
    assert jsonlines.check(b"".join(lines[:changed] + lines[changed + 1 :])) == Bad(changed, "the entry is missing")
    broken = json.loads(lines[changed])
    broken["at"] += 1
    lines[changed] = json.dumps(broken).encode() + b"\n"
    assert jsonlines.check(b"".join(lines)) == Bad(changed, "the hash does not fit what is recorded")


def test_what_is_opened_fits_what_was_committed_to() -> None:
    """A digest was published before; who may see the secret now holds it against that."""
    world = lived(Random(5), 200)
    opened_parts = 0
    for line in export("json", source(world, ALL)).splitlines()[1:]:
        entry = json.loads(line)
        for part, cell in entry["opened"].items():
            assert digest(bytes.fromhex(cell["salt"]), cell["data"]) == entry["sealed"][part]
            opened_parts += 1
    assert opened_parts > 10


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("form", FORMATS)
def test_a_file_tells_nobody_more_than_they_may_know(form: str, seed: int) -> None:
    """Two tables that differ only in which note lies in a hand give a third person the same file."""
    files = []
    for note in ("ceasefire", "political_secret"):
        world = opened(4, Random(seed))
        seats = list(world.table.seats)
        world.do(SetHoldings(by=1, person=3, goods=Goods({"trade_good": 4, f"note:{note}:{seats[1]}": 1})))
        world.do(PostOffer(by=3, to=2, give=Goods({f"note:{note}:{seats[1]}": 1})))
        for viewer in (PUBLIC, Viewer(seat=seats[0]), Viewer(seat=seats[3])):
            files.append(_without_hashes(export(form, source(world, viewer))))  # type: ignore[arg-type]
    assert files[:3] == files[3:]
    told = export(form, source(world, Viewer(seat=seats[2]))).decode()  # type: ignore[arg-type]
    assert "political_secret" in told.lower().replace(" ", "_").replace("-", "_")


def _without_hashes(content: bytes) -> str:
    return re.sub(r"[0-9a-f]{64}", "", content.decode())


@pytest.mark.parametrize("form", FORMATS)
def test_no_file_names_anybody_by_their_discord_id(form: str) -> None:
    content = export(form, source(lived(Random(3), 60), ALL)).decode()  # type: ignore[arg-type]
    assert "10000000000000000" not in content
    assert "<@" not in content
    assert "<seat" not in content
    assert "\ue000" not in content


def test_no_file_hands_over_what_was_said_before_somebody_took_the_chair() -> None:
    world = opened(4, Random(1))
    seats = list(world.table.seats)
    note, other = (f"note:{name}:{seats[2]}" for name in ("ceasefire", "political_secret"))
    world.do(StartTurn(by=1, person=1))
    world.do(SetHoldings(by=1, person=3, goods=Goods({"trade_good": 4, note: 1, other: 1})))
    world.do(OpenNegotiation(by=3, other=1, topic="SECRETTOPIC"))
    world.do(PostOffer(by=3, to=1, give=Goods({note: 1}), terms="SECRETTERMS", negotiation=1))
    world.do(Sign(by=1, offer=1, revision=1))
    assert world.table.transactions == 1
    world.do(Leave(by=3, person=3))
    world.do(Sit(by=5, seat=seats[2], person=5))
    viewer = look_at(world.table).viewer(USER + 5)
    for form in FORMATS:
        told = export(form, source(world, viewer)).decode()
        assert not re.search("SECRET(TOPIC|TERMS)", told)
        if form != "beancount":  # which tells only of what moved
            assert "SECRETTERMS" in export(form, source(world, Viewer(seat=seats[2]))).decode()
    made = source(world, viewer)
    assert [move.token for step in made.life for move in made.moves(step) if note == move.token and move.lost] == [note]
    every = [move for step in made.life for move in made.moves(step)]
    assert balances(every)[seats[2], "hand"] == world.table.seats[seats[2]].holdings


@pytest.mark.parametrize("seed", range(6))
def test_moves_go_through_view(seed: int) -> None:
    world = lived(Random(seed), 100)
    for step in source(world, PUBLIC).life:
        public = json.dumps(split(view(step.entry, PUBLIC))[0])
        assert all(move.token in public for move in moves(step, PUBLIC))


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
    world = opened(2, Random(1))
    world.do(PostOffer(by=1, to=2, give=Goods({"trade_good": 1}), terms='=HYPERLINK("x"), "y"\nz'))
    made = source(world, ALL)
    evil = {**made.people, 1: made.people[1].__class__(1, 5, "=cmd|'/c calc'!A1")}
    content = export("csv", Source(1, evil, made.life, made.published, made.sealed, ALL))
    assert content.startswith(b"\xef\xbb\xbfschema,table,seq,")
    assert not spreadsheet.write(made, bom=False).startswith(b"\xef\xbb\xbf")
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
    for schema in (spreadsheet.SCHEMA, jsonlines.SCHEMA, beancount.SCHEMA):
        assert f"`{schema}`" in told
    assert all(f"`{column}`" in told for column in spreadsheet.COLUMNS)
    line = json.loads(export("json", source(opened(2, Random(1)), ALL)).splitlines()[1])
    assert all(f"`{key}`" in told for key in line)
