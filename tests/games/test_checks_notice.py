"""Tests that the shipped checks notice an author's mistakes: each is made on purpose in the
auction.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path

import pytest

from bot.testing import Checks
from tests.plugin.bazaar.installing import installed, point
from tests.scale import at_scale

pytestmark = pytest.mark.slow

AUCTION = Path(__file__).parents[2] / "examples" / "auction" / "bourse_auction"

MISTAKES = {
    "a secret field that is not sealed": (
        "bidding.py",
        'coins: Annotated[int | None, Sealed("parties")] = None',
        "coins: int | None = None",
        "secrets",
        r"sees entry auction\.bid: .*coins",
    ),
    "a seed that is not sealed": (
        "bidding.py",
        'seed: Annotated[str | None, Sealed("keeper")] = None',
        "seed: str | None = None",
        "laws",
        "tells the seed: seal it",
    ),
    "a board that tells": (
        "__init__.py",
        'heading=f"The {lots.up} is up"',
        'heading=f"The {lots.up} is up: {dict(lots.bids)}"',
        "secrets",
        "sees table: .board.heading",
    ),
    "a trade whose hidden goods are public": (
        "__init__.py",
        "return Moves(public, hidden)",
        "return Moves({**changes}, {})",
        "secrets",
        "sees",
    ),
    "a violation that tells of a purse": (
        "__init__.py",
        "known_to=seat, about=seat",
        "about=seat",
        "secrets",
        "sees table: .*does not have so many coins",
    ),
    "goods that get lost": (
        "__init__.py",
        "gained=trade.second_gives",
        "gained=NOTHING",
        "laws",
        "became",
    ),
    "a rule that the rulebook lacks": (
        "bidding.py",
        '/auction next.", rule="3"',
        '/auction next.", rule="33"',
        "laws",
        r"cites \[33\]",
    ),
    "a refusal that is no sentence": (
        "bidding.py",
        '"You have bid for this one."',
        '"no"',
        "laws",
        "no",
    ),
    "randomness of one's own": (
        "bidding.py",
        "seed = seed_of(table, caller.chance)",
        "import secrets; seed = secrets.token_hex()",
        "laws",
        "another answer the next time",
    ),
    "a state that is changed in place": (
        "bidding.py",
        "bids = {**lots.bids, seat.id: self.coins}",
        "bids = lots.bids; bids[seat.id] = self.coins",
        "laws",
        "",
    ),
}


@pytest.fixture
def auction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> type[Checks]:
    """The checks of the auction, with a mistake made in a copy of it."""
    shutil.copytree(AUCTION, tmp_path / "bourse_auction")
    if mistake := request.param:
        file, right, wrong = mistake[:3]
        text = (tmp_path / "bourse_auction" / file).read_text(encoding="utf-8")
        assert right in text
        (tmp_path / "bourse_auction" / file).write_text(
            text.replace(right, wrong), encoding="utf-8"
        )
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("bourse_auction", "bourse_auction.bidding"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    bidding = importlib.import_module("bourse_auction.bidding")

    class Auction(Checks):
        game = "auction"
        conserved = (bidding.COIN, *bidding.PAINTINGS)
        creates = (bidding.Bid, bidding.Hammer)
        reveals = (bidding.Sold,)
        acts = 300  # each mistake shows at one of the tables

    return Auction


def checked(auction: type[Checks], which: str) -> None:
    with installed(point(sys.modules["bourse_auction"].GAME)):
        getattr(auction(), f"test_{which}")()


@pytest.mark.parametrize("auction", [None], indirect=True)
def test_as_it_is_it_keeps_them(auction: type[Checks]) -> None:
    auction.tables, auction.acts = at_scale(2, 6), at_scale(60, 300)
    for which in ("laws", "secrets"):
        checked(auction, which)


@pytest.mark.parametrize(
    ("auction", "which", "told"),
    [(each, *each[3:]) for each in MISTAKES.values()],
    ids=MISTAKES,
    indirect=["auction"],
)
def test_a_mistake_is_noticed(auction: type[Checks], which: str, told: str) -> None:
    with pytest.raises((AssertionError, TypeError), match=f"(?s){told}"):
        checked(auction, which)


@pytest.mark.parametrize("auction", [None], indirect=True)
def test_what_an_earlier_version_wrote_is_read_again(auction: type[Checks], tmp_path: Path) -> None:
    with installed(point(sys.modules["bourse_auction"].GAME)):
        auction().write_ledger(tmp_path / "1.0.jsonl")
        auction.ledgers = tmp_path
        auction().test_earlier_ledgers()
        text = (tmp_path / "1.0.jsonl").read_text(encoding="utf-8")
        (tmp_path / "0.9.jsonl").write_text(
            text.replace("auction.up", "auction.offered"), encoding="utf-8"
        )
        with pytest.raises(AssertionError, match=r"auction\.offered of 0\.9\.jsonl can't be read"):
            auction().test_earlier_ledgers()
