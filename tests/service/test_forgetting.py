"""Tests that forgetting people and removing tables takes effect at once, in every process."""

from __future__ import annotations

import pytest

from bot.ledger import Message, Person
from bot.rules.features.audits import Audit
from bot.rules.features.tables import CloseTable
from bot.rules.model.violation import Refused
from tests.service.club import ALICE, BOB, CAROL, CHANNEL, LEDGER, TABLE, Club, moderator, requester
from tests.service.conftest import Another

ERASED = Person(2, None, "Player 2")


async def forgets_bob(club: Club) -> None:
    await club.does(ALICE, CloseTable())
    assert await club.service.known_at(requester(BOB)) == (1, 0)
    assert await club.service.forget_person(requester(BOB)) == 1


async def test_an_open_table_forgets_nobody(club: Club) -> None:
    """It plays on, and its entries name people by what it knows of them."""
    assert await club.service.known_at(requester(BOB)) == (0, 1)
    assert await club.service.forget_person(requester(BOB)) == 0
    assert (await club.sees(ALICE)).person_of_user(BOB) is not None


async def test_a_closed_table_forgets_a_person_at_once(club: Club) -> None:
    await forgets_bob(club)
    view = await club.sees(ALICE)
    assert view.names.people[2] == ERASED
    assert view.person_of_user(BOB) is None
    assert await club.service.known_at(requester(BOB)) == (0, 0)
    assert {
        entry.names.people[2] for entry in await club.service.entries(TABLE, requester(ALICE))
    } == {ERASED}
    assert await club.ledger.entries.verify(TABLE) is None


async def test_a_forgotten_person_is_a_passer_by(club: Club) -> None:
    """Nothing leads from their account to their seat any more, so they see what everybody may."""
    await forgets_bob(club)
    assert await club.sees(BOB) == await club.sees(CAROL)
    assert await club.service.entries(TABLE, requester(BOB)) == await club.service.entries(
        TABLE, requester(CAROL)
    )


async def test_hands_stay_closed_to_moderators_once_a_player_is_forgotten(empty: Club) -> None:
    """The player who had their name taken out might be the very one who asks."""
    await empty.set_up(open_on_close="no")
    await empty.does(ALICE, CloseTable())
    until_seq = await empty.looks(moderator())
    view = await empty.service.audited_view(TABLE, moderator(), LEDGER, until_seq=until_seq)
    assert view.seats["sol"].hidden is not None
    await empty.service.forget_person(requester(BOB))
    view = await empty.service.audited_view(TABLE, moderator(), LEDGER, until_seq=until_seq)
    assert view.seats["sol"].hidden is None
    until_seq = await empty.looks(moderator(), Audit("export"))
    assert not (await empty.service.export_source(TABLE, moderator(), until_seq=until_seq)).sees_all


async def test_another_process_forgets_too(club: Club, another: Another) -> None:
    other = await another()
    await club.does(ALICE, CloseTable())
    assert (await other.sees(ALICE)).names.people[2].name == "bob"
    await club.service.forget_person(requester(BOB))
    assert (await other.sees(ALICE)).names.people[2] == ERASED
    briefing = await other.service.briefing(TABLE, 0)
    assert briefing is not None
    assert briefing.public.names.people[2] == ERASED
    assert set(briefing.seats) == {"hacan"}


async def test_another_process_does_not_write_a_name_back(club: Club, another: Another) -> None:
    """What it remembers of the closed table still has the name; the person who comes again is
    somebody new.
    """
    other = await another()
    await club.does(ALICE, CloseTable())
    await other.remembered()
    await club.service.forget_person(requester(BOB))
    await other.service.execute(TABLE, moderator(BOB), Audit("ledger"))
    people = await club.ledger.tables.people(TABLE)
    assert people[1] == ERASED
    assert people[2] == Person(3, BOB, "bob")
    assert (await other.sees(ALICE)).names.people[2] == ERASED


async def test_an_interaction_from_before_is_answered_without_the_name(club: Club) -> None:
    outcome = await club.does(ALICE, CloseTable(), interaction=9)
    assert "'bob'" in repr((outcome.view, outcome.entries, outcome.public))
    await club.service.forget_person(requester(BOB))
    again = await club.does(ALICE, CloseTable(), interaction=9)
    assert [entry.seq for entry in again.entries] == [entry.seq for entry in outcome.entries]
    assert "'bob'" not in repr((again.view, again.entries, again.public))


async def test_a_removed_table_is_gone_in_every_process(club: Club, another: Another) -> None:
    other = await another()
    await club.does(ALICE, CloseTable())
    await other.remembered()
    await club.ledger.messages.save(TABLE, [Message("board", CHANNEL, 5, "a")])
    removal = await club.service.remove(TABLE, requester(ALICE))
    for each in (club, other):
        with pytest.raises(Refused, match="no such table"):
            await each.sees(ALICE)
        with pytest.raises(Refused, match="no such table"):
            await each.does(ALICE, Audit("ledger"))
        assert await each.service.briefing(TABLE, 0) is None
        assert await each.ledger.tables.table(TABLE) is None
        assert await each.service.last_table_at(CHANNEL, requester(ALICE)) is None
    assert await club.ledger.messages.of_table(TABLE) == []
    assert await club.ledger.tables.removed() == [removal]


async def test_a_choice_for_dms_is_forgotten_with_the_person(club: Club) -> None:
    await club.service.choose_for_dm(requester(BOB), TABLE)
    assert await club.service.dm_choice(requester(BOB)) == TABLE
    assert await club.service.dm_choice(requester(ALICE)) is None
    await forgets_bob(club)
    assert await club.service.dm_choice(requester(BOB)) is None
