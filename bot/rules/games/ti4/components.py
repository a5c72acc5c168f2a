"""The components of Twilight Imperium 4: how goods are written, and how they are told.

| token | what it is |
|---|---|
| ``trade_good`` ``commodity`` ``action_card`` | counted, all alike |
| ``fragment:cultural`` ``:hazardous`` ``:industrial`` ``:unknown`` | relic fragments |
| ``note:<note>:<seat>`` | one promissory note: which, and whose |
| ``captured:<unit>:<seat>`` | a captured unit and its owner |
| ``planet:<name>`` ``relic:<name>`` ``zone:<planet>`` | only where an ability or permit lets them be traded |
| ``station:<name>`` | a space station that a player controls |
| ``note`` | a promissory note of which only the two who trade it know which it is |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches

from bot.rules.goods import MOST, Goods, kind_of
from bot.rules.ruling import Refused
from bot.rules.table import Table
from bot.rules.words import typed, untyped
from data import factions, find_note, promissory_notes

TRADE_GOOD, COMMODITY, ACTION_CARD = "trade_good", "commodity", "action_card"
FRAGMENTS = ("cultural", "hazardous", "industrial", "unknown")
UNITS = (
    "fighter", "infantry", "mech", "destroyer", "cruiser", "carrier", "dreadnought", "war sun", "flagship",
    "space dock", "pds",
)  # fmt: skip

WORDS = {
    "tg": TRADE_GOOD, "trade good": TRADE_GOOD, "trade goods": TRADE_GOOD, "tgs": TRADE_GOOD,
    "c": COMMODITY, "comm": COMMODITY, "comms": COMMODITY, "commodity": COMMODITY, "commodities": COMMODITY,
    "action card": ACTION_CARD, "action cards": ACTION_CARD, "ac": ACTION_CARD, "acs": ACTION_CARD,
    **{f"{kind[0]}rf": f"fragment:{kind}" for kind in FRAGMENTS if kind != "cultural"},
    "crf": "fragment:cultural", "chrf": "fragment:cultural",
    **{f"{kind} fragment{s}": f"fragment:{kind}" for kind in FRAGMENTS for s in ("", "s")},
    **{f"{kind} relic fragment{s}": f"fragment:{kind}" for kind in FRAGMENTS for s in ("", "s")},
}  # fmt: skip
"""Every way to write what is counted."""


NAMED = {
    "planet": "planet ",
    "relic": "relic ",
    "zone": "demilitarized zone ",
    "station": "space station ",
}
"""Cards that are written with a word and their own name."""


def note_owner(token: str) -> tuple[str, str]:
    """The id of the note and the seat whose note it is."""
    _, note, owner = token.split(":")
    return note, owner


def captured_unit(token: str) -> tuple[str, str]:
    """The unit and the seat it was captured from."""
    _, unit, owner = token.split(":")
    return unit, owner


# ---------------------------------------------------------------- told


def tell(goods: Goods) -> str:
    """Goods in words: ``3 trade goods, 1 commodity, Ceasefire (<name:sol>)``; ``nothing`` for none."""
    return ", ".join(_tell_one(token, goods[token]) for token in sorted(goods, key=_order)) or "nothing"


def tell_holdings(holdings: Goods, in_play: Goods, commodity_value: int) -> list[str]:
    """A hand, a kind a line; the last says in which tokens of three and one its trade goods and commodities lie."""
    lines = [
        f"Trade goods: {holdings.count(TRADE_GOOD)}",
        f"Commodities: {holdings.count(COMMODITY)} of {commodity_value}",
    ]
    listed: tuple[tuple[str, Goods, Callable[[str, int], str]], ...] = (
        ("Promissory notes", holdings.of_kind("note"), _tell_one),
        ("In play", in_play, _tell_one),
        ("Relic fragments", holdings.of_kind("fragment"), lambda token, n: f"{n} {token.partition(':')[2]}"),
        ("Captured units", holdings.of_kind("captured"), lambda token, n: _tell_one(token, n).replace("captured ", "")),
        ("Planets", holdings.of_kind("planet", "zone", "station"), _tell_one),
        ("Relics", holdings.of_kind("relic"), lambda token, _: typed(token.partition(":")[2])),
    )
    if cards := holdings.count(ACTION_CARD):
        lines.append(f"Action cards: {cards}")
    for title, goods, told in listed:
        if goods:
            lines.append(f"{title}: {', '.join(told(token, goods[token]) for token in sorted(goods, key=_order))}")
    sides = (("trade goods", TRADE_GOOD), ("commodities", COMMODITY))
    if told_tokens := [f"{side} {tokens(holdings.count(token))}" for side, token in sides if holdings.count(token)]:
        lines.append(f"Tokens: {', '.join(told_tokens)}")
    return lines


def tokens(count: int) -> str:
    """21.8: so many in the fewest tokens of three and of one: ``1×3 + 2×1``."""
    return " + ".join(f"{n}×{size}" for n, size in ((count // 3, 3), (count % 3, 1)) if n) or "none"


def _tell_one(token: str, count: int) -> str:
    kind, _, rest = token.partition(":")
    match kind:
        case "trade_good" | "action_card":
            return f"{count} {kind.replace('_', ' ')}{'' if count == 1 else 's'}"
        case "commodity":
            return f"{count} {'commodity' if count == 1 else 'commodities'}"
        case "fragment":
            return f"{count} {rest} fragment{'' if count == 1 else 's'}"
        case "note" if not rest:
            return f"{count} promissory note{'' if count == 1 else 's'}"
        case "note":
            note, owner = note_owner(token)
            return f"{promissory_notes()[note].name} (<name:{owner}>)"
        case "captured":
            unit, owner = captured_unit(token)
            plural = "" if count == 1 or unit in ("infantry", "pds") else "s"
            return f"{count} captured {unit}{plural} (<name:{owner}>)"
        case "zone":
            return f"demilitarized zone {typed(rest)}"
        case "station":
            return f"space station {typed(rest)}"
        case _:
            return f"{kind} {typed(rest)}"


_ORDER = (
    "trade_good",
    "commodity",
    "note",
    "fragment",
    "action_card",
    "captured",
    "planet",
    "zone",
    "station",
    "relic",
)


def _order(token: str) -> tuple[int, str]:
    return (_ORDER.index(kind_of(token)), token)


# ---------------------------------------------------------------- read


def read(text: str, table: Table, giver: str | None, names: Mapping[str, str]) -> Goods:
    """Read the shorthand: parts joined by commas or ``+``, any order and case; a bare part means 1.

    A note without a name is the giver's own. ``names`` says which seat a lower-case name means.
    Raises `Refused` without a rule, naming the nearest thing that would have been understood.
    """
    goods = Goods()
    for part in re.split(r"[,+\n]", untyped(text).strip()):
        if part.strip() and part.strip().casefold() != "nothing":
            goods += _read_part(" ".join(part.split()), table, giver, names)
    for token, count in goods.items():
        if count > (1 if kind_of(token) in ("note", *NAMED) else MOST):
            raise Refused("", f"That makes {tell(Goods({token: count}))} in all.", _most(token))
    return goods


def _most(token: str) -> str:
    return "There is only one." if kind_of(token) in ("note", *NAMED) else f"Write {MOST} at most."


QUOTED = 60
"""So much of what somebody typed is quoted back to them, in characters; no card's name is longer."""


def _quoted(part: str) -> str:
    return typed(part if len(part) <= QUOTED else f"{part[:QUOTED]}…")


def _read_part(part: str, table: Table, giver: str | None, names: Mapping[str, str]) -> Goods:
    counted = re.fullmatch(r"([-+]?\d[\d.,]*(?:e\d+)?)?\s*(?:x\s+)?(.*)", part, re.IGNORECASE)
    assert counted is not None
    number, what = counted[1], counted[2].strip().casefold().replace("’", "'")
    count = _count(number, part)
    if not what:
        raise Refused("", f"“{_quoted(part)}” says how many, but not of what.", "For example: 3 tg.")
    token = WORDS.get(what) or _special(what, counted[2].strip(), table, giver, names)
    if token is None:
        raise Refused("", f"I don't know “{_quoted(part)}”.", _nearest(what, number))
    if kind_of(token) in ("note", *NAMED) and count != 1:
        raise Refused("", f"There is only one {tell(Goods({token: 1}))}.", "Name it without a number.")
    return Goods({token: count})


def _count(number: str | None, part: str) -> int:
    if number is None:
        return 1
    if not re.fullmatch(r"\d+", number) or not 1 <= int(number[:9]) <= MOST or len(number) > len(str(MOST)):
        raise Refused("", f"“{_quoted(part)}” is no amount I can move.", f"Write a whole number from 1 to {MOST}.")
    return int(number)


def _special(what: str, written: str, table: Table, giver: str | None, names: Mapping[str, str]) -> str | None:
    """A note, a captured unit, a planet or a relic."""
    for kind, begins in NAMED.items():
        if what.startswith(begins):
            if len(written) > QUOTED:
                raise Refused(
                    "", f"“{_quoted(written)}” is no card's name.", f"They are {QUOTED} letters long at most."
                )
            return f"{kind}:{_titled(written[len(begins) :])}"
    what, owner = owner_of(what, names)
    if what.startswith("captured "):
        unit = _unit(what.removeprefix("captured "))
        if unit is not None and owner is None:
            raise Refused("", f"Whose {unit} is it?", f"For example: captured {unit} of sol.")
        return f"captured:{unit}:{owner}" if unit else None
    return _note(what, owner, table, giver)


def owner_of(what: str, names: Mapping[str, str]) -> tuple[str, str | None]:
    """Part ``alice's ceasefire`` or ``ceasefire of alice`` into what and whose."""
    for pattern in (
        r"(?P<who>.+?)'s? (?P<what>.+)",
        r"(?P<what>.+) (?:of|from) (?P<who>.+)",
        r"(?P<what>.+) \((?P<who>.+)\)",
    ):
        if (found := re.fullmatch(pattern, what)) and (seat := names.get(found["who"].strip().lstrip("@"))):
            return found["what"], seat
    return what, None


def _titled(name: str) -> str:
    """A name as it is printed: ``maw of worlds`` is ``Maw of Worlds``; inner capitals stay."""
    words = name.split()
    return " ".join(
        word.casefold() if number and word.casefold() in ("of", "the") else word[:1].upper() + word[1:]
        for number, word in enumerate(words)
    )


def _unit(word: str) -> str | None:
    return next((unit for unit in UNITS if word in (unit, f"{unit}s")), None)


def _note(what: str, owner: str | None, table: Table, giver: str | None) -> str | None:
    """The token of a promissory note. Never looks at what anybody else holds."""
    note = find_note(what.removesuffix(" note"))
    if note is None:
        return None
    if note.owner != "any":
        if note.owner not in table.seats:
            raise Refused("", f"Nobody here has {note.name}.", "Notes belong to the factions at this table.")
        return f"note:{played_version(note.id)}:{note.owner}"
    if owner is None and giver is None:
        raise Refused("", f"Whose {note.name}?", f"For example: sol's {note.name.lower()}.")
    whose = owner or giver
    if whose is not None and note.id in factions()[whose].lacks:
        raise Refused("", f"<faction:{whose}> has no {note.name}.", "Name another of their notes.")
    return f"note:{note.id}:{whose}"


def played_version(note: str) -> str:
    """The version of a note that is played with: the newest printing of it."""
    return next((newer.id for newer in promissory_notes().values() if newer.replaces == note), note)


def _nearest(what: str, number: str | None) -> str:
    words = [*WORDS, *(note.name.casefold() for note in promissory_notes().values())]
    if close := get_close_matches(what, words, n=1, cutoff=0.6):
        return f"Did you mean “{f'{number} ' if number else ''}{close[0]}”?"
    return "I know trade goods (tg), commodities (c), fragments, action cards, and promissory notes by name."
