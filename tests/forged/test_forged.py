"""Tests that thousands of forged interactions are each answered once, in time, and break
nothing.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.rules.commands import Press
from bot.rules.features.offers.signing import Sign
from bot.rules.model.actions import Action
from bot.show.actions import (
    BrowseOffers,
    ChooseTable,
    OpenGame,
    PickCards,
    PlayAgain,
    PostForm,
    SetUpHere,
    TurnHistory,
)
from bot.show.custom_ids import encode
from tests.cogs.conftest import evening_on
from tests.forged.payloads import COMPONENT, FORM, TYPING, Forged, Json
from tests.forged.playing import GAMES, Forging, begin
from tests.scale import SEED, at_scale, variants

COUNT = at_scale(500, 1000)
"""Interactions at a table: 500 find our deliberate defects."""

OTHERS = at_scale(200, 1000)
"""Those at the tables of other games, where only what the game itself reads is another."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "count"), [("ti4", COUNT), ("advciv", OTHERS), ("any", OTHERS)])
async def test_every_forged_interaction_is_answered_once(
    tmp_path: Path, game: str, count: int
) -> None:
    async with evening_on(f"sqlite:///{tmp_path / 'bourse.db'}") as evening:
        await begin(evening, game)
        forging = Forging(evening, random.Random(13 + SEED))
        await forging.send(count)
        forging.close()
        assert forging.found == []
        # of so many, some were good enough to be carried out
        assert forging.grew > 0 or count < COUNT
        for table in await evening.bot.ledger.tables.all_tables():
            assert await evening.bot.ledger.entries.verify(table.id) is None


PRESS: Json = {"component_type": 2}
TRADE_GOOD: Json = {"type": 3, "custom_id": "cards", "values": ["trade_good#1"]}
ACCEPT: Json = {**PRESS, "custom_id": encode(Press(1, Sign(1, 1)))}


def choice(action: Action, *values: object) -> Forged:
    """These values chosen in a select."""
    return Forged(
        COMPONENT, {"component_type": 3, "custom_id": encode(action), "values": list(values)}
    )


ODD: dict[str, Forged] = {
    "a table beyond 64 bits": Forged(
        COMPONENT, {**PRESS, "custom_id": f"do:{2**63}:offer.sign:1:1"}
    ),
    "a table that is not there": Forged(
        COMPONENT, {**PRESS, "custom_id": encode(Press(99, Sign(1, 1)))}
    ),
    "an offer that is not there": Forged(
        COMPONENT, {**PRESS, "custom_id": encode(Press(1, Sign(99, 1)))}
    ),
    "a deal that is not there": Forged(COMPONENT, {**PRESS, "custom_id": "do:1:deal.answer:99:1"}),
    "a negotiation that is not there": Forged(
        COMPONENT, {**PRESS, "custom_id": "do:1:negotiation.close:99"}
    ),
    "a transaction that is not there": Forged(
        COMPONENT, {**PRESS, "custom_id": "audit.trade:1:9:1:99"}
    ),
    "an unknown custom_id": Forged(COMPONENT, {**PRESS, "custom_id": "dance:1"}),
    "a custom_id that is a number": Forged(COMPONENT, {**PRESS, "custom_id": 7}),
    "a custom_id that is a list": Forged(COMPONENT, {**PRESS, "custom_id": ["offer"]}),
    "no custom_id": Forged(COMPONENT, {}),
    "no text as a value": choice(BrowseOffers(1), 7),
    "a value not offered": choice(ChooseTable(0), "sol"),
    "cards not offered": choice(PickCards(1, 1, 1, 0, "1", "abcdef"), "gold#1"),
    "a note that is not one": Forged(COMPONENT, {**PRESS, "custom_id": "do:1:ti4.return:hacan"}),
    "goods of another game": Forged(
        FORM,
        {"custom_id": "advciv.form.came:1", "components": [{"type": 18, "component": TRADE_GOOD}]},
    ),
    "no values": Forged(COMPONENT, {"component_type": 3, "custom_id": encode(BrowseOffers(1))}),
    "a form pressed as a button": Forged(
        COMPONENT, {**PRESS, "custom_id": encode(PostForm(1, 0, 0))}
    ),
    "nothing at all": Forged(COMPONENT, {}, changes={"data": None}),
    "a group": Forged(COMPONENT, ACCEPT, changes={"context": 2}),
    "nobody": Forged(COMPONENT, ACCEPT, missing=("member",)),
    "suggestions for an option that has none": Forged(TYPING, {"name": "help", "options": []}),
    "suggestions for an unknown command": Forged(TYPING, {"name": "nowhere", "options": []}),
}


@pytest.mark.parametrize("game", variants(*GAMES))
async def test_what_is_not_there_is_answered_and_changes_nothing(tmp_path: Path, game: str) -> None:
    """Each of the holes by its name; `test_every_forged_interaction_is_answered_once` looks for
    more.
    """
    async with evening_on(f"sqlite:///{tmp_path / 'bourse.db'}") as evening:
        await begin(evening, game)
        forging = Forging(evening, random.Random(1))
        for what, forged in ODD.items():
            await forging.one(
                Forged(
                    forged.type,
                    forged.data,
                    forged.changes,
                    forged.missing,
                    impossible=True,
                    what=what,
                )
            )
        forging.close()
        assert forging.found == []
        assert forging.grew == 0


async def test_no_table_is_opened_in_a_dm(tmp_path: Path) -> None:
    async with evening_on(f"sqlite:///{tmp_path / 'bourse.db'}") as evening:
        await begin(evening, "ti4")
        await evening.bot.service.close_for_operator(1)
        forging = Forging(evening, random.Random(1))
        for action in (PlayAgain(1), SetUpHere(0), OpenGame(0, "ti4")):
            custom_id = encode(action)
            for _ in range(8):  # one of the people each time
                press = Forged(
                    COMPONENT,
                    {**PRESS, "custom_id": custom_id},
                    in_dm=True,
                    impossible=True,
                    what=custom_id,
                )
                await forging.one(press)
        forging.close()
        assert forging.found == []


async def test_a_refusal_inside_a_completion_is_an_empty_list(tmp_path: Path) -> None:
    async with evening_on(f"sqlite:///{tmp_path / 'bourse.db'}") as evening:
        forging = Forging(evening, random.Random(1))
        options = [
            {
                "type": 1,
                "name": "post",
                "options": [{"type": 3, "name": "give", "value": "3", "focused": True}],
            }
        ]
        await forging.one(
            Forged(
                TYPING, {"id": "1", "name": "offer", "type": 1, "options": options}, what="no table"
            )
        )
        forging.close()
        assert forging.found == []
        [answer] = [one.json for one in evening.env.http_requests if "callback" in one.path]
        assert answer == {"type": 8, "data": {"choices": []}}


async def test_a_page_for_one_person_never_replaces_what_all_read(tmp_path: Path) -> None:
    """Its button under a public message is none of ours: the page goes to the presser, and the
    message stays.
    """
    async with evening_on(f"sqlite:///{tmp_path / 'bourse.db'}") as evening:
        await begin(evening, "ti4")
        forging = Forging(evening, random.Random(1))
        before = evening.channel()
        evening.requests()
        page = {**PRESS, "custom_id": encode(TurnHistory(1, 5, 1))}
        await forging.one(Forged(COMPONENT, page, what="a page"))
        forging.close()
        assert forging.found == []
        assert evening.channel() == before
        [answer] = [one.json for one in evening.requests("POST", "callback")]
        assert answer["type"] == 4
        assert answer["data"]["flags"] & 64
