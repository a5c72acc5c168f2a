"""What a game tells the core, and where the installed games are found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from bot.rules.goods import Goods
from bot.rules.ruling import Refused, Ruling
from bot.rules.table import Change, GameState, Table, Value

if TYPE_CHECKING:
    from bot.rules.commands import Command
    from bot.rules.entries import Entry, Transaction


class Trade(Value):
    """A transaction that two seats might resolve: who gives what. ``second`` None: with whoever takes it up."""

    first: str
    second: str
    first_gives: Goods
    second_gives: Goods

    def gives(self, seat: str) -> Goods:
        """What this seat gives."""
        return self.first_gives if seat == self.first else self.second_gives

    def other(self, seat: str) -> str:
        """The seat on the other side."""
        return self.second if seat == self.first else self.first


class Settlement(Value):
    """What a trade does when it resolves: the changes everybody sees, those only the two do, the permits it uses up."""

    changes: dict[str, Change]
    hidden: dict[str, Change]
    permits: tuple[int, ...] = ()


class Answer(Value):
    """One way to answer an `Ask`: the button's label, and what it does, as the last part of its custom_id."""

    label: str
    action: str


class Ask(Value):
    """Something that waits for one seat's answer, shown to it privately.

    ``key`` tells it from others of this table. ``secret``: nobody else may ever read it.
    """

    key: str
    seat: str
    text: str
    answers: tuple[Answer, ...]
    secret: bool = False


class Board(Value):
    """What the game adds to a table's board: lines of text, and buttons that move the game on."""

    lines: tuple[str, ...]
    answers: tuple[Answer, ...]


class Follow(Value):
    """What may follow from a transaction, said privately to the one seat it matters to. The bot decides nothing."""

    seat: str
    text: str


class Chair(Value):
    """A seat that a game offers, whether somebody sits in it or not."""

    id: str
    name: str
    short: str


@dataclass(frozen=True, kw_only=True)
class Game:
    """What a game tells the core: data and functions. It never touches Discord, SQL or the clock."""

    id: str
    name: str
    state: type[GameState]
    entries: tuple[type[Entry], ...]
    phases: tuple[str, ...]

    chairs: Callable[[], Sequence[Chair]]
    """Every seat the game knows, in the order people look for them."""

    chair: Callable[[str], Chair | None]
    """The seat somebody means, by id, name or short name; None when there is none such."""

    start: Callable[[str], Goods]
    """What a seat holds when the game begins."""

    suggest: Callable[[Table, str | None, bool], list[str]]
    """Goods this seat could give (None: anybody), as one would write them; of hidden ones only when it is ``own``."""

    read_goods: Callable[[str, Table, str | None, Mapping[str, str]], Goods]
    """Read the shorthand: text, table, the seat that would give (None: whoever), which seat a lower-case name means.
    Raises `Refused` without a rule, naming the nearest thing it would have understood."""

    tell_goods: Callable[[Goods], str]
    """Goods in words, as on a card: ``3 trade goods, Ceasefire (<name:sol>)``."""

    tell_holdings: Callable[[Table, str], list[str]]
    """A seat's holdings, a kind a line, for whoever may see them."""

    cards: Callable[[Table, str, bool], Goods]
    """What this seat could give card by card, as far as is known: of hidden cards only when they are one's ``own``
    those that are there, of anybody else's all that could be."""

    open_goods: Callable[[Goods], Goods]
    """What of these everybody at the table can see."""

    declarable: Callable[[Goods], Goods]
    """What of these a player may say to have: what lies open, so that the others would object."""

    rulings: Callable[[Table, Trade], list[Ruling]]
    """Everything that forbids this trade now, the most telling first; empty when it is legal."""

    neighbors: Callable[[Table, str, str], bool]
    """Whether these two lie beside each other on the board, in a game where that means something."""

    settle: Callable[[Table, Trade], Settlement]
    """What happens to the goods when a trade resolves."""

    masked: Callable[[Goods], Goods]
    """These goods as everybody may read them, where which card it is may be secret."""

    board: Callable[[Table], Board]
    """What everybody sees on the table's board, and may press there."""

    standing: Callable[[Table, str], str]
    """Where a table stands towards the rule of this number, from what everybody may know; empty for nothing to say."""

    asks: Callable[[Table], list[Ask]]
    """What waits for somebody's answer, beyond what all games share."""

    follows: Callable[[Table, Transaction], list[Follow]]
    """What may follow from a transaction at the table as it is after it."""

    correct: Callable[[Table, str, Goods], tuple[dict[str, Change], dict[str, Change]]]
    """The changes, open and hidden, after which this seat has these goods. Raises `Refused`."""

    gain: Callable[[Table, str, Goods], Change]
    """What it means that this seat gains these. Raises `Refused`."""

    spend: Callable[[Table, str, Goods], Change]
    """What it means that this seat spends these. Raises `Refused`."""

    decide: Callable[[Table, Command], Iterable[Entry]]
    """Answer a command of the game's own. Raises `Refused`."""

    tells: Callable[[Entry], str]
    """What happened, in a sentence for an entry of the game's own kinds that has been seen through `view`."""

    apply: Callable[[Table, Entry], Table]
    """What an entry means for the game: its own kinds, and what the core's kinds change in its state."""


@cache
def games() -> Mapping[str, Game]:
    """The installed games by id, found through the entry-point group ``bourse.games``."""
    return {point.name: point.load() for point in sorted(entry_points(group="bourse.games"), key=lambda p: p.name)}


def game_named(name: str) -> Game:
    """The game of this id. Raises `Refused` when it is not installed."""
    game = games().get(name)
    if game is None:
        raise Refused("", f"There is no game “{name}” here.", f"Try {' or '.join(games())}.")
    return game
