"""Everything that a game imports, as one flat namespace, with a version: `API`.

The two games that ship with Bourse import nothing else from the core, and the core does not import
this module. Games that draw or shuffle cards also import `bot.api.chance`, those that draw a
picture `bot.api.pictures`, and a game's slash commands `bot.api.discord`.

Each name has an example in its docstring, and the tests run it. In the examples, ``table`` plays
the bazaar of docs/games.md. ``caller`` hosts it and sits in the seat ``red``, with 2 silk;
``green`` has a spice and is offered a silk for it, by offer 1. ``view`` is the table as the caller
sees it. ``dealt`` is a table that has committed to chance.
"""

from __future__ import annotations

from bot.rules.access import (
    is_host,
    own_seat,
    require_host,
    require_seat_or_host,
    require_since,
    require_tracked,
    seat_meant,
    taken_seat,
)
from bot.rules.agreements import Agreements
from bot.rules.apply import replay
from bot.rules.commands import Caller, Command, Press, button
from bot.rules.course import Course
from bot.rules.entries import Call, Entry, Reads, Reference, Sealed, Upgrade, reference
from bot.rules.feature import Apply, Feature, Features, SettingOption
from bot.rules.features.deals import DealProposed, MarkDeal
from bot.rules.features.deals import voided as void_deals
from bot.rules.features.holdings import (
    Corrected,
    Gain,
    Gained,
    GoodsMoved,
    GoodsOfSeat,
    SetHoldings,
    Spend,
    Spent,
)
from bot.rules.features.house_rules import WriteRule
from bot.rules.features.negotiations import closed as close_negotiations
from bot.rules.features.offers.debts import COUNTED_DEBTS, OpenDebts
from bot.rules.features.offers.entries import (
    OfferEntry,
    OfferPosted,
    OfferResumed,
    OfferVoided,
    Signed,
    Transaction,
    with_window,
)
from bot.rules.features.offers.entries import voided as void_offers
from bot.rules.features.offers.signing import OfferCommand
from bot.rules.features.offers.state import (
    agreed_deals,
    agrees,
    forbidding,
    live_offer,
    require_party,
)
from bot.rules.features.seats import SeatLeft, SeatTaken
from bot.rules.features.tables import (
    ChangeSetting,
    ChangeSettings,
    PhaseSet,
    SetPhase,
    SettingsChanged,
    TableNamed,
)
from bot.rules.game import (
    API,
    Chance,
    Clock,
    Commands,
    Debts,
    Departures,
    Exchange,
    Game,
    GameInfo,
    GiversChoice,
    GoodsLanguage,
    HiddenHands,
    Holdings,
    Icon,
    Moves,
    Outlook,
    Preview,
    Proposal,
    SeatOption,
    Seats,
    Settlement,
    Setup,
    Suggestion,
    Trade,
    TradeRules,
    Variants,
    option,
)
from bot.rules.model.actions import Action, Choice, LabelledAction, OfferAction, SetupAction
from bot.rules.model.codec import digest_of_hand, read_picked, write_picked
from bot.rules.model.debts import OWED, PAYS, debt_word, owed
from bot.rules.model.goods import COUNT_MAX, NOTHING, Change, Goods, kind_of
from bot.rules.model.offer import Offer
from bot.rules.model.parts import StatePart, open_window, part, with_part, with_parts
from bot.rules.model.replacing import replace
from bot.rules.model.table import DEFAULT_SETTINGS, MINUTE, GameState, Seat, Table, TableSettings
from bot.rules.model.text import QUOTE_MAX, excerpt, mentions, one_line, quoted, together, unquoted
from bot.rules.model.violation import LOOKED, Outdated, Refused, Undecided, Violation
from bot.rules.model.windows import Pair, SeatId, Since, Window, pair
from bot.rules.registry import game_named
from bot.rules.rehearsals import Rehearsal, RehearsalSeat, Tap, Try
from bot.rules.shorthand import (
    NUMBER,
    NUMBER_WORDS,
    Here,
    Lexicon,
    Meaning,
    Part,
    Strange,
    goods_in,
    not_known,
    parse,
    read_count,
    refused_as_not_traded,
)
from bot.rules.views import (
    BoardView,
    EntryView,
    FollowUpView,
    MenuItem,
    NoticeView,
    PairView,
    PromptView,
    SeatView,
    StepView,
    TableView,
)
from bot.rules.vocabulary import kinds_of
from data import Rule

__all__ = [
    "API",
    "COUNTED_DEBTS",
    "COUNT_MAX",
    "DEFAULT_SETTINGS",
    "LOOKED",
    "MINUTE",
    "NOTHING",
    "NUMBER",
    "NUMBER_WORDS",
    "OWED",
    "PAYS",
    "QUOTE_MAX",
    "Action",
    "Agreements",
    "Apply",
    "BoardView",
    "Call",
    "Caller",
    "Chance",
    "Change",
    "ChangeSetting",
    "ChangeSettings",
    "Choice",
    "Clock",
    "Command",
    "Commands",
    "Corrected",
    "Course",
    "DealProposed",
    "Debts",
    "Departures",
    "Entry",
    "EntryView",
    "Exchange",
    "Feature",
    "Features",
    "FollowUpView",
    "Gain",
    "Gained",
    "Game",
    "GameInfo",
    "GameState",
    "GiversChoice",
    "Goods",
    "GoodsLanguage",
    "GoodsMoved",
    "GoodsOfSeat",
    "Here",
    "HiddenHands",
    "Holdings",
    "Icon",
    "LabelledAction",
    "Lexicon",
    "MarkDeal",
    "Meaning",
    "MenuItem",
    "Moves",
    "NoticeView",
    "Offer",
    "OfferAction",
    "OfferCommand",
    "OfferEntry",
    "OfferPosted",
    "OfferResumed",
    "OfferVoided",
    "OpenDebts",
    "Outdated",
    "Outlook",
    "Pair",
    "PairView",
    "Part",
    "PhaseSet",
    "Press",
    "Preview",
    "PromptView",
    "Proposal",
    "Reads",
    "Reference",
    "Refused",
    "Rehearsal",
    "RehearsalSeat",
    "Rule",
    "Sealed",
    "Seat",
    "SeatId",
    "SeatLeft",
    "SeatOption",
    "SeatTaken",
    "SeatView",
    "Seats",
    "SetHoldings",
    "SetPhase",
    "SettingOption",
    "SettingsChanged",
    "Settlement",
    "Setup",
    "SetupAction",
    "Signed",
    "Since",
    "Spend",
    "Spent",
    "StatePart",
    "StepView",
    "Strange",
    "Suggestion",
    "Table",
    "TableNamed",
    "TableSettings",
    "TableView",
    "Tap",
    "Trade",
    "TradeRules",
    "Transaction",
    "Try",
    "Undecided",
    "Upgrade",
    "Variants",
    "Violation",
    "Window",
    "WriteRule",
    "agreed_deals",
    "agrees",
    "button",
    "close_negotiations",
    "debt_word",
    "digest_of_hand",
    "excerpt",
    "forbidding",
    "game_named",
    "goods_in",
    "is_host",
    "kind_of",
    "kinds_of",
    "live_offer",
    "mentions",
    "not_known",
    "one_line",
    "open_window",
    "option",
    "owed",
    "own_seat",
    "pair",
    "parse",
    "part",
    "quoted",
    "read_count",
    "read_picked",
    "reference",
    "refused_as_not_traded",
    "replace",
    "replay",
    "require_host",
    "require_party",
    "require_seat_or_host",
    "require_since",
    "require_tracked",
    "seat_meant",
    "taken_seat",
    "together",
    "unquoted",
    "void_deals",
    "void_offers",
    "with_part",
    "with_parts",
    "with_window",
    "write_picked",
]
