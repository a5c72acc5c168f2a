"""Tests of the grammar of plays: every form, and every error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rehearsal.grammar import read_file, read_play
from bot.rehearsal.script import (
    Act,
    Action,
    Choose,
    Condition,
    Dms,
    ExactText,
    Fill,
    Has,
    IsRefused,
    Moderators,
    NeverSees,
    OnServer,
    Option,
    Pattern,
    Permission,
    Pick,
    Pictured,
    PlayError,
    PressStep,
    RecordsEntries,
    Restart,
    Sees,
    SeesNothing,
    Slash,
    Submit,
    Type,
    WaitStep,
    people_in,
    with_people,
)


def action(line: str) -> Action:
    """What Alice does on a line."""
    (step,) = read_play(f"alice: {line}").steps
    assert isinstance(step.action, Act)
    assert step.action.who == "alice"
    return step.action.action


def condition(line: str) -> Condition:
    """What an indented line expects of what Alice did."""
    (step,) = read_play(f"alice: /x\n  {line}").steps
    (expectation,) = step.expectations
    return expectation.condition


def slash(path: str, *options: tuple[str, str], in_dm: bool = False) -> Slash:
    return Slash(path, tuple(Option(*each) for each in options), in_dm)


def test_actions(subtests: pytest.Subtests) -> None:
    for line, read in [
        ("/table show", slash("table show")),
        ('/offer post to:@bob give:"3 tg"', slash("offer post", ("to", "@bob"), ("give", "3 tg"))),
        ("/rules show number:94.1", slash("rules show", ("number", "94.1"))),
        (
            '/x a:"" b:"he said \\"no\\"" c:"C:\\d" d:"a\\nb"',
            slash("x", ("a", ""), ("b", 'he said "no"'), ("c", "C:\\d"), ("d", "a\nb")),
        ),
        ("/x at:12:30 url:http://a/b", slash("x", ("at", "12:30"), ("url", "http://a/b"))),
        ("in dm /offer list", slash("offer list", in_dm=True)),
        ("in thread /offer list", replace(slash("offer list"), in_thread=True)),
        ('press "Accept"', PressStep("Accept")),
        ('press "Accept" on "Offer 3"', PressStep("Accept", "Offer 3")),
        ('menu "What has…" on @bob', Pick("What has…", "@bob")),
        ('menu "Look at this offer" on "Offer 3"', Pick("Look at this offer", "Offer 3")),
        ('choose "Salt", "Salt"', Choose(("Salt", "Salt"))),
        ('choose "@bob" from "Whom?"', Choose(("@bob",), "Whom?")),
        ('fill "Terms": "3 tg"', Fill("Terms", ("3 tg",))),
        ('fill "Cards": "Salt", "Iron"', Fill("Cards", ("Salt", "Iron"))),
        ("submit", Submit()),
        ('type "ha" in seat of /table sit', Type("ha", "seat", slash("table sit"))),
        (
            'type "" in give of /offer post to:@bob',
            Type("", "give", slash("offer post", ("to", "@bob"))),
        ),
        ("closes dms", Dms(open=False)),
        ("opens dms", Dms(open=True)),
        ("leaves server", OnServer(member=False)),
        ("joins server", OnServer(member=True)),
    ]:
        with subtests.test(line):
            assert action(line) == read
            assert action(f"{line} # and a comment") == read


def test_expectations(subtests: pytest.Subtests) -> None:
    for line, read in [
        ('sees "3 trade goods"', Sees(None, ExactText("3 trade goods"))),
        ("sees /^3 .* goods$/", Sees(None, Pattern("^3 .* goods$"))),
        ("sees /a\\/b/c/", Sees(None, Pattern("a\\/b/c"))),
        ('bob sees "x"', Sees("bob", ExactText("x"))),
        ("bob sees /x/", Sees("bob", Pattern("x"))),
        ('bob never sees "x"', NeverSees("bob", ExactText("x"))),
        ("bob never sees /x/", NeverSees("bob", Pattern("x"))),
        ("bob sees nothing", SeesNothing("bob")),
        ("refused", IsRefused(None)),
        ("refused 94.1", IsRefused("94.1")),
        ("refused 94 note 3.1", IsRefused("94 note 3.1")),
        ("refused Guild Ships", IsRefused("Guild Ships")),
        ("records transaction", RecordsEntries("transaction")),
        ("records offer.posted", RecordsEntries("offer.posted")),
        ("records nothing", RecordsEntries(None)),
        ('bob has "Accept"', Has("bob", "Accept", True)),
        ('bob has no "Accept"', Has("bob", "Accept", False)),
        ("pictured", Pictured()),
    ]:
        with subtests.test(line):
            assert condition(line) == read
            assert condition(f"{line}   # and a comment") == read


def test_lines_on_their_own() -> None:
    play = read_play(
        "\ufeff# a comment\n\nrules: 94.1, 69.1\ndatabase: postgres\nchance: luck\nmoderators: "
        "carol, dave\n"
        "wait 30s\nwait 5m\nwait 2h\nwait 1d\n"
        'bot: loses "Send Messages"\nbot: gets "View Channel"\n'
        "restart\n  # an indented comment\n  bob sees nothing\n"
        "rules: 94 note 1, Guild Ships\n",
        "x.play",
    )
    assert play.file == "x.play"
    assert play.rules == ("94.1", "69.1", "94 note 1", "Guild Ships")
    assert play.database == "postgres"
    assert play.chance == "luck"
    assert [step.action for step in play.steps] == [
        Moderators(("carol", "dave")),
        WaitStep(30),
        WaitStep(300),
        WaitStep(7200),
        WaitStep(86400),
        Permission("send_messages", granted=False),
        Permission("view_channel", granted=True),
        Restart(),
    ]
    assert [step.line for step in play.steps] == [6, 7, 8, 9, 10, 11, 12, 13]
    (expectation,) = play.steps[-1].expectations
    assert (expectation.line, expectation.text) == (15, "bob sees nothing")


def test_a_play_that_asks_for_nothing_runs_anywhere() -> None:
    play = read_play("alice: /x\n")
    assert play.rules == ()
    assert play.database is None
    assert play.chance == "play"
    assert play.steps[0].expectations == ()


def test_the_example_of_the_manual() -> None:
    play = read_file(Path(__file__).parent.parent / "plays" / "first_trade.play")
    assert play.rules == ("94.1",)
    assert [step.line for step in play.steps] == [4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 17]


def test_what_is_not_understood(subtests: pytest.Subtests) -> None:
    for text, line, why in [
        ("alice /table show", 1, "A line that is not indented must be an action."),
        ("Alice: /table show", 1, "Write names in lower case: alice."),
        ("wait: /table show", 1, "Nobody can be called wait"),
        ("alice:", 1, "I don't know this action."),
        ("alice: dances", 1, "Nobody can 'dances'."),
        ("alice: table show", 1, "Nobody can 'table'."),
        ("alice: /", 1, "The command has no name."),
        ("alice: in dm", 1, "A command begins with a slash."),
        ("alice: in hall /x", 1, "A command begins with a slash."),
        ("alice: /offer post give:3 tg", 1, "I don't understand 'tg' among the options."),
        ('alice: /offer post give:"3 tg', 1, "The value of give must be in double quotes"),
        ("alice: /offer post give:", 1, "The option give has no value."),
        ("alice: /x a:1 a:2", 1, "The option a is given twice."),
        ("alice: press Accept", 1, "The label must be in double quotes, but here is Accept."),
        ('alice: press "Accept" in "x"', 1, "I don't understand 'in \"x\"' at the end"),
        ('alice: choose "A" "B"', 1, "at the end of this line"),
        ('alice: choose "A" from Goods', 1, "The placeholder must be in double quotes"),
        ('alice: fill "Terms" "x"', 1, "Put a colon after the field's name."),
        ('alice: fill "Terms":', 1, "A value must be in double quotes, but here is nothing."),
        ("alice: submit now", 1, "I don't understand 'now' at the end"),
        ('alice: type "x"', 1, "Say in which option."),
        ('alice: type "x" in seat', 1, "Say in which option of which command."),
        ("alice: closes shop", 1, "After “closes” write dms."),
        ("alice: leaves home", 1, "After “leaves” write server."),
        ("wait", 1, "How long?"),
        ("wait 5 minutes", 1, "'5 minutes' is not a length of time."),
        ("wait 5min", 1, "'5min' is not a length of time."),
        ("restart now", 1, "I don't understand 'now' at the end"),
        ("alice: /x\nchance: luck", 2, "Give chance its word before the first action."),
        ("chance: luck\nchance: fate", 2, "Chance has the word luck already."),
        ("chance: luck, fate", 1, "Everything is drawn from one word."),
        ("database: oracle", 1, "There is no database 'oracle'."),
        ("alice: /x\ndatabase: postgres", 2, "Name the database before the first action."),
        ("database: postgres\ndatabase: sqlite", 2, "The database is already postgres."),
        ("rules: 94.1,, 69.1", 1, "A rule's number or name goes without quotes"),
        ("moderators: Carol", 1, "Write names in lower case: carol."),
        ("moderators: wait", 1, "Nobody can be called wait"),
        ('bot: press "Accept"', 1, "The bot can only lose and get permissions."),
        ('bot: loses "Fly"', 1, "Discord has no permission 'Fly'."),
        ('  sees "x"', 1, "An expectation must stand below its action"),
        (
            "moderators: carol\n  carol sees nothing",
            2,
            "An expectation must stand below its action",
        ),
        ("alice: /x\n  bob: /y", 2, "An indented line is an expectation"),
        ("alice: /x\n  looks fine", 2, "I don't know this expectation."),
        ("alice: /x\n  sees", 2, "The text must be in double quotes, but here is nothing."),
        ("alice: /x\n  sees nothing", 2, "Say who sees nothing."),
        ("alice: /x\n  sees /(/", 2, "This is not a regular expression"),
        ("alice: /x\n  sees /x", 2, "The regular expression does not end."),
        ('alice: /x\n  sees "x" and y', 2, "at the end of this line"),
        ('alice: /x\n  bob never "x"', 2, "After “never” write sees."),
        ("alice: /x\n  bob has Accept", 2, "The label must be in double quotes"),
        ('alice: /x\n  Bob sees "x"', 2, "Write names in lower case: bob."),
        ("alice: /x\n  records", 2, "Say what it records."),
        ("alice: /x\n  records a b", 2, "at the end of this line"),
        ("alice: /x\n  refused [94.1], 69.1", 2, "at the end of this line"),
        ("alice: /x\n  pictured twice", 2, "at the end of this line"),
        ('wait 5m\n  sees "x"', 2, "Nobody acted, so there is no reply. Say who sees it."),
        ("restart\n  refused", 2, "Only an action can be refused."),
    ]:
        with subtests.test(repr(text)):
            with pytest.raises(PlayError) as caught:
                read_play(text, "x.play")
            error = caught.value
            assert (error.file, error.line) == ("x.play", line)
            assert why in error.reason
            assert str(error).startswith(
                f"x.play:{line}: {error.reason}\n  {text.splitlines()[line - 1].strip()}"
            )


def test_what_would_have_been_understood() -> None:
    with pytest.raises(PlayError, match='Try:\n    press "LABEL"'):
        read_play('alice: press "A" and wait')
    with pytest.raises(PlayError, match=r"name: ACTION\n    wait 5m"):
        read_play("hello")
    with pytest.raises(
        PlayError, match=r"  sees \"x\"    \(indented under the action it is about\)"
    ):
        read_play('alice: /x\nsees "x"')


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PlayError, match="The file cannot be read: No such file"):
        read_file(tmp_path / "absent.play")
    (tmp_path / "latin.play").write_bytes("alice: /x\nbob: /y a:caf\u00e9\n".encode("latin-1"))
    with pytest.raises(PlayError, match=r"latin.play:2: The file is not UTF-8 text\."):
        read_file(tmp_path / "latin.play")


def test_people_in_a_text() -> None:
    assert people_in("@bob and @carol_2, @bob's; not a@b.com, @everyone, @here or @@x") == (
        "bob",
        "carol_2",
    )
    assert people_in("(@bob)") == ("bob",)
    assert with_people("@bob, @carol!", {"bob": "<@1>"}) == "<@1>, @carol!"


@given(st.text())
def test_any_text_is_a_play_or_an_error_with_a_line(text: str) -> None:
    line = 1
    try:
        read_play(text)
    except PlayError as error:
        line = error.line
    assert 1 <= line <= max(1, len(text.splitlines()))


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])))
def test_any_text_can_be_quoted(text: str) -> None:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    assert action(f'press "{quoted}"') == PressStep(text)
