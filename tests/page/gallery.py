"""Takes pictures of everything that people see: `make screens`, or `python -m tests.page.gallery
NAME...`.

The scenes of `tests.page.scenes` are played on a stage, and what people see of them is photographed
in the system's Chromium, dark and light, on a desktop and on a phone; then the start page.
`build/screens/index.html` shows them all. Beside the pictures of a place lies what a screen reader
would say of it, such as `ti4-offer.bob.dm.txt`.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import sys
import tempfile
import unicodedata
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from html import escape
from pathlib import Path

from playwright.async_api import Browser, Page, Route, async_playwright
from playwright.async_api import Error as PlaywrightError

from bot.rehearsal.places import Place, Places
from bot.rehearsal.server import STATIC
from bot.rehearsal.watching import PlayPlaces
from tests.page.browser import chromium
from tests.page.conftest import Bourse
from tests.page.scenes import SCENES, Broken, Scene, place_of, played

SCREENS = Path(__file__).parents[2] / "build" / "screens"
SIZES: Mapping[str, tuple[int, int]] = {"desktop": (960, 900), "phone": (390, 844)}
WHOLE: Mapping[str, tuple[int, int]] = {"desktop": (1280, 900), "phone": (390, 844)}
"""Of the start page, which has our rail beside the conversation."""
THEMES = ("dark", "light")


async def main(names: list[str]) -> int:
    executable = chromium()
    if executable is None:
        print("There is no Chromium on this machine, so there are no pictures.")
        return 0
    if unknown := set(names) - {scene.name for scene in SCENES} - {"start"}:
        print(f"There is no scene {', '.join(sorted(unknown))}.")
        return 2
    if not names:
        shutil.rmtree(SCREENS, ignore_errors=True)
    SCREENS.mkdir(parents=True, exist_ok=True)
    failures: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox"]
        )
        for scene in SCENES:
            if not names or scene.name in names:
                async with told(scene.name, failures):
                    await take(browser, scene, failures)
        if not names or "start" in names:
            await start_page(browser, failures)
        await browser.close()
    (SCREENS / "index.html").write_text(index(), encoding="utf-8")
    print(*failures, f"{len(list(SCREENS.glob('*.png')))} pictures in {SCREENS}", sep="\n")
    if failures:
        print(f"{len(failures)} failed.")
    return 1 if failures else 0


@asynccontextmanager
async def told(name: str, failures: list[str]) -> AsyncIterator[None]:
    """Note in one line what is broken or takes too long in this block, and go on after it."""
    try:
        yield
    except (Broken, PlaywrightError) as problem:
        failures.append(f"{name}: {str(problem).partition(chr(10))[0]}")


async def take(browser: Browser, scene: Scene, failures: list[str]) -> None:
    """Play a scene and take its pictures. Raises `Broken` when it can't be played."""
    with tempfile.TemporaryDirectory() as folder:
        async with played(scene, Path(folder)) as performance:
            places = Places(performance.stage.env, PlayPlaces(performance.stage))
            try:
                for key in scene.look:
                    place = place_of(places, key)
                    async with told(f"{scene.name}.{key}", failures):
                        await places.open(place)
                        await photograph(browser, scene, key, place, places)
            finally:
                await places.close()


async def photograph(
    browser: Browser, scene: Scene, key: str, place: Place, places: Places
) -> None:
    """Take a place's pictures, and write down what a screen reader says of it."""
    async with shown(browser, scene, key, place, places) as page:
        said = await page.locator("body").aria_snapshot()
        (SCREENS / f"{scene.name}.{key}.txt").write_text(f"{spoken(said)}\n", encoding="utf-8")
        for size, (width, height) in SIZES.items():
            await page.set_viewport_size({"width": width, "height": height})
            await page.wait_for_function(
                "width => document.getElementById('preview-app').clientWidth === width && "
                "simcordPreview.ready",
                arg=width,
            )
            for theme in THEMES:
                await page.evaluate(
                    "theme => { document.documentElement.dataset.theme = theme; }", theme
                )
                await page.evaluate("document.dispatchEvent(new Event('bourse:end'))")
                await page.wait_for_timeout(350)
                await page.screenshot(path=SCREENS / f"{scene.name}.{key}.{size}.{theme}.png")


@asynccontextmanager
async def shown(
    browser: Browser,
    scene: Scene,
    key: str,
    place: Place,
    places: Places,
    size: tuple[int, int] = SIZES["desktop"],
    scale: float = 1,
) -> AsyncIterator[Page]:
    """Show a place in a page of this size, with what somebody presses there at the end. Raises
    `Broken`.
    """
    assert place.preview is not None
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]}, device_scale_factor=scale, bypass_csp=True
    )
    try:
        page = await context.new_page()
        await page.route(lambda url: url.rstrip("/").count("/") == 2, _dressed)

        async def named(route: Route) -> None:
            answer = await route.fetch()
            await route.fulfill(response=answer, body=places.plain(await answer.text()))

        # as our server does it: in a DM SimCord knows the names of its two people only
        if place.kind == "dm":
            await page.route("**/api/state", named)
            await page.route("**/api/pages", named)
        await page.goto(place.preview.url)
        await _ready(page)
        if scene.presses is not None and key.startswith(f"{scene.presses[0]}."):
            button = page.locator("#channel-timeline").get_by_role(
                "button", name=scene.presses[1], exact=True
            )
            if not await button.count():
                raise Broken(f"{scene.presses[0]} sees no button {scene.presses[1]} in {key}")
            async with places.operation(place):
                await button.last.click()
                await page.locator(".modal-dialog").wait_for()
        yield page
        # requests that a closing page no longer answers
        await page.unroute_all(behavior="ignoreErrors")
    finally:
        await context.close()


async def _dressed(route: Route) -> None:
    """Give SimCord's page what our server gives it, in the page itself."""
    answer = await route.fetch()
    own = "".join(
        f"<script>{(STATIC / name).read_text('utf-8')}</script>"
        for name in ("theme.js", "frame.js")
    )
    own += f"<style>{(STATIC / 'frame.css').read_text('utf-8')}</style></head>"
    await route.fulfill(response=answer, body=(await answer.text()).replace("</head>", own, 1))


async def _ready(page: Page) -> None:
    await page.wait_for_function(
        "window.simcordPreview?.ready && window.simcordPreview.authorized", timeout=60_000
    )
    await page.wait_for_timeout(300)


# ---------------------------------------------------------------- what a screen reader says

_NAMED = re.compile(
    r"[\u2190-\u21ff\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?"
)


def spoken(snapshot: str) -> str:
    """Return what assistive technology finds in a page, with each emoji and arrow by its name."""
    return _NAMED.sub(lambda sign: f"({unicodedata.name(sign[0][0], 'sign').lower()})", snapshot)


# ---------------------------------------------------------------- the start page


async def start_page(browser: Browser, failures: list[str]) -> None:
    """Take pictures of the start page: as it opens, with what there is to try, another game, and a
    play.
    """
    with tempfile.TemporaryDirectory() as folder:
        bourse = await asyncio.to_thread(lambda: Bourse(Path(folder)).start().ready())
        try:
            for size, (width, height) in WHOLE.items():
                for theme in THEMES:
                    context = await browser.new_context(
                        viewport={"width": width, "height": height},
                        color_scheme="light" if theme == "light" else "dark",
                    )
                    page = await context.new_page()
                    await page.emulate_media(color_scheme="light" if theme == "light" else "dark")
                    async with told(f"start.{size}.{theme}", failures):
                        await _tour(page, bourse.address, f"{size}.{theme}")
                    await context.close()
        finally:
            bourse.end(signal.SIGINT)


async def _tour(page: Page, address: str, kind: str) -> None:
    async def picture(name: str) -> None:
        await page.wait_for_timeout(900)
        await page.screenshot(path=SCREENS / f"start-{name}.{kind}.png")

    await page.goto(address)
    await (
        page.frame_locator("iframe.shown")
        .locator("#channel-composer-input")
        .wait_for(timeout=60_000)
    )
    await picture("first")
    if kind.startswith("phone"):
        await page.locator("#tries > summary").click()
        await picture("tries")
    await page.locator("#tries li button").nth(1).click()
    await page.get_by_text("to send it.").wait_for()
    await picture("typed")
    await page.get_by_role("button", name="Advanced Civilization").click()
    await page.locator('.place[data-key="alice.advciv"]').wait_for(timeout=60_000)
    await picture("advciv")
    if kind.startswith("phone"):
        await page.locator("#tries > summary").click()
    await page.get_by_text("Or watch a play").click()
    await page.locator("#plays option").first.wait_for(state="attached")
    await page.locator("#plays").select_option("first_trade.play")
    await page.get_by_role("button", name="Watch it").click()
    for number in range(1, 9):
        await page.get_by_role("button", name="Next step").click()
        await page.get_by_text(f"Step {number} of").wait_for()
    await page.frame_locator("iframe.shown").locator(".channel-message").first.wait_for()
    await picture("play")


# ---------------------------------------------------------------- the index


def index() -> str:
    """Return a page with all pictures, those of one thing side by side."""
    shown: dict[str, list[str]] = {}
    for path in sorted(SCREENS.glob("*.png")):
        shown.setdefault(path.name.rsplit(".", 3)[0], []).append(path.name)
    rows = "".join(
        f"<h2>{escape(name)}</h2><p>{''.join(map(_linked, files))}</p>"
        for name, files in shown.items()
    )
    head = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>What people see of '
        "Bourse</title>"
    )
    return f"{head}{rows}</html>\n"


def _linked(file: str) -> str:
    return (
        f'<a href="{escape(file)}"><img src="{escape(file)}" alt="{escape(file)}" '
        'height="420"></a> '
    )


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
