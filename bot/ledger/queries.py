"""The statements that read, as SQLAlchemy Core values. Nothing is executed here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, false, func, or_, select, text, true, union_all

from bot.ledger.schema import cursors, entries, key_values, messages, people, removals, snapshots, tables
from bot.rules.model.references import Reference

OPEN = tables.c.closed_at.is_(None)
KEPT = ~select(removals.c.seq).where(removals.c.table_id == tables.c.id).exists()
"""The table was not removed. ``NOT EXISTS`` uses an index on PostgreSQL; ``NOT IN`` would read all removals."""

BLANK: Mapping[str, Any] = {
    "guild_id": None, "channel_id": 0, "place_salt": "", "game": "", "name": "", "deadline": None
}  # fmt: skip
"""The row of a removed table, apart from its id and the time of its removal."""

HEAD: Select[Any] = (
    select(entries.c.seq, entries.c.hash, entries.c.seal)
    .where(entries.c.table_id == bindparam("of_table"))
    .order_by(entries.c.seq.desc())
    .limit(1)
)
"""The last entry of the table ``of_table``. Used before almost every read of a table, so it is built once."""

ROW = (
    select(tables, cursors.c.seq.label("cursor"), cursors.c.seal.label("cursor_seal"))
    .outerjoin(cursors, cursors.c.table_id == tables.c.id)
    .where(tables.c.id == bindparam("of_table"), KEPT)
)
SNAPSHOT = select(snapshots).where(snapshots.c.table_id == bindparam("of_table"))
PEOPLE = select(people).where(people.c.table_id == bindparam("of_table")).order_by(people.c.person)
ENTRIES = (
    select(entries)
    .where(
        entries.c.table_id == bindparam("of_table"),
        entries.c.seq > bindparam("after_seq"),
        entries.c.seq <= bindparam("until_seq"),
    )
    .order_by(entries.c.seq)
)
"""These four and `HEAD` load a table."""


def entries_of(table_id: int, after: int = 0, until_seq: int | None = None) -> Select[Any]:
    """Select a table's entries numbered after + 1 to ``until_seq``, in order."""
    query = select(entries).where(entries.c.table_id == table_id).order_by(entries.c.seq)
    if after:
        query = query.where(entries.c.seq > after)
    return query if until_seq is None else query.where(entries.c.seq <= until_seq)


def entries_about(table_id: int, subjects: Collection[Reference], until_seq: int | None) -> Select[Any]:
    """Select a table's entries about some subjects, in order."""
    about = entries.alias()
    # The subquery takes the numbers from the index. Without it, SQLite reads all of the table's entries in order.
    numbers = select(about.c.seq).where(about.c.table_id == table_id, about.c.subject.in_(sorted(subjects)))
    if until_seq is not None:  # in the subquery, or SQLite would scan all entries up to there
        numbers = numbers.where(about.c.seq <= until_seq)
    return entries_of(table_id).where(entries.c.seq.in_(numbers))


def entries_of_kinds(table_id: int, kinds: Collection[str], until_seq: int | None) -> Select[Any]:
    """Select a table's entries of some kinds, in order."""
    return entries_of(table_id, 0, until_seq).where(entries.c.kind.in_(sorted(kinds)))


def newest_entries(
    table_id: int, until_seq: int, limit: int, *, after: int = 0, kinds: Collection[str] | None = None, skip: int = 0
) -> Select[Any]:
    """Select a table's last ``limit`` entries numbered after + 1 to ``until_seq``, newest first, skipping ``skip``.

    ``kinds`` limits them to some kinds.
    """
    query = select(entries).where(entries.c.table_id == table_id).order_by(entries.c.seq.desc()).limit(limit)
    if kinds is None:
        return query.where(*_among(table_id, after, until_seq)).offset(skip)
    return query.where(entries.c.seq.in_(_numbers(table_id, after, until_seq, kinds, limit, skip, newest=True)))


def oldest_entries(
    table_id: int, until_seq: int | None, limit: int, *, after: int = 0, kinds: Collection[str] | None = None
) -> Select[Any]:
    """Select a table's first ``limit`` entries numbered after + 1 to ``until_seq``, in order."""
    query = select(entries).where(entries.c.table_id == table_id).order_by(entries.c.seq).limit(limit)
    if kinds is None:
        return query.where(*_among(table_id, after, until_seq))
    return query.where(entries.c.seq.in_(_numbers(table_id, after, until_seq, kinds, limit, 0, newest=False)))


def _numbers(
    table_id: int, after: int, until_seq: int | None, kinds: Collection[str], limit: int, skip: int, *, newest: bool
) -> Select[Any]:
    """Select the numbers of the first or last ``limit`` entries of some kinds, skipping ``skip``.

    There is a subquery for each kind, since the index returns one kind's numbers in order and stops at the limit. A
    single query for all kinds would scan entries of every kind, or sort all matches.
    """
    if not kinds:
        return select(entries.c.seq).where(false())
    each = []
    for kind in sorted(kinds):
        of_kind = select(entries.c.seq).where(entries.c.kind == kind, *_among(table_id, after, until_seq))
        ordered = of_kind.order_by(entries.c.seq.desc() if newest else entries.c.seq).limit(limit + skip)
        each.append(select(ordered.subquery().c.seq))
    found = union_all(*each).subquery()
    order = found.c.seq.desc() if newest else found.c.seq
    return select(found.c.seq).order_by(order).limit(limit).offset(skip)


def number_of_entries(table_id: int, until_seq: int, *, after: int, kinds: Collection[str] | None) -> Select[Any]:
    """Count a table's entries numbered after + 1 to ``until_seq``. ``kinds`` limits them to some kinds."""
    query = select(func.count()).select_from(entries).where(*_among(table_id, after, until_seq))
    return query if kinds is None else query.where(entries.c.kind.in_(sorted(kinds)))


def kinds_of(table_id: int) -> Select[Any]:
    """Select the distinct kinds of a table's entries, in order.

    Each step jumps to the next kind in the index, so no entry is read.
    """
    of_table = entries.c.table_id == table_id
    first = select(func.min(entries.c.kind).label("kind")).where(of_table).cte("found", recursive=True)
    following = select(func.min(entries.c.kind)).where(of_table, entries.c.kind > first.c.kind).scalar_subquery()
    found = first.union_all(select(following).where(first.c.kind.is_not(None)))
    return select(found.c.kind).where(found.c.kind.is_not(None))


def last_before(table_id: int, at: int) -> Select[Any]:
    """Select the number of a table's last entry written before ``at``, searching from the newest."""
    before = select(entries.c.seq).where(entries.c.table_id == table_id, entries.c.at < at)
    return before.order_by(entries.c.seq.desc()).limit(1)


def entries_with_number(table_id: int, kind: str, field: str, number: int, until_seq: int | None) -> Select[Any]:
    """Select a table's entries of a kind whose JSON contains ``field`` with this number, in order."""
    ends = (entries.c.public.contains(f'"{field}":{number}{end}', autoescape=True) for end in ",}")
    return entries_of(table_id, 0, until_seq).where(entries.c.kind == kind, or_(*ends))


def _among(table_id: int, after: int, until_seq: int | None) -> Iterator[ColumnElement[bool]]:
    yield entries.c.table_id == table_id
    if until_seq is not None:
        yield entries.c.seq <= until_seq
    if after > 0:
        yield entries.c.seq > after


def stored_after(table_id: int, last: object, limit: int) -> Select[Any]:
    """Select a page of a table's rows as stored, even with invalid numbers. ``last`` is None for the first page."""
    query = select(entries).where(entries.c.table_id == table_id).order_by(entries.c.seq).limit(limit)
    return query if last is None else query.where(entries.c.seq > last)


def sealed_of(table_id: int, after: int, until_seq: int | None) -> Select[Any]:
    """Select table, number and sealed column of the entries numbered after + 1 to ``until_seq`` that have one."""
    columns = (entries.c.table_id, entries.c.seq, entries.c.sealed)
    return select(*columns).where(*_among(table_id, after, until_seq), entries.c.sealed.is_not(None))


def numbered(table_id: int, hash: str) -> Select[Any]:
    """Select the number of the entry with this hash."""
    return select(entries.c.seq).where(entries.c.table_id == table_id, entries.c.hash == hash)


def answered(interaction: int) -> Select[Any]:
    """Select table, first number and size of the command that came from an interaction."""
    return select(entries.c.table_id, entries.c.seq, entries.c.command_size).where(entries.c.interaction == interaction)


def claims(table_id: int) -> Select[Any]:
    """Select the last entry numbers that other rows refer to. They reveal a chain that was cut at its end."""
    referred = union_all(
        select(func.max(cursors.c.seq).label("seq")).where(cursors.c.table_id == table_id),
        select(func.max(snapshots.c.seq)).where(snapshots.c.table_id == table_id),
    ).subquery()
    return select(referred.c.seq)


def people_of(table_id: int) -> Select[Any]:
    """Select a table's people, by number."""
    return select(people).where(people.c.table_id == table_id).order_by(people.c.person)


def known(user_id: int) -> Select[Any]:
    """Select the ids of the tables that know a user."""
    return select(people.c.table_id).where(people.c.user_id == user_id)


def last_table_in(channel_id: int) -> Select[Any]:
    """Select a channel's open table, or else the last table opened there."""
    here = select(tables).where(tables.c.channel_id == channel_id, KEPT)
    return here.order_by(OPEN.desc(), tables.c.id.desc()).limit(1)


def open_tables_on(guild_id: int) -> Select[Any]:
    """Count the open tables of a server."""
    return select(func.count()).select_from(tables).where(tables.c.guild_id == guild_id, OPEN)


def deadlines() -> Select[Any]:
    """Select the open tables that have a deadline, earliest first."""
    return (
        select(tables.c.id, tables.c.guild_id, tables.c.deadline)
        .where(tables.c.deadline.is_not(None), OPEN)
        .order_by(tables.c.deadline, tables.c.id)
    )


def heads(shards: Collection[int], count: int) -> Select[Any]:
    """Select the open tables of these shards of ``count``, with their servers and last entry numbers."""
    last = select(func.max(entries.c.seq)).where(entries.c.table_id == tables.c.id).scalar_subquery()
    query = select(tables.c.id, tables.c.guild_id, last.label("seq")).where(OPEN).order_by(tables.c.id)
    # The database filters by shard, since finding last entries is slow.
    return query if len(shards) == count else query.where(_shard(count).in_(sorted(shards)))


def _shard(count: int) -> ColumnElement[Any]:
    """Return the shard of a table's server, as `bot.service.Shards` computes it."""
    return func.coalesce(tables.c.guild_id, 0) // (1 << 22) % count


def unlisted() -> Select[Any]:
    """Select the tables that have entries but no row in the directory."""
    found = select(entries.c.table_id).where(entries.c.table_id.not_in(select(tables.c.id))).distinct()
    return found.order_by(entries.c.table_id)


def unremoved() -> Select[Any]:
    """Select the removals of tables that still have entries, or whose row is not blank as a removal leaves it."""
    blank = (tables.c[name].is_not_distinct_from(value) for name, value in BLANK.items())
    left = select(tables.c.id).where(tables.c.id == removals.c.table_id, tables.c.closed_at == removals.c.at, *blank)
    kept = or_(removals.c.table_id.in_(select(entries.c.table_id)), ~left.exists())
    return select(removals.c.seq, removals.c.table_id).where(kept).order_by(removals.c.table_id)


def counted(key: str) -> Select[Any]:
    """Select the number of listed tables and the number stored under a key, in one statement."""
    listed = select(func.count()).select_from(tables).scalar_subquery()
    stored = select(key_values).where(key_values.c.key == key).subquery()
    one = select(listed.label("listed")).subquery()
    return select(one.c.listed, stored.c.value, stored.c.seal).select_from(one.outerjoin(stored, true()))


def undelivered() -> Select[Any]:
    """Select the tables with entries after their cursor or with owed messages, the most recently active first."""
    last = select(func.max(entries.c.seq)).where(entries.c.table_id == tables.c.id).scalar_subquery()
    newest = (
        select(entries.c.at)
        .where(entries.c.table_id == tables.c.id)
        .order_by(entries.c.seq.desc())
        .limit(1)
        .scalar_subquery()
    )
    # Literally as in the index: with bound parameters, not every database would use it.
    owed = select(messages.c.table_id).where(text("messages.fate NOT IN ('shown', 'given_up')"))
    return (
        select(tables.c.id)
        .outerjoin(cursors, cursors.c.table_id == tables.c.id)
        .where(KEPT, or_(func.coalesce(cursors.c.seq, 0) < last, tables.c.id.in_(owed)))
        .order_by(newest.desc(), tables.c.id.desc())
    )


def messages_of(table_id: int) -> Select[Any]:
    """Select a table's messages, by subject."""
    return select(messages).where(messages.c.table_id == table_id).order_by(messages.c.subject)
