"""Tests of when a storm counts as clean."""

from __future__ import annotations

from tests.soak.soak import MANY, Report


def test_a_long_storm_in_which_no_answer_was_deferred_is_not_clean() -> None:
    report = Report(kills=MANY)
    assert not report.clean
    assert "No answer was deferred" in report.table()

    report.counts["deferred"] = 1
    assert report.clean
    assert "No answer was deferred" not in report.table()


def test_a_short_storm_may_pass_without() -> None:
    assert Report(kills=MANY - 1).clean
