"""What is offered to press, as commands: an action in a view is one that the rules know, and mostly accept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.rules.commands import Caller, Command
from bot.rules.features.deals import AnswerDeal, MarkDeal
from bot.rules.features.negotiations import CloseNegotiation
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PauseOffer, PostOffer, RepeatOffer
from bot.rules.features.offers.signing import Agree, Declare, EndOffer, HandOver, PickTaker, Sign
from bot.rules.features.offers.state import forbidding, signed_now, trade_of
from bot.rules.model import actions as pressed
from bot.rules.model.actions import Action
from bot.rules.model.goods import NOTHING
from bot.rules.model.offers import Offer
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.rules.visibility import Sight, everybody, person_viewer
from tests.rules.machines import laws
from tests.rules.machines.world import PEOPLE, Ask, World

OfGame = Callable[[Action], Command | None]
"""Makes the command of an action of a game's own; None for one that only asks back."""

NEVER_REFUSED = ("decline", "suspend", "resume", "withdraw", "back_out")
"""What a person can always do about an offer that has a button for it."""


def command_of(action: Action, offer: OfferView | None, of_game: OfGame) -> Command | None:
    """Return the command that pressing it brings about; None where it only shows something."""
    match action:
        case pressed.OfferAction() if offer is not None:
            return _of_offer(action, offer)
        case pressed.PickTaker(offer=number, revision=revision, taker=taker):
            return PickTaker(number, revision, taker)
        case pressed.DeclareHoldings(offer=number):
            return Declare(number)
        case pressed.DealAction(deal=number, agreed=agreed):
            return AnswerDeal(number, agreed)
        case pressed.MarkAction(deal=number, mark=mark):
            return MarkDeal(number, mark)
        case pressed.MatchAction(offer=number, revision=revision, what=what):
            return Sign(number, revision) if what == "accept" else None
        case pressed.EndUnmet(offer=number, what=what):
            return EndOffer(number, how=what)
        case pressed.NegotiationAction(negotiation=number):
            return CloseNegotiation(number)
    return of_game(action)


def _of_offer(action: pressed.OfferAction, offer: OfferView) -> Command | None:
    number, revision = action.offer, action.revision
    match action.what:
        case "accept" | "confirm":
            return Sign(number, revision)
        case "agree":
            return Agree(number, revision)
        case "counter":
            return CounterOffer(number)
        case "alter":
            return AlterOffer(number, revision, terms=f"{offer.sides.terms}!"[-300:])
        case "suspend" | "resume":
            return PauseOffer(number, paused=action.what == "suspend")
        case "withdraw" | "decline" | "back_out":
            return EndOffer(number, action.what)
        case "again":
            return RepeatOffer(number)
        case "hand_over" | "accept_and_hand_over" | "choose_again":
            return HandOver(number, offer.own.choices.chosen if offer.own.choices else NOTHING, revision)
        case "same":
            return PostOffer(offer.poster, offer.sides.want, offer.sides.give, offer.sides.terms)
        case "show" | "more" | "details":
            return None


def actions_agree(world: World, of_game: OfGame) -> None:
    """Everybody presses everything they are shown; each time the world stays as it is."""
    table, sight = world.recall_all(), Sight(world.recall_all())
    for seat in table.seated():
        person = table.seats[seat].person or 0
        view = sight.see(person_viewer(table, PEOPLE, Caller(person)))
        for action, offer in shown(view):
            _press(world, view, offer, action, person, of_game)
    channel = sight.see(everybody(table, PEOPLE))
    for action, offer in shown(channel):
        for person in (PEOPLE[0].number, PEOPLE[-1].number):
            _answer(world, command_of(action, offer, of_game), person)


def shown(view: TableView) -> Iterator[tuple[Action, OfferView | None]]:
    """Yield every action in a view, with the offer that it belongs to."""
    for offer in view.offers.values():
        yield from ((action, offer) for action in offer.buttons.actions)
        yield from ((action, offer) for action in offer.buttons.more)
        yield from ((remedy.action, offer) for remedy in offer.buttons.remedies)
    for deal in view.deals.values():
        yield from ((button.action, None) for button in deal.buttons)
    for prompt in view.prompts:
        yield from ((button.action, None) for button in prompt.buttons)
    yield from ((talks.close, None) for talks in view.negotiations.values() if talks.open)
    yield from ((button.action, None) for button in (*view.board.buttons, *view.board.menu))


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
    circular = isinstance(command, Declare) and "You have everything" in refused.violation.reason
    assert not circular, f"{action} is shown where there is nothing to declare: {refused}"
    asked = any(button.action == action for prompt in view.prompts for button in prompt.buttons)
    if isinstance(command, AnswerDeal | MarkDeal | CloseNegotiation) or (asked and action.name.endswith(".answer")):
        raise AssertionError(f"{action} is shown and refused: {refused}")
    if offer is not None and offer.role and isinstance(action, pressed.OfferAction):
        assert action.what not in NEVER_REFUSED, f"{action} is shown and refused: {refused}"
        if action.what in ("accept", "confirm") and offer.ruling.why_not is None:
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
