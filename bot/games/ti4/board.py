"""The board of a Twilight Imperium 4 table: phase, turn, who may still trade, and buttons for the
next steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.api import (
    NOTHING,
    Action,
    BoardView,
    LabelledAction,
    MenuItem,
    Pair,
    Press,
    Table,
    Trade,
    button,
    forbidding,
    pair,
    part,
    quoted,
)
from bot.games.ti4 import counting, note_claims, strategy_cards, trade_card
from bot.games.ti4.agendas import ResolveAgenda, ask_about_agenda
from bot.games.ti4.colors import Colors
from bot.games.ti4.combat import COMBAT_IS_OVER, AskWhomToFight, ask_whose_units, end_combat
from bot.games.ti4.components import describe_token, note_named
from bot.games.ti4.initiative import (
    PLAYERS_MIN,
    cards_known,
    order_said,
    players,
    turn_order,
    up_next,
)
from bot.games.ti4.neighbors import NeighborsAction, nobody_moved, players_declare
from bot.games.ti4.note_returns import UndoActivation, sent_home, waiting_for_status
from bot.games.ti4.notes import AskNotesInPlay, AskWhosePlanet, attached
from bot.games.ti4.permits import AskPermit, RevokePermit
from bot.games.ti4.phases import next_round
from bot.games.ti4.pillage import appeals, open_chances, pillage_answers
from bot.games.ti4.slips import taken_back
from bot.games.ti4.state import (
    Agenda,
    Combat,
    GameRound,
    InForce,
    Map,
    OutOfGame,
    Round,
    TradeCard,
    active_seat,
    titled,
    voted_on,
)
from bot.games.ti4.turns import (
    AskOrder,
    AskWhoIsNext,
    NextTurn,
    PassTurn,
    StartTurn,
    by,
    ends_empty_turn,
    stays_after_pass,
    undo_pass,
)

AGENDAS = 2
"""How many agendas are resolved in an agenda phase."""


def board(table: Table) -> BoardView:
    """Return the board: the state of play in a few lines, buttons for the next steps, and a menu
    for the rest.
    """
    about = part(table, Map).moved if _reminds(table) else None
    gains = table.tracked and plays_trade(table) is not None
    return BoardView(
        heading=f"{table.phase.capitalize()} phase",
        lines=(
            *_play(table),
            *_ended(table),
            *_met(table),
            *_lists(table),
            *counting.lines(table),
        ),
        buttons=tuple(_buttons(table)),
        choices=strategy_cards.choices(table),
        menu=tuple(_menu(table)),
        gains=LabelledAction("Play the Trade card", _trade(table)) if gains else None,
        about=about,
        called=dict(part(table, Colors).said),
        in_force=tuple(permit.card for permit in part(table, InForce).permits if permit.card),
        notices=(*trade_card.notices(table), *note_claims.notices(table)),
    )


# ---------------------------------------------------------------- lines


def _play(table: Table) -> Iterable[str]:
    """Yield lines about the current turn or agenda, or else about what comes next."""
    active, said = active_seat(table), order_said(table)
    if active is not None:
        order = turn_order(table)
        # a player may leave in the middle of their turn
        start = order.index(active) + 1 if active in order else 0
        passed = part(table, Round).passed
        after = [
            each for each in order[start:] + order[:start] if each != active and each not in passed
        ]
        then = f", then {_names(after)}" if len(after) == 1 or (after and said) else ""
        yield f"**<player:{active}>'s turn**{then}"
        if (title := voted_on(table)) is not None:
            allows = "It allows no extra transactions [94.6]"
            yield f"🗳️ An agenda is voted on within this turn{titled(title)}. {allows}."
        if active in table.seated():
            yield from _partners(table, active)
        else:
            yield f"Nobody plays <name:{active}> now. {ends_empty_turn(table)}"
    elif table.window.kind == "agenda":
        yield (
            f"🗳️ An agenda is being resolved{titled(part(table, Agenda).title)}. Each pair may "
            "trade once, neighbours or not [94.6]."
        )
        if table.window.used:
            yield f"-# Have traded: {_pairs(table.window.used)}"
    elif not table.seated():
        yield "Nobody sits here yet. **/table sit** takes a seat."
    elif table.phase in ("status", "agenda"):
        none = "No agenda is being resolved" if table.phase == "agenda" else "Nobody can trade now"
        steps = (_DOES[step.label] for step in _after_actions(table))
        yield f"{none}. {'; '.join(steps)}."
    elif table.phase == "strategy" and said:
        yield (
            f"Nobody can trade yet. <seat:{turn_order(table)[0]}> is first: press **Start my "
            "turn**, and the action "
            "phase begins."
        )
    elif table.phase == "strategy" and part(table, GameRound).taken:
        yield f"Nobody can trade yet: {strategy_cards.each_takes(table)}"
    elif table.phase == "strategy" and not _asks_for_order(table):
        yield (
            "Nobody can trade yet. The first player in initiative order presses **Start my turn**: "
            "the action "
            "phase begins."
        )
    elif strategy_cards.choices(table):
        yield (
            "Nobody can trade yet. In which order do you play this round? "
            f"{strategy_cards.BY_CARDS} Or the first player presses **Start my turn**."
        )
    elif table.phase == "strategy":
        yield (
            "Nobody can trade yet. In which order do you play this round? The host says it with "
            "**Order of play**. "
            "Then the first player presses **Start my turn**: the action phase begins."
        )
    elif table.phase == "action" and len(coming := _up_next(table)) == 1:
        yield f"No turn has started. <seat:{coming[0]}> is next: press **Start my turn**."
    elif table.phase == "action" and coming:
        yield "No turn has started. Whoever is next presses **Start my turn**."
    else:
        yield "Nobody can trade now."
    for line in strategy_cards.lines(table):
        yield line if table.phase == "strategy" else f"-# {line}"


def _ended(table: Table) -> Iterable[str]:
    """Yield who ended the last turn, if its player did not."""
    last = part(table, Round).action_phase().last
    if last is not None and last.by is not None:
        yield f"-# <name:{last.seat}>'s turn is over{by(last.by)}"


def _partners(table: Table, active: str) -> Iterable[str]:
    """Yield the line of those with whom the active player can still trade, and has traded."""
    others = table.others(active)
    may = []
    for seat in others:
        forbids = forbidding(table, Trade(active, seat, NOTHING, NOTHING))
        # nothing that everybody knows forbids it
        if all(each.permanent or each.known_to for each in forbids):
            may.append(seat)
    had = [seat for seat in others if pair(active, seat) in table.window.used]
    also = f"; already traded with {_names(had)}" if had else ""
    if may:
        yield f"-# <name:{active}> can still trade with {_names(may)}{also}"
    elif others:
        yield f"-# <name:{active}> can't trade with anybody now{also}"


SHOWN_PAIRS = 4
"""The most pairs of new or former neighbours on the board."""


def _met(table: Table) -> Iterable[str]:
    """Yield the pairs that became neighbours in this window, and those that ceased to be."""
    now = part(table, Map)
    for words, changed in (
        ("Neighbours now", now.changed & now.neighbors),
        ("No longer neighbours", now.changed - now.neighbors),
    ):
        pairs = sorted(changed)
        left = len(pairs) - SHOWN_PAIRS
        more = f" and {left} more: **/neighbors show**" if left > 0 else ""
        if pairs:
            yield f"-# {words}: {_pairs(pairs[:SHOWN_PAIRS])}{more}"


def _lists(table: Table) -> Iterable[str]:
    if fighting := part(table, Combat).pairs:
        yield f"⚔️ Combat: {_pairs(fighting)}"
    lasting = [permit for permit in part(table, InForce).permits if not permit.once]
    if reasons := dict.fromkeys(quoted(permit.reason) for permit in lasting):
        yield f"In force: {', '.join(reasons)}"
    if passed := part(table, Round).passed:
        yield f"-# Passed: {_names(sorted(passed))}{_stays_open(table)}"
    waiting = waiting_for_status(table) if table.phase == "status" else []
    if cards := ", ".join(describe_token(token) for _, token in waiting):
        yield f"Go back when this phase ends: {cards}"
    if out := part(table, OutOfGame).seats:
        yield f"Out of the game: {', '.join(f'<faction:{seat}>' for seat in sorted(out))}"
    if _reminds(table):
        yield (
            f"Did ships move in <seat:{part(table, Map).moved}>'s turn? Press **Neighbours** to "
            "change who is next "
            "to whom; **Nobody moved** ends the question for this round."
        )


def _stays_open(table: Table) -> str:
    """Return why the turn of a player who has passed goes on; empty if none does."""
    active = active_seat(table)
    if active is None or active not in part(table, Round).passed:
        return ""
    _, offers = stays_after_pass(table, active)
    listed = f" (open: {', '.join(f'#{offer}' for offer in offers)})" if offers else ""
    return f". <name:{active}>'s turn stays open for a last transaction [94.1.1]{listed}"


def _reminds(table: Table) -> bool:
    """Return whether ships may have moved in the last turn: neighbours may have changed."""
    now, seated = part(table, Map), table.seated()
    return not now.quiet and now.moved in seated and len(seated) > 1


def _names(seats: Iterable[str]) -> str:
    """Return the plain names of these players, without mentions: the active player stands out."""
    return ", ".join(f"<=name:{seat}>" for seat in seats)


def _pairs(pairs: Iterable[Pair]) -> str:
    return ", ".join(f"<=name:{first}> and <=name:{second}>" for first, second in sorted(pairs))


# ---------------------------------------------------------------- buttons and menu


def _buttons(table: Table) -> Iterable[LabelledAction]:
    """Yield the next steps: a turn, the agenda, and the answer to the board's question."""
    if active_seat(table) is not None:
        yield LabelledAction("End turn", _next_turn(table))
    elif table.window.kind == "agenda":
        agenda = ask_about_agenda(table)
        yield button("Resolve agenda", table, ResolveAgenda(agenda.since))
        yield LabelledAction("Replace…", agenda)
    elif table.phase in ("status", "agenda"):
        yield from _after_actions(table)
    elif table.seated():
        if table.phase == "strategy" and cards_known(table):
            yield LabelledAction("Begin the action phase", _next_turn(table))
        yield button("Start my turn", table, StartTurn(since=table.window.since))
        if _asks_for_order(table):
            yield LabelledAction("Order of play", AskOrder(table.id))
    if _reminds(table):
        ask = NeighborsAction(table.id, part(table, Map).since)
        yield LabelledAction("Neighbours", ask)
        yield button("Nobody moved", table, nobody_moved(table, part(table, Map).moved or ""))


_DOES = {
    "Next round": "**Next round** begins the next",
    "Agenda": "**Agenda** reveals an agenda",
}
"""What the steps after the action phase do, in words."""


def _after_actions(table: Table) -> tuple[LabelledAction, ...]:
    """Return the steps after the action phase, the likely one first: a game has no agendas before
    the custodians are gone, and two in each round after that.
    """
    now = part(table, GameRound)
    steps = (
        LabelledAction("Next round", next_round(table)),
        LabelledAction("Agenda", ask_about_agenda(table)),
    )
    if now.had_agenda and now.agendas < AGENDAS:
        steps = steps[::-1]
    return steps[:1] if _reminds(table) else steps


def plays_trade(table: Table) -> str | None:
    """Return the seat that can play Trade now, as far as cards are known; None for nobody."""
    active, card = active_seat(table), part(table, TradeCard)
    if card.current or not cards_known(table):
        return None if card.current else active
    holder = part(table, GameRound).holder("trade")
    played = card.seat == holder and card.number > table.phase_since
    return active if holder == active and not played else None


def _asks_for_order(table: Table) -> bool:
    """Return whether the step into the action phase asks for the order of play [48]."""
    return len(table.seated()) > 2 and len(_up_next(table)) > 1


def _next_turn(table: Table) -> Action:
    """Return the action that begins the next turn, or first asks whose it is."""
    seat, since = active_seat(table), table.window.since
    if len(_up_next(table)) > 1:
        return AskWhoIsNext(table.id, False, seat, since)
    return Press(table.id, NextTurn(seat, since))


def _up_next(table: Table) -> list[str]:
    """Return the seats that may have the next turn after the current or last one."""
    last = part(table, Round).last
    return up_next(table, active_seat(table) or (last.seat if last else None))


def _trade(table: Table) -> trade_card.AskTrade:
    return trade_card.AskTrade(table.id, since=table.window.since)


def _menu(table: Table) -> Iterable[MenuItem]:
    """Yield the other actions of the game, those of the host, and what the host can take back."""
    active, now = active_seat(table), table.window.since
    declarers: Literal["game", "host"] = "game" if players_declare(table) else "host"
    if active is not None and active not in part(table, Round).passed:
        # the turn ends with the pass
        asks = len(up_next(table, active)) > 1 and not stays_after_pass(table, active)[0]
        passes: Action = Press(table.id, PassTurn(active, now))
        if asks:
            passes = AskWhoIsNext(table.id, True, active, now)
        yield MenuItem(f"<name:{active}> passes for this round", passes, "you", seat=active)
    if (trader := plays_trade(table)) is not None:
        yield MenuItem("Play the Trade card", _trade(table), seat=trader, hosts=False)
    if active is not None and part(table, Combat).pairs:
        for fighter in sorted(part(table, Combat).fighting()):
            yield MenuItem(COMBAT_IS_OVER, end_combat(table), seat=fighter, hosts=False)
        yield MenuItem(COMBAT_IS_OVER, end_combat(table), "host")
    elif active is not None:
        yield MenuItem("There was combat", AskWhomToFight(table.id, now), declarers)
    lying = any(seat.in_play.of_kind("note") for seat in table.seats.values())
    if active is not None and (table.tracked or lying):
        yield MenuItem("I activated a system of …", ask_whose_units(table), seat=active)
    yield MenuItem("An agenda comes up", ask_about_agenda(table))
    yield MenuItem("Neighbours changed", NeighborsAction(table.id), declarers)
    if lying:
        yield MenuItem("Look at notes in play", AskNotesInPlay(table.id))
    for chance in open_chances(table):
        for each in pillage_answers(table, chance):
            yield MenuItem(
                f"{each.label} (<name:{chance.of}>)", each.action, seat=chance.seat, hosts=False
            )
    for seat in table.seats.values():
        for token in attached(seat.in_play):
            yield MenuItem(
                f"{note_named(token).name}'s planet",
                AskWhosePlanet(table.id, seat.id),
                seat=seat.id,
            )
    if active is None and table.window.kind != "agenda" and table.seated():
        yield MenuItem("Begin the next turn", _next_turn(table), "host")
    if len(table.seated()) > 2:
        yield MenuItem("Order of play", AskOrder(table.id), "host")
    if players(table) >= PLAYERS_MIN:
        yield MenuItem("Strategy cards…", strategy_cards.AskCards(table.id), "host")
    if active is not None and order_said(table) and (skips := _skips(table, active)):
        yield skips
    yield MenuItem("Permit…", AskPermit(table.id), "host")
    for permit in part(table, InForce).permits:
        over = Press(table.id, RevokePermit(number=permit.number))
        yield MenuItem(f"{quoted(permit.reason)} is over", over, "host")
    for appeal in (*note_claims.appeals(table), *appeals(table)):
        for label, ruling in appeal.rulings.items():
            yield MenuItem(f"{appeal.about}: {label}", Press(table.id, ruling), "host")
    yield from _slips(table)


def _skips(table: Table, active: str) -> MenuItem | None:
    """Return how the host skips the next turn (Crisis); None if nobody comes after it."""
    [skipped] = up_next(table, active) or [active]
    [following] = up_next(table, skipped) or [skipped]
    if skipped in (active, following):
        return None
    begin = Press(table.id, StartTurn(following, "new", table.window.since))
    return MenuItem(f"Skip <name:{skipped}>'s next turn", begin, "host")


def _slips(table: Table) -> Iterable[MenuItem]:
    """Yield what the host can take back: a phase, an agenda, a turn, a pass, an activation."""
    if (last_act := taken_back(table)) is not None:
        yield MenuItem(last_act.label, last_act.action, "undo")
    now, seated = part(table, Round), table.seated()
    last, passed = now.last, now.action_phase().passed.intersection(seated)
    given_back = {*seated} - passed - {active_seat(table)}
    if last is not None and last.seat in given_back:
        again = Press(table.id, StartTurn(last.seat, "same", table.window.since))
        yield MenuItem(f"Give <name:{last.seat}> the turn back", again, "undo")
    for slip in sorted(passed):
        yield MenuItem(f"<name:{slip}> has not passed", undo_pass(table, slip), "undo")
    activations = dict.fromkeys((note.holder, note.owner) for note in sent_home(table))
    for holder, owner in activations:
        undo = Press(table.id, UndoActivation(owner, holder, table.window.since))
        yield MenuItem(f"<name:{holder}> activated no system of <name:{owner}>", undo, "undo")
