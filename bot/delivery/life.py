"""The life of one message: its stages, what happens to it, and what to do next, as pure functions.

`Life` is what is stored of a message. `advance` is the table of stages in docs/architecture.md:
from a stage and an event follow the next stage and what to do. `bot.delivery.reconciler` does it,
and stores the life.

Times are in milliseconds since 1970; pauses are in seconds.
"""

from __future__ import annotations

import hashlib
from enum import Enum
from typing import Literal, NamedTuple, assert_never

from discord.utils import DISCORD_EPOCH

from bot.delivery.desired import Replaced, Subject, Way, encode
from bot.delivery.verdicts import (
    BY_CODE,
    OLD_EDITS,
    FailureAction,
    Verdict,
    after_outage,
    after_refusal,
)
from bot.rules.model.replacing import replace
from bot.rules.model.values import frozen

Stage = Literal["new", "sending", "looking", "shown", "editing", "settling", "replaced", "given_up"]
"""How far a message has come.

- ``new``: it is stored, and this process has not asked Discord for it.
- ``sending``: Discord was asked for it. ``until`` is 0, or how long its nonce is good, if it was
  asked before.
- ``looking``: it may be there, and its nonce may be forgotten: it is looked for by its marker.
- ``shown``: it is there and shows ``shows``.
- ``editing``: it is there and is to be edited.
- ``settling``: it is edited twice, ``ECHO`` apart, since an edit whose answer was lost may still
  take effect. ``until`` is 0 before the first edit, then when the second is due.
- ``replaced``: it is to be deleted, since a newer message has taken its place, or it is over.
- ``given_up``: it waits until it is to show something else. ``shows`` is empty if it waits for an
  invitation.
"""

REST: tuple[Stage, ...] = ("shown", "given_up")
"""The stages of messages that need no work until the table changes."""

NONCE_MAX = 25
"""Discord's limit for a nonce, in characters."""

NONCE_GOOD = 60_000
"""For how long Discord surely answers a repeated nonce with the existing message."""

MARKERS_FROM = 2**30
"""The smallest marker. Discord numbers components without an id from 1."""

ECHO = 6.0
"""Seconds after which a request whose answer was lost has taken effect or never will."""

LOOKS = 6
"""The most attempts to look for a message in a place that is closed, before it goes elsewhere: half
a minute.
"""

STUBBORN = 18
"""The most attempts to edit a message that Discord refuses; they take more than an hour."""

OLD = 3_600_000
"""The age from which Discord limits the edits of messages more strictly."""

REPLACED_AFTER = 3
"""Attempts to edit an old message that Discord limits, after which another takes its place."""

DELETED, LEFT_SERVER, OPENING_DMS = 10003, 10004, 40003
"""Discord's codes for a deleted channel, for a server that the bot is not in, and for opening DMs
too fast.
"""

NO_LONGER_THERE = BY_CODE[LEFT_SERVER][1]
"""Why a message was given up when the bot left the server. The next invitation goes on with it."""

DMS_AGAIN = 30.0
"""Seconds to wait before opening DMs again; multiplied by the number of attempts."""


@frozen
class Life:
    """A message, as far as it is known.

    - ``message_id``: 0 while the message is not known to exist.
    - ``shows``: the digest of the card that it shows or was first sent with, empty if unknown. For
      a thread: ``open``, ``closed``, or ``none`` if it could not be opened.
    - ``drawn``: how it was or will be sent. A message keeps that: Discord never lets one go from
      one way to the other.
    - ``entry``: the number of the entry that caused it.
    - ``generation``: the number of earlier messages about the subject.
    - ``anchor``: see `Desired`.
    - ``at``: when it was first asked for; 0 for a message given up that was surely never sent.
    - ``reason``: why it was given up.
    - ``tries``: attempts that failed since the last that did not. ``until``: see `Stage`.
      ``reopened``: its thread was taken out of the archive since then. None of them is stored: a
      new process begins with doubt.
    """

    subject: Subject
    channel_id: int = 0
    message_id: int = 0
    shows: str = ""
    stage: Stage = "shown"
    entry: int = 0
    generation: int = 0
    anchor: str = ""
    at: int = 0
    reason: str = ""
    drawn: Way = "v2"
    tries: int = 0
    until: int = 0
    reopened: bool = False

    @property
    def resting(self) -> bool:
        """Whether the message needs no work until the table changes; what was left behind waits for
        an invitation.
        """
        return self.stage in REST and not self.left_behind

    def old(self, now: int) -> bool:
        """Return whether the message is over an hour old, which its id tells."""
        return now - (self.message_id >> 22) - DISCORD_EPOCH >= OLD

    @property
    def good(self) -> bool:
        """Whether it shows what it should, as far as anybody knows: it is only looked for, since it
        may have been deleted, or edited once more, in case a lost edit undoes that.
        """
        return self.stage == "shown" or (self.stage == "settling" and self.until > 0)

    @property
    def left_behind(self) -> bool:
        """Whether it was given up because the bot is not on the server any more."""
        return self.stage == "given_up" and self.reason == NO_LONGER_THERE

    def nonce(self, table_id: int) -> str:
        """Return the nonce to send the message with: the same after a crash, but different for each
        channel.

        It has the time too: after a ledger was put back, another message has the same numbers.
        """
        return self._hash(table_id, f":{self.channel_id}:{self.at}")[:NONCE_MAX]

    def marker(self, table_id: int) -> int:
        """Return the id of the message's container or first row, which identifies the message in a
        channel.
        """
        return MARKERS_FROM + int(self._hash(table_id)[:7], 16)

    def _hash(self, table_id: int, more: str = "") -> str:
        text = f"{table_id}:{encode(self.subject)}:{self.entry}:{self.generation}{more}"
        return hashlib.sha256(text.encode()).hexdigest()


class Want(NamedTuple):
    """The state that a message should reach: ``shows`` is the digest of its card in the place where
    it is.

    ``send``: send it if it is not there. ``last``: it will not change any more. ``anchor``: see
    `Desired`. ``home`` is the channel that stands in for DMs; 0 for none. ``check``: see whether it
    exists, even if it shows that. ``deletable``: others may delete it, so not in somebody's DMs.
    ``gone``: it should not be there.
    """

    shows: str
    send: bool = True
    last: bool = False
    anchor: str | None = None
    home: int = 0
    check: bool = False
    deletable: bool = False
    gone: bool = False


# ---------------------------------------------------------------- what happens to a message


class Event(Enum):
    """An event without further data."""

    LEFT = "an earlier process ended with it in this stage"
    DOUBTED = "the response to a press may edit it, now or later: its answer was lost"
    WANTED = "the table changed, or it is to be checked"
    ASKED = "Discord is asked to send it"
    DELETED = "it was deleted, as it should be"
    DUE = "its pause is over"
    REOPENED = "its thread was taken out of the archive"


class Sent(NamedTuple):
    """Discord has sent it, showing this digest."""

    message_id: int
    shows: str


class Edited(NamedTuple):
    """Discord has edited it to this digest."""

    shows: str


class Found(NamedTuple):
    """It was looked for. ``message_id`` is 0 if it is not there."""

    message_id: int


class Failed(NamedTuple):
    """A request failed. ``unsure``: it may have taken effect. ``final``: nothing helps, such as for
    who left.
    """

    verdict: Verdict
    code: int = 0
    unsure: bool = False
    final: bool = False


Happened = Event | Sent | Edited | Found | Failed

# ---------------------------------------------------------------- what to do next


class Do(Enum):
    """The next thing to do about a message."""

    SEND = "send it with its nonce"
    EDIT = "edit it to what is wanted"
    FIND = "look for it by its marker"
    LOOK = "see whether it is still there"
    DELETE = "delete it"
    REOPEN = "take its thread out of the archive"
    REPLACE = "send another in its place, and delete it"
    RENEW = "send it anew, since its anchor changed, and close this one"
    FORGET = "keep nothing of it"
    REST = "nothing"


class Pause(NamedTuple):
    """Do nothing for ``seconds``. ``failed``: try at once when Discord works again."""

    seconds: float
    failed: bool = False


Next = Do | Pause


def advance(life: Life, event: Happened, want: Want, now: int) -> tuple[Life, Next]:
    """Return the life after an event, and what to do next."""
    if life.reopened and (event is Event.WANTED or isinstance(event, Sent | Edited | Found)):
        life = replace(life, reopened=False)  # should it be archived again, that is another time
    if event is Event.REOPENED:
        life, event = replace(life, reopened=True), Event.DUE
    match life.stage, event:
        case _, Failed():
            return _failed(life, event, want, now)
        case (("new" | "sending" | "looking"), Event.LEFT):
            life = replace(life, stage="looking", until=0)
        case ("editing", Event.LEFT) | (("shown" | "editing" | "settling"), Event.DOUBTED):
            life = replace(life, stage="settling", until=0)
        case "settling", Event.LEFT:  # at most the edit must be repeated
            life = replace(life, until=now + int(1000 * ECHO) if _as_wanted(life, want) else 0)
        case "new", Event.ASKED:
            life = replace(life, stage="sending", at=life.at or now)
        case (("new" | "sending"), Sent(message_id, shows)):
            life = replace(
                life,
                stage="shown" if shows == want.shows else "editing",
                message_id=message_id,
                shows=shows,
                anchor=want.anchor or life.anchor,
                tries=0,
                until=0,
                reason="",
            )
        case "looking", Found(0) if want.send:
            life = replace(life, stage="sending", tries=0, until=now + NONCE_GOOD)
        case "looking", Found(0) if not life.until:
            life = replace(life, until=now + int(1000 * ECHO))  # it may still appear, with buttons
        case "looking", Found(0):
            return life, Do.FORGET
        case "looking", Found(message_id):
            life = replace(life, message_id=message_id, tries=0, until=0)
            life = replace(life, stage="shown" if _as_wanted(life, want) else "editing")
        case "settling", Edited(shows) if not life.until:
            life = replace(life, shows=shows, tries=0, until=now + int(1000 * ECHO))
        case (("editing" | "settling" | "shown"), Edited(shows)):
            life = replace(life, stage="shown", shows=shows, tries=0, until=0, reason="")
        case "settling", Event.WANTED if not _as_wanted(life, want):
            life = replace(life, until=0)
        case "shown", Event.WANTED if want.check and want.deletable and _as_wanted(life, want):
            return life, Do.LOOK  # one request looks for many, and edits are few
        case "shown", Event.DUE if _as_wanted(life, want):
            return life, Do.LOOK  # nothing else waits in this stage
        case "shown", Event.WANTED if want.check:
            life = replace(life, stage="editing", tries=0)
        case "shown", (Event.WANTED | Event.DUE | Found()) if not _as_wanted(life, want):
            # Also while Discord was asked whether it is there. Not after an edit: somebody who has
            # left is shown less.
            life = replace(life, stage="editing", tries=0)
        case "given_up", Event.WANTED if (
            life.left_behind and life.message_id and _as_wanted(life, want)
        ):
            life = replace(life, stage="shown", reason="")
            if want.check and want.deletable:
                return life, Do.LOOK  # nobody else could change it, but they could delete it
        case "given_up", Event.WANTED if not _as_wanted(life, want) or want.check:
            again: Stage = "editing" if life.message_id else "looking" if life.at else "new"
            life = replace(life, stage=again, tries=0, until=0, at=life.at or now)
        case "replaced", Event.DELETED:
            return life, Do.FORGET
        case _:
            pass
    return _next(life, want, now, due=event is Event.DUE)


def _as_wanted(life: Life, want: Want) -> bool:
    """Return whether a message needs neither an edit nor, since its anchor changed, another in its
    place.
    """
    return life.shows == want.shows and not _renews(life, want)


def _renews(life: Life, want: Want) -> bool:
    return want.send and bool(life.message_id) and want.anchor not in (None, life.anchor)


def _next(life: Life, want: Want, now: int, *, due: bool) -> tuple[Life, Next]:
    """Return what to do in a stage. ``due``: its pause is over."""
    match life.stage:
        case _ if _renews(life, want):
            return life, Do.RENEW
        case "shown" | "editing" | "settling" if want.gone and life.message_id:
            return replace(life, stage="replaced", tries=0), Do.DELETE
        case "new":
            return life, Do.SEND if want.send else Do.FORGET
        case "sending" if want.send and now < (life.until or now + 1):
            return life, Do.SEND
        case "sending":
            return _to_look_for(life), Do.FIND
        case "looking" if not want.send and life.until > now and not due:
            return life, Pause((life.until - now) / 1000)
        case "looking":
            return life, Do.FIND
        case "editing":
            return life, Do.EDIT
        case "settling" if life.until > now and not due:
            return life, Pause((life.until - now) / 1000)
        case "settling":
            return life, Do.EDIT
        case "replaced":
            return life, Do.DELETE
        case "shown" | "given_up":
            return life, Do.FORGET if want.last else Do.REST
        case _:
            assert_never(life.stage)


def _failed(life: Life, event: Failed, want: Want, now: int) -> tuple[Life, Next]:
    """Return the life after a request that failed, and what to do next."""
    act, wait = event.verdict.act, event.verdict.wait
    in_home = want.home != 0 and life.channel_id == want.home
    away = life.message_id == 0
    if act is FailureAction.PUT_OFF and not (away and in_home and life.stage != "looking"):
        return life, Pause(wait, failed=True)
    doubted = _in_doubt(life, event)
    life = _attempted(life, event, now, doubted=doubted)
    refused = Pause(max(wait, after_refusal(life.tries)), failed=True)
    match act:
        case FailureAction.RETRY if (
            event.code == OLD_EDITS
            and not away
            and life.stage != "replaced"
            and life.tries >= REPLACED_AFTER
        ):
            return life, Do.REPLACE
        case FailureAction.RETRY:
            pause = Pause(wait or after_outage(life.tries), failed=True)
            if life.stage == "sending" and now >= life.until > 0:
                return _to_look_for(life), pause
            return life, pause
        case _ if event.final:
            return _given_up(life, event, want, doubted=doubted)
        case FailureAction.RECREATE if want.send:
            # Its place is looked up again: a DM channel may be another one now.
            again = replace(following(life, want, now, channel_id=0), tries=life.tries)
            return again, Do.SEND if life.tries == 1 else refused
        case FailureAction.RECREATE:
            return life, Do.FORGET
        case FailureAction.REOPEN if not life.reopened:
            return life, Do.REOPEN
        case FailureAction.REOPEN if not in_home:
            return _given_up(life, event, want, doubted=doubted)
        case FailureAction.OPEN_ANEW if away:
            stage: Stage = "looking" if doubted or life.stage == "looking" else "new"
            life = replace(life, channel_id=0, stage=stage, until=0)
            if life.tries > 1:
                return life, refused
            return life, Do.FIND if stage == "looking" else Do.SEND
        case FailureAction.FALL_BACK | FailureAction.CLOSED if (
            life.stage == "looking" and life.tries < LOOKS
        ):
            return life, refused  # elsewhere it would be a second one
        case FailureAction.FALL_BACK | FailureAction.CLOSED if away and want.home and not in_home:
            if doubted:
                return _to_look_for(life), Do.FIND
            return replace(life, channel_id=want.home, shows="", stage="new", until=0), Do.SEND
        case FailureAction.FALL_BACK if event.code == OPENING_DMS:
            return life, Pause(DMS_AGAIN * life.tries)
        case _ if away and in_home:
            # Neither way reaches the person. They may open their DMs again, so those are tried from
            # time to time; soon at first, though the channel is to be left alone for a while.
            if doubted:
                return _to_look_for(life), Do.FIND
            soon = after_refusal(life.tries)
            pause = Pause(min(soon, wait or soon), failed=True)
            return replace(life, channel_id=0, stage="new", until=0), pause
        case _ if (
            (not away or act is FailureAction.CLOSED)
            and life.tries < STUBBORN
            and event.code not in (DELETED, LEFT_SERVER)
        ):
            # it is missed, or shows something outdated, or buttons that must go
            return life, refused
        case _:
            return _given_up(life, event, want, doubted=doubted)


def _in_doubt(life: Life, event: Failed) -> bool:
    """Return whether a message may have been sent, by this request or by an earlier one."""
    limited = event.verdict.act is FailureAction.RETRY
    # A refusal right after it was looked for in vain ends the doubt, or it would be looked for
    # without end. A limit doesn't: the request of a process that has died may still take effect.
    earlier = life.until > 0 and (life.tries > 0 or limited)
    return life.stage == "sending" and (event.unsure or earlier)


def _attempted(life: Life, event: Failed, now: int, *, doubted: bool) -> Life:
    """Return the life after one more attempt that failed."""
    life = replace(life, tries=life.tries + 1)
    match life.stage:
        case "sending" if not doubted:
            return replace(life, stage="new", until=0)  # it is surely not there
        case "sending" if not life.until:
            return replace(life, until=(life.at or now) + NONCE_GOOD)
        case "editing" | "settling" if event.unsure:
            # it may still take effect, after the next one
            return replace(life, stage="settling", until=0)
        case _:
            return life


def _to_look_for(life: Life) -> Life:
    return replace(life, stage="looking", tries=0, until=0)


def _given_up(life: Life, event: Failed, want: Want, *, doubted: bool) -> tuple[Life, Next]:
    """Return the life of a message that waits until it is to show something else."""
    doubted = doubted or life.stage == "looking"
    shows, left = want.shows, event.code == LEFT_SERVER
    if left:  # at the next invitation the message is brought up to date, if it is not
        shows = life.shows if life.message_id and life.stage != "settling" else ""
    life = replace(
        life,
        stage="given_up",
        shows=shows,
        reason=event.verdict.reason,
        at=life.at if doubted else 0,
    )
    # then its buttons must go, or it must still come
    kept = left and (life.message_id or life.at or want.send)
    return life, Do.FORGET if want.last and not kept else Do.REST


def following(
    life: Life, want: Want, now: int, *, channel_id: int | None = None, entry: int = 0
) -> Life:
    """Return the life of the next message about a subject. Its nonce is new, since Discord knows
    the old one.
    """
    return Life(
        life.subject,
        life.channel_id if channel_id is None else channel_id,
        0,
        want.shows,
        "new",
        entry or life.entry,
        life.generation + 1,
        want.anchor or life.anchor,
        now,
        drawn=life.subject.drawn,
    )


def replaced(life: Life, now: int) -> Life:
    """Return the life of a message to delete, since a newer one takes its place."""
    subject = Replaced(life.channel_id, life.message_id, getattr(life.subject, "user", 0))
    place = (life.channel_id, life.message_id)
    return Life(subject, *place, "", "replaced", life.entry, at=now, drawn=life.drawn)
