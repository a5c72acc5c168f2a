"""Tests that every action is decoded from its custom_id as it was."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.advciv.trading import OpenTrading
from bot.games.ti4.agendas import RevealAgenda
from bot.games.ti4.neighbors import AnswerClaim
from bot.games.ti4.turns import SetOrder, StartTurn
from bot.rules.commands import Press
from bot.rules.model.actions import Action, OfferAction
from bot.rules.model.codec import CUSTOM_ID_MAX, Codec
from bot.show.actions import (
    DraftPick,
    DraftPress,
    ForgetMe,
    GiveCards,
    PostForm,
    RevealPrompt,
    TurnAccount,
    TurnHistory,
    TurnLedger,
)
from bot.show.custom_ids import codec, decode, encode, renumbered, without_number

NUMBERS = st.integers(min_value=0, max_value=10**12)
"""Of tables, entries and offers: more than any ledger will count."""

USERS = st.integers(min_value=0, max_value=2**63 - 1)
"""Discord's ids."""

WORDS = st.text(st.characters(codec="utf-8", exclude_characters=":"), max_size=12)


@cache
def actions(kind: type[Action]) -> st.SearchStrategy[Action]:
    """Return any action of a kind."""
    return st.builds(kind, **{name: _values(kind, name) for name in _names(kind)})


def _names(kind: type[Action]) -> list[str]:
    return [field.name for field in fields(kind)]


def _values(kind: type[Action], name: str) -> st.SearchStrategy[object]:
    hint = get_type_hints(kind)[name]
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if (kind, name) == (PostForm, "to"):
        return USERS
    if kind in (DraftPress, DraftPick):  # a draft has up to ten fields, and its goods are codes
        return {int: st.integers(0, 10**5), str: st.text("aZ09-_~", max_size=12)}[hint]
    if hint == int | None:
        return NUMBERS
    return {int: NUMBERS, bool: st.booleans(), str: WORDS}.get(hint, WORDS.filter(bool))


@settings(max_examples=25)
@given(data=st.data())
def test_every_action_comes_back(data: st.DataObject) -> None:
    for name, kind in sorted(codec().kinds.items()):
        action = data.draw(actions(kind), label=name)
        custom_id = encode(action)
        assert decode(custom_id) == action
        assert (
            without_number(custom_id)
            == without_number(renumbered(custom_id, "browse:1%9"))
            == custom_id
        )
        assert len(custom_id) <= CUSTOM_ID_MAX


def test_it_reads_as_its_name_and_its_fields() -> None:
    assert encode(OfferAction(table=1, offer=12, revision=3, what="more")) == "offer:1:12:3:more"
    assert encode(ForgetMe(sure=True)) == "privacy.me:0:1"


def test_no_two_actions_have_one_custom_id() -> None:
    every = [
        PostForm(1, 2, 3),
        TurnLedger(1, 2, 3),
        TurnLedger(1, 2, 3, kind="offer"),
        TurnLedger(1, 2, 3, since=1),
    ]
    assert len({encode(action) for action in every}) == len(every)


def test_what_is_longer_than_discord_takes_is_refused() -> None:
    encode(RevealPrompt(1, "x" * (CUSTOM_ID_MAX - len("reveal:1:"))))
    with pytest.raises(ValueError, match="more than 100 characters"):
        encode(RevealPrompt(1, "x" * CUSTOM_ID_MAX))


def test_a_string_with_a_colon_is_read_back() -> None:
    for text in ("deal:1", "100%", "%3A", ":%", ""):
        assert decode(encode(RevealPrompt(1, text))) == RevealPrompt(1, text)


def test_a_button_carries_a_command() -> None:
    assert encode(Press(1, StartTurn("sol", "same"))) == "do:1:ti4.turn.start:sol:same:"
    for command in (
        StartTurn(),
        StartTurn("sol"),
        RevealAgenda("Mutiny: 2", during="turn"),
        AnswerClaim("sol", True),
    ):
        assert decode(encode(Press(1, command))) == Press(1, command)
    assert decode("do:1:ti4.turn.start:sol:twice") is None
    assert decode("do:x:ti4.turn.next") is None
    with pytest.raises(ValueError, match="not one of the registered"):
        encode(Press(1, SetOrder(("sol",))))  # it has no kind


def test_the_longest_page_of_the_ledger_fits() -> None:
    """A filter by the longest kind there is, at a table with more entries than anybody will
    make.
    """
    assert encode(TurnLedger(10**12, 10**9, 10**6, 10**4, "advciv.cards.surrendered", 10**9))


def test_what_we_never_wrote_is_no_action() -> None:
    custom_ids = (
        "",
        "offer",
        "offer:1:12:3",
        "offer:1:12:3:more:more",
        "offer:1:12:3:eat",
        "offer:1:12:x:more",
        "offer:1:1_2:3:more",
        "offer: 1:12:3:more",
        "offer:01:12:3:more",
        "offer:١:12:3:more",
        "privacy.me:0:2",
        "ask:1:deal:3:yes",
        "nothing.of.mine:1",
    )
    assert [custom_id for custom_id in custom_ids if decode(custom_id) is not None] == []


# ---------------------------------------------------------------- kinds


class Shout(Action):
    """An action that is not registered."""

    name = "shout"
    words: str


class Whisper(Action):
    """One that has the same name."""

    name = "shout"
    words: str


class Sing(Action):
    """One with a field that can't be written."""

    name = "sing"
    notes: tuple[int, ...]


class Mumble(Action):
    """One without a name."""

    words: str


def test_two_actions_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="Whisper and Shout are both named shout"):
        Codec([Shout, Whisper])


def test_an_action_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="Mumble needs a name"):
        Codec([Mumble])


def test_a_field_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(ValueError, match="notes is neither"):
        Codec([Sing])


def test_an_action_that_nobody_registered_is_not_written() -> None:
    with pytest.raises(ValueError, match="Shout is not one of the registered"):
        encode(Shout(1, "hey"))


def test_two_buttons_of_one_class_keep_the_names_that_messages_carry() -> None:
    for custom_id, action in {
        "history:1:9:2:0:4:0": TurnHistory(1, 9, 2, 0, 4),
        "history-details:1:9:2:0:4:0": TurnHistory(1, 9, 2, 0, 4, details=True),
        "audit.player:1:9:2:3": TurnAccount(1, 9, 2, 3),
        "audit.trade:1:9:2:3": TurnAccount(1, 9, 2, 3, trade=True),
        "hand-give:1:2:1:01:d66ecb": GiveCards(1, 2, 1, "01", "d66ecb"),
        "hand-details:1:2:1:01:d66ecb": GiveCards(1, 2, 1, "01", "d66ecb", details=True),
    }.items():
        assert (encode(action), decode(custom_id)) == (custom_id, action)


def test_a_button_from_before_a_command_got_another_field_works_on() -> None:
    """A field is added at the end, with a default: posted buttons lack it."""
    assert decode("do:1:advciv.trading.open::0") == Press(1, OpenTrading(None, since=0))
    assert decode("do:1:advciv.trading.open") == Press(1, OpenTrading(since=0))
    assert decode("do:1:advciv.trading.open::0:0:0:0") is None
    assert decode("do:1:offer.sign") is None  # which offer?
