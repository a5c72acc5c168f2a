"""Tests of a message's life: each row of its table, and random histories against a model of
Discord.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from discord.utils import DISCORD_EPOCH
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.delivery.desired import OfferCard
from bot.delivery.life import (
    DELETED,
    DMS_AGAIN,
    ECHO,
    LEFT_SERVER,
    LOOKS,
    NONCE_GOOD,
    OPENING_DMS,
    STUBBORN,
    Do,
    Edited,
    Event,
    Failed,
    Found,
    Happened,
    Life,
    Next,
    Pause,
    Sent,
    Stage,
    Want,
    advance,
    following,
    replaced,
)
from bot.delivery.verdicts import OLD_EDITS, FailureAction, Verdict
from tests.scale import at_scale

HOME = 500
A, B = Want("a"), Want("b")
ANEW = Want("a", anchor="new")
OVER = Want("over", send=False, last=True)
GONE = Want("gone", send=False)
DM = Want("a", home=HOME)
CHECKED = Want("a", check=True, deletable=True)
NOW = 1_000_000


def life(
    stage: Stage,
    *,
    there: bool = False,
    shows: str = "a",
    until: int = 0,
    tries: int = 0,
    at: int = NOW,
    reopened: bool = False,
) -> Life:
    return Life(
        OfferCard(1),
        7,
        9 if there else 0,
        shows,
        stage,
        at=at,
        until=until,
        tries=tries,
        reopened=reopened,
    )


def failed(act: FailureAction, *, code: int = 0, unsure: bool = False, wait: float = 0.0) -> Failed:
    return Failed(Verdict(act, "why", wait), code, unsure)


def again(seconds: float) -> Pause:
    """Return the pause before a request that failed is repeated."""
    return Pause(seconds, failed=True)


NEW, SENDING, LOOKING = life("new"), life("sending"), life("looking")
SHOWN, EDITING = life("shown", there=True), life("editing", there=True)
SETTLING = life("settling", there=True)
CONFIRMING = replace(SETTLING, until=NOW + 1000)
GIVEN_UP = life("given_up", there=True)
NEW_PING = replace(NEW, channel_id=HOME)
LOOKING_PING = replace(LOOKING, channel_id=HOME)

MISSING = failed(FailureAction.RECREATE)
ARCHIVED = failed(FailureAction.REOPEN)
LOST_DM = failed(FailureAction.OPEN_ANEW)
UNREADABLE = failed(FailureAction.CLOSED)
LATER = failed(FailureAction.PUT_OFF, wait=9.0)
CHANNEL_GONE = failed(FailureAction.GIVE_UP, code=DELETED)
OUTAGE = failed(FailureAction.RETRY, unsure=True)
LIMITED = failed(FailureAction.RETRY, wait=3.0)
TOO_OFTEN = failed(FailureAction.RETRY, code=OLD_EDITS, wait=6.0)
REFUSED = failed(FailureAction.GIVE_UP)
SHUT = failed(FailureAction.CLOSED, code=50001, wait=60.0)
CLOSED_DMS = failed(FailureAction.FALL_BACK)
REMOVED = failed(FailureAction.GIVE_UP, code=LEFT_SERVER)._replace(final=True)
IN_DOUBT = NOW + NONCE_GOOD

ROWS: list[tuple[Life, Happened, Want, Stage | None, Next]] = [
    # it is sent
    (NEW, Event.WANTED, A, "new", Do.SEND),
    (NEW, Event.WANTED, GONE, None, Do.FORGET),
    (NEW, Sent(9, "a"), A, "shown", Do.REST),
    (SENDING, Sent(9, "a"), A, "shown", Do.REST),
    (SENDING, Sent(9, "a"), OVER._replace(shows="a"), None, Do.FORGET),
    (SENDING, Sent(9, "a"), B, "editing", Do.EDIT),
    # its request fails
    (SENDING, OUTAGE, A, "sending", again(0.5)),
    (life("sending", until=NOW), OUTAGE, A, "looking", again(0.5)),
    (SENDING, LIMITED, A, "new", again(3.0)),
    (life("sending", until=IN_DOUBT), LIMITED, A, "sending", again(3.0)),
    (life("sending", until=IN_DOUBT), CLOSED_DMS, DM, "new", Do.SEND),
    (life("sending", until=IN_DOUBT), Event.DUE, A, "sending", Do.SEND),
    (life("sending", until=NOW), Event.DUE, A, "looking", Do.FIND),
    (life("sending", until=IN_DOUBT), Event.WANTED, GONE, "looking", Do.FIND),
    # it may be there
    (NEW, Event.LEFT, A, "looking", Do.FIND),
    (SENDING, Event.LEFT, A, "looking", Do.FIND),
    (LOOKING, Found(9), A, "shown", Do.REST),
    (LOOKING, Found(9), B, "editing", Do.EDIT),
    (LOOKING, Found(0), A, "sending", Do.SEND),
    (LOOKING, Found(0), GONE, "looking", Pause(ECHO)),
    (life("looking", until=NOW + 1000), Event.WANTED, GONE, "looking", Pause(1.0)),
    (life("looking", until=NOW + 1000), Event.DUE, GONE, "looking", Do.FIND),
    (life("looking", until=NOW + 1000), Found(0), GONE, None, Do.FORGET),
    (LOOKING, OUTAGE, A, "looking", again(0.5)),
    # it is edited
    (SHOWN, Event.WANTED, A, "shown", Do.REST),
    (SHOWN, Event.WANTED, B, "editing", Do.EDIT),
    (SHOWN, Event.WANTED, A._replace(check=True), "editing", Do.EDIT),
    (EDITING, Edited("b"), B, "shown", Do.REST),
    (EDITING, Edited("over"), OVER, None, Do.FORGET),
    # somebody who has left is shown less
    (EDITING, Edited("not yours"), B, "shown", Do.REST),
    (EDITING, LIMITED, B, "editing", again(3.0)),
    # another edit may still take effect
    (EDITING, OUTAGE, B, "settling", again(0.5)),
    (SETTLING, OUTAGE, B, "settling", again(0.5)),
    (SHOWN, Event.DOUBTED, A, "settling", Do.EDIT),
    (EDITING, Event.DOUBTED, B, "settling", Do.EDIT),
    (CONFIRMING, Event.DOUBTED, A, "settling", Do.EDIT),
    (EDITING, Event.LEFT, A, "settling", Do.EDIT),
    (SETTLING, Event.LEFT, A, "settling", Pause(ECHO)),
    (SETTLING, Event.LEFT, B, "settling", Do.EDIT),
    (SETTLING, Edited("a"), A, "settling", Pause(ECHO)),
    (CONFIRMING, Event.DUE, A, "settling", Do.EDIT),
    (CONFIRMING, Edited("a"), A, "shown", Do.REST),
    (CONFIRMING, Event.WANTED, B, "settling", Do.EDIT),
    (CONFIRMING, Event.WANTED, A, "settling", Pause(1.0)),
    # it is looked for, and meanwhile the table changes
    (SHOWN, OUTAGE, CHECKED, "shown", again(0.5)),
    (SHOWN, Event.DUE, CHECKED._replace(check=False), "shown", Do.LOOK),
    (SHOWN, Event.DUE, OVER, "editing", Do.EDIT),
    (SHOWN, Found(9), OVER, "editing", Do.EDIT),
    # it is asked anew, in the same words
    (SHOWN, Event.WANTED, ANEW, "editing", Do.RENEW),
    (SHOWN, Event.WANTED, ANEW._replace(check=True, deletable=True), "editing", Do.RENEW),
    (SHOWN, Event.WANTED, ANEW._replace(send=False), "shown", Do.REST),
    (SHOWN, Event.DUE, ANEW, "editing", Do.RENEW),
    (SHOWN, Found(9), ANEW, "editing", Do.RENEW),
    (LOOKING, Found(9), ANEW, "editing", Do.RENEW),
    (CONFIRMING, Event.WANTED, ANEW, "settling", Do.RENEW),
    (GIVEN_UP, Event.WANTED, ANEW, "editing", Do.RENEW),
    (SENDING, Sent(9, "a"), ANEW, "shown", Do.REST),
    (SENDING, Event.WANTED, ANEW, "sending", Do.SEND),
    # it is gone, or can't be edited any more
    (EDITING, MISSING, B, "new", Do.SEND),
    (life("editing", there=True, tries=1), MISSING, B, "new", again(4.0)),
    (EDITING, MISSING, GONE, None, Do.FORGET),
    (EDITING, TOO_OFTEN, B, "editing", again(6.0)),
    (life("editing", there=True, tries=2), TOO_OFTEN, B, "editing", Do.REPLACE),
    (life("sending", tries=2), TOO_OFTEN, A, "new", again(6.0)),
    (life("looking", tries=2), TOO_OFTEN, A, "looking", again(6.0)),
    (EDITING, ARCHIVED, B, "editing", Do.REOPEN),
    (life("editing", there=True, tries=2), ARCHIVED, B, "editing", Do.REOPEN),
    (life("editing", there=True, reopened=True), ARCHIVED, B, "given_up", Do.REST),
    (life("replaced", there=True), Event.WANTED, OVER, "replaced", Do.DELETE),
    (life("replaced", there=True), Event.DELETED, OVER, None, Do.FORGET),
    (life("replaced", there=True, tries=2), TOO_OFTEN, OVER, "replaced", again(6.0)),
    # the person takes no DMs
    (NEW, CLOSED_DMS, DM, "new", Do.SEND),
    (life("sending", until=IN_DOUBT, tries=1), CLOSED_DMS, DM, "looking", Do.FIND),
    (NEW_PING, REFUSED, DM, "new", again(2.0)),
    (NEW_PING, SHUT, DM, "new", again(2.0)),
    (NEW, CLOSED_DMS, A, "given_up", Do.REST),
    (NEW, failed(FailureAction.FALL_BACK, code=OPENING_DMS), A, "new", Pause(DMS_AGAIN)),
    (SENDING, LOST_DM, DM, "new", Do.SEND),
    (LOOKING, LOST_DM, DM, "looking", Do.FIND),
    (EDITING, LOST_DM, B, "editing", again(2.0)),
    # where it may be can't be looked at for a while
    (LOOKING, UNREADABLE, DM, "looking", again(2.0)),
    (LOOKING, CLOSED_DMS, DM, "looking", again(2.0)),
    (life("looking", tries=LOOKS - 1), UNREADABLE, DM, "new", Do.SEND),
    (LOOKING_PING, SHUT, DM, "looking", again(60.0)),
    (LOOKING_PING, LATER, DM, "looking", again(9.0)),
    (replace(life("looking", tries=LOOKS - 1), channel_id=HOME), SHUT, DM, "new", again(8.0)),
    # its place is closed for a while
    (SENDING, SHUT, DM, "new", Do.SEND),
    (SENDING, SHUT, A, "new", again(60.0)),
    (life("new", tries=STUBBORN), SHUT, A, "given_up", Do.REST),
    (NEW, LATER, A, "new", again(9.0)),
    (life("sending", until=IN_DOUBT), LATER, A, "sending", again(9.0)),
    # it is refused
    (SENDING, REFUSED, A, "given_up", Do.REST),
    (EDITING, REFUSED, B, "editing", again(2.0)),
    (life("editing", there=True, tries=STUBBORN), REFUSED, B, "given_up", Do.REST),
    (EDITING, CHANNEL_GONE, B, "given_up", Do.REST),
    (EDITING, CHANNEL_GONE, OVER, None, Do.FORGET),
    (NEW, failed(FailureAction.GIVE_UP)._replace(final=True), DM, "given_up", Do.REST),
    # the bot has left the server
    (NEW, REMOVED, A, "given_up", Do.REST),
    (NEW, REMOVED, OVER, None, Do.FORGET),
    (EDITING, REMOVED, A, "given_up", Do.REST),
    (EDITING, REMOVED, OVER, "given_up", Do.REST),
    (life("given_up", there=True, shows=""), Event.WANTED, A, "editing", Do.EDIT),
    # it is wanted again
    (life("given_up", at=0), Event.WANTED, A, "given_up", Do.REST),
    (life("given_up", at=0), Event.WANTED, B, "new", Do.SEND),
    (life("given_up"), Event.WANTED, B, "looking", Do.FIND),
    (GIVEN_UP, Event.WANTED, B, "editing", Do.EDIT),
]


@pytest.mark.parametrize(
    ("before", "event", "want", "stage", "do"), ROWS, ids=range(1, len(ROWS) + 1)
)
def test_a_row(before: Life, event: Happened, want: Want, stage: Stage | None, do: Next) -> None:
    after, then = advance(before, event, want, NOW)
    assert then == do
    assert stage is None or after.stage == stage


def test_asking_for_it_makes_it_sending() -> None:
    assert advance(life("new", at=0), Event.ASKED, A, NOW)[0] == SENDING


def test_a_request_in_doubt_is_repeated_while_its_nonce_is_good() -> None:
    doubted, _ = advance(SENDING, OUTAGE, A, NOW + 1000)
    assert doubted.until == IN_DOUBT, "from when it was first asked for"
    assert advance(doubted, Event.DUE, A, IN_DOUBT - 1)[1] is Do.SEND
    assert advance(doubted, Event.DUE, A, IN_DOUBT)[1] is Do.FIND
    assert advance(LOOKING, Found(0), A, NOW)[0].until == IN_DOUBT, (
        "what was looked for may still arrive"
    )


def test_what_was_looked_for_in_vain_is_looked_for_again_before_it_is_forgotten() -> None:
    """The request of a process that was killed may take effect seconds later. Meanwhile Discord
    limits the next one, and then nobody wants the message any more.
    """
    sending, do = advance(LOOKING, Found(0), A, NOW)
    assert do is Do.SEND
    limited, _ = advance(sending, LIMITED, A, NOW)
    looking, do = advance(limited, Event.WANTED, GONE, NOW)
    assert do is Do.FIND
    assert advance(looking, Found(9), GONE, NOW)[1] is Do.EDIT
    looking, do = advance(looking, Found(0), GONE, NOW)
    assert do == Pause(ECHO)
    assert advance(looking, Event.DUE, GONE, NOW)[1] is Do.FIND


def test_a_ping_in_the_channel_is_another_message_than_the_dm() -> None:
    ping, _ = advance(NEW, CLOSED_DMS, DM, NOW)
    assert ping.channel_id == HOME
    assert (ping.nonce(1), ping.marker(1)) != (NEW.nonce(1), ping.marker(1))
    assert advance(ping, REFUSED, DM, NOW)[0].channel_id == 0


def test_what_failed_before_is_looked_for_as_often_as_anything_else() -> None:
    doubted, do = advance(life("sending", until=NOW, tries=9), OUTAGE, DM, NOW)
    assert (doubted.stage, do) == ("looking", again(8.0))
    for _ in range(LOOKS - 1):
        doubted, do = advance(doubted, UNREADABLE, DM, NOW)
        assert (doubted.stage, doubted.channel_id) == ("looking", 7)
    assert advance(doubted, UNREADABLE, DM, NOW)[1] is Do.SEND


def test_what_is_given_up_in_doubt_remembers_when_it_was_first_asked_for() -> None:
    doubted = life("sending", until=IN_DOUBT, tries=1)
    assert advance(doubted, REFUSED, A, NOW)[0].at == NOW
    assert advance(LOOKING, REFUSED, A, NOW)[0].at == NOW
    assert advance(SENDING, REFUSED, A, NOW)[0].at == 0


def test_a_check_looks_for_what_others_may_have_deleted() -> None:
    shown, check = SHOWN, A._replace(check=True)
    assert advance(shown, Event.WANTED, check, NOW)[1] is Do.EDIT
    check = check._replace(deletable=True)
    assert advance(shown, Event.WANTED, check, NOW) == (shown, Do.LOOK)
    assert advance(shown, Found(9), check, DISCORD_EPOCH + 3_600_000) == (shown, Do.REST)
    assert advance(shown, MISSING, check, NOW)[1] is Do.SEND


def test_no_request_was_made_for_what_is_put_off() -> None:
    now = life("new", tries=3)
    assert advance(now, LATER, A, NOW)[0] == now


def test_a_message_in_its_place_has_a_nonce_of_its_own() -> None:
    old = SHOWN
    new = following(old, B, NOW + 1)
    assert new.stage == "new"
    assert new.message_id == 0
    assert new.shows == "b"
    assert new.generation == 1
    assert new.nonce(1) != old.nonce(1)
    assert replaced(old, NOW).stage == "replaced"


def test_what_should_not_be_there_is_deleted() -> None:
    gone = Want("", send=False, last=True, gone=True)
    deleting = replace(SHOWN, stage="replaced")
    assert advance(SHOWN, Event.WANTED, gone, NOW) == (deleting, Do.DELETE)
    assert advance(deleting, Event.DELETED, gone, NOW)[1] is Do.FORGET
    editing = replace(SHOWN, stage="editing")
    assert advance(editing, Edited("a"), gone, NOW)[1] is Do.DELETE
    assert advance(life("sending"), Event.WANTED, gone, NOW)[1] is Do.FIND


def test_a_lost_confirmation_is_repeated() -> None:
    lost, _ = advance(life("settling", there=True, until=NOW), OUTAGE, A, NOW)
    after, do = advance(lost, Edited("a"), A, NOW + 500)
    assert (after.stage, do) == ("settling", Pause(ECHO))


# ---------------------------------------------------------------- random histories


class Histories(RuleBasedStateMachine):
    """One message, a Discord that loses answers, delays requests, forgets nonces and refuses, and
    crashes anywhere.

    A request takes effect when it is made, or, if its answer is lost, at any time in the next
    `ECHO` seconds. What is stored is what the reconciler stores before the next request.
    """

    @initialize()
    def begins(self) -> None:
        self.ids, self.cards = count(1), count(1)
        self.now = NOW
        self.want = A._replace(deletable=True)
        self.messages: dict[int, str] = {}  # what Discord shows, by id
        self.nonces: dict[str, tuple[int, int]] = {}  # the message, and when it was sent
        # until when, what, message, digest, nonce
        self.late: list[tuple[int, str, int, str, str]] = []
        self.life: Life = life("new", at=NOW)
        self.do: Next = Do.SEND
        self.stored = self.life

    # ------------------------------------------------------------ what the program does

    def tell(self, event: Happened) -> None:
        self.life, self.do = advance(self.life, event, self.want, self.now)
        self.stored = self.life

    def request(self) -> tuple[str, int, str, str]:
        match self.do:
            case Do.SEND:
                repeated = self.life.stage != "new"
                if not repeated:
                    shows = self.want.shows if self.life.shows in ("", self.want.shows) else ""
                    self.life = replace(self.life, shows=shows)
                    self.life, _ = advance(self.life, Event.ASKED, self.want, self.now)
                self.stored = self.life
                self.answers = self.life.shows if repeated else self.want.shows
                return "send", 0, self.want.shows, self.life.nonce(1)
            case Do.EDIT:
                return "edit", self.life.message_id, self.want.shows, ""
            case _:
                return "", 0, "", ""

    def carried_out(self, what: str, message: int, shows: str, nonce: str) -> int:
        if what == "send":
            if nonce not in self.nonces or self.now > self.nonces[nonce][1] + NONCE_GOOD:
                self.nonces[nonce] = next(self.ids), self.now
                self.messages[self.nonces[nonce][0]] = shows
            return self.nonces[nonce][0]
        if message in self.messages:
            self.messages[message] = shows
        return message

    @precondition(
        lambda self: self.do not in (Do.REST, Do.FORGET) and not isinstance(self.do, Pause)
    )
    @rule(outcome=st.sampled_from(["done", "done", "lost", "error", "refused"]))
    def makes_the_next_request(self, outcome: str) -> None:
        if self.do is Do.RENEW:
            self.messages.pop(self.life.message_id, None)  # it is closed
            self.stored = self.life = following(self.life, self.want, self.now)
            self.do = Do.SEND
            return
        if self.do in (Do.FIND, Do.LOOK):
            there = next(iter(self.messages), 0)
            self.tell(Found(there) if outcome != "error" else OUTAGE)
            return
        if self.do is Do.SEND and 0 < self.life.until < self.now:  # its turn came too late
            self.tell(Event.WANTED)
            return
        what = self.request()
        if what[0] == "edit" and what[1] not in self.messages:
            self.tell(MISSING)
        elif outcome == "done":
            message = self.carried_out(*what)
            self.tell(Sent(message, self.answers) if what[0] == "send" else Edited(what[2]))
        elif outcome == "refused":
            self.tell(LIMITED)
        else:
            if outcome == "lost":
                self.late.append((self.now + int(ECHO * 1000), *what))
            self.tell(OUTAGE)

    @precondition(lambda self: self.do is Do.EDIT and self.life.message_id in self.messages)
    @rule(lost=st.booleans())
    def a_response_edits_it(self, *, lost: bool) -> None:
        edit = "edit", self.life.message_id, self.want.shows, ""
        if lost:
            self.late.append((self.now + int(ECHO * 1000), *edit))
            self.tell(Event.DOUBTED)
        else:
            self.carried_out(*edit)
            self.tell(Edited(self.want.shows))

    @precondition(lambda self: isinstance(self.do, Pause))
    @rule()
    def waits(self) -> None:
        assert isinstance(self.do, Pause)
        self.passes(self.do.seconds)
        self.tell(Event.DUE)

    @rule(seconds=st.sampled_from([1.0, 7.0, 61.0]))
    def passes(self, seconds: float) -> None:
        until = self.now + int(seconds * 1000)
        for each in sorted(each for each in self.late if each[0] <= until):
            self.late.remove(each)
            self.now = max(self.now, each[0])
            self.carried_out(*each[1:])
        self.now = until

    @precondition(lambda self: self.late)
    @rule(data=st.data())
    def a_late_request_takes_effect(self, data: st.DataObject) -> None:
        each = data.draw(st.sampled_from(self.late))
        self.late.remove(each)
        self.carried_out(*each[1:])

    # ------------------------------------------------------------ what happens

    @precondition(lambda self: self.do is not Do.FORGET and not self.want.last)
    @rule(over=st.booleans(), anew=st.booleans(), same=st.booleans())
    def something_else_is_wanted(self, *, over: bool, anew: bool, same: bool) -> None:
        """``anew``: people are to be told again. ``same``: in the same words."""
        new = str(next(self.cards))
        self.want = Want(
            self.want.shows if same else new,
            send=not over,
            last=over,
            deletable=True,
            anchor=None if over else new if anew else self.want.anchor,
        )
        if not (isinstance(self.do, Pause) and self.do.failed):
            self.tell(Event.WANTED)

    @precondition(lambda self: self.do is Do.REST)
    @rule(fails=st.booleans())
    def it_is_checked(self, *, fails: bool) -> None:
        self.life, self.do = advance(
            self.life, Event.WANTED, self.want._replace(check=True), self.now
        )
        if fails:
            self.tell(OUTAGE)

    @precondition(lambda self: self.do is not Do.FORGET)
    @rule()
    def the_process_crashes(self) -> None:
        """The next one knows what is stored, and does not know the nonce's time or how often it was
        tried.
        """
        stage: Stage = "sending" if self.stored.stage in ("new", "looking") else self.stored.stage
        self.life = replace(self.stored, stage=stage, tries=0, until=0)
        self.tell(Event.WANTED if self.life.resting else Event.LEFT)

    # ------------------------------------------------------------ what must hold

    @invariant()
    def there_is_never_a_second_one(self) -> None:
        assert len(self.messages) <= 1

    def teardown(self) -> None:
        """Discord works again: in the end one message shows what is wanted last."""
        for _ in range(30):
            if self.do in (Do.REST, Do.FORGET):
                break
            if isinstance(self.do, Pause):
                self.waits()
            else:
                self.makes_the_next_request("done")
        self.passes(61.0)
        assert self.do in (Do.REST, Do.FORGET), f"no way out of {self.life.stage}"
        if self.want.last:  # it need not be sent at all
            assert set(self.messages.values()) <= {self.want.shows}
        else:
            assert list(self.messages.values()) == [self.want.shows]
            assert self.want.anchor in (None, self.life.anchor), "nobody was told again"


Histories.TestCase.settings = settings(max_examples=at_scale(100, 500), stateful_step_count=30)
TestHistories = Histories.TestCase
