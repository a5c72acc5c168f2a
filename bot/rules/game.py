"""What a game is to the core: a record of capabilities, each a few functions and facts.

A game implements the capabilities it has and leaves the others None. It never touches Discord, SQL or the clock.
Names of its entries and actions begin with its id and a dot, and the slash command groups it adds are listed in its
`GameInfo`; `bot.rules.registry` checks all that when the game is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bot.rules.agreements import Agreements
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry
from bot.rules.feature import Features, SettingOption
from bot.rules.model.actions import LabelledAction
from bot.rules.model.goods import Goods
from bot.rules.model.offers import Offer
from bot.rules.model.seats import Change
from bot.rules.model.table import Table, TableSettings
from bot.rules.model.violation import Refused, Violation
from bot.rules.views import BoardView, SeatView, StepView, TableView
from data import Rule

RuleTopic = Literal["irrevocable", "two_parties", "time_up", "mixed", "binding", "kept", "card", "later"]
"""What the core itself refuses or states, and each game's rulebook may have a number for."""


# ---------------------------------------------------------------- facts


class Try(NamedTuple):
    """Something to try at the rehearsal table: where, which command with which options, what happens then.

    An option is its name, what is typed into it, and whether the suggestion of that name is then picked.
    """

    place: str
    command: str
    options: tuple[tuple[str, str, bool], ...]
    then: str


class RehearsalSeat(NamedTuple):
    """What one of the four people of the rehearsal plays: the seat, its name, the goods at the beginning."""

    seat: str
    plays: str
    goods: str


@dataclass(frozen=True, kw_only=True)
class Rehearsal:
    """How a first table of this game is set up for the rehearsal: people's names lead to their seats."""

    channel: str
    seats: Mapping[str, RehearsalSeat]
    begins: tuple[tuple[str, str, Mapping[str, str | int]], ...]
    tries: tuple[Try, ...]


@dataclass(frozen=True, kw_only=True)
class GameInfo:
    """Facts about a game.

    ``phases``: the first is the one a table begins in. ``settings`` are the names of the table settings that mean
    something here, ``options`` those it adds. ``rule_numbers``: its rulebook's numbers for what the core refuses;
    ``other_numbers``: those that another of its texts has for the same, cited beside them.
    ``rulebook``: its rules by number, in our words. ``help``: how to trade, by topic; ``start`` are the first steps.
    ``agreements``: what words are worth. ``example``: goods as a player writes them. ``wealth``: what the wealth
    picture counts. ``command_groups``: the slash command groups it adds. ``rehearsal``: None for a game that has no
    set-up for a first table.
    """

    id: str
    name: str
    phases: tuple[str, ...]
    settings: frozenset[str]
    options: tuple[SettingOption, ...] = ()
    rule_numbers: Mapping[RuleTopic, str] = field(default_factory=dict)
    other_numbers: Mapping[RuleTopic, str] = field(default_factory=dict)
    rulebook: Callable[[], Mapping[str, Rule]]
    help: Mapping[str, str]
    example: str
    agreements: Agreements = field(default_factory=Agreements)
    wealth: str = "Goods that lie open"
    command_groups: frozenset[str] = frozenset()
    rehearsal: Rehearsal | None = None

    def rule_number(self, topic: RuleTopic) -> str:
        """Return the number that the game's rulebook has for this; empty where there is none."""
        return self.rule_numbers.get(topic, "")

    def cite(self, topic: RuleTopic) -> str:
        """Return its numbers in brackets for the end of a sentence, such as `` [D6] [28.4]``; empty for none."""
        numbers = (self.rule_number(topic), self.other_numbers.get(topic, ""))
        return "".join(f" [{number}]" for number in numbers if number)


class SeatOption(NamedTuple):
    """A seat that a game offers, taken or not. ``also`` are other names for it."""

    id: str
    name: str
    short: str
    also: tuple[str, ...] = ()


Shape = Literal[
    "bolt", "card", "coin", "crate", "flag", "globe", "satellite", "scroll", "shard", "ship", "target", "urn"
]
"""What an icon looks like; `bot.show.pictures.icons` draws each."""


class Icon(NamedTuple):
    """A small picture of a kind of goods: its name, and a Unicode symbol like it for where it can't be drawn.

    The name is of letters, digits and underscores, at most 32, and begins with the game's id: ``ti4_trade_good``.
    It is drawn as this shape in this colour (``#rrggbb``), a card with a few letters on it. Without a shape it is
    always its symbol.
    """

    name: str
    symbol: str
    shape: Shape | None = None
    colour: str = "#b6bdca"
    letters: str = ""


class Suggestion(NamedTuple):
    """A component as autocomplete writes it: ``one`` of it, and ``several``, which is empty where no number is written.

    ``most`` is the most that can be meant, ``usual`` how many are suggested before a number is typed. ``also`` are
    other words for it. ``uncommon``: it is suggested only to those who begin to type it. ``offered``: an offer may name
    it; anything else can only be handed over. The words may carry markup.
    """

    token: str
    one: str
    several: str = ""
    most: int = 1
    usual: int = 1
    also: tuple[str, ...] = ()
    uncommon: bool = False
    offered: bool = True


# ---------------------------------------------------------------- capabilities every game has


@dataclass(frozen=True, kw_only=True)
class Seats:
    """The seats of a game."""

    every: Callable[[], Sequence[SeatOption]]
    """Every seat that can be taken, in the order people look for them."""

    find: Callable[[str], SeatOption | None]
    """The seat meant by an id, name or short name."""

    start: Callable[[str, TableSettings], Goods]
    """What a seat holds when the game begins, at a table with these settings."""

    offered: Callable[[TableSettings], Collection[str]] | None = None
    """Those of them that a table with these settings plays with, by their ids; None for all."""

    barred: Callable[[Table, str], Refused | None] = lambda table, seat: None
    """Why nobody can take this seat at this table, whoever sits there; None where it can be taken."""

    most: int | None = None
    """For how many players the game is at most; None for as many as there are seats."""

    left: Callable[[Table, str], Iterable[Entry]] = lambda table, seat: ()
    """What follows when a player has left this seat, at the table as it is without them."""


@dataclass(frozen=True, kw_only=True)
class GoodsLanguage:
    """How goods are written and described."""

    read: Callable[[str, Collection[str], str | None, Mapping[str, str]], Goods]
    """Read the shorthand: text, the seats at the table, the seat that would give (None: any), which seat a lower-case
    name means. Raises `Refused` without a rule, naming the nearest thing that would have been understood."""

    describe: Callable[[Goods], str]
    """Goods in words, as on a card: ``3 trade goods, Sol's Ceasefire<beside:sol>``."""

    describe_holdings: Callable[[SeatView], list[str]]
    """A seat's holdings, a kind a line, as far as the view has them."""

    suggest: Callable[[SeatView, Goods], Sequence[Suggestion]]
    """What autocomplete suggests of the goods this seat could give, as far as the view has them, beside those that are
    written already. Of a hidden hand that is not in the view, what anybody might guess."""

    cards: Callable[[SeatView], Goods]
    """What this seat could give card by card: of a hidden hand that is not in the view, all that could be in it."""

    unlisted: str = ""
    """What is typed beside a list of cards to pick from, in a few words, where that is not what is left of a hand."""

    printed: Callable[[TableView, Goods], Goods] = lambda view, goods: goods
    """Goods that were read, in the printing that this table plays with. Raises `Refused` for what it plays without."""

    can_be_held: Callable[[Goods], bool] = lambda goods: True
    """Whether a seat can have these goods; those that only an offer can be about are not."""

    every: Callable[[TableView], Sequence[Suggestion]] = lambda view: ()
    """What autocomplete suggests where a seat could have anything: goods that are gained, set or not counted."""

    short: Callable[[Goods], str] | None = None
    """The same as ``describe`` but as short as people write it, for lists."""

    listed: Callable[[Goods], Sequence[str]] = sorted
    """The components of goods in the order in which ``describe`` lists them."""

    icon: Callable[[str], Icon | None] = lambda token: None
    """The icon of a component, the same for all of its kind; None where it has none."""

    icons: Collection[Icon] = ()
    """All icons that ``icon`` returns."""

    def describe_card(self, token: str) -> str:
        """Return one component by its name, as in a list to pick from: ``Salt``."""
        return self.describe(Goods({token: 1})).removeprefix("1 ")

    def describe_short(self, goods: Goods) -> str:
        """Return goods as short as the game can say them."""
        return (self.short or self.describe)(goods)


class Moves(NamedTuple):
    """Changes of holdings outside of trade: public ones, hidden ones, and how many hidden cards were named."""

    changes: dict[str, Change]
    hidden: dict[str, Change] = {}  # noqa: RUF012  (never changed)
    hidden_named: int = 0


@dataclass(frozen=True, kw_only=True)
class Holdings:
    """How holdings change outside of trade. Each function raises `Refused` where they may not or can't."""

    gain: Callable[[Table, str, Goods], Moves]
    spend: Callable[[Table, str, Goods], Moves]
    correct: Callable[[Table, str, Goods], Moves]
    """The changes after which this seat has exactly these goods."""

    gains: Callable[[str], bool] = lambda token: True
    spends: Callable[[str], bool] = lambda token: True
    """Whether this component may ever be gained, or spent, so that autocomplete suggests it there."""


@dataclass(frozen=True, slots=True)
class Trade:
    """A transaction that two seats might resolve: who gives what. ``second`` is empty while nobody has taken it up."""

    first: str
    second: str
    first_gives: Goods
    second_gives: Goods

    def gives(self, seat: str) -> Goods:
        """Return what this seat gives."""
        return self.first_gives if seat == self.first else self.second_gives

    def other(self, seat: str) -> str:
        """Return the seat on the other side."""
        return self.second if seat == self.first else self.first


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a trade does when it resolves: public changes, those only the two see, the permits it uses up.

    ``counts``: it is the one trade of these two in this window, where there is but one.
    """

    changes: dict[str, Change]
    hidden: dict[str, Change]
    permits: tuple[int, ...] = ()
    counts: bool = True


@dataclass(frozen=True, kw_only=True)
class TradeRules:
    """What may be traded, and what a trade does.

    ``pairwise``: who can trade differs from pair to pair. ``private_offers``: what is offered to one seat is for the
    two only. ``offers_end``: offers end with the window they were made in.
    """

    violations: Callable[[Table, Trade], list[Violation]]
    """Everything that forbids this trade now, the most telling first; empty when it is legal."""

    settle: Callable[[Table, Trade], Settlement]

    neighbors: Callable[[Table, str, str], bool] = lambda table, first, second: False
    """Whether two seats are neighbours on the board, in a game where that means something."""

    pairwise: bool = True
    private_offers: bool = False
    offers_end: bool = False


@dataclass(frozen=True, kw_only=True)
class Commands:
    """What a game adds to the commands of the core."""

    board: Callable[[Table], BoardView]
    """What everybody sees on the table's board, and may press there."""

    rule_status: Callable[[Table, str], str] = lambda table, number: ""
    """Public status of the table under the rule of this number, or an empty string."""

    may: Callable[[Table, Command, Caller], None] = lambda table, command, caller: None
    """A veto over a command of the core: raises `Refused` where this game does not allow it."""

    resettled: Callable[[Table, TableSettings], Iterable[Entry]] = lambda table, settings: ()
    """What other settings bring with them, at the table before them. Raises `Refused` where it can't have them now."""

    remedy: Callable[[Table, Violation, int, str], LabelledAction | None] = lambda table, violation, offer, seat: None
    """What this seat can press to cure a violation of an offer, where the violation names an action of the game."""

    take_back: Callable[[Table, Entry, str], LabelledAction | None] = lambda table, entry, seat: None
    """What this seat can press to take an entry back that it took part in, at the table right after it."""

    can_take_back: Callable[[TableSettings], bool] = lambda settings: False
    """Whether a trade can be taken back at a table with these settings."""

    pair_remedy: Callable[[Table, Violation, str, str], LabelledAction | None] = lambda table, violation, seat, other: (
        None
    )
    """What this seat (the first) can press so that it can trade with the other, whatever the goods. The label may name
    people, with markup."""


# ---------------------------------------------------------------- capabilities some games have


_SECRET = Violation("", "What others hold is their secret.", "A host who does not sit at the table may look.")


@dataclass(frozen=True, kw_only=True)
class HiddenHands:
    """What is secret about goods. A game without it plays with everything open.

    ``noun`` is what hidden cards are called at the head of a count: ``Promissory notes``. ``counted``: everybody can
    see how many of them a seat holds. ``nothing_open``: all that a seat holds is hidden. ``secret`` is why others may
    not look, and by which rule.
    """

    open: Callable[[Goods], Goods]
    """The part that everybody at the table can see."""

    redact: Callable[[Goods], Goods]
    """These goods as everybody may read them, where which card it is may be secret."""

    self_reportable: Callable[[Goods], Goods]
    """The part a player may declare to have: what lies open, so that the others would object."""

    wealth: Callable[[Goods], Goods]
    """The part that the wealth picture counts; none of it is secret."""

    noun: str = "Hidden cards"
    counted: bool = False
    nothing_open: bool = False
    secret: Violation = _SECRET


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """Handing over as a step of its own: each side hands over its part, sealed until both have.

    Until then nobody acts on what another's hand holds, so that nobody learns it from what may be done.
    """

    hand: Callable[[Table, str], Goods]
    """What this seat could hand over."""

    named: Callable[[Goods], Goods]
    """The part of a promise that must be among what is handed over."""

    why_not: Callable[[Table, str, Goods, Goods], Violation | None]
    """Why this seat can't hand over these goods (the last) for what it promised; None when it can."""

    advice: Callable[[Table, Offer, str], list[str]]
    """What an offer would mean for one of its two seats, in lines for that seat alone."""

    cost: Callable[[Goods, Goods], str] = lambda hand, given: ""
    """What becomes of a hand (the first) without some of its goods, in a few words for its owner; empty for nothing."""


class Preview(NamedTuple):
    """What a command would do, in lines that everybody may read, and the button that does just that."""

    lines: tuple[str, ...]
    button: LabelledAction


@dataclass(frozen=True, kw_only=True)
class Departures:
    """Seats that leave the game for good, or become another. Each is shown first, and then done by its button.

    What it shows rests on what everybody may know, so that nobody learns from looking what a hand holds. Raises
    `Refused` where it can't be done.
    """

    eliminate: Callable[[TableView, str], Preview]
    """What it means when this seat is eliminated."""

    change: Callable[[TableView, str], Preview]
    """What it means when the seat that this text names, by what it is or what it becomes, becomes another."""

    changeable: Callable[[TableView], Sequence[SeatOption]]
    """The seats that can become another now."""


@dataclass(frozen=True, kw_only=True)
class Turns:
    """The order of play: `order` makes the command that sets it, first seat first."""

    order: Callable[[tuple[str, ...]], Command]


@dataclass(frozen=True, kw_only=True)
class Setup:
    """How a table is set up before play begins. A game without it asks for seats and goods, until the first offer.

    ``told`` are the game's own kinds of entry that the steps report, so that they need no line of their own meanwhile.
    """

    begun: Callable[[Table], bool]
    """Whether play has begun, which ends the set-up."""

    steps: Callable[[Table], Sequence[StepView]]
    """The game's steps, in order, after the seats are taken."""

    goods: bool = True
    """Whether the core asks after the goods that everybody begins with."""

    told: tuple[type[Entry], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Phases:
    """What phases bring about."""

    before: Callable[[Table, str], Iterable[Entry]] = lambda table, phase: ()
    """What happens before this phase begins. Raises `Refused` when something has to be done first."""

    begin: Callable[[Table, str, int], Iterable[Entry]] = lambda table, phase, at: ()
    """What a phase brings that has just begun, at this time. ``table`` is from before."""


@dataclass(frozen=True, kw_only=True)
class Market:
    """Offers to all that fit one another are pointed out to their posters."""

    matches: Callable[[Goods, Goods, bool], bool]
    """Whether what one offer wants (first) is what another gives; ``exactly`` where both name both sides."""


@dataclass(frozen=True, kw_only=True)
class Clock:
    """A game that has deadlines of its own. Times are in milliseconds since 1970."""

    deadline: Callable[[Table], int | None]
    tick: Callable[[Table, int], Iterable[Entry]]
    """What the clock brings by then."""


@dataclass(frozen=True, kw_only=True)
class Chance:
    """A game in which chance can be checked afterwards."""

    commit: Callable[[str], Entry]
    """The entry that commits to this secret before anybody sits: what is shuffled later must follow from it."""

    verify: Callable[[Table, Entry], str]
    """What is wrong with how chance was used in this entry, at the table before it; empty for nothing."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: facts, the capabilities every game has, and those only some have.

    ``features`` are its own deeds and rules: state, commands, entries and buttons.
    """

    info: GameInfo
    seats: Seats
    goods: GoodsLanguage
    holdings: Holdings
    trade: TradeRules
    commands: Commands
    features: Features = field(default_factory=Features)
    hidden: HiddenHands | None = None
    exchange: Exchange | None = None
    departures: Departures | None = None
    turns: Turns | None = None
    setup: Setup | None = None
    phases: Phases | None = None
    market: Market | None = None
    clock: Clock | None = None
    chance: Chance | None = None

    def open_goods(self, goods: Goods) -> Goods:
        """Return the part of these goods that everybody can see."""
        return self.hidden.open(goods) if self.hidden else goods

    def redact(self, goods: Goods) -> Goods:
        """Return these goods as everybody may read them."""
        return self.hidden.redact(goods) if self.hidden else goods

    def self_reportable(self, goods: Goods) -> Goods:
        """Return the part of these goods that a player may declare to have."""
        return self.hidden.self_reportable(goods) if self.hidden else goods

    def wealth(self, goods: Goods) -> Goods:
        """Return the part of these goods that the wealth picture counts."""
        return self.hidden.wealth(goods) if self.hidden else goods
