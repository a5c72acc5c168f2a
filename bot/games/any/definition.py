"""A game as a short text in TOML: all that a host can say, and what is wrong with a text.

A `Definition` is checked as a whole before a table plays it. The ledger keeps it as `text` writes
it, so what people read with /any show is what the entry commits to.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
)

from bot.api import Refused, excerpt, quoted
from data.any import presets

SEATS_MAX, GOODS_MAX, TEXT_MAX = 30, 25, 8000

UNNAMED = "Your own game"
"""What a table is called before its text gives it a name."""

Word = Annotated[str, StringConstraints(pattern=r"^[^\W\d_](?:[ '’.-]{0,2}[^\W_]){0,23}$")]
"""A name that people type among goods, or press. Nothing in it is markup."""

Count = Annotated[int, Field(ge=0, le=999)]
Few = Annotated[int, Field(ge=0, le=20)]
Given = dict[str, Annotated[str, StringConstraints(max_length=200)]]
"""Goods by who gets them: a seat, a team, or ``all``."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Good(_Part):
    """A kind of goods. ``total``: so many exist; ``most``: one seat holds so many; 0: any number.

    ``numbered``: one each of number 1 to this. ``tens``: counted in tens. ``kept``: never traded.
    ``name`` comes from the definition.
    """

    name: Annotated[str, Field(validation_alias=" ", exclude=True)] = ""
    plural: Word | Literal[""] = ""
    hidden: bool = False
    kept: bool = False
    tens: bool = False
    numbered: Annotated[int, Field(ge=0, le=200)] = 0
    total: Count = 0
    most: Count = 0

    @property
    def several(self) -> str:
        """Several of it in words."""
        return self.plural or self.name

    @property
    def step(self) -> int:
        """What one of it is written as."""
        return 10 if self.tens else 1


class TradeRules(_Part):
    """Who trades, when, how often and how much; see `bot.games.any.rulebook`."""

    who: Literal["all", "turn", "neighbours", "pairs"] = "all"
    pairs: Annotated[list[tuple[str, str]], Field(max_length=40)] = []
    when: Annotated[list[str], Field(max_length=12)] = []
    bell: Annotated[int, Field(ge=0, le=1440)] = 0
    per_partner: Few = 0
    least: Few = 0
    equal: bool = False
    one_kind: bool = False
    gifts: bool = True
    same: bool = True
    promises: Literal["free", "bind", "none"] = "free"


class Definition(_Part):
    """Everything that a text can say. Seats and goods are known by their place, so both can be
    renamed.
    """

    format: Literal[1] = 1
    name: Annotated[
        str, StringConstraints(max_length=60, pattern=r"^[^\W_](?:[ '’.-]{0,2}[^\W_]){0,39}$")
    ]
    seats: Annotated[list[Word], Field(min_length=2, max_length=SEATS_MAX)]
    phases: Annotated[list[Word], Field(min_length=1, max_length=12)] = ["trade"]
    hand: Count = 0
    debts: str = ""
    teams: Annotated[dict[Word, list[str]], Field(max_length=12)] = {}
    goods: Annotated[dict[Word, Good], Field(min_length=1, max_length=GOODS_MAX)]
    start: Given = {}
    trade: TradeRules = TradeRules()
    bank: dict[str, Annotated[int, Field(ge=1, le=20)]] = {}
    events: Annotated[dict[Word, Given], Field(max_length=12)] = {}
    rules: dict[
        Annotated[str, StringConstraints(pattern=r"^R[1-9]$")],
        Annotated[str, StringConstraints(max_length=300)],
    ] = {}

    @field_validator("goods")
    @classmethod
    def named(cls, goods: dict[str, Good]) -> dict[str, Good]:
        """Tell each kind of goods its name."""
        named = dict[str, Good]()
        for name, good in goods.items():
            named[name] = good.model_copy(update={"name": name})
        return named

    def seat_ids(self) -> list[str]:
        """Return the ids of all seats, in order."""
        return [f"s{place}" for place, _ in enumerate(self.seats, 1)]

    def meant(self, who: str) -> list[str]:
        """Return the ids of the seats of a team, of one seat, or of ``all``."""
        names = self.seats if who == "all" else self.teams.get(who, [who])
        return [f"s{self.seats.index(name) + 1}" for name in names]

    def teams_of(self, seat: str) -> str:
        """Return the teams that a seat is in, with commas; empty for none."""
        return ", ".join(team for team in self.teams if seat in self.meant(team))

    @cached_property
    def kinds(self) -> dict[str, Good]:
        """The kinds of goods by token."""
        return {f"g{place}": good for place, good in enumerate(self.goods.values(), 1)}

    def token(self, name: str) -> str:
        """Return the token for a kind of goods."""
        return f"g{list(self.goods).index(name) + 1}"

    @property
    def secrets(self) -> bool:
        """Whether some goods are hidden."""
        return any(good.hidden for good in self.goods.values())

    def said(self) -> dict[str, Any]:
        """Return all values, with those that are as usual; of goods, only what is special."""
        goods = self.model_dump(exclude_defaults=True, mode="json")["goods"]
        return self.model_dump(mode="json") | {"goods": goods}

    def text(self) -> str:
        """Return the text that the ledger keeps, without what is as usual anyway."""
        return "format = 1\n" + toml(self.model_dump(exclude_defaults=True, mode="json"))


def digest(text: str) -> str:
    """Return the first digits of a text's hash, as the board's foot has them."""
    return sha256(text.encode()).hexdigest()[:8]


# ---------------------------------------------------------------- reading


@lru_cache(maxsize=256)
def definition_of(text: str) -> Definition:
    """Return the definition of a text that the ledger keeps."""
    return Definition.model_validate(tomllib.loads(text), strict=False)


def read(text: str) -> dict[str, Any]:
    """Read TOML. Raises `Refused` with the line."""
    if len(text) > TEXT_MAX:
        raise Refused(f"That has {len(text)} characters.", f"Use at most {TEXT_MAX}.")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(
            f"I can't read that as TOML: {quoted(str(error)[:80])}.",
            'A line is written name = value; a text stands in quotes: name = "Harbour".',
        ) from None


def checked(fields: Mapping[str, Any], written: str = "") -> Definition:
    """Return the definition with these fields. Raises `Refused` for the first mistake, with its
    line where ``written`` is the host's own text.
    """
    try:
        found = Definition.model_validate(fields, strict=False)
    except ValidationError as error:
        first = min(error.errors(), key=lambda each: each["type"] == "missing")
        place = [str(each) for each in first["loc"] if each != "[key]"]
        raise mistake(place, _why(first), written) from None
    for place, why in (*_clashes(found), *_unknown(found)):
        raise mistake(place, why, written)
    if len(found.text()) > TEXT_MAX:
        raise Refused(f"It is longer than {TEXT_MAX} characters.", "Use fewer goods or rules.")
    return found


def mistake(place: list[str], why: str, written: str, rule: str = "") -> Refused:
    """Return the refusal of what stands at this place of a text, with its line."""
    line = line_of(written, place)
    where = f"Line {line}, " if line else ""
    named = quoted(".".join(place)[:60]) if place else "the whole"
    return Refused(f"{where}{named}: {why}", "Mend that, and send it again.", rule=rule)


def line_of(written: str, place: list[str]) -> int:
    """Return the line of a text that says what is at this place; 0 if none does."""
    section, found, best = "", 0, 0
    for number, line in enumerate(written.splitlines(), 1):
        plain = line.replace('"', "").strip()
        if plain.startswith("["):
            section, plain = plain.strip("[]"), ""
        names = f"{section}.{plain.partition('=')[0]}".strip(".").split(".")
        path = [name.strip() for name in names]
        if len(path) > best and place[: len(path)] == path:
            found, best = number, len(path)
    return found


def _why(error: Any) -> str:
    """Return why pydantic refuses a value, and what would work."""
    kind, said = error["type"], error["msg"].replace("Input should be", "it should be")
    if kind == "extra_forbidden":
        return _no_such_field([str(each) for each in error["loc"]])
    if kind == "string_pattern_mismatch":
        named = quoted(str(error["input"])[:30])
        return f"“{named}” is no name. Write up to 24 letters, without signs."
    why = WHY.get(kind)
    return why.format_map(error.get("ctx", {})) if why else f"{said[:150]}."


WHY = {
    "missing": "this is missing. A game needs a name, seats and goods.",
    "int_parsing": "write a whole number.",
    "int_type": "write a whole number.",
    "bool_parsing": "write true or false.",
    "bool_type": "write true or false.",
    "string_type": "write a text in quotes.",
    "string_too_long": "write at most {max_length} characters.",
    "list_type": 'write names in brackets: ["North", "South"].',
    "dict_type": 'write a line for each, or several in braces: {{ all = "2 coins" }}.',
    "model_type": "write in braces what is special about it: {{ total = 9 }}. If nothing is: {{}}.",
    "too_short": "write at least {min_length}.",
    "too_long": "write at most {max_length}.",
    "less_than_equal": "write at most {le}.",
    "greater_than_equal": "write at least {ge}.",
}
"""Why a value is wrong, by the kind of error: the usual words are a programmer's."""


def _no_such_field(place: list[str]) -> str:
    parts: dict[str, type[_Part]] = {"goods": Good, "trade": TradeRules}
    fields = (parts[place[0]] if len(place) > 1 else Definition).model_fields
    names = [name for name, field in fields.items() if not field.exclude]
    near = get_close_matches(place[-1], names, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"there is no such thing; try {', '.join(names)}."


# ---------------------------------------------------------------- what must fit together

Found = Iterator[tuple[list[str], str]]


def _clashes(found: Definition) -> Found:
    """Yield names that look alike, or that are not what they could be."""
    words = list(found.goods)
    for good in found.goods.values():
        if good.several != good.name:
            words.append(good.plural)
    seats = [*found.seats, *found.teams, "all"]
    for where, names in (("goods", words), ("seats", seats), ("phases", found.phases)):
        seen = dict[str, str]()
        for name in names:
            other = seen.get(skeleton(name))
            if other is not None:
                yield [where, name], f"“{name}” and “{other}” look alike. Give one another name."
            seen[skeleton(name)] = name
    alphabets = set(map(_script, "".join([*words, *seats]))) - {""}
    if len(alphabets) > 1:
        mixed = ", ".join(sorted(alphabets))
        yield ["goods"], f"its names mix letters ({mixed}). Use one alphabet."
    for name, good in found.goods.items():
        if good.numbered and (good.tens or good.total or good.most):
            yield ["goods", name], "what is numbered has one of each, so no tens, total or most."


def skeleton(name: str) -> str:
    """Return a name as it looks at a glance: names with the same skeleton can be confused."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return plain.replace("rn", "m").translate(_ALIKE)


_ALIKE = str.maketrans("1i0’", "llo'", " -.")


@cache
def _script(letter: str) -> str:
    """Return the alphabet of a letter; empty for those of which no other looks like them."""
    alphabet = unicodedata.name(letter, "").partition(" ")[0].lower()
    return alphabet if alphabet in ("latin", "greek", "cyrillic", "armenian", "cherokee") else ""


def _unknown(found: Definition) -> Found:
    """Yield names that stand for nothing here."""
    everybody = {*found.seats, *found.teams, "all"}
    for team, members in found.teams.items():
        yield from _not_among(["teams", team], members, found.seats, "seat")
    for pair in found.trade.pairs:
        yield from _not_among(["trade", "pairs"], pair, everybody, "seat or team")
    yield from _not_among(["start"], found.start, everybody, "seat or team")
    for name, given in found.events.items():
        yield from _not_among(["events", name], given, everybody, "seat or team")
    yield from _not_among(["trade", "when"], found.trade.when, found.phases, "phase")
    yield from _not_among(["bank"], found.bank, {*found.goods, "any"}, "kind of goods")
    for name, good in found.goods.items():
        if name in found.bank and (good.kept or good.numbered):
            yield ["bank", name], "what is kept or numbered the bank doesn't take."
    if found.bank and all(good.kept or good.numbered for good in found.goods.values()):
        yield ["bank"], "there must be goods that are neither kept nor numbered."
    if found.debts:
        usable = [
            name
            for name, good in found.goods.items()
            if not (good.hidden or good.numbered or good.tens)
        ]
        yield from _not_among(["debts"], [found.debts], usable, "open kind of goods")
    if found.trade.who == "pairs" and not found.trade.pairs:
        yield ["trade", "pairs"], 'say who trades with whom: pairs = [["North", "South"]].'
    if found.trade.bell and not found.trade.when:
        when = f"when = {toml_value(found.phases[-1:])}"
        yield ["trade", "bell"], f"say first which phase it ends, when people trade: {when}."
    if all(good.kept for good in found.goods.values()):
        yield ["goods"], "all of them are kept, so nothing can be traded."


def _not_among(place: list[str], names: Any, known: Any, what: str) -> Found:
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1) or sorted(known)[:6]
            yield [*place, name], f"there is no {what} “{excerpt(name)}”. Try {', '.join(near)}."


# ---------------------------------------------------------------- changing and writing


def merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields with others in place of them, part by part. An empty text takes one away."""
    both = dict(old)
    for name, value in new.items():
        before = both.pop(name, None) if value == "" else both.get(name)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            both[name] = merged(before, value)
        elif value != "":
            both[name] = value
    return both


def differences(old: Any, new: Any, at: str = "") -> Iterator[str]:
    """Yield what differs, as ``trade.gifts: true → false``."""
    if not isinstance(old or new, Mapping) or "." in at:
        if old != new:
            yield f"{at}: {_short(old)} → {_short(new)}"
        return
    before, after = old or {}, new or {}
    for name in dict.fromkeys((*before, *after)):
        place = f"{at}.{name}".removeprefix(".")
        yield from differences(before.get(name), after.get(name), place)


def _short(value: Any) -> str:
    return "none" if value is None else toml_value(value)[:60]


def toml(fields: Mapping[str, Any]) -> str:
    """Return fields as a host writes them: single values, then each table, a line a value."""
    lines, tables = list[str](), list[str]()
    for name, value in fields.items():
        if isinstance(value, dict):
            tables += ["", f"[{key(name)}]", *_lines(value)]
        else:
            lines += _lines({name: value})
    return "\n".join([*lines, *tables])


def _lines(fields: Mapping[str, Any]) -> list[str]:
    return [f"{key(name)} = {toml_value(value)}" for name, value in fields.items()]


def key(name: str) -> str:
    """Return a name as TOML has it on the left of a line."""
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else toml_value(name)


def toml_value(value: Any) -> str:
    """Return a value as TOML has it on the right of a line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_lines(value))} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


def preset(name: str) -> Definition:
    """Return the definition of a preset. Raises `Refused` if there is none."""
    if name not in presets():
        known = ", ".join(presets())
        raise Refused(f"There is no preset “{excerpt(name)}”.", f"There are {known}.")
    return checked(read(presets()[name]))
