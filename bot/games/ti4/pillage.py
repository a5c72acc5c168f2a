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
from dataclasses import dataclass
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
    Spent,
    StatePart,
    Table,
    Trade,
    Transaction,
    Violation,
    button,
    own_seat,
    part,
    replace,
    require_host,
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
from bot.games.ti4.counting import GoodsCounted
from bot.games.ti4.departures import FactionChanged
from bot.games.ti4.entries import GainedByEffect, ToAnother, by_effect
from bot.games.ti4.holdings import replenishment
from bot.games.ti4.neighbors import NeighborsJoined
from bot.games.ti4.settling import BACK, STANDS, Appeal, asked, require_third
from bot.games.ti4.state import meet
from bot.games.ti4.take_back import TradeTakenBack, Undoables
from bot.games.ti4.trade_card import TradePlayed

PILLAGE = "Pillage"

PILLAGE_FROM = 3
"""Pillage needs a neighbour with at least this many trade goods."""

Take = Literal["trade_good", "commodity"]

NOUNS: dict[Take, str] = {"trade_good": "trade good", "commodity": "commodity"}

# ---------------------------------------------------------------- state


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Pillages(StatePart):
    """The chances that can be used now, and those that were used. Of the latter, the last on each
    seat is kept.

    ``late`` would be chances if Mentak were a neighbour; this may still be said, until something
    else happens. ``earlier`` are unused chances, oldest first, whose place one took that can be
    used now, for when its trade is taken back.
    """

    chances: tuple[PillageChance, ...] = ()
    late: tuple[PillageChance, ...] = ()
    earlier: tuple[PillageChance, ...] = ()

    def window_over(self) -> Pillages:
        return replace(self.without_chances(lambda each: not each.taken), late=())

    def without_chances(self, over: Callable[[PillageChance], bool]) -> Pillages:
        """Return the part without the chances that are ``over``."""
        every = (self.chances, self.late, self.earlier)
        left = tuple(tuple(each for each in chances if not over(each)) for chances in every)
        return self if left == every else Pillages(*left)

    def without_causes(self, causes: Collection[int]) -> Pillages:
        """Return the part without the unused chances of these entries; those whose place they took
        are back.
        """
        now = self.without_chances(lambda each: each.cause in causes and not each.taken)
        for each in reversed(now.earlier):
            if each.of not in now.usable():
                earlier = tuple(one for one in now.earlier if one != each)
                now = replace(now, chances=(*now.chances, each), earlier=earlier)
        return now

    def usable(self) -> set[str]:
        """Return the seats that can be pillaged now."""
        return {each.of for each in self.chances if not each.taken}


def after(table: Table, entry: Entry) -> Table:
    """Add the chances that an entry brings, in place of unused ones. Remove those whose trade was
    taken back.
    """
    now = part(table, Pillages)
    # one was used, or let go: two are never saved up
    if not {each.of for each in now.earlier} <= now.usable():
        now = replace(now, earlier=tuple(each for each in now.earlier if each.of in now.usable()))
    if isinstance(entry, TradeTakenBack):
        traded = [
            each.seq
            for each in part(table, Undoables).trades
            if each.trade.number == entry.transaction
        ]
        now = now.without_causes(traded)
    if isinstance(entry, GoodsMoved | CombatBegun | CombatEnded):
        found = tuple(chances(table, entry, table.seq + 1)) if isinstance(entry, GoodsMoved) else ()
        new = tuple(each for each in found if meet(table, each.seat, each.of))
        now = replace(now, late=tuple(each for each in found if each not in new))
    else:
        new = tuple(each for each in now.late if _were_neighbors(entry, each))
        now = replace(now, late=tuple(each for each in now.late if each not in new)) if new else now
    if new:
        again = {each.of for each in new}
        before = tuple(each for each in now.chances if each.of in again and not each.taken)
        kept = tuple(each for each in now.chances if each not in before)
        now = replace(now, chances=(*kept, *new), earlier=(*now.earlier, *before))
    return table if now == part(table, Pillages) else with_part(table, now)


def _were_neighbors(entry: Entry, chance: PillageChance) -> bool:
    """Return whether an entry says that Mentak and the seat of a chance were neighbours before it
    was said.
    """
    return (
        isinstance(entry, NeighborsJoined)
        and entry.already
        and {entry.first, entry.second} == {chance.seat, chance.of}
    )


# ---------------------------------------------------------------- chances


def chances(table: Table, entry: GoodsMoved, seq: int) -> Iterator[PillageChance]:
    """Yield the chances that entry ``seq`` brings, given the table after it, on seats that may be
    neighbours or not.

    Taking a trade back brings none, because nobody gains anything new, nor does what a ruling gives
    back. Turning commodities over is not a gain [21.5.3]. Neither are corrections, declarations and
    another faction's taking over: the goods were there before. Where goods are not counted, a seat
    may have enough of them after every trade, and after Trade.
    """
    if "mentak" not in table.seats:
        return
    before, had = part(table, Pillages).chances, set[str]()
    match entry:
        case (
            TradeTakenBack()
            | PillageSettled()
            | Converted()
            | Corrected()
            | FactionChanged()
            | Gained(declared=True)
        ):
            return
        case Transaction(first=first, second=second):
            gainers = [first, second]
        case TradePlayed(seat=seat):
            gainers = [seat]
        case GoodsCounted(seat=seat, first=row):  # presses in a row are one gain
            gainers, had = (
                [seat] if entry.gain() else [],
                {each.of for each in before if each.seq >= row},
            )
        case _:
            gainers = [
                seat for seat, change in entry.changes.items() if change.gained.count(TRADE_GOOD)
            ]
    cause = seq
    if isinstance(entry, GainedByEffect):  # the trade itself brought a chance
        cause, had = entry.since, {each.of for each in before if each.seq == entry.since}
    for seat in gainers:
        held = table.seats[seat].holdings
        enough = held.count(TRADE_GOOD) >= PILLAGE_FROM or not table.tracked
        if enough and seat not in had and _unprotected(table, seat):
            there = held.count(COMMODITY)
            if isinstance(entry, TradePlayed):  # its trade goods come before its commodities [92]
                there -= entry.changes.get(seat, Change()).gained.count(COMMODITY)
            yield PillageChance("mentak", seat, seq, commodity=there > 0, cause=cause)


def _unprotected(table: Table, of: str) -> bool:
    """Return whether a seat is another's, and no Promise of Protection lies in play before it."""
    return of != "mentak" and "note:promise_of_protection:mentak" not in table.seats[of].in_play


def remark(table: Table, trade: Trade) -> str:
    """Return whom Mentak may pillage after a trade, by public counts; empty for nobody."""
    if not table.tracked or "mentak" not in table.seated():
        return ""
    found = []
    for giver in filter(None, (trade.first, trade.second)):
        gets = trade.gives(trade.other(giver))
        left = table.seats[giver].holdings.count(TRADE_GOOD) - trade.gives(giver).count(TRADE_GOOD)
        after = left + gets.count(TRADE_GOOD) + gets.count(COMMODITY)
        if after >= PILLAGE_FROM and _unprotected(table, giver) and meet(table, "mentak", giver):
            found.append(f"<name:{giver}>")
    return f"⚠ @<=name:mentak> may Pillage {' and '.join(found)} after this" if found else ""


def hints(table: Table, entry: Entry) -> Iterator[FollowUpView]:
    """Tell Mentak about its chances, a pillaged seat that it may appeal, and others about Lie in
    Wait.
    """
    if isinstance(entry, GivenByEffect) and entry.taken:
        yield FollowUpView(
            seat=entry.seat,
            evident=True,
            text=f"**Pillage** takes {describe(entry.goods)} from you; <seat:{entry.to}> gets it. "
            "If they can't "
            "pillage you now, say so, and the host settles it.",
            buttons=(button("Not so", table, AppealPillage(entry.since)),),
        )
    for chance in part(table, Pillages).chances:
        if (chance.seq == table.seq or _were_neighbors(entry, chance)) and not chance.taken:
            held = table.seats[chance.of].holdings
            late = (
                "traded or gained trade goods"
                if isinstance(entry, NeighborsJoined)
                else "gained trade goods"
            )
            did = "traded" if isinstance(entry, Transaction) else late
            takes = chance.takes(held) if table.tracked else list(NOUNS)
            has = (
                f"has {describe(trade_goods(held.count(TRADE_GOOD)))} and " if table.tracked else ""
            )
            enough = "" if table.tracked else f" if they have {PILLAGE_FROM} trade goods or more,"
            yield FollowUpView(
                seat=chance.seat,
                evident=True,
                text=f"<seat:{chance.of}> is your neighbour, {has}has just {did}:{enough} you may "
                "**Pillage** 1 "
                f"{' or '.join(NOUNS[take] for take in takes)}.",
                buttons=answers(table, chance),
            )
    if isinstance(entry, Transaction):
        two = (entry.first, entry.second)
        for seat in table.seats.values():
            between = seat.id not in two and all(meet(table, seat.id, each) for each in two)
            if between and seat.holdings.count(ACTION_CARD):
                yield FollowUpView(
                    seat=seat.id,
                    evident=True,
                    text=f"Your neighbours <seat:{entry.first}> and <seat:{entry.second}> have "
                    "traded. "
                    "If you hold **Lie in Wait**, this is when to play it.",
                )


# ---------------------------------------------------------------- Pillage


@dataclass(frozen=True, slots=True)
class Pillage(Command):
    """As Mentak, take one good of this kind from a seat. ``since`` is the entry that allows it,
    None for the newest.

    The seat may hand it over itself.
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
                "Pillage",
                "Only Mentak can pillage.",
                "If you take something in another way, the other player says so.",
            )
        victim = taken_seat(table, self.of)
        chance = usable(table, victim.id, self.since)
        if chance is None:
            raise Refused(
                "Pillage",
                f"You can't pillage <=seat:{victim.id}> now, or you already have.",
                "You can on the turn on which they trade or gain trade goods, if they have 3 or "
                "more.",
            )
        if self.take not in chance.takes(victim.holdings):
            late = (
                " that was there when you got the chance [1.14]"
                if self.take in victim.holdings
                else ""
            )
            raise Refused(
                "Pillage",
                f"<seat:{victim.id}> has no {NOUNS[self.take]}{late}.",
                "Take the other one.",
            )
        goods, taken = Goods.of([self.take]), own.id == "mentak"
        return [
            given(victim.id, "mentak", goods, PILLAGE, by_host=False, since=chance.seq, taken=taken)
        ]


def usable(table: Table, of: str, since: int | None = None) -> PillageChance | None:
    """Return the chance to pillage a seat that the entry ``since`` gave, None for the newest."""
    found = (
        each for each in reversed(part(table, Pillages).chances) if each.of == of and not each.taken
    )
    return next((each for each in found if since in (None, each.seq)), None)


def answers(table: Table, chance: PillageChance) -> tuple[LabelledAction, ...]:
    """Return what Mentak may do about a chance. Nothing where goods are not counted."""
    takes = chance.takes(table.seats[chance.of].holdings) if table.tracked else []
    pillages = (
        button(f"Pillage 1 {NOUNS[take]}", table, Pillage(chance.of, take, chance.seq))
        for take in takes
    )
    return (
        (*pillages, button("Let it go", table, LetPillageGo(chance.of, chance.seq)))
        if takes
        else ()
    )


def open_chances(table: Table) -> list[PillageChance]:
    """Return the chances that Mentak can use now."""
    return [each for each in part(table, Pillages).chances if not each.taken]


class GivenByEffect(GoodsOfSeat):
    """An effect gave a player's goods to another; commodities became trade goods (21.6). This is
    not a transaction.

    ``since`` is the entry that allowed Mentak to pillage; ``taken``: Mentak said so, not the player
    who lost the goods. ``effect`` is its name, maybe empty. ``by_host``: the host did it for them.
    """

    kind: Literal["ti4.goods.given"] = "ti4.goods.given"
    to: str
    goods: Goods
    effect: str = ""
    by_host: bool = False
    since: int | None = None
    taken: bool = False

    def sentence(self, ruler: str) -> str:
        how = f"{by_effect(self.effect)}{f', as {ruler} says' if self.by_host else ''}"
        gets = (
            f"<player:{self.to}> gets **{describe(self.changes[self.to].gained)}**. This is not a "
            "transaction."
        )
        return f"<player:{self.seat}> loses **{describe(self.goods)}** {how}; {gets}"

    def apply(self, table: Table) -> Table:
        """Move the goods. The chance is used; a taken one is kept, and an earlier one on this seat
        forgotten.
        """
        table = super().apply(table)
        if not self.taken:
            return with_part(
                table, part(table, Pillages).without_chances(_pillage(self.seat, self.since))
            )
        now = part(table, Pillages)
        earlier = {
            each
            for each in now.chances
            if each.of == self.seat and each.taken and not each.appealed
        }
        table = with_part(table, now.without_chances(lambda each: each in earlier))
        return _changed(table, self.seat, self.since, taken=next(iter(self.goods)))


def given(
    seat: str,
    to: str,
    goods: Goods,
    effect: str,
    *,
    by_host: bool,
    since: int | None = None,
    taken: bool = False,
) -> GivenByEffect:
    """Return the entry by which an effect gives a seat's goods to another. 21.6: commodities become
    trade goods.
    """
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


def _pillage(of: str, since: int | None) -> Callable[[PillageChance], bool]:
    return lambda each: (each.of, each.seq) == (of, since)


def _changed(table: Table, of: str, since: int | None, **changes: Any) -> Table:
    this, now = _pillage(of, since), part(table, Pillages)
    chances = tuple(replace(each, **changes) if this(each) else each for each in now.chances)
    return with_part(table, replace(now, chances=chances))


# ---------------------------------------------------------------- what is held back meanwhile


FREE = "It is free once they have taken 1 or let it go, at the latest when this turn ends."
"""How a good that is held back becomes free."""

HELD_BACK = "ti4.pillage"
"""The `Violation.action` for a good that is held back: Mentak can be asked, or the giver says that
it isn't so.
"""


def held_back(table: Table, seat: str, left: Goods) -> tuple[PillageChance, Take] | None:
    """Return the chance because of which a seat must keep a good of this kind, if only these goods
    were ``left`` to it.

    An empty chair holds nobody up, nor does a chance that somebody has said is none, until a host
    settles it.
    """
    if not table.tracked or table.settings.rulings == "warn":
        return None
    for chance in open_chances(table):
        if (
            chance.of == seat
            and not chance.appealed
            and table.seats[chance.seat].person is not None
        ):
            for take in chance.takes(table.seats[seat].holdings):
                if take not in left:
                    return chance, take
    return None


def violations(table: Table, trade: Trade) -> Iterator[Violation]:
    """Yield why a side must keep its last good: Mentak may still take it. Not where Mentak itself
    trades with them.
    """
    givers = (trade.first, trade.second)
    if "mentak" in givers or not any(chance.of in givers for chance in open_chances(table)):
        return
    for giver in filter(None, givers):
        other = trade.other(giver)
        gets = trade.gives(other) if other else NOTHING
        got = trade_goods(gets.count(TRADE_GOOD) + gets.count(COMMODITY))
        # Open goods alone: else everybody could read from this whether somebody holds a note.
        held, gives = open_goods(table.seats[giver].holdings), open_goods(trade.gives(giver))
        if not held.missing(gives) and (found := held_back(table, giver, held - gives + got)):
            chance, take = found
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
    found = [each for each in open_chances(table) if each.of == of]
    asks = (
        button(f"Ask @<=name:{each.seat}>", table, CallMentak(of))
        for each in found
        if not each.called
    )
    denies = (
        button("Not so", table, AppealPillage(each.seq))
        for each in found
        if of == seat and not each.upheld
    )
    return (*asks, *denies)


def require_kept(table: Table, seat: str, change: Change) -> None:
    """Raise `Refused` by 1.14 if a seat's own deed would take what Mentak may still pillage."""
    left = change.lost.missing(table.seats[seat].holdings) + change.gained
    if (change.lost.count(TRADE_GOOD) or change.lost.count(COMMODITY)) and (
        found := held_back(table, seat, left)
    ):
        chance, take = found
        raise Refused(
            "1.14",
            f"You must keep 1 {NOUNS[take]}: <seat:{chance.seat}> may still Pillage it.",
            FREE,
            remedies(table, seat, seat),
        )


def kept(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Return the entries of a command as they are.

    Raises `Refused` by 1.14 for a player who spends, converts or counts away what Mentak may still
    pillage.
    """
    for entry in entries:
        if isinstance(entry, Spent | Converted | GoodsCounted):
            change = entry.changes[entry.seat]
            if isinstance(entry, GoodsCounted) and {"slip", "lost"}.intersection(entry.why):
                change = replace(change, lost=change.lost.without_kind(COMMODITY))
            require_kept(table, entry.seat, change)
    return entries


@dataclass(frozen=True, slots=True)
class CallMentak(Command):
    """Ask Mentak to pillage a seat now or let it go. Once for each chance."""

    kind = "ti4.pillage.call"
    private_reply = True
    of: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller).id
        found = next((each for each in open_chances(table) if each.of == self.of), None)
        if found is None:
            raise Refused(
                "Pillage", "There is nothing to Pillage there any more.", "So nothing is held back."
            )
        if seat == found.seat:
            raise Refused("Pillage", "It is your own chance.", "Take 1, or let it go.")
        taken_seat(table, found.seat)
        if found.called:
            raise Refused("Pillage", f"<seat:{found.seat}> has been asked already.", FREE)
        return [MentakCalled(seat=seat, other=found.seat, of=self.of, since=found.seq)]

    def reply(self, entries: Sequence[Entry]) -> str:
        return "I have asked. It is theirs to take 1 or to let it go, until this turn ends."


class MentakCalled(ToAnother):
    """A player asked Mentak to pillage ``of`` now, or to let it go. ``since`` is the entry that
    allows it.
    """

    announced = False
    kind: Literal["ti4.pillage.called"] = "ti4.pillage.called"
    of: str
    since: int

    def sentence(self, ruler: str) -> str:
        return (
            f"<seat:{self.seat}> asks <seat:{self.other}>: Pillage <seat:{self.of}> now, or let it "
            "go?"
        )

    def apply(self, table: Table) -> Table:
        return _changed(table, self.of, self.since, called=True)


@dataclass(frozen=True, slots=True)
class LetPillageGo(Command):
    """As Mentak, let the chance to pillage a seat go. ``since`` is the entry that allows it, None
    for the newest.
    """

    kind = "ti4.pillage.let_go"
    private_reply = True
    of: str
    since: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller).id
        found = usable(table, self.of, self.since)
        if seat != "mentak":
            raise Refused("Pillage", "Only Mentak can let it go.")
        if found is None:
            raise Refused(
                "Pillage", "There is nothing to let go any more.", "Nobody waits for you."
            )
        return [PillageLetGo(seat=seat, other=self.of, since=found.seq, called=found.called)]

    def reply(self, entries: Sequence[Entry]) -> str:
        return f"You let it go: no Pillage of <seat:{self.of}> this time."


class PillageLetGo(ToAnother):
    """Mentak let the chance go that the entry ``since`` gave. ``called``: somebody had asked."""

    kind: Literal["ti4.pillage.waived"] = "ti4.pillage.waived"
    since: int
    called: bool

    def is_news(self) -> bool:
        return self.called

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> lets it go: no Pillage of <seat:{self.other}> this time."

    def apply(self, table: Table) -> Table:
        return with_part(
            table, part(table, Pillages).without_chances(_pillage(self.other, self.since))
        )


# ---------------------------------------------------------------- Not so


@dataclass(frozen=True, slots=True)
class AppealPillage(Command):
    """Say that Mentak can't pillage the caller because of the entry ``since``, None for what it
    took or may take.
    """

    kind = "ti4.pillage.appeal"
    since: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = own_seat(table, caller).id
        mine = [each for each in part(table, Pillages).chances if each.of == seat]
        mine.sort(key=lambda each: (each.appealed or each.upheld, not each.taken, -each.seq))
        found = next((each for each in mine if self.since in (None, each.seq)), None)
        if found is None:
            raise Refused(
                "Pillage",
                "Mentak has taken nothing from you that is still open.",
                "/history shows what was.",
            )
        if found.appealed:
            raise Refused(
                "Pillage",
                "You have already said so.",
                "A host who is neither of you two settles it.",
            )
        if found.upheld:
            raise Refused(
                "Pillage", "It is settled: a host has said that it stands.", "/history shows when."
            )
        return [PillageAppealed(seat=seat, other=found.seat, since=found.seq)]


class PillageAppealed(ToAnother):
    """A player says that Mentak can't pillage them because of the entry ``since``, whether it has
    done so or not.
    """

    kind: Literal["ti4.pillage.appealed"] = "ti4.pillage.appealed"
    since: int

    def sentence(self, ruler: str) -> str:
        return (
            f"<seat:{self.seat}> says that <seat:{self.other}> can't pillage <them:{self.seat}>. "
            "A host or moderator who is neither of the two settles it: **More…** on the board, or "
            "/commodities settle."
        )

    def apply(self, table: Table) -> Table:
        return _changed(table, self.seat, self.since, appealed=True)


def appeals(table: Table) -> Iterator[Appeal]:
    """Yield the appeals against Mentak that wait for a host."""
    for each in part(table, Pillages).chances:
        if each.appealed:
            did = "has pillaged" if each.taken else "may Pillage"
            who = f"<seat:{each.seat}> {did} <seat:{each.of}>, who says that it isn't so."
            stands, not_so = (SettlePillage(each.of, stands, each.seq) for stands in (True, False))
            yield Appeal(
                key=f"ti4-appeal-{each.of}-{each.seq}",
                about=f"Pillage of <=name:{each.of}>",
                text=f"{who} You are the host: does it stand?",
                two=(each.seat, each.of),
                rulings={STANDS: stands, BACK if each.taken else "Not so": not_so},
            )


def prompts(table: Table) -> Iterator[PromptView]:
    """Yield the questions to the host about appeals, and to Mentak about chances that others wait
    for.
    """
    if not table.tracked:
        return
    yield from asked(table, appeals(table))
    for each in part(table, Pillages).chances:
        if each.called and not each.taken and (options := answers(table, each)):
            yield PromptView(
                table=table.id,
                key=f"ti4-pillage-now-{each.of}-{each.seq}",
                seat=each.seat,
                evident=True,
                text=f"You are asked: **Pillage** <seat:{each.of}> now, or let it go? Their last "
                "goods wait [1.14].",
                buttons=options,
            )


@dataclass(frozen=True, slots=True)
class SettlePillage(Command):
    """Say whether Mentak can pillage a seat; what it took goes back if not. Needs a host.

    ``since`` None: the oldest appeal.
    """

    kind = "ti4.pillage.settle"
    of: str
    stands: bool
    since: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """If it goes back, Mentak loses a trade good, if they have one; else it comes from the
        supply.

        A commodity comes back as such if there is room for it (21.2).
        """
        require_host(table, caller, "settle it")
        appealed = [
            each for each in part(table, Pillages).chances if each.of == self.of and each.appealed
        ]
        found = next((each for each in appealed if self.since in (None, each.seq)), None)
        if found is None:
            raise Refused(
                "Pillage", "Nobody asks for that any more.", "/history shows how it was settled."
            )
        require_third(table, caller, "Pillage", (found.seat, found.of))
        goods, changes = Goods.of([found.taken] if found.taken else []), dict[str, Change]()
        if not self.stands and found.taken:
            if found.taken == COMMODITY and not replenishment(table, table.seats[found.of]):
                goods = trade_goods(1)
            lost = trade_goods(min(1, table.seats[found.seat].holdings.count(TRADE_GOOD)))
            changes = {found.of: Change(gained=goods), found.seat: Change(lost=lost)}
        return [
            PillageSettled(
                seat=found.of,
                other=found.seat,
                since=found.seq,
                stands=self.stands,
                goods=goods,
                changes=changes,
            )
        ]


class PillageSettled(GoodsOfSeat):
    """A host settled whether ``other`` (Mentak) can pillage ``seat``: it stands, or ``goods`` went
    back.

    No ``goods``: nothing had been taken.
    """

    kind: Literal["ti4.pillage.settled"] = "ti4.pillage.settled"
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
        return (
            back
            if self.changes[self.other].lost
            else f"{back} It comes from the supply, since <they:{self.other}> have none left."
        )

    def apply(self, table: Table) -> Table:
        if self.stands and not self.goods:
            return _changed(table, self.seat, self.since, appealed=False, upheld=True)
        return with_part(
            super().apply(table),
            part(table, Pillages).without_chances(_pillage(self.seat, self.since)),
        )


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
    after=after,
    brings=kept,
    prompts=prompts,
    follow_ups=hints,
)
