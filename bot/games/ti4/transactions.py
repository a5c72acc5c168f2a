"""Rule 94, transactions, and rule 21.5, received commodities become trade goods.

`violations` returns everything that forbids a trade now. The docstring of each check cites its
rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, combinations
from typing import NamedTuple

from bot.api import (
    Change,
    GiversChoice,
    Goods,
    LabelledAction,
    Settlement,
    Table,
    Trade,
    Violation,
    kind_of,
    pair,
    part,
    replace,
    with_part,
)
from bot.games.ti4 import hand_limit, neighbors, notes, pillage, support_swaps
from bot.games.ti4.boxes import lacks, why_missing
from bot.games.ti4.components import (
    ANY_NOTE,
    COMMODITY,
    captured_unit,
    describe,
    describe_token,
    in_order,
    lying_before,
    note_named,
    public,
    secret,
    trade_goods,
    with_own_notes,
)
from bot.games.ti4.holdings import commodities_beyond
from bot.games.ti4.permits import covers, granted, lifts_goods, lifts_neighbors, that_lift
from bot.games.ti4.state import (
    Agenda,
    Combat,
    InForce,
    Map,
    Status,
    active_seat,
    are_neighbors,
    each_with,
    in_combat,
    listed,
    meet,
    pairs_listed,
    titled,
    voted_on,
)

NOTES_A_SIDE = 1
"""94.2: each side gives up to one promissory note."""

ON_A_TURN, ANOTHER_TURN = "on {other}'s turn, or yours", "on another turn of {other}, or yours"
"""When two players can trade, for one of them to read."""

FREE_KINDS = ("trade_good", "commodity", "note", "any", "fragment")
"""94.3: what players can exchange."""


def violations(table: Table, trade: Trade) -> list[Violation]:
    """Return everything that forbids this trade now, most important first.

    Without a second seat, checks that depend on it are skipped.
    """
    trade = _between(trade)
    checks: list[Check] = [_window]
    if trade.second:
        checks += (_neighbors, _one_per_turn)
    if trade.first_gives or trade.second_gives:
        checks += (_existing, _kinds, _notes, support_swaps.violations)
        checks += (hand_limit.violations, _must_have_goods)
    else:
        checks.append(_nothing)
    checks.append(pillage.violations)
    return list(chain.from_iterable(check(table, trade) for check in checks))


def remedy(table: Table, violation: Violation, offer: int, seat: str) -> tuple[LabelledAction, ...]:
    """Return the buttons by which a party of an offer can cure what forbids it."""
    if violation.action == pillage.HELD_BACK:
        return pillage.remedies(table, seat, violation.about)
    other = table.offers[offer].other(seat)
    claim = neighbors.remedy(table, violation, seat, other) if other else None
    return (replace(claim, label="We are neighbours now"),) if claim else ()


def settle(table: Table, trade: Trade) -> Settlement:
    """Return what each side loses and gains. Only the parties see which notes moved, unless the
    notes are public.
    """
    trade = _between(trade)
    changes: dict[str, Change] = {}
    hidden: dict[str, Change] = {}
    for giver, gives, _ in _sides(trade):
        gets = received(trade.gives(trade.other(giver)), giver)
        # A note such as Support for the Throne goes into play, unless its owner receives it.
        enters = lying_before(gets, giver)
        gains = enters.missing(gets)
        lost, gained = secret(gives), secret(gains)
        beyond = commodities_beyond(table, giver, gives, gains)
        changes[giver] = Change(
            lost=lost.missing(gives) + beyond, gained=gained.missing(gains), entered_play=enters
        )
        if lost or gained:
            hidden[giver] = Change(lost=lost, gained=gained)
    used = _used_up(table, trade)
    beside = any(
        permit.number in used and "limit" in permit.lifts for permit in part(table, InForce).permits
    )
    return Settlement(changes=changes, hidden=hidden, permits=used, counts=not beside)


def choice(table: Table, seat: str, gives: Goods) -> GiversChoice | None:
    """Return the notes in hand that this seat chooses from, where the offer leaves that to them;
    None where it doesn't.

    69.6: only the two learn which it was. A table that keeps no count leaves it to them altogether.
    """
    if not gives.count(ANY_NOTE) or not table.tracked:
        return None
    hand = in_order(table.seats[seat].holdings.of_kind("note"))
    others = gives.without_kind("any")
    question = "Which promissory note do you give? Only the two of you learn it."
    shown = sorted({note_named(token).name for token in hand if public(token)})
    if shown:
        question += f" Everybody sees {' or '.join(shown)}."
    return GiversChoice(question, "69.6", {token: others + Goods({token: 1}) for token in hand})


def _between(trade: Trade) -> Trade:
    """Return the trade with the notes of the two in place of "whoever's"."""
    first, second = (
        with_own_notes(trade.first_gives, trade.first),
        with_own_notes(trade.second_gives, trade.second),
    )
    if first is trade.first_gives and second is trade.second_gives:
        return trade
    return replace(trade, first_gives=first, second_gives=second)


def received(goods: Goods, receiver: str) -> Goods:
    """Return what goods become when another player receives them. 21.5: commodities become trade
    goods.

    Captured units go back to their owner's supply. Notes that are purged on receipt leave the game,
    and the trade goods that they bring come with them.
    """
    stays = {
        token: count
        for token, count in goods.without_kind(COMMODITY).items()
        if not notes.purged(token, receiver)
        and not (kind_of(token) == "captured" and captured_unit(token)[1] == receiver)
    }
    return Goods(stays) + trade_goods(goods.count(COMMODITY)) + notes.gained_with(goods, receiver)


def _used_up(table: Table, trade: Trade) -> tuple[int, ...]:
    """Return the single-use permits that this trade needs. If several would do, the oldest is used
    up.
    """
    # A permit is needed if more is forbidden without it. Try to drop newer permits first: the
    # oldest remains.
    once = [
        permit
        for permit in reversed(part(table, InForce).permits)
        if permit.once and covers(permit, trade)
    ]
    if not once:
        return ()
    forbidden, used = len(violations(table, trade)), list[int]()
    for permit in once:
        now = part(table, InForce)
        without = with_part(
            table, replace(now, permits=tuple(each for each in now.permits if each != permit))
        )
        if len(violations(without, trade)) > forbidden:
            used.append(permit.number)
        else:
            table = without
    return tuple(sorted(used))


# ---------------------------------------------------------------- the checks

Check = Callable[[Table, Trade], Iterable[Violation]]


class _Side(NamedTuple):
    """One side of a trade: who gives what to whom. Either seat is empty while nobody has accepted
    the offer.
    """

    giver: str
    goods: Goods
    receiver: str


def _sides(trade: Trade) -> tuple[_Side, _Side]:
    return (
        _Side(trade.first, trade.first_gives, trade.second),
        _Side(trade.second, trade.second_gives, trade.first),
    )


def _window(table: Table, trade: Trade) -> Iterable[Violation]:
    """94.1: in the action phase, the active player is a party. 94.6: in the agenda phase, an agenda
    is open.

    F2: with Hacan, either player may propose the trade; that makes no difference here.
    """
    active = table.window.holder
    if table.window.kind == "agenda" or granted(table, trade, "window"):
        return
    if table.window.kind == "turn":
        combat, two = part(table, Combat), (trade.first, trade.second)
        acts = combat.may_trade and combat.acting in two
        if trade.second and active not in two and not acts:
            hacan = ", Hacan or not [F2]" if "hacan" in (trade.first, trade.second) else ""
            yield Violation(
                "94.1",
                f"It is <seat:{active}>'s turn, and every trade now is with <them:{active}>.",
                f"You two can trade on a turn of either of you{hacan}.",
                when=ON_A_TURN,
            )
    elif table.phase == "action":
        yield Violation(
            "94.1",
            "Nobody's turn is under way.",
            "**Start my turn** on the board begins one.",
            when=ON_A_TURN,
        )
    elif table.phase == "agenda":
        yield Violation(
            "94.6",
            "No agenda is being resolved.",
            "Once one is revealed, each pair can trade.",
            when="while an agenda is being resolved",
        )
    else:
        yield Violation(
            "94.1",
            f"There are no transactions in the {table.phase} phase.",
            "Trade during a player's turn or while an agenda is being resolved.",
            when=ON_A_TURN,
        )


def _neighbors(table: Table, trade: Trade) -> Iterable[Violation]:
    """94.1: with each of their neighbors; 94 note 3.2: opponents in combat count. 94.6.1: not
    needed for an agenda.
    """
    if table.window.kind == "agenda" or are_neighbors(table, trade.first, trade.second):
        return
    if not in_combat(table, trade.first, trade.second) and not lifts_neighbors(table, trade):
        yield Violation(
            "94.1",
            f"<seat:{trade.first}> and <seat:{trade.second}> are not neighbours.",
            "Are the two neighbours on the board? **Neighbours changed** under **Menu** says so.",
            action=neighbors.NOT_NEIGHBORS,
            when="once you two are neighbours",
        )


def _one_per_turn(table: Table, trade: Trade) -> Iterable[Violation]:
    """94.1: up to one transaction with each neighbour per turn. 94.6: one with each other player
    per agenda.
    """
    two = pair(trade.first, trade.second)
    if two not in table.window.used or granted(table, trade, "limit"):
        return
    had = f"<seat:{trade.first}> and <seat:{trade.second}> have already had one transaction"
    if table.window.kind == "agenda":
        yield Violation(
            "94.6",
            f"{had} for this agenda.",
            "Both can trade again for the next agenda.",
            when="for another agenda",
        )
    elif two in part(table, Map).parted:
        yield Violation(
            "94 note 3.1",
            f"{had} this turn. Becoming neighbours again doesn't give a second one.",
            "Both can trade again on the next turn of either [94.1].",
            when=ANOTHER_TURN,
        )
    else:
        yield Violation(
            "94.1",
            f"{had} this turn, however many actions it has [94 note 4].",
            "Both can trade again on the next turn of either.",
            when=ANOTHER_TURN,
        )


def _nothing(table: Table, trade: Trade) -> Iterable[Violation]:
    """94.4: one side may give nothing, but not both."""
    yield Violation(
        "94.4",
        "Neither side gives anything.",
        "Name what you give, what you want, or both.",
        permanent=True,
    )


def _existing(table: Table, trade: Trade) -> Iterable[Violation]:
    """Only components of the boxes that the table plays with. Notes are checked against the hands
    instead.
    """
    for _, goods, _ in _sides(trade):
        for token in goods.without_kind("note", "any"):
            if box := lacks(token, table.settings):
                yield Violation("", *why_missing(token, box), permanent=True)


def _kinds(table: Table, trade: Trade) -> Iterable[Violation]:
    """94.3: only trade goods, commodities, promissory notes and relic fragments, unless an ability
    says otherwise.

    94 note 2 and 17.2: a captured ship or mech goes only to its owner; 17.4: fighters and infantry
    can't be given.
    """
    for giver, goods, receiver in _sides(trade):
        for token, count in goods.items():
            if kind_of(token) in FREE_KINDS or lifts_goods(table, token, trade, giver):
                continue
            what = describe(Goods({token: count}))
            if kind_of(token) != "captured":
                rule, reason, how = _BANS.get(kind_of(token), _ANY_OTHER)
                yield Violation(
                    rule, reason.format(what=what), how, permanent=kind_of(token) != "zone"
                )
                continue
            unit, owner = captured_unit(token)
            if unit in ("fighter", "infantry"):
                how = "Captured ships and mechs can."
                yield Violation(
                    "17.4", f"{what} can't be returned by a transaction.", how, permanent=True
                )
            elif receiver and owner != receiver:
                how = f"Its owner is <seat:{owner}>."
                yield Violation(
                    "94 note 2", f"{what} can only go back to its owner.", how, permanent=True
                )


_BANS = {
    "planet": (
        "94.3",
        "{what} can't be traded here.",
        "Hacan can give a planet with Pride of Kenara on it when not in combat [Pride of Kenara].",
    ),
    "zone": (
        "Demilitarized Zone",
        "{what} can't be traded now [94.3].",
        "While an agenda is being resolved, it can.",
    ),
    "relic": (
        "94 note 1",
        "{what} can't be traded: relics stay with their player.",
        "Relic fragments can.",
    ),
    "played": ("69.5.1", "{what} can't be traded.", "Notes in hand can."),
    "action_card": (
        "94.3",
        "Action cards can't be traded here.",
        "Only in a transaction with the Emirates of Hacan [94.3.1].",
    ),
    "secret_objective": (
        "94.3",
        "Secret objectives can't be traded here.",
        "With Black Market Dealings two players can trade them: the host says so, "
        "**Permit…** under **Menu**, **Host…** [Black Market Dealings].",
    ),
}
"""Why components of a kind can't be traded: the rule, the reason with the goods in place of
``{what}``, what can be.
"""

_ANY_OTHER = (
    "94.3",
    "{what} can't be traded.",
    "Trade goods, commodities, promissory notes and relic fragments can.",
)


def _notes(table: Table, trade: Trade) -> Iterable[Violation]:
    """94.2: up to one promissory note from each side. Hubris: nobody may give Mahact an
    Alliance.
    """
    left_open = [side for side in _sides(trade) if side.goods.count(ANY_NOTE)]
    if left_open and (len(left_open) > 1 or not trade.second):
        yield Violation(
            "",
            "A note that its giver chooses is for one side of an offer to one player.",
            # nobody could pick it, wherever rules only warn
            "Name one of the notes.",
            permanent=True,
            short=True,
        )
    for side in _sides(trade):
        found = side.goods.of_kind("note", "any")
        if not found:
            continue
        for token in found.of_kind("note"):
            if side.receiver and side.receiver in note_named(token).never_to:
                yield Violation(
                    "Hubris",
                    f"Nobody can give <seat:{side.receiver}> {describe_token(token)}.",
                    "Try another note.",
                    permanent=True,
                )
        count = found.total()
        if count > NOTES_A_SIDE and not granted(table, trade, "notes"):
            who = f"<seat:{side.giver}> would give" if side.giver else "One side would give"
            yield Violation(
                "94.2",
                f"{who} {count} promissory notes.",
                "Each side can give one.",
                permanent=True,
            )


def _must_have_goods(table: Table, trade: Trade) -> Iterable[Violation]:
    """94.2: players give what they have before the trade, not what they receive in it. 69.5: notes
    in play don't count.

    Everybody may know that open goods are missing, but only the giver may know it of notes.
    """
    for giver, goods, receiver in _sides(trade) if table.tracked else ():
        if not giver:
            continue
        holdings = table.seats[giver].holdings
        missing = holdings.missing(goods.without_kind("any"))
        if goods.count(ANY_NOTE) and not holdings.of_kind("note"):
            yield Violation(
                "94.2",
                f"<seat:{giver}> has no promissory note in hand.",
                "Notes in play don't count.",
                short=True,
                about=giver,  # their number is public
            )
        if missing:
            yield from _missing(table, giver, receiver, missing)


def _missing(table: Table, giver: str, receiver: str, missing: Goods) -> Iterable[Violation]:
    """Say of goods that the giver does not hold whether they are in play, or where they are."""
    # in play, for all to see
    lies = dict[str, str]()
    for seat in table.seats.values():
        lies |= dict.fromkeys(seat.in_play, seat.id)
    in_play = Goods({token: 1 for token in missing if token in lies})
    if in_play:
        before = {lies[token] for token in in_play} - {giver}
        where = f" before <seat:{before.pop()}>" if len(before) == 1 else ""
        violation = Violation(
            "69.5",
            f"{describe(in_play)} is in play{where}, and only notes in hand can be traded.",
            "It can be traded once it has gone back to its owner.",
            short=True,
            about=giver,
        )
        if all(public(token) for token in in_play):
            yield violation
        else:
            # All see it lie there, but only the two know that the offer names it.
            yield from violation.for_each(giver, receiver)
    nowhere = in_play.missing(missing)
    never_held = lying_before(nowhere, giver)
    if never_held:
        yield Violation(
            "69.5",
            f"Only its owner ever has {describe(never_held)} in hand.",
            "It goes into play on receipt, for all to see.",
            short=True,
        )
    perhaps_held = never_held.missing(nowhere)
    for lacking, known_to in (
        (perhaps_held.without_kind("note"), ""),
        (perhaps_held.of_kind("note"), giver),
    ):
        if lacking:
            yield Violation(
                "94.2",
                f"<seat:{giver}> is short of {describe(lacking)}.",
                "/holdings gain adds what was gained at the table.",
                short=True,
                missing=lacking,
                known_to=known_to,
                action="" if known_to else "holdings",
                about=giver,
            )


# ---------------------------------------------------------------- what /rules show says


def _now(table: Table) -> str:
    active, title = active_seat(table), part(table, Agenda).title
    if active is not None:
        vote = (
            "" if voted_on(table) is None else f" An agenda is voted on within it{titled(title)}."
        )
        return f"It is <seat:{active}>'s turn.{vote}"
    if table.window.kind == "agenda":
        return f"An agenda is being resolved{titled(title)}."
    waits = {"action": "; no turn has started", "agenda": "; no agenda is being resolved"}
    return f"It is the {table.phase} phase{waits.get(table.phase, '')}."


def _traded(table: Table) -> str:
    """Say which pairs have had their transaction, and how many pairs still can for an agenda."""
    if table.window.kind == "none":
        return ""
    if table.window.kind == "turn":
        return f"Have traded this turn: {pairs_listed(table.window.used)}."
    left = [two for two in combinations(table.seated(), 2) if pair(*two) not in table.window.used]
    return (
        f"Have traded for this agenda: {pairs_listed(table.window.used)}. Pairs that still can: "
        f"{len(left)}."
    )


def _still_can(table: Table) -> str:
    active = active_seat(table)
    if active is None:
        return ""
    left = (
        f"<=seat:{seat}>"
        for seat in table.seated()
        if seat != active
        and meet(table, active, seat)
        and pair(active, seat) not in table.window.used
    )
    return (
        f"Neighbours that <seat:{active}> has not traded with this turn: "
        f"{listed(left, none='nobody')}."
    )


def _parted(table: Table) -> str:
    both = part(table, Map).parted & table.window.used
    return f"Have traded this turn and are no longer neighbours: {pairs_listed(both)}."


def _on_the_board(table: Table) -> str:
    return f"Neighbours: {pairs_listed(part(table, Map).neighbors)}."


def _fighting(table: Table) -> str:
    return f"In combat: {pairs_listed(part(table, Combat).pairs)}."


def _hacan(table: Table) -> str:
    return (
        "<seat:hacan> plays Hacan here."
        if "hacan" in table.seated()
        else "Nobody plays Hacan here."
    )


def _warns(table: Table) -> str:
    return (
        "This table only warns about what the rules forbid."
        if table.settings.rulings == "warn"
        else ""
    )


def _deals(table: Table) -> str:
    counted = {
        "waiting for an answer": sum(deal.status == "proposed" for deal in table.deals.values()),
        "binding": table.deal_tally.binding,
        "promises": table.deal_tally.promises,
        "promises broken": table.deal_tally.broken,
    }
    counts = ", ".join(f"{what} {count}" for what, count in counted.items() if count)
    return f"Deals at this table: {counts or 'none'}."


def _with_terms(table: Table) -> str:
    found = (offer.number for offer in table.open_offers() if offer.has_terms and not offer.private)
    return f"Open offers with terms: {listed(f'#{number}' for number in found)}."


def _with_binding_terms(table: Table) -> str:
    every = (
        offer
        for offer in table.open_offers()
        if offer.terms_now and not offer.terms_card and not offer.private
    )
    return f"Open offers with terms that bind: {listed(f'#{offer.number}' for offer in every)}."


STATUS: Status = {
    "94.1": (_now, _still_can, _traded, that_lift("neighbors", "limit", "window"), _warns),
    "94.1.1": (_now, _fighting),
    "94.2": (
        each_with("Everybody sees", "trade_good", "commodity", "fragment"),
        that_lift("notes"),
        _warns,
    ),
    "94.3": (that_lift("goods"), _warns),
    "94.3.1": (_hacan, each_with("Action cards", "action_card"), that_lift("goods")),
    "94.5": (_with_terms,),
    "94.6": (_now, _traded, that_lift("limit", "window"), _warns),
    "94.6.1": (_now, _traded),
    "94 note 1": (
        each_with("Relic fragments", "fragment"),
        each_with("Relics", "relic"),
        that_lift("goods"),
    ),
    "94 note 2": (each_with("Captured units", "captured"),),
    "94 note 3": (_now, _still_can, _on_the_board),
    "94 note 3.1": (_now, _parted),
    "94 note 3.2": (_now, _fighting),
    "94 note 4": (_now, _traded, that_lift("limit")),
    "94 note 5": (_now, _traded),
    "D1": (_deals,),
    "D2": (_now, _with_terms),
    "D3": (_deals, _with_binding_terms),
    "D4": (_deals, _with_binding_terms),
    "D5": (_deals,),
    "D6": (_deals,),
}
"""28, deals, is D1 to D6."""
