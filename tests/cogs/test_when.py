"""Tests of times as people type them, and their time zones. It is Friday 23 October 2026, 18:00 in
Berlin.
"""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import available_timezones

import pytest

from bot.rules.model.violation import Refused
from cogs.when import CITIES, read_when, read_zone

NOW = datetime(2026, 10, 23, 16, 0, tzinfo=UTC)


def read(text: str, zone: str = "Europe/Berlin") -> str:
    at = datetime.fromtimestamp(read_when(text, zone, NOW) / 1000, UTC)
    return f"{at:%a %d %b %H:%M}"


@pytest.mark.parametrize(
    ("typed", "meant"),
    {
        "Friday 19:30": "Fri 23 Oct 17:30",
        "friday 17:30": "Fri 30 Oct 16:30",  # today it is past, and then it is winter time
        "next Friday 19:30": "Fri 30 Oct 18:30",
        "fri, 7:30pm": "Fri 23 Oct 17:30",
        "Sat 7 pm": "Sat 24 Oct 17:00",
        "on thurs at 19.30": "Thu 29 Oct 18:30",
        "19:30": "Fri 23 Oct 17:30",
        "17:00": "Sat 24 Oct 15:00",
        "7pm tomorrow": "Sat 24 Oct 17:00",
        "tomorrow, 20h": "Sat 24 Oct 18:00",
        "tonight 8 p.m.": "Fri 23 Oct 18:00",
        "today 12:00": "Fri 23 Oct 10:00",
        "noon tomorrow": "Sat 24 Oct 10:00",
        "12am tomorrow": "Fri 23 Oct 22:00",
        "4 December 19:30": "Fri 04 Dec 18:30",
        "Friday, 4 Dec, 19:30": "Fri 04 Dec 18:30",
        "Dec 4th 7pm": "Fri 04 Dec 18:00",
        "4.12. 19:30": "Fri 04 Dec 18:30",
        "2026-12-04 19:30": "Fri 04 Dec 18:30",
        "in 2 weeks 19:30": "Fri 06 Nov 18:30",
        "in a week 19:30": "Fri 30 Oct 18:30",
        "<t:1793000000:F>": "Mon 26 Oct 07:33",
    }.items(),
)
def test_what_people_type(typed: str, meant: str) -> None:
    assert read(typed) == meant


@pytest.mark.parametrize(
    ("typed", "why"),
    {
        "": "can't read a time",
        "Friday": "can't read a time",
        "Friday 4": "can't read a time",
        "Friday 25:00": "no such time of day",
        "Friday 13pm": "no such time of day",
        "someday 19:30": "can't read the day",
        "31 February 19:30": "can't read the day",
        "Thursday 4 December 19:30": "4 December is a Friday",
        "Sunday 2:30": "02:30 comes twice",
        "28 March 2027 02:15": "there is no 02:15",
    }.items(),
)
def test_what_is_no_time_or_in_doubt(typed: str, why: str) -> None:
    with pytest.raises(Refused, match=why) as refused:
        read(typed)
    assert refused.value.violation.remedy


def test_what_would_work_beside_a_doubtful_hour_works() -> None:
    assert [read(f"Sunday {time}") for time in ("1:30", "3:30")] == [
        "Sat 24 Oct 23:30",
        "Sun 25 Oct 02:30",
    ]
    assert read("28 March 2027 3:15") == "Sun 28 Mar 01:15"


def test_the_day_is_that_of_the_zone() -> None:
    assert read("tomorrow 9:00", "Pacific/Auckland") == "Sat 24 Oct 20:00"


@pytest.mark.parametrize(
    ("typed", "zone"),
    {
        "Europe/Berlin": "Europe/Berlin",
        "europe/berlin": "Europe/Berlin",
        "berlin": "Europe/Berlin",
        "New York": "America/New_York",
        "america/new york": "America/New_York",
        "Munich": "Europe/Berlin",
        "PT": "America/Los_Angeles",
        "utc": "UTC",
        "UTC+2": "Etc/GMT-2",
    }.items(),
)
def test_zones(typed: str, zone: str) -> None:
    assert read_zone(typed) == zone


@pytest.mark.parametrize("typed", ["", "Gotham", "UTC+99", "../../etc/passwd"])
def test_no_zones(typed: str) -> None:
    with pytest.raises(Refused):
        read_zone(typed)


def test_every_city_is_in_a_zone_that_there_is() -> None:
    assert {*CITIES.values()} <= available_timezones()
