"""A person who sits at several tables is asked which one their DMs are about; an old button shows the new revision."""

from __future__ import annotations

from tests.cogs.evening import Evening, text_of


async def test_a_dm_asks_which_table_and_remembers(playing: Evening) -> None:
    elsewhere = playing.stage.guild.create_text_channel("elsewhere")
    alice = playing.stage.person("alice").member
    await alice.slash(elsewhere, "table open", game="ti4", name="Saturday")
    await alice.slash(elsewhere, "table sit", seat="xxcha")
    playing.stage.look()

    asked = await playing.types("alice", "holdings show", in_dm=True)
    assert "Which one are your DMs about?" in text_of(asked)
    playing.stage.look()
    chosen = await playing.stage.choose("alice", ("Saturday (ti4)",), None)
    assert "Your DMs are about Saturday now" in text_of(chosen)
    shown = await playing.types("alice", "holdings show", in_dm=True)
    assert "Xxcha" in text_of(shown)
    assert "Trade goods: 0" in text_of(shown)


async def test_a_press_on_an_old_revision_is_refused_and_shows_the_new_one(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    playing.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=None)  # cards stay
    await playing.types("alice", "offer alter", offer="1", give="3 tg")
    playing.stage.look()
    old = await playing.press("bob", "Accept", "revision 1")
    assert "has been altered: it is at revision 2 now" in text_of(old)
    assert "3 trade goods" in text_of(old)
    assert "Offer #1, revision 2" in text_of(old)
    new = await playing.press("bob", "Accept", "revision 2")
    assert "transaction 1" in text_of(new)
