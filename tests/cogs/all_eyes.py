"""A random evening of either game in two worlds that differ in two hands, as everybody else sees
it.

Bob and Carol hold other cards in each world, and trade them with one another. All the others look
on at once, and try every command there is: the host, who plays; a player; one who leaves half-way,
and the one who takes over that seat; a moderator who has not looked into hands, and tries to learn
them all the same; and somebody who only reads the channel. What others read of a negotiation is in
the threads of those who hold it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from discord import AppCommandOptionType as Kind
from discord import app_commands

from bot.games.ti4.requests import AnswerRequest
from bot.rehearsal.reading import Control
from bot.rehearsal.simulated_server import ImpossibleAction
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command, Press
from bot.rules.engine import decide
from bot.rules.entries import split
from bot.rules.features.deals import AnswerDeal
from bot.rules.features.offers.signing import EndOffer
from bot.rules.model.actions import Action
from bot.rules.model.goods import Goods
from bot.rules.model.offer import Offer
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of
from bot.show.actions import ForgetMe, RemoveTable
from bot.show.custom_ids import decode
from bot.testing.makers import likely
from data import rules
from tests.cogs.two_worlds import State, Two, Where, Worlds

HOST, PLAYER, LEAVER, COMER, MODERATOR, ONLOOKER = "alice", "dave", "erin", "frank", "gina", "henry"
VIEWERS = (HOST, PLAYER, LEAVER, COMER, MODERATOR, ONLOOKER)

KNOWERS = ("bob", "carol")
"""The two whose hands differ between the worlds."""

SETTER = "ivan"
"""A moderator who says what hands hold; he has looked, so what he sees is not compared."""

LEFT_OUT = (
    "table open",
    "table sit",
    "table leave",
    "table close",
    "table reopen",
    "table host",
    "table settings",
    "privacy",
    "phase set",
    "trading close",
)
"""Commands that end the evening or a phase, or change who sits there, which is done at its own
time.
"""

LOOKS_INTO_HANDS = ("audit ledger", "audit trade", "audit player", "audit export", "holdings show")
"""Commands by which a moderator who does not play asks to see what hands hold."""

OFTEN = {
    "offer post": 12,
    "offer accept": 8,
    "offer hand": 8,
    "offer counter": 3,
    "negotiate open": 2,
    "note play": 3,
}
"""How often a command comes, beside the others that come once."""

WORDS = ("peace", "for", "two", "turns", "or", "war", "ships")


@dataclass(frozen=True)
class Step:
    """What one of the two types in each world, and the commands that it makes, by which to predict
    what comes of it.
    """

    who: str
    path: str
    options: Two[Mapping[str, str]]
    commands: Two[Command]


class Night(ABC):
    """An evening of one game, made up as it goes."""

    game: ClassVar[str]
    seats: ClassVar[Mapping[str, str]]

    def __init__(self, worlds: Worlds, random: Random) -> None:
        self.worlds, self.random = worlds, random
        self.sitting = dict(self.seats)
        self.acts = self.differing = 0
        self.closed: set[str] = set()
        tree = worlds.both[0].evening.bot.tree
        self._commands = [
            each
            for each in tree.walk_commands()
            if isinstance(each, app_commands.Command)
            and not each.qualified_name.startswith(LEFT_OUT)
        ]
        self.types(HOST, "table open", {"game": self.game, "name": "Thursday"})
        for name, seat in self.seats.items():
            self.types(name, "table sit", {"seat": seat})
        self.types(SETTER, "audit ledger")
        self.begin()

    # ------------------------------------------------------------ of each game

    @abstractmethod
    def begin(self) -> None:
        """Bring it about that two hands differ, and that trade begins."""

    @abstractmethod
    def part(self) -> None:
        """Bring it about once more that the two hands differ, if that is possible unseen."""

    @abstractmethod
    def goes_on(self) -> None:
        """Have the host bring the game a step further."""

    @abstractmethod
    def provokes(self) -> None:
        """Have the host, who plays, ask for something of which an answer might tell what the two
        hold.
        """

    @abstractmethod
    def knows(self) -> Step | None:
        """Return something that one of the two does, who know."""

    @abstractmethod
    def side(self, who: str | None) -> Goods:
        """Return what this person, or any, might give, as far as everybody may know."""

    @abstractmethod
    def handed(self, offer: Offer, who: str) -> Goods:
        """Return what this person might hand over for an offer."""

    @abstractmethod
    def everything(self) -> str:
        """Return, as typed, all there is of something that one of the two may hold."""

    def note(self) -> str:
        """Return the name of some promissory note."""
        return "ceasefire"

    # ------------------------------------------------------------ people and hands

    def table(self) -> Table:
        return self.worlds.tables()[0]

    def seat_of(self, name: str) -> str | None:
        return self.sitting.get(name)

    def name_of(self, seat: str) -> str:
        return next(name for name, each in self.sitting.items() if each == seat)

    def hands(self, name: str) -> Two[Goods]:
        """Return what a person holds in each world."""
        one, other = (table.seats[self.sitting[name]].holdings for table in self.worlds.tables())
        return one, other

    def common(self, name: str) -> Goods:
        """Return what a person holds in either world."""
        one, other = self.hands(name)
        return one.common(other)

    def written(self, goods: Goods) -> str:
        """Return goods as people write them."""
        said = re.sub(r"<beside:\w+>", "", game_of(self.table()).goods.describe(goods))
        return re.sub(r"<name:(\w+)>", lambda found: self._name_or_seat(found[1]), said)

    def _name_or_seat(self, seat: str) -> str:
        return next((name for name, each in self.sitting.items() if each == seat), seat)

    def differs(self) -> bool:
        """Return whether the worlds still differ."""
        return any(self.hands(name)[0] != self.hands(name)[1] for name in KNOWERS)

    # ------------------------------------------------------------ one thing after another

    def types(
        self, who: str, path: str, *options: Mapping[str, str], where: Where = "channel"
    ) -> None:
        """Have a command typed; what comes of it is the same in both worlds, to the number of
        entries.
        """
        self.worlds.types(who, path, *options, where=where)
        self.worlds.in_step()
        self.acts += 1

    def act(self) -> None:
        """Have somebody do something. ``differing`` counts what is done while the two hands
        differ.
        """
        before = self.acts
        kinds: dict[Callable[[], None], int] = {
            self._tries: 40,
            self._trades: 25,
            self._presses: 10,
            self._completes: 7,
            self._one_who_knows: 25,
            self.goes_on: 8,
            self.provokes: 4,
            self._sets: 4,
            self._closes_dms: 2,
            self._waits: 1,
        }
        with suppress(ImpossibleAction):  # no client would send that
            self.random.choices(list(kinds), list(kinds.values()))[0]()
        if self.differs():
            self.differing += self.acts - before
        else:
            self.part()

    def succeeds(self) -> None:
        """One player leaves, and another person takes over the seat."""
        seat = self.sitting.pop(LEAVER)
        self.types(LEAVER, "table leave")
        self.types(COMER, "table sit", {"seat": seat})
        self.sitting[COMER] = seat

    def restarts(self) -> None:
        self.worlds.do("restart", lambda world: world.run(world.evening.stage.restart()))

    def look_about(self) -> None:
        """Have every viewer look at everything there is to look at."""
        looks: list[tuple[str, Mapping[str, str]]] = [
            ("offer list", {}),
            ("table show", {}),
            ("deal list", {}),
            ("history", {}),
            ("neighbors show", {}),
            ("debt list", {}),
            ("table say", {}),
            ("rules show", {"number": self.random.choice(list(rules(self.game)))}),
            ("cards hand", {}),
            ("history", {"player": f"@{self.random.choice(KNOWERS)}"}),
        ]
        audits: list[tuple[str, Mapping[str, str]]] = [
            ("audit ledger", {}),
            ("audit player", {"player": "@bob"}),
            ("audit verify", {}),
            *(("audit export", {"format": form}) for form in ("csv", "json")),
        ]
        for who in VIEWERS:
            for path, options in (*self.random.sample(looks, 4), *(audits if who == HOST else ())):
                self.types(who, path, options)
            if who != MODERATOR:
                self.types(who, "holdings show", {"player": f"@{self.random.choice(KNOWERS)}"})

    # ------------------------------------------------------------ those who may not know

    def _tries(self) -> None:
        """Have a viewer type any command, with options that people might give."""
        who = self.random.choice(VIEWERS)
        names = [each.qualified_name for each in self._commands]
        weights = [OFTEN.get(name, 1) for name in names]
        command = self.random.choices(self._commands, weights)[0]
        path = command.qualified_name
        if who == MODERATOR and path.startswith(LOOKS_INTO_HANDS):
            return
        options: dict[str, str] = {}
        for option in command.parameters:
            if option.required or self.random.random() < 0.5:
                options[option.display_name] = self._value(who, path, option)
        if (
            path in ("holdings set", "audit correct")
            and who != MODERATOR
            and not self.may_set(options)
        ):
            return
        where: Where = self.random.choices(("channel", "dm", "thread"), (88, 8, 4))[0]
        self.types(
            who, path, {name: value for name, value in options.items() if value}, where=where
        )

    def _sets(self) -> None:
        """Have the moderator who has not looked set a hand, to learn what others hold."""
        options = {
            "player": f"@{self.random.choice(list(self.sitting))}",
            "goods": self.everything(),
        }
        if likely(self.random, 50):
            self.types(MODERATOR, "holdings set", options)
        else:
            self.types(MODERATOR, "audit correct", {**options, "reason": "A guess"})

    def _trades(self) -> None:
        """Have a viewer who plays post an offer to one of the two, or answer one that waits for
        them.
        """
        who = self.random.choice([name for name in self.sitting if name not in KNOWERS])
        offer = self.live_offer(who, waits=True)
        mine = offer or self.live_offer(who, waits=False)
        if mine is not None and self.game == "advciv" and self.random.random() < 0.6:
            cards = self.written(self.handed(mine, who))
            self.types(who, "offer hand", {"offer": str(mine.number), "cards": cards})
        elif offer is not None and self.random.random() < 0.7:
            self.types(who, "offer accept", {"offer": str(offer.number)})
        else:
            to = self.random.choice(KNOWERS)
            sides = {"give": self.written(self.side(who)), "want": self.written(self.side(to))}
            self.types(who, "offer post", {"to": f"@{to}", **sides})

    def may_set(self, options: Mapping[str, str]) -> bool:
        """Return whether a hand may be set like this, so that the worlds go on to differ."""
        return options["player"][1:] not in KNOWERS

    def _value(self, who: str, path: str, option: app_commands.Parameter) -> str:
        """Return what somebody types into this option."""
        name = option.display_name
        if option.choices:
            return self.random.choice(option.choices).name
        if option.type is Kind.user:
            return f"@{self.random.choice([*self.sitting, ONLOOKER])}"
        if option.type is Kind.boolean:
            return self.random.choice(("yes", "no"))
        if option.type is Kind.integer:
            return str(self._number(path, name))
        return self._text(who, path, name)

    def _number(self, path: str, name: str) -> int:
        table = self.table()
        among = {
            "offer": table.offers_posted,
            "deal": table.deals_proposed,
            "number": table.transactions,
        }
        if name in among:
            live = [offer.number for offer in table.live_offers()]
            if name == "offer" and live and self.random.random() < 0.8:
                return self.random.choice(live)
            return self.random.randint(1, among[name] + 1)
        return self.random.randint(1, 9 if name == "cities" else 3)

    def _text(self, who: str, path: str, name: str) -> str:
        if name in ("give", "hand"):
            return self.written(self.side(who if who in self.sitting else None))
        if name in ("want", "goods", "cards"):
            return self.written(self.side(None))
        other = {
            "note": self.note,
            "number": lambda: self.random.choice(list(rules(self.game))),
            "phase": lambda: self.random.choice(game_of(self.table()).info.phases),
            "for": lambda: "1h",
            "kind": lambda: "offer",
            "since": lambda: "2020-01-01",
            "mining": lambda: self.random.choice(("iron", "gold")),
            "players": lambda: " ".join(f"@{name}" for name in self.sitting),
            "topic": self._topic(path),
        }
        return other.get(name, self._words)()

    def _topic(self, path: str) -> Callable[[], str]:
        return (lambda: "start") if path == "help" else self._words

    def _words(self) -> str:
        return " ".join(self.random.choices(WORDS, k=3))

    def _completes(self) -> None:
        """Have a viewer ask what there is to type into an option."""
        who = self.random.choice(VIEWERS)
        command = self.random.choice(
            [each for each in self._commands if any(p.autocomplete for p in each.parameters)]
        )
        option = self.random.choice([each for each in command.parameters if each.autocomplete])
        path, others = (
            command.qualified_name,
            [each for each in command.parameters if each is not option],
        )
        filled = {
            each.display_name: self._value(who, path, each)
            for each in others
            if each.type in (Kind.user, Kind.integer) and self.random.random() < 0.6
        }
        numeric = option.type is Kind.integer
        typed = "" if numeric else self.random.choice(("", "", "s", "2 ", "2 salt, ", "cea", "? ("))
        self.worlds.do(
            f"{who} types {typed!r} in {option.display_name} of /{path} {filled}",
            lambda world: world.completes(who, path, option.display_name, typed, filled),
        )
        self.acts += 1

    def _presses(self) -> None:
        """Have a viewer press or choose something they see."""
        who = self.random.choice(VIEWERS)
        found = [world.controls(who) for world in self.worlds.both]
        assert [each.label for _, each in found[0]] == [each.label for _, each in found[1]], who
        places = [place for place, (_, each) in enumerate(found[0]) if self._may_press(who, each)]
        if places:
            self._press(who, found, self.random.choice(places[-12:]))

    def _may_press(self, who: str, control: Control) -> bool:
        return (
            not isinstance(decode(control.custom_id), ForgetMe | RemoveTable) and who != MODERATOR
        )

    def _press(self, who: str, found: Sequence[Sequence[tuple[int, Control]]], place: int) -> None:
        control = found[0][place][1]
        values = [
            one.value for one in self.random.sample(control.choices, min(len(control.choices), 1))
        ]
        self.worlds.do(
            f"{who} presses {control.label!r} ({control.custom_id}) {values}",
            *(lambda world, at=each[place]: world.clicks(who, *at, values) for each in found),
        )
        self.worlds.in_step()
        self.acts += 1

    def _closes_dms(self) -> None:
        """Have a viewer close their DMs, or open them again."""
        who = self.random.choice((HOST, PLAYER))
        self.closed ^= {who}
        self.worlds.dms(who, opened=who not in self.closed)

    def _waits(self) -> None:
        self.worlds.do("wait 20s", lambda world: world.run(world.evening.stage.wait(20)))

    # ------------------------------------------------------------ those who know

    def _one_who_knows(self) -> None:
        """Have one of the two do something of which everybody else sees the same in both worlds."""
        if self.random.random() < 0.15:
            self._answers()
            return
        for _ in range(20):
            step = self.knows()
            if step is None:
                continue
            one, other = self._predicted(step)
            if one == other and (one != "refused" or self.random.random() < 0.1):
                self.types(step.who, step.path, *step.options)
                return

    def _answers(self) -> None:
        """Have one of the two answer what they are asked about a deal or by another player."""
        who = self.random.choice(KNOWERS)
        found = [world.controls(who) for world in self.worlds.both]
        ids = [[each.custom_id for _, each in each_world] for each_world in found]
        asked = [id for id in ids[0] if id in ids[1] and self._is_answer(decode(id))]
        if asked:
            id = self.random.choice(asked)
            at = [each_world[each.index(id)] for each_world, each in zip(found, ids, strict=True)]
            self._press(who, [[each] for each in at], 0)

    @staticmethod
    def _is_answer(action: Action) -> bool:
        match action:
            case Press(command=AnswerDeal() | AnswerRequest()):
                return True
        return False

    def alike(self, who: str, path: str, options: Mapping[str, str], command: Command) -> Step:
        """Return a step that is the same in both worlds."""
        return Step(who, path, (options, options), (command, command))

    def live_offer(self, who: str, *, waits: bool) -> Offer | None:
        """Return an offer that this person posted, or that waits for them."""
        seat = self.sitting[who]
        mine = [
            each
            for each in self.table().live_offers()
            if (each.to == seat if waits else each.seat == seat)
        ]
        return self.random.choice(mine) if mine else None

    def ends(self, who: str, other: str) -> Step | None:
        """Decline an offer of another's, or withdraw one's own."""
        declines = likely(self.random, 50)
        offer = self.live_offer(who, waits=declines)
        if offer is None:
            return None
        how = "decline" if declines else "withdraw"
        return self.alike(
            who, f"offer {how}", {"offer": str(offer.number)}, EndOffer(offer.number, how)
        )  # type: ignore[arg-type]

    def _predicted(self, step: Step) -> Two[object]:
        one, other = (
            self._outcome(state, command, step.who)
            for state, command in zip(self.worlds.states(), step.commands, strict=True)
        )
        return one, other

    def _outcome(self, state: State, command: Command, who: str) -> object:
        """Return what everybody learns from what comes of a command, now or later.

        That is what is public of the entries; and of all that is handed over, whether it is still
        there.
        """
        try:
            entries = decide(
                state.for_command(command), command, Caller(self.worlds.person(who), at=self._now())
            )
        except Refused:
            return "refused"
        after = replay(entries, state.table)
        there = [
            (offer.number, seat, not after.seats[seat].holdings.missing(goods))
            for offer in after.live_offers()
            for seat, goods in offer.handed.items()
        ]
        return [split(entry)[0] for entry in entries], there

    def _now(self) -> int:
        return self.worlds.both[0].now()
