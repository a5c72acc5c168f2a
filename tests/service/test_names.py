"""Tests that people's names come from Discord with every request, without invisible characters."""

from __future__ import annotations

from bot.rules.features.seats import Sit
from bot.rules.features.tables import SetHost
from bot.service import Outcome
from bot.show.narration import sentence
from tests.service.club import ACCEPT, ALICE, BOB, CAROL, GAIN, TABLE, Club, requester

UNSEEN = "\u202e\u200b\x00\n\ue000"


async def called(club: Club) -> dict[int | None, str]:
    """Return the stored names of people."""
    return {person.user_id: person.name for person in await club.ledger.tables.people(TABLE)}


async def test_a_newcomers_name_is_stored_without_what_nobody_sees(club: Club) -> None:
    await club.service.execute(
        TABLE, requester(CAROL, name=f"{UNSEEN}ca rol{UNSEEN}"), Sit("letnev")
    )
    await club.does(ALICE, lambda people: SetHost(people.number(999, f"mo{UNSEEN}na")))
    assert (await called(club))[CAROL] == "ca rol"
    assert (await called(club))[999] == "mo na"


async def test_so_is_a_new_name(club: Club) -> None:
    outcome = await club.service.execute(TABLE, requester(BOB, name=f"Rob{UNSEEN}ert"), ACCEPT)
    assert (await called(club))[BOB] == "Rob ert"
    assert outcome.view.names.people[2].name == "Rob ert"
    await club.service.execute(TABLE, requester(BOB, name=UNSEEN), GAIN)
    assert (await called(club))[BOB] == "Rob ert", "nothing is no name"


async def test_a_new_name_like_anothers_is_marked_from_that_very_command_on(club: Club) -> None:
    outcome = await club.service.execute(TABLE, requester(BOB, name="Alic\u0435"), ACCEPT)
    assert f"<@{BOB}> (Sol) gave" in _told(outcome)
    assert f"<@{ALICE}> (Hacan) gave" in _told(outcome)


def _told(outcome: Outcome) -> str:
    return " ".join(map(sentence, outcome.public))
