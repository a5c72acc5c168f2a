"""Entries: what happened at a table. The base of the ledger's vocabulary.

Each feature of the core or of a game defines its own kinds. An entry carries everything needed to
apply and describe it: goods as they really moved, numbers as they were given. Fields marked
`Sealed` are not public; `split` separates them before anything is stored.

The meaning of a kind never changes. When its fields change, ``v`` grows, and `Entry.reads` says how
the old shape is still read.

An entry also says whom it notifies (`Call`) and what it is about (`Reference`), by which the ledger
finds it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar, Literal, NewType, get_args

from pydantic import BaseModel, ConfigDict

from bot.rules.model.table import Table
from bot.rules.model.values import frozen

Reference = NewType("Reference", str)
"""A kind, a colon, and a number or id. Write it with `reference` and read it with `number_in` only.

>>> about: Reference = reference("offer", 1)
>>> about
'offer:1'
"""


def reference(kind: str, which: int | str) -> Reference:
    """Return the reference to the offer, deal or seat (or other kind) with this number or id.

    >>> reference("offer", 12)
    'offer:12'
    """
    return Reference(f"{kind}:{which}")


def number_in(subject: Reference, kind: str) -> int | None:
    """Return the number in the reference; None if it is of another kind."""
    found, _, which = subject.partition(":")
    return int(which) if found == kind and which.isdecimal() else None


Part = Literal["parties", "keeper"]


class Sealed:
    """Marks a field as secret: ``parties``: only the entry's ``parties()`` see it; ``keeper``:
    nobody until closing.

    >>> from typing import Annotated
    >>> class Hidden(Entry):
    ...     kind = "bazaar.hidden"
    ...     place: Annotated[str | None, Sealed("keeper")] = None
    >>> Hidden(place="under the stall").place
    'under the stall'
    """

    def __init__(self, part: Part) -> None:
        self.part: Part = part


Upgrade = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Turns the fields of an entry as an earlier version wrote them into those of today. See
`Entry.reads`.

It gets everything that was written, with ``kind`` and ``v``; what it returns for those two does not
matter. Sealed fields may be missing. If it raises anything, the table can't be read.

>>> def baled(old: dict[str, int]) -> dict[str, int]:
...     return {"bales": old["silk"]}
>>> upgrade: Upgrade = baled
"""

Reads = Mapping[tuple[str, int], Upgrade | None]
"""Which entries of earlier versions are read, by kind and ``v`` as they were written. See
`Entry.reads`.

>>> reads: Reads = {
...     ("bazaar.struck", 1): None,
...     ("bazaar.bell", 1): lambda old: {"strokes": old["times"]},
... }
"""


class Entry(BaseModel):
    """Something that happened. Immutable; applying it never fails and never reads the clock.

    ``kind``: the name that the ledger stores, such as ``offer.posted``.

    ``announced``: the table's channel gets its sentence as a line. Not set for kinds that cards,
    replies or the board report.

    ``reads``: which entries of earlier versions are read as this kind. None: their fields fit as
    they are, and they keep their ``v``. Any other version can't be read.

    ``repeats``: its button means the same whenever it is pressed, as **+1** or a setting does. All
    others are about what went on when their button was drawn.

    >>> class BellRung(Entry):
    ...     kind = "bazaar.bell"
    ...     times: int
    ...     def sentence(self, ruler):
    ...         return f"The bell rang {self.times} times."
    >>> BellRung(times=3).sentence("the host")
    'The bell rang 3 times.'
    >>> class Struck(Entry):
    ...     kind = "bazaar.struck"
    ...     v: int = 2  # 2: by
    ...     reads: ClassVar[Reads] = {("bazaar.bell", 1): lambda old: {"strokes": old["times"]}}
    ...     strokes: int
    ...     by: str = ""
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    announced: ClassVar[bool] = True
    reads: ClassVar[Reads] = {}
    repeats: ClassVar[bool] = False
    kind: ClassVar[str]
    v: int = 1

    def is_news(self) -> bool:
        """Return whether the table's channel gets its sentence as a line; by default, if the kind
        is ``announced``.
        """
        return self.announced

    def parties(self) -> frozenset[str]:
        """Return the seats that may see the fields sealed for ``parties``."""
        return frozenset()

    def subject(self) -> Reference | None:
        """Return what the entry is about, as the ledger indexes it: ``offer:12``; None for the
        table itself.
        """
        return None

    def seats(self) -> frozenset[str]:
        """Return the seats that the entry is about, according to its public part."""
        return frozenset()

    def calls(self) -> Call | None:
        """Return whom the entry notifies; None for nobody."""
        return None

    def begins_phase(self) -> str:
        """Return the phase that the entry begins; empty for none."""
        return ""

    def heading(self) -> str:
        """Return the heading for the section of the history that the entry begins; empty for
        none.
        """
        phase = self.begins_phase()
        return f"{phase.capitalize()} phase" if phase else ""

    def grants(self) -> int | None:
        """Return the number of the permit that the entry grants; None for none."""
        return None

    def takes_back(self) -> int | None:
        """Return the number of the transaction that the entry takes back; None for none."""
        return None

    def undoes(self) -> bool:
        """Return whether the entry takes a slip back, so what it begins is what went on before."""
        return False

    def by_itself(self) -> bool:
        """Return whether the entry follows from another by itself, so its text does not say who
        gave the command.
        """
        return False

    def apply(self, table: Table) -> Table:
        """Return the table after this entry. The game's features apply theirs afterwards."""
        return table

    def sentence(self, ruler: str) -> str:
        """Return a sentence with markup, such as ``It is <player:sol>'s turn.``

        It is empty for the core's kinds whose sentence names goods or settings:
        `bot.show.narration` writes these in the game's words. ``ruler`` names the person who acted
        as host: ``the host`` or ``a moderator``.
        """
        return ""

    def merged(self, later: Entry) -> Entry | None:
        """Return this entry and a later one as one, if a story tells both in one sentence; else
        None.
        """
        return None

    def as_stored(self) -> Entry:
        """Return the entry as the ledger stores it: as another kind, if others may not even learn
        its own.
        """
        return self

    def redacted(self, seats: frozenset[str]) -> Entry:
        """Return the entry for a viewer who held these of its ``parties()`` and may see the fields
        sealed for them.
        """
        return self


class OfSeat(Entry):
    """An entry about one seat.

    >>> class Shouted(OfSeat):
    ...     kind = "bazaar.shouted"
    >>> Shouted(seat="red").seats()
    frozenset({'red'})
    """

    seat: str

    def seats(self) -> frozenset[str]:
        """Return the seat."""
        return frozenset({self.seat})


class ToAnother(OfSeat):
    """An entry in which ``seat`` did or said something to ``other``.

    >>> class Greeted(ToAnother):
    ...     kind = "bazaar.greeted"
    >>> sorted(Greeted(seat="red", other="green").seats())
    ['green', 'red']
    """

    other: str

    def seats(self) -> frozenset[str]:
        """Return both."""
        return frozenset({self.seat, self.other})


@frozen
class Recorded:
    """An entry with its place in the ledger. ``at`` is in milliseconds since 1970, UTC; ``by`` is a
    person's number.

    ``command_size`` is the number of entries of the command. It is set only on the first entry of a
    command that came from an interaction.
    """

    table_id: int
    seq: int
    at: int
    by: int | None
    entry: Entry
    hash: str
    command_size: int | None = None


@cache
def sealed_fields(kind: type[Entry]) -> Mapping[str, Part]:
    """Return the sealed fields of this kind, and for whom each is sealed."""
    parts: dict[str, Part] = {}
    for name, field in kind.model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, Sealed):
                parts[name] = mark.part
    return parts


def public_fields(kind: type[Entry]) -> frozenset[str]:
    """Return the fields of this kind that everybody may read, beside its name and version."""
    return frozenset(kind.model_fields.keys() - sealed_fields(kind).keys() - {"v"})


def may_be_all_sealed(kind: type[Entry]) -> bool:
    """Return whether an entry of this kind may say nothing at all to others."""
    public = (kind.model_fields[name].default for name in public_fields(kind))
    return bool(sealed_fields(kind)) and all(default is None for default in public)


def as_json(entry: Entry) -> dict[str, Any]:
    """Return all fields of an entry as JSON values, and its kind."""
    return {"kind": entry.kind, **entry.model_dump(mode="json")}


def split(entry: Entry) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Split an entry into its public fields and its sealed ones: ``{"parties": {...}, "keeper":
    {...}}``.

    Empty sealed fields are sealed too, so that the presence of a field reveals nothing.
    """
    stored = entry.as_stored()
    public = as_json(stored)
    sealed: dict[str, dict[str, Any]] = {}
    for name, part in sealed_fields(type(stored)).items():
        sealed.setdefault(part, {})[name] = public.pop(name)
    return public, sealed


CallKind = Literal["turn", "offer", "confirm", "answer", "chance", "opens", "last_minute", "still"]
"""The reason for a notification.

``turn``: it is their turn. ``offer``: there is an offer to them. ``confirm``: something waits for
them. ``answer``: their offer was accepted or declined. ``chance``: there is something that they may
do. ``opens``: the time for trade begins. ``last_minute``: it is nearly over. ``still``: whether
they still have what is counted; never a message of its own, but asked below the answer to their
press.
"""

CALL_KINDS: tuple[CallKind, ...] = get_args(CallKind)


@frozen
class Call:
    """A public notification of these seats, or of all players if ``seats`` is empty.

    >>> Call("turn", ("red",)).kind
    'turn'
    """

    kind: CallKind
    seats: tuple[str, ...] = ()
