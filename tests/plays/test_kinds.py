"""Tests that each kind of message names a play that sends it."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from bot.rules.entries import Entry
from bot.rules.feature import Feature, Features
from bot.rules.model.actions import Choice
from bot.rules.model.table import Table
from bot.rules.views import FollowUpView, PromptView
from bot.show.custom_ids import codec
from tests.plays import kinds as kinds_of_plays
from tests.plays.kinds import SHOWN_IN, USED_IN, kinds

NOT_IN_PLAYS = {
    *("card guide.arrival_card", "card guide.about_card"),
    *("card board.gone_card", "card guide.bring_card", "card guide.bring_instead_card"),
    "card timeline.put_back_card",
}
"""Kinds that no play can show: in a play the bot joins no server (`tests/cogs/test_arrival.py`
shows those cards), there is one channel, which stays (`tests/wire/test_places.py`), and no ledger
is put back (`tests/wire/test_put_back.py`).
"""


def test_every_kind_of_message_names_its_play() -> None:
    assert kinds() - set(SHOWN_IN) == NOT_IN_PLAYS, "a message that no play shows"
    assert set(SHOWN_IN) <= kinds(), "a message that there is no more"


def test_each_kind_of_prompt_and_hint_of_a_feature_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def rains(table: Table, entry: Entry) -> list[FollowUpView]:
        return []

    def dries(table: Table, entry: Entry) -> list[FollowUpView]:
        return []

    def pays(table: Table) -> list[PromptView]:
        return []

    weather = Features([Feature(prompts=pays, follow_ups=(rains, dries))])
    monkeypatch.setattr(kinds_of_plays, "games", lambda: {"bazaar": Mock(features=weather)})
    kinds = set(kinds_of_plays._askers.__wrapped__().values())
    here = "tests.plays.test_kinds"
    assert {f"prompt {here}.pays", f"hint {here}.rains", f"hint {here}.dries"} <= kinds


def test_every_menu_names_its_play() -> None:
    choices = {name for name, kind in codec().kinds.items() if issubclass(kind, Choice)}
    assert choices - set(USED_IN) == {"dm-table", "advciv.surrender_form"}, (
        "tests/cogs/test_dm_tables.py; a form's"
    )
