"""Seats that leave the game: elimination (rule 33), and factions that become another.

All their goods move in one step. A seat that is gone has no goods, and nobody can take it again.

The host first sees a preview. Its lines rest on public knowledge: they say that notes leave the
game, but not from whose hand. Its *stamp* is a short hash of the lines; the command is refused if
the lines have changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

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
    Seat,
    SeatLeft,
    SeatOption,
    SeatTaken,
    SeatView,
    Table,
    TableSettings,
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
from bot.games.ti4.initiative import up_next
from bot.games.ti4.notes import AskWhosePlanet, attached
from bot.games.ti4.state import GameRound, OutOfGame, Round, active_seat, out_of_game
from bot.games.ti4.turns import TurnEnded, TurnStarted
from data.ti4 import factions, find_faction, promissory_notes, strategy_cards

SeatViews = Mapping[str, SeatView]
"""The seats as everybody sees them."""

NOT_COUNTED = (
    "I don't count holdings at this table, so please clear away their things yourselves [33.4] "
    "[33.5]."
)

OFFERS_END = "Their offers, proposed deals and negotiations end"

# ---------------------------------------------------------------- elimination


def elimination(view: TableView, seat: str) -> Preview:
    """Preview the elimination of a seat. Raises `Refused` unless the viewer is a host."""
    _require_host(view, "take somebody out of the game")
    _require_no_planet(view.id, view.seats, seat)
    cards = view.public.round.cards_of(seat)
    lines = of_elimination(view.seats, seat, cards, tracked=view.tracked)
    press = Press(view.id, Eliminate(seat, stamp(lines)))
    return Preview(lines, LabelledAction(f"Eliminate <name:{seat}>", press))


def of_elimination(
    seats: SeatViews, seat: str, cards: Iterable[str] = (), *, tracked: bool
) -> tuple[str, ...]:
    """Return the lines of the preview: what leaves the game with a seat, and what goes back.

    ``cards`` are its strategy cards.
    """
    mine = seats[seat]
    who = f"<player:{seat}>" if mine.person is not None else f"<faction:{seat}>"
    lines = [
        f"**{who} leaves the game**: no more turns, transactions or neighbours, and nobody can "
        "take the seat [33.2]."
    ]
    lines += [*_leaves(seats, seat), *_stays(seats, seat)] if tracked else [NOT_COUNTED]
    if names := " and ".join(strategy_cards()[card].name for card in cards):
        lines.append(f"Back to the other strategy cards: {names} [33.6].")
    return (*lines, f"{OFFERS_END}, and so do promises to them and by them.")


def _stays(seats: SeatViews, seat: str) -> Iterator[str]:
    """Yield what stays with others though a seat owns it, one kind on each line."""
    on_planets, captured = NOTHING, []
    for other in seats.values():
        on_planets += attached(_own(other.in_play, "note", seat))
        units = _own(other.open, "captured", seat)
        if units and other.id != seat:
            captured.append(f"<=seat:{other.id}> {describe(units)}")
    if on_planets:
        yield f"It stays with its planet: {describe(on_planets)} [33.10.4]."
    if captured:
        yield (
            "Their units that others captured stay captured until they would be returned: "
            f"{'; '.join(captured)}."
        )


def _leaves(seats: SeatViews, seat: str) -> Iterator[str]:
    """Yield what leaves with a seat, one kind on each line, with its rule."""
    mine, in_play = seats[seat], NOTHING
    for other in seats.values():
        if other.id != seat:
            in_play += _leaving(other.in_play, seat)
    theirs, others = _from_play(in_play), _from_play(mine.in_play)
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


def _from_play(notes: Goods) -> str:
    return f", from play: {describe(notes)}" if notes else ""


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
            raise Refused(
                "Nobody plays that faction here.",
                "**Who has what** under **Menu** lists the players.",
            )
        if seat.id in out_of_game(table):
            refused = barred(table, seat.id)
            if refused is not None:
                raise refused
        seats = public_seats(table)
        _require_no_planet(table.id, seats, seat.id)
        cards = part(table, GameRound).cards_of(seat.id)
        lines = of_elimination(seats, seat.id, cards, tracked=table.tracked)
        _require_as_shown(self.stamp, lines)
        yield from _endings(table, seat.id)
        hand, lies = seat.holdings.of_kind("note"), open_goods(seat.holdings)
        changes = {seat.id: Change(lost=lies, left_play=seat.in_play)}
        hidden = {seat.id: Change(lost=hand)}
        for other in _others_left(table, seat):
            back = _leaving(seat.in_play, other.id)
            away = _leaving(other.in_play, seat.id)
            if back or away:
                changes[other.id] = Change(gained=back, left_play=away)
            back = _own(hand, "note", other.id)
            away = _own(other.holdings, "note", seat.id)
            if back or away:
                hidden[other.id] = Change(gained=back, lost=away)
        yield Eliminated(
            seat=seat.id,
            person=seat.person,
            counted=table.tracked,
            changes=changes,
            hidden=hidden,
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

    kind = "ti4.seat.eliminated"
    always = True
    person: int | None = None
    counted: bool = True

    def subject(self) -> Reference | None:
        return reference("seat", self.seat)

    def sentence(self, ruler: str) -> str:
        left = {self.seat: SeatView(self.seat, "", "", None)}
        for seat, change in self.changes.items():
            left[seat] = SeatView(seat, "", "", None, change.lost, change.left_play)
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
        raise Refused("I don't know that faction.", f"{can}.")
    raise Refused(
        f"{meant.name} can't become another faction here.", f"{can}, if somebody plays it."
    )


def changeable(view: TableView) -> Sequence[SeatOption]:
    """Return the seats that can become another."""
    options = []
    for seat in view.seated():
        faction = factions()[seat]
        if faction.becomes:
            label = f"{faction.name} → {factions()[faction.becomes].name}"
            options.append(SeatOption(seat, label, seat))
    return options


def of_change(seats: SeatViews, seat: str, *, tracked: bool) -> tuple[str, ...]:
    """Return the lines of the preview: what stays, leaves and comes when a seat becomes another."""
    mine, faction = seats[seat], factions()[seat]
    becomes = factions()[faction.becomes or seat]
    has = describe(mine.open + mine.in_play)
    before = {note_owner(token)[0] for token in start(seat, mine.settings)}
    after = {note_owner(token)[0] for token in start(becomes.id, mine.settings)}
    leave, get = _names(before - after), _names(after - before)
    lines = [
        f"**<player:{seat}> becomes {becomes.name}**: the same player, neighbours and place in "
        "turns.",
        f"Leaves the game, wherever it is: {leave}. They get {get} in hand [Puppets of the Blade].",
        f"All other notes of {faction.short} are {becomes.short}'s from now on, wherever they are.",
    ]
    if tracked and mine.open + mine.in_play:
        lines.append(f"They keep what is in front of them: {has}.")
    return (*lines, f"{OFFERS_END}; agreed deals go on.")


def _names(notes: Iterable[str]) -> str:
    return ", ".join(promissory_notes()[note].name for note in sorted(notes))


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
            nothing = f"<faction:{seat.id}> can't become another faction."
            raise Refused(nothing, "**Who has what** under **Menu** lists the players.")
        lines = of_change(public_seats(table), seat.id, tracked=table.tracked)
        _require_as_shown(self.stamp, lines)
        yield from _endings(table, seat.id)
        yield SeatLeft(seat=seat.id, person=seat.person)
        yield SeatTaken(seat=becomes, person=seat.person, interaction=caller.interaction)
        now = _Becomes(seat.id, becomes, table.settings)
        lies, hand = open_goods(seat.holdings), seat.holdings.of_kind("note")
        changes = {
            seat.id: Change(lost=lies, left_play=seat.in_play),
            becomes: Change(gained=lies, entered_play=seat.in_play),
        }
        hidden = {
            seat.id: Change(lost=hand),
            becomes: Change(gained=now.renamed(hand) + now.new),
        }
        for other in _others_left(table, seat):
            public = now.exchange(open_goods(other.holdings), other.in_play)
            if public != Change():
                changes[other.id] = public
            secret = now.exchange(other.holdings.of_kind("note"), NOTHING)
            if secret != Change():
                hidden[other.id] = secret
        yield FactionChanged(
            seat=seat.id,
            becomes=becomes,
            person=seat.person,
            changes=changes,
            hidden=hidden,
        )


class _Becomes:
    """Converts the components owned by a seat that becomes another. ``new``: the notes it gets."""

    def __init__(self, before: str, after: str, settings: TableSettings) -> None:
        self._before, self._after, self._kept = before, after, start(after, settings)
        self.new = self._with_owner(start(before, settings)).missing(self._kept)

    def exchange(self, held: Goods, in_play: Goods) -> Change:
        """Return how components of the old seat become those of the new, in hand and in play."""
        lost, left = _owned(held, self._before), _owned(in_play, self._before)
        gained, entered = self.renamed(lost), self.renamed(left)
        return Change(lost, gained, left_play=left, entered_play=entered)

    def renamed(self, goods: Goods) -> Goods:
        """Return these goods after the change. Notes that the new seat does not have are purged."""
        after = self._with_owner(goods)
        return self._kept.missing(_own(after, "note", self._after)).missing(after)

    def _with_owner(self, goods: Goods) -> Goods:
        counts = {}
        for token, count in goods.items():
            if _owner(token) == self._before:
                token = f"{token.rpartition(':')[0]}:{self._after}"
            counts[token] = count
        return Goods(counts)


class FactionChanged(GoodsOfSeat):
    """A faction became another, ``becomes``, which ``person`` has just taken with all it had."""

    kind = "ti4.seat.changed"
    always = True
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
        """Move goods, turns, pairs and the window from the old seat to the new, while both exist.

        Pairs that have traded in this window stay used: nobody trades twice.
        """
        before, now = self.seat, self.becomes
        table = super().apply(table)
        # Use the order from before the new seat was taken: the player keeps their place.
        play, sat = part(table, Round), {before, *table.seated()} - {now}
        order = [seat for seat in play.order if seat in sat]
        order += [seat for seat in table.seats if seat in sat and seat not in order]
        table = with_part(table, replace(play, order=tuple(order)))
        table = with_parts(table, lambda part: part.renamed(before, now))
        window, used = table.window, set()
        for two in window.used:
            first, second = (now if seat == before else seat for seat in two)
            used.add(pair(first, second))
        holder = now if window.holder == before else window.holder
        window = replace(window, holder=holder, used=frozenset(used))
        return replace(table, window=window, became={**table.became, before: now})


# ---------------------------------------------------------------- shared by both


def barred(table: Table, seat: str) -> Refused | None:
    """Return why nobody can take this seat: it is gone, or not in the box, or comes of another."""
    faction = factions()[seat]
    if seat in part(table, OutOfGame).seats:
        out = f"{faction.name} is out of the game."
        return Refused(out, "You can take another seat, or watch.", rule="33.2")
    if (now := table.became.get(seat)) is not None:
        is_now = f"{faction.name} is {factions()[now].name} now."
        return Refused(is_now, "Take that seat instead.")
    if faction.expansion not in boxes_of(table.settings):
        box = box_name(faction.expansion)
        return Refused(
            f"{faction.name} comes with {box}, which this table doesn't play with.",
            "The host can change that: **Settings** under **Menu**, **Host…**.",
        )
    if not faction.playable_from_start and seat not in table.became.values():
        first = next(each.name for each in factions().values() if each.becomes == seat)
        return Refused(
            f"Nobody starts the game as {faction.name}.",
            f"Sit as {first}. When they change, the host uses /table change.",
        )
    return None


def may(table: Table, command: Command, caller: Caller) -> None:
    """Raise `Refused` by 33.2 for calling a deal with an eliminated seat broken."""
    if not isinstance(command, MarkDeal) or command.mark != "broken":
        return
    deal, own = table.deals.get(command.deal), table.seat_of(caller.person)
    if deal is None or own is None or deal.status != "agreed":
        return
    if not deal.parties.include(caller.person, own.id):
        return
    if (other := deal.other(own.id)) in part(table, OutOfGame).seats:
        raise Refused(
            f"<faction:{other}> are out of the game, and promises with them ended.",
            f"Nobody can keep deal {deal.number} any more.",
            rule="33.2",
        )


def stamp(lines: Sequence[str]) -> str:
    """Return a short hash of a preview's lines."""
    return sha256("\n".join(lines).encode()).hexdigest()[:12]


def public_seats(table: Table) -> dict[str, SeatView]:
    """Return the seats of a table as everybody sees them."""
    views = {}
    for seat in table.seats.values():
        view = SeatView(seat.id, "", "", seat.person, open_goods(seat.holdings), seat.in_play)
        views[seat.id] = replace(view, settings=table.settings)
    return views


def _others_left(table: Table, seat: Seat) -> list[Seat]:
    """Return the other seats that are in the game."""
    gone = {seat.id, *out_of_game(table)}
    return [other for other in table.seats.values() if other.id not in gone]


def _endings(table: Table, seat: str) -> Iterable[Entry]:
    """Yield the end of this seat's offers, proposed deals and negotiations."""
    for offer in table.live_offers():
        if offer.party(seat):
            yield void_offers(offer)
    yield from void_deals(table, seat)
    for negotiation in table.negotiations.values():
        if negotiation.open and negotiation.party(seat):
            yield close_negotiations(negotiation)


def _require_as_shown(shown: str | None, lines: tuple[str, ...]) -> None:
    if shown is not None and shown != stamp(lines):
        raise Refused(
            "Something changed since you looked.",
            "Type the command again to see what it does now.",
        )


def _require_host(view: TableView, what: str) -> None:
    if not view.hosts:
        raise Refused(f"Only the host may {what}.", f"Ask <person:{view.host}>.")


def _own(goods: Goods, kind: str, seat: str) -> Goods:
    """Return the notes or captured units that this seat owns."""
    return _owned(goods.of_kind(kind), seat)


def _owned(goods: Goods, seat: str) -> Goods:
    return Goods({token: goods[token] for token in goods if _owner(token) == seat})


def _leaving(in_play: Goods, seat: str) -> Goods:
    """Return this seat's notes that an elimination takes from play: not from planets [33.10.4]."""
    owned = _own(in_play, "note", seat)
    return attached(owned).missing(owned)


def _require_no_planet(table: int, seats: SeatViews, seat: str) -> None:
    """Raise `Refused` by 12.2 while a note on a planet lies before this seat."""
    others = [other for other in seats.values() if other.id != seat and other.person is not None]
    notes = attached(seats[seat].in_play)
    if others and notes:
        raise Refused(
            f"{describe(notes)} stays with its planet, and lies before <seat:{seat}>.",
            "Whoever is out has no planet left: first say whose this one is now.",
            options=(LabelledAction("Say whose it is", AskWhosePlanet(table, seat)),),
            rule="12.2",
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
