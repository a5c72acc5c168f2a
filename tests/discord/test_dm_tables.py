"""Who sits at several tables is asked which one their DMs are about; and an old revision's button shows the new one."""

from __future__ import annotations

from tests.discord.evening import Evening, said


async def test_a_dm_asks_which_table_and_remembers(playing: Evening) -> None:
    elsewhere = playing.stage.guild.create_text_channel("elsewhere")
    alice = playing.stage.person("alice").member
    await alice.slash(elsewhere, "table open", game="ti4", name="Saturday")
    await alice.slash(elsewhere, "table sit", seat="xxcha")
    playing.stage.look()

    asked = await playing.types("alice", "holdings show", in_dm=True)
    assert "Which one are your DMs about?" in said(asked)
    playing.stage.look()
    chosen = await playing.stage.choose("alice", ("Saturday (ti4)",), None)
    assert "Your DMs are about Saturday now" in said(chosen)
    shown = await playing.types("alice", "holdings show", in_dm=True)
    assert "Xxcha" in said(shown)
    assert "Trade goods: 0" in said(shown)


async def test_a_press_on_an_old_revision_is_refused_and_shows_the_new_one(playing: Evening) -> None:
    await playing.types("alice", "offer post", to="@bob", give="1 tg")
    playing.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=30046, times=None)  # cards stay as old
    await playing.types("alice", "offer alter", offer="1", give="3 tg")
    playing.stage.look()
    old = await playing.press("bob", "Accept", "revision 1")
    assert "has been altered: it is at revision 2 now" in said(old)
    assert "3 trade goods" in said(old)
    assert "Offer #1, revision 2" in said(old)
    new = await playing.press("bob", "Accept", "revision 2")
    assert "transaction 1" in said(new)
