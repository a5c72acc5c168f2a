"""Rule 29: after trading, all calamities are shown, and some take effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain

from bot.api import (
    Action,
    Apply,
    Caller,
    Change,
    Command,
    Corrected,
    Entry,
    EntryView,
    Feature,
    Gained,
    GoodsMoved,
    PhaseSet,
    Refused,
    Since,
    Table,
    agreed_deals,
    button,
    part,
    replace,
    require_seat_or_host,
    require_tracked,
    with_part,
    with_window,
)
from bot.api.chance import picked
from bot.games.advciv.cards import calamity_of
from bot.games.advciv.chance import current_seed
from bot.games.advciv.drawing import require_all_drawn
from bot.games.advciv.passing import Passed, trader
from bot.games.advciv.stacks import set_aside
from bot.games.advciv.state import (
    ACQUIRE,
    AFTER,
    UNKNOWN,
    Calamities,
    ShownCalamity,
    Status,
    dealt,
    require_now,
    state_of,
    trading,
)
from data.advciv import CALAMITIES_MAX

NEVER = "30.52"
"""The rule that some nations are never the primary victim of some calamities."""


class SeeCalamities(Action):
    """The board's button **Show calamities**: shows them to all, or repeats them for the
    presser.
    """

    name = "advciv.calamities"
    since: Since = None


class ShowCalamities(Command):
    """Show everybody's calamities after trading [29.3]. ``anyway``: even if somebody still has
    cards to draw. ``ask``: ask first if that ends an agreed deal [28.41], whose cards could still
    change hands. ``since``: what goes on.
    """

    kind = "advciv.calamities.show"
    anyway: bool = False
    ask: bool = False
    since: Since = None

    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        require_tracked(table)
        require_seat_or_host(table, caller)
        again = SeeCalamities(table.id, table.window.since)
        require_now(table, self.since, again, "Show calamities")
        if part(table, Calamities).shown is not None:
            raise Refused(
                "The calamities of this turn have been shown.",
                "/calamities show lists them again.",
            )
        if table.phase != AFTER:
            now = (
                "Trading is still open" if trading(table) else "There has been no trading this turn"
            )
            raise Refused(
                f"{now}. Calamities are shown when trading is over.",
                "Until then they stay hidden.",
                rule="29.3",
            )
        if self.ask and agreed_deals(table):
            raise Refused(
                "A deal is agreed, and its cards have not changed hands yet. Showing calamities "
                "ends it.",
                "You can wait a moment, or end it now.",
                options=(button("Show anyway", table, replace(self, ask=False)),),
                rule="28.41",
            )
        if dealt(table) and not self.anyway:
            require_all_drawn(
                table,
                "27.1",
                "Cards can be drawn until calamities are shown.",
                button("Show anyway", table, replace(self, anyway=True)),
            )
        # The choice follows from the seed: it can be verified when the table has closed.
        # Deals that were agreed on end now: trading can't open again.
        return [
            *with_window(table),
            _calamities_entry(table, current_seed(table, caller.chance), table.seats),
        ]


class CalamitiesShown(GoodsMoved):
    """All calamities were shown after trading [29.3].

    ``effects`` take effect, in order [29.6]. ``spared`` go back without effect: they exceed the
    limit of one player [29.5], or their holder's nation never suffers them [30.52]. There is
    another entry for calamities that come into a hand after the showing, as with physical cards.
    """

    kind = "advciv.cards.calamities"
    effects: tuple[ShownCalamity, ...]
    spared: tuple[ShownCalamity, ...] = ()

    def seats(self) -> frozenset[str]:
        """Return the seats that held a calamity."""
        return frozenset(each.seat for each in (*self.effects, *self.spared))

    def sentence(self, ruler: str) -> str:
        return "\n".join(describe_calamities(self.effects, self.spared))

    def apply(self, table: Table) -> Table:
        before = part(table, Calamities)
        shown = Calamities(
            _in_order(before.shown or (), self.effects), _in_order(before.spared, self.spared)
        )
        return set_aside(with_part(super().apply(table), shown), self)


def late(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Show calamities, too, that come into a hand after the showing: somebody typed them late
    [29.3].
    """
    after = reduce(apply, entries, table)
    seats = [entry.seat for entry in entries if isinstance(entry, Gained | Corrected)]
    if not seats or part(after, Calamities).shown is None:
        return entries
    shown = _calamities_entry(after, current_seed(after, caller.chance), seats)
    return (*entries, shown) if shown.changes else entries


def _calamities_entry(table: Table, seed: str, seats: Iterable[str]) -> CalamitiesShown:
    """Return the entry that shows all calamities in these hands, in the order of resolution [29.6].

    At most two calamities of a player take effect; the seed picks them if there are more [29.5].
    Calamities that the nation can't suffer [30.52] don't count. The entry names the player who
    traded a calamity to its victim only if that changes its effect; everything else about trades
    stays secret.
    """
    holders = [
        table.seats[seat] for seat in seats if table.seats[seat].holdings.of_kind("calamity")
    ]
    paths, turn = part(table, Passed).paths, state_of(table).turn
    suffered = Counter(shown.seat for shown in part(table, Calamities).shown or ())
    effects: list[ShownCalamity] = []
    spared: list[ShownCalamity] = []
    for seat in holders:
        never = [
            token
            for token in seat.holdings.of_kind("calamity")
            if seat.id in calamity_of(token).never
        ]
        held = [token for token in seat.holdings.of_kind("calamity") if token not in never]
        stay = picked(
            held, max(0, CALAMITIES_MAX - suffered[seat.id]), f"{seed}:calamities:{turn}:{seat.id}"
        )
        for token in seat.holdings.of_kind("calamity"):
            if token in stay:
                by = trader(paths, token, seat.id) if calamity_of(token).trader_matters else None
                effects.append(ShownCalamity(token, seat.id, by))
            else:
                spared.append(ShownCalamity(token, seat.id, never=token in never))
    return CalamitiesShown(
        effects=_in_order(effects),
        spared=_in_order(spared),
        changes={seat.id: Change(lost=seat.holdings.of_kind("calamity")) for seat in holders},
    )


def _in_order(*shown: Iterable[ShownCalamity]) -> tuple[ShownCalamity, ...]:
    """Return calamities in the order of resolution [29.6]."""
    return tuple(sorted(chain(*shown), key=lambda each: calamity_of(each.calamity).order))


def verify(table: Table, entry: Entry) -> str:
    """Return a fault if the calamities that take effect are not those that the seed picks; else
    empty.
    """
    if not isinstance(entry, CalamitiesShown) or not (seed := current_seed(table, "")):
        return ""
    seats = table.seats if part(table, Calamities).shown is None else entry.changes
    wrong = entry != _calamities_entry(table, seed, seats)
    return "the calamities that take effect are not those that the seed picks" if wrong else ""


# ---------------------------------------------------------------- descriptions


def shown_this_turn(views: Iterable[EntryView]) -> Calamities:
    """Return the calamities shown this turn. ``views`` are the entries of the table, oldest
    first.
    """
    now = Calamities()
    for view in views:
        match view.entry:
            case CalamitiesShown(effects=effects, spared=spared):
                now = Calamities(_in_order(now.shown or (), effects), _in_order(now.spared, spared))
            case PhaseSet(phase=phase) if phase == ACQUIRE:
                now = Calamities()
    return now


def describe_calamities(
    effects: tuple[ShownCalamity, ...], spared: tuple[ShownCalamity, ...], *, reminded: bool = True
) -> list[str]:
    """Describe each calamity and its victim, in order of resolution, then those without effect.

    The text names the trader only if that changes the effect. ``reminded``: add a reminder of what
    each does.
    """
    if not effects and not spared:
        return ["Nobody has a calamity."]
    claims: dict[str, list[ShownCalamity]] = {}
    for shown in (*effects, *spared):
        claims.setdefault(shown.calamity, []).append(shown)
    lines: list[str] = []
    for token in dict.fromkeys(shown.calamity for shown in effects):
        card = calamity_of(token)
        reminder = card.reminder
        if len(claims[token]) > 1:
            who = _disputed(claims[token])
        else:
            (shown,) = claims[token]
            who = f"<=player:{shown.seat}>{_how_it_came(shown)}"
            if shown.trader is None:
                reminder = card.untraded or card.reminder
        line = f"{len(lines) + 1}. **{card.name}**: {who}."
        lines.append(f"{line} {reminder}" if reminded else line)
    for shown in spared:
        never = f"<faction:{shown.seat}> can't be its primary victim [{NEVER}]"
        why = never if shown.never else "a player suffers two at most [29.5]"
        name = calamity_of(shown.calamity).name
        lines.append(f"Without effect, since {why}: **{name}**: <=player:{shown.seat}>.")
    return lines


def _disputed(claims: Sequence[ShownCalamity]) -> str:
    """Return who say that they have the same calamity. Whoever got it in a trade comes first."""
    names = []
    for shown in sorted(claims, key=lambda claim: claim.trader in (None, UNKNOWN)):
        how = "" if shown.trader in (None, UNKNOWN) else _how_it_came(shown)
        names.append(f"<=player:{shown.seat}>{how}")
    count = "two" if len(names) == 2 else str(len(names))
    return (
        f"{' or '.join(names)}: there is only one, and {count} say they have it, so the table "
        "says who [29.3]"
    )


def _how_it_came(shown: ShownCalamity) -> str:
    """Return from whom its victim has a calamity; empty if that changes nothing."""
    card = calamity_of(shown.calamity)
    if card.tradable and not card.trader_matters:
        return ""
    if shown.trader is None:
        return ", drawn, and never traded"
    if shown.trader == UNKNOWN:
        return ", I don't know from whom: the table says [29.61]"
    return f", traded to <them:{shown.seat}> by <seat:{shown.trader}> [29.61]"


def _calamities(table: Table) -> str:
    now = part(table, Calamities)
    if now.shown is None:
        return "The calamities of this turn have not been shown."
    return "\n" + "\n".join(describe_calamities(now.shown, now.spared, reminded=False))


STATUS: Status = dict.fromkeys(("29.3", "29.5", "29.6", "29.61", "30.52"), _calamities)

FEATURE = Feature(
    state=Calamities,
    commands=(ShowCalamities,),
    entries=(CalamitiesShown,),
    opens=(SeeCalamities,),
    hears=(Gained, Corrected),
    brings=late,
)
