"""Evenings of Advanced Civilization in two worlds: two hands share the same cards in different
ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.games.advciv.cards import box, tradable
from bot.games.advciv.drawing import DrawCards
from bot.games.advciv.state import ACQUIRE, AFTER, TRADE, Calamities, Draws, dealt
from bot.games.advciv.surrendering import SurrenderCards
from bot.games.advciv.trading import DoneTrading
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import HandOver, Sign
from bot.rules.features.offers.state import trade_of
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Offer
from bot.rules.model.parts import part
from bot.testing.makers import likely
from data.advciv import HAND_LIMIT
from tests.cogs.all_eyes import HOST, KNOWERS, SETTER, Night, Step
from tests.games.advciv.machine import handed_for, promise


class AdvCivNight(Night):
    """The cards lie on a real table in the first turn; then the bot deals."""

    game = "advciv"
    seats = {"alice": "egypt", "bob": "crete", "carol": "italy", "dave": "asia", "erin": "babylon"}  # noqa: RUF012

    def begin(self) -> None:
        """Give each of the two some cards that are the same in both worlds, and part ten more
        between them.

        In one world only, a hand then holds more than may be kept; how many are kept is the same
        [31.71].
        """
        cards = [token for token in box().tokens() if token.startswith("commodity:")]
        self.random.shuffle(cards)
        for name in self.seats:
            if name not in KNOWERS:
                self._gains(name, [cards[:8]] * 2)
                del cards[:8]
        shared = {
            name: [cards.pop() for _ in range(many)]
            for name, many in zip(KNOWERS, (3, 5), strict=True)
        }
        parted = [cards.pop() for _ in range(10)]
        worlds = ((parted, 7), (self.random.sample(parted, 10), 5))
        bob, carol = KNOWERS
        self._gains(bob, [shared[bob] + lie[:many] for lie, many in worlds])
        self._gains(carol, [shared[carol] + lie[many:] for lie, many in worlds])
        self.types(HOST, "trading open", {"minutes": "60"})

    def _gains(self, name: str, hands: Iterable[Iterable[str]]) -> None:
        self.types(
            name, "holdings gain", *({"goods": self.written(Goods.of(hand))} for hand in hands)
        )

    def part(self) -> None:
        """Leave it at that: where the bot deals, nobody sets a hand unseen."""

    def goes_on(self) -> None:
        """Have the host begin what comes next: calamities, the next turn, everybody's draw,
        trading.
        """
        table = self.table()
        if table.phase == TRADE:
            if likely(self.random, 8):
                self.types(HOST, "trading close")
        elif table.phase == AFTER and part(table, Calamities).shown is None:
            self.types(HOST, "calamities show")
        elif table.phase == AFTER:
            self._next_turn()
        elif waiting := [
            name for name, seat in self.sitting.items() if seat not in part(table, Draws).drawn
        ]:
            self.types(
                HOST,
                "cards draw",
                {"cities": str(len(part(table, Draws).drawn) + 1), "player": f"@{waiting[0]}"},
            )
        else:
            self.types(HOST, "trading open", {"minutes": "60"})

    def _next_turn(self) -> None:
        """Begin the next turn. How many cards each keeps is told then [31.71], so both worlds keep
        as many.

        The bot may deal from then on, and what people draw depends on what the hands leave to the
        stacks.
        """
        if not dealt(self.table()) and not (self._keep_as_many() and self._hold_the_same()):
            self._part_anew()
        if self._keep_as_many():
            self.types(HOST, "phase set", {"phase": ACQUIRE})

    def _keep_as_many(self) -> bool:
        return all(len({self._kept(hand) for hand in self.hands(who)}) == 1 for who in KNOWERS)

    def _hold_the_same(self) -> bool:
        """Whether the two hold the same cards together in both worlds; they may have lost
        others.
        """
        one, other = (
            sum((self.hands(who)[world] for who in KNOWERS), NOTHING) for world in range(2)
        )
        return one == other

    def _part_anew(self) -> None:
        """Part the commodities of the two anew: as many each in both worlds, and others. The stacks
        get the same.
        """
        same = self._hold_the_same()
        sets: dict[str, list[Mapping[str, str]]] = {who: [] for who in KNOWERS}
        for world in range(2):
            hands = {who: self.hands(who)[world if same else 0] for who in KNOWERS}
            cards = sorted(
                token for hand in hands.values() for token in hand.of_kind("commodity").tokens()
            )
            half = len(cards) // 2
            halves = (cards[:half], cards[half:]) if world else (cards[-half:], cards[:-half])
            for who, half_of in zip(KNOWERS, halves, strict=True):
                goods = Goods.of(half_of) + hands[who].of_kind("calamity")
                sets[who].append({"player": f"@{who}", "goods": self.written(goods)})
        for who in KNOWERS:
            self.types(SETTER, "holdings set", *sets[who])

    def _kept(self, hand: Goods) -> int:
        return min(hand.of_kind("commodity").total(), HAND_LIMIT)

    def provokes(self) -> None:
        """Begin the next turn, whether or not a hand holds too much; or have one of the two
        draw.
        """
        if self.table().phase == AFTER:
            self._next_turn()
        else:
            cities = str(self.random.randint(0, 3))
            self.types(
                HOST, "cards draw", {"cities": cities, "player": f"@{self.random.choice(KNOWERS)}"}
            )

    def side(self, who: str | None) -> Goods:
        hand = tradable(self.common(who)) if who else box()
        return promise(hand, self.random)

    def everything(self) -> str:
        return self.written(
            Goods({token: box()[token] for token in self.random.sample(sorted(box()), 4)})
        )

    def handed(self, offer: Offer, who: str) -> Goods:
        promised = trade_of(offer, self.sitting[who]).gives(self.sitting[who])
        return handed_for(tradable(self.common(who)), promised, self.random)

    # ------------------------------------------------------------ those who know

    def knows(self) -> Step | None:
        who, other = self.random.sample(KNOWERS, 2)
        made = self.random.choices(
            (self._secretly, self._posts, self._accepts, self._hands, self.ends, self._other),
            (20, 20, 15, 40, 8, 8),
        )[0]
        return made(who, other)

    def _free(self, who: str) -> tuple[Goods, Goods]:
        """Return what a person holds in each world and has not handed over for an offer that
        stands.
        """
        one, other = (self._rest(hand, who) for hand in self.hands(who))
        return one, other

    def _rest(self, hand: Goods, who: str) -> Goods:
        seat, rest = self.sitting[who], tradable(hand)
        for table in self.worlds.tables():
            for offer in table.live_offers():
                rest -= rest.common(offer.handed.get(seat, NOTHING))
        return rest

    def _same(self, who: str) -> Goods:
        """Return what a person holds in both worlds, and has not handed over."""
        one, other = self._free(who)
        return one.common(other)

    def _secretly(self, who: str, other: str) -> Step | None:
        """Offer the other cards that differ between the worlds, and hand them over."""
        sides = [self._parted(who, world) for world in range(2)]
        wants = [self._parted(other, world) for world in range(2)]
        if any(side.total() != 3 for side in (*sides, *wants)):
            return None
        options = [
            {
                "to": f"@{other}",
                "give": self.written(give),
                "want": self.written(want),
                "hand": self.written(give),
            }
            for give, want in zip(sides, wants, strict=True)
        ]
        commands = [
            PostOffer(to=self.sitting[other], give=give, want=want, handed=give)
            for give, want in zip(sides, wants, strict=True)
        ]
        return Step(who, "offer post", (options[0], options[1]), (commands[0], commands[1]))

    def _parted(self, who: str, world: int) -> Goods:
        """Return three commodities of a hand that it does not hold in the other world."""
        mine, theirs = self._free(who)[world], self._free(who)[1 - world]
        only = [token for token in theirs.missing(mine).tokens() if token.startswith("commodity:")]
        return Goods.of(only[:3])

    def _posts(self, who: str, other: str) -> Step | None:
        hand = self._same(who)
        if hand.of_kind("commodity").total() < 3:
            return None
        to = self.random.choice([None, *(name for name in self.sitting if name not in KNOWERS)])
        give, want = promise(hand, self.random), self.side(to or HOST)
        options = {
            "give": self.written(give),
            "want": self.written(want),
            "to": f"@{to}" if to else "",
        }
        command = PostOffer(to=self.sitting[to] if to else None, give=give, want=want)
        return self.alike(
            who, "offer post", {name: each for name, each in options.items() if each}, command
        )

    def _accepts(self, who: str, other: str) -> Step | None:
        offer = self.live_offer(who, waits=True)
        if offer is None:
            return None
        return self.alike(who, "offer accept", {"offer": str(offer.number)}, Sign(offer.number))

    def _hands(self, who: str, other: str) -> Step | None:
        """Hand over for an offer: to the other the cards that they asked for, to others the same in
        both worlds.
        """
        offer = self.live_offer(who, waits=likely(self.random, 60))
        if offer is None:
            return None
        seat, theirs = self.sitting[who], offer.other(self.sitting[who])
        offers = [table.offers[offer.number] for table in self.worlds.tables()]
        if theirs == self.sitting[other]:
            goods = [trade_of(each, seat).gives(seat) for each in offers]
        else:
            goods = [
                handed_for(self._same(who), trade_of(offer, seat).gives(seat), self.random)
            ] * 2
        options: list[Mapping[str, str]] = [
            {"offer": str(offer.number), "cards": self.written(each)} for each in goods
        ]
        commands = [HandOver(offer.number, each) for each in goods]
        return Step(who, "offer hand", (options[0], options[1]), (commands[0], commands[1]))

    def _other(self, who: str, other: str) -> Step | None:
        table = self.table()
        if table.phase == ACQUIRE:
            draws = DrawCards(8)
            return self.alike(who, "cards draw", {"cities": "8"}, draws)
        if table.phase == TRADE:
            return self.alike(who, "trading done", {}, DoneTrading())
        cards = list(self._same(who).of_kind("commodity").tokens())[:2]
        goods = Goods.of(cards)
        return self.alike(
            who, "cards surrender", {"cards": self.written(goods)}, SurrenderCards(goods)
        )
