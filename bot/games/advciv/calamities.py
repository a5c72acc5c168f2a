"""Rule 29: when trading is over, all calamities are shown, and some take effect."""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import Caller, Change, Entry, LabelledAction, Refused, Seat, Table, require_seat_or_host, require_tracked
from bot.games.advciv import passing, picks, stacks
from bot.games.advciv.actions import BoardAction
from bot.games.advciv.cards import calamity_of
from bot.games.advciv.commands import ShowCalamities
from bot.games.advciv.entries import CalamitiesShown
from bot.games.advciv.order import require_all_drawn
from bot.games.advciv.seeds import current_seed
from bot.games.advciv.state import AFTER, Shown, dealt, state_of, trading
from data.advciv import CALAMITIES_MAX


def show(table: Table, command: ShowCalamities, caller: Caller) -> Iterable[Entry]:
    """Show all calamities [29.3]. At most two of a player's take effect, picked by chance [29.5], and none that their
    nation can't suffer [30.52].

    Raises `Refused` for people without a seat, for a second time in a turn, by 29.3 until trading is over, and by 27.1,
    unless they say so, while somebody still has cards to draw.
    """
    require_tracked(table)
    require_seat_or_host(table, caller)
    if state_of(table).shown is not None:
        raise Refused("", "The calamities of this turn have been shown.", "/calamities show tells them again.")
    if table.phase != AFTER:
        now = "Trading is still open" if trading(table) else "There has been no trading this turn"
        raise Refused("29.3", f"{now}, and calamities are shown when it is over.", "Until then they stay hidden.")
    if dealt(table) and not command.anyway:
        require_all_drawn(
            table, "27.1", "They can until calamities are shown. Without them: /calamities show anyway:yes.",
            LabelledAction("Show anyway", BoardAction(table.id, "show_anyway")),
        )  # fmt: skip
    # The choice follows from the seed, so that it can be checked when the table has closed.
    return [_shown(table, current_seed(state_of(table), command.chance))]


def _shown(table: Table, seed: str) -> CalamitiesShown:
    """Return all calamities in hands, in the order in which they are resolved [29.6]."""
    holders = [seat for seat in table.seats.values() if seat.holdings.of_kind("calamity")]
    effects: list[Shown] = []
    spared: list[Shown] = []
    for seat in holders:
        stay = _effective(table, seat, seed)
        for token in seat.holdings.of_kind("calamity"):
            if token in stay:
                effects.append(Shown(token, seat.id, _trader(table, token, seat.id)))
            else:
                spared.append(Shown(token, seat.id, never=_never(token, seat.id)))
    return CalamitiesShown(
        effects=tuple(sorted(effects, key=_order)), spared=tuple(sorted(spared, key=_order)),
        changes={seat.id: Change(lost=seat.holdings.of_kind("calamity")) for seat in holders},
    )  # fmt: skip


def _trader(table: Table, token: str, victim: str) -> str | None:
    """Return who traded a calamity to its victim, where that changes what it does; the rest of a trade stays secret."""
    matters = calamity_of(token).trader_matters
    return passing.trader(state_of(table).paths, token, victim) if matters else None


def _never(token: str, seat: str) -> bool:
    """Return whether this nation can't be the primary victim of a calamity [30.52]."""
    return seat in calamity_of(token).never


def _effective(table: Table, seat: Seat, seed: str) -> frozenset[str]:
    """Return which of a hand's calamities take effect, picked by the seed where there are too many [29.5].

    One that this nation can't suffer is none of them, and so spares it no other.
    """
    held = [token for token in seat.holdings.of_kind("calamity") if not _never(token, seat.id)]
    return frozenset(stacks.picked(held, CALAMITIES_MAX, f"{seed}:calamities:{state_of(table).turn}:{seat.id}"))


def _order(one: Shown) -> int:
    """Return the place of a calamity among those that are resolved [29.6]."""
    return calamity_of(one.calamity).order


def verify_chance(table: Table, entry: Entry) -> str:
    """Return what is wrong with how chance was used, in the stacks or the calamities that take effect; else empty."""
    if isinstance(entry, CalamitiesShown):
        seed = current_seed(state_of(table), "")
        wrong = bool(seed) and entry != _shown(table, seed)
        return "the calamities that take effect are not those that the seed picks" if wrong else ""
    return picks.verify(table, entry) or stacks.verify(table, entry)
