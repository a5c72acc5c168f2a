from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from bot.ledger import UNCHANGED, BadEntry, Ledger
from bot.rules.entries import Recorded
from bot.rules.features.offers.entries import Signed
from tests.ledger.samples import add, deadlines, fetch, gained, new_table, signed

GAINED = gained().kind
SIGNED = signed().kind


@pytest.fixture(autouse=True)
def subjects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signatures are about their offer, other entries about nothing."""
    monkeypatch.setattr(Signed, "subject", lambda entry: f"offer:{entry.offer}")


def seqs(recorded: Sequence[Recorded]) -> list[int]:
    return [each.seq for each in recorded]


async def a_table(ledger: Ledger) -> int:
    """Ten entries: 1 gained, 2 to 10 signatures to the offers 2, 0, 1, 2, 0, 1..."""
    table, _ = await new_table(ledger)
    await add(ledger, table, *(signed(seq % 3) for seq in range(2, 11)))
    other, _ = await new_table(ledger, channel=5)
    await add(ledger, other, signed(1))
    return table


async def test_what_is_about_a_subject(both: Ledger) -> None:
    table = await a_table(both)
    assert seqs(await both.entries.read_subject(table, "offer:1")) == [4, 7, 10]
    assert seqs(await both.entries.read_subject(table, "offer:1", until_seq=9)) == [4, 7]
    assert await both.entries.read_subject(table, "offer:") == []
    found = await both.entries.read_subjects(table, ["offer:2", "offer:1", "deal:1"], until_seq=6)
    assert found.keys() == {"offer:2", "offer:1", "deal:1"}
    assert seqs(found["offer:2"]) == [2, 5]
    assert seqs(found["offer:1"]) == [4]
    assert found["deal:1"] == []
    assert await both.entries.read_subjects(table, []) == {}
    assert await both.entries.verify(table) is None


async def test_what_is_of_some_kinds(both: Ledger) -> None:
    table = await a_table(both)
    oldest = partial(both.entries.oldest, table, after=0, until_seq=3, limit=9)
    assert seqs(await oldest(kinds={GAINED, "transaction"})) == [1]
    assert seqs(await oldest(kinds={GAINED, SIGNED})) == [1, 2, 3]
    assert await oldest(kinds=set()) == []


async def test_pages_from_the_newest_on(both: Ledger) -> None:
    table = await a_table(both)

    recent = partial(both.entries.recent, table, limit=3)
    assert seqs(await recent(until_seq=10)) == [10, 9, 8]
    assert seqs(await recent(until_seq=7)) == [7, 6, 5]
    assert seqs(await recent(until_seq=1)) == [1]
    assert await recent(until_seq=0) == []
    assert seqs(await recent(until_seq=99)) == [10, 9, 8]


async def test_pages_of_some_kinds(both: Ledger) -> None:
    table = await a_table(both)
    two, one, none = {GAINED, SIGNED}, {GAINED}, {"transaction"}

    async def newest(kinds: set[str], until_seq: int = 10, **more: int) -> list[int]:
        found = await both.entries.recent(table, until_seq=until_seq, limit=3, kinds=kinds, **more)
        return seqs(found)

    async def oldest(kinds: set[str], after: int = 0, until_seq: int = 10) -> list[int]:
        found = await both.entries.oldest(
            table, after=after, until_seq=until_seq, limit=3, kinds=kinds
        )
        return seqs(found)

    assert await newest(two) == [10, 9, 8]
    assert await newest(two, 3) == [3, 2, 1]
    assert await newest(two, 99, skip=8) == [2, 1]
    assert await newest(two, after=8) == [10, 9]
    assert await newest(one) == await newest(none | one) == [1]
    assert await newest(one, after=1) == await newest(none) == await newest(set()) == []
    assert await oldest(two) == [1, 2, 3]
    assert await oldest(two, 8) == [9, 10]
    assert await oldest(two, until_seq=2) == [1, 2]
    assert await oldest(one, 1) == await oldest(none) == await oldest(set()) == []
    count = partial(both.entries.count, table, until_seq=9)
    assert await count(kinds=two) == await count() == 9
    assert await count(kinds=none | one) == 1


async def test_the_kinds_of_a_table(both: Ledger) -> None:
    table = await a_table(both)
    assert await both.entries.kinds(table) == sorted([GAINED, SIGNED])
    assert await both.entries.kinds(table + 9) == []


async def test_the_last_entry_before_a_time(both: Ledger) -> None:
    table = await a_table(both)
    times = [one.at for one in await both.entries.read(table)]
    assert await both.entries.last_before(table, times[0]) == 0
    assert await both.entries.last_before(table, times[-1] + 1) == 10
    assert await both.entries.last_before(table + 9, times[-1] + 1) == 0


@pytest.mark.parametrize(
    ("bounds", "pages"),
    [
        ({}, [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]]),
        ({"after": 2}, [[3, 4, 5, 6], [7, 8, 9, 10]]),
        ({"until_seq": 3}, [[1, 2, 3]]),
    ],
)
async def test_a_stream_comes_in_pages(
    both: Ledger, bounds: dict[str, int], pages: list[list[int]]
) -> None:
    table = await a_table(both)
    stream = both.entries.stream(table, size=4, **bounds)
    assert [seqs(page) async for page in stream] == pages


async def test_a_subject_is_what_the_entry_says(
    both: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await a_table(both)
    monkeypatch.setattr(Signed, "subject", lambda entry: f"deal:{entry.offer}")
    assert await both.entries.verify(table) == BadEntry(
        2, "its subject is not 'offer:2' but 'deal:2'"
    )


async def test_an_answered_interaction_names_the_entries_of_its_command(both: Ledger) -> None:
    table, _ = await new_table(both, interaction=1)
    await add(both, table, signed(), signed(), signed(), interaction=2)
    await add(both, table, signed())  # the clock's, a moment later
    await add(both, table, signed(), interaction=3)
    found = [await both.entries.answered(interaction) for interaction in (1, 2, 3, 4)]
    assert [known and (known.table_id, known.first_seq, known.last_seq) for known in found] == [
        (table, 1, 1),
        (table, 2, 4),
        (table, 6, 6),
        None,
    ]


async def test_deadlines_are_those_of_open_and_closed_tables(both: Ledger) -> None:
    late, early, never, closed = [
        (await new_table(both, channel=channel))[0] for channel in range(4)
    ]
    await add(both, late, deadline=50)
    await add(both, early, deadline=60)
    await add(both, early, deadline=20)
    await add(both, never, deadline=10)
    await add(both, never, deadline=None)
    await add(both, closed, deadline=5)
    await add(both, closed, deadline=None, closes=True)
    assert await deadlines(both) == [(early, 20), (late, 50)]

    await add(both, late, deadline=UNCHANGED)
    await add(both, early, deadline=70)
    assert await deadlines(both) == [(late, 50), (early, 70)]
    assert await fetch(both, f"SELECT deadline FROM tables WHERE id = {closed}") == [(None,)]
    await add(both, closed, deadline=90)  # the next time that people meet
    assert await deadlines(both) == [(late, 50), (early, 70), (closed, 90)]
