"""What one player asks of another, whose goods it touches: nobody moves them but their owner, or the host.

The active player may ask another to replenish, as the Trade strategy card lets them; the owner of a note that lies in
another's play area may ask for it back. Who is asked answers, and only then anything happens.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.api import (
    Caller,
    Entry,
    Handlers,
    LabelledAction,
    PromptView,
    Refused,
    Table,
    handler,
    own_seat,
    require_tracked,
)
from bot.games.ti4.actions import RequestAnswer
from bot.games.ti4.commands import AnswerRequest
from bot.games.ti4.commodities import replenished
from bot.games.ti4.components import describe_token
from bot.games.ti4.entries import RequestDenied
from bot.games.ti4.note_returns import going_back
from bot.games.ti4.state import Request, state_of


def answer(table: Table, command: AnswerRequest, caller: Caller) -> Iterable[Entry]:
    """Do what another seat asked for, or don't. Raises `Refused` when that seat asks for nothing of the kind."""
    require_tracked(table)
    seat = own_seat(table, caller)
    request = Request(seat=command.other, other=seat.id, note=command.note)
    if request not in waiting(table):
        raise Refused("", "That question is settled already.", "/holdings show tells what you have.")
    if not command.agreed:
        return [RequestDenied(seat=seat.id, other=request.seat, note=request.note)]
    if request.note:
        return [going_back(seat, request.token, said_by=seat.id)]
    return replenished(table, seat, by_host=False, let_by=request.seat)


def waiting(table: Table) -> list[Request]:
    """Return what waits for an answer; a note is asked for only while it lies there."""
    every = sorted(state_of(table).requests, key=lambda request: (request.other, request.seat, request.note))
    return [each for each in every if not each.note or each.token in table.seats[each.other].in_play]


def prompts(table: Table) -> list[PromptView]:
    """Return the questions to those who are asked."""
    return [_prompt(table.id, request) for request in waiting(table)] if table.tracked else []


def _prompt(table: int, request: Request) -> PromptView:
    asker = f"<seat:{request.seat}>"
    if request.note:
        key, labels = f"ti4-note-{request.note}-{request.seat}-{request.other}", ("Give it back", "Keep it")
        text = f"{asker} asks for **{describe_token(request.token)}** back, which lies in play before you."
    else:
        key, labels = f"ti4-replenish-{request.seat}-{request.other}", ("Replenish", "Not now")
        text = f"{asker} lets you replenish your commodities now."
    buttons = tuple(
        LabelledAction(label, RequestAnswer(table, request.seat, request.other, request.note, agreed))
        for label, agreed in zip(labels, (True, False), strict=True)
    )
    return PromptView(table=table, key=key, seat=request.other, text=text, buttons=buttons)


HANDLERS: Handlers = dict([handler(AnswerRequest, answer)])
