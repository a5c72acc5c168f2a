"""Tests of times as people type them, and their time zones. It is Friday 23 October 2026, 18:00 in
Berlin.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.model.violation import Refused
from cogs.when import read_when
from cogs.zones import clock_of, read_zone, zones
from data import read as read_data

NOW = datetime(2026, 10, 23, 16, 0, tzinfo=UTC)


def read(text: str, zone: str = "Europe/Berlin") -> str:
    at, _ = read_when(text, zone, NOW)
    return f"{datetime.fromtimestamp(at / 1000, UTC):%a %d %b %H:%M}"


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
        "midnight": "Fri 23 Oct 22:00",
        "Saturday 12 noon": "Sat 24 Oct 10:00",
        "midnight tomorrow": "Sat 24 Oct 22:00",
        "Friday evening 7pm": "Fri 23 Oct 17:00",
        "friday evening 7:30": "Fri 23 Oct 17:30",
        "Saturday 8 in the evening": "Sat 24 Oct 18:00",
        "Saturday morning at 10": "Sat 24 Oct 08:00",
        "tonight at 8": "Fri 23 Oct 18:00",
        "tomorrow night 11": "Sat 24 Oct 21:00",
        "Friday next week 19:30": "Fri 30 Oct 18:30",
        "next week Tuesday 19:30": "Tue 27 Oct 18:30",
        "in 2 weeks on Monday 19:30": "Mon 02 Nov 18:30",
        "the day after tomorrow 8pm": "Sun 25 Oct 19:00",
        "the 4th of December at 7pm": "Fri 04 Dec 18:00",
        "4.12.2026 19:30 Uhr": "Fri 04 Dec 18:30",
        "Sept 4 2027 19:30": "Sat 04 Sep 17:30",
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
        "someday 19:30": "can't read “\ue000someday\ue001” in",
        "31 February 19:30": "can't read the day",
        "Thursday 4 December 19:30": "4 December is a Friday",
        "Sunday 2:30": "02:30 comes twice",
        "28 March 2027 02:15": "there is no 02:15",
        "Friday 19:30 gotham": "can't read “\ue000gotham\ue001” in",
        "Friday 19:30 20:30": "can't read “\ue00020:30\ue001” in",
        "tomorrow Friday 19:30": "24 October is a Saturday",
        "Friday 7 January 19:30": "7 January 2027 is a Thursday",
        "1 January 9999 19:30": "The year 9999 is more than a year away",
        "31 December 9999 23:59": "The year 9999 is more than a year away",
        "0001-01-01 0:00": "The year 0001 is more than a year away",
        "30 February 19:30": "can't read the day",
        "4.13. 19:30": "can't read the day",
        "evening 25": "no such time of day",
    }.items(),
)
def test_what_is_no_time_or_in_doubt(typed: str, why: str) -> None:
    with pytest.raises(Refused, match=why) as refused:
        read(typed)
    assert refused.value.violation.remedy


@pytest.mark.parametrize(
    ("typed", "meant"),
    {
        "7 January 19:30": "Thu 07 Jan 2027",
        "Thursday 7 January 19:30": "Thu 07 Jan 2027",
        "7.1. 19:30": "Thu 07 Jan 2027",
        "22 October 19:30": "Fri 22 Oct 2027",
        "23 October 12:00": "Fri 23 Oct 2026",  # today, so it is past
        "22 October 2026 19:30": "Thu 22 Oct 2026",
        "29 February 19:30": "Tue 29 Feb 2028",
    }.items(),
)
def test_a_date_without_a_year_is_the_next_one(typed: str, meant: str) -> None:
    at, _ = read_when(typed, "UTC", NOW)
    assert f"{datetime.fromtimestamp(at / 1000, UTC):%a %d %b %Y}" == meant


@pytest.mark.parametrize(
    ("typed", "zone"),
    {
        "friday 19:30 CET": "Europe/Berlin",
        "Friday 7pm in the Hague": "Europe/Amsterdam",
        "New York, Friday 7pm": "America/New_York",
        "Friday 7pm Berlin time": "Europe/Berlin",
        "friday 19:30 UTC+5:30": "UTC+5:30",
        "friday 19:30 utc -3": "UTC-3",
        "friday 19:30": "Asia/Tokyo",
    }.items(),
)
def test_a_time_zone_in_the_text_counts(typed: str, zone: str) -> None:
    assert read_when(typed, "Tokyo", NOW)[1] == zone


def test_the_zone_that_a_table_keeps_counts_last() -> None:
    assert read_when("friday 19:30", "", NOW, kept="Asia/Tokyo")[1] == "Asia/Tokyo"
    assert read_when("friday 19:30", "Berlin", NOW, kept="Asia/Tokyo")[1] == "Europe/Berlin"
    with pytest.raises(Refused, match="In which time zone"):
        read_when("friday 19:30", "", NOW)


WORDS = (
    "friday next in 2 weeks a 7 19:30 pm evening tonight midnight 4 december 0001 9999 29 february "
    "4.12. 2026-12-04 cet cst utc+5:30 the of berlin tomorrow 31 h 24:00"
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=7).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Refused):
        at, zone = read_when(text, "Berlin", NOW)
        assert abs(at / 1000 - NOW.timestamp()) < timedelta(days=9 * 366).total_seconds()
        assert read_zone(zone) == zone


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
        "UTC+2": "UTC+2",
        "gmt -3:30": "UTC-3:30",
        "UTC+5:45": "UTC+5:45",
        "+0530": "UTC+5:30",
        "UTC+13": "UTC+13",
        "Etc/GMT-2": "Etc/GMT-2",  # as tables kept it
        "Zürich": "Europe/Zurich",
        "München": "Europe/Berlin",
        "Muenchen": "Europe/Berlin",
        "Köln": "Europe/Berlin",
        "Düsseldorf": "Europe/Berlin",
        "Wien": "Europe/Vienna",
        "São Paulo": "America/Sao_Paulo",
        "Sao Paulo": "America/Sao_Paulo",
        "København": "Europe/Copenhagen",
        "Lodz": "Europe/Warsaw",
        "Mumbai": "Asia/Kolkata",
        "Delhi": "Asia/Kolkata",
        "Beijing": "Asia/Shanghai",
        "Houston": "America/Chicago",
        "St. Louis": "America/Chicago",
        "Washington, D.C.": "America/New_York",
        "Munich, Germany": "Europe/Berlin",
        "Austin, Texas": "America/Chicago",
        "Birmingham": "Europe/London",
        "Isle of Man": "Europe/Isle_of_Man",
        "Norway": "Europe/Oslo",
        "India": "Asia/Kolkata",
        "New Zealand": "Pacific/Auckland",
        "Germany": "Europe/Berlin",
    }.items(),
)
def test_zones(typed: str, zone: str) -> None:
    assert read_zone(typed) == zone


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "the",
        ",",
        "Gotham",
        "Gotham, Germany",
        "Paris, Texas",
        "UTC+99",
        "../../etc/passwd",
    ],
)
def test_no_zones(typed: str) -> None:
    with pytest.raises(Refused):
        read_zone(typed)


def test_every_name_is_of_a_zone_that_there_is() -> None:
    assert {*zones().values()} <= available_timezones()


@pytest.mark.parametrize(
    ("typed", "remedy"),
    {
        "CST": "Which one? Write “Chicago”, “Shanghai” or “Havana”.",
        "Georgia": "Which one? Write “New York” or “Tbilisi”.",
        "USA": "Which one? Write “New York”, “Chicago”, “Denver” or “Los Angeles”.",
    }.items(),
)
def test_a_name_of_several_zones_is_asked_back(typed: str, remedy: str) -> None:
    with pytest.raises(Refused, match="several time zones") as refused:
        read_zone(typed, kept="Europe/Berlin")
    assert refused.value.violation.remedy == remedy


def test_it_means_the_one_that_the_table_keeps() -> None:
    assert read_zone("CST", kept="Asia/Shanghai") == "Asia/Shanghai"


def test_every_zone_that_is_asked_for_is_read() -> None:
    for several in read_data("zones", "names")["several"].values():
        for zone in several:
            assert read_zone(zone.rpartition("/")[2].replace("_", " ")) == zone


def test_a_zone_is_read_again_as_it_was_kept() -> None:
    for zone in ["UTC+0", "UTC-3:30", "UTC+14", *{*zones().values()}]:
        assert read_zone(zone) == zone
    assert clock_of("UTC-3:30").utcoffset(NOW) == -timedelta(hours=3, minutes=30)


def test_a_system_without_time_zones_has_them() -> None:
    """On Windows and in bare containers, Python finds time zones in tzdata alone."""
    code = "from cogs.zones import *; print(clock_of(read_zone('Berlin')), clock_of('UTC'))"
    bare = {**os.environ, "PYTHONTZPATH": ""}
    said = subprocess.check_output([sys.executable, "-c", code], env=bare, text=True)
    assert said == "Europe/Berlin UTC\n"
