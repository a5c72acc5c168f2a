"""The public status of a table under each rule: whose turn it is, which pairs have traded, which goods are open.

It never says what a hand holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from bot.api import Goods, Pair, Seat, Table, pair, part
from bot.games.ti4.components import ACTION_CARD, COMMODITY, TRADE_GOOD, describe, note_owner, open_goods
from bot.games.ti4.hand_limit import limit
from bot.games.ti4.holdings import commodity_value, replenishment, unlimited
from bot.games.ti4.language import tokens
from bot.games.ti4.permits import has, permitted
from bot.games.ti4.state import (
    Agenda,
    Combat,
    InForce,
    Map,
    OutOfGame,
    Permit,
    active_seat,
    are_neighbors,
    in_combat,
    voted_on,
)
from data import other_numbers, rules
from data.ti4 import Lift, permit_cards

LISTED, PERMITS_LISTED = 12, 4
"""The most items of a list, and of a list with reasons. The rest is only counted."""

Status = Callable[[Table], str]
"""Returns a sentence about a table, or an empty string."""

_LIFTED: dict[Lift, str] = {
    "neighbors": "the neighbour rule",
    "limit": "one trade a turn",
    "window": "whose turn it is",
    "goods": "what can change hands",
    "notes": "one note a side",
    "commodities": "the commodity limit",
    "hands": "that neighbours' notes are hidden",
}


def rule_status(table: Table, number: str) -> str:
    """Return the public status of a table under the rule with this number in a few sentences; empty for none."""
    numbers = [number] if number in BY_RULE else other_numbers(rules("ti4"), number)
    statuses = dict.fromkeys(status for each in numbers for status in BY_RULE.get(each, ()))
    return " ".join(sentence for status in statuses if (sentence := status(table)))


# ---------------------------------------------------------------- turns, pairs, agendas


def _now(table: Table) -> str:
    active = active_seat(table)
    if active is not None:
        vote = "" if voted_on(table) is None else f" An agenda is voted on within it{_title(table)}."
        return f"It is <seat:{active}>'s turn.{vote}"
    if table.window.kind == "agenda":
        return f"An agenda is being resolved{_title(table)}."
    waits = {"action": "; no turn has started", "agenda": "; no agenda is being resolved"}
    return f"It is the {table.phase} phase{waits.get(table.phase, '')}."


def _title(table: Table) -> str:
    return f": {_harmless(title)}" if (title := part(table, Agenda).title) else ""


def _traded(table: Table) -> str:
    """Say which pairs have had their transaction in this turn or agenda."""
    if table.window.kind == "none":
        return ""
    span = "for this agenda" if table.window.kind == "agenda" else "this turn"
    return f"Have traded {span}: {_pairs(table.window.used)}."


def _still_can(table: Table) -> str:
    """Say which neighbours of the active player have not traded with them this turn."""
    active = active_seat(table)
    if active is None:
        return ""
    left = [seat for seat in _neighbors_or_opponents(table, active) if pair(active, seat) not in table.window.used]
    return f"Neighbours that <seat:{active}> has not traded with this turn: {_seats(left)}."


def _neighbors_or_opponents(table: Table, seat: str) -> list[str]:
    """Return the taken seats that are neighbours of this seat, or fight it."""
    others = (other for other in table.seated() if other != seat)
    return [other for other in others if are_neighbors(table, seat, other) or in_combat(table, seat, other)]


def _pairs_left(table: Table) -> str:
    if table.window.kind != "agenda":
        return ""
    left = [two for two in combinations(table.seated(), 2) if pair(*two) not in table.window.used]
    return f"Pairs that still can: {len(left)}."


def _neighbors(table: Table) -> str:
    return f"Neighbours: {_pairs(part(table, Map).neighbors)}."


def _parted(table: Table) -> str:
    both = part(table, Map).parted & table.window.used
    return f"Have traded this turn and are no longer neighbours: {_pairs(both)}."


def _combat(table: Table) -> str:
    return f"In combat: {_pairs(part(table, Combat).pairs)}."


def _out(table: Table) -> str:
    return f"Out of the game: {_list(f'<faction:{seat}>' for seat in sorted(part(table, OutOfGame).seats))}."


def _permits(*lifts: Lift) -> Status:
    """Say which permits lift one of these rules."""

    def status(table: Table) -> str:
        granted = [_permit(permit) for permit in part(table, InForce).permits if set(permit.lifts) & set(lifts)]
        return f"Permits in force: {_list(granted, most=PERMITS_LISTED)}." if granted else ""

    return status


def _permit(permit: Permit) -> str:
    once = " once" if permit.once else ""
    lifted = ", ".join(_LIFTED[lift] for lift in permit.lifts)
    return f"{permitted(permit)} can ignore {lifted}{once} ({_harmless(permit.reason)})"


def _in_force(card: str) -> Status:
    """Say for whom a known card is in force."""

    def status(table: Table) -> str:
        permits = [permit for permit in part(table, InForce).permits if permit.card == card]
        return f"In force for: {_list(map(permitted, permits), none='nobody')}."

    return status


def _warns(table: Table) -> str:
    return "This table only warns about what the rules forbid." if table.settings.rulings == "warn" else ""


# ---------------------------------------------------------------- open goods


def _commodities(table: Table) -> str:
    def described(seat: Seat) -> str:
        most = "no limit" if unlimited(table, seat.id) else str(commodity_value(seat))
        return f"{_count(seat, COMMODITY)} of {most}"

    return _each(table, "Commodities", described)


def _room(table: Table) -> str:
    return _each(table, "Replenishing now would give", lambda seat: str(replenishment(table, seat)))


def _hands(table: Table) -> str:
    def described(seat: Seat) -> str:
        most = limit(table, seat.id)
        return f"{_count(seat, ACTION_CARD)} of {'any number' if most is None else most}"

    return _each(table, "Action cards", described)


def _tokens(table: Table) -> str:
    return _each(
        table,
        "Tokens as trade goods and as commodities",
        lambda seat: f"{tokens(_count(seat, TRADE_GOOD))} and {tokens(_count(seat, COMMODITY))}",
    )


def _open(title: str, *kinds: str) -> Status:
    """Say which open goods of these kinds each seat has. Seats without any are left out."""
    return lambda table: _each(table, title, lambda seat: _some(open_goods(seat.holdings.of_kind(*kinds))))


def _notes_in_play(table: Table) -> str:
    return _each(table, "Notes in play", lambda seat: _some(seat.in_play))


def _in_play(note: str) -> Status:
    """Say who has this note in play."""
    return lambda table: _each(table, "In play", lambda seat: _some(_copies(seat, note)))


def _copies(seat: Seat, note: str) -> Goods:
    return Goods({token: 1 for token in seat.in_play if note_owner(token)[0] == note})


def _has(held: str) -> Status:
    """Say which seats have this card or token in front of them."""

    def status(table: Table) -> str:
        having = [seat.id for seat in table.seats.values() if has(seat, held)]
        return _untracked(table) or f"Who has it: {_seats(having)}."

    return status


def _faction(id: str, name: str) -> Status:
    """Say whether a faction is played here, and by whom."""

    def status(table: Table) -> str:
        return f"<seat:{id}> plays {name} here." if id in table.seated() else f"Nobody plays {name} here."

    return status


def _pillaged(table: Table) -> str:
    if "mentak" not in table.seats:
        return ""
    near = [seat for seat in table.seated() if seat != "mentak" and are_neighbors(table, "mentak", seat)]
    return f"Their neighbours: {_seats(near)}."


# ---------------------------------------------------------------- deals and transactions


def _deals(table: Table) -> str:
    """Say how many public deals there are, and how many were broken."""
    counted = {
        "waiting for an answer": sum(deal.status == "proposed" for deal in table.deals.values()),
        "binding": table.deal_tally.binding,
        "promises": table.deal_tally.promises,
        "promises broken": table.deal_tally.broken,
    }
    counts = ", ".join(f"{what} {count}" for what, count in counted.items() if count)
    return f"Deals at this table: {counts or 'none'}."


def _with_terms(table: Table) -> str:
    offers = [f"#{offer.number}" for offer in table.open_offers() if offer.has_terms and not offer.private]
    return f"Open offers with terms: {_list(offers)}."


def _with_binding_terms(table: Table) -> str:
    found = (each for each in table.open_offers() if each.terms_now and not each.terms_card and not each.private)
    return f"Open offers with terms that bind: {_list(f'#{each.number}' for each in found)}."


def _resolved(table: Table) -> str:
    return f"Transactions resolved at this table: {table.transactions}."


# ---------------------------------------------------------------- lists


def _count(seat: Seat, token: str) -> int:
    return seat.holdings.count(token)


def _some(goods: Goods) -> str:
    return describe(goods) if goods else ""


def _untracked(table: Table) -> str:
    return "" if table.tracked else "This table does not keep count of holdings."


def _each(table: Table, title: str, described: Callable[[Seat], str]) -> str:
    """Describe each seat. Seats with an empty description are left out."""
    seats = (f"<seat:{seat.id}> {what}" for seat in table.seats.values() if (what := described(seat)))
    return _untracked(table) or f"{title}: {_list(seats)}."


def _pairs(pairs: Iterable[Pair]) -> str:
    return _list(f"<seat:{first}> and <seat:{second}>" for first, second in sorted(pairs))


def _seats(seats: Iterable[str]) -> str:
    return _list((f"<seat:{seat}>" for seat in seats), none="nobody")


def _list(parts: Iterable[str], none: str = "none", most: int = LISTED) -> str:
    every = list(parts)
    more = f"; and {len(every) - most} more" if len(every) > most else ""
    return f"{'; '.join(every[:most])}{more}" if every else none


def _harmless(text: str) -> str:
    """Mark text that a player typed, so that nothing in it is read as markup."""
    return text.replace("<", "‹").replace(">", "›")


# ---------------------------------------------------------------- the status under each rule

_TURN: tuple[Status, ...] = (_now, _still_can)
_AGENDA: tuple[Status, ...] = (_now, _traded, _pairs_left)
_HACAN = _faction("hacan", "Hacan")
_CARDS = _open("Action cards", "action_card")
_CAPTURED = _open("Captured units", "captured")
_FRAGMENTS = _open("Relic fragments", "fragment")
_RELICS = _open("Relics", "relic")
_MONEY = _open("Everybody sees", "trade_good", "commodity", "fragment")

BY_RULE: dict[str, tuple[Status, ...]] = {
    "94.1": (*_TURN, _traded, _permits("neighbors", "limit", "window"), _warns),
    "94.1.1": (_now, _combat),
    "94.2": (_MONEY, _permits("notes"), _warns),
    "94.3": (_permits("goods"), _warns),
    "94.3.1": (_HACAN, _CARDS, _permits("goods")),
    "94.4": (_resolved,),
    "94.4.1": (_resolved,),
    "94.5": (_with_terms,),
    "94.6": (*_AGENDA, _permits("limit", "window"), _warns),
    "94.6.1": _AGENDA,
    "94 note 1": (_FRAGMENTS, _RELICS, _permits("goods")),
    "94 note 2": (_CAPTURED,),
    "94 note 3": (*_TURN, _neighbors),
    "94 note 3.1": (_now, _parted),
    "94 note 3.2": (_now, _combat),
    "94 note 4": (_now, _traded, _permits("limit")),
    "94 note 5": _AGENDA,
    "21.1": (_MONEY,),
    "21.2": (_commodities, _permits("commodities")),
    "21.3": (_commodities, _room, _permits("commodities")),
    "21.4": (_room,),
    "21.5": (_commodities,),
    "21.5.1": (_MONEY,),
    "21.5.2": (_commodities, _room),
    "21.5.3": (_commodities,),
    "21.6": (_commodities,),
    "21.7": (_commodities,),
    "21.8": (_tokens,),
    "21 note 1": (_commodities,),
    "21 note 2": (_commodities,),
    "28.1": (_deals, _now, _with_terms),
    "28.2": (_deals, _with_binding_terms),
    "28.3": (_deals, _with_binding_terms),
    "28.3.1": (_deals,),
    "28.4": (_deals,),
    "D1": (_deals,),
    "D2": (_now, _with_terms),
    "D3": (_deals,),
    "D4": (_deals,),
    "D5": (_deals,),
    "D6": (_deals,),
    "F1": (_now,),
    "F2": (_HACAN, _now),
    "2.4": (_hands,),
    "12.2": (_in_play("terraform"),),
    "17.4": (_CAPTURED,),
    "22": (_now, _combat),
    "33.1": (_out,),
    "33.2": (_out,),
    "33.3": (_out,),
    "33.4": (_out,),
    "33.4.1": (_out,),
    "33.5": (_out,),
    "33.10.4": (_out, _in_play("terraform")),
    "33.11": (_out,),
    "35.9": (_FRAGMENTS,),
    "60.1": (_neighbors, _combat),
    "69.1": (_now, _combat, _notes_in_play),
    "69.1.1": (_commodities,),
    "69.3": (_notes_in_play, _now),
    "69.4.1": (_notes_in_play,),
    "69.5": (_notes_in_play,),
    "69.5.1": (_notes_in_play,),
    "69.7": (_out,),
    "69.7.1": (_out,),
    "Guild Ships": (_HACAN, _now),
    "Trade Convoys": (_in_play("trade_convoys"),),
    "Space stations": (_has("station"), _commodities),
    "Hubris": (_faction("mahact", "Mahact"),),
    "Pride of Kenara": (_HACAN, _open("Planets", "planet"), _combat),
    "Demilitarized Zone": (_open("Such planets", "zone"), _now),
    "The Silver Flame": (_has("relic:The Silver Flame"),),
    "Dynamis Core": (_has("relic:Dynamis Core"), _commodities),
    "Trade Agreement": (_commodities,),
    "Support for the Throne": (_in_play("support_for_the_throne"),),
    "Alliance": (_in_play("alliance"),),
    "Pillage": (_faction("mentak", "Mentak"), _pillaged),
    "Promise of Protection": (_in_play("promise_of_protection"),),
    "Dark Pact": (_in_play("dark_pact"), _commodities),
    "Lie in Wait": (_neighbors,),
    "Malevolency": (_now, _neighbors),
    **{card.name: (_in_force(card.id),) for card in permit_cards().values()},
}
"""The status functions for each rule, by its number. Rules without a status are missing."""
