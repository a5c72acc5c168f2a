"""The shorthand in which players write goods: ``3 tg, 1 c, alice's ceasefire``.

The words are in ``data/ti4/words.toml`` and on the promissory notes; `bot.rules.shorthand` reads
them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import chain

from bot.api import (
    COUNT_MAX,
    NOTHING,
    QUOTE_MAX,
    Goods,
    Here,
    Lexicon,
    Meaning,
    Part,
    Refused,
    Strange,
    TableView,
    debt_word,
    excerpt,
    goods_in,
    kind_of,
    owed,
    refused_as_not_traded,
)
from bot.games.ti4.boxes import printed
from bot.games.ti4.components import (
    ANY_NOTE,
    NAMED,
    OWN,
    TRADE_GOOD,
    WHICH_NOTES,
    captured_unit,
    describe,
)
from data import NotTraded, not_traded, words
from data import read as read_data
from data.ti4 import PromissoryNote, factions, find_faction, promissory_notes

_COUNTED = ("trade_good", "commodity", "action_card", "secret_objective", "fragment")

WORDS = {
    word: token
    for word, token in words("ti4", "names").items()
    if kind_of(token) in _COUNTED and " " not in token
}
"""Words for counted components, with their tokens."""

_ALL_KNOWN = (
    "I know trade goods (tg), commodities (c), fragments, action cards, and promissory notes by "
    "name."
)

_IN_PLAY = re.compile(r"\bin play\b:?", re.IGNORECASE)
_CHOICE = re.compile(
    r"\b(?:promissory )?(?:note|pn)(?:,? (?:you|they|i|(?:the )?giver) (?:can )?(?:choose|pick)s?"
    r"|,? (?:of )?(?:your|their|my|(?:the )?giver['’]?s)(?: own)? choice| that (?:the )?giver "
    r"chooses)\b",
    re.IGNORECASE,
)
"""Words for a note that its giver chooses: ``a promissory note, you choose``."""

_PAYS = re.compile(
    r"\bpays?(?: \d{1,3} of \d{1,3} owed)?(?: on)? \(?debt (\d{1,6})\)?", re.IGNORECASE
)
"""Words for a debt that is paid: ``pays debt 3``, ``pays 2 of 2 owed (debt 3)``."""


def read(
    text: str,
    seats: Collection[str],
    giver: str | None,
    aliases: Mapping[str, str],
    view: TableView | None = None,
) -> Goods:
    """Parse goods, in any order and case; a part without a number means 1.

    A note without an owner is the giver's own, whoever gives it if ``giver`` is None. ``aliases``
    maps lower-case names to seats; names of factions take precedence. Notes behind “in play:” are
    in play. With a view, colours, “my”, “your” and “all” mean what they do at that table. Raises
    `Refused` by 94.3 for things that can't be traded at all, else without a rule.
    """
    at_table = _here(seats, giver, aliases, view)
    meaning = Meaning(
        goods=partial(_goods, at_table, seats),
        describe=describe,
        explain=partial(_explain, view.board.in_force if view else ()),
        checked=partial(_checked, view),
        example="Try: 3 tg.",
        all_known=_ALL_KNOWN,
    )
    text = _PAYS.sub(r"debt \1", _CHOICE.sub("any note", text))
    before, *behind = (
        goods_in(piece, _words(frozenset(seats)), at_table, meaning)
        for piece in _IN_PLAY.split(text)
    )
    lying = NOTHING
    for goods in behind:
        for token, count in goods.items():
            lying += Goods({re.sub("^note:", "played:", token): count})
    return _checked(None, before + lying)


def read_note(
    text: str, seats: Collection[str], aliases: Mapping[str, str]
) -> tuple[PromissoryNote | None, str | None]:
    """Parse a promissory note and its owner. Either is None if the text does not name it.

    ``seats`` and ``aliases`` are as in `read`. Raises `Refused` if the owner is ambiguous.
    """
    at_table = _here(seats, None, aliases, None)
    reading = _words(frozenset(seats)).read(text, at_table.whose)
    if reading.strange or len(reading.parts) != 1:
        return None, None
    [part] = reading.parts
    if kind_of(part.meaning) != "note":
        return None, None
    owner = _owner(part, at_table)
    owner = None if owner == OWN else owner
    return _note(part, owner), owner


def own_words(speaker: str | None) -> dict[str, str]:
    """Return the words by which whoever sits in this seat means themselves, each with the seat;
    none for nobody.
    """
    return dict.fromkeys(("my", "our"), speaker) if speaker is not None else {}


def played_version(note: str) -> str:
    """Return the newest printing of a note."""
    return next((newer.id for newer in promissory_notes().values() if newer.replaces == note), note)


# ---------------------------------------------------------------- words at a table


@lru_cache(maxsize=256)
def _words(seats: frozenset[str]) -> Lexicon:
    """Return what words mean at a table of these factions."""
    notes = promissory_notes()
    names: dict[str, str] = {}
    for note in notes.values():
        for word in (note.id, note.name, *note.aliases):
            for written in (word, word.replace("'", ""), word.replace(" ", "")):
                names[written.casefold()] = f"note:{note.id}"

    def is_here(meaning: str) -> bool:
        kind, _, id = meaning.partition(":")
        return kind in _COUNTED or (id in notes and notes[id].owner in ("any", *seats))

    def fits(meaning: str, number: str | None, owner: str | None) -> bool:
        if kind_of(meaning) != "note":
            return True
        note = notes[meaning.removeprefix("note:")]
        return number in (None, "1") and (not owner or note.owner in ("any", owner))

    found = Lexicon.of(
        "ti4",
        names,
        is_here,
        free=NAMED,
        owned=("note", "captured", "unclear"),
        parted=("captured",),
        barred=frozenset(chain.from_iterable(group.words for group in not_traded("ti4"))),
        fits=fits,
    )
    return replace(found, find=lambda word: _debt(word) or found.find(word))


def _debt(word: str) -> str | None:
    number = re.fullmatch(r"debt (\d{1,6})", word)
    return f"pays:{number[1]}" if number else None


def _here(
    seats: Collection[str],
    giver: str | None,
    aliases: Mapping[str, str],
    view: TableView | None,
) -> Here:
    """Return what the person who writes may know, with what factions are called."""
    at_table = Here.at(view, giver, aliases, WHICH_NOTES)
    givers = words("ti4", "whose")

    def whose(written: str) -> str | None:
        if written in givers:
            return OWN
        is_name = written[0].isalnum() and written[-1].isalnum()
        if is_name and (faction := find_faction(written)) is not None:
            return faction.id if faction.id in seats else ""
        return at_table.whose(written)

    listed = ", ".join(f"{factions()[seat].short}<beside:{seat}>" for seat in seats)
    return replace(at_table, whose=whose, people=f"Try it with the faction: {listed}.")


def _explain(in_force: Collection[str], strange: Strange) -> Refused | None:
    """Return the refusal of what the rules keep out of a trade."""
    if not strange.alone:
        return None
    groups: list[NotTraded] = []
    for group in not_traded("ti4"):
        if not group.under or group.under in in_force:
            groups.append(group)
    return refused_as_not_traded(strange.around, groups)


# ---------------------------------------------------------------- goods


def _goods(at_table: Here, seats: Collection[str], part: Part, count: int) -> Goods:
    """Return so many of the component that a part names, or of several. Raises `Refused`."""
    kind, _, rest = part.meaning.partition(":")
    if not kind:
        what = f"“{excerpt(part.written)}” says how many, but not what."
        raise Refused(what, "Try: 3 tg.")
    if kind == "unclear":
        raise _unclear(part, rest)
    if kind == "pays":
        return Goods({debt_word(int(rest)): 1})
    tokens = part.meaning.split()
    if kind in ("note", "captured"):
        tokens = [_owned(part, at_table, seats)]
    elif kind in NAMED:
        tokens = [f"{kind}:{_titled(rest, part)}"]
    elif part.beside is not None and at_table.whose(part.beside.casefold()) != at_table.giver:
        raise at_table.not_whose(part)
    if part.later:
        return Goods({_promised(part, tokens): count})
    if _unique(tokens[0]) and count > 1:
        only = f"There is only one {describe(Goods({tokens[0]: 1}))}."
        raise Refused(only, "Name it without a number.")
    return Goods(dict.fromkeys(tokens, count))


def _promised(part: Part, tokens: list[str]) -> str:
    if tokens != [TRADE_GOOD]:
        reason = (
            f"“{excerpt(part.written)}” can't be owed: debts are counted in trade goods [21.5]."
        )
        raise Refused(reason, "Try: owe 2 tg. Or promise it in words: terms.")
    return owed(TRADE_GOOD)


@cache
def _unclear_words() -> Mapping[str, Mapping[str, str]]:
    unclear: Mapping[str, Mapping[str, str]] = read_data("ti4", "words")["unclear"]
    return unclear


def _unclear(part: Part, which: str) -> Refused:
    """Return the refusal of words that do not say which component they mean."""
    said = _unclear_words()[which]
    number = f"{part.number} " if part.number else ""
    reason = said["reason"].format(what=f"“{excerpt(part.written)}”")
    return Refused(reason, said["remedy"].format(number=number))


def _owner(part: Part, at_table: Here) -> str | None:
    """Return the seat whose a note or a unit is said to be. Raises `Refused` if that is unclear."""
    owner, beside = part.owner, part.beside
    other = at_table.whose(beside.casefold()) if beside is not None else None
    if owner is None and beside is not None:
        owner = other or ""
    of_two = owner and other and other != owner
    of_anybody = owner == OWN and kind_of(part.meaning) == "captured"
    if owner == "" or of_two or of_anybody:
        raise at_table.not_whose(part)
    return owner


def _owned(part: Part, at_table: Here, seats: Collection[str]) -> str:
    """Return the token of a note or a captured unit."""
    owner = _owner(part, at_table)
    kind, _, id = part.meaning.partition(":")
    if kind == "captured":
        if owner is None:
            units = [each for each in at_table.held or () if each.startswith(f"{part.meaning}:")]
            whose = captured_unit(units[0])[1] if units else "sol"
            raise Refused(f"Whose {id} is it?", f"Try: captured {id} of {whose}.")
        return f"captured:{id}:{owner}"
    if id == "faction":
        part = replace(part, meaning=f"note:{_faction_note(part, owner or at_table.giver)}")
    note = _note(part, owner)
    if note.owner != "any":
        if note.owner not in seats:
            here_are = "Notes belong to the factions at this table."
            raise Refused(f"Nobody here has {note.name}.", here_are)
        return f"note:{played_version(note.id)}:{note.owner}"
    owner = at_table.giver if owner in (None, OWN) else owner
    if owner and note.id in factions()[owner].lacks:
        raise Refused(f"<faction:{owner}> has no {note.name}.", "Name one of their own notes.")
    return f"note:{note.id}:{owner or OWN}"


def _note(part: Part, owner: str | None) -> PromissoryNote:
    """Return the note of a part. Raises `Refused` if this owner can't have such a note."""
    note = promissory_notes()[part.meaning.removeprefix("note:")]
    if owner not in (None, OWN) and note.owner not in ("any", owner):
        theirs = f"{note.name} is not one of <player:{owner}>'s notes."
        raise Refused(theirs, f"Write just: {note.name.lower()}.")
    return note


def _faction_note(part: Part, owner: str | None) -> str:
    """Return the one note that only this faction has. Raises `Refused` if there are several."""
    notes = factions()[owner].notes if owner and owner != OWN else ()
    first = [note for note in notes if not promissory_notes()[note].replaces]
    if len(first) != 1:
        raise _unclear(part, "note")
    return first[0]


def _titled(name: str, part: Part) -> str:
    """Return a card's name in title case: ``maw of worlds`` becomes ``Maw of Worlds``. Inner
    capitals stay.
    """
    if len(part.what) > QUOTE_MAX:
        reason = f"“{excerpt(part.written)}” is not the name of a card."
        raise Refused(reason, f"Names have at most {QUOTE_MAX} characters.")
    titled = []
    for number, word in enumerate(name.split()):
        if number and word.casefold() in ("of", "the"):
            titled.append(word.casefold())
        else:
            titled.append(word[:1].upper() + word[1:])
    return " ".join(titled)


def _unique(token: str) -> bool:
    """Return whether there is only one of this component."""
    return kind_of(token) in ("note", "any", "played", *NAMED)


def _checked(view: TableView | None, goods: Goods) -> Goods:
    """Return goods in the printing that the table plays with. Raises `Refused` for too many, and
    for components of missing boxes.
    """
    if goods.count(ANY_NOTE) > 1:
        one = "Each side gives one promissory note, so its giver chooses only one."
        raise Refused(one, "Name it once.", rule="94.2")
    for token, count in goods.items():
        if count > (1 if _unique(token) else COUNT_MAX):
            at_most = "There is only one." if _unique(token) else f"Write at most {COUNT_MAX}."
            raise Refused(f"That makes {describe(Goods({token: count}))} altogether.", at_most)
    return printed(view, goods) if view else goods
