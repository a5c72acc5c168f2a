"""What is offered to press, as commands: an action in a view is one that the rules know, and mostly accept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.rules.commands import Caller, Command, Press
from bot.rules.features.deals import AnswerDeal, MarkDeal
from bot.rules.features.negotiations import CloseNegotiation
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PauseOffer
from bot.rules.features.offers.signing import Declare, EndOffer, HandOver, HaveThem, Sign
from bot.rules.features.offers.state import forbidding, signed_now, trade_of
from bot.rules.model.actions import Action, OfferAction
from bot.rules.model.goods import NOTHING
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.rules.visibility import TableViews, everybody, person_viewer
from bot.show.actions import press
from bot.testing import laws
from bot.testing.world import PEOPLE, Ask, World

OfGame = Callable[[Action], Command | None]
"""Makes the command of an action of a game's own; None for one that only asks back."""


def command_of(action: Action, offer: OfferView | None, of_game: OfGame) -> Command | None:
    """Return the command that pressing it brings about; None where it only shows something."""
    match action:
        case Press(command=command):
            return command
        case OfferAction():
            return _of_offer(action, offer) if offer is not None else None
    return of_game(action)


def _of_offer(action: OfferAction, offer: OfferView) -> Command | None:
    number, revision = action.offer, action.revision
    match action.what:
        case "counter":
            return CounterOffer(number)
        case "alter":
            return AlterOffer(number, revision, terms=f"{offer.sides.terms}!"[-300:])
        case "hand_over" | "accept_and_hand_over" | "choose_again":
            return HandOver(number, offer.own.choices.chosen if offer.own.choices else NOTHING, revision)
        case "show" | "more" | "details":
            return None


def actions_agree(world: World, of_game: OfGame) -> None:
    """Everybody presses everything they are shown; each time the world stays as it is."""
    table, views = world.recall_all(), TableViews(world.recall_all())
    for seat in table.seated():
        person = table.seats[seat].person or 0
        view = views.see(person_viewer(table, PEOPLE, Caller(person)))
        for action, offer in shown(view):
            _press(world, view, offer, action, person, of_game)
    channel = views.see(everybody(table, PEOPLE))
    for action, offer in shown(channel):
        for person in (PEOPLE[0].number, PEOPLE[-1].number):
            _answer(world, command_of(action, offer, of_game), person)


def shown(view: TableView) -> Iterator[tuple[Action, OfferView | None]]:
    """Yield every action in a view, with the offer that it belongs to."""
    for offer in view.offers.values():
        yield from ((press(offer, move), offer) for move in (*offer.buttons.actions, *offer.buttons.more))
        yield from ((remedy.action, offer) for remedy in offer.buttons.remedies)
    for deal in view.deals.values():
        yield from ((button.action, None) for button in deal.buttons)
    for prompt in view.prompts:
        yield from ((button.action, None) for button in prompt.buttons)
    yield from ((talks.close, None) for talks in view.negotiations.values() if talks.open)
    yield from ((button.action, None) for button in view.board.buttons)
    yield from ((item.action, None) for item in view.board.menu)


def _answer(world: World, command: Command | None, person: int) -> Refused | None:
    """Return the refusal of a command; None for none."""
    if command is None:
        return None
    answer = world.answer(Ask(command, Caller(person)))
    if not isinstance(answer, Refused):
        return None
    laws.told_well(world.table, answer)
    return answer


def _press(
    world: World, view: TableView, offer: OfferView | None, action: Action, person: int, of_game: OfGame
) -> None:
    command = command_of(action, offer, of_game)
    refused = _answer(world, command, person)
    if refused is None or not view.open:
        return
    circular = isinstance(command, Declare | HaveThem) and "You have everything" in refused.violation.reason
    assert not circular, f"{action} is shown where there is nothing to declare: {refused}"
    asked = any(button.action == action for prompt in view.prompts for button in prompt.buttons)
    if isinstance(command, AnswerDeal | MarkDeal | CloseNegotiation) or (asked and action.name.endswith(".answer")):
        raise AssertionError(f"{action} is shown and refused: {refused}")
    if offer is not None and offer.role:
        assert not isinstance(command, EndOffer | PauseOffer), f"{action} is shown and refused: {refused}"
        if isinstance(command, Sign) and offer.ruling.why_not is None:
            kept = world.table.offers[offer.number]
            taken = signed_now(world.table, kept, view.seat or "") or _agreed_twice(world.table, kept, view.seat or "")
            assert taken or _not_shown(world.table, kept, view.seat), f"{action} is refused: {refused}"


def _agreed_twice(table: Table, offer: Offer, seat: str) -> bool:
    """Return whether this seat has agreed, and it waits for the other."""
    return table.settings.confirm == "twice" and offer.agreed.get(seat) == offer.revision


def _not_shown(table: Table, offer: Offer, seat: str | None) -> bool:
    """Return whether it is refused for a hand that the presser does not see into; or, of an offer to all, for what
    depends on who takes it up.
    """
    found = forbidding(table, trade_of(offer, seat))
    return any((each.known_to and each.known_to != seat) or offer.to is None for each in found)
