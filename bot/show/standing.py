"""The other offers of a person after a trade: which still stand, and which they can't keep any more."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.views import EntryView, StandingView
from bot.show.cards import BUTTONS_MAX, Button, Rows, buttons
from bot.show.names import name_text

UNMET_MAX = BUTTONS_MAX
"""The most unkeepable offers with a reason and a button each; further ones appear by number."""


def standing_lines(entry: EntryView) -> list[str]:
    """Return what became of the viewer's other offers after this trade, as one block; empty if there are none."""
    still = [each for each in entry.standing if not each.unmet]
    unmet = [each for each in entry.standing if each.unmet]
    lines = [f"Still standing: {_list(still)}."] if still else []
    lines += [f"⚠️ Can't be met any more: {_called(each)}. {name_text(entry, each.unmet)}" for each in unmet[:UNMET_MAX]]
    if rest := unmet[UNMET_MAX:]:
        lines.append(f"⚠️ Nor can {_list(rest)}: /offer withdraw.")
    return ["\n".join(lines)] if lines else []


def end_rows(entry: EntryView) -> Rows:
    """Return a row of buttons to take back the offers that can't be kept, and a row to take back the trade."""
    unmet = [each for each in entry.standing if each.unmet][:UNMET_MAX]
    row = tuple(Button(_label(each, of_several=len(unmet) > 1), each.end, "danger") for each in unmet)
    slip = (buttons([entry.take_back]),) if entry.take_back else ()
    return (*((row,) if row else ()), *slip)


def _label(each: StandingView, *, of_several: bool) -> str:
    if each.posted:
        return f"Withdraw offer {each.offer}" if of_several else "Withdraw"
    return f"Back out of offer {each.offer}" if of_several else "Back out"


def _list(offers: Sequence[StandingView]) -> str:
    return ", ".join(map(_called, offers))


def _called(each: StandingView) -> str:
    what = "your wish" if each.wish else "your offer" if each.posted else "what you accepted, offer"
    return f"{what} {each.offer}{' (suspended)' if each.suspended else ''}"
