"""The interface between a game and the core: `Game`, a record of capabilities, each a few functions
and facts.

A game implements some capabilities and leaves the others None. It never touches Discord, SQL or the
clock. The names of its entries and actions begin with its id and a dot, and `GameInfo` lists the
slash command groups it adds. `bot.rules.registry` checks this when it loads the game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, NamedTuple

from bot.rules.agreements import Agreements
from bot.rules.commands import Caller, Command
from bot.rules.entries import Entry
from bot.rules.feature import Features, SettingOption
from bot.rules.model.actions import LabelledAction
from bot.rules.model.debts import without_private
from bot.rules.model.goods import NOTHING, Change, Goods
from bot.rules.model.offer import Offer
from bot.rules.model.table import Table, TableSettings
from bot.rules.model.values import frozen, frozen_by_name
from bot.rules.model.violation import Refused, Violation
from bot.rules.rehearsals import Rehearsal
from bot.rules.views import BoardView, SeatView, StepView, TableView
from data import Rule

API = 1
"""The version of what games import, `bot.api`. It grows when games that were made for the old one
need a change.

>>> GAME.api == API
True
"""

RuleTopic = Literal[
    "irrevocable", "two_parties", "time_up", "mixed", "binding", "kept", "card", "later"
]
"""Rules that the core applies or states itself. A game's rulebook may have a number for each."""


# ---------------------------------------------------------------- facts


@frozen_by_name
class GameInfo:
    """Facts about a game.

    ``phases``: a table begins in the first. ``own_phases`` are those that only the game's entries
    begin, no host. ``settings`` are the names of the table settings that the game uses, ``options``
    the settings it adds. ``rule_numbers`` are the rulebook's numbers for the rules of the core;
    ``other_numbers`` are those of another official text, cited beside them. ``rulebook`` returns
    the rules by number, in our words. ``help`` explains trading, by topic; ``start`` has the first
    steps. ``no_offer``: what /trade is not for; the player on turn reads it while there is a
    `BoardView.gains`. ``example``: goods as a player writes them. ``wealth``: what the wealth
    picture counts. ``command_groups``: the slash command groups the game adds.
    ``announced_phases``: those whose beginning is a message in the channel, with the head of the
    ledger; None for all. The board shows each. ``phase_titles``: what the board calls a phase,
    where it does not say its name.

    >>> GameInfo(
    ...     id="bazaar", name="Bazaar", phases=("market",), settings=frozenset({"rulings"}),
    ...     rulebook=dict, help={"start": "Take a seat."}, example="2 silk",
    ... ).cite("binding")
    ''
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
    wealth: str = "Goods that everybody sees"
    no_offer: str = ""
    command_groups: frozenset[str] = frozenset()
    rehearsal: Rehearsal | None = None
    own_phases: frozenset[str] = frozenset()
    announced_phases: frozenset[str] | None = None
    phase_titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def host_phases(self) -> tuple[str, ...]:
        """The phases that a host can set."""
        return tuple(phase for phase in self.phases if phase not in self.own_phases)

    def phase_words(self, phase: str) -> str:
        """Return a phase as the beginning of a sentence: its title, or ``The market phase``."""
        return self.phase_titles.get(phase, f"The {phase} phase")

    def in_phase_words(self, phase: str) -> str:
        """Return `phase_words` for the middle of a sentence."""
        words = self.phase_words(phase)
        return f"{words[0].lower()}{words[1:]}"

    def rule_number(self, topic: RuleTopic) -> str:
        """Return the rulebook's number for a topic; empty for none."""
        return self.rule_numbers.get(topic, "")

    def cite(self, topic: RuleTopic) -> str:
        """Return the numbers for a topic as the end of a sentence, such as `` [D6] [28.4]``; empty
        for none.
        """
        numbers = (self.rule_number(topic), self.other_numbers.get(topic, ""))
        return "".join(f" [{number}]" for number in numbers if number)


class SeatOption(NamedTuple):
    """A seat that a game offers, taken or not. ``also`` has other names for it; ``symbol`` is an
    emoji beside its name, ``group`` the name of its team, or of several with commas.

    >>> SeatOption("red", "Red stall", "Red", also=("scarlet",)).short
    'Red'
    """

    id: str
    name: str
    short: str
    also: tuple[str, ...] = ()
    symbol: str = ""
    group: str = ""


Shape = Literal[
    "bolt",
    "card",
    "coin",
    "crate",
    "flag",
    "globe",
    "satellite",
    "scroll",
    "shard",
    "ship",
    "target",
    "urn",
]
"""The shapes of icons; `bot.show.pictures.icons` draws them."""


class Icon(NamedTuple):
    """The icon of a kind of goods, with a similar Unicode symbol as fallback.

    The name has at most 32 letters, digits and underscores and begins with the game's id:
    ``ti4_trade_good``. The icon is drawn as ``shape`` in ``colour`` (``#rrggbb``); a card has a few
    ``letters`` on it. Without a shape, only the symbol is used.

    >>> Icon("bazaar_silk", "🧵", "scroll", "#ff99cc").symbol
    '🧵'
    """

    name: str
    symbol: str
    shape: Shape | None = None
    colour: str = "#b6bdca"
    letters: str = ""


class Suggestion(NamedTuple):
    """A component as autocomplete writes it, in the singular (``one``) and the plural
    (``several``).

    ``several`` is empty for a component without a number. ``most`` is the highest number that makes
    sense, ``usual`` the number suggested before one is typed. ``step``: one of it is written as
    this number: with a step of 10, three notes of 10 thousand are ``30 thousand``. ``also`` has
    other words for the component. ``uncommon``: it is suggested only once somebody begins to type
    it. ``offered``: an offer may name it; otherwise it can only be handed over. The words may have
    markup.

    >>> silk = Suggestion("silk", one="bale of silk", several="bales of silk", most=5)
    >>> silk.usual
    1
    """

    token: str
    one: str
    several: str = ""
    most: int = 1
    usual: int = 1
    also: tuple[str, ...] = ()
    uncommon: bool = False
    offered: bool = True
    step: int = 1


class Proposal(NamedTuple):
    """An offer that a player can post with one tap. The label may have markup for names.

    ``unasked``: so usual that it is proposed before a partner is chosen, and beside the player's
    goods.

    >>> Proposal("A silk for a spice", give=Goods({"silk": 1}), want=Goods({"spice": 1})).label
    'A silk for a spice'
    """

    label: str
    give: Goods
    want: Goods
    unasked: bool = False


def option(name: str, value: str) -> str:
    """Return an option of a slash command as plays write it.

    >>> option("reason", "a slip")
    'reason:"a slip"'
    """
    return f'{name}:"{" ".join(value.split()).replace(chr(34), chr(39)).replace(chr(92), "")}"'


# ---------------------------------------------------------------- capabilities of every game


@frozen_by_name
class Seats:
    """The seats of a game.

    >>> seats: Seats = GAME.seats
    >>> seats.find("RED").name
    'Red stall'
    """

    every: Callable[[], Sequence[SeatOption]]
    """Every seat that can be taken, in display order."""

    find: Callable[[str], SeatOption | None]
    """The seat meant by an id, name or short name."""

    start: Callable[[str, TableSettings], Goods]
    """The starting goods of a seat, at a table with these settings."""

    offered: Callable[[TableSettings], Collection[str]] | None = None
    """The ids of the seats that a table with these settings plays with; None for all of
    ``every``.
    """

    barred: Callable[[Table, str], Refused | None] = lambda table, seat: None
    """Why nobody can take this seat at this table, even if it is empty; None if it can be taken."""

    most: int | None = None
    """The most players; None for as many as there are seats."""


@frozen_by_name
class GoodsLanguage:
    """How goods are written and described.

    >>> language: GoodsLanguage = GAME.goods
    >>> language.describe(language.read("two silk", ("red",), None, {}))
    '2 silk'
    """

    read: Callable[[str, Collection[str], str | None, Mapping[str, str]], Goods]
    """Parse the shorthand. Arguments: the text, the seats at the table, the giving seat (None:
    any), and a mapping from lower-case names to seats. Raises `Refused` without a rule, with the
    nearest text that it would understand."""

    describe: Callable[[Goods], str]
    """Goods in words, as on a card: ``3 trade goods, Sol's Ceasefire<beside:sol>``."""

    describe_holdings: Callable[[SeatView], list[str]]
    """The holdings of a seat that the view shows, one kind on each line."""

    suggest: Callable[[SeatView, Goods], Sequence[Suggestion]]
    """Autocomplete's suggestions of goods that this seat could give, beside those written already.
    If the view does not show a hidden hand, these are what anybody might guess."""

    cards: Callable[[SeatView], Goods]
    """The single cards that this seat could give. For a hidden hand that the view does not show,
    every card that could be in it."""

    unlisted: str = ""
    """The description of the text field beside a list of cards; empty to describe what the seat
    holds.
    """

    any_name: tuple[str, ...] = ()
    """The kinds of goods whose name can be anything that a player writes."""

    read_here: Callable[[TableView, str, str | None, Mapping[str, str]], Goods] | None = None
    """Parse the shorthand as ``read``, by what a view shows of the table: its expansions, what the
    giving seat holds. None for ``read``."""

    can_be_held: Callable[[Goods], bool] = lambda goods: True
    """Whether a seat can hold these goods; some can only stand in offers."""

    every: Callable[[TableView], Sequence[Suggestion]] = lambda view: ()
    """Autocomplete's suggestions when a seat could have anything: goods that are gained, set or not
    counted.
    """

    short: Callable[[Goods], str] | None = None
    """Like ``describe``, but as short as people write it, for lists."""

    words: Mapping[str, str] = field(default_factory=dict)
    """The shortest words for components that are all alike, such as ``tg``, for buttons and the
    board.
    """

    to_giver: Callable[[Goods], Goods] = lambda goods: goods
    """What a seat gives, as an offer tells it to that seat alone: *of your choice*."""

    listed: Callable[[Goods], Sequence[str]] = sorted
    """The components of goods in the order of ``describe``."""

    icon: Callable[[str], Icon | None] = lambda token: None
    """The icon of a component, the same for all components of a kind; None for none."""

    icons: Collection[Icon] = ()
    """All icons that ``icon`` can return."""

    def describe_card(self, token: str) -> str:
        """Return the name of one component, for a list to pick from: ``Salt``."""
        return self.describe(Goods({token: 1})).removeprefix("1 ")

    def describe_short(self, goods: Goods) -> str:
        """Return goods in words, in the short form if the game has one."""
        return (self.short or self.describe)(goods)

    def describe_shortest(self, token: str, count: int) -> str:
        """Return a number of one component in the fewest words: ``2 tg``."""
        return (
            f"{count} {self.words[token]}"
            if token in self.words
            else self.describe_short(Goods({token: count}))
        )


class Moves(NamedTuple):
    """Changes of holdings outside of trade: public, hidden, and the number of hidden cards that
    were named.

    ``after``: what then lies open, where that differs from the open goods that were named.

    >>> Moves({"red": Change(gained=Goods({"silk": 1}))}).hidden
    {}
    """

    changes: dict[str, Change]
    hidden: dict[str, Change] = {}  # noqa: RUF012  (never changed)
    hidden_named: int = 0
    after: Goods | None = None


@frozen_by_name
class Holdings:
    """How holdings change outside of trade. ``gain``, ``spend`` and ``correct`` raise `Refused` for
    illegal changes.

    >>> holdings: Holdings = GAME.holdings
    >>> holdings.gain(table, "red", Goods({"silk": 1})).changes["red"].gained
    Goods({'silk': 1})
    """

    gain: Callable[[Table, str, Goods], Moves]
    spend: Callable[[Table, str, Goods], Moves]
    correct: Callable[[Table, str, Goods], Moves]
    """Return the changes that leave this seat with exactly these goods."""

    gains: Callable[[str], bool] = lambda token: True
    spends: Callable[[str], bool] = lambda token: True
    """Whether this component can ever be gained, or spent. Autocomplete suggests only those."""

    buttons: Callable[[TableView], Sequence[Sequence[LabelledAction]]] = lambda view: ()
    """The buttons under the viewer's own goods, by which they change, in rows."""


@frozen
class Trade:
    """A possible transaction between two seats. ``second`` is empty while nobody has accepted.

    ``first_says`` and ``second_says`` are the words of both sides; see `bot.rules.model.debts`.

    >>> trade = Trade("red", "green", Goods({"silk": 1}), Goods({"spice": 1}))
    >>> trade.gives("green"), trade.other("green")
    (Goods({'spice': 1}), 'red')
    """

    first: str
    second: str
    first_gives: Goods
    second_gives: Goods
    first_says: Goods = NOTHING
    second_says: Goods = NOTHING

    @property
    def only_says(self) -> bool:
        """Whether nothing moves: its sides only owe, so it is a deal."""
        return bool(self.first_says or self.second_says) and not (
            self.first_gives or self.second_gives
        )

    def gives(self, seat: str) -> Goods:
        """Return what this seat gives."""
        return self.first_gives if seat == self.first else self.second_gives

    def other(self, seat: str) -> str:
        """Return the seat on the other side."""
        return self.second if seat == self.first else self.first

    def giving(self, seat: str, goods: Goods) -> Trade:
        """Return the trade in which this seat gives these goods."""
        first, second = (
            (goods, self.second_gives) if seat == self.first else (self.first_gives, goods)
        )
        return Trade(self.first, self.second, first, second, self.first_says, self.second_says)


@frozen
class Settlement:
    """The effects of a trade that resolves: public changes, changes that only the parties see, and
    permits it uses up.

    ``counts``: it uses up the one trade of this pair in this window, in games with that limit.

    >>> GAME.trade.settle(table, Trade("red", "green", Goods({"silk": 1}), NOTHING)) == Settlement(
    ...     {
    ...         "red": Change(lost=Goods({"silk": 1})),
    ...         "green": Change(gained=Goods({"silk": 1})),
    ...     },
    ...     hidden={},
    ... )
    True
    """

    changes: dict[str, Change]
    hidden: dict[str, Change]
    permits: tuple[int, ...] = ()
    counts: bool = True


class GiversChoice(NamedTuple):
    """The choice of a seat that leaves open what it gives: a question, its rule, and the
    ``options`` by token.

    Each option is all that the seat then gives.

    >>> GiversChoice("Which card do you give?", "1", {"silk": Goods({"silk": 1})}).rule
    '1'
    """

    question: str
    rule: str
    options: Mapping[str, Goods]


@frozen_by_name
class TradeRules:
    """Which trades are legal, and what a trade does.

    ``pairwise``: some pairs can trade while others can't. ``private_offers``: only the parties see
    what an offer to one seat contains. ``offers_end``: offers end with the window in which they
    were made.

    >>> rules: TradeRules = GAME.trade
    >>> rules.violations(table, Trade("red", "green", Goods({"silk": 9}), NOTHING))[0].rule
    '1'
    """

    violations: Callable[[Table, Trade], list[Violation]]
    """Everything that forbids this trade now, most important first; empty if it is legal."""

    settle: Callable[[Table, Trade], Settlement]

    neighbors: Callable[[Table, str, str], bool] = lambda table, first, second: False
    """Whether two seats are neighbours on the board, in games where that matters."""

    choice: Callable[[Table, str, Goods], GiversChoice | None] = lambda table, seat, gives: None
    """The choice of a seat when it agrees last, where the offer leaves open what it gives; None for
    nothing.
    """

    pairwise: bool = True
    private_offers: bool = False
    offers_end: bool = False


@frozen_by_name
class Commands:
    """A game's additions to the commands of the core.

    >>> Commands(board=lambda table: BoardView(("Trade!",))).board(table).lines
    ('Trade!',)
    """

    board: Callable[[Table], BoardView]
    """The table's board, the same for everybody."""

    rule_status: Callable[[Table, str], str] = lambda table, number: ""
    """The public status of the table under the rule with this number; empty for none."""

    may: Callable[[Table, Command, Caller], None] = lambda table, command, caller: None
    """Raises `Refused` for a command of the core that this game does not allow."""

    remedy: Callable[
        [Table, Violation, int, str], LabelledAction | tuple[LabelledAction, ...] | None
    ] = lambda table, violation, offer, seat: None
    """The button or buttons for this seat that cure a violation of an offer, if it names an action
    of the game.
    """

    remark: Callable[[Table, Trade], str] = lambda table, trade: ""
    """A line, from public facts, about what may follow from a trade; it stands on its offer while
    that is open.
    """

    take_back: Callable[[Table, Entry, str], LabelledAction | None] = lambda table, entry, seat: (
        None
    )
    """The button for this seat that takes back an entry it took part in, given the table right
    after it.
    """

    can_take_back: Callable[[TableSettings], bool] = lambda settings: False
    """Whether trades can be taken back at a table with these settings."""

    pair_remedy: Callable[[Table, Violation, str, str], LabelledAction | None] = (
        lambda table, violation, seat, other: None
    )
    """The button for the first seat that lets it trade with the second, whatever the goods. The
    label may have markup for names."""


# ---------------------------------------------------------------- optional capabilities


_SECRET = Violation(
    "", "What other players hold is secret.", "A host who doesn't sit at the table can look."
)


@frozen_by_name
class HiddenHands:
    """Which goods are secret. In a game without it, all goods are open.

    ``noun`` labels the count of hidden cards: ``Promissory notes``. ``counted``: everybody can see
    how many a seat holds. ``nothing_open``: everything a seat holds is hidden. ``secret`` tells
    others why they may not look.

    >>> hands = HiddenHands(
    ...     open=lambda goods: NOTHING, redact=lambda goods: NOTHING,
    ...     self_reportable=lambda goods: NOTHING, wealth=lambda goods: NOTHING,
    ...     noun="Sealed crates", nothing_open=True,
    ... )
    >>> hands.open(Goods({"silk": 2}))
    Goods({})
    """

    open: Callable[[Goods], Goods]
    """The part that everybody at the table can see."""

    redact: Callable[[Goods], Goods]
    """These goods as everybody may read them, with secret cards made anonymous."""

    self_reportable: Callable[[Goods], Goods]
    """The part that a player may declare alone: open goods, because the others see them and would
    object.
    """

    wealth: Callable[[Goods], Goods]
    """The part that the wealth picture counts. None of it is secret."""

    audited: Callable[[TableView], Sequence[str]] = lambda view: ()
    """What hidden goods are against the rules, as lines for an audit by somebody who sees all hands
    and does not play. Nobody else is told, and nothing is refused for it.
    """

    noun: str = "Hidden cards"
    counted: bool = False
    nothing_open: bool = False
    secret: Violation = _SECRET


@frozen_by_name
class Debts:
    """Debts that are counted, in a game with open counted goods. It lists `COUNTED_DEBTS` among its
    features.

    ``token`` is the component that is owed, ``example`` how one writes some. ``one_trade`` says
    what paying uses up.

    >>> debts = Debts(token="silk", example="2 silk", worth=lambda goods: goods.count("silk"))
    >>> debts.worth(Goods({"silk": 3}))
    3
    """

    token: str
    example: str
    worth: Callable[[Goods], int]
    """How much of a debt these goods pay."""

    one_trade: str = ""


class Outlook(NamedTuple):
    """A trade's effect on a hand: in one line, and by what it depends on.

    >>> Outlook("Sets **9 → 12 to 20**", "20 if you give hides, 12 if you give salt.").line
    'Sets **9 → 12 to 20**'
    """

    line: str
    details: str = ""


@frozen_by_name
class Exchange:
    """Handing over goods as a separate step: each side hands over its part, sealed until both have.

    Until then no check looks at the other side's hand, so that no refusal reveals it.

    >>> Exchange(
    ...     hand=lambda table, seat: table.seats[seat].holdings, named=lambda promised: promised,
    ...     why_not=lambda table, seat, promised, given: None,
    ... ).hand(table, "red")
    Goods({'silk': 2})
    """

    hand: Callable[[Table, str], Goods]
    """The goods that this seat could hand over."""

    named: Callable[[Goods], Goods]
    """The part of a promise that must be among the goods handed over."""

    why_not: Callable[[Table, str, Goods, Goods], Violation | None]
    """Why this seat can't fulfil its promise (the third argument) with these goods (the fourth);
    None if it can.
    """

    outlook: Callable[[Goods, Goods, Goods, Goods | None], Outlook | None] = (
        lambda hand, gives, gets, handed: None
    )
    """What a trade would do to a hand (first) that gives the second and gets the third, for its
    owner. The fourth is what is handed over; None while it is open which cards stand for those that
    the promise does not name."""

    opens: Callable[[Table, Offer], bool] = lambda table, offer: not offer.give
    """Whether an offer only opens talks: it is answered with another offer, since it leaves open
    what is traded.
    """

    cost: Callable[[Goods, Goods], str] = lambda hand, given: ""
    """The loss of a hand (first) without these goods (second), in a few words for its owner; empty
    for nothing.
    """

    gain: Callable[[Goods, Goods], str] = lambda hand, got: ""
    """The gain of a hand (first) with these goods (second), in a few words for its owner; empty for
    nothing.
    """

    likely: Callable[[Goods, Goods, Goods], Goods | None] = lambda hand, gives, gets: None
    """The goods that the owner of a hand (first) most likely hands over for this promise (second),
    for which they get the third: all that it takes, the named ones among them. None if the hand
    can't keep the promise."""

    one_of: Callable[[Goods], Goods] = lambda goods: goods
    """A wish for one kind of these goods, as the game writes a choice."""

    promise: Callable[[Goods, Goods], Goods] = lambda cards, said: cards
    """What an offer says of cards that its poster picked to give: the second are those to name, and
    claims about the others. With none to name, it says as little as it may. The result is completed
    to one side of a trade."""

    wish: Callable[[Goods], Goods] = lambda goods: goods
    """What an offer wants, completed to one side of a trade."""

    in_short: str = ""
    """What each side of a trade must be, in a sentence with its rule, for a player who begins an
    offer.
    """

    to_name: Callable[[Goods], int] = lambda goods: 0
    """How many more cards this side of an offer must name before both can agree."""


class Preview(NamedTuple):
    """The effects of a command, in lines that everybody may read, and the button that does it.

    >>> Preview(("Red is out.",), button("Out", table, SetPhase("market"))).button.label
    'Out'
    """

    lines: tuple[str, ...]
    button: LabelledAction


@frozen_by_name
class Departures:
    """Seats that leave the game for good, or become another seat. A preview shows the result; its
    button does it.

    Previews rest only on public knowledge, so that they reveal no hand. ``eliminate`` and
    ``change`` raise `Refused` if it can't be done.

    >>> out = button("Out", table, SetPhase("market"))
    >>> Departures(
    ...     eliminate=lambda view, seat: Preview(("Red is out.",), out),
    ...     change=lambda view, seat: Preview((), out),
    ...     changeable=lambda view: [],
    ... ).eliminate(view, "red").lines
    ('Red is out.',)
    """

    eliminate: Callable[[TableView, str], Preview]
    """Preview the elimination of this seat."""

    change: Callable[[TableView, str], Preview]
    """Preview how a seat becomes another. The text names the seat as it is now or as it will be."""

    changeable: Callable[[TableView], Sequence[SeatOption]]
    """The seats that can become another seat now."""


@frozen_by_name
class Setup:
    """How to set up a table before play begins. Without it, the set-up asks for seats and goods
    until the first offer.

    ``shown_kinds`` are the game's kinds of entry that the steps show, so the channel needs no
    separate line about them.

    >>> Setup(begun=lambda table: table.window.number > 0, steps=lambda table: ()).begun(table)
    False
    """

    begun: Callable[[Table], bool]
    """Whether play has begun. That ends the set-up."""

    steps: Callable[[Table], Sequence[StepView]]
    """The game's steps, in order, after the step for seats."""

    first: Callable[[Table], Sequence[StepView]] = lambda table: ()
    """The game's steps before the step for seats."""

    goods: bool = True
    """Whether the core adds a step for the starting goods."""

    around: Callable[[tuple[str, ...]], Command] | None = None
    """The command that says how the players sit round the table, if that matters."""

    seated: Callable[[Table], Sequence[str]] = Table.seated
    """The taken seats in the order in which the same people sit when they play again."""

    shown_kinds: tuple[type[Entry], ...] = ()


@frozen_by_name
class Clock:
    """The game's own deadlines. Times are in milliseconds since 1970.

    >>> Clock(deadline=lambda table: None, tick=lambda table, at: ()).deadline(table) is None
    True
    """

    deadline: Callable[[Table], int | None]
    tick: Callable[[Table, int], Iterable[Entry]]
    """The entries that are due at this time."""


@frozen_by_name
class Chance:
    """Randomness that can be verified afterwards.

    >>> class Dealt(SeedCommitted):
    ...     kind = "bazaar.seed"
    >>> Chance(commit=Dealt.to, verify=lambda table, entry: "").commit("lamp").kind
    'bazaar.seed'
    """

    commit: Callable[[str], Entry]
    """The entry that commits to this secret before anybody sits. Later shuffles must follow from
    it.
    """

    verify: Callable[[Table, Entry], str]
    """What is wrong with the randomness of this entry, given the table before it; empty for
    nothing.
    """


@frozen_by_name
class Variants:
    """Tables that play a game in their own way, each by a text: other seats, goods, phases, rules.

    >>> Variants(
    ...     of=lambda table: "", game=lambda text: GAME, begun=lambda text: SetPhase("market")
    ... ).of(table)
    ''
    """

    of: Callable[[Table], str]
    """The text of this table; empty for the game as it is. The same for all viewers."""

    game: Callable[[str], Game]
    """The game by this text, which is never empty. Called once for each text; the features stay
    those of the game.
    """

    begun: Callable[[str], Entry]
    """The entry by which a table that repeats another one plays its text."""


@frozen_by_name
class Game:
    """A game: facts, the capabilities every game has, and those only some have.

    ``api`` is the version of `bot.api` that the game was made for, written as a number; see `API`.
    ``version`` is that of the game's package: Bourse fills it in. ``features`` are its own deeds
    and rules: state, commands, entries and buttons. ``order`` returns the command that sets the
    order of play, first seat first. ``matches`` finds offers to all that match, to tell their
    posters: whether one wants (first) what another gives (second); true as third argument: both
    offers name both sides. ``match_keys`` makes that quick: goods match only if they have a key in
    common; without it, all are compared. ``proposals`` returns what the viewer could offer a seat
    (None: everybody) with one tap, the most likely first, as far as they may know; the core adds
    their last trade and what that seat asks for.

    >>> isinstance(GAME, Game), GAME.info.name, GAME.api
    (True, 'Bazaar', 1)
    """

    api: int
    info: GameInfo
    seats: Seats
    goods: GoodsLanguage
    holdings: Holdings
    trade: TradeRules
    commands: Commands
    features: Features = field(default_factory=Features)
    hidden: HiddenHands | None = None
    exchange: Exchange | None = None
    debts: Debts | None = None
    departures: Departures | None = None
    order: Callable[[tuple[str, ...]], Command] | None = None
    setup: Setup | None = None
    matches: Callable[[Goods, Goods, bool], bool] | None = None
    match_keys: Callable[[Goods], Collection[Hashable]] = lambda goods: (None,)
    proposals: Callable[[TableView, str | None], Sequence[Proposal]] = lambda view, partner: ()
    prices: Callable[[Goods], Sequence[Goods]] = lambda wanted: ()
    """What somebody who wants these goods likely gives for them, the likeliest first. The core
    leaves out what does not lie open before them, and adds as many of what does."""
    worth: Callable[[Goods], int] = Goods.total
    """What goods are worth together, roughly: the answers to a wish are listed by it."""
    clock: Clock | None = None
    chance: Chance | None = None
    public: Callable[[Table], Any] = lambda table: None
    """What everybody may know of the game's own state, as a value that cogs find in
    `TableView.public`: a map to draw, what lies open. It is the same for all viewers, so nothing
    secret may be in it."""
    draw: Callable[[Any], bytes] | None = None
    """The picture on the board, drawn from what ``public`` returns, as a PNG. It is called in a
    thread, when a board is sent or edited. `BoardView.pictured` says in words what it shows."""
    words: Callable[[Table], Mapping[str, str]] = lambda table: {}
    """The table's own words for things: what lot 7 is called since somebody built there. Wherever
    the game writes ``<word:lot-7>`` (in goods, sentences, boards, labels), people read the word. It
    is the same for all viewers."""
    variants: Variants | None = None
    version: str = ""

    def open_goods(self, goods: Goods) -> Goods:
        """Return the part of these goods that everybody can see."""
        return self.hidden.open(goods) if self.hidden else goods

    def redact(self, goods: Goods) -> Goods:
        """Return these goods as everybody may read them."""
        goods = without_private(goods) if self.debts else goods
        return self.hidden.redact(goods) if self.hidden else goods

    def self_reportable(self, goods: Goods) -> Goods:
        """Return the part of these goods that a player may declare to have."""
        return self.hidden.self_reportable(goods) if self.hidden else goods

    def wealth(self, goods: Goods) -> Goods:
        """Return the part of these goods that the wealth picture counts."""
        return self.hidden.wealth(goods) if self.hidden else goods
