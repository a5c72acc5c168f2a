"""Seats that leave the game: elimination (rule 33), and factions that become another, as the
Firmament the Obsidian.

All their goods move in one step. A seat that is gone has no goods, and nobody can take it again.

The host first sees a preview. Its lines rest on public knowledge: they say that notes leave the
game, but not from whose hand. Its *stamp* is a short hash of the lines; the command is refused if
the lines have changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, Literal

from bot.api import (
    NOTHING,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    FollowUpView,
    Goods,
    GoodsOfSeat,
    LabelledAction,
    MarkDeal,
    Press,
    Preview,
    Reference,
    Refused,
    SeatLeft,
    SeatOption,
    SeatTaken,
    SeatView,
    Table,
    TableView,
    close_negotiations,
    kind_of,
    pair,
    part,
    reference,
    replace,
    require_host,
    taken_seat,
    void_deals,
    void_offers,
    with_part,
    with_parts,
)
from bot.games.ti4.boxes import box_name, boxes_of, start
from bot.games.ti4.components import ACTION_CARD, describe, note_owner, open_goods
from bot.games.ti4.notes import AskWhosePlanet, attached
from bot.games.ti4.state import OutOfGame, Round, active_seat, out_of_game, up_next
from bot.games.ti4.turns import TurnEnded, TurnStarted
from data.ti4 import factions, find_faction, promissory_notes

SeatViews = Mapping[str, SeatView]
"""The seats as everybody sees them."""

NOT_COUNTED = (
    "I don't count holdings at this table, so please clear away their things yourselves [33.4] "
    "[33.5]."
)

ENDS = "Their offers, proposed deals and negotiations end"

# ---------------------------------------------------------------- elimination


def elimination(view: TableView, seat: str) -> Preview:
    """Preview the elimination of a seat. Raises `Refused` unless the viewer is a host, as the
    command does.
    """
    _require_host(view, "take somebody out of the game")
    _require_no_planet(view.id, view.seats, seat)
    lines = of_elimination(view.seats, seat, tracked=view.tracked)
    press = Press(view.id, Eliminate(seat, stamp(lines)))
    return Preview(lines, LabelledAction(f"Eliminate <name:{seat}>", press))


def of_elimination(seats: SeatViews, seat: str, *, tracked: bool) -> tuple[str, ...]:
    """Return the lines of the preview: what leaves the game with a seat, and what goes back to
    others.
    """
    mine = seats[seat]
    who = f"<player:{seat}>" if mine.person is not None else f"<faction:{seat}>"
    lines = [
        f"**{who} leaves the game**: no more turns, transactions or neighbours, and nobody can "
        "take the seat [33.2]."
    ]
    lines += _leaves(seats, seat) if tracked else [NOT_COUNTED]
    on_planets = sum(
        (attached(_own(other.in_play, "note", seat)) for other in seats.values()), NOTHING
    )
    if on_planets and tracked:
        lines.append(f"It stays with its planet: {describe(on_planets)} [33.10.4].")
    kept = [
        f"<=seat:{other.id}> {describe(units)}"
        for other in seats.values()
        if other.id != seat and (units := _own(other.open, "captured", seat))
    ]
    if kept and tracked:
        lines.append(
            "Their units that others captured stay captured until they would be returned: "
            f"{'; '.join(kept)}."
        )
    return (*lines, f"{ENDS}, and so do promises to them and by them.")


def _leaves(seats: SeatViews, seat: str) -> Iterator[str]:
    """Yield what leaves with a seat, one kind on each line, with its rule."""
    mine = seats[seat]
    in_play = sum(
        (_leaving(other.in_play, seat) for other in seats.values() if other.id != seat), NOTHING
    )
    theirs, others = (
        f", from play: {describe(goods)}" if goods else "" for goods in (in_play, mine.in_play)
    )
    yield f"Their own promissory notes leave the game, wherever they are{theirs} [33.4.1]."
    yield f"Other players' notes that they have go back to their owners{others} [33.4]."
    units, cards = mine.open.of_kind("captured"), mine.open.without_kind("captured")
    discarded, purged = cards.of_kind(ACTION_CARD, "fragment"), cards.of_kind("relic")
    rest = cards.without_kind(ACTION_CARD, "fragment", "relic")
    if discarded:
        yield f"Discarded: {describe(discarded)} [33.5]."
    if purged:
        yield f"Purged: {describe(purged)}."
    if units:
        yield f"Back to their owners: {describe(units)} [33.11]."
    if rest:
        yield f"Back to the box: {describe(rest)}."


@dataclass(frozen=True, slots=True)
class Eliminate(Command):
    """Eliminate a seat, taken or empty, with everything it owns [33]. Its turn ends. Needs the
    host.

    ``stamp`` is the stamp of the preview, None for no preview. What the seat has leaves the game,
    and so do its notes in other seats [33.2, 33.4.1, 33.5]; notes of others return to their owners
    [33.4].
    """

    kind = "ti4.eliminate"
    seat: str
    stamp: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "take somebody out of the game")
        seat = table.seats.get(self.seat)
        if seat is None:
            raise Refused("", "Nobody plays that faction here.", "/table show lists the players.")
        if seat.id in out_of_game(table) and (refused := barred(table, seat.id)) is not None:
            raise refused
        _require_no_planet(table.id, public_seats(table), seat.id)
        _require_as_shown(
            self.stamp, of_elimination(public_seats(table), seat.id, tracked=table.tracked)
        )
        yield from _endings(table, seat.id)
        changes = {seat.id: Change(lost=open_goods(seat.holdings), left_play=seat.in_play)}
        hidden = {seat.id: Change(lost=seat.holdings.of_kind("note"))}
        for other in table.seats.values():
            if other.id == seat.id or other.id in out_of_game(table):
                continue
            back, away = _leaving(seat.in_play, other.id), _leaving(other.in_play, seat.id)
            if back or away:
                changes[other.id] = Change(gained=back, left_play=away)
            back, away = (
                _own(seat.holdings, "note", other.id),
                _own(other.holdings, "note", seat.id),
            )
            if back or away:
                hidden[other.id] = Change(gained=back, lost=away)
        yield Eliminated(
            seat=seat.id, person=seat.person, counted=table.tracked, changes=changes, hidden=hidden
        )
        if seat.person is not None:
            yield SeatLeft(seat=seat.id, person=seat.person)
        if active_seat(table) == seat.id:
            yield TurnEnded(seat=seat.id, window=table.window.number + 1)
            following = up_next(table, seat.id)
            if len(following) == 1 and following != [seat.id]:
                yield TurnStarted(seat=following[0], window=table.window.number + 2)


class Eliminated(GoodsOfSeat):
    """A seat left the game, with everything it owned. ``person`` sat there, None for an empty seat.

    ``counted``: the table tracked holdings, and ``changes`` are complete.
    """

    kind: Literal["ti4.seat.eliminated"] = "ti4.seat.eliminated"
    always: ClassVar[bool] = True
    person: int | None = None
    counted: bool = True

    def subject(self) -> Reference | None:
        return reference("seat", self.seat)

    def sentence(self, ruler: str) -> str:
        left = {
            seat: SeatView(seat, "", "", None, each.lost, each.left_play)
            for seat, each in self.changes.items()
        }
        left.setdefault(self.seat, SeatView(self.seat, "", "", None))
        who = f"<player:{self.seat}>" if self.person is not None else f"<faction:{self.seat}>"
        leaves = _leaves(left, self.seat) if self.counted else (NOT_COUNTED,)
        return "\n".join((f"**{who} is out of the game** [33.2].", *leaves))

    def apply(self, table: Table) -> Table:
        return with_parts(super().apply(table), lambda part: part.without(self.seat))


def notes_moved(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell each player in private which notes left their hand or came back to it (33.4, 33.4.1)."""
    if not isinstance(entry, Eliminated):
        return
    for seat, change in (entry.hidden or {}).items():
        for what, goods in (("Out of your hand", change.lost), ("Back to you", change.gained)):
            if goods and seat != entry.seat:
                text = f"<faction:{entry.seat}> are out of the game. {what}: **{describe(goods)}**."
                yield FollowUpView(seat=seat, text=text)


# ---------------------------------------------------------------- changing the faction


def change(view: TableView, text: str) -> Preview:
    """Preview how the seat that a text names, as it is now or as it will be, becomes another.

    Raises `Refused` unless the viewer is a host, and for no such seat.
    """
    _require_host(view, "make a faction another")
    meant = find_faction(text)
    for seat in view.seated():
        becomes = factions()[seat].becomes
        if meant is not None and becomes is not None and meant.id in (seat, becomes):
            lines = of_change(view.seats, seat, tracked=view.tracked)
            press = Press(view.id, ChangeFaction(seat, stamp(lines)))
            return Preview(lines, LabelledAction(f"Become {factions()[becomes].short}", press))
    can = "; ".join(
        f"{each.name} becomes {factions()[each.becomes].name}"
        for each in factions().values()
        if each.becomes
    )
    if meant is None:
        raise Refused("", "I don't know that faction.", f"{can}.")
    raise Refused(
        "", f"{meant.name} can't become another faction here.", f"{can}, if somebody plays it."
    )


def changeable(view: TableView) -> Sequence[SeatOption]:
    """Return the seats that can become another."""
    seats = [seat for seat in view.seated() if factions()[seat].becomes]
    return [
        SeatOption(
            seat,
            f"{factions()[seat].name} → {factions()[factions()[seat].becomes or seat].name}",
            seat,
        )
        for seat in seats
    ]


def of_change(seats: SeatViews, seat: str, *, tracked: bool) -> tuple[str, ...]:
    """Return the lines of the preview: what stays, leaves and comes when a seat becomes another."""
    mine, faction = seats[seat], factions()[seat]
    becomes = factions()[faction.becomes or seat]
    has = describe(mine.open + mine.in_play)
    before, after = (
        {note_owner(token)[0] for token in start(each, mine.settings)}
        for each in (seat, becomes.id)
    )
    left, new = (
        ", ".join(promissory_notes()[note].name for note in sorted(own))
        for own in (before - after, after - before)
    )
    lines = [
        f"**<player:{seat}> becomes {becomes.name}**: the same player, neighbours and place in "
        "turns.",
        f"Leaves the game, wherever it is: {left}. They get {new} in hand [Puppets of the Blade].",
        f"All other notes of {faction.short} are {becomes.short}'s from now on, wherever they are.",
    ]
    if tracked and mine.open + mine.in_play:
        lines.append(f"They keep what is in front of them: {has}.")
    return (*lines, f"{ENDS}; agreed deals go on.")


@dataclass(frozen=True, slots=True)
class ChangeFaction(Command):
    """Turn a seat into the faction that it becomes. Needs the host.

    Player, goods and place in the turn order stay; the faction's own note leaves. Its components
    with other seats are renamed. ``stamp`` is as in `Eliminate`.
    """

    kind = "ti4.change"
    seat: str
    stamp: str | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "make a faction another")
        seat = taken_seat(table, self.seat)
        becomes = factions()[seat.id].becomes
        if becomes is None or seat.person is None:
            raise Refused(
                "",
                f"<faction:{seat.id}> can't become another faction.",
                "/table show lists the players.",
            )
        _require_as_shown(
            self.stamp, of_change(public_seats(table), seat.id, tracked=table.tracked)
        )
        yield from _endings(table, seat.id)
        yield SeatLeft(seat=seat.id, person=seat.person)
        yield SeatTaken(seat=becomes, person=seat.person, interaction=caller.interaction)
        now = _Becomes(
            seat.id, becomes, start(seat.id, table.settings), start(becomes, table.settings)
        )
        lies, hand = open_goods(seat.holdings), seat.holdings.of_kind("note")
        changes = {
            seat.id: Change(lost=lies, left_play=seat.in_play),
            becomes: Change(gained=lies, entered_play=seat.in_play),
        }
        hidden = {seat.id: Change(lost=hand), becomes: Change(gained=now.renamed(hand) + now.new)}
        for other in table.seats.values():
            if other.id == seat.id or other.id in out_of_game(table):
                continue
            if (public := now.exchange(open_goods(other.holdings), other.in_play)) != Change():
                changes[other.id] = public
            if (secret := now.exchange(other.holdings.of_kind("note"), NOTHING)) != Change():
                hidden[other.id] = secret
        yield FactionChanged(
            seat=seat.id, becomes=becomes, person=seat.person, changes=changes, hidden=hidden
        )


class _Becomes:
    """Converts the components owned by a seat that becomes another. ``old`` and ``new`` are the
    notes of both.
    """

    def __init__(self, before: str, after: str, old: Goods, new: Goods) -> None:
        self._before, self._after, self._kept = before, after, new
        self.new = self._with_owner(old).missing(new)

    def exchange(self, held: Goods, in_play: Goods) -> Change:
        """Return the change by which components of the old seat become those of the new, in hand
        and in play.
        """
        held, in_play = (
            Goods({token: count for token, count in goods.items() if _owner(token) == self._before})
            for goods in (held, in_play)
        )
        return Change(
            held, self.renamed(held), left_play=in_play, entered_play=self.renamed(in_play)
        )

    def renamed(self, goods: Goods) -> Goods:
        """Return these goods after the change. Notes that the new seat does not have are purged."""
        after = self._with_owner(goods)
        return self._kept.missing(_own(after, "note", self._after)).missing(after)

    def _with_owner(self, goods: Goods) -> Goods:
        named = {
            token: f"{token.rpartition(':')[0]}:{self._after}"
            for token in goods
            if _owner(token) == self._before
        }
        return Goods({named.get(token, token): count for token, count in goods.items()})


class FactionChanged(GoodsOfSeat):
    """A faction became another. Everything it had now belongs to ``becomes``, which ``person`` has
    just taken.
    """

    kind: Literal["ti4.seat.changed"] = "ti4.seat.changed"
    always: ClassVar[bool] = True
    becomes: str
    person: int

    def subject(self) -> Reference | None:
        return reference("seat", self.becomes)

    def seats(self) -> frozenset[str]:
        return super().seats() | {self.becomes}

    def sentence(self, ruler: str) -> str:
        before, now = f"<faction:{self.seat}>", f"<faction:{self.becomes}>"
        return f"<person:{self.person}> plays **{now}** now, with everything {before} had."

    def apply(self, table: Table) -> Table:
        """Move goods, turns, pairs and the window from the old seat to the new. Both seats exist at
        this point.

        Pairs that have traded in this window stay used: nobody trades twice.
        """
        before, now = self.seat, self.becomes
        table = super().apply(table)
        # Use the order from before the new seat was taken: the player keeps their place.
        play, sat = part(table, Round), {before, *table.seated()} - {now}
        named = [seat for seat in play.order if seat in sat]
        order = (*named, *(seat for seat in table.seats if seat in sat and seat not in named))
        table = with_part(table, replace(play, order=order))
        table = with_parts(table, lambda part: part.renamed(before, now))
        window, becomes = table.window, {before: now}
        used = frozenset(pair(becomes.get(a, a), becomes.get(b, b)) for a, b in window.used)
        window = replace(
            window, holder=now if window.holder == before else window.holder, used=used
        )
        return replace(table, window=window, became={**table.became, before: now})


# ---------------------------------------------------------------- shared by both


def barred(table: Table, seat: str) -> Refused | None:
    """Return why nobody can take this seat: it is gone, its box is missing, or it only comes out of
    another seat.
    """
    faction = factions()[seat]
    if seat in part(table, OutOfGame).seats:
        return Refused(
            "33.2", f"{faction.name} is out of the game.", "You can take another seat, or watch."
        )
    if (now := table.became.get(seat)) is not None:
        return Refused(
            "", f"{faction.name} is {factions()[now].name} now.", "Take that seat instead."
        )
    if faction.expansion not in boxes_of(table.settings):
        box = box_name(faction.expansion)
        return Refused(
            "",
            f"{faction.name} comes with {box}, which this table doesn't play with.",
            "The host can change that: /table settings expansions.",
        )
    if not faction.playable_from_start and seat not in table.became.values():
        first = next(each.name for each in factions().values() if each.becomes == seat)
        return Refused(
            "",
            f"Nobody starts the game as {faction.name}.",
            f"Sit as {first}. When they change, the host uses /table change.",
        )
    return None


def may(table: Table, command: Command, caller: Caller) -> None:
    """Raise `Refused` by 33.2 for calling a deal with an eliminated seat broken."""
    if not isinstance(command, MarkDeal) or command.mark != "broken":
        return
    deal, own = table.deals.get(command.deal), table.seat_of(caller.person)
    if (
        deal is None
        or own is None
        or deal.status != "agreed"
        or not deal.parties.include(caller.person, own.id)
    ):
        return
    if (other := deal.other(own.id)) in part(table, OutOfGame).seats:
        raise Refused(
            "33.2",
            f"<faction:{other}> are out of the game, and promises with them ended.",
            f"Nobody can keep deal {deal.number} any more.",
        )


def stamp(lines: Sequence[str]) -> str:
    """Return a short hash of a preview's lines."""
    return sha256("\n".join(lines).encode()).hexdigest()[:12]


def public_seats(table: Table) -> dict[str, SeatView]:
    """Return the seats of a table as everybody sees them."""
    return {
        seat.id: SeatView(
            seat.id,
            "",
            "",
            seat.person,
            open_goods(seat.holdings),
            seat.in_play,
            settings=table.settings,
        )
        for seat in table.seats.values()
    }


def _endings(table: Table, seat: str) -> Iterable[Entry]:
    """Yield the end of this seat's offers, proposed deals and negotiations."""
    yield from (void_offers(offer) for offer in table.live_offers() if offer.party(seat))
    yield from void_deals(table, seat)
    yield from (
        close_negotiations(each)
        for each in table.negotiations.values()
        if each.open and each.party(seat)
    )


def _require_as_shown(shown: str | None, lines: tuple[str, ...]) -> None:
    if shown is not None and shown != stamp(lines):
        raise Refused(
            "",
            "Something changed since you looked.",
            "Type the command again to see what it does now.",
        )


def _require_host(view: TableView, what: str) -> None:
    if not view.hosts:
        raise Refused("", f"Only the host may {what}.", f"Ask <person:{view.host}>.")


def _own(goods: Goods, kind: str, seat: str) -> Goods:
    """Return the notes or captured units that this seat owns."""
    return Goods(
        {token: count for token, count in goods.of_kind(kind).items() if _owner(token) == seat}
    )


def _leaving(in_play: Goods, seat: str) -> Goods:
    """Return the notes of this seat that an elimination takes from play: all but those on planets
    (33.10.4).
    """
    owned = _own(in_play, "note", seat)
    return attached(owned).missing(owned)


def _require_no_planet(table: int, seats: SeatViews, seat: str) -> None:
    """Raise `Refused` by 12.2 while a note on a planet lies before this seat: the planet must be
    another's by now.
    """
    others = any(other.person is not None and other.id != seat for other in seats.values())
    if others and (found := attached(seats[seat].in_play)):
        raise Refused(
            "12.2",
            f"{describe(found)} stays with its planet, and lies before <seat:{seat}>.",
            "Whoever is out has no planet left: first say whose this one is now.",
            (LabelledAction("Say whose it is", AskWhosePlanet(table, seat)),),
        )


def _owner(token: str) -> str:
    """Return the owner of a note or captured unit; empty for anything else."""
    return token.rpartition(":")[2] if kind_of(token) in ("note", "captured") else ""


FEATURE = Feature(
    state=OutOfGame,
    commands=(Eliminate, ChangeFaction),
    entries=(Eliminated, FactionChanged),
    hears=(Eliminated,),
    follow_ups=notes_moved,
)
