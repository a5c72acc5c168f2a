"""Tests of the scenes' accessibility with axe: on a phone, in light and dark, with the last menu
open.

The usual run reads one place of each scene in `READ`. With SCALE_OF_TESTS above 1, as in `make
long`, every place of all scenes is read, which takes eight minutes of a core. One browser serves
all of them.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

pytest.importorskip("playwright.async_api", reason="playwright is not installed")
pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
)

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Browser, Page, async_playwright
from playwright.async_api import TimeoutError as PlaywrightTimeout

from bot.rehearsal.places import Places
from bot.rehearsal.watching import PlayPlaces
from tests.page.browser import chromium, starting
from tests.page.conftest import LONGEST
from tests.page.gallery import shown
from tests.page.scenes import SCENES, Scene, place_of, played
from tests.page.test_everybody import ALSO, ASKED, COLOURS, PHONE, STILL
from tests.scale import SCALE

pytestmark = [pytest.mark.browser, pytest.mark.slow]


READ = {
    "advciv-compose": "alice.table",  # menus of several
    "advciv-hand-over": "bob.dm",  # a DM, sealed cards
    "help-at-a-table": "alice.table",  # headings, lists, links
    "ti4-board": "alice.table",  # a board with its picture, greyed buttons
    "ti4-negotiation": "alice.thread",  # a thread
    "ti4-write-it": "alice.table",  # a form
}
"""The place that the usual run reads of a scene: one of each kind."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """The system's Chromium, in the event loop of all these tests."""
    executable = chromium()
    if executable is None:
        pytest.skip("there is no Chromium on this machine")
    async with async_playwright() as playwright:
        with starting():
            browser = await playwright.chromium.launch(
                executable_path=executable, args=["--no-sandbox"]
            )
        yield browser
        await browser.close()


def test_what_is_read_is_a_place_of_a_scene() -> None:
    looks = {scene.name: scene.look for scene in SCENES}
    for name, key in READ.items():
        assert key in looks[name], name


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "scene",
    [scene for scene in SCENES if SCALE > 1 or scene.name in READ],
    ids=lambda scene: scene.name,
)
async def test_axe_finds_nothing_in_a_scene(scene: Scene, browser: Browser, tmp_path: Path) -> None:
    async with asyncio.timeout(LONGEST):
        assert (
            await _read(scene, scene.look if SCALE > 1 else (READ[scene.name],), browser, tmp_path)
            == []
        )


async def _read(scene: Scene, look: tuple[str, ...], browser: Browser, folder: Path) -> list[str]:
    """Return what axe finds in these places of a scene."""
    found = []
    async with played(scene, folder) as performance:
        places = Places(performance.stage.env, PlayPlaces(performance.stage))
        try:
            for key in look:
                place = place_of(places, key)
                await places.open(place)
                async with shown(browser, scene, key, place, places, PHONE) as page:
                    found += [f"{key}: {each}" for each in await _findings(page)]
        finally:
            await places.close()
    return found


LOOK = """(options) => axe.run(document, {
    ...options, iframes: false, resultTypes: ["violations"],
}).then(({violations}) => violations
    .filter(({impact}) => impact !== "minor")
    .flatMap(({id, nodes}) => nodes.map(
        (node) => `${id}: ${node.target}: ${node.failureSummary}`)))"""
"""What axe finds. Minor is that SimCord's forms are dialogs themselves, in place of lying in
one.
"""


async def _findings(page: Page) -> list[str]:
    """Return what axe finds in a page, with its last menu open. Only colours depend on the
    theme.
    """
    menu = page.locator(".select-trigger:enabled")
    # on a busy machine it closes when the page is drawn anew
    for _ in range(6 if await menu.count() else 0):
        await menu.last.click()
        try:
            await page.locator(".preview-select.is-open").wait_for(timeout=3000)
        except PlaywrightTimeout:
            continue
        break
    await page.evaluate(AXE_SCRIPT)
    found = []
    all_rules, colours = {"type": "tag", "values": ASKED}, {"type": "rule", "values": COLOURS}
    for theme, options in (
        ("dark", {"runOnly": all_rules, "rules": ALSO}),
        ("light", {"runOnly": colours}),
    ):
        await page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        await page.wait_for_function(STILL)
        found += [f"{theme}: {each}" for each in await page.evaluate(LOOK, options)]
    return found
