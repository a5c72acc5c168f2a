"""Tests that each kind of message names a play that sends it."""

from __future__ import annotations

from bot.rules.model.actions import Choice
from bot.show.custom_ids import codec
from tests.plays.kinds import SHOWN_IN, USED_IN, kinds

NOT_IN_PLAYS = {
    *("card guide.arrival_card", "card guide.about_card"),
    *("card board.gone_card", "card guide.bring_card"),
}
"""Kinds that no play can show: in a play the bot joins no server (`tests/cogs/test_arrival.py`
shows those cards), and there is one channel, which stays (`tests/wire/test_places.py`).
"""


def test_every_kind_of_message_names_its_play() -> None:
    assert kinds() - set(SHOWN_IN) == NOT_IN_PLAYS, "a message that no play shows"
    assert set(SHOWN_IN) <= kinds(), "a message that there is no more"


def test_every_menu_names_its_play() -> None:
    choices = {name for name, kind in codec().kinds.items() if issubclass(kind, Choice)}
    assert choices - set(USED_IN) == {"dm-table", "advciv.surrender_form"}, (
        "tests/cogs/test_dm_tables.py; a form's"
    )
