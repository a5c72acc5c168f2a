"""Rule 94, transactions, and 21.5, what becomes of a commodity that is received.

`rulings` says everything that forbids a trade now. Each check stands beside the number it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.rules.game import Settlement, Trade
from bot.rules.games.ti4 import components, notes
from bot.rules.games.ti4.permits import granted, lifts_goods, lifts_neighbors
from bot.rules.games.ti4.state import Permit, are_neighbors, in_combat, state_of
from bot.rules.goods import NOTHING, Goods, kind_of
from bot.rules.ruling import Ruling
from bot.rules.table import Change, Table, pair

NOTES_A_SIDE = 1
"""94.2: each side gives up to one promissory note."""

FREE_KINDS = ("trade_good", "commodity", "note", "fragment")
"""94.3: what players can exchange."""


def rulings(table: Table, trade: Trade) -> list[Ruling]:
    """Everything that forbids this trade now, the most telling first. Without a second seat yet, all but the pair
    is judged.
    """
    pair_checks: list[Check] = [_neighbors, _once] if trade.second else []
    checks = (_window, *pair_checks, _something, _kinds, _one_note, _held)
    return [ruling for check in checks for ruling in check(table, trade)]


def settle(table: Table, trade: Trade) -> Settlement:
    """What each side loses and gains. Which note changed hands only the two know, unless it is a public one."""
    changes: dict[str, Change] = {}
    hidden: dict[str, Change] = {}
    for seat in (trade.first, trade.second):
        gives, gets = trade.gives(seat), received(trade.gives(trade.other(seat)), seat)
        enters = Goods({token: 1 for token in gets if _enters_play(token, seat)})
        gains = enters.missing(gets)
        changes[seat] = Change(
            lost=_secret(gives).missing(gives), gained=_secret(gains).missing(gains), entered_play=enters
        )
        if _secret(gives) or _secret(gains):
            hidden[seat] = Change(lost=_secret(gives), gained=_secret(gains))
    return Settlement(changes=changes, hidden=hidden, permits=_used_up(table, trade))


def masked(goods: Goods) -> Goods:
    """Goods as everybody may read them: that a promissory note is among them, but not which."""
    secret = _secret(goods)
    return secret.missing(goods) + (Goods({"note": secret.total()}) if secret else NOTHING)


def _secret(goods: Goods) -> Goods:
    return Goods({token: 1 for token in goods.of_kind("note") if token != "note" and not notes.public(token)})


def _enters_play(token: str, receiver: str) -> bool:
    """Support for the Throne and Alliance lie open before whoever gets them; not before their own owner."""
    return kind_of(token) == "note" and notes.arrives_in_play(token) and components.note_owner(token)[1] != receiver


def _used_up(table: Table, trade: Trade) -> tuple[int, ...]:
    """The host's permits for once that this trade could not have done without; of several alike, the oldest."""
    two, forbidden, used = pair(trade.first, trade.second), len(rulings(table, trade)), []
    for permit in state_of(table).permits[::-1]:
        if permit.pair == two and permit.once:
            without = _without(table, permit)
            if len(rulings(without, trade)) > forbidden:
                used.append(permit.number)
            else:
                table = without
    return tuple(sorted(used))


def _without(table: Table, permit: Permit) -> Table:
    state = state_of(table)
    left = tuple(other for other in state.permits if other != permit)
    return table.model_copy(update={"state": state.model_copy(update={"permits": left})})


def received(goods: Goods, receiver: str) -> Goods:
    """What goods are once another player has them: 21.5, commodities turn to their trade good side.

    Captured units go back to their owner's supply, and a note that takes effect on receipt and is purged is gone.
    """
    commodities = goods.count(components.COMMODITY)
    rest = goods.without_kind(components.COMMODITY)
    rest = Goods(
        {
            token: count
            for token, count in rest.items()
            if not notes.purged(token, receiver) and not _home(token, receiver)
        }
    )
    return rest + Goods({components.TRADE_GOOD: commodities}) if commodities else rest


def _home(token: str, receiver: str) -> bool:
    """Whether this is a captured unit that comes back to its owner."""
    return kind_of(token) == "captured" and components.captured_unit(token)[1] == receiver


Check = Callable[[Table, Trade], Iterable[Ruling]]


def _window(table: Table, trade: Trade) -> Iterable[Ruling]:
    """94.1 in the action phase: the active player is a party. 94.6 in the agenda phase: while an agenda is open."""
    if granted(table, trade, "window"):
        return
    match table.window.kind:
        case "turn":
            active = table.window.holder
            if trade.second and active not in (trade.first, trade.second):
                yield Ruling(
                    rule="94.1",
                    why=f"It is <seat:{active}>'s turn, and every transaction now is with them.",
                    remedy=f"On the turn of one of you two it is possible{_with_hacan(trade)}.",
                )
        case "agenda":
            return
        case _ if table.phase == "action":
            yield Ruling(rule="94.1", why="Nobody's turn is under way.", remedy="/turn start begins one.")
        case _ if table.phase == "agenda":
            yield Ruling(
                rule="94.6", why="No agenda is being resolved.", remedy="Once one is revealed, each pair may trade."
            )
        case _:
            yield Ruling(
                rule="94.1",
                why=f"There are no transactions in the {table.phase} phase.",
                remedy="They resolve during a player's turn (/turn start) or while an agenda is being resolved.",
            )


def _neighbors(table: Table, trade: Trade) -> Iterable[Ruling]:
    """94.1: with each of their neighbors; 94 note 3.2: opponents in combat count. 94.6.1: not needed for an agenda."""
    if table.window.kind == "agenda" or are_neighbors(table, trade.first, trade.second):
        return
    if not in_combat(table, trade.first, trade.second) and not lifts_neighbors(table, trade):
        yield Ruling(
            rule="94.1",
            why=f"<seat:{trade.first}> and <seat:{trade.second}> are not neighbours.",
            remedy="If they are on the board, /neighbors join says so.",
            mend="neighbors",
        )


def _with_hacan(trade: Trade) -> str:
    """F2: with Hacan either may open the talks, on either's turn; but the active player must be a party."""
    return ", with Hacan as with anybody [F2]" if "hacan" in (trade.first, trade.second) else ""


def _once(table: Table, trade: Trade) -> Iterable[Ruling]:
    """94.1: up to one transaction with each of them a turn. 94.6: one with each other player an agenda."""
    two = pair(trade.first, trade.second)
    if two not in table.window.used or granted(table, trade, "limit"):
        return
    had = f"<seat:{trade.first}> and <seat:{trade.second}> have had their one transaction"
    if table.window.kind == "agenda":
        yield Ruling(rule="94.6", why=f"{had} for this agenda.", remedy="The next agenda brings another.")
    elif two in state_of(table).parted:
        yield Ruling(
            rule="94 note 3.1", why=f"{had} this turn, and meeting again does not bring a second.",
            remedy="The next turn of either does [94.1].",
        )  # fmt: skip
    else:
        yield Ruling(
            rule="94.1", why=f"{had} this turn, however many actions it has [94 note 4].",
            remedy="The next turn of either brings another.",
        )  # fmt: skip


def _something(table: Table, trade: Trade) -> Iterable[Ruling]:
    """94.4: one side may give nothing; but if neither gives, nothing is exchanged."""
    if not trade.first_gives and not trade.second_gives:
        yield Ruling(
            rule="94.4", why="Nobody gives anything here.", remedy="Name what you give, what you want, or both.",
            lasting=True,
        )  # fmt: skip


def _kinds(table: Table, trade: Trade) -> Iterable[Ruling]:
    """94.3: only trade goods, commodities, promissory notes and relic fragments, unless an ability says otherwise."""
    for giver, goods, receiver in _sides(trade):
        for token in goods:
            if kind_of(token) in FREE_KINDS or lifts_goods(table, token, trade, giver):
                continue
            ruling = _forbidden(token, goods, giver, receiver)
            if ruling is not None:
                yield ruling


def _forbidden(token: str, goods: Goods, giver: str, receiver: str) -> Ruling | None:
    """Why a component of another kind may not be given, or None when it may."""
    told = components.tell(Goods({token: goods.count(token)}))
    match kind_of(token):
        case "captured":
            return _captured(token, told, receiver)
        case "planet":
            return Ruling(
                rule="94.3", why=f"{told} can't be traded here.",
                remedy="Hacan can give a planet with Pride of Kenara on it, outside combat [Pride of Kenara].",
                lasting=True,
            )  # fmt: skip
        case "zone":
            return Ruling(
                rule="Demilitarized Zone", why=f"{told} can't be traded now [94.3].",
                remedy="While an agenda is being resolved, it can.",
            )  # fmt: skip
        case "relic":
            return Ruling(
                rule="94 note 1", why=f"{told} can't be traded: relics stay where they are.",
                remedy="Relic fragments can be.", lasting=True,
            )  # fmt: skip
        case "action_card":
            return Ruling(
                rule="94.3", why="Action cards can't be traded here.",
                remedy="Only in a transaction with the Emirates of Hacan [94.3.1].", lasting=True,
            )  # fmt: skip
        case _:
            return Ruling(
                rule="94.3", why=f"{told} can't be traded.",
                remedy="Trade goods, commodities, promissory notes and relic fragments can.", lasting=True,
            )  # fmt: skip


def _captured(token: str, told: str, receiver: str) -> Ruling | None:
    """94 note 2 and 17.2: a captured ship or mech goes back to its owner only; 17.4: fighters and infantry never."""
    unit, owner = components.captured_unit(token)
    if unit in ("fighter", "infantry"):
        return Ruling(
            rule="17.4", why=f"{told} can't be returned by a transaction.",
            remedy="Captured ships and mechs can.", lasting=True,
        )  # fmt: skip
    if receiver and owner != receiver:
        return Ruling(
            rule="94 note 2", why=f"{told} can only go back to its owner.",
            remedy=f"That is <seat:{owner}>.", lasting=True,
        )  # fmt: skip
    return None


def _one_note(table: Table, trade: Trade) -> Iterable[Ruling]:
    """94.2: up to one promissory note from each side. Hubris: nobody may give Mahact an Alliance."""
    for giver, goods, receiver in _sides(trade):
        for token in goods.of_kind("note"):
            if receiver and receiver in notes.never_to(token):
                yield Ruling(
                    rule="Hubris", why=f"Nobody can give <seat:{receiver}> {components.tell(Goods({token: 1}))}.",
                    remedy="Another note will do.", lasting=True,
                )  # fmt: skip
        if granted(table, trade, "goods"):
            continue
        if goods.of_kind("note").total() > NOTES_A_SIDE:
            who = f"<seat:{giver}> would give" if giver else "One side would give"
            yield Ruling(
                rule="94.2", why=f"{who} {goods.of_kind('note').total()} promissory notes.",
                remedy="Each side may give one.", lasting=True,
            )  # fmt: skip


def _held(table: Table, trade: Trade) -> Iterable[Ruling]:
    """94.2: a player gives what they have, both at once; nothing is paid from the proceeds."""
    if table.settings.inventory == "untracked":
        return
    for giver, goods, _ in _sides(trade):
        missing = table.seats[giver].holdings.missing(goods) if giver else NOTHING
        if in_play := Goods({token: 1 for token in missing if token in table.seats[giver].in_play} if giver else {}):
            yield Ruling(
                rule="69.5", why=f"{components.tell(in_play)} lies in play, and only notes in hand can be traded.",
                remedy="Once it has come back to its owner, they can.", short=True,
                known_to="" if all(notes.public(token) for token in in_play) else giver,
            )  # fmt: skip
            missing = in_play.missing(missing)
        for part, known_to in ((missing.without_kind("note"), ""), (missing.of_kind("note"), giver)):
            if part:
                yield Ruling(
                    rule="94.2", why=f"<seat:{giver}> is short of {components.tell(part)}.",
                    remedy="/holdings gain adds what was gained at the table.", short=True, known_to=known_to,
                    mend="" if known_to else "holdings", about=giver,
                )  # fmt: skip


def _sides(trade: Trade) -> tuple[tuple[str, Goods, str], ...]:
    """Giver, goods, receiver; for both sides."""
    return (
        (trade.first, trade.first_gives, trade.second),
        (trade.second, trade.second_gives, trade.first),
    )
