"""What people type to do again what the entries of a command record, for a table that is exported as a play."""

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
from bot.games.ti4.notes import NoteMovedWithPlanet, NotePlayed
from bot.games.ti4.permits import PermitGranted, PermitRevoked
from bot.games.ti4.pillage import GivenByEffect, MentakCalled, PillageAppealed, PillageLetGo, PillageSettled
from bot.games.ti4.requests import ReplenishAsked
from bot.games.ti4.take_back import TakeBackAsked, TradeTakenBack
from bot.games.ti4.trade_card import TradePlayed
from bot.games.ti4.turns import OrderSet, PassUndone, TurnEnded, TurnPassed, TurnStarted
from data.ti4 import factions


def typed(entries: Sequence[Entry], at: int, seat: str) -> Typed | None:
    """Return what to type, as `bot.rules.game.Game.typed` says."""
    match entries[0]:
        case TurnStarted() as begun:
            if begun.seat == seat and not begun.again:
                return Typed(("/turn start",))
            same = "same" if begun.again else "new"
            return Typed((f"/turn start player:<player:{begun.seat}> turn:{same}",), by_host=True)
        case GoodsCounted() as counted:
            return Typed(tuple(_counted(counted)))
        case MomentOverruled(seat=seat, note=note):
            played = any(isinstance(entry, NotePlayed) for entry in entries)
            return Typed((f"{_played(note, entries)} player:<player:{seat}>",), by_host=not played)
        case NeighborsJoined() | NeighborsParted() | NeighborsSet() | NeighborsCleared() as entry:
            return Typed((_neighbors(entry),), by_host=not getattr(entry, "said_by", ()))
        case NoteClaimed():
            return Typed(('/note effect says:"it came about"',))
        case ClaimDoubted():
            return Typed(('/note effect says:"not so"',))
        case ClaimSettled(stands=stands):
            return Typed((f'/note effect says:"{"it stands" if stands else "give it back"}"',), by_host=True)
        case PermitGranted() | PermitRevoked() as entry:
            return Typed((_permit(entry),), by_host=True)
    by_host = isinstance(
        entries[0], OrderSet | PassUndone | NotesPutBack | PillageSettled | Eliminated | FactionChanged
    )
    line = _line(entries)
    return Typed(tuple(line.split("\n")), by_host) if line else None


def _line(entries: Sequence[Entry]) -> str:
    begun = next((entry for entry in entries if isinstance(entry, TurnStarted)), None)
    following = f" {{}}:<player:{begun.seat}>" if begun is not None else ""
    match entries[0]:
        case TurnEnded():
            if (agenda := next((entry for entry in entries if isinstance(entry, AgendaRevealed)), None)) is not None:
                return _line([agenda])
            status = any(isinstance(entry, PhaseSet) for entry in entries)
            return f"/turn next{following.format('player')}" if begun or status else "/turn end"
        case TurnPassed():
            return f"/turn pass{following.format('next')}"
        case PassUndone(seat=seat):
            return f"/turn unpass player:<player:{seat}>"
        case OrderSet(order=order):
            return f"/table order {_people('players', order)}"
        case CombatBegun(first=first, second=second):
            return f"/turn combat with:<player:{second}> player:<player:{first}>"
        case CombatEnded():
            return "/turn peace"
        case SystemActivated(other=other):
            return f"/turn activate units_of:<player:{other}>"
        case NotesPutBack(seat=seat, owner=owner):
            return f"/turn unactivate units_of:<player:{owner}> player:<player:{seat}>"
        case AgendaRevealed(title=title, replaces=replaces, in_turn=in_turn):
            during = "this turn" if in_turn else "agenda phase"
            named = f" {option('title', title)}" if title else ""
            return f"/agenda {'replace' if replaces else f'reveal during:{chr(34)}{during}{chr(34)}'}{named}"
        case AgendaResolved():
            return "/agenda resolve"
        case TradePlayed(chosen=chosen):
            return f"/commodities trade {_people('players', chosen)}" if chosen else "/commodities trade"
        case TradeFollowed():
            return "/commodities replenish"
        case ReplenishAsked(other=other):
            return f"/commodities replenish player:<player:{other}>"
        case Replenished(seat=seat, effect=effect):
            named = f" {option('effect', effect)}" if effect else ""
            return f"/commodities replenish player:<player:{seat}>{named}"
        case Converted(amount=amount):
            return f"/commodities convert amount:{amount}"
        case CommoditiesGained(amount=amount):
            return f"/commodities gain amount:{amount}"
        case CommoditiesLost(amount=amount, effect=effect, by_host=by_host, seat=seat):
            return _lost(amount, "", effect, seat if by_host else "")
        case GivenByEffect(since=None, goods=goods, to=to, effect=effect, by_host=by_host, seat=seat):
            return _lost(goods.count(COMMODITY), to, effect, seat if by_host else "")
        case GivenByEffect(seat=seat, goods=goods):
            take = "commodity" if COMMODITY in goods else "trade good"
            return f"/commodities pillage player:<player:{seat}> {option('take', take)}"
        case MentakCalled(of=seat):
            return f"/commodities pillage player:<player:{seat}> ask:yes"
        case PillageLetGo(other=seat):
            return f"/commodities pillage player:<player:{seat}> let_go:yes"
        case PillageAppealed():
            return "/commodities appeal"
        case PillageSettled(seat=seat, stands=stands):
            ruling = "it stands" if stands else "give it back"
            return f"/commodities settle player:<player:{seat}> {option('ruling', ruling)}"
        case ColorSaid(seat=seat, color=color):
            return f"/note color color:{color} player:<player:{seat}>"
        case NotePlayed(note=note):
            return _played(note, entries)
        case NoteReturned(note=note):
            return f"/note return {_note(note)}"
        case NoteMovedWithPlanet(to=to):
            return f"/note planet player:<player:{to}>"
        case NoteGiven(to=to, reason=reason, seat=seat, changes=changes, hidden=hidden):
            change = (hidden or {}).get(seat) or changes.get(seat)
            note = next((token for token in (change.lost + change.left_play if change else ()) if ":" in token), "")
            why = f" {option('reason', reason)}" if reason else ""
            return f"/note give {_note(note)} to:<player:{to}>{why}" if note else ""
        case TakeBackAsked(transaction=number) | TradeTakenBack(transaction=number):
            return f"/undo trade transaction:{number}"
        case Eliminated(seat=seat, person=person):
            who = f"player:<player:{seat}>" if person is not None else f"seat:{seat}"
            return f'/table eliminate {who}\npress "Eliminate <name:{seat}>"'
        case FactionChanged(seat=seat, becomes=becomes):
            return f'/table change seat:{seat}\npress "Become {factions()[becomes].short}"'
    return ""


def _counted(entry: GoodsCounted) -> list[str]:
    """Return the commands that count a player's own goods as the buttons did."""
    change = entry.changes[entry.seat]
    if entry.replenishes():
        return ["/commodities replenish"]
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
    return lines


def _lost(amount: int, to: str, effect: str, by_host: str) -> str:
    parts = [f"/commodities lose amount:{amount}"]
    parts += [f"to:<player:{to}>"] if to else []
    parts += [option("effect", effect)] if effect else []
    return " ".join([*parts, f"player:<player:{by_host}>"] if by_host else parts)


def _neighbors(entry: Entry) -> str:
    match entry:
        case NeighborsJoined(first=first, second=second, already=already):
            said = " already:true" if already else ""
            return f"/neighbors join first:<player:{first}> second:<player:{second}>{said}"
        case NeighborsParted(first=first, second=second):
            return f"/neighbors part first:<player:{first}> second:<player:{second}>"
        case NeighborsSet(seat="", order=order):
            return f"/neighbors set {_people('around', order)}"
        case NeighborsSet(seat=seat, order=order):
            others = _people("others", order) if order else "others:nobody"
            return f"/neighbors set first:<player:{seat}> {others}"
    return "/neighbors nobody"


def _permit(entry: PermitGranted | PermitRevoked) -> str:
    permit = entry.permit
    if isinstance(entry, PermitRevoked):
        return f"/permit revoke {option('card', permit.reason)}"
    if permit.card:
        who = [f"{name}:<player:{seat}>" for name, seat in zip(("player", "other"), permit.seats, strict=False)]
        return " ".join(["/permit card", option("card", permit.reason), *who])
    who = [f"{name}:<player:{seat}>" for name, seat in zip(("first", "second"), permit.seats, strict=False)]
    ends = ["until:turn"] if permit.until == "window" else []
    ends.append(f"once:{'true' if permit.once else 'false'}")
    return " ".join(["/permit grant", f"lifts:{permit.lifts[0]}", option("reason", permit.reason), *who, *ends])


def _note(token: str) -> str:
    return option("note", describe(Goods({token: 1})))


def _played(note: str, entries: Sequence[Entry]) -> str:
    lost = [each.changes[each.seat].lost.of_kind("fragment") for each in entries if isinstance(each, NotePlayed)]
    purged = option("fragments", describe(lost[0])) if lost and lost[0] else ""
    return f"/note play {_note(note)} {purged}".rstrip()


def _people(name: str, seats: Sequence[str]) -> str:
    return option(name, " ".join(f"<player:{seat}>" for seat in seats))
