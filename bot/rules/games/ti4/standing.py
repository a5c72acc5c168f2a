"""Where a table stands towards a rule now: whose turn it is, which pairs have traded, what lies open before whom.

Says only what everybody at the table may know: never what a hand holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from bot.rules.deals import binds
from bot.rules.games.ti4.components import COMMODITY, TRADE_GOOD, note_owner, tell, tokens
from bot.rules.games.ti4.holdings import commodity_value, open_goods
from bot.rules.games.ti4.permits import has
from bot.rules.games.ti4.state import Lift, active_seat, are_neighbors, in_combat, state_of
from bot.rules.goods import NOTHING, Goods
from bot.rules.table import Deal, Pair, Seat, Table, pair

LISTED, PERMITS_LISTED = 12, 4
"""The most entries of a list, and of one in which each has its reason; the rest is counted."""


def standing(table: Table, number: str) -> str:
    """Where this table stands towards the rule of this number, in a few sentences; empty where there is no saying."""
    tellers = TOLD.get(number, ())
    return " ".join(told for teller in tellers if (told := teller(table)))


# ---------------------------------------------------------------- turns, pairs, agendas


def _now(table: Table) -> str:
    active = active_seat(table)
    if active is not None:
        return f"It is <seat:{active}>'s turn."
    if table.window.kind == "agenda":
        return f"An agenda is being resolved{_title(table)}."
    waits = {"action": "; nobody's turn is under way", "agenda": "; no agenda is being resolved"}
    return f"It is the {table.phase} phase{waits.get(table.phase, '')}."


def _title(table: Table) -> str:
    return f": {_said(title)}" if (title := state_of(table).agenda) else ""


def _traded(table: Table) -> str:
    """Which pairs have had their transaction in this turn or agenda."""
    if table.window.kind == "none":
        return ""
    span = "for this agenda" if table.window.kind == "agenda" else "this turn"
    return f"Have traded {span}: {_pairs(table.window.used)}."


def _still_can(table: Table) -> str:
    """Of the active player's neighbours, those that have not traded with them this turn."""
    active = active_seat(table)
    if active is None:
        return ""
    left = [
        other
        for other in _others(table, active)
        if (are_neighbors(table, active, other) or in_combat(table, active, other))
        and pair(active, other) not in table.window.used
    ]
    return f"Neighbours that <seat:{active}> has not traded with this turn: {_seats(left)}."


def _pairs_left(table: Table) -> str:
    if table.window.kind != "agenda":
        return ""
    left = [two for two in combinations(_sitting(table), 2) if pair(*two) not in table.window.used]
    return f"Pairs that still can: {len(left)}."


def _neighbors(table: Table) -> str:
    return f"Neighbours: {_pairs(state_of(table).neighbors)}."


def _parted(table: Table) -> str:
    both = state_of(table).parted & table.window.used
    return f"Have traded and parted this turn: {_pairs(both)}."


def _combat(table: Table) -> str:
    return f"In combat: {_pairs(state_of(table).combat)}."


def _permits(*lifts: Lift) -> Callable[[Table], str]:
    def told(table: Table) -> str:
        granted = [permit for permit in state_of(table).permits if permit.lifts in lifts]
        each = (
            f"<seat:{permit.pair[0]}> and <seat:{permit.pair[1]}> need not mind {_lifted(permit.lifts)}"
            f"{' once' if permit.once else ''} ({_said(permit.reason)})"
            for permit in granted
        )
        return f"Permits of the host: {_list(each, most=PERMITS_LISTED)}." if granted else ""

    return told


def _lifted(lift: Lift) -> str:
    return {
        "neighbors": "being neighbours",
        "limit": "having traded already",
        "window": "whose turn it is",
        "goods": "what can change hands",
    }[lift]


def _warns(table: Table) -> str:
    return "This table only warns of what the rules forbid." if table.settings.rulings == "warn" else ""


# ---------------------------------------------------------------- what lies open


def _commodities(table: Table) -> str:
    return _each(table, "Commodities", lambda seat: f"{_count(seat, COMMODITY)} of {commodity_value(table, seat.id)}")


def _room(table: Table) -> str:
    return _each(
        table,
        "Replenishing would now bring",
        lambda seat: str(max(0, commodity_value(table, seat.id) - _count(seat, COMMODITY))),
    )


def _tokens(table: Table) -> str:
    def told(seat: Seat) -> str:
        return f"{tokens(_count(seat, TRADE_GOOD))} and {tokens(_count(seat, COMMODITY))}"

    return _each(table, "Tokens as trade goods and as commodities", told)


def _open(title: str, *kinds: str) -> Callable[[Table], str]:
    """What lies open before each seat, of these kinds; those who have none are left out."""

    def told(table: Table) -> str:
        return _each(table, title, lambda seat: _told(open_goods(seat.holdings).of_kind(*kinds)))

    return told


def _notes_in_play(table: Table) -> str:
    return _each(table, "Notes in play", lambda seat: _told(seat.in_play))


def _in_play(note: str) -> Callable[[Table], str]:
    def told(table: Table) -> str:
        return _each(
            table,
            "In play",
            lambda seat: _told(Goods({token: 1 for token in seat.in_play if note_owner(token)[0] == note})),
        )

    return told


def _has(held: str) -> Callable[[Table], str]:
    """Who has this card or token before them."""

    def told(table: Table) -> str:
        having = [seat.id for seat in table.seats.values() if has(seat, held)]
        return _tracked(table) or f"Who has it: {_seats(having)}."

    return told


def _faction(id: str, name: str) -> Callable[[Table], str]:
    """Whether a faction is played here, and by whom."""

    def told(table: Table) -> str:
        return f"<seat:{id}> plays {name} here." if id in _sitting(table) else f"Nobody plays {name} here."

    return told


def _pillaged(table: Table) -> str:
    if "mentak" not in table.seats:
        return ""
    near = [seat for seat in _others(table, "mentak") if are_neighbors(table, "mentak", seat)]
    return f"Their neighbours: {_seats(near)}."


# ---------------------------------------------------------------- deals and transactions


def _deals(table: Table) -> str:
    """How many deals there are and how they stand; deals are public."""
    every = table.deals.values()
    counted = {
        "waiting for an answer": sum(deal.status == "proposed" for deal in every),
        "binding": sum(deal.status == "agreed" and binds(deal) for deal in every),
        "promises": sum(_promised(deal) for deal in every),
        "promises broken": sum(_promised(deal) and "broken" in deal.marks.values() for deal in every),
    }
    told = ", ".join(f"{what} {count}" for what, count in counted.items() if count)
    return f"Deals at this table: {told or 'none'}."


def _promised(deal: Deal) -> bool:
    return deal.status == "agreed" and not binds(deal)


def _with_terms(table: Table) -> str:
    offers = [f"#{offer.number}" for offer in table.open_offers() if offer.terms and offer.shown_to(None)]
    return f"Open offers with terms: {_list(offers)}."


def _resolved(table: Table) -> str:
    return f"Transactions resolved at this table: {table.transactions}."


# ---------------------------------------------------------------- telling


def _sitting(table: Table) -> list[str]:
    return [seat.id for seat in table.seats.values() if seat.person is not None]


def _others(table: Table, seat: str) -> list[str]:
    return [other for other in _sitting(table) if other != seat]


def _count(seat: Seat, token: str) -> int:
    return seat.holdings.count(token)


def _told(goods: Goods) -> str:
    return tell(goods) if goods != NOTHING else ""


def _tracked(table: Table) -> str:
    return "This table does not keep count of holdings." if table.settings.inventory == "untracked" else ""


def _each(table: Table, title: str, told: Callable[[Seat], str]) -> str:
    """Something of each seat, those left out of which there is nothing to tell."""
    if not_counted := _tracked(table):
        return not_counted
    return f"{title}: {_list(f'<seat:{seat.id}> {what}' for seat in table.seats.values() if (what := told(seat)))}."


def _pairs(pairs: Iterable[Pair]) -> str:
    return _list(f"<seat:{first}> and <seat:{second}>" for first, second in sorted(pairs))


def _seats(seats: Iterable[str]) -> str:
    return _list((f"<seat:{seat}>" for seat in seats), none="nobody")


def _list(parts: Iterable[str], none: str = "none", most: int = LISTED) -> str:
    every = list(parts)
    more = f"; and {len(every) - most} more" if len(every) > most else ""
    return f"{'; '.join(every[:most])}{more}" if every else none


def _said(text: str) -> str:
    """What somebody typed, so that nothing in it is taken for the name of a seat."""
    return text.replace("<", "‹").replace(">", "›")


# ---------------------------------------------------------------- which rule asks for what

Teller = Callable[[Table], str]

_TURN: tuple[Teller, ...] = (_now, _still_can)
_AGENDA: tuple[Teller, ...] = (_now, _traded, _pairs_left)
_HACAN = _faction("hacan", "Hacan")
_CARDS = _open("Action cards", "action_card")
_CAPTURED = _open("Captured units", "captured")
_FRAGMENTS = _open("Relic fragments", "fragment")
_RELICS = _open("Relics", "relic")
_MONEY = _open("Lies open", "trade_good", "commodity", "fragment")

TOLD: dict[str, tuple[Teller, ...]] = {
    "94.1": (*_TURN, _traded, _permits("neighbors", "limit", "window"), _warns),
    "94.1.1": (_now, _combat),
    "94.2": (_MONEY, _warns),
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
    "21.2": (_commodities,),
    "21.3": (_commodities, _room),
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
    "D1": (_deals,),
    "D2": (_now, _with_terms),
    "D3": (_deals,),
    "D4": (_deals,),
    "D5": (_deals,),
    "D6": (_deals,),
    "F1": (_now,),
    "F2": (_HACAN, _now),
    "17.4": (_CAPTURED,),
    "35.9": (_FRAGMENTS,),
    "60.1": (_neighbors, _combat),
    "69.1": (_notes_in_play,),
    "69.5": (_notes_in_play,),
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
}
"""What is told of the table beside each rule; nothing where the rule says all there is."""
