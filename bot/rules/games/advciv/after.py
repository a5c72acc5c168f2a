"""After trading: calamities are shown [29.3], cards are turned in [31.1], and the next turn begins."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.entries import Entry
from bot.rules.games.advciv import cards, sets, stacks
from bot.rules.games.advciv.commands import ShowCalamities, SurrenderCards
from bot.rules.games.advciv.entries import CalamitiesShown, CardsSurrendered
from bot.rules.games.advciv.stacks import picked, restored
from bot.rules.games.advciv.state import Shown, seated, state_of, trading
from bot.rules.ruling import Refused
from bot.rules.seats import own_seat, require_tracked, rules_the_table
from bot.rules.table import Change, Table
from data import CALAMITIES_MOST, HAND_LIMIT, Calamity

AFTER, ACQUIRE = "after", "acquire"


def show_calamities(table: Table, command: ShowCalamities) -> Iterable[Entry]:
    """29.3: when trading is over, whoever has a calamity shows it. 29.5: two a player at most, as chance has it."""
    require_tracked(table)
    state = state_of(table)
    if table.seat_of(command.by) is None and not rules_the_table(table, command):
        raise Refused("", "You have no seat at this table.", "Take one with /table sit.")
    if state.shown is not None:
        raise Refused("", "The calamities of this turn have been shown.", "/calamities show tells them again.")
    if table.phase != AFTER:
        now = "Trading is still open" if trading(table) else "There has been no trading this turn"
        raise Refused("29.3", f"{now}, and calamities are shown when it is over.", "Until then they stay hidden.")
    return [_shown(table, state.seed or command.chance)]


def doubts(table: Table, entry: Entry) -> str:
    """Whether chance was left alone: in the stacks, and in which calamities take effect; empty when it was."""
    if isinstance(entry, CalamitiesShown) and (seed := state_of(table).seed) and entry != _shown(table, seed):
        return "the calamities that take effect are not those that the seed picks"
    return stacks.doubts(table, entry)


def _shown(table: Table, seed: str) -> CalamitiesShown:
    """All calamities in hands; 29.5: of more than two in one, the seed picks those that take effect."""
    state = state_of(table)
    effects: list[Shown] = []
    spared: list[Shown] = []
    for seat in table.seats.values():
        held = list(seat.holdings.of_kind("calamity"))
        stay = set(picked(held, CALAMITIES_MOST, f"{seed}:calamities:{state.turn}:{seat.id}"))
        for token in held:
            one = Shown(calamity=token, seat=seat.id, trader=state.traders.get(token))
            (effects if token in stay else spared).append(one)
    lost = {seat.id: goods for seat in table.seats.values() if (goods := seat.holdings.of_kind("calamity"))}
    return CalamitiesShown(
        effects=tuple(sorted(effects, key=_order)), spared=tuple(sorted(spared, key=_order)),
        changes={seat: Change(lost=goods) for seat, goods in lost.items()},
    )  # fmt: skip


def _order(one: Shown) -> int:
    """29.6: in which order calamities are resolved."""
    card = cards.card_of(one.calamity)
    assert isinstance(card, Calamity)
    return card.order


def surrender(table: Table, command: SurrenderCards) -> Iterable[Entry]:
    """31.1: commodity cards are turned in after trading, and 31.71: shown. 31.72: calamities can't be."""
    require_tracked(table)
    seat, state, given = own_seat(table, command), state_of(table), command.cards
    if table.phase != AFTER:
        raise Refused("31.1", "Cards are turned in after trading.", "Until then they stay in hand.")
    if calamities := given.of_kind("calamity"):
        raise Refused(
            "31.72", f"{cards.tell(calamities)} can't be turned in: it is resolved.", "/calamities show shows them all."
        )
    if not given or (no_card := given.without_kind("commodity")):
        what = cards.tell(no_card) if given else "nothing"
        raise Refused("", f"You can't turn in {what}.", "Name commodity cards: 3 salt, grain.")
    if missing := seat.holdings.missing(given):
        raise Refused("", f"You don't have {cards.tell(missing)}.", "/cards hand tells what you have.")
    mining = ""
    if command.mining:
        if seat.id in state.mined:
            raise Refused("28.53", "You have used Mining this turn.", "It counts for one set, once a turn.")
        mining = sets.mined(given, command.mining)
    return [
        CardsSurrendered(
            seat=seat.id, changes={seat.id: Change(lost=given)}, worth=sets.worth(given, mining), mining=mining
        )
    ]


def over_limit(table: Table, seat: str) -> int:
    """31.71: how many commodity cards this seat has beyond what may be kept."""
    return max(0, table.seats[seat].holdings.of_kind("commodity").total() - HAND_LIMIT)


def before_phase(table: Table, phase: str) -> Iterable[Entry]:
    """What must have been done before a phase begins, and what is done then. Raises `Refused`."""
    if phase == table.phase and (phase != "trade" or trading(table)):
        raise Refused("", f"The {phase} phase is under way already.", "Name another.")
    if phase != ACQUIRE or table.settings.inventory == "untracked":
        return []
    if state_of(table).shown is None:
        raise Refused(
            "29.3", "Before the next turn, everybody shows their calamities.", "When trading is over: /calamities show."
        )
    if over := [seat for seat in seated(table) if over_limit(table, seat)]:
        who = ", ".join(f"<seat:{seat}>" for seat in over)
        raise Refused(
            "31.71", f"{who} would keep more than {HAND_LIMIT} commodity cards.",
            "They choose which go: /cards surrender.",
        )  # fmt: skip
    return restored(table)
