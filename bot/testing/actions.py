"""Press every button in the views of a table: the rules know each action, and mostly accept it."""

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
from bot.rules.model.violation import Refused
from bot.rules.views import OfferView, TableView
from bot.rules.visibility import TableViews, everybody, person_viewer
from bot.show.actions import press
from bot.testing import laws
from bot.testing.world import EVERYONE, Ask, World

OfGame = Callable[[Action], Command | None]
"""Makes the command of an action of a game's own; None for one that only asks back."""


def command_of(action: Action, offer: OfferView | None, of_game: OfGame) -> Command | None:
    """Return the command of a button; None where it only shows something."""
    match action:
        case Press(command=command):
            return command
        case OfferAction(offer=number, revision=revision, what=what):
            if offer is None or what in ("show", "more", "details"):
                return None
            if what == "counter":
                return CounterOffer(number)
            if what == "alter":
                return AlterOffer(number, revision, terms=f"{offer.sides.terms}!"[-300:])
            return HandOver(
                number, offer.own.choices.chosen if offer.own.choices else NOTHING, revision
            )
    return of_game(action)


def actions_agree(world: World, of_game: OfGame) -> None:
    """Press every button that each viewer is shown, without recording anything.

    Raises ``AssertionError`` for a button that is shown and refused, though its viewer could know
    better.
    """
    table = world.recall_all()
    views = TableViews(table)
    for seat in table.seated():
        person = table.seats[seat].person or 0
        view = views.see(person_viewer(table, EVERYONE, Caller(person)))
        for action, offer in shown(view):
            _press(world, view, offer, action, person, of_game)
    channel = views.see(everybody(table, EVERYONE))
    for action, offer in shown(channel):
        for person in (EVERYONE[0].number, EVERYONE[-1].number):
            _answer(world, command_of(action, offer, of_game), person)


def shown(view: TableView) -> Iterator[tuple[Action, OfferView | None]]:
    """Yield every action in a view, with the offer that it belongs to."""
    for offer in view.offers.values():
        yield from (
            (press(offer, move), offer) for move in (*offer.buttons.actions, *offer.buttons.more)
        )
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
    world: World,
    view: TableView,
    offer: OfferView | None,
    action: Action,
    person: int,
    of_game: OfGame,
) -> None:
    command = command_of(action, offer, of_game)
    refused = _answer(world, command, person)
    if refused is None or not view.open:
        return
    circular = (
        isinstance(command, Declare | HaveThem)
        and "You have everything" in refused.violation.reason
    )
    assert not circular, f"{action} is shown where there is nothing to declare: {refused}"
    asked = any(button.action == action for prompt in view.prompts for button in prompt.buttons)
    if isinstance(command, AnswerDeal | MarkDeal | CloseNegotiation) or (
        asked and action.name.endswith(".answer")
    ):
        raise AssertionError(f"{action} is shown and refused: {refused}")
    if offer is not None and offer.role:
        assert not isinstance(command, EndOffer | PauseOffer), (
            f"{action} is shown and refused: {refused}"
        )
        if isinstance(command, Sign) and offer.ruling.why_not is None:
            table, seat = world.table, view.seat or ""
            kept = table.offers[offer.number]
            # for the other seat
            waits = table.settings.confirm == "twice" and kept.agreed.get(seat) == kept.revision
            # Refused for another's hidden hand; or, of an offer to all, for something that depends
            # on who takes it up.
            unknown = any(
                (each.known_to and each.known_to != seat) or kept.to is None
                for each in forbidding(table, trade_of(kept, view.seat))
            )
            assert waits or unknown or signed_now(table, kept, seat), (
                f"{action} is refused: {refused}"
            )
