"""Tests that `bourse verify` names the entry that was changed by hand, and exits with 1."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli import main
from bot.ledger import Ledger, Tampered
from bot.rules import snapshots
from bot.rules.features.holdings import Gain
from bot.rules.features.seats import Sit
from bot.rules.model.goods import Goods
from bot.service import PostedHead, Requester, Service
from tests.cli.files import new_table, verified
from tests.ledger.samples import AT, add, by_hand, gained, hidden, signed
from tests.service.test_upgrades import Unload, Unloaded, version_1, version_2

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
ALICE = Requester(101, "alice", 1)


async def sound(ledger: Ledger) -> int:
    """A table of four entries, appended one by one."""
    table = await new_table(ledger, [gained()])
    for entry in (hidden(), signed(1), signed(2)):
        await add(ledger, table, entry)
    return table


async def test_a_sound_ledger(ledger: Ledger, file: Path) -> None:
    table = await sound(ledger)
    _, head = await ledger.entries.head(table)
    assert await verified(file, (table, head)) == (
        0,
        f"table {table} (Friday): 4 entries, head {head}",
    )


async def test_after_a_table_that_cant_be_read_it_goes_on_with_the_next(
    ledger: Ledger, file: Path
) -> None:
    service = Service(ledger, lambda: NOON)
    for number in (1, 2, 3):
        with version_1():
            await service.open_table(
                ALICE, game="bazaar", name=f"Friday {number}", channel_id=number
            )
            await service.execute(number, ALICE, Sit("red"))
            if number == 2:
                await service.execute(number, ALICE, Unload())
    heads = [(await ledger.entries.head(number)).hash for number in (1, 2, 3)]
    with version_2(Unloaded):
        code, said = await verified(file)
    assert code == 3
    assert said.splitlines() == [
        f"table 1 (Friday 1): 2 entries, head {heads[0]}",
        f"table 2 (Friday 2): 3 entries, head {heads[1]}",
        "table 2 (Friday 2): the chain holds, but what it leads to can't be checked from entry 3 "
        "on: "
        "This table was opened with bazaar 1.0, and the version installed here can't read it.",
        f"table 3 (Friday 3): 2 entries, head {heads[2]}",
    ]
    by_hand(file, "UPDATE tables SET name = 'Saturday' WHERE id = 3")
    with version_2(Unloaded):
        assert (await verified(file))[0] == 1, "a fault weighs more"


async def test_the_last_one_cut_with_all_that_spoke_of_it(ledger: Ledger, file: Path) -> None:
    """The one before it has no seal, since it was not the last; and a head that was posted shows it
    too.
    """
    table = await sound(ledger)
    _, head = await ledger.entries.head(table)
    by_hand(file, "DELETE FROM entries WHERE seq = 4")
    lost = (
        f"table {table} (Friday): entry 4: the entry is missing: the one before it is not the last "
        "that this bot wrote"
    )
    assert await verified(file) == (1, lost)
    code, told = await verified(file, (table, head))
    assert code == 1
    assert told.startswith(f"table {table} (Friday): entry 4: the entry is missing")


async def test_an_old_head_holds_in_a_later_ledger(ledger: Ledger, file: Path) -> None:
    table = await sound(ledger)
    _, head = await ledger.entries.head(table)
    await add(ledger, table, gained())
    assert (await verified(file, (table, head)))[0] == 0
    assert (await verified(file, (table, "0" * 64)))[0] == 1
    code, told = await verified(file, (7, head))
    assert code == 1
    assert "table 7: is not in this ledger" in told


async def test_a_removed_table_is_told_and_its_head_missed(ledger: Ledger, file: Path) -> None:
    table = await sound(ledger)
    _, head = await ledger.entries.head(table)
    await add(ledger, table, gained(), closes=True)
    _, last = await ledger.entries.head(table)
    await ledger.tables.remove_table(table, at=AT)
    assert await verified(file) == (
        0,
        f"table {table}: removed on 2023-11-14 after 6 entries, head {last}",
    )
    assert (await verified(file, (table, head)))[0] == 3


async def test_the_last_head_of_a_removed_table_holds(ledger: Ledger, file: Path) -> None:
    table = await sound(ledger)
    await add(ledger, table, gained(), closes=True)
    _, last = await ledger.entries.head(table)
    await ledger.tables.remove_table(table, at=AT)
    assert (await verified(file, (table, last)))[0] == 0
    code, _ = await verified(file, (table, last), (table, "0" * 64))
    assert code == 3  # nobody can tell any more


async def test_a_table_taken_out_of_the_list(ledger: Ledger, file: Path) -> None:
    table = await sound(ledger)
    by_hand(file, "PRAGMA foreign_keys = OFF", "DELETE FROM tables")
    code, told = await verified(file)
    assert (code, told.splitlines()[:2]) == (
        1,
        [
            f"table {table}: has entries, but was taken out of the list of tables by hand",
            "the list of tables: 1 tables were opened, but 0 are listed",
        ],
    )


@pytest.mark.parametrize("gone", [True, False], ids=["never closed", "its entries are there"])
async def test_a_table_that_was_not_removed(ledger: Ledger, file: Path, gone: bool) -> None:
    table = await sound(ledger)
    _, head = await ledger.entries.head(table)
    by_hand(
        file,
        f"INSERT INTO removals (seq, table_id, at, last_seq, head, hash) VALUES (1, {table}, 0, 4, "
        f"'{head}', '{head}')",
        "DELETE FROM entries" if gone else "UPDATE tables SET closed_at = 5",
    )
    code, told = await verified(file, (table, head))
    assert code == 1
    assert f"table {table}: is said to be removed, but" in told
    assert f"table {table}: is not in this ledger" in told


async def with_a_snapshot(ledger: Ledger) -> Service:
    service = Service(ledger, lambda: NOON)
    await service.open_table(ALICE, game="ti4", name="Friday", channel_id=2)
    await service.execute(1, ALICE, Sit(seat="hacan"))
    for _ in range(snapshots.EVERY):
        await service.execute(1, ALICE, Gain(Goods({"trade_good": 1})))
    return service


async def test_the_chain_of_removals_that_was_changed(ledger: Ledger, file: Path) -> None:
    table = await sound(ledger)
    await add(ledger, table, gained(), closes=True)
    await ledger.tables.remove_table(table, at=AT)
    by_hand(file, "UPDATE removals SET last_seq = 4")
    code, told = await verified(file)
    assert code == 1
    assert told.splitlines()[-1] == "removal 1: the hash does not fit what is recorded"


async def test_a_snapshot_that_was_changed(ledger: Ledger, file: Path) -> None:
    await with_a_snapshot(ledger)
    assert (await verified(file))[0] == 0
    by_hand(
        file,
        """UPDATE snapshots SET state = replace(state, '"trade_good": 62', '"trade_good": 999')""",
    )
    code, told = await verified(file)
    assert code == 1
    assert "beside the entries, snapshots 1 was changed by hand" in told
    service = Service(ledger, lambda: NOON)
    found = await service.verify(1, replace(ALICE, manages_guild=True))
    assert found.bad is not None
    assert f"entry {found.bad.seq}: {found.bad.reason}" in told
    with pytest.raises(Tampered, match="Table 1: snapshots 1 was changed"):
        await service.view(1, ALICE)


async def test_what_is_wrong_elsewhere_is_said_in_discord_without_what_it_is(
    ledger: Ledger, file: Path
) -> None:
    await with_a_snapshot(ledger)
    service = Service(ledger, lambda: NOON)
    assert not (await service.verify(1, ALICE)).other_faults
    by_hand(file, "UPDATE key_values SET value = '2' WHERE key = 'tables'")
    found = await service.verify(1, ALICE)
    assert (found.bad, found.other_faults) == (None, True)


async def test_a_posted_line_is_found_or_missed(ledger: Ledger, shell: Shell) -> None:
    await with_a_snapshot(ledger)
    [first, second] = (await ledger.entries.read(1))[:2]
    code, _, complaints = await shell(
        "verify", "--against", f"the strategy phase begins: `#2 {second.hash}`"
    )
    assert (code, complaints) == (0, "")
    for line in (f"#1 {second.hash}", f"#2 {'ab' * 32}"):
        code, said, _ = await shell("verify", "--against", line)
        assert code == 1
        assert "no table of this ledger has an entry #" in said
    service = Service(ledger, lambda: NOON)
    right = await service.verify(1, ALICE, PostedHead(first.hash, seq=1))
    assert right.bad is None
    wrong = await service.verify(1, ALICE, PostedHead(first.hash, seq=2))
    assert wrong.bad is not None


async def test_the_end_cut_off_before_a_snapshot(ledger: Ledger, file: Path) -> None:
    await with_a_snapshot(ledger)
    by_hand(file, "DELETE FROM entries WHERE seq > 60", "DELETE FROM cursors")
    code, told = await verified(file)
    assert code == 1
    assert "entry 61: the entry is missing" in told
    with pytest.raises(Tampered, match="Table 1: the end of its entries was changed"):
        await Service(ledger, lambda: NOON).view(1, ALICE)


# ---------------------------------------------------------------- from the shell


def bourse(file: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as a process of its own."""
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{file}"}
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        env=environment,
        capture_output=True,
        check=False,
        cwd=file.parent,
    )


@dataclass
class Shell:
    """The command line in this process: most of what it does needs no other."""

    file: Path
    capture: pytest.CaptureFixture[str]

    async def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Run a command: its exit code, what it wrote and what it complained of."""
        self.capture.readouterr()
        code = await asyncio.to_thread(self._run, arguments)  # it has an event loop of its own
        return code, *self.capture.readouterr()

    def _run(self, arguments: Sequence[str]) -> int:
        try:
            return main([*arguments])
        except SystemExit as left:  # argparse's, of what can't be read
            return int(left.code or 0)


@pytest.fixture
def shell(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(file.parent)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
    return Shell(file, capsys)


async def test_as_a_process_of_its_own(ledger: Ledger, file: Path) -> None:
    """Its exit codes and what it writes, and where, are those of `main`."""
    service = Service(ledger, lambda: NOON)
    await service.open_table(ALICE, game="ti4", name="Friday", channel_id=2)
    done = bourse(file, "export", "1", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"\xef\xbb\xbfschema,")
    done = bourse(file, "export", "9", "--format", "csv")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr


async def test_bourse_verify(ledger: Ledger, file: Path, shell: Shell) -> None:
    table = await sound(ledger)
    _, head = await ledger.entries.head(table)
    code, _, complaints = await shell("verify", "--head", f"{table}:{head}")
    assert (code, complaints) == (0, "")
    by_hand(file, "UPDATE entries SET public = replace(public, 'sol', 'Sol') WHERE seq = 3")
    code, said, _ = await shell("verify")
    assert code == 1
    assert "entry 3: the hash does not fit what is recorded" in said
    assert (await shell("export", str(table), "--format", "csv"))[0] == 2
    assert (await shell("verify", "--head", "1:abc"))[0] == 2


async def test_bourse_export(ledger: Ledger, shell: Shell) -> None:
    service = Service(ledger, lambda: NOON)
    await service.open_table(ALICE, game="ti4", name="Friday", channel_id=2)
    for form, begins in (
        ("csv", "\ufeffschema,"),
        ("json", '{"schema":'),
    ):
        code, said, complaints = await shell("export", "1", "--format", form)
        assert (code, complaints) == (0, "")
        assert said.startswith(begins)
    assert (await shell("export", "1", "--format", "csv", "--viewer", "public"))[0] == 0
    assert (await shell("export", "1", "--format", "csv", "--viewer", "101"))[0] == 0
    for wrong in (
        ("9", "--format", "csv"),
        ("1", "--format", "csv", "--viewer", "7"),
        ("1", "--format", "xml"),
        ("1",),
    ):
        code, said, complaints = await shell("export", *wrong)
        assert (code, said) == (2, "")
        assert complaints
