"""A random evening in two worlds: what others hold, offer and do among themselves is another thing in each; what the
viewer has a part in, and what everybody can see, is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Any

from discord import app_commands

from bot.desk import Look
from bot.rules.apply import replay
from bot.rules.commands import (
    AlterOffer,
    Command,
    CounterOffer,
    EndOffer,
    HandOver,
    PauseOffer,
    PickTaker,
    PostOffer,
    SetHoldings,
    Sign,
)
from bot.rules.decide import decide
from bot.rules.games.advciv.cards import card_of, named, tell, tradable
from bot.rules.games.advciv.commands import DoneTrading, DrawCards
from bot.rules.games.advciv.stacks import box
from bot.rules.games.advciv.state import AdvCivState, Stack
from bot.rules.goods import NOTHING, Goods
from bot.rules.offer_state import takers, trade_of
from bot.rules.ruling import Refused
from bot.rules.table import Offer, Table
from data import rules
from tests.discord.evening import TABLE
from tests.discord.two_worlds import HOST, MODERATOR, SEATS, T, Two, Worlds


@dataclass(frozen=True)
class Deed:
    """A command as it is typed in each world, and the wish that it is, by which to foresee what comes of it."""

    who: str
    path: str
    options: Two[dict[str, str]]
    wishes: Two[Command] | None = None


class Script:
    """An evening made up as it goes. Whatever others do among themselves is another thing in each world; whatever the
    viewer has a part in, and all that everybody can see, is the same.

    What comes of a wish must be the same too, for that everybody sees: each is tried on both tables before.
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
        """What somebody could hand over, in each world."""
        one, other = (tradable(table.seats[self.seat_of(name)].holdings) for table in self.worlds.tables())
        return one, other

    def common(self, name: str) -> Goods:
        """What somebody could hand over in either world."""
        one, other = self.hands(name)
        return _both(one, other)

    def set_hands(self) -> None:
        """A moderator types in what lies on the table. Of what others hold, some is the same: that can be traded with
        the viewer.
        """
        cards = _each(box())
        self.random.shuffle(cards)
        shared = {name: _goods(cards.pop() for _ in range(8 if name == self.viewer else 5)) for name in SEATS}
        rest = [self.random.sample(cards, len(cards)) for _ in range(2)]
        for name, same in shared.items():
            hands = [
                same + _goods(deck.pop() for _ in range(0 if name == self.viewer else self.random.randint(2, 5)))
                for deck in rest
            ]
            self.worlds.hold(name, *map(tell, hands))

    def deal(self) -> None:
        """The bot deals. The stacks lie otherwise in each world, but for what the viewer draws."""
        cities = self.random.randint(4, 6)
        host, viewer = self.worlds.person(HOST), self.worlds.person(self.viewer)
        wish = [
            DrawCards(by=host, person=viewer, cities=cities, chance=self.random.randbytes(32).hex())
            for _ in range(4000)
        ]
        drawn = [_drawn(table, wish[0]) for table in self.worlds.tables()]
        found = (each for each in wish[1:] if _drawn(self.worlds.tables()[1], each) == drawn[0])
        for world, each in zip(self.worlds.both, (wish[0], next(found)), strict=True):
            world.chance = each.chance
        self.worlds.types(HOST, "cards draw", {"cities": str(cities), "player": f"@{self.viewer}"})
        for name in SEATS:
            if name != self.viewer:
                cities = min(9, cities + self.random.randint(0, 1))
                # That a stack has run out everybody sees.
                if all(len(stack) > 1 for table in self.worlds.tables() for stack in _stacks(table)[:cities]):
                    self.worlds.types(name, "cards draw", {"cities": str(cities)})
                    self.worlds.in_step()
                    self._buys(name)
        self._buys(self.viewer)
        self.dealt = True

    def _buys(self, name: str) -> None:
        """Buy from the ninth stack; the viewer only where the same card lies on top of it."""
        one, other = (_stacks(table)[8] for table in self.worlds.tables())
        if min(len(one), len(other)) > 1 and (name != self.viewer or one[0] == other[0]):
            self.worlds.types(name, "cards buy")
            self.worlds.in_step()

    # ------------------------------------------------------------ cards that are promised twice

    def promise_twice(self) -> None:
        """Of three others, one hands over the same cards to both; with the one they are traded, with the other it is
        void. Which cards, is another thing in each world.
        """
        parts = {name: [_goods(_plain(hand)[:3]) for hand in self.hands(name)] for name in SEATS if name != self.viewer}
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
                {"to": f"@{to}", "give": tell(give), "want": tell(want), "hand": tell(give)}
                for give, want in zip(parts[who], parts[to], strict=True)
            ]
            self.worlds.types(who, "offer post", *posts)
        for number, to in enumerate(both, start=1):
            offer = {"offer": str(number)}
            self.worlds.types(to, "offer hand", *(offer | {"cards": tell(want)} for want in parts[to]))
            self.worlds.in_step()
            self.worlds.types(self.viewer, "history", offer)
        self.worlds.types(self.viewer, "audit trade", {"number": "1"})
        one, other = self.worlds.tables()
        assert [offer.status for offer in one.offers.values()] == ["resolved", "void"]
        assert [offer.status for offer in other.offers.values()] == ["resolved", "void"]

    # ------------------------------------------------------------ one thing after another

    def act(self) -> None:
        """Something that somebody does."""
        kinds = {
            self._trades: 60, self._looks: 12, self._completes: 6, self._clicks: 12, self._closes_dms: 3,
            self._audits: 3, self._waits: 1,
        }  # fmt: skip
        self.random.choices(list(kinds), list(kinds.values()))[0]()

    def _trades(self) -> None:
        for _ in range(40):
            deed = self._wish()
            if deed is None or deed.wishes is None:
                continue
            one, other = self._foreseen(deed.wishes)
            if one == other and (one != "refused" or self.random.random() < 0.1):
                in_dm = self.random.random() < 0.1 and deed.who not in self.closed and deed.path.startswith("offer")
                self.worlds.types(deed.who, deed.path, *deed.options, in_dm=in_dm)
                self.worlds.in_step()
                return

    def _foreseen(self, wishes: Two[Command]) -> Two[object]:
        one, other = (self._outcome(look, wish) for look, wish in zip(self.worlds.looks, wishes, strict=True))
        return one, other

    def _outcome(self, look: Look, wish: Command) -> object:
        """What everybody sees of what comes of a wish, now or later: which entries there are; and of all that is handed
        over, whether it will still be there, for else its offer is void.
        """
        try:
            entries = decide(look.table, wish.model_copy(update={"at": self.worlds.both[0].now()}))
        except Refused:
            return "refused"
        after = replay(entries, look.table)
        there = [
            (offer.number, seat, not tradable(after.seats[seat].holdings).missing(goods))
            for offer in after.live_offers()
            for seat, goods in offer.handed.items()
        ]
        return [entry.kind for entry in entries], there

    # ------------------------------------------------------------ wishes

    def _wish(self) -> Deed | None:
        makers = {
            self._posts: 14, self._counters: 4, self._alters: 4, self._pauses: 4, self._ends: 5, self._accepts: 16,
            self._hands: 26, self._done: 2, self._corrected: 2,
        }  # fmt: skip
        return self.random.choices(list(makers), list(makers.values()))[0]()

    def _posts(self) -> Deed | None:
        who = self._anybody()
        to = None if self.random.random() < 0.35 else self._anybody(but=who)
        sides = self._sides(who, to)
        if sides is None:
            return None
        lasts = {"for": self.random.choice(("30s", "1m", "1h"))} if self.random.random() < 0.15 else {}
        early = self._early(who, to, sides) if self.random.random() < 0.3 else None
        options, wishes = [], []
        for world in range(2):
            give, want, terms = sides[world]
            told = {"give": tell(give), "want": tell(want), "terms": terms, **lasts}
            if to is not None:
                told["to"] = f"@{to}"
            if early is not None:
                told["hand"] = tell(early[world])
            options.append({name: value for name, value in told.items() if value and value != "nothing"})
            wishes.append(
                PostOffer(
                    by=self.worlds.person(who), to=self.worlds.person(to) if to else None, give=give, want=want,
                    terms=terms, handed=early[world] if early else None,
                )
            )  # fmt: skip
        return Deed(who, "offer post", _two(options), _two(wishes))

    def _counters(self) -> Deed | None:
        offer = self._offer(lambda offer: offer.to is None or self.random.random() < 0.8)
        if offer is None:
            return None
        poster = self.name_of(offer.seat)
        who = self.name_of(offer.to) if offer.to else self._anybody(but=poster)
        sides = self._sides(who, poster)
        if sides is None:
            return None
        options = [{"offer": str(offer.number), "give": tell(give), "want": tell(want)} for give, want, _ in sides]
        wishes = [
            CounterOffer(by=self.worlds.person(who), offer=offer.number, give=give, want=want)
            for give, want, _ in sides
        ]
        return Deed(who, "offer counter", _two(options), _two(wishes))

    def _alters(self) -> Deed | None:
        offer = self._offer(lambda offer: True)
        if offer is None:
            return None
        who, to = self.name_of(offer.seat), self.name_of(offer.to) if offer.to else None
        sides = self._sides(who, to if offer.private else None)
        if sides is None:
            return None
        options = [{"offer": str(offer.number), "give": tell(give), "want": tell(want)} for give, want, _ in sides]
        wishes = [
            AlterOffer(
                by=self.worlds.person(who), offer=offer.number, revision=offer.revision, give=give, want=want,
                terms=table.offers[offer.number].terms,
            )
            for (give, want, _), table in zip(sides, self.worlds.tables(), strict=True)
        ]  # fmt: skip
        return Deed(who, "offer alter", _two(options), _two(wishes))

    def _pauses(self) -> Deed | None:
        offer = self._offer(lambda offer: offer.status == "suspended" or self.random.random() < 0.4)
        if offer is None:
            return None
        who, paused = self.name_of(offer.seat), offer.status != "suspended"
        wish = PauseOffer(by=self.worlds.person(who), offer=offer.number, paused=paused)
        return self._alike(who, f"offer {'suspend' if paused else 'resume'}", {"offer": str(offer.number)}, wish)

    def _ends(self) -> Deed | None:
        """Withdraw, decline, back out."""
        offer = self._offer(lambda offer: True)
        if offer is None:
            return None
        taken = [*takers(self.worlds.tables()[0], offer), *([offer.to] if offer.to else [])]
        declines = bool(taken) and self.random.random() < 0.5
        who = self.name_of(self.random.choice(taken) if declines else offer.seat)
        how = "decline" if declines else "withdraw"
        wish = EndOffer.model_validate({"by": self.worlds.person(who), "offer": offer.number, "how": how})
        return self._alike(who, f"offer {how}", {"offer": str(offer.number)}, wish)

    def _accepts(self) -> Deed | None:
        offer = self._offer(lambda offer: offer.status == "open")
        if offer is None:
            return None
        if picked := takers(self.worlds.tables()[0], offer):
            self._picks(offer, self.random.choice(picked))
            return None
        who = self.name_of(offer.to) if offer.to else self._anybody(but=self.name_of(offer.seat))
        wish = Sign(by=self.worlds.person(who), offer=offer.number, revision=offer.revision)
        return self._alike(who, "offer accept", {"offer": str(offer.number)}, wish)

    def _picks(self, offer: Offer, taker: str) -> None:
        """Whoever posted an offer to all picks one of those who accept it, under their own card."""
        who = self.name_of(offer.seat)
        wish = PickTaker(by=self.worlds.person(who), offer=offer.number, revision=offer.revision, taker=taker)
        one, other = self._foreseen((wish, wish))
        action = f"offer:{TABLE}:{offer.number}:{offer.revision}:pick:{taker}"
        found = [
            next(((id, control) for id, control in world.controls(who) if control.custom_id == action), None)
            for world in self.worlds.both
        ]
        if one == other and found[0] and found[1]:
            self.worlds.do(
                f"{who} picks {taker} for #{offer.number}",
                *(lambda world, at=at: world.clicks(who, *at, []) for at in found),
            )
            self.worlds.in_step()

    def _hands(self) -> Deed | None:
        """Hand over what is promised: whatever one likes beside what is named; to the viewer the same in both."""
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
        options = [{"offer": str(offer.number), "cards": tell(goods)} for goods in chosen]
        wishes = [
            HandOver(by=self.worlds.person(who), offer=offer.number, revision=offer.revision, goods=goods)
            for goods in chosen
        ]
        return Deed(who, "offer hand", _two(options), _two(wishes))

    def _done(self) -> Deed | None:
        who = self._anybody()
        state = self.worlds.tables()[0].state
        if not isinstance(state, AdvCivState) or len(state.done) > len(SEATS) - 3:
            return None
        return self._alike(who, "trading done", {}, DoneTrading(by=self.worlds.person(who)))

    def _corrected(self) -> Deed | None:
        """The moderator mends a hand, and says why; what it is now stays between the two."""
        who = self._anybody(but=self.viewer)
        if self.dealt:
            return None
        stays = [table.seats[self.seat_of(who)].holdings for table in self.worlds.tables()]
        extra = [card for card in box() if not any(card in hand for hand in stays)]
        goods = [hand + Goods({self.random.choice(extra): 1}) for hand in stays]
        options = [{"player": f"@{who}", "goods": tell(each), "reason": "Miscounted"} for each in goods]
        wishes = [
            SetHoldings(
                by=self.worlds.person(MODERATOR), moderator=True, person=self.worlds.person(who), goods=each,
                reason="Miscounted",
            )
            for each in goods
        ]  # fmt: skip
        return Deed(MODERATOR, "audit correct", _two(options), _two(wishes))

    # ------------------------------------------------------------ what a wish is made of

    def _alike(self, who: str, path: str, options: dict[str, str], wish: Command) -> Deed:
        return Deed(who, path, (options, options), (wish, wish))

    def _anybody(self, but: str | None = None) -> str:
        return self.random.choice([name for name in SEATS if name != but])

    def _offer(self, wanted: Any) -> Offer | None:
        """Some offer that stands, the same in both worlds but for its goods."""
        found = [offer for offer in self.worlds.tables()[0].live_offers() if wanted(offer)]
        return self.random.choice(found) if found else None

    def _sides(self, who: str, to: str | None) -> Two[tuple[Goods, Goods, str]] | None:
        """What an offer gives and wants, and its terms: of one between two others another in each world."""
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
        """Gives what is in the hand, asks for what the other has, mostly."""
        want = self._asked(theirs if theirs and self.random.random() < 0.85 else box())
        return (NOTHING if self.random.random() < 0.1 else self._asked(hand)), want

    def _asked(self, of: Goods) -> Goods:
        """Two or three cards by name, and some that are not named, with a claim or without."""
        cards = _plain(of)
        few = self.random.random() < 0.1
        firm = self.random.sample(cards, min(len(cards), 1 if few else self.random.randint(2, 3)))
        asked = _goods(firm)
        for _ in range(self.random.randint(0 if len(firm) > 2 else 1, 2)):
            claim = self.random.choice(("unnamed", f"claim:{card_of(self.random.choice(list(box()))).id}"))
            asked += Goods({claim: 1})
        return asked

    def _early(self, who: str, to: str | None, sides: Two[tuple[Goods, Goods, str]]) -> Two[Goods] | None:
        """What is handed over as an offer is posted."""
        known = to is None or self.viewer in (who, to)
        return self._chosen(who, (sides[0][0], sides[1][0]), alike=known)

    def _chosen(self, who: str, promised: Two[Goods], *, alike: bool) -> Two[Goods] | None:
        """What somebody hands over for what they promised: out of their hand in each world."""
        if alike:
            goods = self._out_of(self.common(who), promised[0])
            return (goods, goods) if goods else None
        one, other = (self._out_of(hand, each) for hand, each in zip(self.hands(who), promised, strict=True))
        return (one, other) if one and other else None

    def _out_of(self, hand: Goods, promised: Goods) -> Goods | None:
        firm = named(promised)
        if hand.missing(firm):
            return None
        rest, free = _each(hand - firm), promised.total() - firm.total()
        # Calamities are what one gives away.
        rest.sort(key=lambda card: (not card.startswith("calamity:"), self.random.random()))
        return firm + _goods(rest[:free]) if len(rest) >= free and promised else None

    # ------------------------------------------------------------ looking, pressing, and the rest

    def looks(self) -> list[tuple[str, dict[str, str]]]:
        """Everything at which the viewer can look."""
        numbers = [str(number) for number in self.worlds.tables()[0].offers][-6:]
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
        """Everything that the host can look up, who is a player like any other."""
        trades = self.worlds.tables()[0].transactions
        return [
            ("audit ledger", {}), ("audit verify", {}), *(("audit export", {"format": form}) for form in FORMATS),
            *(("audit player", {"player": f"@{name}"}) for name in SEATS),
            *(("audit trade", {"number": str(number)}) for number in range(1, trades + 1)),
        ]  # fmt: skip

    def _of_others(self, number: int) -> bool:
        offer = self.worlds.tables()[0].offers[number]
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
        """Every option that is completed, with the others of its command."""
        tree = self.worlds.both[0].evening.bot.tree
        return [
            (command.qualified_name, option.display_name, [one.display_name for one in command.parameters])
            for command in tree.walk_commands()
            if isinstance(command, app_commands.Command)
            for option in command.parameters
            if option.autocomplete
        ]

    def _complete(self, path: str, option: str, others: Sequence[str]) -> None:
        offers = len(self.worlds.tables()[0].offers)
        given = {
            "offer": str(self.random.randint(1, offers + 1)), "to": f"@{self._anybody()}",
            "player": f"@{self._anybody()}", "with": f"@{self._anybody()}",
        }  # fmt: skip
        filled = {name: value for name, value in given.items() if name in others and name != option}
        numeric = option in ("offer", "number", "deal") and path != "rules show"
        typed = "" if numeric else self.random.choice(("", "", "s", "2 ", "2 salt, ", "? (", "of"))
        self.worlds.do(
            f"{self.viewer} types {typed!r} in {option} of /{path} {filled}",
            lambda world: world.completes(path, option, typed, filled),
        )

    def _clicks(self) -> None:
        """The viewer presses or chooses whatever they see; not what would end the trading."""
        found = [world.controls(self.viewer) for world in self.worlds.both]
        assert [each.label for _, each in found[0]] == [each.label for _, each in found[1]]
        fitting = [place for place, (_, each) in enumerate(found[0]) if not re.match(ENDS_IT, each.custom_id)]
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

    def _same_by_rule(self, action: str) -> bool:
        """Whether what a hand-over leads to is the same in both worlds, where a button leads to one."""
        found = re.fullmatch(r"offer:\d+:(\d+):(\d+):hand", action)
        offer = self.worlds.tables()[0].offers.get(int(found[1])) if found else None
        if found is None or offer is None:
            return True
        goods = named(trade_of(offer, self.seat_of(self.viewer)).gives(self.seat_of(self.viewer)))
        me = self.worlds.person(self.viewer)
        wish = HandOver(by=me, offer=offer.number, revision=int(found[2]), goods=goods)
        one, other = self._foreseen((wish, wish))
        return one == other

    def _closes_dms(self) -> None:
        """Somebody closes their DMs, or opens them again."""
        who = self._anybody()
        self.closed ^= {who}
        self.worlds.dms(who, opened=who not in self.closed)

    def _waits(self) -> None:
        self.worlds.do("wait 20s", lambda world: world.run(world.evening.stage.wait(20)))

    def restart(self) -> None:
        self.worlds.do("restart", lambda world: world.run(world.evening.stage.restart()))

    def look_about(self) -> None:
        """At the end: many a look, every file for a host who plays, many an option as one types."""
        looks = [*(look for look in self.looks() if look[0] != "rules show"), *self.random.sample(self.looks(), 6)]
        for path, options in self.random.sample(looks, min(len(looks), 12)):
            self.worlds.types(self.viewer, path, options)
        files = [("audit export", {"format": form}) for form in FORMATS] if self.viewer == HOST else []
        for path, options in (*files, *self.random.sample(self.audits(), 4)):
            self.worlds.types(self.viewer, path, options)
        for path, option, others in self.random.sample(self.completed(), 10):
            self._complete(path, option, others)
        self.worlds.in_step()


ENDS_IT = r"board:\d+:(?!offer|done)|trading:"
"""What would end trading, or begin something new."""

FORMATS = ("csv", "json", "beancount")


def _stacks(table: Table) -> tuple[Stack, ...]:
    assert isinstance(table.state, AdvCivState)
    return table.state.stacks


def _drawn(table: Table, wish: DrawCards) -> Goods:
    """What somebody would draw."""
    person = table.seat_of(wish.person)
    assert person is not None
    hidden = getattr(decide(table, wish)[-1], "hidden", None) or {}
    return hidden[person.id].gained


def _both(one: Goods, other: Goods) -> Goods:
    return Goods({token: least for token, count in one.items() if (least := min(count, other.count(token)))})


def _each(goods: Goods) -> list[str]:
    return [token for token, count in goods.items() for _ in range(count)]


def _plain(hand: Goods) -> list[str]:
    """The commodity cards of a hand, which anybody may name."""
    return [card for card in _each(hand) if card.startswith("commodity:")]


def _goods(cards: Iterable[str]) -> Goods:
    goods = NOTHING
    for card in cards:
        goods += Goods({card: 1})
    return goods


def _two(found: Sequence[T]) -> Two[T]:
    one, other = found
    return one, other
