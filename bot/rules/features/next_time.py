"""The next time: when the people of a paused or closed table meet again, who comes, and one
reminder an hour before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.rules.access import is_host, require_since
from bot.rules.commands import Caller, Command, button
from bot.rules.entries import Entry
from bot.rules.feature import Feature
from bot.rules.model.replacing import replace
from bot.rules.model.table import HOUR, MINUTE, NextTime, Table
from bot.rules.model.text import one_line
from bot.rules.model.violation import Refused
from bot.rules.model.windows import Since

FURTHEST = 366 * 24 * HOUR
"""How far ahead the next time may be, in milliseconds."""

ZONE_MAX = 40
"""The most characters of a time zone's name."""


def _require_part(table: Table, caller: Caller) -> None:
    """Raise `Refused` unless the caller sits at the table, or sat there when it closed, or
    `is_host`.
    """
    if table.seat_of(caller.person) is None and not is_host(table, caller):
        raise SetNextTime.no_part()


class SetNextTime(Command):
    """Say when people meet again. ``at`` is in milliseconds since 1970, ``zone`` a time zone for
    the form to keep.

    Needs a seat or the host. Possible at every table, also at a paused and a closed one.
    """

    kind = "table.remind"
    private_reply = True
    at: int
    zone: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        _require_part(table, caller)
        self.require_ahead(self.at, caller.at)
        if table.next_time is not None and table.next_time.at == self.at:
            raise Refused("That is the next time already.", "**Coming** says that you come.")
        zone = one_line(self.zone)[:ZONE_MAX]
        return [NextTimeSet(at=self.at, zone=zone, person=caller.person)]

    @staticmethod
    def no_part() -> Refused:
        """Return the refusal for somebody who neither sits at the table nor hosts it. It may be
        closed or paused, and then has no menu.
        """
        return Refused(
            "You don't sit at this table.",
            "Ask its host, or somebody who does: they say when you meet, and who comes.",
        )

    @staticmethod
    def require_ahead(at: int, now: int) -> None:
        """Raise `Refused` for a time that is past, less than an hour ahead or too far. In
        milliseconds since 1970.
        """
        if at <= now:
            raise Refused(
                f"<t:{at // 1000}:F> is past.",
                "Name a time that is still to come: “tomorrow 19:30”.",
            )
        if at < now + HOUR:
            soonest = -(-(now + HOUR) // MINUTE) * 60
            reason = f"That is <t:{at // 1000}:R>, and I remind you an hour before."
            raise Refused(reason, f"Name a time from <t:{soonest}:t> on.")
        if at > now + FURTHEST:
            raise Refused("That is more than a year ahead.", "Name a time within a year.")

    def reply(self, entries: Sequence[Entry]) -> str:
        return (
            f"The channel knows: <t:{self.at // 1000}:F>. Whoever presses **Coming** gets a DM an "
            "hour before."
        )


class NextTimeSet(Entry):
    """``person`` said when people meet again. Nobody has said yet that they come."""

    kind = "table.next"
    announced = False
    at: int
    zone: str
    person: int

    def sentence(self, ruler: str) -> str:
        return f"<person:{self.person}> said when you meet again: <t:{self.at // 1000}:F>."

    def apply(self, table: Table) -> Table:
        return replace(table, next_time=NextTime(self.at, since=table.seq + 1), zone=self.zone)


class Come(Command):
    """Say that one comes the next time, or not after all. Needs a seat or the host.

    ``since`` is that of the `NextTime`.
    """

    kind = "table.coming"
    private_reply = True
    comes: bool = True
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        _require_part(table, caller)
        if table.next_time is None:
            raise Refused("Nobody has said when you meet again.", "**Remind us…** does.")
        over = f"You meet at another time now: <t:{table.next_time.at // 1000}:F>."
        label, now = ("Coming" if self.comes else "Not coming"), table.next_time.since
        again = button(label, table, replace(self, since=now))
        require_since(self.since, now, over, again)
        if (caller.person in table.next_time.coming) == self.comes:
            said = "have already said" if self.comes else "have not said"
            raise Refused(f"You {said} that you come.", "**Coming** and **Not coming** change it.")
        return [Coming(person=caller.person, comes=self.comes)]

    def reply(self, entries: Sequence[Entry]) -> str:
        if self.comes:
            return "You get a DM an hour before."
        return "You are not coming, and get no DM."


class Coming(Entry):
    """``person`` said that they come the next time, or not after all."""

    kind = "table.coming"
    announced = False
    person: int
    comes: bool

    def sentence(self, ruler: str) -> str:
        return f"<person:{self.person}> is {'' if self.comes else 'not '}coming the next time."

    def apply(self, table: Table) -> Table:
        assert table.next_time is not None
        others = tuple(each for each in table.next_time.coming if each != self.person)
        coming = (*others, self.person) if self.comes else others
        return replace(table, next_time=replace(table.next_time, coming=coming))


class Reminded(Entry):
    """An hour before the next time, ``at``, the clock reminded those who come. The time is told, so
    it is over.
    """

    kind = "table.reminded"
    announced = False
    at: int
    coming: tuple[int, ...]

    def sentence(self, ruler: str) -> str:
        return f"An hour before <t:{self.at // 1000}:F>, I reminded {len(self.coming)}."

    def apply(self, table: Table) -> Table:
        return replace(table, next_time=None)


def reminded(table: Table, now: int) -> list[Entry]:
    """Return the reminder that is due at this time, if there is one."""
    next_time = table.next_time
    if next_time is None or next_time.reminds_at > now:
        return []
    return [Reminded(at=next_time.at, coming=next_time.coming)]


FEATURE = Feature(commands=(SetNextTime, Come), entries=(NextTimeSet, Coming, Reminded))
