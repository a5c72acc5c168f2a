"""What a stranger does with the page: type as anybody, press as anybody, see everything come by itself."""

import signal
from collections.abc import Callable

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
PlaywrightTimeout = sync_api.TimeoutError

pytestmark = [pytest.mark.browser, pytest.mark.slow]


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
        """Adds an option in the last menu and closes it; it stays open while the page waits for an answer."""
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
        self.frame.locator(".command-entry").filter(has=self.frame.locator(f"strong:text-is('/{name}')")).click()

    def field(self, option: str):
        """An option's field, asked for first if it may be left out."""
        field = self.frame.locator(f'.command-option-input[data-option="{option}"]')
        suggestion = self.frame.locator(f'.command-suggestion[data-value="{option}"]')
        for _ in range(6):  # the list is drawn anew while somebody types, and may slip from under a click
            if field.count():
                break
            try:
                self.frame.locator(".command-ghost").click(timeout=5000)
                suggestion.click(timeout=5000)
            except PlaywrightTimeout:
                continue
        return field

    def pick(self, option: str, typed: str, choice: str) -> None:
        self.field(option).press_sequentially(typed)
        self.frame.locator(".command-suggestion").filter(has_text=choice).first.click()

    def send(self) -> None:
        self._sends(self.frame.locator("#send-message").click)

    def enter(self) -> None:
        """Sends what the rail has typed, as it says."""
        self.page.get_by_text("Press Enter to send it.").wait_for()
        self._sends(lambda: self.page.keyboard.press("Enter"))

    def _sends(self, act: Callable[[], None]) -> None:
        """Sends what stands in the composer. On a busy machine it may be done before the page is ready to take it."""
        self.front()
        for _ in range(6):
            act()
            try:
                self.frame.locator("#channel-composer-input").wait_for(timeout=5000)
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


@pytest.fixture
def tab(bourse, tabs):
    return lambda place: Tab(tabs, bourse.address, place)


def test_the_page_opens_on_a_table_of_four_and_asks_only_for_the_fonts_that_its_texts_need(shared, tabs) -> None:
    asked: list[str] = []
    tabs.on("request", lambda request: asked.append(request.url))
    alice = Tab(tabs, shared.address, "alice.table")
    names = alice.page.locator(".who > span:nth-child(2)").all_inner_texts()
    assert names == ["Alice", "Bob", "Carol", "Dave"]
    assert alice.page.locator(".place").count() == 8
    alice.sees("Hacan")
    assert alice.page.title() == "Alice · # table · Bourse"
    alice.frame.locator('#preview-app[aria-busy="false"]').wait_for()
    avatar = alice.conversation.locator("img.entity-avatar-img").last
    assert avatar.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") == 128
    fonts = {url.rpartition("/")[2].partition("-v")[0] for url in asked if "/fonts/" in url}
    # A symbol before Alice's first DM, which the page keeps ready, may ask for emoji.
    assert fonts - {"noto-color-emoji"} == {"noto-sans-latin"}


def test_two_tabs_at_a_table(tab) -> None:
    """After a refusal, an offer with autocomplete is accepted in the DM; then both offer at once."""
    alice, carol = tab("alice.table"), tab("carol.table")
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
            one.frame.locator("#channel-composer-input").wait_for(timeout=5000)
        except PlaywrightTimeout:  # on a busy machine the click came before the page was ready to take it
            one.send()
    for one in (alice, carol):
        one.conversation.get_by_text("Offer 3").first.wait_for()
        one.conversation.get_by_text("Offer 4").first.wait_for()


def test_a_restart_keeps_the_table_and_the_open_page_comes_back(bourse, tab) -> None:
    alice = tab("alice.table")
    alice.offer("Dave", "1 c", "2 tg")
    alice.badge("dave.dm").wait_for()
    bourse.end(signal.SIGKILL)
    alice.page.get_by_text("Bourse has left the table").wait_for()

    bourse.start().ready()
    alice.page.get_by_text("Bourse has left the table").wait_for(state="hidden")
    alice.sees("Friday night")
    alice.go("dave.dm")
    alice.press("Accept")
    alice.sees("transaction 1")


def test_a_phone_has_everybody_at_the_top(browser, limited, shared) -> None:
    window = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    try:
        phone = Tab(window, shared.address, "alice.table")
        phone.page.get_by_role("heading", name="Carol").tap()
        assert phone.page.title() == "Carol · # table · Bourse"
        phone.place("carol.dm").tap()
        assert phone.page.title() == "Carol · DM with Bourse · Bourse"
        assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
    finally:
        window.close()
