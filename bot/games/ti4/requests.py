"""Requests from one player to another about the other's goods, which only the other or a host may move.

The active player may let another player replenish (Trade strategy card). The owner of a note in another's play area may
ask for it back (`bot.games.ti4.notes`). Nothing happens until the other player answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.api import (
    Caller,
    Command,
    Entry,
    Feature,
    PromptView,
    Refused,
    StatePart,
    Table,
    button,
    is_host,
    own_seat,
    part,
    require_tracked,
    seat_meant,
    with_part,
)
from bot.games.ti4.commodities import Replenished, replenished
from bot.games.ti4.components import describe_token
from bot.games.ti4.entries import ToAnother
from bot.games.ti4.note_returns import NoteReturned, going_back
from bot.games.ti4.state import active_seat


@dataclass(frozen=True, slots=True)
class Request:
    """A request from ``seat`` to ``other``: to replenish, or to return a note of ``seat``. ``note`` is its id."""

    seat: str
    other: str
    note: str = ""

    @property
    def token(self) -> str:
        """The token of the requested note."""
        return f"note:{self.note}:{self.seat}"


@dataclass(frozen=True, slots=True)
class Requests(StatePart):
    """The open requests. Requests to replenish end with the turn."""

    every: frozenset[Request] = frozenset()

    def vacated(self, seat: str) -> Requests:
        return self.but(lambda each: seat in (each.seat, each.other))

    def renamed(self, before: str, now: str) -> Requests:
        named = {before: now}
        return Requests(
            frozenset(
                Request(named.get(each.seat, each.seat), named.get(each.other, each.other), each.note)
                for each in self.every
            )
        )

    def window_over(self) -> Requests:
        return self.but(lambda each: not each.note)

    def but(self, over: Callable[[Request], bool]) -> Requests:
        """Return the part without the requests that are ``over``."""
        left = frozenset(each for each in self.every if not over(each))
        return self if left == self.every else Requests(left)


def after(table: Table, entry: Entry) -> Table:
    """Remove requests that have been fulfilled."""
    match entry:
        case Replenished(seat=seat):
            return with_part(table, part(table, Requests).but(lambda each: not each.note and each.other == seat))
        case NoteReturned(note=note):
            return with_part(table, part(table, Requests).but(lambda each: each.token == note))
    return table


# ---------------------------------------------------------------- asking


@dataclass(frozen=True, slots=True)
class Replenish(Command):
    """Replenish the commodities of a seat, None for the caller's own."""

    seat: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """For another's seat, a host replenishes at once, and the active player asks its player.

        Raises `Refused` for another's seat if anybody else asks, and if its player has already been asked.
        """
        require_tracked(table)
        seat = seat_meant(table, self.seat, caller)
        if seat.person == caller.person:
            return [replenished(table, seat, by_host=False)]
        if is_host(table, caller):
            return [replenished(table, seat, by_host=True)]
        own = own_seat(table, caller)
        if own.id != active_seat(table):
            raise Refused(
                "", "Only the active player or the host can let another player replenish.", "Leave out the player."
            )
        if Request(own.id, seat.id) in part(table, Requests).every:
            raise Refused("", f"<seat:{seat.id}> has already been asked.", "They can press Replenish or Not now.")
        return [ReplenishAsked(seat=own.id, other=seat.id)]


class ReplenishAsked(ToAnother):
    """The active player lets another player replenish, who is asked."""

    kind: Literal["ti4.commodities.asked"] = "ti4.commodities.asked"

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> lets <seat:{self.other}> replenish. They have been asked."

    def apply(self, table: Table) -> Table:
        every = part(table, Requests).every
        return with_part(table, Requests(every | {Request(self.seat, self.other)}))


class NoteAsked(ToAnother):
    """The owner of a note asked its holder to return it from play. ``note`` is its id."""

    kind: Literal["ti4.note.asked"] = "ti4.note.asked"
    note: str

    def sentence(self, ruler: str) -> str:
        card = describe_token(f"note:{self.note}:{self.seat}")
        return f"<seat:{self.seat}> asks <seat:{self.other}> for **{card}** back."

    def apply(self, table: Table) -> Table:
        every = part(table, Requests).every
        return with_part(table, Requests(every | {Request(self.seat, self.other, self.note)}))


# ---------------------------------------------------------------- answering


def waiting(table: Table) -> list[Request]:
    """Return the requests that wait for an answer, except for notes that are not in play any more."""
    every = sorted(part(table, Requests).every, key=lambda each: (each.other, each.seat, each.note))
    return [each for each in every if not each.note or each.token in table.seats[each.other].in_play]


def prompts(table: Table) -> Iterator[PromptView]:
    """Yield the questions to the players who are asked."""
    for each in waiting(table) if table.tracked else ():
        if each.note:
            key, labels = f"ti4-note-{each.note}-{each.seat}-{each.other}", ("Give it back", "Keep it")
            text = (
                f"<seat:{each.seat}> asks for **{describe_token(each.token)}** back, which is in play in front of you."
            )
        else:
            key, labels = f"ti4-replenish-{each.seat}-{each.other}", ("Replenish", "Not now")
            text = f"<seat:{each.seat}> lets you replenish your commodities now."
        buttons = tuple(
            button(label, table, AnswerRequest(each.seat, each.note, agreed))
            for label, agreed in zip(labels, (True, False), strict=True)
        )
        yield PromptView(table=table.id, key=key, seat=each.other, text=text, buttons=buttons)


@dataclass(frozen=True, slots=True)
class AnswerRequest(Command):
    """Grant or deny this seat's request to replenish, or to return the note with the id ``note``."""

    kind = "ti4.request"
    private_reply = True
    other: str
    note: str
    agreed: bool

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` if there is no such request."""
        require_tracked(table)
        seat = own_seat(table, caller)
        request = Request(self.other, seat.id, self.note)
        if request not in waiting(table):
            raise Refused("", "That question is already answered.", "/holdings show lists what you have.")
        if not self.agreed:
            return [RequestDenied(seat=seat.id, other=request.seat, note=request.note)]
        if request.note:
            return [going_back(seat, request.token, said_by=seat.id)]
        return [replenished(table, seat, by_host=False, let_by=request.seat)]

    def reply(self, entries: Sequence[Entry]) -> str:
        return "\n".join(entry.sentence("") for entry in entries)


class RequestDenied(ToAnother):
    """The player who was asked denied the request to replenish, or to return the note with this id."""

    kind: Literal["ti4.request.denied"] = "ti4.request.denied"
    note: str = ""

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> keeps it." if self.note else f"<seat:{self.seat}> does not replenish now."

    def apply(self, table: Table) -> Table:
        every = part(table, Requests).every
        return with_part(table, Requests(every - {Request(self.other, self.seat, self.note)}))


FEATURE = Feature(
    state=Requests,
    commands=(Replenish, AnswerRequest),
    entries=(ReplenishAsked, NoteAsked, RequestDenied),
    after=after,
    prompts=prompts,
)
