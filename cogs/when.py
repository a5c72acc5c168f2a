"""Reads a time as people type it: “Friday 19:30”, “7 January 8pm Berlin”.

A text is pieces in any order: a day, a time of day, and what is left, which names a time zone.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta

from bot.rules.model.text import QUOTE_MAX, quoted
from bot.rules.model.violation import Refused
from cogs.zones import clock_of, find_zone, read_zone, zone_key

EXAMPLES = "Write “Friday 19:30”, “tomorrow 8pm” or “4 December 19:30 Berlin”."

Pieces = Mapping[str, re.Match[str]]
"""What a text says of a time, by the kind of each piece."""

_DAYS = {"today": 0, "tomorrow": 1, "tmr": 1, "tmrw": 1, "day after tomorrow": 2}
_NAMED = {"noon": 12, "midday": 12, "midnight": 24}
_PARTS = {
    "morning": range(0),
    "afternoon": range(1, 12),
    "evening": range(4, 12),
    "night": range(5, 12),
    "tonight": range(5, 12),
}
"""The parts of a day, with the hours that “7 in the evening” moves to the second half of it."""

_MONTHS = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in month_name[1:]).casefold()
_MONTH = rf"(?:of )?(?P<month>{_MONTHS}|sept)\.?"
_NUMBER = r"(?:the )?(?P<day>\d\d?)(?:st|nd|rd|th)?\.?"
_YEAR = r"(?: (?P<year>\d{4}))?(?!\S)"
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("date", re.compile(r"(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)(?!\S)")),
    ("date", re.compile(r"(?P<day>\d\d?)\. ?(?P<month>\d\d?)\.(?: ?(?P<year>\d{4}))?(?!\S)")),
    ("date", re.compile(rf"{_NUMBER} {_MONTH}{_YEAR}")),
    ("date", re.compile(rf"{_MONTH} {_NUMBER}{_YEAR}")),
    (
        "weekday",
        re.compile(
            r"(?P<next>next )?(?P<name>mon|tue|wed|thu|fri|sat|sun)"
            r"(?:day|sday|nesday|rsday|urday|s|nes|r|rs|ur)?(?!\S)"
        ),
    ),
    (
        "ahead",
        re.compile(
            rf"(?:the )?(?P<named>{'|'.join(_DAYS)})(?!\S)|"
            r"(?:in (?P<count>\d{1,3}|a)|next) (?P<unit>day|week)s?(?!\S)"
        ),
    ),
    ("part", re.compile(rf"(?:{'|'.join(_PARTS)})(?!\S)")),
    (
        "clock",
        re.compile(
            r"(?:12 )?(?P<named>noon|midday|midnight)(?!\S)|"
            r"(?P<hour>\d\d?)(?:[:.h](?P<minute>\d\d))?(?P<sure> ?(?:h|uhr|(?P<half>[ap])m))?(?!\S)"
        ),
    ),
)
_WORD = re.compile(r"\S+")
_STAMP = re.compile(r"<t:(\d{1,11})(?::[a-z])?>")


def read_when(text: str, zone: str, now: datetime, kept: str = "") -> tuple[int, str]:
    """Return the time that was typed, in milliseconds since 1970, and its time zone.

    The zone is the one in the text, else ``zone`` as typed beside it, else the ``kept`` one. The
    time may be past. Raises `Refused` for what is no time, and for a time that a change of the
    clocks leaves out or brings twice.
    """
    typed = text.casefold().replace(",", " ")
    typed = typed.replace("a.m.", "am").replace("p.m.", "pm")
    typed = " ".join(typed.split())
    if stamp := _STAMP.fullmatch(typed):
        return int(stamp[1]) * 1000, read_zone(zone or kept, kept)
    pieces, rest = _pieces(typed)
    clock = _time_of_day(pieces, text)
    named = find_zone(rest, kept) if rest else read_zone(zone or kept, kept)
    if named is None:
        unread = f"I can't read “{quoted(rest[:QUOTE_MAX])}” in “{quoted(text[:QUOTE_MAX])}”."
        raise Refused(unread, EXAMPLES)
    day = _day(pieces, clock, now.astimezone(clock_of(named)), text)
    return _certain(datetime.combine(day, time()) + clock, named), named


def _pieces(typed: str) -> tuple[Pieces, str]:
    """Return the pieces of a text, and its words that are in none."""
    pieces: dict[str, re.Match[str]] = {}
    rest, place = [], 0
    while piece := _WORD.match(typed, place):
        for kind, pattern in _KINDS:
            read = pattern.match(typed, place)
            if read is not None and kind not in pieces:
                pieces[kind] = piece = read
                break
        else:
            rest.append(piece[0])
        place = piece.end() + 1
    return pieces, zone_key(" ".join(rest)) and " ".join(rest)


def _part(pieces: Pieces) -> str:
    return pieces["part"][0] if "part" in pieces else ""


# ---------------------------------------------------------------- the time of day


def _time_of_day(pieces: Pieces, text: str) -> timedelta:
    """Return the time since the day began. Raises `Refused`."""
    clock, part = pieces.get("clock"), _part(pieces)
    if clock is not None and clock["named"]:
        return timedelta(hours=_NAMED[clock["named"]])
    if clock is None or not (clock["minute"] or clock["sure"] or part):
        raise Refused(f"I can't read a time in “{quoted(text[:QUOTE_MAX])}”.", EXAMPLES)
    hour, half = int(clock["hour"]), clock["half"]
    minute = int(clock["minute"] or 0)
    hours = range(1, 13) if half else range(24)
    if hour not in hours or minute > 59:
        raise Refused(f"“{quoted(text[:QUOTE_MAX])}” has no such time of day.", EXAMPLES)
    if half is None and part and hour in _PARTS[part]:
        half = "p"
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return timedelta(hours=hour, minutes=minute)


# ---------------------------------------------------------------- the day


def _day(pieces: Pieces, clock: timedelta, here: datetime, text: str) -> date:
    """Return the day that is meant. Raises `Refused`."""
    today = here.date()
    over = here.replace(tzinfo=None) >= datetime.combine(today, time()) + clock
    named = pieces.get("weekday")
    weekday = None if named is None else _place(named["name"], day_name)
    if "date" in pieces:
        day = _date(pieces["date"], today, text)
    elif "ahead" in pieces:
        day = _ahead(pieces["ahead"], weekday, today)
    elif named is None or weekday is None:
        return today + timedelta(days=over and _part(pieces) != "tonight")
    else:
        days = (weekday - today.weekday()) % 7
        if days == 0 and (over or named["next"]):
            days = 7
        return today + timedelta(days=days)
    if weekday not in (None, day.weekday()):
        untrue = f"{_told(day, today)} is a {day_name[day.weekday()]}."
        raise Refused(untrue, "Name the day or the date.")
    return day


def _date(piece: re.Match[str], today: date, text: str) -> date:
    """Return a date that is written out. Without a year it is the next one. Raises `Refused`."""
    month, number = piece["month"], int(piece["day"])
    month = int(month) if month.isdecimal() else _place(month, month_name)
    # The 29th of February is up to eight years ahead.
    years = range(today.year, today.year + 9)
    soonest = today
    if written := piece["year"]:
        years, soonest = range(int(written), int(written) + 1), date.min
        if abs(years[0] - today.year) > 1:
            far = f"The year {written} is more than a year away."
            raise Refused(far, "Name a time within a year.")
    for year in years:
        with suppress(ValueError):
            day = date(year, month, number)
            if day >= soonest:
                return day
    raise Refused(f"I can't read the day in “{quoted(text[:QUOTE_MAX])}”.", EXAMPLES)


def _ahead(piece: re.Match[str], weekday: int | None, today: date) -> date:
    """Return “tomorrow”, “in 2 weeks”, or with a weekday the one of that week."""
    if piece["named"]:
        return today + timedelta(days=_DAYS[piece["named"]])
    count = int(piece["count"]) if piece["count"] not in (None, "a") else 1
    if piece["unit"] == "day":
        return today + timedelta(days=count)
    day = today + timedelta(weeks=count)
    if weekday is None:
        return day
    return day + timedelta(days=weekday - day.weekday())


def _place(word: str, names: Iterable[str]) -> int:
    """Return the place of the name that begins with the first three letters of this word."""
    return [name[:3].casefold() for name in names].index(word[:3])


def _told(day: date, today: date) -> str:
    year = "" if day.year == today.year else f" {day.year}"
    return f"{day.day} {month_name[day.month]}{year}"


# ---------------------------------------------------------------- changes of the clocks


def _certain(local: datetime, zone: str) -> int:
    """Return a local time in milliseconds since 1970.

    Raises `Refused` if a change of the clocks leaves it out or brings it twice.
    """
    there = local.replace(tzinfo=clock_of(zone))
    first, second = there.astimezone(UTC), there.replace(fold=1).astimezone(UTC)
    if first == second:
        return int(first.timestamp() * 1000)
    day = _told(local.date(), local.date())
    if first.astimezone(there.tzinfo).replace(tzinfo=None) != local:
        moved = first.astimezone(there.tzinfo)
        raise Refused(
            f"On {day} the clocks in {zone} go forward, and there is no {local:%H:%M}.",
            f"Write {moved:%H:%M} or later.",
        )
    by = second - first
    raise Refused(
        f"On {day} the clocks in {zone} go back, and {local:%H:%M} comes twice.",
        f"Write {local - by:%H:%M} or earlier, or {local + by:%H:%M} or later.",
    )
