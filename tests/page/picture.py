"""Draws the README's picture anew: `python -m tests.page.picture`. The page as it is, after a first offer."""

import shutil
import signal
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.page.conftest import Bourse
from tests.page.test_page import Tab

PICTURE = Path(__file__).with_name("table.png")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        bourse = Bourse(Path(folder)).start().ready()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        window = browser.new_context(viewport={"width": 1280, "height": 860})
        tab = Tab(window, bourse.address, "alice.table")
        tab.offer("Bob", "2 tg, ceasefire", "3 c")
        tab.sees("2 trade goods")
        tab.page.wait_for_timeout(1500)
        tab.page.screenshot(path=PICTURE)
        browser.close()
        bourse.end(signal.SIGINT)


if __name__ == "__main__":
    main()
