"""Tests of the page in a browser: type and press as anybody, see changes arrive, watch plays."""

import re
import signal
from collections.abc import Callable

import pytest

from bot.rehearsal.cast import rehearsals
from data.any import presets
from tests.page.conftest import SOON

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
PlaywrightTimeout = sync_api.TimeoutError

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AGAIN = 20_000
"""Milliseconds until something is clicked again that the page may not have been ready to take."""


def _take(suggestion, timeout: int = SOON) -> None:
    """Take a line of a list that is drawn anew while somebody types: a click may fall between two
    drawings, on nothing.
    """
    suggestion.dispatch_event("click", timeout=timeout)


class Tab:
    """One tab, and the place it shows."""

    def __init__(self, window, address: str, place: str) -> None:
        self.page = window.new_page()
        self.page.goto(f"{address}#{place}")
        self.frame = self.page.frame_locator("iframe.shown")
        self.frame.locator("#channel-composer-input").wait_for()

    def front(self) -> None:
        """A browser lets what is behind go slowly."""
        self.page.bring_to_front()

    def go(self, place: str) -> None:
        self.front()
        self.place(place).click()
        self.frame.locator("#channel-composer").wait_for()

    def place(self, place: str):
        """A place in the rail: PERSON.table, which is that of the game shown, or PERSON.dm."""
        person, _, kind = place.partition(".")
        return self.page.locator(f'[data-person="{person}"] .place[data-kind="{kind}"]')

    @property
    def conversation(self):
        return self.frame.locator("#channel-timeline")

    def sees(self, text: str) -> None:
        self.conversation.get_by_text(text).last.wait_for()

    def press(self, label: str) -> None:
        self.conversation.get_by_role("button", name=label, exact=True).last.click()

    def choose(self, option: str) -> None:
        """Adds an option in the last menu and closes it; it stays open while the page waits for an
        answer.
        """
        menu = self.frame.get_by_role("combobox").last
        menu.click()
        self.frame.get_by_role("option", name=option).first.click()
        for _ in range(30):
            menu.click()
            if menu.get_attribute("aria-expanded") == "false":
                return
            self.page.wait_for_timeout(200)
        raise AssertionError(f"the menu stays open: {menu.inner_text()}")

    def badge(self, place: str):
        return self.place(place).locator(".badge")

    def command(self, name: str) -> None:
        """Types as much of a command as finds it, and picks it from the list."""
        self.front()
        composer = self.frame.locator("#channel-composer-input")
        composer.click()
        composer.fill(f"/{name[:-3]}")
        composer.press_sequentially(name[-3:-2])  # the list is drawn anew at each letter
        entry = self.frame.locator(".command-entry").filter(
            has=self.frame.locator(f"strong:text-is('/{name}')")
        )
        _take(entry)

    def field(self, option: str):
        """An option's field, asked for first if it may be left out."""
        field = self.frame.locator(f'.command-option-input[data-option="{option}"]')
        others = self.frame.locator(".command-ghost")
        suggestion = self.frame.locator(f'.command-suggestion[data-value="{option}"]')
        for _ in range(6):
            field.or_(others).first.wait_for()
            if field.count():
                break
            try:
                others.click(timeout=AGAIN)
                _take(suggestion, timeout=AGAIN)
                field.wait_for(timeout=AGAIN)
            except PlaywrightTimeout:
                continue
        return field

    def pick(self, option: str, typed: str, choice: str) -> None:
        self.field(option).press_sequentially(typed)
        _take(self.frame.locator(".command-suggestion").filter(has_text=choice).first)

    def send(self) -> None:
        self._sends(self.frame.locator("#send-message").click)

    def enter(self) -> None:
        """Sends what the rail has typed, as it says."""
        self.page.get_by_text("Press Enter to send it.").wait_for()
        self._sends(lambda: self.page.keyboard.press("Enter"))

    def _sends(self, act: Callable[[], None]) -> None:
        """Sends what stands in the composer. On a busy machine it may be done before the page is
        ready to take it.
        """
        self.front()
        for _ in range(6):
            act()
            try:
                self.frame.locator("#channel-composer-input").wait_for(timeout=AGAIN)
            except PlaywrightTimeout:
                continue
            return
        raise AssertionError("the command stays in the composer")

    def offer(self, to: str, give: str, want: str) -> None:
        self.command("offer post")
        self.pick("to", to[:3].lower(), to)
        self.field("give").fill(give)
        self.field("want").fill(want)
        self.send()


def test_the_page_opens_on_a_table_of_four_and_asks_only_for_the_fonts_that_its_texts_need(
    shared, tabs
) -> None:
    asked: list[str] = []
    tabs.on("request", lambda request: asked.append(request.url))
    alice = Tab(tabs, shared.address, "alice.table")
    names = alice.page.locator(".who > span:nth-child(2)").all_inner_texts()
    assert names == ["Alice", "Bob", "Carol", "Dave"]
    assert alice.page.locator(".place").count() == 8
    for place in ("alice.table", "dave.dm"):
        sync_api.expect(alice.place(place)).to_be_in_viewport(ratio=1)
    alice.sees("Hacan")
    assert alice.page.title() == "Alice · # table · Bourse"
    alice.frame.locator('#preview-app[aria-busy="false"]').wait_for()
    avatar = alice.conversation.locator("img.entity-avatar-img").last
    assert avatar.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") == 128
    fonts = {url.rpartition("/")[2].partition("-v")[0] for url in asked if "/fonts/" in url}
    # A symbol before Alice's first DM, which the page keeps ready, may ask for emoji.
    assert fonts - {"noto-color-emoji"} == {"noto-sans-latin"}


def test_two_tabs_at_a_table(shared, tabs) -> None:
    """After a refusal, an offer with autocomplete is accepted in the DM; then both offer at
    once.
    """
    alice, carol = (Tab(tabs, shared.address, place) for place in ("alice.table", "carol.table"))
    _is_refused(alice)
    alice.command("offer post")
    alice.pick("to", "bo", "Bob")
    alice.pick("give", "2 t", "2 trade goods")
    alice.pick("want", "1 c", "1 commodit")
    alice.send()
    alice.sees("2 trade goods")
    carol.sees("2 trade goods")

    alice.badge("bob.dm").wait_for()
    alice.go("bob.dm")
    alice.badge("bob.dm").wait_for(state="detached")
    alice.sees("Alice (Hacan)")
    alice.press("Accept")
    alice.sees("transaction 1")
    carol.sees("transaction 1")

    alice.go("alice.table")
    _survives_half_typed(alice, carol)
    _act_at_once(alice, carol)


def _is_refused(one: Tab) -> None:
    """A refusal is read in place, and the composer is free again."""
    one.command("holdings spend")
    one.field("goods").fill("9 tg")
    one.send()
    one.sees("Only you can see this")
    one.frame.locator("#channel-composer-input").wait_for()
    assert one.page.locator("#toast").is_hidden()


def _survives_half_typed(alice: Tab, carol: Tab) -> None:
    """What others do, and looking elsewhere, leaves a half-typed command as it is."""
    alice.command("offer post")
    give = alice.field("give")
    give.press_sequentially("3 trade go")
    carol.offer("Dave", "1 tg", "1 c")
    alice.conversation.get_by_text("Offer 2").first.wait_for()
    assert give.input_value() == "3 trade go"
    assert give.evaluate("field => field === field.ownerDocument.activeElement")
    alice.go("alice.dm")
    alice.go("alice.table")
    assert give.input_value() == "3 trade go"


def _act_at_once(alice: Tab, carol: Tab) -> None:
    """Two tabs may send at once, here one of them what was half typed."""
    carol.command("offer post")
    for one, to in ((alice, "Carol"), (carol, "Alice")):
        one.front()
        one.pick("to", to[:2].lower(), to)
        one.field("give").fill("1 tg")
        one.field("want").fill("1 tg")
    alice.frame.locator("#send-message").dispatch_event("click")
    carol.frame.locator("#send-message").dispatch_event("click")
    for one in (alice, carol):
        try:
            one.frame.locator("#channel-composer-input").wait_for(timeout=AGAIN)
        # on a busy machine the click came before the page was ready to take it
        except PlaywrightTimeout:
            one.send()
    for one in (alice, carol):
        one.conversation.get_by_text("Offer 3").first.wait_for()
        one.conversation.get_by_text("Offer 4").first.wait_for()


def test_a_phone_has_everybody_at_the_top(browser, limited, shared) -> None:
    window = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    window.set_default_timeout(SOON)
    try:
        phone = Tab(window, shared.address, "alice.table")
        all_shown = "games => games.scrollWidth <= games.clientWidth"
        assert phone.page.locator("#games").evaluate(all_shown), "no game's name is cut"
        phone.page.get_by_role("heading", name="Carol").tap()
        assert phone.page.title() == "Carol · # table · Bourse"
        phone.place("carol.dm").tap()
        assert phone.page.title() == "Carol · DM with Bourse · Bourse"
        assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
        phone.place("carol.table").tap()
        phone.command("table open")
        phone.frame.locator(".command-chip").first.tap()  # it says more of itself than fits
        phone.frame.get_by_text("Open a table in this channel").wait_for()
        sends = phone.frame.locator("#send-message")
        sync_api.expect(sends).to_be_in_viewport(ratio=1, timeout=SOON)
    finally:
        window.close()


def test_a_place_that_opens_on_a_phone_is_no_wider_than_it(browser, limited, shared) -> None:
    window = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    window.set_default_timeout(SOON)
    try:
        page = window.new_page()
        page.route("**/api/action", lambda route: None)  # the server is slow to answer
        page.goto(f"{shared.address}#alice.table")
        timeline = page.frame_locator("iframe.shown").locator("#channel-timeline")
        timeline.locator(".channel-message").first.wait_for()
        assert timeline.evaluate("box => box.clientWidth") == 390
        page.unroute_all(behavior="ignoreErrors")
    finally:
        window.close()


def test_a_thread_is_in_sight_on_a_phone(browser, limited, bourse) -> None:
    window = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    window.set_default_timeout(SOON)
    try:
        phone = Tab(window, bourse.address, "alice.table")
        phone.command("negotiate open")
        phone.pick("with", "bo", "Bob")
        phone.send()
        thread = phone.page.locator('[data-person="alice"] .place[data-kind="thread"]')
        thread.wait_for()
        assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
        thread.evaluate("button => button.click()")
        phone.sees("A negotiation")
        right = thread.evaluate("button => button.getBoundingClientRect().right")
        tries = phone.page.locator("#tries > summary").bounding_box()
        assert right <= tries["x"], "what there is to try lies on it"
    finally:
        window.close()


def test_who_looks_away_while_a_place_opens_finds_it_open(shared, tabs) -> None:
    tab = Tab(tabs, shared.address, "alice.table")
    waiting = []

    def hold(route) -> None:
        waiting.append(route)

    tab.page.route("**/api/pages", hold, times=1)
    tab.place("carol.table").click()
    while not waiting:
        tab.page.wait_for_timeout(50)
    tab.place("alice.table").click()
    tab.place("carol.table").click()
    tab.page.wait_for_timeout(500)
    waiting[0].continue_()
    tab.frame.locator("#channel-composer-input").wait_for()


def test_a_first_trade_takes_five_taps_and_a_second_is_typed(bourse, tabs) -> None:
    """From the command that starts it: the example, Bob, a proposal, Bob's DM, **Accept**. The page
    points them out.
    """
    first = Tab(tabs, bourse.address, "alice.table")
    first.sees("Alice")

    first.page.locator("#tries li button").first.click()
    for label in ("Bob", "Swap"):
        pointed_out = first.frame.locator("[data-next]", has_text=re.compile(f"^{label}"))
        first.page.get_by_text(f"Now press {label}").wait_for()
        pointed_out.click()
    first.page.get_by_text("Then press Accept in the DM that is highlighted").last.wait_for()
    first.badge("bob.dm").wait_for()
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


def test_what_the_page_asks_for_it_asks_until_it_is_done(bourse, tabs) -> None:
    """Half a minute is not enough for everybody to read it."""
    for example, asked in ((0, "Now press Bob"), (1, "Press Enter to send it.")):
        alice = Tab(tabs, bourse.address, "alice.table")
        alice.page.clock.install()
        alice.page.locator("#tries li button").nth(example).click()
        message = alice.page.locator("#toast", has_text=asked)
        message.wait_for()
        alice.page.clock.fast_forward(30_000)
        assert message.is_visible()
        alice.go("alice.dm")
        assert message.is_hidden()


def test_a_restart_keeps_the_table_of_every_game_and_the_open_page_comes_back(bourse, tabs) -> None:
    alice = Tab(tabs, bourse.address, "alice.table")
    alice.offer("Dave", "1 c", "2 tg")
    alice.badge("dave.dm").wait_for()
    names = alice.page.locator("#games button > span:first-child").all_inner_texts()
    assert len(names) == len(rehearsals())
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

    bourse.end(signal.SIGKILL)
    alice.page.get_by_text("Bourse has left the table").wait_for()
    bourse.start(forked=True, BOURSE_GAME="advciv").ready()
    alice.page.get_by_text("Bourse has left the table").wait_for(state="hidden")
    alice.sees("Friday night")
    alice.go("dave.dm")
    alice.press("Accept")
    alice.sees("transaction 1")
    again = Tab(tabs, bourse.address, "alice.table")
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

GOES_WELL = """\
alice: /table open game:ti4
alice: /table sit seat:hacan
bob: /table sit seat:sol
alice: /holdings set player:@alice goods:"5 tg"
alice: /turn start player:@alice
  bob sees "Hacan"
alice: /holdings show
  sees "Trade goods: 5"
"""


def test_a_play_step_by_step_and_one_by_itself(shared, tabs) -> None:
    (shared.folder / "stranger.play").write_text(PLAY)
    (shared.folder / "well.play").write_text(GOES_WELL)
    watcher = Tab(tabs, shared.address, "bob.dm")
    before = _messages(watcher)
    watcher.go("alice.table")
    _is_watched_step_by_step(watcher)
    _plays_by_itself(watcher)
    # The table of the rehearsal has seen nothing of it.
    watcher.page.get_by_role("button", name="Leave the play").click()
    watcher.go("bob.dm")
    assert _messages(watcher) == before


def _messages(tab: Tab) -> list[str]:
    """The ids of the messages in the place shown."""
    tab.frame.locator('#preview-app[aria-busy="false"]').wait_for()
    return tab.conversation.locator(".channel-message").evaluate_all(
        "all => all.map(each => each.dataset.messageId)"
    )


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
    assert (
        watcher.page.get_by_role("button", name="Next step").get_attribute("aria-disabled")
        == "true"
    )
    assert not watcher.frame.locator("#channel-composer").is_visible()

    watcher.page.get_by_role("button", name="Leave the play").click()
    watcher.sees("Friday night")
    assert "You are Alice" in watcher.page.locator("#as").inner_text()


def _plays_by_itself(watcher: Tab) -> None:
    """With a pause, and nothing in it can be pressed."""
    choose(watcher, "well.play")
    watcher.page.get_by_role("button", name="Play", exact=True).click()
    watcher.page.get_by_text("Step 2 of").wait_for()
    watcher.page.get_by_role("button", name="Pause").click()
    watcher.page.wait_for_timeout(2500)
    at = watcher.page.locator("#step").inner_text()
    watcher.page.wait_for_timeout(2500)
    assert watcher.page.locator("#step").inner_text() == at
    done, of = map(int, re.findall(r"\d+", at))
    steps(watcher, of - 1, done + 1)  # quicker than by itself
    watcher.frame.locator(".component-button").last.click()
    watcher.page.get_by_text("You are watching a play").wait_for()
    watcher.page.get_by_role("button", name="Play", exact=True).click()
    watcher.page.get_by_text("all as expected").wait_for(timeout=60_000)
    assert watcher.page.locator("#steps > li.ahead").count() == 0


def test_what_is_handed_over_only_the_two_know(shared, tabs) -> None:
    """A trade with hidden cards: accepted, chosen and handed over by two, and a third is none the
    wiser.
    """
    alice, carol = (Tab(tabs, shared.address, place) for place in ("alice.table", "carol.table"))
    for each in (alice, carol):
        each.front()
        each.page.get_by_role("button", name="Advanced Civilization").click()
        each.sees("Trading is open")
    sync_api.expect(carol.place("dave.dm")).to_be_in_viewport(ratio=1)
    alice.offer("Bob", "grain, oil, ? (silver)", "2 salt, ?")
    alice.sees("Sets")

    alice.go("bob.dm")
    alice.press("Agree")
    alice.sees("Choose 1 more card")
    alice.press("Hand over Salt, Salt, Iron")
    alice.sees("You have handed over")

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


def test_a_game_of_ones_own_comes_as_a_file(shared, tabs, tmp_path) -> None:
    alice = Tab(tabs, shared.address, "alice.table")
    alice.page.get_by_role("button", name="Your own game").click()
    alice.page.locator('.place[data-key="alice.any"]').wait_for()
    alice.sees("Settlers' island")
    file = tmp_path / "isle.toml"
    file.write_text(presets()["island"].replace("gifts = false", "gifts = true"), "utf-8")
    alice.command("any text")
    alice.frame.locator('input[type="file"]').last.set_input_files(file)
    alice.send()
    alice.sees("trade.gifts: false → true")
