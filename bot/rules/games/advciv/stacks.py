"""The nine stacks: made up and shuffled [15.2], drawn from [27.1, 27.2], bought from [27.5], and restored [31.81].

The cards lie in an order that follows from a secret seed, which the ledger keeps and opens when the table closes. Then
anybody can make the same shuffle again: `shuffled` says how.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from bot.rules.apply import replay
from bot.rules.entries import Entry
from bot.rules.games.advciv.cards import card_of, may_be_traded, token_of
from bot.rules.games.advciv.commands import BuyCard, DrawCards
from bot.rules.games.advciv.entries import CardBought, CardsDrawn, Shuffle, StacksRestored, StacksShuffled
from bot.rules.games.advciv.state import NINTH, Stack, dealt, seated, state_of
from bot.rules.goods import NOTHING, Goods
from bot.rules.ruling import Refused
from bot.rules.seats import own_seat, require_tracked, rules_the_table, seat_of
from bot.rules.table import Change, Table
from data import calamities, commodities

STACKS = range(1, 10)
"""The stacks by number, which is the value of their commodities."""


def draw(table: Table, command: DrawCards) -> Iterable[Entry]:
    """27.1: once a turn and before trading, fewest cities first. 27.2: one card from each stack, from the first up."""
    require_tracked(table)
    seat = seat_of(table, command.person, "You have" if command.person == command.by else "")
    hosts, state = rules_the_table(table, command), state_of(table)
    if command.person != command.by and not hosts:
        raise Refused("", "Only the host draws for somebody else.", f"Ask <person:{table.host}>.")
    if not 0 <= command.cities <= NINTH:
        raise Refused("", f"Nobody has {command.cities} cities.", f"Say how many there are, from 0 to {NINTH}.")
    if table.phase != "acquire":
        raise Refused("27.1", "Cards are drawn before trading.", "The next turn begins with /phase set phase:acquire.")
    if (drew := state.drawn.get(seat.id)) is not None:
        raise Refused(
            "27.1", f"<seat:{seat.id}> has drawn for {_cities(drew)} this turn.", "The next turn brings more."
        )
    if (before := [other for other, cities in state.drawn.items() if cities > command.cities]) and not hosts:
        who = ", ".join(f"<seat:{other}>" for other in before)
        raise Refused(
            "27.1", f"Who has the fewest cities draws first, and {who} drew for more.",
            f"<person:{table.host}> can let you draw all the same: /cards draw, with you as the player.",
        )  # fmt: skip
    made: list[Entry] = [] if dealt(table) else [_made_up(table, command.chance, hosts)]
    laid = replay(made, table)
    from_stacks = tuple(number for number in STACKS if number <= command.cities and state_of(laid).stacks[number - 1])
    hidden = {seat.id: Change(gained=_tops(laid, from_stacks))}
    return [*made, CardsDrawn(seat=seat.id, cities=command.cities, stacks=from_stacks, hidden=hidden)]


def buy(table: Table, command: BuyCard) -> Iterable[Entry]:
    """27.5: a card from the ninth stack, once one has drawn and before trading opens."""
    require_tracked(table)
    seat, state = own_seat(table, command), state_of(table)
    if table.phase != "acquire":
        raise Refused("27.5", "Cards are bought before trading.", "In the next turn, once you have drawn.")
    if seat.id not in state.drawn:
        raise Refused("27.5", "First you draw for your cities, then you can buy.", "/cards draw does that.")
    if not state.stacks[NINTH - 1]:
        raise Refused(
            "27.5", "The ninth stack is empty [27.21], so keep your tokens.", "Cards come back to it at the turn's end."
        )
    return [CardBought(seat=seat.id, hidden={seat.id: Change(gained=_tops(table, (NINTH,)))})]


def restored(table: Table) -> list[Entry]:
    """31.81, 29.7: what was turned in and resolved this turn goes under its stacks, shuffled; what can't be traded is
    the last of it.
    """
    state = state_of(table)
    if not state.stacks or not state.aside:
        return []
    number = state.shuffles + 1
    under = tuple(_under(state.aside, stack, state.seed, number) for stack in STACKS)
    return [StacksRestored(cards=state.aside, shuffle=number, secret=Shuffle(seed=state.seed, stacks=under))]


def _under(cards: Goods, stack: int, seed: str, number: int) -> Stack:
    mine = Goods({token: count for token, count in cards.items() if card_of(token).stack == stack})
    first = shuffled(_each(Goods({t: n for t, n in mine.items() if may_be_traded(t)})), f"{seed}:{number}:{stack}")
    return (*first, *(token for token in _each(mine) if not may_be_traded(token)))


def doubts(table: Table, entry: Entry) -> str:
    """Whether the cards lay as the seed says, and were taken from the top; empty when they did and were."""
    match entry:
        case StacksShuffled(players=players, secret=secret) if secret:
            if secret.stacks != _laid(table, players, secret.seed):
                return "the stacks do not lie as their seed says"
        case StacksRestored(secret=secret) if secret:
            if [entry] != restored(table):
                return "what went back does not lie as the seed says"
        case CardsDrawn(seat=seat, stacks=numbers, hidden=hidden) if hidden:
            if hidden[seat].gained != _tops(table, numbers):
                return "the cards drawn were not on top"
        case CardBought(seat=seat, hidden=hidden) if hidden:
            if hidden[seat].gained != _tops(table, (NINTH,)):
                return "the card bought was not on top"
    return ""


def _tops(table: Table, numbers: Iterable[int]) -> Goods:
    """The top cards of these stacks."""
    stacks = state_of(table).stacks
    return counted(stacks[number - 1][0] for number in numbers)


def box() -> Goods:
    """All the trade cards there are."""
    return Goods({token_of(card): card.count for card in commodities().values()}) + Goods(
        {token_of(card): 1 for card in calamities().values()}
    )


def _made_up(table: Table, chance: str, hosts: bool) -> StacksShuffled:
    """15.2: the stacks, without what is in hands already where the cards lay on a real table until now."""
    hands = sum((seat.holdings for seat in table.seats.values()), NOTHING)
    if hands and not hosts:
        raise Refused(
            "", "At this table the cards lie on the table, and the host says what each has.",
            f"<person:{table.host}> can have me deal from now on: /cards draw.",
        )  # fmt: skip
    if box().missing(hands):
        raise Refused("", "The hands hold more cards of a kind than there are.", "Set them anew first: /holdings set.")
    players = len(seated(table))
    return StacksShuffled(players=players, secret=Shuffle(seed=chance, stacks=_laid(table, players, chance)))


def _laid(table: Table, players: int, seed: str) -> tuple[Stack, ...]:
    """The nine stacks as this seed lays them, of the cards that are in no hand."""
    left = box() - sum((seat.holdings for seat in table.seats.values()), NOTHING)
    return tuple(_stack(left, number, players, seed) for number in STACKS)


def _stack(left: Goods, number: int, players: int, seed: str) -> Stack:
    """15.2: on top a commodity card for each player, then the rest with the calamity that can be traded, at the very
    bottom the one that can't. The first stack has no calamity.
    """
    mine = Goods({token: count for token, count in left.items() if card_of(token).stack == number})
    plain = shuffled(_each(mine.of_kind("commodity")), f"{seed}:0:{number}")
    on_top = plain[:players] if number > 1 else plain
    passed_on = [token for token in mine.of_kind("calamity") if may_be_traded(token)]
    stay = [token for token in mine.of_kind("calamity") if not may_be_traded(token)]
    rest = shuffled((*plain[len(on_top) :], *passed_on), f"{seed}:0:{number}:rest")
    return (*on_top, *rest, *stay)


def shuffled(cards: Sequence[str], seed: str) -> Stack:
    """The cards in an order that follows from the seed, every order as likely: from the last place down to the second,
    the card there changes places with one of those up to it. Which, says the next number that `_numbers` draws.
    """
    lie = list(cards)
    numbers = _numbers(seed)
    for last in range(len(lie) - 1, 0, -1):
        other = _below(last + 1, numbers)
        lie[last], lie[other] = lie[other], lie[last]
    return tuple(lie)


def picked(cards: Sequence[str], many: int, seed: str) -> Stack:
    """So many of the cards, each as likely."""
    return shuffled(cards, seed)[:many]


_WORD = 2**64


def _numbers(seed: str) -> Iterator[int]:
    """Numbers below 2^64: the first eight bytes of SHA-256 over ``seed:0``, ``seed:1`` and so on."""
    count = 0
    while True:
        yield int.from_bytes(sha256(f"{seed}:{count}".encode()).digest()[:8], "big")
        count += 1


def _below(most: int, numbers: Iterator[int]) -> int:
    """The next number, below ``most``; those that would favour some are passed over."""
    fair = _WORD - _WORD % most
    return next(number for number in numbers if number < fair) % most


def _each(cards: Goods) -> list[str]:
    return [token for token, count in cards.items() for _ in range(count)]


def counted(cards: Iterable[str]) -> Goods:
    """These cards as goods."""
    goods = NOTHING
    for card in cards:
        goods += Goods({card: 1})
    return goods


def _cities(number: int) -> str:
    return f"{number} {'city' if number == 1 else 'cities'}"
