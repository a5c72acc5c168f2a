"""Reads offers, transactions, and who may know of them from a ledger's database."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import NullPool, RowMapping, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.ledger.engine import address

Json = dict[str, Any]

ANSWERS_WITHIN = 60.0
"""Seconds in which the database answers again."""

OVER = frozenset({"offer.withdrawn", "offer.expired", "offer.voided", "offer.transaction"})


@dataclass
class Offer:
    """An offer as it stands; people are Discord's ids of users."""

    number: int
    poster: str
    to: str | None
    private: bool
    negotiation: int | None
    revision: int = 1
    live: bool = True
    picked: bool = False
    changed_at: float = 0.0  # when its last entry was written, in seconds since 1970


@dataclass(frozen=True)
class Done:
    """A transaction: its two people, who caused it, and with which interaction."""

    number: int
    offer: int
    people: tuple[str, str]
    actor: str | None
    interaction: str | None


@dataclass
class Table:
    """One table of the ledger."""

    id: int
    name: str
    channel: str
    open: bool
    offers: dict[int, Offer] = field(default_factory=dict)
    done: list[Done] = field(default_factory=list)
    people: dict[int, str] = field(default_factory=dict)  # number at the table -> user
    seats: dict[str, str] = field(default_factory=dict)  # seat -> user
    # who may read it, and the text
    sealed: list[tuple[frozenset[str], str]] = field(default_factory=list)
    # offers and deals: who, when, and all it says
    posted: list[tuple[int, int, str]] = field(default_factory=list)
    entries: int = 0
    negotiations: int = 0  # how many were opened

    def knowers(self, word: str) -> frozenset[str]:
        """The users to whom something sealed was told that holds this word."""
        return frozenset().union(*(users for users, text in self.sealed if word in text))


async def with_open_dms(database: str) -> set[str]:
    """The users whose DMs the bot has opened, as it remembers."""
    [found] = await _ask(database, "SELECT key FROM key_values WHERE key LIKE 'dm-channel:%'")
    return {row["key"].partition(":")[2] for row in found}


async def recorded(database: str) -> list[str]:
    """The interactions that led to an entry, the latest first."""
    [found] = await _ask(database, "SELECT interaction FROM entries WHERE interaction IS NOT NULL")
    return sorted((str(row["interaction"]) for row in found), key=int, reverse=True)


async def read(database: str) -> list[Table]:
    """Every table of a ledger, also while bots are running on it."""
    found, people, entries = await _ask(
        database,
        "SELECT * FROM tables ORDER BY id",
        "SELECT * FROM people",
        "SELECT * FROM entries ORDER BY table_id, seq",
    )
    tables = {
        row["id"]: Table(row["id"], row["name"], str(row["channel_id"]), row["closed_at"] is None)
        for row in found
    }
    for row in people:
        if row["table_id"] in tables:
            tables[row["table_id"]].people[row["person"]] = str(row["user_id"])
    interaction, left = None, 0
    for row in entries:
        if row["table_id"] not in tables:
            continue
        if row["interaction"] is not None:
            interaction, left = str(row["interaction"]), row["command_size"]
        _apply(tables[row["table_id"]], row, interaction if left > 0 else None)
        left -= 1
    return list(tables.values())


async def _ask(database: str, *queries: str) -> list[Sequence[RowMapping]]:
    """Return the rows of each query, asking again while PostgreSQL is cut off or starts again."""
    url = address(database)
    if url.get_backend_name() == "sqlite":
        url = url.set(drivername="sqlite+aiosqlite")
    engine, until = create_async_engine(url, poolclass=NullPool), time.monotonic() + ANSWERS_WITHIN
    try:
        while True:
            try:
                async with engine.connect() as connection:
                    return [
                        (await connection.execute(text(query))).mappings().all()
                        for query in queries
                    ]
            except (SQLAlchemyError, OSError):
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.2)
    finally:
        await engine.dispose()


def _apply(table: Table, row: RowMapping, interaction: str | None) -> None:
    entry: Json = json.loads(row["public"])
    if entry["kind"] == "offer.confided":
        entry = json.loads(row["sealed"])["parties"]["data"]["told"]
    table.entries += 1
    kind = entry["kind"]
    table.negotiations += kind == "negotiation.opened"
    if kind == "seat.taken":
        table.seats[entry["seat"]] = table.people[entry["person"]]
    if row["sealed"]:
        table.sealed.append((_parties(table, entry), row["sealed"]))
    if kind in ("offer.posted", "deal.proposed"):
        table.posted.append((row["by"], row["at"], f"{row['public']}{row['sealed'] or ''}"))
    if kind == "offer.posted":
        to = table.seats[entry["to"]] if entry.get("to") else None
        private, talks = bool(entry.get("private")), entry.get("negotiation")
        table.offers[entry["offer"]] = Offer(
            entry["offer"], table.seats[entry["seat"]], to, private, talks
        )
    elif kind.startswith("offer."):
        _offer(table, table.offers[entry["offer"]], entry)
    if kind.startswith("offer."):
        table.offers[entry["offer"]].changed_at = row["at"] / 1000
    if kind == "offer.transaction":
        people = (table.seats[entry["first"]], table.seats[entry["second"]])
        actor = table.people.get(row["by"])
        table.done.append(Done(entry["number"], entry["offer"], people, actor, interaction))


def _parties(table: Table, entry: Json) -> frozenset[str]:
    seats = [entry.get(key) for key in ("seat", "to", "first", "second")]
    seats += [*entry.get("between", ()), *entry.get("changes", {})]
    return frozenset(table.seats[seat] for seat in seats if seat in table.seats)


def _offer(table: Table, offer: Offer, entry: Json) -> None:
    kind = entry["kind"]
    if kind in OVER:
        offer.live = False
    elif kind == "offer.altered":
        offer.revision, offer.private = entry["revision"], bool(entry.get("private"))
    elif kind == "offer.picked":
        offer.to, offer.picked = table.seats[entry["taker"]], True
    elif kind == "offer.declined":
        if offer.to is None or (offer.picked and not offer.private):
            offer.to, offer.picked = None, False
        else:
            offer.live = False
