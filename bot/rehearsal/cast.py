"""Who sits at the rehearsal table, and how their first table is laid.

The four people, their server and its channels are the same in every run: their Discord ids follow from the
instant at which they are made, and that instant is fixed. So a database file keeps its table from one start of
`bourse` to the next. The table itself is laid as people would lay it, by typing slash commands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Protocol

import simcord

from bot.rehearsal import faces

FOUNDED: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""When the server is made, in simulated time. A snowflake holds its instant: changing this changes every id."""

GUILD: Final = "Bourse rehearsal"
TOPIC: Final = "Type / to see what Bourse can do."
TABLE: Final = "Friday night"


class CastError(Exception):
    """The first table could not be laid; the message is a sentence for the owner."""


class Tables(Protocol):
    """What the cast asks the ledger: is there an open table in that channel?"""

    async def table_in(self, channel_id: int, /) -> object | None:
        """The open table of a channel, or None."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of the four: the name typed, the name shown, a colour."""

    name: str
    shown: str
    colour: str


PARTS: Final = (
    Part("alice", "Alice", "#e3a72f"),
    Part("bob", "Bob", "#4e9fe6"),
    Part("carol", "Carol", "#54b671"),
    Part("dave", "Dave", "#dc6b62"),
)


@dataclass(frozen=True, slots=True)
class Chair:
    """What one of the four plays: the seat, what it is called, what is had when the game begins."""

    seat: str
    plays: str
    goods: str


@dataclass(frozen=True, slots=True)
class Try:
    """Something for a newcomer to do: where, what is typed, and what comes then.

    An option is its name, what is typed into it, and whether the suggestion of that name is then picked.
    """

    place: str
    command: str
    options: tuple[tuple[str, str, bool], ...]
    then: str

    @property
    def shown(self) -> str:
        """The command as it reads when typed."""
        written = [f"{name}:{f'@{value}' if pick else value}" for name, value, pick in self.options]
        return " ".join([f"/{self.command}", *written])


@dataclass(frozen=True, slots=True)
class Evening:
    """A game that the four play: in which channel, from which chairs, what is typed last, what a newcomer may try."""

    game: str
    channel: str
    chairs: Mapping[str, Chair]
    begins: tuple[tuple[str, str, Mapping[str, Any]], ...]
    tries: tuple[Try, ...]


_NEIGHBOURS = (("alice", "bob"), ("bob", "carol"), ("carol", "dave"), ("dave", "alice"))

TI4: Final = Evening(
    game="ti4",
    channel="table",
    chairs={
        "alice": Chair("hacan", "Emirates of Hacan", "4 tg, 6 c"),
        "bob": Chair("sol", "Federation of Sol", "2 tg, 4 c"),
        "carol": Chair("xxcha", "Xxcha Kingdom", "3 tg, 4 c"),
        "dave": Chair("letnev", "Barony of Letnev", "5 tg, 2 c"),
    },
    begins=(
        *(("alice", "neighbors join", {"first": f"@{one}", "second": f"@{other}"}) for one, other in _NEIGHBOURS),
        ("alice", "turn start", {"player": "@alice"}),
    ),
    tries=(
        Try(
            "alice.table",
            "offer post",
            (("to", "Bob", True), ("give", "2 tg", False), ("want", "2 c", False)),
            "Then press Accept in Bob's DM, which lights up.",
        ),
        Try(
            "alice.table",
            "offer post",
            (("to", "Dave", True), ("give", "3 c", False), ("want", "3 tg", False)),
            "Dave might rather press Counter.",
        ),
        Try(
            "bob.table",
            "offer post",
            (("to", "Carol", True), ("give", "1 c", False), ("want", "1 c", False)),
            "But it is Alice's turn. See what comes of it.",
        ),
    ),
)

ADVCIV: Final = Evening(
    game="advciv",
    channel="market",
    chairs={
        "alice": Chair("egypt", "Egypt", "3 salt, grain, oil, silver, epidemic"),
        "bob": Chair("crete", "Crete", "3 grain, 2 salt, iron, bronze"),
        "carol": Chair("babylon", "Babylon", "2 oil, 2 iron, hides, cloth, famine"),
        "dave": Chair("italy", "Italy", "2 silver, bronze, gems, ochre, timber"),
    },
    begins=(("alice", "trading open", {"minutes": 60}),),
    tries=(
        Try(
            "alice.table",
            "offer post",
            (("to", "Bob", True), ("give", "grain, oil, ? (silver)", False), ("want", "2 salt, ?", False)),
            "Bob accepts in his DM; then both hand over. What the third card really is, Alice alone decides.",
        ),
        Try(
            "carol.table",
            "offer post",
            (("want", "silver", False),),
            "A wish, open to all. Dave can answer it with Counter.",
        ),
        Try("bob.table", "cards sets", (("mining", "bronze", False),), "What Bob's sets are worth, with Mining."),
    ),
)

EVENINGS: Final = {evening.game: evening for evening in (TI4, ADVCIV)}
"""The games there is a table for, in the order in which their channels are made."""


@dataclass(frozen=True, slots=True)
class Person:
    """A part and who plays it: as a member of the server, and as a user in the own DMs."""

    part: Part
    member: simcord.MemberActor
    user: simcord.UserHandle
    dm: simcord.ChannelHandle


@dataclass(frozen=True, slots=True)
class Cast:
    """Everybody, what they play, the channel they play in, and their faces by address."""

    evening: Evening
    guild: simcord.GuildHandle
    table: simcord.ChannelHandle
    people: Mapping[str, Person]
    faces: Mapping[str, tuple[str, bytes]]


def set_clock(env: simcord.Env, to: datetime) -> None:
    """Moves SimCord's clock to an instant. For use before the bot is there: nothing that waits is woken."""
    env.backend.advance_clock((to - env.now()).total_seconds())


def gather(env: simcord.Env, game: str = "ti4") -> Cast:
    """Makes the server, the channels and the people in a SimCord that has not started yet, to play this game.

    Leaves the clock at FOUNDED; the order in which things are made decides their ids.
    """
    set_clock(env, FOUNDED)
    bourse = env.backend.edit_bot_profile("Bourse")
    bourse.avatar = faces.FACE
    users = {part.name: env.create_user(part.name, global_name=part.shown, avatar=faces.FACE) for part in PARTS}
    guild = env.create_guild(GUILD, shard_id=0, owner=users["alice"])
    first, *others = EVENINGS.values()
    channels = {first.game: guild.create_text_channel(first.channel, topic=TOPIC)}
    people: dict[str, Person] = {}
    drawn = {faces.address(bourse.id): ("bourse.png", faces.mark())}
    for part in PARTS:
        user = users[part.name]
        # The owner is a member already.
        member = simcord.MemberActor(env, guild, user) if part is PARTS[0] else guild.add_member(user)
        people[part.name] = Person(part, member, user, user.dm_channel)
        drawn[faces.address(user.id)] = (f"{part.name}.png", faces.letter(part.shown[0], part.colour))
    channels |= {evening.game: guild.create_text_channel(evening.channel, topic=TOPIC) for evening in others}
    return Cast(EVENINGS[game], guild, channels[game], people, drawn)


Line = tuple[str, str, dict[str, Any]]
"""Who types, the command, its options."""


def opening(cast: Cast) -> Iterator[Line]:
    """What is typed to lay the first table: seats, goods, and what the game begins with."""
    evening = cast.evening
    members = {f"@{name}": person.member for name, person in cast.people.items()}
    host = PARTS[0].name
    yield host, "table open", {"game": evening.game, "name": TABLE}
    for part in PARTS:
        yield part.name, "table sit", {"seat": evening.chairs[part.name].seat}
    for part in PARTS:
        yield host, "holdings set", {"player": members[f"@{part.name}"], "goods": evening.chairs[part.name].goods}
    for who, command, options in evening.begins:
        yield who, command, {name: members.get(value, value) for name, value in options.items()}


def return_to_table(cast: Cast) -> Iterator[Line]:
    """What is typed when the table is there already: everybody looks at it. Messages do not outlive a run."""
    for name in cast.people:
        yield name, "table show", {}


async def lay_table(cast: Cast, ledger: Tables) -> None:
    """Types the opening, or returns to the open table that the ledger knows in the channel.

    Raises CastError when the bot leaves a line unanswered, or no table comes of it.
    """
    known = await ledger.table_in(cast.table.id) is not None
    for name, command, options in return_to_table(cast) if known else opening(cast):
        answer = await cast.people[name].member.slash(cast.table, command, **options)
        if not answer.acknowledged:
            raise CastError(f"The first table could not be laid: Bourse did not answer /{command}.")
    if await ledger.table_in(cast.table.id) is None:
        raise CastError("The first table could not be laid: Bourse opened none.")
