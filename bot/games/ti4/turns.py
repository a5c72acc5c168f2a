"""Turns: the order of play, passing, and giving turns back after a mistake. Each turn is a window.

A turn can be given back until another turn has ended after it. To do so, the host begins a turn of
its player again. The bot assumes that it is the same turn if a new one would be out of order and
nobody has traded or fought since. It tells the host, who may correct this. Pairs that have traded
in the turn can't trade again. A turn that is interrupted in this way later continues as the same
turn, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from bot.api import (
    Action,
    Caller,
    Command,
    Entry,
    Feature,
    LabelledAction,
    OfSeat,
    Pair,
    PhaseSet,
    Press,
    Reads,
    Refused,
    SettingOption,
    Since,
    Table,
    Undecided,
    Window,
    agrees,
    is_host,
    open_window,
    part,
    replace,
    require_host,
    seat_meant,
    taken_seat,
    with_part,
)
from bot.games.ti4.counting import unsaid
from bot.games.ti4.initiative import by_cards, up_next
from bot.games.ti4.state import (
    Combat,
    Map,
    PlayedRound,
    Round,
    TurnTrades,
    active_seat,
    require_now,
    require_turn,
    under_way,
)

AFTER_PASS = SettingOption(
    "after_pass",
    ("ask", "next", "stay"),
    "ask: a pass ends the turn, unless an offer to or from them is open. next: always. stay: never",
    question="Does a pass end the turn?",
    answers=("Unless an offer is open", "Always", "Never"),
)
"""The table setting for whether a pass ends the turn."""

SameOrNew = Literal["same", "new"]

# ---------------------------------------------------------------- beginning a turn


class StartTurn(Command):
    """Begin a turn of a seat, None for the caller's own. Another's turn is over by it.

    ``turn``: ``same`` gives the seat's last turn back after a mistake, ``new`` begins a new turn;
    needs the host. ``since``: what is under way when it begins.
    """

    kind = "ti4.turn.start"
    seat: str | None = None
    turn: SameOrNew | None = None
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Players begin their own turn if none is under way; a host begins anyone's at any time."""
        seat, active = seat_meant(table, self.seat, caller), active_seat(table)
        if self.turn is not None:
            require_host(table, caller, "say whether this is the same turn as before")
        label = "Start my turn"
        if self.seat is not None:
            label = f"<name:{seat.id}> begins"
        if self.turn == "same":
            label = f"Give <name:{seat.id}> the turn back"
        again = Press(table.id, replace(self, since=table.window.since))
        require_now(table, self.since, again, label)
        if active == seat.id and self.turn is None:
            raise Refused(
                f"It is already <seat:{seat.id}>'s turn.",
                "Several actions are still one turn.",
                rule="94 note 4",
            )
        if not is_host(table, caller):
            if seat.person != caller.person:
                require_host(table, caller, "start another player's turn")
            _require_due(table, seat.id)
        if seat.id in part(table, Round).passed:
            raise Refused(
                f"<seat:{seat.id}> has passed for this round.",
                "A slip? The host can take it back: **Undo a slip** under **Menu**, **Host…**.",
                options=(LabelledAction("Take the pass back", undo_pass(table, seat.id)),),
            )
        window, by_name = table.window.number + 1, self.seat is not None
        return [begun(table, seat.id, window, self.turn, by_name=by_name)]


def _require_due(table: Table, seat: str) -> None:
    """Raise `Refused` unless a player may begin their own turn now."""
    active, now = active_seat(table), part(table, Round)
    if active is not None:
        raise Refused(f"It is <seat:{active}>'s turn.", "End that first: **End turn**.")
    if table.window.kind == "agenda":
        raise Refused("An agenda is being resolved.", "End that first: **Resolve agenda**.")
    if seat in now.passed:
        slip = f"A slip? Ask <person:{table.host}>."
        raise Refused("You have passed for this round.", slip)
    following = up_next(table, seat)
    first = up_next(table, None)
    if now.last is None and not now.order and by_cards(table) and first != [seat]:
        begins = "The host can begin any turn: /turn start."
        raise Refused(f"<seat:{first[0]}> is first.", begins, rule="48")
    if now.last is not None and now.last.seat == seat and following != [seat]:
        who = f"<seat:{following[0]}>" if len(following) == 1 else "somebody else"
        raise Refused(
            f"You have just had your turn; {who} is next.",
            f"Several actions are one turn. Ended it by mistake? <person:{table.host}> can give it "
            "back: **Undo a slip** under **Menu**, **Host…**.",
            rule="94 note 4",
        )


class TurnStarted(OfSeat):
    """A turn began, with a window in which the active player may trade. It also begins the action
    phase.

    The board shows it, and calls the player; the channel is told only that a turn was given back.

    ``again``: it continues the seat's last turn, which ended by mistake. The pairs in ``used`` have
    had their transaction in it, and those in ``parted`` stopped being neighbours in it.
    ``assumed``: nobody said whether the turn is the same or new. ``whole``: nothing has happened
    since it ended, so all that its end did is undone; see `bot.games.ti4.slips`.
    """

    kind = "ti4.turn.started"
    v: int = 2  # 2: whole
    reads: ClassVar[Reads] = {("ti4.turn.started", 1): None}
    window: int
    again: bool = False
    assumed: bool = False
    used: tuple[Pair, ...] = ()
    parted: tuple[Pair, ...] = ()
    whole: bool = False

    def undoes(self) -> bool:
        return self.whole

    def is_news(self) -> bool:
        return self.again

    def heading(self) -> str:
        return f"<seat:{self.seat}>'s turn{' goes on' if self.again else ''}"

    def sentence(self, ruler: str) -> str:
        if not self.again:
            return f"It is <player:{self.seat}>'s turn."
        had = "; players who have traded in it can't trade again [94.1]" if self.used else ""
        return f"It is <player:{self.seat}>'s turn again, the same one{had}."

    def apply(self, table: Table) -> Table:
        """Begin the turn. Another's ends or, if this turn was given back, is interrupted."""
        now, active = part(table, Round), active_seat(table)
        left = trades_now(table, active) if active and active != self.seat else now.last
        interrupted = tuple(turn for turn in now.interrupted if turn.seat != self.seat)
        given_back = self.again and now.last is not None and now.last.seat == self.seat
        if given_back and left is not None and left.seat == active and left.used:
            interrupted += (left,)
        used, parted = frozenset(self.used), frozenset(self.parted)
        since = _begun_before(table, self.seat) if self.again else 0
        window = Window(self.window, "turn", self.seat, used, since)
        table = open_window(table, window, phase="action")
        table = with_part(table, replace(part(table, Map), parted=parted))
        return with_part(table, replace(now, last=left, interrupted=interrupted, played=None))


def trades_now(table: Table, seat: str, by: int | None = None) -> TurnTrades:
    """Return the pairs that have traded in the current turn, which is this seat's."""
    window = table.window
    return TurnTrades(seat, window.used, part(table, Map).parted, window.since, by)


def _turns_before(table: Table, seat: str) -> list[TurnTrades]:
    """Return the seat's turns that may go on: the last one, then those that were interrupted."""
    now = part(table, Round)
    return [turn for turn in (now.last, *now.interrupted) if turn is not None and turn.seat == seat]


def _begun_before(table: Table, seat: str) -> int:
    """Return the number of the entry that began the turn of this seat which goes on; 0 for none."""
    turns = _turns_before(table, seat)
    return turns[-1].since if turns else 0


def begun(
    table: Table, seat: str, window: int, turn: SameOrNew | None = None, *, by_name: bool = True
) -> TurnStarted:
    """Return the entry that begins a seat's turn, or its last one again.

    The last one goes on if it is given back or was interrupted. ``turn`` is as in `StartTurn`, None
    if nobody has said. ``by_name``: a host named the seat; whoever begins their own turn, or ends
    another, means the next one. Raises `Refused` if ``turn`` is ``same`` and no turn can be given
    back.
    """
    now = part(table, Round)
    before, interrupted = None, False
    for past in _turns_before(table, seat):
        before, interrupted = past, past in now.interrupted
    # A new turn would be out of order: another seat is due, or has only just begun.
    if active_seat(table) is None:
        early = up_next(table, seat) not in ([], [seat])
    else:
        early = not table.window.used and not part(table, Combat).pairs
    slip = before is not None and not interrupted and early
    if turn == "same" and before is None:
        raise Refused(
            f"<seat:{seat}>'s last turn can't be given back: another turn has ended since, or a "
            "phase has begun.",
            "Leave out turn:same to begin a new turn.",
        )
    same = turn == "same" if turn else interrupted or (slip and by_name)
    assumed = slip and turn is None
    if before is None or not same:
        return TurnStarted(seat=seat, window=window, assumed=assumed)
    used = before.used | (table.window.used if active_seat(table) == seat else frozenset())
    return TurnStarted(
        seat=seat,
        window=window,
        again=True,
        assumed=assumed,
        used=tuple(sorted(used)),
        parted=tuple(sorted(before.parted)),
    )


# ---------------------------------------------------------------- ending a turn


class EndTurn(Command):
    """End the turn, and the action phase if all have passed."""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        active, window = _own_turn(table, caller), table.window.number + 1
        yield _ended(table, caller, active)
        if part(table, Round).passed and not up_next(table, active):
            yield _next(table, active, window)


class NextTurn(Command):
    """End the turn and begin the next in order. If no turn is under way, a host begins the next or
    first one.

    ``seat`` is whose turn ends, and ``since`` what is under way. ``sure``: a host has been told
    that it is another's.
    """

    kind = "ti4.turn.next"
    seat: str | None = None
    since: Since = None
    sure: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Undecided` if nobody has said who is next."""
        _require_told(table, caller, self)
        return _turn_over(table, caller)


class GiveTurn(Command):
    """End the turn as `NextTurn` or, ``passing``, as `PassTurn`, and begin the turn of ``seat``.

    ``since``: what is under way.
    """

    kind = "ti4.turn.give"
    seat: str
    passing: bool = False
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        active, now = active_seat(table), table.window.since
        ask: NextTurn | PassTurn = NextTurn(active, now, sure=True)
        if self.passing:
            ask = PassTurn(active, now, sure=True)
        require_now(table, self.since, Press(table.id, ask), _ends(table, passing=self.passing))
        to = taken_seat(table, self.seat).id
        return _turn_over(table, caller, passing=self.passing, to=to)


class AskWhoIsNext(Action):
    """The board's buttons that end a turn, or pass, where nobody has said who is next.

    ``seat`` and ``since`` are those of `NextTurn`.
    """

    name = "ti4.ask.next"
    passing: bool
    seat: str | None = None
    since: Since = None


def _ends(table: Table, *, passing: bool, own: bool = False) -> str:
    """Return the label of the button that ends the turn of now, or passes in it."""
    active = active_seat(table)
    if active is None:
        return "Begin the next turn"
    if passing:
        return f"<name:{active}> passes for this round"
    return "End turn" if own else f"End <name:{active}>'s turn"


def _require_told(table: Table, caller: Caller, command: NextTurn | PassTurn) -> None:
    """Raise `Refused` if the turn of a button is over, and `Undecided` if it is another's.

    A host ends another's turn by a second press, which has told whose it is.
    """
    active, now = active_seat(table), table.window.since
    if command.since is None:
        return
    if command.since not in (0, now):
        seat = command.seat
        if seat is None:
            require_now(table, command.since)
        seat = table.became.get(seat, seat) if seat else ""
        it_is = f"{under_way(table)}."
        if active is not None:
            it_is = f"it is <=name:{active}>'s."
        if active == seat:
            it_is = "this is a new one."
        raise Refused(f"<=name:{seat}>'s turn is over already; {it_is}")
    own = active is not None and table.seats[active].person == caller.person
    known = command.since == now and (own or command.sure or active is None)
    if known or not (own or is_host(table, caller)):
        return  # whoever may not do it is told so
    passing = isinstance(command, PassTurn)
    press = Press(table.id, replace(command, seat=active, since=now, sure=not own))
    button = LabelledAction(_ends(table, passing=passing, own=own), press)
    it_is = under_way(table)
    raise Undecided(f"{it_is[0].upper()}{it_is[1:]}.", options=(button,))


def _turn_over(
    table: Table, caller: Caller, *, passing: bool = False, to: str | None = None
) -> Iterable[Entry]:
    """Yield the entries that end the turn, if any, and begin the next: of ``to`` or in order."""
    if active_seat(table) is None and not passing:
        last = part(table, Round).last
        following = up_next(table, last.seat if last else None)
        own = table.seat_of(caller.person)
        if own is None or following != [own.id] or own.id in part(table, Round).passed:
            require_host(table, caller, "start the next turn")
        yield _next(table, last.seat if last else None, table.window.number, to)
        return
    active, window = _own_turn(table, caller), table.window.number + 1
    if passing:
        now = part(table, Round)
        if active in now.passed:
            raise Refused(f"<seat:{active}> has already passed.", "**End turn** ends the turn.")
        stays, offers = stays_after_pass(table, active)
        by = _by_another(table, caller, active)
        yield TurnPassed(seat=active, stays=stays, offers=offers, by=by)
        if stays:
            return
        # Entries are applied only after all are decided, so add the pass here to find who is next.
        table = with_part(table, replace(now, passed=now.passed | {active}))
    yield _ended(table, caller, active)
    yield _next(table, active, window, to, passing=passing)


def _ended(table: Table, caller: Caller, active: str) -> TurnEnded:
    """Return the entry that ends the turn of the active seat."""
    still = active not in part(table, Round).passed and unsaid(table, active)
    by = _by_another(table, caller, active)
    return TurnEnded(seat=active, window=table.window.number + 1, still=still, by=by)


def _by_another(table: Table, caller: Caller, seat: str) -> int | None:
    """Return the caller if they are not the player of this seat."""
    return None if table.seats[seat].person == caller.person else caller.person


def by(person: int | None) -> str:
    """Return who did it in brackets; empty for None."""
    return f" (by <name:{person}>)" if person is not None else ""


class TurnEnded(OfSeat):
    """The active player ended their turn. `TurnStarted` and `PhaseSet` end a turn too.

    ``still``: they said nothing of their goods in it, and may have spent some. ``by``: the host or
    moderator who ended it, if its player did not.
    """

    announced = False
    kind = "ti4.turn.ended"
    v: int = 2  # 2: by
    reads: ClassVar[Reads] = {("ti4.turn.ended", 1): None}
    window: int
    still: bool = False
    by: int | None = None

    def by_itself(self) -> bool:
        return self.by is not None  # the sentence says who did it

    def sentence(self, ruler: str) -> str:
        return f"<player:{self.seat}>'s turn is over{by(self.by)}."

    def apply(self, table: Table) -> Table:
        now, ended = part(table, Round), trades_now(table, self.seat, self.by)
        table = open_window(table, Window(number=self.window))
        table = with_part(table, replace(now, last=ended))
        # no ships move in a turn in which the player passes
        moved = None if self.seat in now.passed else self.seat
        changed = replace(part(table, Map), moved=moved, since=table.seq + 1)
        return with_part(table, changed)


def _own_turn(table: Table, caller: Caller) -> str:
    """Return the active seat. Raises `Refused` unless its turn is the caller's to end."""
    active = require_turn(table, "Nobody's turn is under way.")
    if table.seats[active].person == caller.person or is_host(table, caller):
        return active
    if table.seats[active].person is None:
        nobody = f"It is <seat:{active}>'s turn, and nobody plays <seat:{active}> now."
        raise Refused(nobody, ends_empty_turn(table))
    raise Refused(f"It is <seat:{active}>'s turn, so only they or the host can end it.")


def ends_empty_turn(table: Table) -> str:
    """Return how a turn goes on whose player has left."""
    return f"<person:{table.host}> ends this turn, or somebody takes the seat: **/table sit**."


def _next(
    table: Table, after: str | None, window: int, to: str | None = None, *, passing: bool = False
) -> Entry:
    """Return the entry that begins the next turn or, if all have passed, the status phase.

    It is the turn of ``to`` or (None) the next in order. ``window`` is the number of the last
    window, after the previous turn ended. Raises `Refused` if nobody sits and for a seat that can't
    be next, and `Undecided` if several can.
    """
    seats = up_next(table, after)
    if to is not None and to not in seats:
        why = f"<seat:{seats[0]}> is next" if len(seats) == 1 else f"<seat:{to}> can't be next"
        raise Refused(f"{why}.", "The host can begin any turn: /turn start.")
    if len(seats) > 1 and to is None:
        buttons = []
        for seat in seats:
            press = Press(table.id, GiveTurn(seat, passing, table.window.since))
            buttons.append(LabelledAction(f"<name:{seat}> is next", press))
        who = "Who is next? Nobody has said the order of this round."
        raise Undecided(
            who,
            "The host can say it: **Order of play** under **Menu**, **Host…**.",
            options=tuple(buttons),
        )
    if seats:
        following = to or seats[0]
        turn: SameOrNew | None = "new" if following == after else None
        return begun(table, following, window + 1, turn, by_name=False)
    if not part(table, Round).passed:
        raise Refused("Nobody sits here yet.", "/table sit takes a seat.")
    return PhaseSet(phase="status", window=window + 1)


def phase_set(table: Table, entry: Entry) -> Table:
    """When a phase begins, nobody has passed any more, and no turn can be given back.

    The order of play is that of one round [48]: only the action phase keeps it.
    """
    if not isinstance(entry, PhaseSet):
        return table
    now = part(table, Round)
    order = now.order if entry.phase == "action" else ()
    ends = entry.phase == "status" and bool(now.passed)
    played = PlayedRound(now.passed, now.last, now.order) if ends else None
    table = with_part(table, Round(order=order, played=played))
    return with_part(table, replace(part(table, Map), moved=None, quiet=False))


# ---------------------------------------------------------------- passing


class PassTurn(Command):
    """Pass for the round. When all have passed, the action phase is over.

    The turn may continue until the player ends it, for a last transaction (94.1.1); see
    `AFTER_PASS`. The fields are those of `NextTurn`.
    """

    kind = "ti4.turn.pass"
    seat: str | None = None
    since: Since = None
    sure: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Undecided` if nobody has said who is next."""
        _require_told(table, caller, self)
        return _turn_over(table, caller, passing=True)


def stays_after_pass(table: Table, seat: str) -> tuple[bool, tuple[int, ...]]:
    """Return whether a seat's turn stays open after its pass, and for which open offers.

    Those are the offers by this seat, to it, and to all that it has accepted. Private ones are left
    out, since a turn that stays open would tell others of them.
    """
    after_pass = AFTER_PASS.of(table.settings)
    if after_pass != "ask":
        return after_pass == "stay", ()
    public = [offer for offer in table.open_offers() if not offer.private]
    theirs = [offer for offer in public if offer.party(seat) or agrees(offer, seat)]
    return bool(theirs), tuple(offer.number for offer in theirs)


class TurnPassed(OfSeat):
    """The active player passed for the round. ``stays``: their turn goes on until they end it.

    ``offers`` are the open offers because of which it stays. ``by``: as in `TurnEnded`.
    """

    kind = "ti4.turn.passed"
    v: int = 2  # 2: by
    reads: ClassVar[Reads] = {("ti4.turn.passed", 1): None}
    stays: bool = False
    offers: tuple[int, ...] = ()
    by: int | None = None

    def is_news(self) -> bool:
        """The board shows a pass, but not that another passed in a turn that goes on."""
        return self.stays and self.by is not None

    def by_itself(self) -> bool:
        return self.by is not None

    def sentence(self, ruler: str) -> str:
        seat, passes = self.seat, f"<player:{self.seat}> passes{by(self.by)}."
        if not self.stays:
            return passes
        stays = f"turn stays open for a last transaction [94.1.1], until <they:{seat}> end it."
        if not self.offers:
            return f"{passes} <Their:{seat}> {stays}"
        *most, last = map(str, self.offers)
        listed = f"Offers {', '.join(most)} and {last} are" if most else f"Offer {last} is"
        return f"{passes} {listed} open, so <their:{seat}> {stays}"

    def apply(self, table: Table) -> Table:
        now = part(table, Round)
        return with_part(table, replace(now, passed=now.passed | {self.seat}))


class UndoPass(Command):
    """Take a seat's mistaken pass back, and its turn unless another has ended. Needs the host."""

    kind = "ti4.turn.unpass"
    seat: str
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "take a pass back")
        label = f"<name:{self.seat}> has not passed"
        require_now(table, self.since, undo_pass(table, self.seat), label)
        seat, now = taken_seat(table, self.seat).id, part(table, Round)
        phase = now.action_phase()
        last = phase.last
        if seat not in phase.passed:
            gives_back = (
                "**Undo a slip** under **Menu**, **Host…** gives back a turn ended by mistake."
            )
            raise Refused(f"<seat:{seat}> has not passed.", gives_back)
        left = tuple(sorted(phase.passed - {seat}))
        yield PassUndone(seat=seat, passed=left, reopens=now.played is not None)
        if last is not None and last.seat == seat != active_seat(table):
            # Entries are applied only after all are decided, so restore the turn to give back here.
            back = with_part(table, replace(now, passed=frozenset(left), last=last))
            yield begun(back, seat, table.window.number + 1, "same")


def undo_pass(table: Table, seat: str) -> Press:
    """Return the press that takes a seat's pass back while what is under way goes on."""
    return Press(table.id, UndoPass(seat, table.window.since))


class PassUndone(OfSeat):
    """The host took a mistaken pass back. ``passed`` are the other seats that have passed.

    ``reopens``: the pass had ended the action phase, which now continues.
    """

    kind = "ti4.turn.unpassed"
    passed: tuple[str, ...]
    reopens: bool = False

    def sentence(self, ruler: str) -> str:
        goes_on = ", and the action phase goes on" if self.reopens else ""
        return f"{ruler.capitalize()} takes it back: <player:{self.seat}> has not passed{goes_on}."

    def apply(self, table: Table) -> Table:
        now = replace(part(table, Round), passed=frozenset(self.passed))
        if not self.reopens or now.played is None:
            return with_part(table, now)
        phase = now.played
        now = replace(now, order=phase.order, last=phase.last, played=None)
        return with_part(replace(table, phase="action"), now)


# ---------------------------------------------------------------- the order of play


class SetOrder(Command):
    """Say this round's order of play. ``begins``: its first turn begins. Needs the host."""

    seats: tuple[str, ...]
    begins: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "set the order of play")
        order = tuple(taken_seat(table, seat).id for seat in self.seats)
        if not order or len(set(order)) != len(order):
            raise Refused("Name each player once, in order of play.")
        yield OrderSet(order=order)
        if self.begins and active_seat(table) is None:
            yield begun(table, order[0], table.window.number + 1)


class AskOrder(Action):
    """The board's button **Order of play**, and each step of the answer: the players in order.

    ``picked`` has a sign for each seat so far, see `bot.show.setup`. ``step``: ask first, pick the
    next, use the order.
    """

    name = "ti4.ask.order"
    picked: str = ""
    step: Literal["ask", "pick", "use"] = "ask"


class OrderSet(Entry):
    """The order of play was set. Seats that are not in ``order`` follow after it. The board shows
    it.
    """

    announced = False
    kind = "ti4.turn.order"
    order: tuple[str, ...]

    def sentence(self, ruler: str) -> str:
        order = ", ".join(f"<=player:{seat}>" for seat in self.order)
        return f"They play in this order: {order}."

    def apply(self, table: Table) -> Table:
        return with_part(table, replace(part(table, Round), order=self.order))


FEATURE = Feature(
    state=Round,
    commands=(StartTurn, EndTurn, NextTurn, GiveTurn, PassTurn, UndoPass, SetOrder),
    entries=(TurnStarted, TurnEnded, TurnPassed, PassUndone, OrderSet),
    opens=(AskWhoIsNext, AskOrder),
    options=(AFTER_PASS,),
    hears=(PhaseSet,),
    after=phase_set,
)
