"""Time zones by what people type: a city, a country, letters such as CET, or UTC+5:30."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta, timezone, tzinfo
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, available_timezones

from bot.rules.model.text import QUOTE_MAX, quoted
from bot.rules.model.violation import Refused
from bot.show.choices import folded
from data import read

_SHIFT = re.compile(r"(?:utc|gmt)? ?([+-])(0?\d|1[0-4]):?(00|15|30|45)?", re.IGNORECASE)
_FILLERS = frozenset(["at", "coming", "in", "of", "on", "the", "this", "time"])
_APART = re.compile(r"[.,/()&]")
_LETTERS = str.maketrans("łøđı", "lodi")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def read_zone(text: str, kept: str = "") -> str:
    """Return the time zone that was typed, for `clock_of`. Raises `Refused`.

    A name for several zones, such as CST, means the ``kept`` zone if it is one of them.
    """
    if zone := find_zone(text, kept):
        return zone
    unknown = f"I don't know the time zone “{quoted(text[:QUOTE_MAX])}”."
    raise Refused(
        unknown if text.strip() else "In which time zone?",
        "Name a large city near you, such as Berlin, or a zone, such as America/New_York.",
    )


def find_zone(text: str, kept: str = "") -> str | None:
    """Return the time zone of this name, or None. Raises `Refused` for a name of several zones."""
    typed = " ".join(text.replace("−", "-").split())
    if shift := _SHIFT.fullmatch(typed):
        sign, hours, minutes = shift.groups("00")
        return f"UTC{sign}{int(hours)}:{minutes}".removesuffix(":00")
    if typed.startswith("Etc/") and typed in available_timezones():
        return typed  # kept by older tables; `zone_key` takes its sign away
    name = zone_key(typed)
    several = read("zones", "names")["several"].get(name)
    if several is None:
        return zones().get(name) or _in_country(typed)
    if kept in several:
        return kept
    cities = [f"“{_city(zone)}”" for zone in several]
    raise Refused(
        f"“{quoted(text[:QUOTE_MAX])}” is the name of several time zones.",
        f"Which one? Write {', '.join(cities[:-1])} or {cities[-1]}.",
    )


def _in_country(text: str) -> str | None:
    """Return the zone of “Munich, Germany”: of both words, or None."""
    city, _, country = text.partition(",")
    zone = zones().get(zone_key(city))
    return zone if zone == zones().get(zone_key(country)) else None


def clock_of(zone: str) -> tzinfo:
    """Return the clock of a time zone that `read_zone` returned."""
    shift = _SHIFT.fullmatch(zone)
    if shift is None:
        return ZoneInfo(zone)
    sign, hours, minutes = shift.groups("0")
    return timezone(timedelta(hours=int(sign + hours), minutes=int(sign + minutes)))


def zone_key(name: str) -> str:
    """Return a name as `zones` has it: without accents, punctuation and words such as “the”."""
    words = folded(_APART.sub(" ", name)).translate(_LETTERS).split()
    return " ".join(word for word in words if word not in _FILLERS)


@cache
def zones() -> Mapping[str, str]:
    """Return the time zones by every name that people type, as `zone_key` makes it."""
    named: dict[str, str] = {}
    for name, zone in _names():
        named[zone_key(name)] = zone
    return named


def _names() -> Iterator[tuple[str, str]]:
    """Yield names with their time zones. Of two zones with one name, the later has it."""
    yield from _listed(read("zones", "cities"))
    yield from _countries()
    iana = sorted(zone for zone in available_timezones() if "/" in zone)
    iana = [zone for zone in iana if not zone.startswith("Etc/")]
    for zone in reversed(iana):
        yield _city(zone), zone
    yield from _listed(read("zones", "names")["zones"])
    for zone in iana:
        yield zone, zone


def _listed(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for zone, listed in names.items():
        for name in listed.split(","):
            yield name, zone
            if not name.isascii():  # München, and Muenchen where a keyboard has no ü
                yield name.translate(_UMLAUTS), zone


def _countries() -> Iterator[tuple[str, str]]:
    """Yield the countries that have one time zone."""
    zones_of = [(row[0], row[2]) for row in _table("zone.tab")]
    count = Counter(country for country, _ in zones_of)
    names = {row[0]: row[1] for row in _table("iso3166.tab")}
    for country, zone in zones_of:
        if count[country] == 1:
            yield names[country], zone


def _table(name: str) -> Iterator[list[str]]:
    """Yield the rows of a table of tzdata."""
    text = (files("tzdata") / "zoneinfo" / name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def _city(zone: str) -> str:
    return zone.rpartition("/")[2].replace("_", " ")
