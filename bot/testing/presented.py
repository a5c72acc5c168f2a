"""Call every function by which a game shows something: each returns the right type, and every
button can be made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from bot.rules.commands import Caller
from bot.rules.game import Game, Proposal, Suggestion
from bot.rules.guard import blamed
from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of
from bot.rules.views import EntryView, MenuItem, TableView
from bot.rules.visibility import TableViews, everybody, person_viewer, see_entry
from bot.show.custom_ids import encode
from bot.testing.buttons import green_means_now
from bot.testing.world import EVERYONE, World


def presented(world: World, since: int) -> None:
    """Show the table, and the entries after ``since``, to everybody. Raises ``AssertionError`` with
    a sentence.
    """
    table, game = world.table, game_of(world.table)
    assert game.info.rulebook(), "its rulebook has no rules, so /rules shows nothing"
    views, callers = (
        TableViews(table),
        [Caller(table.seats[seat].person or 0) for seat in table.seated()],
    )
    for viewer in (
        everybody(table, EVERYONE),
        *(person_viewer(table, EVERYONE, caller) for caller in callers),
    ):
        view = views.see(viewer)
        _language(game, view)
        entries = [
            see_entry(each, viewer, table.game, world.tables[each.seq - 1])
            for each in world.recorded[since:]
        ]
        for button in _buttons(game, view, entries):
            try:
                encode(button.action)
            except ValueError as error:
                raise AssertionError(
                    f"the button “{button.label}” can't be made: {error}"
                ) from error
    # random commands change goods by chance only
    for seat in table.seated() if table.tracked else ():
        held = table.seats[seat].holdings
        for name in ("correct", "gain", "spend"):
            with suppress(Refused), blamed(table.game, f"holdings.{name}"):
                getattr(game.holdings, name)(table, seat, held)
    green_means_now(table)


def _buttons(
    game: Game, view: TableView, entries: Iterable[EntryView]
) -> Iterator[LabelledAction | MenuItem]:
    board = view.board
    yield from (*board.buttons, *board.menu, *([board.gains] if board.gains else ()))
    rows = [
        *(notice.buttons for notice in board.notices),
        *(prompt.buttons for prompt in view.prompts),
    ]
    rows += [step.buttons for step in (view.setup.steps if view.setup else ())]
    yield from (button for row in rows for button in row)
    yield from (remedy for offer in view.offers.values() for remedy in offer.buttons.remedies)
    yield from (button for row in game.holdings.buttons(view) for button in row)
    for entry in entries:
        yield from (
            *(button for each in entry.follow_ups for button in each.buttons),
            *filter(None, [entry.take_back]),
        )


def _language(game: Game, view: TableView) -> None:
    """Call every function that speaks of goods, as completions, forms and cards do."""
    goods, names = game.goods, list(view.seats)
    suggested = _all("goods.every", goods.every(view), Suggestion)
    for seat in view.seats.values():
        suggested += _all("goods.suggest", goods.suggest(seat, NOTHING), Suggestion)
        for one in suggested[-1:]:
            _all("goods.suggest", goods.suggest(seat, Goods({one.token: 1})), Suggestion)
        _all("goods.describe_holdings", goods.describe_holdings(seat), str)
        _is("goods.cards", goods.cards(seat), Goods)
    every = {each.token: each for each in suggested}
    for token, each in every.items():
        one = Goods({token: 1})
        _is("goods.can_be_held", goods.can_be_held(one), bool)
        _is("holdings.gains", game.holdings.gains(token), bool)
        _is("holdings.spends", game.holdings.spends(token), bool)
        assert (icon := goods.icon(token)) is None or icon in goods.icons, (
            f"goods.icon: {icon} is not in icons"
        )
        text = f"{each.usual} {each.several}" if each.several else each.one
        # it may name a seat, which here has no name
        with suppress(Refused), blamed(view.game, "goods.read"):
            _is("goods.read", goods.read(text, names, view.seat, {}), Goods)
        if goods.read_here:
            with suppress(Refused), blamed(view.game, "goods.read_here"):
                _is("goods.read_here", goods.read_here(view, text, view.seat, {}), Goods)
    for held in (NOTHING, *(Goods({token: 1}) for token in every), Goods.of(every)):
        assert _is("goods.describe", goods.describe(held), str), (
            f"goods.describe says nothing of {held}"
        )
        _is("goods.short", goods.describe_short(held), str)
        assert {*goods.listed(held)} == {*held}, (
            f"goods.listed lists other components than {held} has"
        )
    for partner in (None, *(seat for seat in view.seated() if view.seat not in (None, seat))):
        for proposal in _all("proposals", game.proposals(view, partner), Proposal):
            _is("proposals", proposal.give, Goods)
            _is("proposals", proposal.want, Goods)
    some = [Goods({token: 1}) for token in every]
    for each_goods in some:
        hash(tuple(game.match_keys(each_goods)))
        if game.matches is not None:
            _is("matches", game.matches(each_goods, some[0], True), bool)
            _is("matches", game.matches(each_goods, some[0], False), bool)


def _all(name: str, values: Any, kind: type) -> list[Any]:
    return [_is(name, value, kind) for value in values]


def _is(name: str, value: Any, kind: type) -> Any:
    assert isinstance(value, kind), f"{name} returned {value!r}, which is no {kind.__name__}"
    return value
