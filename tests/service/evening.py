"""An evening at a table of three, with offers and deals that end in every way, public and private.

Secrets are words that no other entry has, so that a test can look for them in whatever somebody
gets.
"""

from __future__ import annotations

from bot.games.ti4.neighbors import JoinNeighbors
from bot.games.ti4.permits import GrantPermit
from bot.games.ti4.turns import StartTurn
from bot.rules.features.audits import Audit
from bot.rules.features.deals import AnswerDeal, MarkDeal, ProposeDeal
from bot.rules.features.holdings import SetHoldings
from bot.rules.features.negotiations import CloseNegotiation, OpenNegotiation
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PauseOffer, PostOffer
from bot.rules.features.offers.signing import EndOffer, Sign
from bot.rules.features.seats import Sit
from bot.rules.model.goods import NOTHING, Goods
from bot.rules.model.offer import OfferStatus
from tests.service.club import ALICE, BOB, CAROL, TABLE, Club, moderator, tg

MINUTE = 60_000

EVENING = 2
"""How long it takes, in minutes."""

TOPIC, WORDS, PROMISE, OATH = "SECRETTOPIC", "SECRETWORDS", "SECRETPROMISE", "SECRETOATH"
"""Of Bob and Carol's negotiation: its topic, an offer's terms, those of the offer that resolves, a
deal's.
"""

SECRETS = (TOPIC, WORDS, PROMISE, OATH)

NOTE = "note:political_secret:letnev"
"""What Carol gives Bob in private. That her seat began with it is public, in entry 4."""

ENDS: dict[int, OfferStatus] = {
    1: "resolved",
    2: "declined",
    3: "withdrawn",
    4: "expired",
    5: "superseded",
    6: "resolved",
    7: "void",
    8: "resolved",
    9: "suspended",
    10: "open",
}
"""How each offer of the evening stands at its end."""

PRIVATE = (7, 8)
"""The offers that are Bob's and Carol's only."""

OPEN_DEALS = (1, 2, 4)
PRIVATE_DEALS = (3, 5)


async def spend_the_evening(club: Club) -> None:
    """Alice (Hacan, host), Bob (Sol) and Carol (Letnev) trade; Mona moderates the server and looks
    once.
    """
    await club.opens()
    await club.does(ALICE, Sit("hacan"))
    await club.does(BOB, Sit("sol"))
    await club.does(CAROL, Sit("letnev"))
    for seat in ("hacan", "sol", "letnev"):
        await club.does(ALICE, SetHoldings(seat, tg(9), reason="dealt"))
    for first, second in (("hacan", "sol"), ("hacan", "letnev")):
        await club.does(ALICE, JoinNeighbors(first, second))
    await _in_public(club)
    await _in_private(club)
    await _deals(club)
    await club.does(ALICE, SetHoldings("sol", tg(4), reason="miscounted"))
    await club.service.execute(TABLE, moderator(), Audit("ledger"))


async def _in_public(club: Club) -> None:
    """Offers 1 to 6, on Alice's turn. What 1 and 6 say becomes deals 1 and 2."""
    await club.does(ALICE, StartTurn("hacan"))
    await club.does(ALICE, PostOffer(to="sol", give=tg(2), terms="you vote for me"))
    await club.does(ALICE, AlterOffer(1, give=tg(1)))
    await club.does(BOB, Sign(1))
    await club.does(ALICE, PostOffer(to="letnev", give=tg(1)))
    await club.does(CAROL, EndOffer(2, how="decline"))
    await club.does(BOB, PostOffer(give=tg(1)))
    await club.does(BOB, EndOffer(3, how="withdraw"))
    await club.does(ALICE, PostOffer(to="letnev", give=tg(1), lasts=MINUTE))
    club.clock.moves(minutes=EVENING)
    await club.service.tick(TABLE)
    await club.does(CAROL, PostOffer(to="hacan", want=tg(2)))
    counter = CounterOffer(5, give=tg(1), want=NOTHING, terms="and peace")
    await club.does(ALICE, counter)
    await club.does(CAROL, Sign(6))


async def _in_private(club: Club) -> None:
    """Offers 7 and 8, on Bob's turn, in a negotiation. What 8 says becomes deal 3. It takes the
    permit.

    Offers 9 and 10 are public, and not over.
    """
    await club.does(ALICE, StartTurn("sol"))
    await club.does(BOB, OpenNegotiation("letnev", TOPIC))
    await club.does(BOB, PostOffer(to="letnev", give=tg(3), terms=WORDS, negotiation=1))
    note = Goods({NOTE: 1})
    await club.does(CAROL, PostOffer(to="sol", give=note, terms=PROMISE, negotiation=1))
    await club.does(ALICE, GrantPermit("sol", "letnev", lifts="neighbors", reason="a card"))
    await club.does(BOB, Sign(8))
    await club.does(BOB, CloseNegotiation(1))
    await club.does(BOB, PostOffer(to="hacan", give=tg(1)))
    await club.does(BOB, PauseOffer(9, paused=True))
    await club.does(CAROL, PostOffer(to="hacan", give=tg(2)))


async def _deals(club: Club) -> None:
    """Deal 4 is declined, deal 5 agreed in private and kept; Bob breaks deal 1."""
    await club.does(ALICE, ProposeDeal("letnev", "no war", later=True))
    await club.does(CAROL, AnswerDeal(4, agreed=False))
    await club.does(BOB, ProposeDeal("letnev", OATH, later=True, private=True))
    await club.does(CAROL, AnswerDeal(5, agreed=True))
    await club.does(CAROL, MarkDeal(5, mark="kept"))
    await club.does(ALICE, MarkDeal(1, mark="broken"))
