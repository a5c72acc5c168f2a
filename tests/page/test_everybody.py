"""Tests of the page's accessibility: keyboard, light and dark, phone, screen reader."""

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
)

from axe_playwright_python.base import AXE_SCRIPT

from tests.page.conftest import SOON
from tests.page.test_page import Tab
from tests.scale import SCALE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SERIOUS = ("serious", "critical")
ASKED = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
COLOURS = ("color-contrast", "link-in-text-block")
STILL = (
    "document.getAnimations().every(each => each.playState !== 'running' || "
    "each.effect.getTiming().iterations > 9)"
)
ALSO = {"label-content-name-mismatch": {"enabled": True}}
"""Rules that axe leaves out when it is not asked for them."""
FRAMED = {"runOnly": {"type": "rule", "values": ["frame-focusable-content"]}}
"""The one rule about a frame's content that takes a look from outside."""
DESKTOP = (1280, 860)
PHONE = (390, 844)


@pytest.fixture
def window(browser, limited):
    """Makes windows of a size and a theme, and closes them."""
    opened = []

    def made(size=DESKTOP, theme="dark", **more):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=theme, **more
        )
        context.set_default_timeout(SOON)
        opened.append(context)
        return context

    yield made
    for context in opened:
        context.close()


def findings(page) -> list[str]:
    """What axe finds serious in a page, and in the place that it shows, SimCord's page in a frame:
    in both themes.

    Only colours depend on the theme, so the other one is asked about them alone.
    """
    shown = page.locator("iframe.shown").element_handle().content_frame()
    for each in (page, shown):
        if not each.evaluate("'axe' in window"):
            each.evaluate(AXE_SCRIPT)
    other = {"dark": "light", "light": "dark"}[
        page.evaluate("document.documentElement.dataset.theme")
    ]
    _is_still(page)
    found = _findings(page, FRAMED)
    found += _each_alone(page, shown, {"runOnly": {"type": "tag", "values": ASKED}, "rules": ALSO})
    page.emulate_media(color_scheme=other)
    page.locator(f"html[data-theme={other}]").wait_for(state="attached")
    _is_still(page)
    return found + _each_alone(page, shown, {"runOnly": {"type": "rule", "values": COLOURS}})


def _is_still(page) -> None:
    """Waits for the end of what moves: a badge grows, and is another colour meanwhile."""
    page.wait_for_timeout(100)
    for each in page.frames:
        while not each.evaluate(STILL):  # ends with the test's limit
            page.wait_for_timeout(20)


def _each_alone(page, shown, options) -> list[str]:
    """What is found in the page and in the frame; from one into the other, axe takes six times as
    long.
    """
    alone = {**options, "iframes": False}
    return [*_findings(page, alone), *_findings(shown, alone)]


def _findings(document, options) -> list[str]:
    found = document.evaluate(
        "options => axe.run(document, options).then(found => found.violations)",
        {**options, "resultTypes": ["violations"]},
    )
    said = []
    for rule in found:
        if rule["impact"] in SERIOUS:
            nodes = rule["nodes"]
            said += [f"{rule['id']}: {node['target']}: {node['failureSummary']}" for node in nodes]
    return said


def test_axe_finds_nothing_serious(window, bourse) -> None:
    """On the start page, at a table with an offer and a form open, in a DM, and in a play that is
    watched.

    All of it as a phone shows it; on a desktop a command that is typed, and all of it in `make
    long`. The page is opened on a phone, and becomes as wide as either.
    """
    tab = Tab(window(size=PHONE, has_touch=True, is_mobile=True), bourse.address, "alice.table")
    tab.sees("Alice")
    page = tab.page
    sizes = Sizes(page)
    assert findings(page) == []
    sizes.desktop()
    _open_tries(page)
    if SCALE > 1:
        assert findings(page) == []

    for size, hint in (
        (sizes.desktop, "Press Enter to send it."),
        (sizes.phone, "Tap the arrow to send it."),
    ):
        size()
        _open_tries(page)
        page.locator("#tries li button").nth(1).click()
        page.get_by_text(hint).wait_for()
        if size == sizes.desktop or SCALE > 1:
            assert findings(page) == []
    tab.send()
    tab.badge("dave.dm").wait_for(state="attached")
    assert _everywhere(page, sizes) == []

    page.locator('[data-person="dave"] .who').click()
    tab.press("Counter")
    tab.press("Write it…")
    tab.frame.locator(".modal-dialog").wait_for()
    assert _everywhere(page, sizes) == []
    tab.frame.locator(".modal-close").click()

    _watch(page, "first_trade.play")
    for number in range(1, 9):
        page.get_by_role("button", name="Next step").click()
        page.get_by_text(f"Step {number} of").wait_for()
    tab.frame.locator(".channel-message").first.wait_for()
    assert _everywhere(page, sizes) == []
    for size in (sizes.desktop, sizes.phone):
        size()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def _everywhere(page, sizes: "Sizes") -> list[str]:
    """What is found on a phone, which it is afterwards, and in `make long` on a desktop."""
    found = []
    if SCALE > 1:
        sizes.desktop()
        found = findings(page)
    sizes.phone()
    return found + findings(page)


class Sizes:
    """A page that is now on a desktop and now on a phone."""

    def __init__(self, page) -> None:
        self._page = page
        self._browser = page.context.new_cdp_session(page)

    def desktop(self) -> None:
        self._be(DESKTOP, mobile=False)

    def phone(self) -> None:
        self._be(PHONE, mobile=True)

    def _be(self, size: tuple[int, int], mobile: bool) -> None:
        screen = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": mobile}
        self._browser.send("Emulation.setDeviceMetricsOverride", screen)
        self._browser.send("Emulation.setTouchEmulationEnabled", {"enabled": mobile})
        self._page.wait_for_function(
            "([width, mobile]) => innerWidth === width && matchMedia('(pointer: coarse)').matches "
            "=== mobile",
            arg=[size[0], mobile],
        )


def _open_tries(page) -> None:
    if not page.locator("#tries li button").first.is_visible():
        page.locator("#tries > summary").click()


def _watch(page, name: str) -> None:
    _open_tries(page)
    page.locator("#choose > summary").click()
    page.locator(f'#plays option[value="{name}"]').wait_for(state="attached")
    page.locator("#plays").select_option(name)
    page.get_by_role("button", name="Watch it").click()
    page.get_by_role("button", name="Next step").wait_for()


def test_the_theme_is_the_systems_until_one_is_chosen(window, shared) -> None:
    tab = Tab(window(theme="light"), shared.address, "alice.table")
    assert _themes(tab) == ("light", "light")
    tab.page.get_by_role("button", name="Dark", exact=True).click()
    assert _themes(tab) == ("dark", "dark")
    tab.page.reload()
    tab.frame.locator("#channel-composer-input").wait_for()
    assert _themes(tab) == ("dark", "dark")
    tab.page.get_by_role("button", name="Light", exact=True).click()
    tab.page.emulate_media(color_scheme="dark")
    tab.page.locator("html[data-theme=dark]").wait_for(state="attached")
    assert _themes(tab) == ("dark", "dark")


def _themes(tab) -> tuple[str, str]:
    """The theme of the page, and what the conversation in it looks like."""
    red = tab.frame.locator("body").evaluate(
        "body => Number(getComputedStyle(body).backgroundColor.match(/\\d+/)[0])"
    )
    return tab.page.evaluate(
        "document.documentElement.dataset.theme"
    ), "light" if red > 128 else "dark"


def test_with_names_to_read_aloud_and_a_keyboard_alone(window, bourse) -> None:
    """From the skip link to a trade: an example is typed, sent, and accepted, without ever touching
    the mouse.
    """
    tab = Tab(window(), bourse.address, "alice.table")
    _has_names(tab.page)
    page, keys = tab.page, tab.page.keyboard
    page.evaluate("document.activeElement.blur(); window.focus()")
    page.locator("body").evaluate(
        "body => { body.tabIndex = -1; body.focus(); body.removeAttribute('tabindex'); }"
    )
    keys.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    assert page.locator("#skip").bounding_box()["y"] >= 0
    keys.press("Enter")
    assert tab.frame.locator("#channel-composer-input").evaluate(
        "field => field === document.activeElement"
    )
    # Chromium lets the keyboard reach what scrolls, other browsers do so only where the page says
    # so.
    assert tab.frame.locator("#channel-timeline").get_attribute("tabindex") == "0"

    _tab_to(page, "[data-key='try:ti4:1']")
    outline = page.locator("[data-key='try:ti4:1']").evaluate(
        "button => getComputedStyle(button).outlineStyle"
    )
    assert outline == "solid"
    keys.press("Enter")
    page.wait_for_function("document.activeElement.tagName === 'IFRAME'")
    tab.enter()
    tab.badge("dave.dm").wait_for()
    _tab_to(page, "[data-key='dave.dm']")
    keys.press("Enter")
    tab.sees("Alice")
    for _ in range(40):
        if tab.frame.locator(":focus").evaluate_all(
            "found => found.some((each) => each.textContent === 'Accept')"
        ):
            break
        keys.press("Shift+Tab")
    keys.press("Enter")
    tab.sees("transaction 1")

    keys.press("Alt+ArrowUp")
    page.locator('[data-person="dave"] .place[data-kind="table"][aria-current]').wait_for()


def test_a_message_has_few_tab_stops_and_the_conversation_a_heading(window, shared) -> None:
    """Beside its own buttons a message has one: its tools, which the arrow keys reach."""
    tab = Tab(window(), shared.address, "alice.table")
    tab.sees("New offer")
    assert tab.frame.locator("h1.visually-hidden").inner_text() == "# table as Alice"
    tools = tab.frame.locator(".message-action-button")
    tab.frame.locator(".message-action-button[tabindex='-1']").last.wait_for(state="attached")
    assert tools.count() > 2
    extra = tab.conversation.locator(".channel-message").evaluate_all(
        """messages => messages.map(
            message => [...message.querySelectorAll("button, a, [tabindex]")]
            .filter(each => each.tabIndex >= 0 && !each.matches(".component-button")).length)"""
    )
    assert extra
    assert set(extra) == {1}
    for _ in range(10):  # the page draws anew what the bot edits meanwhile, and the focus is gone
        tools.first.focus()
        tab.page.keyboard.press("ArrowRight")
        if tools.nth(1).evaluate("tool => tool === document.activeElement"):
            return
    raise AssertionError("the arrow does not reach the second tool")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_table_begins_with_its_board_in_sight(window, shared, size) -> None:
    """What everybody was answered while it was set up is gone, and nothing hides the button to
    begin with.
    """
    tab = Tab(window(size=size), shared.address, "alice.table")
    new_offer = tab.conversation.get_by_role("button", name="New offer", exact=True)
    new_offer.wait_for()
    assert not tab.conversation.get_by_text("Only you can see this").count()
    assert _rests_at_end(tab)
    assert (
        new_offer.evaluate(
            "each => new Promise(done => new IntersectionObserver(([seen]) => "
            "done(seen.intersectionRatio)).observe(each))"
        )
        == 1
    )


def test_nothing_is_missed_while_a_command_types_itself(window, shared) -> None:
    """Suggestions that are still on their way are not called missing, in no frame that is drawn."""
    tab = Tab(window(), shared.address, "alice.table")
    tab.sees("New offer")
    tab.frame.locator("body").evaluate(
        """body => {
            window.missed = [];
            const look = () => {
                const found = document.querySelector(".command-empty");
                if (found?.checkVisibility({visibilityProperty: true}))
                    window.missed.push(found.textContent);
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    tab.page.locator("#tries li button").nth(1).click()
    tab.page.get_by_text("Press Enter to send it.").wait_for()
    assert tab.frame.locator("body").evaluate("() => window.missed") == []


def test_what_is_picked_in_a_menu_is_kept_until_it_is_applied(window, shared) -> None:
    """The menu of several has an Apply of its own; beside it, a tap while the page waits loses
    nothing.
    """
    tab = Tab(window(size=PHONE, has_touch=True, is_mobile=True), shared.address, "alice.table")
    tab.page.get_by_role("button", name="Advanced Civilization").tap()
    tab.sees("Trading is open")
    tab.offer("Bob", "grain, oil, ? (silver)", "2 salt, ?")
    tab.page.locator('[data-person="bob"] .who').tap()
    tab.press("Agree")
    menu = tab.frame.get_by_role("combobox").last
    menu.tap()
    bar = tab.frame.get_by_role("group", name="Your choice")
    tab.frame.get_by_role("option", name="Iron").tap()  # what is worth least is picked already
    bar.get_by_text("1 picked").wait_for()
    tab.frame.get_by_role("option", name="Bronze").tap()
    bar.get_by_text("2 picked").wait_for()
    assert bar.get_by_role("button", name="Apply").is_visible()
    # no word is broken on a phone
    for each in (*bar.get_by_role("button").all(), bar.get_by_text("2 picked")):
        assert each.evaluate(
            "each => each.scrollWidth <= each.clientWidth && each.clientHeight < 40"
        ), each.inner_text()

    held = []  # the answer to a message that Bob writes, without leaving the menu

    def hold(route) -> None:
        held.append(route)

    tab.page.route("**/api/action", hold)
    tab.frame.locator("#channel-composer").evaluate(
        """form => {
            form.querySelector("textarea").value = "one moment";
            form.querySelector("textarea").dispatchEvent(new InputEvent("input", {bubbles: true}));
            form.requestSubmit();
        }"""
    )
    tab.frame.locator(".select-apply:disabled").wait_for()
    # at the edge of the frame, in sight: a menu closes when the page scrolls to what is not
    edge = tab.page.locator("iframe.shown").bounding_box()
    tab.page.touchscreen.tap(edge["x"] + edge["width"] / 2, edge["y"] + 8)
    tab.page.wait_for_timeout(200)
    assert bar.get_by_text("2 picked").is_visible()
    for route in held:
        route.continue_()
    tab.page.unroute("**/api/action")
    tab.conversation.get_by_role("button", name="Hand over Salt, Salt, Bronze").wait_for()
    assert menu.get_attribute("aria-expanded") == "false"


def _has_names(page) -> None:
    """What a screen reader says of the rail."""
    assert page.locator("h1").inner_text() == "Bourse"
    assert (
        page.get_by_role("navigation", name="Who you are, and where").get_by_role("button").count()
        == 12
    )
    names = [page.locator(f'[data-key="alice.{place}"]').aria_snapshot() for place in ("ti4", "dm")]
    assert "table as Alice" in names[0]
    assert "DM with Bourse as Alice" in names[1]
    for place in page.locator(".place").all():
        assert place.get_attribute("aria-label") is None
    assert page.get_by_role("button", name="Light", exact=True).count() == 1


def _tab_to(page, selector: str) -> None:
    """Presses Tab until something has the focus. It goes around, through the frame as well."""
    page.evaluate("document.getElementById('theme').focus()")
    for _ in range(40):
        if page.locator(selector).evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} can't be reached")


def test_the_timeline_stays_at_its_end_when_a_picture_loads(window, shared) -> None:
    tab = Tab(window(size=(900, 600)), shared.address, "alice.table")
    tab.command("table show")
    tab.send()
    tab.conversation.locator("img.gallery-image, .component-gallery img").last.wait_for()
    assert _rests_at_end(tab)
    (gap,) = _grown(tab, 700)
    assert gap <= 2
    # Who has scrolled up to read stays where they are.
    tab.conversation.hover()
    for _ in range(10):  # on a busy machine the wheel may have to be turned more than once
        tab.page.mouse.wheel(0, -900)
        tab.page.wait_for_timeout(700)  # it glides
        if _gap(tab) > 300:
            break
    before, after = _grown(tab, 700, 900)
    assert after > max(300, before)


def _grown(tab, *heights: int) -> list[float]:
    """How far from its end the timeline is with a picture at its end, which loads and then has each
    of these heights.

    The bot may edit a message at any moment, and the page then draws the timeline anew, which takes
    away what is not a message. So the picture comes, grows, is looked at and goes in one step,
    repeated if the page drew meanwhile.
    """
    for _ in range(10):
        gaps = tab.conversation.evaluate(
            """async (timeline, heights) => {
                const messages = timeline.querySelector("#channel-message-list");
                const picture = document.createElement("img");
                picture.style.display = "block";
                const drawn = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="700"/>';
                picture.src = "data:image/svg+xml," + encodeURIComponent(drawn);
                messages.append(picture);
                const gaps = [];
                for (const height of heights) {
                    picture.style.height = `${height}px`;
                    await new Promise(done => setTimeout(done, 700));
                    gaps.push(timeline.scrollHeight - timeline.clientHeight - timeline.scrollTop);
                }
                const stayed = messages.isConnected && messages.contains(picture);
                picture.remove();
                return stayed ? gaps : null;
            }""",
            heights,
        )
        if gaps is not None:
            return gaps
    raise AssertionError("the timeline is redrawn all the time")


def _gap(tab) -> float:
    """How far from its end the timeline is, in pixels."""
    return tab.conversation.evaluate(
        "line => line.scrollHeight - line.clientHeight - line.scrollTop"
    )


def _rests_at_end(tab) -> bool:
    """Whether the timeline comes to rest at its end, with all its pictures loaded.

    On a busy machine a late answer may move it once more, so rest is two looks in a row.
    """
    loaded = "line => [...line.querySelectorAll('img')].every(each => each.complete)"
    looks_at_end = 0
    for _ in range(40):
        at_end = tab.conversation.evaluate(loaded) and _gap(tab) <= 2
        looks_at_end = looks_at_end + 1 if at_end else 0
        if looks_at_end == 2:
            return True
        tab.page.wait_for_timeout(400)
    return False


def test_a_slow_place_is_not_said_to_be_closed(window, shared) -> None:
    """For twenty seconds its fonts don't come, and no complaint is made; it opens all the same."""
    context = window()
    page = context.new_page()
    held = []

    def hold(route) -> None:
        held.append(route)

    page.route("**/api/pages", hold)
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto(f"{shared.address}#alice.table")
    while not held:  # ends with the test's limit
        page.clock.run_for(1)
        page.wait_for_timeout(20)
    for _ in range(17):
        page.clock.run_for(1000)
        page.wait_for_timeout(50)
    assert not page.get_by_text("does not open").count()
    for route in held:
        route.continue_()
    page.unroute("**/api/pages")
    page.clock.resume()
    page.frame_locator("iframe.shown").locator("#channel-composer-input").wait_for()
    page.wait_for_timeout(1000)
    assert page.locator("#toast").is_hidden()
