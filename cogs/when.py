"""Reads a time as people type it, "Friday 19:30", and the time zone in which they mean it."""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.rules.model.text import QUOTE_MAX, quoted
from bot.rules.model.violation import Refused

CITIES: Mapping[str, str] = {
    city: zone
    for zone, cities in {
        "America/Chicago": "ct, cst, cdt, central, austin, dallas, houston, minneapolis, st louis, "
        "new orleans",
        "America/Denver": "mt, mst, mdt, mountain, salt lake city",
        "America/Los_Angeles": "pt, pst, pdt, pacific, san francisco, seattle, portland, san "
        "diego, las vegas",
        "America/New_York": "et, est, edt, eastern, nyc, boston, philadelphia, washington, miami, "
        "atlanta",
        "America/Sao_Paulo": "rio, rio de janeiro, brasilia",
        "America/Toronto": "ottawa, quebec",
        "Australia/Sydney": "canberra",
        "Europe/Amsterdam": "rotterdam, the hague, netherlands",
        "Europe/Berlin": "cet, cest, mez, germany, munich, hamburg, frankfurt, cologne, stuttgart, "
        "leipzig",
        "Europe/London": "uk, bst, england, manchester, edinburgh, glasgow, birmingham, bristol, "
        "cardiff",
        "Europe/Madrid": "spain, barcelona, valencia, seville",
        "Europe/Paris": "france, lyon, marseille, toulouse",
        "Europe/Rome": "milan, turin, naples",
        "Europe/Vienna": "austria, graz, salzburg",
        "Europe/Warsaw": "poland, krakow, gdansk",
        "Europe/Zurich": "switzerland, geneva, basel, bern",
        "Pacific/Auckland": "wellington, christchurch",
        "UTC": "utc, gmt, z",
    }.items()
    for city in cities.split(", ")
}
"""Names for time zones that IANA does not list."""

EXAMPLES = "Write “Friday 19:30”, “tomorrow 8pm” or “4 December 19:30”."

_CLOCK = (
    r"(?:at )?(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d)(?: ?h)?| ?h| ?uhr|(?= ?[ap]m))(?: "
    r"?(?P<half>[ap])m)?"
)
_FILLERS = re.compile(r"\b(?:on|at|this|the|of|coming)\b")
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)")
_DOTS = re.compile(r"(?P<day>\d\d?)\. ?(?P<month>\d\d?)\.(?: ?(?P<year>\d{4}))?")
_DAY, _WORD, _YEAR = (
    r"(?P<day>\d\d?)(?:st|nd|rd|th)?\.?",
    r"(?P<month>[a-z]{3,9})\.?",
    r"(?: (?P<year>\d{4}))?",
)
_DATES = (_ISO, _DOTS, re.compile(f"{_DAY} {_WORD}{_YEAR}"), re.compile(f"{_WORD} {_DAY}{_YEAR}"))
_STAMP = re.compile(r"<t:(\d{1,11})(?::[a-z])?>")


# ---------------------------------------------------------------- time zones


@cache
def zones() -> Mapping[str, str]:
    """Return the time zones by every name that people type, in lower case: see `CITIES`."""
    named: dict[str, str] = {}
    zones = sorted(zone for zone in available_timezones() if "/" in zone)
    for zone in reversed(zones):  # of two cities called alike, the first zone has the name
        if not zone.startswith("Etc/"):
            named[zone.rpartition("/")[2].replace("_", " ").casefold()] = zone
    named |= CITIES
    for zone in zones:
        if not zone.startswith("Etc/"):
            named[zone.casefold()] = named[zone.replace("_", " ").casefold()] = zone
    return named


def read_zone(text: str) -> str:
    """Return the name of the time zone that was typed: an IANA name or a city. Raises `Refused`."""
    typed = " ".join(text.casefold().split())
    zone = zones().get(typed) or zones().get(typed.replace("_", " "))
    if zone is not None:
        return zone
    shift = re.fullmatch(r"(?:utc|gmt) ?([+-])(\d\d?)(?::?00)?", typed)
    if shift is not None and int(shift[2]) <= 12:
        # its signs are the other way round
        return f"Etc/GMT{'-' if shift[1] == '+' else '+'}{int(shift[2])}"
    if not typed:
        raise Refused(
            "",
            "In which time zone?",
            "Name a city, such as Berlin, or a zone, such as America/New_York.",
        )
    raise Refused(
        "",
        f"I don't know the time zone “{quoted(text[:QUOTE_MAX])}”.",
        "Name a large city near you, such as Berlin, or a zone, such as America/New_York.",
    )


# ---------------------------------------------------------------- times


def read_when(text: str, zone: str, now: datetime) -> int:
    """Return the time that was typed, in milliseconds since 1970. It may be past.

    Raises `Refused` for what is no time, and for a time that a change of the clocks leaves out or
    brings twice.
    """
    typed = text.casefold().replace(",", " ")
    typed = typed.replace("a.m.", "am").replace("p.m.", "pm")
    typed = " ".join(typed.split())
    if stamp := _STAMP.fullmatch(typed):
        return int(stamp[1]) * 1000
    here = now.astimezone(ZoneInfo(zone))
    words, clock = _split(typed, text)
    day = _day(words, clock, here, text)
    return _certain(datetime.combine(day, clock), zone)


def _split(typed: str, text: str) -> tuple[str, time]:
    """Return the words of the day, and the time of day, which comes last or first."""
    typed = re.sub(r"\bnoon\b", "12:00", typed)
    found = re.fullmatch(rf"(?P<day>|.* ){_CLOCK}", typed) or re.fullmatch(
        rf"{_CLOCK}(?P<day>|[ ].*)", typed
    )
    if found is None:
        raise Refused("", f"I can't read a time in “{quoted(text[:QUOTE_MAX])}”.", EXAMPLES)
    hour, half = int(found["hour"]), found["half"]
    if half is not None:
        hour = hour % 12 + (12 if half == "p" else 0) if 1 <= hour <= 12 else 24
    minute = int(found["minute"] or 0)
    if hour > 23 or minute > 59:
        raise Refused("", f"“{quoted(text[:QUOTE_MAX])}” has no such time of day.", EXAMPLES)
    words = _FILLERS.sub(" ", found["day"]).split()
    return " ".join(words), time(hour, minute)


def _day(words: str, clock: time, here: datetime, text: str) -> date:
    """Return the day that these words mean. Raises `Refused`."""
    today = here.date()
    over = here.time() >= clock
    match words:
        case "":
            return today + timedelta(days=over)
        case "today" | "tonight":
            return today
        case "tomorrow" | "tmr" | "tomorrow night":
            return today + timedelta(days=1)
    if ahead := re.fullmatch(r"in (\d{1,3}|a) (day|week)s?", words):
        count = 1 if ahead[1] == "a" else int(ahead[1])
        return today + timedelta(**{f"{ahead[2]}s": count})
    first, _, rest = words.removeprefix("next ").partition(" ")
    weekday = _place(first, list(day_name))
    if weekday is not None and not rest:
        days = (weekday - today.weekday()) % 7
        if days == 0 and (over or words.startswith("next ")):
            days = 7
        return today + timedelta(days=days)
    found = _date(words if weekday is None else rest, today)
    if found is None:
        raise Refused("", f"I can't read the day in “{quoted(text[:QUOTE_MAX])}”.", EXAMPLES)
    if weekday is not None and found.weekday() != weekday:
        raise Refused(
            "", f"{_told(found)} is a {day_name[found.weekday()]}.", "Name the day or the date."
        )
    return found


def _date(words: str, today: date) -> date | None:
    """Return a date that is written out, by default of this year; None for anything else."""
    for pattern in _DATES:
        if found := pattern.fullmatch(words):
            year = int(found["year"] or today.year)
            with suppress(ValueError):
                return date(year, month_number(found["month"]), int(found["day"]))
            return None
    return None


def month_number(word: str) -> int:
    """Return the number of a month, written as a number or by its name; 0 for no month."""
    if word.isdecimal():
        return int(word)
    return _place(word, list(month_name)) or 0


def _place(word: str, all_names: list[str]) -> int | None:
    """Return the place of the first name that is this word, or begins with its three letters."""
    for place, name in enumerate(all_names):
        if len(word) >= 3 and name.casefold().startswith(word):
            return place
    return None


def _told(day: date) -> str:
    return f"{day.day} {month_name[day.month]}"


def _certain(local: datetime, zone: str) -> int:
    """Return a local time in milliseconds since 1970.

    Raises `Refused` if a change of the clocks leaves it out or brings it twice.
    """
    there = local.replace(tzinfo=ZoneInfo(zone))
    first, second = there.astimezone(UTC), there.replace(fold=1).astimezone(UTC)
    if first == second:
        return int(first.timestamp() * 1000)
    if first.astimezone(there.tzinfo).replace(tzinfo=None) != local:
        moved = first.astimezone(there.tzinfo)
        raise Refused(
            "",
            f"On {_told(local.date())} the clocks in {zone} go forward, and there is no "
            f"{local:%H:%M}.",
            f"Write {moved:%H:%M} or later.",
        )
    by = second - first
    raise Refused(
        "",
        f"On {_told(local.date())} the clocks in {zone} go back, and {local:%H:%M} comes twice.",
        f"Write {local - by:%H:%M} or earlier, or {local + by:%H:%M} or later.",
    )
