"""Several games on one page, each at a table of its own; plays that are watched; a first trade, and a hidden one."""

import re
import signal

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from bot.rehearsal.cast import rehearsals
from tests.page.test_page import Tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_first_trade_takes_five_taps_and_a_second_is_typed(stopped, tabs) -> None:
    """From the command that starts it: the example, Bob, a proposal, Bob's DM, **Accept**. The page points them out."""
    bourse = stopped.start().ready()
    first = Tab(tabs, bourse.address, "alice.table")
    first.sees("Alice")

    first.page.locator("#tries li button").first.click()
    for label in ("Bob", "Swap"):
        pointed_out = first.frame.locator("[data-next]", has_text=re.compile(f"^{label}"))
        first.page.get_by_text(f"Now press {label}").wait_for()
        pointed_out.click()
    first.badge("bob.dm").wait_for()
    first.page.get_by_text("Then press Accept in Bob's DM").last.wait_for()
    first.page.locator('[data-person="bob"] .who').click()
    first.press("Accept")
    first.sees("transaction 1")
    assert "4 commodities" in first.conversation.inner_text()
    assert first.page.locator("#tries li.done").count() == 1

    # The second takes four actions, from elsewhere: pick it, send it, open Dave's DM, accept.
    first.page.locator("#tries li button").nth(1).click()
    first.enter()
    first.badge("dave.dm").wait_for()
    first.go("dave.dm")
    first.press("Accept")
    first.sees("transaction 2")


def test_every_game_has_a_table_of_its_own_and_keeps_it_over_a_restart(bourse, tabs) -> None:
    alice = Tab(tabs, bourse.address, "alice.table")
    names = alice.page.locator("#games button > span:first-child").all_inner_texts()
    assert len(names) == len(rehearsals())
    assert alice.page.get_by_role("button", name="Twilight Imperium 4").get_attribute("aria-pressed") == "true"
    alice.page.get_by_role("button", name="Advanced Civilization").click()
    alice.page.locator('.place[data-key="alice.advciv"]').wait_for()
    alice.sees("Trading is open")
    assert "Egypt" in alice.page.locator("#as").inner_text()
    alice.page.locator("#tries li button").last.click()
    alice.enter()
    alice.sees("Only you can see this")

    alice.page.get_by_role("button", name="Twilight Imperium 4").click()
    alice.page.locator('.place[data-key="bob.ti4"]').wait_for()
    assert alice.page.title().startswith(("Bob", "("))
    alice.sees("Friday night")
    assert alice.frame.get_by_text("Trading is open").count() == 0
    alice.page.close()

    bourse.end(signal.SIGTERM)
    bourse.start().ready()
    again = Tab(tabs, bourse.address, "alice.advciv")
    again.sees("Trading ends in")
    again.page.get_by_role("button", name="Twilight Imperium 4").click()
    again.page.locator('.place[data-key="alice.ti4"]').wait_for()


def test_plays_are_searched_by_words_of_their_names_and_titles(shared, tabs) -> None:
    tab = Tab(tabs, shared.address, "alice.table")
    tab.page.locator("#choose > summary").click()
    found = tab.page.locator("#found")
    tab.page.get_by_text(re.compile(r"^\d+ plays$")).wait_for()
    tab.page.locator("#wanted").fill("first  TRADE")
    tab.page.get_by_text(re.compile(r"^\d+ of \d+ plays$")).wait_for()
    assert tab.page.locator('#plays option[value="first_trade.play"]').count() == 1
    tab.page.locator("#wanted").fill("no play is called this")
    assert found.inner_text() == "No play has these words."
    tab.page.locator("#wanted").fill("first_trade.play")
    tab.page.locator("#wanted").press("Enter")
    tab.page.get_by_role("button", name="Next step").wait_for()
    assert tab.page.locator("#watch h2").inner_text() == "first_trade.play"
    tab.page.get_by_role("button", name="Leave the play").click()


def choose(tab: Tab, name: str) -> None:
    if tab.page.locator("#choose").get_attribute("open") is None:
        tab.page.locator("#choose > summary").click()
    tab.page.locator(f'#plays option[value="{name}"]').wait_for(state="attached")
    tab.page.locator("#plays").select_option(name)
    tab.page.get_by_role("button", name="Watch it").click()
    tab.page.get_by_role("button", name="Next step").wait_for()


def steps(tab: Tab, number: int, first: int = 1) -> None:
    for step in range(first, number + 1):
        tab.page.get_by_role("button", name="Next step").click()
        tab.page.get_by_text(f"Step {step} of").wait_for()


PLAY = """\
# what a stranger sees
alice: /table open game:ti4
  records table.opened
alice: /table sit seat:hacan
  sees "a text that nobody ever writes"
alice: /table leave
"""


def test_a_play_step_by_step_and_one_by_itself(bourse, tabs) -> None:
    (bourse.folder / "stranger.play").write_text(PLAY)
    watcher = Tab(tabs, bourse.address, "alice.table")
    _is_watched_step_by_step(watcher)
    _plays_by_itself(watcher)


def _is_watched_step_by_step(watcher: Tab) -> None:
    choose(watcher, "stranger.play")
    steps(watcher, 1)
    watcher.sees("alice")
    step = watcher.page.locator("#steps > li").first
    assert step.get_attribute("aria-current") == "step"
    assert "records table.opened" in step.inner_text()
    assert "The ledger gains table.opened" in step.inner_text()
    assert step.locator(".ok-true").count() == 1

    watcher.page.get_by_role("button", name="Next step").click()
    watcher.page.get_by_text("something else happened").wait_for()
    failed = watcher.page.locator("#steps > li").nth(1)
    assert failed.locator(".ok-false").count() == 1
    assert "Expected: the reply to alice holds" in failed.inner_text()
    # What went wrong ends it, as it does on the command line.
    assert watcher.page.get_by_role("button", name="Next step").get_attribute("aria-disabled") == "true"
    assert not watcher.frame.locator("#channel-composer").is_visible()

    watcher.page.get_by_role("button", name="Leave the play").click()
    watcher.sees("Friday night")
    assert "You are Alice" in watcher.page.locator("#as").inner_text()


def _plays_by_itself(watcher: Tab) -> None:
    """With a pause, and nothing in it can be pressed."""
    choose(watcher, "first_trade.play")
    watcher.page.get_by_role("button", name="Play", exact=True).click()
    watcher.page.get_by_text("Step 2 of").wait_for()
    watcher.page.get_by_role("button", name="Pause").click()
    watcher.page.wait_for_timeout(2500)
    at = watcher.page.locator("#step").inner_text()
    watcher.page.wait_for_timeout(2500)
    assert watcher.page.locator("#step").inner_text() == at
    done, of = map(int, re.findall(r"\d+", at))
    steps(watcher, 7, done + 1)  # quicker than by itself
    watcher.frame.locator(".component-button").last.click()
    watcher.page.get_by_text("You are watching a play").wait_for()
    steps(watcher, of - 3, 8)
    watcher.page.get_by_role("button", name="Play", exact=True).click()
    watcher.page.get_by_text("all as expected").wait_for(timeout=60_000)
    assert watcher.page.locator("#steps > li.ahead").count() == 0
    # The table of the rehearsal has seen nothing of it.
    watcher.page.get_by_role("button", name="Leave the play").click()
    watcher.go("bob.dm")
    assert watcher.frame.get_by_text("transaction").count() == 0


def test_what_is_handed_over_only_the_two_know(stopped, tabs) -> None:
    """A trade with hidden cards: accepted, chosen and handed over by two, and a third is none the wiser."""
    address = stopped.start(BOURSE_GAME="advciv").ready().address
    alice, carol = (Tab(tabs, address, place) for place in ("alice.table", "carol.table"))
    alice.sees("Trading is open")
    alice.offer("Bob", "grain, oil, ? (silver)", "2 salt, ?")
    alice.sees("Sets")

    alice.go("bob.dm")
    alice.press("Agree")
    alice.sees("Choose 1 more card")
    alice.press("Hand over Salt, Salt, Iron")
    alice.sees("is handed over, sealed")

    alice.go("alice.dm")
    alice.press("Hand over Grain, Oil, Epidemic")
    alice.sees("transaction 1")
    alice.sees("0 → 1 Iron")
    alice.go("bob.dm")
    alice.sees("Epidemic")

    carol.front()
    carol.sees("Trading is open")
    for secret in ("Grain", "Epidemic", "Sets"):
        assert not carol.conversation.get_by_text(secret).count(), f"Carol reads of {secret}"
