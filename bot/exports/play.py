"""A play (tests/plays/README.md): the table typed again, one command a line, as a bug report that
anybody can run.

People are called by their seats. Whoever is needed to do what only a host may do, or to say what a
hand holds, is ``referee``, a moderator who does not play. What the viewer may not see is left out,
and the head says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from bot.rules.entries import Entry
from bot.rules.features.audits import Looked
from bot.rules.features.deals import DealAnswered, DealMarked, DealProposed, DealVoided
from bot.rules.features.holdings import Corrected, Gained, Spent
from bot.rules.features.negotiations import NegotiationClosed, NegotiationOpened
from bot.rules.features.offers.debts import DebtSaid
from bot.rules.features.offers.entries import (
    HandedOver,
    HandOverUndone,
    OfferAgreed,
    OfferAltered,
    OfferBecameDeal,
    OfferDeclined,
    OfferEntry,
    OfferExpired,
    OfferPicked,
    OfferPosted,
    OfferResumed,
    OfferSuspended,
    OfferVoided,
    OfferWithdrawn,
    Signed,
    Transaction,
)
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.features.tables import (
    HostChanged,
    PhaseSet,
    SettingsChanged,
    TableClosed,
    TableClosing,
    TableOpened,
    TableReopened,
)
from bot.rules.game import Typed, option
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offers import Sides
from bot.rules.model.text import unquoted
from bot.rules.views import EntryView
from bot.service import ExportSource
from bot.show.accounts import Move, known_seats, lies_open, moves_by_entry
from bot.show.names import game_of, plain_text

REFEREE = "referee"
"""The person of a play who does what a host said, where the host's own name does not do."""

MINUTE = 60_000
UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
LENGTH_MAX = 200
"""The longest line of holdings that a play compares; the bot may shorten longer ones."""

FOLLOWING = (HandOverUndone, OfferVoided, OfferExpired, DealVoided, NegotiationClosed)
"""Entries that follow from a command, unless it has no others."""

VERBS: Mapping[type[Entry], str] = {
    OfferDeclined: "decline",
    OfferWithdrawn: "withdraw",
    OfferSuspended: "suspend",
    OfferResumed: "resume",
}
"""Entries about an offer that a command alone makes, with its last word."""

_PLAYER = re.compile(r"<(player|name):([^>]+)>")
_BESIDE = re.compile(r"<beside:[^>]+>")
_MENTION = re.compile(r"<@!?\d+>")


def write(source: ExportSource) -> bytes:
    """Return the table as a play, in UTF-8."""
    return ("\n".join(_Script(source).text()) + "\n").encode()


class _Untypeable(Exception):
    """There is no way to type an entry. The text says why, in a few words."""


class _Script:
    """The play of one source, written from the first command to the last."""

    def __init__(self, source: ExportSource) -> None:
        self._source, self._view, self._game = source, source.view, game_of(source.view)
        self._people = _people(source)
        self._known = known_seats(source.view)
        self._host, self._settings = 0, source.view.settings
        self._lines: list[str] = []
        self._seconds = 0
        # what seats hold in the play, by seat and component
        self._hands = Counter[tuple[str, str]]()
        # what they held at the table, as far as the viewer knows
        self._truth = Counter[tuple[str, str]]()
        self._offers: dict[int, int] = {}
        self._said: dict[int, Sides] = {}
        self._deals: dict[int, int] = {}
        # live offers: what makes two the same, and when posted
        self._open: dict[int, tuple[object, int]] = {}
        self._talks: list[tuple[int, frozenset[str]]] = []
        self._left_out: list[int] = []
        self._refereed = self._looked = self._closing = False

    def text(self) -> Iterator[str]:
        """Yield the lines of the play."""
        groups = list(_commands(self._source))
        ending = len(groups)
        while ending and isinstance(
            groups[ending - 1][0][0].entry, (TableClosing, TableClosed, Looked, *FOLLOWING)
        ):
            ending -= 1
        for number, group in enumerate(groups):
            if number == ending:
                self._check()
            self._command(group)
        if ending == len(groups):
            self._check()
        yield from self._head()
        yield from self._lines

    # ---------------------------------------------------------------- head and end

    def _head(self) -> Iterator[str]:
        view, entries = self._source.view, self._source.entries
        yield f"# {self._game.info.name}: table {view.id} as a play, up to entry {len(entries)}."
        yield "# Run it: bourse play FILE"
        unseen = sorted(set(view.seats) - self._known)
        if unseen:
            yield (
                f"# Not shown, since its reader may not see it: what {', '.join(unseen)} hold and "
                "traded in secret."
            )
        if self._left_out:
            listed = ", ".join(map(str, self._left_out[:20])) + (
                " and more" if len(self._left_out) > 20 else ""
            )
            yield (
                f"# Not typed: entries {listed}. Where goods moved in them, {REFEREE} sets what a "
                "seat then had."
            )
        if self._game.chance is not None:
            yield (
                f"# Chance falls differently in a play, so {REFEREE} sets the hands that it "
                "decided."
            )
        if self._refereed:
            yield f"moderators: {REFEREE}"
        yield ""

    def _check(self) -> None:
        """Expect the table's last holdings, as far as the viewer may know them."""
        if not self._view.tracked:
            return
        self._lines += ["", "# What the table had in the end, as far as it can be shown."]
        for seat in self._view.seats.values():
            who = self._people.get(seat.person or 0)
            own = seat.id in self._known
            seen = seat if own else replace(seat, hidden=None, hidden_count=None)
            lines = [*_shown(self._game.goods.describe_holdings(seen))]
            if who is None or not lines:
                continue
            if own:
                self._lines.append(f"{who}: /holdings show")
            else:
                self._say(REFEREE, f"/holdings show player:@{who}")
            self._lines += [f"  sees {line}" for line in lines]

    # ---------------------------------------------------------------- one command

    def _command(self, group: Sequence[tuple[EntryView, list[Move]]]) -> None:
        """Write what one command did, and what has to be set for it or after it."""
        first = group[0][0]
        entries, moves = (
            [each.entry for each, _ in group],
            [move for _, some in group for move in some],
        )
        seconds = (first.at - self._source.entries[0].at) // 1000
        if first.by is None and not any(isinstance(entry, TableClosed) for entry in entries):
            self._note(entries)  # the clock does that in the play too
            self._settle(moves)
            if any(self._by_chance(entry, first) for entry in entries):
                self._wait(seconds + 1)
                self._set_hands(moves, [each for each, _ in group], by_chance=True)
            return
        ticks = first.by is None and self._closing
        self._wait(seconds + (1 if ticks else 0))
        typed: Typed | None = None
        if not ticks:
            try:
                typed = self._typed(group)
            except _Untypeable as error:
                if str(error) != "needless":
                    self._left_out.append(first.seq)
                    self._lines.append(f"# Entry {first.seq}, {first.kind}: {error}")
        if typed is not None:
            self._lend(moves, first)
            author = first.by or 0
            who = self._people.get(author, REFEREE)
            if typed.by_host and author != self._host:
                who = REFEREE
            for line in typed.lines:
                self._say(who, self._resolved(line, first))
            if any(isinstance(entry, Transaction) for entry in entries):
                self._lines.append("  records offer.transaction")
        self._note(entries)
        self._settle(moves)
        by_chance = any(self._by_chance(entry, first) for entry in entries)
        if typed is None or by_chance:
            self._set_hands(moves, [each for each, _ in group], by_chance=by_chance)

    def _say(self, who: str, text: str) -> None:
        if who == REFEREE:
            self._refereed = True
        self._lines.append(f"{who}: {text}")

    def _wait(self, seconds: int) -> None:
        if seconds > self._seconds:
            unit, length = next(
                (u, n) for u, n in UNITS.items() if (seconds - self._seconds) % n == 0
            )
            self._lines.append(f"wait {(seconds - self._seconds) // length}{unit}")
            self._seconds = seconds

    def _resolved(self, text: str, at: EntryView) -> str:
        """Return a line with people by the names of the play."""

        def name(match: re.Match[str]) -> str:
            who = self._people.get(at.names.holders.get(match[2], 0) or 0)
            seat = self._view.seats.get(match[2])
            # a name like a faction's is shown with the seat
            if match[1] == "name" and who is not None:
                return f"{who} ({seat.short})" if seat is not None and who == match[2] else who
            return f"@{who or REFEREE}"

        return self._anonymous(plain_text(self._view, _BESIDE.sub("", _PLAYER.sub(name, text))))

    def _anonymous(self, text: str) -> str:
        """Return a text without the names and ids of the people at the table."""
        text = _MENTION.sub("somebody", text)
        for number, person in self._view.names.people.items():
            if len(person.name) > 2 and person.name.casefold() != self._people[number]:
                text = _renamed(text, person.name, self._people[number])
        return text

    # ---------------------------------------------------------------- hands

    def _settle(self, moves: Sequence[Move]) -> None:
        """Record what goods moved, in the play as at the table."""
        for move in moves:
            if move.place == "hand":
                for held in (self._truth, self._hands):
                    held[move.seat, move.token] += move.gained - move.lost

    def _lend(self, moves: Sequence[Move], at: EntryView) -> None:
        """Give the seats what they are about to lose, where the viewer has not seen how they got
        it.
        """
        lost: dict[str, Counter[str]] = {}
        for move in moves:
            lacking = move.lost - self._hands[move.seat, move.token]
            if move.place == "hand" and lacking > 0 and move.seat not in self._known:
                lost.setdefault(move.seat, Counter())[move.token] = lacking
        for seat, tokens in lost.items():
            for token in tokens:
                # there may be but one, and the viewer has not seen it go
                for other in self._view.seats:
                    held = other != seat and self._hands[other, token]
                    if held and other not in self._known and not lies_open(self._view, token):
                        self._hands[other, token] = 0
                        self._set(other, at)
                self._hands[seat, token] += tokens[token]
            self._set(seat, at)
            for token in tokens:
                self._hands[seat, token] -= tokens[token]  # `_settle` books them as gained

    def _by_chance(self, entry: Entry, at: EntryView) -> bool:
        typed = self._game.typed([entry], at.at, "")
        return typed is not None and typed.by_chance

    def _set_hands(
        self, moves: Sequence[Move], group: Sequence[EntryView], *, by_chance: bool
    ) -> None:
        """Set the hands that are not what they were at the table."""
        at = group[-1]
        seats = list(dict.fromkeys(move.seat for move in moves if move.place == "hand"))
        if by_chance:
            touched = {seat for each in group for seat in each.entry.parties() | each.entry.seats()}
            seats = [seat for seat in self._view.seats if seat in {*seats, *touched}]
        if not self._view.tracked or not seats:
            return
        if by_chance and self._game.hidden is not None:
            for seat in seats:  # first all cards go back, since one may have drawn what another had
                self._set(seat, at, NOTHING)
            seats = [seat for seat in seats if self._held(seat)]
        for seat in seats:
            self._set(seat, at)

    def _held(self, seat: str) -> Goods:
        """Return what a seat holds in the play."""
        return Goods(
            {
                token: number
                for (of, token), number in self._hands.items()
                if of == seat and number > 0
            }
        )

    def _set(self, seat: str, at: EntryView, goods: Goods | None = None) -> None:
        """Let the referee say what a seat holds: what it has in the play, or these goods."""
        who = self._people.get(at.names.holders.get(seat, 0) or 0)
        if who is None:
            self._lines.append(f"# Nobody sits in {seat} now, so its hand can't be set.")
            return
        if not self._looked and self._game.hidden is not None:
            self._looked = True
            self._say(REFEREE, "/audit ledger")
        written = self._goods(self._held(seat) if goods is None else goods)
        self._say(REFEREE, f"/holdings set player:@{who} {option('goods', written)}")

    def _goods(self, goods: Goods) -> str:
        """Return goods as people write them."""
        return (
            plain_text(self._view, _BESIDE.sub("", self._game.goods.describe(goods)))
            if goods
            else "nothing"
        )

    # ---------------------------------------------------------------- what is typed

    def _note(self, entries: Sequence[Entry]) -> None:
        """Keep what later lines depend on."""
        for entry in entries:
            match entry:
                case TableOpened(host=host, settings=settings):
                    self._host, self._settings = host, settings
                case HostChanged(person=person):
                    self._host = person
                case TableClosing() | TableReopened():
                    self._closing = isinstance(entry, TableClosing)
                case SettingsChanged(settings=settings):
                    self._settings = settings
                case NegotiationOpened(negotiation=number, seat=seat, other=other):
                    self._talks.append((number, frozenset({seat, other})))
                case NegotiationClosed(negotiation=number):
                    self._talks = [each for each in self._talks if each[0] != number]
                case OfferWithdrawn() | OfferExpired() | OfferVoided() | OfferDeclined():
                    self._open.pop(entry.offer, None)
                case Transaction() | OfferBecameDeal():
                    self._open.pop(entry.offer, None)

    def _typed(self, group: Sequence[tuple[EntryView, list[Move]]]) -> Typed:
        """Return what to type for a command. Raises `_Untypeable`."""
        entries = [each.entry for each, _ in group]
        leads = [
            each
            for each, _ in group
            if not (isinstance(each.entry, FOLLOWING) or each.entry.by_itself())
        ]
        leads = leads or [group[0][0]]
        if not isinstance(entries[0], OfferPosted):
            leads.sort(key=lambda each: not isinstance(each.entry, HandedOver))
        for lead in leads:
            author = next(
                (
                    seat
                    for seat, person in lead.names.holders.items()
                    if lead.by and person == lead.by
                ),
                "",
            )
            typed = self._of_core(lead, entries) or self._game.typed(
                [lead.entry, *entries], lead.at, author
            )
            if typed is not None:
                return typed
        raise _Untypeable("there is no command for it")

    def _of_core(self, lead: EntryView, entries: Sequence[Entry]) -> Typed | None:
        """Return what to type for an entry of the core; None for a game's own."""
        match lead.entry:
            case OfferEntry() as entry:
                return Typed(tuple(self._of_offer(lead, entry, entries)))
            case DealProposed() | DealAnswered() | DealMarked() as entry:
                return Typed((self._of_deal(entry),))
            case DebtSaid() as entry:
                return Typed((self._of_debt(entry),))
            case TableOpened(game=game, settings=settings):
                secret = " open_on_close:no" if settings.open_on_close == "no" else ""
                self._host = lead.by or 0
                return Typed((f"/table open game:{game}{secret}",))
            case TableClosing() | TableClosed():
                return Typed(("/table close sure:yes",), by_host=True)
            case TableReopened():
                return Typed(("/table reopen",), by_host=True)
            case HostChanged(person=person):
                return Typed((f"/table host player:@{self._people[person]}",), by_host=True)
            case SettingsChanged(settings=settings, changed=changed):
                values = settings.items()
                named = " ".join(option(name, str(values[name])) for name in changed)
                return Typed((f"/table settings {named}",), by_host=True)
            case PhaseSet(phase=phase):
                return Typed((f"/phase set {option('phase', phase)}",), by_host=True)
            case SeatTaken(seat=seat, person=person):
                other = "" if person == lead.by else f" player:@{self._people[person]}"
                return Typed((f"/table sit seat:{seat}{other}",), by_host=bool(other))
            case SeatLeft(person=person):
                other = "" if person == lead.by else f" player:@{self._people[person]}"
                return Typed((f"/table leave{other}",), by_host=bool(other))
            case Corrected() as entry:
                return Typed((self._corrected(lead, entry),), by_host=True)
            case Gained(seat=seat) | Spent(seat=seat) as entry:
                change = (entry.hidden or {}).get(seat)
                both = [each for each in (entry.changes.get(seat), change) if each is not None]
                gained = isinstance(entry, Gained)
                goods = sum((each.gained if gained else each.lost for each in both), NOTHING)
                if not goods:
                    raise _Untypeable("its reader may not see which goods")
                return Typed(
                    (
                        f"/holdings {'gain' if gained else 'spend'} "
                        f"{option('goods', self._goods(goods))}",
                    )
                )
            case NegotiationOpened(other=other, topic=topic):
                about = f" {option('topic', topic)}" if topic else ""
                return Typed((f"/negotiate open with:<player:{other}>{about}",))
            case NegotiationClosed(negotiation=number, seat=seat, other=other):
                if not self._newest_talk(number, frozenset({seat, other})):
                    raise _Untypeable("they have a newer thread")
                return Typed(("in thread /negotiate close",))
            case Looked():
                raise _Untypeable("needless")
        return None

    def _corrected(self, lead: EntryView, entry: Corrected) -> str:
        """Return the command that sets a hand; the viewer may know only its open part."""
        held = Counter(
            {token: number for (seat, token), number in self._hands.items() if seat == entry.seat}
        )
        for change in filter(
            None, (entry.changes.get(entry.seat), (entry.hidden or {}).get(entry.seat))
        ):
            held.subtract(dict(change.lost.items()))
            held.update(dict(change.gained.items()))
        goods = Goods(dict(+held))
        text = option("goods", self._goods(goods))
        if entry.reason:
            return (
                f"/audit correct player:<player:{entry.seat}> {text} "
                f"{option('reason', entry.reason)}"
            )
        return f"/holdings set player:<player:{entry.seat}> {text}"

    def _of_offer(
        self, lead: EntryView, entry: OfferEntry, entries: Sequence[Entry]
    ) -> Iterator[str]:
        if isinstance(entry, OfferPosted):
            yield from self._posted(lead, entry, entries)
            return
        number = self._offers.get(entry.offer)
        if number is None:
            raise _Untypeable("its offer is not shown to its reader")
        match entry:
            case OfferAltered():
                sides = self._said[entry.offer] = self._sides(entry)
                words = _terms(sides)
                yield (
                    f"/offer alter offer:{number} {option('give', self._goods(sides.give))} "
                    f"{option('want', self._goods(sides.want))}{words}"
                )
            case HandedOver(seat=seat):
                goods = self._handed(entry, seat)
                yield f"/offer hand offer:{number} {option('cards', self._goods(goods))}"
            case OfferAgreed():
                yield f"/offer accept offer:{number}"
                if self._settings.confirm != "twice":
                    yield 'press "Agree for later"'
            case Signed(seat=seat):
                done = next((each for each in entries if isinstance(each, Transaction)), None)
                yield f"/offer accept offer:{number}{self._chosen(done, seat) if done else ''}"
            case OfferPicked(taker=taker):
                yield f"/offer pick offer:{number} taker:<player:{taker}>"
            case OfferDeclined() | OfferWithdrawn() | OfferSuspended() | OfferResumed():
                yield f"/offer {VERBS[type(entry)]} offer:{number}"
            case _:
                raise _Untypeable("there is no command for it")

    def _posted(
        self, lead: EntryView, entry: OfferPosted, entries: Sequence[Entry]
    ) -> Iterator[str]:
        sides = self._said[entry.offer] = self._sides(entry)
        if not (sides.give or sides.want or _terms(sides)):
            raise _Untypeable("its reader may not see this offer")
        lasts = entry.until - lead.at if entry.until is not None else None
        usual = (
            self._settings.timer * MINUTE
            if self._settings.timer and not self._game.trade.offers_end
            else None
        )
        parts = [option("give", self._goods(sides.give)), option("want", self._goods(sides.want))]
        parts += [_terms(sides).strip()] if _terms(sides) else []
        parts += (
            [f"for:{max(10, round(lasts / 1000))}s"] if lasts is not None and lasts != usual else []
        )
        handed = next((each for each in entries if isinstance(each, HandedOver)), None)
        who = frozenset({entry.seat, entry.to or ""})
        same: object = (entry.seat, entry.to, sides, entry.negotiation, lasts)
        self._offers[entry.offer] = len(self._offers) + 1
        if entry.parent is not None and entry.parent in self._offers and entry.parent in self._open:
            yield " ".join([f"/offer counter offer:{self._offers[entry.parent]}", *parts])
        else:
            parts = [f"to:<player:{entry.to}>", *parts] if entry.to else parts
            parts += ["stands:turn"] if entry.stands else []
            parts += (
                [option("hand", self._goods(self._handed(handed, entry.seat)))]
                if handed is not None
                else []
            )
            here = (
                "in thread "
                if entry.negotiation and self._newest_talk(entry.negotiation, who)
                else ""
            )
            yield " ".join([f"{here}/offer post", *parts])
        if any(each == same and lead.at - at < MINUTE for each, at in self._open.values()):
            yield 'press "Post it again"'
        self._open[entry.offer] = (same, lead.at)

    def _sides(self, entry: OfferPosted | OfferAltered) -> Sides:
        """Return the sides of an offer; hidden cards that the viewer may not see are left out."""
        if entry.exact is not None or self._game.hidden is None:
            return entry.sides()
        sides, is_open = entry.sides(), self._game.open_goods
        return replace(sides, give=is_open(sides.give), want=is_open(sides.want))

    def _chosen(self, done: Transaction, seat: str) -> str:
        """Return the option with what this seat chose to give; empty where the offer left nothing
        open.
        """
        said = self._said[done.offer]
        gives = said.give if seat == done.first else said.want
        left_open = gives.of_kind("any")
        if not left_open or self._settings.inventory == "untracked":
            return ""
        change = (done.hidden or {}).get(seat)
        lost = (change.lost if change else NOTHING) + done.changes[seat].lost
        chosen = gives.missing(lost)
        if chosen.total() != left_open.total():
            raise _Untypeable("its reader may not see which card was chosen")
        return f" {option('gives', self._goods(chosen))}"

    def _handed(self, entry: HandedOver, seat: str) -> Goods:
        """Return what was handed over for an offer; the other side learns it when it changes
        hands.
        """
        if entry.goods is not None:
            return entry.goods
        traded = (
            each.entry for each in self._source.entries if isinstance(each.entry, Transaction)
        )
        done = next((each for each in traded if each.offer == entry.offer), None)
        change = (done.hidden or {}).get(seat) if done is not None else None
        if change is None or not change.lost:
            raise _Untypeable("its reader may not see which cards")
        return change.lost

    def _of_deal(self, entry: DealProposed | DealAnswered | DealMarked) -> str:
        if isinstance(entry, DealProposed):
            words = entry.wording()
            if words is None or not words.terms:
                raise _Untypeable("its reader may not see this deal")
            self._deals[entry.deal] = max(self._deals.values(), default=0) + 1
            when, card = "later" if words.later else "now", " card:yes" if words.card else ""
            here = "in dm " if entry.private and not self._game.trade.private_offers else ""
            by = f" by:{words.by}" if words.by else ""
            return (
                f"{here}/deal propose with:<player:{entry.to}> {option('terms', words.terms)} "
                f"when:{when}{card}{by}"
            )
        number = self._deals.get(entry.deal)
        said = entry.answer() if isinstance(entry, DealAnswered) else entry.said()
        if number is None or said is None:
            raise _Untypeable("its reader may not see this deal")
        if isinstance(entry, DealAnswered):
            return f"/deal {'accept' if said else 'decline'} deal:{number}"
        return f"/deal {said} deal:{number}"

    def _of_debt(self, entry: DebtSaid) -> str:
        said = entry.statement()
        number = self._offers.get(said.debt) if said else None
        if said is None or number is None:
            raise _Untypeable("its reader may not see this debt")
        if said.word == "forgave":
            return f"/debt forgive debt:{number}"
        return f"/debt dispute debt:{number} {option('reason', said.reason)}"

    def _newest_talk(self, number: int, seats: frozenset[str]) -> bool:
        """Return whether this is the newest open negotiation of each of the two, so its thread is
        the one meant.
        """
        mine = [each for each, two in self._talks if two & seats]
        return bool(mine) and max(mine) == number


def _commands(source: ExportSource) -> Iterator[list[tuple[EntryView, list[Move]]]]:
    """Yield the entries of each command with the goods they moved; those of the clock, of each
    time.
    """
    moved, sizes, at = (
        moves_by_entry(source.entries),
        [each.command_size for each in source.published],
        0,
    )
    while at < len(moved):
        first, end = moved[at][0], at + (sizes[at] or 1)
        if sizes[at] is None:
            while (
                end < len(moved)
                and sizes[end] is None
                and (moved[end][0].at, moved[end][0].by) == (first.at, first.by)
            ):
                end += 1
        yield moved[at:end]
        at = end


def _people(source: ExportSource) -> Mapping[int, str]:
    """Return the names of people in the play: their first seat, else ``host`` or ``visitor``,
    numbered if taken.
    """
    wanted: dict[int, str] = {}
    for each in source.entries:
        if isinstance(each.entry, SeatTaken):
            name = re.sub(r"[\W_]+", "-", each.entry.seat.casefold()).strip("-") or "seat"
            wanted.setdefault(each.entry.person, name)
    first = source.entries[0].entry if source.entries else None
    host = first.host if isinstance(first, TableOpened) else 0
    for number in sorted(
        {*source.view.names.people, *(each.by for each in source.entries if each.by)}
    ):
        wanted.setdefault(number, "host" if number == host else "visitor")
    names: dict[int, str] = {}
    for number, name in wanted.items():
        name = name if name[0].isalpha() else f"seat-{name}"
        numbered = (name if n == 1 else f"{name}-{n}" for n in count(1))
        names[number] = next(
            each for each in numbered if each not in names.values() and each != REFEREE
        )
    return names


def _renamed(text: str, before: str, now: str) -> str:
    """Return a text with a name replaced where it stands by itself, not as part of a word or after
    an ``@``.
    """
    done, *rest = text.split(before)
    for each in rest:
        inside = bool(done) and (done[-1].isalnum() or done[-1] in "_@")
        inside = inside or (bool(each) and (each[0].isalnum() or each[0] == "_"))
        done += (before if inside else now) + each
    return done


def _shown(lines: Sequence[str]) -> Iterator[str]:
    """Yield holdings as expectations. Names of people in them differ in a play, so they match
    anything.
    """
    for line in lines:
        if line and len(line) <= LENGTH_MAX:
            pieces = [unquoted(piece) for piece in re.split(r"<[a-z]+:[^>]+>", line)]
            if len(pieces) == 1:
                yield f'"{pieces[0]}"'
            else:
                yield f"/{'.*'.join(map(re.escape, pieces))}/".replace(r"\ ", " ")


def _terms(sides: Sides) -> str:
    """Return the options for an offer's terms."""
    words = ""
    if sides.terms:
        words += f" {option('terms', sides.terms)} when:later"
    if sides.terms_now:
        words += (
            f" {option('now', sides.terms_now)}"
            if sides.terms
            else f" {option('terms', sides.terms_now)} when:now"
        )
    return f"{words} card:yes" if sides.terms_card and words else words
