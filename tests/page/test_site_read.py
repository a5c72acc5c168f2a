"""Tests of the documentation site's accessibility and size, on a phone and on a desktop, in light
and dark.

`make test` reads three pages on a phone, `make long` six on either.
"""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
)
pytest.importorskip("zensical", reason="zensical is not installed")

from axe_playwright_python.base import AXE_SCRIPT

from tests import site
from tests.page.test_everybody import ASKED, COLOURS, DESKTOP, PHONE
from tests.scale import long, variants

pytestmark = [pytest.mark.browser, pytest.mark.slow]

READ = ("", "players/", "rules/", *long(("hosts/", "players-advciv/", "moderators/")))
OPENED = "details:not(.group), .group:first-of-type"
"""What is opened for axe: all but most groups of rules, which look the same."""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Write nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The site, built and served."""
    assert site.main() == 0
    handler = functools.partial(_Quiet, directory=str(site.BUILD / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize("screen", variants("phone", "desktop"))
@pytest.mark.parametrize("path", READ)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    browser, limited, address, path, screen
) -> None:
    size = {"phone": PHONE, "desktop": DESKTOP}[screen]
    all_rules, colours = {"type": "tag", "values": ASKED}, {"type": "rule", "values": COLOURS}
    with browser.new_context(viewport={"width": size[0], "height": size[1]}) as context:
        page = context.new_page()
        for theme, rules in (("light", all_rules), ("dark", colours)):
            page.emulate_media(color_scheme=theme)
            page.goto(address + path)
            page.evaluate(
                "all => document.querySelectorAll(all).forEach((each) => { each.open = true; })",
                OPENED,
            )
            page.evaluate(AXE_SCRIPT)
            found = page.evaluate(
                "only => axe.run(document, only).then((all) => all.violations)", {"runOnly": rules}
            )
            assert [(each["id"], each["nodes"][0]["target"]) for each in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_front_page_is_light(browser, limited, address) -> None:
    with browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}) as context:
        page = context.new_page()
        sizes: dict[str, int] = {}
        page.on(
            "response",
            lambda answer: sizes.update({answer.url: int(answer.headers["content-length"])}),
        )
        page.goto(address, wait_until="networkidle")
        loaded = {url.rpartition("/")[2]: size for url, size in sizes.items()}
        loaded.pop("search.json", None)  # fetched when the page stands, for the search
        assert sum(loaded.values()) < 700_000, loaded


def test_all_rules_are_short_on_a_phone_and_found(browser, limited, address) -> None:
    with browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}) as context:
        page = context.new_page()
        page.goto(f"{address}rules/")
        assert page.evaluate("document.documentElement.scrollHeight") < 3000
        page.get_by_label("Find a rule").fill("neighbour turn once")
        assert page.get_by_text("One transaction with each neighbour a turn").is_visible()
        assert 0 < page.locator("details:visible:not(.group)").count() < 10
        page.get_by_label("Find a rule").fill("")
        page.goto(f"{address}rules/#ti4-94.2")
        assert page.get_by_text("94.2 names relic fragments for one side only").is_visible()
