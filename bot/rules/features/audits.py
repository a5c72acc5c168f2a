"""Audits: every look into the ledger is an entry itself, also of a closed table."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from bot.rules.access import is_host, require_host
from bot.rules.commands import Caller, Command, button
from bot.rules.entries import Entry, Recorded
from bot.rules.feature import Feature
from bot.rules.model.replacing import replace
from bot.rules.model.table import Seat, Table
from bot.rules.model.violation import Refused, Violation
from bot.rules.registry import game_of

What = Literal["ledger", "trade", "player", "holdings", "verify", "export"]
"""The subjects of a look: all entries, a transaction, a person's books, what they hold now, the
chain, a file.
"""


class Audit(Command):
    """Look at what is not open to all. Needs the host. ``about`` is a transaction's number, or a
    person's.
    """

    kind = "audit.look"
    what: What
    about: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Record the look. What the caller then sees is made from this very entry; see
        `shown_by`.
        """
        sees = sees_hands(table, caller.person)
        if self.what == "holdings" and not (sees and is_host(table, caller)):
            raise Refused.because(_secret(table))
        require_auditor(table, caller)
        if self.what == "trade" and not 1 <= (self.about or 0) <= table.transactions:
            last = "**New offer** on the board starts the first."
            if table.transactions:
                last = f"The last one is {table.transactions}."
            raise Refused(f"There is no transaction {self.about} at this table.", last)
        if self.what in ("player", "holdings") and self.about is None:
            raise Refused("Whose books do you want to see?", "Name a player.")
        if self.what == "holdings" and table.seat_of(self.about or 0) is None:
            raise Refused(
                f"<person:{self.about}> has no seat at this table.",
                "**Who has what** under **Menu** lists who does.",
            )
        hidden = self.what != "verify" and sees and has_secrets(table)
        looked = Looked(person=caller.person, what=self.what, about=self.about, hidden=hidden)
        return [looked]


class Looked(Entry):
    """A host or moderator, ``person``, looked: that they did is public.

    ``about`` is the number of the transaction or person they looked at. ``hidden``: what others may
    not know was open to them, so that they can't play at this table any more.
    """

    kind = "audit.looked"
    announced = False
    person: int
    what: What
    about: int | None = None
    hidden: bool

    def sentence(self, ruler: str) -> str:
        did = {
            "ledger": "looked into the ledger",
            "trade": f"looked up transaction {self.about}",
            "player": f"looked up what <person:{self.about}> did",
            "holdings": f"looked at what <person:{self.about}> holds",
            "verify": "had the ledger checked",
            "export": "took a copy of the ledger",
        }
        return f"<person:{self.person}> {did[self.what]}."

    def apply(self, table: Table) -> Table:
        """Return the table with this person among those who have looked."""
        return replace(table, looked=table.looked | {self.person}) if self.hidden else table


def _secret(table: Table) -> Violation:
    """Return why others may not look into hands; in a game without hidden goods, there is nothing
    to look for.
    """
    if hidden := game_of(table).hidden:
        return hidden.secret
    return Violation("", "Nothing is hidden here.", "/holdings show lists everything.")


def has_secrets(table: Table) -> bool:
    """Return whether a look tells more than everybody may know: of hands, or of what may have been
    said in private.
    """
    game = game_of(table)
    said = table.negotiations_opened > 0 or table.deals_proposed > 0
    return game.hidden is not None or game.trade.private_offers or said


def looked(look: Recorded | None, person: int) -> bool:
    """Return whether this entry records that this person looked at what may be hidden."""
    entry = look.entry if look else None
    return isinstance(entry, Looked) and entry.person == person and entry.what != "verify"


def shown_by(look: Recorded, person: int, command: Audit) -> bool:
    """Return whether this entry records that this person looked at just this."""
    entry = look.entry
    asked = (person, command.what, command.about)
    return isinstance(entry, Looked) and (entry.person, entry.what, entry.about) == asked


def require_auditor(table: Table, caller: Caller) -> None:
    """Raise `Refused` unless the caller hosts the table or moderates its server."""
    require_host(table, caller, "audit this table")


def sees_hands(table: Table, person: int, erased: Collection[int] = ()) -> bool:
    """Return whether hands are open to this host or moderator: they have never sat at the table.

    ``erased`` are the people of whom only their number is left. Once one of them has sat here, the
    person who asks might be that one under a new number, so hands are open to nobody.
    """
    sat = {tenure.person for tenure in table.tenures if tenure.counts}
    return sat.isdisjoint({person, *erased})


def require_look(table: Table, seat: Seat, caller: Caller) -> None:
    """Raise `Refused` for a host or moderator who has never sat here and has no recorded look into
    hands.

    Whatever this seat holds, so that nobody learns it from a refusal and then sits down. A person
    who plays, or has played, can't look; the game says what they may do to a hand.
    """
    if caller.person not in table.looked and sees_hands(table, caller.person):
        raise Refused(
            "Setting a hand shows you what is in it, and then you can't play at this table.",
            "If you won't play here, look at the hand first. If you will, take a seat: /table sit.",
            options=(button("Look, and don't play", table, Audit("holdings", seat.person or 0)),),
            rule=_secret(table).rule,
        )


def require_removable(table: Table, caller: Caller) -> None:
    """Raise `Refused` unless the caller may have this table removed from the ledger: its host, when
    it is closed.
    """
    require_host(table, caller, "remove a table")
    if table.open:
        raise Refused(
            "This table is still open.", "Close it first: **Close…** under **Menu**, **Host…**."
        )


FEATURE = Feature(commands=(Audit,), entries=(Looked,))
