"""Tests of the checks of a game when it is loaded: one that fails affects no other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import pytest
from pydantic import PlainSerializer

from bot.cli.games import list_games
from bot.games.ti4 import GAME as TI4
from bot.rules.agreements import Agreements
from bot.rules.commands import Command, Press
from bot.rules.entries import Entry, Reads
from bot.rules.feature import Feature, Features, SettingOption
from bot.rules.features.tables import SetPhase
from bot.rules.game import Game, Icon
from bot.rules.game_checks import CORE_TOPICS, RESERVED_IDS, payload_faults
from bot.rules.model.actions import CORE_ACTIONS, Action, LabelledAction
from bot.rules.model.codec import Codec
from bot.rules.model.table import CORE_SETTINGS, GameState
from bot.rules.model.violation import Refused
from bot.rules.registry import (
    OWN_PACKAGE,
    BrokenGame,
    actions,
    check,
    game_named,
    games,
    installed_game,
    package_of,
)
from bot.rules.views import BoardView
from bot.rules.vocabulary import CORE as CORE_FEATURES
from bot.rules.vocabulary import NAMESPACES, entry_kinds
from bot.show import custom_ids
from bot.show.actions import PRESENTATION_ACTIONS
from cogs.help import TOPICS
from cogs.settings import CORE
from data import Rule
from tests.plugin.bazaar.bourse_bazaar import GAME, HAVE_IT
from tests.plugin.bazaar.installing import Point, installed, point

if TYPE_CHECKING:
    from decimal import Decimal

ROOT = Path(__file__).parent.parent.parent


class StallOpened(Entry):
    kind = "bazaar.stall"


class Elsewhere(Entry):
    kind = "market.stall"


class Priced(Entry):
    """Has a field whose type only a type checker knows."""

    kind = "bazaar.priced"
    price: Decimal


class Shuffled(Entry):
    """Forgets what it holds when it is written."""

    kind = "bazaar.shuffled"
    order: Annotated[tuple[str, ...], PlainSerializer(lambda order: order[:0])]


@dataclass(frozen=True, slots=True)
class Crate:
    """Holds further crates in every way in which one can."""

    wheat: int = 0
    inner: tuple[Crate, ...] = ()
    named: dict[str, Crate] = field(default_factory=dict)
    lid: Crate | None = None


class CratePacked(Entry):
    kind = "bazaar.packed"
    crate: Crate


@dataclass(frozen=True, slots=True)
class Priceless(GameState):
    """Has a field whose type only a type checker knows."""

    price: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Calls(GameState):
    """Holds what can't be written."""

    what: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class Pairs(GameState):
    """Holds what is written and can't be read."""

    debts: Mapping[tuple[str, str], int] = field(default_factory=dict)


def reading(*versions: tuple[str, int], upgrade: Any = None) -> type[Entry]:
    """A kind of entry that reads these versions."""

    class Rung(Entry):
        kind = "bazaar.rung"
        v: int = 2
        reads: ClassVar[Reads] = dict.fromkeys(versions, upgrade)

    return Rung


class Kindless(Entry):
    """Has no kind of its own."""


class Open(Action):
    name = "bazaar.open"
    seat: str
    count: int
    loud: bool
    what: Literal["silk", "spice"]


class Nameless(Action):
    pass


class Colon(Action):
    name = "bazaar.a:b"


class Listed(Action):
    name = "bazaar.listed"
    seats: tuple[str, ...]


class Perhaps(Action):
    name = "bazaar.perhaps"
    seat: str | None


class Share(Action):
    name = "bazaar.share"
    part: float


class TwoAlike(Action):
    name = "bazaar.two"
    what: Literal["1", 1]


class ColonInside(Action):
    name = "bazaar.inside"
    what: Literal["a:b"]


class Again(Action):
    name = "again"


class Stall(Action):
    name = "bazaar.stall"


class Ring(Command):
    kind = "bazaar.ring"


class RingAgain(Command):
    kind = "bazaar.ring"


STEP = LabelledAction("Next", Open(1, "red", 1, True, "silk"))
FIT = (Open, Perhaps, *CORE_ACTIONS, *PRESENTATION_ACTIONS)
UNFIT = (Nameless, Colon, Listed, Share, TwoAlike, ColonInside)


def with_(*, state: Any = GameState, entries: Any = (), actions: Any = (), **facts: Any) -> Game:
    """The sample game with a feature of its own and other facts."""
    own = Feature(entries=entries, opens=actions)
    return with_info(replace(GAME, features=Features((own,), state)), **facts)


def with_info(game: Game, **facts: Any) -> Game:
    return replace(game, info=replace(game.info, **facts))


def draws(board: Callable[[Any], BoardView], draw: Any = None) -> Game:
    """The sample game with another board and its picture."""
    return replace(GAME, commands=replace(GAME.commands, board=board), draw=draw)


def icons(*icon: Icon) -> Game:
    """The sample game with these icons."""
    return replace(GAME, goods=replace(GAME.goods, icons=icon))


def adds(
    name: str = "stalls", values: Any = ("few", "many"), description: str = "How many"
) -> Game:
    """The sample game with a setting of its own."""
    option = SettingOption(name, tuple(values), description)
    return with_(options=(option,), settings=frozenset({name}))


def refusal(game: Any, *others: Game) -> str:
    with pytest.raises(BrokenGame) as broken:
        check(game, others)
    return str(broken.value)


def test_an_entry_may_hold_what_holds_more_of_itself() -> None:
    check(with_(entries=(CratePacked,)), [])


def test_the_sample_is_sound_beside_the_games_that_ship() -> None:
    check(GAME, tuple(games().values()))
    check(adds(), ())
    stalls = with_(entries=(StallOpened,), actions=(Open,), command_groups=frozenset({"stall"}))
    check(stalls, ())


TWO_RINGS = replace(GAME, features=Features((Feature(commands=(Ring, RingAgain)),)))
STALLS = SettingOption("stalls", ("a", "b"), "Stalls")

FAULTS: dict[str, tuple[Any, str]] = {
    "another API": (
        replace(GAME, api=2),
        "it is for bot.api 2, and this Bourse has 1: install a version of one that fits the other.",
    ),
    "no game": (3, "its entry point is not a bot.api.Game."),
    "id": (
        with_(id="The Bazaar"),
        "its id “The Bazaar” should be 1 to 32 characters of a-z, 0-9, _ and -.",
    ),
    "the core's id": (with_(id="offer"), "the id offer is the core's."),
    "state": (with_(state=dict), "its state is not a subclass of GameState."),
    "entry": (with_(entries=(Rule,)), "Rule is not a subclass of Entry."),
    "kind": (
        with_(entries=(Kindless,)),
        'Kindless should say its kind, such as `kind = "bazaar.bell"`.',
    ),
    "reads another's": (
        with_(entries=(reading(("market.rung", 1)),)),
        "Rung reads ('market.rung', 1), not a kind that begins with “bazaar.” and its v.",
    ),
    "reads no version": (
        with_(entries=(reading("bazaar.rung"),)),  # type: ignore[arg-type]
        "Rung reads 'bazaar.rung', not a kind that begins with “bazaar.” and its v.",
    ),
    "reads what is written today": (
        with_(entries=(reading(("bazaar.rung", 2)),)),
        "Rung reads bazaar.rung (version 2), which Rung does already.",
    ),
    "two read one": (
        with_(entries=(StallOpened, reading(("bazaar.stall", 1)))),
        "Rung reads bazaar.stall (version 1), which StallOpened does already.",
    ),
    "an upgrade that is none": (
        with_(entries=(reading(("bazaar.rung", 1), upgrade="times"),)),
        "Rung reads bazaar.rung (version 1) with something that is not a function.",
    ),
    "own phases": (
        with_(own_phases=frozenset({"night"})),
        "night is among its own_phases, and not among its phases.",
    ),
    "titles of phases": (
        with_(phase_titles={"night": "At night"}),
        "night is among its phase_titles, and not among its phases.",
    ),
    "type checkers only": (
        with_(entries=(Priced,)),
        "Priced has a field of a type that is known to type checkers only: import Decimal.",
    ),
    "a state for type checkers only": (
        with_(state=Priceless),
        "Priceless has a field of a type that is known to type checkers only: import Decimal.",
    ),
    "a callable in a state": (
        with_(state=Calls),
        "Calls has a field that can't be written to the ledger: Cannot",
    ),
    "a key of two in a state": (
        with_(state=Pairs),
        "Pairs can't be read from the ledger: ('debts',",
    ),
    "written otherwise": (
        with_(entries=(Shuffled,)),
        "Shuffled is not the same when it was written and read again.",
    ),
    "no seat": (
        replace(GAME, seats=replace(GAME.seats, every=lambda: ("red",))),  # type: ignore[arg-type,return-value]
        "its seat 'red' is not a SeatOption that can be found by its id.",
    ),
    "a seat of another id": (
        replace(GAME, seats=replace(GAME.seats, find=lambda text: None)),
        "its seat SeatOption(id='red', ",
    ),
    "four buttons": (
        draws(lambda table: BoardView((), buttons=(STEP,) * 4)),
        "its board has 4 buttons for next steps, and there is room for 3: use the menu.",
    ),
    "a picture in words only": (
        draws(lambda table: BoardView((), pictured="Three stalls.")),
        "its board says what a picture shows (Three stalls.), and nothing draws it: see `draw`.",
    ),
    "no PNG": (
        draws(lambda table: BoardView((), pictured="Three stalls."), lambda public: b"<svg>"),
        "what draws the picture on its board returns no PNG.",
    ),
    "no board": (
        draws(lambda table: BoardView((str(1 // len(table.offers)),))),
        "it can't be checked (ZeroDivisionError: ",
    ),
    "outside": (with_(entries=(Elsewhere,)), "market.stall should begin with “bazaar.”."),
    "twice": (
        with_(entries=(StallOpened, StallOpened)),
        "two of its entries or actions have one name.",
    ),
    "an action outside": (with_(actions=(Again,)), "again should begin with “bazaar.”."),
    "an entry and an action of one name": (
        with_(entries=(StallOpened,), actions=(Stall,)),
        "two of its entries or actions have one name.",
    ),
    "no action": (with_(actions=(Rule,)), "Rule is not a subclass of Action."),
    "nameless": (with_(actions=(Nameless,)), "Nameless needs a name without a colon, not “”."),
    "field": (
        with_(actions=(Listed,)),
        "Listed.seats is neither int, str, bool nor Literal, nor one of them or None.",
    ),
    "group": (
        with_(command_groups=frozenset({"Stall"})),
        "the command group “Stall” should be 1 to 32 characters",
    ),
    "core group": (
        with_(command_groups=frozenset({"offer"})),
        "the command group /offer is the core's.",
    ),
    "no phases": (with_(phases=()), "it has no phases."),
    "empty phase": (
        with_(phases=("",)),
        "its phases should be distinct texts of 1 to 100 characters.",
    ),
    "same phase": (
        with_(phases=("a", "a")),
        "its phases should be distinct texts of 1 to 100 characters.",
    ),
    "core setting": (adds("timer"), "the setting timer is the core's."),
    "hyphen": (
        adds("a-b"),
        "the setting “a-b” should be 1 to 32 characters of a-z, 0-9 and _, and a name in Python.",
    ),
    "keyword": (adds("class"), "the setting “class” should be 1 to 32 characters"),
    "parameter": (adds("self"), "the setting “self” should be 1 to 32 characters"),
    "long setting": (adds("a" * 33), f"the setting “{'a' * 33}” should be 1 to 32 characters"),
    "no description": (
        adds(description=""),
        "the description of the setting stalls should have 1 to 100 characters.",
    ),
    "long description": (
        adds(description="a" * 101),
        "the description of the setting stalls should have 1 to 100",
    ),
    "one value": (
        adds(values=["a"]),
        "the setting stalls should have 2 to 25 distinct values of 1 to 100 characters.",
    ),
    "26 values": (
        adds(values=map(str, range(26))),
        "the setting stalls should have 2 to 25 distinct values",
    ),
    "same value": (
        adds(values=["a", "a"]),
        "the setting stalls should have 2 to 25 distinct values",
    ),
    "unknown setting": (
        with_(settings=frozenset({"stalls"})),
        "the setting stalls is neither the core's nor one that it adds.",
    ),
    "twice set": (
        with_(options=(STALLS, STALLS)),
        "it adds the setting stalls twice.",
    ),
    "too many": (
        with_(options=[STALLS._replace(name=f"s{number}") for number in range(20)]),
        "/table settings would have more than 25 options.",
    ),
    "help": (with_(help={}), "its help has no topic “start”."),
    "help without a heading": (
        with_(help={"start": "\nSit down."}),
        "the topics of its help, and their first lines, should have 1 to 100 characters.",
    ),
    "topics": (
        with_(help={"start": "Sit."} | dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "Stand.")),
        "/help would have more than 25 topics.",
    ),
    "no name": (with_(name=""), "its name should be a text of 1 to 100 characters."),
    "two commands of one kind": (
        TWO_RINGS,
        "RingAgain and Ring are both named bazaar.ring.",
    ),
    "another's icon": (
        icons(Icon("ti4_note", "🧵")),
        "an icon should be an Icon with a name of 2 to 32 characters of a-z, 0-9 and _, after "
        "“bazaar_”.",
    ),
    "no shape": (
        icons(Icon("bazaar_silk", "🧵", "ball")),  # type: ignore[arg-type]
        "the icon bazaar_silk has no shape or colour that can be drawn (ball, #b6bdca).",
    ),
    "agreements": (
        with_(agreements=Agreements(terms_hint="")),
        "its agreements should be Agreements with a hint for terms of 1 to 100 characters.",
    ),
    "deals that bind": (
        with_(agreements=Agreements(deals_bind=True)),
        "its deals bind, and its agreements don't say so: the text for one that binds, and why it "
        "must be kept.",
    ),
    "rulebook": (
        with_(rulebook=lambda: {"1": "Have it"}),
        "its rulebook is not a mapping from numbers to Rules.",
    ),
    "rule number": (
        with_(rulebook=lambda: {"2": HAVE_IT}),
        "its rulebook is not a mapping from numbers to Rules.",
    ),
    "no rulebook": (
        with_(rulebook=lambda: int("one")),
        "it can't be checked (ValueError: invalid literal for int() ",
    ),
}


def test_each_fault_is_one_sentence(subtests: pytest.Subtests) -> None:
    for case, (game, sentence) in FAULTS.items():
        with subtests.test(case):
            told = refusal(game)
            assert told.startswith(sentence)
            assert told.endswith(".")
            assert "\n" not in told


def test_games_do_not_take_each_other_s_names() -> None:
    first = with_(command_groups=frozenset({"stall"}))
    assert refusal(GAME, first) == "the id bazaar is taken by the game bazaar."
    same_name = with_info(first, id="market")
    loud = with_info(first, name="BAZAAR")
    assert refusal(loud, same_name) == "the name “BAZAAR” is taken by the game market."
    same_group = with_info(first, id="market", name="Market")
    assert refusal(first, same_group) == "the command group /stall is taken by the game market."


CLAIMS: dict[str, tuple[Game, str]] = {
    "the id": (with_(id="ti4", name="Trade Imperium"), "the id ti4 is taken by ti4 of bourse-bot."),
    "a command group": (
        with_(command_groups=frozenset({"turn"})),
        "the command group /turn is taken by ti4 of bourse-bot.",
    ),
    "the name": (
        with_(name="Twilight imperium 4"),
        "the name “Twilight imperium 4” is taken by ti4 of bourse-bot.",
    ),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_our_games_have_a_package_from_outside_can_not_claim(
    claim: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Though its name stands before theirs in the alphabet. Its own package is named."""
    game, told = CLAIMS[claim]
    trick = point(game, version="2", package="a-trick")
    with installed(trick, point(TI4, version="1", package=OWN_PACKAGE)):
        assert {id: package_of(id) for id in games()} == {"ti4": OWN_PACKAGE}
        assert games()["ti4"].info.help is TI4.info.help
    assert caplog.messages == [f"the game {game.info.id} of a-trick 2 is left out: {told}"]


def test_two_commands_of_one_kind_leave_out_their_game_and_every_other_draws_its_buttons() -> None:
    with installed(point(TWO_RINGS), point(TI4, version="1", package=OWN_PACKAGE)):
        assert list(games()) == ["ti4"]
        assert custom_ids.encode(Press(1, SetPhase("action"))) == "do:1:table.phase:action:"


def test_a_setting_of_two_games_has_no_more_values_than_a_command_can_offer() -> None:
    first = adds(values=[f"a{number}" for number in range(20)])
    second = adds(values=[f"b{number}" for number in range(20)])
    other = with_info(second, id="market", name="Market")
    fault = "the setting stalls would have more than 25 values with those of other games."
    assert refusal(first, other) == fault


# ---------------------------------------------------------------- what the checks take for granted


def test_the_checks_know_what_is_the_core_s() -> None:
    names = [action.name for action in (*CORE_ACTIONS, *PRESENTATION_ACTIONS)]
    names += [kind.kind for kind in CORE_FEATURES.commands if kind.kind]
    prefixes = {name.partition(".")[0] for name in names if "." in name}
    assert prefixes | NAMESPACES == RESERVED_IDS
    assert {*CORE, "open_on_close"} == {*CORE_SETTINGS}
    assert {*TOPICS} == CORE_TOPICS


def test_buttons_hold_the_core_s_commands() -> None:
    for kind in CORE_FEATURES.commands:
        if kind.kind:
            assert [*payload_faults(kind)] == []


def test_which_actions_can_be_written(subtests: pytest.Subtests) -> None:
    for kind in [*FIT, *UNFIT]:
        with subtests.test(kind.__name__):
            if kind in FIT:
                assert {*Codec([kind]).kinds.values()} == {kind}
            else:
                with pytest.raises(ValueError, match=kind.__name__):
                    Codec([kind])


# ---------------------------------------------------------------- loading


def fails(error: Exception) -> Callable[[], Any]:
    def load() -> Any:
        raise error

    return load


BROKEN = {
    "raises": (
        Point("bad", fails(ImportError("No module\nnamed 'silk'"))),
        "the game bad is left out: it can't be loaded (ImportError: No module named 'silk').",
    ),
    "is none": (
        Point("bad", lambda: None),
        "the game bad is left out: its entry point is not a bot.api.Game.",
    ),
    "has a fault": (
        point(with_(id="bad", phases=())),
        "the game bad is left out: it has no phases.",
    ),
    "is called otherwise": (
        point(GAME, "bad"),
        "the game bad is left out: its entry point should be called bazaar, as the game is.",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_package_is_one_line_in_the_log_and_the_others_run_on(
    case: str, caplog: pytest.LogCaptureFixture
) -> None:
    broken, line = BROKEN[case]
    with installed(broken, point(GAME)), caplog.at_level(logging.INFO):
        assert list(games()) == ["bazaar"]
    [record] = caplog.records
    assert caplog.messages == [line]
    assert record.exc_info is None


def test_of_two_games_of_one_id_the_first_is_taken(caplog: pytest.LogCaptureFixture) -> None:
    with installed(point(GAME), point(with_(name="Another"))):
        assert [game.info.name for game in games().values()] == ["Bazaar"]
    assert caplog.messages == [
        "the game bazaar is left out: the id bazaar is taken by the game bazaar."
    ]


def test_other_packages_are_asked_at_each_start_if_they_can_be_stored_and_ours_on_request() -> None:
    forgetful, lines = with_(entries=(Shuffled,)), list[str]()
    with installed(point(forgetful, version="1", package="bourse-bazaar")):
        assert list(games()) == []
    with installed(point(forgetful, version="1", package=OWN_PACKAGE)):
        assert list(games()) == ["bazaar"]
        assert list_games(lines.append) == 1
    assert lines[-1] == "bazaar: Shuffled is not the same when it was written and read again."


def test_a_game_that_is_left_out_leaves_nothing_behind() -> None:
    sound = with_(entries=(StallOpened,), actions=(Open,))
    with installed(point(sound)):
        assert Open in actions()
        assert "bazaar.stall" in entry_kinds()
    with installed(point(with_info(sound, phases=()))):
        assert Open not in actions()
        assert "bazaar.stall" not in entry_kinds()


def test_a_table_s_game_is_always_found_and_any_other_only_if_it_is_installed() -> None:
    with installed(point(GAME)):
        assert installed_game("bazaar") is game_named("bazaar")
        assert game_named("bazaar").info.help is GAME.info.help
        with pytest.raises(Refused, match=r"^There is no game “chess” here\. Try bazaar\.$"):
            installed_game("chess")
        assert game_named("chess").info.id == "chess"
        with pytest.raises(Refused, match="There is no game “” here"):
            game_named("")


# ---------------------------------------------------------------- docs/games.md


@pytest.mark.parametrize("name", ["pyproject.toml", "bourse_bazaar.py"])
def test_the_page_about_games_shows_this_very_package(name: str) -> None:
    page = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    _, _, rest = page.partition(f"<!-- tests/plugin/bazaar/{name} -->\n```")
    _, _, shown = rest.partition("\n")
    file = ROOT / "tests" / "plugin" / "bazaar" / name
    assert shown.startswith(file.read_text(encoding="utf-8") + "```\n")
