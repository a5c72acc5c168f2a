"""Promissory notes (rule 69): playing and returning them.

Trading them is in `transactions`, giving them by an effect in `note_gifts`, returning them by
themselves in `note_returns`, and Trade Agreements are in `trade_agreements`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from bot.api import (
    NOTHING,
    QUOTE_MAX,
    Action,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    GoodsOfSeat,
    LabelledAction,
    Press,
    Refused,
    Table,
    TableView,
    Transaction,
    Undecided,
    is_host,
    part,
    quoted,
    replace,
    require_host,
    require_tracked,
    seat_meant,
    taken_seat,
    with_part,
)
from bot.games.ti4 import trade_agreements
from bot.games.ti4.agendas import AgendaRevealed
from bot.games.ti4.combat import CombatBegun, SystemActivated
from bot.games.ti4.components import (
    FRAGMENTS,
    TRADE_GOOD,
    arrives_in_play,
    describe,
    describe_token,
    in_order,
    note_named,
    note_owner,
    require_in_hand,
    require_note,
    trade_goods,
)
from bot.games.ti4.note_moments import TURN_START, MomentOverruled, require_moment
from bot.games.ti4.note_returns import going_back, stays_in_play
from bot.games.ti4.requests import NoteAsked
from bot.games.ti4.shorthand import own_words, played_version, read_note
from bot.games.ti4.state import (
    Agenda,
    Question,
    Status,
    TurnBegun,
    active_seat,
    each_note_in_play,
    questions,
)
from bot.games.ti4.trade_agreements import Replenishings
from bot.games.ti4.trade_card import TradePlayed
from bot.games.ti4.turns import TurnStarted
from data.ti4 import PromissoryNote, promissory_notes

UNCOUNTED = frozenset({"trade_convoys", "promise_of_protection"})
"""The notes that are played also where holdings are not counted: they change who may trade, or be
pillaged.
"""

# ---------------------------------------------------------------- playing


@dataclass(frozen=True, slots=True)
class PlayNote(Command):
    """Play a promissory note from hand. ``note`` is its token.

    It stays in play until its ability is resolved [69.3], which may be at once. With a ``seat``, a
    host says that this is the note's moment: their own note is played, and another player may play
    theirs. ``purged`` is the kind of fragments that the caller purges by it, where there is a
    choice; with ``wild`` one of them is an unknown one.
    """

    kind = "ti4.play"
    note: str
    seat: str | None = None
    purged: str = ""
    wild: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """F1: a note may be played in the same window in which it was received.

        Raises `Undecided` if there is a choice what to purge.
        """
        require_note(self.note)
        if note_owner(self.note)[0] not in UNCOUNTED:
            require_tracked(table)
        if self.seat is not None:
            require_host(table, caller, "say that this is a note's moment")
        seat, token = seat_meant(table, self.seat, caller), self.note
        owner, card = note_owner(token)[1], describe_token(token)
        if owner == seat.id:
            own = (
                "your own note, so you"
                if seat.person == caller.person
                else f"<seat:{owner}>'s own note, so they"
            )
            raise Refused(
                "69.2",
                f"{card} is {own} can't play it.",
                "Give it to another player, who can play it.",
            )
        if token in seat.in_play:
            raise Refused(
                "69.5", f"{card} is already in play.", "/note return gives it back to its owner."
            )
        allowed = () if self.seat is None else (MomentOverruled(seat=seat.id, note=token),)
        if seat.person != caller.person:
            if note_named(token).moment in ("any", "never"):
                raise Refused(
                    "69.1",
                    f"{card} works {note_named(token).timing}, and I don't see that.",
                    f"<seat:{seat.id}> can do it without you.",
                )
            return allowed  # whether they have it is secret
        if table.tracked:
            require_in_hand(seat, token)
        require_moment(table if not allowed else allowed[0].apply(table), seat.id, token)
        goods = Goods({token: 1})
        if not table.tracked:
            return [*allowed, _played_uncounted(table, seat.id, token)]
        if trade_agreements.is_agreement(token):
            changes = trade_agreements.played(table, seat.id, token)
        elif stays_in_play(token):
            changes = {seat.id: Change(lost=goods, entered_play=goods)}
        else:
            changes = {seat.id: Change(lost=goods), owner: Change(gained=goods)}
        if note_named(token).purges:
            changes[seat.id] = replace(
                changes[seat.id], lost=goods + self._fragments(table, seat.holdings)
            )
        if pays := min(
            note_named(token).owner_loses, table.seats[owner].holdings.count(TRADE_GOOD)
        ):
            changes[owner] = replace(changes.get(owner, Change()), lost=trade_goods(pays))
        return [
            *allowed,
            NotePlayed(seat=seat.id, note=token, stays=stays_in_play(token), changes=changes),
        ]

    def _fragments(self, table: Table, held: Goods) -> Goods:
        """Return the fragments that are purged with the note: two of a kind, of which one may be
        unknown (35.9).

        Raises `Refused` by 22 if there are none such, and `Undecided` if there is a choice.
        """
        ways, card = purges(self.note, held), describe_token(self.note)
        if (self.purged, self.wild) in ways:
            return ways[self.purged, self.wild]
        fits = [
            goods
            for (kind, _), goods in ways.items()
            if self.purged in ("", kind) and not self.wild
        ]
        if len(fits) == 1:
            return fits[0]
        if not ways:
            many = note_named(self.note).purges
            raise Refused(
                "22",
                f"{card} purges {many} relic fragments of one kind, and you don't have them.",
                "An unknown fragment counts as one of any kind. /holdings gain adds what you have "
                "gained.",
            )
        choices = tuple(
            LabelledAction(describe(goods), Press(table.id, replace(self, purged=kind, wild=wild)))
            for (kind, wild), goods in ways.items()
        )
        raise Undecided("", f"Which fragments do you purge for {card}?", "", choices)


def purges(note: str, held: Goods) -> dict[tuple[str, bool], Goods]:
    """Return the fragments that may be purged with a note, by their kind and whether one of them is
    an unknown one.
    """
    many, unknown = note_named(note).purges, held.count("fragment:unknown")
    return {
        (kind, wild): Goods(
            {f"fragment:{kind}": many - wild, **({"fragment:unknown": 1} if wild else {})}
        )
        for kind in (FRAGMENTS if many else ())
        for wild in (False, True)
        if held.count(f"fragment:{kind}") >= many - wild
        and (not wild or (unknown and kind != "unknown"))
    }


def purged_as(goods: Goods) -> tuple[str, bool]:
    """Return the kind of these fragments, and whether one of them is an unknown one, as `purges`
    has them.
    """
    every = [token.removeprefix("fragment:") for token in in_order(goods.of_kind("fragment"))]
    kinds = [kind for kind in every if kind != "unknown"] or every
    return (kinds[0], every != kinds) if len(kinds) == 1 else ("", False)


def _played_uncounted(table: Table, seat: str, token: str) -> NotePlayed:
    """Return the playing of a note where hands are not counted: it enters play, wherever it was
    last counted.
    """
    card = Goods({token: 1})
    if any(token in each.in_play for each in table.seats.values()):
        raise Refused(
            "69.5", f"{describe_token(token)} is already in play.", "/note table lists what is."
        )
    counted = next((each.id for each in table.seats.values() if token in each.holdings), None)
    hidden = {counted: Change(lost=card)} if counted is not None else {}
    return NotePlayed(
        seat=seat, note=token, stays=True, changes={seat: Change(entered_play=card)}, hidden=hidden
    )


class NotePlayed(GoodsOfSeat):
    """A promissory note was played: into the play area, or back to its owner if it took effect at
    once.
    """

    kind: Literal["ti4.note.played"] = "ti4.note.played"
    always: ClassVar[bool] = True
    note: str
    stays: bool

    def is_news(self) -> bool:
        return not note_named(self.note).claim  # these have a message of their own

    def sentence(self, ruler: str) -> str:
        where = "and it stays in play" if self.stays else "and it goes back to its owner"
        got = self.changes[self.seat].gained
        # what is gained says it all
        traded = bool(got) and trade_agreements.is_agreement(self.note)
        paid = f" <They:{self.seat}> receive **{describe(got)}**." if got else ""
        if purged := self.changes[self.seat].lost.without_kind("note"):
            paid += f" <They:{self.seat}> purge **{describe(purged)}**."
        owner = note_owner(self.note)[1]
        if not traded and (lost := self.changes.get(owner, Change()).lost):
            paid += f" <seat:{owner}> loses **{describe(lost)}**."
        does = "" if traded else f" {note_named(self.note).effect}"
        return f"<player:{self.seat}> plays **{describe_token(self.note)}**, {where}.{paid}{does}"

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        if not trade_agreements.is_agreement(self.note):
            return table
        return with_part(table, part(table, Replenishings).without(note_owner(self.note)[1]))


def turn_begun(table: Table, entry: Entry) -> Table:
    """Note which notes were played at the start of a turn, and what ends that start: whatever
    happens in an action.
    """
    seat, now = active_seat(table), part(table, TurnBegun)
    match entry:
        case TurnStarted(again=False):
            return with_part(table, now.without(entry.seat))
        case NotePlayed() if seat is not None and note_named(entry.note).moment in TURN_START:
            return with_part(table, replace(now, played=now.played | {(seat, entry.note)}))
        case NotePlayed() if note_named(entry.note).moment in ("any", "strategy", "status"):
            return table  # it tells nothing of the turn
        case (
            NotePlayed() | SystemActivated() | CombatBegun() | TradePlayed() | AgendaRevealed()
        ) if seat is not None:
            return with_part(table, replace(now, over=now.over | {seat}))
    return table


def lies_there(seat: str, notes: Goods) -> Iterable[FollowUpView]:
    """Tell a receiver what each note does that went into play as they got it."""
    for token in notes:
        text = (
            f"**{describe_token(token)}** lies in play in front of you. {note_named(token).effect}"
        )
        yield FollowUpView(seat=seat, evident=True, text=text)


def reminder(token: str) -> str:
    """Return when a note that was just received is used and what it does, in words for its
    holder.
    """
    note = note_named(token)
    if note.passes_on:
        return (
            f"{note.name} isn't played. For 1 influence you pass it to a neighbour {note.timing}: "
            "/note give."
        )
    return (
        f"If it can be played right now, you may play it at once [F1]. {note.name}, {note.timing}: "
        f"{note.effect}"
    )


# ---------------------------------------------------------------- returning


@dataclass(frozen=True, slots=True)
class ReturnNote(Command):
    """Return a note in play to its owner; ``note`` is its token. If the owner gives the command, it
    asks the holder.
    """

    kind = "ti4.return"
    note: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_note(self.note)
        if all(self.note not in seat.in_play for seat in table.seats.values()):
            require_tracked(table)
        token, own = self.note, table.seat_of(caller.person)
        (note, owner), card, speaks = (
            note_owner(token),
            describe_token(token),
            own.id if own is not None else "",
        )
        # a host who owns the note must ask its holder too
        hosts = is_host(table, caller) and speaks != owner
        holder = next((seat for seat in table.seats.values() if token in seat.in_play), None)
        if holder is None and own is not None and token in own.holdings:
            if owner == own.id:
                raise Refused(
                    "", f"{card} is with its owner.", "/holdings show lists the notes you have."
                )
            raise Refused(
                "69.4.1",
                f"You haven't played {card}, so it does not go back.",
                "Trade it, or play it: /note play. If an effect makes you give it away, use /note "
                "give.",
            )
        if holder is None or not (hosts or speaks in (holder.id, owner)):
            raise Refused(
                "",
                f"You don't have {card}.",
                "The player who holds a note gives it back. /holdings show lists yours.",
            )
        _require_over(table, token, hosts=hosts)
        if speaks == holder.id or hosts:
            return [going_back(holder, token, said_by=speaks if speaks == holder.id else "")]
        if holder.person is None:
            raise Refused(
                "",
                "Nobody plays that faction any more, so nobody can give it back.",
                "Another host can say so.",
            )
        if Question("note", owner, holder.id, note) in questions(table, "note"):
            raise Refused(
                "",
                f"<seat:{holder.id}> has already been asked.",
                "Wait until they give it back or keep it.",
            )
        return [NoteAsked(seat=owner, other=holder.id, note=note)]


def _require_over(table: Table, token: str, *, hosts: bool) -> None:
    """Raise `Refused` if a note never goes back, or if what it waits for is not over (69.3).

    A host may return the note anyway, because not every table records its phases.
    """
    card, note = describe_token(token), note_named(token)
    if (waits_for := note.returns) == "never":
        slip = "A slip? The host can fix it: /holdings set."
        how = "/note planet says whose the planet is now." if note.attached else slip
        raise Refused("69.3", f"{card} does not go back to its owner.", how)
    under_way = waits_for == "status_ends" or (
        waits_for == "agenda_ends" and part(table, Agenda).title is not None
    )
    if under_way and not hosts:
        what = "the status phase ends" if waits_for == "status_ends" else "the agenda is resolved"
        raise Refused(
            "69.3",
            f"{card} stays until {what}. Then it goes back automatically.",
            "If that has already happened at the table, the host can say so: /note return.",
        )


# ---------------------------------------------------------------- notes on planets


def attached(goods: Goods) -> Goods:
    """Return the notes among these that stay on a planet once they are played (12.2): Terraform."""
    return Goods({token: 1 for token in goods.of_kind("note") if note_named(token).attached})


@dataclass(frozen=True, slots=True)
class MoveWithPlanet(Command):
    """Say that the planet with an attached note is this seat's now. Needs whoever has it, or a
    host.
    """

    kind = "ti4.planet"
    seat: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        to = taken_seat(table, self.seat)
        found = next(
            ((seat, token) for seat in table.seats.values() for token in attached(seat.in_play)),
            None,
        )
        if found is None:
            raise Refused(
                "12.2",
                "No promissory note is on a planet here.",
                "Terraform is played with /note play.",
            )
        holder, token = found
        if holder.person != caller.person and not is_host(table, caller):
            raise Refused(
                "",
                f"{describe_token(token)} is on a planet of <seat:{holder.id}>.",
                f"They or <person:{table.host}> say whose the planet is now.",
            )
        if holder.id == to.id:
            raise Refused("", f"<seat:{to.id}> has that planet already.", "Name who took it.")
        card = Goods({token: 1})
        changes = {holder.id: Change(left_play=card), to.id: Change(entered_play=card)}
        return [NoteMovedWithPlanet(seat=holder.id, to=to.id, note=token, changes=changes)]


class NoteMovedWithPlanet(GoodsOfSeat):
    """The planet with a note on it became another player's, so the note lies before them (12.2)."""

    kind: Literal["ti4.note.planet"] = "ti4.note.planet"
    to: str
    note: str

    def sentence(self, ruler: str) -> str:
        return (
            f"The planet with **{describe_token(self.note)}** belongs to <player:{self.to}> now "
            "and no longer "
            f"to <seat:{self.seat}>. The note stays with it [12.2]."
        )


def whose_planet(table: int, seats: Iterable[str], holder: str) -> tuple[LabelledAction, ...]:
    """Return the buttons that say whose the planet with an attached note is now."""
    return tuple(
        LabelledAction(f"The planet is <name:{seat}>'s now", Press(table, MoveWithPlanet(seat)))
        for seat in seats
        if seat != holder
    )


@dataclass(frozen=True, slots=True)
class AskWhosePlanet(Action):
    """The item of the board's menu that asks whose the planet with an attached note is now."""

    name = "ti4.ask.planet"
    holder: str


@dataclass(frozen=True, slots=True)
class AskNotesInPlay(Action):
    """**Notes in play**, in the board's menu: show the notes that lie on the table."""

    name = "ti4.ask.in_play"


def notes_in_play(view: TableView) -> list[str]:
    """Return a line for each kind of note in play: whose, before whom, and what it does. Names are
    markup.
    """
    found: dict[str, list[str]] = {}
    for seat in view.seats.values():
        for token in seat.in_play.of_kind("note"):
            found.setdefault(note_owner(token)[0], []).append(
                f"{describe_token(token)} before <name:{seat.id}>"
            )
    return [
        f"**{', '.join(which)}**\n-# {promissory_notes()[note].effect}"
        for note, which in found.items()
    ]


def hints(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell players what they can do with notes that were just received or played.

    F1: a note can be played in the window in which it was received. This reveals nothing: everybody
    knows that a note was received, and which notes can't be played from hand [69.6]. Notes that
    take effect on receipt are public.
    """
    if isinstance(entry, Transaction):
        for seat in (entry.first, entry.second):
            yield from took_effect(
                table, entry.changes[entry.other(seat)].lost, entry.other(seat), seat
            )
            yield from lies_there(seat, entry.changes[seat].entered_play)
            for token in (entry.hidden or {}).get(seat, Change()).gained.of_kind("note"):
                if not arrives_in_play(token):
                    yield FollowUpView(seat=seat, evident=True, text=reminder(token))
    if isinstance(entry, NotePlayed) and note_named(entry.note).purges:
        text = (
            "You gain a relic. Say which, and it is counted: /holdings gain, for example “relic "
            "The Codex”."
        )
        yield FollowUpView(seat=entry.seat, evident=True, text=text)
    if isinstance(entry, NotePlayed | NoteMovedWithPlanet) and note_named(entry.note).attached:
        holder = entry.seat if isinstance(entry, NotePlayed) else entry.to
        yield FollowUpView(
            seat=holder,
            evident=True,
            buttons=whose_planet(table.id, table.seated(), holder),
            text=f"**{describe_token(entry.note)}** stays with its planet [12.2]. When another "
            "player takes the "
            "planet, press whose it is, or use /note planet.",
        )


# ---------------------------------------------------------------- finding a note by its name


def note_meant(view: TableView, text: str, aliases: Mapping[str, str], *, own: bool = False) -> str:
    """Return the token of the note that the viewer wants to play, return, or (``own``) give away.

    Candidates are notes that they hold or have in play, and their own notes in play elsewhere; to
    give away, all notes in their hand, including their own. ``aliases`` maps lower-case names to
    seats. Raises `Refused` for no such note, for an ambiguous name, and for a viewer without a
    seat.
    """
    if view.seat is None and (own or not view.hosts):
        raise Refused("", "You have no seat at this table.", "Take one with /table sit.")
    note, owner = _read(view, text, aliases)
    hand = view.seats[view.seat].known.of_kind("note") if view.seat else NOTHING
    in_play = (token for seat in view.seats.values() for token in seat.in_play)
    versions = (note.id, played_version(note.id))
    candidates = [
        token
        for token in (notes_to_give(view) if own else dict.fromkeys((*hand, *in_play)))
        if note_owner(token)[0] in versions and owner in (None, note_owner(token)[1])
    ]
    if not own:  # the viewer's own notes in hand count only if there is no other
        others = [
            token for token in candidates if note_owner(token)[1] != view.seat or token not in hand
        ]
        candidates = others or candidates
    if not candidates and view.seat is None:
        raise Refused("", f"{note.name} is not in play here.", "/table show lists what is.")
    if not candidates:
        return f"note:{note.id}:{owner or (note.owner if note.owner in view.seats else view.seat)}"
    if len(candidates) > 1:
        which = " or ".join(describe_token(token) for token in candidates)
        raise Refused("", f"Which one: {which}?", "Write it with the faction.")
    return candidates[0]


def note_by_name(view: TableView, text: str, aliases: Mapping[str, str]) -> str:
    """Return the token of the note that a text names, wherever it is. Raises `Refused` unless it
    names one.
    """
    note, owner = _read(view, text, aliases)
    owner = owner or (note.owner if note.owner in view.seats else None)
    if owner is None:
        raise Refused("", f"Whose {note.name}?", f"Try: sol's {note.name.lower()}.")
    return f"note:{played_version(note.id)}:{owner}"


def _read(
    view: TableView, text: str, aliases: Mapping[str, str]
) -> tuple[PromissoryNote, str | None]:
    """Return the note that a text names, and its owner's seat if it names one."""
    note, owner = read_note(text, view.seats, {**aliases, **own_words(view.seat)})
    if note is None:
        unknown = quoted(text[:QUOTE_MAX])
        raise Refused(
            "", f"I don't know the note “{unknown}”.", "/holdings show lists the notes you hold."
        )
    return note, owner


def notes_in_hand(view: TableView) -> list[str]:
    """Return the notes of others that the viewer holds in hand and can play."""
    held = view.seats[view.seat].known.of_kind("note") if view.seat else NOTHING
    return [
        token
        for token in held
        if note_owner(token)[1] != view.seat and note_named(token).moment != "never"
    ]


def notes_to_return(view: TableView) -> list[str]:
    """Return the notes in play that the viewer holds or owns; for a host, all notes in play."""
    in_play = (
        (seat.id, token) for seat in view.seats.values() for token in seat.in_play.of_kind("note")
    )
    return [
        token
        for holder, token in in_play
        if view.hosts or view.seat in (holder, note_owner(token)[1])
    ]


def notes_to_give(view: TableView) -> list[str]:
    """Return the notes that the viewer could give by an effect: those in hand, and those in play
    that pass on.
    """
    if view.seat is None:
        return []
    mine = view.seats[view.seat]
    return [
        *mine.known.of_kind("note"),
        *(token for token in mine.in_play if note_named(token).passes_on),
    ]


# ---------------------------------------------------------------- changing hands


def purged(token: str, receiver: str) -> bool:
    """Return whether a note takes effect on receipt and then leaves the game. If its owner receives
    it, it stays.
    """
    if not token.startswith("note:"):
        return False
    return note_named(token).purged_on_receipt and note_owner(token)[1] != receiver


def gained_with(notes: Iterable[str], receiver: str) -> Goods:
    """Return the trade goods that a seat gains from notes that take effect as it receives them:
    Black Ops.
    """
    return trade_goods(
        sum(note_named(token).receiver_gains for token in notes if purged(token, receiver))
    )


def took_effect(table: Table, given: Goods, giver: str, receiver: str) -> Iterable[FollowUpView]:
    """Tell the two about each note among these goods that took effect as the receiver got it."""
    for token in given.of_kind("note"):
        if purged(token, receiver):
            note = note_named(token)
            gains = (
                f"{describe(gained_with([token], receiver))} and {note.receiver_tokens} command "
                "tokens"
            )
            counted = " The trade goods are in your holdings." if table.tracked else ""
            yield FollowUpView(
                seat=receiver,
                evident=True,
                text=f"{note.name} took effect on you: you gain {gains}, and the note leaves the "
                f"game.{counted}",
            )
            yield FollowUpView(
                seat=giver,
                evident=True,
                text=f"{note.name} took effect on <seat:{receiver}>: they gain {gains}, and the "
                "note leaves the game. "
                "You may lay a plot card with their token on it.",
            )


STATUS: Status = {
    **dict.fromkeys(
        ("69.1", "69.3", "69.4.1", "69.5", "69.5.1"), (each_note_in_play("Notes in play"),)
    ),
    **{
        note.name: (each_note_in_play("In play", note.id),)
        for note in promissory_notes().values()
        if note.enters_play != "never"
    },
}
"""Which notes lie on the table, for /rules show."""

FEATURE = Feature(
    state=TurnBegun,
    after=turn_begun,
    commands=(PlayNote, ReturnNote, MoveWithPlanet),
    entries=(NotePlayed, NoteMovedWithPlanet),
    opens=(AskWhosePlanet, AskNotesInPlay),
    follow_ups=hints,
)
