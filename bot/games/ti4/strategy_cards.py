"""Strategy cards [84]: who takes which, and the trade goods on those that nobody took.

Each player says it on the board, in any order, until the action phase begins; the host can say it
for anybody at any time. What follows from the cards is in `initiative`: the order of play. Cards
belong to seats, so they pass to whoever sits there next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from bot.api import (
    Action,
    Caller,
    Change,
    Command,
    Entry,
    Feature,
    GoodsOfSeat,
    LabelledAction,
    PhaseSet,
    Refused,
    Seat,
    Since,
    Table,
    TableView,
    ToAnother,
    Undecided,
    button,
    own_seat,
    part,
    replace,
    require_host,
    require_since,
    with_part,
)
from bot.games.ti4.agendas import AgendaResolved, AgendaRevealed
from bot.games.ti4.components import TRADE_GOOD, describe, trade_goods
from bot.games.ti4.departures import Eliminated
from bot.games.ti4.initiative import (
    PLAYERS,
    PLAYERS_MIN,
    cards_each,
    cards_known,
    missing,
    players,
)
from bot.games.ti4.state import GameRound, OutOfGame, TakenCard, out_of_game
from bot.games.ti4.turns import PassUndone, TurnStarted, by
from data.ti4 import strategy_cards, zero_token

GOODS_MAX = 99
"""The most trade goods that can be said to lie on a card."""


def card_name(card: str) -> str:
    """Return the name of a strategy card, in bold."""
    return f"**{strategy_cards()[card].name}**"


def numbered(card: str) -> str:
    """Return a strategy card with its number, such as ``5 Trade``."""
    return f"{strategy_cards()[card].initiative} {strategy_cards()[card].name}"


def in_order(cards: Iterable[str]) -> list[str]:
    """Return strategy cards by their numbers."""
    return sorted(cards, key=lambda card: strategy_cards()[card].initiative)


# ---------------------------------------------------------------- taking a card


class TakeCard(Command):
    """Take a strategy card for a seat, None for the caller's own; for another, it needs the host.

    ``since`` is the entry that began the phase. ``instead``: the card that goes back, if the seat
    has all of its own. ``chooser``: who chose it for this seat, by Checks and Balances.
    """

    kind = "ti4.card"
    card: str
    seat: str | None = None
    since: Since = None
    instead: str = ""
    chooser: str = ""

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Undecided` if the seat has two cards and nobody has said which goes back."""
        seat = _seat(table, self.seat, self.since, caller)
        card, now = _known(self.card), part(table, GameRound)
        holder, own = now.holder(card), now.cards_of(seat.id)
        if holder == seat.id:
            put_back = PutCardBack(card, self.seat, table.phase_since)
            lies = f"{card_name(card)} lies before <seat:{seat.id}>."
            raise Refused(lies, options=(button("Put it back", table, put_back),))
        if holder is not None:
            raise Refused(
                f"{card_name(card)} lies before <seat:{holder}>.", "Take another.", rule="84.1.2"
            )
        back = self._back(table, own)
        chooser = seat.id
        if self.chooser:
            require_host(table, caller, "say who chose a card for another")
            chooser = _in_the_game(table, self.chooser).id
        changes, goods = dict[str, Change](), dict(now.goods).get(card, 0)
        if goods:
            changes[chooser] = Change(gained=trade_goods(goods))
        undone = _taken(now, back)
        _require_own_choice(table, seat, undone, caller)
        for taken in undone:
            if taken.goods:
                before = changes.get(taken.chooser, Change())
                changes[taken.chooser] = replace(before, lost=trade_goods(taken.goods))
        _require_goods(table, changes)
        yield CardTaken(
            seat=seat.id,
            card=card,
            back=back,
            undone=tuple(taken.number for taken in undone),
            goods=goods,
            chooser=chooser,
            changes=changes if table.tracked else {},
            by=_by_another(seat, caller),
        )

    def _back(self, table: Table, own: list[str]) -> tuple[str, ...]:
        """Return the cards that go back for this one: none, or one of the seat's own."""
        if len(own) < cards_each(table):
            return ()
        if self.instead in own:
            return (self.instead,)
        if len(own) == 1:
            return (own[0],)
        options, names = [], []
        for card in in_order(own):
            names.append(card_name(card))
            press = replace(self, instead=card, since=table.phase_since)
            options.append(button(f"{numbered(card)} goes back", table, press))
        raise Undecided(f"Which goes back, {' or '.join(names)}?", options=tuple(options))


def begun_since(table: Table | TableView) -> str:
    """Return what is true now, for a button of another phase."""
    return f"The {table.phase} phase has begun since."


def _seat(table: Table, id: str | None, since: Since, caller: Caller) -> Seat:
    """Return the seat whose cards the caller may change. Raises `Refused` if that is over."""
    if id is None:
        seat = own_seat(table, caller)
    else:
        seat = _in_the_game(table, id)
        if seat.person != caller.person:
            require_host(table, caller, "say which card another player has")
    require_since(since, table.phase_since, begun_since(table))
    if table.phase != "strategy":
        require_host(table, caller, "change strategy cards after the strategy phase")
    return seat


def _in_the_game(table: Table, id: str) -> Seat:
    """Return a seat, taken or not. Raises `Refused` if nobody can play it here."""
    seat = table.seats.get(id)
    if seat is None or id in out_of_game(table):
        raise Refused(
            "Nobody plays that seat here.", "**Who has what** under **Menu** lists the players."
        )
    return seat


def _known(card: str) -> str:
    """Return this strategy card. Raises `Refused` if there is none such."""
    if card not in strategy_cards():
        names = ", ".join(each.name for each in strategy_cards().values())
        raise Refused("That is no strategy card.", f"Try one of these: {names}.")
    return card


def _taken(now: GameRound, cards: Collection[str]) -> list[TakenCard]:
    """Return how these cards were taken."""
    return [taken for taken in now.taken if taken.card in cards]


def _by_another(seat: Seat, caller: Caller) -> int | None:
    return None if seat.person == caller.person else caller.person


def _require_own_choice(
    table: Table, seat: Seat, undone: Iterable[TakenCard], caller: Caller
) -> None:
    """Raise `Refused` if another player chose one of these cards, unless a host asks: it is they
    who would give trade goods back.
    """
    for taken in undone:
        if taken.chooser != seat.id:
            require_host(table, caller, "put a card back that another player chose")


def _require_goods(table: Table, changes: dict[str, Change]) -> None:
    """Raise `Refused` if somebody does not have the trade goods that they give back."""
    for seat, change in changes.items() if table.tracked else ():
        lost, held = change.lost.count(TRADE_GOOD), table.seats[seat].holdings.count(TRADE_GOOD)
        if held < lost:
            goods = describe(trade_goods(lost))
            fewer = f"<seat:{seat}> gained {goods} with that card, and <seat:{seat}> has fewer now."
            raise Refused(fewer, "The host can fix that: /holdings set.")


class CardTaken(GoodsOfSeat):
    """A strategy card lies before a seat, and those in ``back`` lie with the others again, which
    the entries in ``undone`` had taken.

    ``chooser`` gained the ``goods`` on it, and who had gained those of the other cards gave them
    back. Where holdings are not counted, there are no ``changes``. ``by``: the host or moderator
    who said it.
    """

    announced = False
    kind = "ti4.card.taken"
    card: str
    back: tuple[str, ...] = ()
    undone: tuple[int, ...] = ()
    goods: int = 0
    chooser: str
    by: int | None = None

    def by_itself(self) -> bool:
        return self.by is not None

    def sentence(self, ruler: str) -> str:
        instead = f" instead of {' and '.join(map(card_name, self.back))}" if self.back else ""
        takes = f"<player:{self.seat}> takes {card_name(self.card)}{instead}"
        if self.chooser != self.seat:
            takes += f", as <seat:{self.chooser}> chose"
        if self.goods:
            goods = describe(trade_goods(self.goods))
            takes += f"; <player:{self.chooser}> gains the **{goods}** on it"
        return f"{takes}{by(self.by)}."

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        now = part(table, GameRound)
        laid = now.laid - {self.card}
        if now.known and _lays(table):
            laid |= {*self.back}
        now = replace(_without_cards(now, self.back), laid=laid, changed=table.seq + 1)
        taken = TakenCard(self.card, self.seat, self.chooser, self.goods, table.seq + 1)
        now = now.with_goods(self.card, 0)
        return with_part(table, replace(now, taken=(*now.taken, taken)))


def _without_cards(now: GameRound, cards: Collection[str]) -> GameRound:
    """Return the part after these cards were put back, with the trade goods that were on them."""
    back = _taken(now, cards)
    for taken in back:
        now = now.with_goods(taken.card, taken.goods)
    left = tuple(taken for taken in now.taken if taken not in back)
    return replace(now, taken=left)


class PutCardBack(Command):
    """Put a strategy card back that was taken by a slip. Fields as in `TakeCard`."""

    kind = "ti4.card.back"
    card: str
    seat: str | None = None
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        seat = _seat(table, self.seat, self.since, caller)
        card, now = _known(self.card), part(table, GameRound)
        if now.holder(card) != seat.id:
            raise Refused(f"{card_name(card)} does not lie before <seat:{seat.id}>.")
        [undone], changes = _taken(now, [card]), dict[str, Change]()
        _require_own_choice(table, seat, [undone], caller)
        if undone.goods:
            changes[undone.chooser] = Change(lost=trade_goods(undone.goods))
        _require_goods(table, changes)
        yield CardPutBack(
            seat=seat.id,
            card=card,
            undone=(undone.number,),
            changes=changes if table.tracked else {},
            by=_by_another(seat, caller),
        )


class CardPutBack(GoodsOfSeat):
    """A strategy card was taken by a slip. The trade goods lie on it again. ``undone`` and ``by``
    as in `CardTaken`.
    """

    announced = False
    kind = "ti4.card.back"
    card: str
    undone: tuple[int, ...]
    by: int | None = None

    def by_itself(self) -> bool:
        return self.by is not None

    def sentence(self, ruler: str) -> str:
        goods = "".join(f" with **{describe(change.lost)}**" for change in self.changes.values())
        return f"<player:{self.seat}> puts {card_name(self.card)} back{goods}{by(self.by)}."

    def apply(self, table: Table) -> Table:
        table = super().apply(table)
        now = part(table, GameRound)
        laid = now.laid | {self.card} if now.known and _lays(table) else now.laid
        now = replace(_without_cards(now, [self.card]), laid=laid, changed=table.seq + 1)
        return with_part(table, now)


# ---------------------------------------------------------------- two cards change places


class SwapCards(Command):
    """Say that two players' strategy cards change places, once all have theirs. Needs the host.

    ``since`` is the entry that last changed the cards.
    """

    kind = "ti4.card.swap"
    card: str
    other: str
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "swap strategy cards")
        now = part(table, GameRound)
        require_since(self.since, now.changed, "The strategy cards have changed since.")
        if not cards_known(table):
            names = ", ".join(f"<seat:{seat}>" for seat in missing(table)) or "The others"
            where = "**Strategy cards…** under **Menu**, **Host…** says who has a card."
            takes = f"Missing: {names}. {where}"
            raise Refused("Cards change places once all have theirs.", takes)
        first, second = now.holder(_known(self.card)), now.holder(_known(self.other))
        if first is None or second is None or first == second:
            takes = "**Strategy cards…** under **Menu**, **Host…** says who has a card."
            raise Refused("Name a card of each of two players.", takes)
        yield CardsSwapped(seat=first, card=self.card, other=second, its=self.other)


class CardsSwapped(ToAnother):
    """The strategy cards of two seats changed places: ``card`` of ``seat``, and ``its`` of
    ``other``. Trade goods stay where they are.
    """

    announced = False
    kind = "ti4.card.swapped"
    card: str
    its: str

    def sentence(self, ruler: str) -> str:
        first = f"{card_name(self.card)} of <player:{self.seat}>"
        return f"{first} and {card_name(self.its)} of <player:{self.other}> change places."

    def apply(self, table: Table) -> Table:
        now = part(table, GameRound)
        holders = {self.card: self.other, self.its: self.seat}
        taken = []
        for each in now.taken:
            taken.append(replace(each, seat=holders.get(each.card, each.seat)))
        return with_part(table, replace(now, taken=tuple(taken), changed=table.seq + 1))


# ---------------------------------------------------------------- trade goods on cards


class SetCardGoods(Command):
    """Say how many trade goods lie on a strategy card. Needs the host.

    ``since`` is the entry that began the phase.
    """

    kind = "ti4.card.goods"
    card: str
    goods: int
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "say what lies on a strategy card")
        require_since(self.since, table.phase_since, begun_since(table))
        if not 0 <= self.goods <= GOODS_MAX:
            raise Refused(f"That is no number from 0 to {GOODS_MAX}.")
        yield CardGoodsSet(card=_known(self.card), goods=self.goods)


class CardGoodsSet(Entry):
    """The host said how many trade goods lie on a strategy card."""

    announced = False
    kind = "ti4.card.goods"
    card: str
    goods: int

    def sentence(self, ruler: str) -> str:
        goods = describe(trade_goods(self.goods)) if self.goods else "no trade goods"
        return f"{ruler.capitalize()} says: **{goods}** on {card_name(self.card)}."

    def apply(self, table: Table) -> Table:
        now = part(table, GameRound)
        laid = now.laid - {self.card}
        return with_part(table, replace(now.with_goods(self.card, self.goods), laid=laid))


# ---------------------------------------------------------------- what lasts a round


def _lays(table: Table) -> bool:
    """Return whether it is known which cards nobody took: all who play sit here."""
    if PLAYERS.of(table.settings) == PLAYERS.first:
        return True
    return players(table) - len(part(table, OutOfGame).seats) <= len(table.seated())


def after(table: Table, entry: Entry) -> Table:
    """Begin a round with the strategy phase; lay trade goods on cards when it ends [84.2]."""
    now = part(table, GameRound)
    match entry:
        case PhaseSet(phase="strategy"):
            now = _new_round(now)
        case AgendaRevealed(in_turn=False):
            now = replace(now, had_agenda=True)
        case AgendaResolved(in_turn=False):
            now = replace(now, agendas=now.agendas + 1)
        case Eliminated(seat=seat) if seat == zero_token().faction:
            now = replace(now, zero=_keeps_zero(entry))
    if table.phase != now.phase:
        now = replace(now, phase=table.phase)
    if table.phase != "strategy" and not now.began:
        now = replace(now, began=len(table.seated()))
    table = with_part(table, now)
    if table.phase in ("action", "status") and not now.known and now.taken and not missing(table):
        return with_part(table, _laid(table, now))
    return table


def _new_round(now: GameRound) -> GameRound:
    """Return the part when the strategy phase begins: nobody has a card, and all goods stay."""
    goods = []
    for card in strategy_cards():
        if now.goods_on(card):
            goods.append((card, now.goods_on(card)))
    on_cards = tuple(sorted(goods))
    return GameRound(goods=on_cards, began=now.began, had_agenda=now.had_agenda)


def _laid(table: Table, now: GameRound) -> GameRound:
    """Return the part when all cards are known: a trade good lies on each of the others."""
    others = frozenset(strategy_cards()) - {taken.card for taken in now.taken}
    return replace(now, known=True, laid=others if _lays(table) else frozenset())


def _keeps_zero(entry: Eliminated) -> str | None:
    """Return who keeps the initiative 0 though its owner is out of the game [33.10.3]."""
    for seat, change in entry.changes.items():
        if zero_token().token in change.left_play and seat != entry.seat:
            return seat
    return None


# ---------------------------------------------------------------- what the board asks


Step = Literal["list", "take", "swap", "goods"]


class AskCards(Action):
    """**Strategy cards…** for the host, and each step of it.

    ``step``: which cards lie where; take one for ``seat``; two change places, of which ``card`` is
    the first; trade goods lie on ``card``. ``since``: the entry that began the phase, in each step
    but the first.
    """

    name = "ti4.ask.cards"
    step: Step = "list"
    seat: str = ""
    card: str = ""
    since: Since = None


BY_CARDS = "It follows from your strategy cards: each of you presses theirs."
"""The answer to the question for the order of play."""


def each_takes(table: Table) -> str:
    """Return what all do now, as the end of a sentence."""
    cards = "two strategy cards" if cards_each(table) > 1 else "a strategy card"
    return f"each of you takes {cards}, in any order."


def lines(table: Table) -> Iterator[str]:
    """Yield the lines about the strategy cards: who has which and who has none yet, and the trade
    goods on the others.
    """
    now, waiting = part(table, GameRound), missing(table)
    if now.taken:
        cards = in_order(taken.card for taken in now.taken)
        yield " · ".join(f"{numbered(card)}: <=name:{now.holder(card)}>" for card in cards)
    if now.taken and waiting and table.phase == "strategy":
        yield f"Cards still to take: {', '.join(f'<seat:{seat}>' for seat in waiting)}"
    rich = [card for card in strategy_cards() if now.goods_on(card)]
    if rich and table.phase != "strategy":  # else their buttons say so
        goods = [f"{now.goods_on(card)} on {strategy_cards()[card].name}" for card in rich]
        yield f"Trade goods: {', '.join(goods)}"


def choices(table: Table) -> tuple[LabelledAction, ...]:
    """Return a button for each strategy card, in the strategy phase of enough players."""
    if table.phase != "strategy" or players(table) < PLAYERS_MIN:
        return ()
    now = part(table, GameRound)
    buttons = []
    for card in strategy_cards():
        label = numbered(card)
        if now.holder(card) is not None:
            label = f"✓ {label}"
        elif now.goods_on(card):
            label = f"{label} +{now.goods_on(card)} tg"
        buttons.append(button(label, table, TakeCard(card, None, table.phase_since)))
    return tuple(buttons)


FEATURE = Feature(
    state=GameRound,
    commands=(TakeCard, PutCardBack, SwapCards, SetCardGoods),
    entries=(CardTaken, CardPutBack, CardsSwapped, CardGoodsSet),
    opens=(AskCards,),
    options=(PLAYERS,),
    hears=(
        PhaseSet,
        TurnStarted,
        PassUndone,
        AgendaRevealed,
        AgendaResolved,
        CardTaken,
        Eliminated,
    ),
    after=after,
)
