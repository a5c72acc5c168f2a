"""Effects after somebody trades or gains goods: Pillage, Dark Pact, Lie in Wait.

Pillage: Mentak takes a trade good or commodity from a neighbour with 3 trade goods, after they trade or gain trade
goods. The neighbour is asked for it. Each chance can be used once, until the end of the next turn. Dark Pact: its
holder and Empyrean gain 1 trade good each, when the holder gives Empyrean exactly their commodity value. That comes
before Pillage [1.16]. Both depend on public goods. Lie in Wait is an action card, so the bot only tells players when
they could play it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from bot.api import (
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
    PromptView,
    Refused,
    StatePart,
    Table,
    Transaction,
    button,
    is_host,
    own_seat,
    part,
    quoted,
    replace,
    require_tracked,
    taken_seat,
    with_part,
)
from bot.games.ti4.commodities import Converted
from bot.games.ti4.components import ACTION_CARD, COMMODITY, TRADE_GOOD, describe, describe_token, trade_goods
from bot.games.ti4.entries import ToAnother
from bot.games.ti4.holdings import commodity_value
from bot.games.ti4.state import are_neighbors
from bot.games.ti4.take_back import TradeTakenBack, seq_of

PILLAGE, DARK_PACT = "Pillage", "Dark Pact"

PILLAGE_FROM = 3
"""Pillage needs a neighbour with at least this many trade goods."""

WINDOWS_KEPT = 2
"""How many windows a chance lasts: to the end of the next turn, because the time between two turns is a window too."""

Take = Literal["trade_good", "commodity"]

NOUNS: dict[Take, tuple[str, str]] = {
    "trade_good": ("trade good", "trade goods"),
    "commodity": ("commodity", "commodities"),
}

# ---------------------------------------------------------------- state


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance of ``seat``, Mentak, to take a good from ``of`` because of the entry ``seq``.

    ``window`` is the number of the window in which it arose. ``asked`` is what Mentak has asked ``of`` for; such a
    chance does not lapse.
    """

    seat: str
    of: str
    seq: int
    window: int
    asked: Take | None = None


@dataclass(frozen=True, slots=True)
class Pillages(StatePart):
    """The chances that can be used now."""

    chances: tuple[Chance, ...] = ()

    def vacated(self, seat: str) -> Pillages:
        return self.but(lambda each: seat in (each.seat, each.of))

    def renamed(self, before: str, now: str) -> Pillages:
        named = {before: now}
        return Pillages(
            tuple(
                replace(each, seat=named.get(each.seat, each.seat), of=named.get(each.of, each.of))
                for each in self.chances
            )
        )

    def but(self, over: Callable[[Chance], bool]) -> Pillages:
        """Return the part without the chances that are ``over``."""
        left = tuple(each for each in self.chances if not over(each))
        return self if left == self.chances else Pillages(left)


def after(table: Table, entry: Entry) -> Table:
    """Add the chances that an entry brings. Remove those that have lapsed, or whose trade was taken back."""
    last, left = table.window.number - WINDOWS_KEPT, part(table, Pillages)
    left = left.but(lambda each: not each.asked and each.window < last)
    if isinstance(entry, TradeTakenBack):
        traded = seq_of(table, entry.transaction)
        left = left.but(lambda each: each.seq == traded)
    new = tuple(chances(table, entry, table.seq + 1))
    return with_part(table, Pillages((*left.chances, *new)) if new else left)


# ---------------------------------------------------------------- chances


def chances(table: Table, entry: Entry, seq: int) -> Iterator[Chance]:
    """Yield the chances that entry ``seq`` brings, given the table after it.

    Taking a trade back brings none, because nobody gains anything new.
    """
    if not table.tracked or not isinstance(entry, GoodsMoved) or isinstance(entry, TradeTakenBack):
        return
    since = entry.since if isinstance(entry, GainedByEffect) else None
    had = {each.of for each in part(table, Pillages).chances if each.seq == since}  # by the trade itself
    if "mentak" in table.seats:
        for seat in _gainers(entry):
            if seat not in had and _can_be_pillaged(table, seat):
                yield Chance("mentak", seat, seq, table.window.number)


def _gainers(entry: GoodsMoved) -> list[str]:
    """Return the seats that traded or gained trade goods.

    Turning commodities over is not a gain [21.5.3]. Neither are corrections and declarations: the goods were there
    before.
    """
    if isinstance(entry, Transaction):
        return [entry.first, entry.second]
    if isinstance(entry, Converted | Corrected) or (isinstance(entry, Gained) and entry.declared):
        return []
    return [seat for seat, change in entry.changes.items() if change.gained.count(TRADE_GOOD)]


def _can_be_pillaged(table: Table, of: str) -> bool:
    """Return whether Mentak can pillage a seat. Promise of Protection in play prevents it."""
    seat = table.seats[of]
    return (
        of != "mentak"
        and are_neighbors(table, "mentak", of)
        and seat.holdings.count(TRADE_GOOD) >= PILLAGE_FROM
        and "note:promise_of_protection:mentak" not in seat.in_play
    )


def hints(table: Table, entry: Entry) -> Iterator[FollowUpView]:
    """Tell seats about their chances, with buttons to use them, and about Lie in Wait after a trade."""
    for chance in part(table, Pillages).chances:
        if chance.seq == table.seq:
            held = table.seats[chance.of].holdings
            did = "traded" if isinstance(entry, Transaction) else "gained trade goods"
            yield FollowUpView(
                seat=chance.seat, evident=True,
                text=f"<seat:{chance.of}> is your neighbour, has {describe(trade_goods(held.count(TRADE_GOOD)))} and "
                f"has just {did}: you may **Pillage** 1 trade good or commodity.",
                buttons=tuple(
                    button(f"Pillage 1 {one}", table, Pillage(chance.of, take, chance.seq))
                    for take, (one, _) in NOUNS.items()
                    if take in held
                ),
            )  # fmt: skip
    if isinstance(entry, Transaction):
        yield from _lie_in_wait(table, entry)


def _lie_in_wait(table: Table, entry: Transaction) -> Iterator[FollowUpView]:
    """Tell everybody with at least one action card that two of their neighbours have traded."""
    for seat in table.seats.values():
        if (
            seat.id not in (entry.first, entry.second)
            and seat.holdings.count(ACTION_CARD)
            and are_neighbors(table, seat.id, entry.first)
            and are_neighbors(table, seat.id, entry.second)
        ):
            yield FollowUpView(
                seat=seat.id, evident=True,
                text=f"Your neighbours <seat:{entry.first}> and <seat:{entry.second}> have traded. "
                "If you hold **Lie in Wait**, this is when to play it.",
            )  # fmt: skip


# ---------------------------------------------------------------- Pillage


@dataclass(frozen=True, slots=True)
class Pillage(Command):
    """As Mentak, take one good of this kind from a seat. ``since`` is the entry that allows it, None for the newest."""

    kind = "ti4.pillage"
    of: str
    take: Take
    since: int | None = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """The victim is asked, unless Mentak's player is a host.

        Raises `Refused` unless Mentak's player asks, for an empty seat, without a chance, and if the good is not there.
        """
        require_tracked(table)
        own = own_seat(table, caller)
        if own.id != "mentak":
            raise Refused(
                "Pillage", "Only Mentak can pillage.", "If you take something in another way, the other player says so."
            )
        victim = taken_seat(table, self.of)
        since = _since(table, victim.id, self.since)
        if since is None:
            raise Refused(
                "Pillage", f"You can't pillage <seat:{victim.id}> now, or you already have.",
                "You can when they have traded or gained trade goods and have 3 or more.",
            )  # fmt: skip
        goods = Goods.of([self.take])
        if victim.holdings.missing(goods):
            raise Refused("Pillage", f"<seat:{victim.id}> has no {NOUNS[self.take][0]}.", "Take the other one.")
        if is_host(table, caller):
            return [given(victim.id, own.id, goods, PILLAGE, by_host=True, since=since)]
        return [PillageAsked(seat=own.id, other=victim.id, take=self.take, since=since)]


def _since(table: Table, of: str, since: int | None = None) -> int | None:
    """Return the newest entry (or ``since``, if valid) that allows pillaging a seat; None for none."""
    found = (each for each in reversed(part(table, Pillages).chances) if not each.asked)
    return next((each.seq for each in found if each.of == of and since in (None, each.seq)), None)


class PillageAsked(ToAnother):
    """Mentak pillages another player, who is asked. ``since`` is the entry that allowed it."""

    kind: Literal["ti4.pillage.asked"] = "ti4.pillage.asked"
    take: Take
    since: int

    def sentence(self, ruler: str) -> str:
        what = f"**{describe_token(self.take)}** from <seat:{self.other}>"
        return f"<seat:{self.seat}> pillages {what}, who is asked to hand it over."

    def apply(self, table: Table) -> Table:
        this, every = _pillage(self.other, self.since), part(table, Pillages).chances
        return with_part(
            table, Pillages(tuple(replace(each, asked=self.take) if this(each) else each for each in every))
        )


def waiting(table: Table) -> list[Chance]:
    """Return the chances for which the victim is asked and still has the good."""
    asked = [each for each in part(table, Pillages).chances if each.asked in table.seats[each.of].holdings]
    return sorted(asked, key=lambda each: (each.of, each.seq))


def prompts(table: Table) -> Iterator[PromptView]:
    """Yield the questions to the victims of Pillage."""
    for each in waiting(table) if table.tracked else ():
        if each.asked:
            yield PromptView(
                table=table.id, key=f"ti4-pillage-{each.of}-{each.seq}", seat=each.of, evident=True,
                text=f"<seat:{each.seat}> pillages you: 1 of your {NOUNS[each.asked][1]} goes to them [Pillage].",
                buttons=(
                    button("Hand it over", table, AnswerPillage(each.seq, agreed=True)),
                    button("Not so", table, AnswerPillage(each.seq, agreed=False)),
                ),
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerPillage(Command):
    """Hand over what Mentak takes because of the entry ``since``, or deny it."""

    kind = "ti4.pillage.answer"
    since: int
    agreed: bool

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` if there is no such question."""
        require_tracked(table)
        seat = own_seat(table, caller)
        asked = next((each for each in waiting(table) if (each.of, each.seq) == (seat.id, self.since)), None)
        if asked is None or asked.asked is None:
            raise Refused("", "That question is already answered.", "/holdings show lists what you have.")
        if not self.agreed:
            return [PillageDenied(seat=seat.id, other=asked.seat, since=self.since)]
        return [given(seat.id, asked.seat, Goods.of([asked.asked]), PILLAGE, by_host=False, since=self.since)]


class PillageDenied(ToAnother):
    """The player who was asked for a good by Pillage denied it."""

    kind: Literal["ti4.pillage.denied"] = "ti4.pillage.denied"
    since: int

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> says that <seat:{self.other}> can't pillage them now."

    def apply(self, table: Table) -> Table:
        return with_part(table, part(table, Pillages).but(_pillage(self.seat, self.since)))


class GivenByEffect(GoodsOfSeat):
    """An effect gave a player's goods to another; commodities became trade goods (21.6). This is not a transaction.

    ``since`` is the entry that allowed Mentak to pillage. ``effect`` is its name, maybe empty. ``by_host``: the host
    did it for them.
    """

    kind: Literal["ti4.goods.given"] = "ti4.goods.given"
    to: str
    goods: Goods
    effect: str = ""
    by_host: bool = False
    since: int | None = None

    def sentence(self, ruler: str) -> str:
        how = f"{by_effect(self.effect)}{f', as {ruler} says' if self.by_host else ''}"
        gets = f"<player:{self.to}> gets **{describe(self.changes[self.to].gained)}**. This is not a transaction."
        return f"<player:{self.seat}> loses **{describe(self.goods)}** {how}; {gets}"

    def apply(self, table: Table) -> Table:
        """Move the goods, and remove the chance that was used."""
        return with_part(super().apply(table), part(table, Pillages).but(_pillage(self.seat, self.since)))


def given(seat: str, to: str, goods: Goods, effect: str, *, by_host: bool, since: int | None = None) -> GivenByEffect:
    """Return the entry by which an effect gives a seat's goods to another. 21.6: commodities become trade goods."""
    got = goods.without_kind(COMMODITY) + trade_goods(goods.count(COMMODITY))
    changes = {seat: Change(lost=goods), to: Change(gained=got)}
    return GivenByEffect(seat=seat, to=to, goods=goods, effect=effect, by_host=by_host, since=since, changes=changes)


def by_effect(effect: str) -> str:
    """Return "by" with the name of an effect, if known."""
    return f"by **{quoted(effect)}**" if effect else "by an effect"


def pillaged_since(table: Table, of: str) -> int | None:
    """Return the entry that allows pillaging a seat, preferably one for which it has been asked; None for none."""
    return next((each.seq for each in waiting(table) if each.of == of), _since(table, of))


def _pillage(of: str, since: int | None) -> Callable[[Chance], bool]:
    return lambda each: (each.of, each.seq) == (of, since)


# ---------------------------------------------------------------- Dark Pact


def brings(table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply) -> tuple[Entry, ...]:
    """Insert the gains by Dark Pact, right after the entry that sets it off."""
    if "empyrean" not in table.seats or not any(isinstance(entry, GoodsMoved) for entry in entries):
        return entries
    every, start = list[Entry](), table.seq
    for entry in entries:
        every.append(entry)
        table = apply(table, entry)
        for gain in _dark_pact(table, entry, start + len(every)):
            every.append(gain)
            table = apply(table, gain)
    return tuple(every)


def _dark_pact(table: Table, entry: Entry, seq: int) -> list[Entry]:
    """Return what both gain if entry ``seq`` sets off Dark Pact, given the table after it. Both must gain it."""
    if not table.tracked or not isinstance(entry, GoodsMoved) or isinstance(entry, Corrected | TradeTakenBack):
        return []
    got = entry.changes.get("empyrean", Change()).gained.count(TRADE_GOOD)
    for giver, change in entry.changes.items():
        gave = change.lost.count(COMMODITY)
        if (
            0 < gave <= got
            and gave == commodity_value(table.seats[giver])
            and "note:dark_pact:empyrean" in table.seats[giver].in_play
        ):
            return [
                GainedByEffect(
                    seat=seat, goods=trade_goods(1), effect=DARK_PACT, since=seq,
                    changes={seat: Change(gained=trade_goods(1))},
                )
                for seat in ("empyrean", giver)
            ]  # fmt: skip
    return []


class GainedByEffect(GoodsOfSeat):
    """A player gained goods by an effect that the entry ``since`` triggered."""

    kind: Literal["ti4.goods.gained"] = "ti4.goods.gained"
    goods: Goods
    effect: str
    since: int

    def sentence(self, ruler: str) -> str:
        return f"<player:{self.seat}> gains **{describe(self.goods)}** {by_effect(self.effect)}."


FEATURE = Feature(
    state=Pillages,
    commands=(Pillage, AnswerPillage),
    entries=(PillageAsked, PillageDenied, GivenByEffect, GainedByEffect),
    after=after,
    brings=brings,
    prompts=prompts,
    follow_ups=hints,
)
