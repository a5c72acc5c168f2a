"""Rule 29: after trading, all calamities are shown, and some take effect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bot.api import (
    Action,
    Caller,
    Change,
    Command,
    Entry,
    EntryView,
    Feature,
    GoodsMoved,
    PhaseSet,
    Refused,
    Table,
    button,
    part,
    require_seat_or_host,
    require_tracked,
    with_part,
)
from bot.games.advciv.cards import calamity_of, card_of
from bot.games.advciv.chance import current_seed, picked
from bot.games.advciv.drawing import require_all_drawn
from bot.games.advciv.passing import Passed, trader
from bot.games.advciv.stacks import set_aside
from bot.games.advciv.state import ACQUIRE, AFTER, Calamities, Shown, dealt, state_of, trading
from data.advciv import CALAMITIES_MAX

NEVER = "30.52"
"""The rule that some nations are never the primary victim of some calamities."""


@dataclass(frozen=True, slots=True)
class SeeCalamities(Action):
    """The board's button **Show calamities**: shows them to all, or repeats them for the presser."""

    name = "advciv.calamities"


@dataclass(frozen=True, slots=True)
class ShowCalamities(Command):
    """Show everybody's calamities after trading [29.3]. ``anyway``: even if somebody still has cards to draw."""

    kind = "advciv.calamities.show"
    anyway: bool = False

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        """Raises `Refused` unless a player or host asks, for a second time in a turn, by 29.3 before trading is over,
        and by 27.1 while somebody still has cards to draw, unless ``anyway``.
        """
        require_tracked(table)
        require_seat_or_host(table, caller)
        if part(table, Calamities).shown is not None:
            raise Refused("", "The calamities of this turn have been shown.", "/calamities show lists them again.")
        if table.phase != AFTER:
            now = "Trading is still open" if trading(table) else "There has been no trading this turn"
            raise Refused("29.3", f"{now}. Calamities are shown when trading is over.", "Until then they stay hidden.")
        if dealt(table) and not self.anyway:
            require_all_drawn(
                table, "27.1", "They can draw until calamities are shown. Not waiting? /calamities show anyway:yes.",
                button("Show anyway", table, ShowCalamities(anyway=True)),
            )  # fmt: skip
        # The choice follows from the seed, so that it can be verified when the table has closed.
        return [_calamities_entry(table, current_seed(table, caller.chance))]


class CalamitiesShown(GoodsMoved):
    """All calamities were shown after trading [29.3].

    ``effects`` take effect, in order [29.6]. ``spared`` go back without effect: they exceed the limit of one player
    [29.5], or their holder's nation never suffers them [30.52].
    """

    kind: Literal["advciv.cards.calamities"] = "advciv.cards.calamities"
    effects: tuple[Shown, ...]
    spared: tuple[Shown, ...] = ()

    def seats(self) -> frozenset[str]:
        """Return the seats that held a calamity."""
        return frozenset(each.seat for each in (*self.effects, *self.spared))

    def sentence(self, ruler: str) -> str:
        return "\n".join(describe_calamities(self.effects, self.spared))

    def apply(self, table: Table) -> Table:
        return set_aside(with_part(super().apply(table), Calamities(self.effects, self.spared)), self)


def _calamities_entry(table: Table, seed: str) -> CalamitiesShown:
    """Return the entry that shows all calamities in hands, in the order of resolution [29.6].

    At most two calamities of a player take effect; the seed picks them if there are more [29.5]. Calamities that the
    nation can't suffer [30.52] don't count. The entry names the player who traded a calamity to its victim only if that
    changes its effect; everything else about trades stays secret.
    """
    holders = [seat for seat in table.seats.values() if seat.holdings.of_kind("calamity")]
    paths, turn = part(table, Passed).paths, state_of(table).turn
    effects: list[Shown] = []
    spared: list[Shown] = []
    for seat in holders:
        never = [token for token in seat.holdings.of_kind("calamity") if seat.id in calamity_of(token).never]
        held = [token for token in seat.holdings.of_kind("calamity") if token not in never]
        stay = picked(held, CALAMITIES_MAX, f"{seed}:calamities:{turn}:{seat.id}")
        for token in seat.holdings.of_kind("calamity"):
            if token in stay:
                by = trader(paths, token, seat.id) if calamity_of(token).trader_matters else None
                effects.append(Shown(token, seat.id, by))
            else:
                spared.append(Shown(token, seat.id, never=token in never))
    return CalamitiesShown(
        effects=tuple(sorted(effects, key=_order)), spared=tuple(sorted(spared, key=_order)),
        changes={seat.id: Change(lost=seat.holdings.of_kind("calamity")) for seat in holders},
    )  # fmt: skip


def _order(one: Shown) -> int:
    """Return the sort key for the order of resolution [29.6]."""
    return calamity_of(one.calamity).order


def verify(table: Table, entry: Entry) -> str:
    """Return a fault if the calamities that take effect are not those that the seed picks; else empty."""
    seed = current_seed(table, "") if isinstance(entry, CalamitiesShown) else ""
    wrong = bool(seed) and entry != _calamities_entry(table, seed)
    return "the calamities that take effect are not those that the seed picks" if wrong else ""


# ---------------------------------------------------------------- descriptions


def shown_this_turn(views: Iterable[EntryView]) -> EntryView | None:
    """Return the entry that showed the calamities of this turn; None for none. ``views`` are oldest first."""
    shown: EntryView | None = None
    for view in views:
        match view.entry:
            case CalamitiesShown():
                shown = view
            case PhaseSet(phase=phase) if phase == ACQUIRE:
                shown = None
    return shown


def describe_calamities(effects: tuple[Shown, ...], spared: tuple[Shown, ...], *, reminded: bool = True) -> list[str]:
    """Describe each calamity and its victim, in order of resolution, then those without effect.

    The text names the trader only if that changes the effect. ``reminded``: add a reminder of what each does.
    """
    if not effects and not spared:
        return ["Nobody has a calamity."]
    lines = [
        f"{number}. {_effect_line(one)} {calamity_of(one.calamity).reminder if reminded else ''}".rstrip()
        for number, one in enumerate(effects, start=1)
    ]
    return [*lines, *(f"Without effect, since {_why_spared(one)}: {_whose(one)}." for one in spared)]


def _why_spared(one: Shown) -> str:
    if one.never:
        return f"<faction:{one.seat}> can't be its primary victim [{NEVER}]"
    return "a player suffers two at most [29.5]"


def _effect_line(one: Shown) -> str:
    card = calamity_of(one.calamity)
    if card.tradable and not card.trader_matters:
        return f"{_whose(one)}."
    came = f"traded to them by <seat:{one.trader}> [29.61]" if one.trader else "drawn, and never traded"
    return f"{_whose(one)}, {came}."


def _whose(one: Shown) -> str:
    return f"**{card_of(one.calamity).name}**: <player:{one.seat}>"


FEATURE = Feature(state=Calamities, commands=(ShowCalamities,), entries=(CalamitiesShown,), opens=(SeeCalamities,))
