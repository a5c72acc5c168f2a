"""Tests of the runner of plays: every action, and every expectation, met and failed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bot.rehearsal import limits
from bot.rehearsal.grammar import read_play
from bot.rehearsal.plays import perform, run_play
from tests.postgresql import fresh_database
from tests.rehearsal.toy import played, toy, why


def goes(text: str) -> None:
    report = played(text)
    assert report.ok, f"\n{report}"


# ---------------------------------------------------------------- expectations, each holding and fa


def test_the_reply_is_seen() -> None:
    goes('alice: /refuse\n  sees "No. [94.1] Once"\n  sees /^No\\. .* turn\\.$/')


def test_the_reply_is_not_what_others_get() -> None:
    told = why('alice: /offer post give:"3 tg"\n  sees "gives 3 tg"')
    assert 'toy.play:2: sees "gives 3 tg"' in told
    assert 'Expected: the reply to alice holds "gives 3 tg".' in told
    assert "reply to alice:\n      - #table, only visible to them\n        posted" in told
    assert (
        "      - #table\n        Offer 1\n        gives 3 tg\n        [Accept] [Decline] [Counter]"
        in told
    )


def test_a_pattern_that_is_not_found() -> None:
    assert "the reply to alice holds /Twice/" in why("alice: /refuse\n  sees /Twice/")


def test_what_comes_for_others() -> None:
    goes(
        'alice: /offer post give:"3 tg" to:@bob\n'
        '  bob sees "for you: 3 tg from @alice"\n'
        "  bob sees /gives 3 tg/\n"
        '  carol sees "gives 3 tg"\n'
        '  carol never sees "for you"\n'
        '  carol never sees "posted"\n'
        '  alice sees "posted"\n'
    )


def test_what_does_not_come_for_others() -> None:
    told = why('alice: /refuse\n  bob sees "94.1"')
    assert 'Expected: a message that came or changed for bob holds "94.1".' in told
    assert "    bob: nothing" in told


def test_what_should_never_come() -> None:
    told = why('alice: /offer post give:"3 tg" to:@bob\n  bob never sees "for you"')
    assert 'Expected: no message that came or changed for bob holds "for you".' in told
    assert "- DM\n        Offer 1\n        for you: 3 tg from @alice\n        [Accept]" in told


def test_nothing_comes() -> None:
    goes("alice: /refuse\n  bob sees nothing")
    told = why("alice: /seat faction:hacan\n  bob sees nothing")
    assert "Expected: nothing came or changed for bob." in told


def test_what_is_old_does_not_come_again() -> None:
    goes(
        'alice: /offer post give:"3 tg" to:@bob\nbob: /refuse\n  bob never sees "3 tg"\n  carol '
        "sees nothing\n"
    )


def test_refusals() -> None:
    goes("alice: /refuse\n  refused 94.1\n  refused\n  records nothing")


@pytest.mark.parametrize(
    ("command", "line", "reason"),
    [
        ("/refuse", "refused 94.2", "The reply does not cite it."),
        ("/refuse how:publicly", "refused 94.1", "This reply is public."),
        ("/refuse how:publicly", "refused", "This reply is public."),
        ("/refuse how:growing", "refused 94.1", "the ledger as it was. It grew by offer.posted."),
        ("/refuse how:modal", "refused 94.1", "There was no such reply."),
    ],
)
def test_what_is_no_refusal(command: str, line: str, reason: str) -> None:
    assert reason in why(f"alice: {command}\n  {line}")


def test_records() -> None:
    goes(
        'alice: /offer post give:"3 tg"\n  records offer\n  records offer.posted\n'
        'bob: press "Accept"\n  records transaction\n  records signature\n'
        "alice: /refuse\n  records nothing\n"
    )


def test_what_is_not_recorded() -> None:
    told = why('alice: /offer post give:"3 tg"\n  records transaction')
    assert "Expected: the ledger grows by transaction. It grew by offer.posted." in told
    assert "the ledger grew by: offer.posted" in told
    assert "It grew by nothing." in why("alice: /refuse\n  records transaction")
    assert "It grew by offer.posted." in why('alice: /offer post give:"3 tg"\n  records off')
    assert "Expected: the ledger does not grow." in why(
        'alice: /offer post give:"3 tg"\n  records nothing'
    )


def test_buttons_to_press() -> None:
    goes(
        'alice: /offer post give:"3 tg"\n'
        '  bob has "Accept"\n  bob has "Decline"\n  bob has no "Withdraw"\n'
        'bob: press "Decline"\n'
        '  bob has no "Accept"\n'
    )


def test_buttons_that_are_not_there() -> None:
    told = why('alice: /offer post give:"3 tg"\n  bob has "Withdraw"')
    assert 'Expected: bob sees an enabled button or select "Withdraw".' in told
    assert "Buttons to press: 'Accept', 'Decline', 'Counter'." in told
    told = why('alice: /offer post give:"3 tg"\n  bob has no "Accept"')
    assert 'Expected: bob sees no enabled button or select "Accept".' in told


def test_selects_are_had_by_their_placeholder() -> None:
    goes(
        'alice: /pick several:true\n  alice has "Goods"\n  alice has no "Shut"\n  bob has no '
        '"Goods"'
    )


def test_pictures() -> None:
    goes("alice: /picture sound:true\n  pictured\n  bob sees nothing")
    assert "Expected: a picture that decodes. One does not decode" in why(
        "alice: /picture sound:false\n  pictured"
    )
    assert "There was none." in why("alice: /refuse\n  pictured")


def test_everything_expected_of_a_line_is_looked_at() -> None:
    told = why('alice: /refuse\n  sees "A"\n  sees "94.1"\n  sees "B"\nalice: /boom')
    assert "toy.play:2" in told
    assert "toy.play:3" not in told
    assert "toy.play:4" in told
    assert "toy.play:5" not in told


# ---------------------------------------------------------------- actions


def test_a_pressed_message_that_is_edited_is_the_reply() -> None:
    goes(
        'alice: /offer post give:"3 tg"\n'
        'bob: press "Accept"\n  sees "Accepted by @bob"\n  alice sees "Accepted by @bob"'
    )
    goes('alice: /offer post give:"3 tg"\nbob: press "Decline"\n  sees "Declined"')


def test_the_newest_is_pressed() -> None:
    goes(
        'alice: /offer post give:"1 tg"\nalice: /offer post give:"2 tg" to:@bob\n'
        'bob: press "Accept"\n  sees "Offer 2"\n  bob has "Accept"\n'
        'bob: press "Accept" on "1 tg"\n  sees "Offer 1"\n'
    )


def test_in_direct_messages() -> None:
    goes(
        'alice: /offer post give:"1 tg" to:@bob\n'
        'bob: press "Accept" on "for you"\n  sees "Accepted"\n  alice sees nothing\n'
        "bob: in dm /refuse\n  refused 94.1\n  alice sees nothing\n"
        "bob: in dm /refuse how:publicly\n  refused 94.1\n"
        "bob: in dm /typed who:@alice text:@bob\n  sees \"'@bob' None None None @alice\"\n"
    )


def test_a_button_that_is_not_there() -> None:
    told = why('alice: /offer post give:"3 tg"\nbob: press "Confirm"\n  sees "x"')
    assert (
        "bob can see no enabled button 'Confirm'. Buttons to press: 'Accept', 'Decline', 'Counter'."
        in told
    )
    assert "toy.play:3" not in told
    told = why('alice: /offer post give:"3 tg"\nbob: press "Accept" on "5 tg"')
    assert "no enabled button 'Accept' on a message with '5 tg'" in told
    told = why('alice: /offer post give:"3 tg"\nbob: press "Decline"\nbob: press "Accept"')
    assert "Buttons to press: none. Greyed: 'Accept'." in told


def test_buttons_of_one_label_are_not_told_apart() -> None:
    assert "That message has 2 enabled buttons 'Undo'" in why(
        'alice: /history\nalice: press "Undo"'
    )


def test_choosing() -> None:
    goes('alice: /pick\nalice: choose "Iron"\n  sees "picked v2 in goods"')
    goes('alice: /pick\nalice: choose "Salt", "Wine", "Salt"\n  sees "picked v0, v1, v3 in goods"')
    goes(
        'alice: /pick several:true\nalice: choose "Iron" from "Goods"\n  sees "picked v2 in goods"'
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            'choose "Gold"',
            "The select 'Goods' does not have that. Its options: 'Salt', 'Iron', 'Wine'.",
        ),
        ('choose "Iron", "Iron"', "The select 'Goods' does not have that."),
        ('choose "Salt", "Salt", "Iron", "Wine"', "Select expects between 1 and 3 value(s), got 4"),
        (
            'choose "Iron" from "Shut"',
            "alice can see no enabled select 'Shut'. Selects to choose from: 'Goods'.",
        ),
    ],
)
def test_what_cannot_be_chosen(line: str, reason: str) -> None:
    assert reason in why(f"alice: /pick\nalice: {line}")


def test_which_select_must_be_said() -> None:
    told = why('alice: /pick several:true\nalice: choose "Iron"')
    assert "That message has several selects ('Goods', 'More'). Say which." in told
    goes('alice: /pick several:true\nalice: choose "Iron" from "More"\n  sees "picked v2 in more"')


MODAL = 'alice: /offer post give:"3 tg"\nalice: press "Counter"\n'


def test_a_modal_is_seen() -> None:
    goes(
        MODAL
        + '  sees "Counter offer 1"\n  sees "What do you give?"\n  sees "Terms\nIn '
        'words"\n'.replace("\nIn", "\\nIn")
    )
    goes(MODAL + '  sees "3 tg"\n  sees "Wine"\n  bob sees nothing\n')


def test_a_modal_is_filled_and_sent() -> None:
    goes(
        MODAL + 'alice: fill "Terms": "5 tg"\n  bob sees nothing\n'
        'alice: fill "Goods": "Salt", "Salt"\nalice: submit\n'
        "  sees /^terms=5 tg; goods=\\['0', '1'\\]; note=$/\n"
    )


def test_what_stands_in_a_modal_already_is_sent() -> None:
    goes(MODAL + "alice: submit\n  sees \"terms=3 tg; goods=['2']; note=\"")


def test_a_modal_survives_a_restart() -> None:
    goes(MODAL + 'restart\nalice: submit\n  sees "terms=3 tg"')


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (
            'alice: fill "Price": "1"',
            "The form 'Counter offer 1' has no field 'Price'. Its fields: 'Terms', 'Goods'",
        ),
        ('alice: fill "Goods": "Gold"', "The select 'Goods' does not have that."),
        ('alice: fill "Terms": "a", "b"', "The field 'Terms' takes one value."),
        ('alice: fill "Note": "0123456789"\nalice: submit', "exceeds max_length=9"),
        ('alice: fill "Terms": ""\nalice: submit', "'terms' cannot be empty"),
        ("alice: /refuse\nalice: submit", "alice has no open form"),
        ("bob: submit", "bob has no open form"),
        ("alice: submit\nalice: submit", "alice has no open form"),
    ],
)
def test_what_a_modal_does_not_take(lines: str, reason: str) -> None:
    assert reason in why(MODAL + lines)


def test_autocomplete() -> None:
    goes('alice: type "ha" in faction of /seat\n  sees "Hacan"\n  bob sees nothing')
    goes(
        'alice: type "" in faction of /seat player:@bob\n  sees /^Hacan for \\d+$/\n  sees "Sol '
        'for"'
    )
    assert "- choices\n    alice: nothing" in why(
        'alice: type "x" in faction of /seat\n  sees "Hacan"'
    )
    assert "- choices\n        Sol" in why('alice: type "sol" in faction of /seat\n  sees "Hacan"')


def test_what_does_not_complete_itself() -> None:
    assert "does not enable autocomplete" in why('alice: type "x" in text of /typed')
    assert "has no option 'nation'" in why('alice: type "x" in nation of /seat')
    assert "data/choices: 26 items, 25 at most" in why('alice: type "many" in faction of /seat')


def test_closed_dms() -> None:
    goes(
        'bob: closes dms\nalice: /offer post give:"3 tg" to:@bob\n'
        '  sees "posted, but @bob could not be told (403, 50007)"\n  bob never sees "for you"\n'
        'bob: opens dms\nbob: opens dms\nalice: /offer post give:"4 tg" to:@bob\n  bob sees "for '
        'you: 4 tg"\n'
    )


def test_only_their_own_dms_are_closed() -> None:
    goes('bob: closes dms\nalice: /offer post give:"3 tg" to:@carol\n  carol sees "for you"')


def test_options_of_every_kind() -> None:
    goes(
        'alice: /typed text:"two \\"words\\"" whole:3 part:1.5 flag:true who:@bob colour:"Red as '
        'blood"\n'
        '  sees "\'two \\"words\\"\' 3 1.5 True @bob r"\n'
        'alice: /typed colour:r flag:no text:"@bob and @carol, not @everyone or a@b"\n'
        "  sees \"'@bob and @carol, not @everyone or a@b' None None False None r\"\n"
    )


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/typed whole:10", "must be ≤ 9"),
        ("/typed whole:x", "decimal integer"),
        ("/typed flag:perhaps", "The option flag of /typed must be true or false, not 'perhaps'."),
        ("/typed who:bob", "The option who of /typed must be a person, written @name, not 'bob'."),
        ("/typed where:#table", "A play can't fill in the option where of /typed."),
        ("/typed colour:blue", "only allows"),
        ("/typed size:3", "has no option 'size'"),
        ("/offer post", "requires option 'give'"),
        ("/offer", "still has subcommand options"),
        ("/offer swap", "no subcommand path 'swap'"),
        ("/nothing", "nothing"),
        ("/audit", "not visible to this user"),
        ("in dm /talk to:@bob", "not visible to this user"),
    ],
)
def test_what_discord_would_not_take(command: str, reason: str) -> None:
    told = why(f'alice: {command}\n  sees "x"')
    assert "toy.play:1" in told
    assert reason in told


def test_moderators() -> None:
    goes(
        'moderators: carol, dave\ncarol: /audit\n  sees "all is well"\ndave: /audit\n  sees "all '
        'is well"'
    )


def test_private_threads() -> None:
    goes(
        "alice: /talk to:@bob\n"
        '  bob sees "Welcome @bob to #Quiet"\n  bob sees "before you came"\n'
        '  carol sees nothing\n  alice never sees "Quiet"\n'
    )


def test_waiting() -> None:
    goes(
        'alice: /later\n  sees "It ends in 5 minutes"\n'
        "wait 299s\n  bob sees nothing\n  records nothing\n"
        'wait 1s\n  bob sees "Time is up"\n  records deal\n'
        'wait 1d\nalice: /remembered\n  sees "00:05"\n'
    )
    assert "Expected: a message that came or changed for bob" in why('wait 1m\n  bob sees "Time"')


def test_a_restart_forgets_what_lived_in_memory() -> None:
    goes(
        'alice: /offer post give:"3 tg"\nalice: /later\nalice: /remembered\n  sees "1 offers"\n'
        "restart\n  bob sees nothing\n  records nothing\n"
        'alice: /remembered\n  sees "0 offers"\n'
        "wait 10m\n  bob sees nothing\n"
        'bob: press "Accept"\n  sees "Accepted by @bob"\n  records transaction\n'
    )


def test_after_a_restart_nothing_is_done_again_that_is_done(tmp_path: Path) -> None:
    text = "alice: /table open game:ti4\nalice: /table sit seat:hacan\nrestart\n"
    assert run_play(read_play(text), keep=tmp_path).ok
    requests = [json.loads(line) for line in (tmp_path / "requests.jsonl").read_text().splitlines()]
    assert {each["method"] for each in requests if each["line"] == 3} == {"GET"}


def test_an_error_of_the_bot_fails_the_play() -> None:
    told = why('alice: /boom\n  sees "well"\nalice: /refuse')
    assert "toy.play:1: alice: /boom" in told
    assert "RuntimeError: stock ran out" in told
    assert "in boom" in told


def test_a_bot_that_does_not_answer_fails_the_play() -> None:
    assert "The application did not respond" in why("alice: /mute")


# ---------------------------------------------------------------- from outside


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def performed(*files: Path, **how: object) -> tuple[int, str]:
    told: list[str] = []
    return perform(files, told.append, factory=toy, **how), "\n".join(told)  # type: ignore[arg-type]


def test_exit_codes(tmp_path: Path) -> None:
    good = written(tmp_path, "good.play", "alice: /refuse\n  refused 94.1\n")
    bad = written(tmp_path, "bad.play", 'alice: /refuse\n  sees "x"\n')
    broken = written(tmp_path, "broken.play", "alice: /refuse\nalice dances\n")
    code, told = performed(good)
    assert code == 0
    assert told.startswith(f"ok       {good}  (2 lines, ")
    code, told = performed(good, bad)
    assert code == 1
    assert f'{bad}:2: sees "x"' in told
    assert "1 of 2 plays went as expected." in told
    code, told = performed(good, broken)
    assert code == 2
    assert told.startswith(f"{broken}:2: ")
    assert performed(tmp_path / "absent.play")[0] == 2
    (tmp_path / "sub").mkdir()
    written(tmp_path / "sub", "one.play", "alice: /refuse\n")
    assert performed(tmp_path / "sub")[0] == 0


def test_json_gives_an_object_a_line(tmp_path: Path) -> None:
    play = written(
        tmp_path,
        "x.play",
        'alice: /offer post give:"3 tg"\n  records offer\n  sees "x"\nalice: /refuse\n',
    )
    code, told = performed(play, json=True)
    assert code == 1
    first, second, third, fourth = map(json.loads, told.splitlines())
    assert first["file"] == str(play)
    assert (first["line"], first["ok"], first["records"]) == (1, True, ["offer.posted"])
    assert first["saw"]["alice"] == [
        "#table, only visible to them\nposted",
        "#table\nOffer 1\ngives 3 tg\n[Accept] [Decline] [Counter]",
    ]
    assert first["ms"] > 0
    assert (second["line"], second["ok"]) == (2, True)
    assert (third["ok"], third["why"]) == (False, 'Expected: the reply to alice holds "x".')
    assert (fourth["line"], fourth["ok"]) == (4, None)
    told = performed(written(tmp_path, "y.play", "\nwhat\n"), json=True)[1]
    assert json.loads(told)["line"] == 2


def test_keep(tmp_path: Path) -> None:
    play = written(tmp_path, "x.play", 'alice: /offer post give:"3 tg"\nbob: press "Accept"\n')
    kept = tmp_path / "kept"
    for _ in range(2):  # a second run starts afresh
        assert performed(play, keep=kept)[0] == 0
        requests = [json.loads(line) for line in (kept / "requests.jsonl").read_text().splitlines()]
        assert {each["line"] for each in requests} == {0, 1, 2}
        assert any(
            each["method"] == "POST" and each["path"].endswith("/messages") for each in requests
        )
        gateway = [json.loads(line) for line in (kept / "gateway.jsonl").read_text().splitlines()]
        assert [each["line"] for each in gateway if each["event"] == "INTERACTION_CREATE"] == [1, 2]
        assert (kept / "x.play.db").exists()
    assert performed(play, play, keep=kept)[0] == 0


def test_given_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/given.db")
    play = written(
        tmp_path,
        "x.play",
        'alice: /offer post give:"3 tg"\n  records offer\nalice: /refuse\n  records nothing\n',
    )
    assert performed(play, play)[0] == 0
    assert (tmp_path / "given.db").exists()


def test_no_postgres_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    code, told = performed(written(tmp_path, "x.play", "database: postgres\nalice: /refuse\n"))
    assert code == 0
    assert told.startswith("skipped")
    assert "DATABASE_URL" in told
    told = performed(tmp_path / "x.play", json=True)[1]
    assert json.loads(told)["ok"] is None


FIRST_TRADE = Path(__file__).parent.parent / "plays" / "first_trade.play"


@pytest.mark.postgres
def test_a_play_on_postgres(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", fresh_database(postgres, f"bourse_play_{os.getpid()}"))
    text = FIRST_TRADE.read_text(encoding="utf-8")
    report = run_play(
        read_play(f"database: postgres\n{text}\nrestart\n  alice sees nothing\n  records nothing\n")
    )
    assert report.skipped is None
    assert report.ok, f"\n{report}"


def test_what_discord_would_refuse_fails_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    play = "alice: /offer post give:3\n"
    assert played(play).ok
    monkeypatch.setattr(limits, "message", lambda body, new: ["it is too long"])
    assert "Discord would refuse this: patch /webhooks" in (told := why(play))
    assert "it is too long" in told
