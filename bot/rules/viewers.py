"""Viewers: who looks at a table, as `bot.rules.visible_table` and `visible_entry` ask it."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.access import is_host
from bot.rules.commands import NOBODY, Caller
from bot.rules.entries import Recorded
from bot.rules.features.audits import looked, sees_hands
from bot.rules.model.people import Person
from bot.rules.model.replacing import replace
from bot.rules.model.table import Table
from bot.rules.registry import game_of, variant_of
from bot.rules.views import Viewer


def everybody(table: Table, people: Iterable[Person]) -> Viewer:
    """Return the viewer for the table's channel, who knows what everybody may know."""
    secrets_open = table.seq > 0 and not table.open and table.settings.open_on_close == "yes"
    return Viewer(
        opened=secrets_open,
        people={person.number: person for person in people},
        roster=table.tenures,
        hosted=table.hosts,
        words=game_of(table).words(table),
        variant=variant_of(table),
    )


def room(table: Table, people: Iterable[Person], negotiation: int) -> Viewer:
    """Return the viewer for a negotiation's thread."""
    return replace(everybody(table, people), room=negotiation)


def person_viewer(
    table: Table, people: Iterable[Person], caller: Caller, *, look: Recorded | None = None
) -> Viewer:
    """Return the viewer for a person.

    ``look`` is the entry that records this look into hands by a host or moderator. Only with it,
    and if they never sat at the table, do they see hands.
    """
    known = list(people)
    seat = table.seat_of(caller.person) if caller.person else None
    hosts = is_host(table, caller)
    return replace(
        everybody(table, known),
        person=caller.person,
        seat=seat.id if seat else None,
        # A person whom the table does not know yet has the number NOBODY, and no tenures.
        tenures=tuple(each for each in table.tenures if each.person == caller.person != NOBODY),
        hosts=hosts,
        audits=looked(look, caller.person)
        and hosts
        and sees_hands(
            table, caller.person, [person.number for person in known if person.user_id is None]
        ),
    )
