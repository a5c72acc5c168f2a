"""Two tables of any game that differ only in things that one viewer may not know.

At the second table, the hidden goods of other hands are shuffled. Other players' commands have
other secrets: fields of a command with a private reply, values that land in sealed fields, and
hidden goods of their own hand. The viewer must see the same at both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import chain, cycle
from random import Random
from typing import Any

from bot.rules.commands import NOBODY, Caller, Command
from bot.rules.entries import Entry, sealed_fields
from bot.rules.features.holdings import Corrected, SetHoldings
from bot.rules.features.offers.entries import HandOverUndone, OfferVoided, Transaction
from bot.rules.features.offers.posting import AlterOffer, CounterOffer, PostOffer
from bot.rules.features.offers.signing import HandOver
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.table import Table
from bot.rules.model.values import frozen
from bot.rules.model.violation import Refused
from bot.rules.registry import game_of
from bot.testing.generated import made_by
from bot.testing.makers import Makers, likely
from bot.testing.twins import HOST, LOOKS_ON, MODERATOR, Pair, PairMoves, Who, kinds_of
from bot.testing.world import Ask, Decision, World

WHOS: tuple[Who, ...] = (
    "player",
    "seated host",
    "host who looks on",
    "spectator",
    "everybody",
    "former player",
    "overheard",
    "moderator who has not looked",
)
"""The viewers, without those who need a hand that is the same at both tables."""

PUBLIC = frozenset(
    {
        "seat",
        "to",
        "other",
        "taker",
        "player",
        "person",
        "offer",
        "deal",
        "negotiation",
        "revision",
        "agreed",
    }
)
"""Fields that are public although the command's reply is private: subjects, and a yes or no."""


def host_of(who: Who) -> int:
    """Return the person who hosts a table at which this viewer looks."""
    return LOOKS_ON if who == "host who looks on" else HOST


TRIES = 8
"""The most other secrets that are tried until the other table accepts the command."""


@frozen
class Secrets:
    """How a game keeps secrets, as its author says.

    ``secret``: commands whose fields are secret though their reply is not private. ``reveals``:
    kinds of entry that make secrets known, as the rules want it.
    """

    makers: Makers
    secret: tuple[type[Command], ...] = ()
    reveals: tuple[type[Entry], ...] = ()

    def begun(self, who: Who, world: World, dice: Random) -> Pair:
        """Return two tables like this one, with other unknown hands at the second."""
        pair = Pair(who, dice, one=world, other=world.copied())
        differ(pair)
        return pair

    def play(self) -> PairMoves:
        """Return how such a pair is played."""
        return PairMoves(
            made=lambda pair: made_by(self.makers, pair.one.table, pair.dice),
            steps=self.steps,
            evens=lambda pair, seat: False,
            probes=self._probes,
            rests_on_secrets=lambda pair, ask, answers: True,
            tells=self._both_agree,
        )

    def steps(self, pair: Pair, ask: Ask) -> bool:
        """Do a command at both tables. Make them the same first if it makes a secret known."""
        other = self.counterpart(pair, ask)
        answers = [pair.one.answer(ask), pair.other.answer(other)]
        done = not any(isinstance(answer, Refused) for answer in answers)
        if not done and self._reveals(answers):
            return False  # one table alone would make it known
        # it says what a hand holds now
        if done and (self._reveals(answers) or isinstance(ask.command, SetHoldings)):
            pair.other = pair.one.copied()
            done = pair.both(self.play(), ask)
            differ(pair)
            return done
        done = pair.both(self.play(), ask, other)
        if likely(pair.dice, 20):
            differ(pair)
        return done

    def counterpart(self, pair: Pair, ask: Ask) -> Ask:
        """Return the command for the other table: with other secrets, if it has any."""
        kind = type(ask.command)
        if pair.is_me(ask):
            return ask
        if kind not in game_of(pair.one.table).features.commands:
            return ask.with_fields(**_private_offer(pair, ask))
        answer = pair.one.answer(ask)
        names: list[str] = []
        if not isinstance(answer, Refused):
            names = self._secret_fields(ask.command, answer)
        if not names:
            return ask.with_fields(**_from_other_hand(pair, ask, ask.person))
        for _ in range(TRIES):
            made = self.makers.of(kind, pair.other.table, pair.dice).command
            values = {name: getattr(made, name) for name in names}
            given = {name: value for name, value in values.items() if value is not None}
            other = ask.with_fields(**given)
            if not isinstance(pair.other.answer(other), Refused):
                return other
        return ask

    def _secret_fields(self, command: Command, answer: Sequence[Entry]) -> list[str]:
        kind = type(command)
        # that a field is empty may be public
        names = [each.name for each in fields(kind) if getattr(command, each.name) is not None]
        if kind in self.secret:
            return names
        sealed = set(chain.from_iterable(sealed_fields(type(entry)) for entry in answer))
        if kind.private_reply:
            return [name for name in names if name not in PUBLIC or name in sealed]
        return [name for name in names if name in sealed]

    def _reveals(self, answers: Iterable[Decision]) -> bool:
        kinds = chain.from_iterable(map(kinds_of, answers))
        return any(issubclass(kind, self.reveals) for kind in kinds)

    def _probes(self, pair: Pair) -> list[Ask]:
        """Return one command of each kind, for the viewer to learn from how it is refused."""
        table = pair.one.table
        if pair.who == "overheard":  # others read along; they try nothing
            return []
        return [
            Ask(self.makers.of(kind, table, pair.dice).command, pair.caller)
            for kind in self.makers.by_kind
        ]

    def _both_agree(self, pair: Pair, ask: Ask) -> bool:
        """Return whether the viewer learns if a trade is possible, as the rules allow once both
        have agreed.
        """
        answers = [world.answer(ask) for world in pair.worlds]
        one, other = map(kinds_of, answers)
        agreed = not {Transaction, OfferVoided, HandOverUndone}.isdisjoint((*one, *other))
        return (agreed and one != other) or self._reveals(answers)


# ---------------------------------------------------------------- hands


def differ(pair: Pair) -> None:
    """Shuffle the hidden goods of other hands at the other table.

    A moderator corrects these hands at both tables, because the entries must lead there.
    """
    table, game, dice = pair.other.table, game_of(pair.other.table), pair.dice
    if game.hidden is None:
        return
    seats = [table.seats[seat] for seat in table.seated() if seat != pair.seat]
    kept, moving = {}, {}
    for seat in seats:
        handed = NOTHING  # it stays where it is
        for offer in table.live_offers():
            handed += handed.missing(offer.handed.get(seat.id, NOTHING))
        kept[seat.id] = game.open_goods(seat.holdings) + handed
        moving[seat.id] = kept[seat.id].missing(seat.holdings)
    pool = list(chain.from_iterable(goods.tokens() for goods in moving.values()))
    dice.shuffle(pool)
    for seat in seats:
        size = moving[seat.id].total()
        if not game.hidden.counted:
            size = dice.randint(0, len(pool))
        if seat is seats[-1]:
            size = len(pool)
        share = Goods.of(pool.pop() for _ in range(size))
        for world in pair.worlds:
            has = world.table.seats[seat.id].holdings
            gets = has if world is pair.one else kept[seat.id] + share
            entry = Corrected(
                seat=seat.id,
                changes={seat.id: Change()},
                hidden={seat.id: Change(lost=has, gained=gets)},
                before=game.open_goods(has),
                after=game.open_goods(gets),
            )
            world.add([entry], Caller(MODERATOR, moderator=True))


def _from_other_hand(pair: Pair, ask: Ask, person: int, *, only: str = "") -> dict[str, Any]:
    """Return the fields of a command that name hidden goods of a person, for the other table.

    Their first hidden goods there replace the first, the second the second, and so on.
    """
    hand, other_hand = (_hidden_hand(world.table, person) for world in pair.worlds)
    if not hand or not other_hand:
        return {}
    instead = dict(zip(hand, cycle(other_hand), strict=False))
    values: dict[str, Any] = {}
    for field in fields(ask.command):
        if only not in ("", field.name):
            continue
        match getattr(ask.command, field.name):
            case str(token) if token in instead:
                values[field.name] = instead[token]
            case Goods() as goods if not instead.keys().isdisjoint(goods):
                theirs = Goods.of(instead.get(token, token) for token in goods.tokens())
                values[field.name] = _as_many(pair, person, theirs)
    return values


def _as_many(pair: Pair, person: int, goods: Goods) -> Goods:
    """Return one kind of goods in a number that this person has at the other table.

    Only in games that hide how many goods a hand has.
    """
    table = pair.other.table
    seat, hidden = table.seat_of(person), game_of(table).hidden
    if seat is None or hidden is None or hidden.counted or len(goods) > 1:
        return goods
    (token,) = goods
    most = max(1, seat.holdings.count(token))
    return Goods({token: pair.dice.randint(1, most)})


def _private_offer(pair: Pair, ask: Ask) -> dict[str, Any]:
    """Return the goods of an offer between two others, from their hands at the other table."""
    table = pair.one.table
    own = table.seat_of(ask.person)
    if not game_of(table).trade.private_offers or own is None:
        return {}
    match ask.command:
        case PostOffer(to=str(to)):
            other = to
        case CounterOffer() | AlterOffer() | HandOver() if ask.command.offer in table.offers:
            offer = table.offers[ask.command.offer]
            if offer.to is None or own.id not in (offer.seat, offer.to):
                return {}
            other = offer.to if offer.seat == own.id else offer.seat
        case _:
            return {}
    if pair.mine(other):
        return {}
    giver, receiver = ask.person, table.seats[other].person or NOBODY
    values = _from_other_hand(pair, ask, giver, only="give")
    values |= _from_other_hand(pair, ask, receiver, only="want")
    values |= _from_other_hand(pair, ask, giver, only="handed")
    values |= _from_other_hand(pair, ask, giver, only="goods")
    return values


def _hidden_hand(table: Table, person: int) -> list[str]:
    seat = table.seat_of(person)
    if seat is None:
        return []
    return sorted(set(seat.holdings) - set(game_of(table).open_goods(seat.holdings)))
