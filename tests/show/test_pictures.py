"""Tests that pictures are small, quick, readable and described in words, and show nothing
hidden.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image

from bot.delivery.render import render_files
from bot.games.ti4 import GAME
from bot.games.ti4.agendas import RevealAgenda
from bot.games.ti4.state import are_neighbors
from bot.games.ti4.turns import StartTurn
from bot.rules.features.offers.entries import Transaction
from bot.rules.features.seats import Leave
from bot.rules.features.tables import ChangeSettings, CloseTable, OpenTable, SetPhase
from bot.rules.model.goods import NOTHING
from bot.rules.model.windows import pair
from bot.rules.views import TableView
from bot.show.cards import Card
from bot.show.pictures import ALT_MAX, Picture, ring, wealth
from bot.show.pictures.canvas import drawable, fitted
from bot.show.pictures.ring import LEADS, STYLES, Ring, Tie
from tests.drawn import message, refused
from tests.scale import long, variants
from tests.show.playing import World, lived, table_of, traded

pytestmark = pytest.mark.slow

LONG = {n: f"{n:02}" + "W" * 30 for n in range(1, 11)}
FOREIGN = dict(
    enumerate(
        (
            "小明",
            "🎲🎲",
            "Ευγενία",
            "Зоя",
            "𝓕𝓻𝓮𝓭",
            "שרה",
            "a\u0301ne",
            "\u202eevil",
            "अनु",
            "\u200b",
        ),
        1,
    )
)
KIB = 1024


def decoded(picture: Picture) -> Image.Image:
    image = Image.open(BytesIO(picture.png))
    image.load()
    return image


def ring_at(world: World, person: int = 1) -> Ring:
    found = ring.ring_of(world.view(person), world.pairs(person))
    assert found is not None
    return found


def chart_of(world: World, about: str | None = None, person: int = 0) -> wealth.Chart:
    found = wealth.chart_of(world.view(person), world.entries(person), about)
    assert found is not None
    return found


# ---------------------------------------------------------------- size, speed, names


@pytest.mark.slow
@pytest.mark.parametrize("names", [None, LONG, FOREIGN], ids=["plain", "long", "foreign"])
@pytest.mark.parametrize("seats", [2, *long(range(3, 8)), 8])
def test_every_picture_is_small_and_described(seats: int, names: Mapping[int, str] | None) -> None:
    world = traded(seats, names)
    pictures = [wealth.wealth_picture(chart_of(world, world.seat(1)))]
    for person in (1, seats, 0):
        pictures.append(ring.ring_picture(ring_at(world, person)))
    for picture in pictures:
        image = decoded(picture)
        assert image.format == "PNG"
        assert image.width == 800
        assert image.height <= 1250
        assert len(picture.png) < 200 * KIB
        assert 0 < len(picture.alt) <= ALT_MAX
        assert not picture.alt.isspace()


def test_the_longest_names_still_leave_room_for_every_pair_in_words() -> None:
    seen = ring_at(traded(8, LONG))
    three: tuple[Tie, ...] = ("now", "used", "neighbors")
    mixed = {two: three[number % 3] for number, two in enumerate(seen.ties)}
    told = ring.alt(replace(seen, subtitle="x" * 300, ties=mixed))
    assert len(told) < ALT_MAX
    assert told.endswith(".")


def test_the_busiest_game_with_the_longest_names_is_told_whole() -> None:
    chart = chart_of(traded(8, LONG))
    lines = tuple(replace(line, worth=(0, 1998)) for line in chart.lines)
    ids = [line.id for line in lines]
    told = wealth.alt(
        replace(chart, lines=lines, trades={pair(*two): 99 for two in combinations(ids, 2)})
    )
    assert len(told) < ALT_MAX
    assert told.count(" 99") == 28


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("𝓕𝓻𝓮𝓭 🎲", "Fred"),
        ("小明 Ming", "Ming"),
        ("小明", ""),
        ("a\u200bb\u202ec", "abc"),
        ("Zoë Зоя Ωω", "Zoë Зоя Ωω"),
    ],
)
def test_what_the_font_lacks_is_left_out(written: str, drawn: str) -> None:
    assert drawable(written) == drawn


def test_a_long_name_is_set_narrower_before_it_is_cut() -> None:
    _, _, wide = fitted("Hildegard", 34, 1000)
    assert fitted("Hildegard", 34, wide - 5)[0] == "Hildegard"
    cut, _, narrow = fitted("Hildegard von Bingen", 34, 120)
    assert cut.endswith("…")
    assert narrow <= 120


# ---------------------------------------------------------------- what the ring says


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(5)))
def test_the_ring_says_what_the_rules_say(seed: int) -> None:
    world = lived(seed)
    why_not = {each.seats: each.why_not for each in world.pairs()}
    for two, tie in ring_at(world, 0).ties.items():
        assert (tie == "now") == (why_not[two] is None)
        if tie != "now":
            assert (tie == "used") == (two in world.table.window.used)
        if tie in ("neighbors", "none"):
            assert (tie == "neighbors") == are_neighbors(world.table, *two)


def test_its_words_say_the_same() -> None:
    """Each pair is told once, under what there is between the two; the rest are told to have
    nothing.
    """
    seen = ring_at(traded(6))
    told = ring.alt(seen)
    players = {seat.id: seat.player for seat in seen.seats}
    for first, second in combinations(players, 2):
        tie = seen.ties[pair(first, second)]
        for other, lead in LEADS.items():
            sentence = told.partition(f"{lead}: ")[2].split(". ")[0]
            parts = sentence.rstrip(".").split("; ")
            pairs = set()
            for part in parts:
                if " with " in part:
                    pairs |= {pair(a, b) for a, b in _pairs(part)}
            assert (pair(players[first], players[second]) in pairs) == (other == tie)
    assert {"used", "now", "none"} <= set(seen.ties.values())
    assert "All other pairs can't trade now." in told
    assert f"as {players[seen.viewer or '']} sees it" in told


def _pairs(part: str) -> list[tuple[str, str]]:
    first, _, others = part.partition(" with ")
    return [(first, other) for other in others.split(", ")]


def test_neighbours_who_are_not_on_turn_are_neighbours_only() -> None:
    world = traded(6)
    world.do(StartTurn("l1z1x"))
    assert ring_at(world).ties[pair("sol", "letnev")] == "neighbors"


def test_a_pair_that_can_trade_and_one_that_has() -> None:
    world = traded(3)
    assert ring_at(world).ties[pair("hacan", "sol")] == "used"
    world.do(StartTurn("sol"))
    assert "Can trade now: p1 with p2; p2 with p3." in ring.alt(ring_at(world))
    world.do(RevealAgenda("Minister of Commerce"))
    told = ring.alt(ring_at(world, 0))
    assert "Can trade now: everybody with everybody." in told
    assert "Minister of Commerce" in told


def test_there_is_no_ring_without_two_who_sit_nor_at_a_closed_table() -> None:
    for end, by in ((CloseTable(), 1), (Leave(), 2)):
        world = table_of(2)
        world.do(end, by)
        assert ring.ring_of(world.view(), world.pairs()) is None


def test_no_tie_is_told_by_colour_alone() -> None:
    assert len({style.sign for style in STYLES.values()}) == len(STYLES)
    lines = [style.stroke for tie, style in STYLES.items() if tie != "none"]
    assert len(set(lines)) == len(lines)


# ---------------------------------------------------------------- what the chart says


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(5)))
def test_wealth_ends_at_what_the_table_has(seed: int) -> None:
    world = lived(seed)
    chart = chart_of(world)
    for line in chart.lines:
        holdings = world.table.seats[line.id].holdings
        assert line.worth[-1] == GAME.wealth(holdings).total()
    entries = [each.entry for each in world.recorded]
    assert chart.trades == Counter(
        pair(e.first, e.second) for e in entries if isinstance(e, Transaction)
    )


def test_its_words_give_the_figures() -> None:
    world = traded(3)
    world.do(SetPhase("strategy"))
    chart = chart_of(world, world.seat(1))
    told = wealth.alt(chart)
    assert (
        "Trade goods and commodities over the game: p1 4 now, 5 at most; p2 6 now, 6 at most"
        in told
    )
    assert "Transactions: p1 with p2 1." in told
    assert chart.rounds == (len(chart.lines[0].worth) - 1,)


def test_where_nobody_counts_only_the_trades_are_drawn() -> None:
    world = traded(4)
    world.do(ChangeSettings({"inventory": "untracked"}))
    picture = wealth.wealth_picture(chart_of(world))
    assert "Trade goods" not in picture.alt
    assert decoded(picture).height < 400


def test_a_table_at_which_nobody_sat_has_no_story() -> None:
    world = World()
    world.do(OpenTable("ti4", "Friday"))
    assert wealth.chart_of(world.view(), world.entries()) is None


# ---------------------------------------------------------------- secrets


@pytest.mark.slow
@pytest.mark.parametrize("seed", variants(*range(3)))
def test_hidden_notes_never_change_a_byte(seed: int) -> None:
    """The same table drawn from the view of one who knows all, and from one who knows nothing, with
    no hand in it.
    """
    world = lived(seed, 120)
    third = world.seat(3) if world.table.seat_of(3) else None
    knows = world.view(10, audits=True)
    pairs, blind = world.pairs(), _blind(world.view())
    for viewer in (third, None):
        first = ring.ring_of(replace(knows, seat=viewer), pairs)
        second = ring.ring_of(replace(blind, seat=viewer), pairs)
        assert (first and ring.ring_picture(first)) == (second and ring.ring_picture(second))
        charts = [
            wealth.chart_of(knows, world.entries(10, audits=True), viewer),
            wealth.chart_of(blind, world.entries(), viewer),
        ]
        assert len({wealth.wealth_picture(chart) for chart in charts if chart}) == 1


def _blind(view: TableView) -> TableView:
    """Return the view without anything that lies in a hand."""
    hands = {}
    for id, seat in view.seats.items():
        hands[id] = replace(seat, hidden=None, open=NOTHING)
    return replace(view, seats=hands)


# ---------------------------------------------------------------- sent


def test_a_card_sends_its_picture_with_its_words() -> None:
    picture = ring.ring_picture(ring_at(traded(3)))
    card = Card("open", "text", picture=picture)
    sent = message(card)
    assert refused(sent) == []
    gallery = sent["components"][0]["components"][-1]
    assert gallery["items"][0]["media"]["url"] == "attachment://table.png"
    assert gallery["items"][0]["description"] == picture.alt
    [upload] = render_files(card)
    assert upload.filename == "table.png"
    assert upload.fp.read() == picture.png
    assert render_files(Card("open", "text")) == []
