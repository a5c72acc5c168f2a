"""Rule 24.51: who attacks and eliminates a city takes a card at random from the hand of its owner.

The bot does not see the board, so the owner is asked; or the host says that it is so, also of a nation that nobody
plays any more. Which card it was, or that there was none, only the two learn.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Caller,
    Change,
    Entry,
    FollowUpView,
    LabelledAction,
    PromptView,
    Refused,
    Seat,
    Table,
    own_seat,
    require_host,
    require_tracked,
    taken_seat,
)
from bot.games.advciv.actions import TakeAnswer
from bot.games.advciv.commands import AnswerTake, TakeCard
from bot.games.advciv.entries import CardDenied, CardRequested, CardTaken
from bot.games.advciv.picks import from_hand
from bot.games.advciv.state import CardRequest, state_of, trading


def take(table: Table, command: TakeCard, caller: Caller) -> Iterable[Entry]:
    """Ask the owner of a city that was eliminated for a card; a host who names who takes it says that it is so.

    Raises `Refused` by 24.51 while trading is open and of one's own hand, for a nation that nobody plays unless a host
    says so, and for what has been asked already.
    """
    require_tracked(table)
    if command.seat is not None:
        require_host(table, caller, "say that somebody takes a card")
    seat = own_seat(table, caller) if command.seat is None else taken_seat(table, command.seat)
    other = _other(table, seat, command.other)
    if trading(table):
        raise Refused(
            "24.51", "Cities are attacked before cards are drawn, and trading is open.",
            "Opened too early? The host can take it back: /trading undo.",
        )  # fmt: skip
    if command.seat is not None:
        return [_taken(table, seat.id, other.id, command.chance, by_host=True)]
    if other.person is None:
        raise Refused(
            "24.51", f"Nobody plays <faction:{other.id}> any more, so nobody can be asked.",
            f"<person:{table.host}> can say so: /cards take, with you as the player.",
        )  # fmt: skip
    if CardRequest(seat.id, other.id) in state_of(table).requests:
        raise Refused("", f"You have asked <seat:{other.id}> already.", "Wait for the answer, or ask the host.")
    return [CardRequested(seat=seat.id, other=other.id)]


def _other(table: Table, seat: Seat, id: str) -> Seat:
    other = table.seats.get(id)
    if other is None:
        raise Refused("", "Nobody has played that nation here.", "/table show lists the players.")
    if other.id == seat.id:
        raise Refused("24.51", "A card is taken from another's hand.", "Name whose city was eliminated.")
    return other


def answer(table: Table, command: AnswerTake, caller: Caller) -> Iterable[Entry]:
    """Let a card be taken that another seat asks for, or don't. Raises `Refused` when that seat asks for none."""
    require_tracked(table)
    seat = own_seat(table, caller)
    if CardRequest(command.other, seat.id) not in state_of(table).requests:
        raise Refused(
            "24.51", "That player does not ask for a card of yours.", "Who eliminated a city asks first: /cards take."
        )
    if not command.agreed:
        return [CardDenied(seat=command.other, other=seat.id)]
    return [_taken(table, command.other, seat.id, command.chance, by_host=False)]


def _taken(table: Table, seat: str, other: str, chance: str, *, by_host: bool) -> CardTaken:
    card = from_hand(table, other, 1, chance)
    hidden = {seat: Change(gained=card), other: Change(lost=card)}
    return CardTaken(seat=seat, other=other, by_host=by_host, hidden=hidden)


def prompts(table: Table) -> list[PromptView]:
    """Return the questions to those whose cards are taken."""
    waiting = sorted(state_of(table).requests, key=lambda each: (each.other, each.seat))
    return [_prompt(table.id, request) for request in waiting] if table.tracked else []


def _prompt(table: int, request: CardRequest) -> PromptView:
    text = (
        f"<seat:{request.seat}> says that they attacked and eliminated a city of yours. So they take a card from your "
        "hand, picked by chance. Only you two learn which [24.51]."
    )
    buttons = (
        LabelledAction("Let them take it", TakeAnswer(table, request.seat, request.other, agreed=True)),
        LabelledAction("No", TakeAnswer(table, request.seat, request.other, agreed=False)),
    )
    key = f"advciv-take-{request.seat}-{request.other}"
    return PromptView(table=table, key=key, seat=request.other, text=text, buttons=buttons, evident=True)


def told(entry: CardTaken, describe: str) -> list[FollowUpView]:
    """Return what the two learn of the card, which is described so; who has agreed to it reads it in the reply."""
    card = f"**{describe}**" if (entry.hidden or {})[entry.seat].gained else ""
    taker = f"You took {card} from <seat:{entry.other}>'s hand" if card else f"<seat:{entry.other}> had no card to take"
    loser = f"<seat:{entry.seat}> took {card} from your hand" if card else f"You had no card for <seat:{entry.seat}>"
    told = [FollowUpView(seat=entry.seat, text=f"{taker} [24.51].", evident=True)]
    return [*told, FollowUpView(seat=entry.other, text=f"{loser} [24.51].", evident=True)] if entry.by_host else told
