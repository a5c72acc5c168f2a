"""Everybody can read the scenes: axe looks at each on a phone, in light and dark, with its last menu open."""

from pathlib import Path

import pytest

pytest.importorskip("playwright.async_api", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page, async_playwright
from playwright.async_api import TimeoutError as PlaywrightTimeout

from bot.rehearsal.places import Places
from bot.rehearsal.watching import PlayPlaces
from tests.page.browser import chromium
from tests.page.gallery import shown
from tests.page.scenes import SCENES, Scene, place_of, played
from tests.page.test_everybody import ALSO, ASKED, PHONE, STILL

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_axe_finds_nothing_in_a_scene(scene: Scene, tmp_path: Path) -> None:
    executable = chromium()
    if executable is None:
        pytest.skip("there is no Chromium on this machine")
    found = []
    async with played(scene, tmp_path) as performance, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        places = Places(performance.stage.env, PlayPlaces(performance.stage), changed=lambda: None)
        try:
            for key in scene.look:
                place = place_of(places, key)
                await places.open(place)
                async with shown(browser, scene, key, place, places, PHONE) as page:
                    found += [f"{key}: {each}" for each in await _findings(page)]
        finally:
            await places.close()
            await browser.close()
    assert found == []


LOOK = """([asked, also]) => axe.run(document, {
    runOnly: {type: "tag", values: asked}, rules: also, iframes: false, resultTypes: ["violations"],
}).then(({violations}) => violations.filter(({impact}) => impact !== "minor").flatMap(({id, nodes}) => nodes.map(
    (node) => `${id}: ${node.target}: ${node.failureSummary}`)))"""
"""What axe finds. Minor is that SimCord's forms are dialogs themselves, in place of lying in one."""


async def _findings(page: Page) -> list[str]:
    """Return what axe finds in a page in both themes, with its last menu open."""
    menu = page.locator(".select-trigger:enabled")
    for _ in range(6 if await menu.count() else 0):  # on a busy machine it closes when the page is drawn anew
        await menu.last.click()
        try:
            await page.locator(".preview-select.is-open").wait_for(timeout=3000)
        except PlaywrightTimeout:
            continue
        break
    await page.evaluate(AXE_SCRIPT)
    found = []
    for theme in ("dark", "light"):
        await page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        await page.wait_for_function(STILL)
        found += [f"{theme}: {each}" for each in await page.evaluate(LOOK, [ASKED, ALSO])]
    return found
