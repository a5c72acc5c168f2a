"""Draws the README's animation anew: `python -m tests.page.animation`. New offer → Accept, on a phone, in five taps.

It is the rehearsal page itself: each picture is what Chromium shows, with a ring where somebody taps.
"""

import io
import re
import signal
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, sync_playwright

from tests.page.browser import chromium
from tests.page.conftest import Bourse
from tests.page.test_page import Tab

ANIMATION = Path(__file__).with_name("trade.webp")
BYTES_MAX = 1_000_000
PHONE = {"width": 390, "height": 720}
TAPPED, READ = 450, 1900
"""Milliseconds that a tap and a card are shown."""
RING = """([x, y]) => {
    const ring = document.getElementById("ring") ?? document.body.appendChild(document.createElement("div"));
    ring.id = "ring";
    Object.assign(ring.style, {
        position: "fixed", left: `${x - 22}px`, top: `${y - 22}px`, width: "44px", height: "44px", zIndex: 99,
        borderRadius: "50%", background: "#f0b23266", border: "3px solid #f0b232", pointerEvents: "none",
    });
}"""


class Film:
    """Pictures of a page, one after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pictures: list[Image.Image] = []
        self.milliseconds: list[int] = []

    def show(self, milliseconds: int) -> None:
        """Take a picture that is shown so long."""
        self.pictures.append(Image.open(io.BytesIO(self.page.screenshot())).convert("RGB"))
        self.milliseconds.append(milliseconds)

    def tap(self, target: Locator) -> None:
        """Show a ring on a button, then tap it. What follows is shown once it stands still."""
        target.wait_for()
        self.page.wait_for_timeout(700)
        self.show(READ)
        box = target.bounding_box()
        assert box is not None
        self.page.evaluate(RING, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
        self.show(TAPPED)
        self.page.evaluate("document.getElementById('ring').remove()")
        target.tap()

    def save(self, path: Path) -> None:
        """Save it as an animation that begins again at its end."""
        first, *others = self.pictures
        first.save(
            path, save_all=True, append_images=others, duration=self.milliseconds, loop=0, quality=80, method=6
        )  # fmt: skip


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        bourse = Bourse(Path(folder)).start().ready()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        window = browser.new_context(
            viewport=PHONE,
            device_scale_factor=2,
            has_touch=True,
            is_mobile=True,
            color_scheme="dark",
            reduced_motion="reduce",
        )
        window.set_default_timeout(60_000)
        tab = Tab(window, bourse.address, "alice.table")
        film = Film(tab.page)

        def button(label: str) -> Locator:
            return tab.conversation.get_by_role("button", name=re.compile(f"^{label}")).last

        for label in ("New offer", "Bob", "Swap"):
            film.tap(button(label))
        tab.badge("bob.dm").wait_for(state="attached")
        film.tap(tab.page.locator('[data-person="bob"] .who'))
        film.tap(button("Accept"))
        tab.sees("transaction 1")
        tab.page.wait_for_timeout(1500)
        film.show(READ + 1200)
        film.save(ANIMATION)
        browser.close()
        bourse.end(signal.SIGINT)
    size = ANIMATION.stat().st_size
    print(f"{ANIMATION.name}: {len(film.pictures)} pictures, {size} bytes")
    return 0 if size < BYTES_MAX else 1


if __name__ == "__main__":
    sys.exit(main())
