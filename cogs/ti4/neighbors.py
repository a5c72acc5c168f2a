"""/neighbors, and the buttons to declare neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from discord import User, app_commands
from discord.ext import commands

from bot.api import Command, PairView, Press, Refused, TableView
from bot.api.discord import (
    LABEL_MAX,
    Button,
    Card,
    Choices,
    Request,
    Router,
    Select,
    names,
    people,
    seat_in,
    seat_of,
    seats_written,
    slash,
)
from bot.games.ti4.neighbors import (
    DECLARING,
    ChooseNeighbors,
    JoinNeighbors,
    NeighborsAction,
    NobodyYet,
    PartNeighbors,
    SeatAround,
    SeatNeighbors,
    SetNeighbors,
    pick_neighbors,
    require_map,
)

Others = app_commands.Range[str, 1, 300]


def _around(view: TableView, typed: str) -> Choices:
    return people(view, typed, view.seated(), everybody=True)


async def _others(request: Request, typed: str) -> Choices:
    view = await request.view()
    own = seat_in(view, request, "first") or view.seat
    return people(view, typed, view.others(own))


@app_commands.guild_only()
class Neighbors(
    commands.GroupCog, group_name="neighbors", group_description="Who are neighbours on the board"
):
    """The /neighbors commands."""

    def __init__(self, router: Router) -> None:
        router.on(NeighborsAction, self.asked)
        router.on(ChooseNeighbors, self.chose)

    @slash("join", "Two players are neighbours now")
    async def join(
        self,
        request: Request,
        first: Annotated[User, "One of them"],
        second: Annotated[User, "The other"],
        already: Annotated[
            bool, "They were so already when somebody traded just now (Pillage)"
        ] = False,
    ) -> None:
        view = await request.view()
        command = JoinNeighbors(seat_of(view, first), seat_of(view, second), already)
        now = ", and were so already" if already else " now"
        text = f"{_two(view, first, second)} are neighbours{now}."
        await request.respond(command, lambda outcome: text)

    @slash("part", "Two players are no longer neighbours")
    async def part(
        self,
        request: Request,
        first: Annotated[User, "One of them"],
        second: Annotated[User, "The other"],
    ) -> None:
        """Make two seats no longer neighbours."""
        view = await request.view()
        command = PartNeighbors(seat_of(view, first), seat_of(view, second))
        text = f"{_two(view, first, second)} are no longer neighbours."
        await request.respond(command, lambda outcome: text)

    @slash("set", "Set all neighbours of a player. Without options, of all as they sit")
    async def set(
        self,
        request: Request,
        first: Annotated[User | None, "Whose neighbours. Leave out for your own"] = None,
        others: Annotated[
            Others | None,
            "All of them: @bob @carol, or nobody. Anybody you leave out is no longer a neighbour",
            _others,
        ] = None,
        around: Annotated[
            Others | None,
            "Instead, everybody as you sit round the table: @alice @carol @bob. It is not the "
            "order of play",
            _around,
        ] = None,
    ) -> None:
        """Set all neighbours of a seat, or those of all seats by how they sit."""
        view = await request.view()
        command: Command = SeatNeighbors()
        if around is not None:
            command = SeatAround(seats_written(view, around))
        elif first is not None or others is not None:
            command = SetNeighbors(seat_of(view, first), _named(view, others))
        await request.respond(command)

    nobody = slash("nobody", "Host: nobody is a neighbour yet, since no units have met")(NobodyYet)

    @slash("show", "Who is whose neighbour now")
    async def show(self, request: Request) -> None:
        """List the neighbours of each seat."""
        view = await request.view()
        if view.game != "ti4":
            raise Refused(
                "This game has no neighbours.",
                "Everybody can trade with everybody: **New offer**.",
            )
        pairs = await request.pairs()
        lines = ["**Neighbours**"]
        for seat in view.seated():
            listed = ", ".join(names.mention(view, other) for other in _beside(view, pairs, seat))
            lines.append(f"{names.player(view, seat)}: {listed or 'nobody'}")
        if not view.seated():
            lines.append("Nobody sits here yet. **/table sit** takes a seat.")
        elif not any(pair.neighbors for pair in pairs):
            lines.append(
                "-# Before units have met, nobody is. **/neighbors set** makes neighbours of all "
                "as you sit."
            )
        await request.reply("\n".join(lines))

    async def asked(self, request: Request, press: NeighborsAction) -> None:
        """Handle **Neighbours** on the board: ask the presser who are their neighbours."""
        view = await request.view()
        require_map(view, press.since or None, view.public.map)
        await request.reply(neighbors_card(view, await request.pairs()))

    async def chose(self, request: Request, select: ChooseNeighbors) -> None:
        """Handle the choice of a seat's neighbours: show it with the button that confirms it."""
        view = await request.view()
        pairs = await request.pairs()
        card = neighbors_card(view, pairs, about=select.seat, picked=request.values_chosen())
        await request.answer.update(card)


def neighbors_card(
    view: TableView,
    pairs: Sequence[PairView],
    *,
    about: str | None = None,
    picked: Sequence[str] | None = None,
) -> Card:
    """Return the question who are a seat's neighbours, by default the viewer's own.

    A host is asked about the seat whose turn is over, which the board asks about. ``picked`` are
    the seats chosen in the menu, by default the present neighbours; another button confirms them.
    Raises `Refused` without a seat.
    """
    if not view.hosts and DECLARING.of(view.settings) == "host":
        raise Refused(
            "At this table, only the host says who the neighbours are.",
            f"Ask <person:{view.host}>.",
        )
    seat = about or (view.board.about if view.hosts else None) or view.seat
    if seat is None or seat not in view.seated():
        raise Refused("You have no seat at this table.", "Take one with /table sit.")
    others = sorted(view.others(seat))
    if picked is None:
        picked = _beside(view, pairs, seat)
    chosen = tuple(other for other in others if other in picked)
    options = tuple((names.plain_player(view, other), other) for other in others)
    whose = "your" if seat == view.seat else f"{names.mention(view, seat)}'s"
    text = f"Who are {whose} neighbours now?"
    nobody = Button(
        "Nobody", Press(view.id, pick_neighbors(seat, others, (), view.public.map.since))
    )
    if not options:
        return Card("waiting", text, ((nobody,),))
    action = ChooseNeighbors(view.id, seat)
    select = Select("Pick all of them", action, options, len(options), chosen, min_values=0)
    if not chosen:
        return Card("waiting", text, (select, (nobody,)))
    label = "Only " + ", ".join(names.bare_name(view, other) for other in chosen)
    if len(label) > LABEL_MAX:
        label = f"Only these {len(chosen)}"
    only = Button(
        label,
        Press(view.id, pick_neighbors(seat, others, chosen, view.public.map.since)),
        "primary",
    )
    return Card("waiting", text, (select, (only, nobody)))


def _beside(view: TableView, pairs: Sequence[PairView], seat: str) -> list[str]:
    """Return the neighbours of a seat."""
    met = [pair.seats for pair in pairs if pair.neighbors]
    return [other for other in view.seated() if (seat, other) in met or (other, seat) in met]


def _named(view: TableView, others: str | None) -> tuple[str, ...]:
    """Return the seats of the mentioned people, none for ``nobody``."""
    words = (others or "").strip().casefold()
    if words in ("nobody", "none", "no one"):
        return ()
    seats = seats_written(view, others or "")
    if not seats:
        seated = view.others(view.seat)
        example = " ".join(f"@{names.bare_name(view, seat)}" for seat in seated) or "@bob"
        remedy = f"Name all neighbours in others: {example}, or nobody."
        raise Refused("Who are the others?", remedy)
    return seats


def _two(view: TableView, first: User, second: User) -> str:
    return f"{names.mention_user(view, first.id)} and {names.mention_user(view, second.id)}"
