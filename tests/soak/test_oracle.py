"""Tests that the oracle finds each fault: every test breaks one thing."""

from __future__ import annotations

import pytest

from bot.delivery.life import MARKERS_FROM
from tests.loopback.exchange import Exchange
from tests.loopback.people import Person
from tests.loopback.screen import COMPONENTS_V2, EPHEMERAL, SUPPRESS_NOTIFICATIONS, Json
from tests.loopback.world import CHANNEL, World
from tests.soak import oracle
from tests.soak.books import Done, Offer, Table
from tests.soak.sights import Sights, parts_of
from tests.soak.wanted import Wanted, Wants
from tests.wire.club import ALICE, BOB, CAROL

CARD = "-# Offer 1 · alice (Hacan) → bob (Sol)\nTbl0"
RESULT = "Done · Tbl0\n-# Offer 1 · alice (Hacan) · transaction 1\n✅ You got 3 trade goods."
ACCEPT, MORE = "do:1:offer.sign:1:1%kV3d", "board:1:more%kV3d"
SECRET = "zqabcdefgh"


def card(text: str, *custom_ids: str) -> Json:
    return labelled(text, **{each: each for each in custom_ids})


def labelled(text: str, **custom_ids: str) -> Json:
    buttons = [
        {"type": 2, "style": 2, "label": label, "custom_id": each}
        for label, each in custom_ids.items()
    ]
    return {
        "components": [{"type": 10, "content": text}, {"type": 1, "components": buttons}],
        "flags": COMPONENTS_V2,
        "allowed_mentions": {"parse": []},
    }


class Club:
    """A table at which Bob has accepted Alice's first offer, or is about to, and what they saw of
    it.
    """

    def __init__(self) -> None:
        self.world = World()
        self.world.meet(ALICE, BOB, CAROL)
        self.sights = Sights(self.world)
        self.sights.channels = {CHANNEL: "Tbl0"}
        self.table = Table(1, "Tbl0", CHANNEL, open=True)
        self.evidence = oracle.Evidence(self.world, self.sights, {}, set())

    def to(self, person: Person, message: Json) -> Json:
        return self.world.post(self.world.dm_with(str(person.id)), message, {})

    def in_channel(self, message: Json) -> Json:
        return self.world.post(CHANNEL, message, {})

    def look(self) -> oracle.Findings:
        return oracle.look([self.table], self.evidence)


@pytest.fixture
def offered() -> Club:
    """An offer that stands, as it should be shown."""
    club = Club()
    club.table.offers[1] = Offer(1, "11", "12", private=False, negotiation=None)
    club.to(BOB, card(CARD, ACCEPT))
    club.in_channel(card(CARD, ACCEPT))
    club.in_channel(card("### Tbl0", MORE))
    return club


@pytest.fixture
def traded() -> Club:
    """A transaction by Bob's press, told to both."""
    club = Club()
    club.table.offers[1] = Offer(1, "11", "12", private=False, negotiation=None, live=False)
    club.table.done.append(Done(1, 1, ("11", "12"), "12", "77"))
    club.to(BOB, card(RESULT, "offer:1:1:1:more"))
    club.to(ALICE, card(RESULT, "offer:1:1:1:details"))
    return club


def wrong(found: oracle.Findings) -> dict[str, int]:
    kinds = ("lost", "doubled", "orphaned", "frozen", "leaked")
    return {kind: len(getattr(found, kind)) for kind in kinds if getattr(found, kind)}


@pytest.mark.parametrize("ending", ["", "%kV3d", "%a-_9", "%4"])
def test_the_parts_of_a_button_are_its_actions(ending: str) -> None:
    assert parts_of(f"do:1:say:50%25 off%3A a{ending}") == ["do", "1", "say", "50%25 off%3A a"]


def test_all_is_well(offered: Club, traded: Club) -> None:
    assert wrong(offered.look()) == wrong(traded.look()) == {}
    assert offered.look().told == traded.look().told == 2


def test_an_offer_without_a_card_or_a_dm_is_lost(offered: Club) -> None:
    offered.table.offers[2] = Offer(2, "11", "12", private=False, negotiation=None)
    offered.table.offers[3] = Offer(3, "11", "12", private=True, negotiation=None)
    assert wrong(offered.look()) == {"lost": 3}


def test_a_card_of_an_old_revision_is_lost_and_an_orphan(offered: Club) -> None:
    offered.table.offers[1].revision = 2
    assert wrong(offered.look()) == {"lost": 1, "orphaned": 2}


def test_two_live_cards_in_one_place_are_one_too_many(offered: Club) -> None:
    offered.in_channel(card(CARD, ACCEPT))
    assert wrong(offered.look()) == {"doubled": 1}


def test_a_ping_beside_the_card_is_no_double(offered: Club) -> None:
    ping = card(f"<@{BOB.id}>, I can't reach you. {CARD}", ACCEPT)
    offered.in_channel(ping | {"allowed_mentions": {"users": [str(BOB.id)]}})
    assert wrong(offered.look()) == {}


def test_a_ping_of_who_is_asked_is_the_card_and_of_anybody_else_is_not(offered: Club) -> None:
    offered.table.offers[2] = Offer(2, "11", "12", private=False, negotiation=None)
    asks = CARD.replace("Offer 1 ·", "Offer 2 from") + "\nI can't reach you."
    offered.to(BOB, card(asks, ACCEPT.replace(":1:1", ":2:1")))
    to_another = card(f"<@{CAROL.id}> {asks}") | {"allowed_mentions": {"users": [str(CAROL.id)]}}
    offered.in_channel(to_another)
    assert wrong(offered.look()) == {"lost": 1}
    offered.in_channel(card(f"<@{BOB.id}> {asks}") | {"allowed_mentions": {"users": [str(BOB.id)]}})
    assert wrong(offered.look()) == {}


@pytest.mark.parametrize("question", ["Confirm", "Agree again"])
def test_a_question_beside_the_card_is_no_double_and_two_questions_are(
    offered: Club, question: str
) -> None:
    offered.to(BOB, labelled(CARD, **{question: ACCEPT}))
    assert wrong(offered.look()) == {}
    offered.to(BOB, labelled(CARD, **{question: ACCEPT}))
    assert wrong(offered.look()) == {"doubled": 1}


def test_buttons_of_an_offer_that_is_over_and_an_old_board_are_orphans(offered: Club) -> None:
    offered.table.offers[1].live = False
    offered.in_channel(card("### Tbl0", MORE))
    assert wrong(offered.look()) == {"orphaned": 3}


def test_a_button_that_ends_an_offer_that_is_over_is_an_orphan(traded: Club) -> None:
    traded.to(ALICE, card("Can't be met any more", "do:1:offer.end:1:withdraw"))
    assert wrong(traded.look()) == {"orphaned": 1}


def test_what_is_wrong_with_an_offer_could_not_be_mended_before_it_changed(offered: Club) -> None:
    offered.table.offers[1] = Offer(
        1, "11", "12", private=False, negotiation=None, live=False, changed_at=7.0
    )
    found = offered.look()
    assert len(found.owed()) == 2
    assert [found.since[each] for each in found.owed()] == [7.0, 7.0]


def test_a_result_that_one_of_the_two_never_saw_is_lost(traded: Club) -> None:
    traded.table.done.append(Done(2, 2, ("11", "12"), "12", "78"))
    traded.evidence.exchanges["78"] = exchange = Exchange({}, "78", "token", 3, BOB, CHANNEL)
    exchange.answered_at = 1.0
    assert wrong(traded.look()) == {"lost": 2}
    exchange.answered_at = None
    assert wrong(traded.look()) == {"lost": 1}, "whoever got no answer is counted there"


def test_a_result_told_twice_is_a_double(traded: Club) -> None:
    twice = traded.to(ALICE, card(RESULT))
    assert wrong(traded.look()) == {"doubled": 1}
    del traded.world.messages[twice["id"]]
    assert wrong(traded.look()) == {}, "another took its place"


@pytest.mark.parametrize(
    ("interaction", "taken", "doubled"),
    [("77", False, {}), ("77", True, {"doubled": 1}), ("78", False, {"doubled": 1})],
)
def test_a_dm_in_place_of_an_answer_is_no_double_if_discord_did_not_take_that_answer(
    traded: Club, interaction: str, *, taken: bool, doubled: dict[str, int]
) -> None:
    for each in ("77", "78"):
        exchange = Exchange(traded.world.messages, each, f"token {each}", 3, BOB, CHANNEL)
        exchange.too_late, exchange.answered_at = not taken, 1.0 if taken else None
        traded.evidence.exchanges[each] = exchange
    late = card(f"Discord may have told you that this failed. It didn't:\n{RESULT}")
    traded.to(BOB, late | {"nonce": f"so-{interaction}"})
    assert wrong(traded.look()) == doubled
    traded.to(BOB, card(RESULT))
    assert wrong(traded.look()) == {"doubled": 1}


@pytest.mark.parametrize(("interaction", "doubled"), [("77", {"doubled": 1}), ("78", {})])
def test_a_reply_counts_if_it_answers_what_caused_it(
    traded: Club, interaction: str, doubled: dict[str, int]
) -> None:
    asked = Exchange(traded.world.messages, interaction, "token", 3, BOB, CHANNEL)
    traded.world.answer(asked, {**card(RESULT), "flags": COMPONENTS_V2 | EPHEMERAL}, {})
    assert wrong(traded.look()) == doubled


def test_a_reply_and_ones_own_card_that_shows_it_are_one(traded: Club) -> None:
    asked = Exchange(traded.world.messages, "79", "token", 3, ALICE, CHANNEL)
    traded.table.done.append(Done(2, 2, ("11", "12"), "11", "79"))
    result = RESULT.replace("transaction 1", "transaction 2")
    traded.to(BOB, card(result))
    own = traded.to(ALICE, card(CARD, ACCEPT))
    traded.world.answer(asked, {**card(result), "flags": COMPONENTS_V2 | EPHEMERAL}, {})
    traded.world.change(own, card(result), {})
    assert wrong(traded.look()) == {}
    del traded.world.messages[own["id"]]
    silent = COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS
    own = traded.to(ALICE, card(result) | {"flags": silent})
    assert wrong(traded.look()) == {}, "it took the place of the one that could not be edited"
    traded.to(ALICE, card(result))
    assert wrong(traded.look()) == {"doubled": 1}


def test_a_word_for_two_that_a_third_reads_is_a_leak(offered: Club) -> None:
    offered.evidence.secrets = {SECRET: {"11", "12"}}
    offered.to(BOB, card(f"and {SECRET}"))
    assert wrong(offered.look()) == {}
    offered.to(CAROL, card("Which?", f"offer {SECRET}"))
    assert wrong(offered.look()) == {"leaked": 1}


def test_a_hidden_card_is_known_to_whom_the_ledger_told_it(offered: Club) -> None:
    offered.table.sealed.append((frozenset({"12"}), '{"hand": {"civil_war": 1}}'))
    offered.to(BOB, card("Civil War, says Tbl0"))
    assert wrong(offered.look()) == {}
    offered.in_channel(card("Civil War, says Tbl0"))
    assert len(offered.look().leaked) == len(offered.world.people) - 1


def test_what_was_not_answered_and_what_came_too_late() -> None:
    exchanges = [
        Exchange({}, str(number), "token", 3, BOB, CHANNEL, body={"data": {}})
        for number in range(4)
    ]
    exchanges[0].answered_at = 1.0
    exchanges[1].too_late = True
    unanswered, late = oracle.answers(exchanges, {"3"})
    assert [len(unanswered), len(late)] == [1, 1]


def test_a_command_that_came_twice_and_was_carried_out_twice(offered: Club) -> None:
    offered.evidence.delivered_twice = {"twiceword"}
    table = offered.table
    table.posted = [(1, 1000, "terms: twiceword"), (1, 9000, "terms: twiceword")]  # **Again**
    assert offered.look().doubled == set()
    table.posted.append((1, 1200, "terms: twiceword"))
    assert offered.look().doubled == {f"{table.name}: what has twiceword was posted twice"}


def test_a_negotiation_with_two_threads_is_a_double(offered: Club) -> None:
    offered.table.negotiations = 1
    first = offered.world.start_thread(CHANNEL, {"name": "alice and bob"})
    assert wrong(offered.look()) == {}
    offered.world.start_thread(CHANNEL, {"name": "alice and bob"})
    assert wrong(offered.look()) == {"doubled": 1}
    offered.world.remove_channel(first["id"])
    assert wrong(offered.look()) == {}


def test_a_message_that_lost_its_marker_is_found(offered: Club) -> None:
    marked = {
        "components": [{"type": 17, "id": MARKERS_FROM, "components": []}],
        "flags": COMPONENTS_V2,
    }
    mine = offered.to(ALICE, marked)
    offered.world.change(mine, marked, {})
    assert not offered.look().orphaned
    offered.world.change(mine, {"components": [{"type": 17, "components": []}]}, {})
    assert offered.look().orphaned


# ---------------------------------------------------------------- as it should be

BOARD = card("### Tbl0\nCarol's turn", MORE)


def wants(
    club: Club,
    message: str = "",
    card: Json | None = None,
    *,
    settled: bool = True,
    channel: str = "",
) -> None:
    club.evidence.wants.messages = [
        Wanted("Tbl0", channel or CHANNEL, "board", message, card, settled)
    ]


def test_what_does_not_show_what_its_table_wants_is_frozen() -> None:
    club = Club()
    club.evidence.owed = club.evidence.wants.unsettled = 1
    shown = club.in_channel(BOARD)["id"]
    wants(club, shown, BOARD)
    assert wrong(club.look()) == {}
    for frozen in (card("### Tbl0\nBob's turn", MORE), card("### Tbl0\nCarol's turn", ACCEPT)):
        wants(club, shown, frozen)
        assert wrong(club.look()) == {"frozen": 1}
        assert club.look().frozen <= club.look().owed()
    wants(club, shown)  # nothing is left to press
    assert wrong(club.look()) == {"frozen": 1}
    wants(club)  # it was never sent
    assert wrong(club.look()) == {"frozen": 1}
    club.world.remove_channel(CHANNEL)
    assert wrong(club.look()) == {}


def test_what_stands_in_a_thread_that_was_deleted_stays_as_it_is() -> None:
    club = Club()
    club.evidence.owed = club.evidence.wants.unsettled = 1
    club.table.negotiations = 1
    thread = club.world.start_thread(CHANNEL, {"name": "two", "type": 12})["id"]
    wants(club, club.world.post(thread, card("Offer 1"), {})["id"], card("Offer 1", ACCEPT))
    assert wrong(club.look()) == {"frozen": 1}
    club.world.remove_channel(thread)
    assert wrong(club.look()) == {}


def test_a_link_that_is_not_known_yet_is_no_difference() -> None:
    club = Club()
    wants(
        club,
        club.in_channel(card("[the offer](https://discord.com/channels/1/2/3)"))["id"],
        card("the offer"),
    )
    assert wrong(club.look()) == {}


def test_a_message_that_somebody_deleted_is_not_frozen_unless_it_is_to_change() -> None:
    club = Club()
    club.evidence.owed = club.evidence.wants.unsettled = 1
    wants(club, "404", BOARD)
    assert wrong(club.look()) == {}
    wants(club, "404", BOARD, settled=False)
    assert wrong(club.look()) == {"frozen": 1}


def test_a_message_whose_record_does_not_know_it_yet_is_found_by_its_marker() -> None:
    club = Club()
    club.evidence.owed = club.evidence.wants.unsettled = 1
    marked = {
        "components": [{"type": 10, "content": "Offer 1", "id": MARKERS_FROM}],
        "flags": COMPONENTS_V2,
    }
    wants(club, "", marked, settled=False)
    assert wrong(club.look()) == {"frozen": 1}
    club.in_channel(marked)
    assert wrong(club.look()) == {}


def test_a_dm_may_show_the_answer_to_what_was_pressed_on_it() -> None:
    club = Club()
    club.evidence.owed = club.evidence.wants.unsettled = 1
    shown = club.to(BOB, card("✅ Done.\nOffer 1"))["id"]
    wants(club, shown, card("Offer 1"))
    assert wrong(club.look()) == {"frozen": 1}
    club.evidence.exchanges["77"] = Exchange({}, "77", "token", 3, BOB, CHANNEL, answers=[shown])
    assert wrong(club.look()) == {}
    wants(club, shown, card("Offer 1"), settled=False)
    assert wrong(club.look()) == {"frozen": 1}


@pytest.mark.parametrize(
    ("owed", "unsettled", "found"), [(0, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 1)]
)
def test_the_bots_owe_no_more_than_what_is_left_to_do(
    owed: int, unsettled: int, found: int
) -> None:
    club = Club()
    club.evidence.owed, club.evidence.wants = owed, Wants([], unsettled)
    assert len(club.look().frozen) == found


def test_the_bots_know_that_something_is_frozen() -> None:
    club = Club()
    wants(club)
    club.evidence.owed, club.evidence.wants.unsettled = 0, 1
    assert wrong(club.look()) == {"frozen": 2}
