"""The story is told for every kind of entry, fits into Discord's messages, and tells nobody what is not theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Annotated

import pytest

from bot.desk import Look
from bot.rules.audits import auditor
from bot.rules.audits import opened as opened_now
from bot.rules.books import (
    Promises,
    Step,
    balances,
    concerns,
    moved,
    promises,
    seat_of,
    steps,
    story,
    transaction,
)
from bot.rules.commands import Audit, ChangeSettings, CloseTable, Leave, OpenTable, PostOffer, SetHoldings, Sit
from bot.rules.entries import Entry, OfferExpired, Sealed, Transaction
from bot.rules.games.ti4.commands import StartTurn
from bot.rules.goods import Goods
from bot.rules.ruling import Refused
from bot.rules.table import Settings
from bot.rules.views import PUBLIC, Viewer, view
from bot.show import names
from bot.show.audit import (
    LINE_MAX,
    STORY_MAX,
    Filter,
    Page,
    fit,
    head_card,
    history_card,
    ledger_card,
    player_card,
    trade_card,
    verify_card,
)
from bot.show.cards import Card
from bot.show.story import _any, plain_sentence, sentence
from cogs.audit import KINDS, WHERE, Audits
from cogs.history import History
from cogs.router import Router
from tests.audit.world import LONG, PEOPLE, TERMS, lived, plenty, problems, recorded
from tests.rules import machine
from tests.rules.machine import World, opened
from tests.show.looks import USER, look_at

ALL = Viewer(moderates=True)


def life(world: World) -> list[Step]:
    return steps(recorded(world.entries)[0])


def cards(world: World, viewer: Viewer, called: Mapping[int, str] | None = None) -> Iterator[Card]:
    """Every page of everything that can be looked up at this table."""
    look, every = look_at(world.table, called), life(world)
    upto = len(every)

    def pages(make: object, page: Page, *more: object) -> Iterator[Card]:
        for number in range(1, 400):
            card = make(look, every, viewer, Page(page.what, upto, number, page.filters), *more)  # type: ignore[operator]
            yield card
            if not any(button.label == "More" for row in card.rows for button in row):  # type: ignore[union-attr]
                return

    yield from pages(ledger_card, Page("audit:ledger", upto, 1, "0,,0"), Filter())
    yield from pages(history_card, Page("history", upto, 1, "2,0"), Filter(person=2))
    for number in range(1, min(world.table.transactions, 12) + 1):
        yield from pages(trade_card, Page("audit:trade", upto, 1, str(number)), number)
    for person in (1, 2, 10):
        yield from pages(player_card, Page("audit:player", upto, 1, str(person)), person)


SEEDS = range(7)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_kind_has_a_sentence_of_its_own(seed: int) -> None:
    world = lived(Random(seed), 900, closed=True)
    for step in life(world):
        look = Look(1, step.after, PEOPLE)
        for viewer in (PUBLIC, ALL, Viewer(seat=next(iter(world.table.seats)))):
            for told in (sentence(1, PEOPLE, step, viewer), plain_sentence(1, PEOPLE, step, viewer)):
                assert told.strip()
                assert not re.search(r"<(seat|person|name|faction):", told), told
                assert "\ue000" not in told
                assert "None" not in told, told
            assert not sentence(1, PEOPLE, step, viewer).startswith(names.tell(look, _any(look, step.entry))[:-1])


def test_all_kinds_came_about() -> None:
    """So that the test above speaks of all of them."""
    kinds = {type(step.entry) for seed in SEEDS for step in life(lived(Random(seed), 900, closed=True))}
    assert machine.KINDS - kinds <= {OfferExpired}


def test_every_page_fits_at_a_table_where_everything_is_long() -> None:
    """Eight people with the longest names, who have some of everything and trade it, with the longest terms."""
    world = plenty()
    everything = {person: world.table.seat_of(person) for person in range(1, 9)}
    for person in range(1, 9):
        seat = everything[person]
        assert seat is not None
        world.tries(PostOffer(by=person, to=person % 8 + 1, give=seat.holdings, want=seat.holdings, terms=TERMS))
        world.tries(SetHoldings(by=1, person=person, goods=Goods({"trade_good": 1}), reason="*" * 200))
    for viewer in (PUBLIC, ALL):
        for card in cards(world, viewer, LONG):
            assert problems(card) == []


@pytest.mark.parametrize("seed", range(3))
def test_every_page_fits_and_its_buttons_come_back(seed: int) -> None:
    world = lived(Random(seed), 400)
    router = Router()
    Audits(None, router)  # type: ignore[arg-type]
    History(None, router)  # type: ignore[arg-type]
    many = 0
    for viewer in (PUBLIC, ALL):
        for card in cards(world, viewer):
            many += 1
            assert problems(card) == []
            for row in card.rows:
                for button in row:  # type: ignore[union-attr]
                    assert len(button.action) <= 100
                    assert any(pattern.fullmatch(button.action) for pattern, _ in router._routes), button.action
    assert many > 50


def test_the_longest_custom_id_fits() -> None:
    kind = max(KINDS, key=len)
    page = Page("audit:ledger", 10**9, 10**6, f"{10**4},{kind},{10**9}")
    look = Look(10**12, opened(2, Random(1)).table, PEOPLE)
    [row] = page.turn(look, 10**8)
    assert all(len(button.action) <= 100 for button in row)
    assert re.fullmatch(rf"audit:ledger:{WHERE}:.*", row[0].action)


def test_pages_hold_each_entry_once() -> None:
    world = lived(Random(2), 300)
    look, every = look_at(world.table), life(world)
    found: list[int] = []
    for number in range(1, 500):
        card = ledger_card(look, every, ALL, Page("audit:ledger", len(every), number, "0,,0"), Filter())
        found += [int(seq) for seq in re.findall(r"^\*\*#(\d+)\*\*", "\n".join(card.blocks), re.MULTILINE)]
        if "More" not in repr(card.rows):
            break
    assert found == list(range(len(every), 0, -1))


@pytest.mark.parametrize("text", ["a **b c** d " * 100, "<@123456789012345678> " * 60, "**" + "x" * 900 + "**"])
@pytest.mark.parametrize("most", [50, LINE_MAX, STORY_MAX])
def test_what_is_cut_is_cut_between_words(text: str, most: int) -> None:
    cut = fit(text, most)
    assert len(cut) <= most
    assert cut.count("**") % 2 == 0
    assert cut.count("<") == cut.count(">")


# ---------------------------------------------------------------- who may see


def two_worlds() -> Sequence[World]:
    made = []
    for note in ("ceasefire", "political_secret"):
        world = opened(4, Random(1))
        seats = list(world.table.seats)
        world.do(StartTurn(by=1, person=1))
        world.do(SetHoldings(by=1, person=3, goods=Goods({"trade_good": 4, f"note:{note}:{seats[1]}": 1})))
        world.do(PostOffer(by=3, to=2, give=Goods({f"note:{note}:{seats[1]}": 1}), terms="x"))
        made.append(world)
    return made


def seen(world: World, viewer: Viewer) -> str:
    return "\n".join(block for card in cards(world, viewer) for block in card.blocks)


def test_a_player_learns_from_no_page_what_lies_in_anothers_hand() -> None:
    one, other = two_worlds()
    seats = list(one.table.seats)
    for viewer in (PUBLIC, Viewer(seat=seats[0]), Viewer(seat=seats[3])):
        assert seen(one, viewer) == seen(other, viewer)
    for viewer in (ALL, Viewer(seat=seats[1]), Viewer(seat=seats[2]), Viewer(after_close=True)):
        assert seen(one, viewer) != seen(other, viewer)


def test_who_audits() -> None:
    """A host who sits is a player, and so is who stood up to look; who never sat sees what the parties see."""
    world = opened(3, Random(1))
    first, seats = world.table, list(world.table.seats)
    assert auditor(first, 1, world.entries) == Viewer(seat=seats[0])
    assert auditor(first, 9, world.entries) == Viewer(moderates=True)
    world.do(Leave(by=1, person=1))
    assert auditor(world.table, 1, world.entries) == Viewer()
    world.do(CloseTable(by=1))
    assert auditor(world.table, 1, world.entries) == Viewer(after_close=True)


def test_only_a_host_or_moderator_audits_and_each_look_is_an_entry() -> None:
    world = opened(2, Random(1))
    for what in ("ledger", "player", "verify", "export"):
        with pytest.raises(Refused, match="Only the host"):
            world.do(Audit(by=2, what=what, about=2))  # type: ignore[arg-type]
        for asks in (Audit(by=1, what=what, about=2), Audit(by=9, moderator=True, what=what, about=2)):  # type: ignore[arg-type]
            [entry] = world.do(asks)
            assert entry.kind == "audit.looked"
    with pytest.raises(Refused, match="no transaction 1"):
        world.do(Audit(by=1, what="trade", about=1))
    with pytest.raises(Refused, match="whose books"):
        world.do(Audit(by=1, what="player"))
    world.do(CloseTable(by=1))
    assert world.do(Audit(by=1, what="ledger"))


class Shuffled(Entry):
    """An entry that no game has yet: with something that nobody may know before the table closes."""

    kind: str = "shuffled"
    seed: Annotated[int | None, Sealed("keeper")] = None


def test_the_keepers_part_opens_to_nobody_before_the_table_closes() -> None:
    entry = Shuffled(seed=7)
    for viewer in (PUBLIC, Viewer(seat="sol"), Viewer(moderates=True)):
        assert view(entry, viewer) == Shuffled()
    assert view(entry, Viewer(after_close=True)) == entry


def test_secrets_stay_where_the_host_chose_so() -> None:
    world = World()
    world.do(OpenTable(by=1, game="ti4", open_on_close="no"))
    assert not opened_now(world.table)
    with pytest.raises(Refused, match="chosen when the table opened"):
        world.do(ChangeSettings(by=1, settings=Settings(open_on_close="yes", rulings="warn")))
    world.do(CloseTable(by=1))
    assert not opened_now(world.table)
    assert auditor(world.table, 1, world.entries) == Viewer(moderates=True)


# ---------------------------------------------------------------- the books


@pytest.mark.parametrize("seed", range(3))
def test_a_transactions_story_has_every_entry_that_made_it(seed: int) -> None:
    world = lived(Random(seed), 700)
    every = life(world)
    assert world.table.transactions > 3
    for number in range(1, world.table.transactions + 1):
        done = transaction(every, number)
        assert isinstance(done.entry, Transaction)
        told = story(every, number)
        kinds = [step.entry.kind for step in told if getattr(step.entry, "offer", None) == done.entry.offer]
        assert "offer.posted" in kinds
        assert kinds.count("signature") >= 2
        assert done in told
        assert [step.recorded.seq for step in told] == sorted(step.recorded.seq for step in told)


def test_an_entry_concerns_who_sat_there_then() -> None:
    world = opened(2, Random(1))
    seat = next(iter(world.table.seats))
    world.do(Leave(by=1, person=1))
    world.do(Sit(by=5, seat=seat, person=5))
    world.do(SetHoldings(by=9, moderator=True, person=5, goods=Goods({"trade_good": 9})))
    every = [step for step in life(world) if step.entry.kind == "correction"]
    assert [concerns(step, 5, PUBLIC) for step in every] == [False, False, True]
    assert seat_of(life(world), 1) == seat_of(life(world), 5) == seat


def test_promises_are_what_the_other_says() -> None:
    from bot.rules.commands import AnswerDeal, MarkDeal, ProposeDeal

    world = opened(2, Random(1))
    _, second = world.table.seats
    for _ in range(3):
        world.do(ProposeDeal(by=1, to=2, terms="x", later=True))
    for deal in (1, 2, 3):
        world.do(AnswerDeal(by=2, deal=deal, agreed=True))
    world.do(MarkDeal(by=2, deal=1, mark="kept"))
    world.do(MarkDeal(by=2, deal=2, mark="broken"))
    assert promises(life(world), 1) == Promises((1,), (2,), (3,))
    assert promises(life(world), 2) == Promises((), (), (1, 2, 3))
    world.do(ProposeDeal(by=1, to=2, terms="y", later=True))
    world.do(Leave(by=2, person=2))
    world.do(Sit(by=5, seat=second, person=5))
    assert promises(life(world), 5) == Promises((), (), ())
    world.do(AnswerDeal(by=5, deal=4, agreed=True))
    world.do(MarkDeal(by=1, deal=1, mark="broken"))
    assert promises(life(world), 5) == Promises((), (), (4,))
    assert promises(life(world), 2) == Promises((), (1,), (2, 3))
    assert promises(life(world), 1) == Promises((1,), (2,), (3, 4))


def test_who_takes_over_a_chair_has_its_hand_but_not_what_was_said_before() -> None:
    from bot.rules.commands import OpenNegotiation

    world = opened(4, Random(1))
    seats = list(world.table.seats)
    note, other = f"note:ceasefire:{seats[1]}", f"note:ceasefire:{seats[2]}"
    world.do(StartTurn(by=1, person=1))
    world.do(SetHoldings(by=1, person=3, goods=Goods({"trade_good": 4, note: 1, other: 1})))
    world.do(OpenNegotiation(by=3, other=2, topic="SECRETTOPIC"))
    world.do(PostOffer(by=3, to=2, give=Goods({note: 1}), terms="SECRETTERMS", negotiation=1))
    offer = world.table.offers[1]
    assert offer.shown_to(seats[2])
    world.do(Leave(by=3, person=3))
    look = look_at(world.table)
    world.do(Sit(by=3, seat=seats[2], person=3))
    came_back = look_at(world.table).viewer(USER + 3)
    assert came_back == Viewer(seat=seats[2])
    assert world.table.offers[1].shown_to(seats[2])
    world.do(Leave(by=3, person=3))
    world.do(Sit(by=5, seat=seats[2], person=5))
    look = look_at(world.table)
    viewer = look.viewer(USER + 5)
    assert viewer == Viewer(seat=seats[2], since=len(world.entries))
    assert not look.table.offers[1].shown_to(seats[2])
    assert look.table.offers[1].shown_to(seats[1])
    assert look.table.seats[seats[2]].holdings.count(other) == 1
    told = seen(world, viewer)
    for secret in ("SECRETTOPIC", "SECRETTERMS"):
        assert secret not in told
        assert secret in seen(world, Viewer(seat=seats[2]))
        assert secret in seen(world, look.viewer(USER + 2))
    every = [move for _, moves in moved(life(world), viewer) for move in moves]
    assert balances(every)[seats[2], "hand"] == look.table.seats[seats[2]].holdings
    world.do(OpenNegotiation(by=5, other=2, topic="NEWTOPIC"))
    assert "NEWTOPIC" in seen(world, viewer)


def test_secrets_that_stay_open_to_no_moderator_once_somebody_is_forgotten() -> None:
    """Who sat there and had their name taken out might be the very one who asks."""
    world = opened(3, Random(1))
    assert auditor(world.table, 9, world.entries, [2]) == Viewer()
    assert auditor(world.table, 9, world.entries, [8]) == Viewer(moderates=True)


def test_heads_are_told_with_what_to_do_with_them() -> None:
    world = opened(2, Random(1))
    world.do(CloseTable(by=1))
    look, made = look_at(world.table), recorded(world.entries)[0]
    assert made[-1].hash in head_card(look, made[-1]).blocks[1]
    assert f"bourse verify --head 1:{made[-1].hash}" in verify_card(1, "x", 9, made[-1].hash, None).blocks[-1]
    assert "Entry 4: the entry is missing" in verify_card(1, "x", 4, "", "the entry is missing").blocks[1]
