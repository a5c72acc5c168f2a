"""Evenings of Twilight Imperium 4 in two worlds: Bob holds one of Carol's promissory notes, or
another of hers.
"""

from __future__ import annotations

from bot.games.ti4.note_gifts import GiveNote
from bot.games.ti4.requests import Replenish
from bot.games.ti4.turns import EndTurn
from bot.rules.features.deals import ProposeDeal
from bot.rules.features.holdings import Gain
from bot.rules.features.offers.posting import PostOffer
from bot.rules.features.offers.signing import Sign
from bot.rules.features.offers.state import trade_of
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import Offer
from bot.testing.makers import likely
from tests.cogs.all_eyes import HOST, KNOWERS, SETTER, Night, Step
from tests.games.ti4.machine import held_goods

FIRST, SECOND = "note:ceasefire:letnev", "note:trade_agreement:letnev"
"""The two notes that have changed places. When Carol replenishes, Bob is asked about the second
where he holds it.
"""

NAMES = (
    "carol's ceasefire",
    "carol's trade agreement",
    "bob's ceasefire",
    "dave's trade agreement",
    "alliance",
)


class Ti4Night(Night):
    """Turns pass, and everybody trades."""

    game = "ti4"
    seats = {"alice": "hacan", "bob": "sol", "carol": "letnev", "dave": "xxcha", "erin": "l1z1x"}  # noqa: RUF012

    def begin(self) -> None:
        for name in self.seats:
            self.types(
                HOST, "holdings set", {"player": f"@{name}", "goods": "9 tg, 1 cultural fragment"}
            )
        for first, second in (
            ("bob", "carol"),
            ("bob", "dave"),
            ("carol", "dave"),
            ("dave", "erin"),
        ):
            self.types(HOST, "neighbors join", {"first": f"@{first}", "second": f"@{second}"})
        self.part()
        self.types(HOST, "turn start", {"player": "@bob"})

    def part(self) -> None:
        """Of the two notes, the one who has none of them gets another one in each world."""
        none = [name for name in KNOWERS if not {FIRST, SECOND} & self.hands(name)[0].keys()]
        who = (none or KNOWERS)[0]
        goods = (f"9 tg, 1 cultural fragment, {name}" for name in NAMES[:2])
        self.types(
            SETTER, "holdings set", *({"player": f"@{who}", "goods": each} for each in goods)
        )

    def goes_on(self) -> None:
        who = self.random.choice(list(self.sitting))
        self.types(HOST, "turn start", {"player": f"@{who}"})

    def provokes(self) -> None:
        """Name both notes for one of the two: how many come to their hand all can count, but not
        which.
        """
        goods = f"9 tg, 1 cultural fragment, {NAMES[0]}, {NAMES[1]}"
        self.types(
            HOST, "holdings set", {"player": f"@{self.random.choice(KNOWERS)}", "goods": goods}
        )

    def note(self) -> str:
        return self.random.choice(NAMES)

    def side(self, who: str | None) -> Goods:
        """Return some of what they hold; what differs is named now and then, as anybody may ask for
        it.
        """
        if who is None and likely(self.random, 25):
            return Goods({self.random.choice((FIRST, SECOND)): 1})
        return self._held(who or self.random.choice(list(self.sitting)))

    def everything(self) -> str:
        return f"9 tg, {self.note()}"

    def handed(self, offer: Offer, who: str) -> Goods:
        return NOTHING

    def may_set(self, options: dict[str, str]) -> bool:  # type: ignore[override]
        """The two notes stay with the two, and are named together: how many a hand holds everybody
        can see.
        """
        together = options["player"][1:] in KNOWERS and all(
            name in options["goods"] for name in NAMES[:2]
        )
        return not any(name in options["goods"].lower() for name in ("carol", "letnev")) or together

    def _held(self, who: str) -> Goods:
        table = self.table()
        held = held_goods(table, self.sitting[who], self.random)
        return Goods(
            {token: count for token, count in held.items() if token not in (FIRST, SECOND)}
        )

    # ------------------------------------------------------------ those who know

    def knows(self) -> Step | None:
        who, other = self.random.sample(KNOWERS, 2)
        made = self.random.choices(
            (self._secretly, self._gives, self._posts, self._accepts, self.ends, self._other),
            (20, 5, 20, 40, 10, 10),
        )[0]
        return made(who, other)

    def _secretly(self, who: str, other: str) -> Step | None:
        """Offer the other one of the two notes, which they hold in this world."""
        mine = [sorted({FIRST, SECOND} & hand.keys()) for hand in self.hands(who)]
        if not all(mine):
            return None
        gives = [Goods({notes[0]: 1, "trade_good": 1}) for notes in mine]
        options = [{"to": f"@{other}", "give": self.written(give)} for give in gives]
        commands = [PostOffer(to=self.sitting[other], give=give) for give in gives]
        return Step(who, "offer post", (options[0], options[1]), (commands[0], commands[1]))

    def _gives(self, who: str, other: str) -> Step | None:
        """Give the other one of the two notes, which they hold in this world, because of an
        effect.
        """
        mine = [sorted({FIRST, SECOND} & hand.keys()) for hand in self.hands(who)]
        if not all(mine):
            return None
        more = {"to": f"@{other}", "reason": "Mindsieve"}
        options = [{"note": self.written(Goods({notes[0]: 1})), **more} for notes in mine]
        commands = [GiveNote(notes[0], self.sitting[other], "Mindsieve") for notes in mine]
        return Step(who, "note give", (options[0], options[1]), (commands[0], commands[1]))

    def _posts(self, who: str, other: str) -> Step | None:
        to = self.random.choice([None, *(name for name in self.sitting if name != who)])
        give, want = self._held(who), self._held(to or HOST)
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
        wanted = trade_of(offer, self.sitting[who]).gives(self.sitting[who])
        if {FIRST, SECOND} & wanted.keys() and offer.seat not in {
            self.sitting[name] for name in KNOWERS
        }:
            return None
        return self.alike(who, "offer accept", {"offer": str(offer.number)}, Sign(offer.number))

    def _other(self, who: str, other: str) -> Step | None:
        match self.random.randint(1, 4):
            case 1:
                return self.alike(who, "commodities replenish", {}, Replenish())
            case 2:
                return self.alike(
                    who, "holdings gain", {"goods": "2 tg"}, Gain(Goods({"trade_good": 2}))
                )
            case 3:
                return self.alike(who, "turn end", {}, EndTurn())
        deal = ProposeDeal(self.sitting[other], "peace", later=True)
        return self.alike(
            who, "deal propose", {"with": f"@{other}", "terms": "peace", "when": "later"}, deal
        )
