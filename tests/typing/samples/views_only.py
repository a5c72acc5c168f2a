"""Presentation, delivery and exports take views: nothing that holds what its reader may not
know.
"""

from __future__ import annotations

from bot.delivery.planner import plan
from bot.exports import export
from bot.rules.entries import Entry, Recorded
from bot.rules.model.deals import Deal
from bot.rules.model.offer import Offer
from bot.rules.model.table import Seat, Table
from bot.rules.views import DealView, EntryView, OfferView, TableView, Viewer
from bot.rules.visible_table import see
from bot.service import Outcome
from bot.show.accounts import moves_by_entry
from bot.show.board import board_card, table_card
from bot.show.custom_ids import encode
from bot.show.deals import deal_text
from bot.show.narration import sentence
from bot.show.offer_cards import offer_card, offer_line
from bot.show.pictures.ring import ring_of
from bot.show.pictures.wealth import chart_of


def tables(table: Table, view: TableView) -> None:
    table_card(view, [])
    table_card(table, [])  # E: "table_card" has incompatible type "Table"; expected "TableView"
    board_card(table)  # E: "board_card" has incompatible type "Table"; expected "TableView"
    ring_of(table, [])  # E: "ring_of" has incompatible type "Table"; expected "TableView"
    plan(table, {})  # E: "plan" has incompatible type "Table"; expected "Briefing"
    export("csv", table)  # E: "export" has incompatible type "Table"; expected "ExportSource"


def offers(table: Table, offer: Offer, view: TableView, seen: OfferView) -> None:
    offer_card(view, seen)
    offer_card(view, offer)  # E: "offer_card" has incompatible type "Offer"; expected "OfferView"
    offer_card(table, seen)  # E: "offer_card" has incompatible type "Table"; expected "TableView"
    # E: "offer_line" has incompatible type "Offer"; expected "OfferView"
    offer_line(view, table.offers[1])


def deals(deal: Deal, view: TableView, seen: DealView) -> None:
    deal_text(view, seen)
    deal_text(view, deal)  # E: "deal_text" has incompatible type "Deal"; expected "DealView"


def entries(recorded: Recorded, entry: Entry, view: TableView, seen: EntryView) -> None:
    sentence(seen)
    sentence(recorded)  # E: "sentence" has incompatible type "Recorded"; expected "EntryView"
    sentence(entry)  # E: "sentence" has incompatible type "Entry"; expected "EntryView"
    moves_by_entry([seen])
    moves_by_entry([recorded])  # E: has incompatible type "Recorded"; expected "EntryView"
    chart_of(view, [recorded])  # E: has incompatible type "Recorded"; expected "EntryView"


def seats(seat: Seat, view: TableView) -> None:
    view.seats["sol"] = seat  # E: Unsupported target for indexed assignment


def who_looks(table: Table, viewer: Viewer) -> None:
    see(table, viewer)
    see(table, 3)  # E: "see" has incompatible type "int"; expected "Viewer"
    see(table)  # E: Missing positional argument "viewer"
    encode(table)  # E: "encode" has incompatible type "Table"; expected "Action"


def outcomes(outcome: Outcome) -> None:
    table_card(outcome.view, [])
    sentence(outcome.entries[0])
    see(outcome.table, Viewer())  # E: "Outcome" has no attribute "table"
    # E: "sentence" has incompatible type "Recorded"; expected "EntryView"
    sentence(outcome._entries[0])
