"""Call every function by which a game shows something, and make every button."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from bot.delivery.desired import Desired, Step
from bot.delivery.planner import plan
from bot.delivery.render import payload
from bot.rules.commands import NOBODY, Caller
from bot.rules.game import Game, Proposal, Suggestion
from bot.rules.guard import blamed
from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of
from bot.rules.viewers import everybody, person_viewer, room
from bot.rules.views import EntryView, MenuItem, TableView, Viewer
from bot.rules.visible_entry import see_entry
from bot.rules.visible_table import TableViews
from bot.service import Briefing, SeatBriefing
from bot.show.custom_ids import encode
from bot.show.narration import headline_text, plain_sentence, sentence, story
from bot.testing.buttons import green_means_now
from bot.testing.world import EVERYONE, World, look_by

MODERATOR = 13
"""A person who never plays."""


def presented(world: World, since: int) -> None:
    """Show the table, and the entries after ``since``, to everybody.

    Raises ``AssertionError`` with a sentence.
    """
    table, game = world.table, game_of(world.table)
    assert game.info.rulebook(), "its rulebook has no rules, so /rules shows nothing"
    views = TableViews(table)
    for viewer in viewers(table):
        view = views.see(viewer)
        if viewer.room is None and not viewer.shared:
            _language(game, view)
        entries = []
        for recorded in world.recorded[since:]:
            after = world.tables[recorded.seq - 1]
            entry = see_entry(recorded, viewer, table.game, after)
            for tell in (headline_text, sentence, plain_sentence, story):
                tell(entry)
            entries.append(entry)
        for button in _buttons(game, view, entries):
            try:
                encode(button.action)
            except ValueError as error:
                fault = f"the button “{button.label}” can't be made: {error}"
                raise AssertionError(fault) from error
    if table.tracked:  # random commands change goods by chance only
        for seat in table.seated():
            held = table.seats[seat].holdings
            for name in ("correct", "gain", "spend"):
                with suppress(Refused), blamed(table.game, f"holdings.{name}"):
                    getattr(game.holdings, name)(table, seat, held)
    green_means_now(table)
    for step in plan(briefing_of(world, since), {}):
        _draw(step)


def viewers(table: Table) -> list[Viewer]:
    """Return a viewer of every kind: the channel, threads, players, their cards in places that
    others read, hosts, moderators who look at hands, and readers of a table that is open to all.
    """
    channel = everybody(table, EVERYONE)
    every = [channel, replace(channel, opened=True)]
    every += [room(table, EVERYONE, number) for number in table.negotiations]
    for person in _people(table).values():
        player = person_viewer(table, EVERYONE, Caller(person))
        every += [player, replace(player, shared=True)]
    for moderates in (False, True):
        host = Caller(MODERATOR if moderates else table.host, moderates)
        every.append(person_viewer(table, EVERYONE, host, look=look_by(host.person)))
    return every


def _people(table: Table) -> dict[str, int]:
    """Return who sits, by seat."""
    return {seat: table.seats[seat].person or NOBODY for seat in table.seated()}


def briefing_of(world: World, since: int) -> Briefing:
    """Return what delivery would plan from after these entries."""
    news = world.recorded[since:]
    subjects = {subject for each in news if (subject := each.entry.subject())}
    table = world.recall(subjects)
    views, channel = TableViews(table, news), everybody(table, EVERYONE)
    rooms, seats = {}, {}
    for number in table.negotiations:
        rooms[number] = views.see(room(table, EVERYONE, number))
    for seat, person in _people(table).items():
        viewer = person_viewer(table, EVERYONE, Caller(person))
        seats[seat] = SeatBriefing(
            seat=seat,
            user_id=1000 + person,
            person=person,
            view=views.see(viewer),
            make_shared_view=partial(views.see, replace(viewer, shared=True)),
            entries=views.entries(viewer),
        )
    return Briefing(
        table_id=table.id,
        guild_id=1,
        channel_id=1,
        seq=table.seq,
        open=table.running,
        public=views.see(channel),
        rooms=rooms,
        seats=seats,
        entries=views.entries(channel),
        after=since,
    )


def _draw(step: Step) -> None:
    """Draw the cards of a message, but not their pictures."""
    if isinstance(step, Desired):
        cards = [step.card]
        if step.fallback is not None:
            cards += [step.fallback.card] if step.fallback.card else []
        for card in cards:
            payload(replace(card, picture=None), step.subject.drawn)


def _buttons(
    game: Game, view: TableView, entries: Iterable[EntryView]
) -> Iterator[LabelledAction | MenuItem]:
    board = view.board
    yield from board.menu
    if board.gains:
        yield board.gains
    yield from board.buttons
    yield from board.choices
    for notice in board.notices:
        yield from notice.buttons
    for prompt in view.prompts:
        yield from prompt.buttons
    for step in view.setup.steps if view.setup else ():
        yield from step.buttons
    for offer in view.offers.values():
        yield from offer.buttons.remedies
    for row in game.holdings.buttons(view):
        yield from row
    for entry in entries:
        for follow_up in entry.follow_ups:
            yield from follow_up.buttons
        if entry.take_back:
            yield entry.take_back


def _language(game: Game, view: TableView) -> None:
    """Call every function that speaks of goods, as completions, forms and cards do."""
    goods, names = game.goods, list(view.seats)
    suggested = _all("goods.every", goods.every(view), Suggestion)
    for seat in view.seats.values():
        suggested += _all("goods.suggest", goods.suggest(seat, NOTHING), Suggestion)
        if suggested:
            chosen = Goods({suggested[-1].token: 1})
            _all("goods.suggest", goods.suggest(seat, chosen), Suggestion)
        _all("goods.describe_holdings", goods.describe_holdings(seat), str)
        _is("goods.cards", goods.cards(seat), Goods)
    suggestions = {suggestion.token: suggestion for suggestion in suggested}
    components = [Goods({token: 1}) for token in suggestions]
    for token, suggestion in suggestions.items():
        _is("goods.can_be_held", goods.can_be_held(Goods({token: 1})), bool)
        _is("holdings.gains", game.holdings.gains(token), bool)
        _is("holdings.spends", game.holdings.spends(token), bool)
        icon = goods.icon(token)
        assert icon is None or icon in goods.icons, f"goods.icon: {icon} is not in icons"
        text = suggestion.one
        if suggestion.several:
            text = f"{suggestion.usual} {suggestion.several}"
        # it may name a seat, which here has no name
        with suppress(Refused), blamed(view.game, "goods.read"):
            _is("goods.read", goods.read(text, names, view.seat, {}), Goods)
        if goods.read_here:
            with suppress(Refused), blamed(view.game, "goods.read_here"):
                _is("goods.read_here", goods.read_here(view, text, view.seat, {}), Goods)
    for held in (NOTHING, *components, Goods.of(suggestions)):
        description = _is("goods.describe", goods.describe(held), str)
        assert description, f"goods.describe says nothing of {held}"
        _is("goods.short", goods.describe_short(held), str)
        listed = {*goods.listed(held)}
        assert listed == {*held}, f"goods.listed lists other components than {held} has"
    partners: list[str | None] = [None]
    if view.seat is not None:
        partners += view.others(view.seat)
    for partner in partners:
        for proposal in _all("proposals", game.proposals(view, partner), Proposal):
            _is("proposals", proposal.give, Goods)
            _is("proposals", proposal.want, Goods)
    for component in components:
        for price in _all("prices", game.prices(component), Goods):
            _is("worth", game.worth(price), int)
        hash(tuple(game.match_keys(component)))
        if game.matches is not None:
            _is("matches", game.matches(component, components[0], True), bool)
            _is("matches", game.matches(component, components[0], False), bool)


def _all(name: str, values: Any, kind: type) -> list[Any]:
    return [_is(name, value, kind) for value in values]


def _is(name: str, value: Any, kind: type) -> Any:
    assert isinstance(value, kind), f"{name} returned {value!r}, which is no {kind.__name__}"
    return value
