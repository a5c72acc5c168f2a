"""What a game tells the core, and where the installed games are found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Literal, NamedTuple

from bot.rules.goods import Goods
from bot.rules.ruling import Refused, Ruling
from bot.rules.table import Change, GameState, Offer, Table, Value

if TYPE_CHECKING:
    from bot.rules.commands import Command
    from bot.rules.entries import Entry, Transaction

Cited = Literal["irrevocable", "two_parties", "time_up", "mixed", "binding", "kept", "card", "later"]
"""What the core itself refuses or tells, and each game's rulebook may have a number for."""


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


class Moves(NamedTuple):
    """Changes of holdings outside of trade: those everybody sees, those only the seat itself does, and how many hidden
    cards everybody may know to have come.
    """

    changes: dict[str, Change]
    hidden: dict[str, Change] = {}  # noqa: RUF012  (never changed)
    hidden_moved: int = 0


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
    """What the game adds to a table's board: lines of text, and buttons that move the game on.

    ``browse``: offers can be opened from it. With a change of ``moves`` it moves down to where people are reading, as
    it does with each window.
    """

    lines: tuple[str, ...]
    answers: tuple[Answer, ...]
    browse: bool = False
    moves: str = ""


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
class Exchange:
    """How what was agreed changes hands where hands are hidden: each side hands over its part, sealed until both have.

    Until then nobody acts on what another's hand holds, so that nobody can learn it from what may be done.
    """

    hand: Callable[[Table, str], Goods]
    """What this seat could hand over."""

    named: Callable[[Goods], Goods]
    """Of what a side promised, what has to be among what it hands over."""

    why_not: Callable[[Table, str, Goods, Goods], Ruling | None]
    """Why this seat can't hand over these goods (the last) for what it promised; None when it can."""

    tells: Callable[[Table, Offer, str], list[str]]
    """What an offer means for one of its two, in lines for that seat alone."""


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

    def tell_card(self, token: str) -> str:
        """One component by its name, as it stands in a list to pick from: ``Salt``."""
        return self.tell_goods(Goods({token: 1})).removeprefix("1 ")

    short_goods: Callable[[Goods], str] | None = None
    """The same as short as people write it, for lists; None where that is how they are told anyway."""

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

    may_correct: Callable[[Table, Command], None] = lambda table, command: None
    """Raises `Refused` where not even a host may say what a seat has."""

    correct: Callable[[Table, str, Goods], Moves]
    """The changes after which this seat has these goods. Raises `Refused`."""

    gain: Callable[[Table, str, Goods], Moves]
    """What it means that this seat gains these. Raises `Refused`."""

    spend: Callable[[Table, str, Goods], Moves]
    """What it means that this seat spends these. Raises `Refused`."""

    decide: Callable[[Table, Command], Iterable[Entry]]
    """Answer a command of the game's own. Raises `Refused`."""

    tells: Callable[[Entry], str]
    """What happened, in a sentence for an entry of the game's own kinds that has been seen through `view`."""

    apply: Callable[[Table, Entry], Table]
    """What an entry means for the game: its own kinds, and what the core's kinds change in its state."""

    answers: Callable[[Goods, Goods, bool], bool]
    """Whether what one offer wants (the first) is what another gives; exactly so, where both name both sides."""

    example: str
    """Goods as somebody might write them."""

    help: Mapping[str, str]
    """How to trade in this game, by topic; ``start`` are the first steps."""

    settings: frozenset[str]
    """The table's settings that mean something in this game."""

    cites: Mapping[Cited, str] = field(default_factory=dict)
    """The numbers, in this game's rulebook, of what the core itself refuses or tells; none where it has none."""

    pairs: bool = True
    """Whether it differs from pair to pair who can trade."""

    private_offers: bool = False
    """Whether what is offered to one person is for the two of them only."""

    offers_end: bool = False
    """Whether offers end with the window they were made in."""

    exchange: Exchange | None = None
    """How what was agreed changes hands, where that is a step of its own."""

    before_phase: Callable[[Table, str], Iterable[Entry]] = lambda table, phase: ()
    """What happens before this phase begins. Raises `Refused` when something has to be done first."""

    begins: Callable[[Table, str, int], Iterable[Entry]] = lambda table, phase, at: ()
    """What a phase brings that has just begun, at this time in milliseconds since 1970. ``table`` is from before."""

    doubts: Callable[[Table, Entry], str] = lambda table, entry: ""
    """What is wrong with how chance was used in this entry, at the table as it was before; empty for nothing. Only for
    who has the entry whole."""

    deadline: Callable[[Table], int | None] = lambda table: None
    """When the game needs the clock next, in milliseconds since 1970."""

    clock: Callable[[Table, int], Iterable[Entry]] = lambda table, at: ()
    """What the clock brings by then."""

    def cite(self, what: Cited) -> str:
        """The number of it in brackets, to stand at the end of a sentence: `` [D6]``; empty where there is none."""
        return f" [{number}]" if (number := self.cites.get(what)) else ""


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
