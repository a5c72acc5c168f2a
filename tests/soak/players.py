"""Random play: people at several tables who type, press, choose and fill in, in the channel and by
DM.
"""

from __future__ import annotations

import asyncio
import random
import re
import string
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from tests.loopback import screen
from tests.loopback.exchange import OPEN_MODAL, Exchange
from tests.loopback.loopback import Loopback, Silent
from tests.loopback.people import MODERATOR, Person
from tests.loopback.screen import Json
from tests.loopback.world import CHANNEL, GUILD, guild_on

WANTED = ("Accept", "Agree", "Confirm", "Trade with", "Hand over", "Tell me", "Show me")
UNWANTED = (
    "Withdraw",
    "Decline",
    "Back out",
    "Suspend",
    "Close",
    "Begin",
    "Agenda",
    "Combat",
    "Done",
    "Give",
    "Play with",
    "Free the seat",
    "Take a card",
    "Lose cards",
)
SUCCESS = 3  # the style of a button whose press is possible now
RECENT = 14  # messages that somebody looks at
PATIENCE = 5.0  # seconds somebody waits for an answer before they do something else


@dataclass
class Seat:
    """A person at a table, and what they are called there."""

    person: Person
    seat: str


@dataclass
class Party:
    """A table: its place, its host, and who sits at it. One that is `doomed` loses its channel."""

    game: str
    name: str
    guild: str
    channel: str
    host: Person
    seats: list[Seat]
    doomed: Literal["", "deleted", "kicked"] = ""
    lost: bool = False  # its channel is gone, perhaps for a while, so people act by DM only

    def others(self, person: Person) -> list[Person]:
        return [seat.person for seat in self.seats if seat.person != person]

    def number(self, person: Person) -> int:
        return next(number for number, seat in enumerate(self.seats) if seat.person == person)


@dataclass
class Play:
    """Everything that players share."""

    discord: Loopback
    chance: random.Random
    pace: float  # seconds between two acts of one person, on average
    exchanges: list[Exchange] = field(default_factory=list)
    secrets: dict[str, set[str]] = field(default_factory=dict)  # word -> the users who may read it
    # words of offers whose interaction came twice
    delivered_twice: set[str] = field(default_factory=set)
    versions: Callable[[], list[Json]] = list  # messages as they once were
    paused: bool = False

    def secret(self, *people: Person) -> str:
        """A word that nobody else may read."""
        word = "zq" + "".join(self.chance.choices(string.ascii_lowercase, k=8))
        self.secrets[word] = {str(person.id) for person in people}
        return word

    def word_of_two(self) -> str:
        """A word for an offer or deal whose interaction is delivered twice: it must stand in the
        ledger once.
        """
        word = "twice" + "".join(self.chance.choices(string.ascii_lowercase, k=8))
        self.delivered_twice.add(word)
        return word

    def one_in(self, number: int) -> bool:
        return self.chance.randrange(number) == 0


ELSEWHERE, VISITED = guild_on(1, 2), guild_on(2, 4)
GAMES = {
    "ti4": (("hacan", "sol", "letnev", "arborec"), "30 tg, 2 c"),
    "advciv": (("egypt", "crete", "italy", "babylon"), ""),
}
FILLED_IN = {"ti4": ("1 tg", "1 c", "nothing"), "advciv": ("2 salt, ?", "3 ?", "2 grain, ?")}
HANDS = (
    "4 salt, 4 hides, 2 iron, epidemic",
    "4 grain, 4 ochre, 2 oil, treachery",
    "4 cloth, 4 timber, 2 iron, famine",
    "4 wine, 4 papyrus, 2 oil, civil war",
)
MANY = (
    ("salt", "hides"),
    ("grain", "ochre"),
    ("cloth", "timber"),
    ("wine", "papyrus"),
)
"""Of what each hand has several cards."""


def parties(discord: Loopback, count: int, shards: int = 1) -> list[Party]:
    """Tables of both games in turn, each in a channel of its own, with four people each and a host
    without a seat.

    Of four or more the last two are doomed. Where there are several shards, each has tables.
    """
    made: list[Party] = []
    for number in range(count):
        game = ("ti4", "advciv")[number % 2]
        base = 100 * (number + 1)
        host = Person(base, f"host{number}", MODERATOR)
        seats = [
            Seat(Person(base + i, f"p{number}x{i}"), seat)
            for i, seat in enumerate(GAMES[game][0], 1)
        ]
        doomed: Literal["", "deleted", "kicked"] = (
            "" if count < 4 or number < count - 2 else "deleted"
        )
        if number == 2:  # one person sits at two tables
            everywhere = made[0].seats[0].person
            seats[0] = Seat(everywhere, seats[0].seat)
        if doomed and number == count - 1:
            doomed = "kicked"
        guild = GUILD
        if doomed == "kicked":
            guild = ELSEWHERE
        elif shards > 1 and number:
            guild = guild_on(number % shards, shards)
        elif number == 1:
            guild = VISITED
        channel = CHANNEL if number == 0 else discord.world.add_channel(guild)
        made.append(Party(game, f"Tbl{number}", guild, channel, host, seats, doomed))
    return made


async def sit_down(discord: Loopback, party: Party) -> None:
    """Opens a table and deals what its people have. Raises AssertionError when the bot refuses."""

    async def typed(words: str, user: Person, **options: object) -> None:
        exchange = await discord.slash(words, user=user, at=party.channel, **options)
        assert "🚫" not in exchange.text, (words, options, exchange.text)

    await typed("table open", party.host, game=party.game, name=party.name)
    for number, seat in enumerate(party.seats):
        await typed("table sit", seat.person, seat=seat.seat)
        goods = GAMES[party.game][1] or HANDS[number]
        # the host does not play, so they look before they set hands
        if party.game == "advciv" and number == 0:
            await typed("holdings show", party.host, player=seat.person)
        await typed("holdings set", party.host, player=seat.person, goods=goods)
    if party.game == "advciv":
        await typed("trading open", party.host, minutes=0)
    else:
        for first, second in combinations(party.seats, 2):
            await typed("neighbors join", party.host, first=first.person, second=second.person)
        await typed("turn start", party.host, player=party.seats[0].person)


async def play(play: Play, party: Party, person: Person) -> None:
    """One person acts until cancelled."""
    while True:
        await asyncio.sleep(play.chance.expovariate(1 / play.pace))
        if play.paused or not play.discord.gateway.online():
            continue
        act = play.chance.choices(ACTS, WEIGHTS)[0]
        exchange = await act(play, party, person)
        if exchange is None:
            continue
        play.exchanges.append(exchange)
        await _patience(play, exchange)
        if exchange.callbacks and exchange.type == OPEN_MODAL:
            await asyncio.sleep(play.chance.random() * play.pace / 4)
            if not play.discord.world.open(exchange.channel):
                continue
            sent = await _submit(play, party, exchange)
            play.exchanges.append(sent)
            await _patience(play, sent)


async def _patience(play: Play, exchange: Exchange) -> None:
    try:
        await play.discord.until(lambda: exchange.callbacks, PATIENCE)
    except TimeoutError:
        return


# ---------------------------------------------------------------- what people do

Act = Callable[[Play, Party, Person], Awaitable[Exchange | None]]


async def press(play: Play, party: Party, person: Person) -> Exchange | None:
    """Presses a button, or chooses from a select, of one of the last messages."""
    world, stranger = play.discord.world, play.one_in(25)

    def theirs(message: Json) -> bool:
        at = world.parent(message["channel_id"])
        return stranger or at == party.channel or world.is_dm(at)

    messages = []
    for message in world.visible(person):
        if theirs(message) and world.open(message["channel_id"]):
            messages.append(message)
    choices = []
    for message in list(filter(_usable, messages))[-RECENT:]:
        choices += [(message, item) for item in screen.buttons(message)]
        choices += [(message, item) for item in screen.selects(message)]
    return await _use(play, person, choices)


async def press_old(play: Play, party: Party, person: Person) -> Exchange | None:
    """Presses on a message as it once was: it was redrawn while the finger came down."""
    world = play.discord.world
    choices: list[Choice] = []
    for message in play.versions():
        if message["id"] not in world.messages or not world.open(message["channel_id"]):
            continue
        if world.can_see(str(person.id), message):
            choices += [(message, button) for button in screen.buttons(message)]
    return await _use(play, person, choices)


Choice = tuple[Json, Json]
"""A message, and what is pressed or chosen in it."""


async def _use(play: Play, person: Person, choices: list[Choice]) -> Exchange | None:
    if not choices:
        return None
    weights = [_weight(play, *choice) for choice in choices]
    message, item = play.chance.choices(choices, weights)[0]
    values = None
    if item["type"] == screen.SELECT:
        values = _values(play, item, item.get("placeholder", ""))
    times = 2 if play.one_in(20) else 1
    use = play.discord.use
    with suppress(Silent):
        return await use(item, message, person, values=values, times=times, wait=False)
    return None


def _usable(message: Json) -> bool:
    return bool(screen.buttons(message) or screen.selects(message))


def _weight(play: Play, message: Json, item: Json) -> float:
    label = item.get("label") or item.get("placeholder") or ""
    mine = 3.0 if play.discord.world.is_dm(message["channel_id"]) else 1.0
    if label.startswith(WANTED):
        return (20.0 if item.get("style") == SUCCESS else 4.0) * mine
    return 0.3 if label.startswith(UNWANTED) else mine


def _values(play: Play, select: Json, label: str) -> list[str]:
    """What is chosen already, and more by chance: as many as the label says, else one."""
    options = select["options"]
    chosen = [option["value"] for option in options if option.get("default")]
    others = [option["value"] for option in options if option["value"] not in chosen]
    most = min(select.get("max_values", 1), len(options))
    said = re.search(r"(\d+) card", label)
    count = min(most, int(said[1]) if said else 3)
    missing = min(count - len(chosen), len(others))
    return (chosen + play.chance.sample(others, max(0, missing)))[:count]


async def _submit(play: Play, party: Party, opened: Exchange) -> Exchange:
    """Sends a form as the bot filled it in, with more where something is missing."""
    fields: dict[str, object] = {}
    for item in opened.data["components"]:
        if item["type"] != screen.LABEL:
            continue
        inner = item["component"]
        if inner["type"] == screen.SELECT:
            fields[inner["custom_id"]] = _values(play, inner, item["label"])
        elif not inner.get("value") and inner["custom_id"] in ("give", "want"):
            fields[inner["custom_id"]] = play.chance.choice(FILLED_IN[party.game])
    return await play.discord.submit(opened, wait=False, **fields)


async def post(play: Play, party: Party, person: Person) -> Exchange | None:
    """Types an offer: to one person or to all, in the channel, in a thread or by DM."""
    to = play.chance.choice(party.others(person))
    private = party.game == "advciv"
    options: dict[str, object] = _goods(play, party, person, to)
    if not play.one_in(4):
        options["to"] = to
        if play.one_in(2):
            options["terms"] = play.secret(person, to) if private else "and peace"
    if play.one_in(8):
        options["for"] = "10s"
    return await _type(play, party, person, "offer post", **options)


def _goods(play: Play, party: Party, person: Person, other: Person) -> dict[str, object]:
    if party.game == "ti4":
        if play.one_in(5):
            return {"give": "1 tg", "want": "1 c"}
        return {"give": f"{play.chance.randint(1, 2)} tg"}
    mine = play.chance.choice(MANY[party.number(person)])
    theirs = play.chance.choice(MANY[party.number(other)])
    return {"give": f"2 {mine}, ?", "want": f"2 {theirs}, ?"}


async def respond(play: Play, party: Party, person: Person) -> Exchange | None:
    """Types what a button would do."""
    number = play.chance.randint(1, 40)
    words = play.chance.choice(
        ("accept", "decline", "withdraw", "suspend", "resume", "alter", "counter")
    )
    options: dict[str, object] = {"offer": number}
    if words in ("alter", "counter"):
        options |= _goods(play, party, person, play.chance.choice(party.others(person)))
    return await _type(play, party, person, f"offer {words}", **options)


async def look(play: Play, party: Party, person: Person) -> Exchange | None:
    words = play.chance.choice(
        ("offer list", "holdings show", "history", "table show", "deal list")
    )
    return await _type(play, party, person, words)


async def go_on(play: Play, party: Party, person: Person) -> Exchange | None:
    """The game goes on: the next turn, or now and then a hand set right again."""
    if party.game == "ti4":
        return await _type(
            play, party, party.host, "turn start", player=play.chance.choice(party.seats).person
        )
    if play.one_in(4):
        number = play.chance.randrange(len(party.seats))
        seat = party.seats[number]
        return await _type(
            play, party, party.host, "holdings set", player=seat.person, goods=HANDS[number]
        )
    return None


async def suggest(play: Play, party: Party, person: Person) -> Exchange | None:
    if not party.lost:
        await play.discord.suggest(
            "offer post", "give", "1", user=person, at=party.channel, wait=False
        )
    return None


async def talk(play: Play, party: Party, person: Person) -> Exchange | None:
    """Opens a private thread for two."""
    if party.lost or party.game != "ti4":
        return None
    return await _type(
        play, party, person, "negotiate open", with_=play.chance.choice(party.others(person))
    )


async def promise(play: Play, party: Party, person: Person) -> Exchange | None:
    to = play.chance.choice(party.others(person))
    return await _type(play, party, person, "deal propose", with_=to, terms="peace", when="later")


async def _type(
    play: Play, party: Party, person: Person, words: str, **options: object
) -> Exchange | None:
    guild_only = words.startswith(("turn", "negotiate", "table", "holdings set"))
    if party.lost and guild_only:
        return None
    dm = (party.lost or play.one_in(4)) and not guild_only
    # the rules refuse an offer twice, but not a deal
    times = 2 if play.one_in(10) or words == "deal propose" else 1
    if times == 2 and (
        words == "deal propose" or (words == "offer post" and "terms" not in options)
    ):
        options["terms"] = play.word_of_two()
    place = party.channel
    if words == "offer post" and not dm and play.one_in(3):
        world = play.discord.world
        rooms = [
            t
            for t in world.threads()
            if world.parent(t) == place and world.reads(str(person.id), t)
        ]
        place = play.chance.choice(rooms) if rooms else place
    return await play.discord.slash(
        words, user=person, at=place, dm=dm, times=times, wait=False, **options
    )


ACTS: tuple[Act, ...] = (press, press_old, post, respond, look, go_on, suggest, talk, promise)
WEIGHTS = (45, 4, 24, 5, 5, 12, 4, 1, 2)
