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
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.viewers import everybody, person_viewer
from bot.rules.views import OfferView, TableView
from bot.rules.visible_table import TableViews, see
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
            choices = offer.own.choices
            return HandOver(number, choices.chosen if choices else NOTHING, revision)
    return of_game(action)


def actions_agree(world: World, of_game: OfGame) -> None:
    """Press every button that each viewer is shown, without recording anything.

    Raises ``AssertionError`` for a button that is shown and refused, though its viewer could know
    better, and for a view that depends on who looked before.
    """
    table = world.recall_all()
    views = TableViews(table)
    for seat in table.seated():
        person = table.seats[seat].person or 0
        viewer = person_viewer(table, EVERYONE, Caller(person))
        view = views.see(viewer)
        assert view == see(table, viewer), "others looked before"
        for action, offer in buttons_shown(view):
            _press(world, view, offer, action, person, of_game)
    channel = views.see(everybody(table, EVERYONE))
    for action, offer in buttons_shown(channel):
        for person in (EVERYONE[0].number, EVERYONE[-1].number):
            _answer(world, command_of(action, offer, of_game), person)


def buttons_shown(view: TableView) -> Iterator[tuple[Action, OfferView | None]]:
    """Yield every action in a view, with the offer that it belongs to."""
    for offer in view.offers.values():
        for move in (*offer.buttons.actions, *offer.buttons.more):
            yield press(offer, move), offer
        for remedy in offer.buttons.remedies:
            yield remedy.action, offer
    buttons = [*view.board.buttons, *view.board.choices]
    for deal in view.deals.values():
        buttons += deal.buttons
    for prompt in view.prompts:
        buttons += prompt.buttons
    for button in buttons:
        yield button.action, None
    for talks in view.negotiations.values():
        if talks.open:
            yield talks.close, None
    for item in view.board.menu:
        yield item.action, None


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
    fault = f"{action} is shown and refused: {refused}"
    if isinstance(command, Declare | HaveThem):
        assert "You have everything" not in refused.violation.reason, fault
    assert not isinstance(command, AnswerDeal | MarkDeal | CloseNegotiation), fault
    if action.name.endswith(".answer"):
        for prompt in view.prompts:
            assert all(action != button.action for button in prompt.buttons), fault
    if offer is not None and offer.role:
        assert not isinstance(command, EndOffer | PauseOffer), fault
        if isinstance(command, Sign) and offer.ruling.why_not is None:
            assert _could_not_know(world.table, offer.number, view.seat), fault


def _could_not_know(table: Table, number: int, seat: str | None) -> bool:
    """Return whether the person in this seat can't know why their signature is refused."""
    offer = table.offers[number]
    agreed = offer.agreed.get(seat or "") == offer.revision
    if agreed and table.settings.confirm == "twice":
        return True  # it waits for the other seat
    for violation in forbidding(table, trade_of(offer, seat)):
        # another's hidden hand; or something that depends on who takes up an offer to all
        if violation.known_to not in ("", seat) or offer.to is None:
            return True
    return signed_now(table, offer, seat or "")
