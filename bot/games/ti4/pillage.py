"""Effects after somebody trades or gains goods: Pillage and Lie in Wait.

Pillage: Mentak takes a trade good or commodity from a neighbour with 3 trade goods, after they
trade or gain trade goods. Nobody is asked. The neighbour may say that it isn't so, which a host
settles who is neither of the two. Each chance can be used once and ends with its turn; two on one
neighbour are never saved up. At a table Mentak takes it at once [1.14]; here it may take a while,
so the last good that Mentak could take can't be spent or given meanwhile. Mentak may be asked,
once, and may let it go. It depends on public goods. Lie in Wait is an action card, so the bot only
tells players when they could play it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Literal

from bot.api import (
    NOTHING,
    Apply,
    Caller,
    Change,
    Command,
    Corrected,
    Entry,
    Feature,
    FollowUpView,
    Gained,
    Goods,
    GoodsMoved,
    GoodsOfSeat,
    LabelledAction,
    PromptView,
    Refused,
    SeatId,
    Since,
    Spent,
    StatePart,
    Table,
    ToAnother,
    Trade,
    Transaction,
    Violation,
    button,
    frozen,
    own_seat,
    part,
    replace,
    require_host,
    require_since,
    require_tracked,
    taken_seat,
    with_part,
)
from bot.games.ti4.combat import CombatBegun, CombatEnded
from bot.games.ti4.commodities import Converted
from bot.games.ti4.components import (
    ACTION_CARD,
    COMMODITY,
    TRADE_GOOD,
    describe,
    open_goods,
    trade_goods,
)
from bot.games.ti4.counting import PILLAGE_FROM, GoodsCounted, pillaged
from bot.games.ti4.departures import FactionChanged
from bot.games.ti4.entries import GainedByEffect, by_effect
from bot.games.ti4.holdings import replenishment
from bot.games.ti4.neighbors import NeighborsJoined
from bot.games.ti4.settling import A_THIRD, BACK, STANDS, Appeal, asked, require_third
from bot.games.ti4.state import meet
from bot.games.ti4.strategy_cards import CardPutBack, CardTaken
from bot.games.ti4.take_back import TradeTakenBack, Undoables
from bot.games.ti4.trade_card import TradePlayed

PILLAGE = "Pillage"

Take = Literal["trade_good", "commodity"]

NOUNS: dict[Take, str] = {"trade_good": "trade good", "commodity": "commodity"}

# ---------------------------------------------------------------- state


@frozen
class PillageChance:
    """A chance of ``seat``, Mentak, to take a good from ``of`` because of the entry ``seq``.

    ``taken`` is what Mentak has taken, and ``appealed`` whether ``of`` says that it isn't so; a
    taken chance is kept for that. ``commodity``: there was one to take when the chance arose
    [1.14]. ``called``: Mentak has been asked. ``upheld``: a host has said that it stands. ``cause``
    is the entry that brought it about: ``seq``, or the one whose effect that is.
    """

    seat: SeatId
    of: SeatId
    seq: int
    taken: Take | None = None
    appealed: bool = False
    commodity: bool = True
    called: bool = False
    upheld: bool = False
    cause: int = 0

    def takes(self, held: Goods) -> list[Take]:
        """Return what Mentak can take of these goods by it."""
        return [take for take in NOUNS if take in held and (take != COMMODITY or self.commodity)]


@frozen
class Pillages(StatePart):
    """The chances that can be used now, and on each seat the last that was used.

    ``late`` would be chances if Mentak were a neighbour; this may still be said, until something
    else happens. ``earlier`` are unused chances, oldest first, whose place one took that can be
    used now, for when its trade is taken back.
    """

    chances: tuple[PillageChance, ...] = ()
    late: tuple[PillageChance, ...] = ()
    earlier: tuple[PillageChance, ...] = ()

    def window_over(self) -> Pillages:
        return replace(self.without_chances(lambda chance: not chance.taken), late=())

    def without_chances(self, over: Callable[[PillageChance], bool]) -> Pillages:
        """Return the part without the chances that are ``over``."""
        now = Pillages(*(_without(row, over) for row in (self.chances, self.late, self.earlier)))
        return self if now == self else now

    def without_chance(self, of: str, since: int | None) -> Pillages:
        """Return the part without the chance on a seat that the entry ``since`` gave."""
        return self.without_chances(lambda chance: (chance.of, chance.seq) == (of, since))

    def without_causes(self, causes: Collection[int]) -> Pillages:
        """Return the part without the unused chances of these entries. Earlier ones are back."""
        now = self.without_chances(lambda chance: chance.cause in causes and not chance.taken)
        for chance in reversed(now.earlier):
            if chance.of not in now.victims():
                earlier = tuple(other for other in now.earlier if other != chance)
                now = replace(now, chances=(*now.chances, chance), earlier=earlier)
        return now

    def with_chances(self, gained: Collection[PillageChance]) -> Pillages:
        """Return the part with these chances, in place of unused ones on the same seats."""
        seats = {chance.of for chance in gained}
        replaced = [chance for chance in self.chances if chance.of in seats and not chance.taken]
        kept = [chance for chance in self.chances if chance not in replaced]
        return replace(self, chances=(*kept, *gained), earlier=(*self.earlier, *replaced))

    def victims(self) -> set[str]:
        """Return the seats that can be pillaged now."""
        return {chance.of for chance in self.chances if not chance.taken}


def _without(
    chances: tuple[PillageChance, ...], over: Callable[[PillageChance], bool]
) -> tuple[PillageChance, ...]:
    return tuple(chance for chance in chances if not over(chance))


def after(table: Table, entry: Entry) -> Table:
    """Add the chances that an entry brings. Remove those whose trade was taken back."""
    before = part(table, Pillages)
    victims = before.victims()
    # where a chance was used, or let go, an earlier one is gone too: two are never saved up
    earlier = _without(before.earlier, lambda chance: chance.of not in victims)
    now = replace(before, earlier=earlier)
    if isinstance(entry, TradeTakenBack):
        trades = part(table, Undoables).trades
        traded = [done.seq for done in trades if done.trade.number == entry.transaction]
        now = now.without_causes(traded)
    if isinstance(entry, CardTaken | CardPutBack):
        now = now.without_causes(entry.undone)
    if isinstance(entry, GoodsMoved):
        possible = tuple(chances(table, entry, table.seq + 1))
        gained = [chance for chance in possible if meet(table, chance.seat, chance.of)]
    else:
        possible = () if isinstance(entry, CombatBegun | CombatEnded) else now.late
        gained = [chance for chance in possible if _were_neighbors(entry, chance)]
    late = _without(possible, lambda chance: chance in gained)
    now = replace(now, late=late).with_chances(gained)
    return table if now == before else with_part(table, now)


def _were_neighbors(entry: Entry, chance: PillageChance) -> bool:
    """Return whether an entry says that the two of a chance were neighbours all along."""
    if not isinstance(entry, NeighborsJoined) or not entry.already:
        return False
    return {entry.first, entry.second} == {chance.seat, chance.of}


# ---------------------------------------------------------------- chances


def chances(table: Table, entry: GoodsMoved, seq: int) -> Iterator[PillageChance]:
    """Yield the chances that entry ``seq`` brings, given the table after it.

    The seats may be neighbours of Mentak or not. Where goods are not counted, a seat may have
    enough of them after every trade, and after Trade.
    """
    if "mentak" not in table.seats:
        return
    chances_before, had, cause = part(table, Pillages).chances, set[str](), seq
    if isinstance(entry, GoodsCounted):  # presses in a row are one gain
        had = {chance.of for chance in chances_before if chance.seq >= entry.first}
    if isinstance(entry, GainedByEffect):  # the trade itself brought a chance
        cause = entry.since
        had = {chance.of for chance in chances_before if chance.seq == cause}
    for seat in _gainers(entry):
        held = table.seats[seat].holdings
        enough = held.count(TRADE_GOOD) >= PILLAGE_FROM or not table.tracked
        if not enough or seat in had or not _unprotected(table, seat):
            continue
        there = held.count(COMMODITY)
        if isinstance(entry, TradePlayed):  # its trade goods come before its commodities [92]
            there -= entry.changes.get(seat, Change()).gained.count(COMMODITY)
        yield PillageChance("mentak", seat, seq, commodity=there > 0, cause=cause)


def _gainers(entry: GoodsMoved) -> list[str]:
    """Return the seats that have traded, or gained trade goods, by an entry.

    Taking a trade back is no gain, because nobody gains anything new, nor is what a ruling gives
    back. Turning commodities over is not one [21.5.3]. Neither are corrections, declarations and
    another faction's taking over: the goods were there before.
    """
    match entry:
        case TradeTakenBack() | PillageSettled() | Converted() | Corrected() | FactionChanged():
            return []
        case Gained(declared=True):
            return []
        case Transaction(first=first, second=second):
            return [first, second]
        case TradePlayed(seat=seat):
            return [seat]
        case CardTaken(goods=goods, chooser=chooser):
            return [chooser] if goods else []
        case GoodsCounted(seat=seat):
            return [seat] if entry.gain() else []
    changes = entry.changes.items()
    return [seat for seat, change in changes if change.gained.count(TRADE_GOOD)]


def _unprotected(table: Table, of: str) -> bool:
    """Return whether a seat is another's, and no Promise of Protection lies in play before it."""
    return of != "mentak" and "note:promise_of_protection:mentak" not in table.seats[of].in_play


def remark(table: Table, trade: Trade) -> str:
    """Return whom Mentak may pillage after a trade, by public counts; empty for nobody."""
    if not table.tracked or "mentak" not in table.seated():
        return ""
    victims = []
    for giver in filter(None, (trade.first, trade.second)):
        gets = trade.gives(trade.other(giver))
        after = table.seats[giver].holdings.count(TRADE_GOOD)
        after -= trade.gives(giver).count(TRADE_GOOD)
        after += gets.count(TRADE_GOOD) + gets.count(COMMODITY)
        if after >= PILLAGE_FROM and _unprotected(table, giver) and meet(table, "mentak", giver):
            victims.append(f"<name:{giver}>")
    return f"⚠ @<=name:mentak> may Pillage {' and '.join(victims)} after this" if victims else ""


def goods_taken(table: Table, entry: Entry) -> Iterator[FollowUpView]:
    """Tell a victim of Mentak what was taken, and of the appeal."""
    if isinstance(entry, GivenByEffect) and entry.taken:
        yield FollowUpView(
            seat=entry.seat,
            evident=True,
            text=f"**Pillage** takes {describe(entry.goods)} from you; <seat:{entry.to}> gets it. "
            "If they can't pillage you now, say so, and the host settles it.",
            buttons=(button("Not so", table, AppealPillage(entry.since)),),
        )


def may_pillage(table: Table, entry: Entry) -> Iterator[FollowUpView]:
    """Tell Mentak about the chances that an entry brings."""
    for chance in open_chances(table):
        if chance.seq == table.seq or _were_neighbors(entry, chance):
            yield _offered(table, entry, chance)


def _offered(table: Table, entry: Entry, chance: PillageChance) -> FollowUpView:
    """Return the message to Mentak about a chance that an entry brings."""
    match entry:
        case Transaction():
            did = "traded"
        case NeighborsJoined():
            did = "traded or gained trade goods"
        case _:
            did = "gained trade goods"
    if table.tracked:
        held = table.seats[chance.of].holdings
        takes = chance.takes(held)
        has = f"has {describe(trade_goods(held.count(TRADE_GOOD)))} and has just {did}:"
    else:
        takes = list(NOUNS)
        has = f"has just {did}: if they have {PILLAGE_FROM} trade goods or more,"
    goods = " or ".join(NOUNS[take] for take in takes)
    return FollowUpView(
        seat=chance.seat,
        evident=True,
        text=f"<seat:{chance.of}> is your neighbour, {has} you may **Pillage** 1 {goods}.",
        buttons=pillage_answers(table, chance),
    )


def lie_in_wait(table: Table, entry: Entry) -> Iterator[FollowUpView]:
    """Tell those who hold an action card that two of their neighbours have traded."""
    if not isinstance(entry, Transaction):
        return
    first, second = entry.first, entry.second
    for seat in table.seats.values():
        if seat.id in (first, second) or not seat.holdings.count(ACTION_CARD):
            continue
        if meet(table, seat.id, first) and meet(table, seat.id, second):
            yield FollowUpView(
                seat=seat.id,
                evident=True,
                text=f"Your neighbours <seat:{first}> and <seat:{second}> have traded. "
                "If you hold **Lie in Wait**, this is when to play it.",
            )


# ---------------------------------------------------------------- Pillage


class Pillage(Command):
    """As Mentak, take one good of this kind from a seat, which may also hand it over itself.

    ``since`` is the entry that allows it, None for the newest.
    """

    kind = "ti4.pillage"
    of: str
    take: Take
    since: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        own = own_seat(table, caller)
        if own.id not in ("mentak", self.of):
            raise Refused(
                "Only Mentak can pillage.",
                "If you take something in another way, the other player says so.",
                rule="Pillage",
            )
        victim = taken_seat(table, self.of)
        chance = open_chance(table, victim.id, self.since)
        if chance is None:
            raise Refused(
                f"You can't pillage <=seat:{victim.id}> now, or you already have.",
                "You can on the turn on which they trade or gain trade goods, if they have 3 or "
                "more.",
                rule="Pillage",
            )
        if self.take not in chance.takes(victim.holdings):
            late = ""
            if self.take in victim.holdings:
                late = " that was there when you got the chance [1.14]"
            raise Refused(
                f"<seat:{victim.id}> has no {NOUNS[self.take]}{late}.",
                "Take the other one.",
                rule="Pillage",
            )
        goods, taken = Goods.of([self.take]), own.id == "mentak"
        return [given_by_effect(victim.id, "mentak", goods, PILLAGE, since=chance.seq, taken=taken)]


def open_chances(table: Table) -> list[PillageChance]:
    """Return the chances that Mentak can use now, oldest first."""
    return [chance for chance in part(table, Pillages).chances if not chance.taken]


def open_chance(table: Table, of: str, since: int | None = None) -> PillageChance | None:
    """Return the chance to pillage a seat that the entry ``since`` gave, None for the newest."""
    newest_first = reversed(open_chances(table))
    return _given_by(since, [chance for chance in newest_first if chance.of == of])


def _given_by(since: int | None, chances: Iterable[PillageChance]) -> PillageChance | None:
    """Return the one of these that the entry ``since`` gave, the first for None."""
    for chance in chances:
        if since in (None, chance.seq):
            return chance
    return None


def pillage_answers(table: Table, chance: PillageChance) -> tuple[LabelledAction, ...]:
    """Return what Mentak may do about a chance. Nothing where goods are not counted."""
    if not table.tracked:
        return ()
    buttons = []
    for take in chance.takes(table.seats[chance.of].holdings):
        command = Pillage(chance.of, take, chance.seq)
        buttons.append(button(f"Pillage 1 {NOUNS[take]}", table, command))
    if buttons:
        buttons.append(button("Let it go", table, LetPillageGo(chance.of, chance.seq)))
    return tuple(buttons)


class GivenByEffect(GoodsOfSeat):
    """An effect gave a player's goods to another, without a transaction. ``effect`` may be empty.

    Commodities became trade goods (21.6). ``since`` is the entry that allowed Mentak to pillage;
    ``taken``: Mentak said so, not the player who lost the goods. ``by_host``: the host did it.
    """

    kind = "ti4.goods.given"
    to: str
    goods: Goods
    effect: str = ""
    by_host: bool = False
    since: int | None = None
    taken: bool = False

    def sentence(self, ruler: str) -> str:
        how = by_effect(self.effect, ruler if self.by_host else "")
        got = describe(self.changes[self.to].gained)
        loses = f"<player:{self.seat}> loses **{describe(self.goods)}** {how}"
        return f"{loses}; <player:{self.to}> gets **{got}**. This is not a transaction."

    def apply(self, table: Table) -> Table:
        """Move the goods. The chance is used; of those that Mentak took, the last is kept."""
        table = pillaged(super().apply(table), self.seat, self.since)
        now = part(table, Pillages)
        if not self.taken:
            return with_part(table, now.without_chance(self.seat, self.since))
        table = with_part(table, now.without_chances(self._is_older))
        return _changed(table, self.seat, self.since, taken=next(iter(self.goods)))

    def _is_older(self, chance: PillageChance) -> bool:
        return chance.of == self.seat and bool(chance.taken) and not chance.appealed


def given_by_effect(
    seat: str,
    to: str,
    goods: Goods,
    effect: str,
    *,
    by_host: bool = False,
    since: int | None = None,
    taken: bool = False,
) -> GivenByEffect:
    """Return the entry by which an effect gives a seat's goods to another [21.6]."""
    got = goods.without_kind(COMMODITY) + trade_goods(goods.count(COMMODITY))
    return GivenByEffect(
        seat=seat,
        to=to,
        goods=goods,
        effect=effect,
        by_host=by_host,
        since=since,
        taken=taken,
        changes={seat: Change(lost=goods), to: Change(gained=got)},
    )


def _changed(table: Table, of: str, since: int | None, **changes: Any) -> Table:
    """Return the table after changes to the chance on a seat that the entry ``since`` gave."""
    now, chances = part(table, Pillages), []
    for chance in now.chances:
        this = (chance.of, chance.seq) == (of, since)
        chances.append(replace(chance, **changes) if this else chance)
    return with_part(table, replace(now, chances=tuple(chances)))


# ---------------------------------------------------------------- what is held back meanwhile


FREE = "It is free once they have taken 1 or let it go, at the latest when this turn ends."
"""How a good that is held back becomes free."""

HELD_BACK = "ti4.pillage"
"""The `Violation.action` for a good that is held back: Mentak can be asked, or is contradicted."""


def held_back(table: Table, seat: str, left: Goods) -> tuple[PillageChance, Take] | None:
    """Return the chance for which a seat must keep a good of this kind, with only these ``left``.

    An empty chair holds nobody up, nor does a chance that somebody has said is none, until a host
    settles it.
    """
    if not table.tracked or table.settings.rulings == "warn":
        return None
    for chance in open_chances(table):
        empty = table.seats[chance.seat].person is None
        if chance.of != seat or chance.appealed or empty:
            continue
        for take in chance.takes(table.seats[seat].holdings):
            if take not in left:
                return chance, take
    return None


def violations(table: Table, trade: Trade) -> Iterator[Violation]:
    """Yield why a side must keep its last good for Mentak, except in a trade with Mentak."""
    if "mentak" in (trade.first, trade.second):
        return
    victims = part(table, Pillages).victims()
    for giver in (trade.first, trade.second):
        if giver not in victims:
            continue
        other = trade.other(giver)
        gets = trade.gives(other) if other else NOTHING
        got = trade_goods(gets.count(TRADE_GOOD) + gets.count(COMMODITY))
        # Open goods alone: else everybody could read from this whether somebody holds a note.
        held, gives = open_goods(table.seats[giver].holdings), open_goods(trade.gives(giver))
        if held.missing(gives):
            continue
        if reason := held_back(table, giver, held - gives + got):
            chance, take = reason
            yield Violation(
                "1.14",
                f"<seat:{giver}> must keep 1 {NOUNS[take]}: <seat:{chance.seat}> may still Pillage "
                "it.",
                FREE,
                action=HELD_BACK,
                about=giver,
            )


def remedies(table: Table, seat: str, of: str) -> tuple[LabelledAction, ...]:
    """Return what a seat can press about the goods of ``of`` that are held back."""
    chance = open_chance(table, of)
    if chance is None:
        return ()
    buttons = []
    if not chance.called:
        buttons.append(_call(table, chance))
    if of == seat and not chance.upheld:
        buttons.append(button("Not so", table, AppealPillage(chance.seq)))
    return tuple(buttons)


def require_kept(table: Table, seat: str, change: Change) -> None:
    """Raise `Refused` by 1.14 if a seat's own deed would take what Mentak may still pillage."""
    if not change.lost.of_kind(TRADE_GOOD, COMMODITY):
        return
    left = change.lost.missing(table.seats[seat].holdings) + change.gained
    if reason := held_back(table, seat, left):
        chance, take = reason
        raise Refused(
            f"You must keep 1 {NOUNS[take]}: <seat:{chance.seat}> may still Pillage it.",
            FREE,
            options=remedies(table, seat, seat),
            rule="1.14",
        )


def kept(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Return the entries of a command as they are.

    Raises `Refused` by 1.14 for a player who spends, converts or counts away what Mentak may still
    pillage.
    """
    for entry in entries:
        if not isinstance(entry, Spent | Converted | GoodsCounted):
            continue
        change = entry.changes[entry.seat]
        if isinstance(entry, GoodsCounted) and {"slip", "lost"}.intersection(entry.why):
            change = replace(change, lost=change.lost.without_kind(COMMODITY))
        require_kept(table, entry.seat, change)
    return entries


def _call(table: Table, chance: PillageChance) -> LabelledAction:
    return button(f"Ask @<=name:{chance.seat}>", table, CallMentak(chance.of, chance.seq))


class CallMentak(Command):
    """Ask Mentak to pillage a seat now or let it go. Once for each chance.

    ``since`` is the entry that gave the chance.
    """

    kind = "ti4.pillage.call"
    private_reply = True
    of: str
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller).id
        chance = open_chance(table, self.of, self.since or None) or open_chance(table, self.of)
        if chance is None:
            gone = "There is nothing to Pillage there any more."
            raise Refused(gone, "So nothing is held back.", rule="Pillage")
        mentak = chance.seat
        again = _call(table, chance)
        over = "That chance to Pillage is over, and there is another."
        require_since(self.since, chance.seq, over, again)
        if seat == mentak:
            raise Refused("It is your own chance.", "Take 1, or let it go.", rule="Pillage")
        taken_seat(table, mentak)
        if chance.called:
            raise Refused(f"<seat:{mentak}> has been asked already.", FREE, rule="Pillage")
        return [MentakCalled(seat=seat, other=mentak, of=self.of, since=chance.seq)]

    def reply(self, entries: Sequence[Entry]) -> str:
        return "I have asked. It is theirs to take 1 or to let it go, until this turn ends."


class MentakCalled(ToAnother):
    """A player asked Mentak to pillage ``of`` now or let it go. The entry ``since`` allows it."""

    announced = False
    kind = "ti4.pillage.called"
    of: str
    since: int

    def sentence(self, ruler: str) -> str:
        asks = f"<seat:{self.seat}> asks <seat:{self.other}>"
        return f"{asks}: Pillage <seat:{self.of}> now, or let it go?"

    def apply(self, table: Table) -> Table:
        return _changed(table, self.of, self.since, called=True)


class LetPillageGo(Command):
    """As Mentak, let the chance go that the entry ``since`` gave, the newest on a seat for None."""

    kind = "ti4.pillage.let_go"
    private_reply = True
    of: str
    since: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller).id
        if seat != "mentak":
            raise Refused("Only Mentak can let it go.", rule="Pillage")
        chance = open_chance(table, self.of, self.since)
        if chance is None:
            gone = "There is nothing to let go any more."
            raise Refused(gone, "Nobody waits for you.", rule="Pillage")
        since, called = chance.seq, chance.called
        return [PillageLetGo(seat=seat, other=self.of, since=since, called=called)]

    def reply(self, entries: Sequence[Entry]) -> str:
        return f"You let it go: no Pillage of <seat:{self.of}> this time."


class PillageLetGo(ToAnother):
    """Mentak let the chance go that the entry ``since`` gave. ``called``: somebody had asked."""

    kind = "ti4.pillage.waived"
    since: int
    called: bool

    def is_news(self) -> bool:
        return self.called

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> lets it go: no Pillage of <seat:{self.other}> this time."

    def apply(self, table: Table) -> Table:
        return with_part(table, part(table, Pillages).without_chance(self.other, self.since))


# ---------------------------------------------------------------- Not so


class AppealPillage(Command):
    """Say that Mentak can't pillage the caller because of the entry ``since``.

    None: what it took or, if that is settled, may take.
    """

    kind = "ti4.pillage.appeal"
    since: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller).id
        mine = [chance for chance in part(table, Pillages).chances if chance.of == seat]
        # first what is not settled yet, then what was taken, then the newest
        mine.sort(key=lambda mine: (mine.appealed or mine.upheld, not mine.taken, -mine.seq))
        chance = _given_by(self.since, mine)
        if chance is None:
            nothing = "Mentak has taken nothing from you that is still open."
            raise Refused(nothing, "**History** under **Menu** shows what was.", rule="Pillage")
        if chance.appealed:
            settles = "A host who is neither of you two settles it."
            raise Refused("You have already said so.", settles, rule="Pillage")
        if chance.upheld:
            settled = "It is settled: a host has said that it stands."
            raise Refused(settled, "**History** under **Menu** shows when.", rule="Pillage")
        return [PillageAppealed(seat=seat, other=chance.seat, since=chance.seq)]


class PillageAppealed(ToAnother):
    """A player says that Mentak can't pillage them, or couldn't, because of the entry ``since``."""

    kind = "ti4.pillage.appealed"
    since: int

    def sentence(self, ruler: str) -> str:
        return (
            f"<seat:{self.seat}> says that <seat:{self.other}> can't pillage <them:{self.seat}>. "
            f"{A_THIRD}"
        )

    def apply(self, table: Table) -> Table:
        return _changed(table, self.seat, self.since, appealed=True)


def appeals(table: Table) -> Iterator[Appeal]:
    """Yield the appeals against Mentak that wait for a host."""
    for chance in part(table, Pillages).chances:
        if not chance.appealed:
            continue
        of = chance.of
        did = "has pillaged" if chance.taken else "may Pillage"
        who = f"<seat:{chance.seat}> {did} <seat:{of}>, who says that it isn't so."
        rulings = {
            STANDS: SettlePillage(of, True, chance.seq),
            BACK if chance.taken else "Not so": SettlePillage(of, False, chance.seq),
        }
        yield Appeal(
            key=f"ti4-appeal-{of}-{chance.seq}",
            about=f"Pillage of <=name:{of}>",
            text=f"{who} You are the host: does it stand?",
            two=(chance.seat, of),
            rulings=rulings,
        )


def prompts(table: Table) -> Iterator[PromptView]:
    """Yield the questions to the host about appeals."""
    return asked(table, appeals(table) if table.tracked else ())


def take_now(table: Table) -> Iterator[PromptView]:
    """Yield the questions to Mentak about what others wait for."""
    if not table.tracked:
        return
    for chance in open_chances(table):
        buttons = pillage_answers(table, chance)
        if chance.called and buttons:
            yield PromptView(
                table=table.id,
                key=f"ti4-pillage-now-{chance.of}-{chance.seq}",
                seat=chance.seat,
                evident=True,
                text=f"You are asked: **Pillage** <seat:{chance.of}> now, or let it go? Their last "
                "goods wait [1.14].",
                buttons=buttons,
            )


class SettlePillage(Command):
    """Say whether Mentak can pillage a seat; what it took goes back if not. Needs a host.

    ``since`` None: the oldest appeal.
    """

    kind = "ti4.pillage.settle"
    of: str
    stands: bool
    since: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """What goes back comes from Mentak or, if it has no trade good, from the supply.

        A commodity comes back as such if there is room for it (21.2).
        """
        require_host(table, caller, "settle it")
        chances = [chance for chance in part(table, Pillages).chances if chance.of == self.of]
        chance = _given_by(self.since, [chance for chance in chances if chance.appealed])
        if chance is None:
            nobody = "Nobody asks for that any more."
            raise Refused(
                nobody, "**History** under **Menu** shows how it was settled.", rule="Pillage"
            )
        mentak, of = table.seats[chance.seat], table.seats[chance.of]
        require_third(table, caller, "Pillage", (mentak.id, of.id))
        goods, changes = NOTHING, dict[str, Change]()
        if chance.taken:
            goods = Goods.of([chance.taken])
        if chance.taken and not self.stands:
            if chance.taken == COMMODITY and not replenishment(table, of):
                goods = trade_goods(1)
            lost = trade_goods(min(1, mentak.holdings.count(TRADE_GOOD)))
            changes = {of.id: Change(gained=goods), mentak.id: Change(lost=lost)}
        return [
            PillageSettled(
                seat=of.id,
                other=mentak.id,
                since=chance.seq,
                stands=self.stands,
                goods=goods,
                changes=changes,
            )
        ]


class PillageSettled(GoodsOfSeat):
    """A host settled whether ``other`` (Mentak) can pillage ``seat``.

    It stands, or ``goods`` went back. No ``goods``: nothing had been taken.
    """

    kind = "ti4.pillage.settled"
    other: str
    since: int
    stands: bool
    goods: Goods

    def seats(self) -> frozenset[str]:
        return frozenset({self.seat, self.other})

    def sentence(self, ruler: str) -> str:
        if not self.goods:
            may = "may" if self.stands else "can't"
            return f"<seat:{self.other}> {may} Pillage <seat:{self.seat}>, as {ruler} says."
        if self.stands:
            keeps = f"<seat:{self.other}> keeps what <they:{self.other}> took"
            return f"**Pillage** of <seat:{self.seat}> stands, as {ruler} says: {keeps}."
        back = (
            f"<player:{self.seat}> gets **{describe(self.goods)}** back from "
            f"<player:{self.other}>, as {ruler} says."
        )
        if self.changes[self.other].lost:
            return back
        return f"{back} It comes from the supply, since <they:{self.other}> have none left."

    def apply(self, table: Table) -> Table:
        if self.stands and not self.goods:
            return _changed(table, self.seat, self.since, appealed=False, upheld=True)
        left = part(table, Pillages).without_chance(self.seat, self.since)
        return with_part(super().apply(table), left)


FEATURE = Feature(
    state=Pillages,
    commands=(Pillage, CallMentak, LetPillageGo, AppealPillage, SettlePillage),
    entries=(
        GivenByEffect,
        MentakCalled,
        PillageLetGo,
        PillageAppealed,
        PillageSettled,
    ),
    hears=(GoodsMoved, NeighborsJoined, CombatBegun, CombatEnded, PillageLetGo),
    after=after,
    brings=kept,
    prompts=(prompts, take_now),
    follow_ups=(goods_taken, may_pillage, lie_in_wait),
)
