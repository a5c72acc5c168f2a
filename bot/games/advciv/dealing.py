"""Who deals, Bourse or the players with real cards, and how that changes [27.1]."""

from __future__ import annotations

from bot.api import (
    Apply,
    Caller,
    Change,
    ChangeSetting,
    ChangeSettings,
    Command,
    Entry,
    Feature,
    GoodsMoved,
    Refused,
    SettingsChanged,
    Table,
    Transaction,
    is_host,
    part,
    replace,
    void_offers,
    with_part,
)
from bot.games.advciv.drawing import CardBought
from bot.games.advciv.losing import CardsLost
from bot.games.advciv.state import ACQUIRE, CARDS, Draws, Stacks, dealt, state_of
from bot.games.advciv.surrendering import CardsSurrendered, Surrenders
from bot.games.advciv.taking import CardTaken


def who_deals(table: Table) -> tuple[str, ...]:
    """Return who deals, as a value of the setting, and then what that can be changed to: by public
    facts alone.

    It can be changed while nothing has been dealt or typed, or all who typed cards in the first
    draw have taken theirs back; and from dealt to real cards until a card that the bot dealt was
    traded, bought or turned in.
    """
    stacks, chosen = part(table, Stacks), CARDS.of(table.settings)
    if dealt(table):
        return ("dealt",) if stacks.moved else ("dealt", "real")
    now = "real" if stacks.by_hand else chosen
    settled = stacks.by_hand and (
        bool(stacks.typed) or state_of(table).turn > 1 or table.phase != ACQUIRE
    )
    others = () if settled or part(table, Draws).put_away else CARDS.values
    return (now, *(each for each in others if each != now))


def may(table: Table, command: Command, caller: Caller) -> None:
    """Raise `Refused` by 27.1 if a host changes who deals when that is settled; see `who_deals`."""
    match command:
        case ChangeSetting(setting=CARDS.name, value=value):
            pass
        case ChangeSettings(changes=changes) if CARDS.name in changes:
            value = str(changes[CARDS.name])
        case _:
            return
    if not is_host(table, caller) or value in (CARDS.of(table.settings), *who_deals(table)):
        return
    if part(table, Draws).put_away:
        reason, remedy = (
            "I have dealt this turn, and nobody gets a second deal.",
            "I can deal again next turn.",
        )
    elif dealt(table):
        reason = "Cards have been dealt, so I go on dealing."
        remedy = "You can change to real cards till a card is traded, bought or turned in."
    else:
        reason = "Hands have been typed, so the cards lie on your table."
        remedy = "In the first draw, all can take theirs back (**Cards went…**): then I can deal."
    raise Refused(reason, remedy, rule="27.1")


class HandsPutAway(GoodsMoved):
    """Who deals has changed after hands were dealt or typed, so every hand is empty. ``dealt``: the
    bot had dealt.
    """

    kind = "advciv.hands.gone"
    dealt: bool

    def sentence(self, ruler: str) -> str:
        then = "The cards lie on your table: say which you take." if self.dealt else "Now I deal."
        return f"Who deals has changed, so all hands are empty again. {then}"

    def apply(self, table: Table) -> Table:
        stacks = Stacks(shuffles=part(table, Stacks).shuffles + 1)
        table = with_part(with_part(super().apply(table), stacks), Surrenders())
        return with_part(table, Draws(put_away=self.dealt))


def brings(
    table: Table, entries: tuple[Entry, ...], caller: Caller, apply: Apply
) -> tuple[Entry, ...]:
    """Add that all hands are put away, and all offers end, if who deals changes after hands were
    dealt or typed.
    """
    settings = table.settings
    for entry in entries:
        if isinstance(entry, SettingsChanged):
            settings = entry.settings
    had = dealt(table) or part(table, Stacks).by_hand
    if not had or CARDS.of(settings) in (CARDS.of(table.settings), who_deals(table)[0]):
        return entries
    hands = {id: Change(lost=seat.holdings) for id, seat in table.seats.items()}
    away = HandsPutAway(changes={id: Change() for id in hands}, hidden=hands, dealt=dealt(table))
    return (*entries, *map(void_offers, table.live_offers()), away)


def moved(table: Table, entry: Entry) -> Table:
    """Record that a card which the bot dealt has left its hand: then it goes on dealing."""
    if dealt(table) and isinstance(
        entry, Transaction | CardBought | CardsSurrendered | CardTaken | CardsLost
    ):
        return with_part(table, replace(part(table, Stacks), moved=True))
    return table


FEATURE = Feature(
    entries=(HandsPutAway,),
    hears=(SettingsChanged, Transaction, CardBought, CardsSurrendered, CardTaken, CardsLost),
    after=moved,
    brings=brings,
)
