"""A game of the host's own: a short text says which seats and goods there are, and how they trade.

Each table plays the `Game` that `variant` makes of its text; see `bot.rules.game.Variants`.
"""

from __future__ import annotations

from functools import cache

from bot.api import (
    NOTHING,
    Caller,
    Clock,
    Command,
    Commands,
    Debts,
    Game,
    GameInfo,
    GoodsLanguage,
    HiddenHands,
    Holdings,
    Refused,
    SeatOption,
    Seats,
    Table,
    TradeRules,
    Variants,
    WriteRule,
    part,
)
from bot.games.any import board, book, deeds, rulebook
from bot.games.any.definition import UNNAMED, Definition, Good
from bot.games.any.rehearsed import REHEARSAL
from bot.games.any.trade import trading_by

__all__ = ["GAME"]

NONE_YET = Definition(
    name=UNNAMED, seats=["Seat one", "Seat two"], goods={"coin": Good(plural="coins")}
)
"""Stands for what a table plays before that is chosen."""

START = (
    f"**{UNNAMED}**\n"
    "The host says what is played: a preset by one tap, or a text of their own with **/any text**. "
    "Take a seat: **/table sit**. **Begin** gives everybody what they begin with. Then trade: "
    "**New offer**, or **/trade**."
)


def variant(text: str) -> Game:
    """Return the game that a text describes."""
    trading = trading_by(text)
    found, language = trading.found, trading.language
    seats = dict[str, SeatOption]()
    for id, name in zip(found.seat_ids(), found.seats, strict=True):
        seats[id] = SeatOption(id, name, name, group=found.teams_of(id))
    named = {seat.name.casefold(): seat for seat in seats.values()} | seats

    def may(table: Table, command: Command, caller: Caller) -> None:
        if isinstance(command, WriteRule):
            stand = "House rules stand in the text of this game."
            raise Refused(stand, 'Try /any change line: rules.R1 = "No shouting."')
        words = getattr(command, "terms", "") or getattr(command, "terms_now", "")
        if found.trade.promises == "none" and words:
            raise Refused(
                "In this game nobody promises anything.", "Leave the words out.", rule="H11"
            )

    hands = HiddenHands(
        open=language.open,
        redact=language.redact,
        self_reportable=language.open,
        wealth=language.open,
        counted=True,
        audited=language.audited,
    )
    owed = found.token(found.debts or next(iter(found.goods)))
    debts = Debts(
        token=owed, example=language.called(owed, 2), worth=lambda goods: goods.count(owed)
    )
    return Game(
        api=1,
        info=GameInfo(
            id="any",
            name=found.name,
            phases=tuple(found.phases),
            own_phases=frozenset(found.phases),
            settings=frozenset(
                {"rulings", "inventory", "declare_holdings", "confirm", "timer", "open_on_close"}
            ),
            rule_numbers={"kept": "H11", "later": "H11"},
            rulebook=cache(lambda: rulebook.rulebook(found)),
            help={"start": START},
            example=language.example,
            agreements=rulebook.agreements(found),
            command_groups=frozenset({"any"}),
            rehearsal=REHEARSAL,
        ),
        seats=Seats(
            every=lambda: tuple(seats.values()),
            find=lambda word: named.get(word.casefold()),
            start=lambda seat, settings: NOTHING,
            barred=board.barred,
        ),
        goods=GoodsLanguage(
            read=language.read,
            describe=language.describe,
            describe_holdings=language.describe_holdings,
            suggest=language.suggest,
            every=language.every,
            cards=lambda seat: NOTHING,
            can_be_held=lambda goods: "card" not in goods,
        ),
        holdings=Holdings(gain=trading.gain, spend=trading.spend, correct=trading.correct),
        trade=TradeRules(
            violations=trading.violations,
            settle=trading.settle,
            pairwise=found.trade.who != "all" or bool(found.trade.per_partner),
            private_offers=found.secrets,
        ),
        commands=Commands(board=board.board, rule_status=rulebook.status, may=may),
        features=deeds.FEATURES,
        hidden=hands if found.secrets else None,
        debts=debts if found.debts else None,
        setup=board.SETUP,
        clock=Clock(deadline=deeds.deadline, tick=deeds.tick),
        public=lambda table: part(table, book.Book),
        variants=VARIANTS,
    )


def _as_before(text: str) -> book.Defined:
    """Return the entry by which a table plays the text of an earlier one."""
    phase = trading_by(text).found.phases[0]
    return book.Defined(number=1, text=text, phase=phase)


VARIANTS = Variants(
    of=lambda table: part(table, book.Book).text,
    game=variant,
    begun=_as_before,
)


GAME = variant(NONE_YET.text())
