"""The commands that people type to bring about a game's entries again, for a table that is exported
as a play.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.api import Entry, Goods, PhaseSet, Typed, option
from bot.games.ti4.agendas import AgendaResolved, AgendaRevealed
from bot.games.ti4.colors import ColorSaid
from bot.games.ti4.combat import CombatBegun, CombatEnded, SystemActivated
from bot.games.ti4.commodities import CommoditiesGained, Converted, Replenished, TradeFollowed
from bot.games.ti4.components import COMMODITY, TRADE_GOOD, describe
from bot.games.ti4.counting import GoodsCounted
from bot.games.ti4.departures import Eliminated, FactionChanged
from bot.games.ti4.losses import CommoditiesLost
from bot.games.ti4.neighbors import NeighborsCleared, NeighborsJoined, NeighborsParted, NeighborsSet
from bot.games.ti4.note_claims import ClaimDoubted, ClaimSettled, NoteClaimed
from bot.games.ti4.note_gifts import NoteGiven
from bot.games.ti4.note_moments import MomentOverruled
from bot.games.ti4.note_returns import NoteReturned, NotesPutBack
from bot.games.ti4.note_shows import NotesShown
from bot.games.ti4.notes import NoteMovedWithPlanet, NotePlayed
from bot.games.ti4.permits import PermitGranted, PermitRevoked
from bot.games.ti4.pillage import (
    GivenByEffect,
    MentakCalled,
    PillageAppealed,
    PillageLetGo,
    PillageSettled,
)
from bot.games.ti4.requests import NoteAsked, ReplenishAsked
from bot.games.ti4.take_back import TakeBackAsked, TradeTakenBack
from bot.games.ti4.trade_card import TradePlayed
from bot.games.ti4.turns import OrderSet, PassUndone, TurnEnded, TurnPassed, TurnStarted
from data.ti4 import factions

ALWAYS: dict[type[Entry], str] = {
    PassUndone: "/turn unpass player:<player:{seat}>",
    CombatBegun: "/turn combat with:<player:{second}> player:<player:{first}>",
    CombatEnded: "/turn peace",
    SystemActivated: "/turn activate units_of:<player:{other}>",
    NotesPutBack: "/turn unactivate units_of:<player:{owner}> player:<player:{seat}>",
    AgendaResolved: "/agenda resolve",
    NeighborsParted: "/neighbors part first:<player:{first}> second:<player:{second}>",
    NeighborsCleared: "/neighbors nobody",
    TradeFollowed: "/commodities replenish",
    ReplenishAsked: "/commodities replenish player:<player:{other}>",
    Converted: "/commodities convert amount:{amount}",
    CommoditiesGained: "/commodities gain amount:{amount}",
    MentakCalled: "/commodities pillage player:<player:{of}> ask:yes",
    PillageLetGo: "/commodities pillage player:<player:{other}> let_go:yes",
    PillageAppealed: "/commodities appeal",
    ColorSaid: "/note color color:{color} player:<player:{seat}>",
    NoteClaimed: '/note effect says:"it came about"',
    ClaimDoubted: '/note effect says:"not so"',
    NoteMovedWithPlanet: "/note planet player:<player:{to}>",
    TakeBackAsked: "/undo trade transaction:{transaction}",
    TradeTakenBack: "/undo trade transaction:{transaction}",
}
"""Commands with fields of the entry, for entries that need no more."""

BY_HOST = (
    OrderSet
    | PassUndone
    | NeighborsParted
    | NeighborsCleared
    | NotesPutBack
    | PillageSettled
    | ClaimSettled
    | PermitGranted
    | PermitRevoked
    | Eliminated
    | FactionChanged
)
"""Entries of commands that need the host."""


def typed(entries: Sequence[Entry], at: int, seat: str) -> Typed | None:
    """Return what to type, as `bot.rules.game.Game.typed` says."""
    line = _line(entries, seat)
    match entries[0]:
        case TurnStarted():
            by_host = line != "/turn start"
        case MomentOverruled():
            by_host = not any(isinstance(entry, NotePlayed) for entry in entries)
        case NeighborsJoined(said_by=said_by) | NeighborsSet(said_by=said_by):
            by_host = not said_by
        case lead:
            by_host = isinstance(lead, BY_HOST)
    return Typed(tuple(line.split("\n")), by_host) if line else None


def _line(entries: Sequence[Entry], own: str) -> str:
    """Return what to type, a command on each line; ``own`` is the seat of whoever types it. Empty
    for nothing.
    """
    begun = next((entry for entry in entries if isinstance(entry, TurnStarted)), None)
    following = f" {{}}:<player:{begun.seat}>" if begun is not None else ""
    lead = entries[0]
    if type(lead) in ALWAYS:
        return ALWAYS[type(lead)].format_map(dict(lead))
    match lead:
        case TurnStarted(seat=seat, again=again):
            turn = f" player:<player:{seat}> turn:{'same' if again else 'new'}"
            return f"/turn start{'' if seat == own and not again else turn}"
        case TurnEnded():
            if (
                agenda := next(
                    (entry for entry in entries if isinstance(entry, AgendaRevealed)), None
                )
            ) is not None:
                return _line([agenda], own)
            status = any(isinstance(entry, PhaseSet) for entry in entries)
            return f"/turn next{following.format('player')}" if begun or status else "/turn end"
        case TurnPassed():
            return f"/turn pass{following.format('next')}"
        case OrderSet(order=order):
            return f"/table order {_people('players', order)}"
        case AgendaRevealed(title=title, replaces=replaces, in_turn=in_turn):
            reveal = f"reveal {option('during', 'this turn' if in_turn else 'agenda phase')}"
            return f"/agenda {'replace' if replaces else reveal}{_maybe('title', title)}"
        case TradePlayed(chosen=chosen):
            return (
                f"/commodities trade {_people('players', chosen)}"
                if chosen
                else "/commodities trade"
            )
        case Replenished(seat=seat, effect=effect):
            return f"/commodities replenish player:<player:{seat}>{_maybe('effect', effect)}"
        case GoodsCounted() as counted:
            return _counted(counted)
        case CommoditiesLost(amount=amount, effect=effect, by_host=by_host, seat=seat):
            player = f" player:<player:{seat}>" if by_host else ""
            return f"/commodities lose amount:{amount}{_maybe('effect', effect)}{player}"
        case GivenByEffect(
            since=None, goods=goods, to=to, effect=effect, by_host=by_host, seat=seat
        ):
            player = f" player:<player:{seat}>" if by_host else ""
            return (
                f"/commodities lose amount:{goods.count(COMMODITY)} "
                f"to:<player:{to}>{_maybe('effect', effect)}{player}"
            )
        case GivenByEffect(seat=seat, goods=goods):
            take = "commodity" if COMMODITY in goods else "trade good"
            return f"/commodities pillage player:<player:{seat}> {option('take', take)}"
        case PillageSettled(seat=seat, stands=stands):
            ruling = "it stands" if stands else "give it back"
            return f"/commodities settle player:<player:{seat}> {option('ruling', ruling)}"
        case NotePlayed(note=note):
            return _played(note, entries)
        case MomentOverruled(seat=seat, note=note):
            return f"{_played(note, entries)} player:<player:{seat}>"
        case ClaimSettled(stands=stands):
            return f'/note effect says:"{"it stands" if stands else "give it back"}"'
        case PermitRevoked(permit=permit):
            return f"/permit revoke {option('card', permit.reason)}"
        case PermitGranted(permit=permit):
            names = ("player", "other") if permit.card else ("first", "second")
            who = "".join(
                f" {name}:<player:{seat}>" for name, seat in zip(names, permit.seats, strict=False)
            )
            if permit.card:
                return f"/permit card {option('card', permit.reason)}{who}"
            ends = (
                f"{' until:turn' if permit.until == 'window' else ''} "
                f"once:{'true' if permit.once else 'false'}"
            )
            return (
                f"/permit grant lifts:{permit.lifts[0]} {option('reason', permit.reason)}{who}"
                f"{ends}"
            )
        case NeighborsJoined(first=first, second=second, already=already):
            said = " already:true" if already else ""
            return f"/neighbors join first:<player:{first}> second:<player:{second}>{said}"
        case NeighborsSet(seat="", order=order):
            return f"/neighbors set {_people('around', order)}"
        case NeighborsSet(seat=seat, order=order):
            others = _people("others", order) if order else "others:nobody"
            return f"/neighbors set first:<player:{seat}> {others}"
        case NoteReturned(note=note):
            return f"/note return {_note(note)}"
        case NoteAsked(seat=seat, note=note):
            return f"/note return {_note(f'note:{note}:{seat}')}"
        case NotesShown(seat=seat, other=other, every=every, ability=ability, notes=notes):
            which = "note:all" if every else _note(next(iter(notes))) if notes else ""
            show = f"/note show {which} to:<player:{other}>" if which else ""
            return f"/note look player:<player:{seat}>" if ability else show
        case NoteGiven(to=to, reason=reason, seat=seat, changes=changes, hidden=hidden):
            change = (hidden or {}).get(seat) or changes.get(seat)
            note = next(
                (
                    token
                    for token in (change.lost + change.left_play if change else ())
                    if ":" in token
                ),
                "",
            )
            return (
                f"/note give {_note(note)} to:<player:{to}>{_maybe('reason', reason)}"
                if note
                else ""
            )
        case Eliminated(seat=seat, person=person):
            who = f"player:<player:{seat}>" if person is not None else f"seat:{seat}"
            return f'/table eliminate {who}\npress "Eliminate <name:{seat}>"'
        case FactionChanged(seat=seat, becomes=becomes):
            return f'/table change seat:{seat}\npress "Become {factions()[becomes].short}"'
    return ""


def _counted(entry: GoodsCounted) -> str:
    """Return the commands that count a player's own goods as the buttons did."""
    change = entry.changes[entry.seat]
    if entry.replenishes():
        return "/commodities replenish"
    fewer = change.lost.count(COMMODITY)
    turned = fewer if "turned" in entry.why else 0
    lines = []
    if more := change.gained.count(COMMODITY):
        lines.append(f"/commodities gain amount:{more}")
    if fewer:
        slip = " slip:yes" if "slip" in entry.why else ""
        lines.append(f"/commodities {'convert' if turned else 'lose'} amount:{fewer}{slip}")
    if more := change.gained.count(TRADE_GOOD) - turned:
        lines.append(f"/holdings gain {option('goods', f'{more} tg')}")
    if spent := change.lost.count(TRADE_GOOD):
        lines.append(f"/holdings spend {option('goods', f'{spent} tg')}")
    return "\n".join(lines)


def _maybe(name: str, value: str) -> str:
    """Return an option behind a space; empty without a value."""
    return f" {option(name, value)}" if value else ""


def _note(token: str) -> str:
    return option("note", describe(Goods({token: 1})))


def _played(note: str, entries: Sequence[Entry]) -> str:
    lost = [
        each.changes[each.seat].lost.of_kind("fragment")
        for each in entries
        if isinstance(each, NotePlayed)
    ]
    return (
        f"/note play {_note(note)}"
        f"{_maybe('fragments', describe(lost[0]) if lost and lost[0] else '')}"
    )


def _people(name: str, seats: Sequence[str]) -> str:
    return option(name, " ".join(f"<player:{seat}>" for seat in seats))
