"""A random evening in two worlds.

What others hold, offer and do among themselves differs between the worlds; what the viewer has a part in and what
everybody can see is the same in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
from typing import Any, Literal

from discord import app_commands

from bot.games.advciv.calamities import SeeCalamities
from bot.games.advciv.cards import box, card_of, describe, named, tradable
from bot.games.advciv.drawing import DrawCards
from bot.games.advciv.state import Bell, Stack, Stacks
from bot.games.advciv.trading import AskClose, DoneTrading
from bot.games.advciv.turns import AskNextTurn
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command, Press
from bot.rules.engine import decide
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PauseOffer, PostOffer
from bot.rules.features.offers.signing import EndOffer, HandOver, PickTaker, Sign
from bot.rules.features.offers.state import takers, trade_of
from bot.rules.model.actions import OfferAction
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offers import Offer
from bot.rules.model.parts import part
from bot.rules.model.table import Table
from bot.rules.model.violation import Refused
from bot.show.custom_ids import decode, encode
from data import rules
from tests.cogs.evening import TABLE
from tests.cogs.two_worlds import HOST, MODERATOR, SEATS, State, T, Two, Worlds


@dataclass(frozen=True)
class Step:
    """What a person types in each world, and the commands that it makes, by which to predict what comes of it."""

    who: str
    path: str
    options: Two[dict[str, str]]
    commands: Two[Command]


class Script:
    """An evening made up as it goes.

    What others do among themselves differs between the worlds; what the viewer has a part in, and all that everybody
    can see, is the same. What comes of a command is seen by everybody, so it must be the same too: each command is
    tried on both tables first.
    """

    def __init__(self, worlds: Worlds, random: Random) -> None:
        self.worlds, self.random = worlds, random
        self.viewer = worlds.viewer
        self.closed: set[str] = set()
        self.dealt = False

    # ------------------------------------------------------------ hands

    def seat_of(self, name: str) -> str:
        return SEATS[name]

    def name_of(self, seat: str) -> str:
        return next(name for name, id in SEATS.items() if id == seat)

    def hands(self, name: str) -> Two[Goods]:
        """Return what a person could hand over, in each world."""
        return _two([tradable(table.seats[self.seat_of(name)].holdings) for table in self.worlds.tables()])

    def common(self, name: str) -> Goods:
        """Return what a person could hand over in either world."""
        one, other = self.hands(name)
        return one.common(other)

    def set_hands(self) -> None:
        """Have the moderator set every hand.

        Some of what others hold is the same in both worlds: that can be traded with the viewer.
        """
        cards = list(box().tokens())
        self.random.shuffle(cards)
        shared = {name: Goods.of(cards.pop() for _ in range(8 if name == self.viewer else 5)) for name in SEATS}
        rest = [self.random.sample(cards, len(cards)) for _ in range(2)]
        for name, same in shared.items():
            hands = [
                same + Goods.of(deck.pop() for _ in range(0 if name == self.viewer else self.random.randint(2, 5)))
                for deck in rest
            ]
            self.worlds.hold(name, *map(describe, hands))

    def deal(self) -> None:
        """Have the bot deal. The stacks differ between the worlds, but for what the viewer draws."""
        cities = self.random.randint(4, 6)
        viewer = self.seat_of(self.viewer)
        draws, chances = DrawCards(cities, viewer), [self.random.randbytes(32).hex() for _ in range(4000)]
        one, other = self.worlds.tables()
        drawn = self._drawn(one, draws, chances[0])
        found = (each for each in chances[1:] if self._drawn(other, draws, each) == drawn)
        for world, each in zip(self.worlds.both, (chances[0], next(found)), strict=True):
            world.chance = each
        self.worlds.types(HOST, "cards draw", {"cities": str(cities), "player": f"@{self.viewer}"})
        for name in SEATS:
            if name != self.viewer:
                cities = min(9, cities + self.random.randint(0, 1))
                # Everybody sees that a stack has run out.
                if all(len(stack) > 1 for table in self.worlds.tables() for stack in _stacks(table)[:cities]):
                    self.worlds.types(name, "cards draw", {"cities": str(cities)})
                    self.worlds.in_step()
                    self._buys(name)
        self._buys(self.viewer)
        self.dealt = True

    def _drawn(self, table: Table, command: DrawCards, chance: str) -> Goods:
        """Return what the host's command would draw by this chance."""
        assert command.seat is not None
        entries = decide(table, command, replace(self.caller(HOST), chance=chance))
        return replay(entries, table).seats[command.seat].holdings - table.seats[command.seat].holdings

    def _buys(self, name: str) -> None:
        """Buy from the ninth stack; the viewer only where the same card lies on top of it in both worlds."""
        one, other = (_stacks(table)[8] for table in self.worlds.tables())
        if min(len(one), len(other)) > 1 and (name != self.viewer or one[0] == other[0]):
            self.worlds.types(name, "cards buy")
            self.worlds.in_step()

    # ------------------------------------------------------------ cards that are promised twice

    def promise_twice(self) -> None:
        """Have one of three others hand over the same cards to the two others.

        With the first they are traded, so with the second the offer is void. The cards differ between the worlds.
        """
        parts = {
            name: [Goods.of(_plain(hand)[:3]) for hand in self.hands(name)] for name in SEATS if name != self.viewer
        }
        able = [name for name, both in parts.items() if min(part.total() for part in both) == 3]
        threes = list(permutations(able, 3))
        self.random.shuffle(threes)
        who, *both = next(
            three
            for three in threes
            if all(
                (hand - given + comes).missing(given)
                for hand, given, comes in zip(self.hands(three[0]), parts[three[0]], parts[three[1]], strict=True)
            )
        )
        for to in both:
            posts = [
                {"to": f"@{to}", "give": describe(give), "want": describe(want), "hand": describe(give)}
                for give, want in zip(parts[who], parts[to], strict=True)
            ]
            self.worlds.types(who, "offer post", *posts)
        for number, to in enumerate(both, start=1):
            offer = {"offer": str(number)}
            self.worlds.types(to, "offer hand", *(offer | {"cards": describe(want)} for want in parts[to]))
            self.worlds.in_step()
            self.worlds.types(self.viewer, "history", offer)
        self.worlds.types(self.viewer, "audit trade", {"number": "1"})
        for state in self.worlds.states():
            assert [offer.status for offer in state.offers.values()] == ["resolved", "void"]

    # ------------------------------------------------------------ one thing after another

    def act(self) -> None:
        """Have a person do something."""
        kinds = {
            self._trades: 60, self._looks: 12, self._completes: 6, self._clicks: 12, self._closes_dms: 3,
            self._audits: 3, self._waits: 1,
        }  # fmt: skip
        self.random.choices(list(kinds), list(kinds.values()))[0]()

    def _trades(self) -> None:
        for _ in range(40):
            step = self._step()
            if step is None:
                continue
            one, other = self._predicted(step.who, step.commands)
            if one == other and (one != "refused" or self.random.random() < 0.1):
                in_dm = self.random.random() < 0.1 and step.who not in self.closed and step.path.startswith("offer")
                self.worlds.types(step.who, step.path, *step.options, where="dm" if in_dm else "channel")
                self.worlds.in_step()
                return

    def caller(self, who: str) -> Caller:
        """Return a person as the rules know them now."""
        return Caller(self.worlds.person(who), moderator=who == MODERATOR, at=self.worlds.both[0].now())

    def _predicted(self, who: str, commands: Two[Command]) -> Two[object]:
        states = zip(self.worlds.states(), commands, strict=True)
        return _two([self._outcome(state, command, self.caller(who)) for state, command in states])

    def _outcome(self, state: State, command: Command, caller: Caller) -> object:
        """Return what everybody sees of what comes of a command, now or later.

        That is which entries there are; and for all that is handed over, whether it will still be there, since
        otherwise its offer is void.
        """
        try:
            entries = decide(state.for_command(command), command, caller)
        except Refused:
            return "refused"
        after = replay(entries, state.table)
        there = [
            (offer.number, seat, not tradable(after.seats[seat].holdings).missing(goods))
            for offer in after.live_offers()
            for seat, goods in offer.handed.items()
        ]
        return [type(entry) for entry in entries], there

    # ------------------------------------------------------------ commands

    def _step(self) -> Step | None:
        makers = {
            self._posts: 14, self._counters: 4, self._alters: 4, self._pauses: 4, self._ends: 5, self._accepts: 16,
            self._hands: 26, self._done: 2, self._corrected: 2,
        }  # fmt: skip
        return self.random.choices(list(makers), list(makers.values()))[0]()

    def _posts(self) -> Step | None:
        who = self._anybody()
        to = None if self.random.random() < 0.35 else self._anybody(but=who)
        sides = self._sides(who, to)
        if sides is None:
            return None
        lasts = {"for": self.random.choice(("30s", "1m", "1h"))} if self.random.random() < 0.15 else {}
        early = self._early(who, to, sides) if self.random.random() < 0.3 else None
        options, commands = [], []
        for world in range(2):
            give, want, terms = sides[world]
            typed = {"give": describe(give), "want": describe(want), "terms": terms, **lasts}
            if to is not None:
                typed["to"] = f"@{to}"
            handed = early[world] if early else None
            if handed is not None:
                typed["hand"] = describe(handed)
            options.append({name: value for name, value in typed.items() if value and value != "nothing"})
            seat = self.seat_of(to) if to else None
            commands.append(PostOffer(to=seat, give=give, want=want, terms=terms, handed=handed))
        return Step(who, "offer post", _two(options), _two(commands))

    def _counters(self) -> Step | None:
        offer = self._offer(lambda offer: offer.to is None or self.random.random() < 0.8)
        if offer is None:
            return None
        poster = self.name_of(offer.seat)
        who = self.name_of(offer.to) if offer.to else self._anybody(but=poster)
        sides = self._sides(who, poster)
        if sides is None:
            return None
        commands = [CounterOffer(offer.number, give=give, want=want) for give, want, _ in sides]
        return Step(who, "offer counter", self._typed(offer, sides), _two(commands))

    def _alters(self) -> Step | None:
        offer = self._offer(lambda offer: True)
        if offer is None:
            return None
        who, to = self.name_of(offer.seat), self.name_of(offer.to) if offer.to else None
        sides = self._sides(who, to if offer.private else None)
        if sides is None:
            return None
        commands = [AlterOffer(offer.number, give=give, want=want) for give, want, _ in sides]
        return Step(who, "offer alter", self._typed(offer, sides), _two(commands))

    def _typed(self, offer: Offer, sides: Two[tuple[Goods, Goods, str]]) -> Two[dict[str, str]]:
        """Return the options that give these sides to an offer, in each world."""
        number = str(offer.number)
        return _two([{"offer": number, "give": describe(give), "want": describe(want)} for give, want, _ in sides])

    def _pauses(self) -> Step | None:
        offer = self._offer(lambda offer: offer.status == "suspended" or self.random.random() < 0.4)
        if offer is None:
            return None
        who, paused = self.name_of(offer.seat), offer.status != "suspended"
        command = PauseOffer(offer.number, paused)
        return self._alike(who, f"offer {'suspend' if paused else 'resume'}", {"offer": str(offer.number)}, command)

    def _ends(self) -> Step | None:
        """Withdraw, decline or back out."""
        offer = self._offer(lambda offer: True)
        if offer is None:
            return None
        taken = [*takers(self.worlds.tables()[0], offer), *([offer.to] if offer.to else [])]
        declines = bool(taken) and self.random.random() < 0.5
        who = self.name_of(self.random.choice(taken) if declines else offer.seat)
        how: Literal["decline", "withdraw"] = "decline" if declines else "withdraw"
        return self._alike(who, f"offer {how}", {"offer": str(offer.number)}, EndOffer(offer.number, how))

    def _accepts(self) -> Step | None:
        offer = self._offer(lambda offer: offer.status == "open")
        if offer is None:
            return None
        if picked := takers(self.worlds.tables()[0], offer):
            self._picks(offer, self.random.choice(picked))
            return None
        who = self.name_of(offer.to) if offer.to else self._anybody(but=self.name_of(offer.seat))
        return self._alike(who, "offer accept", {"offer": str(offer.number)}, Sign(offer.number))

    def _picks(self, offer: Offer, taker: str) -> None:
        """Have the poster of an offer to all pick one of those who accepted it, under their own card."""
        who = self.name_of(offer.seat)
        command = PickTaker(offer.number, offer.revision, taker)
        one, other = self._predicted(who, (command, command))
        custom_id = encode(Press(TABLE, command))
        found = [
            next(((id, control) for id, control in world.controls(who) if control.custom_id == custom_id), None)
            for world in self.worlds.both
        ]
        if one == other and found[0] and found[1]:
            self.worlds.do(
                f"{who} picks {taker} for #{offer.number}",
                *(lambda world, at=at: world.clicks(who, *at, []) for at in found),
            )
            self.worlds.in_step()

    def _hands(self) -> Step | None:
        """Hand over what is named and any cards beside; to the viewer the same in both worlds."""
        offer = self._offer(lambda offer: offer.status == "open" and (bool(offer.signatures) or bool(offer.handed)))
        if offer is None:
            return None
        parties = [offer.seat, offer.to or self.seat_of(self._anybody(but=self.name_of(offer.seat)))]
        waits = [seat for seat in parties if seat not in offer.handed] or parties
        who = self.name_of(self.random.choice(waits if self.random.random() < 0.9 else parties))
        sides = [
            trade_of(table.offers[offer.number], self.seat_of(who)).gives(self.seat_of(who))
            for table in self.worlds.tables()
        ]
        known = self.seat_of(self.viewer) in parties or (offer.to is None and who == self.name_of(offer.seat))
        chosen = self._chosen(who, _two(sides), alike=known)
        if chosen is None:
            return None
        options = [{"offer": str(offer.number), "cards": describe(goods)} for goods in chosen]
        commands = [HandOver(offer.number, goods) for goods in chosen]
        return Step(who, "offer hand", _two(options), _two(commands))

    def _done(self) -> Step | None:
        who = self._anybody()
        if len(part(self.worlds.tables()[0], Bell).done) > len(SEATS) - 3:
            return None
        return self._alike(who, "trading done", {}, DoneTrading())

    def _corrected(self) -> Step | None:
        """Have the moderator correct a hand and give a reason; what it is now stays between the two."""
        who = self._anybody(but=self.viewer)
        if self.dealt:
            return None
        hands = [table.seats[self.seat_of(who)].holdings for table in self.worlds.tables()]
        extra = [card for card in box() if not any(card in hand for hand in hands)]
        goods = [hand + Goods({self.random.choice(extra): 1}) for hand in hands]
        options = [{"player": f"@{who}", "goods": describe(each), "reason": "Miscounted"} for each in goods]
        commands = [SetHoldings(self.seat_of(who), each, "Miscounted") for each in goods]
        return Step(MODERATOR, "audit correct", _two(options), _two(commands))

    # ------------------------------------------------------------ what a command is made of

    def _alike(self, who: str, path: str, options: dict[str, str], command: Command) -> Step:
        return Step(who, path, (options, options), (command, command))

    def _anybody(self, but: str | None = None) -> str:
        return self.random.choice([name for name in SEATS if name != but])

    def _offer(self, wanted: Any) -> Offer | None:
        """Return an offer that is not over, the same in both worlds but for its goods."""
        found = [offer for offer in self.worlds.tables()[0].live_offers() if wanted(offer)]
        return self.random.choice(found) if found else None

    def _sides(self, who: str, to: str | None) -> Two[tuple[Goods, Goods, str]] | None:
        """Return what an offer gives and wants, and its terms; between two others they differ in each world."""
        terms = "" if self.random.random() < 0.7 else "."
        if to is not None and self.viewer not in (who, to):
            made = [self._side(who, hand, theirs) for hand, theirs in zip(self.hands(who), self.hands(to), strict=True)]
            return _two([(give, want, terms and self._words()) for give, want in made])
        give, want = self._side(who, self.common(who), self.common(to or self._anybody(but=who)))
        same = (give, want, terms and self._words())
        return same, same

    def _words(self) -> str:
        return " ".join(self.random.choices(("peace", "for", "two", "turns", "or", "war", "ships"), k=4))

    def _side(self, who: str, hand: Goods, theirs: Goods) -> tuple[Goods, Goods]:
        """Return two sides: give what is in the hand, ask for what the other has, mostly."""
        want = self._asked(theirs if theirs and self.random.random() < 0.85 else box())
        return (NOTHING if self.random.random() < 0.1 else self._asked(hand)), want

    def _asked(self, of: Goods) -> Goods:
        """Return two or three cards by name, and some that are not named, with a claim or without."""
        cards = _plain(of)
        few = self.random.random() < 0.1
        firm = self.random.sample(cards, min(len(cards), 1 if few else self.random.randint(2, 3)))
        asked = Goods.of(firm)
        for _ in range(self.random.randint(0 if len(firm) > 2 else 1, 2)):
            claim = self.random.choice(("unnamed", f"claim:{card_of(self.random.choice(list(box()))).id}"))
            asked += Goods({claim: 1})
        return asked

    def _early(self, who: str, to: str | None, sides: Two[tuple[Goods, Goods, str]]) -> Two[Goods] | None:
        """Return what is handed over along with an offer."""
        known = to is None or self.viewer in (who, to)
        return self._chosen(who, (sides[0][0], sides[1][0]), alike=known)

    def _chosen(self, who: str, promised: Two[Goods], *, alike: bool) -> Two[Goods] | None:
        """Return what a person hands over for what they promised, out of their hand in each world."""
        if alike:
            goods = self._out_of(self.common(who), promised[0])
            return (goods, goods) if goods else None
        one, other = (self._out_of(hand, each) for hand, each in zip(self.hands(who), promised, strict=True))
        return (one, other) if one and other else None

    def _out_of(self, hand: Goods, promised: Goods) -> Goods | None:
        firm = named(promised)
        if hand.missing(firm):
            return None
        rest, free = list((hand - firm).tokens()), promised.total() - firm.total()
        # Players give calamities away first.
        rest.sort(key=lambda card: (not card.startswith("calamity:"), self.random.random()))
        return firm + Goods.of(rest[:free]) if len(rest) >= free and promised else None

    # ------------------------------------------------------------ looking, pressing, and the rest

    def looks(self) -> list[tuple[str, dict[str, str]]]:
        """Return everything at which the viewer can look."""
        numbers = [str(number) for number in self.worlds.states()[0].offers][-6:]
        return [
            ("offer list", {}), ("table show", {}), ("cards hand", {}), ("cards sets", {}), ("holdings show", {}),
            ("deal list", {}), ("history", {}), *(("history", {"player": f"@{name}"}) for name in SEATS),
            *(("history", {"offer": number}) for number in numbers),
            *(("rules show", {"number": number}) for number in rules("advciv")),
            ("holdings show", {"player": f"@{self._anybody(but=self.viewer)}"}),
            *(("offer accept", {"offer": number}) for number in numbers if self._of_others(int(number))),
            *(("offer counter", {"offer": number}) for number in numbers),
        ]  # fmt: skip

    def audits(self) -> list[tuple[str, dict[str, str]]]:
        """Return everything that the host can look up, who is a player like any other."""
        trades = self.worlds.tables()[0].transactions
        return [
            ("audit ledger", {}), ("audit verify", {}), *(("audit export", {"format": form}) for form in FORMATS),
            *(("audit player", {"player": f"@{name}"}) for name in SEATS),
            *(("audit trade", {"number": str(number)}) for number in range(1, trades + 1)),
        ]  # fmt: skip

    def _of_others(self, number: int) -> bool:
        offer = self.worlds.states()[0].offers[number]
        return offer.private and not offer.party(self.seat_of(self.viewer))

    def _looks(self) -> None:
        looks = self.looks()
        path = self.random.choice(sorted({path for path, _ in looks}))
        self.worlds.types(self.viewer, path, self.random.choice([options for each, options in looks if each == path]))

    def _audits(self) -> None:
        self.worlds.types(HOST, *self.random.choice(self.audits()))
        self.worlds.in_step()

    def _completes(self) -> None:
        path, option, others = self.random.choice(self.completed())
        self._complete(path, option, others)

    def completed(self) -> list[tuple[str, str, list[str]]]:
        """Return every option with autocomplete, with the others of its command."""
        tree = self.worlds.both[0].evening.bot.tree
        return [
            (command.qualified_name, option.display_name, [one.display_name for one in command.parameters])
            for command in tree.walk_commands()
            if isinstance(command, app_commands.Command)
            for option in command.parameters
            if option.autocomplete
        ]

    def _complete(self, path: str, option: str, others: Sequence[str]) -> None:
        offers = self.worlds.tables()[0].offers_posted
        given = {
            "offer": str(self.random.randint(1, offers + 1)), "to": f"@{self._anybody()}",
            "player": f"@{self._anybody()}", "with": f"@{self._anybody()}",
        }  # fmt: skip
        filled = {name: value for name, value in given.items() if name in others and name != option}
        numeric = option in ("offer", "number", "deal") and path != "rules show"
        typed = "" if numeric else self.random.choice(("", "", "s", "2 ", "2 salt, ", "? (", "of"))
        self.worlds.do(
            f"{self.viewer} types {typed!r} in {option} of /{path} {filled}",
            lambda world: world.completes(self.viewer, path, option, typed, filled),
        )

    def _clicks(self) -> None:
        """Have the viewer press or choose something they see, but nothing that would end trading."""
        found = [world.controls(self.viewer) for world in self.worlds.both]
        assert [each.label for _, each in found[0]] == [each.label for _, each in found[1]]
        fitting = [place for place, (_, each) in enumerate(found[0]) if not _ends_trading(each.custom_id)]
        place = self.random.choice(fitting)
        control = found[0][place][1]
        values = [one.value for one in self.random.sample(control.choices, min(len(control.choices), 1))]
        if not self._same_by_rule(control.custom_id):
            return
        self.worlds.do(
            f"{self.viewer} presses {control.label!r} ({control.custom_id}) {values}",
            *(lambda world, at=each[place]: world.clicks(self.viewer, *at, values) for each in found),
        )
        self.worlds.in_step()

    def _same_by_rule(self, custom_id: str) -> bool:
        """Return whether what a hand-over leads to is the same in both worlds, where a button leads to one."""
        action = decode(custom_id)
        if not isinstance(action, OfferAction) or action.what not in HANDS_OVER:
            return True
        offer = self.worlds.states()[0].offers.get(action.offer)
        if offer is None:
            return True
        goods = named(trade_of(offer, self.seat_of(self.viewer)).gives(self.seat_of(self.viewer)))
        command = HandOver(action.offer, goods, action.revision)
        one, other = self._predicted(self.viewer, (command, command))
        return one == other

    def _closes_dms(self) -> None:
        """Have a person close their DMs, or open them again."""
        who = self._anybody()
        self.closed ^= {who}
        self.worlds.dms(who, opened=who not in self.closed)

    def _waits(self) -> None:
        self.worlds.do("wait 20s", lambda world: world.run(world.evening.stage.wait(20)))

    def restart(self) -> None:
        self.worlds.do("restart", lambda world: world.run(world.evening.stage.restart()))

    def look_about(self) -> None:
        """Look at many things at the end: cards, for a host every file, and options while they are typed."""
        looks = [*(look for look in self.looks() if look[0] != "rules show"), *self.random.sample(self.looks(), 6)]
        for path, options in self.random.sample(looks, min(len(looks), 12)):
            self.worlds.types(self.viewer, path, options)
        files = [("audit export", {"format": form}) for form in FORMATS] if self.viewer == HOST else []
        for path, options in (*files, *self.random.sample(self.audits(), 4)):
            self.worlds.types(self.viewer, path, options)
        for path, option, others in self.random.sample(self.completed(), 10):
            self._complete(path, option, others)
        self.worlds.in_step()


HANDS_OVER = ("hand_over", "choose_again")
"""The buttons under an offer that lead to a hand-over."""

FORMATS = ("csv", "json", "beancount")


def _ends_trading(custom_id: str) -> bool:
    """Return whether a button ends trading, or begins something new."""
    action = decode(custom_id)
    if isinstance(action, Press):
        return action.command.kind.startswith("advciv.") and not isinstance(action.command, DoneTrading)
    return isinstance(action, SeeCalamities | AskClose | AskNextTurn)


def _stacks(table: Table) -> tuple[Stack, ...]:
    return part(table, Stacks).stacks


def _plain(hand: Goods) -> list[str]:
    """Return the commodity cards of a hand, which may all be named."""
    return list(hand.of_kind("commodity").tokens())


def _two(found: Sequence[T]) -> Two[T]:
    one, other = found
    return one, other
