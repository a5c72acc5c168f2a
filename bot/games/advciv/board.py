"""The board of an Advanced Civilization table with its buttons and menu, and the steps of the
set-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.api import (
    BoardView,
    ChangeSetting,
    LabelledAction,
    MenuItem,
    Press,
    Refused,
    Setup,
    StepView,
    Table,
    button,
    part,
)
from bot.api.chance import committed
from bot.games.advciv.calamities import SeeCalamities
from bot.games.advciv.cities import my_cities
from bot.games.advciv.dealing import who_deals
from bot.games.advciv.drawing import AskBuy, said_by, yet_to_draw
from bot.games.advciv.losing import LosePrompt
from bot.games.advciv.state import (
    ACQUIRE,
    AFTER,
    CARDS,
    TITLES,
    Bell,
    Calamities,
    Draws,
    Trades,
    cards_stay,
    deals,
    state_of,
    trading,
)
from bot.games.advciv.surrendering import SurrenderPrompt, Surrenders, TakeBackCards
from bot.games.advciv.taking import TakePrompt
from bot.games.advciv.trading import (
    BACK_TO_DRAWING,
    AskClose,
    AskOpen,
    OpenTrading,
    done_trading,
    over_text,
    undo_trading,
)
from bot.games.advciv.turns import AskNextTurn
from data.advciv import nations

GOODS = "My hand"


def board(table: Table) -> BoardView:
    """Return the board: the state of play in a few lines, buttons for the next steps, and a menu
    for the rest.
    """
    heading, now, gains = (
        f"{TITLES[table.phase]} · turn {state_of(table).turn}",
        part(table, Bell),
        None,
    )
    since = table.window.since
    again = button("One more minute", table, OpenTrading(1, anyway=True, since=since))
    if trading(table):
        heading = f"Trading ends <t:{now.bell // 1000}:R>" if now.bell else "Trading is open"
        lines, buttons = _late_line(table), [done_trading(table.id, since)]
        if now.done:
            done = _names(seat for seat in table.seats if seat in now.done)
            still = _names(seat for seat in table.seated() if seat not in now.done)
            lines = [f"Done: {done}", f"Still trading: {still}", *lines]
    elif table.phase == ACQUIRE:
        lines, buttons = [*_drawing(table), *_length(table)], _opens(table)
        if table.tracked:
            gains = my_cities(table)
            buttons.insert(0, gains)
    elif part(table, Calamities).shown is None and table.tracked:
        why = f"{over_text(now.over)} " if now.over else ""
        lines = [f"{why}Now everybody shows their calamities.", *_late_line(table)]
        buttons = [LabelledAction("Show calamities", SeeCalamities(table.id, since)), again]
    else:
        lines = ["Spend your cards; then the host begins the next turn."]
        # Shown to everybody, because DMs do not reach all players, and a ping would reveal who has
        # too many cards.
        spend = LabelledAction("Spend cards", SurrenderPrompt(table.id))
        buttons = [
            spend if table.tracked else again,
            LabelledAction("Next turn", AskNextTurn(table.id, since)),
        ]
    return BoardView(
        tuple(lines),
        tuple(buttons),
        heading,
        tuple(_menu(table)),
        trades=trading(table),
        goods=GOODS,
        gains=gains,
        settings={CARDS.name: who_deals(table)},
        small=committed(table),
    )


def _menu(table: Table) -> Iterable[MenuItem]:
    """Yield the other actions of the game, those of the host, and what the host can take back."""
    if deals(table) and table.phase == ACQUIRE:
        yield MenuItem("Buy a card", AskBuy(table.id))
    if table.tracked and not cards_stay(table):
        yield MenuItem("Take a card: you eliminated a city", TakePrompt(table.id))
        yield MenuItem("Lose cards", LosePrompt(table.id))
    given = part(table, Surrenders).given if table.phase == AFTER else {}
    for seat, turned_in in given.items():
        if turned_in:
            back = Press(table.id, TakeBackCards(len(turned_in), table.window.since))
            yield MenuItem("Take back cards I turned in", back, seat=seat, hosts=False)
    if trading(table):
        yield MenuItem("Close trading", AskClose(table.id, table.window.since), "host")
    stands = part(table, Trades).traded or part(table, Calamities).shown is not None
    if table.phase != ACQUIRE and yet_to_draw(table) and not stands:  # trading was opened too early
        yield MenuItem(BACK_TO_DRAWING, undo_trading(table), "undo")


def _drawing(table: Table) -> list[str]:
    drawn, said = part(table, Draws).drawn, said_by(table)
    if not table.seated():
        return ["Nobody sits here yet. **/table sit** takes a seat."]
    if not drawn and not said:
        return (
            ["Say how many cities you have: **My cities**. Once everybody has, all draw."]
            if table.tracked
            else []
        )
    lines = [f"Have drawn, by cities: {_by_cities(drawn)}"] if drawn else []
    silent = [seat for seat in table.seated() if seat not in {**drawn, **said}]
    if said:
        waits = (
            f"Still to say: {_names(silent)}"
            if silent
            else f"Still to draw: {_names(yet_to_draw(table))}"
        )
        return [*lines, f"Have said, by cities: {_by_cities(said)}", waits]
    return [*lines, f"Still to draw: {_names(silent)}"]


def _opens(table: Table) -> list[LabelledAction]:
    """Return the buttons that open trading: one press where the table has set its time."""
    ask = AskOpen(table.id, table.window.since)
    minutes = table.settings.timer
    if not minutes:
        return [LabelledAction("Open trading", ask)]
    opens = button("Open trading", table, OpenTrading(minutes, since=ask.since))
    return [opens, LabelledAction("Another time…", ask)]


def _length(table: Table) -> list[str]:
    """Return the line about how long trading will be open, where the table has set its time."""
    minutes = table.settings.timer
    if not minutes:
        return []
    return [f"Trading will be open for {minutes} minute{'' if minutes == 1 else 's'}."]


def _late_line(table: Table) -> list[str]:
    """Return the line about players who still have cards to draw after trading was opened."""
    late = yet_to_draw(table)
    return [f"Can still draw: {_names(late)}"] if late else []


def _names(seats: Iterable[str]) -> str:
    """Return the plain names of these players, without mentions; ``nobody`` for none."""
    return ", ".join(f"<=name:{seat}>" for seat in seats) or "nobody"


def _by_cities(cities: Mapping[str, int]) -> str:
    return ", ".join(f"<=name:{seat}> {many}" for seat, many in cities.items())


# ---------------------------------------------------------------- setting up


def _begun(table: Table) -> bool:
    """Return whether play has begun: somebody has cities or cards, or a later phase has begun."""
    draws = part(table, Draws)
    cards = draws.said or draws.drawn or draws.typed
    late = state_of(table).turn > 1 or table.phase != ACQUIRE
    return bool(cards or late or table.window.number or table.transactions)


def barred(table: Table, seat: str) -> Refused | None:
    """Return why nobody can take this seat; None if nothing keeps them.

    Of two nations with the same place on the A.S.T., a table has the one that plays, or played last
    once play began.
    """
    for other in table.seats.values():
        shares = other.id != seat and nations()[other.id].ast == nations()[seat].ast
        if shares and (
            other.person is not None
            or (_begun(table) and _left(table, other.id) > _left(table, seat))
        ):
            return Refused(
                "Iberia takes Italy's place, so a table has one of the two.",
                "Pick another seat.",
            )
    return None


def _left(table: Table, seat: str) -> int:
    """Return the entry with which a seat was last left; 0 if it was not."""
    return max((tenure.until or 0 for tenure in table.tenures if tenure.seat == seat), default=0)


def _steps(table: Table) -> Sequence[StepView]:
    if not table.tracked:
        lines = ("When everybody has drawn, the host opens trading.", *_length(table))
        return (StepView("Trading", lines, False, tuple(_opens(table)), hosts=True),)
    chosen = CARDS.of(table.settings)
    asks = {
        "undecided": "Do I deal, or do the cards lie on your table?",
        "dealt": "I deal",
        "real": "real cards",
    }
    who_deals = (
        button("Bourse deals", table, ChangeSetting(CARDS.name, "dealt")),
        button("Real cards", table, ChangeSetting(CARDS.name, "real")),
    )
    draw = {
        "real": "I tell you in which order to draw, and you say what came: **My hand**, **Cards "
        "came…**."
    }
    lines = (f"Everybody says how many cities they have; then {draw.get(chosen, 'I deal.')}",)
    return (
        StepView("Cards", (asks[chosen],), chosen != "undecided", who_deals, hosts=True),
        StepView("Cities", lines, False, (my_cities(table),)),
    )


SETUP = Setup(begun=_begun, steps=_steps, goods=False)
"""The steps are seats, who deals, then cities. There is no step for goods, because hands are
secret.
"""
