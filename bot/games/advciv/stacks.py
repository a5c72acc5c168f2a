"""The nine stacks: made up and shuffled [15.2], and what goes back under them [31.81].

The order of the cards follows from a secret seed, which the ledger keeps and opens when the table closes; `seeds` says
where it comes from. Then anybody can repeat the shuffle; `shuffled` says how.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from bot.api import NOTHING, Entry, Goods, Refused, Table
from bot.games.advciv.cards import box, card_of, may_be_traded
from bot.games.advciv.entries import CardBought, CardsDrawn, Shuffle, StacksRestored, StacksShuffled
from bot.games.advciv.seeds import doubt
from bot.games.advciv.state import NINTH, Stack, state_of

STACKS = range(1, NINTH + 1)
"""The stacks by number, which is the value of their commodities."""


def made_up(table: Table, seed: str, *, hosts: bool) -> StacksShuffled:
    """Return the stacks made up with this seed [15.2], without the cards that are in hands already.

    Raises `Refused` where the cards lay on a real table until now and the caller does not host, whatever hands hold.
    """
    if state_of(table).by_hand and not hosts:
        raise Refused(
            "", "At this table the cards lie on the table, and the host says what each has.",
            f"<person:{table.host}> can have me deal from now on: /cards draw.",
        )  # fmt: skip
    players = len(table.seated())
    return StacksShuffled(players=players, secret=Shuffle(seed=seed, stacks=_laid(table, players, seed)))


def _in_hands(table: Table) -> Goods:
    return sum((seat.holdings for seat in table.seats.values()), NOTHING)


def _laid(table: Table, players: int, seed: str) -> tuple[Stack, ...]:
    """Return the nine stacks as this seed lays them, of the cards that are in no hand."""
    # Where people have named more of a kind than was printed, none is left of it. Nobody can be told of it.
    left = _in_hands(table).missing(box())
    return tuple(_stack(left, number, players, seed) for number in STACKS)


def _stack(left: Goods, number: int, players: int, seed: str) -> Stack:
    """Return one stack [15.2].

    On top lies a commodity card for each player, then the rest with the calamity that can be traded, at the very
    bottom the one that can't. The first stack has no calamity.
    """
    mine = _of_stack(left, number)
    plain = shuffled(list(mine.of_kind("commodity").tokens()), f"{seed}:0:{number}")
    on_top = plain[:players] if number > 1 else plain
    passed_on = [token for token in mine.of_kind("calamity") if may_be_traded(token)]
    stay = [token for token in mine.of_kind("calamity") if not may_be_traded(token)]
    rest = shuffled((*plain[len(on_top) :], *passed_on), f"{seed}:0:{number}:rest")
    return (*on_top, *rest, *stay)


def _of_stack(cards: Goods, number: int) -> Goods:
    return Goods({token: count for token, count in cards.items() if card_of(token).stack == number})


def tops(table: Table, numbers: Iterable[int]) -> Goods:
    """Return the top cards of these stacks."""
    stacks = state_of(table).stacks
    return Goods.of(stacks[number - 1][0] for number in numbers)


def restored(table: Table) -> list[Entry]:
    """Return the entry that puts the cards of this turn back under their stacks [31.81, 29.7, 15.62], if there are any.

    Those that were lost are among them, but named in no public part. They are shuffled; a calamity that can't be traded
    is the last.
    """
    state = state_of(table)
    # Whether any cards were lost beyond what everybody saw go must not show in whether there is an entry.
    if not state.stacks or (not state.aside and state.returned is None):
        return []
    number, back = state.shuffles + 1, state.aside + (state.returned or NOTHING)
    under = tuple(_under(back, stack, state.seed, number) for stack in STACKS)
    return [StacksRestored(cards=state.aside, shuffle=number, secret=Shuffle(seed=state.seed, stacks=under))]


def _under(cards: Goods, stack: int, seed: str, number: int) -> Stack:
    mine = list(_of_stack(cards, stack).tokens())
    first = shuffled([token for token in mine if may_be_traded(token)], f"{seed}:{number}:{stack}")
    return (*first, *(token for token in mine if not may_be_traded(token)))


def verify(table: Table, entry: Entry) -> str:
    """Return how the cards differ from what the seed lays, or were not taken from the top; empty when all is right."""
    match entry:
        case StacksShuffled(players=players, secret=secret) if secret:
            if reason := doubt(state_of(table), entry):
                return reason
            if secret.stacks != _laid(table, players, secret.seed):
                return "the stacks do not lie as their seed says"
        case StacksRestored(secret=secret) if secret:
            if [entry] != restored(table):
                return "what went back does not lie as the seed says"
        case CardsDrawn(seat=seat, stacks=numbers, hidden=hidden) if hidden:
            if hidden[seat].gained != tops(table, numbers):
                return "the cards drawn were not on top"
        case CardBought(seat=seat, hidden=hidden) if hidden:
            if hidden[seat].gained != tops(table, (NINTH,)):
                return "the card bought was not on top"
    return ""


# ---------------------------------------------------------------- chance


def shuffled(cards: Sequence[str], seed: str) -> Stack:
    """Return the cards in an order that follows from the seed, with every order as likely.

    From the last place down to the second, the card there changes places with one of those up to it, chosen by the
    next number of `_numbers`.
    """
    order = list(cards)
    numbers = _numbers(seed)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def picked(cards: Sequence[str], count: int, seed: str) -> Stack:
    """Return this many of the cards, each as likely."""
    return shuffled(cards, seed)[:count]


_WORD = 2**64


def _numbers(seed: str) -> Iterator[int]:
    """Yield numbers below 2^64: the first eight bytes of SHA-256 over ``seed:0``, ``seed:1`` and so on."""
    count = 0
    while True:
        yield int.from_bytes(sha256(f"{seed}:{count}".encode()).digest()[:8], "big")
        count += 1


def _below(limit: int, numbers: Iterator[int]) -> int:
    """Return the next number, reduced below ``limit``; numbers that would favour some results are skipped."""
    fair = _WORD - _WORD % limit
    return next(number for number in numbers if number < fair) % limit
