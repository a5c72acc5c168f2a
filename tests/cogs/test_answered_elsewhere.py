"""Who acted reads by DM what is recorded, if another program with the bot's token answers (and the
operator is told), or Discord takes no answer.
"""

from __future__ import annotations

import pytest

from bot.lifecycle import DiscordTime, Interactions
from bot.rules.commands import Press
from bot.rules.features.offers.signing import EndOffer
from bot.show.cards import Button, Card
from bot.watch import Watch
from cogs.answers import RECORDED, TOO_LATE, Answers, answer_to
from tests.cogs.exchange import (
    ALREADY,
    UNKNOWN_INTERACTION,
    Exchange,
    Slow,
    nothing_recorded,
    outage,
)
from tests.errors import error

pytestmark = pytest.mark.usefixtures("quick")

ELSEWHERE = "Another program with my token answered an interaction in my place"


class Copy:
    """A copy of the bot that is always the second to answer."""

    def __init__(self, carried_out=nothing_recorded) -> None:
        self.told: list[str] = []
        self.buttons = 0
        self.watch = Watch()
        self.answers = Answers(
            Interactions(), carried_out, time=DiscordTime(), watch=self.watch, tell=self._tell
        )

    async def _tell(self, user: int, card: Card, nonce: str) -> None:
        self.told.append("\n".join(card.blocks))
        self.buttons += len(card.rows)

    async def answer(
        self,
        *errors: Exception,
        id: int = 77,
        counts: bool = False,
        repeated: bool = False,
        said: str | Card = "Offer 1 is posted",
    ) -> None:
        exchange = Exchange(errors=[*(errors or (error(*ALREADY),))], id=id)

        async def work() -> None:
            answer = answer_to(exchange.it)
            answer.counts, answer.repeated = counts, repeated
            await answer.send(said)

        await self.answers.handle(exchange.it, work)
        assert exchange.said == []


async def test_the_third_in_a_minute_is_critical(caplog: pytest.LogCaptureFixture) -> None:
    copy = Copy()
    for id in (1, 2, 3):
        await copy.answer(id=id)
    levels = [each.levelname for each in caplog.records if ELSEWHERE in each.message]
    assert levels == ["WARNING", "WARNING", "CRITICAL"]
    assert b"bourse_answered_elsewhere_total 3.0" in await copy.watch.page()
    assert copy.told == []  # nothing is recorded here


async def test_who_acted_is_told_what_is_recorded_here() -> None:
    copy = Copy()
    await copy.answer(counts=True)
    (told,) = copy.told
    assert told.endswith("What counts is this:\nOffer 1 is posted")


async def test_an_interaction_that_came_twice_was_answered_by_ourselves(
    caplog: pytest.LogCaptureFixture,
) -> None:
    copy = Copy()
    exchange = Exchange(id=5)
    await copy.answers.handle(exchange.it, lambda: answer_to(exchange.it).send("one"))
    await copy.answer(id=5, counts=True, repeated=True)
    assert (copy.told, ELSEWHERE in caplog.text) == ([], False)


async def test_what_another_process_of_ours_recorded_it_answered(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def recorded(_interaction: int) -> bool:
        return True

    copy = Copy(recorded)
    await copy.answer(counts=True, repeated=True)
    assert (copy.told, ELSEWHERE in caplog.text) == ([], False)


async def test_what_came_too_late_is_told() -> None:
    copy = Copy()
    await copy.answer(error(*UNKNOWN_INTERACTION), counts=True)
    assert copy.told == [
        "Discord may have told you that this failed. It didn't:\nOffer 1 is posted"
    ]
    assert b"bourse_answered_elsewhere_total 0.0" in await copy.watch.page()


async def test_it_is_told_without_buttons_since_nobody_keeps_them_up_to_date() -> None:
    copy = Copy()
    withdraw = Button("Withdraw", Press(1, EndOffer(1, "withdraw", 1)))
    await copy.answer(
        error(*UNKNOWN_INTERACTION), counts=True, said=Card("open", "Posted", ((withdraw,),))
    )
    assert (len(copy.told), copy.buttons) == (1, 0)


async def test_what_discord_did_not_take_is_told() -> None:
    copy = Copy()
    await copy.answer(*(outage() for _ in range(9)), counts=True)
    (told,) = copy.told
    assert told.endswith("Offer 1 is posted")


async def test_nothing_is_told_of_what_is_not_recorded() -> None:
    copy = Copy()
    await copy.answer(error(*UNKNOWN_INTERACTION))
    await copy.answer(error(*UNKNOWN_INTERACTION), id=78, counts=True, repeated=True)
    assert copy.told == []


@pytest.mark.usefixtures("soon")
async def test_what_was_written_when_it_was_too_late_to_wait_is_told() -> None:
    async def recorded(_interaction: int) -> bool:
        return True

    copy, exchange = Copy(recorded), Exchange(errors=[error(*UNKNOWN_INTERACTION)])
    await copy.answers.handle(exchange.it, Slow(lambda: answer_to(exchange.it).send("Done.")))
    assert copy.told == [f"{TOO_LATE}\n{RECORDED}"]
