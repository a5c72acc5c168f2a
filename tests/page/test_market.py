"""A trade with hidden cards in the browser: accepted, chosen and handed over by two, and a third is none the wiser."""

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.page.test_page import Tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def tab(stopped, tabs):
    address = stopped.start(BOURSE_GAME="advciv").ready().address
    return lambda place: Tab(tabs, address, place)


def test_what_is_handed_over_only_the_two_know(tab) -> None:
    alice, carol = tab("alice.table"), tab("carol.table")
    alice.sees("Trading is open")
    alice.offer("Bob", "grain, oil, ? (silver)", "2 salt, ?")
    alice.sees("Your sets")

    alice.go("bob.dm")
    alice.press("Agree")
    alice.sees("Choose 3 cards")
    _hand_over(alice, "Iron", "Hand over Salt, Salt, Iron")
    alice.sees("is handed over, sealed")

    alice.go("alice.dm")
    _hand_over(alice, "Epidemic", "Hand over Grain, Oil, Epidemic")
    alice.sees("transaction 1")
    alice.sees("0 → 1 Iron")
    alice.go("bob.dm")
    alice.sees("Epidemic")

    carol.front()
    carol.sees("Trading is open")
    for secret in ("Grain", "Epidemic", "Your sets"):
        assert not carol.conversation.get_by_text(secret).count(), f"Carol reads of {secret}"


def _hand_over(tab: Tab, card: str, label: str) -> None:
    """Adds this card to those that were named, which are chosen already, and presses the button that names them all."""
    tab.choose(card)
    tab.press(label)
