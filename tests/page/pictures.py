"""Takes the documentation's pictures and the animation anew: `make pictures`, or with names of
pages for some of them.

`tests.shots` says which they are. They are what a phone shows in the dark, as webp in
docs/pictures; what is read on them goes into words.json beside them, and a test compares it with
what the program says now.
"""

from __future__ import annotations

import asyncio
import io
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright

from bot.rehearsal.places import Places
from bot.rehearsal.plays import Performance
from bot.rehearsal.watching import PlayPlaces
from tests.page.browser import chromium
from tests.page.gallery import shown
from tests.page.scenes import Scene
from tests.shots import PICTURES, WORDS, Shot, lines_of, message, pages, perform, words

PHONE = (390, 400)
TALL = (390, 1600)
"""Of a phone, and one that shows any card as a whole."""
COLOURS = 64
MARGIN = 60
"""What is left out of a single picture: the column of Bourse's own portrait."""
TAPPED, READ, LAST = 450, 1900, 3600
"""Milliseconds that a tap, a screen and the last screen of a film are shown."""
DRESS = """({id, bar}) => {
    document.querySelectorAll("#channel-timeline .channel-message")
        .forEach((each) => each.classList.toggle("past", each.dataset.messageId !== id));
    document.body.insertAdjacentElement("beforeend", document.createElement("div")).id = "whose";
    document.getElementById("whose").textContent = bar;
}"""
STYLE = """
.past, [class*="divider"], .channel-composer, .message-context-actions,
.message-time, .message-gutter-time,
#whose:empty {
    display: none !important;
}
#channel-timeline { padding-top: 48px; }
#whose { position: fixed; inset: 0 0 auto; z-index: 9; padding: 12px 16px;
    background: #1e1f22; color: #fff;
    font: 600 17px system-ui, sans-serif; }
#ring { position: fixed; z-index: 99; width: 44px; height: 44px;
    border: 3px solid #f0b232; border-radius: 50%;
    background: #f0b23266; transform: translate(-50%, -50%); }
"""
ALONE = """
.channel-message { padding-block: 14px !important; }
.message-header, .message-interaction-header { display: none !important; }"""
RING = """([x, y]) => {
    const ring = document.body.appendChild(document.createElement("div"));
    ring.id = "ring";
    Object.assign(ring.style, { left: `${x}px`, top: `${y}px` });
}"""


class Camera:
    """Takes the pictures of one page's play."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.screens: dict[str, list[tuple[Image.Image, int]]] = defaultdict(list)
        self.words: dict[str, list[list[str]]] = defaultdict(list)

    async def take(self, performance: Performance, shot: Shot) -> None:
        """Take a shot."""
        source = PlayPlaces(performance.stage)
        places = Places(performance.stage.env, source)
        key = f"play.{shot.who}.{shot.kind}"
        place = places.get(key)
        assert place is not None, key
        seen = message(performance.stage, shot)
        size, scale = (PHONE, 1.5) if shot.film else (TALL, 2)
        try:
            await places.open(place)
            async with shown(
                self.browser, Scene(shot.file, "", ()), key, place, places, size, scale
            ) as page:
                await self._photograph(page, shot, str(seen.id))
        finally:
            await places.close()
        self.words[shot.file].append(lines_of(seen))

    async def _photograph(self, page: Page, shot: Shot, id: str) -> None:
        place = "direct messages" if shot.kind == "dm" else "the channel"
        bar = f"{shot.who.title()}'s phone · {place}" if shot.film else ""
        await page.evaluate("document.documentElement.dataset.theme = 'dark'")
        await page.add_style_tag(content=STYLE if shot.film else STYLE + ALONE)
        await page.evaluate(DRESS, {"id": id, "bar": bar})
        await page.wait_for_timeout(300)
        screens = self.screens[shot.file]
        if not shot.film:
            box = await page.locator(".channel-message:not(.past)").bounding_box()
            assert box is not None, shot
            card = {**box, "x": MARGIN, "width": PHONE[0] - MARGIN}
            screens.append((_image(await page.screenshot(clip=card)), 0))
            return
        screens.append((_image(await page.screenshot()), READ if shot.press else LAST))
        if shot.press:
            button = page.locator(".channel-message:not(.past)").get_by_role(
                "button", name=shot.press, exact=True
            )
            box = await button.last.bounding_box()
            assert box is not None, shot
            await page.evaluate(RING, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
            screens.append((_image(await page.screenshot()), TAPPED))

    def save(self) -> None:
        """Write the pictures."""
        for file, screens in self.screens.items():
            first, *others = (
                image.quantize(COLOURS, dither=Image.Dither.NONE).convert("RGB")
                for image, _ in screens
            )
            more = {
                "save_all": True,
                "append_images": others,
                "duration": [ms for _, ms in screens],
                "loop": 0,
            }
            first.save(
                PICTURES / file, lossless=True, quality=100, method=6, **(more if others else {})
            )
            size = (PICTURES / file).stat().st_size
            print(f"{file}: {first.width} × {first.height}, {size} bytes")


def _image(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


async def main(names: list[str]) -> int:
    executable = chromium()
    if executable is None:
        print("There is no Chromium on this machine, so there are no pictures.")
        return 1
    if unknown := set(names) - set(pages()):
        print(f"There is no page {', '.join(sorted(unknown))} with a play.")
        return 2
    found = words() if names else {}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox"]
        )
        for name in names or pages():
            camera = Camera(browser)
            with tempfile.TemporaryDirectory() as folder:
                if wrong := await perform(name, Path(folder), camera.take):
                    print(*wrong, sep="\n")
                    return 1
            camera.save()
            found |= camera.words
        await browser.close()
    WORDS.write_text(
        json.dumps(dict(sorted(found.items())), ensure_ascii=False, indent=1) + "\n", "utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
