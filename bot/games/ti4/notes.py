"""Promissory notes (rule 69): playing and returning them.

Trading them is in `transactions`, giving them by an effect in `note_gifts`, returning them by
themselves in `note_returns`, and Trade Agreements are in `trade_agreements`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
    Seat,
    Since,
    Table,
    TableView,
    Transaction,
    Undecided,
    button,
    is_host,
    part,
    quoted,
    replace,
    require_host,
    require_since,
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
    acting_seat,
    active_seat,
    each_note_in_play,
    gone_on,
    questions,
)
from bot.games.ti4.trade_agreements import Replenishings
from bot.games.ti4.trade_card import TradePlayed
from bot.games.ti4.turns import TurnStarted
from data.ti4 import PromissoryNote, promissory_notes

UNCOUNTED = frozenset({"trade_convoys", "promise_of_protection"})
"""Notes that are played even where holdings are not counted: others may trade, or not pillage."""

# ---------------------------------------------------------------- playing


class PlayNote(Command):
    """Play a promissory note from hand. ``note`` is its token.

    It stays in play until its ability is resolved [69.3], which may be at once. With a ``seat``, a
    host says that this is the note's moment: their own note is played, and another player may play
    theirs. ``purged`` is the kind of fragments that the caller purges by it, where there is a
    choice; with ``wild`` one of them is an unknown one. ``since`` is the `moment` of the note.
    """

    kind = "ti4.play"
    note: str
    seat: str | None = None
    purged: str = ""
    wild: bool = False
    since: Since = None

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
            own = "your own note, so you"
            if seat.person != caller.person:
                own = f"<seat:{owner}>'s own note, so they"
            give = "Give it to another player, who can play it."
            raise Refused(f"{card} is {own} can't play it.", give, rule="69.2")
        if token in seat.in_play:
            raise _already_in_play(token)
        allowed = () if self.seat is None else (MomentOverruled(seat=seat.id, note=token),)
        if seat.person != caller.person:
            if note_named(token).moment in ("any", "never"):
                raise Refused(
                    f"{card} works {note_named(token).timing}, and I don't see that.",
                    f"<seat:{seat.id}> can do it without you.",
                    rule="69.1",
                )
            return allowed  # whether they have it is secret
        if table.tracked:
            require_in_hand(seat, token)
        now = moment(table, token)
        again = button(f"Play {note_named(token).name}", table, replace(self, since=now))
        over = gone_on(table)
        if trade_agreements.is_agreement(token) and now:
            over = f"<=name:{owner}> has replenished again since."
        require_since(self.since, now, over, again)
        require_moment(table if not allowed else allowed[0].apply(table), seat.id, token)
        if not table.tracked:
            return [*allowed, _played_uncounted(table, seat.id, token)]
        changes, stays = self._changes(table, seat), stays_in_play(token)
        return [*allowed, NotePlayed(seat=seat.id, note=token, stays=stays, changes=changes)]

    def _changes(self, table: Table, seat: Seat) -> dict[str, Change]:
        """Return what moves as this seat plays the note from its hand."""
        note, owner, card = note_named(self.note), note_owner(self.note)[1], Goods({self.note: 1})
        if trade_agreements.is_agreement(self.note):
            changes = trade_agreements.played(table, seat.id, self.note)
        elif stays_in_play(self.note):
            changes = {seat.id: Change(lost=card, entered_play=card)}
        else:
            changes = {seat.id: Change(lost=card), owner: Change(gained=card)}
        if note.purges:
            fragments = self._fragments(table, seat.holdings)
            changes[seat.id] = replace(changes[seat.id], lost=card + fragments)
        pays = min(note.owner_loses, table.seats[owner].holdings.count(TRADE_GOOD))
        if pays:
            changes[owner] = replace(changes.get(owner, Change()), lost=trade_goods(pays))
        return changes

    def _fragments(self, table: Table, held: Goods) -> Goods:
        """Return the fragments that are purged with the note.

        Raises `Refused` by 22 if there are none such, and `Undecided` if there is a choice.
        """
        ways, card = purges(self.note, held), describe_token(self.note)
        if (self.purged, self.wild) in ways:
            return ways[self.purged, self.wild]
        if not ways:
            many = note_named(self.note).purges
            raise Refused(
                f"{card} purges {many} relic fragments of one kind, and you don't have them.",
                "An unknown fragment counts as one of any kind. /holdings gain adds what you have "
                "gained.",
                rule="22",
            )
        fits = [goods for (kind, _), goods in ways.items() if self.purged in ("", kind)]
        if len(fits) == 1 and not self.wild:
            return fits[0]
        choices = []
        for (kind, wild), goods in ways.items():
            press = Press(table.id, replace(self, purged=kind, wild=wild))
            choices.append(LabelledAction(describe(goods), press))
        raise Undecided(f"Which fragments do you purge for {card}?", options=tuple(choices))


def moment(table: Table, token: str) -> int:
    """Return the number of the entry that began the moment at which a note could be played now.

    That is the last replenishing of its owner for a Trade Agreement, else what is under way.
    """
    if trade_agreements.is_agreement(token):
        just = part(table, Replenishings).latest(note_owner(token)[1])
        return just.number if just is not None else 0
    return table.window.since


def purges(note: str, held: Goods) -> dict[tuple[str, bool], Goods]:
    """Return the fragments that may be purged with a note, by kind and whether one is unknown.

    They are of one kind, of which one may be unknown [35.9].
    """
    many, ways = note_named(note).purges, dict[tuple[str, bool], Goods]()
    for kind in FRAGMENTS if many else ():
        alike = Goods({f"fragment:{kind}": many})
        with_unknown = Goods({f"fragment:{kind}": many - 1, "fragment:unknown": 1})
        if not held.missing(alike):
            ways[kind, False] = alike
        if kind != "unknown" and not held.missing(with_unknown):
            ways[kind, True] = with_unknown
    return ways


def purged_as(goods: Goods) -> tuple[str, bool]:
    """Return the kind of these fragments, and whether one is unknown, as `purges` has them."""
    fragments = in_order(goods.of_kind("fragment"))
    kinds = [token.removeprefix("fragment:") for token in fragments]
    known = [kind for kind in kinds if kind != "unknown"] or kinds
    return (known[0], known != kinds) if len(known) == 1 else ("", False)


def holder_of(table: Table, token: str) -> Seat | None:
    """Return the seat before which a note lies in play, None for none."""
    for seat in table.seats.values():
        if token in seat.in_play:
            return seat
    return None


def _already_in_play(token: str) -> Refused:
    lists = "**Look at notes in play** under **Menu** lists what is."
    return Refused(f"{describe_token(token)} is already in play.", lists, rule="69.5")


def _played_uncounted(table: Table, seat: str, token: str) -> NotePlayed:
    """Return the playing of a note where hands are not counted, wherever it was last counted."""
    if holder_of(table, token) is not None:
        raise _already_in_play(token)
    card, hidden = Goods({token: 1}), {}
    for other in table.seats.values():
        if token in other.holdings:
            hidden[other.id] = Change(lost=card)
    changes = {seat: Change(entered_play=card)}
    return NotePlayed(seat=seat, note=token, stays=True, changes=changes, hidden=hidden)


class NotePlayed(GoodsOfSeat):
    """A promissory note was played: into the play area, or back to its owner, if it is done."""

    kind = "ti4.note.played"
    always = True
    note: str
    stays: bool

    def is_news(self) -> bool:
        return not note_named(self.note).claim  # these have a message of their own

    def sentence(self, ruler: str) -> str:
        where = "and it stays in play" if self.stays else "and it goes back to its owner"
        sentences = [f"<player:{self.seat}> plays **{describe_token(self.note)}**, {where}."]
        owner, change = note_owner(self.note)[1], self.changes[self.seat]
        if change.gained:
            sentences.append(f"<They:{self.seat}> receive **{describe(change.gained)}**.")
            if trade_agreements.is_agreement(self.note):  # what is gained says it all
                return " ".join(sentences)
        if purged := change.lost.without_kind("note"):
            sentences.append(f"<They:{self.seat}> purge **{describe(purged)}**.")
        if lost := self.changes.get(owner, Change()).lost:
            sentences.append(f"<seat:{owner}> loses **{describe(lost)}**.")
        return " ".join([*sentences, note_named(self.note).effect])

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        if not trade_agreements.is_agreement(self.note):
            return table
        return with_part(table, part(table, Replenishings).without(note_owner(self.note)[1]))


IN_AN_ACTION = (NotePlayed, SystemActivated, CombatBegun, TradePlayed, AgendaRevealed)
"""What happens in an action, and so ends the start of a turn."""


def turn_begun(table: Table, entry: Entry) -> Table:
    """Note what was played at the start of a turn, and that an action has ended the start."""
    seat, now = active_seat(table), part(table, TurnBegun)
    if isinstance(entry, TurnStarted) and not entry.again:
        return with_part(table, now.without(entry.seat))
    if seat is None:
        return table
    if isinstance(entry, NotePlayed):
        moment = note_named(entry.note).moment
        if moment in TURN_START:
            return with_part(table, replace(now, played=now.played | {(seat, entry.note)}))
        if moment in ("any", "strategy", "status"):
            return table  # it tells nothing of the turn
    if isinstance(entry, IN_AN_ACTION) and acting_seat(table) == seat:
        return with_part(table, replace(now, over=now.over | {seat}))
    return table


# ---------------------------------------------------------------- returning


class ReturnNote(Command):
    """Return a note in play to its owner. The owner's own command asks its holder.

    ``note`` is its token.
    """

    kind = "ti4.return"
    note: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_note(self.note)
        holder = holder_of(table, self.note)
        if holder is None:
            require_tracked(table)
        own, (note, owner) = table.seat_of(caller.person), note_owner(self.note)
        speaks = own.id if own is not None else ""
        # a host who owns the note must ask its holder too
        hosts = is_host(table, caller) and speaks != owner
        if holder is None or not (hosts or speaks in (holder.id, owner)):
            raise _not_to_return(self.note, own if holder is None else None)
        _require_over(table, self.note, hosts=hosts)
        if speaks == holder.id:
            return [going_back(holder, self.note, said_by=speaks)]
        if hosts:
            return [going_back(holder, self.note)]
        if holder.person is None:
            nobody = "Nobody plays that faction any more, so nobody can give it back."
            raise Refused(nobody, "Another host can say so.")
        if Question("note", owner, holder.id, note) in questions(table, "note"):
            waits = "Wait until they give it back or keep it."
            raise Refused(f"<seat:{holder.id}> has already been asked.", waits)
        return [NoteAsked(seat=owner, other=holder.id, note=note)]


def _not_to_return(token: str, own: Seat | None) -> Refused:
    """Return why a note can't be returned that is not in play, or lies before another seat."""
    card = describe_token(token)
    if own is None or token not in own.holdings:
        gives = "The player who holds a note gives it back. **My goods** lists yours."
        return Refused(f"You don't have {card}.", gives)
    if note_owner(token)[1] == own.id:
        return Refused(f"{card} is with its owner.", "**My goods** lists the notes you have.")
    return Refused(
        f"You haven't played {card}, so it does not go back.",
        "Trade it, or play it: **Notes…** under **My goods**. To give it away by an effect: "
        "/note give.",
        rule="69.4.1",
    )


def _require_over(table: Table, token: str, *, hosts: bool) -> None:
    """Raise `Refused` if a note never goes back, or if what it waits for is not over (69.3).

    A host may return the note anyway, because not every table records its phases.
    """
    card, note = describe_token(token), note_named(token)
    if note.returns == "never":
        how = "A slip? The host can fix it: /holdings set."
        if note.attached:
            how = "/note planet says whose the planet is now."
        raise Refused(f"{card} does not go back to its owner.", how, rule="69.3")
    ends = ""
    if note.returns == "status_ends":
        ends = "the status phase ends"
    elif note.returns == "agenda_ends" and part(table, Agenda).title is not None:
        ends = "the agenda is resolved"
    if ends and not hosts:
        raise Refused(
            f"{card} stays until {ends}. Then it goes back automatically.",
            "If that has already happened at the table, the host can say so: /note return.",
            rule="69.3",
        )


# ---------------------------------------------------------------- notes on planets


def attached(goods: Goods) -> Goods:
    """Return the notes among these that stay on a planet once they are played (12.2): Terraform."""
    return Goods({token: 1 for token in goods.of_kind("note") if note_named(token).attached})


class MoveWithPlanet(Command):
    """Say that the planet with an attached note is this seat's now. Needs its holder or a host.

    ``holder`` is whose it was, None for whoever has it now.
    """

    kind = "ti4.planet"
    seat: str
    holder: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        to = taken_seat(table, self.seat)
        holders = [seat for seat in table.seats.values() if attached(seat.in_play)]
        if not holders:
            nothing = "No promissory note is on a planet here."
            raise Refused(
                nothing, "Terraform is played from **Notes…** under **My goods**.", rule="12.2"
            )
        holder = holders[0]
        if self.holder not in (None, holder.id):
            now = f"The planet is <seat:{holder.id}>'s already."
            raise Refused(now, "/note planet says if it changes hands.", rule="12.2")
        token = next(iter(attached(holder.in_play)))
        if holder.person != caller.person and not is_host(table, caller):
            raise Refused(
                f"{describe_token(token)} is on a planet of <seat:{holder.id}>.",
                f"They or <person:{table.host}> say whose the planet is now.",
            )
        if holder.id == to.id:
            raise Refused(f"<seat:{to.id}> has that planet already.", "Name who took it.")
        card = Goods({token: 1})
        changes = {holder.id: Change(left_play=card), to.id: Change(entered_play=card)}
        return [NoteMovedWithPlanet(seat=holder.id, to=to.id, note=token, changes=changes)]


class NoteMovedWithPlanet(GoodsOfSeat):
    """The planet with a note on it became another player's, so the note lies before them (12.2)."""

    kind = "ti4.note.planet"
    to: str
    note: str

    def sentence(self, ruler: str) -> str:
        belongs = f"The planet with **{describe_token(self.note)}** belongs to <player:{self.to}>"
        return f"{belongs} now and no longer to <seat:{self.seat}>. The note stays with it [12.2]."


def whose_planet(table: int, seats: Iterable[str], holder: str) -> tuple[LabelledAction, ...]:
    """Return the buttons that say whose the planet with an attached note is now."""
    buttons = []
    for seat in seats:
        if seat != holder:
            press = Press(table, MoveWithPlanet(seat, holder or None))
            buttons.append(LabelledAction(f"The planet is <name:{seat}>'s now", press))
    return tuple(buttons)


class AskWhosePlanet(Action):
    """The item of the board's menu that asks whose the planet with an attached note is now."""

    name = "ti4.ask.planet"
    holder: str


class AskNotesInPlay(Action):
    """**Notes in play**, in the board's menu: show the notes that lie on the table."""

    name = "ti4.ask.in_play"


def notes_in_play(view: TableView) -> list[str]:
    """Return a line for each kind of note in play: whose, before whom, and what it does."""
    copies: dict[str, list[str]] = {}
    for seat in view.seats.values():
        for token in seat.in_play.of_kind("note"):
            copy = f"{describe_token(token)} before <name:{seat.id}>"
            copies.setdefault(note_owner(token)[0], []).append(copy)
    effects = {note: promissory_notes()[note].effect for note in copies}
    return [f"**{', '.join(copies[note])}**\n-# {effects[note]}" for note in copies]


def relic_gained(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Remind a player to have the relic counted that a note gave them."""
    if isinstance(entry, NotePlayed) and note_named(entry.note).purges:
        text = (
            "You gain a relic. Say which, and it is counted: /holdings gain, for example “relic "
            "The Codex”."
        )
        yield FollowUpView(seat=entry.seat, evident=True, text=text)


def stays_with_planet(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Ask the holder of a note on a planet to say when the planet is another's."""
    if isinstance(entry, NotePlayed | NoteMovedWithPlanet) and note_named(entry.note).attached:
        holder = entry.seat if isinstance(entry, NotePlayed) else entry.to
        yield FollowUpView(
            seat=holder,
            evident=True,
            buttons=whose_planet(table.id, table.seated(), holder),
            text=f"**{describe_token(entry.note)}** stays with its planet [12.2]. When another "
            "player takes the planet, press whose it is.",
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
        raise Refused("You have no seat at this table.", "Take one with /table sit.")
    note, owner = _read(view, text, aliases)
    hand = view.seats[view.seat].known.of_kind("note") if view.seat else NOTHING
    tokens = notes_to_give(view) if own else [*hand]
    if not own:
        for seat in view.seats.values():
            tokens += [token for token in seat.in_play if token not in hand]
    versions = (note.id, played_version(note.id))
    candidates = []
    for token in tokens:
        version, whose = note_owner(token)
        if version in versions and owner in (None, whose):
            candidates.append(token)
    if not own:  # the viewer's own notes in hand count only if there is no other
        own_in_hand = [token for token in hand if note_owner(token)[1] == view.seat]
        others = [token for token in candidates if token not in own_in_hand]
        candidates = others or candidates
    if not candidates and view.seat is None:
        raise Refused(
            f"{note.name} is not in play here.",
            "**Who has what** under **Menu** lists what is.",
        )
    if not candidates:
        faction = note.owner if note.owner in view.seats else view.seat
        return f"note:{note.id}:{owner or faction}"
    if len(candidates) > 1:
        which = " or ".join(describe_token(token) for token in candidates)
        raise Refused(f"Which one: {which}?", "Write it with the faction.")
    return candidates[0]


def note_by_name(view: TableView, text: str, aliases: Mapping[str, str]) -> str:
    """Return the token of the note that a text names, wherever it is. Raises `Refused` for none."""
    note, owner = _read(view, text, aliases)
    owner = owner or (note.owner if note.owner in view.seats else None)
    if owner is None:
        raise Refused(f"Whose {note.name}?", f"Try: sol's {note.name.lower()}.")
    return f"note:{played_version(note.id)}:{owner}"


def _read(
    view: TableView, text: str, aliases: Mapping[str, str]
) -> tuple[PromissoryNote, str | None]:
    """Return the note that a text names, and its owner's seat if it names one."""
    note, owner = read_note(text, view.seats, {**aliases, **own_words(view.seat)})
    if note is None:
        unknown = f"I don't know the note “{quoted(text[:QUOTE_MAX])}”."
        raise Refused(unknown, "**My goods** lists the notes you hold.")
    return note, owner


def notes_in_hand(view: TableView) -> list[str]:
    """Return the notes of others that the viewer holds in hand and can play."""
    if view.seat is None:
        return []
    held = view.seats[view.seat].known.of_kind("note")
    of_others = [token for token in held if note_owner(token)[1] != view.seat]
    return [token for token in of_others if note_named(token).moment != "never"]


def notes_to_return(view: TableView) -> list[str]:
    """Return the notes in play that the viewer holds or owns; for a host, all notes in play."""
    notes = []
    for seat in view.seats.values():
        for token in seat.in_play.of_kind("note"):
            if view.hosts or view.seat in (seat.id, note_owner(token)[1]):
                notes.append(token)
    return notes


def notes_to_give(view: TableView) -> list[str]:
    """Return what the viewer could give by an effect: notes in hand, or in play that pass on."""
    if view.seat is None:
        return []
    mine = view.seats[view.seat]
    passed_on = [token for token in mine.in_play if note_named(token).passes_on]
    return [*mine.known.of_kind("note"), *passed_on]


# ---------------------------------------------------------------- changing hands


def purged(token: str, receiver: str) -> bool:
    """Return whether a note takes effect on receipt, by another than its owner, and is gone."""
    if not token.startswith("note:"):
        return False
    return note_named(token).purged_on_receipt and note_owner(token)[1] != receiver


def gained_with(notes: Iterable[str], receiver: str) -> Goods:
    """Return the trade goods that a seat gains from notes as it receives them: Black Ops."""
    taking_effect = [note_named(token) for token in notes if purged(token, receiver)]
    return trade_goods(sum(note.receiver_gains for note in taking_effect))


_RULES_OF_PLAY = ("69.1", "69.3", "69.4.1", "69.5", "69.5.1")
_PLAYED = [note for note in promissory_notes().values() if note.enters_play != "never"]

STATUS: Status = {
    **dict.fromkeys(_RULES_OF_PLAY, (each_note_in_play("Notes in play"),)),
    **{note.name: (each_note_in_play("In play", note.id),) for note in _PLAYED},
}
"""Which notes lie on the table, for /rules show."""

FEATURE = Feature(
    state=TurnBegun,
    hears=(Transaction, NoteMovedWithPlanet, TurnStarted, *IN_AN_ACTION),
    after=turn_begun,
    commands=(PlayNote, ReturnNote, MoveWithPlanet),
    entries=(NotePlayed, NoteMovedWithPlanet),
    opens=(AskWhosePlanet, AskNotesInPlay),
    follow_ups=(relic_gained, stays_with_planet),
)
