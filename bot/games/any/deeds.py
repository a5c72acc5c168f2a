"""What the host and players do beside trading: choose and change the game, begin, go on, use the
bank, let events happen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from bot.api import (
    COUNTED_DEBTS,
    MINUTE,
    NOTHING,
    Action,
    Apply,
    Caller,
    Change,
    Choice,
    Command,
    Entry,
    Feature,
    Features,
    Goods,
    LabelledAction,
    Refused,
    SeatTaken,
    Since,
    Table,
    TableNamed,
    Transaction,
    button,
    kind_of,
    own_seat,
    part,
    quoted,
    require_host,
    require_since,
    require_tracked,
    with_part,
)
from bot.games.any.book import (
    Banked,
    Book,
    Dealt,
    Defined,
    Happened,
    PhaseBegun,
    definition,
    either,
    shortened,
)
from bot.games.any.definition import (
    UNNAMED,
    Definition,
    checked,
    differences,
    merged,
    mistake,
    preset,
    read,
)
from bot.games.any.goods import Language, only_kind
from bot.games.any.trade import Trading, in_order, trading_at

# ---------------------------------------------------------------- what is played


class Play(Command):
    """Play a preset. Needs the host."""

    kind = "any.play"
    preset: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "say what is played")
        if part(table, Book).begun or _in_play(table):
            reason = "What people have would become other goods."
            raise Refused(reason, "**Change the rules** changes this game.")
        return _defined(table, preset(self.preset))


class Define(Command):
    """Play a whole text, as its author wrote it. Needs the host."""

    words = ("text",)
    text: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "say what is played")
        return _defined(table, checked_all(read(self.text), self.text))


class Alter(Command):
    """Change some lines of what is played, such as ``trade.gifts = false``. Needs the host.

    ``number`` is that of the text that was shown; 0 for a typed command.
    """

    kind = "any.alter"
    words = ("lines",)
    lines: str
    number: int = 0

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "change the rules")
        old = trading_at(table).found
        if self.number not in (0, part(table, Book).number):
            again = LabelledAction("Change the rules", Ask(table.id, "rules"))
            changed = "The rules have changed since."
            raise Refused(changed, "Look at them again.", options=(again,))
        before = tomllib.loads(old.text())
        return _defined(table, checked_all(merged(before, read(self.lines))))


class SetGoods(Command):
    """Play with these goods, in TOML, in place of those there are. Needs the host."""

    words = ("goods",)
    goods: str

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "change the goods")
        old = trading_at(table).language
        fields = tomllib.loads(old.found.text()) | read(f"goods = {self.goods}")
        return _defined(table, checked_all(_with_names(old, fields)))


def _with_names(old: Language, fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields in which all that names goods has the names that those have now."""
    bare = {name: value for name, value in fields.items() if name not in NAMING}
    language, texts = Language(checked(bare)), dict[str, Any]()
    names = dict(zip(old.found.goods, language.found.goods, strict=False))

    def named(shares: Mapping[str, str]) -> dict[str, str]:
        texts = dict[str, str]()
        for who, text in shares.items():
            texts[who] = language.describe(old.read(text))
        return texts

    texts["debts"] = names.get(old.found.debts, "")
    texts["start"] = named(old.found.start)
    texts["bank"] = {names.get(name, name): rate for name, rate in old.found.bank.items()}
    texts["events"] = {name: named(shares) for name, shares in old.found.events.items()}
    return fields | texts


NAMING = ("debts", "start", "bank", "events")
"""The parts of a text that name goods."""


def checked_all(fields: dict[str, object], written: str = "") -> Definition:
    """Return the definition with these fields, of which all goods can be read. Raises `Refused`."""
    found = checked(fields, written)
    language = Language(found)
    for token, good in found.kinds.items():
        _require_readable(language, f"{token}:1" if good.numbered else token)
    _require_given(language, ["start"], found.start, written)
    for name, shares in found.events.items():
        _require_given(language, ["events", name], shares, written)
    return found


def _require_given(
    language: Language, place: list[str], shares: Mapping[str, str], written: str
) -> None:
    """Raise `Refused`, with the line, for goods that can't be given so."""
    for who, text in shares.items():
        try:
            language.read(text)
        except Refused as refused:
            said = refused.violation
            raise mistake([*place, who], f"{said.reason} {said.remedy}", written) from None
    gains = language.given(shares, language.found.seat_ids())
    for token, count in sum(gains.values(), NOTHING).items():
        good = language.kinds[kind_of(token)]
        total = 1 if good.numbered else good.total
        if total and count > total:
            why = f"{language.all_there(token, total)} Give fewer of it at once."
            raise mistake(place, why, written, "H10")


def _require_readable(language: Language, token: str) -> None:
    """Raise `Refused` for goods that people could not type, one or several of them."""
    for count in (1,) if ":" in token else (1, 2):
        wanted = Goods({token: count})
        text = language.describe(wanted)
        try:
            meant = language.read(text)
        except Refused:
            meant = NOTHING
        if meant != wanted:
            reason = f"I would not understand “{quoted(text)}”."
            raise Refused(reason, "Give these goods another name.")


def _defined(table: Table, new: Definition) -> Iterator[Entry]:
    """Yield the entries by which a table plays a definition, and is called as it is unless its host
    gave it another name. Raises `Refused` if it can't.
    """
    old, book = definition(table), part(table, Book)
    text = new.text()
    if text == book.text:
        raise Refused("That is what is played already.", "**Change…** changes it.")
    for seat in table.seats.values():
        if int(seat.id[1:]) > len(new.seats):
            reason = f"<seat:{seat.id}> has a seat that would be gone."
            raise Refused(reason, "Add seats at the end; names can change.")
    changed: tuple[str, ...] = ()
    if old is not None and (book.begun or old.name == new.name):
        changed = tuple(differences(old.said(), new.said()))
    if old is not None and (book.begun or _in_play(table)):
        _require_kept(old, new)
    phase = table.phase if book.begun and table.phase in new.phases else new.phases[0]
    window = table.window.number + 1 if book.begun else None
    number = book.number + 1
    yield Defined(number=number, text=text, phase=phase, window=window, changed=changed)
    usual = UNNAMED if old is None else old.name
    if table.name == usual != new.name:
        yield TableNamed(name=new.name)


def _in_play(table: Table) -> bool:
    """Return whether goods of the text are in somebody's hands, or in an offer."""
    return bool(table.offers) or any(seat.holdings for seat in table.seats.values())


def _require_kept(old: Definition, new: Definition) -> None:
    """Raise `Refused` if goods in play would be gone, become others, be secret no more, or counted
    otherwise.
    """
    for before, after in ((old.seats, new.seats), (list(old.goods), list(new.goods))):
        for place, name in enumerate(before):
            if name in after and after.index(name) != place:
                reason = f"{name} is number {place + 1} in the text, and stays there."
                raise Refused(reason, "Rename in place; add at the end.")
    for token, good in old.kinds.items():
        name, then = good.name, new.kinds.get(token)
        if then is None:
            raise Refused(f"Somebody may have {name}, so it stays.", "Add goods at the end.")
        if then.hidden != good.hidden:
            reason = f"Who sees {name} stays as it is: it is in play."
            raise Refused(reason, "Add another kind at the end.")
        fewer = then.numbered < good.numbered
        if fewer or (bool(then.numbered), then.tens) != (bool(good.numbered), good.tens):
            raise Refused(f"How {name} is counted stays as it is: it is in play.")
    owed = new.token(new.debts) if new.debts else ""
    if old.debts and owed != old.token(old.debts):
        raise Refused(f"Debts are in {old.debts}, and stay so.")


# ---------------------------------------------------------------- beginning, and going on


class Begin(Command):
    """Begin the game: everybody gets what they begin with. Needs the host."""

    kind = "any.begin"

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "begin the game")
        trading = trading_at(table)
        if part(table, Book).begun:
            raise Refused("The game has begun.", "**Next** goes on.")
        seated = in_order(table)
        if len(seated) < 2:
            raise Refused("A game needs two players.", "They take a seat: /table sit.")
        first = seated[0] if trading.found.trade.who == "turn" else None
        yield _dealt(table, seated)
        yield _begun(table, trading.found.phases[0], first, caller.at)


class Next(Command):
    """Go on to the next phase, or this one (``phase``), or after the last one to the next turn.

    Needs the host, or the player on turn. ``since``: what goes on.
    """

    kind = "any.next"
    phase: str = ""
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        found = trading_at(table).found
        holder = table.window.holder
        if holder is None or table.seats[holder].person != caller.person:
            require_host(table, caller, "go on")
        if not part(table, Book).begun:
            raise Refused("The game has not begun.", "**Begin** on the table's message.")
        require_since(self.since, table.window.since, "It has gone on since.", next_button(table))
        if self.phase and self.phase not in found.phases:
            phases = either(found.phases)
            raise Refused(
                f"There is no phase “{quoted(self.phase[:30])}”.", f"Try {phases}.", rule="H3"
            )
        yield gone_on(table, caller.at, self.phase)


def gone_on(table: Table, at: int, phase: str = "") -> PhaseBegun:
    """Return the entry that goes on from the present phase, or begins this one."""
    found, seat, place = trading_at(table).found, table.window.holder, _phases_begun(table)
    over = not phase and place >= len(found.phases)
    if found.trade.who != "turn":
        seat = None
    elif over or seat is None:
        seat = after_seat(table, seat)
    return _begun(table, phase or found.phases[0 if over else place], seat, at)


def _begun(table: Table, phase: str, seat: str | None, at: int) -> PhaseBegun:
    trade, window = trading_at(table).found.trade, table.window.number + 1
    rings = trade.bell and phase in trade.when
    bell = at + trade.bell * MINUTE if rings else None
    return PhaseBegun(phase=phase, seat=seat, window=window, bell=bell)


def next_button(table: Table) -> LabelledAction:
    """Return the button that goes on, which says what comes next."""
    found, place = trading_at(table).found, _phases_begun(table)
    label = f"Next: {found.phases[0]}" if place > 1 else "Next round"
    if place < len(found.phases):
        label = f"Next: {found.phases[place]}"
    elif found.trade.who == "turn":
        label = "End turn"
    return button(label, table, Next(since=table.window.since))


def _phases_begun(table: Table) -> int:
    """Return how many phases have begun in this turn or round."""
    phases = trading_at(table).found.phases
    return phases.index(table.phase) + 1 if table.phase in phases else 0


def after_seat(table: Table, seat: str | None) -> str | None:
    """Return the seat that is on turn after this one."""
    seated = in_order(table)
    place = int(seat[1:]) if seat else 0
    later = [each for each in seated if int(each[1:]) > place]
    return next(iter(later or seated), None)


def _dealt(table: Table, seats: Sequence[str]) -> Dealt:
    language = trading_at(table).language
    moves = language.gained(language.given(language.found.start, seats))
    said = start_text(table, seats)
    return Dealt(changes=moves.changes, hidden=moves.hidden, got=tuple(seats), said=said)


def start_text(table: Table, seats: Collection[str]) -> str:
    """Return what the text gives these seats to begin with, as everybody may read it, after a
    colon.
    """
    language, shares = trading_at(table).language, list[str]()
    for who, text in language.found.start.items():
        goods = language.describe(language.redact(language.read(text)))
        if who != "all":
            goods = f"{who} {goods}"
        if not set(language.found.meant(who)).isdisjoint(seats):
            shares.append(goods)
    return shortened(f": {'; '.join(shares) or 'nothing'}")


# ---------------------------------------------------------------- the bank, and events


class Bank(Command):
    """Give the bank goods of one kind, and get one of another for each time they pay its rate."""

    give: Goods
    get: Goods

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        trading, seat = trading_at(table), own_seat(table, caller)
        require_tracked(table)
        if not part(table, Book).begun:
            raise Refused("The game has not begun.", "The host begins it.", rule="H9")
        rates = trading.found.bank
        if not rates:
            raise Refused(
                "There is no bank in this game.", "Trade with each other: /trade.", rule="H9"
            )
        if trading.found.trade.who == "turn" and table.window.holder != seat.id:
            raise Refused(
                "The bank trades with the player on turn.", "Wait for your turn.", rule="H2"
            )
        for violation in trading.times(table):
            raise Refused.because(violation)
        self._require_rate(trading)
        trading.spend(table, seat.id, self.give)
        trading.require_there(table, self.get)
        moves = trading.language.apart({seat.id: Change(self.give, self.get)})
        yield Banked(seat=seat.id, changes=moves.changes, hidden=moves.hidden)

    def _require_rate(self, trading: Trading) -> None:
        """Raise `Refused` unless one kind pays for another by the bank's rate."""
        given, got, kinds = only_kind(self.give), only_kind(self.get), trading.found.kinds
        price = 0
        if given in kinds and got in kinds and given != got and not kinds[got].kept:
            price = rate_of(trading.found, given) * self.get.total()
        if not price or price != self.give.total():
            raise Refused("The bank doesn't do that.", bank_text(trading.found), rule="H9")


def rate_of(found: Definition, kind: str) -> int:
    """Return how many of a kind the bank takes for one of another; 0 if it takes none."""
    good = found.kinds[kind]
    if good.kept or good.numbered:
        return 0
    return found.bank.get(good.name, found.bank.get("any", 0))


def bank_gives(found: Definition) -> list[str]:
    """Return the kinds that the bank gives one of, as a list of what there is shows them."""
    kinds = found.kinds.items()
    return [token for token, good in kinds if not (good.kept or good.numbered)]


def bank_text(found: Definition) -> str:
    """Return the bank's rates as a sentence."""
    rates = []
    for name, good in found.goods.items():
        if count := found.bank.get(name, 0):
            rates.append(f"{count} {good.name if count == 1 else good.several}")
    if "any" in found.bank:
        other = "of any other kind" if rates else "of a kind"
        rates.append(f"{found.bank['any']} {other}")
    if not rates:
        return "There is no bank."
    return f"The bank takes {', or '.join(rates)}, for one of another."


class Happen(Command):
    """Let an event of the definition happen. Needs the host."""

    kind = "any.event"
    event: str
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_host(table, caller, "let an event happen")
        trading = trading_at(table)
        require_tracked(table)
        again = happen_button(table, self.event)
        book = part(table, Book)
        since = book.since(table, self.event)
        over = "The game has gone on since."
        if since == book.happened_since:
            over = "It has happened already."
        require_since(self.since, since, over, again)
        events = {name.casefold(): name for name in trading.found.events}
        name = events.get(self.event.casefold())
        if name is None:
            known = either(events.values()) or "none"
            reason = f"There is no event “{quoted(self.event[:30])}”."
            raise Refused(reason, f"There is {known}.")
        gains = trading.language.given(trading.found.events[name], in_order(table))
        trading.require_there(table, sum(gains.values(), NOTHING))
        moves = trading.language.gained(gains)
        yield Happened(event=name, changes=moves.changes, hidden=moves.hidden)


def happen_button(table: Table, event: str) -> LabelledAction:
    """Return the button of an event. It lets it happen once: what it is about ends with that."""
    since = part(table, Book).since(table, event)
    return button(f"Event: {event}", table, Happen(event, since))


# ---------------------------------------------------------------- what only asks or shows


class Ask(Action):
    """A button that shows the rules or the text, opens a form, or plays what the presser's last
    table played. ``good`` is the token of a kind of goods; empty for a new one.
    """

    name = "any.ask"
    what: Literal["rules", "show", "text", "last", "good", "bank"]
    good: str = ""


class Written(Action):
    """The form of the whole text, of a kind of goods, or of the bank."""

    name = "any.written"
    what: Literal["text", "good", "bank"]
    good: str = ""


class ChooseRule(Choice):
    """The choice of another answer to one of the questions."""

    name = "any.rule"


class ChooseGood(Choice):
    """The choice of a kind of goods to change."""

    name = "any.goods"


# ---------------------------------------------------------------- what follows


def brings(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Add what a seat begins with that is taken for the first time once play has begun."""
    book, more = part(table, Book), list[Entry]()
    for entry in entries:
        if isinstance(entry, SeatTaken) and book.begun and entry.seat not in book.dealt:
            more.append(_dealt(table, (entry.seat,)))
    return (*entries, *more)


def after(table: Table, entry: Entry) -> Table:
    """Count a trade of two."""
    if not isinstance(entry, Transaction):
        return table
    return with_part(table, part(table, Book).traded(entry.first, entry.second))


def deadline(table: Table) -> int | None:
    """Return when the bell rings."""
    return part(table, Book).bell


def tick(table: Table, at: int) -> Iterable[Entry]:
    """Return the next phase once the bell has rung."""
    bell = part(table, Book).bell
    return [gone_on(table, at)] if bell is not None and bell <= at else []


FEATURES = Features(
    (
        COUNTED_DEBTS,
        Feature(
            state=Book,
            commands=(Play, Define, Alter, SetGoods, Begin, Next, Bank, Happen),
            entries=(Defined, Dealt, PhaseBegun, Banked, Happened),
            opens=(Ask, Written, ChooseRule, ChooseGood),
            hears=(SeatTaken, Transaction),
            brings=brings,
            after=after,
        ),
    )
)
