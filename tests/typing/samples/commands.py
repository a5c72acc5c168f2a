"""A command says what is wanted; who asks is the caller. A command decides for itself."""

from __future__ import annotations

from collections.abc import Iterable

from bot.rules.commands import Caller, Command
from bot.rules.engine import decide
from bot.rules.entries import Entry
from bot.rules.feature import Feature
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.seats import Leave, Sit
from bot.rules.features.tables import CloseTable
from bot.rules.model.actions import Action, OfferAction, SetupAction
from bot.rules.model.table import Table
from bot.service import Requester, Service
from cogs.request import Request
from cogs.router import Router


def commands() -> None:
    Sign(1)
    Sign(1, by=2)  # E: Unexpected keyword argument "by"
    Sign("1")  # E: incompatible type "str"; expected "int"
    CloseTable(moderator=True)  # E: Unexpected keyword argument "moderator"
    Leave(seat=2)  # E: incompatible type "int"; expected "str | None"
    Sit("sol", person="bob")  # E: incompatible type "str"; expected "int | None"
    PostOffer(to=101)  # E: incompatible type "int"; expected "str | None"
    EndOffer(1, how="stop")  # E: incompatible type "Literal['stop']"


class Nod(Command):
    def decide(self, table: Table, caller: Caller) -> Iterable[Entry]:
        return ()


class Shrug(Command):
    # E: Signature of "decide" incompatible with supertype
    def decide(self, table: Table) -> Iterable[Entry]:
        return ()


def deciding() -> None:
    Feature(commands=(Nod, Action))  # E: expected "tuple[type[Command], ...]"
    decide(Table(), Sign(1), Caller(1))
    decide(Table(), Sign(1), 1)  # E: "decide" has incompatible type "int"; expected "Caller"
    decide(Table(), OfferAction(1, 1, 1, "more"), Caller(1))  # E: expected "Command"


async def pressed(request: Request, action: OfferAction) -> None:
    """Answer a press."""


async def signed(request: Request, command: Sign) -> None:
    """Answer a press of a button with this command."""


def buttons(router: Router) -> None:
    router.on(OfferAction, pressed)
    router.on(SetupAction, pressed)  # E: "on" of "Router" has incompatible type
    router.on(Sign, signed)
    router.on(Sign, pressed)  # E: "on" of "Router"


async def requests(service: Service, requester: Requester) -> None:
    await service.execute(1, requester, Sign(1))
    await service.execute(1, requester, lambda people: Sit("sol", people.number(5, "bob")))
    # E: incompatible type "Caller"; expected "Requester"
    await service.execute(1, Caller(1), Sign(1))
    await service.execute(1, requester, "close")  # E: incompatible type "str"
    # E: expected "Command | Callable[[People], Command]"
    await service.execute(1, requester, lambda people: 3)
    await service.view(1)  # E: Missing positional argument "requester"
