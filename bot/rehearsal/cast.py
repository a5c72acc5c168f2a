"""The people of the rehearsal, and how each game's table is set up.

The four people, their server and its channels are the same in every run: a Discord id follows from
its time of creation, which is fixed. So a database file keeps its tables from one start of `bourse`
to the next. A table is set up as people would do it, with the slash commands in the game's
`Rehearsal`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import simcord

from bot.errors import OperatorError
from bot.ledger import Ledger
from bot.rehearsal import avatars
from bot.rules.model.values import frozen
from bot.rules.registry import games
from bot.rules.rehearsals import Rehearsal
from bot.tasks import loop_time

FOUNDED: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""When the server is created, in simulated time. Changing this changes every id, since snowflakes
hold their time.
"""

GUILD: Final = "Bourse rehearsal"
CHANNEL: Final = "table"
"""The channel created together with the server; games that play in it come first."""
TOPIC: Final = "Type / to see what Bourse can do."
TABLE: Final = "Friday night"


class CastError(Exception):
    """A table could not be set up. The text is a sentence for the operator."""


@frozen
class CastMember:
    """One of the four people: user name, display name, colour."""

    name: str
    shown: str
    colour: str


MEMBERS: Final = (
    CastMember("alice", "Alice", "#e3a72f"),
    CastMember("bob", "Bob", "#4e9fe6"),
    CastMember("carol", "Carol", "#54b671"),
    CastMember("dave", "Dave", "#dc6b62"),
)
HOST: Final = MEMBERS[0]
"""The owner of the server and host of the table."""


@frozen
class GameTable:
    """A game's table: the game's id and name, the set-up, and the channel."""

    game: str
    name: str
    rehearsal: Rehearsal
    channel: simcord.ChannelHandle


@frozen
class Cast:
    """The people by name, and the tables by game. ``game`` is shown first. ``avatars`` are file
    names and PNGs.
    """

    game: str
    tables: Mapping[str, GameTable]
    people: Mapping[str, simcord.MemberActor]
    avatars: Mapping[str, tuple[str, bytes]]


def rehearsals() -> Mapping[str, Rehearsal]:
    """Return the rehearsals of the installed games by game, in the order in which their channels
    are created.

    A channel's id depends on that order, and so does the table that the ledger keeps for it. Games
    that play in `CHANNEL` come first, then the others; both in alphabetical order of their ids.
    """
    first: dict[str, Rehearsal] = {}
    others: dict[str, Rehearsal] = {}
    for id, game in sorted(games().items()):
        rehearsal = game.info.rehearsal
        if rehearsal is not None:
            (first if rehearsal.channel == CHANNEL else others)[id] = rehearsal
    return first | others


def choose_game(wanted: str | None) -> str:
    """Return the game to play: ``wanted``, or else the first of `rehearsals`.

    Raises `OperatorError` when there is no rehearsal of it.
    """
    there_are = list(rehearsals())
    if wanted is None and there_are:
        return there_are[0]
    if wanted is not None and wanted in there_are:
        return wanted
    what, instead = "No installed game", "install one that does"
    if wanted:
        what = f"The game {wanted}"
    if there_are:
        instead = f"set BOURSE_GAME to {' or '.join(there_are)}"
    sets_up = "sets up no rehearsal table" if wanted else "sets up a rehearsal table"
    raise OperatorError(f"{what} {sets_up}; {instead}.")


def allow_a_slow_machine(env: simcord.Env, within: float) -> None:
    """Let the bot take up to ``within`` seconds of real time for its start, and for each action.

    SimCord 3.2.1 gives a start five seconds and an action `settle_timeout`, within which it also
    waits for every timer that is due by then. So `settle_timeout` stays short, and where it was not
    enough, the bot is waited for again.
    """
    settle = env._settle_internal

    async def settled(**options: Any) -> None:
        until = loop_time() + within
        while True:
            try:
                return await settle(**options | {"timeout": env.settle_timeout})
            except TimeoutError:
                # What advances the clock has its own deadline, which has passed.
                if "_deadline" in options or loop_time() >= until:
                    raise

    env._settle_internal = settled  # type: ignore[method-assign]


def set_clock(env: simcord.Env, to: datetime) -> None:
    """Set SimCord's clock. Only before the bot starts: no timer fires."""
    env.backend.advance_clock((to - env.now()).total_seconds())


def gather(env: simcord.Env, game: str | None = None) -> Cast:
    """Create the server, its channels and people in a new SimCord; ``game`` comes first.

    Leaves the clock at `FOUNDED`. Raises `OperatorError` as `choose_game` does.
    """
    chosen = choose_game(game)
    set_clock(env, FOUNDED)
    bourse = env.backend.edit_bot_profile("Bourse")
    bourse.avatar = avatars.HASH
    # The order of creation decides the ids: users, server, first channel, people with their DMs,
    # other channels.
    users = {
        each.name: env.create_user(each.name, global_name=each.shown, avatar=avatars.HASH)
        for each in MEMBERS
    }
    guild = env.create_guild(GUILD, shard_id=0, owner=users[HOST.name])
    first, *others = played = rehearsals()
    channels = {first: guild.create_text_channel(played[first].channel, topic=TOPIC)}
    # The server's owner is a member already.
    people = {HOST.name: simcord.MemberActor(env, guild, users[HOST.name])}
    drawn = {avatars.address(bourse.id): ("bourse.png", avatars.mark())}
    for each in MEMBERS:
        user = users[each.name]
        if each is not HOST:
            people[each.name] = guild.add_member(user)
        env.backend.get_dm_channel(user.id)  # creates it
        face = avatars.letter(each.shown[0], each.colour)
        drawn[avatars.address(user.id)] = (f"{each.name}.png", face)
    for other in others:
        channels[other] = guild.create_text_channel(played[other].channel, topic=TOPIC)
    tables = {}
    for id, rehearsal in played.items():
        tables[id] = GameTable(id, games()[id].info.name, rehearsal, channels[id])
    return Cast(chosen, tables, people, drawn)


# ---------------------------------------------------------------- setting a table up


async def set_up_table(cast: Cast, table: GameTable, ledger: Ledger) -> None:
    """Type the opening, or have everybody look at the open table that the ledger has for the
    channel.

    The messages of the last run are gone, since SimCord keeps them in memory. Raises `CastError`
    when the bot does not answer, or there is no table afterwards.
    """
    lines = _opening(cast, table)
    if await ledger.tables.table_in(table.channel.id) is not None:
        lines = ((name, "table show", {}) for name in cast.people)
    for name, command, options in lines:
        answer = await cast.people[name].slash(table.channel, command, **options)
        if not answer.acknowledged:
            raise CastError(
                f"The table of {table.name} could not be set up: Bourse did not answer /{command}."
            )
    if await ledger.tables.table_in(table.channel.id) is None:
        raise CastError(f"The table of {table.name} could not be set up: Bourse opened none.")


Typed = tuple[str, str, Mapping[str, Any]]
"""What is typed: the person, the command and its options."""


def _opening(cast: Cast, table: GameTable) -> Iterator[Typed]:
    """Yield what is typed to set up a table: seats, goods, the game's beginning."""
    seats = table.rehearsal.seats
    members = {f"@{name}": member for name, member in cast.people.items()}
    yield HOST.name, "table open", {"game": table.game, "name": TABLE}
    yield from table.rehearsal.chooses
    for each in MEMBERS:
        yield each.name, "table sit", {"seat": seats[each.name].seat}
    for each in MEMBERS:
        goods = seats[each.name].goods
        if goods:
            hand = {"player": cast.people[each.name], "goods": goods}
            yield HOST.name, "holdings set", hand
    for who, command, options in table.rehearsal.begins:
        values = {name: members.get(str(value), value) for name, value in options.items()}
        yield who, command, values
