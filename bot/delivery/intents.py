"""The work that a step needs, and its intent: the record that is stored before the request is made."""

from __future__ import annotations

from dataclasses import dataclass

from bot.delivery.desired import (
    ArchiveThread,
    Board,
    Closed,
    Desired,
    DirectMessages,
    OpenThread,
    Replaced,
    Retired,
    Step,
    Subject,
)
from bot.delivery.records import MessageRecord, TableMessages, Work, replaced
from bot.rules.model.replacing import replace
from bot.show.cards import Card

OPEN, CLOSED, NONE = "open", "closed", "none"
"""The states of a negotiation's thread."""

ECHO = 6.0
"""Seconds after which a request of a process that has ended has taken effect or never will."""

TWICE = 2
"""How often to edit a message that such a process may have been editing."""

NOT_YOURS = Card("over", ("You are no longer on this table's server.",))
"""The last card of a DM to a person who has left the server."""


class Postponed(Exception):
    """The work on a message waits for ``seconds``. ``failed``: the attempt met an error."""

    def __init__(self, seconds: float, *, failed: bool = False) -> None:
        super().__init__(seconds)
        self.seconds, self.failed = seconds, failed


@dataclass(frozen=True, slots=True)
class PlannedWork:
    """Work that is about to begin, and the record to store first; None if it is stored already."""

    step: Step
    work: Work
    record: MessageRecord | None

    @property
    def subject(self) -> Subject:
        return self.step.subject


def begin(table: TableMessages, step: Step, seq: int, at: int, *, check: bool) -> list[PlannedWork]:
    """Return the work that a step needs, with the records to store before it starts; empty for no work.

    ``seq`` is the table's last entry, ``at`` the time in milliseconds since 1970.
    """
    now = table.records.get(step.subject)
    match step:
        case Desired():
            missing = now is None and (not step.wanted or 0 < step.entry <= table.cursor)
            due = not missing and table.ready(step) and (check or not table.settled(step))
        case OpenThread():
            due = now is None or not now.settled
        case ArchiveThread():
            due = now is not None and (now.state == OPEN or not now.settled)
        case _:
            due = now is not None
    if not due:
        return []
    if now is not None and now.fate == "edited" and _shows(table, step, now):  # at most the edit must be repeated
        return [PlannedWork(step, Work(step, at, echoes=1, pause=ECHO, check=check), None)]
    unsure = step.subject in table.left or (now is not None and now.may_be_there)
    echoes = TWICE if unsure and now is not None and now.message_id else 0
    if (
        isinstance(step, Desired)
        and now is not None
        and now.message_id
        and table.anchor_changed(step, now)
        and not check
    ):
        return resend(table, step, now, seq, at, echoes=echoes)
    work = Work(step, at, unsure=unsure, doubted=unsure, echoes=echoes, check=check)
    return [PlannedWork(step, work, intent(table, step, now, seq, at))]


def _shows(table: TableMessages, step: Step, now: MessageRecord) -> bool:
    """Return whether the message was last edited as the step wants it."""
    match step:
        case Desired():
            return not table.anchor_changed(step, now) and now.state == table.card_for(step, now.channel_id).digest
        case Retired():
            cards = (step.card, step.public_card, NOT_YOURS)
            return now.state in {replace(card, rows=()).digest for card in cards}
        case _:
            return isinstance(step, Closed)


def intent(table: TableMessages, step: Step, now: MessageRecord | None, seq: int, at: int) -> MessageRecord | None:
    """Return the record of the request to make; None when it is stored already."""
    if now is None:
        if not isinstance(step, Desired):
            return MessageRecord(step.subject, fate="sending", entry=seq, at=at)
        channel_id, entry, state = _known(table, step), step.entry or seq, step.card.digest
        return MessageRecord(step.subject, channel_id, 0, state, "sending", entry, anchor=step.anchor or "", at=at)
    if now.message_id:
        return replace(now, fate="editing")
    return replace(now, fate="sending", at=now.at or at) if now.fate == "given_up" else None


def _known(table: TableMessages, step: Step) -> int:
    """Return the channel id of a step's place; 0 for DMs, which may not be open yet."""
    if not isinstance(step, Desired) or isinstance(step.place, DirectMessages):
        return 0
    return table.channel_of(step.place) or 0


def resend(
    table: TableMessages, step: Desired, now: MessageRecord, seq: int, at: int, *, echoes: int
) -> list[PlannedWork]:
    """Return the work to send a message again and to close the old one.

    If others read the old message, it shows nothing of the new one.
    """
    next_one = replace(
        now, channel_id=_known(table, step), message_id=0, state=step.card.digest, fate="sending",
        entry=step.entry or seq, generation=now.generation + 1, anchor=step.anchor or "", at=at,
    )  # fmt: skip
    old = replaced(now, delete=isinstance(step.subject, Board), at=at)
    in_public = step.fallback is not None and now.channel_id == table.home_of(step)
    closed = Closed(
        Replaced(now.channel_id, now.message_id),
        step.fallback.replaced if step.fallback and in_public else step.card,
    )
    return [PlannedWork(step, Work(step, at), next_one), PlannedWork(closed, Work(closed, at, echoes=echoes), old)]
