"""The shorthand in which players write goods: ``3 tg, 1 c, alice's ceasefire``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from bot.api import (
    COUNT_MAX,
    NOTHING,
    QUOTE_MAX,
    Goods,
    Part,
    Refused,
    debt_word,
    excerpt,
    kind_of,
    not_known,
    owed,
    parse,
    unquoted,
)
from bot.games.ti4.components import (
    ACTION_CARD,
    ANY_NOTE,
    COMMODITY,
    FRAGMENTS,
    NAMED,
    OWN,
    SECRET_OBJECTIVE,
    TRADE_GOOD,
    UNITS,
    describe,
)
from data import not_traded
from data.ti4 import PromissoryNote, factions, find_faction, find_note, promissory_notes

WORDS = {
    "tg": TRADE_GOOD,
    "trade good": TRADE_GOOD,
    "trade goods": TRADE_GOOD,
    "tgs": TRADE_GOOD,
    "c": COMMODITY,
    "comm": COMMODITY,
    "comms": COMMODITY,
    "commodity": COMMODITY,
    "commodities": COMMODITY,
    "action card": ACTION_CARD,
    "action cards": ACTION_CARD,
    "ac": ACTION_CARD,
    "acs": ACTION_CARD,
    "secret objective": SECRET_OBJECTIVE,
    "secret objectives": SECRET_OBJECTIVE,
    "secret": SECRET_OBJECTIVE,
    "secrets": SECRET_OBJECTIVE,
    **{f"{kind[0]}rf": f"fragment:{kind}" for kind in FRAGMENTS if kind != "cultural"},
    "crf": "fragment:cultural",
    "chrf": "fragment:cultural",
    **{f"{kind} fragment": f"fragment:{kind}" for kind in FRAGMENTS},
    **{f"{kind} fragments": f"fragment:{kind}" for kind in FRAGMENTS},
    **{f"{kind} relic fragment": f"fragment:{kind}" for kind in FRAGMENTS},
    **{f"{kind} relic fragments": f"fragment:{kind}" for kind in FRAGMENTS},
}
"""Words for counted components, with their tokens."""

_FRAGMENTS = (
    "fragment",
    "fragments",
    "frag",
    "frags",
    "relic fragment",
    "relic fragments",
    "relic frag",
    "relic frags",
    "rf",
    "rfs",
)
"""Words for fragments without their kind."""

_KINDS = {
    "cultural": ("cultural", "culture", "cult", "blue"),
    "hazardous": ("hazardous", "hazard", "haz", "red"),
    "industrial": ("industrial", "industry", "ind", "green"),
    "unknown": ("unknown", "unk", "frontier"),
}
"""Words for the kinds of fragments."""

_TOKENS = (TRADE_GOOD, COMMODITY)


def _of_fragments() -> dict[str, str]:
    """Return each word for a kind before each word for fragments, with its token."""
    tokens = {}
    for kind, words in _KINDS.items():
        for word, fragment in product(words, _FRAGMENTS):
            tokens[f"{word} {fragment}"] = f"fragment:{kind}"
    return tokens


SHORT = {
    "com": COMMODITY,
    "coms": COMMODITY,
    "commod": COMMODITY,
    "commods": COMMODITY,
    "so": SECRET_OBJECTIVE,
    "sos": SECRET_OBJECTIVE,
    **{f"{word} token": token for word, token in WORDS.items() if token in _TOKENS},
    **{f"{word} tokens": token for word, token in WORDS.items() if token in _TOKENS},
    **_of_fragments(),
    **{kind: f"fragment:{kind}" for kind in _KINDS},
    **{f"{kind[0]}rfs": f"fragment:{kind}" for kind in FRAGMENTS},
}
"""Further words for counted components, which are understood but not suggested."""

_EACH = (
    "of each",
    "each",
    *(f"of each {word}" for word in _FRAGMENTS),
    *(f"each {word}" for word in _FRAGMENTS),
)
"""Words for one fragment of each of the three kinds that planets give; without the last word it is
unclear.
"""

_UNITS = {
    **{unit: unit for unit in UNITS},
    "dread": "dreadnought",
    "dn": "dreadnought",
    "warsun": "war sun",
    "ws": "war sun",
    "flag": "flagship",
    "inf": "infantry",
    "infantries": "infantry",
    "ground force": "infantry",
    "ff": "fighter",
    "dd": "destroyer",
    "cv": "carrier",
    "ca": "cruiser",
    "dock": "space dock",
    "pd": "pds",
}
"""Words for units that can be captured."""

_CAPTURED = re.compile(
    rf"captured (.+?)(?:'s?)? ({'|'.join(sorted(_UNITS, key=len, reverse=True))})s?"
)
"""A captured unit whose owner stands before it: ``captured sol dread``."""


_ANY = "any note"
_IN_PLAY = re.compile(r"\bin play\b:?", re.IGNORECASE)
_ANYBODY = r"(?:(?:the )?giver|whoever|whosoever|anyone|anybody|everyone|everybody)['’]?s(?: own)?"
_WHOEVER = re.compile(rf"\s*,\s*({_ANYBODY})(?=\s*(?:[,;+&\n]|$))", re.IGNORECASE)
_CHOICE = re.compile(
    r"\b(?:(?:an?|one|1) )?(?:promissory )?(?:note|pn)(?:,? (?:you|they|i|(?:the )?giver) (?:can "
    r")?(?:choose|pick)s?"
    r"|,? (?:of )?(?:your|their|my|(?:the )?giver['’]?s)(?: own)? choice| that (?:the )?giver "
    r"chooses)\b"
    r"|\bany (?:promissory )?(?:note|pn)\b",
    re.IGNORECASE,
)
"""Words for a note that its giver chooses: ``a promissory note, you choose``, ``any note``."""

_ANYBODYS = re.compile(rf"^(?:any|{_ANYBODY}) | {_ANYBODY}$")
"""Words for a note of whoever gives it: ``any ceasefire``, ``the giver's own ceasefire``."""


_OWES = re.compile(r"\b(?:i )?owes?:? ((?:[^,;+&\n](?! and |owe))*[^,;+&\n])", re.IGNORECASE)
_LATER = re.compile(r"(.+) later")
"""Words for what is given later: ``owe 2 tg``, ``2 tg later``."""

_PAYS = re.compile(r"pays?(?: \d+ of \d+ owed)?(?: on)? \(?debt (\d{1,6})\)?")
"""Words for a debt that is paid: ``pays debt 3``, ``pays 2 of 2 owed (debt 3)``."""


@dataclass(frozen=True, slots=True)
class _Context:
    """The words that names can refer to: the seats at the table, the giving seat, and lower-case
    names of seats.
    """

    seats: Collection[str]
    giver: str | None
    aliases: Mapping[str, str]
    in_force: Collection[str] = ()


def read(
    text: str,
    seats: Collection[str],
    giver: str | None,
    aliases: Mapping[str, str],
    in_force: Collection[str] = (),
) -> Goods:
    """Parse goods, in any order and case. `bot.rules.shorthand.parse` splits the text; a part
    without a number means 1.

    A note without an owner is the giver's own, whoever gives it if ``giver`` is None. ``aliases``
    maps lower-case names to seats; names of factions take precedence. Notes behind “in play:” are
    in play. ``in_force`` are the ids of cards in force. Raises `Refused` by 94.3 for things that
    can't be traded at all, else without a rule, with the most similar text that it would
    understand.
    """
    context = _Context(seats, giver, aliases, in_force)
    text = _CHOICE.sub(_ANY, _WHOEVER.sub(r" \1", text))  # “ceasefire, whoever's” is one part
    text = _OWES.sub(r"\1 later", text)
    goods, *in_play = (_goods(part, context) for part in _IN_PLAY.split(text))
    for notes in in_play:
        lying = {re.sub("^note:", "played:", token): count for token, count in notes.items()}
        goods += Goods(lying)
    if goods.count(ANY_NOTE) > 1:
        one = "Each side gives one promissory note, so its giver chooses only one."
        raise Refused("94.2", one, "Name it once.")
    for token, count in goods.items():
        if count > (1 if _unique(token) else COUNT_MAX):
            at_most = "There is only one." if _unique(token) else f"Write at most {COUNT_MAX}."
            raise Refused("", f"That makes {describe(Goods({token: count}))} altogether.", at_most)
    return goods


def _goods(text: str, context: _Context) -> Goods:
    return sum(
        (_part(part, context) for part in parse(text, lambda name: _is_name(name, context))),
        NOTHING,
    )


def read_note(
    text: str, seats: Collection[str], aliases: Mapping[str, str]
) -> tuple[PromissoryNote | None, str | None]:
    """Parse a promissory note and its owner. Either is None if the text does not name it.

    ``seats`` and ``aliases`` are as in `read`. Raises `Refused` if the owner is ambiguous.
    """
    what = " ".join(unquoted(text).split()).casefold().replace("’", "'")
    thing, owner = _split_owner(what, _Context(seats, None, aliases))
    owner = None if owner == OWN else owner
    return _note_of(thing, owner), owner


def own_words(speaker: str | None) -> dict[str, str]:
    """Return the words by which whoever sits in this seat means themselves, each with the seat;
    none for nobody.
    """
    return dict.fromkeys(_OWN, speaker) if speaker is not None else {}


def _split_owner(what: str, context: _Context) -> tuple[str, str | None]:
    """Split texts like ``sol's ceasefire (bob)`` into the thing and its owner's seat, None for no
    owner.

    The name in brackets may be anything except the name of a person in another seat.
    """
    if _is_owned(what):
        return what, None
    if (thing := _ANYBODYS.sub("", what)) != what and _found(thing) is not None:
        return thing, context.giver or OWN
    rest, bracket, beside = (
        what.removesuffix(")").partition(" (") if what.endswith(")") else (what, "", "")
    )
    ways = [(rest[found.end() :], rest[: found.start()]) for found in re.finditer(r"'s? ", rest)]
    ways += [
        (rest[: found.start()], rest[found.end() :])
        for found in re.finditer(r" (?:of|from) ", rest)
    ]
    for thing, whose in ways:
        if _is_owned(thing):
            owner = _seat(whose, context)
            if owner is None or (bracket and _seat(beside, context) not in (None, owner)):
                raise _unclear(what, context)
            return thing, owner
    if found := _CAPTURED.fullmatch(what):
        if (owner := _seat(found[1], context)) is None:
            raise _unclear(what, context)
        return f"captured {found[2]}", owner
    for space in re.finditer(r" ", what):  # “red support”, “my support”
        whose, thing = what[: space.start()], what[space.end() :]
        if whose in _PRONOUNS and _is_owned(thing) and whose not in context.aliases:
            raise _unclear(what, context)
        if (owner := _seat(whose, context)) is not None and _is_owned(thing):
            return thing, owner
    if not (bracket and _is_owned(rest)):
        return what, None
    if (owner := _seat(beside, context)) is None:
        raise _unclear(what, context)
    return rest, owner


def _is_owned(thing: str) -> bool:
    """Return whether this is a component that seats own, such as a note or a captured unit."""
    return _captured_unit(thing) is not None or _found(thing) is not None


def _seat(word: str, context: _Context) -> str | None:
    """Return the seat that a word means: a faction, or a name that is unique at the table."""
    faction = find_faction(word)
    if faction is not None:
        return faction.id if faction.id in context.seats else None
    return context.aliases.get(word.strip().lstrip("@"))


def _unclear(what: str, context: _Context) -> Refused:
    here = ", ".join(f"{factions()[seat].short}<beside:{seat}>" for seat in context.seats)
    return Refused(
        "", f"I can't tell whose “{excerpt(what)}” you mean.", f"Try it with the faction: {here}."
    )


def played_version(note: str) -> str:
    """Return the newest printing of a note."""
    return next((newer.id for newer in promissory_notes().values() if newer.replaces == note), note)


def _unique(token: str) -> bool:
    """Return whether there is only one of this component."""
    return kind_of(token) in ("note", "any", "played", *NAMED)


def _is_name(text: str, context: _Context) -> bool:
    """Return whether a text is the complete name of a component.

    Kinds that take any name, such as planets, don't count, because the name could contain anything.
    """
    what = _folded(text)
    words = what in WORDS or what in SHORT or what in _EACH or what == _ANY
    if words or _PAYS.fullmatch(what) or _is_owed(what):
        return True
    try:
        thing, owner = _split_owner(what, context)
        return _is_owned(thing) and (_captured_unit(thing) is None or owner is not None)
    except Refused:
        return False


def _is_owed(what: str) -> bool:
    found = _LATER.fullmatch(what)
    return found is not None and (found[1] in WORDS or found[1] in SHORT)


def _folded(text: str) -> str:
    return text.casefold().replace("’", "'")


def _part(part: Part, context: _Context) -> Goods:
    what, count = _folded(part.what), part.count
    if not what:
        raise Refused("", f"“{excerpt(part.written)}” says how many, but not what.", "Try: 3 tg.")
    if paid := _PAYS.fullmatch(what):
        return Goods({debt_word(int(paid[1])): 1})
    if _is_owed(what):
        if TRADE_GOOD not in _part(replace(part, what=what.removesuffix(" later")), context):
            reason = (
                f"“{excerpt(part.written)}” can't be owed: debts are counted in trade goods [21.5]."
            )
            raise Refused("", reason, "Try: owe 2 tg. Or promise it in words: terms.")
        return Goods({owed(TRADE_GOOD): count})
    if what in _FRAGMENTS:
        short = ", ".join(
            f"{part.number or ''} {word}".strip() for word in ("crf", "hrf", "irf", "urf")
        )
        raise Refused(
            "",
            f"“{excerpt(part.written)}” does not say which: cultural, hazardous, industrial or "
            "unknown.",
            f"Write one of {short}.",
        )
    if what in _EACH:
        if what.endswith("each"):
            raise Refused(
                "", f"“{excerpt(part.written)}” does not say of what.", "Try: 1 crf, 1 hrf, 1 irf."
            )
        return Goods({f"fragment:{kind}": count for kind in FRAGMENTS if kind != "unknown"})
    if what == _ANY:
        return Goods({ANY_NOTE: count})
    if what in _NOTES:
        own = f"my ceasefire, sol's support for the throne; or “{_ANY}”, which its giver chooses"
        raise Refused("", f"“{excerpt(part.written)}” does not say which.", f"Name it. Try: {own}.")
    token = WORDS.get(what) or SHORT.get(what) or _special(what, part.what, context)
    if token is None:
        names = [note.name.casefold() for note in promissory_notes().values()]
        within = [word for word in _legal() if len(word) > 1 and f" {word} " in f" {what} "]
        if within:
            meant = " ".join(filter(None, (part.number, _legal()[max(within, key=len)])))
            raise Refused(
                "", f"I don't know “{excerpt(part.written)}”.", f"Did you mean “{meant}”?"
            )
        groups = [
            group
            for group in not_traded("ti4")
            if not group.under or group.under in context.in_force
        ]
        raise not_known(part, [*WORDS, *names], groups, _ALL_I_KNOW)
    if _unique(token) and count != 1:
        raise Refused(
            "", f"There is only one {describe(Goods({token: 1}))}.", "Name it without a number."
        )
    return Goods({token: count})


def _special(what: str, written: str, context: _Context) -> str | None:
    """Return the token of a named card, a captured unit or a note; None for anything else."""
    named = next((kind for kind, begins in NAMED.items() if what.startswith(begins)), None)
    if named is not None:
        if len(written) > QUOTE_MAX:
            raise Refused(
                "",
                f"“{excerpt(written)}” is not the name of a card.",
                f"Names have at most {QUOTE_MAX} characters.",
            )
        return f"{named}:{_titled(written[len(NAMED[named]) :])}"
    thing, owner = _split_owner(what, context)
    if what.startswith("captured ") and _captured_unit(thing) is None:
        raise Refused(
            "", f"“{excerpt(written)}” does not say which unit.", "Try: captured cruiser of sol."
        )
    if (unit := _captured_unit(thing)) is not None:
        if owner is None:
            raise Refused("", f"Whose {unit} is it?", f"Try: captured {unit} of sol.")
        return f"captured:{unit}:{owner}"
    note = _note_of(thing, owner)
    if note is None:
        return None
    if note.owner != "any":
        if note.owner not in context.seats:
            raise Refused(
                "", f"Nobody here has {note.name}.", "Notes belong to the factions at this table."
            )
        return f"note:{played_version(note.id)}:{note.owner}"
    owner = owner or context.giver or OWN
    if owner != OWN and note.id in factions()[owner].lacks:
        raise Refused("", f"<faction:{owner}> has no {note.name}.", "Name one of their own notes.")
    return f"note:{note.id}:{owner}"


def _titled(name: str) -> str:
    """Return a name in title case: ``maw of worlds`` becomes ``Maw of Worlds``. Inner capitals
    stay.
    """
    words = name.split()
    return " ".join(
        word.casefold()
        if number and word.casefold() in ("of", "the")
        else word[:1].upper() + word[1:]
        for number, word in enumerate(words)
    )


def _captured_unit(thing: str) -> str | None:
    """Return the type of a captured unit; None if this is not one."""
    word = thing.removeprefix("captured ") if thing.startswith("captured ") else ""
    return _UNITS.get(word) or _UNITS.get(word.removesuffix("s"))


def _found(thing: str) -> PromissoryNote | None:
    """Return the promissory note of this name, maybe in the plural or called a note."""
    name = re.sub(r" (?:promissory )?(?:notes?|pn)$", "", thing).removeprefix("the ")
    return find_note(name) or find_note(name.removesuffix("s"))


@cache
def _legal() -> Mapping[str, str]:
    """Return the words for goods that can be traded, each with the word to suggest for it."""
    goods = {
        word: word for word, token in WORDS.items() if token not in (ACTION_CARD, SECRET_OBJECTIVE)
    }
    for note in promissory_notes().values():
        goods |= dict.fromkeys((note.name.casefold(), *note.aliases), note.name.casefold())
    return goods


def _note_of(thing: str, owner: str | None) -> PromissoryNote | None:
    """Return the note with this name; None for none. Raises `Refused` if this owner can't have such
    a note.
    """
    note = _found(thing)
    if note is not None and owner not in (None, OWN) and note.owner not in ("any", owner):
        raise Refused(
            "",
            f"{note.name} is not one of <player:{owner}>'s notes.",
            f"Write just: {note.name.lower()}.",
        )
    return note


_NOTES = (
    "note",
    "notes",
    "promissory note",
    "promissory notes",
    "promissory",
    "pn",
    "pns",
    "prom note",
    "prom notes",
)
"""Words for notes without their name."""

_OWN = ("my", "our")
_PRONOUNS = (*_OWN, "your", "their", "his", "her")

_ALL_I_KNOW = (
    "I know trade goods (tg), commodities (c), fragments, action cards, and promissory notes by "
    "name."
)
