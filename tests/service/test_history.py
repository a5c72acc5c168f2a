"""Tests of pages and filters of the history, and of a trade's whole story."""

from __future__ import annotations

from itertools import chain, product
from pathlib import Path

import pytest

from bot.games.advciv.chance import TableSeedCommitted
from bot.ledger import LedgerError
from bot.ledger.chain import digest
from bot.rules.entries import sealed_fields
from bot.rules.features.audits import Audit
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import CloseTable
from bot.rules.model.goods import Goods
from bot.rules.model.violation import Refused
from bot.rules.views import EntryView
from bot.rules.vocabulary import kind_matches
from bot.service import Filter, HistoryPage, Requester
from tests.ledger.samples import by_hand
from tests.scale import SCALE, long
from tests.service.club import ALICE, BOB, DAVE, LEDGER, TABLE, Club, moderator, requester, tg

READERS: dict[str, tuple[Requester, bool]] = {
    "a party": (requester(BOB), False),
    "a passer-by": (requester(DAVE), False),
    "a host who plays": (requester(ALICE), True),
    "a moderator": (moderator(), True),
}
"""Who reads, and whether they audit."""

CASES = [pytest.param(*case, id=name) for name, case in READERS.items()]
readers = pytest.mark.parametrize(("who", "audits"), CASES)
PARTY, *OTHER_CASES, MODERATOR = CASES
SOME_CASES = [PARTY, MODERATOR, *long(OTHER_CASES)]
some_readers = pytest.mark.parametrize(("who", "audits"), SOME_CASES)
"""A party and an auditor; in `make long` all of them."""

ALL_FILTERS = [
    Filter(person=person, kind=kind, since=since, offer=offer)
    for person, kind, since, offer in product(
        (0, 1, 3, 4, 9),
        ("", "offer", "signature", "deal", "turn", "offer.posted", "nothing"),
        (0, 20),
        (0, 1, 8, 99),
    )
]
FILTERS = ALL_FILTERS[:: 3 if SCALE == 1 else 1]
"""Every third, which has each value of each field; in `make long` all of them."""


async def pages(
    club: Club, who: Requester, only: Filter, until_seq: int, size: int, audits: bool
) -> list[HistoryPage]:
    """Every page up to the first that is not full, or after which there is nothing older."""
    found: list[HistoryPage] = []
    audit = LEDGER if audits else None
    older = 0
    while len(found) < 100:
        number = len(found) + 1
        page = await club.history(
            who, only, until_seq, page=number, size=size, audit=audit, cursor=older
        )
        found.append(page)
        older = page.older
        more = older if only.person else len(page.entries) == size
        if not more:
            return found
    pytest.fail("the pages never end")


def entries_of(found: list[HistoryPage]) -> list[EntryView]:
    return list(chain.from_iterable(page.entries for page in found))


def passes(entry: EntryView, only: Filter) -> bool:
    """Whether an entry is one of those that somebody asks for, said the long way."""
    if entry.seq < only.since:
        return False
    if only.kind and not kind_matches(entry.kind, only.kind):
        return False
    if only.offer and getattr(entry.entry, "offer", None) != only.offer:
        return False
    if not only.person:
        return True
    persons = {entry.by, getattr(entry.entry, "person", None)}
    persons |= {entry.names.holders.get(seat) for seat in entry.seats}
    return only.person in persons


@pytest.mark.parametrize("only", [Filter(), Filter(person=3), Filter(offer=1)], ids=str)
async def test_each_entry_of_a_page_comes_with_what_its_turn_began_with(
    evening: Club, only: Filter
) -> None:
    until_seq = await evening.seq()
    every = await evening.service.entries(TABLE, requester(BOB), until_seq=until_seq)
    headings = [entry for entry in every if entry.entry.heading()]
    assert len(headings) > 1
    page = await evening.history(requester(BOB), only, until_seq, size=200, begun=True)
    assert page.entries
    for entry in page.entries:
        before = [each for each in headings if each.seq <= entry.seq]
        assert page.period_starts.get(entry.seq) == (before[-1] if before else None)


@pytest.mark.slow
@some_readers
async def test_filtered_pages_are_what_filtering_everything_gives(
    evening: Club, who: Requester, audits: bool
) -> None:
    until_seq = await evening.looks(who) if audits else await evening.seq()
    audit = LEDGER if audits else None
    every = await evening.service.entries(TABLE, who, until_seq=until_seq, audit=audit)
    some = 0
    for only in FILTERS:
        expected = [entry for entry in reversed(every) if passes(entry, only)]
        page = await evening.history(who, only, until_seq, size=999, audit=audit)
        assert list(page.entries) == expected, only
        assert page.total == len(expected)
        some += bool(expected)
    assert some > 20


@pytest.mark.slow
@some_readers
async def test_pages_hold_each_entry_once(evening: Club, who: Requester, audits: bool) -> None:
    until_seq = await evening.looks(who) if audits else await evening.seq()
    audit = LEDGER if audits else None
    every = await evening.service.entries(TABLE, who, until_seq=until_seq, audit=audit)
    filters = (Filter(), Filter(kind="offer"), Filter(person=2))
    sizes = (1, 7) if SCALE == 1 else (1, 7, 10)
    for only, size in product(filters, sizes):
        found = await pages(evening, who, only, until_seq, size, audits)
        shown = entries_of(found)
        assert shown == [entry for entry in reversed(every) if passes(entry, only)]
        assert {page.total for page in found} == {None if only.person else len(shown)}


@readers
async def test_one_persons_pages_turn_back_as_they_were(
    evening: Club, who: Requester, audits: bool
) -> None:
    until_seq = await evening.looks(who) if audits else await evening.seq()
    only = Filter(person=2)
    audit = LEDGER if audits else None
    found = await pages(evening, who, only, until_seq, 5, audits)
    assert len(found) > 2
    back = [found[-1]]
    while back[-1].newer:
        cursor = -back[-1].newer
        back.append(await evening.history(who, only, until_seq, size=5, audit=audit, cursor=cursor))
        assert len(back) < 100
    assert [page.entries for page in reversed(back)] == [page.entries for page in found]


async def test_so_many_entries_are_read_for_one_persons_page(
    evening: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person of whom there is nothing for long is looked for further with each page, and found in
    the end.
    """
    monkeypatch.setattr("bot.service.history.CHUNK", 4)
    monkeypatch.setattr("bot.service.history.SCANNED", 8)
    until_seq, who = await evening.seq(), requester(ALICE)
    every = await evening.service.entries(TABLE, who)
    rare = [Filter(person=3), Filter(person=9), Filter(person=2, since=20)]
    for only in rare:
        found = await pages(evening, who, only, until_seq, 5, False)
        assert len(found) >= until_seq // 12
        assert entries_of(found) == [entry for entry in reversed(every) if passes(entry, only)]


async def test_a_button_may_carry_any_number(evening: Club) -> None:
    largest = 2**63 - 1
    for number in (0, -1, 99, largest, -largest):
        for only in (
            Filter(),
            Filter(person=number),
            Filter(since=number),
            Filter(offer=number),
            Filter(person=2),
        ):
            page = await evening.history(
                requester(BOB), only, number, page=number, size=9, cursor=number
            )
            assert len(page.entries) <= 9


async def test_a_page_stays_the_same_when_more_happens(evening: Club) -> None:
    """Turning pages shows the ledger up to the entry at which somebody began to read."""
    for only in (Filter(), Filter(kind="offer")):
        before = await pages(evening, requester(BOB), only, 30, 5, False)
        assert before[0].total <= 30
        assert max(entry.seq for entry in entries_of(before)) <= 30
    assert [page.until_seq for page in before] == [30] * len(before)


async def test_an_entry_concerns_the_person_who_sat_there_then(evening: Club) -> None:
    seq = await evening.seq()
    await evening.does(BOB, Leave())
    await evening.does(DAVE, Sit("sol"))
    await evening.does(ALICE, SetHoldings("sol", tg(8)))
    bob, dave = 2, 5
    corrections = {bob: [6, 59], dave: [await evening.seq()]}
    for person, seqs in corrections.items():
        corrected = Filter(person=person, kind="correction")
        page = await evening.history(requester(ALICE), corrected)
        assert sorted(entry.seq for entry in page.entries) == seqs
    page = await evening.history(requester(ALICE), Filter(person=dave), size=9)
    assert min(entry.seq for entry in page.entries) > seq


async def test_what_does_not_exist_is_an_empty_page(evening: Club) -> None:
    for page in (2, 50):
        found = await evening.history(requester(BOB), Filter(offer=2), page=page, size=9)
        assert (found.entries, found.total) == ((), 3)


async def test_transactions_are_listed_newest_first(evening: Club) -> None:
    assert await evening.service.transactions(TABLE, requester(DAVE)) == [
        (3, "letnev", "sol"),
        (2, "hacan", "letnev"),
        (1, "hacan", "sol"),
    ]


# ---------------------------------------------------------------- the story of a trade


async def test_a_trades_story_begins_with_the_offers_it_answers(evening: Club) -> None:
    """Offer 6 stands in place of 5, which ends with it."""
    story = await evening.story(moderator(), 2)
    told = [(entry.kind, getattr(entry.entry, "offer", None)) for entry in story.entries]
    assert told == [
        ("offer.posted", 5),
        ("offer.signature", 5),
        ("offer.posted", 6),
        ("offer.signature", 6),
        ("offer.countered", 5),
        ("offer.signature", 6),
        ("offer.transaction", 6),
        ("deal.proposed", 6),
        ("offer.superseded", 5),
    ]


async def test_a_trades_story_has_the_permit_that_it_used_up(evening: Club) -> None:
    story = await evening.story(moderator(), 3)
    kinds = [entry.kind for entry in story.entries]
    assert kinds.index("ti4.permit.granted") < kinds.index("offer.transaction")


async def test_a_trades_story_tells_what_the_rules_said_at_each_signature(evening: Club) -> None:
    """When offer 8 was posted the two were no neighbours; with the permit, nothing forbade it."""
    story = await evening.story(moderator(), 3)
    said = {
        entry.kind: story.violations[entry.seq]
        for entry in story.entries
        if entry.seq in story.violations
    }
    assert said == {"offer.signature": "", "offer.transaction": ""}
    first = next(entry.seq for entry in story.entries if entry.kind == "offer.signature")
    assert "are not neighbours" in story.violations[first]


async def test_a_story_is_told_up_to_the_look(evening: Club) -> None:
    until_seq = await evening.looks(moderator(), Audit("trade", 1))
    await evening.does(ALICE, SetHoldings("sol", tg(5), reason="miscounted once more"))
    story = await evening.service.trade_history(TABLE, moderator(), 1, until_seq=until_seq)
    assert [entry.kind for entry in story.entries].count("holdings.correction") == 1
    story = await evening.story(moderator(), 1)
    assert [entry.kind for entry in story.entries].count("holdings.correction") == 2
    with pytest.raises(Refused, match="no transaction 9"):
        await evening.story(moderator(), 9)


async def test_entries_that_dont_follow_from_each_other_have_no_story(
    evening: Club, file: Path
) -> None:
    """A transaction of goods that were never there: whoever asks is told to verify."""
    by_hand(
        file,
        "UPDATE entries SET public = replace(public, '\"trade_good\":9', '\"trade_good\":0') WHERE "
        "seq = 5",
    )
    with pytest.raises((Refused, LedgerError), match=r"changed|follow"):
        await evening.story(moderator(), 1)


async def test_an_export_is_the_ledger_up_to_the_look(evening: Club) -> None:
    looks = [await evening.looks(moderator(), Audit("export")) for _ in range(2)]
    for until_seq in looks:
        source = await evening.service.export_source(TABLE, moderator(), until_seq=until_seq)
        assert [entry.seq for entry in source.entries] == list(range(1, until_seq + 1))
        assert [row.seq for row in source.published] == list(range(1, until_seq + 1))
        assert source.view.seq == until_seq


async def test_an_export_discloses_what_its_reader_may_see(evening: Club) -> None:
    """Of a part that tells of several hands a player gets their own only, and no salt to try out
    the others with.

    Who sees all of it can compute the digests that were published.
    """
    theirs, own = "note:ceasefire:sol", "note:ceasefire:hacan"
    await evening.does(ALICE, SetHoldings("letnev", Goods({theirs: 1, own: 1})))
    seq = await evening.seq()
    player = await evening.export(requester(ALICE))
    assert own in repr(player.disclosed[seq])
    assert theirs not in repr(player.disclosed[seq])
    assert "'salt'" not in repr(player.disclosed)
    auditor = await evening.export(moderator())
    assert theirs in repr(auditor.disclosed[seq])
    assert "'salt'" in repr(auditor.disclosed)
    for published in auditor.published:
        for name, part in auditor.disclosed[published.seq].items():
            salt = bytes.fromhex(str(part["salt"]))
            assert digest(salt, part["data"]) == published.digests[name]


async def test_an_export_discloses_the_parts_of_what_its_reader_took_part_in(evening: Club) -> None:
    sealed = [each for each in await evening.entries() if sealed_fields(type(each.entry))]
    mine = {each.seq for each in sealed if "hacan" in each.entry.parties()}
    assert 0 < len(mine) < len(sealed)
    disclosed = (await evening.export(requester(ALICE))).disclosed
    assert {seq for seq, parts in disclosed.items() if parts} == mine


async def test_an_export_keeps_the_secret_of_the_stacks_until_the_table_is_closed(
    empty: Club,
) -> None:
    """Who knows it knows every card that will be drawn."""
    await empty.opens(game="advciv")
    (seed,) = [
        each.seq for each in await empty.entries() if isinstance(each.entry, TableSeedCommitted)
    ]
    for who in (moderator(), requester(ALICE)):
        assert (await empty.export(who)).disclosed[seed] == {}
    await empty.does(ALICE, CloseTable())
    for who in (moderator(), requester(ALICE)):
        assert (await empty.export(who)).disclosed[seed].keys() == {"keeper"}


async def test_an_export_shows_no_hand_of_who_had_its_readers_seat_then(empty: Club) -> None:
    await empty.opens()
    await empty.does(ALICE, Sit("hacan"))
    await empty.does(ALICE, Leave())
    await empty.does(BOB, Sit("hacan"))
    await empty.does(ALICE, SetHoldings("hacan", Goods({"note:ceasefire:hacan": 1})))
    until_seq = await empty.looks(requester(ALICE), Audit("export"))
    await empty.does(BOB, Leave())
    await empty.does(ALICE, Sit("hacan"))
    source = await empty.service.export_source(TABLE, requester(ALICE), until_seq=until_seq)
    assert source.view.seats["hacan"].hidden is None


async def test_an_export_shows_the_table_of_then(empty: Club) -> None:
    """Its reader looked when nobody sat there yet."""
    await empty.opens()
    until_seq = await empty.looks(moderator(), Audit("export"))
    await empty.does(ALICE, Sit("hacan"))
    source = await empty.service.export_source(TABLE, moderator(), until_seq=until_seq)
    assert source.view.seats == {}
    assert source.view.seq == 1
