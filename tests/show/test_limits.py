"""Whatever lies on the table, what people are shown is what Discord takes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.desk import Look
from bot.paint import paint
from bot.rules.commands import Command, EndOffer, PostOffer, SetHoldings, Sign
from bot.rules.entries import Corrected, Gained, Spent, Transaction
from bot.rules.games.ti4 import GAME
from bot.rules.games.ti4.commands import StartTurn
from bot.rules.games.ti4.components import FRAGMENTS, UNITS
from bot.rules.goods import Goods
from bot.rules.ruling import Refused
from bot.show import names
from bot.show.cards import Audience, Card, offer_card, offer_line
from bot.show.fits import TEXT_MOST, fitting
from bot.show.results import change_text, holdings_text, result_card
from bot.show.tables import table_card
from cogs.complete import choices, complete_goods
from tests.contract import limits
from tests.rules.machine import World, command, opened
from tests.show.looks import USER, look_at

LONG = {n: f"{n:02}" + "*_`~|\\" * 5 for n in range(1, 11)}
"""Names of 32 characters, as long as Discord lets them be, nearly all of them in need of a backslash."""

TERMS = "*_~|" * 75
AUDIENCES: tuple[Audience, ...] = ("channel", "poster", "addressed")

assert {len(name) for name in LONG.values()} == {32}


def problems(card: Card) -> list[str]:
    """What Discord would hold against a card."""
    components = paint(card).to_components()  # type: ignore[no-untyped-call]
    return list(limits.message({"components": components, "flags": limits.V2}, new=True))


def said(text: str) -> list[str]:
    """What Discord would hold against a plain message."""
    return list(limits.message({"content": text}, new=True))


def full() -> World:
    """Eight at a table, each with some of everything."""
    world = opened(8, Random(3))
    world.do(StartTurn(by=1, person=1))
    for person in range(1, 9):
        world.do(SetHoldings(by=1, person=person, goods=much(world)))
    return world


def much(world: World) -> Goods:
    """999 of whatever is counted, and some captured units of two colours."""
    counted = ["trade_good", "action_card", *(f"fragment:{kind}" for kind in FRAGMENTS)]
    units = [f"captured:{unit}:{seat}" for unit in UNITS[2:5] for seat in list(world.table.seats)[:2]]
    return Goods(dict.fromkeys(counted, 999) | dict.fromkeys(units, 1))


def many_offers(goods: Goods) -> Look:
    """A full table at which everybody offers this to everybody, in the longest words."""
    world = full()
    for by in range(1, 9):
        for to in range(1, 9):
            if by != to:
                world.do(PostOffer(by=by, to=to, give=goods, want=goods, terms=TERMS))
    return look_at(world.table, LONG)


ALL_FREE = Goods({"trade_good": 999, **{f"fragment:{kind}": 999 for kind in FRAGMENTS}})
"""As much as one side may give at any table, but for notes and captured units."""


# ---------------------------------------------------------------- cards


def shown(look: Look) -> Iterator[Card]:
    for offer in look.table.offers.values():
        yield from (offer_card(look, offer, audience) for audience in AUDIENCES)
    for seat in (None, *look.table.seats):
        yield table_card(look, seat)


@pytest.mark.parametrize("seed", range(3))
def test_cards_of_a_table_that_has_lived(seed: int) -> None:
    dice = Random(seed)
    world = opened(8, dice)
    for _ in range(150):
        world.tries(command(world.table, dice))
    look = look_at(world.table, LONG)
    assert [problem for card in shown(look) for problem in problems(card)] == []
    for entry in world.entries:
        if isinstance(entry, Transaction):
            found = [problems(result_card(look, entry, seat)) for seat in (entry.first, entry.second)]
            assert found == [[], []]
        if isinstance(entry, Gained | Spent | Corrected):
            assert said(change_text(look, entry)) == []


def test_an_offer_with_the_longest_names_goods_and_terms() -> None:
    world = full()
    giver, taker = (world.table.seat_of(person) for person in (1, 2))
    assert giver is not None
    assert taker is not None
    units = Goods({f"captured:{unit}:{taker.id}": 1 for unit in UNITS if unit not in ("fighter", "infantry")})
    note = Goods({f"note:political_secret:{giver.id}": 1})
    world.do(PostOffer(by=1, to=2, give=ALL_FREE + units + note, want=ALL_FREE, terms=TERMS))
    look = look_at(world.table, LONG)
    for audience in AUDIENCES:
        assert problems(offer_card(look, look.table.offers[1], audience)) == []


def test_the_table_with_eight_and_as_many_offers_as_it_lists() -> None:
    assert problems(table_card(many_offers(Goods({"trade_good": 3})), None)) == []


def test_the_table_with_eight_and_the_longest_offers() -> None:
    assert problems(table_card(many_offers(ALL_FREE), None)) == []


def test_the_list_of_offers() -> None:
    look = many_offers(Goods({"trade_good": 3}))
    lines = fitting([names.escape(offer_line(look, offer, None)) for offer in look.table.open_offers()], TEXT_MOST)
    assert problems(Card("open", ("\n".join(lines),))) == []
    assert len(look.table.open_offers()) == len(lines) or "more" in lines[-1]


def test_what_somebody_holds_fits() -> None:
    look = look_at(full().table, LONG)
    for seat in look.table.seats:
        assert problems(Card("open", (f"### {seat}", holdings_text(look, seat)))) == []


def test_what_somebody_holds_who_has_everybodys_notes() -> None:
    world = full()
    every = [token for seat in world.table.seats for token in GAME.start(seat)]
    world.do(SetHoldings(by=1, person=1, goods=much(world) + Goods(dict.fromkeys(every, 1))))
    seat = world.table.seat_of(1)
    assert seat is not None
    assert problems(Card("open", (holdings_text(look_at(world.table, LONG), seat.id),))) == []


# ---------------------------------------------------------------- choices


def test_choices_are_no_more_and_no_longer_than_discord_takes() -> None:
    look = many_offers(ALL_FREE)
    offers = choices(((offer_line(look, offer, None), offer.number) for offer in look.table.open_offers()), "")
    assert list(limits.choices([choice.to_dict() for choice in offers])) == []
    for seat in (None, *look.table.seats):
        for own in (True, False):
            for typed in ("", "c", "3 tg, ", "x" * 101, "3 tg, " * 30):
                found = complete_goods(look, seat, typed, own=own)
                assert list(limits.choices([choice.to_dict() for choice in found])) == []


# ---------------------------------------------------------------- names

MARKUP = [
    "**bold**",
    "__u__ ~~s~~",
    "||hidden||",
    "`code`",
    "<@1> <#2>",
    "[a](https://b)",
    "# title",
    "a\\*b",
]


@pytest.mark.parametrize("name", MARKUP)
def test_names_are_shown_as_they_are_written(name: str) -> None:
    """In text a name is escaped; where Discord draws no markdown it stands as it is."""
    world = opened(2, Random(3))
    seats = list(world.table.seats)
    world.do(SetHoldings(by=1, person=1, goods=Goods({f"note:ceasefire:{seats[1]}": 1})))
    look = look_at(world.table, {2: name})
    assert names.escape(name) in holdings_text(look, seats[0])
    world.do(PostOffer(by=1, to=2, give=Goods({"trade_good": 1}), terms=name))
    look = look_at(world.table, {2: name})
    offer = world.table.offers[1]
    card = "\n".join(offer_card(look, offer).blocks)
    assert f"> {names.escape(name)}" in card
    assert names.escape(f"(to {name})") in "\n".join(table_card(look, None).blocks)
    assert offer_line(look, offer, None).endswith(f"(to {name})")


def test_terms_are_one_line() -> None:
    """Nobody makes a card say what the bot does not: a line break would end the quote."""
    world = opened(2, Random(3))
    world.do(PostOffer(by=1, to=2, give=Goods({"trade_good": 1}), terms="yes\n### Done: transaction 7\n-# x"))
    card = offer_card(look_at(world.table), world.table.offers[1])
    quoted = [block.split("\n")[0] for block in card.blocks if block.startswith(">")]
    assert quoted == ["> yes \\#\\#\\# Done: transaction 7 -\\# x"]


@pytest.mark.parametrize("name", ["<person:x>", "<seat:nowhere>", "<person:99>", "<name:sol>"])
def test_a_name_that_looks_like_a_mark_of_ours(name: str) -> None:
    """Whoever is called so must not break the table for everybody, nor be shown as somebody else."""
    world = opened(2, Random(3))
    world.do(PostOffer(by=1, to=2, give=Goods({"trade_good": 1})))
    assert name in offer_line(look_at(world.table, {2: name}), world.table.offers[1], None)


@pytest.mark.parametrize("typed", ["<person:x>", "<seat:nowhere>", "3 <person:1>"])
def test_what_was_typed_is_no_mark_of_ours(typed: str) -> None:
    look = look_at(opened(2, Random(3)).table)
    with pytest.raises(Refused) as refused:
        GAME.read_goods(typed, look.table, None, names.spoken(look))
    assert typed.rsplit(maxsplit=1)[-1].strip("<>") in names.tell(look, refused.value.ruling.sentence())


def test_a_long_mistake_is_answered_within_the_limit() -> None:
    look = look_at(opened(2, Random(3)).table)
    with pytest.raises(Refused) as refused:
        GAME.read_goods("x" * 6000, look.table, None, names.spoken(look))
    assert said(names.tell(look, refused.value.ruling.sentence())) == []


def test_every_end_of_an_offer_is_told() -> None:
    """An offer that is over has no buttons, and says how it ended."""
    ends: dict[str, tuple[Command, ...]] = {
        "Declined": (EndOffer(by=2, offer=1, how="decline"),),
        "Withdrawn": (EndOffer(by=1, offer=1, how="withdraw"),),
        "Done: transaction 1": (
            StartTurn(by=1, person=1),
            Sign(by=1, offer=1, revision=1),
            Sign(by=2, offer=1, revision=1),
        ),
    }
    for told, commands in ends.items():
        world = opened(2, Random(3))
        world.do(PostOffer(by=1, to=2, give=Goods({"trade_good": 1})))
        for one in commands:
            world.do(one)
        for audience in AUDIENCES:
            card = offer_card(look_at(world.table), world.table.offers[1], audience)
            assert told in card.blocks[-1]
            labels = [button.label for row in card.rows if isinstance(row, tuple) for button in row]
            assert labels == (["Again"] if told.startswith("Done") else [])
            assert "revision 1" in card.blocks[-1]


def test_a_button_names_the_table_the_offer_and_the_revision() -> None:
    world = opened(2, Random(3))
    world.do(PostOffer(by=1, to=2, give=Goods({"trade_good": 1})))
    look = look_at(world.table)
    for audience in AUDIENCES:
        for row in offer_card(look, world.table.offers[1], audience).rows:
            assert isinstance(row, tuple)
            assert all(button.action.startswith("offer:1:1:1:") for button in row)
    assert f"<@{USER + 1}>" in offer_card(look, world.table.offers[1]).blocks[0]
