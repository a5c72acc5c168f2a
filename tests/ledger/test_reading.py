from __future__ import annotations

import pytest

from bot.ledger import GENESIS, UNCHANGED, BadEntry, Head, Ledger
from bot.rules.features.offers.entries import Signed
from tests.ledger.samples import add, deadlines, fetch, gained, new_table, signed


@pytest.fixture(autouse=True)
def subjects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signatures are about their offer, other entries about nothing."""
    monkeypatch.setattr(Signed, "subject", lambda entry: f"offer:{entry.offer}")


async def a_table(ledger: Ledger) -> int:
    """Ten entries: 1 gained, 2 to 10 signatures to the offers 2, 0, 1, 2, 0, 1..."""
    table, _ = await new_table(ledger)
    await add(ledger, table, *(signed(seq % 3) for seq in range(2, 11)))
    other, _ = await new_table(ledger, channel=5)
    await add(ledger, other, signed(1))
    return table


async def test_what_is_about_a_subject(both: Ledger) -> None:
    table = await a_table(both)
    assert [one.seq for one in await both.entries.read_subject(table, "offer:1")] == [4, 7, 10]
    assert [one.seq for one in await both.entries.read_subject(table, "offer:1", until_seq=9)] == [
        4,
        7,
    ]
    assert await both.entries.read_subject(table, "offer:") == []
    found = await both.entries.read_subjects(table, ["offer:2", "offer:1", "deal:1"], until_seq=6)
    assert {subject: [one.seq for one in made] for subject, made in found.items()} == {
        "offer:2": [2, 5],
        "offer:1": [4],
        "deal:1": [],
    }
    assert await both.entries.read_subjects(table, []) == {}
    assert await both.entries.verify(table) is None


async def test_what_is_of_some_kinds(both: Ledger) -> None:
    table = await a_table(both)
    kinds = {gained().kind, "transaction"}

    async def oldest(kinds: set[str], until_seq: int = 9) -> list[int]:
        found = await both.entries.oldest(table, after=0, until_seq=until_seq, limit=9, kinds=kinds)
        return [one.seq for one in found]

    assert await oldest(kinds) == [1]
    assert await oldest({signed().kind, *kinds}, until_seq=3) == [1, 2, 3]
    assert await oldest(set()) == []


async def test_pages_from_the_newest_on(both: Ledger) -> None:
    table = await a_table(both)

    async def seqs(until_seq: int) -> list[int]:
        return [one.seq for one in await both.entries.recent(table, until_seq=until_seq, limit=3)]

    assert await seqs(10) == [10, 9, 8]
    assert await seqs(7) == [7, 6, 5]
    assert await seqs(1) == [1]
    assert await seqs(0) == []
    assert await seqs(99) == [10, 9, 8]


async def test_pages_of_some_kinds(both: Ledger) -> None:
    table = await a_table(both)
    two, one, none = {gained().kind, signed().kind}, {gained().kind}, {"transaction"}

    async def newest(kinds: set[str], until_seq: int = 10, **asked: int) -> list[int]:
        return [
            each.seq
            for each in await both.entries.recent(
                table, until_seq=until_seq, limit=3, kinds=kinds, **asked
            )
        ]

    async def oldest(kinds: set[str], after: int = 0, until_seq: int = 10) -> list[int]:
        found = await both.entries.oldest(
            table, after=after, until_seq=until_seq, limit=3, kinds=kinds
        )
        return [each.seq for each in found]

    assert (await newest(two), await newest(two, 3), await newest(two, 99, skip=8)) == (
        [10, 9, 8],
        [3, 2, 1],
        [2, 1],
    )
    assert (await newest(two, after=8), await newest(one), await newest(one, after=1)) == (
        [10, 9],
        [1],
        [],
    )
    assert (await newest(none), await newest(set()), await newest(none | one)) == ([], [], [1])
    assert (await oldest(two), await oldest(two, 8), await oldest(two, until_seq=2)) == (
        [1, 2, 3],
        [9, 10],
        [1, 2],
    )
    assert (await oldest(one, 1), await oldest(none), await oldest(set())) == ([], [], [])
    assert (
        await both.entries.count(table, until_seq=9, kinds=two)
        == await both.entries.count(table, until_seq=9)
        == 9
    )
    assert await both.entries.count(table, until_seq=9, kinds=none | one) == 1


async def test_the_kinds_of_a_table(both: Ledger) -> None:
    table = await a_table(both)
    assert await both.entries.kinds(table) == sorted({gained().kind, signed().kind})
    assert await both.entries.kinds(table + 9) == []


async def test_the_last_entry_before_a_time(both: Ledger) -> None:
    table = await a_table(both)
    times = [one.at for one in await both.entries.read(table)]
    assert await both.entries.last_before(table, times[0]) == 0
    assert await both.entries.last_before(table, times[-1] + 1) == 10
    assert await both.entries.last_before(table + 9, times[-1] + 1) == 0


@pytest.mark.parametrize(
    ("asked", "pages"), [({}, [4, 4, 2]), ({"after": 2}, [4, 4]), ({"until_seq": 3}, [3])]
)
async def test_a_stream_comes_in_pages(
    both: Ledger, asked: dict[str, int], pages: list[int]
) -> None:
    table = await a_table(both)
    found = [page async for page in both.entries.stream(table, size=4, **asked)]
    assert [len(page) for page in found] == pages
    assert [one for page in found for one in page] == await both.entries.read(table, **asked)


async def test_a_stream_of_nothing(both: Ledger) -> None:
    assert [page async for page in both.entries.stream(7)] == []


async def test_a_subject_is_what_the_entry_says(
    both: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await a_table(both)
    monkeypatch.setattr(Signed, "subject", lambda entry: f"deal:{entry.offer}")
    assert await both.entries.verify(table) == BadEntry(
        2, "its subject is not 'offer:2' but 'deal:2'"
    )


async def test_the_head_is_number_and_hash(both: Ledger) -> None:
    table, recorded = await new_table(both)
    assert await both.entries.head(7) == Head() == Head(0, GENESIS)
    assert await both.entries.head(table) == Head(1, recorded[-1].hash)
    assert await both.entries.numbered(table, recorded[-1].hash[:20]) == [1]


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


async def test_a_table_may_begin_with_a_deadline(both: Ledger) -> None:
    table, _ = await new_table(both, deadline=9)
    assert await deadlines(both) == [(table, 9)]
