"""Slips: what ended as a phase began, a turn ended or an agenda came up or was resolved. It is kept
until the next such act, so that the host can take the last one back.

What has changed since by other acts stays as it is. Once the game has gone on (a trade, a turn, a
combat, a strategy card), it is too late.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, fields
from typing import Any, ClassVar

from bot.api import (
    Apply,
    Caller,
    Change,
    Command,
    Course,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    GoodsMoved,
    LabelledAction,
    OpenDebts,
    Pair,
    PhaseSet,
    Reads,
    Refused,
    SeatTaken,
    SettingsChanged,
    Since,
    StatePart,
    Table,
    button,
    frozen,
    part,
    replace,
    require_host,
    require_since,
    with_part,
)
from bot.games.ti4.agendas import (
    AgendaResolved,
    AgendaRevealed,
    AgendaUndone,
    ask_about_agenda,
)
from bot.games.ti4.combat import CombatBegun, SystemActivated, activation
from bot.games.ti4.commodities import Replenished
from bot.games.ti4.components import (
    COMMODITY,
    commodities,
    describe,
    describe_token,
    note_named,
    note_owner,
)
from bot.games.ti4.counting import Counting
from bot.games.ti4.initiative import up_next
from bot.games.ti4.note_claims import NoteClaims
from bot.games.ti4.note_moments import Overruled
from bot.games.ti4.note_returns import (
    Homecomings,
    NoteReturned,
    NotesPutBack,
    SentHome,
    stays_in_play,
)
from bot.games.ti4.notes import NotePlayed, holder_of
from bot.games.ti4.phases import PhaseUndone
from bot.games.ti4.pillage import Pillages
from bot.games.ti4.state import (
    Agenda,
    Combat,
    GameRound,
    InForce,
    Map,
    Questions,
    Round,
    TradeCard,
    TurnBegun,
    active_seat,
    gone_on,
    questions,
)
from bot.games.ti4.take_back import TakeBackLapsed, Undoables
from bot.games.ti4.trade_agreements import Replenishings
from bot.games.ti4.turns import TurnEnded, TurnPassed, TurnStarted

# ---------------------------------------------------------------- what is kept


@frozen
class Kept:
    """The parts of the state that an act may end, under their names in the state."""

    round: Round
    gameround: GameRound
    map: Map
    combat: Combat
    questions: Questions
    turnbegun: TurnBegun
    tradecard: TradeCard
    agenda: Agenda
    inforce: InForce
    undoables: Undoables
    pillages: Pillages
    replenishings: Replenishings
    counting: Counting
    noteclaims: NoteClaims
    overruled: Overruled
    homecomings: Homecomings
    opendebts: OpenDebts


PARTS = tuple(each.name for each in fields(Kept))

HAPPENED = ("gameround", "combat", "tradecard", "agenda")
"""The parts that say that the game has gone on. So do turns; the order of play does not."""


def _kept(table: Table) -> Kept:
    parts: dict[str, Any] = {name: getattr(table.state, name) for name in PARTS}
    return Kept(**parts)


@frozen
class Slip(StatePart):
    """The last act that the host may take back: ``before`` and ``then`` are the state before and
    after it, ``course`` is what went on before. ``transactions`` counts those that were made until
    then, and ``used`` are the pairs that have had theirs in the window after it.

    ``first`` and ``last`` are the numbers of its entries. ``leads``: a further one belongs to it.
    ``passing``: it began with a pass, which is taken back by itself. ``agenda``: it is about an
    agenda. ``played`` are the notes that were played on that. ``activated``: it is the activation
    by a seat of a system with units of another. ``due``: who replenished because the turn ended,
    and how much.
    """

    before: Kept | None = None
    then: Kept | None = None
    course: Course = field(default_factory=Course)
    transactions: int = 0
    used: frozenset[Pair] = frozenset()
    first: int = 0
    last: int = 0
    leads: bool = False
    passing: bool = False
    agenda: bool = False
    played: tuple[SentHome, ...] = ()
    activated: tuple[str, str] | None = None
    due: tuple[tuple[str, int], ...] = ()

    @property
    def agenda_before(self) -> str | None:
        """The title of the agenda that was open before it."""
        return self.before.agenda.title if self.before else None

    def vacated(self, seat: str) -> Slip:
        return Slip()  # a newcomer would find a turn or a hand that was another's

    def without(self, seat: str) -> Slip:
        return Slip()

    def renamed(self, before: str, now: str) -> Slip:
        return Slip()


ACTS = (PhaseSet, TurnEnded, AgendaRevealed, AgendaResolved, SystemActivated, CombatBegun)
"""The entries that always are such an act."""

ALSO = (TurnStarted, TurnPassed, Replenished, NoteReturned, TakeBackLapsed)
"""Those that may be, or belong to one."""


def _ends(table: Table, entry: Entry) -> bool:
    """Return whether an entry, with which an act may begin, ends something."""
    match entry:
        case Replenished(due=due):
            return due  # the turn ends right after it
        case TurnPassed(stays=stays):
            return not stays
        case TurnStarted():
            # Else the turn before can still be given back, or the phase be taken back.
            return table.window.kind != "none" or table.phase != "action"
    return isinstance(entry, ACTS)


def before(table: Table, entry: Entry) -> Table:
    """Keep what an act ends; before one is taken back, find what is put back of it."""
    slip = part(table, Slip)
    if entry.undoes():
        return with_part(table, _settled(table, slip))
    continues = slip.leads and slip.last == table.seq
    if continues or not _ends(table, entry):
        return table
    slip = Slip(
        before=_kept(table),
        course=Course.of(table),
        transactions=table.transactions,
        first=table.seq + 1,
        last=table.seq,
        passing=isinstance(entry, TurnPassed),
        activated=activation(table, entry),
    )
    return with_part(table, slip)


def after(table: Table, entry: Entry) -> Table:
    """Note the state after each entry of an act; put the state back once it is taken back."""
    slip = part(table, Slip)
    leads, due, agenda = False, slip.due, slip.agenda
    match entry:
        case (
            PhaseUndone(window=window)
            | AgendaUndone(window=window)
            | TurnStarted(whole=True, window=window)
        ):
            return _put_back(slip.course.resumed(table, window), slip)
        # Goods come right after one of these.
        case NotesPutBack(whole=True) | GoodsPutBack():
            return with_part(_put_back(table, slip), Slip())
        case Replenished(due=False) | TurnPassed(stays=True) | NoteReturned(after=None):
            return _meanwhile(table, slip, entry)
        case Replenished(seat=seat, amount=amount):
            leads, due = True, (*due, (seat, amount))
        case TurnPassed():
            leads = True
        case TurnEnded(seat=seat):
            leads = not up_next(table, seat)  # the status phase begins
        case NoteReturned() | TakeBackLapsed():
            leads = slip.leads
        case AgendaRevealed() | AgendaResolved():
            agenda = True
    belongs = slip.last == table.seq and isinstance(entry, (*ACTS, *ALSO))
    if slip.before is None or not belongs:
        return _meanwhile(table, slip, entry)
    slip = replace(slip, then=_kept(table), used=table.window.used, last=table.seq + 1)
    return with_part(table, replace(slip, leads=leads, agenda=agenda, due=due))


def _meanwhile(table: Table, slip: Slip, entry: Entry) -> Table:
    """Return the table after an entry that is no part of the act. Of the trades that would come
    back with it, some can't be taken back any more, or not whole. A note that was played on the
    agenda goes back with it.
    """
    if slip.before is None:
        return table
    undoables = slip.before.undoables.after(entry)
    played = tuple(note.later(entry) for note in slip.played)
    if isinstance(entry, NotePlayed) and _on_the_agenda(table, slip, entry):
        window, number = table.window.number, table.seq + 1
        played += (SentHome(entry.note, entry.seat, window, None, number),)
    if (undoables, played) == (slip.before.undoables, slip.played):
        return table
    earlier = replace(slip.before, undoables=undoables)
    return with_part(table, replace(slip, before=earlier, played=played))


def _on_the_agenda(table: Table, slip: Slip, played: NotePlayed) -> bool:
    """Return whether a note is played on the agenda that came up by the act."""
    about_agenda = note_named(played.note).moment == "agenda"
    return about_agenda and slip.agenda and part(table, Agenda).title is not None


def _settled(table: Table, slip: Slip) -> Slip:
    """Return the slip with what is put back: of each part what was before, unless it has changed
    since.
    """
    if slip.before is None or slip.then is None:
        return slip
    now, parts = _kept(table), dict[str, Any]()
    played = {note.number for note in slip.played}
    undone = [claim for claim in now.noteclaims.claims if claim.number in played]
    now = replace(now, noteclaims=now.noteclaims.without_plays(played))
    for name in PARTS:
        is_same = getattr(now, name) == getattr(slip.then, name)
        parts[name] = getattr(slip.before if is_same else now, name)
    parts["noteclaims"] = parts["noteclaims"].with_undone(undone)
    parts["round"] = slip.before.round
    if now.round.order != slip.then.round.order:
        parts["round"] = replace(slip.before.round, order=now.round.order)
    return replace(slip, before=Kept(**parts), then=None)


def _put_back(table: Table, slip: Slip) -> Table:
    """Return the table with the state before an act, in a window that has another number now."""
    if slip.before is None:
        return table
    parts: dict[str, Any] = {name: getattr(slip.before, name) for name in PARTS}
    later, recent, notes = table.window.number - slip.course.window.number, [], []
    for replenishing in slip.before.replenishings.recent:
        # Commodities may have gone since, by a word or in a correction.
        left = min(replenishing.left, table.seats[replenishing.seat].holdings.count(COMMODITY))
        window = replenishing.window + later
        recent.append(replace(replenishing, window=window, left=left))
    for note in slip.before.homecomings.notes:
        if note.number < slip.first:
            notes.append(replace(note, window=note.window + later))
    card, now = slip.before.tradecard, part(table, TradeCard)
    if card.current:
        # Its message has ended with the turn, so there is a new one.
        number = now.number if now.current else table.seq + 1
        parts["tradecard"] = replace(card, number=number)
    parts["replenishings"] = Replenishings(tuple(recent))
    parts["homecomings"] = Homecomings(tuple(notes))
    return table.with_state(replace(table.state, **parts))


# ---------------------------------------------------------------- taking an act back


def _last_act(table: Table) -> Slip | None:
    """Return the last act; None if it can't be taken back, because the game has gone on."""
    slip, now = part(table, Slip), part(table, Round)
    then = slip.then
    traded = (slip.transactions, slip.used) != (table.transactions, table.window.used)
    if then is None or traded:
        return None
    if replace(now, order=()) != replace(then.round, order=()):
        return None
    happened = any(getattr(table.state, name) != getattr(then, name) for name in HAPPENED)
    return None if happened or questions(table, "replenish") else slip


def _begins_phase(table: Table, slip: Slip) -> bool:
    return slip.course.phase_since != table.phase_since


def taken_back(table: Table) -> LabelledAction | None:
    """Return the button by which the host takes the last phase or agenda back; None for neither."""
    slip = _last_act(table)
    if slip is None or slip.passing:
        return None
    if _begins_phase(table, slip):
        label = f"The {table.phase} phase has not begun"
        return button(label, table, UndoPhase(table.phase_since))
    if not slip.agenda:
        return None
    label = "The agenda was not replaced"
    if part(table, Agenda).title is None:
        label = "The agenda is not resolved"
    elif slip.agenda_before is None:
        label = "The agenda has not come up"
    return button(label, table, UndoAgenda(ask_about_agenda(table).since))


class UndoPhase(Command):
    """Say that this phase has not begun yet. Needs the host. ``since``: the entry that began it."""

    kind = "ti4.phase.undo"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "take a phase back")
        over = f"The {table.phase} phase has begun since."
        require_since(self.since, table.phase_since, over)
        slip = _last_act(table)
        if slip is None or slip.passing or not _begins_phase(table, slip):
            late = f"The {table.phase} phase can't be taken back any more."
            raise Refused(late, "**Begin a phase** under **Menu**, **Host…** begins any.")
        number, turn = table.window.number + 1, active_seat(table) or ""
        yield PhaseUndone(phase=slip.course.phase, window=number, turn=turn)
        yield from _goods_back(table, slip)


class UndoAgenda(Command):
    """Say that the agenda has not come up, or was not replaced or resolved. Needs the host.

    ``since`` is the agenda that is open, or what is under way.
    """

    kind = "ti4.agenda.undo"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "take an agenda back")
        require_since(self.since, ask_about_agenda(table).since or 0, gone_on(table))
        slip = _last_act(table)
        if slip is None or _begins_phase(table, slip) or not slip.agenda:
            late = "The agenda can't be taken back any more."
            raise Refused(late, "**Agenda** reveals one anew.")
        window = table.window.number
        if slip.course.window.number != window:
            window += 1  # it was not voted on within a turn
        yield AgendaUndone(title=slip.agenda_before, window=window)
        yield from _goods_back(table, slip)


def _goods_back(table: Table, slip: Slip) -> Iterable[GoodsPutBack]:
    """Yield the entry by which the goods go back that moved because something ended, and the notes
    that were played on an agenda; none if none did.

    Notes of which nobody can tell whether their owners still have them stay there. Raises `Refused`
    if somebody has fewer commodities than they replenished.
    """
    changes, stays = dict[str, Change](), list[tuple[str, str]]()

    def change(seat: str, more: Change) -> None:
        before = changes.get(seat, Change())
        changes[seat] = Change(
            lost=before.lost + more.lost,
            gained=before.gained + more.gained,
            entered_play=before.entered_play + more.entered_play,
            left_play=before.left_play + more.left_play,
        )

    def sent_back(note: SentHome, into: Change) -> None:
        card = Goods({note.note: 1})
        if holder_of(table, note.note) is not None:
            return  # the host has put it there
        if note.sure:
            change(note.owner, Change(lost=card))
            change(note.holder, into)
        else:
            stays.append((note.holder, note.note))

    for note in part(table, Homecomings).notes:
        if note.number >= slip.first:
            sent_back(note, Change(entered_play=Goods({note.note: 1})))
    for note in slip.played:
        card = Goods({note.note: 1})
        if note.note in table.seats[note.holder].in_play:
            change(note.holder, Change(left_play=card, gained=card))
        elif not stays_in_play(note.note):
            sent_back(note, Change(gained=card))
    for seat, amount in slip.due:
        if table.seats[seat].holdings.count(COMMODITY) < amount:
            replenished = f"<seat:{seat}> replenished {describe(commodities(amount))} with it"
            fix = "The host can fix that: /holdings set."
            raise Refused(f"{replenished}, and <seat:{seat}> has fewer now.", fix)
        if amount:
            change(seat, Change(lost=commodities(amount)))
    if changes or stays:
        yield GoodsPutBack(changes=changes, stays=tuple(stays))


class GoodsPutBack(GoodsMoved):
    """The goods went back that had moved because a phase, a turn or an agenda ended by a slip, or
    that were played on an agenda that came up by one.

    ``stays``: the seats to which a note can't go back, and that note, since nobody can tell whether
    its owner still has it.
    """

    always = True  # notes are in play also where holdings are not counted
    kind = "ti4.slip.goods"
    v: int = 2  # 2: stays
    reads: ClassVar[Reads] = {("ti4.slip.goods", 1): None}
    stays: tuple[tuple[str, str], ...] = ()

    def undoes(self) -> bool:
        return True

    def by_itself(self) -> bool:
        return True

    def sentence(self, ruler: str) -> str:
        sentences, cards = [], []
        for seat, change in self.changes.items():
            if change.entered_play:
                cards.append(f"**{describe(change.entered_play)}** before <seat:{seat}>")
            if back := change.lost.of_kind(COMMODITY):
                sentences.append(f"<player:{seat}> gives **{describe(back)}** back.")
            if notes := change.gained:
                sentences.append(f"<player:{seat}> has **{describe(notes)}** in hand again.")
        if cards:
            sentences.insert(0, f"In play again: {', '.join(cards)}.")
        for _, note in self.stays:
            stays = f"**{describe_token(note)}** stays where it is"
            sentences.append(
                f"{stays}: I can't tell whether <seat:{note_owner(note)[1]}> still has it. If so, "
                "/holdings set puts it there."
            )
        return " ".join(sentences)


def stays_home(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell holder and owner of a note that it did not go back with a slip."""
    if not isinstance(entry, GoodsPutBack):
        return
    for holder, note in entry.stays:
        owner, card = note_owner(note)[1], f"**{describe_token(note)}**"
        why = f"A note may have left <their:{owner}> hand since, and which one is secret"
        fix = f"If <they:{owner}> still have it, the host can fix that: /holdings set."
        back = f"{card} did not go back from <seat:{owner}> to <seat:{holder}>"
        for seat in (holder, owner):
            yield FollowUpView(seat=seat, evident=True, text=f"{back}. {why}. {fix}")


def as_it_was(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Return the entries of a command; a turn that is given back, or an activation that is taken
    back, before anything else happened, is undone as a whole.
    """
    slip, all_entries = _last_act(table), list[Entry]()
    for entry in entries:
        all_entries.append(entry)
        if slip is None or isinstance(entry, ACTS):
            slip = None  # another act is the last now
            continue
        match entry:
            case TurnStarted(again=True, seat=seat) if seat == slip.course.window.holder:
                all_entries[-1] = entry.model_copy(update={"whole": True})
                all_entries += _goods_back(table, slip)
            case NotesPutBack(seat=seat, owner=owner) if (seat, owner) == slip.activated:
                all_entries[-1] = entry.model_copy(update={"whole": True})
    return tuple(all_entries)


AT_ONCE = Feature(hears=(TurnStarted, NotesPutBack), brings=as_it_was)
"""First, because other features see a turn end as another begins."""

FEATURE = Feature(
    state=Slip,
    commands=(UndoPhase, UndoAgenda),
    entries=(GoodsPutBack,),
    hears=(
        *ACTS,
        *ALSO,
        NotesPutBack,
        GoodsPutBack,
        PhaseUndone,
        AgendaUndone,
        GoodsMoved,
        SeatTaken,
        SettingsChanged,
    ),
    before=before,
    after=after,
    follow_ups=stays_home,
)
