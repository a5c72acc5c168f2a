"""State and views are frozen dataclasses: what is not there can't be read, written or invented."""

from __future__ import annotations

from bot.rules.features.offers.entries import Signed
from bot.rules.model.actions import OfferAction
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Offer
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table, TableSettings
from bot.rules.views import EntryView, OfferView, SeatView, TableView


def changes(offer: Offer, table: Table) -> None:
    replace(offer, status="void")
    replace(offer, statuss="void")  # E: Unexpected keyword argument "statuss"
    replace(offer, status="over")  # E: incompatible type "Literal['over']"
    replace(table, seats={"sol": 3})  # E: expected "str": "Seat"
    offer.status = "void"  # E: Property "status" defined in "Offer" is read-only
    table.offers[1] = offer  # E: Unsupported target for indexed assignment


def hands_of_others(view: TableView, seat: SeatView) -> None:
    seat.open.total()
    seat.holdings.total()  # E: "SeatView" has no attribute "holdings"
    seat.hidden.total()  # E: "Goods | None" has no attribute "total"
    print(view.state)  # E: "TableView" has no attribute "state"
    print(view.tenures)  # E: "TableView" has no attribute "tenures"
    print(view.deal_tally)  # E: "TableView" has no attribute "deal_tally"
    print(view.hands["sol"])  # E: "TableView" has no attribute "hands"


def secrets_of_offers(offer: OfferView, entry: EntryView) -> None:
    print(offer.give)  # E: "OfferView" has no attribute "give"
    print(offer.signatures)  # E: "OfferView" has no attribute "signatures"
    print(offer.reasons)  # E: "OfferView" has no attribute "reasons"
    print(offer.sides.hidden)  # E: "Sides" has no attribute "hidden"
    print(offer.was.give)  # E: Item "None" of "Sides | None" has no attribute "give"
    print(entry.sealed)  # E: "EntryView" has no attribute "sealed"


def made_up(goods: Goods) -> None:
    OfferAction(1, 2, 3, "more")
    OfferAction(1, 2, 3, "accept")  # E: incompatible type "Literal['accept']"
    TableSettings(rulings="ignore")  # E: incompatible type "Literal['ignore']"
    Signed(offer=1, revision=1, seat="sol", window=1)  # E: Missing named argument "during"
    goods["salt"] = 2  # E: Unsupported target for indexed assignment
