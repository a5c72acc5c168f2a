"""Tests that a successor gets the seat's hand and nothing that was said to the person before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.rules.features.audits import Audit
from bot.rules.features.deals import MarkDeal
from bot.rules.features.negotiations import OpenNegotiation
from bot.rules.features.offers.posting import CounterOffer, RepeatOffer
from bot.rules.features.offers.signing import Agree, Declare, EndOffer, Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import SetHost
from bot.rules.model.violation import Refused
from bot.service import Filter
from tests.service.club import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    GAIN,
    LEDGER,
    MONA,
    TABLE,
    Club,
    requester,
)
from tests.service.evening import NOTE, SECRETS

EVERY = range(1, 20)


@pytest.fixture
async def taken_over(evening: Club) -> Club:
    """Dave has taken over Bob's seat, after Bob's private offers and deals were over."""
    await evening.does(BOB, Leave())
    await evening.does(DAVE, Sit("sol"))
    return evening


FILTERS = (
    Filter(),
    Filter(offer=7),
    Filter(offer=8),
    Filter(person=2),
    Filter(kind="deal"),
)


async def looks(club: Club, user: int, *, hosts: bool = False) -> AsyncIterator[tuple[str, Any]]:
    """Everything that this user can get from the service, by its name."""
    service, who = club.service, requester(user)
    for shared in (False, True):
        yield "view", await service.view(TABLE, who, offers=EVERY, deals=EVERY, shared=shared)
    yield "deals", await service.deals(TABLE, who)
    yield "entries", await service.entries(TABLE, who)
    yield "pairs", await service.pairs(TABLE, who)
    for only in FILTERS:
        yield "history", await club.history(who, only, await club.seq(), size=200)
    briefing = await service.briefing(TABLE, 0)
    assert briefing is not None
    yield "channel", (briefing.public, briefing.entries)
    for seat in briefing.seats.values():
        if seat.user_id == user:
            yield "own messages", seat
    if hosts:
        looked = await club.looks(who)
        yield "books", await service.entries(TABLE, who, until_seq=looked, audit=LEDGER)
        for number in (1, 2, 3):
            yield "trade", await club.story(who, number)
        source = await club.export(who)
        yield "export", (source.view, source.entries, source.disclosed, source.published)


async def secrets_of(club: Club, user: int, *, hosts: bool = False) -> set[str]:
    """The secrets of the evening that this user can find."""
    found = set()
    async for _, seen in looks(club, user, hosts=hosts):
        text = repr(seen)
        found |= {secret for secret in SECRETS if secret in text}
    return found


async def entries_with_the_note(club: Club, user: int) -> list[tuple[int, str]]:
    entries = await club.service.entries(TABLE, requester(user))
    return [(entry.seq, entry.kind) for entry in entries if NOTE in repr(entry.entry)]


async def test_a_successor_finds_the_hand_only(taken_over: Club) -> None:
    """The note that Bob got in private lies in the hand; where it came from is not theirs to
    know.
    """
    assert await secrets_of(taken_over, DAVE) == set()
    view = await taken_over.sees(DAVE)
    hidden = view.seats["sol"].hidden
    assert hidden is not None
    assert NOTE in hidden
    assert await entries_with_the_note(taken_over, DAVE) == [(4, "seat.taken"), (63, "seat.taken")]


async def test_a_successor_who_hosts_audits_as_a_player(taken_over: Club) -> None:
    dave = (await taken_over.sees(DAVE)).person_of_user(DAVE)
    assert dave is not None
    await taken_over.does(ALICE, SetHost(dave.number))
    assert await secrets_of(taken_over, DAVE, hosts=True) == set()
    with pytest.raises(Refused, match="secret"):
        await taken_over.looks(requester(DAVE), Audit("holdings", 1))


async def test_a_former_player_keeps_what_was_theirs(taken_over: Club) -> None:
    """Bob reads back what he said; what is asked of the seat now is Dave's."""
    entries = repr(await taken_over.service.entries(TABLE, requester(BOB)))
    assert all(secret in entries for secret in SECRETS)
    await taken_over.does(DAVE, OpenNegotiation("letnev", "LATER"))
    assert "LATER" not in repr([seen async for seen in looks(taken_over, BOB)])
    assert "LATER" in repr([seen async for seen in looks(taken_over, DAVE)])


async def test_the_other_party_keeps_everything(taken_over: Club) -> None:
    assert await secrets_of(taken_over, CAROL) == set(SECRETS)


async def test_others_find_nothing(taken_over: Club) -> None:
    assert await secrets_of(taken_over, ALICE, hosts=True) == set()
    assert await entries_with_the_note(taken_over, ALICE) == [(4, "seat.taken")]
    assert await secrets_of(taken_over, MONA) == set()


async def test_a_successor_is_told_nothing_by_trying(taken_over: Club) -> None:
    """An offer of before is refused in words that hold nothing of it, and a private deal can't be
    marked.
    """
    for number in (7, 8):
        for command in (
            Sign(number),
            Agree(number, 1),
            EndOffer(number, how="decline"),
            RepeatOffer(number),
            CounterOffer(number),
            Declare(number),
        ):
            with pytest.raises(Refused) as refusal:
                await taken_over.does(DAVE, command)
            told = repr((refusal.value.violation, refusal.value.options, refusal.value.names))
            assert not any(secret in told for secret in SECRETS)
    with pytest.raises(Refused, match="between others"):
        await taken_over.does(DAVE, MarkDeal(5, mark="broken"))


async def test_an_outcome_tells_a_successor_nothing(taken_over: Club) -> None:
    """Also when a former player's interaction is delivered once more: it is answered by what they
    may see now.
    """
    before = await taken_over.seq()
    outcome = await taken_over.does(DAVE, GAIN, 4001)
    again = await taken_over.does(DAVE, GAIN, 4001)
    for each in (outcome, again):
        assert not any(secret in repr(each) for secret in SECRETS)
        assert NOTE not in repr((each.public, await taken_over.public_view(before)))
