"""The nine stacks: making and shuffling them [15.2], and putting cards back under them [31.81].

The order of the cards follows from a secret seed, which the ledger opens when the table closes.
Then anybody can repeat the shuffle; see `bot.games.advciv.chance`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from bot.api import (
    NOTHING,
    Entry,
    Feature,
    Goods,
    GoodsMoved,
    Refused,
    Sealed,
    Table,
    frozen,
    part,
    replace,
    with_part,
)
from bot.api.chance import committed, doubt, shuffled
from bot.games.advciv.cards import box, card_of, may_be_traded
from bot.games.advciv.state import CARDS, NINTH, Stack, Stacks, Status, dealt

STACKS = range(1, NINTH + 1)
"""The numbers of the stacks. A stack's number is the value of its commodities."""


@frozen
class Shuffle:
    """The secret of a shuffle: the seed, and the cards of each stack in order."""

    seed: str
    stacks: tuple[Stack, ...]


class StacksShuffled(Entry):
    """The nine stacks were made for this number of players [15.2]. Their order is secret until the
    table closes.
    """

    kind = "advciv.cards.shuffled"
    players: int
    secret: Annotated[Shuffle | None, Sealed("keeper")] = None

    def apply(self, table: Table) -> Table:
        if not self.secret:
            return table
        made, seed = self.secret.stacks, self.secret.seed
        return with_part(table, replace(part(table, Stacks), stacks=made, seed=seed))

    def sentence(self, ruler: str) -> str:
        opens = (
            f"Their seed was `{self.secret.seed}`."
            if self.secret
            else "I reveal the seed when the table closes."
        )
        return f"The nine stacks are shuffled for {self.players} players. {opens}"


def made_up(table: Table, seed: str, *, hosts: bool) -> StacksShuffled:
    """Return the entry that makes the stacks with this seed [15.2], without the cards that are in
    hands already.

    Raises `Refused` if the table is set to physical cards, or if people have used them so far,
    unless a host asks.
    """
    require_not_real(table)
    if part(table, Stacks).by_hand and not hosts:
        raise Refused(
            "This table uses real cards, and the host says what each player has.",
            f"<person:{table.host}> can let me deal from now on: /cards draw.",
        )
    players = len(table.seated())
    return StacksShuffled(
        players=players, secret=Shuffle(seed=seed, stacks=_shuffled_stacks(table, players, seed))
    )


def require_not_real(table: Table) -> None:
    """Raise `Refused` by 27.1 if the table is set to physical cards."""
    if CARDS.of(table.settings) == "real":
        typed = part(table, Stacks).by_hand
        remedy = (
            "Say what you took: **Cards came…** under **My hand**."
            if typed
            else "The host can let me: **Settings** under **Menu**, **Host…**."
        )
        raise Refused("The cards lie on your table, so I don't deal.", remedy, rule="27.1")


def _shuffled_stacks(table: Table, players: int, seed: str) -> tuple[Stack, ...]:
    """Return the nine stacks that this seed makes of the cards that are in no hand [15.2].

    On top are as many commodity cards as there are players, then the rest with the tradable
    calamity; at the bottom is the calamity that can't be traded. The first stack has no calamity.
    """
    # If people have reported more cards of a kind than were printed, none are left. Nobody may be
    # told of it.
    in_hands = sum((seat.holdings for seat in table.seats.values()), NOTHING)
    left = in_hands.missing(box())
    stacks, made = [], part(table, Stacks).shuffles  # another order, if the bot deals anew
    for number in STACKS:
        mine = _of_stack(left, number)
        plain = shuffled(list(mine.of_kind("commodity").tokens()), f"{seed}:{made}:{number}")
        on_top = plain[:players] if number > 1 else plain
        passed_on = [token for token in mine.of_kind("calamity") if may_be_traded(token)]
        stay = [token for token in mine.of_kind("calamity") if not may_be_traded(token)]
        rest = shuffled((*plain[len(on_top) :], *passed_on), f"{seed}:{made}:{number}:rest")
        stacks.append((*on_top, *rest, *stay))
    return tuple(stacks)


def _of_stack(cards: Goods, number: int) -> Goods:
    return Goods({token: cards[token] for token in cards if card_of(token).stack == number})


# ---------------------------------------------------------------- taking cards and putting them bac


def tops(table: Table, numbers: Iterable[int]) -> Goods:
    """Return the top cards of these stacks."""
    stacks = part(table, Stacks).stacks
    return Goods.of(stacks[number - 1][0] for number in numbers)


def without_tops(table: Table, numbers: tuple[int, ...]) -> Table:
    """Return the table without the top cards of these stacks."""
    stacks = list(part(table, Stacks).stacks)
    for number in numbers:
        stacks[number - 1] = stacks[number - 1][1:]
    return with_part(table, replace(part(table, Stacks), stacks=tuple(stacks)))


def set_aside(table: Table, entry: GoodsMoved) -> Table:
    """Return the table with the cards set aside that publicly left hands, and without those that
    came back to hands.

    They go back under the stacks later.
    """
    if not dealt(table):
        return table
    now = part(table, Stacks)
    aside = now.aside
    for change in entry.changes.values():
        aside = aside + change.lost - change.gained
    return with_part(table, replace(now, aside=aside))


class StacksRestored(Entry):
    """Cards that were turned in, resolved or lost went back under their stacks [31.81, 15.62].

    ``cards`` are those that everybody saw. ``shuffle`` is the number of this shuffle with the seed.
    ``secret`` has the cards that went under each stack, in order.
    """

    kind = "advciv.cards.restored"
    cards: Goods
    shuffle: int
    secret: Annotated[Shuffle | None, Sealed("keeper")] = None

    def apply(self, table: Table) -> Table:
        if not self.secret:
            return table
        now = part(table, Stacks)
        both = zip(now.stacks, self.secret.stacks, strict=True)
        now = replace(now, stacks=tuple((*above, *under) for above, under in both))
        now = replace(now, aside=NOTHING, returned=None, shuffles=self.shuffle)
        return with_part(table, now)

    def sentence(self, ruler: str) -> str:
        return "Cards that were turned in or resolved are shuffled and back under their stacks."


def restored(table: Table) -> list[Entry]:
    """Return the entry that puts this turn's cards back under their stacks [31.81, 29.7, 15.62];
    none without cards.

    Lost cards are among them, but not in the public part. The cards of each stack are shuffled; a
    calamity that can't be traded goes to the bottom.
    """
    now = part(table, Stacks)
    # The existence of the entry must not reveal whether a loss concerned any cards: ``returned``
    # may be empty.
    if not now.stacks or (not now.aside and now.returned is None):
        return []
    number, back = now.shuffles + 1, now.aside + (now.returned or NOTHING)
    under = []
    for stack in STACKS:
        mine = list(_of_stack(back, stack).tokens())
        passed_on = [token for token in mine if may_be_traded(token)]
        stay = [token for token in mine if not may_be_traded(token)]
        under.append((*shuffled(passed_on, f"{now.seed}:{number}:{stack}"), *stay))
    secret = Shuffle(seed=now.seed, stacks=tuple(under))
    return [StacksRestored(cards=now.aside, shuffle=number, secret=secret)]


def verify(table: Table, entry: Entry) -> str:
    """Return a fault if the stacks are not those that the seed makes; else empty."""
    match entry:
        case StacksShuffled(players=players, secret=secret) if secret:
            if reason := doubt(table, secret.seed):
                return reason
            if secret.stacks != _shuffled_stacks(table, players, secret.seed):
                return "the stacks are not in the order that their seed gives"
        case StacksRestored(secret=secret) if secret and [entry] != restored(table):
            return "what went back is not in the order that the seed gives"
    return ""


def _stacks(table: Table) -> str:
    stacks = part(table, Stacks).stacks
    if not stacks:
        if CARDS.of(table.settings) == "dealt":
            return "The stacks are shuffled with the first draw."
        return "This table uses real cards, so the bot does not deal."
    empty = [str(number) for number in STACKS if not stacks[number - 1]]
    return f"Empty stacks: {', '.join(empty) or 'none'}."


STATUS: Status = {
    "15.2": lambda table: f"{_stacks(table)} {committed(table, whole=True)}".rstrip(),
    "27.21": _stacks,
}

FEATURE = Feature(state=Stacks, entries=(StacksShuffled, StacksRestored))
