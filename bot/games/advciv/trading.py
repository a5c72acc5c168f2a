"""Rule 28.4: when trading begins and ends. The host opens it; the bell, the host or all players end
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from bot.api import (
    MINUTE,
    Action,
    Apply,
    Call,
    Caller,
    Command,
    Entry,
    Feature,
    FollowUpView,
    LabelledAction,
    Offer,
    OfferEntry,
    OfferResumed,
    OfSeat,
    Press,
    Refused,
    SeatLeft,
    Signed,
    Since,
    Table,
    Undecided,
    Window,
    agreed_deals,
    button,
    mentions,
    open_window,
    own_seat,
    part,
    replace,
    require_host,
    together,
    with_part,
    with_window,
)
from bot.games.advciv import cities
from bot.games.advciv.cards import count_cards, count_cities
from bot.games.advciv.chance import has_seed
from bot.games.advciv.drawing import draw_all, missing, require_all_drawn, said_by, yet_to_draw
from bot.games.advciv.state import (
    ACQUIRE,
    AFTER,
    TITLES,
    TRADE,
    Bell,
    Draws,
    Over,
    Status,
    Trades,
    deals,
    require_not_shown,
    require_now,
    trading,
    why_closed,
)

WARNING = MINUTE
"""The time between the warning and the bell, in milliseconds."""

LONGEST = 24 * 60
"""The most minutes that trading may be opened for; 28.41 recommends five."""

SPANS = (5, 10, 0)
"""The minutes that a button offers; 0 for no limit."""

AT_ONCE = 1
"""A deadline in the past, in milliseconds since 1970."""

# ---------------------------------------------------------------- opening


class AskOpen(Action):
    """The button **Open trading**, or **Another time…** where the table has set its time."""

    name = "advciv.ask_open"
    since: Since = None


class OpenTrading(Command):
    """Open trading, or set another end while it is open. Players who have said their cities draw
    first.

    ``minutes`` is the duration: 0 for no limit, None for the table's setting. ``anyway``: even if
    somebody still has cards to draw. ``ask``: ask for the duration, once nothing else keeps trading
    from opening. ``since``: what goes on. Needs the host.
    """

    kind = "advciv.trading.open"
    minutes: int | None = None
    anyway: bool = False
    ask: bool = False
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "open trading")
        again = Press(table.id, OpenTrading(ask=True, since=table.window.since))
        require_now(table, self.since, again, "Open trading")
        require_not_shown(table)
        minutes = table.settings.timer if self.minutes is None else self.minutes
        if not 0 <= minutes <= LONGEST:
            raise Refused(
                f"Trading can't last {minutes} minutes.",
                "Five are recommended [28.41].",
            )
        opened = opened_for(minutes, caller.at, window=table.window.number + 1)
        if not trading(table):
            if not self.anyway:
                require_drawn(table, replace(self, anyway=True))
            if self.ask:
                raise Undecided("For how long is trading open?", options=self._spans(table))
            draws: list[Entry] = []
            if deals(table) and has_seed(table):
                draws = draw_all(table, said_by(table), "")
            return [*draws, opened, *go_on(table, opened.window)]
        if self.anyway or self.minutes is None or opened.bell == part(table, Bell).bell:
            raise Refused(
                "Trading is open already.",
                "To set the bell again from now: /trading open minutes:5.",
            )
        return [BellSet(bell=opened.bell, warned=opened.warned)]

    def _spans(self, table: Table) -> tuple[LabelledAction, ...]:
        """Return buttons for the usual durations, that of the table first."""
        options = []
        for minutes in dict.fromkeys((table.settings.timer or SPANS[0], *SPANS)):
            label = f"{minutes} minutes" if minutes else "No limit"
            options.append(button(label, table, replace(self, minutes=minutes, ask=False)))
        return tuple(options)


def require_drawn(table: Table, anyway: Command) -> None:
    """Raise `Refused` by 28.4 while somebody still has cards to draw. A button does it anyway."""
    require_all_drawn(
        table,
        "28.4",
        "Cards can also be drawn later.",
        button("Open anyway", table, anyway),
    )


class TradingOpened(Entry):
    """Trading began.

    ``bell`` is when it ends, in milliseconds since 1970, None for no limit. ``warned``: it is so
    short that it needs no warning.
    """

    kind = "advciv.trading.opened"
    window: int
    bell: int | None = None
    warned: bool = False

    def calls(self) -> Call | None:
        return Call("opens")

    def begins_phase(self) -> str:
        return TRADE

    def sentence(self, ruler: str) -> str:
        return _open_until(self.bell)

    def apply(self, table: Table) -> Table:
        table = open_window(table, Window(number=self.window, kind=TRADE), phase=TRADE)
        return with_part(table, Bell(self.bell, self.warned))


class BellSet(Entry):
    """The end of trading was changed while it was open. Fields are as in `TradingOpened`."""

    kind = "advciv.trading.bell"
    bell: int | None = None
    warned: bool = False

    def sentence(self, ruler: str) -> str:
        return _open_until(self.bell)

    def apply(self, table: Table) -> Table:
        return with_part(table, replace(part(table, Bell), bell=self.bell, warned=self.warned))


def _open_until(bell: int | None) -> str:
    until = (
        f" until <t:{bell // 1000}:T>, <t:{bell // 1000}:R>" if bell else ", without a time limit"
    )
    return f"🔔 **Trading is open**{until}."


def opened_for(minutes: int, at: int, *, window: int) -> TradingOpened:
    """Return the entry that opens trading for this long; 0 minutes mean no limit."""
    # For a single minute, the warning would come at the beginning, so it counts as given.
    return TradingOpened(
        window=window, bell=at + minutes * MINUTE if minutes else None, warned=minutes == 1
    )


def go_on(table: Table, window: int) -> list[Entry]:
    """Return that the deals which both had agreed on when trading was open before go on in this
    window.
    """
    return [DealRenewed(offer=number, window=window) for number in agreed_deals(table)]


class DealRenewed(OfferEntry):
    """Trading opened again, and the signatures of both sides of an offer are good for this
    window.
    """

    kind = "advciv.trading.renewed"
    window: int

    def sentence(self, ruler: str) -> str:
        return f"The deal of offer {self.offer} goes on."

    def change(self, offer: Offer) -> Offer:
        two = (offer.seat, offer.to or "")
        both = {seat: replace(offer.signatures[seat], window=self.window) for seat in two}
        return replace(offer, signatures={**offer.signatures, **both})


class UndoTrading(Command):
    """Take back the opening of trading, if no card has been traded yet. Its offers end. Needs the
    host.
    """

    kind = "advciv.trading.undo"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "take that back")
        require_now(table, self.since, undo_trading(table), BACK_TO_DRAWING)
        if table.phase == ACQUIRE:
            raise Refused(*why_closed(table), rule="28.4")
        require_not_shown(table)
        if part(table, Trades).traded:
            waiting = yet_to_draw(table)
            late = (
                f"{together(waiting)} can still draw: /cards draw."
                if waiting
                else "**Close trading** under **Menu**, **Host…** ends it."
            )
            raise Refused(
                "Cards have changed hands since trading opened, so it can't be undone.",
                late,
                rule="28.1",
            )
        return [*with_window(table), TradingUndone(window=table.window.number + 1)]


BACK_TO_DRAWING = "Back to drawing"


def undo_trading(table: Table) -> Press:
    """Return the press that takes the opening of this trading back."""
    return Press(table.id, UndoTrading(table.window.since))


class TradingUndone(Entry):
    """The opening of trading was taken back. Cards can be drawn and bought again."""

    kind = "advciv.trading.undone"
    window: int

    def begins_phase(self) -> str:
        return ACQUIRE

    def sentence(self, ruler: str) -> str:
        who = ruler.capitalize()
        return (
            f"↩️ **{who} undoes the opening of trading: back to drawing.** Open offers have ended."
        )

    def apply(self, table: Table) -> Table:
        table = open_window(table, Window(number=self.window), phase=ACQUIRE)
        return with_part(table, replace(part(table, Draws), late=frozenset()))


# ---------------------------------------------------------------- being done


class DoneTrading(Command):
    """Say whether the caller is done trading. When all are done, trading ends [28.41]. ``done``
    None: toggle.

    ``anyway``: even if that ends trading while a deal is agreed. ``since``: which trading.
    """

    kind = "advciv.trading.done"
    private_reply = True
    done: bool | None = None
    anyway: bool = False
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """A refusal because a deal is agreed does not say whose."""
        seat, done = own_seat(table, caller), part(table, Bell).done
        _require_open(table)
        now = go_on_trading if seat.id in done else done_trading
        again = now(table.id, table.window.since)
        require_now(table, self.since, again.action, again.label)
        says = seat.id not in done if self.done is None else self.done
        if says == (seat.id in done):
            raise Refused("You have already said so." if says else "You are still trading.")
        ends = says and set(table.seated()) <= done | {seat.id}
        if ends and not self.anyway and agreed_deals(table):
            raise Refused(
                "A deal is agreed, and its cards have not changed hands yet. If you are done, "
                "trading ends.",
                "You can wait a moment, or end it now.",
                options=(button("Done anyway", table, replace(self, done=True, anyway=True)),),
                rule="28.41",
            )
        yield TradingDone(seat=seat.id, done=says)
        if ends:
            yield from _closed(table, "done")

    def reply(self, entries: Sequence[Entry]) -> str:
        if any(isinstance(entry, TradingClosed) for entry in entries):
            return "You are done, and so is everybody else: **trading is over.**"
        if isinstance(entries[0], TradingDone) and entries[0].done:
            return "You are done trading."
        return "You are trading again."


def done_trading(table: int, since: int) -> LabelledAction:
    """Return the button by which a player is done with the trading that this entry opened."""
    return LabelledAction("Done trading", Press(table, DoneTrading(True, since=since)))


def go_on_trading(table: int, since: int) -> LabelledAction:
    """Return the button by which a player is not done any more."""
    return LabelledAction("Go on trading", Press(table, DoneTrading(False, since=since)))


class TradingDone(OfSeat):
    """A seat is done trading, or not any more. The board shows it."""

    announced = False
    kind = "advciv.trading.done"
    done: bool

    def sentence(self, ruler: str) -> str:
        return f"<seat:{self.seat}> is {'done trading' if self.done else 'trading again'}."

    def apply(self, table: Table) -> Table:
        bell = part(table, Bell)
        others = bell.done - {self.seat}
        return with_part(table, replace(bell, done=others | {self.seat} if self.done else others))


def brings(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Add that players who offer or agree are not done any more, and the end of trading if the last
    other leaves.
    """
    offers = (each.seat for each in entries if isinstance(each, Signed | OfferResumed))
    again = dict.fromkeys(seat for seat in offers if seat in part(table, Bell).done)
    entries = (*(TradingDone(seat=seat, done=False) for seat in again), *entries)
    if not any(isinstance(entry, SeatLeft) for entry in entries):
        return entries
    after = reduce(apply, entries, table)
    stay = set(after.seated())
    all_done = trading(after) and stay and stay <= part(after, Bell).done  # 28.41
    return (*entries, *_closed(after, "done")) if all_done else entries


# ---------------------------------------------------------------- real cards: fewer typed than citi


def told(table: Table, entry: Entry) -> Table:
    """Record whom `follow_ups` tells at this entry that they have typed too few cards: each once a
    turn.
    """
    match entry:
        case TradingOpened():
            short = set(missing(table))
        case TradingDone(seat=seat, done=True):
            short = {seat} & missing(table).keys()
        case _:
            return table
    draws = part(table, Draws)
    now = dict.fromkeys(short, table.seq + 1)
    return with_part(table, replace(draws, told={**now, **draws.told}))


def follow_ups(table: Table, entry: Entry) -> Iterable[FollowUpView]:
    """Tell players that they have typed fewer cards than they said cities."""
    draws, few = part(table, Draws), missing(table)
    for seat, at in draws.told.items():
        if at == table.seq and seat in few:
            typed = count_cards(draws.typed[seat].total())
            text = (
                f"You said {count_cities(draws.said[seat])} and have typed {typed}. If {few[seat]} "
                "of the stacks had "
                "run out [27.21], that is right. If not, add what you drew: **Cards came…** under "
                "**My hand**."
            )
            yield FollowUpView(seat=seat, text=text)


# ---------------------------------------------------------------- closing


class AskClose(Action):
    """The item **Close trading** of the board's menu: asks the host to confirm, because offers end
    with it for good.
    """

    name = "advciv.ask_close"
    since: Since = None


class CloseTrading(Command):
    """End trading. Needs the host."""

    kind = "advciv.trading.close"
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "close trading")
        _require_open(table)
        ask = AskClose(table.id, table.window.since)
        require_now(table, self.since, ask, "Close trading")
        return _closed(table, "host" if caller.person == table.host else "moderator")


WHY: dict[Over, str] = {
    "bell": "The bell has rung",
    "host": "The host has closed trading",
    "moderator": "A moderator has closed trading",
    "done": "Everybody is done",
}
"""Why trading is over."""


class TradingClosed(Entry):
    """Trading ended: the bell rang, the host or a moderator closed it, or all were done. The board
    says so.
    """

    announced = False
    kind = "advciv.trading.closed"
    window: int
    reason: Over

    def begins_phase(self) -> str:
        return AFTER

    def sentence(self, ruler: str) -> str:
        return over_text(self.reason)

    def apply(self, table: Table) -> Table:
        return with_part(
            open_window(table, Window(number=self.window), phase=AFTER), Bell(over=self.reason)
        )


def over_text(reason: Over) -> str:
    """Return the sentence about the end of trading."""
    return (
        f"🔔 **{WHY[reason]}: trading is over.** Open offers have ended. Any deal that both agreed "
        "to goes on if it opens again."
    )


def _closed(table: Table, reason: Over) -> list[Entry]:
    """Return the end of trading, and of the offers on which not both have agreed [28.41]."""
    return [
        *with_window(table, but=agreed_deals(table)),
        TradingClosed(window=table.window.number + 1, reason=reason),
    ]


def _require_open(table: Table) -> None:
    if not trading(table):
        raise Refused(*why_closed(table), rule="28.4")


# ---------------------------------------------------------------- the bell


def tick(table: Table, at: int) -> Iterable[Entry]:
    """Return what is due at ``at``: the draws (see `cities.draws_are_due`), the bell, or the
    warning before it.
    """
    if cities.draws_are_due(table):
        return draw_all(table, said_by(table), "")
    now = part(table, Bell)
    if not trading(table) or now.bell is None:
        return []
    if now.bell <= at:
        return _closed(table, "bell")
    return [TradingWarned()] if not now.warned and now.bell - WARNING <= at else []


def deadline(table: Table) -> int | None:
    """Return when the bell or the warning is due; `AT_ONCE` if all must draw now; None for
    nothing.
    """
    now = part(table, Bell)
    if cities.draws_are_due(table):
        return AT_ONCE
    if not trading(table) or now.bell is None:
        return None
    return now.bell if now.warned else now.bell - WARNING


class TradingWarned(Entry):
    """The last minute of trading was announced."""

    kind = "advciv.trading.warned"

    def calls(self) -> Call | None:
        return Call("last_minute")

    def sentence(self, ruler: str) -> str:
        return "⏳ **One minute left to trade.** Finish your trades before the bell rings."

    def apply(self, table: Table) -> Table:
        return with_part(table, replace(part(table, Bell), warned=True))


def _time(table: Table) -> str:
    if not trading(table):
        return f"Trading is not open; now it is {TITLES[table.phase].lower()}."
    bell = part(table, Bell).bell
    return (
        f"Trading is open; the bell rings <t:{bell // 1000}:R>."
        if bell
        else "Trading is open, without a time limit."
    )


def _done(table: Table) -> str:
    if not trading(table):
        return _time(table)
    done = part(table, Bell).done
    still_trading = mentions(seat for seat in table.seated() if seat not in done)
    return f"{_time(table)} Still trading: {still_trading}."


STATUS: Status = {"28.1": _time, "28.4": _time, "28.41": _done}

FEATURE = Feature(
    state=Bell,
    commands=(OpenTrading, UndoTrading, DoneTrading, CloseTrading),
    entries=(
        TradingOpened,
        DealRenewed,
        BellSet,
        TradingUndone,
        TradingDone,
        TradingClosed,
        TradingWarned,
    ),
    opens=(AskClose, AskOpen),
    hears=(TradingOpened, TradingDone, Signed, OfferResumed, SeatLeft),
    after=told,
    follow_ups=follow_ups,
    brings=brings,
)
